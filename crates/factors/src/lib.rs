//! Bayesian factor analysis of tables whose columns are of different kinds (Sun 2016, chapter 4).
//!
//! Each cell has a latent value z = α + B f: an intercept of its column and K loadings times the K factors of its row. A
//! continuous value is normal around z; z is the log-odds of a binary value and of a negative binomial count; an ordinal
//! value says between which cut points a hidden number around z lies, and a categorical one which of several hidden
//! utilities is the largest. Everything is drawn by Gibbs sampling, with hidden numbers that make each kind normal.
//!
//! ```
//! use chain::{Schedule, Start, Stream, Workers, sample};
//! use factors::{Cells, Column, Data, Draws, FactorModel, Kind, MISSING, Options, Posterior, Rows};
//!
//! // Ten rows: a number, and a yes or no that goes with it, missing in the last row.
//! let numbers: Vec<f64> = (0..10).map(|row| f64::from(row) / 3.0 - 1.5).collect();
//! let mut levels: Vec<u16> = numbers.iter().map(|&x| u16::from(x > 0.0)).collect();
//! levels[9] = MISSING;
//! let column = |name: &str, kind, cells| Column { name: name.into(), kind, cells };
//! let number = column("length", Kind::Continuous, Cells::Numbers(numbers));
//! let data = Data::new(vec![number, column("old", Kind::Binary, Cells::Levels(levels))])?;
//! let model = FactorModel::new(&data, Options::default())?;
//! let schedule = Schedule { burn_in: 50, samples: 100, ..Schedule::default() };
//! let (mut draws, workers) = (Draws::default(), Workers::serial());
//! sample::run(&model, &schedule, Start::Fresh, &mut draws, &workers)?;
//! let posterior = Posterior::new(&data, Options::default(), draws.into_chains());
//! let filled = &posterior.predict(&data, Rows::Fitted, Stream::new(1), &workers)?[0];
//! assert_eq!((filled.row, filled.column, filled.level()), (9, 1, Some(1)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod align;
mod cells;
mod coding;
mod data;
mod draws;
mod error;
pub mod file;
mod kind;
mod loadings;
mod model;
mod moves;
mod numbers;
mod options;
mod pooling;
mod posterior;
mod predict;
mod predictive;
mod response;
mod rows;
pub mod schema;
mod score;
pub mod simulate;
pub mod stack;
mod state;
mod summary;

pub use align::align;
pub use cells::{Cells, Counts, MISSING, Value};
pub use coding::{Coding, Reading};
pub use data::{Column, Data};
pub use draws::Draws;
pub use error::Error;
pub use file::FittedFactors;
pub use kind::Kind;
pub use model::FactorModel;
pub use options::{Dispersions, Identification, Link, Options, Prior, Update};
pub use posterior::Posterior;
pub use predict::{Prediction, Rows};
pub use score::LogScore;
pub use stack::{Member, Stack};
pub use state::{ColumnState, Pooled, Shape, State};
pub use summary::{FactorScore, Weight, correlations};
