//! Has a sampler converged, what did it choose, and how good are its trees?
//!
//! What Sun (2016), Figures 2.2 to 2.6, shows, as one page, as a table and as numbers.

mod charts;
mod curves;
mod figures;
mod json;
mod judge;
mod page;
mod scores;
mod trace;
mod usage;

pub use curves::{Curves, Point};
pub use figures::CurveTable;
pub use judge::{Judged, OneChain, Verdict};
pub use scores::{ChainScores, DecoderScores, ParseScores, Scores};
pub use trace::Series;
pub use usage::{ChainUsage, LabelUsage};

use crate::models;
use crate::options::EncodingName;
use crate::options::diagnose::Diagnose;
use crate::outcome::{Done, Usage};
use crate::source::{self, Source};
use crate::table::plural;
use crate::use_cases::check::report_problems;
use crate::use_cases::factors::write;
use crate::watch::Watch;
use constituency::Model;
use formats::Problem;
use scores::Gold;
use std::collections::BTreeMap;
use std::path::Path;

/// Everything that is known about a run.
#[derive(Clone, Debug)]
pub struct Diagnosis {
    /// The names of the traces.
    pub files: Vec<String>,
    /// What the chains left in them.
    pub chains: Vec<Series>,
    /// Every column of the traces.
    pub columns: Vec<Judged>,
    /// What the model says, if one was given.
    pub model: Option<ModelFigures>,
    /// How good its trees are, if there are gold trees.
    pub scores: Option<Scores>,
    /// How good trees are by what can be turned up, as far as it was asked for.
    pub curves: Curves,
}

/// What a model file says.
#[derive(Clone, Debug)]
pub struct ModelFigures {
    /// The name of the file.
    pub name: String,
    /// How the model was made.
    pub notes: BTreeMap<String, String>,
    /// What each chain chose.
    pub chains: Vec<ChainUsage>,
}

/// Judges whether a sampler has converged, and how good its trees are; writes a page if a file is given. There is no
/// diagnosis if one of the files is no trace.
pub fn diagnose(options: &Diagnose, watch: &dyn Watch) -> anyhow::Result<Done<Option<Diagnosis>>> {
    check_paths(options)?;
    let (traces, mut has_problems) = read_traces(options, watch)?;
    let Some((files, chains)) = traces else { return Ok(Done { result: None, has_problems: true }) };
    let training_sweeps = curves::training_sweeps(options)?;
    let (model, gold) = read_model(options, watch)?;
    let (scores, curves) = match (&model, &gold) {
        (Some(model), Some(gold)) => {
            let workers = models::workers(options.threads)?;
            let scores = scores::score(model, gold, options, &workers, watch)?;
            let curves = curves::curves(model, &training_sweeps, gold, options, &workers, watch)?;
            (Some(scores), curves)
        }
        _ => (None, Curves::default()),
    };
    let gold_is_absent = gold.is_none();
    has_problems |= gold.is_some_and(|gold| gold.has_errors);
    let model = model.zip(options.models.first()).map(|(model, path)| ModelFigures {
        name: path.display().to_string(),
        chains: usage::of_model(&model),
        notes: model.notes,
    });
    if gold_is_absent && options.output.is_none() && !options.json {
        watch.without_effect(
            &["--model"],
            "rules and annotations of chains are shown on the page (-o) and by --json",
        );
    }
    let columns = judge::columns(&chains);
    let diagnosis = Diagnosis { files, chains, columns, model, scores, curves };
    note_doubts(&diagnosis, watch);
    if let Some(path) = &options.output {
        write_page(&page::html(&diagnosis), path, watch)?;
    }
    Ok(Done { result: Some(diagnosis), has_problems })
}

fn check_paths(options: &Diagnose) -> anyhow::Result<()> {
    source::only_one_stdin(options.traces.iter().chain(&options.gold))?;
    let is_dash = |path: &Path| path == Path::new("-");
    if options.models.iter().any(|path| is_dash(path)) {
        return Err(Usage("a model is read from a file, not from standard input".into()).into());
    }
    match options.output.as_deref() {
        Some(path) if is_dash(path) && options.json => {
            Err(Usage("--json and -o - both go to standard output; give the page a name".into()).into())
        }
        Some(path) if !is_dash(path) => {
            let inputs = options.traces.iter().chain(&options.models).chain(&options.gold);
            models::refuse_same(path, inputs.map(|input| input.as_path()))?;
            models::check_output(path, "the page")
        }
        _ => Ok(()),
    }
}

/// The names of the traces and their chains.
type Traces = (Vec<String>, Vec<Series>);

/// Reads all traces, and tells whether there are problems; `None` if one of them is no trace.
fn read_traces(options: &Diagnose, watch: &dyn Watch) -> anyhow::Result<(Option<Traces>, bool)> {
    let mut has_problems = false;
    let (mut files, mut chains, mut are_traces) = (Vec::new(), Vec::new(), true);
    for (run, path) in options.traces.iter().enumerate() {
        let source = Source::without_format(path, EncodingName::Unicode)?;
        refuse_models(&source)?;
        let reading = trace::read(&source, run)?;
        // Warnings about line ends are for `treelet check`; here only what changes the result counts.
        let errors: Vec<Problem> = reading.problems.into_iter().filter(Problem::is_error).collect();
        has_problems |= report_problems(&source, &errors, &options.messages, watch)?;
        files.push(source.name());
        are_traces &= reading.chains.is_some();
        chains.extend(reading.chains.into_iter().flatten());
    }
    for chain in &mut chains {
        chain.name = match files.len() {
            1 => format!("chain {}", chain.number),
            _ => format!("run {}, chain {}", chain.run + 1, chain.number),
        };
    }
    Ok((are_traces.then_some((files, chains)), has_problems))
}

fn refuse_models(source: &Source) -> anyhow::Result<()> {
    if source.sample()?.starts_with("\u{FFFD}TREE\r\n") {
        let name = source.name();
        return Err(Usage(format!("{name} is a Treelet file and no trace; give a model with --model")).into());
    }
    Ok(())
}

/// The model of the trace: the first that was given.
fn read_model(options: &Diagnose, watch: &dyn Watch) -> anyhow::Result<(Option<Model>, Option<Gold>)> {
    let model = options.models.first().map(|path| models::read(path)).transpose()?;
    let gold = options.gold.as_deref();
    let gold = gold.map(|path| Gold::read(path, options.limit, &options.messages, watch)).transpose()?;
    Ok((model, gold))
}

/// What is no error, but hardly meant.
fn note_doubts(diagnosis: &Diagnosis, watch: &dyn Watch) {
    if diagnosis.chains.is_empty() {
        watch.note("note: there are no sweeps in the trace");
    }
    let n_chains = diagnosis.chains.len();
    if let Some(model) = &diagnosis.model
        && diagnosis.files.len() == 1
        && n_chains > 0
        && model.chains.len() != n_chains
    {
        let (of_model, of_trace) = (plural(model.chains.len(), "chain"), plural(n_chains, "chain"));
        watch.note(&format!(
            "note: the model has {of_model}, but the trace {of_trace}; are they of the same run?"
        ));
    }
}

fn write_page(html: &str, path: &Path, watch: &dyn Watch) -> anyhow::Result<()> {
    write(path, html.as_bytes(), watch)?;
    if path != Path::new("-") {
        watch.note(&format!("{}: written", path.display()));
    }
    Ok(())
}
