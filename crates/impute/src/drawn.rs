//! What trees that were drawn from a model say under an annotation.

use arcs::ArcScores;
use tree::{Heads, Possible};

use crate::ArcPosteriors;
use crate::admitted::{self, Trees};

/// Trees that keep everything that was said are enough to count if they are so many.
const FEWEST: usize = 20;
/// What an arc counts that no tree has.
const UNSEEN: f64 = 0.1;

/// The admitted tree with the most probable arcs, and how probable arcs are, by draws from a model that knows nothing of the
/// annotation; `None` if none of `trees` is admitted.
///
/// If enough draws are admitted, the others do not count: these are draws from the model given all that was said. Otherwise
/// the draws in which the fewest words have a head that was ruled out are put together to trees that are admitted, as if arcs
/// did not depend on one another:
///
/// ```text
/// P(tree) ∝ ∏_{arcs a of the tree} (n(a) + 0.1),    n(a) draws with this arc
/// ```
pub fn complete(draws: &[Heads], possible: &Possible, trees: Trees) -> Option<(Heads, ArcPosteriors)> {
    let (cases, _) = possible.arc_cases();
    let n_words = possible.n_words();
    let kept: Vec<&Heads> = draws.iter().filter(|heads| possible.admits(heads)).collect();
    let posteriors = if kept.len() >= FEWEST && is_whole(possible) {
        let mut shares = counts(&kept, n_words);
        (1..=n_words).for_each(|word| shares.row_mut(word).iter_mut().for_each(|n| *n /= kept.len() as f64));
        shares
    } else {
        let counts = counts(&nearest(draws, possible), n_words);
        let mut scores = ArcScores::zero(n_words);
        for word in 1..=n_words {
            for (head, n) in counts.row(word).iter().enumerate() {
                scores.set(head, word, libm::log(n + UNSEEN));
            }
        }
        admitted::posteriors(&scores, &cases, trees)?
    };
    let heads = admitted::best(possible, &cases, &posteriors, trees)?;
    Some((heads, posteriors))
}

/// Whether so many draws are admitted that no others count.
pub fn are_enough(draws: &[Heads], possible: &Possible) -> bool {
    is_whole(possible) && draws.iter().filter(|heads| possible.admits(heads)).nth(FEWEST - 1).is_some()
}

/// Draws know of no words that are left out.
fn is_whole(possible: &Possible) -> bool {
    (1..=possible.n_words()).all(|word| !possible.left_out(word))
}

/// The trees in which the fewest words have a head that was ruled out, and as many of the next best as make enough.
fn nearest<'a>(draws: &'a [Heads], possible: &Possible) -> Vec<&'a Heads> {
    let n_wrong = |heads: &Heads| {
        let words = 1..=heads.len();
        words.filter(|&word| !possible.whole().allows_arc(heads.head(word), word)).count()
    };
    let wrong: Vec<usize> = draws.iter().map(n_wrong).collect();
    let mut sorted = wrong.clone();
    sorted.sort_unstable();
    let most = sorted.get(FEWEST - 1).or(sorted.last()).copied().unwrap_or(0);
    draws.iter().zip(&wrong).filter(|&(_, &n)| n <= most).map(|(heads, _)| heads).collect()
}

/// n(a) for every arc.
fn counts(trees: &[&Heads], n_words: usize) -> ArcPosteriors {
    let mut counts = ArcPosteriors::zero(n_words);
    for heads in trees {
        for word in 1..=n_words {
            counts.row_mut(word)[heads.head(word)] += 1.0;
        }
    }
    counts
}
