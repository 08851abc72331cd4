//! The Gibbs parse completer: partial trees completed by sampling a dependency model with valence.
//!
//! After Sun (2016, ch. 3). One sweep draws the parameters of the model given all trees, then every tree given the
//! parameters, under what its annotation leaves. Heads are indexed by position, so annotations constrain tokens
//! and not tags. Sentences without annotation take part like any other. What the chains count on average is
//! a [`GpcModel`], which completes further sentences with the grammar fixed.

mod draw;
mod grammar;
mod model;
mod prepare;
mod prior;
mod sampler;
mod vocabulary;

pub use draw::Drawer;
pub use model::{CompleteOptions, Completion, GpcModel, KIND, VERSION};
pub use prepare::Prepared;
pub use prior::DmvPrior;
pub use sampler::{Sampler, Trees};
pub use vocabulary::Vocabulary;

use std::collections::BTreeMap;
use std::convert::Infallible;

use arcs::Roots;
use chain::observe::{Fan, Tally};
use chain::{Observer, Outcome, RunError, Schedule, Start, Workers, sample};
use serde::{Deserialize, Serialize};

use super::Fragment;
use arcs::rules::RuleTable;

/// How the completer is trained.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GpcOptions {
    /// Sweeps that are thrown away.
    pub burn_in: u32,
    /// Sweeps that count.
    pub samples: u32,
    /// Every so manieth sweep is kept.
    pub thin: u32,
    /// Chains.
    pub chains: u32,
    /// The seed.
    pub seed: u64,
    /// The Dirichlet parameter of every tag that the root may take.
    pub root_alpha: f64,
    /// The Dirichlet parameter of stopping and of going on.
    pub stop_alpha: f64,
    /// The Dirichlet parameter of every tag that a head may take.
    pub choice_alpha: f64,
    /// Rules that the prior favours.
    pub rules: Option<RuleTable>,
    /// How many occurrences' worth of belief a rule of weight 1 gets.
    pub rule_weight: f64,
    /// Whether the first dependent of a side has another distribution than those further out.
    pub valence: bool,
    /// Words that occur with a tag at least so often have distributions of their own; `None` for none.
    pub lexical_threshold: Option<u32>,
    /// How many occurrences' worth of belief a word has in the distributions of its tag.
    pub lexical_weight: f64,
    /// How many words may hang from the root.
    pub roots: Roots,
    /// Sentences of more words take no part in training, whose time grows with the cube of the length. They are
    /// completed like any other.
    pub longest: usize,
}

impl Default for GpcOptions {
    fn default() -> Self {
        GpcOptions {
            burn_in: 100,
            samples: 100,
            thin: 1,
            chains: 4,
            seed: 0,
            root_alpha: 1.0,
            stop_alpha: 1.0,
            choice_alpha: 0.25,
            rules: None,
            rule_weight: 10.0,
            valence: false,
            lexical_threshold: None,
            lexical_weight: 20.0,
            roots: Roots::One,
            longest: super::convex::LONGEST,
        }
    }
}

/// Why a completer cannot be trained.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GpcError {
    /// Nothing to learn from.
    #[error("no sentence has a projective tree that its annotation allows; check the annotations")]
    NoSentences,
    /// A number that makes no distribution.
    #[error("{name} is {value}, but must be a positive number")]
    NotPositive {
        /// The option.
        name: &'static str,
        /// What it is.
        value: f64,
    },
    /// The run failed.
    #[error(transparent)]
    Run(#[from] RunError<Infallible>),
}

/// A training run that is ready to start.
///
/// ```
/// use chain::Workers;
/// use impute::{Fragment, Gpc, GpcOptions};
/// use tree::{Head, PartialTree, Reading, Sentence};
///
/// let mut sentence = Sentence::from_forms(["the", "dog", "barks"]);
/// sentence.tokens[0].head = Head::Of(2);
/// let fragments = [Fragment::new(&sentence, &PartialTree::from_sentence(&sentence), &Reading::default())?];
/// let options = GpcOptions { burn_in: 5, samples: 5, chains: 1, ..GpcOptions::default() };
/// let model = Gpc::train(&fragments, options, &mut (), &Workers::serial())?;
/// let completed = model.complete(&fragments[0]);
/// assert_eq!(completed.heads.head(1), 2); // What was said stays.
/// assert!((completed.posteriors.of(2, 1) - 1.0).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Gpc {
    options: GpcOptions,
    vocabulary: Vocabulary,
    prior: DmvPrior,
    prepared: Vec<Prepared>,
    unusable: Vec<usize>,
    fingerprint: u64,
}

/// What a run leaves.
#[derive(Debug)]
pub struct GpcTrained {
    /// The model.
    pub model: GpcModel,
    /// The last states, and why the run ended.
    pub outcome: Outcome<Trees>,
}

