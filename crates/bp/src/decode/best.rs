//! The most probable assignment.

use super::choose::{choose, first_largest};
use super::score::score;
use super::{Assignment, Product};
use crate::error::{Contradiction, Error};
use crate::evidence::Evidence;
use crate::factor::FactorKind;
use crate::graph::{Graph, Literal, Variable, WHOLE};
use crate::is_absent;
use crate::messages::Messages;
use crate::options::{Options, Outcome};

impl Messages {
    /// The most probable assignment: max_x Π_f Ψ_f(x_f), by max-product.
    ///
    /// A graph without cycles (once what is known has cut it) is solved exactly, by messages towards a root and choices on
    /// the way back; of equally good assignments it is always the same one. A graph with cycles is swept until messages of
    /// maxima rest, and its factors choose one after the other, combinatorial ones first, with what others have chosen
    /// as known. Should that break a hard factor, what the first factors chose is held, and the rest is asked again; if even
    /// that comes to nothing, the score is −∞. Then the variables of each combinatorial factor, and those of none, are asked
    /// for once more with the others held, as long as that is better.
    ///
    /// Afterwards the messages tell of maxima: [`Messages::run`] has to come before probabilities are asked for.
    ///
    /// ```
    /// use bp::{Evidence, Graph, Messages, Options};
    ///
    /// // Two tags that would each rather be 0, and a pair (1, 1) that is worth more than both.
    /// let mut graph = Graph::new();
    /// let (first, second) = (graph.variable(3), graph.variable(3));
    /// graph.unary(first, &[1.0, 0.0, 0.0]);
    /// graph.unary(second, &[1.0, 0.0, 0.0]);
    /// graph.nand(&[first.is(1), second.is(1)], 2.5);
    /// let graph = graph.finish()?;
    /// let nothing = Evidence::none(&graph);
    /// let (best, outcome) = Messages::default().best(&graph, &nothing, &Options::default())?;
    /// assert!(outcome.is_exact);
    /// assert_eq!((best.value(first), best.value(second), best.log_score), (1, 1, 2.5));
    /// # Ok::<(), bp::Error>(())
    /// ```
    pub fn best(
        &mut self,
        graph: &Graph,
        evidence: &Evidence,
        options: &Options,
    ) -> Result<(Assignment, Outcome), Error> {
        self.product = Product::Max;
        self.prior.clear();
        self.best_given(graph, evidence, options)
    }

    /// The same with the prior and the kind of messages that are set.
    pub(super) fn best_given(
        &mut self,
        graph: &Graph,
        evidence: &Evidence,
        options: &Options,
    ) -> Result<(Assignment, Outcome), Error> {
        let (values, outcome) = self.attempt(graph, evidence, options)?;
        if let Some(variable) = self.excluded(graph, &values) {
            return Err(Contradiction::Variable { variable, factors: Vec::new() }.into());
        }
        let found = match score(graph, &values) {
            Ok(log_score) => Assignment { values, log_score },
            Err(broken) if outcome.is_exact => return Err(self.contradiction(graph, broken).into()),
            Err(_) => self.hold_and_retry(graph, evidence, options, values),
        };
        let is_final = outcome.is_exact || found.log_score == f64::NEG_INFINITY;
        Ok((if is_final { found } else { self.improve(graph, evidence, options, found) }, outcome))
    }

    /// The first variable with a value that the prior forbids.
    fn excluded(&self, graph: &Graph, values: &[u32]) -> Option<usize> {
        let is_excluded = |&variable: &usize| {
            let own = match (graph.widths[variable], values[variable]) {
                (1, 0) => self.prior.get(graph.at[variable] as usize).map(|prior| -prior),
                (1, _) => self.prior.get(graph.at[variable] as usize).copied(),
                (_, value) => self.prior.get((graph.at[variable] + value) as usize).copied(),
            };
            own.is_some_and(is_absent)
        };
        (0..values.len()).find(is_excluded)
    }

    /// Passes messages and reads an assignment off, which may break hard factors.
    fn attempt(
        &mut self,
        graph: &Graph,
        evidence: &Evidence,
        options: &Options,
    ) -> Result<(Vec<u32>, Outcome), Error> {
        self.begin(graph, evidence);
        let (factors, outcome) = match self.order(graph) {
            Some(order) => {
                self.inwards(graph, &order)?;
                (order.factors, Outcome::exact())
            }
            None => {
                let outcome = self.run_loopy(graph, options)?;
                self.check_variables(graph)?;
                (widest_first(graph), outcome)
            }
        };
        Ok((self.read_off(graph, &factors), outcome))
    }

