//! What training leaves, the file it is kept in, and completing with it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::OnceLock;

use arcs::dmv::{DmvWeights, Laid, RootWeights};
use arcs::{self, ArcScores, Roots};
use chain::container::{self, Header};
use chain::{Rng, Stream, Workers};
use serde::{Deserialize, Serialize};
use tree::{Constraints, Heads};

use super::GpcOptions;
use super::draw::Drawer;
use super::prepare::Prepared;
use super::prior::DmvPrior;
use super::vocabulary::Vocabulary;
use crate::admitted::{Trees, best_of_case};
use crate::branch::{Found, MAX_SPLITS, branch};
use crate::calibrate::{Confidence, Guess, Held, correct, fit_temperature, temper, without_heads};
use crate::{ArcPosteriors, Completed, Fragment};

/// The kind of model files.
pub const KIND: &str = "model/gpc";
/// The layout of model files; raised when it changes.
pub const VERSION: u32 = 3;

/// How many trees stand for a sentence whose annotation leaves too many cases to sum over.
const STAND_INS: usize = 300;

/// A trained completer: mean counts of each chain, from which parameters are worked out when it is used.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct GpcModel {
    /// Tags and words.
    pub vocabulary: Vocabulary,
    /// How counts become parameters.
    pub prior: DmvPrior,
    /// How it was trained.
    pub options: GpcOptions,
    /// The mean counts of each chain, tables included.
    pub chains: Vec<Vec<f64>>,
    /// Posteriors are given out as p^(1/T).
    pub temperature: f64,
    /// How the probability of the most probable head is corrected then.
    pub confidence: Confidence,
    /// Seed, numbers of sentences and whatever else is worth knowing.
    pub notes: BTreeMap<String, String>,
    #[serde(skip)]
    parameters: OnceLock<Vec<Vec<f64>>>,
}

/// A sentence without some of the arcs that were said, and these as (head, dependent).
fn hide_known(fragment: &Fragment, at: usize) -> Option<(Fragment, Vec<(usize, usize)>)> {
    const SHARE: f64 = 0.2;
    let mut rng = Stream::new(0).purpose("hide").item(at).rng();
    let said = fragment.possible.said_heads().into_iter();
    without_heads(fragment, said.filter(|_| rng.uniform() < SHARE).collect())
}

/// Hidden arcs beside what is thought of them.
fn held<'a>(hidden: &'a [(Fragment, Vec<(usize, usize)>)], posteriors: &'a [ArcPosteriors]) -> Vec<Held<'a>> {
    let mut held = Vec::new();
    for ((_, arcs), posteriors) in hidden.iter().zip(posteriors) {
        held.extend(arcs.iter().map(|&(head, dependent)| Held { posteriors, dependent, head }));
    }
    held
}

/// What to give back besides the tree.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CompleteOptions {
    /// Sampled trees.
    pub samples: usize,
    /// The seed of the samples.
    pub seed: u64,
}

/// A completed sentence, and whether it could be done as it should.
#[derive(Debug, Clone, PartialEq)]
pub struct Completion {
    /// The tree and the probabilities of arcs.
    pub completed: Completed,
    /// Whether the tree is projective. If the annotation leaves no projective tree, the best of all trees is given,
    /// without samples.
    pub projective: bool,
    /// Whether probabilities were summed, or estimated from samples because there were too many cases.
    pub exact: bool,
    /// False if no tree at all satisfies the annotation, and then all words hang from the root; or if the search for one
    /// was given up.
    pub satisfied: bool,
}

impl GpcModel {
    /// A model of mean counts.
    pub fn new(
        vocabulary: Vocabulary,
        prior: DmvPrior,
        options: GpcOptions,
        chains: Vec<Vec<f64>>,
        notes: BTreeMap<String, String>,
    ) -> GpcModel {
        let (confidence, parameters) = (Confidence::default(), OnceLock::new());
        GpcModel { vocabulary, prior, options, chains, temperature: 1.0, confidence, notes, parameters }
    }

    /// The same with parameters that are no mean of counts.
    pub(super) fn with_parameters(self, parameters: Vec<f64>) -> GpcModel {
        GpcModel { parameters: OnceLock::from(vec![parameters]), ..self }
    }

