//! How far annotations narrow down the trees of their sentences.

use score::commitment::{Measures, Nodes, measure};
use tree::PartialTree;

/// Sentences longer than this are not measured: counting their trees takes a determinant of that size.
const MOST_WORDS: usize = 150;

/// The figures of one sentence: by the trees that are allowed, and by the spanning trees of the allowed arcs, which are
/// an upper bound of them.
///
/// Words of which nothing is said are open and take part, unless a figure is of named words only. Those figures are as
/// the original measures program has them: a word that an annotation does not name is left out of the tree.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Committed {
    /// 0 not at all, 1 to a single tree.
    pub(crate) exact: f64,
    pub(crate) spanning: f64,
    pub(crate) named: f64,
    pub(crate) named_spanning: f64,
    /// The logarithm of the number of trees.
    pub(crate) ln_trees: f64,
    pub(crate) ln_spanning_trees: f64,
}

impl Committed {
    /// `None` if the sentence is empty or long, or if no tree is left.
    pub(crate) fn of(said: &PartialTree) -> Option<Self> {
        let is_plain = said.groups.is_empty() && said.forbidden.is_empty();
        let n_heads = said.arcs.len() + said.roots.len();
        match n_heads {
            _ if said.n_words == 0 => None,
            0 if is_plain && said.mentioned_words().is_empty() => Some(Self::silent(said.n_words)),
            _ if is_plain && has_all_heads(said) => {
                Some(Self { exact: 1.0, spanning: 1.0, named: 1.0, named_spanning: 1.0, ..Self::default() })
            }
            _ if said.n_words > MOST_WORDS => None,
            _ => Self::measured(&measure(said, &Nodes::All), &measure(said, &Nodes::Mentioned)),
        }
    }

    /// Nothing was said. A single word has a single tree, whatever is said of it.
    fn silent(n_words: usize) -> Self {
        // n^(n−2) trees of n nodes, the root among them.
        let n = (n_words + 1) as f64;
        let ln_trees = (n - 2.0) * n.ln();
        let whole = if n_words == 1 { 1.0 } else { 0.0 };
        Self { exact: whole, spanning: whole, ln_trees, ln_spanning_trees: ln_trees, ..Self::default() }
    }

    fn measured(all: &Measures, named: &Measures) -> Option<Self> {
        Some(Self {
            exact: all.commitment()?,
            spanning: all.spanning_commitment()?,
            named: named.commitment()?,
            named_spanning: named.spanning_commitment()?,
            ln_trees: all.promiscuity.trees.ln(),
            ln_spanning_trees: all.spanning_trees.ln(),
        })
    }
}

fn has_all_heads(said: &PartialTree) -> bool {
    let dependents = said.arcs.iter().map(|arc| arc.dependent);
    let mut headed: Vec<_> = dependents.chain(said.roots.iter().map(|&(node, _)| node)).collect();
    headed.sort_unstable();
    headed.dedup();
    headed.len() == said.n_words
}

/// Sums over sentences, and how many were measured.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Commitments {
    sums: Committed,
    n: usize,
}

impl Commitments {
    pub(crate) fn add(&mut self, said: &PartialTree) {
        self.add_measured(Committed::of(said));
    }

    /// The same of what was measured before.
    pub(crate) fn add_measured(&mut self, one: Option<Committed>) {
        let Some(one) = one else { return };
        self.n += 1;
        self.sums.exact += one.exact;
        self.sums.spanning += one.spanning;
        self.sums.named += one.named;
        self.sums.named_spanning += one.named_spanning;
        self.sums.ln_trees += one.ln_trees;
        self.sums.ln_spanning_trees += one.ln_spanning_trees;
    }

    /// A sum over sentences; `None` if none could be measured.
    pub(crate) fn sum(&self, of: fn(&Committed) -> f64) -> Option<f64> {
        (self.n > 0).then(|| of(&self.sums))
    }

    /// A mean over sentences; `None` if none could be measured.
    pub(crate) fn mean(&self, of: fn(&Committed) -> f64) -> Option<f64> {
        Some(self.sum(of)? / self.n as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tree::{Arc, Node, Place};

    /// Heads of some words, 0 for the root.
    fn said(n_words: usize, heads: &[(usize, usize)]) -> PartialTree {
        let mut said = PartialTree::new(n_words);
        let place = Place::default();
        for &(word, head) in heads {
            let dependent = Node::Word(word);
            match head {
                0 => said.roots.push((dependent, place)),
                _ => said.arcs.push(Arc { head: Node::Word(head), dependent, place }),
            }
        }
        said
    }

    #[test]
    fn words_that_are_left_open_leave_trees() {
        // Of the 16 trees of three words the arc leaves four.
        let one = Committed::of(&said(3, &[(1, 2)])).unwrap();
        assert!((one.ln_trees - 4f64.ln()).abs() < 1e-9, "{one:?}");
        assert!((one.exact - (1.0 - 4f64.ln() / 16f64.ln())).abs() < 1e-9, "{one:?}");
        assert_eq!((one.named, one.named_spanning), (1.0, 1.0));
    }

    #[test]
    fn silence_commits_to_nothing_and_a_whole_tree_to_everything() {
        let nothing = Committed::of(&said(3, &[])).unwrap();
        assert_eq!((nothing.exact, nothing.named), (0.0, 0.0));
        assert!((nothing.ln_trees - 16f64.ln()).abs() < 1e-9);
        let whole = Committed::of(&said(3, &[(1, 2), (2, 0), (3, 2)])).unwrap();
        assert_eq!((whole.exact, whole.named, whole.ln_trees), (1.0, 1.0, 0.0));
        assert_eq!(Committed::of(&said(0, &[])), None);
    }
}
