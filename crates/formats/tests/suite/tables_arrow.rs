//! Tables in the formats of Arrow, as another program wrote them (`tests/arrow/make.py`).
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use formats::Read;
use formats::tables::{Options, Table, read};

fn file(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/tests/arrow/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn table(bytes: &[u8]) -> Read<Table> {
    read(bytes, &Options::default()).unwrap()
}

fn column(table: &Table, name: &str) -> Vec<Option<String>> {
    let column = table.column(table.column_index(name).unwrap());
    column.iter().map(|&id| table.text(id).map(String::from)).collect()
}

#[test]
fn every_type_with_an_obvious_text_is_read_from_files_and_streams() {
    for name in ["types.arrow", "types-lz4.arrow", "types-zstd.arrow", "types.arrows", "types-v4.arrows"] {
        let found = table(&file(name));
        assert!(found.problems.is_empty(), "{name}: {:?}", found.problems);
        let expected: [(&str, [Option<&str>; 4]); 14] = [
            ("text", [Some("é"), None, None, Some(" x")]),
            ("large", [Some("1"), Some("2"), Some("3"), None]),
            ("view", [Some("a text of more than twelve bytes"), Some("y"), Some("y"), Some("z")]),
            ("words", [Some("b"), None, Some("a"), Some("b")]),
            ("no words", [None; 4]),
            ("bool", [Some("1"), Some("0"), None, Some("1")]),
            ("i8", [Some("-128"), None, Some("0"), Some("7")]),
            ("i64", [Some("-9223372036854775808"), Some("9223372036854775807"), None, Some("0")]),
            ("u16", [Some("65535"), Some("0"), Some("1"), Some("2")]),
            ("u64", [Some("18446744073709551615"), Some("0"), Some("1"), Some("2")]),
            ("f16", [Some("0.5"), Some("-2"), Some("65504"), Some("inf")]),
            ("f32", [Some("0.1"), Some("-0"), Some("3.4028235e38"), None]),
            ("f64", [Some("1"), Some("0.30000000000000004"), Some("1e-300"), Some("-inf")]),
            ("null", [None; 4]),
        ];
        assert_eq!(found.value.names(), expected.map(|(name, _)| name));
        for (name, cells) in expected {
            let cells = cells.map(|cell| cell.map(String::from));
            assert_eq!(column(&found.value, name), [cells.clone(), cells].concat(), "{name}");
        }
    }
}

#[test]
fn columns_of_other_types_are_missing_and_named_and_those_between_them_are_read() {
    for name in ["nested.arrow", "nested-lz4.arrow"] {
        let found = table(&file(name));
        let (types, others): (Vec<_>, Vec<_>) =
            found.problems.iter().partition(|problem| problem.rule == "arrow-type");
        assert!(others.is_empty(), "{name}: {others:?}");
        assert_eq!(types.len(), found.value.n_columns() / 2);
        for (at, name) in found.value.names().iter().enumerate() {
            let expected = if at % 2 == 0 { [None; 3] } else { [Some("1"), None, Some("3")] };
            assert_eq!(column(&found.value, name), expected.map(|cell| cell.map(String::from)), "{name}");
        }
        let said: Vec<&str> = types.iter().map(|problem| problem.message.as_str()).collect();
        assert!(said[0].contains("`passed 0` has type List;"), "{said:?}");
        assert!(said.iter().any(|said| said.contains("has type Timestamp;")), "{said:?}");
    }
}

#[test]
fn dictionaries_that_grow_and_that_are_replaced_are_followed() {
    for (name, words) in
        [("growing.arrows", &["a", "b", "c", "a"][..]), ("replaced.arrows", &["a", "b", "c", "a", "z"])]
    {
        let found = table(&file(name));
        assert!(found.problems.is_empty(), "{name}: {:?}", found.problems);
        let words: Vec<Option<String>> = words.iter().map(|word| Some((*word).to_owned())).collect();
        assert_eq!(column(&found.value, "word"), words, "{name}");
    }
}

#[test]
fn numbers_and_texts_come_back() {
    for name in ["numbers.arrow", "numbers-zstd.arrow"] {
        let found = table(&file(name));
        assert!(found.problems.is_empty(), "{:?}", found.problems);
        let of = |name: &str| column(&found.value, name);
        let bits: Vec<u64> = of("bits").iter().map(|bits| bits.as_ref().unwrap().parse().unwrap()).collect();
        assert_eq!(bits.len(), 100);
        let is_there = |divisor: u64, bits: u64| !bits.is_multiple_of(divisor);
        let number = |cell: &Option<String>| cell.as_ref().map(|text| text.parse::<f64>().unwrap().to_bits());
        let expected: Vec<_> = bits.iter().map(|&bits| is_there(11, bits).then_some(bits)).collect();
        assert_eq!(of("number").iter().map(number).collect::<Vec<_>>(), expected);
        let text = |bits: &u64| format!("{}{bits:x}", "ä".repeat((bits % 23) as usize));
        let expected: Vec<_> = bits.iter().map(|bits| is_there(7, *bits).then(|| text(bits))).collect();
        assert_eq!(of("text"), expected);
        assert_eq!(of("hex"), bits.iter().map(|bits| Some(text(bits))).collect::<Vec<_>>());
    }
}

#[test]
fn files_cut_off_anywhere_give_whole_batches_and_a_problem() {
    for name in ["types.arrow", "types.arrows", "types-lz4.arrow"] {
        let bytes = file(name);
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
    for name in ["types.arrows", "types-lz4.arrow", "nested.arrow", "growing.arrows"] {
        let bytes = file(name);
        for at in 0..bytes.len() {
            for hostile in [0, 0x7F, 0xFF] {
                let mut broken = bytes.clone();
                broken[at] = hostile;
                let found = table(&broken).value;
                assert!((0..found.n_columns()).all(|column| found.column(column).len() == found.n_rows()));
            }
        }
    }
}
