//! Entities, relations and predicates as they look in a terminal and as SVG.

use draw::semantics::{Probabilities, below_constituents, below_dependencies, below_heads};
use draw::{CSS, SvgStyle, TextStyle};
use expect_test::{Expect, expect};
use testkit::pictured::{ada_left, predicate, sentence};
use tree::semantics::{Argument, Entity, Predicate, Relation, Semantics};
use tree::{Heads, Sentence, Span, Text, Tree};

fn check(figure: &draw::Figure, style: TextStyle, expected: Expect) {
    expected.assert_eq(&figure.text(&style));
}

fn entity(start: usize, end: usize, kind: &str) -> Entity {
    Entity { span: Span::new(start, end).unwrap(), kind: kind.into() }
}

fn relation(first: usize, second: usize, kind: &str) -> Relation {
    Relation { first, second, kind: kind.into() }
}

fn ada() -> draw::Figure {
    let (sentence, said) = ada_left();
    below_dependencies(&sentence, &said, &Probabilities::default())
}

/// Bo met Al
fn bo_met_al() -> Semantics {
    Semantics {
        entities: vec![entity(0, 1, "PER"), entity(2, 3, "PER")],
        relations: vec![relation(1, 0, "Kin<of>")],
        predicates: vec![predicate((1, "meet.02"), &[(0, "A0"), (2, "A1")], &[])],
        ..Semantics::default()
    }
}

