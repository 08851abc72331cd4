//! What was said beside what came.

use super::ForecastCase;
use study::forecast::{Forecast, Options, Prior, Reliability, forecast, reliability};

/// Levels whose intervals are compared with what they held.
const LEVELS: [f64; 5] = [0.5, 0.6, 0.7, 0.8, 0.9];

/// One thing that was said, and what came: 2n or 4n sentences.
struct ForecastOutcome<'a> {
    case: &'a ForecastCase,
    times: usize,
    /// Expected on average, interval, and measured, in percent.
    expected: f64,
    interval: (f64, f64),
    truth: f64,
    /// What the parser gained since n sentences, and what was expected of that.
    gain: (f64, f64),
    /// Whether the interval of the gain held it.
    holds_gain: bool,
    /// The probability of a score as low as the one that was measured.
    below: f64,
}

pub(crate) fn print(cases: &[ForecastCase], prior: Prior) -> anyhow::Result<()> {
    println!("{prior:?}");
    let outcomes = outcomes(cases, prior)?;
    println!(
        "{:<24} {:>4} {:>3}  {:>6} {:>8} {:>15} {:>6}  {:>6} {:>6}",
        "treebank", "n", "x", "heads", "expected", "80 % interval", "truth", "gain", "came"
    );
    outcomes.iter().for_each(|outcome| println!("{}", outcome.line()));
    println!("\n80 % intervals that held the truth");
    let mut names: Vec<&str> = cases.iter().map(|case| case.treebank.as_str()).collect();
    names.dedup();
    for name in names {
        let own = outcomes.iter().filter(|outcome| outcome.case.treebank == name);
        println!("{name:<24} {}", share_held(own));
    }
    for times in [2, 4] {
        println!("{times} times {:<16} {}", "", share_held(outcomes.iter().filter(|one| one.times == times)));
    }
    println!("{:<24} {}", "all", share_held(outcomes.iter()));
    let n_gains = outcomes.iter().filter(|outcome| outcome.holds_gain).count();
    println!("gains {:<18} {n_gains} of {}", "", outcomes.len());
    for Reliability { level, held, n } in reliability_points(cases, prior)? {
        println!("level {:.0} %: held {:.0} % of {n}", 100.0 * level, 100.0 * held);
    }
    println!("{}", means(&outcomes));
    Ok(())
}

fn outcomes(cases: &[ForecastCase], prior: Prior) -> anyhow::Result<Vec<ForecastOutcome<'_>>> {
    let mut outcomes = Vec::new();
    for case in cases {
        let options = Options { test_heads: case.test_heads as f64, prior, ..Options::default() };
        outcomes.extend(of_case(case, &forecast(&case.measured, &options)?));
    }
    Ok(outcomes)
}

fn of_case<'a>(case: &'a ForecastCase, forecast: &Forecast) -> Vec<ForecastOutcome<'a>> {
    let now = case.later[0];
    let later = case.later.iter().filter(|(sentences, ..)| *sentences > case.n_sentences);
    let outcome = |&(sentences, heads, truth): &(usize, usize, f64)| {
        let prediction = forecast.at(heads as f64);
        let gain = forecast.gain(now.1 as f64, heads as f64);
        ForecastOutcome {
            case,
            times: sentences / case.n_sentences,
            expected: 100.0 * prediction.score,
            interval: (100.0 * prediction.interval.0, 100.0 * prediction.interval.1),
            truth: 100.0 * truth,
            gain: (100.0 * gain.score, 100.0 * (truth - now.2)),
            holds_gain: (gain.interval.0..=gain.interval.1).contains(&(truth - now.2)),
            below: forecast.probability_below(heads as f64, truth),
        }
    };
    later.map(outcome).collect()
}

impl ForecastOutcome<'_> {
    fn is_held(&self) -> bool {
        (self.interval.0..=self.interval.1).contains(&self.truth)
    }

    fn line(&self) -> String {
        let heads = self.case.later.iter().find(|later| later.0 == self.times * self.case.n_sentences);
        format!(
            "{:<24} {:>4} {:>3}  {:>6} {:>8.1} {:>15} {:>6.1}  {:>+6.1} {:>+6.1} {}",
            self.case.treebank,
            self.case.n_sentences,
            self.times,
            heads.map_or(0, |later| later.1),
            self.expected,
            format!("{:.1} – {:.1}", self.interval.0, self.interval.1),
            self.truth,
            self.gain.0,
            self.gain.1,
            if self.is_held() { "" } else { "missed" }
        )
    }
}

fn share_held<'a>(outcomes: impl Iterator<Item = &'a ForecastOutcome<'a>>) -> String {
    let held: Vec<bool> = outcomes.map(ForecastOutcome::is_held).collect();
    let n_held = held.iter().filter(|&&held| held).count();
    format!("{n_held} of {} ({:.0} %)", held.len(), 100.0 * n_held as f64 / held.len().max(1) as f64)
}

/// For a picture: nominal levels and the shares of cases that their intervals held.
pub(crate) fn reliability_points(cases: &[ForecastCase], prior: Prior) -> anyhow::Result<Vec<Reliability>> {
    let below: Vec<f64> = outcomes(cases, prior)?.iter().map(|outcome| outcome.below).collect();
    Ok(reliability(&below, &LEVELS))
}

fn means(outcomes: &[ForecastOutcome<'_>]) -> String {
    let n = outcomes.len().max(1) as f64;
    let mean = |of: &dyn Fn(&ForecastOutcome<'_>) -> f64| outcomes.iter().map(of).sum::<f64>() / n;
    format!(
        "mean width {:.1}; truth − expected {:+.2}, absolute {:.2}; gain expected {:+.2}, came {:+.2}; \
         mean absolute error of gains {:.2}; interval score {:.2}",
        mean(&|one| one.interval.1 - one.interval.0),
        mean(&|one| one.truth - one.expected),
        mean(&|one| (one.truth - one.expected).abs()),
        mean(&|one| one.gain.0),
        mean(&|one| one.gain.1),
        mean(&|one| (one.gain.0 - one.gain.1).abs()),
        mean(&|one| interval_score(one.interval, one.truth)),
    )
}

/// The interval score of Gneiting & Raftery (2007) for 80 %: width, and ten times what the truth is off.
fn interval_score((low, high): (f64, f64), truth: f64) -> f64 {
    (high - low) + 10.0 * ((low - truth).max(0.0) + (truth - high).max(0.0))
}
