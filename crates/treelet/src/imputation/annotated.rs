//! Annotated sentences from whatever holds them.

use crate::options::impute::Trust;
use crate::options::{Input, Messages};
use crate::outcome::Usage;
use crate::source::Source;
use crate::use_cases::check::report_problems;
use crate::watch::Watch;
use crate::watch::{Progress, Watched};
use anyhow::Context;
use formats::detect::Format;
use formats::everything::{self, Item};
use formats::gfl::{Block, JsonLine, comments};
use formats::{Problem, Read};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use tree::PutInOrder;
use tree::provenance::{self, Column};
use tree::sentence::{UNSPECIFIED, is_root_relation};
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

/// Rules of problems with a tree as a whole.
const OF_WHOLE_TREES: [&str; 3] = ["cycle", "several-roots", "no-root"];

/// A sentence, what was said of it, and who said it.
#[derive(Debug)]
pub(crate) struct AnnotatedSentence {
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
    /// Heads and relations that machines had filled in and that are open again.
    pub(crate) n_taken_back: usize,
    /// Errors found in reading it.
    pub(crate) errors: Vec<Problem>,
}

impl AnnotatedSentence {
    /// A sentence of which nothing is said.
    pub(crate) fn unannotated(sentence: Sentence, line: u32) -> Self {
        Self {
            said: PartialTree::new(sentence.n_words()),
            sentence,
            line,
            within: false,
            is_fragment: false,
            annotator: None,
            seconds: None,
            n_taken_back: 0,
            errors: Vec::new(),
        }
    }

    /// Takes down errors of the file; those that machines' heads had a part in are gone with these heads.
    pub(crate) fn add_errors(&mut self, errors: impl IntoIterator<Item = Problem>) {
        let is_gone = |problem: &Problem| self.n_taken_back > 0 && OF_WHOLE_TREES.contains(&problem.rule);
        self.errors.extend(errors.into_iter().filter(|problem| !is_gone(problem)));
    }

    /// A relation says something of a head that is open: `root` that there is none, any other that there is one.
    pub(crate) fn say_relations(&mut self) {
        let heads = heads_of(&self.said);
        // The rows of a fragment have no lines of their own.
        let places = if self.is_fragment { Vec::new() } else { places(&self.sentence, self.line) };
        for (at, token) in self.sentence.words().enumerate() {
            if heads.get(at) != Some(&None) || token.deprel == UNSPECIFIED {
                continue;
            }
            let (node, place) =
                (Node::Word(at + 1), places.get(at).copied().unwrap_or(Place::line(self.line)));
            let said = if is_root_relation(&token.deprel) {
                &mut self.said.roots
            } else {
                &mut self.said.dependents
            };
            said.push((node, place));
        }
    }

    /// How much it counts in training: what the comment `# weight` says, or 1.
    pub(crate) fn weight(&self) -> f64 {
        let said = self.sentence.meta("weight").and_then(|weight| weight.parse().ok());
        said.filter(|weight: &f64| weight.is_finite() && *weight >= 0.0).unwrap_or(1.0)
    }
}

/// A file of annotated sentences.
#[derive(Debug)]
pub(crate) struct AnnotatedCorpus {
    pub(crate) source: Source,
    pub(crate) sentences: Vec<AnnotatedSentence>,
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
    pub(crate) fn new(corpus: AnnotatedCorpus) -> Self {
        let of_sentences = corpus.sentences.into_iter().flat_map(|annotated| annotated.errors);
        let mut problems: Vec<Problem> = corpus.errors.into_iter().chain(of_sentences).collect();
        problems.order_by_key(|problem| problem.place.line);
        Self { source: corpus.source, problems }
    }

    /// The errors of a file whose heads are not asked for.
    pub(crate) fn without_heads(corpus: AnnotatedCorpus) -> Self {
        let mut aside = Self::new(corpus);
        aside.problems.retain(|problem| !ABOUT_HEADS.contains(&problem.rule));
        aside
    }

    /// Prints what is wrong, once for each file, and tells whether anything is.
    pub(crate) fn report<'a>(
        all: impl IntoIterator<Item = &'a Self>,
        messages: &Messages,
        watch: &dyn Watch,
    ) -> anyhow::Result<bool> {
        let mut names = BTreeSet::new();
        let mut has_errors = false;
        for aside in all.into_iter().filter(|aside| names.insert(aside.source.name())) {
            has_errors |= report_problems(&aside.source, &aside.problems, messages, watch)?;
        }
        Ok(has_errors)
    }
}

