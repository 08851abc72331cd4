//! Roles that stand beside every word of a phrase, with the predicate that they belong to: `ARG0$TUR10-0122530`.

use super::LeftOut;
use super::cells::{self, Cells, Layer};
use crate::Problem;
use crate::detect::Format;
use crate::everything::Item;
use crate::joint;
use std::collections::{BTreeMap, BTreeSet};
use tree::Text;
use tree::semantics::{Argument, Predicate};

/// The role of a predicate's own words.
const PREDICATE: &str = "PREDICATE";
const NONE: &str = "NONE";
const OPEN: &str = "?";

/// Role and predicate of each item; an item without `$` cannot be read.
fn items(cell: &str) -> impl Iterator<Item = Result<(&str, &str), &str>> {
    let list = (!matches!(cell, NONE | "_" | "")).then(|| cell.split('#')).into_iter().flatten();
    list.map(|item| {
        item.split_once('$').filter(|(role, link)| !role.is_empty() && !link.is_empty()).ok_or(item)
    })
}

/// Predicates in the order of words. One of several words is its last; a word of a phrase that plays a role is an argument, each for
/// itself.
pub(super) fn read(cells: &Cells<'_>, problems: &mut Vec<Problem>) -> Vec<Predicate> {
    let found = find(cells, problems);
    let mut open = BTreeSet::new();
    let mut roles: BTreeMap<&str, Vec<(usize, &str)>> = BTreeMap::new();
    let texts: Vec<_> = (0..cells.len()).map(|word| cells.get(word, Layer::Roles)).collect();
    for (word, text) in texts.iter().enumerate() {
        if matches!(text.as_ref(), "_" | "") {
            open.insert(word);
        }
        for (role, link) in items(text).flatten().filter(|(role, _)| *role != PREDICATE) {
            roles.entry(link).or_default().push((word, role));
        }
    }
    let mut predicates = Vec::new();
    for (link, word) in &found {
        let mut predicate = Predicate {
            word: *word,
            sense: (link != OPEN).then(|| link.clone()),
            arguments: Vec::new(),
            open: open.clone(),
        };
        for (word, role) in roles.remove(link.as_str()).unwrap_or_default() {
            if predicate.arguments.last().is_some_and(|last| last.word == word) {
                problems.push(second_role(cells, word, role));
            } else {
                predicate.arguments.push(Argument { word, role: role.into() });
            }
        }
        predicates.push(predicate);
    }
    for (link, words) in roles {
        if let Some(&(word, _)) = words.first() {
            problems.push(without_predicate(cells, word, link));
        }
    }
    predicates
}

/// The word of each predicate.
fn find(cells: &Cells<'_>, problems: &mut Vec<Problem>) -> BTreeMap<Text, usize> {
    let mut found: BTreeMap<Text, usize> = BTreeMap::new();
    for word in 0..cells.len() {
        let text = cells.get(word, Layer::Roles);
        let mut is_predicate = false;
        for item in items(&text) {
            match item {
                Ok((PREDICATE, _)) if std::mem::replace(&mut is_predicate, true) => {
                    problems.push(second_predicate(cells, word));
                }
                Ok((PREDICATE, link)) => {
                    found.insert(link.into(), word);
                }
                Ok(_) => {}
                Err(item) => problems.push(unreadable(cells, word, item)),
            }
        }
    }
    // The last word of a predicate may have another one as its first.
    let mut words = BTreeSet::new();
    found.retain(|_, word| words.insert(*word));
    found
}

fn unreadable(cells: &Cells<'_>, word: usize, item: &str) -> Problem {
    let message = format!("`{item}` is no role of a predicate");
    let help = "write ROLE$predicate, PREDICATE$predicate, NONE, or _ to leave it open; it is kept";
    Problem::error("unreadable-role", cells.place(word, Layer::Roles), message, help)
}

fn without_predicate(cells: &Cells<'_>, word: usize, link: &str) -> Problem {
    let message = format!("an argument of {link}, but no word is its predicate");
    let help = "write PREDICATE$ with the same name beside the predicate; the argument is kept";
    Problem::error("argument-without-predicate", cells.place(word, Layer::Roles), message, help)
}

fn second_role(cells: &Cells<'_>, word: usize, role: &str) -> Problem {
    let message = format!("{role} is the word's second role for the same predicate; the first one counts");
    let help = "keep one of them; both are kept in the file";
    Problem::error("second-role", cells.place(word, Layer::Roles), message, help)
}

fn second_predicate(cells: &Cells<'_>, word: usize) -> Problem {
    let message = "the word is a predicate twice; the first one counts";
    let help = "keep one of them; both are kept in the file";
    Problem::error("second-predicate", cells.place(word, Layer::Roles), message, help)
}

/// Puts other predicates in place of those that were there. What belongs to no predicate stays.
pub(super) fn write(
    format: Format,
    item: &mut Item,
    old: &[Predicate],
    new: &[Predicate],
    left: &mut LeftOut,
) {
    if !Cells::new(format, item, 1).has_phrases() {
        return;
    }
    let Item::Sentence(sentence) = item else { return };
    for (word, token) in sentence.words_mut().enumerate() {
        if !joint::is_without_heads(token) {
            continue;
        }
        let before = token.extra[joint::Extra::Roles as usize].clone();
        let mut items: Vec<String> = kept(&before, word, old, new);
        for predicate in new {
            let link = link(predicate);
            if predicate.word == word {
                items.push(format!("{PREDICATE}${link}"));
            }
            let arguments = predicate.arguments.iter().filter(|argument| argument.word == word);
            items.extend(arguments.map(|argument| format!("{}${link}", argument.role)));
        }
        let n_open = new.iter().filter(|predicate| predicate.open.contains(&word)).count();
        let is_open = if new.is_empty() { before == "_" } else { n_open == new.len() };
        let text = match (items.is_empty(), is_open) {
            (true, true) => "_".into(),
            (true, false) => NONE.into(),
            (false, _) => items.join("#"),
        };
        left.open += if text == "_" { 0 } else { n_open };
        cells::set(format, token, Layer::Roles, Some(&text));
    }
}

fn link(predicate: &Predicate) -> &str {
    predicate.sense.as_deref().unwrap_or(OPEN)
}

/// Items of no predicate, items that cannot be read, and the other words of a predicate that stays where it is.
fn kept(cell: &str, word: usize, old: &[Predicate], new: &[Predicate]) -> Vec<String> {
    let find = |predicates: &[Predicate], name: &str| {
        predicates.iter().find(|predicate| link(predicate) == name).map(|predicate| predicate.word)
    };
    let is_kept = |item: &Result<(&str, &str), &str>| match item {
        Ok((role, name)) => match (find(old, name), find(new, name)) {
            (None, None) => true,
            (Some(was), Some(is)) => *role == PREDICATE && was == is && word < is,
            _ => false,
        },
        Err(_) => true,
    };
    let written = |item| match item {
        Ok((role, name)) => format!("{role}${name}"),
        Err(item) => String::from(item),
    };
    items(cell).filter(is_kept).map(written).collect()
}

/// Whether a sense or a role can be called so.
pub(super) fn fits(name: &str) -> bool {
    let is_plain = !name.contains(['\t', '\n', '\r', '#', '$']);
    is_plain && !matches!(name, "" | "_" | OPEN | NONE | PREDICATE)
}
