//! Whether probabilities and intervals of hidden cells are what they say.
//!
//! Of all cells that are said to be yes with 70 %, seven of ten should be; nine of ten should lie in intervals of 90 %.

use chain::{Stream, Threads, Workers};
use clap::Args;
use factors::stack::{Candidate, Hiding, Plan};
use factors::{Data, Kind, Prediction, Reading, Rows, Stack};

use super::imputation::{fit, hide, load};

#[derive(Debug, Args)]
pub(crate) struct Calibration {
    /// Tables under `data/mixed`
    #[arg(long, value_delimiter = ',', default_value = "nhefs,anes96,fair,penguins,randhie")]
    data: Vec<String>,
    /// Factors
    #[arg(long, short = 'k', default_value_t = 4)]
    factors: usize,
    /// Times that other cells are hidden
    #[arg(long, default_value_t = 2)]
    seeds: u64,
    /// Sweeps of a fit
    #[arg(long, default_value_t = 600)]
    sweeps: u32,
    /// A stack of both readings instead of one model
    #[arg(long)]
    stack: bool,
    /// Draw the factors of rows anew from their cells, as for rows that were not fitted
    #[arg(long)]
    new_rows: bool,
    /// Also print the points of the reliability curves
    #[arg(long)]
    points: bool,
    /// Threads
    #[arg(long, default_value_t = 2)]
    threads: usize,
}

/// Cases that were given about the same probability.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct CalibrationPoint {
    /// The mean of these probabilities; of intervals what they promise.
    pub(crate) predicted: f64,
    /// The share of the cases that came true.
    pub(crate) observed: f64,
    /// How many cases there are.
    pub(crate) n: usize,
}

/// What was found for one kind of columns of a table.
#[derive(Clone, Debug)]
pub(crate) struct Reliability {
    /// The name of the table.
    pub(crate) table: String,
    /// The kind of columns.
    pub(crate) kind: &'static str,
    /// Hidden cells.
    pub(crate) cells: usize,
    /// For levels ten bins of probabilities, of which those without a case are left out; for numbers and counts the intervals of
    /// 50 % and 90 %.
    pub(crate) points: Vec<CalibrationPoint>,
}

impl Reliability {
    /// The expected calibration error Σ n/N |predicted − observed|; none for intervals.
    pub(crate) fn error(&self) -> Option<f64> {
        let total: usize = self.points.iter().map(|point| point.n).sum();
        let off = |point: &CalibrationPoint| point.n as f64 * (point.predicted - point.observed).abs();
        let sum: f64 = self.points.iter().map(off).sum();
        (!is_measured(self.kind)).then(|| sum / total.max(1) as f64)
    }
}

/// Prints a line for each table and kind of columns.
pub(crate) fn run(options: &Calibration) -> anyhow::Result<()> {
    println!(
        "20 % of the cells hidden, {} seeds, {} factors{}{}; ECE of ten bins, every level of a cell counts as a case (of yes and no \
         only yes)",
        options.seeds,
        options.factors,
        if options.stack { ", stacked" } else { "" },
        if options.new_rows { ", factors drawn anew" } else { "" },
    );
    println!("{:<10} {:<12} {:>6} {:>7} {:>7} {:>7}", "table", "kind", "cells", "ECE", "in 50 %", "in 90 %");
    for name in &options.data {
        for found in reliability(name, options)? {
            let share = |at: usize| match is_measured(found.kind) {
                true => found.points.get(at).map_or(String::new(), |point| format!("{:.3}", point.observed)),
                false => String::new(),
            };
            let error = found.error().map_or(String::new(), |error| format!("{error:.3}"));
            let Reliability { table, kind, cells, points } = &found;
            println!("{table:<10} {kind:<12} {cells:>6} {error:>7} {:>7} {:>7}", share(0), share(1));
            for point in points.iter().filter(|_| options.points) {
                println!("{:23} {:.3} {:.3} {:>6}", "", point.predicted, point.observed, point.n);
            }
        }
    }
    Ok(())
}

/// What a table's hidden cells say, of each kind of columns that it has.
pub(crate) fn reliability(name: &str, options: &Calibration) -> anyhow::Result<Vec<Reliability>> {
    let workers = Workers::new(Threads::from_count(options.threads))?;
    let data = load(name)?;
    let mut cells: Vec<(Kind, f64, Prediction)> = Vec::new();
    for seed in 0..options.seeds {
        let (hidden, seen) = hide(&data, 0.2, Stream::new(seed).purpose("hidden"));
        let stack = stack(&seen, seed, options, &workers)?;
        let mut targets = vec![Vec::new(); data.n_rows()];
        hidden.iter().for_each(|&(row, column)| targets[row].push(column));
        let rows = if options.new_rows { Rows::New } else { Rows::Fitted };
        let targets = |row: usize| targets[row].clone();
        for prediction in stack.predict_cells(&seen, rows, targets, Stream::new(seed), &workers)? {
            let column = &data.columns()[prediction.column];
            if let Some(value) = column.cells.get(prediction.row) {
                cells.push((column.kind, value.number(), prediction));
            }
        }
    }
    let found = KINDS.iter().map(|&kind| {
        let of_kind: Vec<_> = cells.iter().filter(|(of, ..)| word(*of) == kind).collect();
        let points = match is_measured(kind) {
            true => intervals(&of_kind),
            false => {
                bins(of_kind.iter().flat_map(|(kind, value, prediction)| cases(*kind, *value, prediction)))
            }
        };
        Reliability { table: name.to_owned(), kind, cells: of_kind.len(), points }
    });
    Ok(found.filter(|found| found.cells > 0).collect())
}

