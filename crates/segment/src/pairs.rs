//! Pairs of neighbouring characters that are never torn apart.

use crate::error::Error;
use crate::state::State;
use crate::substrings::Piece;

/// Patterns of two characters between which no boundary may lie.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NoSplit {
    pairs: Vec<(Set, Set)>,
}

/// A set of characters.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Set {
    ranges: Vec<(char, char)>,
    others: bool,
}

impl NoSplit {
    /// Reads patterns, each of two characters, `.` (any) or sets such as `[a-zé]` and `[^0-9]`, divided by `|`. A
    /// backslash makes the next character an ordinary one.
    pub fn parse(pattern: &str) -> Result<NoSplit, Error> {
        let wrong = || Error::Pattern { pattern: pattern.to_owned() };
        let mut rest = pattern.chars();
        let mut pairs = Vec::new();
        loop {
            let (left, right) =
                (read_set(&mut rest).ok_or_else(wrong)?, read_set(&mut rest).ok_or_else(wrong)?);
            pairs.push((left, right));
            match rest.next() {
                None => return Ok(NoSplit { pairs }),
                Some('|') => {}
                Some(_) => return Err(wrong()),
            }
        }
    }

    /// Whether a boundary between two characters is forbidden.
    pub fn matches(&self, left: char, right: char) -> bool {
        self.pairs.iter().any(|(lefts, rights)| lefts.has(left) && rights.has(right))
    }

    /// Whether there are no patterns.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Whether the boundary before letter `at` of a piece is forbidden.
    #[inline]
    pub(crate) fn forbids(&self, state: &State, piece: Piece, at: usize) -> bool {
        if self.pairs.is_empty() {
            return false;
        }
        let letters = state.pieces.letters(piece);
        self.matches(state.letters.character(letters[at - 1]), state.letters.character(letters[at]))
    }
}

impl Set {
    fn has(&self, character: char) -> bool {
        self.ranges.iter().any(|&(from, to)| (from..=to).contains(&character)) != self.others
    }
}

fn read_set(rest: &mut std::str::Chars<'_>) -> Option<Set> {
    let one = |character| Set { ranges: vec![(character, character)], others: false };
    match rest.next()? {
        '.' => Some(Set { ranges: Vec::new(), others: true }),
        '\\' => rest.next().map(one),
        '[' => read_ranges(rest),
        ']' | '|' => None,
        character => Some(one(character)),
    }
}

fn read_ranges(rest: &mut std::str::Chars<'_>) -> Option<Set> {
    let mut set = Set { ranges: Vec::new(), others: false };
    if rest.as_str().starts_with('^') {
        set.others = true;
        rest.next();
    }
    loop {
        let from = match rest.next()? {
            ']' => return (!set.ranges.is_empty()).then_some(set),
            '\\' => rest.next()?,
            character => character,
        };
        let mut ahead = rest.clone();
        let to = match (ahead.next(), ahead.next()) {
            (Some('-'), Some(to)) if to != ']' => {
                *rest = ahead;
                to
            }
            _ => from,
        };
        if to < from {
            return None;
        }
        set.ranges.push((from, to));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_say_what_is_never_torn_apart() {
        let pattern = NoSplit::parse(r"[0-9][^a-z-]|qu|.\.").unwrap();
        for (left, right, expected) in [
            ('7', '3', true),
            ('7', 'b', false),
            ('7', '-', false),
            ('q', 'u', true),
            ('q', 'i', false),
            ('é', '.', true),
        ] {
            assert_eq!(pattern.matches(left, right), expected, "{left}{right}");
        }
    }

    #[test]
    fn what_is_no_pattern_is_refused() {
        for wrong in ["", "a", "abc", "[a", "[]b", "[z-a]b", "ab|", r"a\"] {
            assert!(NoSplit::parse(wrong).is_err(), "{wrong}");
        }
    }
}
