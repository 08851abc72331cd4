//! Sentences shared out among annotators, before anybody has begun.

use super::check::report_problems;
use crate::models;
use crate::options::study::Divide;
use crate::outcome::{Done, Usage};
use crate::source::Source;
use crate::table::plural;
use crate::target::Target;
use crate::watch::{Progress, Watch, Watched};
use anyhow::Context;
use chain::Stream;
use formats::detect::Format;
use formats::everything::{self, Item};
use formats::{Problem, Read};
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Sentences of fewer words are short.
const SHORT: usize = 10;
/// Sentences of more words are long.
const LONG: usize = 40;

/// The sections of a corpus.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Divided {
    /// Each annotator's section, and the one for all, if there is one.
    pub sections: Vec<DividedSection>,
    /// Sentences of all sections.
    pub sentences: usize,
    /// Their words.
    pub words: usize,
    /// The seed of the randomness.
    pub seed: u64,
}

/// Sentences that one annotator works on, or all of them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DividedSection {
    /// What it is called: the number of the annotator, or `common`.
    pub name: String,
    /// The file that it stands in.
    pub file: PathBuf,
    /// Sentences.
    pub sentences: usize,
    /// Their words.
    pub words: usize,
    /// Words of a sentence; nothing where there is none.
    pub mean_length: Option<f64>,
    /// How much that varies, as the root of the mean square.
    pub sd_length: Option<f64>,
    /// The share of sentences of fewer than ten words.
    pub short: Option<f64>,
    /// The share of sentences of more than forty words.
    pub long: Option<f64>,
}

/// Shares sentences out in sections of like lengths, each in a file; `None` where there is no sentence to share out.
pub fn divide(options: &Divide, watch: &dyn Watch) -> anyhow::Result<Done<Option<Divided>>> {
    crate::source::only_one_stdin(&options.files)?;
    let sources = sources(options, watch)?;
    let format = writable(&sources)?;
    let names = names(options, format);
    check_output(options, &names)?;
    let (mut items, mut has_problems) = (Vec::new(), false);
    for source in &sources {
        has_problems |= read(source, format, &mut items, options, watch)?;
    }
    if items.is_empty() {
        watch.remark("error: there is no sentence to share out; nothing was written");
        return Ok(Done { result: None, has_problems: true });
    }
    let lengths: Vec<usize> = items.iter().map(|(length, _)| *length).collect();
    let stream = Stream::new(options.chance.seed);
    let common = options.common.unwrap_or(0.0);
    let of = study::divide::divide(&lengths, options.annotators as usize, common, stream);
    write(&names, &items, &of, watch)?;
    let sections = names.iter().map(|(section, name, file)| {
        let lengths = lengths.iter().zip(&of).filter(|(_, of)| *of == section).map(|(&length, _)| length);
        DividedSection::new(name, file, &lengths.collect::<Vec<_>>())
    });
    let sections: Vec<DividedSection> = sections.collect();
    let empty = sections.iter().filter(|section| section.sentences == 0);
    let empty: Vec<&str> = empty.map(|section| section.name.as_str()).collect();
    if !empty.is_empty() {
        let names = empty.join(", ");
        watch.note(&format!("note: too few sentences: nothing in {names}"));
    }
    let (sentences, words) = (lengths.len(), lengths.iter().sum());
    let result = Divided { sections, sentences, words, seed: options.chance.seed };
    Ok(Done { result: Some(result), has_problems })
}

impl DividedSection {
    fn new(name: &str, file: &Path, lengths: &[usize]) -> Self {
        let n = lengths.len() as f64;
        let mean = |sum: f64| (!lengths.is_empty()).then(|| sum / n);
        let share = |is: fn(usize) -> bool| mean(lengths.iter().filter(|&&one| is(one)).count() as f64);
        let words: usize = lengths.iter().sum();
        let mean_length = mean(words as f64);
        let squares = |centre: f64| lengths.iter().map(|&one| (one as f64 - centre).powi(2)).sum();
        Self {
            name: name.into(),
            file: file.into(),
            sentences: lengths.len(),
            words,
            mean_length,
            sd_length: mean_length.and_then(|centre| mean(squares(centre))).map(f64::sqrt),
            short: share(|length| length < SHORT),
            long: share(|length| length > LONG),
        }
    }
}

fn sources(options: &Divide, watch: &dyn Watch) -> anyhow::Result<Vec<Source>> {
    options.files.iter().map(|file| Source::or_text(file, &options.input, watch)).collect()
}

