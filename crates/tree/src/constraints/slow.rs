//! Oracle for tests: the same rules, applied to everything in every round, with lists instead of bits.
//!
//! It shares no code with what it tests: [`said`] reads the annotation by itself, and conflicts are of a type of its own.
//! That the rules are right, every admitted tree keeping its arcs, is tested against lists of all trees in
//! `tests/constraints`.

mod said;

use super::claims::Claims;
use super::{Conflict, Constraints};
use crate::{
    Arc, BracketReading, CoordinationHead, Group, GroupKind, MultiwordHead, Node, PartialTree, Place,
    Reading, Span,
};
use proptest::prelude::*;
use said::{Arrow, Said, Who};

/// Why there is no tree.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Quarrel {
    NoBracketHead { words: Vec<usize>, bracket: Place, other: Place },
    Cycle { words: Vec<usize>, first: Place, second: Place },
    NoHead { word: usize, first: Place, second: Place },
    NoRoot { first: Place, second: Place },
}

impl Quarrel {
    /// The same as it is told to others.
    fn is(&self, conflict: &Conflict) -> bool {
        match (self, conflict) {
            (
                Quarrel::NoBracketHead { words, bracket, other },
                Conflict::NoBracketHead { words: w, bracket: b, other: o },
            ) => (words, bracket, other) == (w, b, o),
            (Quarrel::Cycle { words, first, second }, Conflict::Cycle { words: w, first: f, second: s }) => {
                (words, first, second) == (w, f, s)
            }
            (Quarrel::NoHead { word, first, second }, Conflict::NoHead { word: w, first: f, second: s }) => {
                (word, first, second) == (w, f, s)
            }
            (Quarrel::NoRoot { first, second }, Conflict::NoRoot { first: f, second: s }) => {
                (first, second) == (f, s)
            }
            _ => false,
        }
    }
}

/// Which arcs are allowed (by dependent and head), and where others were ruled out.
#[derive(Clone, Debug)]
struct ArcMask {
    allowed: Vec<Vec<bool>>,
    reasons: Vec<Vec<Option<Place>>>,
}

impl ArcMask {
    fn all(n_words: usize) -> Self {
        let row = |word: usize| (0..=n_words).map(|head| word > 0 && head != word).collect();
        let allowed = (0..=n_words).map(row).collect();
        Self { allowed, reasons: vec![vec![None; n_words + 1]; n_words + 1] }
    }

    fn allows(&self, head: usize, dependent: usize) -> bool {
        self.allowed[dependent][head]
    }

    fn forbid(&mut self, head: usize, dependent: usize, place: Place) -> bool {
        let is_news = std::mem::replace(&mut self.allowed[dependent][head], false);
        if is_news {
            self.reasons[dependent][head] = Some(place);
        }
        is_news
    }

    fn reason(&self, head: usize, dependent: usize) -> Option<Place> {
        self.reasons[dependent][head]
    }

    fn heads(&self, dependent: usize) -> impl Iterator<Item = usize> {
        (0..self.allowed.len()).filter(move |&head| self.allows(head, dependent))
    }

    fn only_head(&self, dependent: usize) -> Option<usize> {
        let mut heads = self.heads(dependent);
        heads.next().filter(|_| heads.next().is_none())
    }
}

/// What follows from what is said.
#[derive(Clone, Debug)]
struct Narrowed {
    /// Arcs that are left.
    mask: ArcMask,
    /// For each bracket the words that could be its head, in rising order.
    tops: Vec<Vec<usize>>,
    /// First and last word that each word is known to dominate, itself included.
    reach: Vec<(usize, usize)>,
}

/// Applies all rules until nothing changes.
fn narrow(said: &Said) -> Result<Narrowed, Quarrel> {
    let reach = (0..=said.n_words).map(|word| (word, word)).collect();
    let mut narrowed = Narrowed { mask: ArcMask::all(said.n_words), tops: Vec::new(), reach };
    if said.is_empty() {
        return Ok(narrowed);
    }
    start(said, &mut narrowed);
    let mut step = Step { said, narrowed, changed: true };
    while std::mem::replace(&mut step.changed, false) {
        said.arcs.iter().try_for_each(|arrow| step.arc(arrow))?;
        (0..said.brackets.len()).try_for_each(|index| step.bracket(index))?;
        said.forbidden.iter().for_each(|arrow| step.forbidden(arrow));
        step.dominance()?;
        step.heads_are_left()?;
    }
    Ok(step.narrowed)
}

