//! What is written out and brought in again says the same, as far as the format has a place for it.

use super::*;
use crate::project::bring::{rows_of, start, written};
use annotation::{Attach, BlockKind, Change, Event, Happening, On, Shape, Via, WrittenHead};
use formats::detect::Format;
use formats::everything;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use tree::{GroupKind, Node, PartialTree};

/// Forms that occur twice, and forms that mean something in GFL, in CoNLL-U or in brackets.
const FORMS: [&str; 16] =
    ["the", "the", "dog", "(", ")", "*", "**", "[", "$x", "a=b", "::", ">", "#", "{", "don't", "😀"];

/// A word or a block with all its words.
type NamedUnit = (bool, BTreeSet<u32>);

/// Everything that was said, with blocks by their words, since their numbers are made anew.
#[derive(Clone, Debug, Default, PartialEq)]
struct Everything {
    blocks: BTreeSet<(&'static str, BTreeSet<u32>, Option<NamedUnit>)>,
    conjuncts: BTreeSet<(String, Vec<NamedUnit>, Vec<NamedUnit>)>,
    heads: BTreeSet<(NamedUnit, Option<NamedUnit>)>,
    links: BTreeSet<(NamedUnit, NamedUnit)>,
    mentioned: Vec<usize>,
    relations: BTreeMap<NamedUnit, Text>,
    labels: BTreeMap<BTreeSet<u32>, Text>,
    tags: Vec<Text>,
    main: Vec<u32>,
    unsure: Vec<u32>,
    ruled_out: BTreeSet<(u32, u32)>,
    remarks: BTreeSet<(String, String)>,
}

impl Everything {
    fn of(sentence: &Sentence, said: &Analysis) -> Self {
        let tree = said.said();
        let unit = |node: Node| unit(&tree, node);
        let block = |at: usize, kind: &GroupKind| {
            let (name, head) = match kind {
                GroupKind::Multiword { .. } => ("multiword", None),
                GroupKind::Bracket { head, .. } => ("bracket", head.map(unit)),
                GroupKind::Coordination { .. } => ("coordination", None),
            };
            (name, unit(Node::Group(at)).1, head)
        };
        let units = |nodes: &[Node]| nodes.iter().map(|&node| unit(node)).collect::<Vec<_>>();
        let conjuncts = tree.groups.iter().filter_map(|group| match &group.kind {
            GroupKind::Coordination { name, conjuncts, coordinators } => {
                Some((name.clone(), units(conjuncts), units(coordinators)))
            }
            _ => None,
        });
        let heads = tree.arcs.iter().map(|arc| (unit(arc.dependent), Some(unit(arc.head))));
        let words = || 1..=said.tokens().len() as u32;
        let of_block = |(&bracket, _): (&u32, _)| WordOrBlock::Block { bracket };
        let all = words().map(WordOrBlock::Word).chain(said.blocks().iter().map(of_block));
        let named = |unit: WordOrBlock| (matches!(unit, WordOrBlock::Block { .. }), said.words_of(unit));
        let labelled = said.blocks().values();
        Self {
            blocks: tree.groups.iter().enumerate().map(|(at, group)| block(at, &group.kind)).collect(),
            conjuncts: conjuncts.collect(),
            heads: heads.chain(tree.roots.iter().map(|&(node, _)| (unit(node), None))).collect(),
            links: tree.anaphora.iter().map(|&(one, other, _)| (unit(one), unit(other))).collect(),
            mentioned: tree.mentioned_words(),
            relations: all.filter_map(|unit| Some((named(unit), said.relation(unit)?.clone()))).collect(),
            labels: labelled.filter_map(|one| Some((one.words.clone(), one.label.clone()?))).collect(),
            tags: (1..)
                .zip(sentence.words())
                .map(|(n, word)| said.tag(n).unwrap_or(&word.upos).clone())
                .collect(),
            main: words().filter(|&word| said.is_main(word)).collect(),
            unsure: words().filter(|&word| said.is_unsure(word)).collect(),
            ruled_out: said.forbidden().clone(),
            remarks: said
                .comments()
                .values()
                .map(|one| (format!("{:?}", one.on), one.text.clone()))
                .collect(),
        }
    }

