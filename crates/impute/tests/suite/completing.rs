//! Completed trees satisfy their annotations and have the probabilities of the list of all trees.

use std::collections::BTreeMap;

use arcs::Roots;
use arcs::dmv::{Counter, RootWeights};
use chain::{Rng, Stream};
use impute::gpc::{CompleteOptions, DmvPrior, Drawer, Vocabulary};
use impute::{Fragment, GpcModel, GpcOptions};
use testkit::annotations::{all_trees, any_annotation, any_reading, spread};
use tree::Possible;
use tree::{Arc, Group, GroupKind, Heads, Node, PartialTree, Place, Reading, Text};

const TAGS: [&str; 3] = ["A", "B", "C"];

pub(crate) fn fragment(rng: &mut Rng, possible: Possible) -> Fragment {
    let tags: Vec<Text> = (0..possible.n_words()).map(|_| TAGS[rng.below(3)].into()).collect();
    let forms = tags.iter().map(|tag| Text::from(format!("{tag}{}", rng.below(3)))).collect();
    Fragment { forms, tags, possible }
}

/// A model with random counts.
pub(crate) fn any_model(rng: &mut Rng, roots: Roots, n_chains: usize) -> GpcModel {
    let known: Vec<Fragment> = (0..30).map(|_| fragment(rng, Possible::everything(4))).collect();
    let options = GpcOptions {
        roots,
        valence: rng.bernoulli(0.5),
        lexical_threshold: rng.bernoulli(0.5).then_some(12),
        ..GpcOptions::default()
    };
    let vocabulary = Vocabulary::new(&known, options.lexical_threshold);
    let prior = DmvPrior::new(&vocabulary, &options);
    let counts =
        |rng: &mut Rng| (0..prior.shape.len()).map(|_| 9.0 * rng.uniform() * rng.uniform()).collect();
    let chains = (0..n_chains).map(|_| counts(rng)).collect();
    GpcModel::new(vocabulary, prior, options, chains, BTreeMap::new())
}

/// P(tree | annotation) of every admitted projective tree, a mean over chains.
fn listed(model: &GpcModel, fragment: &Fragment) -> Vec<(Heads, f64)> {
    let (n_words, possible) = (fragment.len(), &fragment.possible);
    let kept: Vec<usize> = (1..=n_words).filter(|&word| !possible.left_out(word)).collect();
    let sentence = model.vocabulary.encode(fragment, &kept);
    let trees = all_trees(kept.len()).into_iter().filter(Heads::is_projective);
    let admitted: Vec<(Heads, Heads)> = trees
        .map(|tree| (spread(&tree, &kept, n_words), tree))
        .filter(|(whole, _)| possible.admits(whole))
        .collect();
    let policy = match model.options.roots {
        Roots::Many => RootWeights::Many,
        Roots::One if admitted.iter().any(|(_, tree)| tree.n_roots() <= 1) => RootWeights::One,
        Roots::One => RootWeights::Free,
    };
    let mut all: Vec<(Heads, f64)> = admitted.iter().map(|(whole, _)| (whole.clone(), 0.0)).collect();
    let mut counter = Counter::default();
    for parameters in model.parameters() {
        let weights: Vec<f64> = admitted
            .iter()
            .map(|(_, tree)| {
                counter.probability(&model.prior.shape, &sentence, tree.as_slice(), policy, parameters)
            })
            .collect();
        let total: f64 = weights.iter().sum::<f64>() * model.parameters().len() as f64;
        all.iter_mut().zip(weights).for_each(|((_, p), weight)| *p += weight / total);
    }
    all
}

#[test]
fn posteriors_and_trees_are_those_of_the_list() {
    let mut n_several = 0;
    for seed in 0..800 {
        let rng = &mut Stream::new(11).item(seed).rng();
        let (n_words, roots) = (rng.below(6), [Roots::One, Roots::Many][rng.below(2)]);
        let (said, reading) = (any_annotation(rng, n_words), any_reading(rng));
        let Ok(possible) = Possible::new(&said, &reading) else { continue };
        n_several += usize::from(possible.cases().len() > 1);
        let fragment = fragment(rng, possible);
        let n_chains = 1 + rng.below(3);
        let model = any_model(rng, roots, n_chains);
        let all = listed(&model, &fragment);
        let options = CompleteOptions { samples: 5, seed: 0 };
        let found = model.complete_with(&fragment, &options, Stream::new(1), &mut Drawer::default());
        assert_eq!(found.projective, !all.is_empty());
        if all.is_empty() {
            continue;
        }
        assert!(found.exact && found.satisfied && found.completed.samples.len() == 5);
        let completed = &found.completed;
        let mut most: f64 = 0.0;
        let gain = |heads: &Heads| -> f64 {
            (1..=n_words).map(|word| completed.posteriors.of(heads.head(word), word)).sum()
        };
        for word in 1..=n_words {
            for head in 0..=n_words {
                let expected: f64 =
                    all.iter().filter(|(heads, _)| heads.head(word) == head).map(|(_, p)| p).sum();
                let p = completed.posteriors.of(head, word);
                assert!((p - expected).abs() < 1e-9, "{head} → {word}: {p} {expected}");
            }
        }
        all.iter().filter(|(_, p)| *p > 0.0).for_each(|(heads, _)| most = most.max(gain(heads)));
        assert!((gain(&completed.heads) - most).abs() < 1e-9);
        for heads in completed.samples.iter().chain([&completed.heads]) {
            assert!(all.iter().any(|(tree, p)| tree == heads && *p > 0.0));
        }
    }
    assert!(n_several > 30, "{n_several}");
}

