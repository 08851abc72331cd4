//! The program itself gives the figures of the reference programs.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use crate::common::Playground;
use std::path::Path;
use testkit::shared;

/// The figure after `name = ` in a section of EVALB's summary.
fn figure(summary: &str, name: &str) -> f64 {
    let line = summary.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{name}"));
    line.rsplit('=').next().unwrap().trim().parse().unwrap()
}

#[test]
fn evalb_summaries_are_reproduced_by_the_command() {
    let Some(folder) = shared("fixtures/evalb") else { return };
    let figures = [
        ("Number of sentence", "sentences"),
        ("Number of Error", "errors"),
        ("Number of Skip", "skipped"),
        ("Number of Valid", "valid"),
        ("Bracketing Recall", "recall"),
        ("Bracketing Precision", "precision"),
        ("Bracketing FMeasure", "f1"),
        ("Complete match", "exact"),
        ("Average crossing", "crossing"),
        ("No crossing", "no_crossing"),
        ("2 or less crossing", "two_or_less_crossing"),
        ("Tagging accuracy", "tagging"),
    ];
    let mut n_compared = 0;
    for name in ["wsj", "spanish_cess", "chinese_sinica", "icelandic_icepahc", "yoruba_akindele"] {
        for (set, flags) in [
            ("COLLINS", "--prm COLLINS.prm"),
            ("new", "--prm new.prm"),
            ("unlabeled", "--prm COLLINS.prm --unlabelled"),
            ("COLLINS", ""),
        ] {
            let json = in_folder(&folder, &format!("score {name}.gold.mrg {name}.test.mrg --json {flags}"));
            let expected = std::fs::read_to_string(folder.join(format!("{name}.{set}.txt"))).unwrap();
            let (all, cutoff) = expected.split_once("-- All --").unwrap().1.split_once("-- len<=").unwrap();
            for (section, key) in [(all, "all"), (cutoff, "cutoff")] {
                for (line, field) in figures {
                    let ours = json[key][field].as_f64().unwrap_or_else(|| panic!("{name} {key} {field}"));
                    assert!(
                        (ours - figure(section, line)).abs() < 0.005 + 1e-9,
                        "{name} {set} {key} {field}: {ours}"
                    );
                    n_compared += 1;
                }
            }
        }
    }
    assert_eq!(n_compared, 5 * 4 * 2 * 12);
}

#[test]
fn evaluation_of_universal_dependencies_is_reproduced_by_the_command() {
    let Some(folder) = shared("fixtures/ud-eval") else { return };
    let mut n_compared = 0;
    for name in ["ancora", "coptic", "english", "finnish", "uyghur", "wolof"] {
        let json = in_folder(&folder, &format!("score {name}.gold.conllu {name}.system.conllu --json"));
        let counts = std::fs::read_to_string(folder.join(format!("{name}.counts.txt"))).unwrap();
        for line in counts.lines().skip(2) {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            if cells[0] == "ELAS" || cells[0] == "EULAS" {
                continue;
            }
            for (cell, field) in [(1, "correct"), (2, "gold"), (3, "system")] {
                assert_eq!(
                    json[cells[0]][field].as_u64(),
                    cells[cell].parse().ok(),
                    "{name} {} {field}",
                    cells[0]
                );
                n_compared += 1;
            }
        }
    }
    assert_eq!(n_compared, 6 * 13 * 3);
}

fn in_folder(folder: &Path, arguments: &str) -> serde_json::Value {
    let arguments: Vec<String> = arguments
        .split_whitespace()
        .map(
            |word| {
                if word.contains('.') { folder.join(word).display().to_string() } else { word.to_string() }
            },
        )
        .collect();
    Playground::new().run(&arguments.join(" ")).json()
}
