//! Eisner's chart over any way to add and to multiply.
//!
//! Positions 0 to n are the root and the words. With w(h, d) the weight of an arc,
//!
//! ```text
//! link(s, t)  = Σ_{s ≤ q < t} right(s, q) · left(q + 1, t)
//! right arc   = link(s, t) · w(s, t)              left arc   = link(s, t) · w(t, s)
//! right(s, t) = Σ_{s < r ≤ t} arc(s → r) · right(r, t)
//! left(s, t)  = Σ_{s ≤ r < t} left(s, r) · arc(r ← t)
//! ```
//!
//! and right(0, n) is the whole. Where only one word may hang from the root, link(0, t) has q = 0 alone. Spans are
//! stored by start and by end, so that every sum runs over two contiguous stretches.
//!
//! Marginals come 2.5 to 3.4 times as fast as from the general engine over [`ArcForest`](super::ArcForest) (10 to 80 words,
//! `bench speed engine`), which is the oracle of the tests and takes over where plain numbers do not suffice.

use std::marker::PhantomData;

use super::Roots;
use super::algebra::{Algebra, MaxPlus, SumProduct, first_best};

/// Sums are taken in as many interleaved parts.
const LANES: usize = 8;

/// Values of all spans.
#[derive(Debug, Clone, Default)]
pub(super) struct SpanChart<A> {
    pub(super) width: usize,
    /// Spans whose head is their first word: by start, then by end; and by end, then by start.
    pub(super) right: Vec<f64>,
    pub(super) right_by_end: Vec<f64>,
    /// Spans whose head is their last word.
    pub(super) left: Vec<f64>,
    pub(super) left_by_end: Vec<f64>,
    /// Arcs with all between their ends: those to the right by start, those to the left by end.
    pub(super) arc_right: Vec<f64>,
    pub(super) arc_left_by_end: Vec<f64>,
    algebra: PhantomData<A>,
}

impl<A: Algebra> SpanChart<A> {
    /// Fills the chart and returns the value of the whole; `weight` takes a head and a dependent.
    pub(super) fn fill(&mut self, width: usize, roots: Roots, weight: impl Fn(usize, usize) -> f64) -> f64 {
        self.clear(width);
        for start in (0..width).rev() {
            let diagonal = start * width + start;
            for spans in [&mut self.right, &mut self.right_by_end, &mut self.left, &mut self.left_by_end] {
                spans[diagonal] = A::ONE;
            }
            for end in start + 1..width {
                self.span(start, end, roots, &weight);
            }
        }
        self.right[width - 1]
    }

    fn clear(&mut self, width: usize) {
        self.width = width;
        let SpanChart { right, right_by_end, left, left_by_end, arc_right, arc_left_by_end, .. } = self;
        for spans in [right, right_by_end, left, left_by_end, arc_right, arc_left_by_end] {
            spans.clear();
            spans.resize(width * width, A::ZERO);
        }
    }

    #[inline(always)]
    fn span(&mut self, start: usize, end: usize, roots: Roots, weight: &impl Fn(usize, usize) -> f64) {
        let (by_start, by_end) = (start * self.width, end * self.width);
        let last = if start == 0 && roots == Roots::One { start + 1 } else { end };
        let link = A::join::<LANES>(
            &self.right[by_start + start..by_start + last],
            &self.left_by_end[by_end + start + 1..by_end + last + 1],
        );
        self.arc_right[by_start + end] = A::times(link, weight(start, end));
        let right = A::join::<LANES>(
            &self.arc_right[by_start + start + 1..=by_start + end],
            &self.right_by_end[by_end + start + 1..=by_end + end],
        );
        self.right[by_start + end] = right;
        self.right_by_end[by_end + start] = right;
        if start > 0 {
            self.arc_left_by_end[by_end + start] = A::times(link, weight(end, start));
            let left = A::join::<LANES>(
                &self.left[by_start + start..by_start + end],
                &self.arc_left_by_end[by_end + start..by_end + end],
            );
            self.left[by_start + end] = left;
            self.left_by_end[by_end + start] = left;
        }
    }
}

impl SpanChart<SumProduct> {
    /// The largest value.
    pub(super) fn most(&self) -> f64 {
        let spans = [&self.right, &self.left, &self.arc_right, &self.arc_left_by_end];
        spans.into_iter().flatten().copied().fold(0.0, f64::max)
    }

    /// By how much the logarithm of a span's value grows with its length: a mean over spans as long as floats allow.
    pub(super) fn rate(&self) -> Option<f64> {
        let lengths = std::iter::successors(Some(self.width - 1), |length| Some(length / 2));
        lengths.take_while(|&length| length > 0).find_map(|length| self.rate_of(length))
    }

    /// Spans that cannot be have the value 0, as have those that underflow; if too many have it, the length does not tell.
    fn rate_of(&self, length: usize) -> Option<f64> {
        let spans = 1..self.width.checked_sub(length)?;
        let n_spans = spans.len();
        let value = |start: usize| {
            let at = start * self.width + start + length;
            self.right[at].max(self.left[at])
        };
        let present: Vec<f64> = spans.map(value).filter(|&value| value > 1e-300).map(libm::log).collect();
        let sum: f64 = present.iter().sum();
        let tells = !present.is_empty() && present.len() * 8 >= n_spans && sum.is_finite();
        tells.then(|| sum / (present.len() * length) as f64)
    }
}

