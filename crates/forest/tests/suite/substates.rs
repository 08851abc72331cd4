//! Vectors of substates against the flat grammar that writes them out as symbols.

use std::collections::BTreeMap;

use forest::semiring::{LogProb, Prob};
use forest::substates::{Buffers, Chart, Max, Posteriors, RefinedStep, Sum, best, contract, sample};
use forest::{Edge, Forest, Item, Visit, inside, mbr, outside};
use testkit::toys::{Pcfg, RefinedPcfg, SplitMix64};

use crate::sampling::fits;
use crate::toys::{PcfgForest, RefinedForest, assert_close};

/// Refined grammars with equal and with different numbers of substates, and a sentence for each.
pub(crate) fn each_refined(mut check: impl FnMut(&RefinedPcfg, &[usize])) {
    for seed in 0..16u64 {
        let mut random = SplitMix64(seed + 100);
        let coarse = Pcfg::random(3, 7, 4, &mut random);
        let sizes = [[2, 2, 2], [1, 3, 2], [3, 1, 4], [5, 2, 6]][seed as usize % 4];
        let refined = RefinedPcfg::random(&coarse, &sizes, &mut random);
        let words: Vec<usize> = (0..1 + seed as usize % 7).map(|_| random.below(4)).collect();
        check(&refined, &words);
    }
}

/// Σ_x π[x] · inside of the flat start symbol x.
fn flat_total(refined: &RefinedPcfg, flat: &PcfgForest<'_>, chart: &[Prob]) -> f64 {
    let n = flat.words.len() as u32;
    (0u32..).zip(&refined.root).map(|(x, prior)| prior * chart[flat.spans.item(x, 0, n).index()].0).sum()
}

/// All trees of the flat grammar with every start substate, as (weight with π, tree).
pub(crate) fn flat_trees(refined: &RefinedPcfg, words: &[usize]) -> Vec<(f64, testkit::enumerate::Derived)> {
    let (flat, _) = refined.flatten();
    let mut all = Vec::new();
    for (x, prior) in refined.root.iter().enumerate() {
        // Exchanging symbols 0 and x makes x the start symbol.
        let swap = |symbol: usize| {
            if symbol == 0 {
                x
            } else if symbol == x {
                0
            } else {
                symbol
            }
        };
        let mut turned = flat.clone();
        turned
            .binary
            .iter_mut()
            .for_each(|rule| (rule.0, rule.1, rule.2) = (swap(rule.0), swap(rule.1), swap(rule.2)));
        turned.lexical.swap(0, x);
        for mut tree in turned.trees(words) {
            tree.steps.iter_mut().for_each(|step| step.0 = swap(step.0));
            all.push((prior * tree.weight, tree));
        }
    }
    all
}

#[test]
fn inside_equals_the_flat_twin() {
    let mut chart = Chart::<Sum>::new();
    each_refined(|refined, words| {
        let forest = RefinedForest::new(refined, words);
        chart.fill(&forest);
        let (flat, _) = refined.flatten();
        let twin = PcfgForest::new(&flat, words);
        let expected = inside::<Prob>(&twin);
        let first = refined.first_substates();
        for item in forest.items() {
            let (symbol, start, end) = forest.spans.locate(item);
            let (vector, exponent) = chart.vector(item);
            for x in 0..refined.n_substates[symbol as usize] {
                let found = vector.get(x).map_or(0.0, |value| value * 2f64.powi(exponent));
                let flat_item = twin.spans.item((first[symbol as usize] + x) as u32, start, end);
                assert_close(found, expected[flat_item.index()].0, "inside");
            }
        }
        assert_close(chart.ln_total().exp(), flat_total(refined, &twin, &expected), "total");
    });
}

#[test]
fn total_equals_the_sum_over_trees_of_the_flat_twin() {
    each_refined(|refined, words| {
        if words.len() <= 3 {
            let mut chart = Chart::<Sum>::new();
            chart.fill(&RefinedForest::new(refined, words));
            let expected = flat_trees(refined, words).iter().map(|tree| tree.0).sum();
            assert_close(chart.ln_total().exp(), expected, "total");
        }
    });
}

