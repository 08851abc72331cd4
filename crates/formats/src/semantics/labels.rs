//! Entities as labels of words.

use super::cells::{self, Cells, Layer, Scheme};
use crate::Problem;
use crate::detect::Format;
use crate::everything::Item;
use crate::joint;
use std::collections::BTreeSet;
use tree::semantics::{Entity, Semantics};
use tree::{Span, Text};

/// A label of the schemes in which entities have a beginning.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Label<'a> {
    Open,
    Outside,
    /// `B`, `I`, `E` or `S`, and the type.
    Inside(char, &'a str),
    Unknown,
}

fn parse(label: &str) -> Label<'_> {
    match label {
        "_" => return Label::Open,
        "O" => return Label::Outside,
        _ => {}
    }
    let mut chars = label.chars();
    let mark = match chars.next() {
        Some(mark @ ('B' | 'I' | 'E' | 'S')) => mark,
        // BILOU calls them last and unit.
        Some('L') => 'E',
        Some('U') => 'S',
        _ => return Label::Unknown,
    };
    match chars.next() {
        None => Label::Inside(mark, ""),
        Some('-') => Label::Inside(mark, chars.as_str()),
        Some(_) => Label::Unknown,
    }
}

/// Whether a label says something of entities: `O`, `_`, `B-PER`.
pub(crate) fn is_label(label: &str) -> bool {
    parse(label) != Label::Unknown
}

/// Entities and words of which nothing is said.
pub(super) fn read(
    scheme: Scheme,
    cells: &Cells<'_>,
    problems: &mut Vec<Problem>,
) -> (Vec<Entity>, BTreeSet<usize>) {
    let labels: Vec<_> = (0..cells.len()).map(|word| cells.get(word, Layer::Label)).collect();
    let mut reading = Chunker::default();
    for (word, label) in labels.iter().enumerate() {
        let parsed = match scheme {
            Scheme::Bio => parse(label),
            Scheme::Types => of_type(label),
        };
        // The reader of columns with labels has said so already.
        let is_reported = cells.format == Format::Bio || scheme == Scheme::Types;
        if let (Label::Inside('I', kind), false) = (parsed, is_reported)
            && !reading.continues(kind)
        {
            problems.push(inside_without_begin(cells, word, label, kind));
        }
        if parsed == Label::Unknown {
            problems.push(unknown(cells, word, label));
        }
        reading.take(word, parsed);
    }
    reading.close(labels.len());
    (reading.entities, reading.open_words)
}

/// Neighbours of one type are one entity.
fn of_type(label: &str) -> Label<'_> {
    match label {
        "_" | "" => Label::Open,
        NO_TYPE => Label::Outside,
        kind => Label::Inside('I', kind),
    }
}

/// The type of words outside of entities.
const NO_TYPE: &str = "NONE";

/// What was found up to a word.
#[derive(Default)]
struct Chunker {
    entities: Vec<Entity>,
    open_words: BTreeSet<usize>,
    /// The entity that goes on: its first word and its type.
    current: Option<(usize, Text)>,
}

impl Chunker {
    fn continues(&self, kind: &str) -> bool {
        self.current.as_ref().is_some_and(|(_, current)| current == kind)
    }

    fn take(&mut self, word: usize, label: Label<'_>) {
        let Label::Inside(mark, kind) = label else {
            self.close(word);
            if label != Label::Outside {
                self.open_words.insert(word);
            }
            return;
        };
        if matches!(mark, 'B' | 'S') || !self.continues(kind) {
            self.close(word);
            self.current = Some((word, kind.into()));
        }
        if matches!(mark, 'E' | 'S') {
            self.close(word + 1);
        }
    }

    fn close(&mut self, end: usize) {
        let ended = self.current.take();
        let entity = ended.and_then(|(start, kind)| Some(Entity { span: Span::new(start, end)?, kind }));
        self.entities.extend(entity);
    }
}

