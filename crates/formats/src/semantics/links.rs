//! Relations, listed beside the last word of the entity that they are from.

use super::LeftOut;
use super::cells::{self, Cells, Layer};
use crate::Problem;
use crate::conll04::{self, NO_RELATIONS};
use crate::detect::Format;
use crate::everything::Item;
use crate::roles::{escape, unescape};
use std::collections::BTreeSet;
use tree::PutInOrder;
use tree::semantics::{Entity, Relation, Semantics};
use tree::{Text, Token};

/// No relation, in CoNLL04.
const NONE: &str = "N";
/// A relation of which nobody said whether it is there.
const OPEN: &str = "?";

/// A relation as it is written: its name and the word that it leads to, from 0.
type Link = (Text, usize);

/// Adds relations and open pairs to entities.
pub(super) fn read(cells: &Cells<'_>, said: &mut Semantics, problems: &mut Vec<Problem>) {
    let at_end = entities_by_last_word(&said.entities, cells.len());
    let mut seen = BTreeSet::new();
    for word in 0..cells.len() {
        for (kind, target) in links(cells, word, problems) {
            let pair = match (at_end[word], at_end.get(target).copied().flatten()) {
                (Some(first), Some(second)) if first != second => (first, second),
                ends => {
                    problems.push(no_pair(cells, word, target, ends));
                    continue;
                }
            };
            if !seen.insert((pair.0.min(pair.1), pair.0.max(pair.1))) {
                problems.push(related_twice(cells, word, &kind));
            } else if kind == OPEN {
                said.open_pairs.insert(super::fit::in_order(&said.entities, pair.0, pair.1));
            } else {
                said.relations.push(Relation { first: pair.0, second: pair.1, kind });
            }
        }
    }
}

fn entities_by_last_word(entities: &[Entity], n_words: usize) -> Vec<Option<usize>> {
    let mut at_end = vec![None; n_words];
    for (number, entity) in entities.iter().enumerate() {
        if let Some(last) = at_end.get_mut(entity.span.end() - 1) {
            *last = Some(number);
        }
    }
    at_end
}

/// What stands beside a word, without what says that there is nothing.
fn links(cells: &Cells<'_>, word: usize, problems: &mut Vec<Problem>) -> Vec<Link> {
    let names = cells.get(word, Layer::Relations);
    if names == "_" || names == NO_RELATIONS && cells.format == Format::Conll04 {
        return Vec::new();
    }
    let read =
        if cells.format == Format::Conll04 { listed(cells, word, &names, problems) } else { in_misc(&names) };
    read.unwrap_or_else(|| {
        problems.push(unreadable(cells, word, &names));
        Vec::new()
    })
}

fn listed(cells: &Cells<'_>, word: usize, names: &str, problems: &mut Vec<Problem>) -> Option<Vec<Link>> {
    let names = conll04::texts(names)?;
    let targets = conll04::numbers(&cells.get(word, Layer::Targets))?;
    if names.len() != targets.len() {
        problems.push(other_length(cells, word, names.len(), targets.len()));
    }
    let pairs = names.into_iter().map(Text::from).zip(targets);
    Some(pairs.filter(|(kind, _)| kind != NONE).collect())
}

/// `14:Work_For,20:?`, words from 1.
fn in_misc(list: &str) -> Option<Vec<Link>> {
    let link = |item: &str| {
        let (word, kind) = item.split_once(':')?;
        let kind = unescape(kind);
        Some((kind, word.parse::<usize>().ok()?.checked_sub(1)?)).filter(|(kind, _)| !kind.is_empty())
    };
    list.split(',').map(link).collect()
}

fn first_word(format: Format) -> usize {
    usize::from(format != Format::Conll04)
}

fn no_pair(
    cells: &Cells<'_>,
    word: usize,
    target: usize,
    (from, to): (Option<usize>, Option<usize>),
) -> Problem {
    let place = cells.place(word, Layer::Relations);
    let number = |word: usize| word.saturating_add(first_word(cells.format));
    if from.is_some() && from == to {
        let message = format!("a relation leads from word {} to itself", number(word));
        let help = "name the last word of another entity; it is kept";
        return Problem::error("relation-without-entity", place, message, help);
    }
    let wrong = if from.is_none() { word } else { target };
    let message = format!("a relation with word {}, which is not the last word of an entity", number(wrong));
    let help = "correct the word's number, or label the entity; it is kept";
    Problem::error("relation-without-entity", place, message, help)
}

