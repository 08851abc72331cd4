//! The reader of running text survives whatever it is given.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use formats::Read;
use formats::raw::{Lines, Options, RawReader};
use std::io::{self, BufReader};
use tree::Sentence;

const SAMPLE: &str =
    "Dr. Ŋ said: \"It's 3.14!\" http://a.org/b,\nnobody@x.org 😀👩🏽‍🚀 … 中国。\n\nक्या? ไทย 'so'.\n";

fn read_with(bytes: &[u8], options: &Options) -> Vec<Read<Sentence>> {
    RawReader::new(bytes, options).map(Result::unwrap).collect()
}

fn read(bytes: &[u8]) -> Vec<Read<Sentence>> {
    read_with(bytes, &Options::default())
}

fn rules(readings: &[Read<Sentence>]) -> Vec<&str> {
    readings.iter().flat_map(|read| &read.problems).map(|problem| problem.rule).collect()
}

fn n_bytes(readings: &[Read<Sentence>]) -> usize {
    readings.iter().flat_map(|read| &read.value.tokens).map(|token| token.form.len()).sum()
}

#[test]
fn truncation_at_every_byte_is_survived() {
    for end in 0..SAMPLE.len() {
        read(&SAMPLE.as_bytes()[..end]);
    }
}

#[test]
fn every_byte_replaced_by_a_hostile_one_is_survived() {
    for at in 0..SAMPLE.len() {
        for hostile in [0, b'\n', b'\r', b'\t', b'\'', b'"', b'.', b'@', 0x80, 0xFF] {
            let mut bytes = SAMPLE.as_bytes().to_vec();
            bytes[at] = hostile;
            read(&bytes);
        }
    }
}

#[test]
fn windows_files_give_the_same_as_unix_files() {
    let windows = format!("\u{FEFF}{}", SAMPLE.replace('\n', "\r\n"));
    let (windows, unix) = (read(windows.as_bytes()), read(SAMPLE.as_bytes()));
    assert_eq!(rules(&windows), ["carriage-return", "byte-order-mark", "no-dictionary"]);
    assert_eq!(rules(&unix), ["no-dictionary"]);
    let value = |read: &Read<Sentence>| (read.line, read.value.clone());
    assert!(windows.iter().map(value).eq(unix.iter().map(value)));
}

#[test]
fn invalid_utf8_and_control_characters_have_places_and_the_rest_is_read() {
    let readings = read(b"a\0 b\nc \xFFdog. E");
    let places: Vec<String> = readings
        .iter()
        .flat_map(|read| &read.problems)
        .map(|problem| format!("{} {}", problem.place, problem.rule))
        .collect();
    assert_eq!(
        places,
        ["line 1, column 2 control-character", "line 2 no-final-newline", "line 2, column 3 invalid-utf8"]
    );
    assert_eq!(readings[0].value.meta("text"), Some("a\0 b c \u{FFFD}dog."));
    assert_eq!(readings[1].value.meta("text"), Some("E"));
}

#[test]
fn empty_files_hold_nothing_and_are_no_error() {
    for text in ["", "\n", "\n\n\n", "   \n", "\u{200B}\n\t\n"] {
        assert_eq!(read(text.as_bytes()), [], "{text:?}");
    }
    assert_eq!(rules(&read(b"  ")), ["no-final-newline"]);
}

#[test]
fn a_megabyte_without_a_break_is_cut_and_nothing_is_lost() {
    let n = 1 << 20;
    let hostile = [
        "x".repeat(n),
        "x ".repeat(n / 2),
        "漢".repeat(n / 3),
        "ก".repeat(n / 3),
        ".".repeat(n),
        "'a ".repeat(n / 3),
        "a'".repeat(n / 2),
        "a.".repeat(n / 2),
        "a@".repeat(n / 2),
        "a%".repeat(n / 2),
        "(".repeat(n),
        "\u{301}".repeat(n / 2),
        "http://) ".repeat(n / 9),
        "http://))".repeat(n / 9),
        "www.".repeat(n / 4),
        "1-".repeat(n / 2),
        ":)".repeat(n / 2),
        "\u{1F468}\u{200D}".repeat(n / 7),
        " ".repeat(n),
        "a.b/".repeat(n / 4),
    ];
    for text in &hostile {
        check_cut(text, Lines::Paragraphs);
    }
    check_cut(&hostile[0], Lines::Sentences);
    check_cut(&hostile[1], Lines::Sentences);
}

fn check_cut(text: &str, lines: Lines) {
    let longest = 1 << 14;
    let options = Options { longest, lines, ..Options::default() };
    let readings = read_with(format!("{text}\n").as_bytes(), &options);
    let start: String = text.chars().take(4).collect();
    assert_eq!(n_bytes(&readings), text.len() - text.matches(' ').count(), "{start}");
    let most = readings.iter().map(|read| n_bytes(std::slice::from_ref(read))).max();
    assert!(most.is_none_or(|most| most <= 2 * longest), "{start}: {most:?}");
    assert!(readings.is_empty() || rules(&readings).contains(&"sentence-cut"), "{start}");
}

#[test]
fn a_megabyte_of_sentences_in_one_line_is_not_cut_inside_a_sentence() {
    let text = "This is a sentence. \"Is it?\" Yes, 'it is'! ".repeat(25_000);
    let readings = read(format!("{text}\n").as_bytes());
    assert_eq!(readings.len(), 75_000);
    assert_eq!(rules(&readings), [""; 0]);
    assert_eq!(readings.iter().filter(|read| read.value.comments.len() == 2).count(), 1);
}

#[test]
fn a_stream_that_fails_says_so_once_and_ends() {
    struct Broken;
    impl io::Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("broken"))
        }
    }
    let source = io::Read::chain(&b"One. Two.\n\nThree"[..], Broken);
    let readings: Vec<_> = RawReader::new(BufReader::new(source), &Options::default()).take(10).collect();
    assert_eq!(readings.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, true, false]);
}
