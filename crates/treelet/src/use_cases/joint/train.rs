//! `treelet joint train`.

use super::brackets;
use super::columns::{TagPlace, given, seen};
use super::model::JointModel;
use super::semantics;
use crate::imputation::annotated::{AnnotatedCorpus, Aside};
use crate::models;
use crate::options::joint::{JointTrain, ModeName, RuleName, SightName, SyntaxName, Task};
use crate::options::{Chance, Input};
use crate::outcome::{Done, Figures, Usage};
use crate::run::{Epochs, Marked, Run};
use crate::table::plural;
use crate::watch::Watch;
use joint::dependency::{self, Checkpoint};
use joint::training::EpochProgress;
use joint::{Mode, tagging};
use num::packed::Packed;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::PathBuf;

/// The version of checkpoints, of this command and of brackets.
pub(super) const CHECKPOINT_VERSION: u32 = 2;

/// Learns a model on a factor graph, and writes it.
pub fn train_joint(options: &JointTrain, watch: &dyn Watch) -> anyhow::Result<Done<Figures>> {
    check(options)?;
    let asked = &options.semantics;
    let lists = asked.gazetteer.iter().filter(|path| path.as_os_str() != "training");
    let inputs: Vec<&PathBuf> =
        options.train.iter().chain(&asked.dev).chain(&asked.parser).chain(lists).collect();
    let run = Run::new(&options.new_model.output, &options.saving, &inputs, None, watch)?;
    note_ignored(options, watch);
    let workers = models::workers(options.threads)?;
    if matches!(options.task, Task::Brackets | Task::LabeledBrackets) {
        return brackets::train(options, &run, &workers);
    }
    if let Some(task) = semantics::learn::task(options.task) {
        return semantics::learn::train(options, task, &run, &workers);
    }
    let material = read(options, watch)?;
    let saving = Marked { kind: "checkpoint/joint", version: CHECKPOINT_VERSION, mark: &material.mark };
    let saved = saving.find::<Checkpoint>(&run)?;
    let course = TrainingRun { options, material: &material, saving, run: &run, workers: &workers };
    let model = match options.task {
        Task::Tagging => course.tagging(saved)?,
        _ => course.dependency(saved)?,
    };
    run.written(model.write(&options.new_model.output, notes(options, &material.files)))?;
    let result = finish(&run, model.figures(), material.sentences.len());
    Ok(Done { result, has_problems: material.has_errors })
}

/// Says what was learned.
pub(super) fn finish(run: &Run<'_>, mut figures: Map<String, Value>, n_sentences: usize) -> Figures {
    let next = if figures["task"] == "tagging" { "tag run" } else { "parse" };
    let (seconds, output) = (run.seconds(), run.output.display());
    figures.insert("sentences".into(), n_sentences.into());
    figures.insert("seconds".into(), json!(seconds));
    run.watch.note(&format!(
        "{output}: learnt from {}, {seconds:.1} s; next: treelet {next} {output} SENTENCES",
        plural(n_sentences, "sentence"),
    ));
    Figures(figures)
}

fn note_ignored(options: &JointTrain, watch: &dyn Watch) {
    if options.task != Task::Tagging {
        watch.without_effect(&["--tags"], "it is for --task tagging");
    }
    note_ignored_semantics(options, watch);
    let has_trees = options.task == Task::Dependency || options.mode != ModeName::Supervised;
    if !has_trees {
        watch.without_effect(&["--projective"], "there are no trees of arcs without --mode");
    }
    let has_cycles = match options.task {
        Task::Tagging => options.mode != ModeName::Supervised || options.booleans,
        Task::Dependency => options.order > 1,
        Task::Brackets | Task::LabeledBrackets => options.rules.is_some(),
        Task::Entities => matches!(options.mode, ModeName::Joint | ModeName::Hidden),
        Task::Relations => {
            options.semantics.syntax == Some(SyntaxName::Arcs)
                && matches!(options.mode, ModeName::Joint | ModeName::Hidden)
        }
        Task::Roles => options.semantics.valency > 0,
    };
    if !has_cycles {
        let of_cycles = ["--sweeps", "--tolerance", "--damping", "--residual"];
        watch.without_effect(&of_cycles, "the graph has no cycles, and sums are exact");
    } else if options.rules.is_some() {
        let of_others = ["--tolerance", "--damping", "--residual"];
        watch.without_effect(&of_others, "messages between brackets and rules are passed --sweeps times");
    }
}

