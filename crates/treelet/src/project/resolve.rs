//! Several analyses of a sentence become one: by hand, by a vote, or by a model of who is right about what.

mod agreed;
mod differences;
mod merge;

pub(super) use differences::different_heads;
pub use differences::{Difference, Differing};
pub use merge::{MergeBy, MergedSentence};

use self::differences::other_differences;
use super::desk::{Desk, MERGED, Posted};
use super::store::AnalysisKey;
use super::voices::called;
use super::{Fault, View};
use annotation::{Event, Happening, Via};
use serde::Serialize;
use std::collections::BTreeMap;
use tree::PutInOrder;

/// A sentence that several people annotated, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Disputed {
    /// The sentence.
    pub id: i64,
    /// Its words.
    pub text: String,
    /// Words on whose heads they disagree.
    pub n_different: usize,
    /// What else they say differently: relations, tags, blocks.
    pub n_other: usize,
    /// Whether what was made of it was handed in.
    pub is_merged: bool,
    /// By what means it was made, the last first; nothing if nobody has begun.
    pub by: Vec<Via>,
}

/// What everybody said of a sentence, and what becomes of it.
#[derive(Clone, Debug, Serialize)]
pub struct Dispute {
    /// Everybody's view.
    pub views: Vec<OneOfSeveral>,
    /// Words on whose heads they disagree.
    pub differences: Vec<u32>,
    /// What else they say differently.
    pub others: Vec<Difference>,
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
    /// Sentences on which annotators disagree, those with the most heads that differ first, then those in which all else differs, and
    /// those that were made one.
    pub fn disputed(&self, annotator: i64) -> Result<Vec<Disputed>, Fault> {
        only_the_first(annotator)?;
        let (ids, keys) = {
            let inner = self.lock();
            let ids: Vec<i64> = inner.sentences.iter().map(|one| one.id).collect();
            (ids, inner.project.keys()?)
        };
        let mut of_sentence: BTreeMap<i64, Vec<AnalysisKey>> = BTreeMap::new();
        for key in keys.into_iter().filter(|key| key.slot == 0) {
            of_sentence.entry(key.sentence).or_default().push(key);
        }
        let mut disputed = Vec::new();
        for id in ids {
            let Some(keys) = of_sentence.get(&id) else { continue };
            let mut inner = self.lock();
            let said = inner.spoken(keys)?;
            let n_different = different_heads(&said).len();
            let n_other = other_differences(&said).len();
            let merged = inner.history(merged(id))?;
            let (is_merged, by) = (merged.work().submitted, merged.means());
            if n_different + n_other > 0 || is_merged {
                let text = inner.find(id)?.sentence.detokenised();
                disputed.push(Disputed { id, text, n_different, n_other, is_merged, by });
            }
        }
        disputed.order_by_key(|one| {
            let most = |n: usize| std::cmp::Reverse(n);
            (one.is_merged, most(one.n_different), most(one.n_other))
        });
        Ok(disputed)
    }

    /// What everybody said of a sentence.
    pub fn dispute(&self, annotator: i64, sentence: i64) -> Result<Dispute, Fault> {
        only_the_first(annotator)?;
        self.carry_over(sentence)?;
        let (people, said) = {
            let mut inner = self.lock();
            let (mut people, mut said) = (Vec::new(), Vec::new());
            for one in inner.project.annotators()? {
                let key = AnalysisKey { sentence, annotator: one.id, slot: 0 };
                if inner.has_spoken(key)? {
                    said.push(inner.history(key)?.analysis().clone());
                    people.push(one);
                }
            }
            (people, said)
        };
        let mut views = Vec::new();
        for one in people {
            let mut view = self.view(one.id, sentence, 0)?;
            view.read_only = true;
            views.push(OneOfSeveral { annotator: called(&one), view });
        }
        let (differences, others) = (different_heads(&said), other_differences(&said));
        Ok(Dispute { views, differences, others, merged: self.view(MERGED, sentence, 0)? })
    }

    /// Takes down what becomes of a sentence.
    pub fn resolve(&self, annotator: i64, sentence: i64, posted: &Posted) -> Result<View, Fault> {
        only_the_first(annotator)?;
        self.carry_over(sentence)?;
        self.post(MERGED, sentence, posted)
    }

    /// What becomes of a sentence has all that nobody disputes, until somebody decides otherwise. It is carried over once for all that was
    /// said until then: what was taken back afterwards is not put there again.
    fn carry_over(&self, sentence: i64) -> Result<(), Fault> {
        let mut inner = self.lock();
        let keys = inner.project.keys()?.into_iter().filter(|key| key.sentence == sentence);
        let (mut said, mut version) = (Vec::new(), 0);
        for key in keys.collect::<Vec<AnalysisKey>>() {
            if inner.has_spoken(key)? {
                let history = inner.history(key)?;
                version += history.version();
                said.push(history.analysis().clone());
            }
        }
        let key = merged(sentence);
        let tab = format!("agreed-{sentence}-{version}");
        inner.let_the_merger_in()?;
        let history = inner.history(key)?;
        if history.work().submitted || said.is_empty() {
            return Ok(());
        }
        let (base, now) = (history.version(), history.analysis().clone());
        let changes = agreed::changes(&said, &now, &history.decided());
        if changes.is_empty() {
            return Ok(());
        }
        let kind = Happening::Edit { via: Via::Import, changes };
        inner.take_down(key, base, &tab, &[Event { n: 1, at: 0, kind }])
    }

    /// Who has something to say of a sentence, the one in whose name all are made one first.
    pub(super) fn voices(&self, sentence: i64) -> Result<Vec<AnalysisKey>, Fault> {
        let keys = self.lock().project.keys()?;
        Ok(keys.into_iter().filter(|key| key.sentence == sentence && key.slot == 0).collect())
    }
}

impl super::desk::Inner {
    /// Somebody in whose name analyses are made one.
    fn let_the_merger_in(&mut self) -> Result<(), Fault> {
        if !self.project.annotators()?.iter().any(|one| one.id == MERGED) {
            self.project.add_merger()?;
        }
        Ok(())
    }
}

/// The analysis that is made of all.
fn merged(sentence: i64) -> AnalysisKey {
    AnalysisKey { sentence, annotator: MERGED, slot: 0 }
}

/// Whoever opened the project decides.
fn only_the_first(annotator: i64) -> Result<(), Fault> {
    if annotator == 1 {
        return Ok(());
    }
    Err(Fault::NotYours("whoever opened the project makes several analyses one".into()))
}

#[cfg(test)]
mod tests;
