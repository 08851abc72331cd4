//! Clusters and vectors of words, and columns that not every input has.

use dependency::{BOOK_BYTES, Columns, DEFAULT_TEMPLATES, DependencyModel, DependencyOptions, Order};
use features::Codebook;
use tree::Sentence;

use crate::toy_language::{accuracy, annotated, bytes_of, from_bytes, parse, quick, sentences, train};

const EXTRA: [&str; 9] =
    ["feats", "case", "fine", "cluster", "cluster4", "cluster6", "vector", "vector4", "vector6"];

/// Sentences with something in every column.
fn filled(n: usize, seed: u64) -> Vec<Sentence> {
    let mut all = sentences(n, seed);
    for token in all.iter_mut().flat_map(Sentence::words_mut) {
        token.xpos = format!("{}{}", token.upos, token.form.len()).into();
        token.feats = format!("Case={}", &token.form[token.form.len() - 1..]).into();
    }
    all
}

#[test]
fn templates_that_nothing_was_asked_for_change_no_bit() {
    let mentions = |line: &str| {
        EXTRA.iter().any(|name| line.split_whitespace().any(|slot| slot.ends_with(&format!(".{name}"))))
    };
    let old: Vec<&str> = DEFAULT_TEMPLATES.lines().filter(|line| !mentions(line)).collect();
    assert!(old.len() + 40 < DEFAULT_TEMPLATES.lines().count());
    let data = annotated(&filled(60, 1));
    for order in [Order::First, Order::Second] {
        let new = train(&data, &[], &quick(order)).unwrap();
        let old =
            train(&data, &[], &DependencyOptions { templates: old.join("\n"), ..quick(order) }).unwrap();
        assert!(EXTRA.iter().all(|name| !new.looks_at(name)));
        assert_eq!((new.n_weights(), new.temperature()), (old.n_weights(), old.temperature()));
        for sentence in filled(20, 2) {
            let (a, b) = (parse(&new, &sentence, None), parse(&old, &sentence, None));
            assert_eq!((a.heads, a.relations, a.posteriors), (b.heads, b.relations, b.posteriors));
        }
    }
}

#[test]
fn default_templates_have_all_attributes_that_are_asked_for() {
    let data = annotated(&filled(10, 1));
    let book = || Some(Codebook::new([("noun1", "010101"), ("verb1", "110101")], 99));
    let columns = Columns { feats: true, other_tags: true };
    let asked = DependencyOptions { columns, clusters: book(), vectors: book(), ..quick(Order::Second) };
    let model = train(&data, &[], &asked).unwrap();
    assert!(EXTRA.iter().all(|name| model.looks_at(name)));
    let blind = DependencyOptions { delexicalised: true, ..asked };
    let model = train(&data, &[], &blind).unwrap();
    assert!(EXTRA.iter().all(|name| !model.looks_at(name)));
}

/// Nouns and verbs of the toy language without the help of tags, in words that training has or has not.
fn without_tags(sentences: &[Sentence], unseen: bool) -> Vec<Sentence> {
    let mut all = sentences.to_vec();
    for token in all.iter_mut().flat_map(Sentence::words_mut) {
        // A word that says nothing of its tag, but is another one for every tag and digit.
        let number: u32 = token.form.bytes().fold(7, |sum, byte| (sum * 31 + u32::from(byte)) % 100_003);
        token.form = format!("{}{number}", if unseen { "q" } else { "w" }).into();
        token.upos = "X".into();
    }
    all
}

/// A code for each tag, for words of both kinds.
fn book(sentences: &[Sentence]) -> Codebook {
    let tags: Vec<_> = sentences.iter().flat_map(Sentence::words).map(|token| token.upos.clone()).collect();
    let forms = [false, true].map(|unseen| without_tags(sentences, unseen));
    let entries =
        forms.iter().flat_map(|all| all.iter().flat_map(Sentence::words).map(|token| token.form.to_string()));
    let code = |tag: &str| format!("{:06b}", tag.bytes().map(u32::from).sum::<u32>() % 64);
    Codebook::new(entries.zip(tags.iter().chain(&tags).map(|tag| code(tag))), BOOK_BYTES)
}

