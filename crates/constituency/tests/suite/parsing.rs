//! The parser against lists of all trees.

use std::collections::BTreeMap;

use chain::{Stream, Workers};
use constituency::bank::{Bank, BankOptions};
use constituency::ensemble::Average;
use constituency::estimate::Smoothing;
use constituency::model::{ChainCounts, Refinement};
use constituency::{Decode, Model, ParseOptions, Parsed, Parser};
use grammar::anchor::Brackets;
use grammar::{Reading, Sizes, Unaries};
use std::num::NonZeroUsize;
use testkit::cfg::Used;
use testkit::toys::SplitMix64;
use testkit::twin::{derivation, flat, random_tensors, toy_trees, without_annotations};
use tree::{Text, Tree};

/// A tree of the list.
struct Listed {
    steps: Vec<Used>,
    tree: Tree<Text>,
    /// P(tree | words) of each chain.
    shares: Vec<f64>,
    /// The greatest weight of its annotated derivations, for each chain.
    best: Vec<f64>,
}

impl Listed {
    fn probability(&self) -> f64 {
        self.shares.iter().sum::<f64>() / self.shares.len() as f64
    }

    /// Constituents that are no tags, with repetitions.
    fn phrases(&self) -> Vec<Bracket> {
        phrases(&self.tree)
    }
}

type Bracket = (String, u32, u32);

fn phrases(tree: &Tree<Text>) -> Vec<Bracket> {
    let nodes = tree.nodes();
    let is_tag = |at: usize| nodes[at].size() == 2 && nodes[at + 1].is_word();
    let phrases = tree.constituents().into_iter().filter(|(at, _, _)| !is_tag(*at));
    phrases.map(|(_, label, span)| (label.to_string(), span.start() as u32, span.end() as u32)).collect()
}

struct Case {
    parser: Parser,
    sentence: Brackets,
    trees: Vec<Listed>,
    ln_totals: Vec<f64>,
}

impl Case {
    fn new(seed: u64, n_chains: usize) -> Option<Case> {
        let mut random = SplitMix64(seed);
        let treebank = toy_trees(&mut random);
        // Every third grammar has joint labels, every third remembers parents.
        let mut options = BankOptions::default();
        match seed % 3 {
            1 => options.codec.unaries = Unaries::Collapse,
            2 => {
                // Tags too, or else a tag A could expand as the topmost A does, and trees would not be unique.
                options.codec.binarisation.vertical = NonZeroUsize::MIN.saturating_add(1);
                options.codec.binarisation.annotate_tags = true;
            }
            _ => {}
        }
        let (bank, _) = Bank::new(&treebank, &[], &options, &Workers::serial());
        let n_words = 1 + random.below(5);
        let words: Vec<Text> = (0..n_words).map(|_| Text::new(["a", "b", "c"][random.below(3)])).collect();
        let readings: Vec<Reading> =
            words.iter().enumerate().map(|(at, word)| bank.lexicon.read(word, at == 0)).collect();
        let mut refinements = Vec::new();
        let mut weights: BTreeMap<Vec<Used>, Vec<(f64, f64)>> = BTreeMap::new();
        let mut ln_totals = Vec::new();
        for chain in 0..n_chains {
            let sizes = Sizes::by_label(bank.inventory.rules(), |label| 1 + (label + chain as u32) % 2);
            let mut tensors = random_tensors(&bank.inventory, &sizes, &mut random);
            // No two alike, so that there are no ties.
            for value in tensors.values_mut() {
                *value = *value * *value + 0.01 + 0.01 * random.uniform();
            }
            let (cfg, first) = flat(&bank.inventory, &sizes, &tensors, &readings);
            if !(2.0..10_000.0).contains(&cfg.n_trees()) {
                return None;
            }
            let mut total = 0.0;
            for listed in cfg.trees() {
                total += listed.weight;
                let entry = weights.entry(without_annotations(&listed, &first)).or_default();
                entry.resize(n_chains, (0.0, 0.0));
                entry[chain].0 += listed.weight;
                entry[chain].1 = entry[chain].1.max(listed.weight);
            }
            weights.values_mut().for_each(|shares| shares[chain].0 /= total);
            ln_totals.push(total.ln());
            refinements.push(Refinement { sizes, tensors });
        }
        let model = Model {
            means: bank.means(),
            chains: vec![ChainCounts::pack(Sizes::coarse(bank.inventory.rules()), 1, &[])],
            codec: bank.codec.clone(),
            lexicon: bank.lexicon.clone(),
            smoothing: Smoothing::default(),
            notes: BTreeMap::new(),
        };
        let rules = bank.inventory.rules();
        let spans = grammar::anchor::spans(rules, n_words)?;
        let listed = |(steps, shares): (Vec<Used>, Vec<(f64, f64)>)| {
            let category = grammar::codec::category_of(spans);
            let tree = bank.codec.decode(&derivation(rules, spans, &steps), &words, category);
            let best = shares.iter().map(|share| share.1).collect();
            Listed { steps, tree, shares: shares.into_iter().map(|share| share.0).collect(), best }
        };
        let trees: Vec<Listed> = weights.into_iter().map(listed).collect();
        let parser = Parser::with_refinements(model, refinements);
        let sentence = Brackets::words(words.clone());
        (trees.len() > 1).then_some(Case { parser, sentence, trees, ln_totals })
    }

