//! `treelet tag train`.

use super::learn::{self, SavedTraining};
use super::material::Material;
use super::model::{self, Tagger, further};
use super::next;
pub use super::next::Wish;
use crate::models;
use crate::options::tag::TagTrain;
use crate::outcome::{Done, Usage};
use crate::run::{Run, cannot_write};
use crate::table::plural;
use crate::watch::Watch;
use ::score::tags::{self, ByLexicon, Lexicon};
use chain::{Start, Workers};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use tag::certainty::of_dictionary;
use tag::crf::{CrfError, CrfOptions, Further};
use tag::hmm::Order;
use tag::pipeline::{self, Learned, Supervision};
use tag::{Certainty, Choice, crf};
use tree::Text;

/// What a tagger was learned from, and what would help it most.
#[derive(Debug, Clone)]
pub struct TrainedTagger {
    /// What it was learned from.
    pub seen: LearnedFrom,
    /// Words that are most worth a place in the dictionary, if they were asked for.
    pub next: Vec<Wish>,
    /// Words on which it was found out how often tags are right.
    pub calibrated_on: usize,
    /// Features that have weights.
    pub features: usize,
    /// How long it took.
    pub seconds: f64,
}

/// Learns a tagger from a dictionary, tagged sentences and raw text, and writes it.
pub fn train_tagger(options: &TagTrain, watch: &dyn Watch) -> anyhow::Result<Done<TrainedTagger>> {
    check(options)?;
    let inputs: Vec<&PathBuf> = inputs(options).collect();
    let run = Run::new(&options.new_model.output, &options.saving, &inputs, None, watch)?;
    let start = start(options, &run)?;
    note_ignored(options, watch);
    let workers = models::workers(options.threads)?;
    let material = Material::read(options, watch)?;
    if material.dictionary.tags().is_empty() {
        return Err(Usage("no word has a tag; give words with tags by --dict or --tokens".into()).into());
    }
    let seen = LearnedFrom::new(&material);
    let analyser = material.transducer.as_ref().map(|(_, analyser)| analyser);
    let segmenter = material.morphs.as_ref().map(model::segmenter).transpose()?;
    let further = further(analyser, segmenter.as_ref());
    let (tagger, certainty) = learned(options, &material, &further, (&run, start), &workers)?;
    let wishes = match options.next {
        0 => Vec::new(),
        n => next::wishes((&tagger, &certainty), &further, &material, n, &workers),
    };
    let mut notes = notes(options, &material);
    notes.insert("probabilities".into(), model::described(&certainty));
    let transducer =
        material.transducer.as_ref().map(|(transducer, analyser)| (transducer, analyser.surface()));
    let n_features = tagger.n_features();
    let written = model::write(
        &options.new_model.output,
        (material.column, tagger, certainty),
        &material.dictionary,
        (transducer, material.morphs.clone()),
        notes,
    );
    match options.stages.no_final {
        // Nothing was saved on the way.
        true => written.map_err(|error| cannot_write(error, &options.new_model.output))?,
        false => run.written(written)?,
    }
    if !certainty.is_calibrated() {
        watch.note(&format!("note: the probabilities of tags are {}", model::described(&certainty)));
    }
    let output = options.new_model.output.display();
    watch.note(&format!(
        "{output}: {}, {n_features} features, {:.1} s; next: treelet tag run {output} SENTENCES",
        plural(seen.n_tags, "tag"),
        run.seconds()
    ));
    let result = TrainedTagger {
        seen,
        next: wishes,
        calibrated_on: certainty.n_words,
        features: n_features,
        seconds: run.seconds(),
    };
    Ok(Done { result, has_problems: material.has_errors })
}

fn note_ignored(options: &TagTrain, watch: &dyn Watch) {
    if options.raw.is_empty() {
        watch.without_effect(&["--from", "--lines"], "they are for --raw");
    }
    if options.stages.no_final {
        let of_the_last = ["--epochs", "--held-out", "--checkpoint", "--checkpoint-every", "--resume"];
        watch.without_effect(&of_the_last, "with --no-final, no tagger is trained");
    }
}

