//! Taggers with and without syntax (Naradowsky 2015, chapter 2).
//!
//! A word has one variable for its tag, with scores from the word; neighbours are joined by a table of tag pairs, which
//! alone makes an exact chain. With syntax every arc has a variable, all of them one factor that allows only trees, and
//! every arc opens a table of the tags of its head and its dependent: a second neighbourhood that need not be beside.
//! That graph has cycles, and its beliefs are those of loopy propagation.
//!
//! ```
//! use bp::Messages;
//! use chain::Workers;
//! use joint::Sentence;
//! use joint::tagging::{Options, Tagger};
//! use std::ops::ControlFlow;
//!
//! let sentence = |forms: [&str; 2], tags: [&str; 2]| Sentence {
//!     forms: forms.map(Into::into).to_vec(),
//!     tags: tags.map(|tag| Some(tag.into())).to_vec(),
//!     ..Sentence::default()
//! };
//! let known = [sentence(["dogs", "bark"], ["N", "V"]), sentence(["cats", "sleep"], ["N", "V"])];
//! let go_on = |_: &joint::training::EpochProgress<'_>| ControlFlow::Continue(());
//! let tagger = Tagger::train(&known, &Options::default(), 0, None, &Workers::serial(), go_on)?;
//! let tagged = tagger.tag(&known[0], &mut Messages::default())?;
//! assert!(tagged.outcome.is_exact); // A chain has no cycles.
//! # Ok::<(), joint::Error>(())
//! ```

mod features;
mod graph;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

use ::features::Index;
use arcs::{Marginals, Roots};
use bp::{Evidence, Messages, Outcome};
use chain::descent::{Gradient, Learning, Rule, Weights};
use chain::workers::Workers;
use num::packed::Packed;
use serde::{Deserialize, Serialize};
use tree::{Heads, Text};

use crate::arcs::Seen;
use crate::codes::Codes;
use crate::error::{check_length, impossible_in};
use crate::links::{TreeShape, Within, best_tree};
use crate::training::{Course, EpochProgress, Examples, GradientScratch, learn};
use crate::{Error, Mode, Sentence};

/// What a tagger looks like.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Options {
    /// What is known of syntax.
    pub mode: Mode,
    /// Whether neighbours are joined.
    pub chain: bool,
    /// What is seen of a word.
    pub sight: Sight,
    /// How tags are put into variables.
    pub encoding: Encoding,
    /// Whether trees have no crossing arcs.
    pub projective: bool,
    /// How messages are passed where there are cycles.
    pub propagation: bp::Options,
    /// How weights are learned.
    pub learning: Learning,
    /// Features of arcs that fewer arcs have are left out.
    pub least: u32,
    /// If there is a number, features share 2 to the power of it weights, as their keys fall.
    pub hash: Option<u8>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            mode: Mode::Supervised,
            chain: true,
            sight: Sight::Rich,
            encoding: Encoding::Values,
            projective: false,
            propagation: bp::Options { most: 50, ..bp::Options::default() },
            learning: Learning {
                rule: Rule::AdaGrad,
                epochs: 15,
                rate: 0.2,
                l2: 0.1,
                batch: 8,
                average: true,
            },
            least: 2,
            hash: None,
        }
    }
}

/// What is seen of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sight {
    /// The word itself and its class, as in the thesis.
    Words,
    /// Also its ends, its shape and the words beside it.
    #[default]
    Rich,
}

/// How tags are put into variables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Encoding {
    /// One variable for each word, whose values are the tags: a chain is exact.
    #[default]
    Values,
    /// One Boolean for each word and tag, as in the thesis: even a chain has cycles. For comparison.
    Booleans,
}

/// A tagger.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "StoredTagger", into = "StoredTagger")]
pub struct Tagger {
    settings: Options,
    roots: Roots,
    tags: Codes,
    seen: Seen,
    index: Index,
    weights: Weights,
}

/// What a tagger says of a sentence.
#[derive(Debug, Clone)]
pub struct Tagged {
    /// The most probable tag of each word.
    pub tags: Vec<Text>,
    /// How probable it is.
    pub probabilities: Vec<f64>,
    /// How probable each arc is, if the model has syntax.
    pub arcs: Option<Marginals>,
    /// The tree with the fewest expected errors, if the model has syntax.
    pub heads: Option<Heads>,
    /// How it was found.
    pub outcome: Outcome,
}

