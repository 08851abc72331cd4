//! Steps along gradients, by the same driver.

use std::convert::Infallible;
use std::ops::ControlFlow;

use chain::descent::{Course, Examples, Gradient, Learning, Loss, Pulls, Rule, State, Weights};
use chain::observe::{Checkpoints, Each, Every, Fan, Trace};
use chain::{Progress, Start, Stop, Stream, Workers, fit};

use crate::bits::workers;

/// Logistic regression: one weight for each of three features of 24 examples.
struct Logistic;

impl Examples<Weights> for Logistic {
    type Scratch = ();
    type Error = Infallible;

    fn start(&self) -> Weights {
        Weights::zero(3)
    }

    fn n_weights(&self) -> usize {
        3
    }

    fn n_examples(&self) -> usize {
        24
    }

    fn scratch(&self) {}

    fn gradient(&self, i: usize, weights: &Weights, (): &mut ()) -> Result<Option<Gradient>, Infallible> {
        Ok(Some(gradient(i, weights)))
    }
}

fn gradient(i: usize, weights: &Weights) -> Gradient {
    let features: Vec<u32> = (0..3).filter(|at| i >> at & 1 == 1).collect();
    let is_true = i % 5 < 2;
    let score: f64 = features.iter().map(|&at| weights.get(at as usize)).sum();
    let p = 1.0 / (1.0 + (-score).exp());
    let derivative = p - f64::from(u8::from(is_true));
    let loss = -if is_true { p.ln() } else { (1.0 - p).ln() };
    Gradient { loss, entries: features.iter().map(|&at| (at, derivative as f32)).collect() }
}

fn learning(rule: Rule, epochs: usize) -> Learning {
    Learning { rule, epochs, rate: 0.1, l2: 1.0, batch: 4, average: true }
}

fn loss(learning: &Learning) -> Loss<'_, Weights, Learning, Logistic> {
    Loss::new(&Logistic, learning, Stream::new(3))
}

fn straight(learning: &Learning, workers: &Workers) -> Course<Weights, Pulls> {
    loss(learning).descend(Start::Fresh, &mut (), workers).unwrap().into_fitted().params
}

#[test]
fn both_rules_come_to_where_the_gradient_of_the_penalised_likelihood_is_nothing() {
    for (rule, rate) in [(Rule::Sgd, 0.01), (Rule::AdaGrad, 0.05)] {
        let learning = Learning { rate, batch: 24, epochs: 4000, average: false, ..learning(rule, 4000) };
        let weights = straight(&learning, &Workers::serial()).finish();
        let mut sums: Vec<f64> = (0..3).map(|at| weights.get(at)).collect();
        for i in 0..24 {
            gradient(i, &weights).entries.iter().for_each(|&(at, d)| sums[at as usize] += f64::from(d));
        }
        assert!(sums.iter().all(|sum| sum.abs() < 1e-3), "{rule:?} {sums:?}");
    }
}

#[test]
fn threads_and_checkpoints_leave_no_trace() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("half");
    for rule in [Rule::Sgd, Rule::AdaGrad] {
        let learning = learning(rule, 6);
        let expected = straight(&learning, &Workers::serial());
        let mut stop = Each(|at: &Progress, _: &State<Weights, Learning>| {
            Ok(if at.sweep == 3 { ControlFlow::Break(Stop::Interrupted) } else { ControlFlow::Continue(()) })
        });
        let mut saving = Checkpoints::new(&path, Every::Sweeps(100));
        let mut observer = Fan::new().with(&mut stop).with(&mut saving);
        loss(&learning).descend(Start::Fresh, &mut observer, &workers(2)).unwrap();
        let saved = fit::read_checkpoint::<Loss<'_, Weights, Learning, Logistic>>(&path).unwrap();
        assert_eq!(saved.sweep, 3);
        let resumed = loss(&learning).descend(Start::From(saved), &mut (), &workers(3)).unwrap();
        assert_eq!(resumed.fitted().params, expected);
        assert_eq!(resumed.fitted().params.finish(), expected.finish());
    }
}

#[test]
fn whoever_watches_sees_the_loss_of_every_epoch() {
    let learning = learning(Rule::AdaGrad, 5);
    let mut trace =
        Trace::new("descent", &["done"], |state: &State<Weights, Learning>| vec![state.params.done() as f64]);
    let done = loss(&learning).descend(Start::Fresh, &mut trace, &Workers::serial()).unwrap();
    assert_eq!(trace.all("done"), [[1.0, 2.0, 3.0, 4.0, 5.0]]);
    assert_eq!(trace.all("log_joint")[0], done.fitted().history);
    let history = &done.fitted().history;
    assert!(history.windows(2).all(|pair| pair[1] > pair[0]), "{history:?}");
}
