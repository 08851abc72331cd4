//! Heads that the annotation allows each lexical node, seen locally: the graph of allowed arcs.

use super::graph::{Entity, Graph};
use std::collections::BTreeSet;
use tree::PutTogether;

/// For each lexical node the entities (root or lexical nodes) that may head it.
///
/// Computed as the original measures program does: each bracket hands its own candidates down to the
/// members that may be its top, and the others may be headed by their neighbours' tops. Spanning trees of
/// this graph include all trees of the annotation and, where a bracket is open, others too.
pub(crate) fn candidates(graph: &Graph) -> Vec<BTreeSet<Entity>> {
    let n_lexemes = graph.lexemes.len();
    let tops = tops(graph);
    let top_of = |entity: Entity| match entity {
        Entity::Bracket(index) => tops[index].clone(),
        firm => BTreeSet::from([firm]),
    };
    let firm: BTreeSet<Entity> = (0..n_lexemes).map(Entity::Lexeme).chain([Entity::Root]).into_set();
    let mut of_bracket: Vec<BTreeSet<Entity>> = vec![firm.clone(); graph.brackets.len()];
    let mut of_lexeme: Vec<BTreeSet<Entity>> = vec![firm; n_lexemes];
    for (index, found) in of_lexeme.iter_mut().enumerate() {
        found.remove(&Entity::Lexeme(index));
    }
    for &(head, dependent) in &graph.arcs {
        let heads = top_of(head);
        match dependent {
            Entity::Lexeme(index) => of_lexeme[index].retain(|candidate| heads.contains(candidate)),
            Entity::Bracket(index) => of_bracket[index].retain(|candidate| heads.contains(candidate)),
            Entity::Root => {}
        }
    }
    for &outer in graph.inner_first().iter().rev() {
        let members = &graph.brackets[outer].members;
        for &member in members {
            let own = top_of(member);
            let mut heads = BTreeSet::new();
            if !tops[outer].is_disjoint(&own) {
                heads.extend(&of_bracket[outer]);
            }
            if tops[outer] != own {
                let others = members.iter().filter(|&&other| other != member);
                heads.extend(others.flat_map(|&other| top_of(other)));
            }
            match member {
                Entity::Lexeme(index) => of_lexeme[index].retain(|candidate| heads.contains(candidate)),
                Entity::Bracket(index) => of_bracket[index].retain(|candidate| heads.contains(candidate)),
                Entity::Root => {}
            }
        }
    }
    of_lexeme
}

/// Lexical nodes that may head each bracket.
pub(crate) fn tops(graph: &Graph) -> Vec<BTreeSet<Entity>> {
    let mut tops: Vec<BTreeSet<Entity>> = vec![BTreeSet::new(); graph.brackets.len()];
    for index in graph.inner_first() {
        let bracket = &graph.brackets[index];
        let sources: Vec<Entity> =
            bracket.head.map_or_else(|| bracket.members.iter().copied().collect(), |head| vec![head]);
        let found = sources.iter().flat_map(|&source| match source {
            Entity::Bracket(inner) => tops[inner].clone(),
            firm => BTreeSet::from([firm]),
        });
        tops[index] = found.collect();
    }
    tops
}
