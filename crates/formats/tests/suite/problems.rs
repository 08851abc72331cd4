//! Every kind of bad input gets its own message, which says where and what to do.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use expect_test::{Expect, expect};
use formats::detect::Format;
use formats::{Problem, bio, brackets, conll09, conllu, conllx};

fn show(problems: Vec<Problem>) -> String {
    problems.iter().map(|problem| format!("{problem}\n")).collect()
}

fn check_conllu(rows: &[&str], expected: Expect) {
    let text = rows.iter().map(|row| format!("{}\n", row.replace(' ', "\t"))).collect::<String>() + "\n";
    let checked = formats::everything::copy(Format::Conllu, text.as_bytes(), &mut std::io::sink()).unwrap();
    expected.assert_eq(&show(checked.problems));
}

fn check_brackets(text: &str, expected: Expect) {
    let problems =
        brackets::BracketReader::new(text.as_bytes()).flat_map(|reading| reading.unwrap().problems).collect();
    expected.assert_eq(&show(problems));
}

#[test]
fn wrong_column_count_is_named_with_its_line() {
    check_conllu(
        &["1 a _ X _ _ 0 root _ _", "2 b _ X _ _ 1 dep"],
        expect![[r#"
        line 2, column 15: error[column-count]: 8 columns where CoNLL-U has at least 10; fill the missing columns with _ (tabs between columns); the line is kept as it is
    "#]],
    );
    check_conllu(
        &["1 a _ X _ _ 0 root _ _ y"],
        expect![[r#"
        line 1, column 24: error[column-count]: 11 columns where CoNLL-U has at most 10; remove the surplus tabs; the columns are kept
    "#]],
    );
}

#[test]
fn heads_out_of_range_cycles_and_two_roots_are_three_messages() {
    check_conllu(
        &["1 a _ X _ _ 0 root _ _", "2 b _ X _ _ 7 dep _ _"],
        expect![[r#"
        line 2, column 13: error[head-out-of-range]: head 7, but the sentence has 2 words; give a word's number, 0 for the root, or _ to leave it open
    "#]],
    );
    check_conllu(
        &["1 a _ X _ _ 2 x _ _", "2 b _ X _ _ 1 x _ _", "3 c _ X _ _ 0 root _ _"],
        expect![[r#"
        line 1, column 13: error[cycle]: words 1 → 2 form a cycle; change one of these heads
    "#]],
    );
    check_conllu(
        &["1 a _ X _ _ 1 x _ _", "2 b _ X _ _ 0 root _ _"],
        expect![[r#"
        line 1, column 13: error[cycle]: word 1 is its own head; change one of these heads
    "#]],
    );
    check_conllu(
        &["1 a _ X _ _ 0 root _ _", "2 b _ X _ _ 0 root _ _"],
        expect![[r#"
        line 2, column 13: error[several-roots]: 2 roots: words 1, 2; keep one word with head 0 and attach the others, or leave them open with _
    "#]],
    );
    check_conllu(
        &["1 a _ X _ _ two x _ _"],
        expect![[r#"
        line 1, column 13: error[unreadable-head]: head `two` is no number; give a word's number, 0 for the root, or _ to leave it open; it is kept as it is
    "#]],
    );
}

#[test]
fn duplicate_ids_gaps_and_misplaced_ranges_are_reported() {
    check_conllu(
        &["1 a _ X _ _ 0 root _ _", "1 b _ X _ _ 1 x _ _"],
        expect![[r#"
        line 2, column 1: error[duplicate-id]: id 1 comes again or out of order; number the words 1, 2, 3 … in each sentence
    "#]],
    );
    check_conllu(
        &["1 a _ X _ _ 0 root _ _", "3 b _ X _ _ 1 x _ _"],
        expect![[r#"
        line 2, column 1: error[id-gap]: id 3 where 2 is expected; number the words without gaps; a missing empty line between sentences looks like this too
    "#]],
    );
    check_conllu(
        &["1 a _ X _ _ 0 root _ _", "1-2 ab _ _ _ _ _ _ _ _", "2 b _ X _ _ 1 x _ _"],
        expect![[r#"
        line 2, column 1: error[range-place]: range 1-2 does not stand right before word 1; move the line before the first word of the range
    "#]],
    );
    check_conllu(
        &["1-3 ab _ _ _ _ _ _ _ _", "1 a _ X _ _ 0 root _ _", "2 b _ X _ _ 1 x _ _"],
        expect![[r#"
        line 1, column 1: error[range-too-long]: range ends at 3, but the sentence has 2 words; correct the range, or add the missing words
    "#]],
    );
    check_conllu(
        &["1 a _ X _ _ 0 root _ _", "1.2 e _ X _ _ _ _ 1:x _"],
        expect![[r#"
        line 2, column 1: error[empty-node-place]: empty node 1.2 where 1.1 is expected; number the empty nodes after word n as n.1, n.2 …, right after the word
    "#]],
    );
    check_conllu(
        &["o1 a _ X _ _ 0 root _ _", "2 b _ X _ _ 0 root _ _"],
        expect![[r#"
        line 1, column 1: error[unreadable-id]: `o1` is no token id; write a number, a range such as 3-4, or an empty node such as 3.1; the line is kept as it is
        line 2, column 1: error[id-gap]: id 2 where 1 is expected; number the words without gaps; a missing empty line between sentences looks like this too
    "#]],
    );
}

#[test]
fn universal_columns_are_checked_but_gently() {
    check_conllu(
        &["1 a _ X _ Number=Sing|Case=Nom 0 nsubj 9:x|y _"],
        expect![[r#"
            line 1, column 11: warning[unsorted-features]: features are not in alphabetical order; sort them, regardless of case
            line 1, column 40: error[enhanced-head]: enhanced head of `9:x` does not exist, enhanced dependency `y` is not head:relation; name a word, 0, or an empty node of this sentence
            line 1, column 34: warning[root-relation]: head is 0, but the relation is `nsubj`; use the relation root if and only if the head is 0
        "#]],
    );
}

#[test]
fn places_in_columns_are_right_behind_comments_and_unreadable_lines() {
    check_conllu(
        &["#", "x", "1 a _ X _ B=1|A=1 0 root _ _"],
        expect![[r#"
        line 2, column 1: error[column-count]: 1 columns where CoNLL-U has at least 10; fill the missing columns with _ (tabs between columns); the line is kept as it is
        line 3, column 11: warning[unsorted-features]: features are not in alphabetical order; sort them, regardless of case
    "#]],
    );
}

#[test]
fn open_heads_are_no_problem() {
    check_conllu(&["1 a _ X _ _ _ _ _ _", "2 b _ X _ _ 1 x _ _"], expect![""]);
}

#[test]
fn blank_space_and_comments_in_wrong_places_are_reported() {
    let text =
        "\n# one\n1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n# two\n  \n\n# three\n\n1\tb\t_\tX\t_\t_\t0\troot\t_\t_";
    let readings: Vec<_> = conllu::ConlluReader::new(text.as_bytes()).map(Result::unwrap).collect();
    let problems = readings.iter().flat_map(|reading| reading.problems.clone()).collect();
    expect![[r#"
        line 1: warning[surplus-blank-line]: more than one empty line between sentences, or one before the first; remove it; written files have none
        line 4: error[comment-inside]: a comment in the middle of a sentence; move it before the first token; it is kept where it is
        line 5: warning[blank-line-with-spaces]: a line of spaces stands where an empty line ends the sentence; empty it
        line 6: warning[surplus-blank-line]: more than one empty line between sentences, or one before the first; remove it; written files have none
        line 7: error[no-tokens]: a block without any token; remove the comments, or add the rows of the sentence
        line 9: warning[no-final-newline]: the last line does not end in a newline; add one; the file may also have been cut off
        line 9: warning[no-final-blank-line]: no empty line after the last sentence; add one; if the file was cut off, the last sentence is incomplete
    "#]]
    .assert_eq(&show(problems));
    let mut out = Vec::new();
    for reading in &readings {
        conllu::write(&reading.value, &mut out).unwrap();
    }
    let written = String::from_utf8(out).unwrap();
    assert!(["# one\n", "# two\n", "# three\n"].iter().all(|comment| written.contains(comment)), "{written}");
}

#[test]
fn repeated_sentence_ids_and_wrong_texts_are_found_by_a_check_of_the_whole_file() {
    let row = "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n";
    let text = format!("# sent_id = s1\n# text = a\n{row}# sent_id = s1\n# text = b\n{row}");
    let checked = formats::everything::copy(Format::Conllu, text.as_bytes(), &mut std::io::sink()).unwrap();
    expect![[r#"
        line 5: warning[duplicate-sentence-id]: the sentence id `s1` of line 1 comes again; give every sentence its own id
        line 5: warning[text-mismatch]: the tokens give `a`, the comment says `b`; correct # text, a form, or SpaceAfter=No
    "#]]
    .assert_eq(&show(checked.problems));
}

#[test]
fn encodings_and_line_ends_are_reported_and_repaired() {
    let text = b"\xEF\xBB\xBF# text = x\r\n1\tcaf\xE9\t_\tX\t_\t_\t0\troot\t_\t_\r\n\r\n";
    let readings: Vec<_> = conllu::ConlluReader::new(&text[..]).map(Result::unwrap).collect();
    expect![[r#"
        line 1: warning[carriage-return]: lines end in CR LF, as Windows programs write them; nothing to do: they are read, and written back as LF
        line 1: warning[byte-order-mark]: the file starts with a byte-order mark; nothing to do: it is left out when the file is written
        line 2, column 6: error[invalid-utf8]: byte 0xE9 is not UTF-8; it was read as U+FFFD; save the file as UTF-8, or give its encoding (--encoding latin1)
    "#]]
    .assert_eq(&show(readings[0].problems.clone()));
    assert_eq!(readings[0].value.tokens[0].form, "caf\u{FFFD}");
}

#[test]
fn spaces_for_tabs_are_read_and_reported_once() {
    let text = "1 a _ X _ _ 2 x _ _\n2 b _ X _ _ 0 root _ _\n\n";
    let reading = conllu::ConlluReader::new(text.as_bytes()).next().unwrap().unwrap();
    assert_eq!(reading.value.n_words(), 2);
    expect![[r#"
        line 1: error[spaces-for-tabs]: columns are separated by spaces, not tabs; they were split at every space; replace the spaces by tabs; a form that contains a space is split wrongly
    "#]]
    .assert_eq(&show(reading.problems));
}

#[test]
fn unbalanced_brackets_are_named_at_the_bracket() {
    check_brackets(
        "(S (NP x)))\n",
        expect![[r#"
        line 1, column 11: error[unbalanced-bracket]: a closing bracket that closes nothing; remove it, or add the ( that belongs to it
    "#]],
    );
    check_brackets(
        "(S (NP x)\n",
        expect![[r#"
        line 1, column 1: error[unbalanced-bracket]: the tree that starts here lacks 1 closing bracket(s); add them where the constituents end; they were added at the end of the tree
    "#]],
    );
    check_brackets(
        "(S (NP))\nnotes (X y)\n",
        expect![[r#"
        line 1, column 4: error[empty-constituent]: a constituent without a word in it; add the word: (TAG word); or remove the brackets
        line 2, column 1: error[text-outside]: `notes` stands outside of any tree; put it in brackets, or start the line with # to make it a comment; it was left out
    "#]],
    );
}

#[test]
fn a_missing_bracket_does_not_swallow_the_trees_after_it() {
    let text = "(S (A a))\n(S (B b)\n(S (C c))\n";
    let trees: Vec<_> = brackets::BracketReader::new(text.as_bytes()).map(|r| r.unwrap()).collect();
    assert_eq!(trees.len(), 3);
    assert_eq!(brackets::to_string(trees[1].value.tree.as_ref().unwrap()), "(S (B b))");
    assert!(trees[1].problems.iter().any(|problem| problem.place.line == 2));
}

#[test]
fn pretty_printed_commented_and_escaped_trees_are_read() {
    let text =
        "# a comment\n( (S\n    (NP (-LRB- -LRB-)\n        (NN smile\\)))\n    (VP went)))\n\n(X y) (X z)\n";
    let readings: Vec<_> = brackets::BracketReader::new(text.as_bytes()).map(Result::unwrap).collect();
    let shown: Vec<_> = readings.iter().map(|r| r.value.tree.as_ref().map(brackets::to_string)).collect();
    let tree = "( (S (NP (-LRB- -LRB-) (NN smile\\))) (VP went)))";
    assert_eq!(shown, [Some(tree.into()), None, Some("(X y)".into()), Some("(X z)".into())]);
    assert_eq!(readings[0].value.comments, ["# a comment"]);
    assert_eq!(readings[0].line, 2);
    assert_eq!(brackets::unescape("smile\\)"), "smile)");
    assert_eq!(brackets::escape("a (b)"), "a_\\(b\\)");
}

#[test]
fn a_backslash_that_is_a_word_is_told_from_an_escape_by_the_balance() {
    let word = brackets::BracketReader::new("(S (N \\) (V x))\n".as_bytes()).next().unwrap().unwrap();
    assert_eq!(word.value.tree.unwrap().words().collect::<Vec<_>>(), ["\\", "x"]);
    let escape = brackets::BracketReader::new("(S (N \\)) (V x))\n".as_bytes()).next().unwrap().unwrap();
    assert_eq!(escape.value.tree.unwrap().words().collect::<Vec<_>>(), ["\\)", "x"]);
}

#[test]
fn indented_trees_read_back_the_same() {
    let text = "(S (NP (D the) (N dog)) (VP barks))";
    let tree = brackets::BracketReader::new(text.as_bytes()).next().unwrap().unwrap().value.tree.unwrap();
    let mut out = Vec::new();
    brackets::write(&tree, brackets::TreeStyle::Indented, &mut out).unwrap();
    expect![[r#"
        (S
          (NP
            (D the)
            (N dog))
          (VP barks))
    "#]]
    .assert_eq(std::str::from_utf8(&out).unwrap());
    let again = brackets::BracketReader::new(&out[..]).next().unwrap().unwrap().value.tree.unwrap();
    assert_eq!(again, tree);
}

#[test]
fn older_conll_formats_allow_several_roots_and_fewer_columns() {
    let x = "1\ta\t_\tN\tN\t_\t0\tROOT\n2\tb\t_\tN\tN\t_\t0\tROOT\n\n";
    let reading = conllx::ConllxReader::new(x.as_bytes()).next().unwrap().unwrap();
    let rules: Vec<_> = reading.problems.iter().map(|problem| problem.rule).collect();
    assert_eq!((reading.value.n_words(), rules), (2, vec!["short-rows"]));
    let mut out = Vec::new();
    conllx::write(&reading.value, &mut out).unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), x.replace("ROOT\n", "ROOT\t_\t_\n"));
    let nine = "1\ta\ta\ta\tN\tN\t_\t_\t3\t0\tROOT\tROOT\tY\ta.01\tA0\n\n";
    let reading = conll09::Conll09Reader::new(nine.as_bytes()).next().unwrap().unwrap();
    expect![[r#"
        line 1, column 17: error[head-out-of-range]: head 3, but the sentence has 1 words; give a word's number, 0 for the root, or _ to leave it open
    "#]]
    .assert_eq(&show(reading.problems));
}

#[test]
fn labels_that_continue_nothing_and_lines_without_labels_are_reported() {
    let text = "Wolff B-PER\nde I-PER\nBuenos I-LOC\nAires\n\n";
    let reading = bio::BioReader::new(text.as_bytes()).next().unwrap().unwrap();
    expect![[r#"
        line 3, column 8: warning[inside-without-begin]: I-LOC does not continue the label before it; write B-LOC
        line 4: error[column-count]: a line with one column, so the word has no label; separate word and label by one space or tab, and give every line the same columns
    "#]]
    .assert_eq(&show(reading.problems));
}
