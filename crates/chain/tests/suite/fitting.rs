//! EM by the same driver.

use std::convert::Infallible;
use std::ops::ControlFlow;

use chain::fit::{FitError, Fitted, fit};
use chain::observe::Each;
use chain::{Fit, FitOptions, Objective, Progress, Rng, RunError, Start, Stop, Stream, Sweep, Workers};
use num::dist;

use crate::bits::workers;

/// A mixture of two normals of variance 1: EM for the weight and the two means.
struct Mixture {
    xs: Vec<f64>,
}

type Params = (f64, [f64; 2]);

impl Mixture {
    fn new(n: usize) -> Mixture {
        let draw = |i| {
            let mut rng = Stream::new(1).item(i).rng();
            (if rng.bernoulli(0.3) { -2.0 } else { 2.0 }) + dist::normal(&mut rng)
        };
        Mixture { xs: (0..n).map(draw).collect() }
    }
}

impl Objective for Mixture {
    type Params = Params;
    type Counts = [[f64; 2]; 2];
    type Scratch = ();
    type Error = Infallible;
    const KIND: &'static str = "mixture";

    fn start(&self, sweep: &Sweep<'_>) -> Result<Params, Infallible> {
        Ok((0.5, [-0.5, 0.5 + sweep.rng_for("start").uniform()]))
    }

    fn n_items(&self) -> usize {
        self.xs.len()
    }

    fn no_counts(&self) -> [[f64; 2]; 2] {
        [[0.0; 2]; 2]
    }

    fn scratch(&self) {}

    fn expect(
        &self,
        (weight, means): &Params,
        item: usize,
        _: &mut Rng,
        (): &mut (),
        counts: &mut [[f64; 2]; 2],
    ) -> Result<f64, Infallible> {
        let x = self.xs[item];
        let joint = [
            libm::log(*weight) + dist::density::normal(x, means[0], 1.0),
            libm::log1p(-weight) + dist::density::normal(x, means[1], 1.0),
        ];
        let total = num::special::log_sum_exp(&joint);
        for (count, joint) in counts.iter_mut().zip(joint) {
            let posterior = libm::exp(joint - total);
            count[0] += posterior;
            count[1] += posterior * x;
        }
        Ok(total)
    }

    fn merge(&self, earlier: &mut [[f64; 2]; 2], later: [[f64; 2]; 2]) {
        earlier.as_flattened_mut().iter_mut().zip(later.as_flattened()).for_each(|(a, b)| *a += b);
    }

    fn maximise(&self, params: &mut Params, counts: [[f64; 2]; 2], _: &Sweep<'_>) -> Result<(), Infallible> {
        *params = (counts[0][0] / (counts[0][0] + counts[1][0]), counts.map(|c| c[1] / c[0]));
        Ok(())
    }
}

fn go(options: &FitOptions, start: Start<Fitted<Params>>, workers: &Workers) -> Fit<Params> {
    fit(&Mixture::new(2000), options, start, &mut (), workers).unwrap()
}

#[test]
fn em_climbs_converges_and_finds_the_truth() {
    let found =
        go(&FitOptions { tolerance: 1e-9, ..FitOptions::default() }, Start::Fresh, &Workers::serial());
    assert!(found.converged && found.stop == Some(Stop::Converged));
    let history = &found.fitted().history;
    assert!(history.windows(2).all(|w| w[1] >= w[0] - 1e-9 * w[0].abs()), "{history:?}");
    let (weight, means) = found.fitted().params;
    assert!((weight - 0.3).abs() < 0.05 && (means[0] + 2.0).abs() < 0.2 && (means[1] - 2.0).abs() < 0.1);
}

#[test]
fn fits_have_the_same_bits_at_any_number_of_threads() {
    for batch in [None, Some(500)] {
        let options = FitOptions { batch, max_iterations: 10, ..FitOptions::default() };
        let serial = go(&options, Start::Fresh, &Workers::serial()).into_fitted();
        for n in [1, 2, 3, 8] {
            assert_eq!(go(&options, Start::Fresh, &workers(n)).into_fitted(), serial);
        }
    }
}

#[test]
fn resumed_fit_equals_straight_fit() {
    for batch in [None, Some(300)] {
        let options = FitOptions { batch, max_iterations: 40, ..FitOptions::default() };
        let straight = go(&options, Start::Fresh, &workers(2));
        let mut stop = Each(|at: &Progress, _: &Fitted<Params>| {
            Ok(if at.sweep == 3 { ControlFlow::Break(Stop::Interrupted) } else { ControlFlow::Continue(()) })
        });
        let half = fit(&Mixture::new(2000), &options, Start::Fresh, &mut stop, &workers(3)).unwrap();
        assert_eq!(
            (half.stop.clone(), half.converged, half.fitted().history.len()),
            (Some(Stop::Interrupted), false, 3)
        );
        let resumed = go(&options, Start::From(half.checkpoint), &Workers::serial());
        assert_eq!(resumed.fitted(), straight.fitted());
        let again = go(&options, Start::From(straight.checkpoint.clone()), &Workers::serial());
        assert_eq!(again.fitted(), straight.fitted(), "nothing is left to do");
    }
}

#[test]
fn values_that_are_no_numbers_end_the_fit() {
    let broken = Mixture { xs: vec![1.0, f64::NAN] };
    let found = fit(&broken, &FitOptions::default(), Start::Fresh, &mut (), &Workers::serial());
    let Err(RunError::Kernel { sweep: 1, source: FitError::NotFinite { value }, .. }) = found else {
        panic!("accepted")
    };
    assert!(value.is_nan());
}

#[test]
fn options_that_do_nothing_are_refused() {
    let base = FitOptions::default();
    for bad in [
        FitOptions { max_iterations: 0, ..base.clone() },
        FitOptions { batch: Some(0), ..base.clone() },
        FitOptions { block: 0, ..base.clone() },
    ] {
        assert!(fit(&Mixture::new(2), &bad, Start::Fresh, &mut (), &Workers::serial()).is_err(), "{bad:?}");
    }
}
