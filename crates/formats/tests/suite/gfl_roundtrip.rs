//! Writing gives back what was read.

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use formats::gfl::{Block, GflReader, json_lines, parse_annotation, write_annotation};
use formats::{Problem, fudg_json};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::path::PathBuf;
use tree::{Arc, Group, GroupKind, Node, PartialTree, Place, Text};

fn real_files() -> Vec<PathBuf> {
    testkit::shared("data/gfl").map_or_else(Vec::new, |root| testkit::files_below(&root, ".anno"))
}

fn blocks(bytes: &[u8]) -> Vec<(Block, Vec<Problem>)> {
    GflReader::new(bytes)
        .map(|reading| reading.map(|reading| (reading.value, reading.problems)).unwrap())
        .collect()
}

/// What was said, without group numbers and places.
fn facts(said: &PartialTree) -> BTreeSet<String> {
    fn name(said: &PartialTree, node: Node) -> String {
        let Node::Group(index) = node else { return format!("{node:?}") };
        let names = |nodes: &[Node]| nodes.iter().map(|&n| name(said, n)).collect::<BTreeSet<_>>();
        match &said.groups[index].kind {
            GroupKind::Multiword { words } => format!("{words:?}"),
            GroupKind::Bracket { members, head } => {
                format!("({:?} {:?})", names(members), head.map(|h| name(said, h)))
            }
            GroupKind::Coordination { name, .. } => name.clone(),
        }
    }
    let mut facts = BTreeSet::new();
    for (index, group) in said.groups.iter().enumerate() {
        facts.insert(name(said, Node::Group(index)));
        if let GroupKind::Coordination { name: variable, conjuncts, coordinators } = &group.kind {
            let names = |nodes: &[Node]| nodes.iter().map(|&n| name(said, n)).collect::<Vec<_>>();
            facts.insert(format!("{variable} :: {:?} :: {:?}", names(conjuncts), names(coordinators)));
        }
    }
    for arc in &said.arcs {
        facts.insert(format!("{} > {}", name(said, arc.dependent), name(said, arc.head)));
    }
    facts.extend(said.roots.iter().map(|&(node, _)| format!("{}**", name(said, node))));
    facts.extend(
        said.anaphora.iter().map(|&(one, other, _)| format!("{} = {}", name(said, one), name(said, other))),
    );
    facts.extend(said.mentioned.iter().map(|word| format!("named {word}")));
    facts
}

fn reread(said: &PartialTree, tokens: &[Text]) -> (PartialTree, Vec<Problem>) {
    let text = write_annotation(said, tokens);
    parse_annotation((1..).zip(text.lines()), tokens)
}

#[test]
fn real_files_come_out_byte_for_byte() {
    let mut n_blocks = 0;
    for file in real_files() {
        let bytes = std::fs::read(&file).unwrap();
        let blocks = blocks(&bytes);
        n_blocks += blocks.len();
        let written: String = blocks.iter().map(|(block, _)| block.to_string()).collect();
        assert_eq!(written.as_bytes(), bytes, "{}", file.display());
    }
    assert!(n_blocks == 0 || n_blocks > 1000, "{n_blocks}");
}

#[test]
fn real_annotations_survive_canonical_gfl_and_fudg_json() {
    let mut n_clean = 0;
    for file in real_files() {
        for (block, problems) in blocks(&std::fs::read(&file).unwrap()) {
            if problems.iter().any(Problem::is_error) {
                continue;
            }
            n_clean += 1;
            let at = format!("{} {}", file.display(), block.number);
            let (again, found) = reread(&block.said, &block.tokens);
            assert!(!found.iter().any(Problem::is_error), "{at}: {found:?}");
            assert_eq!(facts(&again), facts(&block.said), "{at}");
            let (other, found) = fudg_json::read_line(&fudg_json::write_line(&block), 1);
            assert_eq!(found, [], "{at}");
            assert_eq!(other.tokens, block.tokens, "{at}");
            assert_eq!(facts(&other.said), facts(&block.said), "{at}");
            let gfl = blocks_of_text(&other.to_string());
            assert_eq!(facts(&gfl.said), facts(&block.said), "{at}");
        }
    }
    assert!(n_clean == 0 || n_clean > 900, "{n_clean}");
}

fn blocks_of_text(text: &str) -> Block {
    blocks(text.as_bytes()).pop().unwrap().0
}

