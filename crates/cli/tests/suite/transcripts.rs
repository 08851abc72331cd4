//! Whole answers of the program, kept as they should be.
//!
//! Each file in `transcripts/` is a course of commands in a folder with the demo corpus, and all that came of them. A changed number,
//! column, order, mark or note shows as a changed line. `UPDATE_EXPECT=1` writes the files anew: read the difference before it is kept.
//!
//! ```text
//! # a remark                     lines of people: remarks,
//! > name                         a file that is written first,
//! | its content
//! $ treelet …                    and commands;
//! ~ standard output              lines of the program: what it printed,
//! ! standard error
//! = 1                            how it ended, unless all was well,
//! : name                         and the files that are new or have changed
//! | their content
//! ```
//!
//! Of pages and pictures the text is kept and a sum over the rest, of long texts the beginning and a sum, of other files that are no text
//! only the name.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use crate::common::{Files, Run, files_in, with_demo, without_times};
use expect_test::expect_file;
use std::fmt::Write;
use std::path::Path;

/// Texts of more lines are kept by their beginning and a sum over the rest.
const LONG: usize = 160;
const BEGINNING: usize = 40;

#[test]
fn the_demo_corpus_is_looked_at() {
    check("looking.txt");
}

#[test]
fn formats_are_converted() {
    check("converting.txt");
}

#[test]
fn systems_are_scored() {
    check("scoring.txt");
}

#[test]
fn fragments_become_trees() {
    check("imputing.txt");
}

#[test]
fn sentences_are_shared_out() {
    check("dividing.txt");
}

#[test]
fn annotators_are_compared() {
    check("agreeing.txt");
}

#[test]
fn what_comes_next_is_chosen_and_planned() {
    check("choosing.txt");
}

#[test]
fn dependency_parsers_learn_and_parse() {
    check("dependencies.txt");
}

#[test]
fn constituency_parsers_learn_parse_and_are_diagnosed() {
    check("constituents.txt");
}

#[test]
fn taggers_learn_and_tag() {
    check("tagging.txt");
}

#[test]
fn grammars_are_induced() {
    check("inducing.txt");
}

#[test]
fn joint_models_learn_and_answer() {
    check("joining.txt");
}

#[test]
fn words_are_cut() {
    check("segmenting.txt");
}

#[test]
fn factors_are_found() {
    check("factoring.txt");
}

/// Runs the commands of a transcript and compares all that comes of them.
fn check(name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts").join(name);
    let kept = std::fs::read_to_string(&path).unwrap();
    expect_file![path].assert_eq(&replayed(&kept));
}

/// The transcript with the answers that are given now.
fn replayed(kept: &str) -> String {
    let playground = with_demo();
    let mut files = files_in(&playground);
    let mut said = String::new();
    let mut lines = kept.lines().peekable();
    while let Some(line) = lines.next() {
        if let Some(name) = line.strip_prefix("> ") {
            let mut content = String::new();
            writeln!(said, "{line}").unwrap();
            while let Some(row) = lines.next_if(|line| line.starts_with('|')) {
                writeln!(said, "{row}").unwrap();
                content += &(row[1..].strip_prefix(' ').unwrap_or("").to_string() + "\n");
            }
            playground.write(name, content);
            files = files_in(&playground);
        } else if let Some(command) = line.strip_prefix("$ treelet ") {
            writeln!(said, "{line}").unwrap();
            let run = playground.run(command);
            let now = files_in(&playground);
            tell(&mut said, &run, &files, &now);
            files = now;
        } else if line.starts_with('#') || line.is_empty() {
            writeln!(said, "{line}").unwrap();
        }
    }
    said
}

/// Writes down what a command answered and which files it changed.
fn tell(said: &mut String, run: &Run, before: &Files, after: &Files) {
    quote(said, "~ ", &without_times(&run.stdout));
    quote(said, "! ", &without_times(&run.stderr));
    if run.code != 0 {
        writeln!(said, "= {}", run.code).unwrap();
    }
    for (name, bytes) in after.iter().filter(|(name, bytes)| before.get(*name) != Some(bytes)) {
        writeln!(said, ": {name}").unwrap();
        match std::str::from_utf8(bytes) {
            Ok(text) if name.ends_with(".html") || name.ends_with(".svg") => {
                quote(said, "| ", &visible(text));
                writeln!(said, "| (drawn as {:08x})", checksum(text)).unwrap();
            }
            Ok(text) => quote(said, "| ", text),
            Err(_) => {}
        }
    }
}

/// Of a long text the beginning, and a sum over the rest.
fn quote(said: &mut String, mark: &str, text: &str) {
    let n_lines = text.lines().count();
    let n_shown = if n_lines > LONG { BEGINNING } else { n_lines };
    for line in text.lines().take(n_shown) {
        writeln!(said, "{}", format!("{mark}{line}").trim_end_matches(' ')).unwrap();
    }
    if n_shown < n_lines {
        let rest: Vec<&str> = text.lines().skip(n_shown).collect();
        writeln!(said, "{mark}… and {} lines, {:08x}", rest.len(), checksum(&rest.join("\n"))).unwrap();
    }
}

/// FNV-1a with 32 bits.
fn checksum(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |sum, byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// The text of a page, a line for each piece between tags, with the titles of pictures and without styles.
fn visible(page: &str) -> String {
    let mut text = String::new();
    let mut is_style = false;
    for piece in page.split('<').skip(1) {
        let (tag, content) = piece.split_once('>').unwrap_or((piece, ""));
        is_style = tag.starts_with("style");
        let content = content.split_whitespace().collect::<Vec<_>>().join(" ");
        if !is_style && !content.is_empty() {
            text += &(content + "\n");
        }
    }
    assert!(!is_style);
    text
}
