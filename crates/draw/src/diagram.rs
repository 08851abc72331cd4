//! What an arc diagram shows, before anything has a place.

/// Words in a row, links between them, brackets around them. All indices are valid and count from 0.
#[derive(Clone, Debug, Default)]
pub(crate) struct Diagram {
    pub(crate) title: String,
    pub(crate) words: Vec<DiagramWord>,
    pub(crate) links: Vec<Link>,
    pub(crate) stubs: Vec<Stub>,
    pub(crate) groups: Vec<GroupBracket>,
    /// What was said but cannot be drawn, as sentences.
    pub(crate) notes: Vec<String>,
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
}

impl GroupBracket {
    pub(crate) fn first(&self) -> usize {
        self.words[0]
    }

    pub(crate) fn last(&self) -> usize {
        self.words[self.words.len() - 1]
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
}

impl BracketKind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Range => "token",
            Self::Multiword => "multiword",
            Self::Bracket => "bracket",
            Self::Coordination => "coordination",
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
        for link in &self.links {
            let relation = match (link.kind, link.label.as_str()) {
                (LinkKind::Said, "") => "depends on",
                (LinkKind::Said, _) => "of",
                (LinkKind::Forbidden, _) => "does not depend on",
                (LinkKind::Anaphora, _) => "refers to the same as",
            };
            let (dependent, head) = (self.long_name(link.dependent), self.long_name(link.head));
            let label = if link.kind == LinkKind::Said { link.caption() } else { String::new() };
            let separator = if label.is_empty() { "" } else { " " };
            parts.push(format!("{dependent} {label}{separator}{relation} {head}"));
        }
        parts.extend(self.stubs.iter().map(|stub| format!("{} {}", self.long_name(stub.at), stub.caption())));
        parts.extend(self.groups.iter().map(|group| self.describe(group)));
        parts.extend(self.notes.iter().cloned());
        parts.join("; ")
    }

    fn describe(&self, group: &GroupBracket) -> String {
        let forms: Vec<_> = group.words.iter().map(|&word| self.words[word].form.as_str()).collect();
        format!("{} {} over {}", group.kind.name(), group.name, forms.join(" "))
    }

    fn long_name(&self, end: End) -> String {
        match end {
            End::Word(word) => format!("{} ({})", self.words[word].form, word + 1),
            End::Group(_) => self.short_name(end),
        }
    }
}
