//! `treelet joint score`.

use super::columns::{TagPlace, has_features};
use crate::imputation::annotated::{AnnotatedCorpus, Aside};
use crate::options::impute::Trust;
use crate::options::joint::{JointScore, Task};
use crate::options::{self, Input, Punctuation, TagScores};
use crate::outcome::Done;
use crate::watch::Watch;
use ::score::tags::{Tagged, compare};
use anyhow::bail;
use serde::Serialize;
use std::path::Path;
use tree::sentence::UNSPECIFIED;
use tree::{Sentence, Text};

/// How good tags of a column are.
#[derive(Debug, Clone, Serialize)]
pub struct ScoredColumn {
    /// The column, or the attribute of FEATS.
    #[serde(skip)]
    pub column: String,
    /// The percentage that is right.
    pub accuracy: f64,
    /// How many are right.
    pub right: usize,
    /// How many there are.
    pub total: usize,
}

/// Compares the tags of a column, or an attribute of FEATS, with gold.
pub fn score_column(options: &JointScore, watch: &dyn Watch) -> anyhow::Result<Done<ScoredColumn>> {
    let column = TagPlace::from_name(&options.tagged.tags);
    let mut has_problems = false;
    let gold = read(&options.standard.gold, options, watch, &mut has_problems)?;
    let system = read(&options.system, options, watch, &mut has_problems)?;
    let (gold, system) = (tags(&gold, &column), tags(&system, &column));
    if gold.len() != system.len() {
        bail!("{} words, but {} in gold; give the same sentences, tokenised alike", system.len(), gold.len());
    }
    let nothing = Text::from(UNSPECIFIED);
    let words = gold.iter().zip(&system).filter_map(|((word, gold), (_, system))| {
        Some(Tagged { word, gold: gold.as_ref()?, system: system.as_ref().unwrap_or(&nothing) })
    });
    let all = compare(words, None).all;
    if all.total == 0 {
        bail!("{} has no tags in {}", options.standard.gold.display(), column.name());
    }
    let (column, accuracy) = (column.name().to_string(), 100.0 * all.value());
    Ok(Done { result: ScoredColumn { column, accuracy, right: all.correct, total: all.total }, has_problems })
}

/// What `treelet score` is asked where it is not about tags.
pub fn as_score(options: &JointScore) -> options::Score {
    options::Score {
        standard: options.standard.clone(),
        systems: vec![options.system.clone()],
        prm: None,
        gold_punct: false,
        unlabelled: options.task == Task::Brackets,
        no_root: false,
        punct: Punctuation::Count,
        answer: options.answer,
        per_label: false,
        per_sentence: false,
        old_evalb: false,
        significance: false,
        samples: 1,
        seed: 1,
        tags: TagScores::default(),
        input: Input { from: None, characters: options.characters },
    }
}

fn read(
    path: &Path,
    options: &JointScore,
    watch: &dyn Watch,
    has_errors: &mut bool,
) -> anyhow::Result<Vec<Sentence>> {
    let mut corpus = AnnotatedCorpus::read_trusting(
        Trust::Imputed,
        path,
        &Input { from: None, characters: options.characters },
        watch,
    )?;
    let sentences =
        corpus.sentences.iter_mut().map(|annotated| std::mem::take(&mut annotated.sentence)).collect();
    *has_errors |= Aside::report([&Aside::without_heads(corpus)], &options.messages, watch)?;
    Ok(sentences)
}

fn tags(sentences: &[Sentence], column: &TagPlace) -> Vec<(Text, Option<Text>)> {
    let of = |sentence: &Sentence| -> Vec<(Text, Option<Text>)> {
        let has_features = has_features(sentence);
        sentence.words().map(|token| (token.form.clone(), column.of(token, has_features))).collect()
    };
    sentences.iter().flat_map(of).collect()
}
