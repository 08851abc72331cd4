//! Families of tags: which are alike.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

/// The family of each tag; tags of no family are alone.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Families {
    names: BTreeMap<SmolStr, SmolStr>,
}

/// Why a file of families cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FamiliesError {
    /// Not two words.
    #[error("line {line}: `{text}` is not of the form `TAG FAMILY`")]
    NotTwo {
        /// The line, from 1.
        line: u32,
        /// What stands there.
        text: String,
    },
    /// Two families for a tag.
    #[error("line {line}: `{tag}` is of family `{before}` already; give each tag one family")]
    Twice {
        /// The line, from 1.
        line: u32,
        /// The tag.
        tag: String,
        /// Its other family.
        before: String,
    },
    /// No line at all.
    #[error("there is no family; write one tag a line, such as `NNS noun`")]
    Empty,
}

impl Families {
    /// The twelve families of Cohen, Gimpel & Smith (2008), for the tags of the Penn Treebank, of Universal Dependencies and
    /// of the universal tag set before them.
    pub fn built_in() -> Families {
        let known = Families::read(include_str!("families.txt"));
        known.expect("the built-in families can be read, which a test shows")
    }

    /// Reads lines `TAG FAMILY`, with white space between them; lines that begin with `# ` are comments.
    pub fn read(text: &str) -> Result<Families, FamiliesError> {
        let mut names: BTreeMap<SmolStr, SmolStr> = BTreeMap::new();
        for (line, text) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
            if text.trim().is_empty() || text.starts_with("# ") || text.trim() == "#" {
                continue;
            }
            let words: Vec<&str> = text.split_whitespace().collect();
            let [tag, family] = words[..] else {
                return Err(FamiliesError::NotTwo { line, text: text.trim().to_owned() });
            };
            if let Some(before) = names.insert(tag.into(), family.into())
                && before != family
            {
                let before = before.to_string();
                return Err(FamiliesError::Twice { line, tag: tag.to_owned(), before });
            }
        }
        if names.is_empty() { Err(FamiliesError::Empty) } else { Ok(Families { names }) }
    }

    /// The family of a tag.
    pub fn of(&self, tag: &str) -> Option<&str> {
        self.names.get(tag).map(SmolStr::as_str)
    }

    /// A number for the family of each tag; tags without one get numbers of their own.
    pub fn number(&self, tags: &[SmolStr]) -> Vec<usize> {
        let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
        let mut next = 0;
        tags.iter()
            .map(|tag| {
                let fresh = next;
                next += 1;
                self.of(tag).map_or(fresh, |family| *numbers.entry(family).or_insert(fresh))
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_families_can_be_read_and_are_twelve() {
        let families = Families::built_in();
        let names: std::collections::BTreeSet<&SmolStr> = families.names.values().collect();
        assert_eq!(names.len(), 12);
        assert_eq!((families.of("NNS"), families.of("NOUN")), (Some("noun"), Some("noun")));
    }

    #[test]
    fn tags_without_a_family_are_alone() {
        let families = Families::read("NN noun\nNNS noun\n").unwrap();
        let numbers = families.number(&["NN".into(), "XX".into(), "NNS".into(), "YY".into()]);
        assert_eq!(numbers, [0, 1, 0, 3]);
    }

    #[test]
    fn what_is_wrong_with_a_file_is_said() {
        let twice = Families::read("NN noun\nNN verb\n");
        assert!(matches!(twice, Err(FamiliesError::Twice { line: 2, .. })), "{twice:?}");
        assert!(matches!(Families::read("NN\n"), Err(FamiliesError::NotTwo { line: 1, .. })));
        assert_eq!(Families::read("# nothing\n\n"), Err(FamiliesError::Empty));
    }
}
