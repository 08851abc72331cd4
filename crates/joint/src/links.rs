//! Arcs of a sentence as variables of a graph.

use arcs::{ArcScores, Marginals, Roots, best_projective, best_spanning};
use bp::structured::Trees;
use bp::{Evidence, Graph, Literal, Messages, Variable};
use tree::Heads;

use crate::Sentence;

/// What trees there are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TreeShape {
    pub(crate) roots: Roots,
    pub(crate) projective: bool,
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

    /// How probable each arc is.
    pub(crate) fn marginals(&self, graph: &Graph, messages: &Messages) -> Marginals {
        let mut marginals = Marginals::zero(self.n_words);
        for (&(head, word), link) in self.arcs.iter().zip(&self.variables) {
            marginals.row_mut(word as usize)[head as usize] = messages.probability(graph, link.is(1));
        }
        marginals
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
