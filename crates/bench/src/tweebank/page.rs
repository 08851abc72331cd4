//! Tables and histograms as Markdown that is readable as it stands.

use std::fmt;

/// A table; its first column is aligned to the left and the others to the right.
pub(super) struct PageTable {
    rows: Vec<Vec<String>>,
}

impl PageTable {
    pub(super) fn new(head: &[&str]) -> PageTable {
        PageTable { rows: vec![head.iter().map(|&name| name.to_owned()).collect()] }
    }

    pub(super) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }
}

impl fmt::Display for PageTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n_columns = self.rows[0].len();
        let width = |column: usize| {
            self.rows
                .iter()
                .filter_map(|row| row.get(column))
                .map(|cell| cell.chars().count())
                .max()
                .unwrap_or(0)
        };
        let widths: Vec<usize> = (0..n_columns).map(|column| width(column).max(3)).collect();
        for (at, row) in self.rows.iter().enumerate() {
            for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
                match column {
                    0 => write!(f, "| {cell:<width$} ")?,
                    _ => write!(f, "| {cell:>width$} ")?,
                }
            }
            writeln!(f, "|")?;
            if at == 0 {
                for (column, &width) in widths.iter().enumerate() {
                    let end = if column == 0 { "-" } else { ":" };
                    write!(f, "|{}{end}", "-".repeat(width + 1))?;
                }
                writeln!(f, "|")?;
            }
        }
        writeln!(f)
    }
}

/// How many values are in each bin of a width, as bars; the last bin has what is beyond, and values at the upper end.
pub(super) fn histogram(values: &[f64], low: f64, step: f64, n_bins: usize, decimals: usize) -> String {
    let mut counts = vec![0usize; n_bins];
    for value in values {
        counts[(((value - low) / step).max(0.0) as usize).min(n_bins - 1)] += 1;
    }
    let most = counts.iter().copied().max().unwrap_or(0).max(1);
    let mut text = String::from("```\n");
    for (bin, &count) in counts.iter().enumerate() {
        let from = low + step * bin as f64;
        let to = if bin + 1 == n_bins { "…".to_owned() } else { format!("{:.decimals$}", from + step) };
        let bar = "█".repeat((50 * count).div_ceil(most));
        text += &format!("{from:>6.decimals$} – {to:<6} {count:>5} {bar}\n");
    }
    text + "```\n\n"
}

/// The value below which this share of the values lies, between neighbours by proportion; not a number without any.
pub(super) fn quantile(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
    let at = share * last as f64;
    let below = sorted[at.floor() as usize];
    below + (at - at.floor()) * (sorted[at.ceil() as usize] - below)
}

/// The mean; not a number without values.
pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// A number, or a dash for what is none.
pub(super) fn number(value: f64, decimals: usize) -> String {
    if value.is_finite() { format!("{value:.decimals$}") } else { "–".to_owned() }
}

/// A share as a percentage, or a dash if it is a share of nothing.
pub(super) fn percent(part: usize, whole: usize) -> String {
    number(100.0 * part as f64 / whole as f64, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_five_values_are_the_values() {
        let values = [5.0, 1.0, 4.0, 2.0, 3.0];
        assert_eq!([0.0, 0.25, 0.5, 1.0].map(|share| quantile(&values, share)), [1.0, 2.0, 3.0, 5.0]);
        assert_eq!(quantile(&values, 0.125), 1.5);
        assert!(quantile(&[], 0.5).is_nan());
    }

    #[test]
    fn every_value_is_in_one_bin() {
        let text = histogram(&[0.0, 0.19, 0.2, 1.0, 7.0], 0.0, 0.2, 5, 1);
        let counts = text.lines().filter_map(|line| line.split_whitespace().nth(3)?.parse::<usize>().ok());
        assert_eq!(counts.collect::<Vec<_>>(), [2, 1, 0, 0, 2]);
    }
}
