//! A treebank as one text with spans over it.

use super::error::{Error, Side};
use std::borrow::Cow;
use tree::{Sentence, Token, TokenId};

/// A stretch of the text without spaces, in bytes. Small numbers do: the tokens of four gigabytes of text
/// would not fit into any memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) start: u32,
    pub(super) end: u32,
}

impl Range {
    fn new(start: usize, end: usize) -> Self {
        Self { start: start as u32, end: end as u32 }
    }
}

/// The number that stands for "no word".
pub(super) const NONE: u32 = u32::MAX;

/// A syntactic word.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word<'a> {
    pub(super) token: &'a Token,
    /// Where its token stands in the text; the words of a multiword token share one range.
    pub(super) range: Range,
    /// The word it hangs from, counted through the treebank; [`NONE`] for the root.
    pub(super) parent: u32,
    pub(super) sentence: u32,
    /// How many bytes of the relation stand before its subtype.
    relation_length: u32,
    pub(super) class: Class,
    pub(super) is_multiword: bool,
}

/// What a relation is to CLAS and MLAS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Content,
    Functional,
    Other,
}

impl<'a> Word<'a> {
    /// The form, without spaces unless the word is part of a multiword token.
    pub(super) fn form(&self) -> Cow<'a, str> {
        let form = self.token.form.as_str();
        if self.is_multiword || !has_space(form) {
            return Cow::Borrowed(form);
        }
        Cow::Owned(form.chars().filter(|&c| !is_space(c)).collect())
    }

    /// The relation without its subtype.
    pub(super) fn relation(&self) -> &'a str {
        &self.token.deprel[..self.relation_length as usize]
    }

    pub(super) fn is_content(&self) -> bool {
        self.class == Class::Content
    }
}

/// A treebank: its text without spaces, and tokens, words and sentences over it.
#[derive(Clone, Debug, Default)]
pub(super) struct Corpus<'a> {
    pub(super) text: String,
    pub(super) tokens: Vec<Range>,
    pub(super) words: Vec<Word<'a>>,
    pub(super) sentences: Vec<Range>,
    /// The children of word `w` in functional relations are
    /// `functional[functional_start[w]..functional_start[w + 1]]`, from left to right.
    functional: Vec<u32>,
    functional_start: Vec<u32>,
}

impl<'a> Corpus<'a> {
    pub(super) fn new(sentences: &'a [Sentence], side: Side) -> Result<Self, Error> {
        let n_tokens = sentences.iter().map(|sentence| sentence.tokens.len()).sum();
        let mut corpus = Self { words: Vec::with_capacity(n_tokens), ..Self::default() };
        corpus.tokens.reserve(n_tokens);
        let mut colours = Vec::new();
        for (index, sentence) in sentences.iter().enumerate() {
            let place = ErrorPlace { side, sentence: index + 1 };
            let (start, first) = (corpus.text.len(), corpus.words.len());
            corpus.read_tokens(sentence, place)?;
            if corpus.words.len() == first {
                return Err(Error::NoWords { side, sentence: index + 1 });
            }
            corpus.sentences.push(Range::new(start, corpus.text.len()));
            place.check_tree(&mut corpus.words[first..], first, &mut colours)?;
        }
        corpus.link_functional_children();
        Ok(corpus)
    }

    pub(super) fn functional_children(&self, word: usize) -> &[u32] {
        &self.functional[self.functional_start[word] as usize..self.functional_start[word + 1] as usize]
    }

    fn read_tokens(&mut self, sentence: &'a Sentence, place: ErrorPlace) -> Result<(), Error> {
        let first = self.words.len();
        let mut multiword: Option<(u32, u32, Range)> = None;
        for token in &sentence.tokens {
            match token.id {
                TokenId::Empty(..) => continue,
                TokenId::Range(from, to) => {
                    place.check_range_is_done(multiword, self.words.len() - first)?;
                    place.check_range(from, to, self.words.len() - first)?;
                    multiword = Some((from, to, self.read_form(token, place)?));
                }
                TokenId::Word(number) => {
                    place.check_number(number, self.words.len() - first + 1)?;
                    let inside = multiword.filter(|&(from, to, _)| from <= number && number <= to);
                    let range = match inside {
                        Some((_, _, range)) => range,
                        None => self.read_form(token, place)?,
                    };
                    self.words.push(place.word(token, range, inside.is_some()));
                }
            }
        }
        place.check_range_is_done(multiword, self.words.len() - first)
    }

    fn read_form(&mut self, token: &Token, place: ErrorPlace) -> Result<Range, Error> {
        let start = self.text.len();
        if has_space(&token.form) {
            self.text.extend(token.form.chars().filter(|&c| !is_space(c)));
        } else {
            self.text.push_str(&token.form);
        }
        let range = Range::new(start, self.text.len());
        if range.start == range.end {
            return Err(Error::EmptyForm {
                side: place.side,
                sentence: place.sentence,
                token: token.id.to_string(),
            });
        }
        self.tokens.push(range);
        Ok(range)
    }

    /// Sorts the functional words by parent, by counting.
    fn link_functional_children(&mut self) {
        let mut starts = vec![0u32; self.words.len() + 2];
        let functional = |word: &&Word<'_>| word.parent != NONE && word.class == Class::Functional;
        for word in self.words.iter().filter(functional) {
            starts[word.parent as usize + 2] += 1;
        }
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        self.functional = vec![0; starts[starts.len() - 1] as usize];
        for (index, word) in (0u32..).zip(&self.words).filter(|(_, word)| functional(word)) {
            let next = &mut starts[word.parent as usize + 1];
            self.functional[*next as usize] = index;
            *next += 1;
        }
        starts.pop();
        self.functional_start = starts;
    }
}

