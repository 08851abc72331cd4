//! What holds of every picture, whatever is drawn.

mod semantics;

use crate::columns::{Column, Columns, is_inside};
use crate::constituency::{Constituency, TreeLayout};
use crate::diagram::Diagram;
use crate::layout::{Layout, Metrics, Stretch};
use crate::measure::cells;
use crate::{Caption, Figure, SvgStyle, TextStyle};
use proptest::prelude::*;
use tree::{
    Arc, Group, GroupKind, Head, Node, PartialTree, Place, Sentence, Text, Token, TokenId, Tree, TreeBuilder,
};

/// Forms that occur once, some of them wide, some with marks, some from right to left.
fn form(index: usize, kind: usize) -> String {
    let letters = ["w", "<&>", "猫", "e\u{301}", "ש", "\u{1b}[0m", "क्षि"][kind % 7];
    format!("{letters}·{index}·")
}

fn any_sentence() -> impl Strategy<Value = Sentence> {
    let word = (0usize..7, 0u32..12, prop_oneof![Just("_"), Just("nsubj"), Just("a:long<relation>")], 0u8..4);
    let range = (1u32..12, 0u32..4);
    (proptest::collection::vec(word, 0..10), proptest::collection::vec(range, 0..3)).prop_map(
        |(words, ranges)| {
            let mut sentence = Sentence::default();
            for (index, (kind, head, relation, prob)) in words.into_iter().enumerate() {
                let mut token = Token::word(index as u32 + 1, form(index, kind));
                token.head = if head == 11 { Head::Open } else { Head::Of(head) };
                token.deprel = relation.into();
                token.misc = ["_", "HeadProb=0.5", "HeadProb=nan", "HeadProb=7"][prob as usize].into();
                sentence.tokens.push(token);
            }
            for (first, length) in ranges {
                sentence.tokens.insert(0, Token::new(TokenId::Range(first, first + length), "tok"));
            }
            sentence
        },
    )
}

fn any_node() -> impl Strategy<Value = Node> {
    prop_oneof![3 => (0usize..11).prop_map(Node::Word), 1 => (0usize..6).prop_map(Node::Group)]
}

fn any_group() -> impl Strategy<Value = Group> {
    let nodes = || proptest::collection::vec(any_node(), 0..4);
    let words = proptest::collection::vec(0usize..11, 0..4);
    let kind = prop_oneof![
        words.prop_map(|words| GroupKind::Multiword { words }),
        (nodes(), proptest::option::of(any_node()))
            .prop_map(|(members, head)| GroupKind::Bracket { members, head }),
        (nodes(), nodes()).prop_map(|(conjuncts, coordinators)| {
            GroupKind::Coordination { name: "x".to_owned(), conjuncts, coordinators }
        }),
    ];
    kind.prop_map(|kind| Group { kind, place: Place::default() })
}

fn any_partial() -> impl Strategy<Value = PartialTree> {
    let arc = || (any_node(), any_node());
    let arcs = || proptest::collection::vec(arc(), 0..5);
    let groups = proptest::collection::vec(any_group(), 0..5);
    (groups, arcs(), arcs(), arcs(), proptest::collection::vec(any_node(), 0..3)).prop_map(
        |(groups, arcs, forbidden, anaphora, roots)| {
            let place = Place::default();
            let arc = |(head, dependent)| Arc { head, dependent, place };
            PartialTree {
                n_words: 9,
                groups,
                arcs: arcs.into_iter().map(arc).collect(),
                forbidden: forbidden.into_iter().map(arc).collect(),
                roots: roots.into_iter().map(|node| (node, place)).collect(),
                dependents: Vec::new(),
                anaphora: anaphora.into_iter().map(|(a, b)| (a, b, place)).collect(),
                mentioned: vec![3, 99],
            }
        },
    )
}

fn forms() -> Vec<String> {
    (0..9).map(|index| form(index, index)).collect()
}

fn partial_diagram(said: &PartialTree) -> Diagram {
    let forms = forms();
    crate::partial::diagram(said, &forms.iter().map(String::as_str).collect::<Vec<_>>(), &[])
}

