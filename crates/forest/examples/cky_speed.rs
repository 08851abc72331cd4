//! How fast is the engine? Times it against CKY loops written by hand, and the K³ contraction by itself.
//!
//! Run with `cargo run --release -p forest --example cky_speed`. All figures are the best of several runs.

#![expect(clippy::print_stdout, reason = "an example reports what it measures")]

use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::Instant;

use forest::semiring::{LogProb, Prob};
use forest::substates::{Chart, Posteriors, Refined, Sum, contract};
use forest::{Bundle, Forest, Item, Scaled, Spans, Splits, Tails, Visit, inside};

const N_SYMBOLS: u32 = 40;
const N_RULES: usize = 2000;
const N_WORDS: u32 = 25;

fn main() {
    let grammar = Grammar::random(4);
    compare_with_hand_written(&grammar, N_WORDS);
    time_long_sentences(&grammar);
    let peak = peak_flops();
    println!("multiply and add in registers: {:.2} GFLOP/s", peak / 1e9);
    for k in [8, 16, 32] {
        time_contraction(k, peak);
    }
    for k in [8, 16] {
        time_refined(k);
    }
}

/// Rules by head, and the weight of every symbol over every word.
struct Grammar {
    by_head: Vec<Vec<Rule>>,
    lexical: Vec<f64>,
}

#[derive(Clone, Copy)]
struct Rule {
    left: u32,
    right: u32,
    weight: f64,
    name: u32,
}

impl Grammar {
    fn random(seed: u64) -> Grammar {
        let mut random = Random(seed);
        let mut by_head = vec![Vec::new(); N_SYMBOLS as usize];
        for name in 0..N_RULES as u32 {
            let [head, left, right] = std::array::from_fn(|_| random.below(N_SYMBOLS));
            by_head[head as usize].push(Rule { left, right, weight: random.uniform() / 50.0, name });
        }
        let lexical = (0..N_SYMBOLS).map(|_| random.uniform() / 50.0).collect();
        Grammar { by_head, lexical }
    }
}

/// One sentence under the grammar. Every word is alike, which changes nothing for the time.
struct Sentence<'g> {
    grammar: &'g Grammar,
    spans: Spans,
}

impl Forest for Sentence<'_> {
    type Weight = f64;

    forest::items_of_spans!(spans);

    #[inline]
    fn bundles_into(&self, head: Item, mut visit: impl Visit<f64>) -> ControlFlow<()> {
        let (symbol, start, end) = self.spans.locate(head);
        if end - start == 1 {
            let weight = self.grammar.lexical[symbol as usize];
            return visit(Bundle { rule: N_RULES as u32 + symbol, weight, tails: Tails::Leaf });
        }
        let first = self.spans.splits(0, 0, start, end);
        for rule in &self.grammar.by_head[symbol as usize] {
            let left = Item(first.left.0 + rule.left);
            let right = Item(first.right.0 + rule.right);
            let tails = Tails::Two(Splits { left, right, ..first });
            visit(Bundle { rule: rule.name, weight: rule.weight, tails })?;
        }
        ControlFlow::Continue(())
    }
}

fn compare_with_hand_written(grammar: &Grammar, n: u32) {
    let sentence = Sentence { grammar, spans: sized(n, N_SYMBOLS) };
    let goal = sentence.goal().index();
    println!("{N_SYMBOLS} symbols, {N_RULES} binary rules, {n} words");
    // In turn, so that a noisy neighbour slows all of them down alike.
    let [mut by_rule, mut by_split, mut plain, mut scaled] = [f64::INFINITY; 4];
    for _ in 0..100 {
        by_rule = by_rule.min(best_of(1, || by_hand_rules_outside(grammar, n)));
        by_split = by_split.min(best_of(1, || by_hand_splits_outside(grammar, n)));
        plain = plain.min(best_of(1, || inside::<Prob>(&sentence)[goal].0));
        scaled = scaled.min(best_of(1, || Scaled::inside(&sentence).ln_total()));
    }
    let log = best_of(3, || inside::<LogProb>(&sentence)[goal].0);
    let chart = Scaled::inside(&sentence);
    let outside = best_of(20, || chart.outside().items()[goal]);
    let mut state = Random(1);
    let drawn = best_of(200, || chart.sample(|| state.uniform()));
    let by_hand = by_rule.min(by_split);
    println!("  by hand, rules then splits   {:8.3} ms", 1e3 * by_rule);
    println!("  by hand, splits then rules   {:8.3} ms", 1e3 * by_split);
    println!("  engine, plain                {:8.3} ms   {:.2} × by hand", 1e3 * plain, plain / by_hand);
    println!("  engine, scaled               {:8.3} ms   {:.2} × by hand", 1e3 * scaled, scaled / by_hand);
    println!("  engine, logarithms           {:8.3} ms   {:.1} × by hand", 1e3 * log, log / by_hand);
    println!("  outside and posteriors       {:8.3} ms", 1e3 * outside);
    println!("  a sample                     {:8.3} ms", 1e3 * drawn);
}

