//! Relations of entities: pairs and types, with and without direction, and the measure of SemEval-2010 task 8.
//!
//! A pair is known by the words of its two entities. What the gold standard leaves open is not counted: relations of a pair that is
//! open, and those of an entity that gold does not have and that has an open word.

use crate::counts::{Counts, ratio};
use crate::entities::compared;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::AddAssign;
use tree::semantics::{Relation, Semantics};
use tree::{PutTogether, Span, Text};

/// Relations that both sides have, by what must agree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RelationCounts {
    /// The words of the two entities.
    pub pairs: Counts,
    /// Those, and which of the two the relation is from.
    pub directed_pairs: Counts,
    /// The words and the type of the relation, in either direction.
    pub typed: Counts,
    /// The words, the type and the direction: the usual figure.
    pub directed: Counts,
    /// All of this and the types of the entities.
    pub strict: Counts,
    /// By the relations of SemEval-2010.
    pub official: OfficialCounts,
}

impl AddAssign for RelationCounts {
    fn add_assign(&mut self, other: Self) {
        self.pairs += other.pairs;
        self.directed_pairs += other.directed_pairs;
        self.typed += other.typed;
        self.directed += other.directed;
        self.strict += other.strict;
        self.official += other.official;
    }
}

/// The relations of SemEval-2010 task 8.
pub const SEMEVAL: [&str; 9] = [
    "Cause-Effect",
    "Component-Whole",
    "Content-Container",
    "Entity-Destination",
    "Entity-Origin",
    "Instrument-Agency",
    "Member-Collection",
    "Message-Topic",
    "Product-Producer",
];

/// Counts of each relation of SemEval-2010, with direction: a relation that leads the wrong way was proposed and is not right.
///
/// As in the task's scorer, only relations that the gold standard has are averaged and summed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OfficialCounts {
    /// In the order of [`SEMEVAL`].
    pub kinds: [Counts; SEMEVAL.len()],
}

impl OfficialCounts {
    fn in_gold(&self) -> impl Iterator<Item = Counts> {
        self.kinds.into_iter().filter(|counts| counts.gold > 0)
    }

    /// The mean of the relations' F1, the official score of the task: (9+1)-way, with direction.
    pub fn macro_f1(&self) -> f64 {
        self.mean(Counts::f1)
    }

    /// The mean of the relations' precision.
    pub fn macro_precision(&self) -> f64 {
        self.mean(Counts::precision)
    }

    /// The mean of the relations' recall.
    pub fn macro_recall(&self) -> f64 {
        self.mean(Counts::recall)
    }

    /// All relations but `Other`, summed.
    pub fn micro(&self) -> Counts {
        self.in_gold().sum()
    }

    fn mean(&self, figure: fn(Counts) -> f64) -> f64 {
        let n = self.in_gold().count();
        if n == 0 { 0.0 } else { self.in_gold().map(figure).sum::<f64>() / n as f64 }
    }
}

impl AddAssign for OfficialCounts {
    fn add_assign(&mut self, other: Self) {
        self.kinds.iter_mut().zip(other.kinds).for_each(|(counts, more)| *counts += more);
    }
}

/// Sums over sentences.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RelationReport {
    /// All relations.
    pub all: RelationCounts,
    /// By type, with direction.
    pub kinds: BTreeMap<Text, Counts>,
    /// Relations of each sentence.
    pub sentences: Vec<RelationCounts>,
}

impl RelationReport {
    /// Adds a sentence.
    pub fn add(&mut self, gold: &Semantics, system: &Semantics) {
        let gold_found = found(gold);
        let is_known = |one: &&FoundRelation<'_>| is_known(gold, one);
        let all = found(system);
        let system_found: Vec<&FoundRelation<'_>> = all.iter().filter(is_known).collect();
        let gold_found: Vec<&FoundRelation<'_>> = gold_found.iter().collect();
        let mut counts = RelationCounts {
            pairs: by(&gold_found, &system_found, FoundRelation::pair),
            directed_pairs: by(&gold_found, &system_found, |one| one.spans),
            typed: by(&gold_found, &system_found, |one| (one.pair(), one.kind)),
            directed: by(&gold_found, &system_found, |one| (one.spans, one.kind)),
            strict: by(&gold_found, &system_found, |one| (one.spans, one.kind, one.ends)),
            official: OfficialCounts::default(),
        };
        let kinds: BTreeSet<&str> = gold_found.iter().chain(&system_found).map(|one| one.kind).into_set();
        for kind in kinds {
            let of_kind = |all: &[&FoundRelation<'_>]| -> Vec<_> {
                all.iter().filter(|one| one.kind == kind).map(|one| one.spans).collect()
            };
            let of_kind = compared(of_kind(&gold_found), of_kind(&system_found));
            *self.kinds.entry(kind.into()).or_default() += of_kind;
            if let Some(at) = SEMEVAL.iter().position(|name| *name == kind) {
                counts.official.kinds[at] += of_kind;
            }
        }
        self.all += counts;
        self.sentences.push(counts);
    }

