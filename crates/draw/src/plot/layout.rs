//! How the room of a chart is divided: title, legend, axes and the frame in which the marks stand.

use super::axis::{Extent, Placed, Room, domain};
use super::labels::{Labels, level, upright};
use super::legend::{self, Entry};
use super::series::Series;
use super::shape::Shapes;
use super::surface::Area;
use super::text::wrap;
use super::{Axis, Chart, Legend, Ticks};
use crate::clean::clean;

/// Sizes of letters.
const TITLE_SIZE: i64 = 15;
pub(super) const LABEL_SIZE: i64 = 13;

/// Heights of rows of text.
pub(super) const TITLE_ROW: f64 = 20.0;
pub(super) const ROW: f64 = 19.0;

/// Free room at the border of the picture.
pub(super) const MARGIN: f64 = 10.0;

/// Right of the frame, where half of the last label stands.
pub(super) const RIGHT: f64 = 2.0 * MARGIN;

/// The least frame that can be read.
const LEAST_FRAME: (f64, f64) = (120.0, 90.0);

/// Where everything is.
pub(super) struct PlotLayout {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) title: Vec<String>,
    pub(super) legend: Vec<Entry>,
    pub(super) frame: Area,
    pub(super) x: Placed,
    pub(super) y: Placed,
    pub(super) x_ticks: Labels,
    pub(super) y_ticks: Labels,
}

impl PlotLayout {
    /// A layout within `size` (width and height) or, where that cannot be, a larger one.
    pub(super) fn new(chart: &Chart, shapes: &Shapes, series: &[Series<'_>], size: (u32, u32)) -> Self {
        let (width, height) = (f64::from(size.0), f64::from(size.1));
        let (x_extent, y_extent) = shapes.extents(chart.y.scale);
        let y_domain = domain(&chart.y, y_extent, Room::UpToZero(0.05));
        let y_room = (height - 110.0).max(LEAST_FRAME.1);
        let y_ticks =
            if is_bare(&chart.y, y_extent) { Labels::default() } else { upright(&chart.y, y_domain, y_room) };
        let beside = MARGIN + row_if(&chart.y.label) + y_ticks.room_beside();
        let (x, x_ticks) = place_x(&chart.x, x_extent, beside, width);
        let (left, right) = x.pixels;
        let width = right + RIGHT;

        let room = width - 2.0 * MARGIN;
        let title = wrap(&clean(&chart.title), room, TITLE_SIZE, 3);
        let legend = if chart.legend == Legend::Above { legend::entries(series, room) } else { Vec::new() };
        let n_rows = legend::n_rows(&legend) as f64;
        let gap = if title.is_empty() && legend.is_empty() { 0.0 } else { MARGIN };
        let top = MARGIN + title.len() as f64 * TITLE_ROW + n_rows * legend::ROW + gap;
        let note = if shapes.n_left_out > 0 { ROW } else { 0.0 };
        let bottom = x_ticks.room_below() + row_if(&chart.x.label) + note + MARGIN / 2.0;

        let frame_height = (height - top - bottom).max(LEAST_FRAME.1);
        let frame = Area { x: left, y: top, width: right - left, height: frame_height };
        let y = Placed { scale: chart.y.scale, domain: y_domain, pixels: (frame.bottom(), frame.y) };
        let y_ticks = y_ticks.thinned_on(&y);
        Self { width, height: frame.bottom() + bottom, title, legend, frame, x, y, x_ticks, y_ticks }
    }

    /// Where the legend begins.
    pub(super) fn legend_top(&self) -> f64 {
        MARGIN + self.title.len() as f64 * TITLE_ROW
    }
}

/// The horizontal axis, beginning at `left` or farther to the right if its turned labels need the room.
fn place_x(axis: &Axis, extent: Extent, left: f64, width: f64) -> (Placed, Labels) {
    let domain = domain(axis, extent, Room::Around(0.02));
    let place = |left: f64| {
        let right = (width - RIGHT).max(left + LEAST_FRAME.0);
        Placed { scale: axis.scale, domain, pixels: (left, right) }
    };
    let x = place(left);
    if is_bare(axis, extent) {
        return (x, Labels::default());
    }
    let labels = level(axis, &x);
    let missing = labels.missing_on_the_left(&x, MARGIN / 2.0);
    if missing <= 0.0 {
        return (x, labels);
    }
    let x = place(left + missing);
    (x, level(axis, &x))
}

/// Whether nothing says which values an axis should show.
fn is_bare(axis: &Axis, extent: Extent) -> bool {
    extent == Extent::none() && axis.ticks == Ticks::Auto && axis.from.is_none() && axis.to.is_none()
}

fn row_if(label: &str) -> f64 {
    if label.is_empty() { 0.0 } else { ROW + 2.0 }
}
