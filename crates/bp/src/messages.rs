//! Messages between factors and variables, and what they come to.

use num::special::log_sum_exp;

use crate::decode::Product;
use crate::error::{Contradiction, Error};
use crate::evidence::Evidence;
use crate::factor::{Factor, FactorKind};
use crate::graph::{FactorId, Graph, Literal, Variable, WHOLE};
use crate::options::{Options, Outcome, Schedule};
use crate::order::{UpdateOrder, order};
use crate::update::Scratch;
use crate::{HARD, is_absent, is_required, sigmoid};

/// The state of inference; its memory is used again from graph to graph.
#[derive(Debug, Clone, Default)]
pub struct Messages {
    /// Σ of the messages to each variable.
    pub(crate) totals: Vec<f64>,
    /// The messages from factors, by edge.
    pub(crate) into: Vec<f64>,
    pub(crate) evidence: Evidence,
    pub(crate) scratch: Scratch,
    /// Sums or maxima.
    pub(crate) product: Product,
    /// What every value is worth before any message, where totals are kept; empty for nothing.
    pub(crate) prior: Vec<f64>,
    before: Vec<f64>,
}

impl Messages {
    /// Passes messages until they tell the marginals, or what comes near to them in a graph with cycles.
    pub fn run(&mut self, graph: &Graph, evidence: &Evidence, options: &Options) -> Result<Outcome, Error> {
        self.product = Product::Sum;
        self.prior.clear();
        self.pass(graph, evidence, options)
    }

    /// Passes messages of the kind that is set.
    pub(crate) fn pass(
        &mut self,
        graph: &Graph,
        evidence: &Evidence,
        options: &Options,
    ) -> Result<Outcome, Error> {
        self.begin(graph, evidence);
        let outcome = match self.order(graph) {
            Some(order) => {
                self.inwards(graph, &order)?;
                self.outwards(graph, &order)?;
                Outcome::exact()
            }
            None => self.run_loopy(graph, options)?,
        };
        self.check_variables(graph)?;
        Ok(outcome)
    }

    pub(crate) fn begin(&mut self, graph: &Graph, evidence: &Evidence) {
        self.totals.resize(graph.n_totals as usize, 0.0);
        self.start_totals();
        self.into.clear();
        self.into.resize(graph.n_messages as usize, 0.0);
        self.evidence.clone_from(evidence);
    }

    /// Sums without any message.
    fn start_totals(&mut self) {
        match self.prior.is_empty() {
            true => self.totals.fill(0.0),
            false => self.totals.copy_from_slice(&self.prior),
        }
    }

    /// The order of a graph without cycles.
    pub(crate) fn order(&self, graph: &Graph) -> Option<UpdateOrder> {
        order(graph, &self.evidence, |factor| self.is_idle(graph, factor))
    }

    /// Whether a factor has nothing to say: what is known leaves it nothing, or it is soft and only rules are asked for.
    fn is_idle(&self, graph: &Graph, factor: &Factor) -> bool {
        let scores = &graph.scores[factor.scores.range()];
        let is_soft = || !scores.is_empty() && scores.iter().all(|score| *score > f64::NEG_INFINITY);
        graph.is_idle(factor, &self.evidence) || (self.product == Product::Rules && is_soft())
    }

    /// Every factor but roots sends, from the leaves to the roots.
    pub(crate) fn inwards(&mut self, graph: &Graph, order: &UpdateOrder) -> Result<(), Error> {
        let inwards = order.factors.iter().zip(&order.is_root).rev().filter(|(_, is_root)| !**is_root);
        for (&factor, _) in inwards {
            self.update(graph, factor, 0.0)?;
        }
        Ok(())
    }

    /// Every factor sends, from the roots to the leaves.
    fn outwards(&mut self, graph: &Graph, order: &UpdateOrder) -> Result<(), Error> {
        for (&factor, &is_root) in order.factors.iter().zip(&order.is_root) {
            if is_root || graph.factors[factor as usize].kind != FactorKind::Unary {
                self.update(graph, factor, 0.0)?;
            }
        }
        Ok(())
    }

