//! Threads, interruptions and checkpoints.

use std::ops::ControlFlow;

use dependency::{
    Annotated, Columns, DependencyModel, DependencyOptions, Epoch, LearnError, Learner, Order, Stage,
};
use features::Codebook;
use tree::{PartialTree, Reading, Sentence};

use crate::toy_language::{annotated, bytes_of, quick, sentence, sentences, train, workers};

/// A training with a checkpoint after every epoch.
fn watched(
    data: &[Annotated],
    dev: &[Sentence],
    options: &DependencyOptions,
    n_threads: usize,
    checkpoint: Option<&[u8]>,
) -> (DependencyModel, Vec<(Epoch, Vec<u8>)>) {
    let workers = workers(n_threads);
    let mut learner = Learner::new(data, dev, None, options, &workers).unwrap();
    checkpoint.into_iter().for_each(|bytes| learner.resume(bytes).unwrap());
    let mut seen = Vec::new();
    let mut watch = |epoch: &Epoch, save: &dyn Fn() -> Vec<u8>| {
        seen.push((*epoch, save()));
        ControlFlow::Continue(())
    };
    (learner.run(&workers, &mut watch).unwrap().unwrap(), seen)
}

/// Some of the heads only, sentences that count more than others, and one with a bracket.
fn mixed(n: usize, seed: u64) -> Vec<Annotated> {
    let mut sentences = sentences(n, seed);
    for (number, sentence) in sentences.iter_mut().enumerate() {
        for (at, token) in sentence.words_mut().enumerate() {
            if (number + at) % 4 == 0 && number % 2 == 0 {
                token.head = tree::Head::read("_");
            }
        }
    }
    let mut data = annotated(&sentences);
    data.iter_mut().step_by(3).for_each(|item| item.weight = 0.5);
    let mut said = PartialTree::new(data[1].sentence.n_words());
    let members = vec![tree::Node::Word(1), tree::Node::Word(2)];
    let kind = tree::GroupKind::Bracket { members, head: None };
    said.groups.push(tree::Group { kind, place: tree::Place::default() });
    data[1].possible = tree::Possible::new(&said, &Reading::default()).unwrap();
    data
}

#[test]
fn threads_make_no_difference_to_a_single_byte() {
    for order in [Order::First, Order::Second] {
        let (data, options) = (mixed(60, 1), quick(order));
        let bytes = |n_threads: usize| {
            let (model, seen) = watched(&data, &[], &options, n_threads, None);
            let checkpoint = seen.into_iter().next_back().unwrap().1;
            (bytes_of(&model), checkpoint)
        };
        let one = bytes(1);
        assert!(one == bytes(2) && one == bytes(4), "{order:?}");
    }
}

fn check_resuming(n: usize, dev: &[Sentence], options: &DependencyOptions) {
    let data = mixed(n, 2);
    let (model, seen) = watched(&data, dev, options, 2, None);
    let straight = bytes_of(&model);
    assert_eq!(seen.iter().any(|(epoch, _)| epoch.rehearsal), dev.is_empty() && n >= 50);
    for (number, (_, checkpoint)) in seen.iter().enumerate() {
        let (model, rest) = watched(&data, dev, options, 1 + number % 2, Some(checkpoint));
        assert!(bytes_of(&model) == straight, "after epoch {number}");
        let of = |(epoch, _): &(Epoch, Vec<u8>)| {
            (epoch.rehearsal, epoch.stage, epoch.done, epoch.loss.to_bits(), epoch.accuracy)
        };
        let expected: Vec<_> = seen[number + 1..].iter().map(of).collect();
        assert_eq!(rest.iter().map(of).collect::<Vec<_>>(), expected, "after epoch {number}");
    }
}

#[test]
fn a_training_that_was_stopped_after_any_epoch_ends_as_if_it_had_not_been() {
    for order in [Order::First, Order::Second] {
        let options = quick(order);
        check_resuming(20, &[], &options);
    }
}

#[test]
fn a_training_that_was_stopped_in_or_after_its_rehearsal_ends_as_if_it_had_not_been() {
    for order in [Order::First, Order::Second] {
        let options = quick(order);
        check_resuming(55, &[], &options);
    }
}

#[test]
fn a_training_with_other_text_that_was_stopped_ends_as_if_it_had_not_been() {
    let dev = sentences(12, 5);
    for order in [Order::First, Order::Second] {
        let options = DependencyOptions { ensemble: 2, ..quick(order) };
        check_resuming(20, &dev, &options);
    }
}

#[test]
fn an_ensemble_that_was_stopped_ends_as_if_it_had_not_been() {
    let options = DependencyOptions { ensemble: 2, ..quick(Order::Second) };
    check_resuming(52, &[], &options);
}