    /// The best tree of a sentence with a projective tree and few cases.
    pub(super) fn completed(&self, prepared: &Prepared, drawer: &mut Drawer) -> Completed {
        self.summed(prepared, 0, &mut Stream::new(0).rng(), drawer).completed
    }

    /// The parameters of each chain.
    pub fn parameters(&self) -> &[Vec<f64>] {
        self.parameters.get_or_init(|| {
            let n_events = self.prior.shape.len();
            let whole = self.chains.iter().filter(|counts| counts.len() == n_events);
            let means: Vec<Vec<f64>> = whole.map(|counts| self.prior.mean(counts)).collect();
            if means.is_empty() { vec![self.prior.mean(&vec![0.0; n_events])] } else { means }
        })
    }

    /// The tree with the most probable arcs that satisfies the annotation, and the probabilities.
    pub fn complete(&self, fragment: &Fragment) -> Completed {
        let stream = Stream::new(0);
        self.complete_with(fragment, &CompleteOptions::default(), stream, &mut Drawer::default()).completed
    }

    /// The same with a temperature under which known arcs of these sentences are most probable, and a confidence that is as
    /// often right as it says.
    ///
    /// Some known arcs of each sentence are hidden and it is completed without them. The counts know these arcs still,
    /// which matters little: a grammar over tags has far fewer parameters than a corpus has arcs. Where nothing is known
    /// both stay as they are.
    pub fn calibrated(self, fragments: &[Fragment], workers: &Workers) -> GpcModel {
        let short =
            fragments.iter().enumerate().filter(|(_, fragment)| fragment.len() <= self.options.longest);
        let hidden: Vec<(Fragment, Vec<(usize, usize)>)> =
            short.filter_map(|(at, fragment)| hide_known(fragment, at)).collect();
        if hidden.is_empty() {
            return self;
        }
        let model = GpcModel { temperature: 1.0, confidence: Confidence::default(), ..self };
        let mut posteriors = workers.map_with(&hidden, Drawer::default, |drawer, at, (fragment, _)| {
            let stream = Stream::new(0).purpose("calibrate").item(at);
            model.complete_with(fragment, &CompleteOptions::default(), stream, drawer).completed.posteriors
        });
        let temperature = fit_temperature(&held(&hidden, &posteriors));
        posteriors.iter_mut().for_each(|posteriors| *posteriors = temper(posteriors, temperature));
        let guesses: Vec<Guess> = held(&hidden, &posteriors).iter().map(Held::guess).collect();
        let confidence = Confidence::fit(&guesses);
        GpcModel { temperature, confidence, ..model }
    }

    /// Whether enough hidden arcs told how often the most probable heads are right.
    pub fn is_calibrated(&self) -> bool {
        self.confidence != Confidence::default()
    }

    /// Completes all sentences; the same bits at any number of threads.
    pub fn complete_all(
        &self,
        fragments: &[Fragment],
        options: &CompleteOptions,
        workers: &Workers,
    ) -> Vec<Completion> {
        let stream = Stream::new(options.seed).purpose("complete");
        workers.map_with(fragments, Drawer::default, |drawer, at, fragment| {
            self.complete_with(fragment, options, stream.item(at), drawer)
        })
    }

    /// The same for one sentence, with its own stream of random numbers.
    pub fn complete_with(
        &self,
        fragment: &Fragment,
        options: &CompleteOptions,
        stream: Stream,
        drawer: &mut Drawer,
    ) -> Completion {
        let prepared = Prepared::new(fragment, &self.vocabulary, self.options.roots, drawer);
        let rng = &mut stream.rng();
        let mut completion = if !prepared.is_usable() {
            self.spanning(&prepared)
        } else if fragment.possible.is_exact() {
            self.summed(&prepared, options.samples, rng, drawer)
        } else {
            self.sampled(&prepared, options.samples, rng, drawer)
        };
        let posteriors = &mut completion.completed.posteriors;
        *posteriors = temper(posteriors, self.temperature);
        correct(posteriors, &self.confidence);
        completion
    }

