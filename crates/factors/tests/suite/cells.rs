//! Cells of every kind, predicted from cells of every kind, against exact integration over the factors of the row.

use chain::{Stream, Workers};
use factors::{
    Cells, Column, ColumnState, Counts, Data, Kind, Link, MISSING, Member, Posterior, Prediction, Rows,
    Shape, Stack, State, Value,
};

use crate::exact::{cdf, levels, likelihood, mean, posterior};

const KINDS: [Kind; 5] =
    [Kind::Continuous, Kind::Binary, Kind::Count, Kind::Ordinal(4), Kind::Categorical(3)];

/// One column of each kind, whose parameters are known.
fn state() -> State {
    let column = |weights: &[f64], shape| ColumnState { weights: weights.to_vec(), shape };
    State {
        columns: vec![
            column(&[0.3, 1.2, -0.5], Shape::Noise(0.4)),
            column(&[-0.4, 2.0, 1.5], Shape::Plain),
            column(&[-0.2, 0.9, 0.6], Shape::Dispersion { h: 3.5, rate: 1.0 }),
            column(&[0.8, -1.5, 1.0], Shape::Cuts(vec![0.0, 0.9, 2.2])),
            column(&[0.5, 1.4, -0.8, -0.3, -1.0, 1.6], Shape::Utilities(Vec::new())),
        ],
        factors: Vec::new(),
        variances: vec![1.0; 2],
        inclusion: vec![1.0; 2],
        pooled: None,
        log_likelihood: 0.0,
    }
}

fn table(rows: &[[Option<Value>; 5]]) -> Data {
    let column = |(j, &kind): (usize, &Kind)| {
        let values = rows.iter().map(|row| row[j]);
        let level = |value: Option<Value>| value.map_or(MISSING, |value| value.number() as u16);
        let cells = match kind {
            Kind::Continuous => Cells::Numbers(values.map(|v| v.map_or(f64::NAN, Value::number)).collect()),
            Kind::Count => {
                Cells::Counts(Counts::gather(values.map(|v| v.map(|value| value.number() as u32))))
            }
            _ => Cells::Levels(values.map(level).collect()),
        };
        Column { name: kind.to_string(), kind, cells }
    };
    Data::new(KINDS.iter().enumerate().map(column).collect()).unwrap()
}

/// Rows in which one cell is known, all cells, or none.
fn evidence() -> Vec<[Option<Value>; 5]> {
    let alone = |column: usize, value| {
        let mut row = [None; 5];
        row[column] = Some(value);
        row
    };
    let mut rows = vec![[None; 5], alone(0, Value::Number(-1.0)), alone(0, Value::Number(2.0))];
    rows.extend([0, 1].map(|level| alone(1, Value::Level(level))));
    rows.extend([0, 1, 12].map(|count| alone(2, Value::Count(count))));
    rows.extend([0, 1, 2, 3].map(|level| alone(3, Value::Level(level))));
    rows.extend([0, 1, 2].map(|level| alone(4, Value::Level(level))));
    let all = [Value::Number(1.4), Value::Level(0), Value::Count(5), Value::Level(2), Value::Level(1)];
    for left_out in 0..5 {
        let mut row = all.map(Some);
        row[left_out] = None;
        rows.push(row);
    }
    rows
}

/// How far probabilities of so many draws, which hang together a little, may be off: some four standard errors.
const NEAR: f64 = 0.018;
const DRAWS: usize = 20_000;

/// What is said to have such shares of everything at or below it.
fn quantiles(p: &Prediction) -> [(f64, f64); 5] {
    let ([low, high], [quarter, three]) = (p.interval, p.quartiles);
    [(low, 0.05), (quarter, 0.25), (p.median, 0.5), (three, 0.75), (high, 0.95)]
}