    /// What a graph of FUDG keeps: heads and blocks.
    fn into_graph(self) -> Self {
        Self {
            blocks: self.blocks,
            conjuncts: self.conjuncts,
            heads: self.heads,
            links: self.links,
            mentioned: Vec::new(),
            ..Self::default()
        }
    }
}

fn unit(tree: &PartialTree, node: Node) -> NamedUnit {
    let words = tree.words_of(node).into_iter().map(|word| word as u32).collect();
    (matches!(node, Node::Group(_)), words)
}

/// A number that some words and blocks have.
fn any_unit() -> impl Strategy<Value = WordOrBlock> {
    prop_oneof![
        5 => (1u32..9).prop_map(WordOrBlock::Word),
        2 => (1u32..5).prop_map(|bracket| WordOrBlock::Block { bracket }),
    ]
}

fn any_name() -> impl Strategy<Value = Text> {
    prop::sample::select(vec!["NP", "nsubj:pass", "1", "root", "3-4", "a,b", "X>Y", "ü"]).prop_map(Text::from)
}

fn any_change() -> impl Strategy<Value = Change> {
    let to =
        prop_oneof![1 => Just(Some(WordOrBlock::Word(0))), 8 => any_unit().prop_map(Some), 1 => Just(None)];
    let head = (any_unit(), to, prop::option::of(any_name()))
        .prop_map(|(of, to, relation)| Change::Head(Attach { of, to: to.map(WrittenHead::from), relation }));
    let words =
        prop::collection::btree_set(1u32..9, 2..5).prop_map(|words| words.into_iter().collect::<Vec<_>>());
    let runs = (1u32..8, 1u32..5).prop_map(|(first, more)| (first..=first + more).collect::<Vec<_>>());
    let shape = prop_oneof![4 => Just(None), 1 => Just(Some(Shape::Multiword))];
    let bracket = (
        1u32..5,
        shape,
        prop_oneof![words, runs],
        prop::option::of(any_unit()),
        prop::option::of(any_name()),
    );
    let bracket =
        bracket.prop_map(|(id, kind, words, head, label)| Change::Bracket { id, kind, words, head, label });
    let on = prop_oneof![
        Just(On::Sentence),
        (1u32..9).prop_map(|word| On::Word { word }),
        (1u32..9).prop_map(|word| On::Arc { word })
    ];
    let text =
        prop::sample::select(vec!["a remark", "3: three", "arc of 2: x", "0: zero", "50 % | of=it", "no: 1"]);
    prop_oneof![
        6 => head,
        5 => bracket,
        1 => (any_unit(), any_name()).prop_map(|(of, is)| Change::Relation { of, is: Some(is) }),
        1 => (1u32..9, any_name()).prop_map(|(of, is)| Change::Tag { of, is: Some(is) }),
        1 => (1u32..9).prop_map(|of| Change::Main { of, is: true }),
        1 => (1u32..9).prop_map(|of| Change::Unsure { of, is: true }),
        1 => (1u32..9, 0u32..9).prop_map(|(of, to)| Change::Forbid { of, to, is: true }),
        1 => (1u32..9, on, text).prop_map(|(n, on, text)| Change::Comment { n, on, text: Some(text.into()) }),
    ]
}

/// A sentence of which a person has said all of these that make sense.
fn said(forms: &[&str], changes: &[Change]) -> Written {
    let (sentence, start) = start(&written(&Sentence::from_forms(forms.iter().copied())).unwrap()).unwrap();
    let mut history = History::from(start.clone());
    for (n, change) in (1..).zip(changes) {
        let kind = Happening::Edit { via: Via::Key, changes: vec![change.clone()] };
        let _ = history.push(&Event { n, at: 0, kind });
    }
    let on_desk = OnDesk { id: 1, place: 1, section: 0, sentence: Arc::new(sentence), start };
    Written { on_desk, annotator: "Ana".into(), of: Vec::new(), history, rows: Sentence::default() }
}

/// Everything that a file says when it is brought in.
fn again(format: Format, bytes: &[u8]) -> Everything {
    let read = everything::items(format, bytes).next().unwrap().unwrap();
    let (sentence, analysis) = start(&written(&rows_of(read.value).unwrap()).unwrap()).unwrap();
    Everything::of(&sentence, &analysis)
}

fn in_rows(one: &Written) -> Vec<u8> {
    let mut bytes = Vec::new();
    conllu::write(&one.rows, &mut bytes).unwrap();
    bytes
}

/// Compares what was said with what comes back in each format.
fn check(forms: &[&str], changes: &[Change]) -> Result<(), TestCaseError> {
    let mut one = said(forms, changes);
    let expected = Everything::of(&one.on_desk.sentence, one.history.analysis());
    let (tree, blocks) = (one.history.analysis().said(), one.history.analysis().blocks());
    // GFL can say of words only once that they are a block; the page refuses to say it twice.
    let words: BTreeSet<&BTreeSet<u32>> = expected.blocks.iter().map(|(_, words, _)| words).collect();
    prop_assume!(words.len() == blocks.len());
    // A coordination keeps its words when one of its parts is given others, which no text can say.
    let is_sound =
        |(at, block): (usize, &annotation::WordBlock)| unit(&tree, Node::Group(at)).1 == block.words;
    prop_assume!(blocks.values().enumerate().all(is_sound));
    for place in [RemarkPlace::Lines, RemarkPlace::Misc] {
        one.rows = rows(&one, place);
        let bytes = in_rows(&one);
        prop_assert_eq!(&again(Format::Conllu, &bytes), &expected, "{}", String::from_utf8_lossy(&bytes));
    }
    let text = block(&one).to_string();
    prop_assert_eq!(&again(Format::Gfl, text.as_bytes()), &expected, "{}", text);
    let line = fudg_json::write_line(&block(&one)) + "\n";
    prop_assert_eq!(
        again(Format::FudgJson, line.as_bytes()).into_graph(),
        expected.clone().into_graph(),
        "{}",
        line
    );
    one.rows = rows(&one, RemarkPlace::None);
    let nothing = Everything { remarks: BTreeSet::new(), ..expected };
    prop_assert_eq!(again(Format::Conllu, &in_rows(&one)), nothing);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]
    #[test]
    fn whatever_was_said_comes_back(
        forms in prop::collection::vec(prop::sample::select(FORMS.to_vec()), 1..9),
        changes in prop::collection::vec(any_change(), 0..20),
    ) {
        check(&forms, &changes)?;
    }

