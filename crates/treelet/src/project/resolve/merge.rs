//! Analyses are made one by what people said: by a vote, or by the model of Dawid & Skene.

use super::agreed::{HeadWords, WantedMerge, head_words};
use super::differences::{Difference, Differing, other_differences};
use super::{merged, only_the_first};
use crate::options::study::Combine;
use crate::project::Fault;
use crate::project::desk::Desk;
use crate::project::voices::Voices;
use crate::use_cases::agree::combined::{MadeOne, combine};
use crate::use_cases::agree::groups::Tally;
use crate::use_cases::agree::people::People;
use annotation::{Analysis, Event, Happening, Via};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use study::combine::{Combined, Conflict, union};
use tree::PutTogether;
use tree::Text;
use tree::provenance::Column;

/// By what several analyses are made one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MergeBy {
    /// What most of those say who say anything; where as many say another thing, it stays open.
    Majority,
    /// What is most probable by the model of Dawid & Skene, learned from all sentences of the project.
    DawidSkene,
}

impl MergeBy {
    fn via(self) -> Via {
        match self {
            Self::Majority => Via::Majority,
            Self::DawidSkene => Via::DawidSkene,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Majority => "majority",
            Self::DawidSkene => "dawid-skene",
        }
    }
}

/// A sentence that was made one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MergedSentence {
    /// The sentence.
    pub id: i64,
    /// Words on whose heads annotators disagree.
    pub disputed: usize,
    /// Words of which something is still open that was disputed, because of a tie or a cycle: the head, or the relation or tag alone.
    pub open: usize,
    /// Whether it was handed in.
    pub submitted: bool,
}

/// What is to become of a sentence.
struct Proposed {
    id: i64,
    wanted: WantedMerge,
    /// Words on whose heads annotators disagree.
    disputed: BTreeSet<u32>,
    /// Tags and relations of words on which they disagree, where they agree on the head.
    others: Vec<Difference>,
    /// What it is made of, for the name of the window.
    version: u64,
}

impl Desk {
    /// Makes one of what people said: of one sentence, which is left open for a look at it, or of all that are disputed and not merged yet.
    /// Those are handed in, unless words are left of which it is not known what becomes of them. What was decided by hand stays.
    pub fn merge(
        &self,
        annotator: i64,
        sentence: Option<i64>,
        by: MergeBy,
        at: i64,
    ) -> Result<Vec<MergedSentence>, Fault> {
        only_the_first(annotator)?;
        let ids: Vec<i64> = match sentence {
            Some(id) => vec![self.lock().find(id)?.id],
            None => {
                self.disputed(annotator)?.into_iter().filter(|one| !one.is_merged).map(|one| one.id).collect()
            }
        };
        let voices = self.everybody()?;
        let proposed = propose(&voices, &ids, by)?;
        proposed.into_iter().map(|one| self.take(&one, by, sentence.is_none(), at)).collect()
    }

    /// Writes down what becomes of a sentence: one batch of events, each of which can be undone.
    fn take(
        &self,
        proposed: &Proposed,
        by: MergeBy,
        hands_in: bool,
        at: i64,
    ) -> Result<MergedSentence, Fault> {
        self.carry_over(proposed.id)?;
        let mut inner = self.lock();
        inner.let_the_merger_in()?;
        let key = merged(proposed.id);
        let history = inner.history(key)?;
        let (base, decided) = (history.version(), history.decided());
        let mut now = history.analysis().clone();
        let changes = proposed.wanted.changes(&now, &decided);
        changes.iter().for_each(|change| _ = now.apply(change));
        let is_open = |word: &&u32| {
            let words = BTreeSet::from([**word]);
            let is_decided = decided.heads.contains(&annotation::WordOrBlock::Word(**word));
            head_words(&now, &words).is_none() && !is_decided
        };
        let is_tied = |one: &&Difference| match one.words[..] {
            [word] if one.what == Differing::Tag => now.tag(word).is_none() && !decided.tags.contains(&word),
            [word] => {
                let of = annotation::WordOrBlock::Word(word);
                now.relation(of).is_none() && !decided.relations.contains(&of)
            }
            // Of blocks those are kept that most have, and no others.
            _ => false,
        };
        let mut open: BTreeSet<u32> = proposed.disputed.iter().filter(is_open).copied().into_set();
        open.extend(proposed.others.iter().filter(is_tied).flat_map(|one| &one.words));
        let open = open.len();
        let submits = hands_in && open == 0;
        let mut kinds = Vec::new();
        if history.work().submitted && !changes.is_empty() {
            kinds.push(Happening::Reopen);
        }
        if !changes.is_empty() {
            kinds.push(Happening::Edit { via: by.via(), changes });
        }
        if submits {
            kinds.push(Happening::Submit);
        }
        let events: Vec<Event> = (1..).zip(kinds).map(|(n, kind)| Event { n, at, kind }).collect();
        // The same vote on the same state is the same batch, and a vote after anything has changed is another one.
        let tab = format!("{}-{}-{base}-{}", by.name(), proposed.id, proposed.version);
        inner.take_down(key, base, &tab, &events)?;
        let submitted = inner.history(key)?.work().submitted;
        Ok(MergedSentence { id: proposed.id, disputed: proposed.disputed.len(), open, submitted })
    }
}

