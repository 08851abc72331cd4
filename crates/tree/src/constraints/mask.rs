//! Which arcs are allowed, and why others are not.

use super::bits::{BitRows, holds, insert, ones, ones_of, only};
use crate::Place;

/// A bit per arc, and for each arc that is not allowed the place of what forbids it.
///
/// Starts permissive and only narrows. About n²/8 bytes, and 4·n² more once something is forbidden.
#[derive(Clone, Debug)]
pub(super) struct ArcMask {
    n_words: usize,
    /// The possible heads of each word; row 0 is empty.
    allowed: BitRows,
    /// An index into `places` per arc, from 1; empty as long as nothing is forbidden.
    reasons: Vec<u32>,
    places: Vec<Place>,
}

impl ArcMask {
    /// Everything but loops.
    pub(super) fn all(n_words: usize) -> Self {
        let mut allowed = BitRows::empty(n_words + 1, n_words);
        let mut all = BitRows::empty(1, n_words);
        (0..=n_words).for_each(|head| _ = insert(all.row_mut(0), head));
        for word in 1..=n_words {
            let row = allowed.row_mut(word);
            row.copy_from_slice(all.row(0));
            row[word / 64] &= !(1 << (word % 64));
        }
        Self { n_words, allowed, reasons: Vec::new(), places: Vec::new() }
    }

    /// Whether `dependent` may depend on `head`; false for words that do not exist.
    pub(super) fn allows(&self, head: usize, dependent: usize) -> bool {
        dependent <= self.n_words && holds(self.allowed.row(dependent), head)
    }

    /// Rules an arc out; whether that is news.
    pub(super) fn forbid(&mut self, head: usize, dependent: usize, place: Place) -> bool {
        if !self.allows(head, dependent) {
            return false;
        }
        let kept = |block: usize| if block == head / 64 { !(1 << (head % 64)) } else { u64::MAX };
        self.keep(dependent, place, kept)
    }

    /// Leaves only those heads of `dependent` whose bits are set in `kept`, which gives a block of 64 heads
    /// for its number; whether one was ruled out.
    pub(super) fn keep(&mut self, dependent: usize, place: Place, kept: impl Fn(usize) -> u64) -> bool {
        let mut reason = 0;
        for block in 0..self.allowed.row(dependent).len() {
            let heads = &mut self.allowed.row_mut(dependent)[block];
            let out = *heads & !kept(block);
            if out == 0 {
                continue;
            }
            *heads &= !out;
            if reason == 0 {
                reason = self.reason_number(place);
            }
            let cell = self.cell(64 * block, dependent);
            ones_of(out).for_each(|bit| self.reasons[cell + bit] = reason);
        }
        reason != 0
    }

    fn reason_number(&mut self, place: Place) -> u32 {
        if self.reasons.is_empty() {
            self.reasons = vec![0; self.n_words * (self.n_words + 1)];
        }
        // Restrictions of one place come one after the other, so that looking at the last one is enough.
        if self.places.last() != Some(&place) {
            self.places.push(place);
        }
        u32::try_from(self.places.len()).expect("fewer than four thousand million restrictions")
    }

    fn cell(&self, head: usize, dependent: usize) -> usize {
        (dependent - 1) * (self.n_words + 1) + head
    }

    /// Where the arc was ruled out; `None` if it is allowed, a loop, or does not exist.
    pub(super) fn reason(&self, head: usize, dependent: usize) -> Option<Place> {
        if head > self.n_words || dependent == 0 || dependent > self.n_words {
            return None;
        }
        let number = *self.reasons.get(self.cell(head, dependent))?;
        self.places.get((number as usize).checked_sub(1)?).copied()
    }

    /// Possible heads of `dependent` as bits.
    pub(super) fn row(&self, dependent: usize) -> &[u64] {
        self.allowed.row(dependent)
    }

    /// Possible heads of `dependent` in rising order.
    #[cfg(test)]
    pub(super) fn heads(&self, dependent: usize) -> impl Iterator<Item = usize> {
        ones(self.row(dependent))
    }

    /// Whether `dependent` has a possible head.
    pub(super) fn has_head(&self, dependent: usize) -> bool {
        ones(self.row(dependent)).next().is_some()
    }

    /// The only possible head, if there is exactly one.
    pub(super) fn only_head(&self, dependent: usize) -> Option<usize> {
        only(self.row(dependent))
    }
}
