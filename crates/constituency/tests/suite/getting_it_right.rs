//! The samplers of training and parsing have the right distributions, and planted mistakes are found.

use chain::{Kernel, Rng, Sweep, Threads, Workers};
use constituency::bank::Bank;
use constituency::concentrate::HyperPrior;
use constituency::derivation::{self, Use};
use constituency::forests;
use constituency::prior::{Concentrations, RulePrior};
use constituency::sampler::{AnnotatedTrees, Given, Sampler, Stage};
use forest::substates::Chart;
use forest::substates::fixed::{Below, Node, TreeChart};
use grammar::anchor::{Brackets, LeafVectors, RefinedForest};
use grammar::{Category, Level, Sizes, Tensors};
use num::dist;
use testkit::calibrate::{CalibrateOptions, Posterior, Ranks, calibrate};
use testkit::geweke::{Comparison, GewekeOptions, Joint, compare, worst};
use tree::Text;

/// What is wrong with the sampler.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Mistake {
    Nothing,
    /// The topmost annotation is drawn without the inside score.
    RootWithoutInside,
    /// y and z change places in the counts.
    SwappedParts,
    /// The training counts are left out.
    ForgottenLambda,
}

struct Toy {
    bank: Bank,
    means: Vec<f64>,
    sizes: Sizes,
    /// λ · n; zero when training.
    pseudo: Tensors,
    concentrations: Concentrations,
    hyper: Option<HyperPrior>,
    /// Whether trees are observed, or only words.
    trees: bool,
    n_sentences: usize,
    mistake: Mistake,
}

impl Toy {
    fn new(trees: bool, hyper: bool, mistake: Mistake) -> Toy {
        let bank = crate::toy::bank();
        let rules = bank.inventory.rules();
        let sizes = Sizes::by_label(rules, |_| 2);
        let mut pseudo = bank.inventory.zero(&sizes);
        if !trees {
            // Uneven counts, as training would leave them: mostly x = 0 for the first rules, x = 1 for others.
            for rule in 0..bank.inventory.len() as u32 {
                for x in 0..sizes.of(bank.inventory.head(rule)) {
                    let stay = rules.is_stay(rule);
                    for (at, count) in pseudo.row_mut(rule, x).iter_mut().enumerate() {
                        let share = [2.0, 0.25][(rule as usize + x + at) % 2];
                        *count = if stay && at != x { 0.0 } else { 3.0 * bank.counts[rule as usize] * share };
                    }
                }
            }
        }
        let means = bank.means();
        // Far apart, so that none could stand for another without being noticed.
        let concentrations = Concentrations { rules: 4.0, words: 1.5, annotations: 0.8 };
        let hyper = hyper.then_some(HyperPrior { rules: 4.0, words: 1.5, annotations: 0.8 });
        Toy { bank, means, sizes, pseudo, concentrations, hyper, trees, n_sentences: 4, mistake }
    }

    fn sampler<'a>(&'a self, given: &'a [Given]) -> Sampler<'a> {
        let pseudo =
            if self.mistake == Mistake::ForgottenLambda { Vec::new() } else { vec![self.pseudo.clone()] };
        Sampler {
            prior: RulePrior {
                inventory: &self.bank.inventory,
                means: &self.means,
                concentrations: self.concentrations,
            },
            given,
            stages: vec![Stage { from: 1, sizes: self.sizes.clone() }],
            pseudo,
            jump: Vec::new(),
            hyper: self.hyper,
            fingerprint: 0,
        }
    }

