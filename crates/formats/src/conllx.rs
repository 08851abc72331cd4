//! CoNLL-X, the format of the shared tasks of 2006 and 2007.
//!
//! CPOSTAG and POSTAG are read as UPOS and XPOS; PHEAD and PDEPREL stand in the token's `deps` and `misc`.
//! Rows of eight columns (without PHEAD and PDEPREL) are read too, with a warning, and written with ten.

use crate::conllu::Conllu;
use crate::rows::{self, Layout, Row};
use crate::structure::Rules;
use std::io::{self, Write};
use tree::{Sentence, Token, TokenId};

/// The columns ID FORM LEMMA CPOSTAG POSTAG FEATS HEAD DEPREL PHEAD PDEPREL.
#[derive(Debug)]
pub struct Conllx;

/// Reads CoNLL-X sentence by sentence.
pub type ConllxReader<R> = rows::RowReader<R, Conllx>;

/// Writes one sentence. Comments are written too, although the shared task had none.
pub fn write(sentence: &Sentence, out: &mut impl Write) -> io::Result<()> {
    rows::write_sentence::<Conllx>(sentence, out)
}

impl Layout for Conllx {
    const FEWEST: usize = 8;
    const MOST: usize = 10;
    const NAME: &'static str = "CoNLL-X";
    const RULES: Rules = Rules { single_root: false, universal: false, head_column: 6, row: Self::write };

    fn token(id: TokenId, row: &Row<'_>) -> Token {
        Conllu::token(id, row)
    }

    fn write(token: &Token, out: &mut Vec<u8>) {
        Conllu::write(token, out);
    }
}
