//! Probabilities of tags mean what they say.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::ops::ControlFlow;

use chain::{Stream, Threads, Workers};
use num::confidence::{Confidence, Guess, bins, calibration_error};
use proptest::prelude::*;
use tag::certainty::{Basis, of_dictionary, of_sentences, of_sentences_watched};
use tag::crf::{Crf, CrfOptions, Epoch, Material, NOTHING_FURTHER};
use tag::pipeline::{Options, Supervision, train};
use tag::{Certainty, Choice, Dictionary, TagSet, Tagged};
use tree::Text;

type Gold = Vec<(Text, Text)>;

/// Sentences of `word TAG` in lines; `None` if the reference data are not there.
fn masakha(language: &str, part: &str) -> Option<Vec<Gold>> {
    let path = testkit::shared(&format!("data/pos/masakhapos/{language}/{part}.txt"))?;
    let text = std::fs::read_to_string(path).unwrap();
    let sentence = |block: &str| -> Gold {
        let pair = |line: &str| line.trim().rsplit_once(' ').map(|(word, tag)| (word.into(), tag.into()));
        block.lines().filter_map(pair).collect()
    };
    Some(text.split("\n\n").map(sentence).filter(|sentence| !sentence.is_empty()).collect())
}

/// The words of sentences, with the tags each was seen with, the most frequent first.
fn dictionary(sentences: &[Gold]) -> Dictionary {
    let mut counts = Dictionary::default();
    for (word, tag) in sentences.iter().flatten() {
        let tag = counts.tags_mut().insert(tag);
        counts.count(word, tag, 1.0);
    }
    let mut dictionary = Dictionary::new(counts.tags().clone());
    for (word, tags) in counts.iter() {
        let mut tags = tags.to_vec();
        tags.sort_by(|a, b| b.1.total_cmp(&a.1));
        tags.iter().for_each(|(tag, _)| dictionary.insert(word, counts.tags().name(*tag)));
    }
    dictionary.ranked().0
}

fn words(sentence: &Gold) -> Vec<Text> {
    sentence.iter().map(|(word, _)| word.clone()).collect()
}

/// The errors of calibration as taggers are and as they are corrected.
fn errors(guesses: &[[Guess; 2]]) -> [f64; 2] {
    [0, 1].map(|at| calibration_error(&bins(&guesses.iter().map(|both| both[at]).collect::<Vec<_>>())))
}

fn both(certainty: &Certainty, choice: &Choice, row: Vec<f64>, right: Option<u32>) -> [Guess; 2] {
    let right = right.map_or(usize::MAX, |tag| tag as usize);
    let mut corrected = row.clone();
    certainty.correct(choice, &mut corrected);
    [Guess::of_row(&row, right), Guess::of_row(&corrected, right)]
}

#[test]
fn taggers_from_dictionaries_are_as_sure_as_they_are_right() {
    let (Some(text), Some(dev)) = (masakha("hau", "train"), masakha("hau", "dev")) else { return };
    let raw = text.iter().map(words).collect();
    let supervision = Supervision { dictionary: dictionary(&text), tagged: Vec::new(), raw };
    let (options, workers) = (Options::default(), Workers::serial());
    let trained = train(&supervision, NOTHING_FURTHER, &options, &workers).unwrap();
    let auto_tagged = trained.learned.auto_tagged(0.0, NOTHING_FURTHER, &workers);
    let certainty = of_dictionary(&supervision, &auto_tagged, NOTHING_FURTHER, &options, &workers);
    assert_eq!(certainty.basis, Basis::Dictionary);
    let tags = supervision.dictionary.tags();
    let mut guesses = Vec::new();
    for sentence in &dev {
        for (row, (word, gold)) in trained.posteriors(&words(sentence), NOTHING_FURTHER).iter().zip(sentence)
        {
            let mut dense = vec![0.0; tags.len()];
            row.iter().for_each(|&(tag, p)| dense[tag as usize] = p);
            guesses.push(both(&certainty, &trained.choice(word), dense, tags.number(gold)));
        }
    }
    let [before, after] = errors(&guesses);
    assert!(after < 0.03 && before > 0.04, "{before:.3} {after:.3}");
}

