//! Kinds of words.

use super::Traits;
use indexmap::IndexSet;
use tree::{Symbols, Text};

/// Numbers kinds and forms of words in the order in which they first occur.
///
/// The kind of a word is its tag with those of its two neighbours: what a word depends on is mostly told by these, so that
/// the answer for one serves the others.
#[derive(Clone, Debug, Default)]
pub struct Census {
    kinds: IndexSet<[Text; 3]>,
    forms: Symbols,
}

/// A sentence whose words were numbered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// The kind of each word.
    pub kinds: Vec<usize>,
    /// The forms without regard to case, sorted.
    pub forms: Vec<usize>,
}

impl Census {
    /// Numbers the words of a sentence.
    pub fn count<'a>(&mut self, forms: impl IntoIterator<Item = &'a str>, tags: &[Text]) -> Counted {
        let at = |place: Option<usize>| place.and_then(|place| tags.get(place)).cloned().unwrap_or_default();
        let around = |word: usize| [at(word.checked_sub(1)), at(Some(word)), at(Some(word + 1))];
        let kinds = (0..tags.len()).map(|word| self.kinds.insert_full(around(word)).0).collect();
        let form = |form: &str| self.forms.insert(&form.to_lowercase()) as usize;
        let mut forms: Vec<usize> = forms.into_iter().map(form).collect();
        forms.sort_unstable();
        Counted { kinds, forms }
    }
}

impl Counted {
    /// The sentence as a candidate: the words that would be annotated, from 1, and how uncertain each is.
    pub fn traits(&self, words: impl IntoIterator<Item = (usize, f64)>) -> Traits {
        Traits { words: self.of(words), forms: self.forms.clone() }
    }

    /// One of its words, from 1, as a candidate.
    pub fn word_traits(&self, word: usize, entropy: f64) -> Traits {
        Traits { words: self.of([(word, entropy)]), forms: Vec::new() }
    }

    fn of(&self, words: impl IntoIterator<Item = (usize, f64)>) -> Vec<(usize, f64)> {
        let kind = |(word, entropy): (usize, f64)| Some((*self.kinds.get(word.checked_sub(1)?)?, entropy));
        words.into_iter().filter_map(kind).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_with_the_same_tags_around_them_are_of_a_kind() {
        let tags = |text: &str| text.split(' ').map(Text::from).collect::<Vec<_>>();
        let mut census = Census::default();
        let one = census.count(["The", "dog", "the", "cat"], &tags("D N D N"));
        assert_eq!((one.kinds, one.forms), (vec![0, 1, 2, 3], vec![0, 0, 1, 2]));
        let other = census.count(["a", "dog", "a", "DOG"], &tags("D N D N"));
        assert_eq!((&other.kinds, &other.forms), (&vec![0, 1, 2, 3], &vec![1, 1, 3, 3]));
        // D at the end is not D in the middle.
        assert_eq!(census.count(["x"; 3], &tags("D N D")).kinds, [0, 1, 4]);
        assert_eq!(other.traits([(2, 0.5)]), Traits { words: vec![(1, 0.5)], forms: vec![1, 1, 3, 3] });
        assert_eq!(other.word_traits(4, 0.5).words, [(3, 0.5)]);
        assert_eq!(other.word_traits(5, 0.5).words, []);
    }
}
