//! Is the difference between two systems more than chance?
//!
//! Both tests work on one *statistic* per sentence, such as [`Counts`](crate::Counts), that can be summed, and
//! on a *figure* computed from a sum, such as F1. Thus micro averages are computed anew for each resample.
//! Both are two-sided and report p = (1 + extreme resamples) / (1 + resamples), which is never 0.

use crate::random::SplitMix64;
use std::ops::AddAssign;
use thiserror::Error;

/// How many resamples, and from which seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Number of resamples.
    pub resamples: usize,
    /// Seed of the generator; the same seed gives the same result.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { resamples: 10_000, seed: 1 }
    }
}

/// The outcome of a test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TestOutcome {
    /// Figure of the first system.
    pub first: f64,
    /// Figure of the second system.
    pub second: f64,
    /// The chance of a difference at least as large if the systems were equally good.
    pub p: f64,
    /// What was asked for, seed included.
    pub options: Options,
}

impl TestOutcome {
    /// How much better the first system is.
    pub fn difference(&self) -> f64 {
        self.first - self.second
    }
}

/// Why there is no test.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Error {
    /// Different numbers of sentences.
    #[error(
        "the first system has {first} sentences, the second {second}; compare them on the same sentences"
    )]
    Sentences {
        /// Sentences of the first system.
        first: usize,
        /// Sentences of the second system.
        second: usize,
    },
    /// No sentences at all.
    #[error("there are no sentences to resample; give at least one")]
    Nothing,
    /// Too many sentences differ for all exchanges to be tried.
    #[error(
        "{differing} sentences differ, so there are 2^{differing} exchanges; sample them instead (at most {most})"
    )]
    TooMany {
        /// Sentences on which the systems differ.
        differing: usize,
        /// The largest number that is tried.
        most: usize,
    },
}

/// Paired bootstrap: draws sentences with replacement, the same ones for both systems.
///
/// With d the observed difference and d* that of a resample, the resample is extreme if |d* − d| ≥ |d|: the
/// resampled differences are centred on d, so that their distance from it is what chance does (Efron &
/// Tibshirani 1993, ch. 16; Berg-Kirkpatrick, Burkett & Klein 2012 use the one-sided form).
/// Time is resamples · sentences.
///
/// # Errors
/// If the systems have different numbers of sentences, or none.
pub fn paired_bootstrap<S: Copy + Default + AddAssign>(
    first: &[S],
    second: &[S],
    figure: impl Fn(S) -> f64,
    options: Options,
) -> Result<TestOutcome, Error> {
    resampled(first, second, &figure, options, |random, observed| {
        let (mut in_first, mut in_second) = (S::default(), S::default());
        for _ in 0..first.len() {
            let sentence = random.below(first.len());
            in_first += first[sentence];
            in_second += second[sentence];
        }
        figure(in_first) - figure(in_second) - observed
    })
}

/// Approximate randomisation: exchanges the outputs of the two systems, sentence by sentence, at the toss of
/// a coin (Noreen 1989; Yeh 2000). A resample is extreme if |d*| ≥ |d|. Time is resamples · sentences.
///
/// # Errors
/// If the systems have different numbers of sentences, or none.
pub fn randomisation<S: Copy + Default + AddAssign>(
    first: &[S],
    second: &[S],
    figure: impl Fn(S) -> f64,
    options: Options,
) -> Result<TestOutcome, Error> {
    resampled(first, second, &figure, options, |random, _| {
        exchanged(first, second, &figure, |_| random.flip())
    })
}

/// How often `difference`, which chance makes where this difference was observed, is as large as that.
fn resampled<S: Copy + Default + AddAssign>(
    first: &[S],
    second: &[S],
    figure: impl Fn(S) -> f64,
    options: Options,
    mut difference: impl FnMut(&mut SplitMix64, f64) -> f64,
) -> Result<TestOutcome, Error> {
    check(first, second)?;
    let (a, b) = (figure(sum(first)), figure(sum(second)));
    let mut random = SplitMix64::new(options.seed);
    let extreme = (0..options.resamples).filter(|_| is_extreme(difference(&mut random, a - b), a - b));
    let p = p_value(extreme.count(), options.resamples);
    Ok(TestOutcome { first: a, second: b, p, options })
}

/// Most differing sentences that [`exact_randomisation`] takes.
pub const MOST_EXCHANGES: usize = 20;

