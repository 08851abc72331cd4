//! What follows from claims, arc by arc.
//!
//! Every rule is sound for all trees, projective or not: an arc that some admitted tree has is never ruled
//! out. The rules are applied in rounds until nothing changes; a rule is passed over as long as nothing has
//! changed that it looks at, so that a round costs little where little happens.
//!
//! - *arc* `h → d`: every other head of d is out, and d does not head h. If d is a bracket whose head is
//!   open, none of its words is headed outside except by h, and none heads h; if h is one, d heads none of
//!   its words.
//! - *bracket*: a member that cannot be the head is headed by a member; one that no member can head is the
//!   head; the head is headed outside.
//! - *closed bracket* (subtree reading): no word outside is headed inside, except where that was said of the
//!   bracket's head.
//! - *dominance*: what a word is known to dominate, by required arcs and known heads of brackets, cannot
//!   head it.

use super::bits::{Bits, exceeds, meet, ones};
use super::claims::{Claim, Claims, End};
use super::clock::Clock;
use super::conflict::Conflict;
use super::dominance::Dominance;
use super::mask::ArcMask;
use crate::Place;

/// What follows from claims.
#[derive(Clone, Debug)]
pub(super) struct Narrowed {
    /// Arcs that are left.
    pub(super) mask: ArcMask,
    /// For each bracket the words that could be its head.
    pub(super) tops: Vec<Bits>,
    /// First and last word that each word is known to dominate, itself included.
    pub(super) reach: Vec<(usize, usize)>,
}

/// Applies all rules until nothing changes.
pub(super) fn narrow(claims: &Claims) -> Result<Narrowed, Conflict> {
    let n_words = claims.n_words;
    let mut narrowed = Narrowed {
        mask: ArcMask::all(n_words),
        tops: Vec::with_capacity(claims.brackets.len()),
        reach: (0..=n_words).map(|word| (word, word)).collect(),
    };
    if claims.is_empty() {
        return Ok(narrowed);
    }
    start(claims, &mut narrowed);
    let mut step = Narrowing { claims, narrowed, clock: Clock::new(claims), changed: true };
    while std::mem::replace(&mut step.changed, false) {
        (0..claims.arcs.len()).try_for_each(|index| step.arc(index))?;
        (0..claims.brackets.len()).try_for_each(|index| step.bracket(index))?;
        claims.forbidden.iter().for_each(|claim| step.forbidden(claim));
        step.dominance()?;
        step.heads_are_left()?;
    }
    Ok(step.narrowed)
}

/// What holds before any rule is applied.
fn start(claims: &Claims, narrowed: &mut Narrowed) {
    let n_words = claims.n_words;
    for bracket in &claims.brackets {
        let heads = bracket.head.as_slice();
        let possible = if heads.is_empty() { &bracket.members } else { heads };
        let words = possible.iter().flat_map(|&end| candidates(&narrowed.tops, end));
        let words = Bits::of(n_words, words);
        narrowed.tops.push(words);
    }
    for claim in &claims.arcs {
        // The head of `claim.head` dominates all words of the other side, and heads or dominates its own.
        let upper = Bits::of(n_words, claims.words(claim.head));
        let lower = Bits::of(n_words, claims.words(claim.dependent));
        for word in upper.iter() {
            let kept = |block: usize| !lower.blocks()[block] | upper.blocks()[block];
            narrowed.mask.keep(word, claim.place, kept);
        }
    }
    for &(word, place) in &claims.leaves {
        for other in 1..=n_words {
            narrowed.mask.forbid(word, other, place);
        }
    }
    for &word in &claims.left_out {
        narrowed.mask.keep(word, Place::default(), |_| 0);
        for other in 1..=n_words {
            narrowed.mask.forbid(word, other, Place::default());
        }
    }
}

/// The words that `end` could stand for, 0 for the root.
pub(super) fn candidates(tops: &[Bits], end: End) -> impl Iterator<Item = usize> {
    let (word, bracket) = match end {
        End::Word(word) => (Some(word), [].as_slice()),
        End::Bracket(index) => (None, tops[index].blocks()),
    };
    word.into_iter().chain(ones(bracket))
}

/// The only word that `end` could stand for, if there is only one.
pub(super) fn certain(tops: &[Bits], end: End) -> Option<usize> {
    match end {
        End::Word(word) => Some(word),
        End::Bracket(index) => tops[index].only(),
    }
}

struct Narrowing<'a> {
    claims: &'a Claims,
    narrowed: Narrowed,
    clock: Clock,
    changed: bool,
}

