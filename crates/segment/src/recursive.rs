//! Recursive splitting: the best analysis of a piece among all splits into two, then of each of the two, and so on.
//!
//! A piece is taken out before it is analysed anew, and parts that nothing else uses are gone with their own parts. So its old
//! analysis need not be among the new ones. If it is better than all of them, it is kept (Morfessor would let it go):
//! no step raises the cost.

use crate::cost::{annotation_frame, corpus_frame, lexicon_frame};
use crate::letters::Letter;
use crate::logs::Logs;
use crate::pairs::NoSplit;
use crate::skips::Skips;
use crate::state::{Parts, State};
use crate::substrings::Piece;

/// What recursive splitting remembers from one piece to the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recursive {
    /// Where the splits of a piece begin in `splits`, plus 1; 0 if they have not been looked up.
    first_split: Vec<u32>,
    /// Front and back of each split of each piece that has been visited.
    splits: Vec<(Piece, Piece)>,
    pending: Vec<Piece>,
    gains: LetterGains,
    morphs: Vec<Piece>,
    old: OldAnalysis,
}

impl Recursive {
    /// Finds a new analysis for a word that has a count.
    pub(crate) fn optimise(
        &mut self,
        state: &mut State,
        word: Piece,
        forced: &[usize],
        no_split: &NoSplit,
        skips: &mut Skips,
    ) {
        if state.pieces.n_letters_of(word) == 1 || (!forced.is_empty() && skips.skip(word)) {
            return;
        }
        if forced.is_empty() {
            return self.optimise_piece(state, word, no_split, skips);
        }
        let parts = parts_at(state, word, forced).unwrap_or_else(|| split_at(state, word, forced));
        for part in parts {
            self.optimise_piece(state, part, no_split, skips);
        }
    }

    fn optimise_piece(&mut self, state: &mut State, piece: Piece, no_split: &NoSplit, skips: &mut Skips) {
        self.pending.push(piece);
        while let Some(piece) = self.pending.pop() {
            if state.pieces.n_letters_of(piece) == 1 || skips.skip(piece) {
                continue;
            }
            self.old.remember(state, piece);
            let count = state.take(piece);
            let (least, best) = self.best_split(state, piece, count, no_split);
            let kept = self.old.cost(state, count, &self.gains).is_some_and(|cost| cost < least);
            let best = if kept { self.old.restore(state, count) } else { best };
            let Some((front, back)) = best else {
                state.set_parts(piece, count, Parts::Whole);
                continue;
            };
            if !kept {
                state.set_parts(piece, count, Parts::Two(front, back));
            }
            if back != front {
                self.pending.push(back);
            }
            self.pending.push(front);
        }
    }

    /// The cheapest split of a piece that is not in the model, if it is not dearer than the piece as a morph, and what it
    /// costs; of equally good ones the last.
    fn best_split(
        &mut self,
        state: &mut State,
        piece: Piece,
        count: u64,
        no_split: &NoSplit,
    ) -> (f64, Option<(Piece, Piece)>) {
        let splits = self.splits_of(state, piece);
        self.gains.compute(state, piece);
        let mut trial = Trial::new(state, count, &self.gains);
        let mut least = trial.whole(piece);
        let mut best = None;
        for (at, &(front, back)) in self.splits[splits].iter().enumerate() {
            if no_split.forbids(state, piece, at + 1) {
                continue;
            }
            let cost = trial.split(at + 1, front, back, &mut self.morphs);
            if cost <= least {
                least = cost;
                best = Some((front, back));
            }
        }
        (least, best)
    }

    /// Looks up the parts of all splits of a piece, once.
    fn splits_of(&mut self, state: &mut State, piece: Piece) -> std::ops::Range<usize> {
        let n_letters = state.pieces.n_letters_of(piece);
        if self.first_split.len() <= piece as usize {
            self.first_split.resize(state.nodes.len(), 0);
        }
        if self.first_split[piece as usize] == 0 {
            self.first_split[piece as usize] = self.splits.len() as u32 + 1;
            for at in 1..n_letters {
                let split = (state.part(piece, 0, at), state.part(piece, at, n_letters));
                self.splits.push(split);
            }
        }
        let first = self.first_split[piece as usize] as usize - 1;
        first..first + n_letters - 1
    }
}

/// Splits a piece at given places from left to right, whatever that costs. The last part becomes a morph.
pub(crate) fn split_at(state: &mut State, piece: Piece, places: &[usize]) -> Vec<Piece> {
    let n_letters = state.pieces.n_letters_of(piece);
    let mut parts = Vec::with_capacity(places.len() + 1);
    let (mut rest, mut start) = (piece, 0);
    for &place in places {
        let count = state.take(rest);
        let (front, back) = (state.part(piece, start, place), state.part(piece, place, n_letters));
        state.set_parts(rest, count, Parts::Two(front, back));
        parts.push(front);
        (rest, start) = (back, place);
    }
    let count = state.take(rest);
    state.set_parts(rest, count, Parts::Whole);
    parts.push(rest);
    parts
}

