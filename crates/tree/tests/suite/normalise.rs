//! Normalisation against the reference normalisation of the treebanks.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::common::{any_tree, read, read_file, show};
use proptest::prelude::*;
use tree::transform::{Conventions, Normalisation, normalise};

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

/// Normalises a file by its own conventions; gives back the share of trees that are as the reference has them.
fn share_like_the_reference(treebank: &str) -> Option<f64> {
    let raw = read_file(&testkit::shared(&format!("data/constituency/{treebank}/raw/train.mrg"))?);
    let norm = read_file(&testkit::shared(&format!("data/constituency/{treebank}/norm/train.mrg"))?);
    let mut conventions = Conventions::default();
    raw.iter().for_each(|tree| conventions.see(tree));
    let options = conventions.normalisation();
    let normal: Vec<String> =
        raw.iter().filter_map(|tree| normalise(tree, &options)).map(|tree| show(&tree)).collect();
    assert_eq!(normal.len(), norm.len(), "{treebank}");
    // The reference takes words that start with < for markup, even if they are quotation marks; we keep them.
    let pairs = normal.iter().zip(&norm).filter(|(normal, _)| !normal.contains(" <"));
    let same = pairs.clone().filter(|(normal, norm)| **normal == show(norm)).count();
    Some(same as f64 / pairs.count() as f64)
}

#[test]
fn treebanks_with_bare_traces_zeros_and_lemmas_become_the_reference_by_their_own_conventions() {
    // The reference also cuts some labels of the Japanese trees that have no hyphen in them.
    let treebanks = [
        ("english_wsj", 1.0),
        ("indonesian_idn", 1.0),
        ("icelandic_icepahc", 0.98),
        ("yiddish_ppchy", 0.98),
        ("old_french_ppchf", 0.98),
        ("japanese_keyaki", 0.95),
    ];
    for (treebank, least) in treebanks {
        let Some(share) = share_like_the_reference(treebank) else { return };
        assert!(share >= least, "{treebank}: {share}");
    }
}

/// Normalises trees by the conventions of all of them.
fn check_by_convention(raw: &[&str], expected: &[&str]) {
    let trees: Vec<_> = raw.iter().map(|raw| read(raw)).collect();
    let mut conventions = Conventions::default();
    trees.iter().for_each(|tree| conventions.see(tree));
    let options = conventions.normalisation();
    let shown: Vec<String> =
        trees.iter().filter_map(|tree| normalise(tree, &options)).map(|tree| show(&tree)).collect();
    assert_eq!(shown, expected);
}

#[test]
fn traces_zeros_and_lemmas_go_where_a_file_writes_them_so() {
    check_by_convention(
        &[
            "( (IP-MAT (NP-SBJ *T*-1) (CP (WNP-2 0) (C 0) (VB fer-fara)) (NP (N maður-maður) (, ,-,) (N x-y) (. .-.)) (TO *)))",
        ],
        &["(TOP (IP (CP (VB fer)) (NP (N maður) (, ,) (N x) (. .))))"],
    );
    check_by_convention(&["(S (NP *pro*=3-2) (V go))"], &["(TOP (S (V go)))"]);
}

#[test]
fn words_that_look_like_traces_zeros_or_lemmas_stay_where_a_file_does_not_write_them_so() {
    let words = "(S (SYM *) (CD 0) (NN well-being) (NN ad-hoc) (JJ *bad) (: ***) (: -) (: --))";
    check_by_convention(
        &[words],
        &["(TOP (S (SYM *) (CD 0) (NN well-being) (NN ad-hoc) (JJ *bad) (: ***) (: -) (: --)))"],
    );
    // Zeros and asterisks in a file that has empty elements too.
    check_by_convention(
        &["(IP (WNP-1 0) (NUM 0) (NUM 12) (* *) (NP *T*-1) (VB goes))"],
        &["(TOP (IP (NUM 0) (NUM 12) (* *) (VB goes)))"],
    );
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
