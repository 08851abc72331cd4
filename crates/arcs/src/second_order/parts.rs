//! The numbering of parts.

use tree::Heads;

use super::{Arc, Grandparent, Sibling, Side};

/// The parts of all projective trees over a set of arcs, numbered densely.
///
/// Arcs are numbered by dependent, then by head. Nothing but the arcs is stored: the dependents that a head may have
/// on one side, from the nearest outwards, with "no more" as the last of them, number the siblings as a triangle,
/// and a prefix of them numbers the grandparents of an arc.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parts {
    n_words: usize,
    /// The word at each position, without those that are left out; position 0 is the root.
    words: Vec<u32>,
    arcs: Vec<PartArc>,
    /// Where the arcs into each position start.
    into: Vec<usize>,
    /// Arcs by group, from the nearest dependent outwards. Group 2h is the left of position h, 2h + 1 its right.
    children: Vec<u32>,
    child_starts: Vec<usize>,
    sibling_starts: Vec<usize>,
    /// By arc, then by side of the dependent.
    grandparent_starts: Vec<usize>,
}

/// An arc between positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PartArc {
    pub(super) head: u32,
    pub(super) dependent: u32,
    /// Its place in its group.
    ordinal: u32,
}

/// The numbers of the parts of one tree.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PartList {
    /// Its arcs, by dependent.
    pub arcs: Vec<usize>,
    /// Its siblings.
    pub siblings: Vec<usize>,
    /// Its grandparents.
    pub grandparents: Vec<usize>,
}

impl PartList {
    /// Σ of values of the parts.
    pub(super) fn total(&self, arcs: &[f64], siblings: &[f64], grandparents: &[f64]) -> f64 {
        let sum = |numbers: &[usize], values: &[f64]| numbers.iter().map(|&at| values[at]).sum::<f64>();
        sum(&self.arcs, arcs) + sum(&self.siblings, siblings) + sum(&self.grandparents, grandparents)
    }
}

/// The place of a row in a triangle: 0 + 1 + … + row.
#[inline]
pub(super) fn triangle(row: usize) -> usize {
    row * (row + 1) / 2
}

impl Default for Parts {
    /// The parts of a sentence without words.
    fn default() -> Parts {
        Parts::new(0, [])
    }
}

impl Parts {
    /// The parts over these arcs, each from a head (0 for the root) to a dependent. Arcs that come twice count once,
    /// and arcs that cannot exist do not count.
    pub fn new(n_words: usize, arcs: impl IntoIterator<Item = (usize, usize)>) -> Parts {
        let exists = |&(head, dependent): &(usize, usize)| {
            head != dependent && head <= n_words && (1..=n_words).contains(&dependent)
        };
        let mut arcs: Vec<(usize, usize)> =
            arcs.into_iter().filter(exists).map(|(head, dependent)| (dependent, head)).collect();
        arcs.sort_unstable();
        arcs.dedup();
        let mut parts = Parts {
            n_words,
            words: vec![0],
            arcs: Vec::new(),
            into: vec![0, 0],
            children: Vec::new(),
            child_starts: Vec::new(),
            sibling_starts: vec![0, 0],
            grandparent_starts: vec![0],
        };
        parts.take_arcs(&arcs);
        parts.group();
        parts.number();
        parts
    }

    /// Renumbers words as positions and keeps the arcs between them.
    fn take_arcs(&mut self, arcs: &[(usize, usize)]) {
        let mut positions = vec![None; self.n_words + 1];
        positions[0] = Some(0);
        for chunk in arcs.chunk_by(|a, b| a.0 == b.0) {
            positions[chunk[0].0] = Some(self.words.len() as u32);
            self.words.push(chunk[0].0 as u32);
        }
        for chunk in arcs.chunk_by(|a, b| a.0 == b.0) {
            for &(dependent, head) in chunk {
                if let (Some(head), Some(dependent)) = (positions[head], positions[dependent]) {
                    self.arcs.push(PartArc { head, dependent, ordinal: 0 });
                }
            }
            self.into.push(self.arcs.len());
        }
    }

