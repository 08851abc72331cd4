//! Round numbers along an axis.

/// Beyond this, sums and differences of values may overflow.
pub(super) const LARGEST: f64 = 1e300;

/// Below this share of its largest value, the length of an axis is lost in rounding.
const FINEST: f64 = 1e-9;

/// Whether a value has a place on a linear axis.
pub(super) fn drawable(value: f64) -> bool {
    value.is_finite() && value.abs() <= LARGEST
}

/// Round numbers that cover `lo` to `hi`: multiples of 1, 2 or 5 times a power of ten, about `n` of them.
///
/// The first is at most `lo` and the last at least `hi`, so there are up to `n` + 2 and at least two. None if
/// a bound is not finite or larger than 10³⁰⁰.
pub fn nice_ticks(lo: f64, hi: f64, n: usize) -> Vec<f64> {
    if !drawable(lo) || !drawable(hi) {
        return Vec::new();
    }
    let (lo, hi) = widened(lo.min(hi), lo.max(hi));
    let step = TickStep::at_least((hi - lo) / n.clamp(1, 1000) as f64);
    let mut first = (lo / step.size()).floor();
    while step.times(first) > lo {
        first -= 1.0;
    }
    let mut ticks = vec![step.times(first)];
    let mut count = first;
    while ticks.last().is_some_and(|&last| last < hi) {
        count += 1.0;
        ticks.push(step.times(count));
    }
    ticks
}

/// Round numbers for a logarithmic axis that cover `lo` to `hi`, about `n` of them: powers of ten, with
/// twice and five times these where there is room, and [`nice_ticks`] where `hi` is less than twice `lo`.
///
/// None if a bound is not positive, not finite or out of 10⁻³⁰⁰ to 10³⁰⁰.
pub fn log_ticks(lo: f64, hi: f64, n: usize) -> Vec<f64> {
    let places = 1.0 / LARGEST..=LARGEST;
    if !places.contains(&lo) || !places.contains(&hi) {
        return Vec::new();
    }
    let (lo, hi) = (lo.min(hi), lo.max(hi));
    if hi < 2.0 * lo {
        // At least three intervals keep the first tick above zero.
        return nice_ticks(lo, hi, n.max(3)).into_iter().filter(|&tick| tick > 0.0).collect();
    }
    let (first, last) = (lo.log10().floor() as i32, hi.log10().ceil() as i32);
    let n_decades = usize::try_from(last - first).unwrap_or(0).max(1);
    let n = n.clamp(1, 1000);
    let candidates: Vec<f64> = if 2 * n_decades <= n {
        // One decade more on each side, since rounding of the logarithm may have hidden a bound.
        (first - 1..=last + 1).flat_map(|power| [1, 2, 5].map(|digit| scaled(digit.into(), power))).collect()
    } else {
        let stride = n_decades.div_ceil(n);
        let n_strides = n_decades.div_ceil(stride) + 1;
        (0..=n_strides + 1).map(|k| scaled(1.0, first + ((k as i32) - 1) * stride as i32)).collect()
    };
    covering(&candidates, lo, hi)
}

/// From the last candidate at most `lo` to the first at least `hi`.
fn covering(candidates: &[f64], lo: f64, hi: f64) -> Vec<f64> {
    let from = candidates.partition_point(|&tick| tick <= lo).saturating_sub(1);
    let to = candidates.partition_point(|&tick| tick < hi);
    candidates.iter().copied().take(to + 1).skip(from).collect()
}

/// An interval around the given one that is long enough to be divided.
fn widened(lo: f64, hi: f64) -> (f64, f64) {
    let least = (FINEST * lo.abs().max(hi.abs())).max(1.0 / LARGEST);
    if hi - lo >= least { (lo, hi) } else { (lo - least / 2.0, hi + least / 2.0) }
}

/// digit · 10^power: one, two or five times a power of ten.
#[derive(Clone, Copy, Debug, PartialEq)]
struct TickStep {
    digit: f64,
    power: i32,
}

impl TickStep {
    /// The least step that is at least `size`.
    fn at_least(size: f64) -> Self {
        // The logarithm may be off by one unit; the search from one decade below does not mind.
        let power = size.log10().floor() as i32;
        (power - 1..=power + 1)
            .flat_map(|power| [1.0, 2.0, 5.0].map(|digit| Self { digit, power }))
            .find(|step| step.size() >= size)
            .unwrap_or(Self { digit: 1.0, power: power + 2 })
    }

    fn size(self) -> f64 {
        scaled(self.digit, self.power)
    }

