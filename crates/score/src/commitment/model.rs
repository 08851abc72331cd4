//! Which trees an annotation supports, as conditions on heads.

use super::graph::{Entity, Graph};
use std::collections::{BTreeMap, BTreeSet};

/// Conditions that together describe exactly the supported trees.
///
/// A tree is supported if every arc is allowed, every set is connected with one of its tops highest, and
/// every requirement, condition and ban is met. [`narrow`](SupportedTrees::narrow) takes away what cannot be in any such
/// tree. After it, only tops of a set have heads outside the set, and a set with only one top needs no further
/// care: its top is headed outside and all its other nodes inside.
#[derive(Clone, Debug)]
pub(crate) struct SupportedTrees {
    pub(crate) n_lexemes: usize,
    /// `allowed[d][h]`: whether d may have head h; head 0 is the root, head h + 1 the lexical node h.
    pub(crate) allowed: Vec<Vec<bool>>,
    pub(crate) sets: Vec<Set>,
    pub(crate) requirements: Vec<Requirement>,
    pub(crate) conditions: Vec<Condition>,
    /// What must not be met: the highest of `nodes` does not depend on the highest of `on`.
    pub(crate) bans: Vec<Requirement>,
    /// Whether the members of every bracket share no node; if not, the conditions are not enough.
    pub(crate) members_are_disjoint: bool,
}

/// The lexical nodes of a bracket.
#[derive(Clone, Debug)]
pub(crate) struct Set {
    pub(crate) nodes: Vec<usize>,
    pub(crate) holds: Vec<bool>,
    /// Nodes that may be the highest.
    pub(crate) tops: Vec<bool>,
}

/// The highest of `nodes` depends on the highest of the set `on`, whichever they are.
#[derive(Clone, Debug)]
pub(crate) struct Requirement {
    pub(crate) nodes: Vec<usize>,
    pub(crate) holds: Vec<bool>,
    pub(crate) on: usize,
}

/// If the head of one of `nodes` is in the set `on`, it is the highest node there.
///
/// That is what a bracket inside a bracket means: outside, only its head takes part.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    pub(crate) nodes: Vec<usize>,
    pub(crate) on: usize,
}

impl Set {
    pub(crate) fn n_tops(&self) -> usize {
        self.tops.iter().filter(|&&top| top).count()
    }

    /// The only node that may be the highest, if there is just one.
    fn only_top(&self) -> Option<usize> {
        let mut tops = self.nodes.iter().copied().filter(|&node| self.tops[node]);
        tops.next().filter(|_| tops.next().is_none())
    }

    fn holds_head(&self, head: usize) -> bool {
        head > 0 && self.holds[head - 1]
    }
}

impl SupportedTrees {
    pub(crate) fn new(graph: &Graph) -> Self {
        let n_lexemes = graph.lexemes.len();
        let allowed = (0..n_lexemes).map(|d| (0..=n_lexemes).map(|h| h != d + 1).collect()).collect();
        let mut model = Self {
            n_lexemes,
            allowed,
            sets: Vec::new(),
            requirements: Vec::new(),
            conditions: Vec::new(),
            bans: Vec::new(),
            members_are_disjoint: true,
        };
        let yields = graph.yields();
        let set_of = model.add_sets(graph, &yields);
        model.add_conditions(graph, &yields, &set_of);
        for &(head, dependent) in &graph.arcs {
            model.add_arc(head, dependent, &yields, &set_of);
        }
        for &(head, dependent) in &graph.forbidden {
            model.forbid(head, dependent, &yields, &set_of);
        }
        model.narrow();
        model
    }

    fn flags(&self, nodes: &BTreeSet<usize>) -> Vec<bool> {
        (0..self.n_lexemes).map(|node| nodes.contains(&node)).collect()
    }

