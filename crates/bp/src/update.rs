//! A factor takes what variables tell it and answers.

use num::special::{log_add_exp, log_sum_exp};

use crate::decode::{self, Product};
use crate::error::{Contradiction, Error};
use crate::factor::{Factor, FactorKind};
use crate::graph::{FactorEdge, FactorId, Graph, WHOLE};
use crate::messages::Messages;
use crate::structured::Structured;
use crate::tables::{Gated, TableView};
use crate::{HARD, is_absent, is_required, logic, softplus};

/// Memory for the update of a factor.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scratch {
    pub(crate) incoming: Vec<f64>,
    pub(crate) outgoing: Vec<f64>,
    pub(crate) complements: Vec<f64>,
    ln_messages: Vec<f64>,
    pub(crate) plain: Vec<f64>,
    sizes: Vec<usize>,
    /// Variables whose sum has changed in the last update, and by how much.
    pub(crate) changes: Vec<(u32, f64)>,
}

impl Messages {
    /// Lets a factor send to all its free variables.
    pub(crate) fn update(&mut self, graph: &Graph, number: u32, damping: f64) -> Result<(), Error> {
        let factor = &graph.factors[number as usize];
        self.gather(graph, factor);
        let mut scratch = std::mem::take(&mut self.scratch);
        let total = send(graph, factor, &mut scratch, self.product);
        let is_possible = match factor.kind {
            FactorKind::Structured(_) => total > f64::NEG_INFINITY,
            _ => !is_absent(total),
        };
        if is_possible {
            self.hand_out(graph, factor, damping, &mut scratch);
        }
        self.scratch = scratch;
        if is_possible {
            return Ok(());
        }
        Err(self.contradiction(graph, number).into())
    }

    /// What stands behind the impossible messages to a factor.
    pub(crate) fn contradiction(&self, graph: &Graph, number: u32) -> Contradiction {
        let factor = &graph.factors[number as usize];
        let mut because = Vec::new();
        for edge in graph.edges_of(factor) {
            let variable = edge.variable as usize;
            if let Some(value) = self.evidence.at(variable) {
                because.push(format!("variable {variable} is known to be {value}"));
            }
            let others = graph.ends_of(variable).iter().filter(|&&end| graph.owners[end as usize] != number);
            let hard = others.filter(|&&end| self.is_hard(graph, end));
            because.extend(hard.map(|&end| graph.describe(FactorId(graph.owners[end as usize]))));
        }
        because.truncate(8);
        Contradiction::Factor { factor: graph.describe(FactorId(number)), because }
    }

    /// ln Σ Ψ Π m of a factor, messages to it as probabilities.
    pub(crate) fn factor_total(&mut self, graph: &Graph, number: usize) -> f64 {
        let factor = &graph.factors[number];
        if graph.is_idle(factor, &self.evidence) {
            return 0.0;
        }
        self.gather(graph, factor);
        send(graph, factor, &mut self.scratch, self.product)
    }

    /// Adds the probability of each scored configuration of a factor to `beliefs`, which has a place for each score.
    pub(crate) fn add_factor_beliefs(&mut self, graph: &Graph, number: usize, beliefs: &mut [f64]) {
        let factor = &graph.factors[number];
        if factor.scores.len == 0 || graph.is_idle(factor, &self.evidence) {
            return;
        }
        self.gather(graph, factor);
        let beliefs = &mut beliefs[factor.scores.range()];
        let scores = &graph.scores[factor.scores.range()];
        let scratch = &mut self.scratch;
        match factor.kind {
            FactorKind::Unary if graph.widths[graph.edges_of(factor)[0].variable as usize] == 1 => {
                beliefs[0] += crate::sigmoid(scratch.incoming[0] + score(scores[0]));
            }
            FactorKind::Unary => {
                let values: Vec<f64> =
                    scratch.incoming.iter().zip(scores).map(|(m, s)| m + score(*s)).collect();
                let total = log_sum_exp(&values);
                beliefs
                    .iter_mut()
                    .zip(&values)
                    .for_each(|(belief, value)| *belief += libm::exp(value - total));
            }
            FactorKind::Nand | FactorKind::Implies => {
                let total = send(graph, factor, scratch, self.product);
                // IMPLIES has negated its consequents on the way.
                beliefs[0] += libm::exp(scores[0] + logic::ln_all(&scratch.incoming) - total);
            }
            FactorKind::Table => {
                expand(graph, factor, scratch);
                table(graph, factor, scratch).add_beliefs(beliefs);
            }
            FactorKind::Gated => {
                expand(graph, factor, scratch);
                gated(graph, factor, scratch).add_beliefs(beliefs);
            }
            _ => {}
        }
    }

