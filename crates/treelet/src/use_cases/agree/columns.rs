//! How far annotators agree on each column: heads, relations, tags, features, lemmas, and on brackets.

use super::people::People;
use super::percent;
use crate::imputation::annotated::Annotated;
use crate::table;
use ::score::agreement::definite_heads;
use ::score::nominal::{Alpha, Kappa};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use tree::provenance::{Author, Column};
use tree::{GroupKind, Node, PartialTree};

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
enum Layer {
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
    fn labels(self, annotated: &Annotated, trusting: bool) -> Vec<Option<String>> {
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

/// Agreement on all layers that annotators have in common.
pub(super) struct Columns {
    figures: Vec<Figures>,
}

impl Columns {
    pub(super) fn new(people: &People<'_>, trusting: bool) -> Self {
        let figures = LAYERS.map(|layer| Figures::new(layer, people, trusting));
        Self { figures: figures.into_iter().filter(|one| one.kappa.n_units() > 0).collect() }
    }

    pub(super) fn text(&self) -> String {
        if self.figures.is_empty() {
            return String::new();
        }
        let headings = ["column", "units", "agreed", "kappa", "alpha"];
        let rows: Vec<Vec<String>> = self.figures.iter().map(Figures::row).collect();
        let mut text = String::from("\nColumns\n");
        text.push_str(&table::render(&headings, &rows));
        text.push_str(
            "units: words of which two say something, over all pairs; agreed: per cent of them (brackets: F1); kappa, \
             alpha: agreement\nbeyond chance, 1 is perfect and 0 what chance gives (alpha takes all annotators at once); \
             heads count as distances\n",
        );
        for figures in self.figures.iter().filter(|figures| figures.layer.has_table()) {
            text.push_str(&figures.labels());
        }
        text
    }

    pub(super) fn json(&self) -> Value {
        let entry = |figures: &Figures| (figures.layer.name().to_string(), figures.json());
        Value::Object(self.figures.iter().map(entry).collect::<Map<_, _>>())
    }
}

impl Figures {
    fn new(layer: Layer, people: &People<'_>, trusting: bool) -> Self {
        let mut figures = Self { layer, alpha: Alpha::default(), kappa: Kappa::default(), brackets: [0; 3] };
        for annotations in &people.annotations {
            let all: Vec<&Annotated> = annotations.iter().map(|(_, annotated)| *annotated).collect();
            match layer {
                Layer::Brackets => figures.add_brackets(&all),
                _ => figures.add_labels(&all, trusting),
            }
        }
        figures
    }

    fn add_labels(&mut self, all: &[&Annotated], trusting: bool) {
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
    fn add_brackets(&mut self, all: &[&Annotated]) {
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
        let union: BTreeSet<&(usize, usize)> = spans.iter().flatten().collect();
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

    fn row(&self) -> Vec<String> {
        let chance = |value: Option<f64>| value.map_or("–".into(), |value| format!("{value:.3}"));
        vec![
            self.layer.name().to_string(),
            self.kappa.n_units().to_string(),
            percent(self.agreed()),
            chance(self.kappa.value()),
            chance(self.alpha.value()),
        ]
    }

    /// A row for each label, and what is confused with what.
    fn labels(&self) -> String {
        let row = |(label, [one, other, both]): (&String, [u64; 3])| {
            let agreed = 2.0 * both as f64 / (one + other).max(1) as f64;
            vec![label.clone(), one.to_string(), other.to_string(), both.to_string(), percent(Some(agreed))]
        };
        let rows: Vec<Vec<String>> = self.kappa.by_label().into_iter().map(row).collect();
        let mut text = format!("\nBy label: {}\n", self.layer.name());
        text.push_str(&table::render(&["label", "first", "second", "both", "agreed"], &rows));
        let confusions: Vec<String> = self
            .kappa
            .confusions()
            .into_iter()
            .take(MOST_CONFUSIONS)
            .map(|(one, other, n)| format!("{one}/{other} {n}"))
            .collect();
        if !confusions.is_empty() {
            text.push_str(&format!("most often confused: {}\n", confusions.join(", ")));
        }
        text
    }

    fn json(&self) -> Value {
        let mut object = json!({
            "units": self.kappa.n_units(),
            "agreed": self.agreed(),
            "kappa": self.kappa.value(),
            "alpha": self.alpha.value(),
        });
        if self.layer.has_table() {
            let label = |(label, [one, other, both]): (&String, [u64; 3])| {
                (label.clone(), json!({"first": one, "second": other, "both": both}))
            };
            object["labels"] = Value::Object(self.kappa.by_label().into_iter().map(label).collect());
            let confusions = self.kappa.confusions().into_iter().take(MOST_CONFUSIONS);
            object["confusions"] =
                confusions.map(|(one, other, n)| json!({"first": one, "second": other, "n": n})).collect();
        }
        object
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
