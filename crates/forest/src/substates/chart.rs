//! Inside vectors, and the arena they lie in.

use std::marker::PhantomData;

use super::Refined;
use super::kernel::{Combine, contract_with, four_outer, only_outer, outer, scale_add};
use super::lanes::{Lanes, Machine, Portable, Task};
use crate::forest::each_bundle;
use crate::scale::{normaliser, power};
use crate::semiring::{Mass, Wide};
use crate::{Item, Splits, Tails};

/// Alternatives add up: the inside algorithm.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sum;

/// The better alternative counts: Viterbi over substates.
#[derive(Debug, Clone, Copy, Default)]
pub struct Max;

impl Combine for Sum {
    const GREATEST: bool = false;
}

impl Combine for Max {
    const GREATEST: bool = true;
}

/// A vector and a power of two for each item that can occur.
///
/// Made to be filled again and again: the memory of one sentence serves the next. Each vector is scaled so
/// that its greatest entry is in [1, 2); an entry 2^−1022 times smaller than that counts as zero.
#[derive(Debug, Clone, Default)]
pub struct Chart<C: Combine = Sum> {
    /// One more than the place of each item in `places`; 0 for items that cannot occur.
    slots: Vec<u32>,
    places: Vec<VectorPlace>,
    values: Vec<f64>,
    /// How many edges there are before each item of the walk, and in all.
    edges_before: Vec<usize>,
    scratch: Scratch,
    total: f64,
    total_exponent: i32,
    machine: Machine,
    combine: PhantomData<C>,
}

/// Where an item's vector lies.
#[derive(Debug, Clone, Copy)]
pub(super) struct VectorPlace {
    pub(super) offset: u32,
    pub(super) len: u32,
    pub(super) exponent: i32,
}

const ABSENT: VectorPlace = VectorPlace { offset: 0, len: 0, exponent: 0 };

/// Buffers of one bundle.
#[derive(Debug, Clone, Default)]
pub(super) struct Scratch {
    pub(super) pairs: Vec<Pair>,
    pub(super) products: Vec<f64>,
    term: Vec<f64>,
    sum: Vec<f64>,
}

/// A split of which both sides can occur, and where they lie in [`Chart::places`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair {
    pub(super) split: u32,
    pub(super) left: u32,
    pub(super) right: u32,
}

impl<C: Combine> Chart<C> {
    /// A chart with nothing in it.
    pub fn new() -> Chart<C> {
        Chart::default()
    }

    /// One that is filled with no instructions but those the program is compiled for.
    ///
    /// The numbers are the same to the last bit, and come more slowly.
    pub fn portable() -> Chart<C> {
        Chart { machine: Machine::Portable, ..Chart::default() }
    }

