#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use chain::{Schedule, Start, Stream, Threads, Workers, sample};
use proptest::prelude::*;

use super::*;
use crate::{Cells, Column, Draws, FactorModel, Kind, Options, State, Value, simulate};

const KINDS: [Kind; 5] =
    [Kind::Count, Kind::Binary, Kind::Ordinal(4), Kind::Categorical(3), Kind::Continuous];

/// A small table of all kinds with some cells missing.
fn table() -> Data {
    let kinds: Vec<Kind> = (0..10).map(|j| KINDS[j % 5]).collect();
    let mut rng = Stream::new(5).rng();
    let mut truth = simulate::standard(&kinds, 40, 2, &mut rng);
    let data = simulate::draw_data(&kinds, &mut truth, &settings(2), &mut rng).unwrap();
    let hidden: Vec<(usize, usize)> = data.observed().filter(|(i, j)| (i * 7 + j) % 13 == 0).collect();
    data.without(&hidden)
}

fn settings(n_factors: usize) -> Options {
    Options { n_factors, ..Options::default() }
}

fn both(n_factors: usize) -> Vec<Candidate> {
    [Reading::ByKind, Reading::AsNumbers].map(|reading| Candidate::new(reading, settings(n_factors))).into()
}

fn workers(n: usize) -> Workers {
    Workers::new(Threads::from_count(n)).unwrap()
}

fn draws(model: &FactorModel<'_>, samples: u32, workers: &Workers) -> Result<Vec<Vec<State>>, Error> {
    let schedule = Schedule { burn_in: 10, samples, thin: 1, seed: 2, chains: 2 };
    let mut draws = Draws::default();
    sample::run(model, &schedule, Start::Fresh, &mut draws, workers).unwrap();
    Ok(draws.into_chains())
}

fn stacked(data: &Data, candidates: Vec<Candidate>, samples: u32, n_threads: usize) -> Stack {
    let workers = workers(n_threads);
    let plan = Plan::new(data, candidates, &Hiding::default());
    let fit = |task| plan.fit(task, &workers, |model| draws(model, samples, &workers)).unwrap();
    let done = plan.tasks().into_iter().map(fit).collect();
    plan.stack(done, &workers).unwrap()
}

/// A cell of which only log-probabilities are known.
fn judged(column: usize, ln_p: Vec<f64>) -> Judged {
    Judged { column, errors: vec![f64::NAN; ln_p.len()], ln_p }
}

fn squares(cells: &[&[f64]], weights: &[f64]) -> f64 {
    let error = |cell: &&[f64]| weights.iter().zip(*cell).map(|(w, e)| w * e).sum::<f64>();
    cells.iter().map(|cell| error(cell) * error(cell)).sum()
}

fn objective(cells: &[Judged], weights: &[f64], towards: &[f64], c: f64) -> f64 {
    let cell = |cell: &Judged| weights.iter().zip(&cell.ln_p).map(|(w, l)| w * l.exp()).sum::<f64>().ln();
    let prior = weights.iter().zip(towards).map(|(w, v)| if *v > 0.0 { c * v * w.ln() } else { 0.0 });
    cells.iter().map(cell).sum::<f64>() + prior.sum::<f64>()
}