#[test]
fn names_relations_and_predicates_stand_below_the_words() {
    check(
        &ada(),
        TextStyle::unicode(),
        expect![[r#"
                          root
                            │ ┌───────────────────────────punct───────────────────────────┐
                            │ │ ┌───────────────────────advcl───────────────────────┐     │
         ┌──────nsubj─────┐ │ │ │ ┌──────obj─────┐ ┌──────nmod──────┐               │     │
         │ ┌─flat─┐       │ │ │ │ │      ┌─det─┐ │ │      ┌─case──┐ │      ┌─mark─┐ │     │
         ▼ │      ▼       │ ▼ │ │ │      ▼     │ ▼ │      ▼       │ ▼      ▼      │ ▼     ▼
         Ada   Lovelace     left        the  University  of    Cambridge   to    teach    .
        PROPN   PROPN       VERB        DET    PROPN     ADP     PROPN    PART   VERB   PUNCT
        └──────PER──────┤                                    └───LOC───┘         └╌╌╌╌╌?╌╌╌╌┘
                        │                                    ▲
                        │           └─┬──────────────ORG─────┼─────────┘
                        │           ▲ │                      │
                        └─Work_For──┘ └──────Located_In──────┘
         A0 ──────────── [leave.01] ──────────── A1 ─────────────────────────── AM-PRP
         A0 ────────────────────────────────────────────────────── ? ──────── [teach.01]
        ? open: whether PER Ada Lovelace (1-2) and LOC Cambridge (7) are related
    "#]],
    );
    check(
        &ada(),
        TextStyle::ascii(),
        expect![[r#"
                          root
                            | .---------------------------punct---------------------------.
                            | | .-----------------------advcl-----------------------.     |
         .------nsubj-----. | | | .------obj-----. .------nmod------.               |     |
         | .-flat-.       | | | | |      .-det-. | |      .-case--. |      .-mark-. |     |
         v |      v       | v | | |      v     | v |      v       | v      v      | v     v
         Ada   Lovelace     left        the  University  of    Cambridge   to    teach    .
        PROPN   PROPN       VERB        DET    PROPN     ADP     PROPN    PART   VERB   PUNCT
        '------PER------+                                    '---LOC---'         '~~~~~?~~~~'
                        |                                    ^
                        |           '-+--------------ORG-----+---------'
                        |           ^ |                      |
                        '-Work_For--' '------Located_In------'
         A0 ------------ [leave.01] ------------ A1 --------------------------- AM-PRP
         A0 ------------------------------------------------------ ? -------- [teach.01]
        ? open: whether PER Ada Lovelace (1-2) and LOC Cambridge (7) are related
    "#]],
    );
}

#[test]
fn narrow_terminal_tells_relations_and_predicates_in_words() {
    check(
        &ada(),
        TextStyle { width: Some(60), ..TextStyle::unicode() },
        expect![[r#"
               ┌─┬──►  1 Ada         PROPN ─┐   PER  nsubj ← 3
               │ └──►  2 Lovelace    PROPN ─┘        flat ← 1
        ─┬─┬─┬─┴────►  3 left        VERB            root
         │ │ │   ┌──►  4 the         DET   ───┐ ORG  det ← 5
         │ │ └─┬─┴──►  5 University  PROPN ───┤      obj ← 3
         │ │   │ ┌──►  6 of          ADP   ───┤      case ← 7
         │ │   └─┴──►  7 Cambridge   PROPN ─]─┘ LOC  nmod ← 5
         │ │     ┌──►  8 to          PART            mark ← 9
         │ └─────┴──►  9 teach       VERB  ─┐   ?    advcl ← 3
         └──────────► 10 .           PUNCT ─┘        punct ← 3
        Work_For from Ada Lovelace (1-2) to the University of
          Cambridge (4-7)
        Located_In from the University of Cambridge (4-7) to
          Cambridge (7)
        [leave.01] left (3): A0 Ada (1), A1 University (5), AM-PRP
          teach (9)
        [teach.01] teach (9): A0 Ada (1), open: Cambridge (7)
        ? open: whether PER Ada Lovelace (1-2) and LOC Cambridge
          (7) are related
    "#]],
    );
}

#[test]
fn very_narrow_terminal_tells_entities_too() {
    check(
        &ada(),
        TextStyle { width: Some(26), ..TextStyle::unicode() },
        expect![[r#"
             ┌──►  1 Ada        ─┐   …
             └──►  2 Lovelace   ─┘   …
            ────►  3 left            …
             ┌──►  4 the        ───┐ …
             └──►  5 University ───┤ …
             ┌──►  6 of         ───┤ …
             └──►  7 Cambridge  ─]─┘ …
             ┌──►  8 to              …
             └──►  9 teach      ─┐   …
                ► 10 .          ─┘   …
            PER Ada Lovelace (1-2)
            ORG the University of
              Cambridge (4-7)
            LOC Cambridge (7)
            Work_For from Ada
              Lovelace (1-2) to the
              University of Cambridge
              (4-7)
            Located_In from the
              University of Cambridge
              (4-7) to Cambridge (7)
            [leave.01] left (3): A0
              Ada (1), A1 University
              (5), AM-PRP teach (9)
            [teach.01] teach (9): A0
              Ada (1), open: Cambridge
              (7)
            ? open: whether PER Ada
              Lovelace (1-2) and LOC
              Cambridge (7) are
              related
        "#]],
    );
}

#[test]
fn crossing_entities_have_lines_of_their_own() {
    let said = Semantics {
        entities: vec![entity(0, 3, "A"), entity(2, 5, "B"), entity(2, 3, "C"), entity(2, 3, "D")],
        relations: vec![relation(0, 1, "x"), relation(3, 2, "same words")],
        ..Semantics::default()
    };
    let figure = below_heads(&["a", "b", "c", "d", "e"], None, &[], &said, &Probabilities::default());
    check(
        &figure,
        TextStyle::unicode(),
        expect![[r#"
          a  b                   c  d  e
                              └─C┘
                              ▲
                 ├───────D────┼──┘
               └─┼─────────B──┼────────┘
               ▲ │            │
        ├──────┼─┼───A────────┼──┘
        └───x──┘ └─same words─┘
    "#]],
    );
    check(
        &figure,
        TextStyle { width: Some(20), ..TextStyle::unicode() },
        expect![[r#"
                1 a ─────┐ A
                2 b ─────┤
                3 c ─]─]─┴ C D B
                4 d ──────
                5 e ──────
            x from a b c (1-3)
              to c d e (3-5)
            same words from c
              (3) to c (3)
        "#]],
    );
}

#[test]
fn wide_characters_and_combining_marks_keep_the_rows_straight() {
    let said = Semantics {
        entities: vec![entity(0, 1, "人名"), entity(2, 3, "物")],
        predicates: vec![predicate((1, "好き.01"), &[(0, "A0"), (2, "A1")], &[3])],
        ..Semantics::default()
    };
    let heads = Heads::new(vec![2, 0, 2, 2]).unwrap();
    let forms = ["他", "喜欢", "cafe\u{301}", "。"];
    let relations = ["nsubj", "root", "obj", "_"];
    let figure = below_heads(&forms, Some(&heads), &relations, &said, &Probabilities::default());
    check(
        &figure,
        TextStyle::unicode(),
        expect![[r#"
                   root
                     │ ┌────────────┐
           ┌─nsubj─┐ │ │ ┌─obj─┐    │
           ▼       │ ▼ │ │     ▼    ▼
          他        喜欢     café   。
        └人名─┘              └物─┘
          A0 ──── [好き.01] ─ A1 ─── ?
    "#]],
    );
}

#[test]
fn words_from_right_to_left_are_isolated() {
    let sentence = sentence(&["עדה PROPN 2 nsubj", "עזבה VERB 0 root", "אותו PRON 2 obj"]);
    let said = Semantics {
        entities: vec![entity(0, 1, "PER"), entity(2, 3, "PER")],
        relations: vec![relation(0, 1, "Knows")],
        predicates: vec![predicate((1, "עזב.01"), &[(0, "A0"), (2, "A1")], &[])],
        ..Semantics::default()
    };
    let text = below_dependencies(&sentence, &said, &Probabilities::default()).text(&TextStyle::unicode());
    expect![[r#"
           ┌──► 1 <עדה>   PROPN ─] PER  nsubj ← 2
        ─┬─┴──► 2 <עזבה>  VERB          root
         └────► 3 <אותו>  PRON  ─] PER  obj ← 2
        Knows from <עדה> (1) to <אותו> (3)
        [<עזב.01>] <עזבה> (2): A0 <עדה> (1), A1 <אותו> (3)
    "#]]
    .assert_eq(&text.replace('\u{2068}', "<").replace('\u{2069}', ">"));
}

#[test]
fn probabilities_stand_beside_what_they_are_of() {
    let probabilities = Probabilities {
        entities: vec![Some(0.934), None],
        relations: vec![Some(0.5)],
        predicates: vec![Some(1.0)],
        arguments: vec![vec![None, Some(0.25)]],
    };
    let figure = below_heads(&["Bo", "met", "Al"], None, &[], &bo_met_al(), &probabilities);
    check(
        &figure,
        TextStyle::unicode(),
        expect![[r#"
        Bo               met            Al
        └PER 0.93─┘                ├─PER─┘
                  ▲                │
                  └──Kin<of> 0.50──┘
        A0 ─────── [meet.02 1.00] ─── A1 0.25
    "#]],
    );
}

#[test]
fn what_is_not_in_the_sentence_is_told() {
    let far = Predicate {
        word: usize::MAX,
        sense: None,
        arguments: vec![
            Argument { word: 0, role: "A0".into() },
            Argument { word: usize::MAX, role: "A1".into() },
        ],
        open: [1].into(),
    };
    let twice = predicate((1, "run.01"), &[(1, "A0"), (1, "A1"), (7, "A2")], &[1, 8]);
    let said = Semantics {
        entities: vec![entity(0, 1, "ANIMAL"), entity(1, 3, "OUTSIDE")],
        relations: vec![relation(0, 0, "itself"), relation(0, 1, "near"), relation(0, usize::MAX, "nothing")],
        predicates: vec![far, twice],
        open_words: [1, 5, 9].into(),
        open_pairs: [(0, 9)].into(),
    };
    let figure = below_dependencies(&Sentence::from_forms(["dogs", "run"]), &said, &Probabilities::default());
    check(
        &figure,
        TextStyle::unicode(),
        expect![[r#"
              dogs     run
            └ANIMAL─┘  └╌?┘
                [run.01]  A0  A1  ?
            ! OUTSIDE (words 2-3) is not in the sentence
            ! open, but not in the sentence: word 6, 10
            ! not two entities of the sentence: itself from ANIMAL dogs (1) to ANIMAL dogs (1)
            ! not two entities of the sentence: near from ANIMAL dogs (1) to OUTSIDE (words 2-3)
            ! not two entities of the sentence: nothing from ANIMAL dogs (1) to entity 18446744073709551615
            ? open: whether ANIMAL dogs (1) and entity 10 are related
            ! not in the sentence: [V] word 18446744073709551615, A0 dogs (1), A1 word 18446744073709551615, ? run (2)
            ! not in the sentence: of run (2): A2 word 8, ? word 9
        "#]],
    );
}

#[test]
fn predicate_without_a_sense_is_a_v() {
    let mut said = bo_met_al();
    said.entities.clear();
    said.relations.clear();
    said.predicates[0].sense = None;
    let figure = below_heads(&["Bo", "met", "Al"], None, &[], &said, &Probabilities::default());
    check(
        &figure,
        TextStyle::unicode(),
        expect![[r#"
        Bo    met   Al
        A0 ── [V] ─ A1
    "#]],
    );
}

#[test]
fn constituency_tree_is_an_outline_above() {
    let leaf = |tag: &str, form: &str| Tree::constituent(Text::from(tag), [Tree::word(Text::from(form))]);
    let vp = Tree::constituent(Text::from("VP"), [leaf("VBD", "met"), leaf("NNP", "Al")]);
    let tree = Tree::constituent(Text::from("S"), [leaf("NNP", "Bo"), vp]);
    let figure = below_constituents(&tree, &bo_met_al(), &Probabilities::default());
    check(
        &figure,
        TextStyle::unicode(),
        expect![[r#"
        S
        ├─NNP Bo
        └─VP
          ├─VBD met
          └─NNP Al

        Bo         met       Al
        └─PER─┘          ├─PER┘
              ▲          │
              └──Kin<of>─┘
        A0 ──── [meet.02] ── A1
    "#]],
    );
    let svg = figure.svg(&SvgStyle { css: false, ..SvgStyle::default() });
    expect![[r#"
        <svg xmlns="http://www.w3.org/2000/svg" class="treelet" role="img" width="199" height="236" viewBox="0 0 199 236">
        <title>Entities, relations and predicates of Bo met Al</title>
        <desc>(S (NNP Bo) (VP (VBD met) (NNP Al))); Kin&lt;of&gt; from Al (3) to Bo (1); entity PER over Bo; entity PER over Al; [meet.02] met (2): A0 Bo (1), A1 Al (3)</desc>
        <rect class="paper" width="199" height="236"/>
        <path class="branch" d="M80 33L30 48V82"/>
        <path class="branch" d="M30 101L30 116"/>
        <path class="branch" d="M80 33L133 48"/>
        <path class="branch" d="M133 67L98 82"/>
        <path class="branch" d="M98 101L98 116"/>
        <path class="branch" d="M133 67L168 82"/>
        <path class="branch" d="M168 101L168 116"/>
        <text class="node" x="80" y="28">S</text>
        <text class="node" x="30" y="96">NNP</text>
        <text class="node" x="133" y="62">VP</text>
        <text class="node" x="98" y="96">VBD</text>
        <text class="node" x="168" y="96">NNP</text>
        <path class="entity" d="M19 147V154H65V147"/>
        <path class="entity" d="M131 147V154H177V147"/>
        <path class="relation" d="M131 154V178Q131 186 123 186H72Q64 186 64 178V154"/>
        <path class="tip relation" d="M64 155L60 162H68Z"/>
        <text class="form" x="30" y="130">Bo</text>
        <text class="form" x="98" y="130">met</text>
        <text class="form" x="168" y="130">Al</text>
        <rect class="paper" x="73" y="179" width="51" height="14"/>
        <text class="relation label" x="98" y="190">Kin&lt;of&gt;</text>
        <rect class="paper" x="29" y="157" width="26" height="12"/>
        <text class="entity label" x="42" y="167">PER</text>
        <rect class="paper" x="141" y="157" width="26" height="12"/>
        <text class="entity label" x="154" y="167">PER</text>
        <path class="row" d="M30 214H168"/>
        <rect class="paper" x="18" y="204" width="24" height="20"/>
        <text class="label" x="30" y="218">A0</text>
        <rect class="sense" x="66" y="204" width="64" height="20" rx="4"/>
        <text class="sense label" x="98" y="218">meet.02</text>
        <rect class="paper" x="156" y="204" width="24" height="20"/>
        <text class="label" x="168" y="218">A1</text>
        </svg>
    "#]].assert_eq(&svg);
}

#[test]
fn picture_has_a_title_roles_and_escaped_text() {
    let heads = Heads::new(vec![2, 0, 2]).unwrap();
    let probabilities = Probabilities { entities: vec![Some(0.2)], ..Probabilities::default() };
    let forms = ["Bo", "met", "Al"];
    let figure = below_heads(&forms, Some(&heads), &["nsubj", "_", "obj"], &bo_met_al(), &probabilities);
    let svg = figure.svg(&SvgStyle::default());
    assert!(svg.contains(CSS));
    expect![[r#"
        <svg xmlns="http://www.w3.org/2000/svg" class="treelet" role="img" width="220" height="194" viewBox="0 0 220 194">
        <title>Entities, relations and predicates of Bo met Al</title>
        <desc>Bo (1) nsubj of met (2); Al (3) obj of met (2); Kin&lt;of&gt; from Al (3) to Bo (1); met (2) root; entity PER 0.20 over Bo; entity PER over Al; [meet.02] met (2): A0 Bo (1), A1 Al (3)</desc>
        <rect class="paper" width="220" height="194"/>
        <path class="entity" d="M16 105V112H92V105" stroke-opacity="0.40"/>
        <path class="entity" d="M158 105V112H204V105"/>
        <path class="root" d="M124 26V70"/>
        <path class="tip root" d="M124 70L120 63H128Z"/>
        <path class="arc" d="M114 70V56Q114 48 106 48H34Q26 48 26 56V70"/>
        <path class="tip arc" d="M26 70L22 63H30Z"/>
        <path class="arc" d="M134 70V56Q134 48 142 48H187Q195 48 195 56V70"/>
        <path class="tip arc" d="M195 70L191 63H199Z"/>
        <path class="relation" d="M158 112V136Q158 144 150 144H99Q91 144 91 136V112"/>
        <path class="tip relation" d="M91 113L87 120H95Z"/>
        <text class="form" x="27" y="88">Bo</text>
        <text class="form" x="125" y="88">met</text>
        <text class="form" x="195" y="88">Al</text>
        <rect class="paper" x="51" y="41" width="38" height="14"/>
        <text class="label" x="70" y="52">nsubj</text>
        <rect class="paper" x="154" y="41" width="23" height="14"/>
        <text class="label" x="165" y="52">obj</text>
        <rect class="paper" x="100" y="137" width="51" height="14"/>
        <text class="relation label" x="125" y="148">Kin&lt;of&gt;</text>
        <text class="label" x="124" y="20">root</text>
        <rect class="paper" x="26" y="115" width="56" height="12"/>
        <text class="entity label" x="54" y="125">PER 0.20</text>
        <rect class="paper" x="168" y="115" width="26" height="12"/>
        <text class="entity label" x="181" y="125">PER</text>
        <path class="row" d="M27 172H195"/>
        <rect class="paper" x="15" y="162" width="24" height="20"/>
        <text class="label" x="27" y="176">A0</text>
        <rect class="sense" x="93" y="162" width="64" height="20" rx="4"/>
        <text class="sense label" x="125" y="176">meet.02</text>
        <rect class="paper" x="183" y="162" width="24" height="20"/>
        <text class="label" x="195" y="176">A1</text>
        </svg>
    "#]].assert_eq(&svg.replace(&format!("<style>{CSS}</style>\n"), ""));
}
