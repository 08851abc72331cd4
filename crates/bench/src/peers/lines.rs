//! Sentences as lines of JSON.

use super::Annotated;
use anyhow::Context;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use tree::semantics::{Argument, Entity, Predicate, Relation, Semantics};
use tree::{Sentence, Span, Token};

/// A sentence as scripts read and write it. What nobody said is absent for them, but for pairs that are open: those are
/// not among `pairs`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct PeerLine {
    forms: Vec<String>,
    lemmas: Option<Vec<String>>,
    tags: Option<Vec<String>>,
    heads: Option<Vec<u32>>,
    deprels: Option<Vec<String>>,
    entities: Vec<(usize, usize, String)>,
    relations: Vec<(usize, usize, String)>,
    pairs: Option<Vec<(usize, usize)>>,
    predicates: Vec<PredicateLine>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct PredicateLine {
    word: usize,
    sense: Option<String>,
    arguments: Vec<(usize, String)>,
}

/// Writes a file of them.
pub(super) fn write(path: &Path, sentences: &[Annotated]) -> anyhow::Result<()> {
    let mut file = std::io::BufWriter::new(std::fs::File::create(path)?);
    for (sentence, said) in sentences {
        serde_json::to_writer(&mut file, &PeerLine::new(sentence, said))?;
        writeln!(file)?;
    }
    Ok(file.flush()?)
}

impl PeerLine {
    /// Universal tags are preferred to others.
    pub(super) fn new(sentence: &Sentence, said: &Semantics) -> Self {
        let column = |of: fn(&Token) -> &str| column(sentence, of);
        Self {
            forms: sentence.words().map(|word| word.form.to_string()).collect(),
            lemmas: column(|word| &word.lemma),
            tags: column(|word| &word.upos).or_else(|| column(|word| &word.xpos)),
            heads: sentence.partial_heads().into_iter().collect(),
            deprels: column(|word| &word.deprel),
            entities: said.entities.iter().map(entity_item).collect(),
            relations: said.relations.iter().map(|r| (r.first, r.second, r.kind.to_string())).collect(),
            pairs: pairs(said),
            predicates: said.predicates.iter().map(PredicateLine::new).collect(),
        }
    }

    /// What it says of things.
    pub(super) fn semantics(self) -> anyhow::Result<Semantics> {
        let entities = self.entities.into_iter().map(|(start, end, kind)| {
            let span =
                Span::new(start, end).with_context(|| format!("no entity is from {start} to {end}"))?;
            Ok(Entity { span, kind: kind.into() })
        });
        let relations = self.relations.into_iter();
        let relations =
            relations.map(|(first, second, kind)| Relation { first, second, kind: kind.into() }).collect();
        let predicates = self.predicates.into_iter().map(PredicateLine::predicate).collect();
        Ok(Semantics {
            entities: entities.collect::<anyhow::Result<_>>()?,
            relations,
            predicates,
            ..Semantics::default()
        })
    }
}

fn entity_item(entity: &Entity) -> (usize, usize, String) {
    (entity.span.start(), entity.span.end(), entity.kind.to_string())
}

impl PredicateLine {
    fn new(predicate: &Predicate) -> Self {
        Self {
            word: predicate.word,
            sense: predicate.sense.as_ref().map(ToString::to_string),
            arguments: predicate.arguments.iter().map(|a| (a.word, a.role.to_string())).collect(),
        }
    }

    fn predicate(self) -> Predicate {
        let arguments = self.arguments.into_iter();
        Predicate {
            word: self.word,
            sense: self.sense.map(Into::into),
            arguments: arguments.map(|(word, role)| Argument { word, role: role.into() }).collect(),
            open: BTreeSet::new(),
        }
    }
}

/// A column, if any word has something in it.
fn column(sentence: &Sentence, of: fn(&Token) -> &str) -> Option<Vec<String>> {
    let said: Vec<String> = sentence.words().map(|word| of(word).to_owned()).collect();
    said.iter().any(|text| text != "_").then_some(said)
}

/// The pairs that are not open, if some are.
fn pairs(said: &Semantics) -> Option<Vec<(usize, usize)>> {
    let n = said.entities.len();
    let is_open = |i, j| said.open_pairs.contains(&(i, j)) || said.open_pairs.contains(&(j, i));
    let closed = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j))).filter(|&(i, j)| !is_open(i, j));
    (!said.open_pairs.is_empty()).then(|| closed.collect())
}