fn inside_without_begin(cells: &Cells<'_>, word: usize, label: &str, kind: &str) -> Problem {
    let message = format!("{label} does not continue the label before it");
    let place = cells.place(word, Layer::Label);
    Problem::warning("inside-without-begin", place, message, format!("write B-{kind}"))
}

fn unknown(cells: &Cells<'_>, word: usize, label: &str) -> Problem {
    let message = format!("`{label}` is no label of an entity; nothing is known of the word");
    let help =
        "write B-TYPE for the first word of an entity, I-TYPE for the others, O outside, _ to leave it open";
    Problem::error("unknown-entity-label", cells.place(word, Layer::Label), message, help)
}

/// Labels every word anew, but for labels that say the same and those that cannot be read.
pub(super) fn write(format: Format, item: &mut Item, said: &Semantics) {
    let cells = Cells::new(format, item, 1);
    let Some(scheme) = cells.scheme() else { return };
    let old: Vec<String> = (0..cells.len()).map(|word| cells.get(word, Layer::Label).into_owned()).collect();
    match item {
        Item::Sentence(sentence) => {
            let mut labels = labels(scheme, sentence.n_words(), said);
            keep(scheme, &old, &mut labels);
            for (token, label) in sentence.words_mut().zip(labels) {
                // A row of the other layout has its label in another place.
                if format != Format::Joint || joint::is_without_heads(token) == (scheme == Scheme::Types) {
                    // In MISC, nothing is said where nothing stands.
                    let is_said = format != Format::Conllu || label != "_";
                    cells::set(format, token, Layer::Label, is_said.then_some(&label));
                }
            }
        }
        Item::Labelled(labelled) if !labelled.is_boundary() => {
            let mut labels = labels(scheme, labelled.rows.len(), said);
            keep(scheme, &old, &mut labels);
            labelled.rows.iter_mut().zip(labels).for_each(|(row, label)| row.set_label(&label));
        }
        _ => {}
    }
}

/// Leaves what cannot be read to whoever wrote it, and `I-PER` at the beginning of an entity where that begins one all the same.
fn keep(scheme: Scheme, old: &[String], labels: &mut [String]) {
    for (word, old) in old.iter().enumerate().filter(|_| scheme == Scheme::Bio) {
        let begins = |kind: &str| {
            let before = word.checked_sub(1).map_or("O", |before| labels[before].as_str());
            labels[word].strip_prefix("B-") == Some(kind)
                && !matches!(parse(before), Label::Inside(_, other) if other == kind)
        };
        if match parse(old) {
            Label::Unknown => !old.is_empty(),
            Label::Inside('I', kind) => begins(kind),
            _ => false,
        } {
            labels[word].clone_from(old);
        }
    }
}

fn labels(scheme: Scheme, n_words: usize, said: &Semantics) -> Vec<String> {
    let outside = if scheme == Scheme::Types { NO_TYPE } else { "O" };
    let mut labels = vec![outside.to_string(); n_words];
    for &word in said.open_words.iter().filter(|&&word| word < n_words) {
        labels[word] = "_".into();
    }
    for Entity { span, kind } in &said.entities {
        for (at, label) in labels.iter_mut().enumerate().take(span.end()).skip(span.start()) {
            *label = match scheme {
                Scheme::Types => kind.to_string(),
                Scheme::Bio if at == span.start() => format!("B-{kind}"),
                Scheme::Bio => format!("I-{kind}"),
            };
        }
    }
    labels
}

/// Whether an entity can have this type.
pub(super) fn fits(format: Format, scheme: Scheme, kind: &str) -> bool {
    let is_plain = match format {
        Format::Bio => !kind.contains(|char: char| char.is_ascii_whitespace()),
        _ => !kind.contains(['\t', '\n', '\r']),
    };
    is_plain && (scheme == Scheme::Bio || !matches!(kind, "" | "_" | NO_TYPE))
}
