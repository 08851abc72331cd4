//! The sampler has the right distribution, and planted mistakes are found.
//!
//! Sentences are generated from the model with parameters from the prior. What is observed are their tags and part of
//! the tree: heads of words and brackets that were chosen without looking at the tree. The prior has little taste for
//! dependents, so that sentences end; the few that grow beyond all bounds are cut off.

use arcs::Roots;
use arcs::dmv::{Counter, DmvShape};
use chain::{Kernel, Rng, Sweep, Threads, Workers};
use impute::Fragment;
use impute::gpc::{DmvPrior, Drawer, Prepared, Sampler, Trees, Vocabulary};
use num::dist;
use testkit::calibrate::{CalibrateOptions, Posterior, Ranks, calibrate};
use testkit::geweke::{Comparison, GewekeOptions, Joint, compare, worst};
use tree::Possible;
use tree::{Arc, Group, GroupKind, Heads, Node, PartialTree, Place, Reading, Side, Text};

/// What is wrong with the sampler.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Mistake {
    Nothing,
    /// Words do not count for their tags.
    ForgottenTables,
    /// The prior of the sampler is another one.
    OtherPrior,
    /// The side of a stop is taken for the other one.
    SwappedSides,
}

struct Toy {
    vocabulary: Vocabulary,
    prior: DmvPrior,
    roots: Roots,
    mistake: Mistake,
}

const N_SENTENCES: usize = 10;
const LONGEST: usize = 40;

impl Toy {
    fn new(roots: Roots, valence: bool, lexical: bool, mistake: Mistake) -> Toy {
        let texts = |texts: [&str; 3]| texts.map(Text::from).to_vec();
        let known = Fragment {
            forms: texts(["a", "b", "c"]),
            tags: texts(["A", "B", "A"]),
            possible: Possible::everything(3),
        };
        let vocabulary = Vocabulary::new(&[known], lexical.then_some(1));
        let shape = DmvShape::new(vocabulary.n_tags(), vocabulary.words().len(), valence);
        let mut alpha: Vec<f64> = vec![0.7; DmvShape::new(vocabulary.n_tags(), 0, valence).len()];
        let mut stops = |stop: f64, go: f64, at: (usize, usize)| (alpha[at.0], alpha[at.1]) = (stop, go);
        stops(8.0, 2.0, (shape.root_stop(true), shape.root_stop(false)));
        for head in 0..vocabulary.n_tags() as u32 {
            for (side, has) in
                [(Side::Left, false), (Side::Left, true), (Side::Right, false), (Side::Right, true)]
            {
                let go = if side == Side::Left { 1.5 } else { 2.5 };
                stops(9.0, go, (shape.stop(head, side, has, true), shape.stop(head, side, has, false)));
            }
        }
        let backoff = vocabulary.words().iter().map(|&(_, tag)| tag).collect();
        Toy { prior: DmvPrior { shape, alpha, backoff, lexical_weight: 3.0 }, vocabulary, roots, mistake }
    }

    /// Parameters by the book.
    fn parameters(&self, rng: &mut Rng) -> Vec<f64> {
        let shape = &self.prior.shape;
        let mut parameters: Vec<f64> = Vec::new();
        for (start, len) in shape.rows() {
            let alpha: Vec<f64> = if start < self.prior.alpha.len() {
                self.prior.alpha[start..start + len].to_vec()
            } else {
                let block = shape.distance(1, 0);
                let word = (start - self.prior.alpha.len()) / block;
                let within = (start - self.prior.alpha.len()) % block;
                let tag = self.prior.backoff[word] as usize;
                let of_tag = self.prior.alpha.len() - block * shape.n_tags() + block * tag + within;
                parameters[of_tag..of_tag + len].iter().map(|p| self.prior.lexical_weight * p).collect()
            };
            parameters.extend(dist::dirichlet(rng, &alpha));
        }
        parameters
    }

