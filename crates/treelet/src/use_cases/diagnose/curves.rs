//! F1 against what can be turned up: sweeps of the parsing sampler, sweeps of training, and λ.

use super::scores::{Gold, ParseScores};
use crate::models::{self, run_error};
use crate::options::diagnose::Diagnose;
use crate::outcome::Usage;
use crate::watch::Steps;
use crate::watch::Watch;
use chain::observe::Each;
use chain::{Progress, Stop, Stream, Workers};
use constituency::ensemble::Workspace;
use constituency::gibbs::{self, GibbsOptions};
use constituency::sampler::AnnotatedTrees;
use constituency::{Decode, Model, ParseOptions, Parsed, Parser};
use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;
use tree::PutInOrder;

/// What was asked for; nothing else is worked out.
#[derive(Clone, Debug, Default)]
pub struct Curves {
    /// By sweeps of the parsing sampler, none thrown away: Sun (2016), Figure 2.4. These are the trees drawn most
    /// often, for the point is what drawing more often is worth; the others are max-rule's.
    pub parsing: Vec<Point>,
    /// By sweeps that the models were trained with: Figure 2.5.
    pub training: Vec<Point>,
    /// By λ: Figure 2.6.
    pub lambdas: Vec<Point>,
}

/// One point of a curve.
#[derive(Clone, Debug)]
pub struct Point {
    /// A number of sweeps, or λ.
    pub at: f64,
    /// The model.
    pub file: String,
    /// How good the trees are.
    pub scores: ParseScores,
}

/// How many sweeps each of several models was trained with, as their notes say; nothing of a single model.
pub(super) fn training_sweeps(options: &Diagnose) -> anyhow::Result<Vec<u32>> {
    if options.models.len() < 2 {
        return Ok(Vec::new());
    }
    if options.gold.is_none() {
        let advice = "several models are compared by their F1; give the trees to compare with: --gold";
        return Err(Usage(advice.into()).into());
    }
    let sweeps = |path: &PathBuf| {
        let model = models::read(path)?;
        let said = model.notes.get("sweeps").and_then(|sweeps| sweeps.parse().ok());
        said.ok_or_else(|| {
            let name = path.display();
            Usage(format!("{name} does not say how many sweeps it was trained with; train it again")).into()
        })
    };
    options.models.iter().map(sweeps).collect()
}

/// Parses the words of the gold trees in all the ways that were asked for.
pub(super) fn curves(
    first: &Model,
    training_sweeps: &[u32],
    gold: &Gold,
    options: &Diagnose,
    workers: &Workers,
    watch: &dyn Watch,
) -> anyhow::Result<Curves> {
    let mut curves = sampled(first, gold, options, workers, watch)?;
    curves.training = trained(training_sweeps, gold, options, workers, watch)?;
    Ok(curves)
}

/// Runs the parsing sampler for each number of sweeps and each λ.
fn sampled(
    first: &Model,
    gold: &Gold,
    options: &Diagnose,
    workers: &Workers,
    watch: &dyn Watch,
) -> anyhow::Result<Curves> {
    if options.sweeps.is_empty() && options.lambdas.is_empty() {
        return Ok(Curves::default());
    }
    let chains = first.chains.len().max(1) as u32;
    let given = GibbsOptions { chains, seed: options.seed, ..GibbsOptions::default() };
    let by_sweeps = sorted(options.sweeps.iter().map(|&n| f64::from(n))).into_iter();
    let by_sweeps: Vec<(f64, GibbsOptions)> =
        by_sweeps.map(|n| (n, GibbsOptions { burn_in: 0, samples: n as u32, ..given.clone() })).collect();
    let by_lambda = sorted(options.lambdas.iter().copied()).into_iter();
    let by_lambda: Vec<(f64, GibbsOptions)> =
        by_lambda.map(|lambda| (lambda, GibbsOptions { lambda, ..given.clone() })).collect();
    let n_sweeps = by_sweeps.iter().chain(&by_lambda).map(|(_, run)| n_sweeps(run)).sum();
    let mut sampling = Sampling {
        parser: Parser::new(first.clone(), workers),
        file: options.models.first().map(|path| path.display().to_string()).unwrap_or_default(),
        gold,
        done: 0,
        steps: Steps::new(watch, n_sweeps, "sweep"),
        workers,
    };
    let parsing = by_sweeps.iter().map(|run| sampling.point(run, Decode::Mode));
    let parsing = parsing.collect::<anyhow::Result<_>>()?;
    let lambdas = by_lambda.iter().map(|run| sampling.point(run, Decode::MaxRule));
    let lambdas = lambdas.collect::<anyhow::Result<_>>()?;
    Ok(Curves { parsing, training: Vec::new(), lambdas })
}

fn n_sweeps(run: &GibbsOptions) -> u64 {
    u64::from(run.burn_in) + u64::from(run.samples)
}

/// In order, each once.
fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_unstable_by(f64::total_cmp);
    values.dedup();
    values
}

/// Runs of the parsing sampler one after another. They have the seed in common, so that they differ by nothing else.
struct Sampling<'a> {
    parser: Parser,
    /// The model.
    file: String,
    gold: &'a Gold,
    /// Sweeps of the runs before.
    done: u64,
    steps: Steps,
    workers: &'a Workers,
}

impl Sampling<'_> {
    fn point(&mut self, (at, run): &(f64, GibbsOptions), decode: Decode) -> anyhow::Result<Point> {
        let (done, steps) = (self.done, &self.steps);
        let mut progress = Each(|at: &Progress, _: &AnnotatedTrees| -> io::Result<ControlFlow<Stop>> {
            steps.reach(done + at.sweep, || format!("lambda {}", run.lambda));
            Ok(ControlFlow::Continue(()))
        });
        let sentences = self.gold.sentences();
        let options = ParseOptions { decode, ..ParseOptions::default() };
        let parsed = gibbs::parse(&self.parser, &sentences, run, &options, &mut progress, self.workers);
        let scores = self.gold.score(&parsed.map_err(run_error)?);
        self.done += n_sweeps(run);
        Ok(Point { at: *at, file: self.file.clone(), scores })
    }
}

/// Parses with each model, read one at a time: each may be large.
fn trained(
    sweeps: &[u32],
    gold: &Gold,
    options: &Diagnose,
    workers: &Workers,
    watch: &dyn Watch,
) -> anyhow::Result<Vec<Point>> {
    let sentences = gold.sentences();
    let steps = Steps::new(watch, (sweeps.len() * sentences.len()) as u64, "tree");
    let stream = Stream::new(options.seed).purpose("decode");
    let point = |(path, &sweeps): (&PathBuf, &u32)| {
        let parser = models::parser(path, workers)?;
        let parsed: Vec<Parsed> =
            workers.map_with(&sentences, Workspace::default, |workspace, at, sentence| {
                steps.step();
                parser.parse(sentence, &ParseOptions::default(), stream.item(at), workspace)
            });
        let file = path.display().to_string();
        Ok(Point { at: f64::from(sweeps), file, scores: gold.score(&parsed) })
    };
    let mut points: Vec<Point> =
        options.models.iter().zip(sweeps).map(point).collect::<anyhow::Result<_>>()?;
    points.order_by(|a, b| a.at.total_cmp(&b.at));
    Ok(points)
}
