//! What holds for running text of any kind: nothing is lost, and nothing depends on how it is read.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use formats::raw::{Lines, Options, RawReader};
use formats::{Problem, Read, conllu};
use proptest::prelude::*;
use std::io::BufReader;
use tree::Sentence;

fn read(text: &[u8], options: &Options) -> Vec<Read<Sentence>> {
    RawReader::new(text, options).map(Result::unwrap).collect()
}

fn sentences(text: &str, options: &Options) -> Vec<Sentence> {
    let readings = read(text.as_bytes(), options).into_iter().map(|read| read.value);
    readings.filter(|sentence| !sentence.tokens.is_empty()).collect()
}

fn problems(readings: &[Read<Sentence>]) -> Vec<&Problem> {
    readings.iter().flat_map(|read| &read.problems).collect()
}

/// Characters and pieces of text at which rules are aimed.
fn pieces() -> impl Strategy<Value = String> {
    let listed = prop::sample::select(vec![
        "a",
        "B",
        "word",
        "It",
        "é",
        "e\u{301}",
        "3",
        "1995",
        "٣",
        ".",
        ".",
        "...",
        "!",
        "?",
        "…",
        ",",
        ":",
        ";",
        "-",
        "--",
        "'",
        "’",
        "‘",
        "\"",
        "“",
        "”",
        "«",
        "»",
        "„",
        "(",
        ")",
        "[",
        "]",
        "/",
        "@",
        "#",
        "&",
        "%",
        "$",
        "€",
        "_",
        "*",
        "`",
        "http://",
        "www.",
        "a@b.org",
        ":)",
        ":-(",
        "<3",
        "xD",
        "😀",
        "👩🏽‍🚀",
        "🇩🇪",
        "❤️",
        "\u{200D}",
        "\u{200C}",
        "\u{200B}",
        "中",
        "国",
        "ひ",
        "カ",
        "ー",
        "ไทย",
        "ខ្មែរ",
        "བོད་",
        "。",
        "！",
        "।",
        "؟",
        "።",
        "Ω",
        "ж",
        "Ж",
        "ა",
        "Ա",
        "ש",
        "ك",
        "Dr.",
        "e.g.",
        "U.S.",
        "Ph.D.",
        "l'",
        "n't",
        "\u{AD}",
        "\u{FEFF}",
        "\0",
        "\u{1F}",
        "\u{301}",
        "\u{E0041}",
        " ",
        " ",
        " ",
        "  ",
        "\t",
        "\u{A0}",
        "\u{3000}",
        "\u{2028}",
        "\r",
        "\n",
        "\n",
        "\n\n",
        "\n \n",
    ]);
    let any = prop_oneof![8 => listed.prop_map(String::from), 1 => any::<char>().prop_map(String::from)];
    prop::collection::vec(any, 0..80).prop_map(|pieces| pieces.concat())
}

fn options() -> impl Strategy<Value = Options> {
    (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>()).prop_map(
        |(lines, clitics, hyphens, ordinals)| Options {
            lines: if lines { Lines::Sentences } else { Lines::Paragraphs },
            split_clitics: clitics,
            split_hyphens: hyphens,
            ordinals,
            ..Options::default()
        },
    )
}

fn is_space(char: char) -> bool {
    char.is_whitespace() || char == '\u{200B}'
}

/// The text without byte-order marks at the beginnings of lines before the first that has something in it.
fn without_mark(text: &str) -> String {
    let mut seen_text = false;
    let mut kept = String::new();
    for line in text.split_inclusive('\n') {
        let line = if seen_text { line } else { line.trim_start_matches('\u{feff}') };
        seen_text |= !line.trim_matches(|c: char| c.is_ascii_whitespace()).is_empty();
        kept += line;
    }
    kept
}

