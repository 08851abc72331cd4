//! Chains: everything a sampler or an EM loop needs that has nothing to do with language.
//!
//! ```
//! use std::convert::Infallible;
//! use num::dist;
//! use chain::{sample, Kernel, Schedule, Start, Sweep, Workers};
//!
//! /// A random walk that is pulled back to zero: x ← x/2 + e with e ~ N(0, 1).
//! struct Walk;
//! impl Kernel for Walk {
//!     type State = f64;
//!     type Error = Infallible;
//!     const KIND: &'static str = "walk";
//!     fn start(&self, _: &Sweep<'_>) -> Result<f64, Infallible> {
//!         Ok(0.0)
//!     }
//!     fn sweep(&self, x: &mut f64, sweep: &Sweep<'_>) -> Result<(), Infallible> {
//!         *x = *x / 2.0 + dist::normal(&mut sweep.rng(0));
//!         Ok(())
//!     }
//! }
//!
//! let mut trace = chain::observe::Trace::new("walk", &["x"], |x: &f64| vec![*x]);
//! let schedule = Schedule { burn_in: 50, samples: 500, chains: 2, seed: 1, ..Schedule::default() };
//! let outcome = sample::run(&Walk, &schedule, Start::Fresh, &mut trace, &Workers::serial())?;
//! assert_eq!(outcome.checkpoint.sweep, 550);
//! let columns = trace.kept("x");
//! assert!(chain::diagnose::rhat(&columns).unwrap() < 1.05);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Three promises hold for every run, and tests hold them in turn:
//!
//! * the same seed gives the same bits at any number of threads;
//! * a resumed run equals the straight run, because random streams are *addressed* by
//!   (seed, chain, sweep, item) and no generator state exists that could be lost;
//! * a checkpoint on disk is always whole: it is written aside and renamed.
//!
//! This crate knows no trees and never prints. Transcendental functions come from `libm`, not from the
//! platform, so the bits also agree between operating systems.

pub mod checkpoint;
pub mod container;
pub mod descent;
pub mod diagnose;
pub mod error;
pub mod fit;
pub mod kernel;
pub mod observe;
pub mod sample;
pub mod schedule;
pub mod sweep;
pub mod workers;

pub use checkpoint::{Checkpoint, Start};
pub use error::{Error, RunError};
pub use fit::{Fit, FitOptions, Objective};
pub use kernel::Kernel;
pub use num::{Rng, Stream};
pub use observe::{Observer, Phase, Progress, Stop};
pub use sample::Outcome;
pub use schedule::Schedule;
pub use sweep::Sweep;
pub use workers::{Threads, Workers};

/// Runs the README's example as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
