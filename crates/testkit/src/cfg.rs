//! A context-free grammar over one sentence, and all of its trees, listed one by one.
//!
//! A grammar whose symbols have latent annotations becomes one of these when every annotated symbol is a
//! symbol of its own: its flat twin.

use std::collections::HashMap;
use std::rc::Rc;

/// Weighted rules over numbered symbols. Unary rules must not run in circles.
#[derive(Debug, Clone, Default)]
pub struct Cfg {
    /// The symbol of the whole sentence.
    pub start: usize,
    /// Rule, head, tail, weight.
    pub unary: Vec<(u32, usize, usize, f64)>,
    /// Rule, head, parts, weight.
    pub binary: Vec<(u32, usize, [usize; 2], f64)>,
    /// For each word of the sentence: rule, symbol, weight.
    pub leaves: Vec<Vec<(u32, usize, f64)>>,
}

/// A rule at its place in a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Used {
    /// The rule.
    pub rule: u32,
    /// What it expands.
    pub symbol: usize,
    /// The first word below it.
    pub start: u32,
    /// Where the right part of a binary rule begins; the end for other rules.
    pub split: u32,
    /// The word after the last.
    pub end: u32,
}

/// A tree with its weight, the product of its rules' weights.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    /// The product.
    pub weight: f64,
    /// The rules in preorder.
    pub steps: Vec<Used>,
}

type Memory<T> = HashMap<(usize, u32, u32), T>;

impl Cfg {
    /// How many trees there are, to be asked before they are listed.
    pub fn n_trees(&self) -> f64 {
        self.n_trees_of(self.start, 0, self.leaves.len() as u32, &mut Memory::new())
    }

    /// Every tree whose weight is not zero.
    pub fn trees(&self) -> Vec<Listed> {
        let all = self.trees_of(self.start, 0, self.leaves.len() as u32, &mut Memory::new());
        all.to_vec()
    }

    fn n_trees_of(&self, symbol: usize, start: u32, end: u32, memory: &mut Memory<f64>) -> f64 {
        if let Some(&known) = memory.get(&(symbol, start, end)) {
            return known;
        }
        let mut n = 0.0;
        for &(_, head, tail, weight) in &self.unary {
            if head == symbol && weight > 0.0 {
                n += self.n_trees_of(tail, start, end, memory);
            }
        }
        for &(_, head, [left, right], weight) in &self.binary {
            for split in (start + 1..end).filter(|_| head == symbol && weight > 0.0) {
                let n_left = self.n_trees_of(left, start, split, memory);
                if n_left > 0.0 {
                    n += n_left * self.n_trees_of(right, split, end, memory);
                }
            }
        }
        n += self.leaves_of(symbol, start, end).count() as f64;
        memory.insert((symbol, start, end), n);
        n
    }

    fn trees_of(
        &self,
        symbol: usize,
        start: u32,
        end: u32,
        memory: &mut Memory<Rc<Vec<Listed>>>,
    ) -> Rc<Vec<Listed>> {
        if let Some(known) = memory.get(&(symbol, start, end)) {
            return Rc::clone(known);
        }
        let mut all = Vec::new();
        for &(rule, head, tail, weight) in &self.unary {
            if head == symbol && weight > 0.0 {
                let top = Used { rule, symbol, start, split: end, end };
                let below = self.trees_of(tail, start, end, memory);
                all.extend(below.iter().map(|below| Listed::over(top, weight, &[below])));
            }
        }
        for &(rule, head, [left, right], weight) in &self.binary {
            for split in (start + 1..end).filter(|_| head == symbol && weight > 0.0) {
                let top = Used { rule, symbol, start, split, end };
                let lefts = self.trees_of(left, start, split, memory);
                if lefts.is_empty() {
                    continue;
                }
                let rights = self.trees_of(right, split, end, memory);
                for left in lefts.iter() {
                    all.extend(rights.iter().map(|right| Listed::over(top, weight, &[left, right])));
                }
            }
        }
        for &(rule, _, weight) in self.leaves_of(symbol, start, end) {
            all.push(Listed { weight, steps: vec![Used { rule, symbol, start, split: end, end }] });
        }
        let all = Rc::new(all);
        memory.insert((symbol, start, end), Rc::clone(&all));
        all
    }

    fn leaves_of(&self, symbol: usize, start: u32, end: u32) -> impl Iterator<Item = &(u32, usize, f64)> {
        let leaves = self.leaves.get(start as usize).filter(|_| end == start + 1);
        leaves.into_iter().flatten().filter(move |leaf| leaf.1 == symbol && leaf.2 > 0.0)
    }
}

impl Listed {
    fn over(top: Used, weight: f64, below: &[&Listed]) -> Listed {
        let mut listed = Listed { weight, steps: vec![top] };
        for part in below {
            listed.weight *= part.weight;
            listed.steps.extend_from_slice(&part.steps);
        }
        listed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ambiguous_grammar_has_as_many_trees_as_catalan_says() {
        let word = vec![(1, 0, 0.5)];
        let cfg =
            Cfg { start: 0, unary: Vec::new(), binary: vec![(0, 0, [0, 0], 2.0)], leaves: vec![word; 5] };
        let trees = cfg.trees();
        assert_eq!((trees.len(), cfg.n_trees()), (14, 14.0));
        assert!(trees.iter().all(|tree| tree.weight == 0.5 && tree.steps.len() == 9));
    }
}
