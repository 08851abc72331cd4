//! Text that has to fit.

use crate::measure::pixels;

const ELLIPSIS: &str = "…";

/// Width in pixels at `size` pixels per em, rather too large.
pub(super) fn width(text: &str, size: i64) -> f64 {
    pixels(text, size) as f64
}

/// The longest beginning of `text` that fits, with an ellipsis if something is missing.
pub(super) fn fit(text: &str, room: f64, size: i64) -> String {
    if width(text, size) <= room {
        return text.to_owned();
    }
    let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    let fits = |&end: &usize| width(&text[..end], size) + width(ELLIPSIS, size) <= room;
    let end = ends[..ends.partition_point(fits)].last().copied().unwrap_or(0);
    format!("{}{ELLIPSIS}", text[..end].trim_end())
}

/// `text` in lines that fit, broken between words where possible; the last of `n_lines` is cut.
pub(super) fn wrap(text: &str, room: f64, size: i64, n_lines: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let is_last = lines.len() == n_lines;
        match lines.last_mut() {
            Some(line) if is_last || width(line, size) + width(" ", size) + width(word, size) <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.iter().map(|line| fit(line, room, size)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_does_not_fit_is_cut_with_an_ellipsis() {
        assert_eq!(fit("likelihood", 1000.0, 12), "likelihood");
        let cut = fit("likelihood of the corpus", 80.0, 12);
        assert!(cut.ends_with('…') && width(&cut, 12) <= 80.0 && cut.starts_with("likel"), "{cut}");
        assert_eq!(fit("abc", 0.0, 12), "…");
    }

    #[test]
    fn lines_break_between_words_and_the_last_is_cut() {
        let lines = wrap("one two three four five six", 60.0, 12, 2);
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0], "one two");
        assert!(lines[1].ends_with('…'));
        assert!(wrap("  ", 60.0, 12, 2).is_empty());
    }
}
