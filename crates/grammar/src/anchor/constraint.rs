//! Brackets, labels and tags that are given with a sentence.

use rustc_hash::FxHashMap;
use tree::transform::unary::parts;
use tree::{Text, Tree};

use super::Allowed;
use crate::codec::plain;
use crate::rules::{Category, Level, Rules};
use crate::shape::BARE;

/// What is known of a sentence: its words, and as much of its tree as somebody was sure of.
#[derive(Debug, Clone)]
pub struct Brackets {
    /// The words.
    pub words: Vec<Text>,
    /// The tag of each word, if known.
    pub tags: Vec<Option<Text>>,
    /// Constituents of the sentence: start, end, and the label if known.
    pub constituents: Vec<(u32, u32, Option<Text>)>,
    /// Start and end of the narrowest bracket around each position between words.
    around: Vec<(u32, u32)>,
}

/// Why constraints cannot be honoured.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConstraintError {
    /// There are no words.
    #[error("the sentence is empty")]
    Empty,
    /// A chart of that size is out of the question.
    #[error("the sentence has {0} words; a chart of that size does not fit in memory, so split the sentence")]
    TooLong(usize),
    /// A label that no rule has.
    #[error("the label {label} over words {} to {end} does not occur in the grammar; take it out, or leave only its bracket by naming it `_`", start + 1)]
    UnknownLabel {
        /// The label.
        label: Text,
        /// Where it begins.
        start: u32,
        /// Where it ends.
        end: u32,
    },
    /// A tag that no word has.
    #[error("the tag {tag} of word {} does not occur in the grammar; take it out", word + 1)]
    UnknownTag {
        /// The tag.
        tag: Text,
        /// The word.
        word: u32,
    },
    /// No tree of the grammar has all of it.
    #[error("the grammar has no tree with these brackets, labels and tags")]
    NoTree,
}

/// Labels that stand for one that is not known.
const OPEN: [&str; 3] = ["", "_", "?"];

impl Brackets {
    /// Words of which nothing is known.
    pub fn words(words: Vec<Text>) -> Brackets {
        let around = narrowest(words.len(), &[]);
        Brackets { tags: vec![None; words.len()], words, constituents: Vec::new(), around }
    }

    /// All that a tree says. A label that is empty, `_` or `?` is not known, and a word without a tag of its own
    /// has none. A label right above a word is its tag, unless the grammar knows it only as a phrase.
    pub fn tree(tree: &Tree<Text>) -> Brackets {
        let known = |label: &Text| (!OPEN.contains(&label.as_str())).then(|| label.clone());
        let nodes = tree.nodes();
        let is_tag = |at: usize| nodes[at].size() == 2 && nodes[at + 1].is_word();
        let mut brackets = Brackets::words(tree.words().cloned().collect());
        for (at, label, span) in tree.constituents() {
            let (start, end) = (span.start() as u32, span.end() as u32);
            if is_tag(at) {
                brackets.tags[start as usize] = known(label);
            } else {
                brackets.constituents.push((start, end, known(label)));
            }
        }
        brackets.around = narrowest(brackets.words.len(), &brackets.constituents);
        brackets
    }

    /// The same without the tags.
    pub fn without_tags(mut self) -> Brackets {
        self.tags.iter_mut().for_each(|tag| *tag = None);
        self
    }

    /// The same without the brackets.
    pub fn without_brackets(self) -> Brackets {
        Brackets { tags: self.tags, ..Brackets::words(self.words) }
    }

    /// What the rules may build.
    pub fn require<'a>(&'a self, rules: &'a Rules) -> Result<Required<'a>, ConstraintError> {
        if self.words.is_empty() {
            return Err(ConstraintError::Empty);
        }
        let known = Known::new(rules);
        let mut labels: FxHashMap<(u32, u32), Vec<Vec<u32>>> = FxHashMap::default();
        for (start, end, label) in &self.constituents {
            let required = labels.entry((*start, *end)).or_default();
            if let Some(label) = label {
                let unknown =
                    || ConstraintError::UnknownLabel { label: label.clone(), start: *start, end: *end };
                required.push(known.label(label).ok_or_else(unknown)?);
            }
        }
        let mut tags = Vec::new();
        for (word, tag) in (0u32..).zip(&self.tags) {
            let unknown = |tag: &Text| ConstraintError::UnknownTag { tag: tag.clone(), word };
            // `(VP slept)` looks like a tag, but names a phrase over one word.
            let phrase = tag.as_ref().and_then(|tag| known.phrase(tag));
            match phrase {
                Some(phrase) => {
                    labels.entry((word, word + 1)).or_default().push(phrase);
                    tags.push(None);
                }
                None => {
                    tags.push(
                        tag.as_ref().map(|tag| known.tag(tag).ok_or_else(|| unknown(tag))).transpose()?,
                    );
                }
            }
        }
        Ok(Required { rules, brackets: self, labels, tags })
    }
}

