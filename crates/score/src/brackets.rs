//! Labelled brackets as EVALB compares them (Sekine & Collins; the C program of 2006 to 2013).
//!
//! The multisets of brackets (label, start, end) of gold tree and parse are compared over the words left
//! after deletions. Preterminals are no brackets; a unary chain gives several brackets over one span.
//!
//! Two things differ from the C program on purpose. A label that begins with `-` is kept whole, so that a
//! bracket `-NONE-` can be deleted (the program cuts it to nothing). And words that stand beside
//! constituents, on which the program gives up, are compared with an empty tag.
//!
//! ```
//! use score::brackets::{Options, Scorer};
//! use tree::{Text, Tree};
//!
//! let noun: Tree<Text> = Tree::constituent("N".into(), [Tree::word("dogs".into())]);
//! let tree = Tree::constituent("S".into(), [Tree::constituent("NP".into(), [noun])]);
//! let mut scorer = Scorer::new(Options::default());
//! scorer.add(&[tree.clone()], &[tree.clone()]);
//! scorer.add(&[tree], &[]); // The parser gave up.
//! let report = scorer.finish();
//! assert_eq!((report.all.f1(), report.all.skipped), (100.0, 1));
//! assert!(report.all.strict_f1() < 67.0);
//! ```

mod matching;
mod parameters;
mod report;
mod side;
mod table;

pub use parameters::{ParameterProblem, Parameters};
pub use report::{BracketReport, BracketRow, LabelCounts, Status, Summary};
pub use table::Layout;

use crate::counts::Counts;
use matching::Matching;
use side::{Terminal, TreeSide};
use tree::{Text, Tree};

/// What is compared, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// EVALB's own parameters.
    pub parameters: Parameters,
    /// Which tags decide what is deleted.
    pub deletion: Deletion,
    /// What happens to brackets over the whole sentence.
    pub whole_sentence: WholeSentence,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            parameters: Parameters::collins(),
            deletion: Deletion::default(),
            whole_sentence: WholeSentence::default(),
        }
    }
}

/// Which tags decide what words are deleted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Deletion {
    /// Each side's own, as in EVALB. A comma with a wrong tag then voids its sentence.
    #[default]
    OwnTags,
    /// The gold tags on both sides. Words whose own tag does not count for length (traces) are set aside
    /// on both sides, the others are paired by position; if their numbers differ, each side's own tags decide.
    GoldTags,
}

/// What happens to brackets over all words of a sentence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WholeSentence {
    /// They count, unless their label is deleted.
    #[default]
    Counted,
    /// They do not count on either side: they are never wrong, which flatters unsupervised parsers.
    LeftOut,
}

/// Compares sentence after sentence.
#[derive(Clone, Debug)]
pub struct Scorer {
    options: Options,
    report: BracketReport,
}

impl Scorer {
    /// Nothing compared yet.
    pub fn new(options: Options) -> Self {
        let report = BracketReport::new(&options.parameters);
        Self { options, report }
    }

    /// Compares one sentence and returns its row.
    ///
    /// Both sides are lists of top-level trees, since a line of a parser may hold several pieces, or
    /// nothing at all. No parse is the empty list.
    pub fn add(&mut self, gold: &[Tree<Text>], parse: &[Tree<Text>]) -> &BracketRow {
        let id = self.report.rows.len() + 1;
        let row = self.compare(id, gold, parse);
        self.report.add(row, &self.options.parameters);
        &self.report.rows[id - 1]
    }

    /// What has been found.
    pub fn finish(self) -> BracketReport {
        self.report
    }

    fn compare(&mut self, id: usize, gold: &[Tree<Text>], parse: &[Tree<Text>]) -> BracketRow {
        let parameters = &self.options.parameters;
        let (gold_words, test_words) = (side::tagged(gold), side::tagged(parse));
        let (gold_deletions, test_deletions) = self.deletions(&gold_words, &test_words);
        let mut gold = TreeSide::read(gold, &gold_deletions, parameters);
        let mut test = TreeSide::read(parse, &test_deletions, parameters);
        let without_whole = self.options.whole_sentence == WholeSentence::LeftOut;
        gold.mark(parameters, without_whole);
        let mut row = BracketRow {
            id,
            length: length(&gold_words, parameters),
            status: status(&mut gold, &mut test, parameters),
            brackets: Counts::default(),
            crossing: 0,
            words: 0,
            correct_tags: 0,
            gold_brackets: gold.n_brackets(),
        };
        if row.status == Status::Scored {
            gold.mark(parameters, without_whole);
            test.mark(parameters, without_whole);
            self.fill(&mut row, &gold, &test);
        }
        row
    }

