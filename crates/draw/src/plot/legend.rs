//! The names of the marks, in as many rows as they need.

use super::line::dots_path;
use super::series::Series;
use super::surface::{Anchor, Area, Surface, corner};
use super::text::{fit, width};
use super::{Mark, Way};

/// Size of the letters.
const SIZE: i64 = 12;
/// Height of a row.
pub(super) const ROW: f64 = 19.0;
/// Room for the sample of a mark before its name.
const SAMPLE: f64 = 26.0;
const GAP_AFTER_SAMPLE: f64 = 6.0;
const GAP: f64 = 16.0;

/// One name and its place.
pub(super) struct Entry {
    /// Which series it names.
    series: usize,
    text: String,
    x: f64,
    row: usize,
}

/// Places for the names of all series that have one, within `room` pixels.
pub(super) fn entries(all: &[Series<'_>], room: f64) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let (mut x, mut row) = (0.0, 0);
    for (series, named) in all.iter().enumerate().filter(|(_, series)| !series.name.is_empty()) {
        let text = fit(&named.name, room - SAMPLE - GAP_AFTER_SAMPLE, SIZE);
        let length = SAMPLE + GAP_AFTER_SAMPLE + width(&text, SIZE);
        if x > 0.0 && x + length > room {
            (x, row) = (0.0, row + 1);
        }
        entries.push(Entry { series, text, x, row });
        x += length + GAP;
    }
    entries
}

/// How many rows there are.
pub(super) fn n_rows(entries: &[Entry]) -> usize {
    entries.last().map_or(0, |entry| entry.row + 1)
}

/// Writes the names, the first with its upper left corner at (x, y).
pub(super) fn draw(entries: &[Entry], all: &[Series<'_>], (left, top): (f64, f64), svg: &mut Surface) {
    for entry in entries {
        let series = &all[entry.series];
        let (x, y) = (left + entry.x, top + entry.row as f64 * ROW);
        svg.open(&series.class);
        for mark in &series.marks {
            sample(mark, (x, y + ROW / 2.0), svg);
        }
        svg.close();
        svg.text("name", (x + SAMPLE + GAP_AFTER_SAMPLE, y + 14.0), Anchor::Left, &entry.text);
    }
}

/// A little of the mark, in the middle of the row at y.
fn sample(mark: &Mark, (x, y): (f64, f64), svg: &mut Surface) {
    let (middle, right) = (x + SAMPLE / 2.0, x + SAMPLE);
    let patch = |height: f64| Area { x, y: y - height / 2.0, width: SAMPLE, height };
    match mark {
        Mark::Line { band, .. } => {
            if band.is_some() {
                svg.rect("band", patch(11.0), "");
            }
            svg.line("line dash", (x, y), (right, y));
        }
        Mark::Steps { .. } | Mark::Rule { way: Way::Horizontal, .. } => {
            svg.line("line dash", (x, y), (right, y));
        }
        Mark::Rule { way: Way::Vertical, .. } => svg.line("line dash", (middle, y - 8.0), (middle, y + 8.0)),
        Mark::Bars { .. } => {
            svg.rect("bar pale", patch(10.0), "");
            let corners = [(x, y - 5.0), (right, y - 5.0), (right, y + 5.0), (x, y + 5.0)];
            let outline: String =
                corners.iter().zip("MLLL".chars()).map(|(&at, to)| corner(to, at)).collect();
            svg.path("line dash", &(outline + "Z"));
        }
        Mark::Boxes { .. } => {
            svg.rect("box", Area { x: x + 4.0, y: y - 5.0, width: SAMPLE - 8.0, height: 10.0 }, "");
            svg.line("line thick", (middle, y - 5.0), (middle, y + 5.0));
        }
        Mark::Stems { .. } => {
            svg.line("line", (middle, y + 6.0), (middle, y - 4.0));
            svg.path("dots", &dots_path([(middle, y - 4.0)]));
        }
        Mark::Points { .. } => svg.path("dots big", &dots_path([(middle, y)])),
    }
}
