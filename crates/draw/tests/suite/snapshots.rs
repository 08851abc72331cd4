//! Small pictures as they look in a terminal.

use draw::TextStyle;
use expect_test::{Expect, expect};
use testkit::pictured::{self, al_mar, hearing, sentence};
use tree::{Arc, Group, GroupKind, Node, PartialTree, Place, Text, Tree};

fn check(figure: &draw::Figure, style: TextStyle, expected: Expect) {
    expected.assert_eq(&figure.text(&style));
}

fn cats_and_dogs() -> draw::Figure {
    let (said, forms) = pictured::cats_and_dogs();
    draw::partial(&said, &forms)
}

fn old_cat() -> draw::Figure {
    let leaf = |tag: &str, form: &str| Tree::constituent(Text::from(tag), [Tree::word(Text::from(form))]);
    let node = |label: &str, children: Vec<Tree<Text>>| Tree::constituent(Text::from(label), children);
    let np = node("NP", vec![leaf("DT", "The"), leaf("JJ", "old"), leaf("NN", "猫")]);
    let pp = node("PP", vec![leaf("IN", "on"), node("NP", vec![leaf("DT", "the"), leaf("NN", "mat")])]);
    draw::constituency(&node("S", vec![np, node("VP", vec![leaf("VBZ", "sleeps"), pp]), leaf(".", ".")]))
}

