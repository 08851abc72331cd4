//! Learning by stochastic gradients, epoch by epoch.

use chain::{Stream, Workers};
use serde::{Deserialize, Serialize};

use super::pack::Packed;
use super::table::{AdaGrad, Table};

/// The loss of a sentence, and its slope in some weights.
#[derive(Debug, Clone, Default)]
pub(super) struct Gradient {
    pub(super) loss: f64,
    /// Slots and slopes; a slot may stand here several times.
    pub(super) entries: Vec<(u32, f32)>,
}

impl Gradient {
    #[inline]
    pub(super) fn push(&mut self, slot: usize, slope: f32) {
        self.entries.push((slot as u32, slope));
    }
}

/// How weights are learned.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Descent {
    /// Walks through the data.
    pub epochs: usize,
    /// Sentences between two steps.
    pub batch: usize,
    /// η, the length of the first steps.
    pub rate: f64,
    /// λ₂, what pulls weights back to zero whenever they are moved.
    pub l2: f64,
    /// λ₁, what keeps small weights at zero.
    pub l1: f64,
}

/// Weights while they are learned.
#[derive(Debug, Clone)]
pub(super) struct Course {
    pub(super) table: Table,
    optimiser: AdaGrad,
    /// Σ of the weights after the epochs that count for the mean, and how many these are.
    sums: Vec<f32>,
    n_summed: usize,
    pub(super) done: usize,
}

/// A course as a checkpoint holds it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct SavedCourse {
    table: Table,
    squares: Packed,
    sums: Packed,
    n_summed: u64,
    done: u64,
}

impl Course {
    pub(super) fn new(table: Table, descent: &Descent) -> Course {
        let table = table.open();
        let n_weights = table.values.len();
        let optimiser = AdaGrad::new(n_weights, [descent.rate, descent.l2, descent.l1]);
        Course { table, optimiser, sums: vec![0.0; n_weights], n_summed: 0, done: 0 }
    }

    /// One walk through the examples, in an order of its own. Gradients of a batch are found in parallel and added
    /// up in order, so that the number of threads makes no difference. Returns the sum of the losses.
    pub(super) fn epoch<S>(
        &mut self,
        n_examples: usize,
        descent: &Descent,
        stream: Stream,
        workers: &Workers,
        scratch: impl Fn() -> S + Sync + Send,
        gradient: impl Fn(usize, &Table, &mut S) -> Option<Gradient> + Sync,
    ) -> f64 {
        let mut order: Vec<usize> = (0..n_examples).collect();
        stream.item(self.done).rng().shuffle(&mut order);
        let mut loss = 0.0;
        for batch in order.chunks(descent.batch.max(1)) {
            let table = &self.table;
            let found = workers.map_with(batch, &scratch, |scratch, _, &i| gradient(i, table, scratch));
            for gradient in found.into_iter().flatten() {
                loss += gradient.loss;
                gradient.entries.iter().for_each(|&(slot, slope)| self.optimiser.add(slot as usize, slope));
            }
            self.optimiser.step(&mut self.table.values);
        }
        self.done += 1;
        // The second half of the epochs counts: the last weights jump about the minimum, their mean does less.
        if 2 * self.done > descent.epochs {
            self.sums.iter_mut().zip(&self.table.values).for_each(|(sum, w)| *sum += w);
            self.n_summed += 1;
        }
        loss
    }

    /// The mean of the weights so far, or the last ones if none counts yet.
    pub(super) fn mean(&self) -> Table {
        let mut table = self.table.clone();
        if self.n_summed > 0 {
            let n = self.n_summed as f32;
            table.values.iter_mut().zip(&self.sums).for_each(|(w, sum)| *w = sum / n);
        }
        table
    }

    pub(super) fn save(&self) -> SavedCourse {
        SavedCourse {
            table: self.table.clone(),
            squares: Packed::new(&self.optimiser.squares),
            sums: Packed::new(&self.sums),
            n_summed: self.n_summed as u64,
            done: self.done as u64,
        }
    }

    /// Goes on where a checkpoint was made; `None` if it is of another table.
    pub(super) fn resume(saved: &SavedCourse, n_weights: usize, descent: &Descent) -> Option<Course> {
        if saved.table.values.len() != n_weights {
            return None;
        }
        let mut course = Course::new(saved.table.clone(), descent);
        course.optimiser.squares = saved.squares.unpack(n_weights)?;
        course.sums = saved.sums.unpack(n_weights)?;
        course.n_summed = saved.n_summed as usize;
        course.done = saved.done as usize;
        Some(course)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn descent(epochs: usize) -> Descent {
        Descent { epochs, batch: 2, rate: 0.1, l2: 0.0, l1: 0.0 }
    }

    /// Walks through three examples, the slope of each in a weight of its own; returns the weights after each epoch.
    fn walk(course: &mut Course, epochs: usize) -> Vec<Vec<f32>> {
        let workers = Workers::serial();
        let gradient = |i: usize, _: &Table, (): &mut ()| {
            Some(Gradient { loss: 1.0 + i as f64, entries: vec![(i as u32, -1.0)] })
        };
        let mut seen = Vec::new();
        while course.done < epochs {
            let loss = course.epoch(3, &descent(epochs), Stream::new(1), &workers, || (), gradient);
            assert_eq!(loss, 6.0);
            seen.push(course.table.values.clone());
        }
        seen
    }

    #[test]
    fn the_mean_is_that_of_the_second_half_of_the_epochs() {
        for epochs in 1..=6 {
            let mut course = Course::new(Table::zero(2, 1), &descent(epochs));
            let seen = walk(&mut course, epochs);
            let counted = &seen[epochs / 2..];
            for (at, mean) in course.mean().values.iter().enumerate() {
                let expected = counted.iter().map(|values| values[at]).sum::<f32>() / counted.len() as f32;
                assert!((mean - expected).abs() < 1e-6, "{epochs} epochs: {mean} {expected}");
            }
        }
    }

    #[test]
    fn every_epoch_has_an_order_of_its_own() {
        let orders = std::sync::Mutex::new(Vec::new());
        let mut course = Course::new(Table::zero(5, 1), &descent(2));
        let gradient = |i: usize, _: &Table, (): &mut ()| {
            orders.lock().unwrap().push(i);
            None
        };
        for _ in 0..2 {
            course.epoch(20, &descent(2), Stream::new(1), &Workers::serial(), || (), gradient);
        }
        let seen = orders.into_inner().unwrap();
        let (one, two) = seen.split_at(20);
        assert_ne!(one, two);
        for order in [one, two] {
            let mut sorted = order.to_vec();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..20).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_saved_course_goes_on_as_if_it_had_not_been_saved() {
        let mut straight = Course::new(Table::zero(2, 1), &descent(5));
        walk(&mut straight, 5);
        for done in 0..5 {
            let mut course = Course::new(Table::zero(2, 1), &descent(5));
            for _ in 0..done {
                let gradient = |i: usize, _: &Table, (): &mut ()| {
                    Some(Gradient { loss: 1.0 + i as f64, entries: vec![(i as u32, -1.0)] })
                };
                course.epoch(3, &descent(5), Stream::new(1), &Workers::serial(), || (), gradient);
            }
            let saved = course.save();
            assert!(Course::resume(&saved, 8, &descent(5)).is_none());
            let mut course = Course::resume(&saved, 4, &descent(5)).unwrap();
            walk(&mut course, 5);
            assert_eq!(course.mean(), straight.mean(), "after {done}");
        }
    }
}
