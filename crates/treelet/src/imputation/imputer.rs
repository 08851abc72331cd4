//! Imputers of either kind: learned, read, saved, used.

use super::fragments::{TagChoice, roots};
use crate::any_model::AnyModel;
use crate::models;
use crate::options::impute::{Learning, MethodName};
use crate::outcome::Usage;
use crate::watch::Steps;
use crate::watch::Watch;
use anyhow::Context;
use arcs::rules::RuleTable;
use chain::observe::{Each, Fan, StopFlag};
use chain::{Progress, Stop, Stream, Workers};
use impute::convex::{self, ConvexModel, ConvexOptions, Step};
use impute::gpc::{self, CompleteOptions, Drawer, Gpc, GpcError, GpcModel, GpcOptions, Trees};
use impute::{Completed, Fragment};
use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tree::Possible;

/// Sentences whose trees are found between two moves of the progress bar.
const BATCH: usize = 64;

/// A model that completes sentences.
pub(crate) enum Imputer {
    Gpc(Box<GpcModel>),
    Convex(Box<ConvexModel>),
}

/// A completed sentence.
pub(crate) struct Imputed {
    pub(crate) completed: Completed,
    /// False if no tree satisfies the annotation, so that it was completed as if nothing were said. If the search was given
    /// up the tree counts, although it takes some bracket apart.
    pub(crate) satisfied: bool,
}

/// The universal rules that were asked for; none with `--no-rules`.
pub(crate) fn rules(learning: &Learning) -> anyhow::Result<Option<RuleTable>> {
    if learning.no_rules {
        return Ok(None);
    }
    let read = |path: &Path| {
        let name = path.display().to_string();
        std::fs::read_to_string(path).with_context(|| format!("cannot read {name}"))
    };
    let refuse = |path: &Path, error: arcs::rules::RuleError| Usage(format!("{}: {error}", path.display()));
    let mut rules = match &learning.rules {
        Some(path) => RuleTable::read(&read(path)?).map_err(|error| refuse(path, error))?,
        None => RuleTable::default(),
    };
    if let Some(path) = &learning.tag_map {
        rules.add_names(&read(path)?).map_err(|error| refuse(path, error))?;
    }
    Ok(Some(rules))
}

/// Options that mean nothing for a method.
pub(crate) fn note_ignored(learning: &Learning, watch: &dyn Watch) {
    if learning.method == Some(MethodName::Gpc) {
        watch.without_effect(&["--non-projective", "--soft", "--steps"], "it is for convexmst");
    } else {
        watch.without_effect(&["--burn-in", "--sweeps", "--chains"], "it is for gpc");
    }
}

/// Options that mean nothing for something that is no imputer.
pub(crate) fn note_without_effect(why: &str, watch: &dyn Watch) {
    let of_imputers = [
        "--soft",
        "--no-rules",
        "--rules",
        "--tag-map",
        "--text",
        "--temperature",
        "--longest",
        "--steps",
        "--burn-in",
        "--sweeps",
        "--chains",
    ];
    watch.without_effect(&of_imputers, why);
}

/// Says which options were typed that only change what is learned, where nothing is.
pub(crate) fn note_learned_before(watch: &dyn Watch) {
    let why = "the model was learned before";
    note_without_effect(why, watch);
    watch.without_effect(&["--roots", "--non-projective"], why);
}

/// How an imputer is learned: what was asked for, who works, who may stop it, and who watches.
#[derive(Clone, Copy)]
pub(crate) struct Lesson<'a> {
    pub(crate) learning: &'a Learning,
    pub(crate) rules: Option<&'a RuleTable>,
    pub(crate) stop: &'a Arc<AtomicBool>,
    pub(crate) workers: &'a Workers,
    pub(crate) watch: &'a dyn Watch,
}

impl Imputer {
    /// Learns from fragments; `None` if somebody stopped it.
    pub(crate) fn learn(fragments: &[Fragment], lesson: &Lesson<'_>) -> anyhow::Result<Option<Self>> {
        match lesson.learning.method {
            Some(MethodName::Gpc) => learn_gpc(fragments, lesson),
            _ => Ok(learn_convex(fragments, lesson)),
        }
    }

    /// How it signs what it says; by which file, if it comes from one.
    pub(crate) fn signature(&self, path: Option<&Path>) -> anyhow::Result<String> {
        let name = match self {
            Self::Gpc(_) => "gpc",
            Self::Convex(_) => "convexmst",
        };
        path.map_or_else(|| Ok(name.to_string()), |path| models::signature(name, path))
    }

