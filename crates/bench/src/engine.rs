//! The charts that are laid out by hand beside the engine `forest`, on the same random sentences.

use std::hint::black_box;

use arcs::second_order::{PartMarginals, Parts, Scores, SecondOrder};
use arcs::{ArcForest, ArcScores, Projective, Roots, dmv};
use chain::{Rng, Stream};
use clap::Args;
use forest::Scaled;
use grammar::cnf::{self, Emission};

use crate::cpu;

/// How often things are timed.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Repetitions, chart and engine in turn; the fastest of each counts
    #[arg(long, default_value_t = 9)]
    repeat: usize,
}

/// Sentences of one length.
const SENTENCES: usize = 10;

/// What a repetition takes at least, in seconds: the scheduler counts in steps of milliseconds.
const LEAST: f64 = 0.1;

pub(crate) fn run(options: &Options) {
    println!(
        "{:<34} {:>5} {:>10} {:>10} {:>6}",
        "sums and marginals", "words", "chart µs", "engine µs", "ratio"
    );
    for n_words in [10, 25, 40, 80] {
        let rng = &mut Stream::new(1).item(n_words).rng();
        let table = RatioTable { n_words, repeat: options.repeat };
        first_order(&table, rng);
        second_order(&table, rng);
        valence(&table, rng);
        // With many nonterminals the engine takes seconds for a long sentence.
        for n_nonterminals in [5, 20].into_iter().filter(|n| n_words <= 40 || *n < 20) {
            normal_form(&table, n_nonterminals, rng);
        }
    }
}

/// Rows of one length.
struct RatioTable {
    n_words: usize,
    repeat: usize,
}

impl RatioTable {
    /// A row. Both functions return the sum of the logarithms of all totals.
    fn compare(&self, name: &str, mut chart: impl FnMut() -> f64, mut engine: impl FnMut() -> f64) {
        let (found, expected) = (chart(), engine());
        assert!((found - expected).abs() < 1e-6 * expected.abs().max(1.0), "{name}: {found} {expected}");
        let rounds = [rounds(&mut chart), rounds(&mut engine)];
        let mut best = [f64::INFINITY; 2];
        for _ in 0..self.repeat.max(1) {
            best[0] = best[0].min(cpu::seconds(|| (0..rounds[0]).map(|_| chart()).sum::<f64>()).1);
            best[1] = best[1].min(cpu::seconds(|| (0..rounds[1]).map(|_| engine()).sum::<f64>()).1);
        }
        let each = |at: usize| 1e6 * best[at] / (rounds[at] * SENTENCES) as f64;
        let (chart, engine, n_words) = (each(0), each(1), self.n_words);
        println!("{name:<34} {n_words:>5} {chart:>10.1} {engine:>10.1} {:>6.2}", engine / chart);
    }
}

/// How often something must be done to be timed.
fn rounds(work: &mut impl FnMut() -> f64) -> usize {
    let mut rounds = 1;
    while cpu::seconds(|| (0..rounds).map(|_| work()).sum::<f64>()).1 < LEAST {
        rounds *= 2;
    }
    rounds
}

/// All arcs. That the engine's weights are relative to those of the best tree is done before, and not timed.
fn first_order(table: &RatioTable, rng: &mut Rng) {
    let mut any_scores = || {
        let mut scores = ArcScores::zero(table.n_words);
        for word in 1..=table.n_words {
            (0..=table.n_words).for_each(|head| scores.set(head, word, 6.0 * rng.uniform()));
        }
        scores
    };
    let sentences: Vec<ArcScores> = (0..SENTENCES).map(|_| any_scores()).collect();
    let forests: Vec<ArcForest> =
        sentences.iter().filter_map(|scores| ArcForest::new(scores, Roots::One)).collect();
    let mut memory = Projective::default();
    let chart = || {
        let found = sentences.iter().filter_map(|scores| memory.marginals(scores, Roots::One));
        found.map(|(ln_total, marginals)| (ln_total, black_box(marginals)).0).sum()
    };
    let engine = || {
        let found = forests.iter().map(|forest| forest.marginals(&Scaled::inside(forest)));
        found.map(|(ln_total, marginals)| (ln_total, black_box(marginals)).0).sum()
    };
    table.compare("arcs", chart, engine);
}