    /// Works out the inside vectors of a forest.
    pub fn fill<'g>(&mut self, forest: &impl Refined<'g>) {
        self.slots.clear();
        self.slots.resize(forest.n_items(), 0);
        self.places.clear();
        self.values.clear();
        self.edges_before.clear();
        let mut n_edges = 0;
        let mut scratch = std::mem::take(&mut self.scratch);
        for item in forest.items() {
            self.edges_before.push(n_edges);
            let (exponent, edges) = self.item_inside(forest, item, &mut scratch);
            self.push(item, &scratch.sum, exponent);
            n_edges += edges;
        }
        self.edges_before.push(n_edges);
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
    pub(super) fn place(&self, item: Item) -> VectorPlace {
        self.slot(item).map_or(ABSENT, |slot| self.places[slot])
    }

    /// The item's place in `places`.
    #[inline]
    pub(super) fn slot(&self, item: Item) -> Option<usize> {
        (self.slots.get(item.index()).copied().unwrap_or(0) as usize).checked_sub(1)
    }

    #[inline]
    pub(super) fn place_at(&self, slot: u32) -> VectorPlace {
        self.places[slot as usize]
    }

    #[inline]
    pub(super) fn at(&self, place: VectorPlace) -> &[f64] {
        &self.values[place.offset as usize..place.offset as usize + place.len as usize]
    }

    /// The same for a vector whose length is known.
    #[inline(always)]
    pub(super) fn sized(&self, place: VectorPlace, len: usize) -> &[f64] {
        &self.values[place.offset as usize..][..len]
    }

    pub(super) fn n_values(&self) -> usize {
        self.values.len()
    }

    pub(super) fn n_items(&self) -> usize {
        self.slots.len()
    }

    pub(super) fn n_places(&self) -> usize {
        self.places.len()
    }

    pub(super) fn edges_before(&self) -> &[usize] {
        &self.edges_before
    }

    pub(super) fn machine(&self) -> Machine {
        self.machine
    }

    /// Leaves the item's vector in `scratch.sum` and returns its power of two and the number of its edges.
    #[inline]
    fn item_inside<'g>(&self, forest: &impl Refined<'g>, item: Item, scratch: &mut Scratch) -> (i32, usize) {
        let n = forest.n_substates(item);
        scratch.sum.clear();
        scratch.sum.resize(n, 0.0);
        scratch.term.resize(n, 0.0);
        let mut exponent = None;
        let mut n_edges = 0;
        each_bundle(forest, item, |bundle| {
            n_edges += bundle.tails.len() as usize;
            self.add_bundle(bundle.weight, &bundle.tails, &mut exponent, scratch);
        });
        (exponent.unwrap_or(0), n_edges)
    }

    /// Adds Σ_yz `β[x][y][z]` · `M[y][z]` to `scratch.sum`.
    #[inline]
    fn add_bundle(&self, weight: &[f64], tails: &Tails, exponent: &mut Option<i32>, scratch: &mut Scratch) {
        let n = scratch.sum.len();
        match tails {
            Tails::Leaf => {
                if fits(weight, n) {
                    add::<C, _>(Portable, &mut scratch.sum, exponent, weight, 0);
                }
            }
            Tails::One(tail) => {
                let place = self.place(*tail);
                if place.len > 0 && fits(weight, n * place.len as usize) {
                    let below = Below::One(self.at(place), place.exponent);
                    self.machine.run(AddBundle { chart: self, weight, below, exponent, scratch });
                }
            }
            Tails::Two(splits) => {
                let Some((height, width)) = self.gather(splits, &mut scratch.pairs) else { return };
                if fits(weight, n * height * width) {
                    let below = Below::Two(height, width);
                    scratch.products.resize(height * width, 0.0);
                    self.machine.run(AddBundle { chart: self, weight, below, exponent, scratch });
                }
            }
        }
    }

    /// Lists the splits of which both sides can occur and returns the sizes of the two sides.
    ///
    /// All splits of a rule have the same two symbols, so the sizes of the first are those of all; a split of
    /// other sizes cannot fit the rule's tensor and is left out.
    #[inline]
    pub(super) fn gather(&self, splits: &Splits, pairs: &mut Vec<Pair>) -> Option<(usize, usize)> {
        pairs.clear();
        let mut sizes = None;
        for split in 0..splits.len {
            let (left, right) = splits.pair(split);
            if let (Some(left), Some(right)) = (self.slot(left), self.slot(right)) {
                let here = (self.places[left].len, self.places[right].len);
                if *sizes.get_or_insert(here) == here {
                    pairs.push(Pair { split, left: left as u32, right: right as u32 });
                }
            }
        }
        sizes.map(|(height, width)| (height as usize, width as usize))
    }

    /// The power of two of a split.
    #[inline(always)]
    pub(super) fn pair_exponent(&self, pair: &Pair) -> i32 {
        self.place_at(pair.left).exponent + self.place_at(pair.right).exponent
    }

    /// `M[y][z]` = Σ_split `left[y]` · `right[z]`, in a buffer of the right size; returns its power of two.
    #[inline(always)]
    pub(super) fn products<L: Lanes>(
        &self,
        lanes: L,
        pairs: &[Pair],
        (height, width): (usize, usize),
        products: &mut [f64],
    ) -> i32 {
        let left = |pair: &Pair| self.sized(self.place_at(pair.left), height);
        let right = |pair: &Pair| self.sized(self.place_at(pair.right), width);
        if let [pair] = pairs {
            only_outer(lanes, products, left(pair), right(pair));
            return self.pair_exponent(pair);
        }
        products.fill(0.0);
        let exponent = pairs.iter().map(|pair| self.pair_exponent(pair)).max().unwrap_or(0);
        let factor = |pair: &Pair| power(self.pair_exponent(pair) - exponent);
        let (fours, rest) = pairs.as_chunks::<4>();
        for [a, b, c, d] in fours {
            let left = [left(a), left(b), left(c), left(d)];
            let right = [right(a), right(b), right(c), right(d)];
            let factors = [factor(a), factor(b), factor(c), factor(d)];
            four_outer::<C, L>(lanes, products, left, factors, right);
        }
        for pair in rest {
            outer::<C, L>(lanes, products, left(pair), factor(pair), right(pair));
        }
        exponent
    }

    /// Stores a vector, scaled, unless it is zero.
    fn push(&mut self, item: Item, vector: &[f64], exponent: i32) {
        let greatest = vector.iter().fold(0.0, |greatest: f64, &value| greatest.max(value));
        if greatest == 0.0 {
            return;
        }
        let (factor, shift) = normaliser(greatest);
        let (offset, len) = (self.values.len() as u32, vector.len() as u32);
        self.places.push(VectorPlace { offset, len, exponent: exponent + shift });
        self.slots[item.index()] = self.places.len() as u32;
        self.values.extend(vector.iter().map(|value| value * factor));
    }

    fn sum_goal<'g>(&mut self, forest: &impl Refined<'g>) {
        let place = self.place(forest.goal());
        let products = self.at(place).iter().zip(forest.root()).map(|(value, prior)| value * prior);
        self.total = products.fold(0.0, C::combine);
        self.total_exponent = place.exponent;
    }
}

