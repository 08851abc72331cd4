//! Data of every kind: never a crash, never something that is not a number.

use arcs::Roots;
use dependency::{
    Annotated, DependencyOptions, LearnError, Learner, Order, ParseOptions, TreeShape, Workspace,
};
use tree::Possible;
use tree::{Head, PartialTree, Reading, Sentence};

use crate::toy_language::{annotated, parse, quick, sentence, sentences, train, workers};

const ORDERS: [Order; 2] = [Order::First, Order::Second];

#[test]
fn one_sentence_is_enough() {
    for order in ORDERS {
        for n in [1, 2, 3, 10] {
            let data = annotated(&sentences(n, 1));
            let model = train(&data, &[], &quick(order)).unwrap();
            sentences(5, 2).iter().for_each(|sentence| drop(parse(&model, sentence, None)));
        }
    }
}

#[test]
fn sentences_that_say_nothing_are_refused_with_a_reason() {
    let word = || sentence([("a", "N", 0, "root")]);
    let mut open = sentence([("a", "N", 0, "root"), ("b", "V", 1, "x")]);
    open.words_mut().for_each(|token| token.head = Head::read("_"));
    let (options, workers) = (quick(Order::First), workers(1));
    for data in [vec![], annotated(&[word(), word()]), annotated(&[open]), annotated(&[Sentence::default()])]
    {
        let error = Learner::new(&data, &[], None, &options, &workers).unwrap_err();
        assert_eq!(error, LearnError::Nothing);
        assert!(error.to_string().contains("two words or more"), "{error}");
    }
    let mut data = annotated(&[word(), Sentence::default()]);
    data.extend(annotated(&sentences(1, 1)));
    let learner = Learner::new(&data, &[], None, &options, &workers).unwrap();
    assert_eq!((learner.used().sentences, learner.used().unused), (1, 2));
}

#[test]
fn impossible_settings_are_refused_with_a_reason() {
    let (data, workers) = (annotated(&sentences(2, 1)), workers(1));
    let good = quick(Order::Second);
    let shape = TreeShape { projective: false, ..good.shape };
    let crossing = DependencyOptions { shape, ..good.clone() };
    let error = |options: &DependencyOptions| Learner::new(&data, &[], None, options, &workers).unwrap_err();
    assert_eq!(error(&crossing), LearnError::Crossing);
    for bits in [0, 29, 64, 1000] {
        assert_eq!(error(&DependencyOptions { bits, ..good.clone() }), LearnError::Size);
        assert_eq!(error(&DependencyOptions { label_bits: bits, ..good.clone() }), LearnError::Size);
    }
    let templates = "arc: h.colour".to_owned();
    assert!(matches!(error(&DependencyOptions { templates, ..good }), LearnError::Templates(_)));
}

#[test]
fn a_cycle_is_found_before_training() {
    let cycle = sentence([("a", "N", 2, "x"), ("b", "N", 1, "x"), ("c", "V", 0, "root")]);
    assert!(Possible::new(&PartialTree::from_sentence(&cycle), &Reading::default()).is_err());
}

