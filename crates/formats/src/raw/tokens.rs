//! A paragraph becomes tokens, with the places where sentences start.

use super::ends::Ends;
use super::kinds::{CharacterKind, first_kind, is_space, kind};
use super::rules::TokenRules;
use super::spot::{Before, Spot};
use super::{addresses, pictures, table, words};
use std::ops::Range;

/// A token of a paragraph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FoundToken {
    /// The bytes of the paragraph that it covers.
    pub(super) range: Range<usize>,
    /// Whether a space follows that is seen, or the end of the text.
    pub(super) has_space_after: bool,
    /// Whether a sentence starts with it.
    pub(super) starts_sentence: bool,
    /// Whether a single quotation mark was open before it.
    pub(super) is_quoted: bool,
}

/// The tokens of a paragraph, or of the rest of one after `before`. Every character that is no space is in
/// exactly one of them, and they are in the order of the text. Time is linear in the length of the text.
pub(super) fn tokens(text: &str, before: Before, rules: &TokenRules) -> Vec<FoundToken> {
    let mut found: Vec<FoundToken> = Vec::new();
    let mut ends = Ends::default();
    let mut is_quoted = before.is_quoted;
    let mut chunk = next_chunk(text, 0);
    while let Some((first, last)) = chunk {
        chunk = next_chunk(text, last);
        let is_last_chunk = chunk.is_none();
        let mut start = first;
        while start < last {
            let (before_text, chunk) = (before.last, (first, last));
            let spot = Spot { text, before_text, chunk, is_last_chunk, start, is_quoted };
            let (length, is_word) = token(&spot, rules);
            let starts_sentence = ends.starts_sentence(&spot, length) || found.is_empty();
            let range = start..start + length;
            let cuts = if is_word { rules.cuts(&text[range.clone()]) } else { Vec::new() };
            let whole = FoundToken { range, has_space_after: false, starts_sentence, is_quoted };
            push_pieces(&mut found, &whole, &cuts);
            is_quoted = quote_after(&spot, length, is_quoted && !starts_sentence);
            start += length;
        }
        let next = chunk.map_or(text.len(), |(first, _)| first);
        if let Some(token) = found.last_mut() {
            token.has_space_after = is_last_chunk || text[last..next].contains(char::is_whitespace);
        }
    }
    found
}

/// Where the next chunk starts and ends.
fn next_chunk(text: &str, from: usize) -> Option<(usize, usize)> {
    let first = from + text[from..].find(|char| !is_space(char))?;
    let last = text[first..].find(is_space).map_or(text.len(), |length| first + length);
    Some((first, last))
}

/// The length of the token that starts here, and whether it is a word.
fn token(spot: &Spot<'_>, rules: &TokenRules) -> (usize, bool) {
    let (rest, before) = (spot.rest(), spot.before());
    let whole = addresses::url(rest)
        .or_else(|| addresses::mail(rest))
        .or_else(|| addresses::name_or_tag(rest, before))
        .or_else(|| pictures::emoticon(rest, before))
        .or_else(|| pictures::emoji(rest));
    if let Some(length) = whole {
        return (with_marks(rest, length), false);
    }
    match words::word(spot, rules) {
        Some(length) => (with_marks(rest, length), true),
        None => (with_marks(rest, unspaced_or_marks(rest)), false),
    }
}

/// A token takes along the combining marks after it.
fn with_marks(rest: &str, length: usize) -> usize {
    let after = &rest[length..];
    length + after.find(|char| kind(char) != CharacterKind::Mark).unwrap_or(after.len())
}

/// One Han character, a run of another script without spaces, a run of the same mark, or one bracket or
/// quotation mark.
fn unspaced_or_marks(rest: &str) -> usize {
    let Some(first) = rest.chars().next() else { return 0 };
    let is_in_run = |char: char| match kind(first) {
        CharacterKind::Unspaced(table::Script::Han)
        | CharacterKind::Opening
        | CharacterKind::Closing
        | CharacterKind::Emoji => false,
        CharacterKind::Unspaced(_) => kind(char) == kind(first) || kind(char) == CharacterKind::Mark,
        CharacterKind::Quote if first != '`' => false,
        _ => char == first,
    };
    let after = &rest[first.len_utf8()..];
    first.len_utf8() + after.find(|char| !is_in_run(char)).unwrap_or(after.len())
}

/// Whether a single quotation mark is open after this token.
fn quote_after(spot: &Spot<'_>, length: usize, is_quoted: bool) -> bool {
    let token = &spot.rest()[..length];
    let is_mark = first_kind(token) == CharacterKind::Apostrophe && token.chars().nth(1).is_none();
    let is_opening = spot
        .before()
        .is_none_or(|before| matches!(kind(before), CharacterKind::Opening | CharacterKind::Quote));
    match token {
        "‚" => true,
        _ if is_mark => is_opening && length < spot.rest().len(),
        _ => is_quoted,
    }
}

fn push_pieces(found: &mut Vec<FoundToken>, token: &FoundToken, cuts: &[usize]) {
    let mut from = 0;
    for &to in cuts.iter().chain([&token.range.len()]) {
        let range = token.range.start + from..token.range.start + to;
        let starts_sentence = token.starts_sentence && from == 0;
        found.push(FoundToken { range, starts_sentence, ..token.clone() });
        from = to;
    }
}
