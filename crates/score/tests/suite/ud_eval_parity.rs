//! The figures of the CoNLL 2018 evaluation program.
#![allow(clippy::unwrap_used, reason = "helpers of tests may panic like tests")]

use score::conll18::evaluate;
use std::fs::read_to_string;

const TREEBANKS: [&str; 6] = ["ancora", "coptic", "english", "finnish", "uyghur", "wolof"];

#[test]
fn every_score_and_every_count_equals_the_shared_task_program() {
    let Some(folder) = testkit::shared("fixtures/ud-eval") else { return };
    let mut n_figures = 0;
    for name in TREEBANKS {
        let read = |suffix: &str| read_to_string(folder.join(format!("{name}.{suffix}"))).unwrap();
        let (gold, system) =
            (crate::common::conllu(&read("gold.conllu")), crate::common::conllu(&read("system.conllu")));
        let evaluation = evaluate(&gold, &system).unwrap();
        n_figures += assert_same_figures(&evaluation.scores_table(), &read("scores.txt"), name);
        n_figures += assert_same_figures(&evaluation.counts_table(), &read("counts.txt"), name);
    }
    println!("{n_figures} figures equal");
    // Thirteen metrics: 3 ratios each and 10 accuracies; 3 counts each and 11 counts of aligned words.
    assert_eq!(n_figures, 6 * (3 * 13 + 10 + 3 * 13 + 11));
}

/// Compares line by line, the two metrics of enhanced dependencies left out, and counts the figures.
fn assert_same_figures(ours: &str, theirs: &str, name: &str) -> usize {
    let basic = theirs.lines().filter(|line| !line.starts_with("ELAS") && !line.starts_with("EULAS"));
    assert_eq!(ours.lines().collect::<Vec<_>>(), basic.clone().collect::<Vec<_>>(), "{name}");
    basic.flat_map(|line| line.split('|')).filter(|column| column.trim().parse::<f64>().is_ok()).count()
}