proptest! {
    #[test]
    fn no_weights_on_a_grid_are_better(
        ln_p in prop::collection::vec(prop::collection::vec(-4.0..0.0f64, 3), 1..12),
        c in 0.5..5.0f64,
    ) {
        let cells: Vec<Judged> = ln_p.into_iter().map(|ln_p| judged(0, ln_p)).collect();
        let workers = Workers::serial();
        // A second column without cells has the weights of the whole table.
        let found = weights(&cells, 2, 3, c, &workers).unwrap();
        let reached = objective(&cells, &found[0], &found[1], c);
        let whole = objective(&cells, &found[1], &[1.0 / 3.0; 3], 1.0);
        for a in 0..=40 {
            for b in 0..=40 - a {
                let grid = [a, b, 40 - a - b].map(|x| f64::from(x) / 40.0);
                prop_assert!(objective(&cells, &grid, &found[1], c) <= reached + 1e-6);
                prop_assert!(objective(&cells, &grid, &[1.0 / 3.0; 3], 1.0) <= whole + 1e-6);
            }
        }
        prop_assert!((found[0].iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn no_mean_on_a_grid_is_nearer(
        errors in prop::collection::vec((0..2usize, prop::collection::vec(-2.0..2.0f64, 3)), 1..20),
        c in 0.0..5.0f64,
    ) {
        let cell = |(column, errors): (usize, Vec<f64>)| Judged { column, ln_p: vec![0.0; 3], errors };
        let cells: Vec<Judged> = errors.into_iter().map(cell).collect();
        let found = weights::nearest(&cells, 3, 3, c, &Workers::serial());
        let all: Vec<&[f64]> = cells.iter().map(|cell| &cell.errors[..]).collect();
        for (column, found) in found.iter().enumerate() {
            prop_assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-12 && found.iter().all(|w| *w >= 0.0));
            let own: Vec<&[f64]> =
                cells.iter().filter(|cell| cell.column == column).map(|cell| &cell.errors[..]).collect();
            let objective = |w: &[f64]| squares(&own, w) + c * squares(&all, w) / all.len() as f64;
            let reached = objective(found);
            for a in 0..=40 {
                for b in 0..=40 - a {
                    let grid = [a, b, 40 - a - b].map(|x| f64::from(x) / 40.0);
                    prop_assert!(objective(&grid) >= reached - 1e-6);
                }
            }
        }
    }

    #[test]
    fn levels_read_as_numbers_have_probabilities_that_sum_to_one(
        means in prop::collection::vec(-3.0..8.0f64, 5),
        sd in 0.01..5.0f64,
    ) {
        use crate::numbers::{Guesses, Normal, RoundedCount, RoundedLevel};
        use crate::predictive::Predictive;
        let normals: Vec<Normal> = means.iter().map(|&mean| Normal { mean, sd }).collect();
        let rounded = |n_levels| RoundedLevel { normal: normals[0], n_levels }.probabilities();
        for probabilities in [rounded(2), rounded(5), Guesses(normals.clone()).probabilities()] {
            let sum: f64 = probabilities.iter().sum();
            prop_assert!((sum - 1.0).abs() < 1e-9, "{probabilities:?}: {sum}");
        }
        let count = |y: u32| RoundedCount(normals[0]).ln_probability(Value::Count(y)).unwrap().exp();
        prop_assert!(((0..60).map(count).sum::<f64>() - 1.0).abs() < 1e-9);
    }
}

#[test]
fn a_log_probability_that_is_no_number_is_an_error() {
    let cells = [judged(0, vec![-1.0, -2.0]), judged(1, vec![-1.0, f64::NAN])];
    let refused = weights(&cells, 2, 2, 3.0, &Workers::serial());
    assert!(matches!(refused, Err(Error::NotANumber { column: 1 })), "{refused:?}");
}

#[test]
fn the_better_model_of_a_column_gets_its_weight() {
    let cell = |i: usize, column: usize, ln_p: [f64; 2]| {
        // They take turns in being right by a little, so that neither is always the better one.
        let noise = if i.is_multiple_of(2) { 0.3 } else { -0.3 };
        judged(column, vec![ln_p[0] + noise, ln_p[1] - noise])
    };
    let mut cells: Vec<Judged> = (0..200).map(|i| cell(i, 0, [-1.0, -2.0])).collect();
    cells.extend((0..200).map(|i| cell(i, 1, [-2.0, -1.0])));
    cells.extend((0..2).map(|i| cell(i, 2, [-2.0, -1.0])));
    let found = weights(&cells, 4, 2, 3.0, &Workers::serial()).unwrap();
    assert!(found[0][0] > 0.98 && found[1][1] > 0.98, "{found:?}");
    // Two cells say little, none nothing.
    assert!(found[2][1] > found[3][1] && found[2][1] < 0.9, "{found:?}");
    assert!((found[3][0] - 0.5).abs() < 0.01, "{found:?}");
}

#[test]
fn cells_that_nobody_expects_do_no_harm() {
    let cells = [vec![f64::NEG_INFINITY; 2], vec![f64::NEG_INFINITY, -1.0], vec![-2e4, -1e4]];
    let cells: Vec<Judged> = cells.into_iter().map(|ln_p| judged(0, ln_p)).collect();
    let found = weights(&cells, 1, 2, 3.0, &Workers::serial()).unwrap();
    assert!(found[0].iter().all(|w| w.is_finite()) && found[0][1] > 0.5, "{found:?}");
    // Where nothing is known of means, all models count alike.
    assert_eq!(weights::nearest(&cells, 1, 2, 3.0, &Workers::serial()), [[0.5, 0.5]]);
}

#[test]
fn means_have_weights_halfway_between_the_nearest_and_those_of_the_mixture() {
    // The second model is always right, the first is always one too low.
    let cell = |column| Judged { column, ln_p: vec![-1.0, -1.0], errors: vec![1.0, 0.0] };
    let cells: Vec<Judged> = (0..20).map(|i| cell(i % 2)).collect();
    let mixture = [vec![0.8, 0.2], vec![0.0, 1.0]];
    let found = mean_weights(&cells, &mixture, 2, 30.0, &Workers::serial());
    for (found, wanted) in found.iter().zip([[0.4, 0.6], [0.0, 1.0]]) {
        assert!(found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-9), "{found:?}");
    }
}

#[test]
fn a_stack_of_one_model_is_that_model_bit_for_bit() {
    let data = table();
    let workers = workers(2);
    let one = vec![Candidate::new(Reading::ByKind, settings(2))];
    let stack = stacked(&data, one, 8, 2);
    let chains = draws(&FactorModel::new(&data, settings(2)).unwrap(), 8, &workers).unwrap();
    let posterior = Posterior::new(&data, settings(2), chains);
    assert_eq!(stack, Stack::alone(Member { coding: None, posterior: posterior.clone() }, 10));
    for rows in [Rows::Fitted, Rows::New] {
        let alone = posterior.predict(&data, rows, Stream::new(1), &workers).unwrap();
        assert_eq!(stack.predict(&data, rows, Stream::new(1), &workers).unwrap(), alone);
    }
    let cells: Vec<(usize, usize)> = data.observed().collect();
    let alone = posterior.held_out(&data, &cells, &workers).unwrap();
    assert_eq!(stack.held_out(&data, &cells, &workers).unwrap(), alone);
}

#[test]
fn a_mixture_is_the_weighted_sum_of_what_its_models_say() {
    let data = table();
    let workers = workers(2);
    let mut stack = stacked(&data, both(2), 8, 2);
    stack.weights = vec![vec![0.25, 0.75]; 10];
    let with = |weights: [f64; 2], rows| {
        // Means have the weights the other way round, but for categories.
        let mean_weights = vec![vec![weights[1], weights[0]]; 10];
        let stack = Stack { weights: vec![weights.to_vec(); 10], mean_weights, ..stack.clone() };
        stack.predict(&data, rows, Stream::new(3), &workers).unwrap()
    };
    for rows in [Rows::Fitted, Rows::New] {
        let mixed = with([0.25, 0.75], rows);
        for ((mixed, a), b) in mixed.iter().zip(with([1.0, 0.0], rows)).zip(with([0.0, 1.0], rows)) {
            assert!((mixed.mean - 0.25 * a.mean - 0.75 * b.mean).abs() < 1e-12);
            let both = a.probabilities.iter().zip(&b.probabilities).map(|(a, b)| 0.25 * a + 0.75 * b);
            assert!(mixed.probabilities.iter().zip(both).all(|(p, q)| (p - q).abs() < 1e-12));
            let total: f64 = mixed.probabilities.iter().sum();
            assert!(mixed.probabilities.is_empty() || (total - 1.0).abs() < 1e-6, "{mixed:?}");
            let (low, high) = data.columns()[mixed.column].kind.bounds();
            assert!((low..=high).contains(&b.mean), "{b:?}");
            assert!((low..=high).contains(&mixed.interval[0]) && mixed.interval[0] <= mixed.interval[1]);
            assert!(mixed.interval[0] <= mixed.median && mixed.median <= mixed.interval[1], "{mixed:?}");
            // A quantile of a mixture lies between those of its parts.
            for (mixed, a, b) in [
                (mixed.interval[0], a.interval[0], b.interval[0]),
                (mixed.median, a.median, b.median),
                (mixed.interval[1], a.interval[1], b.interval[1]),
            ] {
                assert!(a.min(b) - 1e-9 <= mixed && mixed <= a.max(b) + 1e-9, "{mixed} of {a} and {b}");
            }
        }
    }
    for cell in with([0.25, 0.75], Rows::Fitted) {
        let means =
            [0, 1].map(|at: usize| stack.members[at].means(&[(cell.row, cell.column)], &workers).unwrap()[0]);
        let is_category = matches!(KINDS[cell.column % 5], Kind::Categorical(_));
        let [u, v] = if is_category { [0.25, 0.75] } else { [0.75, 0.25] };
        assert!((cell.mean - u * means[0] - v * means[1]).abs() < 1e-9, "{cell:?} {means:?}");
    }
    let cells: Vec<(usize, usize)> = data.observed().collect();
    let said: Vec<Vec<f64>> = stack
        .members
        .iter()
        .map(|member| member.ln_probabilities(&data, &cells, &workers).unwrap())
        .collect();
    for (at, ln_p) in stack.ln_probabilities(&data, &cells, &workers).unwrap().into_iter().enumerate() {
        let sum = 0.25 * said[0][at].exp() + 0.75 * said[1][at].exp();
        assert!((ln_p.exp() - sum).abs() < 1e-12);
    }
}

#[test]
fn any_number_of_threads_gives_the_same_stack() {
    let data = table();
    let one = stacked(&data, both(2), 6, 1);
    let three = stacked(&data, both(2), 6, 3);
    assert_eq!(one, three);
    let predict = |stack: &Stack, n| stack.predict(&data, Rows::New, Stream::new(4), &workers(n)).unwrap();
    assert_eq!(predict(&one, 1), predict(&three, 3));
}

#[test]
fn a_fit_does_not_see_what_is_hidden_from_it() {
    let data = table();
    let plan = Plan::new(&data, both(2), &Hiding { folds: Some(3), ..Hiding::default() });
    let serial = Workers::serial();
    let tasks = plan.tasks();
    assert_eq!(tasks.len(), 8);
    assert_eq!(tasks.last(), Some(&FitTask { candidate: 0, fold: None }));
    let mut seen_by = Vec::new();
    for task in tasks {
        let keep = |model: &FactorModel<'_>| -> Result<Vec<Vec<State>>, Error> {
            seen_by.push((task, model.data().clone()));
            draws(model, 1, &serial)
        };
        plan.fit(task, &serial, keep).unwrap();
    }
    let n_observed = data.observed().count();
    let mut hidden_once = 0;
    for (task, seen) in &seen_by {
        let parts =
            |j: usize| if let Kind::Categorical(levels) = data.columns()[j].kind { levels } else { 1 };
        let first: Vec<usize> =
            (0..10).map(|j| if task.candidate == 0 { j } else { (0..j).map(parts).sum() }).collect();
        let gone = data.observed().filter(|&(i, j)| seen.columns()[first[j]].cells.get(i).is_none()).count();
        assert_eq!(gone, plan.n_hidden(*task));
        hidden_once += if task.candidate == 0 { gone } else { 0 };
        assert_eq!(task.fold.is_none(), gone == 0);
    }
    // Three times another tenth.
    assert!((0.2..0.4).contains(&(hidden_once as f64 / n_observed as f64)), "{hidden_once} of {n_observed}");
}

