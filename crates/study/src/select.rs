//! What to annotate next.
//!
//! What a parser knows comes as plain numbers, one [`Candidate`] for each sentence or each word that could be
//! annotated. A strategy gives each a score, the best are taken, and each comes with the numbers that spoke
//! for it ([`Why`]).

mod census;
mod diverse;

pub use census::{Census, Counted};
pub use diverse::{Batch, Traits};

use crate::Error;
use crate::error::{in_range, share};
use chain::Stream;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tree::PutInOrder;

/// A sentence or an arc that could be annotated, or annotated again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// The sentence, from 0.
    pub sentence: usize,
    /// The word whose head is asked for, from 1; `None` for all of the sentence.
    pub word: Option<usize>,
    /// Entropy of the parser's posterior, in nats.
    pub entropy: f64,
    /// What the annotation would cost.
    pub cost: f64,
    /// Annotations there are already.
    pub n_annotations: usize,
    /// Different heads given so far.
    pub disagreement: usize,
    /// Share of the sentence's arcs that nobody has specified.
    pub unspecified_share: f64,
}

/// What makes a candidate worth annotating.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Strategy {
    /// Nothing: the baseline.
    Random,
    /// Disagreement and silence (Mielens 2016, §6.4): different heads given + share of unspecified arcs.
    Difficulty,
    /// The parser's uncertainty.
    Entropy,
    /// The parser's uncertainty for the money.
    #[default]
    EntropyPerCost,
}

/// What is handed out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Unit {
    /// Whole sentences. Candidates for words of a sentence are added up, unless the sentence has one of its own.
    #[default]
    Sentence,
    /// Single arcs. Candidates for whole sentences are left out.
    Arc,
}

/// What to select.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Options {
    /// What makes a candidate worth annotating.
    pub strategy: Strategy,
    /// What is handed out.
    pub unit: Unit,
    /// How many at most.
    pub n: usize,
    /// What they may cost together; one that costs too much is passed over for cheaper ones after it.
    pub budget: Option<f64>,
}

impl Default for Options {
    fn default() -> Self {
        Self { strategy: Strategy::default(), unit: Unit::default(), n: 10, budget: None }
    }
}

/// Something to annotate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Choice {
    /// What it is; a sentence that was added up has the sums of its words.
    pub candidate: Candidate,
    /// The number that candidates were ordered by, the largest first.
    pub score: f64,
    /// What it is made of.
    pub why: Why,
}

/// The numbers that spoke for a choice.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub enum Why {
    /// It was drawn.
    Drawn,
    /// It is disputed or open.
    Difficult {
        /// Different heads given so far.
        disagreement: usize,
        /// Share of the sentence's arcs that nobody has specified.
        unspecified_share: f64,
    },
    /// The parser is uncertain.
    Uncertain {
        /// In nats.
        entropy: f64,
    },
    /// The parser is uncertain and the answer is cheap.
    UncertainForCost {
        /// In nats.
        entropy: f64,
        /// What the annotation would cost.
        cost: f64,
    },
}

/// Selects what to annotate next, the best first; ties are broken by sentence and word.
///
/// The stream is asked only for random selection. Each candidate draws from its own address, so the order of
/// the candidates does not matter.
pub fn select(candidates: &[Candidate], options: &Options, stream: Stream) -> Result<Vec<Choice>, Error> {
    candidates.iter().try_for_each(check)?;
    let units = match options.unit {
        Unit::Sentence => sentences(candidates),
        Unit::Arc => candidates.iter().filter(|candidate| candidate.word.is_some()).copied().collect(),
    };
    let mut choices: Vec<Choice> =
        units.into_iter().map(|candidate| choice(candidate, options.strategy, stream)).collect();
    choices.order_by(|a, b| b.score.total_cmp(&a.score).then(place(a).cmp(&place(b))));
    let mut left = options.budget.unwrap_or(f64::INFINITY);
    let affordable = choices.into_iter().filter(|choice| {
        let taken = choice.candidate.cost <= left;
        left -= if taken { choice.candidate.cost } else { 0.0 };
        taken
    });
    Ok(affordable.take(options.n).collect())
}

/// Selects a batch by uncertainty in which no two tell the same, the best first; [`Traits`] say what each candidate is made of.
///
/// A score is what the candidate adds to the worth of those before it, for its cost unless the strategy is
/// [`Strategy::Entropy`]. Candidates are taken as they are: the unit is that of the candidates.
pub fn select_diverse(
    candidates: &[Candidate],
    traits: &[Traits],
    options: &Options,
) -> Result<Vec<Choice>, Error> {
    candidates.iter().try_for_each(check)?;
    if traits.len() != candidates.len() {
        return Err(Error::Traits { found: traits.len(), needed: candidates.len() });
    }
    let per_cost = options.strategy != Strategy::Entropy;
    let strategy = if per_cost { Strategy::EntropyPerCost } else { Strategy::Entropy };
    let choices = candidates.iter().map(|candidate| choice(*candidate, strategy, Stream::new(0))).collect();
    let worth = |choice: &Choice, gain: f64| if per_cost { gain / choice.candidate.cost } else { gain };
    let (mut left, mut n) = (options.budget.unwrap_or(f64::INFINITY), options.n);
    let take = |choice: &Choice| {
        let taken = (n > 0).then_some(choice.candidate.cost <= left);
        if taken == Some(true) {
            left -= choice.candidate.cost;
            n -= 1;
        }
        taken
    };
    Ok(diverse::greedy(choices, traits, worth, take))
}