    /// Brackets over the same nodes become one set; returns the set of each bracket.
    fn add_sets(&mut self, graph: &Graph, yields: &[BTreeSet<usize>]) -> Vec<usize> {
        let mut by_nodes: BTreeMap<&BTreeSet<usize>, usize> = BTreeMap::new();
        let mut set_of = Vec::new();
        for (bracket, nodes) in graph.brackets.iter().zip(yields) {
            let index = *by_nodes.entry(nodes).or_insert_with(|| {
                let holds = self.flags(nodes);
                self.sets.push(Set { nodes: nodes.iter().copied().collect(), tops: holds.clone(), holds });
                self.sets.len() - 1
            });
            let head = bracket.head.map(|head| nodes_of(head, yields));
            for (node, top) in self.sets[index].tops.iter_mut().enumerate() {
                *top &= !bracket.contradicted && head.as_ref().is_none_or(|head| head.contains(&node));
            }
            set_of.push(index);
        }
        set_of
    }

    fn add_conditions(&mut self, graph: &Graph, yields: &[BTreeSet<usize>], set_of: &[usize]) {
        for (bracket, whole) in graph.brackets.iter().zip(yields) {
            let size: usize = bracket.members.iter().map(|&member| nodes_of(member, yields).len()).sum();
            if size != whole.len() {
                self.members_are_disjoint = false;
                continue;
            }
            for &member in &bracket.members {
                if let Entity::Bracket(inner) = member {
                    let nodes = whole.difference(&yields[inner]).copied().collect();
                    self.conditions.push(Condition { nodes, on: set_of[inner] });
                }
            }
        }
    }

    fn add_arc(&mut self, head: Entity, dependent: Entity, yields: &[BTreeSet<usize>], set_of: &[usize]) {
        let nodes = nodes_of(dependent, yields);
        if let Entity::Bracket(bracket) = head {
            self.requirements.push(self.requirement(nodes, set_of[bracket]));
            return;
        }
        let only = firm_index(head);
        for &node in &nodes {
            for (other, allowed) in self.allowed[node].iter_mut().enumerate() {
                let inside = other > 0 && nodes.contains(&(other - 1));
                *allowed &= inside || other == only;
            }
        }
    }

    fn requirement(&self, nodes: BTreeSet<usize>, on: usize) -> Requirement {
        Requirement { holds: self.flags(&nodes), nodes: nodes.into_iter().collect(), on }
    }

    /// Rules out that the highest node of `dependent` depends on that of `head`.
    ///
    /// The highest node of a set is the one that is headed outside. So a head outside is ruled out for all
    /// nodes of the set alike, and a head inside rules out nothing.
    fn forbid(&mut self, head: Entity, dependent: Entity, yields: &[BTreeSet<usize>], set_of: &[usize]) {
        let nodes = nodes_of(dependent, yields);
        match head {
            Entity::Bracket(bracket) => self.bans.push(self.requirement(nodes, set_of[bracket])),
            Entity::Lexeme(head) if nodes.contains(&head) => {}
            firm => nodes.iter().for_each(|&node| self.allowed[node][firm_index(firm)] = false),
        }
    }

    /// Whether some arc into `node` comes from a head with this property.
    fn any_head(&self, node: usize, property: impl Fn(usize) -> bool) -> bool {
        self.allowed[node].iter().enumerate().any(|(head, &allowed)| allowed && property(head))
    }

    /// Takes away arcs and tops that no supported tree has, until nothing changes.
    fn narrow(&mut self) {
        while self.narrow_sets()
            | self.narrow_requirements()
            | self.narrow_conditions()
            | self.narrow_bans()
            | self.narrow_cycles()
        {}
    }

    fn narrow_conditions(&mut self) -> bool {
        let mut changed = false;
        for condition in &self.conditions {
            let set = &self.sets[condition.on];
            for &dependent in &condition.nodes {
                for &node in set.nodes.iter().filter(|&&node| !set.tops[node]) {
                    changed |= std::mem::replace(&mut self.allowed[dependent][node + 1], false);
                }
            }
        }
        changed
    }

