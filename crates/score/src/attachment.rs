//! Attachment of words in sentences that both sides tokenise alike.
//!
//! *Directed* accuracy asks for the right head (UAS without an alignment), *labelled* also for the right
//! relation. *Undirected* accuracy takes an arc for right if gold has it in either direction.
//!
//! *NED* (neutral edge direction; Schwartz, Abend, Reichart & Rappoport 2011, “Neutralizing linguistically
//! problematic annotations in unsupervised dependency parsing evaluation”) forgives in addition what a
//! flipped edge does to its surroundings. With h(w) the gold head of w and p(w) the proposed one, word w
//! is right if
//!
//! - p(w) = h(w), the gold parent, or
//! - h(p(w)) = w, a gold child, or
//! - p(w) = h(h(w)), the gold grandparent (which may be the root).
//!
//! Hence directed ≤ undirected ≤ NED. Words without a gold head are not scored; where the system leaves the
//! head open, it is wrong.
//!
//! ```
//! use score::attachment::{Options, compare};
//! use tree::{Head, Sentence};
//!
//! let with_heads = |heads: [u32; 3]| {
//!     let mut sentence = Sentence::from_forms(["old", "dogs", "bark"]);
//!     sentence.tokens.iter_mut().zip(heads).for_each(|(token, head)| token.head = Head::Of(head));
//!     sentence
//! };
//! let report = compare(&[with_heads([2, 3, 0])], &[with_heads([3, 3, 0])], &Options::default())?;
//! assert_eq!((report.all().directed, report.all().neutral, report.all().words), (2, 3, 3));
//! # Ok::<(), score::attachment::Error>(())
//! ```

mod breakdown;

pub use breakdown::{Breakdown, DistanceClass, Distances, PosCounts, RelationCounts};

use crate::counts::{Accuracy, ratio};
use std::ops::AddAssign;
use thiserror::Error;
use tree::{Sentence, Text, Token};

/// What is scored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// What happens to punctuation.
    pub punctuation: PunctuationRule,
    /// Longest sentences of the bands, punctuation not counted where it is skipped. The band of all
    /// sentences is always there.
    pub cutoffs: Vec<usize>,
    /// Whether subtypes of relations (`nmod:poss`) must agree.
    pub subtypes: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { punctuation: PunctuationRule::default(), cutoffs: vec![10, 20], subtypes: false }
    }
}

/// Which words are punctuation and therefore not scored. Gold columns decide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PunctuationRule {
    /// Every word is scored, as in the CoNLL shared tasks on Universal Dependencies.
    #[default]
    Count,
    /// Words with the universal tag `PUNCT` are skipped.
    SkipUpos,
    /// Words with one of the Penn Treebank tags `` `` ``, `''`, `,`, `.`, `:` are skipped. The tag is XPOS
    /// or, where that is not given, UPOS.
    SkipPtb,
}

impl PunctuationRule {
    /// Whether this word is skipped.
    pub fn skips(self, word: &Token) -> bool {
        match self {
            Self::Count => false,
            Self::SkipUpos => word.upos == "PUNCT",
            Self::SkipPtb => {
                let tag = if word.xpos == "_" { &word.upos } else { &word.xpos };
                matches!(tag.as_str(), "``" | "''" | "," | "." | ":")
            }
        }
    }
}

/// Why two treebanks cannot be compared word by word. Sentences and words count from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Error {
    /// Different numbers of sentences.
    #[error("gold has {gold} sentences, system {system}; compare the same sentences in the same order")]
    Sentences {
        /// In gold.
        gold: usize,
        /// In the system's output.
        system: usize,
    },
    /// Different numbers of words.
    #[error(
        "sentence {sentence} has {gold} words in gold and {system} in system; \
         if the tokenisation differs, use the CoNLL 2018 scores"
    )]
    Words {
        /// Which sentence.
        sentence: usize,
        /// In gold.
        gold: usize,
        /// In the system's output.
        system: usize,
    },
    /// Different words.
    #[error(
        "word {word} of sentence {sentence} is “{gold}” in gold and “{system}” in system; compare the same text"
    )]
    Forms {
        /// Which sentence.
        sentence: usize,
        /// Which word.
        word: usize,
        /// Its form in gold.
        gold: Text,
        /// Its form in the system's output.
        system: Text,
    },
}

