//! Grammar induction: grammars from text without trees.
//!
//! [`Family`] is what all estimators see of a grammar: multinomials, and a dynamic program that counts events.

pub mod blocks;
pub mod brackets;
pub mod dirichlet;
pub mod dmv;
pub mod families;
pub mod family;
pub mod held_out;
pub mod hmm;
pub mod logistic;
pub mod pcfg;
pub mod per_item;
pub mod random;
pub mod rules;
pub mod run;
pub mod shared;

pub use dmv::Dmv;
pub use families::Families;
pub use family::{Family, Rows};
pub use hmm::Hmm;
pub use pcfg::Pcfg;
pub use run::{InduceError, InduceOptions, Induced, Method, Pass, Saving, Setting, Task, induce};
