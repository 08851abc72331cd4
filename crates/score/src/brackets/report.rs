//! Rows, sums and labels of a whole comparison.

use super::Parameters;
use crate::counts::{Counts, percent};
use indexmap::IndexMap;
use tree::Text;

/// How a sentence fared. EVALB prints the [`code`](Status::code).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// Compared.
    Scored,
    /// After deletions the two have different numbers of words.
    LengthsDiffer {
        /// Words of the gold tree.
        gold: usize,
        /// Words of the parse.
        test: usize,
    },
    /// The two have different words somewhere.
    WordsDiffer {
        /// Which word, from 1, after deletions.
        position: usize,
        /// The word of the gold tree.
        gold: Text,
        /// The word of the parse.
        test: Text,
    },
    /// There is no parse.
    NoParse,
}

impl Status {
    /// 0 compared, 1 error, 2 skipped.
    pub fn code(&self) -> u8 {
        match self {
            Self::Scored => 0,
            Self::LengthsDiffer { .. } | Self::WordsDiffer { .. } => 1,
            Self::NoParse => 2,
        }
    }
}

impl std::fmt::Display for Status {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Scored => f.write_str("compared"),
            Self::LengthsDiffer { gold, test } => write!(f, "{gold} words in gold, {test} in the parse"),
            Self::WordsDiffer { position, gold, test } => {
                write!(f, "word {position} is “{gold}” in gold and “{test}” in the parse")
            }
            Self::NoParse => f.write_str("no parse"),
        }
    }
}

/// The result of one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BracketRow {
    /// Number of the sentence, from 1.
    pub id: usize,
    /// Words of the gold tree that count for its length.
    pub length: usize,
    /// Whether it was compared.
    pub status: Status,
    /// Brackets matched, in gold, in the parse (`system`); all 0 if it was not compared.
    pub brackets: Counts,
    /// Brackets of the parse that cross a gold bracket.
    pub crossing: usize,
    /// Words compared.
    pub words: usize,
    /// Words with the right tag.
    pub correct_tags: usize,
    /// Brackets of the gold tree, compared or not.
    pub gold_brackets: usize,
}

impl BracketRow {
    /// Recall in percent.
    pub fn recall(&self) -> f64 {
        percent(self.brackets.matched, self.brackets.gold)
    }

    /// Precision in percent.
    pub fn precision(&self) -> f64 {
        percent(self.brackets.matched, self.brackets.system)
    }

    /// Tagging accuracy in percent.
    pub fn tag_accuracy(&self) -> f64 {
        percent(self.correct_tags, self.words)
    }

    /// Whether all brackets match and none is missing on either side.
    pub fn is_complete(&self) -> bool {
        self.brackets.gold == self.brackets.matched && self.brackets.system == self.brackets.matched
    }

    /// The brackets of this sentence for the strict figures: one that was not compared has missed all.
    pub fn strict(&self) -> Counts {
        Counts { gold: self.gold_brackets, ..self.brackets }
    }
}

/// Sums over sentences.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// All sentences.
    pub sentences: usize,
    /// Sentences with [`code`](Status::code) 1.
    pub errors: usize,
    /// Sentences with [`code`](Status::code) 2.
    pub skipped: usize,
    /// Brackets of the compared sentences.
    pub brackets: Counts,
    /// Brackets of all sentences; those of a sentence not compared are missed.
    pub strict: Counts,
    /// Sentences without any wrong or missing bracket.
    pub complete: usize,
    /// Crossing brackets.
    pub crossing: usize,
    /// Sentences without crossing brackets.
    pub no_crossing: usize,
    /// Sentences with two crossing brackets or fewer.
    pub two_or_less_crossing: usize,
    /// Words of the compared sentences.
    pub words: usize,
    /// Words with the right tag.
    pub correct_tags: usize,
}

impl Summary {
    /// Adds one sentence.
    pub fn add(&mut self, row: &BracketRow) {
        self.sentences += 1;
        self.strict += row.strict();
        match row.status.code() {
            1 => self.errors += 1,
            2 => self.skipped += 1,
            _ => self.add_scored(row),
        }
    }

    fn add_scored(&mut self, row: &BracketRow) {
        self.brackets += row.brackets;
        self.complete += usize::from(row.is_complete());
        self.crossing += row.crossing;
        self.no_crossing += usize::from(row.crossing == 0);
        self.two_or_less_crossing += usize::from(row.crossing <= 2);
        self.words += row.words;
        self.correct_tags += row.correct_tags;
    }

