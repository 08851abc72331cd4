//! Emoji with all that modifies them, and faces typed with punctuation.

use super::kinds::{CharacterKind, is_letter_or_digit, kind};
use super::table::{EMOTICON_STARTS, EMOTICONS};

const JOINER: char = '\u{200D}';

/// The length of an emoji sequence: pictures joined by U+200D, each with skin tones, variation selectors and
/// tags; or a flag of two letters.
pub(super) fn emoji(rest: &str) -> Option<usize> {
    let mut chars = rest.char_indices().peekable();
    let (_, first) = chars.next()?;
    let is_flag = is_flag_letter(first);
    if !is_flag && kind(first) != CharacterKind::Emoji {
        return None;
    }
    if is_flag {
        chars.next_if(|&(_, char)| is_flag_letter(char));
    }
    let mut is_joined = false;
    while let Some((_, char)) = chars.next_if(|&(_, char)| modifies(char) || (is_joined && is_picture(char)))
    {
        is_joined = char == JOINER;
    }
    Some(chars.peek().map_or(rest.len(), |&(at, _)| at))
}

fn is_picture(char: char) -> bool {
    // The signs for man and woman that follow a joiner are among the pictures.
    kind(char) == CharacterKind::Emoji || is_flag_letter(char)
}

fn is_flag_letter(char: char) -> bool {
    ('\u{1F1E6}'..='\u{1F1FF}').contains(&char)
}

fn modifies(char: char) -> bool {
    let is_tone = ('\u{1F3FB}'..='\u{1F3FF}').contains(&char);
    let is_tag = ('\u{E0020}'..='\u{E007F}').contains(&char);
    is_tone || is_tag || kind(char) == CharacterKind::Mark
}

/// The length of the longest face at the beginning of `rest`. A face of letters only counts between spaces;
/// the others may touch a word before them, but not a number, and nothing follows them but punctuation.
pub(super) fn emoticon(rest: &str, before: Option<char>) -> Option<usize> {
    if !rest.starts_with(|first| EMOTICON_STARTS.contains(first)) {
        return None;
    }
    let faces = EMOTICONS.iter().filter(|face| rest.starts_with(**face));
    let length = faces.map(|face| face.len()).max()?;
    let has_end = !rest[length..].starts_with(is_letter_or_digit) && !rest[length..].starts_with('/');
    let has_start = match before.map(kind) {
        None => true,
        Some(CharacterKind::Letter) => rest.starts_with([':', ';', '=']) && rest.len() == length,
        Some(kind) => kind != CharacterKind::Digit && !rest.starts_with(is_letter_or_digit),
    };
    (has_start && has_end).then_some(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_emoji_takes_its_modifiers_along_and_no_second_picture() {
        for sequence in ["👩🏽‍🚀", "👨‍👩‍👧", "❤️", "🇩🇪", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "👍🏿"]
        {
            assert_eq!(emoji(sequence), Some(sequence.len()), "{sequence}");
            assert_eq!(emoji(&format!("{sequence}😀x")), Some(sequence.len()), "{sequence}");
        }
        assert_eq!(emoji("🇩🇪🇫🇷"), Some("🇩🇪".len()));
        assert_eq!(emoji("x"), None);
    }

    #[test]
    fn faces_are_told_from_punctuation_by_what_surrounds_them() {
        assert_eq!(emoticon(":-))", None), Some(4));
        assert_eq!(emoticon(":)", Some('s')), Some(2));
        assert_eq!(emoticon(":)", Some('3')), None);
        assert_eq!(emoticon("://x", Some('p')), None);
        assert_eq!(emoticon(":Paul", None), None);
        assert_eq!(emoticon("xDy", None), None);
        for face in EMOTICONS {
            assert_eq!(emoticon(face, None), Some(face.len()), "{face}");
        }
    }
}
