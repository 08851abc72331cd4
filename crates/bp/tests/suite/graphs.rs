//! Whole graphs: trees of factors against enumeration, cycles against Bethe's sum, and graphs that cannot be.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use crate::oracle::{Model, Say};
use arcs::Roots;
use bp::structured::{Brackets, Trees};
use bp::{Contradiction, Error, Evidence, Graph, Messages, Options, Schedule, Variable};
use num::streams::Stream;
use proptest::prelude::*;

/// Hangs factors of all kinds below one another, each over one old variable and some new ones.
pub(crate) fn random_tree(seed: u64, n_factors: usize) -> Model {
    let mut model = Model::new(seed);
    let first = model.boolean();
    let mut open: Vec<Variable> = vec![first];
    for _ in 0..n_factors {
        let old = open[model.rng.below(open.len())];
        let is_wide = model.graph.n_values(old) > 2;
        let (new, other) = (model.boolean(), model.variable(3));
        let value = if is_wide { model.rng.below(3) } else { 1 };
        let held = old.is(value);
        match model.rng.below(6) {
            0 => {
                let score = model.score();
                let at = model.graph.nand(&[held, other.is(2), new.is(1)], score).range().start;
                model.literals(&[held, other.is(2), new.is(1)], move |x| {
                    if x.iter().all(|x| *x) { Say::Score(at) } else { Say::Fine }
                });
            }
            1 => {
                let score = model.score();
                let at = model.graph.implies(new.is(1), &[held, other.is(0)], score).range().start;
                model.literals(&[new.is(1), held, other.is(0)], move |x| {
                    if x[0] && !x[1] && !x[2] { Say::Score(at) } else { Say::Fine }
                });
            }
            2 => {
                model.graph.is_at_most_one(held, &[new.is(1), other.is(1)]);
                model.literals(&[held, new.is(1), other.is(1)], |x| {
                    let n = usize::from(x[1]) + usize::from(x[2]);
                    if n == usize::from(x[0]) { Say::Fine } else { Say::Impossible }
                });
            }
            3 => {
                let n = model.graph.n_values(old);
                let scores = model.block(n * 6);
                model.graph.table_of(&[old, new, other], scores);
                let start = scores.range().start;
                model.means(&[old, new, other], move |x| Say::Score(start + (x[0] * 2 + x[1]) * 3 + x[2]));
            }
            4 => {
                model.graph.epu(held, other);
                let value = held.value();
                model.means(&[old, other], move |x| {
                    if (x[0] == value) == (x[1] != 0) { Say::Fine } else { Say::Impossible }
                });
            }
            _ => {
                model.graph.structured(Brackets::new(3, vec![(0, 2), (1, 3)]), &[held, new.is(1)]);
                model
                    .literals(&[held, new.is(1)], |x| if x[0] != x[1] { Say::Fine } else { Say::Impossible });
            }
        }
        for variable in [new, other] {
            if model.rng.below(3) > 0 {
                model.unary(variable);
            }
        }
        open.extend([new, other]);
    }
    model.finish()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn a_graph_without_cycles_is_solved_exactly(seed: u64, n_factors in 1usize..6, share in 0.0f64..0.5) {
        let mut model = random_tree(seed, n_factors);
        let nothing = Evidence::none(&model.graph);
        model.check(&nothing, 1e-9);
        let evidence = model.some_evidence(share);
        model.check(&evidence, 1e-9);
    }
}

