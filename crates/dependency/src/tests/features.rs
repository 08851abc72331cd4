//! What features tell apart, and what not.

use arcs::second_order::{Grandparent, Sibling, Side};
use chain::Stream;
use indexmap::IndexMap;
use tree::Sentence;

use super::toys::{self, Piece};
use crate::attributes::{Attribute, Attributes, TagColumn};
use crate::labels::LabelFeatures;
use crate::parts::PartFeatures;
use crate::templates::Template;

/// What stands so far from a word, in words; `None` is nobody.
fn seen(sentence: &Sentence, at: Option<usize>, offset: isize, attribute: Attribute) -> String {
    let n_words = sentence.n_words() as isize;
    let Some(at) = at else { return "nobody".into() };
    match at as isize + offset {
        ..0 => "before".into(),
        0 => "root".into(),
        at if at > n_words => "after".into(),
        at => {
            let token = sentence.words().nth(at as usize - 1).unwrap();
            match attribute {
                Attribute::Tag => format!("{attribute:?}={}", token.upos),
                Attribute::Form => format!("{attribute:?}={}", token.form),
                _ => panic!("the toy templates have no {attribute:?}"),
            }
        }
    }
}

fn said(sentence: &Sentence, template: &Template, places: &[Option<usize>]) -> String {
    let slot = |slot: &crate::templates::Slot| seen(sentence, places[slot.role], slot.offset, slot.attribute);
    let slots: Vec<String> = template.slots.iter().map(slot).collect();
    format!("{:x} {}", template.salt, slots.join(" "))
}

fn class(length: usize) -> &'static str {
    match length {
        1 => "1",
        2 => "2",
        3 => "3",
        4 => "4",
        5..=6 => "5-6",
        7..=9 => "7-9",
        10..=14 => "10-14",
        15..=29 => "15-29",
        _ => "30+",
    }
}

/// Features of an arc for templates of arcs or relations, the copies with the length after each.
fn of_arc(
    sentence: &Sentence,
    templates: &[Template],
    places: &[Option<usize>],
    [h, m]: [usize; 2],
) -> Vec<String> {
    let direction = if h < m { "right" } else { "left" };
    let mut features = Vec::new();
    for template in templates {
        let said = said(sentence, template, places);
        features.push(format!("{said} {direction}"));
        if template.distance {
            features.push(format!("{said} {direction} {}", class(h.abs_diff(m))));
        }
    }
    features
}

/// The same key for the same feature, another key for another.
#[derive(Default)]
struct Book {
    keys: IndexMap<String, u64>,
    features: IndexMap<u64, String>,
}

impl Book {
    fn compare(&mut self, mut features: Vec<String>, keys: Vec<u64>) {
        assert_eq!(features.len(), keys.len(), "{features:?}");
        for (feature, key) in features.drain(..).zip(keys) {
            assert_eq!(*self.keys.entry(feature.clone()).or_insert(key), key, "{feature} has two keys");
            let other = self.features.entry(key).or_insert_with(|| feature.clone());
            assert_eq!(*other, feature, "two features have one key");
        }
    }
}

fn keys_of(features: &PartFeatures, piece: Piece) -> Vec<u64> {
    let mut keys = Vec::new();
    toys::each_key(features, piece, |key| keys.push(key));
    keys
}

#[test]
fn arcs_have_the_features_that_their_templates_say() {
    let (templates, mut book) = (toys::templates(), Book::default());
    for number in 0..30 {
        let mut rng = Stream::new(3).item(number).rng();
        let n_words = [3, 8, 40][number % 3];
        let sentence = toys::sentence(&mut rng, n_words);
        let features = PartFeatures::new(&templates, &Attributes::new(&sentence, TagColumn::Upos));
        for (h, m) in (0..=n_words).flat_map(|h| (1..=n_words).map(move |m| (h, m))).filter(|(h, m)| h != m) {
            let places = [Some(h), Some(m)];
            let mut expected = of_arc(&sentence, &templates.arc, &places, [h, m]);
            // Tags of words between count once each, in the order in which the sentence has them first.
            let tags: Vec<_> = sentence.words().map(|token| token.upos.clone()).collect();
            let between = &tags[h.min(m)..h.max(m) - 1];
            let mut kinds: Vec<_> = tags.iter().filter(|tag| between.contains(tag)).collect();
            kinds.sort_by_key(|tag| tags.iter().position(|other| other == *tag));
            kinds.dedup();
            for kind in kinds {
                for template in &templates.between {
                    let said = said(&sentence, template, &places);
                    expected.push(format!("{said} over {kind} {}", if h < m { "right" } else { "left" }));
                }
            }
            book.compare(expected, keys_of(&features, Piece::Arc(h, m)));
        }
    }
}

