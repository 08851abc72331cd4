//! Hidden Markov models against all sequences of tags, listed one by one.

use std::ops::ControlFlow;

use chain::fit::{self, Fitted};
use chain::observe::{Checkpoints, Each, Every, Fan};
use chain::{Progress, Start, Stop, Threads, Workers};
use proptest::prelude::*;
use tag::hmm::{
    Em, Estimate, Estimation, Hmm, HmmPrior, Lattice, Lexicon, Order, Smoothing, TagCounts, Trellis, em,
    expect,
};

/// Every choice of one tag for each position, as numbers within positions.
fn sequences(lattice: &Lattice) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for at in 0..lattice.len() {
        let n = lattice.tags(at).len();
        all =
            all.iter().flat_map(|start| (0..n).map(move |tag| [start.as_slice(), &[tag]].concat())).collect();
    }
    all
}

/// The transitions of a sequence.
fn steps(lattice: &Lattice, sequence: &[usize], order: Order, n_tags: usize) -> Vec<usize> {
    let tags = sequence.iter().enumerate().map(|(at, &tag)| lattice.tags(at)[tag] as usize);
    let edge = std::iter::repeat_n(n_tags, order.n_before());
    let padded: Vec<usize> = edge.chain(tags).chain([n_tags]).collect();
    padded
        .windows(order.n_before() + 1)
        .map(|w| w.iter().fold(0, |sum, tag| sum * (n_tags + 1) + tag))
        .collect()
}

fn weight(lattice: &Lattice, sequence: &[usize], next: &[f64], order: Order, n_tags: usize) -> f64 {
    let emitted: f64 = sequence.iter().enumerate().map(|(at, &tag)| lattice.weights(at)[tag]).product();
    steps(lattice, sequence, order, n_tags).iter().map(|&step| next[step]).product::<f64>() * emitted
}

const N_TAGS: usize = 3;

fn orders() -> impl Strategy<Value = Order> {
    prop_oneof![Just(Order::First), Just(Order::Second)]
}

/// Up to four words, each with some of three tags; slots are numbered through.
fn lattices() -> impl Strategy<Value = Lattice> {
    let position = proptest::collection::vec(proptest::option::of(0.01..1.0f64), N_TAGS);
    proptest::collection::vec(position, 1..5).prop_map(|positions| {
        let mut lattice = Lattice::default();
        let mut slot = 0;
        for position in positions {
            let mut tags: Vec<(u32, f64, Option<u32>)> = Vec::new();
            for (tag, weight) in (0..).zip(position) {
                if let Some(weight) = weight {
                    tags.push((tag, weight, Some(slot)));
                    slot += 1;
                }
            }
            if tags.is_empty() {
                tags.push((1, 0.5, None));
            }
            lattice.push(tags);
        }
        lattice
    })
}

fn weights() -> impl Strategy<Value = Vec<f64>> {
    proptest::collection::vec(0.01..1.0f64, Order::Second.n_transitions(N_TAGS))
}

