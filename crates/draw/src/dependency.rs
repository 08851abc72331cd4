//! Dependency trees of CoNLL-U sentences as arc diagrams.

use crate::clean::{clean, column};
use crate::diagram::{BracketKind, Diagram, DiagramWord, End, GroupBracket, Link, LinkKind, Role, Stub};
use crate::direction::is_rtl;
use std::collections::BTreeMap;
use tree::{Sentence, Token, TokenId};

/// The basic tree of a sentence with its multiword ranges. Empty nodes and enhanced dependencies are not
/// part of the basic tree and are left out.
pub(crate) fn diagram(sentence: &Sentence) -> Diagram {
    let words = sentence.words().map(word).collect::<Vec<_>>();
    let rtl = is_rtl(words.iter().map(|word| word.form.as_str()));
    let title = format!("Dependency tree of {}", clean(&sentence.detokenised()));
    let mut diagram = Diagram { title, words, rtl, ..Diagram::default() };
    let positions = positions(sentence);
    for (position, token) in sentence.words().enumerate() {
        attach(&mut diagram, position, token, &positions);
    }
    for token in &sentence.tokens {
        diagram.groups.extend(range(token, &positions));
    }
    diagram
}

/// Position of each word by the number of its line; of two lines with one number the first counts.
fn positions(sentence: &Sentence) -> BTreeMap<u32, usize> {
    let mut positions = BTreeMap::new();
    for (position, token) in sentence.words().enumerate() {
        if let TokenId::Word(id) = token.id {
            positions.entry(id).or_insert(position);
        }
    }
    positions
}

fn word(token: &Token) -> DiagramWord {
    // What is made of an annotation has the tags of its language only.
    let tag = if token.upos == "_" { &token.xpos } else { &token.upos };
    DiagramWord { form: clean(&token.form), tag: column(tag), mentioned: true }
}

fn attach(diagram: &mut Diagram, position: usize, token: &Token, positions: &BTreeMap<u32, usize>) {
    let (label, confidence) = (column(&token.deprel), confidence(token));
    let at = End::Word(position);
    match token.head.index() {
        None => {}
        Some(0) => {
            let label = if label.is_empty() { "root".to_owned() } else { label };
            diagram.add_stub(Stub { at, label, confidence, is_root: true });
        }
        Some(id) => match positions.get(&id).map(|&head| End::Word(head)) {
            Some(head) if head != at => {
                diagram.links.push(Link { head, dependent: at, label, confidence, kind: LinkKind::Said });
            }
            _ => {
                let label = format!("{label}→{id}?");
                diagram.add_stub(Stub { at, label, confidence, is_root: false });
            }
        },
    }
}

/// The probability of the head, from MISC `HeadProb=`.
fn confidence(token: &Token) -> Option<f64> {
    let (_, value) = token.misc_items().find(|(name, _)| *name == "HeadProb")?;
    let probability: f64 = value.parse().ok()?;
    probability.is_finite().then_some(probability.clamp(0.0, 1.0))
}

fn range(token: &Token, positions: &BTreeMap<u32, usize>) -> Option<GroupBracket> {
    let TokenId::Range(first, last) = token.id else { return None };
    if first > last {
        return None;
    }
    let mut words: Vec<usize> = positions.range(first..=last).map(|(_, &position)| position).collect();
    words.sort_unstable();
    let members = words.iter().map(|&word| (End::Word(word), Role::Member)).collect();
    let name = clean(&token.form);
    (!words.is_empty()).then_some(GroupBracket {
        kind: BracketKind::Range,
        name,
        words,
        members,
        rank: 0,
        group: 0,
        confidence: None,
    })
}
