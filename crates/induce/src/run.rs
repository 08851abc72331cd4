//! One call for all estimators: which method, where to begin, when to stop, and what came of it.

use std::convert::Infallible;
use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;

use chain::fit::{self, FitError, FitOptions, Fitted};
use chain::observe::{Checkpoints, Every, Fan};
use chain::{Objective, Observer, Progress, RunError, Start, Stop, Workers};
use serde::{Deserialize, Serialize};

use crate::blocks::Blocks;
use crate::dirichlet::Dirichlets;
use crate::family::Family;
use crate::held_out::HeldOut;
use crate::logistic::{Normals, Pooling};
use crate::per_item::{PerItem, PerItemOptions, Prior};
use crate::rules::Pull;
use crate::shared::{Course, Estimate, Shared};

/// An estimator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Expectation maximisation.
    Em,
    /// The same under a symmetric Dirichlet prior with α > 1.
    EmMap,
    /// Variational Bayes with a symmetric Dirichlet prior.
    #[default]
    Vb,
    /// Every sentence has a grammar of its own; their Dirichlet priors are fitted.
    VbEm,
    /// Every sentence has a grammar of its own; their logistic-normal priors are fitted.
    Ln,
}

impl Method {
    /// Values of α that are tried where none is given; none where there is no such prior.
    pub fn grid(self) -> &'static [f64] {
        match self {
            Method::EmMap => &[1.01, 1.05, 1.1, 1.25, 1.5, 2.0, 5.0, 10.0, 30.0],
            Method::Vb => &[0.0001, 0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 30.0],
            _ => &[],
        }
    }

    /// How many sentences share a grammar, where that is tried; nothing where all sentences do.
    pub fn shares(self) -> &'static [usize] {
        if self.is_per_item() { &[1, 8, 32, 128] } else { &[] }
    }

    /// Whether sentences have grammars of their own.
    pub fn is_per_item(self) -> bool {
        matches!(self, Method::VbEm | Method::Ln)
    }
}

/// How a grammar is induced.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct InduceOptions {
    /// The estimator.
    pub method: Method,
    /// The parameter of symmetric Dirichlet priors; `None` tries a grid and keeps what held-out text likes best.
    pub alpha: Option<f64>,
    /// How many sentences share a grammar, where not all do; `None` tries some numbers and keeps what held-out text likes
    /// best.
    pub share: Option<usize>,
    /// How EM and variational Bayes go about it.
    pub course: Course,
    /// A pull towards arcs that rules name.
    pub pull: Option<Pull>,
    /// How posteriors of single sentences are found.
    pub per_item: PerItemOptions,
    /// The covariances that logistic-normal priors begin with; `None` for the identity.
    pub covariance: Option<Vec<f64>>,
    /// Which logistic-normal means are pooled.
    pub pooling: Option<Pooling>,
    /// Passes at most.
    pub max_passes: u32,
    /// A pass that changes the value v by less than this · (1 + |v|) is the last.
    pub tolerance: f64,
    /// Passes that may be worse than the best for held-out text before it is over.
    pub patience: u32,
    /// Sentences of a portion, for stepwise EM.
    pub batch: Option<usize>,
    /// The seed.
    pub seed: u64,
}

impl Default for InduceOptions {
    fn default() -> InduceOptions {
        InduceOptions {
            method: Method::default(),
            alpha: None,
            share: None,
            course: Course::default(),
            pull: None,
            per_item: PerItemOptions::default(),
            covariance: None,
            pooling: None,
            max_passes: 200,
            tolerance: 1e-6,
            patience: 5,
            batch: None,
            seed: 0,
        }
    }
}

/// What is learned from.
#[derive(Debug)]
pub struct Task<'a, F: Family> {
    /// The grammar's family.
    pub family: &'a F,
    /// The sentences.
    pub items: &'a [F::Item],
    /// Sentences that decide when to stop and which settings to keep; may be empty.
    pub held_out: &'a [F::Item],
    /// Grammars to begin with; the one that ends best is kept.
    pub starts: Vec<Vec<f64>>,
    /// Tells data apart when a run is resumed.
    pub fingerprint: u64,
}

