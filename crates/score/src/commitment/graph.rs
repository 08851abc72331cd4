//! An annotation over lexical nodes: multiwords joined, coordinations replaced by a coordinator.

use std::collections::{BTreeMap, BTreeSet};
use tree::{GroupKind, Node, PartialTree, PutTogether};

/// Which words take part in the tree besides those in other nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Nodes {
    /// Words that the annotation names; the others (punctuation, mostly) are left out of the tree.
    #[default]
    Mentioned,
    /// All words of the sentence.
    All,
    /// Words that the annotation names, and these (from 1).
    With(Vec<usize>),
}

/// A vertex of the annotation graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Entity {
    Root,
    /// A lexical node: a word or a multiword.
    Lexeme(usize),
    Bracket(usize),
}

/// Lexical nodes, brackets and arcs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    /// Words of each lexical node, the nodes in the order of their first words.
    pub(crate) lexemes: Vec<Vec<usize>>,
    pub(crate) brackets: Vec<EntityBracket>,
    /// Head and dependent.
    pub(crate) arcs: BTreeSet<(Entity, Entity)>,
    pub(crate) forbidden: BTreeSet<(Entity, Entity)>,
}

/// A bracket over lexical nodes and other brackets.
#[derive(Clone, Debug)]
pub(crate) struct EntityBracket {
    pub(crate) members: BTreeSet<Entity>,
    pub(crate) head: Option<Entity>,
    /// Two heads were said.
    pub(crate) contradicted: bool,
}

impl Graph {
    pub(crate) fn new(said: &PartialTree, nodes: &Nodes) -> Self {
        Builder::new(said, nodes).build()
    }

    /// The lexical nodes under each bracket, all levels down.
    pub(crate) fn yields(&self) -> Vec<BTreeSet<usize>> {
        let below = |index: usize| {
            let mut found = BTreeSet::new();
            let mut seen = BTreeSet::from([index]);
            let mut todo = vec![index];
            while let Some(bracket) = todo.pop() {
                for &member in &self.brackets[bracket].members {
                    match member {
                        Entity::Lexeme(lexeme) => drop(found.insert(lexeme)),
                        Entity::Bracket(inner) if seen.insert(inner) => todo.push(inner),
                        _ => {}
                    }
                }
            }
            found
        };
        (0..self.brackets.len()).map(below).collect()
    }

    /// Brackets from the innermost to the outermost.
    pub(crate) fn inner_first(&self) -> Vec<usize> {
        let mut waiting: Vec<usize> =
            self.brackets.iter().map(|bracket| inner_brackets(bracket).count()).collect();
        let mut outside: Vec<Vec<usize>> = vec![Vec::new(); self.brackets.len()];
        for (index, bracket) in self.brackets.iter().enumerate() {
            inner_brackets(bracket).for_each(|inner| outside[inner].push(index));
        }
        let mut order: Vec<usize> = (0..waiting.len()).filter(|&index| waiting[index] == 0).collect();
        let mut at = 0;
        while let Some(&index) = order.get(at) {
            at += 1;
            for &outer in &outside[index] {
                waiting[outer] -= 1;
                if waiting[outer] == 0 {
                    order.push(outer);
                }
            }
        }
        order
    }
}

fn inner_brackets(bracket: &EntityBracket) -> impl Iterator<Item = usize> {
    bracket.members.iter().filter_map(|member| match member {
        Entity::Bracket(inner) => Some(*inner),
        _ => None,
    })
}

struct Builder<'a> {
    said: &'a PartialTree,
    graph: Graph,
    lexeme_of: BTreeMap<usize, usize>,
    bracket_of: BTreeMap<usize, usize>,
}

impl<'a> Builder<'a> {
    fn new(said: &'a PartialTree, nodes: &Nodes) -> Self {
        let mut words: BTreeSet<usize> = said.mentioned_words().into_iter().into_set();
        match nodes {
            Nodes::Mentioned => {}
            Nodes::All => words.extend(1..=said.n_words),
            Nodes::With(more) => words.extend(more),
        }
        let mut lexemes: Vec<Vec<usize>> = Vec::new();
        for group in &said.groups {
            if let GroupKind::Multiword { words: inner } = &group.kind {
                // A word in two multiwords is a mistake; it stays with the first.
                let fresh: Vec<usize> = inner.iter().copied().filter(|word| words.remove(word)).collect();
                if !fresh.is_empty() {
                    lexemes.push(fresh);
                }
            }
        }
        lexemes.extend(words.into_iter().map(|word| vec![word]));
        lexemes.sort_unstable();
        let lexeme_of = lexemes
            .iter()
            .enumerate()
            .flat_map(|(index, words)| words.iter().map(move |&word| (word, index)));
        let lexeme_of = lexeme_of.collect();
        Self { said, graph: Graph { lexemes, ..Graph::default() }, lexeme_of, bracket_of: BTreeMap::new() }
    }

