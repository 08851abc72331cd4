//! Names of tags and their numbers.

/// Tags, numbered in the order in which they were first seen.
pub type TagSet = tree::Symbols;
