//! Sums over all assignments, one by one. The oracle knows of a factor only what it says to an assignment.

#![allow(dead_code, reason = "every test uses a part")]

use bp::{Evidence, Graph, Literal, Messages, Options, Outcome, Scores, Variable};
use num::streams::{Rng, Stream};

/// What a factor says to values of its variables.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Say {
    Impossible,
    Fine,
    /// This score counts.
    Score(usize),
}

type Rule = Box<dyn Fn(&[usize]) -> Say>;

/// A graph beside what its factors mean.
pub(crate) struct Model {
    pub(crate) graph: Graph,
    sizes: Vec<usize>,
    is_boolean: Vec<bool>,
    pub(crate) variables: Vec<Variable>,
    rules: Vec<(Vec<usize>, Rule)>,
    pub(crate) rng: Rng,
}

/// Sums over the assignments that agree with evidence.
#[derive(Debug)]
pub(crate) struct Truth {
    pub(crate) log_z: f64,
    pub(crate) beliefs: Vec<Vec<f64>>,
    pub(crate) expected: Vec<f64>,
}

impl Model {
    pub(crate) fn new(seed: u64) -> Model {
        Model {
            graph: Graph::new(),
            sizes: Vec::new(),
            is_boolean: Vec::new(),
            variables: Vec::new(),
            rules: Vec::new(),
            rng: Stream::new(seed).rng(),
        }
    }

    pub(crate) fn boolean(&mut self) -> Variable {
        self.sizes.push(2);
        self.is_boolean.push(true);
        self.variables.push(self.graph.boolean());
        self.variables[self.variables.len() - 1]
    }

    pub(crate) fn variable(&mut self, n_values: usize) -> Variable {
        self.sizes.push(n_values);
        self.is_boolean.push(false);
        self.variables.push(self.graph.variable(n_values));
        self.variables[self.variables.len() - 1]
    }

    pub(crate) fn score(&mut self) -> f64 {
        let wide = if self.rng.below(8) == 0 { 40.0 } else { 4.0 };
        (self.rng.uniform() - 0.5) * wide
    }

    /// A rule over variables, for a factor that has just been added to the graph.
    pub(crate) fn means(&mut self, variables: &[Variable], rule: impl Fn(&[usize]) -> Say + 'static) {
        self.rules.push((variables.iter().map(|variable| variable.index()).collect(), Box::new(rule)));
    }

    pub(crate) fn unary(&mut self, variable: Variable) {
        let n_scores = if self.is_boolean[variable.index()] { 1 } else { self.sizes[variable.index()] };
        let scores: Vec<f64> = (0..n_scores).map(|_| self.score()).collect();
        let at = self.graph.unary(variable, &scores).range().start;
        self.means(&[variable], move |x| match (n_scores, x[0]) {
            (1, 0) => Say::Fine,
            (1, _) => Say::Score(at),
            (_, value) => Say::Score(at + value),
        });
    }

    /// A rule over literals: which of them hold.
    pub(crate) fn literals(&mut self, literals: &[Literal], rule: impl Fn(&[bool]) -> Say + 'static) {
        let variables: Vec<Variable> = literals.iter().map(|literal| literal.variable()).collect();
        let values: Vec<usize> = literals.iter().map(|literal| literal.value()).collect();
        self.means(&variables, move |x| {
            let held: Vec<bool> = x.iter().zip(&values).map(|(x, value)| x == value).collect();
            rule(&held)
        });
    }

    pub(crate) fn finish(mut self) -> Model {
        self.graph = std::mem::take(&mut self.graph).finish().unwrap();
        self
    }

