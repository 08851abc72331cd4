//! Labelled words: entities as `conlleval` counts them, and accuracy.

use treelet::options::Score;
use treelet::table;
use treelet::use_cases::score::{Counts, LabelScores};

pub(super) fn text(scores: &LabelScores, options: &Score) -> String {
    let mut rows = vec![row("all", scores.all)];
    rows.push(row("without types", scores.unlabelled));
    rows.extend(scores.kinds.iter().map(|(kind, counts)| row(kind, *counts)));
    let mut text = table("entities", &rows);
    text.push_str(&format!("accuracy of labels: {:.2}\n", scores.accuracy));
    if options.per_sentence {
        let sentences = (1..).zip(&scores.sentences);
        let rows: Vec<_> =
            sentences.map(|(number, counts): (usize, _)| row(&number.to_string(), *counts)).collect();
        text.push_str(&format!("\n{}", table("sentence", &rows)));
    }
    text
}

pub(super) fn table(heading: &str, rows: &[Vec<String>]) -> String {
    table::render(&[heading, "gold", "system", "correct", "precision", "recall", "F1"], rows)
}

pub(super) fn row(name: &str, counts: Counts) -> Vec<String> {
    let numbers = [counts.gold, counts.system, counts.matched].map(|n| n.to_string());
    let shares = [counts.precision(), counts.recall(), counts.f1()];
    let shares = shares.map(|share| format!("{:.2}", 100.0 * share));
    [name.to_string()].into_iter().chain(numbers).chain(shares).collect()
}
