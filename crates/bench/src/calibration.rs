//! Every kind of probability that the program prints, on one page: arcs, relations, tags, brackets, cells, forecasts.

mod brackets;
mod parser;

use chain::{Threads, Workers};
use clap::Parser;
use draw::plot::{Axis, Chart, Mark, Part, Section, page};
use num::confidence::{Bin, calibration_error};

use crate::factors::calibration as cells;
use crate::forecast::{self, Forecasts};
use crate::imputation::calibration as imputed;
use crate::tagging::{Tagging, calibration as tags};

#[derive(Debug, clap::Args)]
pub(crate) struct Calibration {
    /// Every kind of probability, on small data; otherwise those of imputed arcs
    #[arg(long)]
    all: bool,
    /// With --all: only these kinds
    #[arg(long, value_enum, value_delimiter = ',')]
    only: Vec<PredictionKind>,
    /// With --all: sentences or trees to learn a parser from
    #[arg(long, default_value_t = 400)]
    sentences: usize,
    #[command(flatten)]
    imputed: imputed::Calibration,
}

/// What is probable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum PredictionKind {
    /// Heads that imputers fill in
    Imputed,
    /// Heads and relations that dependency parsers find
    Parsed,
    /// Constituents
    Brackets,
    /// Tags, of taggers
    Tags,
    /// Cells of tables
    Cells,
    /// What `plan` forecasts
    Forecasts,
}

impl PredictionKind {
    const ALL: [PredictionKind; 6] = [
        PredictionKind::Imputed,
        PredictionKind::Parsed,
        PredictionKind::Brackets,
        PredictionKind::Tags,
        PredictionKind::Cells,
        PredictionKind::Forecasts,
    ];
}

/// A reliability curve.
pub(crate) struct Curve {
    /// What is probable: `arcs`, `tags` …
    pub(crate) kind: &'static str,
    /// Of which system on which data.
    pub(crate) name: String,
    pub(crate) bins: Vec<Bin>,
}

impl Curve {
    pub(crate) fn new(kind: &'static str, name: impl Into<String>, bins: Vec<Bin>) -> Self {
        Curve { kind, name: name.into(), bins }
    }

    fn line(&self) -> String {
        let n: usize = self.bins.iter().map(|bin| bin.n).sum();
        let mean = |of: fn(&Bin) -> f64| {
            self.bins.iter().map(|bin| bin.n as f64 * of(bin)).sum::<f64>() / n.max(1) as f64
        };
        format!(
            "{:<22} {:<44} {n:>7} {:>6.3} {:>6.3} {:>6.3}",
            self.kind,
            self.name,
            mean(|bin| bin.accuracy),
            mean(|bin| bin.confidence),
            calibration_error(&self.bins)
        )
    }
}

pub(crate) fn run(arguments: &Calibration) -> anyhow::Result<()> {
    if !arguments.all {
        return imputed::run(&arguments.imputed);
    }
    let workers = Workers::new(Threads::from_count(2))?;
    let wanted = |kind: &PredictionKind| arguments.only.is_empty() || arguments.only.contains(kind);
    let mut curves = Vec::new();
    for kind in PredictionKind::ALL.into_iter().filter(wanted) {
        let found = measure(kind, arguments, &workers)?;
        curves.extend(found);
    }
    println!(
        "{:<22} {:<44} {:>7} {:>6} {:>6} {:>6}",
        "kind", "system and data", "cases", "true", "said", "ECE"
    );
    curves.iter().for_each(|curve| println!("{}", curve.line()));
    println!("\nmean expected calibration error of each kind (ten bins)");
    for (kind, of_kind) in by_kind(&curves) {
        let mean =
            of_kind.iter().map(|curve| calibration_error(&curve.bins)).sum::<f64>() / of_kind.len() as f64;
        println!("{kind:<22} {mean:.3}");
    }
    if let Some(path) = &arguments.imputed.html {
        let sections: Vec<Section> =
            by_kind(&curves).into_iter().map(|(kind, curves)| section(kind, &curves)).collect();
        std::fs::write(path, page("Are probabilities true?", &sections))?;
    }
    Ok(())
}

