//! Stopping from outside.

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Observer, Progress, Stop};

/// Ends the run after the present sweep once the flag is set, for instance by a handler of Ctrl-C.
///
/// Together with [`super::Checkpoints`] the run leaves a checkpoint from which it can go on.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(pub Arc<AtomicBool>);

impl<S> Observer<S> for StopFlag {
    fn after_sweep(&mut self, _: &Progress, _: &S) -> io::Result<ControlFlow<Stop>> {
        let set = self.0.load(Ordering::Relaxed);
        Ok(if set { ControlFlow::Break(Stop::Interrupted) } else { ControlFlow::Continue(()) })
    }
}