#[test]
fn taggers_from_sentences_are_as_sure_as_they_are_right() {
    let (Some(text), Some(dev)) = (masakha("wol", "train"), masakha("wol", "dev")) else { return };
    let mut tags = TagSet::default();
    let mut tagged = |sentence: &Gold| Tagged {
        choices: sentence.iter().map(|(_, tag)| Choice::Known(tags.insert(tag))).collect(),
        words: words(sentence),
        weight: 1.0,
    };
    let sentences: Vec<Tagged> = text.iter().take(150).map(&mut tagged).collect();
    let (options, workers) = (CrfOptions::default(), Workers::serial());
    let material = Material { tags: &tags, sentences: &sentences, held_out: &[] };
    let crf = Crf::train(material, NOTHING_FURTHER, &options, &workers).unwrap();
    let certainty = of_sentences(&crf, material, NOTHING_FURTHER, &options, &workers);
    assert_eq!(certainty.basis, Basis::Sentences);
    let mut decoder = crf.decoder(NOTHING_FURTHER);
    let mut guesses = Vec::new();
    for sentence in &dev {
        let posteriors = decoder.posteriors(&words(sentence), &[]);
        let rows = (0..sentence.len()).map(|word| posteriors.of(word).to_vec());
        guesses.extend(
            rows.zip(sentence).map(|(row, (_, gold))| both(&certainty, &Choice::Any, row, tags.number(gold))),
        );
    }
    let [before, after] = errors(&guesses);
    assert!(after < 0.03 && before > 0.04, "{before:.3} {after:.3}");
}

/// Words of two endings with tags of their own, and one word of both tags.
fn toy(n_sentences: usize) -> Supervision {
    let mut rng = Stream::new(3).rng();
    let mut dictionary = Dictionary::default();
    let mut raw = Vec::new();
    for at in 0..n_sentences {
        let (noun, verb) = (format!("w{}o", rng.below(60)), format!("w{}e", rng.below(60)));
        dictionary.insert(&noun, "N");
        dictionary.insert(&verb, "V");
        let both = if at % 3 == 0 { "both" } else { "la" };
        raw.push(["la", &noun, &verb, both].map(Text::from).to_vec());
    }
    for (word, tag) in [("both", "V"), ("both", "N"), ("la", "N"), ("la", "V")] {
        dictionary.insert(word, tag);
    }
    Supervision { dictionary, tagged: Vec::new(), raw }
}

#[test]
fn rehearsals_are_the_same_at_any_number_of_threads() {
    let (supervision, options) = (toy(60), Options::default());
    let alone = of_dictionary(&supervision, &[], NOTHING_FURTHER, &options, &Workers::serial());
    assert!(alone.n_words > 30 && alone.is_calibrated(), "{alone:?}");
    for threads in [2, 4] {
        let workers = Workers::new(Threads::from_count(threads)).unwrap();
        assert_eq!(of_dictionary(&supervision, &[], NOTHING_FURTHER, &options, &workers), alone);
    }
}

