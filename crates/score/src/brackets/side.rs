//! One side of a comparison: words left after deletions, and brackets over them.

use super::Parameters;
use super::parameters::holds;
use tree::{Text, Tree};

/// A word that is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Terminal<'a> {
    pub(super) word: &'a str,
    pub(super) tag: &'a str,
}

/// A bracket `start..end` over the words that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bracket<'a> {
    pub(super) start: usize,
    pub(super) end: usize,
    /// Without function tags.
    pub(super) label: &'a str,
    pub(super) counts: bool,
}

/// A quotation mark or something that looks like one, deleted or not.
#[derive(Clone, Debug)]
pub(super) struct Quote<'a> {
    pub(super) terminal: Terminal<'a>,
    pub(super) deleted: bool,
    /// How many words left stand before it.
    pub(super) position: usize,
    /// How many brackets open before it.
    pub(super) n_brackets: usize,
    /// The brackets around it.
    pub(super) around: Vec<usize>,
}

/// Words, brackets and quotation marks of one tree, or of the pieces a parser left.
#[derive(Clone, Debug, Default)]
pub(super) struct TreeSide<'a> {
    pub(super) terminals: Vec<Terminal<'a>>,
    pub(super) brackets: Vec<Bracket<'a>>,
    pub(super) quotes: Vec<Quote<'a>>,
}

/// Tag and form of every word of `trees`; a word without a preterminal has the empty tag.
pub(super) fn tagged(trees: &[Tree<Text>]) -> Vec<Terminal<'_>> {
    let words = trees.iter().flat_map(|tree| tree.tagged_words());
    words.map(|(tag, word)| Terminal { word, tag: tag.map_or("", |tag| tag) }).collect()
}

/// Which words the tags of this side remove.
pub(super) fn deletions(words: &[Terminal<'_>], parameters: &Parameters) -> Vec<bool> {
    words.iter().map(|terminal| parameters.deletes_word(terminal.tag, terminal.word)).collect()
}

impl<'a> TreeSide<'a> {
    /// Reads `trees`, leaving out the words that `deleted` marks.
    pub(super) fn read(trees: &'a [Tree<Text>], deleted: &[bool], parameters: &Parameters) -> Self {
        let mut side = Self::default();
        let mut deleted = deleted.iter().copied();
        for tree in trees {
            side.read_tree(tree, &mut deleted, parameters);
        }
        side
    }

    fn read_tree(
        &mut self,
        tree: &'a Tree<Text>,
        deleted: &mut impl Iterator<Item = bool>,
        parameters: &Parameters,
    ) {
        let nodes = tree.nodes();
        // Open brackets, each with the node that follows its last one.
        let mut open: Vec<(usize, usize)> = Vec::new();
        for (index, node) in nodes.iter().enumerate() {
            self.close(&mut open, index);
            let is_preterminal = |at: usize| nodes[at].size() == 2 && nodes[at + 1].is_word();
            if node.is_word() {
                let tag =
                    index.checked_sub(1).filter(|&before| !nodes[before].is_word() && is_preterminal(before));
                let tag = tag.map_or("", |before| nodes[before].label.as_str());
                let terminal = Terminal { word: &node.label, tag };
                self.word(terminal, deleted.next().unwrap_or(false), &open, parameters);
            } else if !is_preterminal(index) {
                open.push((self.brackets.len(), index + node.size()));
                let start = self.terminals.len();
                self.brackets.push(Bracket {
                    start,
                    end: start,
                    label: without_function(&node.label),
                    counts: true,
                });
            }
        }
        self.close(&mut open, nodes.len());
    }

    fn close(&mut self, open: &mut Vec<(usize, usize)>, index: usize) {
        while let Some((bracket, _)) = open.pop_if(|(_, end)| *end <= index) {
            self.brackets[bracket].end = self.terminals.len();
        }
    }

    fn word(
        &mut self,
        terminal: Terminal<'a>,
        deleted: bool,
        open: &[(usize, usize)],
        parameters: &Parameters,
    ) {
        if holds(&parameters.quote_label, terminal.tag) && matches!(terminal.word, "'" | "\"" | "/") {
            self.quotes.push(Quote {
                terminal,
                deleted,
                position: self.terminals.len(),
                n_brackets: self.brackets.len(),
                around: open.iter().map(|&(bracket, _)| bracket).collect(),
            });
        }
        if !deleted {
            self.terminals.push(terminal);
        }
    }

    /// Decides which brackets count: those over at least one word whose label is not deleted and, if
    /// `without_whole`, that do not cover the whole sentence.
    pub(super) fn mark(&mut self, parameters: &Parameters, without_whole: bool) {
        let n_words = self.terminals.len();
        for bracket in &mut self.brackets {
            let whole = bracket.start == 0 && bracket.end == n_words;
            bracket.counts = bracket.start < bracket.end
                && !parameters.deletes_bracket(bracket.label)
                && !(without_whole && whole);
        }
    }

    pub(super) fn n_brackets(&self) -> usize {
        self.brackets.iter().filter(|bracket| bracket.counts).count()
    }

    /// Puts the deleted quotation mark `quotes[index]` back into the yield.
    fn reinsert(&mut self, index: usize) {
        let quote = &self.quotes[index];
        self.terminals.insert(quote.position, quote.terminal);
        for bracket in &mut self.brackets[quote.n_brackets..] {
            bracket.start += 1;
            bracket.end += 1;
        }
        for &around in &quote.around {
            self.brackets[around].end += 1;
        }
        for later in &mut self.quotes[index..] {
            later.position += 1;
        }
    }
}

/// Where one side deleted a quotation mark and the other kept it under another tag, puts it back.
///
/// This is what the 2006 version of the program does when the sentences differ in length, and only then.
pub(super) fn reinsert_quotes(gold: &mut TreeSide<'_>, test: &mut TreeSide<'_>) {
    for t in 0..test.quotes.len() {
        let position = test.quotes[t].position;
        for g in 0..gold.quotes.len() {
            let (in_gold, in_test) = (&gold.quotes[g], &test.quotes[t]);
            if in_gold.position != position || in_gold.terminal.tag == in_test.terminal.tag {
                continue;
            }
            match (in_gold.deleted, in_test.deleted) {
                (true, false) => gold.reinsert(g),
                (false, true) => test.reinsert(t),
                _ => {}
            }
        }
    }
}

/// The label up to the first `-` or `=`. A label that begins with one, such as `-NONE-`, is kept whole.
pub(super) fn without_function(label: &str) -> &str {
    match label.find(['-', '=']) {
        Some(0) | None => label,
        Some(cut) => &label[..cut],
    }
}
