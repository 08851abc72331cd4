//! Every mistake is named, located and explained, and costs no more than it must.

use expect_test::{Expect, expect};
use formats::gfl::{GflReader, parse_annotation, write_annotation};
use tree::Text;

/// Problems of an annotation and, below them, what was understood.
fn check(text: &str, annotation: &str, expected: Expect) {
    let tokens: Vec<Text> = text.split_whitespace().map(Text::from).collect();
    let (said, problems) = parse_annotation((1..).zip(annotation.lines()), &tokens);
    for problem in &problems {
        assert!(problem.place.line > 0 && problem.place.column > 0 && problem.place.length > 0, "{problem}");
        assert!(!problem.message.is_empty() && !problem.help.is_empty());
    }
    let show =
        |p: &formats::Problem| format!("{}:{}+{} {}\n", p.place.line, p.place.column, p.place.length, p.rule);
    let report: String = problems.iter().map(show).collect();
    expected.assert_eq(&format!("{report}{}", write_annotation(&said, &tokens)));
}

#[test]
fn notation_means_what_the_table_says() {
    check("a b c", "a > b > c", expect!["a > b\nb > c\n"]);
    check("a b c", "a < b < c", expect!["b > a\nc > b\n"]);
    check("a b c", "b > a < c", expect!["b > a\nc > a\n"]);
    check("a b c", "{b c} > a", expect!["b > a\nc > a\n"]);
    check("a b c", "a < {b c}", expect!["b > a\nc > a\n"]);
    check("a b c d", "(a > b) > (c > d)", expect!["a > b\nc > d\nb > d\n"]);
    check("a b c d", "d > (a b* c)", expect!["d > (a b* c)\n"]);
    check("a b c d", "[a b] > c d**", expect!["[a b] > c\nd**\n"]);
    check("a b c", "(** a b c)", expect!["(a b c)**\n"]);
    check("a b and c", "c > $x\n$x** :: {a b} :: and", expect!["$x :: {a b} :: and\nc > $x\n$x**\n"]);
    check("a b c", "a = b = c\n// a > b", expect!["a = b\nb = c\n"]);
    check("the cat the rat", "the~2 > rat\nthe~1", expect!["the~2 > rat\nthe~1\n"]);
    check("a b c d", "(a (b c*) d > c)", expect!["(a (b c*) c)\nd > c\n"]);
    check("a b", "", expect![""]);
}

#[test]
fn fragments_are_merged_by_token_and_brackets_by_member() {
    check("a b c d", "(a b c) > d\n(c b* a)\na > b\na > b", expect!["(a b* c) > d\na > b\n"]);
}

#[test]
fn brackets_must_balance_and_only_their_line_is_lost() {
    check("a b c", "a > (b\nb > c", expect!["1:5+1 unbalanced-parenthesis\nb > c\n"]);
    check("a b c", "a > b)\nb > c", expect!["1:6+1 unbalanced-parenthesis\nb > c\n"]);
    check("a b c", "[a b > c", expect!["1:1+1 unbalanced-bracket\n"]);
    check("a b c", "{a b > c", expect!["1:1+1 unbalanced-brace\n"]);
    check("a b c", "(a [b c)]", expect!["1:8+1 unbalanced-parenthesis\n"]);
    check("a :)", ":) a", expect!["1:2+1 unbalanced-parenthesis\n"]);
}

#[test]
fn names_must_mean_one_token() {
    check("a b", "a > c\na > b", expect!["1:5+1 unknown-token\na > b\n"]);
    check("the a the", "a > the", expect!["1:5+3 ambiguous-token\na\n"]);
    check("the a the", "a > the~3", expect!["1:5+5 token-index-out-of-range\na\n"]);
    check("a b", "a > $x\nb", expect!["1:5+2 undefined-variable\na\nb\n"]);
    check("our eyes", "our> eyes", expect!["1:1+4 missing-space\nour > eyes\n"]);
    check("a b c", "[a b] > c\nb > c", expect!["2:1+1 token-in-two-nodes\n[a b] > c\nb > c\n"]);
}

#[test]
fn heads_must_be_one_and_arrows_must_not_run_in_circles() {
    check("a b c", "a > b\na > c", expect!["2:1+5 two-heads\na > b\na > c\n"]);
    check("a b c", "a** > b", expect!["1:1+7 two-heads\na > b\na**\n"]);
    check("a b c", "a < b > c", expect!["1:7+1 two-arrows-out\na\nb\nc\n"]);
    check("a b c", "a > b > c\nc > a", expect!["2:1+5 cycle\na > b\nb > c\nc > a\n"]);
    check("a b", "a > a", expect!["1:1+5 cycle\na > a\n"]);
    check("a b and c", "$x :: {a b} :: and\na > c", expect!["2:1+5 two-heads\n$x :: {a b} :: and\na > c\n"]);
    check("a b c", "a > {b c}", expect!["1:5+5 set-as-head\na\nb\nc\n"]);
    check("a b c", "{b c}", expect!["1:1+5 loose-set\nb\nc\n"]);
}

