//! The order of everything an arc may end at: words, and the two edges of groups.

use crate::diagram::{BracketKind, Diagram, End, GroupBracket};
use crate::levels::{Interval, Touch, levels};
use std::cmp::Reverse;
use tree::PutInOrder;

/// Something that has its own place in reading order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Column {
    Word(usize),
    /// The edge of a group before its first word.
    Before(usize),
    /// The edge of a group after its last word.
    After(usize),
}

/// Columns of a diagram, and at which of them links, stubs and groups begin and end.
#[derive(Clone, Debug)]
pub(crate) struct Columns {
    pub(crate) columns: Vec<Column>,
    /// Head and dependent column of each link.
    pub(crate) links: Vec<(usize, usize)>,
    /// Column of each stub.
    pub(crate) stubs: Vec<usize>,
    /// First and last column of each group.
    pub(crate) groups: Vec<(usize, usize)>,
    /// Column of each word.
    pub(crate) words: Vec<usize>,
}

impl Columns {
    /// Only those edges of groups get a column at which an arc ends. Nested groups open from the outer to
    /// the inner and close in the opposite order, so that their lines do not cross.
    pub(crate) fn new(diagram: &Diagram) -> Self {
        let links: Vec<_> =
            diagram.links.iter().map(|link| sides(diagram, link.head, link.dependent)).collect();
        let stubs: Vec<_> = diagram.stubs.iter().map(|stub| before(stub.at)).collect();
        let edges =
            links.iter().flat_map(|&(head, dependent)| [head, dependent]).chain(stubs.iter().copied());
        let columns = in_order(diagram, with_edges_around(diagram, edges.collect()));
        let places = Places::new(diagram, &columns);
        let groups = places.groups(diagram);
        let links = links.iter().map(|&(head, dependent)| (places.of(head), places.of(dependent))).collect();
        let stubs = stubs.iter().map(|&stub| places.of(stub)).collect();
        Self { columns, links, stubs, groups, words: places.words }
    }

    /// The level of each link, counted from the words: upwards for those above them, downwards for those below.
    pub(crate) fn link_levels(&self, diagram: &Diagram, touch: Touch) -> Vec<usize> {
        let interval = |&(a, b): &(usize, usize)| Interval { lo: a.min(b), hi: a.max(b), rank: 0 };
        let mut all = vec![0; self.links.len()];
        for below in [false, true] {
            let side = (0..self.links.len()).filter(|&link| diagram.links[link].kind.is_below() == below);
            let side: Vec<usize> = side.collect();
            let intervals: Vec<Interval> = side.iter().map(|&link| interval(&self.links[link])).collect();
            for (&link, level) in side.iter().zip(levels(&intervals, touch)) {
                all[link] = level;
            }
        }
        all
    }

    /// The level of each group.
    pub(crate) fn group_levels(&self, diagram: &Diagram) -> Vec<usize> {
        let groups = self.groups.iter().zip(&diagram.groups);
        let interval = groups.map(|(&(lo, hi), group)| Interval { lo, hi, rank: group.rank });
        levels(&interval.collect::<Vec<_>>(), Touch::Forbidden)
    }
}

/// Number of levels in use.
pub(crate) fn n_levels(levels: &[usize]) -> usize {
    levels.iter().max().map_or(0, |&level| level + 1)
}

/// Where each column stands.
struct Places {
    words: Vec<usize>,
    before: Vec<Option<usize>>,
    after: Vec<Option<usize>>,
}

impl Places {
    fn new(diagram: &Diagram, columns: &[Column]) -> Self {
        let n_groups = diagram.groups.len();
        let words = vec![0; diagram.words.len()];
        let mut places = Self { words, before: vec![None; n_groups], after: vec![None; n_groups] };
        for (place, &column) in columns.iter().enumerate() {
            match column {
                Column::Word(word) => places.words[word] = place,
                Column::Before(group) => places.before[group] = Some(place),
                Column::After(group) => places.after[group] = Some(place),
            }
        }
        places
    }

