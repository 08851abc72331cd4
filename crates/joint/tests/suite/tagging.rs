//! Taggers with known, found and hidden trees.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::ops::ControlFlow;

use bp::Messages;
use chain::workers::{Threads, Workers};
use joint::tagging::{self, Encoding, Sight, Tagger};
use joint::training::Course;
use joint::{Error, Mode, Sentence};
use num::streams::Stream;

/// Nouns show their case, adjectives only their gender; an adjective hangs from a noun of its gender and has its case.
/// Words stand in any order, so that neighbours tell nothing.
fn agreement(seed: u64, n_sentences: usize) -> Vec<Sentence> {
    (0..n_sentences)
        .map(|number| {
            let rng = &mut Stream::new(seed).item(number).rng();
            let cases: Vec<usize> = (0..2).map(|_| rng.below(2)).collect();
            // Word, tag, the word above it by number before shuffling (0 and 1 are the nouns).
            let mut words: Vec<(String, usize, Option<usize>)> = vec![
                (format!("noun-{}{}", 0, cases[0]), cases[0], None),
                (format!("noun-{}{}", 1, cases[1]), cases[1], Some(0)),
            ];
            for _ in 0..1 + rng.below(4) {
                let gender = rng.below(2);
                let head = if rng.uniform() < 0.95 { gender } else { 1 - gender };
                let case = if rng.uniform() < 0.97 { cases[head] } else { 1 - cases[head] };
                words.push((format!("adjective-{gender}"), case, Some(head)));
            }
            let mut order: Vec<usize> = (0..words.len()).collect();
            rng.shuffle(&mut order);
            let place = |word: usize| order.iter().position(|&at| at == word).unwrap() as u32 + 1;
            Sentence {
                forms: order.iter().map(|&at| words[at].0.as_str().into()).collect(),
                classes: Vec::new(),
                tags: order.iter().map(|&at| Some(["nominative", "genitive"][words[at].1].into())).collect(),
                heads: order.iter().map(|&at| Some(words[at].2.map_or(0, place))).collect(),
                ..Sentence::default()
            }
        })
        .collect()
}

fn settings(mode: Mode, epochs: usize) -> tagging::Options {
    let mut settings =
        tagging::Options { mode, chain: false, sight: Sight::Words, least: 1, ..tagging::Options::default() };
    settings.learning.epochs = epochs;
    settings
}

fn train(sentences: &[Sentence], settings: &tagging::Options) -> Tagger {
    Tagger::train(sentences, settings, 1, None, &Workers::serial(), |_| ControlFlow::Continue(())).unwrap()
}

/// A sentence without its tags, and without its heads unless trees are always known.
fn bare(sentence: &Sentence, mode: Mode) -> Sentence {
    let heads = if mode == Mode::Oracle { sentence.heads.clone() } else { Vec::new() };
    Sentence { tags: Vec::new(), heads, ..sentence.clone() }
}

fn accuracy(tagger: &Tagger, sentences: &[Sentence]) -> f64 {
    let mut messages = Messages::default();
    let (mut right, mut all) = (0, 0);
    for sentence in sentences {
        let tagged = tagger.tag(&bare(sentence, tagger.settings().mode), &mut messages).unwrap();
        all += sentence.len();
        right += tagged.tags.iter().zip(&sentence.tags).filter(|(a, b)| Some(*a) == b.as_ref()).count();
    }
    right as f64 / all as f64
}