    /// A sentence by the book: tags, forms and heads in the order of the sentence.
    fn generate(&self, p: &[f64], rng: &mut Rng) -> (Vec<u32>, Vec<u32>, Vec<u32>) {
        let shape = &self.prior.shape;
        let n_tags = shape.n_tags();
        let draw =
            |rng: &mut Rng, start: usize| dist::categorical(rng, &p[start..start + n_tags]).unwrap() as u32;
        // Words as (tag, class, parent), with the dependents of each side from the inside out.
        let mut words: Vec<(u32, u32, Vec<usize>, Vec<usize>)> = Vec::new();
        let class = |rng: &mut Rng, tag: u32| {
            // Which of the forms of a tag a word has is no part of the model: a coin.
            let forms: Vec<usize> =
                (0..self.prior.backoff.len()).filter(|&word| self.prior.backoff[word] == tag).collect();
            let at = rng.below(forms.len() + 1);
            if at < forms.len() { (n_tags + forms[at]) as u32 } else { tag }
        };
        let mut top = Vec::new();
        loop {
            let tag = draw(rng, shape.root(0));
            let class = class(rng, tag);
            top.push(words.len());
            words.push((tag, class, Vec::new(), Vec::new()));
            if self.roots == Roots::One || rng.bernoulli(p[shape.root_stop(true)]) {
                break;
            }
        }
        let mut at = 0;
        while at < words.len() {
            for side in [Side::Left, Side::Right] {
                let head = words[at].1;
                let mut has = false;
                while words.len() < LONGEST && !rng.bernoulli(p[shape.stop(head, side, has, true)]) {
                    let tag = draw(rng, shape.choice(head, side, has, 0));
                    let class = class(rng, tag);
                    let new = words.len();
                    words.push((tag, class, Vec::new(), Vec::new()));
                    if side == Side::Left {
                        words[at].2.push(new)
                    } else {
                        words[at].3.push(new)
                    }
                    has = true;
                }
            }
            at += 1;
        }
        linear(&words, &top)
    }
}

/// Tags, classes and heads by position.
fn linear(words: &[(u32, u32, Vec<usize>, Vec<usize>)], top: &[usize]) -> (Vec<u32>, Vec<u32>, Vec<u32>) {
    fn visit(words: &[(u32, u32, Vec<usize>, Vec<usize>)], at: usize, order: &mut Vec<usize>) {
        words[at].2.iter().rev().for_each(|&left| visit(words, left, order));
        order.push(at);
        words[at].3.iter().for_each(|&right| visit(words, right, order));
    }
    let mut order = Vec::new();
    top.iter().for_each(|&at| visit(words, at, &mut order));
    let mut place = vec![0; words.len()];
    (1..).zip(&order).for_each(|(position, &at)| place[at] = position);
    let mut heads = vec![0; words.len()];
    for (at, word) in words.iter().enumerate() {
        word.2.iter().chain(&word.3).for_each(|&below| heads[place[below] as usize - 1] = place[at]);
    }
    (order.iter().map(|&at| words[at].0).collect(), order.iter().map(|&at| words[at].1).collect(), heads)
}

/// Heads of some words and the words below one. Which ones is chosen without looking at the tree, and whatever they
/// are is said, or else what is not said would say something too.
fn annotate(heads: &Heads, rng: &mut Rng) -> PartialTree {
    let n = heads.len();
    let mut said = PartialTree::new(n);
    let place = Place::default();
    for word in 1..=n {
        if rng.bernoulli(0.15) {
            match heads.head(word) {
                0 => said.roots.push((Node::Word(word), place)),
                head => said.arcs.push(Arc { head: Node::Word(head), dependent: Node::Word(word), place }),
            }
        }
    }
    if rng.bernoulli(0.5) {
        let top = 1 + rng.below(n);
        let words = (1..=n).filter(|&word| heads.dominates(top, word));
        let kind = GroupKind::Bracket { members: words.map(Node::Word).collect(), head: None };
        said.groups.push(Group { kind, place });
    }
    said
}

struct Theta {
    parameters: Vec<f64>,
    trees: Trees,
}

impl Joint for Toy {
    type Theta = Theta;
    type Data = Vec<Prepared>;

    fn prior(&self, sweep: &Sweep<'_>) -> Theta {
        let parameters = self.parameters(&mut sweep.rng(0));
        let of_tags = parameters[..self.prior.alpha.len()].to_vec();
        let trees = Trees { heads: Vec::new(), parameters: of_tags, tables: Vec::new(), ln_likelihood: 0.0 };
        Theta { parameters, trees }
    }

