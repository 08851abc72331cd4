//! What a mask leaves out costs nothing.

use forest::semiring::Prob;
use forest::{Forest, Item, Scaled, inside};
use testkit::toys::{Pcfg, SplitMix64};

use crate::toys::{Counted, PcfgForest, assert_close};

fn grammar_and_words() -> (Pcfg, Vec<usize>) {
    let mut random = SplitMix64(11);
    let grammar = Pcfg::random(4, 12, 4, &mut random);
    let words = (0..6).map(|_| random.below(4)).collect();
    (grammar, words)
}

/// Brackets around words 1–4 and 2–4 allow no span that crosses them.
fn crosses_no_bracket(i: u32, j: u32) -> bool {
    [(1, 4), (2, 4)].iter().all(|&(a, b)| !(i < a && a < j && j < b || a < i && i < b && b < j))
}

#[test]
fn masked_items_do_no_work() {
    let (grammar, words) = grammar_and_words();
    let free = Counted::new(PcfgForest::new(&grammar, &words));
    let masked = Counted::new(PcfgForest::masked(&grammar, &words, crosses_no_bracket));
    let _ = (inside::<Prob>(&free), inside::<Prob>(&masked));
    // Edges are counted from the mask alone: (spans, splits) that stay, times rules.
    let n = words.len() as u32;
    let open = |i, j| crosses_no_bracket(i, j);
    let spans = (0..n).flat_map(|i| (i + 2..=n).map(move |j| (i, j)));
    let n_splits: usize = spans
        .filter(|&(i, j)| open(i, j))
        .map(|(i, j)| (i + 1..j).filter(|&k| open(i, k) && open(k, j)).count())
        .sum();
    let n_leaves = words.len() * grammar.n_symbols;
    assert_eq!(masked.n_edges.get(), n_splits * grammar.binary.len() + n_leaves);
    assert!(masked.n_edges.get() * 2 < free.n_edges.get());
    assert!(masked.n_bundles.get() < free.n_bundles.get());
}

#[test]
fn a_mask_keeps_just_the_trees_it_allows() {
    let (grammar, words) = grammar_and_words();
    let masked = PcfgForest::masked(&grammar, &words, crosses_no_bracket);
    let allowed: f64 = grammar
        .trees(&words)
        .iter()
        .filter(|tree| {
            tree.steps
                .iter()
                .all(|(_, _, place)| crosses_no_bracket(place[0] as u32, place[place.len() - 1] as u32))
        })
        .map(|tree| tree.weight)
        .sum();
    assert!(allowed > 0.0);
    assert_close(Scaled::inside(&masked).ln_total().exp(), allowed, "sum over allowed trees");
}

#[test]
fn sampling_stops_at_the_bundle_it_draws() {
    let (grammar, words) = grammar_and_words();
    let forest = Counted::new(PcfgForest::new(&grammar, &words));
    let chart = inside::<Prob>(&forest);
    let all = forest.n_bundles.replace(0);
    let derivation = forest::derive::sample(&forest, &chart, || 0.0).unwrap();
    assert!(derivation.steps.len() == 2 * words.len() - 1);
    assert!(forest.n_bundles.get() <= all);
    let first_possible = |item: Item| {
        let mut seen = 0;
        let _ = forest.forest.bundles_into(item, |bundle| {
            seen += 1;
            let rule = derivation.steps.iter().find(|step| step.item == item).unwrap().rule;
            if bundle.rule == rule {
                std::ops::ControlFlow::Break(())
            } else {
                std::ops::ControlFlow::Continue(())
            }
        });
        seen
    };
    let expected: usize = derivation.steps.iter().map(|step| first_possible(step.item)).sum();
    assert_eq!(forest.n_bundles.get(), expected);
}
