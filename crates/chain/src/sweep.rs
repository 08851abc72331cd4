//! What a kernel gets to work with during one sweep: its address and the workers.

use crate::workers::Workers;
use num::streams::{Rng, Stream};

/// One sweep of one chain. Randomness and threads reach a kernel through here only.
#[derive(Clone, Copy, Debug)]
pub struct Sweep<'a> {
    chain: u32,
    number: u64,
    stream: Stream,
    workers: &'a Workers,
}

impl<'a> Sweep<'a> {
    /// The sweep with this address; number 0 is the one that draws the starting state.
    pub fn new(seed: u64, chain: u32, number: u64, workers: &'a Workers) -> Sweep<'a> {
        Sweep { chain, number, stream: Stream::new(seed).chain(chain).sweep(number), workers }
    }

    /// The chain this sweep belongs to, from 0.
    pub fn chain(&self) -> u32 {
        self.chain
    }

    /// The number of this sweep, from 1; 0 while the starting state is drawn.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The threads, for work that draws no random numbers.
    pub fn workers(&self) -> &'a Workers {
        self.workers
    }

    /// The stream of this sweep, to be narrowed by item, purpose or tag.
    pub fn stream(&self) -> Stream {
        self.stream
    }

    /// The generator of one item.
    pub fn rng(&self, item: usize) -> Rng {
        self.stream.item(item).rng()
    }

    /// The generator of a step that belongs to no item, such as drawing `"theta"`.
    pub fn rng_for(&self, purpose: &str) -> Rng {
        self.stream.purpose(purpose).rng()
    }

    /// Applies `f` to every item with the item's own generator, in parallel, and keeps the order.
    pub fn map<T: Sync, R: Send>(&self, items: &[T], f: impl Fn(usize, &T, &mut Rng) -> R + Sync) -> Vec<R> {
        self.workers.map(items, |i, item| f(i, item, &mut self.rng(i)))
    }

    /// Like [`Sweep::map`], with memory that is reused between items; see [`Workers::map_with`].
    pub fn map_with<T: Sync, C, R: Send>(
        &self,
        items: &[T],
        scratch: impl Fn() -> C + Sync,
        f: impl Fn(&mut C, usize, &T, &mut Rng) -> R + Sync,
    ) -> Vec<R> {
        self.workers.map_with(items, scratch, |scratch, i, item| f(scratch, i, item, &mut self.rng(i)))
    }

    /// Like [`Sweep::map`], for items that change in place.
    pub fn map_mut<T: Send, R: Send>(
        &self,
        items: &mut [T],
        f: impl Fn(usize, &mut T, &mut Rng) -> R + Sync,
    ) -> Vec<R> {
        self.workers.map_mut(items, |i, item| f(i, item, &mut self.rng(i)))
    }

    /// Like [`Sweep::map_mut`], with memory that is reused between items; see [`Workers::map_with`].
    pub fn map_mut_with<T: Send, C, R: Send>(
        &self,
        items: &mut [T],
        scratch: impl Fn() -> C + Sync,
        f: impl Fn(&mut C, usize, &mut T, &mut Rng) -> R + Sync,
    ) -> Vec<R> {
        self.workers.map_mut_with(items, scratch, |scratch, i, item| f(scratch, i, item, &mut self.rng(i)))
    }

    /// Like [`Sweep::map`]; of several failures the one of the first item is returned.
    pub fn try_map<T: Sync, R: Send, E: Send>(
        &self,
        items: &[T],
        f: impl Fn(usize, &T, &mut Rng) -> Result<R, E> + Sync,
    ) -> Result<Vec<R>, E> {
        self.workers.try_map(items, |i, item| f(i, item, &mut self.rng(i)))
    }

    /// Adds up items in fixed blocks, each with its own generator; see [`Workers::fold`].
    pub fn fold<A: Send>(
        &self,
        n_items: usize,
        block: usize,
        empty: impl Fn() -> A + Sync,
        add: impl Fn(&mut A, usize, &mut Rng) + Sync,
        merge: impl FnMut(&mut A, A),
    ) -> A {
        self.workers.fold(n_items, block, empty, |sum, i| add(sum, i, &mut self.rng(i)), merge)
    }
}
