//! From one format to another.

use crate::bio::{BioRow, Labelled};
use crate::brackets::{self, Bracketed};
use crate::detect::Format;
use crate::everything::Item;
use crate::gfl::{self, Block, JsonLine, MAX_DEPTH, bare_forms, spelled_size};
use crate::roles;
use crate::semantics;
use crate::semeval::{self, NominalPair};
use thiserror::Error;
use tree::partial::FromTreeError;
use tree::provenance::{self, Column};
use tree::sentence::UNSPECIFIED;
use tree::transform::{
    ConstituentsError, HeadRules, LexicalTree, Normalisation, NotLexical, from_constituents, normalise,
    to_constituents, to_dependencies,
};
use tree::{Head, HeadsError, PartialTree, Sentence, Text, Token, Tree};

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

impl HeadFinder {
    /// By the rules for the labels of the Penn Treebank.
    pub fn english() -> Self {
        Self::Rules(HeadRules::english())
    }
}

impl Options {
    /// Nothing is stripped. There is no choice of heads that is right for every language, so it must be made.
    pub fn new(heads: HeadFinder) -> Self {
        Self { heads, normalise: None }
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
    #[error("labels of words say nothing about trees; convert to conllu")]
    NoTree,
    /// Trees and annotations have no label per word.
    #[error("there is no label for each word; convert to conllu first, then to bio")]
    NoLabels,
    /// Without two marked nominals there is no pair.
    #[error(
        "two entities, of the types e1 and e2, are needed for a pair of nominals; convert to conll04 instead"
    )]
    NoPair,
    /// Brackets that GFL cannot spell.
    #[error(
        "the brackets nest {depth} deep and take {size} names to spell, too much for GFL; convert to fudg-json"
    )]
    TooLarge {
        /// Names and brackets that would be written.
        size: usize,
        /// How deep the brackets nest.
        depth: usize,
    },
    /// A tree with too many brackets to list.
    #[error(transparent)]
    Brackets(#[from] FromTreeError),
}

/// An item in its new form, and what had no place there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Converted {
    /// The new form.
    pub item: Item,
    /// What was lost, in words; empty if nothing was.
    pub lost: Vec<&'static str>,
    /// What the new format does not allow but was kept.
    pub doubtful: Vec<&'static str>,
}

/// What is lost and what is doubtful on the way.
#[derive(Default)]
struct Losses {
    lost: Vec<&'static str>,
    doubtful: Vec<&'static str>,
}

impl Losses {
    fn lose_if(&mut self, happens: bool, what: &'static str) {
        if happens && !self.lost.contains(&what) {
            self.lost.push(what);
        }
    }

    fn lose_semantics(&mut self, left: semantics::LeftOut) {
        self.lose_if(left.entities > 0, "entities");
        self.lose_if(left.relations > 0, "relations of entities");
        self.lose_if(left.predicates + left.arguments > 0, "predicates and arguments");
        self.lose_if(left.open > 0, "what is open");
    }
}

