//! What is left of a coarse forest after pruning.

mod laid;

pub use laid::{LeafVectors, PlainForest, RefinedForest, ScoredForest};

use forest::{Forest, Item, Spans, Splits, Tails};

use super::coarse::masked;
use super::{Allowed, CoarseForest, Leaves};
use crate::rules::{Category, Level};

/// The bundles between live items, stored: several refined grammars are laid over the same ones.
#[derive(Debug, Clone)]
pub struct PrunedForest {
    spans: Spans,
    root: Category,
    items: Vec<Item>,
    /// Place in `items` plus one; 0 for items that are not live.
    places: Vec<u32>,
    starts: Vec<u32>,
    bundles: Vec<StoredEdge>,
    /// How many edges lead into the items before each item.
    edge_starts: Vec<u32>,
}

#[derive(Debug, Clone, Copy)]
struct StoredEdge {
    rule: u32,
    /// The leaf of a lexical rule.
    leaf: u32,
    tails: Tails,
}

impl PrunedForest {
    /// Keeps the items for which `live` holds, and the bundles between them.
    pub fn new<A: Allowed>(forest: &CoarseForest<'_, A>, live: impl Fn(Item) -> bool) -> PrunedForest {
        let (rules, leaves, allowed, spans) = forest.parts();
        let items: Vec<Item> = forest.items().filter(|&item| live(item)).collect();
        let mut places = vec![0; spans.n_items()];
        (1..).zip(&items).for_each(|(place, item)| places[item.index()] = place);
        let mut pruned = PrunedForest {
            spans,
            root: rules.root(),
            items,
            places,
            starts: vec![0],
            bundles: Vec::new(),
            edge_starts: Vec::new(),
        };
        for at in 0..pruned.items.len() {
            let (category, start, end) = spans.locate(pruned.items[at]);
            let category = Category(category);
            if rules.info(category).level != Level::Inner {
                for (rule, unary) in rules.unary_of(category) {
                    let tail = spans.item(unary.tail.0, start, end);
                    if pruned.is_live(tail) && allowed.chain(rule, start, end) {
                        pruned.bundles.push(StoredEdge { rule, leaf: 0, tails: Tails::One(tail) });
                    }
                }
            } else if end - start == 1 {
                pruned.push_leaves(leaves, category, start);
            } else {
                for (rule, binary) in rules.binary_of(category) {
                    if allowed.is_free() {
                        pruned.push_splits(rule, spans.splits(binary.left.0, binary.right.0, start, end));
                    } else {
                        let runs = masked(allowed, binary, spans, start, end);
                        runs.for_each(|splits| pruned.push_splits(rule, splits));
                    }
                }
            }
            pruned.starts.push(pruned.bundles.len() as u32);
        }
        pruned.number_edges();
        pruned
    }

    /// What is left when more items go.
    pub fn retain(&self, live: impl Fn(Item) -> bool) -> PrunedForest {
        let mut pruned = PrunedForest {
            spans: self.spans,
            root: self.root,
            items: Vec::new(),
            places: vec![0; self.places.len()],
            starts: vec![0],
            bundles: Vec::new(),
            edge_starts: Vec::new(),
        };
        for &item in self.items.iter().filter(|&&item| live(item)) {
            pruned.items.push(item);
            pruned.places[item.index()] = pruned.items.len() as u32;
        }
        for at in 0..pruned.items.len() {
            for stored in self.stored(pruned.items[at]) {
                match stored.tails {
                    Tails::Two(splits) => pruned.push_splits(stored.rule, splits),
                    Tails::One(tail) if !pruned.is_live(tail) => {}
                    _ => pruned.bundles.push(*stored),
                }
            }
            pruned.starts.push(pruned.bundles.len() as u32);
        }
        pruned.number_edges();
        pruned
    }

    /// How many edges there are, a number for each split of each bundle, in the order of items and bundles.
    pub fn n_edges(&self) -> usize {
        self.edge_starts.last().map_or(0, |&n| n as usize)
    }

    /// Shows every edge with its number, its head and its rule.
    pub fn each_edge(&self, mut visit: impl FnMut(usize, Item, u32)) {
        let mut edge = 0;
        for &item in &self.items {
            for stored in self.stored(item) {
                for _ in 0..stored.tails.len() {
                    visit(edge, item, stored.rule);
                    edge += 1;
                }
            }
        }
    }

    /// The live items, bottom-up.
    pub fn live(&self) -> &[Item] {
        &self.items
    }

    fn number_edges(&mut self) {
        let mut n = 0;
        self.edge_starts = vec![0];
        for place in 0..self.items.len() {
            let bundles = &self.bundles[self.starts[place] as usize..self.starts[place + 1] as usize];
            n += bundles.iter().map(|stored| stored.tails.len()).sum::<u32>();
            self.edge_starts.push(n);
        }
    }

    /// The numbering of items.
    pub fn spans(&self) -> Spans {
        self.spans
    }

    /// How many items are live.
    pub fn n_live(&self) -> usize {
        self.items.len()
    }

    fn push_leaves(&mut self, leaves: &Leaves, category: Category, word: u32) {
        let (first, leaves) = leaves.of(word);
        for (leaf, found) in (first..).zip(leaves).filter(|(_, leaf)| leaf.tag == category) {
            self.bundles.push(StoredEdge { rule: found.rule, leaf, tails: Tails::Leaf });
        }
    }

    #[inline]
    fn push_splits(&mut self, rule: u32, splits: Splits) {
        if let Some(splits) = self.trim(splits) {
            self.bundles.push(StoredEdge { rule, leaf: 0, tails: Tails::Two(splits) });
        }
    }

    #[inline]
    fn is_live(&self, item: Item) -> bool {
        self.places[item.index()] != 0
    }

    /// From the first to the last split of which both sides are live.
    #[inline]
    fn trim(&self, splits: Splits) -> Option<Splits> {
        let both = |split: u32| {
            let (left, right) = splits.pair(split);
            self.is_live(left) && self.is_live(right)
        };
        let first = (0..splits.len).find(|&split| both(split))?;
        let last = (first..splits.len).rfind(|&split| both(split))?;
        let (left, right) = splits.pair(first);
        Some(Splits { left, right, len: last - first + 1, ..splits })
    }

    #[inline]
    fn stored(&self, head: Item) -> &[StoredEdge] {
        let place = self.places[head.index()] as usize;
        if place == 0 {
            return &[];
        }
        &self.bundles[self.starts[place - 1] as usize..self.starts[place] as usize]
    }
}
