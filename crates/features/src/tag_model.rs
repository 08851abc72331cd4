//! Which tags a word may have, judged by its form: q(tag | form, first).
//!
//! The model is made for words that were seen rarely or never. Two things see to that. Every kind of word
//! counts about once, however frequent it is (its weight is count^damping), because a new word resembles the
//! rare words, not the frequent ones. And every kind of word is shown twice in training, with its identity
//! and without it, so that the affixes and the shape must also do the work alone.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::form::{Group, features};
use crate::index::Index;
use crate::log_linear::{Instance, Problem, softmax};

/// A word seen with a tag.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observation<'a> {
    /// The word as written.
    pub form: &'a str,
    /// Whether it began its sentence.
    pub first: bool,
    /// Its tag, less than the number of tags.
    pub tag: u32,
    /// How often this was seen; need not be whole.
    pub count: f64,
}

/// How a [`TagModel`] is fitted.
#[derive(Clone, Debug, PartialEq)]
pub struct TagModelOptions {
    /// λ of the Gaussian prior λ/2 |w|² on the weights of affixes, shapes and extra features.
    pub l2: f64,
    /// λ for the weights of words themselves.
    pub identity_l2: f64,
    /// A word seen n times weighs n^damping.
    pub damping: f64,
    /// The weight of a word shown with its identity, relative to the same word shown without.
    pub identity: f64,
    /// Affixes and extra features are kept if so many different words have them.
    pub min_words: usize,
    /// Passes over the data.
    pub epochs: usize,
    /// Step size of the optimiser.
    pub step: f64,
}

impl Default for TagModelOptions {
    fn default() -> TagModelOptions {
        TagModelOptions {
            l2: 1.0,
            identity_l2: 0.1,
            damping: 0.0,
            identity: 1.0,
            min_words: 1,
            epochs: 20,
            step: 0.5,
        }
    }
}

/// q(tag | form, first), a log-linear model over [`features`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TagModel {
    n_tags: u32,
    /// The features that have a row of weights, ascending.
    known: Vec<u64>,
    /// The row of feature i is `weights[starts[i]..starts[i + 1]]`.
    starts: Vec<u32>,
    /// (tag, weight) of the weights that matter.
    weights: Vec<(u32, f32)>,
}

/// Weights smaller than this are left out of the finished model.
const NEGLIGIBLE: f64 = 0.005;