/// Outside of the flat twin, with π at the goal: Σ_x π[x] · outside with x as goal.
struct Turned<'f, 'g> {
    forest: &'f PcfgForest<'g>,
    goal: Item,
}

impl Forest for Turned<'_, '_> {
    type Weight = f64;
    fn n_items(&self) -> usize {
        self.forest.n_items()
    }
    fn goal(&self) -> Item {
        self.goal
    }
    fn items(&self) -> impl DoubleEndedIterator<Item = Item> {
        self.forest.items()
    }
    fn bundles_into(&self, head: Item, visit: impl Visit<f64>) -> std::ops::ControlFlow<()> {
        self.forest.bundles_into(head, visit)
    }
}

#[test]
fn counts_and_posteriors_equal_the_flat_twin() {
    let mut buffers = Buffers::default();
    each_refined(|refined, words| {
        let forest = RefinedForest::new(refined, words);
        let mut chart = Chart::<Sum>::new();
        chart.fill(&forest);
        let (flat, origins) = refined.flatten();
        let twin = PcfgForest::new(&flat, words);
        let below = inside::<Prob>(&twin);
        let z = flat_total(refined, &twin, &below);
        let mut posteriors = Posteriors::with_buffers(&forest, &chart, std::mem::take(&mut buffers));
        let mut found = forest.no_counts();
        posteriors.add_counts(&forest, &mut found);

        let mut expected = forest.no_counts();
        let mut items = vec![0.0; forest.n_items()];
        let first = refined.first_substates();
        let owner = |flat_symbol: usize| first.iter().rposition(|&start| start <= flat_symbol).unwrap();
        for (x, prior) in refined.root.iter().enumerate() {
            let goal = twin.spans.item(x as u32, 0, words.len() as u32);
            let turned = Turned { forest: &twin, goal };
            let above = outside(&turned, &below);
            let share = prior / z;
            forest::expect::bundles(&turned, &below, &above, |head, bundle, posterior| {
                let posterior = posterior * below[goal.index()].0 * share;
                if let Some(&[rule, x, y, z]) = origins.get(bundle.rule as usize) {
                    let (_, b, c) = refined.binary[rule];
                    let (n_left, n_right) = (refined.n_substates[b], refined.n_substates[c]);
                    expected[rule][(x * n_left + y) * n_right + z] += posterior;
                } else {
                    let (symbol, start, _) = twin.spans.locate(head);
                    let symbol = symbol as usize;
                    let rule = forest.lexical_rule(owner(symbol), words[start as usize]);
                    expected[rule as usize][symbol - first[owner(symbol)]] += posterior;
                }
            });
            for flat_item in twin.items() {
                let (symbol, start, end) = twin.spans.locate(flat_item);
                let item = forest.spans.item(owner(symbol as usize) as u32, start, end);
                items[item.index()] += below[flat_item.index()].0 * above[flat_item.index()].0 * share;
            }
        }
        for (found, expected) in found.iter().flatten().zip(expected.iter().flatten()) {
            assert_close(*found, *expected, "count");
        }
        for (found, expected) in posteriors.items().iter().zip(&items) {
            assert_close(*found, *expected, "item posterior");
        }
        let mut root = vec![0.0; refined.root.len()];
        posteriors.add_substates(forest.goal(), &mut root);
        for (x, found) in root.iter().enumerate() {
            let goal = twin.spans.item(x as u32, 0, words.len() as u32);
            assert_close(*found, refined.root[x] * below[goal.index()].0 / z, "root posterior");
        }
        let mut edges = Vec::new();
        let mut binary_counts = vec![0.0; refined.binary.len()];
        for item in forest.items() {
            let _ = forest.bundles_into(item, |bundle| {
                posteriors.edges(item, &bundle, &mut edges);
                if let Some(count) = binary_counts.get_mut(bundle.rule as usize) {
                    *count += edges.iter().sum::<f64>();
                }
                std::ops::ControlFlow::Continue(())
            });
        }
        for (rule, found) in binary_counts.iter().enumerate() {
            assert_close(*found, expected[rule].iter().sum(), "edge posteriors of a rule");
        }
        buffers = posteriors.recycle();
    });
}

