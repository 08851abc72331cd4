//! How wide a text is: in cells of a terminal, or in pixels without a font.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Width in cells of a terminal.
pub(crate) fn cells(text: &str) -> i64 {
    to_units(text.width())
}

/// Width in pixels at `size` pixels per em, estimated from classes of characters and rather too large.
pub(crate) fn pixels(text: &str, size: i64) -> i64 {
    let thousandths: i64 = text.chars().map(thousandths_of_em).sum();
    (thousandths * size + 999) / 1000
}

/// Typical advance width of a sans-serif face in thousandths of an em.
fn thousandths_of_em(c: char) -> i64 {
    match c {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ';' | ':' | '\'' | '|' | '!' | ' ' | '·' => 320,
        'f' | 'r' | 't' | '(' | ')' | '[' | ']' | '-' | '/' | '"' => 420,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '—' | '…' => 960,
        'A'..='Z' => 720,
        ' '..='~' => 610,
        // Indic and South-East Asian letters are broad, and their vowel signs may take room of their own.
        '\u{900}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' => 350 + 400 * c.width().unwrap_or(0).min(1) as i64,
        // Arabic presentation forms of one letter may be long at the end of a word.
        '\u{600}'..='\u{7ff}' => 680 * c.width().unwrap_or(0) as i64,
        _ => match c.width() {
            None | Some(0) => 0,
            Some(1) => 680,
            Some(n) => 540 * n as i64,
        },
    }
}

/// The longest beginning of `text` that fits into `width` cells, with an ellipsis if something is missing.
pub(crate) fn clip(text: &str, width: usize, ellipsis: &str) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let Some(room) = width.checked_sub(ellipsis.width()) else { return String::new() };
    let mut used = 0;
    let mut clipped: String = text
        .chars()
        .take_while(|c| {
            used += c.width().unwrap_or(0);
            used <= room
        })
        .collect();
    clipped.push_str(ellipsis);
    clipped
}

/// A count as a coordinate. Pictures are far smaller than the type.
pub(crate) fn to_units(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX / 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_characters_count_twice_and_combining_marks_not_at_all() {
        assert_eq!(cells("日本"), 4);
        assert_eq!(cells("e\u{301}"), 1);
        assert_eq!(pixels("日本", 10), 22);
        assert_eq!(pixels("e\u{301}", 100), pixels("e", 100));
        assert!(pixels("will", 100) < pixels("mown", 100));
    }

    #[test]
    fn clipping_never_exceeds_the_width() {
        assert_eq!(clip("日本語", 5, "…"), "日本…");
        assert_eq!(clip("日本語", 4, "…"), "日…");
        assert_eq!(clip("abc", 3, "…"), "abc");
        assert_eq!(clip("abc", 0, "…"), "");
    }
}
