//! Where in a chart over spans the non-zero items are, so that no work is done elsewhere.

use crate::{Item, Spans, Splits};

/// For each symbol and start the first and last end at which it is not zero, and the same with start and end
/// changed. Between them lie all splits of a rule that can be anything but zero; most rules have none.
#[derive(Debug, Clone)]
pub(super) struct Reach {
    spans: Spans,
    /// By start, then symbol.
    ends: Vec<Range>,
    /// By end, then symbol.
    starts: Vec<Range>,
}

/// From the first to the last position; none while the first is beyond the last.
#[derive(Debug, Clone, Copy)]
struct Range {
    first: u32,
    last: u32,
}

impl Range {
    const NOWHERE: Range = Range { first: u32::MAX, last: 0 };

    fn include(&mut self, at: u32) {
        self.first = self.first.min(at);
        self.last = self.last.max(at);
    }
}

impl Reach {
    pub(super) fn new(spans: Spans) -> Reach {
        let n = (spans.n_words() as usize + 1) * spans.n_symbols() as usize;
        Reach { spans, ends: vec![Range::NOWHERE; n], starts: vec![Range::NOWHERE; n] }
    }

    /// Notes that an item of this cell is not zero.
    pub(super) fn include(&mut self, cell: &Cell, item: Item) {
        let symbol = item.0.wrapping_sub(cell.first);
        if symbol < self.spans.n_symbols() {
            self.ends[(cell.ends + symbol) as usize].include(cell.end);
            self.starts[(cell.starts + symbol) as usize].include(cell.start);
        }
    }

    /// Where an item lies; `cell` is that of the item before, which often is the same one.
    #[inline]
    pub(super) fn cell(&self, cell: Cell, item: Item) -> Cell {
        if item.0.wrapping_sub(cell.first) < self.spans.n_symbols() {
            return cell;
        }
        let (_, start, end) = self.spans.locate(item);
        if start >= end {
            return Cell { first: item.0, start, end, ..Cell::NONE };
        }
        let first = self.spans.item(0, start, end).0;
        let splits = self.spans.splits(0, 0, start, end);
        let (ends, starts) = (start * self.spans.n_symbols(), end * self.spans.n_symbols());
        Cell { first, start, end, ends, starts, splits }
    }

    /// The splits without those at either end that are zero.
    ///
    /// A bundle that does not have all splits of its cell is left as it is.
    #[inline(always)]
    pub(super) fn trim(&self, cell: &Cell, splits: Splits) -> Splits {
        let left = splits.left.0.wrapping_sub(cell.splits.left.0);
        let right = splits.right.0.wrapping_sub(cell.splits.right.0);
        let steps = (splits.left_step, splits.right_step, splits.len);
        let all = (cell.splits.left_step, cell.splits.right_step, cell.splits.len);
        if left.max(right) >= self.spans.n_symbols() || steps != all {
            return splits;
        }
        let ends = self.ends[(cell.ends + left) as usize];
        let starts = self.starts[(cell.starts + right) as usize];
        let (first, last) = (ends.first.max(starts.first), ends.last.min(starts.last));
        // Without a branch, as half the rules are without splits and nobody can foretell which.
        let len = (last + 1).saturating_sub(first);
        let (left, right) = splits.pair(first.wrapping_sub(cell.start + 1));
        Splits { left, right, len, ..splits }
    }
}

/// A cell of the chart, with what is the same for all its items.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cell {
    /// Its first item.
    first: u32,
    pub(super) start: u32,
    pub(super) end: u32,
    /// Where its row of [`Reach::ends`] and its column of [`Reach::starts`] begin.
    ends: u32,
    starts: u32,
    /// The splits of a rule of first symbols.
    splits: Splits,
}

impl Cell {
    /// What stands before the first cell: no item lies in it, as items have 31 bits.
    pub(super) const NONE: Cell = Cell {
        first: 1 << 31,
        start: 0,
        end: 0,
        ends: 0,
        starts: 0,
        splits: Splits { left: Item(0), left_step: 0, right: Item(0), right_step: 0, len: 0 },
    };
}

/// Some bundles of a head, without those that have no splits.
///
/// They are found first and worked on after, because the two loops by themselves go as the processor expects.
#[derive(Debug)]
pub(super) struct Batch {
    bundles: [(f64, Splits); Batch::SIZE],
    len: usize,
}

impl Batch {
    const SIZE: usize = 64;

    pub(super) fn new() -> Batch {
        Batch { bundles: [(0.0, Cell::NONE.splits); Batch::SIZE], len: 0 }
    }

    /// Takes in a bundle, if it has splits, and says whether the batch must be taken out now.
    #[inline(always)]
    pub(super) fn push(&mut self, weight: f64, splits: Splits) -> bool {
        self.bundles[self.len % Batch::SIZE] = (weight, splits);
        self.len += usize::from(splits.len > 0);
        self.len == Batch::SIZE
    }

    /// Takes out what is in it.
    #[inline(always)]
    pub(super) fn take(&mut self) -> &[(f64, Splits)] {
        let len = std::mem::take(&mut self.len);
        &self.bundles[..len]
    }
}