/// The weight of a derivation, read off the grammar; checks on the way that substates fit together.
fn weight_of(refined: &RefinedPcfg, forest: &RefinedForest<'_>, steps: &[RefinedStep]) -> f64 {
    let mut weight = refined.root[steps[0].head as usize];
    let mut states: BTreeMap<Item, u32> = BTreeMap::from([(forest.goal(), steps[0].head)]);
    for RefinedStep { step, head, tails } in steps {
        let (symbol, start, _) = forest.spans.locate(step.item);
        assert_eq!(states[&step.item], *head);
        match step.edge {
            Edge::Two(left, right) => {
                let (_, b, c) = refined.binary[step.rule as usize];
                let (n_left, n_right) = (refined.n_substates[b], refined.n_substates[c]);
                let at = (*head as usize * n_left + tails[0] as usize) * n_right + tails[1] as usize;
                weight *= refined.tensors[step.rule as usize][at];
                states.extend([(left, tails[0]), (right, tails[1])]);
            }
            _ => weight *= refined.lexical[symbol as usize][forest.words[start as usize]][*head as usize],
        }
    }
    weight
}

#[test]
fn best_has_the_greatest_weight_of_the_flat_trees() {
    each_refined(|refined, words| {
        let forest = RefinedForest::new(refined, words);
        let mut chart = Chart::<Max>::new();
        chart.fill(&forest);
        let found = best(&forest, &chart);
        if let Some((steps, score)) = &found {
            assert_close(weight_of(refined, &forest, steps), score.exp(), "score");
            assert_eq!(steps.len(), 2 * words.len() - 1);
        }
        let (flat, _) = refined.flatten();
        let twin = PcfgForest::new(&flat, words);
        let viterbi = inside::<forest::semiring::Viterbi>(&twin);
        let scores = (0u32..)
            .zip(&refined.root)
            .map(|(x, prior)| prior * viterbi[twin.spans.item(x, 0, words.len() as u32).index()].0.exp());
        assert_close(found.map_or(0.0, |found| found.1.exp()), scores.fold(0.0, f64::max), "best");
    });
}

#[test]
fn draws_follow_the_weights_of_the_flat_trees() {
    const N: usize = 20_000;
    each_refined(|refined, words| {
        let forest = RefinedForest::new(refined, words);
        let mut chart = Chart::<Sum>::new();
        chart.fill(&forest);
        let z = chart.ln_total().exp();
        let mut random = SplitMix64(17);
        let mut hits: BTreeMap<Vec<RefinedStep>, usize> = BTreeMap::new();
        for _ in 0..N {
            let Some(steps) = sample(&forest, &chart, || random.uniform()) else { break };
            *hits.entry(steps).or_default() += 1;
        }
        assert_eq!(hits.is_empty(), z == 0.0);
        for (steps, found) in &hits {
            let p = weight_of(refined, &forest, steps) / z;
            assert!(p > 0.0);
            if p * N as f64 >= 20.0 {
                assert!(fits(*found, N, p), "{found} of {N}, probability {p}");
            }
        }
        // Marginals of (rule, x, y, z) cover the rest: expected counts against mean counts.
        let mut expected = forest.no_counts();
        Posteriors::new(&forest, &chart).add_counts(&forest, &mut expected);
        let mut drawn = forest.no_counts();
        for (steps, count) in &hits {
            for RefinedStep { step, head, tails } in steps {
                let (left, right) = match step.edge {
                    Edge::Two(..) => {
                        let (_, b, c) = refined.binary[step.rule as usize];
                        (refined.n_substates[b], refined.n_substates[c])
                    }
                    _ => (1, 1),
                };
                let at = (*head as usize * left + tails[0] as usize) * right + tails[1] as usize;
                drawn[step.rule as usize][at] += *count as f64 / N as f64;
            }
        }
        for (drawn, expected) in drawn.iter().flatten().zip(expected.iter().flatten()) {
            // A count is at most n − 1 + n, and its variance at most its mean times that.
            let error = (expected * 2.0 * words.len() as f64 / N as f64).sqrt();
            assert!((drawn - expected).abs() <= 4.0 * error + 2.0 / N as f64, "{drawn} is not {expected}");
        }
    });
}

