//! Names, relations and roles: what a sentence says of things, beside its syntax.
//!
//! Everything is said by words, counted from 0, and all of it may be partial: what nobody has looked at is *open*, which is
//! not the same as that there is nothing.

use crate::{PutInOrder, Span, Text};
use std::collections::BTreeSet;

/// What was said of a sentence, and what is open.
///
/// ```
/// use tree::semantics::{Entity, Relation, Semantics};
/// use tree::Span;
///
/// // Ada lives in New York
/// let place = |start, end, kind: &str| Entity { span: Span::new(start, end).unwrap(), kind: kind.into() };
/// let said = Semantics {
///     entities: vec![place(0, 1, "PER"), place(3, 5, "LOC")],
///     relations: vec![Relation { first: 0, second: 1, kind: "Live_In".into() }],
///     ..Semantics::default()
/// };
/// assert_eq!(said.faults(5), []);
/// assert_eq!(said.relation(0, 1).map(|relation| relation.kind.as_str()), Some("Live_In"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Semantics {
    /// Names and other things that the sentence speaks of.
    pub entities: Vec<Entity>,
    /// How entities are related; a pair has one relation at most.
    pub relations: Vec<Relation>,
    /// Who does what, by predicate.
    pub predicates: Vec<Predicate>,
    /// Words of which nobody said whether they belong to an entity.
    pub open_words: BTreeSet<usize>,
    /// Pairs of entities, the one that is written first before the other, of which nobody said whether they are related.
    pub open_pairs: BTreeSet<(usize, usize)>,
}

/// Words that name something.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Entity {
    /// The words.
    pub span: Span,
    /// Its type.
    pub kind: Text,
}

/// Two entities that are related: the first to the second.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Relation {
    /// The number of the entity that the relation is from.
    pub first: usize,
    /// The number of the one that it is to.
    pub second: usize,
    /// What it is called.
    pub kind: Text,
}

/// A word that has arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Predicate {
    /// The word.
    pub word: usize,
    /// In which sense it is used, if somebody said so.
    pub sense: Option<Text>,
    /// Its arguments, each word at most once.
    pub arguments: Vec<Argument>,
    /// Words of which nobody said whether they are arguments.
    pub open: BTreeSet<usize>,
}

/// A word that plays a role.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Argument {
    /// The word, the head of the phrase that plays the role.
    pub word: usize,
    /// The role.
    pub role: Text,
}

/// Something that cannot be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// An entity has words that are not there.
    EntityOutside {
        /// Its number.
        entity: usize,
    },
    /// Two entities share a word.
    EntitiesOverlap {
        /// The number of the one that begins first.
        first: usize,
        /// The number of the other.
        second: usize,
        /// Whether neither lies inside the other.
        crossing: bool,
    },
    /// A relation is of an entity that is not there, or of one with itself.
    NoSuchPair {
        /// The relation's number.
        relation: usize,
    },
    /// A pair has two relations.
    RelatedTwice {
        /// The number of the second one.
        relation: usize,
    },
    /// A predicate is a word that is not there.
    PredicateOutside {
        /// Its number.
        predicate: usize,
    },
    /// Two predicates are one word.
    PredicateTwice {
        /// The number of the second one.
        predicate: usize,
    },
    /// An argument is a word that is not there, or one that is an argument of this predicate already.
    BadArgument {
        /// The predicate's number.
        predicate: usize,
        /// The argument's number.
        argument: usize,
    },
}

impl Entity {
    /// Its words.
    pub fn words(&self) -> std::ops::Range<usize> {
        self.span.start()..self.span.end()
    }
}

impl Semantics {
    /// Takes out the other entities, with all that was said of them.
    pub fn keep_entities(&mut self, keeps: impl Fn(usize) -> bool) {
        let mut n_kept = 0;
        let mut number = |at: usize| {
            let number = keeps(at).then_some(n_kept);
            n_kept += usize::from(number.is_some());
            number
        };
        let numbers: Vec<Option<usize>> = (0..self.entities.len()).map(&mut number).collect();
        let renumbered = |at: usize| numbers.get(at).copied().flatten();
        let mut kept = numbers.iter().map(Option::is_some);
        self.entities.retain(|_| kept.next() == Some(true));
        let relations = std::mem::take(&mut self.relations).into_iter().filter_map(|relation| {
            let (first, second) = (renumbered(relation.first)?, renumbered(relation.second)?);
            Some(Relation { first, second, ..relation })
        });
        self.relations = relations.collect();
        let pairs = self.open_pairs.iter();
        self.open_pairs =
            pairs.filter_map(|&(one, other)| Some((renumbered(one)?, renumbered(other)?))).collect();
    }

    /// Whether nothing was said and nothing is open.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The relation of two entities in either direction.
    pub fn relation(&self, one: usize, other: usize) -> Option<&Relation> {
        let of_pair =
            |relation: &&Relation| [(one, other), (other, one)].contains(&(relation.first, relation.second));
        self.relations.iter().find(of_pair)
    }

