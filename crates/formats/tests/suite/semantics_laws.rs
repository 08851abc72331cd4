//! What is put into an item is read back from it, in every format that has a place for it.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use formats::detect::Format;
use formats::everything::{Item, items, write};
use formats::semantics::{self, LeftOut};
use proptest::prelude::*;
use std::collections::BTreeSet;
use tree::Span;
use tree::semantics::{Argument, Entity, Predicate, Relation, Semantics};

const N_WORDS: usize = 7;

/// A sentence of seven words in which nothing is said.
fn blank(format: Format) -> Item {
    let rows = |row: &dyn Fn(usize) -> String| (0..N_WORDS).map(row).collect::<String>() + "\n";
    let text = match format {
        Format::Bio => rows(&|at| format!("w{at} O\n")),
        Format::Conllu => rows(&|at| format!("{}\tw{at}\t_\t_\t_\t_\t_\t_\t_\tA=b|C\n", at + 1)),
        Format::Conll09 => rows(&|at| format!("{}\tw{at}\tl\tl\tp\tp\t_\t_\t0\t0\td\td\t_\t_\n", at + 1)),
        Format::Joint => rows(&|at| format!("{}\tw{at}\tl\tU\tX\t0\tr\tO\n", at + 1)),
        Format::Conll04 => {
            "#doc 1\n".to_string() + rows(&|at| format!("{at}\tw{at}\tO\t['N']\t[{at}]\n")).trim_end()
        }
        _ => "7\t\"The <e1>a</e1> b <e2>c</e2> d e f\"\nOther\nComment:\n\n".into(),
    };
    first(format, text.as_bytes())
}

fn turkish() -> Item {
    let text: String = (1..=N_WORDS).map(|id| format!("{id}\tw{id}\tN\ta+N\ta\tNONE\tNONE\n")).collect();
    first(Format::Joint, (text + "\n").as_bytes())
}

fn first(format: Format, bytes: &[u8]) -> Item {
    let read = items(format, bytes).next().unwrap().unwrap();
    assert!(read.problems.iter().all(|problem| !problem.is_error()), "{:?}", read.problems);
    read.value
}

/// The item as its file has it, read again.
fn again(format: Format, item: &Item) -> Item {
    let mut bytes = Vec::new();
    assert!(write(format, item, &mut bytes).unwrap());
    let mut read = items(format, &bytes[..]);
    let item = read.next().unwrap().unwrap().value;
    assert!(read.next().is_none(), "{}", String::from_utf8_lossy(&bytes));
    item
}

fn kind() -> impl Strategy<Value = String> {
    prop_oneof![Just("PER".into()), Just("LOC".into()), "[A-Z%,=|:'\"\\\\-]{1,4}"]
        .prop_filter("reserved", |kind: &String| !matches!(kind.as_str(), "N" | "NONE" | "Other"))
}

