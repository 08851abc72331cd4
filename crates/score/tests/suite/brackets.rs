//! Laws and hand-made cases of bracket scoring.
#![allow(clippy::unwrap_used, reason = "helpers of tests may panic like tests")]

use crate::common::{tree, trees};
use proptest::prelude::*;
use score::Counts;
use score::brackets::{
    BracketReport, BracketRow, Deletion, Options, Parameters, Scorer, Status, WholeSentence,
};
use score::random::SplitMix64;
use std::collections::BTreeMap;
use tree::{Span, Text, Tree};

fn row(gold: &str, parse: &str, options: Options) -> BracketRow {
    Scorer::new(options).add(&trees(gold), &trees(parse)).clone()
}

fn with(parameters: &str) -> Options {
    let (parameters, problems) = Parameters::parse(parameters);
    assert_eq!(problems, []);
    Options { parameters, ..Options::default() }
}

fn counts(matched: usize, gold: usize, system: usize) -> Counts {
    Counts { matched, gold, system }
}

#[test]
fn function_tags_do_not_count_in_brackets_but_do_in_tags() {
    let row = row("(S (NP-SBJ=1 (N-a x)) (VP (V y)))", "(S (NP (N x)) (VP-2 (V y)))", Options::default());
    assert_eq!((row.brackets, row.correct_tags), (counts(3, 3, 3), 1));
}

#[test]
fn brackets_named_like_traces_are_deleted() {
    let row = row("(TOP (-NONE- (X (A a))))", "(TOP (X (A a)))", Options::default());
    assert_eq!(row.brackets, counts(1, 1, 1));
}

#[test]
fn constituents_left_without_words_do_not_count() {
    let row = row("(S (NP (-NONE- *)) (VP (V go)) (. .))", "(S (VP (V go)) (. .))", Options::default());
    assert_eq!((row.brackets, row.length, row.words), (counts(2, 2, 2), 2, 1));
}

#[test]
fn words_without_a_tag_are_compared_with_the_empty_tag() {
    let row = row("(S so (NP (N x) y))", "(S so (NP (N x) y))", Options::default());
    assert_eq!((row.brackets, row.words, row.correct_tags), (counts(2, 2, 2), 3, 3));
}

#[test]
fn deleted_words_are_removed_whatever_their_tag() {
    let row = row("(S (A a) (B b))", "(S (A a) (C c))", with("DELETE_WORD b\nDELETE_WORD c\n"));
    assert_eq!((row.brackets, row.words), (counts(1, 1, 1), 1));
}

#[test]
fn status_says_what_differs() {
    let status = |gold, parse| row(gold, parse, Options::default()).status;
    assert_eq!(status("(S (A a) (B b))", "(S (A a))"), Status::LengthsDiffer { gold: 2, test: 1 });
    let differ = Status::WordsDiffer { position: 2, gold: "b".into(), test: "c".into() };
    assert_eq!(status("(S (A a) (B b))", "(S (A a) (B c))"), differ);
    assert_eq!(status("(S (A a))", ""), Status::NoParse);
    assert_eq!(status("(S (A a))", "(S (. a))"), Status::NoParse);
}

/// Gold deletes the quotation mark, the parse has it as a possessive. The 2006 version puts the mark back
/// into gold: `VP` opens after it and moves, `S` and `NP` hold it and grow.
#[test]
fn mistaken_quotation_mark_is_put_back_where_it_was_deleted() {
    let gold = "(S (NP (N boys) ('' ')) (VP (V go)))";
    let parse = "(S (NP (N boys) (POS ')) (VP (V go)))";
    let deleting = "DELETE_LABEL ''\n";
    let without = row(gold, parse, with(deleting));
    assert_eq!(without.status, Status::LengthsDiffer { gold: 2, test: 3 });
    let quotes = format!("{deleting}QUOTE_LABEL ''\nQUOTE_LABEL POS\n");
    let both_ways = [row(gold, parse, with(&quotes)), row(parse, gold, with(&quotes))];
    for row in both_ways {
        assert_eq!((row.status.code(), row.brackets), (0, counts(3, 3, 3)));
        assert_eq!((row.words, row.correct_tags), (3, 2));
    }
}

#[test]
fn two_mistaken_quotation_marks_are_put_back_one_after_the_other() {
    let gold = "(S (`` ') (NP (N boys)) ('' ') (VP (V go)))";
    let parse = "(S (NN ') (NP (N boys) (POS ')) (VP (V go)))";
    let quotes =
        "DELETE_LABEL ''\nDELETE_LABEL ``\nQUOTE_LABEL ''\nQUOTE_LABEL ``\nQUOTE_LABEL NN\nQUOTE_LABEL POS\n";
    let row = row(gold, parse, with(quotes));
    // S and VP agree; NP holds the second mark in the parse only.
    assert_eq!((row.status.code(), row.brackets, row.words), (0, counts(2, 3, 3), 4));
}

