//! Brackets: `treelet joint train` and `joint run` for constituents.

use super::train::CHECKPOINT_VERSION;
use crate::models;
use crate::options::joint::{JointRun as RunOptions, JointTrain, RuleLearning, Task};
use crate::outcome::{Done, Figures, Usage};
use crate::run::{Marked, Run};
use crate::sentences::{Honoured, Sentences};
use crate::source::Source;
use crate::survey;
use crate::table::plural;
use crate::target::Target;
use crate::tree_marks;
use crate::use_cases::check::report_problems;
use crate::use_cases::tag::MESSAGES;
use crate::watch::{Progress, Steps, Watch, Watched};
use anyhow::Context;
use chain::Workers;
use formats::brackets::to_string;
use formats::detect::Format;
use formats::everything::{self, Item};
use formats::{Problem, Read};
use joint::brackets::{
    Annotated, Decode, Epoch, Kind, LONGEST, Model, RuleOptions, RuleStep, SavedTraining, Stage,
    TrainOptions, Training, Word,
};
use serde_json::{Map, Value, json};
use std::io::Write;
use tree::transform::normalise;

/// Trees from files, and whether anything is wrong with these.
pub(super) struct BracketTrees {
    annotated: Vec<Annotated>,
    pub(super) files: Vec<String>,
    has_errors: bool,
    n_long: usize,
    /// Trees that a machine built and nobody changed.
    n_by_machine: usize,
}

fn read(options: &JointTrain, watch: &dyn Watch) -> anyhow::Result<BracketTrees> {
    let mut trees = BracketTrees {
        annotated: Vec::new(),
        files: Vec::new(),
        has_errors: false,
        n_long: 0,
        n_by_machine: 0,
    };
    for path in &options.train {
        let source = Source::new(path, None, options.characters.encoding, watch)?;
        if source.format != Format::Brackets {
            return Err(Usage(format!(
                "{} is read as {}; brackets are learned from bracketed trees",
                source.name(),
                source.format.name()
            ))
            .into());
        }
        trees.files.push(source.fingerprint()?);
        let normalisation = survey::normalisation(&source, watch)?;
        let text = Watched::new(source.open()?, Progress::new(watch, source.size(), &source.name()));
        let mut problems: Vec<Problem> = Vec::new();
        for reading in everything::items(Format::Brackets, text) {
            let Read { value, line, problems: found } = reading.with_context(|| source.cannot_read())?;
            // A tree with an error in it is not learned from; what stands before it is no fault of its own.
            let is_bad = found.iter().any(|problem| problem.is_error() && problem.place.line >= line);
            problems.extend(found.into_iter().filter(Problem::is_error));
            let Item::Tree(bracketed) = value else { continue };
            if tree_marks::marked(&bracketed).is_some() {
                trees.n_by_machine += 1;
                continue;
            }
            let tree = bracketed.tree.filter(|_| !is_bad);
            match tree.and_then(|tree| normalise(&tree, &normalisation)) {
                Some(tree) if tree.n_words() > LONGEST => trees.n_long += 1,
                Some(tree) => trees.annotated.push(tree.into()),
                None => {}
            }
        }
        trees.has_errors |= report_problems(&source, &problems, &options.messages, watch)?;
    }
    Ok(trees)
}

pub(super) fn train(options: &JointTrain, run: &Run<'_>, workers: &Workers) -> anyhow::Result<Done<Figures>> {
    let watch = run.watch;
    let trees = read(options, watch)?;
    if trees.n_long > 0 {
        let long = plural(trees.n_long, "tree");
        watch.note(&format!("note: {long} of more than {LONGEST} words: left out"));
    }
    if trees.n_by_machine > 0 {
        let built = plural(trees.n_by_machine, "tree");
        watch.note(&format!("note: {built} that a machine built and nobody changed: left out"));
    }
    let asked = settings(options);
    let mark = format!("{} {asked:?}", trees.files.join(" "));
    let saving = Marked { kind: "checkpoint/brackets", version: CHECKPOINT_VERSION, mark: &mark };
    let saved = saving.find::<SavedTraining>(run)?;
    let mut training =
        Training::new(&trees.annotated, asked.clone()).map_err(|error| Usage(error.to_string()))?;
    if let Some(saved) = saved {
        training.resume(&saved).map_err(|error| Usage(error.to_string()))?;
    }
    let mut model = learn(training, options, run, saving, workers)?;
    model.notes = super::train::notes(options, &trees.files);
    run.written(model.write(&options.new_model.output))?;
    let result = super::train::finish(run, figures(&model), trees.annotated.len());
    Ok(Done { result, has_problems: trees.has_errors })
}

fn settings(options: &JointTrain) -> TrainOptions {
    let default = TrainOptions::default();
    let learning = super::train::learning(options, default.learning);
    TrainOptions {
        kind: match options.task {
            Task::Brackets if options.tags_only => Kind::Ccm,
            Task::Brackets => Kind::Bm,
            _ => Kind::Lbm,
        },
        learning,
        chains: learning,
        rules: options.rules.map(|how| rules(how, options.propagation.sweeps)),
        seed: options.chance.seed,
        ..default
    }
}

