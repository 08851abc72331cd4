//! Parsing by sampling: Algorithm 2 of Sun, Mielens & Baldridge (2014).
//!
//! The grammar is not fixed: each sweep draws θ and β given λ times the training counts and the trees that the
//! new sentences have at the moment, then new trees for them. So the sentences teach the grammar what their
//! words are like. λ weighs the training counts; the base concentrations stay positive, so that unseen rules
//! stay within reach.

use std::convert::Infallible;
use std::io;
use std::ops::ControlFlow;
use tree::PutInOrder;

use chain::observe::{Fan, Tally};
use chain::{Observer, Progress, RunError, Schedule, Start, Stop, Workers, sample};
use forest::Derivation;
use grammar::anchor::{Brackets, ConstraintError, Leaves, PrunedForest};
use grammar::{Sizes, Tensors};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::derivation;
use super::ensemble::Workspace;
use super::estimate::estimate;
use super::expected::Bracket;
use super::fallback;
use super::model::Refinement;
use super::parser::{Decode, Fallback, ParseOptions, Parsed, Parser};
use super::prior::{Concentrations, RulePrior};
use super::sampler::{AnnotatedTrees, Given, Sampler, Stage};

/// How the sampler runs.
#[derive(Debug, Clone, PartialEq)]
pub struct GibbsOptions {
    /// λ: the weight of the training counts.
    pub lambda: f64,
    /// Sweeps that are thrown away.
    pub burn_in: u32,
    /// Sweeps that count.
    pub samples: u32,
    /// Every so manieth sweep is kept.
    pub thin: u32,
    /// Chains; the training chains serve in turn.
    pub chains: u32,
    /// The seed.
    pub seed: u64,
}

impl Default for GibbsOptions {
    fn default() -> Self {
        GibbsOptions { lambda: 1.0, burn_in: 10, samples: 40, thin: 1, chains: 4, seed: 0 }
    }
}

/// A sentence's forest, or why it has none.
type Forest = Result<((PrunedForest, Leaves), bool), ConstraintError>;

/// Parses sentences together.
///
/// `mode` and `mbr` choose among the sampled trees; `max-rule` and `viterbi` parse with the parameters that the
/// mean of all counts gives.
pub fn parse(
    parser: &Parser,
    sentences: &[Brackets],
    options: &GibbsOptions,
    parse: &ParseOptions,
    observer: &mut dyn Observer<AnnotatedTrees>,
    workers: &Workers,
) -> Result<Vec<Parsed>, RunError<Infallible>> {
    let forests: Vec<Forest> = workers.map_with(sentences, Workspace::default, |workspace, _, sentence| {
        parser.forest(sentence, parse, workspace)
    });
    let given: Vec<Given> =
        forests.iter().flatten().map(|(forest, _)| Given::Forest(Box::new(forest.clone()))).collect();
    let Some(first) = parser.model().chains.first() else { return Ok(Vec::new()) };
    let sampler = sampler(parser, &given, &first.sizes, options);
    let schedule = Schedule {
        burn_in: options.burn_in,
        samples: options.samples,
        thin: options.thin,
        seed: options.seed,
        chains: options.chains,
    };
    let mut seen = SeenTrees { trees: vec![IndexMap::default(); given.len()] };
    let mut tally = Tally::new("mean counts", |state: &AnnotatedTrees, out: &mut Vec<f64>| {
        out.extend_from_slice(sampler.count(state).values());
    });
    let mut all = Fan::new().with(&mut seen).with(&mut tally).with(observer);
    sample::run(&sampler, &schedule, Start::Fresh, &mut all, workers)?;
    if matches!(parse.decode, Decode::MaxRule | Decode::Viterbi) {
        let refinements = refine(parser, &sampler, &tally.chain_means());
        let refined = Parser::with_refinements(parser.model().clone(), refinements);
        let stream = chain::Stream::new(options.seed).purpose("decode");
        return Ok(refined.parse_all(sentences, parse, stream, workers));
    }
    let mut trees = seen.trees.iter();
    Ok(sentences
        .iter()
        .zip(&forests)
        .map(|(sentence, forest)| match forest {
            Err(problem) => fallback::parsed(parser.model(), sentence, problem.clone()),
            Ok(((pruned, _), widened)) => {
                let none = IndexMap::default();
                choose(parser, sentence, pruned, trees.next().unwrap_or(&none), parse, *widened)
            }
        })
        .collect())
}

