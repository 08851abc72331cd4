//! Entities, relations and predicates below the words of a sentence, with its tree above them.
//!
//! ```
//! use draw::semantics::{Probabilities, below_dependencies};
//! use tree::semantics::{Entity, Relation, Semantics};
//! use tree::{Sentence, Span};
//!
//! let sentence = Sentence::from_forms(["Ada", "lives", "in", "New", "York"]);
//! let place = |start, end, kind: &str| Entity { span: Span::new(start, end).unwrap(), kind: kind.into() };
//! let said = Semantics {
//!     entities: vec![place(0, 1, "PER"), place(3, 5, "LOC")],
//!     relations: vec![Relation { first: 0, second: 1, kind: "Live_In".into() }],
//!     ..Semantics::default()
//! };
//! let figure = below_dependencies(&sentence, &said, &Probabilities::default());
//! let lines = [
//!     "Ada    lives  in   New  York",
//!     "└─PER┤           └───LOC───┘",
//!     "     │           ▲",
//!     "     └──Live_In──┘",
//! ];
//! assert_eq!(figure.text(&draw::TextStyle::unicode()), lines.join("\n") + "\n");
//! ```

use crate::clean::{clean, column};
use crate::constituency::Constituency;
use crate::diagram::{
    BracketKind, Diagram, DiagramWord, End, GroupBracket, LabelKind, LabelRow, Link, LinkKind, Note, Role,
    Stub, WordLabel,
};
use crate::direction::{is_rtl, isolated};
use crate::{Content, Figure};
use std::collections::{BTreeMap, BTreeSet};
use tree::semantics::{Entity, Predicate, Relation, Semantics};
use tree::{Heads, PutInOrder, PutTogether, Sentence, Text, Tree};

/// How probable it is what a machine says, in the order in which it is said. What has no number is drawn
/// without one. Lines of what is more probable are darker.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Probabilities {
    /// Of each entity.
    pub entities: Vec<Option<f64>>,
    /// Of each relation.
    pub relations: Vec<Option<f64>>,
    /// Of each predicate in its sense.
    pub predicates: Vec<Option<f64>>,
    /// Of the arguments of each predicate.
    pub arguments: Vec<Vec<Option<f64>>>,
}

/// What was said of the words of a sentence, below its dependency tree as [`crate::dependency`] draws it.
/// Heads that are open have no arc.
pub fn below_dependencies(sentence: &Sentence, said: &Semantics, probabilities: &Probabilities) -> Figure {
    figure(crate::dependency::diagram(sentence), said, probabilities)
}

/// The same for forms without a sentence around them. Words have relations to their heads as far as they
/// are given, `_` for none; without heads there are only the words.
pub fn below_heads(
    forms: &[&str],
    heads: Option<&Heads>,
    relations: &[&str],
    said: &Semantics,
    probabilities: &Probabilities,
) -> Figure {
    let mut diagram = of_words(forms.iter().map(|form| clean(form)).collect());
    for dependent in 1..=heads.map_or(0, Heads::len).min(forms.len()) {
        let relation = relations.get(dependent - 1).map_or_else(String::new, |relation| column(relation));
        let head = heads.map_or(0, |heads| heads.head(dependent));
        attach(&mut diagram, dependent - 1, head, relation);
    }
    figure(diagram, said, probabilities)
}

/// What was said of the words of a constituency tree, below it. In a terminal the tree is an outline and the
/// words stand below it once more.
pub fn below_constituents(tree: &Tree<Text>, said: &Semantics, probabilities: &Probabilities) -> Figure {
    let diagram = of_words(tree.words().map(|word| clean(word)).collect());
    figure(Diagram { tree: Some(Constituency::new(tree)), ..diagram }, said, probabilities)
}

fn of_words(forms: Vec<String>) -> Diagram {
    let (title, rtl) = (forms.join(" "), is_rtl(forms.iter().map(String::as_str)));
    let word = |form| DiagramWord { form, tag: String::new(), mentioned: true };
    let words = forms.into_iter().map(word).collect();
    Diagram { title, words, rtl, ..Diagram::default() }
}

