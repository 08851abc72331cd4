//! A square of numbers between −1 and 1 as a picture: correlations.

use std::fmt::Write;

use crate::clean::escape;

/// The side of a cell and of the margin for labels, in pixels.
const CELL: usize = 22;
const CHARACTER: usize = 8;

/// An SVG picture with a cell for each pair of labels: blue above 0, red below, white at 0. Values are read row by row;
/// what is no number is grey.
pub fn heat_map(title: &str, labels: &[&str], values: &[f64]) -> String {
    heat_grid(title, labels, labels, values, 1.0)
}

/// The same with different labels of rows and columns; the darkest colours stand for `most` and beyond.
pub fn heat_grid(title: &str, rows: &[&str], columns: &[&str], values: &[f64], most: f64) -> String {
    let longest = |labels: &[&str]| {
        labels.iter().map(|label| label.chars().count()).max().unwrap_or(0) * CHARACTER + 16
    };
    let (left, top) = (longest(rows), longest(columns) + 30);
    let (width, height) = (left + columns.len() * CELL + 20, top + rows.len() * CELL + 20);
    let width = width.max(title.chars().count() * CHARACTER + 24);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"12\" role=\"img\">\n<title>{title}</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <text x=\"8\" y=\"20\" font-size=\"15\" fill=\"#222222\">{title}</text>\n",
        title = escape(title)
    );
    // Writing to a string cannot fail.
    for (at, label) in rows.iter().enumerate() {
        let (x, y) = (left - 6, top + at * CELL + CELL / 2 + 4);
        let label = escape(label);
        let _ =
            writeln!(svg, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"end\" fill=\"#222222\">{label}</text>");
    }
    for (at, label) in columns.iter().enumerate() {
        let (x, y) = (left + at * CELL + CELL / 2 + 4, top - 6);
        let label = escape(label);
        let _ = writeln!(
            svg,
            "<text transform=\"translate({x},{y}) rotate(-90)\" fill=\"#222222\">{label}</text>"
        );
    }
    for (at, &value) in values.iter().take(rows.len() * columns.len()).enumerate() {
        let (row, column) = (at / columns.len(), at % columns.len());
        let _ = writeln!(
            svg,
            "<rect x=\"{}\" y=\"{}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"{}\" stroke=\"#e0e0e0\"><title>{} and {}: \
             {value:.2}</title></rect>",
            left + column * CELL,
            top + row * CELL,
            colour(value / most),
            escape(rows[row]),
            escape(columns[column]),
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
    fn colours_of_a_grid_are_darkest_for_the_most() {
        let svg = heat_grid("A", &["N"], &["V", "D"], &[0.5, 0.25], 0.5);
        assert!(svg.contains(&colour(1.0)) && svg.contains(&colour(0.5)), "{svg}");
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
