//! `treelet tag run`.

use super::forms::Forms;
use super::material::MESSAGES;
use super::model::{Tagger, TaggerModel};
use super::next::dense;
use super::{tag_of, tag_of_mut};
use crate::any_model::{AnyModel, ModelKind};
use crate::batches::{Given, Input, Wanted};
use crate::imputation::rows::replacing;
use crate::models;
use crate::options::impute::TagColumn;
use crate::options::impute::Trust;
use crate::options::tag::TagRun;
use crate::outcome::{Done, Figures};
use crate::table::plural;
use crate::target::Target;
use crate::use_cases::check::report_problems;
use crate::use_cases::joint;
use crate::watch::{Steps, Watch};
use anyhow::{Context, bail};
use chain::Workers;
use formats::conllu;
use serde_json::json;
use std::path::Path;
use std::sync::atomic::Ordering;
use tag::Choice;
use tag::certainty::Basis;
use tag::crf::{Decoder, Decoders, Further, Posteriors};
use tag::pipeline::HmmTagger;
use tree::provenance::Column;
use tree::sentence::UNSPECIFIED;
use tree::{Sentence, Text};

/// Sentences that are held in memory at a time.
const BATCH: usize = 1024;

/// Tags sentences and writes them.
pub fn tag(options: &TagRun, watch: &dyn Watch) -> anyhow::Result<Done<Figures>> {
    let inputs = [options.model.as_path(), options.input.as_path()];
    models::check_sentences(&options.to.output, options.course.json, &inputs, "the tagged sentences")?;
    if AnyModel::open(&options.model)?.kind == ModelKind::Joint {
        return joint::run::tag(options, watch);
    }
    watch.without_effect(&["--trees", "--heat-maps"], "the tagger knows no syntax");
    let workers = models::workers(options.course.threads)?;
    let model = TaggerModel::read(&options.model)?;
    let further = model.further();
    let mut decoding = Decoding::new(&model, &further, &workers);
    if options.viterbi && matches!(model.tagger, Tagger::Hmm(_)) {
        watch.note("note: --viterbi: a hidden Markov model gives each word its most probable tag");
    }
    if model.dictionary.is_empty() {
        watch.without_effect(&["--beyond-dict"], "the tagger was learned without a dictionary");
    }
    let machine = models::signature("tagger", &options.model)?;
    let column = options.column.unwrap_or(model.column);
    let tagging = SentenceTagging { model: &model, options, column, machine: &machine };
    let wanted = Wanted { heads: false, empty: true, trust: Trust::Imputed };
    let reading = &options.course.reading;
    let mut input =
        Input::open(&options.input, reading.format(), reading.characters.encoding, wanted, watch)?;
    let stop = watch.stop_flag("stopping");
    let mut output = Target::create(&options.to.output)?;
    let mut counts = TaggingCounts::default();
    let (mut forms, mut problems) = (Forms::default(), Vec::new());
    let steps = Steps::new(watch, input.size(), "byte");
    loop {
        let batch = input.next_batch(BATCH)?;
        if batch.is_empty() {
            break;
        }
        let ready: Vec<Ready> = batch.into_iter().map(|given| tagging.prepare(given, &mut forms)).collect();
        let tagged = decoding.tag(&tagging, &ready, &workers);
        if stop.load(Ordering::Relaxed) {
            return Err(models::stopped(&options.to.output));
        }
        for (ready, (sentence, n_given)) in ready.into_iter().zip(&tagged) {
            counts.add(sentence, &ready, *n_given);
            problems.extend(ready.given.annotated.errors);
            conllu::write(sentence, &mut output)
                .with_context(|| format!("cannot write {}", options.to.output.display()))?;
        }
        steps.reach(input.position(), String::new);
    }
    drop(steps);
    let (source, problems) = input.finish(problems);
    if counts.n_sentences == 0 && problems.iter().any(formats::Problem::is_error) {
        report_problems(&source, &problems, &MESSAGES, watch)?;
        bail!(
            "{} has no sentence that can be used; {} was not written",
            source.name(),
            options.to.output.display()
        );
    }
    output.finish(watch)?;
    forms.note(watch);
    if model.certainty.basis == Basis::Nothing && counts.n_given > 0 {
        watch.note("note: the probabilities of tags are not calibrated; see `treelet model info`");
    }
    counts.note(options, &source.name(), watch);
    let has_problems = report_problems(&source, &problems, &MESSAGES, watch)?;
    Ok(Done { result: counts.json().into(), has_problems })
}

