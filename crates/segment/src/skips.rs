//! Skipping pieces at random that have been looked at in the same epoch, which makes training shorter.

use crate::substrings::Piece;
use chain::Rng;

/// How often each piece has been looked at in this epoch, if pieces are skipped at all.
#[derive(Clone, Debug, Default)]
pub(crate) struct Skips {
    active: Option<(Rng, Vec<u32>)>,
}

impl Skips {
    /// Skips pieces, with randomness of its own for each epoch.
    pub(crate) fn new(rng: Rng) -> Skips {
        Skips { active: Some((rng, Vec::new())) }
    }

    /// Whether to skip a piece: with probability 1 − 1/t if it has been looked at t times.
    pub(crate) fn skip(&mut self, piece: Piece) -> bool {
        let Some((rng, looked_at)) = &mut self.active else { return false };
        if looked_at.len() <= piece as usize {
            looked_at.resize(piece as usize + 1, 0);
        }
        let times = &mut looked_at[piece as usize];
        if *times > 0 && rng.uniform() > 1.0 / f64::from(*times) {
            return true;
        }
        *times += 1;
        false
    }
}
