//! Hidden cells of real tables.

use std::collections::BTreeMap;

use anyhow::Context;
use chain::{Schedule, Start, Stream, Threads, Workers, sample};
use clap::Args;
use factors::schema::{Role, describe, read_types};
use factors::stack::{Candidate, Hiding, Judged, Plan, mean_weights, weights};
use factors::{Column, Data, Draws, Error, FactorModel, Kind, Member, Reading, Rows, Stack, State, Value};

use crate::corpus;

#[derive(Debug, Args)]
pub(crate) struct Imputation {
    /// Tables under `data/mixed`
    #[arg(long, value_delimiter = ',', default_value = "nhefs,anes96,fair,penguins,randhie")]
    data: Vec<String>,
    /// Numbers of factors, of which each model takes the one that predicts best what is hidden from the seen cells; the
    /// stack has them all
    #[arg(long, short = 'k', value_delimiter = ',', default_value = "1,2,4,8")]
    factors: Vec<usize>,
    /// Times that other cells are hidden
    #[arg(long, default_value_t = 3)]
    seeds: u64,
    /// Sweeps of a fit
    #[arg(long, default_value_t = 1000)]
    sweeps: u32,
    /// For choosing settings: a fifth of the cells is left out, and a fifth of the others hidden
    #[arg(long)]
    held_out: bool,
    /// Threads
    #[arg(long, default_value_t = 2)]
    threads: usize,
}

/// Errors of predicted means in standard deviations of the column, and log-probabilities of cells.
#[derive(Clone, Copy, Default)]
struct Errors {
    rmse: f64,
    ln_p: f64,
}

pub(crate) fn run(options: &Imputation) -> anyhow::Result<()> {
    let workers = Workers::new(Threads::from_count(options.threads))?;
    println!(
        "20 % of the cells hidden, {} seeds; categories count as one column for each level",
        options.seeds
    );
    println!(
        "RMSE in standard deviations, mean over columns / mean log-probability of a cell; K chosen within the seen cells"
    );
    println!(
        "{:<10} {:>18} {:>22} {:>22} {:>22}",
        "table", "column means", "Gaussian factors", "mixed factors", "stacked"
    );
    for name in &options.data {
        let data = load(name)?;
        let (mut sums, mut ks) = ([Errors::default(); 4], Vec::new());
        for seed in 0..options.seeds {
            let (hidden, seen) = hide(&data, 0.2, Stream::new(seed).purpose("hidden"));
            let (errors, k) = match options.held_out {
                false => judge(&data, &hidden, &seen, seed, options, &workers)?,
                true => {
                    let (hidden, rest) = hide(&seen, 0.2, Stream::new(seed).purpose("held out"));
                    judge(&seen, &hidden, &rest, seed, options, &workers)?
                }
            };
            for (sum, error) in sums.iter_mut().zip(errors) {
                sum.rmse += error.rmse / options.seeds as f64;
                sum.ln_p += error.ln_p / options.seeds as f64;
            }
            ks.push(k);
        }
        let cell = |e: Errors| format!("{:.3} / {:.3}", e.rmse, e.ln_p);
        let [means, gaussian, mixed, stacked] = sums.map(cell);
        println!("{name:<10} {means:>18} {gaussian:>22} {mixed:>22} {stacked:>22}   K {ks:?}");
    }
    Ok(())
}

pub(super) fn load(name: &str) -> anyhow::Result<Data> {
    let folder = corpus::reference("data/mixed")?;
    let file = std::fs::File::open(folder.join(format!("{name}.csv"))).context(name.to_owned())?;
    let table =
        formats::tables::read(std::io::BufReader::new(file), &formats::tables::Options::default())?.value;
    let types = std::fs::read_to_string(folder.join(format!("{name}.types.json")))?;
    let types = read_types(&types).map_err(anyhow::Error::msg)?;
    let mut columns = Vec::new();
    for (j, name) in table.names().iter().enumerate() {
        let cells: Vec<Option<&str>> = table.column(j).iter().map(|&id| table.text(id)).collect();
        let declared = types.iter().find(|(declared, _)| declared == name.as_str()).map(|(_, kind)| kind);
        let (role, troubles) = describe(name, &cells, declared, true);
        let Role::Modelled(described) = role else { anyhow::bail!("{name}: {role:?} {troubles:?}") };
        columns.push(Column {
            name: name.to_string(),
            kind: described.kind,
            cells: described.encode(&cells).0,
        });
    }
    Ok(Data::new(columns)?)
}

pub(super) fn hide(data: &Data, share: f64, stream: Stream) -> (Vec<(usize, usize)>, Data) {
    let mut rng = stream.rng();
    let hidden: Vec<(usize, usize)> = data.observed().filter(|_| rng.bernoulli(share)).collect();
    let seen = data.without(&hidden);
    (hidden, seen)
}