fn related_twice(cells: &Cells<'_>, word: usize, kind: &str) -> Problem {
    let message = format!("{kind} is the second relation of the same two entities; the first one counts");
    let help = "keep one of them; both are kept in the file";
    Problem::error("related-twice", cells.place(word, Layer::Relations), message, help)
}

fn unreadable(cells: &Cells<'_>, word: usize, list: &str) -> Problem {
    let message = format!("`{list}` is no list of relations, or the words beside it are none");
    let help = match cells.format {
        Format::Conll04 => {
            "write ['Kill', 'Live_In'] and [3, 14], or ['N'] and the word's own number; it is kept"
        }
        _ => "write Rel=3:Kill,14:Live_In, with the last words of the other entities; it is kept",
    };
    Problem::error("unreadable-relation", cells.place(word, Layer::Relations), message, help)
}

fn other_length(cells: &Cells<'_>, word: usize, n_names: usize, n_targets: usize) -> Problem {
    let message = format!("{n_names} relations and {n_targets} words that they lead to");
    let help = "give each relation its word; those without one are left out, and kept in the file";
    Problem::error("relation-length", cells.place(word, Layer::Targets), message, help)
}

/// Lists relations and open pairs anew. Relations that lead nowhere stay where they lead nowhere still.
pub(super) fn write(format: Format, item: &mut Item, old: &Semantics, new: &Semantics, left: &mut LeftOut) {
    let kept = {
        let cells = Cells::new(format, item, 1);
        if !cells.has_links() {
            return;
        }
        kept_links(&cells, old, new)
    };
    let Item::Sentence(sentence) = item else { return };
    let mut lists: Vec<Vec<Link>> = vec![Vec::new(); sentence.n_words()];
    let last = |entity: usize| new.entities[entity].span.end() - 1;
    for relation in &new.relations {
        lists[last(relation.first)].push((relation.kind.clone(), last(relation.second)));
    }
    for &(first, second) in &new.open_pairs {
        lists[last(first)].push((OPEN.into(), last(second)));
    }
    for (word, (token, mut list)) in sentence.words_mut().zip(lists).enumerate() {
        let Some(kept) = &kept[word] else {
            // What cannot be read is not overwritten.
            left.relations += list.iter().filter(|(kind, _)| kind != OPEN).count();
            continue;
        };
        list.order_by(|one, other| (one.1, &one.0).cmp(&(other.1, &other.0)));
        list.extend(kept.iter().cloned());
        set(format, token, word, &list);
    }
}

/// Links that are not among the relations and will not be; `None` where they cannot be read.
fn kept_links(cells: &Cells<'_>, old: &Semantics, new: &Semantics) -> Vec<Option<Vec<Link>>> {
    let at_end = |said: &Semantics| entities_by_last_word(&said.entities, cells.len());
    let ends = [at_end(old), at_end(new)];
    let is_dangling = |word: usize, target: usize| {
        let is_end = |ends: &Vec<Option<usize>>, word: usize| ends.get(word).is_some_and(Option::is_some);
        ends.iter().all(|ends| word == target || !is_end(ends, word) || !is_end(ends, target))
    };
    let of_word = |word: usize| {
        let mut problems = Vec::new();
        let links = links(cells, word, &mut problems);
        let is_read = problems.iter().all(|problem| problem.rule != "unreadable-relation");
        is_read.then(|| links.into_iter().filter(|&(_, target)| is_dangling(word, target)).collect())
    };
    (0..cells.len()).map(of_word).collect()
}

fn set(format: Format, token: &mut Token, word: usize, list: &[Link]) {
    if format == Format::Conllu {
        let items: Vec<String> =
            list.iter().map(|(kind, target)| format!("{}:{}", target + 1, escape(kind))).collect();
        let joined = (!items.is_empty()).then(|| items.join(","));
        return cells::set(format, token, Layer::Relations, joined.as_deref());
    }
    let kinds: Vec<&str> = list.iter().map(|(kind, _)| kind.as_str()).collect();
    let targets: Vec<usize> = list.iter().map(|(_, target)| *target).collect();
    let (kinds, targets) = match list {
        [] => (NO_RELATIONS.into(), conll04::number_list(&[word])),
        _ => (conll04::text_list(&kinds), conll04::number_list(&targets)),
    };
    cells::set(format, token, Layer::Relations, Some(&kinds));
    cells::set(format, token, Layer::Targets, Some(&targets));
}

/// Whether a relation can be called so.
pub(super) fn fits(format: Format, kind: &str) -> bool {
    let is_plain = !kind.contains(['\t', '\n', '\r']) && !kind.is_empty() && kind != OPEN;
    is_plain && (format != Format::Conll04 || kind != NONE)
}
