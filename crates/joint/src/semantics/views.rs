//! What is seen of words, as numbers that are the same in every model: hashes, so that no table has to be kept.

use features::{Hash, Key};

use crate::Sentence;

/// What is seen of a word.
#[derive(Debug, Clone, Default)]
pub(super) struct WordView {
    pub(super) form: u32,
    pub(super) lower: u32,
    pub(super) lemma: u32,
    /// The class that is always seen; 0 if there is none.
    pub(super) class: u32,
    pub(super) capital: u32,
    /// Runs of letters of one kind.
    pub(super) shape: u32,
    /// The first two to five letters, as far as there are more.
    pub(super) beginnings: Vec<u32>,
    /// The last two to five.
    pub(super) endings: Vec<u32>,
    /// Which of the patterns it is.
    pub(super) patterns: Vec<u32>,
}

/// The words of a sentence and the void on both sides.
#[derive(Debug, Clone, Default)]
pub(super) struct Views {
    words: Vec<WordView>,
    before: WordView,
    after: WordView,
    pub(super) has_classes: bool,
}

impl Views {
    pub(super) fn new(sentence: &Sentence) -> Views {
        let void = |code: u32| WordView {
            form: code,
            lower: code,
            lemma: code,
            class: code,
            capital: code,
            shape: code,
            ..WordView::default()
        };
        Views {
            words: (0..sentence.len()).map(|word| WordView::new(sentence, word)).collect(),
            before: void(1),
            after: void(2),
            has_classes: !sentence.classes.is_empty(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    /// A word, or the void.
    pub(super) fn at(&self, at: isize) -> &WordView {
        match usize::try_from(at) {
            Err(_) => &self.before,
            Ok(at) => self.words.get(at).unwrap_or(&self.after),
        }
    }

    pub(super) fn word(&self, at: usize) -> &WordView {
        self.at(at as isize)
    }
}

impl WordView {
    fn new(sentence: &Sentence, at: usize) -> WordView {
        let form = sentence.forms[at].as_str();
        let letters: Vec<char> = form.chars().collect();
        let lower = form.to_lowercase();
        let n = letters.len();
        let sizes = (2..=5).filter(|&size| size < n);
        let class = sentence.classes.get(at).map_or(0, |class| code(3, class));
        WordView {
            form: code(0, form),
            lower: code(1, &lower),
            lemma: sentence.lemmas.get(at).map_or_else(|| code(1, &lower), |lemma| code(2, lemma)),
            class,
            capital: u32::from(letters.first().is_some_and(|c| c.is_uppercase())),
            shape: shape(&letters),
            beginnings: sizes.clone().map(|size| chars_code(4, &letters[..size])).collect(),
            endings: sizes.map(|size| chars_code(5, &letters[n - size..])).collect(),
            patterns: patterns(&letters, &lower),
        }
    }
}

/// A text of some kind as a number.
pub(super) fn code(kind: u8, text: &str) -> u32 {
    (Hash::new(kind).chars(text.chars()).finish() >> 32) as u32
}

fn chars_code(kind: u8, letters: &[char]) -> u32 {
    (Hash::new(kind).chars(letters.iter().copied()).finish() >> 32) as u32
}

/// A list of numbers as one.
pub(super) fn joined(parts: impl Iterator<Item = u32>) -> u32 {
    (parts.fold(Key::new(0), Key::with).value() >> 32) as u32
}

/// `Aa0-`: kinds of characters, runs as one.
fn shape(letters: &[char]) -> u32 {
    let kind = |c: char| match c {
        c if c.is_uppercase() => 'A',
        c if c.is_alphabetic() => 'a',
        c if c.is_numeric() => '0',
        c => c,
    };
    let mut kinds: Vec<char> = letters.iter().map(|&c| kind(c)).collect();
    kinds.dedup();
    chars_code(6, &kinds)
}

/// The patterns of the thesis (p. 2397): months, times, ordinals, fractions, days, initials, capitals, small letters, Roman
/// numbers, punctuation; and numbers.
fn patterns(letters: &[char], lower: &str) -> Vec<u32> {
    let all = |is: fn(char) -> bool| !letters.is_empty() && letters.iter().all(|&c| is(c));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let pair = |by: char| lower.split_once(by).is_some_and(|(a, b)| digits(a) && digits(b));
    let month = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let day = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    let ordinal = ["st", "nd", "rd", "th"].iter().any(|end| lower.strip_suffix(end).is_some_and(digits));
    let is_month = month.iter().any(|name| lower.strip_prefix(name).is_some_and(|rest| rest.len() <= 6))
        && lower.len() >= 3
        && letters.first().is_some_and(|c| c.is_uppercase());
    let found = [
        is_month,
        pair(':'),
        ordinal,
        pair('/'),
        day.contains(&lower),
        letters.len() == 2 && letters[0].is_uppercase() && letters[1] == '.',
        all(char::is_uppercase) && letters.len() > 1,
        all(char::is_lowercase),
        letters.len() > 1 && letters.iter().all(|c| "IVXLCDM".contains(*c)),
        all(|c| !c.is_alphanumeric()),
        letters.iter().any(|c| c.is_numeric()),
        digits(lower) && letters.len() == 4,
    ];
    (0..).zip(found).filter(|(_, is)| *is).map(|(at, _)| at).collect()
}
