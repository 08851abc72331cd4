//! How sure a parser is, and how sure it may be.

use chain::Stream;
use dependency::{DependencyModel, DependencyOptions, Descent, Order};
use tree::Sentence;

use crate::toy_language::{annotated, parse, quick, sentence, train};

const TAGS: [&str; 4] = ["A", "B", "C", "D"];
const N_WORDS: usize = 5;

/// Sentences whose trees are drawn from p(tree) ∝ exp Σ weight(tag of the head, tag of the dependent, direction).
fn drawn(n: usize, seed: u64) -> Vec<Sentence> {
    let mut weights = Stream::new(77).rng();
    let weights: Vec<f64> = (0..50).map(|_| 4.0 * weights.uniform() - 2.0).collect();
    let trees: Vec<Vec<usize>> = testkit::enumerate::projective_trees(N_WORDS, |_| 1.0)
        .into_iter()
        .map(|(heads, _)| heads.into_iter().map(|head| head.map_or(0, |head| head + 1)).collect())
        .collect();
    let draw = |number: usize| {
        let mut rng = Stream::new(seed).item(number).rng();
        let tags: Vec<usize> = (0..N_WORDS).map(|_| rng.below(4)).collect();
        let score = |heads: &Vec<usize>| {
            let arc = |word: usize| {
                let head = heads[word];
                let of_head = if head == 0 { 4 } else { tags[head - 1] };
                weights[of_head * 10 + 2 * tags[word] + usize::from(head < word + 1)]
            };
            (0..N_WORDS).map(arc).sum::<f64>().exp()
        };
        let scores: Vec<f64> = trees.iter().map(score).collect();
        let mut luck = rng.uniform() * scores.iter().sum::<f64>();
        let chosen = scores.iter().position(|score| {
            luck -= score;
            luck < 0.0
        });
        let heads = &trees[chosen.unwrap_or(trees.len() - 1)];
        sentence((0..N_WORDS).map(|at| (TAGS[tags[at]], TAGS[tags[at]], heads[at], "_")))
    };
    (0..n).map(draw).collect()
}

fn options() -> DependencyOptions {
    let templates = "arc: h.tag m.tag\n".to_owned();
    let first = Descent { epochs: 12, batch: 16, rate: 0.1, l2: 0.0, l1: 0.0 };
    DependencyOptions { templates, first, bits: 16, ..quick(Order::First) }
}

/// For probabilities of about 0–10%, 10–20% and so on: how many arcs, Σ p, and how many were right.
fn reliability(model: &DependencyModel, sentences: &[Sentence]) -> Vec<(f64, f64, f64)> {
    let mut bins = vec![(0.0, 0.0, 0.0); 10];
    for sentence in sentences {
        let posteriors = parse(model, sentence, None).posteriors.unwrap();
        for (at, token) in sentence.words().enumerate() {
            for (head, &p) in posteriors.row(at + 1).iter().enumerate().filter(|(head, _)| *head != at + 1) {
                let bin = &mut bins[((10.0 * p) as usize).min(9)];
                bin.0 += 1.0;
                bin.1 += p;
                bin.2 += f64::from(u8::from(token.head.index() == Some(head as u32)));
            }
        }
    }
    bins
}

fn check_reliability(model: &DependencyModel, sentences: &[Sentence]) {
    for (n, sum, right) in reliability(model, sentences).into_iter().filter(|bin| bin.0 > 50.0) {
        let (p, share) = (sum / n, right / n);
        // Four standard errors, and something for weights that are not quite the true ones.
        let tolerance = 4.0 * (p * (1.0 - p) / n).sqrt() + 0.02;
        assert!((p - share).abs() < tolerance, "{n} arcs: {p} {share}");
    }
}

#[test]
fn with_plenty_of_data_scores_are_as_sure_as_they_may_be() {
    let (data, dev, test) = (annotated(&drawn(2500, 1)), drawn(500, 2), drawn(800, 3));
    let model = train(&data, &dev, &options()).unwrap();
    assert!((0.85..1.15).contains(&model.temperature()), "{}", model.temperature());
    check_reliability(&model, &test);
}

/// Σ |Σ p − how many were right| over the bins, as a share of all arcs.
fn gap(model: &DependencyModel, sentences: &[Sentence]) -> f64 {
    let bins = reliability(model, sentences);
    let all: f64 = bins.iter().map(|bin| bin.0).sum();
    bins.iter().map(|(_, sum, right)| (sum - right).abs()).sum::<f64>() / all
}

#[test]
fn a_temperature_mends_scores_that_are_too_sure_or_not_sure_enough() {
    let (data, dev, test) = (annotated(&drawn(12, 1)), drawn(300, 2), drawn(800, 3));
    for (rate, expected) in [(0.05, 0.3..0.8), (1.0, 1.3..30.0)] {
        let first = Descent { rate, ..options().first };
        let model = train(&data, &dev, &DependencyOptions { first, ..options() }).unwrap();
        assert!(expected.contains(&model.temperature()), "{rate}: {}", model.temperature());
        assert!(gap(&model, &test) < 0.03, "{rate}: {}", gap(&model, &test));
    }
}

#[test]
fn the_temperature_of_the_rehearsal_is_kept() {
    let data = annotated(&drawn(400, 1));
    let model = train(&data, &[], &options()).unwrap();
    assert!((0.8..1.4).contains(&model.temperature()), "{}", model.temperature());
    let few = train(&data[..10], &[], &options()).unwrap();
    assert_eq!(few.temperature(), 1.5);
}
