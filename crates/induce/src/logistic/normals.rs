//! Normal distributions of the natural parameters, one for each multinomial.

use num::linear::{Cholesky, times};
use serde::{Deserialize, Serialize};

use super::posterior::{self, OptimiserScratch};
use crate::family::Rows;
use crate::per_item::{LEAST, Prior};

/// η_k ~ N(μ_k, Σ_k) for every distribution k, and θ_k = softmax(η_k).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Normals {
    rows: Rows,
    /// Where the matrix of each distribution begins.
    squares: Vec<usize>,
    /// μ, by event.
    mean: Vec<f64>,
    /// Σ_k, row by row, one matrix after the other.
    covariance: Vec<f64>,
    /// Σ_k⁻¹ in the same layout.
    precision: Vec<f64>,
    /// ln |Σ_k⁻¹|.
    ln_det: Vec<f64>,
    pooling: Option<Pooling>,
}

/// Which multinomials have means in common.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Pooling {
    /// The group of each multinomial; all of a group are over equally many events.
    pub groups: Vec<usize>,
    /// κ: how tightly means stay around the centre of their group.
    pub strength: f64,
}

/// q(η) of one item.
#[derive(Debug)]
pub struct Variational {
    mean: Vec<f64>,
    variance: Vec<f64>,
    away: Vec<f64>,
    scratch: OptimiserScratch,
}

/// Sums over items, relative to the means of now.
#[derive(Debug)]
pub struct Moments {
    /// Σ (m − μ), by event.
    first: Vec<f64>,
    /// Σ (m − μ)(m − μ)ᵀ + diag(s), like covariances.
    second: Vec<f64>,
    /// How many items use each multinomial.
    used: Vec<u32>,
}

impl Normals {
    /// Means whose softmax is this grammar, and covariances; `None` if one is not symmetric and positive definite.
    pub fn around(rows: Rows, grammar: &[f64], covariance: Vec<f64>) -> Option<Normals> {
        let mean = grammar.iter().map(|&theta| libm::log(theta.max(LEAST))).collect();
        Normals::new(rows, mean, covariance)
    }

    /// Means and covariances, of which each matrix must be symmetric and positive definite; `None` if one is not.
    pub fn new(rows: Rows, mean: Vec<f64>, covariance: Vec<f64>) -> Option<Normals> {
        let mut squares = vec![0];
        for range in rows.ranges() {
            squares.push(squares[squares.len() - 1] + range.len() * range.len());
        }
        let mut normals = Normals {
            rows,
            squares,
            mean,
            covariance: Vec::new(),
            precision: Vec::new(),
            ln_det: Vec::new(),
            pooling: None,
        };
        normals.set_covariance(covariance)?;
        Some(normals)
    }

    /// The same with means that are pooled.
    pub fn pooled(self, pooling: Pooling) -> Normals {
        Normals { pooling: Some(pooling).filter(|pooling| pooling.strength > 0.0), ..self }
    }

    /// The identity for every distribution.
    pub fn identity(rows: &Rows) -> Vec<f64> {
        let of_row = |n: usize| (0..n * n).map(move |at| f64::from(at / n == at % n));
        rows.ranges().flat_map(|range| of_row(range.len())).collect()
    }

    fn set_covariance(&mut self, covariance: Vec<f64>) -> Option<()> {
        let (mut precision, mut ln_det) = (Vec::with_capacity(covariance.len()), Vec::new());
        for (row, range) in self.rows.ranges().enumerate() {
            let factor = Cholesky::new(range.len(), &covariance[self.squares[row]..self.squares[row + 1]])?;
            precision.extend(factor.inverse());
            ln_det.push(-factor.ln_det());
        }
        (self.covariance, self.precision, self.ln_det) = (covariance, precision, ln_det);
        Some(())
    }

    /// The distributions.
    pub fn rows(&self) -> &Rows {
        &self.rows
    }

    /// The means, by event.
    pub fn mean(&self) -> &[f64] {
        &self.mean
    }

