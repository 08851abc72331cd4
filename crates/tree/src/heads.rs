//! Dependency trees as lists of heads.

use thiserror::Error;

/// A complete dependency tree: every word has one head and nothing is its own ancestor.
///
/// Words count from 1; head 0 is the artificial root. Several words may hang from the root; ask
/// [`n_roots`](Heads::n_roots) where that matters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Heads {
    heads: Vec<u32>,
}

/// Why a list of heads is no tree.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum HeadsError {
    /// A head beyond the last word.
    #[error("word {word} has head {head}, but the sentence has {n_words} words")]
    OutOfRange {
        /// The word, from 1.
        word: usize,
        /// Its head.
        head: u32,
        /// Words in the sentence.
        n_words: usize,
    },
    /// Words that are their own ancestors.
    #[error("words {} form a cycle", list(.words))]
    Cycle {
        /// The words of the cycle, from 1, each headed by the next.
        words: Vec<usize>,
    },
}

fn list(words: &[usize]) -> String {
    words.iter().map(usize::to_string).collect::<Vec<_>>().join(" → ")
}

impl Heads {
    /// The tree in which word `i + 1` has head `heads[i]`.
    pub fn new(heads: Vec<u32>) -> Result<Self, HeadsError> {
        let n_words = heads.len();
        for (index, &head) in heads.iter().enumerate() {
            if head as usize > n_words {
                return Err(HeadsError::OutOfRange { word: index + 1, head, n_words });
            }
        }
        match cycle(&heads) {
            Some(words) => Err(HeadsError::Cycle { words }),
            None => Ok(Self { heads }),
        }
    }

    /// Number of words.
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// Whether there is no word.
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// The head of `word` (from 1).
    pub fn head(&self, word: usize) -> usize {
        self.heads[word - 1] as usize
    }

    /// All heads in word order.
    pub fn as_slice(&self) -> &[u32] {
        &self.heads
    }

    /// Dependents of `head` (0 for the root) from left to right.
    pub fn dependents(&self, head: usize) -> impl Iterator<Item = usize> {
        let dependents = self.heads.iter().enumerate();
        dependents.filter(move |&(_, &h)| h as usize == head).map(|(index, _)| index + 1)
    }

    /// How many words hang from the root.
    pub fn n_roots(&self) -> usize {
        self.dependents(0).count()
    }

    /// Number of arcs from the root to each word; index 0 is the root. Linear time.
    pub fn depths(&self) -> Vec<usize> {
        let mut depths = vec![0; self.len() + 1];
        let mut path = Vec::new();
        for word in 1..=self.len() {
            let mut at = word;
            while at != 0 && depths[at] == 0 {
                path.push(at);
                at = self.head(at);
            }
            let mut depth = depths[at];
            while let Some(below) = path.pop() {
                depth += 1;
                depths[below] = depth;
            }
        }
        depths
    }

    /// First and last word that each word dominates and how many, itself included; index 0 is the root.
    pub fn reach(&self) -> Vec<(usize, usize, usize)> {
        let mut reach: Vec<_> = (0..=self.len()).map(|word| (word, word, 1)).collect();
        let depths = self.depths();
        let mut bottom_up: Vec<_> = (1..=self.len()).collect();
        bottom_up.sort_by_key(|&word| std::cmp::Reverse(depths[word]));
        for word in bottom_up {
            let (first, last, size) = reach[word];
            let above = &mut reach[self.head(word)];
            *above = (above.0.min(first), above.1.max(last), above.2 + size);
        }
        reach
    }

    /// Arcs that cross another arc, as dependents (from 1). The root arc reaches over from position 0.
    pub fn crossing(&self) -> Vec<usize> {
        let arc = |word: usize| (self.head(word).min(word), self.head(word).max(word));
        let crosses = |a: (usize, usize), b: (usize, usize)| a.0 < b.0 && b.0 < a.1 && a.1 < b.1;
        let words = 1..=self.len();
        words
            .clone()
            .filter(|&a| words.clone().any(|b| crosses(arc(a), arc(b)) || crosses(arc(b), arc(a))))
            .collect()
    }