/// A flat tree without its substates: (symbol, rule, place) of each node.
pub(crate) fn coarse_steps(
    refined: &RefinedPcfg,
    tree: &testkit::enumerate::Derived,
) -> Vec<(usize, usize, Vec<usize>)> {
    let (flat, origins) = refined.flatten();
    let first = refined.first_substates();
    let step = |(symbol, rule, place): &(usize, u32, Vec<usize>)| {
        let owner = first.iter().rposition(|start| start <= symbol).unwrap_or(0);
        let rule = origins.get(*rule as usize).map_or(flat.binary.len(), |origin| origin[0]);
        (owner, rule, place.clone())
    };
    tree.steps.iter().map(step).collect()
}

#[test]
fn max_rule_has_the_greatest_product_of_posteriors_summed_over_substates() {
    each_refined(|refined, words| {
        if words.len() > 4 || refined.n_substates.iter().sum::<usize>() > 8 {
            return;
        }
        let mut trees: BTreeMap<_, f64> = BTreeMap::new();
        let mut edges: BTreeMap<_, f64> = BTreeMap::new();
        let flat = flat_trees(refined, words);
        let z: f64 = flat.iter().map(|tree| tree.0).sum();
        for (weight, tree) in &flat {
            let steps = coarse_steps(refined, tree);
            for step in &steps {
                *edges.entry(step.clone()).or_default() += weight / z;
            }
            *trees.entry(steps).or_default() += weight / z;
        }
        let product = |steps: &Vec<_>| steps.iter().map(|step| edges[step]).product::<f64>();
        let highest = trees.keys().map(product).fold(0.0, f64::max);

        let forest = RefinedForest::new(refined, words);
        let mut chart = Chart::<Sum>::new();
        chart.fill(&forest);
        let mut posteriors = Posteriors::new(&forest, &chart);
        let found = mbr::max_rule(&forest, |head, bundle, out| posteriors.edges(head, bundle, out));
        assert_close(found.map_or(0.0, |found| found.1.exp()), highest, "product");
    });
}

#[test]
fn max_items_gains_at_least_what_max_rule_does() {
    each_refined(|refined, words| {
        let forest = RefinedForest::new(refined, words);
        let mut chart = Chart::<Sum>::new();
        chart.fill(&forest);
        let mut posteriors = Posteriors::new(&forest, &chart);
        let found = mbr::max_rule(&forest, |head, bundle, out| posteriors.edges(head, bundle, out));
        assert_eq!(found.is_some(), chart.ln_total() > f64::NEG_INFINITY);
        let gain = posteriors.items();
        let by_items =
            mbr::max_items(&forest, &gain, |head, bundle, out| posteriors.edges(head, bundle, out));
        assert_eq!(by_items.is_some(), found.is_some());
        if let (Some((max_rule, _)), Some((by_items, sum))) = (found, by_items) {
            let total: f64 = by_items.steps.iter().map(|step| gain[step.item.index()]).sum();
            assert_close(total, sum, "gain");
            let other: f64 = max_rule.steps.iter().map(|step| gain[step.item.index()]).sum();
            assert!(other <= total + 1e-9);
        }
    });
}

