//! Draws against posteriors, at fixed seeds and four standard errors.

use std::collections::BTreeMap;

use forest::semiring::{LogProb, Prob};
use forest::{Forest, Scaled, derive, inside};
use testkit::toys::SplitMix64;

use crate::toys::{for_each_forest, steps_of, written_out};

/// Whether `hits` of `n` draws fit probability `p`: within four standard errors and a draw.
pub(crate) fn fits(hits: usize, n: usize, p: f64) -> bool {
    (hits as f64 - n as f64 * p).abs() <= 4.0 * (n as f64 * p * (1.0 - p)).sqrt() + 1.0
}

#[test]
fn draws_follow_the_weights() {
    const N: usize = 2000;
    for_each_forest!(forest => {
        let all = written_out(forest).derivations();
        let z: f64 = all.iter().map(|derived| derived.weight).sum();
        for scaled in [Scaled::inside(forest), Scaled::wide(forest)] {
            let mut random = SplitMix64(7);
            let mut hits: BTreeMap<_, usize> = BTreeMap::new();
            for _ in 0..N {
                let Some(derivation) = scaled.sample(|| random.uniform()) else { break };
                *hits.entry(steps_of(&derivation)).or_default() += 1;
            }
            assert_eq!(hits.values().sum::<usize>(), if all.is_empty() { 0 } else { N });
            assert!(hits.keys().all(|steps| all.iter().any(|derived| derived.steps == *steps)));
            // Standard errors mean something for those with some dozens of expected draws.
            for derived in all.iter().filter(|derived| derived.weight / z * N as f64 >= 20.0) {
                let found = hits.get(&derived.steps).copied().unwrap_or(0);
                let p = derived.weight / z;
                assert!(fits(found, N, p), "{found} of {N}, probability {p}");
            }
            let mut by_item = vec![0usize; forest.n_items()];
            for (steps, count) in &hits {
                let mut items: Vec<usize> = steps.iter().map(|step| step.0).collect();
                items.sort_unstable();
                items.dedup();
                items.into_iter().for_each(|item| by_item[item] += count);
            }
            for (item, &found) in by_item.iter().enumerate().filter(|_| !all.is_empty()) {
                let through = all.iter().filter(|derived| derived.steps.iter().any(|step| step.0 == item));
                let p = through.map(|derived| derived.weight).sum::<f64>() / z;
                assert!(fits(found, N, p), "item {item}: {found} of {N}, posterior {p}");
            }
        }
    });
}

#[test]
fn the_same_numbers_give_the_same_draw_in_every_number_type() {
    for_each_forest!(forest => {
        let draw = |seed| {
            let mut random = SplitMix64(seed);
            Scaled::inside(forest).sample(move || random.uniform())
        };
        for seed in 0..20 {
            let mut random = SplitMix64(seed);
            let plain = derive::sample(forest, &inside::<Prob>(forest), || random.uniform());
            let mut random = SplitMix64(seed);
            let log = derive::sample(forest, &inside::<LogProb>(forest), || random.uniform());
            assert_eq!(plain, log);
            assert_eq!(draw(seed), plain);
        }
    });
}

#[test]
fn the_highest_number_below_one_draws_something_possible() {
    for_each_forest!(forest => {
        let all = written_out(forest).derivations();
        let highest = 1.0 - f64::EPSILON / 2.0;
        for fraction in [0.0, highest] {
            let drawn = Scaled::inside(forest).sample(|| fraction);
            assert_eq!(drawn.is_some(), !all.is_empty());
            if let Some(drawn) = drawn {
                let steps = steps_of(&drawn);
                assert!(all.iter().any(|derived| derived.steps == steps));
            }
        }
    });
}