/// A sentence of tags in a chain, arcs between its words that form a tree, and scores of tag pairs along arcs.
pub(crate) fn loopy(seed: u64, n: usize, strength: f64) -> Graph {
    let rng = &mut Stream::new(seed).rng();
    let mut graph = Graph::new();
    let mut score = || (rng.uniform() - 0.5) * strength;
    let tags: Vec<Variable> = (0..n).map(|_| graph.variable(3)).collect();
    for &tag in &tags {
        graph.unary(tag, &[score(), score(), score()]);
    }
    let chain: Vec<f64> = (0..9).map(|_| score()).collect();
    let chain = graph.scores(&chain);
    tags.windows(2).for_each(|pair| {
        graph.table_of(pair, chain);
    });
    let arcs = Trees::all_arcs(n);
    let links: Vec<Variable> = arcs.iter().map(|_| graph.boolean()).collect();
    links.iter().for_each(|&link| {
        graph.unary(link, &[score()]);
    });
    let pairs: Vec<f64> = (0..9).map(|_| score()).collect();
    let pairs = graph.scores(&pairs);
    for (&(head, word), link) in arcs.iter().zip(&links) {
        if head > 0 {
            graph.gated(tags[head as usize - 1], tags[word as usize - 1], link.is(1), pairs);
        }
    }
    graph.nand(&[links[0].is(1), tags[1].is(2)], score());
    graph.implies(links[1].is(1), &[links[3].is(1)], score());
    let literals: Vec<_> = links.iter().map(|link| link.is(1)).collect();
    graph.structured(Trees::spanning(n, arcs, Roots::One), &literals);
    graph.finish().unwrap()
}

const TO_THE_END: Options = Options { most: 3000, tolerance: 1e-13, damping: 0.0, schedule: Schedule::Sweep };

fn bethe(graph: &Graph, evidence: &Evidence, options: &Options) -> (f64, Vec<f64>) {
    let mut messages = Messages::default();
    let outcome = messages.run(graph, evidence, options).unwrap();
    assert!(outcome.has_converged && !outcome.is_exact, "{outcome:?}");
    let mut expected = Vec::new();
    messages.expected(graph, &mut expected);
    (messages.log_z(graph), expected)
}

#[test]
fn with_cycles_expected_scores_are_the_gradients_of_bethes_sum() {
    for seed in 0..4 {
        let mut graph = loopy(seed, 4, 2.0);
        let mut evidence = Evidence::none(&graph);
        if seed % 2 == 1 {
            evidence.set(graph_tag(1).is(2));
        }
        let (_, expected) = bethe(&graph, &evidence, &TO_THE_END);
        let scores = graph.all_scores().to_vec();
        for at in 0..scores.len() {
            let step = 1e-5;
            let mut moved = |by: f64| {
                let mut moved = scores.clone();
                moved[at] += by;
                graph.rescore(&moved).unwrap();
                bethe(&graph, &evidence, &TO_THE_END).0
            };
            let derivative = (moved(step) - moved(-step)) / (2.0 * step);
            assert!((derivative - expected[at]).abs() < 1e-6, "score {at}: {derivative} {}", expected[at]);
        }
    }
}

/// The variable of a number: tags come first.
fn graph_tag(number: usize) -> Variable {
    let mut graph = Graph::new();
    (0..=number).map(|_| graph.variable(3)).last().unwrap()
}

#[test]
fn damping_and_the_order_change_nothing_where_messages_rest() {
    for seed in 0..5 {
        let graph = loopy(seed, 4, 2.0);
        let evidence = Evidence::none(&graph);
        let (log_z, expected) = bethe(&graph, &evidence, &TO_THE_END);
        for options in [
            Options { damping: 0.4, ..TO_THE_END },
            Options { schedule: Schedule::Residual, tolerance: 1e-11, ..TO_THE_END },
            Options { schedule: Schedule::Residual, tolerance: 1e-11, damping: 0.3, ..TO_THE_END },
        ] {
            let (other, others) = bethe(&graph, &evidence, &options);
            assert!((log_z - other).abs() < 1e-8, "{options:?}: {log_z} {other}");
            assert!(expected.iter().zip(&others).all(|(a, b)| (a - b).abs() < 1e-7), "{options:?}");
        }
    }
}