fn agrees(p: &Prediction, settings: &factors::Options, state: &State, known: &[Option<Value>]) {
    let points = posterior(settings, state, known);
    let (kind, column) = (KINDS[p.column], &state.columns[p.column]);
    let place = format!("{kind} given {known:?}: {p:?}");
    match kind {
        Kind::Continuous | Kind::Count => {
            for (x, share) in quantiles(p) {
                let (to, below) = match kind {
                    Kind::Count => {
                        (cdf(settings, column, &points, x), cdf(settings, column, &points, x - 1.0))
                    }
                    _ => [cdf(settings, column, &points, x); 2].into(),
                };
                assert!(to > share - NEAR && below < share + NEAR, "{place}: {share} is {below} to {to}");
            }
        }
        _ => {
            let exact = levels(settings, kind, column, &points);
            let off = p.probabilities.iter().zip(&exact).map(|(p, q)| (p - q).abs()).fold(0.0, f64::max);
            assert!(off < NEAR && p.probabilities.len() == exact.len(), "{place}: {exact:?}");
            let upto = |level: f64| p.probabilities[..=level as usize].iter().sum::<f64>();
            for (level, share) in quantiles(p) {
                let below = if level == 0.0 { 0.0 } else { upto(level - 1.0) };
                assert!(level.fract() == 0.0 && upto(level) >= share && below < share, "{place}: {share}");
            }
        }
    }
    match (kind, &column.shape) {
        (Kind::Continuous, _) => {
            let exact = mean(column, &points, |z| z[0]);
            assert!((p.mean - exact).abs() < 0.04, "{place}: {exact}");
        }
        (_, Shape::Dispersion { h, .. }) => {
            // The median of h e^z: half of the factors say less.
            let less = mean(column, &points, |z| f64::from(h * z[0].exp() < p.mean));
            assert!((less - 0.5).abs() < 2.0 * NEAR, "{place}: {less}");
        }
        _ => {
            let exact: f64 =
                levels(settings, kind, column, &points).iter().enumerate().map(|(l, p)| l as f64 * p).sum();
            assert!((p.mean - exact).abs() < 3.0 * NEAR, "{place}: {exact}");
        }
    }
}

fn new_rows_are_right(settings: &factors::Options) {
    let state = state();
    let rows = evidence();
    let data = table(&rows);
    let chains = vec![vec![state.clone(); DRAWS]];
    let posterior = Posterior { settings: settings.clone(), kinds: KINDS.to_vec(), chains };
    let workers = Workers::new(chain::Threads::All).unwrap();
    let predictions = posterior.predict(&data, Rows::New, Stream::new(3), &workers).unwrap();
    let missing: usize = rows.iter().map(|row| row.iter().filter(|cell| cell.is_none()).count()).sum();
    assert_eq!(predictions.len(), missing);
    for p in &predictions {
        agrees(p, settings, &state, &rows[p.row]);
    }
}

#[test]
fn new_rows_are_predicted_as_by_integration_with_logits() {
    new_rows_are_right(&factors::Options { n_factors: 2, ..factors::Options::default() });
}

#[test]
fn new_rows_are_predicted_as_by_integration_with_probits() {
    new_rows_are_right(&factors::Options { n_factors: 2, link: Link::Probit, ..factors::Options::default() });
}

#[test]
fn new_rows_are_predicted_as_by_integration_with_heavy_tails() {
    new_rows_are_right(&factors::Options { n_factors: 2, tails: Some(4.0), ..factors::Options::default() });
}

/// Two draws that differ in everything, with factors for three rows.
fn two_draws() -> [State; 2] {
    let mut first = state();
    first.factors = vec![0.5, -1.0, 1.5, 0.2, -0.7, 0.9];
    let mut second = first.clone();
    second.factors.iter_mut().for_each(|f| *f = 0.3 - 0.8 * *f);
    for column in &mut second.columns {
        column.weights.iter_mut().for_each(|w| *w = 0.2 + 0.7 * *w);
        match &mut column.shape {
            Shape::Noise(variance) => *variance = 0.7,
            Shape::Dispersion { h, .. } => *h = 1.3,
            Shape::Cuts(cuts) => *cuts = vec![0.0, 0.5, 3.0],
            _ => {}
        }
    }
    [first, second]
}

/// Every value that is worth a look, of each column.
fn values() -> Vec<(usize, Value)> {
    let mut values = vec![(0, Value::Number(-0.6)), (0, Value::Number(2.5))];
    values.extend([0, 1].map(|level| (1, Value::Level(level))));
    values.extend([0, 3, 40].map(|count| (2, Value::Count(count))));
    values.extend([0, 1, 2, 3].map(|level| (3, Value::Level(level))));
    values.extend([0, 1, 2].map(|level| (4, Value::Level(level))));
    values
}

