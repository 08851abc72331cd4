//! New rows of a model that takes all columns for numbers, against exact integration over the factors of the row.

use chain::{Stream, Workers};
use factors::{
    Cells, Coding, Column, ColumnState, Counts, Data, Kind, MISSING, Member, Posterior, Prediction, Rows,
    Shape, Stack, State, Value,
};

use crate::exact::phi;

const KINDS: [Kind; 5] =
    [Kind::Continuous, Kind::Binary, Kind::Count, Kind::Ordinal(4), Kind::Categorical(3)];
const DRAWS: usize = 20_000;
const NEAR: f64 = 0.018;

/// Eight rows that say what the scales are, and others in which something is missing.
fn table() -> Data {
    let nan = f64::NAN;
    let numbers = vec![0.5, 1.5, -2.0, 0.0, 3.0, 1.0, -1.0, 2.0, nan, 2.5, nan, nan, nan, nan, 0.7];
    let m = MISSING;
    let binary = vec![0, 1, 0, 1, 1, 1, 0, 0, m, m, 1, m, m, m, 0];
    let counts = [0, 3, 1, 7, 2, 4, 0, 1].map(Some).into_iter();
    let counts = counts.chain([None, None, None, Some(9), None, None, None]);
    let ordinal = vec![0, 1, 2, 3, 2, 1, 0, 3, m, m, m, m, 3, m, 2];
    let categories = vec![0, 1, 2, 0, 1, 1, 2, 0, m, m, m, m, m, 2, m];
    let cells = [
        Cells::Numbers(numbers),
        Cells::Levels(binary),
        Cells::Counts(Counts::gather(counts)),
        Cells::Levels(ordinal),
        Cells::Levels(categories),
    ];
    let column = |(kind, cells): (&Kind, Cells)| Column { name: kind.to_string(), kind: *kind, cells };
    Data::new(KINDS.iter().zip(cells).map(column).collect()).unwrap()
}

/// (α, b₁, b₂) and σ² of the seven numbers: one of each column, but three of the categories.
const NUMBERS: [([f64; 3], f64); 7] = [
    ([0.1, 0.8, -0.4], 0.3),
    ([-0.2, 0.5, 0.6], 0.5),
    ([0.3, 0.7, 0.5], 0.4),
    ([0.0, -0.6, 0.7], 0.2),
    ([0.2, 0.9, -0.3], 0.6),
    ([-0.1, -0.4, 0.8], 0.3),
    ([0.0, -0.5, -0.5], 0.4),
];

/// The numbers of a cell as the model sees them: places among the seven, and what is there.
fn seen(column: usize, value: Value) -> Vec<(usize, f64)> {
    match value {
        Value::Level(level) if column == 4 => (0..3).map(|l| (4 + l, f64::from(l == level))).collect(),
        value => vec![(column, value.number())],
    }
}

/// Mean and standard deviation of each of the seven numbers where there are values.
fn scales(data: &Data) -> Vec<(f64, f64)> {
    let mut numbers = vec![Vec::new(); 7];
    for (row, column) in data.observed() {
        let value = data.columns()[column].cells.get(row).unwrap();
        seen(column, value).into_iter().for_each(|(at, x)| numbers[at].push(x));
    }
    let scale = |xs: &Vec<f64>| {
        let n = xs.len() as f64;
        let mean = xs.iter().sum::<f64>() / n;
        (mean, (xs.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n).sqrt())
    };
    numbers.iter().map(scale).collect()
}

fn z(at: usize, f: [f64; 2]) -> f64 {
    let [a, b, c] = NUMBERS[at].0;
    a + b * f[0] + c * f[1]
}

/// Factors of a row with what they are worth.
fn posterior(data: &Data, scales: &[(f64, f64)], row: usize) -> Vec<([f64; 2], f64)> {
    let axis = || (-40..=40).map(|i| 0.15 * f64::from(i));
    let mut points: Vec<([f64; 2], f64)> = axis().flat_map(|a| axis().map(move |b| ([a, b], 0.0))).collect();
    for (f, weight) in &mut points {
        let mut log = -0.5 * (f[0] * f[0] + f[1] * f[1]);
        for (j, column) in data.columns().iter().enumerate() {
            for (at, x) in column.cells.get(row).map_or(Vec::new(), |value| seen(j, value)) {
                let (mean, sd) = scales[at];
                log -= 0.5 * ((x - mean) / sd - z(at, *f)).powi(2) / NUMBERS[at].1;
            }
        }
        *weight = log.exp();
    }
    let total: f64 = points.iter().map(|(_, weight)| weight).sum();
    points.iter_mut().for_each(|(_, weight)| *weight /= total);
    points
}

