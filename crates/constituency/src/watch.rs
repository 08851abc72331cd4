//! One rule, watched from sweep to sweep.
//!
//! Where trees are given, how often NP → DT NN occurs never changes; what changes is which annotation of NP takes
//! it. So the figure to watch is the share of annotation 0: Sun (2016), Figure 2.3.

use grammar::{Inventory, Level};

use super::names;
use super::sampler::AnnotatedTrees;

/// A rule between labels, and what its head could have been expanded with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WatchedRule {
    rule: u32,
    name: String,
    /// By rule: whether it expands the same label.
    is_rival: Vec<bool>,
}

/// A rule that the trees do not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the trees have no rule `{rule}`{}", advice(.rule, .near))]
pub struct UnknownRule {
    /// The rule as it was asked for.
    pub rule: String,
    /// Rules that look like it, the nearest first.
    pub near: Vec<String>,
}

/// So many near rules are named.
const MOST_NEAR: usize = 4;

impl WatchedRule {
    /// Finds a rule by its name: `NP -> DT NN`, `NP -> NN`, or `S -> VP -> VB` for a chain.
    ///
    /// Rules with words have no name here, and constituents with more than two children have become several
    /// rules, with stand-ins such as `@NP`.
    pub fn find(inventory: &Inventory, text: &str) -> Result<WatchedRule, UnknownRule> {
        let wanted = tidy(text);
        let rules = inventory.rules();
        let named: Vec<(u32, String)> = (0..inventory.first_lexical())
            .filter(|&rule| !rules.is_stay(rule))
            .map(|rule| (rule, names::rule(rules, rule, |category, _| names::category(rules, category))))
            .collect();
        match named.iter().find(|(_, name)| *name == wanted) {
            Some((rule, name)) => Ok(WatchedRule {
                rule: *rule,
                name: name.clone(),
                is_rival: (0..inventory.len() as u32)
                    .map(|other| are_rivals(inventory, *rule, other))
                    .collect(),
            }),
            None => Err(UnknownRule { near: near(&wanted, named), rule: wanted }),
        }
    }

    /// The name, with an arrow and single spaces: `NP → DT NN`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The share of the nodes with the label of the head and annotation 0 that take the rule; NaN if there are
    /// none.
    ///
    /// n(A[0] → B C) / n(A[0]), B and C with any annotations: over all rules of A, words included, it sums to 1.
    pub fn share(&self, state: &AnnotatedTrees) -> f64 {
        let uses = state.sentences.iter().flatten();
        let of_head = uses.filter(|used| used.head == 0 && self.is_rival[used.rule as usize]);
        let (mut n_rule, mut n_head) = (0u64, 0u64);
        for used in of_head {
            n_head += 1;
            n_rule += u64::from(used.rule == self.rule);
        }
        n_rule as f64 / n_head as f64
    }
}

/// Whether two rules expand the same label. A node that stays what it is expands later, and is counted there.
fn are_rivals(inventory: &Inventory, rule: u32, other: u32) -> bool {
    let rules = inventory.rules();
    let (a, b) = (rules.info(inventory.head(rule)), rules.info(inventory.head(other)));
    let same = match (a.level, b.level) {
        (Level::Root, Level::Root) => true,
        (Level::Root, _) | (_, Level::Root) => false,
        _ => a.label == b.label,
    };
    same && !rules.is_stay(other)
}

/// One kind of arrow, single spaces.
fn tidy(text: &str) -> String {
    let spaced = text.replace("->", " → ").replace('→', " → ");
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The names that fewest changes of letters lead to.
fn near(wanted: &str, named: Vec<(u32, String)>) -> Vec<String> {
    let mut found: Vec<(usize, String)> =
        named.into_iter().map(|(_, name)| (distance(wanted, &name), name)).collect();
    found.sort_unstable();
    found.dedup();
    found.into_iter().take(MOST_NEAR).map(|(_, name)| name).collect()
}

/// The least number of letters to insert, delete or replace (Levenshtein 1966).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    // d(i, j) = min(d(i−1, j) + 1, d(i, j−1) + 1, d(i−1, j−1) + [a_i ≠ b_j]), one row at a time.
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, other) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != *other);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

