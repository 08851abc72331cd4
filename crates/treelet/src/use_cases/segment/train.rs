//! Learn morphs from a list of words.

use super::{input, models};
use crate::options::segment::{DampeningChoice, MethodChoice, OrderChoice, SegmentTrain};
use crate::outcome::{Done, Stopped, Usage};
use crate::run::{Marked, Run, cannot_write};
use crate::source::{Source, only_one_stdin};
use crate::table::plural;
use crate::use_cases::factors::write;
use crate::watch::Progress as Bar;
use crate::watch::Watch;
use ::segment::{Annotation, Counted, Dampening, Error, Method, Options, Order, Progress, Saved, Trained};
use anyhow::Context;
use formats::segmentations::{self, Segmented};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Instant;

/// What came of learning morphs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TrainedSegmenter {
    /// Words that were learnt from.
    pub words: usize,
    /// Different morphs.
    pub morphs: usize,
    /// Morphs of all words.
    pub morph_tokens: u64,
    /// Times that all words were gone through.
    pub epochs: usize,
    /// The cost of the model: the sum of the three below.
    pub cost: f64,
    /// What the words cost.
    pub corpus_cost: f64,
    /// What the morphs cost.
    pub lexicon_cost: f64,
    /// What the annotated words cost.
    pub annotation_cost: f64,
    /// The cost before training and after each epoch.
    pub costs: Vec<f64>,
}

impl TrainedSegmenter {
    fn new(trained: &Trained) -> Self {
        Self {
            words: trained.model.words.len(),
            morphs: trained.n_morphs,
            morph_tokens: trained.n_tokens,
            epochs: trained.costs.len() - 1,
            cost: trained.cost.total(),
            corpus_cost: trained.cost.corpus,
            lexicon_cost: trained.cost.lexicon,
            annotation_cost: trained.cost.annotations,
            costs: trained.costs.clone(),
        }
    }
}

/// Learns morphs from a list of words and writes a model.
pub fn train_segmenter(options: &SegmentTrain, watch: &dyn Watch) -> anyhow::Result<Done<TrainedSegmenter>> {
    let begun = Instant::now();
    let run = check_paths(options, watch)?;
    note_ignored(options, watch);
    let settings = settings(options)?;
    let list = input::read(&options.file, &options.reading, &options.messages, watch)?;
    let (annotations, annotated, bad_annotations) = annotations(options, watch)?;
    let words: Vec<Counted<'_>> = list.words.iter().map(|entry| (entry.count, entry.word.as_str())).collect();
    let mark = format!("{} {annotated:?} {settings:?}", list.source.fingerprint()?);
    let learned = match &run {
        Some(run) => learn_saved(&words, &annotations, &settings, run, &mark)?,
        None => learn(&words, &annotations, &settings, options.learning.online, watch),
    };
    let trained = match learned {
        Err(Error::Interrupted) => {
            return Err(Stopped(format!("stopped; {} was not written", options.output.display())).into());
        }
        Err(error @ Error::Setting { .. }) => return Err(Usage(error.to_string()).into()),
        trained => trained.with_context(|| list.source.name())?,
    };
    save(options, &settings, &trained, &list.source, watch)?;
    if let Some(run) = &run {
        run.written(Ok(()))?;
    }
    let result = TrainedSegmenter::new(&trained);
    ending(options, &result, begun, watch);
    Ok(Done { result, has_problems: list.has_problems || bad_annotations })
}

/// Options for runs that are saved.
const OF_RUNS: [&str; 3] = ["--checkpoint", "--checkpoint-every", "--resume"];

fn note_ignored(options: &SegmentTrain, watch: &dyn Watch) {
    if options.learning.method != MethodChoice::Viterbi {
        watch.without_effect(&["--smoothing", "--max-letters"], "it is for --method viterbi");
    }
    if options.learning.method == MethodChoice::Viterbi {
        watch.without_effect(&["--skips"], "it is for --method recursive");
    }
    if options.learning.online {
        let of_epochs = ["--min-count", "--order", "--random-splits", "--finish-threshold", "--max-epochs"];
        watch.without_effect(&of_epochs, "with --online, each word is analysed once as it comes");
        watch.without_effect(&OF_RUNS, "with --online, nothing is saved before the end");
    } else if options.output == Path::new("-") {
        watch.without_effect(&OF_RUNS, "what goes to the standard output is not saved on the way");
    }
}

/// Finds out what cannot be written; a run that goes through its words again and again is saved on the way.
fn check_paths<'a>(options: &'a SegmentTrain, watch: &'a dyn Watch) -> anyhow::Result<Option<Run<'a>>> {
    only_one_stdin([&options.file].into_iter().chain(&options.annotations))?;
    if options.output == Path::new("-") {
        if options.text {
            return Ok(None);
        }
        let advice = "a model is no text; give its file a name with -o, or ask for text with --text";
        return Err(Usage(advice.into()).into());
    }
    if !options.learning.online {
        let inputs: Vec<&PathBuf> = [&options.file].into_iter().chain(&options.annotations).collect();
        return Ok(Some(Run::new(&options.output, &options.saving, &inputs, None, watch)?));
    }
    let inputs = [options.file.as_path()].into_iter().chain(options.annotations.as_deref());
    crate::models::refuse_same(&options.output, inputs)?;
    crate::models::check_output(&options.output, "the model")?;
    Ok(None)
}

