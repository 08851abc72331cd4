//! Draws of an unconstrained model turned towards one another.
//!
//! Each draw's loadings may be rotated (dense prior) or have their factors swapped and their signs changed (sparse prior,
//! under which rotations are not free: they would fill the zeros). The draws are brought as close as possible to their own
//! mean, which is computed again a few times; then the whole is turned so that each column loads on few factors (varimax),
//! and factors are put in the order of what they explain, each with a positive sum of cubed loadings.

mod assignment;
mod polar;
mod varimax;

use crate::state::State;

/// Turns all draws of a model with freely rotating factors; `sparse` says that only swaps and signs are free.
pub fn align(draws: &mut [&mut State], sparse: bool) {
    let Some(first) = draws.first() else { return };
    let k = first.variances.len();
    let mut reference = loadings(first);
    for _ in 0..ROUNDS {
        for draw in draws.iter_mut() {
            let turn = match sparse {
                true => assignment::signed_permutation(&cross(&loadings(draw), &reference, k), k),
                false => polar::nearest_rotation(&cross(&loadings(draw), &reference, k), k),
            };
            apply(draw, &turn);
        }
        reference = mean(draws);
    }
    if !sparse {
        let turn = varimax::varimax(&reference, k);
        draws.iter_mut().for_each(|draw| apply(draw, &turn));
        reference = mean(draws);
    }
    let turn = by_strength(&reference, k);
    draws.iter_mut().for_each(|draw| apply(draw, &turn));
}

/// The mean moves little after so many rounds.
const ROUNDS: usize = 5;

/// The loadings without the intercepts, row by row.
fn loadings(draw: &State) -> Vec<f64> {
    let k = draw.variances.len();
    let rows = draw.columns.iter().flat_map(|column| column.weights.chunks_exact(k + 1));
    rows.flat_map(|row| row[1..].iter().copied()).collect()
}

fn mean(draws: &[&mut State]) -> Vec<f64> {
    let mut sum = Vec::new();
    for draw in draws {
        let loadings = loadings(draw);
        sum.resize(loadings.len(), 0.0);
        sum.iter_mut().zip(loadings).for_each(|(sum, b)| *sum += b);
    }
    sum.iter_mut().for_each(|b| *b /= draws.len() as f64);
    sum
}

/// Aᵀ R
fn cross(a: &[f64], reference: &[f64], k: usize) -> Vec<f64> {
    let mut product = vec![0.0; k * k];
    for (a, r) in a.chunks_exact(k).zip(reference.chunks_exact(k)) {
        for (row, a) in product.chunks_exact_mut(k).zip(a) {
            row.iter_mut().zip(r).for_each(|(sum, r)| *sum += a * r);
        }
    }
    product
}

/// B ← B P and F ← F P. Variances and inclusions belong to factors only if these are swapped and not mixed.
fn apply(draw: &mut State, turn: &[f64]) {
    let k = draw.variances.len();
    let mut turned = vec![0.0; k];
    let mut multiply = |row: &mut [f64]| {
        turned.fill(0.0);
        for (x, p) in row.iter().zip(turn.chunks_exact(k)) {
            turned.iter_mut().zip(p).for_each(|(sum, p)| *sum += x * p);
        }
        row.copy_from_slice(&turned);
    };
    draw.columns
        .iter_mut()
        .flat_map(|c| c.weights.chunks_exact_mut(k + 1))
        .for_each(|row| multiply(&mut row[1..]));
    draw.factors.chunks_exact_mut(k).for_each(&mut multiply);
    let squared: Vec<f64> = turn.iter().map(|p| p * p).collect();
    for numbers in [&mut draw.variances, &mut draw.inclusion] {
        let mixed = |s: usize| numbers.iter().zip(squared.chunks_exact(k)).map(|(x, p)| x * p[s]).sum();
        *numbers = (0..k).map(mixed).collect();
    }
}

/// The turn that puts the factors in the order of their squared loadings, largest first, with positive cubes.
fn by_strength(loadings: &[f64], k: usize) -> Vec<f64> {
    let power = |s: usize, n: i32| loadings.iter().skip(s).step_by(k).map(|b| b.powi(n)).sum::<f64>();
    let mut order: Vec<usize> = (0..k).collect();
    order.sort_unstable_by(|&a, &b| power(b, 2).total_cmp(&power(a, 2)).then(a.cmp(&b)));
    let mut turn = vec![0.0; k * k];
    for (to, &from) in order.iter().enumerate() {
        turn[from * k + to] = if power(from, 3) < 0.0 { -1.0 } else { 1.0 };
    }
    turn
}

#[cfg(test)]
mod tests;
