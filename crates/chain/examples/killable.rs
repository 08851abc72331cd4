//! A chain that may be killed at any time.
//!
//! `killable FILE SWEEPS THREADS` samples with a checkpoint in FILE every few sweeps, going on from FILE
//! if it is there, and prints a checksum of the final states and of the averages over all samples. Kill it
//! (also with `kill -9`), start it again, as often as you like: the last line stays the same.

use std::convert::Infallible;
use std::error::Error;
use std::path::PathBuf;

use chain::container::crc64;
use chain::observe::{Checkpoints, Every, Fan, Tally};
use chain::{Checkpoint, Kernel, Schedule, Start, Sweep, Threads, Workers, sample};
use num::dist;

/// Points that are drawn towards their common centre.
struct Swarm;

impl Kernel for Swarm {
    type State = Vec<f64>;
    type Error = Infallible;
    const KIND: &'static str = "killable";

    fn start(&self, sweep: &Sweep<'_>) -> Result<Vec<f64>, Infallible> {
        Ok(sweep.map(&[(); 2000], |_, _, rng| dist::normal(rng)))
    }

    fn sweep(&self, points: &mut Vec<f64>, sweep: &Sweep<'_>) -> Result<(), Infallible> {
        let now = &*points;
        let centre = sweep.fold(now.len(), 64, || 0.0, |sum, i, _| *sum += now[i], |a, b| *a += b);
        let centre = centre / points.len() as f64;
        sweep.map_mut(points, |_, x, rng| *x = 0.9 * *x + 0.1 * centre + dist::normal(rng));
        Ok(())
    }
}

#[allow(clippy::print_stdout, reason = "a program may print")]
fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let mut next = || args.next().ok_or("usage: killable FILE SWEEPS THREADS");
    let (file, sweeps, threads) = (PathBuf::from(next()?), next()?.parse()?, next()?.parse()?);
    let schedule = Schedule { burn_in: 10, samples: sweeps, thin: 1, seed: 99, chains: 2 };
    let start = if file.exists() { Start::From(Checkpoint::read::<Swarm>(&file)?) } else { Start::Fresh };
    let mut tally = Tally::new("mean", |points: &Vec<f64>, out: &mut Vec<f64>| out.extend(points));
    let mut save = Checkpoints::new(&file, Every::Sweeps(10));
    let mut observers = Fan::new().with(&mut tally).with(&mut save);
    let outcome =
        sample::run(&Swarm, &schedule, start, &mut observers, &Workers::new(Threads::from_count(threads))?)?;
    let numbers = outcome.checkpoint.states.concat().into_iter().chain(tally.mean());
    let bytes: Vec<u8> = numbers.flat_map(f64::to_le_bytes).collect();
    println!("{:016x}", crc64(&bytes));
    Ok(())
}
