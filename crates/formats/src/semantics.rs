//! Names, relations and roles of every format, through one door.
//!
//! [`read`] tells what an item says of entities, relations and predicates, [`write`] puts it into an item in the way of its
//! format. What stands where, and how it is said that something is open, is in docs/semantics.md.
//!
//! ```
//! use formats::detect::Format;
//! use formats::everything::items;
//! use formats::semantics;
//! use tree::semantics::Entity;
//! use tree::Span;
//!
//! let text = "Wolff B-PER\nin O\nBuenos _\nAires _\n\n";
//! let mut item = items(Format::Bio, text.as_bytes()).next().unwrap()?.value;
//! let (sentence, mut said, problems) = semantics::read(Format::Bio, &item, 1);
//! assert_eq!((sentence.n_words(), said.entities.len(), said.open_words.len()), (4, 1, 2));
//! assert!(problems.is_empty());
//!
//! said.entities.push(Entity { span: Span::new(2, 4).unwrap(), kind: "LOC".into() });
//! said.open_words.clear();
//! assert!(semantics::write(Format::Bio, &mut item, &said).is_empty());
//! let mut out = Vec::new();
//! formats::everything::write(Format::Bio, &item, &mut out)?;
//! assert_eq!(String::from_utf8_lossy(&out), "Wolff B-PER\nin O\nBuenos B-LOC\nAires I-LOC\n\n");
//! # Ok::<(), std::io::Error>(())
//! ```

mod cells;
mod columns;
mod fit;
mod labels;
mod links;
mod phrases;

use crate::Problem;
use crate::brackets;
use crate::conll04;
use crate::detect::Format;
use crate::everything::Item;
use crate::joint;
use crate::semeval::{NAMES, NominalPair, PairAnswer};
use cells::Cells;
use tree::semantics::{Entity, Relation, Semantics};
use tree::sentence::UNSPECIFIED;
use tree::{Sentence, Text, Token};

pub(crate) use cells::token_lines;
pub(crate) use labels::is_label;

/// What the items of MISC are called that entities, relations and predicates stand in.
pub(crate) const MISC_KEYS: [&str; 5] = ["NE", "Rel", "Pred", "FillPred", "Args"];

/// What comments are called that say who said entities, relations or roles, with the formats that have a place for these.
const AUTHORS: [(&str, &[Format]); 4] = [
    ("entities_by", &[Format::Conllu, Format::Joint, Format::Conll04]),
    ("relations_by", &[Format::Conllu, Format::Conll04]),
    ("roles_by", &[Format::Conllu, Format::Conll09, Format::Joint]),
    ("semantics_by", &[Format::Conllu, Format::Conll09, Format::Joint, Format::Conll04]),
];

/// Whether a comment says who said entities, relations or roles, and `format` has a place for these.
pub fn is_author(comment: &str, format: Format) -> bool {
    let name = comment.strip_prefix('#').and_then(|rest| rest.split('=').next()).map(str::trim);
    AUTHORS.iter().any(|(key, formats)| name == Some(*key) && formats.contains(&format))
}

/// Whether an item of MISC says something of entities, relations or roles.
pub fn is_item(item: &str) -> bool {
    MISC_KEYS.contains(&item.split('=').next().unwrap_or_default())
}

/// How many things had no place in a format, or cannot be spelled there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Entities.
    pub entities: usize,
    /// Relations.
    pub relations: usize,
    /// Predicates.
    pub predicates: usize,
    /// Arguments, also those of predicates that were left out.
    pub arguments: usize,
    /// Words, pairs and arguments that are open and now seem not to be. Where a format has no place for a layer, nothing is said of
    /// it and nothing is lost.
    pub open: usize,
}

