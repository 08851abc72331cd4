//! The factor graph of a sentence.

use bp::structured::Brackets;
use bp::{Evidence, Graph, Literal, Scores, Variable};

use super::exact::SpanValues;
use super::spans::Spans;

/// The variables and factors of a sentence: a Boolean for each span that is open to question, all of them under CKY-TREE,
/// and if there are labels, a variable for each span whose value 0 is none, tied to the Boolean by EPU. The whole
/// sentence is a span that is known to be there.
///
/// The graph is not finished, so that other tasks can add what ties their variables to these.
#[derive(Debug)]
pub struct Net {
    /// The graph.
    pub graph: Graph,
    /// First word and word after the last of each span; the whole sentence comes last.
    pub spans: Vec<(u32, u32)>,
    /// Whether each span is a bracket.
    pub brackets: Vec<Variable>,
    /// The label of each span, if there are labels.
    pub labels: Vec<Variable>,
    /// The scores of each span; the whole sentence has none without labels.
    pub scores: Vec<Scores>,
}

impl Net {
    pub(super) fn new(shape: SpanValues<'_>, spans: Spans, scores: &[f64]) -> Net {
        let mut net = Net {
            graph: Graph::new(),
            spans: spans.all(),
            brackets: Vec::new(),
            labels: Vec::new(),
            scores: Vec::new(),
        };
        for (place, (start, end)) in spans.all().into_iter().enumerate() {
            let block = &scores[shape.block(place, (end - start) as usize)];
            net.add_span(shape, block, place == spans.n_open());
        }
        let n_open = spans.n_open();
        let literals: Vec<Literal> = net.brackets[..n_open].iter().map(|bracket| bracket.is(1)).collect();
        net.graph.structured(Brackets::new(spans.n_words, net.spans[..n_open].to_vec()), &literals);
        net
    }

    fn add_span(&mut self, shape: SpanValues<'_>, scores: &[f64], is_whole: bool) {
        let bracket = self.graph.boolean();
        self.brackets.push(bracket);
        let Some(labels) = shape.labels else {
            if !is_whole {
                self.scores.push(self.graph.unary(bracket, scores));
            }
            return;
        };
        let label = self.graph.variable(scores.len());
        let can_be = |(value, score): (usize, &f64)| match value.checked_sub(1) {
            Some(number) if is_whole && labels.is_stand_in(number) => f64::NEG_INFINITY,
            _ => *score,
        };
        let scores: Vec<f64> = scores.iter().enumerate().map(can_be).collect();
        self.scores.push(self.graph.unary(label, &scores));
        self.graph.epu(bracket.is(1), label);
        self.labels.push(label);
    }

    /// What is known without looking: that the whole sentence is a bracket.
    pub fn know(&self, evidence: &mut Evidence) {
        self.brackets.last().into_iter().for_each(|whole| evidence.set(whole.is(1)));
    }
}