/// The p that [`randomisation`] approximates, by trying all exchanges of the sentences that differ.
///
/// # Errors
/// If more than [`MOST_EXCHANGES`] sentences differ, or the numbers of sentences do not agree.
pub fn exact_randomisation<S: Copy + Default + AddAssign + PartialEq>(
    first: &[S],
    second: &[S],
    figure: impl Fn(S) -> f64,
) -> Result<f64, Error> {
    check(first, second)?;
    let differing: Vec<_> = (0..first.len()).filter(|&index| first[index] != second[index]).collect();
    if differing.len() > MOST_EXCHANGES {
        return Err(Error::TooMany { differing: differing.len(), most: MOST_EXCHANGES });
    }
    let observed = figure(sum(first)) - figure(sum(second));
    let all = 1usize << differing.len();
    let extreme = (0..all).filter(|exchange| {
        let bit = |index| differing.binary_search(&index).is_ok_and(|bit| exchange >> bit & 1 == 1);
        is_extreme(exchanged(first, second, &figure, bit), observed)
    });
    Ok(extreme.count() as f64 / all as f64)
}

/// The interval that holds the figure of `share` (say 0.95) of the bootstrap resamples of one system.
///
/// # Errors
/// If there are no sentences.
pub fn interval<S: Copy + Default + AddAssign>(
    statistics: &[S],
    figure: impl Fn(S) -> f64,
    share: f64,
    options: Options,
) -> Result<(f64, f64), Error> {
    check(statistics, statistics)?;
    let mut random = SplitMix64::new(options.seed);
    let mut resample = || {
        let mut total = S::default();
        (0..statistics.len()).for_each(|_| total += statistics[random.below(statistics.len())]);
        figure(total)
    };
    let mut figures: Vec<_> = (0..options.resamples.max(1)).map(|_| resample()).collect();
    figures.sort_unstable_by(f64::total_cmp);
    let last = figures.len() - 1;
    let tail = ((1.0 - share.clamp(0.0, 1.0)) / 2.0 * last as f64).round() as usize;
    Ok((figures[tail], figures[last - tail]))
}

fn check<S>(first: &[S], second: &[S]) -> Result<(), Error> {
    match (first.len(), second.len()) {
        (first, second) if first != second => Err(Error::Sentences { first, second }),
        (0, _) => Err(Error::Nothing),
        _ => Ok(()),
    }
}

fn sum<S: Copy + Default + AddAssign>(statistics: &[S]) -> S {
    statistics.iter().fold(S::default(), |mut total, &one| {
        total += one;
        total
    })
}

fn exchanged<S: Copy + Default + AddAssign>(
    first: &[S],
    second: &[S],
    figure: impl Fn(S) -> f64,
    mut exchange: impl FnMut(usize) -> bool,
) -> f64 {
    let (mut in_first, mut in_second) = (S::default(), S::default());
    for (index, (&a, &b)) in first.iter().zip(second).enumerate() {
        let (a, b) = if exchange(index) { (b, a) } else { (a, b) };
        in_first += a;
        in_second += b;
    }
    figure(in_first) - figure(in_second)
}

/// Whether a deviation is as large as the observed difference. The same sums in another order may differ in
/// the last bits, which must not make a tie unequal.
fn is_extreme(deviation: f64, observed: f64) -> bool {
    deviation.abs() >= observed.abs() - 1e-12
}

