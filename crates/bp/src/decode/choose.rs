//! The best configuration of a factor, messages to it given.
//!
//! Of equally good ones the first is taken: as few literals as can be, the smallest values, the first entry of a table.

use super::Product;
use crate::factor::{Factor, FactorKind};
use crate::graph::Graph;
use crate::update::{Scratch, expand, gated, table};

/// The value of each edge's variable, or for a literal 1 if it holds and 0 if it does not; `None` if nothing is legal.
pub(super) fn choose(
    graph: &Graph,
    factor: &Factor,
    scratch: &mut Scratch,
    product: Product,
) -> Option<Vec<u32>> {
    let scores = &graph.scores[factor.scores.range()];
    let incoming = &mut scratch.incoming;
    Some(match factor.kind {
        FactorKind::Unary => vec![best_score(scores, incoming, product)],
        FactorKind::Nand => numbers(&nand(product.score(scores[0]), incoming)),
        FactorKind::Implies => numbers(&implies(product.score(scores[0]), incoming)),
        FactorKind::ExactlyOne => numbers(&only(incoming, first_largest(incoming))),
        FactorKind::AtMostOne => {
            let best = first_largest(incoming).filter(|&at| incoming[at] > 0.0);
            numbers(&only(incoming, best))
        }
        FactorKind::IsAtMostOne => {
            incoming[0] = -incoming[0];
            let mut held = only(incoming, first_largest(incoming));
            held[0] = !held[0];
            numbers(&held)
        }
        FactorKind::Structured(number) => {
            numbers(&graph.structured[number as usize].most_probable(incoming)?)
        }
        FactorKind::Table => {
            expand(graph, factor, scratch);
            best_entry(graph, factor, scratch, product)
        }
        FactorKind::Gated => {
            expand(graph, factor, scratch);
            best_pair(graph, factor, scratch, product)
        }
    })
}

fn numbers(held: &[bool]) -> Vec<u32> {
    held.iter().map(|&held| u32::from(held)).collect()
}

pub(super) fn first_largest(values: &[f64]) -> Option<usize> {
    let best = |best: Option<usize>, at: usize| match best {
        Some(best) if values[at] <= values[best] => Some(best),
        _ => Some(at),
    };
    (0..values.len()).fold(None, best)
}

fn only(odds: &[f64], one: Option<usize>) -> Vec<bool> {
    (0..odds.len()).map(|at| Some(at) == one).collect()
}

fn best_score(scores: &[f64], incoming: &[f64], product: Product) -> u32 {
    if let ([odds], [score]) = (incoming, scores) {
        return u32::from(odds + product.score(*score) > 0.0);
    }
    let sums: Vec<f64> =
        incoming.iter().zip(scores).map(|(odds, &score)| odds + product.score(score)).collect();
    first_largest(&sums).unwrap_or(0) as u32
}

/// All literals hold if ψ + Σ min(0, λ) is more than what it costs that one of them does not; otherwise those do that
/// would rather hold, and of them all the least willing does not.
fn nand(psi: f64, odds: &[f64]) -> Vec<bool> {
    let least = odds.iter().copied().fold(f64::INFINITY, f64::min);
    let all: f64 = psi + odds.iter().map(|odds| odds.min(0.0)).sum::<f64>();
    if all > -least.max(0.0) {
        return vec![true; odds.len()];
    }
    let mut held: Vec<bool> = odds.iter().map(|&odds| odds > 0.0).collect();
    if least > 0.0
        && let Some(at) = odds.iter().position(|&odds| odds == least)
    {
        held[at] = false;
    }
    held
}

fn implies(psi: f64, odds: &mut [f64]) -> Vec<bool> {
    odds.iter_mut().skip(1).for_each(|odds| *odds = -*odds);
    let mut held = nand(psi, odds);
    held.iter_mut().skip(1).for_each(|held| *held = !*held);
    held
}

fn best_entry(graph: &Graph, factor: &Factor, scratch: &Scratch, product: Product) -> Vec<u32> {
    let view = table(graph, factor, scratch);
    let mut best = (f64::NEG_INFINITY, Vec::new());
    view.walk(|entry, places| {
        let messages: f64 = places.iter().map(|&place| view.ln_messages[place]).sum();
        let sum = product.score(view.scores[entry]) + messages;
        if sum > best.0 {
            best = (sum, places.to_vec());
        }
    });
    let starts = view.sizes.iter().scan(0, |next, size| Some(std::mem::replace(next, *next + size)));
    best.1.iter().zip(starts).map(|(place, start)| (place - start) as u32).collect()
}

fn best_pair(graph: &Graph, factor: &Factor, scratch: &Scratch, product: Product) -> Vec<u32> {
    let odds = scratch.incoming[scratch.incoming.len() - 1];
    let view = gated(graph, factor, scratch);
    let apart = [view.ln_first, view.ln_second].map(|ln| first_largest(ln).unwrap_or(0));
    let mut best = (-odds.max(0.0), [apart[0], apart[1], 0]);
    for (a, row) in view.scores.chunks_exact(view.ln_second.len()).enumerate() {
        for (b, &score) in row.iter().enumerate() {
            let sum = odds.min(0.0) + view.ln_first[a] + product.score(score) + view.ln_second[b];
            if sum > best.0 {
                best = (sum, [a, b, 1]);
            }
        }
    }
    best.1.iter().map(|&value| value as u32).collect()
}
