//! Names of tags and their numbers.

use indexmap::IndexSet;
use serde::{Deserialize, Serialize};
use tree::Text;

/// Tags, numbered in the order in which they were first seen.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TagSet {
    names: IndexSet<Text>,
}

impl TagSet {
    /// The number of a tag, which is new if it was not there.
    pub fn insert(&mut self, name: &str) -> u32 {
        match self.names.get_index_of(name) {
            Some(at) => at as u32,
            None => self.names.insert_full(Text::from(name)).0 as u32,
        }
    }

    /// The number of a tag.
    pub fn number(&self, name: &str) -> Option<u32> {
        self.names.get_index_of(name).map(|at| at as u32)
    }

    /// The name of a tag; panics if there is none of this number.
    pub fn name(&self, tag: u32) -> &Text {
        &self.names[tag as usize]
    }

    /// All names, in the order of their numbers.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &Text> {
        self.names.iter()
    }

    /// How many tags there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}
