//! Arcs that are thrown away, and demands that are kept all the same.

use arcs::{ArcScores, Roots, best_spanning};
use chain::Stream;
use tree::Possible;
use tree::{Group, GroupKind, Heads, Node, PartialTree, Place, Reading};

use super::toys;
use crate::attributes::{Attributes, TagColumn};
use crate::example::Example;
use crate::first_order::FirstOrderScratch;
use crate::model::{DependencyModel, ParseOptions, Parsed, Workspace};
use crate::options::{DependencyOptions, Order};
use crate::parts::PartFeatures;
use crate::prune::Pruning;
use crate::scorer::Decode;
use crate::second_order;
use crate::shape::TreeShape;

fn model(rng: &mut chain::Rng, shape: TreeShape, order: Order) -> DependencyModel {
    let options = DependencyOptions {
        shape,
        order,
        templates: toys::TEMPLATES.into(),
        pruning: Pruning { threshold: 0.3, heads: 2 },
        ..DependencyOptions::default()
    };
    let mut model = DependencyModel::blank(options, toys::templates());
    model.arcs = toys::table(rng, 9, 1, 1.0);
    model.second = (order == Order::Second).then(|| toys::table(rng, 9, 1, 1.0));
    model.temperature = 1.5;
    model
}

/// Trees and probabilities are as it was demanded; words that are left out hang from the root.
fn check_honoured(parsed: &Parsed, possible: &Possible, shape: TreeShape) {
    let n_words = possible.n_words();
    let has_one_root = possible.arc_cases().0.iter().any(|case| {
        let mut scores = ArcScores::zero(n_words);
        scores.restrict(case);
        best_spanning(&scores, Roots::One).is_some()
    });
    let (left_out, kept): (Vec<usize>, Vec<usize>) = (1..=n_words).partition(|&word| possible.left_out(word));
    for heads in parsed.n_best.iter().map(|ranked| &ranked.heads).chain([&parsed.heads]) {
        assert!(possible.admits(heads));
        let n_roots = kept.iter().filter(|&&word| heads.head(word) == 0).count();
        assert!(shape.roots == Roots::Many || n_roots <= 1 || !has_one_root);
    }
    let posteriors = parsed.posteriors.as_ref().unwrap();
    for word in kept {
        let row = posteriors.row(word);
        assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-6, "word {word}: {row:?}");
        let forbidden = (0..=n_words).filter(|&head| !possible.allows_arc(head, word));
        assert!(forbidden.into_iter().all(|head| row[head] == 0.0));
    }
    for word in left_out {
        assert!((posteriors.of(0, word) - 1.0).abs() < 1e-9, "word {word}");
        assert_eq!(parsed.heads.head(word), 0);
    }
}

#[test]
fn demands_are_honoured_however_much_is_pruned() {
    let mut workspace = Workspace::default();
    let mut n_loose = 0;
    for number in 0..1200 {
        let mut rng = Stream::new(21).item(number).rng();
        let second = number % 2 == 0;
        let shape = toys::SHAPES[(number / 2) % if second { 2 } else { 4 }];
        let model = model(&mut rng, shape, if second { Order::Second } else { Order::First });
        let n_words = 1 + rng.below(12);
        let any_shape = number % 5 == 0;
        let of = if any_shape { toys::SHAPES[3] } else { shape };
        let possible = toys::said(&mut rng, n_words, of, 0.25);
        let sentence = toys::sentence(&mut rng, n_words);
        let decode = if number % 3 == 0 { Decode::Best } else { Decode::Mbr };
        let options = ParseOptions { decode, n_best: 3, posteriors: true, ..ParseOptions::default() };
        let parsed = model.parse(&sentence, Some(&possible), &options, &mut workspace);
        assert!(parsed.honoured, "{number}");
        check_honoured(&parsed, &possible, shape);
        // Trees of another shape are built only where something was demanded that this one cannot have.
        let left_out: Vec<bool> = (0..=n_words).map(|w| w > 0 && possible.left_out(w)).collect();
        let heads: Vec<usize> = (1..=n_words).map(|word| parsed.heads.head(word)).collect();
        if !shape.admits(&heads, &left_out) {
            assert!(any_shape, "{number}");
            n_loose += 1;
        }
    }
    assert!(n_loose > 10, "{n_loose}");
}

#[test]
fn brackets_without_heads_are_honoured_however_many_there_are() {
    let mut workspace = Workspace::default();
    let mut n_inexact = 0;
    for number in 0..60 {
        let mut rng = Stream::new(23).item(number).rng();
        let second = number % 2 == 0;
        let shape = toys::SHAPES[(number / 2) % if second { 2 } else { 4 }];
        let model = model(&mut rng, shape, if second { Order::Second } else { Order::First });
        let n_words = 14;
        let kept: Vec<usize> = (1..=n_words).collect();
        let heads = toys::as_heads(&toys::tree(&mut rng, &kept, n_words, shape));
        let mut said = PartialTree::new(n_words);
        for word in 1..=n_words {
            let members: Vec<usize> =
                kept.iter().copied().filter(|&other| heads.dominates(word, other)).collect();
            if members.len() > 1 {
                let members = members.into_iter().map(Node::Word).collect();
                let kind = GroupKind::Bracket { members, head: None };
                said.groups.push(Group { kind, place: Place::default() });
            }
        }
        let possible = Possible::new(&said, &Reading::default()).unwrap();
        n_inexact += usize::from(!possible.arc_cases().1);
        let options = ParseOptions { n_best: 60, ..ParseOptions::default() };
        let sentence = toys::sentence(&mut rng, n_words);
        let parsed = model.parse(&sentence, Some(&possible), &options, &mut workspace);
        assert!(parsed.honoured && possible.admits(&parsed.heads), "{number}");
        assert!(parsed.n_best.iter().all(|ranked| possible.admits(&ranked.heads)), "{number}");
    }
    assert!(n_inexact > 10, "{n_inexact}");
}

