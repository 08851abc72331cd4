//! What a parser may build for one sentence.

mod admit;
mod bits;
mod claims;
mod clock;
mod conflict;
mod dominance;
mod early;
mod mask;
mod narrow;
mod reading;
#[cfg(test)]
mod slow;
mod spans;

pub use conflict::Conflict;
pub use reading::{BracketReading, CoordinationHead, MultiwordHead, Reading};
pub use spans::Side;

use crate::{Heads, PartialTree, Place, Span};
use claims::{Claim, Claims, End};
use narrow::{Narrowed, candidates, certain, narrow};
use spans::Spans;

/// What a chart may build for one sentence: arcs, roots, spans, and brackets that must come out.
///
/// Made from what an annotator [said](PartialTree), or permissive; it only ever narrows. There are three
/// levels, each weaker and cheaper than the one before:
///
/// - [`admits`](Self::admits) is exact: it says whether a whole tree satisfies the annotation.
/// - [`allows_arc`](Self::allows_arc) rules out arcs that no admitted tree has. It is sound for all trees,
///   projective or not. It is complete (every allowed arc is in an admitted tree) for annotations that
///   consist of arcs and roots between words, and for a single bracket.
/// - [`allows_span`](Self::allows_span), [`allows_split_span`](Self::allows_split_span) and
///   [`allows_half`](Self::allows_half) rule out spans that no admitted *projective* tree has: constituents,
///   constituents over split heads, and items of Eisner's chart.
///
/// Several words may hang from the root, since a sentence may hold several utterances; a parser that wants
/// one root sees to it itself. Every restriction remembers the place that caused it.
///
/// Questions about arcs and spans take constant time. Memory is about n²/8 bytes for the arcs, 4·n² for the
/// places, and n/8 for each bracket besides its words. Building takes about n³/64 steps for n brackets of
/// up to n words.
///
/// ```
/// use tree::{Arc, Constraints, Node, PartialTree, Place, Reading};
///
/// let mut said = PartialTree::new(3);
/// said.arcs.push(Arc { head: Node::Word(3), dependent: Node::Word(1), place: Place::line(7) });
/// let allowed = Constraints::from_partial(&said, &Reading::default()).unwrap();
/// assert_eq!(allowed.required_head(1), Some(3));
/// assert!(!allowed.allows_arc(2, 1) && allowed.allows_arc(2, 3));
/// assert!(!allowed.allows_arc(1, 3)); // It would close a cycle.
/// said.arcs.push(Arc { head: Node::Word(1), dependent: Node::Word(3), place: Place::line(8) });
/// assert!(Constraints::from_partial(&said, &Reading::default()).is_err());
/// ```
#[derive(Clone, Debug)]
pub struct Constraints {
    claims: Claims,
    narrowed: Narrowed,
    brackets: Vec<RequiredBracket>,
    spans: Spans,
}

/// A bracket that must come out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequiredBracket {
    /// Its words from 1, all levels, in sentence order.
    pub words: Vec<usize>,
    /// The word that heads the others, if it is known.
    pub head: Option<usize>,
    /// What the head depends on, 0 for the root, if it is known.
    pub outer_head: Option<usize>,
    /// The span from its first to its last word, if that is a constituent in every projective tree: under
    /// the subtree reading, unless something outside was attached to the bracket.
    pub span: Option<Span>,
    /// Where it was said.
    pub place: Place,
}

impl Constraints {
    /// Everything is allowed.
    pub fn unconstrained(n_words: usize) -> Self {
        Self::new(Claims::none(n_words)).expect("nothing contradicts nothing")
    }

    /// What `said` allows when it is read as `reading`, or what in it contradicts what.
    ///
    /// An arc whose end is a group means the group's head: for a multiword its head token, for a coordination
    /// what [`Reading::coordination`] says, for a bracket its head, whichever it turns out to be.
    pub fn from_partial(said: &PartialTree, reading: &Reading) -> Result<Self, Conflict> {
        Self::new(Claims::new(said, reading)?)
    }

    fn new(claims: Claims) -> Result<Self, Conflict> {
        early::check(&claims)?;
        let narrowed = narrow(&claims)?;
        let indices = 0..claims.brackets.len();
        let brackets: Vec<_> = indices.map(|index| required(&claims, &narrowed, index)).collect();
        let spans = Spans::new(&claims, &narrowed, &brackets);
        Ok(Self { claims, narrowed, brackets, spans })
    }