    /// Reads a model of either kind.
    pub(crate) fn read(model: &AnyModel) -> anyhow::Result<Self> {
        let path = &model.path;
        match model.header.kind.as_str() {
            convex::KIND => Ok(Self::Convex(Box::new(ConvexModel::read(path).map_err(models::file_error)?))),
            gpc::KIND => Ok(Self::Gpc(Box::new(GpcModel::read(path).map_err(models::file_error)?))),
            kind => Err(Usage(format!(
                "{} is a {kind}; give a model of `treelet impute --save-model`",
                path.display()
            ))
            .into()),
        }
    }

    pub(crate) fn write(&self, path: &Path) -> anyhow::Result<()> {
        let written = match self {
            Self::Gpc(model) => model.write(path),
            Self::Convex(model) => model.write(path),
        };
        written.map_err(|error| match error {
            chain::Error::Io { source, .. } => {
                anyhow::Error::from(source).context(format!("cannot write {}", path.display()))
            }
            error => error.into(),
        })
    }

    /// What is worth knowing about it, to be added to.
    pub(crate) fn notes_mut(&mut self) -> &mut BTreeMap<String, String> {
        match self {
            Self::Gpc(model) => &mut model.notes,
            Self::Convex(model) => &mut model.notes,
        }
    }

    /// The column of the tags it was learned from.
    pub(crate) fn tags(&self) -> Option<TagChoice> {
        TagChoice::from_name(self.notes().get("tags")?)
    }

    /// The rules it was learned with.
    pub(crate) fn rules(&self) -> Option<&RuleTable> {
        match self {
            Self::Gpc(model) => model.options.rules.as_ref(),
            Self::Convex(model) => Some(&model.options.rules).filter(|_| model.options.mu > 0.0),
        }
    }

    /// Whether its probabilities were held against heads that somebody had said.
    pub(crate) fn is_calibrated(&self) -> bool {
        match self {
            Self::Gpc(model) => model.is_calibrated(),
            // A temperature that was given was held against nothing.
            Self::Convex(model) => model.options.temperature.is_none() && model.is_calibrated(),
        }
    }

    /// What it is called.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Gpc(_) => "GPC",
            Self::Convex(_) => "ConvexMST",
        }
    }

    /// Never overrules what was said, even if it was learned to.
    pub(crate) fn harden(&mut self) {
        if let Self::Convex(model) = self {
            model.options.hard = true;
        }
    }

    /// Completes one sentence; the tree may contradict what was said only if all trees do, or if the search was given up.
    pub(crate) fn complete_one(&self, fragment: &Fragment) -> Completed {
        match self {
            Self::Gpc(model) => model.complete(fragment),
            Self::Convex(model) => model.complete(fragment),
        }
    }

    /// What is worth knowing about it.
    pub(crate) fn notes(&self) -> &BTreeMap<String, String> {
        match self {
            Self::Gpc(model) => &model.notes,
            Self::Convex(model) => &model.notes,
        }
    }

    fn is_soft(&self) -> bool {
        matches!(self, Self::Convex(model) if !model.options.hard)
    }

    /// Completes sentences, with a bar that moves; what no tree satisfies is completed as if nothing were said. Stops
    /// early if somebody wants it to.
    pub(crate) fn complete(
        &self,
        fragments: &[Fragment],
        options: &CompleteOptions,
        stop: &AtomicBool,
        workers: &Workers,
        watch: &dyn Watch,
    ) -> Vec<Imputed> {
        let steps = Steps::new(watch, fragments.len() as u64, "sentence");
        let mut imputed = Vec::with_capacity(fragments.len());
        for (at, batch) in fragments.chunks(BATCH).enumerate() {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            imputed.extend(self.complete_batch(batch, at, options, workers));
            steps.reach(imputed.len() as u64, String::new);
        }
        imputed
    }

    fn complete_batch(
        &self,
        batch: &[Fragment],
        at: usize,
        options: &CompleteOptions,
        workers: &Workers,
    ) -> Vec<Imputed> {
        let completed = self.complete_as_told(batch, at, options, workers);
        let satisfied: Vec<bool> = completed
            .iter()
            .zip(batch)
            .map(|(completed, fragment)| {
                self.is_soft() || completed.given_up || fragment.possible.admits(&completed.heads)
            })
            .collect();
        let free: Vec<Fragment> = (batch.iter().zip(&satisfied).filter(|(_, satisfied)| !**satisfied))
            .map(|(fragment, _)| Fragment {
                possible: Possible::everything(fragment.len()),
                ..fragment.clone()
            })
            .collect();
        let mut instead = self.complete_as_told(&free, at, options, workers).into_iter();
        let choose = |(completed, satisfied): (Completed, bool)| {
            let completed = if satisfied { Some(completed) } else { instead.next() };
            completed.map(|completed| Imputed { completed, satisfied })
        };
        completed.into_iter().zip(satisfied).filter_map(choose).collect()
    }

    fn complete_as_told(
        &self,
        batch: &[Fragment],
        at: usize,
        options: &CompleteOptions,
        workers: &Workers,
    ) -> Vec<Completed> {
        match self {
            Self::Convex(model) => model.complete_all(batch, workers),
            Self::Gpc(model) => {
                let stream = Stream::new(options.seed).purpose("complete");
                workers.map_with(batch, Drawer::default, |drawer, within, fragment| {
                    let stream = stream.item(at * BATCH + within);
                    model.complete_with(fragment, options, stream, drawer).completed
                })
            }
        }
    }
}

