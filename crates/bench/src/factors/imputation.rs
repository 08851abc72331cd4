//! Hidden cells of real tables.

use anyhow::Context;
use chain::{Schedule, Start, Stream, Threads, Workers, sample};
use clap::Args;
use mixed::schema::{Role, describe, read_types};
use mixed::{Cells, Column, Data, Draws, FactorModel, Kind, Posterior, Rows, Settings, Shape, Value};

use crate::corpus;

#[derive(Debug, Args)]
pub(crate) struct Imputation {
    /// Tables under `data/mixed`
    #[arg(long, value_delimiter = ',', default_value = "nhefs,anes96,fair,penguins,randhie")]
    data: Vec<String>,
    /// Numbers of factors, of which each model takes the one that predicts best what is hidden from the seen cells
    #[arg(long, short = 'k', value_delimiter = ',', default_value = "1,2,4,8")]
    factors: Vec<usize>,
    /// Times that other cells are hidden
    #[arg(long, default_value_t = 3)]
    seeds: u64,
    /// Sweeps of a fit
    #[arg(long, default_value_t = 1000)]
    sweeps: u32,
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
    println!("{:<10} {:>18} {:>22} {:>22}", "table", "column means", "Gaussian factors", "mixed factors");
    for name in &options.data {
        let data = load(name)?;
        let (mut sums, mut ks) = ([Errors::default(); 3], Vec::new());
        for seed in 0..options.seeds {
            let seeds: Vec<u64> = vec![seed];
            let one = seeds.iter().map(|&seed| judge(&data, seed, options, &workers));
            for (errors, k) in one.collect::<anyhow::Result<Vec<_>>>()? {
                for (sum, error) in sums.iter_mut().zip(errors) {
                    sum.rmse += error.rmse / options.seeds as f64;
                    sum.ln_p += error.ln_p / options.seeds as f64;
                }
                ks.push(k);
            }
        }
        let cell = |e: Errors| format!("{:.3} / {:.3}", e.rmse, e.ln_p);
        println!("{name:<10} {:>18} {:>22} {:>22}   K {ks:?}", cell(sums[0]), cell(sums[1]), cell(sums[2]));
    }
    Ok(())
}

