//! Grammar induction: grammars from text without trees.
//!
//! [`Family`] is what all estimators see of a grammar: multinomials, and a dynamic program that counts events.
//!
//! ```
//! use chain::Workers;
//! use induce::dmv::{harmonic, model::Tags};
//! use induce::{Dmv, InduceOptions, Task, induce};
//! use std::ops::ControlFlow;
//!
//! let tags = Tags::new(["D", "N", "V"]);
//! let text = ["D N V", "D N V D N", "N V", "N V D N"].map(|line| tags.number(line.split(' ')));
//! let dmv = Dmv::new(tags.len(), true);
//! let starts = vec![harmonic(&dmv, &text)];
//! let task = Task { family: &dmv, items: &text, held_out: &[], starts, fingerprint: 0 };
//! let options = InduceOptions { alpha: Some(0.5), max_passes: 10, ..InduceOptions::default() };
//! let induced = induce(&task, &options, None, &mut |_| ControlFlow::Continue(()), &Workers::serial())?;
//! assert!(induced.history.last() >= induced.history.first());
//! let (heads, _) = dmv.viterbi(&text[0], &induced.grammar, &mut Default::default()).unwrap();
//! assert_eq!(heads.len(), 3);
//! # Ok::<(), induce::InduceError>(())
//! ```

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
