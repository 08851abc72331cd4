//! Observers, and what goes wrong in and around kernels.

use std::ops::ControlFlow;
use std::time::Duration;

use chain::observe::{Checkpoints, Each, Every, Fan, Tally, Trace};
use chain::{Kernel, Phase, Progress, RunError, Schedule, Start, Sweep, Workers, sample};

use crate::toy::{NormalGibbs, State};

/// Counts its own sweeps and gives up when told to.
struct Counter {
    until: u64,
}

#[derive(Debug, thiserror::Error)]
#[error("no further than {0}")]
struct Tired(u64);

impl Kernel for Counter {
    type State = u64;
    type Error = Tired;
    const KIND: &'static str = "counter";

    fn start(&self, _: &Sweep<'_>) -> Result<u64, Tired> {
        Ok(0)
    }

    fn sweep(&self, state: &mut u64, sweep: &Sweep<'_>) -> Result<(), Tired> {
        *state += 1 + u64::from(sweep.chain());
        if sweep.number() > self.until && sweep.chain() > 0 { Err(Tired(self.until)) } else { Ok(()) }
    }
}

const SCHEDULE: Schedule = Schedule { burn_in: 2, samples: 2, thin: 2, seed: 0, chains: 2 };

#[test]
fn trace_and_tally_keep_what_the_schedule_keeps() {
    let mut trace = Trace::new("trace", &["n"], |&n: &u64| vec![n as f64]);
    let mut tally = Tally::new("tally", |&n: &u64, out: &mut Vec<f64>| out.extend([n as f64, 1.0]));
    let mut fan = Fan::new().with(&mut trace).with(&mut tally);
    sample::run(&Counter { until: 99 }, &SCHEDULE, Start::Fresh, &mut fan, &Workers::serial()).unwrap();
    assert_eq!(trace.kept("n"), [[4.0, 6.0], [8.0, 12.0]]);
    assert_eq!(trace.all("n")[0], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    assert!(trace.all("m").is_empty());
    assert_eq!((tally.mean(), tally.n_samples()), (vec![7.5, 1.0], 4));
    assert_eq!(tally.chain_means(), [[5.0, 1.0], [10.0, 1.0]]);
    let mut table = Vec::new();
    trace.write_csv(&mut table).unwrap();
    let table = String::from_utf8(table).unwrap();
    assert!(table.starts_with("chain,sweep,kept,log_joint,n\n0,1,0,NaN,1\n1,1,0,NaN,2\n"), "{table}");
}

#[test]
fn progress_says_where_the_run_stands() {
    let mut seen = Vec::new();
    let mut watch = Each(|at: &Progress, state: &State| {
        assert!(at.log_joint.unwrap().is_finite() && state.variance > 0.0);
        seen.push((at.sweep, at.chain, at.phase, at.kept, at.total));
        Ok(ControlFlow::Continue(()))
    });
    let kernel = NormalGibbs::new(&[1.0, 2.0]);
    let schedule = Schedule { burn_in: 1, samples: 1, thin: 1, ..SCHEDULE };
    sample::run(&kernel, &schedule, Start::Fresh, &mut watch, &Workers::serial()).unwrap();
    let expected = [
        (1, 0, Phase::BurnIn, false, 2),
        (1, 1, Phase::BurnIn, false, 2),
        (2, 0, Phase::Sampling, true, 2),
        (2, 1, Phase::Sampling, true, 2),
    ];
    assert_eq!(seen, expected);
}

#[test]
fn a_kernel_that_gives_up_is_reported_with_chain_and_sweep() {
    let ran = sample::run(&Counter { until: 3 }, &SCHEDULE, Start::Fresh, &mut (), &Workers::serial());
    match ran.unwrap_err() {
        RunError::Kernel { chain: 1, sweep: 4, source: Tired(3) } => (),
        other => panic!("{other}"),
    }
}

#[test]
fn checkpoints_are_written_as_often_as_asked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ckpt");
    let mut save = Checkpoints::new(&path, Every::Sweeps(2));
    let mut there = Vec::new();
    let mut look = Each(|at: &Progress, _: &u64| {
        let saved = std::fs::read(&path).ok().map(|bytes| chain::container::read_header(&bytes).unwrap());
        there.push((at.sweep, saved.map(|header| header.notes["sweep"].clone())));
        Ok(ControlFlow::Continue(()))
    });
    let schedule = Schedule { burn_in: 0, samples: 5, thin: 1, chains: 1, ..SCHEDULE };
    let mut fan = Fan::new().with(&mut look).with(&mut save);
    sample::run(&Counter { until: 9 }, &schedule, Start::Fresh, &mut fan, &Workers::serial()).unwrap();
    let at = |s: &str| Some(s.to_owned());
    assert_eq!(there, [(1, None), (2, None), (3, at("2")), (4, at("2")), (5, at("4"))]);
    assert_eq!(chain::Checkpoint::read::<Counter>(&path).unwrap().sweep, 5);
}

#[test]
fn a_checkpoint_that_cannot_be_written_ends_the_run_and_names_the_file() {
    let mut save = Checkpoints::new("/nowhere/at/all.ckpt", Every::Sweeps(1));
    let ran = sample::run(&Counter { until: 9 }, &SCHEDULE, Start::Fresh, &mut save, &Workers::serial());
    let message = ran.unwrap_err().to_string();
    assert!(message.contains("/nowhere/at/all.ckpt"), "{message}");
}

#[test]
fn checkpoints_by_the_clock_wait_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let go = |name: &str, every| {
        let path = folder.path().join(name);
        let mut save = Checkpoints::new(&path, Every::Time(every));
        // The file is looked at when it could have been written, before the last sweep writes it anyway.
        let mut early = false;
        let mut look = Each(|at: &Progress, _: &u64| {
            early |= at.sweep == 2 && path.exists();
            Ok(ControlFlow::Continue(()))
        });
        let mut fan = Fan::new().with(&mut look).with(&mut save);
        sample::run(&Counter { until: 9 }, &SCHEDULE, Start::Fresh, &mut fan, &Workers::serial()).unwrap();
        (early, path.exists())
    };
    assert_eq!(go("always", Duration::ZERO), (true, true));
    assert_eq!(go("tomorrow", Duration::from_secs(86_400)), (false, true));
}
