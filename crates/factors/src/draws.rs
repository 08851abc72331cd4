//! The states a run keeps.

use std::io;
use std::ops::ControlFlow;

use chain::observe::Memory;
use chain::{Observer, Progress, Stop};

use crate::state::{Shape, State};

/// Keeps the states that the schedule keeps, one list for each chain, without the hidden utilities, which are as large as
/// the table and never needed again.
#[derive(Debug, Default)]
pub struct Draws {
    chains: Vec<Vec<State>>,
}

impl Draws {
    /// The kept states of each chain.
    pub fn into_chains(self) -> Vec<Vec<State>> {
        self.chains
    }
}

const NAME: &str = "mixed draws";

impl Observer<State> for Draws {
    fn after_sweep(&mut self, at: &Progress, state: &State) -> io::Result<ControlFlow<Stop>> {
        if at.kept {
            let chain = at.chain as usize;
            self.chains.resize_with(self.chains.len().max(chain + 1), Vec::new);
            self.chains[chain].push(stripped(state));
        }
        Ok(ControlFlow::Continue(()))
    }

    fn remember(&self, memory: &mut Memory) -> io::Result<()> {
        memory.put(NAME, &self.chains)
    }

    fn recall(&mut self, memory: &Memory) -> io::Result<()> {
        self.chains = memory.get(NAME)?;
        Ok(())
    }
}

fn stripped(state: &State) -> State {
    let mut draw = state.clone();
    for column in &mut draw.columns {
        if let Shape::Utilities(utilities) = &mut column.shape {
            *utilities = Vec::new();
        }
    }
    draw
}