    /// A ban on a set with one top is a ban on that top.
    fn narrow_bans(&mut self) -> bool {
        let mut changed = false;
        for ban in &self.bans {
            if let Some(top) = self.sets[ban.on].only_top().filter(|&top| !ban.holds[top]) {
                for &node in &ban.nodes {
                    changed |= std::mem::replace(&mut self.allowed[node][top + 1], false);
                }
            }
        }
        changed
    }

    fn narrow_sets(&mut self) -> bool {
        let mut changed = self.narrow_only_tops();
        for index in 0..self.sets.len() {
            for at in 0..self.sets[index].nodes.len() {
                let set = &self.sets[index];
                let node = set.nodes[at];
                let leaves = self.any_head(node, |head| !set.holds_head(head));
                let stays = self.any_head(node, |head| set.holds_head(head));
                let set = &mut self.sets[index];
                if set.tops[node] && !leaves {
                    set.tops[node] = false;
                    changed = true;
                }
                if !stays {
                    // Without a head inside it must be the top itself.
                    for other in (0..self.n_lexemes).filter(|&other| other != node) {
                        changed |= std::mem::replace(&mut set.tops[other], false);
                    }
                }
                if leaves && !set.tops[node] {
                    for (head, allowed) in self.allowed[node].iter_mut().enumerate() {
                        *allowed &= set.holds_head(head);
                    }
                    changed = true;
                }
            }
        }
        changed
    }

    /// The only top of a set is headed outside.
    fn narrow_only_tops(&mut self) -> bool {
        let mut changed = false;
        for set in &self.sets {
            if let Some(top) = set.only_top() {
                for &node in &set.nodes {
                    changed |= std::mem::replace(&mut self.allowed[top][node + 1], false);
                }
            }
        }
        changed
    }

    fn narrow_requirements(&mut self) -> bool {
        let mut changed = false;
        for requirement in &self.requirements {
            let tops = &mut self.sets[requirement.on].tops;
            for (node, top) in tops.iter_mut().enumerate() {
                let reached = requirement.nodes.iter().any(|&dependent| self.allowed[dependent][node + 1]);
                if *top && (requirement.holds[node] || !reached) {
                    *top = false;
                    changed = true;
                }
            }
            for &dependent in &requirement.nodes {
                for (head, allowed) in self.allowed[dependent].iter_mut().enumerate() {
                    let fits = head > 0 && (requirement.holds[head - 1] || tops[head - 1]);
                    changed |= *allowed && !fits;
                    *allowed &= fits;
                }
            }
        }
        changed
    }

    /// The only head that is left, if there is just one.
    pub(crate) fn only_head(&self, node: usize) -> Option<usize> {
        let mut heads =
            self.allowed[node].iter().enumerate().filter(|(_, allowed)| **allowed).map(|(head, _)| head);
        heads.next().filter(|_| heads.next().is_none())
    }

    /// A node heads none of those that certainly stand above it.
    fn narrow_cycles(&mut self) -> bool {
        let above: Vec<Option<usize>> = (0..self.n_lexemes)
            .map(|node| self.only_head(node).and_then(|head| head.checked_sub(1)))
            .collect();
        let mut changed = false;
        for node in 0..self.n_lexemes {
            let mut at = above[node];
            for _ in 0..self.n_lexemes {
                let Some(ancestor) = at else { break };
                changed |= std::mem::replace(&mut self.allowed[ancestor][node + 1], false);
                at = above[ancestor];
            }
        }
        changed
    }
}

fn firm_index(entity: Entity) -> usize {
    match entity {
        Entity::Lexeme(node) => node + 1,
        _ => 0,
    }
}

fn nodes_of(entity: Entity, yields: &[BTreeSet<usize>]) -> BTreeSet<usize> {
    match entity {
        Entity::Root => BTreeSet::new(),
        Entity::Lexeme(node) => BTreeSet::from([node]),
        Entity::Bracket(bracket) => yields[bracket].clone(),
    }
}
