//! Bayesian factor analysis of tables whose columns are of different kinds (Sun 2016, chapter 4).
//!
//! Each cell has a latent value z = α + B f: an intercept of its column and K loadings times the K factors of its row. A
//! continuous value is normal around z; z is the log-odds of a binary value and of a negative binomial count; an ordinal
//! value says between which cut points a hidden number around z lies, and a categorical one which of several hidden
//! utilities is the largest. Everything is drawn by Gibbs sampling, with hidden numbers that make each kind normal.

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
mod pooling;
mod posterior;
mod predict;
mod predictive;
mod response;
mod rows;
pub mod schema;
mod score;
mod settings;
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
pub use posterior::Posterior;
pub use predict::{Prediction, Rows};
pub use score::Score as LogScore;
pub use settings::{Dispersions, Identification, Link, Prior, Settings, Update};
pub use stack::{Member, Stack};
pub use state::{ColumnState, Pooled, Shape, State};
pub use summary::{Score, Weight, correlations};
