//! Which rules have something new to look at.

use super::claims::{Claims, End};

/// When things changed and when rules had their turns. A rule has nothing new to say if nothing that it looks
/// at has changed since its last turn began.
pub(super) struct Clock {
    now: u32,
    /// When the possible heads of each word changed.
    words: Vec<u32>,
    /// When the possible heads of each bracket changed.
    tops: Vec<u32>,
    /// Brackets that some arc names, and when the possible heads of one of them changed.
    is_arc_end: Vec<bool>,
    arc_ends: u32,
    /// When anything changed.
    anything: u32,
    /// When the rules had their last turns; 0 for never.
    arc_turns: Vec<u32>,
    bracket_turns: Vec<u32>,
    dominance_turn: u32,
}

impl Clock {
    pub(super) fn new(claims: &Claims) -> Self {
        let mut is_arc_end = vec![false; claims.brackets.len()];
        for end in claims.arcs.iter().flat_map(|claim| [claim.head, claim.dependent]) {
            if let End::Bracket(index) = end {
                is_arc_end[index] = true;
            }
        }
        Self {
            now: 0,
            words: vec![0; claims.n_words + 1],
            tops: vec![0; claims.brackets.len()],
            is_arc_end,
            arc_ends: 0,
            anything: 0,
            arc_turns: vec![0; claims.arcs.len()],
            bracket_turns: vec![0; claims.brackets.len()],
            dominance_turn: 0,
        }
    }

    /// Notes that the possible heads of `word` have changed.
    pub(super) fn word_changed(&mut self, word: usize) {
        self.words[word] = self.now;
        self.anything = self.now;
    }

    /// Notes that the words that could head `bracket` have changed.
    pub(super) fn tops_changed(&mut self, bracket: usize) {
        self.tops[bracket] = self.now;
        self.anything = self.now;
        if self.is_arc_end[bracket] {
            self.arc_ends = self.now;
        }
    }

    /// Begins a turn of an arc, unless there is nothing new for it.
    pub(super) fn arc_turn(&mut self, claims: &Claims, index: usize) -> bool {
        let (claim, since) = (&claims.arcs[index], self.arc_turns[index]);
        let is_due =
            self.end_changed(claims, claim.head, since) || self.end_changed(claims, claim.dependent, since);
        self.begin(is_due, |clock| &mut clock.arc_turns[index])
    }

    /// Begins a turn of a bracket, unless there is nothing new for it.
    pub(super) fn bracket_turn(&mut self, claims: &Claims, index: usize) -> bool {
        let (bracket, since) = (&claims.brackets[index], self.bracket_turns[index]);
        let inner_changed =
            |member: &End| matches!(*member, End::Bracket(inner) if self.tops[inner] >= since);
        // Heads inside a closed bracket that are headed from outside must be exempt by some arc.
        let is_due = self.end_changed(claims, End::Bracket(index), since)
            || bracket.members.iter().any(inner_changed)
            || bracket.closed && self.arc_ends >= since;
        self.begin(is_due, |clock| &mut clock.bracket_turns[index])
    }

    /// Begins a turn of dominance, unless there is nothing new for it.
    pub(super) fn dominance_turn(&mut self) -> bool {
        self.begin(self.anything >= self.dominance_turn, |clock| &mut clock.dominance_turn)
    }

    fn end_changed(&self, claims: &Claims, end: End, since: u32) -> bool {
        matches!(end, End::Bracket(index) if self.tops[index] >= since)
            || claims.words(end).any(|word| self.words[word] >= since)
    }

    fn begin(&mut self, is_due: bool, turn: impl Fn(&mut Self) -> &mut u32) -> bool {
        if is_due {
            self.now += 1;
            *turn(self) = self.now;
        }
        is_due
    }
}
