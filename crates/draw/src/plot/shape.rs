//! What can be drawn of the marks of a chart, and how much cannot.

use super::axis::{Extent, has_place};
use super::{Bin, BoxSummary, Chart, Mark, Scale, Way};

/// What remains of a mark.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    /// Lines between gaps, and bands as (x, lower, upper) between theirs.
    Line {
        runs: Vec<Vec<(f64, f64)>>,
        bands: Vec<Vec<(f64, f64, f64)>>,
    },
    Bars(Vec<Bin>),
    Steps(Vec<Bin>),
    Stems {
        points: Vec<(f64, f64)>,
        band: Option<f64>,
    },
    Boxes(Vec<(f64, BoxSummary)>),
    Points(Vec<(f64, f64)>),
    Rule {
        way: Way,
        at: Option<f64>,
    },
}

/// The marks of a chart as they are drawn.
pub(super) struct Shapes {
    /// One for each mark.
    pub(super) shapes: Vec<Shape>,
    /// Values that have no place.
    pub(super) n_left_out: usize,
}

impl Shapes {
    pub(super) fn new(chart: &Chart) -> Self {
        let mut filter = Filter { x: chart.x.scale, y: chart.y.scale, n_left_out: 0 };
        let shapes = chart.marks.iter().map(|mark| filter.shape(mark)).collect();
        Self { shapes, n_left_out: filter.n_left_out }
    }

    /// Whether there is nothing but lines across the chart.
    pub(super) fn is_empty(&self) -> bool {
        self.shapes.iter().all(Shape::is_empty)
    }

    /// Which values the two axes have to show.
    pub(super) fn extents(&self, y_scale: Scale) -> (Extent, Extent) {
        let (mut x, mut y) = (Extent::none(), Extent::none());
        for shape in &self.shapes {
            shape.extend(&mut x, &mut y, y_scale, self.box_gap());
        }
        (x, y)
    }

    /// The least distance between boxes; one if there are not two.
    pub(super) fn box_gap(&self) -> f64 {
        let boxes = self.shapes.iter().filter_map(|shape| match shape {
            Shape::Boxes(boxes) => Some(boxes),
            _ => None,
        });
        let mut places: Vec<f64> = boxes.flatten().map(|(at, _)| *at).collect();
        places.sort_unstable_by(f64::total_cmp);
        let gaps = places.windows(2).map(|pair| pair[1] - pair[0]).filter(|&gap| gap > 0.0);
        let least = gaps.fold(f64::INFINITY, f64::min);
        if least.is_finite() { least } else { 1.0 }
    }
}

impl Shape {
    /// Whether some of it may be dots.
    pub(super) fn has_dots(&self) -> bool {
        !matches!(self, Self::Bars(_) | Self::Steps(_) | Self::Rule { .. })
    }

    fn is_empty(&self) -> bool {
        match self {
            Self::Line { runs, bands } => runs.is_empty() && bands.is_empty(),
            Self::Bars(bins) | Self::Steps(bins) => bins.is_empty(),
            Self::Stems { points, .. } | Self::Points(points) => points.is_empty(),
            Self::Boxes(boxes) => boxes.is_empty(),
            Self::Rule { .. } => true,
        }
    }

    fn extend(&self, x: &mut Extent, y: &mut Extent, y_scale: Scale, box_gap: f64) {
        let include = |points: &[(f64, f64)], x: &mut Extent, y: &mut Extent| {
            points.iter().for_each(|&(at, value)| {
                x.include(at);
                y.include(value);
            });
        };
        let stands_on_zero = y_scale == Scale::Linear && !self.is_empty();
        match self {
            Self::Line { runs, bands } => {
                runs.iter().for_each(|run| include(run, x, y));
                for &(at, lower, upper) in bands.iter().flatten() {
                    include(&[(at, lower), (at, upper)], x, y);
                }
            }
            Self::Bars(bins) | Self::Steps(bins) => {
                for bin in bins {
                    x.include(bin.from);
                    x.include(bin.to);
                    if has_place(y_scale, bin.height) {
                        y.include(bin.height);
                    }
                }
                if stands_on_zero {
                    y.include(0.0);
                }
            }
            Self::Stems { points, band } => {
                include(points, x, y);
                if stands_on_zero {
                    y.include(0.0);
                    band.iter().flat_map(|&band| [-band, band]).for_each(|bound| y.include(bound));
                }
            }
            Self::Boxes(boxes) => {
                for (at, summary) in boxes {
                    include(&[(at - box_gap / 2.0, summary.mean), (at + box_gap / 2.0, summary.mean)], x, y);
                    summary.whiskers.iter().chain(&summary.outliers).for_each(|&value| y.include(value));
                }
            }
            Self::Points(points) => include(points, x, y),
            Self::Rule { way: Way::Horizontal, at } => at.iter().for_each(|&at| y.include(at)),
            Self::Rule { way: Way::Vertical, at } => at.iter().for_each(|&at| x.include(at)),
        }
    }
}

/// Keeps what has a place and counts the rest.
struct Filter {
    x: Scale,
    y: Scale,
    n_left_out: usize,
}

