//! Rules against enumeration, and how they are found.

use chain::Workers;
use chain::descent::Learning;

use super::super::exact::{Exact, SpanValues};
use super::super::rules::Rules;
use super::super::spans::Spans;
use super::*;

/// Trees whose labels follow from one another, and from nothing that a single bracket sees.
fn agreeing() -> Vec<Tree<Text>> {
    [
        "(S (A (D a) (N b)) (V c))",
        "(T (V a) (B (D b) (N c)))",
        "(S (A (V a) (N b)) (N c))",
        "(T (D a) (B (V b) (N c)))",
    ]
    .map(tree)
    .to_vec()
}

#[test]
fn rules_find_what_no_bracket_sees() {
    check_rules(RuleStep::Perceptron);
    check_rules(RuleStep::Likelihood);
}

fn check_rules(step: RuleStep) {
    let trees = agreeing();
    let annotated: Vec<Annotated> = trees.iter().cloned().map(Annotated::from).collect();
    let rules =
        RuleOptions { step, epochs: 30, threshold: 1e-3, batch: 1, folds: 1, ..RuleOptions::default() };
    let learning = Learning { epochs: 1, ..quick().learning };
    // Without features, all that is known are the rules.
    let options = TrainOptions { rules: Some(rules), learning, least_features: 1000, ..quick() };
    let mut shares = Vec::new();
    let model = Training::new(&annotated, options).unwrap().run(&Workers::serial(), &mut |epoch, _| {
        if epoch.stage == Stage::Rules {
            shares.push(epoch.figure);
        }
        std::ops::ControlFlow::Continue(())
    });
    let parse = |model: &Model| -> Vec<Tree<Text>> {
        trees.iter().map(|tree| model.parse(&words_of(tree), Decode::Sum).tree).collect()
    };
    assert_eq!((shares.len(), shares.last()), (30, Some(&1.0)), "{shares:?}");
    assert!(model.n_rules() >= 8);
    assert_eq!(parse(&model), trees);
    assert_ne!(parse(&model.without_rules()), trees);
}

/// Three words: two bracketings, and labels for both brackets. One rule of each kind is enough for no cycle to arise.
#[test]
fn beliefs_with_rules_are_those_of_all_labelled_trees() {
    let labels = labels();
    let shape = SpanValues { labels: Some(&labels) };
    let spans = Spans { n_words: 3 };
    let tags = [7, 8, 9];
    let first_tag = labels.len() as u32;
    for (seed, threshold) in (0..20).flat_map(|seed| [(seed, 1e-6), (seed, 0.05)]) {
        let scores = random_scores(spans.len() * shape.stride(), &mut stream(seed));
        let mut beliefs = Exact::default();
        beliefs.run(shape, spans, &scores, &[]).unwrap();
        // S → NP tag over the first two words, and VP → tag tag over any.
        let rules = [([0, 3, first_tag + 9], 1.5), ([2, first_tag + 8, first_tag + 9], -2.0)];
        let belief = |start: usize, end: usize, label: usize| {
            let place = spans.place(start, end);
            beliefs.p[place] * beliefs.shares[place * shape.stride() + 1 + label]
        };
        let is_likely = [belief(0, 3, 0) * belief(0, 2, 3) > threshold, belief(1, 3, 2) > threshold];
        let rules = Rules::new(rules.to_vec(), threshold, 50);
        rules.refine(shape, spans, &tags, &mut beliefs);
        let value = |start: usize, end: usize, label: Option<usize>| {
            let at = spans.place(start, end) * shape.stride();
            scores[label.map_or(at, |label| at + 1 + label)]
        };
        let mut sums = vec![0.0; scores.len()];
        for (left, other) in [((0, 2), (1, 3)), ((1, 3), (0, 2))] {
            for root in (0..labels.n_at(3)).filter(|label| !labels.is_stand_in(*label)) {
                for part in 0..labels.n_at(2) {
                    let mut ln = value(0, 3, Some(root))
                        + value(left.0, left.1, Some(part))
                        + value(other.0, other.1, None);
                    ln += if is_likely[0] && (left, root, part) == ((0, 2), 0, 3) { 1.5 } else { 0.0 };
                    ln += if is_likely[1] && (left, part) == ((1, 3), 2) { -2.0 } else { 0.0 };
                    for (span, label) in [((0, 3), root), (left, part)] {
                        sums[spans.place(span.0, span.1) * shape.stride() + 1 + label] += ln.exp();
                    }
                }
            }
        }
        let total: f64 = sums[spans.n_open() * shape.stride()..].iter().sum();
        for (place, (start, end)) in spans.all().into_iter().enumerate() {
            let block = shape.block(place, (end - start) as usize);
            let p: f64 = sums[block.clone()].iter().sum::<f64>() / total;
            assert!((p - beliefs.p[place]).abs() < 1e-6, "{seed} {start} {end}: {p} {}", beliefs.p[place]);
            for at in block.skip(1) {
                let (belief, wanted) = (beliefs.p[place] * beliefs.shares[at], sums[at] / total);
                assert!((belief - wanted).abs() < 1e-6, "{seed} {at}: {belief} {wanted}");
            }
        }
    }
}
