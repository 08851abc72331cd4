//! Annotations that no tree can satisfy.

use crate::Place;
use thiserror::Error;

/// Why no tree satisfies an annotation: what contradicts what, and where both were said.
///
/// A conflict is a proof that there is no such tree. The reverse does not hold: finding every contradiction
/// would take a search, and a few annotations without any tree pass as [`Constraints`](super::Constraints)
/// that admit nothing.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Conflict {
    /// A word with two heads.
    #[error("word {word} depends on {} ({first}) and on {} ({second}); remove one of the two", name(*.first_head), name(*.second_head))]
    TwoHeads {
        /// The word, from 1.
        word: usize,
        /// One head, 0 for the root.
        first_head: usize,
        /// Where it was said.
        first: Place,
        /// The other head.
        second_head: usize,
        /// Where it was said.
        second: Place,
    },
    /// Words that would be their own ancestors.
    #[error("words {} would depend on themselves ({first} and {second}); turn one of the arrows round", list(.words))]
    Cycle {
        /// The words, each below the next.
        words: Vec<usize>,
        /// Where one of the links was said.
        first: Place,
        /// Where another was said; the same if there is only one.
        second: Place,
    },
    /// A member of a bracket depends on something outside although another member is the head.
    #[error("word {word} depends on {} ({arc}), which is outside its bracket ({bracket}), but the bracket's head is word {head}; attach word {head} instead or move the mark of the head", name(*.outside))]
    NonHeadLeaves {
        /// The member, from 1.
        word: usize,
        /// The bracket's head.
        head: usize,
        /// What the member depends on, 0 for the root.
        outside: usize,
        /// Where the bracket is.
        bracket: Place,
        /// Where the arc was said.
        arc: Place,
    },
    /// Two members of a bracket depend on something outside.
    #[error("words {} and {} of one bracket ({bracket}) both depend on something outside ({first} and {second}); only the bracket's head can, so remove one of the two or make the bracket smaller", .words.0, .words.1)]
    TwoWaysOut {
        /// The members, from 1.
        words: (usize, usize),
        /// Where the bracket is.
        bracket: Place,
        /// Where the first member's head was said.
        first: Place,
        /// Where the second member's head was said.
        second: Place,
    },
    /// A word outside a bracket depends on a member that is not its head, under the subtree reading.
    #[error(
        "word {dependent} depends on word {head} ({arc}), which is inside a bracket ({bracket}) without being its head; make the bracket larger, or read brackets as connected"
    )]
    AttachedInside {
        /// The word outside, from 1.
        dependent: usize,
        /// The member, from 1.
        head: usize,
        /// Where the bracket is.
        bracket: Place,
        /// Where the arc was said.
        arc: Place,
    },
    /// Two brackets share words and neither contains the other, under the subtree reading.
    #[error("the bracket over {} ({first}) crosses the bracket over {} ({second}); make one contain the other, or read brackets as connected", list(.first_words), list(.second_words))]
    CrossingBrackets {
        /// Words of the one, from 1.
        first_words: Vec<usize>,
        /// Where it is.
        first: Place,
        /// Words of the other, from 1.
        second_words: Vec<usize>,
        /// Where it is.
        second: Place,
    },
    /// No word of a bracket can be its head.
    #[error("no word of the bracket over {} ({bracket}) can be its head because of what is said elsewhere ({other}); take one of the two back", list(.words))]
    NoBracketHead {
        /// Words of the bracket, from 1.
        words: Vec<usize>,
        /// Where it is.
        bracket: Place,
        /// Where the last possible head was ruled out.
        other: Place,
    },
    /// A word without any possible head.
    #[error("no head is left for word {word} ({first} and {second}); take one of the two back")]
    NoHead {
        /// The word, from 1.
        word: usize,
        /// Where something was said that rules out heads.
        first: Place,
        /// Where something else was said; the same if one thing rules out all heads.
        second: Place,
    },
    /// No word can hang from the root.
    #[error("no word is left that could be the root ({first} and {second}); take one of the two back")]
    NoRoot {
        /// Where something was said that rules out a root.
        first: Place,
        /// Where something else was said; the same if there is nothing else.
        second: Place,
    },
    /// Something is said of a word that was left out of the tree.
    #[error(
        "something is said of word {word} ({place}), which is left out of the tree; read both annotations with unmentioned words kept"
    )]
    LeftOut {
        /// The word, from 1.
        word: usize,
        /// Where it was said.
        place: Place,
    },
    /// Constraints for sentences of different lengths.
    #[error(
        "constraints for {first} and for {second} words cannot hold together; give both for the same sentence"
    )]
    Lengths {
        /// Words of the one.
        first: usize,
        /// Words of the other.
        second: usize,
    },
    /// A word beyond the end of the sentence, or word 0.
    #[error("word {word} ({place}) does not exist; the sentence has words 1 to {n_words}")]
    NoSuchWord {
        /// The word.
        word: usize,
        /// Words in the sentence.
        n_words: usize,
        /// Where it was named.
        place: Place,
    },
    /// A group that does not exist.
    #[error("group {group} ({place}) does not exist; there are {n_groups} groups, counted from 0")]
    NoSuchGroup {
        /// The group's index.
        group: usize,
        /// How many groups there are.
        n_groups: usize,
        /// Where it was named.
        place: Place,
    },
    /// A group without a word.
    #[error("the group at {place} has no words; remove it")]
    EmptyGroup {
        /// Where it is.
        place: Place,
    },
    /// A group that contains itself.
    #[error("the group at {place} contains itself; give the inner one another name")]
    GroupInItself {
        /// Where it is.
        place: Place,
    },
}

impl Conflict {
    /// The later of the places it names: where a reader of the file would first notice.
    pub fn place(&self) -> Place {
        match *self {
            Self::TwoHeads { first, second, .. }
            | Self::Cycle { first, second, .. }
            | Self::TwoWaysOut { first, second, .. }
            | Self::CrossingBrackets { first, second, .. }
            | Self::NoHead { first, second, .. }
            | Self::NoRoot { first, second } => first.max(second),
            Self::NonHeadLeaves { bracket, arc, .. } | Self::AttachedInside { bracket, arc, .. } => {
                bracket.max(arc)
            }
            Self::NoBracketHead { bracket, other, .. } => bracket.max(other),
            Self::LeftOut { place, .. }
            | Self::NoSuchWord { place, .. }
            | Self::NoSuchGroup { place, .. }
            | Self::EmptyGroup { place }
            | Self::GroupInItself { place } => place,
            Self::Lengths { .. } => Place::default(),
        }
    }
}

fn name(head: usize) -> String {
    if head == 0 { "the root".into() } else { format!("word {head}") }
}

fn list(words: &[usize]) -> String {
    words.iter().map(usize::to_string).collect::<Vec<_>>().join(" ")
}
