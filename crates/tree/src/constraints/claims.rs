//! What an annotation claims, after each group has been read as the options say.

use super::bits::Bits;
use super::conflict::Conflict;
use super::reading::{BracketReading, CoordinationHead, MultiwordHead, Reading};
use crate::PutInOrder;
use crate::{GroupKind, Node, PartialTree, Place};

/// One end of an arc.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// A word, 0 for the root.
    Word(usize),
    /// The head of a bracket, whichever that is.
    Bracket(usize),
}

/// `dependent` depends on `head`, or must not.
#[derive(Clone, Copy, Debug)]
pub(super) struct Claim {
    pub(super) head: End,
    pub(super) dependent: End,
    pub(super) place: Place,
    /// Which annotation says so.
    pub(super) source: usize,
}

/// A bracket: all members but one are headed by members.
#[derive(Clone, Debug)]
pub(super) struct Bracket {
    pub(super) members: Vec<End>,
    pub(super) head: Option<End>,
    /// Words of all levels in sentence order.
    pub(super) words: Vec<usize>,
    /// The same as bits.
    pub(super) set: Bits,
    /// Whether no word outside may depend on one inside.
    pub(super) closed: bool,
    pub(super) place: Place,
    /// Which annotation says so; only claims of the same annotation open a closed bracket.
    pub(super) source: usize,
}

impl Bracket {
    pub(super) fn holds(&self, word: usize) -> bool {
        self.set.holds(word)
    }

    /// Whether `word` stands before the first or after the last word of the bracket.
    pub(super) fn is_outside(&self, word: usize) -> bool {
        self.words.first().is_none_or(|&first| word < first)
            || self.words.last().is_none_or(|&last| last < word)
    }
}

/// All that is claimed of one sentence. Brackets stand after the brackets they contain.
#[derive(Clone, Debug, Default)]
pub(super) struct Claims {
    pub(super) n_words: usize,
    /// How many annotations have been put together.
    pub(super) n_sources: usize,
    pub(super) brackets: Vec<Bracket>,
    pub(super) arcs: Vec<Claim>,
    pub(super) forbidden: Vec<Claim>,
    /// Words that take no dependents.
    pub(super) leaves: Vec<(usize, Place)>,
    /// Words that are no part of the tree, in rising order.
    pub(super) left_out: Vec<usize>,
}

impl Claims {
    /// Nothing.
    pub(super) fn none(n_words: usize) -> Self {
        Self { n_words, n_sources: 1, ..Self::default() }
    }

    /// What `said` claims under `reading`.
    pub(super) fn new(said: &PartialTree, reading: &Reading) -> Result<Self, Conflict> {
        check_names(said)?;
        let mut groups =
            Groups { said, reading, ends: vec![None; said.groups.len()], claims: Self::none(said.n_words) };
        for group in inner_first(said)? {
            groups.read(group)?;
        }
        for arc in &said.arcs {
            let (head, dependent) = (groups.end(arc.head), groups.end(arc.dependent));
            groups.claims.arcs.push(Claim { head, dependent, place: arc.place, source: 0 });
        }
        for arc in &said.forbidden {
            let (head, dependent) = (groups.end(arc.head), groups.end(arc.dependent));
            groups.claims.forbidden.push(Claim { head, dependent, place: arc.place, source: 0 });
        }
        for &(node, place) in &said.roots {
            let dependent = groups.end(node);
            groups.claims.arcs.push(Claim { head: End::Word(0), dependent, place, source: 0 });
        }
        for &(node, place) in &said.dependents {
            let dependent = groups.end(node);
            groups.claims.forbidden.push(Claim { head: End::Word(0), dependent, place, source: 0 });
        }
        let mut claims = groups.claims;
        if reading.omit_unmentioned {
            let mentioned = said.mentioned_words();
            claims.left_out =
                (1..=said.n_words).filter(|word| mentioned.binary_search(word).is_err()).collect();
        }
        Ok(claims)
    }

