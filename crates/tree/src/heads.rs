//! Dependency trees as lists of heads.

use crate::PutInOrder;
use crate::range_max::RangeMax;
use thiserror::Error;

/// A complete dependency tree: every word has one head and nothing is its own ancestor.
///
/// Words count from 1; head 0 is the artificial root. Several words may hang from the root; ask
/// [`n_roots`](Heads::n_roots) where that matters.
///
/// ```
/// use tree::Heads;
///
/// let tree = Heads::new(vec![2, 0, 2]).unwrap();
/// assert_eq!((tree.head(1), tree.n_roots(), tree.is_projective()), (2, 1, true));
/// assert_eq!(tree.dependents(2).collect::<Vec<_>>(), [1, 3]);
/// assert_eq!(Heads::new(vec![2, 1]).unwrap_err().to_string(), "words 1 → 2 form a cycle");
/// ```
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

    /// Dependents of `head` (0 for the root) from left to right. Looks at every word; to visit several heads,
    /// ask [`dependents_by_head`](Self::dependents_by_head) once.
    pub fn dependents(&self, head: usize) -> impl Iterator<Item = usize> {
        let dependents = self.heads.iter().enumerate();
        dependents.filter(move |&(_, &h)| h as usize == head).map(|(index, _)| index + 1)
    }

    /// The dependents of every head, in one pass over the words. Linear time.
    pub fn dependents_by_head(&self) -> Dependents {
        let mut starts = vec![0; self.len() + 2];
        for &head in &self.heads {
            starts[head as usize + 1] += 1;
        }
        for head in 0..=self.len() {
            starts[head + 1] += starts[head];
        }
        let mut next = starts.clone();
        let mut words = vec![0; self.len()];
        for (index, &head) in self.heads.iter().enumerate() {
            let place = &mut next[head as usize];
            words[*place] = index + 1;
            *place += 1;
        }
        Dependents { starts, words }
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
        bottom_up.order_by_key(|&word| std::cmp::Reverse(depths[word]));
        for word in bottom_up {
            let (first, last, size) = reach[word];
            let above = &mut reach[self.head(word)];
            *above = (above.0.min(first), above.1.max(last), above.2 + size);
        }
        reach
    }

    /// Arcs that cross another arc, as dependents (from 1). The root arc reaches over from position 0.
    /// Time n log n.
    pub fn crossing(&self) -> Vec<usize> {
        let crossings = Crossings::new(self);
        (1..=self.len()).filter(|&word| crossings.to_the_right(word) || crossings.to_the_left(word)).collect()
    }

    /// Two arcs that cross, as dependents (from 1): the first word whose arc is crossed by one that starts
    /// further right, and the first word with such an arc. `None` if the tree is projective. Time n log n.
    pub fn first_crossing(&self) -> Option<(usize, usize)> {
        let crossings = Crossings::new(self);
        let word = (1..=self.len()).find(|&word| crossings.to_the_right(word))?;
        let (left, right) = self.arc(word);
        let crosses = |&other: &usize| {
            let (start, end) = self.arc(other);
            left < start && start < right && right < end
        };
        Some((word, (1..=self.len()).find(crosses)?))
    }

    /// Left and right end of the arc to `word`.
    fn arc(&self, word: usize) -> (usize, usize) {
        let head = self.head(word);
        (head.min(word), head.max(word))
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

/// The dependents of every head, see [`Heads::dependents_by_head`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependents {
    /// The dependents of `head` are `words[starts[head]..starts[head + 1]]`.
    starts: Vec<usize>,
    words: Vec<usize>,
}

impl Dependents {
    /// Dependents of `head` (0 for the root) from left to right.
    pub fn of(&self, head: usize) -> &[usize] {
        &self.words[self.starts[head]..self.starts[head + 1]]
    }

