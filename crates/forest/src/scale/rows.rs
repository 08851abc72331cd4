//! How a walk over a chain keeps its rows within the range of their numbers.

use super::{Lost, Sums};
use crate::semiring::{Mass, Prob, Semiring, Wide};

/// Scales rows one after the other and remembers by how much.
pub trait Rows {
    /// What rows are made of.
    type Cell: Mass + Copy + PartialOrd;

    /// Forgets all rows.
    fn begin(&mut self);

    /// Scales a finished row; `None` if these numbers do not suffice.
    fn settle(&mut self, row: &mut [Self::Cell]) -> Option<()>;

    /// The logarithm of the sum of the last row, with all that rows were divided by; `None` if these numbers do not
    /// suffice.
    fn finish(&mut self, last: &mut [Self::Cell]) -> Option<f64>;

    /// The logarithm of a number of the last row, with all that rows were divided by.
    fn ln(&self, cell: Self::Cell) -> f64;

    /// Which shares the numbers of the last row are of their sum.
    fn of_last(last: &[Self::Cell], parts: &mut Vec<f64>) {
        Self::split(1.0, last, parts);
    }

    /// Numbers as floats whose largest is 1.
    #[inline]
    fn shares(terms: &[Self::Cell], shares: &mut Vec<f64>) {
        let larger = |most: Self::Cell, &term: &Self::Cell| if term > most { term } else { most };
        let most = terms.iter().fold(Self::Cell::zero(), larger);
        // Where all are 0, so are their shares.
        let most = if most.is_zero() { Self::Cell::one() } else { most };
        shares.clear();
        shares.extend(terms.iter().map(|term| term.over(&most)));
    }

    /// Parts of `p` in the proportions of some numbers.
    #[inline]
    fn split(p: f64, terms: &[Self::Cell], parts: &mut Vec<f64>) {
        Self::shares(terms, parts);
        let total: f64 = parts.iter().sum();
        if total > 0.0 {
            parts.iter_mut().for_each(|part| *part = p * *part / total);
        }
    }
}

/// Plain numbers; the largest of each row is in [1, 2), and nothing may be dropped beside it.
#[derive(Debug, Clone, Default)]
pub struct Powers {
    exponent: i64,
    values: Vec<f64>,
}

impl Rows for Powers {
    type Cell = Prob;

    fn begin(&mut self) {
        self.exponent = 0;
    }

    fn settle(&mut self, row: &mut [Prob]) -> Option<()> {
        self.values.clear();
        self.values.extend(row.iter().map(|cell| cell.0));
        let mut lost = Lost::default();
        self.exponent += lost.settle(&mut self.values, 0)?.unwrap_or(0);
        row.iter_mut().zip(&self.values).for_each(|(cell, value)| cell.0 = *value);
        lost.0.is_none().then_some(())
    }

    fn finish(&mut self, last: &mut [Prob]) -> Option<f64> {
        Some(self.ln(total(last)))
    }

    fn ln(&self, cell: Prob) -> f64 {
        cell.ln() + Wide::new(1.0, self.exponent).ln()
    }
}

/// Numbers with exponents of their own, which hold everything.
#[derive(Debug, Clone, Copy, Default)]
pub struct Exponents;

impl Rows for Exponents {
    type Cell = Wide;

    fn begin(&mut self) {}

    fn settle(&mut self, _: &mut [Wide]) -> Option<()> {
        Some(())
    }

    fn finish(&mut self, last: &mut [Wide]) -> Option<f64> {
        Some(self.ln(total(last)))
    }

    fn ln(&self, cell: Wide) -> f64 {
        cell.ln()
    }
}

impl Rows for Sums {
    type Cell = Prob;

    fn begin(&mut self) {
        self.forget();
    }

    fn settle(&mut self, row: &mut [Prob]) -> Option<()> {
        self.divide(row)
    }

    fn finish(&mut self, last: &mut [Prob]) -> Option<f64> {
        self.divide(last)?;
        Some(self.ln_product())
    }

    fn ln(&self, cell: Prob) -> f64 {
        self.ln_product() + cell.ln()
    }

    /// They are shares already.
    fn of_last(last: &[Prob], parts: &mut Vec<f64>) {
        parts.clear();
        parts.extend(last.iter().map(|cell| cell.0));
    }

    /// Rows sum to 1, so that there is no need to divide by the largest term first.
    #[inline]
    fn split(p: f64, terms: &[Prob], parts: &mut Vec<f64>) {
        let scale = p / terms.iter().map(|term| term.0).sum::<f64>();
        parts.clear();
        parts.extend(terms.iter().map(|term| term.0 * scale));
    }
}

fn total<C: Semiring>(row: &[C]) -> C {
    C::sum(row.iter().cloned())
}
