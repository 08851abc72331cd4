//! Words that differ although they look alike, and words that were probably meant.

use crate::nfc::nfc;
use std::fmt::Write;

/// Both strings for a message: as they are, unless they look alike. Then what lies between their common beginning and
/// their common end is spelled as code points: `10<U+00A0>000`.
pub fn told_apart(one: &str, other: &str) -> (String, String) {
    if one == other || !looks_like(one, other) {
        return (one.to_string(), other.to_string());
    }
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let shortest = one.len().min(other.len());
    let before = one.iter().zip(&other).take_while(|(a, b)| a == b).count();
    let ends = one.iter().rev().zip(other.iter().rev());
    let after = ends.take(shortest - before).take_while(|(a, b)| a == b).count();
    (spelled(&one, before, after), spelled(&other, before, after))
}

fn spelled(characters: &[char], before: usize, after: usize) -> String {
    let mut text: String = characters[..before].iter().collect();
    for &c in &characters[before..characters.len() - after] {
        let _ = write!(text, "<U+{:04X}>", u32::from(c));
    }
    text.extend(&characters[characters.len() - after..]);
    text
}

/// Whether two strings cannot be told apart by eye, or hardly.
pub fn looks_like(one: &str, other: &str) -> bool {
    skeleton(one) == skeleton(other)
}

/// In what two different words differ, if that is little: probably the same word was meant.
pub fn small_difference(one: &str, other: &str) -> Option<&'static str> {
    if nfc(one) == nfc(other) {
        return Some("only Unicode's normal form differs, NFC or NFD");
    }
    let (bare, other_bare) = (skeleton(one), skeleton(other));
    if bare == other_bare {
        return Some("they look alike, but characters differ");
    }
    let (small, other_small) = (bare.to_lowercase(), other_bare.to_lowercase());
    if small == other_small {
        return Some("only capital and small letters differ");
    }
    let is_long = small.chars().count().min(other_small.chars().count()) >= LEAST_LETTERS;
    (is_long && is_one_edit(&small, &other_small)).then_some("one letter differs")
}

/// Shorter words are one letter away from too many others.
const LEAST_LETTERS: usize = 3;

/// The words among `known` that were probably meant by `name`: those that look like it, or else differ in case
/// only, or else in one letter. Each once, in their order.
pub fn meant<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let mut found: Vec<(usize, &str)> = Vec::new();
    for word in known {
        let rank = match small_difference(name, word) {
            Some("one letter differs") => 2,
            Some("only capital and small letters differ") => 1,
            Some(_) => 0,
            None => continue,
        };
        if !found.iter().any(|&(_, other)| other == word) {
            found.push((rank, word));
        }
    }
    let best = found.iter().map(|&(rank, _)| rank).min();
    found.into_iter().filter(|&(rank, _)| Some(rank) == best).map(|(_, word)| word).collect()
}

/// Whether one insertion, deletion, substitution or exchange of neighbours makes one of the other.
fn is_one_edit(one: &str, other: &str) -> bool {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let before = one.iter().zip(&other).take_while(|(a, b)| a == b).count();
    let (one, other) = (&one[before..], &other[before..]);
    match one.len().abs_diff(other.len()) {
        0 => {
            one[1..] == other[1..]
                || one.len() > 1 && one[..2] == [other[1], other[0]] && one[2..] == other[2..]
        }
        1 if one.len() > other.len() => one[1..] == *other,
        1 => *one == other[1..],
        _ => false,
    }
}

/// The text with everything replaced that the eye takes for something else, and without what it does not see.
fn skeleton(text: &str) -> String {
    nfc(text).chars().filter(|&c| !is_invisible(c)).map(plain).collect()
}

fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{2069}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}'
    )
}