    /// θ · β by the book: one Dirichlet draw for the rules of each `A[x]`, one for the annotations of each rule.
    fn draw_parameters(&self, c: &Concentrations, rng: &mut Rng) -> Tensors {
        let inventory = &self.bank.inventory;
        let mut drawn = inventory.zero(&self.sizes);
        for head in inventory.heads() {
            let rules = inventory.rules_of(head);
            for x in 0..self.sizes.of(head) {
                let alpha: Vec<f64> = rules
                    .iter()
                    .map(|&rule| {
                        let c = if inventory.is_lexical(rule) { c.words } else { c.rules };
                        c * self.means[rule as usize] + self.pseudo.row(rule, x).iter().sum::<f64>()
                    })
                    .collect();
                let theta = dist::dirichlet(rng, &alpha);
                for (&rule, theta) in rules.iter().zip(theta) {
                    let pseudo = self.pseudo.row(rule, x);
                    let even = c.annotations / pseudo.len() as f64;
                    let alpha: Vec<f64> = pseudo.iter().map(|n| even + n).collect();
                    let beta = dist::dirichlet(rng, &alpha);
                    let stay = inventory.rules().is_stay(rule);
                    for (at, value) in drawn.row_mut(rule, x).iter_mut().enumerate() {
                        let share = if stay { f64::from(u8::from(at == x)) } else { beta[at] };
                        *value = theta * share;
                    }
                }
            }
        }
        drawn
    }

    /// An annotated tree from the top down.
    fn generate(&self, tensors: &Tensors, rng: &mut Rng) -> (Vec<Node>, Vec<Use>) {
        let inventory = &self.bank.inventory;
        let mut uses: Vec<Use> = Vec::new();
        let mut open: Vec<(Category, usize)> = vec![(inventory.rules().root(), 0)];
        while let Some((head, x)) = open.pop() {
            let mut choices = Vec::new();
            let mut weights = Vec::new();
            for &rule in inventory.rules_of(head) {
                for (at, &weight) in tensors.row(rule, x).iter().enumerate() {
                    choices.push((rule, at));
                    weights.push(weight);
                }
            }
            let (rule, at) = choices[dist::categorical(rng, &weights).unwrap()];
            let (_, right) = inventory.widths(&self.sizes, rule);
            let (y, z) = (at / right, at % right);
            uses.push(Use { rule, head: x as u8, parts: [y as u8, z as u8] });
            if !inventory.is_lexical(rule) {
                let (_, left, right) = inventory.rules().parts(rule);
                open.extend(right.map(|right| (right, z)));
                open.push((left, y));
            }
        }
        (derivation::nodes(inventory, uses.iter().map(|used| used.rule)), uses)
    }

    /// The words of a tree: each lexical rule stands for one word.
    fn words(&self, uses: &[Use]) -> Vec<Text> {
        let word = |rule: u32| {
            let mut words = ["a", "b", "zz"].into_iter();
            let emits =
                |word: &&str| self.bank.lexicon.read(word, false).tags.iter().any(|(r, _, _)| *r == rule);
            Text::new(words.find(emits).unwrap())
        };
        let lexical = uses.iter().filter(|used| self.bank.inventory.is_lexical(used.rule));
        lexical.map(|used| word(used.rule)).collect()
    }

    fn counts(&self, sentences: &[Vec<Use>], swap: bool) -> Tensors {
        let inventory = &self.bank.inventory;
        let mut counts = inventory.zero(&self.sizes);
        for used in sentences.iter().flatten() {
            let [y, z] = used.parts.map(usize::from);
            let (left, right) = inventory.widths(&self.sizes, used.rule);
            let at = if swap && left == right { z * right + y } else { y * right + z };
            counts.row_mut(used.rule, usize::from(used.head))[at] += 1.0;
        }
        counts
    }

