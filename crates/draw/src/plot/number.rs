//! Numbers as people read them: no more digits than the ticks need, a real minus sign, powers of ten where
//! digits would not fit.

/// Labels for the ticks of a linear axis, all with the same number of decimals.
pub(super) fn labels(ticks: &[f64]) -> Vec<String> {
    let step = ticks.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(f64::INFINITY, f64::min);
    let largest = ticks.iter().fold(0.0f64, |largest, tick| largest.max(tick.abs()));
    let step = if step.is_finite() && step > 0.0 { step } else { largest };
    let (fine, coarse) = (power_of(step), power_of(largest));
    let is_plain = (fine >= -6 && coarse < 7) || (coarse - fine > 4 && fine >= -12 && coarse < 13);
    let label = |&tick: &f64| {
        if is_plain {
            plain(tick, decimals(-fine))
        } else {
            scientific(tick, coarse, decimals(coarse - fine))
        }
    };
    ticks.iter().map(label).collect()
}

/// The label of one tick of a logarithmic axis.
pub(super) fn log_label(tick: f64) -> String {
    let power = power_of(tick);
    if (-3..=5).contains(&power) { short(tick) } else { scientific(tick, power, 0) }
}

/// A number with up to six significant digits.
pub(super) fn short(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return plain(value, 0);
    }
    let power = power_of(value);
    if !(-5..=8).contains(&power) {
        return scientific(value, power, 3);
    }
    let text = plain(value, decimals(5 - power));
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// A coordinate in an SVG: tenths of a pixel.
pub(super) fn pixel(value: f64) -> String {
    let text = format!("{:.1}", value + 0.0);
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// The power of ten of the first digit.
fn power_of(value: f64) -> i32 {
    // A hair more, since the logarithm of 1000 may come out below 3.
    if value == 0.0 { 0 } else { (value.abs().log10() + 1e-9).floor() as i32 }
}

fn decimals(wanted: i32) -> usize {
    usize::try_from(wanted.clamp(0, 15)).unwrap_or(0)
}

fn plain(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let is_zero = text.chars().all(|c| matches!(c, '-' | '0' | '.'));
    match text.strip_prefix('-') {
        Some(positive) if is_zero => positive.to_owned(),
        Some(positive) => format!("−{positive}"),
        None => text,
    }
}

/// `1.5×10⁷`, with `power` above. One alone is left out: `10⁷`.
fn scientific(value: f64, power: i32, decimals: usize) -> String {
    let mantissa = plain(scaled_down(value, power), decimals);
    match mantissa.as_str() {
        "0" => mantissa,
        "1" => format!("10{}", superscript(power)),
        "−1" => format!("−10{}", superscript(power)),
        _ => format!("{mantissa}×10{}", superscript(power)),
    }
}

/// value / 10^power in two steps, neither of which leaves the range of the type.
fn scaled_down(value: f64, power: i32) -> f64 {
    let half = power / 2;
    value / 10f64.powi(half) / 10f64.powi(power - half)
}

fn superscript(power: i32) -> String {
    let raised = |c: char| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '0' | '4'..='9' => char::from_u32(u32::from('⁰') + (u32::from(c) - u32::from('0'))).unwrap_or(c),
        _ => c,
    };
    power.to_string().chars().map(raised).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_have_the_decimals_of_the_step() {
        assert_eq!(labels(&[0.0, 0.5, 1.0]), ["0.0", "0.5", "1.0"]);
        assert_eq!(labels(&[-0.02, 0.0, 0.02]), ["−0.02", "0.00", "0.02"]);
        assert_eq!(labels(&[-120_000.0, -100_000.0]), ["−120000", "−100000"]);
        assert_eq!(labels(&[0.0, 2e7, 4e7]), ["0", "2×10⁷", "4×10⁷"]);
        assert_eq!(labels(&[0.0, 5e6, 1e7]), ["0.0×10⁷", "0.5×10⁷", "1.0×10⁷"]);
        assert_eq!(labels(&[0.0, 2e-9]), ["0", "2×10⁻⁹"]);
        assert_eq!(labels(&[1_000_000_000.0, 1_000_000_001.0]), ["1000000000", "1000000001"]);
    }

    #[test]
    fn powers_of_ten_are_short() {
        let ticks = [1e-12, 1e-3, 0.02, 1.0, 1000.0, 1e6, 2e6];
        assert_eq!(ticks.map(log_label), ["10⁻¹²", "0.001", "0.02", "1", "1000", "10⁶", "2×10⁶"]);
        assert_eq!(short(0.123456789), "0.123457");
        assert_eq!(short(-1234.5), "−1234.5");
        assert_eq!(short(1e-300), "1.000×10⁻³⁰⁰");
        assert_eq!(pixel(-0.04), "0");
        assert_eq!(pixel(12.25), "12.2");
    }
}
