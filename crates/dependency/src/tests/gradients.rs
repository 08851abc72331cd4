//! Losses and their gradients, against lists of trees and finite differences.

use chain::{Rng, Stream};
use indexmap::IndexMap;
use tree::Possible;

use super::toys::{self, Piece};
use crate::attributes::Attributes;
use crate::course::Gradient;
use crate::example::{Example, Target};
use crate::first_order::{self, SMALLEST};
use crate::labels::{self, LabelFeatures};
use crate::parts::PartFeatures;
use crate::second_order::{self, SecondOrderScratch};
use crate::shape::TreeShape;
use crate::table::Table;
use crate::templates::Templates;

/// A random sentence with all that its loss depends on.
struct Case {
    example: Example,
    possible: Possible,
    shape: TreeShape,
    /// The arcs of the second order; `None` in the first.
    arcs: Option<Vec<(usize, usize)>>,
    templates: Templates,
}

impl Case {
    fn random(rng: &mut Rng, shape: TreeShape, second: bool, pull: f64) -> Option<Case> {
        let n_words = 2 + rng.below(if second { 3 } else { 4 });
        let share = [0.15, 0.5, 1.0][rng.below(3)];
        let possible = toys::said(rng, n_words, shape, share);
        let words = toys::attributes(rng, n_words);
        let n_pulls = if pull > 0.0 { n_words * (n_words + 1) } else { 0 };
        let pulls = (0..n_pulls).map(|_| (pull * rng.uniform()) as f32).collect();
        let weight = [0.25, 1.0, 3.0][rng.below(3)];
        let (example, relaxed) = Example::new(words, &possible, shape, pulls, weight)?;
        assert!(!relaxed);
        let kept = |word: &usize| !example.left_out[*word];
        let all = (1..=n_words).filter(kept).flat_map(|m| (0..=n_words).map(move |h| (h, m)));
        let drop = if rng.uniform() < 0.5 { 0.0 } else { 0.2 };
        let known = |head: usize, word: usize| possible.whole().required_head(word) == Some(head);
        let arcs: Vec<(usize, usize)> = all
            .filter(|&(head, word)| head != word && (head == 0 || kept(&head)))
            .filter(|&(head, word)| known(head, word) || rng.uniform() >= drop)
            .collect();
        Some(Case { example, possible, shape, arcs: second.then_some(arcs), templates: toys::templates() })
    }

    fn gradient(&self, table: &Table) -> Option<Gradient> {
        let mut scratch = SecondOrderScratch::default();
        let Case { example, templates, shape, .. } = self;
        match &self.arcs {
            None => first_order::gradient(example, templates, table, *shape, &mut scratch.first),
            Some(arcs) => second_order::gradient(example, arcs, templates, table, *shape, &mut scratch),
        }
    }

    /// All trees with their pieces, and whether they are as it was said.
    fn trees(&self) -> Vec<(Vec<usize>, Vec<Piece>, bool)> {
        let left_out = &self.example.left_out;
        let trees = toys::trees(self.example.words.n_words(), left_out, self.shape);
        let word_arcs = |heads: &Vec<usize>| {
            let arcs: Vec<(usize, usize)> = (1..=heads.len()).map(|word| (heads[word - 1], word)).collect();
            arcs.into_iter().filter(|&(_, word)| !left_out[word]).collect::<Vec<_>>()
        };
        let kept = trees.into_iter().filter(|heads| match &self.arcs {
            None => true,
            Some(arcs) => word_arcs(heads).iter().all(|arc| arcs.contains(arc)),
        });
        kept.map(|heads| {
            let pieces = toys::pieces(&heads, left_out, self.arcs.is_some());
            let said = self.possible.admits(&toys::as_heads(&heads));
            (heads, pieces, said)
        })
        .collect()
    }

    /// The loss and its gradient in every weight by the list of all trees; `None` if no tree is as it was said.
    fn listed(&self, table: &Table) -> Option<(f64, Vec<f64>)> {
        let features = PartFeatures::new(&self.templates, &self.example.words);
        let (mut all, mut said) = (0.0, 0.0);
        let (mut expected, mut demanded) = (IndexMap::<Piece, f64>::new(), IndexMap::<Piece, f64>::new());
        for (heads, pieces, is_said) in self.trees() {
            let score = toys::score(&features, table, &pieces);
            all += score.exp();
            pieces.iter().for_each(|piece| *expected.entry(*piece).or_default() += score.exp());
            if is_said {
                let weight = (score + self.pull_of(&heads)).exp();
                said += weight;
                pieces.iter().for_each(|piece| *demanded.entry(*piece).or_default() += weight);
            }
        }
        if said == 0.0 {
            return None;
        }
        let mut gradients = vec![0.0; table.values.len()];
        let weight = self.example.weight;
        for (piece, sum) in &expected {
            let derivative = sum / all - demanded.get(piece).map_or(0.0, |sum| sum / said);
            if derivative.abs() > SMALLEST {
                toys::each_key(&features, *piece, |key| gradients[table.slot(key)] += weight * derivative);
            }
        }
        Some((weight * (all.ln() - said.ln()), gradients))
    }

