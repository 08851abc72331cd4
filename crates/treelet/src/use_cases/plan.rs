//! How much better a parser gets with more annotation.

mod curve;
mod learner;
mod page;

use crate::imputation::gathered::Gathered;
use crate::imputation::imputer;
use crate::models;
use crate::options::study::Plan;
use crate::outcome::{Done, Stopped, Usage};
use crate::watch::Watch;
use anyhow::Context;
use curve::Curve;
use serde::Serialize;
use study::forecast::{Forecast, Options, forecast};
use study::statistics::{Densities, Record};

/// What an annotator does in an hour if nothing else is known.
const ARCS_PER_HOUR: f64 = 150.0;

/// How good a parser is, and how good it can be expected to become. Scores are shares of 1.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Planned {
    /// What learns, as it is called in a sentence.
    pub learner: String,
    /// Sentences in the files, each once.
    pub sentences: usize,
    /// Sentences with an annotated head.
    pub annotated_sentences: usize,
    /// Annotated heads.
    pub arcs: usize,
    /// Heads that an annotator makes in an hour.
    pub arcs_per_hour: f64,
    /// What was measured.
    pub measured: Vec<MeasuredScore>,
    /// The most probable curve through it.
    pub curve: study::forecast::Curve,
    /// How far scores are off the curve on average.
    pub error: f64,
    /// How much the score rose from the first amount to the last.
    pub rise: Rise,
    /// Whether the rise is more than chance explains.
    pub enough_to_tell: bool,
    /// The share of cases in which an interval should hold the score.
    pub level: f64,
    /// What to expect after some hours; the first entry is now.
    pub expected: Vec<Expected>,
    /// What the figures are, in words.
    pub explanation: String,
    /// What is to be said besides figures, wherever they are shown.
    pub remarks: Vec<String>,
}

/// A score that was measured.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MeasuredScore {
    /// Annotated heads that were learnt from.
    pub arcs: f64,
    /// The score on held-out annotation.
    pub uas: f64,
}

/// By how much scores rose.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Rise {
    /// The difference.
    pub uas: f64,
    /// Its standard error.
    pub standard_error: f64,
}

/// What to expect after some hours.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Expected {
    /// Hours from now.
    pub hours: f64,
    /// Annotated heads there are then.
    pub arcs: f64,
    /// The score that is expected.
    pub uas: f64,
    /// Where the score is likely to lie.
    pub interval: (f64, f64),
    /// What is gained since now.
    pub gain: f64,
    /// Where the gain is likely to lie.
    pub gain_interval: (f64, f64),
}

/// Measures how a parser learns from annotation, and forecasts how it goes on.
pub fn plan(options: &Plan, watch: &dyn Watch) -> anyhow::Result<Done<Planned>> {
    check_output(options)?;
    let learning = &options.completing.learning;
    let workers = models::workers(learning.threads)?;
    let gathered = Gathered::read(&options.sentences.files, &options.completing, None, watch)?;
    let rules = imputer::rules(learning)?;
    let has_problems = gathered.report(&options.completing.messages, watch)?;
    let curve = Curve::measure(&gathered, options, rules.as_ref(), &workers, watch)?;
    let curve = curve.ok_or_else(|| Stopped("stopped".into()))?;
    let fitted = forecast(&curve.measured, &Options::default());
    let fitted = fitted.with_context(|| {
        format!("{} annotated heads in {} sentences are too few to tell", curve.n_arcs, curve.n_annotated)
    })?;
    let (per_hour, assumed) = per_hour(options, &gathered);
    let mut planned = Planned::new(&curve, &fitted, per_hour, &options.hours);
    planned.remarks.extend(assumed);
    planned.remarks.extend(too_few(&curve, &fitted));
    planned.remarks.iter().for_each(|remark| watch.note(remark));
    if let Some(output) = &options.output {
        page::write(output, &fitted, &planned)?;
        watch.note(&format!("{}: the learning curve", output.display()));
    }
    Ok(Done { result: planned, has_problems })
}

fn check_output(options: &Plan) -> anyhow::Result<()> {
    let Some(output) = &options.output else { return Ok(()) };
    let is_known = output.extension().is_some_and(|ending| ending == "html" || ending == "svg");
    if !is_known {
        return Err(Usage(format!("{}: give a name that ends in .html or .svg", output.display())).into());
    }
    models::refuse_same(output, options.sentences.files.iter().map(|path| path.as_path()))?;
    models::check_output(output, "the page")
}

/// What to say if the curve does not rise beyond chance.
fn too_few(curve: &Curve, fitted: &Forecast) -> Option<String> {
    (!fitted.tells()).then(|| {
        format!(
            "warning: {} annotated heads are too few to tell: the measured scores rise by {:.1}, which chance in the choice \
             of sentences explains (standard error {:.1}); annotate more, or do not go by this forecast",
            curve.n_arcs,
            100.0 * fitted.rise.0,
            100.0 * fitted.rise.1
        )
    })
}