const KINDS: [&str; 5] = ["continuous", "count", "binary", "ordinal", "categorical"];

fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::Continuous => KINDS[0],
        Kind::Count => KINDS[1],
        Kind::Binary => KINDS[2],
        Kind::Ordinal(_) => KINDS[3],
        Kind::Categorical(_) => KINDS[4],
    }
}

/// Whether a kind has intervals and no probabilities.
fn is_measured(kind: &str) -> bool {
    kind == KINDS[0] || kind == KINDS[1]
}

fn stack(seen: &Data, seed: u64, options: &Calibration, workers: &Workers) -> anyhow::Result<Stack> {
    let settings = factors::Options {
        n_factors: options.factors.min(seen.columns().len() - 1),
        ..factors::Options::default()
    };
    let readings = [Reading::ByKind, Reading::AsNumbers];
    let readings = if options.stack { &readings[..] } else { &readings[..1] };
    let candidates = readings.iter().map(|&reading| Candidate::new(reading, settings.clone())).collect();
    let plan = Plan::new(seen, candidates, &Hiding { seed, ..Hiding::default() });
    let fits = plan
        .tasks()
        .into_iter()
        .map(|task| plan.fit(task, workers, |model| fit(model, seed, options.sweeps, workers)));
    Ok(plan.stack(fits.collect::<anyhow::Result<Vec<_>>>()?, workers)?)
}

/// The probability of each level, and whether it is that one; of yes and no only of yes.
fn cases(kind: Kind, value: f64, prediction: &Prediction) -> Vec<(f64, bool)> {
    let first = usize::from(kind == Kind::Binary);
    let levels = prediction.probabilities.iter().enumerate().skip(first);
    levels.map(|(level, &p)| (p, value == level as f64)).collect()
}

/// Ten bins of probabilities.
fn bins(cases: impl Iterator<Item = (f64, bool)>) -> Vec<CalibrationPoint> {
    let mut sums = [(0.0, 0usize, 0usize); 10];
    for (p, is_true) in cases {
        let (predicted, observed, n) = &mut sums[((10.0 * p) as usize).min(9)];
        *predicted += p;
        *observed += usize::from(is_true);
        *n += 1;
    }
    let point = |&(predicted, observed, n): &(f64, usize, usize)| CalibrationPoint {
        predicted: predicted / n as f64,
        observed: observed as f64 / n as f64,
        n,
    };
    sums.iter().filter(|(.., n)| *n > 0).map(point).collect()
}

/// How many values lie in intervals of 50 % and of 90 %.
fn intervals(cells: &[&(Kind, f64, Prediction)]) -> Vec<CalibrationPoint> {
    let n = cells.len();
    let share = |predicted: f64, interval: &dyn Fn(&Prediction) -> [f64; 2]| {
        let inside = cells.iter().filter(|(_, value, prediction)| {
            let [low, high] = interval(prediction);
            (low..=high).contains(value)
        });
        CalibrationPoint { predicted, observed: inside.count() as f64 / n.max(1) as f64, n }
    };
    vec![share(0.5, &|p| p.quartiles), share(0.9, &|p| p.interval)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prediction(probabilities: &[f64], quartiles: [f64; 2], interval: [f64; 2]) -> Prediction {
        let probabilities = probabilities.to_vec();
        Prediction { row: 0, column: 0, mean: 0.0, median: 0.0, interval, quartiles, probabilities }
    }

    #[test]
    fn cases_fall_into_ten_bins() {
        let cases = [(0.0, false), (0.09, true), (0.5, true), (0.52, false), (1.0, true)];
        let found = bins(cases.into_iter());
        let known = [(0.045, 0.5, 2), (0.51, 0.5, 2), (1.0, 1.0, 1)];
        assert_eq!(found.len(), 3);
        for (found, (predicted, observed, n)) in found.iter().zip(known) {
            assert!(
                (found.predicted - predicted).abs() < 1e-12 && found.observed == observed && found.n == n
            );
        }
        let all = Reliability { table: String::new(), kind: "binary", cells: 5, points: found };
        // (2 · 0.455 + 2 · 0.01 + 0) / 5
        assert!((all.error().unwrap_or(f64::NAN) - 0.186).abs() < 1e-12, "{all:?}");
    }

    #[test]
    fn of_yes_and_no_only_yes_is_a_case() {
        let levels = prediction(&[0.3, 0.7], [0.0; 2], [0.0; 2]);
        assert_eq!(cases(Kind::Binary, 1.0, &levels), [(0.7, true)]);
        assert_eq!(cases(Kind::Ordinal(2), 0.0, &levels), [(0.3, true), (0.7, false)]);
    }

    #[test]
    fn intervals_have_their_ends_in_them() {
        let cell = |value: f64| (Kind::Count, value, prediction(&[], [2.0, 4.0], [1.0, 8.0]));
        let cells = [0.0, 1.0, 2.0, 4.0, 8.0].map(cell);
        let found = intervals(&cells.iter().collect::<Vec<_>>());
        assert_eq!(
            found,
            [
                CalibrationPoint { predicted: 0.5, observed: 0.4, n: 5 },
                CalibrationPoint { predicted: 0.9, observed: 0.8, n: 5 }
            ]
        );
    }
}