fn check(candidate: &Candidate) -> Result<(), Error> {
    let Candidate { entropy, cost, unspecified_share, .. } = *candidate;
    in_range("the entropy", entropy, "0 or more", entropy >= 0.0 && entropy.is_finite())?;
    in_range("the cost", cost, "more than 0", cost > 0.0 && cost.is_finite())?;
    share("the share of unspecified arcs", unspecified_share).map(drop)
}

fn place(choice: &Choice) -> (usize, Option<usize>) {
    (choice.candidate.sentence, choice.candidate.word)
}

/// One candidate per sentence: its own, or the sum of its words. The share of unspecified arcs is one of the
/// sentence already, and the words should agree on it; the largest counts.
fn sentences(candidates: &[Candidate]) -> Vec<Candidate> {
    let mut sums: BTreeMap<usize, Candidate> = BTreeMap::new();
    let mut own: BTreeMap<usize, Candidate> = BTreeMap::new();
    for candidate in candidates {
        if candidate.word.is_none() {
            own.entry(candidate.sentence).or_insert(*candidate);
            continue;
        }
        let sum = sums
            .entry(candidate.sentence)
            .or_insert(Candidate { sentence: candidate.sentence, ..Candidate::default() });
        sum.entropy += candidate.entropy;
        sum.cost += candidate.cost;
        sum.n_annotations = sum.n_annotations.max(candidate.n_annotations);
        sum.disagreement += candidate.disagreement;
        sum.unspecified_share = sum.unspecified_share.max(candidate.unspecified_share);
    }
    sums.extend(own);
    sums.into_values().collect()
}

fn choice(candidate: Candidate, strategy: Strategy, stream: Stream) -> Choice {
    let Candidate { entropy, cost, disagreement, unspecified_share, .. } = candidate;
    let (score, why) = match strategy {
        Strategy::Random => {
            let word = candidate.word.map_or(0, |word| word as u64);
            let address = stream.purpose("select").item(candidate.sentence).tag(word);
            (address.rng().uniform(), Why::Drawn)
        }
        Strategy::Difficulty => {
            (disagreement as f64 + unspecified_share, Why::Difficult { disagreement, unspecified_share })
        }
        Strategy::Entropy => (entropy, Why::Uncertain { entropy }),
        Strategy::EntropyPerCost => (entropy / cost, Why::UncertainForCost { entropy, cost }),
    };
    Choice { candidate, score, why }
}

#[cfg(test)]
mod tests {
    use super::{Strategy, *};
    use proptest::prelude::*;

    fn arc(sentence: usize, word: usize, entropy: f64, cost: f64) -> Candidate {
        Candidate { sentence, word: Some(word), entropy, cost, ..Candidate::default() }
    }

