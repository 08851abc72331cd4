//! Every factor against sums over all assignments.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::BTreeMap;

use crate::decoding;
use crate::oracle::{Model, Say};
use arcs::Roots;
use bp::structured::{Brackets, Cover, Segments, Trees};
use bp::{Literal, Structured, Variable};

fn held(literals: &[bool]) -> usize {
    literals.iter().filter(|held| **held).count()
}

fn legal(is_legal: bool) -> Say {
    if is_legal { Say::Fine } else { Say::Impossible }
}

/// A literal of a new variable, a Boolean or one of several values, with scores.
fn literal(model: &mut Model) -> Literal {
    let literal = match model.rng.below(3) {
        0 => {
            let value = model.rng.below(3);
            model.variable(3).is(value)
        }
        _ => model.boolean().is(1),
    };
    model.unary(literal.variable());
    literal
}

fn literals(model: &mut Model, n: usize) -> Vec<Literal> {
    (0..n).map(|_| literal(model)).collect()
}

/// Builds the same kind of model many times, with and without evidence, and compares.
fn compare(cases: u64, build: impl Fn(&mut Model)) {
    for seed in 0..cases {
        let mut model = Model::new(seed);
        build(&mut model);
        let mut model = model.finish();
        for share in [0.0, 0.0, 0.3, 0.6, 1.0] {
            let evidence = model.some_evidence(share);
            model.check(&evidence, 1e-9);
            decoding::check(&model, &evidence, 6);
        }
    }
}

#[test]
fn soft_nand() {
    compare(60, |model| {
        let n = 1 + model.rng.below(4);
        let literals = literals(model, n);
        let score = model.score();
        let at = model.graph.nand(&literals, score).range().start;
        model.literals(&literals, move |x| if held(x) == x.len() { Say::Score(at) } else { Say::Fine });
    });
}

#[test]
fn soft_implies() {
    compare(60, |model| {
        let n = 2 + model.rng.below(3);
        let literals = literals(model, n);
        let score = model.score();
        let at = model.graph.implies(literals[0], &literals[1..], score).range().start;
        model.literals(&literals, move |x| if x[0] && held(x) == 1 { Say::Score(at) } else { Say::Fine });
    });
}

#[test]
fn exactly_one_and_at_most_one() {
    compare(60, |model| {
        let n = 1 + model.rng.below(5);
        let literals = literals(model, n);
        model.graph.exactly_one(&literals);
        model.literals(&literals, |x| legal(held(x) == 1));
    });
    compare(60, |model| {
        let n = 1 + model.rng.below(5);
        let literals = literals(model, n);
        model.graph.at_most_one(&literals);
        model.literals(&literals, |x| legal(held(x) <= 1));
    });
}

#[test]
fn is_at_most_one() {
    compare(60, |model| {
        let n = 2 + model.rng.below(4);
        let literals = literals(model, n);
        model.graph.is_at_most_one(literals[0], &literals[1..]);
        model.literals(&literals, |x| legal(held(&x[1..]) == usize::from(x[0])));
    });
}

#[test]
fn e_pluribus_unum() {
    compare(60, |model| {
        let structure = literal(model);
        let n_values = 2 + model.rng.below(4);
        let label = model.variable(n_values);
        model.unary(label);
        model.graph.epu(structure, label);
        let value = structure.value();
        model.means(&[structure.variable(), label], move |x| legal((x[0] == value) == (x[1] != 0)));
    });
}

fn any_variable(model: &mut Model) -> Variable {
    let variable = match model.rng.below(3) {
        0 => model.boolean(),
        more => model.variable(more + 1),
    };
    model.unary(variable);
    variable
}

#[test]
fn tables() {
    compare(60, |model| {
        let n = 1 + model.rng.below(3);
        let variables: Vec<Variable> = (0..n).map(|_| any_variable(model)).collect();
        let sizes: Vec<usize> = variables.iter().map(|&v| model.graph.n_values(v)).collect();
        let scores: Vec<f64> = (0..sizes.iter().product())
            .map(|_| if model.rng.below(4) == 0 { f64::NEG_INFINITY } else { model.score() })
            .collect();
        let start = model.graph.table(&variables, &scores).range().start;
        model.means(&variables, move |x| {
            Say::Score(start + x.iter().zip(&sizes).fold(0, |at, (value, size)| at * size + value))
        });
    });
}

