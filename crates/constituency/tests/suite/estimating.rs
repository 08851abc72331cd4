//! From counts to parameters.

use chain::Workers;
use constituency::bank::{Bank, BankOptions};
use constituency::estimate::{Smoothing, estimate};
use constituency::model::ChainCounts;
use grammar::{Inventory, Sizes, Tensors};
use proptest::prelude::*;
use testkit::toys::SplitMix64;
use testkit::twin::trees;

fn bank(text: &str) -> Bank {
    Bank::new(&trees(text, 99), &[], &BankOptions::default(), &Workers::serial()).0
}

const TOY: &str = "(S (A a) (B b))\n(S (A (B a) (B b)) (A a))\n(S (A (B b)) (B a))\n";

fn random_counts(inventory: &Inventory, sizes: &Sizes, random: &mut SplitMix64) -> Tensors {
    let mut counts = inventory.zero(sizes);
    for rule in 0..inventory.len() as u32 {
        let stay = inventory.rules().is_stay(rule);
        for x in 0..sizes.of(inventory.head(rule)) {
            for (y, count) in counts.row_mut(rule, x).iter_mut().enumerate() {
                *count = if stay && x != y { 0.0 } else { random.below(5) as f64 / 2.0 };
            }
        }
    }
    counts
}

fn row_sum(inventory: &Inventory, tensors: &Tensors, head: grammar::Category, x: usize) -> f64 {
    inventory.rules_of(head).iter().map(|&rule| tensors.row(rule, x).iter().sum::<f64>()).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn parameters_sum_to_one_and_follow_the_counts(
        seed in any::<u64>(), k in 1u32..4,
        rules in 0.01f64..20.0, words in 0.01f64..20.0, annotations in 0.01f64..20.0, shared in 0.01f64..20.0,
    ) {
        let bank = bank(TOY);
        let inventory = &bank.inventory;
        let sizes = Sizes::by_label(inventory.rules(), |label| 1 + (label + k) % 3);
        let counts = random_counts(inventory, &sizes, &mut SplitMix64(seed));
        let means = bank.means();
        let smoothing = Smoothing { rules, words, annotations, shared };
        let smooth = estimate(inventory, &means, &sizes, &counts, &smoothing);
        let epsilon = Smoothing { rules: 1e-9, words: 1e-9, annotations: 1e-9, shared: 1e-9 };
        let sharp = estimate(inventory, &means, &sizes, &counts, &epsilon);
        for head in inventory.heads() {
            for x in 0..sizes.of(head) {
                prop_assert!((row_sum(inventory, &smooth, head, x) - 1.0).abs() < 1e-9);
                let n = row_sum(inventory, &counts, head, x);
                for &rule in inventory.rules_of(head).iter().filter(|_| n > 0.0) {
                    let rows = sharp.row(rule, x).iter().zip(counts.row(rule, x));
                    // With next to no smoothing, the relative frequency.
                    prop_assert!(rows.clone().all(|(p, c)| (p - c / n).abs() < 1e-6));
                }
            }
        }
    }

    #[test]
    fn packed_counts_come_back(seed in any::<u64>(), k in 1u32..4, n_samples in 1u64..50) {
        let bank = bank(TOY);
        let sizes = Sizes::by_label(bank.inventory.rules(), |label| 1 + (label + k) % 3);
        let mut random = SplitMix64(seed);
        let mut counts = bank.inventory.zero(&sizes);
        for value in counts.values_mut() {
            let sum = if random.uniform() < 0.5 { 0 } else { random.below(100_000) };
            *value = sum as f64 / n_samples as f64;
        }
        let packed = ChainCounts::pack(sizes, n_samples, counts.values());
        prop_assert_eq!(packed.unpack(&bank.inventory), counts);
    }
}

/// One tree (S (A a) (A b)) with S\[0\], A\[0\] and A\[1\], worked out on paper.
#[test]
fn a_small_example_comes_out_as_on_paper() {
    let mut options = BankOptions::default();
    options.lexicon.rare = Some(1);
    options.lexicon.belief = 0.0;
    let (bank, _) = Bank::new(&trees("(S (A a) (A b))", 1), &[], &options, &Workers::serial());
    let inventory = &bank.inventory;
    let rules = inventory.rules();
    let a = rules.labels().iter().position(|label| label == "A").unwrap() as u32;
    let sizes = Sizes::by_label(rules, |label| if label == a { 2 } else { 1 });
    let binary = rules.first_binary();
    let tag = rules.binary()[0].left;
    let word = |form: &str| bank.lexicon.rule(form, form == "a", tag).unwrap();
    let mut counts = inventory.zero(&sizes);
    counts.row_mut(0, 0)[0] = 1.0;
    counts.row_mut(binary, 0).copy_from_slice(&[0.0, 3.0, 1.0, 0.0]);
    counts.row_mut(word("a"), 0)[0] = 3.0;
    counts.row_mut(word("b"), 0)[0] = 1.0;
    counts.row_mut(word("b"), 1)[0] = 4.0;
    let mut means = vec![0.0; inventory.len()];
    means[0] = 1.0;
    means[binary as usize] = 1.0;
    means[word("a") as usize] = 0.5;
    means[word("b") as usize] = 0.5;
    let smoothing = Smoothing { rules: 1.0, words: 2.0, annotations: 1.0, shared: 4.0 };
    let found = estimate(inventory, &means, &sizes, &counts, &smoothing);
    // θ: A[0] → a has (2 · ½ + 3) / (2 + 4), A[1] → b has (2 · ½ + 4) / (2 + 4).
    let near = |found: f64, paper: f64| assert!((found - paper).abs() < 1e-9, "{found} instead of {paper}");
    near(found.row(word("a"), 0)[0], 4.0 / 6.0);
    near(found.row(word("b"), 0)[0], 2.0 / 6.0);
    near(found.row(word("a"), 1)[0], 1.0 / 6.0);
    near(found.row(word("b"), 1)[0], 5.0 / 6.0);
    // A[0] and A[1] are used 4 times each, so u = (½, ½), φ = (4 · ¼ + n) / (4 + 4): (1, 4, 2, 1) / 8, and
    // β = (1 · φ + n) / (1 + 4); S has no other rule, so θ = 1.
    for (found, paper) in found.row(binary, 0).iter().zip([0.125, 3.5, 1.25, 0.125]) {
        near(*found, paper / 5.0);
    }
}