    /// Whether all relations of the gold standard are those of SemEval-2010.
    pub fn is_semeval(&self) -> bool {
        let mut in_gold = self.kinds.iter().filter(|(_, counts)| counts.gold > 0).peekable();
        in_gold.peek().is_some() && in_gold.all(|(kind, _)| SEMEVAL.contains(&kind.as_str()))
    }

    /// The mean F1 of the types that the gold standard has.
    pub fn macro_f1(&self) -> f64 {
        let in_gold: Vec<f64> =
            self.kinds.values().filter(|counts| counts.gold > 0).map(|counts| counts.f1()).collect();
        if in_gold.is_empty() { 0.0 } else { in_gold.iter().sum::<f64>() / in_gold.len() as f64 }
    }

    /// The share of sentences in which all relations are right and there is no other: for one pair in each, with `Other`, accuracy.
    pub fn exact(&self) -> f64 {
        let is_exact = |one: &&RelationCounts| {
            one.directed.matched == one.directed.gold && one.directed.matched == one.directed.system
        };
        ratio(self.sentences.iter().filter(is_exact).count(), self.sentences.len())
    }
}

/// A relation with its entities' words and types in place of their numbers.
struct FoundRelation<'a> {
    spans: (Span, Span),
    kind: &'a str,
    ends: (&'a str, &'a str),
}

impl FoundRelation<'_> {
    fn pair(&self) -> (Span, Span) {
        (self.spans.0.min(self.spans.1), self.spans.0.max(self.spans.1))
    }
}

/// Relations of entities that are there.
fn found(said: &Semantics) -> Vec<FoundRelation<'_>> {
    let read =
        |relation: &'_ Relation| said.entities.get(relation.first).zip(said.entities.get(relation.second));
    said.relations
        .iter()
        .filter_map(|relation| {
            let (first, second) = read(relation)?;
            let ends = (first.kind.as_str(), second.kind.as_str());
            Some(FoundRelation { spans: (first.span, second.span), kind: &relation.kind, ends })
        })
        .collect()
}

/// Whether the gold standard says whether there is such a relation.
fn is_known(gold: &Semantics, one: &FoundRelation<'_>) -> bool {
    let span = |number: usize| gold.entities.get(number).map(|entity| entity.span);
    let is_pair = |&(first, second): &(usize, usize)| {
        let pair = span(first).zip(span(second));
        pair.is_some_and(|(first, second)| (first.min(second), first.max(second)) == one.pair())
    };
    let is_settled = |span: Span| {
        gold.entities.iter().any(|entity| entity.span == span)
            || !(span.start()..span.end()).any(|word| gold.open_words.contains(&word))
    };
    !gold.open_pairs.iter().any(is_pair) && is_settled(one.spans.0) && is_settled(one.spans.1)
}

