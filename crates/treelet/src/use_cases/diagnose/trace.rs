//! Trace files: a line per chain and sweep, a column per number.

use crate::source::Source;
use anyhow::Context;
use formats::Problem;
use formats::lines::Lines;
use std::collections::BTreeMap;
use tree::Place;

/// What one chain left in a trace.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// The name to show.
    pub name: String,
    /// Which file it comes from, from 0.
    pub run: usize,
    /// Its number in that file.
    pub number: u32,
    sweeps: Vec<u64>,
    is_kept: Vec<bool>,
    columns: Vec<(String, Vec<f64>)>,
}

/// A file that was read: its chains, unless it is no trace at all, and what is wrong with it.
#[derive(Debug)]
pub(super) struct ReadTrace {
    pub(super) chains: Option<Vec<Series>>,
    pub(super) problems: Vec<Problem>,
}

/// Reads the trace of a run. Lines that cannot be understood become problems and are left out.
pub(super) fn read(source: &Source, run: usize) -> anyhow::Result<ReadTrace> {
    let mut problems = Vec::new();
    let mut lines = Lines::new(source.open()?);
    let mut header = None;
    let mut chains: BTreeMap<u32, Series> = BTreeMap::new();
    while let Some((number, line)) = lines.next_line(&mut problems).with_context(|| source.cannot_read())? {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let result = match &header {
            Some(header) => add_row(header, run, number, line, &mut chains),
            None => Header::read(number, line).map(|found| header = Some(found)),
        };
        problems.extend(result.err());
        if header.is_none() {
            return Ok(ReadTrace { chains: None, problems });
        }
    }
    Ok(ReadTrace { chains: Some(chains.into_values().collect()), problems })
}

impl Series {
    fn new(run: usize, number: u32, header: &Header) -> Self {
        let columns = header.values.iter().map(|(_, name)| (name.clone(), Vec::new())).collect();
        Self { run, number, columns, ..Self::default() }
    }

    /// The names of the columns.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|(name, _)| name.as_str())
    }

    fn values(&self, column: &str) -> Option<&[f64]> {
        self.columns.iter().find(|(name, _)| name == column).map(|(_, values)| values.as_slice())
    }

    /// Sweep and value of a column, burn-in included.
    pub fn points(&self, column: &str) -> Vec<(f64, f64)> {
        let values = self.values(column).unwrap_or_default();
        self.sweeps.iter().map(|&sweep| sweep as f64).zip(values.iter().copied()).collect()
    }

    /// The same of kept sweeps only.
    pub fn kept_points(&self, column: &str) -> Vec<(f64, f64)> {
        let points = self.points(column).into_iter().zip(&self.is_kept);
        points.filter(|(_, is_kept)| **is_kept).map(|(point, _)| point).collect()
    }

    /// The kept values of a column; `None` if the chain has no such column.
    pub fn kept(&self, column: &str) -> Option<Vec<f64>> {
        self.values(column)?;
        Some(self.kept_points(column).into_iter().map(|(_, value)| value).collect())
    }

    /// How many sweeps there are.
    pub fn n_sweeps(&self) -> usize {
        self.sweeps.len()
    }

    /// How many of them are kept.
    pub fn n_kept(&self) -> usize {
        self.is_kept.iter().filter(|is_kept| **is_kept).count()
    }

    /// The last sweep of the burn-in; `None` if no sweep is kept.
    ///
    /// With thinning, the first kept sweep comes one step after the burn-in.
    pub fn burn_in(&self) -> Option<u64> {
        let mut kept = self.sweeps.iter().zip(&self.is_kept).filter(|(_, is_kept)| **is_kept);
        let (first, _) = kept.next()?;
        let step = kept.next().map_or(1, |(second, _)| second - first);
        Some(first.saturating_sub(step))
    }
}

/// Where each column stands.
#[derive(Debug)]
struct Header {
    separator: char,
    n_columns: usize,
    chain: usize,
    sweep: usize,
    kept: usize,
    values: Vec<(usize, String)>,
}

