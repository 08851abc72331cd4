//! The k best derivations, worked out only as far as they are asked for.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::{Derivation, Step, best::for_each_edge, sample::step};
use crate::forest::each_bundle;
use crate::semiring::{Semiring, Viterbi};
use crate::{Edge, Forest, Item, inside};

/// The `k` best derivations with the logarithms of their weights, best first; fewer if there are fewer.
pub fn k_best(forest: &impl Forest<Weight = f64>, k: usize) -> Vec<(Derivation, f64)> {
    KBest::new(forest).take(k).collect()
}

/// All derivations, best first, one at a time.
///
/// Algorithm 3 of Huang & Chiang (2005): after the Viterbi pass, an item ranks its edges when it is first
/// asked for more than its best, and further derivations of its tails are made only when a candidate needs
/// them. Equal scores are ranked by edge order, so the list is the same on every run.
pub struct KBest<'f, F> {
    forest: &'f F,
    best: Vec<Viterbi>,
    ranked: Vec<Option<Box<Ranked>>>,
    next: u32,
}

/// What is known of one item's derivations.
struct Ranked {
    /// The derivations found, best first.
    found: Vec<RankedEdge>,
    /// Those that may come next.
    waiting: BinaryHeap<RankedEdge>,
    /// Whether the neighbours of the last one found are still to be made.
    owes_neighbours: bool,
}

/// An edge with the ranks of the derivations of its tails.
#[derive(Clone, Copy)]
struct RankedEdge {
    score: f64,
    /// ln of the rule's weight.
    weight: f64,
    order: u32,
    ranks: [u32; 2],
    step: Step,
}

impl<'f, F: Forest<Weight = f64>> KBest<'f, F> {
    /// Runs the Viterbi pass; derivations are made by `next`.
    pub fn new(forest: &'f F) -> Self {
        let best = inside::inside::<Viterbi>(forest);
        let ranked = (0..best.len()).map(|_| None).collect();
        KBest { forest, best, ranked, next: 0 }
    }

    /// Makes sure that derivation `rank` of `item` is known if it exists, without recursion.
    fn demand(&mut self, item: Item, rank: u32) {
        let mut open = vec![(item, rank)];
        while let Some(&(item, rank)) = open.last() {
            if self.ranked[item.index()].is_none() {
                self.ranked[item.index()] = Some(Box::new(self.first_candidates(item)));
            }
            let Some(ranked) = self.ranked[item.index()].as_deref() else { break };
            if ranked.found.len() > rank as usize {
                open.pop();
                continue;
            }
            let owed = ranked.found.last().filter(|_| ranked.owes_neighbours).copied();
            if let Some(last) = owed {
                let missing = neighbours(&last).into_iter().flatten().find_map(|near| self.missing(&near));
                if let Some(tail) = missing {
                    open.push(tail);
                    continue;
                }
            }
            if !self.advance(item, owed) {
                open.pop();
            }
        }
    }

    /// Every edge with the best derivations below it.
    fn first_candidates(&self, item: Item) -> Ranked {
        let mut waiting = Vec::new();
        each_bundle(self.forest, item, |bundle| {
            let Viterbi(weight) = Viterbi::from_weight(bundle.weight);
            for_each_edge(&bundle, &self.best, |split, Viterbi(score)| {
                if score > f64::NEG_INFINITY {
                    let order = waiting.len() as u32;
                    let step = step(item, &bundle, split);
                    waiting.push(RankedEdge { score, weight, order, ranks: [0, 0], step });
                }
            });
        });
        Ranked { found: Vec::new(), waiting: waiting.into(), owes_neighbours: false }
    }

    /// The tail and rank a candidate stands on that is neither known nor known not to exist.
    fn missing(&self, candidate: &RankedEdge) -> Option<(Item, u32)> {
        tails(candidate).into_iter().flatten().find(|&(tail, rank)| {
            rank > 0
                && self.ranked[tail.index()]
                    .as_deref()
                    .is_none_or(|ranked| ranked.found.len() <= rank as usize && !ranked.exhausted())
        })
    }