    fn parse(&self, options: &ParseOptions) -> Parsed {
        let sentences = std::slice::from_ref(&self.sentence);
        let options = options.clone().exact();
        let parsed = self.parser.parse_all(sentences, &options, Stream::new(1), &Workers::serial()).remove(0);
        assert_eq!(parsed.fallback, None);
        parsed
    }

    /// The expected number of times that each bracket stands in the tree.
    fn brackets(&self) -> BTreeMap<Bracket, f64> {
        let mut brackets: BTreeMap<Bracket, f64> = BTreeMap::new();
        for listed in &self.trees {
            for bracket in listed.phrases() {
                *brackets.entry(bracket).or_default() += listed.probability();
            }
        }
        brackets
    }

    /// 2 Σ p(b) / (|T| + Σ p(b))
    fn expected_f1(&self, tree: &Tree<Text>) -> f64 {
        let brackets = self.brackets();
        let mine = phrases(tree);
        let sum: f64 = mine.iter().map(|bracket| brackets.get(bracket).copied().unwrap_or(0.0)).sum();
        let size = mine.len() as f64 + brackets.values().sum::<f64>();
        if size > 0.0 { 2.0 * sum / size } else { 1.0 }
    }

    /// The best score of the list, and the best score of the derivations that have this tree.
    fn scores(&self, tree: &Tree<Text>, score: impl Fn(&Listed) -> f64) -> (f64, f64) {
        let most =
            |trees: &mut dyn Iterator<Item = &Listed>| trees.map(&score).fold(f64::NEG_INFINITY, f64::max);
        (most(&mut self.trees.iter()), most(&mut self.trees.iter().filter(|listed| listed.tree == *tree)))
    }
}

#[test]
fn no_two_derivations_have_the_same_tree() {
    for seed in 0..300 {
        let Some(case) = Case::new(seed, 1) else { continue };
        let mut trees: BTreeMap<String, &[Used]> = BTreeMap::new();
        for listed in &case.trees {
            let text = formats::brackets::to_string(&listed.tree);
            if let Some(other) = trees.insert(text.clone(), &listed.steps) {
                let rules = case.parser.inventory().rules();
                panic!("seed {seed}: {text} has two derivations: {other:?}, {:?} of {rules:?}", listed.steps);
            }
        }
    }
}

fn cases(n: usize, n_chains: usize) -> Vec<Case> {
    let cases: Vec<Case> = (0..).filter_map(|seed| Case::new(seed, n_chains)).take(n).collect();
    assert!(cases.iter().any(|case| case.sentence.words.len() == 5), "no long sentence");
    cases
}

#[test]
fn the_n_best_are_all_trees_with_their_probabilities() {
    for n_chains in [1, 2] {
        for case in cases(40, n_chains) {
            let parsed = case.parse(&ParseOptions { n_best: 20_000, ..ParseOptions::default() });
            assert_eq!(parsed.trees.len(), case.trees.len());
            let by_text = |trees: &mut dyn Iterator<Item = (&Tree<Text>, f64)>| {
                let mut sums: BTreeMap<String, f64> = BTreeMap::new();
                trees.for_each(|(tree, p)| *sums.entry(formats::brackets::to_string(tree)).or_default() += p);
                sums
            };
            let found = by_text(&mut parsed.trees.iter().map(|(tree, p)| (tree, *p)));
            let listed = by_text(&mut case.trees.iter().map(|listed| (&listed.tree, listed.probability())));
            assert!(found.keys().eq(listed.keys()));
            assert!(found.values().zip(listed.values()).all(|(a, b)| (a - b).abs() < 1e-9));
            assert!((found.values().sum::<f64>() - 1.0).abs() < 1e-9);
            let mean = case.ln_totals.iter().sum::<f64>() / n_chains as f64;
            assert!((parsed.ln_probability - mean).abs() < 1e-9);
        }
    }
}

