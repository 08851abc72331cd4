//! Treelet as a library: one function per use case.
//!
//! Options go in, a [`Watch`] hears of progress, notes and problems, results come out. Nothing here prints, reads
//! arguments or opens sockets; that is for doors such as the program `treelet`.
//!
//! ```
//! use serde_json::json;
//! use treelet::options::json::from_json;
//! use treelet::watch::Unwatched;
//!
//! let folder = tempfile::tempdir()?;
//! let file = |name: &str| folder.path().join(name).display().to_string();
//! let options = json!({"files": ["../../data/demo/village.conllu"], "output": file("parser"), "epochs": 2});
//! treelet::train_dependency(&from_json(options.as_object().unwrap())?, &Unwatched)?;
//!
//! let options = json!({"model": file("parser"), "input": "../../data/demo/village.txt", "output": file("trees.conllu")});
//! let parsed = treelet::parse(&from_json(options.as_object().unwrap())?, &Unwatched)?;
//! assert_eq!((parsed.result.sentences, parsed.has_problems), (60, false));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod any_model;
mod batches;
mod call;
mod committed;
mod dependency_parser;
mod imputation;
mod models;
#[allow(missing_docs, reason = "fields that are options have a sentence of help; the others only group them")]
pub mod options;
pub mod outcome;
pub mod problems;
pub mod project;
mod run;
mod sentences;
pub mod source;
mod statistics;
mod survey;
pub mod table;
mod target;
mod tree_marks;
pub mod use_cases;
pub mod watch;

pub use any_model::{AnyModel, ModelKind};
pub use call::{Called, call, use_case_names};
pub use outcome::{Done, Figures, Outcome, Stopped, Usage};
pub use tree::{PutInOrder, PutTogether};
pub use use_cases::agree::{Agreed, agree, agree_and_show};
pub use use_cases::annotate::{
    ExportedProject, OpenProject, export_project, open_project, project_agreement,
};
pub use use_cases::check::{Checked, check};
pub use use_cases::convert::{Converted, convert};
pub use use_cases::demo::demo;
pub use use_cases::diagnose::{self, Diagnosis, diagnose};
pub use use_cases::divide::{Divided, DividedSection, divide};
pub use use_cases::factors::{CellScore, FactorChoice, JudgedModel, choose_factors};
pub use use_cases::factors::{
    FactorColumn, FactorStack, FactorSummary, LatentValue, LikelihoodFigures, RowScores,
};
pub use use_cases::factors::{FactorPicture, PredictedCell, PredictedCells, SimulatedTable};
pub use use_cases::factors::{StackWeights, StackedModel, WeightFigures, fit_factors, summarise_factors};
pub use use_cases::factors::{plot_factors, predict_cells, simulate_table};
pub use use_cases::impute::{ImputedFile, impute};
pub use use_cases::induce::{induce_dmv, induce_hmm, induce_pcfg};
pub use use_cases::joint::run::run_joint;
pub use use_cases::joint::score::{ScoredColumn, as_score, score_column};
pub use use_cases::joint::train::train_joint;
pub use use_cases::model::{ModelDescription, describe_model};
pub use use_cases::model_show::{ShownCorrelation, ShownDependent, ShownGrammar, ShownHead};
pub use use_cases::model_show::{ShownModel, Sides, show_model};
pub use use_cases::parse::{GrammarFigures, ImputerFigures, InducedFigures, ParserFigures};
pub use use_cases::parse::{ParsedBy, ParsedFile, parse};
pub use use_cases::plan::{Planned, plan};
pub use use_cases::sample::sample;
pub use use_cases::score::{Compared, Scored, score};
pub use use_cases::segment::{
    CutWords, SegmentScores, TrainedSegmenter, score_segments, segment, train_segmenter,
};
pub use use_cases::select::{Chosen, select, select_and_show};
pub use use_cases::simulate::{Simulated, simulate, simulate_and_show};
pub use use_cases::stats::{Counted, CountedFile, cell, stats};
pub use use_cases::tag::run::tag;
pub use use_cases::tag::score::{ScoredTags, TagQuestion, score_tags};
pub use use_cases::tag::show::{ShownTag, ShownTagger};
pub use use_cases::tag::train::{LearnedFrom, TrainedTagger, Wish, train_tagger};
pub use use_cases::train::dependency::{Point, TrainedDependency, train_dependency};
pub use use_cases::train::train_constituency;
pub use use_cases::view::{Drawing, view};
pub use watch::Watch;

/// Runs the README's examples as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
