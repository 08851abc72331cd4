//! Words of a dictionary that are made to look unknown or ambiguous.
//!
//! Words outside a dictionary are rarer than those in it, so those stand in for them that are rare; their entries are hidden. A
//! word of several tags is stood in for by several words, one for each of its tags and about as frequent with it, that are all
//! written alike in the text. The dictionary gives what is written all the tags, and it is known which is right where: the
//! pseudowords of Gale, Church & Yarowsky (1992).

use chain::Stream;
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};
use tree::PutInOrder;
use tree::Text;

use crate::pipeline::Supervision;
use crate::{Dictionary, Tagged};

/// Words are changed in so many parts.
pub(super) const PARTS: usize = 5;
/// Words of several tags that are stood in for at most, the most frequent ones.
const MOST: usize = 2000;

/// Which words are changed in which part.
#[derive(Debug, Default)]
pub(super) struct Masks {
    words: IndexMap<Text, Mask, FxBuildHasher>,
}

#[derive(Debug)]
struct Mask {
    part: usize,
    tag: u32,
    /// How it is written then.
    form: Text,
    /// What the dictionary says of it then; nothing of a word that is hidden or written as another one.
    shown: Vec<(u32, f64)>,
}

/// A word of the dictionary that the text has.
struct FoundWord<'a> {
    word: &'a Text,
    tags: &'a [(u32, f64)],
    count: usize,
    /// The sentence where it stands first.
    first: usize,
}

impl Masks {
    pub(super) fn new(supervision: &Supervision, auto_tagged: &[Tagged]) -> Masks {
        let (single, several) = found(supervision);
        let mut guessed = Dictionary::new(supervision.dictionary.tags().clone());
        guessed.count_tokens(auto_tagged);
        let mut masks = Masks::default();
        masks.stand_in(&single, &several, &guessed);
        masks.hide(&single);
        masks
    }

    /// Whether nothing is changed in any part.
    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The tag of a word that is changed in a part.
    pub(super) fn tag(&self, word: &str, part: usize) -> Option<u32> {
        self.get(word, part).map(|mask| mask.tag)
    }

    /// A sentence as it is written in a part.
    pub(super) fn written(&self, sentence: &[Text], part: usize) -> Vec<Text> {
        let form = |word: &Text| self.get(word, part).map_or(word, |mask| &mask.form).clone();
        sentence.iter().map(form).collect()
    }

    /// The dictionary as it is in a part.
    pub(super) fn dictionary(&self, whole: &Dictionary, part: usize) -> Dictionary {
        let mut dictionary = Dictionary::new(whole.tags().clone());
        for (word, tags) in whole.iter() {
            let shown = self.get(word, part).map_or(tags, |mask| &mask.shown);
            shown.iter().for_each(|&(tag, count)| dictionary.count(word, tag, count));
        }
        dictionary
    }

    fn get(&self, word: &str, part: usize) -> Option<&Mask> {
        self.words.get(word).filter(|mask| mask.part == part)
    }

