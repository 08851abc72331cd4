//! From annotated sentences to numbers.

use features::Index;
use rustc_hash::FxHashMap;

use super::binary::{Bracket, Label};
use super::error::Error;
use super::labels::Labels;
use super::leaves::{self, Chains, LeafRows};
use super::material::{Annotated, KnownBrackets, common_top};
use super::model::{LONGEST, Model};
use super::options::{Kind, TrainOptions};
use super::rows::{self, SpanRows};
use super::words::{NumberedSentence, Vocabulary};

/// A sentence to learn from.
#[derive(Debug, Clone)]
pub(super) struct Example {
    pub(super) sentence: NumberedSentence,
    pub(super) rows: SpanRows,
    pub(super) known: Vec<Bracket<Option<u32>>>,
    /// Whether all brackets are known.
    pub(super) is_whole: bool,
    pub(super) leaves: LeafRows,
    /// The chains over single words, if they are known.
    pub(super) chains: Option<Vec<u32>>,
}

/// A parser without weights, and the sentences as it sees them.
pub(super) fn prepare(
    annotated: &[Annotated],
    options: &TrainOptions,
) -> Result<(Model, Vec<Example>), Error> {
    let top = common_top(annotated);
    let short = annotated.iter().enumerate().filter(|(_, annotated)| annotated.words.len() <= LONGEST);
    let material =
        |(at, annotated): (usize, &Annotated)| annotated.material(at, top.as_ref(), options.joins_chains);
    let materials: Vec<KnownBrackets> = short.clone().map(material).collect::<Result<_, Error>>()?;
    if materials.iter().all(|material| material.brackets.is_empty()) {
        return Err(Error::NothingToLearn);
    }
    let words = short.map(|(_, annotated)| annotated.words.as_slice());
    let vocabulary = Vocabulary::new(words.clone(), options.least_words);
    let labels = labels(&materials, options);
    if options.kind == Kind::Lbm && labels.len() == 0 {
        return Err(Error::NoLabels);
    }
    let chains = Chains::new(materials.iter().filter_map(|material| material.chains.as_ref()).flatten());
    let sentences: Vec<NumberedSentence> = words.map(|words| vocabulary.read(words)).collect();
    let mut model = Model::blank(options.clone(), vocabulary, labels, chains, top);
    index(&mut model, &sentences, &materials)?;
    let numbers = model.labels.numbers();
    let examples = sentences.into_iter().zip(&materials);
    let examples =
        examples.map(|(sentence, material)| example(&model, &numbers, sentence, material)).collect();
    Ok((model, examples))
}

/// Gives features their rows of weights.
fn index(
    model: &mut Model,
    sentences: &[NumberedSentence],
    materials: &[KnownBrackets],
) -> Result<(), Error> {
    let options = &model.options;
    let (mut counts, mut leaf_counts) = (KeyCounts::default(), KeyCounts::default());
    for (sentence, material) in sentences.iter().zip(materials) {
        let n = sentence.n_words();
        let gold = material.brackets.iter().map(|b| (b.start as usize, b.end as usize));
        let all = (0..n).flat_map(|start| (start + 2..=n).map(move |end| (start, end)));
        // Of a tree that is known in part, any span may be a bracket.
        if material.is_whole() && !options.keeps_all_features {
            rows::visit_keys(options.kind, sentence, gold, |key| counts.add(key));
        } else {
            rows::visit_keys(options.kind, sentence, all, |key| counts.add(key));
        }
        (0..n).for_each(|word| leaves::visit_keys(sentence, word, |key| leaf_counts.add(key)));
    }
    let least = options.least_features;
    model.index = counts.index(least, model.shape().stride())?;
    model.leaf_index = leaf_counts.index(1, model.chains.n_values())?;
    Ok(())
}

fn example(
    model: &Model,
    numbers: &FxHashMap<Label, u32>,
    sentence: NumberedSentence,
    material: &KnownBrackets,
) -> Example {
    let number = |list: &Vec<Vec<_>>| list.iter().map(|chain| model.chains.number(chain)).collect();
    Example {
        rows: SpanRows::new(model.options.kind, &sentence, &model.index, model.shape().stride()),
        leaves: LeafRows::new(&sentence, &model.leaf_index, model.chains.n_values()),
        known: numbered(&material.brackets, numbers),
        is_whole: material.is_whole(),
        chains: material.chains.as_ref().map(number),
        sentence,
    }
}

fn numbered(
    brackets: &[Bracket<Option<Label>>],
    numbers: &FxHashMap<Label, u32>,
) -> Vec<Bracket<Option<u32>>> {
    let number = |label: &Option<Label>| label.as_ref().and_then(|label| numbers.get(label).copied());
    brackets.iter().map(|b| Bracket { start: b.start, end: b.end, label: number(&b.label) }).collect()
}

/// All labels. Those of partial annotations may stand at brackets of any width, and what stands in for them as well.
fn labels(materials: &[KnownBrackets], options: &TrainOptions) -> Labels {
    if options.kind != Kind::Lbm {
        return Labels::default();
    }
    let mut seen = Vec::new();
    for material in materials {
        for bracket in &material.brackets {
            let Some(label) = bracket.label.clone() else { continue };
            if material.is_whole() {
                seen.push((label, bracket.end - bracket.start));
            } else {
                seen.push((label.clone(), u32::MAX));
                seen.push((Label { is_stand_in: true, ..label }, u32::MAX));
            }
        }
    }
    Labels::new(seen.into_iter(), options.prunes_labels)
}

/// Keys in the order in which they came, with how often they did.
#[derive(Debug, Default)]
struct KeyCounts {
    keys: Vec<u64>,
    counts: Vec<u32>,
    numbers: FxHashMap<u64, u32>,
}

impl KeyCounts {
    fn add(&mut self, key: u64) {
        let number = *self.numbers.entry(key).or_insert(self.keys.len() as u32) as usize;
        if number == self.keys.len() {
            self.keys.push(key);
            self.counts.push(0);
        }
        self.counts[number] += 1;
    }

    /// Gives keys that came often enough a row each.
    fn index(&self, least: u32, len: usize) -> Result<Index, Error> {
        let mut index = Index::growing();
        let mut frequent = self.keys.iter().zip(&self.counts).filter(|(_, count)| **count >= least);
        let has_room = frequent.all(|(&key, _)| index.insert(key, len).is_some());
        if has_room { Ok(index) } else { Err(Error::TooManyFeatures) }
    }
}
