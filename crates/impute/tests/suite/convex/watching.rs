//! Who watches training, and stops it.

use std::ops::ControlFlow;

use chain::Workers;
use impute::convex::{self, ConvexOptions, Step, Trained};
use tree::Reading;

use super::{fragments, quick};

fn fitting() -> ConvexOptions {
    ConvexOptions { temperature: None, ..quick() }
}

/// What was told, and what training left.
fn watched(options: &ConvexOptions, stop_at: Option<usize>) -> (Vec<Step>, Option<Trained>) {
    let fragments = fragments(90, 13, &Reading::default());
    let mut told = Vec::new();
    let trained = convex::train_watched(&fragments, options, &Workers::serial(), &mut |step| {
        told.push(step);
        if stop_at == Some(told.len()) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    (told, trained)
}

#[test]
fn every_step_of_all_trainings_is_told() {
    // One training if the temperature is given, and three more to fit it.
    for (options, n_trainings) in [(quick(), 1), (fitting(), 4)] {
        let (told, trained) = watched(&options, None);
        let total = n_trainings * options.max_iterations;
        assert!(told.iter().all(|step| step.total == total));
        assert!(told.windows(2).all(|pair| pair[0].done <= pair[1].done), "{told:?}");
        assert_eq!((told[0].done, told.last().unwrap().done), (0, total));
        let mut progress: Vec<_> = told.iter().filter_map(|step| step.last).collect();
        progress.dedup();
        assert_eq!(progress.len(), total, "no training ends early here");
        let last = trained.unwrap().progress;
        assert_eq!(progress[total - last.len()..], last);
    }
}

#[test]
fn a_training_that_ends_early_counts_as_done() {
    let options = ConvexOptions { gap: 1.0, ..fitting() };
    let (told, trained) = watched(&options, None);
    assert_eq!(trained.unwrap().progress.len(), 1);
    let done: std::collections::BTreeSet<usize> = told.iter().map(|step| step.done).collect();
    assert_eq!(done.into_iter().collect::<Vec<_>>(), [0, 1, 8, 9, 16, 17, 24, 25, 32]);
}

#[test]
fn watching_does_not_change_the_result() {
    let fragments = fragments(90, 13, &Reading::default());
    let alone = convex::train(&fragments, &fitting(), &Workers::serial());
    let watched = watched(&fitting(), None).1.unwrap();
    assert!(alone.model.weights().eq(watched.model.weights()));
    assert_eq!((alone.model.scalings, alone.progress), (watched.model.scalings, watched.progress));
}

#[test]
fn who_stops_is_not_asked_again_and_gets_nothing() {
    let n_told = watched(&fitting(), None).0.len();
    for stop_at in [1, 2, 3, n_told / 3, n_told / 2, n_told - 1, n_told] {
        let (told, trained) = watched(&fitting(), Some(stop_at));
        assert!(trained.is_none() && told.len() == stop_at, "{stop_at} of {n_told}");
    }
}

#[test]
fn who_stops_need_not_wait_for_the_end_of_a_step() {
    let (told, _) = watched(&quick(), None);
    for done in 0..8 {
        let n_asked = told.iter().filter(|step| step.done == done).count();
        assert!(n_asked > 3, "{n_asked} questions before step {}", done + 1);
    }
}