    /// Hides the rarer half of words with one tag, in the part of the text where they stand first: many stand nowhere else.
    fn hide(&mut self, single: &[FoundWord<'_>]) {
        for found in &single[..single.len().div_ceil(2)] {
            if !self.words.contains_key(found.word) {
                let (part, tag, form) = (found.first % PARTS, found.tags[0].0, found.word.clone());
                self.words.insert(found.word.clone(), Mask { part, tag, form, shown: Vec::new() });
            }
        }
    }

    /// Writes words with one tag alike, a group for each word of several tags, which are as frequent as the tagger thinks.
    fn stand_in(&mut self, single: &[FoundWord<'_>], several: &[FoundWord<'_>], guessed: &Dictionary) {
        let mut by_tag: FxHashMap<u32, Vec<&FoundWord<'_>>> = FxHashMap::default();
        single.iter().for_each(|found| by_tag.entry(found.tags[0].0).or_default().push(found));
        for (at, other) in several.iter().enumerate() {
            let group: Vec<(&FoundWord<'_>, (u32, f64))> = (other.tags.iter())
                .filter_map(|&(tag, count)| {
                    let wanted = count_of(guessed, other.word, tag).max(1.0) as usize;
                    Some((nearest(by_tag.get_mut(&tag)?, wanted)?, (tag, count)))
                })
                .collect();
            if group.len() < 2 {
                continue;
            }
            let written = Stream::new(0).purpose("stand-in").item(at).rng().below(group.len());
            let form = group[written].0.word.clone();
            let shown: Vec<(u32, f64)> = group.iter().map(|(_, tag)| *tag).collect();
            for (member, (found, (tag, _))) in group.iter().enumerate() {
                let shown = if member == written { shown.clone() } else { Vec::new() };
                let mask = Mask { part: at % PARTS, tag: *tag, form: form.clone(), shown };
                self.words.insert(found.word.clone(), mask);
            }
        }
    }
}

/// How often a word has a tag.
fn count_of(dictionary: &Dictionary, word: &str, tag: u32) -> f64 {
    let tags = dictionary.get(word).unwrap_or_default();
    tags.iter().find(|(known, _)| *known == tag).map_or(0.0, |(_, count)| *count)
}

/// Takes the word whose count is nearest out of a list in rising order of counts.
fn nearest<'f, 'a>(words: &mut Vec<&'f FoundWord<'a>>, count: usize) -> Option<&'f FoundWord<'a>> {
    let next = words.partition_point(|found| found.count < count);
    let near = |at: &usize| words[*at].count.abs_diff(count);
    let best =
        [next.checked_sub(1), (next < words.len()).then_some(next)].into_iter().flatten().min_by_key(near)?;
    Some(words.remove(best))
}

/// The words of the dictionary that the text has: those with one tag, the rarest first, and those with several, the most
/// frequent first.
fn found(supervision: &Supervision) -> (Vec<FoundWord<'_>>, Vec<FoundWord<'_>>) {
    let mut seen: FxHashMap<&str, (usize, usize)> = FxHashMap::default();
    for (number, sentence) in supervision.raw.iter().enumerate() {
        sentence.iter().for_each(|word| seen.entry(word).or_insert((0, number)).0 += 1);
    }
    let found = supervision.dictionary.iter().filter_map(|(word, tags)| {
        let &(count, first) = seen.get(word.as_str())?;
        Some(FoundWord { word, tags, count, first })
    });
    let (mut single, mut several): (Vec<FoundWord<'_>>, Vec<FoundWord<'_>>) =
        found.filter(|found| !found.tags.is_empty()).partition(|found| found.tags.len() == 1);
    single.order_by_key(|found| found.count);
    several.order_by_key(|found| std::cmp::Reverse(found.count));
    several.truncate(MOST);
    (single, several)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<Text> {
        text.split(' ').map(Text::from).collect()
    }

    #[test]
    fn a_word_of_several_tags_is_stood_in_for_by_words_that_are_written_alike() {
        let mut dictionary = Dictionary::from_pairs([("a", "N"), ("b", "V"), ("both", "V"), ("both", "N")]);
        let [n, v] = ["N", "V"].map(|tag| dictionary.tags().number(tag).expect("a tag"));
        dictionary.count("both", v, 3.0);
        let sentence = words("a b both");
        let supervision = Supervision { dictionary, tagged: Vec::new(), raw: vec![sentence.clone()] };
        let masks = Masks::new(&supervision, &[]);
        let part = masks.words[0].part;
        let written = masks.written(&sentence, part);
        assert!(written[0] == written[1] && ["a", "b"].contains(&written[0].as_str()), "{written:?}");
        assert_eq!(
            (written[2].as_str(), masks.tag("a", part), masks.tag("b", part)),
            ("both", Some(n), Some(v))
        );
        // The dictionary says of it what it says of the word with several tags, and nothing of the other.
        let shown = masks.dictionary(&supervision.dictionary, part);
        assert_eq!(shown.get(&written[0]), Some(&[(v, 4.0), (n, 1.0)][..]));
        assert_eq!(shown.len(), 2);
        // In other parts nothing is changed.
        assert_eq!(masks.written(&sentence, part + 1), sentence);
        assert_eq!(masks.dictionary(&supervision.dictionary, part + 1), supervision.dictionary);
    }
}