#[test]
fn constituents_have_the_expected_counts_of_the_list() {
    let (mut n_twice, mut n_probabilities) = (0, 0);
    for n_chains in [1, 2] {
        for case in cases(60, n_chains) {
            let parsed = case.parse(&ParseOptions::default());
            let mut found: BTreeMap<Bracket, f64> = BTreeMap::new();
            for c in &parsed.constituents {
                *found.entry((c.label.to_string(), c.start, c.end)).or_default() += c.expected;
            }
            let listed = case.brackets();
            assert!(found.keys().eq(listed.keys()), "{found:?}\n{listed:?}");
            let same = found.values().zip(listed.values()).all(|(a, b)| (a - b).abs() < 1e-9);
            assert!(same, "{found:?}\n{listed:?}");
            // The probability that a bracket is there is the same number where no tree has it twice, and less where one does.
            for (bracket, expected) in listed {
                let with = case.trees.iter().filter(|listed| listed.phrases().contains(&bracket));
                let probability: f64 = with.map(Listed::probability).sum();
                let has_twice =
                    |listed: &Listed| listed.phrases().iter().filter(|b| **b == bracket).count() > 1;
                let twice = case.trees.iter().any(has_twice);
                assert_eq!(twice, expected > probability + 1e-12, "{bracket:?}: {expected} {probability}");
                n_twice += usize::from(expected > 1.0 + 1e-9);
                n_probabilities += usize::from(!twice);
            }
        }
    }
    assert!(n_twice > 0 && n_probabilities > 100, "{n_twice} {n_probabilities}");
}

#[test]
fn max_rule_finds_the_best_product_of_edge_posteriors() {
    for n_chains in [1, 2] {
        for average in [Average::Product, Average::Mixture] {
            for case in cases(40, n_chains) {
                let mut edges: BTreeMap<Used, Vec<f64>> = BTreeMap::new();
                for listed in &case.trees {
                    for used in &listed.steps {
                        let sums = edges.entry(*used).or_insert_with(|| vec![0.0; n_chains]);
                        sums.iter_mut().zip(&listed.shares).for_each(|(sum, share)| *sum += share);
                    }
                }
                let ln_edge = |used: &Used| {
                    let posteriors = edges[used].iter();
                    match average {
                        Average::Product => posteriors.map(|p| p.ln()).sum::<f64>() / n_chains as f64,
                        Average::Mixture => (posteriors.sum::<f64>() / n_chains as f64).ln(),
                    }
                };
                let score = |listed: &Listed| listed.steps.iter().map(ln_edge).sum::<f64>();
                for n_best in [1, 3] {
                    let options = ParseOptions { average, n_best, ..ParseOptions::default() };
                    let parsed = case.parse(&options);
                    let (best, mine) = case.scores(&parsed.trees[0].0, score);
                    assert!((best - mine).abs() < 1e-9, "{average:?}: {mine} instead of {best}");
                }
            }
        }
    }
}

#[test]
fn mbr_finds_the_best_expected_f1() {
    for n_chains in [1, 2] {
        for case in cases(60, n_chains) {
            let parsed = case.parse(&ParseOptions { decode: Decode::Mbr, ..ParseOptions::default() });
            let (best, mine) = case.scores(&parsed.trees[0].0, |listed| case.expected_f1(&listed.tree));
            // An epsilon of tag accuracy decides between trees that are as good.
            assert!(best - mine < 1e-4, "{mine} instead of {best}");
        }
    }
}

