//! Entities, relations and predicates, however wrong they are.

use super::*;
use crate::Content;
use crate::diagram::End;
use crate::measure::pixels;
use crate::semantics::{Probabilities, below_constituents, below_dependencies};
use tree::Span;
use tree::semantics::{Argument, Entity, Predicate, Relation, Semantics};

/// Labels that occur once: what they are of, and their number.
fn label(of: char, number: usize) -> String {
    let long = if number.is_multiple_of(3) { "<long label>" } else { "" };
    format!("{of}{number}{long}·")
}

fn any_semantics() -> impl Strategy<Value = Semantics> {
    let entity = (0usize..11, 1usize..5);
    let relation = (0usize..6, 0usize..6);
    let some_words = || proptest::collection::btree_set(0usize..12, 0..5);
    let predicate = (0usize..12, any::<bool>(), proptest::collection::vec(0usize..12, 0..5), some_words());
    (
        proptest::collection::vec(entity, 0..6),
        proptest::collection::vec(relation, 0..5),
        proptest::collection::vec(predicate, 0..4),
        some_words(),
        proptest::collection::btree_set((0usize..6, 0usize..6), 0..3),
    )
        .prop_map(|(entities, relations, predicates, open_words, open_pairs)| {
            let mut said = Semantics { open_words, open_pairs, ..Semantics::default() };
            for (number, (start, length)) in entities.into_iter().enumerate() {
                let span = Span::new(start, start + length).unwrap();
                said.entities.push(Entity { span, kind: label('e', number).into() });
            }
            for (number, (first, second)) in relations.into_iter().enumerate() {
                said.relations.push(Relation { first, second, kind: label('r', number).into() });
            }
            for (number, (word, has_sense, words, open)) in predicates.into_iter().enumerate() {
                let sense = has_sense.then(|| label('s', number).into());
                let argument =
                    |(place, word)| Argument { word, role: label('a', number * 10 + place).into() };
                let arguments = words.into_iter().enumerate().map(argument).collect();
                said.predicates.push(Predicate { word, sense, arguments, open });
            }
            said
        })
}

fn any_probabilities() -> impl Strategy<Value = Probabilities> {
    let one = || prop_oneof![Just(None), Just(Some(0.5)), Just(Some(f64::NAN)), Just(Some(7.0))];
    let some = move || proptest::collection::vec(one(), 0..4);
    (some(), some(), some(), proptest::collection::vec(some(), 0..3)).prop_map(
        |(entities, relations, predicates, arguments)| Probabilities {
            entities,
            relations,
            predicates,
            arguments,
        },
    )
}

/// Every label with whether it can be drawn.
fn labels(said: &Semantics, n_words: usize) -> Vec<(String, bool)> {
    let is_there = |entity: usize| said.entities.get(entity).is_some_and(|found| found.span.end() <= n_words);
    let entities = said.entities.iter().enumerate().map(|(n, entity)| (entity.kind.to_string(), is_there(n)));
    let joins = |relation: &Relation| {
        relation.first != relation.second && is_there(relation.first) && is_there(relation.second)
    };
    let relations = said.relations.iter().map(|relation| (relation.kind.to_string(), joins(relation)));
    let mut labels: Vec<(String, bool)> = entities.chain(relations).collect();
    for predicate in &said.predicates {
        let is_there = predicate.word < n_words;
        labels.extend(predicate.sense.iter().map(|sense| (sense.to_string(), is_there)));
        let arguments = predicate.arguments.iter();
        labels.extend(arguments.map(|found| (found.role.to_string(), is_there && found.word < n_words)));
    }
    labels
}

/// What can be drawn is there once, and what cannot is told.
fn check_once(said: &Semantics, n_words: usize, drawn: &[String], told: &[String]) {
    for (label, can_be_drawn) in labels(said, n_words) {
        let n_drawn: usize = drawn.iter().map(|text| text.matches(&label).count()).sum();
        assert_eq!(n_drawn, usize::from(can_be_drawn), "{label} in {drawn:#?}");
        assert!(can_be_drawn || told.iter().any(|text| text.contains(&label)), "{label} in {told:#?}");
    }
    let n_marks = |lines: &[String]| lines.iter().filter(|line| line.starts_with('?')).count();
    assert!(n_marks(told) >= said.open_pairs.len());
}

