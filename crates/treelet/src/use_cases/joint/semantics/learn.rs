//! `treelet joint train` for names, relations and roles.

use super::super::train::{CHECKPOINT_VERSION, finish, learning, notes};
use super::parsers::{TreeParser, Which};
use super::{SemanticSentence, SemanticsFile, given_of, marks, sentence};
use crate::options::joint::{CoverName, JointTrain, ModeName, SightName, SyntaxName, Task as TaskName};
use crate::outcome::{Done, Figures, Usage};
use crate::run::{Marked, Run};
use crate::source::Source;
use crate::table::plural;
use crate::use_cases::check::report_problems;
use crate::watch::{Progress, Watch, Watched};
use ::joint::Mode;
use ::joint::semantics::{
    Gazetteer, Losses, Options, SemanticCheckpoint, SemanticModel, SemanticTask, Sight, Syntax, Valency,
};
use anyhow::Context;
use bp::structured::Cover;
use chain::Workers;
use formats::everything;
use formats::{Problem, Read};
use score::Counts;
use std::path::PathBuf;

/// The task of a name, if it is one of names, relations and roles.
pub(in super::super) fn task(name: TaskName) -> Option<SemanticTask> {
    match name {
        TaskName::Entities => Some(SemanticTask::Entities),
        TaskName::Relations => Some(SemanticTask::Relations),
        TaskName::Roles => Some(SemanticTask::Roles),
        _ => None,
    }
}

/// Learns such a model.
pub(in super::super) fn train(
    options: &JointTrain,
    task: SemanticTask,
    run: &Run<'_>,
    workers: &Workers,
) -> anyhow::Result<Done<Figures>> {
    let watch = run.watch;
    let mut files = Vec::new();
    let (mut train, mut has_errors) = read(&options.train, options, &mut files, watch)?;
    leave_to_people(&mut train, task, watch);
    let (mut dev, dev_errors) = read(&options.semantics.dev, options, &mut files, watch)?;
    has_errors |= dev_errors;
    leave_to_judges(&mut dev, task, watch);
    let settings = settings(options, task);
    let forget = |sentence: &mut SemanticSentence| sentence.forget_trees_of_machines();
    if settings.mode == Mode::Joint {
        let n_forgotten = train.iter_mut().map(forget).filter(|&is_forgotten| is_forgotten).count();
        if n_forgotten > 0 {
            let trees = plural(n_forgotten, "sentence");
            watch.note(&format!(
                "note: {trees} with trees of machines, which are not learned from: found with the rest"
            ));
        }
    }
    let parser = parser(options, &settings, (&mut train, &mut dev), &mut files, (workers, run))?;
    let given = given_of(options.given, &train);
    train.iter_mut().chain(&mut dev).for_each(|sentence| sentence.look(given.as_ref()));
    let sentences: Vec<joint::Sentence> = train.into_iter().map(|sentence| sentence.seen).collect();
    let gazetteer = gazetteer(options, &sentences, &mut files)?;
    let mark = format!(
        "{} {settings:?} {given:?} {:?} {}",
        files.join(" "),
        options.semantics.jackknife,
        options.chance.seed
    );
    let saving = Marked { kind: "checkpoint/semantics", version: CHECKPOINT_VERSION, mark: &mark };
    let saved = saving.find::<SemanticCheckpoint>(run)?;
    let dev: Vec<joint::Sentence> = dev.into_iter().map(|sentence| sentence.seen).collect();
    let stages = if settings.valency == Valency::None { 1 } else { 2 };
    let n_epochs = settings.learning.epochs;
    let mut epochs = run.epochs((stages * n_epochs) as u64);
    let mut judge = |model: &SemanticModel, thresholds: &[f64]| worth(model, &dev, thresholds, workers);
    let learned = SemanticModel::train(
        &sentences,
        &settings,
        gazetteer,
        options.chance.seed,
        saved.as_ref(),
        workers,
        if dev.is_empty() { None } else { Some(&mut judge) },
        |progress| {
            let done = (progress.stage - 1) * n_epochs + progress.epoch;
            let shown = || match progress.worth {
                Some(worth) => format!("log-likelihood {:.1}, F1 {worth:.2} on dev", progress.ln),
                None => format!("log-likelihood {:.1}", progress.ln),
            };
            epochs.after(done as u64, shown, |path| saving.save(path, &progress.save()))
        },
    );
    epochs.finish()?;
    let (model, losses) = learned.map_err(|error| Usage(error.to_string()))?;
    note_losses(&losses, options, watch);
    let file = SemanticsFile { given, parser, model };
    run.written(file.write(&options.new_model.output, notes(options, &files)))?;
    let result = finish(run, file.figures(), sentences.len());
    Ok(Done { result, has_problems: has_errors })
}

