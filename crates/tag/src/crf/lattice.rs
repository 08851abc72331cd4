//! Sums over all sequences of tags: forwards, then backwards.

use crate::Choice;

/// Weights of pairs of neighbouring tags, as numbers to multiply with.
#[derive(Debug, Clone, Default)]
pub(super) struct Transitions {
    n_tags: usize,
    /// exp(w_ab − m), a row for each tag a.
    exps: Vec<f64>,
    /// m, the largest weight.
    largest: f64,
}

impl Transitions {
    /// From a row of weights for each tag.
    pub(super) fn new(n_tags: usize, weights: &[f32]) -> Transitions {
        let mut transitions = Transitions::default();
        transitions.fill(n_tags, weights);
        transitions
    }

    /// The same in memory that is there already.
    pub(super) fn fill(&mut self, n_tags: usize, weights: &[f32]) {
        self.n_tags = n_tags;
        self.largest = f64::from(weights.iter().copied().fold(f32::NEG_INFINITY, f32::max));
        self.exps.clear();
        self.exps.extend(weights.iter().map(|&w| libm::exp(f64::from(w) - self.largest)));
    }
}

/// The lattice of a sentence.
#[derive(Debug, Clone, Default)]
pub(super) struct Lattice {
    n_tags: usize,
    /// e_i(a) = exp(s_i(a) − max_b s_i(b)), zero for tags that are not allowed.
    exps: Vec<f64>,
    /// α_i(a), which adds up to one over a.
    forward: Vec<f64>,
    /// β_i(a), scaled by the same numbers.
    backward: Vec<f64>,
    /// c_i, by which α_i was divided.
    scales: Vec<f64>,
    marginals: Vec<f64>,
    buffer: Vec<f64>,
}

impl Lattice {
    /// ln Σ exp(score) over the sequences that are allowed, and all marginals; `None` if the sum is zero or no number. Scores
    /// are a row for each word; `choices` is empty if everything is allowed.
    pub(super) fn run(
        &mut self,
        scores: &[f32],
        transitions: &Transitions,
        choices: &[Choice],
    ) -> Option<f64> {
        self.n_tags = transitions.n_tags;
        let shift = self.exponentiate(scores, choices);
        let ln_scales = self.forwards(transitions)?;
        self.backwards(transitions);
        let n_pairs = self.scales.len().saturating_sub(1) as f64;
        Some(shift + ln_scales + n_pairs * transitions.largest)
    }

    /// The marginals of words that have nothing to do with one another; all tags are as probable where scores are no numbers.
    pub(super) fn run_apart(&mut self, n_tags: usize, scores: &[f32], choices: &[Choice]) {
        self.n_tags = n_tags;
        self.exponentiate(scores, choices);
        self.marginals.clear();
        for row in self.exps.chunks_exact(n_tags) {
            let sum: f64 = row.iter().sum();
            let is_fine = sum > 0.0 && sum.is_finite();
            let even = 1.0 / n_tags as f64;
            self.marginals.extend(row.iter().map(|exp| if is_fine { exp / sum } else { even }));
        }
    }

    /// All marginals, a row for each word.
    pub(super) fn marginals(&self) -> &[f64] {
        &self.marginals
    }

    /// Adds weight · p(a, b) to the sum of each pair of neighbouring tags.
    pub(super) fn add_pairs(&mut self, transitions: &Transitions, weight: f64, sums: &mut [f64]) {
        let k = self.n_tags;
        for i in 1..self.scales.len() {
            // p(a, b) = α_{i−1}(a) T(a, b) e_i(b) β_i(b) / c_i
            self.fill_buffer(i);
            let before = &self.forward[(i - 1) * k..][..k];
            for ((alpha, row), sums) in
                before.iter().zip(transitions.exps.chunks_exact(k)).zip(sums.chunks_exact_mut(k))
            {
                let alpha = weight * alpha;
                let pairs = row.iter().zip(&self.buffer);
                sums.iter_mut().zip(pairs).for_each(|(sum, (t, b))| *sum += alpha * t * b);
            }
        }
    }

