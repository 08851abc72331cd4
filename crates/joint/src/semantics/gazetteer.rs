//! Lists of names that are known from elsewhere.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use tree::Text;

use super::views::code;
use crate::Sentence;

/// Names with what they are called in the list: a type, or the name of the list.
///
/// ```
/// use joint::semantics::Gazetteer;
///
/// let mut names = Gazetteer::default();
/// names.insert("New York", "place");
/// names.insert("Ada", "person");
/// assert_eq!((names.len(), names.longest()), (2, 2));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gazetteer {
    /// Numbers of lists by name, small letters, words with one space between them.
    entries: std::collections::BTreeMap<String, Vec<u32>>,
    lists: Vec<Text>,
    longest: usize,
    /// Whether the names are those of the training sentences, so that a name that occurs once there is not counted for itself.
    from_training: bool,
    counts: std::collections::BTreeMap<String, u32>,
}

impl Gazetteer {
    /// Takes a name in.
    pub fn insert(&mut self, name: &str, list: &str) {
        let words: Vec<String> = name.split_whitespace().map(str::to_lowercase).collect();
        if words.is_empty() {
            return;
        }
        let number = match self.lists.iter().position(|known| known == list) {
            Some(number) => number as u32,
            None => {
                self.lists.push(list.into());
                self.lists.len() as u32 - 1
            }
        };
        self.longest = self.longest.max(words.len());
        let key = words.join(" ");
        *self.counts.entry(key.clone()).or_default() += 1;
        let numbers = self.entries.entry(key).or_default();
        if let Err(place) = numbers.binary_search(&number) {
            numbers.insert(place, number);
        }
    }

    /// The names of sentences with their types. While a model is learned from these sentences, a name counts only if it
    /// occurs at least twice, since otherwise every name there would be in the list and none of a new text.
    pub fn of_training<'a>(sentences: impl IntoIterator<Item = &'a Sentence>) -> Gazetteer {
        let mut names = Gazetteer { from_training: true, ..Gazetteer::default() };
        for sentence in sentences {
            for entity in &sentence.semantics.entities {
                let words = &sentence.forms[entity.span.start()..entity.span.end().min(sentence.len())];
                names.insert(&words.join(" "), &entity.kind);
            }
        }
        names
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no name.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The words of the longest name.
    pub fn longest(&self) -> usize {
        self.longest
    }

    /// The lists in which each span of a sentence stands, as numbers.
    pub(super) fn matches(&self, sentence: &Sentence, is_training: bool) -> FxHashMap<(u32, u32), Vec<u32>> {
        let mut found = FxHashMap::default();
        if self.is_empty() {
            return found;
        }
        let lower: Vec<String> = sentence.forms.iter().map(|form| form.to_lowercase()).collect();
        for start in 0..lower.len() {
            let mut name = String::new();
            for end in start + 1..=lower.len().min(start + self.longest) {
                if end > start + 1 {
                    name.push(' ');
                }
                name.push_str(&lower[end - 1]);
                let once = || self.counts.get(&name).is_none_or(|&count| count < 2);
                if let Some(lists) = self.entries.get(&name)
                    && !(is_training && self.from_training && once())
                {
                    let lists = lists.iter().map(|&list| code(9, &self.lists[list as usize]));
                    found.insert((start as u32, end as u32), lists.collect());
                }
            }
        }
        found
    }
}