#[test]
fn json_lines_say_the_same_as_their_blocks() {
    let Some(file) = testkit::shared("data/gfl/tweebank/tweebank.json") else { return };
    let bytes = std::fs::read(file).unwrap();
    let mut n_records = 0;
    for record in json_lines::read(bytes.as_slice()) {
        let formats::Read { value: block, problems, .. } = record.unwrap();
        n_records += 1;
        let line = json_lines::write_json_line(&block);
        let formats::Read { value: again, problems: found, .. } =
            json_lines::read(format!("{line}\n").as_bytes()).next().unwrap().unwrap();
        assert_eq!(again.said, block.said);
        assert_eq!((again.id, again.tags), (block.id.clone(), block.tags.clone()));
        assert_eq!(found.len(), problems.len());
        assert_eq!(facts(&blocks_of_text(&block.to_string()).said), facts(&block.said));
    }
    assert_eq!(n_records, 1008);
}

#[test]
fn changing_the_annotation_changes_nothing_else() {
    let text = "% ID 7\n// note\n% TEXT\na b\n% ODD\nx\n% ANNO\na > b // old\n% NOTES\nend";
    let (mut block, _) = blocks(text.as_bytes()).remove(0);
    let mut said = PartialTree::new(2);
    said.roots.push((Node::Word(1), Place::default()));
    block.set_annotation(said);
    assert_eq!(block.to_string(), "% ID 7\n// note\n% TEXT\na b\n% ODD\nx\n% ANNO\na**\n% NOTES\nend");
}

#[test]
fn certain_heads_tags_and_bare_forms_reach_the_sentence_and_come_back() {
    let text = "% ID s1\n% POS TEXT\nthe/D cat/N saw/V the/D rat/N\n% TEXT\nthe~1 cat saw the~2 rat\n\
                % ANNO\nthe~1 > cat > saw**\n(the~2 rat*) > saw\n";
    let (block, problems) = blocks(text.as_bytes()).remove(0);
    assert_eq!(problems, []);
    let sentence = block.sentence();
    let rows: Vec<String> = sentence.words().map(|w| format!("{} {} {}", w.form, w.xpos, w.head)).collect();
    assert_eq!(rows, ["the D 2", "cat N 3", "saw V 0", "the D _", "rat N _"]);
    assert_eq!(sentence.id(), Some("s1"));
    let again = Block::from_sentence(&sentence, &block.said);
    let read = blocks_of_text(&again.to_string());
    assert_eq!(read.tags, block.tags);
    assert_eq!(facts(&read.said), facts(&block.said));
    assert_eq!(read.section("ANNO").unwrap().text(), "the~1 > cat\ncat > saw\n(the~2 rat*) > saw\nsaw**\n");
}

#[test]
fn older_fudg_json_is_read() {
    let line = "f:52\tFriendly , fair and above all good\t{\"tokens\": [\"Friendly\", \",\", \"fair\", \"and\", \"above\", \
        \"all\", \"good\"], \"node_edges\": [[\"$a\", \"W(Friendly)\", \"Conj\"], [\"$a\", \"W(fair)\", \"Conj\"], \
        [\"W(fair)\", \"MW(above_all)\", null], [\"CBB1\", \"W(good)\", \"cbbhead\"], [\"CBB1\", \"W(fair)\", \"unspec\"], \
        [\"W($$)\", \"$a\", null]], \"nodes\": [\"$a\", \"CBB1\", \"MW(above_all)\", \"W($$)\"], \
        \"extra_node2words\": {\"$a\": [[\"and\", \"Coord\"]]}, \"node2words\": {\"W(fair)\": [\"fair\"], \
        \"W(good)\": [\"good\"], \"W($$)\": [\"$$\"], \"MW(above_all)\": [\"all\", \"above\"], \"W(Friendly)\": [\"Friendly\"]}}";
    let (block, problems) = fudg_json::read_line(line, 1);
    // A conjunct that is in a bracket without heading it leaves the bracket, which older files did not forbid.
    assert_eq!(problems.iter().map(|problem| problem.rule).collect::<Vec<_>>(), ["bracket-broken"]);
    let text = block.annotation();
    assert_eq!(text, "$a :: {Friendly fair} :: and\n(good* fair)\n[above all] > fair\n$a**\n");
}

