//! Several observers in a row.

use std::io;
use std::ops::ControlFlow;

use super::{Memory, Observer, Progress, Stop};

/// Passes everything on to several observers, in order. The first wish to stop is the one reported.
pub struct Fan<'a, S> {
    observers: Vec<&'a mut dyn Observer<S>>,
    wanting: Vec<bool>,
}

impl<S> Default for Fan<'_, S> {
    fn default() -> Self {
        Fan::new()
    }
}

impl<'a, S> Fan<'a, S> {
    /// No observers yet.
    pub fn new() -> Fan<'a, S> {
        Fan { observers: Vec::new(), wanting: Vec::new() }
    }

    /// One more observer.
    pub fn with(mut self, observer: &'a mut dyn Observer<S>) -> Fan<'a, S> {
        self.observers.push(observer);
        self
    }
}

impl<S> Observer<S> for Fan<'_, S> {
    fn after_sweep(&mut self, at: &Progress, state: &S) -> io::Result<ControlFlow<Stop>> {
        let mut flow = ControlFlow::Continue(());
        for observer in &mut self.observers {
            let wish = observer.after_sweep(at, state)?;
            if flow.is_continue() {
                flow = wish;
            }
        }
        Ok(flow)
    }

    fn wants_checkpoint(&mut self, at: &Progress, ending: bool) -> bool {
        self.wanting = self.observers.iter_mut().map(|o| o.wants_checkpoint(at, ending)).collect();
        self.wanting.contains(&true)
    }

    fn take_checkpoint(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut wanting = self.observers.iter_mut().zip(&self.wanting).filter(|(_, wants)| **wants);
        wanting.try_for_each(|(observer, _)| observer.take_checkpoint(bytes))
    }

    fn remember(&self, memory: &mut Memory) -> io::Result<()> {
        self.observers.iter().try_for_each(|observer| observer.remember(memory))
    }

    fn recall(&mut self, memory: &Memory) -> io::Result<()> {
        self.observers.iter_mut().try_for_each(|observer| observer.recall(memory))
    }
}
