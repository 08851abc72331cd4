//! Change the format of a file.

use super::check::report_problems;
use crate::options;
use crate::outcome::{Done, Usage};
use crate::source::Source;
use crate::survey;
use crate::table::plural;
use crate::watch::Watch;
use crate::watch::{Progress, Watched};
use anyhow::Context;
use formats::brackets::{self, TreeStyle};
use formats::convert::{self as conversion, HeadFinder, Options};
use formats::detect::Format;
use formats::everything::{self, Item};
use formats::output::AtomicFile;
use formats::{Problem, Read};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use tree::Place;
use tree::transform::HeadRules;

/// What came of a conversion.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Converted {
    /// Sentences that could be converted.
    pub sentences: usize,
    /// Whether they were written: input with errors is only if that is asked for.
    pub is_written: bool,
    /// What had no place in the new format, and in how many sentences.
    pub lost: BTreeMap<&'static str, usize>,
    /// What the new format does not allow but was kept, and in how many sentences.
    pub doubtful: BTreeMap<&'static str, usize>,
}

/// Changes the format of a file.
pub fn convert(options: &options::Convert, watch: &dyn Watch) -> anyhow::Result<Done<Converted>> {
    let source = Source::or_text(&options.file, &options.input, watch)?;
    note_ignored(&source, options, watch);
    let choices = choices(&source, options, watch)?;
    if options.output == Path::new("-") {
        // Nothing is printed until everything is converted, so that a pipe gets all or nothing too.
        let mut bytes = Vec::new();
        let done = convert_all(&source, options, &choices, watch, &mut bytes)?;
        if done.result.is_written {
            watch.write(&bytes)?;
        }
        return Ok(done);
    }
    let cannot_write = || format!("cannot write {}", options.output.display());
    let mut file = AtomicFile::create(&options.output).with_context(cannot_write)?;
    let done = convert_all(&source, options, &choices, watch, &mut file)?;
    if done.result.is_written {
        file.finish().with_context(cannot_write)?;
        let sentences = plural(done.result.sentences, "sentence");
        watch.note(&format!("{}: {sentences} written", options.output.display()));
    } else {
        watch.note(&format!(
            "{} was not written because of the errors above; --keep-going writes what can be converted",
            options.output.display()
        ));
    }
    Ok(done)
}

impl Converted {
    /// Says what was lost and what is doubtful.
    fn note(&self, to: Format, watch: &dyn Watch) {
        let to = to.name();
        for (what, &n_sentences) in &self.lost {
            let sentences = plural(n_sentences, "sentence");
            watch.note(&format!("note: left out because {to} has no place for it: {what} ({sentences})"));
        }
        for (what, &n_sentences) in &self.doubtful {
            let sentences = plural(n_sentences, "sentence");
            watch.note(&format!("note: kept although {to} does not allow it: {what} ({sentences})"));
        }
    }
}

/// Converts all sentences, and tells of problems and losses.
fn convert_all(
    source: &Source,
    options: &options::Convert,
    choices: &Options,
    watch: &dyn Watch,
    out: &mut impl Write,
) -> anyhow::Result<Done<Converted>> {
    let mut result = Converted::default();
    let mut found = Vec::new();
    let progress = Progress::new(watch, source.size(), &source.name());
    for reading in everything::items(source.format, Watched::new(source.open()?, progress)) {
        let Read { value, line, problems } = reading.with_context(|| source.cannot_read())?;
        found.extend(problems);
        // An empty line of text is no sentence.
        if line == 0 || source.format.is_text() && value.is_blank() {
            continue;
        }
        match conversion::convert(value, source.format, options.to, choices) {
            Ok(converted) => {
                converted.lost.iter().for_each(|what| *result.lost.entry(what).or_default() += 1);
                converted.doubtful.iter().for_each(|what| *result.doubtful.entry(what).or_default() += 1);
                result.sentences += write(&converted.item, options, out)?;
            }
            Err(error) => {
                let help = "correct or remove the sentence; with --keep-going it is left out";
                found.push(Problem::error("not-convertible", Place::line(line), error.to_string(), help));
            }
        }
    }
    let has_problems = report_problems(source, &found, &options.messages, watch)?;
    result.note(options.to, watch);
    result.is_written = options.keep_going || !has_problems;
    Ok(Done { result, has_problems })
}

