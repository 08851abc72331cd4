//! How far annotators agree, what they do, and how fast.

mod constructions;
mod figures;
mod over_time;
mod plots;
mod scope;
mod sums;

pub use constructions::{CompletionOfTag, ConstructionCounts};
pub(super) use figures::KnownFigures;
pub use over_time::{HalfHour, OfSession, WorkCourse};
pub use plots::{ShownComparison, ShownPlot};
pub use scope::{Grouping, Whom};
pub use sums::{Measure, PairOfAnnotators};

use super::Fault;
use super::desk::{Desk, Inner};
use super::resolve::different_heads;
use super::store::AnalysisKey;
use super::voices::Voices;
use annotation::{Analysis, WordOrBlock};
use figures::Compared;
use scope::Scope;
use serde::Serialize;
use study::statistics::{Definition, read_definitions};
use sums::AgreementSums;
use tree::Text;

/// Agreement, work and constructions, of all annotators, of groups and of each.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Comparison {
    /// A row for all, for each group and for each annotator.
    pub rows: Vec<MeasuredRow>,
    /// A row for each pair of annotators that have sentences in common.
    pub pairs: Vec<PairOfAnnotators>,
    /// How it went, half hour by half hour of work.
    pub over_time: Vec<WorkCourse>,
    /// How constructions are analysed that were defined in the settings.
    pub constructions: Vec<ConstructionCounts>,
    /// How many words have a head, by tag.
    pub completion: Vec<CompletionOfTag>,
}

/// What annotators did, and how far they agree.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MeasuredRow {
    /// Whose.
    pub of: Whom,
    /// Sentences that they annotated, each once for each of them.
    pub sentences: usize,
    /// The words of these.
    pub words: usize,
    /// Seconds that they worked, all together.
    pub seconds: f64,
    /// KnownFigures, always the same in the same order.
    pub measures: Vec<Measure>,
}

impl Desk {
    /// Compares all annotators whose work is to be seen by this one.
    pub fn compare(&self, annotator: i64) -> Result<Comparison, Fault> {
        if self.settings().blind && annotator != 1 {
            return Err(Fault::NotYours(
                "annotators work blind here; whoever opened the project sees how far they agree".into(),
            ));
        }
        let definitions = read_definitions(&self.settings().constructions).0;
        let voices = self.everybody()?;
        let compared = self.compared(&voices);
        Ok(Comparison::new(&voices, &compared, &definitions))
    }
}

impl Comparison {
    fn new(voices: &Voices, compared: &Compared, definitions: &[Definition]) -> Self {
        if voices.sentences.is_empty() {
            return Self::default();
        }
        let scopes = Scope::all(voices);
        let of_scopes = constructions::of_scopes(voices, compared, &scopes, definitions);
        Self {
            rows: scopes.iter().map(|scope| MeasuredRow::new(voices, compared, scope)).collect(),
            pairs: sums::pairs(voices, compared),
            over_time: scopes.iter().map(|scope| WorkCourse::new(voices, compared, scope)).collect(),
            constructions: of_scopes,
            completion: constructions::completion(voices, compared, &scopes),
        }
    }
}

impl MeasuredRow {
    fn new(voices: &Voices, compared: &Compared, scope: &Scope) -> Self {
        let sums = AgreementSums::of(voices, compared, scope, None);
        Self {
            of: scope.whom.clone(),
            sentences: sums.n_sentences,
            words: sums.n_words,
            seconds: scope.members.iter().map(|&who| voices.times[who].seconds()).sum(),
            measures: sums.measures(),
        }
    }
}

impl Inner {
    /// Words on whose heads annotators disagree.
    pub(super) fn different_words(&mut self, sentence: i64) -> Result<Vec<u32>, Fault> {
        let keys = self.project.keys()?.into_iter().filter(|key| key.sentence == sentence);
        let keys: Vec<AnalysisKey> = keys.collect();
        Ok(different_heads(&self.spoken(&keys)?))
    }

    /// The analyses among these in which something was said.
    pub(super) fn spoken(&mut self, keys: &[AnalysisKey]) -> Result<Vec<Analysis>, Fault> {
        let mut said = Vec::new();
        for &key in keys {
            if self.has_spoken(key)? {
                said.push(self.history(key)?.analysis().clone());
            }
        }
        Ok(said)
    }
}

/// The relation of each word that was said.
fn relations(of: &super::voices::Voice) -> Vec<Option<Text>> {
    let words = 1..=of.analysis.tokens().len() as u32;
    words.map(|word| of.analysis.relation(WordOrBlock::Word(word)).cloned()).collect()
}

#[cfg(test)]
mod tests;
