//! An arc diagram in a terminal: words in a row, arcs above; below them multiword tokens and entities, relations of entities, and
//! predicates with their arguments.

use crate::canvas::{Canvas, Ink, TextPiece, TextStyle, write_line};
use crate::diagram::{BracketKind, Diagram, End, LabelKind};
use crate::layout::{Layout, Metrics};
use crate::measure::cells;
use crate::notes::write_notes;
use crate::vertical::group_ink;

pub(crate) const METRICS: Metrics = Metrics {
    form: cells,
    tag: cells,
    label: cells,
    node: None,
    port_gap: 2,
    word_gap: 2,
    edge_gap: 1,
    box_pad: 2,
    label_pad: 3,
    clearance: 2,
    margin: 0,
};

/// The picture, or `None` if it is wider than the style allows.
pub(crate) fn horizontal(diagram: &Diagram, style: &TextStyle) -> Option<String> {
    let layout = Layout::new(diagram, &METRICS);
    let width = usize::try_from(layout.width).ok()?;
    if style.width.is_some_and(|most| width > most) {
        return None;
    }
    let rows = RowNumbers::new(diagram, &layout);
    let mut canvas = Canvas::new(width, rows.n_rows);
    draw_links(diagram, &layout, &rows, style, &mut canvas);
    draw_stubs(diagram, &layout, &rows, style, &mut canvas);
    draw_words(diagram, &layout, &rows, &mut canvas);
    draw_groups(diagram, &layout, &rows, &mut canvas);
    draw_relations(diagram, &layout, &rows, style, &mut canvas);
    draw_label_rows(diagram, &layout, &rows, &mut canvas);
    let mut out = String::new();
    for row in 0..canvas.height() {
        write_line(&canvas.row(row, style.unicode), style, &mut out);
    }
    write_notes(diagram, style, &mut out);
    Some(out)
}

/// Row numbers from the top.
struct RowNumbers {
    top_level: usize,
    n_levels: usize,
    words: usize,
    tags: usize,
    /// The row of each level of groups. Where arrows point at groups of a level, the row below it is left for them.
    groups: Vec<usize>,
    /// The first level of relations.
    relations: usize,
    labels: usize,
    n_rows: usize,
}

impl RowNumbers {
    fn new(diagram: &Diagram, layout: &Layout) -> Self {
        let top_level = usize::from(!diagram.stubs.is_empty());
        let n_levels = layout.n_link_levels;
        let arrows = usize::from(n_levels + top_level > 0);
        let words = top_level + n_levels + arrows;
        let has_tags = diagram.words.iter().any(|word| !word.tag.is_empty());
        let tags = words + usize::from(has_tags);
        let mut next = tags + 1;
        let mut groups = Vec::with_capacity(layout.n_group_levels);
        for level in 0..layout.n_group_levels {
            groups.push(next);
            next += 1 + usize::from(is_pointed_at(diagram, layout, level));
        }
        let labels = next + layout.n_below_levels;
        let n_rows = labels + diagram.rows.len();
        Self { top_level, n_levels, words, tags, groups, relations: next, labels, n_rows }
    }

    fn level(&self, level: usize) -> usize {
        self.top_level + self.n_levels - 1 - level
    }

    /// The row of the line of a group.
    fn line_of(&self, end: End, layout: &Layout) -> usize {
        match end {
            End::Group(group) => self.groups[layout.groups[group].level],
            End::Word(_) => self.tags,
        }
    }

    fn arrows(&self) -> usize {
        self.words.saturating_sub(1)
    }
}

fn is_pointed_at(diagram: &Diagram, layout: &Layout, level: usize) -> bool {
    let relations = diagram.links.iter().filter(|link| link.kind.is_below());
    relations
        .into_iter()
        .any(|link| matches!(link.dependent, End::Group(group) if layout.groups[group].level == level))
}

fn draw_links(diagram: &Diagram, layout: &Layout, rows: &RowNumbers, style: &TextStyle, canvas: &mut Canvas) {
    for (link, place) in diagram.links.iter().zip(&layout.links).filter(|(link, _)| !link.kind.is_below()) {
        let row = rows.level(place.level);
        let (head, dependent) = (at(place.head), at(place.dependent));
        canvas.along(row, head, dependent, Ink::Arc, false);
        canvas.down(head, row, rows.arrows(), Ink::Arc, false);
        canvas.down(dependent, row, rows.arrows(), Ink::Arc, false);
        canvas.sign(dependent, rows.arrows(), arrow(style), Ink::Arc);
        canvas.text(at(place.label.lo), row, TextPiece::new(link.caption(), Ink::Label));
    }
}

