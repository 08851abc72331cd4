use std::convert::Infallible;
use std::ops::ControlFlow;
use std::sync::Mutex;

use super::*;
use crate::observe::{Each, Progress, Stop};

fn descent(epochs: usize) -> Descent {
    Descent { epochs, batch: 2, rate: 0.1, l2: 0.0, l1: 0.0 }
}

/// Three examples, the gradient of each in a weight of its own.
struct Three {
    n_weights: usize,
}

impl Examples<Vec<f32>> for Three {
    type Scratch = ();
    type Error = Infallible;

    fn start(&self) -> Vec<f32> {
        vec![0.0; self.n_weights]
    }

    fn n_weights(&self) -> usize {
        self.n_weights
    }

    fn n_examples(&self) -> usize {
        3
    }

    fn scratch(&self) {}

    fn gradient(&self, i: usize, _: &Vec<f32>, (): &mut ()) -> Result<Option<Gradient>, Infallible> {
        Ok(Some(Gradient { loss: 1.0 + i as f64, entries: vec![(i as u32, -1.0)] }))
    }
}

fn loss<'a, X: Examples<Vec<f32>>>(examples: &'a X, method: &'a Descent) -> Loss<'a, Vec<f32>, Descent, X> {
    Loss::new(examples, method, Stream::new(1))
}

const THREE: Three = Three { n_weights: 4 };

/// The weights after each epoch, and those of the end.
fn walk(epochs: usize) -> (Vec<Vec<f32>>, Vec<f32>) {
    let method = descent(epochs);
    let mut seen = Vec::new();
    let mut watch = Each(|_: &Progress, state: &State<Vec<f32>, Descent>| {
        assert_eq!(state.history.last(), Some(&-6.0));
        seen.push(state.params.weights.clone());
        Ok(ControlFlow::Continue(()))
    });
    let done = loss(&THREE, &method).descend(Start::Fresh, &mut watch, &Workers::serial()).unwrap();
    (seen, done.fitted().params.mean().unwrap())
}

#[test]
fn the_mean_is_that_of_the_second_half_of_the_epochs() {
    for epochs in 1..=6 {
        let (seen, means) = walk(epochs);
        assert_eq!(seen.len(), epochs);
        let counted = &seen[epochs / 2..];
        for (at, mean) in means.iter().enumerate() {
            let expected = counted.iter().map(|values| values[at]).sum::<f32>() / counted.len() as f32;
            assert!((mean - expected).abs() < 1e-6, "{epochs} epochs: {mean} {expected}");
        }
    }
}

/// Examples of which nothing is learned but the order in which they come.
struct Listening(Mutex<Vec<usize>>);

impl Examples<Vec<f32>> for Listening {
    type Scratch = ();
    type Error = Infallible;

    fn start(&self) -> Vec<f32> {
        vec![0.0; 32]
    }

    fn n_weights(&self) -> usize {
        32
    }

    fn n_examples(&self) -> usize {
        20
    }

    fn scratch(&self) {}

    fn gradient(&self, i: usize, _: &Vec<f32>, (): &mut ()) -> Result<Option<Gradient>, Infallible> {
        self.0.lock().unwrap().push(i);
        Ok(None)
    }
}

#[test]
fn every_epoch_has_an_order_of_its_own() {
    let (heard, method) = (Listening(Mutex::default()), descent(2));
    loss(&heard, &method).descend(Start::Fresh, &mut (), &Workers::serial()).unwrap();
    let seen = heard.0.into_inner().unwrap();
    let (one, two) = seen.split_at(20);
    assert_ne!(one, two);
    for order in [one, two] {
        let mut sorted = order.to_vec();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..20).collect::<Vec<_>>());
    }
    let mut expected: Vec<usize> = (0..20).collect();
    Stream::new(1).item(1).rng().shuffle(&mut expected);
    assert_eq!(two, expected, "models that are there already were learned in this order");
}

#[test]
fn a_descent_that_was_stopped_goes_on_as_if_it_had_not_been() {
    let (method, workers) = (descent(5), Workers::serial());
    let loss = loss(&THREE, &method);
    let straight = loss.descend(Start::Fresh, &mut (), &workers).unwrap().into_fitted();
    for after in 1..5 {
        let mut stop = Each(|at: &Progress, _: &State<Vec<f32>, Descent>| {
            let ends = at.sweep == after;
            Ok(if ends { ControlFlow::Break(Stop::Interrupted) } else { ControlFlow::Continue(()) })
        });
        let half = loss.descend(Start::Fresh, &mut stop, &workers).unwrap();
        assert_eq!(half.fitted().params.done() as u64, after);
        // By way of a file: what steps remember must be in it.
        let bytes = half.checkpoint.encode("descent", 1).unwrap();
        let (_, saved) = crate::container::decode(&bytes, "checkpoint/descent", 1).unwrap();
        let from_file = loss.descend(Start::From(saved), &mut (), &workers).unwrap().into_fitted();
        let from_state = loss.resume(half.into_fitted()).unwrap();
        let from_state = loss.descend(from_state, &mut (), &workers).unwrap().into_fitted();
        for resumed in [from_file, from_state] {
            assert_eq!(resumed.params.weights, straight.params.weights, "after {after}");
            assert_eq!(resumed.params.mean(), straight.params.mean(), "after {after}");
            assert_eq!(resumed.history, straight.history);
        }
    }
}

#[test]
fn weights_of_another_number_and_runs_of_other_settings_are_not_taken_up() {
    let (method, more, workers) = (descent(5), Three { n_weights: 8 }, Workers::serial());
    let done = loss(&THREE, &method).descend(Start::Fresh, &mut (), &workers).unwrap();
    assert!(loss(&more, &method).resume(done.fitted().clone()).is_none());
    for (method, examples) in [(method, &more), (Descent { rate: 0.2, ..method }, &THREE)] {
        let other = loss(examples, &method).descend(Start::From(done.checkpoint.clone()), &mut (), &workers);
        assert!(matches!(other, Err(RunError::Setup(crate::Error::OtherRun { .. }))));
    }
}