/// Options of names, relations and roles that mean nothing for the task or the mode.
fn note_ignored_semantics(options: &JointTrain, watch: &dyn Watch) {
    let of_entities = ["--cover", "--widest", "--gazetteer"];
    let of_roles = ["--valency", "--window", "--prune"];
    let other: &[&[&str]] = match options.task {
        Task::Entities => &[&["--no-types"], &of_roles],
        Task::Relations => &[&of_entities, &of_roles],
        Task::Roles => &[&of_entities, &["--no-types"]],
        _ => {
            let all = [
                "--dev",
                "--parser",
                "--jackknife",
                "--syntax",
                "--sight",
                "--cover",
                "--widest",
                "--gazetteer",
                "--no-types",
                "--valency",
                "--window",
                "--prune",
                "--plain-tie",
                "--least",
                "--only-positive",
            ];
            return watch.without_effect(&all, "it is for --task entities, relations and roles");
        }
    };
    for options in other {
        watch.without_effect(options, "it is for another task");
    }
    if options.mode == ModeName::Supervised {
        let of_syntax = ["--syntax", "--plain-tie", "--parser", "--jackknife"];
        watch.without_effect(&of_syntax, "without --mode nothing looks at trees");
    } else if options.mode == ModeName::Hidden {
        watch.without_effect(&["--parser", "--jackknife"], "hidden trees are those that nobody has drawn");
    }
    let has_arcs =
        options.semantics.syntax.map_or(options.task == Task::Roles, |syntax| syntax == SyntaxName::Arcs);
    if options.task == Task::Roles {
        watch.without_effect(&["--projective"], "trees beside roles are so in any case");
        if options.semantics.valency == 0 {
            watch.without_effect(&["--prune"], "it is for --valency");
        }
    } else if !has_arcs && options.mode != ModeName::Supervised {
        watch.without_effect(&["--projective"], "there are brackets and no arcs");
    }
    if options.semantics.sight == SightName::Chain && options.task != Task::Entities {
        watch.note("note: --sight chain is for names; here it is the same as --sight paper");
    }
}

fn check(options: &JointTrain) -> anyhow::Result<()> {
    let is_semantic = semantics::learn::task(options.task).is_some();
    if options.mode != ModeName::Supervised && options.task != Task::Tagging && !is_semantic {
        return Err(Usage(
            "--mode joint, oracle and hidden are for a task beside syntax: --task tagging, entities, relations or roles; leave --mode out \
             here".into(),
        )
        .into());
    }
    let is_brackets = matches!(options.task, Task::Brackets | Task::LabeledBrackets);
    let syntax = options.semantics.syntax;
    let wrong = [
        (options.task != Task::Tagging && options.no_chain, "--no-chain is for --task tagging"),
        (options.task != Task::Tagging && options.forms_only, "--forms-only is for --task tagging"),
        (options.task != Task::Tagging && options.booleans, "--booleans is for --task tagging"),
        (
            options.task != Task::LabeledBrackets && options.rules.is_some(),
            "--rules is for --task labeled-brackets",
        ),
        (options.task != Task::Brackets && options.tags_only, "--tags-only is for --task brackets"),
        (is_brackets && options.hash.is_some(), "--hash is for tasks other than brackets"),
        (is_brackets && options.projective, "--projective is for trees of arcs"),
        (
            is_brackets && options.given.is_some(),
            "--given is for tagging and dependency; trees have their tags",
        ),
        (options.task != Task::Dependency && options.order > 1, "--order 2 is for --task dependency"),
        (
            options.task == Task::Entities && syntax == Some(SyntaxName::Arcs),
            "--syntax arcs: names are tied to brackets; leave it out",
        ),
        (
            options.task == Task::Roles && syntax == Some(SyntaxName::Brackets),
            "--syntax brackets: roles are tied to arcs; leave it out",
        ),
        (
            !(0.0..1.0).contains(&options.semantics.prune),
            "--prune is a probability below 1; 0 leaves all candidates in",
        ),
        (!(0.0..1.0).contains(&options.propagation.damping), "--damping is from 0 to below 1"),
        (
            options
                .propagation
                .tolerance
                .is_some_and(|tolerance| tolerance.partial_cmp(&0.0) != Some(std::cmp::Ordering::Greater)),
            "--tolerance is above 0",
        ),
        (options.learning.l2.is_some_and(|l2| !(0.0..=1e9).contains(&l2)), "--l2 is 0 or above"),
        (options.learning.rate.is_some_and(|rate| !(rate > 0.0 && rate <= 100.0)), "--rate is above 0"),
    ];
    if let Some((_, text)) = wrong.into_iter().find(|(is_wrong, _)| *is_wrong) {
        return Err(Usage(text.into()).into());
    }
    Ok(())
}

