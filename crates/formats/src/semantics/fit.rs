//! What of a sentence's semantics a format can hold, in the order in which it is read back.

use super::LeftOut;
use super::cells::{Cells, Scheme};
use super::{columns, labels, links, phrases};
use crate::semeval::{self, NAMES};
use std::collections::BTreeSet;
use tree::PutInOrder;
use tree::semantics::{Entity, Predicate, Relation, Semantics};

/// The same, entities in the order of their words, relations in that of entities, predicates and arguments in that of words.
pub(super) fn sorted(said: &Semantics) -> Semantics {
    let mut order: Vec<usize> = (0..said.entities.len()).collect();
    order.order_by(|&one, &other| said.entities[one].cmp(&said.entities[other]));
    let mut rank = vec![0; order.len()];
    order.iter().enumerate().for_each(|(at, &number)| rank[number] = at);
    let renumbered = |number: usize| rank.get(number).copied().unwrap_or(number);
    let mut sorted = said.clone();
    sorted.entities = order.iter().map(|&number| said.entities[number].clone()).collect();
    for relation in &mut sorted.relations {
        (relation.first, relation.second) = (renumbered(relation.first), renumbered(relation.second));
    }
    sorted.relations.order_by(Ord::cmp);
    let pairs = said.open_pairs.iter().map(|&(one, other)| (renumbered(one), renumbered(other)));
    sorted.open_pairs = pairs.map(|(one, other)| (one.min(other), one.max(other))).collect();
    sorted.predicates.order_by_key(|predicate| predicate.word);
    sorted.predicates.iter_mut().for_each(|predicate| predicate.arguments.order_by(Ord::cmp));
    sorted
}

/// A pair of entities, the one that is written first before the other.
pub(super) fn in_order(entities: &[Entity], one: usize, other: usize) -> (usize, usize) {
    if (&entities[one], one) <= (&entities[other], other) { (one, other) } else { (other, one) }
}

/// What rows of a format can hold.
pub(super) fn into_rows(
    said: &Semantics,
    n_words: usize,
    cells: &Cells<'_>,
    left: &mut LeftOut,
) -> Semantics {
    let mut new = Semantics::default();
    let scheme = cells.scheme().filter(|_| cells.len() > 0);
    let numbers = match scheme {
        Some(scheme) => {
            let fits = |kind: &str| labels::fits(cells.format, scheme, kind);
            entities(said, n_words, fits, scheme == Scheme::Types, &mut new)
        }
        None => vec![None; said.entities.len()],
    };
    left.entities += numbers.iter().filter(|number| number.is_none()).count();
    if scheme.is_some() {
        let is_covered = |word: usize| new.entities.iter().any(|entity| entity.span.holds(word));
        let (open, lost): (BTreeSet<usize>, BTreeSet<usize>) =
            said.open_words.iter().partition(|&&word| word < n_words && !is_covered(word));
        new.open_words = open;
        left.open += lost.len();
    }
    if cells.has_links() {
        relations(said, &numbers, |kind| links::fits(cells.format, kind), &mut new, left);
    } else {
        left.relations += said.relations.len();
    }
    let fits = if cells.has_phrases() { phrases::fits } else { columns::fits };
    let has_place = cells.has_columns() || cells.has_phrases();
    let mut taken = BTreeSet::new();
    for predicate in &said.predicates {
        let sense = predicate.sense.as_deref();
        let is_good = has_place && predicate.word < n_words && sense.is_none_or(fits);
        let is_second = new.predicates.iter().any(|other| other.word == predicate.word);
        // Where a sense tells predicates apart, each can be there once.
        let name = sense.filter(|_| cells.has_phrases());
        let mut is_known = || cells.has_phrases() && !taken.insert(name.map(String::from));
        if !is_good || is_second || is_known() {
            left.predicates += 1;
            left.arguments += predicate.arguments.len();
            continue;
        }
        new.predicates.push(with_arguments(predicate, n_words, fits, left));
    }
    sorted(&new)
}

