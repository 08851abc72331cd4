//! One of several numbers, in proportion to what they are.

/// The first number at which the running sum of shares passes `rest`; an epsilon that rounding leaves is for the last
/// share that is not 0. What is left of `rest` then lies within the share that was drawn.
#[inline]
pub fn draw(shares: impl IntoIterator<Item = f64>, rest: &mut f64) -> usize {
    let (mut last, mut last_share) = (0, 0.0);
    for (at, share) in shares.into_iter().enumerate().filter(|(_, share)| *share > 0.0) {
        (last, last_share) = (at, share);
        if *rest < share {
            return at;
        }
        *rest -= share;
    }
    *rest = last_share;
    last
}
