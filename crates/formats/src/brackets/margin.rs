//! Whether the lines of a tree that does not end are trees of their own.
//!
//! Trees may be spread over lines, and a line that starts with a bracket may belong to the tree before it. Where
//! a tree lacks a closing bracket, everything that follows would belong to it. So the lines of an open tree are
//! kept, up to [`LONGEST`], and when it does not end they are looked at once more: if most pieces that start at
//! the margin balance by themselves, they are trees. So they are when it does end, but only because a later tree has
//! the bracket too many that it lacked: then all pieces start alike, with a label that is nowhere else.

use super::{bracket_depths, escapes_balance};
use crate::Problem;
use tree::Text;

/// A tree of more bytes is believed to be one.
const LONGEST: usize = 1 << 20;

/// A line and what is wrong with its bytes.
#[derive(Debug)]
pub(super) struct SeenLine {
    pub(super) number: u32,
    pub(super) line: String,
    pub(super) problems: Vec<Problem>,
}

impl SeenLine {
    /// Whether it starts at the margin and closes all that it opens.
    pub(super) fn is_tree(&self) -> bool {
        self.line.starts_with('(') && balances(std::slice::from_ref(self))
    }
}

/// What lies within a tree that has ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Swallowed {
    Nothing,
    /// Perhaps a tree that starts in this line.
    Perhaps(u32),
    Trees,
}

/// The lines of the tree that is open, from the one that opened it.
#[derive(Debug, Default)]
pub(super) struct Passage {
    lines: Vec<SeenLine>,
    n_bytes: usize,
    /// Problems and comments that were there before.
    before: (usize, usize),
}

impl Passage {
    /// Starts anew with a line outside of any tree.
    pub(super) fn start(&mut self, seen: &SeenLine, problems: &[Problem], comments: &[Text]) {
        self.clear();
        self.before = (problems.len(), comments.len());
        self.push(seen);
    }

    /// Goes on with a line inside a tree, unless its beginning is no longer known.
    pub(super) fn go_on(&mut self, seen: &SeenLine) {
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
    pub(super) fn take(self, problems: &mut Vec<Problem>, comments: &mut Vec<Text>) -> Vec<SeenLine> {
        problems.truncate(self.before.0);
        comments.truncate(self.before.1);
        self.lines
    }

    /// Whether the first piece has a constituent in it, and most pieces after it balance.
    ///
    /// A piece starts at the margin. The last one is left out where the passage was cut off.
    pub(super) fn is_of_trees(&self) -> bool {
        let mut pieces = self.pieces();
        if self.is_full() {
            pieces.pop();
        }
        let Some((first, others)) = pieces.split_first() else { return false };
        has_constituent(first) && most_balance(others)
    }

    /// What lies within the tree that has just ended.
    ///
    /// Its first piece lacks a bracket and its last has one too many, or it is a tree whose parts start at the margin. In
    /// doubt it is the latter.
    pub(super) fn swallowed(&self) -> Swallowed {
        let pieces = self.pieces();
        let [first, middle @ .., last] = &pieces[..] else { return Swallowed::Nothing };
        if !has_constituent(first) || !(middle.is_empty() || most_balance(middle)) {
            return Swallowed::Nothing;
        }
        let root = labels(first).next();
        let starts_alike = pieces.iter().all(|piece| labels(piece).next() == root);
        let is_inside = |piece: &&[SeenLine]| labels(piece).skip(1).any(|label| Some(label) == root);
        match (starts_alike, middle.first()) {
            (true, _) if !pieces.iter().any(is_inside) => Swallowed::Trees,
            (false, None) => Swallowed::Nothing,
            (_, next) => Swallowed::Perhaps(next.unwrap_or(last)[0].number),
        }
    }

    /// The passage cut at the margin.
    fn pieces(&self) -> Vec<&[SeenLine]> {
        let starts: Vec<usize> = (0..self.lines.len()).filter(|&at| at == 0 || self.at_margin(at)).collect();
        let ends = starts.iter().skip(1).copied().chain([self.lines.len()]);
        starts.iter().zip(ends).map(|(&start, end)| &self.lines[start..end]).collect()
    }

    fn at_margin(&self, at: usize) -> bool {
        self.lines[at].line.starts_with('(')
    }

    fn push(&mut self, seen: &SeenLine) {
        self.n_bytes += seen.line.len() + 1;
        self.lines.push(SeenLine {
            number: seen.number,
            line: seen.line.clone(),
            problems: seen.problems.clone(),
        });
    }
}

fn has_constituent(piece: &[SeenLine]) -> bool {
    piece.iter().any(|seen| seen.line.contains(')'))
}

fn most_balance(pieces: &[&[SeenLine]]) -> bool {
    pieces.iter().filter(|piece| balances(piece)).count() * 2 > pieces.len()
}

/// What stands behind the opening brackets of a piece.
fn labels(piece: &[SeenLine]) -> impl Iterator<Item = &str> {
    let label = |after: &'_ str| {
        after.find(|c: char| c.is_whitespace() || c == '(' || c == ')').unwrap_or(after.len())
    };
    piece.iter().flat_map(move |seen| seen.line.split('(').skip(1).map(move |after| &after[..label(after)]))
}

/// Whether every bracket of a piece is closed in it, and nothing else is.
fn balances(piece: &[SeenLine]) -> bool {
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
