//! Finding rules and their weights.
//!
//! An epoch is a pass of [`chain::fit`]: sentences of a batch are parsed with the rules there are, and then a step changes
//! the weights of rules, in the order of the sentences. Steps are not those of [`chain::descent`], since they add weights:
//! rules come in as they are found, until there are enough, and only then have features with numbers.

use std::convert::Infallible;

use chain::descent::Weights;
use chain::fit::{self, FitError, FitOptions, Fitted};
use chain::{Objective, Rng, Stream, Sweep, Workers};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::anchored::{Anchored, Coarse, Where};
use super::{Rules, Symbols, refine};
use crate::brackets::binary::Bracket;
use crate::brackets::decode::{Decode, decode};
use crate::brackets::exact::{Exact, SpanValues};
use crate::brackets::model::Model;
use crate::brackets::options::{RuleOptions, RuleStep};
use crate::brackets::prepare::Example;
use crate::brackets::spans::Spans;

/// The three features of a rule: all of it, without its right part, without its left part.
fn features(symbols: &Symbols) -> [(u8, Symbols); 3] {
    let [x, y, z] = *symbols;
    [(0, [x, y, z]), (1, [x, y, 0]), (2, [x, 0, z])]
}

/// Rules on the way to their weights.
#[derive(Debug)]
pub(in crate::brackets) struct RuleLearner {
    rules: Fitted<Growing>,
    /// Sentences without rules: what is below them does not change any more.
    starts: Vec<Option<Start>>,
}

/// Rules with their weights now; there are more from step to step.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(from = "SavedRules", into = "SavedRules")]
struct Growing {
    saved: SavedRules,
    /// Numbers of rules, and of features.
    grammar: FxHashMap<Symbols, usize>,
    features: FxHashMap<(u8, Symbols), usize>,
}

/// A sentence without rules.
#[derive(Debug, Clone)]
pub(in crate::brackets) struct Start {
    beliefs: Exact,
    coarse: Coarse,
}

/// Rules as a checkpoint holds them.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(in crate::brackets) struct SavedRules {
    rules: Vec<Symbols>,
    features: Vec<(u8, Symbols)>,
    weights: Vec<f64>,
    /// Σ step · change of each weight, from which its mean over all steps follows.
    sums: Vec<f64>,
    n_steps: u64,
    done: u64,
    options: Option<RuleOptions>,
}

impl From<SavedRules> for Growing {
    fn from(saved: SavedRules) -> Growing {
        Growing {
            grammar: saved.rules.iter().copied().zip(0..).collect(),
            features: saved.features.iter().copied().zip(0..).collect(),
            saved,
        }
    }
}

impl From<Growing> for SavedRules {
    fn from(growing: Growing) -> SavedRules {
        growing.saved
    }
}

impl Default for RuleLearner {
    fn default() -> RuleLearner {
        RuleLearner::resume(&SavedRules::default())
    }
}

impl RuleLearner {
    pub(in crate::brackets) fn resume(saved: &SavedRules) -> RuleLearner {
        let rules = Fitted { params: Growing::from(saved.clone()), history: Vec::new() };
        RuleLearner { rules, starts: Vec::new() }
    }

    pub(in crate::brackets) fn save(&self) -> SavedRules {
        self.rules.params.saved.clone()
    }

    pub(in crate::brackets) fn done(&self) -> usize {
        self.rules.params.saved.done as usize
    }

    /// Whether it knows the sentences.
    pub(in crate::brackets) fn is_ready(&self) -> bool {
        !self.starts.is_empty()
    }

    /// Gets to know the sentences.
    pub(in crate::brackets) fn begin(&mut self, starts: Vec<Option<Start>>) {
        self.starts = starts;
    }

    /// The rules with the weights of the last step, or their mean over all steps.
    pub(in crate::brackets) fn finish(&self) -> Rules {
        let Growing { saved, .. } = &self.rules.params;
        let options = saved.options.unwrap_or_default();
        let steps = saved.n_steps.max(1) as f64;
        let mean = |at: usize| saved.weights[at] - if options.average { saved.sums[at] / steps } else { 0.0 };
        let list: Vec<(Symbols, f64)> =
            saved.rules.iter().map(|symbols| (*symbols, self.rules.params.sum(symbols, mean))).collect();
        Rules::new(list, options.threshold, options.sweeps)
    }

