//! The forest of a sentence: coarse posteriors, constraints and pruning.

use forest::{Forest, Scaled};
use grammar::anchor::{self, Allowed, Brackets, CoarseForest, ConstraintError, Leaves, PrunedForest};
use grammar::{Codec, Lexicon, Reading};
use tree::Text;

/// What each word of a sentence can be.
pub fn readings(lexicon: &Lexicon, words: &[Text]) -> Vec<Reading> {
    words.iter().enumerate().map(|(at, word)| lexicon.read(word, at == 0)).collect()
}

/// The trees of a sentence that its constraints leave.
///
/// Items whose posterior under the coarse grammar `means` is below `threshold` are not built; 0 keeps every item
/// that can occur.
pub fn of_brackets(
    codec: &Codec,
    lexicon: &Lexicon,
    means: &[f64],
    brackets: &Brackets,
    threshold: f64,
) -> Result<(PrunedForest, Leaves), ConstraintError> {
    let required = brackets.require(codec.rules())?;
    let readings = readings(lexicon, &brackets.words);
    of_readings(codec, means, &readings, &required, threshold)
}

/// The same for readings that are known.
pub fn of_readings(
    codec: &Codec,
    means: &[f64],
    readings: &[Reading],
    allowed: &impl Allowed,
    threshold: f64,
) -> Result<(PrunedForest, Leaves), ConstraintError> {
    let rules = codec.rules();
    let too_long = ConstraintError::TooLong(readings.len());
    let spans = anchor::spans(rules, readings.len()).ok_or(too_long)?;
    let leaves = Leaves::new(readings, allowed);
    let coarse = CoarseForest::new(rules, means, &leaves, allowed, spans);
    let inside = Scaled::inside(&coarse);
    if inside.ln_total() == f64::NEG_INFINITY {
        return Err(ConstraintError::NoTree);
    }
    let posteriors = inside.outside().items();
    let live = |item: forest::Item| {
        let posterior = posteriors[item.index()];
        posterior > 0.0 && posterior >= threshold
    };
    let goal = coarse.goal();
    let pruned = PrunedForest::new(&coarse, |item| item == goal || live(item));
    Ok((pruned, leaves))
}
