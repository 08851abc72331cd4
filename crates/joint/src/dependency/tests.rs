//! Parsers against sums over all trees.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use chain::{Rng, Stream};

use super::*;
use crate::listing::{assert_gradient, has_heads, ln_sum, random_weights, random_words, trees};

/// A parser of random weights.
struct Toy {
    parser: Parser,
    values: Vec<f32>,
    sentence: Sentence,
    trees: Vec<Heads>,
}

impl Toy {
    fn new(settings: &Options, n_words: usize, rng: &mut Rng) -> Toy {
        let mut sentences: Vec<Sentence> = (0..6).map(|_| random_words(4, rng)).collect();
        for (number, sentence) in sentences.iter_mut().enumerate() {
            let heads = [[2, 0, 2, 3], [0, 1, 2, 1], [4, 4, 4, 0]][number % 3];
            sentence.heads = heads.into_iter().map(Some).collect();
        }
        let many = rng.bernoulli(0.5);
        if many {
            sentences[0].heads[0] = Some(0);
        }
        let usable: Vec<&Sentence> = sentences.iter().collect();
        let mut parser = Parser::prepare(&usable, settings).unwrap();
        assert_eq!(parser.roots == Roots::Many, many);
        parser.first = Weights::from_values(random_weights(parser.index.n_weights(), rng));
        if settings.order > 1 {
            parser.index_pairs(&usable).unwrap();
        }
        let mut values = parser.first.values();
        values.resize(parser.index.n_weights(), 0.0);
        let n_first = parser.first.len();
        let of_pairs = random_weights(values.len() - n_first, rng);
        values[n_first..].copy_from_slice(&of_pairs);
        parser.weights = Weights::from_values(values.clone());
        let sentence = random_words(n_words, rng);
        Toy { trees: trees(n_words, parser.shape()), parser, values, sentence }
    }

    /// The score of a tree: its arcs, and with the second order two arcs that share a word.
    fn score(&self, weights: &[f64], heads: &Heads) -> f64 {
        let coded = self.parser.seen.code(&self.sentence);
        let (mut sum, mut keys) = (0.0, Vec::new());
        let of = |keys: &[u64]| -> f64 {
            let rows = keys.iter().filter_map(|&key| self.parser.index.get(key, 1));
            rows.map(|row| weights[row as usize]).sum()
        };
        for word in 1..=heads.len() {
            coded.arc_keys(heads.head(word), word, &mut keys);
            sum += of(&keys);
        }
        if self.parser.settings.order < 2 {
            return sum;
        }
        for one in 1..=heads.len() {
            for two in 1..=heads.len() {
                let head = heads.head(one);
                let (nearer, same_side) =
                    (head.abs_diff(one) < head.abs_diff(two), (one < head) == (two < head));
                if heads.head(two) == head && same_side && nearer {
                    coded.pair_keys(0, [head, one, two], &mut keys);
                    sum += of(&keys);
                }
                if heads.head(two) == one {
                    coded.pair_keys(1, [head, one, two], &mut keys);
                    sum += of(&keys);
                }
            }
        }
        sum
    }

    /// Tells some heads of one of the trees, and all of it but that of one word if asked to.
    fn tell(&mut self, share: f64, all_but_one: bool, rng: &mut Rng) {
        let truth = &self.trees[rng.below(self.trees.len())];
        let open = rng.below(truth.len());
        let known = |at: usize, rng: &mut Rng| if all_but_one { at != open } else { rng.uniform() < share };
        self.sentence.heads =
            (0..truth.len()).map(|at| Some(truth.head(at + 1) as u32).filter(|_| known(at, rng))).collect();
    }

    fn ln_likelihood(&self, weights: &[f64]) -> f64 {
        let known = self.trees.iter().filter(|heads| has_heads(heads, &self.sentence));
        ln_sum(known.map(|heads| self.score(weights, heads)))
            - ln_sum(self.trees.iter().map(|heads| self.score(weights, heads)))
    }

    fn check(&self, parsed: &DependencyParse) {
        let weights: Vec<f64> = self.values.iter().copied().map(f64::from).collect();
        let known = self.trees.iter().filter(|heads| has_heads(heads, &self.sentence));
        let possible: Vec<(&Heads, f64)> = known.map(|heads| (heads, self.score(&weights, heads))).collect();
        let total = ln_sum(possible.iter().map(|(_, ln)| *ln));
        let DependencyParse { arcs, heads, .. } = parsed;
        for word in 1..=self.sentence.len() {
            for head in 0..=self.sentence.len() {
                let with = possible.iter().filter(|(heads, _)| heads.head(word) == head);
                let exact: f64 = with.map(|(_, ln)| (ln - total).exp()).sum();
                assert!((arcs.of(head, word) - exact).abs() < 1e-9, "{head} → {word}: {exact}");
            }
        }
        let gain = |heads: &Heads| (1..=heads.len()).map(|word| arcs.of(heads.head(word), word)).sum::<f64>();
        let most = possible.iter().map(|(heads, _)| gain(heads)).fold(0.0, f64::max);
        assert!(possible.iter().any(|(listed, _)| *listed == heads), "{heads:?} is none of the list");
        assert!((gain(heads) - most).abs() < 1e-9);
    }
}

#[test]
fn the_first_order_is_exact_whatever_heads_are_known() {
    for seed in 0..60 {
        let rng = &mut Stream::new(seed).rng();
        let settings = Options { projective: rng.bernoulli(0.5), ..Options::default() };
        let mut toy = Toy::new(&settings, 1 + rng.below(4), rng);
        toy.tell(0.3, false, rng);
        let parsed = toy.parser.parse(&toy.sentence, &mut Messages::default()).unwrap();
        assert!(parsed.outcome.is_exact);
        toy.check(&parsed);
    }
}

