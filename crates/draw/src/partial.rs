//! Partial annotations as arc diagrams.

use crate::clean::{clean, column};
use crate::diagram::{
    BracketKind, Diagram, DiagramWord, End, GroupBracket, Link, LinkKind, Note, Role, Stub,
};
use crate::direction::is_rtl;
use crate::{Beside, SuggestedArc};
use tree::{Arc, Group, GroupKind, Node, PartialTree};

/// What was said about the sentence of these forms. Words beyond the forms do not exist; what refers to
/// them is drawn as far as possible and noted.
pub(crate) fn diagram(said: &PartialTree, forms: &[&str], tags: &[&str]) -> Diagram {
    let mut builder = DiagramBuilder::new(said, forms);
    for (word, tag) in builder.diagram.words.iter_mut().zip(tags) {
        word.tag = column(tag);
    }
    builder.add_groups();
    for (arcs, kind) in [(&said.arcs, LinkKind::Said), (&said.forbidden, LinkKind::Forbidden)] {
        for Arc { head, dependent, .. } in arcs {
            builder.add_link(*head, *dependent, kind);
        }
    }
    for &(one, other, _) in &said.anaphora {
        builder.add_link(one, other, LinkKind::Anaphora);
    }
    for &(node, _) in &said.roots {
        builder.add_root(node);
    }
    builder.diagram
}

/// The same with relations of words to their heads, and with what a machine suggests.
pub(crate) fn annotated(said: &PartialTree, forms: &[&str], beside: &Beside<'_>) -> Diagram {
    let Beside { tags, relations, suggested, groups } = *beside;
    let mut diagram = diagram(said, forms, tags);
    for group in &mut diagram.groups {
        group.group = groups.get(group.group).copied().unwrap_or(group.group);
    }
    diagram.one_per_line = false;
    for link in &mut diagram.links {
        if let (LinkKind::Said, End::Word(word)) = (link.kind, link.dependent) {
            link.label = relations.get(word).map_or_else(String::new, |relation| column(relation));
        }
    }
    let n_words = diagram.words.len();
    let is_there = |arc: &&SuggestedArc| (1..=n_words).contains(&arc.dependent) && arc.head <= n_words;
    for arc in suggested.iter().filter(is_there) {
        let dependent = End::Word(arc.dependent - 1);
        let confidence = Some(arc.probability);
        let label = relations.get(arc.dependent - 1).map_or_else(String::new, |relation| column(relation));
        match arc.head.checked_sub(1) {
            Some(head) => {
                let (head, kind) = (End::Word(head), LinkKind::Said);
                diagram.links.push(Link { head, dependent, label, confidence, kind });
            }
            None => {
                diagram.add_stub(Stub { at: dependent, label: "root".to_owned(), confidence, is_root: true });
            }
        }
    }
    diagram
}

struct DiagramBuilder<'a> {
    said: &'a PartialTree,
    diagram: Diagram,
    /// Where each group of the annotation stands in the diagram, if it has a word.
    group_at: Vec<Option<usize>>,
    names: Vec<String>,
}

impl<'a> DiagramBuilder<'a> {
    fn new(said: &'a PartialTree, forms: &[&str]) -> Self {
        let mut words: Vec<DiagramWord> = forms.iter().map(|form| plain(form)).collect();
        for word in said.mentioned_words() {
            if let Some(word) = word.checked_sub(1).and_then(|index| words.get_mut(index)) {
                word.mentioned = true;
            }
        }
        let text = words.iter().map(|word| word.form.as_str()).collect::<Vec<_>>().join(" ");
        let rtl = is_rtl(words.iter().map(|word| word.form.as_str()));
        let title = format!("Partial annotation of {text}");
        let diagram = Diagram { title, words, rtl, one_per_line: true, ..Diagram::default() };
        Self { said, diagram, group_at: Vec::new(), names: names(&said.groups) }
    }

    fn add_groups(&mut self) {
        let ranks = ranks(&self.said.groups);
        let n_words = self.diagram.words.len();
        let words: Vec<Vec<usize>> = (0..self.said.groups.len())
            .map(|group| {
                let words = self.said.words_of(Node::Group(group));
                words.into_iter().filter(|word| (1..=n_words).contains(word)).map(|word| word - 1).collect()
            })
            .collect();
        let mut n_drawn = 0;
        for words in &words {
            self.group_at.push((!words.is_empty()).then_some(n_drawn));
            n_drawn += usize::from(!words.is_empty());
        }
        for (index, words) in words.into_iter().enumerate() {
            let kind = &self.said.groups[index].kind;
            let name = self.names[index].clone();
            if words.is_empty() {
                let note = format!("{} {name} has no word of the sentence", kind_of(kind).name());
                self.diagram.notes.push(Note::Fault(note));
                continue;
            }
            let members = self.members(kind);
            self.diagram.groups.push(GroupBracket {
                kind: kind_of(kind),
                name,
                group: index,
                words,
                members,
                rank: ranks[index],
                confidence: None,
            });
        }
    }

    /// Members that can be drawn, each once.
    fn members(&self, kind: &GroupKind) -> Vec<(End, Role)> {
        let mut members: Vec<(End, Role)> = Vec::new();
        for (node, role) in roles(kind) {
            if let Some(end) = self.end(node)
                && members.iter().all(|&(member, _)| member != end)
            {
                members.push((end, role));
            }
        }
        members
    }

