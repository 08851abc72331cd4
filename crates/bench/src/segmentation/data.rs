//! Words with gold boundaries, from four collections.
//!
//! Some give canonical morphs (`subside y ise ed` for `subsidised`). Their boundaries are carried over to the word along the
//! cheapest alignment of letters. Derivations give one boundary, that of the affix. Where there is no test part, every
//! fourth word is tested; of the thousand words of MorphAGram, every second.

use anyhow::Context;
use score::segments::boundaries;
use segment::Annotation;
use std::collections::BTreeSet;
use std::path::Path;

/// A word and where it may be cut.
pub(super) struct GoldWord {
    pub(super) word: String,
    pub(super) boundaries: Vec<Vec<usize>>,
    /// Analyses whose morphs make up the word.
    analyses: Vec<Vec<String>>,
}

/// One language of one collection.
pub(super) struct Dataset {
    pub(super) name: String,
    /// Words without morphs, to learn from.
    pub(super) list: Vec<String>,
    /// Gold that may be learnt from.
    pub(super) train: Vec<GoldWord>,
    pub(super) test: Vec<GoldWord>,
}

impl Dataset {
    /// The share of test words whose morphs make up the word.
    pub(super) fn concatenative(&self) -> f64 {
        let n_words = self.test.iter().filter(|gold| !gold.analyses.is_empty()).count();
        n_words as f64 / self.test.len().max(1) as f64
    }
}

impl GoldWord {
    fn new(word: &str, analyses: Vec<Vec<String>>) -> GoldWord {
        let carried = |morphs: &Vec<String>| carry_over(word, morphs);
        GoldWord {
            word: word.to_owned(),
            boundaries: analyses.iter().map(carried).collect(),
            analyses: analyses.into_iter().filter(|morphs| morphs.concat() == word).collect(),
        }
    }

    /// What can be learnt from the word.
    pub(super) fn annotation(&self) -> Option<Annotation> {
        let annotation = || Annotation { word: self.word.clone(), analyses: self.analyses.clone() };
        (!self.analyses.is_empty()).then(annotation)
    }
}

/// All of them; empty without the reference data.
pub(super) fn all() -> anyhow::Result<Vec<Dataset>> {
    let Some(folder) = testkit::shared("data/morph") else {
        println!("no reference data found; set TREELET_SHARED");
        return Ok(Vec::new());
    };
    let mut all = Vec::new();
    for language in ["adyghe", "georgian", "japanese"] {
        let folder = folder.join("morphagram");
        let gold = read(&folder.join(format!("{language}.gold.tsv")), spaced)?;
        let list = lines(&folder.join(format!("{language}.words.txt")))?;
        all.push(divided(language, list, gold, 2));
    }
    for language in ["ces", "eng", "hun", "ita", "lat", "mon", "spa"] {
        let part = |part: &str| folder.join("sigmorphon2022_word").join(format!("{language}.{part}.tsv"));
        let (train, test) = (read(&part("train"), spaced)?, read(&part("test"), spaced)?);
        let list = train.iter().map(|gold| gold.word.clone()).collect();
        all.push(Dataset { name: format!("{language} (SIG)"), list, train, test });
    }
    let gum = read(&folder.join("english_gum_mseg/english.tsv"), spaced)?;
    all.push(divided("english GUM", Vec::new(), gum, 4));
    for language in ["cat", "fin", "swe"] {
        let gold = read(&folder.join(format!("morphynet_derivational/{language}.tsv")), derived)?;
        all.push(divided(&format!("{language} (der)"), Vec::new(), gold, 4));
    }
    Ok(all)
}

/// Tests every `n`-th word; the others may be learnt from. All words are in the list, without their morphs.
fn divided(name: &str, mut list: Vec<String>, gold: Vec<GoldWord>, n: usize) -> Dataset {
    list.extend(gold.iter().map(|gold| gold.word.clone()));
    let (mut train, mut test) = (Vec::new(), Vec::new());
    for (at, gold) in gold.into_iter().enumerate() {
        if at % n == n - 1 { test.push(gold) } else { train.push(gold) }
    }
    Dataset { name: name.to_owned(), list, train, test }
}

