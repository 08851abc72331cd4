//! Sums over all trees by the matrix–tree theorem.
//!
//! With w(h, d) the weight of an arc, r(d) that of d's arc from the root, and L the matrix with −w(h, d) off the
//! diagonal and r(d) + Σ_h w(h, d) on it, Σ over trees of Π w = det L (Tutte 1984; Koo et al. 2007; Smith & Smith
//! 2007; McDonald & Satta 2007). L is eliminated without a subtraction, after Grassmann, Taksar & Heyman (1985): with
//! D_k = r(k) + Σ_i w(i, k) over the words i that are left, word k goes by
//!
//! ```text
//! f_i = w(i, k) / D_k      w(i, j) += f_i · w(k, j)      r(j) += r(k) / D_k · w(k, j)
//! ```
//!
//! for i ≠ j, and det L = Π D_k. Nothing cancels, so that the sum is right to the last digits even if nearly all of
//! the weight is on arcs that form cycles, where factorising the matrix itself would lose all of them.
//!
//! Where one word may hang from the root, the part of det L that is linear in r is wanted: with r infinitely small,
//! D_k = Σ_i w(i, k) for all words but the last to go, and D = r for that one. A word for which the sum is zero must
//! itself hang from the root, and is made the last to go.
//!
//! Marginals are w · ∂ ln det L / ∂w, by the same steps backwards.

use tree::Heads;

use super::kept::Kept;
use super::{Marginals, Roots};

/// Memory for the elimination. Word k of the sentence stands at `order[k − 1]`.
#[derive(Debug, Clone, Default)]
pub(super) struct MatrixTree {
    n: usize,
    /// Words in the order in which they go.
    order: Vec<usize>,
    /// w(i, j) by head, then by dependent, in that order; row n is r.
    weights: Vec<f64>,
    /// w(i, k) / D_k by k, then by i; f_n is the root's.
    shares: Vec<f64>,
    pivots: Vec<f64>,
    /// ∂ ln det / ∂w in the layout of the weights.
    gradients: Vec<f64>,
}

impl MatrixTree {
    /// ln Σ and marginals; `None` if the sum is zero. Scores are relative to the best of each word, or to `best`'s.
    pub(super) fn marginals(
        &mut self,
        kept: &Kept,
        roots: Roots,
        best: Option<&Heads>,
    ) -> Option<(f64, Marginals)> {
        self.n = kept.len();
        let n = self.n;
        self.order.clear();
        self.order.extend(1..=n);
        let scale = self.fill(kept, roots, best)?;
        // The weights of the sentence are needed again: the gradients have to be multiplied by them.
        let original = self.weights.clone();
        let ln_total = self.eliminate(roots)?;
        self.differentiate(roots);
        let mut place = vec![n; n + 1];
        for (at, &word) in self.order.iter().enumerate() {
            place[word] = at;
        }
        let marginals = kept.marginals(|head, dependent| {
            let row = if head == 0 { n } else { head - 1 };
            original[row * n + dependent - 1] * self.gradients[place[head] * n + place[dependent]]
        });
        Some((ln_total + scale, marginals))
    }

    /// Fills in weights; returns the logarithm of what all trees were divided by, `None` if a word has no head.
    fn fill(&mut self, kept: &Kept, roots: Roots, best: Option<&Heads>) -> Option<f64> {
        let n = self.n;
        let references: Vec<f64> = (1..=n).map(|word| reference(kept, roots, best, word)).collect();
        if references.contains(&f64::NEG_INFINITY) {
            return None;
        }
        let from_root = (1..=n).map(|word| kept.score(0, word) - references[word - 1]);
        // With one arc from the root in every tree, these may be scaled on their own.
        let root_scale = match roots {
            Roots::One => from_root.fold(f64::NEG_INFINITY, f64::max).max(-1e300),
            Roots::Many => 0.0,
        };
        self.weights.clear();
        for head in (1..=n).chain([0]) {
            let scale = if head == 0 { root_scale } else { 0.0 };
            let relative = (1..=n).map(|word| kept.score(head, word) - references[word - 1] - scale);
            self.weights.extend(relative.map(|score| libm::exp(score.min(600.0))));
        }
        Some(references.iter().sum::<f64>() + root_scale)
    }

