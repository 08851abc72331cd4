//! Arc diagrams as SVG.

use crate::constituency::{Constituency, TreeLayout};
use crate::diagram::{BracketKind, Diagram, End, GroupBracket, LabelKind, Link, LinkKind, Note, Role};
use crate::direction::has_rtl;
use crate::layout::{GroupPlace, Layout, LinkPlace, Metrics};
use crate::measure::{pixels, to_units, wrap};
use crate::svg::{Svg, SvgStyle};
use crate::svg_tree::{self, base_line};
use tree::PutInOrder;

/// Sizes in pixels; texts as in the style sheet.
pub(crate) const METRICS: Metrics = Metrics {
    form: |text| pixels(text, 16),
    tag: |text| pixels(text, 11),
    label: |text| pixels(text, 12),
    node: Some(|text| pixels(text, 13)),
    port_gap: 10,
    word_gap: 22,
    edge_gap: 12,
    box_pad: 14,
    label_pad: 20,
    clearance: 10,
    margin: 16,
};

const LEVEL: i64 = 24;
const GROUP_LEVEL: i64 = 32;
const RADIUS: i64 = 8;
const LABEL_ROW: i64 = 28;
const NOTE_ROW: i64 = 18;
const NOTE_INDENT: i64 = 12;
/// Notes make a picture at least so wide.
const NOTE_WIDTH: i64 = 420;

/// The picture; the first word of a right-to-left sentence stands rightmost.
pub(crate) fn svg(diagram: &Diagram, style: &SvgStyle) -> String {
    let layout = Layout::new(diagram, &METRICS);
    let layout = if diagram.rtl { layout.mirrored() } else { layout };
    let notes = Notes::new(diagram, layout.width);
    let heights = Heights::new(diagram, &layout);
    let bottom = heights.bottom + notes.height();
    let description = diagram.description();
    let svg = Svg::new(layout.width.max(notes.width), bottom, &diagram.title, &description, style);
    let mut handled = Handled { svg, handles: style.handles };
    if let Some(tree) = &diagram.tree {
        draw_tree(tree, &layout, &mut handled.svg);
    }
    draw_groups(diagram, &layout, &heights, &mut handled);
    draw_stub_lines(diagram, &layout, &heights, &mut handled);
    draw_links(diagram, &layout, &heights, &mut handled);
    draw_words(diagram, &layout, &heights, &mut handled);
    draw_labels(diagram, &layout, &heights, &mut handled);
    draw_label_rows(diagram, &layout, &heights, &mut handled.svg);
    notes.draw(heights.bottom, &mut handled.svg);
    handled.svg.finish()
}

/// The constituents; the words are drawn as those of all arc diagrams.
fn draw_tree(tree: &Constituency, layout: &Layout, svg: &mut Svg) {
    let x = layout.nodes.iter().map(|node| node.middle()).collect();
    let (row, width) = (layout.node_rows.clone(), layout.width);
    let n_rows = row.iter().max().map_or(0, |&row| row + 1);
    svg_tree::draw_tree(tree, &TreeLayout { x, row, width, n_rows }, false, svg);
}

/// What is told below the picture, in lines.
struct Notes {
    /// Class, indentation and text.
    lines: Vec<(&'static str, i64, String)>,
    width: i64,
}

impl Notes {
    fn new(diagram: &Diagram, width: i64) -> Self {
        let most = width.max(NOTE_WIDTH) - 2 * METRICS.margin - NOTE_INDENT;
        let mut lines = Vec::new();
        for note in &diagram.notes {
            let class = if matches!(note, Note::Fault(_)) { "note fault" } else { "note" };
            let text = format!("{} {}", note.sign(), note.text());
            let wrapped = wrap(&text, most, METRICS.label).into_iter().enumerate();
            lines.extend(wrapped.map(|(row, line)| (class, if row > 0 { NOTE_INDENT } else { 0 }, line)));
        }
        let widest = lines.iter().map(|(_, indent, line)| indent + (METRICS.label)(line)).max();
        Self { lines, width: widest.map_or(0, |widest| widest + 2 * METRICS.margin) }
    }

    fn height(&self) -> i64 {
        if self.lines.is_empty() { 0 } else { to_units(self.lines.len()) * NOTE_ROW + METRICS.margin / 2 }
    }