proptest! {
    #[test]
    fn sums_counts_and_posteriors_equal_enumeration(lattice in lattices(), next in weights(), order in orders()) {
        let next = &next[..order.n_transitions(N_TAGS)];
        let all = sequences(&lattice);
        let total: f64 = all.iter().map(|sequence| weight(&lattice, sequence, next, order, N_TAGS)).sum();
        let mut trellis = Trellis::new(order, N_TAGS);
        let found = trellis.fill(&lattice, next).unwrap();
        prop_assert!((found - total.ln()).abs() < 1e-9);
        let mut counts = TagCounts::zero(order, N_TAGS, 12);
        let posteriors =
            trellis.count(&lattice, next, 2.0, &mut counts.transitions, &mut counts.emissions).to_vec();
        let (mut transitions, mut expected) = (vec![0.0; next.len()], vec![0.0; posteriors.len()]);
        let first: Vec<usize> = (0..lattice.len())
            .scan(0, |sum, at| { let start = *sum; *sum += lattice.tags(at).len(); Some(start) }).collect();
        for sequence in &all {
            let p = weight(&lattice, sequence, next, order, N_TAGS) / total;
            steps(&lattice, sequence, order, N_TAGS).iter().for_each(|&step| transitions[step] += 2.0 * p);
            sequence.iter().zip(&first).for_each(|(tag, first)| expected[first + tag] += p);
        }
        for (found, expected) in counts.transitions.iter().zip(&transitions) {
            prop_assert!((found - expected).abs() < 1e-9);
        }
        for (found, expected) in posteriors.iter().zip(&expected) {
            prop_assert!((found - expected).abs() < 1e-9);
        }
        let counted: f64 = counts.emissions.iter().sum();
        let with_slot = if (0..lattice.len()).any(|at| lattice.weights(at) == [0.5]) { 0.0 } else { 2.0 };
        prop_assert!(counted >= with_slot * lattice.len() as f64 - 1e-9);
    }

    #[test]
    fn the_best_sequence_equals_enumeration(lattice in lattices(), next in weights(), order in orders()) {
        let next = &next[..order.n_transitions(N_TAGS)];
        let of = |sequence: &Vec<usize>| weight(&lattice, sequence, next, order, N_TAGS);
        let best = sequences(&lattice).into_iter().max_by(|a, b| of(a).total_cmp(&of(b))).unwrap();
        let mut tags = Vec::new();
        let value = Trellis::new(order, N_TAGS).best(&lattice, next, &mut tags).unwrap();
        prop_assert!((value - of(&best).ln()).abs() < 1e-9);
        // There may be several of this weight.
        let found: Vec<usize> =
            tags.iter().enumerate().map(|(at, tag)| lattice.tags(at).iter().position(|t| t == tag).unwrap()).collect();
        prop_assert!((of(&found) - of(&best)).abs() <= 1e-12 * of(&best));
    }

    #[test]
    fn em_never_lowers_its_objective(
        words in proptest::collection::vec(proptest::collection::vec(0u32..5, 1..7), 1..6),
        order in orders(),
        one_count in any::<bool>(),
    ) {
        let (trace, _) = run(&words, order, one_count, &Workers::serial());
        for pair in trace.windows(2) {
            prop_assert!(pair[1] >= pair[0] - 1e-9 * pair[0].abs(), "{:?}", trace);
        }
    }
}

/// The first two of five words have one tag, the third two, the others all.
fn five_words() -> Lexicon {
    Lexicon::new([vec![0], vec![1], vec![0, 2], vec![0, 1, 2], vec![0, 1, 2]])
}

