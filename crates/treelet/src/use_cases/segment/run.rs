//! Cut words into morphs.

use super::rows::{Cut, Cutting};
use super::{input, models};
use crate::options::segment::{SegmentRun, WordFormat};
use crate::outcome::{Done, Usage};
use crate::source::{Source, only_one_stdin};
use crate::table::plural;
use crate::use_cases::factors::write;
use crate::watch::Watch;
use ::segment::{Segmentation, Segmenter, Viterbi, chunks};
use anyhow::Context;
use chain::Workers;
use formats::detect::Format;
use formats::nfc::nfc;
use formats::word_list;
use serde::Serialize;
use std::cell::Cell;
use std::io::Read;
use std::path::{Path, PathBuf};

/// How many words were cut.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct CutWords {
    /// Words that were cut, each as often as it stands in the input.
    pub words: usize,
    /// Words of CoNLL-U that kept the morphs that a person gave.
    pub kept: usize,
}

/// Cuts words into morphs and writes them.
pub fn segment(options: &SegmentRun, watch: &dyn Watch) -> anyhow::Result<Done<CutWords>> {
    let (model, path) = paths(options)?;
    let cutter = Cutter::new(options, model, watch)?;
    let source = input::open(path, &options.reading)?;
    let format = match options.reading.from {
        Some(format) => format,
        None => find_format(path, &source)?,
    };
    if format != WordFormat::List && (options.n_best > 1 || options.json) {
        return Err(Usage("--n-best and --json are for lists of words; see --from".into()).into());
    }
    if format != WordFormat::Conllu {
        watch.without_effect(&["--all"], "only CoNLL-U has morphs already");
    } else {
        watch.without_effect(&["--separator"], "morphs stand in MSeg with hyphens between them");
    }
    if options.chunks.is_some() {
        let of_models = ["--no-split", "--smoothing", "--max-letters"];
        watch.without_effect(&of_models, "chunks are of the same length, without a model");
    }
    let workers = crate::models::workers(options.threads)?;
    let (text, done) = match format {
        WordFormat::List => of_list(&source, &cutter, options, &workers, watch)?,
        WordFormat::Text | WordFormat::Conllu => of_lines(&source, format, &cutter, options, watch)?,
    };
    write(&options.output, text.as_bytes(), watch)?;
    Ok(done)
}

fn paths(options: &SegmentRun) -> anyhow::Result<(Option<&Path>, &Path)> {
    only_one_stdin(&options.files)?;
    let inputs = options.files.iter().map(PathBuf::as_path);
    if options.output != Path::new("-") {
        crate::models::refuse_same(&options.output, inputs)?;
        crate::models::check_output(&options.output, "the output")?;
    }
    match (&options.files[..], options.chunks) {
        ([model, input], None) => Ok((Some(model), input)),
        ([input], Some(_)) => Ok((None, input)),
        ([_], None) => Err(Usage("give a model and an input, or --chunks and an input".into()).into()),
        _ => Err(Usage("--chunks needs no model; give the input alone".into()).into()),
    }
}

/// What cuts words.
struct Cutter {
    how: How,
    /// How it signs.
    machine: String,
    viterbi: Viterbi,
}

enum How {
    Model(Box<Segmenter>),
    Chunks(usize),
}

impl Cutter {
    fn new(options: &SegmentRun, model: Option<&Path>, watch: &dyn Watch) -> anyhow::Result<Cutter> {
        let how = match (model, options.chunks) {
            (Some(path), _) => {
                let model = models::read(path, &options.messages, watch)?;
                let no_split = super::no_split(options.boundaries.no_split.as_deref())?;
                How::Model(Box::new(Segmenter::new(&model)?.with_no_split(no_split)))
            }
            (None, n) => How::Chunks(n.unwrap_or(1) as usize),
        };
        let machine = match model {
            Some(path) => crate::models::signature("segmenter", path)?,
            None => "chunks".into(),
        };
        Ok(Cutter { how, machine, viterbi: super::viterbi(&options.viterbi)? })
    }

    fn n_best<'w>(&self, word: &'w str, n: usize) -> Vec<Segmentation<'w>> {
        match &self.how {
            How::Model(segmenter) => segmenter.n_best(word, n, &self.viterbi),
            How::Chunks(n) => vec![Segmentation { morphs: chunks(word, *n), cost: 0.0 }],
        }
    }

    /// The best morphs of a word in the normal form.
    fn morphs(&self, word: &str) -> Vec<String> {
        let word = nfc(word);
        self.n_best(&word, 1).swap_remove(0).morphs.into_iter().map(str::to_owned).collect()
    }
}

