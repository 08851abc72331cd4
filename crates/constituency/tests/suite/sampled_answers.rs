//! Parsing by sampling against exact posteriors: what the production path makes of its samples.
//!
//! θ and β can be integrated out. With α = c·m + λ·n over the rules of A\[x\], and b/(K_B K_C) + λ·n over the
//! annotations of each rule's parts, annotated trees of all sentences together have a probability in proportion to
//!
//! ```text
//! Π_{A[x]} Π_r α_r^(n_r) / (Σ_r α_r)^(n)   with a^(n) = a (a + 1) ⋯ (a + n − 1)
//! ```
//!
//! times the same for annotations and times the factors of unseen words. Two sentences are short enough to list all
//! pairs of annotated trees. The sampler runs with many seeds, and the spread between them is its standard error.

use std::collections::BTreeMap;

use chain::{Stream, Workers};
use constituency::bank::Bank;
use constituency::estimate::{Smoothing, estimate};
use constituency::gibbs::{self, GibbsOptions};
use constituency::model::{ChainCounts, Refinement};
use constituency::{Decode, Model, ParseOptions, Parsed, Parser};
use grammar::anchor::Brackets;
use grammar::{Inventory, Reading, Sizes, Tensors};
use testkit::cfg::Listed;
use testkit::twin::{derivation, flat, trees, without_annotations};
use tree::{Text, Tree};

const SENTENCES: [&str; 2] = ["a b", "b a zz"];

/// The sum of each chain's samples is divided by this.
const N_TRAINING_SAMPLES: u64 = 4;

struct Toy {
    parser: Parser,
    sentences: Vec<Brackets>,
    /// The annotated trees of each sentence.
    listed: Vec<Vec<Annotated>>,
}

/// An annotated tree of the list.
struct Annotated {
    /// The tree without annotations, in brackets.
    text: String,
    /// The factors of unseen words.
    factor: f64,
    counts: Tensors,
}

impl Toy {
    fn new() -> Toy {
        let bank = crate::toy::bank();
        let a = bank.inventory.rules().labels().iter().position(|label| label == "A").unwrap() as u32;
        let sizes = Sizes::by_label(bank.inventory.rules(), |label| 1 + u32::from(label == a));
        let model = Model {
            means: bank.means(),
            chains: (0..2).map(|chain| training_counts(&bank, &sizes, chain)).collect(),
            codec: bank.codec.clone(),
            lexicon: bank.lexicon.clone(),
            // No two alike, so that none can stand for another.
            smoothing: Smoothing { rules: 4.0, words: 2.0, annotations: 0.7, shared: 1.3 },
            notes: BTreeMap::new(),
        };
        let sentences: Vec<Brackets> = SENTENCES.iter().map(|words| sentence(words)).collect();
        let listed = sentences.iter().map(|sentence| list(&bank, &sizes, sentence)).collect();
        Toy { parser: Parser::new(model, &Workers::serial()), sentences, listed }
    }

    fn inventory(&self) -> &Inventory {
        self.parser.inventory()
    }

    fn sizes(&self) -> &Sizes {
        &self.parser.model().chains[0].sizes
    }

    /// λ · n of a chain.
    fn pseudo(&self, chain: usize, lambda: f64) -> Tensors {
        let mut counts = self.parser.model().chains[chain].unpack(self.inventory());
        counts.values_mut().iter_mut().for_each(|count| *count *= lambda);
        counts
    }

    /// P(annotated trees of all sentences | words, training counts of a chain), by number of the trees.
    fn joint(&self, chain: usize, lambda: f64) -> Vec<([usize; 2], f64)> {
        let pseudo = self.pseudo(chain, lambda);
        let mut joint = Vec::new();
        for (i, first) in self.listed[0].iter().enumerate() {
            for (j, second) in self.listed[1].iter().enumerate() {
                let counts = sum(&first.counts, &second.counts);
                let weight = self.marginal(&pseudo, &counts) * first.factor * second.factor;
                joint.push(([i, j], weight));
            }
        }
        let total: f64 = joint.iter().map(|(_, weight)| weight).sum();
        joint.iter_mut().for_each(|(_, weight)| *weight /= total);
        joint
    }