    pub(crate) fn truth(&self, scores: &[f64], evidence: &Evidence) -> Option<Truth> {
        let found = self.assignments(scores, evidence);
        let log_z = num::special::log_sum_exp(&found.iter().map(|(ln, _)| *ln).collect::<Vec<f64>>());
        if found.is_empty() {
            return None;
        }
        let mut beliefs: Vec<Vec<f64>> = self.sizes.iter().map(|&size| vec![0.0; size]).collect();
        let mut expected = vec![0.0; scores.len()];
        for (ln, assignment) in &found {
            let p = (ln - log_z).exp();
            assignment.iter().enumerate().for_each(|(v, &value)| beliefs[v][value] += p);
            self.weigh(scores, assignment, |score| expected[score] += p);
        }
        Some(Truth { log_z, beliefs, expected })
    }

    /// What is possible and agrees with evidence, with its score, best first.
    pub(crate) fn assignments(&self, scores: &[f64], evidence: &Evidence) -> Vec<(f64, Vec<usize>)> {
        let n = self.sizes.len();
        let mut assignment = vec![0; n];
        let mut found: Vec<(f64, Vec<usize>)> = Vec::new();
        loop {
            let agrees =
                (0..n).all(|v| evidence.value(self.variables[v]).is_none_or(|value| value == assignment[v]));
            if agrees && let Some(ln) = self.weigh(scores, &assignment, |_| ()) {
                found.push((ln, assignment.clone()));
            }
            let Some(next) = (0..n).rev().find(|&v| assignment[v] + 1 < self.sizes[v]) else { break };
            assignment[next] += 1;
            assignment[next + 1..].fill(0);
        }
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        found
    }

    fn weigh(&self, scores: &[f64], assignment: &[usize], mut count: impl FnMut(usize)) -> Option<f64> {
        let mut ln = 0.0;
        for (variables, rule) in &self.rules {
            let values: Vec<usize> = variables.iter().map(|&v| assignment[v]).collect();
            match rule(&values) {
                Say::Impossible => return None,
                Say::Fine => {}
                Say::Score(at) if scores[at] == f64::NEG_INFINITY => return None,
                Say::Score(at) => {
                    ln += scores[at];
                    count(at);
                }
            }
        }
        Some(ln)
    }

    /// Some variables are known.
    pub(crate) fn some_evidence(&mut self, share: f64) -> Evidence {
        let mut evidence = Evidence::none(&self.graph);
        for v in 0..self.sizes.len() {
            if self.rng.uniform() < share {
                let value = self.rng.below(self.sizes[v]);
                evidence.set(self.variables[v].is(value));
            }
        }
        evidence
    }

    /// Runs propagation and compares everything with the truth.
    pub(crate) fn check(&self, evidence: &Evidence, tolerance: f64) -> Option<Outcome> {
        let mut messages = Messages::default();
        let outcome = messages.run(&self.graph, evidence, &Options::default());
        let Some(truth) = self.truth(self.graph.all_scores(), evidence) else {
            assert!(outcome.is_err(), "nothing is possible, and nobody said so");
            return None;
        };
        let outcome = outcome.unwrap();
        assert!(outcome.is_exact);
        let log_z = messages.log_z(&self.graph);
        assert!(
            (log_z - truth.log_z).abs() < tolerance * (1.0 + truth.log_z.abs()),
            "{log_z} {}",
            truth.log_z
        );
        let mut beliefs = Vec::new();
        for (v, expected) in truth.beliefs.iter().enumerate() {
            messages.beliefs(&self.graph, self.variables[v], &mut beliefs);
            let close = beliefs.iter().zip(expected).all(|(a, b)| (a - b).abs() < tolerance);
            assert!(close && beliefs.len() == expected.len(), "variable {v}: {beliefs:?} {expected:?}");
        }
        messages.expected(&self.graph, &mut beliefs);
        for (at, (a, b)) in beliefs.iter().zip(&truth.expected).enumerate() {
            assert!((a - b).abs() < tolerance, "score {at}: {a} {b}");
        }
        Some(outcome)
    }

    pub(crate) fn block(&mut self, n: usize) -> Scores {
        let scores: Vec<f64> = (0..n).map(|_| self.score()).collect();
        self.graph.scores(&scores)
    }
}