#[test]
fn siblings_and_grandparents_have_the_features_that_their_templates_say() {
    let (templates, mut book) = (toys::templates(), Book::default());
    for number in 0..40 {
        let mut rng = Stream::new(4).item(number).rng();
        let n_words = 2 + rng.below(6);
        let sentence = toys::sentence(&mut rng, n_words);
        let features = PartFeatures::new(&templates, &Attributes::new(&sentence, TagColumn::Upos));
        let kept: Vec<usize> = (1..=n_words).collect();
        let heads = toys::tree(&mut rng, &kept, n_words, toys::SHAPES[1]);
        for piece in toys::pieces(&heads, &vec![false; n_words + 1], true) {
            let (list, places, shape) = match piece {
                Piece::Arc(..) => continue,
                Piece::Sibling(Sibling { head, side, inner, outer }) => {
                    let side = if side == Side::Left { "left" } else { "right" };
                    (&templates.sibling, [Some(head), inner, outer], side.to_owned())
                }
                Piece::Grandparent(Grandparent { grandparent: g, head: h, dependent: m }) => {
                    (&templates.grandparent, [Some(g), Some(h), Some(m)], format!("{} {}", g < h, h < m))
                }
            };
            let expected =
                list.iter().map(|template| format!("{} {shape}", said(&sentence, template, &places)));
            book.compare(expected.collect(), keys_of(&features, piece));
        }
    }
}

#[test]
fn relations_see_the_heads_head_the_nearer_sibling_and_the_outermost_dependents() {
    let (templates, mut book) = (toys::templates(), Book::default());
    for number in 0..60 {
        let mut rng = Stream::new(5).item(number).rng();
        let n_words = 1 + rng.below(9);
        let sentence = toys::sentence(&mut rng, n_words);
        let kept: Vec<usize> = (1..=n_words).collect();
        let heads = toys::tree(&mut rng, &kept, n_words, toys::SHAPES[number % 4]);
        let words = Attributes::new(&sentence, TagColumn::Upos);
        let features = LabelFeatures::new(&templates, &words, &toys::as_heads(&heads));
        for m in 1..=n_words {
            let h = heads[m - 1];
            let g = (h > 0).then(|| heads[h - 1]);
            let between = (h.min(m) + 1..h.max(m)).filter(|&word| heads[word - 1] == h);
            let s = if h < m { between.max() } else { between.min() };
            let below = || (1..=n_words).filter(|&word| heads[word - 1] == m);
            let places = [Some(h), Some(m), g, s, below().min(), below().max()];
            let mut keys = Vec::new();
            features.each(m, |key| keys.push(key));
            book.compare(of_arc(&sentence, &templates.label, &places, [h, m]), keys);
        }
    }
}

#[test]
fn all_arcs_at_once_score_as_one_by_one() {
    for number in 0..10 {
        let mut rng = Stream::new(6).item(number).rng();
        let words = toys::attributes(&mut rng, 12);
        let table = toys::table(&mut rng, 10, 1, 1.0);
        let features = PartFeatures::new(&toys::templates(), &words);
        let mut scores = arcs::ArcScores::default();
        features.arcs.score(&table, |word| word == 5, &mut scores);
        for (h, m) in (0..=12).flat_map(|h| (1..=12).map(move |m| (h, m))) {
            let expected = match m {
                5 => f64::NEG_INFINITY,
                m if m == h => f64::NEG_INFINITY,
                m => toys::score(&features, &table, &[Piece::Arc(h, m)]),
            };
            assert_eq!(scores.get(h, m), expected, "{h} → {m}");
        }
    }
}