    /// One walk through the trees; returns the share of their rules that were found.
    pub(in crate::brackets) fn epoch(
        &mut self,
        model: &Model,
        examples: &[Example],
        options: &RuleOptions,
        stream: Stream,
        workers: &Workers,
    ) -> f64 {
        self.rules.params.saved.options = Some(*options);
        let (number, starts) = (self.done() as u64 + 1, &self.starts);
        let trees = RuleTrees { model, examples, starts, options, stream };
        let batch = Some(options.batch.max(1));
        // Sentences take long, so that each is a block of its own.
        let passes = FitOptions { batch, block: 1, ..FitOptions::default() };
        match fit::pass(&trees, &passes, &mut self.rules, &Sweep::new(0, 0, number, workers)) {
            Ok(()) | Err(FitError::NotFinite { .. }) => {}
            Err(FitError::Objective(never)) => match never {},
        }
        let n_right = self.rules.history.last().copied().unwrap_or_default();
        n_right / trees.n_gold().max(1) as f64
    }
}

/// Trees whose rules are to be found.
struct RuleTrees<'t> {
    model: &'t Model,
    examples: &'t [Example],
    starts: &'t [Option<Start>],
    options: &'t RuleOptions,
    /// Where the order of the sentences comes from.
    stream: Stream,
}

impl RuleTrees<'_> {
    /// The sentences that teach something.
    fn taught(&self) -> impl Iterator<Item = usize> {
        (0..self.examples.len()).filter(|&at| self.starts.get(at).is_some_and(Option::is_some))
    }

    /// How many rules their trees have.
    fn n_gold(&self) -> usize {
        self.taught().map(|at| self.gold(&self.examples[at]).len()).sum()
    }

    fn gold(&self, example: &Example) -> Vec<(Where, Symbols)> {
        rules_of(self.model.shape(), example.rows.spans(), example.sentence.all_tags(), &example.known)
    }

    /// Parses a sentence with the rules there are.
    fn attempt(&self, rules: &Growing, at: usize) -> Attempt {
        let (example, options) = (&self.examples[at], self.options);
        let (shape, spans) = (self.model.shape(), example.rows.spans());
        let Some(Start { beliefs, coarse }) = &self.starts[at] else { return Attempt::default() };
        let mut beliefs = beliefs.clone();
        let is_full = rules.grammar.len() >= options.most;
        let score = |symbols: &Symbols| match rules.grammar.contains_key(symbols) {
            true => Some(rules.sum(symbols, |at| rules.saved.weights[at])),
            false => (options.step == RuleStep::Likelihood && !is_full).then_some(0.0),
        };
        let believed = refine(coarse, shape, spans, score, options.sweeps, &mut beliefs);
        let chosen = decode(shape, spans, &beliefs, Decode::Sum);
        let brackets: Vec<Bracket<Option<u32>>> = chosen.iter().map(|chosen| chosen.bracket).collect();
        let gold = self.gold(example);
        let found = rules_of(shape, spans, example.sentence.all_tags(), &brackets);
        Attempt {
            n_right: gold.iter().filter(|rule| found.contains(rule)).count(),
            changes: match options.step {
                RuleStep::Perceptron => difference(&gold, &found),
                RuleStep::Likelihood => surprises(&gold, &believed),
            },
        }
    }
}

/// The value of a tree is how many of its rules are found.
impl Objective for RuleTrees<'_> {
    type Params = Growing;
    /// Which rules should have more weight, and how much.
    type Counts = Vec<(Symbols, f64)>;
    type Scratch = ();
    type Error = Infallible;
    const KIND: &'static str = "joint/rules";

    fn start(&self, _: &Sweep<'_>) -> Result<Growing, Infallible> {
        Ok(Growing::default())
    }

    fn n_items(&self) -> usize {
        self.examples.len()
    }

    fn order(&self, rules: &Growing, _: &Sweep<'_>) -> Vec<usize> {
        let mut order: Vec<usize> = self.taught().collect();
        self.stream.item(rules.saved.done as usize).rng().shuffle(&mut order);
        order
    }

    fn no_counts(&self) -> Self::Counts {
        Vec::new()
    }

    fn scratch(&self) {}

    fn expect(
        &self,
        rules: &Growing,
        at: usize,
        _: &mut Rng,
        (): &mut (),
        changes: &mut Self::Counts,
    ) -> Result<f64, Infallible> {
        let mut attempt = self.attempt(rules, at);
        changes.append(&mut attempt.changes);
        Ok(attempt.n_right as f64)
    }

    fn merge(&self, earlier: &mut Self::Counts, mut later: Self::Counts) {
        earlier.append(&mut later);
    }

    fn maximise(&self, rules: &mut Growing, changes: Self::Counts, _: &Sweep<'_>) -> Result<(), Infallible> {
        rules.saved.n_steps += 1;
        for (symbols, change) in changes {
            rules.update(symbols, self.options.rate * change, self.options.most);
        }
        Ok(())
    }

    fn end_pass(&self, rules: &mut Growing) {
        rules.saved.done += 1;
    }
}

