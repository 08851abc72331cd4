//! Single derivations out of a forest: drawn, best, or the k best.

mod best;
mod draw;
mod kbest;
mod sample;

pub use best::best;
pub use draw::draw;
pub use kbest::{KBest, k_best};
pub use sample::sample;

use crate::{Edge, Item};

/// One derivation: its steps in preorder, left before right.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Derivation {
    /// The goal's step first.
    pub steps: Vec<Step>,
}

/// How one item is derived.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Step {
    /// The item.
    pub item: Item,
    /// The rule of the bundle.
    pub rule: u32,
    /// Which edge of the bundle.
    pub split: u32,
    /// The items below, whose steps follow.
    pub edge: Edge,
}

impl Derivation {
    /// Builds a derivation from the goal down by asking for the step of each item; `None` if one has none.
    pub fn unfold(goal: Item, mut choose: impl FnMut(Item) -> Option<Step>) -> Option<Derivation> {
        let mut steps = Vec::new();
        let mut open = vec![goal];
        while let Some(item) = open.pop() {
            let step = choose(item)?;
            match step.edge {
                Edge::Leaf => {}
                Edge::One(tail) => open.push(tail),
                Edge::Two(left, right) => open.extend([right, left]),
            }
            steps.push(step);
        }
        Some(Derivation { steps })
    }
}
