//! Sentences shared out among annotators.

use num::streams::Stream;
use tree::PutInOrder;

/// Which section each sentence falls to: 1 to `n_sections`, or 0 for the one that is common to all.
///
/// Every section gets short and long sentences alike, as in Table 5.2 of Mielens (2016): sentences are dealt out in the order of their
/// lengths, a round of cards at a time, and who is dealt to first is drawn anew for every round. The common section takes part as one
/// more player that is dealt to as often as its share asks for.
pub fn divide(lengths: &[usize], n_sections: usize, common: f64, stream: Stream) -> Vec<usize> {
    let mut order: Vec<usize> = (0..lengths.len()).collect();
    order.order_by_key(|&at| (std::cmp::Reverse(lengths[at]), at));
    let mut sections = vec![0; lengths.len()];
    if n_sections == 0 {
        return sections;
    }
    let (mut owed, mut rng) = (0.0, stream.purpose("divide").rng());
    let mut round: Vec<usize> = Vec::new();
    for at in order {
        // The common section is owed its share of every sentence, and takes one when that has come to a whole one.
        owed += common;
        if owed >= 1.0 - 1e-9 {
            owed -= 1.0;
            continue;
        }
        if round.is_empty() {
            round = (1..=n_sections).collect();
        }
        let drawn = num::dist::categorical(&mut rng, &vec![1.0; round.len()]).unwrap_or(0);
        sections[at] = round.swap_remove(drawn);
    }
    sections
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sections_are_as_large_as_asked_and_as_long_as_one_another(
            lengths in prop::collection::vec(1usize..60, 0..400),
            n_sections in 1usize..8,
            common in 0.0f64..1.0,
            seed in any::<u64>(),
        ) {
            let sections = divide(&lengths, n_sections, common, Stream::new(seed));
            let size = |section: usize| sections.iter().filter(|&&one| one == section).count();
            let words = |section: usize| -> usize {
                sections.iter().zip(&lengths).filter(|(one, _)| **one == section).map(|(_, length)| length).sum()
            };
            prop_assert_eq!(sections.len(), lengths.len());
            prop_assert!((size(0) as f64 - common * lengths.len() as f64).abs() <= 1.0);
            let (sizes, totals): (Vec<usize>, Vec<usize>) = (1..=n_sections).map(|one| (size(one), words(one))).unzip();
            let spread = |all: &[usize]| all.iter().max().unwrap_or(&0) - all.iter().min().unwrap_or(&0);
            prop_assert!(spread(&sizes) <= 1);
            // Within a round nobody gets more than the longest of it, and rounds lie below one another.
            prop_assert!(spread(&totals) <= lengths.iter().max().copied().unwrap_or(0));
        }
    }

    #[test]
    fn with_one_annotator_and_nothing_in_common_all_is_hers() {
        assert_eq!(divide(&[3, 5, 4], 1, 0.0, Stream::new(1)), [1, 1, 1]);
        assert_eq!(divide(&[3, 5, 4], 2, 1.0, Stream::new(1)), [0, 0, 0]);
        assert!(divide(&[], 3, 0.5, Stream::new(1)).is_empty());
    }
}
