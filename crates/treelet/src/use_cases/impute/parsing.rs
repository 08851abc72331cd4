//! `treelet parse` and `treelet sample` with a model that `treelet impute` has saved.

use super::output::Output;
use crate::any_model::AnyModel;
use crate::imputation::annotated::{ABOUT_HEADS, AnnotatedCorpus, AnnotatedSentence, open};
use crate::imputation::fragments::{self, Fragments, warn_of_tags};
use crate::imputation::imputer::{Imputed, Imputer, stop_flag};
use crate::imputation::rows::ImputedRow;
use crate::models;
use crate::options::parse::{Parse, Sample, SentenceFormat, What};
use crate::options::{Input, MessageFormat, Messages};
use crate::outcome::{Done, Usage};
use crate::table::plural;
use crate::target::Target;
use crate::use_cases::check::report_problems;
use crate::use_cases::parse::{ImputerFigures, ParsedBy, ParsedFile, ignored};
use crate::watch::Watch;
use anyhow::Context;
use chain::Workers;
use formats::detect::Format;
use impute::gpc::CompleteOptions;
use std::path::Path;
use std::sync::atomic::Ordering;
use tree::PutInOrder;
use tree::sentence::UNSPECIFIED;
use tree::{PartialTree, Reading};

const MESSAGES: Messages = Messages { message_format: MessageFormat::Human, max_problems: 10 };

pub(crate) fn run(options: &Parse, model: &AnyModel, watch: &dyn Watch) -> anyhow::Result<Done<ParsedFile>> {
    let what = &options.what;
    ignored::note(&["--posteriors", "--constrain", "--no-marks"], "one of dependencies", watch);
    let task = ParsingTask::read(what, model, watch)?;
    if task.is_unreadable() {
        return task.unreadable(watch);
    }
    let imputed = task.complete(&CompleteOptions::default(), watch)?;
    let mut output = Output::create(&what.to.output, None, what.is_json())?;
    for (at, imputed) in imputed.iter().enumerate() {
        output.write(&task.row(at, imputed, options.posteriors))?;
    }
    output.finish(watch)?;
    task.finish(&imputed, 0, watch)
}

/// `treelet sample`: N trees of each sentence, one after the other.
pub(crate) fn sample(
    options: &Sample,
    model: &AnyModel,
    watch: &dyn Watch,
) -> anyhow::Result<Done<ParsedFile>> {
    let what = &options.what;
    if what.is_json() {
        return Err(Usage("trees of dependencies are drawn as CoNLL-U; leave out --json".into()).into());
    }
    let task = ParsingTask::read(what, model, watch)?;
    if task.is_unreadable() {
        return task.unreadable(watch);
    }
    if matches!(task.imputer, Imputer::Convex(_)) {
        return Err(Usage(format!(
            "{} is a model of convexmst, which gives probabilities, but draws no trees; `treelet parse --posteriors` shows \
             the probabilities, and `treelet impute --method gpc --save-model` learns a model to draw from",
            what.model.display()
        ))
        .into());
    }
    ignored::note(&["--constrain", "--no-marks", "--draws"], "one of dependencies", watch);
    let how = CompleteOptions { samples: options.draws as usize, seed: what.chance.seed };
    let imputed = task.complete(&how, watch)?;
    let mut target = Target::create(&what.to.output)?;
    let (mut n_drawn, mut n_without) = (0, 0);
    for (at, imputed) in imputed.iter().enumerate() {
        n_without += usize::from(imputed.completed.samples.is_empty());
        for (number, heads) in (1..).zip(&imputed.completed.samples) {
            n_drawn += 1;
            let drawn = task.row(at, imputed, false).sample(heads, number);
            formats::conllu::write(&drawn, &mut target)
                .with_context(|| format!("cannot write {}", what.to.output.display()))?;
        }
    }
    if target.is_file() {
        watch.note(&format!("{}: {}", what.to.output.display(), plural(n_drawn, "drawn tree")));
    }
    target.finish(watch)?;
    if n_without > 0 {
        let sentences = plural(n_without, "sentence");
        watch.note(&format!("note: {sentences} without a projective tree to draw, because of what is said"));
    }
    task.finish(&imputed, n_drawn, watch)
}

/// A model and sentences.
struct ParsingTask<'a> {
    what: &'a What,
    imputer: Imputer,
    corpus: AnnotatedCorpus,
    told: Fragments,
    workers: Workers,
    /// How the imputer signs.
    machine: String,
    n_ignored_heads: usize,
}

impl<'a> ParsingTask<'a> {
    /// Reads both.
    fn read(what: &'a What, model: &AnyModel, watch: &dyn Watch) -> anyhow::Result<Self> {
        if what.to.output != Path::new("-") {
            models::refuse_same(&what.to.output, [what.model.as_path(), what.input.as_path()])?;
            models::check_output(&what.to.output, "the trees")?;
        }
        let workers = models::workers(what.threads)?;
        let imputer = Imputer::read(model)?;
        let input =
            Input { from: tagged_format(what.reading.format())?, characters: what.reading.characters };
        let mut corpus = AnnotatedCorpus::read(&what.input, &input, watch)?;
        let n_ignored_heads = match what.constrain {
            true => 0,
            false => forget_heads(&mut corpus, "; --constraints keeps them", watch),
        };
        let sentences = corpus.sentences.iter().map(|annotated| &annotated.sentence);
        let tags = fragments::tags(None, imputer.tags(), sentences, watch);
        let told = Fragments::new(&corpus, &Reading::default(), tags);
        let machine = imputer.signature(Some(&what.model))?;
        let task = Self { what, imputer, corpus, told, workers, machine, n_ignored_heads };
        if !task.is_unreadable() {
            warn_of_tags(&task.told.all, task.imputer.rules(), watch);
        }
        Ok(task)
    }

