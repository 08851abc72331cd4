//! Tables of text: CSV, TSV and what can be wrong with them.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use formats::tables::{Delimiter, Kind, Options, Table, read, write, write_row};
use formats::{Problem, Read};
use proptest::prelude::*;
use std::io::{BufReader, Cursor};

fn table(text: &str) -> Read<Table> {
    read(text.as_bytes(), &Options::default()).unwrap()
}

fn rows(table: &Table) -> Vec<Vec<Option<&str>>> {
    (0..table.n_rows()).map(|row| table.row(row).collect()).collect()
}

fn places(problems: &[Problem]) -> Vec<(&str, u32, u32)> {
    problems.iter().map(|problem| (problem.rule, problem.place.line, problem.place.column)).collect()
}

fn written(table: &Table, delimiter: Delimiter) -> String {
    let mut out = Vec::new();
    write(table, delimiter, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn the_same_table_is_read_with_any_delimiter_line_end_and_quotes() {
    let expected = [vec![Some("å"), Some("1.5"), None], vec![Some("b c"), None, Some("-2")]];
    for delimiter in [",", ";", "\t"] {
        for end in ["\n", "\r\n", "\r"] {
            for mark in ["", "\u{feff}"] {
                for last in ["", "\n"] {
                    let text = "x|y|\"z\"\nå|\"1.5\"|NA\nb c||-2".replace('|', delimiter) + last;
                    let found = table(&format!("{mark}{}", text.replace('\n', end)));
                    assert_eq!(rows(&found.value), expected, "{text:?}");
                    assert_eq!(found.value.names(), ["x", "y", "z"]);
                    assert_eq!((found.value.line(0), found.value.line(1), found.line), (2, 3, 1));
                    let n_marks = usize::from(!mark.is_empty());
                    assert_eq!(found.problems.len(), n_marks, "{:?}", found.problems);
                }
            }
        }
    }
}

#[test]
fn different_texts_are_kept_once_and_missing_cells_are_zero() {
    let found = table("a,b\nx,y\ny,x\n,y\n").value;
    assert_eq!((found.column(0), found.column(1)), (&[1, 2, 0][..], &[2, 1, 2][..]));
    assert_eq!(
        (found.text(1), found.text(2), found.text(0), found.text(3)),
        (Some("x"), Some("y"), None, None)
    );
    assert_eq!((found.n_texts(), found.column_index("b"), found.column_index("c")), (2, Some(1), None));
}

#[test]
fn texts_that_mean_missing_can_be_chosen() {
    let text = "a\nNA\n nan \n\"N/A\"\n.\nnone\n\"\"\n";
    let found = table(text).value;
    assert_eq!(rows(&found).concat(), [None, None, None, Some("."), Some("none"), None]);
    let options = Options { missing: vec![".".into()], ..Options::default() };
    let found = read(text.as_bytes(), &options).unwrap().value;
    assert_eq!(rows(&found).concat(), [Some("NA"), Some(" nan "), Some("N/A"), None, Some("none"), Some("")]);
}

#[test]
fn a_table_without_header_has_numbered_columns() {
    let options = Options { has_header: false, ..Options::default() };
    let found = read("1,5;2\n3,5;4\n".as_bytes(), &options).unwrap();
    assert_eq!(found.value.names(), ["V1", "V2"]);
    assert_eq!(rows(&found.value), [[Some("1,5"), Some("2")], [Some("3,5"), Some("4")]]);
    assert!(found.problems.is_empty());
}

#[test]
fn what_the_caller_says_outweighs_what_the_file_looks_like() {
    let options = Options { kind: Some(Kind::Text(Delimiter::Comma)), ..Options::default() };
    let found = read("sep=;\na;b,c\n1;2,3\n".as_bytes(), &options).unwrap();
    assert_eq!((found.value.names(), found.value.line(0)), (&["a;b".into(), "c".into()][..], 3));
    let options = Options { has_quotes: false, ..Options::default() };
    let found = read("token\ttag\n\"\t``\n\"\t''\n".as_bytes(), &options).unwrap();
    assert_eq!(rows(&found.value), [[Some("\""), Some("``")], [Some("\""), Some("''")]]);
    assert!(found.problems.is_empty());
}

#[test]
fn short_rows_are_filled_and_surplus_cells_reported() {
    let found = table("a,b,c\n1\n1,2,3,4,5\n\n1,2,3,\n\n7,8,9\n");
    let expected = [
        [Some("1"), None, None],
        [Some("1"), Some("2"), Some("3")],
        [Some("1"), Some("2"), Some("3")],
        [Some("7"), Some("8"), Some("9")],
    ];
    assert_eq!(rows(&found.value), expected);
    let places = places(&found.problems);
    assert_eq!(places, [("short-row", 2, 0), ("long-row", 3, 7), ("long-row", 5, 7), ("empty-line", 4, 0)]);
    assert!(found.problems[1].is_error() && found.problems[1].message.contains("`4`"));
    assert!(!found.problems[2].is_error() && found.problems[3].message.starts_with("2 empty lines are"));
    assert_eq!(found.value.line(3), 7);
}

#[test]
fn names_are_made_unique_and_that_is_said() {
    let found = table("x,,x, y\n1,2,3,4\n");
    assert_eq!(found.value.names(), ["x", "V2", "x.2", "y"]);
    assert_eq!(places(&found.problems), [("unnamed-column", 1, 3), ("duplicate-column", 1, 4)]);
}

#[test]
fn files_without_rows_are_reported() {
    for text in ["", "\n\r\n", "\u{feff}"] {
        let found = table(text);
        assert_eq!((found.value.n_rows(), found.value.n_columns()), (0, 0));
        assert!(found.problems.iter().any(|problem| problem.rule == "empty-table"), "{text:?}");
    }
    let found = table("\na,b\n");
    assert_eq!((found.value.n_rows(), found.value.n_columns(), found.line), (0, 2, 2));
    assert_eq!(places(&found.problems), [("empty-line", 1, 0), ("no-rows", 2, 0)]);
}

#[test]
fn quotes_that_do_not_fit_are_letters_and_the_rest_is_read() {
    let found = table("a,b\n\"x\ny\",\"z\"!\n1,\"2\n3,\"\"\n");
    let expected = [[Some("x\ny"), Some("z!")], [Some("1"), Some("\"2")], [Some("3"), None]];
    assert_eq!(rows(&found.value), expected);
    assert_eq!(places(&found.problems), [("text-after-quote", 3, 7), ("unclosed-quote", 4, 3)]);
    assert_eq!([0, 1, 2].map(|row| found.value.line(row)), [2, 4, 5]);
    let found = table("a,b\n1,\"2\n3,\"4\"\n");
    assert_eq!(rows(&found.value), [[Some("1"), Some("2\n3,4\"")]]);
    assert_eq!(places(&found.problems), [("text-after-quote", 3, 4)]);
    assert!(found.problems[0].message.contains("of line 2"), "{}", found.problems[0]);
}

#[test]
fn foreign_bytes_and_control_characters_are_reported_with_their_place() {
    let found =
        read(&b"a,b\n\"\xC3\xA9\nx\xFFy\",2\nc\0,\0\n\xE4,\"\xFC\"\"\"\n"[..], &Options::default()).unwrap();
    let expected = [
        [Some("é\nx\u{fffd}y"), Some("2")],
        [Some("c\0"), Some("\0")],
        [Some("\u{fffd}"), Some("\u{fffd}\"")],
    ];
    assert_eq!(rows(&found.value), expected);
    let expected = [("invalid-utf8", 3, 2), ("control-character", 4, 2), ("invalid-utf8", 5, 1)];
    assert_eq!(places(&found.problems), expected);
}

#[test]
fn compressed_tables_are_opened_as_all_files_are() {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut packed, b"a;b\n1;2\n").unwrap();
    let source = Cursor::new(packed.finish().unwrap());
    let source = formats::input::decode(source, formats::input::Encoding::Unicode).unwrap();
    assert_eq!(rows(&read(source, &Options::default()).unwrap().value), [[Some("1"), Some("2")]]);
}

#[test]
fn columns_of_unequal_length_and_without_names_make_a_table() {
    let column = |texts: &[&str]| texts.iter().map(|text| Some(text.to_string())).collect::<Vec<_>>();
    let table = Table::from_columns(&["a", "a"], vec![column(&["1"]), column(&["2", "3"]), vec![]]);
    assert_eq!(table.names(), ["a", "a.2", "V3"]);
    assert_eq!(rows(&table), [[Some("1"), Some("2"), None], [None, Some("3"), None]]);
    assert_eq!((table.line(0), table.line(1)), (1, 2));
    assert_eq!(written(&table, Delimiter::Tab), "a\ta.2\tV3\n1\t2\t\n\t3\t\n");
}

#[test]
fn only_cells_that_need_quotes_get_them() {
    let mut out = Vec::new();
    write_row([Some("a b"), None, Some("x;\"y\""), Some("1,5")], Delimiter::Semicolon, &mut out).unwrap();
    assert_eq!(out, b"a b;;\"x;\"\"y\"\"\";1,5\n");
    let table = Table::from_columns(&["sep=;"], vec![vec![None, Some("x".into())]]);
    assert_eq!(written(&table, Delimiter::Comma), "\"sep=;\"\n\"\"\nx\n");
}

/// Cells that are hard to write: quotes, delimiters, line ends, spaces, marks.
fn cell() -> impl Strategy<Value = Option<String>> {
    let text = prop_oneof!["[a-z0-9.]{1,6}", "[\",;\t\r\n a\u{feff}\0é]{1,8}"];
    prop::option::weighted(0.8, text.prop_filter("a missing text", |text| !text.trim().is_empty()))
}

fn any_table() -> impl Strategy<Value = Table> {
    let name = prop_oneof![
        "[a-z]{0,3}",
        "[\",;\t\r\n =\u{feff}\0]{0,4}",
        Just("sep=,".into()),
        Just("ARROW1\0\0".into())
    ];
    (1..5_usize, 0..8_usize).prop_flat_map(move |(n_columns, n_rows)| {
        let columns = prop::collection::vec(prop::collection::vec(cell(), n_rows), n_columns);
        (prop::collection::vec(name.clone(), n_columns), columns)
            .prop_map(|(names, columns)| Table::from_columns(&names, columns))
    })
}

/// What the crate `csv` makes of a file.
fn oracle(bytes: &[u8], delimiter: u8) -> Vec<Vec<String>> {
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).flexible(true).delimiter(delimiter).from_reader(bytes);
    let records = reader.byte_records().map(|record| record.unwrap());
    records
        .map(|record| record.iter().map(|cell| String::from_utf8_lossy(cell).into_owned()).collect())
        .collect()
}