fn convex_options(learning: &Learning, rules: Option<&RuleTable>) -> ConvexOptions {
    let default = ConvexOptions::default();
    ConvexOptions {
        mu: if rules.is_some() { default.mu } else { 0.0 },
        max_iterations: learning.steps as usize,
        longest: learning.longest as usize,
        projective: !learning.non_projective,
        roots: roots(learning.roots),
        hard: !learning.soft,
        rules: rules.cloned().unwrap_or_default(),
        temperature: learning.temperature,
        ..default
    }
}

fn learn_convex(fragments: &[Fragment], lesson: &Lesson<'_>) -> Option<Imputer> {
    let Lesson { learning, rules, stop, workers, watch } = *lesson;
    let mut steps = None;
    let mut watch = |at: Step| -> ControlFlow<()> {
        let steps = steps.get_or_insert_with(|| Steps::new(watch, at.total as u64, "step"));
        steps.reach(at.done as u64, || {
            at.last.map_or_else(String::new, |last| format!("objective {:.5}", last.objective))
        });
        if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = convex_options(learning, rules);
    let trained = convex::train_watched(fragments, &options, workers, &mut watch)?;
    Some(Imputer::Convex(Box::new(trained.model)))
}

fn learn_gpc(fragments: &[Fragment], lesson: &Lesson<'_>) -> anyhow::Result<Option<Imputer>> {
    let Lesson { learning, rules, stop, workers, watch } = *lesson;
    let default = GpcOptions::default();
    let options = GpcOptions {
        burn_in: learning.burn_in,
        samples: learning.sweeps,
        chains: learning.chains,
        longest: learning.longest as usize,
        seed: learning.chance.seed,
        rules: rules.cloned(),
        roots: roots(learning.roots),
        ..default
    };
    let gpc = Gpc::new(fragments, options, workers)?;
    let schedule = gpc.schedule();
    let steps = Steps::new(watch, schedule.total(), "sweep");
    let mut progress = Each(|at: &Progress, _: &Trees| -> io::Result<ControlFlow<Stop>> {
        if at.chain + 1 == at.chains {
            steps.reach(at.sweep, || format!("log likelihood {:.1}", at.log_joint.unwrap_or(f64::NAN)));
        }
        Ok(ControlFlow::Continue(()))
    });
    let mut stopping = StopFlag(Arc::clone(stop));
    let mut both = Fan::new().with(&mut progress).with(&mut stopping);
    let trained = gpc.run(chain::Start::Fresh, &mut both, workers).map_err(|error| match error {
        GpcError::Run(error) => models::run_error(error),
        error => error.into(),
    })?;
    drop(both);
    if stop.load(Ordering::Relaxed) {
        return Ok(None);
    }
    let mut model = trained.model;
    match learning.temperature {
        Some(temperature) => model.temperature = temperature,
        None => model = model.calibrated(fragments, workers),
    }
    Ok(Some(Imputer::Gpc(Box::new(model))))
}

/// The flag of Ctrl-C for commands that impute.
pub(crate) fn stop_flag(watch: &dyn Watch) -> Arc<AtomicBool> {
    watch.stop_flag("stopping; nothing will be written")
}
