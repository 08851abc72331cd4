//! SVG: the frame, the styles and the few shapes all pictures share.

use crate::clean::escape;
use std::fmt::Write;

/// How an SVG picture is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SvgStyle {
    /// Whether the picture carries its own style sheet. A page that has [`crate::CSS`] does without.
    pub css: bool,
    /// Constituency trees: whether all words stand in the last row.
    pub align_leaves: bool,
    /// Arc diagrams: whether words, arcs and groups can be pointed at. Then `<g class="word" data-word="3">`,
    /// `<g class="link" data-dependent="3" data-head="5">` and `<g class="group" data-bracket="0">` are around them, and each arc has a broad
    /// path without colour, of class `hit`.
    pub handles: bool,
}

impl Default for SvgStyle {
    fn default() -> Self {
        Self { css: true, align_leaves: true, handles: false }
    }
}

/// The style sheet of all pictures. Kinds of lines differ in dashes as well as in colours, and the colours
/// follow the reader's choice of light or dark.
pub const CSS: &str = "\
.treelet{font-family:system-ui,'Noto Sans','Noto Sans Arabic','Noto Sans Hebrew','Noto Sans Devanagari',\
'Noto Sans CJK SC','Noto Sans CJK JP','Noto Sans CJK KR',sans-serif;direction:ltr}
.treelet text{text-anchor:middle;fill:#1c1e21}
.treelet .paper{fill:#fff}
.treelet .form{font-size:16px}
.treelet .open{fill:#8a8f98;font-style:italic}
.treelet .tag{font-size:11px;fill:#5c6370}
.treelet .label{font-size:12px;fill:#1f3a5f}
.treelet .node{font-size:13px;fill:#1f3a5f}
.treelet path,.treelet circle{fill:none;stroke-width:1.4}
.treelet .arc{stroke:#4a6fa5}
.treelet .root{stroke:#2e7d32}
.treelet .missing{stroke:#b26a00;stroke-dasharray:2 3}
.treelet .forbidden{stroke:#c62828;stroke-dasharray:6 4}
.treelet .cross{stroke:#c62828;stroke-width:2.2}
.treelet .anaphora{stroke:#7a7f87;stroke-dasharray:2 3}
.treelet .range{stroke:#7a7f87}
.treelet .bracket{stroke:#1565c0}
.treelet .multiword{stroke:#2e7d32;stroke-width:3}
.treelet .coordination{stroke:#8e24aa;stroke-dasharray:8 3 2 3}
.treelet .entity{stroke:#00796b;stroke-width:2.2}
.treelet .entity.label{fill:#00574b;stroke:none;font-weight:bold}
.treelet .unsaid{stroke:#8a8f98;stroke-dasharray:2 3}
.treelet .relation{stroke:#8e24aa}
.treelet .relation.label{fill:#6a1b7a;stroke:none}
.treelet .row{stroke:#c3c8d0;stroke-width:1}
.treelet .sense{fill:#fdf0d5;stroke:#b26a00;stroke-width:1}
.treelet .sense.label{fill:#7a4900;stroke:none;font-weight:bold}
.treelet .note{font-size:12px;text-anchor:start;fill:#5c6370}
.treelet .note.fault{fill:#b3261e}
.treelet .branch{stroke:#7a7f87;stroke-width:1.2}
.treelet .tip{stroke:none}
.treelet .tip.arc{fill:#4a6fa5}
.treelet .tip.root{fill:#2e7d32}
.treelet .tip.relation{fill:#8e24aa}
.treelet .tip.missing{fill:#b26a00}
.treelet .dot{fill:#8e24aa;stroke:none}
.treelet .mark{font-size:15px;font-weight:bold}
@media(prefers-color-scheme:dark){
.treelet text{fill:#e6e6e6}
.treelet .paper{fill:#16181c}
.treelet .open{fill:#80868f}
.treelet .tag{fill:#a6adb8}
.treelet .label,.treelet .node{fill:#b9d3f5}
.treelet .arc{stroke:#7da7e0}
.treelet .root{stroke:#81c784}
.treelet .missing{stroke:#ffb74d}
.treelet .forbidden,.treelet .cross{stroke:#ef7070}
.treelet .bracket{stroke:#64b5f6}
.treelet .multiword{stroke:#81c784}
.treelet .coordination{stroke:#ce93d8}
.treelet .entity{stroke:#4db6ac}
.treelet .entity.label{fill:#80d8cd;stroke:none}
.treelet .relation{stroke:#ce93d8}
.treelet .relation.label{fill:#e1bee7;stroke:none}
.treelet .row{stroke:#4a505a}
.treelet .sense{fill:#3a2c12;stroke:#ffb74d}
.treelet .sense.label{fill:#ffd699;stroke:none}
.treelet .note{fill:#a6adb8}
.treelet .note.fault{fill:#ef9a9a}
.treelet .tip{stroke:none}
.treelet .tip.arc{fill:#7da7e0}
.treelet .tip.root{fill:#81c784}
.treelet .tip.relation{fill:#ce93d8}
.treelet .tip.missing{fill:#ffb74d}
.treelet .dot{fill:#ce93d8}
}
";

/// What a page adds to [`CSS`] if pictures have handles.
pub const HANDLES_CSS: &str = ".treelet .hit{stroke:transparent;stroke-width:14;pointer-events:stroke}\n";

/// A picture being written.
pub(crate) struct Svg {
    body: String,
}

impl Svg {
    /// The frame: size, title and description for screen readers, styles, background.
    pub(crate) fn new(width: i64, height: i64, title: &str, description: &str, style: &SvgStyle) -> Self {
        let css = if style.css { format!("<style>{CSS}</style>\n") } else { String::new() };
        let (title, description) = (escape(title), escape(description));
        let body = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"treelet\" role=\"img\" width=\"{width}\" \
             height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n<title>{title}</title>\n\
             <desc>{description}</desc>\n{css}<rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>\n"
        );
        Self { body }
    }

    /// A path; `opacity` below 1 makes it pale.
    pub(crate) fn path(&mut self, class: &str, path: &str, opacity: Option<f64>) {
        let opacity = opacity.map_or(String::new(), |opacity| format!(" stroke-opacity=\"{opacity:.2}\""));
        self.push(format_args!("<path class=\"{class}\" d=\"{path}\"{opacity}/>\n"));
    }

    /// A small triangle whose tip points down to (x, y).
    pub(crate) fn tip(&mut self, class: &str, x: i64, y: i64) {
        let (left, right, top) = (x - 4, x + 4, y - 7);
        self.push(format_args!("<path class=\"tip {class}\" d=\"M{x} {y}L{left} {top}H{right}Z\"/>\n"));
    }

    /// The same with its tip up.
    pub(crate) fn tip_up(&mut self, class: &str, x: i64, y: i64) {
        let (left, right, bottom) = (x - 4, x + 4, y + 7);
        self.push(format_args!("<path class=\"tip {class}\" d=\"M{x} {y}L{left} {bottom}H{right}Z\"/>\n"));
    }

    /// A box with round corners.
    pub(crate) fn round_box(&mut self, class: &str, (x, y): (i64, i64), (width, height): (i64, i64)) {
        self.push(format_args!(
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"4\"/>\n"
        ));
    }

    /// A filled dot.
    pub(crate) fn dot(&mut self, x: i64, y: i64) {
        self.push(format_args!("<circle class=\"dot\" cx=\"{x}\" cy=\"{y}\" r=\"3.5\"/>\n"));
    }

    /// A text whose middle is at x and whose base line is at y.
    pub(crate) fn text(&mut self, class: &str, x: i64, y: i64, text: &str, rtl: bool) {
        if text.is_empty() {
            return;
        }
        let direction = if rtl { " direction=\"rtl\"" } else { "" };
        let text = escape(text);
        self.push(format_args!("<text class=\"{class}\" x=\"{x}\" y=\"{y}\"{direction}>{text}</text>\n"));
    }

    /// Paper under a label, so that lines do not run through it.
    pub(crate) fn blank(&mut self, x: i64, y: i64, width: i64, height: i64) {
        if width > 0 {
            let size = format_args!("width=\"{width}\" height=\"{height}\"").to_string();
            self.push(format_args!("<rect class=\"paper\" x=\"{x}\" y=\"{y}\" {size}/>\n"));
        }
    }

    /// What follows until [`Svg::close`] can be pointed at.
    pub(crate) fn open(&mut self, class: &str, handles: &[(&str, usize)]) {
        self.push(format_args!("<g class=\"{class}\""));
        for (name, value) in handles {
            self.push(format_args!(" data-{name}=\"{value}\""));
        }
        self.push(format_args!(">\n"));
    }

    pub(crate) fn close(&mut self) {
        self.push(format_args!("</g>\n"));
    }

    /// The whole picture.
    pub(crate) fn finish(mut self) -> String {
        self.body.push_str("</svg>\n");
        self.body
    }

    fn push(&mut self, arguments: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.body.write_fmt(arguments);
    }
}