/// The loop one writes first: every rule, then its splits.
fn by_hand_rules_outside(grammar: &Grammar, n: u32) -> f64 {
    let (n, s) = (n as usize, N_SYMBOLS as usize);
    let mut chart = vec![0.0; (n + 1) * (n + 1) * s];
    let cell = |i: usize, j: usize| (i * (n + 1) + j) * s;
    for i in (0..n).rev() {
        chart[cell(i, i + 1)..][..s].copy_from_slice(&grammar.lexical);
        for j in i + 2..=n {
            for (head, rules) in grammar.by_head.iter().enumerate() {
                let mut sum = 0.0;
                for rule in rules {
                    let mut dot = 0.0;
                    for k in i + 1..j {
                        let left = chart[cell(i, k) + rule.left as usize];
                        let right = chart[cell(k, j) + rule.right as usize];
                        dot += left * right;
                    }
                    sum += rule.weight * dot;
                }
                chart[cell(i, j) + head] = sum;
            }
        }
    }
    chart[cell(0, n)]
}

/// The same with two short slices per split, which stay in the nearest cache.
fn by_hand_splits_outside(grammar: &Grammar, n: u32) -> f64 {
    let (n, s) = (n as usize, N_SYMBOLS as usize);
    let mut chart = vec![0.0; (n + 1) * (n + 1) * s];
    let cell = |i: usize, j: usize| (i * (n + 1) + j) * s;
    let mut sums = vec![0.0; s];
    for i in (0..n).rev() {
        chart[cell(i, i + 1)..][..s].copy_from_slice(&grammar.lexical);
        for j in i + 2..=n {
            sums.fill(0.0);
            for k in i + 1..j {
                let left = &chart[cell(i, k)..][..s];
                let right = &chart[cell(k, j)..][..s];
                for (head, rules) in grammar.by_head.iter().enumerate() {
                    let mut sum = 0.0;
                    for rule in rules {
                        sum += rule.weight * left[rule.left as usize] * right[rule.right as usize];
                    }
                    sums[head] += sum;
                }
            }
            chart[cell(i, j)..][..s].copy_from_slice(&sums);
        }
    }
    chart[cell(0, n)]
}

/// The time per (span, split, rule) should not grow with the length.
fn time_long_sentences(grammar: &Grammar) {
    println!("scaled inside by length");
    for n in [25, 50, 100, 150] {
        let sentence = Sentence { grammar, spans: sized(n, N_SYMBOLS) };
        let chart = Scaled::inside(&sentence);
        let seconds = best_of(4, || Scaled::inside(&sentence).ln_total());
        let products = f64::from(n) * (f64::from(n).powi(2) - 1.0) / 6.0 * N_RULES as f64;
        println!(
            "  n = {n:3}   {:9.2} ms   {:.2} ns per product   ln Z = {:.1}{}",
            1e3 * seconds,
            1e9 * seconds / products,
            chart.ln_total(),
            if chart.is_narrow() { "" } else { "   (fell back)" },
        );
    }
}

/// What the vector unit does at most, with the vectors this machine has.
fn peak_flops() -> f64 {
    let arch = pulp::Arch::new();
    let portable = best_of(100, busy::<12>) / 12.0;
    let widest = best_of(100, || arch.dispatch(busy::<24>)) / 24.0;
    (2 * ROUNDS) as f64 / portable.min(widest)
}

const ROUNDS: usize = 100_000;

/// Products and sums that wait for nothing, few enough to stay in registers.
#[inline(always)]
fn busy<const N: usize>() -> ([f64; N], [f64; N]) {
    let (factor, step) = (black_box(0.999_999_9), black_box(1e-9));
    let (mut products, mut sums) = ([1.0f64; N], [0.0f64; N]);
    for _ in 0..ROUNDS {
        for lane in 0..N {
            products[lane] *= factor;
            sums[lane] += step;
        }
    }
    (products, sums)
}

