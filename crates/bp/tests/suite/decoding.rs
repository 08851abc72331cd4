//! The best assignments against lists of all of them.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use crate::graphs::{loopy, random_tree};
use crate::oracle::{Model, Say};
use arcs::Roots;
use bp::decode::most_correct;
use bp::structured::{Brackets, Cover, Segments, Trees};
use bp::{Error, Evidence, Graph, HARD, Messages, Options, Structured, Variable};
use num::streams::Stream;
use proptest::prelude::*;

/// Compares the best and the n best with a list of all assignments.
pub(crate) fn check(model: &Model, evidence: &Evidence, n: usize) {
    let all = model.assignments(model.graph.all_scores(), evidence);
    let mut messages = Messages::default();
    let found = messages.n_best(&model.graph, evidence, n, &Options::default());
    if all.is_empty() {
        assert!(matches!(found, Err(bp::Error::Contradiction(_))), "nothing is possible: {found:?}");
        return;
    }
    let (found, outcome) = found.unwrap();
    assert!(outcome.is_exact);
    assert_eq!(found.len(), n.min(all.len()));
    for (rank, assignment) in found.iter().enumerate() {
        let values: Vec<usize> = assignment.values().collect();
        let truth = all.iter().find(|(_, other)| *other == values).map(|(score, _)| *score);
        let own = truth.expect("an assignment that is possible and agrees with evidence");
        assert!((assignment.log_score - own).abs() < 1e-9, "{} {own}", assignment.log_score);
        assert!((own - all[rank].0).abs() < 1e-9, "place {rank}: {own} {}", all[rank].0);
        assert!(found[..rank].iter().all(|other| other != assignment), "twice the same");
    }
    let (best, outcome) = messages.best(&model.graph, evidence, &Options::default()).unwrap();
    assert!(outcome.is_exact);
    assert_eq!(best, messages.best(&model.graph, evidence, &Options::default()).unwrap().0);
    assert!((best.log_score - all[0].0).abs() < 1e-9);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn the_best_assignments_are_the_best_of_all(seed: u64, n_factors in 1usize..5, share in 0.0f64..0.5) {
        let mut model = random_tree(seed, n_factors);
        let nothing = Evidence::none(&model.graph);
        check(&model, &nothing, 12);
        let evidence = model.some_evidence(share);
        check(&model, &evidence, 5);
    }
}

/// Max-marginals from all legal sets, which the factor itself tells apart.
fn max_marginals_by_hand(factor: &dyn Structured, odds: &[f64]) -> (f64, Vec<[f64; 2]>) {
    let n = odds.len();
    let mut best = vec![[f64::NEG_INFINITY; 2]; n];
    let mut total = f64::NEG_INFINITY;
    for set in 0..1usize << n {
        let holds = |at: usize| set >> at & 1 == 1;
        let is_known = |at: usize| odds[at].abs() < HARD || holds(at) == (odds[at] > 0.0);
        let pinned: Vec<f64> = (0..n).map(|at| if holds(at) { HARD } else { -HARD }).collect();
        if !(0..n).all(is_known)
            || factor.marginals(&pinned, &mut vec![0.0; n], &mut vec![0.0; n]) == f64::NEG_INFINITY
        {
            continue;
        }
        let sum: f64 = (0..n).filter(|&at| holds(at) && odds[at] < HARD).map(|at| odds[at]).sum();
        total = total.max(sum);
        best.iter_mut().enumerate().for_each(|(at, best)| {
            let best = &mut best[usize::from(holds(at))];
            *best = best.max(sum);
        });
    }
    (total, best)
}

fn structures() -> Vec<Box<dyn Structured>> {
    let spans = Segments::all_spans(4, 3);
    let mut all: Vec<Box<dyn Structured>> = vec![
        Box::new(Brackets::new(5, Brackets::all_spans(5))),
        Box::new(Brackets::new(4, vec![(0, 2), (1, 3), (1, 4), (2, 4)])),
        Box::new(Segments::new(4, spans.clone(), Cover::Exact)),
        Box::new(Segments::new(4, spans, Cover::Optional)),
    ];
    for roots in [Roots::One, Roots::Many] {
        all.push(Box::new(Trees::spanning(3, Trees::all_arcs(3), roots)));
        all.push(Box::new(Trees::projective(3, Trees::all_arcs(3), roots)));
    }
    all
}