/// Where a run stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Pass {
    /// Which of the runs, from 0, of how many.
    pub run: (usize, usize),
    /// The pass, from 1, of at most how many.
    pub pass: (u64, u64),
    /// The value at its beginning: a log-likelihood or a bound.
    pub value: f64,
    /// The settings that are tried.
    pub setting: Setting,
}

/// Settings that held-out text can choose.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Setting {
    /// α, if there is one.
    pub alpha: Option<f64>,
    /// How many sentences share a grammar, if not all do.
    pub share: Option<usize>,
}

/// One run of several.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tried {
    /// The number of its start.
    pub start: usize,
    /// Its settings.
    #[serde(flatten)]
    pub setting: Setting,
    /// The log-likelihood of held-out text under its grammar, or without any the last value.
    pub value: f64,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Induced {
    /// θ, by event.
    pub grammar: Vec<f64>,
    /// The settings that were kept.
    pub setting: Setting,
    /// The value at the beginning of each pass.
    pub history: Vec<f64>,
    /// The log-likelihood of held-out text after each pass.
    pub held_out: Vec<f64>,
    /// The pass whose grammar was kept.
    pub best_pass: u64,
    /// Why it ended, if before the last pass.
    pub stop: Option<Stop>,
    /// Logistic-normal priors, if the method has them.
    pub normals: Option<Normals>,
    /// All runs.
    pub tried: Vec<Tried>,
}

/// Why nothing can be induced.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InduceError {
    /// No sentence.
    #[error("there is no sentence to learn from; check --max-length, which leaves out longer ones")]
    NoSentences,
    /// A number out of range.
    #[error("{name} is {value}, but must be {must}")]
    OutOfRange {
        /// The option.
        name: &'static str,
        /// What it is.
        value: f64,
        /// What it should be.
        must: &'static str,
    },
    /// A covariance matrix that is none.
    #[error("the covariances to begin with are not positive definite; use less within families")]
    Covariance,
    /// The run failed.
    #[error(transparent)]
    Run(#[from] RunError<FitError<Infallible>>),
}

/// Where a run is saved, and whether it goes on from there.
#[derive(Debug, Clone)]
pub struct Saving {
    /// The file.
    pub path: PathBuf,
    /// How often.
    pub every: Every,
    /// Whether to go on from what the file holds.
    pub resume: bool,
}

/// Induces a grammar. `watch` sees every pass and may break off; what was found until then is returned.
///
/// Only a single run is saved; where several starts or values of α are tried, each is short.
pub fn induce<F: Family>(
    task: &Task<'_, F>,
    options: &InduceOptions,
    saving: Option<&Saving>,
    watch: &mut dyn FnMut(&Pass) -> ControlFlow<()>,
    workers: &Workers,
) -> Result<Induced, InduceError> {
    check(task, options)?;
    let settings = settings(task, options);
    let n_runs = settings.len() * task.starts.len();
    let mut best: Option<Induced> = None;
    let mut tried = Vec::new();
    for (start, grammar) in task.starts.iter().enumerate() {
        for &setting in &settings {
            let run = (tried.len(), n_runs);
            let saving = saving.filter(|_| n_runs == 1);
            let one = Run { task, options, setting, run, saving, workers };
            let found = one.run(grammar, watch)?;
            let value = found.held_out.iter().chain(&found.history[found.history.len().saturating_sub(1)..]);
            let value = if found.held_out.is_empty() {
                value.copied().next_back().unwrap_or(f64::NEG_INFINITY)
            } else {
                found.held_out.iter().copied().fold(f64::NEG_INFINITY, f64::max)
            };
            let stopped = found.stop == Some(Stop::Interrupted);
            let surpassed = tried.iter().any(|tried: &Tried| tried.value >= value);
            tried.push(Tried { start, setting, value });
            if !surpassed || best.is_none() {
                best = Some(found);
            }
            if stopped {
                return Ok(Induced {
                    stop: Some(Stop::Interrupted),
                    tried,
                    ..best.ok_or(InduceError::NoSentences)?
                });
            }
        }
    }
    Ok(Induced { tried, ..best.ok_or(InduceError::NoSentences)? })
}

