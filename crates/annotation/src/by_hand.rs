//! What the annotator did herself, and what she took over.

use crate::{Analysis, Change, History, WordOrBlock};
use std::collections::{BTreeMap, BTreeSet};

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

impl History {
    /// What was said by hand of what stands there.
    pub fn by_hand(&self) -> ByHand {
        let start = self.start();
        let heads_of = |analysis: &Analysis| analysis.heads().collect::<BTreeMap<_, _>>();
        let relations_of = |analysis: &Analysis| -> BTreeMap<WordOrBlock, _> { analysis.relations.clone() };
        let mut heads = Hand::new(|| heads_of(start));
        let mut relations = Hand::new(|| relations_of(start));
        let mut tags = Hand::new(|| start.tags.clone());
        let mut now = start.clone();
        for step in self.standing() {
            // A step that was made once can be made again.
            let _ = step.iter().try_for_each(|change| now.apply(change));
            let is_hand = !step.iter().all(|change| matches!(change, Change::Accept { .. }));
            heads.step(heads_of(&now), is_hand);
            relations.step(relations_of(&now), is_hand);
            tags.step(now.tags.clone(), is_hand);
        }
        ByHand { heads: heads.count(), relations: relations.count(), tags: tags.count() }
    }
}