    fn build(mut self) -> Graph {
        self.number_brackets();
        for arc in &self.said.arcs {
            self.arc(arc.head, arc.dependent);
        }
        for &(node, _) in &self.said.roots {
            if let Some(entity) = self.entity(node) {
                self.graph.arcs.insert((Entity::Root, entity));
            }
        }
        for group in &self.said.groups {
            if let GroupKind::Coordination { conjuncts, coordinators, .. } = &group.kind {
                let Some(head) = self.coordination_head(conjuncts, coordinators) else { continue };
                for &part in conjuncts.iter().chain(coordinators) {
                    if self.entity(part) != self.entity(head) {
                        self.arc(head, part);
                    }
                }
            }
        }
        for arc in &self.said.forbidden {
            if let (Some(head), Some(dependent)) = (self.entity(arc.head), self.entity(arc.dependent)) {
                self.graph.forbidden.insert((head, dependent));
            }
        }
        self.graph
    }

    fn arc(&mut self, head: Node, dependent: Node) {
        if let (Some(head), Some(dependent)) = (self.entity(head), self.entity(dependent)) {
            self.graph.arcs.insert((head, dependent));
        }
    }

    /// Brackets over the same members are one; brackets without members are none.
    fn number_brackets(&mut self) {
        let mut by_members: BTreeMap<Vec<Node>, usize> = BTreeMap::new();
        for (group, value) in self.said.groups.iter().enumerate() {
            let GroupKind::Bracket { members, .. } = &value.kind else { continue };
            let mut key = members.clone();
            key.sort_unstable();
            key.dedup();
            if !key.is_empty() {
                let next = by_members.len();
                let index = *by_members.entry(key).or_insert(next);
                self.bracket_of.insert(group, index);
            }
        }
        let empty = EntityBracket { members: BTreeSet::new(), head: None, contradicted: false };
        self.graph.brackets = vec![empty; by_members.len()];
        for (group, value) in self.said.groups.iter().enumerate() {
            let GroupKind::Bracket { members, head } = &value.kind else { continue };
            let Some(&index) = self.bracket_of.get(&group) else { continue };
            let members: BTreeSet<Entity> =
                members.iter().filter_map(|&member| self.entity(member)).into_set();
            let head = head.and_then(|head| self.entity(head));
            let bracket = &mut self.graph.brackets[index];
            bracket.members = members;
            bracket.contradicted |= head.is_some() && bracket.head.is_some() && head != bracket.head;
            bracket.head = bracket.head.or(head);
        }
    }

    fn entity(&self, mut node: Node) -> Option<Entity> {
        // A coordination may stand for another one; the bound guards against circles.
        for _ in 0..=self.said.groups.len() {
            let Node::Group(index) = node else { break };
            match &self.said.groups.get(index)?.kind {
                GroupKind::Multiword { words } => return self.lexeme(*words.first()?),
                GroupKind::Bracket { .. } => {
                    return self.bracket_of.get(&index).map(|&bracket| Entity::Bracket(bracket));
                }
                GroupKind::Coordination { conjuncts, coordinators, .. } => {
                    node = self.coordination_head(conjuncts, coordinators)?;
                }
            }
        }
        match node {
            Node::Word(word) => self.lexeme(word),
            Node::Group(_) => None,
        }
    }

    fn lexeme(&self, word: usize) -> Option<Entity> {
        self.lexeme_of.get(&word).map(|&lexeme| Entity::Lexeme(lexeme))
    }

    /// The leftmost coordinator, or the leftmost conjunct where there is no coordinator.
    fn coordination_head(&self, conjuncts: &[Node], coordinators: &[Node]) -> Option<Node> {
        let parts = if coordinators.is_empty() { conjuncts } else { coordinators };
        parts.iter().copied().min_by_key(|&part| self.said.words_of(part).first().copied())
    }
}