#[test]
fn trees_that_the_parser_cannot_build_are_relaxed_and_counted() {
    let roots = sentence([("a", "N", 0, "root"), ("b", "V", 0, "root"), ("c", "N", 2, "obj")]);
    let names = ["a", "b", "c", "d"];
    let crossing = sentence(names.iter().zip([3, 4, 0, 3]).map(|(form, head)| (*form, "N", head, "dep")));
    let plain = sentences(3, 1);
    let data = annotated(&[roots, crossing, plain[0].clone(), plain[1].clone(), plain[2].clone()]);
    for (projective, roots, relaxed) in
        [(true, Roots::One, 2), (true, Roots::Many, 1), (false, Roots::One, 1), (false, Roots::Many, 0)]
    {
        let options = DependencyOptions { shape: TreeShape { projective, roots }, ..quick(Order::First) };
        let learner = Learner::new(&data, &[], None, &options, &workers(1)).unwrap();
        let used = learner.used();
        assert_eq!((used.sentences, used.relaxed, used.unused), (5, relaxed, 0), "{projective} {roots:?}");
        let model = train(&data, &[], &options).unwrap();
        for item in &data {
            let parsed = parse(&model, &item.sentence, None);
            assert!(!projective || parsed.heads.is_projective());
            assert!(roots == Roots::Many || parsed.heads.n_roots() == 1);
            let demanded = parse(&model, &item.sentence, Some(&item.possible));
            assert_eq!(demanded.honoured, item.possible.admits(&demanded.heads));
        }
    }
    let second = train(&data, &[], &quick(Order::Second)).unwrap();
    for item in &data {
        // What is demanded goes before the shape of trees.
        assert!(parse(&second, &item.sentence, Some(&item.possible)).honoured);
    }
}

#[test]
fn there_may_be_no_relations_or_only_one() {
    for order in ORDERS {
        for relation in ["_", "dep"] {
            let mut sentences = sentences(6, 1);
            let words = sentences.iter_mut().flat_map(|sentence| sentence.words_mut());
            words.for_each(|token| token.deprel = relation.into());
            let model = train(&annotated(&sentences), &[], &quick(order)).unwrap();
            assert_eq!(model.relations().len(), usize::from(relation == "dep"));
            let parsed = parse(&model, &sentences[0], None);
            assert!(parsed.relations.iter().all(|(name, p)| name == relation && *p == 1.0));
        }
    }
}

#[test]
fn long_sentences_are_learned_and_parsed() {
    let tags = ["N", "V", "D", "A"];
    let forms: Vec<String> = (0..300).map(|at| format!("w{}", at % 37)).collect();
    let word = |at: usize| {
        let head = if at == 149 {
            0
        } else if at < 149 {
            at + 2
        } else {
            at
        };
        (forms[at].as_str(), tags[at % 4], head, "dep")
    };
    let long = sentence((0..300).map(word));
    let mut data = annotated(std::slice::from_ref(&long));
    data.extend(annotated(&sentences(3, 1)));
    for order in ORDERS {
        let model = train(&data, &[], &quick(order)).unwrap();
        assert!(parse(&model, &long, None).honoured);
        assert!(parse(&model, &long, Some(&data[0].possible)).honoured);
    }
}

#[test]
fn sentences_that_count_for_nothing_change_nothing() {
    for order in ORDERS {
        let mut data = annotated(&sentences(4, 1));
        data.iter_mut().for_each(|item| item.weight = 0.0);
        let model = train(&data, &[], &quick(order)).unwrap();
        assert_eq!(model.n_weights(), [0, 0, 0]);
        parse(&model, &data[0].sentence, None);
        data[1].weight = f64::NAN;
        data[2].weight = f64::INFINITY;
        data[3].weight = 1.0;
        let options = quick(order);
        let learner = Learner::new(&data, &[], None, &options, &workers(1)).unwrap();
        assert_eq!(learner.used().unused, 2);
        parse(&train(&data, &[], &options).unwrap(), &data[0].sentence, None);
    }
}

#[test]
fn a_sentence_with_twice_the_weight_is_worth_two() {
    let all = sentences(2, 3);
    let mut options = quick(Order::First);
    options.first.batch = 10;
    options.labels.batch = 10;
    let mut weighted = annotated(&all);
    weighted[0].weight = 2.0;
    let repeated = annotated(&[all[0].clone(), all[0].clone(), all[1].clone()]);
    let (one, two) = (train(&weighted, &[], &options).unwrap(), train(&repeated, &[], &options).unwrap());
    let of = |model| parse(model, &all[1], None).posteriors.unwrap();
    let (one, two) = (of(&one), of(&two));
    for word in 1..=all[1].n_words() {
        for (a, b) in one.row(word).iter().zip(two.row(word)) {
            assert!((a - b).abs() < 0.02, "{a} {b}");
        }
    }
}

