//! `treelet segment score`.

use super::gold::{self, Analyses};
use crate::options::segment::Score;
use crate::outcome::Outcome;
use crate::source::only_one_stdin;
use crate::table::{plural, render};
use crate::watch::Watch;
use score::segments::{Report, boundaries};

pub(super) fn run(options: &Score, watch: &dyn Watch) -> anyhow::Result<Outcome> {
    only_one_stdin([&options.gold, &options.system])?;
    let (gold, bad_gold) = gold::read(&options.gold, options.encoding, &options.messages, watch)?;
    let (system, bad_system) = gold::read(&options.system, options.encoding, &options.messages, watch)?;
    let (report, n_missing) = compare(&gold, &system);
    if n_missing > 0 {
        let words = plural(n_missing, "word");
        let name = options.system.display();
        watch.note(&format!("note: {words} of gold not in {name}; counted as if left whole"));
    }
    if options.json {
        watch.print(&format!("{:#}\n", json(&report, n_missing)))?;
    } else {
        watch.print_tables(&table(&report))?;
    }
    Ok(if bad_gold || bad_system { Outcome::Problems } else { Outcome::Fine })
}

/// Compares each word of gold with the first analysis of the system; of several gold ones the nearest counts.
fn compare(gold: &Analyses, system: &Analyses) -> (Report, usize) {
    let mut report = Report::default();
    let mut n_missing = 0;
    for (word, alternatives) in gold {
        let found = system.get(word).and_then(|analyses| analyses.first());
        n_missing += usize::from(found.is_none());
        let found = found.map_or_else(Vec::new, |morphs| boundaries(morphs));
        report.add_nearest(alternatives.iter().map(|morphs| boundaries(morphs)), &found);
    }
    (report, n_missing)
}

fn table(report: &Report) -> String {
    let percent = |value: f64| format!("{:.2}", 100.0 * value);
    let row = |name: &str, precision: f64, recall: f64, f1: f64| {
        vec![name.to_owned(), percent(precision), percent(recall), percent(f1)]
    };
    let micro = &report.micro;
    let rows = [
        row("boundaries", micro.precision(), micro.recall(), micro.f1()),
        row("words", report.macro_precision(), report.macro_recall(), report.macro_f1()),
    ];
    let exact = percent(report.exact_match());
    let words = plural(report.words.len(), "word");
    render(&["mean over", "precision", "recall", "F1"], &rows) + &format!("\n{words}, {exact} % exact\n")
}

fn json(report: &Report, n_missing: usize) -> serde_json::Value {
    let micro = &report.micro;
    serde_json::json!({
        "words": report.words.len(),
        "missing": n_missing,
        "boundaries": { "gold": micro.gold, "system": micro.system, "matched": micro.matched },
        "precision": micro.precision(),
        "recall": micro.recall(),
        "f1": micro.f1(),
        "macro_precision": report.macro_precision(),
        "macro_recall": report.macro_recall(),
        "macro_f1": report.macro_f1(),
        "exact": report.exact_match(),
    })
}