    fn draw(&self, top: i64, svg: &mut Svg) {
        for (row, (class, indent, line)) in (1..).zip(&self.lines) {
            svg.text(class, METRICS.margin + indent, top + row * NOTE_ROW - 4, line, false);
        }
    }
}

/// A picture whose parts can be pointed at, if that is wanted.
struct Handled {
    svg: Svg,
    handles: bool,
}

impl Handled {
    /// Draws something that can be pointed at by these numbers.
    fn part(&mut self, class: &str, handles: &[(&str, usize)], draw: impl FnOnce(&mut Svg)) {
        if self.handles {
            self.svg.open(class, handles);
        }
        draw(&mut self.svg);
        if self.handles {
            self.svg.close();
        }
    }
}

/// By which an arc can be pointed at: words from 1, the root 0; ends that are groups have no number of that kind.
fn handles_of(head: Option<End>, dependent: End) -> Vec<(&'static str, usize)> {
    let mut handles = Vec::new();
    if let End::Word(word) = dependent {
        handles.push(("dependent", word + 1));
    }
    match head {
        None => handles.push(("head", 0)),
        Some(End::Word(word)) => handles.push(("head", word + 1)),
        Some(End::Group(_)) => {}
    }
    handles
}

fn link_part(link: &Link) -> &'static str {
    match (link.kind, link.confidence) {
        (LinkKind::Said, Some(_)) => "link faint",
        (LinkKind::Said, None) => "link said",
        (LinkKind::Forbidden, _) => "link forbidden",
        (LinkKind::Anaphora, _) => "link anaphora",
        (LinkKind::Relation, _) => "link relation",
    }
}

/// Where everything stands from top to bottom.
struct Heights {
    top_level: i64,
    /// Where arcs end above words.
    tips: i64,
    /// Base line of the forms.
    forms: i64,
    tags: i64,
    /// Below forms and tags.
    below: i64,
    /// Below groups, where relations begin.
    relations: i64,
    /// Below relations, where predicates begin.
    rows: i64,
    bottom: i64,
}

impl Heights {
    fn new(diagram: &Diagram, layout: &Layout) -> Self {
        let stubs = if diagram.stubs.is_empty() { 0 } else { LEVEL };
        let n_levels = to_units(layout.n_link_levels);
        let top_level = METRICS.margin + stubs;
        let tips = top_level + n_levels * LEVEL + if n_levels + stubs > 0 { 6 } else { 0 };
        let forms = match layout.node_rows.iter().max() {
            Some(&row) => base_line(row),
            None => tips + 18,
        };
        let has_tags = diagram.words.iter().any(|word| !word.tag.is_empty());
        let tags = forms + 15;
        let below = if has_tags { tags + 6 } else { forms + 8 };
        let relations = below + to_units(layout.n_group_levels) * GROUP_LEVEL;
        let n_below = to_units(layout.n_below_levels);
        let rows = relations + n_below * LEVEL + if n_below > 0 { 6 } else { 0 };
        let bottom = rows + to_units(diagram.rows.len()) * LABEL_ROW + METRICS.margin / 2;
        Self { top_level, tips, forms, tags, below, relations, rows, bottom }
    }

    fn link(&self, link: &Link, level: usize, layout: &Layout) -> i64 {
        if link.kind.is_below() {
            return self.relations + to_units(level) * LEVEL + LEVEL * 2 / 3;
        }
        self.top_level + (to_units(layout.n_link_levels) - 1 - to_units(level)) * LEVEL + LEVEL / 3
    }

    fn stubs(&self) -> i64 {
        METRICS.margin + 4
    }

    fn group(&self, place: &GroupPlace) -> i64 {
        self.below + to_units(place.level) * GROUP_LEVEL + GROUP_LEVEL / 2
    }

    /// Where an arc comes down to this end: above a word, or on the line of a group.
    fn end(&self, end: End, layout: &Layout) -> i64 {
        match end {
            End::Word(_) => self.tips,
            End::Group(group) => self.group(&layout.groups[group]),
        }
    }
}