#[test]
fn empty_sentences_strange_words_and_missing_tags_are_parsed() {
    for order in ORDERS {
        let model = train(&annotated(&sentences(10, 1)), &[], &quick(order)).unwrap();
        parse(&model, &Sentence::default(), None);
        parse(&model, &Sentence::default(), Some(&Possible::everything(0)));
        parse(&model, &Sentence::from_forms(["x"]), None);
        parse(&model, &Sentence::from_forms(["", "ʒʒ", "\u{10FFFF}", "ﬁ", "1", "١", "_", " "]), None);
        let few = ParseOptions::default();
        assert!(model.parse(&Sentence::default(), None, &few, &mut Workspace::default()).heads.is_empty());
    }
}

#[test]
fn data_without_tags_are_learned() {
    let mut all = sentences(20, 1);
    let words = all.iter_mut().flat_map(|sentence| sentence.words_mut());
    words.for_each(|token| token.upos = "_".into());
    for order in ORDERS {
        let model = train(&annotated(&all), &[], &quick(order)).unwrap();
        let (heads, _) = crate::toy_language::accuracy(&model, &all);
        assert!(heads > 0.8, "{heads}");
    }
}

#[test]
fn demands_for_another_number_of_words_are_not_honoured() {
    let all = sentences(5, 1);
    let model = train(&annotated(&all), &[], &quick(Order::First)).unwrap();
    let other = Possible::everything(all[0].n_words() + 1);
    assert!(!parse(&model, &all[0], Some(&other)).honoured);
}

#[test]
fn rules_pull_where_nothing_was_said() {
    let mut all = sentences(30, 1);
    let gold = all.clone();
    let words = all.iter_mut().flat_map(|sentence| sentence.words_mut());
    words.for_each(|token| token.head = Head::read("_"));
    let free: Vec<Annotated> = annotated(&all);
    for order in ORDERS {
        assert_eq!(train(&free, &[], &quick(order)).unwrap_err(), LearnError::Nothing);
        let options = DependencyOptions { rule_pull: 3.0, ..quick(order) };
        let model = train(&free, &[], &options).unwrap();
        let (heads, _) = crate::toy_language::accuracy(&model, &gold);
        // Without any pull all trees are alike, and about a third is right.
        assert!(heads > 0.55, "{order:?} {heads}");
    }
}

#[test]
fn half_of_the_heads_teach_nearly_as_much_as_all_of_them() {
    let mut all = sentences(80, 1);
    for (number, sentence) in all.iter_mut().enumerate() {
        let words = sentence.words_mut().enumerate().filter(|(at, _)| (at + number) % 2 == 0);
        words.for_each(|(_, token)| token.head = Head::read("_"));
    }
    let test = sentences(60, 2);
    for order in ORDERS {
        let model = train(&annotated(&all), &[], &quick(order)).unwrap();
        let (heads, _) = crate::toy_language::accuracy(&model, &test);
        assert!(heads > 0.9, "{order:?} {heads}");
    }
}

#[test]
fn a_relation_that_is_kept_is_certain() {
    let model = train(&annotated(&sentences(20, 1)), &[], &quick(Order::First)).unwrap();
    let options = ParseOptions { keep_relations: true, ..ParseOptions::default() };
    for mut sentence in sentences(5, 2) {
        let first = sentence.words_mut().next().unwrap();
        first.deprel = "vocative".into();
        sentence.words_mut().skip(1).for_each(|token| token.deprel = tree::sentence::UNSPECIFIED);
        let parsed = model.parse(&sentence, None, &options, &mut Workspace::default());
        assert_eq!(parsed.relations[0], ("vocative".into(), 1.0));
        assert!(parsed.relations[1..].iter().all(|(name, _)| name != "_"), "{:?}", parsed.relations);
    }
}
