//! The chart against the general engine, on sentences that are too long for lists.

use arcs::dmv::{DmvChart, DmvSentence, DmvShape, DmvWeights, Laid, Mask, RootWeights};
use chain::Stream;
use forest::Scaled;
use testkit::annotations::{any_annotation, any_reading};
use tree::{Possible, Side};

use super::model::{ROOTS, any_parameters, any_sentence};

/// What is asked of a sentence.
struct Question<'a> {
    shape: &'a DmvShape,
    sentence: &'a DmvSentence,
    roots: RootWeights,
    laid: Laid<'a>,
}

impl Question<'_> {
    /// The expected number of each event, and the probability of each arc: every bundle is one or two events.
    fn by_the_engine(&self, engine: &Scaled<'_, Laid<'_>>) -> (Vec<f64>, Vec<f64>) {
        let Question { shape, sentence, roots, laid } = self;
        let n = sentence.len();
        let (mut events, mut arcs) = (vec![0.0; shape.len()], vec![0.0; n * (n + 1)]);
        engine.outside().bundles(|item, bundle, p| {
            if let Some((head, dependent)) = laid.arc_of(item) {
                arcs[(dependent - 1) * (n + 1) + head] += p;
                let (tag, has) = (sentence.tags[dependent - 1], bundle.rule == Laid::FAR);
                match (head.checked_sub(1), if dependent < head { Side::Left } else { Side::Right }) {
                    (None, _) => {
                        events[shape.root(tag)] += p;
                        if has && *roots == RootWeights::Many {
                            events[shape.root_stop(false)] += p;
                        }
                    }
                    (Some(at), side) => {
                        events[shape.stop(sentence.heads[at], side, has, false)] += p;
                        events[shape.choice(sentence.heads[at], side, has, tag)] += p;
                    }
                }
            } else if let Some((head, side, has)) = laid.stop_of(item) {
                match head.checked_sub(1) {
                    // A root without any dependent, over no words, stops for nothing.
                    None if *roots == RootWeights::Many && has => events[shape.root_stop(true)] += p,
                    None => {}
                    Some(at) => events[shape.stop(sentence.heads[at], side, has, true)] += p,
                }
            }
        });
        (events, arcs)
    }

    /// Compares totals, expected events and probabilities of arcs; false if there is no tree.
    fn check(&self, chart: &mut DmvChart) -> bool {
        let ln_total = chart.fill(&self.laid);
        let engine = Scaled::inside(&self.laid);
        if engine.ln_total() == f64::NEG_INFINITY {
            assert_eq!(ln_total, f64::NEG_INFINITY);
            return false;
        }
        assert!(chart.is_narrow());
        assert!((ln_total - engine.ln_total()).abs() < 1e-9, "{ln_total} {}", engine.ln_total());
        let (expected_events, expected_arcs) = self.by_the_engine(&engine);
        let (mut events, mut arcs) = (vec![0.0; expected_events.len()], vec![0.0; expected_arcs.len()]);
        chart.add_events(&self.laid, self.shape, self.sentence, self.roots, 1.0, &mut events);
        chart.add_arcs(&self.laid, 1.0, &mut arcs);
        for (found, expected) in [(&events, &expected_events), (&arcs, &expected_arcs)] {
            for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
                assert!((found - expected).abs() < 1e-9, "{at}: {found} {expected}");
            }
        }
        true
    }
}

#[test]
fn sums_and_expected_events_of_long_sentences_are_those_of_the_engine() {
    let mut chart = DmvChart::default();
    for seed in 0..60 {
        let rng = &mut Stream::new(51).item(seed).rng();
        let shape = DmvShape::new(2 + rng.below(6), rng.below(3), rng.bernoulli(0.5));
        let parameters = any_parameters(rng, &shape, 4.0);
        let n_words = 15 + rng.below(26);
        let sentence = any_sentence(rng, &shape, n_words);
        let roots = ROOTS[seed % 3];
        let mut weights = DmvWeights::default();
        weights.fill(&shape, &parameters, &sentence, roots);
        let laid = Laid { weights: &weights, mask: Mask::Free };
        assert!(Question { shape: &shape, sentence: &sentence, roots, laid }.check(&mut chart));
    }
}

#[test]
fn sums_and_expected_events_under_annotations_are_those_of_the_engine() {
    let (mut chart, mut n_trees, mut n_none) = (DmvChart::default(), 0, 0);
    for seed in 0..200 {
        let rng = &mut Stream::new(52).item(seed).rng();
        let n_words = 15 + rng.below(26);
        let (said, reading) = (any_annotation(rng, n_words), any_reading(rng));
        let Ok(possible) = Possible::new(&said, &reading) else { continue };
        let kept: Vec<usize> = (1..=n_words).filter(|&word| !possible.left_out(word)).collect();
        let shape = DmvShape::new(4, 1, rng.bernoulli(0.5));
        let parameters = any_parameters(rng, &shape, 3.0);
        let sentence = any_sentence(rng, &shape, kept.len());
        let roots = ROOTS[seed % 3];
        let mut weights = DmvWeights::default();
        weights.fill(&shape, &parameters, &sentence, roots);
        for case in possible.cases().iter().take(3) {
            let laid = Laid { weights: &weights, mask: Mask::Case(case, &kept) };
            let found = Question { shape: &shape, sentence: &sentence, roots, laid }.check(&mut chart);
            n_trees += usize::from(found);
            n_none += usize::from(!found);
        }
    }
    assert!(n_trees > 60, "{n_trees} with trees, {n_none} without");
}
