//! Numbers for words, classes and tags.

use serde::{Deserialize, Serialize};
use tree::{Symbols, Text};

/// Names in the order in which they came. Numbers begin with 1; 0 is what was never seen.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Codes {
    names: Symbols,
}

impl Codes {
    pub(crate) fn insert(&mut self, name: &str) -> u32 {
        self.names.insert(name) + 1
    }

    pub(crate) fn get(&self, name: &str) -> u32 {
        self.names.number(name).map_or(0, |at| at + 1)
    }

    pub(crate) fn name(&self, code: u32) -> Option<&Text> {
        self.names.get(code.checked_sub(1)?)
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &Text> {
        self.names.names()
    }

    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }
}