/// The parts of a piece, if it has been split at these places already.
fn parts_at(state: &State, piece: Piece, places: &[usize]) -> Option<Vec<Piece>> {
    let mut parts = Vec::with_capacity(places.len() + 1);
    let (mut rest, mut start) = (piece, 0);
    for &place in places {
        let Parts::Two(front, back) = state.nodes[rest as usize].parts else { return None };
        if state.pieces.n_letters_of(front) != place - start {
            return None;
        }
        parts.push(front);
        (rest, start) = (back, place);
    }
    parts.push(rest);
    Some(parts)
}

/// How a piece was analysed before it was taken out.
#[derive(Clone, Debug, Default)]
struct OldAnalysis {
    /// All pieces with parts, each before those inside of it; empty if new analyses include the old one.
    split: Vec<(Piece, Piece, Piece)>,
    morphs: Vec<Piece>,
    pending: Vec<Piece>,
}

impl OldAnalysis {
    fn remember(&mut self, state: &State, piece: Piece) {
        self.split.clear();
        self.morphs.clear();
        self.pending.push(piece);
        while let Some(piece) = self.pending.pop() {
            match state.nodes[piece as usize].parts {
                Parts::Two(front, back) => {
                    self.split.push((piece, front, back));
                    self.pending.extend([back, front]);
                }
                // Only training that began in another way has other parts; they are not kept.
                _ => self.morphs.push(piece),
            }
        }
    }

    /// What the old analysis costs, after the piece has been taken out, if it is not among the new ones.
    fn cost(&mut self, state: &mut State, count: u64, gains: &LetterGains) -> Option<f64> {
        let is_lost = |&(piece, ..): &(Piece, Piece, Piece)| state.nodes[piece as usize].count == 0;
        if !self.split.iter().skip(1).any(is_lost) {
            return None;
        }
        let mut new: Vec<Piece> =
            self.morphs.iter().copied().filter(|&morph| state.nodes[morph as usize].count == 0).collect();
        new.sort_unstable();
        new.dedup();
        let letters: Vec<Letter> =
            new.iter().flat_map(|&morph| state.pieces.letters(morph)).copied().collect();
        let mut sums = Vec::new();
        sum_gains(letters.iter(), &mut state.letter_counts, &state.logs, &mut sums);
        let trial = Trial::new(state, count, gains);
        let lexicon = trial.lexicon_cost(new.len(), letters.len(), sums[letters.len()]);
        let frame = trial.compute_frame(self.morphs.len(), new.len());
        Some(frame + lexicon - trial.gain_of_all(&self.morphs))
    }

    /// Brings the old analysis back; the outermost split is returned.
    fn restore(&self, state: &mut State, count: u64) -> Option<(Piece, Piece)> {
        for (at, &(piece, front, back)) in self.split.iter().enumerate() {
            // Within the piece, a part that is lost has come back as a morph with the piece around it.
            let count = if at == 0 { count } else { state.take(piece) };
            state.set_parts(piece, count, Parts::Two(front, back));
        }
        self.split.first().map(|&(_, front, back)| (front, back))
    }
}

/// By how much Σ l log l grows when the first or last letters of a piece come into the lexicon.
#[derive(Clone, Debug, Default)]
struct LetterGains {
    front: Vec<f64>,
    back: Vec<f64>,
}

impl LetterGains {
    fn compute(&mut self, state: &mut State, piece: Piece) {
        let letters = state.pieces.letters(piece);
        let (counts, logs) = (&mut state.letter_counts, &state.logs);
        sum_gains(letters.iter(), counts, logs, &mut self.front);
        sum_gains(letters.iter().rev(), counts, logs, &mut self.back);
    }
}

/// Adds one letter after the other, and takes all of them back in the end.
fn sum_gains<'a>(
    letters: impl Iterator<Item = &'a Letter> + Clone,
    counts: &mut [u64],
    logs: &Logs,
    gains: &mut Vec<f64>,
) {
    gains.clear();
    gains.push(0.0);
    let mut sum = 0.0;
    for &letter in letters.clone() {
        let count = &mut counts[letter as usize];
        sum += logs.n_ln_n(*count + 1) - logs.n_ln_n(*count);
        *count += 1;
        gains.push(sum);
    }
    letters.for_each(|&letter| counts[letter as usize] -= 1);
}

