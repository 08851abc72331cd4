//! The four loops that take the time.
//!
//! Sums run in a fixed order over fixed lanes, so that results are the same whatever the width of the
//! machine's vectors.

/// How alternatives are combined: [`super::Sum`] or [`super::Max`].
pub trait Combine: Copy + Default + std::fmt::Debug {
    /// Adds an alternative. Zero is neutral, as no value is negative.
    fn combine(one: f64, other: f64) -> f64;
}

const LANES: usize = 4;

/// `out[row]` = Σ_i `matrix[row][i]` · `vector[i]`, four rows at a time.
///
/// With `matrix` a rule tensor and `vector` the sum of outer products this is the K³ contraction.
#[inline]
pub fn contract<C: Combine>(out: &mut [f64], matrix: &[f64], vector: &[f64]) {
    let width = vector.len();
    if width == 0 {
        return;
    }
    let mut blocks = out.chunks_exact_mut(4);
    let mut rows = matrix.chunks_exact(4 * width);
    for (block, rows) in (&mut blocks).zip(&mut rows) {
        let (top, bottom) = rows.split_at(2 * width);
        let (first, second) = top.split_at(width);
        let (third, fourth) = bottom.split_at(width);
        block.copy_from_slice(&four_rows::<C>(first, second, third, fourth, vector));
    }
    let rest = blocks.into_remainder();
    for (value, row) in rest.iter_mut().zip(rows.remainder().chunks_exact(width)) {
        *value = dot::<C>(row, vector);
    }
}

#[inline]
fn four_rows<C: Combine>(r0: &[f64], r1: &[f64], r2: &[f64], r3: &[f64], vector: &[f64]) -> [f64; 4] {
    let (v, v_rest) = vector.as_chunks::<LANES>();
    let (a, a_rest) = r0.as_chunks::<LANES>();
    let (b, b_rest) = r1.as_chunks::<LANES>();
    let (c, c_rest) = r2.as_chunks::<LANES>();
    let (d, d_rest) = r3.as_chunks::<LANES>();
    let [mut first, mut second, mut third, mut fourth] = [[0.0; LANES]; 4];
    for ((((v, a), b), c), d) in v.iter().zip(a).zip(b).zip(c).zip(d) {
        first = add_lanes::<C>(first, a, v);
        second = add_lanes::<C>(second, b, v);
        third = add_lanes::<C>(third, c, v);
        fourth = add_lanes::<C>(fourth, d, v);
    }
    let sums = [first, second, third, fourth];
    let rests = [a_rest, b_rest, c_rest, d_rest];
    std::array::from_fn(|row| finish::<C>(&sums[row], rests[row], v_rest))
}

/// Σ_i `row[i]` · `vector[i]`.
#[inline]
pub(super) fn dot<C: Combine>(row: &[f64], vector: &[f64]) -> f64 {
    let (v, v_rest) = vector.as_chunks::<LANES>();
    let (a, a_rest) = row.as_chunks::<LANES>();
    let mut sums = [0.0; LANES];
    for (a, v) in a.iter().zip(v) {
        sums = add_lanes::<C>(sums, a, v);
    }
    finish::<C>(&sums, a_rest, v_rest)
}

#[inline]
fn add_lanes<C: Combine>(sums: [f64; LANES], row: &[f64; LANES], vector: &[f64; LANES]) -> [f64; LANES] {
    std::array::from_fn(|lane| C::combine(sums[lane], row[lane] * vector[lane]))
}

/// The lanes together, and what did not fill them.
///
/// Not inlined: seeing the sums of several rows, the compiler would pair rows instead of lanes and shuffle
/// every load of the loop above.
#[inline(never)]
fn finish<C: Combine>(sums: &[f64; LANES], row: &[f64], vector: &[f64]) -> f64 {
    let low = C::combine(sums[0], sums[2]);
    let high = C::combine(sums[1], sums[3]);
    let start = C::combine(low, high);
    row.iter().zip(vector).fold(start, |sum, (a, v)| C::combine(sum, a * v))
}

/// `out[i]` = Σ_row `weights[row]` · `matrix[row][i]`, four rows at a time.
#[inline]
pub(super) fn weighted_rows(out: &mut [f64], matrix: &[f64], weights: &[f64]) {
    let width = out.len();
    out.fill(0.0);
    if width == 0 {
        return;
    }
    let (fours, rest) = weights.as_chunks::<4>();
    let mut rows = matrix.chunks_exact(width);
    for &[w0, w1, w2, w3] in fours {
        let (Some(a), Some(b), Some(c), Some(d)) = (rows.next(), rows.next(), rows.next(), rows.next())
        else {
            return;
        };
        for ((((out, a), b), c), d) in out.iter_mut().zip(a).zip(b).zip(c).zip(d) {
            *out += (w0 * a + w1 * b) + (w2 * c + w3 * d);
        }
    }
    for (weight, row) in rest.iter().zip(rows) {
        for (out, a) in out.iter_mut().zip(row) {
            *out += weight * a;
        }
    }
}

/// `out[y][z]` += Σ over four splits of `left[y]` · `right[z]`, with a factor per split.
///
/// Four at a time, because each pass loads and stores all of `out`.
#[inline]
pub(super) fn four_outer<C: Combine>(
    out: &mut [f64],
    left: [&[f64]; 4],
    factors: [f64; 4],
    right: [&[f64]; 4],
) {
    let width = right[0].len();
    if width == 0 {
        return;
    }
    let [r0, r1, r2, r3] = right;
    for (y, out) in out.chunks_exact_mut(width).enumerate() {
        let [a, b, c, d]: [f64; 4] = std::array::from_fn(|split| left[split][y] * factors[split]);
        for ((((out, r0), r1), r2), r3) in out.iter_mut().zip(r0).zip(r1).zip(r2).zip(r3) {
            let first = C::combine(a * r0, b * r1);
            let second = C::combine(c * r2, d * r3);
            *out = C::combine(*out, C::combine(first, second));
        }
    }
}

/// `out[y][z]` += `left[y]` · factor · `right[z]`.
#[inline]
pub(super) fn outer<C: Combine>(out: &mut [f64], left: &[f64], factor: f64, right: &[f64]) {
    if right.is_empty() {
        return;
    }
    for (out, left) in out.chunks_exact_mut(right.len()).zip(left) {
        let left = left * factor;
        for (out, right) in out.iter_mut().zip(right) {
            *out = C::combine(*out, left * right);
        }
    }
}
