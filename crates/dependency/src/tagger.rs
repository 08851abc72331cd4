//! Tags for words that have none.
//!
//! A log-linear model of a word's tag, which looks at the word and its neighbours but not at their tags. It is there so that
//! plain text can be parsed, and so that a parser can be trained on tags as it will meet them.

use std::ops::ControlFlow;

use chain::descent::Loss;
use chain::{Start, Stream, Workers};
use num::confidence::{Confidence, Guess, most_probable};
use serde::{Deserialize, Serialize};
use tree::sentence::UNSPECIFIED;
use tree::{Sentence, Symbols, Text, Token};

use super::attributes::{Attributes, TagColumn};
use super::codes::Codes;
use super::course::{Descent, Walk, mean};
use super::example::Annotated;
use super::labels::classify;
use super::table::Table;
use super::templates::{Template, TemplateError, TemplateKind, Templates};

/// p(tag | word, neighbours).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tagger {
    column: TagColumn,
    names: Vec<Text>,
    table: Table,
    templates: String,
    /// How often tags are right that it is so sure of; `None` if that was not found out.
    #[serde(skip)]
    pub(super) confidence: Option<Confidence>,
}

/// There are 2^bits rows of weights.
const BITS: u32 = 15;
/// Weights that are kept at most.
const MOST_WEIGHTS: usize = 500_000;
/// Sentences are held out in so many parts to find out how often tags are right.
const PARTS: usize = 5;
/// Words that suffice for it: the parts that are left are not held out.
const ENOUGH: usize = 5000;
/// Fewer words do not.
const FEWEST: usize = 100;
const DESCENT: Descent = Descent { epochs: 6, batch: 32, rate: 0.05, l2: 1e-3, l1: 0.0 };

