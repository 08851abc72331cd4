//! Where everything of an arc diagram stands from left to right, in cells or in pixels.
//!
//! Vertical places follow from levels and are left to the surfaces.

use crate::columns::Columns;
use crate::diagram::{Diagram, End};
use crate::spacing::Spacing;

/// How large things are on a surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Metrics {
    /// Width of a form.
    pub(crate) form: fn(&str) -> i64,
    /// Width of a part of speech.
    pub(crate) tag: fn(&str) -> i64,
    /// Width of the label of an arc or group.
    pub(crate) label: fn(&str) -> i64,
    /// Width of the label of a constituent, where trees stand above the words.
    pub(crate) node: Option<fn(&str) -> i64>,
    /// From one arc or label to the next at the same word.
    pub(crate) port_gap: i64,
    /// Between two words.
    pub(crate) word_gap: i64,
    /// Beside the edge of a group.
    pub(crate) edge_gap: i64,
    /// What the box of a predicate needs beyond its label.
    pub(crate) box_pad: i64,
    /// What an arc needs beyond its label.
    pub(crate) label_pad: i64,
    /// Between a label and the leg of another arc.
    pub(crate) clearance: i64,
    /// Around the whole picture.
    pub(crate) margin: i64,
}

/// A stretch from `lo` to just before `lo + width`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stretch {
    pub(crate) lo: i64,
    pub(crate) width: i64,
}

impl Stretch {
    pub(crate) fn middle(self) -> i64 {
        self.lo + self.width / 2
    }

    pub(crate) fn hi(self) -> i64 {
        self.lo + self.width
    }

    pub(crate) fn centred(middle: i64, width: i64) -> Self {
        Self { lo: middle - width / 2, width }
    }
}

/// A placed link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LinkPlace {
    pub(crate) level: usize,
    pub(crate) head: i64,
    pub(crate) dependent: i64,
    pub(crate) label: Stretch,
}

/// A placed stub; its level is above all links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StubPlace {
    pub(crate) x: i64,
    pub(crate) label: Stretch,
}

/// A placed group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GroupPlace {
    pub(crate) level: usize,
    pub(crate) line: Stretch,
    pub(crate) label: Stretch,
}

/// Places of everything in a diagram, in the order of the diagram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) words: Vec<Stretch>,
    pub(crate) links: Vec<LinkPlace>,
    pub(crate) stubs: Vec<StubPlace>,
    pub(crate) groups: Vec<GroupPlace>,
    /// The labels of each row.
    pub(crate) rows: Vec<Vec<Stretch>>,
    /// The labels of the tree, in preorder.
    pub(crate) nodes: Vec<Stretch>,
    /// The row of each of them, from 0 at the top.
    pub(crate) node_rows: Vec<usize>,
    pub(crate) width: i64,
    /// Levels of links above the words.
    pub(crate) n_link_levels: usize,
    /// Levels of links below them.
    pub(crate) n_below_levels: usize,
    pub(crate) n_group_levels: usize,
}

impl Layout {
    /// Places a diagram from left to right.
    pub(crate) fn new(diagram: &Diagram, metrics: &Metrics) -> Self {
        let columns = Columns::new(diagram);
        let mut spacing = Spacing::new(diagram, &columns, metrics);
        spacing.widen_for_labels(diagram, metrics);
        let mut layout = spacing.place(diagram, metrics);
        layout.move_labels_off_legs(diagram, metrics.clearance);
        layout.move_names_off_legs(diagram, metrics.clearance);
        layout.fit(metrics.margin);
        layout
    }

    /// The same picture as seen in a mirror: the first word stands rightmost.
    pub(crate) fn mirrored(mut self) -> Self {
        let width = self.width;
        self.change(|stretch| stretch.lo = width - stretch.hi(), |x| *x = width - *x);
        self
    }