proptest! {
    #[test]
    fn every_table_comes_back_from_what_was_written(table in any_table()) {
        for delimiter in Delimiter::ALL {
            let text = written(&table, delimiter);
            let found = read(text.as_bytes(), &Options::default()).unwrap();
            prop_assert_eq!(&found.value, &table, "{:?}", text);
            prop_assert!(found.problems.iter().all(|problem| problem.rule == "control-character" || problem.rule == "no-rows"));
            let said = Options { kind: Some(Kind::Text(delimiter)), ..Options::default() };
            prop_assert_eq!(&read(text.as_bytes(), &said).unwrap().value, &table);
        }
    }

    #[test]
    fn cells_are_those_that_another_reader_finds(text in "[ab,\"\r\n]{0,40}") {
        let options = Options {
            has_header: false, missing: vec![], kind: Some(Kind::Text(Delimiter::Comma)), ..Options::default()
        };
        let found = read(text.as_bytes(), &options).unwrap();
        // The other one reads on to the end after a quote that is not closed, and we do not.
        prop_assume!(found.problems.iter().all(|problem| problem.rule != "unclosed-quote"));
        let n_columns = found.value.n_columns();
        let mut expected = oracle(text.as_bytes(), b',');
        let n_cells: Vec<usize> = expected.iter().map(Vec::len).collect();
        expected.iter_mut().for_each(|row| row.truncate(n_columns));
        let ours: Vec<Vec<String>> = rows(&found.value).into_iter().zip(&n_cells)
            .map(|(row, &n_cells)| row.into_iter().take(n_cells).map(|cell| cell.unwrap_or_default().to_owned()).collect())
            .collect();
        prop_assert_eq!(ours, expected);
        let n_ragged = found.problems.iter().filter(|problem| problem.rule.ends_with("-row")).count();
        prop_assert_eq!(n_ragged, n_cells.iter().filter(|&&n| n != n_columns).count());
    }

    #[test]
    fn any_bytes_are_survived_and_read_the_same_in_small_pieces(bytes in prop::collection::vec(prop_oneof![
        Just(b','), Just(b'"'), Just(b'\n'), Just(b'\r'), Just(b';'), Just(b'1'), Just(b'a'), any::<u8>()
    ], 0..200), has_header: bool) {
        let options = Options { has_header, ..Options::default() };
        let found = read(&bytes[..], &options).unwrap();
        prop_assert_eq!(&found, &read(BufReader::with_capacity(3, &bytes[..]), &options).unwrap());
        let n_lines = bytes.iter().filter(|byte| matches!(byte, b'\n' | b'\r')).count() as u32 + 1;
        prop_assert!(found.problems.iter().all(|problem| problem.place.line <= n_lines));
        let text = written(&found.value, Delimiter::Semicolon);
        prop_assert_eq!(&read(text.as_bytes(), &Options::default()).unwrap().value, &found.value);
    }
}

#[test]
fn rows_are_whole_where_pieces_of_the_file_end() {
    // More than one piece of 256 KiB, with line ends and quotes on both sides of every border.
    let text: String = "a,b\r\n".to_owned() + &"\"x\"\"\r\n\",yz\r\n".repeat(60_000);
    let found = table(&text);
    assert_eq!((found.value.n_rows(), found.problems.len(), found.value.n_texts()), (60_000, 0, 2));
    assert_eq!((found.value.cell(59_999, 0), found.value.line(59_999)), (Some("x\"\r\n"), 120_000));
}