fn settings(options: &SegmentTrain) -> anyhow::Result<::segment::Options> {
    let learning = &options.learning;
    Ok(::segment::Options {
        dampening: match learning.dampening {
            DampeningChoice::None => Dampening::None,
            DampeningChoice::Log => Dampening::Log,
            DampeningChoice::Ones => Dampening::Ones,
        },
        min_count: learning.min_count,
        method: match learning.method {
            MethodChoice::Recursive => Method::Recursive,
            MethodChoice::Viterbi => Method::Viterbi(super::viterbi(&learning.viterbi)?),
        },
        order: match learning.order {
            OrderChoice::Random => Order::Random,
            OrderChoice::List => Order::List,
            OrderChoice::Sorted => Order::Sorted,
        },
        seed: learning.chance.seed,
        finish_threshold: learning.finish_threshold,
        max_epochs: learning.max_epochs.map(|epochs| epochs as usize),
        corpus_weight: learning.corpus_weight,
        annotation_weight: learning.annotation_weight,
        force_split: learning.force_split.chars().collect(),
        no_split: super::no_split(learning.boundaries.no_split.as_deref())?,
        skips: learning.skips,
        initial_split: learning.random_splits,
        ..::segment::Options::default()
    })
}

/// The annotated words, each once, what their file is known by, and whether some could not be read.
fn annotations(
    options: &SegmentTrain,
    watch: &dyn Watch,
) -> anyhow::Result<(Vec<Annotation>, Option<String>, bool)> {
    let Some(path) = &options.annotations else { return Ok((Vec::new(), None, false)) };
    let source = Source::without_format(path, options.reading.characters.encoding)?;
    let found = segmentations::read(source.open()?).with_context(|| source.cannot_read())?;
    let has_problems = input::report(&source, &found.problems, &options.messages, watch)?;
    let mut by_word: BTreeMap<String, Vec<Vec<String>>> = BTreeMap::new();
    for Segmented { mut word, mut analyses, .. } in found.words {
        input::normalise(&mut word);
        analyses.iter_mut().flatten().for_each(|morph| _ = input::normalise(morph));
        by_word.entry(word).or_default().extend(analyses);
    }
    if by_word.is_empty() {
        return Err(anyhow::anyhow!("{}: no annotated word", source.name()));
    }
    let annotations = by_word.into_iter().map(|(word, analyses)| Annotation { word, analyses }).collect();
    Ok((annotations, Some(source.fingerprint()?), has_problems))
}

fn learn(
    words: &[Counted<'_>],
    annotations: &[Annotation],
    settings: &::segment::Options,
    online: bool,
    watch: &dyn Watch,
) -> Result<Trained, Error> {
    let stop = watch.stop_flag("stopping");
    let mut show = shown(online, watch);
    let mut watch = |at: &Progress| {
        show(at);
        !stop.load(Ordering::Relaxed)
    };
    let train = if online { ::segment::train_online } else { ::segment::train };
    train(words, annotations, settings, &mut watch)
}

/// The same, saved after epochs, and gone on with.
fn learn_saved(
    words: &[Counted<'_>],
    annotations: &[Annotation],
    settings: &Options,
    run: &Run<'_>,
    mark: &str,
) -> anyhow::Result<Result<Trained, Error>> {
    let saving = Marked { kind: "checkpoint/segmentation", version: 1, mark };
    let from = saving.find::<Saved>(run)?;
    let mut show = shown(false, run.watch);
    let mut watch = |at: &Progress| {
        show(at);
        true
    };
    let mut epochs = run.unseen_epochs();
    let mut after = |done: usize, saved: &dyn Fn() -> Saved| {
        epochs.after(done as u64, String::new, |path| saving.save(path, &saved())).is_continue()
    };
    let trained = ::segment::train_saved(words, annotations, settings, from, &mut watch, &mut after);
    epochs.finish()?;
    Ok(trained)
}

/// Shows how far training has come: online training has one bar, other training one for each epoch.
fn shown(online: bool, watch: &dyn Watch) -> impl FnMut(&Progress) {
    let mut bar: Option<(usize, usize, Bar)> = None;
    move |at: &Progress| {
        let epoch = if online { 0 } else { at.epochs };
        if bar.as_ref().is_none_or(|(shown, ..)| *shown != epoch) {
            let what = if online { "words".to_owned() } else { format!("epoch {}", epoch + 1) };
            bar = Some((epoch, 0, Bar::new(watch, Some(at.of as u64), &what)));
        }
        if let Some((_, done, bar)) = &mut bar {
            bar.advance(at.done.saturating_sub(*done));
            *done = at.done;
        }
    }
}

fn save(
    options: &SegmentTrain,
    settings: &::segment::Options,
    trained: &Trained,
    source: &Source,
    watch: &dyn Watch,
) -> anyhow::Result<()> {
    if options.text {
        return write(&options.output, &models::as_text(&trained.model)?, watch);
    }
    let pairs = [
        ("data", source.fingerprint()?),
        ("words", trained.model.words.len().to_string()),
        ("morphs", trained.n_morphs.to_string()),
        ("epochs", (trained.costs.len() - 1).to_string()),
        ("cost", format!("{:.3}", trained.cost.total())),
        ("dampening", format!("{:?}", settings.dampening).to_lowercase()),
        ("corpus-weight", settings.corpus_weight.to_string()),
        ("seed", settings.seed.to_string()),
        ("made-by", format!("treelet {}", env!("CARGO_PKG_VERSION"))),
    ];
    let notes = pairs.map(|(name, value)| (name.to_owned(), value)).into();
    trained.model.write(&options.output, &notes).map_err(|error| cannot_write(error, &options.output))
}

fn ending(options: &SegmentTrain, trained: &TrainedSegmenter, begun: Instant, watch: &dyn Watch) {
    let seconds = begun.elapsed().as_secs_f64();
    watch.note(&format!(
        "{}: {}, {}, cost {:.1} after {}, {seconds:.1} s",
        options.output.display(),
        plural(trained.words, "word"),
        plural(trained.morphs, "morph"),
        trained.cost,
        plural(trained.epochs, "epoch"),
    ));
}
