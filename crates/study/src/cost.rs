//! What annotations cost (Mielens 2016, §4.3.3), and what a budget buys.

use crate::Error;
use crate::error::{in_range, share};
use serde::{Deserialize, Serialize};

/// What some arcs of a sentence cost. The cost depends on how many of the sentence's arcs they are; an
/// annotator is thought to begin with the easy ones.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Cost {
    /// Every arc costs 1.
    Arcs,
    /// An arc in the k-th tenth of the sentence's arcs costs baseᵏ. The i-th arc of a sentence with n is in the
    /// tenth that it completes or begins to fill: k = ⌈10 · i / n⌉.
    Tenths {
        /// What each tenth multiplies the cost with; 1.1 in the thesis.
        base: f64,
    },
    /// A share α of the sentence's arcs is hard and costs β each, the others cost 1 and are made first:
    /// cost(A, α, β) = αβ · |A| + (1 − α) · |A| for a complete annotation.
    CheapFirst {
        /// Share of hard arcs.
        alpha: f64,
        /// Cost of a hard arc.
        beta: f64,
    },
    /// Working time.
    Seconds {
        /// For each arc.
        per_arc: f64,
        /// For each sentence that is looked at, even if no arc comes of it.
        per_sentence: f64,
    },
}

/// How much of a sentence was annotated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Work {
    /// Arcs the complete tree has, the root's included: words.
    pub n_words: usize,
    /// Arcs that were annotated.
    pub n_arcs: usize,
}

impl Work {
    /// What a list of heads amounts to.
    pub fn of(heads: &[Option<usize>]) -> Self {
        Self { n_words: heads.len(), n_arcs: heads.iter().flatten().count() }
    }
}

impl Cost {
    /// The growing cost of the thesis: an arc in the last tenth costs 1.1¹⁰ ≈ 2.6.
    pub const TENTHS: Self = Self::Tenths { base: 1.1 };
    /// Two classes of arcs as in the thesis: 60 % are cheap, the rest costs 3 times as much.
    pub const CHEAP_FIRST: Self = Self::CheapFirst { alpha: 0.4, beta: 3.0 };

    /// Whether no arc can have a negative cost or none.
    pub fn check(&self) -> Result<(), Error> {
        let positive =
            |what, value: f64| in_range(what, value, "0 or more", value >= 0.0 && value.is_finite());
        match *self {
            Self::Arcs => Ok(()),
            Self::Tenths { base } => positive("the base", base).map(drop),
            Self::CheapFirst { alpha, beta } => share("alpha", alpha).and(positive("beta", beta)).map(drop),
            Self::Seconds { per_arc, per_sentence } => positive("seconds per arc", per_arc)
                .and(positive("seconds per sentence", per_sentence))
                .map(drop),
        }
    }

    /// The cost of a sentence. More arcs than words count as a complete sentence.
    pub fn of(&self, work: Work) -> f64 {
        let (n, made) = (work.n_words, work.n_arcs.min(work.n_words));
        match *self {
            Self::Arcs => made as f64,
            Self::Tenths { base } => {
                (1..=made).map(|arc| libm::pow(base, (10 * arc).div_ceil(n) as f64)).sum()
            }
            Self::CheapFirst { alpha, beta } => {
                let cheap = ((1.0 - alpha) * n as f64).min(made as f64);
                cheap + beta * (made as f64 - cheap)
            }
            Self::Seconds { per_arc, per_sentence } => per_sentence + per_arc * made as f64,
        }
    }

    /// The cost of the next arc of a sentence; nothing for a complete one.
    pub fn of_next(&self, work: Work) -> f64 {
        let more = Work { n_arcs: work.n_arcs.saturating_add(1), ..work };
        let overhead = match *self {
            Self::Seconds { per_sentence, .. } if work.n_arcs == 0 => per_sentence,
            _ => 0.0,
        };
        self.of(more) - self.of(work) + overhead
    }

    /// The cost of going back to a sentence for so many more arcs: it is looked at once more.
    pub fn of_return(&self, work: Work, n_arcs: usize) -> f64 {
        let more = Work { n_arcs: work.n_arcs.saturating_add(n_arcs), ..work };
        let overhead = match *self {
            Self::Seconds { per_sentence, .. } => per_sentence,
            _ => 0.0,
        };
        self.of(more) - self.of(work) + overhead
    }

    /// The cost of several sentences.
    pub fn of_all(&self, work: impl IntoIterator<Item = Work>) -> f64 {
        work.into_iter().map(|work| self.of(work)).sum()
    }
}

/// The first sentences of a corpus, as many as a budget allows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Subset {
    /// How many sentences.
    pub n_sentences: usize,
    /// Their annotated arcs.
    pub n_arcs: usize,
    /// What they cost together.
    pub cost: f64,
}

