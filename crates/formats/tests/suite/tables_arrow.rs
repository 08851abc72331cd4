//! Tables in the formats of Arrow.
#![cfg(feature = "arrow")]
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use arrow_array::types::{Int8Type, Int32Type};
use arrow_array::*;
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use formats::Read;
use formats::tables::{Options, Table, read};
use proptest::prelude::*;
use std::sync::Arc;

fn batch(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, array)| (name, array, true)))
        .unwrap()
}

fn file(batches: &[RecordBatch], compression: Option<CompressionType>) -> Vec<u8> {
    let options = IpcWriteOptions::default().try_with_compression(compression).unwrap();
    let mut writer = FileWriter::try_new_with_options(Vec::new(), &batches[0].schema(), options).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.into_inner().unwrap()
}

fn stream(batches: &[RecordBatch]) -> Vec<u8> {
    let mut writer = StreamWriter::try_new(Vec::new(), &batches[0].schema()).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.into_inner().unwrap()
}

fn table(bytes: &[u8]) -> Read<Table> {
    read(bytes, &Options::default()).unwrap()
}

fn column(table: &Table, name: &str) -> Vec<Option<String>> {
    let column = table.column(table.column_index(name).unwrap());
    column.iter().map(|&id| table.text(id).map(String::from)).collect()
}

fn sample() -> RecordBatch {
    let words: DictionaryArray<Int8Type> = [Some("b"), None, Some("a"), Some("b")].into_iter().collect();
    let no_words: DictionaryArray<Int32Type> = [None::<&str>; 4].into_iter().collect();
    batch(vec![
        ("text", Arc::new(StringArray::from(vec![Some("é"), Some("NA"), None, Some(" x")]))),
        ("large", Arc::new(LargeStringArray::from(vec!["1", "2", "3", ""]))),
        ("view", Arc::new(StringViewArray::from(vec!["a text of more than twelve bytes", "y", "y", "z"]))),
        ("words", Arc::new(words)),
        ("no words", Arc::new(no_words)),
        ("bool", Arc::new(BooleanArray::from(vec![Some(true), Some(false), None, Some(true)]))),
        ("i8", Arc::new(Int8Array::from(vec![Some(-128), None, Some(0), Some(7)]))),
        ("u64", Arc::new(UInt64Array::from(vec![u64::MAX, 0, 1, 2]))),
        ("f32", Arc::new(Float32Array::from(vec![0.1, -0.0, f32::MAX, f32::NAN]))),
        ("f64", Arc::new(Float64Array::from(vec![1.0, 0.1 + 0.2, 1e-300, f64::NEG_INFINITY]))),
        ("null", Arc::new(NullArray::new(4))),
    ])
}

#[test]
fn every_type_with_an_obvious_text_is_read_from_files_and_streams() {
    let files = [None, Some(CompressionType::LZ4_FRAME), Some(CompressionType::ZSTD)]
        .map(|packed| file(&[sample()], packed));
    for bytes in files.into_iter().chain([stream(&[sample()])]) {
        let found = table(&bytes);
        assert!(found.problems.is_empty(), "{:?}", found.problems);
        let expected: [(&str, [Option<&str>; 4]); 11] = [
            ("text", [Some("é"), None, None, Some(" x")]),
            ("large", [Some("1"), Some("2"), Some("3"), None]),
            ("view", [Some("a text of more than twelve bytes"), Some("y"), Some("y"), Some("z")]),
            ("words", [Some("b"), None, Some("a"), Some("b")]),
            ("no words", [None; 4]),
            ("bool", [Some("1"), Some("0"), None, Some("1")]),
            ("i8", [Some("-128"), None, Some("0"), Some("7")]),
            ("u64", [Some("18446744073709551615"), Some("0"), Some("1"), Some("2")]),
            ("f32", [Some("0.1"), Some("-0"), Some("3.4028235e38"), None]),
            ("f64", [Some("1"), Some("0.30000000000000004"), Some("1e-300"), Some("-inf")]),
            ("null", [None; 4]),
        ];
        assert_eq!(found.value.names(), expected.map(|(name, _)| name));
        for (name, cells) in expected {
            assert_eq!(column(&found.value, name), cells.map(|cell| cell.map(String::from)), "{name}");
        }
    }
}

