//! Outside vectors, posteriors and expected counts.

use super::chart::{Scratch, Sum, VectorPlace, add, fits};
use super::kernel::{contract_with, dot, weighted_rows};
use super::lanes::Portable;
use super::share::{HandOne, HandTwo, Scale};
use super::{Chart, Refined};
use crate::forest::each_bundle;
use crate::scale::normaliser;
use crate::{Bundle, Item, Tails};

/// Where expected counts go: a buffer per rule, of the size of its tensor.
pub trait Counts {
    /// The buffer of a rule, or `None` if the rule is not counted.
    fn of(&mut self, rule: u32) -> Option<&mut [f64]>;
}

impl Counts for Vec<Vec<f64>> {
    fn of(&mut self, rule: u32) -> Option<&mut [f64]> {
        self.get_mut(rule as usize).map(Vec::as_mut_slice)
    }
}

/// Inside and outside together, summed over or split by substates.
///
/// The buffers can be had back with [`Posteriors::recycle`] for the next sentence.
#[derive(Debug)]
pub struct Posteriors<'c> {
    inside: &'c Chart<Sum>,
    buffers: Buffers,
    scale: Scale,
}

/// The memory of an outside pass, kept from one sentence to the next.
#[derive(Debug, Clone, Default)]
pub struct Buffers {
    pub(super) values: Vec<f64>,
    /// The power of two of the vector at each place; `None` while it is zero.
    pub(super) exponents: Vec<Option<i32>>,
    pub(super) scratch: Scratch,
    pub(super) above: Vec<f64>,
    pub(super) matrix: Vec<f64>,
    pub(super) term: Vec<f64>,
    pub(super) right_term: Vec<f64>,
}

impl<'c> Posteriors<'c> {
    /// Works out the outside vectors; `inside` must be filled from the same forest.
    pub fn new<'g>(forest: &impl Refined<'g>, inside: &'c Chart<Sum>) -> Posteriors<'c> {
        Posteriors::with_buffers(forest, inside, Buffers::default())
    }

    /// The same, in the memory of an earlier sentence.
    pub fn with_buffers<'g>(
        forest: &impl Refined<'g>,
        inside: &'c Chart<Sum>,
        buffers: Buffers,
    ) -> Posteriors<'c> {
        Posteriors::walk(forest, inside, buffers, None)
    }

    /// The same, and the posterior of every edge in the same walk; replaces what `edges` held.
    ///
    /// The posteriors stand in the order in which the forest shows its edges: by item, by bundle, by split.
    /// They are those of [`Posteriors::edges`], for a third of the work.
    pub fn with_edges<'g>(
        forest: &impl Refined<'g>,
        inside: &'c Chart<Sum>,
        buffers: Buffers,
        edges: &mut Vec<f64>,
    ) -> Posteriors<'c> {
        edges.clear();
        edges.resize(inside.edges_before().last().copied().unwrap_or(0), 0.0);
        Posteriors::walk(forest, inside, buffers, Some(edges))
    }

    fn walk<'g>(
        forest: &impl Refined<'g>,
        inside: &'c Chart<Sum>,
        mut buffers: Buffers,
        mut edges: Option<&mut Vec<f64>>,
    ) -> Posteriors<'c> {
        buffers.begin(forest, inside);
        let scale = Scale::new(inside);
        for (head, &first) in forest.items().rev().zip(inside.edges_before().iter().rev().skip(1)) {
            let Some(at) = buffers.take_above(inside, head) else { continue };
            let mut end = first;
            each_bundle(forest, head, |bundle| {
                let start = end;
                end += bundle.tails.len() as usize;
                let edges = edges.as_deref_mut().and_then(|edges| edges.get_mut(start..end));
                buffers.hand_down(inside, &bundle, at, edges.map(|edges| (edges, scale)));
            });
        }
        Posteriors { inside, buffers, scale }
    }

    /// Gives the memory back.
    pub fn recycle(self) -> Buffers {
        self.buffers
    }

    /// The posterior of an item, summed over its substates.
    pub fn item(&self, item: Item) -> f64 {
        let place = self.inside.place(item);
        let Some(exponent) = self.exponent(item) else { return 0.0 };
        let outside = &self.buffers.values[range(place)];
        dot::<Sum, _>(Portable, self.inside.at(place), outside) * self.scale.factor(place.exponent + exponent)
    }

    /// The posterior of every item.
    pub fn items(&self) -> Vec<f64> {
        (0..self.inside.n_items() as u32).map(|item| self.item(Item(item))).collect()
    }

    /// Adds the posterior of each substate of an item to `sums`; with the goal, the counts for π.
    pub fn add_substates(&self, item: Item, sums: &mut [f64]) {
        let place = self.inside.place(item);
        let Some(exponent) = self.exponent(item) else { return };
        let factor = self.scale.factor(place.exponent + exponent);
        let outside = &self.buffers.values[range(place)];
        for ((sum, inside), outside) in sums.iter_mut().zip(self.inside.at(place)).zip(outside) {
            *sum += inside * outside * factor;
        }
    }

    /// Adds the expected number of uses of each (rule, x, y, z) to the rule's buffer.
    pub fn add_counts<'g>(&mut self, forest: &impl Refined<'g>, counts: &mut impl Counts) {
        let Posteriors { inside, buffers, scale } = self;
        for head in forest.items() {
            let Some(at) = buffers.take_above(inside, head) else { continue };
            each_bundle(forest, head, |bundle| {
                let Some(sums) = counts.of(bundle.rule) else { return };
                let Some(below) = buffers.below(inside, &bundle) else { return };
                // count[x][y][z] += outside[x] · β[x][y][z] · M[y][z] / Z
                buffers.count(bundle.weight, scale.factor(at + below), sums);
            });
        }
    }

    /// The posterior of each edge of a bundle, summed over substates, for [`crate::mbr`].
    pub fn edges(&mut self, head: Item, bundle: &Bundle<&[f64]>, posteriors: &mut Vec<f64>) {
        posteriors.clear();
        posteriors.resize(bundle.tails.len() as usize, 0.0);
        let Posteriors { inside, buffers, scale } = self;
        if let Some(at) = buffers.take_above(inside, head) {
            buffers.edges(inside, bundle, |split, value, below| {
                posteriors[split as usize] = value * scale.factor(at + below);
            });
        }
    }

    fn exponent(&self, item: Item) -> Option<i32> {
        self.inside.slot(item).and_then(|slot| self.buffers.exponents[slot])
    }
}