    /// Both; a word that either leaves out is left out.
    pub(super) fn and(mut self, other: &Self) -> Self {
        let offset = self.brackets.len();
        let shift = |end: End| match end {
            End::Word(word) => End::Word(word),
            End::Bracket(index) => End::Bracket(index + offset),
        };
        let n_sources = self.n_sources;
        let shift_claim = |claim: &Claim| Claim {
            head: shift(claim.head),
            dependent: shift(claim.dependent),
            place: claim.place,
            source: claim.source + n_sources,
        };
        self.brackets.extend(other.brackets.iter().map(|bracket| Bracket {
            members: bracket.members.iter().copied().map(shift).collect(),
            head: bracket.head.map(shift),
            source: bracket.source + n_sources,
            ..bracket.clone()
        }));
        self.arcs.extend(other.arcs.iter().map(shift_claim));
        self.forbidden.extend(other.forbidden.iter().map(shift_claim));
        self.leaves.extend(&other.leaves);
        self.n_sources += other.n_sources;
        self.left_out.extend(&other.left_out);
        self.left_out.sort_unstable();
        self.left_out.dedup();
        self
    }

    /// Whether nothing is claimed at all.
    pub(super) fn is_empty(&self) -> bool {
        let Self { n_words: _, n_sources: _, brackets, arcs, forbidden, leaves, left_out } = self;
        brackets.is_empty()
            && arcs.is_empty()
            && forbidden.is_empty()
            && leaves.is_empty()
            && left_out.is_empty()
    }

    /// Every word below or at `end`; none for the root.
    pub(super) fn words(&self, end: End) -> impl Iterator<Item = usize> {
        let (word, bracket) = match end {
            End::Word(word) => (Some(word).filter(|&word| word != 0), [].as_slice()),
            End::Bracket(index) => (None, self.brackets[index].words.as_slice()),
        };
        word.into_iter().chain(bracket.iter().copied())
    }

    /// Whether `word` is no part of the tree.
    pub(super) fn is_left_out(&self, word: usize) -> bool {
        self.left_out.binary_search(&word).is_ok()
    }
}

/// Every word and group that is named must exist.
fn check_names(said: &PartialTree) -> Result<(), Conflict> {
    let nowhere = Place::default();
    let members =
        said.groups.iter().flat_map(|group| named(&group.kind).into_iter().map(|node| (node, group.place)));
    let arcs = said.arcs.iter().chain(&said.forbidden);
    let ends = arcs.flat_map(|arc| [(arc.head, arc.place), (arc.dependent, arc.place)]);
    let links = said.anaphora.iter().flat_map(|&(one, other, place)| [(one, place), (other, place)]);
    let mentioned = said.mentioned.iter().map(|&word| (Node::Word(word), nowhere));
    let roots = said.roots.iter().chain(&said.dependents);
    for (node, place) in members.chain(ends).chain(roots.copied()).chain(links).chain(mentioned) {
        match node {
            Node::Word(word) if word == 0 || word > said.n_words => {
                return Err(Conflict::NoSuchWord { word, n_words: said.n_words, place });
            }
            Node::Group(group) if group >= said.groups.len() => {
                return Err(Conflict::NoSuchGroup { group, n_groups: said.groups.len(), place });
            }
            _ => {}
        }
    }
    Ok(())
}

/// Everything that a group names.
fn named(kind: &GroupKind) -> Vec<Node> {
    match kind {
        GroupKind::Multiword { words } => words.iter().map(|&word| Node::Word(word)).collect(),
        GroupKind::Bracket { members, head } => members.iter().chain(head).copied().collect(),
        GroupKind::Coordination { conjuncts, coordinators, .. } => {
            conjuncts.iter().chain(coordinators).copied().collect()
        }
    }
}

/// The groups in an order in which each stands after those it contains.
fn inner_first(said: &PartialTree) -> Result<Vec<usize>, Conflict> {
    #[derive(Clone, Copy, PartialEq)]
    enum Visit {
        New,
        Open,
        Done,
    }
    let mut states = vec![Visit::New; said.groups.len()];
    let mut order = Vec::with_capacity(said.groups.len());
    let mut todo: Vec<usize> = (0..said.groups.len()).rev().collect();
    while let Some(&group) = todo.last() {
        if states[group] != Visit::New {
            todo.pop();
            if std::mem::replace(&mut states[group], Visit::Done) == Visit::Open {
                order.push(group);
            }
            continue;
        }
        states[group] = Visit::Open;
        for node in named(&said.groups[group].kind) {
            match node {
                Node::Group(inner) if states[inner] == Visit::Open => {
                    return Err(Conflict::GroupInItself { place: said.groups[inner].place });
                }
                Node::Group(inner) if states[inner] == Visit::New => todo.push(inner),
                _ => {}
            }
        }
    }
    Ok(order)
}

