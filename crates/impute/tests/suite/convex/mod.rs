//! ConvexMST from outside: annotations, threads, files.

mod long;
mod watching;

use std::num::NonZeroUsize;

use arcs::Roots;
use chain::{Rng, Stream, Threads, Workers};
use impute::Fragment;
use impute::convex::{self, ConvexModel, ConvexOptions, FeatureOptions};
use tree::Possible;
use tree::{Arc, BracketReading, Group, GroupKind, Heads, Node, PartialTree, Place, Reading, Text};

const TAGS: [&str; 5] = ["DET", "NOUN", "VERB", "ADP", "ADJ"];

fn random_tree(rng: &mut Rng, n: usize) -> Heads {
    let mut order: Vec<usize> = (1..=n).collect();
    rng.shuffle(&mut order);
    let mut heads = vec![0; n];
    for (rank, &word) in order.iter().enumerate().skip(1) {
        heads[word - 1] = order[rng.below(rank)] as u32;
    }
    Heads::new(heads).unwrap()
}

/// Some arcs of a random tree, and some of its subtrees as brackets with and without heads.
fn random_fragment(rng: &mut Rng, reading: &Reading) -> Fragment {
    let n = 1 + rng.below(8);
    let heads = random_tree(rng, n);
    let mut said = PartialTree::new(n);
    for word in 1..=n {
        let place = Place::default();
        if rng.uniform() < 0.3 {
            match heads.head(word) {
                0 => said.roots.push((Node::Word(word), place)),
                head => said.arcs.push(Arc { head: Node::Word(head), dependent: Node::Word(word), place }),
            }
        }
        let below: Vec<usize> = (1..=n).filter(|&other| heads.dominates(word, other)).collect();
        if below.len() > 1 && rng.uniform() < 0.3 {
            let members = below.into_iter().map(Node::Word).collect();
            let head = (rng.uniform() < 0.5).then_some(Node::Word(word));
            said.groups.push(Group { kind: GroupKind::Bracket { members, head }, place });
        }
    }
    let tags: Vec<Text> = (0..n).map(|_| TAGS[rng.below(TAGS.len())].into()).collect();
    let possible = Possible::new(&said, reading).unwrap();
    assert!(possible.admits(&heads));
    Fragment { forms: tags.clone(), tags, possible }
}

fn fragments(n: usize, seed: u64, reading: &Reading) -> Vec<Fragment> {
    let mut rng = Stream::new(seed).rng();
    (0..n).map(|_| random_fragment(&mut rng, reading)).collect()
}

fn quick() -> ConvexOptions {
    ConvexOptions { max_iterations: 8, temperature: Some(0.1), ..ConvexOptions::default() }
}

#[test]
fn no_completion_ever_contradicts_the_annotation() {
    let readings = [BracketReading::Subtree, BracketReading::Connected];
    for (brackets, projective, roots) in readings.into_iter().flat_map(|brackets| {
        [(brackets, true, Roots::One), (brackets, false, Roots::One), (brackets, true, Roots::Many)]
    }) {
        let reading = Reading { brackets, ..Reading::default() };
        let fragments = fragments(500, 3, &reading);
        let options = ConvexOptions { projective, roots, ..quick() };
        let model = convex::train(&fragments[..60], &options, &Workers::serial()).model;
        for (i, fragment) in fragments.iter().enumerate() {
            let completed = model.complete(fragment);
            assert!(fragment.possible.admits(&completed.heads), "{brackets:?} sentence {i}: {completed:?}");
            for word in 1..=fragment.len() {
                let row = completed.posteriors.row(word);
                assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-6, "sentence {i}, word {word}: {row:?}");
                for (head, &p) in row.iter().enumerate() {
                    assert!(p == 0.0 || fragment.possible.allows_arc(head, word), "sentence {i}");
                }
            }
        }
    }
}

#[test]
fn a_soft_annotation_can_be_overruled_and_a_strong_one_is_not() {
    let fragments = fragments(60, 5, &Reading::default());
    let kept = |xi: f64| {
        let options = ConvexOptions { hard: false, xi, ..quick() };
        let model = convex::train(&fragments, &options, &Workers::serial()).model;
        let agree = |fragment: &&Fragment| fragment.possible.whole().admits(&model.complete(fragment).heads);
        fragments.iter().filter(agree).count()
    };
    assert!(kept(0.0) < kept(10.0), "{} {}", kept(0.0), kept(10.0));
}

#[test]
fn the_result_has_the_same_bits_at_any_number_of_threads() {
    let fragments = fragments(200, 7, &Reading::default());
    let options = ConvexOptions { temperature: None, ..quick() };
    let run = |threads: usize| {
        let workers = Workers::new(Threads::Exactly(NonZeroUsize::new(threads).unwrap())).unwrap();
        let trained = convex::train(&fragments, &options, &workers);
        let weights: Vec<(String, u64)> =
            trained.model.weights().map(|(name, w)| (name, w.to_bits())).collect();
        (weights, trained.progress, trained.model.scalings, trained.model.complete_all(&fragments, &workers))
    };
    let one = run(1);
    assert_eq!(one, run(2));
    assert_eq!(one, run(4));
}

#[test]
fn a_model_comes_back_from_its_file() {
    let fragments = fragments(40, 9, &Reading::default());
    let mut model = convex::train(&fragments, &quick(), &Workers::serial()).model;
    model.notes.insert("why".to_owned(), "a test".to_owned());
    let path = std::env::temp_dir().join(format!("convex-round-trip-{}.model", std::process::id()));
    model.write(&path).unwrap();
    let read = ConvexModel::read(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(read.notes, model.notes);
    assert_eq!(read.options, model.options);
    assert!(read.weights().eq(model.weights()));
    for fragment in &fragments {
        assert_eq!(read.complete(fragment), model.complete(fragment));
        assert_eq!(read.parse(fragment), model.parse(fragment));
    }
}

#[test]
fn a_gap_of_one_in_ten_thousand_is_reached() {
    let fragments = fragments(100, 11, &Reading::default());
    let options =
        ConvexOptions { gap: 1e-4, max_iterations: 2000, features: FeatureOptions::tags(), ..quick() };
    let progress = convex::train(&fragments, &options, &Workers::serial()).progress;
    assert!(progress.last().unwrap().gap <= 1e-4, "{:?}", progress.last());
}

#[test]
fn sentences_without_words_and_words_never_seen_do_no_harm() {
    let empty = Fragment { forms: Vec::new(), tags: Vec::new(), possible: Possible::everything(0) };
    let model = convex::train(&[], &quick(), &Workers::serial()).model;
    assert_eq!(model.complete(&empty).heads.len(), 0);
    let model = convex::train(std::slice::from_ref(&empty), &quick(), &Workers::serial()).model;
    let strange = Fragment {
        forms: vec!["a".into(), "b".into()],
        tags: vec!["?".into(), "!".into()],
        possible: Possible::everything(2),
    };
    assert_eq!(model.complete(&strange).heads.len(), 2);
}