    /// `count` steps. Adding zero turns a negative zero into a positive one.
    fn times(self, count: f64) -> f64 {
        scaled(count * self.digit, self.power) + 0.0
    }
}

/// value · 10^power, dividing by an exact power where the power is negative, so that 3 tenths are 0.3.
fn scaled(value: f64, power: i32) -> f64 {
    if power < 0 { value / 10f64.powi(-power) } else { value * 10f64.powi(power) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ticks_are_the_numbers_a_person_would_write() {
        assert_eq!(nice_ticks(0.0, 1.0, 5), [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]);
        assert_eq!(nice_ticks(-0.25, 0.31, 3), [-0.4, -0.2, 0.0, 0.2, 0.4]);
        assert_eq!(nice_ticks(517.0, 3.0, 5), [0.0, 200.0, 400.0, 600.0]);
        assert_eq!(nice_ticks(-7.3e-5, -7.1e-5, 2), [-7.3e-5, -7.2e-5, -7.1e-5]);
        assert_eq!(log_ticks(1.0, 100.0, 5), [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0]);
        assert_eq!(log_ticks(3e-3, 4.0, 5), [1e-3, 1e-2, 1e-1, 1.0, 10.0]);
        assert_eq!(log_ticks(100.0, 130.0, 3), [100.0, 110.0, 120.0, 130.0]);
    }

    #[test]
    fn bounds_that_cannot_be_drawn_have_no_ticks() {
        assert!(nice_ticks(f64::NAN, 1.0, 5).is_empty());
        assert!(nice_ticks(0.0, f64::INFINITY, 5).is_empty());
        assert!(log_ticks(0.0, 1.0, 5).is_empty());
        assert!(log_ticks(-1.0, 1.0, 5).is_empty());
        assert!(log_ticks(f64::NAN, 1.0, 5).is_empty());
    }

    #[test]
    fn equal_bounds_have_ticks_on_both_sides() {
        for value in [0.0, 1.0, -3.7, 1e-290, 123_456_789.0, -1e300] {
            let ticks = nice_ticks(value, value, 4);
            assert!(ticks.len() >= 2 && ticks[0] <= value && value <= ticks[ticks.len() - 1], "{ticks:?}");
            assert!(ticks.windows(2).all(|pair| pair[0] < pair[1]), "{ticks:?}");
        }
    }

    /// Any magnitude, not only the few that uniform numbers have.
    fn magnitude() -> impl Strategy<Value = f64> {
        (-1.0..1.0f64, -200i32..200).prop_map(|(digits, power)| digits * 10f64.powi(power))
    }

    proptest! {
        #[test]
        fn ticks_cover_the_range_and_rise_by_one_two_or_five(
            a in magnitude(), length in 1e-6..1e6f64, n in 1usize..12,
        ) {
            let b = a + a.abs() * length;
            let ticks = nice_ticks(a, b, n);
            let (first, last) = (ticks[0], ticks[ticks.len() - 1]);
            prop_assert!(first <= a && b <= last, "{} {} {:?}", a, b, ticks);
            prop_assert!(ticks.len() <= n + 2, "{} {:?}", n, ticks);
            let step = (last - first) / (ticks.len() - 1) as f64;
            prop_assert!(first > a - 1.001 * step && last < b + 1.001 * step);
            let digit = step / 10f64.powf(step.log10().floor());
            let digit = if digit > 9.99 { digit / 10.0 } else { digit };
            prop_assert!([1.0, 2.0, 5.0].iter().any(|d| (digit / d - 1.0).abs() < 1e-3), "{}", digit);
            for (k, tick) in ticks.iter().enumerate() {
                let even = first + step * k as f64;
                prop_assert!((tick - even).abs() <= 1e-6 * step);
            }
        }

        #[test]
        fn logarithmic_ticks_cover_the_range(
            lo in 0.1..1.0f64, power in -200i32..200, ratio in 0.0..40.0f64, n in 1usize..12,
        ) {
            let lo = lo * 10f64.powi(power);
            let hi = lo * 10f64.powf(ratio);
            let ticks = log_ticks(lo, hi, n);
            prop_assert!(ticks[0] <= lo && hi <= ticks[ticks.len() - 1], "{} {} {:?}", lo, hi, ticks);
            prop_assert!(ticks[0] > 0.0 && ticks.windows(2).all(|pair| pair[0] < pair[1]));
            prop_assert!(ticks.len() <= 2 * n + 5, "{:?}", ticks);
        }
    }
}
