//! Readers survive whatever they are given: no panic, no endless loop, and nothing invented.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use formats::detect::Format;
use formats::everything::copy;

/// A small file of each format.
const SAMPLES: [(Format, &str); 12] = [
    (
        Format::Conllu,
        "# sent_id = ŋ1\n# text = del mar\n1-2\tdel\t_\t_\t_\t_\t_\t_\t_\t_\n1\tde\tde\tADP\t_\tA=B|C=D\t3\tcase\t3:case\t_\n2\tel\tel\tDET\t_\t_\t3\tdet\t3:det\t_\n2.1\tø\t_\t_\t_\t_\t_\t_\t0:root\t_\n3\tmar\tmar\tNOUN\t_\t_\t0\troot\t0:root\tSpaceAfter=No\n\n",
    ),
    (
        Format::Conllx,
        "1\tDas\tdas\tART\tPDS\t_\t2\tSB\t_\t_\n2\tgeht\tgehen\tV\tVVFIN\tpres\t0\tROOT\t0\tROOT\n\n",
    ),
    (
        Format::Conll09,
        "1\tIt\tit\tit\tP\tP\t_\t_\t2\t2\tSBJ\tSBJ\t_\t_\tA0\n2\tgoes\tgo\tgo\tV\tV\tt=3\t_\t0\t0\tROOT\tROOT\tY\tgo.01\t_\n\n",
    ),
    (Format::Bio, "Wolff B-PER\n, O\nen O\nBuenos B-LOC\nAires I-LOC\n\n"),
    (
        Format::Joint,
        "# sent_id = s1\n# tree = (S (NP (NN Ann)) (VP (VB saw) (NP (NN Bö))))\n# entities = 1-1:person:NE 2-3:event\n1\tAnn\tAnn\tPROPN\tNN\t2\tnsubj\tB-person\n2\tsaw\tsee\tVERB\tVB\t0\troot\tO\n3\tBö\tBö\tPROPN\tNN\t2\tobj\tB-person\n\n",
    ),
    (
        Format::Joint,
        "# sent_id = s1\n1\tAli\tPROP\tAli+NOUN\tAli\tPERSON\tARG0$T1#ARG1$T2\n2\tsöz\tNOUN\tsöz+NOUN\tsöz\tNONE\tPREDICATE$T1\n3\tetti\tVERB\tet+VERB\tet+DH\tNONE\tPREDICATE$T1\n4\tgeldi\tVERB\tgel+VERB\tgel+DH\t_\tPREDICATE$T2\n5\t.\tPUNC\t.+PUNC\t.\tNONE\t_\n\n",
    ),
    (
        Format::Conll04,
        "#doc 7\n0\tAnn\tB-Peop\t['Live_In', '?']\t[3, 4]\n1\tlives\tO\t['N']\t[1]\n2\tin\tO\t['N']\t[2]\n3\tÅmål\tB-Loc\t['N']\t[3]\n4\tX\tB-Org\t['N']\t[4]\n#doc 8\n0\tyes\tO\t['N']\t[0]\n",
    ),
    (
        Format::Semeval,
        "1\t\"The <e1>ägg</e1>'s in the <e2>small basket</e2>.\"\nContent-Container(e1,e2)\nComment: yes\n\n2\t\"<e1>A</e1>-<e2>b</e2>\"\n",
    ),
    (Format::Brackets, "# note\n( (S (NP-SBJ (-NONE- *)) (VP (VB go\\)) (NP (PRP mé)))))\n(X y)\n"),
    (
        Format::Gfl,
        "---\n% ID 7\n% TEXT\nI saw the~1 dog and the~2 cät .\n% ANNO\n$x :: {dog cät} :: and\nI > [saw .]** < $x\n(the~1 dog*)\nthe~2 > cät\n",
    ),
    (Format::GflJson, "{\"sent\":\"a b c\",\"anno\":\"a > b\\n(b c*)\"}\n"),
    (
        Format::FudgJson,
        "x\ta b\t{\"tokens\":[\"a\",\"b\"],\"nodes\":[\"W(a)\",\"W(b)\"],\"n2w\":{\"W(a)\":[\"a\"],\"W(b)\":[\"b\"]},\"varnodes\":[],\"coords\":[],\"node_edges\":[[\"W(b)\",\"W(a)\",null]],\"anaph\":[],\"extra_node2words\":{}}\n",
    ),
];

fn run(format: Format, bytes: &[u8]) -> (usize, usize, Vec<u8>) {
    let mut out = Vec::new();
    let copied = copy(format, bytes, &mut out).expect("reading from memory cannot fail");
    (copied.n_items, copied.problems.iter().filter(|problem| problem.is_error()).count(), out)
}

#[test]
fn samples_are_read_without_error_and_written_back() {
    for (format, sample) in SAMPLES {
        let (n_items, n_errors, out) = run(format, sample.as_bytes());
        assert!(n_items > 0 && n_errors == 0, "{format:?}: {n_items} items, {n_errors} errors");
        assert_eq!(String::from_utf8(out).unwrap(), sample, "{format:?}");
    }
}

