//! How far annotators agree.

use super::Fault;
use super::desk::{Desk, Inner, MERGED};
use super::store::AnalysisKey;
use annotation::{Analysis, Attached, WordOrBlock};
use draw::plot::{Axis, Chart, Mark};
use score::nominal::Kappa;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Agreement and time, as tables and plots.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Comparison {
    /// Figures over all pairs.
    pub measures: Vec<Measure>,
    /// A row for each pair of annotators.
    pub rows: Vec<PairOfAnnotators>,
    /// Pictures.
    pub plots: Vec<ShownPlot>,
}

/// A figure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Measure {
    /// What scripts know it by.
    pub name: &'static str,
    /// What people read.
    pub title: &'static str,
    /// The figure; nothing where there is nothing to compare.
    pub value: Option<f64>,
    /// Words it is about.
    pub n: usize,
}

/// Two annotators.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairOfAnnotators {
    /// One of them.
    pub one: String,
    /// The other.
    pub other: String,
    /// Sentences that both said something of.
    pub sentences: usize,
    /// Words whose head both said.
    pub heads: usize,
    /// The share of those on which they agree.
    pub agree: Option<f64>,
    /// The same for tags, beyond chance.
    pub kappa: Option<f64>,
}

/// A picture with its title.
#[derive(Clone, Debug, Serialize)]
pub struct ShownPlot {
    /// The title.
    pub title: String,
    /// The picture.
    pub svg: String,
}

/// What one annotator has done, in the order of time.
struct Done {
    name: String,
    /// Seconds of work so far, and heads that were said by then.
    curve: Vec<(f64, f64)>,
}

impl Desk {
    /// Compares all annotators whose work is to be seen by this one.
    pub fn compare(&self, annotator: i64) -> Result<Comparison, Fault> {
        let mut inner = self.lock();
        if inner.settings.blind && annotator != 1 {
            return Err(Fault::NotYours(
                "annotators work blind here; whoever opened the project sees how far they agree".into(),
            ));
        }
        let people: Vec<_> = inner.project.annotators()?.into_iter().filter(|one| one.id != MERGED).collect();
        let keys: Vec<AnalysisKey> = inner.project.keys()?.into_iter().filter(|key| key.slot == 0).collect();
        let mut said: BTreeMap<(i64, i64), Analysis> = BTreeMap::new();
        for &key in &keys {
            said.insert((key.annotator, key.sentence), inner.history(key)?.analysis().clone());
        }
        let mut rows = Vec::new();
        let (mut all, mut all_agreed) = (0, 0);
        for (at, one) in people.iter().enumerate() {
            for other in &people[at + 1..] {
                let pairs: Vec<(&Analysis, &Analysis)> = said
                    .range((one.id, i64::MIN)..=(one.id, i64::MAX))
                    .filter_map(|((_, sentence), analysis)| {
                        Some((analysis, said.get(&(other.id, *sentence))?))
                    })
                    .collect();
                let (heads, agreed) = pairs
                    .iter()
                    .map(|(a, b)| heads_of_both(a, b))
                    .fold((0, 0), |(n, m), (a, b)| (n + a, m + b));
                (all, all_agreed) = (all + heads, all_agreed + agreed);
                if !pairs.is_empty() {
                    rows.push(PairOfAnnotators {
                        one: called(&one.name, one.id),
                        other: called(&other.name, other.id),
                        sentences: pairs.len(),
                        heads,
                        agree: share(agreed, heads),
                        kappa: kappa_of_tags(&pairs),
                    });
                }
            }
        }
        let heads = Measure {
            name: "heads",
            title: "Words whose head two annotators said, and on which they agree",
            value: share(all_agreed, all),
            n: all,
        };
        let measures = if rows.is_empty() { Vec::new() } else { vec![heads] };
        let mut done = Vec::new();
        for one in &people {
            done.push(Done { name: called(&one.name, one.id), curve: inner.curve(one.id, &keys)? });
        }
        Ok(Comparison { measures, rows, plots: plots(&done) })
    }
}

impl Inner {
    /// Words on whose heads annotators disagree.
    pub(super) fn different_words(&mut self, sentence: i64) -> Result<Vec<u32>, Fault> {
        let keys = self.project.keys()?.into_iter();
        let keys: Vec<AnalysisKey> =
            keys.filter(|key| key.sentence == sentence && key.slot == 0 && key.annotator != MERGED).collect();
        let n_words = self.find(sentence)?.sentence.n_words() as u32;
        let mut heads: Vec<BTreeSet<Attached>> = vec![BTreeSet::new(); n_words as usize];
        for key in keys {
            let said = self.history(key)?.analysis();
            for word in 1..=n_words {
                heads[word as usize - 1].extend(said.head(WordOrBlock::Word(word)));
            }
        }
        Ok((1..).zip(heads).filter(|(_, heads)| heads.len() > 1).map(|(word, _)| word).collect())
    }

    /// How many heads were said after how much work, sentence by sentence.
    fn curve(&mut self, annotator: i64, keys: &[AnalysisKey]) -> Result<Vec<(f64, f64)>, Fault> {
        let (mut curve, mut seconds, mut heads) = (vec![(0.0, 0.0)], 0.0, 0.0);
        for &key in keys.iter().filter(|key| key.annotator == annotator) {
            let history = self.history(key)?;
            seconds += history.work().seconds;
            heads += history.analysis().heads().count() as f64;
            curve.push((seconds / 60.0, heads));
        }
        Ok(curve)
    }
}

/// Words whose head both said, and those on which they agree.
fn heads_of_both(one: &Analysis, other: &Analysis) -> (usize, usize) {
    let words = 1..=one.tokens().len() as u32;
    let both = words
        .filter_map(|word| Some((one.head(WordOrBlock::Word(word))?, other.head(WordOrBlock::Word(word))?)));
    both.fold((0, 0), |(n, agreed), (a, b)| (n + 1, agreed + usize::from(a == b)))
}

fn kappa_of_tags(pairs: &[(&Analysis, &Analysis)]) -> Option<f64> {
    let mut kappa = Kappa::default();
    for (one, other) in pairs {
        let words = 1..=one.tokens().len() as u32;
        for (a, b) in words.filter_map(|word| Some((one.tag(word)?, other.tag(word)?))) {
            kappa.add(a.clone(), b.clone(), 1);
        }
    }
    kappa.value()
}

fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

fn called(name: &str, id: i64) -> String {
    if name.is_empty() { format!("annotator {id}") } else { name.to_string() }
}

fn plots(done: &[Done]) -> Vec<ShownPlot> {
    let worked: Vec<&Done> = done.iter().filter(|one| one.curve.len() > 1).collect();
    if worked.is_empty() {
        return Vec::new();
    }
    let chart = Chart {
        x: Axis::new("minutes"),
        y: Axis::new("heads"),
        marks: worked
            .iter()
            .map(|one| Mark::Line { name: one.name.clone(), points: one.curve.clone(), band: None })
            .collect(),
        ..Chart::default()
    };
    vec![ShownPlot { title: "Heads said over minutes of work".into(), svg: chart.to_plain_svg(720, 320) }]
}
