//! What factors there are.

use crate::graph::Scores;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Factor {
    pub(crate) kind: Kind,
    pub(crate) scores: Scores,
    /// Its edges are `first..end`.
    pub(crate) first: u32,
    pub(crate) end: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
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

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Unary => "scores",
            Kind::Nand => "soft NAND",
            Kind::Implies => "soft IMPLIES",
            Kind::ExactlyOne => "EXACTLY1",
            Kind::AtMostOne => "ATMOST1",
            Kind::IsAtMostOne => "ISATMOST1",
            Kind::Table => "table",
            Kind::Gated => "gated table",
            Kind::Structured(_) => "structure",
        }
    }
}
