//! `treelet plan`: how much better a parser gets with more annotation.

mod curve;
mod learner;
mod page;

use crate::imputation::gathered::Gathered;
use crate::imputation::imputer;
use crate::models;
use crate::options::study::Plan;
use crate::outcome::{Outcome, Usage};
use crate::table;
use crate::watch::Watch;
use anyhow::Context;
use curve::Curve;
use serde_json::json;
use study::forecast::{Forecast, Options, Prediction, forecast};
use study::statistics::{Densities, Record};

/// What an annotator does in an hour if nothing else is known.
const ARCS_PER_HOUR: f64 = 150.0;

pub fn run(options: &Plan, watch: &dyn Watch) -> anyhow::Result<Outcome> {
    if let Some(output) = &options.output {
        let is_known = output.extension().is_some_and(|ending| ending == "html" || ending == "svg");
        if !is_known {
            return Err(Usage(format!("{}: give a name that ends in .html or .svg", output.display())).into());
        }
        models::refuse_same(output, options.files.iter().map(|path| path.as_path()))?;
        models::check_output(output, "the page")?;
    }
    let learning = &options.completing.learning;
    let workers = models::workers(learning.threads)?;
    let gathered = Gathered::read(&options.files, &options.completing, None, watch)?;
    let rules = imputer::rules(learning)?;
    let has_errors = gathered.report(&options.completing.messages, watch)?;
    let Some(curve) = Curve::measure(&gathered, options, rules.as_ref(), &workers, watch)? else {
        watch.remark("stopped");
        return Ok(Outcome::Files);
    };
    let fitted = forecast(&curve.measured, &Options::default());
    let fitted = fitted.with_context(|| {
        format!("{} annotated heads in {} sentences are too few to tell", curve.n_arcs, curve.n_annotated)
    })?;
    let (per_hour, assumed) = per_hour(options, &gathered);
    let mut planned = Planned::new(&curve, &fitted, per_hour, &options.hours);
    planned.remarks = curve.remarks.clone();
    planned.remarks.extend(assumed);
    planned.remarks.extend(too_few(&curve, &fitted));
    let text = if options.json {
        format!("{:#}\n", planned.json(&curve, &fitted))
    } else {
        planned.text(&curve, &fitted)
    };
    watch.print(&text)?;
    planned.remarks.iter().for_each(|remark| watch.note(remark));
    if let Some(output) = &options.output {
        page::write(output, &curve, &fitted, &planned)?;
        watch.note(&format!("{}: the learning curve", output.display()));
    }
    Ok(if has_errors { Outcome::Problems } else { Outcome::Fine })
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

/// What to expect after some hours; the first entry is now.
struct Planned {
    per_hour: f64,
    hours: Vec<f64>,
    predictions: Vec<Prediction>,
    /// What is gained since now.
    gains: Vec<Prediction>,
    level: f64,
    /// What is to be said besides figures, wherever they are shown.
    remarks: Vec<String>,
}

impl Planned {
    fn new(curve: &Curve, fitted: &Forecast, per_hour: f64, hours: &[f64]) -> Self {
        let mut all = vec![0.0];
        all.extend(hours);
        all.sort_by(f64::total_cmp);
        all.dedup();
        let now = curve.n_arcs as f64;
        let predictions = fitted.after_hours(now, per_hour, &all);
        let gains = predictions.iter().map(|prediction| fitted.gain(now, prediction.x)).collect();
        Self { per_hour, hours: all, predictions, gains, level: fitted.level, remarks: Vec::new() }
    }

    fn headings(&self) -> Vec<String> {
        let interval = format!("{:.0}% interval", 100.0 * self.level);
        ["when", "heads", "UAS expected", &interval, "gain", &interval].map(str::to_owned).to_vec()
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let row = |((hours, prediction), gain): ((&f64, &Prediction), &Prediction)| {
            let shown = |(low, high): (f64, f64)| format!("{:.1} – {:.1}", 100.0 * low, 100.0 * high);
            let (when, gained, interval) = match *hours == 0.0 {
                true => ("now".to_string(), String::new(), String::new()),
                false => (format!("+{hours} h"), format!("{:+.1}", 100.0 * gain.score), shown(gain.interval)),
            };
            let (heads, score) = (format!("{:.0}", prediction.x), format!("{:.1}", 100.0 * prediction.score));
            vec![when, heads, score, shown(prediction.interval), gained, interval]
        };
        self.hours.iter().zip(&self.predictions).zip(&self.gains).map(row).collect()
    }

    fn summary(&self, curve: &Curve) -> String {
        format!(
            "{} annotated heads in {} of {} sentences; {:.0} more an hour",
            curve.n_arcs, curve.n_annotated, curve.n_sentences, self.per_hour
        )
    }

    /// What the figures are.
    fn explanation(&self, curve: &Curve, fitted: &Forecast) -> String {
        format!(
            "UAS of {}, measured on annotation it had not seen; the most probable curve is {}, and scores are off what is \
             expected by {:.1} on average. In {:.0} of 100 cases other text of the same kind, with {:.0} words, should score \
             within the interval; text of another kind may well score less.",
            curve.learner,
            formula(fitted),
            100.0 * fitted.error,
            100.0 * self.level,
            Options::default().test_heads
        )
    }

    fn text(&self, curve: &Curve, fitted: &Forecast) -> String {
        let headings = self.headings();
        let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
        format!(
            "{}\n\n{}\n{}{}\n",
            self.summary(curve),
            table::render(&MEASURED, &measured_rows(curve)),
            table::render(&headings, &self.rows()),
            self.explanation(curve, fitted)
        )
    }

    fn json(&self, curve: &Curve, fitted: &Forecast) -> serde_json::Value {
        let all = self.hours.iter().zip(&self.predictions).zip(&self.gains);
        let expected = all.map(|((hours, prediction), gain)| {
            json!({
                "hours": hours, "arcs": prediction.x, "uas": prediction.score, "interval": prediction.interval,
                "gain": gain.score, "gain_interval": gain.interval,
            })
        });
        let points = curve.measured.points();
        let measured: Vec<_> =
            points.iter().map(|point| json!({"arcs": point.x, "uas": point.score})).collect();
        json!({
            "learner": curve.learner,
            "sentences": curve.n_sentences,
            "annotated_sentences": curve.n_annotated,
            "arcs": curve.n_arcs,
            "arcs_per_hour": self.per_hour,
            "measured": measured,
            "curve": fitted.curve,
            "error": fitted.error,
            "rise": {"uas": fitted.rise.0, "standard_error": fitted.rise.1},
            "enough_to_tell": fitted.tells(),
            "level": fitted.level,
            "expected": expected.collect::<Vec<_>>(),
            "explanation": self.explanation(curve, fitted),
            "remarks": self.remarks,
        })
    }
}

const MEASURED: [&str; 2] = ["heads", "UAS measured"];

fn measured_rows(curve: &Curve) -> Vec<Vec<String>> {
    let points = curve.measured.points();
    points
        .iter()
        .map(|point| vec![format!("{:.0}", point.x), format!("{:.1}", 100.0 * point.score)])
        .collect()
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
