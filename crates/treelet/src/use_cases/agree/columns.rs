//! How far annotators agree on each column: heads, relations, tags, features, lemmas, and on brackets.

use super::as_map;
use super::people::People;
use crate::imputation::annotated::AnnotatedSentence;
use ::score::agreement::definite_heads;
use ::score::nominal::{Alpha, Kappa};
use serde::{Serialize, Serializer};
use std::collections::BTreeSet;
use tree::provenance::{Author, Column};
use tree::{GroupKind, Node, PartialTree, PutTogether};

/// What is compared.
const LAYERS: [Layer; 8] = [
    Layer::Heads,
    Layer::Labelled,
    Layer::Of("relations", Column::Deprel),
    Layer::Of("UPOS", Column::Upos),
    Layer::Of("XPOS", Column::Xpos),
    Layer::Of("features", Column::Feats),
    Layer::Of("lemmas", Column::Lemma),
    Layer::Brackets,
];

/// So many confusions of labels are listed.
const MOST_CONFUSIONS: usize = 10;

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Layer {
    /// Heads, as distances: neighbours are the heads that chance finds.
    Heads,
    /// Heads with relations.
    Labelled,
    /// Another column.
    Of(&'static str, Column),
    /// Spans of words, each bracketed or not.
    Brackets,
}

impl Layer {
    fn name(self) -> &'static str {
        match self {
            Self::Heads => "heads (UAS)",
            Self::Labelled => "heads and relations (LAS)",
            Self::Of(name, _) => name,
            Self::Brackets => "brackets",
        }
    }

    fn has_table(self) -> bool {
        matches!(self, Self::Of(_, Column::Deprel | Column::Upos | Column::Xpos))
    }

    /// What an annotator says of each word; nothing where it is open or a machine's.
    pub(crate) fn labels(self, annotated: &AnnotatedSentence, trusting: bool) -> Vec<Option<String>> {
        let heads = definite_heads(&annotated.said);
        let said = |column: Column, token: &tree::Token| {
            let counts = trusting || column.author(token) == Author::Person;
            column.value(token).filter(|_| counts).map(|value| value.into_owned())
        };
        let words = (1..).zip(annotated.sentence.words());
        let label = |(word, token): (usize, &tree::Token)| {
            let head = heads.get(word - 1).copied().flatten().map(|head| match head {
                0 => "root".to_string(),
                head => format!("{:+}", head as i64 - word as i64),
            });
            match self {
                Self::Heads => head,
                Self::Labelled => Some(format!("{} {}", head?, said(Column::Deprel, token)?)),
                Self::Of(_, column) => said(column, token),
                Self::Brackets => None,
            }
        };
        words.map(label).collect()
    }
}

/// Agreement on one layer: α of all, and κ of all pairs together.
struct Figures {
    layer: Layer,
    alpha: Alpha<String>,
    kappa: Kappa<String>,
    /// Brackets that the first of a pair has, that the second has, and that both have.
    brackets: [u64; 3],
}

/// How far annotators agree on a column.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ColumnAgreement {
    /// Words of which two say something, over all pairs.
    pub units: u64,
    /// The share that is agreed on; of brackets, F1, since nearly all spans are no bracket.
    pub agreed: Option<f64>,
    /// Agreement of pairs beyond chance.
    pub kappa: Option<f64>,
    /// Agreement of all annotators at once beyond chance.
    pub alpha: Option<f64>,
    /// How often each label was given, where that is worth a table.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "labels_as_map")]
    pub labels: Option<Vec<(String, LabelCounts)>>,
    /// What is most often confused with what, where there are labels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confusions: Option<Vec<Confusion>>,
}

/// How often a label was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct LabelCounts {
    /// By the first of a pair.
    pub first: u64,
    /// By the second.
    pub second: u64,
    /// By both, of the same word.
    pub both: u64,
}

/// Two labels that were given to the same words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Confusion {
    /// The label of the first of a pair.
    pub first: String,
    /// The label of the second.
    pub second: String,
    /// How often.
    pub n: u64,
}

fn labels_as_map<S: Serializer>(
    labels: &Option<Vec<(String, LabelCounts)>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    as_map(labels.as_deref().unwrap_or_default(), serializer)
}

/// Agreement on all layers that annotators have in common.
pub(super) fn all(people: &People<'_>, trusting: bool) -> Vec<(String, ColumnAgreement)> {
    let figures = LAYERS.iter().map(|&layer| Figures::new(layer, people, trusting));
    let figures = figures.filter(|one| one.kappa.n_units() > 0);
    figures.map(|one| (one.layer.name().to_string(), one.agreement())).collect()
}

