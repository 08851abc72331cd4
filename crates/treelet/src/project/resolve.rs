//! Several analyses of a sentence become one, by hand.

use super::desk::{Desk, MERGED, Posted};
use super::store::AnalysisKey;
use super::{Fault, View};
use annotation::{
    Analysis, Attach, Attached, BlockKind, Change, Event, Happening, Shape, Via, WordBlock, WordOrBlock,
    WrittenHead,
};
use serde::Serialize;

/// A sentence on which annotators disagree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Disputed {
    /// The sentence.
    pub id: i64,
    /// Its words.
    pub text: String,
    /// Words on whose heads they disagree.
    pub n_different: usize,
}

/// What everybody said of a sentence, and what becomes of it.
#[derive(Clone, Debug, Serialize)]
pub struct Dispute {
    /// Everybody's view.
    pub views: Vec<OneOfSeveral>,
    /// Words on whose heads they disagree.
    pub differences: Vec<u32>,
    /// What becomes of it.
    pub merged: View,
}

/// What one annotator said.
#[derive(Clone, Debug, Serialize)]
pub struct OneOfSeveral {
    /// Who.
    pub annotator: String,
    /// What.
    pub view: View,
}

impl Desk {
    /// Sentences on which annotators disagree, the most disputed first.
    pub fn disputed(&self, annotator: i64) -> Result<Vec<Disputed>, Fault> {
        let mut inner = self.lock();
        only_the_first(annotator)?;
        let ids: Vec<i64> = inner.sentences.iter().map(|one| one.id).collect();
        let mut disputed = Vec::new();
        for id in ids {
            let n_different = inner.different_words(id)?.len();
            let is_settled =
                inner.history(AnalysisKey { sentence: id, annotator: MERGED, slot: 0 })?.work().submitted;
            if n_different > 0 && !is_settled {
                disputed.push(Disputed { id, text: inner.find(id)?.sentence.detokenised(), n_different });
            }
        }
        disputed.sort_by_key(|one| std::cmp::Reverse(one.n_different));
        Ok(disputed)
    }

    /// What everybody said of a sentence.
    pub fn dispute(&self, annotator: i64, sentence: i64) -> Result<Dispute, Fault> {
        only_the_first(annotator)?;
        self.begin_with_what_is_agreed(sentence)?;
        let (people, differences) = {
            let mut inner = self.lock();
            let keys = inner.project.keys()?;
            let people = inner.project.annotators()?.into_iter();
            let has_said =
                |id: i64| keys.iter().any(|key| (key.sentence, key.annotator, key.slot) == (sentence, id, 0));
            let people: Vec<_> = people.filter(|one| one.id != MERGED && has_said(one.id)).collect();
            (people, inner.different_words(sentence)?)
        };
        let mut views = Vec::new();
        for one in people {
            let mut view = self.view(one.id, sentence, 0)?;
            view.read_only = true;
            let name = if one.name.is_empty() { format!("annotator {}", one.id) } else { one.name };
            views.push(OneOfSeveral { annotator: name, view });
        }
        Ok(Dispute { views, differences, merged: self.view(MERGED, sentence, 0)? })
    }

    /// Takes down what becomes of a sentence.
    pub fn resolve(&self, annotator: i64, sentence: i64, posted: &Posted) -> Result<View, Fault> {
        only_the_first(annotator)?;
        self.begin_with_what_is_agreed(sentence)?;
        self.post(MERGED, sentence, posted)
    }

    /// What becomes of a sentence begins with heads, relations and tags that nobody disputes.
    fn begin_with_what_is_agreed(&self, sentence: i64) -> Result<(), Fault> {
        let voices = self.voices(sentence)?;
        if voices.iter().any(|key| key.annotator == MERGED) {
            return Ok(());
        }
        let mut said = Vec::new();
        let mut inner = self.lock();
        for key in voices {
            said.push(inner.history(key)?.analysis().clone());
        }
        if !inner.project.annotators()?.iter().any(|one| one.id == MERGED) {
            inner.project.add_merger()?;
        }
        let key = AnalysisKey { sentence, annotator: MERGED, slot: 0 };
        let mut so_far = inner.history(key)?.analysis().clone();
        let proposed = agreed(&said);
        let changes: Vec<Change> =
            proposed.into_iter().filter(|change| so_far.apply(change).is_ok()).collect();
        let kind = Happening::Edit { via: Via::Import, changes };
        let tab = format!("agreed-{sentence}");
        inner.take_down(key, 0, &tab, &[Event { n: 1, at: 0, kind }])
    }

    /// Who has something to say of a sentence, the one in whose name all are made one first.
    pub(super) fn voices(&self, sentence: i64) -> Result<Vec<AnalysisKey>, Fault> {
        let keys = self.lock().project.keys()?;
        Ok(keys.into_iter().filter(|key| key.sentence == sentence && key.slot == 0).collect())
    }
}

/// Blocks that all have made, and heads, relations and tags that all who said any have said alike.
fn agreed(said: &[Analysis]) -> Vec<Change> {
    let Some(first) = said.first() else { return Vec::new() };
    let is_everywhere = |block: &WordBlock| {
        said.iter().all(|one| {
            one.blocks().values().any(|other| (&other.words, &other.kind) == (&block.words, &block.kind))
        })
    };
    let blocks =
        first.blocks().iter().filter(|(_, block)| is_everywhere(block)).map(|(&id, block)| Change::Bracket {
            id,
            kind: matches!(block.kind, BlockKind::Multiword).then_some(Shape::Multiword),
            words: block.words.iter().copied().collect(),
            head: match block.kind {
                BlockKind::Bracket { head } => head,
                _ => None,
            },
            label: block.label.clone(),
        });
    let mut changes: Vec<Change> = blocks.collect();
    for word in 1..=first.tokens().len() as u32 {
        let of = WordOrBlock::Word(word);
        if let Some(Attached::To(WordOrBlock::Word(_)) | Attached::Root) = alike(said, |one| one.head(of)) {
            let to = alike(said, |one| one.head(of)).map(WrittenHead);
            changes.push(Change::Head(Attach {
                of,
                to,
                relation: alike(said, |one| one.relation(of).cloned()),
            }));
        }
        if let Some(tag) = alike(said, |one| one.tag(word).cloned()) {
            changes.push(Change::Tag { of: word, is: Some(tag) });
        }
    }
    changes
}

/// What all say who say anything, if they say the same.
fn alike<T: PartialEq>(said: &[Analysis], what: impl Fn(&Analysis) -> Option<T>) -> Option<T> {
    let mut all = said.iter().filter_map(what);
    let first = all.next()?;
    all.all(|other| other == first).then_some(first)
}

/// Whoever opened the project decides.
fn only_the_first(annotator: i64) -> Result<(), Fault> {
    if annotator == 1 {
        return Ok(());
    }
    Err(Fault::NotYours("whoever opened the project makes several analyses one".into()))
}