/// A tree from steps: open, close, or a word.
fn any_tree() -> impl Strategy<Value = Tree<Text>> {
    proptest::collection::vec(0usize..6, 0..40).prop_map(|steps| {
        let mut builder = TreeBuilder::new();
        builder.open(Text::from("TOP"));
        for (index, step) in steps.into_iter().enumerate() {
            match step {
                0 | 1 => builder.open(Text::from(["S<", "A-very-long-label"][step])),
                2 | 3 if builder.depth() > 1 => drop(builder.close()),
                _ => builder.word(Text::from(form(index, index))),
            }
        }
        while builder.close() {}
        builder.finish().unwrap()
    })
}

/// Whether tags are balanced, attributes quoted and text escaped.
fn check_xml(text: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        check_entities(&rest[..start]);
        let end = rest[start..].find('>').expect("an open tag") + start;
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        assert!(!tag.contains('<'), "{tag}");
        check_entities(tag);
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(tag.split_whitespace().next().unwrap());
        }
    }
    assert_eq!(open, [""; 0]);
    assert_eq!(rest.trim(), "");
    assert!(text.chars().all(|c| c == '\n' || !c.is_control()));
}

fn check_entities(text: &str) {
    assert!(!text.contains('>') || text.contains(".treelet"), "{text}");
    for (index, _) in text.match_indices('&') {
        let name = text[index + 1..].split(';').next().unwrap();
        assert!(["amp", "lt", "gt", "quot", "#39"].contains(&name), "{name}");
    }
}

fn disjoint(a: Stretch, b: Stretch) -> bool {
    a.hi() <= b.lo || b.hi() <= a.lo
}

fn check_layout(diagram: &Diagram, metrics: &Metrics) {
    let layout = Layout::new(diagram, metrics);
    let inside = |stretch: Stretch| 0 <= stretch.lo && stretch.hi() <= layout.width;
    assert!(layout.words.iter().all(|&word| inside(word)));
    assert!(layout.words.windows(2).all(|pair| pair[0].hi() < pair[1].lo), "words in order");
    let line = |index: usize| {
        let place = layout.links[index];
        let (lo, hi) = (place.head.min(place.dependent), place.head.max(place.dependent));
        Stretch { lo, width: hi - lo }
    };
    for (index, place) in layout.links.iter().enumerate() {
        let own = line(index);
        assert!(own.width > 0 && inside(own), "{place:?}");
        assert!(own.lo < place.label.lo && place.label.hi() <= own.hi(), "label on its line: {place:?}");
        let beside = (0..index).filter(|&other| {
            layout.links[other].level == place.level
                && diagram.links[other].kind.is_below() == diagram.links[index].kind.is_below()
        });
        for other in beside {
            assert!(disjoint(own, line(other)), "{place:?} and {:?}", layout.links[other]);
        }
    }
    check_crossings(diagram, &layout);
    for (index, stub) in layout.stubs.iter().enumerate() {
        assert!(inside(stub.label) && 0 <= stub.x && stub.x <= layout.width);
        assert!(layout.stubs[..index].iter().all(|other| disjoint(stub.label, other.label)));
    }
    for (index, group) in layout.groups.iter().enumerate() {
        assert!(inside(group.line) && group.label.lo >= group.line.lo && group.label.hi() <= group.line.hi());
        let beside = layout.groups[..index].iter().filter(|other| other.level == group.level);
        assert!(beside.into_iter().all(|other| disjoint(group.line, other.line)));
    }
    for row in &layout.rows {
        assert!(row.iter().all(|&label| inside(label)));
        assert!(row.windows(2).all(|pair| pair[0].hi() < pair[1].lo), "labels in order: {row:?}");
    }
    assert!(layout.nodes.iter().all(|&node| inside(node)));
    assert_eq!(layout.clone().mirrored().mirrored(), layout);
}

/// Lines of two arcs cross only if the arcs themselves do.
fn check_crossings(diagram: &Diagram, layout: &Layout) {
    let columns = Columns::new(diagram);
    let sorted = |(a, b): (usize, usize)| (a.min(b), a.max(b));
    for (i, low) in layout.links.iter().enumerate() {
        let is_below = |link: usize| diagram.links[link].kind.is_below();
        let higher = layout.links.iter().enumerate().filter(|(_, high)| high.level > low.level);
        for (j, high) in higher.filter(|&(j, _)| is_below(i) == is_below(j)) {
            let (a, b) = (sorted(columns.links[i]), sorted(columns.links[j]));
            let crossing = (a.0 < b.0 && b.0 < a.1 && a.1 < b.1) || (b.0 < a.0 && a.0 < b.1 && b.1 < a.1);
            let line = low.head.min(low.dependent)..=low.head.max(low.dependent);
            let legs = [high.head, high.dependent].into_iter().filter(|x| line.contains(x)).count();
            assert_eq!(legs, usize::from(crossing), "{low:?} {high:?}");
        }
    }
}

