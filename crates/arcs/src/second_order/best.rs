//! The best tree out of a filled chart.

use super::chart::RowChart;
use super::live::Live;
use super::tables::{Reference, Tables};
use crate::algebra::{MaxPlus, first_best};

/// What has yet to be taken apart.
#[derive(Debug, Clone, Copy)]
enum OpenPart {
    /// A row up to a position.
    Right(usize, usize),
    Left(usize, usize),
    /// An arc with its dependents on a side, out to a place.
    Inner {
        arc: usize,
        side: usize,
        place: usize,
    },
    /// All between two neighbours.
    Between(usize, usize),
}

/// Takes the best tree apart: its heads by position, and the scores of its parts as a reference. Of several best
/// ways the first is taken. The chart's whole must be present.
pub(super) fn unfold(
    live: &Live,
    tables: &Tables,
    chart: &RowChart<MaxPlus>,
    heads: &mut Vec<usize>,
    reference: &mut Reference,
) {
    heads.clear();
    heads.resize(live.width, 0);
    reference.reset(live.width);
    let mut open = vec![OpenPart::Right(0, live.width - 1)];
    while let Some(part) = open.pop() {
        match part {
            OpenPart::Right(arc, end) | OpenPart::Left(arc, end) => {
                let side = usize::from(matches!(part, OpenPart::Right(..)));
                row(live, tables, chart, arc, side, end, reference, &mut open);
            }
            OpenPart::Inner { arc, side, place } => {
                let dependent = live.children(2 * live.arcs[arc].dependent + side)[place].position;
                heads[dependent] = live.arcs[arc].dependent;
                inner(live, tables, chart, arc, side, place, reference, &mut open);
            }
            OpenPart::Between(x, y) => {
                let (from, right, left) = live.between(x, y);
                let values = chart.right[right].iter().zip(&chart.left[left]).map(|(a, b)| a + b);
                let split = from + first_best(values);
                open.extend([OpenPart::Right(x, split), OpenPart::Left(y, split + 1)]);
            }
        }
    }
}

/// The last dependent of a row.
#[allow(clippy::too_many_arguments, reason = "the chart and what is written to")]
fn row(
    live: &Live,
    tables: &Tables,
    chart: &RowChart<MaxPlus>,
    arc: usize,
    side: usize,
    end: usize,
    reference: &mut Reference,
    open: &mut Vec<OpenPart>,
) {
    let position = live.arcs[arc].dependent;
    let group = 2 * position + side;
    let children = live.children(group);
    let stops = live.pairs(group, children.len()).start;
    if end == position {
        reference.stop[group] = tables.lead[stops];
        return;
    }
    let cells = live.arcs[arc].cells(side);
    let values = cells.zip(children).map(|(cell, child)| {
        let below = &live.arcs[child.arc];
        let reached = match side {
            1 if child.position <= end && end <= below.last => chart.right[below.right_at(end)],
            0 if child.position >= end && end >= below.first => chart.left[below.left_at(end)],
            _ => f64::NEG_INFINITY,
        };
        chart.outer[cell] + reached
    });
    let place = first_best(values);
    reference.stop[group] = tables.lead[stops + 1 + place];
    let below = children[place].arc;
    let rest = if side == 1 { OpenPart::Right(below, end) } else { OpenPart::Left(below, end) };
    open.extend([OpenPart::Inner { arc, side, place }, rest]);
}

/// The dependent before the last.
#[allow(clippy::too_many_arguments, reason = "the chart and what is written to")]
fn inner(
    live: &Live,
    tables: &Tables,
    chart: &RowChart<MaxPlus>,
    arc: usize,
    side: usize,
    place: usize,
    reference: &mut Reference,
    open: &mut Vec<OpenPart>,
) {
    let position = live.arcs[arc].dependent;
    let group = 2 * position + side;
    let (cells, pairs) = (live.arcs[arc].cells(side), live.pairs(group, place));
    let links = &chart.link[pairs.clone()];
    let siblings = chart.inner[cells.clone()].iter().zip(&links[1..]).map(|(inner, link)| inner + link);
    let best = first_best([links[0]].into_iter().chain(siblings));
    let child = live.children(group)[place];
    reference.lead[child.position] = tables.lead[pairs.start + best];
    reference.grand[child.position] = tables.grand[cells.start + place];
    if best > 0 {
        let (x, y) = live.ordered(group, best - 1, place);
        open.extend([OpenPart::Inner { arc, side, place: best - 1 }, OpenPart::Between(x, y)]);
    } else if side == 1 {
        open.push(OpenPart::Left(child.arc, position + 1));
    } else {
        open.push(OpenPart::Right(child.arc, position - 1));
    }
}
