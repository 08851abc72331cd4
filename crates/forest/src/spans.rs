//! How a chart over spans numbers its items.

use crate::{Item, Splits, Stretch};

/// Numbers (symbol, start, end) by falling start, then rising end, then symbol.
///
/// Every start has a row of the same length, so moving the split of a span by one moves the left item by
/// one cell and the right item by one row: all splits are two arithmetic progressions. The numbers of cells
/// with `end ≤ start` are never used; a chart therefore has `n²` cells, of which about half are empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spans {
    n_words: u32,
    n_symbols: u32,
    row: u32,
}

impl Spans {
    /// A chart for `n_words` words and `n_symbols` symbols per span.
    ///
    /// Returns `None` if the numbers would not fit in 31 bits.
    pub fn new(n_words: u32, n_symbols: u32) -> Option<Spans> {
        // Rows that are an even number of cache lines long fall on few cache sets, and a column of right
        // items then evicts itself; an odd number of lines uses all sets.
        let cells = u64::from(n_words) * u64::from(n_symbols);
        let row = if cells >= 512 { (cells.div_ceil(8) | 1) * 8 } else { cells };
        let fits = row.checked_mul(u64::from(n_words)).is_some_and(|n| n <= i32::MAX as u64);
        fits.then_some(Spans { n_words, n_symbols, row: row as u32 })
    }

    /// The length of a chart.
    pub fn n_items(&self) -> usize {
        self.n_words as usize * self.row as usize
    }

    /// The number of words.
    pub fn n_words(&self) -> u32 {
        self.n_words
    }

    /// The number of symbols.
    pub fn n_symbols(&self) -> u32 {
        self.n_symbols
    }

    /// The number of `symbol` over `start..end`.
    #[inline]
    pub fn item(&self, symbol: u32, start: u32, end: u32) -> Item {
        debug_assert!(symbol < self.n_symbols && start < end && end <= self.n_words);
        Item((self.n_words - 1 - start) * self.row + (end - 1) * self.n_symbols + symbol)
    }

    /// What an item stands for: symbol, start, end.
    #[inline]
    pub fn locate(&self, item: Item) -> (u32, u32, u32) {
        let start = self.n_words - 1 - item.0 / self.row;
        let cell = item.0 % self.row;
        (cell % self.n_symbols, start, cell / self.n_symbols + 1)
    }

    /// The words below an item.
    #[inline]
    pub fn stretch(&self, item: Item) -> Stretch {
        let (_, start, end) = self.locate(item);
        Stretch { start, end }
    }

    /// All splits of `start..end` into `left` and `right`.
    #[inline]
    pub fn splits(&self, left: u32, right: u32, start: u32, end: u32) -> Splits {
        self.splits_at((left, right), (start, end), (start + 1, end), 1)
    }

    /// The splits of `start..end` at `first`, `first + step`, … below `last`.
    ///
    /// A mask leaves runs of splits ([`runs`]); charts over half words split at every second position.
    #[inline]
    pub fn splits_at(
        &self,
        (left, right): (u32, u32),
        (start, end): (u32, u32),
        (first, last): (u32, u32),
        step: u32,
    ) -> Splits {
        if first >= last || step == 0 {
            let nowhere = Item(0);
            return Splits { left: nowhere, left_step: 0, right: nowhere, right_step: 0, len: 0 };
        }
        Splits {
            left: self.item(left, start, first),
            left_step: (self.n_symbols * step) as i32,
            right: self.item(right, first, end),
            right_step: -((self.row * step) as i32),
            len: (last - first).div_ceil(step),
        }
    }

    /// Every cell `start..end`, bottom-up.
    pub fn cells(&self) -> impl DoubleEndedIterator<Item = (u32, u32)> + use<> {
        let n_words = self.n_words;
        (0..n_words).rev().flat_map(move |start| (start + 1..=n_words).map(move |end| (start, end)))
    }

    /// The items of all cells, bottom-up.
    pub fn items(&self) -> impl DoubleEndedIterator<Item = Item> + use<> {
        let spans = *self;
        self.cells().flat_map(move |(start, end)| {
            let first = spans.item(0, start, end).0;
            (first..first + spans.n_symbols).map(Item)
        })
    }
}

/// The runs of consecutive numbers in `range` for which `allowed` holds, as half-open pairs.
///
/// A mask over split points becomes a few bundles, and no work is done between them.
pub fn runs(range: std::ops::Range<u32>, allowed: impl Fn(u32) -> bool) -> Vec<(u32, u32)> {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for at in range.filter(|&at| allowed(at)) {
        match runs.last_mut() {
            Some((_, end)) if *end == at => *end = at + 1,
            _ => runs.push((at, at + 1)),
        }
    }
    runs
}
