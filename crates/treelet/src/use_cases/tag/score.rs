//! `treelet tag score`.

use super::material::read_dictionary;
use super::rows;
use super::tag_of;
use crate::imputation::fragments::TagChoice;
use crate::options::impute::TagColumn;
use crate::options::tag::TagScore;
use crate::options::{self, joint};
use crate::outcome::{Done, Usage};
use crate::source::only_one_stdin;
use crate::use_cases::check::report_problems;
use crate::watch::Watch;
use ::score::tags::{ByLexicon, Lexicon, TagReport, Tagged, compare};
use ::score::{Accuracy, Counts};
use anyhow::bail;
use formats::nfc::nfc;
use serde::Serialize;
use serde_json::{Value, json};
use std::path::Path;
use tree::sentence::UNSPECIFIED;
use tree::{Sentence, Text, Token};

/// How good tags are.
#[derive(Debug, Clone)]
pub struct ScoredTags {
    /// Of all words.
    pub all: Accuracy,
    /// Of groups of words by what a dictionary says of them; none without a dictionary.
    pub groups: Vec<(&'static str, Accuracy)>,
    /// Every tag of gold or system with its counts, in the order of the alphabet.
    pub per_tag: Vec<(Text, Counts)>,
    /// Which gold tag was taken for which, and how often; the most frequent first.
    pub confusion: Vec<(Text, Text, usize)>,
}

/// Compares tags with gold.
pub fn score_tags(options: &TagScore, watch: &dyn Watch) -> anyhow::Result<Done<ScoredTags>> {
    let files = [
        Some(&options.gold),
        Some(&options.system),
        options.known.dict.as_ref(),
        options.known.train.as_ref(),
    ];
    only_one_stdin(files.into_iter().flatten())?;
    let mut has_errors = false;
    let mut rows = |path: &Path| read(path, options, watch, &mut has_errors);
    let (gold, system) = (rows(&options.gold)?, rows(&options.system)?);
    let column = TagChoice::resolve(options.column, &gold).0;
    let train = options.known.train.as_deref().map(&mut rows).transpose()?;
    let lexicon = lexicon(options, train.as_deref(), column, watch, &mut has_errors)?;
    let words = pairs(&gold, &system)?;
    let tag = |token: &Token| tag_of(column, token).clone();
    let forms: Vec<(String, Text, Text)> =
        words.iter().map(|(gold, system)| (nfc(&gold.form).into_owned(), tag(gold), tag(system))).collect();
    // Words without a gold tag cannot be right or wrong.
    let counted = forms.iter().filter(|(_, gold, _)| *gold != UNSPECIFIED);
    let words = counted.map(|(word, gold, system)| Tagged { word, gold, system });
    let report = compare(words, lexicon.as_ref());
    if report.all.total == 0 {
        bail!("{} has no tags in column {}", options.gold.display(), TagChoice(column).name());
    }
    let errors = report.confusion.errors().into_iter();
    let result = ScoredTags {
        all: report.all,
        groups: lexicon.map_or_else(Vec::new, |_| groups(&report.by_lexicon).to_vec()),
        per_tag: by_tag(&report),
        confusion: errors.map(|(gold, system, n)| (gold.clone(), system.clone(), n)).collect(),
    };
    Ok(Done { result, has_problems: has_errors })
}

fn read(
    path: &Path,
    options: &TagScore,
    watch: &dyn Watch,
    has_errors: &mut bool,
) -> anyhow::Result<Vec<Sentence>> {
    let (sentences, aside) = rows::read(path, options.characters.encoding, options.column, watch)?;
    *has_errors |= report_problems(&aside.source, &aside.problems, &options.messages, watch)?;
    Ok(sentences)
}

/// The words that count as known, with their tags.
fn lexicon(
    options: &TagScore,
    train: Option<&[Sentence]>,
    column: TagColumn,
    watch: &dyn Watch,
    has_errors: &mut bool,
) -> anyhow::Result<Option<Lexicon>> {
    let mut lexicon = (options.known.dict.is_some() || train.is_some()).then(Lexicon::default);
    let Some(known) = &mut lexicon else { return Ok(None) };
    if let Some(path) = &options.known.dict {
        let (source, found) = read_dictionary(path, options.characters.encoding)?;
        *has_errors |= report_problems(&source, &found.problems, &options.messages, watch)?;
        for entry in &found.entries {
            entry.tags.iter().for_each(|tag| known.add(Text::from(&entry.word), Text::from(tag)));
        }
    }
    for token in train.into_iter().flatten().flat_map(Sentence::words) {
        if *tag_of(column, token) != UNSPECIFIED {
            known.add(Text::from(nfc(&token.form)), tag_of(column, token).clone());
        }
    }
    Ok(lexicon)
}

/// Words side by side.
fn pairs<'a>(gold: &'a [Sentence], system: &'a [Sentence]) -> anyhow::Result<Vec<(&'a Token, &'a Token)>> {
    if gold.len() != system.len() {
        bail!("{} sentences, but {} in gold; give one for each gold sentence", system.len(), gold.len());
    }
    let mut words = Vec::new();
    for (number, (gold, system)) in (1..).zip(gold.iter().zip(system)) {
        if gold.n_words() != system.n_words() {
            bail!(
                "sentence {number} has {} words, but {} in gold; tokenise alike",
                system.n_words(),
                gold.n_words()
            );
        }
        words.extend(gold.words().zip(system.words()));
    }
    Ok(words)
}

