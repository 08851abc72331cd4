//! Tables of weights on their way through the epochs.

use chain::{Stream, Workers, descent};
use serde::{Deserialize, Serialize};

use super::table::Table;

pub use chain::descent::Descent;
pub(super) use chain::descent::Gradient;

/// Weights while they are learned.
#[derive(Debug, Clone)]
pub(super) struct Course {
    pub(super) table: Table,
    steps: descent::Course,
}

/// A course as a checkpoint holds it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct SavedCourse {
    table: Table,
    steps: descent::SavedCourse,
}

impl Course {
    pub(super) fn new(table: Table, descent: &Descent) -> Course {
        let table = table.open();
        let steps = descent::Course::new(table.values.len(), descent);
        Course { table, steps }
    }

    /// How many epochs are over.
    pub(super) fn done(&self) -> usize {
        self.steps.done()
    }

    /// One walk through the examples; returns the sum of the losses.
    pub(super) fn epoch<S>(
        &mut self,
        n_examples: usize,
        descent: &Descent,
        stream: Stream,
        workers: &Workers,
        scratch: impl Fn() -> S + Sync + Send,
        gradient: impl Fn(usize, &Table, &mut S) -> Option<Gradient> + Sync,
    ) -> f64 {
        self.steps.epoch(&mut self.table, n_examples, descent, stream, workers, scratch, gradient)
    }

    /// The mean of the weights so far, or the last ones if none counts yet.
    pub(super) fn mean(&self) -> Table {
        let mut table = self.table.clone();
        self.steps.average(&mut table.values);
        table
    }

    pub(super) fn save(&self) -> SavedCourse {
        SavedCourse { table: self.table.clone(), steps: self.steps.save() }
    }

    /// Goes on where a checkpoint was made; `None` if it is of another table.
    pub(super) fn resume(saved: &SavedCourse, n_weights: usize, descent: &Descent) -> Option<Course> {
        if saved.table.values.len() != n_weights {
            return None;
        }
        let steps = descent::Course::resume(&saved.steps, n_weights, descent)?;
        Some(Course { table: saved.table.clone().open(), steps })
    }
}
