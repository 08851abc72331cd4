//! `treelet impute`: whole trees from fragments.

pub(crate) mod output;
pub(crate) mod parsing;

use crate::any_model::AnyModel;
use crate::imputation::annotated::{AnnotatedCorpus, Aside};
use crate::imputation::fragments::{self, Fragments, TagChoice};
use crate::imputation::imputer::{self, Imputed, Imputer, Lesson};
use crate::imputation::reading;
use crate::imputation::rows::ImputedRow;
use crate::models;
use crate::options::EncodingName;
use crate::options::impute::{Completing, Impute, MethodName};
use crate::outcome::{Done, Usage};
use crate::source::Source;
use crate::table::plural;
use crate::use_cases::check::report_problems;
use crate::watch::Watch;
use chain::Workers;
use formats::Problem;
use impute::Fragment;
use impute::gpc::CompleteOptions;
use output::{Output, Written};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tree::Place;
use tree::PutInOrder;

/// What came of completing annotations.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ImputedFile {
    /// Where the trees are, `-` for standard output; `None` if nothing could be read, so that nothing was written.
    pub output: Option<PathBuf>,
    /// Sentences that were written.
    pub sentences: usize,
    /// Their words.
    pub words: usize,
    /// Words that have the head that was said.
    pub heads_said: usize,
    /// Words whose head was found.
    pub heads_found: usize,
    /// Sentences whose annotation contradicts itself, completed as if nothing were said.
    pub conflicts: usize,
    /// Sentences with so many open brackets that not all trees could be looked at.
    pub given_up: usize,
    /// Sentences that the model was learned from; `None` if it was learned before.
    pub learned_from: Option<usize>,
    /// The model that was kept, if one was.
    pub model: Option<PathBuf>,
    /// The file of drawn trees, if there is one.
    pub sampled: Option<PathBuf>,
    /// How many trees were drawn.
    pub drawn: usize,
}

/// Completes partial annotations to trees, with probabilities, and writes them.
pub fn impute(options: &Impute, watch: &dyn Watch) -> anyhow::Result<Done<ImputedFile>> {
    check(options)?;
    let learning = &options.completing.learning;
    match options.model {
        None => imputer::note_ignored(learning, watch),
        Some(_) => imputer::note_learned_before(watch),
    }
    let workers = models::workers(learning.threads)?;
    let mut task = ImputeTask::read(options, watch)?;
    let stop = imputer::stop_flag(watch);
    if task.told.all.is_empty() {
        return nothing(options, &task, watch);
    }
    let Some(mut learned) = task.imputer(&stop, &workers, watch)? else {
        return Err(models::stopped(&options.output));
    };
    if options.samples.is_some() && matches!(learned, Imputer::Convex(_)) {
        return Err(no_samples());
    }
    let how = CompleteOptions { samples: options.samples.unwrap_or(0) as usize, seed: learning.chance.seed };
    let imputed = learned.complete(&task.told.all, &how, &stop, &workers, watch);
    if stop.load(Ordering::Relaxed) {
        return Err(models::stopped(&options.output));
    }
    admit_failures(&task.corpus, &mut task.told, &imputed);
    let warnings = given_up(&task.corpus, &task.told, &imputed);
    task.told.problems.extend(warnings);
    task.told.problems.order_by_key(|problem| problem.place.line);
    let machine = learned.signature(options.model.as_deref())?;
    let written = write(options, &task.corpus, &task.told, &imputed, &machine, watch)?;
    if let Some(path) = &options.save_model {
        add_notes(&mut learned, options, &task.corpus, task.tags)?;
        learned.write(path)?;
        watch.note(&format!("{}: the model", path.display()));
    }
    task.finish(&imputed, Some(written), watch)
}

/// What was read, ready to be completed.
struct ImputeTask<'a> {
    options: &'a Impute,
    corpus: AnnotatedCorpus,
    told: Fragments,
    /// Fragments that only take part in learning.
    more: Vec<Fragment>,
    tags: TagChoice,
    saved: Option<Imputer>,
    n_learned: Option<usize>,
}

impl<'a> ImputeTask<'a> {
    fn read(options: &'a Impute, watch: &dyn Watch) -> anyhow::Result<Self> {
        let Completing { input, reading: choices, .. } = &options.completing;
        let mut corpus = AnnotatedCorpus::read_trusting(choices.trusted.trust, &options.file, input, watch)?;
        corpus.note_taken_back(watch);
        fragments::lay_over(&mut corpus, choices, input, watch)?;
        let more = more(options, watch)?;
        let model = options.model.as_deref().map(AnyModel::open).transpose()?;
        let saved = model.as_ref().map(Imputer::read).transpose()?;
        let all = std::iter::once(&corpus).chain(&more).flat_map(|corpus| &corpus.sentences);
        let all = all.map(|annotated| &annotated.sentence);
        let tags = fragments::tags(choices.tags, saved.as_ref().and_then(Imputer::tags), all, watch);
        let reading = reading(choices);
        let told = Fragments::new(&corpus, &reading, tags);
        let more = fragments::only_learned_from(more, &reading, tags, &mut corpus.aside);
        Ok(Self { options, corpus, told, more, tags, saved, n_learned: None })
    }

