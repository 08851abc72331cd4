//! How often everything is expected, from the top down.
//!
//! What is known of a span tells about its parts: with r(A) = P(A over i..j | x) / inside(A, i, j),
//!
//! ```text
//! P(A → B C at k | x) = r(A) · rule(A, B, C) · inside(B, i, k) · inside(C, k, j)
//! ```
//!
//! so that nothing but probabilities is handed down, and no sums outside of spans are needed. Σ_A r(A) · rule(A, B, C) is
//! found once per span.

use super::inside::{Inside, Pairs};

/// 2^−150: labels that are less probable are taken for impossible, before products leave the range of plain numbers.
const NOTHING: f64 = f64::from_bits((1023 - 150) << 52);

/// Probabilities of labels over spans, laid out as the inside values are; it holds memory that is used again.
#[derive(Debug, Clone, Default)]
pub(super) struct SpanPosteriors {
    pub(super) labels: Vec<f64>,
    /// Expected counts of local rules.
    pub(super) rules: Vec<f64>,
    /// Σ_A r(A) · rule(A, B, C).
    blame: Vec<f64>,
}

impl SpanPosteriors {
    /// Walks down. The sentence must have a tree.
    pub(super) fn fill(&mut self, inside: &Inside, pairs: &mut Pairs) {
        let clear = |list: &mut Vec<f64>, len| {
            list.clear();
            list.resize(len, 0.0);
        };
        clear(&mut self.labels, inside.values.len());
        clear(&mut self.rules, inside.local.rules.len());
        clear(&mut self.blame, inside.local.m() * inside.local.m());
        let (root, _) = inside.root();
        let total: f64 = root.clone().sum();
        let (top, _) = inside.vector((0, inside.n));
        self.labels[top].iter_mut().zip(root).for_each(|(p, weight)| *p = weight / total);
        for width in (2..=inside.n).rev() {
            (0..=inside.n - width).for_each(|start| self.hand_down(inside, (start, start + width), pairs));
        }
    }

    fn hand_down(&mut self, inside: &Inside, span: (usize, usize), pairs: &mut Pairs) {
        let (range, _) = inside.vector(span);
        if self.labels[range].iter().all(|&p| p < NOTHING) {
            return;
        }
        pairs.fill(inside, span);
        self.take_blame(inside, span, pairs);
        let m = inside.local.m();
        for split in pairs.splits(inside, span) {
            let [(left, first_left), (right, first_right)] = split.spans.map(|side| inside.vector(side));
            for (b, &x) in inside.values[left.clone()].iter().enumerate().filter(|(_, x)| **x > 0.0) {
                let x = x * split.scale;
                let blame = &self.blame[(first_left + b) * m + first_right..];
                let mut sum = 0.0;
                for (c, (&y, &blame)) in inside.values[right.clone()].iter().zip(blame).enumerate() {
                    let p = blame * y * x;
                    sum += p;
                    self.labels[right.start + c] += p;
                }
                self.labels[left.start + b] += sum;
            }
        }
    }

    /// Counts the rules of a span, and finds what each pair of labels is used for.
    fn take_blame(&mut self, inside: &Inside, span: (usize, usize), pairs: &Pairs) {
        let (m, local) = (inside.local.m(), &inside.local);
        let (range, _) = inside.vector(span);
        let to_span = pairs.to_span(inside, span);
        pairs.active.iter().for_each(|&left| self.blame[left * m..(left + 1) * m].fill(0.0));
        for (parent, at) in range.enumerate().filter(|&(_, at)| self.labels[at] >= NOTHING) {
            let r = self.labels[at] / inside.values[at] * to_span;
            for &left in &pairs.active {
                let row = local.row(parent, left);
                let sums = &pairs.sums[left * m..(left + 1) * m];
                let blames = &mut self.blame[left * m..(left + 1) * m];
                let counts = &mut self.rules[row.clone()];
                for (((rule, sum), blame), count) in local.rules[row].iter().zip(sums).zip(blames).zip(counts)
                {
                    let share = r * rule;
                    *blame += share;
                    *count += share * sum;
                }
            }
        }
    }
}
