//! From a sentence to its trees.

use chain::{Stream, Workers};
use forest::derive::k_best;
use forest::substates::fixed::TreeChart;
use forest::substates::{Chart, Max};
use forest::{Derivation, Item, Spans, substates};
use grammar::anchor::{
    Brackets, ConstraintError, LeafVectors, Leaves, PrunedForest, RefinedForest, ScoredForest,
};
use grammar::codec::{category_of, plain};
use grammar::{Inventory, Reading};
use rustc_hash::{FxHashMap, FxHashSet};
use tree::PutInOrder;
use tree::transform::unary::parts;
use tree::{Text, Tree};

use super::derivation;
use super::ensemble::{Average, Ensemble, Workspace};
use super::expected::{self, Bracket, SpanLabels};
use super::fallback;
use super::forests;
use super::model::{Model, Refinement};
use super::streamed;

/// Which tree is chosen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Decode {
    /// The most frequent of sampled trees, as in the papers; ties go to the one with the better brackets.
    Mode,
    /// The tree of the best expected F1.
    Mbr,
    /// The tree of the greatest product of rule posteriors (Petrov & Klein 2007).
    #[default]
    MaxRule,
    /// The tree of the best annotated derivation.
    Viterbi,
}

/// How sentences are parsed.
#[derive(Debug, Clone, PartialEq)]
pub struct ParseOptions {
    /// Which tree is chosen.
    pub decode: Decode,
    /// How the chains are put together.
    pub average: Average,
    /// Items with a smaller posterior under the coarse grammar are not built; 0 builds every item.
    pub threshold: f64,
    /// With several chains, items with a smaller posterior under the first are not built for all; 0 keeps them.
    pub second_threshold: f64,
    /// How many trees are returned.
    pub n_best: usize,
    /// How many trees are drawn: for `mode`, and to be returned.
    pub samples: usize,
    /// The posteriors of so many edges are kept at once; of larger forests each is worked out when it is needed,
    /// which takes twice the time and memory that grows like n² instead of n³. For `max-rule` and one tree only.
    pub stored_edges: usize,
    /// Longer sentences get a fallback tree at once.
    pub max_words: usize,
}

impl Default for ParseOptions {
    fn default() -> Self {
        ParseOptions {
            decode: Decode::default(),
            average: Average::default(),
            threshold: 1e-3,
            second_threshold: 1e-3,
            n_best: 1,
            samples: 0,
            stored_edges: 1_000_000,
            max_words: 400,
        }
    }
}

impl ParseOptions {
    /// Nothing is pruned.
    pub fn exact(self) -> ParseOptions {
        ParseOptions { threshold: 0.0, second_threshold: 0.0, ..self }
    }
}

/// A constituent and how often it is expected.
#[derive(Debug, Clone, PartialEq)]
pub struct Constituent {
    /// The label.
    pub label: Text,
    /// The first word, from 0.
    pub start: u32,
    /// The word after the last.
    pub end: u32,
    /// The expected number of times that it stands in the tree, averaged over chains.
    ///
    /// It is the probability that it is there, unless the grammar lets a label stand over the same words twice, as in
    /// `(NP (NP …))`: then it counts twice in such a tree, and the number may be above 1.
    pub expected: f64,
}

/// What is found out about a sentence.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed {
    /// The trees, best first, each with its probability given the words, averaged over chains. Never empty.
    pub trees: Vec<(Tree<Text>, f64)>,
    /// Every constituent that has a chance, by place, with its expected count; none for a fallback tree.
    pub constituents: Vec<Constituent>,
    /// Trees drawn from the posterior.
    pub samples: Vec<Tree<Text>>,
    /// ln P(words), averaged over chains; −∞ for a fallback tree.
    pub ln_probability: f64,
    /// Why the first tree is a makeshift, if it is.
    pub fallback: Option<Fallback>,
}

