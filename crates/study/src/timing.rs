//! How long annotating takes: from published times at first, from the project's own as soon as there are enough.

use num::linear::Cholesky;

/// From so many timed sentences on, a project's own times say how long others will take.
pub const ENOUGH: usize = 30;
/// Residuals beyond so many standard deviations weigh less: somebody was called away, or went to have a look at a grammar.
const HUBER: f64 = 1.345;
/// A median of absolute residuals times this is their standard deviation, if they are normal.
const NORMAL: f64 = 1.4826;
/// No times are more regular than this share of them.
const LEAST_SPREAD: f64 = 0.05;
/// Weights and times depend on one another; they have settled long before that.
const ROUNDS: usize = 30;

/// A sentence that was timed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timed<const K: usize> {
    /// How often each thing that takes time was there: words to read, heads to set.
    pub counts: [f64; K],
    /// How long it took.
    pub seconds: f64,
}

/// Seconds that each thing takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates<const K: usize> {
    /// Seconds for one of each.
    pub seconds: [f64; K],
    /// Timed sentences they were learned from; 0 if they are those that were thought of before.
    pub n_timed: usize,
    /// How far times are off, as a share of what was expected; nothing if they were not learned.
    pub spread: Option<f64>,
}

impl<const K: usize> Rates<K> {
    /// What is thought of before anything was timed.
    pub const fn before(seconds: [f64; K]) -> Self {
        Self { seconds, n_timed: 0, spread: None }
    }

    /// Seconds for so many of each.
    pub fn of(&self, counts: &[f64; K]) -> f64 {
        dot(&self.seconds, counts)
    }

    /// What timed sentences say, or what was thought of before while there are fewer than [`ENOUGH`].
    ///
    /// With counts x and seconds t of a sentence, t ~ N(xᵀβ, (σ xᵀβ)²), since what takes long varies more, and each rate
    /// βⱼ ~ N(bⱼ, bⱼ²) around what was thought of before, so that what sentences do not tell apart (words and heads go together) stays
    /// near it. No rate is negative. σ is the median of |t − xᵀβ| / xᵀβ, made that of a normal distribution, and times that are far off
    /// count less (Huber).
    pub fn learn(before: [f64; K], timed: &[Timed<K>]) -> Self {
        let is_usable = |one: &&Timed<K>| {
            let counts = one.counts.iter().all(|count| count.is_finite() && *count >= 0.0);
            counts && one.counts.iter().sum::<f64>() > 0.0 && one.seconds.is_finite() && one.seconds > 0.0
        };
        let timed: Vec<&Timed<K>> = timed.iter().filter(is_usable).collect();
        if timed.len() < ENOUGH {
            return Self::before(before);
        }
        let (mut seconds, mut spread) = (before, LEAST_SPREAD);
        for _ in 0..ROUNDS {
            let residuals: Vec<f64> = timed.iter().map(|one| residual(&seconds, one)).collect();
            spread = (NORMAL * median_size(&residuals)).max(LEAST_SPREAD);
            seconds = weighted(&before, &seconds, spread, &timed, &residuals);
        }
        Self { seconds, n_timed: timed.len(), spread: Some(spread) }
    }
}

/// How far a time is off, as a share of what was expected.
fn residual<const K: usize>(seconds: &[f64; K], one: &Timed<K>) -> f64 {
    let expected = expected(seconds, one);
    (one.seconds - expected) / expected
}

/// What is expected of a sentence, a second at least.
fn expected<const K: usize>(seconds: &[f64; K], one: &Timed<K>) -> f64 {
    dot(seconds, &one.counts).max(1.0)
}

/// The rates that go best with all times, weighted by what is expected of each and by how far it was off.
fn weighted<const K: usize>(
    before: &[f64; K],
    seconds: &[f64; K],
    spread: f64,
    timed: &[&Timed<K>],
    residuals: &[f64],
) -> [f64; K] {
    // A = Σ w x xᵀ + diag(1 / b²), c = Σ w t x + 1 / b
    let (mut a, mut c) = ([[0.0; K]; K], [0.0; K]);
    for (one, residual) in timed.iter().zip(residuals) {
        let huber = (HUBER * spread / residual.abs().max(f64::MIN_POSITIVE)).min(1.0);
        let deviation = spread * expected(seconds, one);
        let weight = huber / (deviation * deviation);
        for i in 0..K {
            c[i] += weight * one.seconds * one.counts[i];
            for (entry, count) in a[i].iter_mut().zip(&one.counts) {
                *entry += weight * one.counts[i] * count;
            }
        }
    }
    for i in 0..K {
        a[i][i] += 1.0 / (before[i] * before[i]);
        c[i] += 1.0 / before[i];
    }
    not_negative(&a, &c)
}

/// min βᵀAβ / 2 − cᵀβ over β ≥ 0 for a positive definite A.
///
/// K is two or three: every choice of rates that are 0 is tried, and the best that is allowed is taken.
fn not_negative<const K: usize>(a: &[[f64; K]; K], c: &[f64; K]) -> [f64; K] {
    let mut best = ([0.0; K], 0.0);
    for free in 1..1usize << K {
        let free: Vec<usize> = (0..K).filter(|i| free >> i & 1 == 1).collect();
        let matrix: Vec<f64> = free.iter().flat_map(|&i| free.iter().map(move |&j| a[i][j])).collect();
        let mut solved: Vec<f64> = free.iter().map(|&i| c[i]).collect();
        let Some(root) = Cholesky::new(free.len(), &matrix) else { continue };
        root.solve(&mut solved);
        // At the minimum βᵀAβ = cᵀβ.
        let value = -0.5 * free.iter().zip(&solved).map(|(&i, rate)| c[i] * rate).sum::<f64>();
        if solved.iter().all(|rate| *rate >= 0.0) && value < best.1 {
            let mut rates = [0.0; K];
            free.iter().zip(&solved).for_each(|(&i, rate)| rates[i] = *rate);
            best = (rates, value);
        }
    }
    best.0
}

