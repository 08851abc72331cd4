//! Context-free grammars without trees, judged by unlabelled brackets on the sentences they were learned from.

use chain::{FitOptions, Schedule, Start, Stream, Workers, fit, sample};
use grammar::cnf::Emission;
use indexmap::IndexSet;
use induce::brackets::{self, Bracketing};
use induce::pcfg::gibbs::{Alpha, Sampler};
use induce::pcfg::{BracketDecode, PcfgMemory, PcfgSentence};
use induce::shared::{Course, Estimate, Shared};
use induce::{Family, Pcfg, random};
use tree::Span;

use super::Induction;
use crate::corpus;

const TREEBANK: &str = "data/constituency/english_wsj/norm/train.mrg";
const PUNCTUATION: [&str; 8] = ["``", "''", ".", ",", ":", "-LRB-", "-RRB-", "-NONE-"];
/// Nonterminals, and the prior of the sampler's rules and emissions.
const K: usize = 10;
const ALPHA: f64 = 0.1;

pub(super) fn run(arguments: &Induction, workers: &Workers) -> anyhow::Result<()> {
    let keep = |tag: &str| !PUNCTUATION.contains(&tag);
    let trees = corpus::trees(TREEBANK)?;
    let gold: Vec<Bracketing> = trees.iter().map(|tree| brackets::of_tree(tree, keep)).collect();
    let gold: Vec<Bracketing> = gold.into_iter().filter(|b| (1..=10).contains(&b.tags.len())).collect();
    let mut tags = IndexSet::new();
    let number = |b: &Bracketing, tags: &mut IndexSet<_>| PcfgSentence {
        words: b.tags.iter().map(|tag| tags.insert_full(tag.clone()).0 as u32).collect(),
    };
    let sentences: Vec<PcfgSentence> = gold.iter().map(|b| number(b, &mut tags)).collect();
    println!(
        "{} sentences of at most 10 words, {} tags, {K} nonterminals; F1 of unlabelled brackets",
        gold.len(),
        tags.len()
    );
    println!(
        "{:24} {:.1}",
        "right-branching",
        f1(&gold, |at| brackets::right_branching(gold[at].tags.len()))
    );
    println!("{:24} {:.1}", "left-branching", f1(&gold, |at| brackets::left_branching(gold[at].tags.len())));
    let pcfg = Pcfg::new(K, Emission::Tags(tags.len()));
    for name in ["EM", "VB", "Gibbs"] {
        let mut scores = [Vec::new(), Vec::new()];
        for seed in 1..=arguments.seeds {
            let weights = match name {
                "Gibbs" => gibbs(&pcfg, &sentences, seed, arguments, workers)?,
                _ => estimate(&pcfg, &sentences, name == "EM", seed, arguments, workers)?,
            };
            for (scores, decode) in scores.iter_mut().zip([BracketDecode::Viterbi, BracketDecode::Mbr]) {
                let parse =
                    |at: usize| pcfg.parse(&sentences[at], &weights, decode, &mut PcfgMemory::default());
                scores.push(f1(&gold, |at| parse(at).unwrap_or_default()));
            }
        }
        let [viterbi, mbr] = scores.map(|scores| spread(&scores));
        println!("{name:24} Viterbi {viterbi}, MBR {mbr}, {} seeds", arguments.seeds);
    }
    Ok(())
}

fn f1(gold: &[Bracketing], found: impl Fn(usize) -> Vec<Span>) -> f64 {
    let (mut shared, mut total) = (0, 0);
    for (at, gold) in gold.iter().enumerate() {
        let found = brackets::telling(gold.tags.len(), found(at));
        shared += brackets::shared(&gold.brackets, &found);
        total += gold.brackets.len() + found.len();
    }
    200.0 * shared as f64 / total as f64
}

/// Mean and standard deviation.
pub(super) fn spread(scores: &[f64]) -> String {
    let n = scores.len() as f64;
    let mean = scores.iter().sum::<f64>() / n;
    let variance = scores.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    format!("{mean:.1} ± {:.1}", variance.sqrt())
}

fn estimate(
    pcfg: &Pcfg,
    sentences: &[PcfgSentence],
    is_em: bool,
    seed: u64,
    arguments: &Induction,
    workers: &Workers,
) -> anyhow::Result<Vec<f64>> {
    let start = random::draw(pcfg.rows(), |_| 1.0, &mut Stream::new(seed).rng());
    let estimate = if is_em { Estimate::Point { alpha: 1.0 } } else { Estimate::Posterior { alpha: ALPHA } };
    let objective = Shared::new(pcfg, sentences, start, estimate, Course::default(), 0);
    let options = FitOptions { max_iterations: arguments.passes, tolerance: 1e-6, ..FitOptions::default() };
    Ok(fit::fit(&objective, &options, Start::Fresh, &mut (), workers)?.into_fitted().params.weights)
}

fn gibbs(
    pcfg: &Pcfg,
    sentences: &[PcfgSentence],
    seed: u64,
    arguments: &Induction,
    workers: &Workers,
) -> anyhow::Result<Vec<f64>> {
    let alpha = Alpha { root: 1.0, rules: ALPHA, emissions: ALPHA };
    let sampler = Sampler { pcfg, sentences, alpha, fingerprint: 0 };
    let schedule =
        Schedule { burn_in: arguments.passes, samples: arguments.passes, thin: 1, seed, chains: 1 };
    let mut tally = sampler.tally();
    sample::run(&sampler, &schedule, Start::Fresh, &mut tally, workers)?;
    Ok(sampler.mean(&tally.mean()))
}
