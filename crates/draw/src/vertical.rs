//! An arc diagram in a terminal, one word per line: arcs in the left margin, brackets to the right.

use crate::canvas::{Canvas, Ink, TextPiece, TextStyle, write_line};
use crate::columns::{Column, Columns, n_levels};
use crate::diagram::{BracketKind, Diagram, End, LinkKind, Role};
use crate::direction::has_rtl;
use crate::levels::Touch;
use crate::measure::{cells, clip, to_units};
use crate::notes::{write_entities, write_notes, write_told};
use tree::PutInOrder;

/// The picture. It keeps to the width of the style: where room is short, parts of speech are left out, then
/// the highest arcs (down to a quarter of the width), and at last ends of lines. An arc that is left out is
/// still named at the end of the dependent's line.
pub(crate) fn vertical(diagram: &Diagram, style: &TextStyle) -> String {
    let (mut out, is_cut) = lines(&diagram.without_relations(), style);
    if is_cut {
        write_entities(diagram, style, &mut out);
    }
    write_told(diagram, style, &mut out);
    write_notes(diagram, style, &mut out);
    out
}

/// One line for each word, and whether some names of groups had no room.
fn lines(diagram: &Diagram, style: &TextStyle) -> (String, bool) {
    let columns = Columns::new(diagram);
    let table = LineTable::new(diagram, &columns, style);
    let brackets = brackets(diagram, &columns, style);
    let arcs = arcs(diagram, &columns, style, table.width(style));
    let (mut out, mut is_cut) = (String::new(), false);
    for row in 0..columns.columns.len() {
        let mut pieces = arcs.row(row, style.unicode);
        pieces.extend(table.words(row));
        pieces.extend(brackets.row(row, style.unicode));
        is_cut |=
            style.width.is_some_and(|width| width_of(&pieces) + 1 + table.names_width > to_units(width));
        pieces.extend(table.relations(row));
        write_line(&pieces, style, &mut out);
    }
    (out, is_cut)
}

fn width_of(pieces: &[TextPiece]) -> i64 {
    pieces.iter().map(|piece| cells(&piece.text)).sum()
}

/// Arcs from top to bottom. Two arcs never share a column at a word, so that a corner belongs to one arc
/// and `┼` is always a crossing.
fn arcs(diagram: &Diagram, columns: &Columns, style: &TextStyle, table_width: usize) -> Canvas {
    let levels = columns.link_levels(diagram, Touch::Forbidden);
    let room = style.width.map_or(usize::MAX, |width| width.saturating_sub(table_width).max(width / 4));
    let n_shown = n_levels(&levels).min(room.saturating_sub(3) / 2);
    let word = 2 * n_shown + 2;
    let mut canvas = Canvas::new(word + 1, columns.columns.len());
    for ((link, &(head, dependent)), &level) in diagram.links.iter().zip(&columns.links).zip(&levels) {
        if level >= n_shown {
            continue;
        }
        let x = 2 * (n_shown - 1 - level) + 1;
        let (ink, dashed) = link_ink(link.kind);
        canvas.down(x, head, dependent, ink, dashed);
        canvas.along(head, x, word, ink, dashed);
        canvas.along(dependent, x, word, ink, dashed);
    }
    draw_signs(diagram, columns, style, word, &mut canvas);
    canvas
}

fn draw_signs(diagram: &Diagram, columns: &Columns, style: &TextStyle, x: usize, canvas: &mut Canvas) {
    let pick = |unicode, ascii| if style.unicode { unicode } else { ascii };
    for (word, &row) in diagram.words.iter().zip(&columns.words) {
        if !word.mentioned {
            canvas.sign(x, row, pick('·', '.'), Ink::Faint);
        }
    }
    let pointing = |wanted| {
        let links = diagram.links.iter().zip(&columns.links);
        links.filter(move |(link, _)| link.kind == wanted).map(|(_, &(_, dependent))| dependent)
    };
    for row in pointing(LinkKind::Forbidden) {
        canvas.sign(x, row, pick('×', 'x'), Ink::Forbidden);
    }
    for row in pointing(LinkKind::Said) {
        canvas.sign(x, row, pick('►', '>'), Ink::Arc);
    }
    for (stub, &row) in diagram.stubs.iter().zip(&columns.stubs) {
        let ink = if stub.is_root { Ink::Root } else { Ink::Forbidden };
        if stub.is_root {
            canvas.along(row, 0, x, ink, false);
        }
        canvas.sign(x, row, pick('►', '>'), ink);
    }
}

fn link_ink(kind: LinkKind) -> (Ink, bool) {
    match kind {
        LinkKind::Said => (Ink::Arc, false),
        LinkKind::Forbidden => (Ink::Forbidden, true),
        LinkKind::Anaphora => (Ink::Faint, true),
        LinkKind::Relation => (Ink::Relation, false),
    }
}

