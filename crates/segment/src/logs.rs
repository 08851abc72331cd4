//! Logarithms of whole numbers, tabulated.

/// Natural logarithms; small numbers are looked up.
#[derive(Clone, Debug)]
pub(crate) struct Logs {
    ln: Vec<f64>,
    ln_factorial: [f64; EXACT as usize],
}

/// Below this, numbers are looked up. The sums of a list of fifty thousand words stay below it.
const TABLE: usize = 1 << 18;
/// Below this, factorials are exact, as in Morfessor.
const EXACT: u64 = 20;
const LN_2_PI: f64 = 1.837_877_066_409_345_3;

impl Default for Logs {
    fn default() -> Logs {
        let mut ln: Vec<f64> = (0..TABLE).map(|n| libm::log(n as f64)).collect();
        // 0 · log 0 = 0, so any finite number will do here.
        ln[0] = 0.0;
        let factorial = |n: usize| (2..=n).map(|factor| factor as f64).product::<f64>();
        Logs { ln, ln_factorial: std::array::from_fn(|n| libm::log(factorial(n))) }
    }
}

impl Logs {
    /// log n; 0 for 0.
    #[inline]
    pub(crate) fn ln(&self, n: u64) -> f64 {
        match self.ln.get(n as usize) {
            Some(&ln) => ln,
            None => libm::log(n as f64),
        }
    }

    /// n log n.
    #[inline]
    pub(crate) fn n_ln_n(&self, n: u64) -> f64 {
        n as f64 * self.ln(n)
    }

    /// log n!, by Stirling's formula from 20 on: log n! ≈ n log n − n + (log n + log 2π) / 2.
    #[inline]
    pub(crate) fn ln_factorial(&self, n: u64) -> f64 {
        if n < EXACT {
            return self.ln_factorial[n as usize];
        }
        let ln = self.ln(n);
        n as f64 * ln - n as f64 + 0.5 * (ln + LN_2_PI)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factorials_agree_with_sums_of_logarithms() {
        let logs = Logs::default();
        let mut sum = 0.0;
        for n in 1..200u64 {
            sum += libm::log(n as f64);
            let error = logs.ln_factorial(n) - sum;
            // Stirling's formula is short by about 1 / 12 n.
            assert!(error.abs() < if n < EXACT { 1e-12 } else { 1.0 / (11.0 * n as f64) }, "{n}: {error}");
        }
    }

    #[test]
    fn numbers_beyond_the_table_continue_it() {
        let logs = Logs::default();
        let (last, next) = (TABLE as u64 - 1, TABLE as u64);
        assert!((logs.n_ln_n(next) - logs.n_ln_n(last) - libm::log(next as f64) - 1.0).abs() < 1e-5);
        assert_eq!(
            (logs.ln(0), logs.n_ln_n(0), logs.ln_factorial(0), logs.ln_factorial(1)),
            (0.0, 0.0, 0.0, 0.0)
        );
    }
}
