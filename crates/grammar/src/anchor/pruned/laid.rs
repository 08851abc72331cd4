//! Weights laid over a pruned forest: a refined grammar's, a plain one's, or one for each edge.

use std::ops::ControlFlow;

use forest::substates::Refined;
use forest::{Bundle, Forest, Item, Spans, Splits, Stretch, Tails, Visit};

use super::super::Leaves;
use super::{PrunedForest, StoredEdge};
use crate::rules::Category;
use crate::tensors::{Sizes, Tensors};

/// The items of the pruned forest, which all weights have in common.
macro_rules! items_of_pruned {
    () => {
        fn n_items(&self) -> usize {
            self.pruned.spans.n_items()
        }

        fn goal(&self) -> Item {
            self.pruned.spans.item(self.pruned.root.0, 0, self.pruned.spans.n_words())
        }

        fn items(&self) -> impl DoubleEndedIterator<Item = Item> {
            self.pruned.items.iter().copied()
        }

        fn stretch(&self, item: Item) -> Stretch {
            self.pruned.spans.stretch(item)
        }
    };
}

/// The vectors of a sentence's leaves under one refined grammar.
#[derive(Debug, Clone, Default)]
pub struct LeafVectors {
    values: Vec<f64>,
    starts: Vec<u32>,
}

impl LeafVectors {
    /// factor · P(emission | `T[x]`) for every leaf.
    pub fn fill(&mut self, leaves: &Leaves, tensors: &Tensors) {
        self.values.clear();
        self.starts.clear();
        self.starts.push(0);
        for leaf in leaves.all() {
            self.values.extend(tensors.of(leaf.rule).iter().map(|value| value * leaf.factor));
            self.starts.push(self.values.len() as u32);
        }
    }

    #[inline]
    fn of(&self, leaf: u32) -> &[f64] {
        &self.values[self.starts[leaf as usize] as usize..self.starts[leaf as usize + 1] as usize]
    }
}

/// A refined grammar over a pruned forest.
#[derive(Debug, Clone, Copy)]
pub struct RefinedForest<'g> {
    pruned: &'g PrunedForest,
    tensors: &'g Tensors,
    leaves: &'g LeafVectors,
    sizes: &'g Sizes,
}

impl<'g> RefinedForest<'g> {
    /// Lays tensors over a pruned forest; `leaves` must be filled from the same tensors.
    pub fn new(
        pruned: &'g PrunedForest,
        tensors: &'g Tensors,
        leaves: &'g LeafVectors,
        sizes: &'g Sizes,
    ) -> RefinedForest<'g> {
        RefinedForest { pruned, tensors, leaves, sizes }
    }

    /// The bundle with this number among those into an item: the same for every grammar over one forest.
    pub fn bundle(&self, head: Item, number: usize) -> Option<Bundle<&'g [f64]>> {
        self.pruned.stored(head).get(number).map(|stored| self.weigh(stored))
    }

    #[inline]
    fn weigh(&self, stored: &StoredEdge) -> Bundle<&'g [f64]> {
        let weight = match stored.tails {
            Tails::Leaf => self.leaves.of(stored.leaf),
            _ => self.tensors.of(stored.rule),
        };
        Bundle { rule: stored.rule, weight, tails: stored.tails }
    }
}

impl<'g> Forest for RefinedForest<'g> {
    type Weight = &'g [f64];

    items_of_pruned!();

    #[inline]
    fn bundles_into(&self, head: Item, mut visit: impl Visit<&'g [f64]>) -> ControlFlow<()> {
        for stored in self.pruned.stored(head) {
            visit(self.weigh(stored))?;
        }
        ControlFlow::Continue(())
    }
}

impl<'g> Refined<'g> for RefinedForest<'g> {
    fn n_substates(&self, item: Item) -> usize {
        self.sizes.of(Category(self.pruned.spans.locate(item).0))
    }

    fn root(&self) -> &[f64] {
        &[1.0]
    }
}

/// A pruned forest whose edges have weights of their own, such as posteriors.
#[derive(Debug, Clone, Copy)]
pub struct ScoredForest<'a> {
    pruned: &'a PrunedForest,
    weights: &'a [f64],
}

impl<'a> ScoredForest<'a> {
    /// A weight for each edge, as [`PrunedForest::each_edge`] numbers them.
    pub fn new(pruned: &'a PrunedForest, weights: &'a [f64]) -> ScoredForest<'a> {
        ScoredForest { pruned, weights }
    }
}

impl Forest for ScoredForest<'_> {
    type Weight = f64;

    items_of_pruned!();

    fn bundles_into(&self, head: Item, mut visit: impl Visit<f64>) -> ControlFlow<()> {
        let place = self.pruned.places[head.index()] as usize;
        if place == 0 {
            return ControlFlow::Continue(());
        }
        let mut edge = self.pruned.edge_starts[place - 1] as usize;
        for stored in self.pruned.stored(head) {
            let rule = stored.rule;
            if let Tails::Two(splits) = stored.tails {
                for split in 0..splits.len {
                    let (left, right) = splits.pair(split);
                    let weight = self.weights[edge];
                    edge += 1;
                    // A split of which a side is not live weighs nothing; leaving it out saves the search.
                    if weight > 0.0 {
                        let tails = Tails::Two(Splits { left, right, len: 1, ..splits });
                        visit(Bundle { rule, weight, tails })?;
                    }
                }
            } else {
                let weight = self.weights[edge];
                edge += 1;
                visit(Bundle { rule, weight, tails: stored.tails })?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// A grammar of one annotation each over a pruned forest, in plain numbers.
///
/// The same forest as [`RefinedForest`] with vectors of length one, for the faster engine.
#[derive(Debug, Clone, Copy)]
pub struct PlainForest<'g> {
    pruned: &'g PrunedForest,
    tensors: &'g Tensors,
    leaves: &'g Leaves,
}

impl<'g> PlainForest<'g> {
    /// Lays the first number of each tensor over a pruned forest.
    pub fn new(pruned: &'g PrunedForest, tensors: &'g Tensors, leaves: &'g Leaves) -> PlainForest<'g> {
        PlainForest { pruned, tensors, leaves }
    }
}

impl Forest for PlainForest<'_> {
    type Weight = f64;

    items_of_pruned!();

    #[inline]
    fn bundles_into(&self, head: Item, mut visit: impl Visit<f64>) -> ControlFlow<()> {
        for stored in self.pruned.stored(head) {
            let mut weight = self.tensors.of(stored.rule)[0];
            if stored.tails == Tails::Leaf {
                weight *= self.leaves.all()[stored.leaf as usize].factor;
            }
            visit(Bundle { rule: stored.rule, weight, tails: stored.tails })?;
        }
        ControlFlow::Continue(())
    }

    fn spans(&self) -> Option<Spans> {
        Some(self.pruned.spans)
    }
}
