//! Labels of ticks that do not touch each other.

use super::axis::{Placed, ticks};
use super::layout::{RIGHT, ROW};
use super::text::{fit, width, wrap};
use super::{Axis, Ticks};
use crate::clean::clean;
use tree::PutInOrder;

/// Size of the letters.
const SIZE: i64 = 12;

/// Height of one line.
pub(super) const LINE: f64 = 15.0;

/// Between a label and the frame.
pub(super) const GAP: f64 = 7.0;

/// Between labels side by side.
const GAP_BETWEEN: f64 = 8.0;

/// The longest label.
const LONGEST: f64 = 150.0;

/// How far labels are turned that do not fit side by side, in degrees, with its sine and cosine.
pub(super) const TURN: i32 = -40;
const TURN_SIN: f64 = 0.643;
const TURN_COS: f64 = 0.766;

/// A value and the lines of its label.
type Label = (f64, Vec<String>);

/// The labels of one axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Labels {
    pub(super) labels: Vec<Label>,
    /// Whether the labels are turned to have room.
    pub(super) are_turned: bool,
}

impl Labels {
    /// The room below the frame.
    pub(super) fn room_below(&self) -> f64 {
        let n_lines = self.labels.iter().map(|(_, lines)| lines.len()).max().unwrap_or(0);
        let turned = if self.are_turned { self.widest() * TURN_SIN } else { 0.0 };
        if n_lines == 0 { 0.0 } else { ROW + (n_lines - 1) as f64 * LINE + turned }
    }

    /// The room beside the frame.
    pub(super) fn room_beside(&self) -> f64 {
        self.widest() + GAP
    }

    /// How much farther to the right the axis must begin for turned labels to end after `margin`.
    pub(super) fn missing_on_the_left(&self, x: &Placed, margin: f64) -> f64 {
        let missing = |(at, lines): &Label| widest(lines) * TURN_COS + margin - x.at(*at);
        if self.are_turned { self.labels.iter().map(missing).fold(0.0, f64::max) } else { 0.0 }
    }

    /// Every second label of a vertical axis, or every third …, if that is what has room.
    pub(super) fn thinned_on(self, y: &Placed) -> Self {
        Self { labels: thinned(self.labels, y, |_| LINE), ..self }
    }

    fn widest(&self) -> f64 {
        self.labels.iter().map(|(_, lines)| widest(lines)).fold(0.0, f64::max)
    }
}

/// Ticks of a vertical axis, which has about `room` pixels.
pub(super) fn upright(axis: &Axis, domain: (f64, f64), room: f64) -> Labels {
    let n_ticks = (room / 28.0).clamp(2.0, 10.0) as usize;
    let labels = ticks(axis, domain, n_ticks).into_iter();
    let labels = labels.map(|(at, label)| (at, vec![fit(&clean(&label), LONGEST, SIZE)])).collect();
    Labels { labels, are_turned: false }
}

/// Ticks of a horizontal axis. There are as many numbers as have room; names are broken into two lines or
/// turned before any is left out.
pub(super) fn level(axis: &Axis, x: &Placed) -> Labels {
    match axis.ticks {
        Ticks::Auto => Labels { labels: numbers(axis, x), are_turned: false },
        Ticks::At(_) => names(axis, x),
    }
}

fn numbers(axis: &Axis, x: &Placed) -> Vec<Label> {
    let with = |n_ticks: usize| -> Vec<Label> {
        ticks(axis, x.domain, n_ticks).into_iter().map(|(at, label)| (at, vec![label])).collect()
    };
    let most = ((x.pixels.1 - x.pixels.0) / 40.0).clamp(2.0, 12.0) as usize;
    let found =
        (2..=most).rev().map(with).find(|labels| stay_inside(labels, x) && are_apart(labels, x, length));
    found.unwrap_or_else(|| thinned(with(2), x, length))
}

