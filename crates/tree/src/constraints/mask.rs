//! Which arcs are allowed, and why others are not.

use crate::Place;

/// A bit per arc, and for each arc that is not allowed the place of what forbids it.
///
/// Starts permissive and only narrows. About n²/8 bytes, and 4·n² once something is forbidden.
#[derive(Clone, Debug)]
pub(super) struct ArcMask {
    n_words: usize,
    /// Blocks of 64 heads per dependent.
    n_blocks: usize,
    allowed: Vec<u64>,
    /// An index into `places` per arc, from 1; empty as long as nothing is forbidden.
    reasons: Vec<u32>,
    places: Vec<Place>,
}

impl ArcMask {
    /// Everything but loops.
    pub(super) fn all(n_words: usize) -> Self {
        let n_blocks = (n_words + 1).div_ceil(64);
        let mut mask = Self {
            n_words,
            n_blocks,
            allowed: vec![u64::MAX; n_blocks * n_words],
            reasons: Vec::new(),
            places: Vec::new(),
        };
        for word in 1..=n_words {
            let (block, bit) = mask.address(word, word);
            mask.allowed[block] &= !bit;
        }
        mask
    }

    fn address(&self, head: usize, dependent: usize) -> (usize, u64) {
        ((dependent - 1) * self.n_blocks + head / 64, 1 << (head % 64))
    }

    /// Whether `dependent` may depend on `head`; false for words that do not exist.
    pub(super) fn allows(&self, head: usize, dependent: usize) -> bool {
        if head > self.n_words || dependent == 0 || dependent > self.n_words {
            return false;
        }
        let (block, bit) = self.address(head, dependent);
        self.allowed[block] & bit != 0
    }

    /// Rules an arc out; whether that is news.
    pub(super) fn forbid(&mut self, head: usize, dependent: usize, place: Place) -> bool {
        if !self.allows(head, dependent) {
            return false;
        }
        let (block, bit) = self.address(head, dependent);
        self.allowed[block] &= !bit;
        let reason = self.reason_number(place);
        let cell = self.cell(head, dependent);
        self.reasons[cell] = reason;
        true
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

    /// Possible heads of `dependent` in rising order.
    pub(super) fn heads(&self, dependent: usize) -> impl Iterator<Item = usize> {
        (0..=self.n_words).filter(move |&head| self.allows(head, dependent))
    }

    /// The only possible head, if there is exactly one.
    pub(super) fn only_head(&self, dependent: usize) -> Option<usize> {
        let mut heads = self.heads(dependent);
        heads.next().filter(|_| heads.next().is_none())
    }
}
