//! How sure the scores are.
//!
//! Scores become probabilities by p(tree) ∝ exp(score / T). A sentence of which nothing is said is another matter than
//! one of which half is known, so there is a temperature for each, fitted on arcs that training was not told.

use chain::{Stream, Workers};
use grammar::anchor::Possible;
use serde::{Deserialize, Serialize};

use super::model::ConvexModel;
use super::space::{Scratch, Space};
use super::watch::{CHUNK, Watch};
use super::{ConvexOptions, train_at};
use crate::golden_section::golden_section;
use crate::imputation::Fragment;
use crate::imputation::calibrate::without_heads;

/// The temperatures T of p(tree) ∝ exp(score / T).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Temperatures {
    /// Of sentences of which nothing is said.
    pub free: f64,
    /// Of sentences with some annotation.
    pub annotated: f64,
}

impl Temperatures {
    /// The same for all sentences.
    pub fn even(temperature: f64) -> Temperatures {
        Temperatures { free: temperature, annotated: temperature }
    }

    pub(super) fn of(&self, fragment: &Fragment) -> f64 {
        if fragment.possible.is_free() { self.free } else { self.annotated }
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

/// A sentence as training sees it, and the arcs it does not see, as (head, dependent).
struct Held {
    fragment: Fragment,
    hidden: Vec<(usize, usize)>,
}

/// The temperatures under which arcs that training was not told are most probable.
///
/// Some sentences lose all their annotation, the others some arcs; a model is trained on what is left, and Σ ln P(arc)
/// over the hidden arcs is maximised over T. It has a single peak in ln T in all but degenerate cases. Brackets and whatever
/// else was said of a sentence that loses some arcs stay. `None` if somebody stopped it.
pub(super) fn fit(
    fragments: &[Fragment],
    options: &ConvexOptions,
    workers: &Workers,
    watch: &mut Watch<'_>,
) -> Option<Temperatures> {
    let mut folds = Vec::new();
    for number in 0..FOLDS {
        match Parted::new(number, fragments) {
            Some(parted) => folds.push(parted.train(options, workers, watch)?),
            None => watch.end()?,
        }
    }
    let free = best(&folds, |fold| &fold.free, workers, watch)?;
    let annotated = best(&folds, |fold| &fold.annotated, workers, watch)?;
    let any = annotated.or(free).unwrap_or(DEFAULT);
    Some(Temperatures { free: free.unwrap_or(any), annotated: annotated.unwrap_or(any) })
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
                free.push(Held { fragment: rest[at].clone(), hidden: said });
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
        let trained = train_at(&self.rest, options, Temperatures::even(DEFAULT), workers, watch)?;
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
    (!fragment.possible.is_free()).then_some(Held { fragment, hidden })
}

/// The temperature that makes hidden arcs most probable; none if there are too few. `None` if somebody stopped it.
fn best(
    folds: &[Fold],
    held: impl Fn(&Fold) -> &[Held],
    workers: &Workers,
    watch: &mut Watch<'_>,
) -> Option<Option<f64>> {
    let all: Vec<(&ConvexModel, &Held)> =
        folds.iter().flat_map(|fold| held(fold).iter().map(move |held| (&fold.model, held))).collect();
    if all.iter().map(|(_, held)| held.hidden.len()).sum::<usize>() < FEWEST {
        return Some(None);
    }
    let mut likelihood = |ln_t: f64| {
        let of_sentence = |scratch: &mut Scratch, _: usize, (model, held): &(&ConvexModel, &Held)| {
            ln_likelihood(model, &held.fragment, &held.hidden, libm::exp(ln_t), scratch)
        };
        let mut terms = Vec::with_capacity(all.len());
        for chunk in all.chunks(CHUNK) {
            watch.ask()?;
            terms.extend(workers.map_with(chunk, Scratch::default, of_sentence));
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
    free: &Fragment,
    said: &[(usize, usize)],
    temperature: f64,
    scratch: &mut Scratch,
) -> f64 {
    let space = Space::new(free, &model.options, scratch);
    model.fill_scores(free, &model.rules(), temperature, scratch);
    let posteriors = space.posteriors(scratch);
    // An arc that projective trees cannot have counts as very improbable at any temperature.
    said.iter().map(|&(head, dependent)| libm::log(posteriors.of(head, dependent).max(1e-6))).sum()
}

#[cfg(test)]
mod tests;
