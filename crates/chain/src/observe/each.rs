//! A closure as an observer.

use std::io;
use std::ops::ControlFlow;

use super::{Observer, Progress, Stop};

/// Calls a closure after every sweep: progress bars, or a rule for stopping.
#[derive(Debug)]
pub struct Each<F>(pub F);

impl<S, F: FnMut(&Progress, &S) -> io::Result<ControlFlow<Stop>>> Observer<S> for Each<F> {
    fn after_sweep(&mut self, at: &Progress, state: &S) -> io::Result<ControlFlow<Stop>> {
        (self.0)(at, state)
    }
}
