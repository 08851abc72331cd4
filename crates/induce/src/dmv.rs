//! The dependency model with valence as a family of multinomials.

mod harmonic;
pub mod model;
mod starts;

pub use harmonic::harmonic;
pub use starts::{PartlyKnown, from_partial};

use arcs::dmv::{Counter, DmvChart, DmvSentence, DmvShape, DmvWeights, Laid, Mask, RootWeights};
use forest::derive;

use tree::Side;

use crate::family::{Family, Rows};

/// The model over so many tags; one word hangs from the root.
#[derive(Debug, Clone, PartialEq)]
pub struct Dmv {
    shape: DmvShape,
    rows: Rows,
}

/// Charts.
#[derive(Debug, Default)]
pub struct DmvMemory {
    weights: DmvWeights,
    chart: DmvChart,
    counter: Counter,
    heads: Vec<u32>,
}

impl Dmv {
    /// With `valence`, the first dependent of a side has another distribution than those further out.
    pub fn new(n_tags: usize, valence: bool) -> Dmv {
        let shape = DmvShape::new(n_tags, 0, valence);
        let rows = Rows::new(shape.rows().map(|(_, len)| len));
        Dmv { shape, rows }
    }

    /// How events are numbered.
    pub fn shape(&self) -> &DmvShape {
        &self.shape
    }

    /// The number of distributions of each head: four of stops, then choices.
    fn rows_per_head(&self) -> usize {
        (self.rows.len() - 2) / self.shape.n_heads().max(1)
    }

    /// Whether a distribution is over tags, and not over stopping and going on.
    pub fn is_over_tags(&self, row: usize) -> bool {
        row == 0 || (row > 1 && (row - 2) % self.rows_per_head() >= 4)
    }

    /// The head and the side whose choice a distribution is; none for the root's, and for those of stopping.
    pub fn head_of_choice(&self, row: usize) -> Option<(u32, Side)> {
        if row < 2 || !self.is_over_tags(row) {
            return None;
        }
        let (head, at) = ((row - 2) / self.rows_per_head(), (row - 2) % self.rows_per_head() - 4);
        let sides = (self.rows_per_head() - 4) / 2;
        Some((head as u32, if at < sides { Side::Left } else { Side::Right }))
    }

    /// Covariances of 1, and of `within` between tags of one family, for all distributions over tags.
    pub fn family_covariance(&self, families: &[usize], within: f64) -> Vec<f64> {
        let n_tags = self.shape.n_tags();
        let covariance = |over_tags: bool, i: usize, j: usize| match i == j {
            true => 1.0,
            false if over_tags && families[i] == families[j] => within,
            false => 0.0,
        };
        let mut all = Vec::new();
        for (row, range) in self.rows.ranges().enumerate() {
            let over_tags = self.is_over_tags(row);
            debug_assert!(!over_tags || range.len() == n_tags);
            let n = range.len();
            all.extend((0..n * n).map(|at| covariance(over_tags, at / n, at % n)));
        }
        all
    }

    /// Groups of distributions that heads of one family have in common: the same decision on the same side.
    pub fn family_groups(&self, families: &[usize]) -> Vec<usize> {
        let per_head = self.rows_per_head();
        let of_heads =
            families.iter().flat_map(|family| (0..per_head).map(move |at| 2 + family * per_head + at));
        [0, 1].into_iter().chain(of_heads).collect()
    }

    /// For each event whether it is an arc that `likes` names by the numbers of head and dependent, `None` for the root.
    pub fn arcs_where(&self, likes: impl Fn(Option<u32>, u32) -> bool) -> Vec<bool> {
        let (shape, n_tags) = (&self.shape, self.shape.n_tags() as u32);
        let mut chosen = vec![false; shape.len()];
        for tag in 0..n_tags {
            chosen[shape.root(tag)] = likes(None, tag);
            for head in 0..n_tags {
                for side in [Side::Left, Side::Right] {
                    for has in [false, true] {
                        chosen[shape.choice(head, side, has, tag)] = likes(Some(head), tag);
                    }
                }
            }
        }
        chosen
    }

    /// ln p(tags), after which the chart of the memory holds all sums.
    pub fn fill(&self, item: &DmvSentence, weights: &[f64], memory: &mut DmvMemory) -> f64 {
        memory.weights.fill(&self.shape, weights, item, RootWeights::One);
        let laid = Laid { weights: &memory.weights, mask: Mask::Free };
        memory.chart.fill(&laid)
    }

    /// The most probable tree; `None` where every tree has weight 0.
    pub fn viterbi(
        &self,
        item: &DmvSentence,
        weights: &[f64],
        memory: &mut DmvMemory,
    ) -> Option<(Vec<u32>, f64)> {
        memory.weights.fill(&self.shape, weights, item, RootWeights::One);
        let laid = Laid { weights: &memory.weights, mask: Mask::Free };
        let (derivation, value) = derive::best(&laid)?;
        laid.heads(&derivation, &mut memory.heads);
        Some((memory.heads.clone(), value))
    }

    /// The probability of each arc, by dependent from 1 and then by head from 0.
    pub fn arcs(&self, item: &DmvSentence, weights: &[f64], memory: &mut DmvMemory) -> Vec<f64> {
        let mut arcs = vec![0.0; item.len() * (item.len() + 1)];
        self.fill(item, weights, memory);
        let laid = Laid { weights: &memory.weights, mask: Mask::Free };
        memory.chart.add_arcs(&laid, 1.0, &mut arcs);
        arcs
    }

    /// The tree with the greatest expected number of right arcs; `None` where every tree has weight 0.
    pub fn mbr(&self, item: &DmvSentence, weights: &[f64], memory: &mut DmvMemory) -> Option<Vec<u32>> {
        let (width, arcs) = (item.len() + 1, self.arcs(item, weights, memory));
        let laid = Laid { weights: &memory.weights, mask: Mask::Free };
        let found = laid.best_arcs(|head, dependent| arcs[(dependent - 1) * width + head]);
        found.map(|(heads, _)| heads)
    }
}

impl Family for Dmv {
    type Item = DmvSentence;
    type Memory = DmvMemory;

    fn rows(&self) -> &Rows {
        &self.rows
    }

    fn rows_of(&self, item: &DmvSentence) -> Vec<usize> {
        let mut heads: Vec<usize> = item.heads.iter().map(|&head| head as usize).collect();
        heads.sort_unstable();
        heads.dedup();
        // The root has two rows, the second of which says whether it takes more than one dependent.
        let per_head = (self.rows.len() - 2) / self.shape.n_heads().max(1);
        let of_heads =
            heads.into_iter().flat_map(|head| (0..per_head).map(move |at| 2 + head * per_head + at));
        std::iter::once(0).chain(of_heads).collect()
    }

    fn expect(&self, item: &DmvSentence, weights: &[f64], memory: &mut DmvMemory, counts: &mut [f64]) -> f64 {
        let ln_total = self.fill(item, weights, memory);
        let laid = Laid { weights: &memory.weights, mask: Mask::Free };
        memory.chart.add_events(&laid, &self.shape, item, RootWeights::One, 1.0, counts);
        ln_total
    }

    fn best(&self, item: &DmvSentence, weights: &[f64], memory: &mut DmvMemory, counts: &mut [f64]) -> f64 {
        let Some((heads, value)) = self.viterbi(item, weights, memory) else { return f64::NEG_INFINITY };
        memory.counter.add(&self.shape, item, &heads, RootWeights::One, counts);
        value
    }
}
