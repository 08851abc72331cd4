//! Words and numbers: runs of letters, marks and digits, with what may stand inside and at their edges.

use super::kinds::{CharacterKind, first_kind, has_case, is_letter_or_digit, is_small, is_word_char, kind};
use super::rules::TokenRules;
use super::spot::Spot;
use super::table;

/// How far ahead the closing partner of a single quotation mark is looked for, in bytes.
pub(super) const QUOTED: usize = 300;

/// The length of the word or number that starts here.
pub(super) fn word(spot: &Spot<'_>, rules: &TokenRules) -> Option<usize> {
    let rest = spot.rest();
    let start = match first_kind(rest) {
        CharacterKind::Letter | CharacterKind::Digit | CharacterKind::Mark => 0,
        CharacterKind::Apostrophe => initial_apostrophe(spot)?,
        _ => return None,
    };
    if let Some(length) = rules.listed_with_period(rest).or_else(|| grouped_digits(rest)) {
        return Some(length);
    }
    let mut end = start + run(&rest[start..]);
    let mut segment = start;
    while let Some(inside) = joining(rest, segment, end) {
        if rest[end..].starts_with('.') {
            segment = end + inside;
        }
        end += inside + run(&rest[end + inside..]);
    }
    Some(end + final_mark(spot, end, rules))
}

fn run(rest: &str) -> usize {
    rest.find(|char| !is_word_char(char)).unwrap_or(rest.len())
}

/// Digits in three or more groups with hyphens are a date, a telephone number, an ISBN; two groups are a
/// range or a score and are not taken.
fn grouped_digits(rest: &str) -> Option<usize> {
    let is_part = |byte: &u8| byte.is_ascii_digit() || *byte == b'-';
    let end = rest.bytes().take(32).take_while(is_part).count();
    let groups = &rest[..end];
    let is_whole = groups.split('-').count() > 2 && groups.split('-').all(|group| !group.is_empty());
    (is_whole && !rest[end..].starts_with(is_word_char)).then_some(end)
}

/// The length of the character at `end` if it connects what stands before and after it to one word; the part
/// of the word after its last period starts at `segment`.
fn joining(rest: &str, segment: usize, end: usize) -> Option<usize> {
    let inside = rest[end..].chars().next()?;
    let after = &rest[end + inside.len_utf8()..];
    let next = after.chars().next().filter(|&next| is_word_char(next))?;
    let before = rest[..end].chars().rev().find(|&char| kind(char) != CharacterKind::Mark)?;
    let is_joining = match (kind(before), kind(next)) {
        (CharacterKind::Digit, CharacterKind::Digit) => table::INSIDE_NUMBERS.contains(inside),
        _ if inside == '.' => joins_period(&rest[segment..end], before, after, next),
        _ if inside == ':' => has_case(before) && is_small(next),
        _ if inside == '/' => is_single_letter(&rest[..end]) && is_single_letter(first_segment(after)),
        _ if inside == '"' => is_hebrew(before) && is_hebrew(next),
        _ => is_inside_word(inside),
    };
    is_joining.then_some(inside.len_utf8())
}

fn is_inside_word(char: char) -> bool {
    matches!(kind(char), CharacterKind::Apostrophe | CharacterKind::Hyphen)
        || table::INSIDE_WORDS.contains(char)
}

fn is_hebrew(char: char) -> bool {
    ('\u{5D0}'..='\u{5F2}').contains(&char)
}

/// Periods stay before small letters (example.com), and between single letters (U.S, தி.மு.க).
fn joins_period(segment: &str, before: char, after: &str, next: char) -> bool {
    match is_small(next) {
        true => has_case(before) || before.is_numeric(),
        false => is_single_letter(segment) && is_single_letter(first_segment(after)),
    }
}

/// A letter with its marks and, if it goes on, one character more.
fn first_segment(rest: &str) -> &str {
    let mut n_letters = 0;
    let is_outside = |char: char| {
        n_letters += usize::from(kind(char) != CharacterKind::Mark);
        !is_word_char(char) || n_letters > 2
    };
    &rest[..rest.find(is_outside).unwrap_or(rest.len())]
}

pub(super) fn is_single_letter(text: &str) -> bool {
    let mut letters = text.chars().filter(|&char| kind(char) != CharacterKind::Mark);
    letters.next().is_some_and(char::is_alphabetic) && letters.next().is_none()
}

/// An apostrophe before a letter is part of the word ('tis, 'ohana) unless it is a quotation mark, which has
/// a partner further on.
fn initial_apostrophe(spot: &Spot<'_>) -> Option<usize> {
    let rest = spot.rest();
    let mark = rest.chars().next()?;
    let is_initial = spot.before().is_none_or(|before| !is_letter_or_digit(before));
    let belongs = is_initial && is_joined_to_word(&rest[mark.len_utf8()..]) && !is_closed_later(spot);
    belongs.then_some(mark.len_utf8())
}

fn is_joined_to_word(rest: &str) -> bool {
    matches!(first_kind(rest), CharacterKind::Letter | CharacterKind::Digit)
}

fn is_closed_later(spot: &Spot<'_>) -> bool {
    let ahead = spot.ahead(QUOTED);
    ahead.char_indices().skip(1).any(|(at, char)| {
        kind(char) == CharacterKind::Apostrophe
            && !ahead[..at].ends_with(char::is_whitespace)
            && !ahead[at + char.len_utf8()..].starts_with(is_letter_or_digit)
    })
}

/// The length of a period, apostrophe or hyphen after a word that belongs to it.
fn final_mark(spot: &Spot<'_>, end: usize, rules: &TokenRules) -> usize {
    let (word, after) = spot.rest().split_at(end);
    let Some(mark) = after.chars().next() else { return 0 };
    let next = &after[mark.len_utf8()..];
    let is_last_letter =
        word.ends_with(|char| matches!(kind(char), CharacterKind::Letter | CharacterKind::Mark));
    let belongs = match kind(mark) {
        _ if mark == '.' => !next.starts_with('.') && rules.keeps_period(word, spot.following(end + 1)),
        CharacterKind::Apostrophe => is_last_letter && !spot.is_quoted && !next.starts_with(mark),
        CharacterKind::Hyphen => is_last_letter && next.is_empty() && !spot.is_last(end + mark.len_utf8()),
        _ => false,
    };
    if belongs { mark.len_utf8() } else { 0 }
}
