//! Weights of features, and how they are learned.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use super::pack::Packed;

/// A row of weights for every key; keys whose high bits are the same share one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(into = "Stored", try_from = "Stored")]
pub(super) struct Table {
    bits: u32,
    /// Weights in a row.
    width: usize,
    pub(super) values: Vec<f32>,
    /// The upper halves of the weights, if the lower ones are zero; empty while weights change. Parsing waits for weights from
    /// memory most of the time, and twice as many of these are at hand.
    halves: Vec<u16>,
}

impl Table {
    pub(super) fn zero(bits: u32, width: usize) -> Table {
        Table { bits, width, values: vec![0.0; width << bits], halves: Vec::new() }
    }

    /// The same weights, which may be changed from now on.
    pub(super) fn open(mut self) -> Table {
        self.halves = Vec::new();
        self
    }

    /// The weights will not change any more.
    fn close(&mut self) {
        let is_short = |value: &f32| value.to_bits() & 0xFFFF == 0;
        if self.width == 1 && self.values.iter().all(is_short) {
            self.halves = self.values.iter().map(|value| (value.to_bits() >> 16) as u16).collect();
        }
    }

    /// The logarithm of the number of rows.
    pub(super) fn bits(&self) -> u32 {
        self.bits
    }

    /// Where the row of a key begins.
    #[inline]
    pub(super) fn slot(&self, key: u64) -> usize {
        (key >> (64 - self.bits)) as usize * self.width
    }

    /// The weight of a key, in tables with one a row.
    #[inline]
    pub(super) fn weight(&self, key: u64) -> f32 {
        self.values[(key >> (64 - self.bits)) as usize]
    }

    /// The upper halves of the weights, if they are all there is.
    #[inline]
    pub(super) fn halves(&self) -> Option<Halves<'_>> {
        (!self.halves.is_empty()).then_some(Halves { shift: 64 - self.bits, values: &self.halves })
    }

    /// The row of a key.
    #[inline]
    pub(super) fn row(&self, key: u64) -> &[f32] {
        &self.values[self.slot(key)..][..self.width]
    }

    /// Adds the weights of a table of the same size.
    pub(super) fn add(&mut self, other: &Table) {
        self.halves = Vec::new();
        self.values.iter_mut().zip(&other.values).for_each(|(sum, weight)| *sum += weight);
    }

    /// Keeps the largest weights, so many at most, and eight bits of each, so that a file has two bytes for each. Of equally
    /// large ones the first are kept.
    pub(super) fn condense(&mut self, most: usize) {
        let size = |value: f32| value.to_bits() & 0x7FFF_FFFF;
        let mut sizes: Vec<u32> =
            self.values.iter().map(|&value| size(value)).filter(|&size| size > 0).collect();
        let (mut least, mut n_equal) = (0, usize::MAX);
        if most == 0 {
            least = u32::MAX;
        } else if sizes.len() > most {
            let at = sizes.len() - most;
            let (_, &mut found, larger) = sizes.select_nth_unstable(at);
            least = found;
            n_equal = most - larger.iter().filter(|&&size| size > least).count();
        }
        for value in &mut self.values {
            let is_kept = match size(*value).cmp(&least) {
                Ordering::Less => false,
                Ordering::Equal => n_equal > 0,
                Ordering::Greater => true,
            };
            if size(*value) == least {
                n_equal = n_equal.saturating_sub(1);
            }
            *value = if is_kept { shorten(*value) } else { 0.0 };
        }
        self.close();
    }
}

/// Weights of sixteen bits, in tables with one a row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Halves<'t> {
    shift: u32,
    values: &'t [u16],
}

impl Halves<'_> {
    /// The weight of a key.
    #[inline]
    pub(super) fn weight(&self, key: u64) -> f32 {
        f32::from_bits(u32::from(self.values[(key >> self.shift) as usize]) << 16)
    }
}

/// The nearest number whose last 16 bits are zero.
fn shorten(value: f32) -> f32 {
    let bits = value.to_bits();
    let rounded = bits.wrapping_add(0x7FFF + ((bits >> 16) & 1)) & 0xFFFF_0000;
    if value.is_finite() { f32::from_bits(rounded) } else { 0.0 }
}

#[derive(Serialize, Deserialize)]
struct Stored {
    bits: u32,
    width: u32,
    weights: Packed,
}

impl From<Table> for Stored {
    fn from(table: Table) -> Stored {
        Stored { bits: table.bits, width: table.width as u32, weights: Packed::new(&table.values) }
    }
}

impl TryFrom<Stored> for Table {
    type Error = &'static str;

    fn try_from(stored: Stored) -> Result<Table, Self::Error> {
        let (bits, width) = (stored.bits, stored.width as usize);
        if !(1..=30).contains(&bits) || width == 0 || width > 1 << 16 {
            return Err("a table of weights has an impossible size");
        }
        let values = stored.weights.unpack(width << bits).ok_or("a table of weights is damaged")?;
        let mut table = Table { bits, width, values, halves: Vec::new() };
        table.close();
        Ok(table)
    }
}

