//! The same bits at any number of threads, resumed runs, and what is refused.

use chain::{Schedule, Start, Stream, Threads, Workers, sample};
use factors::{
    Cells, Column, Counts, Data, Draws, Error, FactorModel, Identification, Kind, Posterior, Rows, State,
    simulate,
};

const KINDS: [Kind; 5] =
    [Kind::Count, Kind::Binary, Kind::Ordinal(4), Kind::Categorical(3), Kind::Continuous];

/// Sixty columns of all kinds, so that there are several blocks, with some cells missing.
fn table() -> Data {
    let kinds: Vec<Kind> = (0..60).map(|j| KINDS[j % 5]).collect();
    let mut rng = Stream::new(11).rng();
    let mut truth = simulate::standard(&kinds, 23, 2, &mut rng);
    let settings = factors::Options { n_factors: 2, ..factors::Options::default() };
    let data = simulate::draw_data(&kinds, &mut truth, &settings, &mut rng).unwrap();
    let hidden: Vec<(usize, usize)> = data.observed().filter(|(i, j)| (i * 7 + j) % 13 == 0).collect();
    data.without(&hidden)
}

fn settings(sparse: bool) -> factors::Options {
    factors::Options { n_factors: 3, sparse, ..factors::Options::default() }
}

fn run(
    data: &Data,
    sparse: bool,
    samples: u32,
    start: Start<State>,
    threads: usize,
) -> (Vec<Vec<State>>, chain::Checkpoint<State>) {
    let model = FactorModel::new(data, settings(sparse)).unwrap();
    let schedule = Schedule { burn_in: 5, samples, thin: 2, seed: 3, chains: 2 };
    let mut draws = Draws::default();
    let workers = Workers::new(Threads::from_count(threads)).unwrap();
    let outcome = sample::run(&model, &schedule, start, &mut draws, &workers).unwrap();
    (draws.into_chains(), outcome.checkpoint)
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let data = table();
    for sparse in [false, true] {
        let one = run(&data, sparse, 5, Start::Fresh, 1).0;
        for threads in [2, 3] {
            assert_eq!(run(&data, sparse, 5, Start::Fresh, threads).0, one);
        }
        let posterior = Posterior::new(&data, settings(sparse), one);
        let predict = |threads| {
            let workers = Workers::new(Threads::from_count(threads)).unwrap();
            posterior.predict(&data, Rows::New, Stream::new(4), &workers).unwrap()
        };
        assert_eq!(predict(1), predict(3));
    }
}

#[test]
fn a_resumed_run_equals_the_straight_one() {
    let data = table();
    let straight = run(&data, true, 6, Start::Fresh, 2).0;
    let (_, half) = run(&data, true, 2, Start::Fresh, 2);
    // Through bytes, as a checkpoint on disk would go.
    let file = tempfile::NamedTempFile::new().unwrap();
    half.write::<FactorModel<'_>>(file.path()).unwrap();
    let half = chain::Checkpoint::read::<FactorModel<'_>>(file.path()).unwrap();
    assert_eq!(run(&data, true, 6, Start::From(half), 1).0, straight);
}

#[test]
fn a_checkpoint_of_other_data_or_settings_is_refused() {
    let data = table();
    let (_, half) = run(&data, true, 2, Start::Fresh, 1);
    let other = data.without(&[(2, 2)]);
    let schedule = Schedule { burn_in: 5, samples: 2, thin: 2, seed: 3, chains: 2 };
    let refused = |data: &Data, sparse: bool| {
        let model = FactorModel::new(data, settings(sparse)).unwrap();
        sample::run(&model, &schedule, Start::From(half.clone()), &mut (), &Workers::serial()).is_err()
    };
    assert!(refused(&other, true) && refused(&data, false) && !refused(&data, true));
}

#[test]
fn settings_and_tables_that_cannot_work_are_refused() {
    let data = table();
    let with = |change: fn(&mut factors::Options)| {
        let mut settings = settings(false);
        change(&mut settings);
        FactorModel::new(&data, settings).err()
    };
    assert!(matches!(with(|s| s.n_factors = 0), Some(Error::Factors { .. })));
    assert!(matches!(with(|s| s.n_factors = 100), Some(Error::Factors { wanted: 100, latent: 72 })));
    assert!(matches!(with(|s| s.tails = Some(f64::NAN)), Some(Error::Setting { .. })));
    assert!(matches!(with(|s| s.prior.cut_sd = -1.0), Some(Error::Setting { .. })));
    let column = |kind, cells| vec![Column { name: "x".into(), kind, cells }];
    assert!(Data::new(column(Kind::Binary, Cells::Levels(vec![0, 2]))).is_err());
    assert!(Data::new(column(Kind::Continuous, Cells::Numbers(vec![f64::INFINITY]))).is_err());
    assert!(Data::new(column(Kind::Count, Cells::Levels(vec![0]))).is_err());
    let nothing = Data::new(column(Kind::Continuous, Cells::Numbers(vec![f64::NAN; 3]))).unwrap();
    let settings = factors::Options { n_factors: 1, ..factors::Options::default() };
    assert!(matches!(FactorModel::new(&nothing, settings), Err(Error::Empty)));
}

#[test]
fn counts_are_what_was_gathered() {
    let counts = [Some(0), None, Some(3), Some(0), Some(70_000)];
    let cells = Cells::Counts(Counts::gather(counts));
    let read: Vec<Option<f64>> = (0..5).map(|row| cells.get(row).map(factors::Value::number)).collect();
    assert_eq!(read, [Some(0.0), None, Some(3.0), Some(0.0), Some(70_000.0)]);
    let hidden = cells.without(&[2, 0]);
    assert_eq!((hidden.get(0), hidden.get(2), hidden.get(4)), (None, None, cells.get(4)));
}

#[test]
fn rows_and_columns_without_values_do_no_harm() {
    let data = table();
    let mut hidden: Vec<(usize, usize)> = data.observed().filter(|(i, _)| *i == 4).collect();
    hidden.extend(data.observed().filter(|(_, j)| *j == 7));
    let data = data.without(&hidden);
    let (chains, _) = run(&data, false, 4, Start::Fresh, 1);
    assert!(chains.iter().flatten().all(|draw| draw.factors.iter().all(|f| f.is_finite())));
    for identification in [Identification::Free, Identification::Triangular] {
        let settings = factors::Options { identification, ..settings(false) };
        let posterior = Posterior::new(&data, settings, chains.clone());
        let predictions = posterior.predict(&data, Rows::Fitted, Stream::new(1), &Workers::serial()).unwrap();
        let missing = data.n_rows() * data.columns().len() - data.observed().count();
        assert_eq!(predictions.len(), missing);
        assert!(predictions.iter().all(|p| p.mean.is_finite() && p.interval[0] <= p.interval[1]));
        let sums = predictions.iter().filter(|p| !p.probabilities.is_empty());
        assert!(sums.map(|p| p.probabilities.iter().sum::<f64>()).all(|sum| (sum - 1.0).abs() < 1e-6));
    }
}
