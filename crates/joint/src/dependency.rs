//! Dependency parsers (Naradowsky 2015, §3.6): a variable for each arc, scores of arcs, and a factor that allows only
//! trees. That much is exact. The second order adds scores of two arcs that share a word, siblings and a grandparent with its
//! grandchild, between arcs that the first order does not rule out; then there are cycles.

#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

use arcs::{ArcScores, Marginals, Roots};
use bp::learn::Features;
use bp::structured::Trees;
use bp::{Evidence, Graph, Messages, Outcome, Variable};
use chain::descent::{Gradient, Learning, Rule, Weights};
use chain::workers::Workers;
use features::Index;
use num::packed::Packed;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use tree::Heads;

use crate::arcs::{Coded, Seen};
use crate::error::{check_length, impossible_in};
use crate::links::{Links, TreeShape, Within, best_tree};
use crate::tagging::check_tree;
use crate::training::{Course, EpochProgress, Examples, GradientScratch, learn};
use crate::{Error, Sentence};

/// What a parser looks like.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Options {
    /// Whether trees have no crossing arcs.
    pub projective: bool,
    /// 1 for arcs alone, 2 also for pairs of arcs.
    pub order: u8,
    /// Arcs that are less probable than this in the first order have no part in pairs.
    pub threshold: f64,
    /// How messages are passed where there are cycles.
    pub propagation: bp::Options,
    /// If there is a number, features share 2 to the power of it weights, as their keys fall.
    pub hash: Option<u8>,
    /// How weights are learned; the second order takes half of the epochs after those of the first.
    pub learning: Learning,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            projective: false,
            order: 1,
            threshold: 0.02,
            hash: None,
            propagation: bp::Options { most: 10, ..bp::Options::default() },
            learning: Learning {
                rule: Rule::AdaGrad,
                epochs: 10,
                rate: 0.2,
                l2: 0.1,
                batch: 8,
                average: true,
            },
        }
    }
}

/// A parser.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "StoredParser", into = "StoredParser")]
pub struct Parser {
    settings: Options,
    roots: Roots,
    seen: Seen,
    index: Index,
    /// Weights of the first order alone, which say between which arcs there are pairs.
    first: Weights,
    /// Weights of everything; those of the first order if there is no more.
    weights: Weights,
}

/// What a parser says of a sentence.
#[derive(Debug, Clone)]
pub struct DependencyParse {
    /// The tree with the fewest expected errors.
    pub heads: Heads,
    /// How probable each arc is.
    pub arcs: Marginals,
    /// How it was found.
    pub outcome: Outcome,
}

