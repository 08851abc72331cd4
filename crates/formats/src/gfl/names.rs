//! What the lines of an annotation share: tokens, variables, groups, and what was said of them.

use super::expression::Piece;
use super::lexer;
use super::tokens::{NameError, Tokens};
use crate::{Problem, alike};
use std::collections::{BTreeMap, BTreeSet};
use tree::{Arc, Group, GroupKind, Node, PartialTree, Place};

/// More tokens are not proposed for an unknown one.
const MOST_MEANT: usize = 3;

/// The partial tree under construction.
pub(crate) struct Names<'a> {
    pub(crate) tokens: &'a Tokens<'a>,
    said: PartialTree,
    problems: Vec<Problem>,
    /// Variables with their groups, which are the first ones.
    variables: BTreeMap<String, usize>,
    /// Where the coordination of each variable's group is defined.
    defined: Vec<Option<Place>>,
    brackets: BTreeMap<Vec<Node>, usize>,
    multiwords: BTreeMap<Vec<usize>, usize>,
    /// For each word the lexical node it was first used in: itself or a multiword.
    used_in: Vec<Option<(Node, Place)>>,
    arcs: BTreeSet<(Node, Node)>,
    roots: BTreeSet<Node>,
    links: BTreeSet<(Node, Node)>,
}

impl<'a> Names<'a> {
    pub(crate) fn new(tokens: &'a Tokens<'a>, variables: Vec<String>) -> Self {
        let mut names = Self {
            tokens,
            said: PartialTree::new(tokens.len()),
            problems: Vec::new(),
            variables: BTreeMap::new(),
            defined: Vec::new(),
            brackets: BTreeMap::new(),
            multiwords: BTreeMap::new(),
            used_in: vec![None; tokens.len()],
            arcs: BTreeSet::new(),
            roots: BTreeSet::new(),
            links: BTreeSet::new(),
        };
        for name in variables {
            if !names.variables.contains_key(&name) {
                let kind = GroupKind::Coordination {
                    name: name.clone(),
                    conjuncts: Vec::new(),
                    coordinators: Vec::new(),
                };
                let group = names.push(kind, Place::default());
                names.variables.insert(name, group);
                names.defined.push(None);
            }
        }
        names
    }

    /// The tree and the problems; words that were only named are noted as mentioned.
    pub(crate) fn finish(mut self) -> (PartialTree, Vec<Problem>) {
        let mut busy = vec![false; self.said.n_words];
        let mut note = |node: Node| {
            if let Node::Word(word) = node {
                busy[word - 1] = true;
            }
        };
        for arc in &self.said.arcs {
            note(arc.head);
            note(arc.dependent);
        }
        self.said.roots.iter().for_each(|&(node, _)| note(node));
        for &(one, other, _) in &self.said.anaphora {
            note(one);
            note(other);
        }
        for group in &self.said.groups {
            match &group.kind {
                GroupKind::Multiword { .. } => {}
                GroupKind::Bracket { members, .. } => members.iter().for_each(|&node| note(node)),
                GroupKind::Coordination { conjuncts, coordinators, .. } => {
                    conjuncts.iter().chain(coordinators).for_each(|&node| note(node));
                }
            }
        }
        let only_named =
            |index: &usize| matches!(self.used_in[*index], Some((Node::Word(_), _))) && !busy[*index];
        self.said.mentioned = (0..busy.len()).filter(only_named).map(|index| index + 1).collect();
        (self.said, self.problems)
    }

    pub(crate) fn error(&mut self, rule: &'static str, place: Place, message: impl Into<String>, help: &str) {
        self.problems.push(Problem::error(rule, place, message, help));
    }

    fn push(&mut self, kind: GroupKind, place: Place) -> usize {
        self.said.groups.push(Group { kind, place });
        self.said.groups.len() - 1
    }

    /// The word or variable called `name`.
    pub(crate) fn node(&mut self, name: &str, place: Place) -> Option<Node> {
        if let Some(&group) = self.variables.get(name) {
            return Some(Node::Group(group));
        }
        if lexer::is_variable(name) && self.tokens.resolve(name) == Err(NameError::Unknown) {
            let message = format!("the variable {name} is not defined");
            self.error("undefined-variable", place, message, "add a line such as $x :: {a b} :: and");
            return None;
        }
        let word = self.token(name, place)?;
        self.use_in(word, Node::Word(word), place);
        Some(Node::Word(word))
    }

    /// The token called `name`.
    pub(crate) fn token(&mut self, name: &str, place: Place) -> Option<usize> {
        let error = match self.tokens.resolve(name) {
            Ok(word) => return Some(word),
            Err(error) => error,
        };
        match error {
            NameError::Unknown => {
                let message = format!("no token of the sentence is called {name}");
                let help = "name a token exactly as it stands in TEXT, with spaces around operators";
                let help = self
                    .meant(name)
                    .map_or_else(|| help.to_string(), |meant| format!("{meant} If not, {help}"));
                self.error("unknown-token", place, message, &help);
            }
            NameError::Ambiguous { count } => {
                let message = format!("{name} occurs {count} times in the sentence");
                let help = format!("say which one: {name}~1 to {name}~{count}");
                self.error("ambiguous-token", place, message, &help);
            }
            NameError::OutOfRange { form, count } => {
                let message = format!("{name}: the token {form} occurs only {count} times");
                self.error("token-index-out-of-range", place, message, "count the occurrences from 1");
            }
        }
        None
    }

