use std::collections::BTreeMap;

use proptest::prelude::*;

use super::exchange::Exchange;
use super::merge::Merging;
use super::text::Text;
use super::{Brown, BrownOptions};

/// F of a text whose words are replaced by the names of their classes, straight from the definition.
fn objective(sentences: &[Vec<String>]) -> f64 {
    let f = |n: f64| n * f64::ln(n);
    let edge = ["edge".to_owned()];
    let (mut pairs, mut totals) = (BTreeMap::new(), BTreeMap::new());
    for sentence in sentences.iter().filter(|sentence| !sentence.is_empty()) {
        let line: Vec<&String> = edge.iter().chain(sentence).chain(&edge).collect();
        for pair in line.windows(2) {
            *pairs.entry((pair[0], pair[1])).or_insert(0.0) += 1.0;
            *totals.entry(pair[0]).or_insert(0.0) += 1.0;
        }
    }
    pairs.into_values().map(f).sum::<f64>() - 2.0 * totals.into_values().map(f).sum::<f64>()
}

fn borrowed(sentences: &[Vec<u8>]) -> Vec<Vec<&'static str>> {
    const NAMES: [&str; 9] = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
    sentences.iter().map(|sentence| sentence.iter().map(|&word| NAMES[word as usize % 9]).collect()).collect()
}