    /// A sweep made of the same parts, but for the mistake.
    fn wrong_sweep(&self, sampler: &Sampler<'_>, state: &mut AnnotatedTrees, sweep: &Sweep<'_>) -> Tensors {
        let mut counts = self.counts(&state.sentences, self.mistake == Mistake::SwappedParts);
        for (count, pseudo) in counts.values_mut().iter_mut().zip(self.pseudo.values()) {
            *count += pseudo;
        }
        let tensors = sampler.draw(&counts, state, sweep);
        if self.mistake != Mistake::RootWithoutInside {
            sampler.annotate(state, &tensors, sweep);
            return tensors;
        }
        let mut rng = sweep.rng_for("wrong");
        for (given, uses) in sampler.given.iter().zip(&mut state.sentences) {
            let Given::Tree(nodes) = given else { panic!("only for trees") };
            let annotations = annotate_without_root(nodes, &tensors, &mut rng);
            derivation::of_tree(nodes, &annotations, uses);
        }
        tensors
    }

    /// ln P(data | θ, β).
    fn ln_likelihood(&self, tensors: &Tensors, data: &[Given]) -> f64 {
        let one = |given: &Given| match given {
            Given::Tree(nodes) => {
                let mut chart = TreeChart::new();
                chart.fill(nodes, tensors);
                chart.ln_total(&[1.0])
            }
            Given::Forest(forest) => {
                let mut vectors = LeafVectors::default();
                vectors.fill(&forest.1, tensors);
                let mut chart: Chart = Chart::new();
                chart.fill(&RefinedForest::new(&forest.0, tensors, &vectors, &self.sizes));
                chart.ln_total()
            }
        };
        data.iter().map(one).sum()
    }
}

/// The annotation below the root is drawn from the root's rule alone, all others as they should be.
fn annotate_without_root(nodes: &[Node], tensors: &Tensors, rng: &mut Rng) -> Vec<u32> {
    let mut chart = TreeChart::new();
    chart.fill(nodes, tensors);
    let mut annotations = vec![0u32; nodes.len()];
    for (at, node) in nodes.iter().enumerate() {
        let row = tensors.row(node.rule, annotations[at] as usize);
        match node.below {
            Below::Leaf => {}
            Below::One(child) => {
                let inside = chart.vector(child);
                let weights: Vec<f64> =
                    row.iter().zip(inside).map(|(w, i)| if at == 0 { *w } else { w * i }).collect();
                annotations[child as usize] = dist::categorical(rng, &weights).unwrap_or(0) as u32;
            }
            Below::Two(left, right) => {
                let (y, z) = (chart.vector(left), chart.vector(right));
                let pairs: Vec<f64> =
                    row.iter().enumerate().map(|(i, w)| w * y[i / z.len()] * z[i % z.len()]).collect();
                let drawn = dist::categorical(rng, &pairs).unwrap_or(0);
                annotations[left as usize] = (drawn / z.len()) as u32;
                annotations[right as usize] = (drawn % z.len()) as u32;
            }
        }
    }
    annotations
}

/// Parameters and annotated trees.
struct Theta {
    tensors: Tensors,
    state: AnnotatedTrees,
}

impl Joint for Toy {
    type Theta = Theta;
    type Data = Vec<Given>;

    fn prior(&self, sweep: &Sweep<'_>) -> Theta {
        let mut rng = sweep.rng_for("prior of the test");
        let mut gamma = |fixed: f64, mean: Option<f64>| match mean {
            Some(mean) => dist::gamma(&mut rng, 2.0, mean / 2.0),
            None => fixed,
        };
        let (c, h) = (&self.concentrations, self.hyper.as_ref());
        let concentrations = Concentrations {
            rules: gamma(c.rules, h.map(|h| h.rules)),
            words: gamma(c.words, h.map(|h| h.words)),
            annotations: gamma(c.annotations, h.map(|h| h.annotations)),
        };
        let tensors = self.draw_parameters(&concentrations, &mut rng);
        let state = AnnotatedTrees { stage: 0, sentences: Vec::new(), concentrations, ln_likelihood: 0.0 };
        Theta { tensors, state }
    }

