//! Counting by looking at every tree, for models that cannot be contracted.

use super::graph::{Entity, Graph};
use super::model::SupportedTrees;
use std::collections::BTreeSet;
use tree::PutInOrder;

/// How many partial trees are looked at before giving up.
pub const BUDGET: usize = 2_000_000;

/// The number of trees, or `None` if that would take more than [`BUDGET`] steps.
pub(crate) fn count(graph: &Graph, model: &SupportedTrees) -> Option<u64> {
    let mut order: Vec<usize> = (0..model.n_lexemes).collect();
    let heads_of =
        |node: usize| (0..=model.n_lexemes).filter(|&head| model.allowed[node][head]).collect::<Vec<_>>();
    let choices: Vec<Vec<usize>> = (0..model.n_lexemes).map(heads_of).collect();
    order.order_by_key(|&node| choices[node].len());
    let heads = vec![None; model.n_lexemes];
    Search { graph, inner_first: graph.inner_first(), choices, order, heads, steps: 0, found: 0 }.run()
}

struct Search<'a> {
    graph: &'a Graph,
    inner_first: Vec<usize>,
    choices: Vec<Vec<usize>>,
    order: Vec<usize>,
    heads: Vec<Option<usize>>,
    steps: usize,
    found: u64,
}

impl Search<'_> {
    /// Depth-first, with an explicit list of the next choice at each depth.
    fn run(&mut self) -> Option<u64> {
        let mut next = vec![0];
        while let Some(depth) = next.len().checked_sub(1) {
            if depth == self.order.len() {
                self.found += u64::from(self.supported());
                next.pop();
                continue;
            }
            let node = self.order[depth];
            self.heads[node] = None;
            let Some(&head) = self.choices[node].get(next[depth]) else {
                next.pop();
                continue;
            };
            next[depth] += 1;
            self.steps += 1;
            if self.steps > BUDGET {
                return None;
            }
            if !self.closes_cycle(node, head) {
                self.heads[node] = Some(head);
                next.push(0);
            }
        }
        Some(self.found)
    }

    fn closes_cycle(&self, node: usize, head: usize) -> bool {
        let mut at = head;
        while let Some(above) = at.checked_sub(1) {
            if above == node {
                return true;
            }
            at = self.heads[above].unwrap_or(0);
        }
        false
    }

    /// The definition itself: every bracket has one top, and arrows, said or ruled out, lead from top to top.
    fn supported(&self) -> bool {
        let mut tops: Vec<Option<usize>> = vec![None; self.graph.brackets.len()];
        for &index in &self.inner_first {
            let bracket = &self.graph.brackets[index];
            let members: Option<BTreeSet<usize>> =
                bracket.members.iter().map(|&member| top(member, &tops)).collect();
            let Some(members) = members else { return false };
            let outside = |node: &&usize| {
                self.heads[**node].is_none_or(|head| head == 0 || !members.contains(&(head - 1)))
            };
            let mut leaving = members.iter().filter(outside);
            tops[index] = leaving.next().filter(|_| leaving.next().is_none()).copied();
            let headed = bracket.head.is_none_or(|head| top(head, &tops) == tops[index]);
            if tops[index].is_none() || !headed || bracket.contradicted {
                return false;
            }
        }
        let hangs = |&(head, dependent): &(Entity, Entity)| {
            let above = top(dependent, &tops).and_then(|node| self.heads[node]);
            let expected = if head == Entity::Root { Some(0) } else { top(head, &tops).map(|node| node + 1) };
            above.is_some() && above == expected
        };
        self.graph.arcs.iter().all(hangs) && !self.graph.forbidden.iter().any(hangs)
    }
}

fn top(entity: Entity, tops: &[Option<usize>]) -> Option<usize> {
    match entity {
        Entity::Root => None,
        Entity::Lexeme(node) => Some(node),
        Entity::Bracket(bracket) => tops[bracket],
    }
}
