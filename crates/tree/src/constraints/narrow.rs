//! What follows from claims, arc by arc.
//!
//! Every rule is sound for all trees, projective or not: an arc that some admitted tree has is never ruled
//! out. The rules are applied until nothing changes.
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

use super::claims::{Claim, Claims, End};
use super::conflict::Conflict;
use super::mask::ArcMask;
use crate::Place;

/// What follows from claims.
#[derive(Clone, Debug)]
pub(super) struct Narrowed {
    /// Arcs that are left.
    pub(super) mask: ArcMask,
    /// For each bracket the words that could be its head, in rising order.
    pub(super) tops: Vec<Vec<usize>>,
    /// First and last word that each word is known to dominate, itself included.
    pub(super) reach: Vec<(usize, usize)>,
}

/// Applies all rules until nothing changes.
pub(super) fn narrow(claims: &Claims) -> Result<Narrowed, Conflict> {
    let reach = (0..=claims.n_words).map(|word| (word, word)).collect();
    let mut narrowed = Narrowed { mask: ArcMask::all(claims.n_words), tops: Vec::new(), reach };
    if claims.is_empty() {
        return Ok(narrowed);
    }
    start(claims, &mut narrowed);
    let mut step = Step { claims, narrowed, changed: true };
    while std::mem::replace(&mut step.changed, false) {
        claims.arcs.iter().try_for_each(|claim| step.arc(claim))?;
        (0..claims.brackets.len()).try_for_each(|index| step.bracket(index))?;
        claims.forbidden.iter().for_each(|claim| step.forbidden(claim));
        step.dominance()?;
        step.heads_are_left()?;
    }
    Ok(step.narrowed)
}

/// What holds before any rule is applied.
fn start(claims: &Claims, narrowed: &mut Narrowed) {
    for bracket in &claims.brackets {
        let heads = bracket.head.as_slice();
        let possible = if heads.is_empty() { &bracket.members } else { heads };
        let mut words: Vec<usize> =
            possible.iter().flat_map(|&end| candidates(&narrowed.tops, end)).collect();
        words.sort_unstable();
        words.dedup();
        narrowed.tops.push(words);
    }
    for claim in &claims.arcs {
        // The head of `claim.head` dominates all words of the other side, and heads or dominates its own.
        let upper: Vec<usize> = claims.words(claim.head).collect();
        for lower in claims.words(claim.dependent).filter(|word| !upper.contains(word)) {
            for &word in &upper {
                narrowed.mask.forbid(lower, word, claim.place);
            }
        }
    }
    for &(word, place) in &claims.leaves {
        for other in 1..=claims.n_words {
            narrowed.mask.forbid(word, other, place);
        }
    }
    for &word in &claims.left_out {
        for other in 0..=claims.n_words {
            narrowed.mask.forbid(other, word, Place::default());
            narrowed.mask.forbid(word, other, Place::default());
        }
    }
}

/// The words that `end` could stand for.
pub(super) fn candidates(tops: &[Vec<usize>], end: End) -> Vec<usize> {
    match end {
        End::Word(word) => vec![word],
        End::Bracket(index) => tops[index].clone(),
    }
}

struct Step<'a> {
    claims: &'a Claims,
    narrowed: Narrowed,
    changed: bool,
}

