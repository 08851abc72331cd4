//! One system on one data set: learned, used and scored by the use cases of the program.

use std::collections::BTreeSet;
use std::path::Path;

use formats::detect::Format;
use serde_json::{Value, json};
use tree::semantics::Semantics;
use treelet::watch::Unwatched;

use super::data::{self, SemanticCorpus};
use crate::cpu;
use crate::peers::Annotated;

/// Runs a use case of the program by its name.
pub(super) fn call(name: &str, options: &Value) -> anyhow::Result<Value> {
    let options = options.as_object().cloned().unwrap_or_default();
    Ok(treelet::call(name, &options, &Unwatched)?.result)
}

/// What came of a system.
#[derive(Debug, Clone, Default)]
pub(super) struct SemanticOutcome {
    /// What `treelet score` says of the task.
    pub(super) scores: Value,
    pub(super) n_features: u64,
    /// Sentences whose sums were exact, those with loops in which messages came to rest, and sweeps of these.
    pub(super) n_exact: u64,
    pub(super) n_loopy: u64,
    pub(super) n_resting: u64,
    pub(super) sweeps: f64,
    /// Seconds of the processor for learning.
    pub(super) seconds: f64,
    /// Precision, recall and F1 of brackets whatever their labels, if the model finds brackets.
    pub(super) brackets: Option<[f64; 3]>,
    /// Predicates with a role that several words play, of 100.
    pub(super) doubled: Option<f64>,
}

/// What is fixed for all systems.
pub(super) struct SemanticCourse<'a> {
    pub(super) task: &'a str,
    pub(super) threads: usize,
    /// Further options of `joint train`.
    pub(super) more: Value,
    /// If given, learning walks so many times through the sentences, and nobody looks at dev.
    pub(super) passes: Option<u64>,
}

/// Learns from a data set with some options and scores what is found in its test sentences.
pub(super) fn system(
    corpus: &SemanticCorpus,
    course: &SemanticCourse<'_>,
    options: &Value,
    seed: u64,
) -> anyhow::Result<SemanticOutcome> {
    let folder = tempfile::tempdir()?;
    let at = |name: &str| folder.path().join(name);
    let [train, dev, test] = ["train.conllu", "dev.conllu", "test.conllu"].map(at);
    data::write(&train, &corpus.train)?;
    data::write(&dev, &corpus.dev)?;
    data::write(&test, &corpus.test)?;
    let model = at("model.treelet");
    let mut asked = json!({
        "task": course.task, "train": [train], "output": model, "seed": seed, "threads": course.threads,
    });
    match course.passes {
        Some(passes) => asked["epochs"] = json!(passes),
        None => asked["dev"] = json!([dev]),
    }
    for more in [options, &course.more] {
        for (name, value) in more.as_object().into_iter().flatten() {
            asked[name] = value.clone();
        }
    }
    let (learned, seconds) = cpu::whole(|| call("joint train", &asked));
    let learned = learned?;
    let found = at("found.conllu");
    let parsed = call(
        "parse",
        &json!({
            "model": model, "input": test, "output": found, "threads": course.threads, "posteriors": true, "no_marks": true,
        }),
    )?;
    let scored = call("score", &json!({"gold": test, "systems": [found]}))?;
    let number = |of: &Value, name: &str| of[name].as_u64().unwrap_or(0);
    let answers = data::read(&found, Format::Conllu)?;
    Ok(SemanticOutcome {
        scores: scored[course.task].clone(),
        n_features: number(&learned, "features"),
        n_exact: number(&parsed, "exact"),
        n_loopy: number(&parsed, "loopy"),
        n_resting: number(&parsed, "converged"),
        sweeps: parsed["mean_sweeps"].as_f64().unwrap_or(0.0),
        seconds,
        brackets: bracket_scores(corpus, &folder.path().join("found.conllu.posteriors.tsv"))?,
        doubled: doubled(answers.iter().map(|(_, said)| said)),
    })
}

/// Scores the answers of a peer.
pub(super) fn scores_of(
    task: &str,
    test: &[Annotated],
    found: Vec<Semantics>,
) -> anyhow::Result<SemanticOutcome> {
    let folder = tempfile::tempdir()?;
    let [gold, system] = ["gold.conllu", "system.conllu"].map(|name| folder.path().join(name));
    data::write(&gold, test)?;
    let doubled = doubled(found.iter());
    let found: Vec<Annotated> =
        test.iter().zip(found).map(|((sentence, _), said)| (sentence.clone(), said)).collect();
    data::write(&system, &found)?;
    let scored = call("score", &json!({"gold": gold, "systems": [system]}))?;
    Ok(SemanticOutcome { scores: scored[task].clone(), doubled, ..SemanticOutcome::default() })
}

/// Predicates with a role that several words play, of 100 predicates with arguments.
fn doubled<'a>(said: impl Iterator<Item = &'a Semantics>) -> Option<f64> {
    let (mut n, mut of) = (0, 0);
    for predicate in
        said.flat_map(|said| &said.predicates).filter(|predicate| !predicate.arguments.is_empty())
    {
        let roles: BTreeSet<&str> =
            predicate.arguments.iter().map(|argument| argument.role.as_str()).collect();
        of += 1;
        n += usize::from(roles.len() < predicate.arguments.len());
    }
    (of > 0).then(|| 100.0 * n as f64 / of as f64)
}

/// How the brackets in a table of `parse --posteriors` compare with the constituents of the trees that were given.
fn bracket_scores(corpus: &SemanticCorpus, table: &Path) -> anyhow::Result<Option<[f64; 3]>> {
    let mut found = vec![BTreeSet::new(); corpus.test.len()];
    for line in std::fs::read_to_string(table)?.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        if cells.get(1) == Some(&"bracket") {
            let (first, last) = cells[2].split_once('-').unwrap_or((cells[2], cells[2]));
            found[cells[0].parse::<usize>()? - 1].insert((first.parse::<u32>()? - 1, last.parse::<u32>()?));
        }
    }
    if found.iter().all(BTreeSet::is_empty) {
        return Ok(None);
    }
    let (mut right, mut n_found, mut n_gold) = (0, 0, 0);
    for ((sentence, _), found) in corpus.test.iter().zip(&found) {
        let Some((whole, _)) = data::brackets(sentence) else { continue };
        let gold: BTreeSet<(u32, u32)> = whole.into_iter().filter(|(start, end)| end - start > 1).collect();
        (n_found, n_gold) = (n_found + found.len(), n_gold + gold.len());
        right += gold.intersection(found).count();
    }
    let (p, r) = (right as f64 / n_found.max(1) as f64, right as f64 / n_gold.max(1) as f64);
    Ok(Some([100.0 * p, 100.0 * r, 200.0 * p * r / (p + r).max(f64::MIN_POSITIVE)]))
}