/// Heads an hour, and what to say if they were not measured.
fn per_hour(options: &Plan, gathered: &Gathered) -> (f64, Option<String>) {
    if let Some(rate) = options.arcs_per_hour {
        return (rate, None);
    }
    let timed: Densities = gathered
        .sentences()
        .map(|annotated| {
            Densities::of(&Record {
                said: annotated.said.clone(),
                seconds: annotated.seconds,
                ..Record::default()
            })
        })
        .sum();
    match timed.arcs_per_hour().filter(|rate| *rate > 0.0) {
        Some(rate) => (rate, None),
        None => (
            ARCS_PER_HOUR,
            Some(format!(
                "note: the files have no times; {ARCS_PER_HOUR:.0} arcs an hour are assumed, --arcs-per-hour says otherwise"
            )),
        ),
    }
}

impl Planned {
    /// The headings above [`measured_rows`](Self::measured_rows).
    pub const MEASURED: [&str; 2] = ["heads", "UAS measured"];

    fn new(curve: &Curve, fitted: &Forecast, per_hour: f64, hours: &[f64]) -> Self {
        let points = curve.measured.points();
        Self {
            learner: curve.learner.clone(),
            sentences: curve.n_sentences,
            annotated_sentences: curve.n_annotated,
            arcs: curve.n_arcs,
            arcs_per_hour: per_hour,
            measured: points.iter().map(|point| MeasuredScore { arcs: point.x, uas: point.score }).collect(),
            curve: fitted.curve,
            error: fitted.error,
            rise: Rise { uas: fitted.rise.0, standard_error: fitted.rise.1 },
            enough_to_tell: fitted.tells(),
            level: fitted.level,
            expected: expected(curve.n_arcs as f64, fitted, per_hour, hours),
            explanation: explanation(&curve.learner, fitted),
            remarks: curve.remarks.clone(),
        }
    }

    /// How much annotation there is, in a line.
    pub fn summary(&self) -> String {
        format!(
            "{} annotated heads in {} of {} sentences; {:.0} more an hour",
            self.arcs, self.annotated_sentences, self.sentences, self.arcs_per_hour
        )
    }

    /// The headings above [`rows`](Self::rows).
    pub fn headings(&self) -> Vec<String> {
        let interval = format!("{:.0}% interval", 100.0 * self.level);
        ["when", "heads", "UAS expected", &interval, "gain", &interval].map(str::to_owned).to_vec()
    }

    /// What to expect, as cells of a table.
    pub fn rows(&self) -> Vec<Vec<String>> {
        let row = |one: &Expected| {
            let shown = |(low, high): (f64, f64)| format!("{:.1} – {:.1}", 100.0 * low, 100.0 * high);
            let (when, gained, interval) = match one.hours == 0.0 {
                true => ("now".to_string(), String::new(), String::new()),
                false => (
                    format!("+{} h", one.hours),
                    format!("{:+.1}", 100.0 * one.gain),
                    shown(one.gain_interval),
                ),
            };
            let (heads, score) = (format!("{:.0}", one.arcs), format!("{:.1}", 100.0 * one.uas));
            vec![when, heads, score, shown(one.interval), gained, interval]
        };
        self.expected.iter().map(row).collect()
    }

    /// What was measured, as cells of a table.
    pub fn measured_rows(&self) -> Vec<Vec<String>> {
        let row = |one: &MeasuredScore| vec![format!("{:.0}", one.arcs), format!("{:.1}", 100.0 * one.uas)];
        self.measured.iter().map(row).collect()
    }
}

/// What to expect now and after the hours.
fn expected(now: f64, fitted: &Forecast, per_hour: f64, hours: &[f64]) -> Vec<Expected> {
    let mut all = vec![0.0];
    all.extend(hours);
    all.sort_unstable_by(f64::total_cmp);
    all.dedup();
    let predictions = fitted.after_hours(now, per_hour, &all);
    let expected = all.into_iter().zip(predictions).map(|(hours, prediction)| {
        let gain = fitted.gain(now, prediction.x);
        Expected {
            hours,
            arcs: prediction.x,
            uas: prediction.score,
            interval: prediction.interval,
            gain: gain.score,
            gain_interval: gain.interval,
        }
    });
    expected.collect()
}

fn explanation(learner: &str, fitted: &Forecast) -> String {
    format!(
        "UAS of {learner}, measured on annotation it had not seen; the most probable curve is {}, and scores are off what is \
         expected by {:.1} on average. In {:.0} of 100 cases other text of the same kind, with {:.0} words, should score \
         within the interval; text of another kind may well score less.",
        formula(fitted),
        100.0 * fitted.error,
        100.0 * fitted.level,
        Options::default().test_heads
    )
}

fn formula(fitted: &Forecast) -> String {
    let curve = &fitted.curve;
    format!(
        "UAS = {:.1} − {:.1} · (heads/{:.0})^−{:.2}",
        100.0 * curve.a,
        100.0 * curve.b,
        curve.scale,
        curve.c
    )
}