    fn data(&self, theta: &mut Theta, sweep: &Sweep<'_>) -> Vec<Prepared> {
        let rng = &mut sweep.rng(1);
        let mut drawer = Drawer::default();
        theta.trees.heads.clear();
        let mut data = Vec::new();
        for _ in 0..N_SENTENCES {
            let (tags, classes, heads) = self.generate(&theta.parameters, rng);
            let tree = Heads::new(heads.clone()).unwrap();
            let said = annotate(&tree, rng);
            let possible = Possible::new(&said, &Reading::default()).unwrap();
            assert!(possible.admits(&tree));
            let texts: Vec<Text> = vec!["?".into(); tags.len()];
            let fragment = Fragment { forms: texts.clone(), tags: texts, possible };
            let mut prepared = Prepared::new(&fragment, &self.vocabulary, self.roots, &mut drawer);
            (prepared.sentence.tags, prepared.sentence.heads) = (tags, classes);
            data.push(prepared);
            theta.trees.heads.push(heads);
        }
        data
    }

    fn step(&self, theta: &mut Theta, data: &Vec<Prepared>, sweep: &Sweep<'_>) {
        let mut prior = self.prior.clone();
        if self.mistake == Mistake::OtherPrior {
            prior.alpha.iter_mut().for_each(|alpha| *alpha += 0.3);
        }
        let sampler = Sampler { prior: &prior, sentences: data, fingerprint: 0 };
        let mut counts = sampler.count(&theta.trees);
        match self.mistake {
            Mistake::ForgottenTables => {
                counts[self.prior.alpha.len()..].fill(0.0);
            }
            Mistake::SwappedSides => {
                for head in 0..self.prior.shape.n_heads() as u32 {
                    for (has, stops) in [(false, false), (false, true), (true, false), (true, true)] {
                        let at = |side| self.prior.shape.stop(head, side, has, stops);
                        counts.swap(at(Side::Left), at(Side::Right));
                    }
                }
            }
            Mistake::Nothing => {
                // The kernel as it is; the parameters are drawn once more, which leaves the distribution as it is.
                sampler.sweep(&mut theta.trees, sweep).unwrap();
                let counts = sampler.count(&theta.trees);
                let again =
                    Sweep::new(sweep.rng_for("again").bits(), sweep.chain(), sweep.number(), sweep.workers());
                theta.parameters = sampler.draw_parameters(&counts, &mut theta.trees, &again);
                return;
            }
            _ => {}
        }
        theta.parameters = sampler.draw_parameters(&counts, &mut theta.trees, sweep);
        sampler.draw_trees(&theta.parameters, &mut theta.trees, sweep);
    }

    fn statistics(&self, theta: &Theta, data: &Vec<Prepared>) -> Vec<(&'static str, f64)> {
        let (shape, p) = (&self.prior.shape, &theta.parameters);
        let last = shape.n_heads() as u32 - 1;
        let stop = |head: u32, side, has| p[shape.stop(head, side, has, true)];
        let choice = |head: u32, side, has| p[shape.choice(head, side, has, 0)];
        let mut counts = vec![0.0; shape.len()];
        let mut counter = Counter::default();
        for (prepared, heads) in data.iter().zip(&theta.trees.heads) {
            counter.add(shape, &prepared.sentence, heads, prepared.roots, &mut counts);
        }
        let n_words: usize = data.iter().map(Prepared::n_kept).sum();
        let arcs = theta.trees.heads.iter().flatten();
        let first = theta.trees.heads.iter().filter(|heads| heads[0] == 0).count() as f64;
        let left: f64 = theta
            .trees
            .heads
            .iter()
            .map(|heads| (1..).zip(heads).filter(|&(word, &head)| head > word).count() as f64)
            .sum();
        vec![
            ("root", p[shape.root(0)]),
            ("root again", p[shape.root_stop(true)]),
            ("left stop", stop(0, Side::Left, false)),
            ("right stop", stop(0, Side::Right, false)),
            ("later left stop", stop(1, Side::Left, true)),
            ("later right stop²", stop(1, Side::Right, true).powi(2)),
            ("last stop", stop(last, Side::Right, false)),
            ("left choice", choice(0, Side::Left, false)),
            ("right choice²", choice(1, Side::Right, true).powi(2)),
            ("last choice", choice(last, Side::Right, true)),
            ("choice · stop", choice(0, Side::Right, false) * stop(0, Side::Right, false)),
            ("words", (n_words as f64).min(60.0)),
            ("roots", arcs.clone().filter(|&&head| head == 0).count() as f64),
            ("first word is root", first),
            ("heads to the right", left.min(40.0)),
            ("left heads · stop", left.min(40.0) * stop(0, Side::Left, false)),
            ("lone words", counts[shape.stop(0, Side::Left, false, true)].min(20.0)),
            ("taken", counts[shape.choice(0, Side::Right, false, 1)].min(10.0)),
            ("last goes · goes", {
                let goes = |side| shape.stop(last, side, false, false);
                let sides = [goes(Side::Left), goes(Side::Right)];
                sides.iter().map(|&event| p[event] * counts[event].min(10.0)).sum()
            }),
            ("last goes", counts[shape.stop(last, Side::Right, false, false)].min(10.0)),
            ("taken by last", counts[shape.choice(last, Side::Right, false, 1)].min(10.0)),
        ]
    }
}