/// The parser that goes before the model, if there shall be one, and its trees in all sentences that it is for.
fn parser(
    options: &JointTrain,
    settings: &Options,
    (train, dev): (&mut [SemanticSentence], &mut [SemanticSentence]),
    files: &mut Vec<String>,
    (workers, run): (&Workers, &Run<'_>),
) -> anyhow::Result<Option<TreeParser>> {
    let asked = &options.semantics;
    let syntax = settings.syntax;
    if !matches!(settings.mode, Mode::Joint | Mode::Oracle) {
        return Ok(None);
    }
    if let Some(path) = &asked.parser {
        let parser = TreeParser::read(path, syntax)?;
        files.push(parser.signature().to_string());
        let at_work = parser.at_work(workers);
        let n: usize =
            [train, dev].into_iter().map(|one| at_work.fill(one, Which::Treeless, syntax, workers)).sum();
        run.watch.note(&format!("note: {} got trees of {}", plural(n, "sentence"), path.display()));
        return Ok(Some(parser));
    }
    let Some(n_parts) = asked.jackknife else { return Ok(None) };
    let parser = TreeParser::jackknife(train, syntax, n_parts as usize, workers, run)?;
    parser.at_work(workers).fill(dev, Which::All, syntax, workers);
    run.watch.note(&format!(
        "note: the trees that are learned from are those of {n_parts} parsers that have not seen them; one that has seen all \
         goes into the model"
    ));
    Ok(Some(parser))
}

/// Opens again what machines found, and leaves out sentences of which nobody else said anything.
fn leave_to_people(sentences: &mut Vec<SemanticSentence>, task: SemanticTask, watch: &dyn Watch) {
    let (mut n_partly, mut n_left_out, mut n_unknown) = (0, 0, 0);
    sentences.retain_mut(|sentence| {
        let reopened = sentence.reopen(task);
        let stays = !reopened.is_marked || (reopened.has_people && !reopened.is_unknown);
        n_partly += usize::from(reopened.is_marked && stays);
        n_unknown += usize::from(reopened.is_unknown);
        n_left_out += usize::from(!stays && !reopened.is_unknown);
        stays
    });
    let (lines, task) = (marks::lines(task), marks::what(task));
    let tell = |n: usize, what: &str| {
        if n > 0 {
            let sentences = plural(n, "sentence");
            watch.note(&format!("note: {sentences} {what}; delete the line {lines} of those you stand for"));
        }
    };
    tell(n_left_out, &format!("in which a machine found all {task}: left out"));
    tell(n_unknown, "whose words have changed since a machine looked at them: left out");
    tell(
        n_partly,
        &format!(
            "in which a machine found some {task}: these are open, and what people said is learned from"
        ),
    );
}

/// Leaves out sentences of which a machine said something: against these nothing can be held.
fn leave_to_judges(sentences: &mut Vec<SemanticSentence>, task: SemanticTask, watch: &dyn Watch) {
    let before = sentences.len();
    sentences.retain_mut(|sentence| !sentence.reopen(task).is_marked);
    if sentences.len() < before {
        let left = plural(before - sentences.len(), "sentence");
        watch.note(&format!(
            "note: --dev: {left} in which a machine found {}: left out; delete the line {} of those you stand for",
            marks::what(task),
            marks::lines(task)
        ));
    }
}

fn read(
    paths: &[PathBuf],
    options: &JointTrain,
    files: &mut Vec<String>,
    watch: &dyn Watch,
) -> anyhow::Result<(Vec<SemanticSentence>, bool)> {
    let (mut sentences, mut has_errors) = (Vec::new(), false);
    for path in paths {
        let source = Source::new(path, None, options.characters.encoding, watch)?;
        files.push(source.fingerprint()?);
        let text = Watched::new(source.open()?, Progress::new(watch, source.size(), &source.name()));
        let mut problems: Vec<Problem> = Vec::new();
        for reading in everything::items(source.format, text) {
            let Read { value, line, problems: found } = reading.with_context(|| source.cannot_read())?;
            problems.extend(found.into_iter().filter(Problem::is_error));
            if line == 0 || value.is_blank() {
                continue;
            }
            let (sentence, found) = sentence(source.format, value, line, None);
            problems.extend(found);
            if !sentence.seen.forms.is_empty() {
                sentences.push(sentence);
            }
        }
        has_errors |= report_problems(&source, &problems, &options.messages, watch)?;
    }
    Ok((sentences, has_errors))
}

fn settings(options: &JointTrain, task: SemanticTask) -> Options {
    let asked = &options.semantics;
    let default = Options::of(task);
    Options {
        mode: match options.mode {
            ModeName::Supervised => Mode::Supervised,
            ModeName::Joint => Mode::Joint,
            ModeName::Oracle => Mode::Oracle,
            ModeName::Hidden => Mode::Hidden,
        },
        syntax: asked.syntax.map_or(default.syntax, |syntax| match syntax {
            SyntaxName::Arcs => Syntax::Arcs,
            SyntaxName::Brackets => Syntax::Brackets,
        }),
        projective: task == SemanticTask::Roles || options.projective,
        sight: match asked.sight {
            SightName::Chain => Sight::Chain,
            SightName::Paper => Sight::Paper,
            SightName::Rich => Sight::Rich,
        },
        cover: match asked.cover {
            CoverName::Optional => Cover::Optional,
            CoverName::Exact => Cover::Exact,
        },
        widest: asked.widest,
        types: !asked.no_types,
        valency: match asked.valency {
            0 => Valency::None,
            2 => Valency::Two,
            _ => Valency::Three,
        },
        window: asked.window,
        plain_tie: asked.plain_tie,
        least: asked.least.unwrap_or(default.least),
        only_positive: asked.only_positive,
        hash: options.hash,
        prune: asked.prune,
        propagation: super::super::train::propagation(options, default.propagation),
        learning: learning(options, default.learning),
        ..default
    }
}

/// The lists of names: `LIST` is a file with a name on each line, and perhaps a tab and a type; `training` are the names of
/// the training sentences.
fn gazetteer(
    options: &JointTrain,
    sentences: &[joint::Sentence],
    files: &mut Vec<String>,
) -> anyhow::Result<Gazetteer> {
    let mut names = Gazetteer::default();
    for path in &options.semantics.gazetteer {
        if path.as_os_str() == "training" {
            names = Gazetteer::of_training(sentences);
        }
    }
    for path in options.semantics.gazetteer.iter().filter(|path| path.as_os_str() != "training") {
        let source = Source::without_format(path, options.characters.encoding)?;
        files.push(source.fingerprint()?);
        let mut text = String::new();
        std::io::Read::read_to_string(&mut source.open()?, &mut text)
            .with_context(|| source.cannot_read())?;
        let list = path.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            match line.split_once('\t') {
                Some((name, kind)) => names.insert(name, kind.trim()),
                None => names.insert(line, &list),
            }
        }
    }
    Ok(names)
}

