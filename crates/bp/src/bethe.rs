//! The logarithm of the sum over all assignments.

use num::special::{log_add_exp, log_sum_exp};

use crate::graph::{FactorEdge, Graph, WHOLE};
use crate::messages::Messages;
use crate::{sigmoid, softplus};

impl Messages {
    /// ln Z, exact without cycles and Bethe's approximation with them:
    ///
    /// ```text
    /// Σ_v ln Σ_x Π_f m_f→v(x)  +  Σ_f ln Σ Ψ_f Π_v m_v→f  −  Σ_(v,f) ln Σ_x m_v→f(x) m_f→v(x)
    /// ```
    ///
    /// for any scale of the messages. Messages of variables sum to 1 here, and those of factors are 1 for the most probable
    /// value of the variable, so that nothing large is left to cancel where something must be. What is known of a
    /// variable is in the second sum alone, since its terms in the others cancel.
    pub fn log_z(&mut self, graph: &Graph) -> f64 {
        let factors: f64 = (0..graph.factors.len()).map(|number| self.factor_total(graph, number)).sum();
        let free = (0..graph.widths.len()).filter(|&variable| self.evidence.at(variable).is_none());
        let variables: f64 = free.map(|variable| self.variable_total(graph, variable)).sum();
        factors + variables
    }

    /// The first term of a variable less the third ones of its edges.
    fn variable_total(&self, graph: &Graph, variable: usize) -> f64 {
        let at = graph.at[variable] as usize;
        let totals = &self.totals[at..at + graph.widths[variable] as usize];
        let best = match totals {
            [odds] => usize::from(*odds > 0.0),
            _ => (1..totals.len())
                .fold(0, |best, value| if totals[value] > totals[best] { value } else { best }),
        };
        let own = match totals {
            [odds] => softplus(-odds.abs()),
            _ => log_sum_exp(totals) - totals[best],
        };
        let ends = graph.ends_of(variable).iter().map(|&end| &graph.edges[end as usize]);
        own - ends.map(|edge| self.edge_total(graph, edge, totals, best)).sum::<f64>()
    }

    /// The expected number of times that each score counts: for a factor that has a block to itself, the probabilities
    /// of its configurations. This is ∂ ln Z / ∂ score.
    pub fn expected(&mut self, graph: &Graph, expected: &mut Vec<f64>) {
        expected.clear();
        expected.resize(graph.scores.len(), 0.0);
        for number in 0..graph.factors.len() {
            self.add_factor_beliefs(graph, number, expected);
        }
    }

    fn edge_total(&self, graph: &Graph, edge: &FactorEdge, totals: &[f64], best: usize) -> f64 {
        let into = self.into[edge.at as usize];
        let (odds, holds) = match totals {
            [total] => (total - into, best == 1),
            _ if edge.value == WHOLE => {
                let own = &self.into[edge.at as usize..][..totals.len()];
                let rest: Vec<f64> = totals.iter().zip(own).map(|(total, message)| total - message).collect();
                return (log_sum_exp(totals) - totals[best]) - (log_sum_exp(&rest) - rest[best]);
            }
            _ => (self.odds_of_value(graph, edge, totals.len()), best == edge.value as usize),
        };
        if holds { coupled(-odds, -into) } else { coupled(odds, into) }
    }
}

/// ln(1 − p + p e^λ) with p of given log-odds.
///
/// Near 1 the sum is 1 + p (e^λ − 1), which keeps small differences from 1; where p (e^λ − 1) comes near −1 that form
/// cancels (odds 20 against λ = −20 keep eight digits), and both parts are added as they are.
fn coupled(odds: f64, into: f64) -> f64 {
    if into.abs() < 30.0 && odds.abs() < 30.0 {
        let difference = libm::expm1(into) * sigmoid(odds);
        if difference > -0.5 {
            return libm::log1p(difference);
        }
    }
    log_add_exp(-softplus(odds), into - softplus(-odds))
}

#[cfg(test)]
mod tests {
    use super::coupled;

    #[test]
    fn strong_messages_that_contradict_strong_odds_keep_their_digits() {
        // With λ = −odds: 1 − p + p e^−odds = 2 (1 − p) = 2 / (1 + e^odds).
        for odds in [0.5, 2.0, 5.0, 10.0, 18.0, 25.0, 29.9, 35.0, 300.0] {
            let truth = libm::log(2.0) - odds - libm::log1p(libm::exp(-odds));
            let found = coupled(odds, -odds);
            assert!((found - truth).abs() < 1e-13 * (1.0 + truth.abs()), "{odds}: {found} {truth}");
        }
        // A weak message about something improbable: ln(1 + p (e^λ − 1)) is about p λ.
        let found = coupled(-29.0, 1e-3);
        let truth = libm::expm1(1e-3) * libm::exp(-29.0);
        assert!((found / truth - 1.0).abs() < 1e-12, "{found} {truth}");
    }
}
