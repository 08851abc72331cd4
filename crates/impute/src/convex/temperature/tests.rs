use std::num::NonZeroUsize;

use arcs::{Roots, projective_marginals};
use chain::{Rng, Threads};
use num::dist;
use tree::{Arc, Heads, Node, PartialTree, Place, Reading, Text};

use super::*;
use crate::convex::FeatureOptions;

const TAGS: [&str; 4] = ["DET", "NOUN", "VERB", "ADP"];

fn free(rng: &mut Rng, n_words: usize) -> Fragment {
    let tags: Vec<Text> = (0..n_words).map(|_| TAGS[rng.below(4)].into()).collect();
    let forms = (0..n_words).map(|_| Text::from(format!("w{}", rng.below(1_000_000)))).collect();
    Fragment { forms, tags, possible: Possible::everything(n_words) }
}

/// Sentences of which some heads are told, mostly the word before.
fn annotated(rng: &mut Rng, n_words: usize) -> Fragment {
    let fragment = free(rng, n_words);
    let words: Vec<usize> = (1..=n_words).filter(|_| rng.bernoulli(0.7)).collect();
    let arcs: Vec<(usize, usize)> = words.into_iter().map(|word| (told_head(rng, word), word)).collect();
    Fragment { possible: with_heads(n_words, &arcs).unwrap(), ..fragment }
}

fn told_head(rng: &mut Rng, word: usize) -> usize {
    if rng.bernoulli(0.5) { word - 1 } else { rng.below(word) }
}

/// Arcs, as (head, dependent), and nothing else.
fn with_heads(n_words: usize, arcs: &[(usize, usize)]) -> Option<Possible> {
    let mut said = PartialTree::new(n_words);
    for &(head, dependent) in arcs {
        let (dependent, place) = (Node::Word(dependent), Place::default());
        match head {
            0 => said.roots.push((dependent, place)),
            _ => said.arcs.push(Arc { head: Node::Word(head), dependent, place }),
        }
    }
    Possible::new(&said, &Reading::default()).ok()
}

fn fitted(fragments: &[Fragment], options: &ConvexOptions, workers: &Workers) -> Scalings {
    fit(fragments, options, workers, &mut Watch::nobody()).unwrap()
}

fn best_of(folds: &[Fold], held: impl Fn(&Fold) -> &[Held] + Copy, workers: &Workers) -> Option<f64> {
    let all: Vec<(&ConvexModel, &Held)> = each(folds, held).collect();
    best(&all, workers, &mut Watch::nobody()).unwrap()
}

fn options() -> ConvexOptions {
    let features = FeatureOptions { neighbours: false, between: false, words: 0, suffixes: 0 };
    ConvexOptions { features, max_iterations: 5, ..ConvexOptions::default() }
}

fn model(rng: &mut Rng) -> ConvexModel {
    let some: Vec<Fragment> = (0..30).map(|_| annotated(rng, 5)).collect();
    train_at(&some, &options(), Scalings::at(DEFAULT), &Workers::serial(), &mut Watch::nobody())
        .unwrap()
        .model
}

/// All projective trees of so many words with one root.
fn trees(n_words: usize) -> Vec<Heads> {
    let width = n_words as u32 + 1;
    let list = |mut code: u32| {
        let mut heads = Vec::new();
        (0..n_words).for_each(|_| {
            heads.push(code % width);
            code /= width;
        });
        heads
    };
    let trees = (0..width.pow(n_words as u32)).filter_map(|code| Heads::new(list(code)).ok());
    trees.filter(|tree| tree.is_projective() && tree.n_roots() == 1).collect()
}

/// A tree in proportion to exp(score / T).
fn draw(model: &ConvexModel, fragment: &Fragment, trees: &[Heads], t: f64, rng: &mut Rng) -> Heads {
    let scratch = &mut TreeScratch::default();
    model.fill_scores(fragment, &model.rules(), 1.0, scratch);
    let scores: Vec<f64> = trees.iter().map(|tree| scratch.scores.of_tree(tree) / t).collect();
    trees[dist::log_categorical(rng, &scores).unwrap()].clone()
}