/// A span or an arc of the chart that has yet to be taken apart.
#[derive(Debug, Clone, Copy)]
enum Part {
    Right(usize, usize),
    Left(usize, usize),
    Link(usize, usize),
}

impl SpanChart<MaxPlus> {
    /// The heads of the best tree, by position; the first of several best splits is taken.
    pub(super) fn best(&self, roots: Roots) -> Vec<usize> {
        let width = self.width;
        let mut heads = vec![0; width];
        let mut open = vec![Part::Right(0, width - 1)];
        while let Some(part) = open.pop() {
            match part {
                Part::Right(start, end) | Part::Left(start, end) | Part::Link(start, end) if start == end => {
                }
                Part::Right(start, end) => {
                    let arcs = &self.arc_right[start * width..][start + 1..=end];
                    let rest = &self.right_by_end[end * width..][start + 1..=end];
                    let dependent = start + 1 + best_sum(arcs, rest);
                    heads[dependent] = start;
                    open.extend([Part::Link(start, dependent), Part::Right(dependent, end)]);
                }
                Part::Left(start, end) => {
                    let rest = &self.left[start * width..][start..end];
                    let arcs = &self.arc_left_by_end[end * width..][start..end];
                    let dependent = start + best_sum(rest, arcs);
                    heads[dependent] = end;
                    open.extend([Part::Left(start, dependent), Part::Link(dependent, end)]);
                }
                Part::Link(start, end) => {
                    let last = if start == 0 && roots == Roots::One { start + 1 } else { end };
                    let right = &self.right[start * width..][start..last];
                    let left = &self.left_by_end[end * width..][start + 1..=last];
                    let split = start + best_sum(right, left);
                    open.extend([Part::Right(start, split), Part::Left(split + 1, end)]);
                }
            }
        }
        heads
    }
}

/// The first place where a + b is largest.
fn best_sum(a: &[f64], b: &[f64]) -> usize {
    first_best(a.iter().zip(b).map(|(a, b)| a + b))
}

/// Outside values, in the layout of the chart; a span's value is the sum of its two places.
#[derive(Debug, Clone, Default)]
pub(super) struct Outside {
    right: Vec<f64>,
    right_by_end: Vec<f64>,
    left: Vec<f64>,
    left_by_end: Vec<f64>,
    pub(super) arc_right: Vec<f64>,
    pub(super) arc_left_by_end: Vec<f64>,
}

impl Outside {
    /// The largest value.
    pub(super) fn most(&self) -> f64 {
        let spans = [&self.right, &self.right_by_end, &self.left, &self.left_by_end];
        let spans = spans.into_iter().chain([&self.arc_right, &self.arc_left_by_end]);
        spans.flatten().copied().fold(0.0, f64::max)
    }

    /// The derivative of the whole with respect to each span and arc: the recurrences of the chart backwards.
    pub(super) fn fill(
        &mut self,
        chart: &SpanChart<SumProduct>,
        roots: Roots,
        weight: impl Fn(usize, usize) -> f64,
    ) {
        let width = chart.width;
        for values in [
            &mut self.right,
            &mut self.right_by_end,
            &mut self.left,
            &mut self.left_by_end,
            &mut self.arc_right,
            &mut self.arc_left_by_end,
        ] {
            values.clear();
            values.resize(width * width, 0.0);
        }
        self.right[width - 1] = 1.0;
        for start in 0..width {
            for end in (start + 1..width).rev() {
                self.span(chart, start, end);
                self.link(chart, start, end, roots, &weight);
            }
        }
    }

    #[inline(always)]
    fn span(&mut self, chart: &SpanChart<SumProduct>, start: usize, end: usize) {
        let (by_start, by_end) = (start * chart.width, end * chart.width);
        let right = self.right[by_start + end] + self.right_by_end[by_end + start];
        if right > 0.0 {
            let (inner, rest) =
                (by_start + start + 1..by_start + end + 1, by_end + start + 1..by_end + end + 1);
            SumProduct::spread(&mut self.arc_right[inner.clone()], right, &chart.right_by_end[rest.clone()]);
            SumProduct::spread(&mut self.right_by_end[rest], right, &chart.arc_right[inner]);
        }
        let left = self.left[by_start + end] + self.left_by_end[by_end + start];
        if left > 0.0 {
            let (rest, inner) = (by_start + start..by_start + end, by_end + start..by_end + end);
            SumProduct::spread(&mut self.left[rest.clone()], left, &chart.arc_left_by_end[inner.clone()]);
            SumProduct::spread(&mut self.arc_left_by_end[inner], left, &chart.left[rest]);
        }
    }

    #[inline(always)]
    fn link(
        &mut self,
        chart: &SpanChart<SumProduct>,
        start: usize,
        end: usize,
        roots: Roots,
        weight: &impl Fn(usize, usize) -> f64,
    ) {
        let (by_start, by_end) = (start * chart.width, end * chart.width);
        let mut link = self.arc_right[by_start + end] * weight(start, end);
        if start > 0 {
            link += self.arc_left_by_end[by_end + start] * weight(end, start);
        }
        if link > 0.0 {
            let last = if start == 0 && roots == Roots::One { start + 1 } else { end };
            let (first, second) = (by_start + start..by_start + last, by_end + start + 1..by_end + last + 1);
            SumProduct::spread(&mut self.right[first.clone()], link, &chart.left_by_end[second.clone()]);
            SumProduct::spread(&mut self.left_by_end[second], link, &chart.right[first]);
        }
    }
}