    fn check_selected(candidates: &[Candidate], options: Options, expected: &[(usize, Option<usize>)]) {
        let choices = select(candidates, &options, Stream::new(1)).unwrap();
        assert_eq!(choices.iter().map(place).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn entropy_is_weighed_against_cost() {
        let candidates = [arc(0, 1, 2.0, 4.0), arc(0, 2, 1.0, 1.0), arc(1, 1, 3.0, 9.0)];
        let arcs = Options { unit: Unit::Arc, ..Options::default() };
        check_selected(&candidates, arcs, &[(0, Some(2)), (0, Some(1)), (1, Some(1))]);
        let entropy = Options { strategy: Strategy::Entropy, ..arcs };
        check_selected(&candidates, entropy, &[(1, Some(1)), (0, Some(1)), (0, Some(2))]);
        // The sentences have 3 nats for 5 and 3 for 9.
        check_selected(&candidates, Options::default(), &[(0, None), (1, None)]);
    }

    #[test]
    fn difficulty_is_disagreement_plus_the_open_share() {
        let difficult = |word, disagreement, unspecified_share| Candidate {
            disagreement,
            unspecified_share,
            ..arc(0, word, 0.0, 1.0)
        };
        let candidates =
            [difficult(1, 1, 0.9), difficult(2, 2, 0.0), difficult(3, 0, 1.0), difficult(4, 1, 0.0)];
        let options = Options { strategy: Strategy::Difficulty, unit: Unit::Arc, ..Options::default() };
        check_selected(&candidates, options, &[(0, Some(2)), (0, Some(1)), (0, Some(3)), (0, Some(4))]);
        let choice = select(&candidates, &options, Stream::new(1)).unwrap()[1];
        assert_eq!(choice.score, 1.9);
        assert_eq!(choice.why, Why::Difficult { disagreement: 1, unspecified_share: 0.9 });
    }

    #[test]
    fn what_is_too_dear_is_passed_over() {
        let candidates = [arc(0, 1, 9.0, 3.0), arc(0, 2, 8.0, 4.0), arc(0, 3, 1.0, 2.0)];
        let options = Options { unit: Unit::Arc, budget: Some(5.0), ..Options::default() };
        check_selected(&candidates, options, &[(0, Some(1)), (0, Some(3))]);
        check_selected(&candidates, Options { n: 1, ..options }, &[(0, Some(1))]);
    }

    #[test]
    fn a_sentence_has_its_own_candidate_or_the_sum_of_its_words() {
        let whole = Candidate { word: None, ..arc(1, 1, 7.0, 2.0) };
        let candidates = [arc(0, 1, 1.0, 1.0), arc(0, 2, 2.0, 1.0), arc(1, 1, 5.0, 1.0), whole];
        let choices = select(&candidates, &Options::default(), Stream::new(1)).unwrap();
        let numbers = choices.iter().map(|choice| (choice.candidate.entropy, choice.candidate.cost));
        assert_eq!(numbers.collect::<Vec<_>>(), [(7.0, 2.0), (3.0, 2.0)]);
    }

    #[test]
    fn disagreements_of_words_add_up_but_the_open_share_is_the_sentences_own() {
        let word = |sentence, word, disagreement, n_annotations, unspecified_share| Candidate {
            disagreement,
            n_annotations,
            unspecified_share,
            ..arc(sentence, word, 0.0, 1.0)
        };
        // The first has 2 heads in dispute and half of it open, the second 1 and nearly all.
        let candidates =
            [word(0, 1, 1, 2, 0.5), word(0, 2, 1, 3, 0.5), word(1, 1, 1, 1, 0.9), word(1, 2, 0, 1, 0.9)];
        let options = Options { strategy: Strategy::Difficulty, ..Options::default() };
        let choices = select(&candidates, &options, Stream::new(1)).unwrap();
        let numbers: Vec<(usize, usize, f64)> = choices
            .iter()
            .map(|choice| (choice.candidate.sentence, choice.candidate.n_annotations, choice.score))
            .collect();
        assert_eq!(numbers, [(0, 3, 2.5), (1, 1, 1.9)]);
    }

    #[test]
    fn numbers_that_make_no_sense_are_refused() {
        for candidate in [arc(0, 1, f64::NAN, 1.0), arc(0, 1, 1.0, 0.0), arc(0, 1, -1.0, 1.0)] {
            let selected = select(&[candidate], &Options::default(), Stream::new(1));
            assert!(matches!(selected, Err(Error::Range { .. })), "{candidate:?}");
        }
        assert_eq!(select(&[], &Options::default(), Stream::new(1)), Ok(vec![]));
    }

    #[test]
    fn random_selection_is_fair_to_all() {
        let candidates: Vec<Candidate> = (0..4).map(|sentence| arc(sentence, 1, 1.0, 1.0)).collect();
        let options = Options { strategy: Strategy::Random, n: 1, ..Options::default() };
        let mut counts = [0usize; 4];
        for seed in 0..4000 {
            counts[select(&candidates, &options, Stream::new(seed)).unwrap()[0].candidate.sentence] += 1;
        }
        // Five standard errors of 27.4 each.
        assert!(counts.iter().all(|&count| count.abs_diff(1000) < 137), "{counts:?}");
    }

    proptest! {
        #[test]
        fn the_order_of_candidates_does_not_matter(
            numbers in prop::collection::vec((0usize..4, 0u8..3, 1u8..3), 0..12),
            strategy in prop_oneof![
                Just(Strategy::Random), Just(Strategy::Difficulty),
                Just(Strategy::Entropy), Just(Strategy::EntropyPerCost),
            ],
            unit in prop_oneof![Just(Unit::Sentence), Just(Unit::Arc)],
        ) {
            let candidates: Vec<Candidate> = (1..).zip(&numbers)
                .map(|(word, &(sentence, entropy, cost))| Candidate {
                    disagreement: usize::from(entropy),
                    ..arc(sentence, word, f64::from(entropy), f64::from(cost))
                })
                .collect();
            let options = Options { strategy, unit, ..Options::default() };
            let forwards = select(&candidates, &options, Stream::new(3)).unwrap();
            let backwards: Vec<Candidate> = candidates.into_iter().rev().collect();
            prop_assert_eq!(&forwards, &select(&backwards, &options, Stream::new(3)).unwrap());
            prop_assert!(forwards.is_sorted_by(|a, b| a.score >= b.score));
        }
    }
}
