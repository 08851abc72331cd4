//! Weights of a mixture that make hidden cells most probable.

use chain::Workers;
use libm::exp;

/// What the models say of one hidden cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The column of the cell.
    pub column: usize,
    /// Its log-probability according to each model.
    pub ln_p: Vec<f64>,
}

/// For each column the weights w ≥ 0, Σ w = 1, that maximise
///
/// Σ_i ln Σ_m w_m p_im + c Σ_m v_m ln w_m
///
/// over its cells i and the models m, where v are the weights that are best for all cells of the table together: as if
/// c more cells of the column had been seen that follow the whole table. So a column with few cells stays near v, and one
/// with many goes its own way. The sum is concave. After Yao, Vehtari, Simpson & Gelman (2018).
pub fn weights(
    cells: &[Judged],
    n_columns: usize,
    n_models: usize,
    c: f64,
    workers: &Workers,
) -> Vec<Vec<f64>> {
    let mut columns = vec![Vec::new(); n_columns];
    let mut all = Vec::new();
    for cell in cells {
        let shares = relative(&cell.ln_p);
        columns[cell.column].push(shares.clone());
        all.push(shares);
    }
    let even = vec![1.0 / n_models as f64; n_models];
    let pooled = climb(&all, &even, 1.0);
    workers.map(&columns, |_, cells| climb(cells, &pooled, c))
}

/// p divided by the largest one, which changes no optimum.
fn relative(ln_p: &[f64]) -> Vec<f64> {
    let most = ln_p.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let ratio = |&ln_p: &f64| if ln_p.is_nan() { 0.0 } else { exp(ln_p - most) };
    match most.is_finite() {
        true => ln_p.iter().map(ratio).collect(),
        // All say that it cannot be, which tells nothing about them.
        false => vec![1.0; ln_p.len()],
    }
}

/// Expectation maximisation: w_m ← (c v_m + Σ_i w_m p_im / Σ_l w_l p_il) / (c + n), until nothing moves any more.
fn climb(cells: &[Vec<f64>], towards: &[f64], c: f64) -> Vec<f64> {
    let mut weights = towards.to_vec();
    for _ in 0..MOST_STEPS {
        let mut next: Vec<f64> = towards.iter().map(|v| c * v).collect();
        for cell in cells {
            let total: f64 = weights.iter().zip(cell).map(|(w, p)| w * p).sum();
            if total > 0.0 {
                next.iter_mut().zip(weights.iter().zip(cell)).for_each(|(sum, (w, p))| *sum += w * p / total);
            }
        }
        let total: f64 = next.iter().sum();
        next.iter_mut().for_each(|w| *w /= total);
        let moved = weights.iter().zip(&next).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        weights = next;
        if moved < STILL {
            break;
        }
    }
    weights
}

const MOST_STEPS: usize = 5000;
const STILL: f64 = 1e-9;
