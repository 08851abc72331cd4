//! Brackets as EVALB prints them, and what it does not say.

use std::cmp::Reverse;
use treelet::PutInOrder;
use treelet::options::Score;
use treelet::table;
use treelet::use_cases::score::BracketScores;

pub(super) fn text(scores: &BracketScores, options: &Score) -> String {
    // EVALB prints a row per sentence; on a screen the summary is what most people want.
    let whole = scores.table(options.old_evalb);
    let mut text = match whole.split_once("=== Summary ===") {
        Some((_, summary)) if !options.per_sentence => {
            format!("=== Summary ===\n{}", summary.trim_start_matches('\n'))
        }
        _ => whole,
    };
    text.push_str(&format!(
        "\nStrict FMeasure           = {:6.2}   (sentences that were not compared count as missed)\n",
        scores.report.all.strict_f1()
    ));
    let mut not_compared = scores.report.not_compared().peekable();
    if not_compared.peek().is_some() {
        text.push_str("\nNot compared:\n");
    }
    for row in not_compared {
        text.push_str(&format!("  sentence {}: {}\n", row.id, row.status));
    }
    if options.per_label {
        text.push_str(&format!("\n{}", labels(scores)));
    }
    text
}

fn labels(scores: &BracketScores) -> String {
    let mut labels: Vec<_> = scores.report.labels.iter().collect();
    labels.order_by_key(|(label, counts)| (Reverse(counts.gold), *label));
    let rows: Vec<Vec<String>> = labels
        .into_iter()
        .map(|(label, counts)| {
            let figures =
                [counts.recall(), counts.precision(), counts.f1()].map(|figure| format!("{figure:.2}"));
            [label.to_string(), counts.gold.to_string(), counts.test.to_string()]
                .into_iter()
                .chain(figures)
                .collect()
        })
        .collect();
    table::render(&["label", "gold", "test", "recall", "precision", "F1"], &rows)
}
