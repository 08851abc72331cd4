//! Features of arcs: the words at both ends, their classes, what stands beside and between them (after McDonald 2006).

use features::Key;
use serde::{Deserialize, Serialize};

use crate::Sentence;
use crate::codes::Codes;

/// What is seen of words, in numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Seen {
    forms: Codes,
    classes: Codes,
}

/// A sentence in numbers; the root stands at 0.
#[derive(Debug, Clone, Default)]
pub(crate) struct Coded {
    pub(crate) forms: Vec<u32>,
    pub(crate) classes: Vec<u32>,
}

/// Stand for the root and for what is beyond the ends of a sentence.
const ROOT: u32 = u32::MAX - 1;
const BEYOND: u32 = u32::MAX - 2;

impl Seen {
    /// Takes in the words of a sentence.
    pub(crate) fn insert(&mut self, sentence: &Sentence) {
        for word in 0..sentence.len() {
            self.forms.insert(&sentence.forms[word]);
            self.classes.insert(&class(sentence, word));
        }
    }

    pub(crate) fn code(&self, sentence: &Sentence) -> Coded {
        let forms = sentence.forms.iter().map(|form| self.forms.get(form));
        let classes = (0..sentence.len()).map(|word| self.classes.get(&class(sentence, word)));
        Coded {
            forms: std::iter::once(ROOT).chain(forms).collect(),
            classes: std::iter::once(ROOT).chain(classes).collect(),
        }
    }
}

/// The class of a word; of words without one its last three letters.
fn class(sentence: &Sentence, word: usize) -> String {
    match sentence.classes.get(word) {
        Some(class) => class.to_string(),
        None => {
            let letters: Vec<char> = sentence.forms[word].chars().collect();
            let ending: String = letters[letters.len().saturating_sub(3)..].iter().collect();
            format!("-{}", ending.to_lowercase())
        }
    }
}

impl Coded {
    /// The number of words.
    pub(crate) fn len(&self) -> usize {
        self.forms.len() - 1
    }

    fn class(&self, at: usize, step: isize) -> u32 {
        at.checked_add_signed(step).and_then(|at| self.classes.get(at).copied()).unwrap_or(BEYOND)
    }

    /// Writes the keys of the features of an arc.
    pub(crate) fn arc_keys(&self, head: usize, word: usize, keys: &mut Vec<u64>) {
        keys.clear();
        let (hw, hc) = (self.forms[head], self.classes[head]);
        let (mw, mc) = (self.forms[word], self.classes[word]);
        let (h1, h0) = (self.class(head, 1), self.class(head, -1));
        let (m1, m0) = (self.class(word, 1), self.class(word, -1));
        let plain: [&[u32]; 17] = [
            &[hw],
            &[hc],
            &[hw, hc],
            &[mw],
            &[mc],
            &[mw, mc],
            &[hw, hc, mw, mc],
            &[hc, mw, mc],
            &[hw, mw, mc],
            &[hw, hc, mc],
            &[hw, hc, mw],
            &[hw, mw],
            &[hc, mc],
            &[hc, h1, m0, mc],
            &[h0, hc, m0, mc],
            &[hc, h1, mc, m1],
            &[h0, hc, mc, m1],
        ];
        let bent = 1 + 2 * bin(head.abs_diff(word)) + u32::from(head < word);
        for (template, parts) in plain.iter().enumerate() {
            let key = Key::of(template as u32, parts);
            keys.extend([key, Key::from_value(key).with(bent).value()]);
        }
        keys.push(Key::of(17, &[bent]));
        let mut between: Vec<u32> = self.classes[head.min(word) + 1..head.max(word)].to_vec();
        between.sort_unstable();
        between.dedup();
        keys.extend(between.iter().map(|&class| Key::of(18, &[hc, class, mc, u32::from(head < word)])));
    }

    /// Writes the keys of the features of two arcs that share a word: siblings, or a grandparent with its grandchild.
    pub(crate) fn pair_keys(&self, kind: u32, [top, middle, last]: [usize; 3], keys: &mut Vec<u64>) {
        keys.clear();
        let [a, b, c] = [top, middle, last].map(|word| self.classes[word]);
        let sides = u32::from(top < middle) + 2 * u32::from(middle < last) + 4 * u32::from(top < last);
        let near = bin(middle.abs_diff(last));
        let words = [self.forms[middle], self.forms[last]];
        keys.extend([
            Key::of(20 + kind, &[sides, near]),
            Key::of(22 + kind, &[sides, a, b, c]),
            Key::of(24 + kind, &[sides, b, c]),
            Key::of(26 + kind, &[sides, a, c]),
            Key::of(28 + kind, &[sides, words[0], c]),
            Key::of(30 + kind, &[sides, b, words[1]]),
            Key::of(32 + kind, &[sides, near, b, c]),
        ]);
    }
}

/// Distances 1 to 5, up to 10, and more.
fn bin(distance: usize) -> u32 {
    match distance {
        0..=5 => distance as u32,
        6..=10 => 6,
        _ => 7,
    }
}
