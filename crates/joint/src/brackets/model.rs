//! The parser, and the file it is kept in.

use std::collections::BTreeMap;
use std::path::Path;

use chain::Workers;
use chain::container::{self, Header};
use chain::descent::Weights;
use features::Index;
use num::packed::Packed;
use serde::{Deserialize, Serialize};
use tree::{Text, Tree};

use super::binary::{Binary, Bracket, Label, debinarise};
use super::decode::{Decode, decode};
use super::exact::{Exact, SpanValues};
use super::labels::Labels;
use super::leaves::{Chains, LeafRows};
use super::net::Net;
use super::options::{Kind, TrainOptions};
use super::rows::SpanRows;
use super::rules::Rules;
use super::words::{Vocabulary, Word};

/// The kind of model files.
pub const KIND: &str = "model/brackets";
/// The layout of model files; raised when it changes.
pub const VERSION: u32 = 2;

/// Sentences of more words teach nothing and get flat trees: time grows with the cube of their lengths.
pub const LONGEST: usize = 300;

/// A parser.
#[derive(Debug, Clone)]
pub struct Model {
    pub(super) options: TrainOptions,
    pub(super) vocabulary: Vocabulary,
    pub(super) labels: Labels,
    pub(super) chains: Chains,
    pub(super) top: Option<Text>,
    pub(super) index: Index,
    pub(super) weights: Weights,
    pub(super) leaf_index: Index,
    pub(super) leaf_weights: Weights,
    pub(super) rules: Option<Rules>,
    /// Command, checksums and whatever else is worth knowing.
    pub notes: BTreeMap<String, String>,
}

/// A parser as its file has it.
#[derive(Serialize, Deserialize)]
struct StoredModel {
    options: TrainOptions,
    vocabulary: Vocabulary,
    labels: Labels,
    chains: Chains,
    top: Option<Text>,
    index: Index,
    weights: Packed,
    leaf_index: Index,
    leaf_weights: Packed,
    rules: Option<Rules>,
}

/// A sentence with its tree.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed {
    /// The tree.
    pub tree: Tree<Text>,
    /// The binary brackets behind it. A parser without labels calls every bracket X.
    pub binary: Binary,
    /// How probable each of those brackets is, whatever its label.
    pub probabilities: Vec<f64>,
}

/// A sentence that was looked up: the weights its spans and words look at.
#[derive(Debug, Clone)]
pub struct Prepared {
    words: Vec<Word>,
    tags: Vec<u32>,
    rows: SpanRows,
    leaves: LeafRows,
}

impl Model {
    pub(super) fn blank(
        options: TrainOptions,
        vocabulary: Vocabulary,
        labels: Labels,
        chains: Chains,
        top: Option<Text>,
    ) -> Model {
        Model {
            options,
            vocabulary,
            labels,
            chains,
            top,
            index: Index::growing(),
            weights: Weights::default(),
            leaf_index: Index::growing(),
            leaf_weights: Weights::default(),
            rules: None,
            notes: BTreeMap::new(),
        }
    }

    /// The settings it was trained with.
    pub fn options(&self) -> &TrainOptions {
        &self.options
    }

    /// How many features have weights, of brackets and of chains.
    pub fn n_features(&self) -> [usize; 2] {
        [self.index.n_features(), self.leaf_index.n_features()]
    }

    /// How many labels it knows, those of stand-ins counted.
    pub fn n_labels(&self) -> usize {
        self.labels.len()
    }

    /// How many rules it knows.
    pub fn n_rules(&self) -> usize {
        self.rules.as_ref().map_or(0, Rules::len)
    }

    /// The same parser without its rules.
    pub fn without_rules(&self) -> Model {
        Model { rules: None, ..self.clone() }
    }