    /// Sentences that were compared.
    pub fn valid(&self) -> usize {
        self.sentences - self.errors - self.skipped
    }

    /// Recall in percent.
    pub fn recall(&self) -> f64 {
        percent(self.brackets.matched, self.brackets.gold)
    }

    /// Precision in percent.
    pub fn precision(&self) -> f64 {
        percent(self.brackets.matched, self.brackets.system)
    }

    /// F1 in percent, 2 · precision · recall / (precision + recall); 0 if nothing matches.
    pub fn f1(&self) -> f64 {
        harmonic(self.precision(), self.recall())
    }

    /// F1 in percent with the brackets of sentences that were not compared as missed: the figure to
    /// compare systems by, since leaving sentences out cannot raise it.
    pub fn strict_f1(&self) -> f64 {
        let recall = percent(self.strict.matched, self.strict.gold);
        harmonic(percent(self.strict.matched, self.strict.system), recall)
    }

    /// Sentences without a wrong bracket, in percent of the valid ones.
    pub fn complete_match(&self) -> f64 {
        percent(self.complete, self.valid())
    }

    /// Crossing brackets per valid sentence.
    pub fn average_crossing(&self) -> f64 {
        crate::counts::ratio(self.crossing, self.valid())
    }

    /// Sentences without crossing brackets, in percent of the valid ones.
    pub fn no_crossing_share(&self) -> f64 {
        percent(self.no_crossing, self.valid())
    }

    /// Sentences with at most two crossing brackets, in percent of the valid ones.
    pub fn two_or_less_crossing_share(&self) -> f64 {
        percent(self.two_or_less_crossing, self.valid())
    }

    /// Tagging accuracy in percent.
    pub fn tag_accuracy(&self) -> f64 {
        percent(self.correct_tags, self.words)
    }
}

fn harmonic(precision: f64, recall: f64) -> f64 {
    if precision + recall == 0.0 { 0.0 } else { 2.0 * precision * recall / (precision + recall) }
}

/// Brackets of one label in the compared sentences.
///
/// Where labels count as equal, or labels are ignored, a gold NP may match a VP of the parse, so that the
/// matches are counted apart for the two sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LabelCounts {
    /// Gold brackets with this label.
    pub gold: usize,
    /// Those that match.
    pub gold_matched: usize,
    /// Brackets of the parses with this label.
    pub test: usize,
    /// Those that match.
    pub test_matched: usize,
}

impl LabelCounts {
    /// Share of the gold brackets found, in percent.
    pub fn recall(&self) -> f64 {
        percent(self.gold_matched, self.gold)
    }

    /// Share of the proposed brackets that are right, in percent.
    pub fn precision(&self) -> f64 {
        percent(self.test_matched, self.test)
    }

    /// Harmonic mean of the two, in percent.
    pub fn f1(&self) -> f64 {
        harmonic(self.precision(), self.recall())
    }
}

/// Everything EVALB says about a treebank and its parses, and what it leaves out.
#[derive(Clone, Debug, PartialEq)]
pub struct BracketReport {
    /// One row for each sentence.
    pub rows: Vec<BracketRow>,
    /// Sums over all sentences.
    pub all: Summary,
    /// Sums over the sentences of at most `cutoff_length` words.
    pub short: Summary,
    /// Longest sentence in `short`.
    pub cutoff_length: usize,
    /// Brackets by label, in order of first appearance.
    pub labels: IndexMap<Text, LabelCounts>,
    /// The sentence at whose error the C program would have stopped without printing a summary, because
    /// of `MAX_ERROR`. This one never stops.
    pub stopped_at: Option<usize>,
}

impl BracketReport {
    pub(super) fn new(parameters: &Parameters) -> Self {
        Self {
            rows: Vec::new(),
            all: Summary::default(),
            short: Summary::default(),
            cutoff_length: parameters.cutoff_length,
            labels: IndexMap::new(),
            stopped_at: None,
        }
    }

    pub(super) fn add(&mut self, row: BracketRow, parameters: &Parameters) {
        self.all.add(&row);
        if row.length <= self.cutoff_length {
            self.short.add(&row);
        }
        // The program tests the number of errors before this one, and tests it with “greater”.
        let stops = row.status.code() == 1 && self.all.errors > parameters.max_error + 1;
        self.stopped_at = self.stopped_at.or(stops.then_some(row.id));
        self.rows.push(row);
    }

    /// Sentences that were not compared: these make the difference between F1 and strict F1.
    pub fn not_compared(&self) -> impl Iterator<Item = &BracketRow> {
        self.rows.iter().filter(|row| row.status != Status::Scored)
    }
}
