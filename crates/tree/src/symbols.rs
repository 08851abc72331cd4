//! Names as numbers: the one interner.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};

use crate::Text;

/// Names, numbered from 0 in the order in which they were first seen. Stored as the list of names.
///
/// ```
/// let mut tags = tree::Symbols::default();
/// let (noun, verb) = (tags.insert("NOUN"), tags.insert("VERB"));
/// assert_eq!((noun, verb, tags.insert("NOUN")), (0, 1, 0));
/// assert_eq!((tags.name(verb).as_str(), tags.number("ADP")), ("VERB", None));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Symbols {
    names: IndexSet<Text, FxBuildHasher>,
}

impl Symbols {
    /// The number of a name, a new one if it was not seen before.
    pub fn insert(&mut self, name: &str) -> u32 {
        let number = match self.names.get_index_of(name) {
            Some(number) => number,
            None => self.names.insert_full(Text::new(name)).0,
        };
        number as u32
    }

    /// The number of a name, if it was seen.
    pub fn number(&self, name: &str) -> Option<u32> {
        self.names.get_index_of(name).map(|number| number as u32)
    }

    /// The name of a number.
    ///
    /// # Panics
    /// If there is none.
    pub fn name(&self, number: u32) -> &Text {
        &self.names[number as usize]
    }

    /// The name of a number, if there is one.
    pub fn get(&self, number: u32) -> Option<&Text> {
        self.names.get_index(number as usize)
    }

    /// All names, in the order of their numbers.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &Text> {
        self.names.iter()
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

impl FromIterator<Text> for Symbols {
    fn from_iter<I: IntoIterator<Item = Text>>(names: I) -> Symbols {
        Symbols { names: names.into_iter().collect() }
    }
}

impl IntoIterator for Symbols {
    type Item = Text;
    type IntoIter = indexmap::set::IntoIter<Text>;

    fn into_iter(self) -> Self::IntoIter {
        self.names.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_the_numbers_in_which_they_came_and_no_others_have_any() {
        let mut symbols: Symbols = ["NP", "VP", "NP"].map(Text::new).into_iter().collect();
        assert_eq!(
            (symbols.len(), symbols.insert("VP"), symbols.insert("PP"), symbols.insert("PP")),
            (3 - 1, 1, 2, 2)
        );
        assert_eq!((symbols.number("NP"), symbols.number("AP")), (Some(0), None));
        assert_eq!((symbols.name(2).as_str(), symbols.get(3)), ("PP", None));
        assert_eq!(symbols.into_iter().collect::<Vec<_>>(), ["NP", "VP", "PP"]);
    }
}
