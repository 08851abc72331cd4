//! Canonical annotation: one statement per line, in the order of the sentence.

use super::tokens::Tokens;
use tree::{GroupKind, Node, PartialTree, Text};

/// Writes what was said as lines of GFL that read back to the same partial tree, up to the order of groups
/// and their places.
///
/// Coordinations come first, then brackets, arcs, roots, links, and words that are only named. Heads that
/// were ruled out ([`PartialTree::forbidden`]) cannot be said in GFL and are left out.
pub fn write_annotation(said: &PartialTree, tokens: &[Text]) -> String {
    let writer = Writer { said, tokens: Tokens::new(tokens) };
    let used = used_groups(said);
    let mut lines = Vec::new();
    for (index, group) in said.groups.iter().enumerate() {
        match &group.kind {
            GroupKind::Coordination { name, conjuncts, coordinators } => {
                lines.push(writer.coordination(name, conjuncts, coordinators));
            }
            _ if used[index] => {}
            _ => lines.push(writer.spell(Node::Group(index))),
        }
    }
    for arc in &said.arcs {
        lines.push(format!("{} > {}", writer.spell(arc.dependent), writer.spell(arc.head)));
    }
    for &(node, _) in &said.roots {
        lines.push(format!("{}**", writer.spell(node)));
    }
    for &(one, other, _) in &said.anaphora {
        lines.push(format!("{} = {}", writer.spell(one), writer.spell(other)));
    }
    lines.extend(said.mentioned.iter().map(|&word| writer.spell(Node::Word(word))));
    lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect()
}

/// How many names and brackets [`write_annotation`] would spell for the groups, and how deeply they nest.
///
/// Brackets that share members are spelled once for each, so the text can be exponentially longer than the
/// annotation. Counting stops at `usize::MAX`; groups that contain themselves count as infinitely deep.
pub fn spelled_size(said: &PartialTree) -> (usize, usize) {
    let mut sizes: Vec<Option<(usize, usize)>> = vec![None; said.groups.len()];
    let mut largest = (0, 0);
    for index in 0..said.groups.len() {
        let mut todo = vec![index];
        // A group waits until its members are known; one that waits for itself does so in vain.
        let mut patience = 4 * said.groups.len() + 4;
        while let Some(&group) = todo.last() {
            let members = brackets_in(&said.groups[group].kind);
            let unknown: Vec<usize> =
                members.iter().copied().filter(|&member| sizes[member].is_none()).collect();
            if unknown.is_empty() {
                let size = members.iter().filter_map(|&member| sizes[member]).fold(
                    (1, 1),
                    |(size, depth), inner| {
                        (usize::saturating_add(size, inner.0), depth.max(inner.1.saturating_add(1)))
                    },
                );
                sizes[group] = Some(size);
                largest = (usize::max(largest.0, size.0), usize::max(largest.1, size.1));
                todo.pop();
            } else if patience == 0 {
                return (usize::MAX, usize::MAX);
            } else {
                patience -= 1;
                todo.extend(unknown.first());
            }
        }
    }
    largest
}

fn brackets_in(kind: &GroupKind) -> Vec<usize> {
    let group = |node: &Node| match node {
        Node::Group(index) => Some(*index),
        Node::Word(_) => None,
    };
    match kind {
        GroupKind::Bracket { members, .. } => members.iter().filter_map(group).collect(),
        _ => Vec::new(),
    }
}

struct Writer<'a> {
    said: &'a PartialTree,
    tokens: Tokens<'a>,
}

impl Writer<'_> {
    fn coordination(&self, name: &str, conjuncts: &[Node], coordinators: &[Node]) -> String {
        let list = |nodes: &[Node]| nodes.iter().map(|&node| self.spell(node)).collect::<Vec<_>>().join(" ");
        let coordinators = match coordinators {
            [] => String::new(),
            [single] => format!(" :: {}", self.spell(*single)),
            _ => format!(" :: {{{}}}", list(coordinators)),
        };
        format!("{name} :: {{{}}}{coordinators}", list(conjuncts))
    }

    /// A node, brackets written out; an explicit stack because brackets nest.
    fn spell(&self, node: Node) -> String {
        let mut text = String::new();
        let mut first = true;
        let mut todo = vec![WritingStep::Node(node, "")];
        while let Some(step) = todo.pop() {
            let (node, star) = match step {
                WritingStep::Node(node, star) => (node, star),
                WritingStep::Close(star) => {
                    text.push(')');
                    text.push_str(star);
                    continue;
                }
            };
            if !std::mem::take(&mut first) {
                text.push(' ');
            }
            if let Some((members, head)) = self.bracket(node) {
                text.push('(');
                first = true;
                todo.push(WritingStep::Close(star));
                let star_of = |member| if head == Some(member) { "*" } else { "" };
                todo.extend(members.iter().rev().map(|&member| WritingStep::Node(member, star_of(member))));
            } else {
                text.push_str(&self.firm(node));
                text.push_str(star);
            }
        }
        text
    }

    fn bracket(&self, node: Node) -> Option<(&[Node], Option<Node>)> {
        let Node::Group(index) = node else { return None };
        match &self.said.groups[index].kind {
            GroupKind::Bracket { members, head } => Some((members, *head)),
            _ => None,
        }
    }

    /// Anything but a bracket.
    fn firm(&self, node: Node) -> String {
        match node {
            Node::Word(word) => self.tokens.spell(word),
            Node::Group(index) => match &self.said.groups[index].kind {
                GroupKind::Multiword { words } => {
                    let words: Vec<_> = words.iter().map(|&word| self.tokens.spell(word)).collect();
                    format!("[{}]", words.join(" "))
                }
                GroupKind::Coordination { name, .. } => name.clone(),
                GroupKind::Bracket { .. } => String::new(),
            },
        }
    }
}

enum WritingStep {
    Node(Node, &'static str),
    Close(&'static str),
}

/// Which groups appear in another statement, so that they need no line of their own.
fn used_groups(said: &PartialTree) -> Vec<bool> {
    let mut used = vec![false; said.groups.len()];
    let mut note = |node: Node| {
        if let Node::Group(index) = node {
            used[index] = true;
        }
    };
    for arc in &said.arcs {
        note(arc.head);
        note(arc.dependent);
    }
    said.roots.iter().for_each(|&(node, _)| note(node));
    for &(one, other, _) in &said.anaphora {
        note(one);
        note(other);
    }
    for group in &said.groups {
        match &group.kind {
            GroupKind::Multiword { .. } => {}
            GroupKind::Bracket { members, .. } => members.iter().for_each(|&node| note(node)),
            GroupKind::Coordination { conjuncts, coordinators, .. } => {
                conjuncts.iter().chain(coordinators).for_each(|&node| note(node));
            }
        }
    }
    used
}
