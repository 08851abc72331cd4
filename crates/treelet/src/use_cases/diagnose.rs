//! `treelet diagnose`: has a sampler converged, what did it choose, and how good are its trees?
//!
//! What Sun (2016), Figures 2.2 to 2.6, shows, as one page, as a table and as numbers.

mod charts;
mod curves;
mod json;
mod judge;
mod page;
mod scores;
mod text;
mod trace;
mod usage;

use crate::models;
use crate::options::EncodingName;
use crate::options::diagnose::Diagnose;
use crate::outcome::{Outcome, Usage as WrongUsage};
use crate::source::{self, Source};
use crate::table::plural;
use crate::use_cases::check::report_problems;
use crate::watch::Watch;
use anyhow::Context;
use constituency::Model;
use curves::Curves;
use formats::Problem;
use formats::output::AtomicFile;
use judge::Judged;
use scores::{Gold, Scores};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
use trace::Series;
use usage::Usage;

/// Everything that is known about a run.
struct Diagnosis {
    /// The names of the traces.
    files: Vec<String>,
    chains: Vec<Series>,
    columns: Vec<Judged>,
    model: Option<ModelFigures>,
    scores: Option<Scores>,
    curves: Curves,
}

/// What a model file says.
struct ModelFigures {
    name: String,
    notes: BTreeMap<String, String>,
    chains: Vec<Usage>,
}

pub fn run(options: &Diagnose, watch: &dyn Watch) -> anyhow::Result<Outcome> {
    check_paths(options)?;
    let mut outcome = Outcome::Fine;
    let Some((files, chains)) = read_traces(options, &mut outcome, watch)? else {
        return Ok(Outcome::Problems);
    };
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
    if gold.is_some_and(|gold| gold.has_errors) {
        outcome = Outcome::Problems;
    }
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
    write(&diagnosis, options, watch)?;
    Ok(outcome)
}

fn check_paths(options: &Diagnose) -> anyhow::Result<()> {
    source::only_one_stdin(options.traces.iter().chain(&options.gold))?;
    let is_dash = |path: &Path| path == Path::new("-");
    if options.models.iter().any(|path| is_dash(path)) {
        return Err(WrongUsage("a model is read from a file, not from standard input".into()).into());
    }
    match options.output.as_deref() {
        Some(path) if is_dash(path) && options.json => {
            Err(WrongUsage("--json and -o - both go to standard output; give the page a name".into()).into())
        }
        Some(path) if !is_dash(path) => {
            let inputs = options.traces.iter().chain(&options.models).chain(&options.gold);
            models::refuse_same(path, inputs.map(|input| input.as_path()))?;
            models::check_output(path, "the page")
        }
        _ => Ok(()),
    }
}

/// Reads all traces; `None` if one of them is no trace.
fn read_traces(
    options: &Diagnose,
    outcome: &mut Outcome,
    watch: &dyn Watch,
) -> anyhow::Result<Option<(Vec<String>, Vec<Series>)>> {
    let (mut files, mut chains, mut are_traces) = (Vec::new(), Vec::new(), true);
    for (run, path) in options.traces.iter().enumerate() {
        let source = Source::without_format(path, EncodingName::Unicode)?;
        refuse_models(&source)?;
        let reading = trace::read(&source, run)?;
        // Warnings about line ends are for `treelet check`; here only what changes the result counts.
        let errors: Vec<Problem> = reading.problems.into_iter().filter(Problem::is_error).collect();
        if report_problems(&source, &errors, &options.messages, watch)? {
            *outcome = Outcome::Problems;
        }
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
    Ok(are_traces.then_some((files, chains)))
}

fn refuse_models(source: &Source) -> anyhow::Result<()> {
    if source.sample()?.starts_with("\u{FFFD}TREE\r\n") {
        let name = source.name();
        return Err(
            WrongUsage(format!("{name} is a Treelet file and no trace; give a model with --model")).into()
        );
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

fn write(diagnosis: &Diagnosis, options: &Diagnose, watch: &dyn Watch) -> anyhow::Result<()> {
    match options.output.as_deref() {
        Some(path) if path == Path::new("-") => return watch.print(&page::html(diagnosis)),
        Some(path) => {
            write_page(&page::html(diagnosis), path)
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        None => {}
    }
    if options.json {
        watch.print(&format!("{:#}\n", json::object(diagnosis)))?;
    } else {
        watch.print(&text::tables(diagnosis))?;
    }
    if let Some(path) = &options.output {
        watch.note(&format!("{}: written", path.display()));
    }
    Ok(())
}

fn write_page(html: &str, path: &Path) -> io::Result<()> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(html.as_bytes())?;
    file.finish()
}
