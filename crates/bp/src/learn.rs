//! Learning weights of features by conditional likelihood.
//!
//! Of every example a graph is seen twice: with what training knows of it ([`Evidence`] *clamped*), and with what will be
//! known when the model is used (*free*). The likelihood is ln Z(clamped) − ln Z(free), and its slope in a score is the
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
mod weights;

pub use features::{Features, Index};
pub use likelihood::{Likelihood, slopes};
pub use weights::{Course, Learning, Rule, SavedCourse, Step, Weights};

pub(crate) use crate::Evidence;
