//! How much better a parser gets with more sentences.

use super::corpus::Corpora;
use super::tags::Teacher;
use super::{DependencyTask, TrainedDependency};
use crate::outcome::Done;
use crate::run::cannot_write;
use crate::table::plural;
use dependency::{ParseOptions, Parsed};
use serde::Serialize;
use std::collections::BTreeMap;
use tree::Sentence;

/// A point of the curve.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Point {
    /// Sentences that were learned from.
    pub sentences: usize,
    /// Percentage of heads of the other sentences that are right.
    #[serde(rename = "UAS")]
    pub uas: f64,
    /// Percentage of those whose relation is right too.
    #[serde(rename = "LAS")]
    pub las: f64,
}

pub(super) fn run(
    task: &DependencyTask<'_>,
    corpora: &Corpora,
    notes: BTreeMap<String, String>,
) -> anyhow::Result<Done<TrainedDependency>> {
    let mut sizes: Vec<usize> = task.options.course.curve.iter().map(|&size| size as usize).collect();
    sizes.iter_mut().for_each(|size| *size = (*size).min(corpora.data.len()));
    sizes.sort_unstable();
    sizes.dedup();
    let Teacher { workers, run, .. } = task.teacher;
    let mut points = Vec::new();
    for &size in &sizes {
        // The text that is parsed takes no part in training, not even in the choice of epochs.
        let (mut parser, _) = task.learn(&corpora.data[..size], &[], None, false)?;
        let parsed = parser.model.parse_all(&corpora.dev, &ParseOptions::default(), workers);
        let (uas, las) = accuracy(&corpora.dev, &parsed);
        run.watch.note(&format!("{}: UAS {uas:.1}, LAS {las:.1}", plural(size, "sentence")));
        points.push(Point { sentences: size, uas, las });
        parser.notes = notes.clone();
        parser
            .write(&task.options.new_model.output)
            .map_err(|error| cannot_write(error, &task.options.new_model.output))?;
    }
    let has_problems = corpora.report(task.options, run.watch)?;
    Ok(Done { result: TrainedDependency::Curve(points), has_problems })
}

/// The percentage of known heads that are right, and of those whose relation is right too.
fn accuracy(gold: &[Sentence], parsed: &[Parsed]) -> (f64, f64) {
    let (mut n_words, mut n_heads, mut n_relations) = (0, 0, 0);
    for (sentence, parsed) in gold.iter().zip(parsed) {
        let known = sentence.partial_heads().into_iter().enumerate();
        for ((at, head), token) in known.zip(sentence.words()) {
            let Some(head) = head else { continue };
            n_words += 1;
            let right = parsed.heads.head(at + 1) == head as usize;
            n_heads += usize::from(right);
            n_relations += usize::from(right && parsed.relations[at].0 == token.deprel);
        }
    }
    let percent = |count: usize| 100.0 * count as f64 / f64::max(n_words as f64, 1.0);
    (percent(n_heads), percent(n_relations))
}
