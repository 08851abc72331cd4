//! Distribution functions from characteristic functions, as an oracle that shares nothing with the samplers.

/// The law of J(h, c) = 4 PG(h, 2c), by numerical inversion of
/// φ(ω) = (cosh c / cosh √(c² − 2iω))ʰ.
pub(super) struct Inverted {
    step: f64,
    /// φ((k + ½) step) / (k + ½)
    terms: Vec<(f64, f64)>,
}

impl Inverted {
    pub(super) fn new(h: f64, c: f64) -> Inverted {
        // Beyond the period nothing is left of the law: 12 standard deviations and 30 lengths of its tail.
        let (mean, variance) =
            (4.0 * super::polya_gamma_mean(h, 2.0 * c), 16.0 * super::polya_gamma_variance(h, 2.0 * c));
        let period =
            mean + 12.0 * variance.sqrt() + 30.0 / (std::f64::consts::PI.powi(2) / 8.0 + 0.5 * c * c);
        let step = 2.0 * std::f64::consts::PI / period;
        let mut terms = Vec::new();
        loop {
            let k = terms.len() as f64 + 0.5;
            let (log, angle) = ln_characteristic(h, c, k * step);
            let size = log.exp() / k;
            terms.push((size * angle.cos(), size * angle.sin()));
            if size < 1e-8 {
                return Inverted { step, terms };
            }
        }
    }

    /// P(X ≤ x) = ½ − 1/π Σ Im(φ(ωₖ) e^(−iωₖx)) / (k + ½) with ωₖ = (k + ½) step, for x below the period (Davies 1973).
    pub(super) fn cdf(&self, x: f64) -> f64 {
        let (sin, cos) = (self.step * x).sin_cos();
        // e^(−iωₖx), turned by one step at a time
        let (mut re, mut im) = ((0.5 * self.step * x).cos(), -(0.5 * self.step * x).sin());
        let mut sum = 0.0;
        for &(a, b) in &self.terms {
            sum += a * im + b * re;
            (re, im) = (re * cos + im * sin, im * cos - re * sin);
        }
        0.5 - sum / std::f64::consts::PI
    }
}

/// (ln |φ(ω)|, arg φ(ω)), with ln cosh w = w + ln(1 + e^(−2w)) − ln 2, which is continuous for Re w > 0.
fn ln_characteristic(h: f64, c: f64, omega: f64) -> (f64, f64) {
    let (re, im) = (c * c, -2.0 * omega);
    // The root with the positive real part.
    let size = re.hypot(im);
    let w = (((size + re) / 2.0).sqrt(), -((size - re) / 2.0).sqrt());
    let q = (-2.0 * w.0).exp();
    let one_plus = (1.0 + q * (2.0 * w.1).cos(), -q * (2.0 * w.1).sin());
    let ln_cosh_c = c + (-2.0 * c).exp().ln_1p();
    let log = ln_cosh_c - w.0 - one_plus.0.hypot(one_plus.1).ln();
    (h * log, -h * (w.1 + one_plus.1.atan2(one_plus.0)))
}

/// J(1, 0) is the time at which Brownian motion leaves (−1, 1): P(J > x) = 4/π Σ (−1)ⁿ/(2n+1) e^(−(2n+1)²π²x/8).
#[test]
fn inversion_gives_the_exit_time_of_brownian_motion() {
    let law = Inverted::new(1.0, 0.0);
    for x in [0.1, 0.3, 0.7, 1.0, 2.0, 5.0] {
        let term = |n: i32| {
            let odd = f64::from(2 * n + 1);
            (if n % 2 == 0 { 1.0 } else { -1.0 }) / odd
                * (-odd * odd * std::f64::consts::PI.powi(2) * x / 8.0).exp()
        };
        let known = 1.0 - 4.0 / std::f64::consts::PI * (0..100).map(term).sum::<f64>();
        assert!((law.cdf(x) - known).abs() < 1e-6, "{x}: {} {known}", law.cdf(x));
    }
}

/// J(h, c) tends to the inverse Gaussian law with mean h/c and shape h² as c grows.
#[test]
fn inversion_gives_the_first_passage_for_a_large_drift() {
    let (h, c) = (0.7f64, 12.0f64);
    let law = Inverted::new(h, c);
    let phi = crate::special::normal_cdf;
    for x in [0.02f64, 0.05, 0.06, 0.1] {
        let root = h / x.sqrt();
        let known = phi(c * x.sqrt() - root) + (2.0 * h * c).exp() * phi(-c * x.sqrt() - root);
        assert!((law.cdf(x) - known).abs() < 1e-6, "{x}: {} {known}", law.cdf(x));
    }
}