    /// All covariances, row by row.
    pub fn covariances(&self) -> &[f64] {
        &self.covariance
    }

    /// Where the matrix of a distribution stands among all.
    pub fn square(&self, row: usize) -> std::ops::Range<usize> {
        self.squares[row]..self.squares[row + 1]
    }

    /// The normal distribution of one multinomial.
    pub fn row(&self, row: usize) -> Normal<'_> {
        let (events, square) = (self.rows.range(row), self.square(row));
        Normal {
            mean: &self.mean[events],
            covariance: &self.covariance[square.clone()],
            precision: &self.precision[square],
            ln_det: self.ln_det[row],
        }
    }

    /// The centre of each group of more than one multinomial: the mean of their means.
    fn centres(&self, pooling: &Pooling) -> Vec<Option<Vec<f64>>> {
        let n_groups = pooling.groups.iter().max().map_or(0, |most| most + 1);
        let mut centres: Vec<(f64, Vec<f64>)> = vec![(0.0, Vec::new()); n_groups];
        for (range, &group) in self.rows.ranges().zip(&pooling.groups) {
            let (n, sum) = &mut centres[group];
            *n += 1.0;
            sum.resize(range.len(), 0.0);
            sum.iter_mut().zip(&self.mean[range]).for_each(|(sum, mean)| *sum += mean);
        }
        let mean = |(n, sum): (f64, Vec<f64>)| (n > 1.0).then(|| sum.iter().map(|sum| sum / n).collect());
        centres.into_iter().map(mean).collect()
    }

    /// How far the mean of a multinomial moves, given how far those of items are away on average.
    ///
    /// Without pooling δ = a. With it δ maximises −M/2 (a − δ)ᵀΛ(a − δ) − κ/2 ‖μ + δ − c‖², so that
    /// (MΛ + κI) δ = MΛa + κ(c − μ).
    fn shift(&self, row: usize, used: f64, average: Vec<f64>, centre: Option<&[f64]>) -> Vec<f64> {
        let (Some(pooling), Some(centre)) = (&self.pooling, centre) else { return average };
        let (normal, n) = (self.row(row), average.len());
        let mut matrix: Vec<f64> = normal.precision.iter().map(|value| used * value).collect();
        (0..n).for_each(|i| matrix[i * n + i] += pooling.strength);
        let mut shift = vec![0.0; n];
        times(normal.precision, &average, &mut shift);
        for i in 0..n {
            shift[i] = used * shift[i] + pooling.strength * (centre[i] - normal.mean[i]);
        }
        match Cholesky::new(n, &matrix) {
            Some(factor) => factor.solve(&mut shift),
            None => return average,
        }
        shift
    }
}

impl Prior for Normals {
    type Posterior = Variational;
    type Sums = Moments;
    const KIND: &'static str = "induce/logistic-normal";

    fn posterior(rows: &Rows) -> Variational {
        let empty = || vec![0.0; rows.n_events()];
        Variational {
            mean: empty(),
            variance: empty(),
            away: Vec::new(),
            scratch: OptimiserScratch::default(),
        }
    }

    fn sums(rows: &Rows) -> Moments {
        let n_squares = rows.ranges().map(|range| range.len() * range.len()).sum();
        let (first, second) = (vec![0.0; rows.n_events()], vec![0.0; n_squares]);
        Moments { first, second, used: vec![0; rows.len()] }
    }

    /// θ_k = softmax(μ_k)
    fn point(&self) -> Vec<f64> {
        let mut point = self.mean.clone();
        for range in self.rows.ranges() {
            let top = point[range.clone()].iter().copied().fold(f64::NEG_INFINITY, f64::max);
            point[range].iter_mut().for_each(|value| *value = libm::exp(*value - top));
        }
        self.rows.normalise(&mut point, &self.mean);
        point
    }

    fn begin(&self, row: usize, q: &mut Variational) {
        let (events, normal) = (self.rows.range(row), self.row(row));
        q.mean[events.clone()].copy_from_slice(normal.mean);
        for (i, variance) in q.variance[events].iter_mut().enumerate() {
            *variance = 1.0 / normal.tightness(i);
        }
    }

