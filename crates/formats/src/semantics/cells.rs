//! Where a format keeps the layers: one cell per word for each of them.

use crate::bio::Labelled;
use crate::conll09;
use crate::convert::take_misc;
use crate::detect::Format;
use crate::everything::Item;
use crate::joint;
use crate::lines::{column, width};
use crate::roles::{escape, unescape};
use crate::rows::Layout;
use crate::{conll04, conllu};
use std::borrow::Cow;
use tree::sentence::UNSPECIFIED;
use tree::{Place, Sentence, Text, Token};

/// A layer of one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layer {
    /// The label of an entity.
    Label,
    /// What relations are called.
    Relations,
    /// Where relations lead to.
    Targets,
    /// Whether the word is a predicate.
    Fill,
    /// Its sense.
    Sense,
    /// Arguments, a cell for each predicate.
    Argument(usize),
    /// All roles that the word plays.
    Roles,
}

/// How labels say where entities are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scheme {
    /// `B-PER I-PER O`; also IOB1, BIOES and BILOU are read.
    Bio,
    /// The type of each word, `NONE` outside of entities: neighbours of one type are one entity.
    Types,
}

/// Items in MISC.
pub(super) const LABEL: &str = "NE";
pub(super) const RELATION: &str = "Rel";
const FILL: &str = "FillPred";
const SENSE: &str = "Pred";
const ARGUMENTS: &str = "Args";

/// The words of an item that has a row for each, with the lines where they stand.
pub(super) struct Cells<'a> {
    pub(super) format: Format,
    rows: Vec<(Row<'a>, u32)>,
}

#[derive(Clone, Copy)]
enum Row<'a> {
    Token(&'a Token),
    Line(&'a str),
}

impl<'a> Cells<'a> {
    pub(super) fn new(format: Format, item: &'a Item, line: u32) -> Self {
        let rows = match item {
            Item::Sentence(sentence) => token_lines(sentence, line)
                .filter(|(token, _)| token.is_word())
                .map(|(token, line)| (Row::Token(token), line))
                .collect(),
            Item::Labelled(labelled) if !labelled.is_boundary() => label_lines(labelled, line),
            _ => Vec::new(),
        };
        Self { format, rows }
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// How labels are spelled, if there is a place for them.
    pub(super) fn scheme(&self) -> Option<Scheme> {
        match self.format {
            Format::Bio | Format::Conll04 | Format::Conllu => Some(Scheme::Bio),
            Format::Joint if self.has_phrases() => Some(Scheme::Types),
            Format::Joint => Some(Scheme::Bio),
            _ => None,
        }
    }

    /// Whether relations have a place.
    pub(super) fn has_links(&self) -> bool {
        matches!(self.format, Format::Conll04 | Format::Conllu)
    }

    /// Whether each predicate has a column.
    pub(super) fn has_columns(&self) -> bool {
        matches!(self.format, Format::Conll09 | Format::Conllu)
    }

    /// Whether each word says which roles it plays.
    pub(super) fn has_phrases(&self) -> bool {
        let first = self.rows.first();
        let is_turkish = |row: &Row<'_>| matches!(row, Row::Token(token) if joint::is_without_heads(token));
        self.format == Format::Joint && first.is_some_and(|(row, _)| is_turkish(row))
    }

    /// What a word has in a layer; `_` if there is nothing.
    pub(super) fn get(&self, word: usize, layer: Layer) -> Cow<'a, str> {
        match self.rows[word].0 {
            // A row of the other layout, which is a problem, says nothing.
            Row::Token(token)
                if self.format == Format::Joint && joint::is_without_heads(token) != self.has_phrases() =>
            {
                Cow::Borrowed("_")
            }
            Row::Token(token) => cell(self.format, token, layer),
            Row::Line(line) => {
                let label = line.split_ascii_whitespace().skip(1).last();
                Cow::Borrowed(label.filter(|_| layer == Layer::Label).unwrap_or("_"))
            }
        }
    }

    /// The cells of a word that predicates have columns for.
    pub(super) fn arguments(&self, word: usize) -> Vec<Text> {
        match self.rows[word].0 {
            Row::Token(token) => arguments(self.format, token),
            Row::Line(_) => Vec::new(),
        }
    }

    /// Where a cell stands in the file.
    pub(super) fn place(&self, word: usize, layer: Layer) -> Place {
        let (row, line) = self.rows[word];
        match row {
            Row::Token(token) => {
                let row = self.written(token);
                let n_columns = row.split('\t').count();
                let index = column_of(self.format, token, layer).min(n_columns.saturating_sub(1));
                let before: usize = row.split('\t').take(index).map(|cell| cell.len() + 1).sum();
                let cell = row.split('\t').nth(index).unwrap_or_default();
                Place::new(line, column(&row, before), width(cell).max(1))
            }
            Row::Line(text) => {
                let label = text.split_ascii_whitespace().last().unwrap_or_default();
                let before = text.trim_ascii_end().len() - label.len();
                Place::new(line, column(text, before), width(label).max(1))
            }
        }
    }

    /// A row as its format writes it.
    fn written(&self, token: &Token) -> String {
        let mut row = Vec::new();
        match self.format {
            Format::Conll04 => return conll04::row(token),
            Format::Conll09 => conll09::Conll09::write(token, &mut row),
            Format::Joint => joint::JointColumns::write(token, &mut row),
            _ => conllu::Conllu::write(token, &mut row),
        }
        String::from_utf8_lossy(&row).into_owned()
    }
}

fn label_lines(labelled: &Labelled, line: u32) -> Vec<(Row<'_>, u32)> {
    labelled.rows.iter().map(|row| Row::Line(&row.line)).zip(line..).collect()
}

/// Token lines with their numbers in the file: comments come before them, unreadable lines between them.
pub(crate) fn token_lines(sentence: &Sentence, first: u32) -> impl Iterator<Item = (&Token, u32)> {
    let mut stray = sentence.stray.iter().peekable();
    let mut line = first.saturating_add(u32::try_from(sentence.comments.len()).unwrap_or(u32::MAX));
    sentence.tokens.iter().enumerate().map(move |(index, token)| {
        while stray.next_if(|kept| kept.after <= index).is_some() {
            line = line.saturating_add(1);
        }
        let here = line;
        line = line.saturating_add(1);
        (token, here)
    })
}

/// The column of a layer, from 0.
fn column_of(format: Format, token: &Token, layer: Layer) -> usize {
    const MISC: usize = 9;
    match (format, layer) {
        (Format::Conll04, Layer::Label) => 2,
        (Format::Conll04, Layer::Relations) => 3,
        (Format::Conll04, _) => 4,
        (Format::Conll09, Layer::Fill) => 12,
        (Format::Conll09, Layer::Sense) => 13,
        (Format::Conll09, Layer::Argument(number)) => 14 + number,
        (Format::Joint, Layer::Label) if joint::is_without_heads(token) => 5,
        (Format::Joint, Layer::Label) => 7,
        (Format::Joint, _) => 6,
        _ => MISC,
    }
}

/// Where a layer stands in [`Token::extra`].
fn index(format: Format, token: &Token, layer: Layer) -> Option<usize> {
    match (format, layer) {
        (Format::Conll04, Layer::Label) => Some(conll04::Extra::Label as usize),
        (Format::Conll04, Layer::Relations) => Some(conll04::Extra::Relations as usize),
        (Format::Conll04, Layer::Targets) => Some(conll04::Extra::Targets as usize),
        (Format::Conll09, Layer::Fill) => Some(conll09::Extra::FillPred as usize),
        (Format::Conll09, Layer::Sense) => Some(conll09::Extra::Pred as usize),
        (Format::Joint, Layer::Label) if joint::is_without_heads(token) => Some(joint::Extra::Name as usize),
        (Format::Joint, Layer::Label) => Some(0),
        (Format::Joint, Layer::Roles) if joint::is_without_heads(token) => Some(joint::Extra::Roles as usize),
        _ => None,
    }
}

/// The key of a layer in MISC.
fn key(layer: Layer) -> Option<&'static str> {
    match layer {
        Layer::Label => Some(LABEL),
        Layer::Relations => Some(RELATION),
        Layer::Fill => Some(FILL),
        Layer::Sense => Some(SENSE),
        _ => None,
    }
}

