//! Training against a dense solution over listed trees.

use arcs::Roots;
use chain::Workers;
use tree::Possible;
use tree::{Arc, Heads, Node, PartialTree, Place, Reading};

use super::corpus::ArcCorpus;
use super::watch::Watch;
use super::{ConvexOptions, FeatureOptions, FeatureTable, Fragment, Scalings, Trained, solve, train_at};

fn fragment(tags: &str, arcs: &[(usize, usize)]) -> Fragment {
    let tags: Vec<tree::Text> = tags.split(' ').map(Into::into).collect();
    let mut said = PartialTree::new(tags.len());
    for &(head, dependent) in arcs {
        let place = Place::default();
        match head {
            0 => said.roots.push((Node::Word(dependent), place)),
            _ => said.arcs.push(Arc { head: Node::Word(head), dependent: Node::Word(dependent), place }),
        }
    }
    let possible = Possible::new(&said, &Reading::default()).unwrap();
    Fragment { forms: tags.clone(), tags, possible }
}

fn tiny() -> Vec<Fragment> {
    vec![
        fragment("DET NOUN VERB", &[(2, 1)]),
        fragment("NOUN VERB NOUN", &[]),
        fragment("VERB DET NOUN", &[(0, 1)]),
        fragment("NOUN VERB", &[(2, 1), (0, 2)]),
    ]
}

fn corpus(fragments: &[Fragment], options: &ConvexOptions) -> ArcCorpus {
    let table = FeatureTable::new(fragments, &options.features);
    ArcCorpus::new(table, fragments, options, &Workers::serial(), &mut Watch::nobody()).unwrap()
}

fn trained(fragments: &[Fragment], options: &ConvexOptions) -> Trained {
    let nobody = &mut Watch::nobody();
    train_at(fragments, options, Scalings::at(0.1), &Workers::serial(), nobody).unwrap()
}

fn options() -> ConvexOptions {
    ConvexOptions {
        lambda: 0.01,
        mu: 0.1,
        max_iterations: 3000,
        gap: 1e-5,
        ridge_tolerance: 1e-12,
        features: FeatureOptions { neighbours: false, between: false, words: 0, suffixes: 0 },
        temperature: Some(0.1),
        ..ConvexOptions::default()
    }
}

/// All projective trees of a sentence that its annotation admits.
fn trees(fragment: &Fragment, roots: Roots) -> Vec<Heads> {
    let n = fragment.len() as u32;
    let mut lists = vec![Vec::new()];
    for _ in 0..n {
        lists = lists
            .into_iter()
            .flat_map(|list: Vec<u32>| (0..=n).map(move |head| [&list[..], &[head]].concat()))
            .collect();
    }
    let trees = lists.into_iter().filter_map(|list| Heads::new(list).ok());
    trees
        .filter(|tree| tree.is_projective() && (roots == Roots::Many || tree.n_roots() == 1))
        .filter(|tree| fragment.possible.admits(tree))
        .collect()
}

/// The quadratic form M = Ω½ (I − Z (ZᵀZ + nλI)⁻¹ Zᵀ) Ω½ of the objective ½ yᵀM y − cᵀy, with Z = Ω½X, written out.
struct Dense {
    m: Vec<Vec<f64>>,
    c: Vec<f64>,
    /// The place of the first arc of each sentence.
    offsets: Vec<usize>,
    n: f64,
}

