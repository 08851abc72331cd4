//! `treelet parse`: find the trees of sentences.

mod dependency;
pub(crate) mod ignored;
mod induced;
mod induced_others;
mod makeshift;
mod output;
pub(crate) mod parsed;

use crate::any_model::{AnyModel, ModelKind};
use crate::models::{self, run_error};
use crate::options::parse::{Average, DecodeName, Parse, SentenceFormat, What};
use crate::outcome::{Done, Stopped, Usage};
use crate::sentences::{Honoured, Line, Sentences};
use crate::use_cases::impute::parsing;
use crate::use_cases::joint;
use crate::watch::Steps;
use crate::watch::Watch;
use chain::observe::{Each, Fan, StopFlag};
use chain::{Progress, Stop, Stream, Workers};
use constituency::ensemble::{self, Workspace};
use constituency::gibbs::{self, GibbsOptions};
use constituency::sampler::AnnotatedTrees;
use constituency::{ParseOptions, Parsed, Parser, parser};
use formats::detect::Format;
use grammar::anchor::Brackets;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use makeshift::Makeshift;
pub(crate) use output::{Output, OutputLayout, confidence};
pub use parsed::{GrammarFigures, ImputerFigures, InducedFigures, ParsedBy, ParsedFile, ParserFigures};

/// Sentences whose results are held in memory at a time.
const BATCH: usize = 512;

/// Finds the trees of sentences and writes them.
pub fn parse(options: &Parse, watch: &dyn Watch) -> anyhow::Result<Done<ParsedFile>> {
    let model = AnyModel::open(&options.what.model)?;
    let path = model.path.display();
    match model.kind {
        ModelKind::Dependency => dependency::run(options, watch),
        ModelKind::Dmv => induced::run(options, watch),
        ModelKind::Pcfg | ModelKind::Hmm => induced_others::run(options, model.kind, watch),
        ModelKind::Imputer => parsing::run(options, &model, watch),
        ModelKind::Tagger => {
            let text = format!("{path} tags words and builds no trees; use `treelet tag run {path} INPUT`");
            Err(Usage(text).into())
        }
        ModelKind::Joint | ModelKind::Brackets | ModelKind::Semantics => {
            joint::run::parse(options, model.kind, watch)
        }
        _ => brackets(options, watch),
    }
}

/// With a grammar with latent annotations.
fn brackets(options: &Parse, watch: &dyn Watch) -> anyhow::Result<Done<ParsedFile>> {
    let layout = OutputLayout::of_parse(options);
    check(options, layout)?;
    note_unheeded(options, watch);
    let settings = ParseOptions {
        decode: match options.decode {
            DecodeName::Mode => parser::Decode::Mode,
            DecodeName::Mbr => parser::Decode::Mbr,
            DecodeName::MaxRule => parser::Decode::MaxRule,
            DecodeName::Viterbi => parser::Decode::Viterbi,
        },
        average: match options.average {
            Average::Product => ensemble::Average::Product,
            Average::Mixture => ensemble::Average::Mixture,
        },
        n_best: options.n_best as usize,
        samples: if options.decode == DecodeName::Mode { options.draws as usize } else { 0 },
        ..ParseOptions::default()
    };
    let mut course = Parsing::new(&options.what, settings, watch)?;
    if options.gibbs.gibbs { course.gibbs(options, layout) } else { course.parse(layout) }
}

fn note_unheeded(options: &Parse, watch: &dyn Watch) {
    watch.without_effect(&["--retag"], "the model is one of brackets, and tags are part of its trees");
    if options.decode != DecodeName::MaxRule {
        watch.without_effect(
            &["--average"],
            "chains are put together by their mean except for --decode max-rule",
        );
    }
    if options.decode != DecodeName::Mode {
        watch.without_effect(&["--draws"], "trees are drawn for --decode mode only");
    }
}

