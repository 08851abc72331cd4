//! A fitted model as a file.

use std::collections::BTreeMap;
use std::path::Path;

use chain::container::{self, Header};
use serde::{Deserialize, Serialize};

use crate::Posterior;
use crate::schema::{Described, Role};

/// The kind of model files.
pub const KIND: &str = "model/factors";
/// The layout of model files; raised when it changes.
pub const VERSION: u32 = 1;

/// A fitted factor model: how tables are read, and draws from the posterior.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FittedFactors {
    /// Every column of the table by name, and what became of it.
    pub columns: Vec<(String, Role)>,
    /// The names of the rows that were fitted.
    pub rows: Vec<String>,
    /// A checksum of the cells that were fitted: a table with the same one has the same rows.
    pub cells: u64,
    /// The draws.
    pub posterior: Posterior,
    /// How it came about.
    pub notes: BTreeMap<String, String>,
}

impl FittedFactors {
    /// The modelled columns in their order.
    pub fn modelled(&self) -> impl Iterator<Item = &Described> {
        self.columns.iter().filter_map(|(_, role)| match role {
            Role::Modelled(described) => Some(described),
            _ => None,
        })
    }

    /// The names of the latent values: a column's own, or with one of its levels.
    pub fn latent_names(&self) -> Vec<String> {
        let modelled: Vec<&Described> = self.modelled().collect();
        let name = |(column, level): (usize, Option<usize>)| match level {
            None => modelled[column].name.clone(),
            Some(level) => format!("{}={}", modelled[column].name, modelled[column].levels[level]),
        };
        self.posterior.latent_places().into_iter().map(name).collect()
    }

    /// Reads a model.
    pub fn read(path: &Path) -> Result<FittedFactors, chain::Error> {
        container::read(path, KIND, VERSION).map(|(_, model)| model)
    }

    /// Writes a model in one step.
    pub fn write(&self, path: &Path) -> Result<(), chain::Error> {
        let header = Header { kind: KIND.to_owned(), version: VERSION, notes: self.notes.clone() };
        container::write(path, &header, self)
    }
}
