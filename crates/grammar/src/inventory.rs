//! All rules of a grammar in one numbering: unary, binary, lexical.

use serde::{Deserialize, Serialize};

use crate::rules::{Category, Rules};
use crate::tensors::{Sizes, Tensors};

/// The rules between categories, the lexical rules after them, and which of them expand what.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inventory {
    rules: Rules,
    /// The tag of each lexical rule.
    lexical: Vec<Category>,
    by_head: Vec<Vec<u32>>,
}

impl Inventory {
    /// Puts lexical rules, given by their tags, after the others.
    pub fn new(rules: Rules, lexical: Vec<Category>) -> Inventory {
        let mut by_head = vec![Vec::new(); rules.n_categories()];
        for rule in 0..rules.n_rules() as u32 {
            by_head[rules.parts(rule).0.index()].push(rule);
        }
        for (rule, tag) in (rules.n_rules() as u32..).zip(&lexical) {
            by_head[tag.index()].push(rule);
        }
        Inventory { rules, lexical, by_head }
    }

    /// The rules between categories.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// How many rules there are, lexical ones included.
    pub fn len(&self) -> usize {
        self.rules.n_rules() + self.lexical.len()
    }

    /// Whether there is no rule at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of the first lexical rule.
    pub fn first_lexical(&self) -> u32 {
        self.rules.n_rules() as u32
    }

    /// Whether a rule emits a word.
    #[inline]
    pub fn is_lexical(&self, rule: u32) -> bool {
        rule >= self.first_lexical()
    }

    /// What a rule expands.
    #[inline]
    pub fn head(&self, rule: u32) -> Category {
        match rule.checked_sub(self.first_lexical()) {
            Some(lexical) => self.lexical[lexical as usize],
            None => self.rules.parts(rule).0,
        }
    }

    /// The rules of a head by number.
    pub fn rules_of(&self, head: Category) -> &[u32] {
        &self.by_head[head.index()]
    }

    /// All categories.
    pub fn heads(&self) -> impl Iterator<Item = Category> + use<> {
        (0..self.by_head.len() as u32).map(Category)
    }

    /// The annotations of the two parts of a rule; 1 where there is no part.
    #[inline]
    pub fn widths(&self, sizes: &Sizes, rule: u32) -> (usize, usize) {
        if self.is_lexical(rule) {
            return (1, 1);
        }
        let (_, left, right) = self.rules.parts(rule);
        (sizes.of(left), right.map_or(1, |right| sizes.of(right)))
    }

    /// A zero for every annotated rule.
    pub fn zero(&self, sizes: &Sizes) -> Tensors {
        let shape = (0..self.len() as u32).map(|rule| {
            let (left, right) = self.widths(sizes, rule);
            (sizes.of(self.head(rule)), left * right)
        });
        Tensors::zero(shape)
    }
}