/// Costs of analyses of one piece that is not in the model, compared without changing the model. The sums over types are
/// left out as far as no analysis changes them.
struct Trial<'a> {
    state: &'a State,
    count: u64,
    gains: &'a LetterGains,
    n_letters: usize,
    /// The frame of corpus and annotations by the number of new tokens (over `count`) and of new types.
    frames: [[f64; 3]; N_FRAMES],
    /// What the lexicon costs if it does not change, and if all letters become two new morphs.
    lexicon: f64,
    lexicon_of_two: f64,
}

const N_FRAMES: usize = 8;

impl<'a> Trial<'a> {
    fn new(state: &'a State, count: u64, gains: &'a LetterGains) -> Trial<'a> {
        let n_letters = gains.front.len() - 1;
        let mut trial = Trial {
            state,
            count,
            gains,
            n_letters,
            frames: [[f64::NAN; 3]; N_FRAMES],
            lexicon: 0.0,
            lexicon_of_two: 0.0,
        };
        trial.lexicon = trial.lexicon_cost(0, 0, 0.0);
        trial.lexicon_of_two = trial.lexicon_cost(2, n_letters, gains.front[n_letters]);
        trial
    }

    /// The cost of the piece as a morph.
    fn whole(&mut self, piece: Piece) -> f64 {
        let lexicon = self.lexicon_cost(1, self.n_letters, self.gains.front[self.n_letters]);
        self.frame(1, 1) + lexicon - self.gain(piece, 0)
    }

    /// The cost of two parts.
    fn split(&mut self, at: usize, front: Piece, back: Piece, morphs: &mut Vec<Piece>) -> f64 {
        let nodes = &self.state.nodes;
        let (front_node, back_node) = (&nodes[front as usize], &nodes[back as usize]);
        // Morphs inside of parts are in the model already, so only the two parts themselves can be new.
        let (new_front, new_back) = (front_node.count == 0, back_node.count == 0 && front != back);
        let (new_types, lexicon) = match (new_front, new_back) {
            (false, false) => (0, self.lexicon),
            (true, true) => (2, self.lexicon_of_two),
            (true, false) => (1, self.lexicon_cost(1, at, self.gains.front[at])),
            (false, true) => {
                let n_letters = self.n_letters - at;
                (1, self.lexicon_cost(1, n_letters, self.gains.back[n_letters]))
            }
        };
        let (tokens, gain) = if front_node.parts == Parts::Whole && back_node.parts == Parts::Whole {
            let twice = u64::from(front == back);
            (2, self.gain(front, front_node.count) + self.gain(back, back_node.count + twice * self.count))
        } else {
            morphs.clear();
            self.state.morphs(front, morphs);
            self.state.morphs(back, morphs);
            (morphs.len(), self.gain_of_all(morphs))
        };
        self.frame(tokens, new_types) + lexicon - gain
    }

    fn gain_of_all(&self, morphs: &[Piece]) -> f64 {
        let gain = |(at, &morph): (usize, &Piece)| {
            let before = morphs[..at].iter().filter(|&&other| other == morph).count() as u64;
            self.gain(morph, self.state.nodes[morph as usize].count + before * self.count)
        };
        morphs.iter().enumerate().map(gain).sum()
    }

    /// How much costs fall when the count of a morph rises from `old` by the count of the piece.
    #[inline]
    fn gain(&self, morph: Piece, old: u64) -> f64 {
        let (logs, weights) = (&self.state.logs, &self.state.weights);
        let new = old + self.count;
        weights.corpus * (logs.n_ln_n(new) - logs.n_ln_n(old))
            + weights.annotations * self.state.annotated_gain(morph, old, new)
    }

    #[inline]
    fn frame(&mut self, tokens: usize, types: usize) -> f64 {
        if tokens >= N_FRAMES {
            return self.compute_frame(tokens, types);
        }
        if self.frames[tokens][types].is_nan() {
            self.frames[tokens][types] = self.compute_frame(tokens, types);
        }
        self.frames[tokens][types]
    }

    fn compute_frame(&self, tokens: usize, types: usize) -> f64 {
        let State { logs, weights, sizes, .. } = self.state;
        let tokens = sizes.tokens + tokens as u64 * self.count;
        corpus_frame(logs, weights, sizes, tokens, sizes.types + types as u64)
            + annotation_frame(logs, weights, sizes, tokens)
    }

    fn lexicon_cost(&self, types: usize, letters: usize, gain: f64) -> f64 {
        let State { logs, sizes, .. } = self.state;
        lexicon_frame(logs, sizes, sizes.letters + letters as u64, sizes.types + types as u64) - gain
    }
}