fn draw_links(diagram: &Diagram, layout: &Layout, heights: &Heights, handled: &mut Handled) {
    // Higher arcs first, so that where lines cross the shorter arc is on top.
    let mut order: Vec<usize> = (0..diagram.links.len()).collect();
    order.order_by_key(|&index| std::cmp::Reverse(layout.links[index].level));
    for index in order {
        let (link, place) = (&diagram.links[index], &layout.links[index]);
        let y = heights.link(link, place.level, layout);
        let (from, to) = (heights.end(link.head, layout), heights.end(link.dependent, layout));
        let class = link_class(link.kind);
        let opacity = link.confidence.map(|p| 0.25 + 0.75 * p);
        let path = arc_path(place, y, from, to);
        let has_handles = handled.handles;
        handled.part(link_part(link), &handles_of(Some(link.head), link.dependent), |svg| {
            if has_handles {
                svg.path("hit", &path, None);
            }
            svg.path(class, &path, opacity);
            match link.kind {
                LinkKind::Said => svg.tip("arc", place.dependent, to),
                LinkKind::Forbidden => {
                    let (x, y) = (place.dependent, to - 6);
                    let cross = format!("M{} {}l10 10m0 -10l-10 10", x - 5, y - 5);
                    svg.path("cross", &cross, None);
                }
                LinkKind::Anaphora => {}
                LinkKind::Relation => svg.tip_up("relation", place.dependent, to + 1),
            }
        });
    }
}

/// From the head to its level, along it, and to the dependent, with round corners.
fn arc_path(place: &LinkPlace, y: i64, from: i64, to: i64) -> String {
    let (head, dependent) = (place.head, place.dependent);
    let radius = RADIUS.min((dependent - head).abs() / 2);
    let step = if head < dependent { radius } else { -radius };
    let bend = if y < from { y + radius } else { y - radius };
    format!(
        "M{head} {from}V{bend}Q{head} {y} {} {y}H{}Q{dependent} {y} {dependent} {bend}V{to}",
        head + step,
        dependent - step,
    )
}

fn link_class(kind: LinkKind) -> &'static str {
    match kind {
        LinkKind::Said => "arc",
        LinkKind::Forbidden => "forbidden",
        LinkKind::Anaphora => "anaphora",
        LinkKind::Relation => "relation",
    }
}

fn draw_stub_lines(diagram: &Diagram, layout: &Layout, heights: &Heights, handled: &mut Handled) {
    for (stub, place) in diagram.stubs.iter().zip(&layout.stubs) {
        let class = if stub.is_root { "root" } else { "missing" };
        let (x, y, to) = (place.x, heights.stubs() + 6, heights.end(stub.at, layout));
        let part = if stub.confidence.is_some() { "link faint" } else { "link said" };
        let has_handles = handled.handles;
        handled.part(part, &handles_of(None, stub.at), |svg| {
            let path = format!("M{x} {y}V{to}");
            if has_handles {
                svg.path("hit", &path, None);
            }
            svg.path(class, &path, stub.confidence.map(|p| 0.25 + 0.75 * p));
            svg.tip(class, x, to);
        });
    }
}

fn draw_words(diagram: &Diagram, layout: &Layout, heights: &Heights, handled: &mut Handled) {
    for (number, (word, place)) in (1..).zip(diagram.words.iter().zip(&layout.words)) {
        let class = if word.mentioned { "form" } else { "form open" };
        handled.part("word", &[("word", number)], |svg| {
            svg.text(class, place.middle(), heights.forms, &word.form, diagram.rtl);
            svg.text("tag", place.middle(), heights.tags, &word.tag, false);
        });
    }
}

/// Labels come last, on paper of their own.
fn draw_labels(diagram: &Diagram, layout: &Layout, heights: &Heights, handled: &mut Handled) {
    for (link, place) in diagram.links.iter().zip(&layout.links) {
        let y = heights.link(link, place.level, layout);
        let class = if link.kind == LinkKind::Relation { "relation label" } else { "label" };
        handled.part(link_part(link), &handles_of(Some(link.head), link.dependent), |svg| {
            svg.blank(place.label.lo - 2, y - 7, label_width(place.label.width), 14);
            svg.text(class, place.label.middle(), y + 4, &link.caption(), false);
        });
    }
    for (stub, place) in diagram.stubs.iter().zip(&layout.stubs) {
        let part = if stub.confidence.is_some() { "link faint" } else { "link said" };
        handled.part(part, &handles_of(None, stub.at), |svg| {
            svg.text("label", place.label.middle(), heights.stubs(), &stub.caption(), false);
        });
    }
    for (group, place) in diagram.groups.iter().zip(&layout.groups) {
        let y = heights.group(place) + 3;
        handled.part("group", &[("bracket", group.group)], |svg| {
            let (class, caption) = (name_class(group.kind), group.caption());
            svg.blank(place.label.lo, y, place.label.width, 12);
            svg.text(class, place.label.middle(), y + 10, &caption, has_rtl(&caption));
        });
    }
}

