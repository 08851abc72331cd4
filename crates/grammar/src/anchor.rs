//! A grammar laid over a sentence: first coarse and whole, then refined and pruned.
//!
//! This is the only place where constraints become absent edges.

mod coarse;
mod constraint;
mod pruned;

pub use coarse::CoarseForest;
pub use constraint::{Brackets, ConstraintError, Required};
pub use pruned::{LeafVectors, PlainForest, PrunedForest, RefinedForest, ScoredForest};

use forest::Spans;

use crate::lexicon::Reading;
use crate::rules::{Category, Level, Rules};

/// What may stand over each span of a sentence.
pub trait Allowed: Sync {
    /// Whether nothing is forbidden, so that nobody need ask.
    fn is_free(&self) -> bool {
        true
    }

    /// Whether anything may stand over `start..end`.
    fn span(&self, start: u32, end: u32) -> bool {
        let _ = (start, end);
        true
    }

    /// Whether a word may have this tag.
    fn tag(&self, tag: Category, word: u32) -> bool {
        let _ = (tag, word);
        true
    }

    /// Whether a part of a binary rule may have this category and cover `start..end`.
    fn part(&self, category: Category, start: u32, end: u32) -> bool {
        let _ = (category, start, end);
        true
    }

    /// Whether a unary rule may be used over `start..end`.
    fn chain(&self, rule: u32, start: u32, end: u32) -> bool {
        let _ = (rule, start, end);
        true
    }
}

/// No constraints.
#[derive(Debug, Clone, Copy, Default)]
pub struct Anything;

impl Allowed for Anything {}

/// The numbering of a sentence's chart; `None` if the sentence is empty or too long for it.
pub fn spans(rules: &Rules, n_words: usize) -> Option<Spans> {
    let n_words = u32::try_from(n_words).ok().filter(|&n| n > 0)?;
    Spans::new(n_words, rules.n_categories() as u32)
}

/// A leaf: a lexical rule over a word.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Leaf {
    /// The lexical rule.
    pub rule: u32,
    /// Its tag.
    pub tag: Category,
    /// P(w | class, T).
    pub factor: f64,
}

/// The leaves of a sentence, by word.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Leaves {
    leaves: Vec<Leaf>,
    starts: Vec<u32>,
}

impl Leaves {
    /// Those of the readings that are allowed over their word.
    pub fn new(readings: &[Reading], allowed: &impl Allowed) -> Leaves {
        let mut leaves = Leaves { leaves: Vec::new(), starts: vec![0] };
        for (at, reading) in (0u32..).zip(readings) {
            let kept = reading.tags.iter().filter(|(_, tag, _)| allowed.tag(*tag, at));
            leaves.leaves.extend(kept.map(|&(rule, tag, factor)| Leaf { rule, tag, factor }));
            leaves.starts.push(leaves.leaves.len() as u32);
        }
        leaves
    }

    /// All leaves, word after word.
    pub fn all(&self) -> &[Leaf] {
        &self.leaves
    }

    /// The leaves of a word and the number of the first of them.
    #[inline]
    pub fn of(&self, word: u32) -> (u32, &[Leaf]) {
        let (start, end) = (self.starts[word as usize], self.starts[word as usize + 1]);
        (start, &self.leaves[start as usize..end as usize])
    }

    /// How many words there are.
    pub fn n_words(&self) -> usize {
        self.starts.len() - 1
    }
}

/// Whether a category can be built over a span of this width at all.
#[inline]
fn fits(rules: &Rules, category: Category, width: u32, n_words: u32) -> bool {
    rules.info(category).level != Level::Root || width == n_words
}