#[test]
fn viterbi_finds_the_best_annotated_derivation() {
    for case in cases(40, 1) {
        let parsed = case.parse(&ParseOptions { decode: Decode::Viterbi, ..ParseOptions::default() });
        let (best, mine) = case.scores(&parsed.trees[0].0, |listed| listed.best[0]);
        assert!((best - mine).abs() < 1e-12, "{mine} instead of {best}");
    }
    for case in cases(40, 2) {
        // With two chains, the better of their two best.
        let parsed = case.parse(&ParseOptions { decode: Decode::Viterbi, ..ParseOptions::default() });
        let of_chain = |chain: usize| {
            case.trees.iter().max_by(|a, b| a.best[chain].total_cmp(&b.best[chain])).unwrap().probability()
        };
        let (_, mine) = case.scores(&parsed.trees[0].0, Listed::probability);
        let (first, second) = (of_chain(0), of_chain(1));
        assert!((mine - first.max(second)).abs() < 1e-9, "{mine} instead of {first} or {second}");
    }
}

#[test]
fn mode_is_the_most_frequent_sample_and_the_better_one_of_equals() {
    let mut n_ties = 0;
    for case in cases(60, 2) {
        let options =
            ParseOptions { decode: Decode::Mode, samples: 9, n_best: 50, ..ParseOptions::default() };
        let parsed = case.parse(&options);
        assert_eq!(parsed.samples.len(), 9);
        let count = |tree: &Tree<Text>| parsed.samples.iter().filter(|sample| *sample == tree).count();
        for pair in parsed.trees.windows(2) {
            let (n, m) = (count(&pair[0].0), count(&pair[1].0));
            let (f, g) = (case.expected_f1(&pair[0].0), case.expected_f1(&pair[1].0));
            n_ties += usize::from(n == m);
            assert!(n > m || (n == m && f >= g - 1e-9), "{n} {m}, {f} {g}");
        }
        let n: usize = parsed.trees.iter().map(|(tree, _)| count(tree)).sum();
        assert_eq!(n, 9);
    }
    assert!(n_ties > 10, "only {n_ties} ties");
}

#[test]
fn samples_are_as_frequent_as_they_are_probable() {
    let case = (0..).filter_map(|seed| Case::new(seed, 2)).find(|case| case.trees.len() > 10).unwrap();
    let n = 20_000;
    let parsed = case.parse(&ParseOptions { samples: n, ..ParseOptions::default() });
    assert_eq!(parsed.samples.len(), n);
    for listed in &case.trees {
        let found = parsed.samples.iter().filter(|sample| **sample == listed.tree).count() as f64;
        let p: f64 =
            case.trees.iter().filter(|other| other.tree == listed.tree).map(Listed::probability).sum();
        let sd = (n as f64 * p * (1.0 - p)).sqrt();
        assert!((found - n as f64 * p).abs() < 4.5 * sd + 1.0, "{found} instead of {}", n as f64 * p);
    }
}

#[test]
fn a_threshold_of_zero_and_the_second_one_of_zero_lose_no_tree() {
    for case in cases(30, 2) {
        let sentences = std::slice::from_ref(&case.sentence);
        let options = ParseOptions {
            threshold: 1e-9,
            second_threshold: 1e-9,
            n_best: 20_000,
            ..ParseOptions::default()
        };
        let parsed = case.parser.parse_all(sentences, &options, Stream::new(1), &Workers::serial()).remove(0);
        let sum: f64 = parsed.trees.iter().map(|(_, p)| p).sum();
        assert!((sum - 1.0).abs() < 1e-6, "{sum}");
    }
}

#[test]
fn decoding_without_stored_edges_finds_the_same() {
    for case in (0..).filter_map(|seed| Case::new(seed, 2)).take(30) {
        for average in [Average::Product, Average::Mixture] {
            let parse = |stored_edges| {
                let options = ParseOptions { average, stored_edges, ..ParseOptions::default().exact() };
                let sentences = std::slice::from_ref(&case.sentence);
                case.parser.parse_all(sentences, &options, Stream::new(0), &Workers::serial()).remove(0)
            };
            let (stored, streamed): (Parsed, Parsed) = (parse(usize::MAX), parse(0));
            assert_eq!(stored.trees[0].0, streamed.trees[0].0);
            assert_eq!(stored.trees[0].1.to_bits(), streamed.trees[0].1.to_bits());
            assert_eq!(stored.ln_probability.to_bits(), streamed.ln_probability.to_bits());
            assert_eq!(stored.constituents.len(), streamed.constituents.len());
            for (one, other) in stored.constituents.iter().zip(&streamed.constituents) {
                assert_eq!((&one.label, one.start, one.end), (&other.label, other.start, other.end));
                assert!((one.expected - other.expected).abs() < 1e-12);
            }
        }
    }
}
