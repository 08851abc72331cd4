//! Outside vectors, posteriors and expected counts.

use super::chart::{Place, Scratch, Sum, add, fits, normaliser};
use super::kernel::{contract, dot, weighted_rows};
use super::{Chart, Refined};
use crate::forest::each_bundle;
use crate::semiring::wide_power;
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
}

/// The memory of an outside pass, kept from one sentence to the next.
#[derive(Debug, Clone, Default)]
pub struct Buffers {
    values: Vec<f64>,
    /// The power of two of each item's vector; `None` while it is zero.
    exponents: Vec<Option<i32>>,
    scratch: Scratch,
    above: Vec<f64>,
    matrix: Vec<f64>,
    term: Vec<f64>,
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
        mut buffers: Buffers,
    ) -> Posteriors<'c> {
        buffers.values.clear();
        buffers.values.resize(inside.n_values(), 0.0);
        buffers.exponents.clear();
        buffers.exponents.resize(inside.n_items(), None);
        let goal = inside.place(forest.goal());
        if goal.len > 0 {
            add::<Sum>(slot(&mut buffers.values, goal), &mut None, forest.root(), 0);
            buffers.exponents[forest.goal().index()] = Some(0);
        }
        for head in forest.items().rev() {
            buffers.take_above(inside, head);
            if !buffers.above.is_empty() {
                let at = buffers.exponents[head.index()].unwrap_or(0);
                each_bundle(forest, head, |bundle| buffers.hand_down(inside, &bundle, at));
            }
        }
        Posteriors { inside, buffers }
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
        dot::<Sum>(self.inside.at(place), outside) * self.factor(place.exponent + exponent)
    }

    /// The posterior of every item.
    pub fn items(&self) -> Vec<f64> {
        (0..self.inside.n_items() as u32).map(|item| self.item(Item(item))).collect()
    }

    /// Adds the posterior of each substate of an item to `sums`; with the goal, the counts for π.
    pub fn add_substates(&self, item: Item, sums: &mut [f64]) {
        let place = self.inside.place(item);
        let Some(exponent) = self.exponent(item) else { return };
        let factor = self.factor(place.exponent + exponent);
        let outside = &self.buffers.values[range(place)];
        for ((sum, inside), outside) in sums.iter_mut().zip(self.inside.at(place)).zip(outside) {
            *sum += inside * outside * factor;
        }
    }

    /// Adds the expected number of uses of each (rule, x, y, z) to the rule's buffer.
    pub fn add_counts<'g>(&mut self, forest: &impl Refined<'g>, counts: &mut impl Counts) {
        let mut buffers = std::mem::take(&mut self.buffers);
        for head in forest.items() {
            buffers.take_above(self.inside, head);
            if buffers.above.is_empty() {
                continue;
            }
            let at = buffers.exponents[head.index()].unwrap_or(0);
            each_bundle(forest, head, |bundle| {
                let Some(sums) = counts.of(bundle.rule) else { return };
                let Some(below) = buffers.below(self.inside, &bundle) else { return };
                // count[x][y][z] += outside[x] · β[x][y][z] · M[y][z] / Z
                let factor = self.factor(at + below);
                buffers.count(bundle.weight, factor, sums);
            });
        }
        self.buffers = buffers;
    }

    /// The posterior of each edge of a bundle, summed over substates, for [`crate::mbr`].
    pub fn edges(&mut self, head: Item, bundle: &Bundle<&[f64]>, posteriors: &mut Vec<f64>) {
        posteriors.clear();
        posteriors.resize(bundle.tails.len() as usize, 0.0);
        let mut buffers = std::mem::take(&mut self.buffers);
        buffers.take_above(self.inside, head);
        if !buffers.above.is_empty() {
            let at = buffers.exponents[head.index()].unwrap_or(0);
            buffers.edges(self.inside, bundle, |split, value, below| {
                posteriors[split as usize] = value * self.factor(at + below);
            });
        }
        self.buffers = buffers;
    }

    fn exponent(&self, item: Item) -> Option<i32> {
        let exponent = self.buffers.exponents.get(item.index()).copied().flatten();
        exponent.filter(|_| self.inside.place(item).len > 0)
    }

    /// 2^exponent / Z.
    fn factor(&self, exponent: i32) -> f64 {
        let (total, shift) = self.inside.total().parts();
        if total == 0.0 {
            return 0.0;
        }
        let distance = (i64::from(exponent) - shift).clamp(-2000, 2000) as i32;
        wide_power(distance) / total
    }
}