impl Dense {
    fn new(corpus: &ArcCorpus, lambda: f64) -> Dense {
        let f = corpus.table.len();
        let mut x: Vec<Vec<f64>> = Vec::new();
        let (mut c, mut offsets, mut roots) = (Vec::new(), Vec::new(), Vec::new());
        for sentence in &corpus.sentences {
            offsets.push(x.len());
            for arc in 0..sentence.prior.len() {
                let mut row = vec![0.0; f];
                let root = sentence.trust(arc).sqrt();
                // The row comes multiplied by ω.
                sentence.add_row(arc, 1.0 / root, &mut row);
                x.push(row);
                roots.push(root);
            }
            c.extend(&sentence.prior);
        }
        let n = corpus.n_arcs as f64;
        let gram: Vec<Vec<f64>> = (0..f)
            .map(|i| {
                (0..f)
                    .map(|j| {
                        x.iter().map(|row| row[i] * row[j]).sum::<f64>()
                            + if i == j { n * lambda } else { 0.0 }
                    })
                    .collect()
            })
            .collect();
        let columns: Vec<Vec<f64>> = x.iter().map(|row| solve_dense(gram.clone(), row.clone())).collect();
        let m = (0..x.len())
            .map(|i| {
                let of = |j: usize| x[i].iter().zip(&columns[j]).map(|(a, b)| a * b).sum::<f64>();
                let entry = |j: usize| roots[i] * (f64::from(u8::from(i == j)) - of(j)) * roots[j];
                (0..x.len()).map(entry).collect()
            })
            .collect();
        Dense { m, c, offsets, n }
    }

    fn objective(&self, y: &[f64]) -> f64 {
        let my = self.times(y);
        (0..y.len()).map(|a| 0.5 * y[a] * my[a] - self.c[a] * y[a]).sum::<f64>() / self.n
    }

    fn times(&self, y: &[f64]) -> Vec<f64> {
        self.m.iter().map(|row| row.iter().zip(y).map(|(m, y)| m * y).sum()).collect()
    }
}

/// Gauss–Jordan elimination with pivots.
fn solve_dense(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    for k in 0..b.len() {
        let pivot = (k..b.len()).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs())).unwrap();
        a.swap(k, pivot);
        b.swap(k, pivot);
        for i in (0..b.len()).filter(|&i| i != k) {
            let factor = a[i][k] / a[k][k];
            let row = a[k].clone();
            a[i].iter_mut().zip(&row).for_each(|(x, y)| *x -= factor * y);
            b[i] -= factor * b[k];
        }
    }
    (0..b.len()).map(|k| b[k] / a[k][k]).collect()
}

/// The optimum by exponentiated gradient over the weights of all listed trees of each sentence.
fn reference(dense: &Dense, lists: &[Vec<Heads>]) -> f64 {
    let mut weights: Vec<Vec<f64>> =
        lists.iter().map(|list| vec![1.0 / list.len() as f64; list.len()]).collect();
    let mean = |weights: &[Vec<f64>]| {
        let mut y = vec![0.0; dense.c.len()];
        for ((list, weights), &offset) in lists.iter().zip(weights).zip(&dense.offsets) {
            for (tree, weight) in list.iter().zip(weights) {
                arcs(tree).for_each(|arc| y[offset + arc] += weight);
            }
        }
        y
    };
    for _ in 0..20_000 {
        let y = mean(&weights);
        let gradient: Vec<f64> = dense.times(&y).iter().zip(&dense.c).map(|(my, c)| my - c).collect();
        for ((list, weights), &offset) in lists.iter().zip(&mut weights).zip(&dense.offsets) {
            for (tree, weight) in list.iter().zip(weights.iter_mut()) {
                *weight *= (-0.3 * arcs(tree).map(|arc| gradient[offset + arc]).sum::<f64>()).exp();
            }
            let total: f64 = weights.iter().sum();
            weights.iter_mut().for_each(|weight| *weight /= total);
        }
    }
    dense.objective(&mean(&weights))
}

fn arcs(tree: &Heads) -> impl Iterator<Item = usize> {
    (1..=tree.len()).map(|word| (word - 1) * (tree.len() + 1) + tree.head(word))
}

#[test]
fn training_finds_the_optimum_over_listed_trees() {
    for (roots, hard) in [(Roots::One, true), (Roots::Many, true)] {
        let (fragments, options) = (tiny(), ConvexOptions { roots, hard, ..options() });
        let mut corpus = corpus(&fragments, &options);
        let dense = Dense::new(&corpus, options.lambda);
        let found = solve::solve(&mut corpus, &options, &Workers::serial(), &mut Watch::nobody()).unwrap();
        let last = found.progress.last().unwrap();
        assert!(last.gap <= options.gap, "{last:?} after {} steps", found.progress.len());
        let y: Vec<f64> = corpus.sentences.iter().flat_map(|sentence| sentence.y.iter().copied()).collect();
        assert!((dense.objective(&y) - last.objective).abs() < 1e-9);
        let lists: Vec<Vec<Heads>> = fragments.iter().map(|fragment| trees(fragment, roots)).collect();
        let optimum = reference(&dense, &lists);
        assert!((last.objective - optimum).abs() < 2e-5, "{} {optimum}", last.objective);
        assert!(last.objective - last.gap <= optimum + 1e-7, "the gap must not promise too much");
    }
}