fn load(name: &str) -> anyhow::Result<Data> {
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

fn hide(data: &Data, share: f64, stream: Stream) -> (Vec<(usize, usize)>, Data) {
    let mut rng = stream.rng();
    let hidden: Vec<(usize, usize)> = data.observed().filter(|_| rng.bernoulli(share)).collect();
    let seen = data.without(&hidden);
    (hidden, seen)
}

fn judge(
    data: &Data,
    seed: u64,
    options: &Imputation,
    workers: &Workers,
) -> anyhow::Result<([Errors; 3], [usize; 2])> {
    let stream = Stream::new(seed).purpose("hidden");
    let (hidden, seen) = hide(data, 0.2, stream);
    let most: Vec<usize> = options.factors.iter().copied().filter(|&k| k < data.columns().len()).collect();
    // K is chosen with a tenth of the seen cells hidden, too.
    let (inner_hidden, inner) = hide(&seen, 0.1, stream.purpose("inner"));
    let mut best = [(f64::NEG_INFINITY, most[0]); 2];
    for &k in &most {
        let scores = [
            gaussian(&seen, &inner, &inner_hidden, k, seed, options, workers)?,
            mixed_errors(&seen, &inner, &inner_hidden, k, seed, options, workers)?,
        ];
        for (best, score) in best.iter_mut().zip(scores) {
            if score.ln_p > best.0 {
                *best = (score.ln_p, k);
            }
        }
    }
    let [g, m] = best.map(|(_, k)| k);
    let errors = [
        means(data, &seen, &hidden),
        gaussian(data, &seen, &hidden, g, seed, options, workers)?,
        mixed_errors(data, &seen, &hidden, m, seed, options, workers)?,
    ];
    Ok((errors, [g, m]))
}

fn fit(
    data: &Data,
    k: usize,
    seed: u64,
    options: &Imputation,
    workers: &Workers,
) -> anyhow::Result<Posterior> {
    let settings = Settings { n_factors: k, ..Settings::default() };
    let model = FactorModel::new(data, settings.clone())?;
    let burn_in = options.sweeps / 4;
    let schedule = Schedule { burn_in, samples: (options.sweeps - burn_in) / 5, thin: 5, seed, chains: 2 };
    let mut draws = Draws::default();
    sample::run(&model, &schedule, Start::Fresh, &mut draws, workers)?;
    Ok(Posterior::new(data, settings, draws.into_chains()))
}

/// What is predicted of a cell: the mean of a number, or the probabilities of levels; and the log-probability of its value.
struct Guess {
    means: Vec<f64>,
    ln_p: f64,
}

fn mixed_errors(
    data: &Data,
    seen: &Data,
    hidden: &[(usize, usize)],
    k: usize,
    seed: u64,
    options: &Imputation,
    workers: &Workers,
) -> anyhow::Result<Errors> {
    let posterior = fit(seen, k, seed, options, workers)?;
    let mut targets = vec![Vec::new(); data.n_rows()];
    hidden.iter().for_each(|&(row, column)| targets[row].push(column));
    let predictions =
        posterior.predict_cells(seen, Rows::Fitted, |row| targets[row].clone(), Stream::new(seed), workers);
    let guesses: std::collections::BTreeMap<(usize, usize), Vec<f64>> = predictions
        .into_iter()
        .map(|p| {
            let means = match data.columns()[p.column].kind {
                Kind::Categorical(_) => p.probabilities,
                _ => vec![p.mean],
            };
            ((p.row, p.column), means)
        })
        .collect();
    let score = posterior.held_out(data, hidden, workers);
    let mut errors =
        errors(data, seen, hidden, |row, column| Guess { means: guesses[&(row, column)].clone(), ln_p: 0.0 });
    errors.ln_p = score.mean();
    Ok(errors)
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

/// The mass of a normal distribution within half a unit of a whole number, never less than a billionth.
fn ln_mass(value: f64, mean: f64, sd: f64) -> f64 {
    mass(value, mean, sd).max(1e-9).ln()
}

fn mass(value: f64, mean: f64, sd: f64) -> f64 {
    let cdf = |x: f64| chain::special::normal_cdf((x - mean) / sd);
    cdf(value + 0.5) - cdf(value - 0.5)
}

/// The same model of a table whose columns are all numbers: levels by their numbers, categories as one column of 0 and 1
/// for each level.
fn gaussian(
    data: &Data,
    seen: &Data,
    hidden: &[(usize, usize)],
    k: usize,
    seed: u64,
    options: &Imputation,
    workers: &Workers,
) -> anyhow::Result<Errors> {
    let (mut columns, mut places, mut scales) = (Vec::new(), Vec::new(), Vec::new());
    for column in seen.columns() {
        places.push(columns.len());
        let n_parts = if let Kind::Categorical(levels) = column.kind { levels } else { 1 };
        for part in 0..n_parts {
            let value = |row: usize| match (column.kind, column.cells.get(row)) {
                (_, None) => f64::NAN,
                (Kind::Categorical(_), Some(value)) => f64::from(value.number() == part as f64),
                (_, Some(value)) => value.number(),
            };
            let values: Vec<f64> = (0..seen.n_rows()).map(value).collect();
            let (_, mean, sd) = frequencies(
                &Column {
                    name: String::new(),
                    kind: Kind::Continuous,
                    cells: Cells::Numbers(values.clone()),
                },
                seen.n_rows(),
            );
            let sd = if sd > 0.0 { sd } else { 1.0 };
            scales.push((mean, sd));
            let cells = Cells::Numbers(values.into_iter().map(|v| (v - mean) / sd).collect());
            columns.push(Column { name: format!("{}{part}", column.name), kind: Kind::Continuous, cells });
        }
    }
    let posterior = fit(&Data::new(columns)?, k, seed, options, workers)?;
    let n_draws = posterior.n_draws() as f64;
    Ok(errors(data, seen, hidden, |row, j| {
        let column = &data.columns()[j];
        let n_parts = if let Kind::Categorical(levels) = column.kind { levels } else { 1 };
        let value = column.cells.get(row).map_or(0.0, Value::number);
        let (mut means, mut p, mut latent) = (vec![0.0; n_parts], 0.0, Vec::new());
        for draw in posterior.draws() {
            for (part, mean) in means.iter_mut().enumerate() {
                let at = places[j] + part;
                draw.latent_into(row, at, &mut latent);
                let (centre, scale) = scales[at];
                let z = centre + scale * latent[0];
                *mean += z / n_draws;
                if let (Shape::Noise(variance), 1) = (&draw.columns[at].shape, n_parts) {
                    let sd = scale * variance.sqrt();
                    p += match column.kind {
                        Kind::Continuous => ln_normal(value - z, sd).exp(),
                        Kind::Count => mass(value, z, sd),
                        kind => {
                            let all: f64 = (0..kind.n_levels()).map(|level| mass(level as f64, z, sd)).sum();
                            mass(value, z, sd) / all.max(1e-300)
                        }
                    } / n_draws;
                }
            }
        }
        if n_parts > 1 {
            // Guesses of 0 and 1 as probabilities: never below a hundredth, summing to one.
            let clipped: Vec<f64> = means.iter().map(|m| m.max(0.01)).collect();
            p = clipped[value as usize] / clipped.iter().sum::<f64>();
        }
        Guess { means, ln_p: p.max(1e-9).ln() }
    }))
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