fn lists(sentences: &[Vec<&'static str>]) -> impl Iterator<Item = Vec<&'static str>> {
    sentences.iter().cloned()
}

/// The sentences with classes for words.
fn classified(sentences: &[Vec<&str>], text: &Text<'_>, class: impl Fn(usize) -> usize) -> Vec<Vec<String>> {
    let of = |form: &&str| match text.words.iter().position(|(known, _)| known == form) {
        Some(number) => format!("class {}", class(number)),
        None => "rest".to_owned(),
    };
    sentences.iter().map(|sentence| sentence.iter().map(of).collect()).collect()
}

fn texts() -> impl Strategy<Value = Vec<Vec<u8>>> {
    prop::collection::vec(prop::collection::vec(0u8..9, 0..8), 1..12)
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-6 * (1.0 + b.abs())
}

proptest! {
    #[test]
    fn the_objective_is_that_of_the_definition_and_never_falls(words in texts(), n in 1..6usize, min_count in 1..3usize) {
        let sentences = borrowed(&words);
        let text = Text::new(lists(&sentences), min_count, 8);
        let mut exchange = Exchange::new(&text, n);
        let mut last = f64::NEG_INFINITY;
        for _ in 0..4 {
            let now = exchange.objective();
            let expected = objective(&classified(&sentences, &text, |word| exchange.class_of(word)));
            prop_assert!(close(now, expected), "{now} {expected}");
            prop_assert!(now >= last - 1e-9);
            last = now;
            exchange.walk();
        }
    }

    #[test]
    fn when_no_word_moves_no_single_move_would_help(words in texts(), n in 1..5usize) {
        let sentences = borrowed(&words);
        let text = Text::new(lists(&sentences), 1, 9);
        let mut exchange = Exchange::new(&text, n);
        while exchange.walk() > 0 {}
        let found = objective(&classified(&sentences, &text, |word| exchange.class_of(word)));
        for moved in 0..text.n_words() {
            for class in 0..n.min(text.n_words()) {
                let of = |word: usize| if word == moved { class } else { exchange.class_of(word) };
                let other = objective(&classified(&sentences, &text, of));
                prop_assert!(other <= found + 1e-6, "word {moved} to {class}: {other} > {found}");
            }
        }
    }

    #[test]
    fn remembered_losses_are_what_mergers_cost(words in texts(), n in 2..6usize) {
        let sentences = borrowed(&words);
        let text = Text::new(lists(&sentences), 1, 9);
        let mut exchange = Exchange::new(&text, n);
        exchange.walk();
        let mut classes: Vec<usize> = (0..text.n_words()).map(|word| exchange.class_of(word)).collect();
        let mut merging = Merging::new(exchange.counts());
        while let Some((kept, gone)) = merging.cheapest() {
            let now = objective(&classified(&sentences, &text, |word| classes[word]));
            let there: Vec<usize> = merging.classes().collect();
            let mut losses = Vec::new();
            for &a in &there {
                for &b in there.iter().filter(|&&b| b > a) {
                    let of = |word: usize| if classes[word] == b { a } else { classes[word] };
                    let loss = now - objective(&classified(&sentences, &text, of));
                    prop_assert!((merging.remembered(a, b) - loss).abs() < 1e-6, "{a} {b}");
                    losses.push(loss);
                }
            }
            let least = losses.into_iter().fold(f64::INFINITY, f64::min);
            prop_assert!((merging.remembered(kept, gone) - least).abs() < 1e-6);
            merging.merge(kept, gone);
            classes.iter_mut().filter(|class| **class == gone).for_each(|class| *class = kept);
        }
        prop_assert_eq!(merging.classes().count(), 1);
    }

    #[test]
    fn the_order_of_the_sentences_does_not_matter(words in texts(), n in 1..6usize) {
        let sentences = borrowed(&words);
        let options = BrownOptions { n_classes: n, min_count: 1, ..BrownOptions::default() };
        let backwards: Vec<Vec<&str>> = sentences.iter().rev().cloned().collect();
        prop_assert_eq!(Brown::fit(lists(&sentences), &options), Brown::fit(lists(&backwards), &options));
    }

    #[test]
    fn codes_are_those_of_a_binary_tree(words in texts(), n in 1..9usize) {
        let options = BrownOptions { n_classes: n, min_count: 1, ..BrownOptions::default() };
        let found = Brown::fit(lists(&borrowed(&words)), &options);
        let codes: std::collections::BTreeSet<&str> = found.words.iter().map(|(_, _, code)| code.as_str()).collect();
        prop_assert!(codes.len() <= n);
        for a in &codes {
            prop_assert!(!a.is_empty() && a.bytes().all(|bit| bit == b'0' || bit == b'1'));
            prop_assert!(codes.iter().all(|b| a == b || !b.starts_with(a)), "{codes:?}");
        }
    }
}

#[test]
fn a_language_of_two_classes_is_split_into_them() {
    let nouns = ["ba", "be", "bi", "bo", "bu"];
    let verbs = ["ka", "ke", "ki", "ko", "ku"];
    let sentence = |i: usize| vec![nouns[i % 5], verbs[i / 5 % 5], nouns[i / 3 % 5], verbs[i / 7 % 5]];
    let sentences: Vec<Vec<&str>> = (0..60).map(sentence).collect();
    let options = BrownOptions { n_classes: 2, min_count: 1, ..BrownOptions::default() };
    let found = Brown::fit(sentences.clone(), &options);
    assert_eq!(found.words.len(), 10);
    for (word, _, code) in &found.words {
        let same = found.words.iter().find(|(other, ..)| other == nouns[0]).map(|(_, _, code)| code);
        assert_eq!(same == Some(code), word.starts_with('b'), "{found:?}");
    }
    // With a class for every word, the first bit of the hierarchy is this distinction.
    let options = BrownOptions { n_classes: 10, ..options };
    let found = Brown::fit(sentences, &options);
    let firsts: Vec<(bool, &str)> =
        found.words.iter().map(|(word, _, code)| (word.starts_with('b'), &code[..1])).collect();
    assert!(firsts.iter().all(|(noun, bit)| (*noun == firsts[0].0) == (*bit == firsts[0].1)), "{found:?}");
}

#[test]
fn a_text_without_words_has_no_classes() {
    for sentences in [vec![], vec![vec![]], vec![vec!["once"]]] {
        let found = Brown::fit(sentences, &BrownOptions::default());
        assert!(found.words.is_empty() && found.objective.iter().all(|value| value.is_finite()));
    }
}