fn check<F: Family>(task: &Task<'_, F>, options: &InduceOptions) -> Result<(), InduceError> {
    if task.items.is_empty() || task.starts.is_empty() {
        return Err(InduceError::NoSentences);
    }
    let refuse = |name, value, must| Err(InduceError::OutOfRange { name, value, must });
    match (options.method, options.alpha) {
        (Method::EmMap, Some(alpha)) if !(alpha > 1.0 && alpha.is_finite()) => {
            refuse("α", alpha, "above 1 for em-map")
        }
        (_, Some(alpha)) if !(alpha > 0.0 && alpha.is_finite()) => refuse("α", alpha, "a number above 0"),
        _ if options.share == Some(0) => {
            refuse("the number of sentences that share a grammar", 0.0, "above 0")
        }
        _ => Ok(()),
    }
}

/// Without held-out text there is nothing to choose by: then α is 1.1 for EM-MAP and 0.25 for VB, as in the paper, and
/// grammars are shared by 32 sentences.
fn settings<F: Family>(task: &Task<'_, F>, options: &InduceOptions) -> Vec<Setting> {
    let can_choose = !task.held_out.is_empty();
    let (alphas, shares) = (options.method.grid(), options.method.shares());
    let alpha =
        options.alpha.or((!can_choose).then_some(if options.method == Method::EmMap { 1.1 } else { 0.25 }));
    let share = options.share.or((!can_choose).then_some(32));
    if alphas.is_empty() {
        return chosen(shares, share).into_iter().map(|share| Setting { alpha: None, share }).collect();
    }
    chosen(alphas, alpha).into_iter().map(|alpha| Setting { alpha, share: None }).collect()
}

/// The value that is given, or else all of a grid; `None` where there is no such setting.
fn chosen<T: Copy>(grid: &[T], given: Option<T>) -> Vec<Option<T>> {
    match given {
        _ if grid.is_empty() => vec![None],
        Some(value) => vec![Some(value)],
        None => grid.iter().copied().map(Some).collect(),
    }
}

struct Run<'a, 'w, F: Family> {
    task: &'a Task<'a, F>,
    options: &'a InduceOptions,
    setting: Setting,
    run: (usize, usize),
    saving: Option<&'a Saving>,
    workers: &'w Workers,
}

impl<F: Family> Run<'_, '_, F> {
    fn run(
        &self,
        start: &[f64],
        watch: &mut dyn FnMut(&Pass) -> ControlFlow<()>,
    ) -> Result<Induced, InduceError> {
        let Task { family, items, fingerprint, .. } = *self.task;
        let (options, start) = (self.options, start.to_vec());
        match options.method {
            Method::Em | Method::EmMap | Method::Vb => {
                let alpha = self.setting.alpha.unwrap_or(1.0);
                let estimate = match options.method {
                    Method::Vb => Estimate::Posterior { alpha },
                    _ => Estimate::Point { alpha },
                };
                let mut shared =
                    Shared::new(family, items, start, estimate, options.course.clone(), fingerprint);
                if let Some(pull) = &options.pull {
                    shared = shared.pulled(pull.clone());
                }
                self.fit(&shared, |params| shared.point(params), |_| None, watch)
            }
            Method::VbEm => {
                let prior = Dirichlets::around(family.rows().clone(), &start);
                self.fit_prior(start, prior, |_| None, watch)
            }
            Method::Ln => {
                let covariance =
                    options.covariance.clone().unwrap_or_else(|| Normals::identity(family.rows()));
                let prior = Normals::around(family.rows().clone(), &start, covariance);
                let mut prior = prior.ok_or(InduceError::Covariance)?;
                if let Some(pooling) = &options.pooling {
                    prior = prior.pooled(pooling.clone());
                }
                self.fit_prior(start, prior, |normals| Some(normals.clone()), watch)
            }
        }
    }

