//! Which senses a predicate may have: those in which its lemma was used.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tree::Text;

use crate::Sentence;

/// Senses by lemma.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Senses {
    by_lemma: BTreeMap<Text, Vec<Text>>,
    /// How often a sense is its lemma with a number behind, and how often it is not.
    named: (u32, u32),
    counts: BTreeMap<Text, u32>,
}

/// A word by which senses are looked up: its lemma, or its small letters where there is no lemma.
pub(super) fn lemma_of(sentence: &Sentence, word: usize) -> Text {
    let lemma = sentence.lemmas.get(word).filter(|lemma| !lemma.is_empty() && *lemma != "_");
    lemma.cloned().unwrap_or_else(|| sentence.forms[word].to_lowercase().into())
}

impl Senses {
    /// Takes in the senses of a sentence.
    pub(super) fn insert(&mut self, sentence: &Sentence) {
        for predicate in &sentence.semantics.predicates {
            let Some(sense) = predicate.sense.as_ref().filter(|_| predicate.word < sentence.len()) else {
                continue;
            };
            let lemma = lemma_of(sentence, predicate.word);
            match sense.rsplit_once('.').is_some_and(|(name, _)| name == lemma) {
                true => self.named.0 += 1,
                false => self.named.1 += 1,
            }
            *self.counts.entry(sense.clone()).or_default() += 1;
            let senses = self.by_lemma.entry(lemma).or_default();
            if let Err(place) = senses.binary_search(sense) {
                senses.insert(place, sense.clone());
            }
        }
    }

    /// Whether no predicate has a sense.
    pub(super) fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// The senses that a word may have. Of a lemma that was never seen it is its first (`lemma.01`), where senses are called
    /// so, otherwise the commonest of all.
    pub(super) fn of(&self, sentence: &Sentence, word: usize) -> Vec<Text> {
        let lemma = lemma_of(sentence, word);
        match self.by_lemma.get(&lemma) {
            Some(senses) => senses.clone(),
            None if self.is_empty() => Vec::new(),
            None if self.named.0 >= self.named.1 => vec![format!("{lemma}.01").into()],
            None => {
                let commonest =
                    self.counts.iter().max_by_key(|(sense, count)| (**count, std::cmp::Reverse(*sense)));
                commonest.map(|(sense, _)| sense.clone()).into_iter().collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tree::semantics::Predicate;

    fn used(lemma: &str, sense: &str) -> Sentence {
        let predicate =
            Predicate { word: 0, sense: Some(sense.into()), arguments: vec![], open: Default::default() };
        let mut sentence =
            Sentence { forms: vec![lemma.into()], lemmas: vec![lemma.into()], ..Sentence::default() };
        sentence.semantics.predicates = vec![predicate];
        sentence
    }

    #[test]
    fn lemmas_that_were_never_seen_have_the_first_sense() {
        let mut senses = Senses::default();
        [used("go", "go.02"), used("go", "go.01"), used("see", "see.01")]
            .iter()
            .for_each(|s| senses.insert(s));
        assert_eq!(senses.of(&used("go", ""), 0), ["go.01", "go.02"]);
        assert_eq!(senses.of(&used("say", ""), 0), ["say.01"]);
        let mut others = Senses::default();
        [used("megy", "go.02"), used("lép", "go.02"), used("lát", "see.01")]
            .iter()
            .for_each(|s| others.insert(s));
        assert_eq!(others.of(&used("mond", ""), 0), ["go.02"]);
    }
}