/// In standard deviations of the column, as all values of the table have it; categories have no errors.
#[test]
fn hidden_cells_are_judged_by_their_probability_and_their_distance_from_the_mean() {
    let data = table();
    let plan = Plan::new(&data, both(2), &Hiding { folds: Some(1), ..Hiding::default() });
    let serial = Workers::serial();
    for task in plan.tasks().into_iter().filter(|task| task.fold.is_some()) {
        let mut kept = None;
        let keep = |model: &FactorModel<'_>| -> Result<Vec<Vec<State>>, Error> {
            let chains = draws(model, 4, &serial)?;
            kept = Some((model.data().clone(), chains.clone()));
            Ok(chains)
        };
        let Done::Scores(scores) = plan.fit(task, &serial, keep).unwrap() else { panic!() };
        let (seen, chains) = kept.unwrap();
        let Candidate { reading, settings } = plan.candidates()[task.candidate].clone();
        let parts = |j: usize| (0..j).map(|j| if KINDS[j % 5] == Kind::Categorical(3) { 3 } else { 1 }).sum();
        let first = |j: usize| if reading == Reading::ByKind { j } else { parts(j) };
        let is_hidden = |&(i, j): &(usize, usize)| seen.columns()[first(j)].cells.get(i).is_none();
        let hidden: Vec<(usize, usize)> = data.observed().filter(is_hidden).collect();
        let coding = (reading == Reading::AsNumbers).then(|| Coding::new(&data.without(&hidden)));
        let member = Member { coding, posterior: Posterior::new(&seen, settings, chains) };
        let (ln_p, means) = (
            member.ln_probabilities(&data, &hidden, &serial).unwrap(),
            member.means(&hidden, &serial).unwrap(),
        );
        assert_eq!(scores.len(), hidden.len());
        for (at, &(row, j)) in hidden.iter().enumerate() {
            let cells = &data.columns()[j].cells;
            let values: Vec<f64> = (0..40).filter_map(|row| cells.get(row)).map(Value::number).collect();
            let n = values.len() as f64;
            let mean = values.iter().sum::<f64>() / n;
            let sd = (values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n).sqrt();
            let error = (cells.get(row).unwrap().number() - means[at]) / sd;
            assert_eq!(scores[at].0, ln_p[at]);
            match KINDS[j % 5] {
                Kind::Categorical(_) => assert!(scores[at].1.is_nan()),
                _ => assert!((scores[at].1 - error).abs() < 1e-9, "{:?} {error}", scores[at]),
            }
        }
    }
}