impl Narrowing<'_> {
    /// The words that `end` could stand for.
    fn candidates(&self, end: End) -> Bits {
        Bits::of(self.claims.n_words, candidates(&self.narrowed.tops, end))
    }

    /// Leaves only those heads of `dependent` whose bits are set in `kept`, block by block.
    fn keep_heads(&mut self, dependent: usize, place: Place, kept: impl Fn(usize) -> u64) {
        if self.narrowed.mask.keep(dependent, place, kept) {
            self.clock.word_changed(dependent);
            self.changed = true;
        }
    }

    /// Leaves only those words as heads of a bracket for which `keep` holds.
    fn keep_tops(
        &mut self,
        end: End,
        place: Place,
        keep: impl Fn(&ArcMask, usize) -> bool,
    ) -> Result<(), Conflict> {
        let End::Bracket(index) = end else { return Ok(()) };
        let Narrowed { mask, tops, .. } = &mut self.narrowed;
        let out: Vec<usize> = tops[index].iter().filter(|&word| !keep(mask, word)).collect();
        if !out.is_empty() {
            out.into_iter().for_each(|word| tops[index].remove(word));
            self.clock.tops_changed(index);
            self.changed = true;
        }
        if tops[index].is_empty() {
            return Err(self.no_bracket_head(index, place));
        }
        Ok(())
    }

    /// Names, besides the bracket itself, `place` or else what keeps one of its words from being headed outside.
    fn no_bracket_head(&self, index: usize, place: Place) -> Conflict {
        let bracket = &self.claims.brackets[index];
        let outside = || (0..=self.claims.n_words).filter(|&head| !bracket.holds(head));
        let arcs = bracket.words.iter().flat_map(|&word| outside().map(move |head| (head, word)));
        let mut reasons = arcs.filter_map(|(head, word)| self.narrowed.mask.reason(head, word));
        let elsewhere = [place].into_iter().find(|&place| place != bracket.place);
        let other = elsewhere.or_else(|| reasons.find(|&reason| reason != bracket.place)).unwrap_or(place);
        Conflict::NoBracketHead { words: bracket.words.clone(), bracket: bracket.place, other }
    }

    fn arc(&mut self, index: usize) -> Result<(), Conflict> {
        let claims = self.claims;
        if !self.clock.arc_turn(claims, index) {
            return Ok(());
        }
        let claim = &claims.arcs[index];
        let (heads, dependents) = (self.candidates(claim.head), self.candidates(claim.dependent));
        // As long as the bracket's head is open, a word may be headed inside it.
        let inside = match claim.dependent {
            End::Bracket(index) if dependents.only().is_none() => claims.brackets[index].set.blocks(),
            _ => &[],
        };
        for word in dependents.iter() {
            let kept = |block: usize| heads.blocks()[block] | inside.get(block).unwrap_or(&0);
            self.keep_heads(word, claim.place, kept);
        }
        let heads_one = |mask: &ArcMask, head: usize| dependents.iter().any(|word| mask.allows(head, word));
        self.keep_tops(claim.head, claim.place, heads_one)?;
        let is_headed = |mask: &ArcMask, word: usize| meet(mask.row(word), heads.blocks());
        self.keep_tops(claim.dependent, claim.place, is_headed)
    }

    fn forbidden(&mut self, claim: &Claim) {
        let certain = |end: End| certain(&self.narrowed.tops, end);
        let (Some(head), Some(dependent)) = (certain(claim.head), certain(claim.dependent)) else { return };
        if self.narrowed.mask.forbid(head, dependent, claim.place) {
            self.clock.word_changed(dependent);
            self.changed = true;
        }
    }

    fn bracket(&mut self, index: usize) -> Result<(), Conflict> {
        let claims = self.claims;
        if !self.clock.bracket_turn(claims, index) {
            return Ok(());
        }
        let bracket = &claims.brackets[index];
        let (this, place, set) = (End::Bracket(index), bracket.place, bracket.set.blocks());
        if let Some(head) = bracket.head {
            let of_head = self.candidates(head);
            self.keep_tops(this, place, |_, word| of_head.holds(word))?;
            let of_this = self.candidates(this);
            self.keep_tops(head, place, |_, word| of_this.holds(word))?;
        }
        self.keep_tops(this, place, |mask, word| exceeds(mask.row(word), set))?;
        self.members(index)?;
        if let Some(top) = self.narrowed.tops[index].only() {
            self.keep_heads(top, place, |block| !set[block]);
        }
        if bracket.closed {
            self.close(index);
        }
        Ok(())
    }

    /// A member is headed by a member, or it is the head of the bracket and headed outside.
    fn members(&mut self, index: usize) -> Result<(), Conflict> {
        let claims = self.claims;
        let bracket = &claims.brackets[index];
        let words = bracket.members.iter().flat_map(|&member| candidates(&self.narrowed.tops, member));
        let inner = Bits::of(claims.n_words, words);
        for &member in &bracket.members {
            match (member, certain(&self.narrowed.tops, member)) {
                (_, Some(word)) => self.certain_member(index, word, &inner)?,
                (End::Bracket(within), None) => {
                    // A word of an inner bracket that is not its head is headed in there.
                    let further_in = claims.brackets[within].set.blocks();
                    for word in self.candidates(member).iter() {
                        self.member(index, word, |block| inner.blocks()[block] | further_in[block]);
                    }
                }
                (End::Word(_), None) => {}
            }
        }
        Ok(())
    }

    fn certain_member(&mut self, index: usize, word: usize, inner: &Bits) -> Result<(), Conflict> {
        self.member(index, word, |block| inner.blocks()[block]);
        if !meet(self.narrowed.mask.row(word), inner.blocks()) {
            let place = self.claims.brackets[index].place;
            self.keep_tops(End::Bracket(index), place, |_, top| top == word)?;
        }
        Ok(())
    }

    /// `word` is headed within, or outside if it can be the head of the bracket.
    fn member(&mut self, index: usize, word: usize, within: impl Fn(usize) -> u64) {
        let bracket = &self.claims.brackets[index];
        let outside = if self.narrowed.tops[index].holds(word) { u64::MAX } else { 0 };
        let kept = |block: usize| within(block) | outside & !bracket.set.blocks()[block];
        self.keep_heads(word, bracket.place, kept);
    }

    /// No word outside is headed inside, except where that was said of the bracket's head.
    fn close(&mut self, index: usize) {
        let claims = self.claims;
        let bracket = &claims.brackets[index];
        let opening = self.opening(index);
        for word in (1..=claims.n_words).filter(|&word| bracket.is_outside(word)) {
            let exempt = opening.iter().filter(|(_, dependents)| dependents.holds(word));
            let exempt: Vec<&Bits> = exempt.map(|(heads, _)| heads).collect();
            self.keep_heads(word, bracket.place, |block| {
                exempt.iter().fold(!bracket.set.blocks()[block], |kept, heads| kept | heads.blocks()[block])
            });
        }
    }

    /// The arcs that could lead from the head of the bracket to words outside, as heads and dependents.
    fn opening(&self, index: usize) -> Vec<(Bits, Bits)> {
        let bracket = &self.claims.brackets[index];
        let tops = &self.narrowed.tops;
        let claims = self.claims.arcs.iter().filter(|claim| claim.source == bracket.source);
        let from_head = claims.filter_map(|claim| {
            let heads = candidates(tops, claim.head).filter(|&head| tops[index].holds(head));
            let mut heads = heads.peekable();
            heads.peek()?;
            let heads = Bits::of(self.claims.n_words, heads);
            Some((heads, self.candidates(claim.dependent)))
        });
        from_head.collect()
    }

    /// No word is headed by what it dominates.
    fn dominance(&mut self) -> Result<(), Conflict> {
        if !self.clock.dominance_turn() {
            return Ok(());
        }
        let dominance = Dominance::new(self.claims, &self.narrowed);
        dominance.check()?;
        let reach = (0..=self.claims.n_words).map(|word| dominance.reach(word)).collect();
        let upwards: Vec<(usize, usize, Place)> = dominance.upwards().collect();
        self.narrowed.reach = reach;
        for (lower, word, place) in upwards {
            if self.narrowed.mask.forbid(lower, word, place) {
                self.clock.word_changed(word);
                self.changed = true;
            }
        }
        Ok(())
    }

    fn heads_are_left(&self) -> Result<(), Conflict> {
        let mask = &self.narrowed.mask;
        let words = || (1..=self.claims.n_words).filter(|&word| !self.claims.is_left_out(word));
        if let Some(word) = words().find(|&word| !mask.has_head(word)) {
            let (first, second) =
                two_places((0..=self.claims.n_words).filter_map(|head| mask.reason(head, word)));
            return Err(Conflict::NoHead { word, first, second });
        }
        if words().next().is_some() && !words().any(|word| mask.allows(0, word)) {
            let (first, second) = two_places(words().filter_map(|word| mask.reason(0, word)));
            return Err(Conflict::NoRoot { first, second });
        }
        Ok(())
    }
}

/// The first place, and the first other one if there is one.
pub(super) fn two_places(mut places: impl Iterator<Item = Place>) -> (Place, Place) {
    let first = places.next().unwrap_or_default();
    (first, places.find(|&place| place != first).unwrap_or(first))
}