impl Figures {
    fn new(layer: Layer, people: &People<'_>, trusting: bool) -> Self {
        let mut figures = Self { layer, alpha: Alpha::default(), kappa: Kappa::default(), brackets: [0; 3] };
        for annotations in &people.annotations {
            let all: Vec<&AnnotatedSentence> = annotations.iter().map(|(_, annotated)| *annotated).collect();
            match layer {
                Layer::Brackets => figures.add_brackets(&all),
                _ => figures.add_labels(&all, trusting),
            }
        }
        figures
    }

    fn add_labels(&mut self, all: &[&AnnotatedSentence], trusting: bool) {
        let labels: Vec<Vec<Option<String>>> =
            all.iter().map(|annotated| self.layer.labels(annotated, trusting)).collect();
        for word in 0..labels.iter().map(Vec::len).min().unwrap_or(0) {
            let given: Vec<String> = labels.iter().filter_map(|labels| labels[word].clone()).collect();
            for (at, one) in given.iter().enumerate() {
                given[at + 1..].iter().for_each(|other| self.kappa.add(one.clone(), other.clone(), 1));
            }
            self.alpha.add(&given);
        }
    }

    /// Every span of two words and more, but for the whole sentence, is bracketed or not.
    fn add_brackets(&mut self, all: &[&AnnotatedSentence]) {
        let spans: Vec<BTreeSet<(usize, usize)>> =
            all.iter().map(|annotated| spans(&annotated.said)).collect();
        if spans.iter().all(BTreeSet::is_empty) {
            return;
        }
        let n = all.first().map_or(0, |annotated| annotated.said.n_words);
        let n_spans = (n * n.saturating_sub(1) / 2).saturating_sub(1) as u64;
        let (yes, no) = (|| "bracket".to_string(), || "none".to_string());
        for (at, one) in spans.iter().enumerate() {
            for other in &spans[at + 1..] {
                let both = one.intersection(other).count() as u64;
                let counts = [one.len() as u64, other.len() as u64, both];
                self.kappa.add(yes(), yes(), both);
                self.kappa.add(yes(), no(), counts[0] - both);
                self.kappa.add(no(), yes(), counts[1] - both);
                self.kappa.add(no(), no(), (n_spans + both).saturating_sub(counts[0] + counts[1]));
                self.brackets.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
            }
        }
        let union: BTreeSet<&(usize, usize)> = spans.iter().flatten().into_set();
        for span in &union {
            let labels: Vec<String> =
                spans.iter().map(|spans| if spans.contains(*span) { yes() } else { no() }).collect();
            self.alpha.add(&labels);
        }
        (0..n_spans.saturating_sub(union.len() as u64))
            .for_each(|_| self.alpha.add(&vec![no(); spans.len()]));
    }

    /// The share that is agreed on; of brackets, F1, since nearly all spans are no bracket.
    fn agreed(&self) -> Option<f64> {
        match (self.layer, self.brackets) {
            (Layer::Brackets, [one, other, both]) if one + other > 0 => {
                Some(2.0 * both as f64 / (one + other) as f64)
            }
            _ => self.kappa.observed(),
        }
    }

    fn agreement(&self) -> ColumnAgreement {
        let has_table = self.layer.has_table();
        ColumnAgreement {
            units: self.kappa.n_units(),
            agreed: self.agreed(),
            kappa: self.kappa.value(),
            alpha: self.alpha.value(),
            labels: has_table.then(|| self.labels()),
            confusions: has_table.then(|| self.confusions()),
        }
    }

    fn labels(&self) -> Vec<(String, LabelCounts)> {
        let counts = self.kappa.by_label().into_iter();
        let counts =
            counts.map(|(label, [first, second, both])| (label.clone(), LabelCounts { first, second, both }));
        counts.collect()
    }

    fn confusions(&self) -> Vec<Confusion> {
        let confusions = self.kappa.confusions().into_iter().take(MOST_CONFUSIONS);
        confusions
            .map(|(first, second, n)| Confusion { first: first.clone(), second: second.clone(), n })
            .collect()
    }
}

/// First and last word of all brackets whose words stand side by side.
fn spans(said: &PartialTree) -> BTreeSet<(usize, usize)> {
    let brackets = said.groups.iter().enumerate();
    let brackets = brackets.filter(|(_, group)| matches!(group.kind, GroupKind::Bracket { .. }));
    let spans = brackets.filter_map(|(at, _)| {
        let words = said.words_of(Node::Group(at));
        let (&first, &last) = (words.first()?, words.last()?);
        let is_span = last - first + 1 == words.len() && words.len() > 1 && words.len() < said.n_words;
        is_span.then_some((first, last))
    });
    spans.collect()
}
