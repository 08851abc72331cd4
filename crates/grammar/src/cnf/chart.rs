//! Everything that is asked of the trees of a sentence.

use forest::semiring::{Mass, Wide};
use forest::{Scaled, derive};
use tree::Span;

use super::count::SpanPosteriors;
use super::inside::{Inside, Pairs, Split};
use super::{Laid, Node, Tree, best_brackets};

/// Sums over all trees of a sentence; it holds memory that is used again.
///
/// Methods that take a sentence must be given the one that the chart was filled with.
#[derive(Debug, Clone)]
pub struct Chart {
    inside: Inside,
    pairs: Pairs,
    posteriors: SpanPosteriors,
    /// Whether plain numbers sufficed.
    is_narrow: bool,
    ln_total: f64,
}

impl Default for Chart {
    fn default() -> Chart {
        Chart {
            inside: Inside::default(),
            pairs: Pairs::default(),
            posteriors: SpanPosteriors::default(),
            is_narrow: true,
            ln_total: f64::NEG_INFINITY,
        }
    }
}

impl Chart {
    /// Sums over all trees and returns the logarithm; −∞ if every one weighs 0, or the sentence is empty or
    /// longer than [`Laid::fits`].
    pub fn fill(&mut self, laid: &Laid<'_>) -> f64 {
        self.is_narrow = true;
        self.ln_total = match laid.words {
            [] => f64::NEG_INFINITY,
            _ if !laid.fits() => f64::NEG_INFINITY,
            _ => self.narrow_total(laid).unwrap_or_else(|| {
                self.is_narrow = false;
                Scaled::wide(laid).ln_total()
            }),
        };
        self.ln_total
    }

    fn narrow_total(&mut self, laid: &Laid<'_>) -> Option<f64> {
        self.inside.fill(laid, &mut self.pairs)?;
        let (root, exponent) = self.inside.root();
        Some(Wide::new(root.sum(), exponent).ln())
    }

    /// Whether plain numbers sufficed.
    pub fn is_narrow(&self) -> bool {
        self.is_narrow
    }

    /// Adds `share` times the expected number of each event.
    pub fn add_events(&mut self, laid: &Laid<'_>, share: f64, counts: &mut [f64]) {
        if self.ln_total == f64::NEG_INFINITY {
            return;
        }
        if !self.is_narrow {
            let inside = Scaled::wide(laid);
            inside.outside().bundles(|_, bundle, p| {
                if let Some(count) = counts.get_mut(bundle.rule as usize) {
                    *count += share * p;
                }
            });
            return;
        }
        self.posteriors.fill(&self.inside, &mut self.pairs);
        let local = &self.inside.local;
        local.add_rules(laid, &self.posteriors.rules, share, counts);
        let mut of_labels = |span: (usize, usize), event: &dyn Fn(usize) -> Option<usize>| {
            let (range, first) = self.inside.vector(span);
            for (p, &label) in self.posteriors.labels[range].iter().zip(&local.labels[first..]) {
                event(label).into_iter().for_each(|event| counts[event] += share * p);
            }
        };
        of_labels((0, laid.words.len()), &|label| Some(laid.shape.root(label)));
        for (at, &word) in laid.words.iter().enumerate() {
            of_labels((at, at + 1), &|label| laid.shape.emit(label, word));
        }
    }

    /// The probability that there is a node over `start..end`, at `start · (n + 1) + end`.
    pub fn spans(&mut self, laid: &Laid<'_>) -> Vec<f64> {
        let n = laid.words.len();
        let mut spans = vec![0.0; (n + 1) * (n + 1)];
        if self.ln_total == f64::NEG_INFINITY {
            return spans;
        }
        if !self.is_narrow {
            let inside = Scaled::wide(laid);
            inside.outside().bundles(|item, _, p| {
                if let Some(Node { start, end, .. }) = laid.node(item) {
                    spans[start as usize * (n + 1) + end as usize] += p;
                }
            });
            return spans;
        }
        self.posteriors.fill(&self.inside, &mut self.pairs);
        for (start, end) in (0..n).flat_map(|start| (start + 1..=n).map(move |end| (start, end))) {
            let (range, _) = self.inside.vector((start, end));
            spans[start * (n + 1) + end] = self.posteriors.labels[range].iter().sum();
        }
        spans
    }

    /// The brackets of which most are expected to be right, whatever their labels; `None` if there is no tree.
    pub fn mbr(&mut self, laid: &Laid<'_>) -> Option<Vec<Span>> {
        let n = laid.words.len();
        if self.ln_total == f64::NEG_INFINITY {
            return None;
        }
        let spans = self.spans(laid);
        Some(best_brackets(n, |start, end| spans[start * (n + 1) + end]))
    }

    /// Draws a tree in proportion to its weight; false if there is none. `uniform` is asked once per node.
    pub fn sample(&mut self, laid: &Laid<'_>, mut uniform: impl FnMut() -> f64, tree: &mut Tree) -> bool {
        tree.nodes.clear();
        if self.ln_total == f64::NEG_INFINITY {
            return false;
        }
        if !self.is_narrow {
            *tree = Scaled::wide(laid).sample(uniform).map(|drawn| laid.tree(&drawn)).unwrap_or_default();
            return !tree.nodes.is_empty();
        }
        let whole = (0, laid.words.len());
        let (root, _) = self.inside.root();
        let mut rest = uniform() * root.clone().sum::<f64>();
        let mut open = vec![(self.inside.vector(whole).1 + derive::draw(root, &mut rest), whole)];
        while let Some((label, (start, end))) = open.pop() {
            let name = self.inside.local.labels[label] as u32;
            tree.nodes.push(Node { label: name, start: start as u32, end: end as u32 });
            if end - start > 1 {
                open.extend(self.take_apart(label, (start, end), uniform()));
            }
        }
        true
    }

    /// Draws split and children of a nonterminal, the right child first.
    fn take_apart(
        &mut self,
        parent: usize,
        span: (usize, usize),
        fraction: f64,
    ) -> [(usize, (usize, usize)); 2] {
        let (inside, local) = (&self.inside, &self.inside.local);
        let m = local.m();
        // P(B, C | A) ∝ rule(A, B, C) · pairs(B, C), and P(k | B, C) ∝ inside(B, i, k) · inside(C, k, j).
        let pairs = &mut self.pairs;
        pairs.fill(inside, span);
        let rules = &local.rules[parent * m * m..(parent + 1) * m * m];
        let shares = rules.iter().zip(&pairs.sums).map(|(rule, sum)| rule * sum);
        let mut rest = fraction * shares.clone().sum::<f64>();
        let pair = derive::draw(shares, &mut rest);
        let (left, right) = (pair / m, pair % m);
        let splits = pairs.splits(inside, span);
        let products = splits
            .clone()
            .map(|Split { spans: [l, r], scale }| inside.value(l, left) * scale * inside.value(r, right));
        let mut rest = rest / rules[pair];
        let split = derive::draw(products, &mut rest);
        let [l, r] = splits.clone().nth(split).map_or([span; 2], |split| split.spans);
        [(right, r), (left, l)]
    }

    /// The best tree and the logarithm of its weight; `None` if every one weighs 0. The chart need not be filled.
    pub fn best(laid: &Laid<'_>) -> Option<(Tree, f64)> {
        let (derivation, value) = laid.fits().then(|| derive::best(laid))??;
        Some((laid.tree(&derivation), value))
    }
}