/// Sentences whose trees are drawn at a temperature; so many of each one's arcs are told.
fn planted(model: &ConvexModel, n: usize, t: f64, n_told: usize, rng: &mut Rng) -> Vec<Held> {
    let trees = trees(4);
    (0..n)
        .map(|_| {
            let fragment = free(rng, 4);
            let tree = draw(model, &fragment, &trees, t, rng);
            let mut arcs: Vec<(usize, usize)> = (1..=4).map(|word| (tree.head(word), word)).collect();
            rng.shuffle(&mut arcs);
            let hidden = arcs.split_off(n_told);
            let possible = with_heads(4, &arcs).unwrap();
            Held { at: 0, fragment: Fragment { possible, ..fragment }, hidden }
        })
        .collect()
}

#[test]
fn the_temperature_that_trees_were_drawn_at_is_found() {
    let rng = &mut Stream::new(1).rng();
    let model = model(rng);
    for (of_free, of_annotated) in [(0.2, 0.6), (0.8, 0.3)] {
        let free = planted(&model, 1500, of_free, 0, rng);
        let annotated = planted(&model, 1500, of_annotated, 1, rng);
        let folds = [Fold { model: model.clone(), free, annotated }];
        let workers = Workers::serial();
        let found =
            [best_of(&folds, |fold| &fold.free, &workers), best_of(&folds, |fold| &fold.annotated, &workers)];
        for (found, planted) in found.into_iter().zip([of_free, of_annotated]) {
            let found = found.unwrap();
            assert!((found / planted - 1.0).abs() < 0.15, "{found} for {planted}");
        }
    }
}

#[test]
fn trees_that_are_drawn_as_probable_as_they_seem_need_no_other_confidence() {
    let rng = &mut Stream::new(8).rng();
    let model = model(rng);
    let held = planted(&model, 3000, 0.3, 1, rng);
    let all: Vec<(&ConvexModel, &Held)> = held.iter().map(|held| (&model, held)).collect();
    let found = scaling(&all, None, &Workers::serial(), &mut Watch::nobody()).unwrap().unwrap();
    for confidence in [0.2, 0.4, 0.6, 0.8, 0.95] {
        let corrected = found.confidence.of(confidence);
        assert!((corrected - confidence).abs() < 0.04, "{corrected} for {confidence}: {found:?}");
    }
}

#[test]
fn probabilities_are_those_of_scores_divided_by_the_temperature() {
    let rng = &mut Stream::new(2).rng();
    let mut model = model(rng);
    model.scalings = Scalings { free: Scaling::at(0.2), annotated: Scaling::at(1.5) };
    let half = Fragment { possible: with_heads(6, &[(1, 2), (5, 4)]).unwrap(), ..free(rng, 6) };
    for (fragment, t) in [(free(rng, 6), 0.2), (half, 1.5)] {
        let scratch = &mut TreeScratch::default();
        model.fill_scores(&fragment, &model.rules(), 1.0, scratch);
        let mut scores = scratch.scores.clone();
        (1..=6).for_each(|word| scores.row_mut(word).iter_mut().for_each(|score| *score /= t));
        scores.restrict(fragment.possible.whole());
        let (_, expected) = projective_marginals(&scores, Roots::One).unwrap();
        let found = model.complete(&fragment).posteriors;
        for word in 1..=6 {
            let pairs = found.row(word).iter().zip(expected.row(word));
            assert!(pairs.into_iter().all(|(a, b)| (a - b).abs() < 1e-9), "word {word} at {t}");
        }
        // A tree stays the best at any temperature.
        let at_one = ConvexModel { scalings: Scalings::at(1.0), ..model.clone() };
        assert_eq!(at_one.complete(&fragment).heads, model.complete(&fragment).heads);
        assert!(at_one.complete(&fragment).posteriors != found);
    }
}

#[test]
fn without_annotation_or_with_little_the_temperature_is_the_default() {
    let rng = &mut Stream::new(3).rng();
    let default = Scalings::at(DEFAULT);
    let workers = Workers::serial();
    assert_eq!(fitted(&[], &options(), &workers), default);
    let unsaid: Vec<Fragment> = (0..20).map(|length| free(rng, length % 7)).collect();
    assert_eq!(fitted(&unsaid, &options(), &workers), default);
    assert_eq!(fitted(&[annotated(rng, 8)], &options(), &workers), default);
    assert_eq!(fitted(&[annotated(rng, 1)], &options(), &workers), default);
}

