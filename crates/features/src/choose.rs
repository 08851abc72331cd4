//! The number of clusters and the rare-word threshold, chosen by cross-validation on the training set.
//!
//! The sentences are dealt into folds. For every fold the tag model and the clusters are fitted on the other
//! folds, and the held-out words are predicted from their gold tags. The score of a setting is
//!
//! ```text
//! 1/n Σ_{held-out words w with tag t} log P(w | t)
//! ```
//!
//! where P is
//!
//! ```text
//! P(w | t) = (c(t, w) + T(t) r(w)) / (c(t) + T(t))             if w was seen θ times or more,
//! P(w | t) = P(k | t) · (q(t | w) / q̄(t | k)) · r(w) / r(k)    otherwise, k being the cluster of w,
//! ```
//!
//! with P(k | t) smoothed like the first line, r(w) = (c(w) + 1) / (N + |U|) the same for all settings, r(k) its
//! sum and q̄(t | k) the mean of q(t | ·) under r over the rare words of k. The vocabulary U is that of all
//! folds. Every setting's P(· | t) sums to one over U, so the scores are comparable; that they do is tested
//! in `emission`. Clusters are inductive here: words of the held-out fold are classified by their form.

use std::collections::BTreeMap;

use chain::{Stream, Workers};

use crate::clusters::{ClusterOptions, Clusters};
use crate::emission::{Emission, FormCounts};
use crate::error::Error;
use crate::tag_model::{Observation, TagModel, TagModelOptions};

/// What is tried, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct ChooseOptions {
    /// Numbers of clusters to try.
    pub n_clusters: Vec<usize>,
    /// Thresholds to try: a word seen less often is rare.
    pub thresholds: Vec<u32>,
    /// The number of folds; no more than there are sentences.
    pub n_folds: usize,
    /// How clusters are made, apart from their number.
    pub clusters: ClusterOptions,
    /// How the tag model is fitted.
    pub tags: TagModelOptions,
    /// What clusters and tag model are used for.
    pub rare_words: RareWords,
    /// Whether the raw text of the held-out sentences takes part in making the clusters.
    pub transductive: bool,
    /// The seed by which sentences are dealt into folds.
    pub seed: u64,
}

impl Default for ChooseOptions {
    fn default() -> ChooseOptions {
        ChooseOptions {
            n_clusters: vec![1, 10, 25, 50, 100],
            thresholds: vec![1, 2, 3, 5, 10, 20],
            n_folds: 5,
            clusters: ClusterOptions::default(),
            tags: TagModelOptions::default(),
            rare_words: RareWords::ClusterThenForm,
            transductive: false,
            seed: 0,
        }
    }
}

/// How a rare word comes about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RareWords {
    /// P(k | t) · r(w) / r(k): the cluster is all that the tag knows of the word, as in the papers.
    ClusterOnly,
    /// P(k | t) · (q(t | w) / q̄(t | k)) · r(w) / r(k): the formula above.
    ClusterThenForm,
    /// P(rare | t) · (q(t | w, k) / q̄(t)) · r(w) / r(rare): the cluster is a feature of the tag model.
    ClusterAsFeature,
}

/// One setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The number of clusters.
    pub n_clusters: usize,
    /// Words seen less often than this are rare.
    pub threshold: u32,
}

/// The outcome of the comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The setting with the highest score, the first in the table if there are several.
    pub best: Setting,
    /// Every setting and the log-likelihood per held-out word.
    pub table: Vec<(Setting, f64)>,
}

/// Compares all settings on `sentences` of words with their tags, which are below `n_tags`.
///
/// Words with other tags are passed over. The result does not depend on the number of workers.
pub fn choose(
    sentences: &[Vec<(&str, u32)>],
    n_tags: usize,
    options: &ChooseOptions,
    workers: &Workers,
) -> Result<Choice, Error> {
    let found = sentences.iter().filter(|sentence| !sentence.is_empty()).count();
    if found < 2 {
        return Err(Error::TooFewSentences { found });
    }
    let n_folds = options.n_folds.clamp(2, found);
    let folds = deal(sentences, n_folds, options.seed);
    let sums = workers.map(&(0..n_folds).collect::<Vec<_>>(), |_, &fold| {
        score_fold(sentences, &folds, fold, n_tags, options)
    });
    let n_words = sentences.iter().flatten().filter(|word| (word.1 as usize) < n_tags).count().max(1) as f64;
    let score = |i: usize| sums.iter().map(|fold| fold[i]).sum::<f64>() / n_words;
    let table: Vec<(Setting, f64)> =
        settings(options).enumerate().map(|(i, setting)| (setting, score(i))).collect();
    let best = table.iter().copied().reduce(|best, next| if next.1 > best.1 { next } else { best });
    Ok(Choice { best: best.ok_or(Error::NoSettings)?.0, table })
}

/// All settings, numbers of clusters first.
fn settings(options: &ChooseOptions) -> impl Iterator<Item = Setting> {
    options.n_clusters.iter().flat_map(|&n_clusters| {
        options.thresholds.iter().map(move |&threshold| Setting { n_clusters, threshold })
    })
}