impl Parser {
    /// Learns a parser from heads, all or some of them known. A run goes on from `start`, the state of the stage that it
    /// names: 1 or 2.
    pub fn train(
        sentences: &[Sentence],
        settings: &Options,
        seed: u64,
        start: Option<&Checkpoint>,
        workers: &Workers,
        mut observe: impl FnMut(u8, Option<&Weights>, &EpochProgress<'_>) -> ControlFlow<()>,
    ) -> Result<Parser, Error> {
        let is_usable = |sentence: &&Sentence| {
            sentence.len() <= crate::LONGEST && sentence.heads.iter().any(Option::is_some)
        };
        let usable: Vec<&Sentence> = sentences.iter().filter(is_usable).collect();
        let mut parser = Parser::prepare(&usable, settings)?;
        let stage_one = start.filter(|start| start.first.is_none()).map(|start| &start.course);
        let done = start.and_then(|start| start.first.as_ref());
        parser.first = match done {
            Some(first) => Weights::from_values(
                first
                    .unpack(parser.index.n_weights())
                    .ok_or(Error::OtherRun { reason: "it has other features" })?,
            ),
            None => {
                let stage = ParserTraining { parser: &parser, sentences: &usable, stage: 1 };
                learn(&stage, settings.learning, stage_one, seed, workers, |progress| {
                    observe(1, None, progress)
                })?
            }
        };
        parser.weights = parser.first.clone();
        if settings.order > 1 {
            parser.index_pairs(&usable)?;
            let learning = Learning { epochs: settings.learning.epochs.div_ceil(2), ..settings.learning };
            let stage_two = start.filter(|start| start.first.is_some()).map(|start| &start.course);
            let stage = ParserTraining { parser: &parser, sentences: &usable, stage: 2 };
            let first = parser.first.clone();
            let observe = |progress: &EpochProgress<'_>| observe(2, Some(&first), progress);
            parser.weights = learn(&stage, learning, stage_two, seed, workers, observe)?;
        }
        Ok(parser)
    }

    fn prepare(sentences: &[&Sentence], settings: &Options) -> Result<Parser, Error> {
        if sentences.is_empty() {
            return Err(Error::NothingToLearn { wanted: "no word has a head" });
        }
        let (mut seen, mut roots, mut index) = (Seen::default(), Roots::One, crate::index(settings.hash));
        for (number, sentence) in sentences.iter().enumerate() {
            seen.insert(sentence);
            check_tree(number, sentence, settings.projective, &mut roots)?;
        }
        let mut keys = Vec::new();
        for sentence in sentences {
            let coded = seen.code(sentence);
            for word in 1..=sentence.len() {
                if let Some(head) = sentence.head(word) {
                    coded.arc_keys(head, word, &mut keys);
                    keys.iter().try_for_each(|&key| {
                        index.insert(key, 1).map(|_| ()).ok_or(Error::TooManyFeatures)
                    })?;
                }
            }
        }
        let none = || Weights::zero(0);
        Ok(Parser { settings: *settings, roots, seen, index, first: none(), weights: none() })
    }

    /// Rows for the features of pairs of arcs that are in known trees.
    fn index_pairs(&mut self, sentences: &[&Sentence]) -> Result<(), Error> {
        let mut keys = Vec::new();
        for sentence in sentences {
            let coded = self.seen.code(sentence);
            let heads: Vec<Option<usize>> = (1..=sentence.len()).map(|word| sentence.head(word)).collect();
            let there = |head: usize, word: usize| heads[word - 1] == Some(head);
            let known = Trees::all_arcs(sentence.len())
                .into_iter()
                .filter(|arc| there(arc.0 as usize, arc.1 as usize));
            for (kind, words, _) in pairs(&known.collect::<Vec<_>>()) {
                coded.pair_keys(kind, words, &mut keys);
                for &key in &keys {
                    self.index.insert(key, 1).ok_or(Error::TooManyFeatures)?;
                }
            }
        }
        Ok(())
    }

    /// The settings it was trained with.
    pub fn settings(&self) -> &Options {
        &self.settings
    }

    /// How many weights it has.
    pub fn n_weights(&self) -> usize {
        self.weights.len()
    }

    /// Parses a sentence; heads that are known are kept.
    pub fn parse(&self, sentence: &Sentence, messages: &mut Messages) -> Result<DependencyParse, Error> {
        let known = |head: usize, word: usize| sentence.head(word).is_none_or(|known| known == head);
        let within = Within { shape: self.shape(), allowed: &known };
        let (arcs, outcome) = self.arcs_within(sentence, &within, messages)?;
        let best = best_tree(&arcs, sentence, self.shape());
        let heads =
            best.ok_or_else(|| Error::Impossible { reason: "no tree has the heads that are known".into() })?;
        Ok(DependencyParse { heads, arcs, outcome })
    }

    /// How probable each arc is among these trees, whatever heads the sentence has.
    pub fn arcs_within(
        &self,
        sentence: &Sentence,
        within: &Within<'_>,
        messages: &mut Messages,
    ) -> Result<(Marginals, Outcome), Error> {
        check_length(sentence)?;
        let n = sentence.len();
        let coded = self.seen.code(sentence);
        let mut laid = self.lay(&coded, &self.first, (None, within.shape))?;
        let mut outcome = Outcome { is_exact: true, has_converged: true, sweeps: 0 };
        if n > 0 {
            outcome = self.run(&laid, sentence, within, messages)?;
        }
        if self.settings.order > 1 && n > 1 {
            let kept = self.kept(&laid, messages, within);
            laid = self.lay(&coded, &self.weights, (Some(&kept), within.shape))?;
            outcome = self.run(&laid, sentence, within, messages)?;
        }
        Ok((laid.links.marginals(&laid.graph, messages), outcome))
    }

    /// The scores of all arcs in the first order, which is all there is to a parser of that order.
    pub fn scores(&self, sentence: &Sentence) -> Result<ArcScores, Error> {
        check_length(sentence)?;
        let (coded, mut keys) = (self.seen.code(sentence), Vec::new());
        let mut scores = ArcScores::new(sentence.len());
        for (head, word) in Trees::all_arcs(sentence.len()) {
            coded.arc_keys(head as usize, word as usize, &mut keys);
            let rows = keys.iter().filter_map(|&key| self.index.get(key, 1));
            let score = rows.map(|row| self.first.get(row as usize)).sum();
            scores.set(head as usize, word as usize, score);
        }
        Ok(scores)
    }

    fn run(
        &self,
        laid: &ParserGraph,
        sentence: &Sentence,
        within: &Within<'_>,
        messages: &mut Messages,
    ) -> Result<Outcome, Error> {
        let mut evidence = Evidence::none(&laid.graph);
        laid.links.allow(within, &mut evidence);
        messages
            .run(&laid.graph, &evidence, &self.settings.propagation)
            .map_err(|error| impossible_in(sentence, error))
    }

    /// Which arcs have a part in pairs: those that are not too improbable, and those that are known.
    fn kept(&self, laid: &ParserGraph, messages: &Messages, within: &Within<'_>) -> Vec<bool> {
        let sole = within.sole_heads(laid.links.n_words());
        let probable = laid.links.variables.iter().map(|link| messages.probability(&laid.graph, link.is(1)));
        let known = laid.links.arcs.iter().map(|arc| sole[arc.1 as usize - 1] == Some(arc.0 as usize));
        probable.zip(known).map(|(p, known)| known || p >= self.settings.threshold).collect()
    }

    /// Lays the model over a sentence, with pairs of those arcs that are kept, for trees of a shape.
    fn lay(
        &self,
        coded: &Coded,
        weights: &Weights,
        (kept, shape): (Option<&[bool]>, TreeShape),
    ) -> Result<ParserGraph, Error> {
        let (mut graph, mut features) = (Graph::new(), Features::new());
        let links = Links::new(coded.len(), &mut graph);
        let mut keys = Vec::new();
        for (&(head, word), &link) in links.arcs.iter().zip(&links.variables) {
            coded.arc_keys(head as usize, word as usize, &mut keys);
            let scores = graph.unary(link, &[0.0]);
            features.push(scores, keys.iter().filter_map(|&key| self.index.get(key, 1)));
        }
        if let Some(kept) = kept {
            self.lay_pairs(coded, &links, kept, (&mut graph, &mut features));
        }
        links.form_trees(shape, &mut graph);
        let mut graph = graph.finish()?;
        let mut scores = graph.all_scores().to_vec();
        features.score(weights, &mut scores);
        graph.rescore(&scores)?;
        Ok(ParserGraph { graph, features, links })
    }

    /// Adds scores of pairs of arcs that are kept.
    fn lay_pairs(
        &self,
        coded: &Coded,
        links: &Links,
        kept: &[bool],
        (graph, features): (&mut Graph, &mut Features),
    ) {
        let all = links.arcs.iter().copied().zip(links.variables.iter().copied());
        let kept: Vec<((u32, u32), Variable)> =
            all.zip(kept).filter(|(_, kept)| **kept).map(|(arc, _)| arc).collect();
        let places: FxHashMap<(u32, u32), Variable> = kept.iter().copied().collect();
        let arcs: Vec<(u32, u32)> = kept.iter().map(|(arc, _)| *arc).collect();
        let mut keys = Vec::new();
        for (kind, words, [one, two]) in pairs(&arcs) {
            coded.pair_keys(kind, words, &mut keys);
            let rows: Vec<u32> = keys.iter().filter_map(|&key| self.index.get(key, 1)).collect();
            if !rows.is_empty() {
                let scores = graph.nand(&[places[&one].is(1), places[&two].is(1)], 0.0);
                features.push(scores, rows);
            }
        }
    }

    /// The trees that it was trained to find.
    pub fn shape(&self) -> TreeShape {
        TreeShape { roots: self.roots, projective: self.settings.projective }
    }
}

/// A checkpoint of training: the course, and the weights of the first order once they are done.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Checkpoint {
    /// Weights of the first order, if the course is of the second.
    pub first: Option<Packed>,
    /// The course.
    pub course: Course,
}

