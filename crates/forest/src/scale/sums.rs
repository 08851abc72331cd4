//! Rows that sum to 1.

use crate::semiring::Prob;

/// Divides rows by their sums, and remembers these. A number of a row is then the share of all beginnings that end
/// there, and what is lost to underflow is next to nothing against the rest of its row.
#[derive(Debug, Clone, Default)]
pub struct Sums {
    /// Whether rows are multiplied by the inverse of the sum: faster for long rows, and rounded twice.
    inverse: bool,
    sums: Vec<f64>,
    ln_product: f64,
}

impl Sums {
    /// Rows are multiplied by the inverses of their sums.
    pub fn by_inverse() -> Sums {
        Sums { inverse: true, ..Sums::default() }
    }

    /// By what each row was divided.
    pub fn sums(&self) -> &[f64] {
        &self.sums
    }

    /// The logarithm of the product of all sums.
    pub fn ln_product(&self) -> f64 {
        self.ln_product
    }

    pub(super) fn forget(&mut self) {
        self.sums.clear();
        self.ln_product = 0.0;
    }

    /// `None` if the sum is zero or no number.
    pub(super) fn divide(&mut self, row: &mut [Prob]) -> Option<()> {
        let sum: f64 = row.iter().map(|cell| cell.0).sum();
        if !(sum > 0.0 && sum.is_finite()) {
            return None;
        }
        if self.inverse {
            let inverse = 1.0 / sum;
            row.iter_mut().for_each(|cell| cell.0 *= inverse);
        } else {
            row.iter_mut().for_each(|cell| cell.0 /= sum);
        }
        self.ln_product += libm::log(sum);
        self.sums.push(sum);
        Some(())
    }
}
