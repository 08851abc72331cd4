//! The walk downwards: how probable each arc is.

use tree::Side;

use super::Laid;
use super::chart::Tables;

/// outside(item) / Z for each item, scaled so that inside · outside is the item's probability.
#[derive(Debug, Clone, Default)]
pub(super) struct Outside {
    tables: Tables,
}

impl Outside {
    /// Walks the items in the reverse of the order in which they were built.
    pub(super) fn fill(&mut self, width: usize, inside: &Tables, laid: &Laid<'_>) {
        self.tables.clear(width * width);
        self.tables.sealed_right[width - 1] = 1.0 / inside.sealed_right[width - 1];
        for first in 0..width {
            if first > 0 {
                self.left_row(width, first, inside, laid);
            }
            self.right_row(width, first, inside, laid);
        }
    }

    /// Adds `share` · inside · outside of each arc, by dependent from 1 and then by head from 0.
    pub(super) fn add_arcs(&self, width: usize, inside: &Tables, share: f64, arcs: &mut [f64]) {
        for i in 0..width {
            for j in i + 1..width {
                let at = i * width + j;
                arcs[(j - 1) * width + i] += share * (inside.open_right[at] * self.tables.open_right[at]);
                if i > 0 {
                    arcs[(i - 1) * width + j] += share * (inside.open_left[at] * self.tables.open_left[at]);
                }
            }
        }
    }

    /// Shows every arc with its probability as its head's nearest dependent on that side, and as one farther out.
    pub(super) fn each_arc(
        &self,
        width: usize,
        inside: &Tables,
        laid: &Laid<'_>,
        mut visit: impl FnMut(usize, usize, [f64; 2]),
    ) {
        for i in 0..width {
            for j in i + 1..width {
                let at = i * width + j;
                // near = outside(open) · w₀ · half(i, i) · sealed(j, i + 1), and far is the rest.
                let mut show = |head, dependent, outside: f64, open: f64, next: f64| {
                    if outside > 0.0 && open > 0.0 {
                        let near = outside * (laid.weights.arc(head, dependent, false) * next);
                        visit(head, dependent, [near, (outside * open - near).max(0.0)]);
                    }
                };
                let next = inside.half_right[i * width + i] * inside.sealed_left[(i + 1) * width + j];
                show(i, j, self.tables.open_right[at], inside.open_right[at], next);
                if i > 0 {
                    let next = inside.sealed_right[at - 1] * inside.half_left[j * width + j];
                    show(j, i, self.tables.open_left[at], inside.open_left[at], next);
                }
            }
        }
    }

    fn left_row(&mut self, width: usize, i: usize, inside: &Tables, laid: &Laid<'_>) {
        let out = &mut self.tables;
        let row = i * width;
        for h in (i + 1..width).rev() {
            let above =
                out.half_left[row + h] + out.sealed_left[row + h] * laid.weights.stop(h, Side::Left, true);
            if above == 0.0 || inside.half_left[row + h] == 0.0 {
                continue;
            }
            // half(h, i) = Σ_d sealed(d, i) open(d ← h)
            for d in i..h {
                out.sealed_left[row + d] += above * inside.open_left[d * width + h];
                out.open_left[d * width + h] += above * inside.sealed_left[row + d];
            }
        }
    }

    fn right_row(&mut self, width: usize, i: usize, inside: &Tables, laid: &Laid<'_>) {
        let row = i * width;
        for j in (i + 1..width).rev() {
            let out = &mut self.tables;
            let stop = laid.weights.stop(i, Side::Right, true);
            let above = out.half_right[row + j] + out.sealed_right[row + j] * stop;
            if above > 0.0 && inside.half_right[row + j] > 0.0 {
                // half(i, j) = Σ_d open(i → d) sealed(d, j)
                for d in i + 1..=j {
                    out.open_right[row + d] += above * inside.sealed_right[d * width + j];
                    out.sealed_right[d * width + j] += above * inside.open_right[row + d];
                }
            }
            self.arc_right(width, i, j, inside, laid);
            self.arc_left(width, i, j, inside, laid);
        }
    }

    /// open(i → j) = Σ_k w half(i, k) sealed(j, k + 1)
    fn arc_right(&mut self, width: usize, i: usize, j: usize, inside: &Tables, laid: &Laid<'_>) {
        let (out, row) = (&mut self.tables, i * width);
        let above = out.open_right[row + j];
        if above == 0.0 || inside.open_right[row + j] == 0.0 {
            return;
        }
        for k in i..j {
            let above = above * laid.weights.arc(i, j, k > i);
            let right = (k + 1) * width + j;
            out.half_right[row + k] += above * inside.sealed_left[right];
            out.sealed_left[right] += above * inside.half_right[row + k];
        }
    }

    /// open(i ← j) = Σ_k w sealed(i, k) half(j, k + 1)
    fn arc_left(&mut self, width: usize, i: usize, j: usize, inside: &Tables, laid: &Laid<'_>) {
        let (out, row) = (&mut self.tables, i * width);
        let above = out.open_left[row + j];
        if above == 0.0 || inside.open_left[row + j] == 0.0 {
            return;
        }
        for k in i..j {
            let above = above * laid.weights.arc(j, i, k + 1 < j);
            let right = (k + 1) * width + j;
            out.sealed_right[row + k] += above * inside.half_left[right];
            out.half_left[right] += above * inside.sealed_right[row + k];
        }
    }
}