fn cell(format: Format, token: &Token, layer: Layer) -> Cow<'_, str> {
    if format == Format::Conllu {
        let found = key(layer).and_then(|key| misc(token, key));
        return match found {
            // Lists are taken apart before what is in them is unescaped.
            Some(value) if layer == Layer::Relations => Cow::Borrowed(value),
            Some(value) => Cow::Owned(unescape(value).into()),
            // A word with a sense is a predicate, unless something else is said.
            None if layer == Layer::Fill && misc(token, SENSE).is_some() => Cow::Borrowed("Y"),
            None => Cow::Borrowed("_"),
        };
    }
    let text = index(format, token, layer).and_then(|index| token.extra.get(index));
    Cow::Borrowed(text.map_or("_", Text::as_str))
}

fn misc<'a>(token: &'a Token, key: &str) -> Option<&'a str> {
    token.misc_items().find(|(name, _)| *name == key).map(|(_, value)| value)
}

fn arguments(format: Format, token: &Token) -> Vec<Text> {
    if format == Format::Conllu {
        let list = misc(token, ARGUMENTS);
        return list.map_or_else(Vec::new, |list| list.split(',').map(unescape).collect());
    }
    token.extra.iter().skip(conll09::Extra::FirstArgument as usize).cloned().collect()
}

/// Puts a text into a cell of a token; in MISC, `None` takes the item out.
pub(super) fn set(format: Format, token: &mut Token, layer: Layer, text: Option<&str>) {
    if format == Format::Conllu {
        let Some(key) = key(layer) else { return };
        let escaped = text.map(|text| if layer == Layer::Relations { text.into() } else { escape(text) });
        return set_misc(token, key, escaped);
    }
    let Some(index) = index(format, token, layer) else { return };
    if token.extra.len() <= index {
        token.extra.resize(index + 1, UNSPECIFIED);
    }
    token.extra[index] = text.unwrap_or("_").into();
}

/// Puts arguments into the columns of a token.
pub(super) fn set_arguments(format: Format, token: &mut Token, cells: Vec<Text>) {
    if format == Format::Conllu {
        let is_something = cells.iter().any(|cell| *cell != UNSPECIFIED);
        let list: Vec<String> = cells.iter().map(|cell| escape(cell)).collect();
        return set_misc(token, ARGUMENTS, is_something.then(|| list.join(",")));
    }
    token.extra.resize(conll09::Extra::FirstArgument as usize, UNSPECIFIED);
    token.extra.extend(cells);
}

/// Puts a value into MISC, where the key stands already or at the end.
fn set_misc(token: &mut Token, key: &str, value: Option<String>) {
    let Some(value) = value else {
        take_misc(token, key);
        return;
    };
    let item = format!("{key}={value}");
    let mut items: Vec<&str> = match token.misc.as_str() {
        "_" | "" => Vec::new(),
        misc => misc.split('|').collect(),
    };
    let is_key = |item: &&str| item.split_once('=').is_some_and(|(name, _)| name == key);
    let at = items.iter().position(is_key).unwrap_or(items.len());
    items.retain(|item| !is_key(item));
    items.insert(at.min(items.len()), &item);
    token.misc = items.join("|").into();
}
