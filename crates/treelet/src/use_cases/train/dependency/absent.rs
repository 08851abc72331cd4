//! Columns that somebody may think the parser looks at, and that have nothing in them.

use super::corpus::Corpora;
use crate::options::dependency::{ColumnName, Dependency};
use crate::watch::Watch;
use dependency::TagColumn;
use tree::sentence::UNSPECIFIED;
use tree::{Text, Token};

/// Says which columns are empty, and which tags the parser goes by if these are not the usual ones.
pub(super) fn note(options: &Dependency, corpora: &Corpora, watch: &dyn Watch) {
    let tags = match corpora.tags {
        TagColumn::Upos => ColumnName::Upos,
        TagColumn::Xpos => ColumnName::Xpos,
    };
    if !has(corpora, tags) {
        watch.remark("warning: no word has a tag; the parser will look at forms only and be much worse");
    } else if tags == ColumnName::Xpos && options.reading.tags.is_none() {
        watch.note("note: no word has a tag in UPOS; the parser goes by the tags in XPOS");
    }
    for &column in &options.words.columns {
        let name = name(column);
        if column == tags {
            watch.note(&format!("note: --use {name}: these are the tags that the parser goes by anyway"));
        } else if !has(corpora, column) {
            watch.remark(&format!("warning: --use {name}: the column is empty in all training sentences"));
        }
    }
}

fn has(corpora: &Corpora, column: ColumnName) -> bool {
    let mut words = corpora.data.iter().flat_map(|item| item.sentence.words());
    words.any(|token| *field(token, column) != UNSPECIFIED)
}

fn field(token: &Token, column: ColumnName) -> &Text {
    match column {
        ColumnName::Feats => &token.feats,
        ColumnName::Upos => &token.upos,
        ColumnName::Xpos => &token.xpos,
    }
}

fn name(column: ColumnName) -> &'static str {
    match column {
        ColumnName::Feats => "feats",
        ColumnName::Upos => "upos",
        ColumnName::Xpos => "xpos",
    }
}