fn sampler<'a>(parser: &'a Parser, given: &'a [Given], sizes: &Sizes, options: &GibbsOptions) -> Sampler<'a> {
    let model = parser.model();
    let weigh = |mut counts: Tensors| {
        counts.values_mut().iter_mut().for_each(|count| *count *= options.lambda);
        counts
    };
    let smoothing = &model.smoothing;
    Sampler {
        prior: RulePrior {
            inventory: parser.inventory(),
            means: &model.means,
            concentrations: Concentrations {
                rules: smoothing.rules,
                words: smoothing.words,
                annotations: smoothing.annotations,
            },
        },
        given,
        stages: vec![Stage { from: 1, sizes: sizes.clone() }],
        pseudo: model.chains.iter().map(|chain| weigh(chain.unpack(parser.inventory()))).collect(),
        jump: Vec::new(),
        hyper: None,
        fingerprint: 0,
    }
}

/// The parameters of λ times the training counts and the mean counts of the new sentences.
fn refine(parser: &Parser, sampler: &Sampler<'_>, means: &[Vec<f64>]) -> Vec<Refinement> {
    let model = parser.model();
    let sizes = &sampler.stages[0].sizes;
    means
        .iter()
        .zip(sampler.pseudo.iter().cycle())
        .map(|(mean, pseudo)| {
            let mut counts = pseudo.clone();
            counts.values_mut().iter_mut().zip(mean).for_each(|(count, mean)| *count += mean);
            let tensors = estimate(parser.inventory(), &model.means, sizes, &counts, &model.smoothing);
            Refinement { sizes: sizes.clone(), tensors }
        })
        .collect()
}

/// How often each tree of each sentence was drawn, annotations left out.
struct SeenTrees {
    trees: Vec<IndexMap<Vec<u32>, u32, FxBuildHasher>>,
}

impl Observer<AnnotatedTrees> for SeenTrees {
    fn after_sweep(&mut self, at: &Progress, state: &AnnotatedTrees) -> io::Result<ControlFlow<Stop>> {
        if at.kept {
            for (trees, uses) in self.trees.iter_mut().zip(&state.sentences) {
                let rules: Vec<u32> = uses.iter().map(|used| used.rule).collect();
                *trees.entry(rules).or_default() += 1;
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// The most frequent tree, or the one of the best expected F1 under the samples' brackets.
fn choose(
    parser: &Parser,
    sentence: &Brackets,
    pruned: &PrunedForest,
    drawn: &IndexMap<Vec<u32>, u32, FxBuildHasher>,
    options: &ParseOptions,
    widened: bool,
) -> Parsed {
    let total: f64 = drawn.values().map(|&n| f64::from(n)).sum();
    let derivations: Vec<(Derivation, f64)> = drawn
        .iter()
        .filter(|(rules, _)| !rules.is_empty())
        .map(|(rules, &n)| {
            (derivation::placed(parser.inventory(), pruned.spans(), rules), f64::from(n) / total)
        })
        .collect();
    let mut brackets: FxHashMap<Bracket, f64> = FxHashMap::default();
    for (derivation, share) in &derivations {
        for bracket in parser.labels().brackets(derivation, pruned.spans()) {
            *brackets.entry(bracket).or_default() += share;
        }
    }
    let expected = parser.expected_f1(&derivations, &brackets, pruned.spans());
    let mut order: Vec<usize> = (0..derivations.len()).collect();
    let share = |at: usize| derivations[at].1;
    match options.decode {
        Decode::Mbr => order.order_by(|&a, &b| expected[b].total_cmp(&expected[a])),
        _ => order.order_by(|&a, &b| share(b).total_cmp(&share(a)).then(expected[b].total_cmp(&expected[a]))),
    }
    let trees: Vec<_> = order
        .iter()
        .take(options.n_best.max(1))
        .map(|&at| (parser.tree(&derivations[at].0, sentence, pruned.spans()), share(at)))
        .collect();
    if trees.is_empty() {
        return fallback::parsed(parser.model(), sentence, ConstraintError::NoTree);
    }
    let samples = derivations.iter().flat_map(|(derivation, share)| {
        let n = (share * total).round() as usize;
        std::iter::repeat_n(parser.tree(derivation, sentence, pruned.spans()), n)
    });
    Parsed {
        trees,
        constituents: parser.constituents(&brackets),
        samples: if options.samples > 0 { samples.take(options.samples).collect() } else { Vec::new() },
        ln_probability: f64::NAN,
        fallback: widened.then_some(Fallback::Tags),
    }
}
