//! Derivations with their substates: drawn, or best.

use std::ops::ControlFlow;

use super::chart::{Max, Sum};
use super::kernel::{Combine, dot};
use super::lanes::Portable;
use super::{Chart, Refined};
use crate::scale::power;
use crate::{Bundle, Edge, Item, Step};

/// A step of a derivation and the substates it connects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RefinedStep {
    /// Item, rule and split.
    pub step: Step,
    /// The substate x of the item.
    pub head: u32,
    /// The substates y and z of the tails; 0 where there is none.
    pub tails: [u32; 2],
}

/// Draws a derivation with its substates in proportion to its weight, in preorder; `None` if there are none.
///
/// The goal's substate is drawn from `π[x]` · `inside[x]`. `uniform` gives numbers in [0, 1) and is asked once
/// for the goal's substate and once per step.
pub fn sample<'g>(
    forest: &impl Refined<'g>,
    inside: &Chart<Sum>,
    mut uniform: impl FnMut() -> f64,
) -> Option<Vec<RefinedStep>> {
    let (vector, _) = inside.vector(forest.goal());
    let shares = vector.iter().zip(forest.root()).map(|(value, prior)| value * prior);
    let total: f64 = shares.clone().sum();
    let root = draw(shares, uniform() * total)?.0;
    unfold(forest.goal(), root, |item, head| sample_step(forest, inside, item, head, uniform()))
}

/// The derivation with substates of the greatest weight, and the logarithm of that weight.
pub fn best<'g>(forest: &impl Refined<'g>, inside: &Chart<Max>) -> Option<(Vec<RefinedStep>, f64)> {
    let (vector, _) = inside.vector(forest.goal());
    let root = highest(vector.iter().zip(forest.root()).map(|(value, prior)| value * prior))?.0;
    let steps = unfold(forest.goal(), root, |item, head| best_step(forest, inside, item, head))?;
    Some((steps, inside.ln_total()))
}

fn unfold(
    goal: Item,
    root: u32,
    mut choose: impl FnMut(Item, u32) -> Option<RefinedStep>,
) -> Option<Vec<RefinedStep>> {
    let mut steps = Vec::new();
    let mut open = vec![(goal, root)];
    while let Some((item, head)) = open.pop() {
        let chosen = choose(item, head)?;
        let [left_state, right_state] = chosen.tails;
        match chosen.step.edge {
            Edge::Leaf => {}
            Edge::One(tail) => open.push((tail, left_state)),
            Edge::Two(left, right) => open.extend([(right, right_state), (left, left_state)]),
        }
        steps.push(chosen);
    }
    Some(steps)
}

/// One edge at substate x of its head: what is below it, and `β[x]`.
#[derive(Clone, Copy)]
struct EdgeChoice<'a> {
    step: Step,
    row: &'a [f64],
    left: &'a [f64],
    right: &'a [f64],
    factor: f64,
}

const NOTHING_BELOW: &[f64] = &[1.0];

impl EdgeChoice<'_> {
    /// Σ_yz `β[x][y][z]` · `left[y]` · `right[z]`, or the greatest of these products.
    fn value<C: Combine>(&self) -> f64 {
        let rows = self.row.chunks_exact(self.right.len()).zip(self.left);
        let sum =
            rows.fold(0.0, |sum, (row, left)| C::combine(sum, dot::<C, _>(Portable, row, self.right) * left));
        sum * self.factor
    }

    /// The products one by one, in the order of (y, z).
    fn products(&self) -> impl Iterator<Item = f64> + Clone {
        let rows = self.row.chunks_exact(self.right.len()).zip(self.left);
        rows.flat_map(move |(row, left)| {
            row.iter().zip(self.right).map(move |(weight, right)| weight * left * right * self.factor)
        })
    }

    fn refined(&self, head: u32, at: u32) -> RefinedStep {
        let width = self.right.len() as u32;
        RefinedStep { step: self.step, head, tails: [at / width, at % width] }
    }
}

