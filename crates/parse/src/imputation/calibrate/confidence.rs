//! How often the most probable head is right.

use serde::{Deserialize, Serialize};

use super::Guess;
use crate::imputation::ArcPosteriors;

/// Corrects the probability c of the most probable head of a word; the other heads share what is left as before.
///
/// c becomes σ(shift + a ln c − b ln(1 − c)), the beta calibration of Kull, Silva Filho & Flach (2017) of the top label. A
/// temperature makes all words surer or all less sure; this can make the sure ones less sure and the unsure ones surer,
/// which is what reliability diagrams of ConvexMST ask for. Certain heads stay certain, impossible ones impossible, and
/// the order of heads stays what it was.
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
/// With fewer heads nothing is corrected: one that is sure and wrong would say too much.
const FEWEST: usize = 20;
/// A head as probable as this is certain.
const CERTAIN: f64 = 1.0 - 1e-9;

impl Confidence {
    /// The correction under which it is most probable that the heads which are right are right, and the others wrong.
    ///
    /// That is a logistic regression with two slopes that must not be negative, so that who is surer stays surer. Fewer than 20
    /// heads that are not certain correct nothing.
    pub fn fit(guesses: &[Guess]) -> Confidence {
        let cases: Vec<Case> = guesses.iter().filter_map(Case::new).collect();
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

    /// Corrects the rows of all words.
    pub fn apply(&self, posteriors: &mut ArcPosteriors) {
        if *self != Confidence::default() {
            (1..=posteriors.n_words()).for_each(|word| self.apply_row(posteriors.row_mut(word)));
        }
    }

    fn apply_row(&self, row: &mut [f64]) {
        let best = most_probable(row);
        let others = || (0..row.len()).filter(|&head| head != best).map(|head| row[head]);
        let (rest, second) = (others().sum::<f64>(), others().fold(0.0, f64::max));
        let Some((right, wrong)) = row.get(best).and_then(|&best| self.odds(best, rest)) else { return };
        // s (1 − c') / (1 − c) ≤ c' keeps the second from coming first.
        let least = second / (rest + second);
        let (right, wrong) = if right < least { (least, 1.0 - least) } else { (right, wrong) };
        row.iter_mut().for_each(|p| *p *= wrong / rest);
        row[best] = right;
    }

    /// The corrected probabilities of being right and of being wrong; `None` where the head is certain or unknown.
    fn odds(&self, right: f64, wrong: f64) -> Option<(f64, f64)> {
        if right <= 0.0 || right >= CERTAIN || wrong <= 0.0 {
            return None;
        }
        let z = self.shift + self.right * libm::log(right) - self.wrong * libm::log(wrong);
        Some((logistic(z), logistic(-z)))
    }
}

/// The first of the most probable heads.
pub(super) fn most_probable(row: &[f64]) -> usize {
    let mut best = 0;
    (0..row.len()).for_each(|head| best = if row[head] > row[best] { head } else { best });
    best
}

/// A word whose head is not certain: 1, ln c and −ln(1 − c), and whether the head is right.
struct Case {
    seen: [f64; 3],
    is_right: bool,
}

impl Case {
    fn new(guess: &Guess) -> Option<Case> {
        let confidence = Some(guess.confidence).filter(|&c| c > 0.0 && c < CERTAIN)?;
        let seen = [1.0, libm::log(confidence), -libm::log(1.0 - confidence)];
        Some(Case { seen, is_right: guess.is_right })
    }

    fn score(&self, weights: &[f64; 3]) -> f64 {
        self.seen.iter().zip(weights).map(|(seen, weight)| seen * weight).sum()
    }
}

/// The weights that minimise Σ ln(1 + exp(∓z)) + precision/2 ‖w − (0, 1, 1)‖², those that are not free being 0.
fn newton(cases: &[Case], is_free: [bool; 3]) -> [f64; 3] {
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

fn loss(cases: &[Case], weights: &[f64; 3]) -> f64 {
    let of_case = |case: &Case| {
        let z = if case.is_right { -case.score(weights) } else { case.score(weights) };
        z.max(0.0) + libm::log1p(libm::exp(-z.abs()))
    };
    let away: f64 = weights.iter().zip([0.0, 1.0, 1.0]).map(|(weight, prior)| (weight - prior).powi(2)).sum();
    cases.iter().map(of_case).sum::<f64>() + PRECISION / 2.0 * away
}

/// −H⁻¹ g over the free weights, H = Σ p (1 − p) x xᵀ + precision · I.
fn direction(cases: &[Case], weights: &[f64; 3], is_free: [bool; 3]) -> [f64; 3] {
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