fn dot<const K: usize>(a: &[f64; K], b: &[f64; K]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn median_size(values: &[f64]) -> f64 {
    let mut sizes: Vec<f64> = values.iter().map(|value| value.abs()).collect();
    sizes.sort_unstable_by(f64::total_cmp);
    let middle = sizes.len() / 2;
    match sizes.len() % 2 {
        1 => sizes[middle],
        _ => 0.5 * (sizes[middle - 1] + sizes[middle]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num::dist::{categorical, gamma};
    use num::streams::Stream;
    use proptest::prelude::*;

    const BEFORE: [f64; 3] = [2.2, 12.5, 12.0];

    /// Sentences of an annotator with these rates, whose times vary by a fifth.
    fn timed(n: usize, rates: [f64; 3], seed: u64) -> Vec<Timed<3>> {
        let mut rng = Stream::new(seed).rng();
        let mut drawn = |most: usize| categorical(&mut rng, &vec![1.0; most]).unwrap() as f64;
        let counts: Vec<[f64; 3]> = (0..n).map(|_| [4.0 + drawn(30), drawn(12), drawn(6)]).collect();
        let mut noise = |counts: &[f64; 3]| dot(&rates, counts) * gamma(&mut rng, 25.0, 0.04);
        counts.iter().map(|counts| Timed { counts: *counts, seconds: noise(counts) }).collect()
    }

    #[test]
    fn the_rates_of_an_annotator_are_found_though_she_was_called_away() {
        let rates = [1.1, 5.0, 8.0];
        let mut seen = timed(400, rates, 1);
        // One sentence in twenty was on the screen for an hour.
        seen.iter_mut().step_by(20).for_each(|one| one.seconds += 3600.0);
        let found = Rates::learn(BEFORE, &seen);
        for (found, rate) in found.seconds.iter().zip(rates) {
            assert!((found / rate - 1.0).abs() < 0.15, "{found} for {rate}");
        }
        assert_eq!(found.n_timed, 400);
        assert!((0.15..0.3).contains(&found.spread.unwrap()), "{found:?}");
    }

    #[test]
    fn a_few_times_say_nothing_yet() {
        let seen = timed(ENOUGH, [1.0, 1.0, 1.0], 2);
        assert_eq!(Rates::learn(BEFORE, &seen[1..]), Rates::before(BEFORE));
        let found = Rates::learn(BEFORE, &seen);
        assert_eq!(found.n_timed, ENOUGH);
        assert!(found.seconds.iter().zip(BEFORE).all(|(found, before)| *found < 0.5 * before), "{found:?}");
    }

    #[test]
    fn what_was_never_done_keeps_its_rate() {
        let mut seen = timed(50, [1.0, 4.0, 0.0], 3);
        seen.iter_mut().for_each(|one| one.counts[2] = 0.0);
        let found = Rates::learn(BEFORE, &seen);
        assert!((found.seconds[2] - BEFORE[2]).abs() < 1e-9, "{found:?}");
    }

    #[test]
    fn times_that_are_no_times_are_left_out() {
        let mut seen = timed(40, [1.0, 4.0, 2.0], 4);
        let kept = Rates::learn(BEFORE, &seen);
        for (counts, seconds) in
            [([1.0, 0.0, 0.0], f64::NAN), ([0.0; 3], 10.0), ([f64::NAN; 3], 1.0), ([1.0; 3], -4.0)]
        {
            seen.push(Timed { counts, seconds });
        }
        assert_eq!(Rates::learn(BEFORE, &seen), kept);
    }

    proptest! {
        /// At the minimum no rate could become better: the gradient Aβ − c is 0 where β > 0, and not negative where β = 0.
        #[test]
        fn the_best_rates_that_are_not_negative(
            roots in prop::collection::vec(-3.0f64..3.0, 9),
            c in prop::array::uniform3(-5.0f64..5.0),
        ) {
            let mut a = [[0.0; 3]; 3];
            for i in 0..3 {
                for j in 0..3 {
                    a[i][j] = (0..3).map(|k| roots[3 * i + k] * roots[3 * j + k]).sum::<f64>();
                }
                a[i][i] += 0.1;
            }
            let found = not_negative(&a, &c);
            for i in 0..3 {
                let gradient = dot(&a[i], &found) - c[i];
                prop_assert!(found[i] >= 0.0);
                if found[i] > 0.0 {
                    prop_assert!(gradient.abs() < 1e-6, "{gradient}");
                } else {
                    prop_assert!(gradient > -1e-6, "{gradient}");
                }
            }
        }

        /// In minutes everything is the same as in seconds.
        #[test]
        fn the_unit_of_time_does_not_matter(seed in any::<u64>(), factor in 2.0f64..60.0) {
            let seen = timed(60, [2.0, 6.0, 3.0], seed);
            let longer: Vec<Timed<3>> =
                seen.iter().map(|one| Timed { seconds: factor * one.seconds, ..*one }).collect();
            let (found, scaled) = (Rates::learn(BEFORE, &seen), Rates::learn(BEFORE.map(|b| factor * b), &longer));
            for (found, scaled) in found.seconds.iter().zip(scaled.seconds) {
                prop_assert!((factor * found - scaled).abs() <= 1e-6 * (1.0 + scaled));
            }
        }
    }
}
