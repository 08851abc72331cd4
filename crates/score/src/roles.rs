//! Predicates, their senses and their arguments, as the shared task of CoNLL-2009 counts them (`eval09.pl`).
//!
//! Each predicate is a dependency of the root, with its sense as the label; each argument is one of its predicate. Labelled
//! figures count senses and roles, unlabelled ones predicates and arguments. What the gold standard leaves open is not counted: the sense of a
//! predicate whose sense is open, and what the system says of words that are open for a predicate.

use crate::counts::{Accuracy, Counts};
use crate::entities::compared;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::AddAssign;
use tree::PutTogether;
use tree::Text;
use tree::semantics::{Predicate, Semantics};

/// Predicates and arguments that both sides have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RoleCounts {
    /// Predicates, whatever their senses.
    pub predicates: Counts,
    /// Predicates with their senses. One that the system gives no sense counts as proposed.
    pub senses: Counts,
    /// Arguments, whatever their roles.
    pub arguments: Counts,
    /// Arguments with their roles.
    pub roles: Counts,
}

impl RoleCounts {
    /// Senses and roles together: the labelled figure of the shared task.
    pub fn labelled(self) -> Counts {
        [self.senses, self.roles].into_iter().sum()
    }

    /// Predicates and arguments together: the unlabelled figure of the shared task.
    pub fn unlabelled(self) -> Counts {
        [self.predicates, self.arguments].into_iter().sum()
    }

    /// Predicates of the gold standard with the right sense, among those that have one.
    pub fn sense_accuracy(self) -> Accuracy {
        Accuracy { correct: self.senses.matched, total: self.senses.gold }
    }
}

impl AddAssign for RoleCounts {
    fn add_assign(&mut self, other: Self) {
        self.predicates += other.predicates;
        self.senses += other.senses;
        self.arguments += other.arguments;
        self.roles += other.roles;
    }
}

/// Sums over sentences.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RoleReport {
    /// All predicates and arguments.
    pub all: RoleCounts,
    /// Arguments by role.
    pub kinds: BTreeMap<Text, Counts>,
    /// Predicates and arguments of each sentence.
    pub sentences: Vec<RoleCounts>,
}

impl RoleReport {
    /// Adds a sentence.
    pub fn add(&mut self, gold: &Semantics, system: &Semantics) {
        let of = |said: &'_ Semantics, word: usize| -> Option<usize> {
            said.predicates.iter().position(|predicate| predicate.word == word)
        };
        let words: BTreeSet<usize> =
            gold.predicates.iter().chain(&system.predicates).map(|predicate| predicate.word).into_set();
        let mut sentence = RoleCounts::default();
        for word in words {
            let gold = of(gold, word).map(|at| &gold.predicates[at]);
            let system = of(system, word).map(|at| &system.predicates[at]);
            sentence += self.predicate(gold, system);
        }
        self.all += sentence;
        self.sentences.push(sentence);
    }

    fn predicate(&mut self, gold: Option<&Predicate>, system: Option<&Predicate>) -> RoleCounts {
        let count = |is_matched: bool, in_gold: bool, in_system: bool| Counts {
            matched: usize::from(is_matched),
            gold: usize::from(in_gold),
            system: usize::from(in_system),
        };
        let predicates = count(gold.is_some() && system.is_some(), gold.is_some(), system.is_some());
        let sense = |predicate: Option<&Predicate>| predicate.and_then(|one| one.sense.clone());
        let (gold_sense, system_sense) = (sense(gold), sense(system));
        // Where gold has no sense, nothing can be right or wrong.
        let is_open = gold.is_some() && gold_sense.is_none();
        let is_same = gold_sense.as_ref().zip(system_sense.as_ref()).is_some_and(|(a, b)| same_sense(a, b));
        let senses = count(is_same, gold_sense.is_some(), system.is_some() && !is_open);
        let is_known = |word: usize| gold.is_none_or(|gold| !gold.open.contains(&word));
        let (gold_roles, mut system_roles) = (roles(gold), roles(system));
        system_roles.retain(|(word, _)| is_known(*word));
        let kinds: BTreeSet<&str> = gold_roles.iter().chain(&system_roles).map(|(_, role)| *role).into_set();
        for kind in kinds {
            let of_kind = |roles: &[(usize, &str)]| -> Vec<usize> {
                roles.iter().filter(|(_, role)| *role == kind).map(|(word, _)| *word).collect()
            };
            *self.kinds.entry(kind.into()).or_default() +=
                compared(of_kind(&gold_roles), of_kind(&system_roles));
        }
        let words = |roles: &[(usize, &str)]| roles.iter().map(|(word, _)| *word).collect::<Vec<_>>();
        let arguments = compared(words(&gold_roles), words(&system_roles));
        RoleCounts { predicates, senses, arguments, roles: compared(gold_roles, system_roles) }
    }
}

/// Words and roles. A word that plays several roles, `A0|A1`, is an argument for each.
fn roles(predicate: Option<&Predicate>) -> Vec<(usize, &str)> {
    let arguments = predicate.into_iter().flat_map(|predicate| &predicate.arguments);
    let several = |role: &'_ Text| role.contains('|');
    let mut roles = Vec::new();
    for argument in arguments {
        if several(&argument.role) {
            let parts: BTreeSet<&str> = argument.role.split('|').into_set();
            roles.extend(parts.into_iter().map(|role| (argument.word, role)));
        } else {
            roles.push((argument.word, argument.role.as_str()));
        }
    }
    roles
}

/// Of `go.01` only what stands after the period counts, and numbers are compared as numbers.
fn same_sense(gold: &str, system: &str) -> bool {
    let (gold, system) = (sense(gold), sense(system));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number(gold) && is_number(system) {
        return gold.trim_start_matches('0') == system.trim_start_matches('0');
    }
    gold == system
}

