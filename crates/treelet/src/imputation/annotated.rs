//! Annotated sentences from whatever holds them.

use crate::args::{Input, Messages};
use crate::commands::check::report_problems;
use crate::outcome::Usage;
use crate::progress::{Progress, Watched};
use crate::source::Source;
use crate::terminal::Terminal;
use anyhow::Context;
use formats::detect::Format;
use formats::everything::{self, Item};
use formats::gfl::{Block, JsonLine};
use formats::{Problem, Read};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use tree::{Arc, Head, Node, PartialTree, Place, Sentence, Text, TokenId};

/// Rules of problems that do not matter where heads are not asked for.
pub(crate) const ABOUT_HEADS: [&str; 7] = [
    "two-heads",
    "cycle",
    "contradiction",
    "several-roots",
    "no-root",
    "head-out-of-range",
    "unreadable-head",
];

/// A sentence, what was said of it, and who said it.
#[derive(Debug)]
pub(crate) struct Annotated {
    pub(crate) sentence: Sentence,
    pub(crate) said: PartialTree,
    /// Where it begins in its file.
    pub(crate) line: u32,
    /// Whether the places of what was said are lines of a text within one line of the file.
    pub(crate) within: bool,
    /// Whether it was a graph fragment and not rows.
    pub(crate) is_fragment: bool,
    pub(crate) annotator: Option<String>,
    pub(crate) seconds: Option<f64>,
    /// Errors found in reading it.
    pub(crate) errors: Vec<Problem>,
}

impl Annotated {
    /// The id, or else the number in the file.
    pub(crate) fn name(&self, index: usize) -> String {
        self.sentence.id().map_or_else(|| (index + 1).to_string(), str::to_string)
    }
}

/// A file of annotated sentences.
#[derive(Debug)]
pub(crate) struct Corpus {
    pub(crate) source: Source,
    pub(crate) sentences: Vec<Annotated>,
    /// Errors between sentences.
    pub(crate) errors: Vec<Problem>,
    /// What is wrong with files that were read along with it.
    pub(crate) aside: Vec<Aside>,
}

/// A file that was read for something else than its annotation, and what is wrong with it.
#[derive(Debug)]
pub(crate) struct Aside {
    pub(crate) source: Source,
    pub(crate) problems: Vec<Problem>,
}

impl Aside {
    /// All errors of a file.
    pub(crate) fn new(corpus: Corpus) -> Self {
        let of_sentences = corpus.sentences.into_iter().flat_map(|annotated| annotated.errors);
        let mut problems: Vec<Problem> = corpus.errors.into_iter().chain(of_sentences).collect();
        problems.sort_by_key(|problem| problem.place.line);
        Self { source: corpus.source, problems }
    }

    /// The errors of a file whose heads are not asked for.
    pub(crate) fn without_heads(corpus: Corpus) -> Self {
        let mut aside = Self::new(corpus);
        aside.problems.retain(|problem| !ABOUT_HEADS.contains(&problem.rule));
        aside
    }

    /// Prints what is wrong, once for each file, and tells whether anything is.
    pub(crate) fn report<'a>(
        all: impl IntoIterator<Item = &'a Self>,
        messages: &Messages,
        terminal: &Terminal,
    ) -> anyhow::Result<bool> {
        let mut names = BTreeSet::new();
        let mut has_errors = false;
        for aside in all.into_iter().filter(|aside| names.insert(aside.source.name())) {
            has_errors |= report_problems(&aside.source, &aside.problems, messages, terminal)?;
        }
        Ok(has_errors)
    }
}

impl Corpus {
    /// Nothing but errors was found, and a good file is not given up for an empty one.
    pub(crate) fn say_unreadable(&self, output: &Path, terminal: &Terminal) {
        let name = self.source.name();
        terminal.stderr(&format!(
            "error: {name} has no sentence that can be used; {} was not written",
            output.display()
        ));
    }

    /// Reads all of a file.
    pub(crate) fn read(path: &Path, input: &Input, terminal: &Terminal) -> anyhow::Result<Self> {
        let source = Source::new(path, input.from, input.encoding, terminal)?;
        if matches!(source.format, Format::Brackets | Format::Bio) {
            return Err(Usage(format!(
                "{} is read as {}, which has no heads; give CoNLL-U, CoNLL-X or GFL, or convert it with `treelet convert`",
                source.name(),
                source.format.name()
            ))
            .into());
        }
        let progress = Progress::new(terminal, source.size(), &source.name());
        let text = Watched::new(source.open()?, progress);
        let mut corpus = (Vec::new(), Vec::new());
        for reading in everything::items(source.format, text) {
            let Read { value, line, problems } = reading.with_context(|| source.cannot_read())?;
            // Warnings about line ends are for `treelet check`; here only what changes the result counts.
            let errors: Vec<Problem> = problems.into_iter().filter(Problem::is_error).collect();
            match of_item(value, line).filter(|annotated| line > 0 && annotated.sentence.n_words() > 0) {
                Some(annotated) => corpus.0.push(Annotated { errors, ..annotated }),
                None => corpus.1.extend(errors),
            }
        }
        let (sentences, errors) = corpus;
        Ok(Self { source, sentences, errors, aside: Vec::new() })
    }
}