    #[test]
    fn so_does_what_was_typed_as_text(
        lines in prop::collection::vec(prop::sample::select(vec![
            "$x :: {a b} :: and", "$y :: {(c d*) e} :: {and or}", "$x > e", "(a b c*)", "[d e]", "a > b", "c**", "(a b and) > c",
            "f", "d = e", "(d e) > a", "[a and] > b",
        ]), 1..5),
        changes in prop::collection::vec(any_change(), 0..6),
    ) {
        let text = Change::Gfl { text: lines.join("\n") };
        check(&["a", "b", "and", "or", "c", "d", "e", "f"], &[&[text][..], &changes].concat())?;
    }
}

#[test]
fn relations_and_labels_of_blocks_with_gaps_are_kept() {
    let bracket = |id, words: &[u32], label: Option<&str>| Change::Bracket {
        id,
        kind: None,
        words: words.to_vec(),
        head: None,
        label: label.map(Text::from),
    };
    let relation =
        |bracket, is: &str| Change::Relation { of: WordOrBlock::Block { bracket }, is: Some(is.into()) };
    let changes = [
        bracket(1, &[1, 2, 4], Some("VP")),
        bracket(2, &[1, 2], None),
        relation(2, "obj"),
        relation(1, "conj"),
        Change::Main { of: 2, is: true },
        Change::Forbid { of: 3, to: 0, is: true },
    ];
    let mut one = said(&["call", "the", "old", "up"], &changes);
    one.rows = rows(&one, RemarkPlace::Lines);
    let text = String::from_utf8(in_rows(&one)).unwrap();
    for line in ["# block = VP 1-2,4 conj", "# block = _ 1 2 obj", "# main = 2", "# ruled_out = 3>0"] {
        assert!(text.lines().any(|other| other == line), "{line}: {text}");
    }
    check(&["call", "the", "old", "up"], &changes).unwrap();
}

#[test]
fn comments_that_somebody_has_changed_are_kept_as_they_are() {
    let odd = "# block = NP 1 9\n# block = NP\n# main = 1 x\n# ruled_out = 2\n# remark = 9: far\n# note = mine\n# annotator = Eva\n";
    let text = format!("{odd}1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n2\tb\t_\t_\t_\t_\t_\t_\t_\t_\n\n");
    let (sentence, start) = start(&text).unwrap();
    assert!(start.is_main(1));
    let history = History::from(start.clone());
    let on_desk = OnDesk { id: 1, place: 1, section: 0, sentence: Arc::new(sentence), start };
    let mut one =
        Written { on_desk, annotator: "Ana".into(), of: Vec::new(), history, rows: Sentence::default() };
    one.rows = rows(&one, RemarkPlace::Lines);
    let written = String::from_utf8(in_rows(&one)).unwrap();
    assert!(odd.lines().all(|line| written.lines().any(|other| other == line)), "{written}");
}

#[test]
fn what_brackets_and_graphs_have_no_place_for_is_counted() {
    let kinds = |format| {
        lost(
            format,
            said(
                &["a", "b", "c"],
                &[
                    Change::Bracket {
                        id: 1,
                        kind: None,
                        words: vec![1, 3],
                        head: None,
                        label: Some("X".into()),
                    },
                    Change::Head(Attach {
                        of: WordOrBlock::Word(2),
                        to: Some(WordOrBlock::Word(3).into()).map(|to: WrittenHead| to),
                        relation: Some("det".into()),
                    }),
                    Change::Comment { n: 1, on: On::Sentence, text: Some("x".into()) },
                ],
            )
            .history
            .analysis(),
        )
    };
    let count =
        |format, what: &str| kinds(format).into_iter().find(|(name, _)| *name == what).map(|(_, n)| n);
    assert_eq!(count(ExportFormat::Mrg, "blocks with gaps"), Some(1));
    assert_eq!((count(ExportFormat::Mrg, "heads"), count(ExportFormat::Json, "heads")), (Some(1), None));
    assert_eq!(
        (count(ExportFormat::Json, "labels of blocks"), count(ExportFormat::Json, "relations")),
        (Some(1), Some(1))
    );
    assert_eq!(kinds(ExportFormat::Conllu), []);
    let _ = BlockKind::Multiword;
}