    /// Fills e; returns Σ of what was taken off the scores.
    fn exponentiate(&mut self, scores: &[f32], choices: &[Choice]) -> f64 {
        let k = self.n_tags;
        self.exps.clear();
        let mut shift = 0.0;
        for (i, row) in scores.chunks_exact(k).enumerate() {
            let choice = choices.get(i).filter(|choice| restricts(choice, k));
            let allowed = |tag: usize| choice.is_none_or(|choice| allows(choice, tag));
            let listed = row.iter().enumerate().filter(|(tag, _)| allowed(*tag));
            let largest = f64::from(listed.map(|(_, &score)| score).fold(f32::NEG_INFINITY, f32::max));
            shift += largest;
            let exp = |(tag, &score): (usize, &f32)| {
                if allowed(tag) { libm::exp(f64::from(score) - largest) } else { 0.0 }
            };
            self.exps.extend(row.iter().enumerate().map(exp));
        }
        shift
    }

    /// α_0 = e_0 / c_0,   α_i(b) = e_i(b) Σ_a α_{i−1}(a) T(a, b) / c_i; returns Σ ln c_i.
    fn forwards(&mut self, transitions: &Transitions) -> Option<f64> {
        let k = self.n_tags;
        self.scales.clear();
        self.forward.clear();
        self.forward.extend_from_slice(&self.exps);
        let mut ln_scales = 0.0;
        for i in 0..self.exps.len() / k {
            let (before, rest) = self.forward.split_at_mut(i * k);
            let here = &mut rest[..k];
            if i > 0 {
                self.buffer.clear();
                self.buffer.resize(k, 0.0);
                for (alpha, row) in before[(i - 1) * k..].iter().zip(transitions.exps.chunks_exact(k)) {
                    self.buffer.iter_mut().zip(row).for_each(|(sum, t)| *sum += alpha * t);
                }
                here.iter_mut().zip(&self.buffer).for_each(|(alpha, sum)| *alpha *= sum);
            }
            let scale: f64 = here.iter().sum();
            if !(scale > 0.0 && scale.is_finite()) {
                return None;
            }
            here.iter_mut().for_each(|alpha| *alpha /= scale);
            ln_scales += libm::log(scale);
            self.scales.push(scale);
        }
        Some(ln_scales)
    }

    /// β_{n−1} = 1,   β_{i−1}(a) = Σ_b T(a, b) e_i(b) β_i(b) / c_i,   p_i(a) = α_i(a) β_i(a)
    fn backwards(&mut self, transitions: &Transitions) {
        let k = self.n_tags;
        self.backward.clear();
        self.backward.resize(self.exps.len(), 1.0);
        for i in (1..self.scales.len()).rev() {
            self.fill_buffer(i);
            let before = &mut self.backward[(i - 1) * k..i * k];
            for (beta, row) in before.iter_mut().zip(transitions.exps.chunks_exact(k)) {
                *beta = row.iter().zip(&self.buffer).map(|(t, b)| t * b).sum();
            }
        }
        self.marginals.clear();
        self.marginals.extend(self.forward.iter().zip(&self.backward).map(|(alpha, beta)| alpha * beta));
    }

    /// e_i(b) β_i(b) / c_i
    fn fill_buffer(&mut self, i: usize) {
        let here = i * self.n_tags..(i + 1) * self.n_tags;
        let products = self.exps[here.clone()].iter().zip(&self.backward[here]);
        self.buffer.clear();
        self.buffer.extend(products.map(|(e, beta)| e * beta / self.scales[i]));
    }
}

/// Whether a choice excludes any tag and leaves one.
pub(super) fn restricts(choice: &Choice, n_tags: usize) -> bool {
    match choice {
        Choice::Any => false,
        Choice::Known(tag) => (*tag as usize) < n_tags,
        Choice::Among(tags) => tags.iter().any(|&tag| (tag as usize) < n_tags),
    }
}

/// Whether a choice leaves a tag.
pub(super) fn allows(choice: &Choice, tag: usize) -> bool {
    match choice {
        Choice::Any => true,
        Choice::Known(known) => *known as usize == tag,
        Choice::Among(tags) => tags.contains(&(tag as u32)),
    }
}