    fn data(&self, theta: &mut Theta, sweep: &Sweep<'_>) -> Vec<Given> {
        let mut rng = sweep.rng_for("data of the test");
        theta.state.sentences.clear();
        let mut data = Vec::new();
        for _ in 0..self.n_sentences {
            let (nodes, uses) = self.generate(&theta.tensors, &mut rng);
            data.push(if self.trees {
                Given::Tree(nodes)
            } else {
                let Bank { codec, lexicon, .. } = &self.bank;
                let brackets = Brackets::words(self.words(&uses));
                let forest = forests::of_brackets(codec, lexicon, &self.means, &brackets, 0.0).unwrap();
                Given::Forest(Box::new(forest))
            });
            theta.state.sentences.push(uses);
        }
        data
    }

    /// The sampler does not show its θ and β, but its streams are known, so they can be drawn once more.
    fn step(&self, theta: &mut Theta, data: &Vec<Given>, sweep: &Sweep<'_>) {
        let sampler = self.sampler(data);
        if matches!(self.mistake, Mistake::RootWithoutInside | Mistake::SwappedParts) {
            theta.tensors = self.wrong_sweep(&sampler, &mut theta.state, sweep);
            return;
        }
        let mut counts = sampler.count(&theta.state);
        if let Some(pseudo) = sampler.pseudo.first() {
            counts.values_mut().iter_mut().zip(pseudo.values()).for_each(|(count, pseudo)| *count += pseudo);
        }
        sampler.sweep(&mut theta.state, sweep).unwrap();
        theta.tensors = sampler.draw(&counts, &theta.state, sweep);
        let ln = self.ln_likelihood(&theta.tensors, data);
        assert!((ln - theta.state.ln_likelihood).abs() < 1e-9, "these are not the sampler's parameters");
    }

    fn statistics(&self, theta: &Theta, data: &Vec<Given>) -> Vec<(&'static str, f64)> {
        let inventory = &self.bank.inventory;
        let rules = inventory.rules();
        let counts = self.counts(&theta.state.sentences, false);
        let binary = rules.first_binary();
        let chain = (0..binary)
            .find(|&rule| !rules.is_stay(rule) && rules.info(rules.parts(rule).0).level == Level::Outer);
        let stay = (0..binary).find(|&rule| rules.is_stay(rule));
        let (chain, stay) = (chain.unwrap(), stay.unwrap());
        let word = inventory.first_lexical();
        let sum = |rule: u32, x: usize| counts.row(rule, x).iter().sum::<f64>();
        let of = |rule: u32, x: usize| theta.tensors.row(rule, x).iter().sum::<f64>();
        let n_uses = theta.state.sentences.iter().map(Vec::len).sum::<usize>() as f64;
        let complete: f64 = counts
            .values()
            .iter()
            .zip(theta.tensors.values())
            .filter(|(n, _)| **n > 0.0)
            .map(|(n, p)| n * libm::log(*p))
            .sum();
        let tensors = &theta.tensors;
        let c = &theta.state.concentrations;
        vec![
            ("uses", n_uses),
            ("uses²", n_uses * n_uses),
            ("ln likelihood", self.ln_likelihood(tensors, data)),
            ("ln likelihood with annotations", complete),
            ("binary at x = 0", sum(binary, 0)),
            ("binary at x = 0, squared", sum(binary, 0) * sum(binary, 0)),
            ("binary, y ≠ z", counts.row(binary, 0)[1] + counts.row(binary, 1)[1]),
            ("chain", sum(chain, 0) + sum(chain, 1)),
            ("chain at 0 · stay at 0", sum(chain, 0) * sum(stay, 0)),
            ("stay at 1", sum(stay, 1)),
            ("word at 0 · word at 1", sum(word, 0) * sum(word, 1)),
            ("θ of a word at 0", of(word, 0)),
            ("θ of a word, squared, both", of(word, 0) * of(word, 0) + of(word, 1) * of(word, 1)),
            ("θ of the chain at 1 · its count", of(chain, 1) * sum(chain, 1)),
            ("β of the binary, asymmetric", tensors.row(binary, 0)[1] - tensors.row(binary, 0)[2]),
            ("β² of the binary", tensors.of(binary).iter().map(|p| p * p).sum()),
            ("β · count", tensors.of(binary).iter().zip(counts.of(binary)).map(|(p, n)| p * n).sum()),
            ("c of rules", c.rules + 1e-3 * of(stay, 0)),
            ("c of words²", c.words * c.words + 1e-3 * of(stay, 0)),
            ("ln b", libm::log(c.annotations) + 1e-3 * of(stay, 0)),
        ]
    }
}