    fn end(&self, node: Node) -> Option<End> {
        match node {
            Node::Word(word) => {
                let index = word.checked_sub(1)?;
                (index < self.diagram.words.len()).then_some(End::Word(index))
            }
            Node::Group(group) => self.group_at.get(group).copied().flatten().map(End::Group),
        }
    }

    fn name(&self, node: Node) -> String {
        match node {
            Node::Word(word) => word.to_string(),
            Node::Group(group) => self.names.get(group).cloned().unwrap_or_else(|| format!("group {group}")),
        }
    }

    fn add_link(&mut self, head: Node, dependent: Node, kind: LinkKind) {
        let sign = if kind == LinkKind::Forbidden { "≠" } else { "" };
        match (self.end(head), self.end(dependent)) {
            (Some(head), Some(dependent)) if head != dependent => {
                let label = if kind == LinkKind::Anaphora { "=".to_owned() } else { String::new() };
                self.diagram.links.push(Link { head, dependent, label, confidence: None, kind });
            }
            (_, Some(at)) => self.add_stub(at, format!("{sign}→{}?", self.name(head)), false),
            (Some(at), None) => self.add_stub(at, format!("{sign}←{}?", self.name(dependent)), false),
            (None, None) => {
                let note = format!("{sign}{} → {} joins nothing", self.name(dependent), self.name(head));
                self.diagram.notes.push(Note::Fault(note));
            }
        }
    }

    fn add_root(&mut self, node: Node) {
        match self.end(node) {
            Some(at) => self.add_stub(at, "root".to_owned(), true),
            None => {
                let note = format!("root {} is not in the sentence", self.name(node));
                self.diagram.notes.push(Note::Fault(note));
            }
        }
    }

    fn add_stub(&mut self, at: End, label: String, is_root: bool) {
        self.diagram.add_stub(Stub { at, label, confidence: None, is_root });
    }
}

fn plain(form: &str) -> DiagramWord {
    DiagramWord { form: clean(form), tag: String::new(), mentioned: false }
}

fn kind_of(kind: &GroupKind) -> BracketKind {
    match kind {
        GroupKind::Multiword { .. } => BracketKind::Multiword,
        GroupKind::Bracket { .. } => BracketKind::Bracket,
        GroupKind::Coordination { .. } => BracketKind::Coordination,
    }
}

fn roles(kind: &GroupKind) -> Vec<(Node, Role)> {
    match kind {
        GroupKind::Multiword { words } => {
            words.iter().map(|&word| (Node::Word(word), Role::Member)).collect()
        }
        GroupKind::Bracket { members, head } => {
            let role = |node| if Some(node) == *head { Role::Head } else { Role::Member };
            let missing = head.filter(|head| !members.contains(head));
            members.iter().copied().chain(missing).map(|node| (node, role(node))).collect()
        }
        GroupKind::Coordination { conjuncts, coordinators, .. } => {
            let conjuncts = conjuncts.iter().map(|&node| (node, Role::Conjunct));
            conjuncts.chain(coordinators.iter().map(|&node| (node, Role::Coordinator))).collect()
        }
    }
}

/// `(A)` for brackets, `[B]` for multiwords; coordinations have a name already.
fn names(groups: &[Group]) -> Vec<String> {
    let mut n_lettered = 0;
    let mut next_letter = || {
        n_lettered += 1;
        letters(n_lettered - 1)
    };
    let mut name = |group: &Group| match &group.kind {
        GroupKind::Bracket { .. } => format!("({})", next_letter()),
        GroupKind::Multiword { .. } => format!("[{}]", next_letter()),
        GroupKind::Coordination { name, .. } => match clean(name).trim_start_matches('$') {
            "" => format!("${}", next_letter()),
            name => format!("${name}"),
        },
    };
    groups.iter().map(&mut name).collect()
}

/// A, B, …, Z, A1, B1, …
fn letters(number: usize) -> String {
    let letter = char::from(b'A' + (number % 26) as u8);
    if number < 26 { letter.to_string() } else { format!("{letter}{}", number / 26) }
}

/// A number for each group that is larger than those of the groups inside it, as far as no group is inside
/// itself. Each round settles one more layer.
fn ranks(groups: &[Group]) -> Vec<usize> {
    let inside = |group: &Group| -> Vec<usize> {
        let groups_of = |(node, _)| if let Node::Group(inner) = node { Some(inner) } else { None };
        roles(&group.kind).into_iter().filter_map(groups_of).filter(|&inner| inner < groups.len()).collect()
    };
    let inside: Vec<Vec<usize>> = groups.iter().map(inside).collect();
    let mut ranks = vec![0; groups.len()];
    for _ in 0..groups.len() {
        let mut changed = false;
        for outer in 0..groups.len() {
            let rank = inside[outer].iter().map(|&inner| ranks[inner] + 1).max().unwrap_or(0);
            let rank = rank.min(groups.len());
            changed |= std::mem::replace(&mut ranks[outer], rank) != rank;
        }
        if !changed {
            break;
        }
    }
    ranks
}
