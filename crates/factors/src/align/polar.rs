//! The rotation nearest to a matrix: the orthogonal factor of its polar decomposition.

use libm::sqrt;

/// The orthogonal P that makes tr(Pᵀ M) largest, which is U Vᵀ for M = U S Vᵀ (Schönemann 1966).
pub(super) fn nearest_rotation(m: &[f64], k: usize) -> Vec<f64> {
    let (u, v) = singular_vectors(m, k);
    let mut product = vec![0.0; k * k];
    for i in 0..k {
        for j in 0..k {
            product[i * k + j] = (0..k).map(|s| u[s * k + i] * v[s * k + j]).sum();
        }
    }
    product
}

/// The left and right singular vectors as rows, by one-sided Jacobi rotations: pairs of columns of M V are made orthogonal
/// until all are.
fn singular_vectors(m: &[f64], k: usize) -> (Vec<f64>, Vec<f64>) {
    // Columns stand as rows here.
    let mut a: Vec<f64> = (0..k * k).map(|at| m[at % k * k + at / k]).collect();
    let mut v: Vec<f64> = (0..k * k).map(|at| f64::from(at % k == at / k)).collect();
    for _ in 0..SWEEPS {
        let mut largest: f64 = 0.0;
        for p in 0..k {
            for q in p + 1..k {
                largest = largest.max(rotate(&mut a, &mut v, p, q, k));
            }
        }
        if largest < 1e-15 {
            break;
        }
    }
    complete(&mut a, k);
    (a, v)
}

const SWEEPS: usize = 60;

/// Makes columns p and q orthogonal; returns the cosine they had.
fn rotate(a: &mut [f64], v: &mut [f64], p: usize, q: usize, k: usize) -> f64 {
    let product = |x: usize, y: usize| (0..k).map(|i| a[x * k + i] * a[y * k + i]).sum::<f64>();
    let (pp, qq, pq) = (product(p, p), product(q, q), product(p, q));
    if pq == 0.0 || pp == 0.0 || qq == 0.0 {
        return 0.0;
    }
    let zeta = (qq - pp) / (2.0 * pq);
    let t = zeta.signum() / (zeta.abs() + sqrt(1.0 + zeta * zeta));
    let c = 1.0 / sqrt(1.0 + t * t);
    let s = c * t;
    for matrix in [a, v] {
        for i in 0..k {
            let (x, y) = (matrix[p * k + i], matrix[q * k + i]);
            (matrix[p * k + i], matrix[q * k + i]) = (c * x - s * y, s * x + c * y);
        }
    }
    pq.abs() / sqrt(pp * qq)
}

/// Scales the rows to length 1; rows that have none, as M has no full rank, become any directions that are left.
fn complete(a: &mut [f64], k: usize) {
    let norm = |row: &[f64]| sqrt(row.iter().map(|x| x * x).sum());
    let longest = a.chunks_exact(k).map(norm).fold(0.0, f64::max);
    let mut done: Vec<usize> = Vec::new();
    let full: Vec<bool> = a.chunks_exact(k).map(|row| norm(row) > 1e-13 * longest && longest > 0.0).collect();
    for s in (0..k).filter(|&s| full[s]) {
        let length = norm(&a[s * k..(s + 1) * k]);
        a[s * k..(s + 1) * k].iter_mut().for_each(|x| *x /= length);
        done.push(s);
    }
    for s in (0..k).filter(|&s| !full[s]) {
        let direction = (0..k).map(|axis| left_of(a, axis, &done, k));
        let best = direction.max_by(|a, b| norm(a).total_cmp(&norm(b))).unwrap_or_default();
        let length = norm(&best);
        a[s * k..(s + 1) * k].iter_mut().zip(&best).for_each(|(x, b)| *x = b / length);
        done.push(s);
    }
}

/// What is left of an axis without the directions that are taken.
fn left_of(a: &[f64], axis: usize, done: &[usize], k: usize) -> Vec<f64> {
    let mut left = vec![0.0; k];
    left[axis] = 1.0;
    for &s in done {
        let row = &a[s * k..(s + 1) * k];
        let along: f64 = row.iter().zip(&left).map(|(x, y)| x * y).sum();
        left.iter_mut().zip(row).for_each(|(x, y)| *x -= along * y);
    }
    left
}
