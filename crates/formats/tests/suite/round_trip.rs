//! Real treebanks come back byte for byte.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use formats::detect::Format;
use formats::everything::copy;
use std::path::Path;
use testkit::{files_below, shared};

/// Files and sentences that came back identical, and the names of those that did not.
fn round_trip(format: Format, folder: &Path, suffix: &str) -> (usize, usize, Vec<String>) {
    let (mut n_files, mut n_items, mut changed) = (0, 0, Vec::new());
    for path in files_below(folder, suffix) {
        let bytes = std::fs::read(&path).unwrap();
        let mut out = Vec::new();
        let copied = copy(format, &bytes[..], &mut out).unwrap();
        n_items += copied.n_items;
        n_files += 1;
        if out != bytes {
            changed.push(path.strip_prefix(folder).unwrap().display().to_string());
        }
    }
    (n_files, n_items, changed)
}

#[test]
fn every_conllu_file_comes_back_byte_for_byte() {
    let Some(folder) = shared("data/dependency") else { return };
    let (n_files, n_sentences, changed) = round_trip(Format::Conllu, &folder, ".conllu");
    println!("{n_files} CoNLL-U files, {n_sentences} sentences, changed: {changed:?}");
    assert_eq!((n_files, n_sentences), (164, 62_734));
    assert!(changed.is_empty(), "{changed:?}");
}

#[test]
fn older_conll_files_come_back_byte_for_byte() {
    let Some(folder) = shared("data/dependency") else { return };
    let (n_files, _, changed) = round_trip(Format::Conllx, &folder, ".conll");
    println!("{n_files} CoNLL-X files, changed: {changed:?}");
    assert!(n_files > 20 && changed.is_empty(), "{changed:?}");
    let Some(folder) = shared("data/ner_srl_re/srl_conll09") else { return };
    let (n_files, _, changed) = round_trip(Format::Conll09, &folder, ".conll09");
    println!("{n_files} CoNLL-2009 files, changed: {changed:?}");
    assert!(n_files > 20 && changed.is_empty(), "{changed:?}");
}

#[test]
fn bracketed_trees_come_back_byte_for_byte() {
    let Some(folder) = shared("data/constituency") else { return };
    let (n_files, n_trees, changed) = round_trip(Format::Brackets, &folder, ".mrg");
    println!("{n_files} bracket files, {n_trees} trees, changed: {changed:?}");
    assert_eq!((n_files, n_trees), (84, 100_622));
    assert!(changed.is_empty(), "{changed:?}");
}

#[test]
fn entity_columns_come_back_byte_for_byte() {
    let Some(folder) = shared("data/ner_srl_re/masakhaner2") else { return };
    let (n_files, _, changed) = round_trip(Format::Bio, &folder, ".txt");
    println!("{n_files} BIO files, changed: {changed:?}");
    assert!(n_files == 24 && changed.is_empty(), "{changed:?}");
    let Some(folder) = shared("data/ner_srl_re/conll2002") else { return };
    let sizes = [("testa", 2_000), ("testb", 6_712), ("train", 5_000)];
    for (part, n_sentences) in sizes {
        let (n_files, n_items, changed) = round_trip(Format::Bio, &folder, part);
        assert_eq!((n_files, n_items), (2, n_sentences), "{part}");
        assert!(changed.is_empty(), "{changed:?}");
    }
}

#[test]
fn entities_relations_and_roles_come_back_byte_for_byte() {
    let Some(folder) = shared("data/ner_srl_re") else { return };
    let formats = [
        (Format::Joint, "gum_joint", ".joint", 3, 5_928),
        (Format::Joint, "turkish_joint", ".joint", 3, 1_800),
        (Format::Conll04, "re_conll04", ".txt", 3, 1_441),
        (Format::Semeval, "re_semeval2010_8", "_FILE.TXT", 1, 8_000),
        (Format::Semeval, "re_semeval2010_8", "_FULL.TXT", 1, 2_717),
    ];
    for (format, name, suffix, n_files, n_sentences) in formats {
        let (n_read, n_items, changed) = round_trip(format, &folder.join(name), suffix);
        assert_eq!((n_read, n_items), (n_files, n_sentences), "{name}");
        assert!(changed.is_empty(), "{changed:?}");
    }
}
