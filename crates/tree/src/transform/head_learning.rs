//! Head rules from the labels of a file, where nobody gives any.

use super::head_rules::{HeadRules, stem};
use super::normalise::is_trace;
use super::walk::{children, is_preterminal};
use crate::PutInOrder;
use crate::{Text, Tree};
use std::collections::{BTreeMap, BTreeSet};

/// Out of a hundred labels, so many must be the Penn Treebank's.
const PENN_SHARE: usize = 95;
/// Out of a hundred words under a label, so many must be punctuation for it to be a label of punctuation.
const PUNCTUATION_SHARE: usize = 90;

/// Counts of which children stand under which parents, from which heads are guessed.
///
/// Labels are taken without functional tags and indices. A parent's children are tried in this order:
///
/// 1. tags of its own family, which begin with the parent's label without its final P (`N`, `NN`, `noun` under `NP`
///    or `np`), whichever comes first;
/// 2. phrases of its own family, such as `NP` under `NP`;
/// 3. all others.
///
/// Among the last two, those with the greatest product of two shares come first: how many of such parents have
/// exactly one such child (a head is obligatory and single), and how many of such children stand under such parents
/// (an NP is found anywhere, a VP mostly under S). The search starts on the side where such heads usually stand.
/// A label is never a head if what it dominates is punctuation or traces nine times out of ten.
///
/// Nothing is random, and ties are broken by the alphabet. Coordination is not recognised.
#[derive(Clone, Debug, Default)]
pub struct HeadStatistics {
    parents: BTreeMap<Text, Parent>,
    /// How often a label is that of a child.
    n_as_child: BTreeMap<Text, usize>,
    /// How often a label occurs, and how often over nothing but punctuation and traces.
    yields: BTreeMap<Text, (usize, usize)>,
    /// Tags and labels of phrases, and how many of them are the Penn Treebank's.
    tags: (usize, usize),
    phrases: (usize, usize),
}

#[derive(Clone, Debug, Default)]
struct Parent {
    n: usize,
    children: BTreeMap<Text, Child>,
}

#[derive(Clone, Debug, Default)]
struct Child {
    n: usize,
    /// Parents with exactly one such child.
    n_single: usize,
    /// Siblings on both sides, in all.
    n_before: usize,
    n_after: usize,
}

impl HeadStatistics {
    /// Counts one more tree.
    pub fn see(&mut self, tree: &Tree<Text>) {
        let nodes = tree.nodes();
        let offsets = tree.word_offsets();
        // How many of the first n words are more than punctuation, so that each constituent is looked at once.
        let mut n_wordlike = vec![0];
        for word in tree.words() {
            n_wordlike.push(n_wordlike[n_wordlike.len() - 1] + usize::from(is_wordlike(word)));
        }
        for index in (0..nodes.len()).filter(|&index| !nodes[index].is_word()) {
            let label: Text = stem(&nodes[index].label).into();
            let (start, end) = (offsets[index], offsets[index + nodes[index].size()]);
            let (n, n_marks) = self.yields.entry(label.clone()).or_default();
            *n += 1;
            *n_marks += usize::from(n_wordlike[start] == n_wordlike[end]);
            if is_preterminal(tree, index) {
                add(&mut self.tags, PENN_TAGS.contains(&nodes[index].label.as_str()));
            } else {
                add(&mut self.phrases, PENN_PHRASES.contains(&label.as_str()));
                self.see_parent(tree, index, label);
            }
        }
    }

    fn see_parent(&mut self, tree: &Tree<Text>, index: usize, label: Text) {
        let constituents = children(tree, index).filter(|&child| !tree.nodes()[child].is_word());
        let below: Vec<Text> = constituents.map(|child| stem(&tree.nodes()[child].label).into()).collect();
        let mut n_same: BTreeMap<&Text, usize> = BTreeMap::new();
        below.iter().for_each(|name| *n_same.entry(name).or_default() += 1);
        let parent = self.parents.entry(label).or_default();
        parent.n += 1;
        for (at, name) in below.iter().enumerate() {
            *self.n_as_child.entry(name.clone()).or_default() += 1;
            let child = parent.children.entry(name.clone()).or_default();
            child.n += 1;
            child.n_single += usize::from(n_same[name] == 1);
            child.n_before += at;
            child.n_after += below.len() - 1 - at;
        }
    }

    /// Whether the labels are those of the Penn Treebank, for which there are rules.
    pub fn is_penn(&self) -> bool {
        let mostly = |(n, n_penn): (usize, usize)| n > 0 && n_penn * 100 >= n * PENN_SHARE;
        mostly(self.tags) && (self.phrases.0 == 0 || mostly(self.phrases))
    }