    /// Whether nothing could be made out.
    fn is_unreadable(&self) -> bool {
        self.told.all.is_empty() && !self.told.problems.is_empty()
    }

    /// Says so; what stands in the output stays.
    fn unreadable(&self, watch: &dyn Watch) -> anyhow::Result<Done<ParsedFile>> {
        report_problems(&self.corpus.source, &self.told.problems, &MESSAGES, watch)?;
        self.corpus.say_unreadable(&self.what.to.output, watch);
        Ok(Done { result: self.result(None, &[], 0), has_problems: true })
    }

    /// All trees.
    fn complete(&self, how: &CompleteOptions, watch: &dyn Watch) -> anyhow::Result<Vec<Imputed>> {
        let stop = stop_flag(watch);
        let imputed = self.imputer.complete(&self.told.all, how, &stop, &self.workers, watch);
        if stop.load(Ordering::Relaxed) {
            return Err(models::stopped(&self.what.to.output));
        }
        Ok(imputed)
    }

    fn row<'b>(&'b self, at: usize, imputed: &'b Imputed, marks: bool) -> ImputedRow<'b> {
        let annotated = &self.corpus.sentences[at];
        let unsatisfied = (!imputed.satisfied).then_some("no tree satisfies all that was said");
        ImputedRow {
            sentence: &annotated.sentence,
            said: &annotated.said,
            possible: &self.told.all[at].possible,
            imputed,
            conflict: self.told.conflicts[at].as_deref().or(unsatisfied),
            machine: Some(self.machine.as_str()).filter(|_| !self.what.no_marks),
            marks,
            entropy: false,
        }
    }

    /// Says what is doubtful and what is wrong.
    fn finish(
        &self,
        imputed: &[Imputed],
        n_drawn: usize,
        watch: &dyn Watch,
    ) -> anyhow::Result<Done<ParsedFile>> {
        if self.corpus.sentences.is_empty() {
            watch.note(&format!("note: {} has no sentences", self.corpus.source.name()));
        }
        let mut problems = self.told.problems.clone();
        problems.extend(super::given_up(&self.corpus, &self.told, imputed));
        problems.order_by_key(|problem| problem.place.line);
        let has_errors = report_problems(&self.corpus.source, &problems, &MESSAGES, watch)?;
        let all_satisfied = imputed.iter().all(|imputed| imputed.satisfied);
        let result = self.result(Some(&self.what.to.output), imputed, n_drawn);
        Ok(Done { result, has_problems: has_errors || !all_satisfied })
    }

    fn result(&self, output: Option<&Path>, imputed: &[Imputed], drawn: usize) -> ParsedFile {
        ParsedFile {
            output: output.map(Path::to_path_buf),
            sentences: imputed.len(),
            words: self.corpus.n_words(),
            by: ParsedBy::Imputer(ImputerFigures {
                ignored_heads: self.n_ignored_heads,
                conflicts: self.told.conflicts.iter().flatten().count(),
                unsatisfied: imputed.iter().filter(|imputed| !imputed.satisfied).count(),
                drawn,
            }),
        }
    }
}

/// Leaves out what was said of trees, and says so. Returns how many heads there were.
pub(crate) fn forget_heads(corpus: &mut AnnotatedCorpus, advice: &str, watch: &dyn Watch) -> usize {
    let said = corpus.sentences.iter().map(|annotated| annotated.sentence.partial_heads());
    let n_said: usize = said.map(|heads| heads.iter().flatten().count()).sum();
    corpus.sentences.iter_mut().for_each(forget);
    if n_said > 0 {
        let heads = plural(n_said, "head");
        watch.note(&format!("note: {heads} of the input were not looked at{advice}"));
    }
    n_said
}

/// Heads and relations of the input are not asked for.
fn forget(annotated: &mut AnnotatedSentence) {
    annotated.said = PartialTree::new(annotated.sentence.n_words());
    open(&mut annotated.sentence);
    annotated.sentence.words_mut().for_each(|token| token.deprel = UNSPECIFIED);
    annotated.errors.retain(|problem| !ABOUT_HEADS.contains(&problem.rule));
}

pub(crate) fn tagged_format(asked: Option<SentenceFormat>) -> anyhow::Result<Option<Format>> {
    Ok(match asked {
        None => None,
        Some(SentenceFormat::Conllu) => Some(Format::Conllu),
        Some(SentenceFormat::Conllx) => Some(Format::Conllx),
        Some(SentenceFormat::Conll09) => Some(Format::Conll09),
        Some(SentenceFormat::Gfl) => Some(Format::Gfl),
        Some(_) => {
            let text = "a model of dependencies goes by tags: give CoNLL-U, CoNLL-X or GFL";
            return Err(Usage(text.into()).into());
        }
    })
}