    /// What all other factors tell a factor about its variables.
    pub(crate) fn gather(&mut self, graph: &Graph, factor: &Factor) {
        let mut incoming = std::mem::take(&mut self.scratch.incoming);
        incoming.clear();
        for edge in graph.edges_of(factor) {
            match graph.widths[edge.variable as usize] {
                1 => incoming.push(self.odds_of_boolean(graph, edge)),
                width if edge.value == WHOLE => self.push_values(graph, edge, width as usize, &mut incoming),
                width => incoming.push(self.odds_of_value(graph, edge, width as usize)),
            }
        }
        self.scratch.incoming = incoming;
    }

    fn odds_of_boolean(&self, graph: &Graph, edge: &FactorEdge) -> f64 {
        match self.evidence.at(edge.variable as usize) {
            Some(0) => -HARD,
            Some(_) => HARD,
            None => {
                let total = self.totals[graph.at[edge.variable as usize] as usize];
                (total - self.into[edge.at as usize]).clamp(-HARD, HARD)
            }
        }
    }

    /// ln of what the others say for the value against all other values, or against the best of them.
    pub(crate) fn odds_of_value(&self, graph: &Graph, edge: &FactorEdge, width: usize) -> f64 {
        if let Some(value) = self.evidence.at(edge.variable as usize) {
            return if value == edge.value { HARD } else { -HARD };
        }
        let at = graph.at[edge.variable as usize] as usize;
        let totals = &self.totals[at..at + width];
        let own = totals[edge.value as usize] - self.into[edge.at as usize];
        let others =
            || totals.iter().enumerate().filter(|&(value, _)| value != edge.value as usize).map(|(_, t)| *t);
        let top = others().fold(f64::NEG_INFINITY, f64::max);
        if self.product != Product::Sum {
            return (own - top).clamp(-HARD, HARD);
        }
        let sum: f64 = others().map(|total| libm::exp(total - top)).sum();
        (own - top - libm::log(sum)).clamp(-HARD, HARD)
    }

    fn push_values(&self, graph: &Graph, edge: &FactorEdge, width: usize, incoming: &mut Vec<f64>) {
        let start = incoming.len();
        if let Some(value) = self.evidence.at(edge.variable as usize) {
            incoming.resize(start + width, -HARD);
            incoming[start + value as usize] = 0.0;
            return;
        }
        let at = graph.at[edge.variable as usize] as usize;
        let own = &self.into[edge.at as usize..][..width];
        incoming.extend(self.totals[at..at + width].iter().zip(own).map(|(total, own)| total - own));
        level(&mut incoming[start..]);
    }

    fn hand_out(&mut self, graph: &Graph, factor: &Factor, damping: f64, scratch: &mut Scratch) {
        scratch.changes.clear();
        let mut from = 0;
        for edge in graph.edges_of(factor) {
            let width = graph.widths[edge.variable as usize] as usize;
            let at = graph.at[edge.variable as usize] as usize;
            let (at, n) = match edge.value {
                WHOLE => (at, width),
                value => (at + if width == 1 { 0 } else { value as usize }, 1),
            };
            let messages = &mut scratch.outgoing[from..from + n];
            from += n;
            if self.evidence.at(edge.variable as usize).is_some() {
                continue;
            }
            if n > 1 {
                level(messages);
            }
            let mut change = 0.0f64;
            let old = &mut self.into[edge.at as usize..][..n];
            for ((message, old), total) in messages.iter().zip(old).zip(&mut self.totals[at..]) {
                let new = damping * *old + (1.0 - damping) * message.clamp(-HARD, HARD);
                *total += new - *old;
                change = change.max((new - *old).abs());
                *old = new;
            }
            scratch.changes.push((edge.variable, change));
        }
    }
}

