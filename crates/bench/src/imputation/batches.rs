//! Batches of whole sentences, chosen as `treelet select` does, judged by the parser that learns from them.

use anyhow::Context;
use chain::{Stream, Threads, Workers};
use dependency::{Annotated, DependencyModel, DependencyOptions, Learner, ParseOptions, Workspace};
use impute::Fragment;
use impute::convex::{self, ConvexOptions};
use std::ops::ControlFlow;
use study::select::{Candidate, Census, Counted, Options, Strategy, Unit, select, select_diverse};
use tree::Sentence;

use super::selection::Selection;
use crate::accuracy::mean_sd;
use crate::dependencies::{self, Attached, Gold};
use crate::forecast::{DEV, TEST};

/// How sentences are chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Way {
    Random,
    /// Uncertainty for the money, whatever was chosen besides.
    Entropy,
    /// The same for a batch in which no two tell the same.
    Diverse,
}

pub(crate) fn run(arguments: &Selection) -> anyhow::Result<()> {
    let workers = Workers::new(Threads::from_count(arguments.threads))?;
    let ways = [Way::Random, Way::Entropy, Way::Diverse];
    println!(
        "UAS of the parser that learned from whole sentences of {} arcs, the first {} by lot, the rest in {} batches; ± the \
         standard error of the difference to random choice",
        arguments.annotate,
        arguments.annotate / (arguments.batches + 1),
        arguments.batches
    );
    println!(
        "{:<24} {}",
        "treebank",
        ways.iter().map(|way| format!("{:>24}", way.name())).collect::<String>()
    );
    let names = if arguments.dev { DEV } else { TEST };
    let default = arguments.data == ["low"];
    let mut as_good = vec![0; ways.len()];
    let mut n_treebanks = 0;
    for name in names.into_iter().filter(|name| default || arguments.data.iter().any(|one| one == name)) {
        let simulation = Simulation::new(name, arguments)?;
        let scores: Vec<Vec<f64>> =
            ways.iter().map(|&way| simulation.seeds(way, arguments, &workers)).collect::<Result<_, _>>()?;
        let mut line = format!("{name:<24} ");
        for (at, scores_of) in scores.iter().enumerate() {
            let pairs = scores_of.iter().zip(&scores[0]);
            let (mean, sd) = mean_sd(&pairs.map(|(one, other)| one - other).collect::<Vec<f64>>());
            let error = sd / (scores_of.len() as f64).sqrt();
            line.push_str(&format!("{:>9.1} ({mean:+.1} ± {error:.1})", mean_sd(scores_of).0));
            as_good[at] += usize::from(mean >= 0.0);
        }
        println!("{line}");
        n_treebanks += 1;
    }
    for (way, n) in ways.iter().zip(&as_good).skip(1) {
        println!("{}: at least as good as random on {n} of {n_treebanks}", way.name());
    }
    Ok(())
}

impl Way {
    fn name(self) -> String {
        match self {
            Way::Random => "random".to_owned(),
            Way::Entropy => "entropy per cost".to_owned(),
            Way::Diverse => "diverse".to_owned(),
        }
    }
}

struct Simulation {
    pool: Vec<Gold>,
    test: Vec<Gold>,
    counted: Vec<Counted>,
}

impl Simulation {
    fn new(name: &str, arguments: &Selection) -> anyhow::Result<Simulation> {
        let file = |part: &str| dependencies::read(&format!("data/dependency/ud/{name}/{part}.conllu"));
        let train = file("train")?;
        let pool = dependencies::first_arcs(&train, arguments.arcs).to_vec();
        let test = file(if arguments.dev { "dev" } else { "test" })?;
        let test = dependencies::first_arcs(&test, arguments.test_words).to_vec();
        let mut census = Census::default();
        let counted = pool
            .iter()
            .map(|gold| census.count(gold.forms.iter().map(|form| form.as_str()), &gold.tags))
            .collect();
        Ok(Simulation { pool, test, counted })
    }

    fn seeds(&self, way: Way, arguments: &Selection, workers: &Workers) -> anyhow::Result<Vec<f64>> {
        (0..arguments.seeds).map(|seed| self.run(way, seed, arguments, workers)).collect()
    }

    /// The first batch is drawn by lot and is the same for all ways.
    fn run(&self, way: Way, seed: u64, arguments: &Selection, workers: &Workers) -> anyhow::Result<f64> {
        let mut chosen = vec![false; self.pool.len()];
        let mut model = None;
        for round in 0..=arguments.batches {
            let wanted = arguments.annotate * (round + 1) / (arguments.batches + 1);
            let done: usize = (0..chosen.len()).filter(|&at| chosen[at]).map(|at| self.pool[at].len()).sum();
            let stream = Stream::new(seed).purpose("bench: batches").tag(round as u64);
            let way = if round == 0 { Way::Random } else { way };
            let order = self.order(way, &chosen, model.as_ref(), arguments, stream, workers)?;
            let mut left = wanted.saturating_sub(done) as i64;
            for at in order {
                if left <= 0 {
                    break;
                }
                left -= self.pool[at].len() as i64;
                chosen[at] = true;
            }
            // Random choice does not look at what was learned.
            if way != Way::Random || round == 0 || round == arguments.batches {
                model = Some(self.learn(&chosen, seed, workers)?);
            }
        }
        Ok(self.score(&model.context("there is always a first round")?, workers))
    }

