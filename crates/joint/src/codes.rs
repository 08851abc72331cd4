//! Numbers for words, classes and tags.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};
use tree::Text;

/// Names in the order in which they came. Numbers begin with 1; 0 is what was never seen.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Codes {
    names: IndexSet<Text, FxBuildHasher>,
}

impl Codes {
    pub(crate) fn insert(&mut self, name: &str) -> u32 {
        match self.names.get_index_of(name) {
            Some(at) => at as u32 + 1,
            None => self.names.insert_full(name.into()).0 as u32 + 1,
        }
    }

    pub(crate) fn get(&self, name: &str) -> u32 {
        self.names.get_index_of(name).map_or(0, |at| at as u32 + 1)
    }

    pub(crate) fn name(&self, code: u32) -> Option<&Text> {
        self.names.get_index((code as usize).checked_sub(1)?)
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &Text> {
        self.names.iter()
    }

    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }
}
