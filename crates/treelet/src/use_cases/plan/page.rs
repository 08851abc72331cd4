//! The learning curve as a picture or a page.

use super::Planned;
use anyhow::Context;
use draw::plot::{Axis, Chart, Mark, Section, Table, Way, page};
use formats::output::AtomicFile;
use std::io::Write;
use std::path::Path;
use study::forecast::Forecast;

/// Points that the drawn curve is made of.
const N_DRAWN: usize = 60;

/// Writes a picture if the name ends in .svg, and a page otherwise.
pub(super) fn write(path: &Path, fitted: &Forecast, planned: &Planned) -> anyhow::Result<()> {
    let chart = chart(fitted, planned);
    let text = match path.extension().is_some_and(|ending| ending == "svg") {
        true => chart.to_svg(760, 420),
        false => html(chart, planned),
    };
    let write = || -> std::io::Result<()> {
        let mut file = AtomicFile::create(path)?;
        file.write_all(text.as_bytes())?;
        file.finish()
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}

fn chart(fitted: &Forecast, planned: &Planned) -> Chart {
    let measured = &planned.measured;
    let first = measured.iter().map(|one| one.arcs).fold(f64::INFINITY, f64::min).max(1.0);
    let last = planned.expected.iter().map(|one| one.arcs).fold(first, f64::max);
    let drawn: Vec<_> =
        (0..N_DRAWN).map(|at| fitted.at(first + (last - first) * at as f64 / (N_DRAWN - 1) as f64)).collect();
    let band =
        drawn.iter().map(|one| (100.0 * one.interval.0, 100.0 * one.interval.1)).collect::<Vec<(f64, f64)>>();
    Chart {
        title: "UAS by annotated heads".into(),
        x: Axis::new("annotated heads"),
        y: Axis::new("UAS on held-out annotation, %"),
        marks: vec![
            Mark::Line {
                name: "expected".into(),
                points: drawn.iter().map(|one| (one.x, 100.0 * one.score)).collect(),
                band: Some(band),
            },
            Mark::Points {
                name: "measured".into(),
                points: measured.iter().map(|one| (one.arcs, 100.0 * one.uas)).collect(),
            },
            Mark::Rule { name: "now".into(), way: Way::Vertical, at: planned.arcs as f64 },
        ],
        ..Chart::default()
    }
}

fn html(chart: Chart, planned: &Planned) -> String {
    let measured = Table {
        caption: "What was measured".into(),
        header: Planned::MEASURED.map(str::to_owned).to_vec(),
        rows: planned.measured_rows(),
    };
    let table = Table { caption: "What to expect".into(), header: planned.headings(), rows: planned.rows() };
    let text = [planned.summary(), planned.explanation.clone()].join("\n\n");
    let parts = vec![chart.into(), table.into(), measured.into()];
    let mut sections = vec![Section { heading: "Learning curve".into(), text, parts }];
    // What the watch is told is told here as well.
    if !planned.remarks.is_empty() {
        let text = planned.remarks.join("\n\n");
        sections.push(Section { heading: "To keep in mind".into(), text, parts: Vec::new() });
    }
    page("Annotation plan", &sections)
}
