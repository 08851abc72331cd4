//! q(η) = Π_i N(m_i, s_i): what a sentence says of the natural parameters of one multinomial.
//!
//! With f expected counts, F = Σ f, d = m − μ and ζ = Σ_i exp(m_i + s_i/2), which is its optimum, the bound is
//!
//! ```text
//! B = ½ ln|Λ| + N/2 − ½ Σ_i s_i Λ_ii − ½ dᵀΛd + ½ Σ_i ln s_i + Σ_i f_i m_i − F ln ζ
//! ```
//!
//! It is concave in m (for ζ as well as with ζ at its optimum) and in each s_i. Means go by conjugate gradients with
//! Σ as preconditioner, which needs one product with Σ a step and never Λ: the direction is z = Σ g, so Λz = g is known.

use num::linear::{dot, times};
use num::special::exp_slice;

use super::normals::Normal;

/// Memory of one optimisation.
#[derive(Debug, Default)]
pub(super) struct OptimiserScratch {
    pull: Vec<f64>,
    gradient: Vec<f64>,
    before: Vec<f64>,
    natural: Vec<f64>,
    direction: Vec<f64>,
    tight_direction: Vec<f64>,
    shares: Vec<f64>,
}

/// Steps of conjugate gradients at most; a dozen suffice, since Σ makes the curvature even.
const STEPS: usize = 50;
/// Means are good enough when a step would gain less than this times the widest prior variance, which is what steps grow
/// with.
const GAIN: f64 = 1e-10;

/// Improves means and variances for given counts; returns ln ζ.
pub(super) fn improve(
    prior: Normal<'_>,
    counts: &[f64],
    mean: &mut [f64],
    variance: &mut [f64],
    scratch: &mut OptimiserScratch,
) -> f64 {
    let total: f64 = counts.iter().sum();
    improve_means(prior, counts, total, mean, variance, scratch);
    let ln_zeta = ln_zeta(mean, variance, &mut scratch.shares);
    improve_variances(prior, total, mean, variance, ln_zeta);
    self::ln_zeta(mean, variance, &mut scratch.shares)
}

/// ln ζ = ln Σ_i exp(m_i + s_i/2), and leaves the shares exp(m_i + s_i/2) / ζ.
pub(super) fn ln_zeta(mean: &[f64], variance: &[f64], shares: &mut Vec<f64>) -> f64 {
    shares.clear();
    shares.extend(mean.iter().zip(variance).map(|(m, s)| m + 0.5 * s));
    let top = shares.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    shares.iter_mut().for_each(|share| *share -= top);
    exp_slice(shares);
    let total: f64 = shares.iter().sum();
    shares.iter_mut().for_each(|share| *share /= total);
    top + libm::log(total)
}

/// The terms of the bound that belong to η: E[ln p(η)] + H(q(η)).
pub(super) fn bound(
    prior: Normal<'_>,
    mean: &[f64],
    variance: &[f64],
    scratch: &mut OptimiserScratch,
) -> f64 {
    let n = mean.len();
    let OptimiserScratch { natural: away, pull, .. } = scratch;
    away.clear();
    away.extend(mean.iter().zip(prior.mean).map(|(m, mu)| m - mu));
    pull.resize(n, 0.0);
    times(prior.precision, away, pull);
    let quadratic = dot(away, pull);
    let widths: f64 = (0..n).map(|i| libm::log(variance[i]) - variance[i] * prior.tightness(i)).sum();
    0.5 * (prior.ln_det + n as f64 - quadratic + widths)
}