impl Filter {
    fn shape(&mut self, mark: &Mark) -> Shape {
        match mark {
            Mark::Line { points, band, .. } => self.line(points, band.as_deref().unwrap_or_default()),
            Mark::Bars { bins, .. } => {
                self.n_left_out += bins.n_left_out;
                Shape::Bars(self.bins(&bins.bins))
            }
            Mark::Steps { bins, .. } => {
                self.n_left_out += bins.n_left_out;
                Shape::Steps(self.bins(&bins.bins))
            }
            Mark::Stems { points, band, .. } => {
                let band = band.filter(|&band| band > 0.0 && has_place(self.y, band));
                Shape::Stems { points: self.points(points), band }
            }
            Mark::Boxes { boxes, .. } => {
                Shape::Boxes(boxes.iter().filter_map(|at| self.summary(at)).collect())
            }
            Mark::Points { points, .. } => Shape::Points(self.points(points)),
            &Mark::Rule { way, at, .. } => {
                let scale = if way == Way::Horizontal { self.y } else { self.x };
                let at = self.keep(has_place(scale, at), 1).then_some(at);
                Shape::Rule { way, at }
            }
        }
    }

    /// Says whether something is kept, and counts its values if not.
    fn keep(&mut self, is_kept: bool, n_values: usize) -> bool {
        self.n_left_out += if is_kept { 0 } else { n_values };
        is_kept
    }

    fn points(&mut self, points: &[(f64, f64)]) -> Vec<(f64, f64)> {
        let has_place = |filter: &Self, x, y| has_place(filter.x, x) && has_place(filter.y, y);
        points.iter().copied().filter(|&(x, y)| self.keep(has_place(self, x, y), 1)).collect()
    }

    /// A bound without a place is counted only where its point has one: each point is missed once.
    fn line(&mut self, points: &[(f64, f64)], bounds: &[(f64, f64)]) -> Shape {
        let (x, y) = (self.x, self.y);
        let has_point = |&(at, value): &(f64, f64)| has_place(x, at) && has_place(y, value);
        let has_bounds = |&(at, lower, upper): &(f64, f64, f64)| {
            has_place(x, at) && has_place(y, lower) && has_place(y, upper)
        };
        let bounds: Vec<(f64, f64, f64)> =
            points.iter().zip(bounds).map(|(&(at, _), &(lower, upper))| (at, lower, upper)).collect();
        let is_missed = |(index, point): (usize, &(f64, f64))| {
            !has_point(point) || bounds.get(index).is_some_and(|bounds| !has_bounds(bounds))
        };
        self.n_left_out += points.iter().enumerate().filter(|&indexed| is_missed(indexed)).count();
        Shape::Line { runs: runs(points, has_point), bands: runs(&bounds, has_bounds) }
    }

    /// An empty bin needs no place on a logarithmic axis.
    fn bins(&mut self, bins: &[Bin]) -> Vec<Bin> {
        let has_places = |filter: &Self, bin: &Bin| {
            has_place(filter.x, bin.from)
                && has_place(filter.x, bin.to)
                && (bin.height == 0.0 || has_place(filter.y, bin.height))
        };
        bins.iter().copied().filter(|bin| self.keep(has_places(self, bin), 1)).collect()
    }

    /// A box that has no place is left out whole, with all its values; an outlier alone.
    fn summary(&mut self, (at, summary): &(f64, BoxSummary)) -> Option<(f64, BoxSummary)> {
        self.n_left_out += summary.n_left_out;
        let ends = summary.whiskers.iter().chain(&summary.quartiles).chain([&summary.mean]);
        let is_kept = has_place(self.x, *at) && ends.into_iter().all(|&end| has_place(self.y, end));
        if !self.keep(is_kept, summary.n_values) || summary.n_values == 0 {
            return None;
        }
        let mut summary = summary.clone();
        summary.outliers.retain(|&outlier| self.keep(has_place(self.y, outlier), 1));
        Some((*at, summary))
    }
}

/// The points between those that are not kept.
fn runs<P: Copy>(points: &[P], is_kept: impl Fn(&P) -> bool) -> Vec<Vec<P>> {
    let runs = points.split(|point| !is_kept(point)).filter(|run| !run.is_empty());
    runs.map(<[P]>::to_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_and_its_bounds_are_missed_once() {
        const NAN: f64 = f64::NAN;
        let points = vec![(NAN, 1.0), (1.0, 1.0), (2.0, NAN), (3.0, 1.0), (4.0, 2.0)];
        let band = Some(vec![(0.0, 2.0), (0.0, 2.0), (0.0, 2.0), (NAN, 2.0)]);
        let marks = vec![Mark::Line { name: String::new(), points, band }];
        let shapes = Shapes::new(&Chart { marks, ..Chart::default() });
        assert_eq!(shapes.n_left_out, 3);
        let runs = vec![vec![(1.0, 1.0)], vec![(3.0, 1.0), (4.0, 2.0)]];
        let bands = vec![vec![(1.0, 0.0, 2.0), (2.0, 0.0, 2.0)]];
        assert_eq!(shapes.shapes, [Shape::Line { runs, bands }]);
    }
}