/// CoNLL-U by its name or columns, a list if no line has more than a count and a word, otherwise text.
fn find_format(path: &Path, source: &Source) -> anyhow::Result<WordFormat> {
    let sample = source.sample()?;
    let lines = || sample.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let has_columns = lines().next().is_some_and(|line| line.split('\t').count() == 10);
    if has_columns || Format::from_path(path) == Some(Format::Conllu) {
        return Ok(WordFormat::Conllu);
    }
    let is_entry = |line: &str| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        fields.len() == 1 || (fields.len() == 2 && fields[0].bytes().all(|byte| byte.is_ascii_digit()))
    };
    Ok(if lines().all(is_entry) { WordFormat::List } else { WordFormat::Text })
}

fn of_list(
    source: &Source,
    cutter: &Cutter,
    options: &SegmentRun,
    workers: &Workers,
    watch: &dyn Watch,
) -> anyhow::Result<(String, Done<CutWords>)> {
    let mut list = word_list::read(source.open()?).with_context(|| source.cannot_read())?;
    let has_problems = input::report(source, &list.problems, &options.messages, watch)?;
    input::normalise_all(&mut list.words, source, watch);
    let lines = workers.map(&list.words, |_, entry| {
        let found = cutter.n_best(&entry.word, options.n_best as usize);
        if options.json { as_json(&entry.word, &found) } else { as_lines(&entry.word, &found, options) }
    });
    let result = CutWords { words: list.words.len(), kept: 0 };
    Ok((lines.concat(), Done { result, has_problems }))
}

fn as_lines(word: &str, found: &[Segmentation<'_>], options: &SegmentRun) -> String {
    let separator = options.separator.as_deref().unwrap_or(" ");
    if options.n_best == 1 {
        return found[0].morphs.join(separator) + "\n";
    }
    let line = |(rank, one): (usize, &Segmentation<'_>)| {
        format!("{word}\t{}\t{:.6}\t{}\n", rank + 1, one.cost, one.morphs.join(separator))
    };
    found.iter().enumerate().map(line).collect()
}

fn as_json(word: &str, found: &[Segmentation<'_>]) -> String {
    let analysis = |one: &Segmentation<'_>| serde_json::json!({ "morphs": one.morphs, "cost": one.cost });
    let analyses: Vec<_> = found.iter().map(analysis).collect();
    serde_json::json!({ "word": word, "analyses": analyses }).to_string() + "\n"
}

/// Text and CoNLL-U, of which everything but words and MISC stays as it is.
fn of_lines(
    source: &Source,
    format: WordFormat,
    cutter: &Cutter,
    options: &SegmentRun,
    watch: &dyn Watch,
) -> anyhow::Result<(String, Done<CutWords>)> {
    let mut bytes = Vec::new();
    source.open()?.read_to_end(&mut bytes).with_context(|| source.cannot_read())?;
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let found = word_list::read_text(error.as_bytes())?;
            input::report(source, &found.problems, &options.messages, watch)?;
            return Err(anyhow::anyhow!("{}: not UTF-8, so that nothing was written", source.name()));
        }
    };
    let separator = options.separator.as_deref().unwrap_or("@@ ");
    let cutting = Cutting { machine: &cutter.machine, all: options.all };
    let (mut n_said, n_cut) = (0, Cell::new(0));
    let morphs = |word: &str| {
        n_cut.set(n_cut.get() + 1);
        cutter.morphs(word)
    };
    let line = |line: &str| match format {
        WordFormat::Conllu => match cutting.line(line, morphs) {
            Cut::Line(line) => line,
            other => {
                n_said += usize::from(other == Cut::Said);
                line.to_owned()
            }
        },
        _ => of_text(line, |word| morphs(word).join(separator)),
    };
    let text = text.split('\n').map(line).collect::<Vec<_>>().join("\n");
    if n_said > 0 {
        let words = plural(n_said, "word");
        watch.note(&format!("note: {words} kept the morphs that a person gave; --all finds them anew"));
    }
    Ok((text, Done { result: CutWords { words: n_cut.get(), kept: n_said }, has_problems: false }))
}

/// Replaces the words of a line and leaves the spaces between them.
fn of_text(line: &str, cut: impl Fn(&str) -> String) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(start) = rest.find(|character: char| !character.is_whitespace()) {
        let end = rest[start..].find(char::is_whitespace).map_or(rest.len(), |n| start + n);
        out.push_str(&rest[..start]);
        out.push_str(&cut(&rest[start..end]));
        rest = &rest[end..];
    }
    out + rest
}