/// dB/dm = −Λ(m − μ) + f − F · share, where Λ(m − μ) is the pull back to μ.
fn improve_means(
    prior: Normal<'_>,
    counts: &[f64],
    total: f64,
    mean: &mut [f64],
    variance: &[f64],
    scratch: &mut OptimiserScratch,
) {
    let n = mean.len();
    let OptimiserScratch { pull, gradient, before, natural, direction, tight_direction, shares } = scratch;
    for vector in [&mut *pull, gradient, before, natural, direction, tight_direction] {
        vector.clear();
        vector.resize(n, 0.0);
    }
    for i in 0..n {
        natural[i] = mean[i] - prior.mean[i];
    }
    times(prior.precision, natural, pull);
    let widest = (0..n).map(|i| prior.covariance[i * n + i]).fold(0.0, f64::max);
    let mut scale = 0.0;
    for step in 0..STEPS {
        ln_zeta(mean, variance, shares);
        for i in 0..n {
            gradient[i] = counts[i] - total * shares[i] - pull[i];
        }
        times(prior.covariance, gradient, natural);
        let gain = dot(natural, gradient);
        if gain < GAIN * widest {
            return;
        }
        // Polak & Ribière: β = zᵀ(g − g′) / z′ᵀg′, not below 0.
        let beta = if step == 0 { 0.0 } else { ((gain - dot(natural, before)) / scale).max(0.0) };
        scale = gain;
        before.copy_from_slice(gradient);
        for i in 0..n {
            direction[i] = natural[i] + beta * direction[i];
            tight_direction[i] = gradient[i] + beta * tight_direction[i];
        }
        if dot(direction, gradient) <= 0.0 {
            direction.copy_from_slice(natural);
            tight_direction.copy_from_slice(gradient);
        }
        let step = along(counts, total, mean, variance, pull, direction, tight_direction, shares);
        for i in 0..n {
            mean[i] += step * direction[i];
            pull[i] += step * tight_direction[i];
        }
    }
}

/// The best step t along v by Newton's method, with φ′(t) = f·v − F E[v] − dᵀΛv − t vᵀΛv and −φ″(t) = vᵀΛv + F Var[v];
/// between two places known to rise and to fall, steps that leave them are replaced by halving.
#[allow(clippy::too_many_arguments, reason = "all are parts of one state")]
fn along(
    counts: &[f64],
    total: f64,
    mean: &[f64],
    variance: &[f64],
    pull: &[f64],
    direction: &[f64],
    tight_direction: &[f64],
    shares: &mut Vec<f64>,
) -> f64 {
    const ROUNDS: usize = 12;
    let ahead = dot(counts, direction) - dot(pull, direction);
    let curve = dot(direction, tight_direction);
    let mut derivative_at = |t: f64| {
        shares.clear();
        shares.extend((0..mean.len()).map(|i| mean[i] + t * direction[i] + 0.5 * variance[i]));
        let top = shares.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        shares.iter_mut().for_each(|share| *share -= top);
        exp_slice(shares);
        let mass: f64 = shares.iter().sum();
        let first = dot(shares, direction) / mass;
        let second = shares.iter().zip(direction).map(|(p, v)| p * v * v).sum::<f64>() / mass;
        (ahead - total * first - t * curve, curve + total * (second - first * first).max(0.0))
    };
    let (mut low, mut high) = (0.0, f64::INFINITY);
    let (mut t, enough) = (0.0, 1e-3 * derivative_at(0.0).0);
    for round in 0..ROUNDS {
        let (derivative, bend) = derivative_at(t);
        if derivative > 0.0 {
            low = t
        } else {
            high = t
        }
        // What lies before a place that still rises is a gain; at the top itself it does not matter.
        let risen = low > 0.0 || derivative.abs() <= enough;
        if derivative.abs() <= enough || (round + 1 == ROUNDS && risen) {
            break;
        }
        let next = t + derivative / bend;
        t = if next > low && next < high { next } else { 0.5 * (low + high) };
    }
    if derivative_at(t).0 < -enough { low } else { t }
}

