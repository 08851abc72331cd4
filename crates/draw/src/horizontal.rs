//! An arc diagram in a terminal: words in a row, arcs above, multiword tokens below.

use crate::canvas::{Canvas, Ink, TextPiece, TextStyle, write_line};
use crate::diagram::{BracketKind, Diagram};
use crate::layout::{Layout, Metrics};
use crate::measure::cells;

pub(crate) const METRICS: Metrics = Metrics {
    form: cells,
    tag: cells,
    label: cells,
    port_gap: 2,
    word_gap: 2,
    edge_gap: 1,
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
    let mut out = String::new();
    for row in 0..canvas.height() {
        write_line(&canvas.row(row, style.unicode), style, &mut out);
    }
    Some(out)
}

/// Row numbers from the top.
struct RowNumbers {
    top_level: usize,
    n_levels: usize,
    words: usize,
    tags: usize,
    groups: usize,
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
        let groups = tags + 1;
        Self { top_level, n_levels, words, tags, groups, n_rows: groups + layout.n_group_levels }
    }

    fn level(&self, level: usize) -> usize {
        self.top_level + self.n_levels - 1 - level
    }

    fn arrows(&self) -> usize {
        self.words.saturating_sub(1)
    }
}

fn draw_links(diagram: &Diagram, layout: &Layout, rows: &RowNumbers, style: &TextStyle, canvas: &mut Canvas) {
    for (link, place) in diagram.links.iter().zip(&layout.links) {
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

/// A multiword token is a line that turns up at both ends, with its form in the middle.
fn draw_groups(diagram: &Diagram, layout: &Layout, rows: &RowNumbers, canvas: &mut Canvas) {
    for (group, place) in diagram.groups.iter().zip(&layout.groups) {
        let row = rows.groups + place.level;
        let (lo, hi) = (at(place.line.lo), at(place.line.hi() - 1));
        canvas.along(row, lo, hi, Ink::Range, group.kind != BracketKind::Range);
        canvas.hook_up(lo, row);
        canvas.hook_up(hi, row);
        canvas.text(at(place.label.lo), row, TextPiece::new(&group.name, Ink::Range));
    }
}

fn arrow(style: &TextStyle) -> char {
    if style.unicode { '▼' } else { 'v' }
}

fn at(x: i64) -> usize {
    usize::try_from(x).unwrap_or(0)
}