    pub(crate) fn run_loopy(&mut self, graph: &Graph, options: &Options) -> Result<Outcome, Error> {
        let mut cheap = Vec::new();
        let mut structured = Vec::new();
        for (number, factor) in graph.factors.iter().enumerate() {
            match factor.kind {
                _ if self.is_idle(graph, factor) => {}
                // What these send never changes.
                FactorKind::Unary => {
                    self.update(graph, number as u32, 0.0)?;
                }
                FactorKind::Structured(_) => structured.push(number as u32),
                _ => cheap.push(number as u32),
            }
        }
        match options.schedule {
            Schedule::Sweep => self.sweep(graph, options, &cheap, &structured),
            Schedule::Residual => self.chase(graph, options, cheap.into_iter().chain(structured)),
        }
    }

    fn sweep(
        &mut self,
        graph: &Graph,
        options: &Options,
        cheap: &[u32],
        structured: &[u32],
    ) -> Result<Outcome, Error> {
        let mut outcome = Outcome { is_exact: false, has_converged: false, sweeps: 0 };
        self.change_of_beliefs(graph);
        while outcome.sweeps < options.most && !outcome.has_converged {
            self.add_up(graph);
            for &factor in cheap.iter().chain(structured).chain(cheap.iter().rev()) {
                self.update(graph, factor, options.damping)?;
            }
            outcome.sweeps += 1;
            outcome.has_converged = self.change_of_beliefs(graph) < options.tolerance;
        }
        Ok(outcome)
    }

    /// Lets the factor send whose incoming messages have changed most since it last did.
    fn chase(
        &mut self,
        graph: &Graph,
        options: &Options,
        factors: impl Iterator<Item = u32>,
    ) -> Result<Outcome, Error> {
        let mut residuals = vec![0.0; graph.factors.len()];
        let mut waiting: std::collections::BTreeSet<(u64, u32)> = std::collections::BTreeSet::new();
        factors.for_each(|factor| {
            residuals[factor as usize] = HARD;
            waiting.insert((HARD.to_bits(), factor));
        });
        let n_factors = waiting.len().max(1);
        let mut sent = 0;
        while let Some(&(residual, factor)) = waiting.last() {
            if f64::from_bits(residual) < options.tolerance || sent >= options.most * n_factors {
                break;
            }
            waiting.remove(&(residual, factor));
            residuals[factor as usize] = 0.0;
            self.update(graph, factor, options.damping)?;
            sent += 1;
            let changes = std::mem::take(&mut self.scratch.changes);
            // Of a damped message a share is still to come: with t the whole of it, (1 − d)(t − old) has been sent and
            // d (t − old) is left.
            let sent_now = changes.iter().map(|&(_, change)| change).fold(0.0, f64::max);
            let left = sent_now * options.damping / (1.0 - options.damping);
            if left > 0.0 {
                residuals[factor as usize] = left;
                waiting.insert((left.to_bits(), factor));
            }
            for &(variable, change) in &changes {
                for &end in graph.ends_of(variable as usize) {
                    let other = graph.owners[end as usize];
                    let is_waiting =
                        graph.factors[other as usize].kind != FactorKind::Unary && other != factor;
                    let before = residuals[other as usize];
                    if is_waiting && change > before {
                        waiting.remove(&(before.to_bits(), other));
                        residuals[other as usize] = change;
                        waiting.insert((change.to_bits(), other));
                    }
                }
            }
            self.scratch.changes = changes;
            if sent % n_factors == 0 {
                self.add_up(graph);
            }
        }
        let has_converged = waiting.last().is_none_or(|&(bits, _)| f64::from_bits(bits) < options.tolerance);
        Ok(Outcome { is_exact: false, has_converged, sweeps: sent.div_ceil(n_factors) })
    }

    /// Adds messages up anew, since sums that are kept up to date gather rounding errors.
    fn add_up(&mut self, graph: &Graph) {
        self.start_totals();
        for edge in &graph.edges {
            let width = graph.widths[edge.variable as usize];
            let at = graph.at[edge.variable as usize] as usize;
            let from = edge.at as usize;
            if edge.value == WHOLE {
                let messages = &self.into[from..from + width as usize];
                self.totals[at..].iter_mut().zip(messages).for_each(|(total, message)| *total += message);
            } else {
                let value = if width == 1 { 0 } else { edge.value as usize };
                self.totals[at + value] += self.into[from];
            }
        }
    }

