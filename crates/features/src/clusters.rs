//! Clusters of words that look alike and stand beside the same words.
//!
//! Words that were there when the clusters were made keep theirs. Any other word gets the nearest centroid,
//! measured in what is known about it: its form, and one neighbour on either side or none.
//! After Sun, Mielens & Baldridge (2014), who replace rare words by such clusters.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::kmeans::{KMeans, KMeansOptions, SparseVector, argmin, k_means};
use crate::word_vectors::{N_BLOCKS, WordSpace, count_features};

/// How clusters are made.
#[derive(Clone, Debug, PartialEq)]
pub struct ClusterOptions {
    /// The number of clusters wanted.
    pub n_clusters: usize,
    /// So many of the most frequent words are told apart as neighbours; the others are alike.
    pub n_context_words: usize,
    /// Features of form are used if so many different words have them.
    pub min_words: usize,
    /// The weight of a word's form, relative to that of its left or right neighbours.
    pub form_weight: f64,
    /// Iterations of k-means at most.
    pub max_iterations: usize,
    /// The seed of the starting centroids.
    pub seed: u64,
}

impl Default for ClusterOptions {
    fn default() -> ClusterOptions {
        let KMeansOptions { n_clusters, max_iterations, seed } = KMeansOptions::default();
        ClusterOptions {
            n_clusters,
            n_context_words: 100,
            min_words: 3,
            form_weight: 2.0,
            max_iterations,
            seed,
        }
    }
}

/// A partition of all words, seen and unseen, into classes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Clusters {
    n_clusters: u32,
    /// The words that were clustered, and their clusters.
    seen: BTreeMap<String, u32>,
    space: WordSpace,
    /// `centroids[dimension * n_clusters + cluster]`.
    centroids: Vec<f32>,
    /// Squared length of each block of each centroid: `norms[block * n_clusters + cluster]`.
    norms: Vec<f64>,
}

impl Clusters {
    /// Clusters the words of `sentences`.
    ///
    /// Feed it the training sentences, or any raw text, to have unseen words classified by their features
    /// (inductive); feed it the sentences to be parsed as well to have their words clustered too
    /// (transductive).
    pub fn fit<'a, S>(sentences: impl IntoIterator<Item = S>, options: &ClusterOptions) -> Clusters
    where
        S: IntoIterator<Item = &'a str>,
    {
        let sentences: Vec<Vec<&str>> = sentences.into_iter().map(|s| s.into_iter().collect()).collect();
        let words = count_features(&sentences, options.n_context_words);
        let space = WordSpace::new(&words, options.min_words, [options.form_weight, 1.0, 1.0]);
        let points: Vec<SparseVector> = words.values().map(|counts| space.vector(counts)).collect();
        let k_means_options = KMeansOptions {
            n_clusters: options.n_clusters,
            max_iterations: options.max_iterations,
            seed: options.seed,
        };
        let found = k_means(&points, space.n_dimensions(), &k_means_options);
        Clusters::new(words.keys().copied(), space, &found)
    }

    fn new<'a>(forms: impl Iterator<Item = &'a str>, space: WordSpace, found: &KMeans) -> Clusters {
        let n = found.n_clusters.max(1);
        let mut norms = vec![0.0; N_BLOCKS * n];
        for (block, row) in space.blocks().zip(found.centroids.chunks(n)) {
            let norms = &mut norms[block * n..][..n];
            norms.iter_mut().zip(row).for_each(|(norm, mean)| *norm += mean * mean);
        }
        Clusters {
            n_clusters: n as u32,
            seen: forms.map(str::to_owned).zip(found.assignment.iter().copied()).collect(),
            space,
            centroids: found.centroids.iter().map(|&mean| mean as f32).collect(),
            norms,
        }
    }

    /// The number of clusters, at least 1.
    pub fn n_clusters(&self) -> usize {
        self.n_clusters as usize
    }

    /// The cluster of a word that was there when the clusters were made.
    pub fn seen(&self, form: &str) -> Option<u32> {
        self.seen.get(form).copied()
    }

    /// The cluster of any word; always less than [`Clusters::n_clusters`].
    ///
    /// Neighbours matter only for a word that was not clustered itself, and `None` says that one is not
    /// known or not there. `first` says that the word begins its sentence.
    pub fn class(&self, form: &str, first: bool, left: Option<&str>, right: Option<&str>) -> u32 {
        self.seen(form).unwrap_or_else(|| self.nearest(form, first, left, right))
    }

    /// argmin_c |x − c|² over the blocks that x has; |x|² is the same for every c.
    fn nearest(&self, form: &str, first: bool, left: Option<&str>, right: Option<&str>) -> u32 {
        let n = self.n_clusters();
        let mut distances = vec![0.0; n];
        let blocks = self.space.blocks_of(&self.space.occurrence(form, first, left, right));
        for (block, entries) in blocks.iter().enumerate().filter(|(_, entries)| !entries.is_empty()) {
            let norms = &self.norms[block * n..][..n];
            distances.iter_mut().zip(norms).for_each(|(distance, norm)| *distance += norm);
            for &(dimension, value) in entries {
                let row = &self.centroids[dimension as usize * n..][..n];
                distances.iter_mut().zip(row).for_each(|(d, &mean)| *d -= 2.0 * value * f64::from(mean));
            }
        }
        argmin(&distances) as u32
    }
}
