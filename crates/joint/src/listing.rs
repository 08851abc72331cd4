//! All trees over a few words, for tests.

use arcs::Roots;
use chain::Rng;
use tree::Heads;

use crate::Sentence;
use crate::links::TreeShape;

/// Every tree of a shape, one by one.
pub(crate) fn trees(n_words: usize, shape: TreeShape) -> Vec<Heads> {
    let n_heads = n_words + 1;
    let nth = |number: usize| {
        (0..n_words).map(|word| (number / n_heads.pow(word as u32) % n_heads) as u32).collect()
    };
    let is_right = |heads: &Heads| {
        (shape.roots == Roots::Many || heads.n_roots() == 1) && (!shape.projective || heads.is_projective())
    };
    let all = (0..n_heads.pow(n_words as u32)).filter_map(|number| Heads::new(nth(number)).ok());
    all.filter(is_right).collect()
}

/// Whether a tree has all heads that are known.
pub(crate) fn has_heads(heads: &Heads, sentence: &Sentence) -> bool {
    let known = |word: usize| sentence.heads.get(word - 1).copied().flatten();
    (1..=heads.len()).all(|word| known(word).is_none_or(|head| head as usize == heads.head(word)))
}

/// ln Σ exp, by definition.
pub(crate) fn ln_sum(ln: impl Iterator<Item = f64>) -> f64 {
    ln.map(f64::exp).sum::<f64>().ln()
}

/// Weights between −1 and 1.
pub(crate) fn random_weights(n: usize, rng: &mut Rng) -> Vec<f32> {
    (0..n).map(|_| (2.0 * rng.uniform() - 1.0) as f32).collect()
}

/// Words of three kinds.
pub(crate) fn random_words(n: usize, rng: &mut Rng) -> Sentence {
    let forms = (0..n).map(|_| ["a", "b", "c"][rng.below(3)].into()).collect();
    Sentence { forms, ..Sentence::default() }
}

/// Asserts that entries, taken together, are the gradient of minus a function.
pub(crate) fn assert_gradient(entries: &[(u32, f32)], weights: &[f32], ln: impl Fn(&[f64]) -> f64) {
    let mut found = vec![0.0; weights.len()];
    entries.iter().for_each(|&(at, derivative)| found[at as usize] += f64::from(derivative));
    let mut moved: Vec<f64> = weights.iter().copied().map(f64::from).collect();
    for (at, found) in found.into_iter().enumerate() {
        const STEP: f64 = 1e-4;
        let mut at_distance = |by: f64| {
            let before = moved[at];
            moved[at] += by;
            let ln = ln(&moved);
            moved[at] = before;
            ln
        };
        let derivative = (at_distance(-STEP) - at_distance(STEP)) / (2.0 * STEP);
        // Entries are single floats, and those next to nothing are left out.
        assert!((derivative - found).abs() < 2e-5, "weight {at}: {found} instead of {derivative}");
    }
}

/// All binary bracketings of some words, the whole of them among the brackets.
pub(crate) fn bracketings(start: u32, end: u32) -> Vec<Vec<(u32, u32)>> {
    if end - start < 2 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for split in start + 1..end {
        for left in bracketings(start, split) {
            for right in bracketings(split, end) {
                all.push([vec![(start, end)], left.clone(), right].concat());
            }
        }
    }
    all
}