#[test]
fn a_cap_on_sweeps_is_kept_and_told() {
    let graph = loopy(3, 5, 6.0);
    let options = Options { most: 1, tolerance: 1e-12, ..Options::default() };
    for schedule in [Schedule::Sweep, Schedule::Residual] {
        let options = Options { schedule, ..options };
        let outcome = Messages::default().run(&graph, &Evidence::none(&graph), &options).unwrap();
        assert!(!outcome.has_converged && outcome.sweeps == 1, "{outcome:?}");
    }
}

#[test]
fn what_is_known_cuts_cycles() {
    // Arcs that are all known leave a chain of tags, with pairs along the arcs as scores of the chain's ends.
    let graph = loopy(1, 3, 2.0);
    let mut evidence = Evidence::none(&graph);
    let heads = [2, 0, 2];
    for (at, (head, word)) in Trees::all_arcs(3).into_iter().enumerate() {
        let link = all_variables(3 + at + 1)[3 + at];
        evidence.set(link.is(usize::from(heads[word as usize - 1] == head)));
    }
    let outcome = Messages::default().run(&graph, &evidence, &Options::default()).unwrap();
    // The tags still form a cycle: neighbours in the chain are joined by arcs as well.
    assert!(!outcome.is_exact);
    evidence.set(all_variables(2)[1].is(0));
    let outcome = Messages::default().run(&graph, &evidence, &Options::default()).unwrap();
    assert!(outcome.is_exact);
}

fn all_variables(n: usize) -> Vec<Variable> {
    let mut graph = Graph::new();
    (0..n).map(|_| graph.boolean()).collect()
}

#[test]
fn the_coupling_of_a_bracket_and_a_name() {
    // Factor NAND with 2.5 between beliefs of .7 and .2: .752, .339, both .289, gradient of the reward .711.
    let build = |implies: bool| {
        let mut graph = Graph::new();
        let (link, bigram) = (graph.boolean(), graph.boolean());
        graph.unary(link, &[(0.7f64 / 0.3).ln()]);
        graph.unary(bigram, &[(0.2f64 / 0.8).ln()]);
        match implies {
            false => graph.nand(&[link.is(1), bigram.is(1)], 2.5f64.ln()),
            true => graph.implies(link.is(1), &[bigram.is(1)], 2.5f64.ln()),
        };
        let graph = graph.finish().unwrap();
        let mut messages = Messages::default();
        messages.run(&graph, &Evidence::none(&graph), &Options::default()).unwrap();
        let mut expected = Vec::new();
        messages.expected(&graph, &mut expected);
        let beliefs = [link, bigram].map(|variable| messages.probability(&graph, variable.is(1)));
        (beliefs, expected[2], messages.log_z(&graph))
    };
    let close = |a: f64, b: f64| assert!((a - b).abs() < 5e-4, "{a} {b}");
    let ([link, bigram], both, log_z) = build(false);
    close(link, 0.752);
    close(bigram, 0.339);
    close(both, 0.289);
    close(1.0 - both, 0.711);
    // Σ with messages as probabilities is 1.21; odds divide it by .3 · .8.
    assert!((log_z - (1.21f64 / 0.24).ln()).abs() < 1e-12);
    let ([link, bigram], ..) = build(true);
    close(link, 0.837);
    close(bigram, 0.109);
}

