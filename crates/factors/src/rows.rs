//! The factors of a row given all its columns: sums that are gathered while the columns pass by.

use chain::Rng;
use num::dist::normal;
use num::linear::Cholesky;

use crate::loadings::{Evidence, packed};

/// The products g gᵀ of each row, g = (1, f₁, …, f_K), as packed lower triangles: the columns of the Gram matrices.
#[derive(Debug)]
pub(crate) struct Products {
    n_factors: usize,
    triangle: usize,
    values: Vec<f64>,
}

impl Products {
    pub(crate) fn new(factors: &[f64], n_factors: usize) -> Products {
        let triangle = packed(n_factors + 1, 0);
        let mut values = Vec::with_capacity(factors.len() / n_factors.max(1) * triangle);
        for f in factors.chunks_exact(n_factors.max(1)) {
            values.push(1.0);
            for (a, &left) in f.iter().enumerate() {
                values.push(left);
                values.extend(f[..=a].iter().map(|right| left * right));
            }
        }
        Products { n_factors, triangle, values }
    }

    /// Σ ω g gᵀ and Σ ω x g.
    pub(crate) fn evidence(&self, factors: &[f64], weights: &[f64], pulls: &[f64], out: &mut Evidence) {
        out.gram.clear();
        out.gram.resize(self.triangle, 0.0);
        out.pull.clear();
        out.pull.resize(self.n_factors + 1, 0.0);
        let four = 4 * self.triangle;
        let blocks = self.values.chunks_exact(four);
        let rest = blocks.remainder();
        let (whole, left) = weights.split_at(weights.len() / 4 * 4);
        for (block, w) in blocks.zip(whole.chunks_exact(4)) {
            let (p0, block) = block.split_at(self.triangle);
            let (p1, block) = block.split_at(self.triangle);
            let (p2, p3) = block.split_at(self.triangle);
            let products = p0.iter().zip(p1).zip(p2).zip(p3);
            for (sum, (((p0, p1), p2), p3)) in out.gram.iter_mut().zip(products) {
                *sum += (w[0] * p0 + w[1] * p1) + (w[2] * p2 + w[3] * p3);
            }
        }
        for (products, &weight) in rest.chunks_exact(self.triangle).zip(left) {
            out.gram.iter_mut().zip(products).for_each(|(sum, p)| *sum += weight * p);
        }
        for (f, &pull) in factors.chunks_exact(self.n_factors).zip(pulls) {
            out.pull[0] += pull;
            out.pull[1..].iter_mut().zip(f).for_each(|(sum, f)| *sum += pull * f);
        }
    }
}

/// Σ_j ω b bᵀ and Σ_j ω (x − α) b for each row, over some of the columns.
#[derive(Clone, Debug)]
pub(crate) struct RowSums {
    n_factors: usize,
    precisions: Vec<f64>,
    pulls: Vec<f64>,
    /// The log-probability of the cells that passed by.
    pub(crate) log_likelihood: f64,
}

impl RowSums {
    pub(crate) fn new(n_rows: usize, n_factors: usize) -> RowSums {
        RowSums {
            n_factors,
            precisions: vec![0.0; n_rows * packed(n_factors, 0)],
            pulls: vec![0.0; n_rows * n_factors],
            log_likelihood: 0.0,
        }
    }

    /// Adds a column; loadings that are 0 cost nothing.
    pub(crate) fn add(&mut self, row: &[f64], weights: &[f64], pulls: &[f64]) {
        let (intercept, loadings) = (row[0], &row[1..]);
        let active: Vec<usize> = (0..self.n_factors).filter(|&s| loadings[s] != 0.0).collect();
        let pairs = active.iter().enumerate().flat_map(|(i, &a)| active[..=i].iter().map(move |&b| (a, b)));
        let outer: Vec<(usize, f64)> =
            pairs.map(|(a, b)| (packed(a, b), loadings[a] * loadings[b])).collect();
        let triangle = packed(self.n_factors, 0);
        if outer.len() == triangle {
            let outer: Vec<f64> = outer.into_iter().map(|(_, product)| product).collect();
            for (sum, &weight) in self.precisions.chunks_exact_mut(triangle).zip(weights) {
                sum.iter_mut().zip(&outer).for_each(|(sum, product)| *sum += weight * product);
            }
        } else {
            for (sum, &weight) in self.precisions.chunks_exact_mut(triangle).zip(weights) {
                outer.iter().for_each(|&(at, product)| sum[at] += weight * product);
            }
        }
        for ((sum, &weight), &pull) in self.pulls.chunks_exact_mut(self.n_factors).zip(weights).zip(pulls) {
            let rest = pull - weight * intercept;
            active.iter().for_each(|&s| sum[s] += rest * loadings[s]);
        }
    }

    pub(crate) fn merge(&mut self, other: &RowSums) {
        let add = |(sum, x): (&mut f64, &f64)| *sum += x;
        self.precisions.iter_mut().zip(&other.precisions).for_each(add);
        self.pulls.iter_mut().zip(&other.pulls).for_each(add);
        self.log_likelihood += other.log_likelihood;
    }

    /// f ~ N(V Σ ω (x − α) b, V) with V⁻¹ = I + Σ ω b bᵀ (eqs. 4.23–4.25 with the errata).
    pub(crate) fn draw(&self, row: usize, rng: &mut Rng, f: &mut [f64]) -> Option<()> {
        let (k, triangle) = (self.n_factors, packed(self.n_factors, 0));
        let sums = &self.precisions[row * triangle..(row + 1) * triangle];
        let mut precision = vec![0.0; k * k];
        for a in 0..k {
            precision[a * k..=a * k + a].copy_from_slice(&sums[packed(a, 0)..=packed(a, a)]);
            precision[a * k + a] += 1.0;
        }
        let factor = Cholesky::new(k, &precision)?;
        f.copy_from_slice(&self.pulls[row * k..(row + 1) * k]);
        factor.solve_lower(f);
        f.iter_mut().for_each(|x| *x += normal(rng));
        factor.solve_upper(f);
        f.iter().all(|x| x.is_finite()).then_some(())
    }
}