#[test]
fn cells_of_fitted_rows_have_the_mean_probability_of_all_draws() {
    let draws = two_draws();
    let workers = Workers::serial();
    for settings in [
        factors::Options { n_factors: 2, ..factors::Options::default() },
        factors::Options {
            n_factors: 2,
            link: Link::Probit,
            tails: Some(3.0),
            ..factors::Options::default()
        },
    ] {
        let chains = draws.iter().map(|draw| vec![draw.clone()]).collect();
        let posterior = Posterior { settings: settings.clone(), kinds: KINDS.to_vec(), chains };
        let said = |row: usize, column: usize, value: Value| {
            draws.each_ref().map(|draw| {
                likelihood(&settings, &draw.columns[column], value, &draw.factors[2 * row..2 * row + 2])
            })
        };
        for row in 0..3 {
            for (column, value) in values() {
                let mut rows = [[None; 5]; 3];
                rows[row][column] = Some(value);
                let data = table(&rows);
                let p = said(row, column, value);
                let found = posterior.held_out(&data, &[(row, column)], &workers).unwrap();
                assert!(
                    (found.total - (0.5 * (p[0] + p[1])).ln()).abs() < 1e-5,
                    "{value:?}: {found:?} {p:?}"
                );
                // ln of the mean, less the variance of the logarithms.
                let logs = p.map(f64::ln);
                let waic = posterior.waic(&data, &workers).unwrap();
                let variance = 0.5 * (logs[0] - logs[1]).powi(2);
                assert!(
                    (waic.total - (0.5 * (p[0] + p[1])).ln() + variance).abs() < 1e-4,
                    "{value:?}: {waic:?}"
                );
                assert_eq!(
                    (waic.cells, waic.doubtful),
                    (1, usize::from(variance > 0.4)),
                    "{waic:?} {variance}"
                );
            }
        }
        for p in posterior.predict(&table(&[[None; 5]; 3]), Rows::Fitted, Stream::new(1), &workers).unwrap() {
            for (level, found) in p.probabilities.iter().enumerate() {
                let known = said(p.row, p.column, Value::Level(level));
                assert!((found - 0.5 * (known[0] + known[1])).abs() < 1e-5, "{p:?}: {known:?}");
            }
        }
    }
}

#[test]
fn scores_add_up_over_cells_with_the_error_of_their_sum() {
    let draws = two_draws();
    let settings = factors::Options { n_factors: 2, ..factors::Options::default() };
    let chains = vec![draws.to_vec()];
    let posterior = Posterior { settings, kinds: KINDS.to_vec(), chains };
    let all = [Value::Number(1.4), Value::Level(0), Value::Count(5), Value::Level(2), Value::Level(1)];
    let data = table(&[all.map(Some); 3]);
    let cells: Vec<(usize, usize)> = data.observed().collect();
    let workers = Workers::serial();
    let each: Vec<f64> =
        cells.iter().map(|&cell| posterior.held_out(&data, &[cell], &workers).unwrap().total).collect();
    let whole = posterior.held_out(&data, &cells, &workers).unwrap();
    let n = each.len() as f64;
    let mean = each.iter().sum::<f64>() / n;
    let variance = each.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0);
    assert!((whole.total - n * mean).abs() < 1e-9 && (whole.mean() - mean).abs() < 1e-9, "{whole:?}");
    assert!((whole.error - (n * variance).sqrt()).abs() < 1e-9, "{whole:?}");
    assert_eq!(whole.cells, 15);
}

/// Draws of a column of counts alone, all alike but for the intercept.
fn counting(intercepts: &[f64]) -> (Posterior, Data) {
    let draw = |&intercept: &f64| State {
        columns: vec![ColumnState {
            weights: vec![intercept, 0.3],
            shape: Shape::Dispersion { h: 2.0, rate: 1.0 },
        }],
        factors: vec![0.1],
        variances: vec![1.0],
        inclusion: vec![1.0],
        pooled: None,
        log_likelihood: 0.0,
    };
    let settings = factors::Options { n_factors: 1, ..factors::Options::default() };
    let chains = vec![intercepts.iter().map(draw).collect()];
    let column =
        Column { name: "goats".into(), kind: Kind::Count, cells: Cells::Counts(Counts::gather([None])) };
    (Posterior { settings, kinds: vec![Kind::Count], chains }, Data::new(vec![column]).unwrap())
}

/// One draw in two hundred is far away, as draws are of whose row nothing is known; the mean would be millions.
#[test]
fn a_predicted_count_hangs_on_no_single_draw() {
    let mut intercepts = vec![1.0; 200];
    let one = |intercepts: &[f64]| {
        let (posterior, data) = counting(intercepts);
        posterior.predict(&data, Rows::Fitted, Stream::new(7), &Workers::serial()).unwrap().remove(0)
    };
    let without = one(&intercepts);
    for far in [20.0, 120.0, 700.0, 1e6] {
        intercepts[17] = far;
        let with = one(&intercepts);
        assert!((without.mean - with.mean).abs() < 1e-9 && (with.mean - 2.0 * 1.03_f64.exp()).abs() < 1e-9);
        assert!((without.median - with.median).abs() <= 1.0 && with.median.fract() == 0.0, "{with:?}");
        assert!(with.interval[0] <= with.median && with.median <= with.interval[1], "{with:?}");
    }
}

