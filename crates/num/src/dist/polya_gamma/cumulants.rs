//! The logarithm of the Laplace transform of J(1), and its derivatives.
//!
//! K(t) = −ln cosh √(−2t). Everything is written in s = −2t, which is c² under a tilt by exp(−c²x/2), and
//! becomes trigonometric below 0, down to −π²/4.

/// −π²/4: the end of the domain.
pub(super) const END: f64 = -2.467_401_100_272_339_6;

/// K′(t), …, K⁗(t): the first four cumulants of J(1, c) at s = c².
#[derive(Debug, Clone, Copy)]
pub(super) struct Cumulants {
    pub(super) first: f64,
    pub(super) second: f64,
    pub(super) third: f64,
    pub(super) fourth: f64,
}

impl Cumulants {
    /// For s > −π²/4.
    #[inline]
    pub(super) fn at(s: f64) -> Cumulants {
        if s.abs() < NEAR {
            return near(s);
        }
        // y = tanh(√s) / √s solves s y′(t) = y + s y² − 1; the further ones by differentiation, with ds = −2dt.
        let y = mean(s);
        let inverse = 1.0 / s;
        let second = (y + s * y * y - 1.0) * inverse;
        let third = (3.0 * second - 2.0 * y * y) * inverse + 2.0 * y * second;
        let fourth = (5.0 * third - 8.0 * y * second) * inverse + 2.0 * (second * second + y * third);
        Cumulants { first: y, second, third, fourth }
    }
}

/// K′(t) = tanh(√s)/√s, or tan(√−s)/√−s.
#[inline]
pub(super) fn mean(s: f64) -> f64 {
    if s.abs() < NEAR {
        near(s).first
    } else if s > 0.0 {
        let c = libm::sqrt(s);
        tanh(c) / c
    } else {
        let c = libm::sqrt(-s);
        libm::tan(c) / c
    }
}

/// −K(t) = ln cosh √s, or ln cos √−s.
pub(super) fn ln_cosh(s: f64) -> f64 {
    let c = libm::sqrt(s.abs());
    if s >= 0.0 { c + libm::log1p(0.5 * libm::expm1(-2.0 * c)) } else { libm::log(libm::cos(c)) }
}

/// tanh c for c of at least √NEAR, where the difference keeps its digits.
#[inline]
fn tanh(c: f64) -> f64 {
    let q = libm::exp(-2.0 * c);
    (1.0 - q) / (1.0 + q)
}

const NEAR: f64 = 0.125;

/// The series of tanh(√s)/√s and its derivatives.
#[inline]
fn near(s: f64) -> Cumulants {
    let mut sums = [0.0; 4];
    for &a in &SERIES {
        // Horner's rule for a polynomial and for its derivatives divided by 1, 2 and 6.
        sums[3] = sums[3] * s + sums[2];
        sums[2] = sums[2] * s + sums[1];
        sums[1] = sums[1] * s + sums[0];
        sums[0] = sums[0] * s + a;
    }
    let [first, d1, d2, d3] = sums;
    Cumulants { first, second: -2.0 * d1, third: 8.0 * d2, fourth: -48.0 * d3 }
}

/// The coefficients of tanh(√s)/√s, the highest first.
const SERIES: [f64; 11] = [
    18_888_466_084.0 / 194_896_477_400_625.0,
    -443_861_162.0 / 1_856_156_927_625.0,
    6_404_582.0 / 10_854_718_875.0,
    -929_569.0 / 638_512_875.0,
    21_844.0 / 6_081_075.0,
    -1_382.0 / 155_925.0,
    62.0 / 2_835.0,
    -17.0 / 315.0,
    2.0 / 15.0,
    -1.0 / 3.0,
    1.0,
];
