//! The loops that take the time.
//!
//! Sums run in a fixed order over four lanes, so that results are the same whatever the width of the
//! machine's vectors.

use super::lanes::{Lanes, Machine, Task};

/// How alternatives are combined: [`super::Sum`] or [`super::Max`].
pub trait Combine: Copy + Default + std::fmt::Debug {
    /// Whether the greater alternative counts, not the sum of all.
    const GREATEST: bool;

    /// Adds an alternative. Zero is neutral, as no value is negative.
    #[inline(always)]
    fn combine(one: f64, other: f64) -> f64 {
        match Self::GREATEST {
            true if one > other => one,
            true => other,
            false => one + other,
        }
    }
}

#[inline(always)]
fn combine<C: Combine, L: Lanes>(lanes: L, one: L::Four, other: L::Four) -> L::Four {
    if C::GREATEST { lanes.greater(one, other) } else { lanes.add(one, other) }
}

/// `out[row]` = Σ_i `matrix[row][i]` · `vector[i]`, four rows at a time.
///
/// With `matrix` a rule tensor and `vector` the sum of outer products this is the K³ contraction.
pub fn contract<C: Combine>(out: &mut [f64], matrix: &[f64], vector: &[f64]) {
    Machine::default().run(Contract::<C> { out, matrix, vector, combine: std::marker::PhantomData });
}

/// [`contract()`] as a task.
pub(super) struct Contract<'a, C> {
    pub(super) out: &'a mut [f64],
    pub(super) matrix: &'a [f64],
    pub(super) vector: &'a [f64],
    pub(super) combine: std::marker::PhantomData<C>,
}

impl<C: Combine> Task for Contract<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        contract_with::<C, L>(lanes, self.out, self.matrix, self.vector);
    }
}

/// [`contract()`] inside a task.
#[inline(always)]
pub(super) fn contract_with<C: Combine, L: Lanes>(lanes: L, out: &mut [f64], matrix: &[f64], vector: &[f64]) {
    let width = vector.len();
    if width == 0 {
        return;
    }
    let (blocks, rest) = out.as_chunks_mut::<4>();
    let mut rows = matrix.chunks_exact(4 * width);
    for (block, rows) in blocks.iter_mut().zip(&mut rows) {
        *block = four_rows::<C, L>(lanes, rows, vector);
    }
    for (value, row) in rest.iter_mut().zip(rows.remainder().chunks_exact(width)) {
        *value = dot::<C, L>(lanes, row, vector);
    }
}

#[inline(always)]
fn four_rows<C: Combine, L: Lanes>(lanes: L, rows: &[f64], vector: &[f64]) -> [f64; 4] {
    let width = vector.len();
    let (top, bottom) = rows.split_at(2 * width);
    let (first, second) = top.split_at(width);
    let (third, fourth) = bottom.split_at(width);
    let (v, v_rest) = vector.as_chunks::<4>();
    let (a, a_rest) = first.as_chunks::<4>();
    let (b, b_rest) = second.as_chunks::<4>();
    let (c, c_rest) = third.as_chunks::<4>();
    let (d, d_rest) = fourth.as_chunks::<4>();
    let zero = lanes.splat(0.0);
    let [mut first, mut second, mut third, mut fourth] = [zero; 4];
    for ((((v, a), b), c), d) in v.iter().zip(a).zip(b).zip(c).zip(d) {
        let v = lanes.load(v);
        first = combine::<C, L>(lanes, first, lanes.mul(lanes.load(a), v));
        second = combine::<C, L>(lanes, second, lanes.mul(lanes.load(b), v));
        third = combine::<C, L>(lanes, third, lanes.mul(lanes.load(c), v));
        fourth = combine::<C, L>(lanes, fourth, lanes.mul(lanes.load(d), v));
    }
    let sums = [first, second, third, fourth];
    let rests = [a_rest, b_rest, c_rest, d_rest];
    // Written out, because `from_fn` is not always inlined.
    let sum = |row: usize| finish::<C>(&lanes.apart(sums[row]), rests[row], v_rest);
    [sum(0), sum(1), sum(2), sum(3)]
}