/// AdaGrad (Duchi, Hazan & Singer 2011): every weight has a step of its own, the shorter the more it was moved.
///
/// The gradient g of a batch is added up first; then, for every weight it touches,
///
/// ```text
/// G ← G + (g + λ₂ w)²,   w ← w − η (g + λ₂ w) / √G,   w ← sign(w) · max(0, |w| − η λ₁ / √G)
/// ```
#[derive(Debug, Clone)]
pub(super) struct AdaGrad {
    rate: f32,
    l2: f32,
    l1: f32,
    pub(super) squares: Vec<f32>,
    gradient: Vec<f32>,
    touched: Vec<u32>,
}

impl AdaGrad {
    pub(super) fn new(n_weights: usize, [rate, l2, l1]: [f64; 3]) -> AdaGrad {
        AdaGrad {
            rate: rate as f32,
            l2: l2 as f32,
            l1: l1 as f32,
            squares: vec![0.0; n_weights],
            gradient: vec![0.0; n_weights],
            touched: Vec::new(),
        }
    }

    /// Adds to the gradient of a weight.
    #[inline]
    pub(super) fn add(&mut self, slot: usize, gradient: f32) {
        let sum = &mut self.gradient[slot];
        if *sum == 0.0 {
            // A sum that came back to zero is listed twice; the second time there is nothing left to do.
            self.touched.push(slot as u32);
        }
        *sum += gradient;
    }

    /// Takes the step.
    pub(super) fn step(&mut self, weights: &mut [f32]) {
        for slot in self.touched.drain(..).map(|slot| slot as usize) {
            let gradient = std::mem::take(&mut self.gradient[slot]);
            if gradient == 0.0 {
                continue;
            }
            let weight = &mut weights[slot];
            let gradient = gradient + self.l2 * *weight;
            self.squares[slot] += gradient * gradient;
            let rate = self.rate / (self.squares[slot].sqrt() + 1e-6);
            *weight -= rate * gradient;
            if self.l1 > 0.0 {
                *weight = weight.signum() * (weight.abs() - rate * self.l1).max(0.0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condensed_table_keeps_the_largest_weights_and_comes_back_from_its_bytes() {
        let mut table = Table::zero(4, 2);
        for (at, value) in table.values.iter_mut().enumerate() {
            *value = (at as f32 - 16.0) * 0.1234;
        }
        table.condense(10);
        let n_kept = table.values.iter().filter(|&&value| value != 0.0).count();
        assert_eq!(n_kept, 10);
        assert!(table.values[0] != 0.0 && table.values[16] == 0.0);
        assert!((table.values[0] + 16.0 * 0.1234).abs() < 0.01);
        let stored: Stored = table.clone().into();
        assert_eq!(Table::try_from(stored).unwrap(), table);
    }

    #[test]
    fn gradients_of_a_batch_are_added_up_before_the_step() {
        let mut weights = [0.0f32, 1.0];
        let mut optimiser = AdaGrad::new(2, [0.5, 0.0, 0.0]);
        for gradient in [3.0, -3.0, 2.0] {
            optimiser.add(0, gradient);
        }
        optimiser.step(&mut weights);
        // The first step is η long, whatever the gradient is.
        assert!((weights[0] + 0.5).abs() < 1e-5 && weights[1] == 1.0);
        assert_eq!(optimiser.squares[0], 4.0);
        optimiser.step(&mut weights);
        assert_eq!(optimiser.squares[0], 4.0);
    }

    #[test]
    fn of_equally_large_weights_the_first_are_kept() {
        for (most, expected) in
            [(0, vec![]), (1, vec![2]), (2, vec![1, 2]), (3, vec![1, 2, 3]), (9, vec![1, 2, 3, 5])]
        {
            let mut table = Table::zero(3, 1);
            table.values = vec![0.0, 0.5, -2.0, -0.5, 0.0, 0.5, 0.0, 0.0];
            table.condense(most);
            let kept: Vec<usize> = (0..8).filter(|&at| table.values[at] != 0.0).collect();
            assert_eq!(kept, expected, "{most}");
        }
    }

    #[test]
    fn steps_are_those_of_the_formula() {
        let (rate, l2, l1) = (0.3, 0.2, 0.1);
        let mut weights = [1.5f32, -0.02];
        let mut optimiser = AdaGrad::new(2, [rate, l2, l1]);
        let (mut expected, mut squares) = ([1.5f64, -0.02], [0.0f64; 2]);
        for slopes in [[2.0, -0.1], [-1.0, 0.3], [0.5, 0.0]] {
            for at in 0..2 {
                optimiser.add(at, slopes[at] as f32);
                if slopes[at] != 0.0 {
                    let slope: f64 = slopes[at] + l2 * expected[at];
                    squares[at] += slope * slope;
                    let moved = expected[at] - rate * slope / squares[at].sqrt();
                    let shrunk = (moved.abs() - rate * l1 / squares[at].sqrt()).max(0.0);
                    expected[at] = moved.signum() * shrunk;
                }
            }
            optimiser.step(&mut weights);
            for (weight, expected) in weights.iter().zip(expected) {
                assert!((f64::from(*weight) - expected).abs() < 1e-4, "{weight} {expected}");
            }
        }
    }
}
