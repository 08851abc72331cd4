//! Definitions of constructions, against naive loops and against the constructions that are known.

use super::*;
use proptest::prelude::*;

fn one(text: &str) -> Definition {
    let (definitions, misread) = read_definitions(text);
    assert_eq!(misread, [], "{text}");
    definitions.into_iter().next().unwrap()
}

fn texts(words: &str) -> Vec<Text> {
    words.split(' ').map(Text::from).collect()
}

#[test]
fn a_definition_says_who_heads_whom() {
    let prep = one("prep : ADP<NOUN | PROPN , head first");
    assert_eq!((prep.name.as_str(), prep.head_first), ("prep", Some(true)));
    assert_eq!(prep.head.tags, ["ADP"]);
    assert_eq!(prep.dependent.tags, ["NOUN", "PROPN"]);
    let will = one("will: \"will\"|\"shall\"|AUX > *, relation aux|aux:pass, dependent first");
    assert_eq!((will.dependent.forms.len(), will.dependent.tags.len(), will.head.any), (2, 1, true));
    assert_eq!((will.relations.join(" "), will.head_first), ("aux aux:pass".into(), Some(false)));
    assert_eq!(read_definitions("\n# nothing\n   \n"), (vec![], vec![]));
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let place = |text: &str| {
        let (_, misread) = read_definitions(text);
        assert_eq!(misread.len(), 1, "{text}: {misread:?}");
        (misread[0].place.line, misread[0].place.column, misread[0].place.length)
    };
    for (text, expected) in [
        ("DET > NOUN", (1, 1, 10)),
        (": DET > NOUN", (1, 1, 1)),
        ("é: DET NOUN", (1, 8, 1)),
        ("a: DET >", (1, 9, 1)),
        ("a: > NOUN", (1, 4, 1)),
        ("a: \"the > NOUN", (1, 4, 11)),
        ("a: \"\" > NOUN", (1, 4, 2)),
        ("\n\nb: DET > NOUN, headfirst", (3, 16, 9)),
        ("b: DET > NOUN, head last", (1, 16, 9)),
        ("b: DET > NOUN, relation", (1, 24, 1)),
        ("b: DET > NOUN NOUN", (1, 15, 1)),
        ("b: X > Y, head first, dependent first", (1, 23, 15)),
        ("b: X > Y\nb: X > Z", (2, 1, 8)),
    ] {
        assert_eq!(place(text), expected, "{text:?}");
    }
    // Lines that can be read count all the same.
    let (definitions, misread) = read_definitions("a: X > Y\nb:\nc: X > Z");
    assert_eq!((definitions.len(), misread.len()), (2, 1));
}

#[test]
fn what_is_known_of_two_words_is_told_and_no_more() {
    let subject = one("subject: NOUN > VERB, relation nsubj");
    let (forms, tags) = (texts("dogs bark now"), texts("NOUN VERB ADV"));
    let analysed = |heads: [Option<usize>; 3], relation: Option<&str>| {
        let relations = [relation.map(Text::from), None, None];
        let of = AnalysedWords { forms: &forms, tags: &tags, heads: &heads, relations: &relations };
        subject.analysed(&of, 1, 2)
    };
    assert_eq!(analysed([Some(2), None, None], Some("nsubj")), Some(Analysed::AsWritten));
    assert_eq!(analysed([Some(2), None, None], Some("obj")), Some(Analysed::Otherwise));
    assert_eq!(analysed([Some(2), None, None], None), None);
    assert_eq!(analysed([None, Some(1), None], None), Some(Analysed::TurnedRound));
    assert_eq!(analysed([Some(3), None, None], None), None);
    assert_eq!(analysed([Some(3), Some(0), None], None), Some(Analysed::Otherwise));
}

const TAGS: [&str; 3] = ["DET", "NOUN", "VERB"];
const LINES: [&str; 6] = [
    "c: DET > NOUN",
    "c: DET < NOUN|VERB",
    "c: NOUN > NOUN, head first",
    "c: * > VERB, relation a",
    "c: \"w1\"|VERB < *, dependent first, relation a|b",
    "c: DET > *, head first",
];

proptest! {
    /// Tags, heads and relations; heads may form cycles, which must not matter.
    #[test]
    fn what_is_found_is_what_a_naive_loop_finds(
        words in prop::collection::vec((0usize..3, prop::option::of(0usize..6), prop::option::of(0usize..3)), 1..6),
        line in 0usize..6,
    ) {
        let n = words.len();
        let forms: Vec<Text> = (1..=n).map(|n| format!("w{n}").into()).collect();
        let tags: Vec<Text> = words.iter().map(|word| TAGS[word.0].into()).collect();
        let heads: Vec<Option<usize>> = (1..)
            .zip(&words)
            .map(|(n_word, word)| word.1.filter(|head| *head <= n && *head != n_word))
            .collect();
        let relations: Vec<Option<Text>> = words.iter().map(|word| word.2.map(|at| ["a", "b", "c"][at].into())).collect();
        let of = AnalysedWords { forms: &forms, tags: &tags, heads: &heads, relations: &relations };
        let is = |word: usize, allowed: &[&str]| {
            allowed.contains(&"*") || allowed.contains(&tags[word - 1].as_str()) || allowed.contains(&forms[word - 1].as_str())
        };
        let relation = |word: usize, allowed: &[&str]| {
            allowed.is_empty() || relations[word - 1].as_ref().is_some_and(|one| allowed.contains(&one.as_str()))
        };
        // Dependent, head, relations, whether the head as written stands first.
        let (dependent, head, wanted, first): (&[&str], &[&str], &[&str], Option<bool>) = match line {
            0 => (&["DET"], &["NOUN"], &[], None),
            1 => (&["NOUN", "VERB"], &["DET"], &[], None),
            2 => (&["NOUN"], &["NOUN"], &[], Some(true)),
            3 => (&["*"], &["VERB"], &["a"], None),
            4 => (&["*"], &["w1", "VERB"], &["a", "b"], Some(false)),
            _ => (&["DET"], &["*"], &[], Some(true)),
        };
        let (mut written, mut turned) = (0, 0);
        for d in 1..=n {
            for h in 1..=n {
                if heads[d - 1] != Some(h) {
                    continue;
                }
                let in_order = |d: usize, h: usize| first.is_none_or(|first| first == (h < d));
                let as_written = is(d, dependent) && is(h, head) && in_order(d, h);
                let other_way = is(h, dependent) && is(d, head) && in_order(h, d);
                if as_written {
                    written += usize::from(relation(d, wanted));
                } else if other_way {
                    turned += 1;
                }
            }
        }
        let found = one(LINES[line]).found(&of);
        let count = |wanted: Analysed| found.iter().filter(|(_, _, analysed)| *analysed == wanted).count();
        prop_assert_eq!((count(Analysed::AsWritten), count(Analysed::TurnedRound)), (written, turned));
        if line == 0 {
            let known = Construction::new("c", &["DET"], &["NOUN"]);
            let counts = headedness(&known, &tags, &heads);
            prop_assert_eq!((counts.by_content, counts.by_function), (written, turned));
        }
    }

    #[test]
    fn nothing_that_is_typed_makes_it_fail(text in "[a-zA-Zé:<>|,*\"# \n]{0,60}") {
        let (_, misread) = read_definitions(&text);
        for problem in misread {
            let line = text.lines().nth(problem.place.line as usize - 1).unwrap();
            prop_assert!(problem.place.column >= 1 && problem.place.column as usize <= line.chars().count() + 1);
        }
    }
}
