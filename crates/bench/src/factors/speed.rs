//! Sweeps of a table as wide as the speeches of Sun (2016), §4.4.2, and of one whose counts are around a million.

use std::time::Instant;

use chain::{Kernel, Stream, Sweep, Threads, Workers};
use factors::{Data, FactorModel, Kind, Shape, simulate};
use num::dist::normal;

use crate::cpu;

const ROWS: usize = 534;
const COUNTS: usize = 8467;

/// Prints the times of sweeps: at K = 10 with the sparse prior, and with large counts.
pub(crate) fn run(threads: usize, sweeps: u64) -> anyhow::Result<()> {
    let workers = Workers::new(Threads::from_count(threads))?;
    let data = speeches()?;
    let counts = data.columns().iter().filter_map(|column| match &column.cells {
        factors::Cells::Counts(counts) => Some(counts.positive.len()),
        _ => None,
    });
    let share = 100.0 * counts.sum::<usize>() as f64 / (ROWS * COUNTS) as f64;
    println!("{} x {} cells, {share:.1} % of counts not 0", ROWS, data.columns().len());
    time(
        &data,
        factors::Options { n_factors: 10, sparse: true, ..factors::Options::default() },
        sweeps,
        &workers,
    )?;
    for h in [2.0, 1e4] {
        let data = large(h)?;
        println!("{} x {} counts around a million, h = {h}", data.n_rows(), data.columns().len());
        time(&data, factors::Options { n_factors: 1, ..factors::Options::default() }, 10 * sweeps, &workers)?;
    }
    Ok(())
}

fn time(data: &Data, settings: factors::Options, sweeps: u64, workers: &Workers) -> anyhow::Result<()> {
    let (k, sparse) = (settings.n_factors, if settings.sparse { ", sparse" } else { "" });
    let model = FactorModel::new(data, settings)?;
    let mut state = model.start(&Sweep::new(1, 0, 0, workers))?;
    let mut walls = Vec::new();
    let (done, cpu) = cpu::seconds(|| {
        (1..=sweeps).try_for_each(|sweep| {
            let now = Instant::now();
            model.sweep(&mut state, &Sweep::new(1, 0, sweep, workers))?;
            walls.push(now.elapsed().as_secs_f64());
            Ok::<(), factors::Error>(())
        })
    });
    done?;
    let cpu = cpu / sweeps as f64;
    walls.sort_by(f64::total_cmp);
    let zeros = state.columns.iter().flat_map(|c| &c.weights).filter(|b| **b == 0.0).count();
    println!(
        "K = {k}{sparse}, {} threads: median {:.4} s per sweep (least {:.4}, most {:.4}), {cpu:.4} s of CPU; {zeros} loadings are 0 at the end",
        workers.n_threads(),
        walls[walls.len() / 2],
        walls[0],
        walls[walls.len() - 1],
    );
    Ok(())
}

/// Three columns of a hundred counts with a mean of a million, of negative binomials with this h.
fn large(h: f64) -> anyhow::Result<Data> {
    let kinds = [Kind::Count; 3];
    let mut rng = Stream::new(9).rng();
    let mut truth = simulate::standard(&kinds, 100, 1, &mut rng);
    for column in &mut truth.columns {
        column.weights[0] = (1e6 / h).ln();
        column.weights[1] *= 0.1;
        column.shape = Shape::Dispersion { h, rate: 1.0 };
    }
    Ok(simulate::draw_data(
        &kinds,
        &mut truth,
        &factors::Options { n_factors: 1, ..factors::Options::default() },
        &mut rng,
    )?)
}

/// Counts of which 3 % are not 0, four binary columns and a continuous one, with three loadings in ten not 0.
fn speeches() -> anyhow::Result<Data> {
    let mut kinds = vec![Kind::Count; COUNTS];
    kinds.extend([Kind::Binary; 4]);
    kinds.push(Kind::Continuous);
    let mut rng = Stream::new(9).rng();
    let mut truth = simulate::standard(&kinds, ROWS, 10, &mut rng);
    for (column, kind) in truth.columns.iter_mut().zip(&kinds) {
        if *kind == Kind::Count {
            column.weights[0] = -4.2 + normal(&mut rng);
        }
        for loading in &mut column.weights[1..] {
            *loading *= if rng.bernoulli(0.3) { 0.5 } else { 0.0 };
        }
    }
    let settings = factors::Options { n_factors: 10, ..factors::Options::default() };
    Ok(simulate::draw_data(&kinds, &mut truth, &settings, &mut rng)?)
}
