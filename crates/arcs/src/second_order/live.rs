//! The arcs of a sentence that are present, and where their values stand.

use std::ops::Range;

use super::parts::{Parts, triangle};
use super::{Scores, Side};

/// The arcs that scores leave, renumbered, with the places of everything that is computed for them.
///
/// - A *row* is an arc g → h and a side of h: h with all of its dependents on that side, by the last position they
///   reach. Rows end where no arcs lead further, and before g.
/// - A *cell* is an arc g → h and an arc h → m that may stand below it.
/// - A *pair* is a head, a side and two adjacent dependents, as numbered by a [`triangle`] for each group.
///
/// Arc 0 is a formal one into the root.
#[derive(Debug, Clone, Default)]
pub(super) struct Live {
    pub(super) width: usize,
    pub(super) arcs: Vec<LiveArc>,
    into: Vec<usize>,
    /// What is read for every position and arc, close together.
    left_rows: Vec<LeftRow>,
    children: Vec<Child>,
    child_arcs: Vec<u32>,
    child_starts: Vec<usize>,
    pairs: Vec<usize>,
    /// The last position that the right of each position reaches, and the first that its left reaches.
    farthest: Vec<usize>,
    nearest: Vec<usize>,
    pub(super) n_cells: usize,
    pub(super) n_right: usize,
    pub(super) n_left: usize,
    /// Where the columns start: the left rows of all arcs not into earlier positions, at one position.
    columns: Vec<usize>,
    renumbered: Vec<u32>,
}

/// An arc that is present.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct LiveArc {
    /// Its number among the parts.
    pub(super) part: usize,
    pub(super) head: usize,
    pub(super) dependent: usize,
    /// Its place in its group.
    pub(super) place: usize,
    /// The first position of the left row and the last of the right one.
    pub(super) first: usize,
    pub(super) last: usize,
    /// Where the rows start.
    left: usize,
    right: usize,
    /// Where the cells on each side start, and how many there are.
    cells: [usize; 2],
    n_cells: [usize; 2],
}

/// The left row of an arc.
#[derive(Debug, Clone, Copy)]
pub(super) struct LeftRow {
    first: u32,
    start: u32,
    cells: u32,
}

impl LeftRow {
    /// Where the row stands for a position; `None` if it does not reach that far.
    #[inline(always)]
    pub(super) fn at(&self, position: usize) -> Option<usize> {
        (self.first as usize <= position).then(|| self.start as usize + position - self.first as usize)
    }

    /// The cells of the nearest dependents.
    #[inline(always)]
    pub(super) fn cells(&self, n_nearest: usize) -> Range<usize> {
        self.cells as usize..self.cells as usize + n_nearest
    }
}

/// An arc in its group.
#[derive(Debug, Clone, Copy)]
pub(super) struct Child {
    pub(super) arc: usize,
    pub(super) position: usize,
    /// Its place in the group of [`Parts`].
    pub(super) ordinal: usize,
}

impl LiveArc {
    /// Where the left row stands for a position not before `first`.
    #[inline(always)]
    pub(super) fn left_at(&self, position: usize) -> usize {
        self.left + position - self.first
    }

    /// Where the right row stands for a position not after `last`.
    #[inline(always)]
    pub(super) fn right_at(&self, position: usize) -> usize {
        self.right + position - self.dependent
    }

    /// The cells on one side.
    #[inline(always)]
    pub(super) fn cells(&self, side: usize) -> Range<usize> {
        self.cells[side]..self.cells[side] + self.n_cells[side]
    }
}

impl Live {
    /// Takes over a sentence; `None` if a word has no arc left.
    pub(super) fn fill(&mut self, parts: &Parts, scores: &Scores) -> Option<()> {
        self.width = parts.width();
        self.take_arcs(parts, scores)?;
        self.group(parts);
        self.reach();
        self.lay_out();
        self.lay_out_columns();
        Some(())
    }

