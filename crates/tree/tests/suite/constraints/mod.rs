//! Constraints against brute force: the meaning of an annotation written down a second time, from GFL's
//! definition, and compared over all trees of up to five words.

mod annotations;
mod conflicts;
mod derivations;
mod laws;
mod meaning;
mod saying;
