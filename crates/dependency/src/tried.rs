//! Text with trees that a parser is tried on.

use chain::Workers;
use tree::Possible;
use tree::Sentence;

use super::attributes::Attributes;
use super::options::DependencyOptions;
use super::scorer::{Decode, Scorer};
use super::second_order::SecondOrderScratch;

/// A sentence to try the parser on.
#[derive(Debug, Clone)]
pub(super) struct Tried {
    pub(super) words: Attributes,
    pub(super) heads: Vec<Option<usize>>,
}

impl Tried {
    /// A sentence whose heads stand in it.
    pub(super) fn new(sentence: &Sentence, options: &DependencyOptions) -> Tried {
        let heads = sentence.partial_heads().into_iter().map(|head| head.map(|head| head as usize));
        Tried { words: Attributes::new(sentence, options), heads: heads.collect() }
    }
}

/// The share of known heads that are found.
pub(super) fn accuracy(scorer: &Scorer<'_>, dev: &[Tried], workers: &Workers) -> f64 {
    let counts = workers.map_with(dev, SecondOrderScratch::default, |scratch, _, tried| {
        let heads = scorer
            .believe(&tried.words, None, scratch)
            .and_then(|belief| scorer.decode(&belief, None, Decode::Mbr, scratch));
        let known = tried.heads.iter().enumerate().filter_map(|(at, head)| Some((at + 1, (*head)?)));
        let known: Vec<(usize, usize)> = known.collect();
        let right =
            heads.map_or(0, |heads| known.iter().filter(|&&(word, head)| heads.head(word) == head).count());
        (right, known.len())
    });
    let (right, all) = counts.into_iter().fold((0, 0), |sum, count| (sum.0 + count.0, sum.1 + count.1));
    right as f64 / (all as f64).max(1.0)
}

/// Whether the number of epochs may be chosen by these sentences: heads that were left open are seldom left open by chance, and
/// if they are, those that are known are few. All epochs are a better choice then.
pub(super) fn is_mostly_known(dev: &[Tried]) -> bool {
    let heads = || dev.iter().flat_map(|tried| &tried.heads);
    4 * heads().flatten().count() >= 3 * heads().count()
}

/// The heads that are known, word by word.
pub(super) fn known_heads(possible: &Possible) -> Vec<Option<usize>> {
    (1..=possible.n_words()).map(|word| possible.whole().required_head(word)).collect()
}
