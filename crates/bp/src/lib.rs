//! Factor graphs: sums over all assignments to discrete variables, by belief propagation.
//!
//! A [`Graph`] has variables, factors between them and the scores of soft factors. What is known of the variables is an
//! [`Evidence`], a mask beside the graph, so that the same graph serves the clamped and the free run of training.
//! [`Messages::run`] passes messages: a graph without cycles (once what is known has cut it) is solved exactly in two
//! passes, another one is swept until its beliefs rest, and the [`Outcome`] says which. [`Messages::best`] finds the most probable
//! assignment in the same way.
//!
//! ```
//! use bp::{Evidence, Graph, Messages, Options};
//!
//! // A bracket that is probable, a name that is not, and a reward of 2.5 if both are there.
//! let mut graph = Graph::new();
//! let (bracket, name) = (graph.boolean(), graph.boolean());
//! graph.unary(bracket, &[(0.7f64 / 0.3).ln()]);
//! graph.unary(name, &[(0.2f64 / 0.8).ln()]);
//! graph.nand(&[bracket.is(1), name.is(1)], 2.5f64.ln());
//! let graph = graph.finish()?;
//! let mut messages = Messages::default();
//! let outcome = messages.run(&graph, &Evidence::none(&graph), &Options::default())?;
//! assert!(outcome.is_exact);
//! assert!((messages.probability(&graph, name.is(1)) - 0.339).abs() < 5e-4);
//! # Ok::<(), bp::Error>(())
//! ```
//!
//! A *literal* is a variable with one of its values. Factors of logic are over literals, so that they join Booleans and
//! values of larger variables alike; tables are over whole variables. All messages are logarithms. What is impossible
//! is −[`HARD`], a number so large that its exponential is 0 and so small that sums with it keep ten digits: nothing
//! has to ask for infinities, and an impossible message that meets a necessary one is seen as the contradiction it is.

mod bethe;
pub mod decode;
mod error;
mod evidence;
mod factor;
mod finish;
mod graph;
pub mod learn;
mod logic;
mod messages;
mod options;
mod order;
pub mod structured;
mod tables;
mod update;

pub use decode::Assignment;
pub use error::{Contradiction, Error};
pub use evidence::Evidence;
pub use graph::{FactorId, Graph, Literal, Scores, Variable};
pub use messages::Messages;
pub use options::{Options, Outcome, Schedule};
pub use structured::Structured;

/// Runs the README's example as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

/// What stands for infinity among messages.
pub const HARD: f64 = 1e5;

/// Whether log-odds say that a literal must hold.
pub(crate) fn is_required(log_odds: f64) -> bool {
    log_odds >= HARD / 2.0
}

/// Whether log-odds say that a literal cannot hold.
pub(crate) fn is_absent(log_odds: f64) -> bool {
    log_odds <= -HARD / 2.0
}

/// ln(1 + eˣ).
pub(crate) fn softplus(x: f64) -> f64 {
    if x > 0.0 { x + libm::log1p(libm::exp(-x)) } else { libm::log1p(libm::exp(x)) }
}

/// 1 / (1 + e⁻ˣ).
pub(crate) fn sigmoid(x: f64) -> f64 {
    if x > 0.0 {
        1.0 / (1.0 + libm::exp(-x))
    } else {
        let e = libm::exp(x);
        e / (1.0 + e)
    }
}