    /// What both allow. A word that either leaves out is left out.
    pub fn and(self, other: &Self) -> Result<Self, Conflict> {
        if self.n_words() != other.n_words() {
            return Err(Conflict::Lengths { first: self.n_words(), second: other.n_words() });
        }
        Self::new(self.claims.and(&other.claims))
    }

    /// The same without the arc from `head` (0 for the root) to `dependent`.
    pub fn forbid(self, head: usize, dependent: usize, place: Place) -> Result<Self, Conflict> {
        self.forbid_all([(head, dependent)], place)
    }

    /// The same without the arcs, each from a head (0 for the root) to a dependent.
    pub fn forbid_all(
        self,
        arcs: impl IntoIterator<Item = (usize, usize)>,
        place: Place,
    ) -> Result<Self, Conflict> {
        let Self { mut claims, .. } = self;
        let n_words = claims.n_words;
        for (head, dependent) in arcs {
            let exists = head <= n_words && (1..=n_words).contains(&dependent);
            if !exists {
                let word = if head > n_words { head } else { dependent };
                return Err(Conflict::NoSuchWord { word, n_words, place });
            }
            claims.forbidden.push(Claim {
                head: End::Word(head),
                dependent: End::Word(dependent),
                place,
                source: 0,
            });
        }
        Self::new(claims)
    }

    /// Number of words of the sentence, those left out included.
    pub fn n_words(&self) -> usize {
        self.claims.n_words
    }

    /// Whether `dependent` (from 1) may depend on `head` (0 for the root). False for words that do not exist
    /// or are left out.
    pub fn allows_arc(&self, head: usize, dependent: usize) -> bool {
        self.narrowed.mask.allows(head, dependent)
    }

    /// Whether `word` may hang from the root.
    pub fn allows_root(&self, word: usize) -> bool {
        self.allows_arc(0, word)
    }

    /// The only head that `word` can have, 0 for the root; `None` if there is a choice or it is left out.
    pub fn required_head(&self, word: usize) -> Option<usize> {
        (1..=self.n_words()).contains(&word).then(|| self.narrowed.mask.only_head(word)).flatten()
    }

    /// Where the arc was ruled out; `None` if it is allowed or joins a word with itself.
    pub fn reason(&self, head: usize, dependent: usize) -> Option<Place> {
        self.narrowed.mask.reason(head, dependent)
    }

    /// Whether `word` is no part of the tree.
    pub fn is_left_out(&self, word: usize) -> bool {
        self.claims.is_left_out(word)
    }

    /// Words that are no part of the tree, in sentence order.
    pub fn left_out(&self) -> &[usize] {
        &self.claims.left_out
    }

    /// Brackets that must come out; those inside others stand before them.
    pub fn brackets(&self) -> &[RequiredBracket] {
        &self.brackets
    }

    /// Whether `heads` satisfies the annotation in every respect, connected brackets included.
    ///
    /// Heads of words that are left out do not matter, but these must not head others. Projectivity is not
    /// asked for.
    pub fn admits(&self, heads: &Heads) -> bool {
        let words = || (1..=self.n_words()).filter(|&word| !self.is_left_out(word));
        heads.len() == self.n_words()
            && words().all(|word| self.allows_arc(heads.head(word), word))
            && admit::satisfies(heads, &self.claims)
    }
}

fn required(claims: &Claims, narrowed: &Narrowed, index: usize) -> RequiredBracket {
    let bracket = &claims.brackets[index];
    let tops = &narrowed.tops;
    let head = tops[index].only();
    let by_arc = || {
        let mut arcs = claims.arcs.iter().filter(|claim| claim.dependent == End::Bracket(index));
        arcs.find_map(|claim| certain(tops, claim.head))
    };
    let is_attached_to = |claim: &Claim| {
        claim.source == bracket.source
            && candidates(tops, claim.head).any(|word| bracket.holds(word))
            && candidates(tops, claim.dependent).any(|word| bracket.is_outside(word))
    };
    let is_constituent = bracket.closed && !claims.arcs.iter().any(is_attached_to);
    RequiredBracket {
        words: bracket.words.clone(),
        head,
        outer_head: head.and_then(|head| narrowed.mask.only_head(head)).or_else(by_arc),
        span: Span::covering(bracket.words.iter().map(|&word| word - 1)).filter(|_| is_constituent),
        place: bracket.place,
    }
}
