//! Constructions whose head is a matter of convention.

use serde::{Deserialize, Serialize};
use std::ops::AddAssign;
use tree::Text;

/// Two kinds of words of which either may head the other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Construction {
    /// What to call it.
    pub name: Text,
    /// Tags of function words.
    pub function: Vec<Text>,
    /// Tags of content words.
    pub content: Vec<Text>,
}

impl Construction {
    /// A construction of words with these tags.
    pub fn new(name: &str, function: &[&str], content: &[&str]) -> Self {
        let texts = |tags: &[&str]| tags.iter().map(|&tag| Text::from(tag)).collect();
        Self { name: name.into(), function: texts(function), content: texts(content) }
    }

    /// Determiners and nouns of Universal Dependencies.
    pub fn determiner_noun() -> Self {
        Self::new("determiner–noun", &["DET"], &["NOUN", "PROPN"])
    }

    /// Auxiliaries (modals among them) and verbs of Universal Dependencies.
    pub fn auxiliary_verb() -> Self {
        Self::new("auxiliary–verb", &["AUX"], &["VERB"])
    }
}

/// Which words head which, where one depends on the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Headedness {
    /// Pairs headed by the content word.
    pub by_content: usize,
    /// Pairs headed by the function word.
    pub by_function: usize,
}

impl Headedness {
    /// The share of pairs headed by the content word; `None` if there are no pairs.
    pub fn content_share(self) -> Option<f64> {
        let total = self.by_content + self.by_function;
        (total > 0).then(|| self.by_content as f64 / total as f64)
    }
}

impl AddAssign for Headedness {
    fn add_assign(&mut self, other: Self) {
        self.by_content += other.by_content;
        self.by_function += other.by_function;
    }
}

/// Counts the arcs of one sentence between the words of a construction.
pub fn headedness(construction: &Construction, tags: &[Text], heads: &[Option<usize>]) -> Headedness {
    let mut counts = Headedness::default();
    for (dependent, head) in tags.iter().zip(heads) {
        let Some(head) = head.and_then(|head| tags.get(head.checked_sub(1)?)) else { continue };
        let (function, content) = (&construction.function, &construction.content);
        counts.by_content += usize::from(function.contains(dependent) && content.contains(head));
        counts.by_function += usize::from(content.contains(dependent) && function.contains(head));
    }
    counts
}
