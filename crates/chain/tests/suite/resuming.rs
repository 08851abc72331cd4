//! A resumed run equals the straight run.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use chain::observe::{Checkpoints, Each, Every, Fan, StopFlag, Tally, Trace};
use chain::{Checkpoint, Error, Progress, RunError, Schedule, Start, Stop, Workers, container, sample};

use crate::bits::workers;
use crate::toy::{NormalGibbs, Positions, Swarm};

const SCHEDULE: Schedule = Schedule { burn_in: 4, samples: 4, thin: 2, seed: 11, chains: 2 };

/// Runs until `stop_after`, with a trace and a tally; returns them with the checkpoint.
fn run(
    start: Start<Positions>,
    stop_after: u64,
    workers: &Workers,
) -> (Checkpoint<Positions>, String, Vec<f64>, Option<Stop>) {
    let mut trace = Trace::new("trace", &["centre"], |state: &Positions| vec![state.centre]);
    let mut tally = Tally::new("tally", |state: &Positions, out: &mut Vec<f64>| out.extend(&state.items));
    let mut stop = Each(|at: &Progress, _: &Positions| {
        let stop = at.sweep == stop_after && at.sweep < at.total;
        Ok(if stop { ControlFlow::Break(Stop::Because("enough".into())) } else { ControlFlow::Continue(()) })
    });
    let mut fan = Fan::new().with(&mut trace).with(&mut tally).with(&mut stop);
    let outcome = sample::run(&Swarm { n_items: 60 }, &SCHEDULE, start, &mut fan, workers).unwrap();
    let mut table = Vec::new();
    trace.write_tsv(&mut table).unwrap();
    (outcome.checkpoint, String::from_utf8(table).unwrap(), tally.mean(), outcome.stop)
}

#[test]
fn resumed_run_equals_straight_run() {
    // 5 + 7 sweeps on 8 threads == 12 on 1, observers included.
    let straight = run(Start::Fresh, 12, &workers(1));
    let (half, _, _, stop) = run(Start::Fresh, 5, &workers(8));
    assert_eq!((half.sweep, stop), (5, Some(Stop::Because("enough".into()))));
    assert_eq!(run(Start::From(half), 12, &workers(8)), straight);
}

#[test]
fn a_run_stopped_after_every_sweep_equals_the_straight_run() {
    let straight = run(Start::Fresh, 12, &Workers::serial());
    let mut part = run(Start::Fresh, 1, &Workers::serial());
    for sweep in 2..=12 {
        part = run(Start::From(part.0), sweep, &workers(1 + sweep as usize % 3));
    }
    assert_eq!(part, straight);
}

#[test]
fn a_finished_run_can_be_made_longer() {
    let longer = Schedule { samples: 9, ..SCHEDULE };
    let kernel = Swarm { n_items: 10 };
    let go = |schedule, start| {
        sample::run(&kernel, schedule, start, &mut (), &Workers::serial()).unwrap().checkpoint
    };
    let straight = go(&longer, Start::Fresh);
    assert_eq!(go(&longer, Start::From(go(&SCHEDULE, Start::Fresh))), straight);
}

#[test]
fn a_flag_stops_the_run_and_leaves_a_usable_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.ckpt");
    let kernel = Swarm { n_items: 10 };
    let flag = Arc::new(AtomicBool::new(false));
    let mut stop = StopFlag(flag.clone());
    // The handler of Ctrl-C, played by an observer, comes in the middle of the round of sweep 7.
    let mut interrupt = Each(|at: &Progress, _: &Positions| {
        flag.store(at.sweep == 7 && at.chain == 0, Ordering::Relaxed);
        Ok(ControlFlow::Continue(()))
    });
    let mut save = Checkpoints::new(&path, Every::Sweeps(1000));
    let mut fan = Fan::new().with(&mut interrupt).with(&mut stop).with(&mut save);
    let outcome = sample::run(&kernel, &SCHEDULE, Start::Fresh, &mut fan, &Workers::serial()).unwrap();
    assert_eq!((outcome.stop, outcome.checkpoint.sweep), (Some(Stop::Interrupted), 7));
    let saved = Checkpoint::read::<Swarm>(&path).unwrap();
    assert_eq!(saved, outcome.checkpoint);
    let go = |start| sample::run(&kernel, &SCHEDULE, start, &mut (), &Workers::serial()).unwrap().checkpoint;
    assert_eq!(go(Start::From(saved)), go(Start::Fresh));
}