/// Shows the edges of an item at substate x, relative to the item's own power of two.
fn each_choice<'a, 'g: 'a, C: Combine>(
    forest: &impl Refined<'g>,
    inside: &'a Chart<C>,
    item: Item,
    head: u32,
    mut visit: impl FnMut(EdgeChoice<'a>) -> ControlFlow<()>,
) {
    let place = inside.place(item);
    let _ = forest.bundles_into(item, |bundle| {
        for split in 0..bundle.tails.len() {
            if let Some(choice) = choice(inside, &bundle, split, item, head, place.exponent, place.len) {
                visit(choice)?;
            }
        }
        ControlFlow::Continue(())
    });
}

#[inline]
fn choice<'a, 'g: 'a, C: Combine>(
    inside: &'a Chart<C>,
    bundle: &Bundle<&'g [f64]>,
    split: u32,
    item: Item,
    head: u32,
    exponent: i32,
    n_heads: u32,
) -> Option<EdgeChoice<'a>> {
    let edge = bundle.tails.edge(split);
    let (left, left_exponent, right, right_exponent) = match edge {
        Edge::Leaf => (NOTHING_BELOW, 0, NOTHING_BELOW, 0),
        Edge::One(tail) => {
            let (vector, exponent) = inside.vector(tail);
            (vector, exponent, NOTHING_BELOW, 0)
        }
        Edge::Two(left, right) => {
            let (left, left_exponent) = inside.vector(left);
            let (right, right_exponent) = inside.vector(right);
            (left, left_exponent, right, right_exponent)
        }
    };
    let size = left.len() * right.len();
    if size == 0 || bundle.weight.len() != size * n_heads as usize {
        return None;
    }
    let row = bundle.weight.get(head as usize * size..(head as usize + 1) * size)?;
    let factor = power((left_exponent + right_exponent - exponent).clamp(-2000, 1000));
    let step = Step { item, rule: bundle.rule, split, edge };
    Some(EdgeChoice { step, row, left, right, factor })
}

fn sample_step<'g>(
    forest: &impl Refined<'g>,
    inside: &Chart<Sum>,
    item: Item,
    head: u32,
    fraction: f64,
) -> Option<RefinedStep> {
    let (vector, _) = inside.vector(item);
    let mut rest = fraction * vector.get(head as usize)?;
    let mut chosen = None;
    each_choice(forest, inside, item, head, |choice| {
        let share = choice.value::<Sum>();
        if share > 0.0 {
            // Should rounding leave an epsilon beyond the last edge, the last one stays chosen.
            chosen = Some((choice, rest.min(share)));
            if rest < share {
                return ControlFlow::Break(());
            }
        }
        rest -= share;
        ControlFlow::Continue(())
    });
    let (choice, rest) = chosen?;
    let (at, _) = draw(choice.products(), rest)?;
    Some(choice.refined(head, at))
}

fn best_step<'g>(
    forest: &impl Refined<'g>,
    inside: &Chart<Max>,
    item: Item,
    head: u32,
) -> Option<RefinedStep> {
    let mut best: Option<(EdgeChoice<'_>, f64)> = None;
    each_choice(forest, inside, item, head, |choice| {
        let value = choice.value::<Max>();
        if value > best.map_or(0.0, |(_, value)| value) {
            best = Some((choice, value));
        }
        ControlFlow::Continue(())
    });
    let (choice, _) = best?;
    let (at, _) = highest(choice.products())?;
    Some(choice.refined(head, at))
}

/// The index in which `rest` falls, and what is left of it there; the last positive one for an epsilon.
pub(super) fn draw(shares: impl Iterator<Item = f64>, mut rest: f64) -> Option<(u32, f64)> {
    let mut chosen = None;
    for (at, share) in (0..).zip(shares) {
        if share > 0.0 {
            chosen = Some((at, rest));
            if rest < share {
                break;
            }
        }
        rest -= share;
    }
    chosen
}

fn highest(values: impl Iterator<Item = f64>) -> Option<(u32, f64)> {
    let mut best = None;
    for (at, value) in (0..).zip(values) {
        if value > best.map_or(0.0, |(_, value)| value) {
            best = Some((at, value));
        }
    }
    best
}
