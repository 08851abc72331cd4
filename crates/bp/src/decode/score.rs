//! What an assignment weighs.

use crate::HARD;
use crate::factor::{Factor, FactorKind};
use crate::graph::{FactorEdge, Graph, WHOLE};

/// Σ of the scores that count, or the first factor that forbids the assignment.
pub(super) fn score(graph: &Graph, values: &[u32]) -> Result<f64, u32> {
    let mut sum = 0.0;
    for (number, factor) in graph.factors.iter().enumerate() {
        match factor_score(graph, factor, values) {
            score if score == f64::NEG_INFINITY => return Err(number as u32),
            score => sum += score,
        }
    }
    Ok(sum)
}

fn factor_score(graph: &Graph, factor: &Factor, values: &[u32]) -> f64 {
    let edges = graph.edges_of(factor);
    let scores = &graph.scores[factor.scores.range()];
    let holds = |edge: &FactorEdge| values[edge.variable as usize] == edge.value;
    let held = |edges: &[FactorEdge]| edges.iter().filter(|edge| holds(edge)).count();
    let legal = |is_legal: bool| if is_legal { 0.0 } else { f64::NEG_INFINITY };
    let counts = |does: bool, score: f64| if does { score } else { 0.0 };
    match factor.kind {
        FactorKind::Unary => match (graph.widths[edges[0].variable as usize], entry(graph, edges, values)) {
            (1, value) => counts(value == 1, scores[0]),
            (_, value) => scores[value],
        },
        FactorKind::Nand => counts(held(edges) == edges.len(), scores[0]),
        FactorKind::Implies => counts(holds(&edges[0]) && held(&edges[1..]) == 0, scores[0]),
        FactorKind::ExactlyOne => legal(held(edges) == 1),
        FactorKind::AtMostOne => legal(held(edges) <= 1),
        FactorKind::IsAtMostOne => legal(held(&edges[1..]) == usize::from(holds(&edges[0]))),
        FactorKind::Table => scores[entry(graph, edges, values)],
        FactorKind::Gated => counts(holds(&edges[2]), scores[entry(graph, &edges[..2], values)]),
        FactorKind::Structured(number) => {
            // A set is legal if it is what is found where all of it must be, and nothing else can.
            let set: Vec<bool> = edges.iter().map(holds).collect();
            let odds: Vec<f64> = set.iter().map(|&held| if held { HARD } else { -HARD }).collect();
            legal(graph.structured[number as usize].most_probable(&odds).is_some_and(|found| found == set))
        }
    }
}

/// The place of a combination of values in a table, the last variable's running fastest.
fn entry(graph: &Graph, edges: &[FactorEdge], values: &[u32]) -> usize {
    debug_assert!(edges.iter().all(|edge| edge.value == WHOLE));
    edges.iter().fold(0, |at, edge| at * graph.values_of(edge) + values[edge.variable as usize] as usize)
}
