//! A square of numbers between −1 and 1 as a picture: correlations.

use std::fmt::Write;

use crate::clean::escape;

/// The side of a cell and of the margin for labels, in pixels.
const CELL: usize = 22;
const CHARACTER: usize = 8;

/// An SVG picture with a cell for each pair of labels: blue above 0, red below, white at 0. Values are read row by row;
/// what is no number is grey.
pub fn heat_map(title: &str, labels: &[&str], values: &[f64]) -> String {
    let n = labels.len();
    let longest = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
    let margin = longest * CHARACTER + 16;
    let (top, side) = (margin + 30, n * CELL);
    let (width, height) = (margin + side + 20, top + side + 20);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"12\" role=\"img\">\n<title>{title}</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <text x=\"8\" y=\"20\" font-size=\"15\" fill=\"#222222\">{title}</text>\n",
        title = escape(title)
    );
    for (at, label) in labels.iter().enumerate() {
        let (label, middle) = (escape(label), at * CELL + CELL / 2);
        let (x, y) = (margin + middle + 4, top + middle + 4);
        // Writing to a string cannot fail.
        let _ = write!(
            svg,
            "<text x=\"{}\" y=\"{y}\" text-anchor=\"end\" fill=\"#222222\">{label}</text>\n\
             <text transform=\"translate({x},{}) rotate(-90)\" fill=\"#222222\">{label}</text>\n",
            margin - 6,
            top - 6
        );
    }
    for (at, &value) in values.iter().take(n * n).enumerate() {
        let (row, column) = (at / n, at % n);
        let _ = writeln!(
            svg,
            "<rect x=\"{}\" y=\"{}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"{}\" stroke=\"#e0e0e0\"><title>{} and {}: \
             {value:.2}</title></rect>",
            margin + column * CELL,
            top + row * CELL,
            colour(value),
            escape(labels[row]),
            escape(labels[column]),
        );
    }
    svg.push_str("</svg>\n");
    svg
}

/// White at 0, and the darker the farther from it.
fn colour(value: f64) -> String {
    if value.is_nan() {
        return "#bbbbbb".into();
    }
    let strength = value.abs().min(1.0);
    let full = if value > 0.0 { [33.0, 102.0, 172.0] } else { [178.0, 24.0, 43.0] };
    let [red, green, blue] = full.map(|full: f64| (255.0 + strength * (full - 255.0)).round() as u8);
    format!("#{red:02x}{green:02x}{blue:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_has_a_cell_and_names_are_escaped() {
        let svg = heat_map("A <b>", &["N&", "V"], &[1.0, -0.5, -0.5, 1.0]);
        assert_eq!(svg.matches("<rect x=").count(), 4);
        assert!(svg.contains("N&amp; and V: -0.50") && svg.contains("A &lt;b&gt;"));
    }

    #[test]
    fn nothing_is_white_and_extremes_are_dark() {
        assert_eq!(
            (colour(0.0), colour(1.0), colour(-3.0)),
            ("#ffffff".into(), "#2166ac".into(), "#b2182b".into())
        );
        assert_eq!(colour(f64::NAN), "#bbbbbb");
    }
}
