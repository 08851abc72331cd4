//! From projective dependencies to constituents, and back.

use super::walk::{children, is_preterminal};
use crate::{Heads, HeadsError, Text, Tree, TreeBuilder};
use thiserror::Error;

/// The label of the outer bracket.
const TOP: &str = "TOP";

/// A dependency tree with words and tags, which is what a lexical constituency tree says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LexicalTree {
    /// The head of each word.
    pub heads: Heads,
    /// Word forms.
    pub words: Vec<Text>,
    /// Tags.
    pub tags: Vec<Text>,
    /// Relations to the heads, if they are known.
    pub relations: Option<Vec<Text>>,
}

/// Why dependencies cannot be written as constituents.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ConstituentsError {
    /// Two arcs cross.
    #[error(
        "the arc from {} to {} crosses the arc from {} to {}; projectivise the tree first or leave the sentence out",
        .arc.0, .arc.1, .crossed.0, .crossed.1
    )]
    Crossing {
        /// Head and dependent; head 0 is the root, left of the sentence.
        arc: (usize, usize),
        /// Head and dependent of the arc that it crosses.
        crossed: (usize, usize),
    },
    /// Not one word, tag and relation per head.
    #[error("{n_heads} heads, but {n_given} {what}; give one for each word")]
    Lengths {
        /// Number of heads.
        n_heads: usize,
        /// What there is too much or too little of.
        what: &'static str,
        /// How many there are.
        n_given: usize,
    },
}

/// Why a tree does not come from [`to_constituents`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NotLexical {
    /// A phrase without exactly one preterminal child, or with a bare word.
    #[error("node {node} `{label}` has {n_heads} preterminal children; a phrase must have one, its head")]
    Head {
        /// Index of the phrase in preorder.
        node: usize,
        /// Its label.
        label: Text,
        /// How many preterminals it has.
        n_heads: usize,
    },
    /// A word that is no preterminal's only child.
    #[error("node {node}: the word `{form}` has no tag; put it under a preterminal of its own")]
    BareWord {
        /// Index of the word in preorder.
        node: usize,
        /// The word.
        form: Text,
    },
    /// A phrase whose label is not made from its head's tag.
    #[error(
        "node {node} `{label}` is headed by a `{tag}`; its label must be `{tag}P` or start with `{tag}P-`"
    )]
    Label {
        /// Index of the phrase in preorder.
        node: usize,
        /// Its label.
        label: Text,
        /// The head's tag.
        tag: Text,
    },
    /// Some phrases have relations and some have none.
    #[error("node {node} `{label}` differs from the phrases before it: either all have a relation or none")]
    Relations {
        /// Index of the phrase in preorder.
        node: usize,
        /// Its label.
        label: Text,
    },
    /// The outer bracket is a word or directly over a word.
    #[error("the topmost node must be a bracket over phrases")]
    Top,
    /// The heads are no tree; a lexical tree always gives one.
    #[error(transparent)]
    Heads(#[from] HeadsError),
}

/// The constituents of a projective dependency tree.
///
/// Every word projects a phrase whose label is the tag, `P`, and the relation after a hyphen. Its only
/// preterminal child is the word itself, so that nothing is lost; relations stand where functional tags do
/// and go when the tree is [normalised](mod@super::normalise). Phrases of root words stand side by side under
/// `TOP`. Linear time.
///
/// ```text
/// (TOP (VERBP-root (NOUNP-nsubj (DETP-det (DET the)) (NOUN dog)) (VERB barks)))
/// ```
pub fn to_constituents(lexical: &LexicalTree) -> Result<Tree<Text>, ConstituentsError> {
    check_lengths(lexical)?;
    check_crossing(&lexical.heads)?;
    let dependents = lexical.heads.dependents_by_head();
    let mut builder = TreeBuilder::new();
    let mut todo = vec![Todo::Phrase(0)];
    while let Some(next) = todo.pop() {
        match next {
            Todo::Phrase(word) => {
                builder.open(phrase_label(lexical, word));
                let (before, after) = dependents.by_side(word);
                todo.push(Todo::Close);
                todo.extend(after.iter().rev().map(|&other| Todo::Phrase(other)));
                todo.push(Todo::Head(word));
                todo.extend(before.iter().rev().map(|&other| Todo::Phrase(other)));
            }
            Todo::Head(0) => {}
            Todo::Head(word) => {
                builder.open(lexical.tags[word - 1].clone());
                builder.word(lexical.words[word - 1].clone());
                builder.close();
            }
            Todo::Close => _ = builder.close(),
        }
    }
    Ok(builder.finish().expect("each phrase is opened once and closed once"))
}

enum Todo {
    Phrase(usize),
    Head(usize),
    Close,
}

fn phrase_label(lexical: &LexicalTree, word: usize) -> Text {
    let Some(index) = word.checked_sub(1) else { return TOP.into() };
    let tag = &lexical.tags[index];
    match &lexical.relations {
        Some(relations) => format!("{tag}P-{}", relations[index]).into(),
        None => format!("{tag}P").into(),
    }
}

