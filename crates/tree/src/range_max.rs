//! Maxima over ranges of a fixed list.

use std::ops::Range;

/// The largest value in any range of a list, in constant time after n log n preparation.
///
/// Level k holds the maxima of all stretches of 2ᵏ values, and every range is covered by two of them.
#[derive(Clone, Debug)]
pub(crate) struct RangeMax {
    levels: Vec<Vec<usize>>,
}

impl RangeMax {
    pub(crate) fn new(values: Vec<usize>) -> Self {
        let mut levels = vec![values];
        let mut stretch = 1;
        while let Some(below) = levels.last().filter(|below| below.len() > stretch) {
            let next = below.iter().zip(&below[stretch..]).map(|(&one, &other)| one.max(other)).collect();
            levels.push(next);
            stretch *= 2;
        }
        Self { levels }
    }

    /// The largest value in `range`, 0 if it is empty.
    pub(crate) fn over(&self, range: Range<usize>) -> usize {
        let Some(level) = range.len().checked_ilog2() else { return 0 };
        let maxima = &self.levels[level as usize];
        maxima[range.start].max(maxima[range.end - (1 << level)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn maximum_of_a_range_is_the_largest_value_in_it(
            values in prop::collection::vec(0usize..100, 0..40),
            ends in any::<(prop::sample::Index, prop::sample::Index)>(),
        ) {
            let (one, other) = (ends.0.index(values.len() + 1), ends.1.index(values.len() + 1));
            let range = one.min(other)..one.max(other);
            let expected = values[range.clone()].iter().copied().max().unwrap_or(0);
            prop_assert_eq!(RangeMax::new(values).over(range), expected);
        }
    }
}