/// Widths are kept, and each word is there once where there is room for it.
fn check_text(figure: &Figure, forms: &[String]) {
    for unicode in [true, false] {
        let widths = [1, 7, 30, 120].map(Some).into_iter().chain([None]);
        for width in widths {
            let text = figure.text(&TextStyle { width, unicode, colour: false });
            for line in text.lines() {
                assert!(width.is_none_or(|width| cells(line) <= width as i64), "{line}");
                assert_eq!(line, line.trim_end());
            }
            if width.is_none_or(|width| width > 100) {
                for form in forms {
                    assert_eq!(text.matches(&crate::clean::clean(form)).count(), 1, "{form} in {text}");
                }
            }
        }
    }
}

proptest! {
    #[test]
    fn dependency_pictures_keep_the_laws(sentence in any_sentence()) {
        let diagram = crate::dependency::diagram(&sentence);
        check_layout(&diagram, &crate::svg_arcs::METRICS);
        check_layout(&diagram, &crate::horizontal::METRICS);
        let figure = crate::dependency(&sentence);
        check_xml(&figure.svg(&SvgStyle::default()));
        let forms: Vec<_> = sentence.words().map(|word| word.form.to_string()).collect();
        check_text(&figure, &forms);
    }

    #[test]
    fn partial_pictures_keep_the_laws(said in any_partial()) {
        let diagram = partial_diagram(&said);
        check_layout(&diagram, &crate::svg_arcs::METRICS);
        let forms = forms();
        let figure = crate::partial(&said, &forms.iter().map(String::as_str).collect::<Vec<_>>());
        check_xml(&figure.svg(&SvgStyle::default()));
        check_text(&figure, &forms);
    }

    #[test]
    fn edges_of_nested_groups_open_and_close_like_parentheses(said in any_partial()) {
        let diagram = partial_diagram(&said);
        let columns = Columns::new(&diagram);
        let edge = |place: usize| !matches!(columns.columns[place], Column::Word(_));
        let levels = columns.group_levels(&diagram);
        for (index, outer) in diagram.groups.iter().enumerate() {
            let (lo, hi) = columns.groups[index];
            prop_assert!(lo <= columns.words[outer.first()] && columns.words[outer.last()] <= hi);
            for (other, _) in diagram.groups.iter().enumerate().filter(|(_, inner)| is_inside(inner, outer)) {
                let (inner_lo, inner_hi) = columns.groups[other];
                prop_assert!(lo <= inner_lo && inner_hi <= hi);
                prop_assert!(levels[other] < levels[index]);
            }
        }
        for (place, &column) in columns.columns.iter().enumerate().filter(|&(place, _)| edge(place)) {
            let (group, is_before) = match column {
                Column::Before(group) => (group, true),
                Column::After(group) => (group, false),
                Column::Word(_) => unreachable!(),
            };
            // Nothing that lies inside a group reaches beyond the group's own edge.
            prop_assert_eq!(place, if is_before { columns.groups[group].0 } else { columns.groups[group].1 });
        }
    }

    #[test]
    fn constituency_pictures_keep_the_laws(tree in any_tree(), align_leaves in any::<bool>()) {
        let figure = crate::constituency(&tree);
        check_xml(&figure.svg(&SvgStyle { align_leaves, ..SvgStyle::default() }));
        let forms: Vec<_> = tree.words().map(Text::to_string).collect();
        check_text(&figure, &forms);
        let nodes = Constituency::new(&tree);
        let widths: Vec<i64> = nodes.nodes.iter().map(|node| cells(&node.label)).collect();
        let layout = TreeLayout::new(&nodes, &widths, 2, align_leaves);
        let place = |i: usize| Stretch { lo: layout.x[i] - widths[i] / 2, width: widths[i] };
        for i in 0..widths.len() {
            prop_assert!(0 <= place(i).lo && place(i).hi() <= layout.width);
            let row = (0..i).filter(|&j| layout.row[j] == layout.row[i]);
            prop_assert!(row.into_iter().all(|j| disjoint(place(i), place(j))));
            let below = nodes.nodes[i].parent.is_none_or(|parent| layout.row[parent] < layout.row[i]);
            prop_assert!(below);
            prop_assert!(!align_leaves || !nodes.nodes[i].is_word || layout.row[i] + 1 == layout.n_rows);
        }
        prop_assert_eq!(layout.clone().mirrored().mirrored(), layout);
    }

    #[test]
    fn pages_are_balanced_after_the_doctype(sentence in any_sentence()) {
        let figure = crate::dependency(&sentence);
        let figure = crate::page_figure(1, &Caption::of_sentence(&sentence), &figure, &SvgStyle::default());
        check_xml(&figure);
    }
}

