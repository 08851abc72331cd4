//! Templates, and parsers that start from others.

use dependency::{Columns, DependencyOptions, Descent, Order};
use tree::Sentence;

use crate::toy_language::{accuracy, annotated, parse, quick, sentences, train, train_from};

fn in_other_words(sentence: &Sentence) -> Sentence {
    let mut other = sentence.clone();
    for (at, token) in other.words_mut().enumerate() {
        token.form = format!("Zz{at}").into();
    }
    other
}

#[test]
fn a_delexicalised_parser_sees_tags_only() {
    for order in [Order::First, Order::Second] {
        let data = annotated(&sentences(20, 1));
        let blind = train(&data, &[], &DependencyOptions { delexicalised: true, ..quick(order) }).unwrap();
        let seeing = train(&data, &[], &quick(order)).unwrap();
        assert!(blind.looks_at("tag") && !blind.looks_at("lower") && seeing.looks_at("lower"));
        for sentence in sentences(10, 2) {
            let other = in_other_words(&sentence);
            let (a, b) = (parse(&blind, &sentence, None), parse(&blind, &other, None));
            assert_eq!((a.heads, a.relations), (b.heads, b.relations));
            assert_eq!(a.posteriors, b.posteriors);
            assert_ne!(parse(&seeing, &sentence, None).posteriors, parse(&seeing, &other, None).posteriors);
        }
    }
}

#[test]
fn morphological_features_are_looked_at_if_there_are_any() {
    let templates = "arc: h.tag m.tag\narc: h.feats m.feats\narc: h.case m.tag\nlabel: m.tag\n".to_owned();
    let columns = Columns { feats: true, other_tags: false };
    let options = DependencyOptions { templates, columns, ..quick(Order::First) };
    let mut all = sentences(10, 1);
    let without = train(&annotated(&all), &[], &options).unwrap();
    assert!(!without.looks_at("feats") && !without.looks_at("case") && without.looks_at("tag"));
    all[0].words_mut().for_each(|token| token.feats = "Number=Sing".into());
    let with = train(&annotated(&all), &[], &options).unwrap();
    assert!(with.looks_at("feats") && !with.looks_at("case"));
    all[1].words_mut().for_each(|token| token.feats = "Case=Nom".into());
    let with = train(&annotated(&all), &[], &options).unwrap();
    assert!(with.looks_at("feats") && with.looks_at("case"));
    let mut plain = all[0].clone();
    plain.words_mut().for_each(|token| token.feats = "_".into());
    assert_ne!(parse(&with, &all[0], None).posteriors, parse(&with, &plain, None).posteriors);
    assert_eq!(parse(&without, &all[0], None).posteriors, parse(&without, &plain, None).posteriors);
    // There may be some and nobody may want them.
    let unwanted = DependencyOptions { columns: Columns::default(), ..options };
    let without = train(&annotated(&all), &[], &unwanted).unwrap();
    assert!(!without.looks_at("feats") && !without.looks_at("case"));
}

#[test]
fn a_parser_that_starts_from_another_is_ahead() {
    let (many, few, test) = (annotated(&sentences(100, 1)), annotated(&sentences(1, 2)), sentences(60, 3));
    for order in [Order::First, Order::Second] {
        let start = train(&many, &[], &quick(order)).unwrap();
        let once = |descent: Descent| Descent { epochs: 1, rate: 0.01, ..descent };
        let mut options = quick(order);
        options.first = once(options.first);
        options.pruner = once(options.pruner);
        options.second = once(options.second);
        options.labels = once(options.labels);
        let (_, from_nothing) = accuracy(&train(&few, &[], &options).unwrap(), &test);
        let adapted = train_from(Some(&start), &few, &[], &options).unwrap();
        let (_, from_start) = accuracy(&adapted, &test);
        assert!(from_start > 0.9 && from_start > from_nothing + 0.05, "{from_start} {from_nothing}");
        // A table of another size cannot be the start, and does no harm.
        let other = DependencyOptions { bits: 11, label_bits: 7, ..options };
        train_from(Some(&start), &few, &[], &other).unwrap();
    }
}

#[test]
fn relations_that_only_the_start_knows_are_not_forgotten() {
    let many = sentences(60, 1);
    let start = train(&annotated(&many), &[], &quick(Order::First)).unwrap();
    let mut few = sentences(2, 2);
    let words = few.iter_mut().flat_map(|sentence| sentence.words_mut());
    words.filter(|token| token.deprel == "root").for_each(|token| token.deprel = "top".into());
    let mut options = quick(Order::First);
    options.labels = Descent { epochs: 1, rate: 0.001, ..options.labels };
    let model = train_from(Some(&start), &annotated(&few), &[], &options).unwrap();
    assert_eq!(model.relations().len(), start.relations().len() + 1);
    let (_, both) = accuracy(&model, &many);
    assert!(both > 0.9, "{both}");
}
