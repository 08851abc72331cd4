//! Second-order trees as a forest of the general engine.

use std::ops::ControlFlow;

use forest::derive::KBest;
use forest::{Bundle, Forest, Item, Scaled, Splits, Tails, Visit};

use super::PartMarginals;
use super::live::Live;
use super::parts::Parts;
use super::tables::{Reference, Tables};
use crate::Roots;

/// What an item stands for, as in the chart.
#[derive(Debug, Clone, Copy)]
enum ItemKind {
    Right { arc: usize, end: usize },
    Left { arc: usize, end: usize },
    Inner { arc: usize, side: usize, place: usize },
    Between { x: usize, y: usize },
}

/// The chart as a packed forest: derivations are trees, one each. Rules name dependents and their heads.
struct SecondForest<'a> {
    live: &'a Live,
    scores: &'a Tables,
    reference: &'a Reference,
    roots: Roots,
    kinds: Vec<ItemKind>,
    /// The item of each place in a row, of each cell and of each pair.
    right: Vec<u32>,
    left: Vec<u32>,
    inner: Vec<u32>,
    between: Vec<u32>,
}

/// The rule of steps that add no arc.
const NO_ARC: u32 = u32::MAX;

/// Exponents are cut off here, so that no tree is lost to underflow.
const CLAMP: f64 = 700.0;

/// The heads, by position, of the `k` best trees.
pub(super) fn k_best(
    live: &Live,
    scores: &Tables,
    reference: &Reference,
    roots: Roots,
    k: usize,
) -> Vec<Vec<usize>> {
    let forest = SecondForest::new(live, scores, reference, roots);
    let heads = |derivation: forest::Derivation| {
        let mut heads = vec![0; live.width];
        for step in derivation.steps.iter().filter(|step| step.rule != NO_ARC) {
            let arc = &live.arcs[step.rule as usize];
            heads[arc.dependent] = arc.head;
        }
        heads
    };
    KBest::new(&forest).take(k).map(|(derivation, _)| heads(derivation)).collect()
}

/// ln Σ exp(score) relative to the reference, and the probability of every part.
///
/// The arc and the siblings of a bundle are told by the item it leads to and by the one it begins with.
pub(super) fn marginals(
    (live, scores, reference): (&Live, &Tables, &Reference),
    parts: &Parts,
    roots: Roots,
    out: &mut PartMarginals,
) -> f64 {
    let forest = SecondForest::new(live, scores, reference, roots);
    let (mut pairs, mut cells) = (vec![0.0; live.n_pairs()], vec![0.0; live.n_cells]);
    let inside = Scaled::inside(&forest);
    inside.outside().bundles(|item, bundle, posterior| {
        let (arc, side, outer) = match forest.kinds[item.index()] {
            ItemKind::Between { .. } => return,
            ItemKind::Right { arc, .. } => (arc, 1, None),
            ItemKind::Left { arc, .. } => (arc, 0, None),
            ItemKind::Inner { arc, side, place } => (arc, side, Some(place)),
        };
        let group = 2 * live.arcs[arc].dependent + side;
        let row = live.pairs(group, outer.unwrap_or(live.children(group).len()));
        pairs[row.start + forest.inner_of(&bundle.tails).map_or(0, |place| place + 1)] += posterior;
        if let Some(place) = outer {
            cells[live.arcs[arc].cells(side).start + place] += posterior;
        }
    });
    spread(live, parts, &pairs, &cells, out);
    inside.ln_total()
}

/// Parts that come as pairs and as cells.
fn spread(live: &Live, parts: &Parts, pairs: &[f64], cells: &[f64], out: &mut PartMarginals) {
    out.reset(parts);
    for group in 1..2 * live.width {
        let children = live.children(group);
        for place in 0..=children.len() {
            let row = &pairs[live.pairs(group, place)];
            for (pair, part) in row.iter().zip(live.sibling_parts(parts, group, place)) {
                out.siblings[part] = *pair;
            }
            if let Some(child) = children.get(place) {
                out.arcs[live.arcs[child.arc].part] = row.iter().sum();
            }
        }
    }
    for (arc, side) in (1..live.arcs.len()).flat_map(|arc| [(arc, 0), (arc, 1)]) {
        let cells = &cells[live.arcs[arc].cells(side)];
        for (cell, part) in cells.iter().zip(live.grandparent_parts(parts, arc, side)) {
            out.grandparents[part] = *cell;
        }
    }
}

impl<'a> SecondForest<'a> {
    fn new(live: &'a Live, scores: &'a Tables, reference: &'a Reference, roots: Roots) -> Self {
        let mut forest = SecondForest {
            live,
            scores,
            reference,
            roots,
            kinds: Vec::new(),
            right: vec![0; live.n_right],
            left: vec![0; live.n_left],
            inner: vec![0; live.n_cells],
            between: vec![0; live.n_pairs()],
        };
        for position in (0..live.width).rev() {
            forest.number_right(position);
            if position > 0 {
                forest.number_left(position);
            }
        }
        forest
    }

    /// Items in the order in which the chart fills them in.
    fn number_right(&mut self, position: usize) {
        let live = self.live;
        let group = 2 * position + 1;
        for place in 0..live.children(group).len() {
            self.number_pairs(group, place);
        }
        for arc in live.into(position) {
            for (place, cell) in live.arcs[arc].cells(1).enumerate() {
                self.inner[cell] = self.push(ItemKind::Inner { arc, side: 1, place });
            }
            for end in position..=live.arcs[arc].last {
                self.right[live.arcs[arc].right_at(end)] = self.push(ItemKind::Right { arc, end });
            }
        }
    }

