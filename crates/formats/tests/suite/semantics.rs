//! What files say of entities, relations and predicates, and what is wrong with it.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use expect_test::{Expect, expect};
use formats::convert::{HeadFinder, Options, convert};
use formats::detect::Format;
use formats::everything::{Item, copy, items, write};
use formats::semantics;
use testkit::{files_below, shared};
use tree::Span;
use tree::semantics::{Entity, Semantics};

/// What is said, one thing a line, words from 0.
fn shown(said: &Semantics) -> String {
    let mut lines: Vec<String> = said
        .entities
        .iter()
        .map(|entity| format!("{} {}..{}", entity.kind, entity.span.start(), entity.span.end()))
        .collect();
    lines.extend(said.relations.iter().map(|one| format!("{} {} -> {}", one.kind, one.first, one.second)));
    for predicate in &said.predicates {
        let arguments: Vec<String> =
            predicate.arguments.iter().map(|one| format!(" {}={}", one.role, one.word)).collect();
        let open =
            if predicate.open.is_empty() { String::new() } else { format!(" open {:?}", predicate.open) };
        let sense = predicate.sense.as_deref().unwrap_or("?");
        lines.push(format!("{sense}@{}{}{open}", predicate.word, arguments.concat()));
    }
    if !said.open_words.is_empty() {
        lines.push(format!("open words {:?}", said.open_words));
    }
    if !said.open_pairs.is_empty() {
        lines.push(format!("open pairs {:?}", said.open_pairs));
    }
    lines.join("\n")
}

/// What a file says of each of its sentences, and its problems.
fn check(format: Format, text: &str, expected: Expect) {
    let mut found = Vec::new();
    for reading in items(format, text.as_bytes()) {
        let reading = reading.unwrap();
        let (_, said, problems) = semantics::read(format, &reading.value, reading.line);
        found.push(shown(&said));
        found.extend(reading.problems.iter().chain(&problems).map(|problem| problem.to_string()));
        // Nothing that was not changed is written otherwise.
        let mut item = reading.value.clone();
        let left = semantics::write(format, &mut item, &said);
        assert!(left.is_empty() && item == reading.value, "{left:?}: {item:?}");
    }
    let mut out = Vec::new();
    copy(format, text.as_bytes(), &mut out).unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), text, "nothing is dropped");
    expected.assert_eq(&(found.join("\n") + "\n"));
}

fn tabbed(rows: &[&str]) -> String {
    rows.iter().map(|row| row.replace(' ', "\t") + "\n").collect()
}

