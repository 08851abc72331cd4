//! An induced dependency grammar, the file it is kept in, and parsing with it.

use std::collections::BTreeMap;
use std::path::Path;
use tree::PutInOrder;

use arcs::dmv::{DmvSentence, DmvShape};
use chain::container::{self, Header};
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;
use tree::{Heads, Side};

use super::{Dmv, DmvMemory};
use crate::family::Family;

/// The kind of model files.
pub const KIND: &str = "model/dmv";
/// The layout of model files; raised when it changes.
pub const VERSION: u32 = 1;

/// So much of every distribution is even when sentences are parsed, so that an event that never happened rules nothing out.
const EVEN: f64 = 1e-3;

/// The tags that a grammar is over. The last stands for all that were not seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tags {
    names: Vec<SmolStr>,
}

impl Tags {
    /// The tags of sentences, in the order in which they come.
    pub fn new<'a>(tags: impl IntoIterator<Item = &'a str>) -> Tags {
        let mut names = indexmap::IndexSet::new();
        for tag in tags {
            if !names.contains(tag) {
                names.insert(SmolStr::new(tag));
            }
        }
        Tags { names: names.into_iter().collect() }
    }

    /// The names of those that were seen.
    pub fn names(&self) -> &[SmolStr] {
        &self.names
    }

    /// The number of tags, with the one for all others.
    pub fn len(&self) -> usize {
        self.names.len() + 1
    }

    /// Whether none was seen.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Whether a tag was seen.
    pub fn knows(&self, tag: &str) -> bool {
        self.names.iter().any(|name| name == tag)
    }

    /// A sentence as grammars see it.
    pub fn number<'a>(&self, tags: impl IntoIterator<Item = &'a str>) -> DmvSentence {
        let number = |tag: &str| self.names.iter().position(|name| name == tag).unwrap_or(self.names.len());
        let numbers: Vec<u32> = tags.into_iter().map(|tag| number(tag) as u32).collect();
        DmvSentence::of_tags(&numbers)
    }
}

/// Whether a tag is one of punctuation, in the Penn Treebank or in universal tags.
pub fn is_punctuation(tag: &str) -> bool {
    matches!(tag, "PUNCT" | "." | "," | ":" | "``" | "''" | "-LRB-" | "-RRB-" | "PUNC")
}

/// A grammar and what is known of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DmvModel {
    /// The tags.
    pub tags: Tags,
    /// Whether the first dependent of a side has another distribution than those further out.
    pub valence: bool,
    /// θ, by event.
    pub grammar: Vec<f64>,
    /// Whether tags are those of the language (XPOS) and not the universal ones.
    pub fine_tags: bool,
    /// Whether punctuation is left out.
    pub punctuation: bool,
    /// Covariances of natural parameters, if the estimator has them: for each distribution row by row.
    pub covariance: Option<Vec<f64>>,
    /// How the grammar came about.
    pub notes: BTreeMap<String, String>,
}

/// How trees are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TreeDecode {
    /// The most probable tree.
    Viterbi,
    /// The tree with the most arcs that are expected to be right.
    #[default]
    Mbr,
}

/// What a tag does as a head.
#[derive(Debug, Clone, PartialEq)]
pub struct Portrait {
    /// The tag.
    pub tag: SmolStr,
    /// The probability of being the root, when the root takes a word.
    pub root: f64,
    /// The expected number of dependents on the left and on the right.
    pub dependents: [f64; 2],
    /// The probability of having any dependent on the left and on the right.
    pub any: [f64; 2],
    /// The tags it takes most, on the left and on the right, most probable first.
    pub takes: [Vec<(SmolStr, f64)>; 2],
}

/// Two tags whose natural parameters go together.
#[derive(Debug, Clone, PartialEq)]
pub struct Correlation {
    /// The head, and its side; none for the root.
    pub head: Option<(SmolStr, Side)>,
    /// The tags.
    pub tags: (SmolStr, SmolStr),
    /// From −1 to 1.
    pub value: f64,
}

impl DmvModel {
    /// The family of the grammar.
    pub fn family(&self) -> Dmv {
        Dmv::new(self.tags.len(), self.valence)
    }

    /// The grammar that sentences are parsed with: no event is impossible.
    pub fn smoothed(&self) -> Vec<f64> {
        self.family().rows().mixed(&self.grammar, EVEN)
    }

