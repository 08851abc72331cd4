//! Whole dependency trees from fragments.
//!
//! Sentences come in as [`Fragment`]s: words, tags, and what an annotator said, as the cases it leaves. What an
//! imputer gives back is a [`Completed`] tree for each, which satisfies all that was said, with the probability of every
//! arc.

pub mod admitted;
pub mod baselines;
mod branch;
pub mod calibrate;
pub mod completed;
pub mod convex;
pub mod drawn;
pub mod fragment;
pub mod gpc;
pub mod relations;

pub use completed::{ArcPosteriors, Completed};
pub use fragment::{Fragment, FragmentError};
pub use gpc::{Gpc, GpcModel, GpcOptions};