#[test]
fn a_table_read_as_numbers_is_standardised_and_keeps_its_gaps() {
    let data = table();
    let (coded, coding) = Reading::AsNumbers.table(&data).unwrap();
    assert_eq!(coded.columns().len(), 14);
    for column in coded.columns() {
        let Cells::Numbers(values) = &column.cells else { panic!("{column:?}") };
        let known: Vec<f64> = values.iter().copied().filter(|x| !x.is_nan()).collect();
        let n = known.len() as f64;
        let mean = known.iter().sum::<f64>() / n;
        let variance = known.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n;
        assert!(mean.abs() < 1e-9 && (variance - 1.0).abs() < 1e-9, "{}", column.name);
    }
    let gaps = |data: &Data, j: usize| (0..40).filter(|&i| data.columns()[j].cells.get(i).is_none()).count();
    assert_eq!((gaps(&data, 0), gaps(&data, 3)), (gaps(&coded, 0), gaps(&coded, 3)));
    assert_eq!(gaps(&coded, 3), gaps(&coded, 5));
    // The coding of one table reads another in the same way.
    assert_eq!(coding.unwrap().table(&data).unwrap().fingerprint(), coded.fingerprint());
}

/// Rows of three clusters: three columns of 0 and 1 that say which, and numbers that follow from it.
fn clusters() -> Data {
    let mut rng = Stream::new(8).rng();
    let of: Vec<usize> = (0..150).map(|_| rng.below(3)).collect();
    let mut columns = Vec::new();
    for cluster in 0..3 {
        let levels = of.iter().map(|&c| u16::from(c == cluster)).collect();
        columns.push(Column {
            name: format!("is{cluster}"),
            kind: Kind::Binary,
            cells: Cells::Levels(levels),
        });
    }
    for (j, means) in [[-1.0, 0.0, 1.0], [1.0, -1.0, 0.0], [0.5, 0.5, -1.0]].into_iter().enumerate() {
        let values = of.iter().map(|&c| means[c] + 0.2 * num::dist::normal(&mut rng)).collect();
        let name = format!("x{j}");
        columns.push(Column { name, kind: Kind::Continuous, cells: Cells::Numbers(values) });
    }
    Data::new(columns).unwrap()
}