fn plain(c: char) -> char {
    const LATIN: &str = "ABEKMHOPCTXYaeopcyxsij";
    const CYRILLIC: &str = "АВЕКМНОРСТХУаеорсухѕіј";
    const GREEK: &str = "ABEZHIKMNOPTYXov";
    const GREEK_LETTERS: &str = "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧον";
    match c {
        _ if c.is_whitespace() => ' ',
        '\u{2018}' | '\u{2019}' | '\u{201B}' | '\u{2032}' | '\u{2BC}' | '\u{2BB}' | '\u{2B9}' | '`'
        | '\u{B4}' | '\u{FF07}' => '\'',
        '\u{201C}'..='\u{201F}' | '\u{2033}' => '"',
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{FE63}' | '\u{FF0D}' => '-',
        '\u{2024}' => '.',
        _ => {
            let find = |looks: &str, like: &str| {
                looks.chars().position(|look| look == c).and_then(|at| like.chars().nth(at))
            };
            find(CYRILLIC, LATIN).or_else(|| find(GREEK_LETTERS, GREEK)).unwrap_or(c)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_looks_alike_is_spelled_and_what_does_not_is_not() {
        let apart = |one: &str, other: &str| told_apart(one, other);
        let pair = |one: &str, other: &str| (one.to_string(), other.to_string());
        assert_eq!(apart("10\u{A0}000", "10 000"), pair("10<U+00A0>000", "10<U+0020>000"));
        assert_eq!(apart("don\u{2019}t", "don't"), pair("don<U+2019>t", "don<U+0027>t"));
        assert_eq!(apart("cafe\u{301}", "caf\u{E9}"), pair("caf<U+0065><U+0301>", "caf<U+00E9>"));
        assert_eq!(apart("a\u{200B}b", "ab"), pair("a<U+200B>b", "ab"));
        assert_eq!(apart("сat", "cat"), pair("<U+0441>at", "<U+0063>at"));
        assert_eq!(apart("goat", "goats"), pair("goat", "goats"));
        assert_eq!(apart("goat", "goat"), pair("goat", "goat"));
        assert_eq!(apart("", "\u{200B}"), pair("", "<U+200B>"));
    }

    #[test]
    fn words_that_were_meant_are_found_nearest_first() {
        let known = ["The", "the", "goat", "goats", "don’t", "é"];
        assert_eq!(meant("don't", known), ["don’t"]);
        assert_eq!(meant("THE", known), ["The", "the"]);
        assert_eq!(meant("gaot", known), ["goat"]);
        assert_eq!(meant("tha", ["the", "a"]), ["the"]);
        assert_eq!(meant("goat", ["goats", "boat", "goats"]), ["goats", "boat"]);
        assert_eq!(meant("e\u{301}", known), ["é"]);
        assert_eq!(meant("of", ["or", "on"]), [""; 0]);
        assert_eq!(meant("xyz", known), [""; 0]);
    }

    /// All strings that are one edit away from `word`, by making them.
    fn edits(word: &str) -> Vec<String> {
        let letters: Vec<char> = word.chars().collect();
        let mut found = Vec::new();
        for at in 0..=letters.len() {
            for c in ['a', 'b', 'c'] {
                let mut with = letters.clone();
                with.insert(at, c);
                found.push(with);
                if at < letters.len() {
                    let mut other = letters.clone();
                    other[at] = c;
                    found.push(other);
                }
            }
            if at < letters.len() {
                let mut without = letters.clone();
                without.remove(at);
                found.push(without);
            }
            if at + 1 < letters.len() {
                let mut exchanged = letters.clone();
                exchanged.swap(at, at + 1);
                found.push(exchanged);
            }
        }
        found.into_iter().map(|letters| letters.into_iter().collect()).collect()
    }

    proptest! {
        #[test]
        fn one_edit_is_what_one_edit_makes(one in "[abc]{0,5}", other in "[abc]{0,5}") {
            prop_assume!(one != other);
            prop_assert_eq!(is_one_edit(&one, &other), edits(&one).contains(&other));
        }

        #[test]
        fn different_strings_are_told_apart(one in "[a'’ \u{A0}\u{200B}éе]{0,6}", other in "[a'’ \u{A0}\u{200B}éе]{0,6}") {
            let (shown, other_shown) = told_apart(&one, &other);
            prop_assert_eq!(shown == other_shown, one == other);
            if one != other {
                prop_assert!(!looks_like(&shown, &other_shown), "{} {}", shown, other_shown);
            }
        }
    }
}
