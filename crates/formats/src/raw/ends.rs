//! Where sentences end.

use super::kinds::{CharacterKind, first_kind, is_letter_or_digit, is_small};
use super::pictures;
use super::spot::Spot;
use super::table::ENDS_AFTER;

/// How far ahead the first letter of the next sentence is looked for, in characters.
const OPENINGS: usize = 16;

/// What was seen of the end of a sentence: a mark that ends it, and the brackets and quotation marks after it.
#[derive(Debug, Default)]
pub(super) struct Ends {
    seen: Option<SentenceEnd>,
    /// Whether the sentence up to now is one number of at most three digits: the number of an item in a list.
    is_item: bool,
    /// Whether any token was seen.
    has_begun: bool,
}

#[derive(Clone, Copy, Debug)]
struct SentenceEnd {
    /// Whether the mark ends a sentence without a space after it.
    is_free: bool,
}

impl Ends {
    /// Whether a new sentence starts with the token of `length` bytes at `spot`, after the tokens for which
    /// this was asked before.
    pub(super) fn starts_sentence(&mut self, spot: &Spot<'_>, length: usize) -> bool {
        let token = &spot.rest()[..length];
        let end = self.end(token, spot);
        let goes_on = end.is_some() || is_closing(spot, length);
        let starts = self.seen.is_some_and(|seen| !goes_on && is_beginning(spot, seen));
        let is_free = |seen: SentenceEnd| seen.is_free || self.seen.is_some_and(|before| before.is_free);
        self.seen = match end {
            Some(seen) => Some(SentenceEnd { is_free: is_free(seen) }),
            None => self.seen.filter(|_| goes_on),
        };
        let is_first = !std::mem::replace(&mut self.has_begun, true);
        self.is_item = (starts || is_first) && is_number(token);
        starts
    }

    fn end(&self, token: &str, spot: &Spot<'_>) -> Option<SentenceEnd> {
        let is_mark = !token.contains(is_letter_or_digit);
        match first_kind(token) {
            CharacterKind::End(_) if self.is_item && token == "." => None,
            CharacterKind::End(is_free) if is_mark => Some(SentenceEnd { is_free }),
            _ => ends_after(token, spot.before()?).then_some(SentenceEnd { is_free: false }),
        }
    }
}

fn is_number(token: &str) -> bool {
    token.len() <= 3 && token.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a mark ends a sentence because of the letter before it.
fn ends_after(token: &str, before: char) -> bool {
    let is_this = |&(mark, first, last): &(char, char, char)| {
        token.chars().eq([mark]) && (first..=last).contains(&before)
    };
    ENDS_AFTER.iter().any(is_this)
}

/// Whether a token belongs to the sentence that ended before it: a closing bracket, a picture, or a quotation
/// mark that touches what stands before it or is followed by a space.
fn is_closing(spot: &Spot<'_>, length: usize) -> bool {
    let (token, after) = spot.rest().split_at(length);
    let is_free = !after.starts_with(is_letter_or_digit);
    match first_kind(token) {
        CharacterKind::Closing | CharacterKind::Emoji => true,
        CharacterKind::Quote | CharacterKind::Apostrophe if !token.contains(is_letter_or_digit) => {
            let may_stand_alone = matches!(token, "»" | "”" | "›" | "’" | "''");
            is_free && (spot.before().is_some() || may_stand_alone)
        }
        _ => pictures::emoticon(spot.rest(), spot.before()).is_some(),
    }
}

/// Whether what starts here can be the beginning of a sentence: after a space, and no small letter comes
/// first.
fn is_beginning(spot: &Spot<'_>, seen: SentenceEnd) -> bool {
    let first = spot.ahead(4 * OPENINGS).chars().take(OPENINGS).find(|&char| is_letter_or_digit(char));
    let is_small = first.is_some_and(is_small);
    (seen.is_free || spot.before().is_none()) && !is_small
}