    /// First and last column of each group: its own edges and those of the groups inside it.
    fn groups(&self, diagram: &Diagram) -> Vec<(usize, usize)> {
        let own = |(group, bracket): (usize, &GroupBracket)| {
            let lo = self.before[group].unwrap_or(self.words[bracket.first()]);
            (lo, self.after[group].unwrap_or(self.words[bracket.last()]))
        };
        let own: Vec<(usize, usize)> = diagram.groups.iter().enumerate().map(own).collect();
        let around = |(outer, bracket): (usize, &GroupBracket)| {
            let inside = diagram.groups.iter().zip(&own).filter(|(inner, _)| is_inside(inner, bracket));
            inside.fold(own[outer], |(lo, hi), (_, inner)| (lo.min(inner.0), hi.max(inner.1)))
        };
        diagram.groups.iter().enumerate().map(around).collect()
    }

    fn of(&self, column: Column) -> usize {
        match column {
            Column::Word(word) => self.words[word],
            Column::Before(group) => self.before[group].unwrap_or(0),
            Column::After(group) => self.after[group].unwrap_or(0),
        }
    }
}

/// Whether one group lies within the stretch of another; of two equal stretches ranks decide.
pub(crate) fn is_inside(inner: &GroupBracket, outer: &GroupBracket) -> bool {
    let within = outer.first() <= inner.first() && inner.last() <= outer.last();
    let equal = outer.first() == inner.first() && inner.last() == outer.last();
    within && (!equal || inner.rank < outer.rank)
}

/// At which edges a link ends: at the edges that face each other, and before the group if one end is
/// inside the other.
fn sides(diagram: &Diagram, head: End, dependent: End) -> (Column, Column) {
    let (head_extent, dependent_extent) = (diagram.extent(head), diagram.extent(dependent));
    if head_extent.1 < dependent_extent.0 {
        (after(head), before(dependent))
    } else if dependent_extent.1 < head_extent.0 {
        (before(head), after(dependent))
    } else {
        (before(head), before(dependent))
    }
}

/// Where a link ends at the edge of an entity, entities, tokens of several words and what is open around it that begin or end at the same word
/// stretch beyond it, so that the link is seen to end at the inner one.
fn with_edges_around(diagram: &Diagram, edges: Vec<Column>) -> Vec<Column> {
    let around = |inner: usize| {
        let groups = diagram.groups.iter().enumerate();
        let entities = groups.filter(|(_, group)| {
            matches!(group.kind, BracketKind::Entity | BracketKind::Range | BracketKind::Open)
        });
        entities.filter(move |(_, outer)| is_inside(&diagram.groups[inner], outer))
    };
    let mut all = Vec::with_capacity(edges.len());
    for edge in edges {
        match edge {
            Column::Word(_) => {}
            Column::Before(inner) => {
                let first = diagram.groups[inner].first();
                all.extend(
                    around(inner).filter(|(_, outer)| outer.first() == first).map(|(g, _)| Column::Before(g)),
                );
            }
            Column::After(inner) => {
                let last = diagram.groups[inner].last();
                all.extend(
                    around(inner).filter(|(_, outer)| outer.last() == last).map(|(g, _)| Column::After(g)),
                );
            }
        }
        all.push(edge);
    }
    all
}

fn before(end: End) -> Column {
    match end {
        End::Word(word) => Column::Word(word),
        End::Group(group) => Column::Before(group),
    }
}

fn after(end: End) -> Column {
    match end {
        End::Word(word) => Column::Word(word),
        End::Group(group) => Column::After(group),
    }
}

fn in_order(diagram: &Diagram, edges: Vec<Column>) -> Vec<Column> {
    let mut columns = edges;
    columns.retain(|column| !matches!(column, Column::Word(_)));
    columns.extend((0..diagram.words.len()).map(Column::Word));
    // (word at which it stands, before/at/after it, outer first before, inner first after)
    columns.order_by_key(|&column| match column {
        Column::Before(group) => {
            let bracket = &diagram.groups[group];
            (bracket.first(), 0, (Reverse(bracket.last()), Reverse(0)), (Reverse(bracket.rank), 0), group)
        }
        Column::Word(word) => (word, 1, (Reverse(0), Reverse(0)), (Reverse(0), 0), 0),
        Column::After(group) => {
            let bracket = &diagram.groups[group];
            (bracket.last(), 2, (Reverse(0), Reverse(bracket.first())), (Reverse(0), bracket.rank), group)
        }
    });
    columns.dedup();
    columns
}