    fn deletions(&self, gold: &[Terminal<'_>], test: &[Terminal<'_>]) -> (Vec<bool>, Vec<bool>) {
        let parameters = &self.options.parameters;
        let by_gold = side::deletions(gold, parameters);
        let mut by_test = side::deletions(test, parameters);
        if self.options.deletion == Deletion::GoldTags {
            let (gold, test) = (proper_words(gold, parameters), proper_words(test, parameters));
            if gold.len() == test.len() {
                gold.iter().zip(test).for_each(|(&g, t)| by_test[t] = by_gold[g]);
            }
        }
        (by_gold, by_test)
    }

    fn fill(&mut self, row: &mut BracketRow, gold: &TreeSide<'_>, test: &TreeSide<'_>) {
        let parameters = &self.options.parameters;
        let matching = Matching::new(gold, test, parameters);
        row.gold_brackets = gold.n_brackets();
        row.brackets =
            Counts { matched: matching.n_matched(), gold: row.gold_brackets, system: test.n_brackets() };
        row.crossing = matching::crossing(gold, test);
        row.words = gold.terminals.len();
        let pairs = gold.terminals.iter().zip(&test.terminals);
        row.correct_tags = pairs.filter(|(g, t)| parameters.same_label(g.tag, t.tag)).count();
        self.count_labels(gold, test, &matching);
    }

    fn count_labels(&mut self, gold: &TreeSide<'_>, test: &TreeSide<'_>, matching: &Matching) {
        for (bracket, &matched) in
            gold.brackets.iter().zip(&matching.gold).filter(|(bracket, _)| bracket.counts)
        {
            let counts = label_counts(&mut self.report, bracket.label);
            counts.gold += 1;
            counts.gold_matched += usize::from(matched);
        }
        for (bracket, &matched) in
            test.brackets.iter().zip(&matching.test).filter(|(bracket, _)| bracket.counts)
        {
            let counts = label_counts(&mut self.report, bracket.label);
            counts.test += 1;
            counts.test_matched += usize::from(matched);
        }
    }
}

fn label_counts<'a>(report: &'a mut BracketReport, label: &str) -> &'a mut LabelCounts {
    match report.labels.get_index_of(label) {
        Some(index) => &mut report.labels[index],
        None => report.labels.entry(label.into()).or_default(),
    }
}

/// Compares the yields, after putting quotation marks back if their lengths differ.
fn status(gold: &mut TreeSide<'_>, test: &mut TreeSide<'_>, parameters: &Parameters) -> Status {
    if test.terminals.is_empty() {
        return Status::NoParse;
    }
    if gold.terminals.len() != test.terminals.len() {
        side::reinsert_quotes(gold, test);
    }
    let lengths = (gold.terminals.len(), test.terminals.len());
    if lengths.0 != lengths.1 {
        return Status::LengthsDiffer { gold: lengths.0, test: lengths.1 };
    }
    let mut pairs = gold.terminals.iter().zip(&test.terminals).enumerate();
    match pairs.find(|(_, (g, t))| !parameters.same_word(g.word, t.word)) {
        Some((index, (g, t))) => {
            Status::WordsDiffer { position: index + 1, gold: g.word.into(), test: t.word.into() }
        }
        None => Status::Scored,
    }
}

fn length(words: &[Terminal<'_>], parameters: &Parameters) -> usize {
    proper_words(words, parameters).len()
}

/// Positions of the words that count for the length of a sentence.
fn proper_words(words: &[Terminal<'_>], parameters: &Parameters) -> Vec<usize> {
    let proper = |&index: &usize| !parameters::holds(&parameters.delete_label_for_length, words[index].tag);
    (0..words.len()).filter(proper).collect()
}