/// Σ_i `row[i]` · `vector[i]`.
#[inline(always)]
pub(super) fn dot<C: Combine, L: Lanes>(lanes: L, row: &[f64], vector: &[f64]) -> f64 {
    let (v, v_rest) = vector.as_chunks::<4>();
    let (a, a_rest) = row.as_chunks::<4>();
    let mut sums = lanes.splat(0.0);
    for (a, v) in a.iter().zip(v) {
        sums = combine::<C, L>(lanes, sums, lanes.mul(lanes.load(a), lanes.load(v)));
    }
    finish::<C>(&lanes.apart(sums), a_rest, v_rest)
}

/// The lanes together, and what did not fill them.
#[inline(always)]
fn finish<C: Combine>(sums: &[f64; 4], row: &[f64], vector: &[f64]) -> f64 {
    let low = C::combine(sums[0], sums[2]);
    let high = C::combine(sums[1], sums[3]);
    let start = C::combine(low, high);
    row.iter().zip(vector).fold(start, |sum, (a, v)| C::combine(sum, a * v))
}

/// `out[i]` = Σ_row `weights[row]` · `matrix[row][i]`, four rows at a time.
#[inline(always)]
pub(super) fn weighted_rows<L: Lanes>(lanes: L, out: &mut [f64], matrix: &[f64], weights: &[f64]) {
    let width = out.len();
    out.fill(0.0);
    if width == 0 {
        return;
    }
    let (fours, rest) = weights.as_chunks::<4>();
    let mut blocks = matrix.chunks_exact(4 * width);
    for (weights, rows) in fours.iter().zip(&mut blocks) {
        add_four_rows(lanes, out, rows, weights);
    }
    let rows = matrix.chunks_exact(width).skip(4 * fours.len());
    for (weight, row) in rest.iter().zip(rows) {
        for (out, a) in out.iter_mut().zip(row) {
            *out += weight * a;
        }
    }
}

#[inline(always)]
fn add_four_rows<L: Lanes>(lanes: L, out: &mut [f64], rows: &[f64], weights: &[f64; 4]) {
    let width = out.len();
    let (top, bottom) = rows.split_at(2 * width);
    let (a, b) = top.split_at(width);
    let (c, d) = bottom.split_at(width);
    let (out, out_rest) = out.as_chunks_mut::<4>();
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<4>(), b.as_chunks::<4>());
    let ((c, c_rest), (d, d_rest)) = (c.as_chunks::<4>(), d.as_chunks::<4>());
    let [w0, w1, w2, w3] = weights.map(|weight| lanes.splat(weight));
    for ((((out, a), b), c), d) in out.iter_mut().zip(a).zip(b).zip(c).zip(d) {
        let first = lanes.add(lanes.mul(w0, lanes.load(a)), lanes.mul(w1, lanes.load(b)));
        let second = lanes.add(lanes.mul(w2, lanes.load(c)), lanes.mul(w3, lanes.load(d)));
        *out = lanes.store(lanes.add(lanes.load(out), lanes.add(first, second)));
    }
    let [w0, w1, w2, w3] = weights;
    for ((((out, a), b), c), d) in out_rest.iter_mut().zip(a_rest).zip(b_rest).zip(c_rest).zip(d_rest) {
        *out += (w0 * a + w1 * b) + (w2 * c + w3 * d);
    }
}

