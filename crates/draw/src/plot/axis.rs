//! Where values stand in the picture.

use super::number;
use super::ticks::{drawable, log_ticks, nice_ticks};
use super::{Axis, Scale, Ticks};

/// Coordinates are kept within this many pixels of the picture, whatever range the axis shows.
const FAR: f64 = 20_000.0;

/// Least and largest value of some data.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Extent {
    lo: f64,
    hi: f64,
}

/// How much room an axis has beyond its data, as a share of theirs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Room {
    /// On both sides.
    Around(f64),
    /// On both sides, but not across zero: what is never negative has no axis that is.
    UpToZero(f64),
}

impl Extent {
    /// Of no values.
    pub(super) fn none() -> Self {
        Self { lo: f64::INFINITY, hi: f64::NEG_INFINITY }
    }

    pub(super) fn include(&mut self, value: f64) {
        self.lo = self.lo.min(value);
        self.hi = self.hi.max(value);
    }
}

/// Whether a value has a place on an axis of this scale.
pub(super) fn has_place(scale: Scale, value: f64) -> bool {
    drawable(value) && (scale == Scale::Linear || value >= 1e-300)
}

/// From where to where an axis goes: as its owner wants, otherwise as the data need with some room.
pub(super) fn domain(axis: &Axis, extent: Extent, room: Room) -> (f64, f64) {
    let (lo, hi) = match axis.scale {
        Scale::Linear => linear_domain(extent, room),
        Scale::Log => log_domain(extent, room),
    };
    let wanted = |bound: Option<f64>| bound.filter(|&bound| has_place(axis.scale, bound));
    let (from, to) = match (wanted(axis.from), wanted(axis.to)) {
        (Some(from), Some(to)) => (from.min(to), from.max(to)),
        (Some(from), None) => (from, hi.max(from)),
        (None, Some(to)) => (lo.min(to), to),
        (None, None) => (lo, hi),
    };
    let is_long = to - from > 1e-9 * from.abs().max(to.abs()).max(1e-290);
    if is_long { (from, to) } else { around(axis.scale, from) }
}

fn linear_domain(extent: Extent, room: Room) -> (f64, f64) {
    let Extent { lo, hi } = extent;
    if lo > hi {
        return (0.0, 1.0);
    }
    match room {
        Room::Around(share) => (lo - share * (hi - lo), hi + share * (hi - lo)),
        Room::UpToZero(share) => {
            let (from, to) = linear_domain(extent, Room::Around(share));
            (if lo >= 0.0 { from.max(0.0) } else { from }, if hi <= 0.0 { to.min(0.0) } else { to })
        }
    }
}

fn log_domain(extent: Extent, room: Room) -> (f64, f64) {
    if extent.lo > extent.hi || extent.lo <= 0.0 {
        return (1.0, 10.0);
    }
    let (Room::Around(share) | Room::UpToZero(share)) = room;
    let factor = (share * (extent.hi.ln() - extent.lo.ln())).exp();
    ((extent.lo / factor).max(1e-300), (extent.hi * factor).min(1e300))
}

/// A stretch with this value in the middle.
fn around(scale: Scale, value: f64) -> (f64, f64) {
    match scale {
        Scale::Log => (value / 2.0, value * 2.0),
        Scale::Linear if value == 0.0 => (-1.0, 1.0),
        Scale::Linear => (value - value.abs() / 10.0, value + value.abs() / 10.0),
    }
}

/// An axis with its place in the picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    pub(super) scale: Scale,
    /// Least and largest value shown.
    pub(super) domain: (f64, f64),
    /// Where they stand.
    pub(super) pixels: (f64, f64),
}

impl Placed {
    /// Where a value stands.
    pub(super) fn at(&self, value: f64) -> f64 {
        let (start, end) = self.pixels;
        let place = start + (end - start) * self.share(value);
        place.clamp(-FAR, FAR)
    }

    /// Whether a value is neither before the beginning nor after the end.
    pub(super) fn contains(&self, value: f64) -> bool {
        (-1e-9..=1.0 + 1e-9).contains(&self.share(value))
    }

    /// Where bars and stems begin: at zero, or at the beginning of an axis that has none.
    pub(super) fn base(&self) -> f64 {
        match self.scale {
            Scale::Linear => self.at(0.0),
            Scale::Log => self.pixels.0,
        }
    }