/// Converts `item`, which was read as `from`, to what `to` can hold.
///
/// ```
/// use formats::convert::{HeadFinder, Options, convert};
/// use formats::detect::Format::{Brackets, Conllu};
/// use formats::everything::{Item, items};
///
/// let read = items(Brackets, "(S (NP (NNS Dogs)) (VP (VBP bark)))\n".as_bytes()).next().unwrap()?;
/// let converted = convert(read.value, Brackets, Conllu, &Options::new(HeadFinder::english())).unwrap();
/// let Item::Sentence(sentence) = converted.item else { panic!("a sentence was expected") };
/// assert_eq!(sentence.partial_heads(), [Some(2), Some(0)]);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn convert(item: Item, from: Format, to: Format, options: &Options) -> Result<Converted, Error> {
    let mut losses = Losses::default();
    let item = match (item, kind(to)) {
        (item, _) if from == to => normalised(item, options)?,
        (item, _) if item.is_blank() => {
            losses.lose_if(matches!(item, Item::Labelled(_)), "boundaries between documents");
            item
        }
        (Item::Annotation(block), Content::Annotation) => annotation_as(block, from, to, &mut losses)?,
        (Item::Tree(bracketed), Content::Annotation) => {
            losses.lose_if(true, "labels");
            losses.lose_if(!bracketed.comments.is_empty(), "comments");
            Item::Annotation(Box::new(block_of_tree(&bracketed, options)?))
        }
        (Item::Labelled(_), Content::Annotation | Content::Brackets) => return Err(Error::NoTree),
        (Item::Sentence(sentence), Content::Labels) if !matches!(from, Format::Joint | Format::Conll04) => {
            Item::Labelled(labels_of(&sentence, &mut losses))
        }
        (item @ (Item::Sentence(_) | Item::Pair(_)), Content::Labels) => {
            let sentence = sentence_of(item, from, options, &mut losses)?;
            Item::Labelled(labels_of(&sentence, &mut losses))
        }
        (item @ (Item::Sentence(_) | Item::Labelled(_) | Item::Pair(_)), Content::Pair) => {
            Item::Pair(pair_of(sentence_of(item, from, options, &mut losses)?, &mut losses)?)
        }
        (_, Content::Pair) => return Err(Error::NoPair),
        (_, Content::Labels) => return Err(Error::NoLabels),
        (item, Content::Annotation) => {
            let sentence = sentence_of(item, from, options, &mut losses)?;
            Item::Annotation(Box::new(annotation_of(sentence, to, &mut losses)))
        }
        (item, Content::Brackets) => {
            let sentence = sentence_of(item, from, options, &mut losses)?;
            lose_rows(&sentence, Tag::Upos, &mut losses);
            Item::Tree(brackets_of(sentence)?)
        }
        (item, Content::Rows) => {
            Item::Sentence(rows_as(sentence_of(item, from, options, &mut losses)?, to, &mut losses))
        }
    };
    Ok(Converted { item, lost: losses.lost, doubtful: losses.doubtful })
}

/// Heads and whatever comments say besides, with all other columns in a section of their own; FUDG has none, so that
/// what machines said, which could not be told from what people said there, is left out.
fn annotation_of(mut sentence: Sentence, to: Format, losses: &mut Losses) -> Block {
    if to == Format::FudgJson {
        let n_taken = provenance::take_back(&mut sentence, &Column::ALL);
        losses.lose_if(n_taken > 0, "what machines said");
        lose_rows(&sentence, Tag::Xpos, losses);
        losses.lose_if(sentence.comments.len() > usize::from(sentence.id().is_some()), "comments");
        losses.lose_if(has(&sentence, |word| &word.deprel), "relations");
    }
    let mut said = PartialTree::from_sentence(&sentence);
    if let Some((more, _)) = gfl::comments::from_comments(&sentence, 1) {
        said.add(more);
        gfl::comments::to_comments(&PartialTree::new(said.n_words), &mut sentence);
    }
    Block::from_sentence(&sentence, &said)
}

/// What a format holds.
enum Content {
    Rows,
    Brackets,
    Annotation,
    Labels,
    Pair,
}

fn kind(format: Format) -> Content {
    match format {
        // Text is not written; what was read from it stands in rows.
        Format::Conllu
        | Format::Conllx
        | Format::Conll09
        | Format::Joint
        | Format::Conll04
        | Format::Text
        | Format::Raw
        | Format::Lines => Content::Rows,
        Format::Semeval => Content::Pair,
        Format::Brackets => Content::Brackets,
        Format::Gfl | Format::GflJson | Format::FudgJson => Content::Annotation,
        Format::Bio => Content::Labels,
    }
}

/// Longer annotations are not spelled.
const MOST_SPELLED: usize = 1 << 20;

