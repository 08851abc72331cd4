//! Parsers of first and second order.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::ops::ControlFlow;

use bp::Messages;
use chain::workers::{Threads, Workers};
use joint::dependency::{self, Checkpoint, Parser};
use joint::{Error, Sentence};
use num::packed::Packed;
use num::streams::Stream;

/// A verb is the root, nouns hang from it, and every other word from the next noun to its right.
fn sentences(seed: u64, n: usize) -> Vec<Sentence> {
    (0..n)
        .map(|number| {
            let rng = &mut Stream::new(seed).item(number).rng();
            let n_words = 3 + rng.below(5);
            let verb = rng.below(n_words);
            let mut classes = vec!["det"; n_words];
            classes[n_words - 1] = "noun";
            (0..n_words).filter(|_| rng.uniform() < 0.4).for_each(|at| classes[at] = "noun");
            classes[verb] = "verb";
            let noun_after = |at: usize| (at + 1..n_words).find(|&other| classes[other] == "noun");
            let heads = (0..n_words).map(|at| match classes[at] {
                "verb" => 0,
                "noun" => verb as u32 + 1,
                _ => noun_after(at).unwrap_or(verb) as u32 + 1,
            });
            Sentence {
                forms: classes
                    .iter()
                    .map(|class| format!("{class}{}", rng.below(4)).as_str().into())
                    .collect(),
                classes: classes.iter().map(|&class| class.into()).collect(),
                tags: Vec::new(),
                heads: heads.map(Some).collect(),
                ..Sentence::default()
            }
        })
        .collect()
}

fn settings(order: u8, epochs: usize) -> dependency::Options {
    let mut settings = dependency::Options { order, ..dependency::Options::default() };
    settings.learning.epochs = epochs;
    settings
}

fn train(sentences: &[Sentence], settings: &dependency::Options) -> Parser {
    Parser::train(sentences, settings, 1, None, &Workers::serial(), |_, _, _| ControlFlow::Continue(()))
        .unwrap()
}

fn bare(sentence: &Sentence) -> Sentence {
    Sentence { heads: Vec::new(), ..sentence.clone() }
}

#[test]
fn a_grammar_of_three_classes_is_learned() {
    let (learned, fresh) = (sentences(1, 120), sentences(2, 60));
    for order in [1, 2] {
        let parser = train(&learned, &settings(order, 8));
        let mut messages = Messages::default();
        let (mut right, mut all) = (0, 0);
        for sentence in &fresh {
            let parsed = parser.parse(&bare(sentence), &mut messages).unwrap();
            all += sentence.len();
            right += (1..=sentence.len())
                .filter(|&at| Some(parsed.heads.head(at) as u32) == sentence.heads[at - 1])
                .count();
            if order == 1 {
                assert!(parsed.outcome.is_exact);
                let sums = (1..=sentence.len()).map(|at| parsed.arcs.row(at).iter().sum::<f64>());
                assert!(sums.into_iter().all(|sum| (sum - 1.0).abs() < 1e-9));
            }
        }
        assert!(right as f64 > 0.97 * all as f64, "order {order}: {right} of {all}");
    }
}

#[test]
fn heads_that_are_known_are_kept_and_half_of_them_suffice() {
    let learned: Vec<Sentence> = sentences(3, 150)
        .into_iter()
        .enumerate()
        .map(|(number, mut sentence)| {
            let rng = &mut Stream::new(9).item(number).rng();
            sentence.heads.iter_mut().for_each(|head| *head = head.filter(|_| rng.uniform() < 0.5));
            sentence
        })
        .collect();
    let parser = train(&learned, &settings(1, 8));
    let mut messages = Messages::default();
    let fresh = sentences(4, 50);
    let mut right = 0;
    for sentence in &fresh {
        let parsed = parser.parse(&bare(sentence), &mut messages).unwrap();
        right += usize::from(
            (1..=sentence.len()).all(|at| Some(parsed.heads.head(at) as u32) == sentence.heads[at - 1]),
        );
        // A head that nobody would guess.
        let mut odd = bare(sentence);
        odd.heads = vec![None; odd.len()];
        odd.heads[0] = Some(odd.len() as u32);
        let kept = parser.parse(&odd, &mut messages).unwrap();
        assert_eq!(kept.heads.head(1), odd.len());
    }
    assert!(right >= 45, "{right} of 50");
    let mut cycle = bare(&fresh[0]);
    cycle.heads = vec![None; cycle.len()];
    (cycle.heads[0], cycle.heads[1]) = (Some(2), Some(1));
    assert!(matches!(parser.parse(&cycle, &mut messages), Err(Error::Impossible { .. })));
}

#[test]
fn a_run_goes_on_from_either_stage_as_if_it_had_not_stopped() {
    let learned = sentences(5, 30);
    let settings = settings(2, 4);
    let bytes = |parser: &Parser| serde_json::to_string(parser).unwrap();
    let straight = bytes(&train(&learned, &settings));
    let two = Workers::new(Threads::from_count(2)).unwrap();
    for (stage, epoch) in [(1, 2), (2, 1)] {
        let mut saved: Option<Checkpoint> = None;
        let _ = Parser::train(&learned, &settings, 1, None, &two, |at, first, progress| {
            if (at, progress.epoch) == (stage, epoch) {
                let first = first.map(|first| Packed::new(&first.values()));
                saved = Some(Checkpoint { first, course: progress.course.clone() });
            }
            ControlFlow::Continue(())
        })
        .unwrap();
        let resumed =
            Parser::train(&learned, &settings, 1, saved.as_ref(), &two, |_, _, _| ControlFlow::Continue(()));
        assert_eq!(bytes(&resumed.unwrap()), straight, "stage {stage}");
    }
    let again: Parser = serde_json::from_str(&straight).unwrap();
    assert_eq!(bytes(&again), straight);
}

#[test]
fn crossing_arcs_are_refused_only_where_trees_may_not_cross() {
    let mut crossing = sentences(6, 1);
    crossing[0] = Sentence {
        forms: ["a", "b", "c", "d"].map(Into::into).to_vec(),
        heads: vec![Some(3), Some(4), Some(0), Some(3)],
        ..Sentence::default()
    };
    let mut projective = settings(1, 1);
    projective.projective = true;
    let refused = Parser::train(&crossing, &projective, 1, None, &Workers::serial(), |_, _, _| {
        ControlFlow::Continue(())
    });
    assert!(matches!(refused, Err(Error::Impossible { .. })));
    let parser = train(&crossing, &settings(1, 30));
    let parsed = parser.parse(&bare(&crossing[0]), &mut Messages::default()).unwrap();
    assert_eq!(parsed.heads.as_slice(), [3, 4, 0, 3]);
    for n in [0, 1] {
        let short = Sentence { forms: vec!["x".into(); n], ..Sentence::default() };
        assert_eq!(parser.parse(&short, &mut Messages::default()).unwrap().heads.len(), n);
    }
}
