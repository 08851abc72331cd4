//! Those who watch a run: traces, tallies, progress, checkpoints, a flag to stop.
//!
//! Observers get data and return data; drawing a bar or opening a file with the right name is left to
//! the caller. An observer that gathers something over sweeps keeps it in the [`Memory`] of the
//! checkpoint, or else a resumed run would report less than the straight one.

mod checkpoints;
mod each;
mod fan;
mod memory;
mod stop_flag;
mod tally;
mod trace;

use std::io;
use std::ops::ControlFlow;
use std::time::Duration;

pub use checkpoints::{Checkpoints, Every};
pub use each::Each;
pub use fan::Fan;
pub use memory::Memory;
pub use stop_flag::StopFlag;
pub use tally::Tally;
pub use trace::Trace;

/// Someone who looks at every state. `()` is the one who does not care.
pub trait Observer<S> {
    /// Called after each sweep for each chain in turn. `Break` ends the run after this round.
    fn after_sweep(&mut self, at: &Progress, state: &S) -> io::Result<ControlFlow<Stop>>;

    /// Asked once after each round; `ending` says that the run ends here, early or not.
    fn wants_checkpoint(&mut self, _at: &Progress, _ending: bool) -> bool {
        false
    }

    /// Given the bytes of a checkpoint after having wanted one.
    fn take_checkpoint(&mut self, _bytes: &[u8]) -> io::Result<()> {
        Ok(())
    }

    /// Puts into the checkpoint what was gathered so far.
    fn remember(&self, _memory: &mut Memory) -> io::Result<()> {
        Ok(())
    }

    /// Takes it up again when a run is resumed.
    fn recall(&mut self, _memory: &Memory) -> io::Result<()> {
        Ok(())
    }
}

impl<S> Observer<S> for () {
    fn after_sweep(&mut self, _: &Progress, _: &S) -> io::Result<ControlFlow<Stop>> {
        Ok(ControlFlow::Continue(()))
    }
}

/// Where a run stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// The chain that is being shown, from 0.
    pub chain: u32,
    /// How many chains there are.
    pub chains: u32,
    /// The sweep just made, from 1.
    pub sweep: u64,
    /// The last sweep of the schedule.
    pub total: u64,
    /// Burn-in or sampling.
    pub phase: Phase,
    /// Whether the schedule keeps this sweep as a sample.
    pub kept: bool,
    /// Time since this run began or was resumed.
    pub elapsed: Duration,
    /// Time left, if the sweeps to come take as long as those so far.
    pub eta: Duration,
    /// What the kernel says of the state's log joint density.
    pub log_joint: Option<f64>,
}

/// The part of a schedule a sweep belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The chain still forgets its start.
    BurnIn,
    /// Sweeps count.
    Sampling,
}

/// Why a run ended before its schedule did.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stop {
    /// Somebody asked for it, for instance with Ctrl-C.
    Interrupted,
    /// The tolerance was reached.
    Converged,
    /// Another reason of an observer, in its words.
    Because(String),
}