#[test]
fn only_the_head_leaves_a_bracket() {
    check("a b c d", "(a b* c)\na > d", expect!["2:1+5 bracket-broken\n(a b* c)\na > d\n"]);
    check("a b c d", "(a b* c)\nb > d\na > c", expect!["(a b* c)\nb > d\na > c\n"]);
    check("a b c d", "(a b c)\na > d\nb**", expect!["3:1+3 bracket-broken\n(a b c)\na > d\nb**\n"]);
    check("a b c d", "(a b* c)\n(a b c*)", expect!["2:1+8 bracket-two-heads\n(a b* c)\n"]);
    check("a b c d", "(a* b* c)", expect!["1:5+2 bracket-two-heads\n(a* b c)\n"]);
    check("a b c d", "(a b c) > d\na > d", expect!["(a b c) > d\na > d\n"]);
}

#[test]
fn operators_and_marks_must_have_their_places() {
    check("a b", "a >", expect!["1:1+3 dangling-operator\na\n"]);
    check("a b", "> a", expect!["1:1+1 dangling-operator\na\n"]);
    check("a b", "a > > b", expect!["1:5+1 dangling-operator\na\nb\n"]);
    check("a b", "a* b", expect!["1:1+2 head-mark-outside-bracket\na\nb\n"]);
    check("a b", "a * b", expect!["1:3+1 stray-asterisk\na\nb\n"]);
    check("a b", "(a = b)", expect!["1:4+1 misplaced-operator\n(a b)\n"]);
    check("a b c", "a > b = c", expect!["1:1+5 anaphora-sides\na\nb\nc\n"]);
    check("a b c", "(a* > b c)", expect!["1:2+2 misplaced-head-mark\n(b c)\na > b\n"]);
    check("a b", "() a", expect!["1:1+2 empty-group\na\n"]);
    check("a b", "[a > b]", expect!["1:4+1 multiword-content\n"]);
    check("a b", "[a]", expect!["1:1+3 multiword-of-one\na\n"]);
    check("a b", "(a a)", expect!["1:1+5 repeated-member\na\n"]);
}

#[test]
fn coordinations_have_a_variable_conjuncts_and_coordinators() {
    check("a b c", "$x :: {a b}", expect!["1:1+11 coordination-without-coordinator\n$x :: {a b}\n"]);
    check("a b c", "$x :: a :: c", expect!["1:7+1 coordination-conjuncts\n$x :: {a} :: c\n"]);
    check("a b c", "a :: {b} :: c", expect!["1:1+13 coordination-variable\na\nb\nc\n"]);
    check(
        "a b c",
        "$x :: {a b} :: c\n$x :: {b c} :: a",
        expect!["2:1+16 duplicate-definition\n$x :: {a b} :: c\n"],
    );
}

#[test]
fn contradictions_that_follow_from_several_statements_are_found() {
    check(
        "a b c",
        "(a b*) > c\nc > a",
        expect![[r#"
        2:1+5 contradiction
        (a b*) > c
        c > a
    "#]],
    );
    check(
        "a b c",
        "a > (b c)\nb > a",
        expect![[r#"
        2:1+5 contradiction
        a > (b c)
        b > a
    "#]],
    );
    check(
        "a b c d",
        "(a b c)\n(b c d)",
        expect![[r#"
        2:1+7 crossing-brackets
        (a b c)
        (b c d)
    "#]],
    );
}

#[test]
fn sections_are_checked_too() {
    let rules = |text: &str| -> Vec<String> {
        let blocks = GflReader::new(text.as_bytes()).map(Result::unwrap);
        blocks
            .flat_map(|reading| reading.problems)
            .map(|p| format!("{}:{} {}", p.place.line, p.place.column, p.rule))
            .collect()
    };
    assert_eq!(rules("% ANNO\na > b\n"), ["1:0 missing-text", "2:1 unknown-token", "2:5 unknown-token"]);
    assert_eq!(rules("% TEXT\na\n% TEXT\nb\n% ANNO\nb\n"), ["3:0 duplicate-section"]);
    assert_eq!(rules("% TEXT\na b\n% POS TEXT\na/X\n% ANNO\nb\n"), ["3:0 tags-mismatch"]);
    assert_eq!(rules("---\n% TEXT\na b\n---\n% NOTES\nnothing\n---\n"), [""; 0]);
}
