//! CoNLL-U: ten columns, multiword ranges, empty nodes, comments.
//!
//! ```
//! use formats::conllu;
//! let text = "# sent_id = 1\n1-2\tdel\t_\t_\t_\t_\t_\t_\t_\t_\n1\tde\tde\tADP\t_\t_\t3\tcase\t_\t_\n\
//!             2\tel\tel\tDET\t_\t_\t3\tdet\t_\t_\n3\tmar\tmar\tNOUN\t_\t_\t0\troot\t_\t_\n\n";
//! let mut out = Vec::new();
//! for reading in conllu::ConlluReader::new(text.as_bytes()) {
//!     let reading = reading?;
//!     assert!(reading.problems.is_empty());
//!     conllu::write(&reading.value, &mut out)?;
//! }
//! assert_eq!(out, text.as_bytes());
//! # Ok::<(), std::io::Error>(())
//! ```

use crate::Problem;
use crate::alike::told_apart;
use crate::rows::{self, Layout, Row, write_columns};
use crate::structure::{self, Rules};
use std::collections::BTreeMap;
use std::io::{self, Write};
use tree::{Head, Place, Sentence, Text, Token, TokenId};

/// The columns ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC.
#[derive(Debug)]
pub struct Conllu;

/// Reads CoNLL-U sentence by sentence.
pub type ConlluReader<R> = rows::RowReader<R, Conllu>;

/// Writes one sentence.
pub fn write(sentence: &Sentence, out: &mut impl Write) -> io::Result<()> {
    rows::write_sentence::<Conllu>(sentence, out)
}

/// What does not keep a sentence from being used: contents of columns, comments against tokens, ids of
/// sentences. `check` looks for it.
#[derive(Debug, Default)]
pub struct Consistency {
    /// Where each sentence id was first used.
    ids: BTreeMap<Text, u32>,
}

impl Consistency {
    /// What is wrong with a sentence that starts at `line`, given those before it.
    pub fn check(&mut self, sentence: &Sentence, line: u32) -> Vec<Problem> {
        let mut problems = Vec::new();
        structure::check_columns(sentence, line, &Conllu::RULES, &mut problems);
        if let Some(id) = sentence.id() {
            let first = *self.ids.entry(id.into()).or_insert(line);
            if first != line {
                let message = format!("the sentence id `{id}` of line {first} comes again");
                let help = "give every sentence its own id";
                problems.push(Problem::warning("duplicate-sentence-id", Place::line(line), message, help));
            }
        }
        let said = sentence.meta("text").filter(|_| !sentence.tokens.is_empty());
        if let Some(text) = said.filter(|text| *text != sentence.detokenised()) {
            let (tokens, text) = told_apart(&sentence.detokenised(), text);
            let message = format!("the tokens give `{tokens}`, the comment says `{text}`");
            let help = "correct # text, a form, or SpaceAfter=No";
            problems.push(Problem::warning("text-mismatch", Place::line(line), message, help));
        }
        problems
    }
}

impl Layout for Conllu {
    const FEWEST: usize = 10;
    const MOST: usize = 10;
    const NAME: &'static str = "CoNLL-U";
    const RULES: Rules = Rules { single_root: true, universal: true, head_column: 6, row: Self::write };

    fn token(id: TokenId, row: &Row<'_>) -> Token {
        Token {
            id,
            form: row.text(1),
            lemma: row.text(2),
            upos: row.text(3),
            xpos: row.text(4),
            feats: row.text(5),
            head: Head::read(row.get(6)),
            deprel: row.text(7),
            deps: row.text(8),
            misc: row.text(9),
            extra: row.rest(10),
        }
    }

    fn write(token: &Token, out: &mut Vec<u8>) {
        write_id(token.id, out);
        write_columns([&token.form, &token.lemma, &token.upos, &token.xpos, &token.feats], out);
        out.push(b'\t');
        write_head(&token.head, out);
        write_columns([&token.deprel, &token.deps, &token.misc], out);
        write_columns(&token.extra, out);
    }
}

pub(crate) fn write_id(id: TokenId, out: &mut Vec<u8>) {
    match id {
        TokenId::Word(word) => write_number(word, out),
        TokenId::Range(first, last) => {
            write_number(first, out);
            out.push(b'-');
            write_number(last, out);
        }
        TokenId::Empty(before, rank) => {
            write_number(before, out);
            out.push(b'.');
            write_number(rank, out);
        }
    }
}

pub(crate) fn write_head(head: &Head, out: &mut Vec<u8>) {
    match head {
        Head::Open => out.push(b'_'),
        Head::Of(head) => write_number(*head, out),
        Head::Unreadable(text) => out.extend_from_slice(text.as_bytes()),
    }
}

/// Digits without the detour over a formatter, which profiles show.
fn write_number(mut number: u32, out: &mut Vec<u8>) {
    let mut digits = [0; 10];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[at..]);
}
