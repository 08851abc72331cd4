//! Drawing one of several things.

use crate::streams::Rng;

/// An index drawn in proportion to weights that need not sum to one; O(n).
///
/// `None` if a weight is negative or NaN, or if the weights sum to 0 or to infinity.
pub fn categorical(rng: &mut Rng, weights: &[f64]) -> Option<usize> {
    let total = total(weights)?;
    let mut left = rng.uniform() * total;
    for (i, &weight) in weights.iter().enumerate() {
        if left < weight {
            return Some(i);
        }
        left -= weight;
    }
    // Rounding may leave an epsilon behind the end, which belongs to the last thing that can happen at all.
    weights.iter().rposition(|&weight| weight > 0.0)
}

/// An index drawn in proportion to exp(log weight); −∞ never happens. `None` as for [`categorical`].
pub fn log_categorical(rng: &mut Rng, logs: &[f64]) -> Option<usize> {
    let max = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if max.is_infinite() {
        return None;
    }
    let weight = |&log: &f64| libm::exp(log - max);
    let total: f64 = logs.iter().map(weight).sum();
    if total.is_nan() {
        return None;
    }
    let mut left = rng.uniform() * total;
    for (i, log) in logs.iter().enumerate() {
        let weight = weight(log);
        if left < weight {
            return Some(i);
        }
        left -= weight;
    }
    logs.iter().rposition(|log| weight(log) > 0.0)
}

/// A table that draws in constant time, after a set-up in O(n) (Walker 1977, Vose 1991).
#[derive(Clone, Debug, PartialEq)]
pub struct Alias {
    cells: Vec<(f64, u32)>,
}

impl Alias {
    /// `None` as for [`categorical`], and if there are more than 2³² weights.
    pub fn new(weights: &[f64]) -> Option<Alias> {
        let n = u32::try_from(weights.len()).ok()?;
        let mean = total(weights)? / f64::from(n);
        // Each cell holds one mean: what a small weight leaves free is filled up from a large one.
        let mut height: Vec<f64> = weights.iter().map(|weight| weight / mean).collect();
        let mut cells: Vec<(f64, u32)> = (0..n).map(|i| (1.0, i)).collect();
        let (mut small, mut large): (Vec<u32>, Vec<u32>) = (0..n).partition(|&i| height[i as usize] < 1.0);
        while let (Some(&low), Some(&high)) = (small.last(), large.last()) {
            small.pop();
            cells[low as usize] = (height[low as usize], high);
            height[high as usize] -= 1.0 - height[low as usize];
            if height[high as usize] < 1.0 {
                large.pop();
                small.push(high);
            }
        }
        never_draw_zeros(&mut cells, weights);
        Some(Alias { cells })
    }

    /// One draw.
    pub fn draw(&self, rng: &mut Rng) -> usize {
        let cell = rng.below(self.cells.len());
        let (share, other) = self.cells[cell];
        if rng.uniform() < share { cell } else { other as usize }
    }
}

/// Rounding may leave a cell of weight 0 without a partner; it must not become certain.
fn never_draw_zeros(cells: &mut [(f64, u32)], weights: &[f64]) {
    let Some(possible) = weights.iter().rposition(|&weight| weight > 0.0) else { return };
    for (i, cell) in cells.iter_mut().enumerate() {
        if weights[i] == 0.0 && cell.0 > 0.0 {
            *cell = (0.0, possible as u32);
        }
    }
}

fn total(weights: &[f64]) -> Option<f64> {
    let total: f64 = weights.iter().sum();
    let sound = weights.iter().all(|&weight| weight >= 0.0) && total > 0.0 && total.is_finite();
    sound.then_some(total)
}
