//! Natural numbers of any size: just enough to hold, compare and print a count.

use std::fmt;

/// A natural number. Limbs are stored from the least significant, without leading zeros.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Natural {
    limbs: Vec<u64>,
}

impl Natural {
    /// 0.
    pub fn zero() -> Self {
        Self::default()
    }

    /// Whether it is 0.
    pub fn is_zero(&self) -> bool {
        self.limbs.is_empty()
    }

    /// The number as a machine word, if it fits.
    pub fn to_u64(&self) -> Option<u64> {
        match self.limbs[..] {
            [] => Some(0),
            [limb] => Some(limb),
            _ => None,
        }
    }

    /// The nearest floating-point number, infinite where the number is beyond their range.
    pub fn to_f64(&self) -> f64 {
        self.limbs.iter().rev().fold(0.0, |value, &limb| value * 2f64.powi(64) + limb as f64)
    }

    /// The natural logarithm, also of numbers beyond the range of floating point; −∞ for 0.
    pub fn ln(&self) -> f64 {
        // log(a · 2^64k) = log a + 64 k log 2; three limbs hold more than the 53 bits of a mantissa.
        let skipped = self.limbs.len().saturating_sub(3);
        let top = Self { limbs: self.limbs[skipped..].to_vec() };
        top.to_f64().ln() + 64.0 * skipped as f64 * std::f64::consts::LN_2
    }

    /// `self · factor + term`.
    pub fn times_plus(mut self, factor: u64, term: u64) -> Self {
        let mut carry = u128::from(term);
        for limb in &mut self.limbs {
            let value = u128::from(*limb) * u128::from(factor) + carry;
            *limb = value as u64;
            carry = value >> 64;
        }
        self.limbs.push(carry as u64);
        while self.limbs.last() == Some(&0) {
            self.limbs.pop();
        }
        self
    }

    /// Divides by `divisor` and gives the remainder.
    fn divide(&mut self, divisor: u64) -> u64 {
        let mut rest = 0u128;
        for limb in self.limbs.iter_mut().rev() {
            let value = rest << 64 | u128::from(*limb);
            *limb = (value / u128::from(divisor)) as u64;
            rest = value % u128::from(divisor);
        }
        while self.limbs.last() == Some(&0) {
            self.limbs.pop();
        }
        rest as u64
    }
}

impl From<u64> for Natural {
    fn from(number: u64) -> Self {
        Self::zero().times_plus(1, number)
    }
}

impl PartialOrd for Natural {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Natural {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let by_length = self.limbs.len().cmp(&other.limbs.len());
        by_length.then_with(|| self.limbs.iter().rev().cmp(other.limbs.iter().rev()))
    }
}

impl fmt::Display for Natural {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const CHUNK: u64 = 1_000_000_000_000_000_000;
        let mut rest = self.clone();
        let mut chunks = vec![rest.divide(CHUNK)];
        while !rest.is_zero() {
            chunks.push(rest.divide(CHUNK));
        }
        let mut digits = chunks.pop().unwrap_or(0).to_string();
        digits.extend(chunks.iter().rev().map(|chunk| format!("{chunk:018}")));
        f.pad_integral(true, "", &digits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_printed_compared_and_measured() {
        let power =
            |exponent: u32| (0..exponent).fold(Natural::from(1), |number, _| number.times_plus(10, 0));
        for exponent in [0u32, 5, 18, 19, 40, 77] {
            assert_eq!(power(exponent).to_string(), format!("1{}", "0".repeat(exponent as usize)));
            assert!((power(exponent).ln() - f64::from(exponent) * 10f64.ln()).abs() < 1e-9);
        }
        assert!(power(400).ln().is_finite() && power(400).to_f64().is_infinite());
        assert!(power(19) < power(20) && power(40).times_plus(1, 1) > power(40));
        assert_eq!(Natural::zero().to_string(), "0");
        assert_eq!(Natural::from(7).to_u64(), Some(7));
        assert_eq!(power(20).to_u64(), None);
    }
}
