//! Priors of the annotated grammar, and draws from what they become with counts.
//!
//! ```text
//! θ_A[x]   ~ Dirichlet(c · m_A)              which rule, with m_A the coarse grammar's distribution
//! β_A[x],r ~ Dirichlet(b / (K_B K_C), …)     which annotations of its parts
//! ```
//!
//! The papers' symmetric Dirichlet for θ is the case of an even m. Centring θ on the coarse grammar is the
//! prior with back-off: every annotation of A may use every rule of A, as often as A does as long as nothing
//! else is known. Rules and words have concentrations of their own: c is `rules` for the share of m_A that
//! falls on rules between categories, and `words` for the share of words.

use chain::{Rng, Stream, Workers};
use grammar::{Category, Inventory, Sizes, Tensors};
use num::dist;
use serde::{Deserialize, Serialize};

/// Concentrations.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Concentrations {
    /// c for rules between categories: how many expansions' worth of belief in m.
    pub rules: f64,
    /// c for words.
    pub words: f64,
    /// b: how many expansions' worth of belief in even use of annotations.
    pub annotations: f64,
}

impl Default for Concentrations {
    fn default() -> Self {
        Concentrations { rules: 5.0, words: 5.0, annotations: 1.0 }
    }
}

/// Means and concentrations over an inventory of rules.
#[derive(Debug, Clone, Copy)]
pub struct RulePrior<'a> {
    /// The rules.
    pub inventory: &'a Inventory,
    /// m: sums to 1 over the rules of each head.
    pub means: &'a [f64],
    /// c and b.
    pub concentrations: Concentrations,
}

impl RulePrior<'_> {
    /// The Dirichlet parameter of a rule, c · m.
    pub fn shape(&self, rule: u32) -> f64 {
        let c = &self.concentrations;
        let c = if self.inventory.is_lexical(rule) { c.words } else { c.rules };
        c * self.means[rule as usize]
    }

    /// Draws θ and β given counts and returns θ · β.
    ///
    /// Every `A[x]` has a stream of its own, so the draw does not depend on the number of threads.
    pub fn draw(&self, sizes: &Sizes, counts: &Tensors, stream: Stream, workers: &Workers) -> Tensors {
        let rows: Vec<(Category, usize)> =
            self.inventory.heads().flat_map(|head| (0..sizes.of(head)).map(move |x| (head, x))).collect();
        let draws =
            workers.map(&rows, |at, &(head, x)| self.draw_row(counts, head, x, &mut stream.item(at).rng()));
        let mut drawn = self.inventory.zero(sizes);
        for (&(head, x), mut values) in rows.iter().zip(draws.iter().map(Vec::as_slice)) {
            for &rule in self.inventory.rules_of(head) {
                let row = drawn.row_mut(rule, x);
                let (mine, rest) = values.split_at(row.len());
                row.copy_from_slice(mine);
                values = rest;
            }
        }
        drawn
    }

    /// θ · β of all rules of `A[x]`, one after another.
    fn draw_row(&self, counts: &Tensors, head: Category, x: usize, rng: &mut Rng) -> Vec<f64> {
        let rules = self.inventory.rules_of(head);
        // θ_A[x] ~ Dirichlet(c · m_A + n_A[x])
        let shapes: Vec<f64> =
            rules.iter().map(|&rule| self.shape(rule) + counts.row(rule, x).iter().sum::<f64>()).collect();
        let theta = dist::dirichlet(rng, &shapes);
        let (mut values, mut gammas) = (Vec::new(), dist::Gammas::default());
        for (&rule, theta) in rules.iter().zip(theta) {
            let counts = counts.row(rule, x);
            if counts.len() == 1 {
                values.push(theta);
            } else if self.inventory.rules().is_stay(rule) {
                values.extend((0..counts.len()).map(|y| if y == x { theta } else { 0.0 }));
            } else {
                // β_A[x],r ~ Dirichlet(b / (K_B K_C) + n_r[x])
                let share = self.concentrations.annotations / counts.len() as f64;
                push_dirichlet(rng, &mut gammas, counts.iter().map(|n| share + n), theta, &mut values);
            }
        }
        values
    }
}

/// Appends `factor` times a draw from a Dirichlet distribution.
fn push_dirichlet(
    rng: &mut Rng,
    gammas: &mut dist::Gammas,
    shapes: impl Iterator<Item = f64> + Clone,
    factor: f64,
    values: &mut Vec<f64>,
) {
    let start = values.len();
    gammas.draw_into(rng, shapes.clone(), values);
    let total: f64 = values[start..].iter().sum();
    if total > f64::MIN_POSITIVE {
        values[start..].iter_mut().for_each(|value| *value *= factor / total);
    } else {
        // All shapes are so small that plain numbers do not reach; logarithms do.
        values.truncate(start);
        let shapes: Vec<f64> = shapes.collect();
        values.extend(dist::dirichlet(rng, &shapes).into_iter().map(|value| value * factor));
    }
}
