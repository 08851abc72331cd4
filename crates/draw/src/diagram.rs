//! What an arc diagram shows, before anything has a place.

use crate::constituency::Constituency;
use crate::direction::isolated;

/// Words in a row, links between them, brackets around them. All indices are valid and count from 0.
#[derive(Clone, Debug, Default)]
pub(crate) struct Diagram {
    pub(crate) title: String,
    pub(crate) words: Vec<DiagramWord>,
    pub(crate) links: Vec<Link>,
    pub(crate) stubs: Vec<Stub>,
    pub(crate) groups: Vec<GroupBracket>,
    /// Predicates with their arguments, one row below the words for each.
    pub(crate) rows: Vec<LabelRow>,
    /// A constituency tree over the words.
    pub(crate) tree: Option<Constituency>,
    /// What has no place in the picture.
    pub(crate) notes: Vec<Note>,
    pub(crate) rtl: bool,
    /// Whether a terminal shows one word per line even where a row of words would fit.
    pub(crate) one_per_line: bool,
}

/// A word of the row.
#[derive(Clone, Debug)]
pub(crate) struct DiagramWord {
    pub(crate) form: String,
    /// Part of speech, or nothing.
    pub(crate) tag: String,
    /// Whether anything was said about it.
    pub(crate) mentioned: bool,
}

/// What a link or stub is attached to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum End {
    Word(usize),
    Group(usize),
}

/// An arc between two different ends.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    pub(crate) head: End,
    pub(crate) dependent: End,
    pub(crate) label: String,
    /// Probability, from 0 to 1.
    pub(crate) confidence: Option<f64>,
    pub(crate) kind: LinkKind,
}

/// What a link says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LinkKind {
    Said,
    Forbidden,
    Anaphora,
    /// Between entities, from the head to the dependent. It stands below the words, where entities are.
    Relation,
}

impl LinkKind {
    pub(crate) fn is_below(self) -> bool {
        self == Self::Relation
    }
}

/// Labels under words, all in one row.
#[derive(Clone, Debug, Default)]
pub(crate) struct LabelRow {
    /// In the order of their words.
    pub(crate) labels: Vec<WordLabel>,
}

impl LabelRow {
    /// The labels of each word that has some.
    pub(crate) fn by_word(&self) -> impl Iterator<Item = &[WordLabel]> {
        self.labels.chunk_by(|one, next| one.word == next.word)
    }
}

/// What is written under a word.
#[derive(Clone, Debug)]
pub(crate) struct WordLabel {
    pub(crate) word: usize,
    /// What is written, without the probability.
    pub(crate) text: String,
    pub(crate) confidence: Option<f64>,
    pub(crate) kind: LabelKind,
}

/// What a label says of its word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LabelKind {
    /// It is the predicate, in this sense.
    Sense,
    /// It is an argument of the predicate, in this role.
    Role,
    /// Nobody said whether it is an argument.
    Open,
}

impl WordLabel {
    /// What is written.
    pub(crate) fn caption(&self) -> String {
        with_confidence(&self.text, self.confidence)
    }

    /// The same where there are only letters: a predicate is in brackets.
    pub(crate) fn bracketed(&self) -> String {
        self.in_brackets(self.caption())
    }

    /// The same so that its direction does not reach beyond it.
    pub(crate) fn isolated(&self) -> String {
        self.in_brackets(isolated(&self.caption()))
    }

    fn in_brackets(&self, caption: String) -> String {
        if self.kind == LabelKind::Sense { format!("[{caption}]") } else { caption }
    }
}

/// Something that is told in words below the picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Note {
    /// It was said but cannot be.
    Fault(String),
    /// Nobody said it.
    Open(String),
}

impl Note {
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Fault(text) | Self::Open(text) => text,
        }
    }

    /// What stands before it.
    pub(crate) fn sign(&self) -> char {
        match self {
            Self::Fault(_) => '!',
            Self::Open(_) => '?',
        }
    }
}

