//! What all commands of `treelet induce` share.

use super::corpus::{Corpora, Seen};
use crate::models;
use crate::options::induce::{
    CorpusChoices, CourseChoices, Learner, LearningChoices, MethodChoice, SearchChoice,
};
use crate::outcome::{Figures, Stopped, Usage};
use crate::run::Run;
use crate::table::plural;
use crate::watch::{Steps, Watch};
use anyhow::Context;
use chain::{Stop, Workers};
use formats::output::AtomicFile;
use induce::shared::{Course, Search};
use induce::{Family, InduceError, InduceOptions, Induced, Pass, Saving, Setting, Task};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

/// A command that learns, and who wants it.
pub(super) struct Common<'a> {
    corpus: &'a CorpusChoices,
    learning: &'a LearningChoices,
    course: &'a CourseChoices,
    pub(super) run: Run<'a>,
    pub(super) watch: &'a dyn Watch,
}

impl<'a> Common<'a> {
    /// Refuses what cannot work before anything is read.
    pub(super) fn new(learner: &'a Learner, watch: &'a dyn Watch) -> anyhow::Result<Self> {
        let Learner { corpus, learning, course, .. } = learner;
        let inputs: Vec<&PathBuf> = corpus.files.iter().chain(&corpus.held_out).collect();
        let run =
            Run::new(&corpus.new_model.output, &course.saving, &inputs, course.trace.as_deref(), watch)?;
        Ok(Self { corpus, learning, course, run, watch })
    }

    /// Says which options mean nothing for the estimator.
    pub(super) fn note_ignored(&self) {
        let method = self.learning.method;
        let per_sentence = matches!(method, MethodChoice::VbEm | MethodChoice::Ln);
        let with_alpha = matches!(method, MethodChoice::EmMap | MethodChoice::Vb);
        if per_sentence {
            let options = ["--search", "--anneal", "--batch"];
            self.watch.without_effect(&options, "it is for em, em-map and vb");
        } else {
            self.watch.without_effect(&["--share"], "it is for vb-em and ln");
        }
        if !with_alpha {
            self.watch.without_effect(&["--alpha"], "it is for em-map and vb");
        }
        if self.corpus.held_out.is_none() {
            self.watch.without_effect(&["--patience"], "nothing is held out; give --held-out");
        }
    }

    /// Reads the files and says what is wrong with them; also whether anything is.
    pub(super) fn read(
        &self,
        learner: &Learner,
        seen: Seen,
        with_heads: bool,
    ) -> anyhow::Result<(Corpora, bool)> {
        let mut corpora = Corpora::read(&learner.corpus, &learner.input, seen, with_heads, self.watch)?;
        let has_errors = corpora.report(&learner.messages, self.watch)?;
        corpora.note_left_out(learner.corpus.max_length, self.watch);
        Ok((corpora, has_errors))
    }

