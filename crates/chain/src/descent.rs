//! Learning by stochastic gradients, epoch by epoch.

mod ada_grad;

use serde::{Deserialize, Serialize};

use crate::workers::Workers;
use ada_grad::AdaGrad;
use num::packed::Packed;
use num::streams::Stream;

/// The loss of an example, and its slope in some weights.
#[derive(Debug, Clone, Default)]
pub struct Gradient {
    /// The loss.
    pub loss: f64,
    /// Slots and slopes; a slot may stand here several times.
    pub entries: Vec<(u32, f32)>,
}

impl Gradient {
    /// Adds a slope in the weight of a slot.
    #[inline]
    pub fn push(&mut self, slot: usize, slope: f32) {
        self.entries.push((slot as u32, slope));
    }
}

/// How weights are learned.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Descent {
    /// Walks through the data.
    pub epochs: usize,
    /// Examples between two steps.
    pub batch: usize,
    /// η, the length of the first steps.
    pub rate: f64,
    /// λ₂, what pulls weights back to zero whenever they are moved.
    pub l2: f64,
    /// λ₁, what keeps small weights at zero.
    pub l1: f64,
}

/// The way of weights that are learned; the weights themselves are the caller's, in whatever they are kept.
#[derive(Debug, Clone)]
pub struct Course {
    optimiser: AdaGrad,
    /// Σ of the weights after the epochs that count for the mean, and how many these are.
    sums: Vec<f32>,
    n_summed: usize,
    done: usize,
}

/// A course as a checkpoint holds it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SavedCourse {
    squares: Packed,
    sums: Packed,
    n_summed: u64,
    done: u64,
}

impl Course {
    /// The beginning of a course of so many weights.
    pub fn new(n_weights: usize, descent: &Descent) -> Course {
        let optimiser = AdaGrad::new(n_weights, [descent.rate, descent.l2, descent.l1]);
        Course { optimiser, sums: vec![0.0; n_weights], n_summed: 0, done: 0 }
    }

    /// How many epochs are over.
    pub fn done(&self) -> usize {
        self.done
    }

    /// One walk through the examples, in an order of its own. Gradients of a batch are found in parallel and added
    /// up in order, so that the number of threads makes no difference. Returns the sum of the losses.
    #[expect(clippy::too_many_arguments, reason = "what is learned, from what, how, and the memory for it")]
    pub fn epoch<W: AsRef<[f32]> + AsMut<[f32]> + Sync, S>(
        &mut self,
        weights: &mut W,
        n_examples: usize,
        descent: &Descent,
        stream: Stream,
        workers: &Workers,
        scratch: impl Fn() -> S + Sync + Send,
        gradient: impl Fn(usize, &W, &mut S) -> Option<Gradient> + Sync,
    ) -> f64 {
        let mut order: Vec<usize> = (0..n_examples).collect();
        stream.item(self.done).rng().shuffle(&mut order);
        let mut loss = 0.0;
        for batch in order.chunks(descent.batch.max(1)) {
            let seen = &*weights;
            let found = workers.map_with(batch, &scratch, |scratch, _, &i| gradient(i, seen, scratch));
            for gradient in found.into_iter().flatten() {
                loss += gradient.loss;
                gradient.entries.iter().for_each(|&(slot, slope)| self.optimiser.add(slot as usize, slope));
            }
            self.optimiser.step(weights.as_mut());
        }
        self.done += 1;
        // The second half of the epochs counts: the last weights jump about the minimum, their mean does less.
        if 2 * self.done > descent.epochs {
            self.sums.iter_mut().zip(weights.as_ref()).for_each(|(sum, w)| *sum += w);
            self.n_summed += 1;
        }
        loss
    }

    /// Replaces the last weights by their mean so far, if there is one yet.
    pub fn average(&self, weights: &mut [f32]) {
        if self.n_summed > 0 {
            let n = self.n_summed as f32;
            weights.iter_mut().zip(&self.sums).for_each(|(w, sum)| *w = sum / n);
        }
    }

    /// What a checkpoint needs besides the weights.
    pub fn save(&self) -> SavedCourse {
        SavedCourse {
            squares: Packed::new(&self.optimiser.squares),
            sums: Packed::new(&self.sums),
            n_summed: self.n_summed as u64,
            done: self.done as u64,
        }
    }

    /// Goes on where a checkpoint was made; `None` if it is of another number of weights.
    pub fn resume(saved: &SavedCourse, n_weights: usize, descent: &Descent) -> Option<Course> {
        let mut course = Course::new(n_weights, descent);
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
    fn walk(course: &mut Course, weights: &mut Vec<f32>, until: usize, epochs: usize) -> Vec<Vec<f32>> {
        let workers = Workers::serial();
        let gradient = |i: usize, _: &Vec<f32>, (): &mut ()| {
            Some(Gradient { loss: 1.0 + i as f64, entries: vec![(i as u32, -1.0)] })
        };
        let mut seen = Vec::new();
        while course.done < until {
            let loss = course.epoch(weights, 3, &descent(epochs), Stream::new(1), &workers, || (), gradient);
            assert_eq!(loss, 6.0);
            seen.push(weights.clone());
        }
        seen
    }

    #[test]
    fn the_mean_is_that_of_the_second_half_of_the_epochs() {
        for epochs in 1..=6 {
            let (mut course, mut weights) = (Course::new(4, &descent(epochs)), vec![0.0; 4]);
            let seen = walk(&mut course, &mut weights, epochs, epochs);
            let counted = &seen[epochs / 2..];
            course.average(&mut weights);
            for (at, mean) in weights.iter().enumerate() {
                let expected = counted.iter().map(|values| values[at]).sum::<f32>() / counted.len() as f32;
                assert!((mean - expected).abs() < 1e-6, "{epochs} epochs: {mean} {expected}");
            }
        }
    }

    #[test]
    fn every_epoch_has_an_order_of_its_own() {
        let orders = std::sync::Mutex::new(Vec::new());
        let (mut course, mut weights) = (Course::new(32, &descent(2)), vec![0.0; 32]);
        let gradient = |i: usize, _: &Vec<f32>, (): &mut ()| {
            orders.lock().unwrap().push(i);
            None
        };
        for _ in 0..2 {
            course.epoch(&mut weights, 20, &descent(2), Stream::new(1), &Workers::serial(), || (), gradient);
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
        let (mut straight, mut expected) = (Course::new(4, &descent(5)), vec![0.0; 4]);
        walk(&mut straight, &mut expected, 5, 5);
        straight.average(&mut expected);
        for done in 0..5 {
            let (mut course, mut weights) = (Course::new(4, &descent(5)), vec![0.0; 4]);
            walk(&mut course, &mut weights, done, 5);
            let saved = course.save();
            assert!(Course::resume(&saved, 8, &descent(5)).is_none());
            let mut course = Course::resume(&saved, 4, &descent(5)).unwrap();
            walk(&mut course, &mut weights, 5, 5);
            course.average(&mut weights);
            assert_eq!(weights, expected, "after {done}");
        }
    }
}