#[test]
fn one_substate_is_the_plain_grammar() {
    let mut random = SplitMix64(2);
    let coarse = Pcfg::random(4, 12, 5, &mut random);
    let refined = RefinedPcfg {
        n_substates: vec![1; 4],
        root: vec![1.0],
        binary: coarse.binary.iter().map(|rule| (rule.0, rule.1, rule.2)).collect(),
        tensors: coarse.binary.iter().map(|rule| vec![rule.3]).collect(),
        lexical: coarse.lexical.iter().map(|row| row.iter().map(|&weight| vec![weight]).collect()).collect(),
    };
    let words: Vec<usize> = (0..8).map(|_| random.below(5)).collect();
    let mut chart = Chart::<Sum>::new();
    chart.fill(&RefinedForest::new(&refined, &words));
    let plain = PcfgForest::new(&coarse, &words);
    let expected = inside::<LogProb>(&plain)[plain.goal().index()].0;
    assert_close(chart.ln_total(), expected, "total");
}

#[test]
fn a_refined_sentence_of_150_words_stays_in_range() {
    let mut random = SplitMix64(21);
    let coarse = Pcfg::random(3, 8, 10, &mut random);
    let mut refined = RefinedPcfg::random(&coarse, &[3, 2, 4], &mut random);
    refined.lexical.iter_mut().flatten().flatten().for_each(|weight| *weight *= 1e-6);
    let words: Vec<usize> = (0..150).map(|_| random.below(10)).collect();
    let forest = RefinedForest::new(&refined, &words);
    let mut chart = Chart::<Sum>::new();
    chart.fill(&forest);
    let (flat, _) = refined.flatten();
    let twin = PcfgForest::new(&flat, &words);
    let scaled = forest::Scaled::inside(&twin);
    let mut expected = 0.0;
    let top = scaled.value(twin.spans.item(0, 0, 150));
    for (x, prior) in refined.root.iter().enumerate() {
        let value = scaled.value(twin.spans.item(x as u32, 0, 150));
        expected += prior * forest::semiring::Mass::over(&value, &top);
    }
    let expected = expected.ln() + forest::semiring::Mass::ln(&top);
    assert!(expected < -1500.0);
    assert_close(chart.ln_total(), expected, "ln total");
    let mut counts = forest.no_counts();
    let mut posteriors = Posteriors::new(&forest, &chart);
    posteriors.add_counts(&forest, &mut counts);
    let binary: f64 = counts[..refined.binary.len()].iter().flatten().sum();
    assert!((binary - 149.0).abs() < 1e-7, "a binary tree of 150 words has 149 rules, not {binary}");
    assert!(sample(&forest, &chart, || random.uniform()).is_some());
}

/// Σ or max over i of row[i] · vector[i], for every row.
fn contract_slowly(matrix: &[f64], vector: &[f64], combine: impl Fn(f64, f64) -> f64) -> Vec<f64> {
    let row = |row: &[f64]| row.iter().zip(vector).map(|(a, b)| a * b).fold(0.0, &combine);
    matrix.chunks_exact(vector.len()).map(row).collect()
}

#[test]
fn contract_equals_the_slow_loop_at_every_size() {
    let mut random = SplitMix64(41);
    for n_rows in 0..14 {
        for width in 1..30 {
            let matrix: Vec<f64> = (0..n_rows * width).map(|_| random.uniform()).collect();
            let vector: Vec<f64> = (0..width).map(|_| random.uniform()).collect();
            let mut out = vec![f64::NAN; n_rows];
            contract::<Sum>(&mut out, &matrix, &vector);
            for (found, expected) in out.iter().zip(contract_slowly(&matrix, &vector, |a, b| a + b)) {
                assert_close(*found, expected, "sum");
            }
            contract::<Max>(&mut out, &matrix, &vector);
            for (found, expected) in out.iter().zip(contract_slowly(&matrix, &vector, f64::max)) {
                assert_close(*found, expected, "maximum");
            }
        }
    }
}
