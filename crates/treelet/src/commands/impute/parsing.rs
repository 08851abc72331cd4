//! `treelet parse` with a model that `treelet impute` has saved.

use super::output::Output;
use crate::args::parse::{Decode, Parse, SentenceFormat};
use crate::args::{Input, MessageFormat, Messages};
use crate::commands::check::report_problems;
use crate::imputation::annotated::{ABOUT_HEADS, Annotated, Corpus, open};
use crate::imputation::fragments::{Fragments, TagChoice, warn_of_tags};
use crate::imputation::imputer::{Imputer, stop_flag};
use crate::imputation::rows::Row;
use crate::models;
use crate::outcome::{Outcome, Usage};
use crate::terminal::Terminal;
use chain::container;
use formats::Problem;
use formats::detect::Format;
use parse::imputation::gpc::CompleteOptions;
use std::path::Path;
use std::sync::atomic::Ordering;
use tree::sentence::UNSPECIFIED;
use tree::{PartialTree, Reading};

const MESSAGES: Messages = Messages { message_format: MessageFormat::Human, max_problems: 10 };

/// Whether a file is a model of dependencies.
pub(crate) fn wants(model: &Path) -> bool {
    model != Path::new("-") && container::info(model).is_ok_and(|header| Imputer::is_kind(&header.kind))
}

pub(crate) fn run(options: &Parse, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let what = &options.what;
    if what.output != Path::new("-") {
        models::refuse_same(&what.output, [what.model.as_path(), what.input.as_path()])?;
        models::check_output(&what.output, "the trees")?;
    }
    note_ignored(options, terminal);
    let workers = models::workers(what.threads)?;
    let imputer = Imputer::read(&what.model)?;
    let input = Input { from: format(what.from)?, encoding: what.encoding };
    let mut corpus = Corpus::read(&what.input, &input, terminal)?;
    if !what.constrain {
        corpus.sentences.iter_mut().for_each(forget);
    }
    let asked = imputer.tags().map(|choice| choice.0);
    let tags = TagChoice::resolve(asked, corpus.sentences.iter().map(|annotated| &annotated.sentence));
    let told = Fragments::new(&corpus, &Reading::default(), tags);
    if told.all.is_empty() && !told.problems.is_empty() {
        return unreadable(&corpus, &told.problems, &what.output, terminal);
    }
    warn_of_tags(&told.all, imputer.rules(), terminal);
    let stop = stop_flag(terminal);
    let imputed = imputer.complete(&told.all, &CompleteOptions::default(), &stop, &workers, terminal);
    if stop.load(Ordering::Relaxed) {
        terminal.stderr(&format!("stopped; {} was not written", what.output.display()));
        return Ok(Outcome::Files);
    }
    let mut output = Output::create(&what.output, None, what.is_json())?;
    for (at, imputed) in imputed.iter().enumerate() {
        let annotated = &corpus.sentences[at];
        let unsatisfied = (!imputed.satisfied).then_some("no tree satisfies all that was said");
        output.write(&Row {
            sentence: &annotated.sentence,
            said: &annotated.said,
            possible: &told.all[at].possible,
            imputed,
            conflict: told.conflicts[at].as_deref().or(unsatisfied),
            marks: options.posteriors,
            entropy: false,
        })?;
    }
    output.finish(terminal)?;
    if corpus.sentences.is_empty() {
        terminal.note(&format!("note: {} has no sentences", corpus.source.name()));
    }
    let has_errors = report_problems(&corpus.source, &told.problems, &MESSAGES, terminal)?;
    let all_satisfied = imputed.iter().all(|imputed| imputed.satisfied);
    Ok(if has_errors || !all_satisfied { Outcome::Problems } else { Outcome::Fine })
}

/// Nothing could be made out; what stands in the output stays.
fn unreadable(
    corpus: &Corpus,
    problems: &[Problem],
    output: &Path,
    terminal: &Terminal,
) -> anyhow::Result<Outcome> {
    report_problems(&corpus.source, problems, &MESSAGES, terminal)?;
    corpus.say_unreadable(output, terminal);
    Ok(Outcome::Problems)
}

/// Heads and relations of the input are not asked for.
fn forget(annotated: &mut Annotated) {
    annotated.said = PartialTree::new(annotated.sentence.n_words());
    open(&mut annotated.sentence);
    annotated.sentence.words_mut().for_each(|token| token.deprel = UNSPECIFIED);
    annotated.errors.retain(|problem| !ABOUT_HEADS.contains(&problem.rule));
}

fn format(asked: Option<SentenceFormat>) -> anyhow::Result<Option<Format>> {
    Ok(match asked {
        None => None,
        Some(SentenceFormat::Conllu) => Some(Format::Conllu),
        Some(SentenceFormat::Conllx) => Some(Format::Conllx),
        Some(SentenceFormat::Conll09) => Some(Format::Conll09),
        Some(SentenceFormat::Gfl) => Some(Format::Gfl),
        Some(SentenceFormat::Text | SentenceFormat::Brackets) => {
            let text = "a model of dependencies goes by tags: give CoNLL-U, CoNLL-X or GFL";
            return Err(Usage(text.into()).into());
        }
    })
}

fn note_ignored(options: &Parse, terminal: &Terminal) {
    let ignored = [
        (options.decode != Decode::MaxRule, "--decode"),
        (options.n_best > 1, "--n-best"),
        (options.gibbs.gibbs, "--gibbs"),
        (options.what.exact || options.what.threshold.is_some(), "--exact and --threshold"),
    ];
    for (_, name) in ignored.into_iter().filter(|(is_ignored, _)| *is_ignored) {
        terminal.note(&format!("note: {name}: the model is one of dependencies; it has no effect here"));
    }
}