    /// The largest change of a probability since the last call.
    fn change_of_beliefs(&mut self, graph: &Graph) -> f64 {
        let mut beliefs = Vec::with_capacity(self.totals.len());
        for variable in 0..graph.widths.len() {
            self.push_beliefs(graph, variable, &mut beliefs);
        }
        let change = beliefs.iter().zip(&self.before).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        let change = if self.before.len() == beliefs.len() { change } else { f64::INFINITY };
        self.before = beliefs;
        change
    }

    fn push_beliefs(&self, graph: &Graph, variable: usize, beliefs: &mut Vec<f64>) {
        let at = graph.at[variable] as usize;
        let width = graph.widths[variable] as usize;
        let start = beliefs.len();
        match self.evidence.at(variable) {
            Some(value) if width == 1 => beliefs.push(f64::from(value)),
            Some(value) => {
                beliefs.resize(start + width, 0.0);
                beliefs[start + value as usize] = 1.0;
            }
            None if width == 1 => beliefs.push(sigmoid(self.totals[at])),
            None => {
                beliefs.extend_from_slice(&self.totals[at..at + width]);
                normalise(&mut beliefs[start..]);
            }
        }
    }

    pub(crate) fn check_variables(&self, graph: &Graph) -> Result<(), Error> {
        for variable in 0..graph.widths.len() {
            if self.evidence.at(variable).is_none() && self.is_torn(graph, variable) {
                let factors = graph.ends_of(variable).iter().filter(|&&end| self.is_hard(graph, end));
                let factors =
                    factors.map(|&end| graph.describe(FactorId(graph.owners[end as usize]))).collect();
                return Err(Contradiction::Variable { variable, factors }.into());
            }
        }
        Ok(())
    }

    /// Whether what factors say for certain leaves a variable no value.
    fn is_torn(&self, graph: &Graph, variable: usize) -> bool {
        let width = graph.widths[variable] as usize;
        let (mut required, mut absent) = (vec![false; width], vec![false; width]);
        for &end in graph.ends_of(variable) {
            let edge = graph.edges[end as usize];
            let (first, n) = match edge.value {
                WHOLE => (0, width),
                value => (if width == 1 { 0 } else { value as usize }, 1),
            };
            for (place, &message) in self.into[edge.at as usize..][..n].iter().enumerate() {
                required[first + place] |= is_required(message);
                absent[first + place] |= is_absent(message);
            }
        }
        let both = required.iter().zip(&absent).any(|(required, absent)| *required && *absent);
        both || (width > 1 && (required.iter().filter(|is| **is).count() > 1 || absent.iter().all(|is| *is)))
    }

    /// Whether an edge tells its variable that something must or cannot be.
    pub(crate) fn is_hard(&self, graph: &Graph, end: u32) -> bool {
        let edge = graph.edges[end as usize];
        let width = if edge.value == WHOLE { graph.widths[edge.variable as usize] } else { 1 };
        let messages = &self.into[edge.at as usize..(edge.at + width) as usize];
        messages.iter().any(|&message| is_absent(message) || is_required(message))
    }

    /// How probable a literal is.
    pub fn probability(&self, graph: &Graph, literal: Literal) -> f64 {
        let mut beliefs = Vec::new();
        self.beliefs(graph, literal.variable, &mut beliefs);
        beliefs.get(literal.value as usize).copied().unwrap_or(0.0)
    }

    /// How probable each value of a variable is; replaces what `beliefs` held.
    pub fn beliefs(&self, graph: &Graph, variable: Variable, beliefs: &mut Vec<f64>) {
        beliefs.clear();
        if variable.index() < graph.n_variables() {
            self.push_beliefs(graph, variable.index(), beliefs);
            if graph.widths[variable.index()] == 1 {
                beliefs.insert(0, 1.0 - beliefs[0]);
            }
        }
    }

    /// The log-odds of a Boolean; those of a known one are ±[`HARD`].
    pub fn log_odds(&self, graph: &Graph, variable: Variable) -> f64 {
        match self.evidence.at(variable.index()) {
            Some(1) => HARD,
            Some(_) => -HARD,
            None => self.totals[graph.at[variable.index()] as usize],
        }
    }
}

/// Turns logarithms into probabilities.
pub(crate) fn normalise(logarithms: &mut [f64]) {
    let total = log_sum_exp(logarithms);
    logarithms.iter_mut().for_each(|value| *value -= total);
    num::special::exp_slice(logarithms);
}