/// A bundle to be added to the vector of its head.
struct AddBundle<'a, C: Combine> {
    chart: &'a Chart<C>,
    weight: &'a [f64],
    below: Below<'a>,
    exponent: &'a mut Option<i32>,
    scratch: &'a mut Scratch,
}

/// What stands below it: a vector and its power of two, or the pairs in the scratch and the sizes of the sides.
#[derive(Clone, Copy)]
enum Below<'a> {
    One(&'a [f64], i32),
    Two(usize, usize),
}

impl<C: Combine> Task for AddBundle<'_, C> {
    type Output = ();

    /// Usual sizes are told to the compiler, which then unrolls the loops.
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        match (self.scratch.sum.len(), self.below) {
            (4, Below::Two(4, 4)) => self.sized(lanes, 4, Below::Two(4, 4)),
            (8, Below::Two(8, 8)) => self.sized(lanes, 8, Below::Two(8, 8)),
            (n, below) => self.sized(lanes, n, below),
        }
    }
}

impl<C: Combine> AddBundle<'_, C> {
    #[inline(always)]
    fn sized<L: Lanes>(self, lanes: L, n: usize, below: Below<'_>) {
        let Scratch { pairs, products, term, sum } = self.scratch;
        let (below, at) = match below {
            Below::One(vector, exponent) => (vector, exponent),
            Below::Two(height, width) => {
                let products = &mut products[..height * width];
                let exponent = self.chart.products(lanes, pairs, (height, width), products);
                (&*products, exponent)
            }
        };
        let (sum, term) = (&mut sum[..n], &mut term[..n]);
        contract_with::<C, L>(lanes, term, self.weight, below);
        add::<C, L>(lanes, sum, self.exponent, term, at);
    }
}

/// sum · 2^exponent += term · 2^at, keeping the greater of the two powers.
#[inline(always)]
pub(super) fn add<C: Combine, L: Lanes>(
    lanes: L,
    sum: &mut [f64],
    exponent: &mut Option<i32>,
    term: &[f64],
    at: i32,
) {
    let here = exponent.unwrap_or(at).max(at);
    let old = exponent.map_or(1.0, |old| power(old - here));
    let new = power(at - here);
    *exponent = Some(here);
    scale_add::<C, L>(lanes, sum, old, term, new);
}

#[inline]
pub(super) fn fits(weight: &[f64], size: usize) -> bool {
    debug_assert_eq!(weight.len(), size, "a rule tensor does not have the size its symbols give it");
    weight.len() == size
}