    /// Queues the owed neighbours and moves the best candidate to the found ones; false if there is none.
    fn advance(&mut self, item: Item, owed: Option<RankedEdge>) -> bool {
        let near: Vec<RankedEdge> = owed
            .into_iter()
            .flat_map(|last| neighbours(&last).into_iter().flatten())
            .filter_map(|near| self.scored(near))
            .collect();
        let Some(ranked) = self.ranked[item.index()].as_deref_mut() else { return false };
        ranked.waiting.extend(near);
        ranked.owes_neighbours = false;
        let Some(next) = ranked.waiting.pop() else { return false };
        ranked.found.push(next);
        ranked.owes_neighbours = true;
        true
    }

    /// The candidate with its score, if the derivations it stands on exist.
    fn scored(&self, candidate: RankedEdge) -> Option<RankedEdge> {
        let mut score = candidate.weight;
        for (tail, rank) in tails(&candidate).into_iter().flatten() {
            score += self.score(tail, rank)?;
        }
        Some(RankedEdge { score, ..candidate })
    }

    fn score(&self, item: Item, rank: u32) -> Option<f64> {
        if rank == 0 {
            return Some(self.best[item.index()].0);
        }
        let ranked = self.ranked[item.index()].as_deref()?;
        ranked.found.get(rank as usize).map(|candidate| candidate.score)
    }

    /// Reads derivation `rank` of the goal off the ranked edges.
    fn unfold(&mut self, rank: u32) -> Option<Derivation> {
        let mut steps = Vec::new();
        let mut open = vec![(self.forest.goal(), rank)];
        while let Some((item, rank)) = open.pop() {
            self.demand(item, rank);
            let ranked = self.ranked[item.index()].as_deref()?;
            let candidate = ranked.found.get(rank as usize)?;
            steps.push(candidate.step);
            open.extend(tails(candidate).into_iter().rev().flatten());
        }
        Some(Derivation { steps })
    }
}

impl<F: Forest<Weight = f64>> Iterator for KBest<'_, F> {
    type Item = (Derivation, f64);

    fn next(&mut self) -> Option<(Derivation, f64)> {
        let goal = self.forest.goal();
        if self.best.get(goal.index()).is_none_or(Viterbi::is_zero) {
            return None;
        }
        let rank = self.next;
        self.demand(goal, rank);
        let derivation = self.unfold(rank)?;
        self.next += 1;
        Some((derivation, self.ranked[goal.index()].as_deref()?.found.get(rank as usize)?.score))
    }
}

impl Ranked {
    fn exhausted(&self) -> bool {
        self.waiting.is_empty() && !self.owes_neighbours
    }
}

/// The tails of a candidate with their ranks.
fn tails(candidate: &RankedEdge) -> [Option<(Item, u32)>; 2] {
    match candidate.step.edge {
        Edge::Leaf => [None, None],
        Edge::One(tail) => [Some((tail, candidate.ranks[0])), None],
        Edge::Two(left, right) => [Some((left, candidate.ranks[0])), Some((right, candidate.ranks[1]))],
    }
}

/// The candidates one rank further down. The left rank moves only while the right one is 0, so that each
/// pair of ranks is reached in one way.
fn neighbours(candidate: &RankedEdge) -> [Option<RankedEdge>; 2] {
    let [left, right] = candidate.ranks;
    let moved = |ranks| Some(RankedEdge { ranks, ..*candidate });
    match candidate.step.edge {
        Edge::Leaf => [None, None],
        Edge::One(_) => [moved([left + 1, 0]), None],
        Edge::Two(..) if right == 0 => [moved([left + 1, 0]), moved([left, 1])],
        Edge::Two(..) => [moved([left, right + 1]), None],
    }
}

impl Ord for RankedEdge {
    fn cmp(&self, other: &RankedEdge) -> Ordering {
        let key = |candidate: &RankedEdge| (candidate.order, candidate.ranks);
        self.score.total_cmp(&other.score).then_with(|| key(other).cmp(&key(self)))
    }
}

impl PartialOrd for RankedEdge {
    fn partial_cmp(&self, other: &RankedEdge) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for RankedEdge {
    fn eq(&self, other: &RankedEdge) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for RankedEdge {}
