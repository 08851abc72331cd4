//! Training as a whole.

use std::ops::ControlFlow;

use chain::observe::Trace;
use chain::{Observer, Start, Threads, Workers};
use testkit::halfway::Halfway;

use super::{tag_set, tagged};
use crate::crf::{Crf, CrfError, CrfOptions, Decoders, Epoch, Further, Material, NOTHING_FURTHER, Training};
use crate::{Choice, Tagged};

fn known(tags: &[u32]) -> Vec<Choice> {
    tags.iter().map(|&tag| Choice::Known(tag)).collect()
}

/// Determiners 0, nouns 1, verbs 2: `fish` is both.
fn english() -> Vec<Tagged> {
    vec![
        tagged("the fish swims", &known(&[0, 1, 2])),
        tagged("a dog runs", &known(&[0, 1, 2])),
        tagged("dogs fish", &known(&[1, 2])),
        tagged("the dogs run", &known(&[0, 1, 2])),
        tagged("the fish runs", &[Choice::Any, Choice::Among([1, 2].into()), Choice::Known(2)]),
    ]
}

fn train(
    sentences: &[Tagged],
    n_tags: usize,
    further: Further<'_>,
    workers: &Workers,
) -> Result<Crf, CrfError> {
    let tags = tag_set(n_tags);
    Crf::train(Material { tags: &tags, sentences, held_out: &[] }, further, &CrfOptions::default(), workers)
}

fn train_watched(
    material: Material<'_>,
    watch: &mut dyn FnMut(&Epoch) -> ControlFlow<()>,
) -> Result<Crf, CrfError> {
    Crf::train_watched(material, NOTHING_FURTHER, &CrfOptions::default(), &Workers::serial(), watch)
}

#[test]
fn a_tagger_finds_the_tags_it_was_shown() {
    let crf = train(&english(), 3, NOTHING_FURTHER, &Workers::serial()).unwrap();
    let mut decoder = crf.decoder(NOTHING_FURTHER);
    assert_eq!(decoder.viterbi(&["the", "fish", "swims"], &[]), [0, 1, 2]);
    assert_eq!(decoder.viterbi(&["dogs", "fish"], &[]), [1, 2]);
    let posteriors = decoder.posteriors(&["dogs", "fish"], &[]);
    assert_eq!((posteriors.best(0).0, posteriors.best(1).0), (1, 2));
    let n_best = posteriors.n_best(1, 3);
    assert_eq!((n_best.len(), n_best[0]), (3, posteriors.best(1)));
    assert!(n_best.is_sorted_by(|a, b| a.1 >= b.1));
    assert!((posteriors.of(1).iter().sum::<f64>() - 1.0).abs() < 1e-9);
}

#[test]
fn demanded_tags_are_given() {
    let crf = train(&english(), 3, NOTHING_FURTHER, &Workers::serial()).unwrap();
    let mut decoder = crf.decoder(NOTHING_FURTHER);
    let choices = [Choice::Any, Choice::Known(0), Choice::Among([0, 1].into())];
    assert_eq!(decoder.viterbi(&["the", "fish", "swims"], &choices)[1], 0);
    assert_ne!(decoder.viterbi(&["the", "fish", "swims"], &choices)[2], 2);
    let posteriors = decoder.posteriors(&["the", "fish", "swims"], &choices);
    assert_eq!(posteriors.best(1), (0, 1.0));
    assert_eq!(posteriors.of(2)[2], 0.0);
}

#[test]
fn one_word_of_whatever_kind_is_enough_to_learn_from() {
    for word in ["a", "", "\u{301}", "…", "𝒳", "12-x", "İ", "\u{202e}"] {
        for n_tags in [1, 2, 5] {
            let sentence = tagged(word, &[Choice::Known(0)]);
            match train(&[sentence], n_tags, NOTHING_FURTHER, &Workers::serial()) {
                Ok(crf) => {
                    assert!(crf.weights.iter().all(|weight| weight.is_finite()), "{word:?}");
                    let mut decoder = crf.decoder(NOTHING_FURTHER);
                    assert_eq!(decoder.viterbi(&[word], &[]), [0]);
                    assert!(decoder.posteriors(&["other", word], &[]).best(1).1.is_finite());
                    assert_eq!(decoder.posteriors::<&str>(&[], &[]).n_words(), 0);
                    assert!(decoder.viterbi::<&str>(&[], &[]).is_empty());
                }
                // With one tag there is nothing to choose.
                Err(error) => assert_eq!((error, n_tags), (CrfError::NothingKnown, 1)),
            }
        }
    }
}

#[test]
fn without_tags_there_is_an_error() {
    let nothing = [tagged("a b", &[Choice::Any, Choice::Any])];
    assert_eq!(train(&nothing, 2, NOTHING_FURTHER, &Workers::serial()), Err(CrfError::NothingKnown));
    assert_eq!(train(&nothing, 0, NOTHING_FURTHER, &Workers::serial()), Err(CrfError::NoTags));
    assert_eq!(train(&[], 2, NOTHING_FURTHER, &Workers::serial()), Err(CrfError::NothingKnown));
}