#[test]
fn gated_tables() {
    compare(60, |model| {
        let (first, second) = (model.variable(3), model.variable(2));
        let gate = literal(model);
        model.unary(first);
        model.unary(second);
        let scores = model.block(6);
        model.graph.gated(first, second, gate, scores);
        let (start, value) = (scores.range().start, gate.value());
        model.means(&[first, second, gate.variable()], move |x| {
            if x[2] == value { Say::Score(start + 2 * x[0] + x[1]) } else { Say::Fine }
        });
    });
}

#[test]
fn a_block_of_scores_that_factors_share_counts_all_of_them() {
    compare(20, |model| {
        let tags: Vec<Variable> = (0..3).map(|_| model.variable(2)).collect();
        tags.iter().for_each(|&tag| model.unary(tag));
        let scores = model.block(4);
        for pair in tags.windows(2) {
            model.graph.table_of(pair, scores);
            let start = scores.range().start;
            model.means(pair, move |x| Say::Score(start + 2 * x[0] + x[1]));
        }
    });
}

#[test]
fn counts_go_up_to_a_bound() {
    for bins in [2, 3] {
        compare(20, |model| {
            let roles: Vec<Variable> = (0..5).map(|_| model.boolean()).collect();
            roles.iter().for_each(|&role| model.unary(role));
            let counts: Vec<Variable> = (0..5).map(|_| model.variable(bins)).collect();
            model.unary(counts[4]);
            for at in 0..5 {
                let before = (at > 0).then(|| counts[at - 1]);
                model.graph.count(before, roles[at], counts[at]);
                let scope: Vec<Variable> = before.into_iter().chain([roles[at], counts[at]]).collect();
                // The entries of a hard table count as well, each with a score of 0.
                let block = model.graph.all_scores().len() - 2 * bins * if at > 0 { bins } else { 1 };
                model.means(&scope, move |x| {
                    let index = x.iter().enumerate().fold(0, |index, (place, value)| {
                        let size = if place + 2 == x.len() { 2 } else { bins };
                        index * size + value
                    });
                    Say::Score(block + index)
                });
            }
            // What the chain counts, said of all roles at once.
            let all: Vec<Variable> = roles.iter().copied().chain([counts[4]]).collect();
            model.means(&all, move |x| legal(x[5] == x[..5].iter().sum::<usize>().min(bins - 1)));
        });
    }
}

/// A structured factor over Booleans with scores, some of its places missing.
fn structured<S: Structured + 'static>(
    model: &mut Model,
    places: Vec<(u32, u32)>,
    factor: impl Fn(Vec<(u32, u32)>) -> S,
    is_legal: impl Fn(&[(u32, u32)]) -> bool + 'static,
    must: Option<(u32, u32)>,
) {
    let places: Vec<(u32, u32)> = places.into_iter().filter(|_| model.rng.below(10) > 0).collect();
    let literals: Vec<Literal> = places.iter().map(|_| model.boolean().is(1)).collect();
    literals.iter().for_each(|literal| model.unary(literal.variable()));
    model.graph.structured(factor(places.clone()), &literals);
    model.literals(&literals, move |x| {
        let present: Vec<(u32, u32)> =
            places.iter().zip(x).filter(|(_, held)| **held).map(|(p, _)| *p).collect();
        let misses = must.is_some_and(|must| places.contains(&must) && !present.contains(&must));
        legal(is_legal(&present) && !misses)
    });
}

fn is_bracketing(n: u32, present: &[(u32, u32)]) -> bool {
    let mut open = vec![(0, n)];
    let mut used = 0;
    let there = |span: (u32, u32)| span.1 - span.0 == 1 || span == (0, n) || present.contains(&span);
    while let Some((start, end)) = open.pop() {
        if end - start < 2 {
            continue;
        }
        used += usize::from(present.contains(&(start, end)));
        let splits: Vec<u32> = (start + 1..end).filter(|&j| there((start, j)) && there((j, end))).collect();
        // With no crossing there is one split at most; with crossing ones more are left over than are used.
        let Some(&split) = splits.first() else { return false };
        open.extend([(start, split), (split, end)]);
    }
    used == present.len()
}

