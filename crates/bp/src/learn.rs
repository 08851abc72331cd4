//! What weights of features are learned by: conditional likelihood. Steps are taken by [`chain::descent`].
//!
//! Of every example a graph is seen twice: with what training knows of it ([`Evidence`] *clamped*), and with what will be
//! known when the model is used (*free*). The likelihood is ln Z(clamped) − ln Z(free), and its derivative in a score is the
//! difference of how often the score is expected to count. Which variables the two masks hold is all the difference
//! between supervised, joint, oracle, hidden and partial training:
//!
//! | | clamped | free |
//! |---|---|---|
//! | supervised, joint | task and structure | nothing |
//! | oracle | task and structure | structure |
//! | hidden | task | nothing |
//! | partial | whatever is known | nothing |

mod features;
mod likelihood;

pub use features::Features;
pub use likelihood::{Likelihood, gradients};

pub(crate) use crate::Evidence;