/// An arc with one end: a root, or an arc whose other end does not exist.
#[derive(Clone, Debug)]
pub(crate) struct Stub {
    pub(crate) at: End,
    pub(crate) label: String,
    pub(crate) confidence: Option<f64>,
    pub(crate) is_root: bool,
}

/// Several words under one line. It has at least one word.
#[derive(Clone, Debug)]
pub(crate) struct GroupBracket {
    pub(crate) kind: BracketKind,
    pub(crate) name: String,
    /// Which of the groups of an annotation it is; 0 where it is none of them.
    pub(crate) group: usize,
    /// Words of all levels, sorted.
    pub(crate) words: Vec<usize>,
    /// What is directly inside, and as what.
    pub(crate) members: Vec<(End, Role)>,
    /// Groups that are inside come before those around them.
    pub(crate) rank: usize,
    /// Probability, from 0 to 1.
    pub(crate) confidence: Option<f64>,
}

impl GroupBracket {
    pub(crate) fn first(&self) -> usize {
        self.words[0]
    }

    pub(crate) fn last(&self) -> usize {
        self.words[self.words.len() - 1]
    }

    /// Name and probability, as they are written at the line.
    pub(crate) fn caption(&self) -> String {
        with_confidence(&self.name, self.confidence)
    }
}

/// What a bracket is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BracketKind {
    /// An orthographic multiword token.
    Range,
    Multiword,
    Bracket,
    Coordination,
    Entity,
    /// Words of which nobody said whether they belong to an entity.
    Open,
}

impl BracketKind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Range => "token",
            Self::Multiword => "multiword",
            Self::Bracket => "bracket",
            Self::Coordination => "coordination",
            Self::Entity => "entity",
            Self::Open => "open",
        }
    }
}

/// As what something is in a bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Member,
    Head,
    Conjunct,
    Coordinator,
}

impl Link {
    /// Label and probability, as they are written at the arc.
    pub(crate) fn caption(&self) -> String {
        with_confidence(&self.label, self.confidence)
    }
}

impl Stub {
    /// Label and probability, as they are written at the stub.
    pub(crate) fn caption(&self) -> String {
        with_confidence(&self.label, self.confidence)
    }
}

fn with_confidence(label: &str, confidence: Option<f64>) -> String {
    match confidence {
        Some(p) if label.is_empty() => format!("{p:.2}"),
        Some(p) => format!("{label} {p:.2}"),
        None => label.to_owned(),
    }
}

impl Diagram {
    /// Adds a stub; two stubs at one place are drawn as one with both labels.
    pub(crate) fn add_stub(&mut self, stub: Stub) {
        match self.stubs.iter_mut().find(|other| other.at == stub.at) {
            Some(other) => {
                other.label = format!("{}, {}", other.caption(), stub.caption());
                other.confidence = None;
                other.is_root |= stub.is_root;
            }
            None => self.stubs.push(stub),
        }
    }

    /// First and last word of an end.
    pub(crate) fn extent(&self, end: End) -> (usize, usize) {
        match end {
            End::Word(word) => (word, word),
            End::Group(group) => (self.groups[group].first(), self.groups[group].last()),
        }
    }

    /// A short name of an end: the number of a word, from 1, or the name of a group.
    pub(crate) fn short_name(&self, end: End) -> String {
        match end {
            End::Word(word) => (word + 1).to_string(),
            End::Group(group) => self.groups[group].name.clone(),
        }
    }

    /// Everything in sentences, for those who hear the picture.
    pub(crate) fn description(&self) -> String {
        let mut parts = Vec::new();
        if let Some(tree) = &self.tree {
            parts.push(tree.description());
        }
        parts.extend(self.links.iter().map(|link| self.describe_link(link)));
        parts.extend(self.stubs.iter().map(|stub| format!("{} {}", self.long_name(stub.at), stub.caption())));
        parts.extend(self.groups.iter().map(|group| self.describe(group)));
        parts.extend(self.predicates());
        parts.extend(self.notes.iter().map(|note| note.text().to_owned()));
        parts.join("; ")
    }