/// The fold of every sentence; the folds that get words are all of 0, …, n − 1.
fn deal(sentences: &[Vec<(&str, u32)>], n_folds: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..sentences.len()).filter(|&i| !sentences[i].is_empty()).collect();
    Stream::new(seed).purpose("folds").rng().shuffle(&mut order);
    let mut folds = vec![0; sentences.len()];
    order.iter().enumerate().for_each(|(rank, &i)| folds[i] = rank % n_folds);
    folds
}

/// Σ log P(w | t) over the held-out words, for each setting.
fn score_fold(
    sentences: &[Vec<(&str, u32)>],
    folds: &[usize],
    fold: usize,
    n_tags: usize,
    options: &ChooseOptions,
) -> Vec<f64> {
    let part = |held_out: bool| {
        let chosen = folds.iter().zip(sentences).filter(move |(of, _)| (**of == fold) == held_out);
        chosen.map(|(_, sentence)| sentence)
    };
    let forms = number_forms(sentences);
    let observations: Vec<Observation<'_>> = words(part(false), n_tags).collect();
    let held_out: Vec<(usize, bool, u32)> =
        words(part(true), n_tags).map(|seen| (forms[seen.form], seen.first, seen.tag)).collect();
    let as_feature = options.rare_words == RareWords::ClusterAsFeature;
    let mut counts = FormCounts { n_tags, tags: count(&observations, &forms), q: Default::default() };
    let mut scores = Vec::new();
    for &n_clusters in &options.n_clusters {
        let unseen = part(true).filter(|_| options.transductive);
        let raw = part(false).chain(unseen).map(|sentence| sentence.iter().map(|&(form, _)| form));
        let clusters = Clusters::fit(raw, &ClusterOptions { n_clusters, ..options.clusters.clone() });
        let classes: Vec<u32> = forms.keys().map(|form| clusters.class(form, false, None, None)).collect();
        if as_feature || scores.is_empty() {
            counts.q = posteriors(&observations, &forms, &classes, n_tags, options);
        }
        let events = if as_feature { vec![0; forms.len()] } else { classes };
        for &threshold in &options.thresholds {
            let emission = Emission::new(&counts, &events, clusters.n_clusters(), f64::from(threshold));
            let logs = held_out.iter().map(|&(form, first, tag)| emission.log_probability(form, first, tag));
            scores.push(logs.sum());
        }
    }
    scores
}

/// The vocabulary in alphabetical order.
fn number_forms<'a>(sentences: &[Vec<(&'a str, u32)>]) -> BTreeMap<&'a str, usize> {
    let mut forms: BTreeMap<&str, usize> = sentences.iter().flatten().map(|&(form, _)| (form, 0)).collect();
    forms.values_mut().enumerate().for_each(|(i, number)| *number = i);
    forms
}

fn words<'a>(
    sentences: impl Iterator<Item = &'a Vec<(&'a str, u32)>>,
    n_tags: usize,
) -> impl Iterator<Item = Observation<'a>> {
    let words = sentences.flat_map(|sentence| sentence.iter().enumerate());
    words
        .map(|(i, &(form, tag))| Observation { form, first: i == 0, tag, count: 1.0 })
        .filter(move |seen| (seen.tag as usize) < n_tags)
}

/// (tag, count) of every form.
fn count(observations: &[Observation<'_>], forms: &BTreeMap<&str, usize>) -> Vec<Vec<(u32, f64)>> {
    let mut tags = vec![BTreeMap::new(); forms.len()];
    for seen in observations {
        *tags[forms[seen.form]].entry(seen.tag).or_default() += seen.count;
    }
    tags.into_iter().map(|tags| tags.into_iter().collect()).collect()
}

/// q(t | w) of every form, not first in its sentence and first; all ones if no model is wanted.
fn posteriors(
    observations: &[Observation<'_>],
    forms: &BTreeMap<&str, usize>,
    classes: &[u32],
    n_tags: usize,
    options: &ChooseOptions,
) -> [Vec<f64>; 2] {
    let class = |form: usize| match options.rare_words {
        RareWords::ClusterAsFeature => vec![u64::from(classes[form])],
        RareWords::ClusterOnly | RareWords::ClusterThenForm => vec![],
    };
    if options.rare_words == RareWords::ClusterOnly {
        return std::array::from_fn(|_| vec![1.0; forms.len() * n_tags]);
    }
    let extra: Vec<Vec<u64>> = observations.iter().map(|seen| class(forms[seen.form])).collect();
    let extra: Vec<&[u64]> = extra.iter().map(Vec::as_slice).collect();
    let model = TagModel::fit_with(observations, &extra, n_tags, &options.tags);
    [false, true].map(|first| {
        let mut row = Vec::new();
        let rows = forms.iter().flat_map(|(form, &number)| {
            model.posterior_with(form, first, &class(number), &mut row);
            row.clone()
        });
        rows.collect()
    })
}