#[test]
fn brackets() {
    compare(40, |model| {
        let n = 1 + model.rng.below(5);
        structured(
            model,
            Brackets::all_spans(n),
            |spans| Brackets::new(n, spans),
            move |present| is_bracketing(n as u32, present),
            // The whole sentence is there even if it has no literal, and its literal must hold.
            Some((0, n as u32)),
        );
    });
}

fn is_tree(n: u32, present: &[(u32, u32)], roots: Roots, projective: bool) -> bool {
    let head = |word: u32| present.iter().find(|arc| arc.1 == word).map(|arc| arc.0);
    let heads: Option<Vec<u32>> = (1..=n).map(head).collect();
    let Some(heads) = heads else { return false };
    let above = |word: u32| {
        std::iter::successors(Some(word), |&w| (w > 0).then(|| heads[w as usize - 1])).take(n as usize + 2)
    };
    let is_below = |word: u32, ancestor: u32| above(word).any(|w| w == ancestor);
    let crossing = |&(h, d): &(u32, u32)| (h.min(d) + 1..h.max(d)).any(|between| !is_below(between, h));
    present.len() == n as usize
        && (1..=n).all(|word| is_below(word, 0))
        && (roots == Roots::Many || present.iter().filter(|arc| arc.0 == 0).count() == 1)
        && !(projective && present.iter().any(crossing))
}

#[test]
fn trees() {
    for roots in [Roots::One, Roots::Many] {
        for projective in [false, true] {
            compare(25, move |model| {
                let n = 1 + model.rng.below(if projective { 4 } else { 3 });
                let make = move |arcs| match projective {
                    true => Trees::projective(n, arcs, roots),
                    false => Trees::spanning(n, arcs, roots),
                };
                let is_legal = move |present: &[(u32, u32)]| is_tree(n as u32, present, roots, projective);
                structured(model, Trees::all_arcs(n), make, is_legal, None);
            });
        }
    }
}

#[test]
fn segments() {
    for cover in [Cover::Exact, Cover::Optional] {
        compare(40, move |model| {
            let (n, most) = (1 + model.rng.below(5), 1 + model.rng.below(3));
            let is_legal = move |present: &[(u32, u32)]| {
                let over = |word: u32| present.iter().filter(|span| (span.0..span.1).contains(&word)).count();
                (0..n as u32)
                    .all(|word| if cover == Cover::Exact { over(word) == 1 } else { over(word) <= 1 })
            };
            structured(
                model,
                Segments::all_spans(n, most),
                |spans| Segments::new(n, spans, cover),
                is_legal,
                None,
            );
        });
    }
}

/// The legal set with the largest sum, by looking at all of them.
fn best_by_hand(factor: &impl Structured, values: &[f64], is_legal: impl Fn(usize) -> bool) -> Option<f64> {
    let sum = |set: usize| {
        (0..factor.n_literals()).filter(|at| set >> at & 1 == 1).map(|at| values[at]).sum::<f64>()
    };
    (0..1usize << factor.n_literals()).filter(|&set| is_legal(set)).map(sum).max_by(f64::total_cmp)
}

fn check_best(factor: &impl Structured, places: &[(u32, u32)], is_legal: impl Fn(&[(u32, u32)]) -> bool) {
    let pick = |set: usize| -> Vec<(u32, u32)> {
        places.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1).map(|(_, place)| *place).collect()
    };
    for seed in 0..20 {
        let rng = &mut num::streams::Stream::new(seed).rng();
        let values: Vec<f64> = places.iter().map(|_| rng.uniform() - 0.3).collect();
        let best = factor.best(&values);
        let set = best.iter().enumerate().map(|(at, held)| usize::from(*held) << at).sum::<usize>();
        assert!(is_legal(&pick(set)));
        let sum: f64 = best.iter().zip(&values).filter(|(held, _)| **held).map(|(_, value)| value).sum();
        let expected = best_by_hand(factor, &values, |set| is_legal(&pick(set))).unwrap();
        assert!((sum - expected).abs() < 1e-12, "{sum} {expected}");
    }
}