#[test]
fn truncation_at_every_byte_is_survived_by_every_reader() {
    for (format, _) in SAMPLES {
        for (_, sample) in SAMPLES {
            for end in 0..sample.len() {
                run(format, &sample.as_bytes()[..end]);
            }
        }
    }
}

#[test]
fn every_byte_replaced_by_a_hostile_one_is_survived() {
    for (format, sample) in SAMPLES {
        for at in 0..sample.len() {
            for hostile in [0, b'\n', b'\r', b'\t', b'(', b')', b'-', b'{', b'"', 0x80, 0xFF] {
                let mut bytes = sample.as_bytes().to_vec();
                bytes[at] = hostile;
                run(format, &bytes);
            }
        }
    }
}

#[test]
fn windows_files_give_the_same_as_unix_files() {
    for (format, sample) in SAMPLES {
        let windows = format!("\u{FEFF}{}", sample.replace('\n', "\r\n"));
        let (_, n_errors, out) = run(format, windows.as_bytes());
        let out = String::from_utf8(out).unwrap();
        // Annotation blocks keep even their line ends; the others write what Unix expects.
        let kept = format == Format::Gfl && out == windows;
        // Marked sentences are distributed with the line ends of Windows, and keep them.
        let kept = kept || format == Format::Semeval && out == windows.trim_start_matches('\u{FEFF}');
        assert!(n_errors == 0 && (kept || out == sample), "{format:?}: {out}");
    }
}

#[test]
fn invalid_utf8_is_an_error_with_a_place_and_the_rest_is_read() {
    for (format, sample) in SAMPLES {
        let mut bytes = sample.as_bytes().to_vec();
        bytes.extend_from_slice(b"\xFF\xFE\n\n");
        bytes.extend_from_slice(sample.as_bytes());
        let mut out = Vec::new();
        let copied = copy(format, &bytes[..], &mut out).unwrap();
        let invalid = copied.problems.iter().find(|problem| problem.rule == "invalid-utf8");
        assert!(
            invalid.is_some_and(|problem| problem.place.line > 1 && problem.place.column > 0),
            "{format:?}"
        );
    }
}

#[test]
fn megabyte_lines_and_deep_nesting_end_in_reasonable_time() {
    let long = "x".repeat(1 << 20);
    let (open, close) = ("(".repeat(1 << 19), ")".repeat(1 << 19));
    let nested = format!("{open}{close}\n");
    let many = format!("(S {})\n", "(N n) ".repeat(200_000));
    let tabs = format!("1\t{}\n\n", "\t".repeat(1 << 20));
    let arcs = format!("% TEXT\na b\n% ANNO\n{}\n", "a > ".repeat(250_000));
    let deps = format!("1\ta\t_\tX\t_\t_\t0\troot\t{}9:x\t_\n\n", "9:x|".repeat(200_000));
    let again = format!("% TEXT\n{0}\n% ANNO\n{0}\n", "a ".repeat(100_000));
    let shared = shared_brackets(40);
    for (format, sample) in SAMPLES {
        for hostile in [&long, &nested, &many, &tabs, &arcs, &open, &close, &deps, &again, &shared] {
            run(format, hostile.as_bytes());
            run(format, format!("{sample}{hostile}").as_bytes());
        }
    }
}

/// Brackets of which each contains both of the level below: spelled out they would be 2^levels names.
fn shared_brackets(levels: usize) -> String {
    let mut edges = vec!["[\"FEA0\",\"W(a)\",\"fe\"],[\"FEA0\",\"W(b)\",\"fe\"],[\"FEB0\",\"W(a)\",\"fe\"],[\"FEB0\",\"W(c)\",\"fe\"]".to_string()];
    for level in 1..levels {
        for side in ["A", "B"] {
            let word = if side == "A" { "a" } else { "b" };
            let below = level - 1;
            edges.push(format!("[\"FE{side}{level}\",\"FEA{below}\",\"fe\"],[\"FE{side}{level}\",\"FEB{below}\",\"fe\"],[\"FE{side}{level}\",\"W({word})\",\"fe\"]"));
        }
    }
    format!("x\ta b c\t{{\"tokens\":[\"a\",\"b\",\"c\"],\"node_edges\":[{}]}}\n", edges.join(","))
}

#[test]
fn a_sentence_of_fifty_thousand_words_is_checked_in_linear_time() {
    let rows = (1..=50_000).map(|id| format!("{id}\tw\t_\tX\t_\t_\t{}\tx\t{}:x\t_\n", id - 1, id - 1));
    let text = rows.collect::<String>() + "\n";
    let (n_items, n_errors, out) = run(Format::Conllu, text.as_bytes());
    assert_eq!((n_items, n_errors), (1, 0));
    assert_eq!(out, text.as_bytes());
}

#[test]
fn empty_files_hold_nothing_and_are_no_error() {
    for (format, _) in SAMPLES {
        for text in ["", "\n", "\n\n\n", "   \n"] {
            assert_eq!(run(format, text.as_bytes()).1, 0, "{format:?} {text:?}");
        }
    }
}
