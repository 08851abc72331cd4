//! Chains and segmentations against lists of all of them.

use forest::lattice::segments::{self, Ways};
use forest::lattice::{Chain, States, Steps};
use forest::scale::{Exponents, Powers, Rows, Sums};
use forest::semiring::{Count, LogProb, Prob, Semiring};
use proptest::prelude::*;

const N_STATES: usize = 5;
/// The state at the edges.
const EDGE: u32 = N_STATES as u32;
const BASE: usize = N_STATES + 1;

/// Weights of steps between all states and the edge.
#[derive(Debug, Clone)]
struct Table {
    is_of_order_two: bool,
    weights: Vec<f64>,
}

impl Steps for Table {
    fn weights(&self) -> &[f64] {
        &self.weights
    }

    fn first(&self, before: usize, last: usize) -> usize {
        if self.is_of_order_two { (before * BASE + last) * BASE } else { last * BASE }
    }

    fn is_of_order_two(&self) -> bool {
        self.is_of_order_two
    }
}

impl Table {
    /// The places of the steps of a sequence.
    fn steps(&self, path: &[u32]) -> Vec<usize> {
        let before = |at: usize| path[at.saturating_sub(2)] as usize;
        (1..path.len()).map(|at| self.first(before(at), path[at - 1] as usize) + path[at] as usize).collect()
    }

    /// Every sequence with its weight.
    fn listed(&self, states: &States) -> Vec<(Vec<u32>, f64)> {
        let mut all = vec![(Vec::new(), 1.0)];
        for at in 0..states.len() {
            let choices: Vec<(u32, f64)> =
                states.of(at).iter().copied().zip(states.weights(at).iter().copied()).collect();
            let longer = |(path, weight): &(Vec<u32>, f64), (state, w): (u32, f64)| {
                ([path.as_slice(), &[state]].concat(), weight * w)
            };
            all = all
                .iter()
                .flat_map(|start| choices.iter().map(move |&choice| longer(start, choice)))
                .collect();
        }
        all.iter_mut().for_each(|(path, weight)| {
            *weight *= self.steps(path).iter().map(|&step| self.weights[step]).product::<f64>();
        });
        all
    }
}

/// Chains of up to four positions between edges; states of a position are in any order, and some steps weigh nothing.
fn cases() -> impl Strategy<Value = (States, Table)> {
    let all: Vec<u32> = (0..EDGE).collect();
    let position = (proptest::sample::subsequence(all, 1..=N_STATES), any::<bool>())
        .prop_map(|(mut states, reversed)| {
            if reversed {
                states.reverse();
            }
            states
        })
        .prop_flat_map(|states| {
            let n = states.len();
            (Just(states), proptest::collection::vec(0.01..1.0f64, n))
        });
    let step = prop_oneof![1 => Just(0.0), 9 => 0.01..1.0f64];
    let weights = proptest::collection::vec(step, BASE * BASE * BASE);
    (proptest::collection::vec(position, 1..5), weights, any::<bool>()).prop_map(
        |(positions, weights, is_of_order_two)| {
            let mut states = States::default();
            states.push_edge(EDGE);
            positions.into_iter().for_each(|(list, weights)| states.push(list.into_iter().zip(weights)));
            states.push_edge(EDGE);
            (states, Table { is_of_order_two, weights })
        },
    )
}

/// Where a state of a position stands among those of all.
fn place(states: &States, at: usize, state: u32) -> usize {
    states
        .range(at)
        .zip(states.of(at))
        .find(|(_, other)| **other == state)
        .map_or(usize::MAX, |(place, _)| place)
}

/// Total, posteriors by position and state as listed, and expected steps.
fn truth(states: &States, table: &Table) -> (f64, Vec<f64>, Vec<f64>) {
    let listed = table.listed(states);
    let total: f64 = listed.iter().map(|(_, weight)| weight).sum();
    let n_states = states.range(states.len() - 1).end;
    let (mut posteriors, mut steps) = (vec![0.0; n_states], vec![0.0; table.weights.len()]);
    for (path, weight) in &listed {
        for (at, state) in path.iter().enumerate() {
            posteriors[place(states, at, *state)] += weight / total;
        }
        table.steps(path).iter().for_each(|&step| steps[step] += weight / total);
    }
    (total, posteriors, steps)
}

fn close(found: &[f64], expected: &[f64]) -> bool {
    found.len() == expected.len() && found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9)
}

fn sums_and_posteriors_hold<R: Rows>(mut chain: Chain<R>, states: &States, table: &Table) -> bool {
    let (total, posteriors, steps) = truth(states, table);
    let Some(found) = chain.fill(states, table).filter(|found| *found > f64::NEG_INFINITY) else {
        return total == 0.0;
    };
    let mut counted = vec![0.0; table.weights.len()];
    chain.smooth(states, table, |step, p| counted[step] += p);
    (found - total.ln()).abs() < 1e-9 && close(chain.posteriors(), &posteriors) && close(&counted, &steps)
}