#[test]
fn clusters_and_vectors_tell_what_unseen_words_are() {
    let (train_on, test) = (sentences(150, 1), sentences(60, 2));
    let data = annotated(&without_tags(&train_on, false));
    let all: Vec<Sentence> = train_on.iter().chain(&test).cloned().collect();
    let (book, unseen) = (book(&all), without_tags(&test, true));
    for order in [Order::First, Order::Second] {
        let plain = train(&data, &[], &quick(order)).unwrap();
        let (without, _) = accuracy(&plain, &unseen);
        for number in 0..2 {
            let mut options = quick(order);
            *[&mut options.clusters, &mut options.vectors][number] = Some(book.clone());
            let (with, _) = accuracy(&train(&data, &[], &options).unwrap(), &unseen);
            assert!(with > without + 0.2, "{order:?} {number}: {without} {with}");
        }
    }
}

/// A parser that sees nothing but one attribute.
fn sees_only(attribute: &str, book: &Codebook) -> DependencyModel {
    let templates = format!("arc: h.{attribute} m.{attribute} +distance\nlabel: m.{attribute}\n");
    let options = DependencyOptions { templates, clusters: Some(book.clone()), ..quick(Order::First) };
    train(&annotated(&sentences(60, 1)), &[], &options).unwrap()
}

#[test]
fn words_of_a_cluster_are_alike_and_words_without_one_are_another() {
    let names = ["noun0", "noun1", "noun2", "verb0", "verb1", "det0", "det1", "adj0"];
    let bits = ["0101011", "0101010", "0101110", "11", "1100", "A0101x", "A0101y", "0"];
    let book = Codebook::new(names.into_iter().zip(bits), BOOK_BYTES);
    // The first word changes; all else stays.
    let seen = |model: &DependencyModel, first: &str| {
        let words = [first, "noun5", "verb0", "noun3"].map(|form| (form, "X", 1, "x"));
        parse(model, &crate::toy_language::sentence(words), None).posteriors
    };
    for (attribute, alike, different) in [
        (
            "cluster",
            [("none1", "none2"), ("NOUN0", "noun0")],
            [("noun0", "noun1"), ("adj0", "none1"), ("det0", "det1")],
        ),
        (
            "cluster6",
            [("noun0", "noun1"), ("verb1", "VERB1")],
            [("noun0", "noun2"), ("verb0", "verb1"), ("det0", "det1")],
        ),
        (
            "cluster4",
            [("noun0", "noun2"), ("noun1", "noun2")],
            [("noun0", "verb0"), ("verb0", "verb1"), ("det0", "det1")],
        ),
    ] {
        let model = sees_only(attribute, &book);
        for (a, b) in alike {
            assert_eq!(seen(&model, a), seen(&model, b), "{attribute}: {a} {b}");
        }
        for (a, b) in different {
            assert_ne!(seen(&model, a), seen(&model, b), "{attribute}: {a} {b}");
        }
    }
}

#[test]
fn books_are_part_of_the_file_and_leave_it_small() {
    let many = (0..200_000).map(|i| (format!("word{i}"), format!("{:010b}", i % 1024)));
    let full = Codebook::new(many, BOOK_BYTES);
    assert!(full.n_words() > 90_000);
    let options = DependencyOptions {
        clusters: Some(full.clone()),
        vectors: Some(full.clone()),
        ..quick(Order::Second)
    };
    let data = annotated(&sentences(15, 1));
    let model = train(&data, &[], &options).unwrap();
    let plain = bytes_of(&train(&data, &[], &quick(Order::Second)).unwrap());
    let bytes = bytes_of(&model);
    assert!(bytes.len() < plain.len() + 2 * BOOK_BYTES + 200_000, "{} {}", bytes.len(), plain.len());
    let back = from_bytes(&bytes).unwrap();
    assert!(bytes_of(&back) == bytes);
    assert_eq!(back.options().clusters.as_ref().map(Codebook::n_words), Some(full.n_words()));
    for sentence in sentences(10, 2) {
        assert_eq!(parse(&model, &sentence, None).posteriors, parse(&back, &sentence, None).posteriors);
    }
}
