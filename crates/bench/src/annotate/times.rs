//! How fast and how carefully real people corrected trees: the timed sentences of the Norwegian treebank (`law7_timing`).

use crate::corpus::reference;
use anyhow::ensure;
use study::timing::{Rates, Timed};

/// What the product begins with: the middle of the two published regressions.
const PUBLISHED: [f64; 3] = [2.2, 12.5, 12.0];
/// Annotated files and the parses they were made from, of one annotator and of the other.
const FILES: [&[(&str, &str)]; 2] = [
    &[
        ("aftenposten_006", "aftenposten_006"),
        ("dagbladet_012", "dagbladet_012"),
        ("dagbladet_013-odin", "dagbladet_013"),
    ],
    &[("dagbladet_013", "dagbladet_013")],
];

/// A sentence that somebody corrected.
struct Corrected {
    seconds: f64,
    words: Vec<TimedWord>,
}

/// A word, its head and its relation, as they stand in the file.
#[derive(PartialEq)]
struct TimedWord {
    form: String,
    head: String,
    relation: String,
}

/// What is known of two annotators.
pub(super) struct Corrections {
    /// Seconds for words, changed heads, changed relations, of each.
    pub(super) rates: [Rates<3>; 2],
    /// Words of which one changed the parser's head, and of these the ones where the other kept it.
    pub(super) overlooked: Share,
    /// Words whose head both changed, and of these the ones where they chose different heads.
    pub(super) different: Share,
}

/// So many of so many.
#[derive(Clone, Copy, Default)]
pub(super) struct Share {
    pub(super) n: usize,
    pub(super) of: usize,
}

impl Share {
    pub(super) fn rate(self) -> f64 {
        self.n as f64 / self.of.max(1) as f64
    }

    fn see(&mut self, is: bool) {
        self.n += usize::from(is);
        self.of += 1;
    }
}

impl Corrections {
    pub(super) fn read() -> anyhow::Result<Corrections> {
        let mut rates = Vec::new();
        for files in FILES {
            let mut timed = Vec::new();
            for (annotated, parsed) in files {
                timed.extend(timed_sentences(annotated, parsed)?);
            }
            rates.push(Rates::learn(PUBLISHED, &timed));
        }
        let (overlooked, different) = twice_corrected()?;
        Ok(Corrections { rates: [rates[0], rates[1]], overlooked, different })
    }

    /// The middle of both annotators: seconds for words and for heads.
    pub(super) fn seconds(&self) -> (f64, f64) {
        let middle = |i: usize| 0.5 * (self.rates[0].seconds[i] + self.rates[1].seconds[i]);
        (middle(0), middle(1))
    }

    /// How far times of sentences are off, as a share of what is expected.
    pub(super) fn spread(&self) -> f64 {
        let spreads = self.rates.iter().filter_map(|rates| rates.spread);
        spreads.sum::<f64>() / 2.0
    }

    /// How often a head that somebody sets herself is wrong: if both err with probability e and not in the same way, they differ in
    /// 1 − (1 − e)² of what both have set.
    pub(super) fn slips(&self) -> f64 {
        1.0 - (1.0 - self.different.rate()).sqrt()
    }
}

fn timed_sentences(annotated: &str, parsed: &str) -> anyhow::Result<Vec<Timed<3>>> {
    let timed = |(one, before): (Corrected, Corrected)| {
        let changed = |is: fn(&TimedWord, &TimedWord) -> bool| {
            one.words.iter().zip(&before.words).filter(|(a, b)| is(a, b)).count() as f64
        };
        let heads = changed(|a, b| a.head != b.head);
        let relations = changed(|a, b| a.relation != b.relation);
        Timed { counts: [one.words.len() as f64, heads, relations], seconds: one.seconds }
    };
    Ok(pairs(annotated, parsed)?.into_iter().map(timed).collect())
}

/// Sentences that both corrected, from the same parses.
fn twice_corrected() -> anyhow::Result<(Share, Share)> {
    let one = pairs("dagbladet_013", "dagbladet_013")?;
    let other = pairs("dagbladet_013-odin", "dagbladet_013")?;
    let (mut overlooked, mut different) = (Share::default(), Share::default());
    for ((one, before), (other, _)) in one.iter().zip(&other) {
        for ((a, b), parsed) in one.words.iter().zip(&other.words).zip(&before.words) {
            match (a.head != parsed.head, b.head != parsed.head) {
                (true, true) => {
                    // Each found what the other had found.
                    overlooked.of += 2;
                    different.see(a.head != b.head);
                }
                (true, false) | (false, true) => overlooked.see(true),
                (false, false) => {}
            }
        }
    }
    Ok((overlooked, different))
}

/// Corrected sentences beside the parses that they were made from.
fn pairs(annotated: &str, parsed: &str) -> anyhow::Result<Vec<(Corrected, Corrected)>> {
    let corrected = read(&format!("annotated/{annotated}.conll"))?;
    let before = read(&format!("preparsed/{parsed}-preproc.conll"))?;
    let same = |a: &Corrected, b: &Corrected| {
        a.words.iter().map(|word| &word.form).eq(b.words.iter().map(|word| &word.form))
    };
    ensure!(
        corrected.len() <= before.len() && corrected.iter().zip(&before).all(|(a, b)| same(a, b)),
        "{annotated} was not made from {parsed}"
    );
    Ok(corrected.into_iter().zip(before).collect())
}

/// Sentences, each behind a line `# SECONDS WORDS`; where a file has no seconds they are 0.
fn read(name: &str) -> anyhow::Result<Vec<Corrected>> {
    let text = std::fs::read_to_string(reference(&format!("data/field/law7_timing/{name}"))?)?;
    let mut sentences: Vec<Corrected> = Vec::new();
    for line in text.lines() {
        if let Some(comment) = line.strip_prefix("# ") {
            let seconds = comment.split(' ').next().and_then(|first| first.parse().ok()).unwrap_or(0.0);
            sentences.push(Corrected { seconds, words: Vec::new() });
        } else if let ([_, form, _, _, _, _, head, relation, ..], Some(last)) =
            (line.split('\t').collect::<Vec<_>>().as_slice(), sentences.last_mut())
        {
            let [form, head, relation] = [form, head, relation].map(|column| (*column).to_owned());
            last.words.push(TimedWord { form, head, relation });
        }
    }
    Ok(sentences)
}