#[test]
fn the_number_of_threads_makes_no_difference() {
    let sentences: Vec<Tagged> = std::iter::repeat_with(english).take(9).flatten().collect();
    let one = train(&sentences, 3, NOTHING_FURTHER, &Workers::serial()).unwrap();
    for n in [1, 2, 4] {
        let workers = Workers::new(Threads::from_count(n)).unwrap();
        assert_eq!(train(&sentences, 3, NOTHING_FURTHER, &workers).unwrap(), one, "{n} threads");
    }
}

#[test]
fn further_features_tell_words_apart_that_look_alike() {
    let sentences: Vec<Tagged> =
        (0..40).map(|i| tagged(&format!("w{}", 100 + i), &known(&[u32::from(i % 2 == 1)]))).collect();
    // Even and odd numbers, which no affix of a new word shows.
    let parity = |word: &str, visit: &mut dyn FnMut(&str)| {
        visit(if word.bytes().map(u64::from).sum::<u64>() % 2 == 0 { "even" } else { "odd" });
    };
    let parity_of = |word: &str| {
        let mut found = String::new();
        parity(word, &mut |feature| found = feature.to_owned());
        u32::from(found == "odd")
    };
    let sentences: Vec<Tagged> = sentences
        .into_iter()
        .map(|sentence| Tagged { choices: known(&[parity_of(&sentence.words[0])]), ..sentence })
        .collect();
    let crf = train(&sentences, 2, &parity, &Workers::serial()).unwrap();
    let mut decoder = crf.decoder(&parity);
    for word in ["kilo", "tonne", "gram", "metre", "v999"] {
        assert_eq!(decoder.viterbi(&[word], &[]), [parity_of(word)], "{word}");
    }
}

#[test]
fn a_tagger_comes_back_from_its_bytes() {
    let crf = train(&english(), 3, NOTHING_FURTHER, &Workers::serial()).unwrap();
    let header = chain::container::Header { kind: "x".into(), version: 1, ..Default::default() };
    let mut bytes = chain::container::encode(&header, &crf).unwrap();
    let (_, back): (_, Crf) = chain::container::decode(&bytes, "x", 1).unwrap();
    assert_eq!(back, crf);
    // Any damage is found by the container; a payload that never was a tagger is refused as well.
    let n = bytes.len();
    bytes[n / 2] ^= 4;
    assert!(chain::container::decode::<Crf>(&bytes, "x", 1).is_err());
    let empty = chain::container::encode(&header, &vec![0u8; 8]).unwrap();
    assert!(chain::container::decode::<Crf>(&empty, "x", 1).is_err());
}

#[test]
fn the_epoch_that_does_best_on_held_out_tags_is_taken() {
    let (tags, sentences) = (tag_set(3), english());
    let held_out = [tagged("the dog swims", &known(&[0, 1, 2]))];
    let material = Material { tags: &tags, sentences: &sentences, held_out: &held_out };
    let mut seen = Vec::new();
    let crf = train_watched(material, &mut |epoch| {
        seen.extend(epoch.accuracy);
        ControlFlow::Continue(())
    });
    let best = seen.iter().copied().fold(0.0, f64::max);
    assert_eq!(seen.len(), CrfOptions::default().descent.epochs);
    assert_eq!(crf.unwrap().accuracy(&held_out, NOTHING_FURTHER, &Workers::serial()), best);
    // Held-out sentences without known tags choose nothing.
    let free = [tagged("the dog swims", &vec![Choice::Any; 3])];
    let chosen = Crf::train(
        Material { held_out: &free, ..material },
        NOTHING_FURTHER,
        &CrfOptions::default(),
        &Workers::serial(),
    );
    assert_eq!(chosen, train(&sentences, 3, NOTHING_FURTHER, &Workers::serial()));
}

