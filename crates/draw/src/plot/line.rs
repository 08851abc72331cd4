//! Paths of lines, bands, steps and dots, with no more points than can be seen.

use super::Bin;
use super::axis::Placed;
use super::surface::corner;
use std::collections::BTreeSet;
use tree::PutTogether;

/// The path through points. Of the points in one column of pixels, the first, the lowest, the highest and
/// the last draw the same picture as all of them.
pub(super) fn line_path(points: &[(f64, f64)]) -> String {
    let mut path = String::new();
    for column in columns(points, |point| point.0) {
        for point in outermost(column) {
            path.push_str(&corner(if path.is_empty() { 'M' } else { 'L' }, point));
        }
    }
    path
}

/// The area between lower and upper bounds at each x.
pub(super) fn band_path(bounds: &[(f64, f64, f64)]) -> String {
    let mut there = Vec::new();
    for column in columns(bounds, |bound| bound.0) {
        let lower = column.iter().fold(f64::NEG_INFINITY, |lower, bound| lower.max(bound.1));
        let upper = column.iter().fold(f64::INFINITY, |upper, bound| upper.min(bound.2));
        match column {
            [] => {}
            _ if column.len() <= 4 => there.extend_from_slice(column),
            [first, ..] => there.push((first.0, lower, upper)),
        }
    }
    let back = there.iter().rev().map(|&(x, _, upper)| (x, upper));
    let outline = there.iter().map(|&(x, lower, _)| (x, lower)).chain(back);
    let mut path: String =
        outline.enumerate().map(|(index, at)| corner(if index == 0 { 'M' } else { 'L' }, at)).collect();
    if !path.is_empty() {
        path.push('Z');
    }
    path
}

/// The outline of a histogram, down to the base where bins do not touch.
pub(super) fn steps_path(bins: &[Bin], x: &Placed, y: &Placed) -> String {
    let mut path = String::new();
    let mut end = None;
    for bin in bins {
        let (from, to, height) = (x.at(bin.from), x.at(bin.to), y.at(bin.height));
        if end != Some(bin.from) {
            if let Some(end) = end {
                path.push_str(&corner('L', (x.at(end), y.base())));
            }
            path.push_str(&corner('M', (from, y.base())));
        }
        path.push_str(&corner('L', (from, height)));
        path.push_str(&corner('L', (to, height)));
        end = Some(bin.to);
    }
    if let Some(end) = end {
        path.push_str(&corner('L', (x.at(end), y.base())));
    }
    path
}

/// Dots as lines of no length with round ends; those on the same place are drawn once.
pub(super) fn dots_path(points: impl IntoIterator<Item = (f64, f64)>) -> String {
    let tenth = |value: f64| (value * 10.0).round() as i64;
    let places: BTreeSet<(i64, i64)> = points.into_iter().map(|(x, y)| (tenth(x), tenth(y))).into_set();
    let dot = |(x, y): (i64, i64)| corner('M', (x as f64 / 10.0, y as f64 / 10.0)) + "h0";
    places.into_iter().map(dot).collect()
}

/// Neighbours whose x are in the same column of pixels.
fn columns<P>(points: &[P], x: impl Fn(&P) -> f64) -> impl Iterator<Item = &[P]> {
    points.chunk_by(move |a, b| x(a).floor() == x(b).floor())
}

/// First, lowest, highest and last point in their order.
fn outermost(column: &[(f64, f64)]) -> Vec<(f64, f64)> {
    if column.len() <= 4 {
        return column.to_vec();
    }
    let by_height = |a: &usize, b: &usize| column[*a].1.total_cmp(&column[*b].1);
    let lowest = (0..column.len()).min_by(by_height).unwrap_or(0);
    let highest = (0..column.len()).max_by(by_height).unwrap_or(0);
    let kept = BTreeSet::from([0, lowest, highest, column.len() - 1]);
    kept.into_iter().map(|index| column[index]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_keeps_its_outermost_points() {
        let mut points: Vec<(f64, f64)> = (0..1000).map(|i| (f64::from(i) / 1000.0, 5.0)).collect();
        points[400].1 = 9.0;
        points[700].1 = 1.0;
        assert_eq!(line_path(&points), "M0 5L0.4 9L0.7 1L1 5");
        assert_eq!(line_path(&[]), "");
        assert_eq!(band_path(&[(0.0, 2.0, 1.0), (5.0, 3.0, 0.0)]), "M0 2L5 3L5 0L0 1Z");
    }

    #[test]
    fn dots_on_one_place_are_drawn_once() {
        assert_eq!(dots_path([(1.0, 2.0), (1.01, 2.02), (3.0, 0.0)]), "M1 2h0M3 0h0");
    }
}