#[test]
fn numbers_are_preferred_for_clusters_and_kinds_for_skewed_counts() {
    let clusters = stacked(&clusters(), both(2), 60, 2);
    // The continuous columns follow from the clusters in a straight line.
    assert!(clusters.weights[3..].iter().all(|w| w[1] > 0.5), "{:?}", clusters.weights);
    let kinds = [Kind::Count; 6];
    let mut rng = Stream::new(6).rng();
    let mut truth = simulate::standard(&kinds, 100, 1, &mut rng);
    let data = simulate::draw_data(&kinds, &mut truth, &settings(1), &mut rng).unwrap();
    let counts = stacked(&data, both(1), 60, 2);
    assert!(counts.weights.iter().all(|w| w[0] > 0.5), "{:?}", counts.weights);
}

proptest! {
    /// Against all values one by one: as many as the share says are at or below the quantile, and fewer below it.
    #[test]
    fn quantiles_of_a_mixture_have_their_share_of_the_weight(
        values in prop::collection::vec((-5..5i32, 0.0..2.0f64), 1..30),
        share in 0.01..0.99f64,
    ) {
        let values: Vec<(f64, f64)> = values.into_iter().map(|(x, w)| (f64::from(x), w)).collect();
        let total: f64 = values.iter().map(|(_, w)| w).sum();
        prop_assume!(total > 0.1);
        let [found] = crate::predict::weighted_quantiles(values.clone(), [share]).unwrap();
        let weight = |of: &dyn Fn(f64) -> bool| {
            values.iter().filter(|(x, _)| of(*x)).map(|(_, w)| w).sum::<f64>() / total
        };
        prop_assert!(weight(&|x| x <= found) > share - 1e-9 && weight(&|x| x < found) < share + 1e-9);
    }
}

