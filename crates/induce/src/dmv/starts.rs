//! Where annotated arcs point.

use arcs::dmv::{DmvChart, DmvSentence, DmvWeights, Laid, Mask, RootWeights};
use tree::Constraints;

use super::Dmv;
use crate::family::Family;

/// What annotations leave of a sentence: its words and what its tree may be.
#[derive(Debug, Clone)]
pub struct PartlyKnown {
    /// The words.
    pub sentence: DmvSentence,
    /// What was said of their heads, over all words of the sentence.
    pub constraints: Constraints,
    /// The positions of the words among those, from 1.
    pub kept: Vec<usize>,
}

impl PartlyKnown {
    /// Whether the head of any word is given.
    pub fn says_something(&self) -> bool {
        self.kept.iter().any(|&word| self.constraints.required_head(word).is_some())
    }
}

/// Expected events under a grammar and under what is known of each sentence, besides `belief` sentences' worth of the
/// grammar itself. Sentences of which nothing is known, or without a tree that satisfies what is, do not count.
pub fn from_partial(dmv: &Dmv, grammar: &[f64], known: &[PartlyKnown], belief: f64) -> Vec<f64> {
    let mut counts: Vec<f64> = grammar.iter().map(|theta| belief * theta).collect();
    let (mut weights, mut chart) = (DmvWeights::default(), DmvChart::default());
    for PartlyKnown { sentence, constraints, kept } in known.iter().filter(|known| known.says_something()) {
        weights.fill(dmv.shape(), grammar, sentence, RootWeights::One);
        let laid = Laid { weights: &weights, mask: Mask::Case(constraints, kept) };
        chart.fill(&laid);
        chart.add_events(&laid, dmv.shape(), sentence, RootWeights::One, 1.0, &mut counts);
    }
    dmv.rows().normalise(&mut counts, grammar);
    counts
}
