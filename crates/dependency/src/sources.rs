//! Where attributes of words come from besides their forms.

use features::Codebook;
use serde::{Deserialize, Serialize};

use super::attributes::TagColumn;
use super::options::DependencyOptions;

/// Columns that are looked at besides forms and tags. They must be filled when sentences are parsed, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Columns {
    /// Morphological features, for the attributes `feats` and `case`.
    pub feats: bool,
    /// The tags that the parser does not go by, for the attribute `fine`.
    pub other_tags: bool,
}

/// Bytes of a model file that each of its two books of words may take: little beside the weights, which take up to 17 MB.
pub const BOOK_BYTES: usize = 1_400_000;

/// What words are looked up in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sources<'s> {
    pub(super) tags: TagColumn,
    pub(super) clusters: Option<&'s Codebook>,
    pub(super) vectors: Option<&'s Codebook>,
}

impl<'s> From<&'s DependencyOptions> for Sources<'s> {
    fn from(options: &'s DependencyOptions) -> Sources<'s> {
        Sources { tags: options.tags, clusters: options.clusters.as_ref(), vectors: options.vectors.as_ref() }
    }
}

#[cfg(test)]
impl From<TagColumn> for Sources<'_> {
    fn from(tags: TagColumn) -> Self {
        Sources { tags, clusters: None, vectors: None }
    }
}
