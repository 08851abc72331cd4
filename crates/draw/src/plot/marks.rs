//! The marks of a chart, drawn.

use super::axis::Placed;
use super::line::{band_path, dots_path, line_path, steps_path};
use super::number::short;
use super::shape::Shape;
use super::surface::{Area, Surface, corner};
use super::{Bin, BoxSummary, Way};

/// A line of at most this many points shows them as dots: each may be a measurement.
const FEW_POINTS: usize = 40;

/// A line of more points than this is thinner, since it will cross others often.
const MANY_POINTS: usize = 200;

/// How many bars at most say what they are when the pointer is on them.
const FEW_BARS: usize = 400;

/// What the marks of one chart have in common.
pub(super) struct Pen<'a> {
    pub(super) svg: &'a mut Surface,
    pub(super) x: Placed,
    pub(super) y: Placed,
    /// The least distance between boxes.
    pub(super) box_gap: f64,
    /// Whether bars may stand before others, so that they have to be seen through.
    pub(super) bars_overlap: bool,
}

impl Pen<'_> {
    /// Everything that is cut at the border of the chart.
    pub(super) fn draw(&mut self, shape: &Shape) {
        match shape {
            Shape::Line { runs, bands } => self.line(runs, bands),
            Shape::Bars(bins) => self.bars(bins),
            Shape::Steps(bins) => self.svg.path("line dash", &steps_path(bins, &self.x, &self.y)),
            Shape::Stems { points, band } => self.stems(points, *band),
            Shape::Boxes(boxes) => boxes.iter().for_each(|(at, summary)| self.summary(*at, summary)),
            Shape::Points(_) => {}
            Shape::Rule { way, at } => at.iter().for_each(|&at| self.rule(*way, at)),
        }
    }

    /// Dots, which are whole or not there at all.
    pub(super) fn draw_dots(&mut self, shape: &Shape) {
        let runs_of_one = |runs: &[Vec<(f64, f64)>]| runs.iter().flatten().count() <= FEW_POINTS;
        match shape {
            Shape::Line { runs, .. } if runs_of_one(runs) => {
                self.dots("dots", runs.iter().flatten().copied())
            }
            // Alone between gaps, a point has no line.
            Shape::Line { runs, .. } => {
                self.dots("dots", runs.iter().filter(|run| run.len() == 1).flatten().copied());
            }
            Shape::Stems { points, .. } => self.dots("dots", points.iter().copied()),
            Shape::Points(points) => self.dots("dots big", points.iter().copied()),
            Shape::Boxes(boxes) => {
                let outliers = |(at, summary): &(f64, BoxSummary)| {
                    let at = *at;
                    summary.outliers.clone().into_iter().map(move |outlier| (at, outlier))
                };
                self.dots("dots", boxes.iter().flat_map(outliers));
            }
            Shape::Bars(_) | Shape::Steps(_) | Shape::Rule { .. } => {}
        }
    }

    fn dots(&mut self, class: &str, points: impl Iterator<Item = (f64, f64)>) {
        let (x, y) = (self.x, self.y);
        let shown = points.filter(|&(at, value)| x.contains(at) && y.contains(value));
        let path = dots_path(shown.map(|(at, value)| (x.at(at), y.at(value))));
        self.svg.path(class, &path);
    }

    fn line(&mut self, runs: &[Vec<(f64, f64)>], bands: &[Vec<(f64, f64, f64)>]) {
        let (x, y) = (self.x, self.y);
        for band in bands {
            let place = |&(at, lower, upper): &(f64, f64, f64)| (x.at(at), y.at(lower), y.at(upper));
            self.svg.path("band", &band_path(&band.iter().map(place).collect::<Vec<_>>()));
        }
        for run in runs.iter().filter(|run| run.len() > 1) {
            let place = |&(at, value): &(f64, f64)| (x.at(at), y.at(value));
            let class = if run.len() > MANY_POINTS { "line thin dash" } else { "line dash" };
            self.svg.path(class, &line_path(&run.iter().map(place).collect::<Vec<_>>()));
        }
    }

    fn bars(&mut self, bins: &[Bin]) {
        let class = if self.bars_overlap { "bar pale" } else { "bar" };
        for bin in bins.iter().filter(|bin| bin.height != 0.0) {
            let (left, right) = (self.x.at(bin.from), self.x.at(bin.to));
            let area = self.between(left, right.max(left + 0.5), self.y.base(), self.y.at(bin.height));
            let meaning = format!("{} – {}: {}", short(bin.from), short(bin.to), short(bin.height));
            self.svg.rect(class, area, if bins.len() <= FEW_BARS { &meaning } else { "" });
        }
        if self.bars_overlap {
            self.svg.path("line dash", &steps_path(bins, &self.x, &self.y));
        }
    }

    fn stems(&mut self, points: &[(f64, f64)], band: Option<f64>) {
        if let Some(band) = band {
            let (left, right) = self.x.pixels;
            let area = self.between(left, right, self.y.at(-band), self.y.at(band));
            self.svg.rect("band", area, &format!("±{}", short(band)));
        }
        let base = self.y.base();
        let stem = |&(at, value): &(f64, f64)| {
            let at = self.x.at(at);
            corner('M', (at, base)) + &corner('L', (at, self.y.at(value)))
        };
        let path: String = points.iter().map(stem).collect();
        self.svg.path("line", &path);
    }

    fn summary(&mut self, at: f64, summary: &BoxSummary) {
        let (x, y) = (self.x, self.y);
        let (left, middle, right) = (x.at(at - 0.3 * self.box_gap), x.at(at), x.at(at + 0.3 * self.box_gap));
        let (inner_left, inner_right) = ((left + middle) / 2.0, (middle + right) / 2.0);
        let [low, median, high] = summary.quartiles.map(|quartile| y.at(quartile));
        let [bottom, top] = summary.whiskers.map(|whisker| y.at(whisker));
        for (from, to) in [(low, bottom), (high, top)] {
            self.svg.line("line", (middle, from), (middle, to));
            self.svg.line("line", (inner_left, to), (inner_right, to));
        }
        self.svg.rect("box", self.between(left, right, low, high), &meaning(summary));
        self.svg.line("line thick", (left, median), (right, median));
        let mean = y.at(summary.mean);
        let corners =
            [(middle, mean - 5.0), (middle + 5.0, mean), (middle, mean + 5.0), (middle - 5.0, mean)];
        let diamond: Vec<String> =
            corners.iter().zip("MLLL".chars()).map(|(&at, command)| corner(command, at)).collect();
        self.svg.path("mean", &(diamond.concat() + "Z"));
    }

    fn rule(&mut self, way: Way, at: f64) {
        let ((left, right), (bottom, top)) = (self.x.pixels, self.y.pixels);
        match way {
            Way::Horizontal => self.svg.line("line dash", (left, self.y.at(at)), (right, self.y.at(at))),
            Way::Vertical => self.svg.line("line dash", (self.x.at(at), bottom), (self.x.at(at), top)),
        }
    }

    /// The area between two verticals and two horizontals.
    fn between(&self, left: f64, right: f64, one: f64, other: f64) -> Area {
        Area { x: left, y: one.min(other), width: right - left, height: (one - other).abs() }
    }
}

fn meaning(summary: &BoxSummary) -> String {
    let [low, median, high] = summary.quartiles.map(short);
    let [bottom, top] = summary.whiskers.map(short);
    format!(
        "median {median}, quartiles {low} and {high}, whiskers {bottom} and {top}, mean {}, {} values",
        short(summary.mean),
        summary.n_values
    )
}
