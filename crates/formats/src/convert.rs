//! From one format to another.

use crate::brackets::{self, Bracketed};
use crate::detect::Format;
use crate::everything::Item;
use crate::gfl::{Block, bare_forms};
use crate::roles;
use thiserror::Error;
use tree::sentence::UNSPECIFIED;
use tree::transform::{
    ConstituentsError, HeadRules, LexicalTree, Normalisation, NotLexical, from_constituents, normalise,
    to_constituents, to_dependencies,
};
use tree::{Group, GroupKind, Head, HeadsError, Node, PartialTree, Place, Sentence, Text, Token, Tree};

/// How conversions choose where there is a choice.
#[derive(Clone, Debug)]
pub struct Options {
    /// How heads are found in bracketed trees.
    pub heads: HeadFinder,
    /// What is stripped from bracketed trees first; nothing if `None`.
    pub normalise: Option<Normalisation>,
}

/// How heads are found in bracketed trees.
#[derive(Clone, Debug)]
pub enum HeadFinder {
    /// By rules over labels.
    Rules(HeadRules),
    /// By undoing a conversion from dependencies: the head of a phrase is its only preterminal.
    Lexical,
}

impl Default for Options {
    fn default() -> Self {
        Self { heads: HeadFinder::Rules(HeadRules::english()), normalise: None }
    }
}

