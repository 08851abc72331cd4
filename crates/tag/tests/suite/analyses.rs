//! Looking words up in transducers.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeSet;

use proptest::prelude::*;
use tag::{Analyser, LookedUp, Surface};
use tree::{Flag, FlagOperation, Symbol, Text, Transducer, TransducerArc};

fn text(text: &str) -> Symbol {
    Symbol::Text(text.into())
}

fn flag(operation: FlagOperation, value: Option<&str>) -> Symbol {
    Symbol::Flag(Flag { operation, feature: "F".into(), value: value.map(Text::from) })
}

/// Arcs are (from, to, input, output), symbols by number.
fn transducer(n: usize, symbols: Vec<Symbol>, arcs: &[(u32, u32, u32, u32)], finals: &[u32]) -> Transducer {
    let arc = |&(from, target, input, output)| (from, TransducerArc { input, output, target, weight: 0.0 });
    let finals: Vec<(u32, f32)> = finals.iter().map(|&state| (state, 0.0)).collect();
    Transducer::new(n, symbols, arcs.iter().map(arc).collect(), &finals).unwrap()
}

fn texts(found: &LookedUp) -> BTreeSet<String> {
    found.analyses.iter().map(|analysis| analysis.text.to_string()).collect()
}

const SYMBOLS: [&str; 4] = ["", "a", "b", "+X"];

/// All pairs of strings of a transducer without loops, by walking all its paths.
fn pairs(transducer: &Transducer) -> BTreeSet<(String, String)> {
    let mut pairs = BTreeSet::new();
    let mut stack = vec![(0u32, String::new(), String::new())];
    while let Some((state, input, output)) = stack.pop() {
        if transducer.end(state).is_some() {
            pairs.insert((input.clone(), output.clone()));
        }
        for arc in transducer.arcs(state) {
            let add = |to: &str, symbol: u32| format!("{to}{}", SYMBOLS[symbol as usize]);
            stack.push((arc.target, add(&input, arc.input), add(&output, arc.output)));
        }
    }
    pairs
}

proptest! {
    #[test]
    fn every_path_of_a_transducer_without_loops_is_found_from_both_sides(
        arcs in proptest::collection::vec((0u32..4, 0u32..4, 0u32..4, 0u32..4), 1..10)
    ) {
        let arcs: Vec<_> =
            arcs.into_iter().map(|(from, by, i, o)| (from, (from + 1 + by).min(4), i, o)).collect();
        let symbols = SYMBOLS.iter().map(|&s| if s.is_empty() { Symbol::Epsilon } else { text(s) }).collect();
        let transducer = transducer(5, symbols, &arcs, &[3, 4]);
        let pairs = pairs(&transducer);
        let by_input = Analyser::new(transducer.clone(), Surface::Input);
        let by_output = Analyser::new(transducer, Surface::Output);
        for (input, output) in &pairs {
            let of_input = pairs.iter().filter(|pair| pair.0 == *input).map(|pair| pair.1.clone()).collect();
            prop_assert_eq!(texts(&by_input.look_up(input)), of_input);
            let of_output = pairs.iter().filter(|pair| pair.1 == *output).map(|pair| pair.0.clone()).collect();
            prop_assert_eq!(texts(&by_output.look_up(output)), of_output);
        }
        prop_assert!(by_input.look_up("c").analyses.is_empty());
    }
}

#[test]
fn loops_that_read_nothing_end_and_loops_that_read_go_on() {
    // 0 reads a and writes b for ever; 1 writes +X for ever without reading.
    let symbols = vec![Symbol::Epsilon, text("a"), text("b"), text("+X")];
    let transducer = transducer(2, symbols, &[(0, 0, 1, 2), (0, 1, 0, 3), (1, 1, 0, 3)], &[1]);
    let found = Analyser::new(transducer, Surface::Input).look_up(&"a".repeat(2000));
    assert_eq!(texts(&found), [format!("{}+X", "b".repeat(2000))].into());
    assert!(found.looped && !found.cut);
}

