//! Tags for words that have none.
//!
//! A log-linear model of a word's tag, which looks at the word and its neighbours but not at their tags. It is there so that
//! plain text can be parsed, and so that a parser can be trained on tags as it will meet them.

use chain::{Stream, Workers};
use indexmap::IndexSet;
use serde::{Deserialize, Serialize};
use tree::sentence::UNSPECIFIED;
use tree::{Sentence, Text, Token};

use super::attributes::{Attributes, TagColumn};
use super::codes::Codes;
use super::course::{Course, Descent};
use super::example::Annotated;
use super::labels::classify;
use super::table::Table;
use super::templates::{Kind, Template, TemplateError, Templates};

/// p(tag | word, neighbours).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tagger {
    column: TagColumn,
    names: Vec<Text>,
    table: Table,
    templates: String,
}

/// There are 2^bits rows of weights.
const BITS: u32 = 15;
/// Weights that are kept at most.
const MOST_WEIGHTS: usize = 500_000;
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
        let names: IndexSet<Text> =
            words.map(|token| column.of(token).clone()).filter(|tag| *tag != UNSPECIFIED).collect();
        if names.is_empty() || read.is_empty() {
            return Ok(None);
        }
        let prepared: Vec<(Codes, Vec<(usize, usize)>)> = workers.map(&sentences, |_, sentence| {
            let known = (1..).zip(sentence.words());
            let known = known.filter_map(|(word, token)| Some((word, names.get_index_of(column.of(token))?)));
            (codes(&read, sentence, column), known.collect())
        });
        let mut course = Course::new(Table::zero(BITS, names.len()), &DESCENT);
        let stream = Stream::new(seed).purpose("tagger");
        while course.done() < DESCENT.epochs {
            course.epoch(
                prepared.len(),
                &DESCENT,
                stream,
                workers,
                || (),
                |i, table, ()| {
                    let (codes, known) = &prepared[i];
                    let each = |word: usize, visit: &mut dyn FnMut(u64)| codes.each(&[word], 0, 0, visit);
                    Some(classify(table, each, known, names.len(), 1.0))
                },
            );
        }
        let mut table = course.mean();
        table.condense(MOST_WEIGHTS);
        let names = names.into_iter().collect();
        Ok(Some(Tagger { column, names, table, templates: templates.to_owned() }))
    }

    /// Gives a tag to every word without one, or to every word, and says to how many.
    pub fn tag(&self, sentence: &mut Sentence, all: bool) -> usize {
        let is_asked = |token: &Token| all || *self.column.of(token) == UNSPECIFIED;
        if !sentence.words().any(is_asked) {
            return 0;
        }
        // What could be read once can be read again.
        let templates = Templates::read(&self.templates).unwrap_or_default().tag;
        let codes = codes(&templates, sentence, self.column);
        let mut n_tagged = 0;
        let mut scores = vec![0.0; self.names.len()];
        for (word, token) in (1..).zip(sentence.words_mut()).filter(|(_, token)| is_asked(token)) {
            scores.fill(0.0);
            codes.each(&[word], 0, 0, |key| {
                scores.iter_mut().zip(self.table.row(key)).for_each(|(sum, weight)| *sum += weight);
            });
            let best = (0..scores.len()).reduce(|best, at| if scores[at] > scores[best] { at } else { best });
            if let Some(best) = best {
                *self.column.of_mut(token) = self.names[best].clone();
                n_tagged += 1;
            }
        }
        n_tagged
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
    Codes::new(templates, Kind::Tag.roles().len(), &Attributes::new(sentence, column))
}