fn attach(diagram: &mut Diagram, dependent: usize, head: usize, label: String) {
    let (at, n_words) = (End::Word(dependent), diagram.words.len());
    match head.checked_sub(1) {
        None => {
            let label = if label.is_empty() { "root".to_owned() } else { label };
            diagram.add_stub(Stub { at, label, confidence: None, is_root: true });
        }
        Some(head) if head < n_words => {
            let (head, kind) = (End::Word(head), LinkKind::Said);
            diagram.links.push(Link { head, dependent: at, label, confidence: None, kind });
        }
        Some(head) => {
            let label = format!("{label}→{}?", head + 1);
            diagram.add_stub(Stub { at, label, confidence: None, is_root: false });
        }
    }
}

fn figure(mut diagram: Diagram, said: &Semantics, probabilities: &Probabilities) -> Figure {
    let forms: Vec<&str> = diagram.words.iter().map(|word| word.form.as_str()).collect();
    diagram.title = format!("Entities, relations and predicates of {}", forms.join(" "));
    let mut builder = Below { said, probabilities, group_of: BTreeMap::new(), diagram };
    builder.add_entities();
    builder.add_open_words();
    builder.add_relations();
    builder.add_open_pairs();
    builder.add_predicates();
    builder.mark_open_words();
    Figure { content: Content::Arcs(builder.diagram) }
}

struct Below<'a> {
    said: &'a Semantics,
    probabilities: &'a Probabilities,
    /// The group of each entity that lies in the sentence.
    group_of: BTreeMap<usize, usize>,
    diagram: Diagram,
}

