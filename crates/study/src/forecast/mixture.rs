//! Mixtures of Gaussians.

/// Weights, which sum to 1, with means and standard deviations.
pub(super) struct Mixture(pub(super) Vec<(f64, f64, f64)>);

impl Mixture {
    pub(super) fn mean(&self) -> f64 {
        self.0.iter().map(|(weight, mean, _)| weight * mean).sum()
    }

    pub(super) fn cdf(&self, value: f64) -> f64 {
        let below = |z: f64| 0.5 * libm::erfc(-z / std::f64::consts::SQRT_2);
        self.0.iter().map(|(weight, mean, sd)| weight * below((value - mean) / sd)).sum()
    }

    /// The value below which a share of the mixture lies, by bisection.
    pub(super) fn quantile(&self, share: f64) -> f64 {
        let far = |sign: f64| self.0.iter().map(move |(_, mean, sd)| mean + sign * 9.0 * sd);
        let (mut low, mut high) =
            (far(-1.0).fold(f64::INFINITY, f64::min), far(1.0).fold(f64::NEG_INFINITY, f64::max));
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if self.cdf(middle) < share { low = middle } else { high = middle }
        }
        0.5 * (low + high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_one_gaussian_are_known() {
        let one = Mixture(vec![(1.0, 3.0, 2.0)]);
        for (share, z) in [(0.1, -1.2815515655446004), (0.5, 0.0), (0.9, 1.2815515655446004)] {
            assert!((one.quantile(share) - (3.0 + 2.0 * z)).abs() < 1e-9);
            assert!((one.cdf(3.0 + 2.0 * z) - share).abs() < 1e-12);
        }
    }

    #[test]
    fn a_mixture_of_two_far_gaussians_has_its_median_between_them() {
        let two = Mixture(vec![(0.5, 0.0, 1.0), (0.5, 100.0, 1.0)]);
        assert_eq!(two.mean(), 50.0);
        assert!((two.cdf(50.0) - 0.5).abs() < 1e-12);
        // A quarter of all is half of the first.
        assert!(two.quantile(0.25).abs() < 1e-6);
    }
}