/// The numbers x="…" of all forms.
fn form_places(svg: &str) -> Vec<i64> {
    let forms = svg.lines().filter_map(|line| line.strip_prefix("<text class=\"form\" x=\""));
    forms.map(|line| line.split('"').next().unwrap().parse().unwrap()).collect()
}

#[test]
fn right_to_left_is_the_mirror_image_of_left_to_right() {
    // Letters of both alphabets are taken to be equally wide.
    let build = |words: [&str; 4]| {
        let mut sentence = Sentence::from_forms(words);
        for (token, head) in sentence.tokens.iter_mut().zip([2, 0, 4, 2]) {
            token.head = Head::Of(head);
            token.deprel = "obj".into();
        }
        crate::dependency(&sentence)
    };
    let (russian, hebrew) = (build(["да", "яблоко", "мир", "он"]), build(["כן", "תפוחים", "גלי", "רק"]));
    assert!(!russian.is_rtl() && hebrew.is_rtl());
    let (russian, hebrew) = (russian.svg(&SvgStyle::default()), hebrew.svg(&SvgStyle::default()));
    let width: i64 = russian.split("width=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap();
    let mirrored: Vec<i64> = form_places(&hebrew).iter().map(|x| width - x).collect();
    let off = form_places(&russian).iter().zip(&mirrored).map(|(a, b)| (a - b).abs()).max();
    // The middle of an odd width is rounded.
    assert!(off <= Some(1), "{russian} {hebrew}");
    assert!(form_places(&hebrew).windows(2).all(|pair| pair[1] < pair[0]));
}

#[test]
fn nothing_and_one_word_can_be_drawn() {
    for forms in [vec![], vec!["one"], vec![""]] {
        let sentence = Sentence::from_forms(forms.clone());
        for figure in [crate::dependency(&sentence), crate::partial(&PartialTree::new(7), &forms)] {
            check_xml(&figure.svg(&SvgStyle::default()));
            check_text(&figure, &[]);
        }
    }
    check_xml(&crate::constituency(&Tree::word("one".into())).svg(&SvgStyle::default()));
    check_xml(&crate::constituency(&Tree::constituent("NP".into(), [])).svg(&SvgStyle::default()));
}

#[test]
fn five_hundred_words_and_huge_labels_are_drawn() {
    let mut sentence = Sentence::from_forms((0..500).map(|index| form(index, index)));
    for (index, token) in sentence.tokens.iter_mut().enumerate() {
        token.head = Head::Of(((index * 7919 + 13) % 502) as u32);
        token.deprel = if index == 250 { "x".repeat(5000).into() } else { "nmod:poss".into() };
    }
    let figure = crate::dependency(&sentence);
    check_xml(&figure.svg(&SvgStyle::default()));
    check_layout(&crate::dependency::diagram(&sentence), &crate::svg_arcs::METRICS);
    let text = figure.text(&TextStyle { width: Some(80), ..TextStyle::default() });
    assert_eq!(text.lines().count(), 500);
    assert!(figure.text(&TextStyle::default()).contains("·499·"));
}

#[test]
fn hundred_thousand_levels_need_no_recursion() {
    let mut builder = TreeBuilder::new();
    for _ in 0..100_000 {
        builder.open(Text::from("X"));
    }
    builder.word(Text::from("deep"));
    while builder.close() {}
    let figure = crate::constituency(&builder.finish().unwrap());
    for width in [None, Some(40)] {
        assert_eq!(figure.text(&TextStyle { width, ..TextStyle::default() }).lines().count(), 100_000);
    }
    for align_leaves in [true, false] {
        assert!(figure.svg(&SvgStyle { align_leaves, ..SvgStyle::default() }).contains("deep"));
    }
}