/// The texts of a picture: class, place, and what is written.
fn texts(svg: &str) -> Vec<(String, i64, i64, String)> {
    let unescaped = |text: &str| {
        let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
        text.replace("&#39;", "'").replace("&amp;", "&")
    };
    let lines = svg.lines().filter(|line| line.starts_with("<text "));
    let read = |line: &str| {
        let value =
            |name: &str| line.split(&format!(" {name}=\"")).nth(1).unwrap().split('"').next().unwrap();
        let text = line.split_once('>').unwrap().1.strip_suffix("</text>").unwrap();
        (value("class").to_owned(), value("x").parse().unwrap(), value("y").parse().unwrap(), unescaped(text))
    };
    lines.map(read).collect()
}

/// Left, right, top and bottom.
fn place((class, x, y, text): &(String, i64, i64, String)) -> (i64, i64, i64, i64) {
    let size = match class.split(' ').next() {
        Some("form") => 16,
        Some("tag") => 11,
        Some("node") => 13,
        _ => 12,
    };
    let width = pixels(text, size);
    let lo = if class.starts_with("note") { *x } else { x - width / 2 };
    (lo, lo + width, y - size * 3 / 4, y + size / 4)
}

fn check_svg(figure: &Figure, said: &Semantics, n_words: usize) {
    let svg = figure.svg(&SvgStyle::default());
    check_xml(&svg);
    let texts = texts(&svg);
    for (index, one) in texts.iter().enumerate() {
        for other in &texts[..index] {
            let (a, b) = (place(one), place(other));
            let apart = a.1 <= b.0 || b.1 <= a.0 || a.3 <= b.2 || b.3 <= a.2;
            assert!(apart, "{one:?} on {other:?} in {svg}");
        }
    }
    let of_kind = |notes: bool| {
        let texts = texts.iter().filter(move |(class, ..)| class.starts_with("note") == notes);
        texts.map(|(.., text)| text.clone()).collect::<Vec<_>>()
    };
    // Notes are broken at spaces, also those in labels.
    let notes = of_kind(true);
    let starts = |line: &&String| line.starts_with('?');
    let open: Vec<String> = notes.iter().filter(starts).cloned().collect();
    let told = [vec![notes.join(" ")], open].concat();
    check_once(said, n_words, &of_kind(false), &told);
}

fn check_lines(figure: &Figure, said: &Semantics, n_words: usize) {
    let text = figure.text(&TextStyle::default());
    let is_note = |line: &&str| line.starts_with("! ") || line.starts_with("? ");
    let (told, drawn): (Vec<&str>, Vec<&str>) = text.lines().partition(is_note);
    let owned = |lines: Vec<&str>| lines.into_iter().map(str::to_owned).collect::<Vec<_>>();
    check_once(said, n_words, &owned(drawn), &owned(told));
    for width in [1, 7, 30, 120] {
        for unicode in [true, false] {
            let text = figure.text(&TextStyle { width: Some(width), unicode, colour: false });
            for line in text.lines() {
                assert!(cells(line) <= width as i64 && line == line.trim_end(), "{line}");
                let marks = |mark| line.matches(mark).count();
                assert!(width < 30 || marks('\u{2068}') == marks('\u{2069}'), "{line}");
            }
        }
    }
}

fn diagram_of(figure: &Figure) -> &Diagram {
    match &figure.content {
        Content::Arcs(diagram) => diagram,
        Content::Tree(_) => panic!("an arc diagram"),
    }
}

