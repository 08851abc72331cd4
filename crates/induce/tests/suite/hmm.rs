//! Hidden Markov models against lists of all state sequences.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::enumerated::{
    KINDS, Kind, any_string, any_weights, check, check_frequencies, close, ln_weight, shares,
};
use chain::{Rng, Stream};
use grammar::hmm::{Dictionary, HmmChart};
use induce::hmm::{Hmm, HmmMemory, HmmSentence};
use induce::{Family, random};

/// Every sequence of states that a dictionary allows.
fn sequences(dictionary: &Dictionary, sentence: &HmmSentence) -> Vec<Vec<u32>> {
    let mut found = vec![Vec::new()];
    for &symbol in &sentence.symbols {
        let longer = |states: &Vec<u32>| -> Vec<Vec<u32>> {
            dictionary.states(symbol).iter().map(|&state| [states.as_slice(), &[state]].concat()).collect()
        };
        found = found.iter().flat_map(longer).collect();
    }
    found
}

/// The events of a sequence, by the book.
fn by_the_book(hmm: &Hmm, sentence: &HmmSentence, states: &[u32]) -> Vec<usize> {
    let shape = hmm.shape();
    let mut events = vec![shape.start(states[0] as usize)];
    events.extend(states.windows(2).map(|pair| shape.next(pair[0] as usize, pair[1] as usize)));
    events.push(shape.end(states[states.len() - 1] as usize));
    events.extend(states.iter().zip(&sentence.symbols).map(|(&state, &x)| shape.emit(state as usize, x)));
    events
}

fn any_dictionary(rng: &mut Rng, hmm: &Hmm) -> Dictionary {
    let mut dictionary = Dictionary::free(hmm.shape());
    for symbol in 0..hmm.shape().n_symbols() as u32 {
        if rng.bernoulli(0.4) {
            let states: Vec<u32> =
                (0..hmm.shape().n_states() as u32).filter(|_| rng.bernoulli(0.6)).collect();
            dictionary.restrict(symbol, states);
        }
    }
    dictionary
}

fn cases() -> impl Iterator<Item = (Rng, Hmm, Dictionary, HmmSentence, Vec<f64>, Kind)> {
    (0..150).map(|case| {
        let mut rng = Stream::new(7).item(case).rng();
        let (k, kind) = (1 + rng.below(3), KINDS[case % 4]);
        let hmm = Hmm::new(k, 3);
        let dictionary =
            if rng.bernoulli(0.5) { any_dictionary(&mut rng, &hmm) } else { Dictionary::free(hmm.shape()) };
        let n = 1 + rng.below(6);
        let sentence = HmmSentence { symbols: any_string(&mut rng, 3, n) };
        let weights = any_weights(&mut rng, hmm.rows(), kind);
        (rng, hmm.with_dictionary(dictionary.clone()), dictionary, sentence, weights, kind)
    })
}

#[test]
fn sums_counts_and_best_sequences_are_those_of_all_sequences() {
    for (_, hmm, dictionary, sentence, weights, _) in cases() {
        let sequences = sequences(&dictionary, &sentence);
        let events: Vec<Vec<usize>> =
            sequences.iter().map(|states| by_the_book(&hmm, &sentence, states)).collect();
        check(&hmm, &sentence, &weights, &events);
    }
}

#[test]
fn posteriors_and_draws_are_those_of_all_sequences() {
    let (mut n_wide, mut n_impossible) = (0, 0);
    for (mut rng, hmm, dictionary, sentence, weights, kind) in cases() {
        let sequences = sequences(&dictionary, &sentence);
        let logs: Vec<f64> = sequences
            .iter()
            .map(|states| ln_weight(&weights, &by_the_book(&hmm, &sentence, states)))
            .collect();
        let (total, shares) = shares(&logs);
        let laid = hmm.laid(&sentence, &weights);
        let mut chart = HmmChart::default();
        chart.fill(&laid);
        n_wide += usize::from(!chart.is_narrow());
        assert!(chart.is_narrow() || matches!(kind, Kind::Sparse | Kind::Extreme));
        let k = hmm.shape().n_states();
        let mut expected = vec![0.0; k * sentence.symbols.len()];
        for (states, share) in sequences.iter().zip(&shares) {
            states.iter().enumerate().for_each(|(at, &state)| expected[at * k + state as usize] += share);
        }
        let posteriors = chart.posteriors(&laid);
        assert!(posteriors.iter().zip(&expected).all(|(a, b)| close(*a, *b)), "{posteriors:?} {expected:?}");
        let mut states = Vec::new();
        if !total.is_finite() {
            n_impossible += 1;
            assert!(!chart.sample(&laid, || rng.uniform(), &mut states));
            assert!(hmm.mbr(&sentence, &weights, &mut HmmMemory::default()).is_none());
            continue;
        }
        let decoded = hmm.mbr(&sentence, &weights, &mut HmmMemory::default()).unwrap();
        for (at, &state) in decoded.iter().enumerate() {
            let row = &expected[at * k..(at + 1) * k];
            assert!(row.iter().all(|&p| p <= row[state as usize] + 1e-9));
        }
        check_frequencies(&shares, 2000, || {
            assert!(chart.sample(&laid, || rng.uniform(), &mut states));
            sequences.iter().position(|sequence| *sequence == states).unwrap()
        });
    }
    assert!(n_wide > 10 && n_impossible > 3, "{n_wide} {n_impossible}");
}