    /// The tree of a sentence, and for each word the probability of its arc. `grammar` is [`DmvModel::smoothed`].
    pub fn parse(
        &self,
        family: &Dmv,
        grammar: &[f64],
        sentence: &DmvSentence,
        decode: TreeDecode,
        memory: &mut DmvMemory,
    ) -> Option<(Heads, Vec<f64>)> {
        let heads = match decode {
            TreeDecode::Viterbi => family.viterbi(sentence, grammar, memory)?.0,
            TreeDecode::Mbr => family.mbr(sentence, grammar, memory)?,
        };
        let arcs = family.arcs(sentence, grammar, memory);
        let width = sentence.len() + 1;
        let sure = heads
            .iter()
            .enumerate()
            .map(|(word, &head)| arcs[word * width + head as usize].min(1.0))
            .collect();
        Some((Heads::new(heads).ok()?, sure))
    }

    /// What each tag does as a head, the most probable root first.
    pub fn portraits(&self) -> Vec<Portrait> {
        let (family, n_tags) = (self.family(), self.tags.names.len() as u32);
        let shape = *family.shape();
        let mut portraits: Vec<Portrait> = (0..n_tags).map(|tag| self.portrait(&shape, tag)).collect();
        portraits.order_by(|a, b| b.root.total_cmp(&a.root));
        portraits
    }

    fn portrait(&self, shape: &DmvShape, tag: u32) -> Portrait {
        const MOST: usize = 5;
        let sides = [Side::Left, Side::Right];
        let go = |side, has| self.grammar[shape.stop(tag, side, has, false)];
        // With g₀ the chance of a first dependent and g₁ that of each further one, g₀ / (1 − g₁) are expected.
        let expected = |side| go(side, false) / (1.0 - go(side, true)).max(1e-9);
        let takes = |side| {
            let names = self.tags.names.iter().enumerate();
            let mut takes: Vec<(SmolStr, f64)> = names
                .map(|(at, name)| (name.clone(), self.grammar[shape.choice(tag, side, false, at as u32)]))
                .collect();
            takes.order_by(|a, b| b.1.total_cmp(&a.1));
            takes.truncate(MOST);
            takes
        };
        Portrait {
            tag: self.tags.names[tag as usize].clone(),
            root: self.grammar[shape.root(tag)],
            dependents: sides.map(expected),
            any: sides.map(|side| go(side, false)),
            takes: sides.map(takes),
        }
    }

    /// The strongest correlations between natural parameters of choices, the strongest first.
    pub fn correlations(&self, most: usize) -> Vec<Correlation> {
        let mut all = Vec::new();
        self.each_choice_matrix(|head, matrix| {
            let n = self.tags.len();
            for i in 0..n - 1 {
                for j in i + 1..n - 1 {
                    let scale = (matrix[i * n + i] * matrix[j * n + j]).sqrt();
                    let value = if scale > 0.0 { matrix[i * n + j] / scale } else { 0.0 };
                    let tags = (self.tags.names[i].clone(), self.tags.names[j].clone());
                    all.push(Correlation { head: head.clone(), tags, value });
                }
            }
        });
        all.order_by(|a, b| b.value.abs().total_cmp(&a.value.abs()));
        all.truncate(most);
        all
    }

    /// Correlations between the natural parameters of choosing two tags, averaged over all heads and sides: a square, row by
    /// row, over the tags that were seen; `None` if the grammar has no covariances.
    pub fn mean_correlation(&self) -> Option<Vec<f64>> {
        self.covariance.as_ref()?;
        let (seen, n) = (self.tags.names.len(), self.tags.len());
        let (mut sums, mut count) = (vec![0.0; seen * seen], 0.0);
        self.each_choice_matrix(|_, matrix| {
            count += 1.0;
            for (at, sum) in sums.iter_mut().enumerate() {
                let (i, j) = (at / seen, at % seen);
                *sum += matrix[i * n + j] / (matrix[i * n + i] * matrix[j * n + j]).sqrt();
            }
        });
        Some(sums.iter().map(|sum| sum / count).collect())
    }

    fn each_choice_matrix(&self, mut visit: impl FnMut(Option<(SmolStr, Side)>, &[f64])) {
        let Some(covariance) = &self.covariance else { return };
        let family = self.family();
        let (n, mut at) = (self.tags.len(), 0);
        for (row, range) in family.rows().ranges().enumerate() {
            let matrix = &covariance[at..at + range.len() * range.len()];
            at += matrix.len();
            let head = family.head_of_choice(row);
            let seen = head.is_none_or(|(head, _)| (head as usize) < n - 1);
            if range.len() == n && family.is_over_tags(row) && seen {
                visit(head.map(|(head, side)| (self.tags.names[head as usize].clone(), side)), matrix);
            }
        }
    }

    /// Writes the model.
    pub fn write(&self, path: &Path) -> Result<(), chain::Error> {
        let header = Header { kind: KIND.into(), version: VERSION, notes: self.notes.clone() };
        container::write(path, &header, self)
    }

    /// Reads a model.
    pub fn read(path: &Path) -> Result<DmvModel, chain::Error> {
        container::read(path, KIND, VERSION).map(|(_, model): (_, DmvModel)| model)
    }
}
