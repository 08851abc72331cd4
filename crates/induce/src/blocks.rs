//! Several sentences that share one grammar.

use crate::family::{Family, Rows};

/// A family whose items are runs of items of another: derivations of all of them together.
///
/// ```text
/// ln Σ Π w^f = Σ_x ln Σ_y Π w^f(x, y)
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Blocks<'a, F>(&'a F);

impl<'a, F: Family> Blocks<'a, F> {
    /// Runs of items of this family.
    pub fn of(family: &'a F) -> Blocks<'a, F> {
        Blocks(family)
    }

    /// Items in runs of about `size`, none much shorter than the others.
    pub fn cut(items: &'a [F::Item], size: usize) -> Vec<&'a [F::Item]> {
        let n_blocks = items.len().div_ceil(size.max(1)).max(1);
        let bound = |block: usize| items.len() * block / n_blocks;
        (0..n_blocks).map(|block| &items[bound(block)..bound(block + 1)]).collect()
    }

    fn sum(items: &[F::Item], mut one: impl FnMut(&F::Item) -> f64) -> f64 {
        items.iter().map(&mut one).sum()
    }
}

impl<'a, F: Family> Family for Blocks<'a, F> {
    type Item = &'a [F::Item];
    type Memory = F::Memory;

    fn rows(&self) -> &Rows {
        self.0.rows()
    }

    fn rows_of(&self, items: &Self::Item) -> Vec<usize> {
        let mut rows: Vec<usize> = items.iter().flat_map(|item| self.0.rows_of(item)).collect();
        rows.sort_unstable();
        rows.dedup();
        rows
    }

    fn expect(&self, items: &Self::Item, weights: &[f64], memory: &mut F::Memory, counts: &mut [f64]) -> f64 {
        Self::sum(items, |item| self.0.expect(item, weights, memory, counts))
    }

    fn best(&self, items: &Self::Item, weights: &[f64], memory: &mut F::Memory, counts: &mut [f64]) -> f64 {
        Self::sum(items, |item| self.0.best(item, weights, memory, counts))
    }
}
