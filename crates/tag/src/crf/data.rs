//! Sentences to learn from, as rows of weights.

use chain::container::crc64;
use features::Index;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use tree::Text;

use super::features::{Further, N_PLACES, Seen, pairs};
use super::index::FeatureCounts;
use super::lattice::restricts;
use super::options::CrfOptions;
use crate::{Choice, Tagged};

/// A sentence.
#[derive(Debug)]
pub(super) struct Example<'d> {
    /// The number of each word.
    words: Vec<u32>,
    /// Rows of what is seen of neighbours together, word by word, and where those of each word end.
    pairs: Vec<u32>,
    ends: Vec<u32>,
    pub(super) choices: &'d [Choice],
    pub(super) weight: f64,
}

/// All sentences, and the rows of each word at every place.
#[derive(Debug)]
pub(super) struct Data<'d> {
    pub(super) examples: Vec<Example<'d>>,
    rows: Vec<[Vec<u32>; N_PLACES]>,
    boundary: [Vec<u32>; N_PLACES],
}

/// Words, numbered as they come, and what is seen of them.
struct NumberedWords {
    numbers: IndexMap<Text, Seen, FxBuildHasher>,
    boundary: Seen,
}

impl<'d> Data<'d> {
    /// Sentences about whose tags something is known, and the features that they have often enough.
    pub(super) fn new(
        sentences: &'d [Tagged],
        n_tags: usize,
        further: Further<'_>,
        options: &CrfOptions,
    ) -> (Data<'d>, Index) {
        let mut words = NumberedWords { numbers: IndexMap::default(), boundary: Seen::boundary() };
        let mut examples = Vec::new();
        for sentence in sentences.iter().filter(|sentence| is_useful(sentence, n_tags)) {
            let numbers = sentence.words.iter().map(|word| words.number(word, further)).collect();
            let (choices, weight) = (&sentence.choices[..], sentence.weight);
            examples.push(Example { words: numbers, pairs: Vec::new(), ends: Vec::new(), choices, weight });
        }
        let mut counts = FeatureCounts::default();
        for example in &examples {
            words.count(&example.words, &mut counts);
        }
        let index =
            counts.index([options.least_single, options.least_pair], options.most_weights / n_tags.max(1));
        for example in &mut examples {
            words.find_pairs(example, &index);
        }
        let find = |seen: &Seen| {
            std::array::from_fn(|place| seen.at(place).filter_map(|key| index.get(key, 1)).collect())
        };
        let rows = words.numbers.values().map(find).collect();
        let boundary = find(&words.boundary);
        (Data { examples, rows, boundary }, index)
    }

    /// A checksum of what is learned from, in which order.
    pub(super) fn fingerprint(&self, seed: u64) -> u64 {
        let of_example = |example: &Example<'_>| {
            let Example { words, pairs, choices, weight, .. } = example;
            crc64(format!("{words:?} {pairs:?} {choices:?} {weight}").as_bytes())
        };
        let sums = [seed].into_iter().chain(self.examples.iter().map(of_example));
        crc64(&sums.flat_map(u64::to_le_bytes).collect::<Vec<u8>>())
    }

    /// The rows of all features of a word.
    pub(super) fn rows<'e>(
        &'e self,
        example: &'e Example<'_>,
        word: usize,
    ) -> impl Iterator<Item = usize> + 'e {
        let around = (0..N_PLACES).flat_map(move |place| match at(&example.words, word, place) {
            Some(number) => &self.rows[number][place],
            None => &self.boundary[place],
        });
        let start = word.checked_sub(1).map_or(0, |before| example.ends[before] as usize);
        let pairs = &example.pairs[start..example.ends[word] as usize];
        around.chain(pairs).map(|&row| row as usize)
    }
}

impl Example<'_> {
    pub(super) fn n_words(&self) -> usize {
        self.words.len()
    }
}

impl NumberedWords {
    fn number(&mut self, word: &Text, further: Further<'_>) -> u32 {
        let number = match self.numbers.get_index_of(word) {
            Some(number) => number,
            None => self.numbers.insert_full(word.clone(), Seen::new(word, further)).0,
        };
        number as u32
    }

    fn seen(&self, sentence: &[u32], word: usize, place: usize) -> &Seen {
        at(sentence, word, place).map_or(&self.boundary, |number| &self.numbers[number])
    }

    fn count(&self, sentence: &[u32], counts: &mut FeatureCounts) {
        for word in 0..sentence.len() {
            for place in 0..N_PLACES {
                self.seen(sentence, word, place).at(place).for_each(|key| counts.single(key));
            }
            self.pairs(sentence, word).for_each(|key| counts.pair(key));
        }
    }

    fn pairs(&self, sentence: &[u32], word: usize) -> impl Iterator<Item = u64> {
        let [before, this, after] = [1, 2, 3].map(|place| self.seen(sentence, word, place));
        pairs(before.lower, this.lower, after.lower, (word == 0).then_some(this.beginning))
    }

    fn find_pairs(&self, example: &mut Example<'_>, index: &Index) {
        for word in 0..example.words.len() {
            example.pairs.extend(self.pairs(&example.words, word).filter_map(|key| index.get(key, 1)));
            example.ends.push(example.pairs.len() as u32);
        }
    }
}

/// The number of the word at a place seen from another; `None` outside the sentence.
fn at(sentence: &[u32], word: usize, place: usize) -> Option<usize> {
    let at = (word + place).checked_sub(super::features::HERE)?;
    sentence.get(at).map(|&number| number as usize)
}

/// Whether anything is to be learned from a sentence.
fn is_useful(sentence: &Tagged, n_tags: usize) -> bool {
    let weight = sentence.weight;
    weight > 0.0
        && weight.is_finite()
        && sentence.words.len() == sentence.choices.len()
        && sentence.choices.iter().any(|choice| excludes(choice, n_tags))
}

/// Whether a choice excludes any tag.
fn excludes(choice: &Choice, n_tags: usize) -> bool {
    restricts(choice, n_tags) && (0..n_tags).any(|tag| !super::lattice::allows(choice, tag))
}
