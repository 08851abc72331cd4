//! Dependencies as the CoNLL 2018 shared task prints them, and attachment as older work counts it.

use treelet::options::Score;
use treelet::table;
use treelet::use_cases::score::{BreakdownRow, DependencyScores};

pub(super) fn text(scores: &DependencyScores, options: &Score) -> String {
    let Some(evaluation) = &scores.evaluation else { return attachment(scores, options) };
    let mut text = evaluation.scores_table();
    if !text.ends_with('\n') {
        text.push('\n');
    }
    if scores.attachment.is_some() {
        text.push_str(&format!("\n{}", attachment(scores, options)));
    } else if options.per_label || options.per_sentence {
        text.push_str("\nNo tables per relation or sentence: the words of the two files differ.\n");
    }
    text
}

fn attachment(scores: &DependencyScores, options: &Score) -> String {
    let mut text = bands(scores);
    if options.per_label {
        text.push_str(&breakdowns(scores));
    }
    if options.per_sentence {
        text.push_str(&sentences(scores));
    }
    text
}

/// A row for all sentences, and one for those up to a length.
fn bands(scores: &DependencyScores) -> String {
    let bands = scores.attachment.iter().flat_map(|report| &report.bands);
    let rows: Vec<Vec<String>> = bands
        .map(|band| {
            let name = band.max_length.map_or_else(|| "all".into(), |length| format!("≤ {length} words"));
            let figures = band.figures;
            let shares = [
                figures.directed_accuracy(),
                figures.undirected_accuracy(),
                figures.ned(),
                figures.labelled_accuracy(),
                figures.exact_match(),
                figures.root_accuracy(),
            ];
            let counts = [figures.sentences.to_string(), figures.words.to_string()];
            [name].into_iter().chain(counts).chain(shares.map(percent)).collect()
        })
        .collect();
    let headings =
        ["length", "sentences", "words", "directed", "undirected", "NED", "labelled", "exact", "root"];
    table::render(&headings, &rows)
}

/// Tables per relation, per distance and per part of speech.
fn breakdowns(scores: &DependencyScores) -> String {
    let row = |row: BreakdownRow| {
        [row.name, row.gold.to_string()].into_iter().chain(row.shares.map(percent)).collect()
    };
    let mut text = String::new();
    for breakdown in scores.breakdowns() {
        let [name, one, other] = breakdown.names;
        let rows: Vec<Vec<String>> = breakdown.rows.into_iter().map(row).collect();
        text.push_str(&format!("\n{}", table::render(&[name, "gold", one, other], &rows)));
    }
    text
}

fn sentences(scores: &DependencyScores) -> String {
    let sentences = scores.attachment.iter().flat_map(|report| &report.rows);
    let rows: Vec<Vec<String>> = (1..)
        .zip(sentences)
        .map(|(number, row)| {
            let figures = row.figures;
            [number, row.length, figures.words, figures.directed, figures.labelled]
                .map(|n| n.to_string())
                .to_vec()
        })
        .collect();
    format!("\n{}", table::render(&["sentence", "length", "words", "heads", "labelled"], &rows))
}

fn percent(share: f64) -> String {
    format!("{:.2}", 100.0 * share)
}
