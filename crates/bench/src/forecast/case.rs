//! One forecast and what came of it.

use anyhow::Context;
use chain::{Stream, Workers};
use dependency::{Annotated, DependencyModel, DependencyOptions, Learner, ParseOptions};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use study::forecast::{Course, Measured, Trial, trials};
use tree::Sentence;

use crate::cpu;
use crate::dependencies::{self, Attached, Gold};

/// What was measured with n annotated sentences, and the scores of parsers that learned from more of them.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct ForecastCase {
    pub(crate) treebank: String,
    pub(crate) n_sentences: usize,
    pub(crate) seed: u64,
    pub(crate) measured: Measured,
    /// Sentences, annotated heads and the share of right heads in other text, for n, 2n and 4n sentences.
    pub(crate) later: Vec<(usize, usize, f64)>,
    pub(crate) test_heads: usize,
    pub(crate) seconds: f64,
}

impl ForecastCase {
    pub(crate) fn line(&self) -> String {
        let points = self.measured.points();
        let curve: Vec<String> =
            points.iter().map(|point| format!("{:.0}:{:.1}", point.x, 100.0 * point.score)).collect();
        let later: Vec<String> =
            self.later.iter().map(|(_, heads, score)| format!("{heads}:{:.1}", 100.0 * score)).collect();
        format!(
            "{} {} {}: {} | {} ({:.0} CPU s)",
            self.treebank,
            self.n_sentences,
            self.seed,
            curve.join(" "),
            later.join(" "),
            self.seconds
        )
    }
}

/// Sentences to annotate, and others.
pub(crate) struct ForecastMaterial {
    name: String,
    train: Vec<Gold>,
    /// The text that parsers are scored on; if there is none, they are scored on sentences that nobody annotated.
    test: Option<Vec<Gold>>,
    test_words: usize,
}

impl ForecastMaterial {
    /// Both files of a treebank as one text, or kept apart.
    pub(crate) fn read(name: &str, other: &str, apart: bool, test_words: usize) -> anyhow::Result<Self> {
        let file = |part: &str| dependencies::read(&format!("data/dependency/ud/{name}/{part}.conllu"));
        let (mut train, mut test) = (file("train")?, file(other)?);
        if !apart {
            train.append(&mut test);
        }
        Ok(Self { name: name.to_owned(), train, test: apart.then_some(test), test_words })
    }

    /// Annotates n sentences, measures a learning curve on them, and learns from n, 2n and 4n.
    pub(crate) fn case(
        &self,
        n: usize,
        seed: u64,
        keep: u32,
        course: &Course,
        workers: &Workers,
    ) -> anyhow::Result<ForecastCase> {
        anyhow::ensure!(self.train.len() > 4 * n, "{}: {} sentences only", self.name, self.train.len());
        let stream = Stream::new(seed).purpose("bench: forecast").tag(n as u64);
        let mut order: Vec<usize> = (0..self.train.len()).collect();
        stream.rng().shuffle(&mut order);
        let (annotated, others) = order.split_at(4 * n);
        let others = || others.iter().map(|&at| self.train[at].clone()).collect();
        let test = self.test.clone().unwrap_or_else(others);
        let test = dependencies::first_arcs(&test, self.test_words);
        let annotated: Vec<Known> = annotated
            .iter()
            .map(|&at| Known::new(&self.train[at], f64::from(keep) / 100.0, stream.item(at)))
            .collect::<anyhow::Result<_>>()?;
        let (found, seconds) = cpu::seconds(|| -> anyhow::Result<_> {
            let measured = measure(&annotated[..n], course, workers)?;
            let later = [1, 2, 4].map(|times| later(&annotated[..times * n], test, workers));
            Ok((measured, later.into_iter().collect::<anyhow::Result<Vec<_>>>()?))
        });
        let (measured, later) = found?;
        Ok(ForecastCase {
            treebank: self.name.clone(),
            n_sentences: n,
            seed,
            measured,
            later,
            test_heads: test.iter().map(Gold::len).sum(),
            seconds,
        })
    }
}

fn later(annotated: &[Known], test: &[Gold], workers: &Workers) -> anyhow::Result<(usize, usize, f64)> {
    let model = learn(annotated.iter(), workers)?;
    let sentences: Vec<Sentence> = test.iter().map(|gold| gold.sentence(&gold.tags)).collect();
    let parsed = model.parse_all(&sentences, &ParseOptions::default(), workers);
    let mut attached = Attached::default();
    test.iter().zip(&parsed).for_each(|(gold, parsed)| attached.see(&gold.heads, &parsed.heads));
    let n_heads = annotated.iter().map(|known| known.heads.len()).sum();
    Ok((annotated.len(), n_heads, attached.percent() / 100.0))
}

/// A sentence of which some heads are annotated.
struct Known {
    annotated: Annotated,
    /// Head and dependent.
    heads: Vec<(usize, usize)>,
}

impl Known {
    fn new(gold: &Gold, keep: f64, stream: Stream) -> anyhow::Result<Self> {
        let mut rng = stream.rng();
        let kept: Vec<bool> = (0..gold.len()).map(|_| rng.uniform() < keep).collect();
        let words = (1..=gold.len()).filter(|&word| kept[word - 1]);
        let heads = words.map(|word| (gold.heads.head(word), word)).collect();
        let possible = gold.fragment(&gold.tags, &kept)?.possible;
        let annotated = Annotated { sentence: gold.sentence(&gold.tags), possible, weight: 1.0 };
        Ok(Self { annotated, heads })
    }
}

fn measure(annotated: &[Known], course: &Course, workers: &Workers) -> anyhow::Result<Measured> {
    let n_heads: Vec<usize> = annotated.iter().map(|known| known.heads.len()).collect();
    let trials = trials(&n_heads, course, Stream::new(0).purpose("plan"))?;
    let score = |trial: &Trial| -> anyhow::Result<Option<Vec<usize>>> {
        let model = learn(trial.used.iter().map(|&at| &annotated[at]), workers)?;
        let held: Vec<Sentence> =
            trial.held.iter().map(|&at| annotated[at].annotated.sentence.clone()).collect();
        let parsed = model.parse_all(&held, &ParseOptions::default(), workers);
        let right = trial.held.iter().zip(&parsed).map(|(&at, parsed)| {
            annotated[at].heads.iter().filter(|&&(head, word)| parsed.heads.head(word) == head).count()
        });
        Ok(Some(right.collect()))
    };
    Measured::run(&n_heads, &trials, score)?.context("nobody stopped it")
}

/// The parser of `treelet train dependency`. Fewer than three quarters of the heads are known, so that a rehearsal would
/// choose nothing but the temperature, which trees do not depend on; it is left out.
fn learn<'a>(
    annotated: impl Iterator<Item = &'a Known>,
    workers: &Workers,
) -> anyhow::Result<DependencyModel> {
    let data: Vec<Annotated> = annotated.map(|known| known.annotated.clone()).collect();
    let options = DependencyOptions { held_out: 0.0, ..DependencyOptions::default() };
    let learner = Learner::new(&data, &[], None, &options, workers)?;
    let model = learner.run(workers, &mut |_, _| ControlFlow::Continue(()))?;
    model.context("training was not ended by anyone, and yet there is no parser")
}
