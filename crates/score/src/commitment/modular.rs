//! Exact integers by residues: determinants modulo large primes, put together again.
//!
//! A count is a polynomial in small integers, so it can be computed modulo any prime without fractions or
//! growing numbers. With enough primes that their product exceeds a known bound, the residues determine it
//! (Chinese remainder theorem).

use super::natural::Natural;

/// A number that is known to be at most `base^exponent`, from its value modulo each of several primes.
pub(crate) fn from_residues(base: usize, exponent: usize, mut residue: impl FnMut(u64) -> u64) -> Natural {
    let bits = exponent as f64 * (base as f64).log2() + 1.0;
    // Every prime below has 62 bits.
    let n_primes = (bits / 61.0).ceil().max(1.0) as usize;
    let primes = primes(n_primes);
    let residues: Vec<u64> = primes.iter().map(|&prime| residue(prime)).collect();
    combine(&primes, &residues)
}

/// The mixed-radix digits of Garner: x = v₀ + v₁ p₀ + v₂ p₀ p₁ + …
fn combine(primes: &[u64], residues: &[u64]) -> Natural {
    let mut digits: Vec<u64> = Vec::new();
    for (&prime, &residue) in primes.iter().zip(residues) {
        let (mut value, mut radix) = (0, 1);
        for (&digit, &before) in digits.iter().zip(primes) {
            value = add(value, mul(digit % prime, radix, prime), prime);
            radix = mul(radix, before % prime, prime);
        }
        digits.push(mul(sub(residue, value, prime), inverse(radix, prime), prime));
    }
    digits
        .iter()
        .zip(primes)
        .rev()
        .fold(Natural::zero(), |rest, (&digit, &prime)| rest.times_plus(prime, digit))
}

/// The `count` largest primes below 2^62, which leaves room for the sum of two residues.
fn primes(count: usize) -> Vec<u64> {
    (1u64 << 61..1 << 62).rev().filter(|&candidate| is_prime(candidate)).take(count).collect()
}

/// Miller–Rabin; these witnesses decide all 64-bit numbers.
fn is_prime(number: u64) -> bool {
    if number.is_multiple_of(2) {
        return number == 2;
    }
    let shift = (number - 1).trailing_zeros();
    let odd = (number - 1) >> shift;
    [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37].iter().all(|&witness| {
        let mut power = pow(witness % number, odd, number);
        if power <= 1 || power == number - 1 {
            return power != 0 || number == witness;
        }
        (1..shift).any(|_| {
            power = mul(power, power, number);
            power == number - 1
        })
    })
}

pub(crate) fn add(one: u64, other: u64, prime: u64) -> u64 {
    (one + other) % prime
}

pub(crate) fn sub(one: u64, other: u64, prime: u64) -> u64 {
    if one >= other { one - other } else { one + prime - other }
}

pub(crate) fn mul(one: u64, other: u64, prime: u64) -> u64 {
    (u128::from(one) * u128::from(other) % u128::from(prime)) as u64
}

fn pow(mut base: u64, mut exponent: u64, prime: u64) -> u64 {
    let mut result = 1;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = mul(result, base, prime);
        }
        base = mul(base, base, prime);
        exponent >>= 1;
    }
    result
}

pub(crate) fn inverse(number: u64, prime: u64) -> u64 {
    pow(number, prime - 2, prime)
}

/// A residue w < p by which many others are multiplied, with w' = ⌊2⁶⁴ w / p⌋ so that this takes no division.
///
/// For x < 2⁶⁴ and q = ⌊w' x / 2⁶⁴⌋ we have 0 ≤ w x − q p < 2 p, which fits a machine word (after V. Shoup).
struct Factor {
    factor: u64,
    quotient: u64,
    prime: u64,
}

impl Factor {
    fn new(factor: u64, prime: u64) -> Self {
        let quotient = ((u128::from(factor) << 64) / u128::from(prime)) as u64;
        Self { factor, quotient, prime }
    }

    fn times(&self, other: u64) -> u64 {
        let quotient = ((u128::from(self.quotient) * u128::from(other)) >> 64) as u64;
        let rest = self.factor.wrapping_mul(other).wrapping_sub(quotient.wrapping_mul(self.prime));
        if rest >= self.prime { rest - self.prime } else { rest }
    }
}

