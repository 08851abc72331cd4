//! What an imputer gives back.

use tree::Heads;

/// P(head of a word | sentence, annotation), for every word and every head.
pub use arcs::Marginals as ArcPosteriors;

/// A completed sentence.
#[derive(Debug, Clone, PartialEq)]
pub struct Completed {
    /// The tree; it satisfies all that was said, unless the search was given up without finding one that does. Words that are left out of the tree hang
    /// from the root.
    pub heads: Heads,
    /// How probable each arc is.
    pub posteriors: ArcPosteriors,
    /// Sampled trees, if they were asked for.
    pub samples: Vec<Heads>,
    /// Whether the search for the best tree was given up, because brackets with open heads leave very many cases. There may
    /// be better trees then; and if none was found that keeps all brackets, which `Possible::admits` tells, this one keeps
    /// the arcs that were said.
    pub given_up: bool,
}
