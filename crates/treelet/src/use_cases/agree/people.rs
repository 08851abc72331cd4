//! Who annotated what.

use crate::imputation::annotated::{AnnotatedCorpus, AnnotatedSentence, only_said};
use crate::imputation::fragments::{TagChoice, differing_form};
use crate::imputation::identity::{Key, Keys};
use ::score::agreement::definite_heads;
use formats::Problem;
use std::collections::{BTreeMap, BTreeSet};
use study::statistics::Record;
use tree::sentence::UNSPECIFIED;
use tree::{PartialTree, Place, Sentence, Text};

/// A sentence of the truth.
pub(crate) struct Truth {
    pub(crate) sentence: Sentence,
    pub(crate) heads: Vec<Option<usize>>,
}

/// Who annotated a sentence, and the heads that are certain.
pub(crate) type Given = Vec<(usize, Vec<Option<usize>>)>;

/// Sentences with their annotations, in the order in which they first occur.
pub(crate) struct People<'a> {
    pub(crate) names: Vec<String>,
    pub(crate) keys: Vec<Key>,
    /// For each sentence who annotated it.
    pub(crate) annotations: Vec<Vec<(usize, &'a AnnotatedSentence)>>,
    pub(crate) gold: Vec<Vec<Option<usize>>>,
    /// The tags of gold, where it has any.
    gold_tags: Vec<Option<Vec<Text>>>,
    tags: TagChoice,
}

impl<'a> People<'a> {
    /// Groups sentences; what is wrong is told by file.
    pub(crate) fn new(
        corpora: &'a [AnnotatedCorpus],
        keys: &Keys,
        gold: &BTreeMap<Key, Truth>,
        tags: TagChoice,
    ) -> (Self, Vec<Vec<Problem>>) {
        let mut people = Self {
            names: Vec::new(),
            keys: Vec::new(),
            annotations: Vec::new(),
            gold: Vec::new(),
            gold_tags: Vec::new(),
            tags,
        };
        let mut places: BTreeMap<Key, usize> = BTreeMap::new();
        let mut problems = Vec::new();
        for corpus in corpora {
            let mut found = corpus.errors.clone();
            let mut here = BTreeSet::new();
            for (annotated, key) in corpus.sentences.iter().zip(keys.of_file(&corpus.sentences)) {
                found.extend(annotated.errors.clone());
                let name = annotated.annotator.clone().unwrap_or_else(|| stem(&corpus.source.name()));
                let truth = gold.get(&key);
                let place = *places.entry(key.clone()).or_insert_with(|| people.add_sentence(key, truth));
                found.extend(people.add(place, name, annotated, truth, &corpus.source.name(), &mut here));
            }
            problems.push(found);
        }
        (people, problems)
    }

