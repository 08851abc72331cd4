//! A graph is looked over before it is used.

use crate::error::Error;
use crate::factor::{Factor, FactorKind};
use crate::graph::{FactorEdge, FactorId, Graph};

/// Scores beyond this could be taken for impossibilities.
const HARD_SCORE: f64 = crate::HARD / 10.0;

impl Graph {
    /// Looks the graph over and prepares it for inference.
    pub fn finish(mut self) -> Result<Graph, Error> {
        if let Some(fault) = self.fault.take() {
            return Err(fault);
        }
        self.check_scopes()?;
        self.index_ends();
        self.prepare_scores()?;
        Ok(self)
    }

    /// Other scores for the same graph.
    pub fn rescore(&mut self, scores: &[f64]) -> Result<(), Error> {
        if scores.len() != self.scores.len() {
            return Err(Error::WrongNumberOfScores { given: scores.len(), wanted: self.scores.len() });
        }
        self.scores.copy_from_slice(scores);
        self.prepare_scores()
    }

    fn check_scopes(&self) -> Result<(), Error> {
        for (id, factor) in self.factors.iter().enumerate() {
            let wanted = match factor.kind {
                FactorKind::Unary | FactorKind::Table => {
                    self.edges_of(factor).iter().map(|edge| self.values_of(edge)).product()
                }
                FactorKind::Gated => {
                    self.edges_of(factor)[..2].iter().map(|edge| self.values_of(edge)).product()
                }
                FactorKind::Nand | FactorKind::Implies => 1,
                _ => 0,
            };
            let wanted = if factor.kind == FactorKind::Unary && wanted == 2 && self.is_boolean(factor) {
                1
            } else {
                wanted
            };
            if factor.scores.len as usize != wanted {
                let given = factor.scores.len as usize;
                return Err(Error::WrongScores { factor: self.describe(FactorId(id as u32)), given, wanted });
            }
            let edges = self.edges_of(factor);
            let mut seen: Vec<u32> = edges.iter().map(|edge| edge.variable).collect();
            seen.sort_unstable();
            if seen.windows(2).any(|pair| pair[0] == pair[1]) {
                return Err(Error::VariableTwice { factor: self.describe(FactorId(id as u32)) });
            }
        }
        Ok(())
    }

    fn is_boolean(&self, factor: &Factor) -> bool {
        self.widths[self.edges_of(factor)[0].variable as usize] == 1
    }

    pub(crate) fn values_of(&self, edge: &FactorEdge) -> usize {
        self.widths[edge.variable as usize].max(2) as usize
    }

    fn index_ends(&mut self) {
        self.ends_at = vec![0; self.widths.len() + 1];
        for edge in &self.edges {
            self.ends_at[edge.variable as usize + 1] += 1;
        }
        for variable in 0..self.widths.len() {
            self.ends_at[variable + 1] += self.ends_at[variable];
        }
        let mut next = self.ends_at.clone();
        self.ends = vec![0; self.edges.len()];
        for (number, edge) in self.edges.iter().enumerate() {
            let place = &mut next[edge.variable as usize];
            self.ends[*place as usize] = number as u32;
            *place += 1;
        }
    }

    fn prepare_scores(&mut self) -> Result<(), Error> {
        for (id, factor) in self.factors.iter().enumerate() {
            let scores = &self.scores[factor.scores.range()];
            let may_be_impossible =
                matches!(factor.kind, FactorKind::Unary | FactorKind::Table | FactorKind::Gated);
            let is_bad = |score: &f64| {
                !(score.abs() <= HARD_SCORE || (may_be_impossible && *score == f64::NEG_INFINITY))
            };
            if let Some(place) = scores.iter().position(is_bad) {
                let factor = self.describe(FactorId(id as u32));
                return Err(Error::BadScore { factor, place, score: scores[place] });
            }
        }
        self.weights.clear();
        self.weights.resize(self.scores.len(), 0.0);
        self.tops.clear();
        self.tops.resize(self.scores.len() + 1, 0.0);
        for factor in &self.factors {
            if matches!(factor.kind, FactorKind::Table | FactorKind::Gated) {
                let range = factor.scores.range();
                let most = self.scores[range.clone()].iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let most = if most == f64::NEG_INFINITY { 0.0 } else { most };
                self.tops[range.start] = most;
                for place in range {
                    self.weights[place] = self.scores[place] - most;
                }
            }
        }
        num::special::exp_slice(&mut self.weights);
        Ok(())
    }
}