    /// P(annotated trees), θ and β integrated out.
    fn marginal(&self, pseudo: &Tensors, counts: &Tensors) -> f64 {
        let (inventory, model) = (self.inventory(), self.parser.model());
        let smoothing = &model.smoothing;
        let mut product = 1.0;
        for head in inventory.heads() {
            for x in 0..self.sizes().of(head) {
                let (mut all_shapes, mut all_uses) = (0.0, 0.0);
                for &rule in inventory.rules_of(head) {
                    let c = if inventory.is_lexical(rule) { smoothing.words } else { smoothing.rules };
                    let (pseudo, counts) = (pseudo.row(rule, x), counts.row(rule, x));
                    let n: f64 = counts.iter().sum();
                    let shape = c * model.means[rule as usize] + pseudo.iter().sum::<f64>();
                    product *= rising(shape, n);
                    all_shapes += shape;
                    all_uses += n;
                    if !inventory.rules().is_stay(rule) {
                        let even = smoothing.annotations / pseudo.len() as f64;
                        let parts = pseudo.iter().zip(counts).map(|(p, n)| rising(even + p, *n));
                        product *= parts.product::<f64>()
                            / rising(smoothing.annotations + pseudo.iter().sum::<f64>(), n);
                    }
                }
                product /= rising(all_shapes, all_uses);
            }
        }
        product
    }

    /// The probability of each tree of each sentence, averaged over chains.
    fn posteriors(&self, lambda: f64) -> Vec<BTreeMap<String, f64>> {
        let mut posteriors = vec![BTreeMap::new(); self.sentences.len()];
        for chain in 0..2 {
            for (trees, p) in self.joint(chain, lambda) {
                for (sentence, &tree) in trees.iter().enumerate() {
                    let text = self.listed[sentence][tree].text.clone();
                    *posteriors[sentence].entry(text).or_default() += p / 2.0;
                }
            }
        }
        posteriors
    }

    /// The parser whose parameters come from λ · n and the exact expected counts of the sentences.
    fn expected_parser(&self, lambda: f64) -> Parser {
        let model = self.parser.model();
        let refinement = |chain: usize| {
            let mut counts = self.pseudo(chain, lambda);
            for ([i, j], p) in self.joint(chain, lambda) {
                let new = sum(&self.listed[0][i].counts, &self.listed[1][j].counts);
                counts.values_mut().iter_mut().zip(new.values()).for_each(|(count, n)| *count += p * n);
            }
            let tensors = estimate(self.inventory(), &model.means, self.sizes(), &counts, &model.smoothing);
            Refinement { sizes: self.sizes().clone(), tensors }
        };
        Parser::with_refinements(model.clone(), (0..2).map(refinement).collect())
    }

    /// What the sampler says with each of many seeds.
    fn sampled(&self, lambda: f64, n_samples: u32, options: &ParseOptions) -> Vec<Vec<Parsed>> {
        let parse = options.clone().exact();
        let run = |seed: u64| {
            let options = GibbsOptions { lambda, burn_in: 20, samples: n_samples, thin: 2, chains: 2, seed };
            gibbs::parse(&self.parser, &self.sentences, &options, &parse, &mut (), &Workers::serial())
        };
        (0..N_RUNS).map(|seed| run(seed).unwrap()).collect()
    }
}

const N_RUNS: u64 = 40;

fn sentence(words: &str) -> Brackets {
    Brackets::words(words.split(' ').map(Text::new).collect())
}

/// Uneven counts, another for each chain.
fn training_counts(bank: &Bank, sizes: &Sizes, chain: usize) -> ChainCounts {
    let inventory = &bank.inventory;
    let mut counts = inventory.zero(sizes);
    for rule in 0..inventory.len() as u32 {
        for x in 0..sizes.of(inventory.head(rule)) {
            let stay = inventory.rules().is_stay(rule);
            for (at, count) in counts.row_mut(rule, x).iter_mut().enumerate() {
                let share = [2.0, 0.25][(rule as usize + x + at + chain) % 2];
                *count = if stay && at != x { 0.0 } else { bank.counts[rule as usize] * share };
            }
        }
    }
    ChainCounts::pack(sizes.clone(), N_TRAINING_SAMPLES, counts.values())
}

