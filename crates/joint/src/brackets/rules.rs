//! Rules of binary trees: soft factors over the labels of a bracket and of its two parts.
//!
//! A rule X → Y Z is a NAND over Label(i, k) = X, Label(i, j) = Y and Label(j, k) = Z; a part of one word has its tag for
//! a symbol, which is known, and no literal. There is one factor for each place where the product of the three beliefs
//! without rules is above a threshold. Labels that no rule asks for are summed out before messages are passed.

mod anchored;
mod learn;

pub(super) use learn::{RuleLearner, SavedRules, Start};

use bp::{Graph, Literal, Messages, Variable};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::exact::{Exact, SpanValues};
use super::spans::Spans;
use anchored::{Anchored, Coarse};

/// A bracket and its two parts, as numbers of labels; tags come after all labels.
pub(super) type Symbols = [u32; 3];

/// Rules that were learned.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(from = "StoredRules", into = "StoredRules")]
pub(super) struct Rules {
    /// In the order in which they were found.
    list: Vec<(Symbols, f64)>,
    scores: FxHashMap<Symbols, f64>,
    threshold: f64,
    sweeps: usize,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct StoredRules {
    list: Vec<(Symbols, f64)>,
    threshold: f64,
    sweeps: usize,
}

impl From<StoredRules> for Rules {
    fn from(StoredRules { list, threshold, sweeps }: StoredRules) -> Rules {
        Rules { scores: list.iter().copied().collect(), list, threshold, sweeps }
    }
}

impl From<Rules> for StoredRules {
    fn from(Rules { list, threshold, sweeps, .. }: Rules) -> StoredRules {
        StoredRules { list, threshold, sweeps }
    }
}

impl Rules {
    pub(super) fn new(list: Vec<(Symbols, f64)>, threshold: f64, sweeps: usize) -> Rules {
        Rules::from(StoredRules { list, threshold, sweeps })
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// Replaces beliefs without rules by beliefs with them.
    pub(super) fn refine(&self, shape: SpanValues<'_>, spans: Spans, tags: &[u32], beliefs: &mut Exact) {
        let coarse = Coarse::new(shape, spans, tags, beliefs, self.threshold);
        let score = |symbols: &Symbols| self.scores.get(symbols).copied().filter(|score| *score != 0.0);
        refine(&coarse, shape, spans, score, self.sweeps, beliefs);
    }
}

/// Passes messages over the rules that `score` knows; returns those with how probable each is.
fn refine<'c>(
    coarse: &'c Coarse,
    shape: SpanValues<'_>,
    spans: Spans,
    score: impl Fn(&Symbols) -> Option<f64>,
    sweeps: usize,
    beliefs: &mut Exact,
) -> Vec<(&'c Anchored, f64)> {
    let known = |rule: &'c Anchored| Some((rule, score(&rule.symbols)?));
    let mut rules: Vec<(&Anchored, f64)> = coarse.rules.iter().filter_map(known).collect();
    if rules.is_empty() {
        return rules;
    }
    let mut net = Net::new(coarse, spans, &rules);
    let literals: Vec<Literal> = net.spans.iter().map(|span| span.is(1)).collect();
    let open = spans.all()[..spans.n_open()].to_vec();
    net.graph.structured(bp::structured::Brackets::new(spans.n_words, open), &literals);
    let mut places = Vec::new();
    for (rule, score) in &rules {
        let literals: Vec<Literal> =
            rule.labels.iter().flatten().filter_map(|at| net.literal(coarse, *at)).collect();
        places.push(net.graph.nand(&literals, *score).range().start);
    }
    let Net { graph, spans: variables, labels } = net;
    let options = bp::Options { most: sweeps, tolerance: 1e-3, ..bp::Options::default() };
    // Nothing of this can contradict itself; if it did, the beliefs without rules would stand.
    let Ok(graph) = graph.finish() else { return Vec::new() };
    let mut messages = Messages::default();
    if messages.run(&graph, &bp::Evidence::none(&graph), &options).is_err() {
        return Vec::new();
    }
    for (place, variable) in variables.iter().enumerate() {
        beliefs.p[place] = messages.probability(&graph, variable.is(1));
    }
    for (likely, variable) in coarse.likely.iter().zip(&labels) {
        let Some(variable) = variable else { continue };
        let mut values = Vec::new();
        messages.beliefs(&graph, *variable, &mut values);
        let values = if likely.place < spans.n_open() { &values[1..] } else { &values[..] };
        likely.spread(shape, values, &mut beliefs.shares);
    }
    let mut expected = Vec::new();
    messages.expected(&graph, &mut expected);
    rules.iter_mut().zip(places).for_each(|((_, p), place)| *p = expected[place]);
    rules
}

/// The graph of a sentence: Booleans for spans, and variables for the labels that rules ask for.
struct Net {
    graph: Graph,
    spans: Vec<Variable>,
    /// By the number of a likely bracket: none, the likely labels, all others together. The whole sentence has no none.
    labels: Vec<Option<Variable>>,
}

impl Net {
    fn new(coarse: &Coarse, spans: Spans, rules: &[(&Anchored, f64)]) -> Net {
        let mut is_asked = vec![false; coarse.likely.len()];
        for (rule, _) in rules {
            rule.labels.iter().flatten().for_each(|(likely, _)| is_asked[*likely] = true);
        }
        let mut graph = Graph::new();
        let variables: Vec<Variable> = (0..spans.n_open()).map(|_| graph.boolean()).collect();
        let mut is_open = vec![true; spans.n_open()];
        let labels = coarse.likely.iter().zip(&is_asked).map(|(likely, is_asked)| {
            is_asked.then(|| {
                let span = variables.get(likely.place);
                let none = span.map(|_| -coarse.log_odds[likely.place]);
                let scores: Vec<f64> = none.into_iter().chain(likely.ln_shares()).collect();
                let label = graph.variable(scores.len());
                graph.unary(label, &scores);
                if let Some(span) = span {
                    graph.epu(span.is(1), label);
                    is_open[likely.place] = false;
                }
                label
            })
        });
        let labels = labels.collect();
        for (place, _) in is_open.iter().enumerate().filter(|(_, is_open)| **is_open) {
            graph.unary(variables[place], &[coarse.log_odds[place].clamp(-1e3, 1e3)]);
        }
        Net { graph, spans: variables, labels }
    }

    fn literal(&self, coarse: &Coarse, (likely, at): (usize, usize)) -> Option<Literal> {
        let offset = usize::from(coarse.likely[likely].place < self.spans.len());
        Some(self.labels[likely]?.is(offset + at))
    }
}
