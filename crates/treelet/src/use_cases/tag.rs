//! `treelet tag`: taggers from dictionaries, tagged sentences and raw text.

pub(crate) mod forms;
pub(crate) mod learn;
mod material;
pub mod model;
mod next;
mod rows;
pub mod run;
pub mod score;
pub mod show;
mod tag_set;
pub mod train;
mod transducer;

use crate::options::impute::TagColumn;
pub(crate) use material::{MESSAGES, read_dictionary};
use tree::{Text, Token};

/// The tag of a word.
fn tag_of(column: TagColumn, token: &Token) -> &Text {
    match column {
        TagColumn::Upos => &token.upos,
        TagColumn::Xpos => &token.xpos,
    }
}

/// The place of a word's tag.
fn tag_of_mut(column: TagColumn, token: &mut Token) -> &mut Text {
    match column {
        TagColumn::Upos => &mut token.upos,
        TagColumn::Xpos => &mut token.xpos,
    }
}
