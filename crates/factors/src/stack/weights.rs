//! Weights of a mixture that make hidden cells most probable, and weights of its means that come nearest to them.

use chain::Workers;
use libm::exp;

use super::mixture::climb;
use crate::Error;

/// What the models say of one hidden cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The column of the cell.
    pub column: usize,
    /// Its log-probability according to each model.
    pub ln_p: Vec<f64>,
    /// By how many standard deviations of the column its value is above each model's mean; not a number for categories.
    pub errors: Vec<f64>,
}

/// For each column the weights w ≥ 0, Σ w = 1, that maximise
///
/// Σ_i ln Σ_m w_m p_im + c Σ_m v_m ln w_m
///
/// over its cells i and the models m, where v are the weights that are best for all cells of the table together: as if
/// c more cells of the column had been seen that follow the whole table. So a column with few cells stays near v, and one
/// with many goes its own way. The sum is concave. After Yao, Vehtari, Simpson & Gelman (2018).
///
/// A log-probability that is no number says that a model has diverged, and is an error.
pub fn weights(
    cells: &[Judged],
    n_columns: usize,
    n_models: usize,
    c: f64,
    workers: &Workers,
) -> Result<Vec<Vec<f64>>, Error> {
    let mut columns = vec![Vec::new(); n_columns];
    let mut all = Vec::new();
    for cell in cells {
        if cell.ln_p.iter().any(|ln_p| ln_p.is_nan()) {
            return Err(Error::NotANumber { column: cell.column });
        }
        let shares = relative(&cell.ln_p);
        columns[cell.column].push(shares.clone());
        all.push(shares);
    }
    let even = vec![1.0 / n_models as f64; n_models];
    let pooled = climb(&all, &even, 1.0);
    Ok(workers.map(&columns, |_, cells| climb(cells, &pooled, c)))
}

/// p divided by the largest one, which changes no optimum.
fn relative(ln_p: &[f64]) -> Vec<f64> {
    let most = ln_p.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    match most.is_finite() {
        true => ln_p.iter().map(|ln_p| exp(ln_p - most)).collect(),
        // All say that it cannot be, which tells nothing about them.
        false => vec![1.0; ln_p.len()],
    }
}

const MOST_STEPS: usize = 5000;
const STILL: f64 = 1e-9;

/// For each column the weights of means: halfway between those of the mixture and those whose mean has the least squared
/// error. The latter alone follow what was hidden too closely, for the models' means are much alike.
pub fn mean_weights(
    cells: &[Judged],
    mixture: &[Vec<f64>],
    n_models: usize,
    c: f64,
    workers: &Workers,
) -> Vec<Vec<f64>> {
    let mut weights = nearest(cells, mixture.len(), n_models, c, workers);
    for (weights, mixture) in weights.iter_mut().zip(mixture) {
        weights.iter_mut().zip(mixture).for_each(|(u, w)| *u = 0.5 * (*u + w));
    }
    weights
}

/// For each column the weights u ≥ 0, Σ u = 1, whose mean has the least squared error:
///
/// min Σ_i (y_i − Σ_m u_m μ_im)² + c · mean over all cells of the table of the same
///
/// over its cells i and the models m: as if c more cells of the column had been seen in which the models are off as they
/// are in the whole table. Since Σ u = 1, an error of the mixture is Σ u_m e_im with e_im = y_i − μ_im, and the sum is uᵀGu.
pub(super) fn nearest(
    cells: &[Judged],
    n_columns: usize,
    n_models: usize,
    c: f64,
    workers: &Workers,
) -> Vec<Vec<f64>> {
    let mut columns = vec![vec![0.0; n_models * n_models]; n_columns];
    let mut pooled = vec![0.0; n_models * n_models];
    let usable = |cell: &&Judged| cell.errors.len() == n_models && cell.errors.iter().all(|e| e.is_finite());
    let usable: Vec<&Judged> = cells.iter().filter(usable).collect();
    for cell in &usable {
        add_products(&mut columns[cell.column], &cell.errors, 1.0);
        add_products(&mut pooled, &cell.errors, c / usable.len() as f64);
    }
    workers.map(&columns, |_, products| {
        let sum: Vec<f64> = products.iter().zip(&pooled).map(|(a, b)| a + b).collect();
        least_squares(&sum, n_models)
    })
}

/// G ← G + share e eᵀ
fn add_products(products: &mut [f64], errors: &[f64], share: f64) {
    for (row, a) in products.chunks_exact_mut(errors.len()).zip(errors) {
        row.iter_mut().zip(errors).for_each(|(sum, b)| *sum += share * a * b);
    }
}

/// The u ≥ 0, Σ u = 1, with the least uᵀGu. Two coordinates at a time: what goes from b to a, u_a + t and u_b − t, is best
/// at t = ((Gu)_b − (Gu)_a) / (G_aa − 2 G_ab + G_bb), kept within −u_a and u_b. The pair is the one whose gradients
/// lie farthest apart, which is also the bound of what is left to gain, so that the end is known.
fn least_squares(products: &[f64], n: usize) -> Vec<f64> {
    let mut weights = vec![1.0 / n as f64; n];
    let scale = (0..n).map(|m| products[m * n + m]).fold(0.0, f64::max);
    for _ in 0..MOST_STEPS {
        let gradient: Vec<f64> =
            products.chunks_exact(n).map(|row| row.iter().zip(&weights).map(|(g, w)| g * w).sum()).collect();
        let taken = (0..n).filter(|&m| weights[m] > 0.0).max_by(|&a, &b| gradient[a].total_cmp(&gradient[b]));
        let given = (0..n).min_by(|&a, &b| gradient[a].total_cmp(&gradient[b]));
        let (Some(from), Some(to)) = (taken, given) else { break };
        let gain = gradient[from] - gradient[to];
        if gain <= STILL * scale {
            break;
        }
        let curve = products[to * n + to] - 2.0 * products[to * n + from] + products[from * n + from];
        let step = if curve > 0.0 { (gain / curve).min(weights[from]) } else { weights[from] };
        weights[to] += step;
        weights[from] -= step;
    }
    weights
}
