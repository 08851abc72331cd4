//! Probabilities of pairs and cells: the recurrences of the chart backwards.
//!
//! Every value is the derivative of the whole with respect to a value of the chart, divided by the whole, so that a
//! value times its derivative is the probability that a tree goes through it.

use std::marker::PhantomData;
use std::ops::Range;

use super::PartMarginals;
use super::chart::{LANES, LiveHead, RowChart, gather};
use super::live::Live;
use super::parts::Parts;
use super::tables::Tables;
use crate::Roots;
use crate::algebra::Mass;

/// Derivatives, in the layout of the chart.
#[derive(Debug, Clone, Default)]
pub(super) struct Outside<A> {
    link: Vec<f64>,
    inner: Vec<f64>,
    outer: Vec<f64>,
    right: Vec<f64>,
    /// Of left rows, by position.
    columns: Vec<f64>,
    /// Of pairs and of cells.
    pairs: Vec<f64>,
    cells: Vec<f64>,
    /// How many left dependents of each position are still to be visited.
    visited: Vec<usize>,
    below: Vec<f64>,
    below_gradients: Vec<f64>,
    algebra: PhantomData<A>,
}

impl<A: Mass> Outside<A> {
    /// Fills everything in from a chart and the value of its whole, which is not zero.
    pub(super) fn fill(
        &mut self,
        live: &Live,
        tables: &Tables,
        chart: &RowChart<A>,
        total: f64,
        roots: Roots,
    ) {
        self.clear(live);
        let root = &live.arcs[0];
        self.right[root.right_at(root.last)] = A::inverse(total);
        for position in 0..live.width {
            if position > 0 {
                self.fill_left(live, tables, chart, position);
            }
            self.fill_right(live, tables, chart, roots, position);
        }
    }

    fn clear(&mut self, live: &Live) {
        let Outside { link, inner, outer, right, columns, pairs, cells, visited, .. } = self;
        for (values, len) in [
            (link, live.n_pairs()),
            (pairs, live.n_pairs()),
            (inner, live.n_cells),
            (outer, live.n_cells),
            (cells, live.n_cells),
            (right, live.n_right),
            (columns, live.n_columns()),
        ] {
            values.clear();
            values.resize(len, A::ZERO);
        }
        visited.clear();
        visited.extend((0..live.width).map(|position| live.children(2 * position).len()));
    }

    fn fill_right(
        &mut self,
        live: &Live,
        tables: &Tables,
        chart: &RowChart<A>,
        roots: Roots,
        position: usize,
    ) {
        let group = 2 * position + 1;
        let children = live.children(group);
        let stops = live.pairs(group, children.len());
        let none = tables.lead[stops.start];
        let boundary = live.right_after(position);
        for number in live.into(position) {
            let arc = &live.arcs[number];
            let (rows, behind) = self.right.split_at_mut(boundary);
            let gradients = &rows[arc.right_at(position)..=arc.right_at(arc.last)];
            add::<A>(&mut self.pairs[stops.start], A::times(none, gradients[0]));
            for (cell, child) in arc.cells(1).zip(children) {
                let below = &live.arcs[child.arc];
                let (start, last) = (below.right_at(child.position), below.last.min(arc.last));
                let row = start..start + last + 1 - child.position;
                let gradients = &gradients[child.position - position..=last - position];
                self.outer[cell] = A::join::<LANES>(gradients, &chart.right[row.clone()]);
                if chart.outer[cell] != A::ZERO {
                    A::spread(
                        &mut behind[row.start - boundary..row.end - boundary],
                        chart.outer[cell],
                        gradients,
                    );
                }
            }
            for place in (0..arc.cells(1).len()).rev() {
                self.fill_cell(live, tables, chart, arc.cells(1), group, place);
            }
        }
        let siblings = position > 0 || roots == Roots::Many;
        for place in 0..children.len() {
            self.fill_links(live, tables, chart, siblings, group, place);
        }
    }

    fn fill_left(&mut self, live: &Live, tables: &Tables, chart: &RowChart<A>, position: usize) {
        for head in (position + 1..live.width).rev() {
            if self.visited[head] > 0 && live.leftmost(head) <= position {
                self.fill_column(live, chart, head, position);
            }
        }
        let group = 2 * position;
        let none = live.pairs(group, live.children(group).len()).start;
        for number in live.into(position) {
            let gradient = self.columns[live.column_at(position, number)];
            add::<A>(&mut self.pairs[none], A::times(tables.lead[none], gradient));
        }
        for number in live.into(position) {
            let Some(LiveHead { head, group, place }) = LiveHead::of(live, number, position) else {
                continue;
            };
            for above in live.into(head) {
                let cells = live.arcs[above].cells(0);
                if place < cells.len() {
                    self.fill_cell(live, tables, chart, cells, group, place);
                }
            }
            self.fill_links(live, tables, chart, true, group, place);
            self.visited[head] = place;
        }
    }

