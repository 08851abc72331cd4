//! The figures of the C program EVALB, row for row.
#![allow(clippy::unwrap_used, reason = "helpers of tests may panic like tests")]

use score::brackets::{BracketReport, Layout, Options, Parameters, Scorer};
use std::fs::read_to_string;
use std::path::Path;

const TREEBANKS: [&str; 5] =
    ["wsj", "spanish_cess", "chinese_sinica", "icelandic_icepahc", "yoruba_akindele"];

#[test]
fn every_row_and_every_figure_equals_evalb() {
    let Some(folder) = testkit::shared("fixtures/evalb") else { return };
    let (mut n_rows, mut n_figures) = (0, 0);
    for name in TREEBANKS {
        for (suffix, parameters) in settings(&folder) {
            let gold = read_to_string(folder.join(format!("{name}.gold.mrg"))).unwrap();
            let test = read_to_string(folder.join(format!("{name}.test.mrg"))).unwrap();
            let expected = read_to_string(folder.join(format!("{name}.{suffix}.txt"))).unwrap();
            let report = score(&gold, &test, parameters);
            let (rows, figures) = assert_same_lines(&report.table(), &expected, &format!("{name} {suffix}"));
            n_rows += rows;
            n_figures += figures;
        }
    }
    println!("{n_rows} rows and {n_figures} summary figures equal");
    assert_eq!((n_rows, n_figures), (3 * (400 + 200 + 200 + 200 + 100), 15 * (9 + 2 * 12)));
}

fn settings(folder: &Path) -> [(&'static str, Parameters); 3] {
    let collins = read_parameters(&folder.join("COLLINS.prm"));
    let new = read_parameters(&folder.join("new.prm"));
    let unlabeled = Parameters { labeled: false, ..collins.clone() };
    [("COLLINS", collins), ("new", new), ("unlabeled", unlabeled)]
}

fn read_parameters(path: &Path) -> Parameters {
    let (parameters, problems) = Parameters::parse(&read_to_string(path).unwrap());
    assert_eq!(problems, []);
    parameters
}

fn score(gold: &str, test: &str, parameters: Parameters) -> BracketReport {
    let mut scorer = Scorer::new(Options { parameters, ..Options::default() });
    assert_eq!(gold.lines().count(), test.lines().count());
    for (gold, test) in gold.lines().zip(test.lines()) {
        scorer.add(&crate::common::trees(gold), &crate::common::trees(test));
    }
    scorer.finish()
}

/// Compares line by line and counts sentence rows and summary figures (the total line holds nine).
fn assert_same_lines(ours: &str, theirs: &str, what: &str) -> (usize, usize) {
    let (mut n_rows, mut n_figures) = (0, 0);
    for (ours, theirs) in ours.lines().zip(theirs.lines()) {
        assert_eq!(ours, theirs, "{what}");
        let n_columns = theirs.split_whitespace().count();
        let numeric = theirs.split_whitespace().all(|column| column.parse::<f64>().is_ok());
        n_rows += usize::from(numeric && n_columns == 12);
        n_figures += usize::from(theirs.contains(" = ")) + if numeric && n_columns == 9 { 9 } else { 0 };
    }
    assert_eq!(ours.lines().count(), theirs.lines().count(), "{what}");
    assert_eq!(ours, theirs, "{what}: ends of lines");
    (n_rows, n_figures)
}

#[test]
fn built_in_collins_parameters_are_the_file() {
    let Some(path) = testkit::shared("fixtures/evalb/COLLINS.prm") else { return };
    assert_eq!(Parameters::collins(), read_parameters(&path));
}

/// The example that comes with the program was printed by an older release, see [`Layout::Old`].
#[test]
fn own_example_equals_byte_for_byte_in_the_layout_of_the_release_that_printed_it() {
    let Some(folder) = testkit::shared("fixtures/evalb") else { return };
    let read = |name: &str| read_to_string(folder.join(name)).unwrap();
    let report = score(&read("sample.gld"), &read("sample.tst"), read_parameters(&folder.join("sample.prm")));
    let theirs = read("sample.rsl");
    assert_eq!(theirs.lines().count(), 56);
    assert_eq!(report.table_as(Layout::Old), theirs);
    // The recent layout differs in rows that were not compared and in the total of crossing brackets, as the tables
    // of the recent release show above.
    assert_ne!(report.table(), theirs);
}

#[test]
fn sentences_left_out_are_named_and_count_in_the_strict_figure() {
    let Some(folder) = testkit::shared("fixtures/evalb") else { return };
    let read = |name: &str| read_to_string(folder.join(name)).unwrap();
    let report = score(&read("wsj.gold.mrg"), &read("wsj.test.mrg"), Parameters::collins());
    let left_out: Vec<_> = report.not_compared().map(|row| (row.id, row.status.code())).collect();
    assert_eq!(left_out, [(8, 2), (12, 1)]);
    let missed: usize = report.not_compared().map(|row| row.gold_brackets).sum();
    assert!(missed > 10);
    assert_eq!(report.all.strict.gold, report.all.brackets.gold + missed);
    assert!(report.all.strict_f1() < report.all.f1());
    let by_label: usize = report.labels.values().map(|counts| counts.gold_matched).sum();
    assert_eq!(by_label, report.all.brackets.matched);
}