#[test]
fn the_worked_example_of_brackets_over_five_words() {
    // Span, belief before, message for true (normalised), belief after.
    let rows = [
        ((0, 2), 0.80, 0.37, 0.70),
        ((1, 3), 0.20, 0.21, 0.06),
        ((2, 4), 0.20, 0.19, 0.06),
        ((3, 5), 0.80, 0.80, 0.94),
        ((0, 3), 0.10, 0.41, 0.07),
        ((1, 4), 0.10, 0.03, 0.00),
        ((2, 5), 0.50, 0.87, 0.87),
        ((0, 4), 0.10, 0.05, 0.01),
        ((1, 5), 0.60, 0.22, 0.29),
    ];
    let mut graph = Graph::new();
    let spans: Vec<Variable> = rows.iter().map(|_| graph.boolean()).collect();
    for (span, row) in spans.iter().zip(&rows) {
        let before: f64 = row.1;
        graph.unary(*span, &[(before / (1.0 - before)).ln()]);
    }
    let literals: Vec<_> = spans.iter().map(|span| span.is(1)).collect();
    graph.structured(Brackets::new(5, rows.iter().map(|row| row.0).collect()), &literals);
    let graph = graph.finish().unwrap();
    let mut messages = Messages::default();
    assert!(messages.run(&graph, &Evidence::none(&graph), &Options::default()).unwrap().is_exact);
    assert!((messages.log_z(&graph).exp() - 27.017).abs() < 5e-4);
    for (span, (place, before, message, after)) in spans.iter().zip(rows) {
        let odds = messages.log_odds(&graph, *span) - (before / (1.0f64 - before)).ln();
        let told = 1.0 / (1.0 + (-odds).exp());
        assert!((told - message).abs() <= 0.00501, "{place:?}: {told} {message}");
        let belief = messages.probability(&graph, span.is(1));
        assert!((belief - after).abs() <= 0.00501, "{place:?}: {belief} {after}");
    }
}

#[test]
fn complements_of_what_is_all_but_certain_are_right_to_the_last_digits() {
    use bp::Structured;
    // Two trees over three words, one of them 60 e-folds more probable.
    let (mut p, mut q) = (vec![0.0; 3], vec![0.0; 3]);
    let factor = Brackets::new(3, vec![(0, 2), (1, 3), (0, 3)]);
    factor.marginals(&[60.0, 0.0, 0.0], &mut p, &mut q);
    assert!((q[0] + 60.0).abs() < 1e-9 && (p[1].ln() + 60.0).abs() < 1e-9, "{p:?} {q:?}");
    let factor = Trees::spanning(1, vec![(0, 1)], Roots::One);
    assert_eq!(factor.marginals(&[3.0], &mut p[..1], &mut q[..1]), 3.0);
    assert_eq!(q[0], f64::NEG_INFINITY);
    let arcs = vec![(0, 1), (2, 1), (0, 2), (1, 2)];
    let (mut p, mut q) = (vec![0.0; 4], vec![0.0; 4]);
    Trees::projective(2, arcs, Roots::One).marginals(&[30.0, 0.0, 0.0, 30.0], &mut p, &mut q);
    assert!((q[0] + 60.0).abs() < 1e-9, "{p:?} {q:?}");
}

fn error(build: impl FnOnce(&mut Graph)) -> Error {
    let mut graph = Graph::new();
    build(&mut graph);
    match graph.finish() {
        Err(error) => error,
        Ok(graph) => {
            let best = Messages::default().best(&graph, &Evidence::none(&graph), &Options::default());
            assert!(matches!(best, Err(Error::Contradiction(_))), "{best:?}");
            Messages::default().run(&graph, &Evidence::none(&graph), &Options::default()).unwrap_err()
        }
    }
}

#[test]
fn contradictions_name_the_factors() {
    let two = error(|graph| {
        let (a, b) = (graph.boolean(), graph.boolean());
        graph.exactly_one(&[a.is(1)]);
        graph.exactly_one(&[b.is(1)]);
        graph.exactly_one(&[a.is(1), b.is(1)]);
    });
    assert!(matches!(two, Error::Contradiction(_)), "{two}");
    assert!(two.to_string().contains("EXACTLY1"), "{two}");
    let torn = error(|graph| {
        let a = graph.boolean();
        graph.exactly_one(&[a.is(1)]);
        graph.unary(a, &[f64::NEG_INFINITY]);
    });
    let Error::Contradiction(Contradiction::Factor { because, .. }) = &torn else { panic!("{torn}") };
    assert_eq!(because, &["factor 1 (scores over variables 0)"]);
    let two = error(|graph| {
        let a = graph.variable(3);
        graph.exactly_one(&[a.is(1)]);
        graph.exactly_one(&[a.is(2)]);
    });
    assert!(two.to_string().contains("factor 0 (EXACTLY1") && two.to_string().contains("factor 1"), "{two}");
    let none = error(|graph| {
        let arcs: Vec<Variable> = (0..2).map(|_| graph.boolean()).collect();
        let literals: Vec<_> = arcs.iter().map(|arc| arc.is(1)).collect();
        graph.structured(Trees::spanning(2, vec![(2, 1), (1, 2)], Roots::One), &literals);
    });
    assert!(none.to_string().contains("DEP-TREE"), "{none}");
}

