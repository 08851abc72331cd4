//! Characters as small numbers, in the order in which they were first seen.

use rustc_hash::FxHashMap;

/// The number of a character.
pub(crate) type Letter = u32;

/// The characters of a model.
#[derive(Clone, Debug, Default)]
pub(crate) struct Letters {
    numbers: FxHashMap<char, Letter>,
    characters: Vec<char>,
}

impl Letters {
    /// The number of a character, which is given one if it has none.
    pub(crate) fn add(&mut self, character: char) -> Letter {
        *self.numbers.entry(character).or_insert_with(|| {
            self.characters.push(character);
            (self.characters.len() - 1) as Letter
        })
    }

    /// The number of a character. All unknown ones share the next number that is free.
    pub(crate) fn find(&self, character: char) -> Letter {
        self.numbers.get(&character).copied().unwrap_or(self.characters.len() as Letter)
    }

    /// The character of a number.
    pub(crate) fn character(&self, letter: Letter) -> char {
        self.characters[letter as usize]
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.characters.len()
    }

    /// A word in letters, in which each character is given a number.
    pub(crate) fn add_word(&mut self, word: &str, into: &mut Vec<Letter>) {
        into.clear();
        into.extend(word.chars().map(|character| self.add(character)));
    }
}
