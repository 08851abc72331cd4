//! What holds for every corpus: estimators climb, and counts are those of all derivations.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::enumerated::{KINDS, Kind, any_string, any_weights, check};
use arcs::dmv::{Counter, DmvChart, DmvSentence, DmvWeights, Laid, Mask, RootWeights};
use chain::{FitOptions, Rng, Start, Stream, Workers, fit};
use grammar::cnf::Emission;
use induce::shared::{Course, Estimate, Shared};
use induce::{Dmv, Family, Hmm, Pcfg, hmm, pcfg, random};
use proptest::prelude::*;

const ESTIMATES: [Estimate; 4] = [
    Estimate::Point { alpha: 1.0 },
    Estimate::Point { alpha: 1.4 },
    Estimate::Posterior { alpha: 0.1 },
    Estimate::Posterior { alpha: 1.5 },
];

const N_SYMBOLS: usize = 3;

fn any_corpus<T>(rng: &mut Rng, item: impl Fn(Vec<u32>) -> T) -> Vec<T> {
    let n_sentences = 1 + rng.below(8);
    let mut any = || {
        let n = 1 + rng.below(7);
        item(any_string(rng, N_SYMBOLS, n))
    };
    (0..n_sentences).map(|_| any()).collect()
}

/// Log-likelihood, posterior density and bound never fall.
fn climbs<F: Family>(family: &F, items: &[F::Item], rng: &mut Rng) {
    let start = random::draw(family.rows(), |_| 1.0, rng);
    for estimate in ESTIMATES {
        let shared = Shared::new(family, items, start.clone(), estimate, Course::default(), 0);
        let options = FitOptions { max_iterations: 25, tolerance: 0.0, ..FitOptions::default() };
        let fitted =
            fit::fit(&shared, &options, Start::Fresh, &mut (), &Workers::serial()).unwrap().into_fitted();
        for pair in fitted.history.windows(2) {
            assert!(pair[1] >= pair[0] - 1e-9 * (1.0 + pair[0].abs()), "{estimate:?}: {:?}", fitted.history);
        }
        let point = shared.point(&fitted.params);
        assert!(family.rows().ranges().all(|row| (point[row].iter().sum::<f64>() - 1.0).abs() < 1e-9));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 25, ..ProptestConfig::default() })]

    #[test]
    fn estimators_climb_over_dependency_models(seed: u64, valence: bool) {
        let rng = &mut Stream::new(seed).rng();
        let sentences = any_corpus(rng, |tags| DmvSentence::of_tags(&tags));
        climbs(&Dmv::new(N_SYMBOLS, valence), &sentences, rng);
    }

    #[test]
    fn estimators_climb_over_hidden_markov_models(seed: u64, n_states in 1..4usize) {
        let rng = &mut Stream::new(seed).rng();
        let sentences = any_corpus(rng, |symbols| hmm::HmmSentence { symbols });
        climbs(&Hmm::new(n_states, N_SYMBOLS), &sentences, rng);
    }

    #[test]
    fn estimators_climb_over_context_free_grammars(seed: u64, k in 1..4usize, free: bool) {
        let rng = &mut Stream::new(seed).rng();
        let sentences = any_corpus(rng, |words| pcfg::PcfgSentence { words });
        let words = N_SYMBOLS;
        let emission =
            if free { Emission::Free { preterminals: 2, words } } else { Emission::Tags(words) };
        climbs(&Pcfg::new(k, emission), &sentences, rng);
    }
}

/// Every projective tree in which one word hangs from the root, as the heads of words, 0 for the root.
fn trees(n: usize) -> Vec<Vec<u32>> {
    let mut heads = vec![0u32; n];
    let mut found = Vec::new();
    loop {
        if is_tree(&heads) {
            found.push(heads.clone());
        }
        // The next list of heads, as if they were the digits of a number.
        let Some(at) = heads.iter().position(|&head| head < n as u32) else { return found };
        heads[at] += 1;
        heads[..at].fill(0);
    }
}

fn is_tree(heads: &[u32]) -> bool {
    let reaches_root = |mut word: usize| {
        (0..heads.len()).any(|_| {
            word = heads[word - 1] as usize;
            word == 0
        })
    };
    let arcs = || (1..).zip(heads).map(|(word, &head)| (word.min(head), word.max(head)));
    let crosses = |a: (u32, u32), b: (u32, u32)| a.0 < b.0 && b.0 < a.1 && a.1 < b.1;
    heads.iter().filter(|&&head| head == 0).count() == 1
        && (1..=heads.len()).all(reaches_root)
        && arcs().all(|a| arcs().all(|b| !crosses(a, b)))
}

#[test]
fn counts_of_dependency_models_are_those_of_all_trees() {
    let lists: Vec<Vec<Vec<u32>>> = (0..=6).map(trees).collect();
    // The number of projective trees with one root: 1, 2, 7, 30, 143, 728 (Yuret 1998).
    assert_eq!(lists.iter().skip(1).map(Vec::len).collect::<Vec<_>>(), [1, 2, 7, 30, 143, 728]);
    let mut n_wide = 0;
    for case in 0..90 {
        let rng = &mut Stream::new(27).item(case).rng();
        let dmv = Dmv::new(N_SYMBOLS, rng.bernoulli(0.5));
        let n = 1 + rng.below(6);
        let sentence = DmvSentence::of_tags(&any_string(rng, N_SYMBOLS, n));
        let kind = KINDS[case % 4];
        let mut weights = any_weights(rng, dmv.rows(), kind);
        if kind == Kind::Extreme {
            // Going on and what is taken are multiplied as plain numbers, before there is a chart.
            weights.iter_mut().for_each(|weight| *weight = weight.max(1e-150));
        }
        let mut counter = Counter::default();
        let mut events_of = |heads: &Vec<u32>| {
            let mut events = Vec::new();
            counter.events(dmv.shape(), &sentence, heads, RootWeights::One, |event| events.push(event));
            events
        };
        let events: Vec<Vec<usize>> = lists[n].iter().map(&mut events_of).collect();
        check(&dmv, &sentence, &weights, &events);
        let mut laid = DmvWeights::default();
        laid.fill(dmv.shape(), &weights, &sentence, RootWeights::One);
        let mut chart = DmvChart::default();
        chart.fill(&Laid { weights: &laid, mask: Mask::Free });
        n_wide += usize::from(!chart.is_narrow());
    }
    assert!(n_wide > 10, "{n_wide}");
}
