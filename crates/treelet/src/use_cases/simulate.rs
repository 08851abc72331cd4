//! Partial annotations from whole trees.

use super::check::report_problems;
use crate::imputation::annotated::{AnnotatedCorpus, AnnotatedSentence, Aside};
use crate::imputation::fragments::TagChoice;
use crate::imputation::identity::Lookup;
use crate::models;
use crate::options::Input;
use crate::options::study::{AnnotatorModel, Simulate};
use crate::outcome::{Done, Usage};
use crate::target::Target;
use crate::watch::Watch;
use ::score::agreement::definite_heads;
use anyhow::Context;
use chain::Stream;
use formats::gfl::{Block, comments};
use formats::{Problem, conllu};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use study::simulate::{Degraded, Fitted, Gold, Observed, OmissionModel, Rates, at_density, degrade_all, fit};
use tree::sentence::UNSPECIFIED;
use tree::{Head, Heads, Place, Sentence, Text};

/// How much a rate is drawn towards one half where little was observed.
const SMOOTHING: f64 = 0.5;

/// What was kept of whole trees.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Simulated {
    /// Sentences that were written.
    pub sentences: usize,
    /// Heads that were kept.
    pub kept: usize,
    /// All heads.
    pub total: usize,
    /// The share that was kept.
    pub share: f64,
    /// The seed of the randomness.
    pub seed: u64,
}

/// Takes heads away from whole trees as an annotator would, and writes what is left; `None` where there is no whole tree.
pub fn simulate(options: &Simulate, watch: &dyn Watch) -> anyhow::Result<Done<Option<Simulated>>> {
    simulate_and_show(options, watch, |_| Ok(()))
}

/// As [`simulate`], and hands over the figures before the watch hears of problems in the input, which thus stand below them.
pub fn simulate_and_show(
    options: &Simulate,
    watch: &dyn Watch,
    show: impl FnOnce(&Simulated) -> anyhow::Result<()>,
) -> anyhow::Result<Done<Option<Simulated>>> {
    check_files(options)?;
    note_ignored(options, watch);
    let corpus = AnnotatedCorpus::read(&options.file, &options.input, watch)?;
    let tags = TagChoice::resolve(options.tags, corpus.sentences.iter().map(|one| &one.sentence));
    let (sentences, golds, problems) = golds(&corpus, tags);
    if golds.is_empty() && !problems.is_empty() {
        report_problems(&corpus.source, &problems, &options.messages, watch)?;
        corpus.say_unreadable(&options.output, watch);
        return Ok(Done { result: None, has_problems: true });
    }
    let mut aside = Vec::new();
    let model = model(options, &corpus, tags, &mut aside, watch)?;
    let wanted = wanted_share(options).filter(|_| !golds.is_empty());
    let stream = Stream::new(options.chance.seed);
    let model = match wanted {
        Some(wanted) => at_density(&golds, &model, wanted, stream).map_err(usage)?.model,
        None => model,
    };
    model.check().map_err(usage)?;
    let degraded = degrade_all(&golds, &model, stream);
    write(options, &sentences, &degraded, watch)?;
    let simulated = Simulated::new(&degraded, options.chance.seed);
    note_distance(&simulated, wanted, watch);
    show(&simulated)?;
    let has_errors = report_problems(&corpus.source, &problems, &options.messages, watch)?;
    let has_errors = Aside::report(&aside, &options.messages, watch)? || has_errors;
    Ok(Done { result: Some(simulated), has_problems: has_errors })
}

impl Simulated {
    fn new(degraded: &[Degraded], seed: u64) -> Self {
        let kept = degraded.iter().map(Degraded::n_kept).sum();
        let total: usize = degraded.iter().map(|one| one.heads.len()).sum();
        let share = if total == 0 { 0.0 } else { kept as f64 / total as f64 };
        Self { sentences: degraded.len(), kept, total, share, seed }
    }
}

