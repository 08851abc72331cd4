//! What annotators do: how much, of which kind, on which words, and how well (Mielens 2016, chapter 5).

mod constructions;
mod definitions;
mod densities;

pub use constructions::{Construction, Headedness, headedness};
pub use definitions::{Analysed, AnalysedWords, Definition, Misread, WordKind, read_definitions};
pub use densities::{Densities, over_time};

use indexmap::IndexMap;
use score::agreement::{committed_arcs, definite_heads};
use score::{Accuracy, Counts};
use std::collections::BTreeMap;
use tree::PutInOrder;
use tree::{Heads, PartialTree, Text};

/// One annotated sentence and what is known of it. Lists that are shorter than the sentence leave the rest
/// of it unknown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    /// Who annotated it.
    pub annotator: Text,
    /// What was said.
    pub said: PartialTree,
    /// Tags in word order; empty if unknown.
    pub tags: Vec<Text>,
    /// Gold heads, `None` for words that are not scored; empty if unknown.
    pub gold: Vec<Option<usize>>,
    /// How long it took.
    pub seconds: Option<f64>,
}

/// What one annotator did, or several.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnnotationReport {
    /// Over all sentences.
    pub densities: Densities,
    /// The same for each block of sentences in the order of the records.
    pub blocks: Vec<Densities>,
    /// How many words have a certain head, by tag.
    pub completion: BTreeMap<Text, Accuracy>,
    /// How many gold phrases of several words have certain heads throughout, by the tag of the phrase's head.
    pub phrases: BTreeMap<Text, Accuracy>,
    /// Who heads in each construction.
    pub constructions: Vec<(Construction, Headedness)>,
    /// Certain heads against gold; nothing without gold.
    pub against_gold: Counts,
}

/// How to report.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Sentences in a block; 0 for no blocks.
    pub block: usize,
    /// Constructions to look at.
    pub constructions: Vec<Construction>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            block: 10,
            constructions: vec![Construction::determiner_noun(), Construction::auxiliary_verb()],
        }
    }
}

/// The reports of all annotators, in the order of their first records.
///
/// Certain heads are those of `score::agreement::definite_heads`: said directly, or the only ones left.
pub fn by_annotator(records: &[Record], options: &Options) -> IndexMap<Text, AnnotationReport> {
    let mut groups: IndexMap<Text, Vec<&Record>> = IndexMap::new();
    for record in records {
        groups.entry(record.annotator.clone()).or_default().push(record);
    }
    groups.into_iter().map(|(name, records)| (name, report(&records, options))).collect()
}

/// One report of all records.
pub fn report(records: &[&Record], options: &Options) -> AnnotationReport {
    let mut report = AnnotationReport {
        densities: records.iter().map(|record| Densities::of(record)).sum(),
        blocks: over_time(records, options.block),
        constructions: options.constructions.iter().map(|one| (one.clone(), Headedness::default())).collect(),
        ..AnnotationReport::default()
    };
    for record in records {
        report.add(record);
    }
    report
}

impl AnnotationReport {
    fn add(&mut self, record: &Record) {
        let heads = definite_heads(&record.said);
        add_completion(&mut self.completion, &record.tags, &heads);
        for (construction, counts) in &mut self.constructions {
            *counts += headedness(construction, &record.tags, &heads);
        }
        self.against_gold += committed_arcs(&heads, &record.gold);
        if let Some(gold) = tree_of(&record.gold)
            && gold.len() == heads.len()
        {
            add_phrases(&mut self.phrases, &record.tags, &gold, &heads);
        }
    }
}

fn tree_of(gold: &[Option<usize>]) -> Option<Heads> {
    let heads: Option<Vec<u32>> = gold.iter().map(|head| u32::try_from((*head)?).ok()).collect();
    Heads::new(heads?).ok()
}

/// Counts the words of each tag and those with a head.
fn add_completion(completion: &mut BTreeMap<Text, Accuracy>, tags: &[Text], heads: &[Option<usize>]) {
    for (tag, head) in tags.iter().zip(heads) {
        completion.entry(tag.clone()).or_default().add(head.is_some());
    }
}

/// Counts the phrases of several words and those whose words, except for the head, all have heads.
fn add_phrases(phrases: &mut BTreeMap<Text, Accuracy>, tags: &[Text], gold: &Heads, heads: &[Option<usize>]) {
    let depths = gold.depths();
    let mut bottom_up: Vec<usize> = (1..=gold.len()).collect();
    bottom_up.order_by_key(|&word| std::cmp::Reverse(depths[word]));
    let mut complete = vec![true; gold.len() + 1];
    for word in bottom_up {
        complete[gold.head(word)] &= complete[word] && heads[word - 1].is_some();
    }
    let sizes = gold.reach();
    for (word, tag) in (1..=gold.len()).zip(tags).filter(|&(word, _)| sizes[word].2 > 1) {
        phrases.entry(tag.clone()).or_default().add(complete[word]);
    }
}

#[cfg(test)]
mod definition_tests;
#[cfg(test)]
mod tests;
