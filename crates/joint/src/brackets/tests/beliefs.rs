//! Exact beliefs against messages and enumeration.

use bp::learn::gradients;
use bp::{Evidence, Graph, Messages, Options, Variable};

use super::super::decode::decode;
use super::super::exact::{Exact, SpanValues, add_gold};
use super::super::net::Net;
use super::super::spans::Spans;
use super::*;

struct Case {
    labels: Option<Labels>,
    spans: Spans,
    scores: Vec<f64>,
}

impl Case {
    fn new(n_words: usize, is_labelled: bool, seed: u64) -> Case {
        let labels = is_labelled.then(labels);
        let spans = Spans { n_words };
        let stride = SpanValues { labels: labels.as_ref() }.stride();
        let scores = random_scores(spans.len() * stride, &mut stream(seed));
        Case { labels, spans, scores }
    }

    fn shape(&self) -> SpanValues<'_> {
        SpanValues { labels: self.labels.as_ref() }
    }

    fn exact(&self, known: &[Bracket<Option<u32>>]) -> Exact {
        let mut exact = Exact::default();
        exact.run(self.shape(), self.spans, &self.scores, known).unwrap();
        exact
    }

    fn net(&self) -> (Net, Graph) {
        let mut net = Net::new(self.shape(), self.spans, &self.scores);
        let graph = std::mem::take(&mut net.graph).finish().unwrap();
        (net, graph)
    }
}

fn bracket(start: u32, end: u32, label: Option<u32>) -> Bracket<Option<u32>> {
    Bracket { start, end, label }
}

fn clamp(net: &Net, graph: &Graph, known: &[Bracket<Option<u32>>]) -> Evidence {
    let mut evidence = Evidence::none(graph);
    net.know(&mut evidence);
    for bracket in known {
        let place = net.spans.iter().position(|span| *span == (bracket.start, bracket.end)).unwrap();
        evidence.set(net.brackets[place].is(1));
        if let (Some(label), Some(variable)) = (bracket.label, net.labels.get(place)) {
            evidence.set(variable.is(label as usize + 1));
        }
    }
    evidence
}

fn assert_near(a: f64, b: f64, what: &str) {
    assert!((a - b).abs() < 1e-9 * (1.0 + a.abs()), "{what}: {a} {b}");
}

#[test]
fn closed_form_is_what_messages_come_to() {
    for (n_words, is_labelled) in [(2, true), (3, true), (6, true), (6, false)] {
        let case = Case::new(n_words, is_labelled, n_words as u64);
        let (net, graph) = case.net();
        let known = [bracket(1, 3, Some(2)), bracket(2, 5, None)];
        let known = if n_words == 6 { &known[1..] } else { &[] };
        for known in [&[], known] {
            let exact = case.exact(known);
            let mut messages = Messages::default();
            assert!(messages.run(&graph, &clamp(&net, &graph, known), &Options::default()).unwrap().is_exact);
            for (place, (start, end)) in net.spans.iter().enumerate() {
                let p = messages.probability(&graph, net.brackets[place].is(1));
                assert_near(exact.p[place], p, "span");
                for label in 0..case.shape().n_values((end - start) as usize) - 1 {
                    let at = case.shape().block(place, 0).start + 1 + label;
                    let belief = messages.probability(&graph, net.labels[place].is(label + 1));
                    assert_near(exact.p[place] * exact.shares[at], belief, "label");
                }
            }
            assert_near(exact.ln_z, messages.log_z(&graph), "ln Z");
        }
    }
}

#[test]
fn gradients_of_whole_and_partial_trees_are_those_of_two_runs_of_messages() {
    for is_labelled in [true, false] {
        let case = Case::new(5, is_labelled, 11);
        let (shape, spans) = (case.shape(), case.spans);
        let (net, graph) = case.net();
        let label = |number| is_labelled.then_some(number);
        let whole = [
            bracket(0, 5, label(0)),
            bracket(0, 2, label(3)),
            bracket(2, 5, label(1)),
            bracket(3, 5, label(2)),
        ];
        let partial = [bracket(0, 3, None), bracket(1, 3, label(2))];
        for (known, is_whole) in [(&whole[..], true), (&partial[..], false)] {
            let mut found = vec![0.0; case.scores.len()];
            let ln = if is_whole {
                add_gold(shape, spans, &case.scores, known, &mut found)
            } else {
                let clamped = case.exact(known);
                clamped.add_expected(shape, spans, 1.0, &mut found);
                clamped.ln_z
            };
            let free = case.exact(&[]);
            free.add_expected(shape, spans, -1.0, &mut found);
            let mut clamped = clamp(&net, &graph, known);
            if is_whole {
                let others = net.brackets.iter().filter(|b| clamped.value(**b).is_none()).copied();
                others.collect::<Vec<Variable>>().iter().for_each(|b| clamped.set(b.is(0)));
            }
            let mut expected = Vec::new();
            let open = clamp(&net, &graph, &[]);
            let likelihood = gradients(
                &mut Messages::default(),
                &graph,
                &clamped,
                &open,
                &Options::default(),
                &mut expected,
            )
            .unwrap();
            assert_near(ln - free.ln_z, likelihood.ln, "likelihood");
            for (place, scores) in net.scores.iter().enumerate() {
                let (start, end) = net.spans[place];
                let block = shape.block(place, (end - start) as usize);
                for (at, want) in block.zip(scores.range()) {
                    assert_near(found[at], expected[want], "derivative");
                }
            }
        }
    }
}

