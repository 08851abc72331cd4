//! What is said of all draws together, worked out by hand from three of them.

use chain::Workers;
use factors::{ColumnState, Kind, Posterior, Shape, State};

/// A number and three categories with two factors: three latent values, and two rows.
fn draw(weights: [[f64; 3]; 3], factors: [f64; 4], log_likelihood: f64) -> State {
    let [number, categories @ ..] = weights;
    State {
        columns: vec![
            ColumnState { weights: number.to_vec(), shape: Shape::Noise(1.0) },
            ColumnState { weights: categories.concat(), shape: Shape::Utilities(Vec::new()) },
        ],
        factors: factors.to_vec(),
        variances: vec![1.0; 2],
        inclusion: vec![0.5; 2],
        pooled: None,
        log_likelihood,
    }
}

fn posterior() -> Posterior {
    let draws = [
        draw([[1.0, 2.0, 0.0], [0.0, 1.0, 1.0], [-1.0, 0.0, 0.0]], [1.0, 0.0, -1.0, 2.0], -5.0),
        draw([[3.0, 2.0, 2.0], [0.5, -1.0, 1.0], [1.0, 0.0, 3.0]], [3.0, 1.0, 0.0, 2.0], -4.0),
        draw([[2.0, 2.0, 1.0], [1.0, 3.0, 0.0], [3.0, 4.0, 0.0]], [2.0, 5.0, 4.0, 2.0], -6.0),
    ];
    let [first, second, third] = draws;
    let settings = factors::Options { n_factors: 2, sparse: true, ..factors::Options::default() };
    let kinds = vec![Kind::Continuous, Kind::Categorical(3)];
    Posterior { settings, kinds, chains: vec![vec![first, second], vec![third]] }
}

fn near(found: &[f64], known: &[f64]) {
    assert_eq!(found.len(), known.len(), "{found:?}");
    assert!(found.iter().zip(known).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?}, not {known:?}");
}

#[test]
fn latent_values_have_the_places_of_their_columns_and_levels() {
    let posterior = posterior();
    assert_eq!(posterior.latent_places(), [(0, None), (1, Some(1)), (1, Some(2))]);
    assert_eq!((posterior.n_latent(), posterior.n_draws(), posterior.n_factors()), (3, 3, 2));
    assert_eq!(posterior.log_likelihoods(), [vec![-5.0, -4.0], vec![-6.0]]);
}

#[test]
fn weights_are_summed_up_over_draws() {
    let weights = posterior().weights(&Workers::serial());
    let means: Vec<f64> = weights.iter().map(|weight| weight.summary.mean).collect();
    let third = 1.0 / 3.0;
    near(&means, &[2.0, 2.0, 1.0, 0.5, 1.0, 2.0 * third, 1.0, 4.0 * third, 1.0]);
    let present: Vec<f64> = weights.iter().map(|weight| weight.present).collect();
    near(&present, &[1.0, 1.0, 2.0 * third, 2.0 * third, 1.0, 2.0 * third, 1.0, third, third]);
    // 5 %, 50 % and 95 % of 0, 2 and 1, between which there are straight lines.
    near(&weights[2].summary.quantiles, &[0.1, 1.0, 1.9]);
}

#[test]
fn shares_and_dimensions_are_those_of_squared_loadings() {
    let posterior = posterior();
    // Means of b²: (12, 5)/3, (11, 2)/3 and (16, 9)/3.
    near(&posterior.shares(), &[12.0 / 17.0, 5.0 / 17.0, 11.0 / 13.0, 2.0 / 13.0, 16.0 / 25.0, 9.0 / 25.0]);
    near(&posterior.factor_shares(), &[39.0 / 55.0, 16.0 / 55.0]);
    // Loadings that are not 0: 1 + 2 + 2, 2 + 2 + 1, 0 + 1 + 1.
    near(&posterior.dimensions(), &[5.0 / 3.0, 5.0 / 3.0, 2.0 / 3.0]);
}

#[test]
fn scores_have_the_mean_and_the_deviation_of_factors() {
    let scores = posterior().scores();
    let (means, deviations): (Vec<f64>, Vec<f64>) = scores.iter().map(|score| (score.mean, score.sd)).unzip();
    near(&means, &[2.0, 2.0, 1.0, 2.0]);
    near(&deviations, &[(2.0_f64 / 3.0).sqrt(), (14.0_f64 / 3.0).sqrt(), (14.0_f64 / 3.0).sqrt(), 0.0]);
}

#[test]
fn correlations_are_the_mean_of_cosines_of_loadings() {
    let posterior = posterior();
    let root = |x: f64| x.sqrt();
    // Of the first two: (2, 0)·(1, 1), (2, 2)·(−1, 1), (2, 1)·(3, 0), each divided by the lengths.
    let first = (root(0.5) + 0.0 + 6.0 / (root(5.0) * 3.0)) / 3.0;
    // Of the first and the last: no loadings, (2, 2)·(0, 3), (2, 1)·(4, 0).
    let second = (0.0 + root(0.5) + 8.0 / (root(5.0) * 4.0)) / 3.0;
    near(&posterior.correlations(&[0, 1]), &[1.0, first, first, 1.0]);
    near(&posterior.correlations(&[2, 0]), &[1.0, second, second, 1.0]);
}

#[test]
fn latent_means_are_means_of_intercepts_and_loadings_times_factors() {
    let found = posterior().latent_means(&Workers::new(chain::Threads::from_count(2)).unwrap());
    // Row by row: the number, then the two categories; each the mean over three draws.
    let number = [(3.0 + 11.0 + 11.0) / 3.0, (-1.0 + 7.0 + 12.0) / 3.0];
    let second = [(1.0 - 1.5 + 7.0) / 3.0, (1.0 + 2.5 + 13.0) / 3.0];
    let third = [(-1.0 + 4.0 + 11.0) / 3.0, (-1.0 + 7.0 + 19.0) / 3.0];
    near(&found, &[number[0], second[0], third[0], number[1], second[1], third[1]]);
}
