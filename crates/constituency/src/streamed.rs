//! Max-rule decoding in memory that grows with the items, not with the edges.
//!
//! A forest of n words has n² items but n³ edges. Where their posteriors would take too much room, the inside and
//! outside vectors of all chains are kept instead, and the posteriors of each bundle are worked out when the walk
//! comes to it. The scores are those of [`super::ensemble`], bit for bit, for about twice the work.

use forest::substates::{Buffers, Chart, Posteriors};
use forest::{Bundle, Derivation, Item, mbr};
use grammar::anchor::{LeafVectors, Leaves, PrunedForest, RefinedForest};
use rustc_hash::FxHashMap;

use super::ensemble::Average;
use super::expected::{Bracket, SpanLabels};
use super::model::Refinement;

/// What is found in one walk.
#[derive(Debug)]
pub(super) struct Streamed {
    /// The tree of the greatest product of posteriors.
    pub(super) derivation: Option<Derivation>,
    /// The expected number of each bracket.
    pub(super) brackets: FxHashMap<Bracket, f64>,
    /// ln P(words | chain) over the forest.
    pub(super) ln_totals: Vec<f64>,
}

/// Decodes with all chains at once.
pub(super) fn max_rule(
    refinements: &[Refinement],
    pruned: &PrunedForest,
    leaves: &Leaves,
    labels: &SpanLabels,
    average: Average,
) -> Streamed {
    let vectors: Vec<LeafVectors> = refinements
        .iter()
        .map(|refinement| {
            let mut vectors = LeafVectors::default();
            vectors.fill(leaves, &refinement.tensors);
            vectors
        })
        .collect();
    let lay = |(refinement, vectors): (&'_ Refinement, &'_ LeafVectors)| {
        let mut chart = Chart::new();
        chart.fill(&RefinedForest::new(pruned, &refinement.tensors, vectors, &refinement.sizes));
        chart
    };
    let charts: Vec<Chart> = refinements.iter().zip(&vectors).map(lay).collect();
    let ln_totals: Vec<f64> = charts.iter().map(Chart::ln_total).collect();
    let mut chains: Vec<(RefinedForest<'_>, Posteriors<'_>)> = Vec::new();
    for ((refinement, vectors), chart) in refinements.iter().zip(&vectors).zip(&charts) {
        if chart.ln_total() > f64::NEG_INFINITY {
            let forest = RefinedForest::new(pruned, &refinement.tensors, vectors, &refinement.sizes);
            chains.push((forest, Posteriors::with_buffers(&forest, chart, Buffers::default())));
        }
    }
    let mut brackets: FxHashMap<Bracket, f64> = FxHashMap::default();
    let Some(first) = chains.first().map(|(forest, _)| *forest) else {
        return Streamed { derivation: None, brackets, ln_totals };
    };
    let mut place: Option<(Item, usize)> = None;
    let mut means = Vec::new();
    let found = mbr::best_by(&first, |item, bundle, scores| {
        let number = place.filter(|(last, _)| *last == item).map_or(0, |(_, number)| number + 1);
        place = Some((item, number));
        posteriors(&mut chains, item, number, bundle, (scores, &mut means), average);
        let sum: f64 = means.iter().sum();
        let (_, start, end) = pruned.spans().locate(item);
        for &label in labels.of(bundle.rule).iter().filter(|_| sum > 0.0) {
            *brackets.entry((label, start, end)).or_default() += sum;
        }
    });
    Streamed { derivation: found.map(|(derivation, _)| derivation), brackets, ln_totals }
}

/// Leaves the score of each edge of a bundle in the first list and its mean posterior in the second.
fn posteriors(
    chains: &mut [(RefinedForest<'_>, Posteriors<'_>)],
    item: Item,
    number: usize,
    bundle: &Bundle<&[f64]>,
    (scores, means): (&mut Vec<f64>, &mut Vec<f64>),
    average: Average,
) {
    let n_edges = bundle.tails.len() as usize;
    let n_chains = chains.len() as f64;
    let mut edges = Vec::new();
    scores.clear();
    scores.resize(n_edges, 0.0);
    means.clear();
    means.resize(n_edges, 0.0);
    for (forest, posteriors) in chains {
        let Some(mine) = forest.bundle(item, number) else { continue };
        posteriors.edges(item, &mine, &mut edges);
        for ((score, mean), &edge) in scores.iter_mut().zip(means.iter_mut()).zip(&edges) {
            *score += libm::log(edge);
            *mean += edge;
        }
    }
    means.iter_mut().for_each(|mean| *mean /= n_chains);
    match average {
        Average::Product => scores.iter_mut().for_each(|score| *score /= n_chains),
        Average::Mixture => scores.iter_mut().zip(means).for_each(|(score, mean)| *score = libm::log(*mean)),
    }
}