/// The text with every run of white space as one space and no zero-width space.
fn normalised(text: &str) -> String {
    let text: String = text.chars().filter(|&char| char != '\u{200B}').collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn every_character_that_is_no_space_is_in_exactly_one_token_in_order(text in pieces(), options in options()) {
        let found: String =
            sentences(&text, &options).iter().flat_map(|sentence| &sentence.tokens).map(|token| token.form.as_str()).collect();
        let expected: String = without_mark(&text).chars().filter(|&char| !is_space(char)).collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn tokens_give_back_the_text_of_the_sentence_and_the_texts_give_back_the_file(text in pieces(), options in options()) {
        let mut running = String::new();
        for sentence in sentences(&text, &options) {
            let detokenised = sentence.detokenised();
            prop_assert_eq!(sentence.meta("text"), Some(detokenised.as_str()));
            running += &detokenised;
            let last = sentence.tokens.last().unwrap();
            running += if last.no_space_after() { "" } else { " " };
        }
        prop_assert_eq!(running.trim_end(), normalised(&without_mark(&text)));
    }

    #[test]
    fn what_is_written_as_conllu_is_read_back_without_an_error(text in pieces(), options in options()) {
        for sentence in sentences(&text, &options) {
            let mut out = Vec::new();
            conllu::write(&sentence, &mut out).unwrap();
            let again: Vec<_> = conllu::ConlluReader::new(&out[..]).map(Result::unwrap).collect();
            prop_assert_eq!(again.len(), 1);
            prop_assert!(again[0].problems.iter().all(|problem| !problem.is_error()), "{:?}", again[0].problems);
            prop_assert_eq!(&again[0].value, &sentence);
            prop_assert_eq!(conllu::Consistency::default().check(&sentence, 1), vec![]);
        }
    }

    #[test]
    fn paragraphs_start_where_empty_lines_are(text in pieces(), options in options()) {
        let is_start = |sentence: &Sentence| sentence.comments[0] == "# newpar";
        let found = sentences(&text, &options).iter().filter(|sentence| is_start(sentence)).count();
        let blank = |line: &str| line.chars().all(is_space);
        let text = without_mark(&text);
        let lines: Vec<&str> = std::iter::once("").chain(text.split('\n')).collect();
        let expected = lines.windows(2).filter(|pair| blank(pair[0]) && !blank(pair[1])).count();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn the_size_of_buffers_does_not_matter(text in pieces(), capacity in 1usize..20) {
        let small = BufReader::with_capacity(capacity, text.as_bytes());
        let found: Vec<_> = RawReader::new(small, &Options::default()).map(Result::unwrap).collect();
        prop_assert_eq!(found, read(text.as_bytes(), &Options::default()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn the_limit_on_paragraphs_does_not_matter_unless_a_sentence_is_cut(
        texts in prop::collection::vec(pieces(), 150..300), ends in any::<bool>(),
    ) {
        let joint = if ends { " Then it ended. And " } else { " " };
        let text = texts.join(joint).replace('\n', " ");
        let short = Options { longest: 0, ..Options::default() };
        let long = Options { longest: 1 << 24, ..Options::default() };
        let (parts, whole) = (read(text.as_bytes(), &short), read(text.as_bytes(), &long));
        if problems(&parts).iter().all(|problem| problem.rule != "sentence-cut") {
            let value = |read: &Read<Sentence>| (read.line, read.value.clone());
            prop_assert_eq!(parts.iter().map(value).collect::<Vec<_>>(), whole.iter().map(value).collect::<Vec<_>>());
        }
        let forms = |readings: &[Read<Sentence>]| readings.iter().flat_map(|read| &read.value.tokens).map(|token| token.form.to_string()).collect::<String>();
        prop_assert_eq!(forms(&parts), forms(&whole));
    }
}

#[test]
fn the_limit_on_paragraphs_does_not_hide_what_stands_before_a_sentence() {
    // The first sentence opens a quotation that ends after the first word of the second; the others have no
    // space between sentences, so that a mark at the beginning touches the sentence before.
    for pair in ["'Stop. Now' he said. ", "国。'国W'，", "国。:D@Name，"] {
        let text = pair.repeat(2000);
        let cut = |longest| read(text.as_bytes(), &Options { longest, ..Options::default() });
        let (parts, whole) = (cut(0), cut(1 << 24));
        assert!(problems(&parts).iter().all(|problem| problem.rule != "sentence-cut"), "{pair}");
        let differing = parts.iter().zip(&whole).find(|(part, whole)| part.value != whole.value);
        assert_eq!(differing, None, "{pair}");
        assert_eq!(parts.len(), whole.len(), "{pair}");
    }
}

#[test]
fn no_sentence_counts_as_cut_because_the_last_space_is_far_away() {
    let text = format!("Yes. {}", "国。".repeat(2000));
    let readings = read(text.as_bytes(), &Options { longest: 0, ..Options::default() });
    assert_eq!(readings.len(), 2001);
    assert!(problems(&readings).iter().all(|problem| problem.rule != "sentence-cut"));
}
