//! From a treebank's tree to the tree a parser is trained and scored on.

use super::walk::{Step, is_preterminal, only_constituent, splice, steps};
use crate::{Text, Tree, TreeBuilder};

/// What [`normalise`] does; the defaults are those for the Penn Treebank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Normalisation {
    /// A label ends before the first of these: `NP-SBJ-1` and `NP=2` become `NP`. None, and nothing is cut.
    /// A label that starts with `-`, such as `-LRB-`, stays, and so does one that would become empty.
    pub separators: Vec<char>,
    /// Whether labels of preterminals (tags) are cut too.
    pub cut_tags: bool,
    /// Preterminals with these labels are empty elements and go.
    pub empty_tags: Vec<Text>,
    /// Whether traces such as `*`, `*0*` or `*T*-1` go with whatever tag they have, but for `*` under the tag `*`.
    pub bare_traces: bool,
    /// Further words that go, such as `0` in the historical corpora.
    pub empty_words: Vec<Text>,
    /// Tags under which those words stay, because they are numbers there.
    pub numeral_tags: Vec<Text>,
    /// Whether words are followed by a hyphen and their lemma, as in `,-,`, which go.
    pub lemmas: bool,
    /// Constituents with these labels go with everything below them.
    pub drop_labels: Vec<Text>,
    /// Whether X over nothing but X becomes one X. Preterminals never take part.
    pub collapse_same: bool,
    /// The label of the outer bracket; `None` leaves the outside as it is.
    pub top: Option<Text>,
    /// Labels of an outer bracket that is replaced instead of being put under a further one.
    pub wrappers: Vec<Text>,
}

impl Default for Normalisation {
    fn default() -> Self {
        let texts = |labels: &[&str]| labels.iter().map(|&label| Text::from(label)).collect::<Vec<_>>();
        Self {
            separators: vec!['-', '=', '|'],
            cut_tags: false,
            empty_tags: texts(&["-NONE-"]),
            bare_traces: false,
            empty_words: Vec::new(),
            numeral_tags: Vec::new(),
            lemmas: false,
            drop_labels: texts(&["CODE", "ID", "META"]),
            collapse_same: true,
            top: Some("TOP".into()),
            wrappers: texts(&["", "ROOT", "S1", "VROOT", "TOP"]),
        }
    }
}

/// The normal form of `tree`, or `None` if nothing is left of it.
///
/// In this order: what is empty or unwanted goes, and with it every constituent that this leaves without
/// a word; labels are cut, and words if lemmas follow them; X over X becomes X; the outer bracket gets its label. A word that stands
/// directly under a phrase stays where it is. What was taken away cannot be found again.
///
/// ```
/// use tree::transform::normalise::{Normalisation, normalise};
/// use tree::{Text, Tree};
/// let tag = |tag: &str, form: &str| Tree::constituent(Text::from(tag), [Tree::word(Text::from(form))]);
/// let empty = Tree::constituent("NP-SBJ".into(), [tag("-NONE-", "*-1")]);
/// let raw = Tree::constituent("".into(), [Tree::constituent("S-TPC".into(), [empty, tag("VB", "Go")])]);
/// let expected = Tree::constituent("TOP".into(), [Tree::constituent("S".into(), [tag("VB", "Go")])]);
/// assert_eq!(normalise(&raw, &Normalisation::default()), Some(expected));
/// ```
pub fn normalise(tree: &Tree<Text>, options: &Normalisation) -> Option<Tree<Text>> {
    let pruned = prune(tree, options)?;
    let cut = cut_labels(pruned, options);
    let collapsed = if options.collapse_same { collapse_same(&cut) } else { cut };
    Some(match &options.top {
        Some(top) => with_top(&collapsed, top, &options.wrappers),
        None => collapsed,
    })
}

/// The tree without empty and unwanted nodes and without constituents that have no word.
fn prune(tree: &Tree<Text>, options: &Normalisation) -> Option<Tree<Text>> {
    let kept = kept_nodes(tree, options);
    let mut builder = TreeBuilder::new();
    for step in steps(tree) {
        match step {
            Step::Open(index) if kept[index] => builder.open(tree.nodes()[index].label.clone()),
            Step::Word(index) if kept[index] => builder.word(tree.nodes()[index].label.clone()),
            Step::Close(index) if kept[index] => _ = builder.close(),
            _ => {}
        }
    }
    builder.finish()
}

/// A word is kept unless it or something above it goes; a constituent is kept if it keeps a word.
fn kept_nodes(tree: &Tree<Text>, options: &Normalisation) -> Vec<bool> {
    let nodes = tree.nodes();
    let mut kept = vec![false; nodes.len()];
    let mut index = 0;
    while index < nodes.len() {
        if goes(tree, index, options) {
            index += nodes[index].size();
            continue;
        }
        kept[index] = nodes[index].is_word();
        index += 1;
    }
    for index in (0..nodes.len()).rev().filter(|&index| !nodes[index].is_word()) {
        kept[index] = super::walk::children(tree, index).any(|child| kept[child]);
    }
    kept
}