fn propose(voices: &Voices, ids: &[i64], by: MergeBy) -> Result<Vec<Proposed>, Fault> {
    let people = voices.as_people();
    let combined = heads(&people, by)?;
    let mut proposed = Vec::new();
    for (place, (of, combined)) in voices.sentences.iter().zip(&combined).enumerate() {
        if !ids.contains(&of.id) {
            continue;
        }
        let Some(made) = MadeOne::new(&people, place, combined, false, &mut Tally::default()) else {
            continue;
        };
        let said: Vec<Analysis> = of.voices.iter().map(|voice| voice.analysis.clone()).collect();
        let others = other_differences(&said);
        let others =
            others.into_iter().filter(|one| matches!(one.what, Differing::Tag | Differing::Relation));
        proposed.push(Proposed {
            id: of.id,
            others: others.collect(),
            disputed: combined.conflicts.iter().map(|conflict| conflict.word as u32).collect(),
            version: of.voices.iter().map(|voice| voice.version).sum(),
            wanted: wanted(&said.iter().collect::<Vec<_>>(), &made),
        });
    }
    Ok(proposed)
}

/// The heads of every sentence, as `treelet agree --combine` has them, but that a tie is not for the first annotator to decide.
pub(super) fn heads(people: &People<'_>, by: MergeBy) -> Result<Vec<Combined>, Fault> {
    match by {
        MergeBy::DawidSkene => Ok(combine(Combine::DawidSkene, people, false)?),
        MergeBy::Majority => {
            let all = people.said_heads().into_iter();
            all.map(|given| without_ties(given.into_iter().map(|(_, heads)| heads).collect())).collect()
        }
    }
}

/// The majority's heads. Words with a tie have none, and keep no other out.
fn without_ties(mut given: Vec<Vec<Option<usize>>>) -> Result<Combined, Fault> {
    let vote = |given: &[Vec<Option<usize>>]| union(given).map_err(anyhow::Error::from);
    let all = vote(&given)?.conflicts;
    let is_tie =
        |conflict: &&Conflict| matches!(&conflict.votes[..], [one, other, ..] if one.weight <= other.weight);
    for conflict in all.iter().filter(is_tie) {
        given.iter_mut().for_each(|heads| heads[conflict.word - 1] = None);
    }
    let combined = vote(&given)?;
    let taken = |conflict: Conflict| Conflict { taken: combined.heads[conflict.word - 1], ..conflict };
    let conflicts = all.into_iter().map(taken).collect();
    Ok(Combined { conflicts, ..combined })
}

/// What a combined annotation says, in the words of an analysis. Relations and tags of which as many say one thing as another stay as
/// they are.
fn wanted(said: &[&Analysis], made: &MadeOne) -> WantedMerge {
    let tokens = made.sentence.words().map(|word| word.form.clone()).collect();
    let relations: Vec<Option<Text>> = (0..)
        .zip(made.sentence.words())
        .map(|(at, word)| {
            let is_tie = is_tie(made, at, Column::Deprel);
            Column::Deprel.value(word).filter(|_| !is_tie).map(|relation| relation.as_ref().into())
        })
        .collect();
    let target = Analysis::of(tokens, &made.said, &[]);
    let mut wanted = WantedMerge { no_other_blocks: true, ..WantedMerge::default() };
    wanted.blocks = target.blocks().values().map(|block| (block.words.clone(), block.clone())).collect();
    for (word, relation) in (1..).zip(&relations) {
        let words = BTreeSet::from([word]);
        let head = head_words(&target, &words);
        if head.is_none() && is_only_in_blocks(said, word) {
            continue;
        }
        if head.is_some() {
            wanted.relations.extend(relation.clone().map(|relation| (words.clone(), relation)));
        }
        wanted.heads.insert(words, head);
    }
    for block in target.blocks().values() {
        let head: Option<HeadWords> = head_words(&target, &block.words);
        wanted.heads.extend(head.map(|head| (block.words.clone(), Some(head))));
    }
    wanted.tags = tags(said, made);
    wanted
}

/// Whether somebody says that a word belongs to a block, or is part of what belongs to something, which is no head that can be voted on.
fn is_only_in_blocks(said: &[&Analysis], word: u32) -> bool {
    let words = BTreeSet::from([word]);
    let heads: Vec<HeadWords> = said.iter().filter_map(|one| head_words(one, &words)).collect();
    heads.iter().any(|head| head.len() > 1)
}

/// The tag of each word that most of those give who set one.
fn tags(said: &[&Analysis], made: &MadeOne) -> BTreeMap<u32, Text> {
    let words = 1..=made.sentence.n_words() as u32;
    let tag = |word: u32| {
        let mut votes: BTreeMap<&Text, usize> = BTreeMap::new();
        said.iter().filter_map(|one| one.tag(word)).for_each(|tag| *votes.entry(tag).or_default() += 1);
        let most = votes.values().copied().max()?;
        let mut first = votes.into_iter().filter(|(_, n)| *n == most);
        let (tag, _) = first.next()?;
        first.next().is_none().then(|| (word, tag.clone()))
    };
    words.filter_map(tag).collect()
}

fn is_tie(made: &MadeOne, word: usize, column: Column) -> bool {
    made.disputes.iter().any(|one| one.word == word && one.column == column && one.is_tie())
}
