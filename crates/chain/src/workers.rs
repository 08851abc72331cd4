//! The threads of a run, and the only two ways through them: an ordered map and an ordered fold.
//!
//! Both give the same bits at any number of threads. `map` keeps the order of its items; `fold` cuts them
//! into blocks whose size does not depend on the threads, adds up within each block from left to right,
//! and merges the blocks from left to right. Floating-point sums must go this way and no other.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::ThreadPool;
use rayon::prelude::*;

use crate::error::Error;

/// How many threads to use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Threads {
    /// As many as the machine has cores.
    #[default]
    All,
    /// This many.
    Exactly(NonZeroUsize),
}

impl Threads {
    /// Reads a number as command lines spell it: 0 means all cores.
    pub fn from_count(n: usize) -> Threads {
        NonZeroUsize::new(n).map_or(Threads::All, Threads::Exactly)
    }
}

/// A pool of threads. Edges create one and pass it in; libraries never start threads of their own.
///
/// ```
/// use chain::{Threads, Workers};
///
/// let words = ["a", "tree", "let"];
/// let lengths = |workers: &Workers| workers.map(&words, |_, word| word.len());
/// assert_eq!(lengths(&Workers::new(Threads::from_count(2))?), [1, 4, 3]);
/// assert_eq!(lengths(&Workers::serial()), [1, 4, 3]);
/// # Ok::<(), chain::Error>(())
/// ```
#[derive(Debug)]
pub struct Workers {
    pool: Option<ThreadPool>,
}

impl Workers {
    /// Starts the threads; they end when the value is dropped.
    pub fn new(threads: Threads) -> Result<Workers, Error> {
        let n_threads = match threads {
            Threads::All => 0,
            Threads::Exactly(n) => n.get(),
        };
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(n_threads)
            .thread_name(|i| format!("chain-{i}"))
            .build()
            .map_err(|e| Error::Threads { wanted: n_threads, reason: e.to_string() })?;
        Ok(Workers { pool: Some(pool) })
    }

    /// No threads at all: everything runs where it is called.
    pub fn serial() -> Workers {
        Workers { pool: None }
    }

    /// How many items are worked on at a time.
    pub fn n_threads(&self) -> usize {
        self.pool.as_ref().map_or(1, |pool| pool.current_num_threads())
    }

    /// Applies `f` to every item; the results stand in the order of the items.
    pub fn map<T: Sync, R: Send>(&self, items: &[T], f: impl Fn(usize, &T) -> R + Sync) -> Vec<R> {
        self.map_with(items, || (), |(), i, item| f(i, item))
    }

    /// Like [`Workers::map`], with a scratch value that is reused for several items of one thread.
    ///
    /// How many scratch values are made depends on the threads, so a result must not depend on what an
    /// earlier item left in it: use it for memory, never for information.
    pub fn map_with<T: Sync, C, R: Send>(
        &self,
        items: &[T],
        scratch: impl Fn() -> C + Sync,
        f: impl Fn(&mut C, usize, &T) -> R + Sync,
    ) -> Vec<R> {
        let longest = self.longest_run(items.len());
        let runs: Vec<&[T]> = items.chunks(longest).collect();
        let done: Vec<Mutex<Vec<R>>> = runs.iter().map(|_| Mutex::default()).collect();
        self.each(runs.len(), &|run| {
            let (mut scratch, first) = (scratch(), run * longest);
            let results = (first..).zip(runs[run]).map(|(i, item)| f(&mut scratch, i, item)).collect();
            *locked(&done[run]) = results;
        });
        in_order(done)
    }

    /// Like [`Workers::map`], for items that change in place.
    pub fn map_mut<T: Send, R: Send>(
        &self,
        items: &mut [T],
        f: impl Fn(usize, &mut T) -> R + Sync,
    ) -> Vec<R> {
        self.map_mut_with(items, || (), |(), i, item| f(i, item))
    }

    /// Like [`Workers::map_mut`], with a scratch value as in [`Workers::map_with`].
    pub fn map_mut_with<T: Send, C, R: Send>(
        &self,
        items: &mut [T],
        scratch: impl Fn() -> C + Sync,
        f: impl Fn(&mut C, usize, &mut T) -> R + Sync,
    ) -> Vec<R> {
        let longest = self.longest_run(items.len());
        let runs: Vec<Mutex<&mut [T]>> = items.chunks_mut(longest).map(Mutex::new).collect();
        let done: Vec<Mutex<Vec<R>>> = runs.iter().map(|_| Mutex::default()).collect();
        self.each(runs.len(), &|run| {
            let (mut scratch, first) = (scratch(), run * longest);
            let mut items = locked(&runs[run]);
            let results = (first..).zip(items.iter_mut()).map(|(i, item)| f(&mut scratch, i, item)).collect();
            *locked(&done[run]) = results;
        });
        in_order(done)
    }

