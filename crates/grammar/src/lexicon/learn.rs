//! How a lexicon is learnt from tagged words and raw text.

use chain::Workers;
use features::{
    ChooseOptions, ClusterOptions, Clusters, Observation, RareWords, Setting, TagModel, TagModelOptions,
    choose,
};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use tree::Text;

use super::Lexicon;
use super::classes::Classes;
use crate::rules::{Category, Rules};

/// How words are treated.
#[derive(Debug, Clone, PartialEq)]
pub struct LexiconOptions {
    /// A word that occurs less often than this in training is emitted through its class; `None` has it chosen by
    /// cross-validation.
    pub rare: Option<u32>,
    /// The number of clusters, 0 or 1 for none; `None` has it chosen by cross-validation.
    pub n_clusters: Option<usize>,
    /// What clusters are used for.
    pub rare_words: RareWords,
    /// How many tokens' worth of belief in q(T | w) each word of its own gets, for tags it was not seen with.
    pub belief: f64,
    /// The log-linear model.
    pub model: TagModelOptions,
    /// Cross-validation looks at no more sentences than this.
    pub most_sentences: usize,
    /// The seed of clusters and folds.
    pub seed: u64,
}

impl Default for LexiconOptions {
    fn default() -> Self {
        LexiconOptions {
            rare: Some(3),
            n_clusters: Some(0),
            rare_words: RareWords::ClusterAsFeature,
            belief: 0.5,
            model: TagModelOptions::default(),
            most_sentences: 500,
            seed: 0,
        }
    }
}

/// A word with its tag, from a training tree.
#[derive(Debug, Clone, Copy)]
pub struct TaggedForm<'a> {
    /// The form.
    pub form: &'a str,
    /// The category above it.
    pub tag: Category,
}

