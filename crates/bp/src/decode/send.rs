//! Messages of maxima: the best with a value less the best without it.
//!
//! They are those of sums with Σ made max, so that ln(1 + eˣ) becomes max(0, x), and messages of variables are at most 0.

use super::Product;
use crate::HARD;
use crate::factor::{Factor, FactorKind};
use crate::graph::Graph;
use crate::structured::Structured;
use crate::update::{Scratch, expand, fold_booleans, gated, table};
use crate::{is_absent, is_required};

/// Fills `outgoing` from `incoming`; returns the largest Ψ Π m as a logarithm, −HARD or less if nothing is possible.
pub(crate) fn send(graph: &Graph, factor: &Factor, scratch: &mut Scratch, product: Product) -> f64 {
    let scores = &graph.scores[factor.scores.range()];
    let Scratch { incoming, outgoing, complements, .. } = scratch;
    match factor.kind {
        FactorKind::Unary => send_scores(scores, incoming, outgoing, product),
        FactorKind::Nand => nand(product.score(scores[0]), incoming, outgoing),
        FactorKind::Implies => implies(product.score(scores[0]), incoming, outgoing),
        FactorKind::ExactlyOne => exactly_one(-HARD, incoming, outgoing),
        FactorKind::AtMostOne => exactly_one(0.0, incoming, outgoing),
        FactorKind::IsAtMostOne => is_at_most_one(incoming, outgoing),
        FactorKind::Structured(number) => {
            complements.clear();
            complements.resize(incoming.len(), 0.0);
            send_structured(&*graph.structured[number as usize], incoming, outgoing, complements)
        }
        FactorKind::Table => {
            expand(graph, factor, scratch);
            let total = send_table(graph, factor, scratch, product);
            fold_booleans(graph, factor, &scratch.complements, &mut scratch.outgoing);
            total
        }
        FactorKind::Gated => {
            expand(graph, factor, scratch);
            let mut outgoing = std::mem::take(&mut scratch.outgoing);
            let total = send_gated(graph, factor, scratch, product, &mut outgoing);
            scratch.outgoing = outgoing;
            total
        }
    }
}

fn send_scores(scores: &[f64], incoming: &[f64], outgoing: &mut [f64], product: Product) -> f64 {
    outgoing.iter_mut().zip(scores).for_each(|(message, &score)| *message = product.score(score));
    match (incoming, &*outgoing) {
        ([odds], [score]) => (-odds.max(0.0)).max(score + odds.min(0.0)),
        _ => largest(incoming.iter().zip(&*outgoing).map(|(a, b)| a + b)),
    }
}

fn largest(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(f64::NEG_INFINITY, f64::max)
}

/// All but one.
fn but(odds: &[f64], one: usize) -> impl Iterator<Item = f64> {
    odds.iter().enumerate().filter(move |&(at, _)| at != one).map(|(_, odds)| *odds)
}

/// The best if all literals hold, and if not all do: Σ min(0, λ), and −max(0, least λ), since one that would rather hold
/// must not; −HARD without literals, of which all hold.
fn conjunction(odds: impl Iterator<Item = f64>) -> (f64, f64) {
    odds.fold((0.0, -HARD), |(all, rest), odds| (all + odds.min(0.0), rest.max(all - odds.max(0.0))))
}

/// λ_i = max(rest of the others, ψ + all of the others).
fn nand(psi: f64, incoming: &[f64], outgoing: &mut [f64]) -> f64 {
    for (i, message) in outgoing.iter_mut().enumerate() {
        let (all, rest) = conjunction(but(incoming, i));
        *message = rest.max(psi + all);
    }
    let (all, rest) = conjunction(incoming.iter().copied());
    rest.max(psi + all)
}

fn implies(psi: f64, incoming: &mut [f64], outgoing: &mut [f64]) -> f64 {
    incoming.iter_mut().skip(1).for_each(|odds| *odds = -*odds);
    let total = nand(psi, incoming, outgoing);
    outgoing.iter_mut().skip(1).for_each(|odds| *odds = -*odds);
    total
}