#[test]
fn impossible_sentences_have_no_counts() {
    let hmm = Hmm::new(2, 2);
    let mut dictionary = Dictionary::free(hmm.shape());
    dictionary.restrict(1, []);
    let hmm = hmm.with_dictionary(dictionary);
    let weights = hmm.rows().even();
    for symbols in [vec![], vec![0, 1, 0]] {
        let mut counts = vec![0.0; weights.len()];
        let sentence = HmmSentence { symbols };
        let mut memory = HmmMemory::default();
        assert_eq!(hmm.expect(&sentence, &weights, &mut memory, &mut counts), f64::NEG_INFINITY);
        assert_eq!(hmm.best(&sentence, &weights, &mut memory, &mut counts), f64::NEG_INFINITY);
        assert!(counts.iter().all(|&count| count == 0.0));
    }
}

#[test]
fn probabilities_of_all_strings_sum_to_one() {
    let rng = &mut Stream::new(3).rng();
    let hmm = Hmm::new(2, 1);
    let weights = random::draw(hmm.rows(), |_| 5.0, rng);
    let mut memory = HmmMemory::default();
    let p = |n: usize, memory: &mut HmmMemory| {
        let mut counts = vec![0.0; weights.len()];
        hmm.expect(&HmmSentence { symbols: vec![0; n] }, &weights, memory, &mut counts).exp()
    };
    let total: f64 = (1..400).map(|n| p(n, &mut memory)).sum();
    assert!((total - 1.0).abs() < 1e-9, "{total}");
}

#[test]
fn two_thousand_words_do_not_underflow() {
    let rng = &mut Stream::new(4).rng();
    let hmm = Hmm::new(4, 50);
    let weights = random::draw(hmm.rows(), |_| 0.3, rng);
    let sentence = HmmSentence { symbols: any_string(rng, 50, 2000) };
    let shape = hmm.shape();
    // The same sum in logarithms.
    let ln = |event: usize| weights[event].ln();
    let mut forward: Vec<f64> =
        (0..4).map(|state| ln(shape.start(state)) + ln(shape.emit(state, sentence.symbols[0]))).collect();
    for &symbol in &sentence.symbols[1..] {
        let reach = |state: usize| {
            let terms: Vec<f64> =
                (0..4).map(|before| forward[before] + ln(shape.next(before, state))).collect();
            num::special::log_sum_exp(&terms) + ln(shape.emit(state, symbol))
        };
        forward = (0..4).map(reach).collect();
    }
    let ends: Vec<f64> = (0..4).map(|state| forward[state] + ln(shape.end(state))).collect();
    let expected = num::special::log_sum_exp(&ends);
    let (mut memory, mut counts) = (HmmMemory::default(), vec![0.0; weights.len()]);
    let found = hmm.expect(&sentence, &weights, &mut memory, &mut counts);
    assert!(expected < -5000.0 && close(found, expected), "{found} {expected}");
    let emitted: f64 =
        (0..4).flat_map(|state| (0..50).map(move |x| shape.emit(state, x))).map(|e| counts[e]).sum();
    assert!(close(emitted, 2000.0), "{emitted}");
    let (states, value) = hmm.viterbi(&sentence, &weights, &mut memory).unwrap();
    assert!(close(value, ln_weight(&weights, &by_the_book(&hmm, &sentence, &states))) && value < found);
}