/// A mark that was put back moves on with the words after it, and so may be put back once more.
#[test]
fn one_deleted_quotation_mark_is_put_back_for_each_of_two_neighbours() {
    let quotes = "DELETE_LABEL ''\nQUOTE_LABEL ''\nQUOTE_LABEL POS\nQUOTE_LABEL NN\n";
    let row = row("(S (N a) ('' ') (V b))", "(S (N a) (POS ') (NN ') (V b))", with(quotes));
    assert_eq!((row.status.code(), row.brackets, row.words), (0, counts(1, 1, 1), 4));
}

#[test]
fn gold_tags_decide_what_is_deleted_on_both_sides_if_asked() {
    let gold = "(TOP (S (NP (N dogs)) (, ,) (NP (-NONE- *)) (VP (V bark))))";
    let parse = "(TOP (S (NP (N dogs) (CC ,)) (VP (. bark))))";
    assert_eq!(row(gold, parse, Options::default()).status.code(), 1);
    let row = row(gold, parse, Options { deletion: Deletion::GoldTags, ..Options::default() });
    assert_eq!((row.status.code(), row.brackets, row.words, row.correct_tags), (0, counts(3, 3, 3), 2, 1));
}

#[test]
fn brackets_over_the_whole_sentence_are_left_out_if_asked() {
    let left_out = || Options { whole_sentence: WholeSentence::LeftOut, ..Options::default() };
    let row = row("(S (S (NP (A a)) (B b) (. .)))", "(S (NP (A a)) (VP (B b)) (. .))", left_out());
    assert_eq!(row.brackets, counts(1, 1, 2));
    let mut scorer = Scorer::new(left_out());
    scorer.add(&trees("(S (NP (A a) (B b)) (C c))"), &[]);
    assert_eq!(scorer.finish().all.strict, counts(0, 1, 0));
}

#[test]
fn program_would_stop_at_the_second_error_beyond_the_limit() {
    let mut scorer = Scorer::new(with("MAX_ERROR 1\n"));
    let (gold, wrong) = (trees("(S (A a))"), trees("(S (A b))"));
    for parse in [&wrong, &gold, &wrong, &wrong, &wrong] {
        scorer.add(&gold, parse);
    }
    assert_eq!(scorer.finish().stopped_at, Some(4));
}

#[test]
fn table_without_any_match_has_the_programs_odd_f_measure() {
    let mut scorer = Scorer::new(Options::default());
    scorer.add(&trees("(S (A a))"), &[]);
    let report = scorer.finish();
    assert!(report.table().contains("Bracketing FMeasure       =   -nan\n"));
    assert_eq!((report.all.f1(), report.all.strict_f1()), (0.0, 0.0));
}

/// A random tree over `n_words` words with unary chains and repeated labels.
fn random_tree(random: &mut SplitMix64, first: usize, n_words: usize) -> Tree<Text> {
    let label = Text::from(["A", "B", "C", "TOP"][random.below(4)]);
    let n_parts = 1 + random.below(n_words.min(3));
    if n_words == 1 && random.below(3) > 0 {
        let tag = ["P", "Q", ","][random.below(3)];
        return Tree::constituent(tag.into(), [Tree::word(format!("w{first}").into())]);
    }
    let (mut children, mut at) = (Vec::new(), 0);
    for part in (1..=n_parts).rev() {
        let length = if part == 1 { n_words - at } else { 1 + random.below(n_words - at - part + 1) };
        children.push(random_tree(random, first + at, length));
        at += length;
    }
    Tree::constituent(label, children)
}

/// Brackets by label and span over the words that are not commas, by walking over all spans.
fn naive(tree: &Tree<Text>) -> BTreeMap<(Text, Span), usize> {
    let kept: Vec<_> =
        tree.tagged_words().iter().map(|(tag, _)| usize::from(tag.is_none_or(|tag| tag != ","))).collect();
    let mut brackets = BTreeMap::new();
    for (index, label, span) in tree.constituents() {
        let is_preterminal = tree.nodes()[index].size() == 2;
        let position = |at: usize| kept[..at].iter().sum();
        if let Some(span) = Span::new(position(span.start()), position(span.end()))
            && !is_preterminal
            && label != "TOP"
        {
            *brackets.entry((label.clone(), span)).or_default() += 1;
        }
    }
    brackets
}

fn report(pairs: &[(Tree<Text>, Tree<Text>)], options: Options) -> BracketReport {
    let mut scorer = Scorer::new(options);
    pairs.iter().for_each(|(gold, parse)| {
        scorer.add(std::slice::from_ref(gold), std::slice::from_ref(parse));
    });
    scorer.finish()
}

