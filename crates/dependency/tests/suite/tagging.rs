//! The tagger that a parser takes along.

use chain::Workers;
use dependency::{DependencyModel, DependencyOptions, Order, TagColumn, Tagger};
use num::confidence::{Guess, bins, calibration_error};
use tree::Sentence;
use tree::sentence::UNSPECIFIED;

use crate::toy_language::{annotated, bytes_of, path, quick, sentences, train};

fn tagger(sentences: &[Sentence]) -> Tagger {
    let templates = DependencyOptions::default().templates;
    Tagger::train_calibrated(sentences, TagColumn::Upos, &templates, 1, &Workers::serial()).unwrap().unwrap()
}

/// A sentence without tags.
fn bare(sentence: &Sentence) -> Sentence {
    let mut bare = sentence.clone();
    bare.words_mut().for_each(|token| token.upos = UNSPECIFIED);
    bare
}

#[test]
fn a_tagger_says_how_probable_the_tags_are_that_it_gave() {
    let all = sentences(60, 1);
    let tagger = tagger(&all);
    assert!(tagger.is_calibrated());
    for sentence in &all {
        let mut kept = sentence.clone();
        assert_eq!(tagger.tag(&mut kept, false), vec![None; sentence.n_words()]);
        assert_eq!(&kept, sentence);
        let mut some = bare(sentence);
        some.words_mut().next().unwrap().upos = sentence.words().next().unwrap().upos.clone();
        let sure = tagger.tag(&mut some, false);
        assert_eq!((sure.len(), sure[0]), (sentence.n_words(), None));
        assert!(sure[1..].iter().all(|p| p.is_some_and(|p| p > 0.0 && p <= 1.0)), "{sure:?}");
    }
}

#[test]
fn how_sure_a_tagger_is_goes_into_the_file_of_the_parser_and_comes_back() {
    let all = sentences(60, 1);
    let mut model = train(&annotated(&all), &[], &quick(Order::First)).unwrap();
    model.tagger = Some(tagger(&all));
    bytes_of(&model, "with-tagger");
    let back = DependencyModel::read(&path("with-tagger")).unwrap();
    for sentence in &sentences(20, 2) {
        let [a, b] = [&model, &back].map(|model| {
            let mut sentence = bare(sentence);
            (model.tagger.as_ref().unwrap().tag(&mut sentence, false), sentence)
        });
        assert_eq!(a, b);
    }
    assert!(back.tagger.unwrap().is_calibrated());
}

#[test]
fn a_tagger_is_as_sure_as_it_is_right() {
    let Some(folder) = testkit::shared("data/dependency/ud/Naija-NSC") else { return };
    let read = |part: &str| -> Vec<Sentence> {
        let text = std::fs::read_to_string(folder.join(part)).unwrap();
        formats::conllu::ConlluReader::new(text.as_bytes()).map(|read| read.unwrap().value).collect()
    };
    let tagger = tagger(&read("train.conllu")[..300]);
    let guesses: Vec<Guess> = read("dev.conllu")
        .iter()
        .flat_map(|sentence| {
            let mut tagged = bare(sentence);
            let sure = tagger.tag(&mut tagged, true);
            let right = sentence.words().zip(tagged.words()).map(|(gold, found)| gold.upos == found.upos);
            let guess = |(p, is_right): (&Option<f64>, bool)| Guess { confidence: p.unwrap(), is_right };
            sure.iter().zip(right.collect::<Vec<_>>()).map(guess).collect::<Vec<_>>()
        })
        .collect();
    let error = calibration_error(&bins(&guesses));
    assert!(error < 0.03, "{error:.3}");
}