fn the_best_is_best<R: Rows>(mut chain: Chain<R>, states: &States, table: &Table) -> bool {
    let listed = table.listed(states);
    let most = listed.iter().map(|(_, weight)| *weight).fold(0.0, f64::max);
    let mut path = Vec::new();
    let Some(value) = chain.best(states, table, &mut path).filter(|value| *value > f64::NEG_INFINITY) else {
        return most == 0.0 && path.is_empty();
    };
    let weight = listed.iter().find(|(other, _)| *other == path).map_or(f64::NAN, |(_, weight)| *weight);
    (value - most.ln()).abs() < 1e-9 && (weight / most - 1.0).abs() < 1e-9
}

proptest! {
    #[test]
    fn sums_and_posteriors_are_those_of_all_sequences((states, table) in cases()) {
        prop_assert!(sums_and_posteriors_hold(Chain::<Powers>::default(), &states, &table));
        prop_assert!(sums_and_posteriors_hold(Chain::<Exponents>::default(), &states, &table));
        prop_assert!(sums_and_posteriors_hold(Chain::<Sums>::default(), &states, &table));
        prop_assert!(sums_and_posteriors_hold(Chain::new(Sums::by_inverse()), &states, &table));
    }

    #[test]
    fn sums_over_ends_give_the_same_posteriors((states, table) in cases()) {
        let (total, posteriors, steps) = truth(&states, &table);
        let mut chain = Chain::<Sums>::default();
        prop_assert_eq!(chain.fill(&states, &table).is_some(), total > 0.0);
        if total > 0.0 {
            chain.backward(&states, &table);
            prop_assert!(close(chain.posteriors(), &posteriors));
            let mut counted = vec![0.0; table.weights.len()];
            chain.add_steps(&states, &table, 2.0, &mut counted);
            prop_assert!(close(&counted, &steps.iter().map(|step| 2.0 * step).collect::<Vec<f64>>()));
        }
    }

    #[test]
    fn the_best_sequence_is_that_of_all((states, table) in cases()) {
        prop_assert!(the_best_is_best(Chain::<Powers>::default(), &states, &table));
        prop_assert!(the_best_is_best(Chain::<Exponents>::default(), &states, &table));
        prop_assert!(the_best_is_best(Chain::<Sums>::default(), &states, &table));
    }

    #[test]
    fn states_that_lie_together_are_summed_as_others_are((states, table) in cases()) {
        // The same states in order, where all of them follow one another.
        let mut orders = [States::default(), States::default()];
        for (order, flip) in orders.iter_mut().zip([false, true]) {
            order.push_edge(EDGE);
            for at in 1..states.len() - 1 {
                let weight = |state: u32| states.weights(at).first().copied().unwrap_or(1.0) / f64::from(state + 1);
                match flip {
                    false => order.push_all((0..EDGE).map(weight)),
                    true => order.push((0..EDGE).rev().map(|state| (state, weight(state)))),
                }
            }
            order.push_edge(EDGE);
        }
        let [run, scattered] = orders.map(|states| Chain::<Sums>::default().fill(&states, &table));
        prop_assert_eq!(run.is_some(), scattered.is_some());
        prop_assert!(run.zip(scattered).is_none_or(|(a, b)| (a - b).abs() < 1e-12));
    }
}