/// Every annotated tree of a sentence.
fn list(bank: &Bank, sizes: &Sizes, sentence: &Brackets) -> Vec<Annotated> {
    let (inventory, rules) = (&bank.inventory, bank.inventory.rules());
    let mut ones = inventory.zero(sizes);
    ones.values_mut().fill(1.0);
    for rule in (0..rules.first_binary()).filter(|&rule| rules.is_stay(rule)) {
        for x in 0..sizes.of(inventory.head(rule)) {
            for (y, value) in ones.row_mut(rule, x).iter_mut().enumerate() {
                *value = f64::from(u8::from(x == y));
            }
        }
    }
    let words = sentence.words.iter().enumerate();
    let readings: Vec<Reading> = words.map(|(at, word)| bank.lexicon.read(word, at == 0)).collect();
    let (cfg, first) = flat(inventory, sizes, &ones, &readings);
    let spans = grammar::anchor::spans(rules, sentence.words.len()).unwrap();
    let annotated = |listed: Listed| {
        let steps = without_annotations(&listed, &first);
        let category = grammar::codec::category_of(spans);
        let tree = bank.codec.decode(&derivation(rules, spans, &steps), &sentence.words, category);
        let counts = count(inventory, sizes, &listed, &first);
        Annotated { text: formats::brackets::to_string(&tree), factor: listed.weight, counts }
    };
    cfg.trees().into_iter().map(annotated).collect()
}

/// How often each annotated rule is used in a tree. The first part of a rule is the next step, and the second the
/// next one that begins where the first part ends.
fn count(inventory: &Inventory, sizes: &Sizes, listed: &Listed, first: &[usize]) -> Tensors {
    let mut counts = inventory.zero(sizes);
    let annotation = |symbol: usize| symbol - first.iter().rfind(|&&first| first <= symbol).unwrap();
    for (at, used) in listed.steps.iter().enumerate() {
        let below = &listed.steps[at + 1..];
        let x = annotation(used.symbol);
        let column = if inventory.is_lexical(used.rule) {
            0
        } else if used.split == used.end {
            annotation(below[0].symbol)
        } else {
            let right = below.iter().find(|step| step.start == used.split).unwrap();
            let (_, n_right) = inventory.widths(sizes, used.rule);
            annotation(below[0].symbol) * n_right + annotation(right.symbol)
        };
        counts.row_mut(used.rule, x)[column] += 1.0;
    }
    counts
}

fn sum(a: &Tensors, b: &Tensors) -> Tensors {
    let mut sum = a.clone();
    sum.values_mut().iter_mut().zip(b.values()).for_each(|(sum, b)| *sum += b);
    sum
}

/// a (a + 1) ⋯ (a + n − 1)
fn rising(a: f64, n: f64) -> f64 {
    (0..n as u32).map(|i| a + f64::from(i)).product()
}

/// Asserts that the mean over runs is the exact value, up to standard errors, and returns how far it is at most.
fn assert_means(name: &str, runs: &[BTreeMap<String, f64>], exact: &BTreeMap<String, f64>, bias: f64) {
    let n = runs.len() as f64;
    for run in runs {
        assert!(run.keys().all(|key| exact.contains_key(key)), "{name}: {run:?} is more than {exact:?}");
    }
    for (key, &p) in exact {
        let values: Vec<f64> = runs.iter().map(|run| run.get(key).copied().unwrap_or(0.0)).collect();
        let mean = values.iter().sum::<f64>() / n;
        let variance = values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / (n - 1.0);
        let error = (variance / n).sqrt();
        assert!((mean - p).abs() < 4.5 * error + bias, "{name}: {key} is {mean} ± {error}, not {p}");
    }
}

fn by_text(trees: &[(Tree<Text>, f64)]) -> BTreeMap<String, f64> {
    trees.iter().map(|(tree, p)| (formats::brackets::to_string(tree), *p)).collect()
}

/// The brackets of a tree that are no tags, with the number of times that each stands in it.
fn phrases(text: &str) -> BTreeMap<String, f64> {
    let tree = trees(text, 1).remove(0);
    let nodes = tree.nodes();
    let mut phrases = BTreeMap::new();
    for (at, label, span) in tree.constituents() {
        if !(nodes[at].size() == 2 && nodes[at + 1].is_word()) {
            *phrases.entry(format!("{label} {} {}", span.start(), span.end())).or_default() += 1.0;
        }
    }
    phrases
}