    /// Dependents of `head` to its left and to its right, each from left to right.
    pub fn by_side(&self, head: usize) -> (&[usize], &[usize]) {
        let all = self.of(head);
        all.split_at(all.partition_point(|&word| word < head))
    }
}

/// Which arcs are crossed, and from which side.
///
/// Arc (l, r) is crossed to the right iff an arc starts at some p with l < p < r and ends beyond r: the
/// largest end of the arcs that start in there decides. To the left it is the same in the mirror.
struct Crossings<'a> {
    heads: &'a Heads,
    /// The largest right end of the arcs that start at a position.
    ends: RangeMax,
    /// n less the smallest left end of the arcs that end at a position, 0 without arcs.
    starts: RangeMax,
}

impl<'a> Crossings<'a> {
    fn new(heads: &'a Heads) -> Self {
        let n_words = heads.len();
        let (mut ends, mut starts) = (vec![0; n_words + 1], vec![0; n_words + 1]);
        for word in 1..=n_words {
            let (left, right) = heads.arc(word);
            ends[left] = right.max(ends[left]);
            starts[right] = (n_words - left).max(starts[right]);
        }
        Self { heads, ends: RangeMax::new(ends), starts: RangeMax::new(starts) }
    }

    fn to_the_right(&self, word: usize) -> bool {
        let (left, right) = self.heads.arc(word);
        self.ends.over(left + 1..right) > right
    }

    fn to_the_left(&self, word: usize) -> bool {
        let (left, right) = self.heads.arc(word);
        self.starts.over(left + 1..right) > self.heads.len() - left
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
        (1usize..14).prop_flat_map(|n| {
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

    /// Every pair of arcs (as dependents) of which the second starts inside the first and ends beyond it.
    fn crossing_pairs(tree: &Heads) -> Vec<(usize, usize)> {
        let crosses = |a: (usize, usize), b: (usize, usize)| a.0 < b.0 && b.0 < a.1 && a.1 < b.1;
        let pairs = (1..=tree.len()).flat_map(|a| (1..=tree.len()).map(move |b| (a, b)));
        pairs.filter(|&(a, b)| crosses(tree.arc(a), tree.arc(b))).collect()
    }

    #[test]
    fn crossing_arcs_of_fifty_thousand_words_are_found_in_no_time() {
        let n = 50_000u32;
        // All but two arcs are nested inside each other, which is the worst for looking at pairs of arcs.
        let mut heads: Vec<u32> = (1..=n).map(|word| if word <= n / 2 { n + 1 - word } else { 0 }).collect();
        heads[n as usize / 2 - 1] = n / 2 + 2;
        heads[n as usize / 2 - 2] = n / 2 + 1;
        let tree = Heads::new(heads).unwrap();
        let start = std::time::Instant::now();
        let first = tree.first_crossing();
        assert!(tree.crossing().len() > 2 && first.is_some());
        // A tenth of a second is the promise; the rest is patience with busy machines.
        assert!(start.elapsed().as_secs_f64() < 1.0, "{:?}", start.elapsed());
    }

    proptest! {
        #[test]
        fn crossing_arcs_are_those_of_all_crossing_pairs(tree in any_tree()) {
            let pairs = crossing_pairs(&tree);
            let mut expected: Vec<usize> = pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
            expected.sort_unstable();
            expected.dedup();
            prop_assert_eq!(tree.crossing(), expected);
            prop_assert_eq!(tree.first_crossing(), pairs.first().copied());
        }

        #[test]
        fn dependents_by_head_are_the_dependents_of_each_head(tree in any_tree()) {
            let dependents = tree.dependents_by_head();
            for head in 0..=tree.len() {
                prop_assert_eq!(dependents.of(head), tree.dependents(head).collect::<Vec<_>>());
                let (left, right) = dependents.by_side(head);
                prop_assert!(left.iter().all(|&word| word < head) && right.iter().all(|&word| word > head));
                prop_assert_eq!([left, right].concat(), dependents.of(head));
            }
        }

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