/// Numbers that look random, the same ones every time.
fn uniforms() -> impl FnMut() -> f64 {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[test]
fn sequences_are_drawn_as_often_as_they_should() {
    let mut uniform = uniforms();
    for is_of_order_two in [false, true] {
        let table = Table { is_of_order_two, weights: (0..BASE * BASE * BASE).map(|_| uniform()).collect() };
        let mut states = States::default();
        states.push_edge(EDGE);
        states.push([(3, 0.2), (0, 0.5)]);
        states.push_all([0.1, 0.9, 0.4]);
        states.push([(2, 1.0)]);
        states.push_edge(EDGE);
        let (_, posteriors, _) = truth(&states, &table);
        let mut chain = Chain::<Powers>::default();
        chain.fill(&states, &table).unwrap();
        let (n_draws, mut n_asked) = (20_000, 0);
        let (mut counts, mut path) = (vec![0.0; posteriors.len()], Vec::new());
        for _ in 0..n_draws {
            let asked = || {
                n_asked += 1;
                uniform()
            };
            chain.sample(&states, &table, asked, &mut path);
            for (at, state) in path.iter().enumerate() {
                counts[place(&states, at, *state)] += 1.0 / f64::from(n_draws);
            }
        }
        assert_eq!(n_asked, 3 * n_draws, "one number for each position but the edges");
        // Five standard deviations of a share of 20,000.
        assert!(
            counts.iter().zip(&posteriors).all(|(a, b)| (a - b).abs() < 0.018),
            "{counts:?} {posteriors:?}"
        );
    }
}

#[test]
fn long_chains_neither_underflow_nor_overflow() {
    let mut uniform = uniforms();
    for scale in [1e-9, 1.0, 1e9] {
        let table = Table {
            is_of_order_two: false,
            weights: (0..BASE * BASE).map(|_| scale * (0.1 + uniform())).collect(),
        };
        let mut states = States::default();
        states.push_edge(EDGE);
        (0..5_000).for_each(|_| states.push_all((0..N_STATES).map(|_| uniform())));
        states.push_edge(EDGE);
        let expected = Chain::<Exponents>::default().fill(&states, &table).unwrap();
        let narrow = Chain::<Powers>::default().fill(&states, &table).unwrap();
        let shares = Chain::<Sums>::default().fill(&states, &table).unwrap();
        assert!((narrow / expected - 1.0).abs() < 1e-12 && (shares / expected - 1.0).abs() < 1e-12);
    }
}

#[test]
fn a_row_that_spreads_too_far_is_refused_and_not_rounded_away() {
    let table = Table { is_of_order_two: false, weights: vec![1.0; BASE * BASE] };
    let mut states = States::default();
    states.push_edge(EDGE);
    states.push([(0, 1.0), (1, 1e-100)]);
    states.push_edge(EDGE);
    assert_eq!(Chain::<Powers>::default().fill(&states, &table), None);
    assert_eq!(Chain::<Exponents>::default().fill(&states, &table), Some(0.0));
}

#[test]
fn nothing_is_none() {
    let table = Table { is_of_order_two: false, weights: vec![1.0; BASE * BASE] };
    let mut chain = Chain::<Powers>::default();
    assert_eq!(chain.fill(&States::default(), &table), None);
    chain.smooth(&States::default(), &table, |_, _| unreachable!());
    assert!(chain.posteriors().is_empty());
}

/// Every way to cut 0 to n, as the list of its ends.
fn cuts(n: usize) -> Vec<Vec<usize>> {
    (0..1usize << (n - 1))
        .map(|bits| (1..n).filter(|at| bits >> (at - 1) & 1 == 1).chain([n]).collect())
        .collect()
}

fn segments_of(ends: &[usize]) -> impl Iterator<Item = (usize, usize)> + '_ {
    [0].into_iter().chain(ends.iter().copied()).zip(ends.iter().copied())
}

proptest! {
    #[test]
    fn sums_over_cuts_are_those_of_all_cuts(n in 1usize..7, weights in proptest::collection::vec(0.0..2.0f64, 49)) {
        let u = |start: usize, end: usize| weights[start * 7 + end - 1];
        let total: f64 = cuts(n).iter().map(|cut| segments_of(cut).map(|(i, k)| u(i, k)).product::<f64>()).sum();
        let into = |end: usize| (0..end).map(move |start| (start, Prob(u(start, end))));
        let from = |start: usize| (start + 1..=n).map(move |end| (end, Prob(u(start, end))));
        let (forward, backward) = (segments::forward::<Prob, _>(n, into), segments::backward::<Prob, _>(n, from));
        prop_assert!((forward[n].0 - total).abs() < 1e-9 && (backward[0].0 - total).abs() < 1e-9);
        let into = |end: usize| (0..end).map(move |start| (start, LogProb::from_weight(u(start, end))));
        let ln_total = segments::forward::<LogProb, _>(n, into)[n].0;
        prop_assert!((ln_total.exp() - total).abs() < 1e-9 * total.max(1.0));
        let into = |end: usize| (0..end).map(move |start| (start, Count::one()));
        prop_assert_eq!(segments::forward::<Count, _>(n, into)[n], Count(1 << (n - 1)));
    }

    #[test]
    fn the_cheapest_cuts_are_those_of_all(
        n in 1usize..7,
        k in 1usize..5,
        costs in proptest::collection::vec(0u8..6, 49),
    ) {
        let cost = |start: usize, end: usize| f64::from(costs[start * 7 + end - 1]);
        let mut all: Vec<f64> =
            cuts(n).iter().map(|cut| segments_of(cut).map(|(i, e)| cost(i, e)).sum()).collect();
        all.sort_by(f64::total_cmp);
        all.truncate(k);
        let mut ways = Ways::new(n, k, ());
        for start in 0..n {
            (start + 1..=n).for_each(|end| ways.extend(start, end, cost(start, end), ()));
        }
        let found: Vec<f64> = ways.to(n).iter().map(|way| way.cost).collect();
        prop_assert_eq!(&found, &all);
        for (rank, total) in all.iter().enumerate() {
            let path = ways.path(rank);
            prop_assert!(path.windows(2).all(|pair| pair[0].0 == pair[1].1.from));
            let sum: f64 = path.iter().map(|(end, way)| cost(way.from, *end)).sum();
            prop_assert_eq!(sum, *total);
        }
    }
}