/// GFLOP/s of out[x] = Σ_yz β[x][y][z] · M[y][z], with one tensor and with many in turn.
fn time_contraction(k: usize, peak: f64) {
    let mut random = Random(9);
    let sums: Vec<f64> = (0..k * k).map(|_| random.uniform()).collect();
    let mut out = vec![0.0; k];
    for n_tensors in [1, 200] {
        let tensors: Vec<f64> = (0..n_tensors * k * k * k).map(|_| random.uniform()).collect();
        let rounds = (1_000_000 / (n_tensors * k * k * k)).max(1);
        let seconds = best_of(100, || {
            for _ in 0..rounds {
                for tensor in tensors.chunks_exact(k * k * k) {
                    contract::<Sum>(black_box(&mut out), tensor, &sums);
                }
            }
        });
        let flops = 2.0 * (rounds * n_tensors * k * k * k) as f64;
        let rate = flops / seconds;
        println!(
            "K = {k:2}, {n_tensors:3} tensors in turn: {:6.2} GFLOP/s, {:2.0}% of that",
            rate / 1e9,
            100.0 * rate / peak
        );
    }
}

/// Twenty symbols, five hundred rules, n = 20, with K substates each.
struct Latent {
    k: usize,
    spans: Spans,
    rules: Vec<Vec<(u32, u32, Vec<f64>)>>,
    lexical: Vec<f64>,
    root: Vec<f64>,
}

struct LatentSentence<'g>(&'g Latent);

impl<'g> Forest for LatentSentence<'g> {
    type Weight = &'g [f64];

    forest::items_of_spans!(0.spans);

    fn bundles_into(&self, head: Item, mut visit: impl Visit<&'g [f64]>) -> ControlFlow<()> {
        let (symbol, start, end) = self.0.spans.locate(head);
        if end - start == 1 {
            return visit(Bundle { rule: 0, weight: &self.0.lexical, tails: Tails::Leaf });
        }
        for (left, right, tensor) in &self.0.rules[symbol as usize] {
            let tails = Tails::Two(self.0.spans.splits(*left, *right, start, end));
            visit(Bundle { rule: 0, weight: tensor, tails })?;
        }
        ControlFlow::Continue(())
    }
}

impl<'g> Refined<'g> for LatentSentence<'g> {
    fn n_substates(&self, _: Item) -> usize {
        self.0.k
    }

    fn root(&self) -> &[f64] {
        &self.0.root
    }
}

fn time_refined(k: usize) {
    let (n, n_symbols, n_rules) = (20, 20, 500);
    let mut random = Random(3);
    let mut rules = vec![Vec::new(); n_symbols as usize];
    for _ in 0..n_rules {
        let [head, left, right] = std::array::from_fn(|_| random.below(n_symbols));
        let tensor = (0..k * k * k).map(|_| random.uniform() / (k * k) as f64).collect();
        rules[head as usize].push((left, right, tensor));
    }
    let lexical = (0..k).map(|_| random.uniform()).collect();
    let latent = Latent { k, spans: sized(n, n_symbols), rules, lexical, root: vec![1.0; k] };
    let sentence = LatentSentence(&latent);
    let mut chart = Chart::<Sum>::new();
    let seconds = best_of(15, || chart.fill(&sentence));
    let outside = best_of(8, || Posteriors::new(&sentence, &chart).item(sentence.goal()));
    let drawn = best_of(10, || forest::substates::sample(&sentence, &chart, || random.uniform()));
    println!(
        "{n_symbols} symbols × {k}, {n_rules} rules, {n} words: \
         inside {:.1} ms, outside {:.1} ms, a sample {:.2} ms",
        1e3 * seconds,
        1e3 * outside,
        1e3 * drawn
    );
}

fn sized(n_words: u32, n_symbols: u32) -> Spans {
    Spans::new(n_words, n_symbols).expect("small enough to number")
}

fn best_of<R>(times: usize, mut run: impl FnMut() -> R) -> f64 {
    let time = |_| {
        let start = Instant::now();
        black_box(run());
        start.elapsed().as_secs_f64()
    };
    (0..times).map(time).fold(f64::INFINITY, f64::min)
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn below(&mut self, n: u32) -> u32 {
        (self.uniform() * f64::from(n)) as u32
    }
}
