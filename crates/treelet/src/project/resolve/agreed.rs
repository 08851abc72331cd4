//! What nobody disputes.

use annotation::{
    Analysis, Attach, Attached, BlockKind, Change, Decided, Shape, WordBlock, WordOrBlock, WrittenHead,
};
use std::collections::{BTreeMap, BTreeSet};
use tree::{PutInOrder, Text};

/// What analyses have in common, by words alone: each numbers its blocks in its own way.
#[derive(Clone, Debug, Default)]
pub(super) struct WantedMerge {
    /// Blocks, by their words.
    pub(super) blocks: BTreeMap<BTreeSet<u32>, WordBlock>,
    /// What units, by their words, belong to; nothing where they are to be open.
    pub(super) heads: BTreeMap<BTreeSet<u32>, Option<HeadWords>>,
    /// Relations of units that have a head.
    pub(super) relations: BTreeMap<BTreeSet<u32>, Text>,
    /// Tags of words.
    pub(super) tags: BTreeMap<u32, Text>,
    /// Whether blocks that are not wanted are taken apart.
    pub(super) no_other_blocks: bool,
}

/// A head by its words; the root has none.
pub(super) type HeadWords = BTreeSet<u32>;

/// Changes that carry over what all who say anything say alike: blocks that all have made, heads, relations and tags.
pub(super) fn changes(said: &[Analysis], now: &Analysis, decided: &Decided) -> Vec<Change> {
    agreed(said).changes(now, decided)
}

fn agreed(said: &[Analysis]) -> WantedMerge {
    let mut wanted = WantedMerge::default();
    let Some(first) = said.first() else { return wanted };
    let has = |one: &Analysis, block: &WordBlock| one.blocks().values().any(|other| is_same(block, other));
    let blocks = first.blocks().values().filter(|block| said.iter().all(|one| has(one, block)));
    wanted.blocks = blocks.map(|block| (block.words.clone(), block.clone())).collect();
    for block in wanted.blocks.values_mut() {
        let heads = || said.iter().map(|one| block_head(one, &block.words));
        let alike = alike(heads());
        block.kind = match &block.kind {
            BlockKind::Bracket { .. } => BlockKind::Bracket { head: None },
            kind => kind.clone(),
        };
        // The head of a block is a word here: blocks are known by their words.
        if let (BlockKind::Bracket { head }, Some(words)) = (&mut block.kind, alike) {
            *head = words.first().filter(|_| words.len() == 1).map(|&word| WordOrBlock::Word(word));
        }
    }
    let words = (1..=first.tokens().len() as u32).map(|word| BTreeSet::from([word]));
    let units: Vec<BTreeSet<u32>> = words.chain(wanted.blocks.keys().cloned()).collect();
    for unit in units {
        let heads = said.iter().map(|one| head_words(one, &unit));
        let all_open = said.iter().all(|one| head_words(one, &unit).is_none());
        match alike(heads) {
            Some(head) => {
                wanted.heads.insert(unit.clone(), Some(head));
                let relations = said.iter().map(|one| one.relation(unit_of(one, &unit)?).cloned());
                wanted.relations.extend(alike(relations).map(|relation| (unit.clone(), relation)));
            }
            // What the file said and everybody took back is open.
            None if all_open => _ = wanted.heads.insert(unit, None),
            None => {}
        }
    }
    for word in 1..=first.tokens().len() as u32 {
        let tags = said.iter().map(|one| one.tag(word).cloned());
        wanted.tags.extend(alike(tags).map(|tag| (word, tag)));
    }
    wanted
}

/// What all say who say anything, if they say the same.
fn alike<T: PartialEq>(all: impl Iterator<Item = Option<T>>) -> Option<T> {
    let mut all = all.flatten();
    let first = all.next()?;
    all.all(|other| other == first).then_some(first)
}

pub(super) fn is_same(one: &WordBlock, other: &WordBlock) -> bool {
    one.words == other.words && std::mem::discriminant(&one.kind) == std::mem::discriminant(&other.kind)
}

/// The unit of these words, if there is one.
pub(super) fn unit_of(said: &Analysis, words: &BTreeSet<u32>) -> Option<WordOrBlock> {
    match (words.len(), words.first()) {
        (1, Some(&word)) => Some(WordOrBlock::Word(word)),
        _ => {
            let found = said.blocks().iter().find(|(_, block)| block.words == *words);
            found.map(|(&id, _)| WordOrBlock::Block { bracket: id })
        }
    }
}

/// What the unit of these words belongs to.
pub(super) fn head_words(said: &Analysis, words: &BTreeSet<u32>) -> Option<HeadWords> {
    Some(match said.head(unit_of(said, words)?)? {
        Attached::Root => BTreeSet::new(),
        Attached::To(head) => said.words_of(head),
    })
}

