//! Scores of single arcs.

use arcs::ArcScores;
use features::spread;

use super::attributes::Attributes;
use super::codes::{Codes, direction};
use super::table::Table;
use super::templates::{TemplateKind, Templates};

/// The features of all arcs of a sentence.
#[derive(Debug, Clone, Default)]
pub(super) struct ArcFeatures {
    n_words: usize,
    pairs: Codes,
    between: Codes,
    /// For each word the number of its kind among the words of the sentence, below 64.
    kinds: Vec<u8>,
    /// By kind, then by template: what a word between adds.
    kind_codes: Vec<u64>,
    n_between: usize,
}

impl ArcFeatures {
    pub(super) fn new(templates: &Templates, words: &Attributes) -> ArcFeatures {
        let roles = TemplateKind::Arc.roles().len();
        let mut features = ArcFeatures {
            n_words: words.n_words(),
            pairs: Codes::new(&templates.arc, roles, words),
            between: Codes::new(&templates.between, roles, words),
            n_between: templates.between.len(),
            ..ArcFeatures::default()
        };
        features.find_kinds(templates, words);
        features
    }

    /// Words that no template tells apart are of one kind. More than 64 kinds are hardly ever found, and then the
    /// last ones are taken together.
    fn find_kinds(&mut self, templates: &Templates, words: &Attributes) {
        let mut seen: Vec<Vec<u64>> = Vec::new();
        self.kinds.push(0);
        for word in 1..=self.n_words {
            let values = templates.between.iter().filter_map(|template| {
                let salt = spread(template.salt.wrapping_add(0xB));
                template.between.map(|attribute| spread(words.at(word, 0, attribute) ^ salt))
            });
            let values: Vec<u64> = values.collect();
            let kind = seen.iter().position(|seen| *seen == values).unwrap_or_else(|| {
                seen.push(values);
                seen.len() - 1
            });
            self.kinds.push(kind.min(63) as u8);
        }
        seen.truncate(64);
        self.kind_codes = seen.concat();
    }

    /// Fills in the scores of all arcs of words that are not left out.
    pub(super) fn score(&self, table: &Table, left_out: impl Fn(usize) -> bool, scores: &mut ArcScores) {
        match table.halves() {
            Some(halves) => self.score_by(|key| halves.weight(key), left_out, scores),
            None => self.score_by(|key| table.weight(key), left_out, scores),
        }
    }

    fn score_by(
        &self,
        weight: impl Fn(u64) -> f32 + Copy,
        left_out: impl Fn(usize) -> bool,
        scores: &mut ArcScores,
    ) {
        scores.reset(self.n_words);
        for dependent in (1..=self.n_words).filter(|&word| !left_out(word)) {
            let row = scores.row_mut(dependent);
            let (before, after) = row.split_at_mut(dependent);
            let mut kinds = 0u64;
            for (head, score) in before.iter_mut().enumerate().rev() {
                *score = self.score_arc(weight, head, dependent, kinds);
                kinds |= 1 << self.kinds[head];
            }
            kinds = 0;
            for (head, score) in (dependent + 1..).zip(after.iter_mut().skip(1)) {
                *score = self.score_arc(weight, head, dependent, kinds);
                kinds |= 1 << self.kinds[head];
            }
        }
    }

    #[inline]
    fn score_arc(&self, weight: impl Fn(u64) -> f32, head: usize, dependent: usize, kinds: u64) -> f64 {
        // Several sums side by side: the additions of one would wait for each other.
        let mut sums = [0f32; 4];
        let mut at = 0;
        self.each_with(head, dependent, kinds, |key| {
            sums[at & 3] += weight(key);
            at += 1;
        });
        f64::from((sums[0] + sums[1]) + (sums[2] + sums[3]))
    }

    /// The score of one arc.
    #[inline]
    pub(super) fn score_one(&self, weight: impl Fn(u64) -> f32, head: usize, dependent: usize) -> f64 {
        self.score_arc(weight, head, dependent, self.kinds_between(head, dependent))
    }

    /// Shows the keys of all features of an arc.
    #[inline]
    pub(super) fn each(&self, head: usize, dependent: usize, visit: impl FnMut(u64)) {
        self.each_with(head, dependent, self.kinds_between(head, dependent), visit);
    }

    fn kinds_between(&self, head: usize, dependent: usize) -> u64 {
        let (first, last) = (head.min(dependent), head.max(dependent));
        self.kinds[first + 1..last].iter().fold(0, |kinds, &kind| kinds | 1 << kind)
    }

    // Not inlined, the sums of `score_arc` lie in memory and not in registers: a quarter more instructions.
    #[inline(always)]
    fn each_with(&self, head: usize, dependent: usize, mut kinds: u64, mut visit: impl FnMut(u64)) {
        let (shape, length) = direction(head, dependent);
        self.pairs.each_pair([head, dependent], shape, length, &mut visit);
        if self.n_between == 0 {
            return;
        }
        let (a, b) = (self.between.row(0, head), self.between.row(1, dependent));
        while kinds != 0 {
            let kind = kinds.trailing_zeros() as usize;
            kinds &= kinds - 1;
            let codes = &self.kind_codes[kind * self.n_between..][..self.n_between];
            for ((a, b), c) in a.iter().zip(b).zip(codes) {
                visit(a.wrapping_add(*b).wrapping_add(*c).wrapping_add(shape));
            }
        }
    }
}
