//! Costs computed anew, paths against enumeration, and the same bits for the same seed.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use proptest::prelude::*;
use segment::*;
use std::collections::BTreeMap;

/// Words of few letters, so that they share parts.
fn corpus() -> impl Strategy<Value = Vec<(u64, String)>> {
    prop::collection::vec((1u64..30, "[abcd-]{1,7}"), 1..60)
}

/// Words of stems and endings.
fn language() -> impl Strategy<Value = Vec<(u64, String)>> {
    let word = (1u64..9, 0usize..9, 0usize..6).prop_map(|(count, stem, ending)| {
        let stem = ["walk", "talk", "sing", "kita", "soma", "land", "ta", "kalan", "re-ta"][stem];
        (count, format!("{stem}{}", ["", "s", "ed", "ing", "la", "landi"][ending]))
    });
    prop::collection::vec(word, 1..60)
}

fn settings() -> impl Strategy<Value = segment::Options> {
    let method = prop_oneof![
        Just(Method::Recursive),
        Just(Method::Viterbi(Viterbi { add_count: 0.0, max_letters: 30 })),
        Just(Method::Viterbi(Viterbi { add_count: 0.5, max_letters: 4 })),
    ];
    let dampening = prop_oneof![Just(Dampening::None), Just(Dampening::Log), Just(Dampening::Ones)];
    let order = prop_oneof![Just(Order::Random), Just(Order::List), Just(Order::Sorted)];
    (method, dampening, order, 0.1f64..2.0, any::<bool>(), prop::option::of(0.0f64..1.0), any::<u64>())
        .prop_map(|(method, dampening, order, corpus_weight, skips, initial_split, seed)| segment::Options {
            method,
            dampening,
            order,
            corpus_weight,
            skips,
            initial_split,
            seed,
            max_epochs: Some(4),
            ..segment::Options::default()
        })
}

fn borrowed(words: &[(u64, String)]) -> Vec<Counted<'_>> {
    words.iter().map(|(count, word)| (*count, word.as_str())).collect()
}

/// The counts of morphs.
fn lexicon(model: &Model) -> BTreeMap<&str, u64> {
    let mut counts = BTreeMap::new();
    for word in &model.words {
        for morph in word.morphs() {
            *counts.entry(morph).or_insert(0) += word.count;
        }
    }
    counts
}

fn n_ln_n(n: u64) -> f64 {
    if n == 0 { 0.0 } else { n as f64 * (n as f64).ln() }
}

fn ln_factorial(n: u64) -> f64 {
    if n < 20 {
        (2..=n).map(|factor| (factor as f64).ln()).sum()
    } else {
        n_ln_n(n) - n as f64 + 0.5 * (2.0 * std::f64::consts::PI * n as f64).ln()
    }
}

/// The cost by its formula, from nothing but words and morphs.
fn slow_cost(model: &Model) -> f64 {
    let counts = lexicon(model);
    let mut letters = BTreeMap::new();
    counts.keys().flat_map(|morph| morph.chars()).for_each(|letter| *letters.entry(letter).or_insert(0) += 1);
    let n_words: u64 = model.words.iter().map(|word| word.count).sum();
    let (n_tokens, n_types) = (counts.values().sum::<u64>(), counts.len() as u64);
    let (n_letters, alphabet) = (letters.values().sum::<u64>(), letters.len() as u64);
    let sum = |counts: Vec<u64>| counts.into_iter().map(n_ln_n).sum::<f64>();
    let tokens = n_ln_n(n_tokens + n_words) - n_ln_n(n_words) - sum(counts.into_values().collect());
    let frequencies =
        ln_factorial(n_tokens - 1) - ln_factorial(n_types - 1) - ln_factorial(n_tokens - n_types);
    let all = n_letters + n_types;
    let spelling =
        n_ln_n(all) - n_ln_n(n_types) - sum(letters.into_values().collect()) - ln_factorial(n_types);
    let spelt = ln_factorial(all - 1) - ln_factorial(alphabet) - ln_factorial(all - alphabet - 1);
    model.corpus_weight * tokens + frequencies + spelling + spelt
}

/// What a way to cut a word costs, by the formula of the documentation.
fn slow_path_cost(model: &Model, morphs: &[&str], n_letters: usize, add_count: f64) -> Option<f64> {
    let counts = lexicon(model);
    let n_words: u64 = model.words.iter().map(|word| word.count).sum();
    let n_tokens: u64 = counts.values().sum();
    let n_types = counts.len() as f64;
    let all_letters: Vec<char> = counts.keys().flat_map(|morph| morph.chars()).collect();
    let ln_tokens = ((n_tokens + n_words) as f64 + add_count).ln();
    let mut cost = ((n_tokens + n_words) as f64).ln() - (n_words as f64).ln();
    for morph in morphs {
        let n = morph.chars().count();
        cost += match counts.get(morph) {
            Some(&count) => ln_tokens - (count as f64 + add_count).ln(),
            None if add_count > 0.0 => {
                let times =
                    |letter: char| all_letters.iter().filter(|&&other| other == letter).count().max(1) as f64;
                let length = (n + 1) as f64 * ((all_letters.len() + n + 1) as f64).ln()
                    - (n_types + 1.0).ln()
                    - morph.chars().map(|letter| times(letter).ln()).sum::<f64>();
                let more = n_types + add_count;
                ln_tokens - add_count.ln()
                    + (more * more.ln() - n_types * n_types.ln() + length) / model.corpus_weight
            }
            None if n == 1 => n_letters as f64 * ln_tokens + 1.0,
            None => return None,
        };
    }
    Some(cost)
}

