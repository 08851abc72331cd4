//! Tables of weights on their way through the epochs.

use std::convert::Infallible;

use chain::descent::{Examples, State};

use super::table::Table;

pub use chain::descent::Descent;
pub(super) use chain::descent::Gradient;

/// Weights while they are learned, and as a checkpoint holds them.
pub(super) type Course = State<Table, Descent>;

/// The mean of the weights so far, or the last ones if none counts yet.
pub(super) fn mean(course: &Course) -> Table {
    let mut table = course.params.weights.clone();
    if let Some(mean) = course.params.mean() {
        table.values = mean;
    }
    table
}

/// Examples that are functions: memory for a thread, and the gradient of an example.
pub(super) struct Walk<F, G> {
    pub(super) start: Table,
    pub(super) n_examples: usize,
    pub(super) scratch: F,
    pub(super) gradient: G,
}

impl<S, F, G> Examples<Table> for Walk<F, G>
where
    F: Fn() -> S + Sync,
    G: Fn(usize, &Table, &mut S) -> Option<Gradient> + Sync,
{
    type Scratch = S;
    type Error = Infallible;

    fn start(&self) -> Table {
        self.start.clone().open()
    }

    fn n_weights(&self) -> usize {
        self.start.values.len()
    }

    fn n_examples(&self) -> usize {
        self.n_examples
    }

    fn scratch(&self) -> S {
        (self.scratch)()
    }

    fn gradient(&self, i: usize, table: &Table, scratch: &mut S) -> Result<Option<Gradient>, Infallible> {
        Ok((self.gradient)(i, table, scratch))
    }
}
