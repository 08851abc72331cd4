//! The shapes of SVG that charts are made of.

use super::number::pixel;
use crate::clean::escape;
use crate::direction::is_rtl;
use std::fmt::Write;

/// A picture being written.
pub(super) struct Surface {
    body: String,
}

/// Which part of a text stands at its x.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Left,
    Middle,
    Right,
}

/// A rectangle: the left upper corner, width and height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Area {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Area {
    pub(super) fn right(&self) -> f64 {
        self.x + self.width
    }

    pub(super) fn bottom(&self) -> f64 {
        self.y + self.height
    }

    fn attributes(&self) -> String {
        let [x, y, width, height] = [self.x, self.y, self.width.max(0.0), self.height.max(0.0)].map(pixel);
        format!("x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"")
    }
}

impl Surface {
    /// The frame: size, title and description for screen readers, style sheet, background.
    pub(super) fn new(width: f64, height: f64, title: &str, description: &str, css: &str) -> Self {
        let (width, height) = (pixel(width), pixel(height));
        let (title, description) = (escape(title), escape(description));
        let css = if css.is_empty() { String::new() } else { format!("<style>\n{css}</style>\n") };
        let body = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" role=\"img\" width=\"{width}\" \
             height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n<title>{title}</title>\n\
             <desc>{description}</desc>\n{css}<rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>\n"
        );
        Self { body }
    }

    /// Begins a group of this class.
    pub(super) fn open(&mut self, class: &str) {
        self.push(format_args!("<g class=\"{class}\">\n"));
    }

    /// Ends a group.
    pub(super) fn close(&mut self) {
        self.body.push_str("</g>\n");
    }

    /// Begins a part of the picture that ends at the border of `area`. Nested pictures clip without names,
    /// which would have to be unique on a page.
    pub(super) fn open_clip(&mut self, area: Area) {
        let [x, y, width, height] = [area.x, area.y, area.width, area.height].map(pixel);
        let attributes = area.attributes();
        self.push(format_args!("<svg {attributes} viewBox=\"{x} {y} {width} {height}\">\n"));
    }

    /// Ends what [`Surface::open_clip`] began.
    pub(super) fn close_clip(&mut self) {
        self.body.push_str("</svg>\n");
    }

    /// A path, if it has any points.
    pub(super) fn path(&mut self, class: &str, path: &str) {
        if !path.is_empty() {
            self.push(format_args!("<path class=\"{class}\" d=\"{path}\"/>\n"));
        }
    }

    /// A straight line.
    pub(super) fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        self.path(class, &format!("{}{}", corner('M', from), corner('L', to)));
    }

    /// A rectangle; what it means is shown when the pointer is on it.
    pub(super) fn rect(&mut self, class: &str, area: Area, meaning: &str) {
        let attributes = area.attributes();
        if meaning.is_empty() {
            self.push(format_args!("<rect class=\"{class}\" {attributes}/>\n"));
        } else {
            let meaning = escape(meaning);
            self.push(format_args!("<rect class=\"{class}\" {attributes}><title>{meaning}</title></rect>\n"));
        }
    }

    /// A text with its base line at y.
    pub(super) fn text(&mut self, class: &str, at: (f64, f64), anchor: Anchor, text: &str) {
        self.turned_text(class, at, anchor, text, 0);
    }

    /// A text turned by some degrees around (x, y).
    pub(super) fn turned_text(&mut self, class: &str, at: (f64, f64), anchor: Anchor, text: &str, turn: i32) {
        if text.is_empty() {
            return;
        }
        let (x, y) = (pixel(at.0), pixel(at.1));
        let rtl = is_rtl(text.split_whitespace());
        // A text that runs from right to left starts at its right end.
        let anchor = match (anchor, rtl) {
            (Anchor::Middle, _) => " text-anchor=\"middle\"",
            (Anchor::Left, false) | (Anchor::Right, true) => "",
            (Anchor::Left, true) | (Anchor::Right, false) => " text-anchor=\"end\"",
        };
        let direction = if rtl { " direction=\"rtl\"" } else { "" };
        let turn = if turn == 0 { String::new() } else { format!(" transform=\"rotate({turn} {x} {y})\"") };
        let text = escape(text);
        self.push(format_args!(
            "<text class=\"{class}\" x=\"{x}\" y=\"{y}\"{anchor}{direction}{turn}>{text}</text>\n"
        ));
    }

    /// The whole picture.
    pub(super) fn finish(mut self) -> String {
        self.body.push_str("</svg>\n");
        self.body
    }

    fn push(&mut self, arguments: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.body.write_fmt(arguments);
    }
}

/// One corner of a path, reached by the given command.
pub(super) fn corner(command: char, (x, y): (f64, f64)) -> String {
    format!("{command}{} {}", pixel(x), pixel(y))
}
