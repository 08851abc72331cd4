//! Labels inside labels: a backslash takes a character's meaning away.

use crate::Text;

/// The character that takes the next one's meaning away.
const ESCAPE: char = '\\';

/// `label` with a backslash before each backslash and each of `special`.
pub(super) fn escape(label: &Text, special: &[char]) -> Text {
    let meant = |c: char| c == ESCAPE || special.contains(&c);
    if !label.contains(meant) {
        return label.clone();
    }
    let mut escaped = String::with_capacity(label.len() + 4);
    for c in label.chars() {
        if meant(c) {
            escaped.push(ESCAPE);
        }
        escaped.push(c);
    }
    escaped.into()
}

/// What [`escape`] was given. A backslash at the very end stands for itself.
pub(super) fn unescape(escaped: &str) -> Text {
    if !escaped.contains(ESCAPE) {
        return escaped.into();
    }
    let mut label = String::with_capacity(escaped.len());
    let mut chars = escaped.chars();
    while let Some(c) = chars.next() {
        label.push(if c == ESCAPE { chars.next().unwrap_or(ESCAPE) } else { c });
    }
    label.into()
}

/// The pieces of `escaped` between separators that are not escaped; still escaped themselves.
pub(super) fn split<'a>(escaped: &'a str, separators: &'a [char]) -> impl Iterator<Item = &'a str> {
    let mut rest = Some(escaped);
    std::iter::from_fn(move || {
        let text = rest?;
        let cut = first_separator(text, separators);
        rest = cut.map(|(at, width)| &text[at + width..]);
        Some(cut.map_or(text, |(at, _)| &text[..at]))
    })
}

/// Byte offset and width of the first separator that is not escaped.
fn first_separator(text: &str, separators: &[char]) -> Option<(usize, usize)> {
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        if c == ESCAPE {
            chars.next();
        } else if separators.contains(&c) {
            return Some((at, c.len_utf8()));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn joined_labels_are_split_into_what_was_joined(labels in prop::collection::vec("[+@\\\\|aé]{0,4}", 1..5)) {
            let labels: Vec<Text> = labels.into_iter().map(Text::from).collect();
            let escaped: Vec<Text> = labels.iter().map(|label| escape(label, &['+', '|'])).collect();
            let joined = escaped.join("+");
            let back: Vec<Text> = split(&joined, &['+']).map(unescape).collect();
            prop_assert_eq!(back, labels);
        }
    }
}
