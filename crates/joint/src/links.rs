//! Arcs of a sentence as variables of a graph.

use arcs::{ArcScores, Marginals, Roots, best_projective, best_spanning};
use bp::structured::Trees;
use bp::{Evidence, Graph, Literal, Messages, Variable};
use tree::Heads;

use crate::Sentence;

/// What trees there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TreeShape {
    /// How many words may hang from the root.
    pub roots: Roots,
    /// Whether trees have no crossing arcs.
    pub projective: bool,
}

/// The trees of a shape over some arcs only.
#[derive(Clone, Copy)]
pub struct Within<'a> {
    /// The shape.
    pub shape: TreeShape,
    /// Whether a word (the second, from 1) may depend on another (the first, 0 for the root).
    pub allowed: &'a dyn Fn(usize, usize) -> bool,
}

/// A variable for each arc, by dependent, then by head.
#[derive(Debug, Default)]
pub(crate) struct Links {
    n_words: usize,
    pub(crate) arcs: Vec<(u32, u32)>,
    pub(crate) variables: Vec<Variable>,
}

impl Links {
    /// Variables for all arcs.
    pub(crate) fn new(n_words: usize, graph: &mut Graph) -> Links {
        let arcs = Trees::all_arcs(n_words);
        let variables = arcs.iter().map(|_| graph.boolean()).collect();
        Links { n_words, arcs, variables }
    }

    /// The variable of an arc, both words from 1; `None` if there can be no such arc.
    pub(crate) fn variable(&self, head: usize, word: usize) -> Option<Variable> {
        // Each word has n possible heads: all from 0 to n but itself.
        let is_there = head != word && head <= self.n_words && (1..=self.n_words).contains(&word);
        is_there.then(|| self.variables[(word - 1) * self.n_words + head - usize::from(head > word)])
    }

    /// The number of words.
    pub(crate) fn n_words(&self) -> usize {
        self.n_words
    }

    /// Only trees are possible.
    pub(crate) fn form_trees(&self, shape: TreeShape, graph: &mut Graph) {
        let literals: Vec<Literal> = self.variables.iter().map(|link| link.is(1)).collect();
        let arcs = self.arcs.clone();
        let trees = match shape.projective {
            true => Trees::projective(self.n_words, arcs, shape.roots),
            false => Trees::spanning(self.n_words, arcs, shape.roots),
        };
        graph.structured(trees, &literals);
    }

    /// The heads that a sentence has are known.
    pub(crate) fn know(&self, sentence: &Sentence, evidence: &mut Evidence) {
        for (&(head, word), link) in self.arcs.iter().zip(&self.variables) {
            if let Some(known) = sentence.head(word as usize) {
                evidence.set(link.is(usize::from(known == head as usize)));
            }
        }
    }

    /// Arcs that are not allowed are not there, and those that are the only ones of their word are.
    pub(crate) fn allow(&self, within: &Within<'_>, evidence: &mut Evidence) {
        let sole = within.sole_heads(self.n_words);
        for (&(head, word), link) in self.arcs.iter().zip(&self.variables) {
            let (head, word) = (head as usize, word as usize);
            match sole[word - 1] {
                Some(sole) => evidence.set(link.is(usize::from(sole == head))),
                None if !(within.allowed)(head, word) => evidence.set(link.is(0)),
                None => {}
            }
        }
    }

    /// How probable each arc is.
    pub(crate) fn marginals(&self, graph: &Graph, messages: &Messages) -> Marginals {
        let mut marginals = Marginals::zero(self.n_words);
        for (&(head, word), link) in self.arcs.iter().zip(&self.variables) {
            marginals.row_mut(word as usize)[head as usize] = messages.probability(graph, link.is(1));
        }
        marginals
    }
}

impl Within<'_> {
    /// For each word the only head that it may have, if there is only one.
    pub(crate) fn sole_heads(&self, n_words: usize) -> Vec<Option<usize>> {
        let sole = |word: usize| {
            let mut heads = (0..=n_words).filter(|&head| head != word && (self.allowed)(head, word));
            heads.next().filter(|_| heads.next().is_none())
        };
        (1..=n_words).map(sole).collect()
    }
}

/// The tree with the most expected arcs among those with the heads that are known.
pub(crate) fn best_tree(marginals: &Marginals, sentence: &Sentence, shape: TreeShape) -> Option<Heads> {
    let mut scores = ArcScores::new(marginals.n_words());
    for (head, word) in Trees::all_arcs(marginals.n_words()) {
        let (head, word) = (head as usize, word as usize);
        if sentence.head(word).is_none_or(|known| known == head) {
            scores.set(head, word, marginals.of(head, word));
        }
    }
    match shape.projective {
        true => best_projective(&scores, shape.roots),
        false => best_spanning(&scores, shape.roots),
    }
}
