//! The driver: burn-in, thinning, chains, resuming and stopping.
//!
//! All chains advance together, one sweep at a time. So observers see the chains in a fixed order, one
//! checkpoint holds the whole run, and convergence can be judged while it goes on. The chains of a round
//! run in parallel, and within each of them the kernel may map over its items: both share one pool.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use crate::checkpoint::{Checkpoint, Start};
use crate::error::RunError;
use crate::kernel::Kernel;
use crate::observe::{Memory, Observer, Progress, Stop};
use crate::schedule::Schedule;
use crate::sweep::Sweep;
use crate::workers::Workers;

/// What a run leaves behind.
#[derive(Clone, Debug)]
pub struct Outcome<S> {
    /// The states of all chains after the last sweep, and what is needed to go on from there.
    pub checkpoint: Checkpoint<S>,
    /// Why the run ended before its schedule did, if so.
    pub stop: Option<Stop>,
    /// The time it took, without the time of the runs it resumed.
    pub elapsed: Duration,
}

/// Runs a kernel through a schedule, from the start or from a checkpoint.
///
/// Resuming gives bit for bit what the straight run gives, observers included, if the observers keep
/// their memory in the checkpoint (those of this crate do). `samples` may be larger than it was when the
/// checkpoint was made; seed, chains, burn-in, thinning and fingerprint must be the same.
pub fn run<K: Kernel>(
    kernel: &K,
    schedule: &Schedule,
    start: Start<K::State>,
    observer: &mut dyn Observer<K::State>,
    workers: &Workers,
) -> Result<Outcome<K::State>, RunError<K::Error>> {
    let begun = Instant::now();
    let mut run = begin(kernel, schedule, start, observer, workers)?;
    let clock = Clock { begun, first: run.sweep };
    let mut stop = None;
    while run.sweep < schedule.total() && stop.is_none() {
        let log_joints = advance(kernel, &mut run, workers)?;
        let sweep = run.sweep;
        let fail = |source| RunError::Observer { sweep, source };
        let mut at = clock.progress(&run);
        stop = show_round(&run, &log_joints, &mut at, observer).map_err(fail)?;
        let ending = stop.is_some() || sweep == schedule.total();
        if observer.wants_checkpoint(&at, ending) {
            remember(&mut run, observer).map_err(fail)?;
            observer.take_checkpoint(&run.encode(K::KIND, K::VERSION)?).map_err(fail)?;
        }
    }
    let sweep = run.sweep;
    remember(&mut run, observer).map_err(|source| RunError::Observer { sweep, source })?;
    Ok(Outcome { checkpoint: run, stop, elapsed: begun.elapsed() })
}

fn begin<K: Kernel>(
    kernel: &K,
    schedule: &Schedule,
    start: Start<K::State>,
    observer: &mut dyn Observer<K::State>,
    workers: &Workers,
) -> Result<Checkpoint<K::State>, RunError<K::Error>> {
    schedule.check()?;
    match start {
        Start::Fresh => fresh(kernel, schedule, workers),
        Start::From(mut checkpoint) => {
            checkpoint.check_run(schedule, kernel.fingerprint())?;
            checkpoint.schedule = schedule.clone();
            let sweep = checkpoint.sweep;
            observer.recall(&checkpoint.memory).map_err(|source| RunError::Observer { sweep, source })?;
            Ok(checkpoint)
        }
    }
}

fn fresh<K: Kernel>(
    kernel: &K,
    schedule: &Schedule,
    workers: &Workers,
) -> Result<Checkpoint<K::State>, RunError<K::Error>> {
    let chains: Vec<u32> = (0..schedule.chains).collect();
    let states = workers.try_map(&chains, |_, &chain| {
        let at = Sweep::new(schedule.seed, chain, 0, workers);
        kernel.start(&at).map_err(|source| RunError::Kernel { chain, sweep: 0, source })
    })?;
    Ok(Checkpoint {
        fingerprint: kernel.fingerprint(),
        schedule: schedule.clone(),
        sweep: 0,
        states,
        memory: Memory::default(),
    })
}

/// Moves every chain one sweep on and returns their log joint densities.
fn advance<K: Kernel>(
    kernel: &K,
    run: &mut Checkpoint<K::State>,
    workers: &Workers,
) -> Result<Vec<Option<f64>>, RunError<K::Error>> {
    run.sweep += 1;
    let (seed, sweep) = (run.schedule.seed, run.sweep);
    let swept = workers.map_mut(&mut run.states, |chain, state| {
        let chain = chain as u32;
        let at = Sweep::new(seed, chain, sweep, workers);
        kernel.sweep(state, &at).map_err(|source| RunError::Kernel { chain, sweep, source })?;
        Ok(kernel.log_joint(state))
    });
    swept.into_iter().collect()
}

/// Shows every chain to the observer; a wish to stop is granted after the round, so none is left out.
fn show_round<S>(
    run: &Checkpoint<S>,
    log_joints: &[Option<f64>],
    at: &mut Progress,
    observer: &mut dyn Observer<S>,
) -> std::io::Result<Option<Stop>> {
    let mut stop = None;
    for (chain, (state, &log_joint)) in run.states.iter().zip(log_joints).enumerate() {
        (at.chain, at.log_joint) = (chain as u32, log_joint);
        if let ControlFlow::Break(wish) = observer.after_sweep(at, state)? {
            stop.get_or_insert(wish);
        }
    }
    Ok(stop)
}

fn remember<S>(run: &mut Checkpoint<S>, observer: &dyn Observer<S>) -> std::io::Result<()> {
    run.memory = Memory::default();
    observer.remember(&mut run.memory)
}

struct Clock {
    begun: Instant,
    first: u64,
}

impl Clock {
    fn progress<S>(&self, run: &Checkpoint<S>) -> Progress {
        let (schedule, sweep) = (&run.schedule, run.sweep);
        let elapsed = self.begun.elapsed();
        let (done, left) = (sweep - self.first, schedule.total().saturating_sub(sweep));
        Progress {
            chain: 0,
            chains: schedule.chains,
            sweep,
            total: schedule.total(),
            phase: schedule.phase(sweep),
            kept: schedule.keeps(sweep),
            elapsed,
            eta: elapsed.mul_f64(left as f64 / done.max(1) as f64),
            log_joint: None,
        }
    }
}