/// Groups as lines beside the words they hold; a line is dashed where a word does not belong to it.
fn brackets(diagram: &Diagram, columns: &Columns, style: &TextStyle) -> Canvas {
    let levels = columns.group_levels(diagram);
    let most = style.width.map_or(usize::MAX, |width| width / 3);
    let mut canvas = Canvas::new((2 * n_levels(&levels)).min(most), columns.columns.len());
    let x_of = |group: usize| 2 * levels[group] + 1;
    for (index, group) in diagram.groups.iter().enumerate() {
        let ((lo, hi), x, ink) = (columns.groups[index], x_of(index), group_ink(group.kind));
        canvas.down(x, lo, hi, ink, false);
        canvas.hook_left(x, lo);
        canvas.hook_left(x, hi);
        // Where the line of a group around it goes on, a single word would not be seen.
        if lo == hi && group.kind == BracketKind::Entity {
            canvas.sign(x, lo, ']', ink);
        }
        for row in [lo, hi].into_iter().filter(|&row| !matches!(columns.columns[row], Column::Word(_))) {
            canvas.along(row, 0, x, ink, false);
        }
        for row in lo..=hi {
            if matches!(columns.columns[row], Column::Word(word) if group.words.binary_search(&word).is_err())
            {
                canvas.dash(x, row);
            }
        }
        for &(member, role) in &group.members {
            let (row, from) = match member {
                End::Word(word) => (columns.words[word], 0),
                End::Group(inner) => (columns.groups[inner].0, x_of(inner)),
            };
            if from <= x {
                canvas.along(row, from, x, ink, false);
                if let Some(sign) = role_sign(role, style) {
                    canvas.sign(x - 1, row, sign, ink);
                }
            }
        }
    }
    canvas
}

fn role_sign(role: Role, style: &TextStyle) -> Option<char> {
    match role {
        Role::Member => None,
        Role::Head => Some('*'),
        Role::Conjunct => Some(if style.unicode { '●' } else { 'o' }),
        Role::Coordinator => Some('&'),
    }
}

pub(crate) fn group_ink(kind: BracketKind) -> Ink {
    match kind {
        BracketKind::Range => Ink::Range,
        BracketKind::Multiword => Ink::Multiword,
        BracketKind::Bracket => Ink::Bracket,
        BracketKind::Coordination => Ink::Coordination,
        BracketKind::Entity => Ink::Entity,
        BracketKind::Open => Ink::Faint,
    }
}

/// What stands in each line besides lines.
struct LineTable {
    lines: Vec<Line>,
    number_width: i64,
    form_width: i64,
    tag_width: i64,
    names_width: i64,
    brackets_width: i64,
}

#[derive(Default)]
struct Line {
    number: String,
    form: String,
    ink: Ink,
    isolate: bool,
    tag: String,
    /// Names of the groups that begin here, the innermost first.
    names: Vec<(String, Ink)>,
    relations: Vec<(String, Ink)>,
}

impl LineTable {
    fn new(diagram: &Diagram, columns: &Columns, style: &TextStyle) -> Self {
        let most = style.width.map_or(usize::MAX, |width| (width / 2).max(1));
        let line = |&column: &Column| Line::new(diagram, column, most, style);
        let mut lines: Vec<Line> = columns.columns.iter().map(line).collect();
        name_groups(diagram, columns, &mut lines);
        add_relations(diagram, columns, style, &mut lines);
        let widest = |width: &dyn Fn(&Line) -> i64| lines.iter().map(width).max().unwrap_or(0);
        let mut table = Self {
            number_width: widest(&|line| cells(&line.number)),
            form_width: widest(&|line| cells(&line.form)),
            tag_width: widest(&|line| cells(&line.tag)),
            names_width: widest(&|line| list_width(&line.names, 1)),
            brackets_width: 2 * n_levels(&columns.group_levels(diagram)) as i64,
            lines,
        };
        // Where room is short, relations matter more than parts of speech.
        if style.width.is_some_and(|width| table.width(style) + width / 4 > width) {
            table.tag_width = 0;
        }
        table
    }

    /// Cells that the widest line takes, without the arcs.
    fn width(&self, style: &TextStyle) -> usize {
        let tag = if self.tag_width > 0 { self.tag_width + 2 } else { 0 };
        let names = if self.names_width > 0 { self.names_width + 2 } else { 0 };
        let relations = self.lines.iter().map(|line| list_width(&line.relations, 2)).max().unwrap_or(0);
        let most = style.width.map_or(usize::MAX, |width| width / 3);
        let brackets = usize::try_from(self.brackets_width).unwrap_or(0).min(most);
        let fixed = 1 + self.number_width + 1 + self.form_width + tag + 1 + names + 2 + relations;
        usize::try_from(fixed).unwrap_or(0) + brackets
    }

