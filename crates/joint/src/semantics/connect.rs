//! Ties between a task and syntax: a soft NAND over what the task says and the pieces of syntax that would carry it.

use bp::Literal;

use super::census::{Holds, Keep};
use super::laying::Laying;
use super::syntax::Gate;

/// A structure variable and whether it is known to be there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tied {
    pub(super) literal: Literal,
    pub(super) known: Option<bool>,
}

/// Adds a score that counts if the task's variable holds and all gates are open. Where syntax is known for good, what is left
/// of it is a score of the task alone.
pub(super) fn connect(laying: &mut Laying<'_>, tied: Tied, gates: &[(Gate, Option<bool>)], keys: &[u64]) {
    let mut literals = vec![tied.literal];
    let mut known = tied.known;
    for &(gate, is_there) in gates {
        match gate {
            Gate::Never => return,
            Gate::Always => {}
            Gate::If(variable) => {
                literals.push(variable.is(1));
                known = both(known, is_there);
            }
        }
    }
    let scores = laying.graph.nand(&literals, 0.0);
    laying.score(scores, &[keys], Holds::from(known), Keep::Frequent);
}

/// Whether both hold, as far as it is known.
fn both(one: Option<bool>, other: Option<bool>) -> Option<bool> {
    match (one, other) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}