#[test]
fn the_step_is_the_minimum_along_the_line() {
    let (fragments, options) = (tiny(), ConvexOptions { max_iterations: 6, ..options() });
    for steps in 1..6 {
        let at = |steps: usize| {
            let options = ConvexOptions { max_iterations: steps, ..options.clone() };
            let mut corpus = corpus(&fragments, &options);
            let found =
                solve::solve(&mut corpus, &options, &Workers::serial(), &mut Watch::nobody()).unwrap();
            let y: Vec<f64> =
                corpus.sentences.iter().flat_map(|sentence| sentence.y.iter().copied()).collect();
            let vertex = corpus.sentences.iter().flat_map(|sentence| {
                let mut vertex = vec![0.0; sentence.y.len()];
                sentence.vertex_arcs().for_each(|arc| vertex[arc] = 1.0);
                vertex
            });
            (y, vertex.collect::<Vec<f64>>(), found.progress, Dense::new(&corpus, options.lambda))
        };
        let (before, ..) = if steps == 1 { start(&fragments, &options) } else { at(steps - 1) };
        let (after, vertex, progress, dense) = at(steps);
        let on_line = |gamma: f64| -> Vec<f64> {
            before.iter().zip(&vertex).map(|(y, s)| y + gamma * (s - y)).collect()
        };
        let best = (0..=2000).map(|k| dense.objective(&on_line(f64::from(k) / 2000.0)));
        let best = best.fold(f64::INFINITY, f64::min);
        let gamma = progress.last().unwrap().gamma;
        assert!(dense.objective(&on_line(gamma)) <= best + 1e-12, "step {steps}");
        assert!(after.iter().zip(on_line(gamma)).all(|(a, b)| (a - b).abs() < 1e-12));
    }
}

type State = (Vec<f64>, Vec<f64>, Vec<super::SolverProgress>, Dense);

fn start(fragments: &[Fragment], options: &ConvexOptions) -> State {
    let corpus = corpus(fragments, options);
    let y = corpus.sentences.iter().flat_map(|sentence| sentence.y.iter().copied()).collect();
    let dense = Dense::new(&corpus, options.lambda);
    (y, Vec::new(), Vec::new(), dense)
}

#[test]
fn the_objective_never_rises_even_if_weights_are_inexact() {
    for ridge_tolerance in [0.5, 0.1, 1e-2, 1e-6] {
        let options = ConvexOptions { ridge_tolerance, max_iterations: 200, ..options() };
        let progress = trained(&tiny(), &options).progress;
        for pair in progress.windows(2) {
            assert!(pair[1].objective <= pair[0].objective + 1e-12, "{pair:?}");
        }
    }
}

#[test]
fn the_start_is_in_the_hull_of_the_admitted_trees() {
    let options = options();
    let corpus = corpus(&tiny(), &options);
    for sentence in &corpus.sentences {
        for row in sentence.y.chunks(sentence.n_words + 1) {
            assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        }
    }
    // The first word of the first sentence is said to hang on the second.
    assert_eq!(corpus.sentences[0].y[2], 1.0);
}

#[test]
fn trees_follow_the_rules_and_not_their_mirror_image() {
    let free = [fragment("DET NOUN VERB", &[]), fragment("VERB DET NOUN", &[]), fragment("NOUN VERB", &[])];
    let options = ConvexOptions { mu: 2.0, max_iterations: 20, ..options() };
    let model = trained(&free, &options).model;
    for (fragment, heads) in free.iter().zip([&[2, 3, 0][..], &[0, 3, 1], &[2, 0]]) {
        assert_eq!(model.complete(fragment).heads.as_slice(), heads);
    }
}