#[test]
fn a_temperature_is_fitted_on_no_fewer_arcs_than_the_fewest() {
    let rng = &mut Stream::new(4).rng();
    let model = model(rng);
    let fold = |n_arcs: usize, rng: &mut Rng| {
        let mut free = planted(&model, n_arcs.div_ceil(4), 0.1, 0, rng);
        free.last_mut().unwrap().hidden.truncate(4 - (4 - n_arcs % 4) % 4);
        assert_eq!(free.iter().map(|held| held.hidden.len()).sum::<usize>(), n_arcs);
        Fold { model: model.clone(), free, annotated: Vec::new() }
    };
    let workers = Workers::serial();
    assert!(best_of(&[fold(FEWEST - 1, rng)], |fold| &fold.free, &workers).is_none());
    assert!(best_of(&[fold(FEWEST, rng)], |fold| &fold.free, &workers).is_some());
    // Folds count together, and what is of the other kind does not.
    let folds = [fold(FEWEST - 1, rng), fold(1, rng)];
    assert!(best_of(&folds, |fold| &fold.free, &workers).is_some());
    assert!(best_of(&folds, |fold| &fold.annotated, &workers).is_none());
}

#[test]
fn what_is_hidden_is_said_and_not_told() {
    let rng = &mut Stream::new(5).rng();
    let fragments: Vec<Fragment> =
        (0..60).map(|at| if at % 3 == 0 { free(rng, 6) } else { annotated(rng, 6) }).collect();
    let workers = Workers::serial();
    let with_arcs = fragments.iter().filter(|fragment| !said(fragment).is_empty()).count();
    let mut seen: Vec<(Vec<Text>, (usize, usize))> = Vec::new();
    for number in 0..FOLDS {
        let fold = Parted::new(number, &fragments).unwrap();
        let fold = fold.train(&options(), &workers, &mut Watch::nobody()).unwrap();
        assert!(fold.free.len().abs_diff(with_arcs / HELD_OUT) <= 1 && !fold.annotated.is_empty());
        for held in &fold.free {
            let original = fragments.iter().find(|fragment| fragment.forms == held.fragment.forms).unwrap();
            assert!(held.fragment.possible.is_free() && held.hidden == said(original));
        }
        for held in &fold.annotated {
            let original = fragments.iter().find(|fragment| fragment.forms == held.fragment.forms).unwrap();
            let told = said(&held.fragment);
            assert!(!held.hidden.is_empty() && !told.is_empty());
            assert!(held.hidden.iter().all(|arc| said(original).contains(arc)));
            assert_eq!(held.fragment.possible.whole().brackets().len(), 0);
            seen.extend(held.hidden.iter().map(|&arc| (held.fragment.forms.clone(), arc)));
        }
        // The model is that of what is left.
        let rest: Vec<Fragment> = fragments
            .iter()
            .map(|fragment| {
                let mut held = fold.free.iter().chain(&fold.annotated);
                held.find(|held| held.fragment.forms == fragment.forms)
                    .map_or(fragment.clone(), |held| held.fragment.clone())
            })
            .collect();
        let weights = |fragments: &[Fragment]| {
            let nobody = &mut Watch::nobody();
            train_at(fragments, &options(), Scalings::at(DEFAULT), &workers, nobody).unwrap().model.weights
        };
        assert_eq!(fold.model.weights, weights(&rest));
        assert_ne!(fold.model.weights, weights(&fragments));
    }
    // One by one, all but one of the arcs that were said are told.
    for held in &Parted::new(0, &fragments).unwrap().annotated {
        for arc in 0..held.hidden.len() {
            let Some(one) = held.alone(arc, &fragments) else { continue };
            assert_eq!(one.hidden, [held.hidden[arc]]);
            let mut told = one.fragment.possible.said_heads();
            told.extend(one.hidden);
            told.sort_unstable();
            let mut all = fragments[held.at].possible.said_heads();
            all.sort_unstable();
            assert_eq!(told, all);
        }
    }
    // No arc is hidden by two folds.
    let n_seen = seen.len();
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), n_seen);
}

#[test]
fn fitted_temperatures_have_the_same_bits_at_any_number_of_threads() {
    let rng = &mut Stream::new(6).rng();
    let fragments: Vec<Fragment> = (0..80).map(|_| annotated(rng, 7)).collect();
    let run = |threads: usize| {
        let workers = Workers::new(Threads::Exactly(NonZeroUsize::new(threads).unwrap())).unwrap();
        let found = fitted(&fragments, &options(), &workers);
        let bits = |Scaling { temperature, confidence }: Scaling| {
            [temperature, confidence.shift, confidence.right, confidence.wrong].map(f64::to_bits)
        };
        (bits(found.free), bits(found.annotated))
    };
    let (default, one) = (DEFAULT.to_bits(), run(1));
    assert!(one.0[0] != default && one.1[0] != default && one.0[0] != one.1[0], "{one:?}");
    assert_eq!(one, run(2));
    assert_eq!(one, run(4));
}

