//! Every edge of the coarse grammar that the constraints allow.

use std::ops::ControlFlow;

use forest::{Bundle, Forest, Item, Spans, Splits, Stretch, Tails, Visit, spans::runs};

use super::{Allowed, Leaves, fits};
use crate::rules::{Binary, Category, Level, Rules};

/// The coarse grammar over a sentence; a weight per rule, lexical ones included.
#[derive(Debug)]
pub struct CoarseForest<'a, A> {
    rules: &'a Rules,
    weights: &'a [f64],
    leaves: &'a Leaves,
    allowed: &'a A,
    spans: Spans,
    /// The allowed items, bottom-up.
    items: Vec<Item>,
}

impl<'a, A: Allowed> CoarseForest<'a, A> {
    /// Lays the grammar over the leaves.
    pub fn new(
        rules: &'a Rules,
        weights: &'a [f64],
        leaves: &'a Leaves,
        allowed: &'a A,
        spans: Spans,
    ) -> CoarseForest<'a, A> {
        let can_expand: Vec<bool> = (0..rules.n_categories() as u32)
            .map(|at| {
                rules.info(Category(at)).level != Level::Inner
                    || rules.binary_of(Category(at)).next().is_some()
            })
            .collect();
        let mut items = Vec::new();
        for (start, end) in spans.cells() {
            if !allowed.span(start, end) {
                continue;
            }
            let width = end - start;
            for category in (0..spans.n_symbols()).map(Category) {
                let possible = width == 1 || can_expand[category.index()];
                if possible && fits(rules, category, width, spans.n_words()) {
                    items.push(spans.item(category.0, start, end));
                }
            }
        }
        CoarseForest { rules, weights, leaves, allowed, spans, items }
    }
}

impl<A: Allowed> Forest for CoarseForest<'_, A> {
    type Weight = f64;

    fn n_items(&self) -> usize {
        self.spans.n_items()
    }

    fn goal(&self) -> Item {
        self.spans.item(self.rules.root().0, 0, self.spans.n_words())
    }

    #[inline]
    fn bundles_into(&self, head: Item, mut visit: impl Visit<f64>) -> ControlFlow<()> {
        let (category, start, end) = self.spans.locate(head);
        let category = Category(category);
        if self.rules.info(category).level != Level::Inner {
            for (rule, unary) in self.rules.unary_of(category) {
                if !self.allowed.chain(rule, start, end) {
                    continue;
                }
                let tail = self.spans.item(unary.tail.0, start, end);
                visit(Bundle { rule, weight: self.weights[rule as usize], tails: Tails::One(tail) })?;
            }
        } else if end - start == 1 {
            for leaf in self.leaves.of(start).1.iter().filter(|leaf| leaf.tag == category) {
                let weight = self.weights[leaf.rule as usize] * leaf.factor;
                visit(Bundle { rule: leaf.rule, weight, tails: Tails::Leaf })?;
            }
        } else if !self.allowed.is_free() {
            for (rule, binary) in self.rules.binary_of(category) {
                for splits in masked(self.allowed, binary, self.spans, start, end) {
                    visit(Bundle { rule, weight: self.weights[rule as usize], tails: Tails::Two(splits) })?;
                }
            }
        } else {
            for (rule, binary) in self.rules.binary_of(category) {
                let splits = self.spans.splits(binary.left.0, binary.right.0, start, end);
                visit(Bundle { rule, weight: self.weights[rule as usize], tails: Tails::Two(splits) })?;
            }
        }
        ControlFlow::Continue(())
    }

    fn items(&self) -> impl DoubleEndedIterator<Item = Item> {
        self.items.iter().copied()
    }

    fn stretch(&self, item: Item) -> Stretch {
        self.spans.stretch(item)
    }

    /// So that splits of which a side has no value cost nothing.
    fn spans(&self) -> Option<Spans> {
        Some(self.spans)
    }
}

/// The splits of a rule of which both parts are allowed, in runs.
pub(super) fn masked<A: Allowed>(
    allowed: &A,
    rule: &Binary,
    spans: Spans,
    start: u32,
    end: u32,
) -> impl Iterator<Item = Splits> + use<A> {
    let split = |at: u32| {
        allowed.span(start, at)
            && allowed.span(at, end)
            && allowed.part(rule.left, start, at)
            && allowed.part(rule.right, at, end)
    };
    let parts = (rule.left.0, rule.right.0);
    runs(start + 1..end, split).into_iter().map(move |run| spans.splits_at(parts, (start, end), run, 1))
}

impl<A> CoarseForest<'_, A> {
    pub(super) fn parts(&self) -> (&Rules, &Leaves, &A, Spans) {
        (self.rules, self.leaves, self.allowed, self.spans)
    }
}