    /// Whether the words that each word dominates are contiguous.
    ///
    /// Equal to: no two arcs cross, where root arcs start at position 0 to the left of the sentence.
    pub fn is_projective(&self) -> bool {
        self.reach().iter().all(|&(first, last, size)| last - first + 1 == size)
    }

    /// Whether `ancestor` is on the path from `word` to the root, `word` itself included.
    pub fn dominates(&self, ancestor: usize, word: usize) -> bool {
        let mut at = word;
        loop {
            if at == ancestor {
                return true;
            }
            if at == 0 {
                return false;
            }
            at = self.head(at);
        }
    }

    /// Number of arcs on the longest path from the root.
    pub fn depth(&self) -> usize {
        self.depths().into_iter().max().unwrap_or(0)
    }
}

/// The first cycle among heads that are all in range, if there is one. Linear time.
pub(crate) fn cycle(heads: &[u32]) -> Option<Vec<usize>> {
    // 0 = not visited, otherwise the number of the walk that came by.
    let mut walk_of = vec![0usize; heads.len() + 1];
    for start in 1..=heads.len() {
        let mut at = start;
        while at != 0 && walk_of[at] == 0 {
            walk_of[at] = start;
            at = heads[at - 1] as usize;
        }
        if at != 0 && walk_of[at] == start {
            let mut words = vec![at];
            let mut next = heads[at - 1] as usize;
            while next != at {
                words.push(next);
                next = heads[next - 1] as usize;
            }
            return Some(words);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn out_of_range_and_cycles_are_refused_with_the_words() {
        assert_eq!(Heads::new(vec![0, 9]), Err(HeadsError::OutOfRange { word: 2, head: 9, n_words: 2 }));
        assert_eq!(Heads::new(vec![0, 3, 4, 2]), Err(HeadsError::Cycle { words: vec![2, 3, 4] }));
        assert_eq!(Heads::new(vec![1]), Err(HeadsError::Cycle { words: vec![1] }));
    }

    /// Heads without cycles: attach the words in a random order, each to the root or to an earlier one.
    fn any_tree() -> impl Strategy<Value = Heads> {
        (1usize..9).prop_flat_map(|n| {
            let order = Just((1..=n).collect::<Vec<_>>()).prop_shuffle();
            (order, proptest::collection::vec(any::<prop::sample::Index>(), n)).prop_map(|(order, picks)| {
                let mut heads = vec![0; order.len()];
                for (rank, &word) in order.iter().enumerate() {
                    let pick = picks[rank].index(rank + 1);
                    heads[word - 1] = if pick == 0 { 0 } else { order[pick - 1] as u32 };
                }
                Heads::new(heads).unwrap()
            })
        })
    }

    proptest! {
        #[test]
        fn projective_means_contiguous_means_no_crossing(tree in any_tree()) {
            let n = tree.len();
            let contiguous = (1..=n).all(|ancestor| {
                let yield_of: Vec<_> = (1..=n).filter(|&w| tree.dominates(ancestor, w)).collect();
                yield_of.last().unwrap() - yield_of[0] + 1 == yield_of.len()
            });
            prop_assert_eq!(tree.is_projective(), contiguous);
            prop_assert_eq!(tree.is_projective(), tree.crossing().is_empty());
        }

        #[test]
        fn reach_is_first_last_and_number_of_dominated_words(tree in any_tree()) {
            let reach = tree.reach();
            for (ancestor, &reached) in reach.iter().enumerate().skip(1) {
                let yield_of: Vec<_> = (1..=tree.len()).filter(|&w| tree.dominates(ancestor, w)).collect();
                prop_assert_eq!(reached, (yield_of[0], *yield_of.last().unwrap(), yield_of.len()));
            }
        }
    }
}
