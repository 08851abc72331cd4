//! The highest point of a function with one peak.

/// Where `f` is highest between two points, to within `width`, by golden sections; `None` as soon as `f` has no answer.
pub fn golden_section(
    mut f: impl FnMut(f64) -> Option<f64>,
    mut low: f64,
    mut high: f64,
    width: f64,
) -> Option<f64> {
    let ratio = (5f64.sqrt() - 1.0) / 2.0;
    let (mut a, mut b) = (high - ratio * (high - low), low + ratio * (high - low));
    let (mut at_a, mut at_b) = (f(a)?, f(b)?);
    while high - low > width {
        if at_a >= at_b {
            (high, b, at_b) = (b, a, at_a);
            a = high - ratio * (high - low);
            at_a = f(a)?;
        } else {
            (low, a, at_a) = (a, b, at_b);
            b = low + ratio * (high - low);
            at_b = f(b)?;
        }
    }
    Some((low + high) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_is_found_wherever_it_is() {
        for peak in [-3.0, -0.2, 0.0, 1.7, 4.0] {
            let found = golden_section(|x| Some(-(x - peak) * (x - peak)), -3.0, 4.0, 1e-3).unwrap();
            assert!((found - peak).abs() < 1e-3, "{peak}: {found}");
        }
        assert_eq!(golden_section(|_| None, 0.0, 1.0, 0.1), None);
    }
}
