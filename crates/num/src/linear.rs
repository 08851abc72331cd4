//! Symmetric positive definite matrices of moderate size, dense and row by row.
//!
//! For covariances of a few dozen dimensions, which are factorised by the thousand: sums run in a fixed order, so
//! that the bits are the same everywhere.

/// The lower triangle L of A = L Lᵀ.
#[derive(Clone, Debug, PartialEq)]
pub struct Cholesky {
    n: usize,
    lower: Vec<f64>,
}

impl Cholesky {
    /// Factorises a symmetric matrix, of which the lower triangle is read; `None` if it is not positive definite.
    pub fn new(n: usize, matrix: &[f64]) -> Option<Cholesky> {
        let mut lower = matrix.get(..n * n)?.to_vec();
        for i in 0..n {
            for j in 0..=i {
                // L_ij = (A_ij − Σ_{k<j} L_ik L_jk) / L_jj
                let sum: f64 = dot(&lower[i * n..i * n + j], &lower[j * n..j * n + j]);
                let rest = lower[i * n + j] - sum;
                if i > j {
                    lower[i * n + j] = rest / lower[j * n + j];
                } else if rest > 0.0 && rest.is_finite() {
                    lower[i * n + i] = libm::sqrt(rest);
                } else {
                    return None;
                }
            }
            lower[i * n + i + 1..(i + 1) * n].fill(0.0);
        }
        Some(Cholesky { n, lower })
    }

    /// The number of rows.
    pub fn n(&self) -> usize {
        self.n
    }

    /// ln |A| = 2 Σ ln L_ii
    pub fn ln_det(&self) -> f64 {
        (0..self.n).map(|i| 2.0 * libm::log(self.lower[i * self.n + i])).sum()
    }

    /// The last entry of L: one over the standard deviation of the last of several numbers with precision A.
    pub fn last(&self) -> f64 {
        self.lower.last().copied().unwrap_or(f64::NAN)
    }

    /// Replaces b by A⁻¹ b.
    pub fn solve(&self, b: &mut [f64]) {
        self.solve_lower(b);
        self.solve_upper(b);
    }

    /// Replaces b by L⁻¹ b.
    pub fn solve_lower(&self, b: &mut [f64]) {
        for i in 0..self.n {
            let row = &self.lower[i * self.n..i * self.n + i];
            b[i] = (b[i] - dot(row, &b[..i])) / self.lower[i * self.n + i];
        }
    }

    /// Replaces b by L⁻ᵀ b: standard normal numbers become draws with precision A.
    pub fn solve_upper(&self, b: &mut [f64]) {
        for i in (0..self.n).rev() {
            let below: f64 = (i + 1..self.n).map(|k| self.lower[k * self.n + i] * b[k]).sum();
            b[i] = (b[i] - below) / self.lower[i * self.n + i];
        }
    }

    /// Replaces b by L b: standard normal numbers become draws with covariance A.
    pub fn lower_times(&self, b: &mut [f64]) {
        for i in (0..self.n).rev() {
            b[i] = dot(&self.lower[i * self.n..=i * self.n + i], &b[..=i]);
        }
    }

    /// A⁻¹, symmetric to the last bit.
    pub fn inverse(&self) -> Vec<f64> {
        let n = self.n;
        let mut inverse = vec![0.0; n * n];
        let mut column = vec![0.0; n];
        for j in 0..n {
            column.fill(0.0);
            column[j] = 1.0;
            self.solve(&mut column);
            for i in j..n {
                inverse[i * n + j] = column[i];
                inverse[j * n + i] = column[i];
            }
        }
        inverse
    }
}

/// Σ a_i b_i
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// out ← A x for a symmetric matrix: Σ_i x_i · (row i), which is independent sums side by side.
pub fn times(matrix: &[f64], x: &[f64], out: &mut [f64]) {
    out.fill(0.0);
    for (row, &x) in matrix.chunks_exact(x.len().max(1)).zip(x) {
        out.iter_mut().zip(row).for_each(|(out, value)| *out += x * value);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// B Bᵀ + I/10 is positive definite.
    fn any_matrix() -> impl Strategy<Value = (usize, Vec<f64>)> {
        (1usize..8).prop_flat_map(|n| {
            proptest::collection::vec(-2.0..2.0, n * n).prop_map(move |b| {
                let mut a = vec![0.0; n * n];
                for i in 0..n {
                    for j in 0..n {
                        a[i * n + j] = dot(&b[i * n..(i + 1) * n], &b[j * n..(j + 1) * n]);
                    }
                    a[i * n + i] += 0.1;
                }
                (n, a)
            })
        })
    }

    proptest! {
        #[test]
        fn the_factor_times_its_transpose_is_the_matrix((n, a) in any_matrix()) {
            let factor = Cholesky::new(n, &a).unwrap();
            for j in 0..n {
                // L (Lᵀ e_j): row j of L is Lᵀ e_j.
                let mut column: Vec<f64> = (0..n).map(|k| factor.lower[j * n + k]).collect();
                factor.lower_times(&mut column);
                for i in 0..n {
                    prop_assert!((column[i] - a[i * n + j]).abs() < 1e-9);
                }
            }
        }

        #[test]
        fn the_inverse_undoes_the_matrix((n, a) in any_matrix()) {
            let inverse = Cholesky::new(n, &a).unwrap().inverse();
            let mut product = vec![0.0; n];
            for j in 0..n {
                let column: Vec<f64> = (0..n).map(|i| inverse[i * n + j]).collect();
                times(&a, &column, &mut product);
                for (i, value) in product.iter().enumerate() {
                    prop_assert!((value - f64::from(i == j)).abs() < 1e-6);
                }
            }
        }

        #[test]
        fn halves_of_a_solution_make_the_whole((n, a) in any_matrix()) {
            let factor = Cholesky::new(n, &a).unwrap();
            let mut halves: Vec<f64> = (0..n).map(|i| i as f64 - 1.5).collect();
            let mut whole = halves.clone();
            factor.solve_lower(&mut halves);
            factor.solve_upper(&mut halves);
            factor.solve(&mut whole);
            prop_assert_eq!(halves, whole);
        }
    }

    #[test]
    fn the_determinant_of_a_known_matrix() {
        let factor = Cholesky::new(2, &[4.0, 2.0, 2.0, 3.0]).unwrap();
        assert!((factor.ln_det() - 8f64.ln()).abs() < 1e-12);
    }

    #[test]
    fn a_matrix_that_is_not_positive_definite_has_no_factor() {
        assert_eq!(Cholesky::new(2, &[1.0, 2.0, 2.0, 1.0]), None);
        assert_eq!(Cholesky::new(1, &[f64::NAN]), None);
        assert_eq!(Cholesky::new(2, &[1.0]), None);
    }
}
