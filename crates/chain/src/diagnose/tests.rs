use super::*;
use crate::Stream;
use num::dist;
use testkit::noise::congruential;

/// A stationary AR(1) series: autocorrelation ρᵗ, and n draws are worth n (1 − ρ)/(1 + ρ).
fn autoregressive(name: &str, chain: u32, n: usize, rho: f64) -> Vec<f64> {
    let mut rng = Stream::new(77).purpose(name).chain(chain).rng();
    let mut x = dist::normal(&mut rng);
    let innovation = (1.0 - rho * rho).sqrt();
    let mut next = || {
        x = rho * x + innovation * dist::normal(&mut rng);
        x
    };
    (0..n).map(|_| next()).collect()
}

fn check(found: Option<f64>, known: f64, relative: f64) {
    let found = found.unwrap();
    assert!((found - known).abs() <= relative * known.abs(), "{found} is not {known}");
}

/// Numbers of a plain transcription of the published formulas into another language.
#[test]
fn small_example_agrees_with_an_independent_implementation() {
    let chains =
        [congruential(1, 100, 0.7, 0.0), congruential(2, 100, 0.7, 0.1), congruential(3, 100, 0.7, -0.2)];
    check(split_rhat(&chains), 1.078816477587626, 1e-12);
    check(rhat(&chains), 1.0773920334354248, 1e-12);
    check(ess_mean(&chains), 49.75836037856201, 1e-10);
    check(ess_bulk(&chains), 51.0430375355341, 1e-10);
    check(ess_tail(&chains), 72.20531852478474, 1e-10);
    // Here the sums of pairs rise again after the third, from 0.083 to 0.118, and must be made to fall.
    let chains = [congruential(21, 100, 0.6, 0.0), congruential(121, 100, 0.6, 0.0)];
    check(ess_mean(&chains), 52.783863541653915, 1e-10);
}

#[test]
fn anticorrelated_draws_are_worth_more_up_to_a_limit() {
    let chains = [congruential(5, 60, -0.6, 0.0)];
    check(ess_mean(&chains), 106.68907502301862, 1e-10);
}

/// Two chains 0 … 7 and 2 … 9. Halves have W = 5/3 and means 1.5, 5.5, 3.5, 7.5, whose variance is 20/3.
#[test]
fn split_rhat_by_hand() {
    let chains: Vec<Vec<f64>> =
        [0, 2].iter().map(|&start| (start..start + 8).map(f64::from).collect()).collect();
    // (3/4 · 5/3 + 20/3) / (5/3) = 4.75
    check(split_rhat(&chains), 4.75f64.sqrt(), 1e-14);
}

#[test]
fn autoregressive_chains_have_their_effective_size() {
    for rho in [0.0, 0.5, 0.9, -0.3] {
        let chains: Vec<Vec<f64>> = (0..4).map(|c| autoregressive("ess", c, 20_000, rho)).collect();
        let known = 80_000.0 * (1.0 - rho) / (1.0 + rho);
        check(ess_mean(&chains), known, 0.08);
        check(ess_bulk(&chains), known, 0.08);
        assert!((rhat(&chains).unwrap() - 1.0).abs() < 0.005);
        check(mcse_mean(&chains), 1.0 / known.sqrt(), 0.05);
    }
}

/// Exponentials of a normal AR(1) series are skewed, and forget faster than the series: corr(eˣ, eʸ) = (e^ρᵗ − 1)/(e − 1).
/// The error is that of the mean of the draws themselves, not of their ranks.
#[test]
fn the_standard_error_of_a_mean_is_how_far_means_are_spread() {
    let chain = |c| autoregressive("mcse", c, 4000, 0.9).into_iter().map(f64::exp).collect::<Vec<f64>>();
    let chains: Vec<Vec<f64>> = (0..200).map(chain).collect();
    let means: Vec<f64> = chains.iter().map(|chain| chain.iter().sum::<f64>() / chain.len() as f64).collect();
    let mean = means.iter().sum::<f64>() / 200.0;
    let spread = (means.iter().map(|m| (m - mean) * (m - mean)).sum::<f64>() / 199.0).sqrt();
    let said = chains.iter().map(|chain| mcse_mean(&[chain]).unwrap()).sum::<f64>() / 200.0;
    // The spread of 200 means is known to 5 %, one standard error.
    check(Some(said), spread, 0.1);
    let by_ranks = chains.iter().map(|chain| 1.0 / ess_bulk(&[chain]).unwrap().sqrt()).sum::<f64>();
    let by_draws = chains.iter().map(|chain| 1.0 / ess_mean(&[chain]).unwrap().sqrt()).sum::<f64>();
    assert!(by_ranks > 1.12 * by_draws, "{by_ranks} {by_draws}");
}

