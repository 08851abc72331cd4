//! Probabilities that mean what they say: a temperature and a [`Confidence`] fitted on arcs that were hidden.
//!
//! Some annotated arcs are hidden ([`hide`]), the sentence is completed without them, and the temperature T is found that
//! makes them most probable when every p becomes p^(1/T), normalised over the heads of the word. Then the most probable heads
//! are asked how often they are right.

use chain::Rng;
pub use num::confidence::{Bin, Confidence, Guess};
use num::confidence::{bins, calibration_error};
use num::golden_section::golden_section;
use tree::{Node, PartialTree};

use super::{ArcPosteriors, Fragment};

/// An arc whose head is known and was not told to the imputer.
#[derive(Debug, Clone, Copy)]
pub struct Held<'a> {
    /// What the imputer thinks.
    pub posteriors: &'a ArcPosteriors,
    /// The word, from 1.
    pub dependent: usize,
    /// Its head, 0 for the root.
    pub head: usize,
}

impl Held<'_> {
    /// The most probable head, the first of several.
    pub fn guess(&self) -> Guess {
        Guess::of_row(self.posteriors.row(self.dependent), self.head)
    }
}

/// How confidence and accuracy go together.
#[derive(Debug, Clone, PartialEq)]
pub struct Reliability {
    /// By confidence in the most probable head.
    pub bins: Vec<Bin>,
    /// Σ share of the bin · |accuracy − confidence|.
    pub calibration_error: f64,
    /// The mean of −ln p(head).
    pub log_loss: f64,
}

/// The least probability that a held arc is taken to have, so that one miss is not infinitely bad.
const LEAST: f64 = 1e-12;

/// A sentence of which some heads, as (head, dependent), were not said, and all else was: brackets, multiwords,
/// coordinations, what is ruled out or left out. Also those of the heads that do not follow from the rest; `None` if all do.
pub(super) fn without_heads(
    fragment: &Fragment,
    mut hidden: Vec<(usize, usize)>,
) -> Option<(Fragment, Vec<(usize, usize)>)> {
    let possible = fragment.possible.without_heads(&hidden)?;
    hidden.retain(|&(head, dependent)| possible.whole().required_head(dependent) != Some(head));
    (!hidden.is_empty()).then(|| (Fragment { possible, ..fragment.clone() }, hidden))
}

/// The temperature that makes held arcs most probable; 1 if there are none.
///
/// The loss is convex in 1/T, so a search by golden section over T from 1/50 to 50 finds it.
pub fn fit_temperature(held: &[Held<'_>]) -> f64 {
    if held.is_empty() {
        return 1.0;
    }
    let loss = |inverse: f64| log_loss(held, 1.0 / inverse);
    let inverse = golden_section(|inverse| Some(-loss(inverse)), 1.0 / 50.0, 50.0, 1e-9);
    inverse.map_or(1.0, |inverse| 1.0 / inverse)
}

/// The mean of −ln p(head) at a temperature.
pub fn log_loss(held: &[Held<'_>], temperature: f64) -> f64 {
    let sum: f64 = held.iter().map(|held| -libm::log(tempered(held, temperature).max(LEAST))).sum();
    sum / held.len().max(1) as f64
}

/// Bins of confidence at a temperature.
pub fn reliability(held: &[Held<'_>], temperature: f64) -> Reliability {
    let guess = |held: &Held<'_>| {
        let mut row = held.posteriors.row(held.dependent).to_vec();
        temper_row(&mut row, temperature);
        Guess::of_row(&row, held.head)
    };
    let bins = bins(&held.iter().map(guess).collect::<Vec<_>>());
    let calibration_error = calibration_error(&bins);
    Reliability { bins, calibration_error, log_loss: log_loss(held, temperature) }
}

/// Corrects the probabilities of the heads of all words.
pub fn correct(posteriors: &mut ArcPosteriors, confidence: &Confidence) {
    (1..=posteriors.n_words()).for_each(|word| confidence.correct(posteriors.row_mut(word)));
}

/// Every p becomes p^(1/T), normalised over the heads of each word. Heads of probability 0 keep it.
pub fn temper(posteriors: &ArcPosteriors, temperature: f64) -> ArcPosteriors {
    let mut tempered = posteriors.clone();
    if temperature != 1.0 {
        (1..=posteriors.n_words()).for_each(|word| temper_row(tempered.row_mut(word), temperature));
    }
    tempered
}

/// Takes away a share of the heads that were said of single words; returns what is left, and those as (head, dependent).
pub fn hide(said: &PartialTree, share: f64, rng: &mut Rng) -> (PartialTree, Vec<(usize, usize)>) {
    let mut left = said.clone();
    let mut hidden = Vec::new();
    left.arcs.retain(|arc| match (arc.head, arc.dependent) {
        (Node::Word(head), Node::Word(dependent)) if rng.bernoulli(share) => {
            hidden.push((head, dependent));
            false
        }
        _ => true,
    });
    left.roots.retain(|&(node, _)| match node {
        Node::Word(word) if rng.bernoulli(share) => {
            hidden.push((0, word));
            false
        }
        _ => true,
    });
    // A word stays mentioned, or else it might be left out of the tree.
    left.mentioned
        .extend(hidden.iter().flat_map(|&(head, dependent)| [head, dependent]).filter(|&word| word > 0));
    (left, hidden)
}

fn tempered(held: &Held<'_>, temperature: f64) -> f64 {
    let row = held.posteriors.row(held.dependent);
    let p = row.get(held.head).copied().unwrap_or(0.0);
    if p <= 0.0 {
        return 0.0;
    }
    // p^(1/T) / Σ q^(1/T) = 1 / Σ (q/p)^(1/T)
    let others = row.iter().filter(|&&q| q > 0.0).map(|&q| libm::exp(libm::log(q / p) / temperature));
    1.0 / others.sum::<f64>()
}

fn temper_row(row: &mut [f64], temperature: f64) {
    let most = row.iter().copied().fold(0.0, f64::max);
    if most <= 0.0 || temperature == 1.0 {
        return;
    }
    let raise = |p: f64| if p > 0.0 { libm::exp(libm::log(p / most) / temperature) } else { 0.0 };
    row.iter_mut().for_each(|p| *p = raise(*p));
    let total: f64 = row.iter().sum();
    row.iter_mut().for_each(|p| *p /= total);
}