fn check(options: &Parse, layout: OutputLayout) -> anyhow::Result<()> {
    let to_stdout = options.what.to.output == Path::new("-");
    if layout.posteriors_file && to_stdout {
        return Err(Usage(
            "--posteriors writes a second file, OUT.posteriors.tsv: give OUT with -o, or use --json".into(),
        )
        .into());
    }
    if options.decode == DecodeName::Viterbi && options.n_best > 1 {
        return Err(Usage("--decode viterbi finds one tree; use another with --n-best".into()).into());
    }
    Ok(())
}

/// Everything that parsing needs.
pub(crate) struct Parsing<'a> {
    what: &'a What,
    parser: Parser,
    settings: ParseOptions,
    sentences: Sentences,
    workers: Workers,
    stop: Arc<AtomicBool>,
    /// How the parser signs its trees, if it does.
    machine: Option<String>,
    watch: &'a dyn Watch,
}

impl<'a> Parsing<'a> {
    /// Checks where the output goes, then reads model and sentences.
    pub(crate) fn new(
        what: &'a What,
        mut settings: ParseOptions,
        watch: &'a dyn Watch,
    ) -> anyhow::Result<Self> {
        if what.to.output != Path::new("-") {
            models::refuse_same(&what.to.output, [what.model.as_path(), what.input.as_path()])?;
            models::check_output(&what.to.output, "the trees")?;
        }
        let workers = models::workers(what.threads)?;
        let parser = models::parser(&what.model, &workers)?;
        let honoured = Honoured {
            tags: what.gold_tags,
            brackets: what.constrain,
            normalise: what.stripping.normalise,
            ..Honoured::default()
        };
        let sentences = Sentences::read(
            &what.input,
            what.reading.format(),
            what.reading.characters.encoding,
            honoured,
            watch,
        )?;
        note_ignored(what, &sentences, watch);
        settings.max_words = what.max_words as usize;
        if what.exact {
            settings = settings.exact();
        } else if let Some(threshold) = what.threshold {
            settings.threshold = threshold;
            // The second pass must not throw away what the first was asked to keep.
            settings.second_threshold = settings.second_threshold.min(threshold);
        }
        let stop = watch.stop_flag("stopping");
        let sign = || models::signature("constituency", &what.model);
        let machine = (!what.no_marks).then(sign).transpose()?;
        Ok(Self { what, parser, settings, sentences, workers, stop, machine, watch })
    }

    /// With a fixed grammar, sentence by sentence.
    pub(crate) fn parse(&mut self, layout: OutputLayout) -> anyhow::Result<Done<ParsedFile>> {
        let lines = std::mem::take(&mut self.sentences.lines);
        let mut output = Output::create(&self.what.to.output, layout, self.machine.clone())?;
        let mut makeshift = Makeshift::default();
        let steps = Steps::new(self.watch, lines.len() as u64, "sentence");
        for (at, batch) in lines.chunks(BATCH).enumerate() {
            let parsed = self.parse_batch(batch, at * BATCH, &steps);
            if self.stop.load(Ordering::Relaxed) {
                return Err(self.stopped());
            }
            for (line, parsed) in batch.iter().zip(parsed) {
                makeshift.see(line, parsed.as_ref());
                output.write(line, parsed.as_ref())?;
            }
        }
        drop(steps);
        self.finish(output, &makeshift)
    }

    fn parse_batch(&self, batch: &[Line], first: usize, steps: &Steps) -> Vec<Option<Parsed>> {
        let stream = Stream::new(self.what.chance.seed);
        self.workers.map_with(batch, Workspace::default, |workspace, at, line| {
            steps.step();
            let sentence = line.sentence.as_ref().filter(|_| !self.stop.load(Ordering::Relaxed))?;
            Some(self.parser.parse(sentence, &self.settings, stream.item(first + at), workspace))
        })
    }

