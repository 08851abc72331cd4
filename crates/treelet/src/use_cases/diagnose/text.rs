//! The diagnosis in a terminal, and numbers as people read them.

use super::Diagnosis;
use super::curves::{Curves, Point};
use super::judge::Judged;
use super::scores::Scores;
use crate::table;
use draw::plot::quantile;

/// The figures by which a column is judged.
pub(super) const HEADINGS: [&str; 6] = ["mean", "sd", "MCSE", "R-hat", "bulk ESS", "tail ESS"];

/// What chains that are far apart mean for who parses with them, a line for each.
pub(super) const ENSEMBLE: [&str; 5] = [
    "Chains this far apart are no sample of one posterior: do not report a mean over them, let alone one chain, as if they were.",
    "A grammar with latent annotations has many solutions that are as good as one another; a chain climbs to one of them slowly",
    "and then stays there. To parse with, short chains are the members of an ensemble whose posteriors are multiplied: that",
    "members differ is wanted, and that they have not arrived need not harm. What the ensemble is worth, and whether more sweeps",
    "make it better, is seen by F1 and not by R-hat: give --model and --gold.",
];

/// Whether some column has chains that are far apart.
pub(super) fn is_ensemble(diagnosis: &Diagnosis) -> bool {
    diagnosis.columns.iter().any(Judged::is_apart)
}

/// Tables of all columns and scores.
pub(super) fn tables(diagnosis: &Diagnosis) -> String {
    let headings: Vec<&str> = ["column"].into_iter().chain(HEADINGS).collect();
    let row = |judged: &Judged| [vec![judged.column.clone()], figures(judged)].concat();
    let rows: Vec<Vec<String>> = diagnosis.columns.iter().map(row).collect();
    let mut text = table::render(&headings, &rows);
    if !diagnosis.columns.is_empty() {
        text.push('\n');
    }
    for judged in &diagnosis.columns {
        text.push_str(&format!("{}: {}\n", judged.column, judged.verdict));
    }
    if is_ensemble(diagnosis) {
        text.push_str(&format!("\n{}\n", ENSEMBLE.join("\n")));
    }
    if let Some(scores) = &diagnosis.scores {
        let headings: Vec<&str> = ["F1 of trees"].into_iter().chain(SCORE_HEADINGS).collect();
        text.push_str(&format!("\n{}", table::render(&headings, &score_rows(scores))));
    }
    for (headings, rows) in curve_tables(&diagnosis.curves).iter().filter(|(_, rows)| !rows.is_empty()) {
        text.push_str(&format!("\n{}", table::render(headings, rows)));
    }
    text
}

/// The figures of [`HEADINGS`].
pub(super) fn figures(judged: &Judged) -> Vec<String> {
    let Some(summary) = &judged.summary else { return vec!["–".to_owned(); HEADINGS.len()] };
    let whole = |ess: Option<f64>| ess.map_or_else(|| "–".to_owned(), |ess| format!("{:.0}", ess.floor()));
    vec![
        number(summary.mean),
        number(summary.sd),
        summary.mcse.map_or_else(|| "–".to_owned(), number),
        summary.rhat.map_or_else(|| "–".to_owned(), |rhat| format!("{rhat:.3}")),
        whole(summary.ess_bulk),
        whole(summary.ess_tail),
    ]
}

pub(super) const SCORE_HEADINGS: [&str; 4] = ["mean", "sd", "least", "most"];

/// What was drawn from each chain, and what the decoders chose.
pub(super) fn score_rows(scores: &Scores) -> Vec<Vec<String>> {
    let percent = |value: f64| format!("{value:.2}");
    let alone =
        |name: String, f1: f64| vec![name, percent(f1), "–".to_owned(), "–".to_owned(), "–".to_owned()];
    let mut rows = Vec::new();
    for chain in &scores.chains {
        let (mean, sd) = moments(&chain.draws);
        let least = chain.draws.iter().copied().fold(f64::INFINITY, f64::min);
        let most = chain.draws.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sd = if sd.is_finite() { percent(sd) } else { "–".to_owned() };
        rows.push(vec![
            format!("drawn from {}", chain.name),
            percent(mean),
            sd,
            percent(least),
            percent(most),
        ]);
    }
    rows.extend(
        scores.chains.iter().map(|chain| alone(format!("max-rule, {} alone", chain.name), chain.max_rule)),
    );
    rows.extend(
        scores
            .decoders
            .iter()
            .map(|decoder| alone(format!("{}, all chains", decoder.name), decoder.scores.f1)),
    );
    rows
}

/// F1 over all sentences, then of single ones.
const CURVE_HEADINGS: [&str; 5] = ["F1", "mean by sentence", "sd", "median", "% above 90"];

/// Headings and rows.
pub(super) type CurveTable = (Vec<&'static str>, Vec<Vec<String>>);

/// By sweeps of parsing, by sweeps of training, by λ; what was not asked for has no rows.
pub(super) fn curve_tables(curves: &Curves) -> [CurveTable; 3] {
    let headings = |first: &[&'static str]| [first, CURVE_HEADINGS.as_slice()].concat();
    let plain = |point: &Point| [vec![point.at.to_string()], curve_figures(point)].concat();
    let named =
        |point: &Point| [vec![point.file.clone(), point.at.to_string()], curve_figures(point)].concat();
    [
        (headings(&["sweeps of parsing"]), curves.parsing.iter().map(plain).collect()),
        (headings(&["model", "sweeps of training"]), curves.training.iter().map(named).collect()),
        (headings(&["lambda"]), curves.lambdas.iter().map(plain).collect()),
    ]
}

fn curve_figures(point: &Point) -> Vec<String> {
    let values = &point.scores.by_sentence;
    let (mean, sd) = moments(values);
    let n_good = values.iter().filter(|f1| **f1 > 90.0).count();
    let good = 100.0 * n_good as f64 / values.len() as f64;
    let figures = [(point.scores.f1, 2), (mean, 2), (sd, 2), (quantile(values, 0.5), 2), (good, 1)];
    let shown = |(value, digits): (f64, usize)| {
        if value.is_finite() { format!("{value:.digits$}") } else { "–".to_owned() }
    };
    figures.map(shown).to_vec()
}

/// Mean and standard deviation; NaN where there are too few values.
pub(super) fn moments(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, if values.len() > 1 { (squares / (n - 1.0)).sqrt() } else { f64::NAN })
}

/// A number with about five digits.
pub(super) fn number(value: f64) -> String {
    let size = value.abs();
    match size {
        _ if !value.is_finite() => "–".to_owned(),
        0.0 => "0".to_owned(),
        _ if !(1e-3..1e9).contains(&size) => format!("{value:.3e}"),
        _ if size >= 1000.0 => format!("{value:.1}"),
        _ if size >= 100.0 => format!("{value:.2}"),
        _ if size >= 1.0 => format!("{value:.3}"),
        _ => format!("{value:.4}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_as_many_digits_as_say_something() {
        let shown: Vec<String> =
            [-31_234.567, 0.0, 12.34567, 0.012_345, 1e-7, f64::NAN, 123.456, 4e12].map(number).to_vec();
        assert_eq!(shown, ["-31234.6", "0", "12.346", "0.0123", "1.000e-7", "–", "123.46", "4.000e12"]);
    }

    #[test]
    fn one_value_has_no_deviation() {
        assert_eq!(moments(&[1.0, 3.0]), (2.0, 2f64.sqrt()));
        assert!(moments(&[1.0]).1.is_nan());
    }
}
