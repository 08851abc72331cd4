//! Figures as people read them, on the page and in a terminal.

use super::Diagnosis;
use super::curves::{Curves, Point};
use super::judge::Judged;
use super::scores::Scores;
use draw::plot::quantile;

/// What chains that are far apart mean for who parses with them, a line for each.
const ENSEMBLE: [&str; 5] = [
    "Chains this far apart are no sample of one posterior: do not report a mean over them, let alone one chain, as if they were.",
    "A grammar with latent annotations has many solutions that are as good as one another; a chain climbs to one of them slowly",
    "and then stays there. To parse with, short chains are the members of an ensemble whose posteriors are multiplied: that",
    "members differ is wanted, and that they have not arrived need not harm. What the ensemble is worth, and whether more sweeps",
    "make it better, is seen by F1 and not by R-hat: give --model and --gold.",
];

impl Diagnosis {
    /// What to think of chains that are far apart, a line for each; `None` if none are.
    pub fn advice(&self) -> Option<&'static [&'static str]> {
        self.columns.iter().any(Judged::is_apart).then_some(&ENSEMBLE)
    }
}

impl Judged {
    /// The names of [`Judged::figures`].
    pub const HEADINGS: [&'static str; 6] = ["mean", "sd", "MCSE", "R-hat", "bulk ESS", "tail ESS"];

    /// The figures by which the column is judged.
    pub fn figures(&self) -> Vec<String> {
        let Some(summary) = &self.summary else { return vec!["–".to_owned(); Self::HEADINGS.len()] };
        let whole =
            |ess: Option<f64>| ess.map_or_else(|| "–".to_owned(), |ess| format!("{:.0}", ess.floor()));
        vec![
            number(summary.mean),
            number(summary.sd),
            summary.mcse.map_or_else(|| "–".to_owned(), number),
            summary.rhat.map_or_else(|| "–".to_owned(), |rhat| format!("{rhat:.3}")),
            whole(summary.ess_bulk),
            whole(summary.ess_tail),
        ]
    }
}

impl Scores {
    /// The names of the numbers in [`Scores::rows`].
    pub const HEADINGS: [&'static str; 4] = ["mean", "sd", "least", "most"];

    /// What was drawn from each chain, and what the decoders chose: a name and its numbers.
    pub fn rows(&self) -> Vec<Vec<String>> {
        let percent = |value: f64| format!("{value:.2}");
        let alone =
            |name: String, f1: f64| vec![name, percent(f1), "–".to_owned(), "–".to_owned(), "–".to_owned()];
        let mut rows = Vec::new();
        for chain in &self.chains {
            let (mean, sd) = moments(&chain.draws);
            let least = chain.draws.iter().copied().fold(f64::INFINITY, f64::min);
            let most = chain.draws.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let sd = if sd.is_finite() { percent(sd) } else { "–".to_owned() };
            let name = format!("drawn from {}", chain.name);
            rows.push(vec![name, percent(mean), sd, percent(least), percent(most)]);
        }
        let single = self.chains.iter();
        rows.extend(single.map(|chain| alone(format!("max-rule, {} alone", chain.name), chain.max_rule)));
        let together = self.decoders.iter();
        rows.extend(
            together.map(|decoder| alone(format!("{}, all chains", decoder.name), decoder.scores.f1)),
        );
        rows
    }
}

/// F1 over all sentences, then of single ones.
const CURVE_HEADINGS: [&str; 5] = ["F1", "mean by sentence", "sd", "median", "% above 90"];

/// Headings and rows.
pub type CurveTable = (Vec<&'static str>, Vec<Vec<String>>);

impl Curves {
    /// By sweeps of parsing, by sweeps of training, by λ; what was not asked for has no rows.
    pub fn tables(&self) -> [CurveTable; 3] {
        let headings = |first: &[&'static str]| [first, CURVE_HEADINGS.as_slice()].concat();
        let plain = |point: &Point| [vec![point.at.to_string()], curve_figures(point)].concat();
        let named =
            |point: &Point| [vec![point.file.clone(), point.at.to_string()], curve_figures(point)].concat();
        [
            (headings(&["sweeps of parsing"]), self.parsing.iter().map(plain).collect()),
            (headings(&["model", "sweeps of training"]), self.training.iter().map(named).collect()),
            (headings(&["lambda"]), self.lambdas.iter().map(plain).collect()),
        ]
    }
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
fn number(value: f64) -> String {
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