fn check(options: &TagTrain) -> anyhow::Result<()> {
    if options.new_model.output == Path::new("-") {
        return Err(Usage("a model is written to a file; give its name with -o".into()).into());
    }
    if options.tokens.is_empty() && options.raw.is_empty() {
        return Err(Usage(match options.dict {
            Some(_) => "a dictionary alone says nothing of sentences; give text with --raw, or tagged sentences with --tokens",
            None => "there is nothing to learn from; give --tokens, or --dict and --raw",
        }
        .into())
        .into());
    }
    if options.dict.is_none() && options.tokens.is_empty() {
        return Err(Usage("raw text has no tags; give words with tags by --dict or --tokens".into()).into());
    }
    Ok(())
}

fn inputs(options: &TagTrain) -> impl Iterator<Item = &PathBuf> {
    let named = options.dict.iter().chain(&options.fst).chain(&options.segmenter).chain(&options.held_out);
    options.tokens.iter().chain(&options.raw).chain(named)
}

/// Where the last stage starts. The stages before it are not saved: they take little time beside it, and are made anew.
fn start(options: &TagTrain, run: &Run<'_>) -> anyhow::Result<Start<crf::Training>> {
    if options.stages.no_final || !run.goes_on()? {
        return Ok(Start::Fresh);
    }
    run.goes_on_with(crf::read_checkpoint(&run.checkpoint), "epoch")
}

