//! Every sentence gets a tree.

use std::collections::BTreeMap;

use chain::{Start, Stream, Workers};
use constituency::gibbs::{self, GibbsOptions};
use constituency::parser::Fallback;
use constituency::{Decode, ParseOptions, Parsed, Parser, TrainOptions, Training};
use grammar::anchor::{Brackets, ConstraintError};
use testkit::twin::{honours, tree, trees};
use tree::{Text, Tree};

const TREEBANK: &str = "(TOP (S (NP (DT the) (NN dog)) (VP (VB saw) (NP (DT the) (NN cat)))))
(TOP (S (NP (NN cat)) (VP (VB saw) (NP (DT a) (JJ big) (NN dog)))))
(TOP (S (NP (DT a) (NN dog)) (VP (VB slept))))
(TOP (S (NP (NP (DT the) (NN dog)) (PP (IN with) (NP (DT a) (NN cat)))) (VP (VB slept))))
";

fn parser() -> Parser {
    let options = TrainOptions {
        annotations: 2,
        occurrences_per_annotation: 1.0,
        stage_sweeps: 0,
        burn_in: 2,
        samples: 2,
        chains: 2,
        ..TrainOptions::default()
    };
    let workers = Workers::serial();
    let (training, _) = Training::new(&trees(TREEBANK, 99), &[], &[], options, &workers).unwrap();
    let chains = training.run(Start::Fresh, &mut (), &workers).unwrap().chains;
    Parser::new(training.model(chains, BTreeMap::new()), &workers)
}

fn decoders() -> Vec<ParseOptions> {
    let with = |decode| ParseOptions { decode, samples: 5, ..ParseOptions::default() };
    [Decode::MaxRule, Decode::Mbr, Decode::Viterbi, Decode::Mode].map(with).to_vec()
}

/// The parses of all decoders, of a fixed grammar and of the sampler.
fn parse_all_ways(parser: &Parser, sentences: &[Brackets]) -> Vec<Vec<Parsed>> {
    let workers = Workers::serial();
    let sampler = GibbsOptions { burn_in: 1, samples: 3, chains: 2, ..GibbsOptions::default() };
    let mut all = Vec::new();
    for options in decoders() {
        all.push(parser.parse_all(sentences, &options, Stream::new(0), &workers));
        all.push(gibbs::parse(parser, sentences, &sampler, &options, &mut (), &workers).unwrap());
    }
    all
}

fn given(text: &str) -> Brackets {
    Brackets::tree(&tree(text))
}

#[test]
fn every_sentence_gets_a_tree_over_its_words() {
    let parser = parser();
    let words = |text: &str| Brackets::words(text.split_whitespace().map(Text::new).collect());
    let sentences = [
        words("the dog saw a cat"),
        words("dog"),
        words("Frobnicate"),
        words("😀 3.14 ;"),
        words("with with with with"),
        words("slept the the"),
        Brackets::words(Vec::new()),
        Brackets::words(vec![Text::new("")]),
        Brackets::words(vec![Text::new("dog"); 45]),
        given("(TOP (S (VP (NN the) (IN dog)) (NP saw)))"),
        given("(XX (YY the dog) (ZZ saw))"),
        given("(TOP (S (NP (QQ the) (NN dog)) (VP (VB slept))))"),
        given("(_ (_ (_ (_ dog))))"),
    ];
    for parses in parse_all_ways(&parser, &sentences) {
        assert_eq!(parses.len(), sentences.len());
        for (sentence, parsed) in sentences.iter().zip(&parses) {
            let (tree, p) = &parsed.trees[0];
            if sentence.words.is_empty() {
                assert!(parsed.fallback.is_some());
                continue;
            }
            assert!(tree.words().eq(&sentence.words), "{sentence:?}: {tree:?}");
            assert!(!tree.nodes()[0].is_word(), "no constituent over {:?}", sentence.words);
            assert!((0.0..=1.0 + 1e-9).contains(p));
            assert!(honours(tree, sentence), "{sentence:?}: {}", formats::brackets::to_string(tree));
        }
    }
}

