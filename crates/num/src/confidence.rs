//! Probabilities that mean what they say: how often the most probable of several answers is right.
//!
//! A row has the probability of each answer to one question. [`Confidence`] corrects rows after what was found out of
//! questions whose answers are known, and [`Bin`]s show whether that is necessary.
//!
//! ```
//! use num::confidence::{Confidence, Guess, bins, calibration_error};
//! // Who is right four times of five, and always nearly certain, is too sure of himself.
//! let guesses: Vec<Guess> = (0..500).map(|at| Guess { confidence: 0.99, is_right: at % 5 > 0 }).collect();
//! assert!(calibration_error(&bins(&guesses)) > 0.18);
//! let confidence = Confidence::fit(&guesses);
//! assert!((confidence.of(0.99) - 0.8).abs() < 0.01);
//! ```

use serde::{Deserialize, Serialize};

/// The most probable answer to a question.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Guess {
    /// How probable it is.
    pub confidence: f64,
    /// Whether it is the right one.
    pub is_right: bool,
}

impl Guess {
    /// The most probable answer of a row, the first of several.
    pub fn of_row(row: &[f64], right: usize) -> Guess {
        let best = most_probable(row);
        Guess { confidence: row.get(best).copied().unwrap_or(0.0), is_right: best == right }
    }
}

/// Questions whose most probable answers are about equally probable.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Bin {
    /// How many there are.
    pub n: usize,
    /// The mean probability of the most probable answer.
    pub confidence: f64,
    /// How often it is right.
    pub accuracy: f64,
}

/// The number of bins.
const BINS: usize = 10;

/// Guesses in ten bins of equal width, by confidence.
pub fn bins(guesses: &[Guess]) -> Vec<Bin> {
    let mut bins = vec![Bin::default(); BINS];
    for guess in guesses {
        let bin = &mut bins[((guess.confidence * BINS as f64) as usize).min(BINS - 1)];
        bin.n += 1;
        bin.confidence += guess.confidence;
        bin.accuracy += f64::from(u8::from(guess.is_right));
    }
    for bin in bins.iter_mut().filter(|bin| bin.n > 0) {
        bin.confidence /= bin.n as f64;
        bin.accuracy /= bin.n as f64;
    }
    bins
}

/// Σ share of the bin · |accuracy − confidence|; 0 if there are no guesses.
pub fn calibration_error(bins: &[Bin]) -> f64 {
    let n_all: usize = bins.iter().map(|bin| bin.n).sum();
    let of = |bin: &Bin| bin.n as f64 / n_all.max(1) as f64 * (bin.accuracy - bin.confidence).abs();
    bins.iter().map(of).sum()
}

/// Corrects the probability c of the most probable answer; the other answers share what is left as before.
///
/// c becomes σ(shift + a ln c − b ln(1 − c)), the beta calibration of Kull, Silva Filho & Flach (2017) of the top label. A
/// temperature makes all answers surer or all less sure; this can make the sure ones less sure and the unsure ones surer,
/// which is what reliability diagrams of ConvexMST ask for. Certain answers stay certain, impossible ones impossible, and
/// the order of answers stays what it was.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Confidence {
    /// What is added to the logarithm of the odds.
    pub shift: f64,
    /// a ≥ 0, the weight of ln c.
    pub right: f64,
    /// b ≥ 0, the weight of −ln(1 − c).
    pub wrong: f64,
}

impl Default for Confidence {
    /// Nothing is corrected.
    fn default() -> Self {
        Confidence { shift: 0.0, right: 1.0, wrong: 1.0 }
    }
}

/// The precision of the normal prior of each coefficient, around those that correct nothing.
const PRECISION: f64 = 1.0;
/// With fewer guesses nothing is corrected: one that is sure and wrong would say too much.
const FEWEST: usize = 20;
/// An answer as probable as this is certain.
const CERTAIN: f64 = 1.0 - 1e-9;

impl Confidence {
    /// The correction under which it is most probable that the guesses which are right are right, and the others wrong.
    ///
    /// That is a logistic regression with two slopes that must not be negative, so that who is surer stays surer. Fewer than 20
    /// guesses that are not certain correct nothing.
    pub fn fit(guesses: &[Guess]) -> Confidence {
        let cases: Vec<UnsureGuess> = guesses.iter().filter_map(UnsureGuess::new).collect();
        if cases.len() < FEWEST {
            return Confidence::default();
        }
        let mut is_free = [true; 3];
        loop {
            let weights = newton(&cases, is_free);
            match (1..3).find(|&slope| weights[slope] < 0.0) {
                Some(slope) => is_free[slope] = false,
                None => return Confidence { shift: weights[0], right: weights[1], wrong: weights[2] },
            }
        }
    }

    /// What a confidence becomes.
    pub fn of(&self, confidence: f64) -> f64 {
        self.odds(confidence, 1.0 - confidence).map_or(confidence, |(right, _)| right)
    }

