//! Text that is safe to show: no control characters, no stray direction marks, escaped for XML.

use std::borrow::Cow;

/// `text` without control characters, direction overrides and code points that XML forbids. White space
/// of any kind becomes a plain space, so that a form stays on its line.
pub(crate) fn clean(text: &str) -> String {
    text.chars().filter_map(shown).collect()
}

fn shown(c: char) -> Option<char> {
    match c {
        '\t' | '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => Some(' '),
        _ if c.is_control() => None,
        // Embeddings, overrides and isolates would reach beyond the word they stand in.
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => None,
        '\u{fffe}' | '\u{ffff}' => None,
        _ => Some(c),
    }
}

/// The cleaned column, or nothing if it is not specified.
pub(crate) fn column(text: &str) -> String {
    if text == "_" { String::new() } else { clean(text) }
}

/// `text` as content or attribute value of XML and HTML. The text must be clean.
pub(crate) fn escape(text: &str) -> Cow<'_, str> {
    if !text.contains(['&', '<', '>', '"', '\'']) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(c),
        }
    }
    Cow::Owned(escaped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_and_overrides_are_removed_and_white_space_is_a_space() {
        assert_eq!(clean("a\u{1b}[31m\tb\u{202e}c\u{0}\u{ffff}"), "a[31m bc");
        assert_eq!(column("_"), "");
    }

    #[test]
    fn the_five_special_characters_are_escaped() {
        assert_eq!(escape("<a b=\"c\">'&'"), "&lt;a b=&quot;c&quot;&gt;&#39;&amp;&#39;");
        assert!(matches!(escape("plain"), Cow::Borrowed("plain")));
    }
}
