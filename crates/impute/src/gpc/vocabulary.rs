//! Tags and words as numbers.

use std::collections::BTreeMap;

use arcs::dmv::DmvSentence;
use serde::{Deserialize, Serialize};
use tree::Text;

use crate::Fragment;

/// Numbers for tags, one of them for all unknown tags, and for words with distributions of their own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vocabulary {
    /// In order.
    tags: Vec<Text>,
    /// Form and tag, in order.
    words: Vec<(Text, u32)>,
}

impl Vocabulary {
    /// All tags, and the words that occur with one tag at least `threshold` times.
    pub fn new(fragments: &[Fragment], threshold: Option<u32>) -> Vocabulary {
        let mut tags: Vec<Text> =
            fragments.iter().flat_map(|fragment| fragment.tags.iter().cloned()).collect();
        tags.sort_unstable();
        tags.dedup();
        let mut vocabulary = Vocabulary { tags, words: Vec::new() };
        if let Some(threshold) = threshold {
            let mut counts: BTreeMap<(Text, u32), u32> = BTreeMap::new();
            for fragment in fragments {
                for (form, tag) in fragment.forms.iter().zip(&fragment.tags) {
                    *counts.entry((form.clone(), vocabulary.tag(tag))).or_default() += 1;
                }
            }
            vocabulary.words =
                counts.into_iter().filter(|&(_, n)| n >= threshold.max(1)).map(|(word, _)| word).collect();
        }
        vocabulary
    }

    /// These tags, and no words.
    pub fn of_tags(tags: &[Text]) -> Vocabulary {
        let mut tags = tags.to_vec();
        tags.sort_unstable();
        tags.dedup();
        Vocabulary { tags, words: Vec::new() }
    }

    /// The known tags in the order of their numbers.
    pub fn tags(&self) -> &[Text] {
        &self.tags
    }

    /// The number of tags, with the one for unknown tags, which is the last.
    pub fn n_tags(&self) -> usize {
        self.tags.len() + 1
    }

    /// Words with distributions of their own, as form and number of the tag.
    pub fn words(&self) -> &[(Text, u32)] {
        &self.words
    }

    /// The number of a tag.
    pub fn tag(&self, tag: &Text) -> u32 {
        self.tags.binary_search(tag).unwrap_or(self.tags.len()) as u32
    }

    /// The kept words of a sentence.
    pub fn encode(&self, fragment: &Fragment, kept: &[usize]) -> DmvSentence {
        let tags: Vec<u32> = kept.iter().map(|&word| self.tag(&fragment.tags[word - 1])).collect();
        let heads = kept.iter().zip(&tags).map(|(&word, &tag)| self.head(&fragment.forms[word - 1], tag));
        DmvSentence { heads: heads.collect(), tags: tags.clone() }
    }

    fn head(&self, form: &Text, tag: u32) -> u32 {
        if self.words.is_empty() {
            return tag;
        }
        let found = self.words.binary_search_by(|(other, with)| (other, *with).cmp(&(form, tag)));
        found.map_or(tag, |at| (self.n_tags() + at) as u32)
    }
}