#[test]
fn bad_graphs_are_refused_with_a_reason() {
    let nan = error(|graph| {
        let a = graph.boolean();
        graph.unary(a, &[f64::NAN]);
    });
    assert!(nan.to_string().contains("score 0 of factor 0 (scores over variables 0) is NaN"), "{nan}");
    let infinite = error(|graph| {
        let a = graph.boolean();
        graph.nand(&[a.is(1)], f64::INFINITY);
    });
    assert!(matches!(infinite, Error::BadScore { .. }));
    let other = Graph::new().boolean();
    assert!(matches!(
        error(|graph| {
            graph.exactly_one(&[other.is(1)]);
        }),
        Error::NoSuchVariable { variable: 0 } | Error::NoSuchValue { .. }
    ));
    assert!(matches!(
        error(|graph| {
            graph.variable(1);
        }),
        Error::TooFewValues { .. }
    ));
    let false_literal = error(|graph| {
        let a = graph.boolean();
        graph.exactly_one(&[a.is(0)]);
    });
    assert!(matches!(false_literal, Error::NoSuchValue { variable: 0, value: 0 }));
    let twice = error(|graph| {
        let a = graph.boolean();
        graph.nand(&[a.is(1), a.is(1)], 1.0);
    });
    assert!(matches!(twice, Error::VariableTwice { .. }));
    let few = error(|graph| {
        let a = graph.variable(3);
        graph.unary(a, &[0.0]);
    });
    assert!(matches!(few, Error::WrongScores { given: 1, wanted: 3, .. }));
    let places = error(|graph| {
        let a = graph.boolean();
        graph.structured(Brackets::new(3, vec![(0, 2), (1, 3)]), &[a.is(1)]);
    });
    assert!(matches!(places, Error::WrongScope { n_literals: 1, .. }));
    let gate = error(|graph| {
        let (a, b, c) = (graph.boolean(), graph.variable(2), graph.boolean());
        let scores = graph.scores(&[0.0; 4]);
        graph.gated(a, b, c.is(1), scores);
    });
    assert!(matches!(gate, Error::TooFewValues { variable: 0, .. }));
    let mut graph = Graph::new();
    let a = graph.boolean();
    graph.unary(a, &[0.0]);
    let mut graph = graph.finish().unwrap();
    assert!(matches!(graph.rescore(&[]), Err(Error::WrongNumberOfScores { .. })));
    assert!(matches!(graph.rescore(&[f64::NAN]), Err(Error::BadScore { .. })));
}

#[test]
fn variables_without_factors_are_anything() {
    let mut graph = Graph::new();
    let (a, b) = (graph.boolean(), graph.variable(4));
    let graph = graph.finish().unwrap();
    let mut messages = Messages::default();
    let outcome = messages.run(&graph, &Evidence::none(&graph), &Options::default()).unwrap();
    assert!(outcome.is_exact);
    assert_eq!(messages.probability(&graph, a.is(1)), 0.5);
    assert!((messages.probability(&graph, b.is(3)) - 0.25).abs() < 1e-15);
    assert!((messages.log_z(&graph) - 8f64.ln()).abs() < 1e-12);
    let empty = Graph::new().finish().unwrap();
    messages.run(&empty, &Evidence::none(&empty), &Options::default()).unwrap();
    assert_eq!(messages.log_z(&empty), 0.0);
}
