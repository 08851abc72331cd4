//! One way to write each word: Unicode's normal form C.

use std::borrow::Cow;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// The text in normal form C; nearly every text is so already and is not copied.
pub fn nfc(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || is_nfc_quick(text.chars()) == IsNormalized::Yes {
        return Cow::Borrowed(text);
    }
    let normal: String = text.nfc().collect();
    if normal == text { Cow::Borrowed(text) } else { Cow::Owned(normal) }
}

/// Whether a word has letters of at least two of the scripts whose letters look alike: Latin, Greek and Cyrillic.
pub fn mixes_scripts(word: &str) -> bool {
    let script = |c: char| match c {
        'A'..='Z' | 'a'..='z' | '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}' | '\u{F8}'..='\u{24F}' => Some(0),
        '\u{370}'..='\u{373}' | '\u{376}'..='\u{3FF}' | '\u{1F00}'..='\u{1FFF}' => Some(1),
        '\u{400}'..='\u{52F}' => Some(2),
        _ => None,
    };
    let mut scripts = word.chars().filter_map(script);
    let first = scripts.next();
    scripts.any(|script| Some(script) != first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_marks_become_one_character_where_there_is_one() {
        assert_eq!(nfc("cafe\u{301}"), "caf\u{e9}");
        assert!(matches!(nfc("caf\u{e9}"), Cow::Borrowed(_)));
        // There is no such character.
        assert_eq!(nfc("m\u{300}"), "m\u{300}");
        assert_eq!(nfc("\u{1112}\u{1161}\u{11ab}"), "\u{d55c}");
    }

    #[test]
    fn scripts_that_look_alike_are_told_apart() {
        assert!(mixes_scripts("\u{43c}ama"));
        for word in ["мама", "mama", "123", "", "日本go", "é", "ŋ"] {
            assert!(!mixes_scripts(word), "{word}");
        }
    }
}
