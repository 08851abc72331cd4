//! Sorting where little is sorted and the size of the program counts.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// The stable order of a slice, compiled once.
///
/// The sort of the standard library is compiled anew for every type and every order, six kilobytes each time: a twelfth of the
/// program. This one sorts numbers, and only the last step, which moves the elements, knows their type. It allocates 4 bytes for
/// each element and calls the comparison through a pointer, so that loops that count keep the standard sort.
///
/// ```
/// use tree::PutInOrder;
///
/// let mut words = ["dog", "a", "the", "sleeps"];
/// words.order_by_key(|word| word.len());
/// assert_eq!(words, ["a", "dog", "the", "sleeps"]);
/// ```
pub trait PutInOrder<T> {
    /// Sorts; what compares as equal keeps its order.
    fn order_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering);

    /// Sorts by a key; what has the same key keeps its order.
    fn order_by_key<K: Ord>(&mut self, mut key: impl FnMut(&T) -> K) {
        self.order_by(|a, b| key(a).cmp(&key(b)));
    }
}

impl<T> PutInOrder<T> for [T] {
    fn order_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        let mut from = sorted(self.len(), &mut |a, b| compare(&self[a], &self[b]));
        // Place `to` gets what stood at `from[to]`. An element that has been moved away from a place before it is found by
        // following where it went.
        for to in 0..self.len() {
            let mut place = from[to] as usize;
            while place < to {
                place = from[place] as usize;
            }
            from[to] = place as u32;
            self.swap(to, place);
        }
    }
}

/// The numbers below `n` as `compare` orders them.
fn sorted(n: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<u32> {
    let mut order: Vec<u32> = (0..n as u32).collect();
    order.sort_by(|&a, &b| compare(a as usize, b as usize));
    order
}

/// Sets and maps of little, put together element by element.
///
/// `collect` sorts everything first, by a sort of its own for every type.
pub trait PutTogether: Iterator + Sized {
    /// A set of all elements.
    fn into_set(self) -> BTreeSet<Self::Item>
    where
        Self::Item: Ord,
    {
        let mut set = BTreeSet::new();
        set.extend(self);
        set
    }

    /// A map of all pairs; of those with the same key the last one stays.
    fn into_map<K: Ord, V>(self) -> BTreeMap<K, V>
    where
        Self: Iterator<Item = (K, V)>,
    {
        let mut map = BTreeMap::new();
        map.extend(self);
        map
    }
}

impl<I: Iterator> PutTogether for I {}

#[cfg(test)]
mod tests {
    use super::{PutInOrder, PutTogether};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_order_is_that_of_the_standard_library(mut pairs in prop::collection::vec((0u8..6, any::<u16>()), 0..200)) {
            let mut expected = pairs.clone();
            expected.sort_by_key(|&(first, _)| std::cmp::Reverse(first));
            pairs.order_by_key(|&(first, _)| std::cmp::Reverse(first));
            prop_assert_eq!(pairs, expected);
        }

        #[test]
        fn sets_and_maps_are_those_of_the_standard_library(pairs in prop::collection::vec((0u8..6, any::<u16>()), 0..40)) {
            prop_assert_eq!(pairs.iter().into_set(), pairs.iter().collect());
            prop_assert_eq!(pairs.iter().copied().into_map(), pairs.iter().copied().collect());
        }
    }
}
