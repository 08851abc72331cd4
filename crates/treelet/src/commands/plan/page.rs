//! The learning curve as a picture or a page.

use super::curve::Curve;
use super::{HEADING, Planned, formula};
use anyhow::Context;
use draw::plot::{Axis, Chart, Mark, Section, Table, Way, page};
use formats::output::AtomicFile;
use std::io::Write;
use std::path::Path;
use study::forecast::Forecast;

/// Points that the drawn curve is made of.
const N_DRAWN: usize = 60;

/// Writes a picture if the name ends in .svg, and a page otherwise.
pub(super) fn write(path: &Path, curve: &Curve, fitted: &Forecast, planned: &Planned) -> anyhow::Result<()> {
    let chart = chart(curve, fitted, planned);
    let text = match path.extension().is_some_and(|ending| ending == "svg") {
        true => chart.to_svg(760, 420),
        false => html(chart, curve, fitted, planned),
    };
    let write = || -> std::io::Result<()> {
        let mut file = AtomicFile::create(path)?;
        file.write_all(text.as_bytes())?;
        file.finish()
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}

fn chart(curve: &Curve, fitted: &Forecast, planned: &Planned) -> Chart {
    let first = curve.points.iter().map(|point| point.x).fold(f64::INFINITY, f64::min).max(1.0);
    let last = planned.predictions.iter().map(|prediction| prediction.x).fold(first, f64::max);
    let drawn: Vec<_> =
        (0..N_DRAWN).map(|at| fitted.at(first + (last - first) * at as f64 / (N_DRAWN - 1) as f64)).collect();
    let band: Option<Vec<(f64, f64)>> =
        drawn.iter().map(|one| one.interval.map(|(low, high)| (100.0 * low, 100.0 * high))).collect();
    Chart {
        title: "UAS by annotated heads".into(),
        x: Axis::new("annotated heads"),
        y: Axis::new("UAS on held-out annotation, %"),
        marks: vec![
            Mark::Line {
                name: "expected".into(),
                points: drawn.iter().map(|one| (one.x, 100.0 * one.score)).collect(),
                band,
            },
            Mark::Points {
                name: "measured".into(),
                points: curve.points.iter().map(|point| (point.x, 100.0 * point.score)).collect(),
            },
            Mark::Rule { name: "now".into(), way: Way::Vertical, at: curve.n_arcs as f64 },
        ],
        ..Chart::default()
    }
}

fn html(chart: Chart, curve: &Curve, fitted: &Forecast, planned: &Planned) -> String {
    let text = format!(
        "{} annotated heads in {} of {} sentences, {:.0} more an hour. Each dot is a parser that learned from a part of \
         the annotation and was scored on heads it had not seen. The line is {}.",
        curve.n_arcs,
        curve.n_annotated,
        curve.n_sentences,
        planned.per_hour,
        formula(fitted)
    );
    let table = Table {
        caption: "What to expect".into(),
        header: ["when", "heads", "UAS expected, %", HEADING].map(str::to_owned).to_vec(),
        rows: planned.rows(),
    };
    let section = Section { heading: "Learning curve".into(), text, parts: vec![chart.into(), table.into()] };
    page("Annotation plan", &[section])
}