    /// The rules, in the text format of [`HeadRules`].
    pub fn rules_text(&self) -> String {
        let never = self.never();
        let mut text = String::from(
            "# Head rules learned from the labels of a file; correct them where they are wrong.\n",
        );
        if !never.is_empty() {
            let labels: Vec<&str> = never.iter().map(|label| label.as_str()).collect();
            text.push_str(&format!("* never {}\n", labels.join(" ")));
        }
        let (mut n_left, mut n_all) = (0, 0);
        let mut lines = String::new();
        for (label, parent) in self.parents.iter().filter(|(label, _)| is_listed(label)) {
            let (tags, others) = self.ranked(label, parent, &never);
            let any = format!("{}-any", parent.side(&tags));
            let side = parent.side(&others[..others.len().min(1)]);
            let first = if tags.is_empty() { side } else { parent.side(&tags) };
            n_left += if first == "left" { parent.n } else { 0 };
            n_all += parent.n;
            for (search, names) in [(any.as_str(), tags), (side, others)] {
                let names: Vec<&str> = names.into_iter().map(|name| name.as_str()).collect();
                if !names.is_empty() {
                    lines.push_str(&format!("{label} {search} {}\n", names.join(" ")));
                }
            }
        }
        text.push_str(if n_left * 2 >= n_all { "* left\n" } else { "* right\n" });
        text + &lines
    }

    /// The rules.
    pub fn rules(&self) -> HeadRules {
        self.rules_text().parse().expect("the learned table is written as tables are read")
    }

    fn never(&self) -> BTreeSet<&Text> {
        let marks = |(_, (n, n_marks)): &(&Text, &(usize, usize))| n_marks * 100 >= n * PUNCTUATION_SHARE;
        self.yields.iter().filter(marks).map(|(label, _)| label).filter(|label| is_listed(label)).collect()
    }

    /// The labels of children that may be heads: tags of the family, then others, best first.
    fn ranked<'a>(
        &self,
        label: &str,
        parent: &'a Parent,
        never: &BTreeSet<&Text>,
    ) -> (Vec<&'a Text>, Vec<&'a Text>) {
        let able = |name: &&Text| !never.contains(name) && is_listed(name);
        let mut names: Vec<&Text> = parent.children.keys().filter(able).collect();
        // score(Y | X) = share of X with exactly one Y · share of Y that stand under X
        let score = |name: &Text| {
            let child = &parent.children[name];
            let n_anywhere = self.n_as_child.get(name).copied().unwrap_or(1);
            child.n_single as f64 / parent.n as f64 * (child.n as f64 / n_anywhere as f64)
        };
        // The sort is stable, and the names are in the order of the alphabet.
        names.order_by(|a, b| {
            is_family(label, b).cmp(&is_family(label, a)).then(score(b).total_cmp(&score(a)))
        });
        // What also dominates phrases is no tag.
        names.into_iter().partition(|name| is_family(label, name) && !self.parents.contains_key(*name))
    }
}

impl Parent {
    /// The side on which children of these labels usually stand.
    fn side(&self, names: &[&Text]) -> &'static str {
        let found = names.iter().filter_map(|name| self.children.get(*name));
        let (before, after) =
            found.fold((0, 0), |(before, after), child| (before + child.n_before, after + child.n_after));
        if before <= after { "left" } else { "right" }
    }
}

fn add((n, n_penn): &mut (usize, usize), is_penn: bool) {
    *n += 1;
    *n_penn += usize::from(is_penn);
}

/// Whether a label can stand in a table: `*` and `#` have a meaning there, and nothing cannot be written.
fn is_listed(label: &str) -> bool {
    !matches!(label, "" | "*" | "#")
}

/// `N`, `NN` or `noun` for `NP`, and anything for itself.
fn is_family(parent: &str, child: &str) -> bool {
    let core = parent.strip_suffix(['P', 'p']).filter(|core| !core.is_empty());
    let begins = |core: &str| child.to_lowercase().starts_with(&core.to_lowercase());
    parent == child || core.is_some_and(begins)
}

/// Whether a word has a letter or a digit in it and is no trace and no name of a bracket, such as `-LRB-`.
fn is_wordlike(word: &str) -> bool {
    let is_bracket = word.len() > 2 && word.starts_with('-') && word.ends_with('-');
    word.contains(char::is_alphanumeric) && !is_trace(word) && !is_bracket
}

const PENN_TAGS: [&str; 54] = [
    "CC", "CD", "DT", "EX", "FW", "IN", "JJ", "JJR", "JJS", "LS", "MD", "NN", "NNS", "NNP", "NNPS", "PDT",
    "POS", "PRP", "PRP$", "RB", "RBR", "RBS", "RP", "SYM", "TO", "UH", "VB", "VBD", "VBG", "VBN", "VBP",
    "VBZ", "WDT", "WP", "WP$", "WRB", "#", "$", ".", ",", ":", "``", "''", "-LRB-", "-RRB-", "-LCB-",
    "-RCB-", "-NONE-", "HYPH", "NFP", "ADD", "AFX", "GW", "XX",
];

const PENN_PHRASES: [&str; 34] = [
    "", "TOP", "ROOT", "S1", "S", "SBAR", "SBARQ", "SINV", "SQ", "ADJP", "ADVP", "CONJP", "FRAG", "INTJ",
    "LST", "NAC", "NP", "NX", "NML", "PP", "PRN", "PRT", "QP", "RRC", "UCP", "VP", "WHADJP", "WHADVP",
    "WHNP", "WHPP", "X", "META", "EDITED", "TYPO",
];
