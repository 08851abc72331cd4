//! Readers survive anything.

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use formats::gfl::{Block, GflReader, json_lines, parse_annotation};
use formats::{Problem, fudg_json};
use proptest::prelude::*;
use std::time::{Duration, Instant};
use tree::Text;

const SAMPLE: &str = "\u{feff}// é\n---\r\n% ID 7\n% POS TEXT\nDie/D Katze/N schläft/V ./,\n% TEXT\nDie Katze schläft .\n\n\
                      % ANNO\r\n(Die Katze*) > schläft** // ja\r\n$x :: {Die Katze} :: .\n[schläft .] = Die\n---   \n% NOTES\n\0\n";

fn read(bytes: &[u8]) -> (Vec<Block>, Vec<Problem>) {
    let (blocks, problems): (Vec<_>, Vec<_>) = GflReader::new(bytes)
        .map(|reading| reading.map(|reading| (reading.value, reading.problems)).unwrap())
        .unzip();
    (blocks, problems.concat())
}

fn written(blocks: &[Block]) -> String {
    blocks.iter().map(Block::to_string).collect()
}

#[test]
fn every_truncation_is_read_and_written_back() {
    for end in 0..=SAMPLE.len() {
        let bytes = &SAMPLE.as_bytes()[..end];
        let (blocks, problems) = read(bytes);
        if let Ok(text) = std::str::from_utf8(bytes) {
            assert_eq!(written(&blocks), text);
        } else {
            assert!(problems.iter().any(|problem| problem.rule == "invalid-utf8"), "{end}");
        }
    }
}

#[test]
fn byte_order_marks_carriage_returns_and_zero_bytes_do_no_harm() {
    let (blocks, _) = read(SAMPLE.as_bytes());
    assert_eq!(blocks.iter().map(|block| block.number).collect::<Vec<_>>(), [0, 1, 2]);
    assert_eq!(blocks[1].tokens, ["Die", "Katze", "schläft", "."]);
    assert_eq!(blocks[1].said.groups.len(), 3);
    let (blocks, problems) = read("\u{feff}% TEXT\r\na b\r\n% ANNO\r\na > b\r\n".as_bytes());
    assert_eq!((blocks[0].said.arcs.len(), problems), (1, vec![]));
}

#[test]
fn bytes_that_are_no_text_are_replaced_and_located() {
    let (blocks, problems) = read(b"% TEXT\na\xff b\n% ANNO\nb\n");
    let place = problems[0].place;
    assert_eq!((problems[0].rule, place.line, place.column), ("invalid-utf8", 2, 2));
    assert_eq!(blocks[0].tokens, ["a\u{fffd}", "b"]);
}

#[test]
fn deep_nesting_and_long_lines_are_quick() {
    let started = Instant::now();
    let tokens: Vec<Text> = ["a", "b"].map(Text::from).to_vec();
    for deep in [
        "(".repeat(100_000),
        format!("{}a b{}", "(".repeat(100_000), ")".repeat(100_000)),
        "{".repeat(100_000),
    ] {
        let (_, problems) = parse_annotation([(1, deep.as_str()), (2, "a > b")], &tokens);
        assert_eq!(
            problems.iter().map(|p| (p.place.line, p.rule)).collect::<Vec<_>>(),
            [(1, "nested-too-deeply")]
        );
    }
    let words: Vec<Text> = (0..100_000).map(|index| format!("w{index}").into()).collect();
    for joint in [" ", " > ", " < "] {
        let (said, problems) = parse_annotation([(1, words.join(joint).as_str())], &words);
        assert_eq!(problems, []);
        assert_eq!(said.arcs.len() + said.mentioned.len(), if joint == " " { 100_000 } else { 99_999 });
    }
    let (said, problems) = parse_annotation([(1, format!("({}*)", words.join(" ")).as_str())], &words);
    assert_eq!((said.groups.len(), problems), (1, vec![]));
    let stars = "*".repeat(1_000_000);
    assert_eq!(parse_annotation([(1, stars.as_str())], &tokens).1[0].rule, "stray-asterisk");
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
}

proptest! {
    #[test]
    fn any_text_is_read_without_panic_and_written_back(text in "[ab~$x(){}\\[\\]*<>=:/%\\-\n\r é]{0,80}") {
        let whole = format!("% TEXT\na b x é a\n% ANNO\n{text}");
        prop_assert_eq!(written(&read(whole.as_bytes()).0), whole);
        prop_assert_eq!(written(&read(text.as_bytes()).0), text);
    }

    #[test]
    fn any_bytes_are_read_without_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = read(&bytes);
        let _ = json_lines::read(bytes.as_slice()).map(Result::unwrap).count();
        let _ = fudg_json::read(bytes.as_slice()).map(Result::unwrap).count();
    }

    #[test]
    fn any_graph_is_read_without_panic(edges in prop::collection::vec((0usize..7, 0usize..7, 0usize..7), 0..12)) {
        let nodes = ["FE1", "FE2", "W(a)", "MW(b_c)", "$x", "**", "CBB3"];
        let labels = [None, Some("fe"), Some("fe*"), Some("Conj"), Some("Coord"), Some("Anaph"), Some("odd")];
        let edges: Vec<_> = edges.iter().map(|&(h, d, l)| (nodes[h], nodes[d], labels[l])).collect();
        let graph = serde_json::json!({
            "tokens": ["a", "b", "c"], "nodes": nodes, "node_edges": edges,
            "n2w": {"W(a)": ["a"], "MW(b_c)": ["b", "c"]},
        });
        let (block, _) = fudg_json::read_line(&format!("x\ta b c\t{graph}"), 1);
        let _ = read(block.to_string().as_bytes());
        let _ = fudg_json::write_line(&block);
    }
}

#[test]
fn truncated_json_is_reported_not_fatal() {
    let line = "{\"sent\": \"a b\", \"anno\": \"a > b\\nc\", \"id\": 3}";
    for end in 0..line.len() {
        if let Some(record) = json_lines::read(&line.as_bytes()[..end]).next() {
            let problems = record.unwrap().problems;
            assert!(problems.iter().any(|problem| problem.rule == "json-syntax"));
        }
    }
    let formats::Read { value: block, problems, .. } =
        json_lines::read(format!("{line}\n").as_bytes()).next().unwrap().unwrap();
    assert_eq!((block.id.as_deref(), block.said.arcs.len()), (Some("3"), 1));
    assert!(problems[0].message.ends_with("(line 2, column 1 of the annotation)"), "{}", problems[0]);
}