    /// With a grammar that the new sentences change: all of them at once.
    fn gibbs(&mut self, options: &Parse, layout: OutputLayout) -> anyhow::Result<Done<ParsedFile>> {
        let mut lines = std::mem::take(&mut self.sentences.lines);
        let mut output = Output::create(&self.what.to.output, layout, self.machine.clone())?;
        let sentences: Vec<Brackets> = lines.iter_mut().filter_map(|line| line.sentence.clone()).collect();
        let gibbs_options = GibbsOptions {
            lambda: options.gibbs.lambda,
            burn_in: options.gibbs.burn_in,
            samples: options.gibbs.samples,
            chains: self.parser.model().chains.len().max(1) as u32,
            seed: self.what.chance.seed,
            ..GibbsOptions::default()
        };
        let steps = Steps::new(self.watch, u64::from(gibbs_options.burn_in + gibbs_options.samples), "sweep");
        let mut progress = Each(|at: &Progress, _: &AnnotatedTrees| -> io::Result<ControlFlow<Stop>> {
            steps.reach(at.sweep, || format!("log likelihood {:.1}", at.log_joint.unwrap_or(f64::NAN)));
            Ok(ControlFlow::Continue(()))
        });
        let mut stop = StopFlag(Arc::clone(&self.stop));
        let mut both = Fan::new().with(&mut progress).with(&mut stop);
        let parsed =
            gibbs::parse(&self.parser, &sentences, &gibbs_options, &self.settings, &mut both, &self.workers)
                .map_err(run_error)?;
        drop(both);
        drop(steps);
        if self.stop.load(Ordering::Relaxed) {
            return Err(self.stopped());
        }
        let mut makeshift = Makeshift::default();
        let mut parsed = parsed.iter();
        for line in &lines {
            let parsed = line.sentence.as_ref().and_then(|_| parsed.next());
            makeshift.see(line, parsed);
            output.write(line, parsed)?;
        }
        self.finish(output, &makeshift)
    }

    fn finish(&self, output: Output, makeshift: &Makeshift) -> anyhow::Result<Done<ParsedFile>> {
        let problems = &self.sentences.problems;
        // Warnings about line ends are for `treelet check`; here only what changes the result counts.
        let errors: Vec<_> = problems.iter().filter(|problem| problem.is_error()).cloned().collect();
        crate::problems::report(
            &self.sentences.source,
            &errors,
            crate::options::MessageFormat::Human,
            MOST_PROBLEMS,
            self.watch,
        )?;
        if !errors.is_empty() && self.sentences.guessed && self.sentences.format == SentenceFormat::Brackets {
            let name = self.sentences.source.name();
            self.watch.note(&format!(
                "note: {name} was read as bracketed trees; --from text reads it as plain text"
            ));
        }
        let written = output.finish(self.watch)?;
        makeshift.report(written.n_sentences, self.watch);
        if written.n_sentences == 0 {
            self.watch.note(&format!("note: {} has no sentences", self.sentences.source.name()));
        }
        let result = ParsedFile {
            output: Some(self.what.to.output.clone()),
            sentences: written.n_sentences,
            words: written.n_words,
            by: ParsedBy::Constituency(GrammarFigures {
                drawn: written.n_drawn,
                posteriors: written.posteriors,
                ..makeshift.figures()
            }),
        };
        Ok(Done { result, has_problems: !errors.is_empty() })
    }

    /// What was printed cannot be taken back; nothing else is kept.
    fn stopped(&self) -> anyhow::Error {
        match self.what.to.output == Path::new("-") {
            true => Stopped(String::new()).into(),
            false => models::stopped(&self.what.to.output),
        }
    }
}

const MOST_PROBLEMS: usize = 10;

/// Options that mean nothing for this input.
fn note_ignored(what: &What, sentences: &Sentences, watch: &dyn Watch) {
    let format = sentences.source.format;
    if what.gold_tags && format.is_text() {
        watch.without_effect(&["--gold-tags"], "plain text has no tags");
    }
    if !matches!(format, Format::Brackets | Format::Gfl) {
        watch.without_effect(&["--constrain"], "only trees and GFL annotations have brackets");
    }
    if format != Format::Brackets {
        watch.without_effect(&["--normalise"], "it changes brackets only");
    }
}