    fn words(&self, row: usize) -> Vec<TextPiece> {
        let line = &self.lines[row];
        let form = TextPiece { isolate: line.isolate, ..TextPiece::new(&line.form, line.ink) };
        let mut pieces = vec![
            TextPiece::blank(1 + self.number_width - cells(&line.number)),
            TextPiece::new(format!("{} ", line.number), Ink::Faint),
            form,
            TextPiece::blank(self.form_width - cells(&line.form) + 1),
        ];
        if self.tag_width > 0 {
            pieces.push(TextPiece::new(format!(" {}", line.tag), Ink::Tag));
            pieces.push(TextPiece::blank(self.tag_width - cells(&line.tag) + 1));
        }
        pieces
    }

    fn relations(&self, row: usize) -> Vec<TextPiece> {
        let line = &self.lines[row];
        let mut pieces = Vec::new();
        if self.names_width > 0 {
            pieces.push(TextPiece::blank(1));
            push_list(&line.names, " ", &mut pieces);
            pieces.push(TextPiece::blank(self.names_width - list_width(&line.names, 1) + 1));
        }
        pieces.push(TextPiece::blank(1));
        push_list(&line.relations, ", ", &mut pieces);
        pieces
    }
}

impl Line {
    fn new(diagram: &Diagram, column: Column, most: usize, style: &TextStyle) -> Self {
        match column {
            Column::Word(index) => {
                let word = &diagram.words[index];
                let form = clip(&word.form, most, style.ellipsis());
                let ink = if word.mentioned { Ink::Plain } else { Ink::Faint };
                let (number, isolate) = ((index + 1).to_string(), has_rtl(&form));
                Self { number, form, ink, isolate, tag: word.tag.clone(), ..Self::default() }
            }
            Column::Before(group) | Column::After(group) => {
                let group = &diagram.groups[group];
                let form = clip(&group.name, most, style.ellipsis());
                Self { form, ink: group_ink(group.kind), ..Self::default() }
            }
        }
    }
}

fn name_groups(diagram: &Diagram, columns: &Columns, lines: &mut [Line]) {
    let levels = columns.group_levels(diagram);
    let mut inner_first: Vec<usize> = (0..diagram.groups.len()).collect();
    inner_first.order_by_key(|&group| levels[group]);
    for index in inner_first {
        let row = columns.groups[index].0;
        if matches!(columns.columns[row], Column::Word(_)) {
            let group = &diagram.groups[index];
            lines[row].names.push((group.caption(), group_ink(group.kind)));
        }
    }
}

fn add_relations(diagram: &Diagram, columns: &Columns, style: &TextStyle, lines: &mut [Line]) {
    let arrow = style.pick("←", "<-");
    for (link, &(_, row)) in diagram.links.iter().zip(&columns.links) {
        let head = diagram.short_name(link.head);
        let (text, ink) = match link.kind {
            LinkKind::Said => (format!("{} {arrow} {head}", link.caption()), Ink::Label),
            LinkKind::Forbidden => (format!("{} {arrow} {head}", style.pick("×", "x")), Ink::Forbidden),
            LinkKind::Anaphora => (format!("= {head}"), Ink::Faint),
            LinkKind::Relation => (format!("{} {head}", link.caption()), Ink::Relation),
        };
        lines[row].relations.push((text.trim_start().to_owned(), ink));
    }
    for (stub, &row) in diagram.stubs.iter().zip(&columns.stubs) {
        let ink = if stub.is_root { Ink::Root } else { Ink::Forbidden };
        lines[row].relations.push((stub.caption(), ink));
    }
    if !style.unicode {
        for (text, _) in lines.iter_mut().flat_map(|line| &mut line.relations) {
            *text = text.replace('→', "->").replace('←', "<-").replace('≠', "!");
        }
    }
}

fn list_width(items: &[(String, Ink)], separator: i64) -> i64 {
    let texts: i64 = items.iter().map(|(text, _)| cells(text)).sum();
    texts + separator * (items.len() as i64 - 1).max(0)
}

fn push_list(items: &[(String, Ink)], separator: &str, pieces: &mut Vec<TextPiece>) {
    for (index, (text, ink)) in items.iter().enumerate() {
        if index > 0 {
            pieces.push(TextPiece::new(separator, Ink::Plain));
        }
        pieces.push(TextPiece { isolate: has_rtl(text), ..TextPiece::new(text, *ink) });
    }
}
