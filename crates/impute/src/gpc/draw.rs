//! Drawing a tree that satisfies an annotation.

use arcs::dmv::{DmvChart, DmvShape, DmvWeights, Laid, Mask};
use chain::Rng;
use num::dist;
use tree::Constraints;
use tree::possible;

use super::prepare::Prepared;

/// How often a tree is drawn anew where charts build too much, before brackets are split.
const TRIES: usize = 50;
/// How many charts are filled while brackets are split.
const FILLS: usize = 2000;

/// Memory for drawing trees.
#[derive(Debug, Clone, Default)]
pub struct Drawer {
    weights: DmvWeights,
    chart: DmvChart,
    heads: Vec<u32>,
    ln_totals: Vec<f64>,
    /// The case that the chart was filled with last.
    filled: usize,
}

impl Drawer {
    /// Draws a tree given parameters. It is left in `heads`, which are over kept words; returns the logarithm of the sum
    /// over all trees. Without any tree, `heads` stay as they are.
    pub fn draw(
        &mut self,
        prepared: &Prepared,
        shape: &DmvShape,
        parameters: &[f64],
        rng: &mut Rng,
        heads: &mut Vec<u32>,
    ) -> f64 {
        let mut weights = std::mem::take(&mut self.weights);
        weights.fill(shape, parameters, &prepared.sentence, prepared.roots);
        let drawn = self.draw_with(prepared, &weights, rng);
        self.weights = weights;
        if drawn.is_some() {
            std::mem::swap(heads, &mut self.heads);
        }
        drawn.unwrap_or(f64::NEG_INFINITY)
    }

    /// The same with weights; the tree is kept here.
    pub(super) fn draw_with(
        &mut self,
        prepared: &Prepared,
        weights: &DmvWeights,
        rng: &mut Rng,
    ) -> Option<f64> {
        let ln_total = self.weigh(prepared, weights);
        self.pick(prepared, weights, rng).then_some(ln_total)
    }

    /// Sums over the trees of each case and returns the logarithm of the sum of all.
    pub(super) fn weigh(&mut self, prepared: &Prepared, weights: &DmvWeights) -> f64 {
        self.ln_totals.clear();
        for at in 0..prepared.cases.len() {
            self.ln_totals.push(self.chart.fill(&Laid { weights, mask: prepared.mask(at) }));
        }
        self.filled = self.ln_totals.len().wrapping_sub(1);
        num::special::log_sum_exp(&self.ln_totals)
    }

    /// Draws a case in proportion to its sum, then a tree of it; false if there is none. `weigh` comes before.
    pub(super) fn pick(&mut self, prepared: &Prepared, weights: &DmvWeights, rng: &mut Rng) -> bool {
        for _ in 0..TRIES {
            let at = match self.ln_totals.len() {
                1 => Some(0),
                _ => dist::log_categorical(rng, &self.ln_totals),
            };
            let Some(at) = at else { return false };
            let laid = Laid { weights, mask: prepared.mask(at) };
            if self.filled != at {
                self.chart.fill(&laid);
                self.filled = at;
            }
            if !self.chart.sample(&laid, || rng.uniform(), &mut self.heads) {
                return false;
            }
            if prepared.possible.is_exact() || prepared.possible.admits(&prepared.spread(&self.heads)) {
                return true;
            }
        }
        self.split(prepared, weights, rng)
    }

    /// ln Σ over the trees of one case.
    pub(super) fn total(&mut self, weights: &DmvWeights, case: &Constraints, kept: &[usize]) -> f64 {
        self.chart.fill(&Laid { weights, mask: Mask::Case(case, kept) })
    }

    /// Fixes the heads of brackets one by one, each drawn in proportion to what the chart builds with it, until an
    /// admitted tree is drawn. What leads nowhere is taken back.
    fn split(&mut self, prepared: &Prepared, weights: &DmvWeights, rng: &mut Rng) -> bool {
        let last = self.filled;
        self.filled = usize::MAX;
        let cases = prepared.usable_cases().zip(&self.ln_totals).enumerate();
        let cases = cases.map(|(at, (case, &total))| (at == last, case.clone(), total));
        // The case that was drawn last comes first, and the others only if it leads nowhere.
        let (first, others): (Vec<_>, Vec<_>) = cases.partition(|(is_last, _, _)| *is_last);
        let level = |cases: Vec<(bool, Constraints, f64)>| -> Vec<(Constraints, f64)> {
            cases.into_iter().map(|(_, case, total)| (case, total)).collect()
        };
        let mut levels = vec![level(others), level(first)];
        let mut fills = 0;
        while let Some(level) = levels.last_mut() {
            let totals: Vec<f64> = level.iter().map(|(_, total)| *total).collect();
            let Some(at) = dist::log_categorical(rng, &totals).filter(|_| fills < FILLS) else {
                levels.pop();
                continue;
            };
            let (case, _) = level.swap_remove(at);
            let laid = Laid { weights, mask: Mask::Case(&case, &prepared.kept) };
            self.chart.fill(&laid);
            if self.chart.sample(&laid, || rng.uniform(), &mut self.heads)
                && prepared.possible.admits(&prepared.spread(&self.heads))
            {
                return true;
            }
            if let Some(words) = prepared.possible.open_bracket(&case) {
                let finer = possible::split(&case, words).unwrap_or_default();
                fills += finer.len() + 1;
                let weighed = finer.into_iter().map(|case| {
                    let total = self.total(weights, &case, &prepared.kept);
                    (case, total)
                });
                levels.push(weighed.collect());
            }
        }
        false
    }

    /// Adds `share` times the probability of each arc between kept words, by dependent and then by head.
    pub(super) fn add_posteriors(
        &mut self,
        prepared: &Prepared,
        weights: &DmvWeights,
        share: f64,
        arcs: &mut [f64],
    ) {
        let all = self.weigh(prepared, weights);
        for at in 0..prepared.n_cases() {
            let share = share * libm::exp(self.ln_totals[at] - all);
            if share > 0.0 {
                let laid = Laid { weights, mask: prepared.mask(at) };
                if self.filled != at {
                    self.chart.fill(&laid);
                    self.filled = at;
                }
                self.chart.add_arcs(&laid, share, arcs);
            }
        }
    }

    /// The tree that was drawn last.
    pub(super) fn heads(&self) -> &[u32] {
        &self.heads
    }
}
