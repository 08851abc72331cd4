//! The tables of very many customers, drawn from their distribution.
//!
//! The number of tables K that customers a, …, n − 1 open is a sum of independent Bernoulli(α/(α + i)). Its characteristic
//! function has a closed form,
//!
//! φ(θ) = Π (w + i)/(α + i) = Γ(w + n)/Γ(α + n) · Γ(α + a)/Γ(w + a)  with  w = α e^(iθ),
//!
//! so P(K = k) = (1/M) Σ_j φ(2πj/M) e^(−2πijk/M) takes some thirty terms, however many customers there are: the sum is exact
//! but for P(k ± M) + …, and |φ(θ)| ≤ exp(−σ² (1 − cos θ)). A sum of independent Bernoullis is log-concave, so that a flat top
//! and two geometric tails lie above it; seven eighths of what is proposed there are accepted.

use std::f64::consts::TAU;

use libm::{atan2, ceil, cos, exp, floor, log, log1p, round, sin, sqrt};

use crate::dist::gamma::exponential;
use crate::streams::Rng;

/// The distribution of the number of tables.
pub(super) struct Central {
    /// Where everything is counted from: at first the mean, rounded, then the mode.
    mode: i64,
    /// No k farther from the first centre than this has a probability that could be told from 0.
    nearby: (i64, i64),
    /// (θ, 2|φ|/M, arg φ − θ · mode) for each θ above 0.
    waves: Vec<(f64, f64, f64)>,
    /// 1/M
    level: f64,
    /// P(mode)
    top: f64,
    /// The tails to the left and to the right.
    tails: [Tail; 2],
}

/// A bound of probabilities in units of P(mode): exp(−rate · (distance − start) − drop) from the distance `start` on.
#[derive(Clone, Copy)]
struct Tail {
    start: i64,
    rate: f64,
    drop: f64,
}

/// Farther than so many standard deviations from the mean there is less than 10⁻¹⁵ on either side, by Bernstein's inequality
/// for variances from 64 on.
const REACH: f64 = 10.0;
/// φ is left out where it is below e⁻³⁶.
const NEGLIGIBLE: f64 = 36.0;

impl Central {
    /// The tables of customers `from`, …, n − 1, with about this mean and this variance. `from` must be 1024 at least for
    /// Stirling's series, and the variance 64 for the reach.
    pub(super) fn new(from: u64, n: u64, concentration: f64, mean: f64, variance: f64) -> Central {
        let period = ceil(2.0 * REACH * sqrt(variance));
        let centre = round(mean) as i64;
        let reach = (0.5 * period) as i64;
        let thetas = (1..).map(|j| TAU * f64::from(j) / period);
        let seen =
            thetas.take_while(|theta| variance * (1.0 - cos(*theta)) < NEGLIGIBLE && 2.0 * theta <= TAU);
        let wave = |theta: f64| {
            let (ln_size, turn) = ln_characteristic(from, n, concentration, theta);
            (theta, 2.0 * exp(ln_size) / period, (turn - theta * centre as f64) % TAU)
        };
        let mut central = Central {
            mode: centre,
            nearby: (centre - reach, centre + reach),
            waves: seen.map(wave).collect(),
            level: 1.0 / period,
            top: 0.0,
            tails: [Tail { start: 1, rate: 1.0, drop: 0.0 }; 2],
        };
        central.climb();
        let away = round(std::f64::consts::SQRT_2 * sqrt(variance)).max(1.0) as i64;
        central.tails = [-1, 1].map(|side| central.tail(side, away));
        central
    }

    /// P(K = k)
    pub(super) fn probability(&self, k: i64) -> f64 {
        if k < self.nearby.0 || k > self.nearby.1 {
            return 0.0;
        }
        let away = (k - self.mode) as f64;
        let waves = self.waves.iter().map(|(theta, size, turn)| size * cos(turn - theta * away));
        (self.level + waves.sum::<f64>()).max(0.0)
    }

    /// Moves to the mode, which is next to the mean (Darroch 1964).
    fn climb(&mut self) {
        let mut mode = self.mode;
        self.top = self.probability(mode);
        for side in [-1, 1] {
            while self.probability(mode + side) > self.top {
                mode += side;
                self.top = self.probability(mode);
            }
        }
        let moved = (mode - self.mode) as f64;
        self.waves.iter_mut().for_each(|(theta, _, turn)| *turn -= *theta * moved);
        self.mode = mode;
    }

    /// P(k + 1)/P(k) falls with k, so that the line through the logarithms at `away` and one farther lies above all others.
    fn tail(&self, side: i64, away: i64) -> Tail {
        let ln = |distance: i64| log(self.probability(self.mode + side * distance) / self.top);
        let (near, far) = (ln(away), ln(away + 1));
        let rate = near - far;
        // Where the line comes below the top.
        let start = ceil(away as f64 + near / rate).max(1.0);
        Tail { start: start as i64, rate, drop: rate * (start - away as f64) - near }
    }

