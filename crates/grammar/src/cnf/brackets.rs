//! Brackets without labels.

use tree::Span;

/// The binary bracketing of `n` words with the greatest sum of gains, as brackets of two words or more, outer before
/// inner. Among equals the first split wins.
///
/// With posteriors of spans as gains it has the greatest expected number of right brackets (Goodman 1996).
pub fn best_brackets(n: usize, gain: impl Fn(usize, usize) -> f64) -> Vec<Span> {
    let at = |start: usize, end: usize| start * (n + 1) + end;
    let mut best = vec![(0.0, 0); (n + 1) * (n + 1)];
    for width in 2..=n {
        for (start, end) in (0..=n - width).map(|start| (start, start + width)) {
            // best(i, j) = gain(i, j) + max_k best(i, k) + best(k, j)
            let (mut most, mut split) = (f64::NEG_INFINITY, start + 1);
            for k in start + 1..end {
                let sum = best[at(start, k)].0 + best[at(k, end)].0;
                if sum > most {
                    (most, split) = (sum, k);
                }
            }
            best[at(start, end)] = (gain(start, end) + most, split);
        }
    }
    let (mut found, mut open) = (Vec::new(), vec![(0, n)]);
    while let Some((start, end)) = open.pop() {
        if end - start > 1 {
            found.extend(Span::new(start, end));
            let split = best[at(start, end)].1;
            open.extend([(split, end), (start, split)]);
        }
    }
    found
}
