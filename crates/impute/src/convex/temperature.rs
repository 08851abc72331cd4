//! How sure the scores are.
//!
//! Scores become probabilities by p(tree) ∝ exp(score / T), and then the confidence in the most probable head of each word is
//! corrected. A sentence of which nothing is said is another matter than one of which half is known, so there is a scaling
//! for each, fitted on arcs that training was not told.

use chain::{Stream, Workers};
use num::golden_section::golden_section;
use serde::{Deserialize, Serialize};
use tree::Possible;

use super::model::ConvexModel;
use super::space::{Space, TreeScratch};
use super::watch::{CHUNK, Watch};
use super::{ConvexOptions, train_at};
use crate::ArcPosteriors;
use crate::Fragment;
use crate::calibrate::{self, Confidence, Guess, without_heads};

/// How scores become probabilities.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Scaling {
    /// T of p(tree) ∝ exp(score / T).
    pub temperature: f64,
    /// How the probability of the most probable head of a word is corrected then.
    pub confidence: Confidence,
}

/// How scores become probabilities, by what is known of a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Scalings {
    /// Of sentences of which nothing is said.
    pub free: Scaling,
    /// Of sentences with some annotation.
    pub annotated: Scaling,
}

impl Scaling {
    /// A temperature, and nothing corrected.
    pub fn at(temperature: f64) -> Scaling {
        Scaling { temperature, confidence: Confidence::default() }
    }
}

impl Scalings {
    /// The same for all sentences: a temperature, and nothing corrected.
    pub fn at(temperature: f64) -> Scalings {
        Scalings { free: Scaling::at(temperature), annotated: Scaling::at(temperature) }
    }

    /// Whether they were fitted, or are those for where there is too little to fit them on.
    pub fn are_fitted(&self) -> bool {
        *self != Self::at(DEFAULT)
    }

    pub(super) fn of(&self, fragment: &Fragment) -> &Scaling {
        if fragment.possible.is_free() { &self.free } else { &self.annotated }
    }
}

/// What the temperature is where nothing is annotated to fit it on.
const DEFAULT: f64 = 0.1;
/// Trainings, each with other arcs hidden.
pub(super) const FOLDS: usize = 3;
/// Of sentences with annotation, each so manieth is held out as a whole in a training.
const HELD_OUT: usize = 10;
/// The share of known arcs that is hidden in the others.
const HIDDEN: f64 = 0.15;
/// A temperature is fitted on no fewer arcs.
const FEWEST: usize = 20;

/// A sentence as training sees it, its number, and the arcs it does not see, as (head, dependent).
struct Held {
    at: usize,
    fragment: Fragment,
    hidden: Vec<(usize, usize)>,
}

/// The scalings under which arcs that training was not told are most probable.
///
/// Some sentences lose all their annotation, the others some arcs; a model is trained on what is left, and Σ ln P(arc)
/// over the hidden arcs is maximised over T. It has a single peak in ln T in all but degenerate cases. Brackets and whatever
/// else was said of a sentence that loses some arcs stay. Then it is counted how often the most probable heads are right;
/// a sentence is told all its arcs but one for that, so that as much is known of it as of the sentences that will be completed.
/// `None` if somebody stopped it.
pub(super) fn fit(
    fragments: &[Fragment],
    options: &ConvexOptions,
    workers: &Workers,
    watch: &mut Watch<'_>,
) -> Option<Scalings> {
    let mut folds = Vec::new();
    for number in 0..FOLDS {
        match Parted::new(number, fragments) {
            Some(parted) => folds.push(parted.train(options, workers, watch)?),
            None => watch.end()?,
        }
    }
    let free: Vec<(&ConvexModel, &Held)> = each(&folds, |fold| &fold.free).collect();
    let annotated: Vec<(&ConvexModel, &Held)> = each(&folds, |fold| &fold.annotated).collect();
    let free = scaling(&free, None, workers, watch)?;
    let annotated = scaling(&annotated, Some(fragments), workers, watch)?;
    let any = annotated.or(free).unwrap_or(Scaling::at(DEFAULT));
    Some(Scalings { free: free.unwrap_or(any), annotated: annotated.unwrap_or(any) })
}

/// What is held by all folds, beside their models.
fn each<'a>(
    folds: &'a [Fold],
    held: impl Fn(&Fold) -> &[Held] + Copy + 'a,
) -> impl Iterator<Item = (&'a ConvexModel, &'a Held)> {
    folds.iter().flat_map(move |fold| held(fold).iter().map(move |held| (&fold.model, held)))
}

/// A temperature, and the confidence at it, for which hidden arcs are open one at a time if the sentences are given with which
/// the others can be told; none if there are too few arcs. `None` if somebody stopped it.
fn scaling(
    all: &[(&ConvexModel, &Held)],
    told: Option<&[Fragment]>,
    workers: &Workers,
    watch: &mut Watch<'_>,
) -> Option<Option<Scaling>> {
    let Some(temperature) = best(all, workers, watch)? else { return Some(None) };
    let one_by_one = |held: &Held| if told.is_some() { held.hidden.len() } else { 1 };
    let probes: Vec<(&ConvexModel, &Held, usize)> = all
        .iter()
        .flat_map(|&(model, held)| (0..one_by_one(held)).map(move |arc| (model, held, arc)))
        .collect();
    let ask = |scratch: &mut TreeScratch, _: usize, &(model, held, arc): &(&ConvexModel, &Held, usize)| {
        match told {
            Some(fragments) => held.alone(arc, fragments).map(|one| one.guesses(model, temperature, scratch)),
            None => Some(held.guesses(model, temperature, scratch)),
        }
    };
    let mut guesses = Vec::new();
    for chunk in probes.chunks(CHUNK) {
        watch.ask()?;
        guesses.extend(workers.map_with(chunk, TreeScratch::default, ask).into_iter().flatten().flatten());
    }
    Some(Some(Scaling { temperature, confidence: Confidence::fit(&guesses) }))
}