#[test]
fn labels_of_all_schemes_are_entities() {
    check(
        Format::Bio,
        "a B-X\nb I-X\nc B-X\nd O\ne _\n\na B-X\nb E-X\nc S-X\nd U-Y\ne B-Y\nf L-Y\ng L-Y\n\na B\nb I\n\n",
        expect![[r#"
            X 0..2
            X 2..3
            open words {4}
            X 0..2
            X 2..3
            Y 3..4
            Y 4..6
            Y 6..7
             0..2
        "#]],
    );
    check(
        Format::Bio,
        "a I-X\nb I-Y\nc NOUN\n\n-DOCSTART- O\n\nx\n\n",
        expect![[r#"
        X 0..1
        Y 1..2
        open words {2}
        line 1, column 3: warning[inside-without-begin]: I-X does not continue the label before it; write B-X
        line 2, column 3: warning[inside-without-begin]: I-Y does not continue the label before it; write B-Y
        line 3, column 3: error[unknown-entity-label]: `NOUN` is no label of an entity; nothing is known of the word; write B-TYPE for the first word of an entity, I-TYPE for the others, O outside, _ to leave it open

        open words {0}
        line 7: error[column-count]: a line with one column, so the word has no label; separate word and label by one space or tab, and give every line the same columns
    "#]],
    );
}

#[test]
fn joint_columns_have_outermost_names() {
    let text = "# sent_id = s\n# tree = (S (A a) (B b))\n# entities = 1-2:x:NE 2-2:y 3-9:z 1-x:y 2-3:w 1-2:\n"
        .to_string()
        + &tabbed(&["1 a a X X 2 r B-x", "2 b b X X 0 r I-x", "3 c c X X 2 r I-y", "4 d d X X 2 r Q"])
        + "\n"
        + &tabbed(&["1 a X a+X a NONE NONE", "1 a a X X 0 r O more"]) + "\n";
    check(
        Format::Joint,
        &text,
        expect![[r#"
            x 0..2
            y 2..3
            open words {3}
            line 2: error[tree-mismatch]: the tree has 2 words, the sentence has 4; write a bracketed tree over the words of the rows, or remove the comment; it is kept
            line 3, column 29: error[entity-outside]: `3-9:z` goes beyond the 4 words of the sentence; give the first and the last word, counted from 1; it is kept
            line 3, column 35: error[unreadable-entity]: `1-x:y` is no entity; write first-last:type, or first-last:type:NE for a name; it is kept as it is
            line 3, column 41: error[entities-cross]: `2-3:w` crosses `1-2:x:NE`; let one of them end where the other does, or leave one out; both are kept
            line 3, column 47: error[unreadable-entity]: `1-2:` is no entity; write first-last:type, or first-last:type:NE for a name; it is kept as it is
            line 6, column 15: warning[inside-without-begin]: I-y does not continue the label before it; write B-y
            line 7, column 15: error[unknown-entity-label]: `Q` is no label of an entity; nothing is known of the word; write B-TYPE for the first word of an entity, I-TYPE for the others, O outside, _ to leave it open
            open words {1}
            line 10, column 1: error[duplicate-id]: id 1 comes again or out of order; number the words 1, 2, 3 … in each sentence
            line 9: error[column-count]: 7 columns where the first row has 8; rows have 8 columns, id form lemma UPOS XPOS head deprel BIO, or all of them 7, id form POS morphology morphemes NER PropBank; it is kept
            line 10: error[column-count]: 9 columns where the first row has 8; rows have 8 columns, id form lemma UPOS XPOS head deprel BIO, or all of them 7, id form POS morphology morphemes NER PropBank; it is kept
        "#]],
    );
}

#[test]
fn roles_of_phrases_belong_to_the_predicate_of_that_name() {
    let text = tabbed(&[
        "1 a X a+X a PERSON ARG0$p#ARG1$q",
        "2 b X b+X b PERSON ARG0$p#ARG1$p",
        "3 c X c+X c LOCATION PREDICATE$p",
        "4 d X d+X d _ PREDICATE$p#PREDICATE$z",
        "5 e X e+X e NONE ARG1",
        "6 f X f+X f NONE _",
    ]) + "\n";
    check(
        Format::Joint,
        &text,
        expect![[r#"
        PERSON 0..2
        LOCATION 2..3
        p@3 ARG0=0 ARG0=1 open {5}
        open words {3}
        line 4, column 15: error[second-predicate]: the word is a predicate twice; the first one counts; keep one of them; both are kept in the file
        line 5, column 18: error[unreadable-role]: `ARG1` is no role of a predicate; write ROLE$predicate, PREDICATE$predicate, NONE, or _ to leave it open; it is kept
        line 2, column 20: error[second-role]: ARG1 is the word's second role for the same predicate; the first one counts; keep one of them; both are kept in the file
        line 1, column 20: error[argument-without-predicate]: an argument of q, but no word is its predicate; write PREDICATE$ with the same name beside the predicate; the argument is kept
    "#]],
    );
}

#[test]
fn relations_lead_from_last_words_to_last_words() {
    let text = "#doc 1\n".to_string()
        + &[
            "0\tAnn\tB-P\t['N']\t[0]",
            "1\tLee\tI-P\t['Live_In', '?', \"it's\"]\t[3, 4, 3]",
            "2\tin\tO\t['Kill']\t[3]",
            "3\tOslo\tB-L\t['Kill', 'N']\t[3, 3]",
            "4\tX\tB-O\t['Kill', 'N']\t[2]",
            "5\tY\tB-O\t['Kill'\t[2]",
            "6\tZ\tI-Q\t['Work_For']\t[99]",
        ]
        .map(|row| format!("{row}\n"))
        .concat();
    check(
        Format::Conll04,
        &text,
        expect![[r#"
        P 0..2
        L 3..4
        O 4..5
        O 5..6
        Q 6..7
        Live_In 0 -> 1
        open pairs {(0, 2)}
        line 8, column 5: warning[inside-without-begin]: I-Q does not continue the label before it; write B-Q
        line 3, column 11: error[related-twice]: it's is the second relation of the same two entities; the first one counts; keep one of them; both are kept in the file
        line 4, column 8: error[relation-without-entity]: a relation with word 2, which is not the last word of an entity; correct the word's number, or label the entity; it is kept
        line 5, column 12: error[relation-without-entity]: a relation leads from word 3 to itself; name the last word of another entity; it is kept
        line 6, column 23: error[relation-length]: 2 relations and 1 words that they lead to; give each relation its word; those without one are left out, and kept in the file
        line 6, column 9: error[relation-without-entity]: a relation with word 2, which is not the last word of an entity; correct the word's number, or label the entity; it is kept
        line 7, column 9: error[unreadable-relation]: `['Kill'` is no list of relations, or the words beside it are none; write ['Kill', 'Live_In'] and [3, 14], or ['N'] and the word's own number; it is kept
        line 8, column 9: error[relation-without-entity]: a relation with word 99, which is not the last word of an entity; correct the word's number, or label the entity; it is kept
    "#]],
    );
    check(
        Format::Conll04,
        "#doc 1\n1\ta\tO\t['N']\t[1]\nx\ta\tO\t['N']\t[1]\n2\ta\tO\n#note\n0\t\n#doc 2\n",
        expect![[r#"

            line 2, column 1: error[id-gap]: id 1 where 0 is expected; number the words 0, 1, 2 … in each sentence, which begins with `#doc`
            line 3, column 1: error[unreadable-id]: `x` is no number of a word; number the words 0, 1, 2 … in each sentence; the line is kept as it is
            line 4: error[column-count]: 3 columns where CoNLL04 has 5; write id, word, label, ['relation', …] and [word, …] with tabs between them; it is kept
            line 4, column 1: error[id-gap]: id 2 where 1 is expected; number the words 0, 1, 2 … in each sentence, which begins with `#doc`
            line 5: error[comment-inside]: a comment in the middle of a sentence; move it before the first row; it is kept where it is
            line 6: error[column-count]: 2 columns where CoNLL04 has 5; write id, word, label, ['relation', …] and [word, …] with tabs between them; it is kept

            line 7: error[no-tokens]: a block without any token; remove the line, or add the rows of the sentence
        "#]],
    );
}

#[test]
fn nominals_are_marked_in_the_text() {
    check(
        Format::Semeval,
        "1 \"The <e1>dog's</e1> <e2>own bone</e2>.\"\nX(e2,e1)\nComment:\n\n2\t\"<e1>a</e1><e2>b</e2>\"\n?\n\n3\t\"<e1>a</e1> <e2>b\"\nOther\n\n",
        expect![[r#"
            e1 1..3
            e2 3..5
            X 1 -> 0
            e1 0..1
            e2 1..2
            open pairs {(0, 1)}
            e1 0..1
            line 8, column 15: error[unmarked-entity]: no words are marked as e2; write <e2> before its first and </e2> after its last word, once each
        "#]],
    );
    check(
        Format::Semeval,
        "4\t\"<e2>a <e1>b</e1></e2>\"\nX(e3,e1)\nmore\n\nno sentence\n\n",
        expect![[r#"
        e2 0..2
        e1 1..2
        open pairs {(0, 1)}
        line 1, column 4: error[entities-cross]: e1 and e2 share words; mark words that are not the same; both are kept
        line 2, column 1: error[unreadable-relation]: `X(e3,e1)` is no relation; write Relation(e1,e2), Relation(e2,e1), Other, or ? to leave it open; it is kept
        line 3, column 1: error[surplus-line]: a line that is neither a relation nor a comment; separate sentences by an empty line, begin comments with `Comment:`; it is kept

        line 5, column 1: error[no-sentence]: a number and a sentence in quotation marks are expected here; write 17<tab>"The <e1>…</e1> of the <e2>…</e2>."; the lines are kept as they are
    "#]],
    );
}

#[test]
fn predicates_have_a_column_each() {
    let row = |id: usize, rest: &str| format!("{id}\tw\tl\tl\tp\tp\t_\t_\t{}\t0\td\td\t{rest}\n", id - 1);
    let good =
        [row(1, "_\t_\tA0\t?"), row(2, "Y\tgo.01\t_\tAM"), row(3, "Y\t?\tA1\t_"), row(4, "_\t_\t_\t_")];
    check(
        Format::Conll09,
        &(good.concat() + "\n"),
        expect![[r#"
        go.01@1 A0=0 A1=2
        ?@2 AM=1 open {0}
    "#]],
    );
    let bad =
        [row(1, "_\tbe.01\tA0\tA1"), row(2, "Y\t_\tA0\t_"), row(3, "X\t_\tA0\tA1\tA2"), row(4, "_\t_\tA4")];
    check(
        Format::Conll09,
        &(bad.concat() + "\n"),
        expect![[r#"
        be.01@0 A0=0 A0=1 A0=2 A4=3
        ?@1 A1=0 A1=2
        line 1, column 25: error[fill-predicate]: `_` where a predicate has Y and other words have _; write Y if the word is a predicate, and _ in both columns if it is none; it is kept
        line 3, column 25: error[fill-predicate]: `X` where a predicate has Y and other words have _; write Y if the word is a predicate, and _ in both columns if it is none; it is kept
        line 3, column 35: error[argument-without-predicate]: 3 columns of arguments for 2 predicates; remove the columns that have no predicate, or say which word it is; they are kept
        line 4, column 29: error[argument-columns]: 1 columns of arguments for 2 predicates; give each predicate a column, with _ where a word is no argument
    "#]],
    );
}

#[test]
fn misc_holds_all_layers() {
    let row = |id: usize, misc: &str| format!("{id}\tw\t_\t_\t_\t_\t_\t_\t_\t{misc}\n");
    let text = [
        row(1, "NE=B-P%3DQ|Args=A0,?"),
        row(2, "NE=I-P%3DQ|Rel=4:Live_In,5:?"),
        row(3, "NE=O|Pred=go.01"),
        row(4, "Gloss=x|NE=B-L"),
        row(5, "NE=B-L"),
        row(6, "Pred=?|Args=_,A1"),
        row(7, "_"),
    ];
    check(
        Format::Conllu,
        &(text.concat() + "\n"),
        expect![[r#"
        P=Q 0..2
        L 3..4
        L 4..5
        Live_In 0 -> 1
        go.01@2 A0=0
        ?@5 A1=5 open {0}
        open words {5, 6}
        open pairs {(0, 2)}
    "#]],
    );
    let bad = [row(1, "Rel=2:X|Args=A0"), row(2, "NE=X|Rel=x"), row(3, "FillPred=N|NE=I-Y")];
    check(
        Format::Conllu,
        &(bad.concat() + "\n"),
        expect![[r#"
        Y 2..3
        open words {0, 1}
        line 2, column 19: error[unknown-entity-label]: `X` is no label of an entity; nothing is known of the word; write B-TYPE for the first word of an entity, I-TYPE for the others, O outside, _ to leave it open
        line 3, column 19: warning[inside-without-begin]: I-Y does not continue the label before it; write B-Y
        line 1, column 19: error[relation-without-entity]: a relation with word 1, which is not the last word of an entity; correct the word's number, or label the entity; it is kept
        line 2, column 19: error[unreadable-relation]: `x` is no list of relations, or the words beside it are none; write Rel=3:Kill,14:Live_In, with the last words of the other entities; it is kept
        line 3, column 19: error[fill-predicate]: `N` where a predicate has Y and other words have _; write Y if the word is a predicate, and _ in both columns if it is none; it is kept
        line 1, column 19: error[argument-without-predicate]: 1 columns of arguments for 0 predicates; remove the columns that have no predicate, or say which word it is; they are kept
    "#]],
    );
}

fn converted(from: Format, to: Format, text: &str) -> (String, Vec<&'static str>) {
    let options = Options::new(HeadFinder::Lexical);
    let (mut out, mut lost) = (Vec::new(), Vec::new());
    for reading in items(from, text.as_bytes()) {
        let done = convert(reading.unwrap().value, from, to, &options).unwrap();
        lost.extend(done.lost);
        write(to, &done.item, &mut out).unwrap();
    }
    (String::from_utf8(out).unwrap(), lost)
}

#[test]
fn conversions_keep_what_both_formats_have_a_place_for() {
    let conll04 = "#doc 7\n0\tAnn\tB-Peop\t['Live_In', '?']\t[2, 3]\n1\tin\tO\t['N']\t[1]\n2\tOslo\tB-Loc\t['N']\t[2]\n3\tX\t_\t['N']\t[3]\n"
        .replace("X\t_", "X\tB-Org");
    let (rows, lost) = converted(Format::Conll04, Format::Conllu, &conll04);
    assert_eq!(lost, [""; 0]);
    assert!(rows.contains("# sent_id = 7\n") && rows.contains("NE=B-Peop|Rel=3:Live_In,4:?"), "{rows}");
    assert_eq!(converted(Format::Conllu, Format::Conll04, &rows), (conll04, vec![]));

    let joint = "# sent_id = s\n1\ta\tb\tU\tX\t0\troot\tB-x\n2\tc\td\tU\tX\t1\tdep\t_\n\n";
    let (rows, lost) = converted(Format::Joint, Format::Conllu, joint);
    assert_eq!(lost, [""; 0]);
    assert_eq!(converted(Format::Conllu, Format::Joint, &rows), (joint.into(), vec![]));
    assert_eq!(converted(Format::Joint, Format::Bio, joint).0, "a B-x\nc _\n\n");

    let pair = "5\t\"The <e1>cat</e1>'s <e2>milk bowl</e2>.\"\nX(e2,e1)\n\n";
    let (rows, lost) = converted(Format::Semeval, Format::Conllu, pair);
    assert_eq!(lost, [""; 0]);
    assert_eq!(converted(Format::Conllu, Format::Semeval, &rows), (pair.into(), vec![]));
    let (rows, _) = converted(Format::Semeval, Format::Conll04, pair);
    assert!(
        rows.contains("5\tbowl\tI-e2\t['X']\t[1]\n") || rows.contains("4\tbowl\tI-e2\t['X']\t[1]\n"),
        "{rows}"
    );

    // Labels of entities and boundaries between documents.
    let (rows, lost) = converted(Format::Bio, Format::Conllu, "-DOCSTART- O\n\na B-X\nb O\n\n");
    assert!(rows.contains("NE=B-X") && !rows.contains("DOCSTART"), "{rows}");
    assert_eq!(lost, ["boundaries between documents"]);
    assert_eq!(converted(Format::Conllu, Format::Bio, &rows).0, "a B-X\nb O\n\n");
}

#[test]
fn predicates_of_misc_get_columns() {
    let text = "1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n2\tb\t_\t_\t_\t_\t_\t_\t_\tPred=go.01\n3\tc\t_\t_\t_\t_\t_\t_\t_\tArgs=A1\n\n";
    let (rows, lost) = converted(Format::Conllu, Format::Conll09, text);
    assert_eq!(lost, [""; 0]);
    let item = items(Format::Conll09, rows.as_bytes()).next().unwrap().unwrap().value;
    let (_, said, problems) = semantics::read(Format::Conll09, &item, 1);
    assert_eq!((shown(&said).as_str(), problems.len()), ("go.01@1 A1=2", 0), "{rows}");
}

#[test]
fn a_file_without_labels_is_open() {
    let mut read = items(Format::Bio, "a\nb\n\n".as_bytes()).next().unwrap().unwrap();
    assert_eq!(read.problems.iter().map(|problem| problem.rule).collect::<Vec<_>>(), ["column-count"; 2]);
    let (_, mut said, _) = semantics::read(Format::Bio, &read.value, 1);
    assert_eq!(shown(&said), "open words {0, 1}");
    said.entities.push(Entity { span: Span::new(1, 2).unwrap(), kind: "X".into() });
    said.open_words.remove(&1);
    semantics::write(Format::Bio, &mut read.value, &said);
    let mut out = Vec::new();
    write(Format::Bio, &read.value, &mut out).unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), "a _\nb B-X\n\n");
}

/// Entities, relations, predicates, arguments and problems of all files of a folder.
fn counted(format: Format, folder: &str, suffix: &str) -> Option<[usize; 5]> {
    let mut counts = [0; 5];
    for path in files_below(&shared(folder)?, suffix) {
        let bytes = std::fs::read(path).unwrap();
        for reading in items(format, &bytes[..]) {
            let reading = reading.unwrap();
            let (sentence, said, problems) = semantics::read(format, &reading.value, reading.line);
            let n_problems = reading.problems.len() + problems.len();
            let n_arguments: usize = said.predicates.iter().map(|predicate| predicate.arguments.len()).sum();
            let n =
                [said.entities.len(), said.relations.len(), said.predicates.len(), n_arguments, n_problems];
            counts.iter_mut().zip(n).for_each(|(count, n)| *count += n);
            assert!(said.faults(sentence.n_words()).is_empty());
            let mut item: Item = reading.value.clone();
            let left = semantics::write(format, &mut item, &said);
            assert!(left.is_empty() && item == reading.value, "{left:?}");
        }
    }
    Some(counts)
}

/// The figures were counted otherwise: labels that begin with `B-`, pairs that are listed, lines that are not `Other`, cells that are not `_`.
/// In CoNLL04, two entities begin with `I-` and one pair has two relations; in the Turkish file, three arguments have no predicate.
#[test]
fn real_files_have_the_things_that_were_counted_otherwise() {
    let all = [
        (Format::Joint, "data/ner_srl_re/gum_joint", ".joint", [4_167, 0, 0, 0, 0]),
        (Format::Joint, "data/ner_srl_re/turkish_joint", ".joint", [1_111, 0, 1_294, 4_891, 3]),
        (Format::Conll04, "data/ner_srl_re/re_conll04", ".txt", [5_347 + 2, 2_047, 0, 0, 1 + 2]),
        (Format::Semeval, "data/ner_srl_re/re_semeval2010_8", ".TXT", [21_434, 8_853, 0, 0, 0]),
        (
            Format::Conll09,
            "data/ner_srl_re/srl_conll09/up1_en_ewt_gold",
            ".conll09",
            [0, 0, 5_304, 10_482, 0],
        ),
        (Format::Conll09, "data/ner_srl_re/srl_conll09/up2_vi_vtb", ".conll09", [0, 0, 1_878, 1_013, 0]),
    ];
    for (format, folder, suffix, expected) in all {
        let Some(counts) = counted(format, folder, suffix) else { return };
        assert_eq!(counts, expected, "{folder}");
    }
}

fn rewritten(format: Format, text: &str, change: impl Fn(&mut Semantics)) -> String {
    let mut item = items(format, text.as_bytes()).next().unwrap().unwrap().value;
    let (_, mut said, _) = semantics::read(format, &item, 1);
    change(&mut said);
    assert!(semantics::write(format, &mut item, &said).is_empty());
    let mut out = Vec::new();
    write(format, &item, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn columns_without_a_predicate_stay_behind_those_that_are_added() {
    let row = |id: usize, rest: &str| format!("{id}\tw\tl\tl\tp\tp\t_\t_\t{}\t0\td\td\t{rest}\n", id - 1);
    let text = row(1, "_\t_\tA0\tA7") + &row(2, "Y\tgo.01\t_\tA8") + "\n";
    let added = rewritten(Format::Conll09, &text, |said| {
        let argument = tree::semantics::Argument { word: 1, role: "A5".into() };
        let predicate = &said.predicates[0];
        said.predicates.push(tree::semantics::Predicate {
            word: 0,
            sense: None,
            arguments: vec![argument],
            ..predicate.clone()
        });
    });
    assert_eq!(added, row(1, "Y\t?\t_\tA0\tA7") + &row(2, "Y\tgo.01\tA5\t_\tA8") + "\n");
    let removed = rewritten(Format::Conll09, &text, |said| said.predicates.clear());
    assert_eq!(removed, row(1, "_\t_\tA7") + &row(2, "_\t_\tA8") + "\n");
}

#[test]
fn other_words_of_a_predicate_and_roles_of_none_stay_where_they_are() {
    let text = tabbed(&[
        "1 a X a+X a NONE ARG0$p#ARG2$q",
        "2 b X b+X b NONE PREDICATE$p",
        "3 c X c+X c NONE PREDICATE$p",
        "4 d X d+X d NONE NONE",
    ]) + "\n";
    let changed = rewritten(Format::Joint, &text, |said| {
        said.predicates[0].arguments[0] = tree::semantics::Argument { word: 3, role: "ARG1".into() };
    });
    let expected = tabbed(&[
        "1 a X a+X a NONE ARG2$q",
        "2 b X b+X b NONE PREDICATE$p",
        "3 c X c+X c NONE PREDICATE$p",
        "4 d X d+X d NONE ARG1$p",
    ]) + "\n";
    assert_eq!(changed, expected);
}

#[test]
fn relations_that_lead_nowhere_stay() {
    let text = "#doc 1\n0\ta\tB-X\t['r', 's']\t[1, 2]\n1\tb\tB-X\t['N']\t[1]\n2\tc\tO\t['N']\t[2]\n";
    let changed = rewritten(Format::Conll04, text, |said| said.relations[0].kind = "t".into());
    assert_eq!(changed, text.replace("'r'", "'t'"));
}