impl TagModel {
    /// Fits the model; observations of the same word are added up, in whatever order they come.
    ///
    /// Observations with a tag that is not below `n_tags`, or with a count that is not positive, are passed
    /// over. Without observations all tags are equally likely.
    pub fn fit(observations: &[Observation<'_>], n_tags: usize, options: &TagModelOptions) -> TagModel {
        TagModel::fit_with(observations, &[], n_tags, options)
    }

    /// Like [`TagModel::fit`], with further features of each observation, for instance the word's cluster.
    ///
    /// `extra[i]` belongs to `observations[i]`; where the list ends early there are none.
    pub fn fit_with(
        observations: &[Observation<'_>],
        extra: &[&[u64]],
        n_tags: usize,
        options: &TagModelOptions,
    ) -> TagModel {
        let words = distinct_words(observations, extra, n_tags);
        let (known, l2) = known_features(&words, options);
        let index = Index::of(known.clone()).unwrap_or_default();
        let instances = words.iter().flat_map(|word| instances(word, &index, options)).collect();
        let problem = Problem { n_tags, instances, l2 };
        TagModel::compact(n_tags, known, &problem.solve(options.epochs, options.step))
    }

    /// The number of tags.
    pub fn n_tags(&self) -> usize {
        self.n_tags as usize
    }

    /// Puts the probability of every tag into `out`; they sum to one.
    pub fn posterior(&self, form: &str, first: bool, out: &mut Vec<f64>) {
        self.posterior_with(form, first, &[], out);
    }

    /// Like [`TagModel::posterior`], with further features as in [`TagModel::fit_with`].
    pub fn posterior_with(&self, form: &str, first: bool, extra: &[u64], out: &mut Vec<f64>) {
        out.clear();
        out.resize(self.n_tags(), 0.0);
        features(form, first, |_, feature| self.add_row(feature, out));
        extra.iter().for_each(|&feature| self.add_row(mark_extra(feature), out));
        softmax(out);
    }

    fn add_row(&self, feature: u64, scores: &mut [f64]) {
        let Ok(row) = self.known.binary_search(&feature) else { return };
        for &(tag, weight) in &self.weights[self.starts[row] as usize..self.starts[row + 1] as usize] {
            scores[tag as usize] += f64::from(weight);
        }
    }

    fn compact(n_tags: usize, known: Vec<u64>, dense: &[f64]) -> TagModel {
        let mut model =
            TagModel { n_tags: n_tags as u32, known: Vec::new(), starts: vec![0], weights: Vec::new() };
        for (feature, row) in known.into_iter().zip(dense.chunks(n_tags.max(1))) {
            let kept = row.iter().zip(0..).filter(|(weight, _)| weight.abs() >= NEGLIGIBLE);
            model.weights.extend(kept.map(|(&weight, tag)| (tag, weight as f32)));
            model.known.push(feature);
            model.starts.push(model.weights.len() as u32);
        }
        model
    }
}

/// A word with all its tags and features.
struct Word {
    identity: Vec<u64>,
    others: Vec<u64>,
    tags: BTreeMap<u32, f64>,
}

fn distinct_words(observations: &[Observation<'_>], extra: &[&[u64]], n_tags: usize) -> Vec<Word> {
    let mut tags: BTreeMap<(&str, bool, &[u64]), BTreeMap<u32, f64>> = BTreeMap::new();
    for (i, seen) in observations.iter().enumerate() {
        if (seen.tag as usize) < n_tags && seen.count > 0.0 && seen.count.is_finite() {
            let extra = extra.get(i).copied().unwrap_or_default();
            *tags.entry((seen.form, seen.first, extra)).or_default().entry(seen.tag).or_default() +=
                seen.count;
        }
    }
    tags.into_iter().map(|((form, first, extra), tags)| word(form, first, extra, tags)).collect()
}

fn word(form: &str, first: bool, extra: &[u64], tags: BTreeMap<u32, f64>) -> Word {
    let (mut identity, mut others) = (Vec::new(), Vec::new());
    features(form, first, |group, feature| match group {
        Group::Identity => identity.push(feature),
        Group::Affix | Group::Shape => others.push(feature),
    });
    others.extend(extra.iter().map(|&feature| mark_extra(feature)));
    Word { identity, others, tags }
}

/// Sets the caller's features apart from those of the form.
fn mark_extra(feature: u64) -> u64 {
    crate::hash::Hash::new(0).u64(feature).finish()
}

/// The features that get a row of weights, ascending, and the λ of each row.
///
/// Identities are kept always, other features if they belong to enough words.
fn known_features(words: &[Word], options: &TagModelOptions) -> (Vec<u64>, Vec<f64>) {
    let mut n_words: BTreeMap<u64, usize> = BTreeMap::new();
    for &feature in words.iter().flat_map(|word| &word.others) {
        *n_words.entry(feature).or_default() += 1;
    }
    let identities =
        words.iter().flat_map(|word| &word.identity).map(|&feature| (feature, options.identity_l2));
    let others = n_words.iter().filter(|&(_, &n)| n >= options.min_words);
    let kept: BTreeMap<u64, f64> =
        others.map(|(&feature, _)| (feature, options.l2)).chain(identities).collect();
    kept.into_iter().unzip()
}

/// The word without its identity, and with it.
fn instances(word: &Word, index: &Index, options: &TagModelOptions) -> [Instance; 2] {
    let count: f64 = word.tags.values().sum();
    let target: Vec<(u32, f64)> = word.tags.iter().map(|(&tag, &n)| (tag, n / count)).collect();
    let weight = libm::pow(count, options.damping);
    let rows: Vec<u32> = word.others.iter().filter_map(|&feature| index.get(feature, 1)).collect();
    let identity = word.identity.iter().filter_map(|&feature| index.get(feature, 1));
    let all = rows.iter().copied().chain(identity).collect();
    [
        Instance { rows, target: target.clone(), weight },
        Instance { rows: all, target, weight: weight * options.identity },
    ]
}
