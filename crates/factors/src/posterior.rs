//! What a fit leaves behind: draws from the posterior.

use chain::Workers;
use serde::{Deserialize, Serialize};

use crate::align::align;
use crate::options::{Identification, Options};
use crate::state::{ColumnState, State};
use crate::{Data, Kind};

/// Draws from the posterior distribution of a factor model, comparable with one another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Posterior {
    /// The settings of the model.
    pub settings: Options,
    /// The kinds of the columns.
    pub kinds: Vec<Kind>,
    /// The draws of each chain.
    pub chains: Vec<Vec<State>>,
}

impl Posterior {
    /// Takes the draws of a run over these data; draws of a freely rotating model are turned towards one another.
    pub fn new(data: &Data, settings: Options, mut chains: Vec<Vec<State>>) -> Posterior {
        if settings.identification == Identification::Free {
            align(&mut chains.iter_mut().flatten().collect::<Vec<_>>(), settings.sparse);
        }
        Posterior { settings, kinds: data.columns().iter().map(|column| column.kind).collect(), chains }
    }

    /// Whether all draws have loadings and parameters of each column's kind.
    pub(crate) fn is_whole(&self) -> bool {
        let suits = |(column, &kind): (&ColumnState, &Kind)| {
            column.shape.suits(kind) && column.weights.len() == kind.n_latent() * (self.n_factors() + 1)
        };
        let whole = |draw: &State| {
            draw.columns.len() == self.kinds.len() && draw.columns.iter().zip(&self.kinds).all(suits)
        };
        self.draws().all(whole)
    }

    /// How many factors there are.
    pub fn n_factors(&self) -> usize {
        self.settings.n_factors
    }

    /// All draws, chain after chain.
    pub fn draws(&self) -> impl Iterator<Item = &State> {
        self.chains.iter().flatten()
    }

    /// How many draws there are.
    pub fn n_draws(&self) -> usize {
        self.chains.iter().map(Vec::len).sum()
    }

    /// The posterior means of the latent values of the rows that were fitted, row by row.
    pub fn latent_means(&self, workers: &Workers) -> Vec<f64> {
        let k = self.n_factors();
        let n_rows = self.draws().next().map_or(0, |draw| draw.factors.len() / k);
        let rows: Vec<usize> = (0..n_rows).collect();
        let means = workers.map(&rows, |_, &row| {
            let (mut sum, mut latent) = (Vec::new(), Vec::new());
            for draw in self.draws() {
                let mut at = 0;
                for column in 0..self.kinds.len() {
                    draw.latent_into(row, column, &mut latent);
                    sum.resize(sum.len().max(at + latent.len()), 0.0);
                    sum[at..].iter_mut().zip(&latent).for_each(|(sum, z)| *sum += z);
                    at += latent.len();
                }
            }
            let n_draws = self.n_draws() as f64;
            sum.into_iter().map(|sum| sum / n_draws).collect::<Vec<f64>>()
        });
        means.concat()
    }
}