/// From tagged sentences alone the tagger learns at once; otherwise all stages take part. That somebody stopped it is an error.
fn learned(
    options: &TagTrain,
    material: &Material,
    further: Further<'_>,
    (run, start): (&Run<'_>, Start<crf::Training>),
    workers: &Workers,
) -> anyhow::Result<(Tagger, Certainty)> {
    let at_once = options.dict.is_none() && options.raw.is_empty();
    let supervision = material.supervision();
    let mut stages = stages(options);
    if options.stages.no_final {
        stages.last = None;
        let learned = first_stages(&supervision, &stages, further, workers)?;
        let auto_tagged = learned.auto_tagged(0.0, further, workers);
        let certainty = of_dictionary(&supervision, &auto_tagged, further, &stages, workers);
        return Ok((Tagger::Hmm(Box::new(learned.tagger)), certainty));
    }
    let mut settings = if at_once { CrfOptions::default() } else { stages.last.unwrap_or_default() };
    settings.seed = options.chance.seed;
    settings.descent.epochs = options.epochs.map_or(settings.descent.epochs, |epochs| epochs as usize);
    stages.last = Some(settings.clone());
    let (tags, held_out) = (material.dictionary.tags(), &material.held_out[..]);
    let mut checkpoints = run.checkpoints();
    let promise = "finishing this epoch and saving the run";
    let saved = SavedTraining { start, observer: &mut checkpoints, promise };
    let stopped = || run.stopped(None);
    if at_once {
        note_stages(run.watch);
        let material = crf::Material { tags, sentences: &material.tagged, held_out };
        let learned = learn::from_sentences(material, further, &settings, saved, workers, run.watch);
        let (crf, certainty) = learned.map_err(crf_error)?.ok_or_else(stopped)?;
        return Ok((Tagger::Crf(Box::new(crf)), certainty));
    }
    let learned = first_stages(&supervision, &stages, further, workers)?;
    // The tagger learns from all tags that are probable enough; what it will say most often is the best one.
    let [sentences, auto_tagged] = [stages.sure, 0.0].map(|sure| learned.auto_tagged(sure, further, workers));
    let material = crf::Material { tags, sentences: &sentences, held_out };
    let crf = learn::watched(material, further, &settings, saved, workers, run.watch).map_err(crf_error)?;
    let crf = crf.ok_or_else(stopped)?;
    let certainty = of_dictionary(&supervision, &auto_tagged, further, &stages, workers);
    Ok((Tagger::Crf(Box::new(crf)), certainty))
}

fn note_stages(watch: &dyn Watch) {
    let stages = ["--no-propagation", "--minimise", "--no-em", "--second-order"];
    watch.without_effect(&stages, "from tagged sentences alone the tagger learns at once");
}

/// Which stages there are.
fn stages(options: &TagTrain) -> pipeline::Options {
    let (defaults, stages) = (pipeline::Options::default(), &options.stages);
    pipeline::Options {
        propagate: defaults.propagate.filter(|_| !stages.no_propagation),
        minimise: defaults.minimise || stages.minimise,
        order: if stages.second_order { Order::Second } else { defaults.order },
        em: defaults.em.filter(|_| !stages.no_em),
        ..defaults
    }
}

/// All stages but the last.
fn first_stages(
    supervision: &Supervision,
    stages: &pipeline::Options,
    further: Further<'_>,
    workers: &Workers,
) -> anyhow::Result<Learned> {
    let learned = pipeline::learn(supervision, further, stages, workers);
    learned.map_err(|error| Usage(error.to_string()).into())
}

fn notes(options: &TagTrain, material: &Material) -> std::collections::BTreeMap<String, String> {
    let mut notes = material.notes.clone();
    notes.insert("seed".into(), options.chance.seed.to_string());
    notes.insert("tags".into(), material.dictionary.tags().len().to_string());
    notes.insert("sentences".into(), (material.tagged.len() + material.raw.len()).to_string());
    notes
}

/// What was learned from, and how much of the text the dictionary covers.
#[derive(Debug, Clone)]
pub struct LearnedFrom {
    /// Tags there are.
    pub n_tags: usize,
    /// Words of the dictionary.
    pub n_words: usize,
    /// Pairs of word and tag in it.
    pub n_entries: usize,
    /// Words of the text that have a tag.
    pub n_tagged: usize,
    /// Words of the text.
    pub n_tokens: usize,
    /// Different ones.
    pub n_types: usize,
    /// Tokens and types of the text that the dictionary has.
    pub covered: [usize; 2],
    /// What the dictionary says of the tagged sentences; `None` if there are none or no dictionary.
    pub recall: Option<ByLexicon>,
}

impl LearnedFrom {
    fn new(material: &Material) -> Self {
        let dictionary = &material.dictionary;
        let types: HashSet<&Text> = material.words().collect();
        let is_there = |word: &&Text| dictionary.get(word).is_some();
        let name = |tag: u32| dictionary.tags().name(tag).as_str();
        let known = material.tagged.iter().flat_map(|sentence| {
            sentence.words.iter().zip(&sentence.choices).filter_map(|(word, choice)| match choice {
                Choice::Known(tag) => Some((word, *tag)),
                _ => None,
            })
        });
        let pairs = dictionary
            .iter()
            .flat_map(|(word, tags)| tags.iter().map(move |(tag, _)| (word.clone(), Text::from(name(*tag)))));
        let lexicon = Lexicon::new(pairs);
        let n_tagged = known.clone().count();
        let recall = (!dictionary.is_empty() && n_tagged > 0).then(|| {
            let words = known.map(|(word, tag)| tags::Tagged { word, gold: name(tag), system: "" });
            tags::compare(words, Some(&lexicon)).by_lexicon
        });
        Self {
            n_tags: dictionary.tags().len(),
            n_words: dictionary.len(),
            n_entries: dictionary.n_entries(),
            n_tagged,
            n_tokens: material.words().count(),
            n_types: types.len(),
            covered: [
                material.words().filter(is_there).count(),
                material.words().filter(is_there).collect::<HashSet<_>>().len(),
            ],
            recall,
        }
    }
}

impl TrainedTagger {
    fn json(&self) -> Value {
        let seen = &self.seen;
        let part = |part: usize, whole: usize| json!({ "covered": part, "total": whole });
        let [tokens, types] = seen.covered;
        let recall = seen.recall.as_ref().map(|by| {
            json!({
                "tokens": { "right": by.recall.correct, "total": by.recall.total },
                "tokens_of_known_words": { "right": by.recall_of_known.correct, "total": by.recall_of_known.total },
                "types": { "right": by.recall_of_types.correct, "total": by.recall_of_types.total },
            })
        });
        json!({
            "tags": seen.n_tags,
            "features": self.features,
            "tagged_tokens": seen.n_tagged,
            "calibrated_on": self.calibrated_on,
            "dictionary": {
                "words": seen.n_words,
                "entries": seen.n_entries,
                "coverage": { "tokens": part(tokens, seen.n_tokens), "types": part(types, seen.n_types) },
                "recall": recall,
            },
            "next": self.next.iter().map(Wish::json).collect::<Vec<_>>(),
            "seconds": self.seconds,
        })
    }
}

impl Serialize for TrainedTagger {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.json().serialize(serializer)
    }
}

fn crf_error(error: CrfError) -> anyhow::Error {
    match error {
        CrfError::NotSaved(reason) => {
            anyhow::Error::from(io::Error::other(reason)).context("cannot save the run")
        }
        error => Usage(error.to_string()).into(),
    }
}
