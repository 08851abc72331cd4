//! The sampler has the distribution of the model, and planted mistakes are found.
//!
//! There are more preterminals than nonterminals and the prior keeps them about as probable as each other, so that
//! sentences end; the few that do not are cut off.

use chain::{Kernel, Rng, Sweep, Threads, Workers};
use grammar::cnf::{Emission, Node, Tree};
use induce::pcfg::PcfgSentence;
use induce::pcfg::gibbs::{Alpha, DrawnTrees, Sampler};
use induce::{Family, Pcfg};
use num::dist;
use testkit::calibrate::{CalibrateOptions, Posterior, Ranks, calibrate};
use testkit::geweke::{Comparison, GewekeOptions, Joint, compare, worst};

use crate::enumerated::pick;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Mistake {
    Nothing,
    /// The prior of rules does not count.
    ForgottenAlpha,
    /// Trees are drawn as if the root took every label alike.
    ForgottenRoot,
    /// Left and right children are swapped in counts.
    SwappedChildren,
}

struct Toy {
    pcfg: Pcfg,
    mistake: Mistake,
}

/// Far apart, so that none could stand for another without being noticed.
const ALPHA: Alpha = Alpha { root: 0.5, rules: 1.5, emissions: 0.15 };
const N_SENTENCES: usize = 20;
const LONGEST: usize = 60;

struct Theta {
    parameters: Vec<f64>,
    state: DrawnTrees,
}

impl Toy {
    fn new(emission: Emission, mistake: Mistake) -> Toy {
        Toy { pcfg: Pcfg::new(2, emission), mistake }
    }

    /// A label at random, from the row that begins with an event.
    fn draw(rng: &mut Rng, parameters: &[f64], first: usize, len: usize) -> usize {
        pick(rng, &parameters[first..first + len])
    }

    /// A sentence by the book.
    fn generate(&self, parameters: &[f64], rng: &mut Rng) -> (PcfgSentence, Tree) {
        let shape = self.pcfg.shape();
        let (k, n_labels) = (shape.n_nonterminals(), shape.n_labels());
        let (mut words, mut nodes) = (Vec::new(), Vec::new());
        let mut open = vec![Toy::draw(rng, parameters, shape.root(0), n_labels)];
        while let Some(label) = open.pop() {
            let cut = words.len() + open.len() >= LONGEST;
            let label = if cut { label.max(k) } else { label };
            let start = words.len() as u32;
            nodes.push(Node { label: label as u32, start, end: start + 1 });
            if label < k {
                let pair = Toy::draw(rng, parameters, shape.rule(label, 0, 0), n_labels * n_labels);
                open.extend([pair % n_labels, pair / n_labels]);
                continue;
            }
            words.push(match shape.emission() {
                Emission::Tags(_) => (label - k) as u32,
                Emission::Free { words, .. } => {
                    Toy::draw(rng, parameters, shape.emit(label, 0).unwrap(), words) as u32
                }
            });
        }
        (PcfgSentence { words }, close_nodes(nodes, k as u32))
    }
}

/// Finds the ends of nodes in preorder, the last node first.
fn close_nodes(mut nodes: Vec<Node>, k: u32) -> Tree {
    let mut complete: Vec<usize> = Vec::new();
    for at in (0..nodes.len()).rev() {
        if nodes[at].label < k {
            complete.pop();
            let right = complete.pop().unwrap();
            nodes[at].end = nodes[right].end;
        }
        complete.push(at);
    }
    Tree { nodes }
}

impl Joint for Toy {
    type Theta = Theta;
    type Data = Vec<PcfgSentence>;

    fn prior(&self, sweep: &Sweep<'_>) -> Theta {
        let k = self.pcfg.shape().n_nonterminals();
        let (mut parameters, rng) = (Vec::new(), &mut sweep.rng(0));
        for (row, range) in self.pcfg.rows().ranges().enumerate() {
            let of_row = match row {
                0 => ALPHA.root,
                _ if row <= k => ALPHA.rules,
                _ => ALPHA.emissions,
            };
            parameters.extend(dist::dirichlet(rng, &vec![of_row; range.len()]));
        }
        Theta { parameters, state: DrawnTrees { trees: Vec::new(), ln_likelihood: 0.0 } }
    }

    fn data(&self, theta: &mut Theta, sweep: &Sweep<'_>) -> Vec<PcfgSentence> {
        let rng = &mut sweep.rng(1);
        let pairs = (0..N_SENTENCES).map(|_| self.generate(&theta.parameters, rng));
        let (sentences, trees) = pairs.unzip();
        theta.state.trees = trees;
        sentences
    }

