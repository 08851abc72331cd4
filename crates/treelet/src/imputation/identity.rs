//! Which sentences of several files are the same.
//!
//! A sentence is its file and its place in it. Ids and words are checks: two files speak of the same sentence if it has the
//! same id and the same words in both. An id that several sentences of a file have does not tell them apart; then words do,
//! and among the same words the order.

use super::annotated::{AnnotatedCorpus, AnnotatedSentence};
use crate::table::plural;
use std::collections::{BTreeMap, BTreeSet};
use tree::{Sentence, Text};

/// So many ids are named.
const MOST_NAMED: usize = 3;

/// What a sentence is known by in all files.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key {
    /// Its place, from 0, where not all sentences have ids.
    Place(usize),
    /// An id that no other sentence of a file has.
    Id(String),
    /// One of several sentences with an id: that with these words, and of those the n-th, from 0.
    OneOf { id: String, words: Vec<Text>, nth: usize },
}

impl Key {
    /// As messages name it.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Place(at) => (at + 1).to_string(),
            Self::Id(id) => id.clone(),
            Self::OneOf { id, words, .. } => format!("{id} ({} …)", words.first().map_or("", |word| word)),
        }
    }
}

/// How sentences of some files are known.
pub(crate) struct Keys {
    has_ids: bool,
    /// Ids that several sentences of a file have.
    repeated: BTreeSet<String>,
}

impl Keys {
    /// Looks for ids that do not tell sentences apart. The same sentence may come several times in a file, once for each
    /// annotator; graph fragments of it need not even name them.
    pub(crate) fn new<'a>(files: impl IntoIterator<Item = &'a [AnnotatedSentence]>) -> Self {
        let (mut has_ids, mut repeated) = (true, BTreeSet::new());
        for sentences in files {
            let mut seen: BTreeMap<(&str, Option<&str>), &AnnotatedSentence> = BTreeMap::new();
            for one in sentences {
                let Some(id) = one.sentence.id() else {
                    has_ids = false;
                    continue;
                };
                if let Some(before) = seen.insert((id, one.annotator.as_deref()), one)
                    && (!one.is_fragment || words(&before.sentence) != words(&one.sentence))
                {
                    repeated.insert(id.to_string());
                }
            }
        }
        Self { has_ids, repeated }
    }

    /// The keys of a file's sentences. Places are counted for each annotator by itself.
    pub(crate) fn of_file(&self, sentences: &[AnnotatedSentence]) -> Vec<Key> {
        let mut places: BTreeMap<Option<&str>, usize> = BTreeMap::new();
        let mut counts = Counts::new();
        let mut keys = Vec::new();
        for one in sentences {
            let place = places.entry(one.annotator.as_deref()).or_default();
            keys.push(match one.sentence.id() {
                Some(id) if self.has_ids && !self.repeated.contains(id) => Key::Id(id.to_string()),
                Some(id) if self.has_ids => one_of(id, one, &mut counts),
                _ => Key::Place(*place),
            });
            *place += 1;
        }
        keys
    }

    /// What to tell of ids that are not unique, if there are any.
    pub(crate) fn note(&self) -> Option<String> {
        let ids: Vec<&str> = self.repeated.iter().map(String::as_str).collect();
        if self.has_ids { note_of(&ids) } else { None }
    }
}

/// How often an annotator's sentence with an id and words has come in a file.
type Counts<'a> = BTreeMap<(Option<&'a str>, &'a str, Vec<Text>), usize>;

/// Graph fragments of the same words are annotations of the same sentence; rows are sentences of their own.
fn one_of<'a>(id: &'a str, one: &'a AnnotatedSentence, counts: &mut Counts<'a>) -> Key {
    let words = words(&one.sentence);
    let count = counts.entry((one.annotator.as_deref(), id, words.clone())).or_default();
    let nth = if one.is_fragment { 0 } else { *count };
    *count += 1;
    Key::OneOf { id: id.to_string(), words, nth }
}

/// Sentences of several files, each once however often it was annotated.
pub(crate) struct Groups {
    /// Numbers of sentences, counted through all files from 0, in the order in which they first occur.
    pub(crate) all: Vec<Vec<usize>>,
    /// Ids that several different sentences have.
    shared: Vec<String>,
}

