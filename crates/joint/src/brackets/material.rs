//! What a parser learns from.

use tree::PutInOrder;
use tree::{Text, Tree};

use super::binary::{Binary, Bracket, Label, binarise};
use super::error::Error;
use super::words::{Word, words_of};

/// A sentence and what is known of its tree.
#[derive(Debug, Clone, PartialEq)]
pub struct Annotated {
    /// The words.
    pub words: Vec<Word>,
    /// The tree, or brackets of it.
    pub known: Known,
}

/// What is known of a tree.
#[derive(Debug, Clone, PartialEq)]
pub enum Known {
    /// All of it.
    Tree(Tree<Text>),
    /// Some brackets, with a label or without; of everything else nothing is known.
    Brackets(Vec<Bracket<Option<Text>>>),
}

impl From<Tree<Text>> for Annotated {
    fn from(tree: Tree<Text>) -> Annotated {
        Annotated { words: words_of(&tree), known: Known::Tree(tree) }
    }
}

/// What is known of a sentence, in binary brackets.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct KnownBrackets {
    pub(super) brackets: Vec<Bracket<Option<Label>>>,
    /// Chains over single words, if they are known.
    pub(super) chains: Option<Vec<Vec<Text>>>,
}

impl KnownBrackets {
    /// Whether all of the tree is known.
    pub(super) fn is_whole(&self) -> bool {
        self.chains.is_some()
    }
}

impl Annotated {
    /// The binary brackets of sentence `number`.
    pub(super) fn material(
        &self,
        number: usize,
        top: Option<&Text>,
        joins: bool,
    ) -> Result<KnownBrackets, Error> {
        match &self.known {
            Known::Tree(tree) => {
                let Binary { brackets, chains } = binarise(tree, top, joins);
                let known = |b: Bracket<Label>| Bracket { start: b.start, end: b.end, label: Some(b.label) };
                Ok(KnownBrackets {
                    brackets: brackets.into_iter().map(known).collect(),
                    chains: Some(chains),
                })
            }
            Known::Brackets(brackets) => {
                let brackets = checked(brackets, self.words.len(), number)?;
                let label =
                    |label: Option<Text>| label.map(|name| Label { is_stand_in: false, chain: vec![name] });
                let known =
                    |b: Bracket<Option<Text>>| Bracket { start: b.start, end: b.end, label: label(b.label) };
                Ok(KnownBrackets { brackets: brackets.into_iter().map(known).collect(), chains: None })
            }
        }
    }
}

/// Brackets in order, one for each span: the first that has a label.
fn checked(
    brackets: &[Bracket<Option<Text>>],
    n_words: usize,
    number: usize,
) -> Result<Vec<Bracket<Option<Text>>>, Error> {
    let mut sorted = brackets.to_vec();
    sorted.order_by_key(|b| (b.start, std::cmp::Reverse(b.end), b.label.is_none()));
    sorted.dedup_by_key(|b| (b.start, b.end));
    // The brackets that are open where the next one begins.
    let mut open: Vec<(u32, u32)> = Vec::new();
    for bracket in &sorted {
        let (start, end) = (bracket.start, bracket.end);
        if end as usize > n_words || start + 1 >= end {
            let (start, end) = (start as usize + 1, end as usize);
            return Err(Error::Outside { sentence: number + 1, start, end, n_words });
        }
        while open.pop_if(|outer| outer.1 <= start).is_some() {}
        if let Some(outer) = open.last().filter(|outer| outer.1 < end) {
            let words = |(start, end): (u32, u32)| (start as usize + 1, end as usize);
            let (first, second) = (words(*outer), words((start, end)));
            return Err(Error::Crossing { sentence: number + 1, first, second });
        }
        open.push((start, end));
    }
    Ok(sorted)
}

/// The label of the outer bracket, if all trees have the same.
pub(super) fn common_top(annotated: &[Annotated]) -> Option<Text> {
    let mut tops = annotated.iter().filter_map(|annotated| match &annotated.known {
        Known::Tree(tree) => Some(tree.label()),
        Known::Brackets(_) => None,
    });
    let first = tops.next()?;
    tops.all(|top| top == first).then(|| first.clone())
}
