//! Runs that end before their time, to be gone on with.

use std::io;
use std::ops::ControlFlow;

use chain::{Observer, Progress, Stop};

/// Ends a run after some sweeps, and keeps the checkpoint.
#[derive(Debug)]
pub struct Halfway {
    after: u64,
    /// What was saved when the run ended.
    pub checkpoint: Vec<u8>,
}

impl Halfway {
    /// Ends it after so many.
    pub fn after(after: u64) -> Halfway {
        Halfway { after, checkpoint: Vec::new() }
    }
}

impl<S> Observer<S> for Halfway {
    fn after_sweep(&mut self, at: &Progress, _: &S) -> io::Result<ControlFlow<Stop>> {
        let ends = at.sweep == self.after;
        Ok(if ends { ControlFlow::Break(Stop::Interrupted) } else { ControlFlow::Continue(()) })
    }

    fn wants_checkpoint(&mut self, _: &Progress, ending: bool) -> bool {
        ending
    }

    fn take_checkpoint(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.checkpoint = bytes.to_vec();
        Ok(())
    }
}
