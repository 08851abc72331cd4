//! Root mean squared errors of latent values, as in Table 4.1 of Sun (2016).

use std::time::Instant;

use chain::{Schedule, Start, Stream, Threads, Workers, sample};
use clap::Args;
use factors::{Dispersions, Draws, FactorModel, Identification, Posterior, Prior, simulate};

#[derive(Debug, Args)]
pub(crate) struct SimulatedTables {
    /// Simulated tables for each size
    #[arg(long, default_value_t = 20)]
    tables: u64,
    /// No constraint on the loadings instead of the triangle of the thesis
    #[arg(long)]
    free: bool,
    /// Standard deviation of true intercepts and loadings; the thesis does not tell it
    #[arg(long, default_value_t = 1.0)]
    spread: f64,
    /// Each column with a dispersion of its own, as in the thesis
    #[arg(long)]
    own: bool,
    /// Know the prior that the tables are drawn from, and that h = 1: nothing can be better on average
    #[arg(long)]
    oracle: bool,
    /// Sizes, as N/P/K; all by default
    #[arg(long, value_delimiter = ',')]
    sizes: Vec<String>,
    /// Sweeps in all; a quarter of them is thrown away and every fifth of the others kept
    #[arg(long, default_value_t = 2000)]
    sweeps: u32,
    /// Threads
    #[arg(long, default_value_t = 2)]
    threads: usize,
}

/// N, P, K and the figure of the thesis.
const CELLS: [(usize, usize, usize, f64); 12] = [
    (50, 15, 3, 0.92),
    (50, 60, 3, 0.57),
    (50, 150, 3, 0.45),
    (200, 15, 3, 0.82),
    (200, 60, 3, 0.35),
    (200, 150, 3, 0.27),
    (50, 15, 5, 1.04),
    (50, 60, 5, 0.74),
    (50, 150, 5, 0.67),
    (200, 15, 5, 0.67),
    (200, 60, 5, 0.64),
    (200, 150, 5, 0.59),
];

pub(crate) fn run(options: &SimulatedTables) -> anyhow::Result<()> {
    let workers = Workers::new(Threads::from_count(options.threads))?;
    println!(
        "Three factors fitted, {} sweeps, a quarter burn-in, every fifth kept; {} tables each; {}; weights from N(0, {}²); {}",
        options.sweeps,
        options.tables,
        if options.free { "no constraint" } else { "triangular loadings" },
        options.spread,
        match (options.oracle, options.own) {
            (true, _) => "the prior of the simulation is known",
            (_, true) => "dispersions of their own",
            _ => "pooled dispersions",
        }
    );
    println!(
        "{:<12} {:>6} {:>14} {:>8} {:>8} {:>8} {:>8}",
        "N/P/K", "thesis", "mean ± sd", "se", "median", "limit", "s"
    );
    let name = |n: usize, p: usize, k: usize| format!("{n}/{p}/{k}");
    if let Some(size) = options.sizes.iter().find(|size| !CELLS.iter().any(|c| name(c.0, c.1, c.2) == **size))
    {
        anyhow::bail!("--sizes {size}: not one of {}", CELLS.map(|c| name(c.0, c.1, c.2)).join(", "));
    }
    for (n, p, k, thesis) in CELLS {
        if !options.sizes.is_empty() && !options.sizes.contains(&name(n, p, k)) {
            continue;
        }
        let begun = Instant::now();
        let seeds: Vec<u64> = (0..options.tables).collect();
        let serial = Workers::serial();
        let errors = workers.map(&seeds, |_, &seed| error(n, p, k, seed, options, &serial));
        let mut errors: Vec<f64> = errors.into_iter().collect::<anyhow::Result<_>>()?;
        let count = errors.len() as f64;
        let mean = errors.iter().sum::<f64>() / count;
        let sd = (errors.iter().map(|e| (e - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0)).sqrt();
        let se = sd / count.sqrt();
        errors.sort_by(f64::total_cmp);
        println!(
            "{:<12} {thesis:>6.2} {:>14} {se:>8.3} {:>8.3} {:>8} {:>8.1}",
            name(n, p, k),
            format!("{mean:.3} ± {sd:.3}"),
            errors[errors.len() / 2],
            if mean <= thesis + 2.0 * se { "ok" } else { "above" },
            begun.elapsed().as_secs_f64(),
        );
    }
    Ok(())
}

/// The prior of the simulation: weights from N(0, spread²), h within three percent of 1.
fn oracle(spread: f64) -> Prior {
    let variance = spread * spread;
    Prior {
        dispersion_shape: 1e3,
        rate_shape: 1e6,
        rate_rate: 1e3,
        intercept_scale: variance,
        loading_shape: 1e4,
        loading_scale: variance,
        ..Prior::default()
    }
}

/// √(Σ (z − ẑ)² / NP) of one simulated table.
fn error(
    n: usize,
    p: usize,
    k: usize,
    seed: u64,
    options: &SimulatedTables,
    workers: &Workers,
) -> anyhow::Result<f64> {
    let simulation =
        simulate::thesis(n, p, k, options.spread, &mut Stream::new(seed).purpose("table").rng())?;
    let identification = if options.free { Identification::Free } else { Identification::Triangular };
    let dispersions = if options.own || options.oracle { Dispersions::Own } else { Dispersions::Pooled };
    let prior = if options.oracle { oracle(options.spread) } else { Prior::default() };
    let settings =
        factors::Options { n_factors: 3, identification, dispersions, prior, ..factors::Options::default() };
    let model = FactorModel::new(&simulation.data, settings.clone())?;
    let burn_in = options.sweeps / 4;
    let schedule = Schedule { burn_in, samples: (options.sweeps - burn_in) / 5, thin: 5, seed, chains: 1 };
    let mut draws = Draws::default();
    sample::run(&model, &schedule, Start::Fresh, &mut draws, workers)?;
    let posterior = Posterior::new(&simulation.data, settings, draws.into_chains());
    let means = posterior.latent_means(workers);
    let mut latent = Vec::new();
    let mut squares = 0.0;
    for row in 0..n {
        for column in 0..p {
            simulation.truth.latent_into(row, column, &mut latent);
            squares += (latent[0] - means[row * p + column]).powi(2);
        }
    }
    Ok((squares / (n * p) as f64).sqrt())
}