#[test]
fn a_rehearsal_with_sentences_can_be_watched_and_ended() {
    let mut tags = TagSet::default();
    let choices = vec![Choice::Known(tags.insert("N")), Choice::Known(tags.insert("V"))];
    let words = |at: usize| vec![format!("w{at}o").into(), format!("w{at}e").into()];
    let sentence = |at: usize| Tagged { words: words(at), choices: choices.clone(), weight: 1.0 };
    let sentences: Vec<Tagged> = (0..20).map(sentence).collect();
    let (options, workers) = (CrfOptions::default(), Workers::serial());
    let material = Material { tags: &tags, sentences: &sentences, held_out: &[] };
    let crf = Crf::train(material, NOTHING_FURTHER, &options, &workers).unwrap();
    let ended_after = |most: usize| {
        let mut n_epochs = 0;
        let watch = &mut |_: &Epoch| {
            n_epochs += 1;
            if n_epochs < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let certainty = of_sentences_watched(&crf, material, NOTHING_FURTHER, &options, &workers, watch);
        (certainty, n_epochs)
    };
    let all = 5 * options.descent.epochs;
    let straight = of_sentences(&crf, material, NOTHING_FURTHER, &options, &workers);
    assert_eq!(ended_after(usize::MAX), (Some(straight), all));
    for most in [1, 13, all] {
        assert_eq!(ended_after(most), (None, most));
    }
}

#[test]
fn too_little_to_ask_about_corrects_nothing() {
    for n_sentences in [1, 2, 4] {
        let supervision = toy(n_sentences);
        let certainty =
            of_dictionary(&supervision, &[], NOTHING_FURTHER, &Options::default(), &Workers::serial());
        assert_eq!(certainty, Certainty::default(), "{n_sentences}");
        let mut row = [0.9, 0.1];
        certainty.correct(&Choice::Any, &mut row);
        assert_eq!(row, [0.9, 0.1]);
    }
}

#[test]
fn probabilities_of_all_stages_sum_to_one_and_the_first_is_the_tag() {
    let supervision = toy(60);
    for last in [Options::default().last, None] {
        let options = Options { last, ..Options::default() };
        let trained = train(&supervision, NOTHING_FURTHER, &options, &Workers::serial()).unwrap();
        for words in supervision.raw.iter().chain(&[vec![Text::from("w7x"), Text::from("both")]]) {
            let (rows, tags) =
                (trained.posteriors(words, NOTHING_FURTHER), trained.tag(words, NOTHING_FURTHER));
            for (row, tag) in rows.iter().zip(tags) {
                assert!((row.iter().map(|(_, p)| p).sum::<f64>() - 1.0).abs() < 1e-9, "{row:?}");
                assert!(row[0] == tag && row.iter().all(|(_, p)| *p <= tag.1), "{row:?}");
            }
        }
    }
}

#[test]
fn tagged_sentences_are_asked_about_where_there_are_any() {
    let mut supervision = toy(80);
    let tag = |name: &str| supervision.dictionary.tags().number(name).unwrap();
    let [n, v] = ["N", "V"].map(|name| Choice::Known(tag(name)));
    let other = Choice::Known(supervision.dictionary.tags_mut().insert("X"));
    let tagged = |words: Vec<Text>| {
        // The dictionary does not know that a word may be an X: 27 of 80 times it is.
        let last = if words[3].as_str() == "both" { &other } else { &v };
        Tagged { choices: [&n, &n, &v, last].map(Clone::clone).to_vec(), words, weight: 1.0 }
    };
    supervision.tagged = std::mem::take(&mut supervision.raw).into_iter().map(tagged).collect();
    let certainty =
        of_dictionary(&supervision, &[], NOTHING_FURTHER, &Options::default(), &Workers::serial());
    assert_eq!(certainty.basis, Basis::Sentences);
    // 293 of 320 have a tag of the dictionary, and 50 are expected to have it 96.5 times of 100.
    assert!((certainty.listed - (293.0 + 48.25) / 370.0).abs() < 1e-12, "{certainty:?}");
}

fn certainties() -> impl Strategy<Value = Certainty> {
    let confidence = || {
        (-2.0..2.0, 0.0..2.0, 0.0..2.0).prop_map(|(shift, right, wrong)| Confidence { shift, right, wrong })
    };
    (confidence(), confidence(), 0.5..1.0).prop_map(|(free, among, listed)| Certainty {
        basis: Basis::Sentences,
        n_words: 1,
        free: Some(free),
        among: Some(among),
        listed,
    })
}

proptest! {
    /// Tags stay in their order, those that the dictionary excludes stay impossible, and probabilities sum to how often the
    /// dictionary has the tag.
    #[test]
    fn corrections_keep_the_order_and_the_sum(
        certainty in certainties(),
        scores in prop::collection::vec(-8.0..8.0f64, 4),
        listed in prop::sample::subsequence(vec![0u32, 1, 2, 3], 1..=4),
        is_free in any::<bool>(),
    ) {
        let choice = if is_free { Choice::Any } else { Choice::Among(listed.clone().into()) };
        let allowed = |tag: usize| is_free || listed.contains(&(tag as u32));
        let exps: Vec<f64> = (0..4).map(|tag| if allowed(tag) { scores[tag].exp() } else { 0.0 }).collect();
        let total: f64 = exps.iter().sum();
        let row: Vec<f64> = exps.iter().map(|exp| exp / total).collect();
        let mut corrected = row.clone();
        certainty.correct(&choice, &mut corrected);
        let sum: f64 = corrected.iter().sum();
        prop_assert!((sum - if is_free { 1.0 } else { certainty.listed }).abs() < 1e-9, "{sum}");
        for a in 0..4 {
            prop_assert!(allowed(a) || corrected[a] == 0.0);
            for b in (0..4).filter(|&b| row[a] > row[b] && row[b] > 1e-5) {
                prop_assert!(corrected[a] >= corrected[b] - 1e-12, "{row:?} {corrected:?}");
            }
        }
    }
}