impl Lexicon {
    /// Learns the lexicon of a treebank; `raw` is text whose words take part in clusters.
    pub fn learn(
        rules: &Rules,
        sentences: &[Vec<TaggedForm<'_>>],
        raw: &[Vec<Text>],
        options: &LexiconOptions,
        workers: &Workers,
    ) -> Lexicon {
        let mut tags: Vec<Category> = sentences.iter().flatten().map(|token| token.tag).collect();
        tags.sort_unstable();
        tags.dedup();
        let setting = setting(sentences, &tags, options, workers);
        let known = frequent(sentences, setting.threshold);
        let classes = classes(sentences, raw, setting.n_clusters, options);
        let model = (options.rare_words != RareWords::ClusterOnly)
            .then(|| fit(sentences, &tags, &classes, &options.model));
        let mut lexicon = Lexicon {
            rare_tags: Vec::new(),
            class_tags: Vec::new(),
            pairs: Vec::new(),
            starts: vec![0],
            coarse: Vec::new(),
            first_rule: rules.n_rules() as u32,
            threshold: setting.threshold,
            tags,
            known,
            classes,
            model,
        };
        lexicon.count(sentences, options.belief);
        lexicon
    }

    /// Finds the lexical rules and their prior means.
    fn count(&mut self, sentences: &[Vec<TaggedForm<'_>>], belief: f64) {
        let n_tags = self.tags.len();
        let n_known = self.known.len();
        let mut seen = vec![vec![0.0; n_tags]; n_known + self.classes.n_classes()];
        let mut believed = seen.clone();
        let mut n_believed = vec![0.0; seen.len()];
        let mut posterior = Vec::new();
        for (at, token) in sentences.iter().flat_map(|sentence| sentence.iter().enumerate()) {
            let emission = self.emission(token.form, at == 0);
            let tag = self.tags.binary_search(&token.tag).unwrap_or(0);
            seen[emission][tag] += 1.0;
            // A word of its own has one posterior; a class has the mean of its words'.
            if emission >= n_known || n_believed[emission] == 0.0 {
                match &self.model {
                    Some(model) => self.classes.posterior(model, token.form, at == 0, &mut posterior),
                    None => {
                        posterior.clear();
                        posterior.resize(n_tags, 0.0);
                        posterior[tag] = 1.0;
                    }
                }
                believed[emission].iter_mut().zip(&posterior).for_each(|(sum, q)| *sum += q);
                n_believed[emission] += 1.0;
            }
        }
        self.rare_tags = shares(&seen[n_known..], n_tags);
        for (believed, n) in believed.iter_mut().zip(&n_believed) {
            if *n > 0.0 {
                believed.iter_mut().for_each(|q| *q /= n);
            } else {
                // A class of which training has no word: what is rare elsewhere is the best guess.
                believed.clone_from(&self.rare_tags);
            }
        }
        self.number(&seen, &believed, belief);
        self.class_tags = believed.split_off(n_known);
    }

    /// A lexical rule for every pair that was seen or is believed in.
    fn number(&mut self, seen: &[Vec<f64>], believed: &[Vec<f64>], belief: f64) {
        let mut mass = Vec::new();
        let mut totals = vec![0.0; self.tags.len()];
        for (emission, (seen, believed)) in seen.iter().zip(believed).enumerate() {
            for tag in 0..self.tags.len() {
                let here = seen[tag] + belief * believed[tag];
                if seen[tag] > 0.0 || belief * believed[tag] > LEAST_BELIEF {
                    self.pairs.push((tag as u32, emission as u32));
                    totals[tag] += here;
                    mass.push(here);
                }
            }
            if self.pairs.len() as u32 == self.starts[emission] {
                // No word may be without a reading, not even one of a kind that nobody has seen or expects.
                for tag in (0..self.tags.len()).filter(|&tag| believed[tag] > 0.0) {
                    self.pairs.push((tag as u32, emission as u32));
                    totals[tag] += LEAST_BELIEF * believed[tag];
                    mass.push(LEAST_BELIEF * believed[tag]);
                }
            }
            self.starts.push(self.pairs.len() as u32);
        }
        self.coarse =
            self.pairs.iter().zip(mass).map(|((tag, _), mass)| mass / totals[*tag as usize]).collect();
    }
}

/// Belief below this many tokens is not worth a rule.
const LEAST_BELIEF: f64 = 1e-3;

/// The share of each tag in all rows; even if there is nothing in them.
fn shares(rows: &[Vec<f64>], n_tags: usize) -> Vec<f64> {
    let sum = |tag: usize| rows.iter().map(|row| row[tag]).sum::<f64>() + EPSILON;
    let total: f64 = (0..n_tags).map(sum).sum();
    (0..n_tags).map(|tag| sum(tag) / total).collect()
}

const EPSILON: f64 = 1e-3;

/// What the options say, and what cross-validation says where they leave it open.
fn setting(
    sentences: &[Vec<TaggedForm<'_>>],
    tags: &[Category],
    options: &LexiconOptions,
    workers: &Workers,
) -> Setting {
    let fixed = Setting { n_clusters: options.n_clusters.unwrap_or(0), threshold: options.rare.unwrap_or(3) };
    if options.rare.is_some() && options.n_clusters.is_some() {
        return fixed;
    }
    let tag = |tag: Category| tags.binary_search(&tag).unwrap_or(0) as u32;
    let sentences: Vec<Vec<(&str, u32)>> = sentences
        .iter()
        .take(options.most_sentences)
        .map(|sentence| sentence.iter().map(|token| (token.form, tag(token.tag))).collect())
        .collect();
    let choices = ChooseOptions {
        n_clusters: options.n_clusters.map_or_else(|| vec![1, 10, 50], |n| vec![n.max(1)]),
        thresholds: options.rare.map_or_else(|| vec![2, 3, 5, 10], |rare| vec![rare]),
        tags: options.model.clone(),
        rare_words: options.rare_words,
        seed: options.seed,
        ..ChooseOptions::default()
    };
    // One sentence is too few to be divided; then the defaults stand.
    choose(&sentences, tags.len(), &choices, workers).map_or(fixed, |choice| choice.best)
}

fn classes(
    sentences: &[Vec<TaggedForm<'_>>],
    raw: &[Vec<Text>],
    n_clusters: usize,
    options: &LexiconOptions,
) -> Classes {
    let only = options.rare_words != RareWords::ClusterAsFeature;
    if n_clusters < 2 && !only {
        return Classes::Shape(None);
    }
    let cluster_options =
        ClusterOptions { n_clusters: n_clusters.max(1), seed: options.seed, ..ClusterOptions::default() };
    let trees = sentences.iter().map(|sentence| sentence.iter().map(|token| token.form).collect::<Vec<_>>());
    let raw = raw.iter().map(|sentence| sentence.iter().map(Text::as_str).collect());
    let clusters = Clusters::fit(trees.chain(raw), &cluster_options);
    if only { Classes::Cluster(clusters) } else { Classes::Shape(Some(clusters)) }
}

fn fit(
    sentences: &[Vec<TaggedForm<'_>>],
    tags: &[Category],
    classes: &Classes,
    options: &TagModelOptions,
) -> TagModel {
    let mut counts: IndexMap<(&str, bool, Category), f64, FxBuildHasher> = IndexMap::default();
    for (at, token) in sentences.iter().flat_map(|sentence| sentence.iter().enumerate()) {
        *counts.entry((token.form, at == 0, token.tag)).or_default() += 1.0;
    }
    let observations: Vec<Observation<'_>> = counts
        .iter()
        .map(|(&(form, first, tag), &count)| {
            let tag = tags.binary_search(&tag).unwrap_or(0) as u32;
            Observation { form, first, tag, count }
        })
        .collect();
    let extra: Vec<Vec<u64>> =
        observations.iter().map(|seen| classes.extra(seen.form, seen.first).into_iter().collect()).collect();
    let extra: Vec<&[u64]> = extra.iter().map(Vec::as_slice).collect();
    TagModel::fit_with(&observations, &extra, tags.len(), options)
}

fn frequent(sentences: &[Vec<TaggedForm<'_>>], rare: u32) -> IndexMap<Text, u32, FxBuildHasher> {
    let mut counts: IndexMap<&str, u32, FxBuildHasher> = IndexMap::default();
    for token in sentences.iter().flatten() {
        *counts.entry(token.form).or_default() += 1;
    }
    counts.into_iter().filter(|(_, n)| *n >= rare.max(1)).map(|(form, n)| (Text::new(form), n)).collect()
}
