//! Latent annotations: a vector of substates per item instead of a number.
//!
//! In a PCFG-LA every symbol A is split into `A[1]` … `A[K]`, and a rule A → B C weighs `β[x][y][z]`. Written
//! as a flat grammar each split would cost K³. But β does not depend on the split, so the outer products
//! of the two sides are summed first and β is contracted with the sum:
//!
//! ```text
//! M[y][z]          = Σ_split inside(B, i, s)[y] · inside(C, s, j)[z]        K² per split
//! inside(A, i, j)[x] += Σ_yz β[x][y][z] · M[y][z]                           K³ per span
//! ```
//!
//! The same holds with a maximum for the sum. Every vector carries its own power of two, so length is no
//! limit, and items that come out as zero take no room and no further work. Symbols may differ in their
//! number of substates.

mod chart;
mod choose;
pub mod fixed;
mod kernel;
mod lanes;
mod outside;
mod share;

pub use chart::{Chart, Max, Sum};
pub use choose::{RefinedStep, best, sample};
pub use kernel::{Combine, contract};
pub use outside::{Buffers, Counts, Posteriors};

use crate::{Forest, Item};

/// A forest whose rule weights are tensors, laid out with the last index fastest.
///
/// With K the numbers of substates of head, left and right, a leaf has K(head) numbers, a unary bundle
/// K(head) × K(tail), a binary one K(head) × K(left) × K(right). A tensor of another size is skipped as if
/// it were zero, and caught by an assertion in debug builds.
pub trait Refined<'g>: Forest<Weight = &'g [f64]> {
    /// The number of substates of an item.
    fn n_substates(&self, item: Item) -> usize;

    /// The weight π of each substate of the goal.
    fn root(&self) -> &[f64];
}