#[test]
fn the_best_structure_is_the_best_of_all() {
    check_best(&Brackets::new(5, Brackets::all_spans(5)), &Brackets::all_spans(5), |set| {
        is_bracketing(5, set) && set.contains(&(0, 5))
    });
    let arcs = Trees::all_arcs(3);
    for roots in [Roots::One, Roots::Many] {
        check_best(&Trees::spanning(3, arcs.clone(), roots), &arcs, |set| is_tree(3, set, roots, false));
        check_best(&Trees::projective(3, arcs.clone(), roots), &arcs, |set| is_tree(3, set, roots, true));
    }
    let spans = Segments::all_spans(4, 3);
    let over =
        |set: &[(u32, u32)], word: u32| set.iter().filter(|span| (span.0..span.1).contains(&word)).count();
    check_best(&Segments::new(4, spans.clone(), Cover::Exact), &spans, |set| {
        (0..4).all(|word| over(set, word) == 1)
    });
    check_best(&Segments::new(4, spans.clone(), Cover::Optional), &spans, |set| {
        (0..4).all(|word| over(set, word) <= 1)
    });
}

type Span = (u32, u32);

/// All binary bracketings of n words, as sets of spans.
fn bracketings(n: u32) -> Vec<Vec<Span>> {
    let mut of: BTreeMap<Span, Vec<Vec<Span>>> = BTreeMap::new();
    for width in 1..=n {
        for start in 0..=n - width {
            let end = start + width;
            let mut all: Vec<Vec<Span>> = Vec::new();
            if width == 1 {
                all.push(Vec::new());
            }
            for j in start + 1..end {
                for left in &of[&(start, j)] {
                    for right in &of[&(j, end)] {
                        all.push([&[(start, end)], left.as_slice(), right.as_slice()].concat());
                    }
                }
            }
            of.insert((start, end), all);
        }
    }
    of.remove(&(0, n)).unwrap()
}

#[test]
fn complements_of_brackets_keep_their_digits_whatever_the_odds() {
    for n in 2..=8 {
        let spans = Brackets::all_spans(n);
        let trees = bracketings(n as u32);
        let factor = Brackets::new(n, spans.clone());
        for (seed, widest) in [(1, 1.0), (2, 30.0), (3, 30.0), (4, 30.0)] {
            let rng = &mut num::streams::Stream::new(seed).rng();
            // Of the strong ones only the extremes: p comes as near to 1 as it can.
            let odds: Vec<f64> = spans
                .iter()
                .map(|_| {
                    if seed > 2 {
                        widest * [-1.0, 1.0][rng.below(2)]
                    } else {
                        widest * (2.0 * rng.uniform() - 1.0)
                    }
                })
                .collect();
            let ln = |tree: &[(u32, u32)]| -> f64 {
                tree.iter().map(|span| odds[spans.iter().position(|other| other == span).unwrap()]).sum()
            };
            let total = num::special::log_sum_exp(&trees.iter().map(|tree| ln(tree)).collect::<Vec<f64>>());
            let (mut p, mut ln_complement) = (vec![0.0; spans.len()], vec![0.0; spans.len()]);
            let found = factor.marginals(&odds, &mut p, &mut ln_complement);
            assert!((found - total).abs() < 1e-12 * total.abs().max(1.0), "{found} {total}");
            for (at, span) in spans.iter().enumerate() {
                let without: Vec<f64> =
                    trees.iter().filter(|tree| !tree.contains(span)).map(|tree| ln(tree)).collect();
                let expected = if without.is_empty() {
                    f64::NEG_INFINITY
                } else {
                    num::special::log_sum_exp(&without) - total
                };
                let close = (ln_complement[at] - expected).abs() < 1e-12 * expected.abs().max(1.0);
                assert!(
                    close || ln_complement[at] == expected,
                    "{n} words, {span:?}: {} {expected}",
                    ln_complement[at]
                );
            }
        }
    }
}