fn sense(text: &str) -> &str {
    match text.split_once('.') {
        Some((lemma, sense)) if !lemma.is_empty() && !sense.is_empty() && !sense.contains('.') => sense,
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use tree::semantics::Argument;

    fn predicate(word: usize, sense: Option<&str>, arguments: &[(usize, &str)]) -> Predicate {
        let argument = |&(word, role): &(usize, &str)| Argument { word, role: role.into() };
        Predicate {
            word,
            sense: sense.map(Into::into),
            arguments: arguments.iter().map(argument).collect(),
            open: BTreeSet::new(),
        }
    }

    fn said(predicates: Vec<Predicate>) -> Semantics {
        Semantics { predicates, ..Semantics::default() }
    }

    fn scored(gold: Vec<Predicate>, system: Vec<Predicate>) -> RoleReport {
        let mut report = RoleReport::default();
        report.add(&said(gold), &said(system));
        report
    }

    #[test]
    fn hand_computed_example() {
        let gold = vec![
            predicate(1, Some("go.01"), &[(0, "A0"), (2, "AM-TMP")]),
            predicate(4, Some("be.02"), &[(3, "A1")]),
        ];
        let system = vec![
            predicate(1, Some("walk.1"), &[(0, "A0"), (2, "AM-LOC"), (3, "A2")]),
            predicate(4, Some("be.03"), &[]),
        ];
        let report = scored(gold, system);
        // Senses: 1 of 2. Roles: one of three in gold, of three proposed; without their names two.
        assert_eq!(report.all.labelled(), Counts { matched: 2, gold: 5, system: 5 });
        assert_eq!(report.all.unlabelled(), Counts { matched: 4, gold: 5, system: 5 });
        assert_eq!(report.all.sense_accuracy(), Accuracy { correct: 1, total: 2 });
        assert_eq!(report.all.roles, Counts { matched: 1, gold: 3, system: 3 });
        assert_eq!(report.kinds["A0"], Counts { matched: 1, gold: 1, system: 1 });
        assert_eq!(report.kinds["A2"], Counts { matched: 0, gold: 0, system: 1 });
    }

    #[test]
    fn senses_are_compared_as_the_script_does() {
        for (gold, system, is_same) in [
            ("go.01", "run.1", true),
            ("go.01", "go.02", false),
            ("a.b.c", "x.b.c", false),
            ("go", "go", true),
            (".01", ".01", true),
            ("go.x", "be.x", true),
            ("0", "00", true),
        ] {
            assert_eq!(same_sense(gold, system), is_same, "{gold} {system}");
        }
    }

    #[test]
    fn what_is_open_in_gold_is_not_counted() {
        let mut gold = predicate(1, None, &[(0, "A0")]);
        gold.open = [2].into();
        let system = vec![predicate(1, Some("go.01"), &[(0, "A0"), (2, "A1"), (3, "A2")])];
        let report = scored(vec![gold], system);
        assert_eq!(report.all.labelled(), Counts { matched: 1, gold: 1, system: 2 });
        assert_eq!(report.all.unlabelled(), Counts { matched: 2, gold: 2, system: 3 });
    }

    #[test]
    fn a_word_may_play_several_roles() {
        let report =
            scored(vec![predicate(1, None, &[(0, "A0|A1")])], vec![predicate(1, None, &[(0, "A1")])]);
        assert_eq!(report.all.roles, Counts { matched: 1, gold: 2, system: 1 });
        assert_eq!(report.all.arguments, Counts { matched: 1, gold: 2, system: 1 });
    }

    fn predicates() -> impl Strategy<Value = Vec<Predicate>> {
        let role = prop::sample::select(vec!["A0", "A1", "AM"]);
        let arguments = prop::collection::btree_map(0usize..4, role, 0..4);
        let sense = prop::sample::select(vec!["go.01", "be.01", "go.02"]);
        prop::collection::btree_map(0usize..4, (sense, arguments), 0..4).prop_map(|all| {
            all.into_iter()
                .map(|(word, (sense, arguments))| {
                    predicate(word, Some(sense), &arguments.into_iter().collect::<Vec<_>>())
                })
                .collect()
        })
    }

    /// All dependencies as triples; predicates hang from a root, with the sense after the period as the label.
    fn dependencies(predicates: &[Predicate]) -> BTreeSet<(Option<usize>, usize, String)> {
        predicates
            .iter()
            .flat_map(|one| {
                let sense = one.sense.as_deref().unwrap_or_default();
                let root = (None, one.word, sense.split('.').next_back().unwrap_or_default().to_string());
                let arguments =
                    one.arguments.iter().map(|arg| (Some(one.word), arg.word, arg.role.to_string()));
                arguments.chain([root]).collect::<Vec<_>>()
            })
            .collect()
    }

    proptest! {
        #[test]
        fn figures_are_those_of_dependencies_of_a_root(gold in predicates(), system in predicates()) {
            let report = scored(gold.clone(), system.clone());
            let (gold, system) = (dependencies(&gold), dependencies(&system));
            let counts = |matched| Counts { matched, gold: gold.len(), system: system.len() };
            prop_assert_eq!(report.all.labelled(), counts(gold.intersection(&system).count()));
            let bare = |all: &BTreeSet<(Option<usize>, usize, String)>| -> BTreeSet<(Option<usize>, usize)> {
                all.iter().map(|(head, word, _)| (*head, *word)).collect()
            };
            prop_assert_eq!(report.all.unlabelled(), counts(bare(&gold).intersection(&bare(&system)).count()));
            prop_assert_eq!(report.kinds.values().copied().sum::<Counts>(), report.all.roles);
        }
    }
}