/// `out[y][z]` += Σ over four splits of `left[y]` · `right[z]`, with a factor per split.
///
/// Four at a time, because each pass loads and stores all of `out`.
#[inline(always)]
pub(super) fn four_outer<C: Combine, L: Lanes>(
    lanes: L,
    out: &mut [f64],
    left: [&[f64]; 4],
    factors: [f64; 4],
    right: [&[f64]; 4],
) {
    let width = right[0].len();
    if width == 0 {
        return;
    }
    let fours = right.map(|right| right.as_chunks::<4>());
    let [(r0, rest0), (r1, rest1), (r2, rest2), (r3, rest3)] = fours;
    for (y, out) in out.chunks_exact_mut(width).enumerate() {
        let weights: [f64; 4] = std::array::from_fn(|split| left[split][y] * factors[split]);
        let [a, b, c, d] = weights.map(|weight| lanes.splat(weight));
        let (out, out_rest) = out.as_chunks_mut::<4>();
        for ((((out, r0), r1), r2), r3) in out.iter_mut().zip(r0).zip(r1).zip(r2).zip(r3) {
            let first = combine::<C, L>(lanes, lanes.mul(a, lanes.load(r0)), lanes.mul(b, lanes.load(r1)));
            let second = combine::<C, L>(lanes, lanes.mul(c, lanes.load(r2)), lanes.mul(d, lanes.load(r3)));
            let sum = combine::<C, L>(lanes, first, second);
            *out = lanes.store(combine::<C, L>(lanes, lanes.load(out), sum));
        }
        let [a, b, c, d] = weights;
        for ((((out, r0), r1), r2), r3) in out_rest.iter_mut().zip(rest0).zip(rest1).zip(rest2).zip(rest3) {
            let first = C::combine(a * r0, b * r1);
            let second = C::combine(c * r2, d * r3);
            *out = C::combine(*out, C::combine(first, second));
        }
    }
}

/// `out[y][z]` += `left[y]` · factor · `right[z]`.
#[inline(always)]
pub(super) fn outer<C: Combine, L: Lanes>(
    lanes: L,
    out: &mut [f64],
    left: &[f64],
    factor: f64,
    right: &[f64],
) {
    if right.is_empty() {
        return;
    }
    let (fours, rest) = right.as_chunks::<4>();
    for (out, left) in out.chunks_exact_mut(right.len()).zip(left) {
        let left = left * factor;
        let (out, out_rest) = out.as_chunks_mut::<4>();
        for (out, right) in out.iter_mut().zip(fours) {
            let product = lanes.mul(lanes.splat(left), lanes.load(right));
            *out = lanes.store(combine::<C, L>(lanes, lanes.load(out), product));
        }
        for (out, right) in out_rest.iter_mut().zip(rest) {
            *out = C::combine(*out, left * right);
        }
    }
}

/// `out[y][z]` = `left[y]` · `right[z]`.
#[inline(always)]
pub(super) fn only_outer<L: Lanes>(lanes: L, out: &mut [f64], left: &[f64], right: &[f64]) {
    if right.is_empty() {
        return;
    }
    let (fours, rest) = right.as_chunks::<4>();
    for (out, &left) in out.chunks_exact_mut(right.len()).zip(left) {
        let (out, out_rest) = out.as_chunks_mut::<4>();
        for (out, right) in out.iter_mut().zip(fours) {
            *out = lanes.store(lanes.mul(lanes.splat(left), lanes.load(right)));
        }
        for (out, right) in out_rest.iter_mut().zip(rest) {
            *out = left * right;
        }
    }
}

/// `sum[i]` = `sum[i]` · old + `term[i]` · new.
#[inline(always)]
pub(super) fn scale_add<C: Combine, L: Lanes>(lanes: L, sum: &mut [f64], old: f64, term: &[f64], new: f64) {
    let (sums, sums_rest) = sum.as_chunks_mut::<4>();
    let (terms, terms_rest) = term.as_chunks::<4>();
    let (old_four, new_four) = (lanes.splat(old), lanes.splat(new));
    for (sum, term) in sums.iter_mut().zip(terms) {
        let (old, new) = (lanes.mul(lanes.load(sum), old_four), lanes.mul(lanes.load(term), new_four));
        *sum = lanes.store(combine::<C, L>(lanes, old, new));
    }
    for (sum, term) in sums_rest.iter_mut().zip(terms_rest) {
        *sum = C::combine(*sum * old, term * new);
    }
}
