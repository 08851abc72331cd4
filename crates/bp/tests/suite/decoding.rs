//! The best assignments against lists of all of them.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use arcs::Roots;
use bp::structured::{Brackets, Cover, Segments, Trees};
use bp::{HARD, Structured};
use num::streams::Stream;

/// Max-marginals from all legal sets, which the factor itself tells apart.
fn max_marginals_by_hand(factor: &dyn Structured, odds: &[f64]) -> (f64, Vec<[f64; 2]>) {
    let n = odds.len();
    let mut best = vec![[f64::NEG_INFINITY; 2]; n];
    let mut total = f64::NEG_INFINITY;
    for set in 0..1usize << n {
        let holds = |at: usize| set >> at & 1 == 1;
        let is_known = |at: usize| odds[at].abs() < HARD || holds(at) == (odds[at] > 0.0);
        let pinned: Vec<f64> = (0..n).map(|at| if holds(at) { HARD } else { -HARD }).collect();
        if !(0..n).all(is_known)
            || factor.marginals(&pinned, &mut vec![0.0; n], &mut vec![0.0; n]) == f64::NEG_INFINITY
        {
            continue;
        }
        let sum: f64 = (0..n).filter(|&at| holds(at) && odds[at] < HARD).map(|at| odds[at]).sum();
        total = total.max(sum);
        best.iter_mut().enumerate().for_each(|(at, best)| {
            let best = &mut best[usize::from(holds(at))];
            *best = best.max(sum);
        });
    }
    (total, best)
}

fn structures() -> Vec<Box<dyn Structured>> {
    let spans = Segments::all_spans(4, 3);
    let mut all: Vec<Box<dyn Structured>> = vec![
        Box::new(Brackets::new(5, Brackets::all_spans(5))),
        Box::new(Brackets::new(4, vec![(0, 2), (1, 3), (1, 4), (2, 4)])),
        Box::new(Segments::new(4, spans.clone(), Cover::Exact)),
        Box::new(Segments::new(4, spans, Cover::Optional)),
    ];
    for roots in [Roots::One, Roots::Many] {
        all.push(Box::new(Trees::spanning(3, Trees::all_arcs(3), roots)));
        all.push(Box::new(Trees::projective(3, Trees::all_arcs(3), roots)));
    }
    all
}

#[test]
fn max_marginals_are_the_best_with_and_without_a_literal() {
    for factor in structures() {
        for (seed, wide) in (0..30).zip([4.0, 60.0, 3000.0].into_iter().cycle()) {
            let rng = &mut Stream::new(seed).rng();
            let mut odds: Vec<f64> = (0..factor.n_literals()).map(|_| (rng.uniform() - 0.5) * wide).collect();
            if seed % 2 == 1 {
                let at = rng.below(odds.len());
                odds[at] = if rng.below(2) == 0 { HARD } else { -HARD };
            }
            let (mut with, mut without) = (vec![0.0; odds.len()], vec![0.0; odds.len()]);
            let total = factor.max_marginals(&odds, &mut with, &mut without);
            let (expected, best) = max_marginals_by_hand(&*factor, &odds);
            let close = |a: f64, b: f64| a == b || (a - b).abs() < 1e-12 * wide;
            assert!(close(total, expected), "{factor:?}: {total} {expected}");
            if total == f64::NEG_INFINITY {
                assert!(factor.most_probable(&odds).is_none());
                continue;
            }
            for at in (0..odds.len()).filter(|&at| odds[at].abs() < HARD) {
                let found = [without[at], with[at]];
                let is_right = close(found[0], best[at][0]) && close(found[1], best[at][1]);
                assert!(is_right, "{factor:?} {odds:?}, {at}: {found:?} {:?}", best[at]);
            }
            let set = factor.most_probable(&odds).unwrap();
            let held = set.iter().zip(&odds).filter(|(held, odds)| **held && **odds < HARD);
            assert!(close(held.map(|(_, odds)| odds).sum(), expected));
        }
    }
}

/// A factor that knows nothing better than what the trait does.
#[derive(Debug)]
struct Plain(Trees);

impl Structured for Plain {
    fn name(&self) -> &'static str {
        "plain"
    }

    fn n_literals(&self) -> usize {
        self.0.n_literals()
    }

    fn marginals(&self, log_odds: &[f64], p: &mut [f64], ln_complement: &mut [f64]) -> f64 {
        self.0.marginals(log_odds, p, ln_complement)
    }

    fn best(&self, values: &[f64]) -> Vec<bool> {
        self.0.best(values)
    }
}

#[test]
fn a_factor_that_only_tells_the_best_set_has_max_marginals() {
    let trees = Trees::projective(4, Trees::all_arcs(4), Roots::One);
    let plain = Plain(trees.clone());
    let rng = &mut Stream::new(7).rng();
    for _ in 0..20 {
        let mut odds: Vec<f64> = (0..16).map(|_| 8.0 * rng.uniform() - 4.0).collect();
        odds[rng.below(16)] = HARD;
        odds[rng.below(16)] = -HARD;
        let ask = |factor: &dyn Structured| {
            let (mut with, mut without) = (vec![0.0; 16], vec![0.0; 16]);
            let total = factor.max_marginals(&odds, &mut with, &mut without);
            (total, factor.most_probable(&odds), [with, without].concat())
        };
        let ((total, set, found), (expected, other, all)) = (ask(&plain), ask(&trees));
        assert!((total - expected).abs() < 1e-9 && set == other);
        let free = (0..32).filter(|at| odds[at % 16].abs() < HARD);
        for (a, b) in free.map(|at| (found[at], all[at])) {
            assert!(a == b || (a - b).abs() < 1e-9, "{a} {b}");
        }
    }
}
