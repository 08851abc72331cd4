//! A sentence as a graph.

use bp::learn::Features;
use bp::{Evidence, Graph, Literal, Messages, Scores, Variable};
use chain::descent::Weights;

use super::features::{CONNECTED, NEIGHBOURS, word_keys};
use super::{Encoding, Mode, Tagger};
use crate::arcs::Coded;
use crate::codes::Codes;
use crate::links::{Links, TreeShape};
use crate::{Error, Sentence};

/// A graph with its variables and features.
#[derive(Debug)]
pub(super) struct TaggerGraph {
    pub(super) graph: Graph,
    pub(super) features: Features,
    /// One variable for each word, or one for each word and tag.
    tags: Vec<Vec<Variable>>,
    n_tags: usize,
    pub(super) links: Links,
}

impl Tagger {
    /// Lays the model over a sentence that has words.
    pub(super) fn lay(
        &self,
        sentence: &Sentence,
        weights: &Weights,
        shape: TreeShape,
    ) -> Result<TaggerGraph, Error> {
        let coded = self.seen.code(sentence);
        let mut laid = TaggerGraph {
            graph: Graph::new(),
            features: Features::new(),
            tags: Vec::new(),
            n_tags: self.tags.len(),
            links: Links::default(),
        };
        self.lay_tags(sentence, &coded, &mut laid);
        if self.settings.chain {
            let block = self.block(NEIGHBOURS, &mut laid);
            for word in 1..sentence.len() {
                laid.join(word - 1, word, None, block, self.settings.encoding);
            }
        }
        if self.settings.mode.has_syntax() {
            self.lay_arcs(&coded, shape, &mut laid);
        }
        let TaggerGraph { graph, features, .. } = &mut laid;
        let mut finished = std::mem::take(graph).finish()?;
        let mut scores = finished.all_scores().to_vec();
        features.score(weights, &mut scores);
        finished.rescore(&scores)?;
        laid.graph = finished;
        Ok(laid)
    }

    fn lay_tags(&self, sentence: &Sentence, coded: &Coded, laid: &mut TaggerGraph) {
        let (n_tags, mut keys) = (laid.n_tags, Vec::new());
        for word in 1..=sentence.len() {
            word_keys(sentence, coded, self.settings.sight, word, &mut keys);
            let rows: Vec<u32> = keys.iter().filter_map(|&key| self.index.get(key, n_tags)).collect();
            match self.settings.encoding {
                Encoding::Values => {
                    let tag = laid.graph.variable(n_tags);
                    let scores = laid.graph.unary(tag, &vec![0.0; n_tags]);
                    laid.features.push(scores, rows);
                    laid.tags.push(vec![tag]);
                }
                Encoding::Booleans => {
                    let tags: Vec<Variable> = (0..n_tags).map(|_| laid.graph.boolean()).collect();
                    for (at, &tag) in tags.iter().enumerate() {
                        let scores = laid.graph.unary(tag, &[0.0]);
                        laid.features.push(scores, rows.iter().map(|row| row + at as u32));
                    }
                    let literals: Vec<Literal> = tags.iter().map(|tag| tag.is(1)).collect();
                    laid.graph.exactly_one(&literals);
                    laid.tags.push(tags);
                }
            }
        }
    }

    /// Scores of pairs of tags.
    fn block(&self, key: u64, laid: &mut TaggerGraph) -> Scores {
        let n_pairs = laid.n_tags * laid.n_tags;
        let block = laid.graph.scores(&vec![0.0; n_pairs]);
        laid.features.push(block, self.index.get(key, n_pairs));
        block
    }

    fn lay_arcs(&self, coded: &Coded, shape: TreeShape, laid: &mut TaggerGraph) {
        let block = self.block(CONNECTED, laid);
        let links = Links::new(coded.len(), &mut laid.graph);
        let mut keys = Vec::new();
        for (&(head, word), &link) in links.arcs.iter().zip(&links.variables) {
            // Where trees are always known, the scores of arcs are the same in all that is compared.
            if self.settings.mode != Mode::Oracle {
                coded.arc_keys(head as usize, word as usize, &mut keys);
                let scores = laid.graph.unary(link, &[0.0]);
                laid.features.push(scores, keys.iter().filter_map(|&key| self.index.get(key, 1)));
            }
            if head > 0 {
                laid.join(head as usize - 1, word as usize - 1, Some(link), block, self.settings.encoding);
            }
        }
        links.form_trees(shape, &mut laid.graph);
        laid.links = links;
    }
}

impl TaggerGraph {
    /// Joins the tags of two words, always or if an arc is there.
    fn join(
        &mut self,
        first: usize,
        second: usize,
        gate: Option<Variable>,
        block: Scores,
        encoding: Encoding,
    ) {
        match (encoding, gate) {
            (Encoding::Values, None) => {
                self.graph.table_of(&[self.tags[first][0], self.tags[second][0]], block);
            }
            (Encoding::Values, Some(gate)) => {
                self.graph.gated(self.tags[first][0], self.tags[second][0], gate.is(1), block);
            }
            (Encoding::Booleans, _) => {
                for a in 0..self.n_tags {
                    for b in 0..self.n_tags {
                        let pair = [self.tags[first][a].is(1), self.tags[second][b].is(1)];
                        let literals: Vec<Literal> =
                            pair.into_iter().chain(gate.map(|gate| gate.is(1))).collect();
                        self.graph.nand_of(&literals, block.part(a * self.n_tags + b));
                    }
                }
            }
        }
    }

    /// The tags that a sentence has are known.
    pub(super) fn know_tags(&self, codes: &Codes, sentence: &Sentence, evidence: &mut Evidence) {
        for (tag, variables) in sentence.tags.iter().zip(&self.tags) {
            let Some(code) = tag.as_ref().map(|tag| codes.get(tag)).filter(|&code| code > 0) else {
                continue;
            };
            let value = code as usize - 1;
            match variables[..] {
                [tag] => evidence.set(tag.is(value)),
                _ => variables
                    .iter()
                    .enumerate()
                    .for_each(|(at, tag)| evidence.set(tag.is(usize::from(at == value)))),
            }
        }
    }

    /// The most probable tag of a word, from 0, and its probability.
    pub(super) fn best_tag(&self, messages: &Messages, word: usize) -> (u32, f64) {
        let mut beliefs = Vec::new();
        match self.tags[word][..] {
            [tag] => messages.beliefs(&self.graph, tag, &mut beliefs),
            _ => {
                beliefs.extend(self.tags[word].iter().map(|tag| messages.probability(&self.graph, tag.is(1))))
            }
        }
        let best = (1..beliefs.len()).fold(0, |best, at| if beliefs[at] > beliefs[best] { at } else { best });
        (best as u32, beliefs[best])
    }
}