/// What is learned from.
struct Material {
    sentences: Vec<joint::Sentence>,
    tags: TagPlace,
    given: Option<TagPlace>,
    /// Names, sizes and checksums of the files, and all settings: what a checkpoint must agree with.
    mark: String,
    files: Vec<String>,
    has_errors: bool,
}

fn read(options: &JointTrain, watch: &dyn Watch) -> anyhow::Result<Material> {
    let tags = TagPlace::from_name(&options.tagged.tags);
    let given = given(options.given, (options.task == Task::Tagging).then_some(&tags));
    if given.as_ref() == Some(&tags) && options.task == Task::Tagging {
        return Err(Usage("--given names the column that is predicted".into()).into());
    }
    let needs_heads =
        options.task != Task::Tagging || !matches!(options.mode, ModeName::Supervised | ModeName::Hidden);
    let mut material = Material {
        sentences: Vec::new(),
        tags,
        given,
        mark: String::new(),
        files: Vec::new(),
        has_errors: false,
    };
    for path in &options.train {
        let corpus =
            AnnotatedCorpus::read(path, &Input { from: None, characters: options.characters }, watch)?;
        material.files.push(corpus.source.fingerprint()?);
        let column = (options.task == Task::Tagging).then_some(&material.tags);
        for annotated in &corpus.sentences {
            // What is wrong with heads is said below; such heads are not learned from.
            let is_sound = annotated.errors.is_empty();
            let heads = needs_heads && is_sound;
            material.sentences.push(seen(&annotated.sentence, column, material.given.as_ref(), heads));
        }
        let aside = if needs_heads { Aside::new(corpus) } else { Aside::without_heads(corpus) };
        material.has_errors |= Aside::report([&aside], &options.messages, watch)?;
    }
    let has_arcs = options.task == Task::Dependency || options.mode != ModeName::Supervised;
    let n_long =
        material.sentences.iter().filter(|sentence| has_arcs && sentence.len() > joint::LONGEST).count();
    if n_long > 0 {
        let (long, most) = (plural(n_long, "sentence"), joint::LONGEST);
        watch
            .note(&format!("note: {long} of more than {most} words: left out, since arcs would be too many"));
    }
    let JointTrain {
        task,
        mode,
        learning,
        propagation,
        chance: Chance { seed },
        no_chain,
        forms_only,
        booleans,
        projective,
        order,
        hash,
        ..
    } = options;
    material.mark = format!(
        "{} {task:?} {mode:?} {:?} {:?} {learning:?} {propagation:?} {seed} {no_chain} {forms_only} {booleans} \
         {projective} {order} {hash:?}",
        material.files.join(" "),
        material.tags,
        material.given
    );
    Ok(material)
}

pub(super) fn notes(options: &JointTrain, files: &[String]) -> BTreeMap<String, String> {
    BTreeMap::from([
        ("program".into(), format!("treelet {}", env!("CARGO_PKG_VERSION"))),
        ("trained on".into(), files.join("; ")),
        ("seed".into(), options.chance.seed.to_string()),
    ])
}