#[test]
fn a_makeshift_says_why_it_is_one() {
    let parser = parser();
    let reason = |sentence: Brackets, options: &ParseOptions| {
        let sentences = [sentence];
        parser.parse_all(&sentences, options, Stream::new(0), &Workers::serial()).remove(0).fallback
    };
    let usual = ParseOptions::default();
    let pieces = |problem| Some(Fallback::Pieces(problem));
    assert_eq!(reason(Brackets::words(Vec::new()), &usual), pieces(ConstraintError::Empty));
    let unknown = ConstraintError::UnknownLabel { label: Text::new("XX"), start: 0, end: 2 };
    assert_eq!(reason(given("(XX the dog)"), &usual), pieces(unknown));
    // An unknown tag is no reason: it is written into the tree.
    assert_eq!(reason(given("(TOP (S (NP (QQ dog)) (VP (VB slept))))"), &usual), None);
    assert_eq!(reason(given("(TOP (S (VP (VB slept)) (NP dog)))"), &usual), pieces(ConstraintError::NoTree));
    assert_eq!(reason(given("(TOP (S (NP (NN dog)) (VP (VB slept))))"), &usual), None);
    let short = ParseOptions { max_words: 4, ..usual };
    let long = Brackets::words(vec![Text::new("dog"); 500]);
    assert_eq!(reason(long, &short), pieces(ConstraintError::TooLong(500)));
}

#[test]
fn a_makeshift_has_the_words_brackets_and_tags_that_were_given() {
    let parser = parser();
    let options = ParseOptions { max_words: 2, ..ParseOptions::default() };
    let gold: Vec<Tree<Text>> = trees(TREEBANK, 99);
    let mut sentences: Vec<Brackets> = gold.iter().map(Brackets::tree).collect();
    sentences.push(given("(_ (_ the dog) saw (NP (_ a cat) (VB slept)))"));
    let parses = parser.parse_all(&sentences, &options, Stream::new(0), &Workers::serial());
    for ((sentence, parsed), gold) in sentences.iter().zip(&parses).zip(gold.iter().map(Some).chain([None])) {
        let makeshift = &parsed.trees[0].0;
        assert!(honours(makeshift, sentence));
        assert!(gold.is_none_or(|gold| gold == makeshift), "all was given and something else came out");
        assert_eq!((parsed.trees[0].1, parsed.ln_probability), (0.0, f64::NEG_INFINITY));
    }
    let long = Brackets::words((0..500).map(|at| Text::new(format!("w{at}"))).collect());
    let parsed =
        parser.parse_all(std::slice::from_ref(&long), &options, Stream::new(0), &Workers::serial()).remove(0);
    assert!(parsed.trees[0].0.words().eq(&long.words));
}

#[test]
fn constraints_are_honoured_by_every_decoder() {
    let parser = parser();
    let sentences = [
        given("(_ (_ the dog) saw (NP a cat))"),
        given("(TOP (S (_ (NP the dog) (_ with (_ a cat))) (VP (_ slept))))"),
        given("(_ (DT the) (NN saw) (VB dog) a (_ cat))"),
        given("(_ (_ the dog with a cat) slept)"),
    ];
    for parses in parse_all_ways(&parser, &sentences) {
        for (sentence, parsed) in sentences.iter().zip(&parses) {
            assert_eq!(parsed.fallback, None, "{sentence:?}");
            for tree in parsed.trees.iter().map(|(tree, _)| tree).chain(&parsed.samples) {
                assert!(honours(tree, sentence), "{}", formats::brackets::to_string(tree));
            }
        }
    }
}

#[test]
fn a_phrase_label_right_above_a_word_is_a_bracket_and_no_tag() {
    let parsed = parse_all_ways(&parser(), &[given("(TOP (S (NP the dog) (VP slept)))")]);
    for parsed in parsed.iter().flatten() {
        assert_eq!(parsed.fallback, None);
        assert_eq!(parsed.trees[0].0, tree("(TOP (S (NP (DT the) (NN dog)) (VP (VB slept))))"));
    }
}

#[test]
fn given_tags_are_honoured_whatever_the_words_were_seen_with() {
    // `cat` is no determiner in training, and no tag is called FW.
    let mut sentence = Brackets::words(["cat", "dog", "slept"].map(Text::new).to_vec());
    sentence.tags = ["DT", "FW", "VB"].map(|tag| Some(Text::new(tag))).to_vec();
    for parsed in parse_all_ways(&parser(), &[sentence]).iter().flatten() {
        let tags: Vec<&str> =
            parsed.trees[0].0.tagged_words().iter().map(|(tag, _)| tag.unwrap().as_str()).collect();
        assert_eq!((tags, &parsed.fallback), (vec!["DT", "FW", "VB"], &None));
    }
}
