//! An annotation project: sentences, the people who annotate them, and everything they did, in one file.
//!
//! A [`Desk`] is the open project as doors use it: it shows a sentence ([`View`]), takes down what happened, suggests, says what is next,
//! compares annotators and writes all of it out. What it shows of a sentence is folded from events ([`annotation::History`]); nothing is ever
//! overwritten.

mod answers;
mod beyond;
mod bring;
mod compare;
mod desk;
mod export;
mod fault;
mod model;
mod other;
mod pace;
mod question;
mod queue;
mod resolve;
#[cfg(test)]
mod scripted;
mod store;
mod suggest;
mod view;
mod voices;

pub use answers::BroughtAnswers;
pub use bring::Brought;
pub use compare::{
    Comparison, CompletionOfTag, ConstructionCounts, Grouping, HalfHour, Measure, MeasuredRow, OfSession,
    PairOfAnnotators, ShownComparison, ShownPlot, Whom, WorkCourse,
};
pub use desk::{Desk, Overview, Posted, Settings, hands_in};
pub use export::{ExportFormat, Exported, Exporting};
pub use fault::Fault;
pub(crate) use model::NamedModel;
pub use model::{Differences, Learned, LearnedRelations, ModelChoice};
pub use other::{BroughtProject, HistoryApart};
pub use pace::Pace;
pub use question::{PossibleHead, Question};
pub use queue::{Next, NextBecause, QueueOrder, Section, SentenceRow, SentenceRows, ShowOnly};
pub use resolve::{Difference, Differing, Dispute, Disputed, MergeBy, MergedSentence, OneOfSeveral};
pub use store::{Annotator, Project};
pub use suggest::Suggester;
pub use view::{Alternative, HeadView, ModelView, Moment, SuggestedHead, View, WordView};