fn check_lengths(lexical: &LexicalTree) -> Result<(), ConstituentsError> {
    let n_heads = lexical.heads.len();
    let n_relations = lexical.relations.as_ref().map_or(n_heads, Vec::len);
    let lengths = [("words", lexical.words.len()), ("tags", lexical.tags.len()), ("relations", n_relations)];
    match lengths.into_iter().find(|&(_, n_given)| n_given != n_heads) {
        Some((what, n_given)) => Err(ConstituentsError::Lengths { n_heads, what, n_given }),
        None => Ok(()),
    }
}

fn check_crossing(heads: &Heads) -> Result<(), ConstituentsError> {
    if heads.is_projective() {
        return Ok(());
    }
    let named = |word: usize| (heads.head(word), word);
    match heads.first_crossing() {
        Some((a, b)) => Err(ConstituentsError::Crossing { arc: named(a), crossed: named(b) }),
        None => Ok(()),
    }
}

/// What [`to_constituents`] was given; the label of the outer bracket does not matter. A tree without words has
/// relations, none of them missing.
pub fn from_constituents(tree: &Tree<Text>) -> Result<LexicalTree, NotLexical> {
    let nodes = tree.nodes();
    if nodes[0].is_word() || is_preterminal(tree, 0) {
        return Err(NotLexical::Top);
    }
    let offsets = tree.word_offsets();
    let head_of_phrase = heads_of_phrases(tree, &offsets)?;
    let n_words = tree.n_words();
    let mut heads = vec![0; n_words];
    let mut relations = Vec::new();
    for phrase in 0..nodes.len() {
        let Some(head) = head_of_phrase[phrase] else { continue };
        for child in children(tree, phrase) {
            if let Some(dependent) = head_of_phrase[child] {
                heads[dependent - 1] = u32::try_from(head).expect("fewer than four thousand million words");
            }
        }
        if phrase > 0 {
            relations.push((head, relation_of(tree, phrase)?, phrase));
        }
    }
    let tagged = tree.tagged_words().into_iter();
    let (tags, words) = tagged.map(|(tag, word)| (tag.cloned().unwrap_or_default(), word.clone())).unzip();
    Ok(LexicalTree { heads: Heads::new(heads)?, words, tags, relations: all_or_none(tree, relations)? })
}

/// The head word of each phrase, 0 for the outer bracket, `None` for preterminals and words.
fn heads_of_phrases(tree: &Tree<Text>, offsets: &[usize]) -> Result<Vec<Option<usize>>, NotLexical> {
    let nodes = tree.nodes();
    let mut heads = vec![None; nodes.len()];
    heads[0] = Some(0);
    for index in 0..nodes.len() {
        if nodes[index].is_word() {
            if !is_preterminal(tree, index - 1) {
                return Err(NotLexical::BareWord { node: index, form: nodes[index].label.clone() });
            }
        } else if !is_preterminal(tree, index) {
            let mut preterminals = children(tree, index).filter(|&child| is_preterminal(tree, child));
            let head = preterminals.next();
            let n_heads = usize::from(head.is_some()) + preterminals.count();
            if n_heads != usize::from(index > 0) {
                return Err(NotLexical::Head { node: index, label: nodes[index].label.clone(), n_heads });
            }
            heads[index] = Some(head.map_or(0, |head| offsets[head] + 1));
        }
    }
    Ok(heads)
}

/// The relation in the label of `phrase`, which begins with its head's tag.
fn relation_of(tree: &Tree<Text>, phrase: usize) -> Result<Option<Text>, NotLexical> {
    let nodes = tree.nodes();
    let head = children(tree, phrase).find(|&child| is_preterminal(tree, child)).unwrap_or(phrase);
    let (label, tag) = (&nodes[phrase].label, &nodes[head].label);
    let rest = label.strip_prefix(tag.as_str()).and_then(|rest| rest.strip_prefix('P'));
    match rest.map(|rest| (rest, rest.strip_prefix('-'))) {
        Some(("", _)) => Ok(None),
        Some((_, Some(relation))) => Ok(Some(relation.into())),
        _ => Err(NotLexical::Label { node: phrase, label: label.clone(), tag: tag.clone() }),
    }
}

/// Relations in word order if the phrases have them.
fn all_or_none(
    tree: &Tree<Text>,
    mut found: Vec<(usize, Option<Text>, usize)>,
) -> Result<Option<Vec<Text>>, NotLexical> {
    let have = found.iter().all(|(_, relation, _)| relation.is_some());
    if let Some(&(_, _, node)) = found.iter().find(|(_, relation, _)| relation.is_some() != have) {
        return Err(NotLexical::Relations { node, label: tree.nodes()[node].label.clone() });
    }
    found.sort_unstable_by_key(|&(word, _, _)| word);
    let relations: Vec<Text> = found.into_iter().filter_map(|(_, relation, _)| relation).collect();
    Ok(have.then_some(relations))
}
