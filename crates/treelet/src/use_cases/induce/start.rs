//! Where induction begins.

use super::common::error;
use super::corpus::Corpora;
use super::is_grammar_of;
use crate::models;
use crate::options::EncodingName;
use crate::options::induce::Dmv as Choices;
use crate::outcome::Usage;
use crate::source::Source;
use crate::table::plural;
use crate::watch::Watch;
use chain::Workers;
use induce::dmv::model::DmvModel;
use induce::dmv::{from_partial, harmonic};
use induce::{Dmv, Family, InduceOptions, Task, random};
use std::ops::ControlFlow;
use std::path::Path;

/// How many sentences' worth of the harmonic start stand beside annotated arcs.
const BELIEF: f64 = 1.0;

pub(super) fn starts(
    options: &Choices,
    family: &Dmv,
    corpora: &Corpora,
    workers: &Workers,
    watch: &dyn Watch,
) -> anyhow::Result<Vec<Vec<f64>>> {
    let near = || harmonic(family, &corpora.sentences);
    Ok(match options.grammar.start.as_str() {
        "harmonic" => vec![near()],
        "even" => vec![family.rows().even()],
        "random" => {
            let numbers = 0..options.grammar.beginnings.restarts as usize;
            numbers
                .map(|number| random::start(family.rows(), options.learner.course.chance.seed, number))
                .collect()
        }
        "partial" => {
            let said = corpora.known.iter().filter(|known| known.says_something()).count();
            watch.note(&format!("{} with annotated heads", plural(said, "sentence")));
            vec![from_partial(family, &near(), &corpora.known, BELIEF)]
        }
        "vb" => vec![by_vb(near(), family, corpora, workers)?],
        path => vec![of_model(Path::new(path), family, corpora)?],
    })
}

/// A start as the model notes it: a model that it began with is known by its content.
pub(super) fn name(start: &str) -> anyhow::Result<String> {
    match start {
        "harmonic" | "even" | "random" | "partial" | "vb" => Ok(start.to_owned()),
        path => Source::without_format(Path::new(path), EncodingName::Unicode)?.fingerprint(),
    }
}

/// What variational Bayes finds from the harmonic start.
fn by_vb(start: Vec<f64>, family: &Dmv, corpora: &Corpora, workers: &Workers) -> anyhow::Result<Vec<f64>> {
    let task = Task {
        family,
        items: &corpora.sentences,
        held_out: &corpora.held_out,
        starts: vec![start],
        fingerprint: 0,
    };
    let mut go_on = |_: &_| ControlFlow::Continue(());
    let induced = induce::induce(&task, &InduceOptions::default(), None, &mut go_on, workers);
    Ok(induced.map_err(error)?.grammar)
}

fn of_model(path: &Path, family: &Dmv, corpora: &Corpora) -> anyhow::Result<Vec<f64>> {
    if !path.exists() {
        return Err(Usage(format!(
            "--start {}: give harmonic, even, random, partial, vb, or the name of a model",
            path.display()
        ))
        .into());
    }
    let model = DmvModel::read(path).map_err(models::file_error)?;
    if model.tags != corpora.tags || !is_grammar_of(family, &model.grammar) {
        return Err(Usage(format!(
            "--start {}: that model has other tags, or the same in another order; a start must have been induced from the \
             same files",
            path.display()
        ))
        .into());
    }
    Ok(model.smoothed())
}
