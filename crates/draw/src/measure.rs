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

/// `text` in lines of at most this width, broken at spaces; a word that is wider has a line of its own.
/// Where a line ends between two marks that isolate a direction, they are closed there and opened again.
pub(crate) fn wrap(text: &str, most: i64, width: impl Fn(&str) -> i64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if width(line) + width(" ") + width(word) <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    let mut is_open = false;
    for line in &mut lines {
        let begins_open = is_open;
        is_open = ends_isolated(line, begins_open);
        if begins_open {
            line.insert(0, '\u{2068}');
        }
        if is_open {
            line.push('\u{2069}');
        }
    }
    lines
}

fn ends_isolated(line: &str, begins_isolated: bool) -> bool {
    let mut marks = line.chars().filter(|c| matches!(c, '\u{2068}' | '\u{2069}'));
    marks.next_back().map_or(begins_isolated, |mark| mark == '\u{2068}')
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
    fn lines_are_broken_at_spaces() {
        assert_eq!(wrap("one two three 日本語日本語 x", 7, cells), ["one two", "three", "日本語日本語", "x"]);
        assert_eq!(wrap("", 7, cells), [""]);
        assert_eq!(wrap("a \u{2068}ש ש ש\u{2069}", 5, cells), ["a \u{2068}ש ש\u{2069}", "\u{2068}ש\u{2069}"]);
    }

    #[test]
    fn clipping_never_exceeds_the_width() {
        assert_eq!(clip("日本語", 5, "…"), "日本…");
        assert_eq!(clip("日本語", 4, "…"), "日…");
        assert_eq!(clip("abc", 3, "…"), "abc");
        assert_eq!(clip("abc", 0, "…"), "");
    }
}
