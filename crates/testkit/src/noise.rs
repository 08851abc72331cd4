//! Series whose diagnoses are known.

/// Autoregressive noise from a linear congruential generator that is easy to write in any language.
pub fn congruential(seed: u64, n: usize, rho: f64, shift: f64) -> Vec<f64> {
    let (mut x, mut y) = (seed, 0.0);
    let mut next = || {
        x = (x * 1_103_515_245 + 12_345) % (1 << 31);
        y = rho * y + (x as f64 / (1u64 << 31) as f64 - 0.5);
        y + shift
    };
    (0..n).map(|_| next()).collect()
}