    /// The saved model, or one that is learned now; `None` if somebody stopped it.
    fn imputer(
        &mut self,
        stop: &Arc<AtomicBool>,
        workers: &Workers,
        watch: &dyn Watch,
    ) -> anyhow::Result<Option<Imputer>> {
        if let Some(saved) = self.saved.take() {
            fragments::warn_of_tags(&self.told.all, saved.rules(), watch);
            return Ok(Some(saved));
        }
        let learning = &self.options.completing.learning;
        let rules = imputer::rules(learning)?;
        let rules = rules.as_ref();
        let mut training = self.told.all.clone();
        training.append(&mut self.more);
        fragments::warn_of_tags(&training, rules, watch);
        let longest = learning.longest;
        fragments::warn_of_length(&training, longest, watch);
        let n_learned = training.iter().filter(|fragment| fragment.len() <= longest as usize).count();
        self.n_learned = Some(n_learned);
        watch.note(&format!("learning from {}", plural(n_learned, "sentence")));
        Imputer::learn(&training, &Lesson { learning, rules, stop, workers, watch })
    }

    /// Says what is doubtful and what is wrong.
    fn finish(
        &self,
        imputed: &[Imputed],
        written: Option<Written>,
        watch: &dyn Watch,
    ) -> anyhow::Result<Done<ImputedFile>> {
        note_roots(imputed, &self.told, watch);
        note_repeated(&self.corpus, watch);
        let n_bad = self.told.conflicts.iter().flatten().count();
        if n_bad > 0 {
            watch.note(&format!(
                "{} whose annotation contradicts itself {} completed as if nothing were said",
                plural(n_bad, "sentence"),
                if n_bad == 1 { "was" } else { "were" }
            ));
        }
        let messages = &self.options.completing.messages;
        let has_errors = report_problems(&self.corpus.source, &self.told.problems, messages, watch)?;
        let has_problems = Aside::report(&self.corpus.aside, messages, watch)? || has_errors;
        let count = written.unwrap_or_default();
        let given_up = imputed.iter().filter(|imputed| imputed.completed.given_up).count();
        let file = |path: &Option<PathBuf>| path.clone().filter(|_| written.is_some());
        let result = ImputedFile {
            output: written.map(|_| self.options.output.clone()),
            sentences: count.n_sentences,
            words: count.n_words,
            heads_said: count.n_said,
            heads_found: count.n_found,
            conflicts: n_bad,
            given_up,
            learned_from: self.n_learned,
            model: file(&self.options.save_model),
            sampled: file(&self.options.sampled),
            drawn: count.n_drawn,
        };
        Ok(Done { result, has_problems })
    }
}

fn no_samples() -> anyhow::Error {
    Usage("--samples: convexmst gives probabilities, but draws no trees; use --method gpc".into()).into()
}

/// Finds out what cannot be written before anything is read.
fn check(options: &Impute) -> anyhow::Result<()> {
    let learning = &options.completing.learning;
    if options.samples.is_some() && options.model.is_none() && learning.method != Some(MethodName::Gpc) {
        return Err(no_samples());
    }
    let others = [&options.model, &options.completing.reading.words, &learning.rules, &learning.tag_map];
    let inputs: Vec<&PathBuf> =
        std::iter::once(&options.file).chain(&learning.text).chain(others.into_iter().flatten()).collect();
    crate::source::only_one_stdin(inputs.iter().copied())?;
    let outputs = [
        (Some(&options.output), "the trees"),
        (options.save_model.as_ref(), "the model"),
        (options.sampled.as_ref(), "the drawn trees"),
    ];
    if options.save_model.as_deref() == Some(Path::new("-")) {
        return Err(Usage("a model is no text; give its file a name".into()).into());
    }
    let outputs: Vec<(&PathBuf, &str)> = outputs
        .into_iter()
        .filter_map(|(path, what)| Some((path?, what)))
        .filter(|(path, _)| path.as_path() != Path::new("-"))
        .collect();
    for (at, (path, what)) in outputs.iter().enumerate() {
        models::refuse_same(path, inputs.iter().map(|input| input.as_path()))?;
        models::check_output(path, what)?;
        if outputs[..at].iter().any(|(other, _)| other == path) {
            return Err(Usage(format!(
                "{} is given for two outputs; give each its own name",
                path.display()
            ))
            .into());
        }
    }
    Ok(())
}

fn more(options: &Impute, watch: &dyn Watch) -> anyhow::Result<Vec<AnnotatedCorpus>> {
    let input = crate::options::Input { from: None, characters: options.completing.input.characters };
    options.completing.learning.text.iter().map(|path| AnnotatedCorpus::read(path, &input, watch)).collect()
}