/// Why an item cannot be written in a format.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Error {
    /// Words without a head, so there is no tree.
    #[error(
        "{n_open} of {n_words} words have no head, so there is no whole tree; convert to gfl or conllu instead"
    )]
    Incomplete {
        /// Words without a head.
        n_open: usize,
        /// Words in all.
        n_words: usize,
    },
    /// The heads are no tree.
    #[error(transparent)]
    Heads(#[from] HeadsError),
    /// Crossing arcs have no brackets.
    #[error(transparent)]
    Constituents(#[from] ConstituentsError),
    /// The brackets do not come from dependencies.
    #[error("{0}; use other head rules")]
    Lexical(#[from] NotLexical),
    /// A tree with nothing in it.
    #[error("nothing is left of the tree")]
    Empty,
    /// Labels of words make no tree.
    #[error("labelled words say nothing about trees; convert to conllu")]
    NoTree,
}

/// An item in its new form, and what had no place there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Converted {
    /// The new form.
    pub item: Item,
    /// What was lost, in words; empty if nothing was.
    pub lost: Vec<&'static str>,
}

/// Converts `item`, which was read as `from`, to what `to` can hold.
pub fn convert(item: Item, from: Format, to: Format, options: &Options) -> Result<Converted, Error> {
    let mut lost = Vec::new();
    let item = match (item, to) {
        (item, to) if from == to => normalised(item, options)?,
        (item @ Item::Annotation(_), Format::Gfl | Format::GflJson | Format::FudgJson) => item,
        (Item::Tree(Bracketed { tree: None, comments }), _) => Item::Tree(Bracketed { tree: None, comments }),
        (Item::Labelled(_), Format::Brackets | Format::Gfl | Format::GflJson | Format::FudgJson) => {
            return Err(Error::NoTree);
        }
        (Item::Labelled(sentence), Format::Bio) => Item::Labelled(sentence),
        (_, Format::Bio) => return Err(Error::NoTree),
        (Item::Tree(bracketed), Format::Gfl | Format::GflJson | Format::FudgJson) => {
            Item::Annotation(Box::new(block_of_tree(&bracketed, options)?))
        }
        (item, Format::Gfl | Format::GflJson | Format::FudgJson) => {
            let sentence = sentence_of(item, from, options, &mut lost)?;
            lose_rows(&sentence, &mut lost);
            let said = PartialTree::from_sentence(&sentence);
            Item::Annotation(Box::new(Block::from_sentence(&sentence, &said)))
        }
        (item, Format::Brackets) => {
            Item::Tree(brackets_of(&sentence_of(item, from, options, &mut lost)?, &mut lost)?)
        }
        (item, rows) => {
            Item::Sentence(rows_as(sentence_of(item, from, options, &mut lost)?, rows, &mut lost))
        }
    };
    lost.sort_unstable();
    lost.dedup();
    Ok(Converted { item, lost })
}

fn normalised(item: Item, options: &Options) -> Result<Item, Error> {
    match (item, &options.normalise) {
        (Item::Tree(Bracketed { tree: Some(tree), comments }), Some(normalisation)) => {
            let tree = normalise(&tree, normalisation).ok_or(Error::Empty)?;
            Ok(Item::Tree(Bracketed { tree: Some(tree), comments }))
        }
        (item, _) => Ok(item),
    }
}

/// The item as rows of CoNLL-U.
fn sentence_of(
    item: Item,
    from: Format,
    options: &Options,
    lost: &mut Vec<&'static str>,
) -> Result<Sentence, Error> {
    match item {
        Item::Sentence(mut sentence) => {
            match from {
                Format::Conllx => projected_columns_to_misc(&mut sentence),
                Format::Conll09 => roles::to_misc(&mut sentence),
                _ => {}
            }
            Ok(sentence)
        }
        Item::Annotation(block) => {
            let said = &block.said;
            if said.groups.iter().any(|group| matches!(group.kind, GroupKind::Bracket { .. })) {
                lost.push("brackets");
            }
            if said.groups.iter().any(|group| matches!(group.kind, GroupKind::Multiword { .. })) {
                lost.push("multiword units");
            }
            if said.groups.iter().any(|group| matches!(group.kind, GroupKind::Coordination { .. })) {
                lost.push("coordinations");
            }
            if !said.anaphora.is_empty() {
                lost.push("anaphoric links");
            }
            Ok(block.sentence())
        }
        Item::Tree(bracketed) => sentence_of_tree(&bracketed, options),
        Item::Labelled(labelled) => {
            let mut sentence = Sentence::from_forms(labelled.rows.iter().map(|row| row.word()));
            for (token, row) in sentence.tokens.iter_mut().zip(&labelled.rows) {
                token.misc = format!("Label={}", row.label()).into();
            }
            Ok(sentence)
        }
    }
}

fn sentence_of_tree(bracketed: &Bracketed, options: &Options) -> Result<Sentence, Error> {
    let tree = prepared(bracketed, options)?;
    let mut sentence = Sentence::from_forms(tree.words().map(|word| brackets::unescape(word)));
    sentence.comments =
        bracketed.comments.iter().filter(|line| !line.is_empty()).map(|line| as_comment(line)).collect();
    let (heads, relations) = match &options.heads {
        HeadFinder::Rules(rules) => {
            let dependencies = to_dependencies(&tree, rules);
            (dependencies.heads, Some(dependencies.relations))
        }
        HeadFinder::Lexical => {
            let lexical = from_constituents(&tree)?;
            (lexical.heads, lexical.relations)
        }
    };
    let tags = tree.tagged_words();
    for (index, token) in sentence.tokens.iter_mut().enumerate() {
        let tag = tags[index].0.cloned().unwrap_or(UNSPECIFIED);
        match options.heads {
            HeadFinder::Rules(_) => token.xpos = tag,
            HeadFinder::Lexical => token.upos = tag,
        }
        token.head = Head::Of(heads.as_slice()[index]);
        if let Some(relations) = &relations {
            token.deprel = relations[index].clone();
        }
    }
    Ok(sentence)
}

fn prepared(bracketed: &Bracketed, options: &Options) -> Result<Tree<Text>, Error> {
    let tree = bracketed.tree.as_ref().ok_or(Error::Empty)?;
    match &options.normalise {
        Some(normalisation) => normalise(tree, normalisation).ok_or(Error::Empty),
        None => Ok(tree.clone()),
    }
}

fn as_comment(comment: &str) -> Text {
    if comment.starts_with('#') { comment.into() } else { format!("# {comment}").into() }
}

/// PHEAD and PDEPREL have no column in CoNLL-U.
fn projected_columns_to_misc(sentence: &mut Sentence) {
    for token in &mut sentence.tokens {
        let items = [("PHead", &token.deps), ("PDeprel", &token.misc)];
        let items: Vec<String> = items
            .iter()
            .filter(|(_, value)| **value != UNSPECIFIED)
            .map(|(key, value)| format!("{key}={value}"))
            .collect();
        token.deps = UNSPECIFIED;
        token.misc = if items.is_empty() { UNSPECIFIED } else { items.join("|").into() };
    }
}

/// Takes an item out of MISC.
pub(crate) fn take_misc(token: &mut Token, key: &str) -> Option<Text> {
    let value = token.misc_items().find(|(name, _)| *name == key).map(|(_, value)| Text::from(value))?;
    let rest: Vec<&str> = token
        .misc
        .split('|')
        .filter(|item| item.split_once('=').is_none_or(|(name, _)| name != key))
        .collect();
    token.misc = if rest.is_empty() { UNSPECIFIED } else { rest.join("|").into() };
    Some(value)
}

fn lose_rows(sentence: &Sentence, lost: &mut Vec<&'static str>) {
    if sentence.tokens.iter().any(|token| !token.is_word()) {
        lost.push("multiword ranges and empty nodes");
    }
    let has = |column: fn(&Token) -> &Text| sentence.words().any(|word| *column(word) != UNSPECIFIED);
    if has(|word| &word.deprel) {
        lost.push("relations");
    }
    if has(|word| &word.lemma) || has(|word| &word.feats) || has(|word| &word.deps) || has(|word| &word.misc)
    {
        lost.push("lemmas, features and other columns");
    }
}

/// Rows of CoNLL-U as rows of CoNLL-X or CoNLL-2009.
fn rows_as(mut sentence: Sentence, to: Format, lost: &mut Vec<&'static str>) -> Sentence {
    if to == Format::Conllu {
        return sentence;
    }
    if sentence.tokens.iter().any(|token| !token.is_word()) {
        lost.push("multiword ranges and empty nodes");
        sentence.tokens.retain(Token::is_word);
        sentence.stray.clear();
    }
    if !sentence.comments.is_empty() {
        lost.push("comments");
        sentence.comments.clear();
    }
    if to == Format::Conll09 {
        roles::from_misc(&mut sentence);
    } else {
        for token in &mut sentence.tokens {
            let head = take_misc(token, "PHead").unwrap_or(UNSPECIFIED);
            let relation = take_misc(token, "PDeprel").unwrap_or(UNSPECIFIED);
            lose_columns(token, lost);
            (token.deps, token.misc) = (head, relation);
        }
    }
    sentence
}

/// Notes what CoNLL-X and CoNLL-2009 have no column for.
pub(crate) fn lose_columns(token: &Token, lost: &mut Vec<&'static str>) {
    if token.deps != UNSPECIFIED {
        lost.push("enhanced dependencies");
    }
    if token.misc != UNSPECIFIED {
        lost.push("MISC");
    }
}

fn brackets_of(sentence: &Sentence, lost: &mut Vec<&'static str>) -> Result<Bracketed, Error> {
    let n_words = sentence.n_words();
    let Some(heads) = sentence.heads()? else {
        let n_open = sentence.words().filter(|word| word.head.index().is_none()).count();
        return Err(Error::Incomplete { n_open, n_words });
    };
    if n_words == 0 {
        return Err(Error::Empty);
    }
    lose_rows(sentence, lost);
    lost.retain(|what| *what != "relations");
    let tagged = |word: &Token| if word.upos == UNSPECIFIED { word.xpos.clone() } else { word.upos.clone() };
    let lexical = LexicalTree {
        heads,
        words: sentence.words().map(|word| brackets::escape(&word.form)).collect(),
        tags: sentence.words().map(|word| brackets::escape(&tagged(word))).collect(),
        relations: Some(sentence.words().map(|word| brackets::escape(&word.deprel)).collect()),
    };
    Ok(Bracketed { comments: sentence.comments.clone(), tree: Some(to_constituents(&lexical)?) })
}

/// A tree as partial annotation: every constituent of more than one word is a bracket without a head.
fn block_of_tree(bracketed: &Bracketed, options: &Options) -> Result<Block, Error> {
    let tree = prepared(bracketed, options)?;
    let mut sentence = Sentence::from_forms(tree.words().map(|word| brackets::unescape(word)));
    for (token, (tag, _)) in sentence.tokens.iter_mut().zip(tree.tagged_words()) {
        token.xpos = tag.cloned().unwrap_or(UNSPECIFIED);
    }
    let mut said = PartialTree::new(sentence.n_words());
    let mut spans: Vec<_> = tree.constituents().into_iter().map(|(_, _, span)| span).collect();
    // The bracket over the whole sentence says nothing that is not known.
    spans.retain(|span| span.len() > 1 && span.len() < said.n_words);
    spans.sort_by_key(|span| (span.start(), std::cmp::Reverse(span.end())));
    spans.dedup();
    for span in spans {
        let members = (span.start() + 1..=span.end()).map(Node::Word).collect();
        said.groups.push(Group { kind: GroupKind::Bracket { members, head: None }, place: Place::default() });
    }
    Ok(Block::from_sentence(&sentence, &said))
}

/// The forms of an annotation without the indices of repeated words.
pub fn forms(block: &Block) -> Vec<Text> {
    bare_forms(&block.tokens)
}
