//! Text as numbers of words, with what is known about its tags.

use tree::{Symbols, Text};

use crate::error::Error;
use crate::{Choice, Tagged};

/// Sentences over numbered words; those with tags come first.
#[derive(Debug, Clone, Default)]
pub struct Corpus {
    forms: Symbols,
    words: Vec<u32>,
    /// As many as there are words in tagged sentences.
    choices: Vec<Choice>,
    /// Where sentences end.
    ends: Vec<usize>,
    counts: Vec<u32>,
}

impl Corpus {
    /// Numbers the words of tagged sentences and of raw text. Sentences without words are left out.
    pub fn new(tagged: &[Tagged], raw: &[Vec<Text>], n_tags: usize) -> Result<Corpus, Error> {
        let mut corpus = Corpus::default();
        for (number, sentence) in (1..).zip(tagged) {
            check(sentence, number, n_tags)?;
            corpus.choices.extend(sentence.choices.iter().cloned());
            corpus.push(&sentence.words);
        }
        raw.iter().for_each(|sentence| corpus.push(sentence));
        if corpus.words.is_empty() { Err(Error::NoText) } else { Ok(corpus) }
    }

    fn push(&mut self, sentence: &[Text]) {
        for form in sentence {
            let number = self.forms.insert(form) as usize;
            if number == self.counts.len() {
                self.counts.push(0);
            }
            self.counts[number] += 1;
            self.words.push(number as u32);
        }
        if !sentence.is_empty() {
            self.ends.push(self.words.len());
        }
    }

    /// The number of different words.
    pub fn n_types(&self) -> usize {
        self.forms.len()
    }

    /// The number of words.
    pub fn n_tokens(&self) -> usize {
        self.words.len()
    }

    /// The number of sentences.
    pub fn n_sentences(&self) -> usize {
        self.ends.len()
    }

    /// All words, one sentence after the other.
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// The places of a sentence's words among all.
    pub fn sentence(&self, number: usize) -> std::ops::Range<usize> {
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        start..self.ends[number]
    }

    /// What was said about the tag of the word at a place.
    pub fn choice(&self, place: usize) -> &Choice {
        self.choices.get(place).unwrap_or(&Choice::Any)
    }

    /// How often a word occurs.
    pub fn count(&self, word: u32) -> u32 {
        self.counts[word as usize]
    }

    /// A word as it is written.
    pub fn form(&self, word: u32) -> &Text {
        self.forms.name(word)
    }

    /// All words in the order of their numbers.
    pub fn forms(&self) -> impl ExactSizeIterator<Item = &Text> {
        self.forms.names()
    }

    /// The number of a word.
    pub fn number(&self, form: &str) -> Option<u32> {
        self.forms.number(form)
    }
}

fn check(tagged: &Tagged, sentence: usize, n_tags: usize) -> Result<(), Error> {
    let (n_words, n_choices) = (tagged.words.len(), tagged.choices.len());
    if n_words != n_choices {
        return Err(Error::Lengths { sentence, n_words, n_choices });
    }
    for (word, choice) in (1..).zip(&tagged.choices) {
        let tags = match choice {
            Choice::Any => continue,
            Choice::Known(tag) => std::slice::from_ref(tag),
            Choice::Among(tags) if tags.is_empty() => return Err(Error::NoChoice { sentence, word }),
            Choice::Among(tags) => tags,
        };
        if let Some(&tag) = tags.iter().find(|&&tag| tag as usize >= n_tags) {
            return Err(Error::NoSuchTag { sentence, word, tag, n_tags });
        }
    }
    Ok(())
}
