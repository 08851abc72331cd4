//! Arc diagrams as SVG.

use crate::diagram::{BracketKind, Diagram, End, GroupBracket, Link, LinkKind, Role};
use crate::direction::has_rtl;
use crate::layout::{GroupPlace, Layout, LinkPlace, Metrics};
use crate::measure::{pixels, to_units};
use crate::svg::{Svg, SvgStyle};
use tree::PutInOrder;

/// Sizes in pixels; texts as in the style sheet.
pub(crate) const METRICS: Metrics = Metrics {
    form: |text| pixels(text, 16),
    tag: |text| pixels(text, 11),
    label: |text| pixels(text, 12),
    port_gap: 10,
    word_gap: 22,
    edge_gap: 12,
    label_pad: 20,
    clearance: 10,
    margin: 16,
};

const LEVEL: i64 = 24;
const GROUP_LEVEL: i64 = 32;
const RADIUS: i64 = 8;

/// The picture; the first word of a right-to-left sentence stands rightmost.
pub(crate) fn svg(diagram: &Diagram, style: &SvgStyle) -> String {
    let layout = Layout::new(diagram, &METRICS);
    let layout = if diagram.rtl { layout.mirrored() } else { layout };
    let heights = Heights::new(diagram, &layout);
    let description = diagram.description();
    let svg = Svg::new(layout.width, heights.bottom, &diagram.title, &description, style);
    let mut handled = Handled { svg, handles: style.handles };
    draw_groups(diagram, &layout, &heights, &mut handled);
    draw_stub_lines(diagram, &layout, &heights, &mut handled);
    draw_links(diagram, &layout, &heights, &mut handled);
    draw_words(diagram, &layout, &heights, &mut handled);
    draw_labels(diagram, &layout, &heights, &mut handled);
    handled.svg.finish()
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
    bottom: i64,
}

impl Heights {
    fn new(diagram: &Diagram, layout: &Layout) -> Self {
        let stubs = if diagram.stubs.is_empty() { 0 } else { LEVEL };
        let n_levels = to_units(layout.n_link_levels);
        let top_level = METRICS.margin + stubs;
        let tips = top_level + n_levels * LEVEL + if n_levels + stubs > 0 { 6 } else { 0 };
        let forms = tips + 18;
        let has_tags = diagram.words.iter().any(|word| !word.tag.is_empty());
        let tags = forms + 15;
        let below = if has_tags { tags + 6 } else { forms + 8 };
        let bottom = below + to_units(layout.n_group_levels) * GROUP_LEVEL + METRICS.margin / 2;
        Self { top_level, tips, forms, tags, below, bottom }
    }

    fn level(&self, level: usize, layout: &Layout) -> i64 {
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
        let y = heights.level(place.level, layout);
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
            }
        });
    }
}

/// Up from the head, along the level, down to the dependent, with round corners.
fn arc_path(place: &LinkPlace, y: i64, from: i64, to: i64) -> String {
    let (head, dependent) = (place.head, place.dependent);
    let radius = RADIUS.min((dependent - head).abs() / 2);
    let step = if head < dependent { radius } else { -radius };
    format!(
        "M{head} {from}V{}Q{head} {y} {} {y}H{}Q{dependent} {y} {dependent} {}V{to}",
        y + radius,
        head + step,
        dependent - step,
        y + radius
    )
}

fn link_class(kind: LinkKind) -> &'static str {
    match kind {
        LinkKind::Said => "arc",
        LinkKind::Forbidden => "forbidden",
        LinkKind::Anaphora => "anaphora",
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
        let y = heights.level(place.level, layout);
        handled.part(link_part(link), &handles_of(Some(link.head), link.dependent), |svg| {
            svg.blank(place.label.lo - 2, y - 7, label_width(place.label.width), 14);
            svg.text("label", place.label.middle(), y + 4, &link.caption(), false);
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
            svg.blank(place.label.lo, y, place.label.width, 12);
            svg.text("label", place.label.middle(), y + 10, &group.name, has_rtl(&group.name));
        });
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
    }
}