    fn step(&self, theta: &mut Theta, data: &Vec<PcfgSentence>, sweep: &Sweep<'_>) {
        let mut sampler = Sampler { pcfg: &self.pcfg, sentences: data, alpha: ALPHA, fingerprint: 0 };
        if self.mistake == Mistake::Nothing {
            // The kernel as it is; the parameters are drawn once more, which leaves the distribution as it is.
            sampler.sweep(&mut theta.state, sweep).unwrap();
            let seed = sweep.rng_for("again").bits();
            let again = Sweep::new(seed, sweep.chain(), sweep.number(), sweep.workers());
            theta.parameters = sampler.draw_parameters(&sampler.count(&theta.state), &again);
            return;
        }
        if self.mistake == Mistake::ForgottenAlpha {
            sampler.alpha.rules = 1e-3;
        }
        let (shape, mut counts) = (self.pcfg.shape(), sampler.count(&theta.state));
        if self.mistake == Mistake::SwappedChildren {
            for left in 0..shape.n_labels() {
                (0..left)
                    .for_each(|right| counts.swap(shape.rule(0, left, right), shape.rule(0, right, left)));
            }
        }
        theta.parameters = sampler.draw_parameters(&counts, sweep);
        let mut used = theta.parameters.clone();
        if self.mistake == Mistake::ForgottenRoot {
            used[..shape.n_labels()].fill(1.0);
        }
        sampler.draw_trees(&used, &mut theta.state, sweep);
    }

    fn statistics(&self, theta: &Theta, data: &Vec<PcfgSentence>) -> Vec<(&'static str, f64)> {
        let (shape, p) = (self.pcfg.shape(), &theta.parameters);
        let sampler = Sampler { pcfg: &self.pcfg, sentences: data, alpha: ALPHA, fingerprint: 0 };
        let counts = sampler.count(&theta.state);
        let n_words: usize = data.iter().map(|sentence| sentence.words.len()).sum();
        let trees = &theta.state.trees;
        let rooted = trees.iter().filter(|tree| tree.nodes[0].label == 0).count() as f64;
        let of_first = |label: u32| -> f64 {
            let nodes = trees.iter().flat_map(|tree| &tree.nodes);
            nodes.filter(|node| node.label == label).count() as f64
        };
        let mut first_splits = 0.0;
        for tree in trees {
            let left = tree.children(0).map_or(0, |(left, _)| tree.nodes[left].end);
            first_splits += f64::from(left).min(10.0);
        }
        let rule = shape.rule(0, 1, shape.n_labels() - 1);
        let other = shape.rule(0, shape.n_labels() - 1, 1);
        let recursive = shape.rule(1, 1, 1);
        let last = p.len() - 1;
        let of_first_parent = shape.rule(0, 0, 0)..shape.rule(1, 0, 0);
        let likely: f64 = of_first_parent.map(|event| counts[event].min(10.0) * p[event]).sum();
        vec![
            ("root", p[0]),
            ("root²", p[1] * p[1]),
            ("rule", p[rule]),
            ("rule²", p[rule] * p[rule]),
            ("other rule", p[other]),
            ("recursive rule", p[recursive]),
            ("recursive rule²", p[recursive] * p[recursive]),
            ("last", p[last] * p[last]),
            ("words", (n_words as f64).min(60.0)),
            ("rooted in the first", rooted),
            ("rooted in the first · root", rooted * p[0]),
            ("first nonterminals", of_first(0).min(30.0)),
            ("first preterminals", of_first(2).min(30.0)),
            ("splits", first_splits),
            ("rule counts · rule", counts[rule].min(10.0) * p[rule]),
            ("other counts · rule", counts[other].min(10.0) * p[rule]),
            ("counts · rules", likely.min(10.0)),
            ("recursive counts", counts[recursive].min(10.0)),
            ("last counts · last", counts[last].min(10.0) * p[last]),
        ]
    }
}

fn run(toy: &Toy, seed: u64) -> Vec<Comparison> {
    let options = GewekeOptions { draws: 8000, chains: 350, steps: 20, seed };
    compare(toy, &options, &Workers::new(Threads::from_count(2)).unwrap())
}

const EMISSIONS: [Emission; 2] = [Emission::Tags(6), Emission::Free { preterminals: 6, words: 3 }];

#[test]
fn the_sampler_has_the_distribution_of_the_model() {
    for (seed, emission) in (1..).zip(EMISSIONS) {
        let comparisons = run(&Toy::new(emission, Mistake::Nothing), seed);
        let worst = worst(&comparisons).unwrap();
        assert!(worst.z.abs() < 4.0, "{emission:?} {worst:?}");
    }
}