/// What holds before any rule is applied.
fn start(said: &Said, narrowed: &mut Narrowed) {
    for bracket in &said.brackets {
        let heads = bracket.head.as_slice();
        let possible = if heads.is_empty() { &bracket.members } else { heads };
        let mut words: Vec<usize> =
            possible.iter().flat_map(|&end| candidates(&narrowed.tops, end)).collect();
        words.sort_unstable();
        words.dedup();
        narrowed.tops.push(words);
    }
    for arrow in &said.arcs {
        // The head of `arrow.head` dominates all words of the other side, and heads or dominates its own.
        let upper: Vec<usize> = said.words(arrow.head);
        for lower in said.words(arrow.dependent).into_iter().filter(|word| !upper.contains(word)) {
            for &word in &upper {
                narrowed.mask.forbid(lower, word, arrow.place);
            }
        }
    }
    for &(word, place) in &said.leaves {
        for other in 1..=said.n_words {
            narrowed.mask.forbid(word, other, place);
        }
    }
    for &word in &said.left_out {
        for other in 0..=said.n_words {
            narrowed.mask.forbid(other, word, Place::default());
            narrowed.mask.forbid(word, other, Place::default());
        }
    }
}

/// The words that `end` could stand for.
fn candidates(tops: &[Vec<usize>], end: Who) -> Vec<usize> {
    match end {
        Who::Word(word) => vec![word],
        Who::HeadOf(index) => tops[index].clone(),
    }
}

struct Step<'a> {
    said: &'a Said,
    narrowed: Narrowed,
    changed: bool,
}