fn name_class(kind: BracketKind) -> &'static str {
    match kind {
        BracketKind::Entity => "entity label",
        BracketKind::Open => "tag",
        _ => "label",
    }
}

/// A line from the first label of a row to the last, with the labels on it; the predicate is in a box.
fn draw_label_rows(diagram: &Diagram, layout: &Layout, heights: &Heights, svg: &mut Svg) {
    for ((row, places), number) in diagram.rows.iter().zip(&layout.rows).zip(0..) {
        let y = heights.rows + number * LABEL_ROW + LABEL_ROW / 2;
        let (first, last) =
            (places.iter().map(|place| place.middle()), places.iter().map(|place| place.middle()));
        if let (Some(first), Some(last)) = (first.min(), last.max()) {
            svg.path("row", &format!("M{first} {y}H{last}"), None);
        }
        for (label, place) in row.labels.iter().zip(places) {
            let (top, height) = (y - 10, 20);
            let class = match label.kind {
                LabelKind::Sense => "sense label",
                LabelKind::Role => "label",
                LabelKind::Open => "tag",
            };
            if label.kind == LabelKind::Sense {
                svg.round_box("sense", (place.lo, top), (place.width, height));
            } else {
                svg.blank(place.lo - 4, top, place.width + 8, height);
            }
            let caption = label.caption();
            svg.text(class, place.middle(), y + 4, &caption, has_rtl(&caption));
        }
    }
}

fn label_width(width: i64) -> i64 {
    if width > 0 { width + 4 } else { 0 }
}

/// A line below the words with a tick up to each member.
fn draw_groups(diagram: &Diagram, layout: &Layout, heights: &Heights, handled: &mut Handled) {
    for (group, place) in diagram.groups.iter().zip(&layout.groups) {
        handled.part("group", &[("bracket", group.group)], |svg| {
            draw_group(diagram, layout, heights, (group, place), svg)
        });
    }
}

fn draw_group(
    diagram: &Diagram,
    layout: &Layout,
    heights: &Heights,
    (group, place): (&GroupBracket, &GroupPlace),
    svg: &mut Svg,
) {
    let (y, class) = (heights.group(place), group_class(group.kind));
    if matches!(group.kind, BracketKind::Entity | BracketKind::Open) {
        let (lo, hi, up) = (place.line.lo, place.line.hi(), y - 7);
        let opacity = group.confidence.map(|p| 0.25 + 0.75 * p);
        svg.path(class, &format!("M{lo} {up}V{y}H{hi}V{up}"), opacity);
        return;
    }
    svg.path(class, &format!("M{} {y}H{}", place.line.lo, place.line.hi()), None);
    for &(member, role) in &group.members {
        let (x, top) = match member {
            End::Word(word) => (layout.words[word].middle(), heights.below),
            End::Group(inner) => {
                let inner = &layout.groups[inner];
                // Near the end where reading begins, where no label stands.
                let x = if diagram.rtl { inner.line.hi() - 5 } else { inner.line.lo + 5 };
                (x, heights.group(inner))
            }
        };
        if top < y {
            svg.path(class, &format!("M{x} {top}V{y}"), None);
            draw_role(role, x, y, if diagram.rtl { -1 } else { 1 }, svg);
        }
    }
}

/// The sign of a role stands on the side where reading goes on.
fn draw_role(role: Role, x: i64, y: i64, onward: i64, svg: &mut Svg) {
    match role {
        Role::Member => {}
        Role::Head => svg.text("mark", x + 7 * onward, y, "*", false),
        Role::Conjunct => svg.dot(x, y),
        Role::Coordinator => svg.text("label", x + 9 * onward, y - 4, "&", false),
    }
}

fn group_class(kind: BracketKind) -> &'static str {
    match kind {
        BracketKind::Range => "range",
        BracketKind::Multiword => "multiword",
        BracketKind::Bracket => "bracket",
        BracketKind::Coordination => "coordination",
        BracketKind::Entity => "entity",
        BracketKind::Open => "unsaid",
    }
}
