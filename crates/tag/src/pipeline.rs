//! From any mixture of a tag dictionary, tagged sentences and raw text to a tagged text.
//!
//! 1. Labels spread from annotated words to all others ([`propagate`](mod@crate::propagate)).
//! 2. Few pairs of neighbouring tags are chosen that explain the text ([`minimise`](mod@crate::minimise)).
//! 3. The counts of both start EM for a hidden Markov model ([`hmm`](crate::hmm)), which tags the text.
//! 4. A tagger with features learns from the tagged text.
//!
//! Each stage can be left out. After Garrette & Baldridge (2013) and Garrette, Mielens & Baldridge (2013).
//!
//! ```
//! use chain::Workers;
//! use tag::Dictionary;
//! use tag::crf::NOTHING_FURTHER;
//! use tag::pipeline::{Options, Supervision, train};
//!
//! let dictionary = Dictionary::from_pairs([("the", "DET"), ("dog", "NOUN"), ("cat", "NOUN"), ("barks", "VERB")]);
//! let raw = ["the dog barks", "the cat barks", "the bird sings", "the dog sings"];
//! let raw = raw.map(|line| line.split(' ').map(Into::into).collect()).to_vec();
//! let supervision = Supervision { dictionary, raw, ..Supervision::default() };
//! let trained = train(&supervision, NOTHING_FURTHER, &Options::plain(), &Workers::serial())?;
//! let tags = trained.tag(&["the", "bird", "barks"].map(Into::into), NOTHING_FURTHER);
//! let names = tags.iter().map(|&(tag, _)| supervision.dictionary.tags().name(tag).as_str());
//! assert_eq!(names.collect::<Vec<_>>(), ["DET", "NOUN", "VERB"]);
//! # Ok::<(), tag::Error>(())
//! ```

mod guess;
mod start;
mod tagger;
mod trained;

pub use guess::Guesser;
pub use tagger::HmmTagger;
pub use trained::{TrainedPipeline, train};

use chain::Workers;
use start::{Dictionaries, Start};
use tree::Text;

use crate::crf::{CrfOptions, Further};
use crate::hmm::{Em, Hmm, HmmPrior, Iteration, Lattice, Order, Smoothing, em};
use crate::minimise::{Pairs, minimise};
use crate::propagate::GraphOptions;
use crate::{Choice, Corpus, Dictionary, Error, Tagged};

/// What annotators and a collection of text give.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Supervision {
    /// Annotated types, and all tags.
    pub dictionary: Dictionary,
    /// Annotated tokens, with tags of the dictionary's tag set.
    pub tagged: Vec<Tagged>,
    /// Sentences without tags.
    pub raw: Vec<Vec<Text>>,
}

/// Which stages there are, and their settings.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// How many tags before it a tag depends on.
    pub order: Order,
    /// How labels spread; `None` leaves the stage out.
    pub propagate: Option<GraphOptions>,
    /// A log-linear model of the tags of words by their form; `None` leaves it out.
    pub forms: Option<features::TagModelOptions>,
    /// How much the model of forms says beside propagated labels: their logarithms are mixed, this is its share.
    pub mix: f64,
    /// Classes of words by their neighbours, which are further features; `None` leaves them out.
    pub classes: Option<features::BrownOptions>,
    /// A word that is not in the dictionary may have the tags whose probability is at least this share of the largest.
    pub cutoff: f64,
    /// Whether pairs of tags are minimised.
    pub minimise: bool,
    /// EM; `None` leaves the stage out.
    pub em: Option<Em>,
    /// Smoothing of transitions.
    pub transitions: Smoothing,
    /// Smoothing of words.
    pub emissions: Smoothing,
    /// The power of guesses about words that are not in the text, and of the dictionary's preferences: transitions are surer of
    /// themselves than they should be.
    pub trust: f64,
    /// How many tokens the guess about a word that is not in the dictionary counts as during EM, for each token of the word.
    pub hold: f64,
    /// How many tokens the dictionary's preference among the tags of a word counts as during EM, for each token of the word.
    pub prefer: f64,
    /// Tags of the text that the last tagger learns from: the fewest that together are as probable as this, so that 0 means
    /// the best one.
    pub sure: f64,
    /// The tagger that learns from the tagged text; `None` leaves the stage out.
    pub last: Option<CrfOptions>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            order: Order::First,
            propagate: Some(GraphOptions::default()),
            forms: Some(features::TagModelOptions {
                identity: 0.0,
                l2: 0.3,
                ..features::TagModelOptions::default()
            }),
            mix: 0.7,
            classes: Some(features::BrownOptions { n_classes: 100, ..features::BrownOptions::default() }),
            cutoff: 0.3,
            minimise: false,
            em: Some(Em { iterations: 2, ..Em::default() }),
            transitions: Smoothing::OneCount(1.0),
            emissions: Smoothing::OneCount(1.0),
            hold: 3.0,
            prefer: 10.0,
            trust: 1.5,
            sure: 0.9,
            last: Some(last()),
        }
    }
}

