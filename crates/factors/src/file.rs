//! A fitted model as a file.

use std::collections::BTreeMap;
use std::path::Path;

use chain::container::{self, Header, Problem};
use serde::{Deserialize, Serialize};

use crate::schema::{Described, Role};
use crate::stack::{Member, Stack};
use crate::{Posterior, Reading};

/// The kind of model files.
pub const KIND: &str = "model/factors";
/// The layout of model files; raised when it changes.
pub const VERSION: u32 = 3;

/// A fitted factor model: how tables are read, and draws from the posterior.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FittedFactors {
    /// Every column of the table by name, and what became of it.
    pub columns: Vec<(String, Role)>,
    /// The names of the rows that were fitted.
    pub rows: Vec<String>,
    /// A checksum of the cells that were fitted: a table with the same one has the same rows.
    pub cells: u64,
    /// The models, of which the first reads all columns by their kinds: that is the one that is looked at. Most files
    /// have no other.
    pub stack: Stack,
    /// How it came about.
    pub notes: BTreeMap<String, String>,
}

/// The first layout, before there were stacks.
#[derive(Deserialize)]
struct First {
    columns: Vec<(String, Role)>,
    rows: Vec<String>,
    cells: u64,
    posterior: Posterior,
    notes: BTreeMap<String, String>,
}

/// The second, whose means had the weights of the mixture.
#[derive(Deserialize)]
struct Second {
    columns: Vec<(String, Role)>,
    rows: Vec<String>,
    cells: u64,
    members: Vec<Member>,
    weights: Vec<Vec<f64>>,
    notes: BTreeMap<String, String>,
}

impl From<Second> for FittedFactors {
    fn from(second: Second) -> FittedFactors {
        let Second { columns, rows, cells, members, weights, notes } = second;
        let stack = Stack { members, mean_weights: weights.clone(), weights };
        FittedFactors { columns, rows, cells, stack, notes }
    }
}

impl From<First> for FittedFactors {
    fn from(first: First) -> FittedFactors {
        let n_columns = first.posterior.kinds.len();
        let stack = Stack::alone(Member { coding: None, posterior: first.posterior }, n_columns);
        let First { columns, rows, cells, notes, .. } = first;
        FittedFactors { columns, rows, cells, stack, notes }
    }
}

impl FittedFactors {
    /// The draws of the first model.
    pub fn posterior(&self) -> &Posterior {
        &self.stack.members[0].posterior
    }

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
        self.posterior().latent_places().into_iter().map(name).collect()
    }

    /// Reads a model, of this layout or of an earlier one.
    pub fn read(path: &Path) -> Result<FittedFactors, chain::Error> {
        let fitted = match container::info(path)?.version {
            1 => container::read::<First>(path, KIND, 1)?.1.into(),
            2 => container::read::<Second>(path, KIND, 2)?.1.into(),
            _ => container::read::<FittedFactors>(path, KIND, VERSION)?.1,
        };
        match fitted.fits_together() {
            true => Ok(fitted),
            false => {
                let reason = "weights and models do not belong together".to_owned();
                let problem = Problem::Unreadable { kind: KIND.to_owned(), reason };
                Err(chain::Error::File { path: path.to_owned(), problem })
            }
        }
    }

    /// Whether there is a first model that reads by kind, and a weight of each model for each column.
    fn fits_together(&self) -> bool {
        let Stack { members, weights, mean_weights } = &self.stack;
        let complete = |weights: &[Vec<f64>]| {
            weights.len() == self.modelled().count() && weights.iter().all(|w| w.len() == members.len())
        };
        members.first().is_some_and(|member| member.reading() == Reading::ByKind)
            && complete(weights)
            && complete(mean_weights)
    }

    /// Writes a model in one step.
    pub fn write(&self, path: &Path) -> Result<(), chain::Error> {
        let header = Header { kind: KIND.to_owned(), version: VERSION, notes: self.notes.clone() };
        container::write(path, &header, self)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

    use super::*;
    use crate::{Kind, Settings};

    fn posterior() -> Posterior {
        Posterior { settings: Settings::default(), kinds: vec![Kind::Binary], chains: vec![Vec::new()] }
    }

    fn described() -> Vec<(String, Role)> {
        let described = Described {
            name: "x".into(),
            kind: Kind::Binary,
            levels: vec!["no".into(), "yes".into()],
            centre: 0.0,
            scale: 1.0,
            comma: false,
            inferred: true,
        };
        vec![("x".into(), Role::Modelled(described))]
    }

    fn write<T: Serialize>(payload: &T, version: u32) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        let header = Header { kind: KIND.to_owned(), version, notes: BTreeMap::new() };
        container::write(file.path(), &header, payload).unwrap();
        file
    }

    #[test]
    fn models_of_earlier_layouts_can_still_be_read() {
        let rows = vec!["1".to_owned()];
        let notes: BTreeMap<String, String> = BTreeMap::new();
        let first = write(&(described(), &rows, 7u64, posterior(), &notes), 1);
        let members = [Member { coding: None, posterior: posterior() }];
        let second = write(&(described(), &rows, 7u64, (members.to_vec(), vec![vec![1.0]]), &notes), 2);
        for file in [first, second] {
            let read = FittedFactors::read(file.path()).unwrap();
            assert_eq!((read.posterior(), read.cells, &read.rows), (&posterior(), 7, &rows));
            assert_eq!(read.stack, Stack::alone(members[0].clone(), 1));
            let again = tempfile::NamedTempFile::new().unwrap();
            read.write(again.path()).unwrap();
            assert_eq!(FittedFactors::read(again.path()).unwrap(), read);
        }
    }

    #[test]
    fn a_stack_without_models_or_with_too_few_weights_is_refused() {
        let member = Member { coding: None, posterior: posterior() };
        let whole = FittedFactors {
            columns: described(),
            rows: Vec::new(),
            cells: 0,
            stack: Stack::alone(member, 1),
            notes: BTreeMap::new(),
        };
        assert!(FittedFactors::read(write(&whole, VERSION).path()).is_ok());
        let breakages: [fn(&mut Stack); 5] = [
            |s| s.members.clear(),
            |s| s.weights.clear(),
            |s| s.weights[0].push(0.5),
            |s| s.mean_weights.clear(),
            |s| s.mean_weights[0].push(0.5),
        ];
        for damage in breakages {
            let mut broken = whole.clone();
            damage(&mut broken.stack);
            assert!(FittedFactors::read(write(&broken, VERSION).path()).is_err());
        }
    }
}