impl Buffers {
    /// Copies the outside vector of an item to `above`, scaled anew; leaves it empty if that is zero.
    fn take_above(&mut self, inside: &Chart<Sum>, head: Item) {
        self.above.clear();
        let place = inside.place(head);
        let Some(exponent) = self.exponents[head.index()].as_mut().filter(|_| place.len > 0) else { return };
        let values = slot(&mut self.values, place);
        let greatest = values.iter().fold(0.0, |greatest: f64, &value| greatest.max(value));
        if greatest == 0.0 {
            return;
        }
        let (factor, shift) = normaliser(greatest);
        values.iter_mut().for_each(|value| *value *= factor);
        *exponent += shift;
        self.above.extend_from_slice(values);
    }

    /// `outside(left)[y]` += Σ_z `N[y][z]` · `inside(right)[z]`, and the same for the right side.
    ///
    /// `N[y][z]` = Σ_x `outside(head)[x]` · `β[x][y][z]` is worked out once per bundle.
    fn hand_down(&mut self, inside: &Chart<Sum>, bundle: &Bundle<&[f64]>, at: i32) {
        match &bundle.tails {
            Tails::Leaf => {}
            Tails::One(tail) => {
                let place = inside.place(*tail);
                if place.len > 0 && self.fold_head(bundle.weight, place.len as usize) {
                    let Buffers { values, exponents, matrix, .. } = self;
                    add::<Sum>(slot(values, place), &mut exponents[tail.index()], matrix, at);
                }
            }
            Tails::Two(splits) => {
                inside.gather(splits, &mut self.scratch.pairs);
                let Some(first) = self.scratch.pairs.first().copied() else { return };
                if !self.fold_head(bundle.weight, (first.left.len * first.right.len) as usize) {
                    return;
                }
                for pair in 0..self.scratch.pairs.len() {
                    let pair = self.scratch.pairs[pair];
                    let (left, right) = splits.pair(pair.split);
                    self.hand_left(inside, left, pair.left, pair.right, at);
                    self.hand_right(inside, right, pair.left, pair.right, at);
                }
            }
        }
    }

    fn hand_left(&mut self, inside: &Chart<Sum>, item: Item, left: Place, right: Place, at: i32) {
        self.term.resize(left.len as usize, 0.0);
        contract::<Sum>(&mut self.term, &self.matrix, inside.at(right));
        let exponent = &mut self.exponents[item.index()];
        add::<Sum>(slot(&mut self.values, left), exponent, &self.term, at + right.exponent);
    }

    fn hand_right(&mut self, inside: &Chart<Sum>, item: Item, left: Place, right: Place, at: i32) {
        self.term.resize(right.len as usize, 0.0);
        weighted_rows(&mut self.term, &self.matrix, inside.at(left));
        let exponent = &mut self.exponents[item.index()];
        add::<Sum>(slot(&mut self.values, right), exponent, &self.term, at + left.exponent);
    }

    /// Leaves Σ_x `above[x]` · `weight[x][..]` in `matrix`.
    fn fold_head(&mut self, weight: &[f64], size: usize) -> bool {
        self.matrix.resize(size, 0.0);
        let fits = fits(weight, self.above.len() * size);
        if fits {
            weighted_rows(&mut self.matrix, weight, &self.above);
        }
        fits
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
                inside.gather(splits, pairs);
                inside.products(pairs, products)
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
                visit(0, dot::<Sum>(&self.above, bundle.weight), 0);
            }
            Tails::Leaf => {}
            Tails::One(tail) => {
                let (vector, exponent) = inside.vector(*tail);
                if !vector.is_empty() && self.fold_head(bundle.weight, vector.len()) {
                    visit(0, dot::<Sum>(&self.matrix, vector), exponent);
                }
            }
            Tails::Two(splits) => {
                inside.gather(splits, &mut self.scratch.pairs);
                let Some(first) = self.scratch.pairs.first().copied() else { return };
                if !self.fold_head(bundle.weight, (first.left.len * first.right.len) as usize) {
                    return;
                }
                self.term.resize(first.left.len as usize, 0.0);
                for pair in &self.scratch.pairs {
                    contract::<Sum>(&mut self.term, &self.matrix, inside.at(pair.right));
                    visit(pair.split, dot::<Sum>(inside.at(pair.left), &self.term), pair.exponent());
                }
            }
        }
    }
}

fn range(place: Place) -> std::ops::Range<usize> {
    place.offset as usize..place.offset as usize + place.len as usize
}

fn slot(values: &mut [f64], place: Place) -> &mut [f64] {
    &mut values[range(place)]
}