    fn take_arcs(&mut self, parts: &Parts, scores: &Scores) -> Option<()> {
        self.arcs.clear();
        self.arcs.push(LiveArc { head: usize::MAX, ..LiveArc::default() });
        self.into.clear();
        self.into.extend([0, 1]);
        self.renumbered.clear();
        for position in 1..self.width {
            for part in parts.into(position) {
                let ends = parts.part_arc(part);
                self.renumbered.push(self.arcs.len() as u32);
                if scores.arcs[part] > f64::NEG_INFINITY {
                    let (head, dependent) = (ends.head as usize, ends.dependent as usize);
                    self.arcs.push(LiveArc { part, head, dependent, ..LiveArc::default() });
                }
            }
            if self.into.last() == Some(&self.arcs.len()) {
                return None;
            }
            self.into.push(self.arcs.len());
        }
        Some(())
    }

    fn group(&mut self, parts: &Parts) {
        self.children.clear();
        self.child_arcs.clear();
        self.child_starts.clear();
        self.pairs.clear();
        let mut pairs = 0;
        for group in 0..2 * self.width {
            self.child_starts.push(self.children.len());
            self.pairs.push(pairs);
            let start = self.children.len();
            for (ordinal, &part) in parts.children(group).iter().enumerate() {
                // An arc that is absent has the number of the next one that is present.
                let arc = self.renumbered[part as usize] as usize;
                if let Some(live) = self.arcs.get_mut(arc).filter(|live| live.part == part as usize) {
                    live.place = self.children.len() - start;
                    self.children.push(Child { arc, position: live.dependent, ordinal });
                    self.child_arcs.push(arc as u32);
                }
            }
            pairs += triangle(self.children.len() - start + 1);
        }
        self.child_starts.push(self.children.len());
        self.pairs.push(pairs);
    }

    fn reach(&mut self) {
        self.farthest.clear();
        self.farthest.extend(0..self.width);
        self.nearest.clear();
        self.nearest.extend(0..self.width);
        for position in (0..self.width).rev() {
            let reached = self.children(2 * position + 1).iter().map(|child| self.farthest[child.position]);
            self.farthest[position] = reached.max().unwrap_or(position);
        }
        for position in 0..self.width {
            let reached = self.children(2 * position).iter().map(|child| self.nearest[child.position]);
            self.nearest[position] = reached.min().unwrap_or(position);
        }
    }

    fn lay_out(&mut self) {
        (self.n_cells, self.n_left, self.n_right) = (0, 0, 0);
        self.left_rows.clear();
        for number in 0..self.arcs.len() {
            let mut arc = self.arcs[number];
            let (head, position) = (arc.head, arc.dependent);
            let (left, right) = (self.children(2 * position), self.children(2 * position + 1));
            (arc.first, arc.last) = (self.nearest[position], self.farthest[position]);
            arc.n_cells = [left.len(), right.len()];
            if number > 0 && head < position {
                arc.first = arc.first.max(head + 1);
                arc.n_cells[0] = left.partition_point(|child| child.position > head);
            } else if number > 0 {
                arc.last = arc.last.min(head - 1);
                arc.n_cells[1] = right.partition_point(|child| child.position < head);
            }
            arc.cells = [self.n_cells, self.n_cells + arc.n_cells[0]];
            (arc.left, arc.right) = (self.n_left, self.n_right);
            let (first, start, cells) = (arc.first as u32, arc.left as u32, arc.cells[0] as u32);
            self.left_rows.push(LeftRow { first, start, cells });
            self.n_cells += arc.n_cells[0] + arc.n_cells[1];
            self.n_left += position - arc.first + 1;
            self.n_right += arc.last - position + 1;
            self.arcs[number] = arc;
        }
    }

    fn lay_out_columns(&mut self) {
        self.columns.clear();
        self.columns.extend([0, 0]);
        let mut start = 0;
        for position in 1..self.width {
            start += self.arcs.len() - self.into[position];
            self.columns.push(start);
        }
    }

    /// The column of a position.
    #[inline(always)]
    pub(super) fn column(&self, position: usize) -> Range<usize> {
        self.columns[position]..self.columns[position + 1]
    }

    /// Where an arc stands in the column of a position.
    #[inline(always)]
    pub(super) fn column_at(&self, position: usize, arc: usize) -> usize {
        self.columns[position] + arc - self.into[position]
    }

    /// The size of all columns.
    pub(super) fn n_columns(&self) -> usize {
        self.columns.last().copied().unwrap_or(0)
    }

    /// The arcs into a position.
    #[inline(always)]
    pub(super) fn into(&self, position: usize) -> Range<usize> {
        self.into[position]..self.into[position + 1]
    }

