//! The numbering of spans.

use forest::{Item, Spans, spans::runs};
use proptest::prelude::*;

proptest! {
    #[test]
    fn items_are_numbered_bottom_up_and_back(n_words in 1u32..40, n_symbols in 1u32..30) {
        let spans = Spans::new(n_words, n_symbols).unwrap();
        let items: Vec<Item> = spans.items().collect();
        prop_assert!(items.is_sorted());
        prop_assert_eq!(items.len() as u32, n_words * (n_words + 1) / 2 * n_symbols);
        for &item in &items {
            let (symbol, start, end) = spans.locate(item);
            prop_assert_eq!(spans.item(symbol, start, end), item);
            prop_assert!(item.index() < spans.n_items());
        }
        let reversed: Vec<Item> = spans.items().rev().collect();
        prop_assert!(reversed.iter().eq(items.iter().rev()));
    }

    #[test]
    fn splits_are_the_two_sides_of_every_split(n in 2u32..30, at in any::<[u32; 4]>(), step in 1u32..4) {
        let spans = Spans::new(n, 7).unwrap();
        let start = at[0] % (n - 1);
        let end = start + 2 + at[1] % (n - start - 1);
        let (left, right) = (at[2] % 7, at[3] % 7);
        let splits = spans.splits_at((left, right), (start, end), (start + 1, end), step);
        let expected: Vec<(Item, Item)> = (start + 1..end)
            .step_by(step as usize)
            .map(|k| (spans.item(left, start, k), spans.item(right, k, end)))
            .collect();
        prop_assert_eq!(splits.pairs().collect::<Vec<_>>(), expected);
        for (left, right) in splits.pairs() {
            prop_assert!(left < spans.item(0, start, end) && right < spans.item(0, start, end));
        }
    }

    #[test]
    fn runs_cover_what_is_allowed(mask in proptest::collection::vec(any::<bool>(), 0..20)) {
        let runs = runs(0..mask.len() as u32, |at| mask[at as usize]);
        let found: Vec<u32> = runs.into_iter().flat_map(|(a, b)| a..b).collect();
        let expected: Vec<u32> = (0..mask.len() as u32).filter(|&at| mask[at as usize]).collect();
        prop_assert_eq!(found, expected);
    }
}

#[test]
fn a_chart_that_does_not_fit_is_refused() {
    assert!(Spans::new(100_000, 1_000).is_none());
    assert!(Spans::new(u32::MAX, u32::MAX).is_none());
    assert!(Spans::new(100, 10_000).is_some());
}