/// At the edge where a relation ends, no other entity begins or ends.
fn check_ends(diagram: &Diagram) {
    let columns = Columns::new(diagram);
    for (link, &(head, dependent)) in diagram.links.iter().zip(&columns.links) {
        for (end, column) in [(link.head, head), (link.dependent, dependent)] {
            let End::Group(group) = end else { continue };
            let mut others = columns.groups.iter().enumerate().filter(|&(other, _)| other != group);
            assert!(others.all(|(_, &(lo, hi))| lo != column && hi != column), "{diagram:#?}");
        }
    }
}

/// A picture that has exactly the room that it takes loses nothing.
fn check_exact_width(diagram: &Diagram) {
    let width = Layout::new(diagram, &crate::horizontal::METRICS).width.max(1);
    let mut diagram = diagram.clone();
    diagram.notes.clear();
    let style = TextStyle { width: usize::try_from(width).ok(), ..TextStyle::default() };
    let text = crate::horizontal::horizontal(&diagram, &style).unwrap();
    assert!(!text.contains('…'), "{text}");
}

proptest! {
    #[test]
    fn entities_relations_and_predicates_keep_the_laws(
        sentence in any_sentence(),
        said in any_semantics(),
        probabilities in any_probabilities(),
    ) {
        let figure = below_dependencies(&sentence, &said, &probabilities);
        let n_words = sentence.words().count();
        check_layout(diagram_of(&figure), &crate::svg_arcs::METRICS);
        check_layout(diagram_of(&figure), &crate::horizontal::METRICS);
        check_exact_width(diagram_of(&figure));
        check_ends(diagram_of(&figure));
        check_svg(&figure, &said, n_words);
        check_lines(&figure, &said, n_words);
    }

    #[test]
    fn trees_above_them_keep_the_laws(
        tree in any_tree(),
        said in any_semantics(),
        probabilities in any_probabilities(),
    ) {
        let figure = below_constituents(&tree, &said, &probabilities);
        let n_words = tree.words().count();
        let diagram = diagram_of(&figure);
        check_layout(diagram, &crate::svg_arcs::METRICS);
        check_svg(&figure, &said, n_words);
        check_lines(&figure, &said, n_words);
        let layout = Layout::new(diagram, &crate::svg_arcs::METRICS);
        let nodes = &diagram.tree.as_ref().unwrap().nodes;
        let leaves = layout.nodes.iter().zip(nodes).filter(|(_, node)| node.is_word);
        for ((leaf, _), word) in leaves.zip(&layout.words) {
            prop_assert!((leaf.middle() - word.middle()).abs() <= 1, "{:?} over {:?}", leaf, word);
        }
        for (i, &node) in layout.nodes.iter().enumerate() {
            let mut row = (0..i).filter(|&j| layout.node_rows[j] == layout.node_rows[i]);
            prop_assert!(row.all(|j| disjoint(node, layout.nodes[j])));
        }
    }
}

#[test]
fn hundreds_of_words_with_everything_are_drawn() {
    let sentence = Sentence::from_forms((0..300).map(|index| form(index, index)));
    let span = |start, length| Span::new(start, start + length).unwrap();
    let said = Semantics {
        entities: (0..250).map(|n| Entity { span: span(n, 1 + n % 5), kind: label('e', n).into() }).collect(),
        relations: (0..100)
            .map(|n| Relation { first: n, second: (n * 7919) % 250, kind: label('r', n).into() })
            .collect(),
        predicates: (0..60)
            .map(|n| Predicate {
                word: n * 4,
                sense: Some(label('s', n).into()),
                arguments: (0..6)
                    .map(|a| Argument { word: (n * 31 + a * 47) % 300, role: label('a', 10 * n + a).into() })
                    .collect(),
                open: Default::default(),
            })
            .collect(),
        ..Semantics::default()
    };
    let figure = below_dependencies(&sentence, &said, &Probabilities::default());
    check_layout(diagram_of(&figure), &crate::svg_arcs::METRICS);
    check_xml(&figure.svg(&SvgStyle::default()));
    check_lines(&figure, &said, 300);
}
