//! What is known of variables.

use crate::graph::{Graph, Literal, Variable};

/// Known values of some variables: a mask beside the graph.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Evidence {
    /// The value of each variable, [`FREE`] if it is not known.
    values: Vec<u32>,
}

const FREE: u32 = u32::MAX;

impl Evidence {
    /// Nothing is known.
    pub fn none(graph: &Graph) -> Evidence {
        Evidence { values: vec![FREE; graph.n_variables()] }
    }

    /// A variable has a value; a variable that is not in the graph is left alone.
    pub fn set(&mut self, literal: Literal) {
        if let Some(value) = self.values.get_mut(literal.variable.index()) {
            *value = literal.value;
        }
    }

    /// The value of a variable is not known.
    pub fn release(&mut self, variable: Variable) {
        if let Some(value) = self.values.get_mut(variable.index()) {
            *value = FREE;
        }
    }

    /// The value of a variable, if it is known.
    pub fn value(&self, variable: Variable) -> Option<usize> {
        self.at(variable.index()).map(|value| value as usize)
    }

    pub(crate) fn at(&self, variable: usize) -> Option<u32> {
        self.values.get(variable).copied().filter(|&value| value != FREE)
    }

    /// How many variables are known.
    pub fn n_known(&self) -> usize {
        self.values.iter().filter(|&&value| value != FREE).count()
    }
}
