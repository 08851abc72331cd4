//! Words whose morphs somebody has marked, and their part in the cost.

use crate::cost::PENALTY;
use crate::state::State;
use crate::substrings::Piece;

/// A word with its analyses, of which any may be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotation {
    /// The word.
    pub word: String,
    /// One or more ways to cut it into morphs.
    pub analyses: Vec<Vec<String>>,
}

/// Annotations in numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Annotations {
    /// The place of each word in the list of words, and its analyses.
    words: Vec<(usize, Vec<Vec<Piece>>)>,
    /// The weight that was asked for.
    weight: Option<f64>,
}

impl Annotations {
    /// Numbers words and morphs; words that are not in the list are added to it, with the count 1.
    pub(crate) fn new(
        state: &mut State,
        annotations: &[Annotation],
        weight: Option<f64>,
        mut place: impl FnMut(&mut State, Piece) -> usize,
    ) -> Annotations {
        let mut buffer = Vec::new();
        let mut words = Vec::with_capacity(annotations.len());
        for annotation in annotations {
            let word = state.piece(&annotation.word, &mut buffer);
            let at = place(state, word);
            if state.nodes[word as usize].count == 0 {
                state.add_word(at, 1);
            }
            let mut number =
                |morphs: &Vec<String>| morphs.iter().map(|morph| state.piece(morph, &mut buffer)).collect();
            words.push((at, annotation.analyses.iter().map(&mut number).collect()));
        }
        if !words.is_empty() {
            state.annotated = vec![0.0; state.pieces.len()];
        }
        state.weights.annotated_words = words.len() as u64;
        Annotations { words, weight }
    }

    /// Chooses the analyses that are most probable now, and weighs annotations against the corpus.
    pub(crate) fn update(&self, state: &mut State) {
        if self.words.is_empty() {
            return;
        }
        let mut annotated = vec![0.0; state.pieces.len()];
        let mut n_morphs = 0;
        for (at, analyses) in &self.words {
            let count = state.words[*at].1;
            for &morph in self.most_probable(state, analyses) {
                annotated[morph as usize] += count as f64;
                n_morphs += count;
            }
        }
        state.annotated = annotated;
        state.weights.annotated_morphs = n_morphs;
        state.weights.annotations = self.weight.unwrap_or_else(|| {
            state.weights.corpus * state.sizes.words as f64 / state.weights.annotated_words as f64
        });
        state.refresh_sums();
    }

    fn most_probable<'a>(&self, state: &State, analyses: &'a [Vec<Piece>]) -> &'a [Piece] {
        let ln_tokens = state.logs.ln(state.sizes.tokens);
        let cost = |&morph: &Piece| match state.morph_count(morph) {
            0 => -PENALTY,
            count => ln_tokens - state.logs.ln(count),
        };
        let costs = analyses.iter().map(|morphs| morphs.iter().map(cost).sum::<f64>());
        let best = costs.zip(analyses).min_by(|a, b| a.0.total_cmp(&b.0));
        best.map_or(&[], |(_, morphs)| morphs)
    }
}
