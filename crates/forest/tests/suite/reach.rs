//! A forest that says how its items are numbered gets the same numbers for less work.

use forest::{Forest, Item, Scaled};
use testkit::toys::{Pcfg, SplitMix64};

use crate::toys::{PcfgForest, WithUnary};

/// The inside values of all items, their posteriors, and those of bundles, to the last bit.
#[derive(Debug, PartialEq)]
struct Answers {
    values: Vec<u64>,
    items: Vec<u64>,
    bundles: Vec<(Item, u32, u64)>,
}

fn answers(forest: &impl Forest<Weight = f64>) -> Answers {
    let inside = Scaled::inside(forest);
    assert!(inside.is_narrow());
    let values = (0..forest.n_items() as u32).map(|item| {
        let (mantissa, exponent) = inside.value(Item(item)).parts();
        mantissa.to_bits() ^ exponent as u64
    });
    let outside = inside.outside();
    let items = outside.items().iter().map(|posterior| posterior.to_bits()).collect();
    let mut bundles = Vec::new();
    outside.bundles(|head, bundle, posterior| bundles.push((head, bundle.rule, posterior.to_bits())));
    Answers { values: values.collect(), items, bundles }
}

/// Forests of few and of many symbols, the second with many that are zero, with all spans and with some.
fn each_pair(mut check: impl FnMut(WithUnary<PcfgForest<'_>>, WithUnary<PcfgForest<'_>>)) {
    for seed in 0..24u64 {
        let mut random = SplitMix64(seed + 50);
        let (n_symbols, n_rules) = [(2, 8), (3, 12), (12, 30), (6, 216)][seed as usize % 4];
        let grammar = Pcfg::random(n_symbols, n_rules, 4, &mut random);
        let n = 1 + seed as usize / 2;
        let words: Vec<usize> = (0..n).map(|_| random.below(4)).collect();
        let masked = seed % 3 == 0;
        let [spanned, plain] = [true, false].map(|spanned| {
            let mask = |i: u32, j: u32| !masked || j - i == 1 || i == 0 || !(i + j).is_multiple_of(3);
            let forest = PcfgForest::masked(&grammar, &words, mask);
            let spans = forest.spans;
            WithUnary { forest, spans, weight: 0.3, spanned }
        });
        check(spanned, plain);
    }
}

#[test]
fn leaving_out_what_is_zero_changes_no_bit() {
    each_pair(|spanned, plain| assert_eq!(answers(&spanned), answers(&plain)));
}

#[test]
fn leaving_out_what_is_zero_changes_no_draw() {
    each_pair(|spanned, plain| {
        let [mut one, mut other] = [SplitMix64(3), SplitMix64(3)];
        let (spanned, plain) = (Scaled::inside(&spanned), Scaled::inside(&plain));
        for _ in 0..20 {
            assert_eq!(spanned.sample(|| one.uniform()), plain.sample(|| other.uniform()));
        }
        assert_eq!(spanned.entropy().to_bits(), plain.entropy().to_bits());
    });
}
