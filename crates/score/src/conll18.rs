//! Dependency trees and everything below them, as the CoNLL 2018 shared task compared them.
//!
//! Both treebanks must hold the same text, spaces (Unicode category Zs) apart; tokens and sentences match
//! if they cover the same characters. Words are aligned by their characters or, inside multiword tokens, by
//! a longest common subsequence of their forms. On aligned words are compared tags, universal features,
//! lemmas (not where gold has `_`), heads, and relations without subtypes. CLAS, MLAS and BLEX look at
//! content words only. Punctuation counts. Zeman et al. (2018), “CoNLL 2018 Shared Task: Multilingual Parsing
//! from Raw Text to Universal Dependencies”, after version 1.2 of its evaluation program.
//!
//! ```
//! use score::conll18::{Metric, evaluate};
//! use tree::{Head, Sentence};
//!
//! let mut gold = Sentence::from_forms(["dogs", "bark"]);
//! for (word, head) in gold.words_mut().zip([2, 0]) {
//!     word.head = Head::Of(head);
//! }
//! let mut system = gold.clone();
//! system.tokens[0].upos = "NOUN".into();
//! let evaluation = evaluate(&[gold], &[system])?;
//! assert_eq!(evaluation[Metric::Uas].f1(), 1.0);
//! assert_eq!(evaluation[Metric::Upos].correct, 1);
//! # Ok::<(), score::conll18::Error>(())
//! ```

mod align;
mod compare;
mod corpus;
mod error;
mod table;

pub use error::{Error, Side};

use crate::counts::{Counts, ratio};
use corpus::Corpus;
use std::ops::Index;
use tree::Sentence;

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Metric {
    /// Tokens that cover the same characters.
    Tokens,
    /// Sentences that cover the same characters.
    Sentences,
    /// Words that could be aligned.
    Words,
    /// Universal tags.
    Upos,
    /// Language-specific tags.
    Xpos,
    /// Universal features.
    Ufeats,
    /// The three before together.
    AllTags,
    /// Lemmas; a gold lemma `_` counts as right.
    Lemmas,
    /// Heads.
    Uas,
    /// Heads and relations, subtypes ignored.
    Las,
    /// LAS of words whose gold relation is one of content.
    Clas,
    /// CLAS, and tags and universal features of the word and of its function words.
    Mlas,
    /// CLAS, and lemmas.
    Blex,
}

impl Metric {
    /// All of them in the order of the tables.
    pub const ALL: [Self; 13] = [
        Self::Tokens,
        Self::Sentences,
        Self::Words,
        Self::Upos,
        Self::Xpos,
        Self::Ufeats,
        Self::AllTags,
        Self::Lemmas,
        Self::Uas,
        Self::Las,
        Self::Clas,
        Self::Mlas,
        Self::Blex,
    ];

    /// Its name in the tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tokens => "Tokens",
            Self::Sentences => "Sentences",
            Self::Words => "Words",
            Self::Upos => "UPOS",
            Self::Xpos => "XPOS",
            Self::Ufeats => "UFeats",
            Self::AllTags => "AllTags",
            Self::Lemmas => "Lemmas",
            Self::Uas => "UAS",
            Self::Las => "LAS",
            Self::Clas => "CLAS",
            Self::Mlas => "MLAS",
            Self::Blex => "BLEX",
        }
    }

    fn is_of_content(self) -> bool {
        matches!(self, Self::Clas | Self::Mlas | Self::Blex)
    }

    fn is_of_aligned(self) -> bool {
        !matches!(self, Self::Tokens | Self::Sentences | Self::Words)
    }
}

/// Counts of one metric.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Right ones.
    pub correct: usize,
    /// In the gold standard.
    pub gold: usize,
    /// In the system's output.
    pub system: usize,
    /// Aligned words, for metrics of aligned words.
    pub aligned: Option<usize>,
}

impl Score {
    /// Right ones among the system's.
    pub fn precision(self) -> f64 {
        self.counts().precision()
    }

    /// Right ones among the gold ones.
    pub fn recall(self) -> f64 {
        self.counts().recall()
    }

    /// Harmonic mean of precision and recall.
    pub fn f1(self) -> f64 {
        self.counts().f1()
    }

    /// Right ones among the aligned words.
    pub fn aligned_accuracy(self) -> Option<f64> {
        self.aligned.map(|aligned| ratio(self.correct, aligned))
    }

    /// Without the aligned words.
    pub fn counts(self) -> Counts {
        Counts { matched: self.correct, gold: self.gold, system: self.system }
    }
}

/// All metrics, in total and for each gold sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluation {
    total: [Score; 13],
    sentences: Vec<Tallies>,
}

/// One tally for each metric.
type Tallies = [MetricTally; 13];

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct MetricTally {
    correct: u32,
    gold: u32,
    system: u32,
    aligned: u32,
}

impl Index<Metric> for Evaluation {
    type Output = Score;

    fn index(&self, metric: Metric) -> &Score {
        &self.total[metric as usize]
    }
}

impl Evaluation {
    /// The counts of one metric for each gold sentence: what a significance test resamples. Words of the
    /// system count for the gold sentence in which they begin.
    pub fn by_sentence(&self, metric: Metric) -> impl Iterator<Item = Counts> {
        self.sentences.iter().map(move |tallies| {
            let tally = tallies[metric as usize];
            Counts {
                matched: tally.correct as usize,
                gold: tally.gold as usize,
                system: tally.system as usize,
            }
        })
    }
}

/// Compares `system` with `gold`.
///
/// # Errors
/// If the texts differ, or some sentence has no complete tree with one root.
pub fn evaluate(gold: &[Sentence], system: &[Sentence]) -> Result<Evaluation, Error> {
    let gold = Corpus::new(gold, Side::Gold)?;
    let system = Corpus::new(system, Side::System)?;
    check_texts(&gold, &system)?;
    let sentences = compare::by_sentence(&gold, &system);
    Ok(Evaluation { total: total(&sentences), sentences })
}

fn total(sentences: &[Tallies]) -> [Score; 13] {
    Metric::ALL.map(|metric| {
        let mut score = Score { aligned: metric.is_of_aligned().then_some(0), ..Score::default() };
        for tally in sentences.iter().map(|tallies| tallies[metric as usize]) {
            score.correct += tally.correct as usize;
            score.gold += tally.gold as usize;
            score.system += tally.system as usize;
            score.aligned = score.aligned.map(|aligned| aligned + tally.aligned as usize);
        }
        score
    })
}

/// The first difference of the two texts, if there is one.
fn check_texts(gold: &Corpus<'_>, system: &Corpus<'_>) -> Result<(), Error> {
    if gold.text == system.text {
        return Ok(());
    }
    let pairs = gold.text.char_indices().zip(system.text.chars());
    let same = gold.text.len().min(system.text.len());
    let at = pairs.into_iter().find(|((_, g), s)| g != s).map_or(same, |((at, _), _)| at);
    let sentence =
        |corpus: &Corpus<'_>| corpus.sentences.partition_point(|range| range.end as usize <= at) + 1;
    let next = |corpus: &Corpus<'_>| corpus.text[at..].chars().take(20).collect();
    Err(Error::TextsDiffer {
        gold_sentence: sentence(gold).min(gold.sentences.len()),
        system_sentence: sentence(system).min(system.sentences.len()),
        gold_next: next(gold),
        system_next: next(system),
    })
}
