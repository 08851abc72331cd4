//! Files with one word a line: clusters and vectors.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use formats::word_clusters::{self, ClusterLayout, ClusterRow};
use formats::{Problem, word_vectors};
use proptest::prelude::*;

fn clusters(text: &str) -> word_clusters::WordClusters {
    word_clusters::read(text.as_bytes()).unwrap()
}

fn vectors(text: &str) -> word_vectors::WordVectors {
    word_vectors::read(text.as_bytes(), usize::MAX).unwrap()
}

fn places(problems: &[Problem]) -> Vec<(&str, u32, u32)> {
    problems.iter().map(|problem| (problem.rule, problem.place.line, problem.place.column)).collect()
}

fn row(word: &str, cluster: &str, count: u64) -> ClusterRow {
    ClusterRow { word: word.into(), cluster: cluster.into(), count }
}

#[test]
fn both_layouts_of_clusters_are_told_apart() {
    let paths = clusters("0010\tthe\t61\n0010\ta\t20\n110\t1\t7\n");
    assert_eq!(paths.layout, ClusterLayout::Paths);
    assert_eq!(paths.rows, [row("the", "0010", 61), row("a", "0010", 20), row("1", "110", 7)]);
    let two = clusters("0010\tthe\n110\tcat\n");
    assert_eq!(
        (two.layout, two.rows),
        (ClusterLayout::Paths, vec![row("the", "0010", 0), row("cat", "110", 0)])
    );
    let names = clusters("the\tC1\ncat\t110\n10\tnumber\n");
    assert_eq!(names.layout, ClusterLayout::Names);
    assert_eq!(names.rows, [row("the", "C1", 0), row("cat", "110", 0), row("10", "number", 0)]);
    assert!(paths.problems.is_empty() && two.problems.is_empty() && names.problems.is_empty());
}

#[test]
fn what_is_wrong_with_clusters_is_said_with_its_place() {
    let read =
        clusters("0010\tthe\t61\n0010\ta\tmany\n\n0x1\tcat\t7\n01\tthe\t2\n01 dog 3\n10\t\t4\n11\tcow\t1\n");
    assert_eq!(read.rows, [row("the", "0010", 61), row("cow", "11", 1)]);
    let expected = [
        ("unreadable-count", 2, 8),
        ("cluster-bits", 4, 1),
        ("duplicate-word", 5, 0),
        ("column-count", 6, 1),
        ("empty-column", 7, 1),
    ];
    assert_eq!(places(&read.problems), expected);
}

#[test]
fn marks_carriage_returns_and_foreign_bytes_do_no_harm() {
    let read = word_clusters::read(&b"\xEF\xBB\xBF01\tna\xC3\xAFve\t3\r\n01\tb\xFFd\t2\r\n"[..]).unwrap();
    assert_eq!(read.rows, [row("naïve", "01", 3), row("b\u{FFFD}d", "01", 2)]);
    assert!(read.problems.iter().any(|problem| problem.rule == "invalid-utf8" && problem.place.line == 2));
    let read = word_vectors::read(&b"\xEF\xBB\xBF1 2\r\nna\xC3\xAFve 3 4\r\n"[..], 99).unwrap();
    assert_eq!((read.words, read.values), (vec!["naïve".to_owned()], vec![3.0, 4.0]));
}

#[test]
fn vectors_are_read_with_and_without_a_header() {
    for text in ["2 2\na 1 2\nb -1 2e-1 \n", "a 1 2\nb\t-1\t0.2\n", "a  1 2\n\nb -1 .2\n"] {
        let read = vectors(text);
        assert_eq!((read.words, read.n_dimensions), (vec!["a".to_owned(), "b".into()], 2), "{text}");
        assert_eq!((read.values, read.has_more), (vec![1.0, 2.0, -1.0, 0.2], false));
        assert!(read.problems.is_empty(), "{:?}", read.problems);
    }
}

#[test]
fn ragged_rows_strange_numbers_and_repetitions_are_left_out_and_said() {
    let read = vectors("x 1\na 1 2\nb 1 2 3\nc nan 1\nd 1 inf\né  1 zwei\na 3 4\nf 1e99 1\ng 5 6\n");
    assert_eq!((read.words, read.values), (vec!["a".to_owned(), "g".into()], vec![1.0, 2.0, 5.0, 6.0]));
    let expected = [
        ("vector-length", 1, 1),
        ("vector-length", 3, 1),
        ("vector-number", 4, 3),
        ("vector-number", 5, 5),
        ("vector-number", 6, 6),
        ("duplicate-word", 7, 0),
        ("vector-number", 8, 3),
    ];
    assert_eq!(places(&read.problems), expected);
    let read = vectors("2 3\na 1 2\nb 1 2 3\n");
    assert_eq!((read.words, places(&read.problems)), (vec!["b".to_owned()], vec![("vector-length", 2, 1)]));
}

#[test]
fn no_more_vectors_are_read_than_fit() {
    let text: String = (0..500).map(|i| format!("w{:03} {i} 1\n", i)).collect();
    let read = word_vectors::read(text.as_bytes(), 8 * 200 + 7).unwrap();
    assert_eq!((read.words.len(), read.values.len(), read.has_more), (200, 400, true));
    let read = word_vectors::read(text.as_bytes(), 8 * 500).unwrap();
    assert_eq!((read.words.len(), read.has_more), (500, false));
}

proptest! {
    #[test]
    fn any_bytes_are_survived(bytes in prop::collection::vec(prop_oneof![
        Just(b'\t'), Just(b' '), Just(b'\n'), Just(b'\r'), Just(b'0'), Just(b'1'), Just(b'a'), Just(b'-'), any::<u8>()
    ], 0..300)) {
        let read = word_clusters::read(&bytes[..]).unwrap();
        prop_assert!(read.rows.iter().all(|row| !row.word.is_empty() && !row.cluster.is_empty()));
        let read = word_vectors::read(&bytes[..], 200).unwrap();
        prop_assert_eq!(read.words.len() * read.n_dimensions, read.values.len());
        prop_assert!(read.values.iter().all(|value| value.is_finite()));
        let n_lines = bytes.iter().filter(|&&byte| byte == b'\n').count() as u32 + 1;
        prop_assert!(read.problems.iter().all(|problem| problem.place.line <= n_lines));
    }
}