/// The determinant of a square matrix of residues.
pub(crate) fn determinant(mut matrix: Vec<Vec<u64>>, prime: u64) -> u64 {
    let size = matrix.len();
    let mut result = 1;
    for column in 0..size {
        let Some(pivot) = (column..size).find(|&row| matrix[row][column] != 0) else { return 0 };
        if pivot != column {
            matrix.swap(pivot, column);
            result = sub(0, result, prime);
        }
        result = mul(result, matrix[column][column], prime);
        eliminate_below(&mut matrix, column, column, prime);
    }
    result
}

/// Subtracts multiples of `row` from the rows below so that they vanish in `column`.
fn eliminate_below(matrix: &mut [Vec<u64>], row: usize, column: usize, prime: u64) {
    let (above, below) = matrix.split_at_mut(row + 1);
    let pivot = &above[row];
    let scale = inverse(pivot[column], prime);
    for other in below.iter_mut().filter(|other| other[column] != 0) {
        let factor = Factor::new(mul(other[column], scale, prime), prime);
        for (entry, &by) in other.iter_mut().zip(pivot).skip(column) {
            *entry = sub(*entry, factor.times(by), prime);
        }
    }
}

/// A vector u ≠ 0 with uᵀ M = 0, if the rank of M is one less than its size.
pub(crate) fn left_null_vector(matrix: &[Vec<u64>], prime: u64) -> Option<Vec<u64>> {
    let size = matrix.len();
    let mut transposed: Vec<Vec<u64>> =
        (0..size).map(|column| matrix.iter().map(|row| row[column]).collect()).collect();
    let mut pivots = Vec::new();
    for column in 0..size {
        let row = pivots.len();
        let Some(found) = (row..size).find(|&row| transposed[row][column] != 0) else { continue };
        transposed.swap(found, row);
        eliminate_below(&mut transposed, row, column, prime);
        pivots.push(column);
    }
    if pivots.len() + 1 != size {
        return None;
    }
    let free = (0..size).find(|column| !pivots.contains(column))?;
    let mut vector = vec![0; size];
    vector[free] = 1;
    for (row, &column) in pivots.iter().enumerate().rev() {
        let later = column + 1..size;
        let sum = later.fold(0, |sum, c| add(sum, mul(transposed[row][c], vector[c], prime), prime));
        vector[column] = mul(sub(0, sum, prime), inverse(transposed[row][column], prime), prime);
    }
    Some(vector)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn primes_are_prime_and_distinct() {
        assert_eq!((0..60).filter(|&n| n > 1 && is_prime(n)).count(), 17);
        assert!(!is_prime(3_215_031_751) && !is_prime((1 << 62) - 1));
        let primes = primes(5);
        assert_eq!(primes[0], 4_611_686_018_427_387_847);
        assert!(primes.windows(2).all(|pair| pair[0] > pair[1]));
    }

    #[test]
    fn numbers_come_back_from_their_residues() {
        let power = (0..30).fold(Natural::from(1), |number, _| number.times_plus(31, 0));
        let again = from_residues(31, 30, |prime| pow(31, 30, prime));
        assert_eq!(again, power);
        assert_eq!(from_residues(2, 1, |prime| 2 % prime), Natural::from(2));
        assert_eq!(from_residues(2, 1, |_| 0), Natural::zero());
    }

    #[test]
    fn determinants_and_null_vectors_are_right_on_small_matrices() {
        let prime = primes(1)[0];
        let minus = |number: u64| prime - number;
        assert_eq!(determinant(vec![vec![0, 2], vec![3, 4]], prime), minus(6));
        assert_eq!(determinant(Vec::new(), prime), 1);
        let laplacian = vec![vec![3, minus(1), minus(2)], vec![minus(1), 1, 0], vec![0, minus(5), 5]];
        let vector = left_null_vector(&laplacian, prime).unwrap();
        let product = |column: usize| {
            let rows = vector.iter().zip(&laplacian);
            rows.fold(0, |sum, (&entry, row)| add(sum, mul(entry, row[column], prime), prime))
        };
        assert_eq!([product(0), product(1), product(2)], [0, 0, 0]);
        assert_eq!(left_null_vector(&[vec![0, 0], vec![0, 0]], prime), None);
    }
}