#[test]
fn hidden_trees_are_learned_from_the_tags_that_they_explain() {
    let (learned, fresh) = (agreement(1, 250), agreement(2, 150));
    let alone = accuracy(&train(&learned, &settings(Mode::Supervised, 10)), &fresh);
    let oracle = accuracy(&train(&learned, &settings(Mode::Oracle, 10)), &fresh);
    let tagger = train(&learned, &settings(Mode::Hidden, 20));
    let hidden = accuracy(&tagger, &fresh);
    // Adjectives alone are a guess, those whose noun is known are not.
    assert!(alone < 0.85 && oracle > 0.95, "{alone} {oracle}");
    assert!(hidden >= 0.95 * oracle, "hidden {hidden}, oracle {oracle}, without trees {alone}");
    // The coupling rewards agreement: same cases more than different ones.
    let pairs = tagger.connected();
    let same = pairs[0][0] + pairs[1][1];
    let other = pairs[0][1] + pairs[1][0];
    assert!(same > other + 1.0, "{pairs:?}");
    // And what was never shown is found: most adjectives are joined to the noun of their gender. Which of the two is the
    // head the cases do not tell.
    let mut messages = Messages::default();
    let (mut right, mut all) = (0, 0);
    for sentence in &fresh {
        let arcs = tagger.tag(&bare(sentence, Mode::Hidden), &mut messages).unwrap().arcs.unwrap();
        for word in (1..=sentence.len()).filter(|&word| sentence.forms[word - 1].starts_with("adj")) {
            let noun = |gender: char| {
                1 + sentence
                    .forms
                    .iter()
                    .position(|form| form.starts_with(&format!("noun-{gender}")))
                    .unwrap()
            };
            let own = sentence.forms[word - 1].chars().last().unwrap();
            let other = if own == '0' { '1' } else { '0' };
            all += 1;
            let joined = |noun: usize| arcs.of(noun, word) + arcs.of(word, noun);
            right += usize::from(joined(noun(own)) > joined(noun(other)));
        }
    }
    assert!(right as f64 > 0.9 * all as f64, "{right} of {all}");
}

#[test]
fn trees_that_are_found_beside_the_tags_are_right_as_well() {
    let (learned, fresh) = (agreement(1, 150), agreement(2, 80));
    let tagger = train(&learned, &settings(Mode::Joint, 10));
    let mut messages = Messages::default();
    let (mut right, mut all) = (0, 0);
    for sentence in &fresh {
        let tagged = tagger.tag(&bare(sentence, Mode::Joint), &mut messages).unwrap();
        let heads = tagged.heads.unwrap();
        all += sentence.len();
        right += (1..=sentence.len())
            .filter(|&word| Some(heads.head(word) as u32) == sentence.heads[word - 1])
            .count();
        assert!(!tagged.outcome.is_exact || sentence.len() < 3);
    }
    assert!(right as f64 > 0.9 * all as f64, "{right} of {all}");
}

#[test]
fn a_chain_is_exact_with_values_and_not_with_booleans() {
    let learned = agreement(3, 60);
    let chain = tagging::Options { chain: true, ..settings(Mode::Supervised, 5) };
    let values = train(&learned, &chain);
    let booleans = train(&learned, &tagging::Options { encoding: Encoding::Booleans, ..chain });
    let mut messages = Messages::default();
    assert!(values.tag(&bare(&learned[0], Mode::Supervised), &mut messages).unwrap().outcome.is_exact);
    assert!(!booleans.tag(&bare(&learned[0], Mode::Supervised), &mut messages).unwrap().outcome.is_exact);
    // Without neighbours both are the same model, and learn the same.
    let alone = settings(Mode::Supervised, 5);
    let (values, booleans) = (
        train(&learned, &alone),
        train(&learned, &tagging::Options { encoding: Encoding::Booleans, ..alone }),
    );
    for sentence in learned[..10].iter().map(|sentence| bare(sentence, Mode::Supervised)) {
        let sentence = &sentence;
        let one = values.tag(sentence, &mut messages).unwrap();
        let two = booleans.tag(sentence, &mut messages).unwrap();
        assert_eq!(one.tags, two.tags);
        let close = one.probabilities.iter().zip(&two.probabilities).all(|(a, b)| (a - b).abs() < 1e-4);
        assert!(close, "{:?} {:?}", one.probabilities, two.probabilities);
    }
}

