//! What fuzzing once found interesting stays read: the kept corpora, without a fuzzer.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use formats::convert::{HeadFinder, Options, convert};
use formats::detect::Format;
use formats::everything::{copy, items};
use formats::tables;
use std::path::Path;
use testkit::files_below;

#[test]
fn every_kept_input_of_the_converter_is_converted_without_a_crash() {
    let corpora = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    let mut n_converted = 0;
    for file in files_below(&corpora.join("convert"), "") {
        let bytes = std::fs::read(&file).unwrap();
        let Some((&choice, data)) = bytes.split_first() else { continue };
        let (from, _) = Format::ALL[usize::from(choice) % Format::ALL.len()];
        for reading in items(from, data) {
            let item = reading.unwrap().value;
            for (to, _) in Format::ALL {
                n_converted += usize::from(
                    convert(item.clone(), from, to, &Options::new(HeadFinder::english())).is_ok(),
                );
            }
        }
    }
    assert!(n_converted > 50, "only {n_converted} conversions");
}

#[test]
fn reading_what_was_written_changes_nothing_for_every_kept_input() {
    let corpora = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    let mut n_inputs = 0;
    for (format, name) in Format::ALL {
        for file in files_below(&corpora.join(name.replace('-', "_")), "") {
            let bytes = std::fs::read(&file).unwrap();
            let (mut once, mut twice) = (Vec::new(), Vec::new());
            copy(format, &bytes[..], &mut once).unwrap();
            copy(format, &once[..], &mut twice).unwrap();
            assert_eq!(String::from_utf8_lossy(&once), String::from_utf8_lossy(&twice), "{}", file.display());
            n_inputs += 1;
        }
    }
    assert!(n_inputs > 100, "only {n_inputs} inputs below {}", corpora.display());
}

#[test]
fn every_kept_table_comes_back_from_what_was_written() {
    let corpora = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    let files = files_below(&corpora.join("tables"), "");
    assert!(files.len() > 3);
    for file in files {
        let bytes = std::fs::read(&file).unwrap();
        let table = tables::read(&bytes[..], &tables::Options::default()).unwrap().value;
        let mut out = Vec::new();
        tables::write(&table, tables::Delimiter::Comma, &mut out).unwrap();
        let again = tables::read(&out[..], &tables::Options::default()).unwrap().value;
        assert_eq!(again, table, "{}", file.display());
    }
}