    /// Sums over cases and chains, with `n` samples.
    fn summed(&self, prepared: &Prepared, n: usize, rng: &mut Rng, drawer: &mut Drawer) -> Completion {
        let n_kept = prepared.n_kept();
        let mut arcs = vec![0.0; n_kept * (n_kept + 1)];
        let mut weights = DmvWeights::default();
        let share = 1.0 / self.parameters().len() as f64;
        for parameters in self.parameters() {
            weights.fill(&self.prior.shape, parameters, &prepared.sentence, prepared.roots);
            drawer.add_posteriors(prepared, &weights, share, &mut arcs);
        }
        let heads = best(prepared, &arcs);
        let samples = self.draw(prepared, n, rng, drawer);
        let posteriors = posteriors(prepared, &arcs);
        let completed = Completed { heads: prepared.spread(&heads), posteriors, samples, given_up: false };
        Completion { completed, projective: true, exact: true, satisfied: true }
    }

    /// Estimates from samples, every one of which is admitted; `n` of them are given back.
    fn sampled(&self, prepared: &Prepared, n: usize, rng: &mut Rng, drawer: &mut Drawer) -> Completion {
        let mut samples = self.draw(prepared, n.max(STAND_INS), rng, drawer);
        let n_words = prepared.possible.n_words();
        let mut posteriors = ArcPosteriors::zero(n_words);
        let share = 1.0 / samples.len().max(1) as f64;
        for heads in &samples {
            (1..=n_words).for_each(|word| posteriors.row_mut(word)[heads.head(word)] += share);
        }
        let gain =
            |heads: &Heads| -> f64 { (1..=n_words).map(|word| posteriors.of(heads.head(word), word)).sum() };
        let mut best: Option<(&Heads, f64)> = None;
        for heads in &samples {
            let gain = gain(heads);
            if best.is_none_or(|(_, most)| gain > most) {
                best = Some((heads, gain));
            }
        }
        let Some((heads, _)) = best else { return self.spanning(prepared) };
        let heads = heads.clone();
        samples.truncate(n);
        let completed = Completed { heads, posteriors, samples, given_up: false };
        Completion { completed, projective: true, exact: false, satisfied: true }
    }

    fn draw(&self, prepared: &Prepared, n: usize, rng: &mut Rng, drawer: &mut Drawer) -> Vec<Heads> {
        let mut weights = DmvWeights::default();
        let mut samples = Vec::with_capacity(n);
        let n_chains = self.parameters().len();
        for (at, parameters) in self.parameters().iter().enumerate() {
            weights.fill(&self.prior.shape, parameters, &prepared.sentence, prepared.roots);
            // Every chain gives the same number of samples, but for a rest.
            let n_samples = (n + n_chains - 1 - at) / n_chains;
            if n_samples > 0 {
                drawer.weigh(prepared, &weights);
            }
            for _ in 0..n_samples {
                if drawer.pick(prepared, &weights, rng) {
                    samples.push(prepared.spread(drawer.heads()));
                }
            }
        }
        samples
    }

    /// Without a projective tree: all trees, each arc weighed as if it were the first of its side.
    fn spanning(&self, prepared: &Prepared) -> Completion {
        let (cases, exact) = prepared.possible.arc_cases();
        // Annotations with several roots are given them, whatever the policy is.
        let policies =
            if self.options.roots == Roots::One { &[Roots::One, Roots::Many][..] } else { &[Roots::Many] };
        let mut found = None;
        for &roots in policies {
            let posteriors = self.spanning_posteriors(prepared, &cases, roots);
            let solve =
                |case: &Constraints| best_of_case(&posteriors, case, Trees { roots, projective: false });
            match branch(&cases, prepared.possible.whole(), MAX_SPLITS, solve) {
                Found::Best(heads) => {
                    found = Some((heads, posteriors, false, true));
                    break;
                }
                Found::Admitted(heads) => {
                    found = Some((heads, posteriors, true, true));
                    break;
                }
                Found::Broken(heads) => found = found.or(Some((heads, posteriors, true, false))),
                Found::Nothing => {}
            }
        }
        let (heads, posteriors, given_up, satisfied) = found.unwrap_or_else(|| {
            let n_words = prepared.possible.n_words();
            (prepared.spread(&vec![0; prepared.n_kept()]), ArcPosteriors::zero(n_words), false, false)
        });
        let completed = Completed { heads, posteriors, samples: Vec::new(), given_up };
        Completion { completed, projective: false, exact, satisfied }
    }