#[derive(Debug)]
struct ParserGraph {
    graph: Graph,
    features: Features,
    links: Links,
}

/// Two arcs that share a word: kind 0 for siblings on one side of their head, 1 for a head's own head; the words that
/// features look at, and the arcs.
type Pair = (u32, [usize; 3], [(u32, u32); 2]);

fn pairs(arcs: &[(u32, u32)]) -> Vec<Pair> {
    let mut by_head: FxHashMap<u32, Vec<(u32, u32)>> = FxHashMap::default();
    arcs.iter().for_each(|&arc| by_head.entry(arc.0).or_default().push(arc));
    let mut pairs = Vec::new();
    for &one in arcs {
        let (head, word) = one;
        let siblings = by_head.get(&head).into_iter().flatten();
        for &two in siblings.filter(|two| two.1 > word && (two.1 < head) == (word < head)) {
            // The one nearer to the head comes first.
            let (near, far) = if word < head { (two, one) } else { (one, two) };
            pairs.push((0, [head as usize, near.1 as usize, far.1 as usize], [near, far]));
        }
        for &two in by_head.get(&word).into_iter().flatten().filter(|two| two.1 != head) {
            pairs.push((1, [head as usize, word as usize, two.1 as usize], [one, two]));
        }
    }
    pairs
}