#[test]
fn max_marginals_are_the_best_with_and_without_a_literal() {
    for factor in structures() {
        for (seed, wide) in (0..30).zip([4.0, 60.0, 3000.0].into_iter().cycle()) {
            let rng = &mut Stream::new(seed).rng();
            let mut odds: Vec<f64> = (0..factor.n_literals()).map(|_| (rng.uniform() - 0.5) * wide).collect();
            if seed % 2 == 1 {
                let at = rng.below(odds.len());
                odds[at] = if rng.below(2) == 0 { HARD } else { -HARD };
            }
            let (mut with, mut without) = (vec![0.0; odds.len()], vec![0.0; odds.len()]);
            let total = factor.max_marginals(&odds, &mut with, &mut without);
            let (expected, best) = max_marginals_by_hand(&*factor, &odds);
            let close = |a: f64, b: f64| a == b || (a - b).abs() < 1e-12 * wide;
            assert!(close(total, expected), "{factor:?}: {total} {expected}");
            if total == f64::NEG_INFINITY {
                assert!(factor.most_probable(&odds).is_none());
                continue;
            }
            for at in (0..odds.len()).filter(|&at| odds[at].abs() < HARD) {
                let found = [without[at], with[at]];
                let is_right = close(found[0], best[at][0]) && close(found[1], best[at][1]);
                assert!(is_right, "{factor:?} {odds:?}, {at}: {found:?} {:?}", best[at]);
            }
            let set = factor.most_probable(&odds).unwrap();
            let held = set.iter().zip(&odds).filter(|(held, odds)| **held && **odds < HARD);
            assert!(close(held.map(|(_, odds)| odds).sum(), expected));
        }
    }
}

/// A factor that knows nothing better than what the trait does.
#[derive(Debug)]
struct Plain(Trees);

impl Structured for Plain {
    fn name(&self) -> &'static str {
        "plain"
    }

    fn n_literals(&self) -> usize {
        self.0.n_literals()
    }

    fn marginals(&self, log_odds: &[f64], p: &mut [f64], ln_complement: &mut [f64]) -> f64 {
        self.0.marginals(log_odds, p, ln_complement)
    }

    fn best(&self, values: &[f64]) -> Vec<bool> {
        self.0.best(values)
    }
}

#[test]
fn a_factor_that_only_tells_the_best_set_has_max_marginals() {
    let trees = Trees::projective(4, Trees::all_arcs(4), Roots::One);
    let plain = Plain(trees.clone());
    let rng = &mut Stream::new(7).rng();
    for _ in 0..20 {
        let mut odds: Vec<f64> = (0..16).map(|_| 8.0 * rng.uniform() - 4.0).collect();
        odds[rng.below(16)] = HARD;
        odds[rng.below(16)] = -HARD;
        let ask = |factor: &dyn Structured| {
            let (mut with, mut without) = (vec![0.0; 16], vec![0.0; 16]);
            let total = factor.max_marginals(&odds, &mut with, &mut without);
            (total, factor.most_probable(&odds), [with, without].concat())
        };
        let ((total, set, found), (expected, other, all)) = (ask(&plain), ask(&trees));
        assert!((total - expected).abs() < 1e-9 && set == other);
        let free = (0..32).filter(|at| odds[at % 16].abs() < HARD);
        for (a, b) in free.map(|at| (found[at], all[at])) {
            assert!(a == b || (a - b).abs() < 1e-9, "{a} {b}");
        }
    }
}

#[test]
fn equally_good_assignments_come_each_once_and_in_the_same_order() {
    let mut model = Model::new(0);
    let spans = Brackets::all_spans(4);
    let literals: Vec<_> = spans.iter().map(|_| model.boolean().is(1)).collect();
    let label = model.variable(3);
    model.graph.structured(Brackets::new(4, spans), &literals);
    model.graph.epu(literals[1], label);
    let model = model.finish();
    let nothing = Evidence::none(&model.graph);
    // Five bracketings of four words; (0, 3), which two of them have, comes with two labels.
    let n_best = |n| Messages::default().n_best(&model.graph, &nothing, n, &Options::default()).unwrap().0;
    let found = n_best(100);
    assert_eq!(found.len(), 7);
    assert!(found.iter().all(|assignment| assignment.log_score == 0.0));
    assert_eq!(n_best(100), found);
    let mut different: Vec<Vec<usize>> = found.iter().map(|found| found.values().collect()).collect();
    different.sort();
    different.dedup();
    assert_eq!(different.len(), 7);
    assert!(n_best(0).is_empty() && n_best(1).len() == 1);
}

