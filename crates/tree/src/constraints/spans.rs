//! Which stretches of a sentence a chart may build.
//!
//! Positions here count half words: the left half of word w (from 1) is at 2w and its right half at 2w + 1.
//! The root has a right half only, at 1.

use super::claims::Claims;
use super::narrow::Narrowed;
use super::{Constraints, RequiredBracket};
use crate::{Place, Span};

/// A side of a word or of a phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The beginning, and what stands before it.
    Left,
    /// The end, and what stands after it.
    Right,
}

/// What is refused, so that every question takes two comparisons. Memory is linear in n.
#[derive(Clone, Debug)]
pub(super) struct Spans {
    /// What crosses no required bracket.
    whole: Fence,
    /// What besides holds no word without all that it is known to dominate.
    split: Fence,
    /// First and last word that each word is known to dominate; the root dominates every word of the tree.
    reach: Vec<(usize, usize)>,
}

impl Spans {
    pub(super) fn new(claims: &Claims, narrowed: &Narrowed, brackets: &[RequiredBracket]) -> Self {
        let n_words = claims.n_words;
        let mut whole = Fence::open(2 * n_words + 2);
        for span in brackets.iter().filter_map(|bracket| bracket.span) {
            whole.bracket(2 * span.start() + 2, 2 * span.end() + 2);
        }
        let mut split = whole.clone();
        for (word, &(first, last)) in narrowed.reach.iter().enumerate().skip(1) {
            split.dominates(word, first, last);
        }
        let mut reach = narrowed.reach.clone();
        reach[0].1 = (1..=n_words).rfind(|&word| !claims.is_left_out(word)).unwrap_or(0);
        Self { whole, split, reach }
    }
}

/// Refused spans, by where they start and where they end.
#[derive(Clone, Debug)]
struct Fence {
    /// The smallest end with which a span that starts here is refused.
    ends: Vec<usize>,
    /// One more than the largest start with which a span that ends here is refused.
    starts: Vec<usize>,
}

impl Fence {
    fn open(last: usize) -> Self {
        Self { ends: vec![usize::MAX; last + 1], starts: vec![0; last + 1] }
    }

    // a..b crosses s..e iff s < a < e < b or a < s < b < e. So of all brackets around a the one that ends
    // first decides, and of all around b the one that starts last.
    fn bracket(&mut self, start: usize, end: usize) {
        for position in start + 1..end {
            self.ends[position] = self.ends[position].min(end + 1);
            self.starts[position] = self.starts[position].max(start);
        }
    }

    // a..b holds both halves of w iff a ≤ 2w and 2w + 2 ≤ b, and then it must hold first and last.
    fn dominates(&mut self, word: usize, first: usize, last: usize) {
        for start in 2 * first + 1..=2 * word {
            self.ends[start] = self.ends[start].min(2 * word + 2);
        }
        for end in 2 * word + 2..2 * last + 2 {
            self.starts[end] = self.starts[end].max(2 * word + 1);
        }
    }

    fn allows(&self, start: usize, end: usize) -> bool {
        self.ends.get(start).is_none_or(|&refused| end < refused)
            && self.starts.get(end).is_none_or(|&refused| refused <= start)
    }
}

impl Constraints {
    /// Whether a constituent may cover `span`: it crosses no required bracket. Constant time.
    ///
    /// Only brackets that must be constituents count, see [`RequiredBracket::span`]. This holds for
    /// constituents of any kind, also those that hold a head without all its dependents.
    pub fn allows_span(&self, span: Span) -> bool {
        self.spans.whole.allows(2 * span.start() + 2, 2 * span.end() + 2)
    }

    /// The place of the first required bracket that `span` crosses, for messages: it looks at all brackets.
    pub fn crossed_bracket(&self, span: Span) -> Option<Place> {
        let mut brackets = self.brackets.iter();
        brackets.find(|bracket| bracket.span.is_some_and(|required| required.crosses(span))).map(|b| b.place)
    }

    /// Whether a constituent of the split-head grammar may cover `span`, which counts half words. Constant
    /// time.
    ///
    /// Word w (from 1) has its left half at 2w − 2 and its right half at 2w − 1. The grammar's rules are
    /// X → L R, L → X L and R → R X: the left half collects all left dependents and the right half all right
    /// ones before the two are joined, and only what is joined is attached. So a span that holds both halves
    /// of a word holds every word it dominates. From an arc `h → d` with d < h follows Sun's (2016, §3.3.2)
    /// half bracket: no span that starts after d holds both halves of h. What is known to be dominated:
    /// dependents by required arcs, words of a bracket by its known head, and all of this chained. Besides,
    /// the span must not cross a required bracket.
    ///
    /// Eisner's chart attaches a dependent before its far half is there, and items that stretch from one
    /// half to the half of another word are no constituents of this grammar: ask
    /// [`allows_half`](Self::allows_half) there.
    pub fn allows_split_span(&self, span: Span) -> bool {
        self.spans.split.allows(span.start() + 2, span.end() + 2)
    }

    /// Whether Eisner's chart may build the half of `head` (0 for the root) that reaches to the word `end`:
    /// the head, some of its dependents on one side with all that they dominate, and perhaps more further
    /// out later. Constant time.
    ///
    /// A chart over words and the root has two kinds of items:
    ///
    /// - complete ones, the halves; each must be allowed here. Where it is known that no dependent will
    ///   follow, as when the half becomes part of something larger as a dependent,
    ///   [`allows_sealed_half`](Self::allows_sealed_half) rules out more. That saves work; the trees that can
    ///   be built are the same;
    /// - incomplete ones, an arc with the inner halves of its two words, for which
    ///   [`allows_arc`](Self::allows_arc) is all that need be asked.
    ///
    /// A half that is allowed crosses no required bracket, sticks out of none that holds its head, and holds
    /// no word, other than the head, without all that it is known to dominate.
    ///
    /// Every item of every admitted projective tree is allowed. The reverse, that only admitted trees can be
    /// built, holds if brackets are read as subtrees, have words and such brackets as members, have no gaps,
    /// and are named by arcs only as dependents. Gaps, words attached to a bracket, arcs from brackets whose head is open, forbidden arcs to or from
    /// such brackets, and brackets that are only connected leave trees in the chart that
    /// [`admits`](Self::admits) refuses: with (1 3) and nothing else said of three words, 7 trees instead of
    /// 4.
    ///
    /// Words that are left out are no part of the chart; of them and of words that do not exist or are on the
    /// other side nothing is allowed.
    pub fn allows_half(&self, head: usize, side: Side, end: usize) -> bool {
        let n_words = self.n_words();
        if head > n_words || end > n_words || self.is_left_out(head) || self.is_left_out(end) {
            return false;
        }
        match side {
            Side::Left => 0 < end && end <= head && self.spans.split.allows(2 * end, 2 * head + 1),
            Side::Right => head <= end && self.spans.split.allows(2 * head + 1, 2 * end + 2),
        }
    }

    /// Whether the half of `head` may reach to the word `end` with all its dependents on that side: as
    /// [`allows_half`](Self::allows_half), and whatever the head is known to dominate is there. Constant time.
    pub fn allows_sealed_half(&self, head: usize, side: Side, end: usize) -> bool {
        self.allows_half(head, side, end)
            && match side {
                Side::Left => end <= self.spans.reach[head].0,
                Side::Right => self.spans.reach[head].1 <= end,
            }
    }
}