    /// The arcs of a group, from the nearest dependent outwards.
    #[inline(always)]
    pub(super) fn children(&self, group: usize) -> &[Child] {
        &self.children[self.child_starts[group]..self.child_starts[group + 1]]
    }

    /// The numbers of the same.
    #[inline(always)]
    pub(super) fn child_arcs(&self, group: usize) -> &[u32] {
        &self.child_arcs[self.child_starts[group]..self.child_starts[group + 1]]
    }

    /// The left rows of the arcs into a position.
    #[inline(always)]
    pub(super) fn left_rows(&self, position: usize) -> &[LeftRow] {
        &self.left_rows[self.into(position)]
    }

    /// The pairs of a group whose outer dependent is at this place: none inside it, then those inside it in their
    /// order. The place after the last is that of "no more".
    #[inline(always)]
    pub(super) fn pairs(&self, group: usize, place: usize) -> Range<usize> {
        let start = self.pairs[group] + triangle(place);
        start..start + place + 1
    }

    /// The number of pairs.
    pub(super) fn n_pairs(&self) -> usize {
        self.pairs.last().copied().unwrap_or(0)
    }

    /// Where the right rows of the positions after this one start.
    #[inline(always)]
    pub(super) fn right_after(&self, position: usize) -> usize {
        self.arcs.get(self.into[position + 1]).map_or(self.n_right, |arc| arc.right)
    }

    /// The first position that anything below a position reaches on the left.
    #[inline(always)]
    pub(super) fn leftmost(&self, position: usize) -> usize {
        self.nearest[position]
    }

    /// The stretches of a right row and of a left one that meet between two arcs, the left dependent's first; and the
    /// first position of the first.
    #[inline(always)]
    pub(super) fn between(&self, x: usize, y: usize) -> (usize, Range<usize>, Range<usize>) {
        let (x, y) = (&self.arcs[x], &self.arcs[y]);
        let from = x.dependent.max(y.first - 1);
        let to = (x.last + 1).min(y.dependent);
        if from >= to {
            return (from, 0..0, 0..0);
        }
        let (right, left) = (x.right_at(from), y.left_at(from + 1));
        (from, right..right + to - from, left..left + to - from)
    }

    /// The two arcs of a pair, the left dependent's first.
    #[inline(always)]
    pub(super) fn ordered(&self, group: usize, inner: usize, outer: usize) -> (usize, usize) {
        let children = self.children(group);
        if group % 2 == 1 {
            (children[inner].arc, children[outer].arc)
        } else {
            (children[outer].arc, children[inner].arc)
        }
    }

    /// The arc whose row fills all between a head and its nearest dependent, and the position up to which it does: a
    /// left row for a right group, a right row for a left one. `None` if it does not reach that far.
    #[inline(always)]
    pub(super) fn innermost(&self, group: usize, place: usize) -> Option<(usize, usize)> {
        let (head, number) = (group / 2, self.children(group)[place].arc);
        let arc = &self.arcs[number];
        if group % 2 == 1 {
            (arc.first <= head + 1).then_some((number, head + 1))
        } else {
            (arc.last + 1 >= head).then(|| (number, head - 1))
        }
    }

    /// The number among the parts of each pair at a place, in the order of [`pairs`](Self::pairs).
    pub(super) fn sibling_parts<'a>(
        &'a self,
        parts: &Parts,
        group: usize,
        place: usize,
    ) -> impl Iterator<Item = usize> + 'a {
        let children = self.children(group);
        let row = children.get(place).map_or(parts.children(group).len(), |child| child.ordinal);
        let start = parts.sibling_start(group) + triangle(row);
        [start].into_iter().chain(children[..place].iter().map(move |child| start + 1 + child.ordinal))
    }

    /// The number among the parts of each cell of an arc on one side.
    pub(super) fn grandparent_parts<'a>(
        &'a self,
        parts: &Parts,
        arc: usize,
        side: usize,
    ) -> impl Iterator<Item = usize> + 'a {
        let above = &self.arcs[arc];
        let start = parts.grandparent_start(above.part, if side == 0 { Side::Left } else { Side::Right });
        let children = &self.children(2 * above.dependent + side)[..above.cells(side).len()];
        children.iter().map(move |child| start + child.ordinal)
    }
}
