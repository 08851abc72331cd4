//! Predicates with a column of arguments each, as CoNLL-2009 has them; in CoNLL-U the same cells stand in MISC.

use super::cells::{self, Cells, Layer};
use crate::Problem;
use crate::detect::Format;
use crate::everything::Item;
use std::collections::BTreeSet;
use tree::Text;
use tree::semantics::{Argument, Predicate};
use tree::sentence::UNSPECIFIED;

const FILLED: &str = "Y";
const OPEN: &str = "?";

/// Predicates in the order of words.
pub(super) fn read(cells: &Cells<'_>, problems: &mut Vec<Problem>) -> Vec<Predicate> {
    let mut predicates: Vec<Predicate> =
        (0..cells.len()).filter_map(|word| predicate(cells, word, problems)).collect();
    let rows: Vec<Vec<Text>> = (0..cells.len()).map(|word| cells.arguments(word)).collect();
    check_columns(cells, &rows, predicates.len(), problems);
    for (number, predicate) in predicates.iter_mut().enumerate() {
        for (word, row) in rows.iter().enumerate() {
            match row.get(number).map_or("_", Text::as_str) {
                "_" | "" => {}
                OPEN => {
                    predicate.open.insert(word);
                }
                role => predicate.arguments.push(Argument { word, role: role.into() }),
            }
        }
    }
    predicates
}

fn predicate(cells: &Cells<'_>, word: usize, problems: &mut Vec<Problem>) -> Option<Predicate> {
    let (fill, sense) = (cells.get(word, Layer::Fill), cells.get(word, Layer::Sense));
    let has_sense = sense != "_" && !sense.is_empty();
    if fill != FILLED && (has_sense || fill != "_" && !fill.is_empty()) {
        let message = format!("`{fill}` where a predicate has Y and other words have _");
        let help = "write Y if the word is a predicate, and _ in both columns if it is none; it is kept";
        problems.push(Problem::error("fill-predicate", cells.place(word, Layer::Fill), message, help));
    }
    (fill == FILLED || has_sense).then(|| Predicate {
        word,
        sense: (has_sense && sense != OPEN).then(|| sense.as_ref().into()),
        arguments: Vec::new(),
        open: BTreeSet::new(),
    })
}

/// Every row has a column for each predicate. The first row that has not is reported.
fn check_columns(cells: &Cells<'_>, rows: &[Vec<Text>], n_predicates: usize, problems: &mut Vec<Problem>) {
    if let Some(word) = rows.iter().position(|row| row.len() > n_predicates) {
        let n_columns = rows[word].len();
        let message = format!("{n_columns} columns of arguments for {n_predicates} predicates");
        let help = "remove the columns that have no predicate, or say which word it is; they are kept";
        let place = cells.place(word, Layer::Argument(n_predicates));
        problems.push(Problem::error("argument-without-predicate", place, message, help));
    }
    // In MISC, a word that is no argument needs none.
    let may_be_empty = cells.format == Format::Conllu;
    let is_short = |row: &Vec<Text>| row.len() < n_predicates && !(row.is_empty() && may_be_empty);
    if let Some(word) = rows.iter().position(is_short) {
        let n_columns = rows[word].len();
        let message = format!("{n_columns} columns of arguments for {n_predicates} predicates");
        let help = "give each predicate a column, with _ where a word is no argument";
        let place = cells.place(word, Layer::Argument(n_columns.saturating_sub(1)));
        problems.push(Problem::error("argument-columns", place, message, help));
    }
}

/// Puts other predicates in place of those that were there. Columns without a predicate stay behind the others.
pub(super) fn write(format: Format, item: &mut Item, old: &[Predicate], new: &[Predicate]) {
    let surplus: Vec<Vec<Text>> = {
        let cells = Cells::new(format, item, 1);
        if !cells.has_columns() {
            return;
        }
        (0..cells.len()).map(|word| cells.arguments(word).into_iter().skip(old.len()).collect()).collect()
    };
    let Item::Sentence(sentence) = item else { return };
    let mut columns = vec![vec![UNSPECIFIED; new.len()]; surplus.len()];
    for (number, predicate) in new.iter().enumerate() {
        predicate.open.iter().for_each(|&word| columns[word][number] = OPEN.into());
        predicate.arguments.iter().for_each(|found| columns[found.word][number] = found.role.clone());
    }
    // A word that is no predicate loses its mark if it was one; whatever else stands there stays.
    let was = |word: usize| old.iter().find(|predicate| predicate.word == word);
    let is = |word: usize| new.iter().find(|predicate| predicate.word == word);
    let mut word = 0;
    for token in &mut sentence.tokens {
        if !token.is_word() {
            if format == Format::Conll09 {
                cells::set_arguments(format, token, vec![UNSPECIFIED; new.len()]);
            }
            continue;
        }
        match (was(word), is(word)) {
            (Some(was), Some(is)) if was.sense == is.sense => {}
            (_, Some(is)) => set_predicate(format, token, Some(is)),
            (Some(_), None) => set_predicate(format, token, None),
            (None, None) => {}
        }
        let mut cells = std::mem::take(&mut columns[word]);
        cells.extend(surplus[word].iter().cloned());
        cells::set_arguments(format, token, cells);
        word += 1;
    }
}

fn set_predicate(format: Format, token: &mut tree::Token, predicate: Option<&Predicate>) {
    let sense = predicate.map(|predicate| predicate.sense.as_deref().unwrap_or(OPEN));
    // In MISC, a sense says that the word is a predicate.
    let fill = predicate.filter(|_| format != Format::Conllu).map(|_| FILLED);
    cells::set(format, token, Layer::Fill, fill);
    cells::set(format, token, Layer::Sense, sense);
}

/// Whether a sense or a role can be called so.
pub(super) fn fits(name: &str) -> bool {
    !name.contains(['\t', '\n', '\r']) && !matches!(name, "" | "_" | OPEN)
}