#[test]
fn the_second_order_is_exact_where_one_arc_of_every_pair_is_known() {
    let mut n_exact = 0;
    for seed in 0..60 {
        let rng = &mut Stream::new(500 + seed).rng();
        let settings =
            Options { order: 2, threshold: 0.0, projective: rng.bernoulli(0.5), ..Options::default() };
        let mut toy = Toy::new(&settings, 2 + rng.below(3), rng);
        toy.tell(0.0, true, rng);
        let parsed = toy.parser.parse(&toy.sentence, &mut Messages::default()).unwrap();
        if parsed.outcome.is_exact {
            n_exact += 1;
            toy.check(&parsed);
        }
    }
    assert!(n_exact > 15, "only {n_exact} are exact");
}

#[test]
fn arcs_below_the_threshold_and_unknown_ones_have_no_part_in_pairs() {
    for seed in 0..20 {
        let rng = &mut Stream::new(700 + seed).rng();
        let settings = Options { order: 2, threshold: 0.3, ..Options::default() };
        let mut toy = Toy::new(&settings, 4, rng);
        toy.tell(0.4, false, rng);
        let coded = toy.parser.seen.code(&toy.sentence);
        let first = toy.parser.lay(&coded, &toy.parser.first, (None, toy.parser.shape())).unwrap();
        let mut messages = Messages::default();
        let is_known = |head: usize, word: usize| toy.sentence.head(word).is_none_or(|known| known == head);
        let within = Within { shape: toy.parser.shape(), allowed: &is_known };
        toy.parser.run(&first, &toy.sentence, &within, &mut messages).unwrap();
        let marginals = first.links.marginals(&first.graph, &messages);
        let kept = toy.parser.kept(&first, &messages, &within);
        for (&(head, word), kept) in first.links.arcs.iter().zip(kept) {
            let known = toy.sentence.heads[word as usize - 1] == Some(head);
            assert_eq!(kept, known || marginals.of(head as usize, word as usize) >= 0.3);
        }
    }
}

#[test]
fn arcs_that_are_ruled_out_are_in_no_tree_that_counts() {
    let mut n_possible = 0;
    for seed in 0..60 {
        let rng = &mut Stream::new(800 + seed).rng();
        let settings = Options { projective: rng.bernoulli(0.5), ..Options::default() };
        let toy = Toy::new(&settings, 2 + rng.below(3), rng);
        let n_words = toy.sentence.len();
        let out: Vec<(usize, usize)> = (0..rng.below(7))
            .map(|_| (rng.below(n_words + 1), rng.below(n_words) + 1))
            .filter(|(head, word)| head != word)
            .collect();
        // Another shape than the parser's own may be asked for.
        let shape = TreeShape { roots: Roots::Many, projective: rng.bernoulli(0.5) };
        let allowed = |head: usize, word: usize| !out.contains(&(head, word));
        let left: Vec<Heads> = trees(n_words, shape)
            .into_iter()
            .filter(|heads| (1..=n_words).all(|word| allowed(heads.head(word), word)))
            .collect();
        let found = toy.parser.arcs_within(
            &toy.sentence,
            &Within { shape, allowed: &allowed },
            &mut Messages::default(),
        );
        if left.is_empty() {
            continue;
        }
        n_possible += 1;
        let (arcs, outcome) = found.unwrap();
        assert!(outcome.is_exact);
        let (first, scores) = (toy.parser.first.values(), toy.parser.scores(&toy.sentence).unwrap());
        let first: Vec<f64> = first.into_iter().map(f64::from).collect();
        let weights: Vec<f64> = left.iter().map(|heads| toy.score(&first, heads).exp()).collect();
        for (heads, weight) in left.iter().zip(&weights) {
            assert!((scores.of_tree(heads).exp() / weight - 1.0).abs() < 1e-6);
        }
        let all: f64 = weights.iter().sum();
        for (head, word) in Trees::all_arcs(n_words) {
            let (head, word) = (head as usize, word as usize);
            let with = left.iter().zip(&weights).filter(|(heads, _)| heads.head(word) == head);
            let listed = with.map(|(_, weight)| weight).sum::<f64>() / all;
            assert!((arcs.of(head, word) - listed).abs() < 1e-6, "{seed}: {head} → {word}");
        }
    }
    assert!(n_possible > 30, "{n_possible}");
}

#[test]
fn gradients_are_those_of_the_listed_likelihood() {
    for seed in 0..12 {
        let rng = &mut Stream::new(900 + seed).rng();
        let settings = Options { projective: seed % 2 == 0, ..Options::default() };
        let mut toy = Toy::new(&settings, 2 + rng.below(2), rng);
        toy.tell([1.0, 0.5][seed as usize / 2 % 2], false, rng);
        let training = ParserTraining { parser: &toy.parser, sentences: &[&toy.sentence], stage: 1 };
        let gradient = training.gradient(0, &toy.parser.weights, &mut GradientScratch::default()).unwrap();
        let weights: Vec<f64> = toy.values.iter().copied().map(f64::from).collect();
        assert!((gradient.loss + toy.ln_likelihood(&weights)).abs() < 1e-9);
        assert_gradient(&gradient.entries, &toy.values, |weights| toy.ln_likelihood(weights));
    }
}
