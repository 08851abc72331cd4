//! The most probable sequences of morphs of a word.
//!
//! A morph with count c costs log(N + W + a) − log(c + a), where a is an added count. If a > 0, any other sequence of letters can
//! be a morph; it costs log(N + W + a) − log a and what it adds to the lexicon, over the weight of the corpus. If a = 0,
//! single letters can be new, at more than any sequence of known morphs costs.

use forest::lattice::segments::{Arrival, Ways};

use crate::letters::Letter;
use crate::options::Viterbi;
use crate::state::State;
use crate::substrings::Growing;

/// One way to cut a word into morphs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Path {
    /// Where morphs end, in letters; the last end is that of the word.
    pub(crate) ends: Vec<usize>,
    /// − log of its probability.
    pub(crate) cost: f64,
}

/// The best `n` ways to cut a word, best first; fewer if there are no more. Of equally good ones, those with the longer last
/// morph come first. `forbidden(i)` says that no boundary may lie before letter i.
pub(crate) fn best_paths(
    state: &State,
    word: &[Letter],
    viterbi: &Viterbi,
    n: usize,
    forbidden: Option<&dyn Fn(usize) -> bool>,
) -> Vec<Path> {
    let costs = MorphCosts::new(state, word, viterbi, forbidden.is_some());
    let mut ways = Ways::new(word.len(), n, ());
    for start in 0..word.len() {
        if start > 0 && forbidden.is_some_and(|forbidden| forbidden(start)) {
            ways.close(start);
        }
        if !ways.to(start).is_empty() {
            costs.each_from(start, |end, cost| ways.extend(start, end, cost, ()));
        }
    }
    let path = |(rank, way): (usize, &Arrival<()>)| {
        let ends = ways.path(rank).into_iter().map(|(end, _)| end).collect();
        Path { ends, cost: way.cost }
    };
    finish(state, word, ways.to(word.len()).iter().enumerate().map(path).collect())
}

/// What morphs of a word cost.
pub(crate) struct MorphCosts<'a> {
    state: &'a State,
    word: &'a [Letter],
    viterbi: &'a Viterbi,
    ln_tokens: f64,
    /// What a letter costs that is no morph.
    dear: f64,
    /// What a new type adds to the cost of the lexicon, apart from its letters.
    ln_new: f64,
    /// With forbidden boundaries, single letters may not be enough.
    long_unknown: bool,
}

impl<'a> MorphCosts<'a> {
    pub(crate) fn new(
        state: &'a State,
        word: &'a [Letter],
        viterbi: &'a Viterbi,
        long_unknown: bool,
    ) -> MorphCosts<'a> {
        let all = (state.sizes.tokens + state.sizes.words) as f64 + viterbi.add_count;
        let ln_tokens = if all > 0.0 { libm::log(all) } else { 0.0 };
        let types = state.sizes.types as f64;
        let (more, ln_add) = (types + viterbi.add_count, libm::log(viterbi.add_count));
        let ln_new = if state.sizes.tokens == 0 {
            viterbi.add_count * ln_add
        } else {
            ln_tokens - ln_add
                + (more * libm::log(more) - state.logs.n_ln_n(state.sizes.types)) / state.weights.corpus
        };
        let dear = word.len() as f64 * ln_tokens + 1.0;
        MorphCosts { state, word, viterbi, ln_tokens, dear, ln_new, long_unknown }
    }

    /// Visits the ends of all morphs that can begin at a letter, with their costs.
    pub(crate) fn each_from(&self, start: usize, mut visit: impl FnMut(usize, f64)) {
        let most = self.word.len().min(start.saturating_add(self.viterbi.max_letters));
        let mut hash = Growing::default();
        let mut ln_letters = 0.0;
        for end in start + 1..=most {
            let letter = self.word[end - 1];
            let known = self.state.pieces.find(hash.push(letter), &self.word[start..end]);
            let count = known.map_or(0, |piece| self.state.morph_count(piece));
            // A letter that no morph has counts as if one had it.
            ln_letters +=
                self.state.letter_counts.get(letter as usize).map_or(0.0, |&n| self.state.logs.ln(n));
            if let Some(cost) = self.cost(count, end - start, ln_letters) {
                visit(end, cost);
            }
        }
    }

    fn cost(&self, count: u64, n_letters: usize, ln_letters: f64) -> Option<f64> {
        let add_count = self.viterbi.add_count;
        if count > 0 {
            Some(self.ln_tokens - libm::log(count as f64 + add_count))
        } else if add_count > 0.0 {
            let sizes = &self.state.sizes;
            let coded = n_letters as u64 + 1;
            let spelt = coded as f64 * self.state.logs.ln(sizes.letters + coded)
                - self.state.logs.ln(sizes.types + 1)
                - ln_letters;
            Some(self.ln_new + spelt / self.state.weights.corpus)
        } else if n_letters == 1 || self.long_unknown {
            Some(n_letters as f64 * self.dear)
        } else {
            None
        }
    }
}

/// Adds the cost of the end of the word. If nothing is allowed, the word stays whole.
fn finish(state: &State, word: &[Letter], mut paths: Vec<Path>) -> Vec<Path> {
    if paths.is_empty() {
        paths.push(Path { ends: vec![word.len()], cost: f64::INFINITY });
    }
    let sizes = &state.sizes;
    let boundary = state.logs.ln(sizes.tokens + sizes.words) - state.logs.ln(sizes.words);
    paths.iter_mut().for_each(|path| path.cost += boundary);
    paths
}
