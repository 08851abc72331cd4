//! Attachment by relation, by distance and by part of speech.

use super::{Judgement, Options, relation};
use crate::counts::{Accuracy, Counts};
use indexmap::IndexMap;
use std::ops::Index;
use tree::{Text, Token};

/// Tables of the scored words; rows stand in order of first appearance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Breakdown {
    /// By relation.
    pub relations: IndexMap<Text, RelationCounts>,
    /// By distance between head and dependent: recall by gold distance, precision by proposed distance
    /// (McDonald & Nivre 2007).
    pub distances: Distances,
    /// By gold part of speech: UPOS or, where that is not given, XPOS.
    pub pos: IndexMap<Text, PosCounts>,
}

/// Counts for each [`DistanceClass`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Distances([Counts; 6]);

impl Index<DistanceClass> for Distances {
    type Output = Counts;

    fn index(&self, class: DistanceClass) -> &Counts {
        &self.0[class as usize]
    }
}

/// Words of one relation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RelationCounts {
    /// Right heads among the words with this gold relation.
    pub attachment: Accuracy,
    /// Right head and relation, among the words with this relation in gold and in the system's output.
    pub labelled: Counts,
}

/// Words of one part of speech.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PosCounts {
    /// Right heads.
    pub directed: Accuracy,
    /// Right heads and relations.
    pub labelled: Accuracy,
}

/// How far a word is from its head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DistanceClass {
    /// The head is the root.
    Root,
    /// Neighbours.
    One,
    /// One word between.
    Two,
    /// Three to six words away.
    ThreeToSix,
    /// Seven to ten words away.
    SevenToTen,
    /// Further.
    MoreThanTen,
}

impl DistanceClass {
    /// All classes from near to far.
    pub const ALL: [Self; 6] =
        [Self::Root, Self::One, Self::Two, Self::ThreeToSix, Self::SevenToTen, Self::MoreThanTen];

    /// The class of the arc from `head` (0 for the root) to `word`.
    pub fn of(word: usize, head: usize) -> Self {
        match (head, word.abs_diff(head)) {
            (0, _) => Self::Root,
            (_, 0 | 1) => Self::One,
            (_, 2) => Self::Two,
            (_, 3..=6) => Self::ThreeToSix,
            (_, 7..=10) => Self::SevenToTen,
            _ => Self::MoreThanTen,
        }
    }

    /// A short name for tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Root => "root",
            Self::One => "1",
            Self::Two => "2",
            Self::ThreeToSix => "3–6",
            Self::SevenToTen => "7–10",
            Self::MoreThanTen => ">10",
        }
    }
}

impl Breakdown {
    pub(super) fn add(
        &mut self,
        index: usize,
        gold: &Token,
        system: &Token,
        judgement: Judgement,
        options: &Options,
    ) {
        self.add_relation(relation(gold, options), relation(system, options), judgement);
        self.add_distance(index, gold, system, judgement);
        let pos = if gold.upos == "_" { &gold.xpos } else { &gold.upos };
        let counts = row(&mut self.pos, pos);
        counts.directed.add(judgement.directed);
        counts.labelled.add(judgement.labelled);
    }

    fn add_relation(&mut self, gold: &str, system: &str, judgement: Judgement) {
        let counts = row(&mut self.relations, gold);
        counts.attachment.add(judgement.directed);
        counts.labelled.gold += 1;
        counts.labelled.matched += usize::from(judgement.labelled);
        row(&mut self.relations, system).labelled.system += 1;
    }

    fn add_distance(&mut self, index: usize, gold: &Token, system: &Token, judgement: Judgement) {
        let class = |token: &Token| token.head.index().map(|head| DistanceClass::of(index, head as usize));
        if let Some(class) = class(gold) {
            let counts = &mut self.distances.0[class as usize];
            counts.gold += 1;
            counts.matched += usize::from(judgement.directed);
        }
        if let Some(class) = class(system) {
            self.distances.0[class as usize].system += 1;
        }
    }
}

fn row<'a, C: Default>(table: &'a mut IndexMap<Text, C>, key: &str) -> &'a mut C {
    match table.get_index_of(key) {
        Some(index) => &mut table[index],
        None => table.entry(key.into()).or_default(),
    }
}
