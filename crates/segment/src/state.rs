//! Words, their parts, and the sums behind the cost: what training changes.
//!
//! A piece that is used is either a morph, or it has parts. Words share the analyses of their parts: when the count of a
//! piece with parts changes, so do the counts of its parts, down to morphs, and only those are paid for.

use crate::cost::{self, Cost, PENALTY, Sizes, Sums, Weights};
use crate::letters::{Letter, Letters};
use crate::logs::Logs;
use crate::substrings::{Piece, Substrings};
use serde::{Deserialize, Serialize};

/// How a piece is analysed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Parts {
    /// A morph, or not in use.
    #[default]
    Whole,
    /// A part in front and one behind.
    Two(Piece, Piece),
    /// Any number of parts.
    Flat(Box<[Piece]>),
}

/// A piece in use, or not if its count is 0.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct PieceUse {
    pub(crate) count: u64,
    pub(crate) parts: Parts,
}

/// Everything that training knows.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) letters: Letters,
    pub(crate) pieces: Substrings,
    /// One for each piece.
    pub(crate) nodes: Vec<PieceUse>,
    /// Words in the order in which they came, and how often each is in the corpus.
    pub(crate) words: Vec<(Piece, u64)>,
    pub(crate) letter_counts: Vec<u64>,
    /// How often annotations have each piece; empty without annotations.
    pub(crate) annotated: Vec<f64>,
    pub(crate) weights: Weights,
    pub(crate) sizes: Sizes,
    pub(crate) sums: Sums,
    pub(crate) logs: Logs,
    /// Pieces whose counts are still to be changed, kept for its memory.
    pending: Vec<Piece>,
}

impl State {
    /// Nothing, yet.
    pub(crate) fn new(corpus_weight: f64) -> State {
        State {
            letters: Letters::default(),
            pieces: Substrings::default(),
            nodes: Vec::new(),
            words: Vec::new(),
            letter_counts: Vec::new(),
            annotated: Vec::new(),
            weights: Weights {
                corpus: corpus_weight,
                annotations: 1.0,
                annotated_words: 0,
                annotated_morphs: 0,
            },
            sizes: Sizes::default(),
            sums: Sums::default(),
            logs: Logs::default(),
            pending: Vec::new(),
        }
    }

    /// The present cost.
    pub(crate) fn cost(&self) -> Cost {
        cost::cost(&self.logs, &self.weights, &self.sizes, &self.sums)
    }

    /// The number of a word or morph; new characters get numbers.
    pub(crate) fn piece(&mut self, text: &str, buffer: &mut Vec<Letter>) -> Piece {
        self.letters.add_word(text, buffer);
        let piece = self.pieces.add(buffer);
        self.letter_counts.resize(self.letters.len(), 0);
        self.follow_pieces();
        piece
    }

    /// The part of a piece from letter `from` to before letter `to`.
    pub(crate) fn part(&mut self, piece: Piece, from: usize, to: usize) -> Piece {
        let part = self.pieces.part(piece, from, to);
        self.follow_pieces();
        part
    }

    /// Adds to the count of a word in the corpus; `at` is its place in `words`.
    pub(crate) fn add_word(&mut self, at: usize, count: u64) {
        let (piece, in_corpus) = &mut self.words[at];
        *in_corpus += count;
        self.sizes.words += count;
        let piece = *piece;
        self.change(piece, count as i64);
    }

    /// Changes the count of a piece, and with it those of its parts. A piece whose count falls to 0 loses its parts.
    pub(crate) fn change(&mut self, piece: Piece, by: i64) {
        self.pending.push(piece);
        while let Some(piece) = self.pending.pop() {
            let node = &mut self.nodes[piece as usize];
            let old = node.count;
            node.count = old.wrapping_add_signed(by);
            let new = node.count;
            match &node.parts {
                Parts::Whole => {
                    self.change_morph(piece, old, new);
                    continue;
                }
                Parts::Two(front, back) => self.pending.extend([*back, *front]),
                Parts::Flat(parts) => self.pending.extend(parts.iter().rev()),
            }
            if new == 0 {
                self.nodes[piece as usize].parts = Parts::Whole;
            }
        }
    }