/// The models of one number of factors: Gaussian, mixed, and the Gaussian one with the prior that it has in a stack.
fn candidates(n_factors: usize) -> [Candidate; 3] {
    let settings = factors::Options { n_factors, ..factors::Options::default() };
    [
        Candidate { reading: Reading::AsNumbers, settings: settings.clone() },
        Candidate::new(Reading::ByKind, settings.clone()),
        Candidate::new(Reading::AsNumbers, settings),
    ]
}

fn judge(
    data: &Data,
    hidden: &[(usize, usize)],
    seen: &Data,
    seed: u64,
    options: &Imputation,
    workers: &Workers,
) -> anyhow::Result<([Errors; 4], [usize; 2])> {
    let ks: Vec<usize> = options.factors.iter().copied().filter(|&k| k < data.columns().len()).collect();
    let plan = Plan::new(
        seen,
        ks.iter().flat_map(|&k| candidates(k)).collect(),
        &Hiding { seed, ..Hiding::default() },
    );
    let mut done = Vec::new();
    for task in plan.tasks() {
        done.push(plan.fit(task, workers, |model| fit(model, seed, options.sweeps, workers))?);
    }
    let judged = plan.judged(&done)?;
    let members = plan.members(done);
    // K is chosen by what was hidden from the seen cells, too.
    let [gaussian, mixed] = [0, 1].map(|model| best(&judged, model));
    let stack = stack(&judged, members.clone(), data.columns().len(), workers)?;
    let alone = |at: usize| Stack::alone(members[at].clone(), data.columns().len());
    let errors = [
        means(data, seen, hidden),
        predicted(data, seen, hidden, &alone(gaussian), seed, workers)?,
        predicted(data, seen, hidden, &alone(mixed), seed, workers)?,
        predicted(data, seen, hidden, &stack, seed, workers)?,
    ];
    Ok((errors, [gaussian, mixed].map(|at| ks[at / 3])))
}

/// The place of the best number of factors for one of the three models.
fn best(judged: &[Judged], model: usize) -> usize {
    let n = judged.first().map_or(0, |cell| cell.ln_p.len());
    let score = |at: usize| judged.iter().map(|cell| floored(cell.ln_p[at])).sum::<f64>();
    let places = (model..n).step_by(3);
    places.max_by(|&a, &b| score(a).total_cmp(&score(b)).then(b.cmp(&a))).unwrap_or(model)
}

/// All models but the first of each three.
fn stack(
    judged: &[Judged],
    members: Vec<Member>,
    n_columns: usize,
    workers: &Workers,
) -> Result<Stack, Error> {
    let stacked = |at: &usize| !at.is_multiple_of(3);
    let places: Vec<usize> = (0..members.len()).filter(stacked).collect();
    let cell = |cell: &Judged| Judged {
        column: cell.column,
        ln_p: places.iter().map(|&at| cell.ln_p[at]).collect(),
        errors: places.iter().map(|&at| cell.errors[at]).collect(),
    };
    let judged: Vec<Judged> = judged.iter().map(cell).collect();
    let hiding = Hiding::default();
    let weights = weights(&judged, n_columns, places.len(), hiding.pull, workers)?;
    let mean_weights = mean_weights(&judged, &weights, places.len(), hiding.mean_pull, workers);
    let members = members.into_iter().enumerate().filter(|(at, _)| stacked(at)).map(|(_, member)| member);
    Ok(Stack { members: members.collect(), weights, mean_weights })
}

/// Two chains, a quarter of which is thrown away, and every fifth sweep of the rest kept.
pub(super) fn fit(
    model: &FactorModel<'_>,
    seed: u64,
    sweeps: u32,
    workers: &Workers,
) -> anyhow::Result<Vec<Vec<State>>> {
    let burn_in = sweeps / 4;
    let schedule = Schedule { burn_in, samples: (sweeps - burn_in) / 5, thin: 5, seed, chains: 2 };
    let mut draws = Draws::default();
    sample::run(model, &schedule, Start::Fresh, &mut draws, workers)?;
    Ok(draws.into_chains())
}

/// What is predicted of a cell: the mean of a number, or the probabilities of levels; and the log-probability of its value.
struct Guess {
    means: Vec<f64>,
    ln_p: f64,
}

/// A log-probability that is not below that of a billionth: no model is lost by a single cell.
fn floored(ln_p: f64) -> f64 {
    ln_p.max(1e-9_f64.ln())
}