/// The score of an assignment, by clamping everything.
fn log_score(graph: &Graph, variables: &[Variable], values: &[usize]) -> f64 {
    let mut evidence = Evidence::none(graph);
    variables.iter().zip(values).for_each(|(variable, &value)| evidence.set(variable.is(value)));
    let mut messages = Messages::default();
    messages.run(graph, &evidence, &Options::default()).unwrap();
    messages.log_z(graph)
}

#[test]
fn with_cycles_an_assignment_keeps_the_rules_and_its_score_is_its_own() {
    let mut n_best = 0;
    for seed in 0..40 {
        let graph = loopy(seed, 3, 6.0);
        let evidence = Evidence::none(&graph);
        let variables = all_variables(graph.n_variables());
        let mut messages = Messages::default();
        let (best, outcome) = messages.best(&graph, &evidence, &Options::default()).unwrap();
        assert!(!outcome.is_exact);
        let values: Vec<usize> = best.values().collect();
        let own = log_score(&graph, &variables, &values);
        assert!((best.log_score - own).abs() < 1e-9, "{} {own}", best.log_score);
        let truth = exhaustive(&graph, &variables);
        assert!(best.log_score <= truth + 1e-9);
        n_best += usize::from(best.log_score > truth - 1e-9);
        let (found, outcome) = messages.n_best(&graph, &evidence, 4, &Options::default()).unwrap();
        assert!(!outcome.is_exact && found.len() > 1);
        assert!(found.is_sorted_by(|a, b| a.log_score >= b.log_score));
        assert!(found[0].log_score >= best.log_score);
    }
    assert!(n_best >= 30, "{n_best} of 40");
}

fn all_variables(n: usize) -> Vec<Variable> {
    let mut graph = Graph::new();
    (0..n).map(|_| graph.boolean()).collect()
}

/// The best score of a graph of three tags and the arcs of a tree over them: known tags and trees leave nothing open.
fn exhaustive(graph: &Graph, variables: &[Variable]) -> f64 {
    let arcs = Trees::all_arcs(3);
    let mut best = f64::NEG_INFINITY;
    for tags in 0..27usize {
        for heads in 0..64usize {
            let head = |word: u32| (heads >> (2 * (word - 1)) & 3) as u32;
            let mut values = vec![tags % 3, tags / 3 % 3, tags / 9];
            values.extend(arcs.iter().map(|&(from, word)| usize::from(head(word) == from)));
            let is_tree = (1..=3).filter(|&word| head(word) == 0).count() == 1
                && (1..=3).all(|word| {
                    std::iter::successors(Some(word), |&w| (w > 0).then(|| head(w))).take(5).any(|w| w == 0)
                });
            if is_tree {
                best = best.max(log_score(graph, variables, &values));
            }
        }
    }
    best
}

/// Pairs of Booleans that are equal or differ.
fn ring(graph: &mut Graph, pairs: [(usize, usize, bool); 4]) -> Vec<Variable> {
    let variables: Vec<Variable> = (0..4).map(|_| graph.boolean()).collect();
    for (one, other, are_equal) in pairs {
        let impossible = |is: bool| if is { 0.0 } else { f64::NEG_INFINITY };
        let [equal, differ] = [impossible(are_equal), impossible(!are_equal)];
        graph.table(&[variables[one], variables[other]], &[equal, differ, differ, equal]);
    }
    variables
}

#[test]
fn what_is_broken_on_the_way_is_mended() {
    // Nothing is more probable than its contrary, so that the first two pairs choose (0, 1) each, which the others forbid.
    let mut graph = Graph::new();
    ring(&mut graph, [(0, 1, false), (2, 3, false), (1, 2, true), (3, 0, true)]);
    let graph = graph.finish().unwrap();
    let nothing = Evidence::none(&graph);
    let (best, outcome) = Messages::default().best(&graph, &nothing, &Options::default()).unwrap();
    assert!(!outcome.is_exact);
    assert_eq!(best.log_score, 0.0);
    assert_eq!(best.values().collect::<Vec<usize>>(), [0, 1, 1, 0]);
}