#[test]
fn planted_mistakes_are_found() {
    for (mistake, emission) in [
        (Mistake::ForgottenAlpha, EMISSIONS[0]),
        (Mistake::ForgottenRoot, EMISSIONS[1]),
        (Mistake::SwappedChildren, EMISSIONS[0]),
    ] {
        let comparisons = run(&Toy::new(emission, mistake), 5);
        let worst = worst(&comparisons).unwrap();
        assert!(worst.z.abs() > 5.0, "{mistake:?}: {worst:?}");
    }
}

/// The same model, seen by what does not depend on how nonterminals are numbered: a chain that numbers them otherwise than
/// the truth does has the same posterior.
struct Unnumbered(Toy);

impl Joint for Unnumbered {
    type Theta = Theta;
    type Data = Vec<PcfgSentence>;

    fn prior(&self, sweep: &Sweep<'_>) -> Theta {
        self.0.prior(sweep)
    }

    fn data(&self, theta: &mut Theta, sweep: &Sweep<'_>) -> Vec<PcfgSentence> {
        self.0.data(theta, sweep)
    }

    fn step(&self, theta: &mut Theta, data: &Vec<PcfgSentence>, sweep: &Sweep<'_>) {
        self.0.step(theta, data, sweep);
    }

    fn statistics(&self, theta: &Theta, _: &Vec<PcfgSentence>) -> Vec<(&'static str, f64)> {
        let (shape, p) = (self.0.pcfg.shape(), &theta.parameters);
        let (k, n_labels) = (shape.n_nonterminals(), shape.n_labels());
        let over = |of: &dyn Fn(usize) -> f64| (0..k).map(of).sum::<f64>();
        let over_words = |of: &dyn Fn(usize, usize) -> f64| {
            over(&|parent| (k..n_labels).map(|label| of(parent, label)).sum::<f64>())
        };
        let nodes = || theta.state.trees.iter().flat_map(|tree| &tree.nodes);
        let splits = theta
            .state
            .trees
            .iter()
            .filter_map(|tree| tree.children(0).map(|(left, _)| tree.nodes[left].end));
        let phrases = nodes().filter(|node| (node.label as usize) < k);
        vec![
            ("root of a phrase", over(&|label| p[shape.root(label)])),
            ("one root · other root", p[shape.root(0)] * p[shape.root(1)]),
            ("phrases below", over(&|a| over(&|b| over(&|c| p[shape.rule(a, b, c)])))),
            ("phrase after word", over_words(&|a, word| over(&|b| p[shape.rule(a, word, b)]))),
            ("word after phrase", over_words(&|a, word| over(&|b| p[shape.rule(a, b, word)]))),
            ("rules²", p[shape.rule(0, 0, 0)..shape.rule(k, 0, 0)].iter().map(|p| p * p).sum()),
            ("root · own rule", over(&|a| p[shape.root(a)] * p[shape.rule(a, a, a)])),
            ("emissions²", p[shape.rule(k, 0, 0)..].iter().map(|p| p * p).sum()),
            ("splits", splits.map(f64::from).sum()),
            ("long phrases", phrases.map(|node| f64::from(node.end - node.start).min(9.0).powi(2)).sum()),
        ]
    }
}

impl Posterior for Unnumbered {
    fn begin(&self, data: &Vec<PcfgSentence>, sweep: &Sweep<'_>) -> Theta {
        let sampler = Sampler { pcfg: &self.0.pcfg, sentences: data, alpha: ALPHA, fingerprint: 0 };
        Theta { parameters: self.0.prior(sweep).parameters, state: sampler.start(sweep).unwrap() }
    }
}

fn ranks(emission: Emission, mistake: Mistake, truths: usize, seed: u64) -> Vec<Ranks> {
    let options = CalibrateOptions { truths, burn_in: 40, thin: 8, bins: 10, per_bin: 1, seed };
    let toy = Unnumbered(Toy::new(emission, mistake));
    calibrate(&toy, &options, &Workers::new(Threads::from_count(2)).unwrap())
}

#[test]
fn posteriors_of_a_run_are_as_wide_as_they_should_be() {
    for (seed, emission) in (11..).zip(EMISSIONS) {
        let ranks = ranks(emission, Mistake::Nothing, 400, seed);
        assert!(ranks.iter().all(|ranks| ranks.p > 1e-3), "{emission:?} {ranks:#?}");
    }
}

#[test]
fn calibration_sees_planted_mistakes() {
    // Children that are swapped leave all of these as wide as they were; Geweke's test sees that.
    for mistake in [Mistake::ForgottenAlpha, Mistake::ForgottenRoot] {
        let ranks = ranks(EMISSIONS[0], mistake, 600, 15);
        assert!(ranks.iter().any(|ranks| ranks.p < 1e-4), "{mistake:?}: {ranks:#?}");
    }
}