/// A sentence of rows or of a graph fragment; other items have no heads.
pub(crate) fn of_item(item: Item, line: u32) -> Option<Annotated> {
    match item {
        Item::Sentence(sentence) => Some(of_rows(sentence, line)),
        Item::Annotation(block) => Some(of_block(&block, line)),
        Item::Tree(_) | Item::Labelled(_) => None,
    }
}

fn of_rows(sentence: Sentence, line: u32) -> Annotated {
    let said = said_in_rows(&sentence, line);
    let annotator = sentence.meta("annotator").map(str::to_string);
    let seconds = sentence.meta("seconds").and_then(|seconds| seconds.parse().ok());
    Annotated {
        sentence,
        said,
        line,
        within: false,
        is_fragment: false,
        annotator,
        seconds,
        errors: Vec::new(),
    }
}

fn of_block(block: &Block, line: u32) -> Annotated {
    let annotator = ["ANNOTATOR", "USER"].iter().find_map(|&name| block.field(name));
    Annotated {
        sentence: block.sentence(),
        said: block.said.clone(),
        line,
        within: block.json.is_some(),
        is_fragment: true,
        annotator: annotator.filter(|name| !name.is_empty()),
        seconds: seconds(block),
        errors: Vec::new(),
    }
}

/// The time a sentence took: a section SECONDS, or in a record the time from first access to last submission.
fn seconds(block: &Block) -> Option<f64> {
    let given = block.field("SECONDS").and_then(|text| text.parse::<f64>().ok());
    given
        .or_else(|| {
            let Some(JsonLine::Gfl(text)) = &block.json else { return None };
            let record: Value = serde_json::from_str(text).ok()?;
            let times = |field: &str| -> Vec<f64> {
                let list = record.get(field).and_then(Value::as_array);
                list.into_iter().flatten().filter_map(Value::as_f64).collect()
            };
            let first = times("accessed").into_iter().reduce(f64::min)?;
            let last = times("submitted").into_iter().reduce(f64::max)?;
            Some(last - first)
        })
        .filter(|seconds| seconds.is_finite() && *seconds > 0.0)
}

/// The heads of rows, with their places in the file.
fn said_in_rows(sentence: &Sentence, line: u32) -> PartialTree {
    let mut said = PartialTree::from_sentence(sentence);
    let places: Vec<Place> = places(sentence, line);
    let place = |node: Node| match node {
        Node::Word(word) => places.get(word - 1).copied().unwrap_or_default(),
        Node::Group(_) => Place::default(),
    };
    said.arcs.iter_mut().for_each(|arc: &mut Arc| arc.place = place(arc.dependent));
    said.roots.iter_mut().for_each(|(node, at)| *at = place(*node));
    said
}

/// Where the head of each word stands.
fn places(sentence: &Sentence, line: u32) -> Vec<Place> {
    let first = line as usize + sentence.comments.len();
    let n_chars = |text: &Text| text.chars().count();
    let rows = sentence.tokens.iter().enumerate().filter(|(_, token)| matches!(token.id, TokenId::Word(_)));
    rows.map(|(at, token)| {
        let strays = sentence.stray.iter().filter(|stray| stray.after <= at).count();
        let columns = [&token.form, &token.lemma, &token.upos, &token.xpos, &token.feats];
        let before = n_chars(&token.id.to_string().into())
            + columns.iter().map(|text| n_chars(text) + 1).sum::<usize>();
        let length = token.head.to_string().chars().count();
        Place::new((first + at + strays) as u32, before as u32 + 2, length as u32)
    })
    .collect()
}

/// The ids of the words, by which rows name their heads.
pub(crate) fn word_ids(sentence: &Sentence) -> Vec<u32> {
    let id = |token: &tree::Token| match token.id {
        TokenId::Word(id) => id,
        _ => 0,
    };
    sentence.words().map(id).collect()
}

/// The heads that rows give, by position.
pub(crate) fn heads_of(said: &PartialTree) -> Vec<Option<usize>> {
    let mut heads = vec![None; said.n_words];
    let roots = said.roots.iter().map(|&(node, _)| (0, node));
    let arcs = said.arcs.iter().filter_map(|arc| match arc.head {
        Node::Word(head) => Some((head, arc.dependent)),
        Node::Group(_) => None,
    });
    for (head, dependent) in arcs.chain(roots) {
        if let Node::Word(word) = dependent
            && let Some(slot) = heads.get_mut(word.wrapping_sub(1))
        {
            let _ = slot.get_or_insert(head);
        }
    }
    heads
}

/// An open head.
pub(crate) fn open(sentence: &mut Sentence) {
    for token in sentence.words_mut() {
        token.head = Head::Open;
    }
}
