//! Weights of features.

use std::cmp::Ordering;

use num::packed::{Packed, shorten};
use serde::{Deserialize, Serialize};

/// A row of weights for every key; keys whose high bits are the same share one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(into = "StoredTable", try_from = "StoredTable")]
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

impl AsRef<[f32]> for Table {
    fn as_ref(&self) -> &[f32] {
        &self.values
    }
}

impl AsMut<[f32]> for Table {
    /// Whoever asks for this is about to change weights.
    fn as_mut(&mut self) -> &mut [f32] {
        self.halves = Vec::new();
        &mut self.values
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

#[derive(Serialize, Deserialize)]
struct StoredTable {
    bits: u32,
    width: u32,
    weights: Packed,
}

impl From<Table> for StoredTable {
    fn from(table: Table) -> StoredTable {
        StoredTable { bits: table.bits, width: table.width as u32, weights: Packed::new(&table.values) }
    }
}

impl TryFrom<StoredTable> for Table {
    type Error = &'static str;

    fn try_from(stored: StoredTable) -> Result<Table, Self::Error> {
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
        let stored: StoredTable = table.clone().into();
        assert_eq!(Table::try_from(stored).unwrap(), table);
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
}