/// F1, in per cent, of what a model finds in sentences at each of some thresholds.
fn worth(model: &SemanticModel, dev: &[joint::Sentence], thresholds: &[f64], workers: &Workers) -> Vec<f64> {
    let task = model.options().task;
    let of_sentence = |messages: &mut bp::Messages, _: usize, sentence: &joint::Sentence| -> Vec<Counts> {
        let posterior = model.posterior(&model.opened(sentence), messages);
        let counted = |threshold: &f64| match &posterior {
            Ok(posterior) => counts(task, &sentence.semantics, &posterior.decide(*threshold).semantics),
            Err(_) => counts(task, &sentence.semantics, &tree::Semantics::default()),
        };
        thresholds.iter().map(counted).collect()
    };
    let all = workers.map_with(dev, bp::Messages::default, of_sentence);
    let total = |at: usize| all.iter().map(|counts| counts[at]).sum::<Counts>();
    (0..thresholds.len()).map(|at| 100.0 * total(at).f1()).collect()
}

/// What is right of what was found: names with types, relations, senses and roles.
fn counts(task: SemanticTask, gold: &tree::Semantics, found: &tree::Semantics) -> Counts {
    let mut counts = Counts::default();
    let mut add = |gold: usize, system: usize, matched: usize| {
        counts += Counts { gold, system, matched };
    };
    match task {
        SemanticTask::Entities => {
            let matched = gold.entities.iter().filter(|entity| found.entities.contains(entity)).count();
            add(gold.entities.len(), found.entities.len(), matched);
        }
        SemanticTask::Relations => {
            let matched = gold.relations.iter().filter(|relation| found.relations.contains(relation)).count();
            add(gold.relations.len(), found.relations.len(), matched);
        }
        SemanticTask::Roles => {
            for predicate in &gold.predicates {
                let other = found.predicates.iter().find(|other| other.word == predicate.word);
                let arguments = other.map_or(&[][..], |other| &other.arguments);
                let matched =
                    predicate.arguments.iter().filter(|argument| arguments.contains(argument)).count();
                add(predicate.arguments.len(), arguments.len(), matched);
                if predicate.sense.is_some() {
                    let is_right = other.is_some_and(|other| other.sense == predicate.sense);
                    add(1, 1, usize::from(is_right));
                }
            }
        }
    }
    counts
}

fn note_losses(losses: &Losses, options: &JointTrain, watch: &dyn Watch) {
    let window = options.semantics.window;
    let widest = options.semantics.widest;
    let lines = [
        (losses.long_sentences, "sentence", format!("of more than {} words: left out", joint::LONGEST)),
        (losses.without_tree, "sentence", "without a whole tree, which --mode oracle needs: left out".into()),
        (losses.overlapping, "name", "that share words with others or lie outside: left out".into()),
        (losses.wide, "name", format!("of more than {widest} words, which --widest allows: cannot be found")),
        (losses.relations, "relation", "of names that are left out: left out".into()),
        (
            losses.far,
            "argument",
            format!("more than {window} words from their predicates (--window): cannot be found"),
        ),
    ];
    for (n, what, why) in lines.into_iter().filter(|(n, ..)| *n > 0) {
        watch.note(&format!("note: {} {why}", plural(n, what)));
    }
    if options.semantics.valency > 0 {
        let (lost, all) = (losses.pruned, losses.arguments);
        let share = 100.0 * lost as f64 / all.max(1) as f64;
        watch.note(&format!(
            "note: without valency {lost} of {} are less probable than --prune {} ({share:.2} %)",
            plural(all, "argument"),
            options.semantics.prune
        ));
    }
}