fn names(axis: &Axis, x: &Placed) -> Labels {
    let mut names: Vec<(f64, String)> =
        ticks(axis, x.domain, 0).into_iter().map(|(at, name)| (at, clean(&name))).collect();
    names.order_by(|one, other| one.0.total_cmp(&other.0));
    let step = |pair: &[(f64, String)]| x.at(pair[1].0) - x.at(pair[0].0);
    let room = names.windows(2).map(step).fold(LONGEST, f64::min) - GAP_BETWEEN;
    for n_lines in 1..=2 {
        let broken = |(at, name): &(f64, String)| (*at, wrap(name, room, SIZE, n_lines));
        let labels: Vec<Label> = names.iter().map(broken).collect();
        let is_whole = |((_, name), (_, lines)): (&(f64, String), &Label)| {
            name.split_whitespace().eq(lines.iter().flat_map(|line| line.split_whitespace()))
        };
        if names.iter().zip(&labels).all(is_whole) && stay_inside(&labels, x) {
            return Labels { labels, are_turned: false };
        }
    }
    let labels = names.into_iter().map(|(at, name)| (at, vec![fit(&name, LONGEST, SIZE)]));
    Labels { labels: thinned(labels.collect(), x, |_| LINE), are_turned: true }
}

fn widest(lines: &[String]) -> f64 {
    lines.iter().map(|line| width(line, SIZE)).fold(0.0, f64::max)
}

/// The length of a label with the room to the next.
fn length(lines: &[String]) -> f64 {
    widest(lines) + GAP_BETWEEN
}

/// Whether the last label does not leave the picture. The first has the labels of the other axis beside it.
fn stay_inside(labels: &[Label], x: &Placed) -> bool {
    labels.last().is_none_or(|(at, lines)| x.at(*at) + widest(lines) / 2.0 <= x.pixels.1 + RIGHT)
}

/// Whether no label touches the next one, if they are as long as `length` says.
fn are_apart(labels: &[Label], axis: &Placed, length: impl Fn(&[String]) -> f64) -> bool {
    labels.windows(2).all(|pair| {
        let needed = (length(&pair[0].1) + length(&pair[1].1)) / 2.0;
        (axis.at(pair[1].0) - axis.at(pair[0].0)).abs() >= needed
    })
}

/// Every label, or every second, or every third …, so that none touches the next.
fn thinned(labels: Vec<Label>, axis: &Placed, length: impl Fn(&[String]) -> f64) -> Vec<Label> {
    let every = |stride: usize| labels.iter().step_by(stride).cloned().collect::<Vec<Label>>();
    (1..=labels.len()).map(every).find(|labels| are_apart(labels, axis, &length)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::Scale;
    use super::*;

    fn names_within(room: f64, names: &[&str]) -> Labels {
        let axis = Axis::categories("", names.iter().copied());
        let domain = (0.5, names.len() as f64 + 0.5);
        level(&axis, &Placed { scale: Scale::Linear, domain, pixels: (60.0, 60.0 + room) })
    }

    #[test]
    fn names_are_broken_then_turned_then_left_out() {
        let names = ["one iteration", "ten iterations", "many iterations"];
        let wide = names_within(400.0, &names);
        assert!(!wide.are_turned && wide.labels.iter().all(|(_, lines)| lines.len() == 1));
        let narrow = names_within(240.0, &names);
        assert!(!narrow.are_turned && narrow.labels[1].1 == ["ten", "iterations"]);
        let narrower = names_within(120.0, &names);
        assert!(narrower.are_turned && narrower.labels.len() == 3);
        assert!(
            narrower.missing_on_the_left(
                &Placed { scale: Scale::Linear, domain: (0.5, 3.5), pixels: (0.0, 120.0) },
                5.0
            ) > 0.0
        );
        let many: Vec<String> = (0..50).map(|n| format!("category {n}")).collect();
        let many = names_within(120.0, &many.iter().map(String::as_str).collect::<Vec<_>>());
        assert!(many.are_turned && (5..10).contains(&many.labels.len()));
    }
}