    /// Corrects a row.
    pub fn correct(&self, row: &mut [f64]) {
        if *self == Confidence::default() {
            return;
        }
        let best = most_probable(row);
        let others = || (0..row.len()).filter(|&answer| answer != best).map(|answer| row[answer]);
        let (rest, second) = (others().sum::<f64>(), others().fold(0.0, f64::max));
        let Some((right, wrong)) = row.get(best).and_then(|&best| self.odds(best, rest)) else { return };
        // s (1 − c') / (1 − c) ≤ c' keeps the second from coming first.
        let least = second / (rest + second);
        let (right, wrong) = if right < least { (least, 1.0 - least) } else { (right, wrong) };
        row.iter_mut().for_each(|p| *p *= wrong / rest);
        row[best] = right;
    }

    /// The corrected probabilities of being right and of being wrong; `None` where the answer is certain or unknown.
    fn odds(&self, right: f64, wrong: f64) -> Option<(f64, f64)> {
        if right <= 0.0 || right >= CERTAIN || wrong <= 0.0 {
            return None;
        }
        let z = self.shift + self.right * libm::log(right) - self.wrong * libm::log(wrong);
        Some((logistic(z), logistic(-z)))
    }
}

/// The first of the most probable answers.
pub fn most_probable(row: &[f64]) -> usize {
    let mut best = 0;
    (0..row.len()).for_each(|answer| best = if row[answer] > row[best] { answer } else { best });
    best
}

/// A guess that is not certain: 1, ln c and −ln(1 − c), and whether it is right.
struct UnsureGuess {
    seen: [f64; 3],
    is_right: bool,
}

impl UnsureGuess {
    fn new(guess: &Guess) -> Option<UnsureGuess> {
        let confidence = Some(guess.confidence).filter(|&c| c > 0.0 && c < CERTAIN)?;
        let seen = [1.0, libm::log(confidence), -libm::log(1.0 - confidence)];
        Some(UnsureGuess { seen, is_right: guess.is_right })
    }

    fn score(&self, weights: &[f64; 3]) -> f64 {
        self.seen.iter().zip(weights).map(|(seen, weight)| seen * weight).sum()
    }
}

/// The weights that minimise Σ ln(1 + exp(∓z)) + precision/2 ‖w − (0, 1, 1)‖², those that are not free being 0.
fn newton(cases: &[UnsureGuess], is_free: [bool; 3]) -> [f64; 3] {
    const STEPS: usize = 50;
    let mut weights = [0.0, 1.0, 1.0];
    (0..3).filter(|&at| !is_free[at]).for_each(|at| weights[at] = 0.0);
    let mut now = loss(cases, &weights);
    for _ in 0..STEPS {
        let mut step = direction(cases, &weights, is_free);
        // The loss is convex, but a whole step may be too long where it is far from a parabola.
        let mut next = weights;
        loop {
            (0..3).for_each(|at| next[at] = weights[at] + step[at]);
            if step.iter().all(|step| step.abs() < 1e-10) {
                return weights;
            }
            if loss(cases, &next) <= now {
                break;
            }
            step = step.map(|step| step / 2.0);
        }
        (weights, now) = (next, loss(cases, &next));
    }
    weights
}

fn loss(cases: &[UnsureGuess], weights: &[f64; 3]) -> f64 {
    let of_case = |case: &UnsureGuess| {
        let z = if case.is_right { -case.score(weights) } else { case.score(weights) };
        z.max(0.0) + libm::log1p(libm::exp(-z.abs()))
    };
    let away: f64 = weights.iter().zip([0.0, 1.0, 1.0]).map(|(weight, prior)| (weight - prior).powi(2)).sum();
    cases.iter().map(of_case).sum::<f64>() + PRECISION / 2.0 * away
}

/// −H⁻¹ g over the free weights, H = Σ p (1 − p) x xᵀ + precision · I.
fn direction(cases: &[UnsureGuess], weights: &[f64; 3], is_free: [bool; 3]) -> [f64; 3] {
    let mut hessian = [[PRECISION, 0.0, 0.0], [0.0, PRECISION, 0.0], [0.0, 0.0, PRECISION]];
    let mut downhill = [0.0, 1.0, 1.0];
    (0..3).for_each(|at| downhill[at] = PRECISION * (downhill[at] - weights[at]));
    for case in cases {
        let p = logistic(case.score(weights));
        let missing = f64::from(u8::from(case.is_right)) - p;
        for at in (0..3).filter(|&at| is_free[at]) {
            downhill[at] += missing * case.seen[at];
            for other in (0..3).filter(|&other| is_free[other]) {
                hessian[at][other] += p * (1.0 - p) * case.seen[at] * case.seen[other];
            }
        }
    }
    (0..3).filter(|&at| !is_free[at]).for_each(|at| downhill[at] = 0.0);
    solved(hessian, downhill)
}

/// x with A x = b for a positive definite A, by elimination.
fn solved(mut a: [[f64; 3]; 3], mut b: [f64; 3]) -> [f64; 3] {
    for at in 0..3 {
        for below in at + 1..3 {
            let factor = a[below][at] / a[at][at];
            (at..3).for_each(|column| a[below][column] -= factor * a[at][column]);
            b[below] -= factor * b[at];
        }
    }
    for at in (0..3).rev() {
        let known: f64 = (at + 1..3).map(|column| a[at][column] * b[column]).sum();
        b[at] = (b[at] - known) / a[at][at];
    }
    b
}

fn logistic(z: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-z))
}