/// Entities from left to right that share no word, relations and open pairs among them, predicates with arguments.
fn said() -> impl Strategy<Value = Semantics> {
    let widths = prop::collection::vec((0usize..2, 1usize..3, kind()), 0..4);
    let pairs = prop::collection::vec((0usize..4, 0usize..4, kind(), any::<bool>()), 0..4);
    let argument = (0..N_WORDS, kind(), any::<bool>());
    let predicate = (0..N_WORDS, prop::option::of(kind()), prop::collection::vec(argument, 0..4));
    let predicates = prop::collection::vec(predicate, 0..4);
    let open = prop::collection::btree_set(0..N_WORDS, 0..4);
    (widths, pairs, predicates, open).prop_map(|(widths, pairs, predicates, open)| {
        let mut said = Semantics::default();
        let mut start = 0;
        for (gap, width, kind) in widths {
            start += gap;
            if start + width <= N_WORDS {
                let span = Span::new(start, start + width).unwrap();
                said.entities.push(Entity { span, kind: kind.as_str().into() });
                start += width;
            }
        }
        let is_free = |word: &usize| !said.entities.iter().any(|entity| entity.span.holds(*word));
        said.open_words = open.into_iter().filter(is_free).collect();
        let n = said.entities.len();
        let mut seen = BTreeSet::new();
        for (first, second, kind, is_open) in pairs {
            let pair = (first.min(second), first.max(second));
            if pair.0 == pair.1 || pair.1 >= n || !seen.insert(pair) {
                continue;
            }
            if is_open {
                said.open_pairs.insert(pair);
            } else {
                said.relations.push(Relation { first, second, kind: kind.as_str().into() });
            }
        }
        said.relations.sort();
        let mut words = BTreeSet::new();
        for (word, sense, arguments) in predicates {
            if !words.insert(word) {
                continue;
            }
            let mut predicate = Predicate {
                word,
                sense: sense.map(|sense| sense.as_str().into()),
                arguments: Vec::new(),
                open: BTreeSet::new(),
            };
            let mut seen = BTreeSet::new();
            for (word, role, is_open) in arguments {
                if !seen.insert(word) {
                    continue;
                }
                if is_open {
                    predicate.open.insert(word);
                } else {
                    predicate.arguments.push(Argument { word, role: role.as_str().into() });
                }
            }
            predicate.arguments.sort();
            said.predicates.push(predicate);
        }
        said.predicates.sort_by_key(|predicate| predicate.word);
        said
    })
}

/// What a format has a place for.
fn with_place(format: Format, said: &Semantics) -> Semantics {
    let mut said = said.clone();
    if format == Format::Conll09 {
        said = Semantics { predicates: said.predicates, ..Semantics::default() };
    } else if format != Format::Conllu {
        said.predicates.clear();
    }
    if !matches!(format, Format::Conllu | Format::Conll04) {
        said.relations.clear();
        said.open_pairs.clear();
    }
    said
}

fn check(format: Format, mut item: Item, said: &Semantics) {
    let before = item.clone();
    let left = semantics::write(format, &mut item, said);
    assert_eq!(left, LeftOut::default(), "{format:?}");
    let item = again(format, &item);
    let (_, read, problems) = semantics::read(format, &item, 1);
    assert_eq!(&read, said, "{format:?}");
    assert_eq!(problems, [], "{format:?}");
    // And back: nothing else was changed.
    let mut back = item;
    let (_, nothing, _) = semantics::read(format, &before, 1);
    semantics::write(format, &mut back, &nothing);
    assert_eq!(back, before, "{format:?}");
}