/// Groups that are being read.
struct Groups<'a> {
    said: &'a PartialTree,
    reading: &'a Reading,
    ends: Vec<Option<End>>,
    claims: Claims,
}

impl Groups<'_> {
    /// What stands for `node` in an arc; inner groups have been read before.
    fn end(&self, node: Node) -> End {
        match node {
            Node::Word(word) => End::Word(word),
            Node::Group(group) => self.ends[group].expect("groups are read from the inside out"),
        }
    }

    fn read(&mut self, group: usize) -> Result<(), Conflict> {
        let said = self.said;
        let place = said.groups[group].place;
        let end = match &said.groups[group].kind {
            GroupKind::Multiword { words } => self.multiword(words, place),
            GroupKind::Bracket { members, head } => self.bracket(group, members, *head, place),
            GroupKind::Coordination { conjuncts, coordinators, .. } => {
                self.coordination(conjuncts, coordinators, place)
            }
        };
        self.ends[group] = Some(end.ok_or(Conflict::EmptyGroup { place })?);
        Ok(())
    }

    /// One token heads the others, and these take no dependents.
    fn multiword(&mut self, words: &[usize], place: Place) -> Option<End> {
        let head = match self.reading.multiword {
            MultiwordHead::First => words.iter().min(),
            MultiwordHead::Last => words.iter().max(),
        };
        let &head = head?;
        for &word in words.iter().filter(|&&word| word != head) {
            self.claim(End::Word(head), End::Word(word), place);
            self.claims.leaves.push((word, place));
        }
        Some(End::Word(head))
    }

    fn bracket(&mut self, group: usize, members: &[Node], head: Option<Node>, place: Place) -> Option<End> {
        let n_words = self.said.n_words;
        let mut seen = Bits::empty(n_words + self.claims.brackets.len());
        let mut ends: Vec<End> = Vec::new();
        for &member in members.iter().chain(&head) {
            let end = self.end(member);
            let number = match end {
                End::Word(word) => word,
                End::Bracket(index) => n_words + 1 + index,
            };
            if seen.insert(number) {
                ends.push(end);
            }
        }
        let mut words = self.said.words_of(Node::Group(group));
        words.extend(head.into_iter().flat_map(|head| self.said.words_of(head)));
        words.sort_unstable();
        words.dedup();
        let closed = self.reading.brackets == BracketReading::Subtree;
        // The only member is the head, said or not.
        let head =
            head.map(|head| self.end(head)).or(if ends.len() == 1 { ends.first().copied() } else { None });
        let set = Bits::of(n_words, words.iter().copied());
        let bracket = Bracket { members: ends, head, words, set, closed, place, source: 0 };
        let is_empty = bracket.members.is_empty();
        self.claims.brackets.push(bracket);
        (!is_empty).then(|| End::Bracket(self.claims.brackets.len() - 1))
    }

    fn coordination(&mut self, conjuncts: &[Node], coordinators: &[Node], place: Place) -> Option<End> {
        let (conjuncts, coordinators) = (self.in_order(conjuncts), self.in_order(coordinators));
        let by_coordinator =
            self.reading.coordination == CoordinationHead::Coordinator && !coordinators.is_empty();
        if by_coordinator || conjuncts.is_empty() {
            let &(_, head) = coordinators.first()?;
            for &(_, dependent) in coordinators[1..].iter().chain(&conjuncts) {
                self.claim(head, dependent, place);
            }
            return Some(head);
        }
        let (&(_, head), others) = conjuncts.split_first()?;
        for &(_, conjunct) in others {
            self.claim(head, conjunct, place);
        }
        for &(position, coordinator) in &coordinators {
            let following = conjuncts.iter().find(|&&(first, _)| first > position);
            let &(_, conjunct) = following.or(conjuncts.last())?;
            self.claim(conjunct, coordinator, place);
        }
        Some(head)
    }

    /// The nodes by their first words in the sentence.
    fn in_order(&self, nodes: &[Node]) -> Vec<(usize, End)> {
        let first = |node: Node| self.said.words_of(node).first().copied().unwrap_or(0);
        let mut ordered: Vec<_> = nodes.iter().map(|&node| (first(node), self.end(node))).collect();
        ordered.order_by_key(|&(first, _)| first);
        ordered
    }

    fn claim(&mut self, head: End, dependent: End, place: Place) {
        self.claims.arcs.push(Claim { head, dependent, place, source: 0 });
    }
}
