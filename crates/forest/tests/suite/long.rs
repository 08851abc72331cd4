//! Long sentences, far beyond the range of a float.

use forest::semiring::{LogProb, Mass, Prob};
use forest::{Bundle, Forest, Item, Scaled, Splits, Tails, inside};
use testkit::toys::{Pcfg, SplitMix64};

use crate::toys::{CkyTree, PcfgForest, SplitHead, Written};

/// Scaled and logarithmic totals agree to 1e-9 of themselves, and the fast path was enough.
fn check_long(forest: &impl Forest<Weight = f64>, what: &str) {
    let scaled = Scaled::inside(forest);
    assert!(scaled.is_narrow(), "{what}: fell back");
    let expected = inside::<LogProb>(forest)[forest.goal().index()].0;
    let found = scaled.ln_total();
    assert!(found.is_finite() && expected.is_finite(), "{what}: {found} and {expected}");
    assert!((found - expected).abs() <= 1e-9 * expected.abs(), "{what}: {found} is not {expected}");
    let items = scaled.outside().items();
    let goal = items[forest.goal().index()];
    assert!((goal - 1.0).abs() < 1e-9, "{what}: the goal's posterior is {goal}");
    assert!(items.iter().all(|p| (0.0..=1.0 + 1e-9).contains(p)), "{what}: not a probability");
    assert!(scaled.sample(|| 0.37).is_some());
    assert!(scaled.entropy().is_finite());
}

#[test]
fn a_sentence_of_150_words_stays_in_range() {
    let mut random = SplitMix64(5);
    for scale in [1e-9, 1e-4, 1.0, 1e6] {
        let mut grammar = Pcfg::random(5, 30, 20, &mut random);
        grammar.lexical.iter_mut().flatten().for_each(|weight| *weight *= scale * random.uniform().powi(4));
        let words: Vec<usize> = (0..150).map(|_| random.below(20)).collect();
        let forest = PcfgForest::new(&grammar, &words);
        let plain = inside::<Prob>(&forest)[forest.goal().index()].0;
        assert!(scale == 1.0 || plain == 0.0 || !plain.is_finite(), "the test is too easy: {plain}");
        check_long(&forest, "pcfg");
    }
}

#[test]
fn other_models_of_150_words_stay_in_range() {
    let mut random = SplitMix64(6);
    check_long(&CkyTree::new(150, |_, _| random.uniform() * 40.0), "CKY tree, large odds");
    check_long(&CkyTree::new(150, |_, _| random.uniform() * 1e-4), "CKY tree, small odds");
    check_long(&SplitHead::random(75, &mut random), "split head");
}

#[test]
fn weights_of_every_size_are_summed_right() {
    let mut random = SplitMix64(8);
    for power in [1, 30, 120, 280] {
        let mut grammar = Pcfg::random(4, 20, 5, &mut random);
        let spread = |weight: f64, random: &mut SplitMix64| {
            weight * 10f64.powi((random.uniform() * f64::from(2 * power)) as i32 - power)
        };
        grammar.lexical.iter_mut().flatten().for_each(|weight| *weight = spread(*weight, &mut random));
        grammar.binary.iter_mut().for_each(|rule| rule.3 = spread(rule.3, &mut random));
        let words: Vec<usize> = (0..30).map(|_| random.below(5)).collect();
        let forest = PcfgForest::new(&grammar, &words);
        let scaled = Scaled::inside(&forest);
        assert_eq!(scaled.is_narrow(), power <= 1, "1e±{power}");
        let expected = inside::<LogProb>(&forest)[forest.goal().index()];
        assert!((scaled.ln_total() - expected.ln()).abs() <= 1e-9 * expected.ln().abs().max(1.0));
        let items = scaled.outside().items();
        assert!((items[forest.goal().index()] - 1.0).abs() < 1e-9);
        let words: f64 = forest
            .spans
            .items()
            .filter(|&item| forest.stretch(item).end == forest.stretch(item).start + 1)
            .map(|item| items[item.index()])
            .sum();
        assert!((words - 30.0).abs() < 1e-7, "each word has one tag, together {words}");
    }
}

#[test]
fn a_forest_without_stretches_falls_back_when_it_must() {
    let mut forest = Written::random(9, &mut SplitMix64(1));
    assert!(Scaled::inside(&forest).is_narrow());
    forest.bundles.iter_mut().flatten().for_each(|bundle| bundle.weight *= 1e-250);
    let scaled = Scaled::inside(&forest);
    assert!(!scaled.is_narrow());
    let expected = inside::<LogProb>(&forest)[forest.goal().index()].0;
    assert!((scaled.ln_total() - expected).abs() <= 1e-9 * expected.abs());
}

#[test]
fn a_product_that_would_vanish_is_noticed() {
    let splits = Splits { left: Item(0), left_step: 0, right: Item(0), right_step: 0, len: 1 };
    let forest = Written {
        bundles: vec![
            vec![Bundle { rule: 0, weight: 1e-70, tails: Tails::Leaf }],
            vec![Bundle { rule: 1, weight: 1e-250, tails: Tails::Two(splits) }],
        ],
    };
    let expected = -390.0 * std::f64::consts::LN_10;
    assert!((Scaled::inside(&forest).ln_total() - expected).abs() < 1e-9);
}
