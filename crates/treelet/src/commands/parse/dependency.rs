//! `treelet parse` with a model of `treelet train dependency`.

mod rows;
mod strange;

use crate::args::parse::{Average, Decode, Parse};
use crate::args::{MessageFormat, Messages};
use crate::batches::{Given, Input, Wanted};
use crate::commands::check::report_problems;
use crate::commands::impute::output::Target;
use crate::imputation::fragments::contradiction;
use crate::interrupt;
use crate::models;
use crate::outcome::{Outcome, Usage};
use crate::progress::Steps;
use crate::table::plural;
use crate::terminal::Terminal;
use anyhow::Context;
use chain::container;
use formats::Problem;
use grammar::anchor::Possible;
use parse::dependency::{self, DependencyModel, ParseOptions, Parsed, Workspace};
use rows::Row;
use std::path::Path;
use std::sync::atomic::Ordering;
use strange::Strange;
use tree::Reading;

/// Sentences that are held in memory at a time.
const BATCH: usize = 256;
const MESSAGES: Messages = Messages { message_format: MessageFormat::Human, max_problems: 10 };

/// Whether a file is a model of this sort.
pub(super) fn wants(model: &Path) -> bool {
    model != Path::new("-") && container::info(model).is_ok_and(|header| header.kind == dependency::KIND)
}

pub(super) fn run(options: &Parse, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let what = &options.what;
    if what.output != Path::new("-") {
        models::refuse_same(&what.output, [what.model.as_path(), what.input.as_path()])?;
        models::check_output(&what.output, "the trees")?;
    }
    let settings = settings(options, terminal)?;
    let workers = models::workers(what.threads)?;
    let model = DependencyModel::read(&what.model).map_err(models::file_error)?;
    if settings.n_best > 1 && !model.options().shape.projective {
        return Err(Usage("--n-best: a parser of trees that may cross finds the best one only".into()).into());
    }
    let wanted = Wanted { heads: what.constrain, empty: false };
    let mut input = Input::open(&what.input, what.reading.from, what.reading.encoding, wanted)?;
    let stop = interrupt::flag("stopping", terminal);
    let mut output = Target::create(&what.output)?;
    let mut told = Told::new(&model);
    let steps = Steps::new(terminal, input.size(), "byte");
    loop {
        let batch = input.next_batch(BATCH)?;
        if batch.is_empty() {
            break;
        }
        let ready: Vec<Ready> =
            batch.into_iter().map(|given| told.prepare(given, &model, what.constrain)).collect();
        let parsed = workers.map_with(&ready, Workspace::default, |workspace, _, ready| {
            model.parse(&ready.given.annotated.sentence, ready.possible.as_ref(), &settings, workspace)
        });
        if stop.load(Ordering::Relaxed) {
            terminal.stderr(&format!("stopped; {} was not written", what.output.display()));
            return Ok(Outcome::Files);
        }
        for (ready, parsed) in ready.iter().zip(&parsed) {
            told.n_sentences += 1;
            told.see(ready, parsed);
            let row = Row { ready, parsed, marks: options.posteriors, number: told.n_sentences };
            row.write(&mut output, what.is_json())
                .with_context(|| format!("cannot write {}", what.output.display()))?;
        }
        steps.reach(input.position(), String::new);
    }
    drop(steps);
    told.finish(input, output, what.output.as_path(), terminal)
}

fn settings(options: &Parse, terminal: &Terminal) -> anyhow::Result<ParseOptions> {
    let decode = match options.decode {
        Decode::Viterbi => dependency::Decode::Best,
        Decode::Mode => {
            let text = "--decode mode: trees are not drawn by a dependency parser; use mbr or viterbi";
            return Err(Usage(text.into()).into());
        }
        Decode::Mbr | Decode::MaxRule => dependency::Decode::Mbr,
    };
    let ignored = [
        (options.gibbs.gibbs, "--gibbs"),
        (options.what.exact || options.what.threshold.is_some(), "--exact and --threshold"),
        (options.what.gold_tags, "--gold-tags"),
        (options.average != Average::Product, "--average"),
        (options.draws != 100, "--draws"),
        (options.what.max_words != 400, "--max-words"),
    ];
    for (_, name) in ignored.into_iter().filter(|(is_ignored, _)| *is_ignored) {
        terminal.note(&format!("note: {name}: the model is one of dependencies; it has no effect here"));
    }
    // Objects have probabilities in any case.
    let posteriors = options.posteriors || options.what.is_json();
    Ok(ParseOptions { decode, n_best: options.n_best as usize, posteriors })
}

/// A sentence that can be parsed.
struct Ready {
    given: Given,
    possible: Option<Possible>,
    /// What in the annotation contradicts what.
    conflict: Option<String>,
}

/// What there is to say when all is done.
struct Told<'m> {
    strange: Strange<'m>,
    problems: Vec<Problem>,
    n_sentences: usize,
    n_tagged: usize,
    n_dishonoured: usize,
}

impl<'m> Told<'m> {
    fn new(model: &'m DependencyModel) -> Self {
        Told {
            strange: Strange::new(model),
            problems: Vec::new(),
            n_sentences: 0,
            n_tagged: 0,
            n_dishonoured: 0,
        }
    }

    /// Finds tags for words without one, and what must be honoured.
    fn prepare(&mut self, mut given: Given, model: &DependencyModel, constrain: bool) -> Ready {
        let annotated = &mut given.annotated;
        self.problems.append(&mut annotated.errors);
        self.strange.see(&annotated.sentence);
        if let Some(tagger) = &model.tagger {
            self.n_tagged += tagger.tag(&mut annotated.sentence, false);
        }
        if !constrain {
            return Ready { given, possible: None, conflict: None };
        }
        match Possible::new(&annotated.said, &Reading::default()) {
            Ok(possible) => Ready { given, possible: Some(possible), conflict: None },
            Err(conflict) => {
                self.problems.push(contradiction(annotated, &conflict));
                Ready { given, possible: None, conflict: Some(conflict.to_string()) }
            }
        }
    }

    fn see(&mut self, ready: &Ready, parsed: &Parsed) {
        if !parsed.honoured && ready.conflict.is_none() {
            self.n_dishonoured += 1;
        }
    }

    fn finish(
        self,
        input: Input,
        output: Target,
        path: &Path,
        terminal: &Terminal,
    ) -> anyhow::Result<Outcome> {
        let (source, problems) = input.finish(self.problems);
        if self.n_sentences == 0 && problems.iter().any(Problem::is_error) {
            report_problems(&source, &problems, &MESSAGES, terminal)?;
            terminal.stderr(&format!(
                "error: {} has no sentence that can be used; {} was not written",
                source.name(),
                path.display()
            ));
            return Ok(Outcome::Problems);
        }
        output.finish(terminal)?;
        if self.n_sentences == 0 {
            terminal.note(&format!("note: {} has no sentences", source.name()));
        }
        if self.n_tagged > 0 {
            terminal.note(&format!(
                "note: {} had no tag; the parser's own tagger gave one",
                plural(self.n_tagged, "word")
            ));
        }
        self.strange.warn(terminal);
        if self.n_dishonoured > 0 {
            terminal.stderr(&format!(
                "warning: {} demanded what no tree was found for and were parsed freely",
                plural(self.n_dishonoured, "sentence")
            ));
        }
        let has_errors = report_problems(&source, &problems, &MESSAGES, terminal)?;
        Ok(if has_errors || self.n_dishonoured > 0 { Outcome::Problems } else { Outcome::Fine })
    }
}