fn with_arguments(
    predicate: &Predicate,
    n_words: usize,
    fits: fn(&str) -> bool,
    left: &mut LeftOut,
) -> Predicate {
    let mut seen = BTreeSet::new();
    let mut new = predicate.clone();
    new.arguments
        .retain(|argument| argument.word < n_words && fits(&argument.role) && seen.insert(argument.word));
    new.open.retain(|&word| word < n_words && !seen.contains(&word));
    left.arguments += predicate.arguments.len() - new.arguments.len();
    left.open += predicate.open.len() - new.open.len();
    new
}

/// Takes entities that share no word, and tells the new number of each. Of those that share words the first counts, of those the
/// longest. Where neighbours of one type would become one, the second is left out.
fn entities(
    said: &Semantics,
    n_words: usize,
    fits: impl Fn(&str) -> bool,
    neighbours_join: bool,
    new: &mut Semantics,
) -> Vec<Option<usize>> {
    let mut order: Vec<usize> = (0..said.entities.len()).collect();
    order.order_by_key(|&number| {
        let span = said.entities[number].span;
        (span.start(), std::cmp::Reverse(span.end()))
    });
    let mut numbers = vec![None; order.len()];
    for number in order {
        let entity = &said.entities[number];
        let is_free = |last: &Entity| {
            let joins = neighbours_join && last.kind == entity.kind && last.span.end() == entity.span.start();
            last.span.end() <= entity.span.start() && !joins
        };
        if entity.span.end() <= n_words && fits(&entity.kind) && new.entities.last().is_none_or(is_free) {
            numbers[number] = Some(new.entities.len());
            new.entities.push(entity.clone());
        }
    }
    numbers
}

/// Takes relations and open pairs of entities that were taken, each pair once.
fn relations(
    said: &Semantics,
    numbers: &[Option<usize>],
    fits: impl Fn(&str) -> bool,
    new: &mut Semantics,
    left: &mut LeftOut,
) {
    let number = |old: usize| numbers.get(old).copied().flatten();
    let mut seen = BTreeSet::new();
    for relation in &said.relations {
        match (number(relation.first), number(relation.second)) {
            (Some(first), Some(second))
                if first != second
                    && fits(&relation.kind)
                    && seen.insert((first.min(second), first.max(second))) =>
            {
                new.relations.push(Relation { first, second, kind: relation.kind.clone() });
            }
            _ => left.relations += 1,
        }
    }
    for &(one, other) in &said.open_pairs {
        match (number(one), number(other)) {
            (Some(one), Some(other)) if one != other && seen.insert((one.min(other), one.max(other))) => {
                new.open_pairs.insert((one.min(other), one.max(other)));
            }
            _ => left.open += 1,
        }
    }
}

/// What two marked nominals can hold.
pub(super) fn into_pair(said: &Semantics, n_words: usize, left: &mut LeftOut) -> Semantics {
    let mut new = Semantics::default();
    let mut taken = BTreeSet::new();
    let nominals = Semantics {
        // The first of each name; the other entities keep their numbers, but never fit.
        entities: said
            .entities
            .iter()
            .map(|entity| match NAMES.contains(&entity.kind.as_str()) && taken.insert(entity.kind.clone()) {
                true => entity.clone(),
                false => Entity { span: entity.span, kind: "".into() },
            })
            .collect(),
        ..Semantics::default()
    };
    let numbers = entities(&nominals, n_words, |kind| !kind.is_empty(), false, &mut new);
    left.entities += numbers.iter().filter(|number| number.is_none()).count();
    relations(said, &numbers, semeval::fits, &mut new, left);
    left.open += said.open_words.len();
    left.predicates += said.predicates.len();
    left.arguments += said.predicates.iter().map(|predicate| predicate.arguments.len()).sum::<usize>();
    sorted(&new)
}