    /// Sorts the arcs into groups. Dependents come in rising order, so that left groups are filled from their end.
    fn group(&mut self) {
        let n_groups = 2 * self.width();
        let group = |arc: &PartArc| 2 * arc.head as usize + usize::from(arc.head < arc.dependent);
        let mut starts = vec![0; n_groups + 1];
        for arc in &self.arcs {
            starts[group(arc) + 1] += 1;
        }
        for at in 0..n_groups {
            starts[at + 1] += starts[at];
        }
        let mut filled = vec![0; n_groups];
        self.children = vec![0; self.arcs.len()];
        for (number, arc) in self.arcs.iter_mut().enumerate() {
            let of = group(arc);
            let ordinal = if of % 2 == 1 { filled[of] } else { starts[of + 1] - starts[of] - 1 - filled[of] };
            filled[of] += 1;
            arc.ordinal = ordinal as u32;
            self.children[starts[of] + ordinal] = number as u32;
        }
        self.child_starts = starts;
    }

    fn number(&mut self) {
        for group in 1..2 * self.width() {
            let next = self.sibling_starts[group] + triangle(self.children(group).len() + 1);
            self.sibling_starts.push(next);
        }
        let mut next = 0;
        for number in 0..self.arcs.len() {
            for side in [Side::Left, Side::Right] {
                next += self.below(number, side).len();
                self.grandparent_starts.push(next);
            }
        }
    }

    /// The number of words.
    pub fn n_words(&self) -> usize {
        self.n_words
    }

    /// The number of arcs.
    pub fn n_arcs(&self) -> usize {
        self.arcs.len()
    }

    /// The number of siblings.
    pub fn n_siblings(&self) -> usize {
        self.sibling_starts.last().copied().unwrap_or(0)
    }

    /// The number of grandparents.
    pub fn n_grandparents(&self) -> usize {
        self.grandparent_starts.last().copied().unwrap_or(0)
    }