/// Counts of words and sentences.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Words scored.
    pub words: usize,
    /// Words with the right head.
    pub directed: usize,
    /// Words whose arc is in gold in either direction.
    pub undirected: usize,
    /// Words right by NED.
    pub neutral: usize,
    /// Words with the right head and relation.
    pub labelled: usize,
    /// Sentences with at least one scored word.
    pub sentences: usize,
    /// Sentences in which every scored word has the right head.
    pub exact: usize,
    /// Sentences in which every scored word has the right head and relation.
    pub exact_labelled: usize,
    /// Sentences in which a scored word has gold head 0.
    pub rooted: usize,
    /// Of these, the ones in which the same scored words have head 0 on both sides.
    pub root_correct: usize,
}

impl Figures {
    /// Share of words with the right head.
    pub fn directed_accuracy(&self) -> f64 {
        ratio(self.directed, self.words)
    }

    /// Share of words whose arc is right but for its direction.
    pub fn undirected_accuracy(&self) -> f64 {
        ratio(self.undirected, self.words)
    }

    /// Share of words right by NED.
    pub fn ned(&self) -> f64 {
        ratio(self.neutral, self.words)
    }

    /// Share of words with the right head and relation.
    pub fn labelled_accuracy(&self) -> f64 {
        ratio(self.labelled, self.words)
    }

    /// Share of sentences with all heads right.
    pub fn exact_match(&self) -> f64 {
        ratio(self.exact, self.sentences)
    }

    /// Share of sentences with the right root.
    pub fn root_accuracy(&self) -> f64 {
        ratio(self.root_correct, self.rooted)
    }

    /// Directed accuracy as counts.
    pub fn directed_counts(&self) -> Accuracy {
        Accuracy { correct: self.directed, total: self.words }
    }
}

impl AddAssign for Figures {
    fn add_assign(&mut self, other: Self) {
        self.words += other.words;
        self.directed += other.directed;
        self.undirected += other.undirected;
        self.neutral += other.neutral;
        self.labelled += other.labelled;
        self.sentences += other.sentences;
        self.exact += other.exact;
        self.exact_labelled += other.exact_labelled;
        self.rooted += other.rooted;
        self.root_correct += other.root_correct;
    }
}

/// Figures of one sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttachmentRow {
    /// Words, without the skipped ones.
    pub length: usize,
    /// What was right.
    pub figures: Figures,
}

/// Sentences up to some length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Band {
    /// Longest sentence; `None` for all.
    pub max_length: Option<usize>,
    /// Sums over these sentences.
    pub figures: Figures,
}

/// Everything about attachment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttachmentReport {
    /// One for each sentence.
    pub rows: Vec<AttachmentRow>,
    /// One for each cut-off, then all.
    pub bands: Vec<Band>,
    /// By relation, distance and part of speech.
    pub breakdown: Breakdown,
}

impl AttachmentReport {
    /// Sums over all sentences.
    pub fn all(&self) -> Figures {
        sum(&self.rows, None)
    }
}

/// Compares `system` with `gold`, word by word.
///
/// # Errors
/// If the two do not have the same words.
pub fn compare(gold: &[Sentence], system: &[Sentence], options: &Options) -> Result<AttachmentReport, Error> {
    if gold.len() != system.len() {
        return Err(Error::Sentences { gold: gold.len(), system: system.len() });
    }
    let mut breakdown = Breakdown::default();
    let mut rows = Vec::with_capacity(gold.len());
    for (index, (gold, system)) in gold.iter().zip(system).enumerate() {
        let pair = Pair::new(gold, system, index + 1)?;
        rows.push(pair.row(options, &mut breakdown));
    }
    let lengths = options.cutoffs.iter().copied().map(Some).chain([None]);
    let bands = lengths.map(|max_length| Band { max_length, figures: sum(&rows, max_length) }).collect();
    Ok(AttachmentReport { rows, bands, breakdown })
}