fn lines(path: &Path) -> anyhow::Result<Vec<String>> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    Ok(text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect())
}

/// Words with gold, each once.
fn read(path: &Path, row: impl Fn(&[&str]) -> Option<GoldWord>) -> anyhow::Result<Vec<GoldWord>> {
    let mut seen = BTreeSet::new();
    let mut found: Vec<GoldWord> =
        lines(path)?.iter().filter_map(|line| row(&line.split('\t').collect::<Vec<_>>())).collect();
    found.retain(|gold| seen.insert(gold.word.clone()));
    Ok(found)
}

/// `word TAB morph @@morph, morph morph`.
fn spaced(columns: &[&str]) -> Option<GoldWord> {
    let [word, analyses, ..] = columns else { return None };
    let morphs = |analysis: &str| {
        analysis.split_whitespace().map(|morph| morph.trim_start_matches("@@").to_owned()).collect()
    };
    Some(GoldWord::new(word, analyses.split(", ").map(morphs).collect()))
}

/// Source, word, two parts of speech, affix, `prefix` or `suffix`.
fn derived(columns: &[&str]) -> Option<GoldWord> {
    let [_, word, _, _, affix, kind, ..] = columns else { return None };
    let morphs = match *kind {
        "prefix" => [*affix, word.strip_prefix(affix)?],
        _ => [word.strip_suffix(affix)?, *affix],
    };
    let morphs = morphs.iter().filter(|morph| !morph.is_empty()).map(|morph| (*morph).to_owned()).collect();
    Some(GoldWord::new(word, vec![morphs]))
}

/// The boundaries of morphs in a word that is spelt a little differently: where the cheapest alignment has them.
fn carry_over(word: &str, morphs: &[String]) -> Vec<usize> {
    let (from, to): (Vec<char>, Vec<char>) = (morphs.concat().chars().collect(), word.chars().collect());
    // cost(i, j) = min(cost(i−1, j−1) + [letters differ], cost(i−1, j) + 1, cost(i, j−1) + 1)
    let width = to.len() + 1;
    let mut cost = vec![0usize; (from.len() + 1) * width];
    for i in 0..=from.len() {
        for j in 0..=to.len() {
            cost[i * width + j] = match (i, j) {
                (0, j) => j,
                (i, 0) => i,
                _ => {
                    let changed = cost[(i - 1) * width + j - 1] + usize::from(from[i - 1] != to[j - 1]);
                    changed.min(cost[(i - 1) * width + j] + 1).min(cost[i * width + j - 1] + 1)
                }
            };
        }
    }
    let mut reached = vec![0; from.len() + 1];
    let (mut i, mut j) = (from.len(), to.len());
    reached[i] = j;
    while i > 0 {
        let here = cost[i * width + j];
        if j > 0 && here == cost[(i - 1) * width + j - 1] + usize::from(from[i - 1] != to[j - 1]) {
            (i, j) = (i - 1, j - 1);
        } else if here == cost[(i - 1) * width + j] + 1 {
            i -= 1;
        } else {
            j -= 1;
            continue;
        }
        reached[i] = j;
    }
    let mut carried: Vec<usize> = boundaries(morphs).into_iter().map(|at| reached[at]).collect();
    carried.retain(|&at| at > 0 && at < to.len());
    carried.dedup();
    carried
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boundaries_are_carried_over_to_words_that_are_spelt_differently() {
        let check = |word: &str, morphs: &str, expected: &[usize]| {
            let morphs: Vec<String> = morphs.split(' ').map(str::to_owned).collect();
            assert_eq!(carry_over(word, &morphs), expected, "{word}");
        };
        check("walking", "walk ing", &[4]);
        check("happiness", "happy ness", &[5]);
        check("ingenuities", "ingenuity s", &[10]);
        check("enthrallments", "en thrall ment s", &[2, 8, 12]);
        check("ran", "run", &[]);
    }
}