    pub(super) fn shape(&self) -> SpanValues<'_> {
        SpanValues { labels: (self.options.kind == Kind::Lbm).then_some(&self.labels) }
    }

    /// Looks the features of a sentence up.
    pub fn prepare(&self, words: &[Word]) -> Prepared {
        let sentence = self.vocabulary.read(words);
        let nothing = self.vocabulary.read(&[]);
        let seen = if words.len() <= LONGEST { &sentence } else { &nothing };
        Prepared {
            rows: SpanRows::new(self.options.kind, seen, &self.index, self.shape().stride()),
            leaves: LeafRows::new(&sentence, &self.leaf_index, self.chains.n_values()),
            tags: sentence.all_tags().to_vec(),
            words: words.to_vec(),
        }
    }

    /// The factor graph of a sentence without rules, to be joined with others.
    pub fn net(&self, prepared: &Prepared) -> Net {
        let shape = self.shape();
        let mut scores = Vec::new();
        prepared.rows.score(&self.weights, shape.stride(), |width| shape.n_values(width), &mut scores);
        Net::new(shape, prepared.rows.spans(), &scores)
    }

    /// Beliefs without rules.
    pub(super) fn believe(&self, weights: &Weights, rows: &SpanRows) -> Option<Exact> {
        let shape = self.shape();
        let mut scores = Vec::new();
        rows.score(weights, shape.stride(), |width| shape.n_values(width), &mut scores);
        let mut beliefs = Exact::default();
        beliefs.run(shape, rows.spans(), &scores, &[]).map(|()| beliefs)
    }

    /// The tree of a sentence. Every sentence has one; a word that was never seen is known by its shape.
    pub fn parse(&self, words: &[Word], decode: Decode) -> Parsed {
        self.parse_prepared(&self.prepare(words), decode)
    }

    /// The tree of a sentence that was looked up by this parser.
    pub fn parse_prepared(&self, prepared: &Prepared, how: Decode) -> Parsed {
        let (shape, spans) = (self.shape(), prepared.rows.spans());
        let chosen =
            self.believe(&self.weights, &prepared.rows).filter(|_| spans.n_words > 1).map(|mut beliefs| {
                if let Some(rules) = &self.rules {
                    rules.refine(shape, spans, &prepared.tags, &mut beliefs);
                }
                decode(shape, spans, &beliefs, how)
            });
        let chosen = chosen.unwrap_or_default();
        let unlabelled = || Label { is_stand_in: false, chain: vec![UNLABELLED] };
        let label = |number: Option<u32>| number.and_then(|number| self.labels.get(number as usize)).cloned();
        let brackets = chosen.iter().map(|chosen| {
            let Bracket { start, end, label: number } = chosen.bracket;
            Bracket { start, end, label: label(number).unwrap_or_else(unlabelled) }
        });
        let chains = prepared.leaves.best(&self.leaf_weights, self.chains.n_values());
        // Right above a word without a tag there is never a chain: the lowest node of one would be the tag.
        let chains = chains.into_iter().zip(&prepared.words).map(|(number, word)| {
            let chain = self.chains.get(number).to_vec();
            if word.tag.is_some() { chain } else { Vec::new() }
        });
        let binary = Binary { brackets: brackets.collect(), chains: chains.collect() };
        let tree = debinarise(&binary, &prepared.words, self.top.as_ref());
        Parsed { tree, binary, probabilities: chosen.iter().map(|chosen| chosen.p).collect() }
    }

    /// The trees of many sentences, in their order.
    pub fn parse_all(&self, sentences: &[Vec<Word>], decode: Decode, workers: &Workers) -> Vec<Parsed> {
        workers.map(sentences, |_, words| self.parse(words, decode))
    }

    /// Writes the parser in one step: the file is there as a whole or not at all.
    pub fn write(&self, path: &Path) -> Result<(), chain::Error> {
        let header = Header { kind: KIND.to_owned(), version: VERSION, notes: self.notes.clone() };
        container::write(path, &header, &self.stored())
    }

    fn stored(&self) -> StoredModel {
        StoredModel {
            options: self.options.clone(),
            vocabulary: self.vocabulary.clone(),
            labels: self.labels.clone(),
            chains: self.chains.clone(),
            top: self.top.clone(),
            index: self.index.clone(),
            weights: Packed::new(&self.weights.values()),
            leaf_index: self.leaf_index.clone(),
            leaf_weights: Packed::new(&self.leaf_weights.values()),
            rules: self.rules.clone(),
        }
    }

    /// Reads a parser; damaged files and other versions are refused with advice.
    pub fn read(path: &Path) -> Result<Model, chain::Error> {
        let (header, stored): (Header, StoredModel) = container::read(path, KIND, VERSION)?;
        let damaged = || chain::Error::File {
            path: path.to_owned(),
            problem: container::Problem::Unreadable {
                kind: KIND.to_owned(),
                reason: "its weights do not belong to its features".to_owned(),
            },
        };
        Model::restore(stored, header.notes).ok_or_else(damaged)
    }

    fn restore(stored: StoredModel, notes: BTreeMap<String, String>) -> Option<Model> {
        let StoredModel { mut index, mut leaf_index, .. } = stored;
        index.restore();
        leaf_index.restore();
        let model = Model {
            weights: Weights::from_values(stored.weights.unpack(index.n_weights())?),
            leaf_weights: Weights::from_values(stored.leaf_weights.unpack(leaf_index.n_weights())?),
            options: stored.options,
            vocabulary: stored.vocabulary,
            labels: stored.labels,
            chains: stored.chains,
            top: stored.top,
            rules: stored.rules,
            index,
            leaf_index,
            notes,
        };
        let is_labelled = model.options.kind != Kind::Lbm || model.labels.len() > 0;
        (model.labels.is_whole() && is_labelled).then_some(model)
    }
}

/// What a parser without labels calls a bracket.
const UNLABELLED: Text = Text::new_static("X");
