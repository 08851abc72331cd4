//! The toy sampler is right, and planted mistakes are found.

use chain::observe::Trace;
use chain::{Kernel, Schedule, Start, Sweep, diagnose, sample};
use num::dist;
use testkit::calibrate::{CalibrateOptions, Posterior, Ranks, calibrate};
use testkit::geweke::{Comparison, GewekeOptions, Joint, compare, worst};

use crate::bits::workers;
use crate::toy::{Mistake, NormalGibbs, State, draw_prior};

#[test]
fn gibbs_finds_the_posterior_moments_known_in_closed_form() {
    let kernel = NormalGibbs::new(&[1.2, -0.4, 2.2, 0.9, 3.1, 0.3, 1.7]);
    let mut trace = Trace::new("trace", &["mean", "variance"], |s: &State| vec![s.mean, s.variance]);
    let schedule = Schedule { burn_in: 50, samples: 5000, thin: 1, seed: 3, chains: 4 };
    sample::run(&kernel, &schedule, Start::Fresh, &mut trace, &workers(2)).unwrap();
    let (m, k, a, b) = kernel.posterior();
    // E μ = m, E σ² = b/(a − 1); Var μ = E σ² / k; Var σ² = b² / ((a − 1)² (a − 2)).
    let (mean, variance) = (trace.kept("mean"), trace.kept("variance"));
    check("E mean", &mean, m);
    check("E variance", &variance, b / (a - 1.0));
    check("Var mean", &squares(&mean, m), b / (a - 1.0) / k);
    check("Var variance", &squares(&variance, b / (a - 1.0)), b * b / ((a - 1.0).powi(2) * (a - 2.0)));
    assert!(diagnose::rhat(&mean).unwrap() < 1.01 && diagnose::rhat(&variance).unwrap() < 1.01);
    assert!(trace.kept("log_joint").concat().iter().all(|x| x.is_finite()));
}

fn squares(chains: &[Vec<f64>], centre: f64) -> Vec<Vec<f64>> {
    chains.iter().map(|chain| chain.iter().map(|x| (x - centre).powi(2)).collect()).collect()
}

/// Within 4.5 standard errors, which account for autocorrelation.
fn check(name: &str, chains: &[Vec<f64>], known: f64) {
    let found = diagnose::summarise(chains).unwrap();
    let z = (found.mean - known) / found.mcse.unwrap();
    assert!(z.abs() < 4.5, "{name}: {} instead of {known}, z = {z}", found.mean);
}

/// The toy model, forwards and backwards, with five observations.
struct Toy(Mistake);

impl Joint for Toy {
    type Theta = State;
    type Data = Vec<f64>;

    fn prior(&self, sweep: &Sweep<'_>) -> State {
        draw_prior(sweep)
    }

    fn data(&self, state: &mut State, sweep: &Sweep<'_>) -> Vec<f64> {
        let mut rng = sweep.rng_for("data");
        (0..5).map(|_| state.mean + state.variance.sqrt() * dist::normal(&mut rng)).collect()
    }

    fn step(&self, state: &mut State, data: &Vec<f64>, sweep: &Sweep<'_>) {
        let kernel = NormalGibbs { y: data.clone(), mistake: self.0 };
        kernel.sweep(state, sweep).unwrap();
    }

    fn statistics(&self, state: &State, data: &Vec<f64>) -> Vec<(&'static str, f64)> {
        let sd = state.variance.sqrt();
        vec![
            ("mean", state.mean),
            ("mean²", state.mean * state.mean),
            ("log variance", state.variance.ln()),
            ("precision", 1.0 / state.variance),
            ("(y − mean)/sd", (data[0] - state.mean) / sd),
            ("mean · y", state.mean * data[0]),
        ]
    }
}

impl Posterior for Toy {
    fn begin(&self, data: &Vec<f64>, _: &Sweep<'_>) -> State {
        State { mean: data[0], variance: 1.0 }
    }
}

fn geweke(mistake: Mistake) -> Vec<Comparison> {
    compare(&Toy(mistake), &GewekeOptions { seed: 1, ..GewekeOptions::default() }, &workers(2))
}

#[test]
fn gewekes_test_passes_the_right_sampler() {
    let comparisons = geweke(Mistake::None);
    let worst = worst(&comparisons).unwrap();
    assert!(worst.z.abs() < 4.0, "{comparisons:#?}");
}

#[test]
fn gewekes_test_fails_planted_mistakes() {
    for mistake in [Mistake::DegreesOfFreedom, Mistake::WideMean] {
        let comparisons = geweke(mistake);
        let worst = worst(&comparisons).unwrap();
        assert!(worst.z.abs() > 6.0, "{mistake:?}: {comparisons:#?}");
    }
}

#[test]
fn gewekes_test_gives_the_same_numbers_at_any_number_of_threads() {
    let options = GewekeOptions { draws: 100, chains: 10, steps: 5, seed: 2 };
    let run = |n| compare(&Toy(Mistake::None), &options, &workers(n));
    assert_eq!(run(1), run(3));
}

fn ranks(mistake: Mistake) -> Vec<Ranks> {
    let options = CalibrateOptions { truths: 2000, seed: 4, ..CalibrateOptions::default() };
    calibrate(&Toy(mistake), &options, &workers(2))
}

#[test]
fn calibration_passes_the_right_sampler() {
    let ranks = ranks(Mistake::None);
    assert!(ranks.iter().all(|ranks| ranks.p > 1e-3), "{ranks:#?}");
    assert!(ranks.iter().all(|ranks| ranks.histogram.iter().sum::<u64>() == 2000));
}

#[test]
fn calibration_fails_planted_mistakes() {
    for mistake in [Mistake::DegreesOfFreedom, Mistake::WideMean] {
        let ranks = ranks(mistake);
        assert!(ranks.iter().any(|ranks| ranks.p < 1e-6), "{mistake:?}: {ranks:#?}");
    }
}

/// The toy with a statistic of two values, of which many samples tie with the truth.
struct Signs;

impl Joint for Signs {
    type Theta = State;
    type Data = Vec<f64>;

    fn prior(&self, sweep: &Sweep<'_>) -> State {
        Toy(Mistake::None).prior(sweep)
    }

    fn data(&self, state: &mut State, sweep: &Sweep<'_>) -> Vec<f64> {
        Toy(Mistake::None).data(state, sweep)
    }

    fn step(&self, state: &mut State, data: &Vec<f64>, sweep: &Sweep<'_>) {
        Toy(Mistake::None).step(state, data, sweep);
    }

    fn statistics(&self, state: &State, _: &Vec<f64>) -> Vec<(&'static str, f64)> {
        vec![("sign", state.mean.signum())]
    }
}

impl Posterior for Signs {
    fn begin(&self, data: &Vec<f64>, sweep: &Sweep<'_>) -> State {
        Toy(Mistake::None).begin(data, sweep)
    }
}

#[test]
fn calibration_passes_the_right_sampler_when_most_samples_tie() {
    let options = CalibrateOptions { truths: 2000, seed: 4, ..CalibrateOptions::default() };
    let ranks = calibrate(&Signs, &options, &workers(2));
    assert!(ranks[0].p > 1e-3, "{ranks:#?}");
}
