//! Numbers for pieces of words, found without building a string.
//!
//! All words stand one after the other in a pool of letters. A piece is a place in that pool, and two places with the
//! same letters have the same number. The hash of a piece is that of a polynomial, so it comes from two sums that are
//! kept for every position of the pool:
//!
//! hash(i, j) = Σ_{i ≤ k < j} letter_k · b^{j−1−k} = sum_j − sum_i · b^{j−i}   (modulo 2⁶⁴)

use crate::letters::Letter;

/// The number of a piece.
pub(crate) type Piece = u32;

/// A place in the pool.
#[derive(Clone, Copy, Debug)]
struct Place {
    start: u32,
    len: u32,
}

/// The pool and its numbered pieces.
#[derive(Clone, Debug)]
pub(crate) struct Substrings {
    pool: Vec<Letter>,
    /// The hash of the first i letters, for every i.
    sums: Vec<u64>,
    /// b to the power of i.
    powers: Vec<u64>,
    places: Vec<Place>,
    hashes: Vec<u64>,
    /// Open addressing: a piece, or `EMPTY`; at most half of them are taken.
    slots: Vec<Piece>,
}

const BASE: u64 = 0x9E37_79B9_7F4A_7C15;
const EMPTY: Piece = Piece::MAX;
/// Pieces and letters are numbered in 32 bits.
pub(crate) const MOST_LETTERS: usize = 1 << 31;

impl Default for Substrings {
    fn default() -> Substrings {
        Substrings {
            pool: Vec::new(),
            sums: vec![0],
            powers: vec![1],
            places: Vec::new(),
            hashes: Vec::new(),
            slots: vec![EMPTY; 1 << 10],
        }
    }
}

impl Substrings {
    /// The number of pieces.
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// Start and length of every piece.
    pub(crate) fn places(&self) -> Vec<(u32, u32)> {
        self.places.iter().map(|place| (place.start, place.len)).collect()
    }

    /// Numbers pieces as they were numbered in a pool of the same words; false if it had other words.
    pub(crate) fn renew(&mut self, places: &[(u32, u32)]) -> bool {
        let is_inside =
            |&(start, len): &(u32, u32)| u64::from(start) + u64::from(len) <= self.pool.len() as u64;
        let is_known = |place: &Place, &(start, len): &(u32, u32)| (place.start, place.len) == (start, len);
        if places.len() < self.len()
            || !places.iter().all(is_inside)
            || !self.places.iter().zip(places).all(|(place, other)| is_known(place, other))
        {
            return false;
        }
        (places.iter().enumerate().skip(self.len()))
            .all(|(piece, &(start, len))| self.number(start as usize, len as usize) == piece as Piece)
    }

    /// Letters in the pool.
    pub(crate) fn n_letters(&self) -> usize {
        self.pool.len()
    }

    /// The letters of a piece.
    pub(crate) fn letters(&self, piece: Piece) -> &[Letter] {
        let Place { start, len } = self.places[piece as usize];
        &self.pool[start as usize..(start + len) as usize]
    }

    /// The number of letters of a piece.
    pub(crate) fn n_letters_of(&self, piece: Piece) -> usize {
        self.places[piece as usize].len as usize
    }

    /// The number of a word, which is put into the pool if it is not part of it yet.
    pub(crate) fn add(&mut self, word: &[Letter]) -> Piece {
        let start = self.pool.len();
        for &letter in word {
            self.pool.push(letter);
            let sum = self.sums[self.sums.len() - 1];
            self.sums.push(sum.wrapping_mul(BASE).wrapping_add(u64::from(letter) + 1));
        }
        while self.powers.len() <= word.len() {
            self.powers.push(self.powers[self.powers.len() - 1].wrapping_mul(BASE));
        }
        let known = self.len();
        let piece = self.number(start, word.len());
        if self.len() == known {
            self.pool.truncate(start);
            self.sums.truncate(start + 1);
        }
        piece
    }

    /// The number of the part of a piece from letter `from` to before letter `to`.
    pub(crate) fn part(&mut self, piece: Piece, from: usize, to: usize) -> Piece {
        let start = self.places[piece as usize].start as usize;
        self.number(start + from, to - from)
    }

    /// The number of a word, if it has one.
    pub(crate) fn find(&self, hash: u64, letters: &[Letter]) -> Option<Piece> {
        match self.slots[self.slot(hash, letters)] {
            EMPTY => None,
            piece => Some(piece),
        }
    }

    fn number(&mut self, start: usize, len: usize) -> Piece {
        let hash = mix(self.sums[start + len].wrapping_sub(self.sums[start].wrapping_mul(self.powers[len])));
        let slot = self.slot(hash, &self.pool[start..start + len]);
        if self.slots[slot] != EMPTY {
            return self.slots[slot];
        }
        let piece = self.places.len() as Piece;
        self.places.push(Place { start: start as u32, len: len as u32 });
        self.hashes.push(hash);
        self.slots[slot] = piece;
        if self.places.len() * 2 > self.slots.len() {
            self.grow();
        }
        piece
    }

    /// Where a piece is, or would be put.
    fn slot(&self, hash: u64, letters: &[Letter]) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        while self.slots[slot] != EMPTY {
            let piece = self.slots[slot];
            if self.hashes[piece as usize] == hash && self.letters(piece) == letters {
                break;
            }
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) {
        let mask = self.slots.len() * 2 - 1;
        self.slots = vec![EMPTY; mask + 1];
        for (piece, &hash) in self.hashes.iter().enumerate() {
            let mut slot = hash as usize & mask;
            while self.slots[slot] != EMPTY {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = piece as Piece;
        }
    }
}

/// The hashes of all pieces that begin at one letter, one more letter at a time.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Growing(u64);

impl Growing {
    /// The hash with one more letter.
    pub(crate) fn push(&mut self, letter: Letter) -> u64 {
        self.0 = self.0.wrapping_mul(BASE).wrapping_add(u64::from(letter) + 1);
        mix(self.0)
    }
}

/// The low bits of a polynomial know only the last letters; this spreads all of them.
fn mix(hash: u64) -> u64 {
    let hash = (hash ^ (hash >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    hash ^ (hash >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        #[test]
        fn equal_pieces_and_only_they_have_equal_numbers(words in prop::collection::vec(prop::collection::vec(0u32..3, 1..9), 1..40)) {
            let mut table = Substrings::default();
            let mut known: HashMap<Vec<u32>, Piece> = HashMap::new();
            for word in &words {
                let piece = table.add(word);
                for from in 0..word.len() {
                    let mut growing = Growing::default();
                    for to in from + 1..=word.len() {
                        let hash = growing.push(word[to - 1]);
                        let part = table.part(piece, from, to);
                        prop_assert_eq!(table.letters(part), &word[from..to]);
                        prop_assert_eq!(*known.entry(word[from..to].to_vec()).or_insert(part), part);
                        prop_assert_eq!(table.find(hash, &word[from..to]), Some(part));
                    }
                }
            }
            prop_assert_eq!(table.len(), known.len());
        }
    }
}