    /// What rules add to a tree, unless it is known as a whole.
    fn pull_of(&self, heads: &[usize]) -> f64 {
        if self.example.pull.is_empty() || matches!(self.example.target, Target::Tree(_)) {
            return 0.0;
        }
        let pull = |word: usize| self.example.pull[(word - 1) * (heads.len() + 1) + heads[word - 1]];
        let kept = (1..=heads.len()).filter(|&word| !self.example.left_out[word]);
        kept.map(|word| f64::from(pull(word))).sum()
    }
}

fn dense(gradient: &Gradient, table: &Table) -> Vec<f64> {
    let mut gradients = vec![0.0; table.values.len()];
    gradient.entries.iter().for_each(|&(slot, derivative)| gradients[slot as usize] += f64::from(derivative));
    gradients
}

fn check_against_list(case: &Case, table: &Table) {
    let (found, expected) = (case.gradient(table), case.listed(table));
    let (Some(found), Some((loss, gradients))) = (&found, &expected) else {
        assert!(found.is_none() && expected.is_none(), "{found:?} {expected:?}");
        return;
    };
    assert!(toys::close(found.loss, *loss, 1e-9), "{} {loss}", found.loss);
    for (at, (found, expected)) in dense(found, table).iter().zip(gradients).enumerate() {
        assert!(toys::close(*found, *expected, 1e-5), "weight {at}: {found} {expected}");
    }
}

fn each_case(second: bool, pull: f64, n_cases: usize, mut check: impl FnMut(&mut Rng, &Case)) {
    let mut n_checked = 0;
    for number in 0..n_cases {
        let mut rng = Stream::new(17).item(number).rng();
        let shape = toys::SHAPES[number % if second { 2 } else { 4 }];
        if let Some(case) = Case::random(&mut rng, shape, second, pull) {
            check(&mut rng, &case);
            n_checked += 1;
        }
    }
    assert!(2 * n_checked > n_cases);
}

#[test]
fn losses_and_gradients_are_those_of_the_list_in_the_first_order() {
    for pull in [0.0, 2.0] {
        each_case(false, pull, 160, |rng, case| check_against_list(case, &toys::table(rng, 9, 1, 0.8)));
    }
}

#[test]
fn losses_and_gradients_are_those_of_the_list_in_the_second_order() {
    for pull in [0.0, 2.0] {
        each_case(true, pull, 160, |rng, case| check_against_list(case, &toys::table(rng, 9, 1, 0.5)));
    }
}

/// (8 (f(h) − f(−h)) − (f(2h) − f(−2h))) / 12h, whose error is of the order h⁴. The weight moves by what a float holds.
fn difference(table: &mut Table, at: usize, loss: impl Fn(&Table) -> f64) -> f64 {
    const STEP: f32 = 1.0 / 512.0;
    let weight = table.values[at];
    let mut loss_at = |steps: f32| {
        table.values[at] = weight + steps * STEP;
        let loss = loss(table);
        table.values[at] = weight;
        loss
    };
    let (one, two) = (loss_at(1.0) - loss_at(-1.0), loss_at(2.0) - loss_at(-2.0));
    (8.0 * one - two) / (12.0 * f64::from(STEP))
}

fn check_differences(rng: &mut Rng, case: &Case, size: f64) {
    let mut table = toys::table(rng, 8, 1, size);
    let Some(gradient) = case.gradient(&table) else { return };
    let gradients = dense(&gradient, &table);
    for (at, derivative) in gradients.iter().enumerate() {
        let expected = difference(&mut table, at, |table| case.gradient(table).unwrap().loss);
        // Gradients of parts below `SMALLEST` are left out.
        let tolerance = 10.0 * SMALLEST * case.example.weight;
        assert!((derivative - expected).abs() < tolerance, "weight {at}: {derivative} {expected}");
    }
}

#[test]
fn gradients_are_finite_differences_of_the_loss_in_the_first_order() {
    each_case(false, 0.0, 60, |rng, case| check_differences(rng, case, 0.3));
}

#[test]
fn gradients_are_finite_differences_of_the_loss_in_the_second_order() {
    each_case(true, 0.0, 40, |rng, case| check_differences(rng, case, 0.3));
}

#[test]
fn gradients_of_relations_are_finite_differences_of_their_loss() {
    for number in 0..40 {
        let mut rng = Stream::new(18).item(number).rng();
        let n_words = 1 + rng.below(6);
        let words: Attributes = toys::attributes(&mut rng, n_words);
        let kept: Vec<usize> = (1..=n_words).collect();
        let heads = toys::as_heads(&toys::tree(&mut rng, &kept, n_words, toys::SHAPES[number % 4]));
        let features = LabelFeatures::new(&toys::templates(), &words, &heads);
        let known: Vec<(usize, usize)> =
            kept.iter().filter(|_| rng.uniform() < 0.7).map(|&word| (word, word % 3)).collect();
        let mut table = toys::table(&mut rng, 6, 3, 0.5);
        let gradient = labels::gradient(&table, &features, &known, 3, 0.5);
        let gradients = dense(&gradient, &table);
        for (at, derivative) in gradients.iter().enumerate() {
            let loss = |table: &Table| labels::gradient(table, &features, &known, 3, 0.5).loss;
            let expected = difference(&mut table, at, loss);
            assert!((derivative - expected).abs() < 5e-3, "weight {at}: {derivative} {expected}");
        }
    }
}
