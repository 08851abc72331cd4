//! All columns, marks of who said what, and brackets survive formats that can hold them.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use formats::convert::{Options, convert};
use formats::detect::Format;
use formats::everything::{Item, items, write};
use formats::gfl::{Block, comments};
use proptest::prelude::*;
use tree::provenance::Column;
use tree::{Group, GroupKind, Head, Node, PartialTree, Place, Sentence};

fn through(sentence: &Sentence, format: Format) -> Sentence {
    let there = convert(
        Item::Sentence(sentence.clone()),
        Format::Conllu,
        format,
        &Options::new(formats::convert::HeadFinder::Lexical),
    )
    .unwrap()
    .item;
    let mut bytes = Vec::new();
    write(format, &there, &mut bytes).unwrap();
    let mut read = items(format, bytes.as_slice()).map(|reading| reading.unwrap());
    let first = read.find(|reading| !reading.value.is_blank()).unwrap();
    match convert(first.value, format, Format::Conllu, &Options::new(formats::convert::HeadFinder::Lexical))
        .unwrap()
        .item
    {
        Item::Sentence(sentence) => sentence,
        other => panic!("{other:?}"),
    }
}

/// A tree over some words, with tags, relations and marks in some places.
fn sentence() -> impl Strategy<Value = Sentence> {
    let word = ("[a-z']{1,4}", 0usize..100, any::<[bool; 4]>());
    prop::collection::vec(word, 1..6).prop_map(|words| {
        let mut sentence = Sentence::from_forms(words.iter().map(|(form, _, _)| form.as_str()));
        sentence.comments.push("# sent_id = s1".into());
        for (at, (token, (_, head, choices))) in sentence.tokens.iter_mut().zip(&words).enumerate() {
            let [has_head, has_relation, by_machine, has_tag] = *choices;
            if has_head {
                token.head = Head::Of((head % (at + 1)) as u32);
            }
            if has_relation {
                token.deprel = "obj:x".into();
            }
            if has_tag {
                token.upos = "NOUN".into();
                token.feats = "Case=Nom|Number=Sing".into();
            }
            if by_machine {
                Column::ALL.into_iter().for_each(|column| column.mark(token, "m@1", Some(0.5)));
            }
        }
        sentence
    })
}

proptest! {
    #[test]
    fn gfl_gives_back_all_columns(sentence in sentence()) {
        for format in [Format::Gfl, Format::GflJson] {
            let mut back = through(&sentence, format);
            back.comments.retain(|comment| !comment.starts_with("# text"));
            prop_assert_eq!(&back, &sentence);
        }
    }

    #[test]
    fn rows_without_misc_keep_who_said_what(sentence in sentence()) {
        let back = through(&sentence, Format::Conllx);
        for (before, after) in sentence.words().zip(back.words()) {
            for column in Column::ALL {
                prop_assert_eq!(column.value(before), column.value(after));
                prop_assert_eq!(column.author(before), column.author(after));
                prop_assert_eq!(column.probability(before), column.probability(after));
            }
        }
    }

    #[test]
    fn fudg_has_no_place_for_machines_and_leaves_out_what_they_said(sentence in sentence()) {
        let back = through(&sentence, Format::FudgJson);
        for (before, after) in sentence.words().zip(back.words()) {
            let is_said = !Column::Head.is_by_machine(before);
            prop_assert_eq!(Column::Head.value(after), Column::Head.value(before).filter(|_| is_said));
        }
    }
}

#[test]
fn brackets_stand_in_comments_of_rows_and_come_back() {
    let mut sentence = Sentence::from_forms(["the", "old", "man", "the", "sea"]);
    sentence.tokens[4].head = Head::Of(3);
    let mut said = PartialTree::from_sentence(&sentence);
    let members = vec![Node::Word(1), Node::Word(2), Node::Word(3)];
    let kind = GroupKind::Bracket { members, head: Some(Node::Word(3)) };
    said.groups.push(Group { kind, place: Place::default() });
    comments::to_comments(&said, &mut sentence);
    assert_eq!(sentence.comments, ["# anno = (the~1 old man*)"]);
    let (more, problems) = comments::from_comments(&sentence, 7).unwrap();
    assert!(problems.is_empty() && more.groups.len() == 1, "{problems:?}");
    assert_eq!(more.words_of(Node::Group(0)), [1, 2, 3]);
    // Places are those of the file: the bracket begins in column 10 of line 7.
    assert_eq!((more.groups[0].place.line, more.groups[0].place.column), (7, 10));
    // Said again, it stands there once.
    let twice = sentence.clone();
    comments::to_comments(&said, &mut sentence);
    assert_eq!(sentence, twice);
}

#[test]
fn a_remark_beside_the_id_comes_back_from_gfl() {
    let mut sentence = Sentence::from_forms(["old", "man"]);
    (sentence.tokens[0].head, sentence.tokens[1].head) = (Head::Of(2), Head::Of(0));
    sentence.comments = vec!["# sent_id = s1".into(), "# source = letters".into()];
    for format in [Format::Gfl, Format::GflJson] {
        let back = through(&sentence, format);
        assert!(back.comments.contains(&"# source = letters".into()), "{format:?}: {:?}", back.comments);
    }
}

#[test]
fn brackets_from_comments_are_said_in_gfl_and_nowhere_else() {
    let mut sentence = Sentence::from_forms(["the", "old", "man"]);
    sentence.comments.push("# anno = (the old man*)".into());
    let options = Options::new(formats::convert::HeadFinder::Lexical);
    let gfl = convert(Item::Sentence(sentence), Format::Conllu, Format::Gfl, &options).unwrap().item;
    let mut bytes = Vec::new();
    write(Format::Gfl, &gfl, &mut bytes).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    assert!(text.contains("(the old man*)") && !text.contains("# anno"), "{text}");
}

#[test]
fn tags_that_are_changed_in_gfl_are_the_persons() {
    let mut sentence = Sentence::from_forms(["a", "b"]);
    for token in &mut sentence.tokens {
        token.upos = "NOUN".into();
        Column::Upos.mark(token, "tagger", None);
    }
    let text = Block::from_sentence(&sentence, &PartialTree::new(2)).to_string().replace("a/NOUN", "a/VERB");
    let read = items(Format::Gfl, text.as_bytes()).map(|reading| reading.unwrap().value);
    let blocks: Vec<Item> = read.filter(|item| !item.is_blank()).collect();
    let [Item::Annotation(block)] = blocks.as_slice() else { panic!("{blocks:?}") };
    let back = block.sentence();
    assert_eq!((back.tokens[0].upos.as_str(), Column::Upos.is_by_machine(&back.tokens[0])), ("VERB", false));
    assert_eq!((back.tokens[1].upos.as_str(), Column::Upos.is_by_machine(&back.tokens[1])), ("NOUN", true));
}

#[test]
fn rows_of_another_sentence_are_ignored_with_a_warning() {
    let text = "---\n% TEXT\na b\n\n% ANNO\na > b\n% CONLLU\n1\ta\t_\tNOUN\t_\t_\t_\t_\t_\t_\n2\tc\t_\tNOUN\t_\t_\t_\t_\t_\t_\n\n";
    let read: Vec<_> = items(Format::Gfl, text.as_bytes()).map(|reading| reading.unwrap()).collect();
    let problems: Vec<&str> =
        read.iter().flat_map(|reading| &reading.problems).map(|problem| problem.rule).collect();
    assert_eq!(problems, ["rows-mismatch"]);
}