    fn improve(&self, row: usize, counts: &[f64], q: &mut Variational, weights: &mut [f64]) {
        let events = self.rows.range(row);
        let (mean, variance) = (&mut q.mean[events.clone()], &mut q.variance[events.clone()]);
        let counts = &counts[events.clone()];
        let ln_zeta = posterior::improve(self.row(row), counts, mean, variance, &mut q.scratch);
        for event in events {
            weights[event] = libm::exp(q.mean[event] - ln_zeta).max(LEAST);
        }
    }

    fn bound(&self, row: usize, q: &mut Variational) -> f64 {
        let events = self.rows.range(row);
        posterior::bound(self.row(row), &q.mean[events.clone()], &q.variance[events], &mut q.scratch)
    }

    fn add(&self, row: usize, q: &mut Variational, sums: &mut Moments) {
        let (events, square, normal) = (self.rows.range(row), self.square(row), self.row(row));
        q.away.clear();
        q.away.extend(q.mean[events.clone()].iter().zip(normal.mean).map(|(m, mu)| m - mu));
        let away = &q.away;
        for (i, row) in sums.second[square].chunks_exact_mut(away.len()).enumerate() {
            row.iter_mut().zip(away).for_each(|(sum, value)| *sum += away[i] * value);
            row[i] += q.variance[events.start + i];
        }
        sums.first[events].iter_mut().zip(away).for_each(|(sum, value)| *sum += value);
        sums.used[row] += 1;
    }

    fn merge(earlier: &mut Moments, later: Moments) {
        let add = |sums: &mut [f64], values: Vec<f64>| sums.iter_mut().zip(values).for_each(|(s, v)| *s += v);
        add(&mut earlier.first, later.first);
        add(&mut earlier.second, later.second);
        earlier.used.iter_mut().zip(later.used).for_each(|(sum, n)| *sum += n);
    }

    /// μ ← μ + δ, where δ is the average a of m − μ unless means are pooled;
    /// Σ ← (1/M) Σ [(m − μ)(m − μ)ᵀ + diag(s)] − aδᵀ − δaᵀ + δδᵀ with the old μ, which is −aaᵀ for δ = a.
    fn maximise(&mut self, sums: Moments) {
        let centres = self.pooling.as_ref().map(|pooling| self.centres(pooling));
        let (mut mean, mut covariance) = (self.mean.clone(), sums.second);
        for row in 0..self.rows.len() {
            let (events, square) = (self.rows.range(row), self.square(row));
            let (n, matrix) = (events.len(), &mut covariance[square.clone()]);
            if sums.used[row] == 0 {
                matrix.copy_from_slice(&self.covariance[square]);
                continue;
            }
            let used = f64::from(sums.used[row]);
            let average: Vec<f64> = sums.first[events.clone()].iter().map(|sum| sum / used).collect();
            let group = self.pooling.as_ref().map(|pooling| pooling.groups[row]);
            let centre = group.zip(centres.as_ref()).and_then(|(group, centres)| centres[group].as_deref());
            let shift = self.shift(row, used, average.clone(), centre);
            for (at, value) in matrix.iter_mut().enumerate() {
                let (i, j) = (at / n, at % n);
                *value = *value / used - average[i] * shift[j] - shift[i] * average[j] + shift[i] * shift[j];
            }
            mean[events].iter_mut().zip(&shift).for_each(|(mean, shift)| *mean += shift);
        }
        self.mean = mean;
        // Should rounding have made a matrix indefinite, the covariances stay as they are.
        let _ = self.set_covariance(covariance);
    }

    /// −κ/2 Σ_k ‖μ_k − c‖²
    fn ln_density(&self) -> f64 {
        let Some(pooling) = &self.pooling else { return 0.0 };
        let centres = self.centres(pooling);
        let distance = |(range, &group): (std::ops::Range<usize>, &usize)| match &centres[group] {
            None => 0.0,
            Some(centre) => self.mean[range]
                .iter()
                .zip(centre)
                .map(|(mean, centre)| (mean - centre) * (mean - centre))
                .sum(),
        };
        -0.5 * pooling.strength * self.rows.ranges().zip(&pooling.groups).map(distance).sum::<f64>()
    }
}