#[test]
fn tables_of_other_kinds_and_cells_without_values_are_refused() {
    let table = |kinds: &[Kind]| {
        let mut rng = Stream::new(5).rng();
        let mut truth = simulate::standard(kinds, 20, 1, &mut rng);
        simulate::draw_data(kinds, &mut truth, &settings(1), &mut rng).unwrap()
    };
    let data = table(&[Kind::Count, Kind::Binary]);
    let stack = stacked(&data, both(1), 2, 1);
    let (workers, empty) = (Workers::serial(), data.without(&[(0, 0)]));
    for kinds in
        [&[Kind::Binary, Kind::Count][..], &[Kind::Count], &[Kind::Count, Kind::Binary, Kind::Binary]]
    {
        let other = table(kinds);
        let refused = stack.predict(&other, Rows::New, Stream::new(1), &workers);
        assert!(matches!(refused, Err(Error::Foreign { .. })), "{kinds:?}: {refused:?}");
        let refused = stack.held_out(&other, &[(0, 0)], &workers);
        assert!(matches!(refused, Err(Error::Foreign { .. })), "{kinds:?}: {refused:?}");
        for member in &stack.members {
            let refused = member.ln_probabilities(&other, &[(0, 0)], &workers);
            assert!(matches!(refused, Err(Error::Foreign { .. })), "{kinds:?}: {refused:?}");
        }
    }
    let refused = stack.held_out(&empty, &[(0, 0)], &workers);
    assert!(matches!(refused, Err(Error::NoValue { row: 0, column: 0 })), "{refused:?}");
    let mut none = stack.clone();
    none.members[0].posterior.chains.clear();
    let refused = none.predict(&empty, Rows::New, Stream::new(1), &workers);
    assert!(matches!(refused, Err(Error::NoDraws)), "{refused:?}");
}
