//! Which arcs stand above which.

use tree::PutInOrder;

/// Something that stretches from one column to another and needs a level of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Interval {
    /// First column.
    pub(crate) lo: usize,
    /// Last column, not before the first.
    pub(crate) hi: usize,
    /// Of two equal intervals, the one with the smaller rank is the inner one.
    pub(crate) rank: usize,
}

/// Whether two intervals that only meet at their ends may share a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Touch {
    /// They may.
    Allowed,
    /// They may not.
    Forbidden,
}

/// The level of each interval, from 0: intervals of one level do not overlap, and an interval is above all
/// that lie within it. Shorter ones choose first, each the lowest level that is left. Quadratic time.
pub(crate) fn levels(intervals: &[Interval], touch: Touch) -> Vec<usize> {
    let mut order: Vec<usize> = (0..intervals.len()).collect();
    order.order_by_key(|&i| (intervals[i].hi - intervals[i].lo, intervals[i].rank, intervals[i].lo, i));
    let mut levels = vec![0; intervals.len()];
    let mut taken = Vec::new();
    for (n_placed, &outer) in order.iter().enumerate() {
        let mut lowest = 0;
        taken.clear();
        for &inner in &order[..n_placed] {
            if contains(intervals[outer], intervals[inner]) {
                lowest = lowest.max(levels[inner] + 1);
            } else if overlap(intervals[outer], intervals[inner], touch) {
                taken.push(levels[inner]);
            }
        }
        taken.sort_unstable();
        for &level in &taken {
            lowest += usize::from(level == lowest);
        }
        levels[outer] = lowest;
    }
    levels
}

fn contains(outer: Interval, inner: Interval) -> bool {
    outer.lo <= inner.lo && inner.hi <= outer.hi
}

fn overlap(a: Interval, b: Interval, touch: Touch) -> bool {
    match touch {
        Touch::Allowed => a.lo < b.hi && b.lo < a.hi,
        Touch::Forbidden => a.lo <= b.hi && b.lo <= a.hi,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_intervals() -> impl Strategy<Value = Vec<Interval>> {
        let interval = (0usize..12, 1usize..8, 0usize..3);
        let interval = interval.prop_map(|(lo, length, rank)| Interval { lo, hi: lo + length, rank });
        proptest::collection::vec(interval, 0..15)
    }

    proptest! {
        #[test]
        fn one_level_has_no_overlap_and_nested_arcs_are_below(
            intervals in any_intervals(),
            touch in prop_oneof![Just(Touch::Allowed), Just(Touch::Forbidden)],
        ) {
            let levels = levels(&intervals, touch);
            for (i, &a) in intervals.iter().enumerate() {
                for (j, &b) in intervals.iter().enumerate().filter(|&(j, _)| j != i) {
                    prop_assert!(levels[i] != levels[j] || !overlap(a, b, touch), "{a:?} {b:?}");
                    if contains(a, b) && (a.lo, a.hi) != (b.lo, b.hi) {
                        prop_assert!(levels[i] > levels[j], "{a:?} {b:?}");
                    }
                }
            }
        }

        #[test]
        fn no_interval_could_move_one_level_down(intervals in any_intervals()) {
            let levels = levels(&intervals, Touch::Allowed);
            for (i, &a) in intervals.iter().enumerate().filter(|&(i, _)| levels[i] > 0) {
                let below = |j: usize| j != i && levels[j] + 1 == levels[i];
                let supported = intervals.iter().enumerate().any(|(j, &b)| below(j) && overlap(a, b, Touch::Allowed));
                prop_assert!(supported, "{a:?} floats");
            }
        }
    }

    #[test]
    fn chain_of_neighbours_is_flat_if_touching_is_allowed() {
        let chain: Vec<_> = (0..4).map(|lo| Interval { lo, hi: lo + 1, rank: 0 }).collect();
        assert_eq!(levels(&chain, Touch::Allowed), [0, 0, 0, 0]);
        assert_eq!(levels(&chain, Touch::Forbidden), [0, 1, 0, 1]);
    }
}
