//! Inside vectors, and the arena they lie in.

use std::marker::PhantomData;

use super::Refined;
use super::kernel::{Combine, contract, four_outer, outer};
use crate::forest::each_bundle;
use crate::semiring::{Mass, Wide, exponent_of, wide_power};
use crate::{Item, Splits, Tails};

/// Alternatives add up: the inside algorithm.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sum;

/// The better alternative counts: Viterbi over substates.
#[derive(Debug, Clone, Copy, Default)]
pub struct Max;

impl Combine for Sum {
    #[inline]
    fn combine(one: f64, other: f64) -> f64 {
        one + other
    }
}

impl Combine for Max {
    #[inline]
    fn combine(one: f64, other: f64) -> f64 {
        if one > other { one } else { other }
    }
}

/// A vector and a power of two for each item that can occur.
///
/// Made to be filled again and again: the memory of one sentence serves the next. Each vector is scaled so
/// that its greatest entry is in [1, 2); an entry 2^−1022 times smaller than that counts as zero.
#[derive(Debug, Clone, Default)]
pub struct Chart<C: Combine = Sum> {
    places: Vec<Place>,
    values: Vec<f64>,
    scratch: Scratch,
    total: f64,
    total_exponent: i32,
    combine: PhantomData<C>,
}

/// Where an item's vector lies.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) offset: u32,
    pub(super) len: u32,
    pub(super) exponent: i32,
}

const ABSENT: Place = Place { offset: 0, len: 0, exponent: 0 };

/// Buffers of one bundle.
#[derive(Debug, Clone, Default)]
pub(super) struct Scratch {
    pub(super) pairs: Vec<Pair>,
    pub(super) products: Vec<f64>,
    term: Vec<f64>,
    sum: Vec<f64>,
}

/// A split of which both sides can occur.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair {
    pub(super) split: u32,
    pub(super) left: Place,
    pub(super) right: Place,
}

impl Pair {
    pub(super) fn exponent(&self) -> i32 {
        self.left.exponent + self.right.exponent
    }
}

impl<C: Combine> Chart<C> {
    /// A chart with nothing in it.
    pub fn new() -> Chart<C> {
        Chart::default()
    }