impl Header {
    fn read(number: u32, line: &str) -> Result<Self, Problem> {
        let separator = if line.contains('\t') || !line.contains(',') { '\t' } else { ',' };
        let cells = cells(number, line, separator);
        for (at, cell) in cells.iter().enumerate() {
            if cells[..at].iter().any(|earlier| earlier.text == cell.text) {
                let message = format!("a second column is called `{}`", cell.text);
                return Err(Problem::error(
                    "duplicate-column",
                    cell.place,
                    message,
                    "give each its own name",
                ));
            }
        }
        let find = |name: &str| {
            cells.iter().position(|cell| cell.text == name).ok_or_else(|| {
                let message = format!("the first line names no column `{name}`");
                let help = "a trace begins with the names chain, sweep and kept, then those of the numbers, \
                            separated by tabs; `treelet train … --trace FILE` writes it";
                Problem::error("no-trace", Place::line(number), message, help)
            })
        };
        let (chain, sweep, kept) = (find("chain")?, find("sweep")?, find("kept")?);
        let named = cells.iter().map(|cell| cell.text.to_owned()).enumerate();
        let values = named.filter(|(at, _)| ![chain, sweep, kept].contains(at)).collect();
        Ok(Self { separator, n_columns: cells.len(), chain, sweep, kept, values })
    }
}

/// Adds a line to its chain.
fn add_row(
    header: &Header,
    run: usize,
    number: u32,
    line: &str,
    chains: &mut BTreeMap<u32, Series>,
) -> Result<(), Problem> {
    let cells = cells(number, line, header.separator);
    if cells.len() != header.n_columns {
        let message = format!("{} columns, but the first line names {}", cells.len(), header.n_columns);
        let help = "the line was left out; was the file cut off?";
        return Err(Problem::error("column-count", Place::line(number), message, help));
    }
    let chain: u32 = cells[header.chain].parse("is no chain", "chains are numbered 0, 1, 2, …")?;
    let sweep: u64 = cells[header.sweep].parse("is no sweep", "sweeps are numbered 1, 2, 3, …")?;
    let is_kept = match cells[header.kept].text {
        "0" => false,
        "1" => true,
        _ => {
            let cell = &cells[header.kept];
            return Err(cell.problem("does not say whether the sweep is kept", "write 1 if it is, 0 if not"));
        }
    };
    let value = |&(at, _): &(usize, String)| {
        cells[at].parse::<f64>("is no number", "give one, or NaN where there is none")
    };
    let values: Vec<f64> = header.values.iter().map(value).collect::<Result<_, Problem>>()?;
    let series = chains.entry(chain).or_insert_with(|| Series::new(run, chain, header));
    if let Some(&last) = series.sweeps.last().filter(|&&last| last >= sweep) {
        let message = format!("sweep {sweep} of chain {chain} comes after sweep {last}");
        let help = "the line was left out; give each run its own file";
        return Err(Problem::error("sweep-order", cells[header.sweep].place, message, help));
    }
    series.sweeps.push(sweep);
    series.is_kept.push(is_kept);
    series.columns.iter_mut().zip(values).for_each(|((_, column), value)| column.push(value));
    Ok(())
}

/// A piece of a line and where it stands.
struct TraceCell<'a> {
    text: &'a str,
    place: Place,
}

impl TraceCell<'_> {
    fn parse<T: std::str::FromStr>(&self, what: &str, help: &str) -> Result<T, Problem> {
        self.text.parse().map_err(|_| self.problem(what, help))
    }

    fn problem(&self, what: &str, help: &str) -> Problem {
        let message = format!("`{}` {what}", self.text);
        Problem::error("unreadable-value", self.place, message, format!("{help}; the line was left out"))
    }
}

fn cells(number: u32, line: &str, separator: char) -> Vec<TraceCell<'_>> {
    let mut column = 1u32;
    let cell = |text: &'_ str| {
        let length = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
        let place = Place::new(number, column, length.max(1));
        column = column.saturating_add(length).saturating_add(1);
        place
    };
    let places: Vec<Place> = line.split(separator).map(cell).collect();
    line.split(separator).zip(places).map(|(text, place)| TraceCell { text: text.trim(), place }).collect()
}
