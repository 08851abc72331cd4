//! Tokens and sentences found in running text against those of treebanks.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use formats::conllu;
use formats::raw::{Options, RawReader};
use std::collections::BTreeSet;
use std::io::Write;
use tree::{Sentence, TokenId};

/// Treebanks with the F1 of tokens and of sentences, in per cent, that is asked for at least.
const TREEBANKS: [(&str, f64, f64); 22] = [
    ("English-EWT/dev", 98.0, 79.0),
    ("French-Sequoia/dev", 91.0, 82.0),
    ("German-GSD/dev", 98.0, 93.0),
    ("Finnish-TDT/dev", 98.0, 81.0),
    ("Yoruba-YTB/test", 98.0, 71.0),
    // Transcribed speech: units end in // and not in a period.
    ("Hausa-NorthernAutogramm/test", 93.0, 1.0),
    ("Bengali-BRU/test", 99.0, 99.0),
    ("Kurmanji-MG/test", 98.0, 98.0),
    ("Javanese-CSUI/test", 99.0, 97.0),
    ("Belarusian-HSE@2019-11/test", 99.0, 59.0),
    ("Kazakh-KTB/test", 98.0, 97.0),
    ("Erzya-JR/test", 99.0, 96.0),
    ("Chukchi-HSE/test", 99.0, 99.0),
    ("Greek-GDT/dev", 99.0, 92.0),
    ("Armenian-ArmTDP@2019-04/dev", 99.0, 99.0),
    ("Georgian-GLC/dev", 98.0, 92.0),
    ("Uyghur-UDT/dev", 99.0, 73.0),
    ("Pashto-Sikaram/test", 99.0, 66.0),
    ("Marathi-UFAL/train", 98.0, 90.0),
    ("Tamil-TTB/dev", 98.0, 95.0),
    ("Amharic-ATT/test", 99.0, 98.0),
    ("Chinese-GSD/dev", 42.0, 98.0),
];

/// Files at which nobody looked while the rules were written.
const UNSEEN: [(&str, f64, f64); 10] = [
    ("English-EWT/test", 97.0, 70.0),
    ("Italian-ISDT/test", 95.0, 69.0),
    ("Hungarian-Szeged/test", 98.0, 95.0),
    ("Welsh-CCG/test", 91.0, 99.0),
    ("Wolof-WTB/test", 99.0, 92.0),
    ("Turkish-IMST/test", 98.5, 97.0),
    ("Uzbek-UT/test", 97.0, 98.0),
    ("Moksha-JR/test", 99.0, 96.0),
    ("Telugu-MTG/test", 99.0, 99.0),
    ("Uyghur-UDT/test", 99.0, 60.0),
];

#[test]
fn tokens_and_sentences_of_treebanks_are_found_in_their_running_text() {
    let mut table = format!("{:<42} tokens sentences\n", "F1 of raw text");
    for (treebank, tokens, sentences) in TREEBANKS.into_iter().chain(UNSEEN) {
        let Some(found) = scores(treebank, "", &Options::default(), &mut table) else { return };
        assert!(found.0 >= tokens && found.1 >= sentences, "{treebank}: {found:?}");
    }
    show(&table);
}

#[test]
fn options_find_the_tokens_of_treebanks_with_other_conventions() {
    let clitics = Options { split_clitics: true, ..Options::default() };
    let hyphens = Options { split_hyphens: true, ..Options::default() };
    let ordinals = Options { ordinals: true, ..Options::default() };
    let cases = [
        ("French-Sequoia/dev", "clitics", clitics, 97.0),
        ("English-EWT/dev", "hyphens", hyphens, 98.5),
        ("German-GSD/dev", "ordinals", ordinals.clone(), 98.5),
        ("Finnish-TDT/dev", "ordinals", ordinals, 98.0),
    ];
    let mut table = String::new();
    for (treebank, name, options, tokens) in cases {
        let Some(plain) = scores(treebank, "", &Options::default(), &mut String::new()) else { return };
        let Some(found) = scores(treebank, name, &options, &mut table) else { return };
        assert!(found.0 >= tokens && found.0 > plain.0, "{treebank}: {found:?} after {plain:?}");
    }
    show(&table);
}

/// F1 of tokens and of sentences; the sentences of the treebank are joined by spaces.
fn scores(treebank: &str, name: &str, options: &Options, table: &mut String) -> Option<(f64, f64)> {
    let file = testkit::shared(&format!("data/dependency/ud/{treebank}.conllu"))?;
    let bytes = std::fs::read(file).unwrap();
    let gold: Vec<Sentence> = conllu::ConlluReader::new(&bytes[..]).map(|read| read.unwrap().value).collect();
    let running: Vec<String> = gold.iter().map(Sentence::detokenised).collect();
    let running = running.join(" ");
    let reader = RawReader::new(running.as_bytes(), options);
    let found: Vec<Sentence> = reader.map(|read| read.unwrap().value).collect();
    let (gold, found) = (spans(&gold), spans(&found));
    let (tokens, sentences) = (f1(&gold.0, &found.0), f1(&gold.1, &found.1));
    *table += &format!("{:<42} {tokens:6.2} {sentences:9.2}\n", format!("{treebank} {name}"));
    Some((tokens, sentences))
}

/// Written to the stream itself: what the print macros write is hidden when a test passes.
fn show(table: &str) {
    let _ = std::io::stderr().write_all(table.as_bytes());
}

type Spans = BTreeSet<(usize, usize)>;

/// Tokens (a multiword token is one) and sentences as ranges of characters that are no spaces.
fn spans(sentences: &[Sentence]) -> (Spans, Spans) {
    let (mut tokens, mut whole) = (Spans::new(), Spans::new());
    let mut at = 0;
    for sentence in sentences {
        let (start, mut covered_up_to) = (at, 0);
        for token in &sentence.tokens {
            match token.id {
                TokenId::Range(_, last) => covered_up_to = last,
                TokenId::Word(word) if word > covered_up_to => {}
                _ => continue,
            }
            let end = at + token.form.chars().filter(|char| !char.is_whitespace()).count();
            tokens.insert((at, end));
            at = end;
        }
        whole.insert((start, at));
    }
    (tokens, whole)
}

fn f1(gold: &Spans, found: &Spans) -> f64 {
    200.0 * gold.intersection(found).count() as f64 / (gold.len() + found.len()) as f64
}