impl Buffers {
    /// Everything zero, but the goal, which has π.
    fn begin<'g>(&mut self, forest: &impl Refined<'g>, inside: &Chart<Sum>) {
        self.values.clear();
        self.values.resize(inside.n_values(), 0.0);
        self.exponents.clear();
        self.exponents.resize(inside.n_places(), None);
        if let Some(goal) = inside.slot(forest.goal()) {
            let place = inside.place_at(goal as u32);
            add::<Sum, _>(
                Portable,
                slot(&mut self.values, place),
                &mut self.exponents[goal],
                forest.root(),
                0,
            );
        }
    }

    /// Copies the outside vector of an item to `above`, scaled anew, and returns its power of two; `None` if it
    /// is zero.
    #[inline]
    fn take_above(&mut self, inside: &Chart<Sum>, head: Item) -> Option<i32> {
        let at = inside.slot(head)?;
        let exponent = self.exponents.get_mut(at)?.as_mut()?;
        let values = slot(&mut self.values, inside.place_at(at as u32));
        let greatest = values.iter().fold(0.0, |greatest: f64, &value| greatest.max(value));
        if greatest == 0.0 {
            return None;
        }
        let (factor, shift) = normaliser(greatest);
        values.iter_mut().for_each(|value| *value *= factor);
        *exponent += shift;
        self.above.clear();
        self.above.extend_from_slice(values);
        Some(*exponent)
    }

    /// Adds to the outside vectors of a bundle's tails, and notes the posteriors of its edges.
    #[inline]
    fn hand_down(
        &mut self,
        inside: &Chart<Sum>,
        bundle: &Bundle<&[f64]>,
        at: i32,
        edges: Option<(&mut [f64], Scale)>,
    ) {
        let machine = inside.machine();
        match &bundle.tails {
            Tails::Leaf => {
                if let Some(([edge], scale)) = edges
                    && fits(bundle.weight, self.above.len())
                {
                    *edge = dot::<Sum, _>(Portable, &self.above, bundle.weight) * scale.factor(at);
                }
            }
            Tails::One(tail) => {
                let Some(tail) = inside.slot(*tail) else { return };
                let size = inside.place_at(tail as u32).len as usize;
                if self.fold_fits(bundle.weight, size) {
                    machine.run(HandOne { inside, buffers: self, weight: bundle.weight, tail, at, edges });
                }
            }
            Tails::Two(splits) => {
                let Some((height, width)) = inside.gather(splits, &mut self.scratch.pairs) else { return };
                if self.fold_fits(bundle.weight, height * width) {
                    self.term.resize(height, 0.0);
                    self.right_term.resize(width, 0.0);
                    let sizes = (height, width);
                    machine.run(HandTwo { inside, buffers: self, weight: bundle.weight, sizes, at, edges });
                }
            }
        }
    }

    /// Makes room for `N[y][z]`; false if the tensor has not the right size.
    #[inline]
    fn fold_fits(&mut self, weight: &[f64], size: usize) -> bool {
        self.matrix.resize(size, 0.0);
        fits(weight, self.above.len() * size)
    }

    /// Leaves what stands below a bundle in `scratch.products`, and returns its power of two.
    fn below(&mut self, inside: &Chart<Sum>, bundle: &Bundle<&[f64]>) -> Option<i32> {
        let Scratch { pairs, products, .. } = &mut self.scratch;
        match &bundle.tails {
            Tails::Leaf => {
                products.clear();
                products.push(1.0);
                Some(0)
            }
            Tails::One(tail) => {
                let (vector, exponent) = inside.vector(*tail);
                products.clear();
                products.extend_from_slice(vector);
                (!vector.is_empty()).then_some(exponent)
            }
            Tails::Two(splits) => {
                let (height, width) = inside.gather(splits, pairs)?;
                products.resize(height * width, 0.0);
                Some(inside.products(Portable, pairs, (height, width), products))
            }
        }
    }

    fn count(&self, weight: &[f64], factor: f64, sums: &mut [f64]) {
        let below = &self.scratch.products;
        if !fits(weight, self.above.len() * below.len()) || sums.len() != weight.len() {
            return;
        }
        let rows = sums.chunks_exact_mut(below.len()).zip(weight.chunks_exact(below.len()));
        for ((sums, weights), above) in rows.zip(&self.above) {
            let above = above * factor;
            for ((sum, weight), below) in sums.iter_mut().zip(weights).zip(below) {
                *sum += above * weight * below;
            }
        }
    }

    /// Shows split, left · N · right and its power of two, for each edge that can occur.
    fn edges(&mut self, inside: &Chart<Sum>, bundle: &Bundle<&[f64]>, mut visit: impl FnMut(u32, f64, i32)) {
        match &bundle.tails {
            Tails::Leaf if fits(bundle.weight, self.above.len()) => {
                visit(0, dot::<Sum, _>(Portable, &self.above, bundle.weight), 0);
            }
            Tails::Leaf => {}
            Tails::One(tail) => {
                let (vector, exponent) = inside.vector(*tail);
                if !vector.is_empty() && self.fold_fits(bundle.weight, vector.len()) {
                    weighted_rows(Portable, &mut self.matrix, bundle.weight, &self.above);
                    visit(0, dot::<Sum, _>(Portable, &self.matrix, vector), exponent);
                }
            }
            Tails::Two(splits) => {
                let Some((height, width)) = inside.gather(splits, &mut self.scratch.pairs) else { return };
                if !self.fold_fits(bundle.weight, height * width) {
                    return;
                }
                weighted_rows(Portable, &mut self.matrix, bundle.weight, &self.above);
                self.term.resize(height, 0.0);
                for pair in &self.scratch.pairs {
                    let (left, right) = (inside.place_at(pair.left), inside.place_at(pair.right));
                    contract_with::<Sum, _>(Portable, &mut self.term, &self.matrix, inside.at(right));
                    let value = dot::<Sum, _>(Portable, inside.at(left), &self.term);
                    visit(pair.split, value, inside.pair_exponent(pair));
                }
            }
        }
    }
}

fn range(place: VectorPlace) -> std::ops::Range<usize> {
    place.offset as usize..place.offset as usize + place.len as usize
}

pub(super) fn slot(values: &mut [f64], place: VectorPlace) -> &mut [f64] {
    &mut values[range(place)]
}