fn predicted(
    data: &Data,
    seen: &Data,
    hidden: &[(usize, usize)],
    stack: &Stack,
    seed: u64,
    workers: &Workers,
) -> anyhow::Result<Errors> {
    let mut targets = vec![Vec::new(); data.n_rows()];
    hidden.iter().for_each(|&(row, column)| targets[row].push(column));
    let stream = Stream::new(seed);
    let predictions = stack.predict_cells(seen, Rows::Fitted, |row| targets[row].clone(), stream, workers)?;
    let ln_p = stack.ln_probabilities(data, hidden, workers)?;
    let ln_p: BTreeMap<(usize, usize), f64> = hidden.iter().copied().zip(ln_p).collect();
    let guesses: BTreeMap<(usize, usize), Vec<f64>> = predictions
        .into_iter()
        .map(|p| {
            let means = match data.columns()[p.column].kind {
                Kind::Categorical(_) => p.probabilities,
                _ => vec![p.mean],
            };
            ((p.row, p.column), means)
        })
        .collect();
    Ok(errors(data, seen, hidden, |row, column| {
        let cell = (row, column);
        Guess { means: guesses[&cell].clone(), ln_p: floored(ln_p[&cell]) }
    }))
}

/// The means, or the frequencies of levels with one added to each, of the seen cells.
fn means(data: &Data, seen: &Data, hidden: &[(usize, usize)]) -> Errors {
    let columns: Vec<(Vec<f64>, f64, f64)> =
        seen.columns().iter().map(|column| frequencies(column, seen.n_rows())).collect();
    errors(data, seen, hidden, |row, j| {
        let (levels, mean, sd) = &columns[j];
        let column = &data.columns()[j];
        let value = column.cells.get(row).map_or(0.0, Value::number);
        let ln_p = match column.kind {
            Kind::Continuous => ln_normal(value - mean, *sd),
            Kind::Count => ln_mass(value, *mean, *sd),
            _ => levels[value as usize].ln(),
        };
        let means = match column.kind {
            Kind::Categorical(_) => levels.clone(),
            _ => vec![*mean],
        };
        Guess { means, ln_p }
    })
}

fn frequencies(column: &Column, n_rows: usize) -> (Vec<f64>, f64, f64) {
    let values: Vec<f64> = (0..n_rows).filter_map(|row| Some(column.cells.get(row)?.number())).collect();
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let sd = (values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n).sqrt();
    let mut levels = vec![1.0; column.kind.n_levels()];
    if !levels.is_empty() {
        values.iter().for_each(|&v| levels[v as usize] += 1.0);
        let total: f64 = levels.iter().sum();
        levels.iter_mut().for_each(|p| *p /= total);
    }
    (levels, mean, sd)
}

fn ln_normal(rest: f64, sd: f64) -> f64 {
    -0.5 * (std::f64::consts::TAU * sd * sd).ln() - 0.5 * (rest / sd).powi(2)
}

/// The mass of a normal distribution within half a unit of a whole number.
fn ln_mass(value: f64, mean: f64, sd: f64) -> f64 {
    let cdf = |x: f64| num::special::normal_cdf((x - mean) / sd);
    floored((cdf(value + 0.5) - cdf(value - 0.5)).ln())
}

/// The mean over columns of the root of the mean squared error in standard deviations, and the mean log-probability.
fn errors(
    data: &Data,
    seen: &Data,
    hidden: &[(usize, usize)],
    guess: impl Fn(usize, usize) -> Guess,
) -> Errors {
    let mut squares: Vec<Vec<(f64, usize)>> = data
        .columns()
        .iter()
        .map(|c| vec![(0.0, 0); if let Kind::Categorical(levels) = c.kind { levels } else { 1 }])
        .collect();
    let mut ln_p = 0.0;
    for &(row, j) in hidden {
        let value = data.columns()[j].cells.get(row).map_or(0.0, Value::number);
        let guess = guess(row, j);
        ln_p += guess.ln_p / hidden.len() as f64;
        for (part, (sum, n)) in squares[j].iter_mut().enumerate() {
            let truth = if guess.means.len() > 1 { f64::from(value == part as f64) } else { value };
            *sum += (guess.means[part] - truth).powi(2);
            *n += 1;
        }
    }
    let mut ratios = Vec::new();
    for (column, sums) in seen.columns().iter().zip(&squares) {
        let (levels, _, sd) = frequencies(column, seen.n_rows());
        for (part, &(sum, n)) in sums.iter().enumerate().filter(|(_, (_, n))| *n > 0) {
            let sd = if sums.len() > 1 { (levels[part] * (1.0 - levels[part])).sqrt() } else { sd };
            ratios.push((sum / n as f64).sqrt() / sd);
        }
    }
    Errors { rmse: ratios.iter().sum::<f64>() / ratios.len() as f64, ln_p }
}