/// The share of heads to keep; rates that are given or fitted say it themselves.
fn wanted_share(options: &Simulate) -> Option<f64> {
    let has_rates = options.alpha.is_some() || options.beta.is_some() || options.fit.is_some();
    options.keep.or((!has_rates).then_some(0.5))
}

/// Of a few words no share can be kept exactly; of many, only some annotators come near to every share.
fn note_distance(simulated: &Simulated, wanted: Option<f64>, watch: &dyn Watch) {
    let is_far = |wanted: &f64| (wanted - simulated.share).abs() > 0.02 && simulated.total >= 50;
    if let Some(wanted) = wanted.filter(is_far) {
        watch.note(&format!("note: this annotator comes no nearer to {:.0}%", 100.0 * wanted));
    }
}

fn check_files(options: &Simulate) -> anyhow::Result<()> {
    crate::source::only_one_stdin(std::iter::once(&options.file).chain(&options.fit))?;
    if options.output != Path::new("-") {
        models::refuse_same(
            &options.output,
            [Some(options.file.as_path()), options.fit.as_deref()].into_iter().flatten(),
        )?;
        models::check_output(&options.output, "the annotation")?;
    }
    Ok(())
}

fn note_ignored(options: &Simulate, watch: &dyn Watch) {
    if options.model == AnnotatorModel::Random {
        watch.without_effect(&["--beta"], "it is for noun, constituent and level");
    }
    if !matches!(options.model, AnnotatorModel::Noun | AnnotatorModel::Tag) {
        watch.without_effect(&["--tags"], "this annotator does not go by tags");
    }
}

fn usage(error: study::Error) -> anyhow::Error {
    Usage(error.to_string()).into()
}

/// The sentences with whole trees; others are problems.
fn golds(corpus: &AnnotatedCorpus, tags: TagChoice) -> (Vec<&Sentence>, Vec<Gold>, Vec<Problem>) {
    let (mut sentences, mut golds, mut problems) = (Vec::new(), Vec::new(), corpus.errors.clone());
    for annotated in &corpus.sentences {
        problems.extend(annotated.errors.clone());
        let Some(heads) = tree_of(annotated) else {
            let help = "give whole trees; until then the sentence is left out";
            problems.push(Problem::error(
                "no-whole-tree",
                Place::line(annotated.line),
                "not every word has a head, or the heads are no tree",
                help,
            ));
            continue;
        };
        if let Ok(gold) = Gold::new(heads, tags.tags(&annotated.sentence)) {
            sentences.push(&annotated.sentence);
            golds.push(gold);
        }
    }
    (sentences, golds, problems)
}

fn tree_of(annotated: &AnnotatedSentence) -> Option<Heads> {
    let heads = crate::imputation::annotated::heads_of(&annotated.said);
    let heads: Option<Vec<u32>> = heads.into_iter().map(|head| u32::try_from(head?).ok()).collect();
    Heads::new(heads?).ok()
}

/// The annotator before the density is set.
fn model(
    options: &Simulate,
    gold: &AnnotatedCorpus,
    tags: TagChoice,
    aside: &mut Vec<Aside>,
    watch: &dyn Watch,
) -> anyhow::Result<OmissionModel> {
    let fitted = match &options.fit {
        Some(path) => Some(observe(path, options, gold, tags, aside, watch)?),
        None => None,
    };
    let (alpha, beta) = (options.alpha, options.beta);
    Ok(match (options.model, &fitted) {
        (AnnotatorModel::Random, Some(fitted)) => fitted.random(),
        (AnnotatorModel::Random, None) => OmissionModel::Random { rate: alpha.unwrap_or(0.5) },
        (AnnotatorModel::Tag, Some(fitted)) => fitted.per_tag(),
        (AnnotatorModel::Tag, None) => {
            return Err(Usage(
                "--model tag takes its rates from annotations: give some with --fit FILE".into(),
            )
            .into());
        }
        (AnnotatorModel::Level, Some(fitted)) => fitted.per_depth().ok_or_else(|| {
            Usage(
                "--model level --fit needs annotations of sentences that are in GOLD, with the same ids"
                    .into(),
            )
        })?,
        (AnnotatorModel::Level, None) => {
            OmissionModel::LevelPruning { first: alpha.unwrap_or(0.1), step: beta.unwrap_or(0.1) }
        }
        (AnnotatorModel::Noun | AnnotatorModel::Constituent, Some(_)) => {
            return Err(Usage("--fit is for --model random, level and tag".into()).into());
        }
        (AnnotatorModel::Noun, None) => {
            OmissionModel::noun_seeking(alpha.unwrap_or(0.2), beta.unwrap_or(0.8))
        }
        (AnnotatorModel::Constituent, None) => OmissionModel::ConstituentSeeking {
            alpha: Rates { by_tag: BTreeMap::new(), other: alpha.unwrap_or(0.2) },
            beta: beta.unwrap_or(0.8),
        },
    })
}