/// How weights are learned, as far as it was asked for.
pub(super) fn learning(options: &JointTrain, default: chain::descent::Learning) -> chain::descent::Learning {
    let learning = &options.learning;
    let (rule, rate) = match learning.rule {
        RuleName::Adagrad => (chain::descent::Rule::AdaGrad, default.rate),
        RuleName::Sgd => (chain::descent::Rule::Sgd, 0.05),
    };
    chain::descent::Learning {
        rule,
        rate: learning.rate.unwrap_or(rate),
        epochs: learning.epochs.map_or(default.epochs, |epochs| epochs as usize),
        l2: learning.l2.unwrap_or(default.l2),
        batch: learning.batch as usize,
        average: !learning.last,
    }
}

/// How messages are passed, as far as it was asked for.
pub(super) fn propagation(options: &JointTrain, default: bp::Options) -> bp::Options {
    let asked = &options.propagation;
    bp::Options {
        most: asked.sweeps.map_or(default.most, |sweeps| sweeps as usize),
        tolerance: asked.tolerance.unwrap_or(default.tolerance),
        damping: asked.damping,
        schedule: if asked.residual { bp::Schedule::Residual } else { bp::Schedule::Sweep },
    }
}

/// A run.
struct TrainingRun<'a> {
    options: &'a JointTrain,
    material: &'a Material,
    saving: Marked<'a>,
    run: &'a Run<'a>,
    workers: &'a chain::Workers,
}

impl TrainingRun<'_> {
    fn tagging(&self, saved: Option<Checkpoint>) -> anyhow::Result<JointModel> {
        let TrainingRun { options, material, workers, .. } = *self;
        let default = tagging::Options::default();
        let settings = tagging::Options {
            mode: match options.mode {
                ModeName::Supervised => Mode::Supervised,
                ModeName::Joint => Mode::Joint,
                ModeName::Oracle => Mode::Oracle,
                ModeName::Hidden => Mode::Hidden,
            },
            chain: !options.no_chain,
            sight: if options.forms_only { tagging::Sight::Words } else { tagging::Sight::Rich },
            encoding: if options.booleans { tagging::Encoding::Booleans } else { tagging::Encoding::Values },
            projective: options.projective,
            propagation: propagation(options, default.propagation),
            learning: learning(self.options, default.learning),
            hash: options.hash,
            ..default
        };
        let mut epochs = self.run.epochs(settings.learning.epochs as u64);
        let saved = saved.map(|saved| saved.course);
        let tagger = tagging::Tagger::train(
            &material.sentences,
            &settings,
            options.chance.seed,
            saved.as_ref(),
            workers,
            |progress| self.after(&mut epochs, 0, progress, None),
        );
        epochs.finish()?;
        let tagger = Box::new(tagger.map_err(|error| Usage(error.to_string()))?);
        Ok(JointModel::Tagging { tags: material.tags.clone(), given: material.given.clone(), tagger })
    }

    fn dependency(&self, saved: Option<Checkpoint>) -> anyhow::Result<JointModel> {
        let TrainingRun { options, material, workers, .. } = *self;
        let default = dependency::Options::default();
        let settings = dependency::Options {
            projective: options.projective,
            order: options.order,
            propagation: propagation(options, default.propagation),
            learning: learning(self.options, default.learning),
            hash: options.hash,
            ..default
        };
        let first_stage = settings.learning.epochs;
        let second_stage = if options.order > 1 { first_stage.div_ceil(2) } else { 0 };
        let mut epochs = self.run.epochs((first_stage + second_stage) as u64);
        let parser = dependency::Parser::train(
            &material.sentences,
            &settings,
            options.chance.seed,
            saved.as_ref(),
            workers,
            |stage, first, at| {
                let before = if stage == 1 { 0 } else { first_stage };
                self.after(&mut epochs, before, at, first.map(|first| Packed::new(&first.values())))
            },
        );
        epochs.finish()?;
        let parser = Box::new(parser.map_err(|error| Usage(error.to_string()))?);
        Ok(JointModel::Dependency { given: material.given.clone(), parser })
    }

    /// An epoch is over, after so many of stages before this one.
    fn after(
        &self,
        epochs: &mut Epochs<'_>,
        before: usize,
        progress: &EpochProgress<'_>,
        first: Option<Packed>,
    ) -> ControlFlow<()> {
        epochs.after(
            (before + progress.epoch) as u64,
            || format!("log-likelihood {:.1}", progress.ln),
            |path| self.saving.save(path, &Checkpoint { first, course: progress.course.clone() }),
        )
    }
}
