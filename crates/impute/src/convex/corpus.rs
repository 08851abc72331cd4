//! All arcs of all sentences.

use chain::Workers;
use rustc_hash::FxHashMap;
use tree::Heads;

use super::ConvexOptions;
use super::features::{FeatureTable, Numbered};
use super::space::{Space, TreeScratch};
use super::watch::{CHUNK, Watch};
use crate::{ArcPosteriors, Fragment};
use arcs::rules::{self, RuleTable};

/// The arcs of the corpus: y, X and what is linear in the objective.
#[derive(Debug)]
pub(super) struct ArcCorpus {
    pub(super) table: FeatureTable,
    pub(super) sentences: Vec<Arcs>,
    /// n, the number of arcs.
    pub(super) n_arcs: usize,
}

/// The arcs of one sentence, by dependent from 1 and then by head from 0, as in `ArcScores`.
///
/// A word's arc to itself and all arcs of words that are left out have a place, but no features, and y is 0.
#[derive(Debug)]
pub(super) struct Arcs {
    pub(super) n_words: usize,
    pub(super) space: Space,
    /// The features of arc a are `features[starts[a]..starts[a + 1]]`; all have the value 1.
    starts: Vec<u32>,
    features: Vec<u32>,
    /// ω, how much each word's arcs count in the fit.
    trust: Vec<f64>,
    /// n Ω (μ u + ξ v).
    pub(super) prior: Vec<f64>,
    pub(super) y: Vec<f64>,
    /// Xw.
    pub(super) fitted: Vec<f64>,
    /// The last vertex s, as heads, and X w(s).
    pub(super) vertex: Heads,
    pub(super) fitted_vertex: Vec<f64>,
}

impl ArcCorpus {
    /// Lists the arcs; y is where training starts. `None` if somebody stopped it.
    pub(super) fn new(
        mut table: FeatureTable,
        fragments: &[Fragment],
        options: &ConvexOptions,
        workers: &Workers,
        watch: &mut Watch<'_>,
    ) -> Option<ArcCorpus> {
        let rules = RuleWeights::new(&table, &options.rules);
        // Keys are found in parallel and numbered in order, so that numbers do not depend on the threads.
        let keys = workers.map(fragments, |_, fragment| keys(&table, fragment));
        let mut learned = FxHashMap::default();
        let numbered: Vec<(Vec<u32>, Vec<u32>)> =
            keys.into_iter().map(|(starts, keys)| (starts, table.learn(&keys, &mut learned))).collect();
        table.learned();
        let mut spaces = Vec::with_capacity(fragments.len());
        for chunk in fragments.chunks(CHUNK) {
            watch.ask()?;
            let first = spaces.len();
            spaces.extend(workers.map_with(chunk, TreeScratch::default, |scratch, i, fragment| {
                let prior = prior(&table.number(fragment), fragment, &rules, options);
                let space = Space::new(fragment, options, scratch);
                let y = start(fragment, &space, &prior, scratch, &numbered[first + i].0);
                (space, prior, y)
            }));
        }
        let any_known =
            fragments.iter().any(|fragment| (1..=fragment.len()).any(|word| is_known(fragment, word)));
        let open_trust = if any_known { options.open_trust } else { 1.0 };
        let sentences: Vec<Arcs> = fragments
            .iter()
            .zip(numbered)
            .zip(spaces)
            .map(|((fragment, (starts, features)), (space, mut prior, y))| {
                let trust = trust(fragment, open_trust);
                // What rules say of an open word counts as little as what the model says of it.
                prior.iter_mut().enumerate().for_each(|(arc, c)| *c *= trust[arc / (fragment.len() + 1)]);
                Arcs {
                    n_words: fragment.len(),
                    space,
                    trust,
                    starts,
                    features,
                    fitted: vec![0.0; prior.len()],
                    fitted_vertex: vec![0.0; prior.len()],
                    prior,
                    y,
                    vertex: Heads::new(Vec::new()).expect("no words form no cycle"),
                }
            })
            .collect();
        let n_arcs = sentences.iter().map(Arcs::n_arcs).sum::<usize>().max(1);
        Some(ArcCorpus { table, sentences, n_arcs })
    }
}

impl Arcs {
    /// The number of arcs that can be.
    fn n_arcs(&self) -> usize {
        (0..self.prior.len()).filter(|&arc| self.starts[arc] < self.starts[arc + 1]).count()
    }

    /// Whether a word is no part of the tree.
    pub(super) fn is_left_out(&self, word: usize) -> bool {
        let width = self.n_words + 1;
        self.starts[(word - 1) * width] == self.starts[word * width]
    }

    /// The arcs of the last vertex.
    pub(super) fn vertex_arcs(&self) -> impl Iterator<Item = usize> {
        let words = (1..=self.n_words).filter(|&word| !self.is_left_out(word));
        words.map(|word| (word - 1) * (self.n_words + 1) + self.vertex.head(word))
    }

    fn row(&self, arc: usize) -> &[u32] {
        &self.features[self.starts[arc] as usize..self.starts[arc + 1] as usize]
    }

    /// (Xw) of an arc.
    pub(super) fn product(&self, arc: usize, weights: &[f64]) -> f64 {
        self.row(arc).iter().map(|&feature| weights[feature as usize]).sum()
    }