fn p_value(extreme: usize, resamples: usize) -> f64 {
    (1 + extreme) as f64 / (1 + resamples) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::Counts;
    use proptest::prelude::*;

    fn counts(matched: &[usize]) -> Vec<Counts> {
        matched.iter().map(|&matched| Counts { matched, gold: 10, system: 10 }).collect()
    }

    #[test]
    fn five_sentences_all_better_by_the_same_have_p_two_in_thirty_two() {
        let (a, b) = (counts(&[6, 7, 8, 6, 9]), counts(&[5, 6, 7, 5, 8]));
        assert_eq!(exact_randomisation(&a, &b, Counts::f1), Ok(2.0 / 32.0));
    }

    #[test]
    fn one_better_and_one_worse_by_the_same_is_no_evidence() {
        let (a, b) = (counts(&[6, 5]), counts(&[5, 6]));
        assert_eq!(exact_randomisation(&a, &b, Counts::f1), Ok(1.0));
    }

    /// Differences 1, 2, 3: the sums ±1±2±3 that reach 6 in size are 2 of 8; without the 1, 5 is not reached.
    #[test]
    fn three_unequal_differences_have_p_two_in_eight() {
        assert_eq!(exact_randomisation(&counts(&[6, 7, 8]), &counts(&[5, 5, 5]), Counts::f1), Ok(0.25));
        // Observed −1+2+3 = 4; sums of size ≥ 4 are ±6 and ±4: 4 of 8.
        assert_eq!(exact_randomisation(&counts(&[5, 7, 8]), &counts(&[6, 5, 5]), Counts::f1), Ok(0.5));
    }

    #[test]
    fn identical_systems_have_p_one() {
        let a = counts(&[3, 8, 5, 6]);
        for test in [paired_bootstrap, randomisation] {
            assert_eq!(test(&a, &a, Counts::f1, Options::default()).unwrap().p, 1.0);
        }
    }

    /// The p that the bootstrap approximates: all lists of three sentences out of three.
    fn all_resamples(a: &[Counts], b: &[Counts]) -> f64 {
        let figure = |sentences: [usize; 3], of: &[Counts]| {
            let mut sum = Counts::default();
            sentences.iter().for_each(|&sentence| sum += of[sentence]);
            sum.f1()
        };
        let difference = |sentences| figure(sentences, a) - figure(sentences, b);
        let observed = difference([0, 1, 2]);
        let lists = (0..27).map(|number| [number / 9, number / 3 % 3, number % 3]);
        let extreme = lists.filter(|&list| (difference(list) - observed).abs() >= observed.abs() - 1e-12);
        extreme.count() as f64 / 27.0
    }

    #[test]
    fn resamples_approach_all_lists_of_sentences() {
        for (a, b) in
            [([6, 7, 8], [5, 5, 5]), ([9, 7, 8], [5, 8, 6]), ([5, 9, 4], [5, 6, 6]), ([9, 3, 9], [5, 4, 5])]
        {
            let (a, b) = (counts(&a), counts(&b));
            let (exact, sampled) =
                (all_resamples(&a, &b), paired_bootstrap(&a, &b, Counts::f1, Options::default()).unwrap().p);
            // Five standard errors of 0.005 at most.
            assert!((exact - sampled).abs() < 0.025, "{exact} {sampled}");
        }
    }

    #[test]
    fn clearly_better_system_has_small_p() {
        let good = counts(&[9; 60]);
        let mut bad = counts(&[6, 7, 8, 5, 9, 4].repeat(10));
        bad[0].matched = 10;
        for test in [paired_bootstrap, randomisation] {
            let outcome = test(&good, &bad, Counts::f1, Options { resamples: 2000, seed: 5 }).unwrap();
            assert!(outcome.difference() > 0.0 && outcome.p < 0.01, "{outcome:?}");
        }
    }

    /// Sums of two draws from 0 and 1 are 0, 1 and 2 in a quarter, a half and a quarter of the resamples.
    #[test]
    fn an_interval_leaves_half_of_the_rest_on_either_side() {
        let options = Options { resamples: 2000, seed: 1 };
        let of = |share: f64| interval(&[0.0, 1.0], |sum: f64| sum, share, options);
        assert_eq!((of(0.6), of(0.4)), (Ok((0.0, 2.0)), Ok((1.0, 1.0))));
    }

    #[test]
    fn different_numbers_of_sentences_are_refused() {
        let (a, b) = (counts(&[1, 2]), counts(&[1]));
        let refused = Err(Error::Sentences { first: 2, second: 1 });
        assert_eq!(randomisation(&a, &b, Counts::f1, Options::default()), refused);
        assert_eq!(interval::<Counts>(&[], Counts::f1, 0.95, Options::default()), Err(Error::Nothing));
        let many = (counts(&[1; 21]), counts(&[2; 21]));
        let too_many = Err(Error::TooMany { differing: 21, most: 20 });
        assert_eq!(exact_randomisation(&many.0, &many.1, Counts::f1), too_many);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        /// Within 5 standard errors of the exact p, which are at most √(0.25 / 4000) ≈ 0.008 each.
        #[test]
        fn sampled_exchanges_approach_all_exchanges(pairs in prop::collection::vec((0usize..10, 0usize..10), 1..8), seed in any::<u64>()) {
            let (a, b): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
            let (a, b) = (counts(&a), counts(&b));
            let exact = exact_randomisation(&a, &b, Counts::f1).unwrap();
            let sampled = randomisation(&a, &b, Counts::f1, Options { resamples: 4000, seed }).unwrap().p;
            prop_assert!((exact - sampled).abs() < 5.0 * 0.008, "{exact} {sampled}");
        }

        #[test]
        fn same_seed_gives_the_same_outcome_and_order_of_systems_does_not_matter(
            pairs in prop::collection::vec((0usize..10, 0usize..10), 1..30), seed in any::<u64>()
        ) {
            let (a, b): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
            let (a, b) = (counts(&a), counts(&b));
            let options = Options { resamples: 200, seed };
            for test in [paired_bootstrap, randomisation] {
                let outcome = test(&a, &b, Counts::f1, options).unwrap();
                prop_assert_eq!(outcome, test(&a, &b, Counts::f1, options).unwrap());
                prop_assert_eq!(outcome.p, test(&b, &a, Counts::f1, options).unwrap().p);
                prop_assert_eq!(outcome.options.seed, seed);
            }
        }

        #[test]
        fn interval_lies_between_the_worst_and_the_best_sentence(values in prop::collection::vec(0usize..10, 1..20)) {
            let (low, high) = interval(&counts(&values), Counts::recall, 0.95, Options { resamples: 300, seed: 2 }).unwrap();
            let bounds = (values.iter().min().unwrap(), values.iter().max().unwrap());
            prop_assert!(low <= high && low >= *bounds.0 as f64 / 10.0 - 1e-12 && high <= *bounds.1 as f64 / 10.0 + 1e-12);
        }
    }
}
