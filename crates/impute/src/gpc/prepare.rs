//! A sentence that is ready to be sampled.

use arcs::Roots;
use arcs::dmv::{DmvSentence, DmvWeights, Mask, RootWeights};
use tree::Possible;
use tree::{Constraints, Heads};

use super::draw::Drawer;
use super::vocabulary::Vocabulary;
use crate::Fragment;

/// The kept words of a sentence and the cases in which it has a projective tree.
#[derive(Debug, Clone)]
pub struct Prepared {
    /// Tags and heads of the kept words.
    pub sentence: DmvSentence,
    /// The words that are part of the tree, from 1.
    pub kept: Vec<usize>,
    /// How the root takes dependents.
    pub roots: RootWeights,
    pub(super) possible: Possible,
    /// Which of the cases have a projective tree.
    pub(super) cases: Vec<usize>,
}

impl Prepared {
    /// Finds the cases with a projective tree. An annotation with several roots is given them, even if the
    /// policy is one root.
    pub fn new(fragment: &Fragment, vocabulary: &Vocabulary, roots: Roots, drawer: &mut Drawer) -> Prepared {
        Prepared::without(fragment, vocabulary, roots, &[], drawer)
    }

    /// The same with some words put aside, as if they were not there.
    pub(super) fn without(
        fragment: &Fragment,
        vocabulary: &Vocabulary,
        roots: Roots,
        aside: &[usize],
        drawer: &mut Drawer,
    ) -> Prepared {
        let mut prepared = Prepared::unusable(fragment, vocabulary, roots);
        if !aside.is_empty() {
            prepared.kept.retain(|word| !aside.contains(word));
            prepared.sentence = vocabulary.encode(fragment, &prepared.kept);
        }
        prepared.find_cases(drawer);
        if prepared.cases.is_empty() && roots == Roots::One {
            prepared.roots = RootWeights::Free;
            prepared.find_cases(drawer);
        }
        prepared
    }

    /// The same without looking for trees: the sentence counts as one that has none.
    pub(super) fn unusable(fragment: &Fragment, vocabulary: &Vocabulary, roots: Roots) -> Prepared {
        let possible = fragment.possible.clone();
        let kept: Vec<usize> = (1..=fragment.len()).filter(|&word| !possible.left_out(word)).collect();
        let sentence = vocabulary.encode(fragment, &kept);
        let roots = match roots {
            Roots::One => RootWeights::One,
            Roots::Many => RootWeights::Many,
        };
        Prepared { sentence, kept, roots, possible, cases: Vec::new() }
    }

    /// Whether there is a projective tree.
    pub fn is_usable(&self) -> bool {
        !self.cases.is_empty()
    }

    /// The number of cases with a projective tree.
    pub fn n_cases(&self) -> usize {
        self.cases.len()
    }

    /// The number of words that are part of the tree.
    pub fn n_kept(&self) -> usize {
        self.kept.len()
    }

    /// The cases with a projective tree.
    pub fn usable_cases(&self) -> impl Iterator<Item = &Constraints> {
        self.cases.iter().map(|&at| &self.possible.cases()[at])
    }

    /// What may be built in a case, counted among those with a projective tree.
    pub(super) fn mask(&self, at: usize) -> Mask<'_> {
        if self.possible.is_free() {
            return Mask::Free;
        }
        Mask::Case(&self.possible.cases()[self.cases[at]], &self.kept)
    }

    /// The tree over all words; those left out hang from the root.
    pub fn spread(&self, heads: &[u32]) -> Heads {
        let mut all = vec![0; self.possible.n_words()];
        for (&word, &head) in self.kept.iter().zip(heads) {
            all[word - 1] = if head == 0 { 0 } else { self.kept[head as usize - 1] as u32 };
        }
        Heads::new(all).expect("a tree over some words is one over all")
    }

    fn find_cases(&mut self, drawer: &mut Drawer) {
        if self.possible.is_free() {
            self.cases = vec![0];
            return;
        }
        let weights = DmvWeights::even(self.n_kept(), self.roots);
        let cases = self.possible.cases().iter().enumerate();
        self.cases = cases
            .filter(|(_, case)| drawer.total(&weights, case, &self.kept) > f64::NEG_INFINITY)
            .map(|(at, _)| at)
            .collect();
        if !self.possible.is_exact() && !self.cases.is_empty() {
            // A chart that builds too much may build no admitted tree at all.
            let rng = &mut chain::Stream::new(0).rng();
            if drawer.draw_with(self, &weights, rng).is_none() {
                self.cases.clear();
            }
        }
    }
}
