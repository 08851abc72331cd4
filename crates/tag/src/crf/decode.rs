//! Tags for words.

use rustc_hash::FxHashMap;
use tree::Text;

use super::Crf;
use super::features::{Further, HERE, N_PLACES, Seen, pairs};
use super::lattice::{Lattice, Transitions};
use super::viterbi::Viterbi;
use crate::Choice;

/// A tagger at work, in one thread. It remembers the scores of the words it has met.
#[derive(Clone)]
pub struct Decoder<'m> {
    crf: &'m Crf,
    further: Further<'m>,
    transitions: Transitions,
    numbers: FxHashMap<Text, u32>,
    met: Vec<Met>,
    /// For each word that was met and each place, what it adds to the scores of the word there.
    known: Vec<f32>,
    sentence: Vec<u32>,
    scores: Vec<f32>,
    lattice: Lattice,
    viterbi: Viterbi,
}

/// What of a word is seen together with its neighbours.
#[derive(Debug, Clone, Copy)]
struct Met {
    lower: u64,
    beginning: u64,
}

/// Words that are remembered; then they are forgotten together.
const MOST_WORDS: usize = 1 << 16;
/// The number of what stands before the first word and after the last.
const BOUNDARY: u32 = 0;

/// The probabilities of the tags of a sentence.
#[derive(Debug, Clone, Copy)]
pub struct Posteriors<'d> {
    n_tags: usize,
    values: &'d [f64],
}

impl<'m> Decoder<'m> {
    pub(super) fn new(crf: &'m Crf, further: Further<'m>) -> Decoder<'m> {
        let mut decoder = Decoder {
            transitions: Transitions::new(crf.tags.len(), crf.transitions()),
            crf,
            further,
            numbers: FxHashMap::default(),
            met: Vec::new(),
            known: Vec::new(),
            sentence: Vec::new(),
            scores: Vec::new(),
            lattice: Lattice::default(),
            viterbi: Viterbi::default(),
        };
        decoder.forget();
        decoder
    }

    /// The most probable sequence of tags among those that `choices` allow; these may be empty, then every tag is allowed.
    pub fn viterbi<W: AsRef<str>>(&mut self, words: &[W], choices: &[Choice]) -> Vec<u32> {
        self.score(words);
        let crf = self.crf;
        self.viterbi.run(crf.tags.len(), &self.scores, crf.transitions(), choices)
    }

    /// The probabilities of the tags of each word, given that the tags are among those that `choices` allow; these may be
    /// empty, then every tag is allowed.
    pub fn posteriors<W: AsRef<str>>(&mut self, words: &[W], choices: &[Choice]) -> Posteriors<'_> {
        self.score(words);
        let n_tags = self.crf.tags.len();
        if self.lattice.run(&self.scores, &self.transitions, choices).is_none() {
            // Weights so large that all sums vanish are no model; then each word is judged by itself.
            self.lattice.run_apart(n_tags, &self.scores, choices);
        }
        Posteriors { n_tags, values: self.lattice.marginals() }
    }

    /// Fills the scores, a row for each word.
    fn score<W: AsRef<str>>(&mut self, words: &[W]) {
        if self.met.len() > MOST_WORDS {
            self.forget();
        }
        self.sentence.clear();
        self.sentence.extend([BOUNDARY; HERE]);
        for word in words {
            let number = self.number(word.as_ref());
            self.sentence.push(number);
        }
        self.sentence.extend([BOUNDARY; HERE]);
        let k = self.crf.tags.len();
        self.scores.clear();
        self.scores.resize(words.len() * k, 0.0);
        for (word, scores) in self.scores.chunks_exact_mut(k).enumerate() {
            let around = &self.sentence[word..][..N_PLACES];
            for (place, &number) in around.iter().enumerate() {
                let known = &self.known[(number as usize * N_PLACES + place) * k..][..k];
                scores.iter_mut().zip(known).for_each(|(score, known)| *score += known);
            }
            let [before, this, after] = [1, 2, 3].map(|place: usize| self.met[around[place] as usize]);
            let beginning = (word == 0).then_some(this.beginning);
            for key in pairs(before.lower, this.lower, after.lower, beginning) {
                self.crf.add(key, scores);
            }
        }
    }

    fn number(&mut self, word: &str) -> u32 {
        if let Some(&number) = self.numbers.get(word) {
            return number;
        }
        let number = self.meet(&Seen::new(word, self.further));
        self.numbers.insert(Text::from(word), number);
        number
    }

    fn meet(&mut self, seen: &Seen) -> u32 {
        let k = self.crf.tags.len();
        let number = self.met.len();
        self.met.push(Met { lower: seen.lower, beginning: seen.beginning });
        self.known.resize((number + 1) * N_PLACES * k, 0.0);
        for place in 0..N_PLACES {
            let known = &mut self.known[(number * N_PLACES + place) * k..][..k];
            seen.at(place).for_each(|key| self.crf.add(key, known));
        }
        number as u32
    }

    fn forget(&mut self) {
        self.numbers.clear();
        self.met.clear();
        self.known.clear();
        self.meet(&Seen::boundary());
    }
}

impl<'d> Posteriors<'d> {
    /// A row of so many probabilities for each word.
    pub fn of_rows(n_tags: usize, values: &'d [f64]) -> Posteriors<'d> {
        Posteriors { n_tags, values }
    }

    /// How many words there are.
    pub fn n_words(&self) -> usize {
        self.values.len() / self.n_tags.max(1)
    }

    /// The probabilities of the tags of a word.
    pub fn of(&self, word: usize) -> &'d [f64] {
        &self.values[word * self.n_tags..][..self.n_tags]
    }

    /// The most probable tag of a word, the first of equals, and its probability.
    pub fn best(&self, word: usize) -> (u32, f64) {
        let of = self.of(word);
        let better = |best: usize, tag: usize| if of[tag] > of[best] { tag } else { best };
        let tag = (0..of.len()).reduce(better).unwrap_or(0);
        (tag as u32, of[tag].min(1.0))
    }

    /// The most probable tags of a word, the best first, with their probabilities.
    pub fn n_best(&self, word: usize, n: usize) -> Vec<(u32, f64)> {
        let mut tags: Vec<(u32, f64)> = (0..).zip(self.of(word).iter().copied()).collect();
        tags.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        tags.truncate(n);
        tags
    }
}
