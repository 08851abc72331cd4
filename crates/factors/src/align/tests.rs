use chain::Stream;
use num::dist::normal;
use proptest::prelude::*;

use super::*;
use crate::{Kind, simulate};

fn numbers(n: usize, seed: u64) -> Vec<f64> {
    let mut rng = Stream::new(seed).rng();
    (0..n).map(|_| normal(&mut rng)).collect()
}

fn trace(turn: &[f64], m: &[f64]) -> f64 {
    turn.iter().zip(m).map(|(p, m)| p * m).sum()
}

fn is_orthogonal(turn: &[f64], k: usize) -> bool {
    let product = cross(turn, turn, k);
    (0..k * k).all(|at| (product[at] - f64::from(at % k == at / k)).abs() < 1e-9)
}

proptest! {
    #[test]
    fn the_nearest_rotation_is_orthogonal_and_no_other_is_nearer(k in 1usize..6, seed in any::<u64>()) {
        let m = numbers(k * k, seed);
        let best = polar::nearest_rotation(&m, k);
        prop_assert!(is_orthogonal(&best, k));
        for other in 1..20 {
            let rival = polar::nearest_rotation(&numbers(k * k, seed ^ other), k);
            prop_assert!(trace(&rival, &m) <= trace(&best, &m) + 1e-9);
        }
    }

    #[test]
    fn a_matrix_without_full_rank_has_a_nearest_rotation_too(k in 1usize..6, seed in any::<u64>()) {
        let (left, right) = (numbers(k, seed), numbers(k, seed ^ 1));
        let m: Vec<f64> = left.iter().flat_map(|a| right.iter().map(move |b| a * b)).collect();
        prop_assert!(is_orthogonal(&polar::nearest_rotation(&m, k), k));
        prop_assert!(is_orthogonal(&polar::nearest_rotation(&vec![0.0; k * k], k), k));
    }

    #[test]
    fn the_best_signed_permutation_is_the_best_of_all(k in 1usize..6, seed in any::<u64>()) {
        let m = numbers(k * k, seed);
        let best = assignment::signed_permutation(&m, k);
        let most = permutations(k).into_iter().map(|p| p.iter().enumerate().map(|(i, &j)| m[i * k + j].abs()).sum::<f64>());
        prop_assert!((trace(&best, &m) - most.fold(f64::NEG_INFINITY, f64::max)).abs() < 1e-9);
    }

    #[test]
    fn varimax_turns_and_never_lowers_its_criterion(k in 1usize..5, seed in any::<u64>()) {
        let b = numbers(12 * k, seed);
        let turn = varimax::varimax(&b, k);
        prop_assert!(is_orthogonal(&turn, k));
        prop_assert!(simplicity(&turned(&b, &turn, k), k) >= simplicity(&b, k) - 1e-9);
    }
}

fn permutations(k: usize) -> Vec<Vec<usize>> {
    (0..k).fold(vec![vec![]], |all, _| {
        let more = |p: &Vec<usize>| {
            (0..k).filter(|j| !p.contains(j)).map(|j| [&p[..], &[j]].concat()).collect::<Vec<_>>()
        };
        all.iter().flat_map(more).collect()
    })
}

fn turned(b: &[f64], turn: &[f64], k: usize) -> Vec<f64> {
    b.chunks_exact(k)
        .flat_map(|row| (0..k).map(move |s| (0..k).map(|t| row[t] * turn[t * k + s]).sum()))
        .collect()
}

/// The sum over factors of the variance of squared loadings.
fn simplicity(b: &[f64], k: usize) -> f64 {
    let n = (b.len() / k) as f64;
    let moment = |s: usize, power: i32| b.iter().skip(s).step_by(k).map(|x| x.powi(power)).sum::<f64>() / n;
    (0..k).map(|s| moment(s, 4) - moment(s, 2).powi(2)).sum()
}

#[test]
fn rotated_copies_of_one_draw_become_equal_and_keep_their_latent_values() {
    for sparse in [false, true] {
        let k = 3;
        let mut rng = Stream::new(5).rng();
        let original = simulate::standard(&[Kind::Binary; 8], 4, k, &mut rng);
        let mut copies: Vec<State> = (0..6u64)
            .map(|seed| {
                let m = numbers(k * k, seed + 100);
                let turn = if sparse {
                    assignment::signed_permutation(&m, k)
                } else {
                    polar::nearest_rotation(&m, k)
                };
                let mut copy = original.clone();
                apply(&mut copy, &turn);
                copy
            })
            .collect();
        align(&mut copies.iter_mut().collect::<Vec<_>>(), sparse);
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for copy in &copies {
            for (x, y) in loadings(copy).iter().zip(loadings(&copies[0])) {
                assert!((x - y).abs() < 1e-6, "{x} {y}");
            }
            original.latent_into(2, 3, &mut before);
            copy.latent_into(2, 3, &mut after);
            assert!((before[0] - after[0]).abs() < 1e-9);
        }
        let strength = |s: usize| loadings(&copies[0]).iter().skip(s).step_by(k).map(|b| b * b).sum::<f64>();
        assert!(strength(0) >= strength(1) && strength(1) >= strength(2));
    }
}
