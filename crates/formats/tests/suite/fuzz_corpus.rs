//! What fuzzing once found interesting stays read: the kept corpora, without a fuzzer.
//!
//! They lie in `fuzz/corpus.tar.xz`, thousands of small files in one.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use formats::convert::{HeadFinder, Options, convert};
use formats::detect::Format;
use formats::everything::{copy, items};
use formats::tables;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The kept inputs of one target, with their names.
///
/// A tar archive is a row of blocks of 512 bytes: before each file a block with its name (bytes 0 to 99), its length in octal digits
/// (124 to 134) and its kind (156, `0` for a file), then its bytes, filled up to a whole block.
fn inputs(target: &str) -> Vec<(String, Vec<u8>)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus.tar.xz");
    let mut archive = Vec::new();
    lzma_rust2::XzReader::new(File::open(path).unwrap(), true).read_to_end(&mut archive).unwrap();
    let mut inputs = Vec::new();
    let mut rest = &archive[..];
    while rest.len() >= 512 && rest[0] != 0 {
        let text = |bytes: &[u8]| {
            String::from_utf8(bytes.iter().copied().take_while(|&byte| byte != 0).collect()).unwrap()
        };
        let (name, kind) = (text(&rest[..100]), rest[156]);
        let length = usize::from_str_radix(&text(&rest[124..135]), 8).unwrap();
        if kind == b'0' && name.starts_with(&format!("corpus/{target}/")) {
            inputs.push((name, rest[512..512 + length].to_vec()));
        }
        rest = &rest[512 + length.next_multiple_of(512)..];
    }
    inputs
}

#[test]
fn every_kept_input_of_the_converter_is_converted_without_a_crash() {
    let mut n_converted = 0;
    for (_, bytes) in inputs("convert") {
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
    let mut n_inputs = 0;
    for (format, name) in Format::ALL {
        for (file, bytes) in inputs(&name.replace('-', "_")) {
            let (mut once, mut twice) = (Vec::new(), Vec::new());
            copy(format, &bytes[..], &mut once).unwrap();
            copy(format, &once[..], &mut twice).unwrap();
            assert_eq!(String::from_utf8_lossy(&once), String::from_utf8_lossy(&twice), "{file}");
            n_inputs += 1;
        }
    }
    assert!(n_inputs > 3000, "only {n_inputs} inputs");
}

#[test]
fn every_kept_table_comes_back_from_what_was_written() {
    let inputs = inputs("tables");
    assert!(inputs.len() > 3);
    for (file, bytes) in inputs {
        let table = tables::read(&bytes[..], &tables::Options::default()).unwrap().value;
        let mut out = Vec::new();
        tables::write(&table, tables::Delimiter::Comma, &mut out).unwrap();
        let again = tables::read(&out[..], &tables::Options::default()).unwrap().value;
        assert_eq!(again, table, "{file}");
    }
}
