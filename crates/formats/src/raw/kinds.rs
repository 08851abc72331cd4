//! What a character is to the tokeniser.

use super::marks::is_mark;
use super::table::{self, Script};
use std::sync::LazyLock;

/// The kinds of characters that rules speak of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CharacterKind {
    /// Separates tokens and is in none.
    Space,
    Letter,
    Digit,
    /// Belongs to the character before it.
    Mark,
    /// A letter of a script without spaces.
    Unspaced(Script),
    Apostrophe,
    Hyphen,
    Quote,
    Opening,
    Closing,
    /// Ends a sentence; `true` if wherever it stands.
    End(bool),
    Emoji,
    /// Any other mark or symbol.
    Other,
}

/// White space, and the zero-width space that Khmer and Thai writers put between words.
pub(super) fn is_space(char: char) -> bool {
    char.is_whitespace() || char == '\u{200B}'
}

pub(super) fn kind(char: char) -> CharacterKind {
    /// Looked up once, because most text has spaces and punctuation in ASCII.
    static ASCII: LazyLock<[CharacterKind; 128]> =
        LazyLock::new(|| std::array::from_fn(|code| kind_from_lists(char::from(code as u8))));
    match char {
        'a'..='z' | 'A'..='Z' => CharacterKind::Letter,
        _ if char.is_ascii() => ASCII[char as usize],
        _ => kind_from_lists(char),
    }
}

fn kind_from_lists(char: char) -> CharacterKind {
    match char {
        '_' => CharacterKind::Letter,
        _ if is_space(char) => CharacterKind::Space,
        _ if is_mark(char) && unspaced(char).is_none() => CharacterKind::Mark,
        _ => listed(char).unwrap_or_else(|| unlisted(char)),
    }
}

/// The kind of a character that stands in one of the lists.
fn listed(char: char) -> Option<CharacterKind> {
    let lists = [
        (table::ENDS_BEFORE_SPACE, CharacterKind::End(false)),
        (table::OPENING, CharacterKind::Opening),
        (table::CLOSING, CharacterKind::Closing),
        (table::QUOTES, CharacterKind::Quote),
        (table::APOSTROPHES, CharacterKind::Apostrophe),
        (table::HYPHENS, CharacterKind::Hyphen),
        (table::LIKE_MARKS, CharacterKind::Mark),
        (table::OTHER_MARKS, CharacterKind::Other),
    ];
    // Letters are in no list, and most characters are letters.
    if char.is_alphabetic() {
        return None;
    }
    let found = lists.iter().find(|(list, _)| list.contains(char)).map(|&(_, kind)| kind);
    found.or_else(|| {
        table::ENDS.iter().any(|(_, list)| list.contains(char)).then_some(CharacterKind::End(true))
    })
}

fn unlisted(char: char) -> CharacterKind {
    match unspaced(char) {
        Some(script) if !char.is_numeric() || script == Script::Han => CharacterKind::Unspaced(script),
        _ if char.is_numeric() => CharacterKind::Digit,
        _ if char.is_alphabetic() => CharacterKind::Letter,
        _ if is_within(char, table::EMOJI.iter().copied()) => CharacterKind::Emoji,
        _ => CharacterKind::Other,
    }
}

fn unspaced(char: char) -> Option<Script> {
    let code = u32::from(char);
    // The first of these scripts is Thai.
    let mut scripts = table::WITHOUT_SPACES.iter().filter(|_| code >= 0xE00);
    scripts.find(|(_, first, last)| (*first..=*last).contains(&code)).map(|&(script, ..)| script)
}

fn is_within(char: char, mut ranges: impl Iterator<Item = (u32, u32)>) -> bool {
    ranges.any(|(first, last)| (first..=last).contains(&u32::from(char)))
}

/// Whether a letter is one with which no sentence starts.
pub(super) fn is_small(char: char) -> bool {
    let (first, last) = table::NOT_SMALL;
    char.is_lowercase() && !(first..=last).contains(&char)
}

/// Whether a letter belongs to a script that has capitals and small letters, in the use that counts here.
pub(super) fn has_case(char: char) -> bool {
    char.is_uppercase() || is_small(char)
}

/// The kind of the first character; a space at the end of the text.
pub(super) fn first_kind(text: &str) -> CharacterKind {
    text.chars().next().map_or(CharacterKind::Space, kind)
}

/// Whether a character can be inside a word written with spaces.
pub(super) fn is_word_char(char: char) -> bool {
    matches!(kind(char), CharacterKind::Letter | CharacterKind::Digit | CharacterKind::Mark)
}

/// Whether a character is a letter or digit of any script.
pub(super) fn is_letter_or_digit(char: char) -> bool {
    matches!(kind(char), CharacterKind::Letter | CharacterKind::Digit | CharacterKind::Unspaced(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_of_many_scripts_have_the_expected_kinds() {
        for char in "aŋɓʔʼʻяأअಕ한ሀᏣԱა".chars() {
            assert_eq!(kind(char), CharacterKind::Letter, "{char}");
        }
        for char in "09٣३๓५½²".chars() {
            assert_eq!(kind(char), CharacterKind::Digit, "{char}");
        }
        for char in "。！？।॥؟۔።།။។".chars() {
            assert_eq!(kind(char), CharacterKind::End(true), "{char}");
        }
        for (char, script) in [('中', Script::Han), ('〇', Script::Han), ('ひ', Script::Hiragana)] {
            assert_eq!(kind(char), CharacterKind::Unspaced(script));
        }
        for (char, script) in [('ก', Script::Thai), ('่', Script::Thai), ('་', Script::Tibetan)] {
            assert_eq!(kind(char), CharacterKind::Unspaced(script));
        }
        assert_eq!(kind('\u{301}'), CharacterKind::Mark);
        assert_eq!(kind('\u{200D}'), CharacterKind::Mark);
        assert_eq!(kind('😀'), CharacterKind::Emoji);
        assert_eq!(kind('、'), CharacterKind::Other);
        assert_eq!(kind('\0'), CharacterKind::Other);
    }
}
