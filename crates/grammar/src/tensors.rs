//! A number for every annotated rule.

use serde::{Deserialize, Serialize};

use crate::rules::{Category, CategoryInfo, Level, Rules};

/// How many latent annotations each category has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sizes(Vec<u32>);

impl Sizes {
    /// One annotation each: the coarse grammar.
    pub fn coarse(rules: &Rules) -> Sizes {
        Sizes(vec![1; rules.n_categories()])
    }

    /// As many as `wanted` says for the label, at least one; the root has one.
    ///
    /// All categories of a label have the same number, because a node that stays what it is keeps its
    /// annotation.
    pub fn by_label(rules: &Rules, wanted: impl Fn(u32) -> u32) -> Sizes {
        let size =
            |info: &CategoryInfo| if info.level == Level::Root { 1 } else { wanted(info.label).max(1) };
        Sizes(rules.categories().iter().map(size).collect())
    }

    /// The number of annotations of a category.
    #[inline]
    pub fn of(&self, category: Category) -> usize {
        self.0[category.index()] as usize
    }

    /// The sizes in the order of categories.
    pub fn as_slice(&self) -> &[u32] {
        &self.0
    }

    /// The greatest of them.
    pub fn greatest(&self) -> u32 {
        self.0.iter().copied().max().unwrap_or(1)
    }
}

/// A matrix per rule in one piece of memory: a row for each annotation x of the head, and in it a number for
/// each pair (y, z) of annotations of the parts, z fastest.
#[derive(Debug, Clone, PartialEq)]
pub struct Tensors {
    offsets: Vec<usize>,
    widths: Vec<u32>,
    values: Vec<f64>,
}

impl Tensors {
    /// All zero; `shape` gives rows and columns of each rule.
    pub fn zero(shape: impl Iterator<Item = (usize, usize)>) -> Tensors {
        let mut tensors = Tensors { offsets: vec![0], widths: Vec::new(), values: Vec::new() };
        let mut end = 0;
        for (rows, width) in shape {
            end += rows * width;
            tensors.offsets.push(end);
            tensors.widths.push(width as u32);
        }
        tensors.values = vec![0.0; end];
        tensors
    }

    /// The numbers of a rule.
    #[inline]
    pub fn of(&self, rule: u32) -> &[f64] {
        &self.values[self.offsets[rule as usize]..self.offsets[rule as usize + 1]]
    }

    /// The numbers of a rule, to be changed.
    #[inline]
    pub fn of_mut(&mut self, rule: u32) -> &mut [f64] {
        &mut self.values[self.offsets[rule as usize]..self.offsets[rule as usize + 1]]
    }

    /// The numbers of a rule at annotation x of its head.
    #[inline]
    pub fn row(&self, rule: u32, x: usize) -> &[f64] {
        let width = self.widths[rule as usize] as usize;
        &self.of(rule)[x * width..(x + 1) * width]
    }

    /// The same, to be changed.
    #[inline]
    pub fn row_mut(&mut self, rule: u32, x: usize) -> &mut [f64] {
        let width = self.widths[rule as usize] as usize;
        &mut self.of_mut(rule)[x * width..(x + 1) * width]
    }

    /// All numbers.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// All numbers, to be changed.
    pub fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// How many rules there are.
    pub fn n_rules(&self) -> usize {
        self.widths.len()
    }
}

impl forest::substates::fixed::Tensors for Tensors {
    fn tensor(&self, rule: u32) -> &[f64] {
        self.of(rule)
    }
}
