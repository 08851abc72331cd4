//! The slice sampler for a single number, such as a concentration parameter.

use super::gamma::exponential;
use crate::streams::Rng;

/// How a slice is searched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slice {
    /// A guess at the width of the slice.
    pub width: f64,
    /// How many widths the interval may grow to.
    pub max_steps: usize,
    /// The density is 0 below this.
    pub lower: f64,
    /// The density is 0 above this.
    pub upper: f64,
}

impl Default for Slice {
    fn default() -> Slice {
        Slice { width: 1.0, max_steps: 32, lower: f64::NEG_INFINITY, upper: f64::INFINITY }
    }
}

/// One step from `x` that leaves the density exp(`log_density`) as it is (Neal 2003: step out, shrink).
///
/// Stays at `x` if the density there is 0 or NaN, which means that `x` is not a possible state. A value of
/// NaN elsewhere counts as density 0. The number of evaluations is bounded.
pub fn slice(rng: &mut Rng, x: f64, options: &Slice, mut log_density: impl FnMut(f64) -> f64) -> f64 {
    let floor = log_density(x) - exponential(rng);
    if !floor.is_finite() {
        return x;
    }
    let mut inside = |y: f64| y >= options.lower && y <= options.upper && log_density(y) > floor;
    let (mut left, mut right) = step_out(rng, x, options, &mut inside);
    for _ in 0..ENOUGH {
        let y = left + rng.uniform() * (right - left);
        if inside(y) {
            return y;
        }
        // What was missed is cut off, on the side where it lies.
        if y < x { left = y } else { right = y }
    }
    x
}

/// Shrinking halves the interval on average, so this is far beyond the resolution of numbers.
const ENOUGH: usize = 10_000;

/// An interval around x, laid at random and lengthened in steps while its ends are inside the slice.
fn step_out(rng: &mut Rng, x: f64, options: &Slice, inside: &mut impl FnMut(f64) -> bool) -> (f64, f64) {
    let width = options.width;
    let mut left = x - width * rng.uniform();
    let mut right = left + width;
    // The steps are shared out between the sides at random, or the move could not be undone.
    let steps = options.max_steps.saturating_sub(1);
    let to_left = rng.below(steps + 1);
    for _ in 0..to_left {
        if !inside(left) {
            break;
        }
        left -= width;
    }
    for _ in to_left..steps {
        if !inside(right) {
            break;
        }
        right += width;
    }
    (left.max(options.lower), right.min(options.upper))
}