impl Growing {
    fn sum(&self, symbols: &Symbols, weight: impl Fn(usize) -> f64) -> f64 {
        features(symbols).iter().filter_map(|feature| self.features.get(feature)).map(|&at| weight(at)).sum()
    }

    /// Moves the weights of a rule; a rule that is new comes in if there is room.
    fn update(&mut self, symbols: Symbols, change: f64, most: usize) {
        if !self.grammar.contains_key(&symbols) {
            if self.grammar.len() >= most {
                return;
            }
            self.grammar.insert(symbols, self.saved.rules.len());
            self.saved.rules.push(symbols);
        }
        for feature in features(&symbols) {
            let at = *self.features.entry(feature).or_insert(self.saved.features.len());
            if at == self.saved.features.len() {
                self.saved.features.push(feature);
                self.saved.weights.push(0.0);
                self.saved.sums.push(0.0);
            }
            self.saved.weights[at] += change;
            // The mean over steps 1..=n of a weight is its last value less Σ (step − 1) · change / n.
            self.saved.sums[at] += (self.saved.n_steps - 1) as f64 * change;
        }
    }
}

/// What came of parsing a sentence.
#[derive(Debug, Default)]
struct Attempt {
    n_right: usize,
    /// Which rules should have more weight, and how much.
    changes: Vec<(Symbols, f64)>,
}

/// Rules that are more frequent on one side, and by how much.
fn difference(gold: &[(Where, Symbols)], found: &[(Where, Symbols)]) -> Vec<(Symbols, f64)> {
    let mut all: Vec<(Symbols, i32)> = gold.iter().map(|(_, symbols)| (*symbols, 1)).collect();
    all.extend(found.iter().map(|(_, symbols)| (*symbols, -1)));
    all.sort_unstable();
    let groups = all.chunk_by(|a, b| a.0 == b.0);
    let sums = groups.map(|group| (group[0].0, f64::from(group.iter().map(|(_, count)| count).sum::<i32>())));
    sums.filter(|(_, count)| *count != 0.0).collect()
}

/// Whether rules are in the tree, less how probable they are.
fn surprises(gold: &[(Where, Symbols)], believed: &[(&Anchored, f64)]) -> Vec<(Symbols, f64)> {
    let surprise = |(rule, p): &(&Anchored, f64)| {
        let is_gold = gold.contains(&(rule.place, rule.symbols));
        (rule.symbols, f64::from(u8::from(is_gold)) - p)
    };
    believed.iter().map(surprise).filter(|(_, change)| change.abs() > 1e-3).collect()
}

impl Start {
    /// Beliefs without rules, and where rules could be; `None` of sentences that teach no rules.
    pub(in crate::brackets) fn new(
        model: &Model,
        weights: &Weights,
        example: &Example,
        threshold: f64,
    ) -> Option<Start> {
        let (shape, spans) = (model.shape(), example.rows.spans());
        if !example.is_whole || spans.n_words < 2 {
            return None;
        }
        let beliefs = model.believe(weights, &example.rows)?;
        let coarse = Coarse::new(shape, spans, example.sentence.all_tags(), &beliefs, threshold);
        Some(Start { beliefs, coarse })
    }
}

/// The rules of a binary tree, whose brackets come each before those in it.
fn rules_of(
    shape: SpanValues<'_>,
    spans: Spans,
    tags: &[u32],
    brackets: &[Bracket<Option<u32>>],
) -> Vec<(Where, Symbols)> {
    let first_tag = shape.labels.map_or(0, |labels| labels.len()) as u32;
    let mut labels = vec![None; spans.len()];
    for bracket in brackets {
        labels[spans.place(bracket.start as usize, bracket.end as usize)] = bracket.label;
    }
    let symbol = |start: usize, end: usize| match end - start {
        1 => Some(first_tag + tags[start]),
        _ => labels[spans.place(start, end)],
    };
    let rule = |(at, bracket): (usize, &Bracket<Option<u32>>)| {
        // The next bracket is the left part, unless that is a word.
        let (start, end) = (bracket.start as usize, bracket.end as usize);
        let next = brackets.get(at + 1).filter(|next| next.start == bracket.start && next.end < bracket.end);
        let split = next.map_or(start + 1, |next| next.end as usize);
        let symbols = [bracket.label?, symbol(start, split)?, symbol(split, end)?];
        Some(([start, split, end], symbols))
    };
    brackets.iter().enumerate().filter_map(rule).collect()
}