/// Tags, heads that were given, and the tree, of a sentence.
type Seen = (Vec<Text>, Vec<Option<usize>>, Option<Heads>);

/// How often a real annotator left heads open.
fn observe(
    path: &Path,
    options: &Simulate,
    gold: &AnnotatedCorpus,
    tags: TagChoice,
    aside: &mut Vec<Aside>,
    watch: &dyn Watch,
) -> anyhow::Result<Fitted> {
    let input = Input { from: None, characters: options.input.characters };
    let annotated = AnnotatedCorpus::read(path, &input, watch)?;
    let mut lookup = Lookup::new(&gold.sentences);
    let seen: Vec<Seen> = annotated
        .sentences
        .iter()
        .enumerate()
        .map(|(at, one)| {
            // Places do not tell: the fragments need not be of GOLD.
            let partner = lookup.find(one, at).filter(|gold| {
                let has_id = one.sentence.id().is_some() && gold.sentence.id() == one.sentence.id();
                has_id && gold.said.n_words == one.said.n_words
            });
            // Fragments seldom have tags of their own.
            let source = partner.map_or(&one.sentence, |gold| &gold.sentence);
            (tags.tags(source), definite_heads(&one.said), partner.and_then(tree_of))
        })
        .collect();
    let observed: Vec<Observed<'_>> =
        seen.iter().map(|(tags, heads, gold)| Observed { tags, heads, gold: gold.as_ref() }).collect();
    let fitted = fit(&observed, SMOOTHING).map_err(usage)?;
    let rate = 100.0 - 100.0 * fitted.overall.rate(0.0);
    watch.note(&format!("{}: {rate:.1}% of {} words have a head", path.display(), fitted.overall.total));
    aside.push(Aside::new(annotated));
    Ok(fitted)
}

fn write(
    options: &Simulate,
    sentences: &[&Sentence],
    degraded: &[Degraded],
    watch: &dyn Watch,
) -> anyhow::Result<()> {
    let mut target = Target::create(&options.output)?;
    let is_gfl = formats::detect::Format::from_path(&options.output) == Some(formats::detect::Format::Gfl);
    for (&sentence, degraded) in sentences.iter().zip(degraded) {
        let mut sentence = partial(sentence, degraded);
        let written = if is_gfl {
            writeln!(target, "{}", Block::from_sentence(&sentence, &degraded.said))
        } else {
            comments::to_comments(&degraded.said, &mut sentence);
            conllu::write(&sentence, &mut target)
        };
        written.with_context(|| format!("cannot write {}", options.output.display()))?;
    }
    target.finish(watch)
}

/// The sentence without the heads that were taken away, and without what would give them away.
fn partial(sentence: &Sentence, degraded: &Degraded) -> Sentence {
    let mut sentence = sentence.clone();
    for (token, head) in sentence.words_mut().zip(&degraded.heads) {
        token.deps = UNSPECIFIED;
        if head.is_none() {
            token.head = Head::Open;
            token.deprel = UNSPECIFIED;
        }
    }
    sentence.tokens.iter_mut().for_each(|token| token.deps = UNSPECIFIED);
    sentence
}