/// Makes the largest of some logarithms 0 and none smaller than −HARD.
fn level(logarithms: &mut [f64]) {
    let top = logarithms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let top = if top.is_finite() { top } else { 0.0 };
    logarithms.iter_mut().for_each(|value| *value = (*value - top).max(-HARD));
}

/// A score as a message.
fn score(score: f64) -> f64 {
    score.max(-HARD)
}

/// Fills `outgoing` from `incoming`; returns ln Σ Ψ Π m with incoming messages as probabilities.
fn send(graph: &Graph, factor: &Factor, scratch: &mut Scratch, product: Product) -> f64 {
    scratch.outgoing.clear();
    scratch.outgoing.resize(scratch.incoming.len(), 0.0);
    if product != Product::Sum {
        return decode::send(graph, factor, scratch, product);
    }
    let scores = &graph.scores[factor.scores.range()];
    let Scratch { incoming, outgoing, .. } = scratch;
    match factor.kind {
        FactorKind::Unary => send_scores(scores, incoming, outgoing),
        FactorKind::Nand => logic::nand(scores[0], incoming, outgoing),
        FactorKind::Implies => logic::implies(scores[0], incoming, outgoing),
        FactorKind::ExactlyOne => logic::exactly_one(-HARD, incoming, outgoing),
        FactorKind::AtMostOne => logic::exactly_one(0.0, incoming, outgoing),
        FactorKind::IsAtMostOne => logic::is_at_most_one(incoming, outgoing),
        FactorKind::Table => {
            expand(graph, factor, scratch);
            let mut outgoing = std::mem::take(&mut scratch.complements);
            outgoing.clear();
            outgoing.resize(scratch.plain.len(), 0.0);
            let total = table(graph, factor, scratch).send(&mut outgoing);
            fold_booleans(graph, factor, &outgoing, &mut scratch.outgoing);
            scratch.complements = outgoing;
            total
        }
        FactorKind::Gated => {
            expand(graph, factor, scratch);
            let mut outgoing = std::mem::take(&mut scratch.outgoing);
            let total = gated(graph, factor, scratch).send(&mut outgoing);
            scratch.outgoing = outgoing;
            total
        }
        FactorKind::Structured(number) => send_structured(graph, number, scratch),
    }
}

fn send_scores(scores: &[f64], incoming: &[f64], outgoing: &mut [f64]) -> f64 {
    outgoing.iter_mut().zip(scores).for_each(|(message, &value)| *message = score(value));
    if incoming.len() == 1 {
        return log_add_exp(-softplus(incoming[0]), outgoing[0] - softplus(-incoming[0]));
    }
    let sum: Vec<f64> = incoming.iter().zip(&*outgoing).map(|(a, b)| a + b).collect();
    log_sum_exp(&sum) - log_sum_exp(incoming)
}

/// λ_f→v = ln p − ln(1 − p) − λ_v→f.
fn send_structured(graph: &Graph, number: u32, scratch: &mut Scratch) -> f64 {
    let factor = &*graph.structured[number as usize];
    let Scratch { incoming, outgoing, complements, .. } = scratch;
    complements.clear();
    complements.resize(incoming.len(), 0.0);
    let total = factor.marginals(incoming, outgoing, complements);
    if total == f64::NEG_INFINITY {
        return total;
    }
    let mut is_settled = false;
    for ((message, complement), odds) in outgoing.iter_mut().zip(&*complements).zip(&*incoming) {
        // What must or cannot be is told nothing: its own odds cannot be divided out, and nobody waits for it.
        if is_absent(*odds) || is_required(*odds) {
            *message = 0.0;
            continue;
        }
        is_settled |= *message <= 0.0 || *complement == f64::NEG_INFINITY;
        let ln_p = if *message > 0.0 { libm::log(*message) } else { -NOTHING };
        *message = ln_p - complement.max(-NOTHING) - odds;
    }
    if is_settled {
        settle(factor, incoming, outgoing);
    }
    // ln(1 − p) of all literals, and ln p of those that must be, whose odds are not in the total.
    total - incoming.iter().map(|&odds| softplus(if is_required(odds) { -odds } else { odds })).sum::<f64>()
}

