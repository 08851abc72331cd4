//! Several annotations of the same sentence become one.
//!
//! Annotators vote for heads with weights. The heads are then taken in the order of their votes, the heaviest
//! first, each if its word has none yet and if it closes no cycle. Nothing disappears silently: words with
//! different heads are listed with all votes, and so are heads that a cycle kept out. Cycles are to be
//! expected: one annotator lets the determiner depend on the noun and another the noun on the determiner.

pub mod dawid_skene;

use crate::Error;
use crate::error::in_range;
use score::Counts;
use tree::PutInOrder;

/// One annotation made of several.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Combined {
    /// The heads that were taken. They form no cycle.
    pub heads: Vec<Option<usize>>,
    /// Words that were given different heads, in sentence order.
    pub conflicts: Vec<Conflict>,
    /// Heads that were tried and kept out by a cycle, in the order in which they were tried.
    pub refused: Vec<Refused>,
}

/// A word with different heads.
#[derive(Clone, Debug, PartialEq)]
pub struct Conflict {
    /// The word, from 1.
    pub word: usize,
    /// The head that was taken; `None` if all of them would close cycles.
    pub taken: Option<usize>,
    /// All heads it was given, the heaviest first.
    pub votes: Vec<Vote>,
}

/// Those who gave a word the same head.
#[derive(Clone, Debug, PartialEq)]
pub struct Vote {
    /// The head, 0 for the root.
    pub head: usize,
    /// Their weight together, or the probability of the head.
    pub weight: f64,
    /// The annotators, from 0.
    pub annotators: Vec<usize>,
}

/// A head that would have closed a cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The word, from 1.
    pub word: usize,
    /// The head it did not get.
    pub head: usize,
    /// Those who gave it, from 0.
    pub annotators: Vec<usize>,
    /// The words of the cycle, each headed by the next, beginning with `word`.
    pub cycle: Vec<usize>,
}

/// All annotations together: of different heads the majority's, and the first annotator's in a tie.
///
/// ```
/// let annotations = [vec![Some(2), None, None], vec![Some(3), Some(3), None], vec![Some(3), None, Some(0)]];
/// let combined = study::combine::union(&annotations)?;
/// assert_eq!(combined.heads, [Some(3), Some(3), Some(0)]);
/// assert_eq!(combined.conflicts[0].votes[1].annotators, [0]);
/// # Ok::<(), study::Error>(())
/// ```
pub fn union(annotations: &[Vec<Option<usize>>]) -> Result<Combined, Error> {
    weighted(annotations, &vec![1.0; annotations.len()])
}

/// As [`union()`], with a weight for the vote of each annotator; a weight of 0 counts only where nobody else
/// has said anything.
pub fn weighted(annotations: &[Vec<Option<usize>>], weights: &[f64]) -> Result<Combined, Error> {
    if weights.len() != annotations.len() {
        return Err(Error::Weights { weights: weights.len(), annotators: annotations.len() });
    }
    for &weight in weights {
        in_range("the weight of an annotator", weight, "0 or more", weight >= 0.0 && weight.is_finite())?;
    }
    let n_words = annotations.first().map_or(0, Vec::len);
    for (annotator, heads) in annotations.iter().enumerate() {
        check_heads(annotator, heads, n_words)?;
    }
    let ballots = (1..=n_words).map(|word| ballot(annotations, weights, word)).collect();
    Ok(resolve(ballots))
}

/// Weights by accuracy on a tuning set: (right + 1) / (given + 2), the expected precision of an annotator of
/// whom nothing else is known. The counts are those of `score::agreement::committed_arcs`.
pub fn accuracy_weights(tuning: &[Counts]) -> Vec<f64> {
    tuning.iter().map(|counts| (counts.matched as f64 + 1.0) / (counts.system as f64 + 2.0)).collect()
}

fn check_heads(annotator: usize, heads: &[Option<usize>], n_words: usize) -> Result<(), Error> {
    if heads.len() != n_words {
        return Err(Error::Length { what: "an annotation", found: heads.len(), n_words });
    }
    for (word, &head) in (1..).zip(heads) {
        if let Some(head) = head
            && (head > n_words || head == word)
        {
            return Err(Error::Head { annotator, word, head, n_words });
        }
    }
    Ok(())
}