/// Where we are, for errors.
#[derive(Clone, Copy)]
struct ErrorPlace {
    side: Side,
    sentence: usize,
}

impl ErrorPlace {
    fn word(self, token: &Token, range: Range, is_multiword: bool) -> Word<'_> {
        let length = token.deprel.find(':').unwrap_or(token.deprel.len());
        Word {
            token,
            range,
            parent: NONE,
            sentence: (self.sentence - 1) as u32,
            relation_length: length as u32,
            class: Class::of(&token.deprel[..length]),
            is_multiword,
        }
    }

    fn check_number(self, number: u32, expected: usize) -> Result<(), Error> {
        let Self { side, sentence } = self;
        let found = number as usize;
        if found == expected { Ok(()) } else { Err(Error::WordNumber { side, sentence, expected, found }) }
    }

    /// Whether a multiword token over the words `from..=to` may begin after `n_words` words.
    fn check_range(self, from: u32, to: u32, n_words: usize) -> Result<(), Error> {
        let Self { side, sentence } = self;
        let follows = from as usize == n_words + 1;
        if follows { Ok(()) } else { Err(Error::BrokenRange { side, sentence, first: from, last: to }) }
    }

    /// Whether the words of the last multiword token are all there.
    fn check_range_is_done(self, range: Option<(u32, u32, Range)>, n_words: usize) -> Result<(), Error> {
        let Self { side, sentence } = self;
        match range {
            Some((first, last, _)) if n_words < last as usize => {
                Err(Error::BrokenRange { side, sentence, first, last })
            }
            _ => Ok(()),
        }
    }

    /// Sets the parents, and makes sure that there is one root and no cycle.
    ///
    /// `colours` is scratch space: 0 for a word not seen, otherwise the number of the walk that saw it.
    fn check_tree(self, words: &mut [Word<'_>], first: usize, colours: &mut Vec<u32>) -> Result<(), Error> {
        let Self { side, sentence } = self;
        for index in 0..words.len() {
            words[index].parent = self.parent(&words[index], index, words.len(), first)?;
        }
        let roots = || (1..).zip(&*words).filter(|(_, word)| word.parent == NONE).map(|(number, _)| number);
        if roots().count() != 1 {
            return Err(Error::Roots { side, sentence, words: roots().collect() });
        }
        colours.clear();
        colours.resize(words.len(), 0);
        for (walk, start) in (1..).zip(0..words.len()) {
            let mut at = start;
            while colours[at] == 0 {
                colours[at] = walk;
                match words[at].parent {
                    NONE => break,
                    parent => at = parent as usize - first,
                }
            }
            if colours[at] == walk && words[at].parent != NONE {
                return Err(Error::Cycle { side, sentence, words: cycle(words, first, at) });
            }
        }
        Ok(())
    }

    fn parent(self, word: &Word<'_>, index: usize, n_words: usize, first: usize) -> Result<u32, Error> {
        let Self { side, sentence } = self;
        match word.token.head.index() {
            Some(0) => Ok(NONE),
            Some(head) if head as usize <= n_words => Ok((first + head as usize - 1) as u32),
            Some(head) => Err(Error::HeadOutOfRange { side, sentence, word: index + 1, head, n_words }),
            None => Err(Error::NoHead { side, sentence, word: index + 1, head: word.token.head.to_string() }),
        }
    }
}

fn cycle(words: &[Word<'_>], first: usize, start: usize) -> Vec<usize> {
    let parent = |&at: &usize| Some(words[at].parent as usize - first).filter(|&next| next != start);
    std::iter::successors(Some(start), parent).map(|at| at + 1).collect()
}

/// The characters of Unicode category Zs.
pub(super) fn is_space(character: char) -> bool {
    matches!(
        character,
        ' ' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
    )
}

/// Whether there is something to remove. Most forms are ASCII without spaces, which is quickly seen.
fn has_space(form: &str) -> bool {
    !form.bytes().all(|byte| byte.is_ascii_graphic()) && form.contains(is_space)
}

impl Class {
    fn of(relation: &str) -> Self {
        match relation {
            "nsubj" | "obj" | "iobj" | "csubj" | "ccomp" | "xcomp" | "obl" | "vocative" | "expl"
            | "dislocated" | "advcl" | "advmod" | "discourse" | "nmod" | "appos" | "nummod" | "acl"
            | "amod" | "conj" | "fixed" | "flat" | "compound" | "list" | "parataxis" | "orphan"
            | "goeswith" | "reparandum" | "root" | "dep" => Self::Content,
            "aux" | "cop" | "mark" | "det" | "clf" | "case" | "cc" => Self::Functional,
            _ => Self::Other,
        }
    }
}

/// Whether the universal features of two FEATS columns are the same, order apart.
pub(super) fn same_universal_features(first: &str, second: &str) -> bool {
    first == second || universal_features(first) == universal_features(second)
}

fn universal_features(column: &str) -> Vec<&str> {
    let name = |feature: &str| is_universal(feature.split_once('=').map_or(feature, |(name, _)| name));
    let mut features: Vec<_> = column.split('|').filter(|feature| name(feature)).collect();
    features.sort_unstable();
    features
}

fn is_universal(name: &str) -> bool {
    matches!(
        name,
        "PronType"
            | "NumType"
            | "Poss"
            | "Reflex"
            | "Foreign"
            | "Abbr"
            | "Gender"
            | "Animacy"
            | "Number"
            | "Case"
            | "Definite"
            | "Degree"
            | "VerbForm"
            | "Mood"
            | "Tense"
            | "Aspect"
            | "Voice"
            | "Evident"
            | "Polarity"
            | "Person"
            | "Polite"
    )
}
