//! The choice of clusters and threshold.

use chain::{Threads, Workers};
use words::{Choice, ChooseOptions, Error, RareWords, choose};

use crate::treebank::Treebank;

fn small() -> ChooseOptions {
    ChooseOptions { n_clusters: vec![1, 20], thresholds: vec![1, 3], n_folds: 3, ..ChooseOptions::default() }
}

fn run(treebank: &Treebank, n: usize, options: &ChooseOptions, workers: &Workers) -> Choice {
    let sentences = treebank.sentences[..n].iter();
    let sentences: Vec<Vec<(&str, u32)>> = sentences
        .map(|sentence| sentence.iter().map(|(form, tag)| (form.as_str(), *tag)).collect())
        .collect();
    choose(&sentences, treebank.n_tags, options, workers).expect("a choice")
}

fn score(choice: &Choice, n_clusters: usize, threshold: u32) -> f64 {
    let row = |row: &&(words::Setting, f64)| row.0.n_clusters == n_clusters && row.0.threshold == threshold;
    choice.table.iter().find(row).expect("a setting of the table").1
}

#[test]
fn the_choice_does_not_depend_on_the_number_of_threads() {
    let Some(treebank) = Treebank::training("turkish_starlang") else { return };
    let parallel = Workers::new(Threads::from_count(2)).unwrap();
    let serial = run(&treebank, 60, &small(), &Workers::serial());
    assert_eq!(serial, run(&treebank, 60, &small(), &parallel));
    assert_eq!(serial.table.len(), 4);
}

#[test]
fn clusters_help_where_they_are_all_that_is_known_of_rare_words() {
    let Some(treebank) = Treebank::training("turkish_starlang") else { return };
    let options = ChooseOptions { rare_words: RareWords::ClusterOnly, ..small() };
    let choice = run(&treebank, 300, &options, &Workers::serial());
    assert!(score(&choice, 20, 3) > score(&choice, 1, 3) + 0.05, "{choice:?}");
    // With clusters made of everything, rare words have the counts of other rare words behind them.
    assert!(score(&choice, 20, 3) > score(&choice, 20, 1), "{choice:?}");
}

#[test]
fn the_form_of_a_rare_word_tells_more_than_its_cluster() {
    let Some(treebank) = Treebank::training("turkish_starlang") else { return };
    let with_form = run(&treebank, 300, &small(), &Workers::serial());
    let options = ChooseOptions { rare_words: RareWords::ClusterOnly, ..small() };
    let without = run(&treebank, 300, &options, &Workers::serial());
    assert!(score(&with_form, 20, 3) > score(&without, 20, 3) + 0.1, "{with_form:?} {without:?}");
}

#[test]
fn transductive_clusters_help_as_features() {
    let Some(treebank) = Treebank::training("turkish_starlang") else { return };
    let options = ChooseOptions { rare_words: RareWords::ClusterAsFeature, transductive: true, ..small() };
    let choice = run(&treebank, 300, &options, &Workers::serial());
    assert!(score(&choice, 20, 3) > score(&choice, 1, 3), "{choice:?}");
    assert_eq!(choice.best.n_clusters, 20);
}

#[test]
fn too_few_sentences_or_settings_are_errors() {
    let one = vec![vec![("a", 0)], vec![]];
    let serial = Workers::serial();
    assert_eq!(choose(&one, 1, &small(), &serial), Err(Error::TooFewSentences { found: 1 }));
    let two = vec![vec![("a", 0)], vec![("b", 0), ("c", 7)]];
    let none = ChooseOptions { thresholds: vec![], ..small() };
    assert_eq!(choose(&two, 1, &none, &serial), Err(Error::NoSettings));
    assert!(choose(&two, 1, &small(), &serial).unwrap().table.iter().all(|(_, score)| score.is_finite()));
}