fn measure(kind: PredictionKind, arguments: &Calibration, workers: &Workers) -> anyhow::Result<Vec<Curve>> {
    match kind {
        PredictionKind::Imputed => of_imputed(&arguments.imputed),
        PredictionKind::Parsed => parser::curves(arguments.sentences, workers),
        PredictionKind::Brackets => brackets::curves(arguments.sentences, workers),
        PredictionKind::Tags => of_tags(workers),
        PredictionKind::Cells => of_cells(),
        PredictionKind::Forecasts => of_forecasts(),
    }
}

fn of_imputed(arguments: &imputed::Calibration) -> anyhow::Result<Vec<Curve>> {
    let measured = imputed::measure(arguments)?;
    let both = |one: imputed::Measured| {
        [
            Curve::new("imputed arcs", one.name.clone(), one.open.bins),
            Curve::new("arcs of new text", one.name, one.parsed.bins),
        ]
    };
    Ok(measured.into_iter().flat_map(both).collect())
}

/// The options of another command, as they are if nothing is typed.
#[derive(Parser)]
struct Defaults<T: clap::Args> {
    #[command(flatten)]
    of: T,
}

fn defaults<T: clap::Args>(typed: &[&str]) -> T {
    Defaults::<T>::parse_from(std::iter::once("bench").chain(typed.iter().copied())).of
}

fn of_tags(workers: &Workers) -> anyhow::Result<Vec<Curve>> {
    let arguments: Tagging = defaults(&["--calibration", "--types", "801"]);
    let found = tags::reliabilities(&arguments, workers)?;
    Ok(found.into_iter().map(|one| Curve::new("tags", one.name, one.after)).collect())
}

fn of_cells() -> anyhow::Result<Vec<Curve>> {
    let arguments: cells::Calibration = defaults(&["--seeds", "1", "--sweeps", "400"]);
    let mut curves = Vec::new();
    for table in ["nhefs", "anes96", "fair", "penguins", "randhie"] {
        for one in cells::reliability(table, &arguments)? {
            let bin = |point: &cells::CalibrationPoint| Bin {
                n: point.n,
                confidence: point.predicted,
                accuracy: point.observed,
            };
            let bins = one.points.iter().map(bin).collect();
            let kind = if one.error().is_some() { "cells" } else { "intervals of cells" };
            curves.push(Curve::new(kind, format!("{}, {}", one.table, one.kind), bins));
        }
    }
    Ok(curves)
}

fn of_forecasts() -> anyhow::Result<Vec<Curve>> {
    let arguments: Forecasts = defaults(&[]);
    let cases = forecast::measure(&arguments)?;
    let n = 2 * cases.len();
    let points = forecast::table::reliability_points(&cases, arguments.prior())?;
    let bins = points.iter().map(|point| Bin { n, confidence: point.level, accuracy: point.held }).collect();
    Ok(vec![Curve::new("intervals of forecasts", "eight treebanks, twice and four times the data", bins)])
}

fn by_kind(curves: &[Curve]) -> Vec<(&'static str, Vec<&Curve>)> {
    let mut kinds: Vec<(&'static str, Vec<&Curve>)> = Vec::new();
    for curve in curves {
        match kinds.iter_mut().find(|(kind, _)| *kind == curve.kind) {
            Some((_, of_kind)) => of_kind.push(curve),
            None => kinds.push((curve.kind, vec![curve])),
        }
    }
    kinds
}

fn section(kind: &str, curves: &[&Curve]) -> Section {
    let line = |curve: &&Curve| Mark::Line {
        name: format!("{} (ECE {:.3})", curve.name, calibration_error(&curve.bins)),
        points: curve.bins.iter().filter(|bin| bin.n > 0).map(|bin| (bin.confidence, bin.accuracy)).collect(),
        band: None,
    };
    let diagonal = Mark::Line { name: "ideal".to_owned(), points: vec![(0.0, 0.0), (1.0, 1.0)], band: None };
    // A chart stays legible with a handful of lines.
    let charts = curves.chunks(4).map(|curves| Chart {
        title: kind.to_owned(),
        x: Axis::new("what is said"),
        y: Axis::new("what is true"),
        marks: curves.iter().map(line).chain([diagonal.clone()]).collect(),
        ..Chart::default()
    });
    Section {
        heading: kind.to_owned(),
        text: "On the diagonal, probabilities mean what they say.".to_owned(),
        parts: charts.map(Part::from).collect(),
    }
}
