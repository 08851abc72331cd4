//! How long to sample and what to keep.

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::observe::Phase;

/// How many sweeps to make and which of them to keep.
///
/// Sweeps are numbered from 1. After `burn_in` sweeps every `thin`-th one is kept until there are
/// `samples`, so a run makes `burn_in + samples · thin` sweeps in each of `chains` chains.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schedule {
    /// Sweeps thrown away at the start.
    pub burn_in: u32,
    /// Sweeps kept per chain.
    pub samples: u32,
    /// Keep one sweep out of this many.
    pub thin: u32,
    /// The seed of all random streams.
    pub seed: u64,
    /// Independent chains.
    pub chains: u32,
}

impl Default for Schedule {
    fn default() -> Schedule {
        Schedule { burn_in: 100, samples: 100, thin: 1, seed: 0, chains: 1 }
    }
}

impl Schedule {
    /// Refuses schedules that could not do anything.
    pub fn check(&self) -> Result<(), Error> {
        let refuse = |field, advice| Err(Error::Schedule { field, value: 0, advice });
        match self {
            Schedule { thin: 0, .. } => refuse("thin", "use 1 to keep every sweep"),
            Schedule { chains: 0, .. } => refuse("chains", "use at least 1"),
            _ if self.total() == 0 => refuse("samples", "ask for a sample or for burn-in"),
            _ => Ok(()),
        }
    }

    /// The number of sweeps in each chain.
    pub fn total(&self) -> u64 {
        u64::from(self.burn_in) + u64::from(self.samples) * u64::from(self.thin)
    }

    /// Whether a sweep still belongs to the burn-in.
    pub fn phase(&self, sweep: u64) -> Phase {
        if sweep <= u64::from(self.burn_in) { Phase::BurnIn } else { Phase::Sampling }
    }

    /// Whether a sweep is one of the samples.
    pub fn keeps(&self, sweep: u64) -> bool {
        let after = sweep.saturating_sub(u64::from(self.burn_in));
        after > 0 && after.is_multiple_of(u64::from(self.thin)) && sweep <= self.total()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinning_counts_from_the_end_of_burn_in() {
        let schedule = Schedule { burn_in: 3, samples: 2, thin: 2, ..Schedule::default() };
        let kept: Vec<u64> = (0..=10).filter(|&sweep| schedule.keeps(sweep)).collect();
        assert_eq!((kept, schedule.total()), (vec![5, 7], 7));
        assert_eq!((schedule.phase(3), schedule.phase(4)), (Phase::BurnIn, Phase::Sampling));
    }

    #[test]
    fn schedules_that_do_nothing_are_refused() {
        let base = Schedule::default();
        for bad in [
            Schedule { thin: 0, ..base.clone() },
            Schedule { chains: 0, ..base.clone() },
            Schedule { burn_in: 0, samples: 0, ..base.clone() },
        ] {
            assert!(bad.check().is_err(), "{bad:?}");
        }
        assert!(base.check().is_ok());
    }

    #[test]
    fn the_longest_schedule_does_not_overflow() {
        let most = Schedule { burn_in: u32::MAX, samples: u32::MAX, thin: u32::MAX, ..Schedule::default() };
        assert_eq!(most.total(), u64::from(u32::MAX) * (1 + u64::from(u32::MAX)));
    }
}
