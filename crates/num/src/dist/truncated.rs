//! The normal distribution cut to an interval.

use super::gamma::exponential;
use super::normal::normal;
use crate::streams::Rng;

/// A draw from N(mean, sd²) given that it lies in [lower, upper] (Robert 1995); either end may be infinite.
///
/// Exact also in the far tail, where the interval has no probability that a `f64` could hold. The
/// rejection rate is bounded. NaN if the interval is empty or the standard deviation is not positive.
pub fn truncated_normal(rng: &mut Rng, mean: f64, sd: f64, lower: f64, upper: f64) -> f64 {
    let sound = sd > 0.0 && sd.is_finite() && mean.is_finite() && lower <= upper;
    if !sound || lower == f64::INFINITY || upper == f64::NEG_INFINITY {
        return f64::NAN;
    }
    if lower == upper {
        return lower;
    }
    let z = standard(rng, (lower - mean) / sd, (upper - mean) / sd);
    (mean + sd * z).clamp(lower, upper)
}

/// Chooses the proposal that fits the interval [a, b].
fn standard(rng: &mut Rng, a: f64, b: f64) -> f64 {
    if b <= 0.0 {
        -right(rng, -b, -a)
    } else if a >= 0.0 {
        right(rng, a, b)
    } else if b - a > WIDE {
        until(rng, normal, |z| (a..=b).contains(&z))
    } else {
        // The bell over an interval around 0, under the constant 1.
        level(rng, a, b, 0.0)
    }
}

/// √(2π): wider intervals around 0 hold enough of the bell to wait for a hit.
const WIDE: f64 = 2.506_628_274_631_000_5;
/// Below this bound on one side, waiting for the bell itself is at least as good as the exponential.
const NEAR: f64 = 0.25;

/// The interval [a, b] with 0 ≤ a.
fn right(rng: &mut Rng, a: f64, b: f64) -> f64 {
    let root = libm::hypot(a, 2.0);
    // Robert's bound 2/(a+√(a²+4)) · exp((a² − a√(a²+4))/4 + ½), with the difference written stably.
    let long = 2.0 / (a + root) * libm::exp(0.5 - a / (a + root));
    if b - a <= long {
        level(rng, a, b, a)
    } else if a < NEAR {
        until(rng, |rng| normal(rng).abs(), |z| (a..=b).contains(&z))
    } else {
        exponential_tail(rng, a, b, 0.5 * (a + root))
    }
}

/// A uniform proposal on [a, b], accepted in proportion to the bell, which is highest at `top`.
fn level(rng: &mut Rng, a: f64, b: f64, top: f64) -> f64 {
    loop {
        let z = a + (b - a) * rng.uniform();
        // exp((top² − z²)/2), as a product that does not cancel.
        if libm::log(rng.uniform_open()) <= 0.5 * (top - z) * (top + z) {
            return z;
        }
    }
}

/// An exponential proposal beyond a with the given rate, accepted with exp(−(z − rate)²/2).
fn exponential_tail(rng: &mut Rng, a: f64, b: f64, rate: f64) -> f64 {
    loop {
        let z = a + exponential(rng) / rate;
        let miss = z - rate;
        if z <= b && libm::log(rng.uniform_open()) <= -0.5 * miss * miss {
            return z;
        }
    }
}

fn until(rng: &mut Rng, propose: impl Fn(&mut Rng) -> f64, accept: impl Fn(f64) -> bool) -> f64 {
    loop {
        let z = propose(rng);
        if accept(z) {
            return z;
        }
    }
}