    /// Annotators by their names, and for each sentence who annotated it, in this order; without gold.
    pub(crate) fn of(names: Vec<String>, annotations: Vec<Vec<(usize, &'a AnnotatedSentence)>>) -> Self {
        let n = annotations.len();
        let sentences = annotations.iter().flatten().map(|(_, annotated)| &annotated.sentence);
        let tags = TagChoice::resolve(None, sentences);
        Self {
            names,
            keys: (0..n).map(Key::Place).collect(),
            annotations,
            gold: vec![Vec::new(); n],
            gold_tags: vec![None; n],
            tags,
        }
    }

    fn add_sentence(&mut self, key: Key, truth: Option<&Truth>) -> usize {
        self.gold.push(truth.map(|truth| truth.heads.clone()).unwrap_or_default());
        let tags = truth.map(|truth| self.tags.tags(&truth.sentence));
        self.gold_tags.push(tags.filter(|tags| tags.iter().any(|tag| *tag != UNSPECIFIED)));
        self.keys.push(key);
        self.annotations.push(Vec::new());
        self.keys.len() - 1
    }

    fn add(
        &mut self,
        place: usize,
        name: String,
        annotated: &'a AnnotatedSentence,
        truth: Option<&Truth>,
        file: &str,
        here: &mut BTreeSet<(usize, usize)>,
    ) -> Option<Problem> {
        let first = self.annotations[place].first().map(|(_, other)| &other.sentence);
        if let Some(other) = first.or(truth.map(|truth| &truth.sentence))
            && let Some(message) = difference(&self.keys[place], annotated, other)
        {
            return Some(Problem::error(
                "another-sentence",
                Place::line(annotated.line),
                message,
                "tokenise alike, and give different sentences different ids; until then this annotation is left out",
            ));
        }
        let mut who = self.who(name.clone());
        if !here.contains(&(place, who)) && self.annotations[place].iter().any(|(other, _)| *other == who) {
            // The same name in two files that hold the same sentence: two annotators.
            who = self.who(format!("{name} ({})", stem(file)));
        }
        if !here.insert((place, who)) {
            let message = format!("sentence {} is annotated twice by {name}", self.keys[place].name());
            let help = "remove one of the two, or give each its % ANNOTATOR; the first counts";
            return Some(Problem::warning("annotated-twice", Place::line(annotated.line), message, help));
        }
        self.annotations[place].push((who, annotated));
        None
    }

    fn who(&mut self, name: String) -> usize {
        self.names.iter().position(|other| *other == name).unwrap_or_else(|| {
            self.names.push(name);
            self.names.len() - 1
        })
    }

    /// The certain heads of every sentence.
    pub(crate) fn heads(&self) -> Vec<Given> {
        let given = |all: &Vec<(usize, &AnnotatedSentence)>| {
            all.iter().map(|(who, annotated)| (*who, definite_heads(&annotated.said))).collect()
        };
        self.annotations.iter().map(given).collect()
    }

    /// The heads of every sentence that were said, without those that are merely the only ones left.
    pub(crate) fn said_heads(&self) -> Vec<Given> {
        let said = |all: Given, annotations: &Vec<(usize, &AnnotatedSentence)>| {
            let both = all.into_iter().zip(annotations);
            both.map(|((who, heads), (_, one))| (who, only_said(&one.said, heads))).collect()
        };
        self.heads()
            .into_iter()
            .zip(&self.annotations)
            .map(|(all, annotations)| said(all, annotations))
            .collect()
    }

    /// What one annotator said, sentence by sentence.
    pub(crate) fn said_by(&self, who: usize) -> impl Iterator<Item = &PartialTree> {
        let all = self.annotations.iter().flatten();
        all.filter(move |(other, _)| *other == who).map(|(_, annotated)| &annotated.said)
    }

    /// The tags of a sentence: those of gold, or else for each word the one that most annotators give, in a tie that of the
    /// first of them.
    pub(crate) fn tags(&self, place: usize) -> Vec<Text> {
        if let Some(tags) = &self.gold_tags[place] {
            return tags.clone();
        }
        let annotations = self.annotations[place].iter();
        let all: Vec<Vec<Text>> =
            annotations.map(|(_, annotated)| self.tags.tags(&annotated.sentence)).collect();
        let n_words = all.first().map_or(0, Vec::len);
        (0..n_words).map(|word| commonest(all.iter().filter_map(|tags| tags.get(word)))).collect()
    }

    /// Everything for the statistics, in the order of the annotators.
    pub(crate) fn records(&self) -> Vec<Record> {
        let mut records = Vec::new();
        for who in 0..self.names.len() {
            for (place, annotations) in self.annotations.iter().enumerate() {
                let own = annotations.iter().filter(|(other, _)| *other == who);
                records.extend(own.map(|(_, annotated)| Record {
                    annotator: self.names[who].as_str().into(),
                    said: annotated.said.clone(),
                    tags: self.tags(place),
                    gold: self.gold[place].clone(),
                    seconds: annotated.seconds,
                }));
            }
        }
        records
    }
}

/// The commonest of several tags, in a tie the first; words may go without.
fn commonest<'a>(tags: impl Iterator<Item = &'a Text>) -> Text {
    let tags: Vec<&Text> = tags.filter(|tag| **tag != UNSPECIFIED).collect();
    let count = |tag: &Text| tags.iter().filter(|other| **other == tag).count();
    let first_of_most = tags.iter().rev().max_by_key(|tag| count(tag));
    first_of_most.map_or(UNSPECIFIED, |tag| (*tag).clone())
}

/// What makes an annotation one of another sentence.
fn difference(key: &Key, annotated: &AnnotatedSentence, other: &Sentence) -> Option<String> {
    let (n_words, expected) = (annotated.sentence.n_words(), other.n_words());
    if n_words != expected {
        let name = key.name();
        return Some(format!(
            "sentence {name} has {n_words} words here, but {expected} elsewhere; is it another sentence?"
        ));
    }
    let differing = differing_form(&annotated.sentence, other, "another file")?;
    Some(format!("sentence {}: {differing}; is it another sentence?", key.name()))
}

/// The name of a file without folders and endings.
fn stem(path: &str) -> String {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.split('.').find(|part| !part.is_empty()).unwrap_or(name).to_string()
}