#[test]
fn crossing_arcs_stand_on_different_levels() {
    check(
        &draw::dependency(&hearing()),
        TextStyle::unicode(),
        expect![[r#"
                                         root
                                           │ ┌──────────────punct─────────────┐
                     ┌────────────────nmod─┼─┼────────────────────┐           │
                     │                     │ │ ┌────────advmod────┼────┐      │
                     │ ┌───nsubj:pass────┐ │ │ │   ┌────case────┐ │    │      │
             ┌─det─┐ │ │    ┌─aux:pass─┐ │ │ │ │   │    ┌─det─┐ │ │    │      │
             ▼     │ │ ▼    ▼          │ │ ▼ │ │   ▼    ▼     │ │ ▼    ▼      ▼
             A    hearing  is          scheduled  on   the    issue  today    .
            DET    NOUN    AUX           VERB     ADP  DET    NOUN    ADV   PUNCT
        "#]],
    );
}

#[test]
fn narrow_terminal_gets_one_word_per_line() {
    check(
        &draw::dependency(&hearing()),
        TextStyle { width: Some(50), ..TextStyle::unicode() },
        expect![[r#"
                 ┌──► 1 A          DET    det ← 2
           ┌───┬─┴──► 2 hearing    NOUN   nsubj:pass ← 4
           │   │ ┌──► 3 is         AUX    aux:pass ← 4
        ─┬─┼─┬─┴─┴──► 4 scheduled  VERB   root
         │ │ │ ┌────► 5 on         ADP    case ← 7
         │ │ │ │ ┌──► 6 the        DET    det ← 7
         │ └─┼─┴─┴──► 7 issue      NOUN   nmod ← 2
         │   └──────► 8 today      ADV    advmod ← 4
         └──────────► 9 .          PUNCT  punct ← 4
    "#]],
    );
}

#[test]
fn very_narrow_terminal_loses_the_highest_arcs_first() {
    check(
        &draw::dependency(&hearing()),
        TextStyle { width: Some(24), ..TextStyle::unicode() },
        expect![[r#"
             ┌──► 1 A          det …
             └──► 2 hearing    nsub…
             ┌──► 3 is         aux:…
            ─┴──► 4 scheduled  root
                ► 5 on         case…
             ┌──► 6 the        det …
             └──► 7 issue      nmod…
                ► 8 today      advm…
                ► 9 .          punc…
        "#]],
    );
}

#[test]
fn multiword_tokens_are_lines_below_their_words() {
    check(
        &draw::dependency(&al_mar()),
        TextStyle::unicode(),
        expect![[r#"
        root
          │ ┌───────────────obl──────────────┐
          │ │                 ┌────case────┐ │
          │ │ ┌─expl:pv─┐     │    ┌─det─┐ │ │
          ▼ │ │         ▼     ▼    ▼     │ │ ▼
          vamos        nos    a   el      mar
          VERB         PRON  ADP  DET    NOUN
          └────vámonos────┘  └──al──┘
    "#]],
    );
    check(
        &draw::dependency(&al_mar()),
        TextStyle { width: Some(33), ..TextStyle::unicode() },
        expect![[r#"
            ───┬──► 1 vamos ─┐ vámonos  root
               └──► 2 nos   ─┘          expl…
             ┌────► 3 a     ─┐ al       case…
             │ ┌──► 4 el    ─┘          det …
             └─┴──► 5 mar               obl …
        "#]],
    );
}

#[test]
fn ascii_style_has_no_box_characters() {
    check(
        &draw::dependency(&al_mar()),
        TextStyle::ascii(),
        expect![[r#"
        root
          | .---------------obl--------------.
          | |                 .----case----. |
          | | .-expl:pv-.     |    .-det-. | |
          v | |         v     v    v     | | v
          vamos        nos    a   el      mar
          VERB         PRON  ADP  DET    NOUN
          '----vámonos----'  '--al--'
    "#]],
    );
}

#[test]
fn wide_characters_and_combining_marks_keep_the_arcs_straight() {
    let sentence =
        sentence(&["他 PRON 2 nsubj", "喜欢 VERB 0 root", "cafe\u{301} NOUN 2 obj", "。 PUNCT 2 punct"]);
    check(
        &draw::dependency(&sentence),
        TextStyle::unicode(),
        expect![[r#"
                 root
                   │ ┌─────punct────┐
         ┌─nsubj─┐ │ │ ┌─obj─┐      │
         ▼       │ ▼ │ │     ▼      ▼
         他       喜欢      café   。
        PRON      VERB      NOUN  PUNCT
    "#]],
    );
    check(
        &draw::dependency(&sentence),
        TextStyle { width: Some(30), ..TextStyle::unicode() },
        expect![[r#"
                 ┌──► 1 他    nsubj ← 2
            ─┬─┬─┴──► 2 喜欢  root
             │ └────► 3 café  obj ← 2
             └──────► 4 。    punct ← 2
        "#]],
    );
}

#[test]
fn probabilities_stand_beside_the_relations() {
    let mut sentence = sentence(&["dogs NOUN 2 nsubj", "bark VERB 0 root"]);
    sentence.tokens[0].misc = "HeadProb=0.934|SpaceAfter=No".into();
    check(
        &draw::dependency(&sentence),
        TextStyle::unicode(),
        expect![[r#"
                      root
         ┌─nsubj 0.93─┐ │
         ▼            │ ▼
        dogs          bark
        NOUN          VERB
    "#]],
    );
}

#[test]
fn heads_that_do_not_exist_are_stubs_and_cycles_are_drawn() {
    let sentence = sentence(&["a X 2 dep", "b X 1 dep", "c X 99 dep", "d X 4 dep", "e X _ _", "f X 0 root"]);
    check(
        &draw::dependency(&sentence),
        TextStyle::unicode(),
        expect![[r#"
                  dep→99?  dep→4?   root
        ┌───dep───┐  ┆        ┆       │
        │ ┌─dep─┐ │  ┆        ┆       │
        │ ▼     │ ▼  ▼        ▼       ▼
         a       b   c        d   e   f
         X       X   X        X   X   X
    "#]],
    );
    check(
        &draw::dependency(&sentence),
        TextStyle { width: Some(30), ..TextStyle::ascii() },
        expect![[r#"
         .-+--> 1 a  X  dep <- 2
         '-+--> 2 b  X  dep <- 1
              > 3 c  X  dep->99?
              > 4 d  X  dep->4?
                5 e  X
        ------> 6 f  X  root
    "#]],
    );
}

#[test]
fn words_from_right_to_left_are_isolated() {
    let sentence = sentence(&["הילד NOUN 2 nsubj", "קרא VERB 0 root", ". PUNCT 2 punct"]);
    let text = draw::dependency(&sentence).text(&TextStyle::unicode());
    expect![[r#"
           ┌──► 1 <הילד>  NOUN   nsubj ← 2
        ─┬─┴──► 2 <קרא>   VERB   root
         └────► 3 .     PUNCT  punct ← 2
    "#]]
    .assert_eq(&text.replace('\u{2068}', "<").replace('\u{2069}', ">"));
}

#[test]
fn brackets_multiwords_and_coordinations_stand_beside_their_words() {
    check(
        &cats_and_dogs(),
        TextStyle::unicode(),
        expect![[r#"
                     1 The   ───┐ (A)
                     2 cats  ●┬*┤ $x
                     3 and   &┤ │
                     4 dogs  ●┘ │
               ┌──►    (A)   ───┘      ← 6
             ┌╌┼╌╌×  5 all             × ← 10
            ─┼─┴──►  6 sleep ──*┐ (C)  root
             ┆    ·  7 well     ┆
             ┆ ┌───  8 in    ───┤
             ┆ └──►    [B]   ─┬─┤      ← 8
             ┆       9 New   ─┤ │
             └╌╌╌╌╌ 10 York  ─┘ ┘
                  · 11 .
        "#]],
    );
    check(
        &cats_and_dogs(),
        TextStyle::ascii(),
        expect![[r#"
                     1 The   ---. (A)
                     2 cats  o+*+ $x
                     3 and   &+ |
                     4 dogs  o' |
               .-->    (A)   ---'      <- 6
             .~+~~x  5 all             x <- 10
            -+-+-->  6 sleep --*. (C)  root
             :    .  7 well     :
             : .---  8 in    ---+
             : '-->    [B]   -+-+      <- 8
             :       9 New   -+ |
             '~~~~~ 10 York  -' '
                  . 11 .
        "#]],
    );
}

#[test]
fn discontinuous_bracket_is_dashed_where_a_word_is_left_out() {
    let place = Place::default();
    let mut said = PartialTree::new(4);
    let members = vec![Node::Word(1), Node::Word(2), Node::Word(4), Node::Word(9)];
    said.groups.push(Group { kind: GroupKind::Bracket { members, head: None }, place });
    said.groups.push(Group { kind: GroupKind::Multiword { words: vec![7, 8] }, place });
    said.roots.push((Node::Group(0), place));
    said.arcs.push(Arc { head: Node::Group(1), dependent: Node::Word(3), place });
    said.anaphora.push((Node::Word(1), Node::Word(4), place));
    check(
        &draw::partial(&said, &["turn", "it", "right", "off"]),
        TextStyle::unicode(),
        expect![[r#"
        ────►   (A)   ─┐ root
         ┌╌╌╌ 1 turn  ─┤
         ┆    2 it    ─┤
         ┆  ► 3 right  ┆ →[B]?
         └╌╌╌ 4 off   ─┘ = 1
        ! multiword [B] has no word of the sentence
    "#]],
    );
}

#[test]
fn outline_has_tag_and_word_in_one_line() {
    check(
        &old_cat(),
        TextStyle::unicode(),
        expect![[r#"
        S
        ├─NP
        │ ├─DT The
        │ ├─JJ old
        │ └─NN 猫
        ├─VP
        │ ├─VBZ sleeps
        │ └─PP
        │   ├─IN on
        │   └─NP
        │     ├─DT the
        │     └─NN mat
        └─. .
    "#]],
    );
    check(
        &old_cat(),
        TextStyle { width: Some(12), ..TextStyle::ascii() },
        expect![[r#"
        S
        |-NP
        | |-DT The
        | |-JJ old
        | '-NN 猫
        |-VP
        | |-VBZ sle~
        | '-PP
        |   |-IN on
        |   '-NP
        ~    |-DT t~
        ~    '-NN m~
        '-. .
    "#]],
    );
}

#[test]
fn colours_are_switched_off_again_on_each_line() {
    let text = cats_and_dogs().text(&TextStyle { colour: true, ..TextStyle::unicode() });
    for line in text.lines() {
        assert_eq!(line.matches("\x1b[").count(), 2 * line.matches("\x1b[0m").count());
    }
    let plain = text.split('\x1b').map(|part| part.split_once('m').filter(|_| part.starts_with('[')));
    let plain: String =
        plain.zip(text.split('\x1b')).map(|(cut, whole)| cut.map_or(whole, |(_, rest)| rest)).collect();
    assert_eq!(plain, cats_and_dogs().text(&TextStyle::unicode()));
}

#[test]
fn page_has_an_anchor_for_every_link_and_escapes_what_it_is_told() {
    let caption = draw::Caption { id: "<id>".to_owned(), text: "A & B".to_owned() };
    let page = draw::page("<Title>", [(caption.clone(), old_cat()), (caption, cats_and_dogs())]);
    for link in page.split("href=\"#").skip(1).map(|rest| rest.split('"').next().unwrap_or_default()) {
        assert!(page.contains(&format!("id=\"{link}\"")), "{link}");
    }
    assert!(
        page.contains("<title>&lt;Title&gt;</title>") && !page.contains("<id>") && !page.contains("A & B")
    );
    assert_eq!(page.matches("<style>").count(), 1);
    assert_eq!(page.matches("<svg ").count(), 2);
    assert!(
        !page.replace("http://www.w3.org/2000/svg", "").contains("http"),
        "nothing comes from the network"
    );
    let empty = draw::page("Nothing", std::iter::empty::<(draw::Caption, draw::Figure)>());
    assert!(empty.contains("id=\"s1\"") && empty.ends_with("</html>\n"));
}

#[test]
fn tags_stand_beside_the_words_they_belong_to() {
    let said = PartialTree::new(3);
    let text = draw::partial_tagged(&said, &["a", "b", "c"], &["X", "_", "Z"]).text(&TextStyle::default());
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().skip(1).collect()).collect();
    assert_eq!(lines, [vec!["1", "a", "X"], vec!["2", "b"], vec!["3", "c", "Z"]], "{text}");
    // Rows made of an annotation have the tags of the language only.
    let mut rows = sentence(&["a _ 0 root"]);
    rows.tokens[0].xpos = "XX".into();
    assert!(draw::dependency(&rows).text(&TextStyle::default()).contains("XX"));
}
