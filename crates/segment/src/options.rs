//! How a model is trained.

use crate::error::Error;
use crate::pairs::NoSplit;

/// Everything that can be chosen about training. The defaults are those of `morfessor-train`, apart from the seed.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// What the count of a word in the list becomes.
    pub dampening: Dampening,
    /// Words with smaller counts are left out.
    pub min_count: u64,
    /// How the analysis of a word is improved.
    pub method: Method,
    /// In which order words are visited in an epoch.
    pub order: Order,
    /// Seed of all randomness.
    pub seed: u64,
    /// Training ends when an epoch lowers the cost by less than this for each word token.
    pub finish_threshold: f64,
    /// Training ends after so many epochs at the latest.
    pub max_epochs: Option<usize>,
    /// How much the cost of the corpus counts: less than 1 splits more.
    pub corpus_weight: f64,
    /// How much the cost of annotations counts; by default as much as if there were as many annotated words as others.
    pub annotation_weight: Option<f64>,
    /// Characters that are always morphs of their own.
    pub force_split: Vec<char>,
    /// Pairs of characters that are never torn apart.
    pub no_split: NoSplit,
    /// Skip pieces at random that have been visited in the same epoch.
    pub skips: bool,
    /// Split words at random before training, each place with this probability.
    pub initial_split: Option<f64>,
    /// In online training, an epoch is so many words.
    pub epoch_interval: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            dampening: Dampening::Ones,
            min_count: 1,
            method: Method::Recursive,
            order: Order::Random,
            seed: 0,
            finish_threshold: 0.005,
            max_epochs: None,
            corpus_weight: 1.0,
            annotation_weight: None,
            force_split: vec!['-'],
            no_split: NoSplit::default(),
            skips: false,
            initial_split: None,
            epoch_interval: 10_000,
        }
    }
}

/// What the count of a word becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dampening {
    /// It stays: learning from tokens.
    None,
    /// log₂ (count + 1), to the nearest whole number.
    Log,
    /// 1: learning from types.
    Ones,
}

impl Dampening {
    /// The count that training sees.
    pub fn apply(self, count: u64) -> u64 {
        match self {
            Dampening::None => count,
            Dampening::Log => libm::round(libm::log2(count as f64 + 1.0)) as u64,
            Dampening::Ones => count.min(1),
        }
    }
}

/// How the analysis of a word is improved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    /// The best split into two, then of each part.
    Recursive,
    /// The most probable sequence of morphs.
    Viterbi(Viterbi),
}

/// How the most probable sequence of morphs is looked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viterbi {
    /// What is added to every count, so that new morphs can be found; with 0, only single letters can be new.
    pub add_count: f64,
    /// Morphs have at most so many letters.
    pub max_letters: usize,
}

impl Default for Viterbi {
    fn default() -> Viterbi {
        Viterbi { add_count: 0.0, max_letters: 30 }
    }
}

/// In which order words are visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// At random, anew in each epoch.
    Random,
    /// As they came.
    List,
    /// By their characters.
    Sorted,
}

impl Options {
    /// Refuses numbers that mean nothing.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let refuse = |what, range, value| Err(Error::Setting { what, range, value });
        let positive = |value: f64| value > 0.0 && value.is_finite();
        if !positive(self.corpus_weight) {
            return refuse("the weight of the corpus", "above 0", self.corpus_weight);
        }
        if let Some(value) = self.annotation_weight.filter(|&value| !positive(value)) {
            return refuse("the weight of annotations", "above 0", value);
        }
        if let Some(value) = self.initial_split.filter(|value| !(0.0..=1.0).contains(value)) {
            return refuse("the probability of a split", "between 0 and 1", value);
        }
        if !(self.finish_threshold >= 0.0 && self.finish_threshold.is_finite()) {
            return refuse("the threshold for the end", "0 or more", self.finish_threshold);
        }
        match self.method {
            Method::Viterbi(viterbi) => viterbi.check(),
            Method::Recursive => Ok(()),
        }
    }
}

impl Viterbi {
    /// Refuses numbers that mean nothing.
    pub(crate) fn check(&self) -> Result<(), Error> {
        if !(self.add_count >= 0.0 && self.add_count.is_finite()) {
            return Err(Error::Setting {
                what: "the added count",
                range: "0 or more",
                value: self.add_count,
            });
        }
        if self.max_letters == 0 {
            return Err(Error::Setting { what: "the length of morphs", range: "at least 1", value: 0.0 });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_dampen_as_computed_by_hand() {
        for (count, expected) in [(0, 0), (1, 1), (2, 2), (4, 2), (5, 3), (10, 3), (11, 4), (1_000_000, 20)] {
            assert_eq!(Dampening::Log.apply(count), expected, "{count}");
        }
        assert_eq!((Dampening::None.apply(7), Dampening::Ones.apply(7)), (7, 1));
    }
}
