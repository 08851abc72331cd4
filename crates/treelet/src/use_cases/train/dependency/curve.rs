//! How much better a parser gets with more sentences.

use super::corpus::Corpora;
use super::{Task, cannot_write};
use crate::outcome::Outcome;
use crate::table::{self, plural};
use dependency::{ParseOptions, Parsed};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use tree::Sentence;

/// A point of the curve: sentences, UAS, LAS.
type Point = (usize, f64, f64);

pub(super) fn run(
    task: &Task<'_>,
    corpora: &Corpora,
    notes: BTreeMap<String, String>,
) -> anyhow::Result<Outcome> {
    let mut sizes: Vec<usize> = task.options.course.curve.iter().map(|&size| size as usize).collect();
    sizes.iter_mut().for_each(|size| *size = (*size).min(corpora.data.len()));
    sizes.sort_unstable();
    sizes.dedup();
    let mut points: Vec<Point> = Vec::new();
    for &size in &sizes {
        // The text that is parsed takes no part in training, not even in the choice of epochs.
        let (model, _) = task.learn(&corpora.data[..size], &[], None, None)?;
        let Some(mut model) = model else { return Ok(task.stopped(Path::new("the beginning"))) };
        let parsed = model.parse_all(&corpora.dev, &ParseOptions::default(), task.workers);
        let (uas, las) = accuracy(&corpora.dev, &parsed);
        task.watch.note(&format!("{}: UAS {uas:.1}, LAS {las:.1}", plural(size, "sentence")));
        points.push((size, uas, las));
        model.notes = notes.clone();
        model.write(&task.options.output).map_err(|error| cannot_write(error, &task.options.output))?;
    }
    let has_errors = corpora.report(task.options, task.watch)?;
    task.watch.print(&if task.options.course.json { as_json(&points) } else { as_text(&points) })?;
    Ok(if has_errors { Outcome::Problems } else { Outcome::Fine })
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

fn as_text(points: &[Point]) -> String {
    let row = |&(size, uas, las): &Point| vec![size.to_string(), format!("{uas:.1}"), format!("{las:.1}")];
    table::render(&["sentences", "UAS", "LAS"], &points.iter().map(row).collect::<Vec<_>>())
}

fn as_json(points: &[Point]) -> String {
    let point = |&(size, uas, las): &Point| json!({"sentences": size, "UAS": uas, "LAS": las});
    format!("{:#}\n", Value::from(points.iter().map(point).collect::<Vec<_>>()))
}