    /// One draw.
    pub(super) fn draw(&self, rng: &mut Rng) -> u64 {
        let [left, right] = self.tails;
        let flat = (left.start + right.start - 1) as f64;
        let weights = [left, right].map(|tail| exp(-tail.drop) / (1.0 - exp(-tail.rate)));
        loop {
            let place = rng.uniform() * (flat + weights[0] + weights[1]);
            let (distance, ln_bound) = if place < flat {
                (1 - left.start + floor(place) as i64, 0.0)
            } else {
                let (side, tail) = if place < flat + weights[0] { (-1, left) } else { (1, right) };
                let beyond = floor(exponential(rng) / tail.rate);
                (side * (tail.start + beyond as i64), -tail.drop - tail.rate * beyond)
            };
            let k = self.mode + distance;
            if rng.uniform() * self.top * exp(ln_bound) < self.probability(k) {
                return k as u64;
            }
        }
    }
}

/// ln |φ| and arg φ, from ln Γ(x + δ) − ln Γ(x) = (x + δ − ½) ln(1 + δ/x) + δ ln x − δ + c(x + δ) − c(x) with
/// δ = α (e^(iθ) − 1) and c(z) = 1/(12 z) − 1/(360 z³), in which the large terms have been taken out.
fn ln_characteristic(from: u64, n: u64, alpha: f64, theta: f64) -> (f64, f64) {
    let half = sin(0.5 * theta);
    let delta = Complex { re: -2.0 * alpha * half * half, im: alpha * sin(theta) };
    let (start, end) = (alpha + from as f64, alpha + n as f64);
    let part = |x: f64| {
        let shifted = Complex { re: x + delta.re, im: delta.im };
        let product = Complex { re: shifted.re - 0.5, im: shifted.im }.times(delta.over(x).ln_1p());
        let (far, near) = (correction(shifted), correction(Complex { re: x, im: 0.0 }));
        Complex { re: product.re + far.re - near.re, im: product.im + far.im }
    };
    let (first, last) = (part(start), part(end));
    let slope = log1p((n - from) as f64 / start);
    (last.re - first.re + delta.re * slope, last.im - first.im + delta.im * slope)
}

#[derive(Clone, Copy)]
struct Complex {
    re: f64,
    im: f64,
}

impl Complex {
    fn times(self, other: Complex) -> Complex {
        Complex { re: self.re * other.re - self.im * other.im, im: self.re * other.im + self.im * other.re }
    }

    fn over(self, x: f64) -> Complex {
        Complex { re: self.re / x, im: self.im / x }
    }

    /// ln(1 + z)
    fn ln_1p(self) -> Complex {
        let Complex { re, im } = self;
        Complex { re: 0.5 * log1p(2.0 * re + re * re + im * im), im: atan2(im, 1.0 + re) }
    }

    fn inverse(self) -> Complex {
        let square = self.re * self.re + self.im * self.im;
        Complex { re: self.re / square, im: -self.im / square }
    }
}

/// 1/(12 z) − 1/(360 z³); what is left out is below 10⁻¹⁸ for |z| from 1024 on.
fn correction(z: Complex) -> Complex {
    let inverse = z.inverse();
    let cube = inverse.times(inverse).times(inverse);
    Complex { re: inverse.re / 12.0 - cube.re / 360.0, im: inverse.im / 12.0 - cube.im / 360.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The probabilities of sums of Bernoullis, one after the other.
    fn summed(from: u64, n: u64, alpha: f64) -> Vec<f64> {
        let mut known = vec![1.0];
        for i in from..n {
            let p = alpha / (alpha + i as f64);
            known.push(0.0);
            for k in (0..known.len()).rev() {
                let before = if k == 0 { 0.0 } else { known[k - 1] };
                known[k] = (1.0 - p) * known[k] + p * before;
            }
        }
        known
    }

    #[test]
    fn probabilities_are_those_of_sums_of_bernoullis() {
        for (n, alpha) in [(3000, 90.0), (1400, 800.0), (2500, 2500.0), (2500, 9000.0)] {
            let (mean, variance) = super::super::moments(1024, n, alpha);
            let central = Central::new(1024, n, alpha, mean, variance);
            let known = summed(1024, n, alpha);
            assert!(variance > 64.0, "{n} {alpha} {variance}");
            for (k, p) in known.iter().enumerate() {
                let found = central.probability(k as i64);
                assert!((found - p).abs() < 1e-11 * central.top, "{n} {alpha}: P({k}) = {p}, not {found}");
            }
            let most = known.iter().copied().fold(0.0, f64::max);
            assert!((central.top - most).abs() < 1e-11 * most);
        }
    }

    #[test]
    fn bounds_lie_above_all_probabilities_and_waste_little() {
        for (n, alpha) in [(3000, 90.0), (1400, 800.0), (2_000_000, 40.0), (4_000_000_000, 3e6)] {
            let (mean, variance) = super::super::moments(1024, n, alpha);
            let central = Central::new(1024, n, alpha, mean, variance);
            let bound = |distance: i64, tail: &Tail| match distance < tail.start {
                true => 1.0,
                false => exp(-tail.drop - tail.rate * (distance - tail.start) as f64),
            };
            let mut area = 0.0;
            for distance in 0..(6.0 * sqrt(variance)) as i64 {
                for (side, tail) in [(-1, &central.tails[0]), (1, &central.tails[1])] {
                    let p = central.probability(central.mode + side * distance) / central.top;
                    assert!(p <= bound(distance, tail) * (1.0 + 1e-9), "{n} {alpha}: {distance} {p}");
                    area += if side == 1 && distance == 0 { 0.0 } else { bound(distance, tail) };
                }
            }
            assert!(area * central.top < 1.2, "{n} {alpha}: {}", area * central.top);
        }
    }
}
