//! What the annotator did herself, and what she took over.

use crate::history::MadeStep;
use crate::{Analysis, Attached, Change, History, WordBlock, WordOrBlock};
use std::collections::{BTreeMap, BTreeSet};
use tree::Text;

/// How much of what stands there was said by hand: neither read from the file nor taken over from a machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByHand {
    /// Heads of words and blocks.
    pub heads: usize,
    /// Relations.
    pub relations: usize,
    /// Tags.
    pub tags: usize,
}

/// Values that were changed by hand last.
struct Hand<K, V> {
    start: BTreeMap<K, V>,
    now: BTreeMap<K, V>,
    by_hand: BTreeSet<K>,
}

impl<K: Ord + Copy, V: PartialEq> Hand<K, V> {
    fn new(start: impl Fn() -> BTreeMap<K, V>) -> Self {
        Self { start: start(), now: start(), by_hand: BTreeSet::new() }
    }

    /// Goes on to what stands there after a step.
    fn step(&mut self, next: BTreeMap<K, V>, is_hand: bool) {
        let before = std::mem::replace(&mut self.now, next);
        let keys: Vec<K> = before.keys().chain(self.now.keys()).copied().collect();
        for key in keys.into_iter().filter(|key| before.get(key) != self.now.get(key)) {
            match is_hand {
                true => self.by_hand.insert(key),
                false => self.by_hand.remove(&key),
            };
        }
    }

    /// What is still another than at the start.
    fn count(&self) -> usize {
        self.by_hand.iter().filter(|key| self.start.get(key) != self.now.get(key)).count()
    }
}

/// What somebody decided by hand last, be it that something is open; nothing else may be put in its place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decided {
    /// Units whose heads were decided.
    pub heads: BTreeSet<WordOrBlock>,
    /// Units whose relations were decided.
    pub relations: BTreeSet<WordOrBlock>,
    /// Words whose tags were decided.
    pub tags: BTreeSet<u32>,
    /// Blocks that were made, changed or taken apart.
    pub blocks: BTreeSet<u32>,
}

/// What was changed by hand last, of everything.
struct Hands {
    heads: Hand<WordOrBlock, Attached>,
    relations: Hand<WordOrBlock, Text>,
    tags: Hand<u32, Text>,
    blocks: Hand<u32, WordBlock>,
}

impl Hands {
    /// What stands there after all steps, some of which count as made by hand.
    fn new(history: &History, is_hand: impl Fn(&MadeStep) -> bool) -> Self {
        let start = history.start();
        let mut hands = Self {
            heads: Hand::new(|| start.heads.clone()),
            relations: Hand::new(|| start.relations.clone()),
            tags: Hand::new(|| start.tags.clone()),
            blocks: Hand::new(|| start.blocks.clone()),
        };
        let mut now: Analysis = start.clone();
        for step in history.standing() {
            // A step that was made once can be made again.
            let _ = step.changes.iter().try_for_each(|change| now.apply(change));
            let is_hand = is_hand(step);
            hands.heads.step(now.heads.clone(), is_hand);
            hands.relations.step(now.relations.clone(), is_hand);
            hands.tags.step(now.tags.clone(), is_hand);
            hands.blocks.step(now.blocks.clone(), is_hand);
        }
        hands
    }
}

impl History {
    /// What was said by hand of what stands there.
    pub fn by_hand(&self) -> ByHand {
        let hands = Hands::new(self, |step| {
            !step.changes.iter().all(|change| matches!(change, Change::Accept { .. }))
        });
        ByHand { heads: hands.heads.count(), relations: hands.relations.count(), tags: hands.tags.count() }
    }

    /// What somebody decided there and then; suggestions that were accepted are decisions, too.
    pub fn decided(&self) -> Decided {
        let hands = Hands::new(self, |step| step.via.is_by_hand());
        Decided {
            heads: hands.heads.by_hand,
            relations: hands.relations.by_hand,
            tags: hands.tags.by_hand,
            blocks: hands.blocks.by_hand,
        }
    }
}