/// Takes sentences in order until the next one would overdraw the budget. Larger budgets take the same
/// sentences and more, so that subsets for a learning curve are nested.
pub fn within_budget(corpus: &[Work], cost: &Cost, budget: f64) -> Subset {
    let mut subset = Subset::default();
    for &work in corpus {
        let total = subset.cost + cost.of(work);
        // A budget that is no number buys nothing.
        if total > budget || budget.is_nan() {
            break;
        }
        subset = Subset {
            n_sentences: subset.n_sentences + 1,
            n_arcs: subset.n_arcs + work.n_arcs.min(work.n_words),
            cost: total,
        };
    }
    subset
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check_cost(cost: Cost, n_words: usize, n_arcs: usize, expected: f64) {
        let found = cost.of(Work { n_words, n_arcs });
        assert!((found - expected).abs() < 1e-9, "{cost:?} {n_words} {n_arcs}: {found}");
    }

    #[test]
    fn ten_arcs_cost_one_power_each() {
        check_cost(Cost::TENTHS, 10, 1, 1.1);
        check_cost(Cost::TENTHS, 10, 3, 1.1 + 1.21 + 1.331);
        check_cost(Cost::TENTHS, 10, 10, 1.1 * (1.1f64.powi(10) - 1.0) / 0.1);
        check_cost(Cost::TENTHS, 20, 4, 2.0 * 1.1 + 2.0 * 1.21);
    }

    #[test]
    fn seven_arcs_fall_into_the_tenths_they_reach() {
        // ⌈10/7⌉ … ⌈70/7⌉ = 2 3 5 6 8 9 10.
        let powers = [1.21, 1.331, 1.61051, 1.771561, 2.14358881, 2.357947691, 2.5937424601];
        for n_arcs in 0..=7 {
            check_cost(Cost::TENTHS, 7, n_arcs, powers[..n_arcs].iter().sum());
        }
    }

    #[test]
    fn three_quarters_of_a_sentence_are_all_cheap_arcs_and_some_hard_ones() {
        // 60 % cheap, 15 % at three times the cost: 12 + 3 · 3 of 20 arcs.
        check_cost(Cost::CHEAP_FIRST, 20, 15, 21.0);
        check_cost(Cost::CHEAP_FIRST, 20, 12, 12.0);
        check_cost(Cost::CHEAP_FIRST, 20, 20, 0.4 * 3.0 * 20.0 + 0.6 * 20.0);
        check_cost(Cost::CHEAP_FIRST, 4, 3, 2.4 + 0.6 * 3.0);
    }

    #[test]
    fn a_sentence_is_looked_at_again_for_what_was_left_open() {
        let seconds = Cost::Seconds { per_arc: 8.0, per_sentence: 20.0 };
        assert_eq!(seconds.of_return(Work { n_words: 5, n_arcs: 0 }, 5), 60.0);
        assert_eq!(seconds.of_return(Work { n_words: 5, n_arcs: 3 }, 2), 36.0);
        assert_eq!(Cost::Arcs.of_return(Work { n_words: 5, n_arcs: 3 }, 2), 2.0);
    }

    #[test]
    fn budgets_buy_nested_prefixes() {
        let corpus = [(5, 5), (4, 2), (0, 0), (9, 1)].map(|(n_words, n_arcs)| Work { n_words, n_arcs });
        let buys = |budget| within_budget(&corpus, &Cost::Arcs, budget).n_sentences;
        assert_eq!([4.9, 5.0, 6.9, 7.0, 8.0, 99.0, f64::NAN].map(buys), [0, 1, 1, 3, 4, 4, 0]);
        let seconds = Cost::Seconds { per_arc: 2.0, per_sentence: 10.0 };
        assert_eq!(within_budget(&corpus, &seconds, 34.0), Subset { n_sentences: 2, n_arcs: 7, cost: 34.0 });
    }

    #[test]
    fn senseless_rates_are_refused() {
        assert!(Cost::CheapFirst { alpha: 1.1, beta: 3.0 }.check().is_err());
        assert!(Cost::Seconds { per_arc: -1.0, per_sentence: 0.0 }.check().is_err());
        assert!(Cost::Tenths { base: f64::NAN }.check().is_err());
        assert_eq!(Cost::CHEAP_FIRST.check(), Ok(()));
    }

    fn any_cost() -> impl Strategy<Value = Cost> {
        prop_oneof![
            Just(Cost::Arcs),
            (0.5f64..2.0).prop_map(|base| Cost::Tenths { base }),
            (0.0f64..=1.0, 0.0f64..9.0).prop_map(|(alpha, beta)| Cost::CheapFirst { alpha, beta }),
            (0.0f64..9.0, 0.0f64..30.0)
                .prop_map(|(per_arc, per_sentence)| Cost::Seconds { per_arc, per_sentence }),
        ]
    }

    fn heads() -> impl Strategy<Value = Vec<Option<usize>>> {
        prop::collection::vec(prop::option::of(Just(0)), 12)
    }

    proptest! {
        #[test]
        fn a_union_costs_as_much_as_its_parts_or_more(cost in any_cost(), one in heads(), other in heads()) {
            let both: Vec<_> = one.iter().zip(&other).map(|(one, other)| one.or(*other)).collect();
            let part = cost.of(Work::of(&one)).max(cost.of(Work::of(&other)));
            prop_assert!(cost.of(Work::of(&both)) >= part - 1e-12);
        }

        #[test]
        fn a_sentence_costs_what_its_arcs_cost_one_by_one(cost in any_cost(), n_words in 1usize..40) {
            let steps: f64 = (0..n_words).map(|n_arcs| cost.of_next(Work { n_words, n_arcs })).sum();
            let complete = Work { n_words, n_arcs: n_words };
            prop_assert!((steps - cost.of(complete)).abs() < 1e-9);
            prop_assert_eq!(cost.of_next(complete), 0.0);
        }
    }
}