fn annotation_as(block: Box<Block>, from: Format, to: Format, losses: &mut Losses) -> Result<Item, Error> {
    let (size, depth) = spelled_size(&block.said);
    if from == Format::FudgJson && (size > MOST_SPELLED || depth > MAX_DEPTH) {
        return Err(Error::TooLarge { size, depth });
    }
    let kept: &[&str] = if to == Format::FudgJson {
        &["ID", "TEXT", "ANNO"]
    } else {
        &["ID", "TEXT", "ANNO", "POS TEXT", "CONLLU"]
    };
    let other = |name: &str| !kept.iter().any(|kept| name == *kept || name.starts_with("ID "));
    let has_body = |text: String| !text.trim().is_empty();
    if from == Format::Gfl {
        let mut sections = block.sections.iter().filter(|section| other(section.name()));
        let lost = sections.any(|section| to == Format::FudgJson || has_body(section.text()));
        losses.lose_if(lost, "other sections");
        losses.lose_if(has_body(block.preamble.concat()), "text before the sections");
    }
    if let Some(JsonLine::Gfl(line)) = &block.json {
        losses.lose_if(!fits_sections(line), "lists, objects and values of several lines");
        losses.lose_if(to == Format::FudgJson && block.tags.is_some(), "tags");
    }
    Ok(Item::Annotation(block))
}

