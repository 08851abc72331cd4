//! A rotation after which each column loads on few factors (Kaiser 1958).

use libm::{atan2, cos, sin};

/// The rotation that makes the variance of squared loadings largest, by turning pairs of factors until none moves.
pub(super) fn varimax(loadings: &[f64], k: usize) -> Vec<f64> {
    let mut b = loadings.to_vec();
    let mut turn: Vec<f64> = (0..k * k).map(|at| f64::from(at % k == at / k)).collect();
    for _ in 0..ROUNDS {
        let mut largest: f64 = 0.0;
        for p in 0..k {
            for q in p + 1..k {
                let angle = best_angle(&b, p, q, k);
                largest = largest.max(angle.abs());
                turn_pair(&mut b, p, q, k, angle);
                turn_pair(&mut turn, p, q, k, angle);
            }
        }
        if largest < 1e-10 {
            break;
        }
    }
    turn
}

const ROUNDS: usize = 100;

/// With u = x² − y² and v = 2xy: tan 4φ = (2 Σuv − 2 Σu Σv / n) / (Σ(u² − v²) − ((Σu)² − (Σv)²)/n).
fn best_angle(b: &[f64], p: usize, q: usize, k: usize) -> f64 {
    let n = (b.len() / k.max(1)) as f64;
    let (mut su, mut sv, mut suv, mut suu) = (0.0, 0.0, 0.0, 0.0);
    for row in b.chunks_exact(k) {
        let (u, v) = (row[p] * row[p] - row[q] * row[q], 2.0 * row[p] * row[q]);
        su += u;
        sv += v;
        suv += u * v;
        suu += u * u - v * v;
    }
    0.25 * atan2(2.0 * (suv - su * sv / n), suu - (su * su - sv * sv) / n)
}

fn turn_pair(rows: &mut [f64], p: usize, q: usize, k: usize, angle: f64) {
    let (c, s) = (cos(angle), sin(angle));
    for row in rows.chunks_exact_mut(k) {
        (row[p], row[q]) = (c * row[p] + s * row[q], c * row[q] - s * row[p]);
    }
}