/// Why a sentence has only a makeshift tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fallback {
    /// The grammar has a tree only if every word may have any tag of its kind; the tree is one of those.
    Tags,
    /// The grammar has no tree, or not with these constraints; the tree is put together from pieces.
    Pieces(ConstraintError),
}

/// A model with its parameters worked out.
#[derive(Debug)]
pub struct Parser {
    model: Model,
    inventory: Inventory,
    refinements: Vec<Refinement>,
    labels: SpanLabels,
    /// Every name that a label or a part of a joint label has.
    names: FxHashSet<Text>,
}

impl Parser {
    /// Works out the parameters of all chains.
    pub fn new(model: Model, workers: &Workers) -> Parser {
        let inventory = model.inventory();
        let refinements = workers.map(&model.chains, |_, chain| model.refinement(&inventory, chain));
        Parser::with_refinements(model, refinements)
    }

    /// A parser with parameters of its own, such as those that a sampler found for these sentences.
    pub fn with_refinements(model: Model, refinements: Vec<Refinement>) -> Parser {
        let inventory = model.inventory();
        let labels = SpanLabels::new(&inventory);
        let plain_labels = inventory.rules().labels().iter().map(|label| plain(label));
        let names =
            plain_labels.flat_map(|label| parts(&label).chain([label.clone()]).collect::<Vec<_>>()).collect();
        Parser { model, inventory, refinements, labels, names }
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// All rules.
    pub fn inventory(&self) -> &Inventory {
        &self.inventory
    }

    /// The labels of each rule.
    pub fn labels(&self) -> &SpanLabels {
        &self.labels
    }

    /// The parameters of each chain.
    pub fn refinements(&self) -> &[Refinement] {
        &self.refinements
    }

    /// Parses sentences in parallel; the result does not depend on the number of threads.
    pub fn parse_all(
        &self,
        sentences: &[Brackets],
        options: &ParseOptions,
        stream: Stream,
        workers: &Workers,
    ) -> Vec<Parsed> {
        workers.map_with(sentences, Workspace::default, |workspace, at, sentence| {
            self.parse(sentence, options, stream.item(at), workspace)
        })
    }

    /// Parses one sentence. Every sentence gets a tree, if only a makeshift.
    pub fn parse(
        &self,
        sentence: &Brackets,
        options: &ParseOptions,
        stream: Stream,
        workspace: &mut Workspace,
    ) -> Parsed {
        match self.forest(sentence, options, workspace) {
            Ok((forest, widened)) => self.decode(sentence, &forest, options, stream, workspace, widened),
            Err(problem) => fallback::parsed(&self.model, sentence, problem),
        }
    }

    /// The forest of a sentence and whether its words had to be read widely.
    pub fn forest(
        &self,
        sentence: &Brackets,
        options: &ParseOptions,
        workspace: &mut Workspace,
    ) -> Result<((PrunedForest, Leaves), bool), ConstraintError> {
        let Model { codec, lexicon, means, .. } = &self.model;
        if sentence.words.len() > options.max_words {
            return Err(ConstraintError::TooLong(sentence.words.len()));
        }
        // A tag that the grammar does not know cannot be honoured by it; it is written into the tree afterwards.
        let mut relaxed = sentence.clone();
        while let Err(ConstraintError::UnknownTag { word, .. }) = relaxed.require(codec.rules()) {
            relaxed.tags[word as usize] = None;
        }
        let required = relaxed.require(codec.rules())?;
        let mut readings = forests::readings(lexicon, &sentence.words);
        for (word, reading) in readings.iter_mut().enumerate() {
            if let Some(tags) = required.tags_of(word, lexicon.tags()) {
                *reading = lexicon.read_as(&sentence.words[word], word == 0, &tags);
            }
        }
        let mut widened = false;
        let (pruned, leaves) = forests::of_readings(codec, means, &readings, &required, options.threshold)
            .or_else(|problem| {
                if problem != ConstraintError::NoTree {
                    return Err(problem);
                }
                widened = true;
                let words = sentence.words.iter().enumerate();
                let readings: Vec<Reading> =
                    words.map(|(at, word)| lexicon.read_widely(word, at == 0)).collect();
                forests::of_readings(codec, means, &readings, &required, options.threshold)
            })?;
        let pruned = match &self.refinements[..] {
            [first, _, ..] if options.second_threshold > 0.0 => {
                let posteriors = workspace.items(first, &pruned, &leaves);
                pruned.retain(|item: Item| posteriors[item.index()] >= options.second_threshold)
            }
            _ => pruned,
        };
        Ok(((pruned, leaves), widened))
    }

    fn decode(
        &self,
        sentence: &Brackets,
        (pruned, leaves): &(PrunedForest, Leaves),
        options: &ParseOptions,
        stream: Stream,
        workspace: &mut Workspace,
        widened: bool,
    ) -> Parsed {
        if options.decode == Decode::MaxRule && options.n_best <= 1 && pruned.n_edges() > options.stored_edges
        {
            return self.decode_large(sentence, (pruned, leaves), options, stream, widened);
        }
        let ensemble = Ensemble::new(&self.refinements, pruned, leaves, workspace);
        let brackets = expected::brackets(&self.labels, pruned, &ensemble.mixture);
        let samples = self.draw(pruned, leaves, options.samples, stream);
        let n_best = options.n_best.max(1);
        let mut found = match options.decode {
            Decode::MaxRule => max_rule(pruned, &ensemble.ln_scores(options.average), n_best),
            Decode::Mbr => expected::best(&self.labels, pruned, &ensemble.mixture, &brackets, n_best),
            Decode::Viterbi => self.viterbi(pruned, leaves, &ensemble),
            Decode::Mode => self.modes(&samples, pruned.spans(), &brackets, n_best),
        };
        if found.is_empty() {
            // Every chain may hold some edge of each tree for impossible, but not of the mixture's best one.
            found = max_rule(pruned, &ensemble.ln_scores(Average::Mixture), n_best);
        }
        if found.is_empty() {
            return fallback::parsed(&self.model, sentence, ConstraintError::NoTree);
        }
        let tree = |derivation: &Derivation| self.tree(derivation, sentence, pruned.spans());
        let trees = found
            .iter()
            .map(|derivation| (tree(derivation), self.probability(derivation, leaves, &ensemble.ln_totals)))
            .collect();
        Parsed {
            trees,
            constituents: self.constituents(&brackets),
            samples: samples.iter().map(tree).collect(),
            ln_probability: mean_ln(&ensemble.ln_totals),
            fallback: widened.then_some(Fallback::Tags),
        }
    }

    /// Decodes without keeping the posteriors of all edges.
    fn decode_large(
        &self,
        sentence: &Brackets,
        (pruned, leaves): (&PrunedForest, &Leaves),
        options: &ParseOptions,
        stream: Stream,
        widened: bool,
    ) -> Parsed {
        let decode = |average| streamed::max_rule(&self.refinements, pruned, leaves, &self.labels, average);
        let mut found = decode(options.average);
        if found.derivation.is_none() {
            found = decode(Average::Mixture);
        }
        let Some(derivation) = &found.derivation else {
            return fallback::parsed(&self.model, sentence, ConstraintError::NoTree);
        };
        let tree = |derivation: &Derivation| self.tree(derivation, sentence, pruned.spans());
        let probability = self.probability(derivation, leaves, &found.ln_totals);
        Parsed {
            trees: vec![(tree(derivation), probability)],
            constituents: self.constituents(&found.brackets),
            samples: self.draw(pruned, leaves, options.samples, stream).iter().map(tree).collect(),
            ln_probability: mean_ln(&found.ln_totals),
            fallback: widened.then_some(Fallback::Tags),
        }
    }

    /// Draws trees, from each chain in turn.
    fn draw(&self, pruned: &PrunedForest, leaves: &Leaves, n: usize, stream: Stream) -> Vec<Derivation> {
        let mut drawn = Vec::new();
        if n == 0 || self.refinements.is_empty() {
            return drawn;
        }
        let mut vectors = LeafVectors::default();
        let mut chart = Chart::new();
        for (chain, refinement) in self.refinements.iter().enumerate() {
            let mine = (chain..n).step_by(self.refinements.len());
            vectors.fill(leaves, &refinement.tensors);
            let forest = RefinedForest::new(pruned, &refinement.tensors, &vectors, &refinement.sizes);
            chart.fill(&forest);
            for sample in mine {
                let mut rng = stream.tag(sample as u64).rng();
                if let Some(steps) = substates::sample(&forest, &chart, || rng.uniform()) {
                    drawn.push(Derivation { steps: steps.iter().map(|step| step.step).collect() });
                }
            }
        }
        drawn
    }

    /// The best annotated derivation of each chain, the one whose tree is most probable first.
    fn viterbi(&self, pruned: &PrunedForest, leaves: &Leaves, ensemble: &Ensemble) -> Vec<Derivation> {
        let mut chart: Chart<Max> = Chart::new();
        let mut vectors = LeafVectors::default();
        let best = self.refinements.iter().filter_map(|refinement| {
            vectors.fill(leaves, &refinement.tensors);
            let forest = RefinedForest::new(pruned, &refinement.tensors, &vectors, &refinement.sizes);
            chart.fill(&forest);
            let (steps, _) = substates::best(&forest, &chart)?;
            let derivation = Derivation { steps: steps.iter().map(|step| step.step).collect() };
            let probability = self.probability(&derivation, leaves, &ensemble.ln_totals);
            Some((derivation, probability))
        });
        let best = best.reduce(|best, next| if next.1 > best.1 { next } else { best });
        best.map(|(derivation, _)| derivation).into_iter().collect()
    }

    /// The most frequent of the samples; among equals, those whose brackets are the more probable.
    fn modes(
        &self,
        samples: &[Derivation],
        spans: Spans,
        brackets: &FxHashMap<Bracket, f64>,
        n_best: usize,
    ) -> Vec<Derivation> {
        let all = total(brackets);
        let mut counts: Vec<(usize, f64, &Derivation)> = Vec::new();
        let mut places: FxHashMap<Vec<u32>, usize> = FxHashMap::default();
        for sample in samples {
            let rules = sample.steps.iter().map(|step| step.rule).collect();
            let place = *places.entry(rules).or_insert_with(|| {
                let score = self.ratio(sample, brackets, all, spans);
                counts.push((0, score, sample));
                counts.len() - 1
            });
            counts[place].0 += 1;
        }
        counts.order_by(|a, b| b.0.cmp(&a.0).then(b.1.total_cmp(&a.1)));
        counts.into_iter().take(n_best).map(|(_, _, derivation)| derivation.clone()).collect()
    }

    /// P(tree | words), averaged over chains.
    fn probability(&self, derivation: &Derivation, leaves: &Leaves, ln_totals: &[f64]) -> f64 {
        let nodes = derivation::nodes(&self.inventory, derivation.steps.iter().map(|step| step.rule));
        let mut ln_factor = 0.0;
        for (word, step) in
            (0u32..).zip(derivation.steps.iter().filter(|step| self.inventory.is_lexical(step.rule)))
        {
            let leaf = leaves.of(word).1.iter().find(|leaf| leaf.rule == step.rule);
            ln_factor += leaf.map_or(0.0, |leaf| libm::log(leaf.factor));
        }
        let mut chart = TreeChart::new();
        let mut sum = 0.0;
        for (refinement, ln_total) in self.refinements.iter().zip(ln_totals) {
            if *ln_total > f64::NEG_INFINITY {
                chart.fill(&nodes, &refinement.tensors);
                sum += libm::exp(chart.ln_total(&[1.0]) + ln_factor - ln_total).min(1.0);
            }
        }
        sum / self.refinements.len().max(1) as f64
    }

    /// The tree of a derivation.
    pub(super) fn tree(&self, derivation: &Derivation, sentence: &Brackets, spans: Spans) -> Tree<Text> {
        let mut tree = self.model.codec.decode(derivation, &sentence.words, category_of(spans));
        self.write_unknown_tags(&mut tree, sentence);
        tree
    }

    /// Puts given tags that the grammar does not know where the parser had to guess.
    fn write_unknown_tags(&self, tree: &mut Tree<Text>, sentence: &Brackets) {
        let names = &self.names;
        let mut unknown =
            sentence.tags.iter().map(|tag| tag.as_ref().filter(|tag| !names.contains(tag.as_str())));
        let mut tags = Vec::new();
        for at in (0..tree.nodes().len()).filter(|&at| tree.nodes()[at].is_word()) {
            if let (Some(tag), Some(above)) = (unknown.next().flatten(), at.checked_sub(1)) {
                let parent = &tree.nodes()[above];
                if !parent.is_word() && parent.size() == 2 {
                    tags.push((above, tag.clone()));
                }
            }
        }
        tags.into_iter().for_each(|(at, tag)| *tree.label_mut(at) = tag);
    }

    /// The expected F1 of each tree.
    pub(super) fn expected_f1(
        &self,
        derivations: &[(Derivation, f64)],
        brackets: &FxHashMap<Bracket, f64>,
        spans: Spans,
    ) -> Vec<f64> {
        let all = total(brackets);
        derivations.iter().map(|(derivation, _)| self.ratio(derivation, brackets, all, spans)).collect()
    }

    /// 2 Σ_{b ∈ T} p(b) / (|T| + Σ_b p(b))
    fn ratio(&self, tree: &Derivation, brackets: &FxHashMap<Bracket, f64>, all: f64, spans: Spans) -> f64 {
        let mine = self.labels.brackets(tree, spans);
        let found = mine.map(|bracket| brackets.get(&bracket).copied().unwrap_or(0.0));
        let (sum, n) = found.fold((0.0, 0.0), |(sum, n), p| (sum + p, n + 1.0));
        if n + all > 0.0 { 2.0 * sum / (n + all) } else { 1.0 }
    }

    pub(super) fn constituents(&self, brackets: &FxHashMap<Bracket, f64>) -> Vec<Constituent> {
        let mut sorted: Vec<(Bracket, f64)> = brackets.iter().map(|(b, p)| (*b, *p)).collect();
        sorted.order_by_key(|&((label, start, end), _)| (start, std::cmp::Reverse(end), label));
        let constituent = |((label, start, end), expected): (Bracket, f64)| Constituent {
            label: self.labels.name(label).clone(),
            start,
            end,
            expected,
        };
        sorted.into_iter().map(constituent).collect()
    }
}

/// The k best products of edge scores.
fn max_rule(pruned: &PrunedForest, ln_scores: &[f64], n_best: usize) -> Vec<Derivation> {
    let weights: Vec<f64> = ln_scores.iter().map(|&ln| libm::exp(ln)).collect();
    let forest = ScoredForest::new(pruned, &weights);
    if n_best == 1 {
        return forest::derive::best(&forest).map(|(derivation, _)| derivation).into_iter().collect();
    }
    k_best(&forest, n_best).into_iter().map(|(derivation, _)| derivation).collect()
}

/// Σ p(b), in a fixed order whatever the order of the table.
fn total(brackets: &FxHashMap<Bracket, f64>) -> f64 {
    let mut expected: Vec<f64> = brackets.values().copied().collect();
    expected.sort_unstable_by(f64::total_cmp);
    expected.iter().sum()
}

fn mean_ln(ln: &[f64]) -> f64 {
    let finite: Vec<f64> = ln.iter().copied().filter(|ln| ln.is_finite()).collect();
    if finite.is_empty() { f64::NEG_INFINITY } else { finite.iter().sum::<f64>() / finite.len() as f64 }
}
