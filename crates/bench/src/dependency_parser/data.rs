//! Treebanks as the parsers see them: forms, universal tags, heads, and relations without their subtypes.

use std::fmt::Write;

use dependency::Annotated;
use tree::Possible;
use tree::{Head, PartialTree, Reading, Sentence, Text, Token};

pub(super) use crate::treebank::{Part, Treebank, sentences};

/// What systems get to see besides forms, universal tags and trees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct SeenColumns {
    pub(super) feats: bool,
    pub(super) xpos: bool,
    pub(super) parsed: Part,
}

/// A treebank, of which systems get to see this.
pub(super) fn treebank(name: &str, seen: SeenColumns) -> anyhow::Result<Treebank> {
    Treebank::read(name, seen.parsed, |sentence| bare(&sentence, seen))
}

impl Treebank {
    /// With only so many training sentences, taken at even distances.
    pub(crate) fn thinned(&self, n_sentences: usize) -> Treebank {
        let n = n_sentences.min(self.train.len());
        let train = (0..n).map(|i| self.train[i * self.train.len() / n].clone()).collect();
        Treebank { name: format!("{}-{n}", self.name), train, test: self.test.clone() }
    }
}

/// What all systems get to see.
fn bare(sentence: &Sentence, seen: SeenColumns) -> Sentence {
    let mut bare = Sentence::from_forms(sentence.words().map(|token| token.form.clone()));
    for (new, old) in bare.words_mut().zip(sentence.words()) {
        new.upos = old.upos.clone();
        new.head = old.head.clone();
        if seen.feats {
            new.feats = old.feats.clone();
        }
        if seen.xpos {
            new.xpos = old.xpos.clone();
        }
        new.deprel = without_subtype(old);
    }
    bare
}

fn without_subtype(token: &Token) -> Text {
    Text::from(token.deprel.split(':').next().unwrap_or_default())
}

/// The text that other programs read.
pub(super) fn text(sentences: &[Sentence]) -> String {
    let mut text = String::new();
    for sentence in sentences {
        for (id, token) in (1..).zip(sentence.words()) {
            let Token { form, upos, xpos, feats, head, deprel, .. } = token;
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{id}\t{form}\t_\t{upos}\t{xpos}\t{feats}\t{head}\t{deprel}\t_\t_");
        }
        text.push('\n');
    }
    text
}

/// A sentence to learn from, with the heads that it has; `None` if they contradict one another.
pub(super) fn annotated(sentence: &Sentence) -> Option<Annotated> {
    let possible = Possible::new(&PartialTree::from_sentence(sentence), &Reading::default()).ok()?;
    Some(Annotated { sentence: sentence.clone(), possible, weight: 1.0 })
}

/// The same words, and nothing that a parser is to find.
pub(crate) fn without_tree(sentence: &Sentence) -> Sentence {
    let mut sentence = sentence.clone();
    for token in sentence.words_mut() {
        token.head = Head::Open;
        token.deprel = Text::from("_");
    }
    sentence
}

/// The number of words of all sentences.
pub(super) fn n_words(sentences: &[Sentence]) -> usize {
    sentences.iter().map(Sentence::n_words).sum()
}