impl Tagger {
    /// Learns from the tagged words of sentences; `None` if there are none.
    pub fn train<'a>(
        sentences: impl IntoIterator<Item = &'a Sentence>,
        column: TagColumn,
        templates: &str,
        seed: u64,
        workers: &Workers,
    ) -> Result<Option<Tagger>, TemplateError> {
        let read = Templates::read(templates)?.tag;
        let sentences: Vec<&Sentence> = sentences.into_iter().collect();
        let words = sentences.iter().flat_map(|sentence| sentence.words());
        let names: Symbols =
            words.map(|token| column.of(token).clone()).filter(|tag| *tag != UNSPECIFIED).collect();
        if names.is_empty() || read.is_empty() {
            return Ok(None);
        }
        let prepared: Vec<(Codes, Vec<(usize, usize)>)> = workers.map(&sentences, |_, sentence| {
            let known = (1..).zip(sentence.words());
            let known =
                known.filter_map(|(word, token)| Some((word, names.number(column.of(token))? as usize)));
            (codes(&read, sentence, column), known.collect())
        });
        let gradient = |i: usize, table: &Table, (): &mut ()| {
            let (codes, known) = &prepared[i];
            let each = |word: usize, visit: &mut dyn FnMut(u64)| codes.each(&[word], 0, 0, visit);
            Some(classify(table, each, known, names.len(), 1.0))
        };
        let start = Table::zero(BITS, names.len());
        let walk = Walk { start, n_examples: prepared.len(), scratch: || (), gradient };
        let loss = Loss::new(&walk, &DESCENT, Stream::new(seed).purpose("tagger"));
        let course = loss.watched(Start::Fresh, workers, |_| ControlFlow::Continue(()));
        let mut table = mean(&course.expect("there is no checkpoint to refuse"));
        table.condense(MOST_WEIGHTS);
        let names = names.into_iter().collect();
        let templates = templates.to_owned();
        Ok(Some(Tagger { column, names, table, templates, confidence: None }))
    }

    /// Learns, and finds out how often its tags are right: taggers of four fifths of the sentences are asked about the rest.
    pub fn train_calibrated(
        sentences: &[Sentence],
        column: TagColumn,
        templates: &str,
        seed: u64,
        workers: &Workers,
    ) -> Result<Option<Tagger>, TemplateError> {
        let Some(mut tagger) = Tagger::train(sentences, column, templates, seed, workers)? else {
            return Ok(None);
        };
        let mut guesses: Vec<Guess> = Vec::new();
        for part in (0..PARTS.min(sentences.len())).filter(|_| sentences.len() > 1) {
            let (asked, learned): (Vec<_>, Vec<_>) =
                sentences.iter().enumerate().partition(|(at, _)| at % PARTS == part);
            let learned = learned.into_iter().map(|(_, sentence)| sentence);
            if let Some(other) = Tagger::train(learned, column, templates, seed, workers)? {
                let each = workers.map(&asked, |_, (_, sentence)| other.guesses(sentence));
                guesses.extend(each.into_iter().flatten());
            }
            if guesses.len() >= ENOUGH {
                break;
            }
        }
        tagger.confidence = (guesses.len() >= FEWEST).then(|| Confidence::fit(&guesses));
        Ok(Some(tagger))
    }

    /// Gives a tag to every word without one, or to every word; says how probable the tags are that it gave.
    pub fn tag(&self, sentence: &mut Sentence, all: bool) -> Vec<Option<f64>> {
        let is_asked = |token: &Token| all || *self.column.of(token) == UNSPECIFIED;
        if !sentence.words().any(is_asked) {
            return vec![None; sentence.n_words()];
        }
        let codes = self.codes(sentence);
        let tag = |(word, token): (usize, &mut Token)| {
            let mut row = is_asked(token).then(|| self.probabilities(&codes, word))?;
            let best = most_probable(&row);
            self.confidence.unwrap_or_default().correct(&mut row);
            *self.column.of_mut(token) = self.names.get(best)?.clone();
            Some(row[best].min(1.0))
        };
        (1..).zip(sentence.words_mut()).map(tag).collect()
    }

    /// Whether it is known how often its tags are right.
    pub fn is_calibrated(&self) -> bool {
        self.confidence.is_some()
    }

    /// The column that it fills.
    pub fn column(&self) -> TagColumn {
        self.column
    }

    /// What it would say of the words whose tags are known.
    fn guesses(&self, sentence: &Sentence) -> Vec<Guess> {
        let codes = self.codes(sentence);
        let tags = sentence.words().map(|token| self.column.of(token));
        let known = (1..).zip(tags).filter(|(_, tag)| **tag != UNSPECIFIED);
        let right = |tag: &Text| self.names.iter().position(|name| name == tag).unwrap_or(usize::MAX);
        known.map(|(word, tag)| Guess::of_row(&self.probabilities(&codes, word), right(tag))).collect()
    }

    fn codes(&self, sentence: &Sentence) -> Codes {
        // What could be read once can be read again.
        let templates = Templates::read(&self.templates).unwrap_or_default().tag;
        codes(&templates, sentence, self.column)
    }

    /// p(tag) ∝ exp Σ w of what is seen at a word; tags that score alike stand in the order of their names.
    fn probabilities(&self, codes: &Codes, word: usize) -> Vec<f64> {
        let mut scores = vec![0.0f32; self.names.len()];
        codes.each(&[word], 0, 0, |key| {
            scores.iter_mut().zip(self.table.row(key)).for_each(|(sum, weight)| *sum += weight);
        });
        let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let exps: Vec<f64> = scores.iter().map(|&score| libm::exp(f64::from(score - most))).collect();
        let total: f64 = exps.iter().sum();
        exps.into_iter().map(|exp| exp / total).collect()
    }

    /// The tags it knows.
    pub fn tags(&self) -> &[Text] {
        &self.names
    }
}

/// Replaces the tags of all sentences by those that a tagger finds which was trained on the others, so that a parser learns
/// from tags as it will meet them. Returns the share of words whose tag stayed the same.
pub fn jackknife(
    data: &mut [Annotated],
    folds: usize,
    column: TagColumn,
    templates: &str,
    seed: u64,
    workers: &Workers,
) -> Result<f64, TemplateError> {
    let folds = folds.clamp(2, data.len().max(2));
    let mut taggers = Vec::new();
    for fold in 0..folds {
        let others =
            data.iter().enumerate().filter(|(at, _)| at % folds != fold).map(|(_, item)| &item.sentence);
        taggers.push(Tagger::train(others, column, templates, seed, workers)?);
    }
    let (mut n_words, mut n_same) = (0usize, 0usize);
    for (at, item) in data.iter_mut().enumerate() {
        let Some(tagger) = &taggers[at % folds] else { continue };
        let before: Vec<Text> = item.sentence.words().map(|token| column.of(token).clone()).collect();
        tagger.tag(&mut item.sentence, true);
        n_words += before.len();
        n_same += item.sentence.words().zip(&before).filter(|(token, tag)| column.of(token) == *tag).count();
    }
    Ok(n_same as f64 / n_words.max(1) as f64)
}

fn codes(templates: &[Template], sentence: &Sentence, column: TagColumn) -> Codes {
    Codes::new(templates, TemplateKind::Tag.roles().len(), &Attributes::new(sentence, column))
}
