//! P(word | tag) with clusters for rare words, as a distribution over a closed vocabulary.
//!
//! The vocabulary U holds all forms that can occur, those without training counts too. A word seen less
//! than θ times in training is rare; let k(w) be its cluster. Given its tag t, and whether it stands first
//! in its sentence, a word comes about in two steps. First an event e: either a frequent word itself, or
//! a cluster with a rare word in it. Then, if it was a cluster, one of its rare words:
//!
//! ```text
//! P(w | t) = P(w | t)                      for a frequent w
//! P(w | t) = P(k(w) | t) · P(w | t, k(w))  for a rare w
//!
//! P(e | t)    = (c(t, e) + T(t) r(e)) / (c(t) + T(t))
//! P(w | t, k) = r(w) q(t | w) / Z(t, k),   Z(t, k) = Σ_{rare w' in k} r(w') q(t | w')
//! r(w)        = (c(w) + 1) / (N + |U|),    r(k) = Σ_{rare w in k} r(w)
//! ```
//!
//! T(t) is one more than the number of events seen with t (Witten & Bell 1991) and q the log-linear model.
//! P(w | t, k) is Bayes' rule: with q̄(t | k) = Z(t, k) / r(k), the mean of q over the cluster, it is
//! (q(t | w) / q̄(t | k)) · r(w) / r(k). Since Σ_e r(e) = Σ_{w ∈ U} r(w) = 1, P(· | t) sums to one over U for every
//! number of clusters and every θ. Log-likelihoods of different settings are therefore comparable: each
//! predicts the exact form, and r is the same in all of them.

/// Counts of a training set over a closed vocabulary, and what the tag model says about its forms.
#[derive(Clone, Debug)]
pub(crate) struct FormCounts {
    pub(crate) n_tags: usize,
    /// (tag, count) of each form.
    pub(crate) tags: Vec<Vec<(u32, f64)>>,
    /// `q[first][form * n_tags + tag]`.
    pub(crate) q: [Vec<f64>; 2],
}

impl FormCounts {
    fn q(&self, first: bool, form: usize) -> &[f64] {
        &self.q[usize::from(first)][form * self.n_tags..][..self.n_tags]
    }

    fn count(&self, form: usize) -> f64 {
        self.tags[form].iter().map(|(_, count)| count).sum()
    }

    /// r(w) of every form.
    fn base(&self) -> Vec<f64> {
        let counts: Vec<f64> = (0..self.tags.len()).map(|form| self.count(form)).collect();
        let total = counts.iter().sum::<f64>() + counts.len() as f64;
        counts.iter().map(|count| (count + 1.0) / total).collect()
    }
}

/// P(word | tag) for one clustering and one threshold.
#[derive(Clone, Debug)]
pub(crate) struct Emission<'a> {
    counts: &'a FormCounts,
    /// The cluster of each form that is rare.
    cluster: Vec<Option<u32>>,
    base: Vec<f64>,
    /// c(t, k), row by cluster.
    joint: Vec<f64>,
    /// r(k).
    cluster_base: Vec<f64>,
    /// Z(t, k) for words that do not stand first and for words that do.
    z: [Vec<f64>; 2],
    /// c(t).
    totals: Vec<f64>,
    /// T(t).
    novelty: Vec<f64>,
}