    /// Learns; that somebody stopped it is an error.
    pub(super) fn induce<F: Family>(
        &self,
        task: &Task<'_, F>,
        settings: &InduceOptions,
        workers: &Workers,
    ) -> anyhow::Result<Induced> {
        let resume = self.run.goes_on()?;
        let saving = Saving { path: self.run.checkpoint.clone(), every: self.run.every(), resume };
        let alphas = settings.alpha.is_none() && !settings.method.grid().is_empty();
        let shares = settings.share.is_none() && !settings.method.shares().is_empty();
        let grid = (alphas || shares) && !task.held_out.is_empty();
        let several = grid || task.starts.len() > 1;
        if several {
            let why = "of several runs (values of α or --share, or restarts) none is saved; give --alpha or --share";
            self.watch.without_effect(&["--checkpoint", "--checkpoint-every", "--resume"], why);
        }
        let stop = self.watch.stop_flag("finishing this pass and saving the run");
        let steps = Steps::new(self.watch, u64::from(settings.max_passes), "pass");
        let mut watch = |pass: &Pass| {
            steps.reach(pass.pass.0, || shown(pass));
            if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let induced = induce::induce(task, settings, Some(&saving), &mut watch, workers).map_err(error)?;
        drop(steps);
        if let Some(path) = &self.course.trace {
            write_trace(path, &induced)?;
        }
        if induced.stop == Some(Stop::Interrupted) {
            return Err(match saving.path.exists() {
                true => self.run.stopped(None),
                false => Stopped("stopped; nothing was saved".into()).into(),
            });
        }
        Ok(induced)
    }

    /// What a model says of how it came about.
    pub(super) fn notes(
        &self,
        corpora: &Corpora,
        induced: &Induced,
        settings: &InduceOptions,
    ) -> BTreeMap<String, String> {
        let mut notes = corpora.notes.clone();
        let method = serde_json::to_value(settings.method).unwrap_or_default();
        notes.insert("method".into(), method.as_str().unwrap_or_default().into());
        notes.insert("seed".into(), settings.seed.to_string());
        notes.insert("passes".into(), induced.best_pass.to_string());
        notes.insert("sentences".into(), corpora.sentences.len().to_string());
        if let Some(alpha) = induced.setting.alpha {
            notes.insert("alpha".into(), alpha.to_string());
        }
        if let Some(share) = induced.setting.share {
            notes.insert("share".into(), share.to_string());
        }
        notes
    }

    /// Says what was done and what comes next.
    pub(super) fn say(&self, corpora: &Corpora, induced: &Induced, next: &str) -> Figures {
        if induced.tried.len() > 1 {
            let (mut setting, runs) = (named(&induced.setting), induced.tried.len());
            if setting.is_empty() {
                setting.push_str("the start that was kept");
            }
            self.watch.note(&format!("{setting}: likeliest held-out text of {runs} runs"));
        }
        self.watch.note(&format!(
            "{}: {}, {}, {:.1} s; next: {next}",
            self.corpus.new_model.output.display(),
            plural(corpora.sentences.len(), "sentence"),
            passes(induced.best_pass),
            self.run.seconds(),
        ));
        summary(corpora, induced, self.run.seconds()).into()
    }
}

/// The settings that all grammars share.
pub(super) fn settings(learning: &LearningChoices, seed: u64) -> InduceOptions {
    InduceOptions {
        method: learning.method.into(),
        alpha: learning.alpha,
        share: learning.share.map(|share| share as usize),
        course: course(learning),
        max_passes: learning.passes,
        tolerance: learning.tolerance.max(0.0),
        patience: learning.patience,
        batch: learning.batch.map(|batch| batch as usize),
        seed,
        ..InduceOptions::default()
    }
}

fn course(learning: &LearningChoices) -> Course {
    Course {
        search: match learning.search {
            SearchChoice::Soft => Search::Soft,
            SearchChoice::Hard => Search::Hard,
            SearchChoice::Lateen => Search::Lateen,
        },
        anneal_start: learning.anneal.unwrap_or(1.0),
        stepwise: learning.batch.map(|_| 0.7),
        ..Course::default()
    }
}

pub(super) fn error(error: InduceError) -> anyhow::Error {
    match error {
        InduceError::Run(error) => models::run_error(error),
        error => Usage(error.to_string()).into(),
    }
}

fn shown(pass: &Pass) -> String {
    let mut text = format!("value {:.2}", pass.value);
    let setting = named(&pass.setting);
    // Writing to a string cannot fail.
    if !setting.is_empty() {
        let _ = write!(text, ", {setting}");
    }
    if pass.run.1 > 1 {
        let _ = write!(text, ", run {} of {}", pass.run.0 + 1, pass.run.1);
    }
    text
}

/// What was chosen, in words; nothing where there was no choice.
fn named(setting: &Setting) -> String {
    match *setting {
        Setting { alpha: Some(alpha), .. } => format!("α = {alpha}"),
        Setting { share: Some(1), .. } => "every sentence its own grammar".into(),
        Setting { share: Some(share), .. } => format!("{share} sentences a grammar"),
        Setting { alpha: None, share: None } => String::new(),
    }
}

/// One line a pass: its number, the value, and the log-likelihood of held-out text.
fn write_trace(path: &Path, induced: &Induced) -> anyhow::Result<()> {
    let mut text = String::from("chain\tsweep\tkept\tvalue");
    text.push_str(if induced.held_out.is_empty() { "\n" } else { "\theld_out\n" });
    for (at, value) in induced.history.iter().enumerate() {
        let _ = write!(text, "0\t{}\t1\t{value}", at + 1);
        if let Some(held_out) = induced.held_out.get(at) {
            let _ = write!(text, "\t{held_out}");
        }
        text.push('\n');
    }
    let cannot = || format!("cannot write {}", path.display());
    let mut file = AtomicFile::create(path).with_context(cannot)?;
    file.write_all(text.as_bytes()).with_context(cannot)?;
    file.finish().with_context(cannot)
}

fn summary(corpora: &Corpora, induced: &Induced, seconds: f64) -> Value {
    json!({
        "sentences": corpora.sentences.len(),
        "held_out_sentences": corpora.held_out.len(),
        "tags": corpora.tags.names().len(),
        "alpha": induced.setting.alpha,
        "share": induced.setting.share,
        "passes": induced.history.len(),
        "best_pass": induced.best_pass,
        "values": induced.history,
        "held_out": induced.held_out,
        "tried": induced.tried,
        "seconds": seconds,
    })
}

fn passes(number: u64) -> String {
    if number == 1 { "1 pass".into() } else { format!("{number} passes") }
}
