//! What tells the tag of a word.

use features::{Index, Key};
use rustc_hash::FxHashMap;

use super::{Mode, Sight, Tagger};
use crate::arcs::Coded;
use crate::{Error, Sentence};

/// Keys of the rows that belong to no word: pairs of neighbours, pairs along arcs.
pub(super) const NEIGHBOURS: u64 = 1;
pub(super) const CONNECTED: u64 = 2;

/// Templates of words begin here, those of arcs are below.
const FIRST: u32 = 100;

/// Writes the keys of the features of a word's tag, words from 1.
pub(super) fn word_keys(sentence: &Sentence, coded: &Coded, sight: Sight, word: usize, keys: &mut Vec<u64>) {
    keys.clear();
    keys.push(Key::of(FIRST, &[]));
    if coded.forms[word] != 0 {
        keys.push(Key::of(FIRST + 1, &[coded.forms[word]]));
    }
    if !sentence.classes.is_empty() {
        keys.push(Key::of(FIRST + 2, &[coded.classes[word]]));
    }
    if sight == Sight::Words {
        return;
    }
    let beside =
        |at: usize| if at == 0 { u32::MAX } else { coded.forms.get(at).copied().unwrap_or(u32::MAX) };
    let (before, after) = (beside(word - 1), beside(word + 1));
    keys.extend([Key::of(FIRST + 3, &[before]), Key::of(FIRST + 4, &[after])]);
    let letters: Vec<u32> = sentence.forms[word - 1].chars().map(u32::from).collect();
    for n in 1..=letters.len().min(4) {
        keys.push(Key::of(FIRST + 5, &letters[letters.len() - n..]));
    }
    for n in 1..=letters.len().min(3) {
        keys.push(Key::of(FIRST + 6, &letters[..n]));
    }
    keys.push(Key::of(FIRST + 7, &[shape(&sentence.forms[word - 1]), u32::from(word == 1)]));
}

/// Whether there are digits, capitals, anything but letters.
fn shape(form: &str) -> u32 {
    let first = form.chars().next().is_some_and(char::is_uppercase);
    let any = |is: fn(char) -> bool| u32::from(form.chars().any(is));
    u32::from(first)
        + 2 * any(char::is_uppercase)
        + 4 * any(char::is_numeric)
        + 8 * any(|c| !c.is_alphanumeric())
}

/// Rows for all features of the sentences.
pub(super) fn index(tagger: &Tagger, sentences: &[&Sentence]) -> Result<Index, Error> {
    let n_tags = tagger.tags.len();
    let settings = &tagger.settings;
    let mut index = crate::index(settings.hash);
    let mut insert = |key: u64, len: usize| index.insert(key, len).map(|_| ()).ok_or(Error::TooManyFeatures);
    if settings.chain {
        insert(NEIGHBOURS, n_tags * n_tags)?;
    }
    if settings.mode.has_syntax() {
        insert(CONNECTED, n_tags * n_tags)?;
    }
    let mut keys = Vec::new();
    let mut counts: FxHashMap<u64, u32> = FxHashMap::default();
    for sentence in sentences {
        let coded = tagger.seen.code(sentence);
        for word in 1..=sentence.len() {
            word_keys(sentence, &coded, settings.sight, word, &mut keys);
            keys.iter().try_for_each(|&key| insert(key, n_tags))?;
            // With known trees the features of arcs that nobody drew would only say what the tree says.
            let heads = match settings.mode {
                Mode::Hidden => 0..=sentence.len(),
                Mode::Joint => sentence.head(word).map_or(0..=sentence.len(), |head| head..=head),
                _ => continue,
            };
            for head in heads.filter(|&head| head != word) {
                coded.arc_keys(head, word, &mut keys);
                for &key in &keys {
                    let count = counts.entry(key).or_insert(0);
                    *count += 1;
                    if *count == settings.least.max(1) {
                        insert(key, 1)?;
                    }
                }
            }
        }
    }
    Ok(index)
}