pub(super) fn block_head(said: &Analysis, words: &BTreeSet<u32>) -> Option<BTreeSet<u32>> {
    let block = said.blocks().values().find(|block| block.words == *words)?;
    match block.kind {
        BlockKind::Bracket { head } => Some(said.words_of(head?)),
        _ => None,
    }
}

impl WantedMerge {
    /// What has to change in an analysis. What was decided by hand stays as it is, and so does what cannot be together with it.
    pub(super) fn changes(&self, now: &Analysis, decided: &Decided) -> Vec<Change> {
        let mut making = Making { now: now.clone(), changes: Vec::new() };
        self.change_blocks(&mut making, decided);
        let units: Vec<(WordOrBlock, Option<&HeadWords>)> = self
            .heads
            .iter()
            .filter_map(|(words, head)| Some((unit_of(&making.now, words)?, head.as_ref())))
            .filter(|(unit, _)| !decided.heads.contains(unit))
            .collect();
        // First all that changes is opened, so that nothing stands in the way of what comes.
        for &(of, head) in &units {
            if making.head(of) != head.cloned() && making.head(of).is_some() {
                making.change(Change::Head(Attach { of, to: None, relation: None }));
            }
        }
        for (of, head) in units {
            let Some(head) = head.filter(|head| making.head(of).as_ref() != Some(*head)) else { continue };
            let to = match head.is_empty() {
                true => Some(Attached::Root),
                false => unit_of(&making.now, head).map(Attached::To),
            };
            if let Some(to) = to {
                making.change(Change::Head(Attach { of, to: Some(WrittenHead(to)), relation: None }));
            }
        }
        for (words, relation) in &self.relations {
            let Some(of) = unit_of(&making.now, words).filter(|of| !decided.relations.contains(of)) else {
                continue;
            };
            // A relation belongs to its head.
            let has_its_head = making.head(of).as_ref() == self.heads.get(words).and_then(Option::as_ref);
            if has_its_head && making.now.relation(of) != Some(relation) {
                making.change(Change::Relation { of, is: Some(relation.clone()) });
            }
        }
        for (&of, tag) in &self.tags {
            if !decided.tags.contains(&of) && making.now.tag(of) != Some(tag) {
                making.change(Change::Tag { of, is: Some(tag.clone()) });
            }
        }
        making.changes
    }

    fn change_blocks(&self, making: &mut Making, decided: &Decided) {
        if self.no_other_blocks {
            let others: Vec<u32> = making
                .now
                .blocks()
                .iter()
                .filter(|(id, block)| !decided.blocks.contains(id) && !self.blocks.contains_key(&block.words))
                // What was said of a block as one is a statement of its own, which votes on words do not see.
                .filter(|(id, _)| making.now.head(WordOrBlock::Block { bracket: **id }).is_none())
                .map(|(&id, _)| id)
                .collect();
            others.into_iter().for_each(|id| making.change(Change::Unbracket { id }));
        }
        // Inner blocks first, so that they can be heads.
        let mut blocks: Vec<&WordBlock> = self.blocks.values().collect();
        blocks.order_by_key(|block| block.words.len());
        for block in blocks {
            let there = unit_of(&making.now, &block.words);
            let id = match there {
                Some(WordOrBlock::Block { bracket }) if decided.blocks.contains(&bracket) => continue,
                Some(WordOrBlock::Block { bracket }) => bracket,
                _ => making.now.blocks().keys().chain(&decided.blocks).max().map_or(1, |most| most + 1),
            };
            let head = match block.kind {
                BlockKind::Bracket { head } => head,
                _ => None,
            };
            let is_there = making.now.blocks().get(&id).is_some_and(|known| {
                is_same(known, block) && (head.is_none() || known.kind == BlockKind::Bracket { head })
            });
            // Coordinations can be said in text only.
            if is_there || matches!(block.kind, BlockKind::Coordination { .. }) {
                continue;
            }
            making.change(Change::Bracket {
                id,
                kind: matches!(block.kind, BlockKind::Multiword).then_some(Shape::Multiword),
                words: block.words.iter().copied().collect(),
                head,
                label: block.label.clone(),
            });
        }
    }
}

/// An analysis that is being changed.
struct Making {
    now: Analysis,
    changes: Vec<Change>,
}

impl Making {
    /// Makes a change, unless it is refused.
    fn change(&mut self, change: Change) {
        if self.now.apply(&change).is_ok() {
            self.changes.push(change);
        }
    }

    fn head(&self, of: WordOrBlock) -> Option<HeadWords> {
        head_words(&self.now, &self.now.words_of(of))
    }
}
