//! Substates on a tree that is given: the inner step of training.
//!
//! Inside runs once over the nodes, then the substates are drawn from the top down. Algorithm 3 of Sun
//! (2016), except that the root's substate is drawn from `π[x]` · `inside[x]`: `π[x]` alone is not its
//! conditional distribution.

use super::chart::Sum;
use super::choose::draw;
use super::kernel::{contract_with, dot, only_outer};
use super::lanes::{Lanes, Machine, Portable, Task};
use crate::scale::normaliser;
use crate::semiring::{Mass, Wide};

/// A node of a given tree. The arena is in preorder: children come after their parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node {
    /// The rule that expands the node; its tensor is laid out as in [`super::Refined`].
    pub rule: u32,
    /// What stands below, by place in the arena.
    pub below: Below,
}

/// The children of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Below {
    /// None: the rule's tensor is the lexical vector.
    Leaf,
    /// One child.
    One(u32),
    /// Two children.
    Two(u32, u32),
}

/// The weights of rules, which change from sweep to sweep while the trees stay.
pub trait Tensors {
    /// The tensor of a rule.
    fn tensor(&self, rule: u32) -> &[f64];
}

impl Tensors for Vec<Vec<f64>> {
    fn tensor(&self, rule: u32) -> &[f64] {
        self.get(rule as usize).map_or(&[], Vec::as_slice)
    }
}

/// The inside vectors of one tree, in memory that serves tree after tree.
#[derive(Debug, Clone, Default)]
pub struct TreeChart {
    /// Where each node's vector begins and how long it is.
    places: Vec<(u32, u32)>,
    values: Vec<f64>,
    products: Vec<f64>,
    exponent: i64,
    machine: Machine,
}

impl TreeChart {
    /// A chart with nothing in it.
    pub fn new() -> TreeChart {
        TreeChart::default()
    }

    /// One that uses no instructions but those the program is compiled for; the same numbers, more slowly.
    pub fn portable() -> TreeChart {
        TreeChart { machine: Machine::Portable, ..TreeChart::default() }
    }

    /// Works out `inside(node)[x]` = Σ_yz `β[x][y][z]` · `inside(left)[y]` · `inside(right)[z]` for all nodes.
    ///
    /// A tensor whose size is no multiple of what its children need makes the tree impossible.
    pub fn fill(&mut self, tree: &[Node], tensors: &impl Tensors) {
        self.places.clear();
        self.places.resize(tree.len(), (0, 0));
        self.values.clear();
        self.exponent = 0;
        self.machine.run(Fill { chart: self, tree, tensors });
    }

    /// The logarithm of Σ_x `π[x]` · `inside(root)[x]`, the weight of the tree summed over substates.
    pub fn ln_total(&self, root: &[f64]) -> f64 {
        Wide::new(dot::<Sum, _>(Portable, self.vector(0), root), self.exponent).ln()
    }

    /// The inside vector of a node, up to a factor.
    pub fn vector(&self, node: u32) -> &[f64] {
        let (start, len) = self.places.get(node as usize).copied().unwrap_or((0, 0));
        &self.values[start as usize..start as usize + len as usize]
    }

    /// Draws a substate for every node, given the tree, into `substates`; false if the tree has weight 0.
    ///
    /// `uniform` gives numbers in [0, 1) and is asked once for each node that is reached.
    pub fn sample(
        &self,
        tree: &[Node],
        tensors: &impl Tensors,
        root: &[f64],
        mut uniform: impl FnMut() -> f64,
        substates: &mut Vec<u32>,
    ) -> bool {
        substates.clear();
        substates.resize(tree.len(), 0);
        let mut dice = Dice { uniform: &mut uniform, shares: Vec::new() };
        let shares = self.vector(0).iter().zip(root).map(|(inside, prior)| inside * prior);
        let Some(top) = dice.draw(shares) else { return false };
        substates[0] = top;
        tree.iter().enumerate().all(|(at, node)| {
            let head = substates[at];
            self.sample_below(node, head, tensors.tensor(node.rule), &mut dice, substates)
        })
    }

