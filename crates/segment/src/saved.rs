//! Training between two epochs, to be gone on with.

use crate::cost::Sizes;
use crate::state::{Parts, PieceUse, State};
use crate::substrings::Piece;
use serde::{Deserialize, Serialize};

/// What training has come to after an epoch: with the same words, annotations and settings it goes on from there, and ends
/// where it would have ended.
///
/// Pieces keep their numbers, since sums are taken in their order.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Saved {
    /// The cost before training and after each epoch.
    pub(crate) costs: Vec<f64>,
    /// Start and length in the pool of every piece.
    places: Vec<(u32, u32)>,
    nodes: Vec<PieceUse>,
    letter_counts: Vec<u64>,
    sizes: Sizes,
}

impl Saved {
    /// How many epochs are over.
    pub fn n_epochs(&self) -> usize {
        self.costs.len().saturating_sub(1)
    }

    pub(crate) fn new(state: &State, costs: &[f64]) -> Saved {
        Saved {
            costs: costs.to_vec(),
            places: state.pieces.places(),
            nodes: state.nodes.clone(),
            letter_counts: state.letter_counts.clone(),
            sizes: state.sizes,
        }
    }

    /// Puts a state that has just been loaded with the same words where it was; false if these were other words.
    pub(crate) fn restore(self, state: &mut State) -> bool {
        let n_pieces = self.places.len() as Piece;
        let is_piece = |piece: &Piece| *piece < n_pieces;
        let is_sound = |node: &PieceUse| match &node.parts {
            Parts::Whole => true,
            Parts::Two(front, back) => is_piece(front) && is_piece(back),
            Parts::Flat(parts) => parts.iter().all(is_piece),
        };
        let fits = !self.costs.is_empty()
            && self.nodes.len() == self.places.len()
            && self.letter_counts.len() == state.letter_counts.len()
            && self.sizes.words == state.sizes.words
            && self.nodes.iter().all(is_sound)
            && state.pieces.renew(&self.places);
        if fits {
            (state.nodes, state.letter_counts, state.sizes) = (self.nodes, self.letter_counts, self.sizes);
        }
        fits
    }
}