/// Shows EM over five words to `with`.
fn estimating<R>(
    words: &[Vec<u32>],
    order: Order,
    one_count: bool,
    workers: &Workers,
    with: impl FnOnce(Estimation<'_>) -> R,
) -> R {
    let lexicon = five_words();
    let lay = |hmm: &Hmm, number: usize, lattice: &mut Lattice| {
        for &word in &words[number] {
            let slots = lexicon.slots(word);
            lattice.push(slots.map(|slot| (lexicon.tags()[slot], hmm.emit[slot], Some(slot as u32))));
        }
    };
    let even = Hmm {
        order,
        n_tags: N_TAGS,
        next: vec![1.0; order.n_transitions(N_TAGS)],
        emit: vec![1.0; lexicon.len()],
        unseen: vec![1.0; N_TAGS],
        shares: vec![1.0; N_TAGS],
    };
    let lay_even = |number: usize, lattice: &mut Lattice| lay(&even, number, lattice);
    let (counts, _) = expect(words.len(), &lay_even, (order, N_TAGS, &even.next), lexicon.len(), workers);
    let smoothing = if one_count { Smoothing::OneCount(1.0) } else { Smoothing::Add(0.1) };
    let prior = HmmPrior::new(order, N_TAGS, &lexicon, &counts, smoothing, smoothing);
    let start = Hmm::estimate(order, &lexicon, &counts, &prior);
    let n_sentences = words.len();
    with(Estimation { start: &start, n_sentences, lay: &lay, lexicon: &lexicon, prior: &prior })
}

const TWENTY: Em = Em { iterations: 20, tolerance: 0.0 };

fn run(words: &[Vec<u32>], order: Order, one_count: bool, workers: &Workers) -> (Vec<f64>, Hmm) {
    estimating(words, order, one_count, workers, |all| {
        let Estimation { start, n_sentences, lay, lexicon, prior } = all;
        let (hmm, trace) = em(start.clone(), n_sentences, lay, lexicon, prior, &TWENTY, workers);
        (trace.iter().map(|now| now.objective).collect(), hmm)
    })
}

fn many_words() -> Vec<Vec<u32>> {
    (0..1500u32).map(|i| (0..i % 9 + 1).map(|j| (i * i + 3 * j + i * j) % 5).collect()).collect()
}

#[test]
fn em_is_expecting_and_estimating_in_turn() {
    let words = many_words();
    for options in [Em { tolerance: 1e-3, ..TWENTY }, Em { iterations: 3, tolerance: 0.0 }] {
        estimating(&words, Order::First, true, &Workers::serial(), |all| {
            let found = all.fit(&options, Start::Fresh, &mut (), &Workers::serial()).unwrap();
            let (mut hmm, mut before) = (all.start.clone(), f64::NEG_INFINITY);
            for (number, now) in found.1.iter().enumerate() {
                let lay = |number: usize, lattice: &mut Lattice| (all.lay)(&hmm, number, lattice);
                let model = (hmm.order, hmm.n_tags, hmm.next.as_slice());
                let (counts, ln) = expect(words.len(), &lay, model, all.lexicon.len(), &Workers::serial());
                // To the bit: taggers that are there already were made this way.
                assert_eq!((now.ln_likelihood, now.objective), (ln, ln + hmm.ln_prior(all.prior)));
                hmm = Hmm::estimate(hmm.order, all.lexicon, &counts, all.prior);
                let ends = now.objective - before < options.tolerance * now.objective.abs();
                assert_eq!(ends || number + 1 == options.iterations, number + 1 == found.1.len());
                before = now.objective;
            }
            assert_eq!(found.0, hmm);
        });
    }
}

#[test]
fn em_that_was_stopped_goes_on_as_if_it_had_not_been() {
    let (words, folder) = (many_words(), tempfile::tempdir().unwrap());
    let path = folder.path().join("half");
    let workers = Workers::new(Threads::from_count(2)).unwrap();
    estimating(&words, Order::Second, true, &workers, |all| {
        let mut seen = Vec::new();
        let mut watch = Each(|at: &Progress, state: &Fitted<Estimate>| {
            seen.push((at.sweep, at.log_joint, state.params.ln_likelihoods.len()));
            Ok(ControlFlow::Continue(()))
        });
        let straight = all.fit(&TWENTY, Start::Fresh, &mut watch, &workers).unwrap();
        // Whoever watches sees every iteration, and what the model before it was worth.
        let expected = (1..).zip(&straight.1).map(|(n, now)| (n as u64, Some(now.objective), n));
        assert_eq!(seen, expected.collect::<Vec<_>>());
        for after in [1, 7] {
            let mut stop = Each(|at: &Progress, _: &Fitted<Estimate>| {
                let ends = at.sweep == after;
                Ok(if ends { ControlFlow::Break(Stop::Interrupted) } else { ControlFlow::Continue(()) })
            });
            let mut saving = Checkpoints::new(&path, Every::Sweeps(100));
            let mut observer = Fan::new().with(&mut stop).with(&mut saving);
            let half = all.fit(&TWENTY, Start::Fresh, &mut observer, &workers).unwrap();
            assert_eq!(half.1.len() as u64, after);
            let saved = fit::read_checkpoint::<Estimation<'_>>(&path).unwrap();
            let resumed = all.fit(&TWENTY, Start::From(saved), &mut (), &Workers::serial()).unwrap();
            assert_eq!(resumed, straight);
        }
    });
    let saved = fit::read_checkpoint::<Estimation<'_>>(&path).unwrap();
    let refused = estimating(&words[1..], Order::Second, true, &workers, |all| {
        all.fit(&TWENTY, Start::From(saved), &mut (), &workers)
    });
    assert!(refused.is_err(), "a checkpoint of another text");
}

#[test]
fn em_gives_the_same_bits_on_any_number_of_threads() {
    let words = many_words();
    for order in [Order::First, Order::Second] {
        let (trace, hmm) = run(&words, order, true, &Workers::serial());
        for n in [1, 2, 4] {
            let workers = Workers::new(Threads::from_count(n)).unwrap();
            assert_eq!(run(&words, order, true, &workers), (trace.clone(), hmm.clone()));
        }
    }
}

#[test]
fn estimated_probabilities_sum_to_one() {
    let words = [vec![0, 3, 1], vec![2, 4], vec![4, 4, 0, 2]];
    for order in [Order::First, Order::Second] {
        let (_, hmm) = run(&words, order, true, &Workers::serial());
        for row in hmm.next.chunks(N_TAGS + 1) {
            assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
        let lexicon = five_words();
        for tag in 0..N_TAGS {
            let emitted = lexicon.tags().iter().zip(&hmm.emit).filter(|(t, _)| **t as usize == tag);
            let total = emitted.map(|(_, p)| p).sum::<f64>() + hmm.unseen[tag];
            assert!((total - 1.0).abs() < 1e-12);
        }
    }
}

#[test]
fn a_sentence_without_a_possible_sequence_has_no_sum() {
    let mut lattice = Lattice::default();
    lattice.push([(0, 0.0, None)]);
    assert_eq!(Trellis::new(Order::First, 1).fill(&lattice, &[1.0; 4]), None);
    lattice.push([]);
    assert_eq!(Trellis::new(Order::Second, 1).fill(&lattice, &[1.0; 8]), None);
}

/// 1 + the number of things that were counted once, those counted less in parts.
fn one_and_singletons(counts: impl Iterator<Item = f64>) -> f64 {
    1.0 + counts.filter(|&count| count <= 1.0).sum::<f64>()
}

/// A row scaled to sum to 1.
fn scaled(row: Vec<f64>) -> Vec<f64> {
    let total: f64 = row.iter().sum();
    row.into_iter().map(|value| value / total).collect()
}

fn close(found: &[f64], expected: &[f64]) -> Result<(), TestCaseError> {
    prop_assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        prop_assert!((found - expected).abs() < 1e-12, "{} instead of {}", found, expected);
    }
    Ok(())
}

const EDGE: usize = N_TAGS + 1;

/// Some counts are whole, some are parts, and some are 0.
fn some_counts(n: usize) -> impl Strategy<Value = Vec<f64>> {
    let count = prop_oneof![Just(0.0), Just(1.0), (0u8..5).prop_map(f64::from), 0.0..3.0f64];
    proptest::collection::vec(count, n)
}

proptest! {
    #[test]
    fn one_count_smoothing_of_words_is_by_its_definition(counts in some_counts(9), factor in 0.1..3.0f64) {
        // Five words with nine slots: (word, tag).
        let slots = [(0, 0), (1, 1), (2, 0), (2, 2), (3, 0), (3, 1), (3, 2), (4, 1), (4, 2)];
        let lexicon = Lexicon::new([vec![0], vec![1], vec![2, 0], vec![0, 1, 2], vec![1, 2]]);
        let all = TagCounts { emissions: counts.clone(), ..TagCounts::zero(Order::First, N_TAGS, 9) };
        let prior =
            HmmPrior::new(Order::First, N_TAGS, &lexicon, &all, Smoothing::Add(0.0), Smoothing::OneCount(factor));
        // p(w) = (n(w) + 1) / (N + V + 1), and 1 / (N + V + 1) for a word that was never seen.
        let total = counts.iter().sum::<f64>() + 5.0 + 1.0;
        let of_tag = |tag: usize| {
            let mine = slots.iter().zip(&counts).filter(|(slot, _)| slot.1 == tag);
            factor * one_and_singletons(mine.map(|(_, &count)| count))
        };
        let of_word = |word: usize| {
            let mine = slots.iter().zip(&counts).filter(|(slot, _)| slot.0 == word);
            (mine.map(|(_, count)| count).sum::<f64>() + 1.0) / total
        };
        let expected: Vec<f64> = slots.iter().map(|&(word, tag)| of_tag(tag) * of_word(word)).collect();
        close(&prior.emissions, &expected)?;
        close(&prior.unseen, &(0..N_TAGS).map(|tag| of_tag(tag) / total).collect::<Vec<_>>())?;
    }

    #[test]
    fn one_count_smoothing_of_transitions_is_by_its_definition(
        counts in some_counts(EDGE * EDGE * EDGE),
        factor in 0.1..3.0f64,
    ) {
        let lexicon = Lexicon::new([vec![0]]);
        let prior = |order: Order, transitions: &[f64]| {
            let all = TagCounts { transitions: transitions.to_vec(), ..TagCounts::zero(order, N_TAGS, 1) };
            let smoothing = Smoothing::OneCount(factor);
            HmmPrior::new(order, N_TAGS, &lexicon, &all, smoothing, Smoothing::Add(0.0)).transitions
        };
        // n(b, c) = Σ_a n(a, b, c), and p(c) ∝ Σ_b n(b, c) + 0.1.
        let triple = |a: usize, b: usize, c: usize| counts[(a * EDGE + b) * EDGE + c];
        let pair = |b: usize, c: usize| (0..EDGE).map(|a| triple(a, b, c)).sum::<f64>();
        let single = scaled((0..EDGE).map(|c| (0..EDGE).map(|b| pair(b, c)).sum::<f64>() + 0.1).collect());
        let first = |b: usize, c: usize| {
            factor * one_and_singletons((0..EDGE).map(|c| pair(b, c))) * single[c]
        };
        let pairs: Vec<f64> = (0..EDGE).flat_map(|b| (0..EDGE).map(move |c| (b, c))).map(|(b, c)| pair(b, c)).collect();
        let expected: Vec<f64> =
            (0..EDGE).flat_map(|b| (0..EDGE).map(move |c| (b, c))).map(|(b, c)| first(b, c)).collect();
        close(&prior(Order::First, &pairs), &expected)?;
        // A transition from two tags expects what the second of them does, smoothed.
        let mut expected = Vec::new();
        for a in 0..EDGE {
            for b in 0..EDGE {
                let next = scaled((0..EDGE).map(|c| pair(b, c) + first(b, c)).collect());
                let n = factor * one_and_singletons((0..EDGE).map(|c| triple(a, b, c)));
                expected.extend(next.iter().map(|p| n * p));
            }
        }
        close(&prior(Order::Second, &counts), &expected)?;
    }
}

#[test]
fn tags_are_as_frequent_as_their_counts_say_and_words_as_probable_as_counts_and_prior() {
    let lexicon = Lexicon::new([vec![0], vec![1, 0], vec![2, 1]]);
    // Slots are (0, 0), (1, 0), (1, 1), (2, 1), (2, 2).
    let counts = TagCounts {
        emissions: vec![3.0, 1.0, 2.0, 0.5, 3.5],
        ..TagCounts::zero(Order::First, N_TAGS, lexicon.len())
    };
    let prior = HmmPrior {
        transitions: vec![1.0; Order::First.n_transitions(N_TAGS)],
        emissions: vec![0.25, 0.5, 0.0, 1.0, 0.5],
        unseen: vec![0.25, 0.5, 1.0],
    };
    let hmm = Hmm::estimate(Order::First, &lexicon, &counts, &prior);
    assert_eq!(hmm.shares, [0.4, 0.25, 0.35]);
    assert_eq!(hmm.emit, [3.25 / 5.0, 1.5 / 5.0, 2.0 / 4.0, 1.5 / 4.0, 4.0 / 5.0]);
    assert_eq!(hmm.unseen, [0.25 / 5.0, 0.5 / 4.0, 1.0 / 5.0]);
}
