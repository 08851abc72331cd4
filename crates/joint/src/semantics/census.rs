//! Which features there are: those that candidates of the training sentences have.

use features::Index;
use rustc_hash::FxHashMap;

use crate::Error;

/// Whether a candidate is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    /// It is there.
    Yes,
    /// It is not.
    No,
    /// Nobody knows.
    Open,
}

impl From<Option<bool>> for Holds {
    fn from(known: Option<bool>) -> Holds {
        match known {
            Some(true) => Holds::Yes,
            Some(false) => Holds::No,
            None => Holds::Open,
        }
    }
}

/// Which features are kept of a family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keep {
    /// Those that something has that is there, or `least` candidates have.
    Frequent,
    /// Those that something has that is there, or that may be.
    Positive,
}

/// How often features were seen.
#[derive(Debug, Default)]
pub(super) struct Census {
    places: FxHashMap<u64, u32>,
    /// In the order in which they came.
    seen: Vec<FeatureUse>,
}

#[derive(Debug)]
struct FeatureUse {
    key: u64,
    n_weights: u32,
    count: u32,
    /// Whether something has it that is there.
    is_there: bool,
    /// Whether something has it of which nobody knows.
    is_open: bool,
    keep: Keep,
}

impl Census {
    /// Counts a feature of a candidate.
    pub(super) fn count(&mut self, key: u64, n_weights: usize, holds: Holds, keep: Keep) {
        let next = self.seen.len() as u32;
        let place = *self.places.entry(key).or_insert(next);
        if place == next {
            let n_weights = n_weights as u32;
            self.seen.push(FeatureUse { key, n_weights, count: 0, is_there: false, is_open: false, keep });
        }
        let seen = &mut self.seen[place as usize];
        seen.count += 1;
        seen.is_there |= holds == Holds::Yes;
        seen.is_open |= holds == Holds::Open;
    }

    /// Rows for the features that are kept.
    pub(super) fn index(self, least: u32, hash: Option<u8>) -> Result<Index, Error> {
        let mut index = crate::index(hash);
        self.extend(least, &mut index)?;
        Ok(index)
    }

    /// Rows for the features that are kept and have none yet.
    pub(super) fn extend(self, least: u32, index: &mut Index) -> Result<(), Error> {
        for seen in self.seen {
            let is_frequent = seen.count >= least;
            let is_kept = match seen.keep {
                Keep::Frequent => seen.is_there || is_frequent,
                Keep::Positive => seen.is_there || (seen.is_open && is_frequent),
            };
            if is_kept {
                index.insert(seen.key, seen.n_weights as usize).ok_or(Error::TooManyFeatures)?;
            }
        }
        Ok(())
    }
}
