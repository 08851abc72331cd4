//! How far annotators agree on each column.

use super::percent;
use treelet::table;
use treelet::use_cases::agree::{ColumnAgreement, Confusion, LabelCounts};

pub(super) fn text(columns: &[(String, ColumnAgreement)]) -> String {
    if columns.is_empty() {
        return String::new();
    }
    let rows: Vec<Vec<String>> = columns.iter().map(|(name, column)| row(name, column)).collect();
    let mut text = String::from("\nColumns\n");
    text.push_str(&table::render(&["column", "units", "agreed", "kappa", "alpha"], &rows));
    text.push_str(
        "units: words of which two say something, over all pairs; agreed: per cent of them (brackets: F1); kappa, \
         alpha: agreement\nbeyond chance, 1 is perfect and 0 what chance gives (alpha takes all annotators at once); \
         heads count as distances\n",
    );
    for (name, column) in columns {
        if let Some(counts) = &column.labels {
            text.push_str(&labels(name, counts));
            text.push_str(&confusions(column.confusions.as_deref().unwrap_or_default()));
        }
    }
    text
}

fn row(name: &str, column: &ColumnAgreement) -> Vec<String> {
    let chance = |value: Option<f64>| value.map_or("–".into(), |value| format!("{value:.3}"));
    vec![
        name.to_string(),
        column.units.to_string(),
        percent(column.agreed),
        chance(column.kappa),
        chance(column.alpha),
    ]
}

/// A row for each label.
fn labels(name: &str, counts: &[(String, LabelCounts)]) -> String {
    let row = |(label, counts): &(String, LabelCounts)| {
        let &LabelCounts { first, second, both } = counts;
        let agreed = 2.0 * both as f64 / (first + second).max(1) as f64;
        vec![label.clone(), first.to_string(), second.to_string(), both.to_string(), percent(Some(agreed))]
    };
    let rows: Vec<Vec<String>> = counts.iter().map(row).collect();
    let headings = ["label", "first", "second", "both", "agreed"];
    format!("\nBy label: {name}\n{}", table::render(&headings, &rows))
}

/// What is confused with what.
fn confusions(confusions: &[Confusion]) -> String {
    if confusions.is_empty() {
        return String::new();
    }
    let shown: Vec<String> =
        confusions.iter().map(|one| format!("{}/{} {}", one.first, one.second, one.n)).collect();
    format!("most often confused: {}\n", shown.join(", "))
}
