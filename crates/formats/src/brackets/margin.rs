//! Whether the lines of a tree that does not end are trees of their own.
//!
//! Trees may be spread over lines, and a line that starts with a bracket may belong to the tree before it. Where
//! a tree lacks a closing bracket, everything that follows would belong to it. So the lines of an open tree are
//! kept, up to [`LONGEST`], and when it does not end they are looked at once more: if most pieces that start at
//! the margin balance by themselves, they are trees.

use super::{bracket_depths, escapes_balance};
use crate::Problem;
use tree::Text;

/// A tree of more bytes is believed to be one.
const LONGEST: usize = 1 << 20;

/// A line and what is wrong with its bytes.
#[derive(Debug)]
pub(super) struct Seen {
    pub(super) number: u32,
    pub(super) line: String,
    pub(super) problems: Vec<Problem>,
}

/// The lines of the tree that is open, from the one that opened it.
#[derive(Debug, Default)]
pub(super) struct Passage {
    lines: Vec<Seen>,
    n_bytes: usize,
    /// Problems and comments that were there before.
    before: (usize, usize),
}

impl Passage {
    /// Starts anew with a line outside of any tree.
    pub(super) fn start(&mut self, seen: &Seen, problems: &[Problem], comments: &[Text]) {
        self.clear();
        self.before = (problems.len(), comments.len());
        self.push(seen);
    }

    /// Goes on with a line inside a tree, unless its beginning is no longer known.
    pub(super) fn go_on(&mut self, seen: &Seen) {
        if !self.lines.is_empty() {
            self.push(seen);
        }
    }

    /// What is wrong with the end of the file belongs to its last line.
    pub(super) fn end(&mut self, problems: &[Problem]) {
        if let Some(last) = self.lines.last_mut() {
            last.problems.extend_from_slice(problems);
        }
    }

    pub(super) fn clear(&mut self) {
        self.lines.clear();
        self.n_bytes = 0;
    }

    pub(super) fn is_full(&self) -> bool {
        self.n_bytes > LONGEST
    }

    /// The lines to be read once more.
    pub(super) fn take(self, problems: &mut Vec<Problem>, comments: &mut Vec<Text>) -> Vec<Seen> {
        problems.truncate(self.before.0);
        comments.truncate(self.before.1);
        self.lines
    }

    /// Whether the first piece has a constituent in it, and most pieces after it balance.
    ///
    /// A piece starts at the margin. The last one is left out where the passage was cut off.
    pub(super) fn is_of_trees(&self) -> bool {
        let starts: Vec<usize> = (0..self.lines.len()).filter(|&at| at == 0 || self.at_margin(at)).collect();
        let ends = starts.iter().skip(1).copied().chain([self.lines.len()]);
        let mut pieces: Vec<&[Seen]> =
            starts.iter().zip(ends).map(|(&start, end)| &self.lines[start..end]).collect();
        if self.is_full() {
            pieces.pop();
        }
        let Some((first, others)) = pieces.split_first() else { return false };
        let n_balanced = others.iter().filter(|piece| balances(piece)).count();
        first.iter().any(|seen| seen.line.contains(')')) && n_balanced * 2 > others.len()
    }

    fn at_margin(&self, at: usize) -> bool {
        self.lines[at].line.starts_with('(')
    }

    fn push(&mut self, seen: &Seen) {
        self.n_bytes += seen.line.len() + 1;
        self.lines.push(Seen {
            number: seen.number,
            line: seen.line.clone(),
            problems: seen.problems.clone(),
        });
    }
}

/// Whether every bracket of a piece is closed in it, and nothing else is.
fn balances(piece: &[Seen]) -> bool {
    let mut depth = 0;
    for seen in piece {
        let (change, lowest) = bracket_depths(&seen.line, escapes_balance(&seen.line));
        if depth + lowest < 0 {
            return false;
        }
        depth += change;
    }
    depth == 0
}
