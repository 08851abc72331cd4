//! Means over the samples.

use std::io;
use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use super::{Memory, Observer, Progress, Stop};

/// The mean of a vector, such as rule counts, over all kept sweeps of all chains.
///
/// Counts are whole numbers, so their sums are exact and the mean is rounded once.
#[derive(Debug)]
pub struct Tally<F> {
    name: String,
    read: F,
    sums: Vec<Sum>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Sum {
    n_samples: u64,
    values: Vec<f64>,
}

impl<F> Tally<F> {
    /// `read` appends the vector of a state to the empty `Vec` it is given.
    pub fn new<S>(name: &str, read: F) -> Tally<F>
    where
        F: FnMut(&S, &mut Vec<f64>),
    {
        Tally { name: name.to_owned(), read, sums: Vec::new() }
    }

    /// The mean over all chains; empty before the first sample.
    pub fn mean(&self) -> Vec<f64> {
        let mut all = Sum::default();
        for sum in &self.sums {
            all.n_samples += sum.n_samples;
            all.add(&sum.values);
        }
        all.mean()
    }

    /// The mean of each chain.
    pub fn chain_means(&self) -> Vec<Vec<f64>> {
        self.sums.iter().map(Sum::mean).collect()
    }

    /// How many samples were seen, over all chains.
    pub fn n_samples(&self) -> u64 {
        self.sums.iter().map(|sum| sum.n_samples).sum()
    }
}

impl Sum {
    /// A vector may be longer than those before it: what was missing counts as zero.
    fn add(&mut self, values: &[f64]) {
        if self.values.len() < values.len() {
            self.values.resize(values.len(), 0.0);
        }
        self.values.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
    }

    fn mean(&self) -> Vec<f64> {
        self.values.iter().map(|sum| sum / self.n_samples as f64).collect()
    }
}

impl<S, F: FnMut(&S, &mut Vec<f64>)> Observer<S> for Tally<F> {
    fn after_sweep(&mut self, at: &Progress, state: &S) -> io::Result<ControlFlow<Stop>> {
        if at.kept {
            self.sums.resize_with(at.chains as usize, Sum::default);
            let mut values = Vec::new();
            (self.read)(state, &mut values);
            let sum = &mut self.sums[at.chain as usize];
            sum.n_samples += 1;
            sum.add(&values);
        }
        Ok(ControlFlow::Continue(()))
    }

    fn remember(&self, memory: &mut Memory) -> io::Result<()> {
        memory.put(&self.name, &self.sums)
    }

    fn recall(&mut self, memory: &Memory) -> io::Result<()> {
        self.sums = memory.get(&self.name)?;
        Ok(())
    }
}
