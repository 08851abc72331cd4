//! Peers for entities, relations and roles, through their Python packages: CRFsuite, spaCy and scikit-learn.
//!
//! A script in `peers` learns from sentences, chooses its settings on dev sentences and says what it finds in test
//! sentences. Sentences are lines of JSON, which know nothing of the files they are from; `peers/common.py` describes them.

mod lines;

use std::path::Path;
use std::process::Command;

use anyhow::Context;
use lines::PeerLine;
use tree::Sentence;
use tree::semantics::Semantics;

/// A sentence and what was said of it.
pub(crate) type Annotated = (Sentence, Semantics);

/// What is to be found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Script {
    /// Entities, by the peers `crfsuite` and `spacy`.
    Entities,
    /// Relations of given entities, by `plain`, `ent` and `path`.
    Relations,
    /// Arguments and senses of given predicates, by `plain` and `path`.
    Roles,
}

/// What a peer came to.
#[derive(Debug, Clone)]
pub(crate) struct PeerAnswer {
    /// For every test sentence: what was found, with what was given.
    pub(crate) found: Vec<Semantics>,
    /// What was chosen on the dev sentences, in words.
    pub(crate) settings: String,
    /// F1 on the dev sentences with these settings.
    pub(crate) dev_f1: f64,
    /// CPU seconds for choosing, training and finding.
    pub(crate) seconds: f64,
}

/// What a script prints.
#[derive(Debug, serde::Deserialize)]
struct Printed {
    settings: String,
    dev_f1: f64,
    seconds: f64,
}

const SHARED: [(&str, &str); 2] =
    [("common.py", include_str!("../peers/common.py")), ("linear.py", include_str!("../peers/linear.py"))];

/// The status of a script that finds a package missing.
const MISSING: i32 = 3;

impl Script {
    fn source(self) -> (&'static str, &'static str) {
        match self {
            Self::Entities => ("entities.py", include_str!("../peers/entities.py")),
            Self::Relations => ("relations.py", include_str!("../peers/relations.py")),
            Self::Roles => ("roles.py", include_str!("../peers/roles.py")),
        }
    }

    /// A test sentence without the answers, so that no peer can see them.
    fn question(self, (sentence, said): &Annotated) -> Annotated {
        let mut said = said.clone();
        match self {
            Self::Entities => {
                said.entities.clear();
                said.relations.clear();
                said.open_pairs.clear();
            }
            Self::Relations => said.relations.clear(),
            Self::Roles => {
                for predicate in &mut said.predicates {
                    predicate.sense = None;
                    predicate.arguments.clear();
                }
            }
        }
        (sentence.clone(), said)
    }
}

/// What a peer finds in the test sentences after it has learned from the others, and what that cost. The three files are train,
/// dev and test.
pub(crate) fn answer(
    python: &Path,
    script: Script,
    options: &[&str],
    files: [&[Annotated]; 3],
) -> anyhow::Result<PeerAnswer> {
    let folder = tempfile::tempdir()?;
    let at = |name: &str| folder.path().join(name);
    let (name, source) = script.source();
    for (name, text) in SHARED.into_iter().chain([(name, source)]) {
        std::fs::write(at(name), text)?;
    }
    let questions: Vec<Annotated> = files[2].iter().map(|test| script.question(test)).collect();
    lines::write(&at("train.jsonl"), files[0])?;
    lines::write(&at("dev.jsonl"), files[1])?;
    lines::write(&at("test.jsonl"), &questions)?;
    let mut command = Command::new(python);
    command.current_dir(folder.path()).arg(name).args(options);
    command.args(["train.jsonl", "dev.jsonl", "test.jsonl", "-o", "out.jsonl"]);
    // One thread, so that its seconds can be compared.
    let output = command.env("OMP_NUM_THREADS", "1").output();
    let output =
        output.with_context(|| format!("cannot start {}, which is to run {name}", python.display()))?;
    check(python, name, output.status.code(), &String::from_utf8_lossy(&output.stderr))?;
    let last = String::from_utf8_lossy(&output.stdout).lines().last().unwrap_or_default().to_owned();
    let printed: Printed =
        serde_json::from_str(&last).with_context(|| format!("{name} printed {last:?} as its last line"))?;
    let found = found(&std::fs::read_to_string(at("out.jsonl"))?, files[2]).context(name)?;
    Ok(PeerAnswer { found, settings: printed.settings, dev_f1: printed.dev_f1, seconds: printed.seconds })
}

/// An error if the script failed: with advice if a package is missing, or else with what it said.
fn check(python: &Path, name: &str, status: Option<i32>, said: &str) -> anyhow::Result<()> {
    let (python, said) = (python.display(), said.trim());
    match status {
        Some(0) => Ok(()),
        Some(MISSING) => anyhow::bail!(
            "{python} cannot run {name}: {said}. Install what peers need: \
             {python} -m pip install -r crates/bench/peers/requirements.txt"
        ),
        Some(status) => anyhow::bail!("{name} failed with status {status}: {said}"),
        None => anyhow::bail!("{name} was killed: {said}"),
    }
}

/// The answers to the test sentences.
fn found(text: &str, test: &[Annotated]) -> anyhow::Result<Vec<Semantics>> {
    let lines: Vec<PeerLine> = text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    anyhow::ensure!(lines.len() == test.len(), "{} answers to {} sentences", lines.len(), test.len());
    let numbered = (1..).zip(lines.into_iter().zip(test));
    numbered.map(|(number, (line, (sentence, _)))| one(line, sentence, number)).collect()
}

fn one(line: PeerLine, sentence: &Sentence, number: usize) -> anyhow::Result<Semantics> {
    let found = line.semantics().with_context(|| format!("sentence {number}"))?;
    let faults = found.faults(sentence.n_words());
    anyhow::ensure!(faults.is_empty(), "sentence {number}: what cannot be was found: {faults:?}");
    Ok(found)
}

#[cfg(test)]
mod tests;