#[test]
fn hiding_arcs_keeps_brackets_and_words_that_are_left_out() {
    let place = Place::default();
    let arc = |head: usize, dependent: usize| Arc {
        head: Node::Word(head),
        dependent: Node::Word(dependent),
        place,
    };
    let bracket = |words: &[usize], head: Option<usize>| {
        let members = words.iter().map(|&word| Node::Word(word)).collect();
        tree::Group { kind: tree::GroupKind::Bracket { members, head: head.map(Node::Word) }, place }
    };
    let mut said = PartialTree::new(9);
    said.groups = vec![bracket(&[1, 2, 3], None), bracket(&[4, 5], Some(5))];
    said.arcs = vec![arc(5, 2), arc(7, 5), arc(8, 7)];
    said.roots = vec![(Node::Word(8), place)];
    // Words 6 and 9 are not mentioned, and the fourth has its head from a bracket.
    let reading = Reading { omit_unmentioned: true, ..Reading::default() };
    let possible = Possible::new(&said, &reading).unwrap();
    let fragment = Fragment { possible, ..free(&mut Stream::new(7).rng(), 9) };
    let mut seen = Vec::new();
    for (fold, at) in (0..FOLDS).flat_map(|fold| (0..40).map(move |at| (fold, at))) {
        let Some(held) = hide(&fragment, fold, at) else { continue };
        let whole = held.fragment.possible.whole();
        assert_eq!(whole.brackets().len(), 2);
        assert_eq!(whole.left_out(), [6, 9]);
        assert_eq!(whole.required_head(4), Some(5));
        for (head, dependent) in [(5, 2), (7, 5), (8, 7), (0, 8)] {
            let is_hidden = held.hidden.contains(&(head, dependent));
            assert_eq!(whole.required_head(dependent) == Some(head), !is_hidden, "{:?}", held.hidden);
        }
        seen.extend(held.hidden);
    }
    // That the eighth is the root follows as long as the others are known, and then it is not hidden.
    assert!([(5, 2), (7, 5), (8, 7)].iter().all(|arc| seen.contains(arc)), "{seen:?}");
}

/// The guesses of a model as it is used at a temperature, but for the correction of confidence.
fn guesses_in_use(model: &ConvexModel, held: &Held, temperature: f64) -> Vec<Guess> {
    let model = ConvexModel { scalings: Scalings::at(temperature), ..model.clone() };
    let posteriors = &model.complete(&held.fragment).posteriors;
    let hidden = held.hidden.iter();
    hidden.map(|&(head, dependent)| calibrate::Held { posteriors, dependent, head }.guess()).collect()
}

#[test]
fn the_confidence_is_fitted_at_the_temperature_it_is_used_at() {
    let rng = &mut Stream::new(9).rng();
    let fragments: Vec<Fragment> = (0..120).map(|_| annotated(rng, 6)).collect();
    let workers = Workers::serial();
    let found = fitted(&fragments, &options(), &workers);
    let folds: Vec<Fold> = (0..FOLDS)
        .map(|number| {
            let parted = Parted::new(number, &fragments).unwrap();
            parted.train(&options(), &workers, &mut Watch::nobody()).unwrap()
        })
        .collect();
    let free = each(&folds, |fold| &fold.free);
    let of_free: Vec<Guess> =
        free.flat_map(|(model, held)| guesses_in_use(model, held, found.free.temperature)).collect();
    assert_eq!(found.free.confidence, Confidence::fit(&of_free));
    // Of sentences with annotation, one arc is open at a time.
    let mut of_annotated = Vec::new();
    for (model, held) in each(&folds, |fold| &fold.annotated) {
        let alone = (0..held.hidden.len()).filter_map(|arc| held.alone(arc, &fragments));
        of_annotated.extend(alone.flat_map(|one| guesses_in_use(model, &one, found.annotated.temperature)));
    }
    assert_eq!(found.annotated.confidence, Confidence::fit(&of_annotated));
    // Neither is one that corrects nothing, nor are they alike, nor the temperatures, so that none stands for another.
    assert!(
        found.free.confidence != Confidence::default() && found.annotated.confidence != Confidence::default()
    );
    assert!(found.free.temperature != found.annotated.temperature && found.free.temperature != DEFAULT);
    assert!(found.annotated.temperature != DEFAULT);
}
