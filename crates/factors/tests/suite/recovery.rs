//! What was hidden is found again.

use chain::{Schedule, Start, Stream, Workers, sample};
use factors::{
    Data, Draws, FactorModel, Identification, Kind, Posterior, Rows, State, Update, correlations, simulate,
};

fn fit(data: &Data, settings: factors::Options, samples: u32, seed: u64) -> Posterior {
    let model = FactorModel::new(data, settings.clone()).unwrap();
    let schedule = Schedule { burn_in: 150, samples, thin: 2, seed, chains: 2 };
    let mut draws = Draws::default();
    let workers = Workers::new(chain::Threads::All).unwrap();
    sample::run(&model, &schedule, Start::Fresh, &mut draws, &workers).unwrap();
    Posterior::new(data, settings, draws.into_chains())
}

fn all_kinds(n_rows: usize, seed: u64) -> (Data, State, Vec<Kind>) {
    let all = [Kind::Count, Kind::Binary, Kind::Ordinal(4), Kind::Categorical(3), Kind::Continuous];
    let kinds: Vec<Kind> = (0..15).map(|j| all[j % 5]).collect();
    let mut rng = Stream::new(seed).rng();
    let mut truth = simulate::standard(&kinds, n_rows, 2, &mut rng);
    let settings = factors::Options { n_factors: 2, ..factors::Options::default() };
    let data = simulate::draw_data(&kinds, &mut truth, &settings, &mut rng).unwrap();
    (data, truth, kinds)
}

fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len() as f64;
    let (ma, mb) = (a.iter().sum::<f64>() / n, b.iter().sum::<f64>() / n);
    let sum = |f: &dyn Fn(f64, f64) -> f64| a.iter().zip(b).map(|(a, b)| f(a - ma, b - mb)).sum::<f64>();
    sum(&|a, b| a * b) / (sum(&|a, _| a * a) * sum(&|_, b| b * b)).sqrt()
}

#[test]
fn true_correlations_are_found_under_both_constraints_and_the_sparse_prior() {
    let (data, truth, _) = all_kinds(250, 21);
    let latent: Vec<usize> = (0..data.n_latent()).collect();
    let wanted = correlations(&truth, &latent);
    for (identification, sparse) in
        [(Identification::Free, false), (Identification::Triangular, false), (Identification::Free, true)]
    {
        let settings =
            factors::Options { n_factors: 2, identification, sparse, ..factors::Options::default() };
        let found = fit(&data, settings, 100, 1).correlations(&latent);
        assert!(
            correlation(&found, &wanted) > 0.93,
            "{identification:?} {sparse} {}",
            correlation(&found, &wanted)
        );
    }
}

#[test]
fn drawing_loadings_together_or_one_by_one_gives_the_same_posterior() {
    let (data, ..) = all_kinds(60, 22);
    let means = |update, seed| {
        let settings = factors::Options {
            n_factors: 2,
            identification: Identification::Triangular,
            update,
            ..factors::Options::default()
        };
        let posterior = fit(&data, settings, 1500, seed);
        posterior.latent_means(&Workers::serial())
    };
    let (together, single, again) =
        (means(Update::Blocked, 1), means(Update::Single, 2), means(Update::Blocked, 3));
    let distance = |a: &[f64], b: &[f64]| {
        (a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>() / a.len() as f64).sqrt()
    };
    // As far apart as two runs of the same kind, up to the slower mixing of the one.
    assert!(distance(&together, &single) < 3.0 * distance(&together, &again) + 0.02);
    assert!(distance(&together, &single) < 0.15, "{}", distance(&together, &single));
}

#[test]
fn hidden_cells_are_predicted_better_than_by_the_means_of_columns() {
    let (data, ..) = all_kinds(250, 23);
    let mut rng = Stream::new(5).rng();
    let hidden: Vec<(usize, usize)> = data.observed().filter(|_| rng.bernoulli(0.2)).collect();
    let seen = data.without(&hidden);
    let settings = factors::Options { n_factors: 2, ..factors::Options::default() };
    let posterior = fit(&seen, settings, 100, 1);
    let workers = Workers::serial();
    for rows in [Rows::Fitted, Rows::New] {
        let predictions = posterior.predict(&seen, rows, Stream::new(1), &workers).unwrap();
        let (mut model, mut means) = (0.0, 0.0);
        for p in predictions.iter().filter(|p| data.columns()[p.column].kind == Kind::Continuous) {
            let cells = &data.columns()[p.column].cells;
            let seen: Vec<f64> =
                (0..250).filter_map(|row| Some(seen.columns()[p.column].cells.get(row)?.number())).collect();
            let truth = cells.get(p.row).unwrap().number();
            model += (p.mean - truth).powi(2);
            means += (seen.iter().sum::<f64>() / seen.len() as f64 - truth).powi(2);
        }
        assert!(model < 0.75 * means, "{rows:?} {model} {means}");
        // Nine of ten hidden values lie in intervals of 90 %.
        let inside = predictions.iter().filter(|p| data.columns()[p.column].kind == Kind::Continuous);
        let inside: Vec<bool> = inside
            .map(|p| {
                let truth = data.columns()[p.column].cells.get(p.row).unwrap().number();
                truth >= p.interval[0] && truth <= p.interval[1]
            })
            .collect();
        let share = inside.iter().filter(|inside| **inside).count() as f64 / inside.len() as f64;
        assert!((0.82..=0.97).contains(&share), "{rows:?} {share}");
    }
}

#[test]
fn held_out_cells_prefer_the_true_number_of_factors_to_too_few() {
    let (data, ..) = all_kinds(250, 24);
    let mut rng = Stream::new(6).rng();
    let hidden: Vec<(usize, usize)> = data.observed().filter(|_| rng.bernoulli(0.1)).collect();
    let seen = data.without(&hidden);
    let workers = Workers::serial();
    let [one, two] = [1, 2]
        .map(|n_factors| fit(&seen, factors::Options { n_factors, ..factors::Options::default() }, 100, 1));
    assert!(
        two.held_out(&data, &hidden, &workers).unwrap().total
            > one.held_out(&data, &hidden, &workers).unwrap().total
    );
    assert!(two.waic(&seen, &workers).unwrap().total > one.waic(&seen, &workers).unwrap().total);
    let (loo, waic) = (two.loo(&seen, &workers).unwrap(), two.waic(&seen, &workers).unwrap());
    assert!((loo.total - waic.total).abs() < 0.05 * waic.total.abs(), "{loo:?} {waic:?}");
}
