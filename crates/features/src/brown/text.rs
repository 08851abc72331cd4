//! A text as numbers of words and counts of neighbours.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

/// Words by number, and how often which stands beside which.
///
/// Numbers from `n_words()` on are of two things that are no words: [`Text::edge`] stands before the first and after the last
/// word of every sentence, [`Text::rest`] for every word that is not clustered.
#[derive(Debug, Clone)]
pub(super) struct Text<'a> {
    /// The words that are clustered with their counts, the most frequent first.
    pub(super) words: Vec<(&'a str, u64)>,
    /// The words that follow each word, with counts, in the order of their numbers.
    pub(super) after: Vec<Vec<(u32, u64)>>,
    /// The words that precede it.
    pub(super) before: Vec<Vec<(u32, u64)>>,
}

/// Things that are no words.
pub(super) const N_OTHERS: usize = 2;

impl<'a> Text<'a> {
    pub(super) fn new<S>(
        sentences: impl IntoIterator<Item = S>,
        min_count: usize,
        most_words: usize,
    ) -> Text<'a>
    where
        S: IntoIterator<Item = &'a str>,
    {
        let sentences: Vec<Vec<&str>> = sentences.into_iter().map(|s| s.into_iter().collect()).collect();
        let words = frequent(&sentences, min_count, most_words);
        let numbers: FxHashMap<&str, u32> = (0..).zip(&words).map(|(at, &(form, _))| (form, at)).collect();
        let mut text = Text { words, after: Vec::new(), before: Vec::new() };
        let (edge, rest) = (text.edge() as u32, text.rest() as u32);
        let mut pairs: FxHashMap<(u32, u32), u64> = FxHashMap::default();
        for sentence in sentences.iter().filter(|sentence| !sentence.is_empty()) {
            let mut last = edge;
            let numbered = sentence.iter().map(|form| numbers.get(form).copied().unwrap_or(rest));
            for next in numbered.chain([edge]) {
                *pairs.entry((last, next)).or_default() += 1;
                last = next;
            }
        }
        text.set_pairs(pairs.into_iter().collect());
        text
    }

    fn set_pairs(&mut self, mut pairs: Vec<((u32, u32), u64)>) {
        // The order in which a hash table is walked must not show.
        pairs.sort_unstable();
        let n = self.words.len() + N_OTHERS;
        (self.after, self.before) = (vec![Vec::new(); n], vec![Vec::new(); n]);
        for ((left, right), count) in pairs {
            self.after[left as usize].push((right, count));
            self.before[right as usize].push((left, count));
        }
    }

    pub(super) fn n_words(&self) -> usize {
        self.words.len()
    }

    /// The number of what stands at both ends of sentences.
    pub(super) fn edge(&self) -> usize {
        self.words.len()
    }

    /// The number of all other words.
    pub(super) fn rest(&self) -> usize {
        self.words.len() + 1
    }
}

/// The most frequent words; of equally frequent ones those that come first in the alphabet.
fn frequent<'a>(sentences: &[Vec<&'a str>], min_count: usize, most_words: usize) -> Vec<(&'a str, u64)> {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for form in sentences.iter().flatten() {
        *counts.entry(form).or_default() += 1;
    }
    let mut words: Vec<(&str, u64)> =
        counts.into_iter().filter(|&(_, count)| count >= min_count as u64).collect();
    words.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    words.truncate(most_words);
    words
}