#[test]
fn samples_are_as_frequent_as_probable_also_over_several_cases() {
    let mut n_several = 0;
    for seed in 0..400 {
        let rng = &mut Stream::new(17).item(seed).rng();
        let n_words = 2 + rng.below(4);
        let (said, reading) = (any_annotation(rng, n_words), any_reading(rng));
        let Ok(possible) = Possible::new(&said, &reading) else { continue };
        if possible.cases().len() < 2 {
            continue;
        }
        let fragment = fragment(rng, possible);
        let model = any_model(rng, Roots::Many, 2);
        let all = listed(&model, &fragment);
        let options = CompleteOptions { samples: 4000, seed: 0 };
        let found = model.complete_with(&fragment, &options, Stream::new(1), &mut Drawer::default());
        for (tree, p) in &all {
            let n = found.completed.samples.iter().filter(|sample| *sample == tree).count() as f64;
            let error = (p * (1.0 - p) * 4000.0).sqrt() + 0.5;
            assert!((n - 4000.0 * p).abs() < 5.0 * error, "{tree:?}: {n} of {}", 4000.0 * p);
        }
        n_several += usize::from(all.len() > 1);
    }
    assert!(n_several > 10, "{n_several}");
}

#[test]
fn every_tree_satisfies_its_annotation() {
    let model = any_model(&mut Stream::new(12).rng(), Roots::One, 2);
    let (mut n_completed, mut n_crossing) = (0, 0);
    let mut drawer = Drawer::default();
    for seed in 0..6000 {
        let rng = &mut Stream::new(13).item(seed).rng();
        let n_words = 1 + rng.below(14);
        let (said, reading) = (any_annotation(rng, n_words), any_reading(rng));
        let Ok(possible) = Possible::new(&said, &reading) else { continue };
        let fragment = fragment(rng, possible);
        let options = CompleteOptions { samples: 4, seed: 0 };
        let found = model.complete_with(&fragment, &options, Stream::new(1), &mut drawer);
        if !found.satisfied {
            // Rare contradictions are found only by looking for a tree.
            continue;
        }
        for heads in found.completed.samples.iter().chain([&found.completed.heads]) {
            assert!(fragment.possible.admits(heads), "{heads:?} {said:?} {reading:?}");
        }
        n_completed += 1;
        n_crossing += usize::from(!found.projective);
        assert_eq!(found.completed.samples.len(), if found.projective { 4 } else { 0 });
    }
    assert!(n_completed > 2000 && n_crossing > 10, "{n_completed} {n_crossing}");
}

fn bracket(words: &[usize]) -> Group {
    let members = words.iter().map(|&word| Node::Word(word)).collect();
    Group { kind: GroupKind::Bracket { members, head: None }, place: Place::default() }
}

#[test]
fn annotations_with_too_many_cases_are_satisfied_too() {
    let rng = &mut Stream::new(14).rng();
    let model = any_model(rng, Roots::Many, 2);
    let mut said = PartialTree::new(40);
    for start in (1..40).step_by(5) {
        said.groups.push(bracket(&[start, start + 1, start + 3]));
        let arc = Arc {
            head: Node::Group(said.groups.len() - 1),
            dependent: Node::Word(start + 4),
            place: Place::default(),
        };
        said.arcs.push(arc);
    }
    for reading in
        [Reading::default(), Reading { brackets: tree::BracketReading::Connected, ..Reading::default() }]
    {
        let fragment = fragment(rng, Possible::new(&said, &reading).unwrap());
        assert!(!fragment.possible.is_exact());
        let options = CompleteOptions { samples: 10, seed: 0 };
        let found = model.complete_with(&fragment, &options, Stream::new(1), &mut Drawer::default());
        assert!(!found.exact && found.satisfied && found.completed.samples.len() == 10);
        for heads in found.completed.samples.iter().chain([&found.completed.heads]) {
            assert!(fragment.possible.admits(heads));
        }
        for word in 1..=40 {
            assert!((found.completed.posteriors.row(word).iter().sum::<f64>() - 1.0).abs() < 1e-9);
        }
    }
}

#[test]
fn sentences_of_no_one_and_two_hundred_words_are_completed() {
    let rng = &mut Stream::new(15).rng();
    for roots in [Roots::One, Roots::Many] {
        let model = any_model(rng, roots, 2);
        for n_words in [0, 1, 2, 200] {
            let fragment = fragment(rng, Possible::everything(n_words));
            let completed = model.complete(&fragment);
            assert!(completed.heads.len() == n_words && completed.heads.is_projective());
            for word in 1..=n_words {
                assert!((completed.posteriors.row(word).iter().sum::<f64>() - 1.0).abs() < 1e-9);
            }
        }
    }
}

#[test]
fn crossing_arcs_are_completed_without_projectivity_and_say_so() {
    let rng = &mut Stream::new(16).rng();
    let model = any_model(rng, Roots::One, 2);
    let mut said = PartialTree::new(5);
    for (head, dependent) in [(1, 3), (2, 4)] {
        let (head, dependent) = (Node::Word(head), Node::Word(dependent));
        said.arcs.push(Arc { head, dependent, place: Place::default() });
    }
    let fragment = fragment(rng, Possible::new(&said, &Reading::default()).unwrap());
    let found =
        model.complete_with(&fragment, &CompleteOptions::default(), Stream::new(1), &mut Drawer::default());
    assert!(!found.projective && found.satisfied && fragment.possible.admits(&found.completed.heads));
    assert_eq!((found.completed.heads.head(3), found.completed.heads.head(4)), (1, 2));
    assert_eq!(found.completed.heads.n_roots(), 1);
    for word in 1..=5 {
        assert!((found.completed.posteriors.row(word).iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }
}