    /// Fits a prior of the grammars of sentences, or of runs of sentences that share one.
    fn fit_prior<P: Prior>(
        &self,
        start: Vec<f64>,
        prior: P,
        normals: impl Fn(&P) -> Option<Normals>,
        watch: &mut dyn FnMut(&Pass) -> ControlFlow<()>,
    ) -> Result<Induced, InduceError> {
        let Task { family, items, fingerprint, .. } = *self.task;
        let (options, share) = (self.options.per_item.clone(), self.setting.share.unwrap_or(1));
        if share <= 1 {
            let objective = PerItem::new(family, items, start, prior, options, fingerprint);
            return self.fit(&objective, P::point, normals, watch);
        }
        let (blocks, family) = (Blocks::<F>::cut(items, share), Blocks::of(family));
        let objective = PerItem::new(&family, &blocks, start, prior, options, fingerprint);
        self.fit(&objective, P::point, normals, watch)
    }

    fn fit<O: Objective<Error = Infallible>>(
        &self,
        objective: &O,
        point: impl Fn(&O::Params) -> Vec<f64>,
        normals: impl Fn(&O::Params) -> Option<Normals>,
        watch: &mut dyn FnMut(&Pass) -> ControlFlow<()>,
    ) -> Result<Induced, InduceError> {
        let options = self.fit_options();
        let mut held_out =
            HeldOut::new(self.task.family, self.task.held_out, self.workers, self.options.patience, point);
        let mut watcher = Watcher { watch, run: self.run, setting: self.setting };
        let mut checkpoints = self.saving.map(|saving| Checkpoints::new(&saving.path, saving.every));
        let mut observer = Fan::new().with(&mut held_out).with(&mut watcher);
        if let Some(checkpoints) = &mut checkpoints {
            observer = observer.with(checkpoints);
        }
        let start = match self.saving.filter(|saving| saving.resume) {
            Some(saving) => Start::From(fit::read_checkpoint::<O>(&saving.path).map_err(RunError::Setup)?),
            None => Start::Fresh,
        };
        let done = fit::fit(objective, &options, start, &mut observer, self.workers)?;
        drop(observer);
        let found = held_out.into_found();
        let (stop, fitted) = (done.stop.clone(), done.into_fitted());
        Ok(Induced {
            grammar: found.grammar,
            setting: self.setting,
            normals: normals(&fitted.params),
            history: fitted.history,
            held_out: found.history,
            best_pass: found.best_pass,
            stop,
            tried: Vec::new(),
        })
    }

    fn fit_options(&self) -> FitOptions {
        FitOptions {
            max_iterations: self.options.max_passes,
            tolerance: self.options.tolerance,
            batch: self.options.batch.filter(|_| self.options.course.stepwise.is_some()),
            block: 64,
            seed: self.options.seed,
        }
    }
}

/// Shows passes to the caller.
struct Watcher<'a> {
    watch: &'a mut dyn FnMut(&Pass) -> ControlFlow<()>,
    run: (usize, usize),
    setting: Setting,
}

impl<P> Observer<Fitted<P>> for Watcher<'_> {
    fn after_sweep(&mut self, at: &Progress, state: &Fitted<P>) -> io::Result<ControlFlow<Stop>> {
        let value = state.history.last().copied().unwrap_or(f64::NEG_INFINITY);
        let pass = Pass { run: self.run, pass: (at.sweep, at.total), value, setting: self.setting };
        Ok(match (self.watch)(&pass) {
            ControlFlow::Break(()) => ControlFlow::Break(Stop::Interrupted),
            ControlFlow::Continue(()) => ControlFlow::Continue(()),
        })
    }
}
