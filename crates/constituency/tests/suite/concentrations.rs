//! Concentrations are drawn from the density that integration gives.

use chain::{Stream, Workers};
use constituency::bank::{Bank, BankOptions};
use constituency::concentrate::{HyperPrior, draw};
use constituency::prior::{Concentrations, RulePrior};
use grammar::{Sizes, Tensors};
use num::dist;
use testkit::toys::SplitMix64;
use testkit::twin::trees;

/// Far apart, so that none could stand for another without being noticed.
const HYPER: HyperPrior = HyperPrior { rules: 6.0, words: 1.5, annotations: 0.7 };

/// ln P(counts | c) by the book: Dirichlet-multinomials of the rules of each `A[x]`.
fn ln_rules(bank: &Bank, means: &[f64], sizes: &Sizes, counts: &Tensors, c: (f64, f64)) -> f64 {
    let inventory = &bank.inventory;
    let mut sum = 0.0;
    for head in inventory.heads() {
        for x in 0..sizes.of(head) {
            let rules = inventory.rules_of(head);
            let alpha: Vec<f64> = rules
                .iter()
                .map(|&rule| means[rule as usize] * if inventory.is_lexical(rule) { c.1 } else { c.0 })
                .collect();
            let n: Vec<f64> = rules.iter().map(|&rule| counts.row(rule, x).iter().sum()).collect();
            sum += dist::density::dirichlet_multinomial(&n, &alpha);
        }
    }
    sum
}

/// The same for the annotations of each rule of each `A[x]`.
fn ln_annotations(bank: &Bank, sizes: &Sizes, counts: &Tensors, b: f64) -> f64 {
    let inventory = &bank.inventory;
    let mut sum = 0.0;
    for rule in (0..inventory.len() as u32).filter(|&rule| !inventory.rules().is_stay(rule)) {
        for x in 0..sizes.of(inventory.head(rule)) {
            let row = counts.row(rule, x);
            sum += dist::density::dirichlet_multinomial(row, &vec![b / row.len() as f64; row.len()]);
        }
    }
    sum
}

/// E ln c and E (ln c)² over a grid of points with unnormalised log densities.
fn moments(points: &[(f64, f64)]) -> (f64, f64) {
    let most = points.iter().map(|p| p.1).fold(f64::NEG_INFINITY, f64::max);
    let weight = |p: &(f64, f64)| libm::exp(p.1 - most);
    let total: f64 = points.iter().map(weight).sum();
    let mean = points.iter().map(|p| weight(p) * p.0).sum::<f64>() / total;
    (mean, points.iter().map(|p| weight(p) * p.0 * p.0).sum::<f64>() / total)
}

#[test]
fn slice_draws_have_the_moments_that_integration_gives() {
    let text = "(S (A a) (B b))\n(S (A (B a) (B b)) (A a))\n(S (A (B b)) (B a))\n";
    let (bank, _) = Bank::new(&trees(text, 9), &[], &BankOptions::default(), &Workers::serial());
    let means = bank.means();
    let sizes = Sizes::by_label(bank.inventory.rules(), |_| 2);
    let mut counts = bank.inventory.zero(&sizes);
    let mut random = SplitMix64(5);
    for rule in 0..bank.inventory.len() as u32 {
        for x in 0..sizes.of(bank.inventory.head(rule)) {
            let stay = bank.inventory.rules().is_stay(rule);
            for (y, count) in counts.row_mut(rule, x).iter_mut().enumerate() {
                *count = if stay && x != y { 0.0 } else { (random.below(6) * random.below(2)) as f64 };
            }
        }
    }
    // ln of the prior density of ln c, where c has a Gamma(2, mean / 2) distribution.
    let hyper = |ln: f64, mean: f64| {
        let c = libm::exp(ln);
        dist::density::gamma(c, 2.0, mean / 2.0) + ln
    };
    let grid: Vec<f64> = (0..120).map(|at| -5.0 + 0.08 * f64::from(at)).collect();
    let mut of_rules = Vec::new();
    let mut of_words = Vec::new();
    for &r in &grid {
        for &w in &grid {
            let ln = ln_rules(&bank, &means, &sizes, &counts, (libm::exp(r), libm::exp(w)))
                + hyper(r, HYPER.rules)
                + hyper(w, HYPER.words);
            of_rules.push((r, ln));
            of_words.push((w, ln));
        }
    }
    let annotations =
        |&b: &f64| (b, ln_annotations(&bank, &sizes, &counts, libm::exp(b)) + hyper(b, HYPER.annotations));
    let of_annotations: Vec<(f64, f64)> = grid.iter().map(annotations).collect();
    let expected = [moments(&of_rules), moments(&of_words), moments(&of_annotations)];
    let mut c = Concentrations::default();
    let n = 6000;
    let mut drawn: [Vec<f64>; 3] = Default::default();
    for at in 0..n + 100 {
        let prior = RulePrior { inventory: &bank.inventory, means: &means, concentrations: c };
        c = draw(&prior, &HYPER, &sizes, &counts, &mut Stream::new(2).tag(at).rng());
        if at >= 100 {
            let values = [c.rules, c.words, c.annotations];
            drawn.iter_mut().zip(values).for_each(|(drawn, value)| drawn.push(libm::log(value)));
        }
    }
    for (drawn, (mean, second)) in drawn.iter().zip(expected) {
        for (power, expected) in [(1, mean), (2, second)] {
            let chain: Vec<f64> = drawn.iter().map(|ln| ln.powi(power)).collect();
            let summary = chain::diagnose::summarise(&[chain]).unwrap();
            let z = (summary.mean - expected) / summary.mcse.unwrap();
            assert!(z.abs() < 4.0, "power {power}: {} instead of {expected}, z = {z}", summary.mean);
        }
    }
}