proptest! {
    #[test]
    fn what_was_said_is_read_back(said in said()) {
        for format in [Format::Bio, Format::Conllu, Format::Conll09, Format::Joint, Format::Conll04] {
            check(format, blank(format), &with_place(format, &said));
        }
    }

    #[test]
    fn what_was_said_a_second_time_replaces_the_first(one in said(), other in said()) {
        for format in [Format::Bio, Format::Conllu, Format::Conll09, Format::Joint, Format::Conll04] {
            let mut item = blank(format);
            semantics::write(format, &mut item, &with_place(format, &one));
            let other = with_place(format, &other);
            prop_assert!(semantics::write(format, &mut item, &other).is_empty());
            prop_assert_eq!(semantics::read(format, &again(format, &item), 1).1, other, "{:?}", format);
        }
    }

    #[test]
    fn types_and_roles_of_words_are_read_back(said in said()) {
        // Neighbours of one type would be one entity, one word says of all predicates whether it is open, and a sense names one
        // predicate.
        let mut said = Semantics { relations: vec![], open_pairs: BTreeSet::new(), ..said };
        for at in (1..said.entities.len()).rev() {
            let (one, other) = (&said.entities[at - 1], &said.entities[at]);
            if one.kind == other.kind && one.span.end() == other.span.start() {
                said.entities.remove(at);
            }
        }
        let mut senses = BTreeSet::new();
        said.predicates.retain(|predicate| senses.insert(predicate.sense.clone()));
        said.predicates.iter_mut().for_each(|predicate| predicate.open.clear());
        check(Format::Joint, turkish(), &said);
    }

    #[test]
    fn marked_nominals_are_read_back(one in 0usize..6, width in 1usize..3, gap in 0usize..2, kind in kind(), choice in 0usize..4) {
        let mut item = blank(Format::Semeval);
        let n_words = semantics::read(Format::Semeval, &item, 1).0.n_words();
        let second = one + width + gap;
        let Some(second) = Span::new(second, n_words).filter(|_| kind != "(") else { return Ok(()) };
        let entity = |span, kind: &str| Entity { span, kind: kind.into() };
        let mut said = Semantics {
            entities: vec![entity(Span::new(one, one + width).unwrap(), "e1"), entity(second, "e2")],
            ..Semantics::default()
        };
        match choice {
            0 => {}
            1 => said.open_pairs = [(0, 1)].into(),
            direction => said.relations = vec![Relation {
                first: direction - 2, second: 3 - direction, kind: kind.as_str().into()
            }],
        }
        prop_assert!(semantics::write(Format::Semeval, &mut item, &said).is_empty());
        let item = again(Format::Semeval, &item);
        prop_assert_eq!(semantics::read(Format::Semeval, &item, 1).1, said);
    }

    #[test]
    fn what_cannot_be_is_counted_and_never_panics(said in anything(), which in 0usize..7) {
        let format = [Format::Bio, Format::Conllu, Format::Conll09, Format::Joint, Format::Conll04, Format::Semeval, Format::Joint][which];
        let mut item = if which == 6 { turkish() } else { blank(format) };
        let left = semantics::write(format, &mut item, &said);
        let (_, read, problems) = semantics::read(format, &again(format, &item), 1);
        prop_assert_eq!(problems, []);
        if format != Format::Semeval {
            prop_assert_eq!(read.entities.len() + left.entities, said.entities.len());
            prop_assert_eq!(read.relations.len() + left.relations, said.relations.len());
            prop_assert_eq!(read.predicates.len() + left.predicates, said.predicates.len());
        }
        prop_assert_eq!(read.faults(N_WORDS), []);
        // What was written once is not changed by being written again.
        let once = item.clone();
        semantics::write(format, &mut item, &read);
        prop_assert_eq!(item, once);
    }
}

/// Anything at all, also what cannot be.
fn anything() -> impl Strategy<Value = Semantics> {
    let name = || {
        prop::sample::select(vec![
            "PER",
            "e1",
            "e2",
            "",
            "_",
            "?",
            "N",
            "NONE",
            "O",
            "a\tb",
            "a\nb",
            "a b",
            "PREDICATE",
            "a$b",
            "Other",
        ])
    };
    let entity = (0usize..9, 1usize..4, name());
    let relation = (0usize..5, 0usize..5, name());
    let argument = (0usize..9, name());
    let predicate = (
        0usize..9,
        prop::option::of(name()),
        prop::collection::vec(argument, 0..4),
        prop::collection::btree_set(0usize..9, 0..4),
    );
    (
        prop::collection::vec(entity, 0..5),
        prop::collection::vec(relation, 0..5),
        prop::collection::vec(predicate, 0..4),
        prop::collection::btree_set(0usize..9, 0..4),
        prop::collection::btree_set((0usize..5, 0usize..5), 0..4),
    )
        .prop_map(|(entities, relations, predicates, open_words, open_pairs)| Semantics {
            entities: entities
                .into_iter()
                .map(|(start, width, kind)| Entity {
                    span: Span::new(start, start + width).unwrap(),
                    kind: kind.into(),
                })
                .collect(),
            relations: relations
                .into_iter()
                .map(|(first, second, kind)| Relation { first, second, kind: kind.into() })
                .collect(),
            predicates: predicates
                .into_iter()
                .map(|(word, sense, arguments, open)| Predicate {
                    word,
                    sense: sense.map(Into::into),
                    arguments: arguments
                        .into_iter()
                        .map(|(word, role)| Argument { word, role: role.into() })
                        .collect(),
                    open,
                })
                .collect(),
            open_words,
            open_pairs,
        })
}