/// 1/s = Λ_ii + (F/ζ) exp(m_i + s/2), by Newton's method from above, where 1 − s (Λ_ii + c exp(s/2)) is concave and falls,
/// so that no step passes the root.
fn improve_variances(prior: Normal<'_>, total: f64, mean: &[f64], variance: &mut [f64], ln_zeta: f64) {
    const ROUNDS: usize = 40;
    /// exp(s/2) stays finite.
    const WIDEST: f64 = 1000.0;
    for (i, s) in variance.iter_mut().enumerate() {
        let tight = prior.tightness(i);
        let pressure = total * libm::exp(mean[i] - ln_zeta);
        let mut now = (1.0 / tight).min(WIDEST);
        for _ in 0..ROUNDS {
            let push = pressure * libm::exp(0.5 * now);
            let value = 1.0 - now * (tight + push);
            let derivative = -(tight + push) - 0.5 * now * push;
            let next = now - value / derivative;
            let done = (next - now).abs() <= 1e-12 * now;
            now = next;
            if done || !now.is_finite() {
                break;
            }
        }
        if now.is_finite() && now > 0.0 {
            *s = now;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::normals::Normals;
    use super::*;
    use crate::family::Rows;
    use proptest::prelude::*;

    /// A prior with a random covariance B Bᵀ + I/5, random counts, and a random place to begin.
    fn any_case() -> impl Strategy<Value = (Normals, Vec<f64>, Vec<f64>, Vec<f64>)> {
        (2usize..6).prop_flat_map(|n| {
            let numbers = |low: f64, high: f64, n: usize| proptest::collection::vec(low..high, n);
            let all = (numbers(-1.5, 1.5, n * n), numbers(-2.0, 2.0, n), numbers(0.0, 4.0, n));
            (all, numbers(-1.0, 1.0, n), numbers(0.1, 2.0, n)).prop_map(move |((b, mean, counts), m, s)| {
                let mut a: Vec<f64> =
                    (0..n * n).map(|at| dot(&b[at / n * n..][..n], &b[at % n * n..][..n])).collect();
                (0..n).for_each(|i| a[i * n + i] += 0.2);
                (Normals::new(Rows::new([n]), mean, a).unwrap(), counts, m, s)
            })
        })
    }

    /// The bound of one multinomial as the module's comment has it, with ζ at its optimum.
    fn value(prior: Normal<'_>, counts: &[f64], mean: &[f64], variance: &[f64]) -> f64 {
        let ln_zeta = ln_zeta(mean, variance, &mut Vec::new());
        let total: f64 = counts.iter().sum();
        bound(prior, mean, variance, &mut OptimiserScratch::default()) + dot(counts, mean) - total * ln_zeta
    }

    proptest! {
        #[test]
        fn improving_never_lowers_the_bound((normals, counts, mut m, mut s) in any_case()) {
            let (prior, mut scratch) = (normals.row(0), OptimiserScratch::default());
            let mut before = value(prior, &counts, &m, &s);
            for _ in 0..5 {
                improve(prior, &counts, &mut m, &mut s, &mut scratch);
                let now = value(prior, &counts, &m, &s);
                prop_assert!(now >= before - 1e-9 * (1.0 + before.abs()), "{now} < {before}");
                before = now;
            }
        }

        #[test]
        fn where_improving_rests_the_derivatives_by_finite_differences_are_zero(
            (normals, counts, mut m, mut s) in any_case()
        ) {
            let (prior, mut scratch) = (normals.row(0), OptimiserScratch::default());
            for _ in 0..300 {
                improve(prior, &counts, &mut m, &mut s, &mut scratch);
            }
            let step = 1e-5;
            for i in 0..m.len() {
                let at = |dm: f64, ds: f64| {
                    let (mut m, mut s) = (m.clone(), s.clone());
                    m[i] += dm;
                    s[i] += ds;
                    value(prior, &counts, &m, &s)
                };
                let derivative_m = (at(step, 0.0) - at(-step, 0.0)) / (2.0 * step);
                let ds = step * s[i];
                let derivative_s = (at(0.0, ds) - at(0.0, -ds)) / (2.0 * step);
                prop_assert!(derivative_m.abs() < 1e-4 && derivative_s.abs() < 1e-4, "{derivative_m} {derivative_s}");
            }
        }

        #[test]
        fn the_pull_that_conjugate_gradients_carry_along_is_the_precision_times_the_distance(
            (normals, counts, mut m, s) in any_case()
        ) {
            let (prior, mut scratch) = (normals.row(0), OptimiserScratch::default());
            let total = counts.iter().sum();
            improve_means(prior, &counts, total, &mut m, &s, &mut scratch);
            let away: Vec<f64> = m.iter().zip(prior.mean).map(|(m, mu)| m - mu).collect();
            let mut pull = vec![0.0; m.len()];
            times(prior.precision, &away, &mut pull);
            for (carried, exact) in scratch.pull.iter().zip(&pull) {
                prop_assert!((carried - exact).abs() < 1e-6 * (1.0 + exact.abs()), "{carried} {exact}");
            }
        }
    }
}
