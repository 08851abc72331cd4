//! Names, relations and roles: sentences as models of them see them, and their file.

pub(super) mod find;
pub(super) mod learn;
mod marks;
mod parsers;

use super::columns::TagPlace;
use crate::models;
use ::joint::brackets::binarise;
use ::joint::semantics::{Options, SemanticModel, SemanticTask};
use ::joint::{KnownSpans, Sentence as Seen};
use chain::container::{self, Header};
use formats::brackets::BracketReader;
use formats::detect::Format;
use formats::everything::Item;
use formats::{Problem, semantics};
use parsers::TreeParser;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use tree::provenance::{self, Column};
use tree::sentence::UNSPECIFIED;
use tree::{Sentence, Text};

/// The kind of the file.
pub(crate) const KIND: &str = "model/semantics";
const VERSION: u32 = 1;

/// A model with the column of tags that it sees.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct SemanticsFile {
    pub(super) given: Option<TagPlace>,
    /// Gives trees to sentences that have none.
    pub(super) parser: Option<TreeParser>,
    pub(super) model: SemanticModel,
}

impl SemanticsFile {
    pub(crate) fn read(path: &Path) -> anyhow::Result<Self> {
        container::read(path, KIND, VERSION).map(|(_, file)| file).map_err(models::file_error)
    }

    pub(super) fn write(&self, path: &Path, notes: BTreeMap<String, String>) -> Result<(), chain::Error> {
        container::write(path, &Header { kind: KIND.into(), version: VERSION, notes }, self)
    }

    /// What `treelet model info` shows.
    pub(crate) fn figures(&self) -> Map<String, Value> {
        let Options { task, mode, syntax, sight, valency, .. } = *self.model.options();
        let (features, weights) = self.model.size();
        let kinds: Vec<&str> = self.model.kinds().map(Text::as_str).collect();
        let pairs = [
            ("task", json!(task)),
            ("mode", json!(mode)),
            ("syntax", if mode.has_syntax() { json!(syntax) } else { json!("none") }),
            ("parser", json!(self.parser.as_ref().map(TreeParser::signature))),
            ("sight", json!(sight)),
            ("valency", if task == SemanticTask::Roles { json!(valency) } else { Value::Null }),
            ("given", json!(self.given.as_ref().map_or("nothing", TagPlace::name))),
            ("labels", json!(kinds.join(" "))),
            ("threshold", json!(self.model.threshold())),
            ("features", json!(features)),
            ("weights", json!(weights)),
        ];
        pairs
            .into_iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(name, value)| (name.to_string(), value))
            .collect()
    }
}

/// A sentence of a file.
pub(super) struct SemanticSentence {
    pub(super) item: Item,
    pub(super) words: Sentence,
    /// As models see it, with all that is said.
    pub(super) seen: Seen,
    /// Where it begins.
    pub(super) line: u32,
    /// Whether nobody knows who said what of it.
    pub(super) is_unknown: bool,
}

/// A sentence with the tags of a column; what is wrong with it comes with it.
pub(super) fn sentence(
    format: Format,
    item: Item,
    line: u32,
    given: Option<&TagPlace>,
) -> (SemanticSentence, Vec<Problem>) {
    let (words, said, problems) = semantics::read(format, &item, line);
    let seen = Seen {
        forms: words.words().map(|word| word.form.clone()).collect(),
        lemmas: column(&words, |word| &word.lemma),
        semantics: said,
        ..Seen::default()
    };
    let mut sentence = SemanticSentence { item, words, seen, line, is_unknown: false };
    sentence.look(given);
    (sentence, problems)
}

/// A column, or nothing if it is empty.
fn column(words: &Sentence, of: fn(&tree::Token) -> &Text) -> Vec<Text> {
    let texts: Vec<Text> = words.words().map(|word| of(word).clone()).collect();
    if texts.iter().all(|text| *text == UNSPECIFIED) { Vec::new() } else { texts }
}

impl SemanticSentence {
    /// Takes back what machines said for a task.
    fn reopen(&mut self, task: SemanticTask) -> marks::Reopened {
        marks::reopen(&self.words, task, &mut self.seen.semantics)
    }

    /// Opens heads and relations that machines found, and forgets the tree in a comment if one did; whether there was anything to forget.
    fn forget_trees_of_machines(&mut self) -> bool {
        let n_open = provenance::take_back(&mut self.words, &[Column::Head, Column::Deprel]);
        let before = self.words.comments.len();
        if self.words.meta("tree_by").is_some() {
            self.words.comments.retain(|comment| !parsers::is_tree(comment));
        }
        n_open > 0 || self.words.comments.len() < before
    }

    /// Takes tags and trees from the words.
    fn look(&mut self, given: Option<&TagPlace>) {
        let words = &self.words;
        let has_features = super::columns::has_features(words);
        self.seen.classes = given.map_or_else(Vec::new, |place| {
            words.words().map(|word| place.of(word, has_features).unwrap_or(UNSPECIFIED)).collect()
        });
        self.seen.heads = words.partial_heads();
        self.seen.relations = column(words, |word| &word.deprel);
        self.seen.brackets = brackets(words);
    }
}

/// The brackets of the tree in a comment, if that has the words of the sentence.
fn brackets(sentence: &Sentence) -> Option<KnownSpans> {
    let tree = sentence.meta("tree")?;
    let read = BracketReader::new(tree.as_bytes()).next()?.ok()?;
    let tree = read.value.tree.filter(|tree| tree.n_words() == sentence.n_words())?;
    let mut spans: Vec<(u32, u32)> =
        binarise(&tree, None, false).brackets.iter().map(|bracket| (bracket.start, bracket.end)).collect();
    let n = sentence.n_words() as u32;
    // A tree over one node of all words may leave the outermost bracket out.
    if n > 1 && !spans.contains(&(0, n)) {
        spans.push((0, n));
    }
    spans.sort_unstable();
    spans.dedup();
    Some(KnownSpans { is_whole: spans.len() + 1 == n as usize, spans })
}

/// The column of tags that is looked at: what was asked for, or the universal one if any word has a tag there, or the other.
pub(super) fn given_of(
    asked: Option<crate::options::joint::GivenTags>,
    sentences: &[SemanticSentence],
) -> Option<TagPlace> {
    use crate::options::joint::GivenTags;
    let has = |of: fn(&tree::Token) -> &Text| {
        sentences.iter().any(|sentence| sentence.words.words().any(|word| *of(word) != UNSPECIFIED))
    };
    match asked {
        Some(GivenTags::Upos) => Some(TagPlace::Upos),
        Some(GivenTags::Xpos) => Some(TagPlace::Xpos),
        Some(GivenTags::None) => None,
        None if has(|word| &word.upos) => Some(TagPlace::Upos),
        None if has(|word| &word.xpos) => Some(TagPlace::Xpos),
        None => None,
    }
}