#[test]
fn training_can_be_ended_after_any_epoch() {
    let (tags, sentences) = (tag_set(3), english());
    let material = Material { tags: &tags, sentences: &sentences, held_out: &[] };
    let mut n = 0;
    let crf = train_watched(material, &mut |epoch| {
        n = epoch.done;
        if n == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(crf.is_ok());
    assert_eq!(n, 2);
}

#[test]
fn too_many_features_must_be_seen_more_often() {
    let (tags, sentences) = (tag_set(3), english());
    let material = Material { tags: &tags, sentences: &sentences, held_out: &[] };
    let options = CrfOptions { most_weights: 60, ..CrfOptions::default() };
    let crf = Crf::train(material, NOTHING_FURTHER, &options, &Workers::serial()).unwrap();
    assert!(crf.n_features() <= 20, "{}", crf.n_features());
}

#[test]
fn decoders_side_by_side_find_what_one_finds() {
    let crf = train(&english(), 3, NOTHING_FURTHER, &Workers::serial()).unwrap();
    let sentences: Vec<Tagged> = std::iter::repeat_with(english).take(3).flatten().collect();
    let mut one = crf.decoder(NOTHING_FURTHER);
    let expected: Vec<Vec<u32>> =
        sentences.iter().map(|sentence| one.viterbi(&sentence.words, &[])).collect();
    for n in [1, 2, 4, 40] {
        let workers = Workers::new(Threads::from_count(n)).unwrap();
        let mut decoders = Decoders::new(&crf, NOTHING_FURTHER, &workers);
        for _ in 0..2 {
            let found =
                decoders.map(&sentences, &workers, |decoder, sentence| decoder.viterbi(&sentence.words, &[]));
            assert_eq!(found, expected, "{n} threads");
        }
        assert!(decoders.map(&[], &workers, |_, sentence: &Tagged| sentence.words.len()).is_empty());
    }
}

#[test]
fn weights_that_leave_no_sum_leave_probabilities_all_the_same() {
    let mut crf = train(&english(), 3, NOTHING_FURTHER, &Workers::serial()).unwrap();
    crf.weights[..9].copy_from_slice(&[f32::MAX, 0.0, 0.0, 0.0, -f32::MAX, 0.0, 0.0, -f32::MAX, -f32::MAX]);
    let mut decoder = crf.decoder(NOTHING_FURTHER);
    let choices = [Choice::Known(1), Choice::Known(1)];
    let posteriors = decoder.posteriors(&["the", "fish"], &choices);
    assert_eq!((posteriors.best(0), posteriors.best(1)), ((1, 1.0), (1, 1.0)));
    crf.weights.iter_mut().for_each(|weight| *weight = f32::MAX);
    let mut decoder = crf.decoder(NOTHING_FURTHER);
    let posteriors = decoder.posteriors(&["the", "fish"], &[]);
    assert!((0..2).all(|word| posteriors.of(word).iter().all(|p| p.is_finite())));
}

#[test]
fn a_training_that_was_stopped_goes_on_as_if_it_had_not_been() {
    let (tags, sentences, workers) = (tag_set(3), english(), Workers::serial());
    for held_out in [&[][..], &sentences[..2]] {
        let material = Material { tags: &tags, sentences: &sentences, held_out };
        let train = |start: Start<Training>, observer: &mut dyn Observer<Training>| {
            let (options, on) = (CrfOptions::default(), &mut |_: &Epoch| ControlFlow::Continue(()));
            Crf::train_saved(material, NOTHING_FURTHER, &options, (start, observer), &workers, on)
        };
        let mut trace = Trace::new("weights", &["largest"], |training: &Training| {
            vec![training.params.weights.iter().fold(0.0f32, |most, weight| most.max(weight.abs())).into()]
        });
        let straight = train(Start::Fresh, &mut trace).unwrap();
        assert_eq!(trace.all("largest")[0].len(), CrfOptions::default().descent.epochs);
        for after in [1, 3, 8] {
            let mut half = Halfway::after(after);
            train(Start::Fresh, &mut half).unwrap();
            let (_, saved) = chain::container::decode(&half.checkpoint, "checkpoint/descent", 1).unwrap();
            assert_eq!(train(Start::From(saved), &mut ()).unwrap(), straight, "after {after}");
        }
    }
}

#[test]
fn a_checkpoint_of_other_sentences_is_refused() {
    let (tags, sentences, workers) = (tag_set(3), english(), Workers::serial());
    let train = |sentences: &[Tagged], start, observer: &mut dyn Observer<Training>| {
        let material = Material { tags: &tags, sentences, held_out: &[] };
        let (options, on) = (CrfOptions::default(), &mut |_: &Epoch| ControlFlow::Continue(()));
        Crf::train_saved(material, NOTHING_FURTHER, &options, (start, observer), &workers, on)
    };
    let mut half = Halfway::after(2);
    train(&sentences, Start::Fresh, &mut half).unwrap();
    let (_, saved): (_, chain::Checkpoint<Training>) =
        chain::container::decode(&half.checkpoint, "checkpoint/descent", 1).unwrap();
    let mut others = sentences.clone();
    others[1].weight = 2.0;
    assert!(matches!(train(&others, Start::From(saved.clone()), &mut ()), Err(CrfError::Run(_))));
    // Other words in the same places have other features, though not another number of them.
    let mut others = sentences.clone();
    for word in others.iter_mut().flat_map(|sentence| &mut sentence.words) {
        *word = word.chars().map(|c| if c == 'h' { 'j' } else { c }).collect::<String>().into();
    }
    assert!(matches!(train(&others, Start::From(saved), &mut ()), Err(CrfError::Run(_))));
}
