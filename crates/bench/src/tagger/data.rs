//! Treebanks as the taggers see them.

use std::fmt::Write;

use tag::{Choice, TagSet, Tagged};
use tree::sentence::UNSPECIFIED;
use tree::{Sentence, Text, Token};

use crate::treebank::sentences;
pub(super) use crate::treebank::{Part, Treebank};
use crate::udpipe::Job;

impl Treebank {
    /// What UDPipe gets: all columns that a tagger may learn from, and forms to tag.
    pub(super) fn job(&self) -> Job {
        let blank = |token: &Token| format!("{}\t_\t_\t_\t_", token.form);
        let full = |token: &Token| {
            let Token { form, lemma, upos, xpos, feats, .. } = token;
            format!("{form}\t{lemma}\t{upos}\t{xpos}\t{feats}")
        };
        Job { name: self.name.clone(), train: text(&self.train, full), test: text(&self.test, blank) }
    }

    /// The tags of the training sentences, and these.
    pub(crate) fn train_tags(&self) -> (TagSet, Vec<Tagged>) {
        let mut tags = TagSet::default();
        let sentences =
            self.train.iter().map(|sentence| tagged(sentence, |tag| Some(tags.insert(tag)))).collect();
        (tags, sentences)
    }

    /// The sentences to tag; tags that the training sentences do not have are no tag's number, so that none is right.
    pub(crate) fn test_tags(&self) -> Vec<Tagged> {
        let (tags, _) = self.train_tags();
        let number = |tag: &str| Some(tags.number(tag).unwrap_or(u32::MAX));
        self.test.iter().map(|sentence| tagged(sentence, number)).collect()
    }

    /// The percentage of words whose tag is right in a text of the same words.
    pub(super) fn accuracy_of(&self, output: &str) -> anyhow::Result<f64> {
        let found = sentences(output)?;
        let words = |sentences: &[Sentence]| -> Vec<(Text, Text)> {
            sentences
                .iter()
                .flat_map(Sentence::words)
                .map(|token| (token.form.clone(), token.upos.clone()))
                .collect()
        };
        let (gold, found) = (words(&self.test), words(&found));
        anyhow::ensure!(gold.len() == found.len(), "{} words, tagged {}", gold.len(), found.len());
        let right = gold.iter().zip(&found).filter(|(gold, found)| gold.1 == found.1).count();
        Ok(100.0 * right as f64 / gold.len().max(1) as f64)
    }
}

fn tagged(sentence: &Sentence, mut number: impl FnMut(&str) -> Option<u32>) -> Tagged {
    let choice = |token: &Token| match &token.upos {
        tag if *tag == UNSPECIFIED => Choice::Any,
        tag => number(tag).map_or(Choice::Any, Choice::Known),
    };
    Tagged {
        words: sentence.words().map(|token| token.form.clone()).collect(),
        choices: sentence.words().map(choice).collect(),
        weight: 1.0,
    }
}

fn text(sentences: &[Sentence], columns: impl Fn(&Token) -> String) -> String {
    let mut text = String::new();
    for sentence in sentences {
        for (id, token) in (1..).zip(sentence.words()) {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{id}\t{}\t_\t_\t_\t_", columns(token));
        }
        text.push('\n');
    }
    text
}
