//! Sums over two lists in parts that the processor adds at once.

/// Folds pairs of numbers in so many interleaved parts: `add` takes a pair into a part, `merge` puts parts together. The order is fixed, so that results
/// are the same on every machine.
#[inline(always)]
pub fn fold<const LANES: usize>(
    a: &[f64],
    b: &[f64],
    empty: f64,
    add: impl Fn(f64, f64, f64) -> f64,
    merge: impl Fn(f64, f64) -> f64,
) -> f64 {
    let mut lanes = [empty; LANES];
    let (a_blocks, a_rest) = a.as_chunks::<LANES>();
    let (b_blocks, b_rest) = b.as_chunks::<LANES>();
    for (a, b) in a_blocks.iter().zip(b_blocks) {
        for lane in 0..LANES {
            lanes[lane] = add(lanes[lane], a[lane], b[lane]);
        }
    }
    let rest = a_rest.iter().zip(b_rest).fold(empty, |sum, (&a, &b)| add(sum, a, b));
    lanes.into_iter().fold(rest, merge)
}