/// All ways to cut a word.
fn all_segmentations(word: &str) -> Vec<Vec<&str>> {
    let places: Vec<usize> = word.char_indices().map(|(at, _)| at).chain([word.len()]).collect();
    let n = places.len() - 1;
    let cut = |mask: usize| {
        let ends: Vec<usize> = (1..n).filter(|at| mask >> (at - 1) & 1 == 1).chain([n]).collect();
        let starts = [0].into_iter().chain(ends.clone());
        starts.zip(&ends).map(|(start, &end)| &word[places[start]..places[end]]).collect()
    };
    (0..1usize << (n - 1)).map(cut).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_cost_after_training_is_that_of_the_formula(words in corpus(), settings in settings()) {
        let trained = train(&borrowed(&words), &[], &settings, &mut |_| true).unwrap();
        let expected = slow_cost(&trained.model);
        prop_assert!((trained.cost.total() - expected).abs() < 1e-7, "{} {}", trained.cost.total(), expected);
        prop_assert!((Segmenter::new(&trained.model).unwrap().cost().total() - expected).abs() < 1e-7);
        let online = train_online(&borrowed(&words), &[], &settings, &mut |_| true).unwrap();
        prop_assert!((online.cost.total() - slow_cost(&online.model)).abs() < 1e-7);
    }

    #[test]
    fn training_that_was_saved_goes_on_to_the_same_bits(
        words in language(), settings in settings(), annotated in any::<bool>(), last in 1usize..4
    ) {
        let analyses = vec![vec!["walk".to_owned(), "ed".to_owned()]];
        let annotations = [Annotation { word: "walked".to_owned(), analyses }];
        let annotations = if annotated { &annotations[..] } else { &[] };
        let words = borrowed(&words);
        let straight = train(&words, annotations, &settings, &mut |_| true).unwrap();
        let mut kept = None;
        let _ = train_saved(&words, annotations, &settings, None, &mut |_| true, &mut |done, saved| {
            kept = (done == last).then(saved);
            done < last
        });
        // Training may have ended before.
        if let Some(saved) = kept {
            let bytes = chain::container::encode(&chain::container::Header::default(), &saved).unwrap();
            let (_, saved): (_, Saved) = chain::container::decode(&bytes, "", 0).unwrap();
            let go_on = |words: &[Counted<'_>], saved| {
                train_saved(words, annotations, &settings, Some(saved), &mut |_| true, &mut |_, _| true)
            };
            let mut others = words.clone();
            others.push((1, "other"));
            prop_assert!(matches!(go_on(&others, saved.clone()), Err(Error::OtherRun)));
            let resumed = go_on(&words, saved).unwrap();
            prop_assert_eq!(resumed.model, straight.model);
            prop_assert_eq!(resumed.costs, straight.costs);
            prop_assert_eq!(resumed.cost.total().to_bits(), straight.cost.total().to_bits());
        }
    }

    #[test]
    fn words_and_counts_survive_training(words in corpus(), settings in settings()) {
        let trained = train(&borrowed(&words), &[], &settings, &mut |_| true).unwrap();
        let mut expected: BTreeMap<String, u64> = BTreeMap::new();
        words.iter().for_each(|(count, word)| *expected.entry(word.clone()).or_insert(0) += count);
        let found: BTreeMap<String, u64> =
            trained.model.words.iter().map(|word| (word.morphs().concat(), word.count)).collect();
        expected.values_mut().for_each(|count| *count = settings.dampening.apply(*count));
        prop_assert_eq!(found, expected);
        for word in trained.model.words.iter().filter(|word| word.word.contains('-')) {
            if word.word.chars().count() > 1 && !settings.skips {
                prop_assert!(word.morphs().iter().all(|morph| !morph.contains('-') || *morph == "-"), "{:?}", word);
            }
        }
    }

    #[test]
    fn paths_are_those_of_enumeration(
        words in language(),
        word in "[walktingse]{1,8}",
        add_count in prop_oneof![Just(0.0), Just(1.0), Just(0.3)],
        corpus_weight in 0.5f64..2.0,
        n in 1usize..12,
    ) {
        let settings = segment::Options { corpus_weight, ..segment::Options::default() };
        let model = train(&borrowed(&words), &[], &settings, &mut |_| true).unwrap().model;
        let n_letters = word.chars().count();
        let mut expected: Vec<f64> = all_segmentations(&word)
            .iter()
            .filter_map(|morphs| slow_path_cost(&model, morphs, n_letters, add_count))
            .collect();
        expected.sort_by(f64::total_cmp);
        expected.truncate(n);
        let viterbi = Viterbi { add_count, ..Viterbi::default() };
        let segmenter = Segmenter::new(&model).unwrap();
        let found = segmenter.n_best(&word, n, &viterbi);
        prop_assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(expected) {
            prop_assert_eq!(found.morphs.concat(), word.as_str());
            prop_assert!((found.cost - expected).abs() < 1e-8, "{:?} {}", found, expected);
            let own = slow_path_cost(&model, &found.morphs, n_letters, add_count).unwrap();
            prop_assert!((found.cost - own).abs() < 1e-8);
        }
        prop_assert_eq!(&segmenter.segment(&word, &viterbi), &found[0]);
    }

    #[test]
    fn morphs_are_never_longer_than_asked_and_never_torn_where_forbidden(words in language(), word in "[walktingse]{1,12}", max_letters in 1usize..5) {
        let model = train(&borrowed(&words), &[], &segment::Options::default(), &mut |_| true).unwrap().model;
        let viterbi = Viterbi { add_count: 0.0, max_letters };
        let segmenter = Segmenter::new(&model).unwrap();
        prop_assert!(segmenter.segment(&word, &viterbi).morphs.iter().all(|morph| morph.chars().count() <= max_letters));
        let segmenter = segmenter.with_no_split(NoSplit::parse("[a-k].").unwrap());
        let found = segmenter.segment(&word, &Viterbi::default()).morphs;
        prop_assert!(found[..found.len() - 1].iter().all(|morph| !morph.ends_with(|last| ('a'..='k').contains(&last))), "{:?}", found);
    }

    #[test]
    fn the_same_seed_gives_the_same_bits(words in corpus(), settings in settings()) {
        let words = borrowed(&words);
        for train in [train, train_online] {
            let (a, b) = (train(&words, &[], &settings, &mut |_| true).unwrap(), train(&words, &[], &settings, &mut |_| true).unwrap());
            prop_assert_eq!(&a.model, &b.model);
            prop_assert_eq!(a.costs, b.costs);
        }
    }

    #[test]
    fn no_epoch_of_recursive_splitting_raises_the_cost(words in language(), seed in any::<u64>(), corpus_weight in 0.2f64..2.0) {
        let settings = segment::Options { seed, corpus_weight, dampening: Dampening::None, finish_threshold: 0.0, max_epochs: Some(6), ..segment::Options::default() };
        let costs = train(&borrowed(&words), &[], &settings, &mut |_| true).unwrap().costs;
        // The first epoch also cuts out hyphens, whatever that costs.
        prop_assert!(costs[1..].windows(2).all(|pair| pair[1] <= pair[0] + 1e-9), "{:?}", costs);
    }
}