/// A sentence that can be tagged.
struct Ready {
    given: Given,
    words: Vec<Text>,
    choices: Vec<Choice>,
    /// Whether each word gets a tag.
    asked: Vec<bool>,
    n_unknown: usize,
}

/// What is done with a sentence.
struct SentenceTagging<'a> {
    model: &'a TaggerModel,
    options: &'a TagRun,
    column: TagColumn,
    /// How the tagger signs.
    machine: &'a str,
}

impl SentenceTagging<'_> {
    fn prepare(&self, given: Given, forms: &mut Forms) -> Ready {
        let words = forms.of(&given.annotated.sentence);
        let mut ready = Ready { given, words, choices: Vec::new(), asked: Vec::new(), n_unknown: 0 };
        for (token, word) in ready.given.annotated.sentence.words().zip(&ready.words) {
            let tag = tag_of(self.column, token);
            // What a machine said is open again.
            let is_asked =
                self.options.again.all || *tag == UNSPECIFIED || marked(self.column).is_by_machine(token);
            let number = if is_asked { None } else { self.model.tags().number(tag) };
            ready.n_unknown += usize::from(!is_asked && number.is_none());
            ready.choices.push(match number {
                Some(number) => Choice::Known(number),
                None if self.options.beyond_dict => Choice::Any,
                None => self.model.dictionary.get(word).cloned().unwrap_or_default(),
            });
            ready.asked.push(is_asked);
        }
        ready
    }

    /// A sentence of which no word wants a tag.
    fn finished(ready: &Ready) -> Option<(Sentence, usize)> {
        (!ready.asked.contains(&true)).then(|| (ready.given.annotated.sentence.clone(), 0))
    }

    fn by_crf(&self, decoder: &mut Decoder<'_>, ready: &Ready) -> (Sentence, usize) {
        let sequence = self.options.viterbi.then(|| decoder.viterbi(&ready.words, &ready.choices));
        self.with_tags(ready, sequence, decoder.posteriors(&ready.words, &ready.choices))
    }

    fn by_hmm(&self, hmm: &HmmTagger, further: Further<'_>, ready: &Ready) -> (Sentence, usize) {
        let n_tags = hmm.tags().len();
        let rows = hmm.posteriors(&ready.words, &ready.choices, further);
        let values: Vec<f64> = rows.iter().flat_map(|row| dense(row, n_tags)).collect();
        self.with_tags(ready, None, Posteriors::of_rows(n_tags, &values))
    }

    /// The sentence with its tags, and how many words got one.
    fn with_tags(
        &self,
        ready: &Ready,
        sequence: Option<Vec<u32>>,
        posteriors: Posteriors<'_>,
    ) -> (Sentence, usize) {
        let mut sentence = ready.given.annotated.sentence.clone();
        let (names, n_best) = (self.model.tags(), self.options.n_best as usize);
        let several = match self.column {
            TagColumn::Upos => "UposNBest",
            TagColumn::Xpos => "XposNBest",
        };
        let mut n_given = 0;
        for (at, token) in sentence.words_mut().enumerate().filter(|(at, _)| ready.asked[*at]) {
            let tag = sequence.as_ref().map_or_else(|| posteriors.best(at).0, |tags| tags[at]);
            *tag_of_mut(self.column, token) = names.name(tag).clone();
            let mut row = posteriors.of(at).to_vec();
            self.model.certainty.correct(&ready.choices[at], &mut row);
            let mut items = Vec::new();
            if n_best > 1 {
                // Corrections keep the order of tags, but may make two as probable; their order is that of before.
                let listed =
                    posteriors.n_best(at, n_best).into_iter().map(|(tag, _)| (tag, row[tag as usize]));
                let shown = listed.map(|(tag, p)| format!("{}:{p:.4}", misc_safe(names.name(tag))));
                items.push((several, shown.collect::<Vec<_>>().join(",")));
            }
            token.misc = replacing(&token.misc, &[several], items);
            marked(self.column).mark(token, self.machine, Some(row[tag as usize].min(1.0)));
            n_given += 1;
        }
        (sentence, n_given)
    }
}