#[test]
fn counts_end_at_the_largest_that_can_be_read() {
    for far in [25.0, 120.0, 800.0, 1e6, 1e99] {
        let (posterior, data) = counting(&[far; 20]);
        let p = posterior.predict(&data, Rows::Fitted, Stream::new(7), &Workers::serial()).unwrap().remove(0);
        let most = f64::from(u32::MAX);
        assert_eq!((p.mean, p.median, p.interval[1]), (most, most, most), "{far}");
    }
    // A mean of four thousand millions is no more than that.
    let (posterior, data) = counting(&[21.4; 400]);
    let p = posterior.predict(&data, Rows::Fitted, Stream::new(7), &Workers::serial()).unwrap().remove(0);
    assert!(p.median > 1.5e9 && p.median < 4.2e9 && p.interval[0] > 1e8, "{p:?}");
}

/// However far a known cell is from all others, everything that is said is a number, and probabilities are.
#[test]
fn nothing_that_is_predicted_is_infinite() {
    let mut rows = Vec::new();
    for away in [1e2, 1e3, 1e6, 1e12, 1e300] {
        for sign in [-1.0, 1.0] {
            let mut row = [None; 5];
            row[0] = Some(Value::Number(sign * away));
            rows.push(row);
            row[1] = Some(Value::Level(0));
            rows.push(row);
            row[3] = Some(Value::Level(0));
            row[4] = Some(Value::Level(2));
            rows.push(row);
        }
    }
    rows.push([None, None, Some(Value::Count(u32::MAX)), None, None]);
    let data = table(&rows);
    for settings in [
        factors::Options { n_factors: 2, ..factors::Options::default() },
        factors::Options {
            n_factors: 2,
            link: Link::Probit,
            tails: Some(0.1),
            ..factors::Options::default()
        },
    ] {
        let chains = vec![vec![state(); 60]];
        let posterior = Posterior { settings, kinds: KINDS.to_vec(), chains };
        for p in posterior.predict(&data, Rows::New, Stream::new(2), &Workers::serial()).unwrap() {
            let numbers = [p.mean, p.median, p.interval[0], p.interval[1]];
            assert!(numbers.iter().all(|x| x.is_finite()), "{:?}: {p:?}", rows[p.row]);
            assert!(p.interval[0] <= p.median && p.median <= p.interval[1], "{p:?}");
            let sum: f64 = p.probabilities.iter().sum();
            assert!(p.probabilities.is_empty() || (sum - 1.0).abs() < 1e-6, "{:?}: {p:?}", rows[p.row]);
            assert!(p.probabilities.iter().all(|p| (0.0..=1.0).contains(p)), "{:?}: {p:?}", rows[p.row]);
        }
    }
}

/// A model that is sure that a count is about e^intercept, with so many draws.
fn sure(intercept: f64, n_draws: usize) -> Member {
    let (mut posterior, _) = counting(&vec![intercept; n_draws]);
    for column in posterior.chains.iter_mut().flatten().flat_map(|draw| &mut draw.columns) {
        column.weights = vec![intercept - 1e6_f64.ln(), 0.0];
        column.shape = Shape::Dispersion { h: 1e6, rate: 1.0 };
    }
    Member { coding: None, posterior }
}

/// Whatever the number of their draws, models have their weights in the quantiles.
#[test]
fn quantiles_of_a_stack_are_those_of_the_mixture() {
    let (_, data) = counting(&[0.0]);
    let [few, many] = [4.0_f64, 9.0].map(f64::exp);
    for (weights, n_few) in
        [([0.2, 0.8], 0), ([0.4, 0.6], 1), ([0.6, 0.4], 2), ([0.9, 0.1], 3), ([0.02, 0.98], 0)]
    {
        let members = vec![sure(4.0, 300), sure(9.0, 50)];
        let weights = vec![weights.to_vec()];
        let stack = Stack { members, mean_weights: weights.clone(), weights: weights.clone() };
        let p = stack.predict(&data, Rows::Fitted, Stream::new(1), &Workers::serial()).unwrap().remove(0);
        // All of the first model's counts are below all of the second's; the lowest quantile may be of either.
        let found = quantiles(&p).map(|(x, _)| x);
        let n_below = quantiles(&p)[1..].iter().filter(|(x, _)| *x < 1000.0).count();
        assert_eq!(n_below, n_few, "{weights:?}: {found:?}");
        assert_eq!(found[0] < 1000.0, weights[0][0] > 0.05, "{weights:?}: {found:?}");
        assert!(found.iter().all(|x| (x - few).abs() < 50.0 || (x - many).abs() < 600.0), "{found:?}");
        let mean = weights[0][0] * few + weights[0][1] * many;
        assert!((p.mean - mean).abs() < 1e-6 * mean, "{} {mean}", p.mean);
    }
}