/// Σ_T p(T) · (the brackets of T)
fn expected(trees: &BTreeMap<String, f64>) -> BTreeMap<String, f64> {
    let mut sums: BTreeMap<String, f64> = BTreeMap::new();
    for (text, p) in trees {
        for (phrase, n) in phrases(text) {
            *sums.entry(phrase).or_default() += p * n;
        }
    }
    sums
}

#[test]
fn sampled_trees_and_constituents_have_the_exact_posteriors_whatever_lambda_is() {
    let toy = Toy::new();
    assert!(toy.listed.iter().all(|trees| trees.len() > 8));
    let options = ParseOptions { decode: Decode::Mode, n_best: 1000, ..ParseOptions::default() };
    for lambda in [0.2, 3.0] {
        let exact = toy.posteriors(lambda);
        let runs = toy.sampled(lambda, 400, &options);
        for (at, exact) in exact.iter().enumerate() {
            let name = format!("λ = {lambda}, sentence {at}");
            let trees: Vec<_> = runs.iter().map(|run| by_text(&run[at].trees)).collect();
            assert!(trees.iter().all(|run| (run.values().sum::<f64>() - 1.0).abs() < 1e-9));
            assert_means(&name, &trees, exact, 0.0);
            let constituents = runs.iter().map(|run| {
                let of = run[at].constituents.iter();
                of.map(|c| (format!("{} {} {}", c.label, c.start, c.end), c.expected)).collect()
            });
            assert_means(&name, &constituents.collect::<Vec<_>>(), &expected(exact), 1e-12);
        }
    }
}

#[test]
fn trees_come_in_the_order_of_the_decoder() {
    let toy = Toy::new();
    for decode in [Decode::Mode, Decode::Mbr] {
        let options = ParseOptions { decode, n_best: 1000, samples: 10_000, ..ParseOptions::default() };
        for run in toy.sampled(0.2, 50, &options).iter().take(10) {
            for parsed in run {
                let shares = by_text(&parsed.trees);
                // 50 samples of each of two chains, burn-in and every other sweep left out.
                assert_eq!(parsed.samples.len(), 100);
                let drawn = parsed.samples.iter().map(formats::brackets::to_string);
                let mut counts: BTreeMap<String, f64> = BTreeMap::new();
                drawn.for_each(|text| *counts.entry(text).or_default() += 1.0 / parsed.samples.len() as f64);
                assert!(counts.keys().eq(shares.keys()));
                assert!(counts.values().zip(shares.values()).all(|(a, b)| (a - b).abs() < 1e-9));
                let p = expected(&shares);
                let all: f64 = p.values().sum();
                let f1 = |text: &String| {
                    let mine = phrases(text);
                    let hit: f64 = mine.iter().map(|(phrase, n)| n * p[phrase]).sum();
                    2.0 * hit / (mine.values().sum::<f64>() + all)
                };
                let score = |(tree, share): &(Tree<Text>, f64)| match decode {
                    Decode::Mbr => f1(&formats::brackets::to_string(tree)),
                    _ => *share,
                };
                assert!(parsed.trees.is_sorted_by(|a, b| score(a) > score(b) - 1e-12));
            }
        }
    }
}

#[test]
fn max_rule_parses_with_the_mean_counts_of_the_samples_and_lambda_times_the_others() {
    let toy = Toy::new();
    let options = ParseOptions { n_best: 1000, ..ParseOptions::default() }.exact();
    for lambda in [0.2, 3.0] {
        let parser = toy.expected_parser(lambda);
        let exact = parser.parse_all(&toy.sentences, &options, Stream::new(0), &Workers::serial());
        let runs = toy.sampled(lambda, 400, &options);
        for (at, exact) in exact.iter().enumerate() {
            let trees: Vec<_> = runs.iter().map(|run| by_text(&run[at].trees)).collect();
            // A function of mean counts is off by what it bends, which is of the order of their variance.
            assert_means(&format!("λ = {lambda}"), &trees, &by_text(&exact.trees), 1e-3);
        }
    }
}