/// The column as it is marked.
fn marked(column: TagColumn) -> Column {
    match column {
        TagColumn::Upos => Column::Upos,
        TagColumn::Xpos => Column::Xpos,
    }
}

/// What a model needs to tag batch after batch.
enum Decoding<'a> {
    Crf(Decoders<'a>),
    Hmm(&'a HmmTagger, Further<'a>),
}

impl<'a> Decoding<'a> {
    fn new(model: &'a TaggerModel, further: Further<'a>, workers: &Workers) -> Self {
        match &model.tagger {
            Tagger::Crf(crf) => Decoding::Crf(Decoders::new(crf, further, workers)),
            Tagger::Hmm(hmm) => Decoding::Hmm(hmm, further),
        }
    }

    fn tag(
        &mut self,
        tagging: &SentenceTagging<'_>,
        ready: &[Ready],
        workers: &Workers,
    ) -> Vec<(Sentence, usize)> {
        match self {
            Decoding::Crf(decoders) => decoders.map(ready, workers, |decoder, ready| {
                SentenceTagging::finished(ready).unwrap_or_else(|| tagging.by_crf(decoder, ready))
            }),
            Decoding::Hmm(hmm, further) => workers.map(ready, |_, ready| {
                SentenceTagging::finished(ready).unwrap_or_else(|| tagging.by_hmm(hmm, *further, ready))
            }),
        }
    }
}

/// A bar would end an item of MISC.
fn misc_safe(tag: &str) -> String {
    tag.replace('|', "\\p")
}

/// What was done.
#[derive(Debug, Default)]
struct TaggingCounts {
    n_sentences: usize,
    n_words: usize,
    n_given: usize,
    /// Words that keep a tag which the tagger does not know.
    n_unknown: usize,
}

impl TaggingCounts {
    fn add(&mut self, sentence: &Sentence, ready: &Ready, n_given: usize) {
        self.n_sentences += 1;
        self.n_words += sentence.n_words();
        self.n_given += n_given;
        self.n_unknown += ready.n_unknown;
    }

    fn json(&self) -> serde_json::Value {
        json!({
            "sentences": self.n_sentences,
            "words": self.n_words,
            "tagged": self.n_given,
            "kept": self.n_words - self.n_given,
        })
    }

    fn note(&self, options: &TagRun, name: &str, watch: &dyn Watch) {
        if self.n_sentences == 0 {
            watch.note(&format!("note: {name} has no sentences"));
        } else if self.n_given < self.n_words {
            let kept = plural(self.n_words - self.n_given, "word");
            watch.note(&format!("note: {kept} kept the tag they had; --all tags them again"));
        }
        if self.n_unknown > 0 {
            let words = plural(self.n_unknown, "word");
            watch.note(&format!("note: {words} kept a tag that the tagger does not know"));
        }
        if options.to.output != Path::new("-") {
            watch.note(&format!(
                "{}: {}, {} tagged",
                options.to.output.display(),
                plural(self.n_sentences, "sentence"),
                plural(self.n_given, "word")
            ));
        }
    }
}