impl AnnotatedCorpus {
    /// Nothing but errors was found, and a good file is not given up for an empty one.
    pub(crate) fn say_unreadable(&self, output: &Path, watch: &dyn Watch) {
        let name = self.source.name();
        watch.remark(&format!(
            "error: {name} has no sentence that can be used; {} was not written",
            output.display()
        ));
    }

    /// Words of all sentences.
    pub(crate) fn n_words(&self) -> usize {
        self.sentences.iter().map(|annotated| annotated.sentence.n_words()).sum()
    }

    /// Reads what people said of the sentences of a file; what machines filled in is open again.
    pub(crate) fn read(path: &Path, input: &Input, watch: &dyn Watch) -> anyhow::Result<Self> {
        Self::read_trusting(Trust::People, path, input, watch)
    }

    /// Reads all of a file.
    pub(crate) fn read_trusting(
        trust: Trust,
        path: &Path,
        input: &Input,
        watch: &dyn Watch,
    ) -> anyhow::Result<Self> {
        Self::of(trust, Source::new(path, input.from, input.characters.encoding, watch)?, watch)
    }

    /// Reads all of a file that was found.
    pub(crate) fn of(trust: Trust, source: Source, watch: &dyn Watch) -> anyhow::Result<Self> {
        if matches!(source.format, Format::Brackets | Format::Bio | Format::Conll04 | Format::Semeval) {
            return Err(Usage(format!(
                "{} is read as {}, which has no heads; give CoNLL-U, CoNLL-X or GFL, or convert it with `treelet convert`",
                source.name(),
                source.format.name()
            ))
            .into());
        }
        let progress = Progress::new(watch, source.size(), &source.name());
        let text = Watched::new(source.open()?, progress);
        let mut corpus = (Vec::new(), Vec::new());
        for reading in everything::items(source.format, text) {
            let Read { value, line, problems } = reading.with_context(|| source.cannot_read())?;
            // Warnings about line ends are for `treelet check`; here only what changes the result counts.
            let errors: Vec<Problem> = problems.into_iter().filter(Problem::is_error).collect();
            match of_item(value, line, trust).filter(|annotated| line > 0 && annotated.sentence.n_words() > 0)
            {
                Some(mut annotated) => {
                    annotated.add_errors(errors);
                    corpus.0.push(annotated);
                }
                None => corpus.1.extend(errors),
            }
        }
        let (mut sentences, errors) = corpus;
        if has_universal_roots(source.format, &sentences) {
            sentences.iter_mut().for_each(AnnotatedSentence::say_relations);
        }
        Ok(Self { source, sentences, errors, aside: Vec::new() })
    }

    /// Says how much of a file machines had filled in, and what becomes of it.
    pub(crate) fn note_taken_back(&self, watch: &dyn Watch) {
        let n_taken_back: usize = self.sentences.iter().map(|one| one.n_taken_back).sum();
        if n_taken_back > 0 {
            watch.note(&format!(
                "note: {}: {} that a machine had filled in {} open again; --trust imputed takes them for said",
                self.source.name(),
                if n_taken_back == 1 { "1 head or relation".into() } else { format!("{n_taken_back} heads and relations") },
                if n_taken_back == 1 { "is" } else { "are" }
            ));
        }
    }
}

/// Whether `root` is the relation of roots and of nothing else, as in Universal Dependencies. Other formats than CoNLL-U may
/// call roots by any name, so that there some word must be called so.
fn has_universal_roots(format: Format, sentences: &[AnnotatedSentence]) -> bool {
    let mut words = sentences.iter().flat_map(|one| one.sentence.words());
    if format != Format::Conllu && !words.any(|token| is_root_relation(&token.deprel)) {
        return false;
    }
    sentences.iter().all(|one| {
        let heads = heads_of(&one.said);
        one.sentence.words().zip(heads).all(|(token, head)| match head {
            Some(head) if token.deprel != UNSPECIFIED => (head == 0) == is_root_relation(&token.deprel),
            _ => true,
        })
    })
}