    /// Lets factors choose one after the other, with what others have chosen as known.
    fn read_off(&mut self, graph: &Graph, factors: &[u32]) -> Vec<u32> {
        let known = self.evidence.clone();
        for &number in factors {
            let factor = &graph.factors[number as usize];
            self.gather(graph, factor);
            let Some(chosen) = choose(graph, factor, &mut self.scratch, self.product) else { continue };
            for (edge, chosen) in graph.edges_of(factor).iter().zip(chosen) {
                let variable = edge.variable as usize;
                if self.evidence.at(variable).is_none() {
                    let value = match edge.value {
                        WHOLE => chosen,
                        value if chosen == 1 => value,
                        value => self.best_but(graph, variable, Some(value)),
                    };
                    self.evidence.set(Literal { variable: Variable(edge.variable), value });
                }
            }
        }
        let value =
            |variable| self.evidence.at(variable).unwrap_or_else(|| self.best_but(graph, variable, None));
        let values = (0..graph.widths.len()).map(value).collect();
        self.evidence = known;
        values
    }

    /// The best value of a variable but for one, the first of equally good ones.
    fn best_but(&self, graph: &Graph, variable: usize, but: Option<u32>) -> u32 {
        let at = graph.at[variable] as usize;
        let totals = &self.totals[at..at + graph.widths[variable] as usize];
        if let [odds] = totals {
            return u32::from(but.is_none() && *odds > 0.0);
        }
        let mut totals = totals.to_vec();
        if let Some(but) = but {
            totals[but as usize] = f64::NEG_INFINITY;
        }
        first_largest(&totals).unwrap_or(0) as u32
    }

    /// Asks for the variables of one combinatorial factor anew, all others held, then for those of none, and so on, as
    /// long as that is better: with the others held there are mostly no cycles.
    fn improve(
        &mut self,
        graph: &Graph,
        evidence: &Evidence,
        options: &Options,
        mut best: Assignment,
    ) -> Assignment {
        let blocks = blocks(graph);
        let mut n_without = 0;
        for block in blocks.iter().cycle().take(blocks.len() * options.most) {
            if n_without == blocks.len() {
                break;
            }
            n_without += 1;
            let mut held = evidence.clone();
            for (number, is_open) in block.iter().enumerate() {
                if !is_open && held.at(number).is_none() {
                    held.set(Variable(number as u32).is(best.values[number] as usize));
                }
            }
            if let Ok((values, _)) = self.attempt(graph, &held, options)
                && self.excluded(graph, &values).is_none()
                && let Ok(log_score) = score(graph, &values)
                && log_score > best.log_score
            {
                best = Assignment { values, log_score };
                n_without = 0;
            }
        }
        best
    }

    /// Holds what one factor after the other has chosen and asks again, until no factor is broken.
    fn hold_and_retry(
        &mut self,
        graph: &Graph,
        evidence: &Evidence,
        options: &Options,
        mut values: Vec<u32>,
    ) -> Assignment {
        let mut held = evidence.clone();
        for &factor in &widest_first(graph) {
            let mut is_more = false;
            for edge in graph.edges_of(&graph.factors[factor as usize]) {
                let variable = Variable(edge.variable);
                if held.value(variable).is_none() {
                    held.set(Literal { variable, value: values[variable.index()] });
                    is_more = true;
                }
            }
            if !is_more {
                continue;
            }
            let Ok((found, _)) = self.attempt(graph, &held, options) else { break };
            values = found;
            if self.excluded(graph, &values).is_none()
                && let Ok(log_score) = score(graph, &values)
            {
                return Assignment { values, log_score };
            }
        }
        Assignment { values, log_score: f64::NEG_INFINITY }
    }
}

/// Which variables belong to each combinatorial factor, and which to none; nothing if there is no such factor.
fn blocks(graph: &Graph) -> Vec<Vec<bool>> {
    let mut rest = vec![true; graph.widths.len()];
    let mut blocks = Vec::new();
    for factor in graph.factors.iter().filter(|factor| matches!(factor.kind, FactorKind::Structured(_))) {
        let mut block = vec![false; rest.len()];
        for edge in graph.edges_of(factor) {
            block[edge.variable as usize] = true;
            rest[edge.variable as usize] = false;
        }
        blocks.push(block);
    }
    if !blocks.is_empty() {
        blocks.push(rest);
    }
    blocks
}

/// All factors: combinatorial ones, then other hard ones, then soft ones.
fn widest_first(graph: &Graph) -> Vec<u32> {
    let rank = |number: &u32| match graph.factors[*number as usize].kind {
        FactorKind::Structured(_) => 0,
        FactorKind::IsAtMostOne | FactorKind::ExactlyOne | FactorKind::AtMostOne => 1,
        FactorKind::Table | FactorKind::Gated | FactorKind::Nand | FactorKind::Implies => 2,
        FactorKind::Unary => 3,
    };
    (0..=3)
        .flat_map(|wanted| (0..graph.factors.len() as u32).filter(move |number| rank(number) == wanted))
        .collect()
}