fn refusal(schedule: Schedule, n_items: usize) -> &'static str {
    let checkpoint = run(Start::Fresh, 5, &Workers::serial()).0;
    let start = Start::From(checkpoint);
    match sample::run(&Swarm { n_items }, &schedule, start, &mut (), &Workers::serial()) {
        Err(RunError::Setup(Error::OtherRun { what, .. })) => what,
        other => panic!("not refused: {:?}", other.map(|outcome| outcome.checkpoint.sweep)),
    }
}

#[test]
fn a_checkpoint_of_another_run_is_refused() {
    assert_eq!(refusal(Schedule { seed: 12, ..SCHEDULE }, 60), "seed");
    assert_eq!(refusal(Schedule { chains: 3, ..SCHEDULE }, 60), "number of chains");
    assert_eq!(refusal(Schedule { burn_in: 5, ..SCHEDULE }, 60), "burn-in");
    assert_eq!(refusal(Schedule { thin: 1, ..SCHEDULE }, 60), "thinning");
    assert_eq!(refusal(Schedule { samples: 0, ..SCHEDULE }, 60), "sweeps beyond the schedule:");
    assert_eq!(refusal(SCHEDULE, 61), "data or settings of checksum");
}

#[test]
fn an_observer_that_missed_the_beginning_is_refused() {
    let half = run(Start::Fresh, 5, &Workers::serial()).0;
    let mut late = Trace::new("late", &[], |_: &Positions| vec![]);
    let again =
        sample::run(&Swarm { n_items: 60 }, &SCHEDULE, Start::From(half), &mut late, &Workers::serial());
    let message = again.unwrap_err().to_string();
    assert!(message.contains("no `late`") && message.contains("start afresh"), "{message}");
}

#[test]
fn a_resumed_trace_finds_its_columns_by_their_names() {
    let go = |start, columns: &'static [&'static str], samples| {
        let read = |state: &Positions| {
            let value = |name: &&str| if *name == "centre" { state.centre } else { -state.centre };
            columns.iter().map(value).collect()
        };
        let mut trace = Trace::new("trace", columns, read);
        let schedule = Schedule { samples, ..SCHEDULE };
        let kernel = Swarm { n_items: 3 };
        let outcome = sample::run(&kernel, &schedule, start, &mut trace, &Workers::serial()).unwrap();
        let series = ["centre", "mirrored"].map(|column| trace.all(column).concat());
        (outcome.checkpoint, series)
    };
    let straight = go(Start::Fresh, &["centre"], 4).1;
    let half = go(Start::Fresh, &["mirrored", "centre"], 1).0;
    let dropped = go(Start::From(half.clone()), &["centre"], 4).1;
    assert_eq!(dropped, straight);
    let [centre, mirrored] = go(Start::From(half), &["centre", "mirrored"], 4).1;
    assert_eq!(centre, straight[0]);
    assert!(centre.iter().zip(&mirrored).all(|(value, other)| *value == -other));
    let half = go(Start::Fresh, &["centre"], 1).0;
    let [centre, late] = go(Start::From(half), &["mirrored", "centre"], 4).1;
    assert_eq!(centre, straight[0]);
    // Six sweeps of each of two chains came before the column.
    assert_eq!(late.iter().filter(|value| value.is_nan()).count(), 12);
}

#[test]
fn two_observers_of_one_name_are_refused() {
    let mut one = Trace::new("same", &[], |_: &Positions| vec![]);
    let mut two = Trace::new("same", &[], |_: &Positions| vec![]);
    let mut fan = Fan::new().with(&mut one).with(&mut two);
    let ran = sample::run(&Swarm { n_items: 2 }, &SCHEDULE, Start::Fresh, &mut fan, &Workers::serial());
    assert!(ran.unwrap_err().to_string().contains("two observers are named `same`"));
}

#[test]
fn checkpoints_of_another_kernel_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("swarm.ckpt");
    let checkpoint = run(Start::Fresh, 5, &Workers::serial()).0;
    checkpoint.write::<Swarm>(&path).unwrap();
    assert_eq!(Checkpoint::read::<Swarm>(&path).unwrap(), checkpoint);
    let refused = Checkpoint::read::<NormalGibbs>(&path).unwrap_err().to_string();
    assert!(
        refused.contains("`checkpoint/toy-swarm` where `checkpoint/toy-normal` was expected"),
        "{refused}"
    );
    assert_eq!(container::read_header(&std::fs::read(&path).unwrap()).unwrap().notes["sweep"], "5");
}
