//! Draws of θ and β have the moments of their Dirichlet distributions.

use chain::{Stream, Threads, Workers};
use constituency::bank::{Bank, BankOptions};
use constituency::prior::{Concentrations, RulePrior};
use grammar::{Sizes, Tensors};
use testkit::toys::SplitMix64;
use testkit::twin::trees;

const TREEBANK: &str = "(S (A a) (B b))
(S (A (B a) (B b)) (A a))
(S (A (B b)) (B a))
(S (A a b) (B (A a)))
";

fn toy() -> (Bank, Vec<f64>, Sizes, Tensors) {
    let (bank, _) = Bank::new(&trees(TREEBANK, 9), &[], &BankOptions::default(), &Workers::serial());
    let means = bank.means();
    let sizes = Sizes::by_label(bank.inventory.rules(), |label| 1 + label % 3);
    let mut counts = bank.inventory.zero(&sizes);
    let mut random = SplitMix64(3);
    let rules = bank.inventory.rules();
    for rule in 0..bank.inventory.len() as u32 {
        for x in 0..sizes.of(bank.inventory.head(rule)) {
            let stay = rules.is_stay(rule);
            for (y, count) in counts.row_mut(rule, x).iter_mut().enumerate() {
                *count = if stay && x != y { 0.0 } else { random.below(4) as f64 };
            }
        }
    }
    (bank, means, sizes, counts)
}

const CONCENTRATIONS: Concentrations = Concentrations { rules: 3.0, words: 2.0, annotations: 1.5 };

#[test]
fn means_sum_to_one_over_the_rules_of_each_head() {
    let (bank, means, ..) = toy();
    for head in bank.inventory.heads() {
        let sum: f64 = bank.inventory.rules_of(head).iter().map(|&rule| means[rule as usize]).sum();
        assert!((sum - 1.0).abs() < 1e-12, "{head:?}: {sum}");
    }
}

/// E p and E p² of a component with parameter a of a Dirichlet distribution with the sum s of parameters.
fn moments(a: f64, s: f64) -> (f64, f64) {
    (a / s, a * (a + 1.0) / (s * (s + 1.0)))
}

#[test]
fn draws_have_the_moments_of_the_posterior() {
    let (bank, means, sizes, counts) = toy();
    let inventory = &bank.inventory;
    let prior = RulePrior { inventory, means: &means, concentrations: CONCENTRATIONS };
    let n = 4000;
    let mut sums = vec![0.0; counts.values().len()];
    let mut squares = sums.clone();
    for draw in 0..n {
        let drawn = prior.draw(&sizes, &counts, Stream::new(9).tag(draw), &Workers::serial());
        for (at, p) in drawn.values().iter().enumerate() {
            sums[at] += p;
            squares[at] += p * p;
        }
    }
    // Where each number of a table stands.
    let mut places = inventory.zero(&sizes);
    places.values_mut().iter_mut().enumerate().for_each(|(at, place)| *place = at as f64);
    let mut worst: f64 = 0.0;
    for head in inventory.heads() {
        for x in 0..sizes.of(head) {
            let count = |rule: u32| counts.row(rule, x).iter().sum::<f64>();
            let alpha = |rule: u32| {
                let c = if inventory.is_lexical(rule) { 2.0 } else { 3.0 };
                c * means[rule as usize] + count(rule)
            };
            let all: f64 = inventory.rules_of(head).iter().map(|&rule| alpha(rule)).sum();
            let mut row_sum = 0.0;
            for &rule in inventory.rules_of(head) {
                let theta = moments(alpha(rule), all);
                let row = counts.row(rule, x);
                for (y, n_here) in row.iter().enumerate() {
                    let beta = if inventory.rules().is_stay(rule) {
                        if x == y { (1.0, 1.0) } else { (0.0, 0.0) }
                    } else {
                        moments(1.5 / row.len() as f64 + n_here, 1.5 + count(rule))
                    };
                    // θ and β are independent.
                    let (mean, second) = (theta.0 * beta.0, theta.1 * beta.1);
                    let at = places.row(rule, x)[y] as usize;
                    row_sum += sums[at] / n as f64;
                    let error = ((second - mean * mean) / n as f64).sqrt();
                    if error > 1e-12 {
                        worst = worst.max(((sums[at] / n as f64 - mean) / error).abs());
                        // A relative standard error of the second moment of about 4/√n.
                        let ratio = squares[at] / n as f64 / second;
                        assert!(second < 1e-3 || (0.8..1.25).contains(&ratio), "{ratio}");
                    } else {
                        assert!((sums[at] / n as f64 - mean).abs() < 1e-9);
                    }
                }
            }
            assert!((row_sum - 1.0).abs() < 1e-9, "a row sums to {row_sum}");
        }
    }
    assert!(worst < 4.5, "a mean is {worst} standard errors away");
    assert!(worst > 1.0, "the draws do not vary");
}

#[test]
fn draws_are_the_same_bits_at_any_number_of_threads() {
    let (bank, means, sizes, counts) = toy();
    let prior = RulePrior { inventory: &bank.inventory, means: &means, concentrations: CONCENTRATIONS };
    let draw = |n| {
        let workers = Workers::new(Threads::from_count(n)).unwrap();
        prior.draw(&sizes, &counts, Stream::new(4), &workers)
    };
    let serial = prior.draw(&sizes, &counts, Stream::new(4), &Workers::serial());
    for n in [1, 2, 4] {
        assert_eq!(draw(n).values(), serial.values());
    }
}