#[test]
fn threads_files_and_checkpoints_leave_no_trace() {
    let learned = agreement(4, 30);
    for mode in [Mode::Hidden, Mode::Joint] {
        let settings = settings(mode, 4);
        let bytes = |tagger: &Tagger| serde_json::to_string(tagger).unwrap();
        let straight = train(&learned, &settings);
        let two = Workers::new(Threads::from_count(2)).unwrap();
        let mut saved: Option<Course> = None;
        Tagger::train(&learned, &settings, 1, None, &two, |progress| {
            saved = Some(progress.course.clone());
            if progress.epoch == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
        .unwrap();
        let resumed =
            Tagger::train(&learned, &settings, 1, saved.as_ref(), &two, |_| ControlFlow::Continue(()))
                .unwrap();
        assert_eq!(bytes(&straight), bytes(&resumed));
        let again: Tagger = serde_json::from_str(&bytes(&straight)).unwrap();
        assert_eq!(bytes(&again), bytes(&straight));
        let mut messages = Messages::default();
        let sentence = bare(&learned[0], mode);
        let (one, other) = (straight.tag(&sentence, &mut messages), again.tag(&sentence, &mut messages));
        assert_eq!(one.unwrap().probabilities, other.unwrap().probabilities);
    }
}

fn error(sentences: &[Sentence], settings: &tagging::Options) -> Error {
    Tagger::train(sentences, settings, 1, None, &Workers::serial(), |_| ControlFlow::Continue(()))
        .unwrap_err()
}

#[test]
fn features_that_share_weights_learn_nearly_as_much() {
    let (learned, fresh) = (agreement(1, 150), agreement(2, 80));
    let own = accuracy(&train(&learned, &settings(Mode::Oracle, 8)), &fresh);
    let tagger = train(&learned, &tagging::Options { hash: Some(12), ..settings(Mode::Oracle, 8) });
    assert_eq!(tagger.n_weights(), 4096);
    let shared = accuracy(&tagger, &fresh);
    assert!(shared > own - 0.02, "{shared} {own}");
}

#[test]
fn tags_and_heads_that_are_known_are_kept() {
    let learned = agreement(7, 60);
    let tagger = train(&learned, &settings(Mode::Joint, 5));
    let mut messages = Messages::default();
    for sentence in &learned {
        let mut odd = bare(sentence, Mode::Joint);
        let wrong = if sentence.tags[0].as_deref() == Some("genitive") { "nominative" } else { "genitive" };
        odd.tags = vec![None; odd.len()];
        odd.tags[0] = Some(wrong.into());
        odd.heads = vec![None; odd.len()];
        odd.heads[0] = Some(odd.len() as u32);
        let tagged = tagger.tag(&odd, &mut messages).unwrap();
        assert_eq!((tagged.tags[0].as_str(), tagged.probabilities[0]), (wrong, 1.0));
        assert_eq!(tagged.heads.unwrap().head(1), odd.len());
    }
}

#[test]
fn what_cannot_be_learned_is_said() {
    assert!(matches!(error(&[], &settings(Mode::Hidden, 1)), Error::NothingToLearn { .. }));
    let mut one = agreement(5, 2);
    one.iter_mut().flat_map(|sentence| &mut sentence.tags).for_each(|tag| *tag = Some("x".into()));
    assert!(matches!(error(&one, &settings(Mode::Hidden, 1)), Error::OneTag { .. }));
    let mut cycle = agreement(5, 3);
    cycle[1].heads = (0..cycle[1].len() as u32).map(|word| Some(if word == 0 { 2 } else { 1 })).collect();
    let said = error(&cycle, &settings(Mode::Joint, 1)).to_string();
    assert!(said.starts_with("sentence 2: "), "{said}");
    // A cycle among some heads that are known, others open.
    cycle[1].heads[2] = None;
    let said = error(&cycle, &settings(Mode::Joint, 1)).to_string();
    assert!(said.contains("DEP-TREE"), "{said}");
}

#[test]
fn strange_sentences_are_tagged() {
    let learned = agreement(6, 40);
    for mode in [Mode::Supervised, Mode::Joint, Mode::Hidden] {
        let tagger = train(&learned, &settings(mode, 2));
        let mut messages = Messages::default();
        for forms in [vec![], vec!["never-seen"], vec!["", "a", "🦉"]] {
            let n = forms.len();
            let sentence =
                Sentence { forms: forms.into_iter().map(Into::into).collect(), ..Sentence::default() };
            let tagged = tagger.tag(&sentence, &mut messages).unwrap();
            assert_eq!((tagged.tags.len(), tagged.probabilities.len()), (n, n));
        }
    }
    // Of too many words there would be too many arcs; a tagger without trees does not mind.
    let long = Sentence { forms: vec!["a".into(); 2000], ..Sentence::default() };
    let tagged = train(&learned, &settings(Mode::Supervised, 2)).tag(&long, &mut Messages::default());
    assert_eq!(tagged.unwrap().tags.len(), 2000);
    let refused = train(&learned, &settings(Mode::Hidden, 2)).tag(&long, &mut Messages::default());
    assert!(matches!(refused, Err(Error::TooLong { words: 2000, .. })));
    let oracle = train(&learned, &settings(Mode::Oracle, 2));
    let open =
        Sentence { forms: vec!["a".into(), "b".into()], heads: vec![Some(2), None], ..Sentence::default() };
    assert_eq!(oracle.tag(&open, &mut Messages::default()).unwrap_err(), Error::NoTree { word: 2 });
}