/// What a training is told, and what it is not.
struct Parted {
    rest: Vec<Fragment>,
    free: Vec<Held>,
    annotated: Vec<Held>,
}

/// A model and sentences with arcs that it was not told.
struct Fold {
    model: ConvexModel,
    free: Vec<Held>,
    annotated: Vec<Held>,
}

impl Parted {
    /// `None` if there is nothing to hide.
    fn new(number: usize, fragments: &[Fragment]) -> Option<Parted> {
        let mut rest = fragments.to_vec();
        let (mut free, mut annotated) = (Vec::new(), Vec::new());
        let mut n_annotated = 0;
        for (at, fragment) in fragments.iter().enumerate() {
            let said = said(fragment);
            if said.is_empty() {
                continue;
            }
            n_annotated += 1;
            if n_annotated % HELD_OUT == number {
                rest[at].possible = Possible::everything(fragment.len());
                free.push(Held { at, fragment: rest[at].clone(), hidden: said });
            } else if let Some(held) = hide(fragment, number, at) {
                rest[at] = held.fragment.clone();
                annotated.push(held);
            }
        }
        if free.is_empty() && annotated.is_empty() {
            return None;
        }
        Some(Parted { rest, free, annotated })
    }

    fn train(self, options: &ConvexOptions, workers: &Workers, watch: &mut Watch<'_>) -> Option<Fold> {
        let trained = train_at(&self.rest, options, Scalings::at(DEFAULT), workers, watch)?;
        Some(Fold { model: trained.model, free: self.free, annotated: self.annotated })
    }
}

/// Hides some arcs of a sentence, others in each fold; `None` if none is hidden or nothing is left.
fn hide(fragment: &Fragment, fold: usize, at: usize) -> Option<Held> {
    let mut rng = Stream::new(0).purpose("temperature").item(at).rng();
    let from = fold as f64 * HIDDEN;
    let is_hidden = |_: &(usize, usize)| {
        let place = rng.uniform();
        place >= from && place < from + HIDDEN
    };
    let hidden = fragment.possible.said_heads().into_iter().filter(is_hidden).collect();
    let (fragment, hidden) = without_heads(fragment, hidden)?;
    (!fragment.possible.is_free()).then_some(Held { at, fragment, hidden })
}

impl Held {
    /// The sentence with one of the hidden arcs open and the others told; `None` if it follows from them.
    fn alone(&self, arc: usize, fragments: &[Fragment]) -> Option<Held> {
        let (fragment, hidden) = without_heads(&fragments[self.at], vec![self.hidden[arc]])?;
        Some(Held { at: self.at, fragment, hidden })
    }

    /// What a model thinks of the words whose arcs are hidden.
    fn guesses(&self, model: &ConvexModel, temperature: f64, scratch: &mut TreeScratch) -> Vec<Guess> {
        let posteriors = &believed(model, &self.fragment, temperature, scratch);
        let held =
            self.hidden.iter().map(|&(head, dependent)| calibrate::Held { posteriors, dependent, head });
        held.map(|held| held.guess()).collect()
    }
}

/// The temperature that makes hidden arcs most probable; none if there are too few. `None` if somebody stopped it.
fn best(all: &[(&ConvexModel, &Held)], workers: &Workers, watch: &mut Watch<'_>) -> Option<Option<f64>> {
    if all.iter().map(|(_, held)| held.hidden.len()).sum::<usize>() < FEWEST {
        return Some(None);
    }
    let mut likelihood = |ln_t: f64| {
        let of_sentence = |scratch: &mut TreeScratch, _: usize, (model, held): &(&ConvexModel, &Held)| {
            ln_likelihood(model, &held.fragment, &held.hidden, libm::exp(ln_t), scratch)
        };
        let mut terms = Vec::with_capacity(all.len());
        for chunk in all.chunks(CHUNK) {
            watch.ask()?;
            terms.extend(workers.map_with(chunk, TreeScratch::default, of_sentence));
        }
        Some(terms.into_iter().sum::<f64>())
    };
    let ln_t = golden_section(&mut likelihood, libm::log(0.005), libm::log(5.0), 0.02)?;
    Some(Some(libm::exp(ln_t)))
}

/// Arcs that are required, as (head, dependent).
pub(super) fn said(fragment: &Fragment) -> Vec<(usize, usize)> {
    let whole = fragment.possible.whole();
    if fragment.possible.is_free() || fragment.len() < 2 {
        return Vec::new();
    }
    (1..=fragment.len()).filter_map(|word| Some((whole.required_head(word)?, word))).collect()
}

fn ln_likelihood(
    model: &ConvexModel,
    fragment: &Fragment,
    hidden: &[(usize, usize)],
    temperature: f64,
    scratch: &mut TreeScratch,
) -> f64 {
    let posteriors = believed(model, fragment, temperature, scratch);
    // An arc that projective trees cannot have counts as very improbable at any temperature.
    hidden.iter().map(|&(head, dependent)| libm::log(posteriors.of(head, dependent).max(1e-6))).sum()
}

/// The probabilities of arcs at a temperature.
fn believed(
    model: &ConvexModel,
    fragment: &Fragment,
    temperature: f64,
    scratch: &mut TreeScratch,
) -> ArcPosteriors {
    let space = Space::new(fragment, &model.options, scratch);
    model.fill_scores(fragment, &model.rules(), temperature, scratch);
    space.posteriors(scratch)
}

#[cfg(test)]
mod tests;