#[test]
fn one_variable_for_the_label_is_as_good_as_a_boolean_for_each() {
    let case = Case::new(5, true, 3);
    let (net, graph) = case.net();
    let mut booleans = Graph::new();
    let mut literals = Vec::new();
    let mut all = Vec::new();
    for (place, &(start, end)) in net.spans.iter().enumerate() {
        let span = booleans.boolean();
        let block = &case.scores[case.shape().block(place, (end - start) as usize)];
        let labels: Vec<Variable> = block[1..]
            .iter()
            .map(|score| {
                let label = booleans.boolean();
                booleans.unary(label, &[*score]);
                label
            })
            .collect();
        let is: Vec<_> = labels.iter().map(|label| label.is(1)).collect();
        booleans.is_at_most_one(span.is(1), &is);
        if place < case.spans.n_open() {
            booleans.unary(span, &[-block[0]]);
            literals.push(span.is(1));
        }
        all.push((span, labels));
    }
    let open = net.spans[..case.spans.n_open()].to_vec();
    booleans.structured(bp::structured::Brackets::new(5, open), &literals);
    let booleans = booleans.finish().unwrap();
    let mut evidence = Evidence::none(&booleans);
    let (whole, whole_labels) = all.last().unwrap();
    evidence.set(whole.is(1));
    // Stand-ins are no labels of whole sentences.
    let known = |number: usize| labels().is_stand_in(number);
    whole_labels
        .iter()
        .enumerate()
        .filter(|(at, _)| known(*at))
        .for_each(|(_, label)| evidence.set(label.is(0)));
    let (mut one, mut many) = (Messages::default(), Messages::default());
    one.run(&graph, &clamp(&net, &graph, &[]), &Options::default()).unwrap();
    many.run(&booleans, &evidence, &Options::default()).unwrap();
    for (place, (span, labels)) in all.iter().enumerate() {
        let p = one.probability(&graph, net.brackets[place].is(1));
        assert_near(p, many.probability(&booleans, span.is(1)), "span");
        for (at, label) in labels.iter().enumerate() {
            let p = one.probability(&graph, net.labels[place].is(at + 1));
            assert_near(p, many.probability(&booleans, label.is(1)), "label");
        }
    }
}

#[test]
fn decoded_tree_is_the_best_of_all_bracketings() {
    for n_words in 2..=6 {
        for seed in 0..20 {
            let case = Case::new(n_words, seed % 2 == 0, seed);
            let beliefs = case.exact(&[]);
            let p = |(start, end): &(u32, u32)| beliefs.p[case.spans.place(*start as usize, *end as usize)];
            let all = crate::listing::bracketings(0, n_words as u32);
            let total: f64 = all.iter().map(|tree| exp_odds(&case, &beliefs, tree)).sum();
            for (place, span) in case.spans.all().iter().enumerate() {
                let with: f64 = all
                    .iter()
                    .filter(|tree| tree.contains(span))
                    .map(|tree| exp_odds(&case, &beliefs, tree))
                    .sum();
                assert_near(with / total, beliefs.p[place], "posterior");
            }
            for how in [Decode::Sum, Decode::Product] {
                let value = |tree: &Vec<(u32, u32)>| match how {
                    Decode::Sum => tree.iter().map(&p).sum::<f64>(),
                    Decode::Product => tree.iter().map(|span| p(span).ln()).sum(),
                };
                let chosen = decode(case.shape(), case.spans, &beliefs, how);
                let spans: Vec<(u32, u32)> =
                    chosen.iter().map(|c| (c.bracket.start, c.bracket.end)).collect();
                assert!(all.contains(&spans), "{spans:?} is no tree");
                let best = all.iter().map(value).fold(f64::NEG_INFINITY, f64::max);
                assert_near(value(&spans), best, "value");
            }
        }
    }
}

fn exp_odds(case: &Case, beliefs: &Exact, tree: &[(u32, u32)]) -> f64 {
    let place = |&(start, end): &(u32, u32)| case.spans.place(start as usize, end as usize);
    tree.iter().filter_map(|span| beliefs.log_odds.get(place(span))).sum::<f64>().exp()
}
