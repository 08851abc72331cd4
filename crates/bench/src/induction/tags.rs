//! Hidden Markov models over words, judged by the tags of the words they were learned from.

use std::collections::BTreeMap;

use chain::{FitOptions, Start, Stream, Workers, fit};
use induce::hmm::model::{HmmModel, Words};
use induce::hmm::{HmmMemory, HmmSentence};
use induce::shared::{Course, Estimate, Shared};
use induce::{Family, random};

use super::Induction;
use super::brackets::spread;
use crate::dependencies;

const TREEBANK: &str = "data/dependency/ud/Wolof-WTB/train.conllu";
/// As many states as there are universal tags.
const STATES: usize = 17;

pub(super) fn run(arguments: &Induction, workers: &Workers) -> anyhow::Result<()> {
    let gold = dependencies::read(TREEBANK)?;
    let forms = gold.iter().flat_map(|gold| gold.forms.iter().map(|form| form.as_str()));
    let words = Words::new(forms, |_| false);
    let sentences: Vec<HmmSentence> =
        gold.iter().map(|gold| words.number(gold.forms.iter().map(|form| form.as_str()))).collect();
    let n_words: usize = sentences.iter().map(|sentence| sentence.symbols.len()).sum();
    println!("{TREEBANK}: {n_words} words, {} of them different or rare, {STATES} states", words.len());
    println!(
        "many-to-one: each state stands for the tag it has most often; one state for all words: {:.1}",
        {
            let all: Vec<Vec<u32>> = sentences.iter().map(|s| vec![0; s.symbols.len()]).collect();
            many_to_one(&gold, &all)
        }
    );
    let family = HmmModel::family_of(&words, STATES, &BTreeMap::new());
    for (name, estimate) in
        [("EM", Estimate::Point { alpha: 1.0 }), ("VB, alpha 0.1", Estimate::Posterior { alpha: 0.1 })]
    {
        let mut scores = Vec::new();
        for seed in 1..=arguments.seeds {
            let start = random::draw(family.rows(), |_| 1.0, &mut Stream::new(seed).rng());
            let objective = Shared::new(&family, &sentences, start, estimate, Course::default(), 0);
            let options =
                FitOptions { max_iterations: arguments.passes, tolerance: 1e-6, ..FitOptions::default() };
            let weights =
                fit::fit(&objective, &options, Start::Fresh, &mut (), workers)?.into_fitted().params.weights;
            let tag = |s: &HmmSentence| {
                family.mbr(s, &weights, &mut HmmMemory::default()).unwrap_or_else(|| vec![0; s.symbols.len()])
            };
            let found: Vec<Vec<u32>> = sentences.iter().map(tag).collect();
            scores.push(many_to_one(&gold, &found));
        }
        println!("{name:24} {} many-to-one, {} seeds", spread(&scores), arguments.seeds);
    }
    Ok(())
}

fn many_to_one(gold: &[dependencies::Gold], found: &[Vec<u32>]) -> f64 {
    let mut counts: BTreeMap<(u32, &str), usize> = BTreeMap::new();
    let mut total = 0;
    for (gold, found) in gold.iter().zip(found) {
        for (tag, &state) in gold.tags.iter().zip(found) {
            *counts.entry((state, tag.as_str())).or_default() += 1;
            total += 1;
        }
    }
    let mut best: BTreeMap<u32, usize> = BTreeMap::new();
    for ((state, _), &count) in &counts {
        let most = best.entry(*state).or_default();
        *most = (*most).max(count);
    }
    100.0 * best.values().sum::<usize>() as f64 / total as f64
}