#[test]
fn what_means_nothing_is_refused() {
    let refused = |settings: segment::Options, words: &[Counted<'_>]| {
        train(words, &[], &settings, &mut |_| true).map(|trained| trained.model).unwrap_err().to_string()
    };
    let words = [(3, "ab"), (2, "abc")];
    let refuse = |settings| refused(settings, &words);
    assert!(
        refuse(segment::Options { corpus_weight: 0.0, ..segment::Options::default() }).contains("above 0")
    );
    assert!(
        refuse(segment::Options { annotation_weight: Some(f64::NAN), ..segment::Options::default() })
            .contains("above 0")
    );
    assert!(
        refuse(segment::Options { initial_split: Some(2.0), ..segment::Options::default() })
            .contains("between 0 and 1")
    );
    assert!(refuse(segment::Options { min_count: 9, ..segment::Options::default() }).contains("no word"));
    let tokens = segment::Options { dampening: Dampening::None, ..segment::Options::default() };
    assert!(refused(tokens, &[(u64::MAX, "a"), (5, "b")]).contains("more than"));
    assert!(refused(segment::Options::default(), &[]).contains("no word"));
    let heavy = Model { words: vec![Analysed::new(1 << 52, &["a", "b"])], corpus_weight: 1.0 };
    assert!(Segmenter::new(&heavy).is_err());
    let stopped = train(&words, &[], &segment::Options::default(), &mut |_| false);
    assert!(matches!(stopped, Err(Error::Interrupted)));
}

#[test]
fn a_model_file_gives_back_the_model() {
    let words = [(5, "walking"), (4, "walked"), (3, "řízek"), (9, "walk")];
    let model = train(&words, &[], &segment::Options::default(), &mut |_| true).unwrap().model;
    let notes = BTreeMap::from([("seed".to_owned(), "0".to_owned())]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.treelet");
    model.write(&path, &notes).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    assert_eq!(Model::decode(&bytes).unwrap(), (model.clone(), notes.clone()));
    let mut broken = model;
    broken.words[2].cuts = vec![1];
    broken.write(&path, &notes).unwrap();
    assert!(Model::decode(&std::fs::read(&path).unwrap()).is_err());
}
