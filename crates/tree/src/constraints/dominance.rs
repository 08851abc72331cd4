//! Which words are known to dominate which, whatever the tree.

use super::bits::{BitRows, holds, insert, ones, ones_of};
use super::claims::Claims;
use super::conflict::Conflict;
use super::narrow::{Narrowed, two_places};
use crate::Place;

/// What is known of dominance: by required arcs, by known heads of brackets, and by chains of these.
///
/// Bits take n²/32 bytes; the closure takes n³/64 steps if everything dominates everything, and n²·depth/64
/// for a tree.
pub(super) struct Dominance<'a> {
    claims: &'a Claims,
    narrowed: &'a Narrowed,
    /// The words known to be below each word.
    below: BitRows,
}

impl<'a> Dominance<'a> {
    pub(super) fn new(claims: &'a Claims, narrowed: &'a Narrowed) -> Self {
        let n_words = claims.n_words;
        let mut above = BitRows::empty(n_words + 1, n_words);
        for word in 1..=n_words {
            if let Some(head) = narrowed.mask.only_head(word).filter(|&head| head != 0) {
                insert(above.row_mut(word), head);
            }
        }
        for (bracket, tops) in claims.brackets.iter().zip(&narrowed.tops) {
            if let Some(top) = tops.only() {
                let others = bracket.words.iter().filter(|&&word| word != top);
                others.for_each(|&word| _ = insert(above.row_mut(word), top));
            }
        }
        close(n_words, &mut above);
        let below = mirrored(n_words, &above);
        Self { claims, narrowed, below }
    }

    /// A word that would be below itself.
    pub(super) fn check(&self) -> Result<(), Conflict> {
        match (1..=self.claims.n_words).find(|&word| holds(self.below.row(word), word)) {
            Some(word) => Err(self.cycle_of(word)),
            None => Ok(()),
        }
    }

    /// First and last word that `word` is known to dominate, itself included.
    pub(super) fn reach(&self, word: usize) -> (usize, usize) {
        let below = || ones(self.below.row(word));
        (below().next().unwrap_or(word).min(word), below().last().unwrap_or(word).max(word))
    }

    /// Arcs that are allowed although the head is below the dependent: head, dependent, and where it was said
    /// that something is above the head.
    pub(super) fn upwards(&self) -> impl Iterator<Item = (usize, usize, Place)> {
        let place = |word: usize| self.links(word).next().map_or_else(Place::default, |(_, place)| place);
        let heads = |word: usize| self.narrowed.mask.row(word).iter().zip(self.below.row(word));
        (1..=self.claims.n_words).flat_map(move |word| {
            let both = heads(word)
                .enumerate()
                .flat_map(|(index, (head, below))| ones_of(head & below).map(move |bit| 64 * index + bit));
            both.map(move |lower| (lower, word, place(lower)))
        })
    }

    /// The words known to be above `word` without a chain, and where that was said.
    fn links(&self, word: usize) -> impl Iterator<Item = (usize, Place)> {
        let mask = &self.narrowed.mask;
        let head = mask.only_head(word).filter(|&head| head != 0);
        let reason = move || (0..=self.claims.n_words).find_map(|other| mask.reason(other, word));
        let brackets = self.claims.brackets.iter().zip(&self.narrowed.tops);
        let by_brackets = brackets.filter_map(move |(bracket, tops)| {
            let top = tops.only().filter(|&top| top != word && bracket.holds(word))?;
            Some((top, bracket.place))
        });
        head.map(|head| (head, reason().unwrap_or_default())).into_iter().chain(by_brackets)
    }

    /// The words above and below `word` at once, which is one of them.
    fn cycle_of(&self, word: usize) -> Conflict {
        let is_on_cycle =
            |other: usize| holds(self.below.row(word), other) && holds(self.below.row(other), word);
        let words: Vec<usize> = ones(self.below.row(word)).filter(|&other| is_on_cycle(other)).collect();
        let links = words.iter().flat_map(|&word| self.links(word));
        let (first, second) =
            two_places(links.filter(|&(above, _)| is_on_cycle(above)).map(|(_, place)| place));
        Conflict::Cycle { words, first, second }
    }
}

/// The transitive closure: after step k, row i holds all that i reaches by way of words up to k.
fn close(n_words: usize, rows: &mut BitRows) {
    for middle in 1..=n_words {
        if rows.row(middle).iter().all(|&block| block == 0) {
            continue;
        }
        for word in 1..=n_words {
            if holds(rows.row(word), middle) {
                rows.unite(word, middle);
            }
        }
    }
}

fn mirrored(n_words: usize, rows: &BitRows) -> BitRows {
    let mut mirrored = BitRows::empty(n_words + 1, n_words);
    for word in 1..=n_words {
        ones(rows.row(word)).for_each(|other| _ = insert(mirrored.row_mut(other), word));
    }
    mirrored
}
