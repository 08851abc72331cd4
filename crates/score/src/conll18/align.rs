//! Which gold word is which system word.

use super::corpus::{Corpus, NONE, Range, Word};

/// Pairs of gold and system words in the order of the text.
#[derive(Clone, Debug)]
pub(super) struct Alignment {
    /// Gold and system word of each pair.
    pub(super) pairs: Vec<(u32, u32)>,
    /// The gold word of each system word, or [`NONE`].
    pub(super) gold_of: Vec<u32>,
}

impl Alignment {
    /// Aligns words by their place in the text, and by longest common subsequence of the forms where
    /// multiword tokens hide the place of a word.
    ///
    /// Linear in the number of words, but for the regions with multiword tokens, where it is quadratic.
    pub(super) fn new(gold: &Corpus<'_>, system: &Corpus<'_>) -> Self {
        let n_pairs = gold.words.len().min(system.words.len());
        let mut alignment =
            Self { pairs: Vec::with_capacity(n_pairs), gold_of: vec![NONE; system.words.len()] };
        let (mut g, mut s) = (0, 0);
        while let (Some(gold_word), Some(system_word)) = (gold.words.get(g), system.words.get(s)) {
            if gold_word.is_multiword || system_word.is_multiword {
                let region = Region::around(&gold.words, &system.words, g, s);
                alignment.add_region(&gold.words, &system.words, &region);
                (g, s) = region.end;
            } else if gold_word.range == system_word.range {
                alignment.add(g, s);
                (g, s) = (g + 1, s + 1);
            } else if gold_word.range.start <= system_word.range.start {
                g += 1;
            } else {
                s += 1;
            }
        }
        alignment
    }

    fn add(&mut self, gold: usize, system: usize) {
        self.pairs.push((gold as u32, system as u32));
        self.gold_of[system] = gold as u32;
    }

    fn add_region(&mut self, gold: &[Word<'_>], system: &[Word<'_>], region: &Region) {
        let (first_gold, first_system) = region.start;
        let (gold, system) = (&gold[first_gold..region.end.0], &system[first_system..region.end.1]);
        // Most regions are one multiword token that both sides split alike.
        if gold.iter().map(Word::form).eq(system.iter().map(Word::form)) {
            (0..gold.len()).for_each(|index| self.add(first_gold + index, first_system + index));
            return;
        }
        let (gold, system) = (forms(gold), forms(system));
        let lengths = common_subsequences(&gold, &system);
        let (mut g, mut s) = (0, 0);
        while g < gold.len() && s < system.len() {
            if gold[g] == system[s] {
                self.add(first_gold + g, first_system + s);
                (g, s) = (g + 1, s + 1);
            } else if lengths[g][s] == lengths[g + 1][s] {
                g += 1;
            } else {
                s += 1;
            }
        }
    }
}

fn forms(words: &[Word<'_>]) -> Vec<String> {
    words.iter().map(|word| word.form().to_lowercase()).collect()
}

/// `lengths[g][s]` is the length of the longest common subsequence of `gold[g..]` and `system[s..]`.
fn common_subsequences(gold: &[String], system: &[String]) -> Vec<Vec<u32>> {
    let mut lengths = vec![vec![0; system.len() + 1]; gold.len() + 1];
    for g in (0..gold.len()).rev() {
        for s in (0..system.len()).rev() {
            let here = if gold[g] == system[s] { 1 + lengths[g + 1][s + 1] } else { 0 };
            lengths[g][s] = here.max(lengths[g + 1][s]).max(lengths[g][s + 1]);
        }
    }
    lengths
}

/// A stretch of text that no multiword token of either side sticks out of: the smallest one around some
/// multiword token. Pairs are (gold word, system word).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Region {
    start: (usize, usize),
    end: (usize, usize),
}

impl Region {
    /// The region that begins at words `g` and `s`, of which at least one is in a multiword token.
    fn around(gold: &[Word<'_>], system: &[Word<'_>], mut g: usize, mut s: usize) -> Self {
        let starts_before =
            |word: &Word<'_>, range: Range| !word.is_multiword && word.range.start < range.start;
        let mut end;
        if gold[g].is_multiword {
            end = gold[g].range.end;
            s += usize::from(starts_before(&system[s], gold[g].range));
        } else {
            end = system[s].range.end;
            g += usize::from(starts_before(&gold[g], system[s].range));
        }
        let start = (g, s);
        while is_inside(gold.get(g), end) || is_inside(system.get(s), end) {
            let gold_is_next = match (gold.get(g), system.get(s)) {
                (Some(gold), Some(system)) => gold.range.start <= system.range.start,
                (gold, _) => gold.is_some(),
            };
            let next = if gold_is_next { gold[g] } else { system[s] };
            if next.is_multiword {
                end = end.max(next.range.end);
            }
            if gold_is_next { g += 1 } else { s += 1 }
        }
        Self { start, end: (g, s) }
    }
}

/// Whether a word belongs to a region that reaches to `end`.
fn is_inside(word: Option<&Word<'_>>, end: u32) -> bool {
    word.is_some_and(|word| if word.is_multiword { word.range.start < end } else { word.range.end <= end })
}