    /// All that cannot be in a sentence of so many words.
    pub fn faults(&self, n_words: usize) -> Vec<Fault> {
        let mut faults = Vec::new();
        self.faults_of_entities(n_words, &mut faults);
        let mut pairs = BTreeSet::new();
        for (number, relation) in self.relations.iter().enumerate() {
            let pair = (relation.first.min(relation.second), relation.first.max(relation.second));
            if pair.0 == pair.1 || pair.1 >= self.entities.len() {
                faults.push(Fault::NoSuchPair { relation: number });
            } else if !pairs.insert(pair) {
                faults.push(Fault::RelatedTwice { relation: number });
            }
        }
        let mut words = BTreeSet::new();
        for (number, predicate) in self.predicates.iter().enumerate() {
            if predicate.word >= n_words {
                faults.push(Fault::PredicateOutside { predicate: number });
            } else if !words.insert(predicate.word) {
                faults.push(Fault::PredicateTwice { predicate: number });
            }
            let mut seen = BTreeSet::new();
            for (argument, found) in predicate.arguments.iter().enumerate() {
                if found.word >= n_words || !seen.insert(found.word) {
                    faults.push(Fault::BadArgument { predicate: number, argument });
                }
            }
        }
        faults
    }

    fn faults_of_entities(&self, n_words: usize, faults: &mut Vec<Fault>) {
        let outside = |entity: &Entity| entity.span.end() > n_words;
        let is_outside = self.entities.iter().enumerate().filter(|(_, entity)| outside(entity));
        faults.extend(is_outside.map(|(entity, _)| Fault::EntityOutside { entity }));
        // In the order of their starts only neighbours up to the furthest end can overlap.
        let mut order: Vec<usize> = (0..self.entities.len()).collect();
        order.order_by_key(|&number| (self.entities[number].span, number));
        for (at, &first) in order.iter().enumerate() {
            let one = self.entities[first].span;
            let later =
                order[at + 1..].iter().take_while(|&&second| self.entities[second].span.start() < one.end());
            faults.extend(later.map(|&second| {
                let crossing = one.crosses(self.entities[second].span);
                Fault::EntitiesOverlap { first, second, crossing }
            }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entity(start: usize, end: usize) -> Entity {
        Entity { span: Span::new(start, end).expect("a span"), kind: "X".into() }
    }

    #[test]
    fn what_cannot_be_is_named() {
        let argument = |word| Argument { word, role: "A0".into() };
        let predicate = |word, arguments: Vec<Argument>| Predicate {
            word,
            sense: None,
            arguments,
            open: BTreeSet::new(),
        };
        let relation = |first, second| Relation { first, second, kind: "r".into() };
        let said = Semantics {
            entities: vec![entity(0, 3), entity(2, 5), entity(2, 3), entity(6, 9)],
            relations: vec![relation(0, 1), relation(1, 0), relation(2, 2), relation(0, 9)],
            predicates: vec![
                predicate(1, vec![argument(2), argument(2)]),
                predicate(1, vec![]),
                predicate(8, vec![argument(8)]),
            ],
            ..Semantics::default()
        };
        assert_eq!(
            said.faults(8),
            [
                Fault::EntityOutside { entity: 3 },
                Fault::EntitiesOverlap { first: 0, second: 2, crossing: false },
                Fault::EntitiesOverlap { first: 0, second: 1, crossing: true },
                Fault::EntitiesOverlap { first: 2, second: 1, crossing: false },
                Fault::RelatedTwice { relation: 1 },
                Fault::NoSuchPair { relation: 2 },
                Fault::NoSuchPair { relation: 3 },
                Fault::BadArgument { predicate: 0, argument: 1 },
                Fault::PredicateTwice { predicate: 1 },
                Fault::PredicateOutside { predicate: 2 },
                Fault::BadArgument { predicate: 2, argument: 0 },
            ]
        );
    }

    #[test]
    fn entities_go_with_their_relations() {
        let relation = |first, second| Relation { first, second, kind: "r".into() };
        let mut said = Semantics {
            entities: vec![entity(0, 1), entity(2, 3), entity(4, 5), entity(6, 7)],
            relations: vec![relation(0, 1), relation(3, 2), relation(0, 3)],
            open_pairs: BTreeSet::from([(0, 2), (1, 2)]),
            ..Semantics::default()
        };
        said.keep_entities(|at| at != 1);
        assert_eq!(said.entities, [entity(0, 1), entity(4, 5), entity(6, 7)]);
        assert_eq!(said.relations, [relation(2, 1), relation(0, 2)]);
        assert_eq!(said.open_pairs, BTreeSet::from([(0, 1)]));
        assert_eq!(said.faults(7), []);
    }

    #[test]
    fn overlaps_are_found_as_by_comparing_all_pairs() {
        let spans: Vec<Entity> =
            (0..5).flat_map(|start| (start + 1..=5).map(move |end| entity(start, end))).collect();
        for mask in 0u32..1 << 10 {
            let entities: Vec<Entity> = spans
                .iter()
                .enumerate()
                .filter(|(at, _)| mask >> at & 1 == 1)
                .map(|(_, entity)| entity.clone())
                .collect();
            let shares = |a: Span, b: Span| a.start() < b.end() && b.start() < a.end();
            let n_pairs = (0..entities.len())
                .flat_map(|a| (0..a).map(move |b| (a, b)))
                .filter(|&(a, b)| shares(entities[a].span, entities[b].span))
                .count();
            let said = Semantics { entities, ..Semantics::default() };
            assert_eq!(said.faults(5).len(), n_pairs);
        }
    }
}