    /// The probabilities of arcs over the trees of all cases, a mean over chains. Where cases are too many to be told
    /// apart, trees of the same arcs that contradict the annotation count too.
    fn spanning_posteriors(&self, prepared: &Prepared, cases: &[Constraints], roots: Roots) -> ArcPosteriors {
        let (n_words, n_chains) = (prepared.possible.n_words(), self.parameters().len() as f64);
        let mut posteriors = ArcPosteriors::zero(n_words);
        for parameters in self.parameters() {
            let scores = cases.iter().map(|case| self.scores(prepared, parameters, case));
            let found: Vec<_> =
                scores.filter_map(|scores| arcs::spanning_marginals(&scores, roots)).collect();
            let totals: Vec<f64> = found.iter().map(|(total, _)| *total).collect();
            let all = num::special::log_sum_exp(&totals);
            for (total, marginals) in &found {
                let share = libm::exp(total - all) / n_chains;
                for word in 1..=n_words {
                    let row = posteriors.row_mut(word).iter_mut().zip(marginals.row(word));
                    row.for_each(|(sum, p)| *sum += share * p);
                }
            }
        }
        posteriors
    }

    /// ln of the weights of allowed arcs.
    fn scores(&self, prepared: &Prepared, parameters: &[f64], case: &Constraints) -> ArcScores {
        let mut weights = DmvWeights::default();
        weights.fill(&self.prior.shape, parameters, &prepared.sentence, RootWeights::Free);
        let mut scores = ArcScores::new(prepared.possible.n_words());
        for (d, &dependent) in (1..).zip(&prepared.kept) {
            for (h, head) in std::iter::once(0).chain(prepared.kept.iter().copied()).enumerate() {
                if head != dependent && case.allows_arc(head, dependent) {
                    scores.set(head, dependent, libm::log(weights.arc(h, d, false)));
                }
            }
        }
        scores
    }

    /// Writes the model in one step: the file is there as a whole or not at all.
    pub fn write(&self, path: &Path) -> Result<(), chain::Error> {
        let header = Header { kind: KIND.to_owned(), version: VERSION, notes: self.notes.clone() };
        container::write(path, &header, self)
    }

    /// Reads a model; damaged files and other versions are refused with advice.
    pub fn read(path: &Path) -> Result<GpcModel, chain::Error> {
        container::read(path, KIND, VERSION).map(|(_, model)| model)
    }
}

/// The tree of the greatest expected number of right arcs; of equally good cases the first.
fn best(prepared: &Prepared, arcs: &[f64]) -> Vec<u32> {
    let n_kept = prepared.n_kept();
    let weights = DmvWeights::even(n_kept, prepared.roots);
    let mut best: Option<(Vec<u32>, f64)> = None;
    for at in 0..prepared.n_cases() {
        let laid = Laid { weights: &weights, mask: prepared.mask(at) };
        let found = laid.best_arcs(|head, dependent| arcs[(dependent - 1) * (n_kept + 1) + head]);
        if let Some(found) = found.filter(|found| best.as_ref().is_none_or(|best| found.1 > best.1)) {
            best = Some(found);
        }
    }
    best.map_or_else(|| vec![0; n_kept], |(heads, _)| heads)
}

/// Probabilities between kept words as those between all; what is left out hangs from the root.
fn posteriors(prepared: &Prepared, arcs: &[f64]) -> ArcPosteriors {
    let n_words = prepared.possible.n_words();
    let mut posteriors = ArcPosteriors::zero(n_words);
    for word in (1..=n_words).filter(|&word| prepared.possible.left_out(word)) {
        posteriors.row_mut(word)[0] = 1.0;
    }
    for (&dependent, from) in prepared.kept.iter().zip(arcs.chunks(prepared.n_kept() + 1)) {
        let row = posteriors.row_mut(dependent);
        row[0] = from[0].min(1.0);
        for (&head, &p) in prepared.kept.iter().zip(&from[1..]) {
            row[head] = p.min(1.0);
        }
    }
    posteriors
}

#[cfg(test)]
mod tests;
