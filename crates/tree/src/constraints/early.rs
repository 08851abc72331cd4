//! Contradictions that can be seen by looking at two claims, so that both can be named.

use super::bits::{exceeds, meet};
use super::claims::{Bracket, Claim, Claims, End};
use super::conflict::Conflict;
use crate::Place;
use crate::heads::cycle;

/// The first contradiction between two claims, if there is one.
pub(super) fn check(claims: &Claims) -> Result<(), Conflict> {
    let known = known_heads(claims);
    let arcs: Vec<(usize, usize, Place)> =
        claims.arcs.iter().filter_map(|claim| plain(claim, &known)).collect();
    let said = said_heads(claims.n_words, &arcs)?;
    check_cycles(&said)?;
    check_left_out(claims)?;
    for bracket in &claims.brackets {
        check_bracket(bracket, &arcs, &said, &known)?;
    }
    let closed: Vec<&Bracket> = claims.brackets.iter().filter(|bracket| bracket.closed).collect();
    for (index, first) in closed.iter().enumerate() {
        if let Some(second) = closed[index + 1..].iter().find(|second| contradict(first, second, claims)) {
            return Err(Conflict::CrossingBrackets {
                first_words: first.words.clone(),
                first: first.place,
                second_words: second.words.clone(),
                second: second.place,
            });
        }
    }
    Ok(())
}

/// Head and place for each word (index 0 unused) of which one was said, word to word.
type Said = Vec<Option<(usize, Place)>>;

fn said_heads(n_words: usize, arcs: &[(usize, usize, Place)]) -> Result<Said, Conflict> {
    let mut said: Said = vec![None; n_words + 1];
    for &(head, word, place) in arcs {
        match said[word] {
            Some((first_head, first)) if first_head != head => {
                return Err(Conflict::TwoHeads { word, first_head, first, second_head: head, second: place });
            }
            Some(_) => {}
            None => said[word] = Some((head, place)),
        }
    }
    Ok(said)
}

/// The head word of each bracket of which it was said, perhaps by way of an inner bracket.
fn known_heads(claims: &Claims) -> Vec<Option<usize>> {
    let mut known = Vec::with_capacity(claims.brackets.len());
    for bracket in &claims.brackets {
        known.push(bracket.head.and_then(|head| known_word(head, &known)));
    }
    known
}

fn known_word(end: End, known: &[Option<usize>]) -> Option<usize> {
    match end {
        End::Word(word) => Some(word),
        End::Bracket(index) => known[index],
    }
}

/// Head, dependent and place if both ends are known words.
fn plain(claim: &Claim, known: &[Option<usize>]) -> Option<(usize, usize, Place)> {
    Some((known_word(claim.head, known)?, known_word(claim.dependent, known)?, claim.place))
}

fn check_cycles(said: &Said) -> Result<(), Conflict> {
    let head = |said: &Option<(usize, Place)>| said.map_or(0, |(head, _)| head);
    let heads: Vec<u32> = said[1..].iter().map(|said| u32::try_from(head(said)).unwrap_or(0)).collect();
    let Some(words) = cycle(&heads) else { return Ok(()) };
    let place =
        |word: Option<&usize>| word.and_then(|&word| said[word]).map(|(_, place)| place).unwrap_or_default();
    let (first, second) = (place(words.first()), place(words.last()));
    Err(Conflict::Cycle { words, first, second })
}

fn check_left_out(claims: &Claims) -> Result<(), Conflict> {
    let ends =
        claims.arcs.iter().flat_map(|claim| [(claim.head, claim.place), (claim.dependent, claim.place)]);
    let words = ends.filter_map(|(end, place)| match end {
        End::Word(word) => Some((word, place)),
        End::Bracket(_) => None,
    });
    let members =
        claims.brackets.iter().flat_map(|bracket| bracket.words.iter().map(|&word| (word, bracket.place)));
    match words.chain(members).find(|&(word, _)| claims.is_left_out(word)) {
        Some((word, place)) => Err(Conflict::LeftOut { word, place }),
        None => Ok(()),
    }
}

/// Arcs that cross the border of a bracket at a member that is not its head.
fn check_bracket(
    bracket: &Bracket,
    arcs: &[(usize, usize, Place)],
    said: &Said,
    known: &[Option<usize>],
) -> Result<(), Conflict> {
    let members = bracket.members.iter().filter_map(|&member| known_word(member, known));
    let leaving =
        members.filter_map(|word| Some((word, said[word].filter(|&(head, _)| !bracket.holds(head))?)));
    let mut leaving: Vec<_> = leaving.collect();
    leaving.sort_unstable();
    leaving.dedup();
    let Some(head) = bracket.head.and_then(|head| known_word(head, known)) else {
        return match leaving[..] {
            [(one, (_, first)), (other, (_, second)), ..] => {
                Err(Conflict::TwoWaysOut { words: (one, other), bracket: bracket.place, first, second })
            }
            _ => Ok(()),
        };
    };
    if let Some(&(word, (outside, arc))) = leaving.iter().find(|&&(word, _)| word != head) {
        return Err(Conflict::NonHeadLeaves { word, head, outside, bracket: bracket.place, arc });
    }
    let inside =
        |&(to, from, _): &(usize, usize, Place)| bracket.holds(to) && to != head && bracket.is_outside(from);
    match arcs.iter().copied().find(inside).filter(|_| bracket.closed) {
        Some((head, dependent, arc)) => {
            Err(Conflict::AttachedInside { dependent, head, bracket: bracket.place, arc })
        }
        None => Ok(()),
    }
}

/// Whether two closed brackets cross so that no tree has both.
///
/// Let A and B cross. A is connected, so an arc joins its words outside B with those they share. If it
/// points into B from outside, it must have been said; otherwise a shared word is the head of B. The same
/// holds with A and B exchanged. If nothing was said, the head of A and the head of B are both shared words,
/// each dominated by the other, which is impossible. Words in each other's gaps are exempt.
fn contradict(a: &Bracket, b: &Bracket, claims: &Claims) -> bool {
    let (set_a, set_b) = (a.set.blocks(), b.set.blocks());
    if !meet(set_a, set_b) || !exceeds(set_a, set_b) || !exceeds(set_b, set_a) {
        return false;
    }
    let shared = |word: usize| a.holds(word) && b.holds(word);
    let mut only_a = a.words.iter().filter(|&&word| !b.holds(word));
    let mut only_b = b.words.iter().filter(|&&word| !a.holds(word));
    let apart = only_a.all(|&word| b.is_outside(word)) && only_b.all(|&word| a.is_outside(word));
    let into_shared = |claim: &Claim| {
        let from_one = |word: usize| a.holds(word) != b.holds(word);
        claims.words(claim.head).any(shared) && claims.words(claim.dependent).any(from_one)
    };
    apart && !claims.arcs.iter().any(into_shared)
}