    fn number_left(&mut self, position: usize) {
        let live = self.live;
        for number in live.into(position) {
            let (head, place) = (live.arcs[number].head, live.arcs[number].place);
            if head < position {
                continue;
            }
            self.number_pairs(2 * head, place);
            for arc in live.into(head) {
                if place < live.arcs[arc].cells(0).len() {
                    let cell = live.arcs[arc].cells(0).start + place;
                    self.inner[cell] = self.push(ItemKind::Inner { arc, side: 0, place });
                }
            }
        }
        for head in position..live.width {
            for arc in live.into(head) {
                if live.arcs[arc].first <= position {
                    let item = self.push(ItemKind::Left { arc, end: position });
                    self.left[live.arcs[arc].left_at(position)] = item;
                }
            }
        }
    }

    fn number_pairs(&mut self, group: usize, place: usize) {
        let start = self.live.pairs(group, place).start + 1;
        for inner in 0..place {
            let (x, y) = self.live.ordered(group, inner, place);
            self.between[start + inner] = self.push(ItemKind::Between { x, y });
        }
    }

    fn push(&mut self, kind: ItemKind) -> u32 {
        self.kinds.push(kind);
        (self.kinds.len() - 1) as u32
    }

    /// The place of the inner one of two siblings, by the items below them.
    fn inner_of(&self, tails: &Tails) -> Option<usize> {
        match tails {
            Tails::Two(splits) => match self.kinds[splits.left.index()] {
                ItemKind::Inner { place, .. } => Some(place),
                _ => None,
            },
            _ => None,
        }
    }

    /// The bundles into a row at a position: one for each last dependent.
    fn row(&self, arc: usize, side: usize, end: usize, visit: &mut impl Visit<f64>) -> ControlFlow<()> {
        let above = &self.live.arcs[arc];
        let group = 2 * above.dependent + side;
        let children = self.live.children(group);
        let stops = self.live.pairs(group, children.len());
        let stop = |at: usize| relative(self.scores.lead[stops.start + at], self.reference.stop[group]);
        if end == above.dependent {
            return bundle(visit, NO_ARC, stop(0), Tails::Leaf);
        }
        for (place, (cell, child)) in above.cells(side).zip(children).enumerate() {
            let below = &self.live.arcs[child.arc];
            let rest = match side {
                1 if child.position <= end && end <= below.last => self.right[below.right_at(end)],
                0 if child.position >= end && end >= below.first => self.left[below.left_at(end)],
                _ => continue,
            };
            bundle(visit, NO_ARC, stop(place + 1), two(self.inner[cell], rest))?;
        }
        ControlFlow::Continue(())
    }

    /// The bundles into a cell: one for each dependent before the last.
    fn inner(&self, arc: usize, side: usize, place: usize, visit: &mut impl Visit<f64>) -> ControlFlow<()> {
        let live = self.live;
        let above = &live.arcs[arc];
        let group = 2 * above.dependent + side;
        let (cells, pairs, child) =
            (above.cells(side), live.pairs(group, place), live.children(group)[place]);
        let grand = self.scores.grand[cells.start + place];
        let reference = self.reference.lead[child.position] + self.reference.grand[child.position];
        let weight = |at: usize| relative(self.scores.lead[pairs.start + at] + grand, reference);
        if let Some((below, position)) = live.innermost(group, place) {
            let row = match side {
                1 => self.left[live.arcs[below].left_at(position)],
                _ => self.right[live.arcs[below].right_at(position)],
            };
            bundle(visit, child.arc as u32, weight(0), Tails::One(Item(row)))?;
        }
        if above.dependent == 0 && self.roots == Roots::One {
            return ControlFlow::Continue(());
        }
        for inner in 0..place {
            let tails = two(self.inner[cells.start + inner], self.between[pairs.start + 1 + inner]);
            bundle(visit, child.arc as u32, weight(inner + 1), tails)?;
        }
        ControlFlow::Continue(())
    }
}

impl Forest for SecondForest<'_> {
    type Weight = f64;

    fn n_items(&self) -> usize {
        self.kinds.len()
    }

    fn goal(&self) -> Item {
        let root = &self.live.arcs[0];
        Item(self.right[root.right_at(root.last)])
    }

    fn bundles_into(&self, head: Item, mut visit: impl Visit<f64>) -> ControlFlow<()> {
        match self.kinds[head.index()] {
            ItemKind::Right { arc, end } => self.row(arc, 1, end, &mut visit),
            ItemKind::Left { arc, end } => self.row(arc, 0, end, &mut visit),
            ItemKind::Inner { arc, side, place } => self.inner(arc, side, place, &mut visit),
            ItemKind::Between { x, y } => {
                let (_, right, left) = self.live.between(x, y);
                right.zip(left).try_for_each(|(right, left)| {
                    bundle(&mut visit, NO_ARC, Some(1.0), two(self.right[right], self.left[left]))
                })
            }
        }
    }
}

/// exp(score − reference); `None` if the score is absent.
fn relative(score: f64, reference: f64) -> Option<f64> {
    (score > f64::NEG_INFINITY).then(|| libm::exp((score - reference).clamp(-CLAMP, CLAMP)))
}

/// Shows a bundle, if it has a weight.
fn bundle(visit: &mut impl Visit<f64>, rule: u32, weight: Option<f64>, tails: Tails) -> ControlFlow<()> {
    weight.map_or(ControlFlow::Continue(()), |weight| visit(Bundle { rule, weight, tails }))
}

/// Two items and one split.
fn two(left: u32, right: u32) -> Tails {
    Tails::Two(Splits { left: Item(left), left_step: 0, right: Item(right), right_step: 0, len: 1 })
}