fn goes(tree: &Tree<Text>, index: usize, options: &Normalisation) -> bool {
    let node = &tree.nodes()[index];
    if !node.is_word() {
        return goes_with_all_below(tree, index, options);
    }
    let tag = (index > 0 && is_preterminal(tree, index - 1)).then(|| &tree.nodes()[index - 1].label);
    let is_number = tag.is_some_and(|tag| options.numeral_tags.contains(tag));
    let is_asterisk = tag == Some(&node.label);
    options.empty_words.contains(&node.label) && !is_number
        || options.bare_traces && is_trace(&node.label) && !is_asterisk
}

/// Whether a constituent goes with everything below it.
pub(super) fn goes_with_all_below(tree: &Tree<Text>, index: usize, options: &Normalisation) -> bool {
    let node = &tree.nodes()[index];
    if node.is_word() {
        return false;
    }
    options.drop_labels.contains(&node.label)
        || is_preterminal(tree, index) && options.empty_tags.contains(&node.label)
}

/// `*`, or a name between asterisks, both with any number of indices: `*T*-1`. A word that an asterisk marks as
/// ungrammatical is none, and asterisks alone are a line.
pub(super) fn is_trace(word: &str) -> bool {
    let mut stem = word;
    while let Some((before, index)) = stem.rsplit_once(['-', '=']) {
        if before.is_empty() || !is_index(index) {
            break;
        }
        stem = before;
    }
    let name = stem.strip_prefix('*').and_then(|rest| rest.strip_suffix('*'));
    stem == "*" || name.is_some_and(|name| name.contains(|c| c != '*'))
}

/// What follows a hyphen to tell one trace from another.
pub(super) fn is_index(text: &str) -> bool {
    !text.is_empty() && (text.chars().all(|c| c.is_ascii_digit()) || text == "X")
}

/// Where a word ends and the hyphen before its lemma begins.
pub(super) fn lemma_cut(word: &str) -> Option<usize> {
    word.rfind('-').filter(|&at| at > 0 && at + 1 < word.len())
}

fn cut_labels(mut tree: Tree<Text>, options: &Normalisation) -> Tree<Text> {
    for index in 0..tree.nodes().len() {
        let is_tag = is_preterminal_or_word(&tree, index);
        if !is_tag || options.cut_tags && !tree.nodes()[index].is_word() {
            let cut = cut_label(&tree.nodes()[index].label, &options.separators);
            *tree.label_mut(index) = cut;
        } else if options.lemmas && tree.nodes()[index].is_word() {
            let word = &tree.nodes()[index].label;
            let cut = lemma_cut(word).map_or_else(|| word.clone(), |at| word[..at].into());
            *tree.label_mut(index) = cut;
        }
    }
    tree
}

fn is_preterminal_or_word(tree: &Tree<Text>, index: usize) -> bool {
    tree.nodes()[index].is_word() || is_preterminal(tree, index)
}

/// `label` up to the first separator.
fn cut_label(label: &Text, separators: &[char]) -> Text {
    match label.split_once(separators) {
        Some((stem, _)) if !stem.is_empty() && !label.starts_with('-') => stem.into(),
        _ => label.clone(),
    }
}

/// X over nothing but X (no preterminal) becomes the lower X.
fn collapse_same(tree: &Tree<Text>) -> Tree<Text> {
    let nodes = tree.nodes();
    let repeats = |index: usize| {
        let same = only_constituent(tree, index).filter(|&child| nodes[child].label == nodes[index].label);
        same.is_some_and(|child| !is_preterminal(tree, child))
    };
    // Both have the same label, so that it does not matter which of them goes; the topmost node must stay,
    // so it is the lower one.
    splice(tree, |index| nodes[index].is_word() || !repeats(index - 1), |index| nodes[index].label.clone())
}

/// `tree` under exactly one outer bracket labelled `top`.
fn with_top(tree: &Tree<Text>, top: &Text, wrappers: &[Text]) -> Tree<Text> {
    let is_wrapper =
        |index: usize| !tree.nodes()[index].is_word() && wrappers.contains(&tree.nodes()[index].label);
    if !is_wrapper(0) {
        return Tree::constituent(top.clone(), [tree.clone()]);
    }
    let mut innermost = 0;
    while let Some(child) = only_constituent(tree, innermost).filter(|&child| is_wrapper(child)) {
        innermost = child;
    }
    let relabel = |index: usize| if index == 0 { top.clone() } else { tree.nodes()[index].label.clone() };
    splice(tree, |index| index > innermost, relabel)
}
