//! `treelet joint score`.

use super::columns::{Column, has_features};
use crate::imputation::annotated::{Aside, Corpus};
use crate::options::impute::Trust;
use crate::options::joint::{Score, Task};
use crate::options::{self, Input, Punctuation};
use crate::outcome::Outcome;
use crate::table;
use crate::watch::Watch;
use ::score::tags::{Tagged, compare};
use anyhow::bail;
use serde_json::json;
use std::path::Path;
use tree::sentence::UNSPECIFIED;
use tree::{Sentence, Text};

pub fn run(options: &Score, watch: &dyn Watch) -> anyhow::Result<Outcome> {
    if options.task != Task::Tagging {
        watch.without_effect(&["--tags"], "it is for --task tagging");
        return crate::use_cases::score::run(&general(options), watch);
    }
    let column = Column::from_name(&options.tags);
    let mut has_errors = false;
    let gold = read(&options.gold, options, watch, &mut has_errors)?;
    let system = read(&options.system, options, watch, &mut has_errors)?;
    let (gold, system) = (tags(&gold, &column), tags(&system, &column));
    if gold.len() != system.len() {
        bail!("{} words, but {} in gold; give the same sentences, tokenised alike", system.len(), gold.len());
    }
    let nothing = Text::from(UNSPECIFIED);
    let words = gold.iter().zip(&system).filter_map(|((word, gold), (_, system))| {
        Some(Tagged { word, gold: gold.as_ref()?, system: system.as_ref().unwrap_or(&nothing) })
    });
    let report = compare(words, None);
    if report.all.total == 0 {
        bail!("{} has no tags in {}", options.gold.display(), column.name());
    }
    let accuracy = 100.0 * report.all.value();
    watch.print(&match options.json {
        true => format!(
            "{:#}\n",
            json!({ "accuracy": accuracy, "right": report.all.correct, "total": report.all.total })
        ),
        false => table::render(
            &["accuracy", "%", "right", "of"],
            &[vec![
                column.name().to_string(),
                format!("{accuracy:.2}"),
                report.all.correct.to_string(),
                report.all.total.to_string(),
            ]],
        ),
    })?;
    Ok(if has_errors { Outcome::Problems } else { Outcome::Fine })
}

/// What `treelet score` is asked.
fn general(options: &Score) -> options::Score {
    options::Score {
        gold: options.gold.clone(),
        systems: vec![options.system.clone()],
        prm: None,
        gold_punct: false,
        unlabelled: options.task == Task::Brackets,
        no_root: false,
        punct: Punctuation::Count,
        json: options.json,
        per_label: false,
        per_sentence: false,
        old_evalb: false,
        significance: false,
        samples: 1,
        seed: 1,
        input: Input { from: None, encoding: options.encoding },
    }
}

fn read(
    path: &Path,
    options: &Score,
    watch: &dyn Watch,
    has_errors: &mut bool,
) -> anyhow::Result<Vec<Sentence>> {
    let mut corpus = Corpus::read_trusting(
        Trust::Imputed,
        path,
        &Input { from: None, encoding: options.encoding },
        watch,
    )?;
    let sentences =
        corpus.sentences.iter_mut().map(|annotated| std::mem::take(&mut annotated.sentence)).collect();
    *has_errors |= Aside::report([&Aside::without_heads(corpus)], &options.messages, watch)?;
    Ok(sentences)
}

fn tags(sentences: &[Sentence], column: &Column) -> Vec<(Text, Option<Text>)> {
    let of = |sentence: &Sentence| -> Vec<(Text, Option<Text>)> {
        let has_features = has_features(sentence);
        sentence.words().map(|token| (token.form.clone(), column.of(token, has_features))).collect()
    };
    sentences.iter().flat_map(of).collect()
}