impl Step<'_> {
    fn candidates(&self, end: Who) -> Vec<usize> {
        candidates(&self.narrowed.tops, end)
    }

    fn forbid(&mut self, head: usize, dependent: usize, place: Place) {
        self.changed |= self.narrowed.mask.forbid(head, dependent, place);
    }

    fn forbid_unless(&mut self, dependent: usize, place: Place, keep: impl Fn(usize) -> bool) {
        for head in (0..=self.said.n_words).filter(|&head| !keep(head)) {
            self.forbid(head, dependent, place);
        }
    }

    /// Leaves only those words as heads of a bracket for which `keep` holds.
    fn keep_tops(
        &mut self,
        end: Who,
        place: Place,
        keep: impl Fn(&ArcMask, usize) -> bool,
    ) -> Result<(), Quarrel> {
        let Who::HeadOf(index) = end else { return Ok(()) };
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
    fn no_bracket_head(&self, index: usize, place: Place) -> Quarrel {
        let bracket = &self.said.brackets[index];
        let outside = || (0..=self.said.n_words).filter(|&head| !bracket.holds(head));
        let arcs = bracket.words.iter().flat_map(|&word| outside().map(move |head| (head, word)));
        let mut reasons = arcs.filter_map(|(head, word)| self.narrowed.mask.reason(head, word));
        let elsewhere = [place].into_iter().find(|&place| place != bracket.place);
        let other = elsewhere.or_else(|| reasons.find(|&reason| reason != bracket.place)).unwrap_or(place);
        Quarrel::NoBracketHead { words: bracket.words.clone(), bracket: bracket.place, other }
    }

    fn arc(&mut self, arrow: &Arrow) -> Result<(), Quarrel> {
        let (heads, dependents) = (self.candidates(arrow.head), self.candidates(arrow.dependent));
        let said = self.said;
        for &word in &dependents {
            // As long as the bracket's head is open, the word may be headed inside it.
            let inside = |head: usize| match arrow.dependent {
                Who::HeadOf(index) if dependents.len() > 1 => said.brackets[index].holds(head),
                _ => false,
            };
            self.forbid_unless(word, arrow.place, |head| heads.contains(&head) || inside(head));
        }
        let heads_one = |mask: &ArcMask, head: usize| dependents.iter().any(|&word| mask.allows(head, word));
        self.keep_tops(arrow.head, arrow.place, heads_one)?;
        let is_headed = |mask: &ArcMask, word: usize| heads.iter().any(|&head| mask.allows(head, word));
        self.keep_tops(arrow.dependent, arrow.place, is_headed)
    }

    fn forbidden(&mut self, arrow: &Arrow) {
        if let ([head], [dependent]) =
            (&self.candidates(arrow.head)[..], &self.candidates(arrow.dependent)[..])
        {
            self.forbid(*head, *dependent, arrow.place);
        }
    }

    fn bracket(&mut self, index: usize) -> Result<(), Quarrel> {
        let bracket = &self.said.brackets[index];
        let (this, place, n_words) = (Who::HeadOf(index), bracket.place, self.said.n_words);
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
        if self.said.closed {
            self.close(index);
        }
        Ok(())
    }

    /// A member is headed by a member, or it is the head of the bracket and headed outside.
    fn members(&mut self, index: usize) -> Result<(), Quarrel> {
        let bracket = &self.said.brackets[index];
        let mut inner = vec![false; self.said.n_words + 1];
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
                    Who::HeadOf(inner) if !is_certain => self.said.brackets[inner].holds(head),
                    _ => false,
                };
                let keep = |head: usize| inner[head] || further_in(head) || can_leave && !bracket.holds(head);
                self.forbid_unless(word, bracket.place, keep);
                if is_certain && !self.narrowed.mask.heads(word).any(|head| inner[head]) {
                    self.keep_tops(Who::HeadOf(index), bracket.place, |_, top| top == word)?;
                }
            }
        }
        Ok(())
    }

    /// No word outside is headed inside, except where that was said of the bracket's head.
    fn close(&mut self, index: usize) {
        let bracket = &self.said.brackets[index];
        for word in (1..=self.said.n_words).filter(|&word| bracket.is_outside(word)) {
            for &head in &bracket.words {
                let exempt = || self.narrowed.tops[index].contains(&head) && self.is_said(head, word);
                if self.narrowed.mask.allows(head, word) && !exempt() {
                    self.forbid(head, word, bracket.place);
                }
            }
        }
    }

    /// Whether some arc that was said could be this one.
    fn is_said(&self, head: usize, dependent: usize) -> bool {
        let could_be = |end: Who, word: usize| match end {
            Who::Word(is) => is == word,
            Who::HeadOf(index) => self.narrowed.tops[index].contains(&word),
        };
        self.said.arcs.iter().any(|arrow| could_be(arrow.head, head) && could_be(arrow.dependent, dependent))
    }

    /// No word is headed by what it dominates.
    fn dominance(&mut self) -> Result<(), Quarrel> {
        let links = self.links();
        let dominated = closure(self.said.n_words, &links);
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
        let mut links = vec![Vec::new(); self.said.n_words + 1];
        let mask = &self.narrowed.mask;
        for (word, above) in links.iter_mut().enumerate().skip(1) {
            if let Some(head) = mask.only_head(word).filter(|&head| head != 0) {
                let reason = (0..=self.said.n_words).find_map(|other| mask.reason(other, word));
                above.push((head, reason.unwrap_or_default()));
            }
        }
        for (bracket, tops) in self.said.brackets.iter().zip(&self.narrowed.tops) {
            if let [top] = tops[..] {
                let others = bracket.words.iter().filter(|&&word| word != top);
                others.for_each(|&word| links[word].push((top, bracket.place)));
            }
        }
        links
    }

    fn heads_are_left(&self) -> Result<(), Quarrel> {
        let mask = &self.narrowed.mask;
        let words = || (1..=self.said.n_words).filter(|&word| !self.said.left_out.contains(&word));
        if let Some(word) = words().find(|&word| mask.heads(word).next().is_none()) {
            let (first, second) =
                two_places((0..=self.said.n_words).filter_map(|head| mask.reason(head, word)));
            return Err(Quarrel::NoHead { word, first, second });
        }
        if words().next().is_some() && !words().any(|word| mask.allows(0, word)) {
            let (first, second) = two_places(words().filter_map(|word| mask.reason(0, word)));
            return Err(Quarrel::NoRoot { first, second });
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
fn cycle_of(word: usize, dominated: &[Vec<usize>], links: &[Vec<(usize, Place)>]) -> Quarrel {
    let words: Vec<usize> =
        dominated[word].iter().copied().filter(|&other| dominated[other].contains(&word)).collect();
    let on_cycle =
        words.iter().flat_map(|&word| links[word].iter().filter(|(above, _)| words.contains(above)));
    let (first, second) = two_places(on_cycle.map(|&(_, place)| place));
    Quarrel::Cycle { words, first, second }
}

/// Whether a chart over split heads may build `span`, word by word.
fn allows_split_span(constraints: &Constraints, reach: &[(usize, usize)], span: Span) -> bool {
    let crosses =
        |words: Span| Span::new(2 * words.start(), 2 * words.end()).is_some_and(|half| half.crosses(span));
    if constraints.brackets.iter().any(|bracket| bracket.span.is_some_and(crosses)) {
        return false;
    }
    let whole_words = span.start().div_ceil(2) + 1..=(span.end() / 2).min(constraints.n_words());
    whole_words.into_iter().all(|word| {
        let (first, last) = reach[word];
        span.start() <= 2 * first - 2 && 2 * last <= span.end()
    })
}

type Picks = (Vec<prop::sample::Index>, Option<prop::sample::Index>, bool, u8);

/// Nested and overlapping brackets, stretches more often than loose words, now and then a multiword or a coordination, with
/// arcs between all nodes.
fn any_annotation() -> impl Strategy<Value = PartialTree> {
    let index = any::<prop::sample::Index>;
    let group =
        (prop::collection::vec(index(), 1..5), prop::option::of(index()), prop::bool::weighted(0.7), 0u8..10);
    let pairs = |n| prop::collection::vec((index(), index()), 0..n);
    let groups = prop::collection::vec(group, 0..5);
    let roots = prop::collection::vec(index(), 0..2);
    // Some lengths are around the size of a block of bits.
    let n_words = prop_oneof![9 => 1usize..=9, 1 => 60usize..=70];
    let dependents = prop::collection::vec(index(), 0..3);
    (n_words, groups, pairs(4), pairs(3), roots, dependents).prop_map(
        |(n, groups, arcs, forbidden, roots, dependents)| {
            let mut said = PartialTree::new(n);
            let mut lines = (1..).map(Place::line);
            let mut place = || lines.next().unwrap();
            for picks in groups {
                let kind = match picks.3 {
                    0 => multiword(&said, &picks),
                    1 => coordination(&said, &picks),
                    _ => bracket(&said, picks),
                };
                said.groups.push(Group { kind, place: place() });
            }
            let node = |said: &PartialTree, pick: prop::sample::Index| node(said, pick);
            for (head, dependent) in arcs {
                let (head, dependent) = (node(&said, head), node(&said, dependent));
                said.arcs.push(Arc { head, dependent, place: place() });
            }
            for (head, dependent) in forbidden {
                let (head, dependent) = (node(&said, head), node(&said, dependent));
                said.forbidden.push(Arc { head, dependent, place: place() });
            }
            for root in roots {
                said.roots.push((node(&said, root), place()));
            }
            for dependent in dependents {
                said.dependents.push((node(&said, dependent), place()));
            }
            said
        },
    )
}

/// A group as often as a word.
fn node(said: &PartialTree, pick: prop::sample::Index) -> Node {
    let n_choices = 2 * said.n_words * said.groups.len().max(1);
    match pick.index(n_choices) {
        choice if choice % 2 == 0 && !said.groups.is_empty() => Node::Group(choice / 2 % said.groups.len()),
        choice => Node::Word(choice / 2 % said.n_words + 1),
    }
}

fn multiword(said: &PartialTree, (picks, ..): &Picks) -> GroupKind {
    GroupKind::Multiword { words: picks.iter().map(|pick| pick.index(said.n_words) + 1).collect() }
}

/// The last pick coordinates the others, if there is to be a coordinator.
fn coordination(said: &PartialTree, (picks, last, ..): &Picks) -> GroupKind {
    let mut conjuncts: Vec<Node> = picks.iter().map(|&pick| node(said, pick)).collect();
    let mut coordinators: Vec<Node> = last.iter().map(|&pick| node(said, pick)).collect();
    if conjuncts.len() > 2 && !coordinators.is_empty() {
        coordinators.extend(conjuncts.pop());
    }
    GroupKind::Coordination { name: "$x".into(), conjuncts, coordinators }
}

fn bracket(said: &PartialTree, (picks, head, is_stretch, _): Picks) -> GroupKind {
    let mut members: Vec<Node> = picks.iter().map(|&pick| node(said, pick)).collect();
    if let (true, [Node::Word(one), .., Node::Word(other)]) = (is_stretch, &members[..]) {
        members = (*one.min(other)..=*one.max(other)).map(Node::Word).collect();
    }
    let head = head.map(|head| members[head.index(members.len())]);
    GroupKind::Bracket { members, head }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn bits_and_turns_find_what_lists_and_rounds_find(
        said in any_annotation(),
        closed: bool,
        last: bool,
        by_conjunct: bool,
        omit_unmentioned in prop::bool::weighted(0.1),
    ) {
        let brackets = if closed { BracketReading::Subtree } else { BracketReading::Connected };
        let multiword = if last { MultiwordHead::Last } else { MultiwordHead::First };
        let coordination = if by_conjunct { CoordinationHead::Conjunct } else { CoordinationHead::Coordinator };
        check(&said, &Reading { brackets, multiword, coordination, omit_unmentioned })?;
    }
}

/// Brackets without heads; places are numbered lines.
fn brackets(n_words: usize, groups: &[&[Node]]) -> PartialTree {
    let kinds = groups.iter().map(|members| GroupKind::Bracket { members: members.to_vec(), head: None });
    let groups = kinds.zip((1..).map(Place::line)).map(|(kind, place)| Group { kind, place }).collect();
    PartialTree { groups, ..PartialTree::new(n_words) }
}

#[test]
fn closed_bracket_is_looked_at_again_when_an_arc_no_longer_exempts_it() {
    let mut said = brackets(9, &[&[Node::Word(1), Node::Word(8)], &[Node::Word(3)], &[Node::Word(1)]]);
    said.arcs.push(Arc { head: Node::Group(0), dependent: Node::Word(3), place: Place::line(4) });
    check(&said, &Reading::default()).unwrap();
}

#[test]
fn bracket_is_looked_at_again_when_the_head_of_a_member_becomes_known() {
    let nested = [&[Node::Word(1), Node::Word(2)], &[Node::Word(1)][..], &[Node::Group(0)]];
    let said = brackets(3, &[nested[0], nested[1], nested[2], &[Node::Group(2), Node::Word(1)]]);
    check(&said, &Reading::default()).unwrap();
}

/// Fast and slow form agree on everything, places and conflicts included.
fn check(said: &PartialTree, reading: &Reading) -> Result<(), TestCaseError> {
    let claims = Claims::new(said, reading).unwrap();
    match (narrow(&Said::read(said, reading)), super::narrow::narrow(&claims)) {
        (Err(slow), Err(fast)) => prop_assert!(slow.is(&fast), "{:?} but {:?}", slow, fast),
        (Ok(slow), Ok(fast)) => {
            check_narrowed(&slow, &fast)?;
            if let Ok(constraints) = Constraints::new(claims) {
                check_spans(&constraints, &slow.reach)?;
            }
        }
        (slow, fast) => prop_assert!(false, "{:?} but {:?}", slow.err(), fast.err()),
    }
    Ok(())
}

fn check_narrowed(slow: &Narrowed, fast: &super::narrow::Narrowed) -> Result<(), TestCaseError> {
    for dependent in 1..slow.reach.len() {
        let heads: Vec<usize> = slow.mask.heads(dependent).collect();
        prop_assert_eq!(fast.mask.heads(dependent).collect::<Vec<_>>(), heads);
        for head in 0..slow.reach.len() {
            prop_assert_eq!(fast.mask.reason(head, dependent), slow.mask.reason(head, dependent));
        }
    }
    let tops: Vec<Vec<usize>> = fast.tops.iter().map(|tops| tops.iter().collect()).collect();
    prop_assert_eq!(&tops, &slow.tops);
    prop_assert_eq!(&fast.reach, &slow.reach);
    Ok(())
}

fn check_spans(constraints: &Constraints, reach: &[(usize, usize)]) -> Result<(), TestCaseError> {
    for start in 0..2 * constraints.n_words() + 2 {
        for end in start + 1..2 * constraints.n_words() + 4 {
            let span = Span::new(start, end).unwrap();
            let expected = constraints.crossed_bracket(span).is_none();
            prop_assert_eq!(constraints.allows_span(span), expected, "{}", span);
            let expected = allows_split_span(constraints, reach, span);
            prop_assert_eq!(constraints.allows_split_span(span), expected, "halves {}", span);
        }
    }
    Ok(())
}
