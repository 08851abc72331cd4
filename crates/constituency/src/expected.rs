//! Brackets, how often they are expected, and the tree of the best expected F1.
//!
//! Let p(b) be the expected number of times that bracket b = (label, start, end) stands in the tree: its probability,
//! unless a chain may have the label twice over the same words. A tree T then has the expected F1, up to the expectation of a ratio being taken as the ratio of expectations,
//!
//! ```text
//! F(T) = 2 Σ_{b ∈ T} p(b) / (|T| + Σ_b p(b))
//! ```
//!
//! Its maximum is found by Dinkelbach's method: with λ = F/2 of the tree at hand, the tree that maximises
//! Σ_{b ∈ T} (p(b) − λ) is no worse, and when it is no better, F is at its maximum.

use forest::derive::k_best;
use forest::{Derivation, Forest, Item, Spans};
use grammar::anchor::{PrunedForest, ScoredForest};
use grammar::codec::plain;
use grammar::shape::BARE;
use grammar::{Inventory, Level};
use rustc_hash::FxHashMap;
use tree::transform::unary;
use tree::{Symbols, Text};

/// A labelled bracket: label, start, end. The label is one of [`SpanLabels::name`].
pub type Bracket = (u32, u32, u32);

/// The labels that a rule puts over the span of its head, tags and stand-ins left out.
///
/// A chain brings its labels down to the last but one, and the last comes with the expansion into two parts: if
/// it expands into a word, it is a tag. Labels are counted as trees have them, so a joint label is several, and
/// labels that differ only in what binarisation remembers are one.
#[derive(Debug, Clone)]
pub struct SpanLabels {
    of_rule: Vec<Vec<u32>>,
    names: Symbols,
}

impl SpanLabels {
    /// The labels of every rule.
    pub fn new(inventory: &Inventory) -> SpanLabels {
        let rules = inventory.rules();
        let mut names = Symbols::default();
        // Labels as trees have them, from the highest to the lowest.
        let parts: Vec<Vec<u32>> = rules
            .labels()
            .iter()
            .map(|label| {
                let name = plain(label);
                let parts =
                    if rules.joint_labels() { unary::parts(&name).collect() } else { vec![name.clone()] };
                let is_phrase = !label.starts_with('@') && label != BARE;
                let parts = parts.into_iter().filter(|_| is_phrase);
                parts.map(|part| names.insert(&part)).collect()
            })
            .collect();
        let all = |label: u32| parts[label as usize].iter().copied();
        let of_rule = (0..inventory.len() as u32).map(|rule| {
            let head = rules.info(inventory.head(rule));
            match rules.unary().get(rule as usize) {
                None if inventory.is_lexical(rule) => {
                    let parts = &parts[head.label as usize];
                    parts[..parts.len().saturating_sub(1)].to_vec()
                }
                None => all(head.label).collect(),
                Some(unary) => {
                    let top = (head.level == Level::Outer && unary.chain.is_some()).then_some(head.label);
                    top.iter().chain(unary.chain.iter().flatten()).flat_map(|&label| all(label)).collect()
                }
            }
        });
        SpanLabels { of_rule: of_rule.collect(), names }
    }

    /// The text of a bracket's label.
    pub fn name(&self, label: u32) -> &Text {
        self.names.name(label)
    }

    /// The brackets of a derivation over a chart.
    pub fn brackets(&self, derivation: &Derivation, spans: Spans) -> impl Iterator<Item = Bracket> {
        derivation.steps.iter().flat_map(move |step| {
            let (_, start, end) = spans.locate(step.item);
            self.of(step.rule).iter().map(move |&label| (label, start, end))
        })
    }

    /// The labels of one rule.
    #[inline]
    pub fn of(&self, rule: u32) -> &[u32] {
        &self.of_rule[rule as usize]
    }
}

/// p(b), an expected count, for every bracket of a forest, from the posterior of each edge.
pub fn brackets(labels: &SpanLabels, pruned: &PrunedForest, edges: &[f64]) -> FxHashMap<Bracket, f64> {
    let mut brackets: FxHashMap<Bracket, f64> = FxHashMap::default();
    pruned.each_edge(|edge, item, rule| {
        let posterior = edges[edge];
        if posterior > 0.0 {
            let (_, start, end) = pruned.spans().locate(item);
            for &label in labels.of(rule) {
                *brackets.entry((label, start, end)).or_default() += posterior;
            }
        }
    });
    brackets
}

/// The trees of the greatest expected F1, best first.
pub fn best(
    labels: &SpanLabels,
    pruned: &PrunedForest,
    edges: &[f64],
    brackets: &FxHashMap<Bracket, f64>,
    n_best: usize,
) -> Vec<Derivation> {
    let mut expected: Vec<f64> = brackets.values().copied().collect();
    // Sums in a fixed order, whatever the order of the table.
    expected.sort_unstable_by(f64::total_cmp);
    let expected: f64 = expected.iter().sum();
    // Tags are no brackets; an epsilon for each edge's posterior decides between trees with the same ones.
    let gain = |item: Item, rule: u32| {
        let (_, start, end) = pruned.spans().locate(item);
        let mine =
            labels.of(rule).iter().map(|&label| brackets.get(&(label, start, end)).copied().unwrap_or(0.0));
        (mine.sum::<f64>(), labels.of(rule).len() as f64)
    };
    let mut lambda = 0.0;
    let mut weights = vec![0.0; edges.len()];
    for _ in 0..MOST_ROUNDS {
        pruned.each_edge(|edge, item, rule| {
            let (sum, n) = gain(item, rule);
            let epsilon = EPSILON * edges[edge];
            weights[edge] = if edges[edge] > 0.0 { libm::exp(sum - lambda * n + epsilon) } else { 0.0 };
        });
        let forest = ScoredForest::new(pruned, &weights);
        let Some((derivation, _)) = forest::derive::best(&forest) else { return Vec::new() };
        let parts = derivation.steps.iter().map(|step| gain(step.item, step.rule));
        let (sum, n) = parts.fold((0.0, 0.0), |(sum, n), (s, m)| (sum + s, n + m));
        let next = if n + expected > 0.0 { sum / (n + expected) } else { 0.0 };
        if next <= lambda + 1e-9 {
            break;
        }
        lambda = next;
    }
    let forest = ScoredForest::new(pruned, &weights);
    debug_assert!(forest.n_items() >= pruned.n_live());
    k_best(&forest, n_best.max(1)).into_iter().map(|(derivation, _)| derivation).collect()
}

const MOST_ROUNDS: usize = 10;
const EPSILON: f64 = 1e-6;