/// Whether every value of a record can stand in a section's header.
fn fits_sections(record: &str) -> bool {
    let record: serde_json::Map<String, serde_json::Value> = serde_json::from_str(record).unwrap_or_default();
    record.iter().filter(|(field, _)| !["sent", "anno", "pos", "conllu"].contains(&field.as_str())).all(
        |(_, value)| {
            value.is_number()
                || value.is_boolean()
                || value.as_str().is_some_and(|text| !text.trim().contains(['\n', '\r']))
        },
    )
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
fn sentence_of(item: Item, from: Format, options: &Options, losses: &mut Losses) -> Result<Sentence, Error> {
    match item {
        item @ (Item::Sentence(_) | Item::Pair(_))
            if matches!(from, Format::Joint | Format::Conll04 | Format::Semeval) =>
        {
            Ok(with_semantics(&item, from, losses))
        }
        Item::Pair(pair) => Ok(pair.sentence()),
        Item::Sentence(mut sentence) => {
            match from {
                Format::Conllx => projected_columns_to_misc(&mut sentence),
                Format::Conll09 => roles::to_misc(&mut sentence),
                _ => {}
            }
            provenance::from_comments(&mut sentence);
            Ok(sentence)
        }
        Item::Annotation(block) => {
            losses.lose_if(has_other_sections(&block), "other sections");
            if block.said.roots.len() > 1 {
                losses.doubtful.push("several roots");
            }
            let mut sentence = block.sentence();
            gfl::comments::to_comments(&block.said, &mut sentence);
            Ok(sentence)
        }
        Item::Tree(bracketed) => {
            losses.lose_if(matches!(options.heads, HeadFinder::Rules(_)), "constituents");
            sentence_of_tree(&bracketed, options)
        }
        Item::Labelled(labelled) => Ok(sentence_of_labels(&labelled, losses)),
    }
}

/// Rows of CoNLL-U with what is said of entities, relations and predicates in MISC.
fn with_semantics(item: &Item, from: Format, losses: &mut Losses) -> Sentence {
    let (mut sentence, said, _) = semantics::read(from, item, 1);
    if from == Format::Conll04 {
        for comment in &mut sentence.comments {
            // `#doc 1537` is a comment of CoNLL-U, too, but one that has no name.
            if let Some(number) = comment.strip_prefix(crate::conll04::BEGINNING) {
                *comment = format!("# sent_id = {}", number.trim()).into();
            }
        }
        sentence.comments.retain(|comment| *comment != "# sent_id = ");
    }
    let has_analyses = sentence.words().any(crate::joint::is_without_heads);
    losses.lose_if(from == Format::Joint && has_analyses, "morphological analyses");
    let has_surplus = |token: &Token| token.extra.len() > 3 || from == Format::Joint && token.extra.len() > 1;
    losses.lose_if(!has_analyses && sentence.words().any(has_surplus), "extra columns");
    sentence.tokens.iter_mut().for_each(|token| token.extra.clear());
    let mut rows = Item::Sentence(sentence);
    losses.lose_semantics(semantics::write(Format::Conllu, &mut rows, &said));
    match rows {
        Item::Sentence(sentence) => sentence,
        _ => Sentence::default(),
    }
}

/// What MISC says of entities, relations and predicates, in the columns of another format.
fn semantics_as(sentence: Sentence, to: Format, losses: &mut Losses) -> Sentence {
    let rows = Item::Sentence(sentence);
    let (mut sentence, said, _) = semantics::read(Format::Conllu, &rows, 1);
    for token in &mut sentence.tokens {
        semantics::MISC_KEYS.iter().for_each(|key| drop(take_misc(token, key)));
        losses.lose_if(!token.extra.is_empty(), "extra columns");
        token.extra.clear();
    }
    let has_features = has(&sentence, |word| &word.feats);
    losses.lose_if(has_features, "features");
    // Who said what has no place is of no use.
    sentence.comments.retain(|comment| {
        semantics::is_author(comment, to) || !semantics::is_author(comment, Format::Conllu)
    });
    if to == Format::Conll04 {
        let has_heads = sentence.words().any(|word| word.head.index().is_some());
        losses.lose_if(has_heads || has(&sentence, |word| &word.deprel), "heads and relations");
        losses.lose_if(has(&sentence, |word| &word.lemma), "lemmas");
        losses.lose_if(has(&sentence, |word| &word.upos) || has(&sentence, |word| &word.xpos), "tags");
        let number = sentence.id().unwrap_or_default().to_string();
        let (kept, others): (Vec<Text>, Vec<Text>) =
            sentence.comments.drain(..).partition(|comment| semantics::is_author(comment, to));
        losses.lose_if(others.len() > usize::from(!number.is_empty()), "comments");
        sentence.comments = vec![format!("{} {number}", crate::conll04::BEGINNING).trim_end().into()];
        sentence.comments.extend(kept);
    }
    sentence.tokens.iter().for_each(|token| lose_columns(token, losses));
    let mut item = Item::Sentence(sentence);
    losses.lose_semantics(semantics::write(to, &mut item, &said));
    match item {
        Item::Sentence(sentence) => sentence,
        _ => Sentence::default(),
    }
}

/// A pair of the entities that are called so.
fn pair_of(sentence: Sentence, losses: &mut Losses) -> Result<NominalPair, Error> {
    let rows = Item::Sentence(sentence);
    let (mut sentence, said, _) = semantics::read(Format::Conllu, &rows, 1);
    let span = |name: &str| said.entities.iter().find(|entity| entity.kind == name).map(|entity| entity.span);
    let [Some(first), Some(second)] = semeval::NAMES.map(span) else { return Err(Error::NoPair) };
    let mut item =
        Item::Pair(NominalPair::new(sentence.id().unwrap_or_default(), &sentence, [first, second]));
    // Words may be cut in other places now, but the two nominals are where they were.
    let (_, marked, _) = semantics::read(Format::Semeval, &item, 1);
    let number = |old: usize| {
        let kind = &said.entities.get(old)?.kind;
        marked.entities.iter().position(|entity| entity.kind == *kind)
    };
    let mut new = tree::semantics::Semantics { entities: marked.entities.clone(), ..Default::default() };
    for relation in &said.relations {
        match (number(relation.first), number(relation.second)) {
            (Some(first), Some(second)) => {
                new.relations.push(tree::semantics::Relation { first, second, kind: relation.kind.clone() });
            }
            _ => losses.lose_if(true, "relations of entities"),
        }
    }
    let open = said.open_pairs.iter().filter_map(|&(one, other)| Some((number(one)?, number(other)?)));
    new.open_pairs = open.collect();
    losses.lose_semantics(semantics::write(Format::Semeval, &mut item, &new));
    losses.lose_if(said.entities.len() > 2, "entities");
    losses.lose_if(!said.predicates.is_empty(), "predicates and arguments");
    for token in &mut sentence.tokens {
        semantics::MISC_KEYS.iter().chain(&["SpaceAfter"]).for_each(|key| drop(take_misc(token, key)));
    }
    lose_rows(&sentence, Tag::Upos, losses);
    match item {
        Item::Pair(pair) => Ok(pair),
        _ => Err(Error::NoPair),
    }
}

fn has_other_sections(block: &Block) -> bool {
    let known = ["ID", "TEXT", "ANNO", "POS TEXT", "CONLLU"];
    block
        .sections
        .iter()
        .any(|section| !known.contains(&section.name()) && !section.name().starts_with("ID "))
}

/// Labels that are universal tags are tags; those of entities, and others, stand in MISC.
fn sentence_of_labels(labelled: &Labelled, losses: &mut Losses) -> Sentence {
    let mut sentence = Sentence::from_forms(labelled.rows.iter().map(|row| row.word()));
    let are_tags = labelled.rows.iter().all(|row| UPOS.contains(&row.label()));
    let key = if labelled.rows.iter().all(|row| semantics::is_label(row.label())) { "NE" } else { "Label" };
    for (token, row) in sentence.tokens.iter_mut().zip(&labelled.rows) {
        if are_tags {
            token.upos = row.label().into();
        } else {
            token.misc = format!("{key}={}", roles::escape(row.label())).into();
        }
        let columns: Vec<&str> = row.columns().collect();
        if columns.len() > 2 {
            token.xpos = columns[1].into();
        }
        losses.lose_if(columns.len() > 3, "columns between the second and the last");
    }
    sentence
}

/// The tags of Universal Dependencies.
const UPOS: [&str; 18] = [
    "ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT",
    "SCONJ", "SYM", "VERB", "X", "_",
];

/// Labels from MISC if there are any, from the tags otherwise.
fn labels_of(sentence: &Sentence, losses: &mut Losses) -> Labelled {
    let is_label = |key: &str| ["NE", "Label"].contains(&key);
    let label = |word: &Token| {
        word.misc_items().find(|(key, _)| is_label(key)).map(|(_, value)| roles::unescape(value).to_string())
    };
    let has_labels = sentence.words().any(|word| label(word).is_some());
    let has_entities = sentence.words().any(|word| word.misc_items().any(|(key, _)| key == "NE"));
    let tag =
        |word: &Token| if word.upos == UNSPECIFIED { word.xpos.to_string() } else { word.upos.to_string() };
    let row = |word: &Token| match label(word) {
        Some(label) => BioRow::new(&word.form, &label),
        // A word of which nothing is said is open, a word without one of other labels has none.
        None if has_entities => BioRow::new(&word.form, "_"),
        None if has_labels => BioRow::new(&word.form, "O"),
        None => BioRow::new(&word.form, &tag(word)),
    };
    losses.lose_if(sentence.tokens.iter().any(|token| !token.is_word()), "multiword ranges and empty nodes");
    losses.lose_if(!sentence.comments.is_empty(), "comments");
    losses.lose_if(!sentence.stray.is_empty(), "unreadable lines");
    losses.lose_if(sentence.words().any(|word| !word.extra.is_empty()), "extra columns");
    losses.lose_if(sentence.words().any(|word| word.form.contains(char::is_whitespace)), "spaces in forms");
    let has_heads = sentence.words().any(|word| word.head.index().is_some());
    losses.lose_if(has_heads || has(sentence, |word| &word.deprel), "heads and relations");
    losses.lose_if(
        has(sentence, |word| &word.lemma) || has(sentence, |word| &word.feats),
        "lemmas and features",
    );
    let (upos, xpos) = (has(sentence, |word| &word.upos), has(sentence, |word| &word.xpos));
    losses.lose_if(has_labels && (upos || xpos), "tags");
    losses.lose_if(!has_labels && upos && xpos, "language-specific tags");
    losses.lose_if(has(sentence, |word| &word.deps), "enhanced dependencies");
    losses.lose_if(sentence.words().any(|word| word.misc_items().any(|(key, _)| !is_label(key))), "MISC");
    Labelled { rows: sentence.words().map(row).collect(), runs_on: false }
}

fn sentence_of_tree(bracketed: &Bracketed, options: &Options) -> Result<Sentence, Error> {
    let tree = prepared(bracketed, options)?;
    let mut sentence = Sentence::from_forms(tree.words().map(|word| brackets::unescape(word)));
    let comments = bracketed.comments.iter().filter(|line| !line.is_empty());
    sentence.comments = comments.map(|line| as_comment(line)).collect();
    let tags = tree.tagged_words();
    let tag = |index: usize| tags[index].0.cloned().unwrap_or(UNSPECIFIED);
    match &options.heads {
        HeadFinder::Rules(rules) => {
            let dependencies = to_dependencies(&tree, rules);
            for (index, token) in sentence.tokens.iter_mut().enumerate() {
                token.xpos = specified(tag(index));
                token.head = Head::Of(dependencies.heads.as_slice()[index]);
                // The label over the whole sentence is no relation to anything.
                let is_root = dependencies.heads.as_slice()[index] == 0;
                token.deprel =
                    if is_root { "root".into() } else { specified(dependencies.relations[index].clone()) };
            }
        }
        HeadFinder::Lexical => {
            let lexical = from_constituents(&tree)?;
            for (index, token) in sentence.tokens.iter_mut().enumerate() {
                token.upos = brackets::unescape(&tag(index));
                token.head = Head::Of(lexical.heads.as_slice()[index]);
                if let Some(relations) = &lexical.relations {
                    token.deprel = brackets::unescape(&relations[index]);
                }
            }
        }
    }
    provenance::from_comments(&mut sentence);
    Ok(sentence)
}

/// An empty label is an unspecified column.
fn specified(label: Text) -> Text {
    if label.is_empty() { UNSPECIFIED } else { label }
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
        let is_said = |value: &Text| *value != UNSPECIFIED && !value.is_empty();
        let items: Vec<String> = items
            .iter()
            .filter(|(_, value)| is_said(value))
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

fn has(sentence: &Sentence, column: fn(&Token) -> &Text) -> bool {
    sentence.words().any(|word| *column(word) != UNSPECIFIED)
}

/// Which of two tags a format keeps.
#[derive(PartialEq)]
enum Tag {
    Upos,
    Xpos,
}

/// What neither brackets nor annotations have a place for.
fn lose_rows(sentence: &Sentence, kept: Tag, losses: &mut Losses) {
    losses.lose_if(sentence.tokens.iter().any(|token| !token.is_word()), "multiword ranges and empty nodes");
    losses.lose_if(!sentence.stray.is_empty(), "unreadable lines");
    losses.lose_if(sentence.words().any(|word| !word.extra.is_empty()), "extra columns");
    losses.lose_if(sentence.words().any(|word| word.form.contains(char::is_whitespace)), "spaces in forms");
    let both = has(sentence, |word| &word.upos) && has(sentence, |word| &word.xpos);
    losses.lose_if(both && kept == Tag::Xpos, "universal tags");
    losses.lose_if(both && kept == Tag::Upos, "language-specific tags");
    let others: [fn(&Token) -> &Text; 4] =
        [|word| &word.lemma, |word| &word.feats, |word| &word.deps, |word| &word.misc];
    losses.lose_if(
        others.into_iter().any(|column| has(sentence, column)),
        "lemmas, features and other columns",
    );
}

/// Rows of CoNLL-U as rows of CoNLL-X or CoNLL-2009.
fn rows_as(mut sentence: Sentence, to: Format, losses: &mut Losses) -> Sentence {
    if to == Format::Conllu {
        return sentence;
    }
    losses.doubtful.clear();
    losses.lose_if(sentence.tokens.iter().any(|token| !token.is_word()), "multiword ranges and empty nodes");
    losses.lose_if(!sentence.stray.is_empty(), "unreadable lines");
    provenance::to_comments(&mut sentence);
    if matches!(to, Format::Joint | Format::Conll04) {
        sentence.tokens.retain(Token::is_word);
        sentence.stray.clear();
        return semantics_as(sentence, to, losses);
    }
    let is_ours = |comment: &Text| {
        ["# treelet_by ", "# anno ="].iter().any(|key| comment.starts_with(key))
            || semantics::is_author(comment, to)
    };
    losses.lose_if(!sentence.comments.iter().all(is_ours), "comments");
    sentence.tokens.retain(Token::is_word);
    sentence.stray.clear();
    sentence.comments.retain(is_ours);
    if !sentence.comments.is_empty() {
        losses.doubtful.push("comments");
    }
    if to == Format::Conll09 {
        let both = has(&sentence, |word| &word.upos) && has(&sentence, |word| &word.xpos);
        losses.lose_if(both, "universal tags");
        losses.lose_if(sentence.words().any(|word| !word.extra.is_empty()), "extra columns");
        roles::from_misc(&mut sentence);
        sentence.tokens.iter().for_each(|token| lose_columns(token, losses));
    } else {
        for token in &mut sentence.tokens {
            let head = take_misc(token, "PHead").unwrap_or(UNSPECIFIED);
            let relation = take_misc(token, "PDeprel").unwrap_or(UNSPECIFIED);
            lose_columns(token, losses);
            (token.deps, token.misc) = (head, relation);
        }
    }
    sentence
}

/// Notes what CoNLL-X and CoNLL-2009 have no column for.
fn lose_columns(token: &Token, losses: &mut Losses) {
    losses.lose_if(token.deps != UNSPECIFIED, "enhanced dependencies");
    losses.lose_if(token.misc != UNSPECIFIED, "MISC");
}

fn brackets_of(mut sentence: Sentence) -> Result<Bracketed, Error> {
    provenance::to_comments(&mut sentence);
    let n_words = sentence.n_words();
    let Some(heads) = sentence.heads()? else {
        let n_open = sentence.words().filter(|word| word.head.index().is_none()).count();
        return Err(Error::Incomplete { n_open, n_words });
    };
    if n_words == 0 {
        return Err(Error::Empty);
    }
    let tagged = |word: &Token| if word.upos == UNSPECIFIED { word.xpos.clone() } else { word.upos.clone() };
    let lexical = LexicalTree {
        heads,
        words: sentence.words().map(|word| brackets::escape(&word.form)).collect(),
        tags: sentence.words().map(|word| brackets::escape(&tagged(word))).collect(),
        relations: Some(sentence.words().map(|word| brackets::escape(&word.deprel)).collect()),
    };
    Ok(Bracketed { comments: sentence.comments, tree: Some(to_constituents(&lexical)?) })
}

/// A tree as partial annotation: every constituent of more than one word is a bracket without a head.
fn block_of_tree(bracketed: &Bracketed, options: &Options) -> Result<Block, Error> {
    let tree = prepared(bracketed, options)?;
    let mut sentence = Sentence::from_forms(tree.words().map(|word| brackets::unescape(word)));
    for (token, (tag, _)) in sentence.tokens.iter_mut().zip(tree.tagged_words()) {
        token.xpos = specified(tag.cloned().unwrap_or(UNSPECIFIED));
    }
    Ok(Block::from_sentence(&sentence, &PartialTree::from_tree(&tree)?))
}

/// The forms of an annotation without the indices of repeated words.
pub fn forms(block: &Block) -> Vec<Text> {
    bare_forms(&block.tokens)
}