    /// From left(g → h, e) = Σ_m outer(g, h, m) · left(h → m, e).
    #[inline(always)]
    fn fill_column(&mut self, live: &Live, chart: &RowChart<A>, head: usize, position: usize) {
        let n_visited = self.visited[head];
        let column = &chart.columns[live.column(position)];
        if !gather::<A>(live, column, &mut self.below, head, n_visited, position) {
            return;
        }
        self.below_gradients.clear();
        self.below_gradients.resize(n_visited, A::ZERO);
        let skipped = live.into(position).start;
        let gradients = &mut self.columns[live.column(position)];
        let of_head = &gradients[live.into(head).start - skipped..live.into(head).end - skipped];
        for (&gradient, row) in of_head.iter().zip(live.left_rows(head)) {
            if gradient != A::ZERO {
                let cells = row.cells(n_visited);
                A::spread(&mut self.outer[cells.clone()], gradient, &self.below);
                A::spread(&mut self.below_gradients, gradient, &chart.outer[cells]);
            }
        }
        for (&arc, &gradient) in live.child_arcs(2 * head).iter().zip(&self.below_gradients) {
            add::<A>(&mut gradients[arc as usize - skipped], gradient);
        }
    }

    /// From outer(g, h, m) = inner(g, h, m) · lead(h, m, −) and the sum that makes inner(g, h, m).
    #[inline(always)]
    fn fill_cell(
        &mut self,
        live: &Live,
        tables: &Tables,
        chart: &RowChart<A>,
        cells: Range<usize>,
        group: usize,
        place: usize,
    ) {
        let cell = cells.start + place;
        let stop = live.pairs(group, live.children(group).len()).start + 1 + place;
        add::<A>(&mut self.pairs[stop], A::times(self.outer[cell], chart.outer[cell]));
        let gradient = A::plus(self.inner[cell], A::times(self.outer[cell], tables.lead[stop]));
        self.cells[cell] = A::times(gradient, chart.inner[cell]);
        let gradient = A::times(gradient, tables.grand[cell]);
        if gradient == A::ZERO {
            return;
        }
        let pairs = live.pairs(group, place);
        let siblings = pairs.start + 1..pairs.end;
        add::<A>(&mut self.link[pairs.start], gradient);
        A::spread(&mut self.link[siblings.clone()], gradient, &chart.inner[cells.start..cell]);
        A::spread(&mut self.inner[cells.start..cell], gradient, &chart.link[siblings]);
    }

    /// From link(h, s, m) = lead(h, s, m) · between(s, m) and link(h, −, m).
    fn fill_links(
        &mut self,
        live: &Live,
        tables: &Tables,
        chart: &RowChart<A>,
        siblings: bool,
        group: usize,
        place: usize,
    ) {
        let pairs = live.pairs(group, place);
        self.pairs[pairs.start] = A::times(self.link[pairs.start], chart.link[pairs.start]);
        if let Some((arc, position)) = live.innermost(group, place) {
            let row = match group % 2 {
                1 => &mut self.columns[live.column_at(position, arc)],
                _ => &mut self.right[live.arcs[arc].right_at(position)],
            };
            add::<A>(row, A::times(self.link[pairs.start], tables.lead[pairs.start]));
        }
        if !siblings {
            return;
        }
        for inner in 0..place {
            let at = pairs.start + 1 + inner;
            self.pairs[at] = A::times(self.link[at], chart.link[at]);
            let gradient = A::times(self.link[at], tables.lead[at]);
            if gradient != A::ZERO {
                let (x, y) = live.ordered(group, inner, place);
                let (from, right, left) = live.between(x, y);
                A::spread(&mut self.right[right.clone()], gradient, &chart.left[left]);
                for (position, &value) in (from + 1..).zip(&chart.right[right]) {
                    add::<A>(&mut self.columns[live.column_at(position, y)], A::times(gradient, value));
                }
            }
        }
    }

    /// The probabilities of all parts; false if one of them is not a number.
    pub(super) fn marginals(&self, live: &Live, parts: &Parts, out: &mut PartMarginals) -> bool {
        out.reset(parts);
        let mut finite = true;
        let mut plain = |value: f64| {
            let value = A::plain(value);
            finite &= value.is_finite();
            value.clamp(0.0, 1.0)
        };
        for group in 1..2 * live.width {
            let children = live.children(group);
            for place in 0..=children.len() {
                let mut sum = 0.0;
                let siblings = live.sibling_parts(parts, group, place);
                for (&pair, part) in self.pairs[live.pairs(group, place)].iter().zip(siblings) {
                    let probability = plain(pair);
                    out.siblings[part] = probability;
                    sum += probability;
                }
                if let Some(child) = children.get(place) {
                    out.arcs[live.arcs[child.arc].part] = sum.min(1.0);
                }
            }
        }
        for number in 1..live.arcs.len() {
            for side in 0..2 {
                let grandparents = live.grandparent_parts(parts, number, side);
                for (&cell, part) in self.cells[live.arcs[number].cells(side)].iter().zip(grandparents) {
                    out.grandparents[part] = plain(cell);
                }
            }
        }
        finite
    }
}

#[inline(always)]
fn add<A: Mass>(sum: &mut f64, value: f64) {
    *sum = A::plus(*sum, value);
}