fn random_pairs(seed: u64, n: usize) -> Vec<(Tree<Text>, Tree<Text>)> {
    let mut random = SplitMix64::new(seed);
    let mut pair = || {
        let length = 1 + random.below(9);
        (random_tree(&mut random, 0, length), random_tree(&mut random, 0, length))
    };
    (0..n).map(|_| pair()).collect()
}

proptest! {
    #[test]
    fn matched_brackets_are_the_intersection_of_multisets(seed in any::<u64>()) {
        let options = || Options { deletion: Deletion::GoldTags, ..with("DELETE_LABEL TOP\nDELETE_LABEL ,\n") };
        for (gold, parse) in random_pairs(seed, 3) {
            // Commas are made to stand at the same places, so that the oracle needs no alignment.
            let mut parse = parse;
            let tags: Vec<Text> = gold.tagged_words().iter().map(|(tag, _)| (*tag.unwrap()).clone()).collect();
            let preterminals: Vec<_> = (0..parse.nodes().len() - 1).filter(|&i| parse.nodes()[i + 1].is_word()).collect();
            preterminals.iter().zip(tags).for_each(|(&index, tag)| *parse.label_mut(index) = tag);
            let (in_gold, in_parse) = (naive(&gold), naive(&parse));
            let matched: usize = in_gold.iter().map(|(key, n)| n.min(in_parse.get(key).unwrap_or(&0))).sum();
            let crossing: usize = in_parse
                .iter()
                .filter(|((_, p), _)| in_gold.keys().any(|(_, g)| g.crosses(*p)))
                .map(|(_, n)| n)
                .sum();
            let report = report(&[(gold, parse)], options());
            if report.rows[0].status == Status::Scored {
                prop_assert_eq!(report.all.brackets, counts(matched, in_gold.values().sum(), in_parse.values().sum()));
                prop_assert_eq!(report.all.crossing, crossing);
            }
        }
    }

    #[test]
    fn gold_against_itself_is_a_hundred_everywhere(seed in any::<u64>()) {
        let pairs: Vec<_> = random_pairs(seed, 5).into_iter().map(|(gold, _)| (gold.clone(), gold)).collect();
        let all = report(&pairs, with("")).all;
        prop_assert_eq!([all.f1(), all.strict_f1(), all.complete_match(), all.no_crossing_share(), all.tag_accuracy()], [100.0; 5]);
        prop_assert_eq!(all.crossing, 0);
    }

    #[test]
    fn order_of_sentences_does_not_change_the_sums(seed in any::<u64>(), turn in 0usize..7) {
        let mut pairs = random_pairs(seed, 7);
        let before = report(&pairs, Options::default());
        pairs.rotate_left(turn);
        let after = report(&pairs, Options::default());
        prop_assert_eq!((before.all, before.short), (after.all, after.short));
        prop_assert!(before.labels.iter().all(|(label, counts)| after.labels[label] == *counts));
    }

    #[test]
    fn ignoring_labels_never_lowers_the_matches(seed in any::<u64>()) {
        let pairs = random_pairs(seed, 5);
        let labeled = report(&pairs, Options::default());
        let unlabeled = Parameters { labeled: false, ..Parameters::collins() };
        let unlabeled = report(&pairs, Options { parameters: unlabeled, ..Options::default() });
        prop_assert!(unlabeled.all.brackets.matched >= labeled.all.brackets.matched);
    }

    #[test]
    fn strict_f1_is_never_higher(seed in any::<u64>()) {
        let all = report(&random_pairs(seed, 5), Options::default()).all;
        prop_assert!(all.strict_f1() <= all.f1());
        prop_assert_eq!(all.strict.matched, all.brackets.matched);
    }

    #[test]
    fn any_parameter_text_is_read_without_panic(text in "(?s).{0,200}|([A-Z_]{3,12} [^ ]{0,3} ?[^ ]{0,3}\n){0,6}") {
        let (_, problems) = Parameters::parse(&text);
        prop_assert!(problems.iter().all(|problem| problem.place.line >= 1));
    }
}

#[test]
fn labels_are_counted_on_both_sides() {
    let mut scorer = Scorer::new(Options::default());
    scorer.add(&[tree("(S (ADVP (A a)) (X (B b) (C c)))")], &[tree("(S (PRT (A a)) (Y (B b) (C c)))")]);
    let report = scorer.finish();
    let of = |label: &str| {
        let counts = report.labels[label];
        [counts.gold, counts.gold_matched, counts.test, counts.test_matched]
    };
    assert_eq!((of("S"), of("ADVP"), of("PRT")), ([1, 1, 1, 1], [1, 1, 0, 0], [0, 0, 1, 1]));
    assert_eq!((of("X"), of("Y")), ([1, 0, 0, 0], [0, 0, 1, 0]));
}