impl Tagger {
    /// Learns a tagger. `observe` is told of every epoch and may end training; a run goes on from `start`.
    pub fn train(
        sentences: &[Sentence],
        settings: &Options,
        seed: u64,
        start: Option<&Course>,
        workers: &Workers,
        observe: impl FnMut(&EpochProgress<'_>) -> ControlFlow<()>,
    ) -> Result<Tagger, Error> {
        let mut tagger = Tagger::prepare(sentences, settings)?;
        let fits = |sentence: &Sentence| !settings.mode.has_syntax() || sentence.len() <= crate::LONGEST;
        let is_usable = |sentence: &&Sentence| fits(sentence) && sentence.tags.iter().any(Option::is_some);
        let usable: Vec<&Sentence> = sentences.iter().filter(is_usable).collect();
        if usable.is_empty() {
            return Err(Error::NothingToLearn { wanted: "all that have tags have more than 300 words" });
        }
        tagger.index = features::index(&tagger, &usable)?;
        let training = TaggerTraining { tagger: &tagger, sentences: &usable };
        let weights = learn(&training, settings.learning, start, seed, workers, observe)?;
        tagger.weights = weights;
        Ok(tagger)
    }

    fn prepare(sentences: &[Sentence], settings: &Options) -> Result<Tagger, Error> {
        let (mut tags, mut seen) = (Codes::default(), Seen::default());
        let mut roots = Roots::One;
        for (number, sentence) in sentences.iter().enumerate() {
            seen.insert(sentence);
            sentence.tags.iter().flatten().for_each(|tag| {
                tags.insert(tag);
            });
            if settings.mode.has_syntax() && settings.mode != Mode::Hidden {
                check_tree(number, sentence, settings.projective, &mut roots)?;
            }
        }
        match tags.len() {
            0 => return Err(Error::NothingToLearn { wanted: "no word has a tag" }),
            1 => {
                return Err(Error::OneTag { tag: tags.name(1).map(ToString::to_string).unwrap_or_default() });
            }
            _ => {}
        }
        let (index, weights) = (Index::growing(), Weights::zero(0));
        Ok(Tagger { settings: *settings, roots, tags, seen, index, weights })
    }

    /// The settings it was trained with.
    pub fn settings(&self) -> &Options {
        &self.settings
    }

    /// The tags it knows.
    pub fn tags(&self) -> impl Iterator<Item = &Text> {
        self.tags.names()
    }

    /// The scores of pairs of tags along arcs, by the head's tag, then by the dependent's; empty without syntax.
    pub fn connected(&self) -> Vec<Vec<f64>> {
        let n = self.tags.len();
        let Some(row) = self.index.get(features::CONNECTED, n * n) else { return Vec::new() };
        let weight = |at: usize| self.weights.get(row as usize + at);
        (0..n).map(|head| (0..n).map(|tag| weight(head * n + tag)).collect()).collect()
    }

    /// How many weights it has.
    pub fn n_weights(&self) -> usize {
        self.weights.len()
    }

    /// Tags a sentence. Tags and heads that it has are taken for known; with known trees all heads have to be there.
    pub fn tag(&self, sentence: &Sentence, messages: &mut Messages) -> Result<Tagged, Error> {
        if sentence.is_empty() {
            let outcome = Outcome { is_exact: true, has_converged: true, sweeps: 0 };
            return Ok(Tagged { tags: vec![], probabilities: vec![], arcs: None, heads: None, outcome });
        }
        if self.settings.mode.has_syntax() {
            check_length(sentence)?;
        }
        if self.settings.mode == Mode::Oracle
            && let Some(word) = (1..=sentence.len()).find(|&word| sentence.head(word).is_none())
        {
            return Err(Error::NoTree { word });
        }
        let known = |head: usize, word: usize| sentence.head(word).is_none_or(|known| known == head);
        let within = Within { shape: self.shape(), allowed: &known };
        let (laid, outcome) = self.run(sentence, &within, messages)?;
        let best: Vec<(u32, f64)> = (0..sentence.len()).map(|word| laid.best_tag(messages, word)).collect();
        let has_syntax = self.settings.mode.has_syntax();
        let arcs = has_syntax.then(|| laid.links.marginals(&laid.graph, messages));
        let heads = arcs.as_ref().and_then(|arcs| best_tree(arcs, sentence, self.shape()));
        Ok(Tagged {
            tags: best.iter().filter_map(|best| self.tags.name(best.0 + 1).cloned()).collect(),
            probabilities: best.iter().map(|best| best.1).collect(),
            arcs,
            heads,
            outcome,
        })
    }

    /// How probable each arc is among these trees, whatever heads the sentence has, while tags that it has are known; nothing
    /// is probable in a model without syntax.
    pub fn arcs_within(
        &self,
        sentence: &Sentence,
        within: &Within<'_>,
        messages: &mut Messages,
    ) -> Result<(Marginals, Outcome), Error> {
        check_length(sentence)?;
        if sentence.is_empty() {
            return Ok((Marginals::zero(0), Outcome { is_exact: true, has_converged: true, sweeps: 0 }));
        }
        let (laid, outcome) = self.run(sentence, within, messages)?;
        Ok((laid.links.marginals(&laid.graph, messages), outcome))
    }

    fn run(
        &self,
        sentence: &Sentence,
        within: &Within<'_>,
        messages: &mut Messages,
    ) -> Result<(graph::TaggerGraph, Outcome), Error> {
        let laid = self.lay(sentence, &self.weights, within.shape)?;
        let mut evidence = Evidence::none(&laid.graph);
        laid.know_tags(&self.tags, sentence, &mut evidence);
        laid.links.allow(within, &mut evidence);
        let run = messages.run(&laid.graph, &evidence, &self.settings.propagation);
        let outcome = run.map_err(|error| impossible_in(sentence, error))?;
        Ok((laid, outcome))
    }

    /// The trees that it was trained to find.
    pub fn shape(&self) -> TreeShape {
        TreeShape { roots: self.roots, projective: self.settings.projective }
    }
}

/// Names the sentence whose tree cannot be, and sees whether sentences have several roots.
pub(crate) fn check_tree(
    number: usize,
    sentence: &Sentence,
    projective: bool,
    roots: &mut Roots,
) -> Result<(), Error> {
    let heads: Option<Vec<u32>> = sentence.heads.iter().copied().collect();
    let Some(heads) = heads.filter(|heads| heads.len() == sentence.len()) else { return Ok(()) };
    let fault = |reason: String| Error::Impossible { reason: format!("sentence {}: {reason}", number + 1) };
    let heads = Heads::new(heads).map_err(|error| fault(error.to_string()))?;
    if projective && !heads.is_projective() {
        return Err(fault("arcs cross, which trees without crossing arcs do not allow".to_string()));
    }
    if heads.n_roots() > 1 {
        *roots = Roots::Many;
    }
    Ok(())
}

struct TaggerTraining<'a> {
    tagger: &'a Tagger,
    sentences: &'a [&'a Sentence],
}

