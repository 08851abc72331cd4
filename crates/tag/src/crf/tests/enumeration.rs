//! Sums and maxima over sequences are those of a list of all sequences.

use proptest::prelude::*;

use super::sequences;
use crate::Choice;
use crate::crf::lattice::{Lattice, Transitions, allows};
use crate::crf::viterbi::Viterbi;

#[derive(Debug, Clone)]
struct Case {
    n_tags: usize,
    scores: Vec<f32>,
    transitions: Vec<f32>,
    choices: Vec<Choice>,
}

fn any_choice(n_tags: usize) -> impl Strategy<Value = Choice> {
    let known = (0..n_tags as u32).prop_map(Choice::Known);
    let among = prop::collection::btree_set(0..n_tags as u32, 1..=n_tags)
        .prop_map(|tags| Choice::Among(tags.into_iter().collect()));
    prop_oneof![Just(Choice::Any), known, among]
}

fn any_case() -> impl Strategy<Value = Case> {
    (1usize..=5, 1usize..=4).prop_flat_map(|(n_words, n_tags)| {
        (
            prop::collection::vec(-6.0f32..6.0, n_words * n_tags),
            prop::collection::vec(-4.0f32..4.0, n_tags * n_tags),
            prop::collection::vec(any_choice(n_tags), n_words),
        )
            .prop_map(move |(scores, transitions, choices)| Case {
                n_tags,
                scores,
                transitions,
                choices,
            })
    })
}

impl Case {
    fn n_words(&self) -> usize {
        self.choices.len()
    }

    fn score(&self, tags: &[usize]) -> f64 {
        let alone = tags.iter().enumerate().map(|(i, tag)| self.scores[i * self.n_tags + tag]);
        let pairs = tags.windows(2).map(|pair| self.transitions[pair[0] * self.n_tags + pair[1]]);
        alone.chain(pairs).map(f64::from).sum()
    }

    /// The sequences that are allowed, with exp(score).
    fn listed(&self) -> Vec<(Vec<usize>, f64)> {
        let all = sequences(self.n_words(), self.n_tags).into_iter();
        let allowed =
            all.filter(|tags| tags.iter().zip(&self.choices).all(|(&tag, choice)| allows(choice, tag)));
        allowed.map(|tags| (tags.clone(), self.score(&tags).exp())).collect()
    }
}

proptest! {
    #[test]
    fn ln_z_and_marginals_are_those_of_all_sequences(case in any_case()) {
        let listed = case.listed();
        let z: f64 = listed.iter().map(|(_, weight)| weight).sum();
        let transitions = Transitions::new(case.n_tags, &case.transitions);
        let mut lattice = Lattice::default();
        let ln_z = lattice.run(&case.scores, &transitions, &case.choices).unwrap();
        prop_assert!((ln_z - z.ln()).abs() < 1e-9, "{ln_z} {}", z.ln());
        let k = case.n_tags;
        let mut pairs = vec![0.0; k * k];
        lattice.add_pairs(&transitions, 2.0, &mut pairs);
        let mut expected_pairs = vec![0.0; k * k];
        let mut expected = vec![0.0; case.scores.len()];
        for (tags, weight) in &listed {
            tags.iter().enumerate().for_each(|(i, tag)| expected[i * k + tag] += weight / z);
            tags.windows(2).for_each(|pair| expected_pairs[pair[0] * k + pair[1]] += 2.0 * weight / z);
        }
        for (found, expected) in lattice.marginals().iter().zip(&expected).chain(pairs.iter().zip(&expected_pairs)) {
            prop_assert!((found - expected).abs() < 1e-9, "{found} {expected}");
        }
    }

    #[test]
    fn viterbi_finds_the_best_of_all_sequences(case in any_case()) {
        let found = Viterbi::default().run(case.n_tags, &case.scores, &case.transitions, &case.choices);
        let found: Vec<usize> = found.into_iter().map(|tag| tag as usize).collect();
        let listed = case.listed();
        prop_assert!(listed.iter().any(|(tags, _)| *tags == found), "not allowed: {found:?}");
        let best = listed.iter().map(|(_, weight)| weight.ln()).fold(f64::NEG_INFINITY, f64::max);
        prop_assert!((case.score(&found) - best).abs() < 1e-4, "{} {best}", case.score(&found));
    }
}

#[test]
fn scores_of_any_size_leave_numbers() {
    let transitions = Transitions::new(2, &[300.0, -300.0, 0.0, 200.0]);
    let mut lattice = Lattice::default();
    let scores = [1e6, -1e6, -1e6, 1e6, 0.0, 0.0];
    let choices = [Choice::Known(1), Choice::Known(0), Choice::Any];
    for choices in [&choices[..], &[]] {
        let ln_z = lattice.run(&scores, &transitions, choices);
        assert!(ln_z.is_some_and(f64::is_finite), "{ln_z:?}");
        assert!(lattice.marginals().iter().all(|p| (0.0..=1.0 + 1e-9).contains(p)));
    }
}

#[test]
fn a_choice_of_tags_that_do_not_exist_excludes_nothing() {
    let transitions = Transitions::new(2, &[0.0; 4]);
    let mut lattice = Lattice::default();
    let free = lattice.run(&[1.0, 2.0], &transitions, &[]);
    for choice in [Choice::Known(7), Choice::Among([5, 9].into())] {
        assert_eq!(lattice.run(&[1.0, 2.0], &transitions, &[choice]), free);
    }
}