    /// Like [`Workers::map`]; of several failures the one of the first item is returned.
    pub fn try_map<T: Sync, R: Send, E: Send>(
        &self,
        items: &[T],
        f: impl Fn(usize, &T) -> Result<R, E> + Sync,
    ) -> Result<Vec<R>, E> {
        self.map(items, f).into_iter().collect()
    }

    /// Adds up `0..n_items` in blocks of `block`: `add` within a block, `merge` from left to right.
    ///
    /// The block size is part of the result's definition for floating-point sums: keep it fixed. Blocks are
    /// worked on a few per thread at a time, so memory holds that many accumulators and not one per block.
    pub fn fold<A: Send>(
        &self,
        n_items: usize,
        block: usize,
        empty: impl Fn() -> A + Sync,
        add: impl Fn(&mut A, usize) + Sync,
        merge: impl FnMut(&mut A, A),
    ) -> A {
        let add = |sum: &mut A, i: usize| {
            add(sum, i);
            Ok::<(), std::convert::Infallible>(())
        };
        match self.try_fold(n_items, block, empty, add, merge) {
            Ok(sum) => sum,
            Err(never) => match never {},
        }
    }

    /// Like [`Workers::fold`]; of several failures the one of the first item is returned.
    pub fn try_fold<A: Send, E: Send>(
        &self,
        n_items: usize,
        block: usize,
        empty: impl Fn() -> A + Sync,
        add: impl Fn(&mut A, usize) -> Result<(), E> + Sync,
        merge: impl FnMut(&mut A, A),
    ) -> Result<A, E> {
        self.try_fold_with(n_items, block, || (), empty, |(), sum, i| add(sum, i), merge)
    }

    /// Like [`Workers::try_fold`], with a scratch value as in [`Workers::map_with`].
    pub fn try_fold_with<A: Send, C, E: Send>(
        &self,
        n_items: usize,
        block: usize,
        scratch: impl Fn() -> C + Sync,
        empty: impl Fn() -> A + Sync,
        add: impl Fn(&mut C, &mut A, usize) -> Result<(), E> + Sync,
        mut merge: impl FnMut(&mut A, A),
    ) -> Result<A, E> {
        let blocks = blocks(n_items, block);
        let mut total: Option<A> = None;
        for wave in blocks.chunks((BLOCKS_PER_THREAD * self.n_threads()).max(ITEMS_PER_WAVE / block.max(1))) {
            let sums = self.map_with(wave, &scratch, |scratch, _, items| {
                let mut sum = empty();
                items.clone().try_for_each(|i| add(scratch, &mut sum, i)).map(|()| sum)
            });
            for sum in sums {
                match &mut total {
                    Some(total) => merge(total, sum?),
                    None => total = Some(sum?),
                }
            }
        }
        Ok(total.unwrap_or_else(empty))
    }

    /// Short runs let a thread that is done early take over work; very short ones only cost. Without threads there is one run.
    fn longest_run(&self, n_items: usize) -> usize {
        let runs = self.pool.as_ref().map_or(1, |pool| 64 * pool.current_num_threads());
        (n_items / runs).max(1)
    }

    /// Calls `work` once with each number below `n`, on all threads.
    ///
    /// Not generic, so that the machinery of the pool is compiled once and not for every kind of work: that made up a tenth of
    /// the program. Without threads the same `work` is called, so that it is compiled once, too.
    fn each(&self, n: usize, work: &(dyn Fn(usize) + Sync)) {
        match &self.pool {
            Some(pool) => pool.install(|| (0..n).into_par_iter().with_max_len(1).for_each(work)),
            None => (0..n).for_each(work),
        }
    }
}

/// Accumulators held per thread during a fold; more even out uneven blocks, fewer save memory.
const BLOCKS_PER_THREAD: usize = 8;

/// Small blocks are worked on in waves of no fewer items, so that threads do not wait for one another all the time.
const ITEMS_PER_WAVE: usize = 64;

/// What a lock holds. Nobody else has it, and after a panic nobody looks at it.
fn locked<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The results of all runs, one after the other.
fn in_order<R>(done: Vec<Mutex<Vec<R>>>) -> Vec<R> {
    done.into_iter().flat_map(|run| run.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
}

fn blocks(n_items: usize, block: usize) -> Vec<Range<usize>> {
    let block = block.max(1);
    (0..n_items).step_by(block).map(|start| start..n_items.min(start.saturating_add(block))).collect()
}
