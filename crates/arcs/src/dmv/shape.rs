//! How the events of the model are numbered.

use serde::{Deserialize, Serialize};
use tree::Side;

/// Numbers events: which tag the root takes, whether a head stops, which tag it takes.
///
/// Heads are tags, `0..n_tags`, and after them the words that have distributions of their own. A list of
/// numbers, one for each event, holds parameters or counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct DmvShape {
    n_tags: usize,
    n_heads: usize,
    valence: bool,
}

/// The words of a sentence that are part of the tree, as the model sees them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DmvSentence {
    /// The tag of each word.
    pub tags: Vec<u32>,
    /// The head that each word is: its tag, or a number of its own.
    pub heads: Vec<u32>,
}

impl DmvSentence {
    /// Words that are known by their tags only.
    pub fn of_tags(tags: &[u32]) -> DmvSentence {
        DmvSentence { tags: tags.to_vec(), heads: tags.to_vec() }
    }

    /// The number of words.
    pub fn len(&self) -> usize {
        self.tags.len()
    }

    /// Whether there are no words.
    pub fn is_empty(&self) -> bool {
        self.tags.is_empty()
    }
}

impl DmvShape {
    /// So many tags and words with distributions of their own; with `valence`, the first dependent of a side has
    /// another distribution than those further out.
    pub fn new(n_tags: usize, n_words: usize, valence: bool) -> DmvShape {
        DmvShape { n_tags, n_heads: n_tags + n_words, valence }
    }

    /// The number of tags.
    pub fn n_tags(&self) -> usize {
        self.n_tags
    }

    /// The number of heads: tags, then words.
    pub fn n_heads(&self) -> usize {
        self.n_heads
    }

    /// The number of events.
    pub fn len(&self) -> usize {
        self.block(self.n_heads)
    }

    /// Whether there are no events; never.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The root takes a word with this tag.
    #[inline]
    pub fn root(&self, tag: u32) -> usize {
        tag as usize
    }

    /// The root stops after a dependent, or goes on.
    #[inline]
    pub fn root_stop(&self, stops: bool) -> usize {
        self.n_tags + usize::from(!stops)
    }

    /// A head stops, or goes on; `has` says whether it has a dependent on that side.
    #[inline]
    pub fn stop(&self, head: u32, side: Side, has: bool, stops: bool) -> usize {
        self.block(head as usize) + 4 * from_side(side) + 2 * usize::from(has) + usize::from(!stops)
    }

    /// A head takes a word with this tag.
    #[inline]
    pub fn choice(&self, head: u32, side: Side, has: bool, tag: u32) -> usize {
        let row = from_side(side) * self.n_valences() + usize::from(has && self.valence);
        self.block(head as usize) + 8 + row * self.n_tags + tag as usize
    }

    /// The events that a distribution is over, as first event and number: those of the root, then by heads.
    pub fn rows(&self) -> impl Iterator<Item = (usize, usize)> {
        let shape = *self;
        let root = [(0, self.n_tags), (self.n_tags, 2)].into_iter();
        root.chain((0..self.n_heads).flat_map(move |head| shape.rows_of(head)))
    }

    /// The same of one head.
    pub fn rows_of(&self, head: usize) -> impl Iterator<Item = (usize, usize)> + use<> {
        let (start, n_tags) = (self.block(head), self.n_tags);
        let stops = (0..4).map(move |row| (start + 2 * row, 2));
        stops.chain((0..2 * self.n_valences()).map(move |row| (start + 8 + row * n_tags, n_tags)))
    }

    /// How far the events of a head are behind those of another.
    pub fn distance(&self, head: usize, other: usize) -> usize {
        self.block(head) - self.block(other)
    }

    fn n_valences(&self) -> usize {
        1 + usize::from(self.valence)
    }

    fn block(&self, head: usize) -> usize {
        self.n_tags + 2 + head * (8 + 2 * self.n_valences() * self.n_tags)
    }
}

fn from_side(side: Side) -> usize {
    match side {
        Side::Left => 0,
        Side::Right => 1,
    }
}
