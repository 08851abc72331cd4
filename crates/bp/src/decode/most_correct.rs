//! The assignment with the most variables right.

use super::{Assignment, Product};
use crate::error::{Contradiction, Error};
use crate::factor::{Factor, FactorKind};
use crate::graph::{FactorEdge, Graph, Variable, WHOLE};
use crate::messages::Messages;
use crate::options::{Options, Outcome};
use crate::{HARD, is_absent, is_required};

/// What labels count beside what they label: so little that the choice between having one and having none is not theirs.
const LABEL: f64 = 1e-6;

/// The assignment with the most expected right choices that hard factors allow, from the probabilities that
/// [`Messages::run`] has left (minimum Bayes risk).
///
/// Every combinatorial factor first takes the legal set whose Σ (p − threshold) is largest: with a threshold of 0 the most
/// expected right ones, with one of ½ the fewest expected errors. The other variables take their most probable values,
/// Booleans being true above the threshold, as far as what has been chosen and other hard factors allow: the labels
/// of [`Graph::is_at_most_one`] and of [`Graph::epu`] are chosen only where their indicator holds, and there the
/// most probable one is, whatever nothing at all would have. Latent variables are summed over, so that theirs need not go together
/// with those of the task as well as in [`Messages::best`].
///
/// The outcome says whether that is exact, which it is where hard factors have no cycles beyond the combinatorial
/// ones; whether the probabilities are is another matter.
pub fn most_correct(
    messages: &Messages,
    graph: &Graph,
    threshold: f64,
    options: &Options,
) -> Result<(Assignment, Outcome), Error> {
    let mut gains = Gains::of(messages, graph, threshold);
    let mut known = messages.evidence.clone();
    for (number, factor) in graph.factors.iter().enumerate() {
        let FactorKind::Structured(structure) = factor.kind else { continue };
        let values = gains.of_literals(graph, factor);
        let Some(set) = graph.structured[structure as usize].most_probable(&values) else {
            let factor = graph.describe(crate::FactorId(number as u32));
            return Err(Contradiction::Factor { factor, because: Vec::new() }.into());
        };
        for (edge, held) in graph.edges_of(factor).iter().zip(set) {
            let literal = Variable(edge.variable).is(edge.value as usize);
            match (held, graph.widths[edge.variable as usize]) {
                (true, _) => known.set(literal),
                (false, 1) => known.set(Variable(edge.variable).is(0)),
                (false, _) => {}
            }
            gains.settle(graph, edge.variable, edge.value, held);
        }
    }
    gains.weaken_labels(graph);
    let mut rules = Messages::default();
    (rules.product, rules.prior) = (Product::Rules, gains.values);
    rules.best_given(graph, &known, options)
}

/// What every value is worth, where totals are kept; ±[`HARD`] for what must and what cannot be.
struct Gains {
    values: Vec<f64>,
    /// What values of Booleans have been made less by.
    threshold: f64,
}

impl Gains {
    fn of(messages: &Messages, graph: &Graph, threshold: f64) -> Gains {
        let mut values = Vec::with_capacity(graph.n_totals as usize);
        let mut beliefs = Vec::new();
        for variable in 0..graph.widths.len() {
            let odds = &messages.totals[graph.at[variable] as usize..][..graph.widths[variable] as usize];
            messages.beliefs(graph, Variable(variable as u32), &mut beliefs);
            match (messages.evidence.at(variable), odds) {
                (Some(value), [_]) => values.push(if value == 1 { HARD } else { -HARD }),
                (Some(value), _) => values.extend((0..odds.len()).map(|at| hard(at == value as usize))),
                (None, [odds]) if is_absent(*odds) => values.push(-HARD),
                (None, [odds]) if is_required(*odds) => values.push(HARD),
                (None, [_]) => values.push(beliefs[1] - threshold),
                (None, _) => {
                    let top = odds.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                    let gain =
                        |(belief, odds): (&f64, &f64)| if is_absent(odds - top) { -HARD } else { *belief };
                    values.extend(beliefs.iter().zip(odds).map(gain));
                }
            }
        }
        Gains { values, threshold }
    }

    fn place(graph: &Graph, variable: u32, value: u32) -> usize {
        let is_boolean = graph.widths[variable as usize] == 1;
        graph.at[variable as usize] as usize + if is_boolean { 0 } else { value as usize }
    }

    fn of_literals(&self, graph: &Graph, factor: &Factor) -> Vec<f64> {
        let edges = graph.edges_of(factor).iter();
        let gain = |edge: &FactorEdge| {
            let gain = self.values[Gains::place(graph, edge.variable, edge.value)];
            let is_soft = !is_absent(gain) && !is_required(gain);
            if is_soft && graph.widths[edge.variable as usize] > 1 { gain - self.threshold } else { gain }
        };
        edges.map(gain).collect()
    }

    /// A literal has been chosen or not.
    fn settle(&mut self, graph: &Graph, variable: u32, value: u32, held: bool) {
        let at = graph.at[variable as usize] as usize;
        if held {
            self.values[at..at + graph.widths[variable as usize] as usize].fill(-HARD);
        }
        self.values[Gains::place(graph, variable, value)] = hard(held);
    }

    /// Labels: literals of ISATMOST1 but for the indicator, and the variable of an EPU.
    fn weaken_labels(&mut self, graph: &Graph) {
        let mut is_label = vec![false; graph.widths.len()];
        for factor in &graph.factors {
            let edges = graph.edges_of(factor);
            let labels = match factor.kind {
                FactorKind::IsAtMostOne => &edges[1..],
                FactorKind::ExactlyOne if edges.len() == 2 => &edges[1..],
                _ => &[],
            };
            let is_null = |variable: u32, value| value == 0 && graph.widths[variable as usize] > 1;
            for edge in labels {
                is_label[edge.variable as usize] |= edge.value != WHOLE
                    && (factor.kind == FactorKind::IsAtMostOne || is_null(edge.variable, edge.value));
            }
        }
        for variable in (0..graph.widths.len()).filter(|&variable| is_label[variable]) {
            let at = graph.at[variable] as usize;
            let soft = self.values[at..at + graph.widths[variable] as usize].iter_mut();
            soft.filter(|gain| !is_absent(**gain) && !is_required(**gain)).for_each(|gain| *gain *= LABEL);
        }
    }
}

/// What must be, and what cannot.
fn hard(is: bool) -> f64 {
    if is { HARD } else { -HARD }
}
