//! The choice of clusters and threshold.

use chain::{Threads, Workers};
use features::{Choice, ChooseOptions, Error, RareWords, choose};

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
    let row =
        |row: &&(features::Setting, f64)| row.0.n_clusters == n_clusters && row.0.threshold == threshold;
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

/// ln P(word | tag) of a word that was held out, by the formulas of `features::choose` with one cluster of rare words.
fn by_hand(training: &[(&str, u32)], vocabulary: &[&str], (word, tag): (&str, u32), threshold: usize) -> f64 {
    let count = |form: &str| training.iter().filter(|seen| seen.0 == form).count();
    let with_tag =
        |is: &dyn Fn(&str) -> bool| training.iter().filter(|seen| seen.1 == tag && is(seen.0)).count() as f64;
    let is_rare = |form: &str| count(form) < threshold;
    // r(w) = (c(w) + 1) / (N + |U|)
    let share = |form: &str| (count(form) + 1) as f64 / (training.len() + vocabulary.len()) as f64;
    let rare_share: f64 = vocabulary.iter().filter(|form| is_rare(form)).map(|form| share(form)).sum();
    // T(t): one more than the events seen with the tag, which are frequent words, and rare words together.
    let frequent =
        vocabulary.iter().filter(|form| !is_rare(form) && with_tag(&|seen| seen == **form) > 0.0).count();
    let novelty = (1 + frequent) as f64 + f64::from(u8::from(with_tag(&is_rare) > 0.0));
    let total = with_tag(&|_| true) + novelty;
    match is_rare(word) {
        false => ((with_tag(&|seen| seen == word) + novelty * share(word)) / total).ln(),
        true => ((with_tag(&is_rare) + novelty * rare_share) / total * share(word) / rare_share).ln(),
    }
}

#[test]
fn a_sentence_is_judged_by_what_the_others_tell() {
    let sentences: Vec<Vec<(&str, u32)>> = ["a0 b1 a0", "a0 c1", "b1 b0 d1 a0", "c1 e0"]
        .map(|text| text.split(' ').map(|word| (&word[..1], word[1..].parse().unwrap())).collect())
        .to_vec();
    let vocabulary = ["a", "b", "c", "d", "e"];
    // As many folds as sentences, so that it does not matter how they are dealt.
    let options = ChooseOptions {
        n_clusters: vec![1],
        thresholds: vec![1, 2, 3],
        n_folds: 4,
        rare_words: RareWords::ClusterOnly,
        ..ChooseOptions::default()
    };
    let choice = choose(&sentences, 2, &options, &Workers::serial()).unwrap();
    let expected = |threshold: usize| {
        let mut sum = 0.0;
        for (at, sentence) in sentences.iter().enumerate() {
            let others = sentences.iter().enumerate().filter(|(other, _)| *other != at);
            let training: Vec<(&str, u32)> = others.flat_map(|(_, other)| other.iter().copied()).collect();
            sum += sentence.iter().map(|&word| by_hand(&training, &vocabulary, word, threshold)).sum::<f64>();
        }
        sum / 11.0
    };
    for threshold in [1, 2, 3] {
        let (found, expected) = (score(&choice, 1, threshold), expected(threshold as usize));
        assert!((found - expected).abs() < 1e-9, "{threshold}: {found} instead of {expected}");
    }
    let best = [1, 2, 3].into_iter().reduce(|a, b| if expected(b) > expected(a) { b } else { a }).unwrap();
    assert_eq!(choice.best.threshold as usize, best);
}