impl Groups {
    /// Sentences without an id are alone.
    pub(crate) fn new(corpora: &[AnnotatedCorpus]) -> Self {
        let mut places: BTreeMap<Key, usize> = BTreeMap::new();
        let mut all: Vec<Vec<usize>> = Vec::new();
        let mut number = 0;
        for corpus in corpora {
            let mut counts = Counts::new();
            for one in &corpus.sentences {
                let own = all.len();
                let place = match one.sentence.id() {
                    Some(id) => *places.entry(one_of(id, one, &mut counts)).or_insert(own),
                    None => own,
                };
                if place == own {
                    all.push(Vec::new());
                }
                all[place].push(number);
                number += 1;
            }
        }
        let mut n_sentences: BTreeMap<&str, usize> = BTreeMap::new();
        for key in places.keys() {
            if let Key::OneOf { id, .. } = key {
                *n_sentences.entry(id).or_default() += 1;
            }
        }
        let shared = n_sentences.into_iter().filter(|(_, n)| *n > 1).map(|(id, _)| id.to_string()).collect();
        Self { all, shared }
    }

    /// Whether several different sentences have an id.
    pub(crate) fn is_shared(&self, id: &str) -> bool {
        self.shared.binary_search_by(|other| other.as_str().cmp(id)).is_ok()
    }

    /// What to tell of ids that are not unique, if there are any.
    pub(crate) fn note(&self) -> Option<String> {
        note_of(&self.shared.iter().map(String::as_str).collect::<Vec<_>>())
    }
}

fn note_of(ids: &[&str]) -> Option<String> {
    let named = ids.iter().take(MOST_NAMED).copied().collect::<Vec<_>>().join(", ");
    let more = if ids.len() > MOST_NAMED { ", …" } else { "" };
    (!ids.is_empty()).then(|| {
        format!(
            "note: {} not tell sentences apart ({named}{more}); they are told apart by their words, and by their order among \
             the same words",
            if ids.len() == 1 { "1 id does".to_string() } else { format!("{} do", plural(ids.len(), "id")) }
        )
    })
}

/// The sentences of a file, to be found from those of another.
pub(crate) struct Lookup<'a> {
    sentences: &'a [AnnotatedSentence],
    by_id: BTreeMap<&'a str, Vec<usize>>,
    /// How often a sentence with an id and words was asked for.
    asked: BTreeMap<(String, Option<String>, Vec<Text>), usize>,
}

impl<'a> Lookup<'a> {
    pub(crate) fn new(sentences: &'a [AnnotatedSentence]) -> Self {
        let mut by_id: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (at, one) in sentences.iter().enumerate() {
            if let Some(id) = one.sentence.id() {
                by_id.entry(id).or_default().push(at);
            }
        }
        Self { sentences, by_id, asked: BTreeMap::new() }
    }

    /// The sentence that another at this place in its own file, from 0, is about.
    ///
    /// Without ids in either file it is the one at the same place. Of several with the id it is the one with the same words,
    /// and of those the one at the same place, or else the next in order. One whose id is not there is looked for at its
    /// place and must have the same words.
    pub(crate) fn find(&mut self, one: &AnnotatedSentence, at: usize) -> Option<&'a AnnotatedSentence> {
        let same_place = self.sentences.get(at);
        let Some(id) = one.sentence.id().filter(|_| !self.by_id.is_empty()) else { return same_place };
        let has_words = |other: &&AnnotatedSentence| words(&other.sentence) == words(&one.sentence);
        let Some(with_id) = self.by_id.get(id) else { return same_place.filter(has_words) };
        let matching: Vec<usize> =
            with_id.iter().copied().filter(|&other| has_words(&&self.sentences[other])).collect();
        let key = (id.to_string(), one.annotator.clone(), words(&one.sentence));
        let nth = self.asked.entry(key).or_default();
        let next = matching.get(*nth).or(matching.last()).or(with_id.first());
        let found = if matching.contains(&at) { Some(&at) } else { next };
        let found = found.and_then(|&other| self.sentences.get(other));
        *nth += 1;
        found
    }

    /// What to tell of ids that are not unique, if there are any.
    pub(crate) fn note(&self) -> Option<String> {
        let ids: Vec<&str> = self.by_id.iter().filter(|(_, all)| all.len() > 1).map(|(id, _)| *id).collect();
        note_of(&ids)
    }
}

