//! CoNLL-2009: syntax and semantic roles, gold beside predicted columns.
//!
//! The columns are ID FORM LEMMA PLEMMA POS PPOS FEAT PFEAT HEAD PHEAD DEPREL PDEPREL FILLPRED PRED, then
//! one APRED column for each predicate of the sentence. POS is the token's XPOS; everything that CoNLL-U has
//! no column for stands in `extra`, in the order of [`Extra`].

use crate::conllu::{write_head, write_id};
use crate::rows::{self, Layout, Row};
use crate::structure::Rules;
use std::io::{self, Write};
use tree::sentence::UNSPECIFIED;
use tree::{Head, Sentence, Text, Token, TokenId};

/// The columns of CoNLL-2009.
#[derive(Debug)]
pub struct Conll09;

/// Where a column of CoNLL-2009 stands in [`Token::extra`]; the arguments follow.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "the names are those of the format")]
pub enum Extra {
    PLemma,
    PPos,
    PFeat,
    PHead,
    PDeprel,
    FillPred,
    Pred,
    FirstArgument,
}

/// Reads CoNLL-2009 sentence by sentence.
pub type Conll09Reader<R> = rows::RowReader<R, Conll09>;

/// Writes one sentence.
pub fn write(sentence: &Sentence, out: &mut impl Write) -> io::Result<()> {
    rows::write_sentence::<Conll09>(sentence, out)
}

impl Layout for Conll09 {
    const FEWEST: usize = 14;
    const MOST: usize = usize::MAX;
    const NAME: &'static str = "CoNLL-2009";
    const RULES: Rules = Rules { single_root: false, universal: false, head_column: 8, row: Self::write };

    fn token(id: TokenId, row: &Row<'_>) -> Token {
        let mut extra: Vec<Text> = [3, 5, 7, 9, 11].into_iter().map(|index| row.text(index)).collect();
        extra.extend(row.rest(12));
        Token {
            id,
            form: row.text(1),
            lemma: row.text(2),
            upos: UNSPECIFIED,
            xpos: row.text(4),
            feats: row.text(6),
            head: Head::read(row.get(8)),
            deprel: row.text(10),
            deps: UNSPECIFIED,
            misc: UNSPECIFIED,
            extra,
        }
    }

    fn write(token: &Token, out: &mut Vec<u8>) {
        let extra = |column: Extra| token.extra.get(column as usize).map_or("_", Text::as_str);
        let mut head = Vec::new();
        write_head(&token.head, &mut head);
        write_id(token.id, out);
        let columns: [&[u8]; 13] = [
            token.form.as_bytes(),
            token.lemma.as_bytes(),
            extra(Extra::PLemma).as_bytes(),
            token.xpos.as_bytes(),
            extra(Extra::PPos).as_bytes(),
            token.feats.as_bytes(),
            extra(Extra::PFeat).as_bytes(),
            &head,
            extra(Extra::PHead).as_bytes(),
            token.deprel.as_bytes(),
            extra(Extra::PDeprel).as_bytes(),
            extra(Extra::FillPred).as_bytes(),
            extra(Extra::Pred).as_bytes(),
        ];
        let arguments = token.extra.iter().skip(Extra::FirstArgument as usize).map(|text| text.as_bytes());
        for column in columns.into_iter().chain(arguments) {
            out.push(b'\t');
            out.extend_from_slice(column);
        }
    }
}