    /// Shifts everything so that it begins at the margin, and sets the width.
    fn fit(&mut self, margin: i64) {
        let (mut lo, mut hi) = (i64::MAX, i64::MIN);
        let mut see = |stretch: &mut Stretch| {
            lo = lo.min(stretch.lo);
            hi = hi.max(stretch.hi());
        };
        self.change(&mut see, |_| ());
        if lo > hi {
            (lo, hi) = (0, 0);
        }
        self.width = hi - lo + 2 * margin;
        self.change(|stretch| stretch.lo += margin - lo, |x| *x += margin - lo);
    }

    fn change(&mut self, mut stretch: impl FnMut(&mut Stretch), mut point: impl FnMut(&mut i64)) {
        self.words.iter_mut().for_each(&mut stretch);
        for link in &mut self.links {
            stretch(&mut link.label);
            point(&mut link.head);
            point(&mut link.dependent);
        }
        for stub in &mut self.stubs {
            stretch(&mut stub.label);
            point(&mut stub.x);
        }
        for group in &mut self.groups {
            stretch(&mut group.line);
            stretch(&mut group.label);
        }
        self.rows.iter_mut().flatten().for_each(&mut stretch);
        self.nodes.iter_mut().for_each(&mut stretch);
    }

    /// Where a leg of a higher arc comes down through a label, the label moves aside if it finds room.
    fn move_labels_off_legs(&mut self, diagram: &Diagram, clearance: i64) {
        let is_below = |link: usize| diagram.links[link].kind.is_below();
        let legs: Vec<(bool, usize, i64)> = (self.links.iter().enumerate())
            .flat_map(|(index, link)| [link.head, link.dependent].map(|x| (is_below(index), link.level, x)))
            .chain(self.stubs.iter().map(|stub| (false, usize::MAX, stub.x)))
            .collect();
        for (index, link) in self.links.iter_mut().enumerate() {
            let (lo, hi) = (link.head.min(link.dependent), link.head.max(link.dependent));
            let is_higher = |side: bool, level: usize| side == is_below(index) && level > link.level;
            let crossing =
                legs.iter().filter(|&&(side, level, x)| is_higher(side, level) && lo < x && x < hi);
            link.label = off_legs(crossing.map(|&(.., x)| x), (lo, hi), link.label, clearance);
        }
    }

    /// Legs of links below the words come down through the lines of other groups; their names move aside.
    fn move_names_off_legs(&mut self, diagram: &Diagram, clearance: i64) {
        let mut legs: Vec<(usize, i64)> = Vec::new();
        for (link, place) in diagram.links.iter().zip(&self.links).filter(|(link, _)| link.kind.is_below()) {
            for (end, x) in [(link.head, place.head), (link.dependent, place.dependent)] {
                legs.extend(if let End::Group(group) = end {
                    Some((self.groups[group].level, x))
                } else {
                    None
                });
            }
        }
        for group in &mut self.groups {
            let (lo, hi) = (group.line.lo, group.line.hi() - 1);
            let crossing = legs.iter().filter(|&&(level, x)| level < group.level && lo < x && x < hi);
            group.label = off_legs(crossing.map(|&(_, x)| x), (lo, hi), group.label, clearance);
        }
    }
}

/// A label between two ends, moved away from these legs if there is room.
fn off_legs(
    legs: impl Iterator<Item = i64>,
    (lo, hi): (i64, i64),
    label: Stretch,
    clearance: i64,
) -> Stretch {
    let mut stops: Vec<i64> = legs.chain([lo, hi]).collect();
    stops.sort_unstable();
    let room = nearest_room(&stops, label, clearance);
    room.or_else(|| nearest_room(&stops, label, 1)).unwrap_or(label)
}

/// The place nearest to where `label` is that lies between two stops.
fn nearest_room(stops: &[i64], label: Stretch, clearance: i64) -> Option<Stretch> {
    let rooms = stops.windows(2).map(|stops| (stops[0] + clearance, stops[1] - clearance + 1 - label.width));
    let places = rooms.filter(|(lo, hi)| lo <= hi).map(|(lo, hi)| label.lo.clamp(lo, hi));
    let lo = places.min_by_key(|lo| (lo - label.lo).abs())?;
    Some(Stretch { lo, ..label })
}