    /// The arcs in the order of their numbers.
    pub fn arcs(&self) -> impl ExactSizeIterator<Item = Arc> + '_ {
        self.arcs.iter().map(|arc| Arc {
            head: self.word(arc.head as usize),
            dependent: self.word(arc.dependent as usize),
        })
    }

    /// The siblings in the order of their numbers.
    pub fn siblings(&self) -> impl Iterator<Item = Sibling> + '_ {
        (1..2 * self.width()).flat_map(move |group| {
            let head = self.word(group / 2);
            let side = if group % 2 == 0 { Side::Left } else { Side::Right };
            let children = self.children(group);
            let word = move |child: &u32| self.word(self.arcs[*child as usize].dependent as usize);
            (0..=children.len()).flat_map(move |row| {
                let outer = children.get(row).map(word);
                let inner =
                    [None].into_iter().chain(children[..row].iter().map(move |child| Some(word(child))));
                inner.map(move |inner| Sibling { head, side, inner, outer })
            })
        })
    }

    /// The grandparents in the order of their numbers.
    pub fn grandparents(&self) -> impl Iterator<Item = Grandparent> + '_ {
        (0..self.arcs.len()).flat_map(move |above| {
            let grandparent = self.word(self.arcs[above].head as usize);
            let head = self.word(self.arcs[above].dependent as usize);
            let below = self.below(above, Side::Left).iter().chain(self.below(above, Side::Right));
            below.map(move |&child| {
                let dependent = self.word(self.arcs[child as usize].dependent as usize);
                Grandparent { grandparent, head, dependent }
            })
        })
    }

    /// The number of an arc; `None` if it is not among the parts.
    pub fn arc(&self, head: usize, dependent: usize) -> Option<usize> {
        let head = self.words.binary_search(&u32::try_from(head).ok()?).ok()?;
        let dependent = self.words.binary_search(&u32::try_from(dependent).ok()?).ok()?;
        self.between(head, dependent)
    }

    /// The numbers of the arcs into a word; empty if it is left out.
    pub fn arcs_into(&self, word: usize) -> std::ops::Range<usize> {
        let word = u32::try_from(word).ok().and_then(|word| self.words.binary_search(&word).ok());
        word.map_or(0..0, |position| self.into(position))
    }

    /// Whether a word has no arc into it.
    pub fn is_left_out(&self, word: usize) -> bool {
        u32::try_from(word).is_err() || self.words.binary_search(&(word as u32)).is_err()
    }

    /// The parts of a tree; `None` if it is not projective or not over these arcs. The heads of words that are left
    /// out do not count.
    pub fn of_tree(&self, heads: &Heads) -> Option<PartList> {
        if heads.len() != self.n_words {
            return None;
        }
        let mut list = PartList::default();
        for &word in &self.words[1..] {
            list.arcs.push(self.arc(heads.head(word as usize), word as usize)?);
        }
        // The outermost dependent so far in each group, as one more than its ordinal.
        let mut last = vec![0; 2 * self.width()];
        let left = list.arcs.iter().rev().filter(|&&arc| self.arcs[arc].head > self.arcs[arc].dependent);
        let right = list.arcs.iter().filter(|&&arc| self.arcs[arc].head < self.arcs[arc].dependent);
        for &number in left.chain(right) {
            let arc = self.arcs[number];
            let (head, ordinal) = (arc.head as usize, arc.ordinal as usize);
            let group = 2 * head + usize::from(arc.head < arc.dependent);
            list.siblings.push(self.sibling_start(group) + triangle(ordinal) + last[group]);
            last[group] = ordinal + 1;
            if head > 0 {
                list.grandparents.push(self.grandparent(list.arcs[head - 1], number)?);
            }
        }
        for (group, last) in last.into_iter().enumerate().skip(1) {
            list.siblings.push(self.sibling_start(group) + triangle(self.children(group).len()) + last);
        }
        self.is_projective(&list.arcs).then_some(list)
    }

    fn grandparent(&self, above: usize, below: usize) -> Option<usize> {
        let arc = self.arcs[below];
        let side = if arc.head < arc.dependent { Side::Right } else { Side::Left };
        let ordinal = arc.ordinal as usize;
        (ordinal < self.below(above, side).len()).then(|| self.grandparent_start(above, side) + ordinal)
    }

    /// Whether no two arcs cross, by a stack of the arcs that are open.
    fn is_projective(&self, arcs: &[usize]) -> bool {
        let ends = |&arc: &usize| (self.arcs[arc].head, self.arcs[arc].dependent);
        let mut spans: Vec<(u32, u32)> = arcs.iter().map(ends).map(|(h, d)| (h.min(d), h.max(d))).collect();
        spans.sort_by_key(|&(start, end)| (start, std::cmp::Reverse(end)));
        let mut open: Vec<u32> = Vec::new();
        for (start, end) in spans {
            while open.last().is_some_and(|&last| last <= start) {
                open.pop();
            }
            if open.last().is_some_and(|&last| last < end) {
                return false;
            }
            open.push(end);
        }
        true
    }

    /// The number of positions, the root included.
    pub(super) fn width(&self) -> usize {
        self.words.len()
    }

    /// The word at a position.
    pub(super) fn word(&self, position: usize) -> usize {
        self.words[position] as usize
    }

    /// The ends of an arc.
    pub(super) fn part_arc(&self, number: usize) -> PartArc {
        self.arcs[number]
    }

    /// The arcs into a position.
    pub(super) fn into(&self, position: usize) -> std::ops::Range<usize> {
        self.into[position]..self.into[position + 1]
    }

    /// The arcs of a group, from the nearest dependent outwards.
    pub(super) fn children(&self, group: usize) -> &[u32] {
        &self.children[self.child_starts[group]..self.child_starts[group + 1]]
    }

    /// The number of a group's first sibling.
    pub(super) fn sibling_start(&self, group: usize) -> usize {
        self.sibling_starts[group]
    }

    /// The number of the first grandparent of an arc and its dependent's dependents on one side.
    pub(super) fn grandparent_start(&self, above: usize, side: Side) -> usize {
        self.grandparent_starts[2 * above + side as usize]
    }

    fn between(&self, head: usize, dependent: usize) -> Option<usize> {
        let range = self.into(dependent);
        let found = self.arcs[range.clone()].binary_search_by_key(&(head as u32), |arc| arc.head).ok();
        found.map(|at| range.start + at)
    }

    /// The arcs that may stand below an arc on one side: nothing reaches over the grandparent, since that would have
    /// to be below its own dependent.
    fn below(&self, above: usize, side: Side) -> &[u32] {
        let arc = self.arcs[above];
        let children = self.children(2 * arc.dependent as usize + side as usize);
        let (head, dependent) = (arc.head, arc.dependent);
        let inside = |child: &u32| match side {
            Side::Left => head > dependent || self.arcs[*child as usize].dependent > head,
            Side::Right => head < dependent || self.arcs[*child as usize].dependent < head,
        };
        &children[..children.partition_point(inside)]
    }
}