impl Gpc {
    /// Numbers tags and words and finds out which trees each sentence can have.
    pub fn new(fragments: &[Fragment], options: GpcOptions, workers: &Workers) -> Result<Gpc, GpcError> {
        check(&options)?;
        let vocabulary = Vocabulary::new(fragments, options.lexical_threshold);
        let prior = DmvPrior::new(&vocabulary, &options);
        let prepared = workers.map_with(fragments, Drawer::default, |drawer, _, fragment| {
            match fragment.len() <= options.longest {
                true => Prepared::new(fragment, &vocabulary, options.roots, drawer),
                false => Prepared::unusable(fragment, &vocabulary, options.roots),
            }
        });
        let unusable: Vec<usize> = (0..prepared.len()).filter(|&at| !prepared[at].is_usable()).collect();
        // Where all sentences are too long, what is learned is the prior.
        if unusable.iter().all(|&at| fragments[at].len() <= options.longest)
            && unusable.len() == prepared.len()
        {
            return Err(GpcError::NoSentences);
        }
        let fingerprint = fingerprint(fragments, &options);
        Ok(Gpc { options, vocabulary, prior, prepared, unusable, fingerprint })
    }

    /// Trains from the start to the end of the schedule, and calibrates.
    pub fn train(
        fragments: &[Fragment],
        options: GpcOptions,
        observer: &mut dyn Observer<Trees>,
        workers: &Workers,
    ) -> Result<GpcModel, GpcError> {
        let trained = Gpc::new(fragments, options, workers)?.run(Start::Fresh, observer, workers)?;
        Ok(trained.model.calibrated(fragments, workers))
    }

    /// Sentences without any projective tree that their annotation allows, or that are too long; they take no part.
    pub fn unusable(&self) -> &[usize] {
        &self.unusable
    }

    /// Burn-in, samples, chains and seed.
    pub fn schedule(&self) -> Schedule {
        let GpcOptions { burn_in, samples, thin, chains, seed, .. } = self.options;
        Schedule { burn_in, samples, thin, seed, chains }
    }

    /// The sampler.
    pub fn sampler(&self) -> Sampler<'_> {
        Sampler { prior: &self.prior, sentences: &self.prepared, fingerprint: self.fingerprint }
    }

    /// Runs the sampler, from the start or from a checkpoint, and averages what it counts.
    pub fn run(
        &self,
        start: Start<Trees>,
        observer: &mut dyn Observer<Trees>,
        workers: &Workers,
    ) -> Result<GpcTrained, GpcError> {
        let sampler = self.sampler();
        let mut tally = Tally::new("mean counts", |state: &Trees, out: &mut Vec<f64>| {
            out.extend(sampler.count_with_tables(state));
        });
        let mut both = Fan::new().with(&mut tally).with(observer);
        let outcome = sample::run(&sampler, &self.schedule(), start, &mut both, workers)?;
        let n_samples = tally.n_samples();
        let mut counts = tally.chain_means();
        if counts.iter().all(Vec::is_empty) {
            // A run that was stopped during its burn-in is known by its last states.
            counts = outcome.checkpoint.states.iter().map(|state| sampler.count_with_tables(state)).collect();
        }
        let notes = BTreeMap::from([
            ("sentences".to_owned(), (self.prepared.len() - self.unusable.len()).to_string()),
            ("unusable".to_owned(), self.unusable.len().to_string()),
            ("samples".to_owned(), n_samples.to_string()),
            ("seed".to_owned(), self.options.seed.to_string()),
        ]);
        let model =
            GpcModel::new(self.vocabulary.clone(), self.prior.clone(), self.options.clone(), counts, notes);
        Ok(GpcTrained { model, outcome })
    }
}

fn check(options: &GpcOptions) -> Result<(), GpcError> {
    let positive = [
        ("root_alpha", options.root_alpha),
        ("stop_alpha", options.stop_alpha),
        ("choice_alpha", options.choice_alpha),
        ("lexical_weight", options.lexical_weight),
    ];
    for (name, value) in positive {
        if !(value > 0.0 && value.is_finite()) {
            return Err(GpcError::NotPositive { name, value });
        }
    }
    match options.rule_weight {
        value if value >= 0.0 && value.is_finite() => Ok(()),
        value => Err(GpcError::NotPositive { name: "rule_weight", value }),
    }
}

/// A checksum of sentences, annotations and settings; more samples may be asked for later.
fn fingerprint(fragments: &[Fragment], options: &GpcOptions) -> u64 {
    let mut bytes = Vec::new();
    for fragment in fragments {
        for (form, tag) in fragment.forms.iter().zip(&fragment.tags) {
            bytes.extend(form.bytes().chain([b'\t']).chain(tag.bytes()).chain([b'\n']));
        }
        let n_words = fragment.len();
        for case in fragment.possible.cases().iter().filter(|_| !fragment.possible.is_free()) {
            let arcs = (1..=n_words).flat_map(|word| (0..=n_words).map(move |head| (head, word)));
            bytes.extend(arcs.map(|(head, word)| u8::from(case.allows_arc(head, word))));
        }
        bytes.push(b'\n');
    }
    bytes.extend(format!("{:?}", GpcOptions { samples: 0, ..options.clone() }).bytes());
    chain::container::crc64(&bytes)
}