impl Options {
    /// EM with the tags of the dictionary, any tag for other words, and nothing else.
    pub fn plain() -> Options {
        Options {
            propagate: None,
            forms: None,
            classes: None,
            minimise: false,
            em: Some(Em::default()),
            transitions: Smoothing::Add(0.1),
            emissions: Smoothing::Add(0.1),
            last: None,
            ..Options::default()
        }
    }
}

/// Few walks suffice for a text that is not quite right.
/// Weaker shrinkage and fewer epochs than for text that people tagged.
fn last() -> CrfOptions {
    let mut options = CrfOptions::default();
    (options.descent.epochs, options.descent.batch, options.descent.l2) = (4, 16, 1e-3);
    options
}

/// What came out of all stages but the last.
#[derive(Debug, Clone)]
pub struct Learned {
    /// The text.
    pub corpus: Corpus,
    /// The dictionary with the words of tagged sentences.
    pub dictionary: Dictionary,
    /// The chosen pairs.
    pub pairs: Option<Pairs>,
    /// What EM's models were worth.
    pub trace: Vec<Iteration>,
    /// The hidden Markov model.
    pub tagger: HmmTagger,
}

/// Runs all stages but the last.
pub fn learn(
    supervision: &Supervision,
    further: Further<'_>,
    options: &Options,
    workers: &Workers,
) -> Result<Learned, Error> {
    let mut dictionary = supervision.dictionary.clone();
    let n_tags = dictionary.tags().len();
    if n_tags == 0 {
        return Err(Error::NoTags);
    }
    let corpus = Corpus::new(&supervision.tagged, &supervision.raw, n_tags)?;
    dictionary.count_tokens(&supervision.tagged);
    let guesser = Guesser::new(&corpus, &dictionary, further, options, workers);
    let dictionaries = Dictionaries { types: &supervision.dictionary, all: &dictionary };
    let start = Start::new(&corpus, dictionaries, &guesser, [options.cutoff, options.trust]);
    let lattices = start.lattices(workers);
    let pairs = options.minimise.then(|| minimise(&lattices, n_tags));
    let counts = start.counts(&lattices, pairs.as_ref(), options.order, workers);
    let smoothing = (options.transitions, options.emissions);
    let mut prior = HmmPrior::new(options.order, n_tags, &start.lexicon, &counts, smoothing.0, smoothing.1);
    start.hold(&dictionary, [options.hold, options.prefer], &mut prior);
    let mut hmm = Hmm::estimate(options.order, &start.lexicon, &counts, &prior);
    let mut trace = Vec::new();
    if let Some(options) = &options.em {
        let lay = |hmm: &Hmm, number: usize, lattice: &mut Lattice| start.lay(number, &hmm.emit, lattice);
        (hmm, trace) = em(hmm, corpus.n_sentences(), &lay, &start.lexicon, &prior, options, workers);
    }
    let lexicon = start.lexicon;
    let tagger = HmmTagger::new(
        dictionary.tags().clone(),
        corpus.forms().cloned(),
        lexicon,
        hmm,
        guesser,
        options.trust,
    );
    Ok(Learned { corpus, dictionary, pairs, trace, tagger })
}

impl Learned {
    /// The whole text with tags; those that were known stay.
    ///
    /// A word has the fewest tags that together are as probable as `sure`: the best one for 0, all possible ones for 1. If that
    /// are all tags of every word, nothing could be learned from it, and words have the best one.
    pub fn auto_tagged(&self, sure: f64, further: Further<'_>, workers: &Workers) -> Vec<Tagged> {
        let tagged = self.with_tags(sure, further, workers);
        let n_tags = self.dictionary.tags().len();
        let says_nothing = |choice: &Choice| match choice {
            Choice::Any => true,
            Choice::Known(_) => false,
            Choice::Among(tags) => tags.len() == n_tags,
        };
        let is_useless = tagged.iter().flat_map(|sentence| &sentence.choices).all(says_nothing);
        if is_useless { self.with_tags(0.0, further, workers) } else { tagged }
    }

    fn with_tags(&self, sure: f64, further: Further<'_>, workers: &Workers) -> Vec<Tagged> {
        let numbers: Vec<usize> = (0..self.corpus.n_sentences()).collect();
        workers.map(&numbers, |_, &number| {
            let places = self.corpus.sentence(number);
            let words: Vec<Text> =
                places.clone().map(|place| self.corpus.form(self.corpus.words()[place]).clone()).collect();
            let known: Vec<Choice> = places.map(|place| self.corpus.choice(place).clone()).collect();
            let rows = self.tagger.posteriors(&words, &known, further);
            Tagged { words, choices: rows.into_iter().map(|row| choice(row, sure)).collect(), weight: 1.0 }
        })
    }
}

/// The fewest tags that together are probable enough.
fn choice(mut row: Vec<(u32, f64)>, sure: f64) -> Choice {
    row.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let mut sum = 0.0;
    let before = row.iter().take_while(|(_, p)| {
        let goes_on = sum < sure;
        sum += p;
        goes_on
    });
    let n = before.count().max(1);
    let mut tags: Vec<u32> = row.iter().take(n).map(|&(tag, _)| tag).collect();
    tags.sort_unstable();
    match tags[..] {
        [] => Choice::Any,
        [tag] => Choice::Known(tag),
        _ => Choice::Among(tags.into()),
    }
}