impl LeftOut {
    /// Whether everything had its place.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// What an item, which was read as `format` and begins in `line`, says: its words, what is said of them, and what is wrong with
/// that.
///
/// Entities come in the order of their words, relations in the order of their entities, predicates and arguments in that of words.
/// What is wrong with rows and labels themselves the readers report. Layers that the format has no place for are empty, with
/// nothing open.
pub fn read(format: Format, item: &Item, line: u32) -> (Sentence, Semantics, Vec<Problem>) {
    let mut problems = Vec::new();
    let sentence = words(format, item);
    let said = match item {
        Item::Pair(pair) => of_pair(pair),
        Item::Sentence(_) | Item::Labelled(_) => of_rows(&Cells::new(format, item, line), &mut problems),
        Item::Tree(_) | Item::Annotation(_) => Semantics::default(),
    };
    (sentence, fit::sorted(&said), problems)
}

/// The words of an item.
fn words(format: Format, item: &Item) -> Sentence {
    match item {
        Item::Sentence(sentence) => {
            let mut sentence = sentence.clone();
            if format == Format::Joint {
                sentence.words_mut().filter(|word| joint::is_without_heads(word)).for_each(add_stem);
            }
            sentence
        }
        Item::Labelled(labelled) if labelled.is_boundary() => Sentence::default(),
        Item::Labelled(labelled) => {
            let mut sentence = Sentence::from_forms(labelled.rows.iter().map(|row| row.word()));
            for (token, row) in sentence.tokens.iter_mut().zip(&labelled.rows) {
                if row.columns().count() > 2 {
                    token.xpos = row.columns().nth(1).map_or(UNSPECIFIED, Text::from);
                }
            }
            sentence
        }
        Item::Pair(pair) => pair.sentence(),
        Item::Annotation(block) => block.sentence(),
        Item::Tree(bracketed) => {
            let Some(tree) = &bracketed.tree else { return Sentence::default() };
            let mut sentence = Sentence::from_forms(tree.words().map(|word| brackets::unescape(word)));
            for (token, (tag, _)) in sentence.tokens.iter_mut().zip(tree.tagged_words()) {
                token.xpos = tag.filter(|tag| !tag.is_empty()).cloned().unwrap_or(UNSPECIFIED);
            }
            sentence
        }
    }
}

fn add_stem(token: &mut Token) {
    token.lemma = joint::stem(token);
}

fn of_rows(cells: &Cells<'_>, problems: &mut Vec<Problem>) -> Semantics {
    let mut said = Semantics::default();
    if let Some(scheme) = cells.scheme() {
        (said.entities, said.open_words) = labels::read(scheme, cells, problems);
    }
    if cells.has_links() {
        links::read(cells, &mut said, problems);
    }
    if cells.has_columns() {
        said.predicates = columns::read(cells, problems);
    } else if cells.has_phrases() {
        said.predicates = phrases::read(cells, problems);
    }
    said
}

fn of_pair(pair: &NominalPair) -> Semantics {
    let mut said = Semantics::default();
    let nominals = pair.nominals();
    for (name, span) in NAMES.iter().zip(nominals) {
        said.entities.extend(span.map(|span| Entity { span, kind: (*name).into() }));
    }
    if said.entities.len() < 2 {
        return said;
    }
    match pair.answer() {
        PairAnswer::None => {}
        // Of a pair, the entity that is written first comes first.
        PairAnswer::Open => said.open_pairs.extend([fit::in_order(&said.entities, 0, 1)]),
        PairAnswer::Related { kind, is_backward } => {
            let (first, second) = if is_backward { (1, 0) } else { (0, 1) };
            said.relations.push(Relation { first, second, kind: kind.into() });
        }
    }
    said
}

/// Puts what is said into an item of `format`, in place of what it said before, and tells how much had no place there.
///
/// A layer that says what it said before stays as it is, byte for byte; so does everything else. Labels are written as BIO. Of entities
/// that share words the one that begins first is written, of those the longest.
pub fn write(format: Format, item: &mut Item, said: &Semantics) -> LeftOut {
    let (sentence, old, _) = read(format, item, 1);
    let mut left = LeftOut::default();
    if fit::sorted(said) == old {
        return left;
    }
    if let Item::Pair(pair) = item {
        let new = fit::into_pair(said, sentence.n_words(), &mut left);
        write_pair(pair, &old, new, &mut left);
        return left;
    }
    let new = {
        let cells = Cells::new(format, item, 1);
        fit::into_rows(said, sentence.n_words(), &cells, &mut left)
    };
    let has_new_entities = (&new.entities, &new.open_words) != (&old.entities, &old.open_words);
    let has_new_links = (&new.relations, &new.open_pairs) != (&old.relations, &old.open_pairs);
    if has_new_entities {
        labels::write(format, item, &new);
    }
    if has_new_entities || has_new_links {
        links::write(format, item, &old, &new, &mut left);
    }
    if new.predicates != old.predicates {
        columns::write(format, item, &old.predicates, &new.predicates);
        phrases::write(format, item, &old.predicates, &new.predicates, &mut left);
    }
    if format == Format::Conll04 {
        fill_columns(item);
    }
    left
}

/// Rows that somebody else made may lack columns of the format.
fn fill_columns(item: &mut Item) {
    let Item::Sentence(sentence) = item else { return };
    for (at, token) in sentence.tokens.iter_mut().enumerate().filter(|(_, token)| token.extra.is_empty()) {
        token.extra = vec![UNSPECIFIED, conll04::NO_RELATIONS.into(), conll04::number_list(&[at])];
    }
}

fn write_pair(pair: &mut NominalPair, old: &Semantics, new: Semantics, left: &mut LeftOut) {
    if new.entities != old.entities {
        let span =
            |name: &str| new.entities.iter().find(|entity| entity.kind == name).map(|entity| entity.span);
        let (Some(first), Some(second)) = (span(NAMES[0]), span(NAMES[1])) else {
            // One nominal alone makes no pair, and the marks stay where they are.
            left.entities += new.entities.len();
            left.relations += new.relations.len();
            return;
        };
        pair.mark([first, second]);
    }
    let is_first = |number: usize| new.entities.get(number).is_some_and(|entity| entity.kind == NAMES[0]);
    let answer = match new.relations.first() {
        Some(relation) => {
            PairAnswer::Related { kind: &relation.kind, is_backward: !is_first(relation.first) }
        }
        None if !new.open_pairs.is_empty() => PairAnswer::Open,
        None => PairAnswer::None,
    };
    let is_pair = new.entities.len() == 2;
    let has_changed = (&new.relations, &new.open_pairs) != (&old.relations, &old.open_pairs);
    if is_pair && (has_changed || pair.answer() != answer) {
        pair.set_answer(answer);
    }
}
