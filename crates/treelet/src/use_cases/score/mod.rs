//! Compare system output with gold.

mod annotations;
mod brackets;
mod dependencies;
mod labels;
mod semantics;
mod significance;

pub use annotations::AnnotationScores;
pub use brackets::BracketScores;
pub use dependencies::{Breakdown, BreakdownRow, DependencyScores};
pub use labels::LabelScores;
pub use semantics::SemanticScores;
pub use significance::Test;

/// The counts that scores are made of.
pub use ::score::Counts;

use crate::options;
use crate::outcome::{Outcome, Usage};
use crate::source::Source;
use crate::table;
use crate::watch::Watch;
use crate::watch::{Progress, Watched};
use anyhow::{Context, bail};
use formats::detect::Format;
use formats::everything::{self, Item};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use tree::Sentence;

/// How systems compare with gold, and with one another.
#[derive(Debug, Clone)]
pub struct Compared {
    /// The systems that could be scored.
    pub systems: Vec<Scored>,
    /// Whether the first system differs from each other one, where that was asked.
    pub tests: Vec<Test>,
    /// Whether one system alone was named, which is then shown by itself.
    pub is_single: bool,
    /// How it ended: several systems are compared even if some cannot be scored, of which the watch was told.
    pub outcome: Outcome,
}

/// What is known of one system.
#[derive(Debug, Clone)]
pub struct Scored {
    /// The name of its file.
    pub name: String,
    /// The figures by which systems are compared, in percent.
    pub headline: Vec<(&'static str, Option<f64>)>,
    /// All figures, by name.
    pub figures: Map<String, Value>,
    /// What the figures were made of.
    pub report: Report,
    /// What a significance test resamples.
    pub by_sentence: BySentence,
    /// Entities, relations and roles beside what else was scored.
    pub semantics: Option<Box<SemanticScores>>,
}

/// A figure and its counts in each sentence.
#[derive(Debug, Clone)]
pub struct BySentence {
    /// The name of the figure.
    pub figure: &'static str,
    /// The counts.
    pub counts: Vec<Counts>,
}

/// What was scored, by what the files hold.
#[derive(Debug, Clone)]
pub enum Report {
    /// Brackets, by EVALB's rules.
    Brackets(Box<BracketScores>),
    /// Dependencies, by the rules of the CoNLL 2018 shared task or as older work counts them.
    Dependencies(Box<DependencyScores>),
    /// Labelled words.
    Labels(Box<LabelScores>),
    /// Partial annotations.
    Annotations(Box<AnnotationScores>),
    /// Entities, relations and roles.
    Semantics(Box<SemanticScores>),
}

/// The figures of the system if one was named, otherwise all systems, and the tests if there are any.
impl Serialize for Compared {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let (true, [scored]) = (self.is_single, self.systems.as_slice()) {
            return scored.figures.serialize(serializer);
        }
        let mut all = json!({ "systems": self.systems });
        if !self.tests.is_empty() {
            all["significance"] = json!(self.tests);
        }
        all.serialize(serializer)
    }
}

impl Serialize for Scored {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = Map::from_iter([("name".to_string(), Value::from(self.name.as_str()))]);
        object.extend(self.figures.clone());
        object.serialize(serializer)
    }
}

/// Compares the output of systems with gold.
pub fn score(options: &options::Score, watch: &dyn Watch) -> anyhow::Result<Compared> {
    crate::source::only_one_stdin(std::iter::once(&options.standard.gold).chain(&options.systems))?;
    let gold = Loaded::new(&options.standard.gold, options, watch)?;
    if gold.is_empty() {
        bail!("{} has no sentences, so there is nothing to compare", gold.name);
    }
    note_ignored(&gold, options, watch);
    let paths = system_files(options)?;
    let is_single = paths.len() == 1;
    let mut systems = Vec::new();
    let mut outcome = Outcome::Fine;
    for path in &paths {
        let scored = score_one(&gold, path, options, watch).with_context(|| path.display().to_string());
        match scored {
            Ok(scored) => systems.push(scored),
            Err(error) if is_single => return Err(error),
            // One file that cannot be scored does not keep the others from being compared.
            Err(error) => outcome = outcome.max(Outcome::of(Err(error), watch)),
        }
    }
    let tests = if options.significance { significance::compare(&systems, options)? } else { Vec::new() };
    Ok(Compared { systems, tests, is_single, outcome })
}

/// A file in memory: sentences of rows, trees by line, or other items, as its format has it.
#[derive(Default)]
pub(crate) struct Loaded {
    /// As it was named.
    path: String,
    /// As messages name it.
    name: String,
    format: Option<Format>,
    sentences: Vec<Sentence>,
    lines: brackets::Lines,
    items: Vec<Item>,
}

impl Loaded {
    fn new(path: &Path, options: &options::Score, watch: &dyn Watch) -> anyhow::Result<Self> {
        let source = Source::new(path, options.input.from, options.input.characters.encoding, watch)?;
        let mut loaded = Self {
            path: path.display().to_string(),
            name: source.name(),
            format: Some(source.format),
            ..Self::default()
        };
        let mut n_errors = 0;
        let progress = Progress::new(watch, source.size(), &source.name());
        for reading in everything::items(source.format, Watched::new(source.open()?, progress)) {
            let reading = reading.with_context(|| format!("cannot read {}", source.name()))?;
            n_errors += reading.problems.iter().filter(|problem| problem.is_error()).count();
            match reading.value {
                _ if reading.line == 0 => {}
                // A line that begins a document has no words.
                Item::Sentence(sentence)
                    if semantics::is_about_them(source.format) && sentence.n_words() == 0 => {}
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

    fn has_open_heads(&self) -> bool {
        self.sentences.iter().any(|sentence| sentence.words().any(|word| word.head.index().is_none()))
    }

    fn is_empty(&self) -> bool {
        self.sentences.is_empty() && self.lines.is_empty() && self.items.is_empty()
    }
}

fn score_one(
    gold: &Loaded,
    path: &Path,
    options: &options::Score,
    watch: &dyn Watch,
) -> anyhow::Result<Scored> {
    let system = &Loaded::new(path, options, watch)?;
    let rows = |format| matches!(format, Format::Conllu | Format::Conllx | Format::Conll09);
    let annotations = |format| matches!(format, Format::Gfl | Format::GflJson | Format::FudgJson);
    match (gold.format(), system.format()) {
        (Format::Brackets, Format::Brackets) => brackets::score(gold, system, options, watch),
        (a, b) if rows(a) && rows(b) && gold.has_open_heads() && semantics::is_there(gold) => {
            watch.note(&format!(
                "note: {} has words without heads: entities, relations and roles are scored, and trees are not",
                gold.name
            ));
            semantics::score(gold, system)
        }
        (Format::Conllu, Format::Conllu) => dependencies::universal(gold, system, options)
            .map(|scored| semantics::beside(gold, system, scored)),
        (a, b) if rows(a) && rows(b) => dependencies::attachment(gold, system, options)
            .map(|scored| semantics::beside(gold, system, scored)),
        (Format::Bio, Format::Bio) => labels::score(gold, system),
        (a, b)
            if semantics::has_place(a)
                && semantics::has_place(b)
                && [a, b]
                    .iter()
                    .any(|format| semantics::is_about_them(*format) || *format == Format::Bio) =>
        {
            semantics::score(gold, system)
        }
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
    if gold.format() == Format::Bio || semantics::is_about_them(gold.format()) {
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
        found.sort_unstable();
        if found.is_empty() {
            return Err(Usage(format!("there are no files in {}", path.display())).into());
        }
        files.extend(found);
    }
    Ok(files)
}
