//! The prior of the parameters, and draws from what it becomes with counts.
//!
//! ```text
//! θ_tag  ~ Dirichlet(α)            α: symmetric, and more for favoured rules
//! θ_word ~ Dirichlet(κ · θ_tag)    for words with distributions of their own
//! ```
//!
//! Given trees, θ_word is integrated out when θ_tag is drawn: of n(w, e) uses of an event by a word, the number that
//! came "fresh" from the tag's distribution is that of the tables of a Chinese restaurant with concentration
//! κ · θ_tag(e), and these tables count for the tag.

use arcs::dmv::DmvShape;
use chain::{Stream, Workers};
use num::dist;
use serde::{Deserialize, Serialize};

use super::{GpcOptions, Vocabulary};
use arcs::rules::ROOT;

/// 2^−99: the least probability of an event.
const LEAST: f64 = f64::from_bits((1023 - 99) << 52);

/// Concentrations of all events, and which tag each word backs off to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DmvPrior {
    /// How events are numbered.
    pub shape: DmvShape,
    /// α of the events of the root and of tags.
    pub alpha: Vec<f64>,
    /// The tag of each word.
    pub backoff: Vec<u32>,
    /// κ.
    pub lexical_weight: f64,
}

impl DmvPrior {
    /// The prior that options ask for.
    pub fn new(vocabulary: &Vocabulary, options: &GpcOptions) -> DmvPrior {
        let n_tags = vocabulary.n_tags();
        let shape = DmvShape::new(n_tags, vocabulary.words().len(), options.valence);
        let mut alpha = vec![options.stop_alpha; DmvShape::new(n_tags, 0, options.valence).len()];
        alpha[..n_tags].fill(options.root_alpha);
        for head in 0..n_tags {
            for (start, len) in shape.rows_of(head).skip(4) {
                alpha[start..start + len].fill(options.choice_alpha);
            }
        }
        if let Some(rules) = &options.rules {
            let tags = vocabulary.tags();
            for (dependent, tag) in tags.iter().enumerate() {
                alpha[dependent] += options.rule_weight * rules.weight(ROOT, tag);
                for (head, head_tag) in tags.iter().enumerate() {
                    let extra = options.rule_weight * rules.weight(head_tag, tag);
                    shape.rows_of(head).skip(4).for_each(|(start, _)| alpha[start + dependent] += extra);
                }
            }
        }
        let backoff = vocabulary.words().iter().map(|&(_, tag)| tag).collect();
        DmvPrior { shape, alpha, backoff, lexical_weight: options.lexical_weight }
    }

    /// Draws parameters given counts. `parameters` holds those of tags that were drawn last, and then the new ones.
    ///
    /// The tables of words are left in `tables`, by the events of their tags.
    pub fn draw(
        &self,
        counts: &[f64],
        parameters: &mut Vec<f64>,
        tables: &mut Vec<f64>,
        stream: Stream,
        workers: &Workers,
    ) {
        self.seat(counts, parameters, tables, stream.purpose("tables"), workers);
        let rows: Vec<(usize, usize)> =
            self.shape.rows().take_while(|(start, _)| *start < self.alpha.len()).collect();
        let of_tags = workers.map(&rows, |at, &(start, len)| {
            let alpha: Vec<f64> =
                (start..start + len).map(|event| self.alpha[event] + counts[event] + tables[event]).collect();
            dist::dirichlet(&mut stream.item(at).rng(), &alpha)
        });
        parameters.clear();
        of_tags.iter().for_each(|row| parameters.extend(row));
        let words: Vec<usize> = (0..self.backoff.len()).collect();
        let stream = stream.purpose("words");
        let of_words = workers.map(&words, |_, &word| {
            let rng = &mut stream.item(word).rng();
            let (head, distance) = self.word(word);
            let mut drawn = Vec::new();
            for (start, len) in self.shape.rows_of(head) {
                let shapes: Vec<f64> = (start..start + len)
                    .map(|event| self.lexical_weight * parameters[event - distance] + counts[event])
                    .collect();
                drawn.extend(dist::dirichlet(rng, &shapes));
            }
            drawn
        });
        of_words.iter().for_each(|block| parameters.extend(block));
        // Whatever is forced must have a probability, and the product of two be within reach of plain numbers.
        parameters.iter_mut().for_each(|value| *value = value.max(LEAST));
    }

    /// Parameters given mean counts, tables included: the means of the Dirichlet distributions.
    pub fn mean(&self, counts: &[f64]) -> Vec<f64> {
        let mut parameters = vec![0.0; self.shape.len()];
        for (start, len) in self.shape.rows().take_while(|(start, _)| *start < self.alpha.len()) {
            let total: f64 = (start..start + len).map(|event| self.alpha[event] + counts[event]).sum();
            (start..start + len)
                .for_each(|event| parameters[event] = (self.alpha[event] + counts[event]) / total);
        }
        for word in 0..self.backoff.len() {
            let (head, distance) = self.word(word);
            for (start, len) in self.shape.rows_of(head) {
                let total: f64 = self.lexical_weight + counts[start..start + len].iter().sum::<f64>();
                for event in start..start + len {
                    let prior = self.lexical_weight * parameters[event - distance];
                    parameters[event] = (prior + counts[event]) / total;
                }
            }
        }
        parameters
    }

    /// Draws how many tables the events of words take at their tags.
    fn seat(
        &self,
        counts: &[f64],
        parameters: &[f64],
        tables: &mut Vec<f64>,
        stream: Stream,
        workers: &Workers,
    ) {
        tables.clear();
        tables.resize(self.alpha.len(), 0.0);
        let words: Vec<usize> = (0..self.backoff.len()).collect();
        let seated = workers.map(&words, |_, &word| {
            let rng = &mut stream.item(word).rng();
            let (head, distance) = self.word(word);
            let mut taken = Vec::new();
            for event in self.shape.rows_of(head).flat_map(|(start, len)| start..start + len) {
                let n = counts[event] as u64;
                if n > 0 {
                    let concentration = self.lexical_weight * parameters[event - distance];
                    taken.push((event - distance, dist::crt(rng, n, concentration) as f64));
                }
            }
            taken
        });
        // Whole numbers, so that the order of the sum does not matter.
        seated.into_iter().flatten().for_each(|(event, n)| tables[event] += n);
    }

    /// The number of a word as a head, and how far its events are behind those of its tag.
    fn word(&self, word: usize) -> (usize, usize) {
        let head = self.shape.n_tags() + word;
        (head, self.shape.distance(head, self.backoff[word] as usize))
    }
}