fn sum(rows: &[AttachmentRow], max_length: Option<usize>) -> Figures {
    let mut figures = Figures::default();
    for row in rows.iter().filter(|row| max_length.is_none_or(|max| row.length <= max)) {
        figures += row.figures;
    }
    figures
}

/// The words of one sentence on both sides.
struct Pair<'a> {
    gold: Vec<&'a Token>,
    system: Vec<&'a Token>,
}

/// What is right about one word.
#[derive(Clone, Copy, Debug)]
struct Judgement {
    directed: bool,
    undirected: bool,
    neutral: bool,
    labelled: bool,
}

impl<'a> Pair<'a> {
    fn new(gold: &'a Sentence, system: &'a Sentence, sentence: usize) -> Result<Self, Error> {
        let (gold, system): (Vec<_>, Vec<_>) = (gold.words().collect(), system.words().collect());
        if gold.len() != system.len() {
            return Err(Error::Words { sentence, gold: gold.len(), system: system.len() });
        }
        for (index, (gold, system)) in gold.iter().zip(&system).enumerate() {
            if gold.form != system.form {
                let (gold, system) = (gold.form.clone(), system.form.clone());
                return Err(Error::Forms { sentence, word: index + 1, gold, system });
            }
        }
        Ok(Self { gold, system })
    }

    fn row(&self, options: &Options, breakdown: &mut Breakdown) -> AttachmentRow {
        let mut figures = Figures::default();
        let (mut length, mut gold_is_rooted, mut same_roots) = (0, false, true);
        for index in 0..self.gold.len() {
            if options.punctuation.skips(self.gold[index]) {
                continue;
            }
            length += 1;
            let Some(head) = self.gold[index].head.index() else { continue };
            let judgement = self.judge(index + 1, head, options);
            figures.add_word(judgement);
            breakdown.add(index + 1, self.gold[index], self.system[index], judgement, options);
            gold_is_rooted |= head == 0;
            same_roots &= (head == 0) == (self.system[index].head.index() == Some(0));
        }
        figures.close_sentence(gold_is_rooted, same_roots);
        AttachmentRow { length, figures }
    }

    fn judge(&self, word: usize, head: u32, options: &Options) -> Judgement {
        let gold_head =
            |of: u32| self.gold.get((of as usize).wrapping_sub(1)).and_then(|word| word.head.index());
        let proposed = self.system[word - 1].head.index();
        let directed = proposed == Some(head);
        let to_child = proposed.and_then(gold_head) == Some(word as u32);
        let to_grandparent = proposed.is_some() && proposed == gold_head(head);
        let undirected = directed || to_child;
        let same_relation =
            relation(self.gold[word - 1], options) == relation(self.system[word - 1], options);
        Judgement {
            directed,
            undirected,
            neutral: undirected || to_grandparent,
            labelled: directed && same_relation,
        }
    }
}

/// The relation of a word, with or without its subtype.
fn relation<'a>(word: &'a Token, options: &Options) -> &'a str {
    let whole = word.deprel.as_str();
    if options.subtypes { whole } else { whole.split_once(':').map_or(whole, |(relation, _)| relation) }
}

impl Figures {
    fn add_word(&mut self, judgement: Judgement) {
        self.words += 1;
        self.directed += usize::from(judgement.directed);
        self.undirected += usize::from(judgement.undirected);
        self.neutral += usize::from(judgement.neutral);
        self.labelled += usize::from(judgement.labelled);
    }

    fn close_sentence(&mut self, gold_is_rooted: bool, same_roots: bool) {
        if self.words > 0 {
            self.sentences = 1;
            self.exact = usize::from(self.directed == self.words);
            self.exact_labelled = usize::from(self.labelled == self.words);
            self.rooted = usize::from(gold_is_rooted);
            self.root_correct = usize::from(gold_is_rooted && same_roots);
        }
    }
}