    fn share(&self, value: f64) -> f64 {
        let (lo, hi) = self.domain;
        match self.scale {
            Scale::Linear => (value - lo) / (hi - lo),
            // Zero is where bars begin.
            Scale::Log if value <= 0.0 => 0.0,
            // The ratio itself may overflow.
            Scale::Log => (value.ln() - lo.ln()) / (hi.ln() - lo.ln()),
        }
    }
}

/// Values and labels of the ticks within the domain: those wanted, or about `n`.
pub(super) fn ticks(axis: &Axis, domain: (f64, f64), n: usize) -> Vec<(f64, String)> {
    let (lo, hi) = domain;
    let inside = |value: &f64| (lo..=hi).contains(value);
    match (&axis.ticks, axis.scale) {
        (Ticks::At(ticks), _) => ticks.iter().filter(|(value, _)| inside(value)).cloned().collect(),
        (Ticks::Auto, Scale::Linear) => {
            let values: Vec<f64> = nice_ticks(lo, hi, n).into_iter().filter(inside).collect();
            let labels = number::labels(&values);
            values.into_iter().zip(labels).collect()
        }
        (Ticks::Auto, Scale::Log) => {
            let values = log_ticks(lo, hi, n).into_iter().filter(inside);
            values.map(|value| (value, number::log_label(value))).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extent(values: &[f64]) -> Extent {
        let mut extent = Extent::none();
        values.iter().for_each(|&value| extent.include(value));
        extent
    }

    #[test]
    fn an_axis_goes_where_the_data_and_the_owner_want() {
        let axis = Axis::new("");
        assert_eq!(domain(&axis, extent(&[2.0, 12.0]), Room::Around(0.1)), (1.0, 13.0));
        assert_eq!(domain(&axis, extent(&[]), Room::Around(0.1)), (0.0, 1.0));
        assert_eq!(domain(&axis, extent(&[5.0]), Room::Around(0.1)), (4.5, 5.5));
        assert_eq!(
            domain(&axis.clone().between(1.0, 0.0), extent(&[2.0, 12.0]), Room::Around(0.1)),
            (0.0, 1.0)
        );
        let from_twenty = Axis { from: Some(20.0), ..axis.clone() };
        assert_eq!(domain(&from_twenty, extent(&[2.0, 12.0]), Room::Around(0.1)), (18.0, 22.0));
        let nonsense = Axis { from: Some(f64::NAN), ..axis };
        assert_eq!(domain(&nonsense, extent(&[2.0, 12.0]), Room::Around(0.1)), (1.0, 13.0));
    }

    #[test]
    fn room_does_not_reach_across_zero() {
        let axis = Axis::new("");
        assert_eq!(domain(&axis, extent(&[0.0, 10.0]), Room::UpToZero(0.1)), (0.0, 11.0));
        assert_eq!(domain(&axis, extent(&[-10.0, 0.0]), Room::UpToZero(0.1)), (-11.0, 0.0));
        assert_eq!(domain(&axis, extent(&[-10.0, 10.0]), Room::UpToZero(0.1)), (-12.0, 12.0));
        assert_eq!(domain(&axis, extent(&[0.0]), Room::UpToZero(0.1)), (-1.0, 1.0));
    }

    #[test]
    fn a_logarithmic_axis_ignores_bounds_it_has_no_place_for() {
        let axis = Axis::log("").between(0.0, 100.0);
        let (lo, hi) = domain(&axis, extent(&[10.0, 1000.0]), Room::Around(0.0));
        assert_eq!((lo, hi), (10.0, 100.0));
        let placed = Placed { scale: Scale::Log, domain: (1.0, 100.0), pixels: (0.0, 200.0) };
        assert!((placed.at(10.0) - 100.0).abs() < 1e-9);
        assert!(placed.at(f64::MAX).is_finite());
    }

    #[test]
    fn a_ratio_too_large_for_the_type_has_a_middle() {
        let axis = Axis::log("");
        let domain = domain(&axis, extent(&[1e-250, 1e250]), Room::Around(0.0));
        let placed = Placed { scale: Scale::Log, domain, pixels: (0.0, 200.0) };
        assert!((placed.at(1.0) - 100.0).abs() < 1e-9);
    }
}
