//! A page of charts and tables that needs nothing else.

use super::frame::{self, Sheet};
use super::style::{CSS, PAGE_CSS};
use super::{Chart, Table};
use crate::clean::{clean, escape};

/// A part of a page under one heading.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    /// The heading; empty for none.
    pub heading: String,
    /// What is to be said, as plain text. An empty line begins a new paragraph.
    pub text: String,
    /// Charts and tables. Neighbouring charts stand side by side where there is room.
    pub parts: Vec<Part>,
}

/// A chart or a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// A chart of some size in pixels.
    Chart {
        /// What is drawn.
        chart: Chart,
        /// Width in pixels; narrow screens make it smaller.
        width: u32,
        /// Height in pixels.
        height: u32,
    },
    /// A table.
    Table(Table),
}

impl From<Chart> for Part {
    /// A chart of which two stand side by side.
    fn from(chart: Chart) -> Self {
        Self::Chart { chart, width: 460, height: 320 }
    }
}

impl From<Table> for Part {
    fn from(table: Table) -> Self {
        Self::Table(table)
    }
}

/// One self-contained HTML file: no scripts, no network, light or dark as the reader likes, printable.
pub fn page(title: &str, sections: &[Section]) -> String {
    let shown_title = shown(title);
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{shown_title}</title>\n<style>\n{PAGE_CSS}{CSS}</style>\n</head>\n<body>\n\
         <header><h1 dir=\"auto\">{shown_title}</h1></header>\n{}<main>\n",
        contents(sections)
    );
    for (index, section) in sections.iter().enumerate() {
        html.push_str(&section_html(index, section));
    }
    html.push_str("</main>\n</body>\n</html>\n");
    html
}

/// Links to the sections, if there are enough to look for one.
fn contents(sections: &[Section]) -> String {
    let named = sections.iter().enumerate().filter(|(_, section)| !section.heading.is_empty());
    let link = |(index, section): (usize, &Section)| {
        format!("<li><a dir=\"auto\" href=\"#s{}\">{}</a></li>\n", index + 1, shown(&section.heading))
    };
    let links: Vec<String> = named.map(link).collect();
    if links.len() < 3 { String::new() } else { format!("<nav><ul>\n{}</ul></nav>\n", links.concat()) }
}

fn section_html(index: usize, section: &Section) -> String {
    let mut html = format!("<section id=\"s{}\">\n", index + 1);
    if !section.heading.is_empty() {
        html.push_str(&format!("<h2 dir=\"auto\">{}</h2>\n", shown(&section.heading)));
    }
    for paragraph in paragraphs(&section.text) {
        html.push_str(&format!("<p dir=\"auto\">{}</p>\n", shown(&paragraph)));
    }
    for parts in section.parts.chunk_by(|one, next| is_chart(one) && is_chart(next)) {
        let parts_html: String = parts.iter().map(part_html).collect();
        html.push_str(&format!("<div class=\"row\">\n{parts_html}</div>\n"));
    }
    html + "</section>\n"
}

fn is_chart(part: &Part) -> bool {
    matches!(part, Part::Chart { .. })
}

fn part_html(part: &Part) -> String {
    match part {
        Part::Chart { chart, width, height } => {
            format!("<figure>\n{}</figure>\n", frame::svg(chart, *width, *height, Sheet::OfPage))
        }
        Part::Table(table) => table.html(),
    }
}

fn paragraphs(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let paragraphs = lines.split(|line| line.is_empty()).filter(|lines| !lines.is_empty());
    paragraphs.map(|lines| lines.join(" ")).collect()
}

fn shown(text: &str) -> String {
    let text = clean(text);
    escape(&text).into_owned()
}