fn draw_stubs(diagram: &Diagram, layout: &Layout, rows: &RowNumbers, style: &TextStyle, canvas: &mut Canvas) {
    for (stub, place) in diagram.stubs.iter().zip(&layout.stubs) {
        let ink = if stub.is_root { Ink::Root } else { Ink::Forbidden };
        if rows.arrows() > 0 {
            canvas.down(at(place.x), 0, rows.arrows(), ink, !stub.is_root);
        }
        canvas.sign(at(place.x), rows.arrows(), arrow(style), ink);
        canvas.text(at(place.label.lo), 0, TextPiece::new(stub.caption(), ink));
    }
}

fn draw_words(diagram: &Diagram, layout: &Layout, rows: &RowNumbers, canvas: &mut Canvas) {
    for (word, place) in diagram.words.iter().zip(&layout.words) {
        let centred = |text: &str| at(place.lo + (place.width - cells(text)) / 2);
        canvas.text(centred(&word.form), rows.words, TextPiece::new(&word.form, Ink::Plain));
        if rows.tags > rows.words {
            canvas.text(centred(&word.tag), rows.tags, TextPiece::new(&word.tag, Ink::Tag));
        }
    }
}

/// From the end of one entity's line down, along and up to the other's.
fn draw_relations(
    diagram: &Diagram,
    layout: &Layout,
    rows: &RowNumbers,
    style: &TextStyle,
    canvas: &mut Canvas,
) {
    for (link, place) in diagram.links.iter().zip(&layout.links).filter(|(link, _)| link.kind.is_below()) {
        let row = rows.relations + place.level;
        let (head, dependent) = (at(place.head), at(place.dependent));
        canvas.along(row, head, dependent, Ink::Relation, false);
        canvas.down(head, rows.line_of(link.head, layout), row, Ink::Relation, false);
        let tip = rows.line_of(link.dependent, layout) + 1;
        canvas.down(dependent, tip, row, Ink::Relation, false);
        canvas.sign(dependent, tip, if style.unicode { '▲' } else { '^' }, Ink::Relation);
        canvas.text(at(place.label.lo), row, TextPiece::new(link.caption(), Ink::Relation));
    }
}

/// A line from the first label of a row to the last, with the labels on it.
fn draw_label_rows(diagram: &Diagram, layout: &Layout, rows: &RowNumbers, canvas: &mut Canvas) {
    for (index, (row, places)) in diagram.rows.iter().zip(&layout.rows).enumerate() {
        let y = rows.labels + index;
        if let (Some(first), Some(last)) = (places.first(), places.last()) {
            canvas.along(y, at(first.middle()), at(last.middle()), Ink::Faint, false);
        }
        for (label, place) in row.labels.iter().zip(places) {
            // The line stops one cell before a label.
            for beside in [place.lo - 1, place.hi()].into_iter().filter_map(|x| usize::try_from(x).ok()) {
                canvas.sign(beside, y, ' ', Ink::Plain);
            }
            let ink = label_ink(label.kind);
            canvas.text(at(place.lo), y, TextPiece::new(label.bracketed(), ink));
        }
    }
}

pub(crate) fn label_ink(kind: LabelKind) -> Ink {
    match kind {
        LabelKind::Sense => Ink::Sense,
        LabelKind::Role => Ink::Label,
        LabelKind::Open => Ink::Faint,
    }
}

/// A multiword token is a line that turns up at both ends, with its form in the middle.
fn draw_groups(diagram: &Diagram, layout: &Layout, rows: &RowNumbers, canvas: &mut Canvas) {
    for (group, place) in diagram.groups.iter().zip(&layout.groups) {
        let row = rows.groups[place.level];
        let (lo, hi) = (at(place.line.lo), at(place.line.hi() - 1));
        let ink = group_ink(group.kind);
        canvas.along(row, lo, hi, ink, !matches!(group.kind, BracketKind::Range | BracketKind::Entity));
        canvas.hook_up(lo, row);
        canvas.hook_up(hi, row);
        canvas.text(at(place.label.lo), row, TextPiece::new(group.caption(), ink));
    }
}

fn arrow(style: &TextStyle) -> char {
    if style.unicode { '▼' } else { 'v' }
}

fn at(x: i64) -> usize {
    usize::try_from(x).unwrap_or(0)
}