/// Writes an item and tells how many sentences that is: an empty line between trees is none.
fn write(item: &Item, options: &options::Convert, out: &mut impl Write) -> anyhow::Result<usize> {
    match item {
        Item::Tree(bracketed) if options.indent => {
            for comment in &bracketed.comments {
                writeln!(out, "{comment}")?;
            }
            if let Some(tree) = &bracketed.tree {
                brackets::write(tree, TreeStyle::Indented, out)?;
            }
        }
        item => {
            everything::write(options.to, item, out)?;
        }
    }
    Ok(usize::from(!item.is_blank()))
}

/// Options that mean nothing for these two formats.
fn note_ignored(source: &Source, options: &options::Convert, watch: &dyn Watch) {
    let (from, to) = (source.format, options.to);
    if from != Format::Brackets {
        watch.without_effect(&["--normalise", "--head-rules"], "they are for input in brackets");
    } else if to == Format::Brackets {
        watch.without_effect(&["--head-rules"], "trees stay as they are");
    }
    if !matches!(options.head_rules.as_deref(), None | Some("learned")) {
        watch.without_effect(&["--save-head-rules"], "it is for rules that are learned");
    }
    if to != Format::Brackets {
        watch.without_effect(&["--indent"], "it is for output in brackets");
    }
}

fn choices(source: &Source, options: &options::Convert, watch: &dyn Watch) -> anyhow::Result<Options> {
    let is_tree = source.format == Format::Brackets;
    let normalise = match options.stripping.normalise && is_tree {
        true => Some(survey::normalisation(source, watch)?),
        false => None,
    };
    let asked = options.head_rules.as_deref().filter(|_| is_tree);
    let needs_heads = is_tree && matches!(options.to, Format::Conllu | Format::Conllx | Format::Conll09);
    let heads = match asked {
        Some("english") => HeadFinder::english(),
        Some("leftmost") => HeadFinder::Rules(HeadRules::leftmost()),
        Some("rightmost") => HeadFinder::Rules(HeadRules::rightmost()),
        Some("dependency") => HeadFinder::Lexical,
        None | Some("learned") if needs_heads => {
            let found = survey::head_rules(source, normalise.as_ref(), asked.is_some(), watch)?;
            match (&options.save_head_rules, &found.text) {
                (Some(path), Some(text)) => save(path, text)?,
                _ => watch.without_effect(
                    &["--save-head-rules"],
                    "the labels are those of the Penn Treebank, whose rules are known; --head-rules learned learns others",
                ),
            }
            HeadFinder::Rules(found.rules)
        }
        // Whatever else is converted, nothing asks for heads.
        None | Some("learned") => {
            watch.without_effect(&["--save-head-rules"], "nothing asks for heads");
            HeadFinder::Rules(HeadRules::leftmost())
        }
        Some(path) => HeadFinder::Rules(head_rules_file(Path::new(path))?),
    };
    Ok(Options { heads, normalise })
}

fn save(path: &Path, text: &str) -> anyhow::Result<()> {
    let write = || -> std::io::Result<()> {
        let mut file = AtomicFile::create(path)?;
        file.write_all(text.as_bytes())?;
        file.finish()
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}

fn head_rules_file(path: &Path) -> anyhow::Result<HeadRules> {
    let text = std::fs::read_to_string(path).with_context(|| {
        format!(
            "cannot read head rules {}; built in are english, leftmost, rightmost, learned, dependency",
            path.display()
        )
    })?;
    let rules = text.parse::<HeadRules>();
    rules.map_err(|error| Usage(format!("{}: {error}", path.display())).into())
}
