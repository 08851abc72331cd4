//! Saving a run while it goes on.

use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

use super::{Observer, Progress, Stop};
use crate::container::write_atomically;

/// How often to save.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Every {
    /// After this many sweeps.
    Sweeps(u64),
    /// After the first sweep that ends this long after the last save.
    Time(Duration),
}

/// Writes a checkpoint every so often and when the run ends, early or not.
///
/// The file is replaced in one step: whoever kills the process finds the last whole one.
#[derive(Clone, Debug)]
pub struct Checkpoints {
    path: PathBuf,
    every: Every,
    last_save: Duration,
}

impl Checkpoints {
    /// Saves to `path`.
    pub fn new(path: impl Into<PathBuf>, every: Every) -> Checkpoints {
        Checkpoints { path: path.into(), every, last_save: Duration::ZERO }
    }
}

impl<S> Observer<S> for Checkpoints {
    fn after_sweep(&mut self, _: &Progress, _: &S) -> io::Result<ControlFlow<Stop>> {
        Ok(ControlFlow::Continue(()))
    }

    fn wants_checkpoint(&mut self, at: &Progress, ending: bool) -> bool {
        let due = match self.every {
            Every::Sweeps(n) => at.sweep.is_multiple_of(n.max(1)),
            Every::Time(pause) => at.elapsed.saturating_sub(self.last_save) >= pause,
        };
        if due {
            self.last_save = at.elapsed;
        }
        due || ending
    }

    fn take_checkpoint(&mut self, bytes: &[u8]) -> io::Result<()> {
        let named = |e: io::Error| io::Error::new(e.kind(), format!("{}: {e}", self.path.display()));
        write_atomically(&self.path, bytes).map_err(named)
    }
}