fn by<'a, K: Ord>(
    gold: &[&'a FoundRelation<'a>],
    system: &[&'a FoundRelation<'a>],
    key: impl Fn(&'a FoundRelation<'a>) -> K,
) -> Counts {
    compared(gold.iter().map(|one| key(one)).collect(), system.iter().map(|one| key(one)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use tree::semantics::Entity;

    fn said(entities: &[(usize, usize, &str)], relations: &[(usize, usize, &str)]) -> Semantics {
        let entity = |&(start, end, kind): &(usize, usize, &str)| Entity {
            span: Span::new(start, end).expect("a span"),
            kind: kind.into(),
        };
        let relation =
            |&(first, second, kind): &(usize, usize, &str)| Relation { first, second, kind: kind.into() };
        Semantics {
            entities: entities.iter().map(entity).collect(),
            relations: relations.iter().map(relation).collect(),
            ..Semantics::default()
        }
    }

    #[test]
    fn hand_computed_example() {
        let gold =
            said(&[(0, 1, "P"), (2, 4, "L"), (5, 6, "O")], &[(0, 1, "live"), (0, 2, "work"), (2, 1, "in")]);
        // The first is right but for a type of an entity, the second has the other direction, the third another type.
        let system =
            said(&[(0, 1, "P"), (2, 4, "O"), (5, 6, "O")], &[(0, 1, "live"), (2, 0, "work"), (2, 1, "live")]);
        let mut report = RelationReport::default();
        report.add(&gold, &system);
        let counts = |matched| Counts { matched, gold: 3, system: 3 };
        assert_eq!(report.all.pairs, counts(3));
        assert_eq!(report.all.directed_pairs, counts(2));
        assert_eq!(report.all.typed, counts(2));
        assert_eq!(report.all.directed, counts(1));
        assert_eq!(report.all.strict, counts(0));
        assert_eq!(report.kinds["live"], Counts { matched: 1, gold: 1, system: 2 });
        assert!((report.macro_f1() - (2.0 / 3.0) / 3.0).abs() < 1e-12);
    }

    #[test]
    fn what_is_open_in_gold_is_not_counted() {
        let mut gold = said(&[(0, 1, "P"), (2, 4, "L")], &[]);
        gold.open_pairs = [(0, 1)].into();
        gold.open_words = [5].into();
        let system = said(
            &[(0, 1, "P"), (2, 4, "L"), (5, 6, "L"), (6, 7, "L")],
            &[(1, 0, "live"), (0, 2, "live"), (0, 3, "live")],
        );
        let mut report = RelationReport::default();
        report.add(&gold, &system);
        assert_eq!(report.all.directed, Counts { matched: 0, gold: 0, system: 1 });
    }

    /// A label as the task's key files have it: `Cause-Effect(e2,e1)` or `Other`.
    type Label = Option<(usize, bool)>;

    /// The official score from the confusions of labels, as the scorer computes it.
    fn scorer(answers: &[(Label, Label)]) -> [f64; 4] {
        let (mut sums, mut n, mut micro) = ([0.0; 3], 0.0, (0.0, 0.0, 0.0));
        for relation in 0..SEMEVAL.len() {
            let is = |label: &Label| label.is_some_and(|(kind, _)| kind == relation);
            let actual = answers.iter().filter(|(gold, _)| is(gold)).count() as f64;
            if actual == 0.0 {
                continue;
            }
            let correct = answers.iter().filter(|(gold, system)| is(gold) && gold == system).count() as f64;
            let wrong_direction =
                answers.iter().filter(|(gold, system)| is(gold) && is(system) && gold != system).count()
                    as f64;
            let proposed =
                answers.iter().filter(|(gold, system)| is(system) && !(is(gold) && gold != system)).count();
            let proposed = proposed as f64 + wrong_direction;
            let precision = if proposed == 0.0 { 0.0 } else { correct / proposed };
            let recall = correct / actual;
            let f1 =
                if precision + recall == 0.0 { 0.0 } else { 2.0 * precision * recall / (precision + recall) };
            sums = [sums[0] + precision, sums[1] + recall, sums[2] + f1];
            micro = (micro.0 + correct, micro.1 + proposed, micro.2 + actual);
            n += 1.0;
        }
        let over = |sum: f64| if n == 0.0 { 0.0 } else { sum / n };
        let f1 = if micro.1 + micro.2 == 0.0 { 0.0 } else { 2.0 * micro.0 / (micro.1 + micro.2) };
        [over(sums[0]), over(sums[1]), over(sums[2]), f1]
    }

    fn label() -> impl Strategy<Value = Label> {
        prop::option::of((prop::sample::select(vec![0usize, 1, 8]), any::<bool>()))
    }

    proptest! {
        #[test]
        fn the_official_score_is_that_of_the_confusions(answers in prop::collection::vec((label(), label()), 0..20)) {
            let mut report = RelationReport::default();
            let with = |label: &Label| {
                let relations: Vec<_> = label
                    .iter()
                    .map(|&(kind, back)| (usize::from(back), usize::from(!back), SEMEVAL[kind]))
                    .collect();
                said(&[(0, 1, "e1"), (2, 3, "e2")], &relations)
            };
            answers.iter().for_each(|(gold, system)| report.add(&with(gold), &with(system)));
            let official = report.all.official;
            let ours =
                [official.macro_precision(), official.macro_recall(), official.macro_f1(), official.micro().f1()];
            for (ours, expected) in ours.into_iter().zip(scorer(&answers)) {
                prop_assert!((ours - expected).abs() < 1e-12, "{} {}", ours, expected);
            }
            let n_right = answers.iter().filter(|(gold, system)| gold == system).count();
            prop_assert!((report.exact() - ratio(n_right, answers.len())).abs() < 1e-12);
            let mut summed = RelationCounts::default();
            report.sentences.iter().for_each(|&one| summed += one);
            prop_assert_eq!(summed, report.all);
            prop_assert!(report.all.directed.matched <= report.all.typed.matched);
        }
    }
}