    /// Gives a piece, whose count has been brought down to 0, parts and its old count.
    pub(crate) fn set_parts(&mut self, piece: Piece, count: u64, parts: Parts) {
        match &parts {
            Parts::Whole => self.change(piece, count as i64),
            Parts::Two(front, back) => {
                let (front, back) = (*front, *back);
                self.nodes[piece as usize] = PieceUse { count, parts };
                self.change(front, count as i64);
                self.change(back, count as i64);
            }
            Parts::Flat(flat) => {
                let flat = flat.clone();
                self.nodes[piece as usize] = PieceUse { count, parts };
                for &part in &flat {
                    self.change(part, count as i64);
                }
            }
        }
    }

    /// Takes a piece out and gives its count.
    pub(crate) fn take(&mut self, piece: Piece) -> u64 {
        let count = self.nodes[piece as usize].count;
        self.change(piece, -(count as i64));
        count
    }

    /// The morphs of a piece, in order.
    pub(crate) fn morphs(&self, piece: Piece, into: &mut Vec<Piece>) {
        let mut pending = vec![piece];
        while let Some(piece) = pending.pop() {
            match &self.nodes[piece as usize].parts {
                Parts::Whole => into.push(piece),
                Parts::Two(front, back) => pending.extend([*back, *front]),
                Parts::Flat(parts) => pending.extend(parts.iter().rev()),
            }
        }
    }

    /// The count of a morph; 0 for pieces that are none.
    pub(crate) fn morph_count(&self, piece: Piece) -> u64 {
        let node = &self.nodes[piece as usize];
        if node.parts == Parts::Whole { node.count } else { 0 }
    }

    /// How much the sum over annotated morphs grows when the count of a morph changes.
    #[inline]
    pub(crate) fn annotated_gain(&self, piece: Piece, old: u64, new: u64) -> f64 {
        match self.annotated.get(piece as usize) {
            Some(&times) if times > 0.0 => times * (self.annotated_log(new) - self.annotated_log(old)),
            _ => 0.0,
        }
    }

    /// log c, or the penalty.
    pub(crate) fn annotated_log(&self, count: u64) -> f64 {
        if count > 0 { self.logs.ln(count) } else { PENALTY }
    }

    /// Computes the sums anew, so that rounding errors do not grow with the length of training.
    pub(crate) fn refresh_sums(&mut self) {
        let pieces = 0..self.pieces.len() as Piece;
        let counts: Vec<u64> = pieces.map(|piece| self.morph_count(piece)).collect();
        let n_ln_n = |&count: &u64| self.logs.n_ln_n(count);
        self.sums.morphs = counts.iter().map(n_ln_n).sum();
        self.sums.letters = self.letter_counts.iter().map(n_ln_n).sum();
        let annotated = self.annotated.iter().zip(&counts).filter(|(times, _)| **times > 0.0);
        self.sums.annotated = annotated.map(|(times, &count)| times * self.annotated_log(count)).sum();
    }

    fn change_morph(&mut self, piece: Piece, old: u64, new: u64) {
        self.sizes.tokens = self.sizes.tokens.wrapping_add(new).wrapping_sub(old);
        self.sums.morphs += self.logs.n_ln_n(new) - self.logs.n_ln_n(old);
        self.sums.annotated += self.annotated_gain(piece, old, new);
        if old == 0 && new > 0 {
            self.change_lexicon(piece, 1);
        } else if old > 0 && new == 0 {
            self.change_lexicon(piece, -1);
        }
    }

    fn change_lexicon(&mut self, morph: Piece, by: i64) {
        self.sizes.types = self.sizes.types.wrapping_add_signed(by);
        let letters = self.pieces.letters(morph);
        self.sizes.letters = self.sizes.letters.wrapping_add_signed(by * letters.len() as i64);
        for &letter in letters {
            let count = &mut self.letter_counts[letter as usize];
            self.sums.letters -= self.logs.n_ln_n(*count);
            *count = count.wrapping_add_signed(by);
            self.sums.letters += self.logs.n_ln_n(*count);
        }
        // A letter stays in the alphabet once a morph has had it.
        self.sizes.alphabet = self.letters.len() as u64;
    }

    fn follow_pieces(&mut self) {
        let n_pieces = self.pieces.len();
        if self.nodes.len() < n_pieces {
            self.nodes.resize(n_pieces, PieceUse::default());
        }
        if !self.annotated.is_empty() && self.annotated.len() < n_pieces {
            self.annotated.resize(n_pieces, 0.0);
        }
    }
}
