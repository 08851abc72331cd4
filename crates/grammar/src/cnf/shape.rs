//! How the events of the grammar are numbered.

use serde::{Deserialize, Serialize};

/// What preterminals stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Emission {
    /// Each emits every word, with probabilities of its own.
    Free {
        /// The number of preterminals.
        preterminals: usize,
        /// The number of words.
        words: usize,
    },
    /// Each is a tag, and sentences are strings of tags.
    Tags(usize),
}

/// Numbers events: those of the root, then rules by parent, left and right child, then what preterminals emit.
///
/// Labels are nonterminals, `0..n_nonterminals`, and after them preterminals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CnfShape {
    n_nonterminals: usize,
    emission: Emission,
}

impl CnfShape {
    /// So many nonterminals over such preterminals.
    pub fn new(n_nonterminals: usize, emission: Emission) -> CnfShape {
        CnfShape { n_nonterminals, emission }
    }

    /// The number of nonterminals.
    pub fn n_nonterminals(&self) -> usize {
        self.n_nonterminals
    }

    /// The number of preterminals.
    pub fn n_preterminals(&self) -> usize {
        match self.emission {
            Emission::Free { preterminals, .. } => preterminals,
            Emission::Tags(n_tags) => n_tags,
        }
    }

    /// The number of nonterminals and preterminals.
    pub fn n_labels(&self) -> usize {
        self.n_nonterminals + self.n_preterminals()
    }

    /// What preterminals stand for.
    pub fn emission(&self) -> Emission {
        self.emission
    }

    /// The number of events.
    pub fn len(&self) -> usize {
        self.rows().sum()
    }

    /// Whether there are no events.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The root takes a label; a preterminal makes a sentence of one word.
    #[inline]
    pub fn root(&self, label: usize) -> usize {
        label
    }

    /// A nonterminal becomes two labels.
    #[inline]
    pub fn rule(&self, parent: usize, left: usize, right: usize) -> usize {
        let n_labels = self.n_labels();
        n_labels + (parent * n_labels + left) * n_labels + right
    }

    /// A preterminal becomes a word; `None` where it is a tag, which is no event.
    #[inline]
    pub fn emit(&self, label: usize, word: u32) -> Option<usize> {
        match self.emission {
            Emission::Free { words, .. } => {
                let row = self.rule(self.n_nonterminals, 0, 0) + (label - self.n_nonterminals) * words;
                Some(row + word as usize)
            }
            Emission::Tags(_) => None,
        }
    }

    /// The labels that may stand above a word.
    pub fn preterminals_of(&self, word: u32) -> std::ops::Range<usize> {
        match self.emission {
            Emission::Free { .. } => self.n_nonterminals..self.n_labels(),
            Emission::Tags(_) => self.n_nonterminals + word as usize..self.n_nonterminals + word as usize + 1,
        }
    }

    /// How many events each distribution is over: the root, then nonterminals, then preterminals that emit.
    pub fn rows(&self) -> impl Iterator<Item = usize> + use<> {
        let n_labels = self.n_labels();
        let rules = std::iter::repeat_n(n_labels * n_labels, self.n_nonterminals);
        let emissions = match self.emission {
            Emission::Free { preterminals, words } => std::iter::repeat_n(words, preterminals),
            Emission::Tags(_) => std::iter::repeat_n(0, 0),
        };
        std::iter::once(n_labels).chain(rules).chain(emissions)
    }
}