fn rules(how: RuleLearning, sweeps: Option<u32>) -> RuleOptions {
    let default = RuleOptions::default();
    let default = RuleOptions { sweeps: sweeps.map_or(default.sweeps, |n| n as usize), ..default };
    match how {
        RuleLearning::Likelihood => default,
        RuleLearning::Perceptron => {
            RuleOptions { step: RuleStep::Perceptron, epochs: 30, folds: 1, ..default }
        }
    }
}

fn learn(
    training: Training,
    options: &JointTrain,
    run: &Run<'_>,
    saving: Marked<'_>,
    workers: &Workers,
) -> anyhow::Result<Model> {
    let first = settings(options).learning.epochs;
    let total = first + options.rules.map_or(0, |how| rules(how, None).epochs);
    let mut epochs = run.epochs(total as u64);
    let model = training.run(workers, &mut |epoch: &Epoch, training: &Training| {
        let (before, name) = match epoch.stage {
            Stage::Brackets => (0, "log-likelihood of a sentence"),
            Stage::Rules => (first, "share of rules that are right"),
        };
        epochs.after(
            (before + epoch.done) as u64,
            || format!("{name} {:.3}", epoch.figure),
            |path| saving.save(path, &training.save()),
        )
    });
    epochs.finish()?;
    Ok(model)
}

/// What `treelet model info` shows.
pub(crate) fn figures(model: &Model) -> Map<String, Value> {
    let [brackets, chains] = model.n_features();
    let pairs = [
        ("task", json!(if model.options().kind == Kind::Lbm { "labeled-brackets" } else { "brackets" })),
        ("kind", json!(model.options().kind)),
        ("labels", json!(model.n_labels())),
        ("features", json!(brackets)),
        ("features of chains", json!(chains)),
        ("rules", json!(model.n_rules())),
    ];
    pairs.into_iter().map(|(name, value)| (name.to_string(), value)).collect()
}

/// Parses sentences into trees, one on each line; empty lines stay empty.
pub(super) fn run(
    options: &RunOptions,
    workers: &Workers,
    watch: &dyn Watch,
) -> anyhow::Result<Done<Figures>> {
    if options.syntax.trees || options.syntax.heat_maps.is_some() || options.again.all {
        let text =
            "--all, --trees and --heat-maps are for models of tags and arcs, and this is one of brackets";
        return Err(Usage(text.into()).into());
    }
    let model = Model::read(&options.model).map_err(models::file_error)?;
    let honoured = Honoured { tags: true, ..Honoured::default() };
    let read = Sentences::read(
        &options.input,
        options.course.reading.format(),
        options.course.reading.characters.encoding,
        honoured,
        watch,
    )?;
    let words = |sentence: &grammar::anchor::Brackets| -> Vec<Word> {
        let pairs = sentence.words.iter().zip(&sentence.tags);
        pairs.map(|(form, tag)| Word { form: form.clone(), tag: tag.clone() }).collect()
    };
    let sentences: Vec<Vec<Word>> =
        read.lines.iter().filter_map(|line| line.sentence.as_ref()).map(words).collect();
    if read.source.format == Format::Brackets {
        watch.note("note: the brackets of the input were not looked at, only words and tags");
    }
    let machine = models::signature("joint", &options.model)?;
    let steps = Steps::new(watch, sentences.len() as u64, "sentence");
    let mut output = Target::create(&options.to.output)?;
    let mut parsed = Vec::with_capacity(sentences.len());
    for batch in sentences.chunks(256) {
        parsed.extend(model.parse_all(batch, Decode::Sum, workers));
        steps.reach(parsed.len() as u64, String::new);
    }
    drop(steps);
    let cannot = || format!("cannot write {}", options.to.output.display());
    let mut trees = parsed.iter();
    for line in &read.lines {
        let tree = line.sentence.as_ref().and_then(|given| Some((given, to_string(&trees.next()?.tree))));
        let text = tree.map_or_else(String::new, |(given, tree)| {
            format!("{}\n{tree}", tree_marks::comment(&tree, &machine, Some(given)))
        });
        writeln!(output, "{text}").with_context(cannot)?;
    }
    output.finish(watch)?;
    let is_exact = model.n_rules() == 0;
    let n_words: usize = sentences.iter().map(Vec::len).sum();
    watch.note(&format!(
        "{}: {}, {}; inference was {}",
        read.source.name(),
        plural(sentences.len(), "sentence"),
        plural(n_words, "word"),
        if is_exact { "exact" } else { "by loopy belief propagation, since rules make cycles" }
    ));
    let result = json!({ "sentences": sentences.len(), "words": n_words, "exact": is_exact }).into();
    let has_problems = report_problems(&read.source, &read.problems, &MESSAGES, watch)?;
    Ok(Done { result, has_problems })
}
