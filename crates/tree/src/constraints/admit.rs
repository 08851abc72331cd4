//! Whether a whole tree satisfies claims.

use super::claims::{Bracket, Claim, Claims, End};
use crate::Heads;

/// Whether `heads`, a tree over as many words, satisfies every claim about arcs and brackets.
pub(super) fn satisfies(heads: &Heads, claims: &Claims) -> bool {
    let Some(tops) = tops_in(claims, heads) else { return false };
    let is_arc = |claim: &Claim| heads.head(word(&tops, claim.dependent)) == word(&tops, claim.head);
    let mut brackets = claims.brackets.iter().zip(&tops);
    claims.arcs.iter().all(is_arc)
        && !claims.forbidden.iter().any(is_arc)
        && brackets.all(|(bracket, &top)| !bracket.closed || is_closed(bracket, top, heads, claims, &tops))
}

/// The word that `end` stands for in a tree in which brackets have these heads.
fn word(tops: &[usize], end: End) -> usize {
    match end {
        End::Word(word) => word,
        End::Bracket(index) => tops[index],
    }
}

/// The head of each bracket in a tree; `None` if some bracket is not connected or has another head.
fn tops_in(claims: &Claims, heads: &Heads) -> Option<Vec<usize>> {
    let mut tops: Vec<usize> = Vec::with_capacity(claims.brackets.len());
    for bracket in &claims.brackets {
        let mut members: Vec<usize> = bracket.members.iter().map(|&member| word(&tops, member)).collect();
        members.sort_unstable();
        members.dedup();
        let mut leaving =
            members.iter().filter(|&&member| members.binary_search(&heads.head(member)).is_err());
        let &top = leaving.next()?;
        if leaving.next().is_some() || bracket.head.is_some_and(|head| word(&tops, head) != top) {
            return None;
        }
        tops.push(top);
    }
    Some(tops)
}

/// Whether words outside depend on nothing inside but the head, and that only where it was said.
fn is_closed(bracket: &Bracket, top: usize, heads: &Heads, claims: &Claims, tops: &[usize]) -> bool {
    let is_said = |dependent: usize| {
        let is_arc =
            |claim: &Claim| word(tops, claim.dependent) == dependent && word(tops, claim.head) == top;
        claims.arcs.iter().any(|claim| claim.source == bracket.source && is_arc(claim))
    };
    let outside = (1..=heads.len()).filter(|&word| bracket.is_outside(word) && !claims.is_left_out(word));
    let mut into = outside.filter(|&word| bracket.holds(heads.head(word)));
    into.all(|dependent| heads.head(dependent) == top && is_said(dependent))
}