fn words(sentence: &Sentence) -> Vec<Text> {
    sentence.words().map(|word| word.form.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::imputation::annotated::of_item;
    use crate::options::impute::Trust;
    use formats::everything::Item;

    fn rows(text: &str) -> Vec<AnnotatedSentence> {
        let sentence = |(id, words): (&str, &str)| {
            let mut sentence = Sentence::from_forms(words.split(' ').map(Text::from));
            sentence.comments.extend((id != "_").then(|| format!("# sent_id = {id}").into()));
            of_item(Item::Sentence(sentence), 1, Trust::People).unwrap()
        };
        text.split('/').map(|one| sentence(one.trim().split_once(' ').unwrap())).collect()
    }

    fn found(ours: &str, theirs: &str) -> Vec<Option<usize>> {
        let (ours, theirs) = (rows(ours), rows(theirs));
        let mut lookup = Lookup::new(&theirs);
        let place =
            |found: &AnnotatedSentence| theirs.iter().position(|one| std::ptr::eq(one, found)).unwrap();
        ours.iter().enumerate().map(|(at, one)| lookup.find(one, at).map(place)).collect()
    }

    #[test]
    fn ids_find_sentences_in_any_order_and_words_find_those_with_the_same_id() {
        assert_eq!(found("a x / b y", "b y / a x"), [Some(1), Some(0)]);
        assert_eq!(found("s x / s y / s z", "s z / s x / s y"), [Some(1), Some(2), Some(0)]);
        // The same id and the same words: the place tells, or else the order.
        assert_eq!(found("s q / s x / s x", "s y / s x / s x"), [Some(0), Some(1), Some(2)]);
        assert_eq!(found("s x / t y / s x", "t y / r z / r z / s x / s x"), [Some(3), Some(0), Some(4)]);
    }

    #[test]
    fn places_find_sentences_without_ids_and_those_whose_id_is_missing_if_the_words_agree() {
        assert_eq!(found("_ x / _ y", "_ y / _ x"), [Some(0), Some(1)]);
        assert_eq!(found("a x / b y", "_ x / _ q"), [Some(0), Some(1)]);
        assert_eq!(found("a x / b y", "c x / d q"), [Some(0), None]);
    }

    fn keys(files: &[&str]) -> (Vec<Vec<Key>>, Option<String>) {
        let files: Vec<Vec<AnnotatedSentence>> = files.iter().map(|text| rows(text)).collect();
        let keys = Keys::new(files.iter().map(Vec::as_slice));
        (files.iter().map(|file| keys.of_file(file)).collect(), keys.note())
    }

    #[test]
    fn an_id_that_comes_once_in_each_file_is_enough() {
        let (keys, note) = keys(&["a x / b y", "b y / a x"]);
        assert_eq!((&keys[0][0], &keys[0][1]), (&keys[1][1], &keys[1][0]));
        assert_eq!(note, None);
    }

    #[test]
    fn sentences_with_the_same_id_are_paired_by_words_and_then_by_order() {
        let (keys, note) = keys(&["s x / s y / s x / t z", "s y / s x / s x / t z"]);
        assert_eq!(keys[0][1], keys[1][0]);
        assert_eq!((&keys[0][0], &keys[0][2]), (&keys[1][1], &keys[1][2]));
        assert_ne!(keys[0][0], keys[0][2]);
        assert_eq!(keys[0][3], Key::Id("t".into()));
        assert!(note.unwrap().contains("1 id does not tell sentences apart (s)"));
    }

    #[test]
    fn one_sentence_without_an_id_makes_all_go_by_their_places() {
        let (keys, note) = keys(&["a x / _ y", "b x / a y"]);
        assert_eq!(keys[0], keys[1]);
        assert_eq!(note, None);
    }
}