/// The votes for the head of a word, in the order of the first annotators.
fn ballot(annotations: &[Vec<Option<usize>>], weights: &[f64], word: usize) -> Vec<Vote> {
    let mut votes: Vec<Vote> = Vec::new();
    for (annotator, heads) in annotations.iter().enumerate() {
        let Some(head) = heads[word - 1] else { continue };
        match votes.iter_mut().find(|vote| vote.head == head) {
            Some(vote) => {
                vote.weight += weights[annotator];
                vote.annotators.push(annotator);
            }
            None => votes.push(Vote { head, weight: weights[annotator], annotators: vec![annotator] }),
        }
    }
    votes
}

/// Takes heads in the order of their weights; ties go to the first annotator, then to the first word.
fn resolve(mut ballots: Vec<Vec<Vote>>) -> Combined {
    let first = |vote: &Vote| vote.annotators.first().copied().unwrap_or(usize::MAX);
    for votes in &mut ballots {
        votes.order_by(|a, b| b.weight.total_cmp(&a.weight).then(first(a).cmp(&first(b))));
    }
    let mut order: Vec<(usize, &Vote)> =
        (1..).zip(&ballots).flat_map(|(word, votes)| votes.iter().map(move |vote| (word, vote))).collect();
    order.order_by(|(_, a), (_, b)| b.weight.total_cmp(&a.weight).then(first(a).cmp(&first(b))));
    let mut heads = vec![None; ballots.len()];
    let mut refused = Vec::new();
    for (word, vote) in order {
        if heads[word - 1].is_some() {
            continue;
        }
        match cycle(&heads, word, vote.head) {
            Some(cycle) => {
                refused.push(Refused { word, head: vote.head, annotators: vote.annotators.clone(), cycle });
            }
            None => heads[word - 1] = Some(vote.head),
        }
    }
    let conflicts = (1..).zip(ballots).filter(|(_, votes)| votes.len() > 1);
    let conflicts = conflicts.map(|(word, votes)| Conflict { word, taken: heads[word - 1], votes }).collect();
    Combined { heads, conflicts, refused }
}