fn advice(rule: &str, near: &[String]) -> String {
    let quoted: Vec<String> = near.iter().map(|name| format!("`{name}`")).collect();
    let near =
        if quoted.is_empty() { String::new() } else { format!("; near ones are {}", quoted.join(", ")) };
    let n_parts = rule.rsplit('→').next().map_or(0, |parts| parts.split_whitespace().count());
    let long = if n_parts > 2 {
        "; rules of more than two parts are taken apart, with labels such as `@NP`"
    } else {
        ""
    };
    format!("{near}{long}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{TrainOptions, Training};
    use chain::observe::Each;
    use chain::{Progress, Start, Stop, Workers};
    use std::io;
    use std::ops::ControlFlow;
    use tree::{Text, Tree};

    fn node(label: &str, children: Vec<Tree<Text>>) -> Tree<Text> {
        Tree::constituent(Text::new(label), children)
    }

    fn tag(label: &str, form: &str) -> Tree<Text> {
        node(label, vec![Tree::word(Text::new(form))])
    }

    /// NP is a tag here (`NP` over a word), a chain there, and has two parts elsewhere.
    fn trees() -> Vec<Tree<Text>> {
        let the_dog = || node("NP", vec![tag("DT", "the"), tag("NN", "dog")]);
        let dogs = || node("NP", vec![tag("NN", "dogs")]);
        let she = || tag("NP", "she");
        let both = node("NP", vec![the_dog(), dogs()]);
        let sees = |np: Tree<Text>| node("VP", vec![tag("VB", "sees"), np]);
        let top = |np, vp| node("TOP", vec![node("S", vec![np, vp])]);
        vec![top(the_dog(), sees(dogs())), top(she(), sees(the_dog())), top(both, sees(she()))]
    }

    /// Shows the states of a short run, with K annotations.
    fn watch(k: u32, mut see: impl FnMut(&Inventory, &AnnotatedTrees)) {
        let options = TrainOptions {
            annotations: k,
            occurrences_per_annotation: 0.0,
            stage_sweeps: 0,
            burn_in: 0,
            samples: 6,
            chains: 2,
            ..TrainOptions::default()
        };
        let workers = Workers::serial();
        let (training, _) = Training::new(&trees(), &[], &[], options, &workers).expect("there are trees");
        let inventory = &training.bank().inventory;
        let mut observer = Each(|_: &Progress, state: &AnnotatedTrees| -> io::Result<ControlFlow<Stop>> {
            see(inventory, state);
            Ok(ControlFlow::Continue(()))
        });
        training.run(Start::Fresh, &mut observer, &workers).expect("nothing can fail");
    }

    #[test]
    fn without_annotations_the_share_is_that_of_the_treebank() {
        watch(1, |inventory, state| {
            let share = |text| WatchedRule::find(inventory, text).expect("a rule").share(state);
            // Eight nodes NP: three with DT NN, two with NN, one with two NPs, two with a word.
            assert_eq!([share("NP -> DT NN"), share("NP→NN"), share(" NP  ->NP NP ")], [0.375, 0.25, 0.125]);
            assert_eq!(share("S -> NP VP"), 1.0);
        });
    }

    /// Σ_r share(A[0] → r) = 1, found by counting the nodes A[0] in another way: as parts of the rules above them.
    #[test]
    fn with_annotations_the_share_is_over_the_nodes_with_annotation_0() {
        let mut seen = Vec::new();
        watch(3, |inventory, state| {
            let rules = inventory.rules();
            let is_np = |category| names::category(rules, category) == "NP";
            let mut n_nodes = 0;
            let mut n_rule = 0;
            for used in state.sentences.iter().flatten().filter(|used| !inventory.is_lexical(used.rule)) {
                let (head, left, right) = rules.parts(used.rule);
                let parts = [Some(left), right];
                let is_stay = rules.is_stay(used.rule);
                let zeros =
                    parts.iter().zip(used.parts).filter(|(part, x)| part.is_some_and(is_np) && *x == 0);
                n_nodes += if is_stay { 0 } else { zeros.count() };
                let name =
                    [Some(head), Some(left), right].map(|part| part.map(|part| names::category(rules, part)));
                n_rule += usize::from(
                    used.head == 0 && name == ["NP", "DT", "NN"].map(|part| Some(part.to_owned())),
                );
            }
            let share = WatchedRule::find(inventory, "NP -> DT NN").expect("a rule").share(state);
            match n_nodes {
                0 => assert!(share.is_nan()),
                n => assert!((share - n_rule as f64 / n as f64).abs() < 1e-12, "{share} {n_rule}/{n}"),
            }
            seen.push(share);
        });
        assert!(seen.iter().any(|share| *share != seen[0]), "annotations are drawn: {seen:?}");
    }

    #[test]
    fn an_unknown_rule_is_told_with_near_ones() {
        watch(1, |inventory, _| {
            let error = WatchedRule::find(inventory, "NP -> DT NM").expect_err("no such rule");
            assert!(
                error.to_string().starts_with(
                    "the trees have no rule `NP → DT NM`; near ones are `NP → DT NN`, `NP → NP NP`, `NP → NN`"
                ),
                "{error}"
            );
            assert!(WatchedRule::find(inventory, "NN -> dog").is_err(), "words are no parts of rules");
            let error = WatchedRule::find(inventory, "NP -> DT JJ NN").expect_err("three parts");
            assert!(error.to_string().ends_with("with labels such as `@NP`"), "{error}");
        });
    }

    #[test]
    fn distances_between_names_are_counted_in_letters() {
        let known = [("", "", 0), ("abc", "", 3), ("kitten", "sitting", 3), ("NP → NN", "NP → NP", 1)];
        for (a, b, n) in known {
            assert_eq!((distance(a, b), distance(b, a)), (n, n), "{a} {b}");
        }
    }
}