#[test]
fn the_best_tree_and_the_most_probable_heads_survive_pruning() {
    let templates = toys::templates();
    for number in 0..200 {
        let mut rng = Stream::new(22).item(number).rng();
        let n_words = 2 + rng.below(9);
        let words = Attributes::new(&toys::sentence(&mut rng, n_words), TagColumn::Upos);
        let mut scratch = FirstOrderScratch::default();
        let table = toys::table(&mut rng, 9, 1, 1.5);
        PartFeatures::new(&templates, &words).arcs.score(&table, |_| false, &mut scratch.scores);
        let (shape, pruning) = (toys::SHAPES[number % 4], Pruning { threshold: 0.05, heads: 3 });
        let mut arcs = pruning.arcs(&scratch.scores, shape, &mut scratch.engines).unwrap();
        let best = shape.best(&mut scratch.engines, &scratch.scores).unwrap();
        let (_, marginals) = shape.marginals(&mut scratch.engines, &scratch.scores).unwrap();
        arcs.sort_unstable();
        arcs.dedup();
        for word in 1..=n_words {
            let kept: Vec<usize> = arcs.iter().filter(|arc| arc.1 == word).map(|arc| arc.0).collect();
            assert!(kept.contains(&best.head(word)) && kept.len() <= 4);
            let row = marginals.row(word);
            let largest = row.iter().copied().fold(0.0, f64::max);
            let better = |p: f64| row.iter().filter(|&&other| other > p).count();
            for head in (0..=n_words).filter(|&head| head != word) {
                let is_good = row[head] >= 0.05 * largest && better(row[head]) < 3;
                assert_eq!(kept.contains(&head), is_good || best.head(word) == head);
            }
        }
    }
}

#[test]
fn what_was_said_survives_pruning_in_training() {
    let templates = toys::templates();
    for number in 0..200 {
        let mut rng = Stream::new(24).item(number).rng();
        let (shape, n_words) = (toys::SHAPES[number % 2], 2 + rng.below(8));
        let possible = toys::said(&mut rng, n_words, shape, [0.3, 1.0][number / 2 % 2]);
        let words = toys::attributes(&mut rng, n_words);
        let Some((example, _)) = Example::new(words, &possible, shape, Vec::new(), 1.0) else { continue };
        let (arcs, second) = (toys::table(&mut rng, 9, 1, 2.0), toys::table(&mut rng, 9, 1, 2.0));
        let mut scratch = second_order::SecondOrderScratch::default();
        let features = PartFeatures::new(&templates, &example.words);
        features.arcs.score(&arcs, |word| example.left_out[word], &mut scratch.first.scores);
        let pruning = Pruning { threshold: 0.9, heads: 1 };
        let left = pruning.of_example(&example, shape, &mut scratch.first).unwrap();
        for word in 1..=n_words {
            if let Some(head) = possible.whole().required_head(word) {
                assert!(left.contains(&(head, word)), "{number}: {head} → {word}");
            }
        }
        let gradient = second_order::gradient(&example, &left, &templates, &second, shape, &mut scratch);
        assert!(gradient.is_some_and(|gradient| gradient.loss >= -1e-9), "{number}");
    }
}

#[test]
fn the_tree_goes_by_the_probabilities_that_are_printed_where_these_are_surer_than_scores() {
    let mut n_changed = 0;
    for number in 0..60 {
        let mut rng = Stream::new(29).item(number).rng();
        let cold = DependencyModel { temperature: 0.3, ..model(&mut rng, toys::SHAPES[0], Order::First) };
        let warm = DependencyModel { temperature: 1.0, ..cold.clone() };
        let sentence = toys::sentence(&mut rng, 5);
        let options = ParseOptions { n_best: 1000, posteriors: true, ..ParseOptions::default() };
        let parse =
            |model: &DependencyModel| model.parse(&sentence, None, &options, &mut Workspace::default());
        let (parsed, other) = (parse(&cold), parse(&warm));
        // Expected right arcs: Σ over words of the posterior of the arc.
        let posteriors = parsed.posteriors.as_ref().unwrap();
        let expected =
            |heads: &Heads| -> f64 { (1..=5).map(|word| posteriors.of(heads.head(word), word)).sum() };
        for ranked in &parsed.n_best {
            assert!(expected(&ranked.heads) <= expected(&parsed.heads) + 1e-9, "{number}");
        }
        n_changed += usize::from(parsed.heads != other.heads);
    }
    assert!(n_changed > 3, "{n_changed}");
}