    /// A question after the token that was probably meant; an index behind a name stays there.
    fn meant(&self, name: &str) -> Option<String> {
        let (stem, index) = name.rsplit_once('~').unwrap_or((name, ""));
        let known = (1..=self.tokens.len()).map(|word| self.tokens.form(word));
        let found = alike::meant(stem, known);
        let first = found.first()?;
        let others: Vec<String> = found
            .iter()
            .take(MOST_MEANT)
            .map(|form| match index {
                "" => format!("`{}`", alike::told_apart(form, stem).0),
                index => format!("`{}~{index}`", alike::told_apart(form, stem).0),
            })
            .collect();
        let why = alike::small_difference(stem, first).unwrap_or_default();
        Some(format!("did you mean {} ({why})?", others.join(" or ")))
    }

    /// A word belongs to one lexical node: itself or one multiword.
    fn use_in(&mut self, word: usize, node: Node, place: Place) {
        match self.used_in[word - 1] {
            None => self.used_in[word - 1] = Some((node, place)),
            Some((before, _)) if before == node => {}
            Some((_, before)) => {
                let message = format!("token {word} is part of another lexical node, see {before}");
                let help = "use the same multiword everywhere, or no multiword";
                self.error("token-in-two-nodes", place, message, help);
            }
        }
    }

    pub(crate) fn multiword(&mut self, mut words: Vec<usize>, place: Place) -> Node {
        let n_named = words.len();
        words.sort_unstable();
        words.dedup();
        if words.len() < n_named {
            self.problems.push(Problem::warning(
                "repeated-member",
                place,
                "a token is named twice in this multiword",
                "name it once",
            ));
        }
        if let [word] = words[..] {
            self.problems.push(Problem::warning(
                "multiword-of-one",
                place,
                "a multiword of one token is just that token",
                "leave out the square brackets",
            ));
            self.use_in(word, Node::Word(word), place);
            return Node::Word(word);
        }
        if let Some(&group) = self.multiwords.get(&words) {
            return Node::Group(group);
        }
        let group = self.push(GroupKind::Multiword { words: words.clone() }, place);
        for &word in &words {
            self.use_in(word, Node::Group(group), place);
        }
        self.multiwords.insert(words, group);
        Node::Group(group)
    }

    /// Brackets over the same members are the same bracket, wherever they stand.
    pub(crate) fn bracket(&mut self, mut members: Vec<Node>, head: Option<Node>, place: Place) -> Node {
        let mut key = members.clone();
        key.sort_unstable();
        key.dedup();
        if key.len() < members.len() {
            let (message, help) = ("a word or group is named twice in this bracket", "name it once");
            self.problems.push(Problem::warning("repeated-member", place, message, help));
            let mut seen = BTreeSet::new();
            members.retain(|&member| seen.insert(member));
        }
        if let [single] = key[..] {
            return single;
        }
        let Some(&group) = self.brackets.get(&key) else {
            let group = self.push(GroupKind::Bracket { members, head }, place);
            self.brackets.insert(key, group);
            return Node::Group(group);
        };
        let before = self.said.groups[group].place;
        if let GroupKind::Bracket { head: known, .. } = &mut self.said.groups[group].kind {
            match (*known, head) {
                (None, head) => *known = head,
                (Some(known), Some(head)) if known != head => {
                    let message = format!("this bracket has another head here than at {before}");
                    self.error("bracket-two-heads", place, message, "mark the same member with * in both");
                }
                _ => {}
            }
        }
        Node::Group(group)
    }

    pub(crate) fn is_variable(&self, node: Node) -> bool {
        matches!(node, Node::Group(group) if group < self.defined.len())
    }

    pub(crate) fn define(&mut self, node: Node, conjuncts: Vec<Node>, coordinators: Vec<Node>, place: Place) {
        let Node::Group(index) = node else { return };
        if let Some(before) = self.defined[index] {
            let message = format!("this variable is already defined at {before}");
            self.error("duplicate-definition", place, message, "use another name, or one set of conjuncts");
            return;
        }
        self.defined[index] = Some(place);
        let group = &mut self.said.groups[index];
        group.place = place;
        if let GroupKind::Coordination { conjuncts: first, coordinators: second, .. } = &mut group.kind {
            *first = conjuncts;
            *second = coordinators;
        }
    }

    pub(crate) fn arc(&mut self, head: Node, dependent: Node, place: Place) {
        if self.arcs.insert((head, dependent)) {
            self.said.arcs.push(Arc { head, dependent, place });
        }
    }

    pub(crate) fn root(&mut self, node: Node, place: Place) {
        if self.roots.insert(node) {
            self.said.roots.push((node, place));
        }
    }

    pub(crate) fn link(&mut self, one: Node, other: Node, place: Place) {
        if self.links.insert((one, other)) {
            self.said.anaphora.push((one, other, place));
        }
    }
}

/// From the first to the last piece.
pub(crate) fn place_of(pieces: &[Piece], line: u32) -> Place {
    match (pieces.first(), pieces.last()) {
        (Some(first), Some(last)) => Place::new(line, first.column, last.column + last.length - first.column),
        _ => Place::line(line),
    }
}
