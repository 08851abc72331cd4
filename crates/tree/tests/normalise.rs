//! Normalisation against the reference normalisation of the treebanks.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::{any_tree, read, read_file, show};
use proptest::prelude::*;
use tree::transform::{Normalisation, normalise};

fn check(raw: &str, expected: &str, options: &Normalisation) {
    let shown = normalise(&read(raw), options).map_or("nothing".into(), |tree| show(&tree));
    assert_eq!(shown, expected, "from {raw}");
}

fn check_files(treebank: &str, files: &[(&str, usize)], options: &Normalisation) {
    for &(file, n_trees) in files {
        let Some(raw) = testkit::shared(&format!("data/constituency/{treebank}/raw/{file}.mrg")) else {
            return;
        };
        let Some(norm) = testkit::shared(&format!("data/constituency/{treebank}/norm/{file}.mrg")) else {
            return;
        };
        let (raw, norm) = (read_file(&raw), read_file(&norm));
        assert_eq!((raw.len(), norm.len()), (n_trees, n_trees), "{treebank} {file}");
        for (line, (raw, norm)) in raw.iter().zip(&norm).enumerate() {
            let normal = normalise(raw, options).expect("something is left of every tree");
            assert_eq!(show(&normal), show(norm), "{treebank} {file}, line {}", line + 1);
        }
    }
}

#[test]
fn wall_street_journal_becomes_the_reference_tree_for_tree() {
    check_files("english_wsj", &[("train", 3401), ("dev", 175)], &Normalisation::default());
}

#[test]
fn indonesian_treebanks_become_the_reference_tree_for_tree() {
    let options = Normalisation::default();
    check_files("indonesian_icon", &[("train", 3000), ("dev", 700), ("test", 700)], &options);
    check_files("indonesian_idn", &[("train", 830), ("dev", 100), ("test", 97)], &options);
}

#[test]
fn functional_tags_and_indices_are_cut_but_bracket_labels_are_not() {
    let options = Normalisation::default();
    check("(S (NP-SBJ=2 (-LRB- -LRB-) (NN|VB x)))", "(TOP (S (NP (-LRB- -LRB-) (NN|VB x))))", &options);
    check("(S (=X (NN x)) (|-Y (NN x)))", "(TOP (S (=X (NN x)) (|-Y (NN x))))", &options);
    let indices_only = Normalisation { separators: vec!['='], ..options.clone() };
    check("(S (NP-SBJ=2 (-X-=1 (NN x))))", "(TOP (S (NP-SBJ (-X-=1 (NN x)))))", &indices_only);
    let tags_too = Normalisation { cut_tags: true, ..options };
    check("(S (NP (NN-1 x) (-NONE- *)))", "(TOP (S (NP (NN x))))", &tags_too);
}

#[test]
fn emptied_constituents_go_and_nothing_is_none() {
    let options = Normalisation::default();
    check("(S (NP (-NONE- *T*)) (VP (VB go) (CODE (X y))))", "(TOP (S (VP (VB go))))", &options);
    check("( (S (NP (-NONE- *T*)) (ADVP)))", "nothing", &options);
    let traces = Normalisation { bare_traces: true, empty_words: vec!["0".into()], ..options };
    check("( (S (sn.e-SUJ *0*) (C 0) (v va)))", "(TOP (S (v va)))", &traces);
    check("(IP *pro* (VP ra (NP *)))", "(TOP (IP (VP ra)))", &traces);
}

#[test]
fn repeated_labels_collapse_but_preterminals_do_not() {
    let options = Normalisation::default();
    check("(NP (NP-1 (NP=2 (DT a) (NN b))))", "(TOP (NP (DT a) (NN b)))", &options);
    check("(X (X (X x)))", "(TOP (X (X x)))", &options);
    check("(NP (NP (-NONE- *)) (NP (NN b)))", "(TOP (NP (NN b)))", &options);
}

#[test]
fn outer_bracket_replaces_a_wrapper_or_is_put_around() {
    let options = Normalisation::default();
    for wrapped in ["( (S (X x)))", "(ROOT (S (X x)))", "(S1 (TOP (VROOT (S (X x)))))", "(S (X x))"] {
        check(wrapped, "(TOP (S (X x)))", &options);
    }
    check("( (S (X x)) (ID 4))", "(TOP (S (X x)))", &options);
    check("( (S (X x)) (S (Y y)))", "(TOP (S (X x)) (S (Y y)))", &options);
    check("(NN x)", "(TOP (NN x))", &options);
    check("(ROOT (S (X x)))", "(ROOT (S (X x)))", &Normalisation { top: None, ..options });
}

proptest! {
    #[test]
    fn normal_form_of_a_normal_form_is_itself(tree in any_tree()) {
        let options = Normalisation::default();
        if let Some(once) = normalise(&tree, &options) {
            prop_assert_eq!(normalise(&once, &options), Some(once));
        }
    }

    #[test]
    fn every_word_but_the_empty_ones_survives(tree in any_tree()) {
        let options = Normalisation { empty_tags: vec![], drop_labels: vec![], ..Normalisation::default() };
        let normal = normalise(&tree, &options);
        let words: Vec<_> = normal.iter().flat_map(|tree| tree.words()).collect();
        prop_assert_eq!(words, tree.words().collect::<Vec<_>>());
    }
}