#[test]
fn columns_of_other_types_are_missing_and_named() {
    let dates = Date32Array::from(vec![1, 2]);
    let mixed = batch(vec![
        ("day", Arc::new(dates)),
        ("x", Arc::new(Int32Array::from(vec![1, 2]))),
        ("x", Arc::new(Int32Array::from(vec![3, 4]))),
    ]);
    let found = table(&file(&[mixed.clone(), mixed], None));
    assert_eq!(found.value.names(), ["day", "x", "x.2"]);
    assert_eq!((found.value.n_rows(), column(&found.value, "day")), (4, vec![None; 4]));
    assert_eq!(column(&found.value, "x.2"), ["3", "4", "3", "4"].map(|cell| Some(cell.to_owned())));
    let rules: Vec<&str> = found.problems.iter().map(|problem| problem.rule).collect();
    assert_eq!(rules, ["duplicate-column", "arrow-type"]);
    assert!(found.problems[1].message.contains("`day`"));
}

#[test]
fn files_cut_off_anywhere_give_whole_batches_and_a_problem() {
    let batches = [sample(), sample()];
    for bytes in [file(&batches, None), stream(&batches)] {
        let mut seen = [false; 9];
        for end in 8..bytes.len() - 1 {
            let found = table(&bytes[..end]);
            assert!(found.value.n_rows().is_multiple_of(4), "{end}");
            // A stream may end after any message.
            assert!(!found.problems.is_empty() || !bytes.starts_with(b"ARROW1"), "{end}");
            seen[found.value.n_rows()] = true;
        }
        assert!(seen[0] && seen[4] && seen[8]);
    }
}

#[test]
fn every_byte_replaced_by_a_hostile_one_is_survived() {
    let files =
        [file(&[sample()], None), file(&[sample()], Some(CompressionType::LZ4_FRAME)), stream(&[sample()])];
    for bytes in files {
        for at in 0..bytes.len() {
            for hostile in [0, 1, 0x7F, 0x80, 0xFF] {
                let mut broken = bytes.clone();
                broken[at] = hostile;
                table(&broken);
            }
        }
    }
}

proptest! {
    #[test]
    fn numbers_and_texts_come_back(
        numbers in prop::collection::vec(prop::option::of(any::<f64>().prop_filter("NaN is missing", |x| !x.is_nan())), 1..20),
        texts in prop::collection::vec(prop::option::of("[^ ]*x"), 1..20),
    ) {
        let n_rows = numbers.len().min(texts.len());
        let (numbers, texts) = (&numbers[..n_rows], &texts[..n_rows]);
        let words: DictionaryArray<Int32Type> = texts.iter().map(|text| text.as_deref()).collect();
        let whole = batch(vec![
            ("number", Arc::new(Float64Array::from(numbers.to_vec()))),
            ("text", Arc::new(StringArray::from(texts.to_vec()))),
            ("word", Arc::new(words)),
        ]);
        let n_first = n_rows / 2;
        let parts = [whole.slice(0, n_first), whole.slice(n_first, n_rows - n_first)];
        for bytes in [file(&[whole], None), stream(&parts)] {
            let found = table(&bytes);
            prop_assert!(found.problems.is_empty(), "{:?}", found.problems);
            let back: Vec<Option<f64>> =
                column(&found.value, "number").iter().map(|cell| cell.as_ref().map(|text| text.parse().unwrap())).collect();
            prop_assert_eq!(&back, numbers);
            prop_assert_eq!(&column(&found.value, "text"), texts);
            prop_assert_eq!(&column(&found.value, "word"), texts);
        }
    }
}