    /// Draws (y, z) from `β[x][y][z]` · `inside(left)[y]` · `inside(right)[z]`.
    fn sample_below(
        &self,
        node: &Node,
        head: u32,
        tensor: &[f64],
        dice: &mut Dice<'_, impl FnMut() -> f64>,
        substates: &mut [u32],
    ) -> bool {
        let (left, right) = match node.below {
            Below::Leaf => return true,
            Below::One(child) => (child, None),
            Below::Two(left, right) => (left, Some(right)),
        };
        let y_values = self.vector(left);
        let z_values = right.map_or(&[1.0][..], |right| self.vector(right));
        let size = y_values.len() * z_values.len();
        let Some(row) = tensor.get(head as usize * size..(head as usize + 1) * size) else { return false };
        if size == 0 {
            return false;
        }
        let rows = row.chunks_exact(z_values.len()).zip(y_values);
        // The mass of each y first: K numbers to scan instead of K².
        let y_shares = rows.map(|(row, inside)| dot::<Sum, _>(Portable, row, z_values) * inside);
        let Some(y) = dice.draw(y_shares) else { return false };
        substates[left as usize] = y;
        let Some(right) = right else { return true };
        let row = &row[y as usize * z_values.len()..][..z_values.len()];
        let z_shares = row.iter().zip(z_values).map(|(weight, inside)| weight * inside);
        let Some(z) = dice.draw(z_shares) else { return false };
        substates[right as usize] = z;
        true
    }
}

/// A tree whose chart is to be filled.
struct Fill<'a, T> {
    chart: &'a mut TreeChart,
    tree: &'a [Node],
    tensors: &'a T,
}

impl<T: Tensors> Task for Fill<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let TreeChart { places, values, products, exponent, .. } = self.chart;
        for (at, node) in self.tree.iter().enumerate().rev() {
            let tensor = self.tensors.tensor(node.rule);
            join(lanes, node.below, places, values, products);
            let n = n_rows(tensor.len(), products.len());
            let start = values.len();
            values.resize(start + n, 0.0);
            contract_with::<Sum, L>(lanes, &mut values[start..], tensor, products);
            places[at] = (start as u32, n as u32);
            *exponent += i64::from(normalise(&mut values[start..]));
        }
    }
}

/// How many rows a tensor has; 0 if it has not the right size.
#[inline(always)]
fn n_rows(size: usize, width: usize) -> usize {
    if width == 0 || !size.is_multiple_of(width) { 0 } else { size / width }
}

/// Leaves the outer product of the children's vectors in `products`.
#[inline(always)]
fn join<L: Lanes>(lanes: L, below: Below, places: &[(u32, u32)], values: &[f64], products: &mut Vec<f64>) {
    let vector = |child: u32| {
        let (start, len) = places.get(child as usize).copied().unwrap_or((0, 0));
        &values[start as usize..start as usize + len as usize]
    };
    match below {
        Below::Leaf => {
            products.clear();
            products.push(1.0);
        }
        Below::One(child) => {
            products.clear();
            products.extend_from_slice(vector(child));
        }
        Below::Two(left, right) => {
            let (left, right) = (vector(left), vector(right));
            products.resize(left.len() * right.len(), 0.0);
            only_outer(lanes, products, left, right);
        }
    }
}

/// Brings the greatest entry into [1, 2) and returns the exponent taken out.
#[inline(always)]
fn normalise(vector: &mut [f64]) -> i32 {
    let greatest = vector.iter().fold(0.0, |greatest: f64, &value| greatest.max(value));
    if greatest == 0.0 {
        return 0;
    }
    let (factor, shift) = normaliser(greatest);
    vector.iter_mut().for_each(|value| *value *= factor);
    shift
}

/// A source of numbers, with room for the shares of one draw.
struct Dice<'u, U> {
    uniform: &'u mut U,
    shares: Vec<f64>,
}

impl<U: FnMut() -> f64> Dice<'_, U> {
    /// Draws an index in proportion to its share; `None` if all are zero.
    fn draw(&mut self, shares: impl Iterator<Item = f64>) -> Option<u32> {
        self.shares.clear();
        self.shares.extend(shares);
        let total: f64 = self.shares.iter().sum();
        draw(self.shares.iter().copied(), (self.uniform)() * total).map(|(at, _)| at)
    }
}