/// λ_i = −max_{j≠i} λ_j, the literal of odds `extra` that nobody looks at among the j.
fn exactly_one(extra: f64, incoming: &[f64], outgoing: &mut [f64]) -> f64 {
    let top = largest(incoming.iter().copied());
    let first = incoming.iter().position(|&odds| odds == top);
    for (i, message) in outgoing.iter_mut().enumerate() {
        let others = if first == Some(i) { largest(but(incoming, i)) } else { top };
        *message = -others.max(extra);
    }
    // Of the best its odds beside what it would weigh if it did not hold, of the others that they do not hold.
    let without = |odds: f64| odds.max(0.0);
    if top > extra
        && let Some(first) = first
    {
        return top.min(0.0) - but(incoming, first).map(without).sum::<f64>();
    }
    extra - incoming.iter().copied().map(without).sum::<f64>()
}

fn is_at_most_one(incoming: &mut [f64], outgoing: &mut [f64]) -> f64 {
    incoming[0] = -incoming[0];
    let total = exactly_one(-HARD, incoming, outgoing);
    outgoing[0] = -outgoing[0];
    total
}

/// m(x) = max of Ψ Π of the other messages; into `complements`, which has a place for each value.
fn send_table(graph: &Graph, factor: &Factor, scratch: &mut Scratch, product: Product) -> f64 {
    let mut outgoing = std::mem::take(&mut scratch.complements);
    outgoing.clear();
    outgoing.resize(scratch.plain.len(), f64::NEG_INFINITY);
    let view = table(graph, factor, scratch);
    let mut total = f64::NEG_INFINITY;
    view.walk(|entry, places| {
        let score = product.score(view.scores[entry]);
        total = total.max(score + places.iter().map(|&place| view.ln_messages[place]).sum::<f64>());
        for (own, &place) in places.iter().enumerate() {
            let others = places.iter().enumerate().filter(|&(other, _)| other != own);
            let others: f64 = others.map(|(_, &place)| view.ln_messages[place]).sum();
            outgoing[place] = outgoing[place].max(score + others);
        }
    });
    scratch.complements = outgoing;
    total
}

/// With R_a = max_b m(b) Ψ_ab, and the largest of each message 0:
///
/// ```text
/// to the first: max(closed, open + R_a)      to the gate: max_a m(a) + R_a
/// ```
fn send_gated(
    graph: &Graph,
    factor: &Factor,
    scratch: &Scratch,
    product: Product,
    outgoing: &mut [f64],
) -> f64 {
    let odds = scratch.incoming[scratch.incoming.len() - 1];
    let (closed, open) = (-odds.max(0.0), odds.min(0.0));
    let view = gated(graph, factor, scratch);
    let (to_first, rest) = outgoing.split_at_mut(view.ln_first.len());
    let (to_second, to_gate) = rest.split_at_mut(view.ln_second.len());
    to_first.fill(closed);
    to_second.fill(closed);
    to_gate[0] = f64::NEG_INFINITY;
    let rows = view.scores.chunks_exact(view.ln_second.len());
    for ((row, first), to_first) in rows.zip(view.ln_first).zip(to_first) {
        for ((&score, second), to_second) in row.iter().zip(view.ln_second).zip(&mut *to_second) {
            let score = product.score(score);
            *to_first = to_first.max(open + score + second);
            *to_second = to_second.max(open + score + first);
            to_gate[0] = to_gate[0].max(first + score + second);
        }
    }
    closed.max(open + to_gate[0])
}

/// λ_f→v = the best with v − the best without it − λ_v→f.
fn send_structured(
    factor: &dyn Structured,
    incoming: &[f64],
    outgoing: &mut [f64],
    without: &mut [f64],
) -> f64 {
    let total = factor.max_marginals(incoming, outgoing, without);
    if total == f64::NEG_INFINITY {
        return total;
    }
    for ((message, &without), &odds) in outgoing.iter_mut().zip(&*without).zip(incoming) {
        *message = match (*message, without) {
            // As with sums, what must or cannot be is told nothing.
            _ if is_absent(odds) || is_required(odds) => 0.0,
            (with, _) if with == f64::NEG_INFINITY => -HARD,
            (_, without) if without == f64::NEG_INFINITY => HARD,
            (with, without) => with - without - odds,
        };
    }
    total
}