/// N(μ, Σ).
#[derive(Debug, Clone, Copy)]
pub struct Normal<'a> {
    /// μ
    pub mean: &'a [f64],
    /// Σ
    pub covariance: &'a [f64],
    /// Λ = Σ⁻¹
    pub precision: &'a [f64],
    /// ln |Λ|
    pub ln_det: f64,
}

impl Normal<'_> {
    /// The number of dimensions.
    pub fn len(&self) -> usize {
        self.mean.len()
    }

    /// Whether there is no dimension.
    pub fn is_empty(&self) -> bool {
        self.mean.is_empty()
    }

    /// Λ_ii
    pub fn tightness(&self, i: usize) -> f64 {
        self.precision[i * self.len() + i]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// m and s of an item.
    type Said = (Vec<f64>, Vec<f64>);

    /// Posteriors of three items, and the prior that was fitted to them.
    fn fitted(pooling: Option<Pooling>) -> (Normals, Vec<Said>) {
        let rows = Rows::new([3, 3]);
        let mean = vec![0.3, -0.2, 0.1, 0.7, 0.0, -0.4];
        let one = [1.0, 0.4, 0.1, 0.4, 0.8, 0.0, 0.1, 0.0, 1.5];
        let mut normals = Normals::new(rows.clone(), mean, [one, one].concat()).unwrap();
        if let Some(pooling) = pooling {
            normals = normals.pooled(pooling);
        }
        let mut sums = Normals::sums(&rows);
        let mut seen = Vec::new();
        for counts in [[2.0, 0.5, 0.0], [0.0, 1.0, 3.0], [0.2, 0.2, 0.2]] {
            let mut q = Normals::posterior(&rows);
            for row in 0..2 {
                normals.begin(row, &mut q);
                normals.improve(row, &[counts, counts].concat(), &mut q, &mut [0.0; 6]);
                normals.add(row, &mut q, &mut sums);
            }
            seen.push((q.mean.clone(), q.variance.clone()));
        }
        normals.maximise(sums);
        (normals, seen)
    }

    /// Σ = (1/M) Σ [(m − μ)(m − μ)ᵀ + diag(s)] with the new μ.
    fn assert_covariance(normals: &Normals, seen: &[Said]) {
        for (row, i, j) in (0..18).map(|at| (at / 9, at / 3 % 3, at % 3)) {
            let (a, b) = (3 * row + i, 3 * row + j);
            let item = |(m, s): &Said| {
                (m[a] - normals.mean[a]) * (m[b] - normals.mean[b]) + if i == j { s[a] } else { 0.0 }
            };
            let expected: f64 = seen.iter().map(item).sum::<f64>() / seen.len() as f64;
            let found = normals.covariance[normals.square(row)][3 * i + j];
            assert!((found - expected).abs() < 1e-12, "{found} instead of {expected}");
        }
    }

    #[test]
    fn means_and_covariances_are_those_of_what_items_say() {
        let (normals, seen) = fitted(None);
        for event in 0..6 {
            let mean: f64 = seen.iter().map(|(m, _)| m[event]).sum::<f64>() / 3.0;
            assert!((normals.mean[event] - mean).abs() < 1e-12);
        }
        assert_covariance(&normals, &seen);
    }

    #[test]
    fn pooled_means_are_nearer_to_each_other_and_covariances_are_around_them() {
        let apart = |normals: &Normals| -> f64 {
            (0..3).map(|i| (normals.mean[i] - normals.mean[3 + i]).powi(2)).sum()
        };
        let (free, _) = fitted(None);
        let (pooled, seen) = fitted(Some(Pooling { groups: vec![0, 0], strength: 20.0 }));
        assert!(apart(&pooled) < apart(&free), "{} {}", apart(&pooled), apart(&free));
        assert_covariance(&pooled, &seen);
    }
}
