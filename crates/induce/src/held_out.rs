//! When to stop: as long as text that is not learned from becomes likelier.

use std::io;
use std::marker::PhantomData;
use std::ops::ControlFlow;

use chain::fit::Fitted;
use chain::observe::Memory;
use chain::{Observer, Progress, Stop, Workers};
use serde::{Deserialize, Serialize};

use crate::family::Family;

/// So much of every distribution is even when text is judged: an event that never happened must not rule a sentence out.
const EVEN: f64 = 0.01;

/// Σ ln p(x) of items under a grammar, every distribution mixed with a hundredth of the even one.
pub fn log_likelihood<F: Family>(family: &F, items: &[F::Item], grammar: &[f64], workers: &Workers) -> f64 {
    let mixed = family.rows().mixed(grammar, EVEN);
    let empty = || (0.0, F::Memory::default(), vec![0.0; mixed.len()]);
    let add = |sum: &mut (f64, F::Memory, Vec<f64>), i: usize| {
        sum.0 += family.expect(&items[i], &mixed, &mut sum.1, &mut sum.2);
    };
    workers.fold(items.len(), 64, empty, add, |earlier, later| earlier.0 += later.0).0
}

/// Watches a fit: keeps the grammar under which held-out items are likeliest, and stops when it was not surpassed for
/// some passes. Without held-out items the last grammar counts.
pub struct HeldOut<'a, F: Family, P, G> {
    family: &'a F,
    items: &'a [F::Item],
    workers: &'a Workers,
    point: G,
    patience: u32,
    found: Found,
    params: PhantomData<fn(&P)>,
}

/// What was found so far.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// The log-likelihood of held-out items after each pass; empty without any.
    pub history: Vec<f64>,
    /// The best pass, from 1.
    pub best_pass: u64,
    /// Its grammar.
    pub grammar: Vec<f64>,
}

impl<'a, F: Family, P, G: Fn(&P) -> Vec<f64>> HeldOut<'a, F, P, G> {
    /// `point` makes a grammar of parameters; `patience` passes may be worse than the best before the fit stops.
    pub fn new(family: &'a F, items: &'a [F::Item], workers: &'a Workers, patience: u32, point: G) -> Self {
        HeldOut { family, items, workers, point, patience, found: Found::default(), params: PhantomData }
    }

    /// What was found.
    pub fn into_found(self) -> Found {
        self.found
    }
}

impl<F: Family, P, G: Fn(&P) -> Vec<f64>> Observer<Fitted<P>> for HeldOut<'_, F, P, G> {
    fn after_sweep(&mut self, at: &Progress, state: &Fitted<P>) -> io::Result<ControlFlow<Stop>> {
        let grammar = (self.point)(&state.params);
        if self.items.is_empty() {
            self.found = Found { history: Vec::new(), best_pass: at.sweep, grammar };
            return Ok(ControlFlow::Continue(()));
        }
        let value = log_likelihood(self.family, self.items, &grammar, self.workers);
        let best = self.found.history.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        self.found.history.push(value);
        if value > best || self.found.grammar.is_empty() {
            self.found.best_pass = at.sweep;
            self.found.grammar = grammar;
        }
        let tired = at.sweep >= self.found.best_pass + u64::from(self.patience.max(1));
        Ok(if tired { ControlFlow::Break(Stop::Because(TIRED.into())) } else { ControlFlow::Continue(()) })
    }

    fn remember(&self, memory: &mut Memory) -> io::Result<()> {
        memory.put("held-out", &self.found)
    }

    fn recall(&mut self, memory: &Memory) -> io::Result<()> {
        self.found = memory.get("held-out")?;
        Ok(())
    }
}

const TIRED: &str = "held-out text became no likelier";