struct ParserTraining<'a> {
    parser: &'a Parser,
    sentences: &'a [&'a Sentence],
    stage: u8,
}

impl Examples for ParserTraining<'_> {
    fn n_examples(&self) -> usize {
        self.sentences.len()
    }

    fn n_weights(&self) -> usize {
        self.parser.index.n_weights()
    }

    fn gradient(
        &self,
        example: usize,
        weights: &Weights,
        scratch: &mut GradientScratch,
    ) -> Result<Gradient, Error> {
        let (parser, sentence) = (self.parser, self.sentences[example]);
        let coded = parser.seen.code(sentence);
        let propagation = &parser.settings.propagation;
        let kept = match self.stage {
            1 => None,
            _ => {
                let first = parser.lay(&coded, &parser.first, (None, parser.shape()))?;
                scratch.messages.run(&first.graph, &Evidence::none(&first.graph), propagation)?;
                let known = |head: usize, word: usize| sentence.head(word).is_none_or(|known| known == head);
                let within = Within { shape: parser.shape(), allowed: &known };
                Some(parser.kept(&first, &scratch.messages, &within))
            }
        };
        let laid = parser.lay(&coded, weights, (kept.as_deref(), parser.shape()))?;
        let free = Evidence::none(&laid.graph);
        let mut clamped = free.clone();
        laid.links.know(sentence, &mut clamped);
        scratch.gradient(sentence, (&laid.graph, &laid.features), (&clamped, &free), propagation)
    }
}

/// A parser as a file has it.
#[derive(Serialize, Deserialize)]
struct StoredParser {
    settings: Options,
    roots: Roots,
    seen: Seen,
    index: Index,
    first: Packed,
    n_first: u64,
    weights: Packed,
}

impl From<Parser> for StoredParser {
    fn from(parser: Parser) -> StoredParser {
        let Parser { settings, roots, seen, index, first, weights } = parser;
        let n_first = first.len() as u64;
        let pack = |weights: &Weights| Packed::new(&weights.values());
        StoredParser { settings, roots, seen, index, first: pack(&first), n_first, weights: pack(&weights) }
    }
}

impl TryFrom<StoredParser> for Parser {
    type Error = &'static str;

    fn try_from(stored: StoredParser) -> Result<Parser, Self::Error> {
        let StoredParser { settings, roots, seen, mut index, first, n_first, weights } = stored;
        let unpack = |weights: Packed, n: usize| {
            let values = weights.unpack(n).filter(|values| values.iter().all(|value| value.is_finite()));
            values.map(Weights::from_values).ok_or("the weights of a parser are damaged")
        };
        let n_first = usize::try_from(n_first).map_err(|_| "a parser is damaged")?;
        let (first, weights) = (unpack(first, n_first)?, unpack(weights, index.n_weights())?);
        index.restore();
        Ok(Parser { settings, roots, seen, index, first, weights })
    }
}