impl Step<'_> {
    fn candidates(&self, end: End) -> Vec<usize> {
        candidates(&self.narrowed.tops, end)
    }

    fn forbid(&mut self, head: usize, dependent: usize, place: Place) {
        self.changed |= self.narrowed.mask.forbid(head, dependent, place);
    }

    fn forbid_unless(&mut self, dependent: usize, place: Place, keep: impl Fn(usize) -> bool) {
        for head in (0..=self.claims.n_words).filter(|&head| !keep(head)) {
            self.forbid(head, dependent, place);
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
        let n_before = tops[index].len();
        tops[index].retain(|&word| keep(mask, word));
        self.changed |= tops[index].len() < n_before;
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

    fn arc(&mut self, claim: &Claim) -> Result<(), Conflict> {
        let (heads, dependents) = (self.candidates(claim.head), self.candidates(claim.dependent));
        let claims = self.claims;
        for &word in &dependents {
            // As long as the bracket's head is open, the word may be headed inside it.
            let inside = |head: usize| match claim.dependent {
                End::Bracket(index) if dependents.len() > 1 => claims.brackets[index].holds(head),
                _ => false,
            };
            self.forbid_unless(word, claim.place, |head| heads.contains(&head) || inside(head));
        }
        let heads_one = |mask: &ArcMask, head: usize| dependents.iter().any(|&word| mask.allows(head, word));
        self.keep_tops(claim.head, claim.place, heads_one)?;
        let is_headed = |mask: &ArcMask, word: usize| heads.iter().any(|&head| mask.allows(head, word));
        self.keep_tops(claim.dependent, claim.place, is_headed)
    }

    fn forbidden(&mut self, claim: &Claim) {
        if let ([head], [dependent]) =
            (&self.candidates(claim.head)[..], &self.candidates(claim.dependent)[..])
        {
            self.forbid(*head, *dependent, claim.place);
        }
    }

    fn bracket(&mut self, index: usize) -> Result<(), Conflict> {
        let bracket = &self.claims.brackets[index];
        let (this, place, n_words) = (End::Bracket(index), bracket.place, self.claims.n_words);
        if let Some(head) = bracket.head {
            let of_head = self.candidates(head);
            self.keep_tops(this, place, |_, word| of_head.contains(&word))?;
            let of_this = self.candidates(this);
            self.keep_tops(head, place, |_, word| of_this.contains(&word))?;
        }
        self.keep_tops(this, place, |mask, word| {
            (0..=n_words).any(|head| mask.allows(head, word) && !bracket.holds(head))
        })?;
        self.members(index)?;
        if let [top] = self.narrowed.tops[index][..] {
            self.forbid_unless(top, place, |head| !bracket.holds(head));
        }
        if bracket.closed {
            self.close(index);
        }
        Ok(())
    }

    /// A member is headed by a member, or it is the head of the bracket and headed outside.
    fn members(&mut self, index: usize) -> Result<(), Conflict> {
        let bracket = &self.claims.brackets[index];
        let mut inner = vec![false; self.claims.n_words + 1];
        for word in bracket.members.iter().flat_map(|&member| self.candidates(member)) {
            inner[word] = true;
        }
        for &member in &bracket.members {
            let possible = self.candidates(member);
            let is_certain = possible.len() == 1;
            for &word in &possible {
                let can_leave = self.narrowed.tops[index].contains(&word);
                // A word of an inner bracket that is not its head is headed in there.
                let further_in = |head: usize| match member {
                    End::Bracket(inner) if !is_certain => self.claims.brackets[inner].holds(head),
                    _ => false,
                };
                let keep = |head: usize| inner[head] || further_in(head) || can_leave && !bracket.holds(head);
                self.forbid_unless(word, bracket.place, keep);
                if is_certain && !self.narrowed.mask.heads(word).any(|head| inner[head]) {
                    self.keep_tops(End::Bracket(index), bracket.place, |_, top| top == word)?;
                }
            }
        }
        Ok(())
    }

    /// No word outside is headed inside, except where that was said of the bracket's head.
    fn close(&mut self, index: usize) {
        let bracket = &self.claims.brackets[index];
        for word in (1..=self.claims.n_words).filter(|&word| bracket.is_outside(word)) {
            for &head in &bracket.words {
                let exempt =
                    || self.narrowed.tops[index].contains(&head) && self.is_said(head, word, bracket.source);
                if self.narrowed.mask.allows(head, word) && !exempt() {
                    self.forbid(head, word, bracket.place);
                }
            }
        }
    }

    /// Whether some claim of `source` could stand for this arc.
    fn is_said(&self, head: usize, dependent: usize, source: usize) -> bool {
        let could_be = |end: End, word: usize| match end {
            End::Word(is) => is == word,
            End::Bracket(index) => self.narrowed.tops[index].contains(&word),
        };
        let mut arcs = self.claims.arcs.iter().filter(|claim| claim.source == source);
        arcs.any(|claim| could_be(claim.head, head) && could_be(claim.dependent, dependent))
    }

    /// No word is headed by what it dominates.
    fn dominance(&mut self) -> Result<(), Conflict> {
        let links = self.links();
        let dominated = closure(self.claims.n_words, &links);
        for (word, below) in dominated.iter().enumerate().skip(1) {
            if below.contains(&word) {
                return Err(cycle_of(word, &dominated, &links));
            }
            let all = || below.iter().copied().chain([word]);
            self.narrowed.reach[word] = (all().min().unwrap_or(word), all().max().unwrap_or(word));
            for &lower in below {
                let place = links[lower].first().map_or_else(Place::default, |&(_, place)| place);
                self.forbid(lower, word, place);
            }
        }
        Ok(())
    }

    /// For each word the words known to be above it, and where that was said.
    fn links(&self) -> Vec<Vec<(usize, Place)>> {
        let mut links = vec![Vec::new(); self.claims.n_words + 1];
        let mask = &self.narrowed.mask;
        for (word, above) in links.iter_mut().enumerate().skip(1) {
            if let Some(head) = mask.only_head(word).filter(|&head| head != 0) {
                let reason = (0..=self.claims.n_words).find_map(|other| mask.reason(other, word));
                above.push((head, reason.unwrap_or_default()));
            }
        }
        for (bracket, tops) in self.claims.brackets.iter().zip(&self.narrowed.tops) {
            if let [top] = tops[..] {
                let others = bracket.words.iter().filter(|&&word| word != top);
                others.for_each(|&word| links[word].push((top, bracket.place)));
            }
        }
        links
    }

    fn heads_are_left(&self) -> Result<(), Conflict> {
        let mask = &self.narrowed.mask;
        let words = || (1..=self.claims.n_words).filter(|&word| !self.claims.is_left_out(word));
        if let Some(word) = words().find(|&word| mask.heads(word).next().is_none()) {
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
fn two_places(mut places: impl Iterator<Item = Place>) -> (Place, Place) {
    let first = places.next().unwrap_or_default();
    (first, places.find(|&place| place != first).unwrap_or(first))
}

/// For each word all words below it: the transitive closure of `links`.
fn closure(n_words: usize, links: &[Vec<(usize, Place)>]) -> Vec<Vec<usize>> {
    let mut dominated = vec![Vec::new(); n_words + 1];
    for word in 1..=n_words {
        let mut seen = vec![false; n_words + 1];
        let mut todo: Vec<usize> = links[word].iter().map(|&(above, _)| above).collect();
        while let Some(above) = todo.pop() {
            if !std::mem::replace(&mut seen[above], true) {
                dominated[above].push(word);
                todo.extend(links[above].iter().map(|&(above, _)| above));
            }
        }
    }
    dominated
}

/// The words above and below `word` at once, which is one of them.
fn cycle_of(word: usize, dominated: &[Vec<usize>], links: &[Vec<(usize, Place)>]) -> Conflict {
    let words: Vec<usize> =
        dominated[word].iter().copied().filter(|&other| dominated[other].contains(&word)).collect();
    let on_cycle =
        words.iter().flat_map(|&word| links[word].iter().filter(|(above, _)| words.contains(above)));
    let (first, second) = two_places(on_cycle.map(|&(_, place)| place));
    Conflict::Cycle { words, first, second }
}