    /// ω of an arc: that of its dependent.
    pub(super) fn trust(&self, arc: usize) -> f64 {
        self.trust[arc / (self.n_words + 1)]
    }

    /// sums += ω · value · (row of X).
    pub(super) fn add_row(&self, arc: usize, value: f64, sums: &mut [f64]) {
        let value = self.trust(arc) * value;
        for &feature in self.row(arc) {
            sums[feature as usize] += value;
        }
    }

    /// sums += XᵀΩX w, over the arcs of this sentence.
    pub(super) fn add_gram(&self, weights: &[f64], sums: &mut [f64]) {
        for arc in 0..self.prior.len() {
            let product = self.product(arc, weights);
            if product != 0.0 {
                self.add_row(arc, product, sums);
            }
        }
    }
}

/// 1 for words whose head is known, and `open` for others.
fn trust(fragment: &Fragment, open: f64) -> Vec<f64> {
    (1..=fragment.len()).map(|word| if is_known(fragment, word) { 1.0 } else { open }).collect()
}

fn is_known(fragment: &Fragment, word: usize) -> bool {
    !fragment.possible.is_free() && fragment.possible.whole().required_head(word).is_some()
}

/// What rules say of each pair of tags.
pub(super) struct RuleWeights {
    width: usize,
    weights: Vec<f64>,
}

impl RuleWeights {
    /// The weights of all pairs of tags; a tag that training did not see follows no rule.
    pub(super) fn new(table: &FeatureTable, rules: &RuleTable) -> RuleWeights {
        // Tag numbers begin with the root and the edge of the sentence; the latter has no rules.
        let names = [rules::ROOT, ""].into_iter().chain(table.tags().map(|tag| tag.as_str()));
        let names: Vec<&str> = names.collect();
        let weights =
            names.iter().flat_map(|head| names.iter().map(|dependent| rules.weight(head, dependent)));
        RuleWeights { width: names.len(), weights: weights.collect() }
    }

    pub(super) fn of(&self, head: Option<u32>, dependent: Option<u32>) -> f64 {
        let pair =
            head.zip(dependent).map(|(head, dependent)| head as usize * self.width + dependent as usize);
        pair.and_then(|pair| self.weights.get(pair)).copied().unwrap_or(0.0)
    }
}

/// n (μ u + ξ v) of every arc: v is 1 for the only head that any case leaves, −1 for a head that none leaves.
pub(super) fn prior(
    sentence: &Numbered,
    fragment: &Fragment,
    rules: &RuleWeights,
    options: &ConvexOptions,
) -> Vec<f64> {
    let (n_words, possible) = (fragment.len(), &fragment.possible);
    let mut prior = vec![0.0; n_words * (n_words + 1)];
    let free = possible.is_free();
    for dependent in 1..=n_words {
        if possible.left_out(dependent) {
            continue;
        }
        let row = &mut prior[(dependent - 1) * (n_words + 1)..][..=n_words];
        let allowed = |head: &usize| free || possible.allows_arc(*head, dependent);
        let only = (0..=n_words).filter(|&head| head != dependent).filter(allowed).take(2).count() == 1;
        for head in (0..=n_words).filter(|&head| head != dependent) {
            let said = match allowed(&head) {
                true if only => 1.0,
                true => 0.0,
                false => -1.0,
            };
            let rule = rules.of(sentence.tags[head], sentence.tags[dependent]);
            row[head] = options.mu * rule + options.xi * said;
        }
    }
    prior
}

/// The features of each arc, packed.
fn keys(table: &FeatureTable, fragment: &Fragment) -> (Vec<u32>, Vec<u64>) {
    let sentence = table.number(fragment);
    let n_words = fragment.len();
    let (mut starts, mut keys) = (vec![0], Vec::new());
    let kept = |word: usize| word == 0 || !fragment.possible.left_out(word);
    for dependent in 1..=n_words {
        for head in 0..=n_words {
            if head != dependent && kept(head) && kept(dependent) {
                table.each(&sentence, head, dependent, |key| keys.push(key));
            }
            starts.push(keys.len() as u32);
        }
    }
    (starts, keys)
}

/// Where y starts: the mean of the trees that the sentence may have, drawn in proportion to e to the number of rules
/// that they follow. It is in the convex hull whatever the annotation, and far from all of its corners.
fn start(
    fragment: &Fragment,
    space: &Space,
    prior: &[f64],
    scratch: &mut TreeScratch,
    starts: &[u32],
) -> Vec<f64> {
    let width = fragment.len() + 1;
    scratch.scores.reset(fragment.len());
    let scale = 1.0 / prior.iter().fold(1e-9, |largest: f64, value| largest.max(value.abs()));
    for (dependent, row) in (1..).zip(prior.chunks(width)) {
        for (head, value) in row.iter().enumerate() {
            let arc = (dependent - 1) * width + head;
            if starts[arc] < starts[arc + 1] {
                scratch.scores.set(head, dependent, value * scale);
            }
        }
    }
    let means = space.posteriors(scratch);
    mean_arcs(&means, starts)
}

fn mean_arcs(means: &ArcPosteriors, starts: &[u32]) -> Vec<f64> {
    let arcs = (1..=means.n_words()).flat_map(|word| means.row(word).iter().copied());
    arcs.zip(starts.windows(2)).map(|(mean, row)| if row[0] < row[1] { mean } else { 0.0 }).collect()
}
