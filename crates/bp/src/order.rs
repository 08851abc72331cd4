//! Whether a graph has cycles, and in which order one without them is walked.

use crate::evidence::Evidence;
use crate::factor::{Factor, FactorKind};
use crate::graph::Graph;

/// The factors of a graph without cycles from its roots to its leaves, and how many of each component's come first: a
/// factor's parent always stands before it.
#[derive(Debug, Clone, Default)]
pub(crate) struct UpdateOrder {
    pub(crate) factors: Vec<u32>,
    /// Whether the factor at the same place is a root.
    pub(crate) is_root: Vec<bool>,
}

/// The order of a graph that has no cycle once known variables are cut; `None` if it has one.
///
/// Combinatorial factors become roots where they can, because a root sends only once.
pub(crate) fn order(
    graph: &Graph,
    evidence: &Evidence,
    is_idle: impl Fn(&Factor) -> bool,
) -> Option<UpdateOrder> {
    let mut order = UpdateOrder::default();
    // Factors that have nothing to say are not walked.
    let mut seen_factor: Vec<bool> = graph.factors.iter().map(is_idle).collect();
    let is_idle = seen_factor.clone();
    let mut seen_variable = vec![false; graph.widths.len()];
    for wanted in [0, 1, 2] {
        for root in 0..graph.factors.len() {
            if !seen_factor[root] && rank(graph.factors[root].kind) == wanted {
                seen_factor[root] = true;
                let mut walk = Walk {
                    graph,
                    evidence,
                    is_idle: &is_idle,
                    seen_factor: &mut seen_factor,
                    seen_variable: &mut seen_variable,
                };
                walk.component(root, &mut order)?;
            }
        }
    }
    Some(order)
}

fn rank(kind: FactorKind) -> usize {
    match kind {
        FactorKind::Structured(_) => 0,
        FactorKind::Unary => 2,
        _ => 1,
    }
}

struct Walk<'a> {
    graph: &'a Graph,
    evidence: &'a Evidence,
    is_idle: &'a [bool],
    seen_factor: &'a mut [bool],
    seen_variable: &'a mut [bool],
}

impl Walk<'_> {
    /// Walks away from a root; `None` if something is met twice.
    fn component(&mut self, root: usize, order: &mut UpdateOrder) -> Option<()> {
        let first = order.factors.len();
        let mut next = first;
        let mut parents = vec![u32::MAX];
        order.factors.push(root as u32);
        order.is_root.push(true);
        while next < order.factors.len() {
            let factor = &self.graph.factors[order.factors[next] as usize];
            let parent = parents[next - first];
            for number in (factor.first..factor.end).filter(|&number| number != parent) {
                let variable = self.graph.edges[number as usize].variable as usize;
                if self.evidence.at(variable).is_some() {
                    continue;
                }
                if std::mem::replace(&mut self.seen_variable[variable], true) {
                    return None;
                }
                self.below(variable, number, order, &mut parents)?;
            }
            next += 1;
        }
        Some(())
    }

    /// Takes down the other factors of a variable.
    fn below(
        &mut self,
        variable: usize,
        from: u32,
        order: &mut UpdateOrder,
        parents: &mut Vec<u32>,
    ) -> Option<()> {
        for &end in self.graph.ends_of(variable).iter().filter(|&&end| end != from) {
            let factor = self.graph.owners[end as usize];
            if self.is_idle[factor as usize] {
                continue;
            }
            if std::mem::replace(&mut self.seen_factor[factor as usize], true) {
                return None;
            }
            order.factors.push(factor);
            order.is_root.push(false);
            parents.push(end);
        }
        Some(())
    }
}