/// A sentence of rows or of a graph fragment; other items have no heads.
pub(crate) fn of_item(item: Item, line: u32, trust: Trust) -> Option<AnnotatedSentence> {
    match item {
        Item::Sentence(sentence) => Some(of_rows(sentence, line, trust)),
        Item::Annotation(block) => Some(of_block(&block, line, trust)),
        Item::Tree(_) | Item::Labelled(_) | Item::Pair(_) => None,
    }
}

fn of_rows(mut sentence: Sentence, line: u32, trust: Trust) -> AnnotatedSentence {
    // Places are counted in the sentence as it stands in the file.
    let (places, more) = (places(&sentence, line), comments::from_comments(&sentence, line));
    provenance::from_comments(&mut sentence);
    let n_taken_back = take_back(&mut sentence, trust);
    let mut said = said_in_rows(&sentence, &places);
    let mut errors = Vec::new();
    if let Some((more, problems)) = more {
        said.add(more);
        errors.extend(problems.into_iter().filter(Problem::is_error));
    }
    let annotator = sentence.meta("annotator").map(str::to_string);
    let seconds = sentence.meta("seconds").and_then(|seconds| seconds.parse().ok());
    AnnotatedSentence {
        said,
        annotator,
        seconds,
        n_taken_back,
        errors,
        ..AnnotatedSentence::unannotated(sentence, line)
    }
}

/// What machines filled in, taken back unless they are trusted.
fn take_back(sentence: &mut Sentence, trust: Trust) -> usize {
    match trust {
        Trust::Imputed => 0,
        Trust::People => provenance::take_back(sentence, &[Column::Head, Column::Deprel]),
    }
}

fn of_block(block: &Block, line: u32, trust: Trust) -> AnnotatedSentence {
    let annotator = ["ANNOTATOR", "USER"].iter().find_map(|&name| block.field(name));
    let mut sentence = block.sentence();
    let by_machine: Vec<bool> = sentence.words().map(|token| Column::Head.is_by_machine(token)).collect();
    let n_taken_back = take_back(&mut sentence, trust);
    let mut said = block.said.clone();
    if trust == Trust::People && by_machine.contains(&true) {
        let is_taken =
            |node: Node| matches!(node, Node::Word(word) if by_machine.get(word - 1) == Some(&true));
        said.arcs.retain(|arc| !is_taken(arc.dependent) || matches!(arc.head, Node::Group(_)));
        said.roots.retain(|&(node, _)| !is_taken(node));
        // A head that a machine had overruled is said again.
        let again = PartialTree::from_sentence(&sentence);
        said.arcs.extend(again.arcs.into_iter().filter(|arc| is_taken(arc.dependent)));
        said.roots.extend(again.roots.into_iter().filter(|&(node, _)| is_taken(node)));
    }
    AnnotatedSentence {
        said,
        within: block.json.is_some(),
        is_fragment: true,
        annotator: annotator.filter(|name| !name.is_empty()),
        seconds: seconds(block),
        n_taken_back,
        ..AnnotatedSentence::unannotated(sentence, line)
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
fn said_in_rows(sentence: &Sentence, places: &[Place]) -> PartialTree {
    let mut said = PartialTree::from_sentence(sentence);
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

/// Heads that are certain, without those that were not said but are merely the only ones left: of a word in a bracket the
/// head may follow from the bracket, of any other it must have been named.
pub(crate) fn only_said(said: &PartialTree, certain: Vec<Option<usize>>) -> Vec<Option<usize>> {
    let mut is_said = vec![false; said.n_words];
    let groups = (0..said.groups.len()).map(Node::Group);
    let dependents =
        said.arcs.iter().map(|arc| arc.dependent).chain(said.roots.iter().map(|&(node, _)| node));
    for word in groups.chain(dependents).flat_map(|node| said.words_of(node)) {
        if let Some(slot) = is_said.get_mut(word.wrapping_sub(1)) {
            *slot = true;
        }
    }
    certain.into_iter().zip(is_said).map(|(head, is_said)| head.filter(|_| is_said)).collect()
}

/// An open head.
pub(crate) fn open(sentence: &mut Sentence) {
    for token in sentence.words_mut() {
        token.head = Head::Open;
    }
}