/// A file without sentences becomes one.
fn nothing(options: &Impute, task: &ImputeTask<'_>, watch: &dyn Watch) -> anyhow::Result<Done<ImputedFile>> {
    if !task.told.problems.is_empty() {
        let done = task.finish(&[], None, watch)?;
        task.corpus.say_unreadable(&options.output, watch);
        return Ok(done);
    }
    if options.save_model.is_some() {
        return Err(
            Usage(format!("{} has no sentences to learn a model from", task.corpus.source.name())).into()
        );
    }
    let written = write(options, &task.corpus, &task.told, &[], "", watch)?;
    watch.note(&format!("note: {} has no sentences", task.corpus.source.name()));
    task.finish(&[], Some(written), watch)
}

/// Annotations that turned out to leave no tree.
fn admit_failures(corpus: &AnnotatedCorpus, told: &mut Fragments, imputed: &[Imputed]) {
    for (at, _) in imputed.iter().enumerate().filter(|(_, imputed)| !imputed.satisfied) {
        let text = "no tree satisfies all that was said";
        told.conflicts[at] = Some(text.to_string());
        told.problems.push(Problem::error(
            "contradiction",
            Place::line(corpus.sentences[at].line),
            text,
            "take something back; until then the sentence is treated as if nothing were said",
        ));
    }
    told.problems.order_by_key(|problem| problem.place.line);
}

/// Sentences with so many open brackets that not all trees could be looked at.
pub(crate) fn given_up(corpus: &AnnotatedCorpus, told: &Fragments, imputed: &[Imputed]) -> Vec<Problem> {
    let all = corpus.sentences.iter().zip(&told.all).zip(imputed);
    all.filter(|(_, imputed)| imputed.completed.given_up)
        .map(|((annotated, fragment), imputed)| {
            let what = match fragment.possible.admits(&imputed.completed.heads) {
                true => "the best tree was given up; the one that is written keeps what was said, but may not be the best",
                false => "a tree that keeps them all was given up; the one that is written keeps all heads that were said, but takes a bracket apart",
            };
            let message = format!("brackets whose head is open leave so many cases that the search for {what}");
            let help = "say the heads of some brackets";
            Problem::warning("search-given-up", Place::line(annotated.line), message, help)
        })
        .collect()
}

/// Annotations may have several roots, and CoNLL-U must not.
fn note_roots(imputed: &[Imputed], told: &Fragments, watch: &dyn Watch) {
    let has_several = |(imputed, fragment): &(&Imputed, &Fragment)| {
        let heads = &imputed.completed.heads;
        let is_root = |word: &usize| heads.head(*word) == 0 && !fragment.possible.left_out(*word);
        (1..=heads.len()).filter(is_root).count() > 1
    };
    let n_several = imputed.iter().zip(&told.all).filter(has_several).count();
    if n_several > 0 {
        watch.note(&format!(
            "note: {} several roots, as the annotation or --roots says; `treelet check` warns of them, since Universal Dependencies has one",
            if n_several == 1 { "1 sentence has".to_string() } else { format!("{n_several} sentences have") }
        ));
    }
}

/// Several annotations of a sentence become several trees.
fn note_repeated(corpus: &AnnotatedCorpus, watch: &dyn Watch) {
    let mut ids: Vec<&str> = corpus.sentences.iter().filter_map(|one| one.sentence.id()).collect();
    ids.sort_unstable();
    let n_repeated = ids.windows(2).filter(|pair| pair[0] == pair[1]).count();
    if n_repeated > 0 {
        watch.note(&format!(
            "note: {} the id of another; annotations of the same sentence can be made one first, with `treelet agree --combine`",
            if n_repeated == 1 { "1 sentence has".to_string() } else { format!("{n_repeated} sentences have") }
        ));
    }
}

fn write(
    options: &Impute,
    corpus: &AnnotatedCorpus,
    told: &Fragments,
    imputed: &[Imputed],
    machine: &str,
    watch: &dyn Watch,
) -> anyhow::Result<Written> {
    let mut output = Output::create(&options.output, options.sampled.as_deref(), options.json)?;
    for (at, imputed) in imputed.iter().enumerate() {
        let annotated = &corpus.sentences[at];
        output.write(&ImputedRow {
            sentence: &annotated.sentence,
            said: &annotated.said,
            possible: &told.all[at].possible,
            imputed,
            conflict: told.conflicts[at].as_deref(),
            machine: Some(machine),
            marks: true,
            entropy: options.entropy,
        })?;
    }
    output.finish(watch)
}

fn add_notes(
    learned: &mut Imputer,
    options: &Impute,
    corpus: &AnnotatedCorpus,
    tags: TagChoice,
) -> anyhow::Result<()> {
    let learning = &options.completing.learning;
    let data = corpus.source.fingerprint()?;
    let notes = learned.notes_mut();
    notes.insert("command".into(), "treelet impute".into());
    notes.insert("data".into(), data);
    notes.insert("sentences".into(), corpus.sentences.len().to_string());
    notes.insert("seed".into(), learning.chance.seed.to_string());
    notes.insert("tags".into(), tags.name().into());
    let rules = match (&learning.rules, learning.no_rules) {
        (_, true) => "none".to_string(),
        (Some(path), _) => Source::without_format(path, EncodingName::Unicode)?.fingerprint()?,
        (None, false) => "built in".to_string(),
    };
    notes.insert("rules".into(), rules);
    Ok(())
}