/// What is said to have such shares of everything at or below it.
fn quantiles(p: &Prediction) -> [(f64, f64); 5] {
    let ([low, high], [quarter, three]) = (p.interval, p.quartiles);
    [(low, 0.05), (quarter, 0.25), (p.median, 0.5), (three, 0.75), (high, 0.95)]
}

fn agrees(p: &Prediction, scales: &[(f64, f64)], points: &[([f64; 2], f64)]) {
    let average =
        |of: &dyn Fn([f64; 2]) -> f64| points.iter().map(|(f, weight)| weight * of(*f)).sum::<f64>();
    // Mean and deviation of a number on the scale of the table.
    let number = |at: usize, f| (scales[at].0 + scales[at].1 * z(at, f), scales[at].1 * NUMBERS[at].1.sqrt());
    let below = |at: usize, x: f64| average(&|f| phi((x - number(at, f).0) / number(at, f).1));
    let kind = KINDS[p.column];
    match kind {
        Kind::Continuous | Kind::Count => {
            for (x, share) in quantiles(p) {
                // A count stands for all numbers that are rounded to it, and 0 for those below it.
                let half = if kind == Kind::Count { 0.5 } else { 0.0 };
                let to = below(p.column, x + half);
                let before = if kind == Kind::Count && x == 0.0 { 0.0 } else { below(p.column, x - half) };
                assert!(
                    to > share - NEAR && before < share + NEAR,
                    "{kind} {p:?}: {share} is {before} to {to}"
                );
            }
        }
        Kind::Categorical(_) => {
            for level in 0..3 {
                let exact = average(&|f| {
                    let shares = [4, 5, 6].map(|at| number(at, f).0.max(0.01));
                    shares[level] / shares.iter().sum::<f64>()
                });
                assert!((p.probabilities[level] - exact).abs() < NEAR, "{kind} {p:?}: {exact}");
            }
        }
        _ => {
            let last = kind.n_levels() - 1;
            for level in 0..=last {
                let to = if level == last { 1.0 } else { below(p.column, level as f64 + 0.5) };
                let from = if level == 0 { 0.0 } else { below(p.column, level as f64 - 0.5) };
                assert!(
                    (p.probabilities[level] - to + from).abs() < NEAR,
                    "{kind} {p:?}: {level} {}",
                    to - from
                );
            }
        }
    }
    if !matches!(kind, Kind::Categorical(_)) {
        let (least, most) = if p.column == 0 { (f64::MIN, f64::MAX) } else { (0.0, f64::MAX) };
        let most = if kind.n_levels() > 0 { kind.n_levels() as f64 - 1.0 } else { most };
        let exact = average(&|f| number(p.column, f).0).clamp(least, most);
        assert!((p.mean - exact).abs() < 0.03 * scales[p.column].1, "{kind} {p:?}: {exact}");
    }
}

#[test]
fn new_rows_read_as_numbers_are_predicted_as_by_integration() {
    let data = table();
    let column = |(weights, variance): &([f64; 3], f64)| ColumnState {
        weights: weights.to_vec(),
        shape: Shape::Noise(*variance),
    };
    let state = State {
        columns: NUMBERS.iter().map(column).collect(),
        factors: Vec::new(),
        variances: vec![1.0; 2],
        inclusion: vec![1.0; 2],
        pooled: None,
        log_likelihood: 0.0,
    };
    let settings = factors::Options { n_factors: 2, ..factors::Options::default() };
    let kinds = vec![Kind::Continuous; 7];
    let posterior_draws = Posterior { settings, kinds, chains: vec![vec![state; DRAWS]] };
    let stack = Stack::alone(Member { coding: Some(Coding::new(&data)), posterior: posterior_draws }, 5);
    let workers = Workers::new(chain::Threads::All).unwrap();
    let predictions = stack.predict(&data, Rows::New, Stream::new(2), &workers).unwrap();
    assert_eq!(predictions.len(), 27);
    let scales = scales(&data);
    for p in &predictions {
        agrees(p, &scales, &posterior(&data, &scales, p.row));
    }
}
