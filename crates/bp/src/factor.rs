//! What factors there are.

use crate::graph::Scores;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Factor {
    pub(crate) kind: FactorKind,
    pub(crate) scores: Scores,
    /// Its edges are `first..end`.
    pub(crate) first: u32,
    pub(crate) end: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FactorKind {
    Unary,
    Nand,
    Implies,
    ExactlyOne,
    AtMostOne,
    /// The first literal is the indicator.
    IsAtMostOne,
    Table,
    /// Two whole variables and a literal.
    Gated,
    /// The number among the structured factors of the graph.
    Structured(u32),
}

impl FactorKind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            FactorKind::Unary => "scores",
            FactorKind::Nand => "soft NAND",
            FactorKind::Implies => "soft IMPLIES",
            FactorKind::ExactlyOne => "EXACTLY1",
            FactorKind::AtMostOne => "ATMOST1",
            FactorKind::IsAtMostOne => "ISATMOST1",
            FactorKind::Table => "table",
            FactorKind::Gated => "gated table",
            FactorKind::Structured(_) => "structure",
        }
    }
}
