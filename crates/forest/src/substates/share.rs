//! What a bundle hands down to its tails, and the posteriors of its edges.

use super::chart::{Chart, Pair, Sum, add};
use super::kernel::{contract_with, dot, weighted_rows};
use super::lanes::{Lanes, Task};
use super::outside::{Buffers, slot};
use crate::scale::power;

/// What brings inside · outside to a probability.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    /// The mantissa of 1 / Z, or 0 if Z is 0, and the exponent of Z.
    inverse: f64,
    shift: i64,
}

impl Scale {
    pub(super) fn new(inside: &Chart<Sum>) -> Scale {
        let (total, shift) = inside.total().parts();
        Scale { inverse: if total == 0.0 { 0.0 } else { 1.0 / total }, shift }
    }

    /// 2^exponent / Z.
    #[inline(always)]
    pub(super) fn factor(&self, exponent: i32) -> f64 {
        let distance = (i64::from(exponent) - self.shift).clamp(-2000, 1000) as i32;
        power(distance) * self.inverse
    }
}

/// A unary bundle whose tail is to get its share.
pub(super) struct HandOne<'a> {
    pub(super) inside: &'a Chart<Sum>,
    pub(super) buffers: &'a mut Buffers,
    pub(super) weight: &'a [f64],
    pub(super) tail: usize,
    pub(super) at: i32,
    pub(super) edges: Option<(&'a mut [f64], Scale)>,
}

impl Task for HandOne<'_> {
    type Output = ();

    /// `outside(tail)[y]` += Σ_x `outside(head)[x]` · `β[x][y]`.
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Buffers { values, exponents, above, matrix, .. } = self.buffers;
        let place = self.inside.place_at(self.tail as u32);
        weighted_rows(lanes, matrix, self.weight, above);
        if let Some(([edge], scale)) = self.edges {
            let value = dot::<Sum, L>(lanes, matrix, self.inside.at(place));
            *edge = value * scale.factor(self.at + place.exponent);
        }
        add::<Sum, L>(lanes, slot(values, place), &mut exponents[self.tail], matrix, self.at);
    }
}

/// A binary bundle whose tails are to get their shares.
pub(super) struct HandTwo<'a> {
    pub(super) inside: &'a Chart<Sum>,
    pub(super) buffers: &'a mut Buffers,
    pub(super) weight: &'a [f64],
    pub(super) sizes: (usize, usize),
    pub(super) at: i32,
    pub(super) edges: Option<(&'a mut [f64], Scale)>,
}

impl Task for HandTwo<'_> {
    type Output = ();

    /// Usual sizes are told to the compiler, which then unrolls the loops.
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        match (self.buffers.above.len(), self.sizes) {
            (4, (4, 4)) => self.sized(lanes, 4, (4, 4)),
            (8, (8, 8)) => self.sized(lanes, 8, (8, 8)),
            (n, sizes) => self.sized(lanes, n, sizes),
        }
    }
}

impl HandTwo<'_> {
    /// `outside(left)[y]` += Σ_z `N[y][z]` · `inside(right)[z]`, and the same for the right side.
    ///
    /// `N[y][z]` = Σ_x `outside(head)[x]` · `β[x][y][z]` is worked out once per bundle. The posterior of an edge
    /// is then what its left side gets, times what the left side is.
    #[inline(always)]
    fn sized<L: Lanes>(mut self, lanes: L, n: usize, (height, width): (usize, usize)) {
        let HandTwo { inside, at, .. } = self;
        let Buffers { values, exponents, scratch, above, matrix, term, right_term } = self.buffers;
        let matrix = &mut matrix[..height * width];
        let (term, right_term) = (&mut term[..height], &mut right_term[..width]);
        weighted_rows(lanes, matrix, self.weight, &above[..n]);
        for &Pair { split, left: left_slot, right: right_slot } in &scratch.pairs {
            let (left, right) = (inside.place_at(left_slot), inside.place_at(right_slot));
            let (left_values, right_values) = (inside.sized(left, height), inside.sized(right, width));
            contract_with::<Sum, L>(lanes, term, matrix, right_values);
            if let Some((edges, scale)) = &mut self.edges {
                let value = dot::<Sum, L>(lanes, left_values, term);
                edges[split as usize] = value * scale.factor(at + left.exponent + right.exponent);
            }
            let (sum, exponent) =
                (&mut values[left.offset as usize..][..height], &mut exponents[left_slot as usize]);
            add::<Sum, L>(lanes, sum, exponent, term, at + right.exponent);
            weighted_rows(lanes, right_term, matrix, left_values);
            let (sum, exponent) =
                (&mut values[right.offset as usize..][..width], &mut exponents[right_slot as usize]);
            add::<Sum, L>(lanes, sum, exponent, right_term, at + left.exponent);
        }
    }
}