/// The format of the sections: that of the files, which must have one in common, or CoNLL-U where they are text.
fn writable(sources: &[Source]) -> anyhow::Result<Format> {
    let written = |source: &Source| if source.format.is_text() { Format::Conllu } else { source.format };
    let Some(first) = sources.first() else { return Err(Usage("name a file".into()).into()) };
    match sources.iter().find(|other| written(other) != written(first)) {
        None => Ok(written(first)),
        Some(other) => Err(Usage(format!(
            "{} is read as {} and {} as {}; a section has one format: `treelet convert` changes that of a file",
            first.name(),
            first.format.name(),
            other.name(),
            other.format.name()
        ))
        .into()),
    }
}

/// Number, name and file of each section, the common one last.
fn names(options: &Divide, format: Format) -> Vec<(usize, String, PathBuf)> {
    let ending = match format {
        Format::Conllx => "conllx",
        Format::Conll09 => "conll09",
        Format::Brackets => "mrg",
        Format::Bio => "bio",
        Format::Gfl => "anno",
        Format::GflJson => "json",
        Format::FudgJson => "fudg",
        Format::Joint => "joint",
        Format::Conll04 => "conll04",
        Format::Semeval => "semeval",
        Format::Conllu | Format::Text | Format::Raw | Format::Lines => "conllu",
    };
    let own = (1..=options.annotators as usize).map(|section| (section, section.to_string()));
    let common = options.common.map(|_| (0, "common".to_string()));
    let named = own.chain(common);
    named
        .map(|(section, name)| {
            let file = options.output.join(format!("{name}.{ending}"));
            (section, name, file)
        })
        .collect()
}

/// Makes the folder, and refuses to write over what may hold somebody's work by now.
fn check_output(options: &Divide, names: &[(usize, String, PathBuf)]) -> anyhow::Result<()> {
    if options.output == Path::new("-") || options.output.is_file() {
        return Err(Usage(format!(
            "{} is no folder; name one for the files of the sections",
            options.output.display()
        ))
        .into());
    }
    if let Some((_, _, there)) = names.iter().find(|(_, _, file)| file.exists()) {
        return Err(Usage(format!(
            "{} is there already and may hold somebody's work; name another folder, or take the file away",
            there.display()
        ))
        .into());
    }
    let cannot_write = || crate::target::cannot_write(&options.output);
    std::fs::create_dir_all(&options.output).with_context(cannot_write)?;
    names.iter().try_for_each(|(_, _, file)| models::check_output(file, "a section"))
}

/// Lengths and spellings of the sentences of a file, and whether it has problems.
fn read(
    source: &Source,
    format: Format,
    items: &mut Vec<(usize, Vec<u8>)>,
    options: &Divide,
    watch: &dyn Watch,
) -> anyhow::Result<bool> {
    let progress = Progress::new(watch, source.size(), &source.name());
    let (mut problems, mut n_left_out) = (Vec::new(), 0);
    for reading in everything::items(source.format, Watched::new(source.open()?, progress)) {
        let Read { value, line, problems: found } = reading.with_context(|| source.cannot_read())?;
        problems.extend(found.into_iter().filter(Problem::is_error));
        if line == 0 {
            continue;
        }
        let mut spelled = Vec::new();
        everything::write(format, &value, &mut spelled)?;
        match length(&value) {
            0 => n_left_out += usize::from(!spelled.trim_ascii().is_empty()),
            length => items.push((length, spelled)),
        }
    }
    if n_left_out > 0 {
        let name = source.name();
        watch.note(&format!("note: {name}: {} without words left out", plural(n_left_out, "block")));
    }
    report_problems(source, &problems, &options.messages, watch)
}

fn length(item: &Item) -> usize {
    match item {
        Item::Sentence(sentence) => sentence.n_words(),
        Item::Tree(bracketed) => bracketed.tree.as_ref().map_or(0, tree::Tree::n_words),
        Item::Annotation(block) => block.tokens.len(),
        Item::Labelled(labelled) if labelled.is_boundary() => 0,
        Item::Labelled(labelled) => labelled.rows.len(),
        Item::Pair(pair) => pair.sentence().n_words(),
    }
}

/// Writes all sections, and shows them when they are whole.
fn write(
    names: &[(usize, String, PathBuf)],
    items: &[(usize, Vec<u8>)],
    of: &[usize],
    watch: &dyn Watch,
) -> anyhow::Result<()> {
    let mut targets = Vec::with_capacity(names.len());
    for (section, _, file) in names {
        let mut target = Target::create(file)?;
        for ((_, spelled), _) in items.iter().zip(of).filter(|(_, of)| *of == section) {
            target.write_all(spelled).with_context(|| crate::target::cannot_write(file))?;
        }
        targets.push(target);
    }
    targets.into_iter().try_for_each(|target| target.finish(watch))
}