/// The cycle that `word` would be in if it had this head.
fn cycle(heads: &[Option<usize>], word: usize, head: usize) -> Option<Vec<usize>> {
    let mut path = vec![word];
    let mut at = head;
    while at != word {
        path.push(at);
        at = heads.get(at.checked_sub(1)?).copied().flatten()?;
    }
    Some(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use tree::Heads;

    #[test]
    fn the_majority_wins_and_then_the_first_annotator() {
        let combined = union(&[vec![Some(2), None], vec![Some(0), None], vec![Some(0), Some(0)]]).unwrap();
        assert_eq!(combined.heads, [Some(0), Some(0)]);
        assert_eq!(combined.conflicts.len(), 1);
        let tied = union(&[vec![Some(2), None], vec![Some(0), None]]).unwrap();
        assert_eq!(tied.heads, [Some(2), None]);
        assert_eq!(tied.conflicts[0].votes.iter().map(|vote| vote.head).collect::<Vec<_>>(), [2, 0]);
    }

    #[test]
    fn a_weighty_annotator_outvotes_two_others() {
        let annotations = [vec![Some(2), None], vec![Some(0), None], vec![Some(0), None]];
        assert_eq!(weighted(&annotations, &[0.9, 0.4, 0.4]).unwrap().heads, [Some(2), None]);
        assert_eq!(weighted(&annotations, &[0.7, 0.4, 0.4]).unwrap().heads, [Some(0), None]);
    }

    #[test]
    fn cycles_between_annotators_are_broken_and_reported() {
        // The noun heads the determiner for two, and the determiner the noun for one.
        let noun = vec![Some(2), Some(3), None];
        let determiner = vec![Some(3), Some(1), None];
        let combined = union(&[noun.clone(), noun, determiner]).unwrap();
        assert_eq!((combined.heads, combined.refused), (vec![Some(2), Some(3), None], vec![]));
        let split = union(&[vec![Some(2), None], vec![None, Some(1)]]).unwrap();
        assert_eq!(split.heads, [Some(2), None]);
        assert_eq!(split.refused, [Refused { word: 2, head: 1, annotators: vec![1], cycle: vec![2, 1] }]);
    }

    #[test]
    fn the_head_that_a_conflict_tells_is_the_one_that_was_taken() {
        // The heavier head of the second word would close a cycle with the head of the first.
        let annotations = [vec![Some(2), None], vec![None, Some(1)], vec![None, Some(0)]];
        let combined = weighted(&annotations, &[3.0, 2.0, 1.0]).unwrap();
        let conflict = &combined.conflicts[0];
        assert_eq!(conflict.votes.iter().map(|vote| vote.head).collect::<Vec<_>>(), [1, 0]);
        assert_eq!((conflict.taken, combined.heads), (Some(0), vec![Some(2), Some(0)]));
    }

    #[test]
    fn impossible_heads_and_weights_are_refused() {
        assert!(matches!(union(&[vec![Some(1)]]), Err(Error::Head { annotator: 0, word: 1, .. })));
        assert!(matches!(union(&[vec![None], vec![Some(2)]]), Err(Error::Head { annotator: 1, .. })));
        assert!(matches!(union(&[vec![None], vec![]]), Err(Error::Length { found: 0, n_words: 1, .. })));
        assert!(matches!(weighted(&[vec![None]], &[]), Err(Error::Weights { .. })));
        assert!(matches!(weighted(&[vec![None]], &[f64::NAN]), Err(Error::Range { .. })));
        assert_eq!(union(&[]).unwrap(), Combined::default());
    }

    #[test]
    fn accuracy_weights_are_smoothed_precisions() {
        let counts = [Counts { matched: 3, gold: 20, system: 4 }, Counts::default()];
        assert_eq!(accuracy_weights(&counts), [4.0 / 6.0, 0.5]);
    }

    fn annotations() -> impl Strategy<Value = Vec<Vec<Option<usize>>>> {
        (1usize..6, 1usize..5).prop_flat_map(|(n_words, n_annotators)| {
            let heads = prop::collection::vec(prop::option::of(0..n_words), n_words).prop_map(|heads| {
                let shifted =
                    |(word, head): (usize, Option<usize>)| head.map(|h| if h >= word { h + 1 } else { h });
                (1..).zip(heads).map(shifted).collect::<Vec<_>>()
            });
            prop::collection::vec(heads, n_annotators)
        })
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_nothing_is_invented(annotations in annotations()) {
            let combined = union(&annotations).unwrap();
            for word in 1..=annotations[0].len() {
                let mut given: Vec<usize> = annotations.iter().filter_map(|heads| heads[word - 1]).collect();
                given.sort_unstable();
                given.dedup();
                let conflict = combined.conflicts.iter().find(|conflict| conflict.word == word);
                prop_assert_eq!(conflict.is_some(), given.len() > 1);
                let mut accounted: Vec<usize> =
                    conflict.iter().flat_map(|conflict| conflict.votes.iter().map(|vote| vote.head)).collect();
                accounted.extend(combined.heads[word - 1]);
                accounted.extend(combined.refused.iter().filter(|no| no.word == word).map(|no| no.head));
                accounted.sort_unstable();
                accounted.dedup();
                prop_assert_eq!(accounted, given);
            }
            // Open words under the root make a tree exactly if there is no cycle.
            let heads = combined.heads.iter().map(|head| head.unwrap_or(0) as u32).collect();
            prop_assert!(Heads::new(heads).is_ok());
        }

        #[test]
        fn one_tree_is_its_own_union(annotations in annotations()) {
            let mut tree = union(&annotations).unwrap().heads;
            tree.iter_mut().for_each(|head| *head = head.or(Some(0)));
            let again = union(&[tree.clone(), tree.clone()]).unwrap();
            prop_assert_eq!(again, Combined { heads: tree, ..Combined::default() });
        }
    }
}
