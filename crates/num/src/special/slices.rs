//! Exponentials and logarithms of many numbers at once.
//!
//! Without branches or tables, so that the compiler does several at a time; each number goes through the same
//! multiplications and additions whatever the width of the machine's vectors, so the bits are the same everywhere. Errors
//! are within two units in the last place; the functions of `libm` are within one.

use std::f64::consts::LOG2_E;

/// ln 2 in two parts; the first has so few bits that its product with an exponent is exact.
const LN2_HIGH: f64 = 0.693_147_180_369_123_8;
const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;

/// Added to a number below 2^51 it leaves the nearest integer in the last bits.
const ROUND: f64 = 6_755_399_441_055_744.0; // 1.5 · 2^52

/// Replaces each x by exp(x). Below about −745.13 that is 0, above about 709.78 infinite.
pub fn exp_slice(xs: &mut [f64]) {
    for x in xs {
        *x = exp(*x);
    }
}

/// Replaces each x by ln x, for positive numbers that are neither subnormal nor infinite.
pub fn ln_slice(xs: &mut [f64]) {
    for x in xs {
        *x = ln(*x);
    }
}

/// exp(x) = 2^k · exp(r) with x = k ln 2 + r and |r| ≤ ln 2 / 2.
#[inline(always)]
pub(crate) fn exp(x: f64) -> f64 {
    // Beyond these bounds the result is 0 or ∞ all the same; a NaN stays one.
    let x = if x < -800.0 { -800.0 } else { x };
    let x = if x > 800.0 { 800.0 } else { x };
    let k = (x * LOG2_E + ROUND) - ROUND;
    let r = (x - k * LN2_HIGH) - k * LN2_LOW;
    // 2^k in two factors, as k may be beyond the exponents of floats.
    let half = (k * 0.5 + ROUND) - ROUND;
    taylor(r) * power(half) * power(k - half)
}

/// Σ rⁿ/n! up to n = 13; the first term left out is below 4 · 10⁻¹⁸ of the sum.
#[inline(always)]
fn taylor(r: f64) -> f64 {
    const INVERSE_FACTORIALS: [f64; 12] = [
        1.0 / 6_227_020_800.0,
        1.0 / 479_001_600.0,
        1.0 / 39_916_800.0,
        1.0 / 3_628_800.0,
        1.0 / 362_880.0,
        1.0 / 40_320.0,
        1.0 / 5_040.0,
        1.0 / 720.0,
        1.0 / 120.0,
        1.0 / 24.0,
        1.0 / 6.0,
        1.0 / 2.0,
    ];
    let mut sum = 0.0;
    for term in INVERSE_FACTORIALS {
        sum = sum * r + term;
    }
    1.0 + (r + r * r * sum)
}

/// 2^k for a whole number k from −1022 to 1023.
#[inline(always)]
fn power(k: f64) -> f64 {
    let bits = (k + ROUND).to_bits().wrapping_sub(ROUND.to_bits());
    f64::from_bits(bits.wrapping_add(1023) << 52)
}

/// ln x = e ln 2 + ln m with x = 2^e · m and m between √½ and √2; with f = m − 1 and s = f / (2 + f),
/// ln(1 + f) = 2 artanh s = f − f²/2 + s (f²/2 + R(s²)), where R is the rest of the series, made even by a polynomial.
#[inline(always)]
fn ln(x: f64) -> f64 {
    const ROOT_HALF: u64 = 0x3fe6_a09e_667f_3bcd;
    const ONE: u64 = 0x3ff0_0000_0000_0000;
    let bits = x.to_bits();
    let biased = bits.wrapping_add(ONE - ROOT_HALF) >> 52;
    let m = f64::from_bits(bits.wrapping_sub(biased.wrapping_sub(1023) << 52));
    // A whole number below 2^52 becomes a float when it is put into the last bits of 2^52.
    let e = f64::from_bits(biased | 0x4330_0000_0000_0000) - (4_503_599_627_370_496.0 + 1023.0);
    let f = m - 1.0;
    let s = f / (2.0 + f);
    let half_square = 0.5 * f * f;
    let rest = series(s * s);
    e * LN2_HIGH - ((half_square - (s * (half_square + rest) + e * LN2_LOW)) - f)
}

/// 2 (z/3 + z²/5 + z³/7 + …) for z ≤ 0.0295, up to z¹¹: what is left out is below 10⁻¹⁸.
#[inline(always)]
fn series(z: f64) -> f64 {
    const TERMS: [f64; 11] = [
        2.0 / 23.0,
        2.0 / 21.0,
        2.0 / 19.0,
        2.0 / 17.0,
        2.0 / 15.0,
        2.0 / 13.0,
        2.0 / 11.0,
        2.0 / 9.0,
        2.0 / 7.0,
        2.0 / 5.0,
        2.0 / 3.0,
    ];
    let mut sum = 0.0;
    for term in TERMS {
        sum = sum * z + term;
    }
    sum * z
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// How many floats lie between two.
    fn ulps(a: f64, b: f64) -> u64 {
        (a.to_bits() as i64).abs_diff(b.to_bits() as i64)
    }

    fn of(x: f64, function: fn(&mut [f64])) -> f64 {
        let mut xs = [x];
        function(&mut xs);
        xs[0]
    }

    proptest! {
        #[test]
        fn exponentials_are_those_of_libm(x in -750.0..712.0) {
            prop_assert!(ulps(of(x, exp_slice), libm::exp(x)) <= 2, "{x}: {} {}", of(x, exp_slice), libm::exp(x));
        }

        #[test]
        fn logarithms_are_those_of_libm(bits in 0x0010_0000_0000_0000u64..0x7ff0_0000_0000_0000) {
            let x = f64::from_bits(bits);
            prop_assert!(ulps(of(x, ln_slice), libm::log(x)) <= 2, "{x}: {} {}", of(x, ln_slice), libm::log(x));
        }

        #[test]
        fn logarithms_near_one_are_those_of_libm(x in 0.5..2.0) {
            let (ours, theirs) = (of(x, ln_slice), libm::log(x));
            prop_assert!(ulps(ours, theirs) <= 2 || (ours - theirs).abs() < 1e-300, "{x}: {ours} {theirs}");
        }
    }

    #[test]
    fn extreme_numbers_come_out_right() {
        assert_eq!(of(0.0, exp_slice), 1.0);
        assert_eq!(of(-1e300, exp_slice), 0.0);
        assert_eq!(of(f64::NEG_INFINITY, exp_slice), 0.0);
        assert_eq!(of(1e300, exp_slice), f64::INFINITY);
        assert!(of(f64::NAN, exp_slice).is_nan());
        assert_eq!(of(1.0, ln_slice), 0.0);
    }
}