impl<'a> Emission<'a> {
    /// `cluster[form]` is the cluster of each form, less than `n_clusters`.
    pub(crate) fn new(
        counts: &'a FormCounts,
        cluster: &[u32],
        n_clusters: usize,
        threshold: f64,
    ) -> Emission<'a> {
        let size = n_clusters * counts.n_tags;
        let rare = |(form, &cluster)| (counts.count(form) < threshold).then_some(cluster);
        let mut emission = Emission {
            counts,
            cluster: cluster.iter().enumerate().map(rare).collect(),
            base: counts.base(),
            joint: vec![0.0; size],
            cluster_base: vec![0.0; n_clusters],
            z: [vec![0.0; size], vec![0.0; size]],
            totals: vec![0.0; counts.n_tags],
            novelty: vec![1.0; counts.n_tags],
        };
        (0..counts.tags.len()).for_each(|form| emission.add(form));
        let seen = emission.joint.iter().enumerate().filter(|(_, joint)| **joint > 0.0);
        seen.for_each(|(at, _)| emission.novelty[at % counts.n_tags] += 1.0);
        emission
    }

    fn add(&mut self, form: usize) {
        for &(tag, count) in &self.counts.tags[form] {
            self.totals[tag as usize] += count;
            match self.cluster[form] {
                Some(cluster) => self.joint[cluster as usize * self.counts.n_tags + tag as usize] += count,
                None => self.novelty[tag as usize] += 1.0,
            }
        }
        let Some(cluster) = self.cluster[form] else { return };
        let base = self.base[form];
        self.cluster_base[cluster as usize] += base;
        for first in [false, true] {
            let z = &mut self.z[usize::from(first)][cluster as usize * self.counts.n_tags..];
            z.iter_mut().zip(self.counts.q(first, form)).for_each(|(z, q)| *z += base * q);
        }
    }

    /// log P(form | tag).
    pub(crate) fn log_probability(&self, form: usize, first: bool, tag: u32) -> f64 {
        let t = tag as usize;
        let event = |count: f64, base: f64| {
            libm::log((count + self.novelty[t] * base) / (self.totals[t] + self.novelty[t]))
        };
        let Some(cluster) = self.cluster[form] else {
            let count = self.counts.tags[form].iter().find(|seen| seen.0 == tag).map_or(0.0, |seen| seen.1);
            return event(count, self.base[form]);
        };
        let at = cluster as usize * self.counts.n_tags + t;
        let within = self.base[form] * self.counts.q(first, form)[t] / self.z[usize::from(first)][at];
        event(self.joint[at], self.cluster_base[cluster as usize]) + libm::log(within)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::toys::SplitMix64;

    fn random_counts(n_forms: usize, n_tags: usize, random: &mut SplitMix64) -> FormCounts {
        let tags = (0..n_forms).map(|_| {
            let seen = (0..n_tags as u32).filter(|_| random.uniform() < 0.4).collect::<Vec<_>>();
            seen.into_iter().map(|tag| (tag, 1.0 + random.below(4) as f64)).collect()
        });
        let tags = tags.collect();
        let q = [0, 1].map(|_| {
            let rows = (0..n_forms).flat_map(|_| {
                let row: Vec<f64> = (0..n_tags).map(|_| random.uniform() + 0.01).collect();
                let total: f64 = row.iter().sum();
                row.into_iter().map(move |q| q / total)
            });
            rows.collect()
        });
        FormCounts { n_tags, tags, q }
    }

    #[test]
    fn probabilities_sum_to_one_over_the_vocabulary_for_every_setting() {
        let mut random = SplitMix64(3);
        for (n_clusters, threshold) in [(1, 1.0), (1, 3.0), (2, 1.0), (3, 4.0), (7, 2.0), (7, 100.0)] {
            let counts = random_counts(12, 4, &mut random);
            let cluster: Vec<u32> = (0..12).map(|_| random.below(n_clusters) as u32).collect();
            let emission = Emission::new(&counts, &cluster, n_clusters, threshold);
            for (tag, first) in (0..4).flat_map(|tag| [(tag, false), (tag, true)]) {
                let total: f64 =
                    (0..12).map(|form| libm::exp(emission.log_probability(form, first, tag))).sum();
                assert!((total - 1.0).abs() < 1e-12, "{n_clusters} {threshold} {tag} {total}");
            }
        }
    }

    #[test]
    fn a_small_case_comes_out_as_by_hand() {
        // U = {a, b, c}; a was seen 3 times with tag 0, b once with tag 1, c never. N + |U| = 7.
        let q = vec![0.5, 0.5, 0.2, 0.8, 0.4, 0.6];
        let counts =
            FormCounts { n_tags: 2, tags: vec![vec![(0, 3.0)], vec![(1, 1.0)], vec![]], q: [q.clone(), q] };
        let emission = Emission::new(&counts, &[0, 0, 0], 1, 2.0);
        // T(0) = 2: (3 + 2 · 4/7) / (3 + 2).
        let a = libm::exp(emission.log_probability(0, false, 0));
        assert!((a - (3.0 + 8.0 / 7.0) / 5.0).abs() < 1e-12);
        // T(1) = 2, r(k) = 3/7: (1 + 2 · 3/7) / (1 + 2) · (1/7 · 0.6) / (2/7 · 0.8 + 1/7 · 0.6).
        let c = libm::exp(emission.log_probability(2, false, 1));
        assert!((c - (1.0 + 6.0 / 7.0) / 3.0 * 0.6 / 2.2).abs() < 1e-12);
    }
}