/// The narrowest of the brackets around each position; brackets stand in preorder and do not cross.
fn narrowest(n_words: usize, brackets: &[(u32, u32, Option<Text>)]) -> Vec<(u32, u32)> {
    let whole = (0, n_words as u32);
    let mut open: Vec<(u32, u32)> = Vec::new();
    let mut brackets = brackets.iter().peekable();
    let at = |at: u32| {
        while open.pop_if(|bracket| bracket.1 <= at).is_some() {}
        let around = open.last().copied().unwrap_or(whole);
        while let Some((start, end, _)) = brackets.next_if(|bracket| bracket.0 <= at) {
            open.push((*start, *end));
        }
        around
    };
    (0..=n_words as u32).map(at).collect()
}

/// Constraints in the numbers of a grammar.
#[derive(Debug)]
pub struct Required<'a> {
    rules: &'a Rules,
    brackets: &'a Brackets,
    /// For each label that must stand over a span, the labels that will do. A span with none must still be a
    /// constituent.
    labels: FxHashMap<(u32, u32), Vec<Vec<u32>>>,
    tags: Vec<Option<Vec<u32>>>,
}

/// The labels that a grammar has under each name: several if chains are joined in labels.
#[derive(Default)]
struct Known {
    by_name: FxHashMap<Text, Vec<u32>>,
    /// The same for tags: of a chain, only the lowest label stands over the word.
    by_tag: FxHashMap<Text, Vec<u32>>,
    /// Labels that stand right above words.
    tags: Vec<bool>,
}

impl Known {
    fn new(rules: &Rules) -> Known {
        let mut known = Known { tags: vec![false; rules.labels().len()], ..Known::default() };
        for info in rules.categories().iter().filter(|info| info.has_words) {
            known.tags[info.label as usize] = true;
        }
        for (at, label) in (0u32..).zip(rules.labels()) {
            let label = plain(label);
            let parts: Vec<Text> =
                if rules.joint_labels() { parts(&label).collect() } else { vec![label.clone()] };
            known.by_tag.entry(parts.last().unwrap_or(&label).clone()).or_default().push(at);
            for part in parts {
                known.by_name.entry(part).or_default().push(at);
            }
        }
        known
    }

    fn label(&self, name: &Text) -> Option<Vec<u32>> {
        self.by_name.get(name).cloned()
    }

    /// The labels of a name that is no tag.
    fn phrase(&self, name: &Text) -> Option<Vec<u32>> {
        let is_tag =
            self.tag(name).is_some_and(|labels| labels.iter().any(|&label| self.tags[label as usize]));
        if is_tag { None } else { self.label(name) }
    }

    fn tag(&self, name: &Text) -> Option<Vec<u32>> {
        self.by_tag.get(name).cloned()
    }
}

impl Required<'_> {
    /// The tags that a word must have one of; `None` if its tag is not given.
    pub fn tags_of(&self, word: usize, among: &[Category]) -> Option<Vec<Category>> {
        let labels = self.tags.get(word)?.as_ref()?;
        Some(among.iter().copied().filter(|&tag| labels.contains(&self.rules.info(tag).label)).collect())
    }
}

impl Allowed for Required<'_> {
    fn is_free(&self) -> bool {
        self.labels.is_empty()
    }

    fn span(&self, start: u32, end: u32) -> bool {
        // No bracket is crossed if what stands around either end holds the other as well.
        let around = |at: u32| self.brackets.around[at as usize];
        self.is_free() || (end <= around(start).1 && around(end).0 <= start)
    }

    fn tag(&self, tag: Category, word: u32) -> bool {
        let required = self.tags.get(word as usize).and_then(Option::as_ref);
        required.is_none_or(|labels| labels.contains(&self.rules.info(tag).label))
    }

    /// An outer category is asked when it chooses its chain. Others bring one label, stand-ins and bare words none.
    fn part(&self, category: Category, start: u32, end: u32) -> bool {
        let Some(required) = self.labels.get(&(start, end)) else { return true };
        let info = self.rules.info(category);
        info.level == Level::Outer
            || (!self.rules.label(category).starts_with('@')
                && self.rules.label(category) != BARE
                && required.iter().all(|labels| labels.contains(&info.label)))
    }

    fn chain(&self, rule: u32, start: u32, end: u32) -> bool {
        let Some(required) = self.labels.get(&(start, end)) else { return true };
        let Some(unary) = self.rules.unary().get(rule as usize) else { return true };
        let head = self.rules.info(unary.head);
        let top = (head.level == Level::Outer).then_some(head.label);
        let tail = self.rules.info(unary.tail).label;
        let has = |label: u32| {
            top == Some(label)
                || tail == label
                || unary.chain.as_ref().is_some_and(|chain| chain.contains(&label))
        };
        required.iter().all(|labels| labels.iter().any(|&label| has(label)))
    }
}
