//! A fitted model as a file.

use std::collections::BTreeMap;
use std::path::Path;

use chain::container::{self, Header, Problem};
use serde::{Deserialize, Serialize};

use crate::schema::{Described, Role};
use crate::stack::{Member, Stack};
use crate::{Kind, Posterior, Reading};

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

    /// Reads a model.
    pub fn read(path: &Path) -> Result<FittedFactors, chain::Error> {
        let (_, fitted) = container::read::<FittedFactors>(path, KIND, VERSION)?;
        match fitted.fits_together() {
            true => Ok(fitted),
            false => {
                let reason = "columns, weights and models do not belong together".to_owned();
                let problem = Problem::Unreadable { kind: KIND.to_owned(), reason };
                Err(chain::Error::File { path: path.to_owned(), problem })
            }
        }
    }

    /// Whether there is a first model that reads by kind, a weight of each model for each column, and in each draw parameters
    /// of each column's kind.
    fn fits_together(&self) -> bool {
        let Stack { members, weights, mean_weights } = &self.stack;
        let complete = |weights: &[Vec<f64>]| {
            weights.len() == self.modelled().count() && weights.iter().all(|w| w.len() == members.len())
        };
        members.first().is_some_and(|member| member.reading() == Reading::ByKind)
            && complete(weights)
            && complete(mean_weights)
            && members.iter().all(|member| self.suits(member))
    }

    /// Whether a model has the columns of the table.
    fn suits(&self, Member { coding, posterior }: &Member) -> bool {
        let kinds: Vec<Kind> = self.modelled().map(|described| described.kind).collect();
        posterior.is_whole()
            && match coding {
                None => posterior.kinds == kinds,
                Some(coding) => {
                    coding.covers(&kinds, posterior.kinds.len())
                        && posterior.kinds.iter().all(|kind| *kind == Kind::Continuous)
                }
            }
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
    use crate::{Coding, ColumnState, Options, Shape, State};

    fn posterior() -> Posterior {
        let settings = Options { n_factors: 1, ..Options::default() };
        let draw = State {
            columns: vec![ColumnState { weights: vec![0.5, 1.0], shape: Shape::Plain }],
            factors: vec![0.1],
            variances: vec![1.0],
            inclusion: vec![1.0],
            pooled: None,
            log_likelihood: 0.0,
        };
        Posterior { settings, kinds: vec![Kind::Binary], chains: vec![vec![draw]] }
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
        let breakages: [fn(&mut Stack); 10] = [
            |s| s.members[0].posterior.kinds[0] = Kind::Count,
            |s| s.members[0].posterior.kinds.push(Kind::Binary),
            |s| s.members[0].posterior.chains[0][0].columns[0].shape = Shape::Noise(1.0),
            |s| s.members[0].posterior.chains[0][0].columns[0].weights.push(1.0),
            |s| s.members[0].posterior.chains[0][0].columns.clear(),
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

    #[test]
    fn a_model_that_reads_numbers_must_have_those_of_the_columns() {
        let coding = |kind| {
            let cells = crate::Cells::Levels(vec![0, 1, 1]);
            Coding::new(&crate::Data::new(vec![crate::Column { name: "x".into(), kind, cells }]).unwrap())
        };
        let mut numbers = posterior();
        numbers.kinds = vec![Kind::Continuous];
        numbers.chains[0][0].columns[0].shape = Shape::Noise(1.0);
        let reads = |coding: Coding, posterior: &Posterior| {
            let coded = Member { coding: Some(coding), posterior: posterior.clone() };
            let stack = Stack {
                members: vec![Member { coding: None, posterior: self::posterior() }, coded],
                weights: vec![vec![0.5, 0.5]],
                mean_weights: vec![vec![0.5, 0.5]],
            };
            let notes = BTreeMap::new();
            let whole = FittedFactors { columns: described(), rows: Vec::new(), cells: 0, stack, notes };
            FittedFactors::read(write(&whole, VERSION).path()).is_ok()
        };
        assert!(reads(coding(Kind::Binary), &numbers));
        assert!(!reads(coding(Kind::Binary), &posterior()));
        assert!(!reads(coding(Kind::Ordinal(2)), &numbers));
        assert!(!reads(coding(Kind::Categorical(2)), &numbers));
    }

    #[test]
    fn a_model_of_an_earlier_layout_is_refused_with_advice() {
        for version in 1..VERSION {
            let said = FittedFactors::read(write(&0u8, version).path()).unwrap_err().to_string();
            assert!(said.contains("make it again"), "{said}");
        }
    }
}
