//! What the options of propagation mean: damping, sweeps and tolerance against messages passed by hand.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use bp::{Evidence, Graph, Messages, Options, Schedule, Variable};

const FIRST: [[f64; 2]; 3] = [[0.9, -0.3], [0.2, 1.1], [-0.7, 0.4]];
const SECOND: [[f64; 2]; 3] = [[-0.5, 0.6], [1.3, -0.8], [0.1, 0.7]];
const ALONE: [f64; 3] = [0.4, -0.2, 0.3];

/// Two variables in a cycle of two tables, and scores of the first.
fn cycle() -> (Graph, [Variable; 2]) {
    let mut graph = Graph::new();
    let (x, y) = (graph.variable(3), graph.variable(2));
    graph.unary(x, &ALONE);
    graph.table(&[x, y], FIRST.as_flattened());
    graph.table(&[x, y], SECOND.as_flattened());
    (graph.finish().unwrap(), [x, y])
}

/// The messages of the two tables to x and to y, as logarithms.
#[derive(Default)]
struct ByHand {
    to_x: [[f64; 3]; 2],
    to_y: [[f64; 2]; 2],
}

impl ByHand {
    /// ln m(x) = ln Σ_y exp(score + what the other table says of y), the largest 0; of the old one a share is kept.
    fn send(&mut self, table: usize, damping: f64) {
        let (scores, other) = ([FIRST, SECOND][table], 1 - table);
        let from_x: Vec<f64> = (0..3).map(|x| ALONE[x] + self.to_x[other][x]).collect();
        let from_y = self.to_y[other];
        let ln_sum = |terms: &mut dyn Iterator<Item = f64>| terms.map(f64::exp).sum::<f64>().ln();
        let to_x: Vec<f64> = (0..3).map(|x| ln_sum(&mut (0..2).map(|y| scores[x][y] + from_y[y]))).collect();
        let to_y: Vec<f64> = (0..2).map(|y| ln_sum(&mut (0..3).map(|x| scores[x][y] + from_x[x]))).collect();
        mix(&mut self.to_x[table], &to_x, damping);
        mix(&mut self.to_y[table], &to_y, damping);
    }

    /// Forwards and backwards through the tables.
    fn sweep(&mut self, damping: f64) {
        [0, 1, 1, 0].into_iter().for_each(|table| self.send(table, damping));
    }

    fn beliefs(&self) -> [Vec<f64>; 2] {
        let of = |ln: Vec<f64>| {
            let total: f64 = ln.iter().map(|ln| ln.exp()).sum();
            ln.iter().map(|ln| ln.exp() / total).collect()
        };
        let x = (0..3).map(|x| ALONE[x] + self.to_x[0][x] + self.to_x[1][x]).collect();
        let y = (0..2).map(|y| self.to_y[0][y] + self.to_y[1][y]).collect();
        [of(x), of(y)]
    }
}

fn mix(old: &mut [f64], new: &[f64], damping: f64) {
    let top = new.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    old.iter_mut().zip(new).for_each(|(old, new)| *old = damping * *old + (1.0 - damping) * (new - top));
}

fn beliefs(graph: &Graph, variables: &[Variable], options: &Options) -> (Vec<Vec<f64>>, bp::Outcome) {
    let mut messages = Messages::default();
    let outcome = messages.run(graph, &Evidence::none(graph), options).unwrap();
    let of = |&variable: &Variable| {
        let mut beliefs = Vec::new();
        messages.beliefs(graph, variable, &mut beliefs);
        beliefs
    };
    (variables.iter().map(of).collect(), outcome)
}

fn distance(one: &[Vec<f64>], other: &[Vec<f64>]) -> f64 {
    let pairs = one.iter().flatten().zip(other.iter().flatten());
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn damping_is_the_share_of_the_old_message_that_is_kept() {
    let (graph, variables) = cycle();
    for damping in [0.0, 0.3, 0.8] {
        let mut by_hand = ByHand::default();
        for most in 1..6 {
            by_hand.sweep(damping);
            let options = Options { most, tolerance: 0.0, damping, schedule: Schedule::Sweep };
            let (found, outcome) = beliefs(&graph, &variables, &options);
            assert_eq!((outcome.sweeps, outcome.has_converged), (most, false));
            let expected = by_hand.beliefs();
            assert!(distance(&found, &expected) < 1e-12, "{damping}, {most} sweeps: {found:?} {expected:?}");
        }
    }
}

#[test]
fn a_graph_rests_after_the_first_sweep_that_changes_no_belief_by_the_tolerance() {
    let (graph, variables) = cycle();
    for (damping, tolerance) in [(0.0, 1e-3), (0.0, 1e-8), (0.6, 1e-3), (0.6, 1e-6)] {
        let mut by_hand = ByHand::default();
        let mut before = by_hand.beliefs();
        let n_sweeps = (1..100).find(|_| {
            by_hand.sweep(damping);
            let now = by_hand.beliefs();
            let change = distance(&before, &now);
            before = now;
            change < tolerance
        });
        let options = Options { most: 100, tolerance, damping, schedule: Schedule::Sweep };
        let (found, outcome) = beliefs(&graph, &variables, &options);
        assert!(outcome.has_converged && Some(outcome.sweeps) == n_sweeps, "{outcome:?} {n_sweeps:?}");
        assert!(distance(&found, &before) < 1e-12);
    }
}

#[test]
fn what_is_sent_damped_is_sent_again_until_all_of_it_has_arrived() {
    // The last table hangs from the cycle: nothing that it hears changes after its first message.
    let mut graph = Graph::new();
    let (x, y, z) = (graph.variable(3), graph.variable(2), graph.variable(2));
    graph.unary(x, &ALONE);
    graph.table(&[x, y], FIRST.as_flattened());
    graph.table(&[x, y], SECOND.as_flattened());
    graph.table(&[x, z], &[2.0, -1.0, 0.5, 0.0, -1.5, 1.0]);
    let graph = graph.finish().unwrap();
    let at_rest = |damping, schedule| {
        let options = Options { most: 2000, tolerance: 1e-12, damping, schedule };
        let (found, outcome) = beliefs(&graph, &[x, y, z], &options);
        assert!(outcome.has_converged, "{options:?}: {outcome:?}");
        found
    };
    let expected = at_rest(0.0, Schedule::Sweep);
    for (damping, schedule) in [
        (0.5, Schedule::Sweep),
        (0.0, Schedule::Residual),
        (0.5, Schedule::Residual),
        (0.9, Schedule::Residual),
    ] {
        let found = at_rest(damping, schedule);
        assert!(distance(&found, &expected) < 1e-9, "{damping} {schedule:?}: {found:?} {expected:?}");
    }
}