    fn describe_link(&self, link: &Link) -> String {
        let verb = match link.kind {
            LinkKind::Said if link.label.is_empty() => "depends on",
            LinkKind::Said => "of",
            LinkKind::Forbidden => "does not depend on",
            LinkKind::Anaphora => "refers to the same as",
            LinkKind::Relation => return self.describe_relation(link),
        };
        let (dependent, head) = (self.long_name(link.dependent), self.long_name(link.head));
        let label = if link.kind == LinkKind::Said { link.caption() } else { String::new() };
        let separator = if label.is_empty() { "" } else { " " };
        format!("{dependent} {label}{separator}{verb} {head}")
    }

    fn describe_relation(&self, link: &Link) -> String {
        let (head, dependent) = (self.isolated_name(link.head), self.isolated_name(link.dependent));
        format!("{} from {head} to {dependent}", isolated(&link.caption()))
    }

    /// The entities in words, in their order.
    pub(crate) fn entities(&self) -> impl Iterator<Item = String> {
        let entities = self.groups.iter().enumerate().filter(|(_, group)| group.kind == BracketKind::Entity);
        entities.map(|(number, group)| {
            format!("{} {}", isolated(&group.caption()), self.isolated_name(End::Group(number)))
        })
    }

    /// The relations of entities in words, in their order.
    pub(crate) fn relations(&self) -> impl Iterator<Item = String> {
        let relations = self.links.iter().filter(|link| link.kind == LinkKind::Relation);
        relations.map(|link| self.describe_relation(link))
    }

    /// The predicates with their arguments in words, in their order.
    pub(crate) fn predicates(&self) -> impl Iterator<Item = String> {
        self.rows.iter().map(|row| self.describe_row(row))
    }

    /// The predicate, then what was said of other words, then which are open.
    fn describe_row(&self, row: &LabelRow) -> String {
        let of_kind = |kind| row.labels.iter().filter(move |label| label.kind == kind);
        let name = |label: &WordLabel| self.isolated_name(End::Word(label.word));
        let told = |label: &WordLabel| format!("{} {}", label.isolated(), name(label));
        let predicate: Vec<String> = of_kind(LabelKind::Sense).map(told).collect();
        let mut others: Vec<String> = of_kind(LabelKind::Role).map(told).collect();
        let open: Vec<String> = of_kind(LabelKind::Open).map(name).collect();
        if !open.is_empty() {
            others.push(format!("open: {}", open.join(", ")));
        }
        let colon = if others.is_empty() { "" } else { ": " };
        format!("{}{colon}{}", predicate.join(", "), others.join(", "))
    }

    fn describe(&self, group: &GroupBracket) -> String {
        let forms = self.forms(group);
        match group.kind {
            BracketKind::Open => format!("open: whether {forms} belongs to an entity"),
            kind => format!("{} {} over {forms}", kind.name(), group.caption()),
        }
    }

    fn forms(&self, group: &GroupBracket) -> String {
        let forms: Vec<_> = group.words.iter().map(|&word| self.words[word].form.as_str()).collect();
        forms.join(" ")
    }

    /// Words with their numbers, from 1, so that their direction does not reach beyond them.
    pub(crate) fn isolated_name(&self, end: End) -> String {
        let (first, last) = self.extent(end);
        let (forms, first, last) = match end {
            End::Word(word) => (self.words[word].form.clone(), first + 1, last + 1),
            End::Group(group) => (self.forms(&self.groups[group]), first + 1, last + 1),
        };
        let numbers = if first == last { first.to_string() } else { format!("{first}-{last}") };
        format!("{} ({numbers})", isolated(&forms))
    }

    /// The same without relations of entities, for a surface that tells them in words.
    pub(crate) fn without_relations(&self) -> Self {
        let mut diagram = self.clone();
        diagram.links.retain(|link| !link.kind.is_below());
        diagram
    }

    fn long_name(&self, end: End) -> String {
        match end {
            End::Word(word) => format!("{} ({})", self.words[word].form, word + 1),
            End::Group(_) => self.short_name(end),
        }
    }
}