    fn eliminate(&mut self, roots: Roots) -> Option<f64> {
        let n = self.n;
        self.shares.clear();
        self.shares.resize(n * (n + 1), 0.0);
        self.pivots.clear();
        let mut ln_total = 0.0;
        for k in 0..n {
            let mut pivot = self.pivot(k, roots);
            if pivot == 0.0 && k + 1 < n {
                self.swap(k, n - 1);
                pivot = self.pivot(k, roots);
            }
            if !(pivot > 0.0 && pivot.is_finite()) {
                return None;
            }
            ln_total += libm::log(pivot);
            self.pivots.push(pivot);
            self.take_out(k, pivot);
        }
        Some(ln_total)
    }

    /// D_k.
    fn pivot(&self, k: usize, roots: Roots) -> f64 {
        let n = self.n;
        let words: f64 = (k + 1..n).map(|i| self.weights[i * n + k]).sum();
        let root = self.weights[n * n + k];
        if roots == Roots::Many || k + 1 == n { words + root } else { words }
    }

    fn take_out(&mut self, k: usize, pivot: f64) {
        let n = self.n;
        let (before, after) = self.weights.split_at_mut((k + 1) * n);
        let row = &before[k * n + k + 1..];
        for i in k + 1..=n {
            let heads = &mut after[(i - k - 1) * n..][..n];
            let share = heads[k] / pivot;
            self.shares[k * (n + 1) + i] = share;
            let itself = heads.get(i).copied();
            if share > 0.0 {
                heads[k + 1..].iter_mut().zip(row).for_each(|(weight, through)| *weight += share * through);
            }
            if let Some(itself) = itself {
                heads[i] = itself;
            }
        }
    }

    fn swap(&mut self, a: usize, b: usize) {
        let n = self.n;
        self.order.swap(a, b);
        for column in 0..n {
            self.weights.swap(a * n + column, b * n + column);
        }
        for row in 0..=n {
            self.weights.swap(row * n + a, row * n + b);
        }
        for k in 0..a {
            self.shares.swap(k * (n + 1) + a, k * (n + 1) + b);
        }
    }

    /// With s = ∂ ln det / ∂w and, for word k, g_i = Σ_{j ≠ i} s(i, j) · w(k, j):
    ///
    /// ```text
    /// s(k, j) = Σ_{i ≠ j} f_i · s(i, j)      s(i, k) = (g_i + 1 − Σ_i f_i · g_i) / D_k
    /// ```
    ///
    /// where the 1 is from ln D_k itself. Σ f · g is the expected number of arcs that go through k, at most n, so
    /// that the only difference here costs no more than the last digits.
    fn differentiate(&mut self, roots: Roots) {
        let n = self.n;
        self.gradients.clear();
        self.gradients.resize(n * (n + 1), 0.0);
        let mut through = vec![0.0; n + 1];
        for k in (0..n).rev() {
            let shares = &self.shares[k * (n + 1)..][..=n];
            let row = &self.weights[k * n + k + 1..(k + 1) * n];
            let (upper, lower) = self.gradients.split_at_mut((k + 1) * n);
            let above = &mut upper[k * n + k + 1..];
            for i in k + 1..=n {
                let gradients = &mut lower[(i - k - 1) * n + k + 1..][..n - k - 1];
                // The gradient of a word's arc to itself stays zero.
                through[i] = gradients.iter().zip(row).map(|(gradient, weight)| gradient * weight).sum();
                if shares[i] > 0.0 {
                    above
                        .iter_mut()
                        .zip(&*gradients)
                        .for_each(|(sum, gradient)| *sum += shares[i] * gradient);
                }
            }
            let counted = |i: usize| i < n || roots == Roots::Many || k + 1 == n;
            let used: f64 = (k + 1..=n).map(|i| shares[i] * through[i]).sum();
            for (i, through) in through.iter().enumerate().skip(k + 1) {
                let own = if counted(i) { 1.0 - used } else { 0.0 };
                lower[(i - k - 1) * n + k] = (through + own) / self.pivots[k];
            }
        }
    }
}

/// What a word's scores are relative to.
fn reference(kept: &Kept, roots: Roots, best: Option<&Heads>, word: usize) -> f64 {
    if let Some(best) = best {
        return kept.best_score(best, word);
    }
    let largest = |scores: &[f64]| scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let row = kept.row(word);
    match roots {
        // A word without other heads hangs from the root, whose scores are relative to each other.
        Roots::One if largest(&row[1..]) > f64::NEG_INFINITY => largest(&row[1..]),
        _ => largest(row),
    }
}
