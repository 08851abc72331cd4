//! `treelet score`: compare system output with gold.

mod annotations;
mod brackets;
mod dependencies;
mod labels;
mod significance;

use crate::args;
use crate::outcome::{Outcome, Usage};
use crate::progress::{Progress, Watched};
use crate::source::Source;
use crate::table;
use crate::terminal::Terminal;
use ::score::Counts;
use anyhow::Context;
use formats::Read;
use formats::detect::Format;
use formats::everything::{self, Item};
use serde_json::{Map, Value};
use std::path::PathBuf;

/// What is known of one system.
pub(crate) struct Scored {
    /// The figures by which systems are compared, in percent.
    headline: Vec<(&'static str, Option<f64>)>,
    /// Everything, for programs.
    json: Map<String, Value>,
    /// Everything, for people.
    text: String,
    /// What a significance test resamples: a figure's name and its counts in each sentence.
    by_sentence: (&'static str, Vec<Counts>),
}

pub(crate) fn run(options: &args::Score, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let gold = Loaded::new(&options.gold, options, terminal)?;
    let paths = system_files(options)?;
    let mut systems = Vec::new();
    let mut outcome = Outcome::Fine;
    for path in &paths {
        let system = Loaded::new(path, options, terminal)?;
        match score(&gold, &system, options) {
            Ok(scored) => systems.push((system.name, scored)),
            Err(error) if paths.len() > 1 && !error.is::<Usage>() => {
                terminal.error(&format!("{}: {error:#}", system.name));
                outcome = Outcome::Problems;
            }
            Err(error) => return Err(error.context(system.name)),
        }
    }
    let tests = if options.significance { significance::compare(&systems, options)? } else { Vec::new() };
    let output = match (options.json, systems.as_slice()) {
        (true, [(_, scored)]) if paths.len() == 1 => format!("{:#}\n", Value::Object(scored.json.clone())),
        (true, systems) => format!("{:#}\n", significance::json(systems, &tests)),
        (false, [(_, scored)]) if paths.len() == 1 => scored.text.clone(),
        (false, systems) => comparison(systems, options) + &significance::text(&tests),
    };
    terminal.print(&output)?;
    Ok(outcome)
}

/// A file in memory.
pub(crate) struct Loaded {
    name: String,
    format: Format,
    items: Vec<Read<Item>>,
}

impl Loaded {
    fn new(path: &std::path::Path, options: &args::Score, terminal: &Terminal) -> anyhow::Result<Self> {
        let source = Source::new(path, options.input.from, options.input.encoding)?;
        let mut items = Vec::new();
        let mut n_errors = 0;
        let progress = Progress::new(terminal, source.size(), &source.name());
        for reading in everything::items(source.format, Watched::new(source.open()?, progress)) {
            let mut reading = reading.with_context(|| format!("cannot read {}", source.name()))?;
            n_errors += reading.problems.iter().filter(|problem| problem.is_error()).count();
            reading.problems.clear();
            if reading.line != 0 {
                items.push(reading);
            }
        }
        if n_errors > 0 {
            let name = source.name();
            terminal.note(&format!("note: {name} has {n_errors} errors; `treelet check {name}` lists them"));
        }
        Ok(Self { name: source.name(), format: source.format, items })
    }
}

fn score(gold: &Loaded, system: &Loaded, options: &args::Score) -> anyhow::Result<Scored> {
    let rows = |format| matches!(format, Format::Conllu | Format::Conllx | Format::Conll09);
    let annotations = |format| matches!(format, Format::Gfl | Format::GflJson | Format::FudgJson);
    match (gold.format, system.format) {
        (Format::Brackets, Format::Brackets) => brackets::score(gold, system, options),
        (Format::Conllu, Format::Conllu) => dependencies::universal(gold, system, options),
        (a, b) if rows(a) && rows(b) => dependencies::attachment(gold, system, options),
        (Format::Bio, Format::Bio) => labels::score(gold, system, options),
        (a, b) if annotations(a) && (annotations(b) || rows(b)) => annotations::score(gold, system),
        (a, b) if rows(a) && annotations(b) => annotations::score(gold, system),
        (a, b) => Err(Usage(format!(
            "cannot compare {} with {}; convert one of them, or give the format with --from",
            a.name(),
            b.name()
        ))
        .into()),
    }
}

/// The files to score: folders are searched for files, in the order of their names.
fn system_files(options: &args::Score) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in &options.systems {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let entries = std::fs::read_dir(path).with_context(|| format!("cannot read {}", path.display()))?;
        let mut found: Vec<PathBuf> =
            entries.flatten().map(|entry| entry.path()).filter(|path| path.is_file()).collect();
        found.sort();
        if found.is_empty() {
            return Err(Usage(format!("there are no files in {}", path.display())).into());
        }
        files.extend(found);
    }
    Ok(files)
}

/// A table with a row per system, and what was asked for besides.
fn comparison(systems: &[(String, Scored)], options: &args::Score) -> String {
    let Some((_, first)) = systems.first() else { return String::new() };
    let headings: Vec<&str> =
        ["system"].into_iter().chain(first.headline.iter().map(|(name, _)| *name)).collect();
    let rows: Vec<Vec<String>> = systems
        .iter()
        .map(|(name, scored)| {
            [name.clone()]
                .into_iter()
                .chain(scored.headline.iter().map(|(_, figure)| percent(*figure)))
                .collect()
        })
        .collect();
    let mut text = table::render(&headings, &rows);
    if options.per_label || options.per_sentence {
        for (name, scored) in systems {
            text.push_str(&format!("\n== {name} ==\n{}", scored.text));
        }
    }
    text
}

fn percent(figure: Option<f64>) -> String {
    figure.map_or_else(|| "–".to_string(), |figure| format!("{figure:.2}"))
}