    /// Works out the inside vectors of a forest.
    pub fn fill<'g>(&mut self, forest: &impl Refined<'g>) {
        self.places.clear();
        self.places.resize(forest.n_items(), ABSENT);
        self.values.clear();
        let mut scratch = std::mem::take(&mut self.scratch);
        for item in forest.items() {
            let exponent = self.item_inside(forest, item, &mut scratch);
            self.push(item, &scratch.sum, exponent);
        }
        self.scratch = scratch;
        self.sum_goal(forest);
    }

    /// Σ_x `π[x]` · `inside(goal)[x]`, as mantissa and exponent.
    pub fn total(&self) -> Wide {
        Wide::new(self.total, i64::from(self.total_exponent))
    }

    /// The logarithm of the total; −∞ if there are no derivations.
    pub fn ln_total(&self) -> f64 {
        self.total().ln()
    }

    /// The inside vector of an item and its power of two; empty if the item cannot occur.
    pub fn vector(&self, item: Item) -> (&[f64], i32) {
        let place = self.place(item);
        (self.at(place), place.exponent)
    }

    #[inline]
    pub(super) fn place(&self, item: Item) -> Place {
        self.places.get(item.index()).copied().unwrap_or(ABSENT)
    }

    #[inline]
    pub(super) fn at(&self, place: Place) -> &[f64] {
        &self.values[place.offset as usize..place.offset as usize + place.len as usize]
    }

    pub(super) fn n_values(&self) -> usize {
        self.values.len()
    }

    pub(super) fn n_items(&self) -> usize {
        self.places.len()
    }

    /// Leaves the item's vector in `scratch.sum` and returns its power of two.
    fn item_inside<'g>(&self, forest: &impl Refined<'g>, item: Item, scratch: &mut Scratch) -> i32 {
        let n = forest.n_substates(item);
        scratch.sum.clear();
        scratch.sum.resize(n, 0.0);
        scratch.term.resize(n, 0.0);
        let mut exponent = None;
        each_bundle(forest, item, |bundle| {
            let Some(at) = self.bundle_inside(bundle.weight, &bundle.tails, n, scratch) else { return };
            add::<C>(&mut scratch.sum, &mut exponent, &scratch.term, at);
        });
        exponent.unwrap_or(0)
    }

    /// Leaves Σ_yz `β[x][y][z]` · `M[y][z]` in `scratch.term`; `None` if that is zero.
    #[inline]
    fn bundle_inside(&self, weight: &[f64], tails: &Tails, n: usize, scratch: &mut Scratch) -> Option<i32> {
        match tails {
            Tails::Leaf => {
                let fits = fits(weight, n);
                fits.then(|| scratch.term.copy_from_slice(weight))?;
                Some(0)
            }
            Tails::One(tail) => {
                let place = self.place(*tail);
                if place.len == 0 || !fits(weight, n * place.len as usize) {
                    return None;
                }
                contract::<C>(&mut scratch.term, weight, self.at(place));
                Some(place.exponent)
            }
            Tails::Two(splits) => {
                self.gather(splits, &mut scratch.pairs);
                let exponent = self.products(&scratch.pairs, &mut scratch.products)?;
                if !fits(weight, n * scratch.products.len()) {
                    return None;
                }
                contract::<C>(&mut scratch.term, weight, &scratch.products);
                Some(exponent)
            }
        }
    }

    /// Lists the splits of which both sides can occur.
    ///
    /// All splits of a rule have the same two symbols, so the sizes of the first are those of all; a split of
    /// other sizes cannot fit the rule's tensor and is left out.
    #[inline]
    pub(super) fn gather(&self, splits: &Splits, pairs: &mut Vec<Pair>) {
        pairs.clear();
        let mut sizes = None;
        for split in 0..splits.len {
            let (left, right) = splits.pair(split);
            let (left, right) = (self.place(left), self.place(right));
            let here = (left.len, right.len);
            if left.len > 0 && right.len > 0 && *sizes.get_or_insert(here) == here {
                pairs.push(Pair { split, left, right });
            }
        }
    }

    /// `M[y][z]` = Σ_split `left[y]` · `right[z]`, and its power of two; `None` if there are no splits.
    #[inline]
    pub(super) fn products(&self, pairs: &[Pair], products: &mut Vec<f64>) -> Option<i32> {
        let exponent = pairs.iter().map(Pair::exponent).max()?;
        let first = pairs.first()?;
        let (height, width) = (first.left.len, first.right.len);
        products.clear();
        products.resize((height * width) as usize, 0.0);
        let factor = |pair: &Pair| wide_power(pair.exponent() - exponent);
        let (fours, rest) = pairs.as_chunks::<4>();
        for four in fours {
            let left = four.map(|pair| self.at(pair.left));
            let right = four.map(|pair| self.at(pair.right));
            four_outer::<C>(products, left, four.each_ref().map(factor), right);
        }
        for pair in rest {
            outer::<C>(products, self.at(pair.left), factor(pair), self.at(pair.right));
        }
        Some(exponent)
    }

    /// Stores a vector, scaled, unless it is zero.
    fn push(&mut self, item: Item, vector: &[f64], exponent: i32) {
        let greatest = vector.iter().fold(0.0, |greatest: f64, &value| greatest.max(value));
        if greatest == 0.0 {
            return;
        }
        let (factor, shift) = normaliser(greatest);
        let place =
            Place { offset: self.values.len() as u32, len: vector.len() as u32, exponent: exponent + shift };
        self.places[item.index()] = place;
        self.values.extend(vector.iter().map(|value| value * factor));
    }

    fn sum_goal<'g>(&mut self, forest: &impl Refined<'g>) {
        let place = self.place(forest.goal());
        let products = self.at(place).iter().zip(forest.root()).map(|(value, prior)| value * prior);
        self.total = products.fold(0.0, C::combine);
        self.total_exponent = place.exponent;
    }
}

/// The power of two that brings a number into [1, 2), and its opposite exponent.
#[inline]
pub(super) fn normaliser(greatest: f64) -> (f64, i32) {
    // A subnormal's exponent field says −1023, whose opposite is still a finite power of two.
    let exponent = exponent_of(greatest).clamp(-1022, 1022);
    (wide_power(-exponent), exponent)
}

/// sum · 2^exponent += term · 2^at, keeping the greater of the two powers.
#[inline]
pub(super) fn add<C: Combine>(sum: &mut [f64], exponent: &mut Option<i32>, term: &[f64], at: i32) {
    let here = exponent.unwrap_or(at).max(at);
    let old = exponent.map_or(1.0, |old| wide_power(old - here));
    let new = wide_power(at - here);
    *exponent = Some(here);
    for (sum, term) in sum.iter_mut().zip(term) {
        *sum = C::combine(*sum * old, term * new);
    }
}

#[inline]
pub(super) fn fits(weight: &[f64], size: usize) -> bool {
    debug_assert_eq!(weight.len(), size, "a rule tensor does not have the size its symbols give it");
    weight.len() == size
}