/// Tells what must and what cannot be from what is only too improbable for floats: with even odds nothing is.
fn settle(factor: &dyn Structured, incoming: &[f64], outgoing: &mut [f64]) {
    let is_hard = |odds: f64| is_absent(odds) || is_required(odds);
    let even: Vec<f64> = incoming.iter().map(|&odds| if is_hard(odds) { odds } else { 0.0 }).collect();
    let (mut p, mut ln_complement) = (vec![0.0; even.len()], vec![0.0; even.len()]);
    factor.marginals(&even, &mut p, &mut ln_complement);
    let rounding = factor.rounding();
    for (at, message) in outgoing.iter_mut().enumerate().filter(|(at, _)| !is_hard(incoming[*at])) {
        if p[at] <= rounding {
            *message = -HARD;
        } else if libm::exp(ln_complement[at]) <= rounding {
            *message = HARD;
        }
    }
}

/// The logarithm of about the smallest number, negated.
const NOTHING: f64 = 700.0;

/// Writes messages with a place for each value: a Boolean has two.
pub(crate) fn expand(graph: &Graph, factor: &Factor, scratch: &mut Scratch) {
    let Scratch { incoming, ln_messages, plain, sizes, .. } = scratch;
    ln_messages.clear();
    sizes.clear();
    let mut from = 0;
    for edge in graph.edges_of(factor) {
        let width = if edge.value == WHOLE { graph.widths[edge.variable as usize] as usize } else { 1 };
        let messages = &incoming[from..from + width];
        from += width;
        if width == 1 {
            ln_messages.extend([-messages[0].max(0.0), messages[0].min(0.0)]);
        } else {
            ln_messages.extend_from_slice(messages);
        }
        sizes.push(width.max(2));
    }
    plain.clear();
    plain.extend_from_slice(ln_messages);
    num::special::exp_slice(plain);
}

/// Back to one number for a Boolean.
pub(crate) fn fold_booleans(graph: &Graph, factor: &Factor, expanded: &[f64], outgoing: &mut [f64]) {
    let (mut from, mut to) = (0, 0);
    for edge in graph.edges_of(factor) {
        let width = graph.widths[edge.variable as usize] as usize;
        if width == 1 {
            let floor = |ln: f64| ln.max(-HARD);
            outgoing[to] = floor(expanded[from + 1]) - floor(expanded[from]);
        } else {
            outgoing[to..to + width].copy_from_slice(&expanded[from..from + width]);
        }
        from += width.max(2);
        to += width;
    }
}

pub(crate) fn table<'a>(graph: &'a Graph, factor: &Factor, scratch: &'a Scratch) -> TableView<'a> {
    let scores = &graph.scores[factor.scores.range()];
    TableView {
        scores,
        weights: &graph.weights[factor.scores.range()],
        top: graph.tops[factor.scores.start as usize],
        sizes: &scratch.sizes,
        ln_messages: &scratch.ln_messages,
        messages: &scratch.plain,
    }
}

pub(crate) fn gated<'a>(graph: &'a Graph, factor: &Factor, scratch: &'a Scratch) -> Gated<'a> {
    let [a, b] = [scratch.sizes[0], scratch.sizes[1]];
    let odds = scratch.incoming[scratch.incoming.len() - 1];
    Gated {
        scores: &graph.scores[factor.scores.range()],
        weights: &graph.weights[factor.scores.range()],
        top: graph.tops[factor.scores.start as usize],
        ln_first: &scratch.ln_messages[..a],
        ln_second: &scratch.ln_messages[a..a + b],
        first: &scratch.plain[..a],
        second: &scratch.plain[a..a + b],
        ln_gate: [-softplus(odds), -softplus(-odds)],
    }
}
