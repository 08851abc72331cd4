//! Dependency treebanks of the reference data, punctuation taken out.

use impute::Fragment;
use std::path::Path;
use tree::{Arc, Node, Place};
use tree::{Heads, PartialTree, Reading, Sentence, Text, Token};

use crate::corpus::reference;

/// A sentence and its tree.
#[derive(Debug, Clone)]
pub(crate) struct Gold {
    pub(crate) forms: Vec<Text>,
    pub(crate) tags: Vec<Text>,
    pub(crate) heads: Heads,
}

impl Gold {
    pub(crate) fn len(&self) -> usize {
        self.forms.len()
    }

    /// The sentence without a tree, tagged with `tags`.
    pub(crate) fn sentence(&self, tags: &[Text]) -> Sentence {
        let mut sentence = Sentence::from_forms(self.forms.iter().cloned());
        for (token, tag) in sentence.words_mut().zip(tags) {
            token.upos = tag.clone();
        }
        sentence
    }

    /// The sentence with the heads of which `kept` says so.
    pub(crate) fn fragment(&self, tags: &[Text], kept: &[bool]) -> anyhow::Result<Fragment> {
        let mut said = PartialTree::new(self.len());
        for word in (1..=self.len()).filter(|&word| kept[word - 1]) {
            let (dependent, place) = (Node::Word(word), Place::default());
            match self.heads.head(word) {
                0 => said.roots.push((dependent, place)),
                head => said.arcs.push(Arc { head: Node::Word(head), dependent, place }),
            }
        }
        Ok(Fragment::new(&self.sentence(tags), &said, &Reading::default())?)
    }
}

/// The sentences of a file, CoNLL-U or CoNLL-X, without punctuation.
pub(crate) fn read(path: &str) -> anyhow::Result<Vec<Gold>> {
    read_file(&reference(path)?)
}

/// The same of a file that is not of the reference data.
pub(crate) fn read_file(path: &Path) -> anyhow::Result<Vec<Gold>> {
    let text = std::fs::read_to_string(path)?;
    let sentences: Vec<Sentence> = if path.extension().is_some_and(|extension| extension == "conllu") {
        formats::conllu::ConlluReader::new(text.as_bytes())
            .map(|read| read.map(|read| read.value))
            .collect::<Result<_, _>>()?
    } else {
        formats::conllx::ConllxReader::new(text.as_bytes())
            .map(|read| read.map(|read| read.value))
            .collect::<Result<_, _>>()?
    };
    let gold: Vec<Option<Gold>> = sentences.iter().map(without_punctuation).collect();
    let n_broken = gold.iter().filter(|gold| gold.is_none()).count();
    if n_broken > 0 {
        println!("{}: {n_broken} of {} sentences have no tree and take no part", path.display(), gold.len());
    }
    Ok(gold.into_iter().flatten().filter(|gold| gold.len() > 0).collect())
}

fn is_punctuation(token: &Token) -> bool {
    matches!(
        token.upos.as_str(),
        "PUNCT" | "." | "PUNC" | "SYM_PUNCT" | "," | ":" | "``" | "''" | "-LRB-" | "-RRB-"
    )
}

/// Words that hang from punctuation hang from what that hangs from.
fn without_punctuation(sentence: &Sentence) -> Option<Gold> {
    let heads = sentence.heads().ok()??;
    let tokens: Vec<&Token> = sentence.words().collect();
    let mut number = vec![0; tokens.len() + 1];
    let mut n_words = 0;
    for (at, token) in tokens.iter().enumerate() {
        if !is_punctuation(token) {
            n_words += 1;
            number[at + 1] = n_words;
        }
    }
    let kept = |word: usize| word == 0 || !is_punctuation(tokens[word - 1]);
    let mut new = Vec::with_capacity(n_words as usize);
    for word in (1..=tokens.len()).filter(|&word| kept(word)) {
        let mut head = heads.head(word);
        while !kept(head) {
            head = heads.head(head);
        }
        new.push(number[head]);
    }
    let words = || tokens.iter().filter(|token| !is_punctuation(token));
    Some(Gold {
        forms: words().map(|token| token.form.clone()).collect(),
        tags: words().map(|token| token.upos.clone()).collect(),
        heads: Heads::new(new).ok()?,
    })
}

/// The first sentences, until they have this many arcs.
pub(crate) fn first_arcs(gold: &[Gold], n_arcs: usize) -> &[Gold] {
    let mut sum = 0;
    let wanted = gold.iter().position(|gold| {
        sum += gold.len();
        sum >= n_arcs
    });
    &gold[..wanted.map_or(gold.len(), |last| last + 1)]
}

/// How many words have the right head, of how many, by the greatest length of sentences that count.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Attached {
    pub(crate) right: usize,
    pub(crate) words: usize,
}

impl Attached {
    pub(crate) fn see(&mut self, gold: &Heads, found: &Heads) {
        self.see_some(gold, found, |_| true);
    }

    /// Counts the words for which `counts` holds.
    pub(crate) fn see_some(&mut self, gold: &Heads, found: &Heads, counts: impl Fn(usize) -> bool) {
        for word in (1..=gold.len()).filter(|&word| counts(word)) {
            self.words += 1;
            self.right += usize::from(found.len() == gold.len() && gold.head(word) == found.head(word));
        }
    }

    pub(crate) fn percent(&self) -> f64 {
        100.0 * self.right as f64 / self.words as f64
    }
}

impl std::ops::AddAssign for Attached {
    fn add_assign(&mut self, other: Attached) {
        self.right += other.right;
        self.words += other.words;
    }
}