    /// Sentences that are not chosen yet, the best first.
    fn order(
        &self,
        way: Way,
        chosen: &[bool],
        model: Option<&DependencyModel>,
        arguments: &Selection,
        stream: Stream,
        workers: &Workers,
    ) -> anyhow::Result<Vec<usize>> {
        let left: Vec<usize> = (0..chosen.len()).filter(|&at| !chosen[at]).collect();
        let entropies = match (way, model) {
            (Way::Random, _) | (_, None) => vec![Vec::new(); self.pool.len()],
            (_, Some(_)) if arguments.imputer => self.imputer_entropies(chosen, workers)?,
            (_, Some(model)) => self.parser_entropies(model, workers),
        };
        let candidate = |&at: &usize| Candidate {
            sentence: at,
            entropy: entropies[at].iter().sum(),
            cost: self.pool[at].len() as f64,
            ..Candidate::default()
        };
        let candidates: Vec<Candidate> = left.iter().map(candidate).collect();
        let strategy = if way == Way::Random { Strategy::Random } else { Strategy::EntropyPerCost };
        let options = Options { strategy, unit: Unit::Sentence, n: left.len(), budget: None };
        let choices = match way {
            Way::Diverse => {
                let traits: Vec<_> = left
                    .iter()
                    .map(|&at| self.counted[at].traits((1..).zip(entropies[at].iter().copied())))
                    .collect();
                let options = Options { n: 200, ..options };
                select_diverse(&candidates, &traits, &options)?
            }
            _ => select(&candidates, &options, stream)?,
        };
        Ok(choices.iter().map(|choice| choice.candidate.sentence).collect())
    }

    fn sentences(gold: &[Gold]) -> Vec<Sentence> {
        gold.iter().map(|gold| gold.sentence(&gold.tags)).collect()
    }

    fn parser_entropies(&self, model: &DependencyModel, workers: &Workers) -> Vec<Vec<f64>> {
        let options = ParseOptions { posteriors: true, ..ParseOptions::default() };
        workers.map_with(&Self::sentences(&self.pool), Workspace::default, |workspace, _, sentence| {
            let parsed = model.parse(sentence, None, &options, workspace);
            let entropy = |word: usize| parsed.posteriors.as_ref().map_or(0.0, |all| all.entropy(word));
            (1..=sentence.n_words()).map(entropy).collect()
        })
    }

    fn imputer_entropies(&self, chosen: &[bool], workers: &Workers) -> anyhow::Result<Vec<Vec<f64>>> {
        let fragments: Vec<Fragment> = self
            .pool
            .iter()
            .zip(chosen)
            .map(|(gold, &is_chosen)| gold.fragment(&gold.tags, &vec![is_chosen; gold.len()]))
            .collect::<anyhow::Result<_>>()?;
        let model = convex::train(&fragments, &ConvexOptions::default(), workers).model;
        let completed = model.complete_all(&fragments, workers);
        Ok(completed
            .iter()
            .map(|one| (1..=one.heads.len()).map(|word| one.posteriors.entropy(word)).collect())
            .collect())
    }

    fn learn(&self, chosen: &[bool], seed: u64, workers: &Workers) -> anyhow::Result<DependencyModel> {
        let annotated = |gold: &Gold| -> anyhow::Result<Annotated> {
            let possible = gold.fragment(&gold.tags, &vec![true; gold.len()])?.possible;
            Ok(Annotated { sentence: gold.sentence(&gold.tags), possible, weight: 1.0 })
        };
        let known = self.pool.iter().zip(chosen).filter(|(_, chosen)| **chosen);
        let data: Vec<Annotated> = known.map(|(gold, _)| annotated(gold)).collect::<anyhow::Result<_>>()?;
        let options = DependencyOptions { seed, ..DependencyOptions::default() };
        let learner = Learner::new(&data, &[], None, &options, workers)?;
        let model = learner.run(workers, &mut |_, _| ControlFlow::Continue(()))?;
        model.context("training was not ended by anyone, and yet there is no parser")
    }

    fn score(&self, model: &DependencyModel, workers: &Workers) -> f64 {
        let parsed = model.parse_all(&Self::sentences(&self.test), &ParseOptions::default(), workers);
        let mut attached = Attached::default();
        self.test.iter().zip(&parsed).for_each(|(gold, parsed)| attached.see(&gold.heads, &parsed.heads));
        attached.percent()
    }
}