#[test]
fn a_transducer_with_too_many_paths_is_cut_short_and_says_so() {
    let symbols = vec![text("a"), text("x"), text("y")];
    let transducer = transducer(1, symbols, &[(0, 0, 0, 1), (0, 0, 0, 2)], &[0]);
    let analyser = Analyser::new(transducer, Surface::Input);
    let found = analyser.look_up(&"a".repeat(40));
    assert!(found.cut && !found.looped);
    assert!(!analyser.look_up("aaa").cut);
    assert_eq!(analyser.look_up("aaa").analyses.len(), 8);
}

#[test]
fn flags_allow_and_bar_ways() {
    use FlagOperation::{Clear, Forbid, Require, Set, SetOther, Unify};
    // First flag, then a letter, then the second flag.
    let passes = |first: Symbol, second: Symbol| {
        let symbols = vec![text("a"), first, second];
        let transducer = transducer(4, symbols, &[(0, 1, 1, 1), (1, 2, 0, 0), (2, 3, 2, 2)], &[3]);
        !Analyser::new(transducer, Surface::Output).look_up("a").analyses.is_empty()
    };
    let (x, y) = (Some("x"), Some("y"));
    let cases = [
        (Set, x, Require, x, true),
        (Set, x, Require, y, false),
        (Set, x, Require, None, true),
        (Clear, None, Require, None, false),
        (Clear, None, Require, x, false),
        (Set, x, Forbid, x, false),
        (Set, x, Forbid, y, true),
        (Set, x, Forbid, None, false),
        (Clear, None, Forbid, None, true),
        (Set, x, Unify, x, true),
        (Set, x, Unify, y, false),
        (Clear, None, Unify, y, true),
        (SetOther, x, Unify, y, true),
        (SetOther, x, Unify, x, false),
        (SetOther, x, Require, y, true),
        (Unify, x, Require, x, true),
    ];
    for (first, a, second, b, expected) in cases {
        assert_eq!(passes(flag(first, a), flag(second, b)), expected, "{first:?} {a:?} {second:?} {b:?}");
    }
}

#[test]
fn letters_without_a_name_pass_where_any_letter_may_and_are_written_back() {
    let symbols = vec![Symbol::Identity, text("s"), text("+Pl"), Symbol::Unknown, Symbol::Epsilon];
    let arcs = [(0, 0, 0, 0), (0, 1, 1, 2), (1, 2, 3, 4)];
    let analyser = Analyser::new(transducer(3, symbols, &arcs, &[1, 2]), Surface::Input);
    assert_eq!(texts(&analyser.look_up("éßs")), ["éß+Pl".to_owned()].into());
    assert_eq!(texts(&analyser.look_up("ész")), ["é+Pl".to_owned()].into());
    assert!(analyser.look_up("é").analyses.is_empty());
    assert_eq!(analyser.features("és"), ["+Pl", "all +Pl"]);
}

#[test]
fn the_side_that_knows_more_words_is_taken() {
    let symbols = vec![text("a"), text("b")];
    let transducer = transducer(2, symbols, &[(0, 1, 0, 1)], &[1]);
    assert_eq!(Analyser::fitting(transducer.clone(), ["a", "c"]).surface(), Surface::Input);
    assert_eq!(Analyser::fitting(transducer, ["b", "c"]).surface(), Surface::Output);
}

#[test]
fn analyses_in_letters_are_cut_at_their_separators() {
    let letters = ["h", "u", "n", "d", "+", "N", "S", "g", "<", ">"];
    let written = "hund+N<Sg>";
    let number = |c: char| letters.iter().position(|l| l.starts_with(c)).unwrap() as u32;
    let mut symbols: Vec<Symbol> = letters.iter().map(|l| text(l)).collect();
    symbols.push(Symbol::Epsilon);
    let arcs: Vec<(u32, u32, u32, u32)> = (0u32..)
        .zip(written.chars())
        .map(|(at, c)| (at, at + 1, number(c), if at < 4 { number(c) } else { 10 }))
        .collect();
    let analyser = Analyser::new(transducer(11, symbols, &arcs, &[10]), Surface::Output);
    assert_eq!(texts(&analyser.look_up("hund")), [written.to_owned()].into());
    assert_eq!(analyser.features("hund"), ["N", "Sg", "all N Sg"]);
}
