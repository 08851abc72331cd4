//! `treelet plan`: how much better a parser gets with more annotation.

mod curve;
mod page;

use crate::args::study::Plan;
use crate::imputation::gathered::Gathered;
use crate::imputation::imputer;
use crate::models;
use crate::outcome::{Outcome, Usage};
use crate::table;
use crate::terminal::Terminal;
use anyhow::Context;
use chain::Stream;
use curve::Curve;
use serde_json::json;
use study::forecast::{Forecast, Options, Prediction, forecast};
use study::statistics::{Densities, Record};

/// What an annotator does in an hour if nothing else is known.
const ARCS_PER_HOUR: f64 = 150.0;

pub(crate) fn run(options: &Plan, terminal: &Terminal) -> anyhow::Result<Outcome> {
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
    let gathered = Gathered::read(&options.files, &options.completing, None, terminal)?;
    let rules = imputer::rules(learning)?;
    let has_errors = gathered.report(&options.completing.messages, terminal)?;
    let Some(curve) = Curve::measure(&gathered, options, rules.as_ref(), &workers, terminal)? else {
        terminal.stderr("stopped");
        return Ok(Outcome::Files);
    };
    let fitted = forecast(&curve.points, &Options::default(), Stream::new(learning.seed));
    let fitted = fitted.with_context(|| {
        format!("{} annotated heads in {} sentences are too few to tell", curve.n_arcs, curve.n_annotated)
    })?;
    let per_hour = per_hour(options, &gathered, terminal);
    let table = Planned::new(&curve, &fitted, per_hour, &options.hours);
    let text = if options.json {
        format!("{:#}\n", table.json(&curve, &fitted))
    } else {
        table.text(&curve, &fitted)
    };
    terminal.print(&text)?;
    if !tells(&curve, &fitted) {
        terminal.note(&format!(
            "warning: {} annotated heads are too few to tell: the curve rises by less than its points scatter; annotate more, \
             or do not go by this forecast",
            curve.n_arcs
        ));
    }
    if let Some(output) = &options.output {
        page::write(output, &curve, &fitted, &table)?;
        terminal.note(&format!("{}: the learning curve", output.display()));
    }
    Ok(if has_errors { Outcome::Problems } else { Outcome::Fine })
}

/// Whether the curve rises by more, from its first point to the last, than the points are off it.
fn tells(curve: &Curve, fitted: &Forecast) -> bool {
    let amounts = curve.points.iter().map(|point| point.x);
    let (first, last) = amounts.fold((f64::INFINITY, 0.0f64), |(low, high), x| (low.min(x), high.max(x)));
    fitted.curve.at(last) - fitted.curve.at(first) > fitted.error.max(1e-9)
}

fn per_hour(options: &Plan, gathered: &Gathered, terminal: &Terminal) -> f64 {
    if let Some(rate) = options.arcs_per_hour {
        return rate;
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
    timed.arcs_per_hour().filter(|rate| *rate > 0.0).unwrap_or_else(|| {
        terminal.note(&format!(
            "note: the files have no times; {ARCS_PER_HOUR:.0} arcs an hour are assumed, --arcs-per-hour says otherwise"
        ));
        ARCS_PER_HOUR
    })
}

/// What to expect after some hours; the first entry is now.
struct Planned {
    per_hour: f64,
    hours: Vec<f64>,
    predictions: Vec<Prediction>,
}

impl Planned {
    fn new(curve: &Curve, fitted: &Forecast, per_hour: f64, hours: &[f64]) -> Self {
        let mut all = vec![0.0];
        all.extend(hours);
        all.sort_by(f64::total_cmp);
        all.dedup();
        let predictions = fitted.after_hours(curve.n_arcs as f64, per_hour, &all);
        Self { per_hour, hours: all, predictions }
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let row = |(hours, prediction): (&f64, &Prediction)| {
            let interval = prediction
                .interval
                .map_or("–".to_string(), |(low, high)| format!("{:.1} – {:.1}", 100.0 * low, 100.0 * high));
            let hours = if *hours == 0.0 { "now".to_string() } else { format!("+{hours} h") };
            vec![hours, format!("{:.0}", prediction.x), format!("{:.1}", 100.0 * prediction.score), interval]
        };
        self.hours.iter().zip(&self.predictions).map(row).collect()
    }

    fn text(&self, curve: &Curve, fitted: &Forecast) -> String {
        let mut text = format!(
            "{} annotated heads in {} of {} sentences; {:.0} more an hour\n\n",
            curve.n_arcs, curve.n_annotated, curve.n_sentences, self.per_hour
        );
        let measured: Vec<Vec<String>> = curve
            .means()
            .iter()
            .map(|&(x, score)| vec![format!("{x:.0}"), format!("{:.1}", 100.0 * score)])
            .collect();
        text.push_str(&table::render(&["heads", "UAS measured"], &measured));
        text.push('\n');
        text.push_str(&table::render(&["when", "heads", "UAS expected", HEADING], &self.rows()));
        text.push_str(&format!(
            "UAS on held-out annotation; fit: {}, off by {:.1} on average\n",
            formula(fitted),
            100.0 * fitted.error
        ));
        text
    }

    fn json(&self, curve: &Curve, fitted: &Forecast) -> serde_json::Value {
        let expected = self.hours.iter().zip(&self.predictions).map(|(hours, prediction)| {
            json!({"hours": hours, "arcs": prediction.x, "uas": prediction.score, "interval": prediction.interval})
        });
        json!({
            "sentences": curve.n_sentences,
            "annotated_sentences": curve.n_annotated,
            "arcs": curve.n_arcs,
            "arcs_per_hour": self.per_hour,
            "measured": curve.points.iter().map(|point| json!({"arcs": point.x, "uas": point.score})).collect::<Vec<_>>(),
            "curve": fitted.curve,
            "error": fitted.error,
            "enough_to_tell": tells(curve, fitted),
            "level": fitted.level,
            "expected": expected.collect::<Vec<_>>(),
        })
    }
}

/// What the intervals hold.
const HEADING: &str = "90% interval";

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
