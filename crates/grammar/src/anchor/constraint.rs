//! Brackets, labels and tags that are given with a sentence.

use rustc_hash::FxHashMap;
use tree::constraints::Reading;
use tree::transform::unary::parts;
use tree::{Constraints, FromTreeError, PartialTree, Span, Text, Tree};

use super::Allowed;
use crate::codec::plain;
use crate::rules::{Category, Level, Rules};

/// What is known of a sentence: its words, and as much of its tree as somebody was sure of.
#[derive(Debug, Clone)]
pub struct Brackets {
    /// The words.
    pub words: Vec<Text>,
    /// The tag of each word, if known.
    pub tags: Vec<Option<Text>>,
    /// Constituents of the sentence: start, end, and the label if known.
    pub constituents: Vec<(u32, u32, Option<Text>)>,
    spans: Constraints,
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
    /// Brackets that cannot be listed.
    #[error(transparent)]
    Brackets(#[from] FromTreeError),
    /// No tree of the grammar has all of it.
    #[error("the grammar has no tree with these brackets, labels and tags")]
    NoTree,
}

/// Labels that stand for one that is not known.
const OPEN: [&str; 3] = ["", "_", "?"];

impl Brackets {
    /// Words of which nothing is known.
    pub fn words(words: Vec<Text>) -> Brackets {
        let spans = Constraints::unconstrained(words.len());
        Brackets { tags: vec![None; words.len()], words, constituents: Vec::new(), spans }
    }

    /// All that a tree says. A label that is empty, `_` or `?` is not known, and a word without a tag of its own
    /// has none.
    pub fn tree(tree: &Tree<Text>) -> Result<Brackets, ConstraintError> {
        let known = |label: &Text| (!OPEN.contains(&label.as_str())).then(|| label.clone());
        let said = PartialTree::from_tree(tree)?;
        // Brackets of one tree never cross, so they cannot be in conflict.
        let spans = Constraints::from_partial(&said, &Reading::default())
            .unwrap_or_else(|_| Constraints::unconstrained(tree.n_words()));
        let nodes = tree.nodes();
        let is_tag = |at: usize| nodes[at].size() == 2 && nodes[at + 1].is_word();
        let mut brackets = Brackets::words(tree.words().cloned().collect());
        brackets.spans = spans;
        for (at, label, span) in tree.constituents() {
            let (start, end) = (span.start() as u32, span.end() as u32);
            if is_tag(at) {
                brackets.tags[start as usize] = known(label);
            } else {
                brackets.constituents.push((start, end, known(label)));
            }
        }
        Ok(brackets)
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
                required.push(known.find(label).ok_or_else(unknown)?);
            }
        }
        let mut tags = Vec::new();
        for (word, tag) in (0u32..).zip(&self.tags) {
            let unknown = |tag: &Text| ConstraintError::UnknownTag { tag: tag.clone(), word };
            tags.push(tag.as_ref().map(|tag| known.find(tag).ok_or_else(|| unknown(tag))).transpose()?);
        }
        Ok(Required { rules, brackets: self, labels, tags })
    }
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
struct Known {
    by_name: FxHashMap<Text, Vec<u32>>,
}

impl Known {
    fn new(rules: &Rules) -> Known {
        let mut by_name: FxHashMap<Text, Vec<u32>> = FxHashMap::default();
        for (at, label) in (0u32..).zip(rules.labels()) {
            let label = plain(label);
            for part in parts(&label) {
                by_name.entry(part).or_default().push(at);
            }
            by_name.entry(label).or_default().push(at);
        }
        Known { by_name }
    }

    fn find(&self, name: &Text) -> Option<Vec<u32>> {
        self.by_name.get(name).cloned()
    }
}

impl Allowed for Required<'_> {
    fn is_free(&self) -> bool {
        self.labels.is_empty()
    }

    fn span(&self, start: u32, end: u32) -> bool {
        let span = Span::new(start as usize, end as usize);
        self.is_free() || span.is_none_or(|span| self.brackets.spans.allows_span(span))
    }

    fn tag(&self, tag: Category, word: u32) -> bool {
        let required = self.tags.get(word as usize).and_then(Option::as_ref);
        required.is_none_or(|labels| labels.contains(&self.rules.info(tag).label))
    }

    /// An outer category is asked when it chooses its chain. Others bring one label, stand-ins none.
    fn part(&self, category: Category, start: u32, end: u32) -> bool {
        let Some(required) = self.labels.get(&(start, end)) else { return true };
        let info = self.rules.info(category);
        info.level == Level::Outer
            || (!self.rules.label(category).starts_with('@')
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
