//! How well the tag of an unseen word is guessed, on the training parts of real treebanks.
//!
//! Trained on the first trees, measured on the words of later trees of the same file that were not among
//! them. The bounds lie one to two points under what was measured when the defaults were chosen.

use std::collections::BTreeSet;

use features::{ClusterOptions, Clusters, Observation, TagModel, TagModelOptions};

use crate::treebank::Treebank;

fn measured_trees(treebank: &Treebank) -> &[Vec<(String, u32)>] {
    let n = treebank.sentences.len();
    if n >= 3000 { &treebank.sentences[2000..3000] } else { &treebank.sentences[n - 500..] }
}

fn observations(sentences: &[Vec<(String, u32)>]) -> Vec<Observation<'_>> {
    let words = sentences.iter().flat_map(|sentence| sentence.iter().enumerate());
    words.map(|(i, (form, tag))| Observation { form, first: i == 0, tag: *tag, count: 1.0 }).collect()
}

/// The share of unseen words whose tag is guessed, in per cent.
fn accuracy(treebank: &Treebank, n_trees: usize, clusters: Option<&Clusters>) -> f64 {
    let class = |form: &str| -> Vec<u64> {
        clusters.iter().map(|clusters| u64::from(clusters.class(form, false, None, None))).collect()
    };
    let training = observations(&treebank.sentences[..n_trees]);
    let extra: Vec<Vec<u64>> = training.iter().map(|seen| class(seen.form)).collect();
    let extra: Vec<&[u64]> = extra.iter().map(Vec::as_slice).collect();
    let model = TagModel::fit_with(&training, &extra, treebank.n_tags, &TagModelOptions::default());
    let known: BTreeSet<&str> = training.iter().map(|seen| seen.form).collect();
    let (mut right, mut all, mut posterior) = (0, 0, Vec::new());
    for word in observations(measured_trees(treebank)).iter().filter(|word| !known.contains(word.form)) {
        model.posterior_with(word.form, word.first, &class(word.form), &mut posterior);
        let best = (0..posterior.len()).max_by(|&a, &b| posterior[a].total_cmp(&posterior[b]));
        right += usize::from(best == Some(word.tag as usize));
        all += 1;
    }
    100.0 * f64::from(right as u32) / f64::from(all)
}

fn check(name: &str, bounds: &[(usize, f64)]) {
    let Some(treebank) = Treebank::training(name) else { return };
    for &(n_trees, bound) in bounds {
        let accuracy = accuracy(&treebank, n_trees, None);
        assert!(accuracy >= bound, "{name} after {n_trees} trees: {accuracy:.1} < {bound}");
    }
}

#[test]
fn unseen_english_words_are_tagged() {
    check("english_wsj", &[(100, 63.5), (200, 68.0), (500, 72.5)]);
}

#[test]
fn unseen_ancient_greek_words_are_tagged() {
    check("ancient_greek_nt", &[(100, 67.0), (200, 74.0), (500, 79.5)]);
}

#[test]
fn unseen_indonesian_words_are_tagged() {
    check("indonesian_icon", &[(100, 69.0), (200, 72.5), (500, 76.0)]);
}

#[test]
fn unseen_turkish_words_are_tagged() {
    check("turkish_starlang", &[(100, 66.5), (200, 70.5), (500, 78.0)]);
}

#[test]
fn unseen_spanish_words_are_tagged() {
    check("spanish_cess", &[(100, 70.5), (200, 75.0), (500, 79.0)]);
}

#[test]
fn unseen_icelandic_words_are_tagged_with_case_and_tense() {
    check("icelandic_icepahc", &[(100, 29.0), (200, 32.5), (500, 37.0)]);
}

#[test]
fn clusters_of_the_raw_text_help_to_tag_unseen_words() {
    let Some(treebank) = Treebank::training("english_wsj") else { return };
    let raw = treebank.sentences[..100].iter().chain(measured_trees(&treebank));
    let raw = raw.map(|sentence| sentence.iter().map(|(form, _)| form.as_str()));
    let clusters = Clusters::fit(raw, &ClusterOptions::default());
    let (without, with) = (accuracy(&treebank, 100, None), accuracy(&treebank, 100, Some(&clusters)));
    assert!(with > without + 1.0, "{without:.1} {with:.1}");
}