#[test]
fn a_cycle_that_cannot_be_has_no_score() {
    // An odd number of changes on the way around: no message sees it.
    let mut graph = Graph::new();
    ring(&mut graph, [(0, 1, false), (1, 2, true), (2, 3, true), (3, 0, true)]);
    let graph = graph.finish().unwrap();
    let nothing = Evidence::none(&graph);
    let (best, outcome) = Messages::default().best(&graph, &nothing, &Options::default()).unwrap();
    assert!(!outcome.is_exact && best.log_score == f64::NEG_INFINITY);
    let (found, _) = Messages::default().n_best(&graph, &nothing, 3, &Options::default()).unwrap();
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn soft_cycles_are_none_for_what_is_most_correct() {
    for seed in 0..10 {
        let graph = loopy(seed, 4, 3.0);
        let mut messages = Messages::default();
        messages.run(&graph, &Evidence::none(&graph), &Options::default()).unwrap();
        let (found, outcome) = most_correct(&messages, &graph, 0.0, &Options::default()).unwrap();
        assert!(outcome.is_exact && found.log_score > f64::NEG_INFINITY);
        let mut beliefs = Vec::new();
        for tag in &all_variables(4) {
            messages.beliefs(&graph, *tag, &mut beliefs);
            let most = beliefs.iter().copied().fold(0.0, f64::max);
            assert_eq!(beliefs[found.value(*tag)], most);
        }
    }
}

#[test]
fn what_cannot_be_is_a_contradiction() {
    let mut graph = Graph::new();
    let (a, b) = (graph.boolean(), graph.variable(3));
    graph.epu(a.is(1), b);
    graph.unary(b, &[f64::NEG_INFINITY, 0.0, 0.0]);
    let graph = graph.finish().unwrap();
    let mut evidence = Evidence::none(&graph);
    evidence.set(a.is(0));
    let mut messages = Messages::default();
    let best = messages.best(&graph, &evidence, &Options::default());
    let Err(Error::Contradiction(contradiction)) = best else { panic!("{best:?}") };
    assert!(contradiction.to_string().contains("EXACTLY1"), "{contradiction}");
    evidence.release(a);
    let (found, _) = messages.n_best(&graph, &evidence, 10, &Options::default()).unwrap();
    assert_eq!(found.len(), 2);
    // Two factors that contradict each other beside a cycle.
    let mut graph = Graph::new();
    let (a, b) = (graph.variable(3), graph.variable(3));
    (0..2).for_each(|_| _ = graph.table(&[a, b], &[0.0; 9]));
    graph.exactly_one(&[a.is(1)]);
    graph.exactly_one(&[a.is(2)]);
    let graph = graph.finish().unwrap();
    let torn = Messages::default().best(&graph, &Evidence::none(&graph), &Options::default());
    assert!(matches!(&torn, Err(Error::Contradiction(_))), "{torn:?}");
}

/// Spans with labels, by EPU or by ISATMOST1, beside a tag that is far from them.
fn labelled_spans(model: &mut Model, by_epu: bool) -> (Vec<Variable>, Vec<Vec<Variable>>, Variable) {
    let spans = Segments::all_spans(3, 2);
    let indicators: Vec<Variable> = spans.iter().map(|_| model.boolean()).collect();
    let mut labels = Vec::new();
    for &indicator in &indicators {
        model.unary(indicator);
        if by_epu {
            let label = model.variable(3);
            model.unary(label);
            model.graph.epu(indicator.is(1), label);
            model.means(&[indicator, label], |x| {
                if (x[0] == 1) == (x[1] > 0) { Say::Fine } else { Say::Impossible }
            });
            labels.push(vec![label]);
        } else {
            let each: Vec<Variable> = (0..2).map(|_| model.boolean()).collect();
            each.iter().for_each(|&label| model.unary(label));
            model.graph.is_at_most_one(indicator.is(1), &[each[0].is(1), each[1].is(1)]);
            model.means(&[indicator, each[0], each[1]], |x| {
                if x[1] + x[2] == x[0] { Say::Fine } else { Say::Impossible }
            });
            labels.push(each);
        }
    }
    let literals: Vec<_> = indicators.iter().map(|indicator| indicator.is(1)).collect();
    model.graph.structured(Segments::new(3, spans.clone(), Cover::Optional), &literals);
    model.literals(&literals, move |x| {
        let over = |word: u32| {
            spans.iter().zip(x).filter(|(span, held)| **held && span.0 <= word && word < span.1).count()
        };
        if (0..3).all(|word| over(word) <= 1) { Say::Fine } else { Say::Impossible }
    });
    let tag = model.variable(3);
    model.unary(tag);
    (indicators, labels, tag)
}

#[test]
fn the_most_correct_structure_is_the_one_with_the_most_probable_parts() {
    for seed in 0..40 {
        for threshold in [0.0, 0.5] {
            let by_epu = seed % 2 == 0;
            let mut model = Model::new(seed);
            let (indicators, labels, tag) = labelled_spans(&mut model, by_epu);
            let mut model = model.finish();
            let evidence = model.some_evidence(if seed % 4 < 2 { 0.0 } else { 0.1 });
            let Some(truth) = model.truth(model.graph.all_scores(), &evidence) else { continue };
            let mut messages = Messages::default();
            messages.run(&model.graph, &evidence, &Options::default()).unwrap();
            let (found, outcome) =
                most_correct(&messages, &model.graph, threshold, &Options::default()).unwrap();
            assert!(outcome.is_exact && found.log_score > f64::NEG_INFINITY);
            // Of all that is possible the spans with the largest sum.
            let sum = |values: &[usize]| -> f64 {
                let held = indicators.iter().map(|v| v.index()).filter(|&v| values[v] == 1);
                held.map(|v| truth.beliefs[v][1] - threshold).sum()
            };
            let all = model.assignments(model.graph.all_scores(), &evidence);
            let best = all.iter().map(|(_, values)| sum(values)).fold(f64::NEG_INFINITY, f64::max);
            let own: Vec<usize> = found.values().collect();
            assert!(all.iter().any(|(_, values)| *values == own));
            assert!((sum(&own) - best).abs() < 1e-9, "{} {best}", sum(&own));
            // Given that a span is there, its label is the most probable one.
            for (indicator, labels) in indicators.iter().zip(&labels) {
                let p = |literal: bp::Literal| truth.beliefs[literal.variable().index()][literal.value()];
                let literals: Vec<bp::Literal> = match by_epu {
                    true => vec![labels[0].is(1), labels[0].is(2)],
                    false => labels.iter().map(|label| label.is(1)).collect(),
                };
                let held: Vec<&bp::Literal> =
                    literals.iter().filter(|literal| found.holds(**literal)).collect();
                assert_eq!(held.len(), found.value(*indicator));
                let most = literals.iter().map(|literal| p(*literal)).fold(0.0, f64::max);
                assert!(held.iter().all(|literal| p(**literal) > most - 1e-9));
            }
            let most = truth.beliefs[tag.index()].iter().copied().fold(0.0, f64::max);
            assert!(truth.beliefs[tag.index()][found.value(tag)] > most - 1e-9);
        }
    }
}

#[test]
fn an_improbable_label_does_not_turn_off_what_it_labels() {
    // A relation of probability .6 with labels of .35 and .25 less what neither has: the sum of both would be below one half.
    let mut graph = Graph::new();
    let (relation, label) = (graph.boolean(), graph.variable(6));
    graph.epu(relation.is(1), label);
    graph.unary(label, &[0.4f64.ln(), 0.14f64.ln(), 0.13f64.ln(), 0.12f64.ln(), 0.11f64.ln(), 0.1f64.ln()]);
    let graph = graph.finish().unwrap();
    let mut messages = Messages::default();
    messages.run(&graph, &Evidence::none(&graph), &Options::default()).unwrap();
    let decode = |threshold| most_correct(&messages, &graph, threshold, &Options::default()).unwrap().0;
    assert_eq!((decode(0.5).value(relation), decode(0.5).value(label)), (1, 1));
    assert_eq!((decode(0.7).value(relation), decode(0.7).value(label)), (0, 0));
    // The most probable single assignment is that there is none.
    let (best, _) = Messages::default().best(&graph, &Evidence::none(&graph), &Options::default()).unwrap();
    assert_eq!(best.value(relation), 0);
}