impl Examples for TaggerTraining<'_> {
    fn n_examples(&self) -> usize {
        self.sentences.len()
    }

    fn n_weights(&self) -> usize {
        self.tagger.index.n_weights()
    }

    fn gradient(
        &self,
        example: usize,
        weights: &Weights,
        scratch: &mut GradientScratch,
    ) -> Result<Gradient, Error> {
        let sentence = self.sentences[example];
        let settings = &self.tagger.settings;
        let laid = self.tagger.lay(sentence, weights, self.tagger.shape())?;
        let mut free = Evidence::none(&laid.graph);
        if settings.mode == Mode::Oracle {
            laid.links.know(sentence, &mut free);
        }
        let mut clamped = free.clone();
        laid.know_tags(&self.tagger.tags, sentence, &mut clamped);
        if settings.mode == Mode::Joint {
            laid.links.know(sentence, &mut clamped);
        }
        scratch.gradient(sentence, (&laid.graph, &laid.features), (&clamped, &free), &settings.propagation)
    }
}

/// A tagger as a file has it.
#[derive(Serialize, Deserialize)]
struct StoredTagger {
    settings: Options,
    roots: Roots,
    tags: Codes,
    seen: Seen,
    index: Index,
    weights: Packed,
}

impl From<Tagger> for StoredTagger {
    fn from(tagger: Tagger) -> StoredTagger {
        let Tagger { settings, roots, tags, seen, index, weights } = tagger;
        StoredTagger { settings, roots, tags, seen, index, weights: Packed::new(&weights.values()) }
    }
}

impl TryFrom<StoredTagger> for Tagger {
    type Error = &'static str;

    fn try_from(stored: StoredTagger) -> Result<Tagger, Self::Error> {
        let StoredTagger { settings, roots, tags, seen, mut index, weights } = stored;
        let weights = weights.unpack(index.n_weights()).ok_or("the weights of a tagger are damaged")?;
        if tags.len() < 2 || !weights.iter().all(|weight| weight.is_finite()) {
            return Err("a tagger is damaged");
        }
        index.restore();
        Ok(Tagger { settings, roots, tags, seen, index, weights: Weights::from_values(weights) })
    }
}
