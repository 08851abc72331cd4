//! `treelet score`: compare system output with gold.

mod annotations;
mod brackets;
mod dependencies;
mod labels;
mod significance;

use crate::options;
use crate::outcome::{Outcome, Usage};
use crate::source::Source;
use crate::table;
use crate::watch::Watch;
use crate::watch::{Progress, Watched};
use ::score::Counts;
use anyhow::{Context, bail};
use formats::detect::Format;
use formats::everything::{self, Item};
use serde_json::{Map, Value};
use std::path::PathBuf;
use tree::Sentence;

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

pub fn run(options: &options::Score, watch: &dyn Watch) -> anyhow::Result<Outcome> {
    crate::source::only_one_stdin(std::iter::once(&options.gold).chain(&options.systems))?;
    let gold = Loaded::new(&options.gold, options, watch)?;
    if gold.is_empty() {
        bail!("{} has no sentences, so there is nothing to compare", gold.name);
    }
    note_ignored(&gold, options, watch);
    let paths = system_files(options)?;
    let mut systems = Vec::new();
    let mut outcome = Outcome::Fine;
    for path in &paths {
        let scored =
            Loaded::new(path, options, watch).and_then(|system| score(&gold, &system, options, watch));
        match scored {
            Ok(scored) => systems.push((path.display().to_string(), scored)),
            // One file that cannot be scored does not keep the others from being compared.
            Err(error) if paths.len() > 1 => {
                outcome = outcome.max(Outcome::of(Err(error.context(path.display().to_string())), watch));
            }
            Err(error) => return Err(error.context(path.display().to_string())),
        }
    }
    let tests = if options.significance { significance::compare(&systems, options)? } else { Vec::new() };
    let output = match (options.json, systems.as_slice()) {
        (true, [(_, scored)]) if paths.len() == 1 => format!("{:#}\n", Value::Object(scored.json.clone())),
        (true, systems) => format!("{:#}\n", significance::json(systems, &tests)),
        (false, [(_, scored)]) if paths.len() == 1 => scored.text.clone(),
        (false, systems) => comparison(systems, options) + &significance::text(&tests),
    };
    match options.json || options.old_evalb {
        true => watch.print(&output)?,
        false => watch.print_tables(&output)?,
    }
    Ok(outcome)
}

/// A file in memory: sentences of rows, trees by line, or other items, as its format has it.
#[derive(Default)]
pub(crate) struct Loaded {
    name: String,
    format: Option<Format>,
    sentences: Vec<Sentence>,
    lines: brackets::Lines,
    items: Vec<Item>,
}

impl Loaded {
    fn new(path: &std::path::Path, options: &options::Score, watch: &dyn Watch) -> anyhow::Result<Self> {
        let source = Source::new(path, options.input.from, options.input.encoding, watch)?;
        let mut loaded = Self { name: source.name(), format: Some(source.format), ..Self::default() };
        let mut n_errors = 0;
        let progress = Progress::new(watch, source.size(), &source.name());
        for reading in everything::items(source.format, Watched::new(source.open()?, progress)) {
            let reading = reading.with_context(|| format!("cannot read {}", source.name()))?;
            n_errors += reading.problems.iter().filter(|problem| problem.is_error()).count();
            match reading.value {
                _ if reading.line == 0 => {}
                Item::Sentence(sentence) => loaded.sentences.push(sentence),
                Item::Tree(bracketed) => loaded.lines.add(bracketed, reading.line),
                item => loaded.items.push(item),
            }
        }
        if n_errors > 0 {
            let (name, errors) = (source.name(), table::plural(n_errors, "error"));
            watch.note(&format!("note: {name} has {errors}; `treelet check {name}` lists them"));
        }
        Ok(loaded)
    }

    fn format(&self) -> Format {
        self.format.unwrap_or(Format::Conllu)
    }

    fn is_empty(&self) -> bool {
        self.sentences.is_empty() && self.lines.is_empty() && self.items.is_empty()
    }
}

fn score(
    gold: &Loaded,
    system: &Loaded,
    options: &options::Score,
    watch: &dyn Watch,
) -> anyhow::Result<Scored> {
    let rows = |format| matches!(format, Format::Conllu | Format::Conllx | Format::Conll09);
    let annotations = |format| matches!(format, Format::Gfl | Format::GflJson | Format::FudgJson);
    match (gold.format(), system.format()) {
        (Format::Brackets, Format::Brackets) => brackets::score(gold, system, options, watch),
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

/// Options that mean nothing for the format of the gold standard.
fn note_ignored(gold: &Loaded, options: &options::Score, watch: &dyn Watch) {
    let means_nothing = format!("it means nothing for {}", gold.format().name());
    if gold.format() != Format::Brackets {
        let of_brackets = ["--prm", "--gold-punct", "--unlabelled", "--no-root"];
        watch.without_effect(&of_brackets, &means_nothing);
    }
    if !matches!(gold.format(), Format::Conllu | Format::Conllx | Format::Conll09) {
        watch.without_effect(&["--punct"], &means_nothing);
    }
    if matches!(gold.format(), Format::Gfl | Format::GflJson | Format::FudgJson) {
        watch.without_effect(&["--per-label", "--per-sentence"], &means_nothing);
    }
    if gold.format() == Format::Bio {
        watch.without_effect(&["--per-label"], "types are always shown");
    }
    if !options.significance {
        watch.without_effect(&["--samples", "--seed"], "nothing is resampled without --significance");
    }
}

/// The files to score: folders are searched for files, in the order of their names.
fn system_files(options: &options::Score) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in &options.systems {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let entries = std::fs::read_dir(path).with_context(|| format!("cannot read {}", path.display()))?;
        let is_hidden =
            |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        let inside = entries.flatten().map(|entry| entry.path()).filter(|path| path.is_file());
        let mut found: Vec<PathBuf> = inside.filter(|path| !is_hidden(path)).collect();
        found.sort();
        if found.is_empty() {
            return Err(Usage(format!("there are no files in {}", path.display())).into());
        }
        files.extend(found);
    }
    Ok(files)
}

/// A table with a row per system, and what was asked for besides.
fn comparison(systems: &[(String, Scored)], options: &options::Score) -> String {
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