/// Five heads for each word, most of them near. The engine's time includes the search for the best tree.
fn second_order(table: &RatioTable, rng: &mut Rng) {
    let n_words = table.n_words;
    let mut any_sentence = || {
        let mut arcs: Vec<(usize, usize)> = (1..=n_words).map(|word| (word - 1, word)).collect();
        for word in 1..=n_words {
            arcs.extend((0..5).map(|_| ((word + rng.below(13)).saturating_sub(6).min(n_words), word)));
        }
        let parts = Parts::new(n_words, arcs);
        let mut scores = Scores::zero(&parts);
        for values in [&mut scores.arcs, &mut scores.siblings, &mut scores.grandparents] {
            values.iter_mut().for_each(|value| *value = 4.0 * rng.uniform());
        }
        (parts, scores)
    };
    let sentences: Vec<(Parts, Scores)> = (0..SENTENCES).map(|_| any_sentence()).collect();
    let (mut memory, mut out) = (SecondOrder::default(), PartMarginals::default());
    let chart = || {
        let found = sentences
            .iter()
            .map(|(parts, scores)| memory.marginals(parts, scores, Roots::One, &mut out).unwrap_or(f64::NAN));
        found.sum()
    };
    let (mut memory, mut out) = (SecondOrder::default(), PartMarginals::default());
    let engine = || {
        let found = sentences.iter().map(|(parts, scores)| {
            memory.forest_marginals(parts, scores, Roots::One, &mut out).unwrap_or(f64::NAN)
        });
        found.sum()
    };
    table.compare("siblings and grandparents", chart, engine);
}

/// The dependency model with valence over 20 tags.
fn valence(table: &RatioTable, rng: &mut Rng) {
    let n_words = table.n_words;
    let shape = dmv::DmvShape::new(20, 0, true);
    let parameters = distributions(shape.rows().map(|(_, len)| len), rng);
    let mut any_weights = || {
        let tags: Vec<u32> = (0..n_words).map(|_| rng.below(20) as u32).collect();
        let mut weights = dmv::DmvWeights::default();
        weights.fill(&shape, &parameters, &dmv::DmvSentence::of_tags(&tags), dmv::RootWeights::One);
        weights
    };
    let sentences: Vec<dmv::DmvWeights> = (0..SENTENCES).map(|_| any_weights()).collect();
    let laid = |weights| dmv::Laid { weights, mask: dmv::Mask::Free };
    let mut memory = dmv::DmvChart::default();
    let mut arcs = vec![0.0; n_words * (n_words + 1)];
    let chart = || {
        let found = sentences.iter().map(laid).map(|laid| {
            let ln_total = memory.fill(&laid);
            memory.add_arcs(&laid, 1.0, &mut arcs);
            ln_total
        });
        found.sum()
    };
    let mut arcs = vec![0.0; n_words * (n_words + 1)];
    let engine = || {
        let found = sentences.iter().map(laid).map(|laid| {
            let inside = Scaled::inside(&laid);
            inside.outside().bundles(|item, _, posterior| {
                if let Some((head, dependent)) = laid.arc_of(item) {
                    arcs[(dependent - 1) * (n_words + 1) + head] += posterior;
                }
            });
            inside.ln_total()
        });
        found.sum()
    };
    table.compare("heads with valence", chart, engine);
}

/// Grammars over 20 tags, with expected counts of all rules.
fn normal_form(table: &RatioTable, n_nonterminals: usize, rng: &mut Rng) {
    let shape = cnf::CnfShape::new(n_nonterminals, Emission::Tags(20));
    let weights = distributions(shape.rows(), rng);
    let mut any_sentence = || (0..table.n_words).map(|_| rng.below(20) as u32).collect();
    let sentences: Vec<Vec<u32>> = (0..SENTENCES).map(|_| any_sentence()).collect();
    let laid = |words| cnf::Laid { shape: &shape, weights: &weights, words };
    let mut memory = cnf::Chart::default();
    let mut counts = vec![0.0; weights.len()];
    let chart = || {
        let found = sentences.iter().map(|words| laid(words)).map(|laid| {
            let ln_total = memory.fill(&laid);
            memory.add_events(&laid, 1.0, &mut counts);
            ln_total
        });
        found.sum()
    };
    let mut counts = vec![0.0; weights.len()];
    let engine = || {
        let found = sentences.iter().map(|words| laid(words)).map(|laid| {
            let inside = Scaled::inside(&laid);
            inside.outside().add_counts(&mut counts);
            inside.ln_total()
        });
        found.sum()
    };
    table.compare(&format!("normal form, {n_nonterminals} nonterminals"), chart, engine);
}

/// Random distributions over so many events each, one after the other.
fn distributions(rows: impl Iterator<Item = usize>, rng: &mut Rng) -> Vec<f64> {
    let mut all = Vec::new();
    for len in rows {
        let row: Vec<f64> = (0..len).map(|_| 0.05 + rng.uniform()).collect();
        let total: f64 = row.iter().sum();
        all.extend(row.iter().map(|value| value / total));
    }
    all
}
