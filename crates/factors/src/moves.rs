//! Moves along directions in which the latent values do not change: without them a chain creeps there.
//!
//! Both draw from a group of transformations under its Haar measure (Liu & Sabatti 2000), so the posterior stays as it
//! is.

use chain::Rng;
use libm::sqrt;
use num::dist::{gamma, normal};
use num::linear::Cholesky;

use crate::options::Prior;
use crate::state::State;

/// f_s ← c f_s, b_s ← b_s / c, ν_s ← ν_s / c² for each factor: c² ~ Gamma((n + c_s)/2, rate Σ f²/2 + c_s d_s / 2ν).
///
/// The normal prior of b given ν does not notice; the factors' prior gives cⁿ exp(−c² Σ f²/2) and the inverse gamma prior
/// of ν gives c^(c_s) exp(−c² c_s d_s / 2ν) with the Jacobians and the measure dc/c.
pub(crate) fn rescale(state: &mut State, prior: &Prior, rng: &mut Rng) {
    let k = state.variances.len();
    let n_rows = state.factors.len() / k;
    for s in 0..k {
        let squares: f64 = state.factors.iter().skip(s).step_by(k).map(|f| f * f).sum();
        let rate = 0.5 * squares + 0.5 * prior.loading_shape * prior.loading_scale / state.variances[s];
        let square = gamma(rng, 0.5 * (n_rows as f64 + prior.loading_shape), 1.0 / rate);
        let c = sqrt(square);
        if !(c > 0.0 && c.is_finite()) {
            continue;
        }
        state.factors.iter_mut().skip(s).step_by(k).for_each(|f| *f *= c);
        state.variances[s] /= square;
        for column in &mut state.columns {
            column.weights.iter_mut().skip(s + 1).step_by(k + 1).for_each(|b| *b /= c);
        }
    }
}

/// f_i ← f_i − δ, α_j ← α_j + b_j δ: δ is normal with precision nI + Σ b bᵀ/ν_α and pull Σ f − Σ α b/ν_α.
pub(crate) fn shift(state: &mut State, intercept_variance: f64, rng: &mut Rng) {
    let k = state.variances.len();
    let n_rows = (state.factors.len() / k) as f64;
    let mut precision = vec![0.0; k * k];
    let mut delta = vec![0.0; k];
    (0..k).for_each(|s| precision[s * k + s] = n_rows);
    for f in state.factors.chunks_exact(k) {
        delta.iter_mut().zip(f).for_each(|(sum, f)| *sum += f);
    }
    for row in state.columns.iter().flat_map(|column| column.weights.chunks_exact(k + 1)) {
        for (a, &b) in row[1..].iter().enumerate().filter(|(_, b)| **b != 0.0) {
            let scaled = b / intercept_variance;
            delta[a] -= scaled * row[0];
            precision[a * k..=a * k + a].iter_mut().zip(&row[1..]).for_each(|(sum, b)| *sum += scaled * b);
        }
    }
    let Some(factor) = Cholesky::new(k, &precision) else { return };
    factor.solve_lower(&mut delta);
    delta.iter_mut().for_each(|x| *x += normal(rng));
    factor.solve_upper(&mut delta);
    for f in state.factors.chunks_exact_mut(k) {
        f.iter_mut().zip(&delta).for_each(|(f, delta)| *f -= delta);
    }
    for row in state.columns.iter_mut().flat_map(|column| column.weights.chunks_exact_mut(k + 1)) {
        row[0] += row[1..].iter().zip(&delta).map(|(b, delta)| b * delta).sum::<f64>();
    }
}
