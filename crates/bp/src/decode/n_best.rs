//! The n most probable assignments.

use super::{Assignment, Product};
use crate::error::Error;
use crate::evidence::Evidence;
use crate::graph::{Graph, Literal, Variable};
use crate::messages::Messages;
use crate::options::{Options, Outcome};
use crate::{HARD, is_required};

impl Messages {
    /// The n most probable assignments, best first; fewer if fewer are possible.
    ///
    /// All assignments are one set, whose best is known. Of a set with best x, the second best has, for some variable v, a
    /// value d other than x has, and max-marginals tell which: that of the literal with the largest one. The set is cut
    /// in two, those with v = d, whose best that is, and those without, whose best is still x (Lawler 1972; Nilsson 1998;
    /// Yanover and Weiss 2004). So each assignment takes three runs, whatever the number of variables.
    ///
    /// In a graph without cycles the answer is exact, but for the order of those that differ by no more than rounding; with
    /// cycles these are good ones, by score, each once.
    pub fn n_best(
        &mut self,
        graph: &Graph,
        evidence: &Evidence,
        n: usize,
        options: &Options,
    ) -> Result<(Vec<Assignment>, Outcome), Error> {
        let (best, outcome) = self.best(graph, evidence, options)?;
        let first = Subset { evidence: evidence.clone(), excluded: Vec::new(), best, runner_up: None };
        let mut found = vec![first.best.clone()];
        let mut subsets = vec![first];
        if n > 1 {
            self.find_runner_up(graph, &mut subsets[0], options);
        }
        while found.len() < n
            && let Some((at, literal)) = promising(&subsets)
        {
            let mut with = subsets[at].clone();
            with.evidence.set(literal);
            subsets[at].exclude(graph, literal);
            self.find_runner_up(graph, &mut subsets[at], options);
            self.set_prior(graph, &with.excluded);
            // In a graph with cycles what seemed promising may come to nothing.
            if let Ok((best, _)) = self.best_given(graph, &with.evidence, options)
                && best.log_score > f64::NEG_INFINITY
            {
                found.push(best.clone());
                with.best = best;
                if found.len() < n {
                    self.find_runner_up(graph, &mut with, options);
                    subsets.push(with);
                }
            }
        }
        found.retain(|assignment| assignment.log_score > f64::NEG_INFINITY);
        found.truncate(n);
        found.sort_by(|a, b| b.log_score.total_cmp(&a.log_score));
        Ok((found, outcome))
    }

    /// What the second best of a set has that the best has not, and about what it weighs.
    fn find_runner_up(&mut self, graph: &Graph, subset: &mut Subset, options: &Options) {
        self.set_prior(graph, &subset.excluded);
        subset.runner_up = None;
        if self.pass(graph, &subset.evidence, options).is_err() {
            return;
        }
        for number in 0..graph.widths.len() {
            let variable = Variable(number as u32);
            if subset.evidence.value(variable).is_some() {
                continue;
            }
            let own = subset.best.value(variable);
            let totals = &self.totals[graph.at[number] as usize..][..graph.widths[number] as usize];
            for value in (0..graph.n_values(variable)).filter(|&value| value != own) {
                let loss = match totals {
                    [odds] => {
                        if own == 1 {
                            *odds
                        } else {
                            -odds
                        }
                    }
                    _ => totals[own] - totals[value],
                };
                let sum = subset.best.log_score - loss;
                if !is_required(loss) && subset.runner_up.is_none_or(|(most, _)| sum > most) {
                    subset.runner_up = Some((sum, variable.is(value)));
                }
            }
        }
    }

    fn set_prior(&mut self, graph: &Graph, excluded: &[Literal]) {
        self.product = Product::Max;
        self.prior.clear();
        if !excluded.is_empty() {
            self.prior.resize(graph.n_totals as usize, 0.0);
            for literal in excluded {
                self.prior[graph.at[literal.variable.index()] as usize + literal.value as usize] = -HARD;
            }
        }
    }
}

/// A set of assignments: those that agree with evidence and lack some values.
#[derive(Debug, Clone)]
struct Subset {
    evidence: Evidence,
    /// Values of variables that are not Booleans.
    excluded: Vec<Literal>,
    best: Assignment,
    /// About what the second best weighs, and a literal that it has and the best has not.
    runner_up: Option<(f64, Literal)>,
}

impl Subset {
    /// Leaves out the assignments with a literal.
    fn exclude(&mut self, graph: &Graph, literal: Literal) {
        let variable = literal.variable;
        let is_left = |&value: &usize| {
            let other = variable.is(value);
            other != literal && !self.excluded.contains(&other)
        };
        let mut left = (0..graph.n_values(variable)).filter(is_left);
        match (left.next(), left.next()) {
            (Some(only), None) => self.evidence.set(variable.is(only)),
            _ => self.excluded.push(literal),
        }
    }
}

/// The set with the best second best, the first of equally good ones.
fn promising(subsets: &[Subset]) -> Option<(usize, Literal)> {
    let mut best: Option<(f64, usize, Literal)> = None;
    for (at, subset) in subsets.iter().enumerate() {
        if let Some((sum, literal)) = subset.runner_up
            && best.is_none_or(|(most, ..)| sum > most)
        {
            best = Some((sum, at, literal));
        }
    }
    best.map(|(_, at, literal)| (at, literal))
}