impl Posterior for Toy {
    /// Where a run of the sampler starts: parameters of the prior, trees given them.
    fn begin(&self, data: &Vec<Prepared>, sweep: &Sweep<'_>) -> Theta {
        let sampler = Sampler { prior: &self.prior, sentences: data, fingerprint: 0 };
        let trees = sampler.start(sweep).unwrap();
        Theta { parameters: self.parameters(&mut sweep.rng_for("start")), trees }
    }
}

fn run(toy: &Toy, seed: u64, size: usize) -> Vec<Comparison> {
    let options = GewekeOptions { draws: 300 * size, chains: 10 * size, steps: 15, seed };
    compare(toy, &options, &Workers::new(Threads::from_count(2)).unwrap())
}

#[test]
fn the_sampler_has_the_distribution_of_the_model() {
    for (roots, valence, lexical, seed) in [
        (Roots::One, false, false, 1),
        (Roots::Many, true, false, 2),
        (Roots::One, true, true, 3),
        (Roots::Many, false, true, 4),
    ] {
        let comparisons = run(&Toy::new(roots, valence, lexical, Mistake::Nothing), seed, 30);
        // With one root there is one root in every sentence, which has no variance.
        let compared = comparisons.iter().filter(|c| c.name != "roots" || roots == Roots::Many);
        let compared: Vec<Comparison> = compared.cloned().collect();
        let worst = worst(&compared).unwrap();
        assert!(worst.z.abs() < 4.0, "{worst:?}");
    }
}

#[test]
fn planted_mistakes_are_found() {
    for mistake in [Mistake::ForgottenTables, Mistake::OtherPrior, Mistake::SwappedSides] {
        let comparisons = run(&Toy::new(Roots::Many, true, true, mistake), 5, 30);
        let worst = worst(&comparisons).unwrap();
        assert!(worst.z.abs() > 5.0, "{mistake:?}: {worst:?}");
    }
}

fn ranks(toy: &Toy, truths: usize, seed: u64) -> Vec<Ranks> {
    let options = CalibrateOptions { truths, burn_in: 30, thin: 6, bins: 10, per_bin: 1, seed };
    calibrate(toy, &options, &Workers::new(Threads::from_count(2)).unwrap())
}

#[test]
fn posteriors_of_a_run_are_as_wide_as_they_should_be() {
    for (roots, valence, lexical, seed) in [(Roots::One, true, true, 6), (Roots::Many, false, false, 7)] {
        let ranks = ranks(&Toy::new(roots, valence, lexical, Mistake::Nothing), 300, seed);
        assert!(ranks.iter().all(|ranks| ranks.p > 1e-3), "{ranks:#?}");
    }
}

#[test]
fn calibration_sees_planted_mistakes() {
    for mistake in [Mistake::ForgottenTables, Mistake::OtherPrior, Mistake::SwappedSides] {
        let ranks = ranks(&Toy::new(Roots::Many, true, true, mistake), 700, 8);
        assert!(ranks.iter().any(|ranks| ranks.p < 1e-4), "{mistake:?}: {ranks:#?}");
    }
}