#[test]
fn autocorrelation_of_an_autoregressive_chain_falls_geometrically() {
    let found = autocorrelation(&autoregressive("acf", 0, 200_000, 0.8), 10).unwrap();
    for (lag, rho) in found.iter().enumerate() {
        assert!((rho - 0.8f64.powi(lag as i32)).abs() < 0.02, "lag {lag}: {rho}");
    }
}

/// 1, −1, 1, −1: ρ(t) = (−1)ᵗ (4 − t)/4.
#[test]
fn autocorrelation_by_hand() {
    assert_eq!(autocorrelation(&[1.0, -1.0, 1.0, -1.0], 9), Some(vec![1.0, -0.75, 0.5, -0.25]));
    assert_eq!(autocorrelation(&[2.0, 2.0], 1), None);
    assert_eq!(autocorrelation(&[], 3), None);
}

#[test]
fn chains_that_disagree_in_place_or_spread_are_found_out() {
    let near = |c| autoregressive("agree", c, 1000, 0.0);
    assert!(rhat(&[near(0), near(1)]).unwrap() < 1.01);
    let shifted: Vec<f64> = near(2).iter().map(|x| x + 1.0).collect();
    assert!(rhat(&[near(0), shifted]).unwrap() > 1.1);
    let wider: Vec<f64> = near(2).iter().map(|x| x * 3.0).collect();
    let chains = [near(0), wider];
    assert!(split_rhat(&chains).unwrap() < 1.01, "means agree");
    assert!(rhat(&chains).unwrap() > 1.1, "spreads do not");
}

#[test]
fn a_chain_still_on_its_way_disagrees_with_itself() {
    let drifting: Vec<f64> = near_line(1000);
    assert!(rhat(&[&drifting]).unwrap() > 1.5);
    assert!(geweke_z(&drifting).unwrap().abs() > 5.0);
}

fn near_line(n: usize) -> Vec<f64> {
    autoregressive("drift", 0, n, 0.0)
        .iter()
        .enumerate()
        .map(|(i, x)| x + 5.0 * i as f64 / n as f64)
        .collect()
}

#[test]
fn gewekes_z_of_stationary_chains_is_standard_normal() {
    let zs: Vec<f64> = (0..400).map(|c| geweke_z(&autoregressive("geweke", c, 2000, 0.5)).unwrap()).collect();
    let mean = zs.iter().sum::<f64>() / 400.0;
    let variance = zs.iter().map(|z| z * z).sum::<f64>() / 400.0;
    // Standard errors are 0.05 and 0.07; estimating the error of 200 draws widens z by some per cent.
    assert!(mean.abs() < 0.2 && (0.8..1.45).contains(&variance), "{mean} {variance}");
}

#[test]
fn quantiles_interpolate() {
    let xs = [4.0, 1.0, 3.0, 2.0];
    assert_eq!([0.0, 0.5, 1.0].map(|p| quantile(&xs, p)), [1.0, 2.5, 4.0]);
    assert!(quantile(&[], 0.5).is_nan());
}

#[test]
fn undefined_answers_are_none() {
    let none: [Vec<f64>; 0] = [];
    assert_eq!((rhat(&none), ess_bulk(&none), geweke_z(&[])), (None, None, None));
    assert_eq!(rhat(&[vec![1.0; 7]]), None);
    assert_eq!(rhat(&[vec![1.0; 100]]), None);
    assert_eq!((ess_bulk(&[vec![1.0; 100]]), ess_tail(&[vec![1.0; 100]])), (None, None));
    let mut broken = autoregressive("nan", 0, 100, 0.0);
    broken[50] = f64::NAN;
    assert_eq!((rhat(&[&broken]), ess_mean(&[&broken]), geweke_z(&broken)), (None, None, None));
    assert!(summarise(&[broken]).unwrap().rhat.is_none());
}