/// Random annotations over tokens some of which repeat or look like operators. Coordinations and
/// brackets only use groups made before them, so nothing contains itself.
fn any_annotation() -> impl Strategy<Value = (PartialTree, Vec<Text>)> {
    let forms = prop::sample::select(vec![
        "a", "b", "the", "the", "(", ")", ":)", "*", "$x", "<", "::", "~", "é", "//", "=",
    ]);
    (prop::collection::vec(forms, 2..9), prop::collection::vec((0u8..7, any::<[u8; 6]>()), 0..8)).prop_map(
        |(forms, statements)| {
            let tokens: Vec<Text> = forms.into_iter().map(Text::from).collect();
            let n_words = tokens.len();
            let mut said = PartialTree::new(n_words);
            let place = Place::default();
            let mut multi = vec![false; n_words + 1];
            for (kind, bytes) in statements {
                let mut picks = bytes.iter().map(|&byte| byte as usize);
                let mut word = || Node::Word(picks.next().unwrap_or(0) % n_words + 1);
                let (one, two, three, group) = (word(), word(), word(), word());
                let free = |node: Node| matches!(node, Node::Word(w) if !multi[w]);
                if ![one, two, three, group].into_iter().all(free) {
                    continue;
                }
                let last = said.groups.len().checked_sub(1).map_or(group, Node::Group);
                match kind {
                    0 => push_arc(&mut said, one, two),
                    1 => push_arc(&mut said, last, one),
                    2 => push_arc(&mut said, one, last),
                    3 => push_bracket(&mut said, vec![one, two, last], bytes[5]),
                    4 if !said.roots.iter().any(|&(node, _)| node == last) => said.roots.push((last, place)),
                    5 if one != two => {
                        let kind = GroupKind::Coordination {
                            name: format!("$v{}", said.groups.len()),
                            conjuncts: vec![one, two],
                            coordinators: vec![three],
                        };
                        said.groups.push(Group { kind, place });
                    }
                    6 if !said.anaphora.iter().any(|&(a, b, _)| (a, b) == (one, last)) => {
                        said.anaphora.push((one, last, place));
                    }
                    _ => {}
                }
            }
            let busy = said.mentioned_words();
            if let Some(word) = (1..=n_words).find(|word| busy.binary_search(word).is_err()) {
                said.mentioned.push(word);
            }
            let spare: Vec<usize> =
                (1..=n_words).filter(|word| busy.binary_search(word).is_err()).skip(1).collect();
            if spare.len() > 1 {
                multi[spare[0]] = true;
                said.groups.push(Group { kind: GroupKind::Multiword { words: spare }, place });
            }
            (said, tokens)
        },
    )
}

fn push_arc(said: &mut PartialTree, head: Node, dependent: Node) {
    if !said.arcs.iter().any(|arc| (arc.head, arc.dependent) == (head, dependent)) {
        said.arcs.push(Arc { head, dependent, place: Place::default() });
    }
}

fn push_bracket(said: &mut PartialTree, mut members: Vec<Node>, pick: u8) {
    members.sort_unstable();
    members.dedup();
    let known = |group: &Group| matches!(&group.kind, GroupKind::Bracket { members: m, .. } if *m == members);
    if members.len() > 1 && !said.groups.iter().any(known) {
        let head = members.get(pick as usize % 4).copied();
        said.groups.push(Group { kind: GroupKind::Bracket { members, head }, place: Place::default() });
    }
}

/// Rules that a well-formed annotation can break by contradicting itself.
const CONTRADICTIONS: [&str; 6] =
    ["two-heads", "cycle", "bracket-broken", "token-in-two-nodes", "contradiction", "crossing-brackets"];

proptest! {
    #[test]
    fn canonical_gfl_says_the_same((said, tokens) in any_annotation()) {
        let (again, problems) = reread(&said, &tokens);
        // Random annotations may contradict themselves, but they are always well formed.
        for problem in &problems {
            prop_assert!(CONTRADICTIONS.contains(&problem.rule), "{}\n{}", problem, write_annotation(&said, &tokens));
        }
        prop_assert_eq!(facts(&again), facts(&said));
    }

    #[test]
    fn fudg_json_says_the_same((said, tokens) in any_annotation()) {
        let mut block = Block { tokens, ..Block::default() };
        block.set_annotation(said);
        let (again, problems) = fudg_json::read_line(&fudg_json::write_line(&block), 1);
        prop_assert!(problems.iter().all(|problem| CONTRADICTIONS.contains(&problem.rule)), "{:?}", problems);
        prop_assert_eq!(facts(&again.said), facts(&block.said));
    }
}