/// Every tag of gold or system with its counts, in the order of the alphabet.
fn by_tag(report: &TagReport) -> Vec<(Text, Counts)> {
    let confusion = &report.confusion;
    let mut tags: Vec<Text> =
        confusion.gold_tags().chain(confusion.system_tags()).map(|(tag, _)| tag.clone()).collect();
    tags.sort_unstable();
    tags.dedup();
    let total = |mut of: Box<dyn Iterator<Item = (&Text, usize)> + '_>, tag: &Text| {
        of.find(|(other, _)| *other == tag).map_or(0, |(_, n)| n)
    };
    let counts = |tag: &Text| Counts {
        matched: confusion.count(tag, tag),
        gold: total(Box::new(confusion.gold_tags()), tag),
        system: total(Box::new(confusion.system_tags()), tag),
    };
    tags.iter().map(|tag| (tag.clone(), counts(tag))).collect()
}

/// Groups of words by what the dictionary says of them.
fn groups(by: &ByLexicon) -> [(&'static str, Accuracy); 7] {
    [
        ("known words", by.known),
        ("unknown words", by.unknown),
        ("ambiguous words", by.ambiguous),
        ("unambiguous words", by.unambiguous),
        ("dictionary recall", by.recall),
        ("recall of known words", by.recall_of_known),
        ("recall of types", by.recall_of_types),
    ]
}

impl Serialize for ScoredTags {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        objects(self).serialize(serializer)
    }
}

fn objects(scored: &ScoredTags) -> Value {
    let accuracy = |accuracy: Accuracy| {
        json!({
            "accuracy": (accuracy.total > 0).then(|| 100.0 * accuracy.value()),
            "right": accuracy.correct,
            "total": accuracy.total,
        })
    };
    let mut object = serde_json::Map::from_iter([("all".to_string(), accuracy(scored.all))]);
    object.extend(scored.groups.iter().map(|&(name, of)| (name.replace(' ', "_"), accuracy(of))));
    let tags = scored.per_tag.iter().map(|(tag, counts)| {
        let figures = json!({
            "precision": 100.0 * counts.precision(),
            "recall": 100.0 * counts.recall(),
            "f1": 100.0 * counts.f1(),
            "gold": counts.gold,
            "system": counts.system,
            "right": counts.matched,
        });
        (tag.to_string(), figures)
    });
    object.insert("per_tag".into(), Value::Object(tags.collect()));
    let errors = scored.confusion.iter();
    let errors = errors
        .map(|(gold, system, n)| json!({ "gold": gold.as_str(), "system": system.as_str(), "words": n }));
    object.insert("confusion".into(), errors.collect());
    Value::Object(object)
}

/// What `treelet score --tags` asks: of a column of tags, or of an attribute of FEATS.
#[derive(Debug)]
pub enum TagQuestion {
    /// Of a column, word by word.
    Column(TagScore),
    /// Of an attribute.
    Attribute(joint::JointScore),
}

impl TagQuestion {
    /// The question, if there is one about tags.
    pub fn of(options: &options::Score) -> anyhow::Result<Option<TagQuestion>> {
        let Some(name) = options.tags.tags.as_deref() else { return Ok(None) };
        let [system] = options.systems.as_slice() else {
            return Err(Usage("--tags compares one file with gold; give one".into()).into());
        };
        let messages = options::Messages::default();
        let (system, answer, characters) = (system.clone(), options.answer, options.input.characters);
        let column = match name {
            "auto" => None,
            "upos" => Some(TagColumn::Upos),
            "xpos" => Some(TagColumn::Xpos),
            _ => {
                let (task, tagged) = (joint::Task::Tagging, joint::TagNames { tags: name.to_string() });
                let standard = options.standard.clone();
                let asked =
                    joint::JointScore { task, standard, system, tagged, answer, characters, messages };
                return Ok(Some(TagQuestion::Attribute(asked)));
            }
        };
        Ok(Some(TagQuestion::Column(TagScore {
            gold: options.standard.gold.clone(),
            system,
            known: options.tags.known.clone(),
            column,
            errors: options.tags.errors,
            answer,
            characters,
            messages,
        })))
    }
}