#[test]
fn who_watches_can_end_it() {
    let (data, options, workers) = (mixed(8, 1), quick(Order::First), workers(1));
    let learner = Learner::new(&data, &[], None, &options, &workers).unwrap();
    let mut n_epochs = 0;
    let mut watch = |_: &Epoch, _: &dyn Fn() -> Vec<u8>| {
        n_epochs += 1;
        if n_epochs == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    assert!(learner.run(&workers, &mut watch).unwrap().is_none());
    assert_eq!(n_epochs, 2);
}

#[test]
fn damaged_checkpoints_are_refused() {
    let (data, options, workers) = (mixed(8, 1), quick(Order::First), workers(1));
    let (_, seen) = watched(&data, &[], &options, 1, None);
    let good = &seen[1].1;
    let mut learner = Learner::new(&data, &[], None, &options, &workers).unwrap();
    for at in (0..good.len()).step_by(1 + good.len() / 200) {
        let mut bytes = good.clone();
        bytes[at] ^= 0x10;
        assert!(matches!(learner.resume(&bytes), Err(LearnError::Checkpoint(_))), "byte {at}");
        assert!(matches!(learner.resume(&good[..at]), Err(LearnError::Checkpoint(_))), "cut at {at}");
    }
    learner.resume(good).unwrap();
}

#[test]
fn checkpoints_of_other_data_or_settings_are_refused() {
    let (data, dev, workers) = (mixed(8, 1), sentences(3, 9), workers(1));
    let options = quick(Order::First);
    let (start, seen) = watched(&data, &dev, &options, 1, None);
    let checkpoint = &seen[0].1;
    let refused = |data: &[Annotated], dev: &[Sentence], start, options: &DependencyOptions| {
        let mut learner = Learner::new(data, dev, start, options, &workers).unwrap();
        matches!(learner.resume(checkpoint), Err(LearnError::Checkpoint(why)) if why.contains("other data"))
    };
    assert!(!refused(&data, &dev, None, &options));
    assert!(refused(&data[..7], &dev, None, &options));
    assert!(refused(&data, &dev[..2], None, &options));
    assert!(refused(&data, &dev, Some(&start), &options));
    for change in [
        |item: &mut Annotated| item.weight = 2.0,
        |item: &mut Annotated| item.sentence.words_mut().for_each(|token| token.form = "x".into()),
        |item: &mut Annotated| item.sentence.words_mut().for_each(|token| token.deprel = "x".into()),
        |item: &mut Annotated| {
            item.possible = tree::Possible::everything(item.sentence.n_words());
        },
    ] {
        let mut data = data.clone();
        change(&mut data[3]);
        assert!(refused(&data, &dev, None, &options));
    }
    let mut other = dev.clone();
    other[0].words_mut().for_each(|token| token.head = tree::Head::read("0"));
    assert!(refused(&data, &other, None, &options));
    for options in [
        DependencyOptions { seed: 1, ..options.clone() },
        DependencyOptions { bits: 13, ..options.clone() },
        DependencyOptions { order: Order::Second, ..options.clone() },
        DependencyOptions { ensemble: 2, ..options.clone() },
        DependencyOptions { columns: Columns { feats: true, other_tags: false }, ..options.clone() },
        DependencyOptions { clusters: Some(Codebook::new([("noun1", "01")], 99)), ..options.clone() },
        DependencyOptions { vectors: Some(Codebook::new([("noun1", "01")], 99)), ..options.clone() },
    ] {
        assert!(refused(&data, &dev, None, &options), "{options:?}");
    }
}

#[test]
fn the_weights_that_do_best_on_other_text_are_kept() {
    let (data, dev) = (annotated(&sentences(30, 3)), sentences(20, 4));
    let mut options = quick(Order::First);
    options.first.epochs = 6;
    let (model, seen) = watched(&data, &dev, &options, 1, None);
    let tried: Vec<f64> = seen.iter().filter_map(|(epoch, _)| epoch.accuracy).collect();
    assert_eq!(tried.len(), 6);
    let best = tried.iter().copied().fold(0.0, f64::max);
    let (found, _) = crate::toy_language::accuracy(&model, &dev);
    // Weights are rounded in the end, which may move a head or two.
    assert!((found - best).abs() < 0.02, "{found} {best}");
    assert!(seen.iter().all(|(epoch, _)| epoch.accuracy.is_some() == (epoch.stage == Stage::Arcs)));
}

#[test]
fn there_are_as_many_epochs_as_the_rehearsal_found_good() {
    let mut n_fewer = 0;
    for (order, stage) in [(Order::First, Stage::Arcs), (Order::Second, Stage::Second)] {
        let mut options = quick(order);
        (options.first.epochs, options.second.epochs) = (6, 6);
        let (_, seen) = watched(&mixed(60, 8), &[], &options, 2, None);
        let epochs = |rehearsal: bool| {
            let epochs = seen.iter().map(|(epoch, _)| epoch);
            epochs.filter(move |epoch| epoch.stage == stage && epoch.rehearsal == rehearsal)
        };
        let tried: Vec<f64> = epochs(true).filter_map(|epoch| epoch.accuracy).collect();
        let best = tried.iter().copied().fold(0.0, f64::max);
        let good = 1 + tried.iter().position(|&accuracy| accuracy == best).unwrap();
        assert!(epochs(false).all(|epoch| epoch.total == good && epoch.accuracy.is_none()));
        assert_eq!((tried.len(), epochs(false).count()), (6, good));
        n_fewer += usize::from(good < 6);
    }
    assert!(n_fewer > 0, "the last epoch was always the best, which shows nothing");
}

#[test]
fn epochs_are_chosen_by_held_out_sentences_only_if_most_of_their_heads_are_known() {
    let mut options = quick(Order::Second);
    options.second.epochs = 6;
    for (n_open, chooses) in [(1, true), (2, false)] {
        let mut sentences = sentences(60, 8);
        for (at, token) in sentences.iter_mut().flat_map(Sentence::words_mut).enumerate() {
            if at % 5 < n_open {
                token.head = tree::Head::Open;
            }
        }
        let (_, seen) = watched(&annotated(&sentences), &[], &options, 2, None);
        let second = || seen.iter().map(|(epoch, _)| epoch).filter(|epoch| epoch.stage == Stage::Second);
        assert!(second().filter(|epoch| epoch.rehearsal).all(|epoch| epoch.accuracy.is_some() == chooses));
        let n_final = second().filter(|epoch| !epoch.rehearsal).count();
        assert!(chooses || n_final == 6, "{n_open} of 5 open: {n_final} epochs");
    }
}

#[test]
fn what_is_held_out_is_not_learned_in_the_rehearsal() {
    // Every sentence has words of its own and one of two trees, which nothing but its words can tell.
    let make = |number: usize| {
        let forms: Vec<String> = (0..6).map(|at| format!("w{number}-{at}")).collect();
        let right = (number * number % 7).is_multiple_of(2);
        let head = |at: usize| if right { at } else { (at + 2) % 7 };
        sentence((0..6).map(|at| (forms[at].as_str(), "X", head(at), "_")))
    };
    let data = annotated(&(0..60).map(make).collect::<Vec<_>>());
    let mut options = quick(Order::First);
    (options.templates, options.first.epochs) = ("arc: h.form m.form\narc: m.form\n".to_owned(), 8);
    let (model, seen) = watched(&data, &[], &options, 1, None);
    let tried = seen.iter().filter_map(|(epoch, _)| epoch.accuracy).fold(0.0, f64::max);
    assert!(tried < 0.85, "{tried}");
    let all: Vec<Sentence> = data.into_iter().map(|item| item.sentence).collect();
    let (learned, _) = crate::toy_language::accuracy(&model, &all);
    assert!(learned > 0.95, "{learned}");
}

#[test]
fn losses_fall_and_toy_sentences_are_learned() {
    for order in [Order::First, Order::Second] {
        let data = mixed(80, 6);
        let (model, seen) = watched(&data, &[], &quick(order), 2, None);
        for stage in [Stage::Arcs, Stage::Second, Stage::Relations] {
            let losses: Vec<f64> = seen
                .iter()
                .filter(|(epoch, _)| epoch.stage == stage && !epoch.rehearsal)
                .map(|(epoch, _)| epoch.loss)
                .collect();
            assert_eq!(losses.is_empty(), stage == Stage::Second && order == Order::First);
            assert!(losses.last() <= losses.first(), "{order:?} {stage:?} {losses:?}");
        }
        let (heads, both) = crate::toy_language::accuracy(&model, &sentences(60, 7));
        assert!(heads > 0.93 && both > 0.9, "{order:?} {heads} {both}");
    }
}

#[test]
fn members_of_an_ensemble_see_the_sentences_in_other_orders() {
    let data = mixed(20, 1);
    let one = train(&data, &[], &quick(Order::First)).unwrap();
    let two = train(&data, &[], &DependencyOptions { ensemble: 2, ..quick(Order::First) }).unwrap();
    let sentence = &data[0].sentence;
    let of = |model: &DependencyModel| crate::toy_language::parse(model, sentence, None).posteriors.unwrap();
    assert_ne!(of(&one), of(&two));
}