impl Posterior for Toy {
    fn begin(&self, data: &Vec<Given>, sweep: &Sweep<'_>) -> Theta {
        let mut theta = self.prior(sweep);
        let start = Toy::sampler(self, data).start(sweep).unwrap();
        theta.state = AnnotatedTrees { concentrations: theta.state.concentrations, ..start };
        theta
    }
}

fn workers() -> Workers {
    Workers::new(Threads::from_count(2)).unwrap()
}

fn geweke(toy: &Toy) -> Vec<Comparison> {
    let options = GewekeOptions { draws: 6000, chains: 300, steps: 30, seed: 5 };
    compare(toy, &options, &workers())
}

fn assert_right(toy: &Toy) {
    let comparisons = geweke(toy);
    let worst = worst(&comparisons).unwrap();
    assert!(worst.z.abs() < 4.0, "{comparisons:#?}");
}

fn assert_wrong(toy: &Toy) {
    let comparisons = geweke(toy);
    let worst = worst(&comparisons).unwrap();
    assert!(worst.z.abs() > 5.0, "{:?} is not seen: {comparisons:#?}", toy.mistake);
}

#[test]
fn gewekes_test_passes_the_training_sampler() {
    assert_right(&Toy::new(true, false, Mistake::Nothing));
}

#[test]
fn gewekes_test_passes_the_training_sampler_with_sampled_concentrations() {
    assert_right(&Toy::new(true, true, Mistake::Nothing));
}

#[test]
fn gewekes_test_passes_the_parsing_sampler() {
    assert_right(&Toy::new(false, false, Mistake::Nothing));
}

#[test]
fn gewekes_test_sees_a_root_drawn_without_its_inside_score() {
    assert_wrong(&Toy::new(true, false, Mistake::RootWithoutInside));
}

#[test]
fn gewekes_test_sees_parts_swapped_in_the_counts() {
    assert_wrong(&Toy::new(true, false, Mistake::SwappedParts));
    assert_wrong(&Toy::new(false, false, Mistake::SwappedParts));
}

#[test]
fn gewekes_test_sees_that_lambda_was_forgotten() {
    assert_wrong(&Toy::new(false, false, Mistake::ForgottenLambda));
}

fn ranks(toy: &Toy, truths: usize) -> Vec<Ranks> {
    let options = CalibrateOptions { truths, burn_in: 20, thin: 4, bins: 10, per_bin: 1, seed: 8 };
    calibrate(toy, &options, &workers())
}

#[test]
fn calibration_passes_both_samplers() {
    for (trees, hyper) in [(true, false), (true, true), (false, false)] {
        let ranks = ranks(&Toy::new(trees, hyper, Mistake::Nothing), 400);
        assert!(ranks.iter().all(|ranks| ranks.p > 1e-3), "trees: {trees}, hyper: {hyper}, {ranks:#?}");
    }
}

#[test]
fn calibration_fails_planted_mistakes() {
    for (trees, mistake) in
        [(true, Mistake::RootWithoutInside), (true, Mistake::SwappedParts), (false, Mistake::ForgottenLambda)]
    {
        let toy = Toy { n_sentences: 15, ..Toy::new(trees, false, mistake) };
        let ranks = ranks(&toy, 400);
        assert!(ranks.iter().any(|ranks| ranks.p < 1e-4), "{mistake:?} is not seen: {ranks:#?}");
    }
}
