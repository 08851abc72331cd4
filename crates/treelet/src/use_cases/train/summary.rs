//! What a training run was like: for people, for programs, and for the model's own notes.

use super::settings;
use crate::options::train::Constituency;
use crate::table::plural;
use crate::use_cases::train::data::Corpus;
use constituency::Training;
use constituency::train::Trained;
use constituency::train::Unusable;
use grammar::shape::BARE;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// The figures of a run.
pub(super) struct RunSummary {
    command: String,
    files: Vec<(String, String)>,
    n_trees: usize,
    n_partial: usize,
    n_words: usize,
    n_bad: usize,
    n_long: usize,
    n_labels: usize,
    n_tags: usize,
    n_known: usize,
    rare: u32,
    n_classes: usize,
    rules: [usize; 3],
    annotations: u32,
    schedule: chain::Schedule,
    log_likelihood: f64,
    seconds: f64,
}

impl RunSummary {
    pub(super) fn new(
        options: &Constituency,
        corpus: &Corpus,
        training: &Training,
        unusable: &[Unusable],
        n_bad: usize,
    ) -> Self {
        let is_partial = |one: &&Unusable| matches!(one, Unusable::Partial(..));
        let n_partial = corpus.partial.len() - unusable.iter().filter(is_partial).count();
        let bank = training.bank();
        let (rules, lexicon) = (bank.codec.rules(), &bank.lexicon);
        let is_label = |label: &&tree::Text| !label.starts_with('@') && label.as_str() != BARE;
        let n_lexical = bank.inventory.len() - rules.n_rules();
        Self {
            command: settings::command(options, training.options()),
            files: corpus.files.clone(),
            n_trees: bank.trees.len(),
            n_partial,
            n_words: corpus.trees.iter().map(|tree| tree.n_words()).sum(),
            n_bad,
            n_long: corpus.n_long,
            n_labels: rules.labels().iter().filter(is_label).count(),
            n_tags: lexicon.tags().len(),
            n_known: lexicon.n_known(),
            rare: lexicon.threshold(),
            n_classes: lexicon.n_classes(),
            rules: [rules.unary().len(), rules.binary().len(), n_lexical],
            annotations: training.options().annotations,
            schedule: training.schedule(),
            log_likelihood: f64::NAN,
            seconds: 0.0,
        }
    }

    /// The same after the run.
    pub(super) fn finished(mut self, trained: &Trained, seconds: f64) -> Self {
        let states = &trained.outcome.checkpoint.states;
        let sum: f64 = states.iter().map(|state| state.ln_likelihood).sum();
        self.log_likelihood = sum / states.len().max(1) as f64;
        self.seconds = seconds;
        self
    }

    /// What is about to happen.
    pub(super) fn beginning(&self) -> String {
        let partial = if self.n_partial > 0 {
            format!(", {} with some brackets", plural(self.n_partial, "sentence"))
        } else {
            String::new()
        };
        format!(
            "{}{partial}: {}, {}, {} ({}); {} of {}, K = {}, seed {}",
            plural(self.n_trees, "tree"),
            plural(self.n_words, "word"),
            plural(self.rules.iter().sum(), "rule"),
            plural(self.n_labels, "label"),
            plural(self.n_tags, "tag"),
            plural(self.schedule.chains as usize, "chain"),
            plural(self.schedule.total() as usize, "sweep"),
            self.annotations,
            self.schedule.seed
        )
    }

    /// What has happened.
    pub(super) fn ending(&self, model: &Path) -> String {
        format!(
            "{}: log likelihood {:.1}, {:.1} s; next: treelet parse {} SENTENCES",
            model.display(),
            self.log_likelihood,
            self.seconds,
            model.display()
        )
    }

    /// What the model says of itself. No time and no name of an output is in it, so that the same data and settings
    /// give the same bytes.
    pub(super) fn notes(&self, options: &Constituency) -> BTreeMap<String, String> {
        let mut notes = BTreeMap::new();
        let mut put = |name: &str, value: String| notes.insert(name.to_string(), value);
        put("program", format!("treelet {}", env!("CARGO_PKG_VERSION")));
        put("command", self.command.clone());
        put("preset", format!("{:?}", options.preset).to_lowercase());
        put("seed", self.schedule.seed.to_string());
        put("annotations", self.annotations.to_string());
        put("chains", self.schedule.chains.to_string());
        let chain::Schedule { burn_in, samples, thin, .. } = self.schedule;
        put("sweeps", self.schedule.total().to_string());
        put("schedule", format!("{burn_in} sweeps thrown away, {samples} kept, one out of {thin}"));
        put("sentences", format!("{} trees, {} with some brackets", self.n_trees, self.n_partial));
        put("left out", format!("{} with errors, {} too long", self.n_bad, self.n_long));
        put("words", self.n_words.to_string());
        put("log likelihood", format!("{:.3}", self.log_likelihood));
        for (at, (role, file)) in self.files.iter().enumerate() {
            put(&format!("file {}", at + 1), format!("{role}: {file}"));
        }
        notes
    }

    pub(super) fn json(&self) -> Value {
        let [unary, binary, lexical] = self.rules;
        let files: Map<String, Value> =
            self.files.iter().map(|(role, file)| (role.clone(), file.as_str().into())).collect();
        json!({
            "command": self.command,
            "files": files,
            "trees": self.n_trees,
            "partial": self.n_partial,
            "left_out": {"errors": self.n_bad, "too_long": self.n_long},
            "words": self.n_words,
            "labels": self.n_labels,
            "tags": self.n_tags,
            "rules": {"unary": unary, "binary": binary, "lexical": lexical},
            "known_words": self.n_known,
            "rare_below": self.rare,
            "word_classes": self.n_classes,
            "annotations": self.annotations,
            "chains": self.schedule.chains,
            "sweeps": self.schedule.total(),
            "seed": self.schedule.seed,
            "log_likelihood": self.log_likelihood,
            "seconds": self.seconds,
        })
    }
}
