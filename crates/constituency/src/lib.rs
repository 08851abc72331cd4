//! Constituency parsing with PCFGs whose categories have latent annotations.

pub mod bank;
pub mod concentrate;
pub mod derivation;
pub mod ensemble;
pub mod estimate;
pub mod expected;
mod fallback;
pub mod forests;
pub mod gibbs;
pub mod model;
pub mod names;
pub mod options;
pub mod parser;
pub mod prior;
pub mod sampler;
mod streamed;
pub mod train;
pub mod watch;

pub use bank::{Bank, BankOptions};
pub use model::Model;
pub use parser::{Decode, ParseOptions, Parsed, Parser};
pub use train::{JumpStart, TrainOptions, Training};
pub use watch::WatchedRule;
