//! In which direction a sentence is written.

use unicode_bidi::{BidiClass, bidi_class};

/// Whether a sentence of these forms runs from right to left.
///
/// Each word votes with its first strong character, so that one Latin name at the beginning does not turn
/// an Arabic sentence around; a draw is decided by the first voter.
pub(crate) fn is_rtl<'a>(forms: impl IntoIterator<Item = &'a str>) -> bool {
    let votes: Vec<bool> = forms.into_iter().filter_map(first_strong).collect();
    let n_rtl = votes.iter().filter(|&&rtl| rtl).count();
    let n_ltr = votes.len() - n_rtl;
    n_rtl > n_ltr || (n_rtl == n_ltr && votes.first().copied().unwrap_or(false))
}

/// Whether any character of `text` is written from right to left.
pub(crate) fn has_rtl(text: &str) -> bool {
    text.chars().any(|c| strong(c) == Some(true))
}

/// `text` in marks that keep its direction to itself, if it needs them.
pub(crate) fn isolated(text: &str) -> String {
    if has_rtl(text) { format!("\u{2068}{text}\u{2069}") } else { text.to_owned() }
}

fn first_strong(form: &str) -> Option<bool> {
    form.chars().find_map(strong)
}

fn strong(c: char) -> Option<bool> {
    match bidi_class(c) {
        BidiClass::L => Some(false),
        BidiClass::R | BidiClass::AL => Some(true),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_words_decide_and_the_first_breaks_a_draw() {
        assert!(!is_rtl(["the", "cat"]));
        assert!(is_rtl(["COVID", "في", "مصر", "."]));
        assert!(is_rtl(["שלום", "world"]));
        assert!(!is_rtl(["hello", "שלום"]));
        assert!(!is_rtl(["1", "."]));
        assert!(!is_rtl([]));
    }
}