impl Below<'_> {
    fn add_entities(&mut self) {
        for (number, entity) in self.said.entities.iter().enumerate() {
            if entity.span.end() > self.n_words() {
                let name = self.name(number);
                self.fault(format!("{name} is not in the sentence"));
                continue;
            }
            self.group_of.insert(number, self.diagram.groups.len());
            let words = (entity.span.start()..entity.span.end()).collect();
            let confidence = probability(self.probabilities.entities.get(number));
            self.add_group(BracketKind::Entity, column(&entity.kind), words, (1 + number, confidence));
        }
    }

    fn add_group(
        &mut self,
        kind: BracketKind,
        name: String,
        words: Vec<usize>,
        (rank, confidence): (usize, Option<f64>),
    ) {
        let members = words.iter().map(|&word| (End::Word(word), Role::Member)).collect();
        self.diagram.groups.push(GroupBracket { kind, name, group: 0, words, members, rank, confidence });
    }

    /// Each row of words that may belong to entities has a dashed line with a question mark.
    fn add_open_words(&mut self) {
        let n_words = self.n_words();
        let (inside, outside): (Vec<usize>, Vec<usize>) =
            self.said.open_words.iter().partition(|&&word| word < n_words);
        for run in inside.chunk_by(|one, next| one + 1 == *next) {
            self.add_group(BracketKind::Open, "?".to_owned(), run.to_vec(), (0, None));
        }
        if !outside.is_empty() {
            self.fault(format!("open, but not in the sentence: word {}", numbers(&outside)));
        }
    }

    /// Those that have no part in anything that was said are grey.
    fn mark_open_words(&mut self) {
        let entities = self.diagram.groups.iter().filter(|group| group.kind == BracketKind::Entity);
        let labels = self.diagram.rows.iter().flat_map(|row| &row.labels);
        let labels = labels.filter(|label| label.kind != LabelKind::Open).map(|label| label.word);
        let said: BTreeSet<usize> =
            entities.flat_map(|group| group.words.iter().copied()).chain(labels).into_set();
        let open = self.said.open_words.iter().filter(|word| !said.contains(word));
        for &word in open {
            if let Some(word) = self.diagram.words.get_mut(word) {
                word.mentioned = false;
            }
        }
    }

    fn add_relations(&mut self) {
        for (number, relation) in self.said.relations.iter().enumerate() {
            let label = column(&relation.kind);
            let confidence = probability(self.probabilities.relations.get(number));
            match self.ends(relation) {
                Some((head, dependent)) => {
                    let kind = LinkKind::Relation;
                    self.diagram.links.push(Link { head, dependent, label, confidence, kind });
                }
                None => {
                    let (first, second) = (self.name(relation.first), self.name(relation.second));
                    let label = isolated(&label);
                    self.fault(format!("not two entities of the sentence: {label} from {first} to {second}"));
                }
            }
        }
    }

    fn ends(&self, relation: &Relation) -> Option<(End, End)> {
        let group = |entity| self.group_of.get(&entity).map(|&group| End::Group(group));
        let (head, dependent) = (group(relation.first)?, group(relation.second)?);
        (head != dependent).then_some((head, dependent))
    }

    fn add_open_pairs(&mut self) {
        for &(one, other) in &self.said.open_pairs {
            let note = format!("open: whether {} and {} are related", self.name(one), self.name(other));
            self.diagram.notes.push(Note::Open(note));
        }
    }

    fn add_predicates(&mut self) {
        for (number, predicate) in self.said.predicates.iter().enumerate() {
            let n_words = self.n_words();
            let is_there = predicate.word < n_words;
            let labels = self.labels(number, predicate);
            let (labels, lost): (Vec<WordLabel>, Vec<WordLabel>) =
                labels.into_iter().partition(|label| is_there && label.word < n_words);
            if !lost.is_empty() {
                let of = if is_there { format!("of {}: ", self.word(predicate.word)) } else { String::new() };
                self.fault(format!("not in the sentence: {of}{}", self.told(lost)));
            }
            if !labels.is_empty() {
                self.diagram.rows.push(LabelRow { labels });
            }
        }
    }

    /// All labels of a predicate, in the order of their words.
    fn labels(&self, number: usize, predicate: &Predicate) -> Vec<WordLabel> {
        let sense = predicate.sense.as_deref().map_or_else(String::new, column);
        let text = if sense.is_empty() { NO_SENSE.to_owned() } else { sense };
        let confidence = probability(self.probabilities.predicates.get(number));
        let mut labels = vec![WordLabel { word: predicate.word, text, confidence, kind: LabelKind::Sense }];
        let of_arguments = self.probabilities.arguments.get(number);
        for (place, argument) in predicate.arguments.iter().enumerate() {
            let confidence = probability(of_arguments.and_then(|arguments| arguments.get(place)));
            let (word, text) = (argument.word, column(&argument.role));
            labels.push(WordLabel { word, text, confidence, kind: LabelKind::Role });
        }
        let open = |&word| WordLabel { word, text: "?".to_owned(), confidence: None, kind: LabelKind::Open };
        labels.extend(predicate.open.iter().map(open));
        labels.order_by_key(|label| (label.word, label.kind));
        labels
    }

    /// Labels in words, the predicate first.
    fn told(&self, mut labels: Vec<WordLabel>) -> String {
        labels.order_by_key(|label| (label.kind, label.word));
        let told = |label: &WordLabel| format!("{} {}", label.isolated(), self.word(label.word));
        labels.iter().map(told).collect::<Vec<_>>().join(", ")
    }

    fn fault(&mut self, text: String) {
        self.diagram.notes.push(Note::Fault(text));
    }

    fn n_words(&self) -> usize {
        self.diagram.words.len()
    }

    /// A word with its number, from 1, or the number alone.
    fn word(&self, word: usize) -> String {
        if word < self.n_words() {
            self.diagram.isolated_name(End::Word(word))
        } else {
            format!("word {}", word.saturating_add(1))
        }
    }

    /// An entity with its words and their numbers, as far as it is there.
    fn name(&self, number: usize) -> String {
        let Some(Entity { span, kind }) = self.said.entities.get(number) else {
            return format!("entity {}", number.saturating_add(1));
        };
        let kind = isolated(&column(kind));
        match self.group_of.get(&number) {
            Some(&group) => format!("{kind} {}", self.diagram.isolated_name(End::Group(group))),
            None => format!("{kind} (words {}-{})", span.start() + 1, span.end()),
        }
    }
}

/// What stands at a predicate whose sense nobody said, as in columns of roles.
const NO_SENSE: &str = "V";

fn probability(known: Option<&Option<f64>>) -> Option<f64> {
    let probability = known.copied().flatten()?;
    probability.is_finite().then_some(probability.clamp(0.0, 1.0))
}

/// Words by their numbers, from 1.
fn numbers(words: &[usize]) -> String {
    let numbers: Vec<String> = words.iter().map(|word| word.saturating_add(1).to_string()).collect();
    numbers.join(", ")
}
