//! What annotators say differently of a sentence, besides the heads of its words.

use super::agreed::{block_head, head_words, is_same, unit_of};
use annotation::{Analysis, BlockKind, WordBlock};
use serde::Serialize;
use std::collections::BTreeSet;
use tree::PutTogether;

/// What may differ besides the head of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Differing {
    /// The tag of a word.
    Tag,
    /// The relation of a word or a block with a head on which all agree.
    Relation,
    /// Whether words are a block.
    Block,
    /// The head of a block that all have made.
    BlockHead,
    /// What it is called.
    Label,
    /// What it belongs to.
    Attachment,
}

/// Something that two annotators say differently.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// What.
    pub what: Differing,
    /// The word, or the words of the block.
    pub words: Vec<u32>,
}

/// Words whose heads differ. Blocks are the same if their words are, however they are numbered.
pub(in crate::project) fn different_heads(said: &[Analysis]) -> Vec<u32> {
    let n_words = said.first().map_or(0, |one| one.tokens().len() as u32);
    let is_different = |word: &u32| {
        let words = BTreeSet::from([*word]);
        differ(said.iter().map(|one| head_words(one, &words)))
    };
    (1..=n_words).filter(is_different).collect()
}

/// All else that differs: tags and relations of words, then what is said of blocks.
///
/// What somebody says nothing of is open and no difference, but blocks are there or not: one that not all have made is one.
pub(super) fn other_differences(said: &[Analysis]) -> Vec<Difference> {
    let Some(first) = said.first() else { return Vec::new() };
    let words = (1..=first.tokens().len() as u32).map(|word| BTreeSet::from([word]));
    let mut all: Vec<Difference> = words.flat_map(|words| of_word(said, &words)).collect();
    let blocks = said.iter().flat_map(|one| one.blocks().values());
    // Coordinations can be said in text only, and are no matter of one click.
    let blocks = blocks.filter(|block| !matches!(block.kind, BlockKind::Coordination { .. }));
    let blocks: BTreeSet<&BTreeSet<u32>> = blocks.map(|block| &block.words).into_set();
    all.extend(blocks.into_iter().flat_map(|words| of_block(said, words)));
    all
}

fn of_word(said: &[Analysis], words: &BTreeSet<u32>) -> Vec<Difference> {
    let tag = words.first().is_some_and(|&word| differ(said.iter().map(|one| one.tag(word))));
    let found = [(tag, Differing::Tag), (has_other_relations(said, words), Differing::Relation)];
    told(words, &found)
}

fn of_block(said: &[Analysis], words: &BTreeSet<u32>) -> Vec<Difference> {
    let blocks: Vec<&WordBlock> =
        said.iter().filter_map(|one| one.blocks().values().find(|block| block.words == *words)).collect();
    let are_alike = blocks.windows(2).all(|pair| is_same(pair[0], pair[1]));
    if blocks.len() < said.len() || !are_alike {
        return told(words, &[(true, Differing::Block)]);
    }
    let found = [
        (differ(said.iter().map(|one| block_head(one, words))), Differing::BlockHead),
        (differ(blocks.iter().map(|block| block.label.as_ref())), Differing::Label),
        (differ(said.iter().map(|one| head_words(one, words))), Differing::Attachment),
        (has_other_relations(said, words), Differing::Relation),
    ];
    told(words, &found)
}

fn told(words: &BTreeSet<u32>, found: &[(bool, Differing)]) -> Vec<Difference> {
    let words: Vec<u32> = words.iter().copied().collect();
    let found = found.iter().filter(|(is_there, _)| *is_there);
    found.map(|&(_, what)| Difference { what, words: words.clone() }).collect()
}

/// Relations go with heads: where these differ, those do not count.
fn has_other_relations(said: &[Analysis], words: &BTreeSet<u32>) -> bool {
    let relations = said.iter().map(|one| one.relation(unit_of(one, words)?));
    differ(relations) && !differ(said.iter().map(|one| head_words(one, words)))
}

/// Whether two who say something say different things.
fn differ<T: PartialEq>(all: impl Iterator<Item = Option<T>>) -> bool {
    let mut all = all.flatten();
    let first = all.next();
    all.any(|other| first.as_ref() != Some(&other))
}
