//! What is sampled: a state and a step that leaves its distribution as it is.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::sweep::Sweep;

/// A Markov chain: how to draw a first state and how to make one sweep.
///
/// Kernels know nothing of burn-in, chains, threads or files. A sweep must be a function of the state and
/// of the streams of its [`Sweep`]; then resuming and parallel running are exact without further thought.
pub trait Kernel: Sync {
    /// Everything a chain remembers between sweeps.
    type State: Clone + Send + Sync + Serialize + DeserializeOwned;
    /// What may go wrong.
    type Error: std::error::Error + Send + 'static;
    /// The name that checkpoints of this kernel carry; others are refused when resuming.
    const KIND: &'static str;
    /// Raise this when `State` changes its shape, so that old checkpoints are refused.
    const VERSION: u32 = 1;

    /// Draws the first state of a chain.
    fn start(&self, sweep: &Sweep<'_>) -> Result<Self::State, Self::Error>;

    /// Makes one sweep.
    fn sweep(&self, state: &mut Self::State, sweep: &Sweep<'_>) -> Result<(), Self::Error>;

    /// The log of the joint density up to a constant, if it is cheap: it is asked for after every sweep.
    fn log_joint(&self, _state: &Self::State) -> Option<f64> {
        None
    }

    /// A checksum of data and settings. A checkpoint that was made with another one is refused.
    fn fingerprint(&self) -> u64 {
        0
    }
}