/// Pieces that files of all these formats are made of, in any order.
fn rubble() -> impl Strategy<Value = String> {
    const PIECES: [&str; 44] = [
        "\t",
        "\t",
        "\t",
        "\t",
        "\t",
        "\n",
        "\n",
        "\n",
        "\n\n",
        "#doc",
        "0",
        "1",
        "2",
        "3",
        "B-X",
        "I-X",
        "O",
        "_",
        "['N']",
        "['a', '?']",
        "[0]",
        "[1, 2]",
        "[",
        "'",
        "?",
        "Y",
        "NE=B-Z",
        "|",
        "Rel=2:x,1:?",
        "Args=A0,?",
        "Pred=p",
        "<e1>",
        "</e1>",
        "<e2>",
        "</e2>",
        "\"",
        "Other",
        "X(e1,e2)",
        "PREDICATE$a",
        "ARG0$a",
        "#",
        "\r",
        " ",
        "é漢",
    ];
    prop::collection::vec(prop::sample::select(PIECES.to_vec()), 0..80).prop_map(|pieces| pieces.concat())
}

/// Rows with the right number of columns, of anything.
fn rows(n_columns: usize) -> impl Strategy<Value = String> {
    const CELLS: [&str; 17] = [
        "_",
        "O",
        "B-X",
        "I-X",
        "NONE",
        "PER",
        "Y",
        "?",
        "A0",
        "['N']",
        "['a', '?']",
        "[1, 0]",
        "[2]",
        "0",
        "NE=B-Z|Rel=2:x,1:?",
        "Pred=p|Args=A0,?",
        "PREDICATE$a#ARG0$b",
    ];
    let row = prop::collection::vec(prop::sample::select(CELLS.to_vec()), n_columns - 1);
    prop::collection::vec(row, 1..5).prop_map(move |rows| {
        let first = usize::from(n_columns != 5);
        let begin = if n_columns == 5 { "#doc 1\n" } else { "" };
        let end = if n_columns == 5 { "" } else { "\n" };
        let rows = (first..).zip(rows).map(|(id, row)| format!("{id}\t{}\n", row.join("\t")));
        begin.to_string() + &rows.collect::<String>() + end
    })
}

fn survives(format: Format, text: &str, said: &Semantics) {
    let mut once = Vec::new();
    formats::everything::copy(format, text.as_bytes(), &mut once).unwrap();
    let mut twice = Vec::new();
    formats::everything::copy(format, &once[..], &mut twice).unwrap();
    assert_eq!(String::from_utf8_lossy(&once), String::from_utf8_lossy(&twice), "{format:?}");
    for reading in items(format, text.as_bytes()) {
        let mut item = reading.unwrap().value;
        let (sentence, read, _) = semantics::read(format, &item, 1);
        assert!(read.entities.iter().all(|entity| entity.span.end() <= sentence.n_words()));
        let before = item.clone();
        assert!(semantics::write(format, &mut item, &read).is_empty());
        assert_eq!(item, before, "what was not changed stays");
        semantics::write(format, &mut item, said);
        let _ = semantics::read(format, &item, 1);
        for (to, _) in Format::ALL {
            let options = formats::convert::Options::new(formats::convert::HeadFinder::Lexical);
            let _ = formats::convert::convert(before.clone(), format, to, &options);
        }
    }
}

const ALL: [Format; 6] =
    [Format::Bio, Format::Conllu, Format::Conll09, Format::Joint, Format::Conll04, Format::Semeval];

proptest! {
    #[test]
    fn rubble_is_survived(text in rubble(), said in anything()) {
        ALL.into_iter().for_each(|format| survives(format, &text, &said));
    }

    #[test]
    fn rows_of_anything_are_survived(
        texts in (rows(3), rows(5), rows(7), rows(8), rows(10), rows(15), rows(17)),
        said in anything(),
    ) {
        let (bio, conll04, turkish, gum, conllu, one, three) = texts;
        let texts = [(Format::Bio, bio), (Format::Conll04, conll04), (Format::Joint, turkish), (Format::Joint, gum),
            (Format::Conllu, conllu), (Format::Conll09, one), (Format::Conll09, three)];
        texts.iter().for_each(|(format, text)| survives(*format, text, &said));
    }
}
