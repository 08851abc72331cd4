//! Transducers in AT&T's text format.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use formats::att;
use proptest::prelude::*;
use tree::{Flag, FlagOperation, Symbol, Transducer, TransducerArc};

fn any_symbol() -> impl Strategy<Value = Symbol> {
    let flag = ("[PNU]", "[A-Z]{1,3}", "[A-Z]{1,3}").prop_map(|(letter, feature, value)| {
        let operation = match letter.as_str() {
            "P" => FlagOperation::Set,
            "N" => FlagOperation::SetOther,
            _ => FlagOperation::Unify,
        };
        Symbol::Flag(Flag { operation, feature: feature.into(), value: Some(value.into()) })
    });
    let bare = ("[RDC]", "[A-Z]{1,3}").prop_map(|(letter, feature)| {
        let operation = match letter.as_str() {
            "R" => FlagOperation::Require,
            "D" => FlagOperation::Forbid,
            _ => FlagOperation::Clear,
        };
        Symbol::Flag(Flag { operation, feature: feature.into(), value: None })
    });
    let text = "[a-zåñ+ ]{1,4}|\t".prop_map(|text| Symbol::Text(text.into()));
    prop_oneof![
        6 => text,
        1 => flag,
        1 => bare,
        1 => Just(Symbol::Epsilon),
        1 => Just(Symbol::Unknown),
        1 => Just(Symbol::Identity)
    ]
}

/// Every state and every symbol is used, as in a file.
fn any_transducer() -> impl Strategy<Value = Transducer> {
    let symbols = proptest::collection::hash_set(any_symbol(), 2..6);
    (1u32..6, symbols).prop_flat_map(|(n, symbols)| {
        let symbols: Vec<Symbol> = symbols.into_iter().collect();
        let m = symbols.len() as u32;
        let arc = (0..n, 0..m, 0..m, 0..n, 0i8..4);
        proptest::collection::vec(arc, 0..12).prop_map(move |rest| {
            let arc = |input, output, target, weight: i8| TransducerArc {
                input,
                output,
                target,
                weight: f32::from(weight) / 2.0,
            };
            let mut arcs: Vec<(u32, TransducerArc)> =
                (0..m).map(|symbol| (0, arc(symbol, symbol, 0, 0))).collect();
            arcs.extend((0..n).map(|state| (0, arc(0, 0, state, 1))));
            arcs.extend(
                rest.iter().map(|&(from, input, output, to, weight)| (from, arc(input, output, to, weight))),
            );
            Transducer::new(n as usize, symbols.clone(), arcs, &[(n - 1, 0.0), (0, 1.5)]).unwrap()
        })
    })
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(transducer in any_transducer()) {
        let mut text = Vec::new();
        att::write(&transducer, &mut text).unwrap();
        let found = att::read(&text[..]).unwrap();
        prop_assert!(found.problems.is_empty(), "{:?}", found.problems);
        prop_assert_eq!(found.transducer, transducer);
    }

    #[test]
    fn no_text_is_too_strange(text in "([0-3]{0,2}[\t ]?){0,6}(\n|\t@0@|\t@P.A.B@|--|\u{feff}|é|inf|nan){0,9}") {
        let found = att::read(text.as_bytes()).unwrap();
        prop_assert!(found.transducer.n_states() <= text.len() + 1);
    }
}

#[test]
fn the_state_that_is_named_first_begins_all_paths() {
    let found = att::read("7\t2\ta\tb\n2\n".as_bytes()).unwrap();
    assert_eq!(found.transducer.arcs(0).len(), 1);
    assert_eq!((found.transducer.end(0), found.transducer.end(1)), (None, Some(0.0)));
}

#[test]
fn rows_that_cannot_be_understood_are_named_and_the_others_kept() {
    let text = "0\t1\ta\tb\nzero\t1\ta\tb\n0\t1\ta\n0\t1\ta\tb\theavy\n1\n--\n0\t1\tc\tc\n";
    let found = att::read(text.as_bytes()).unwrap();
    let said: Vec<(u32, u32, &str)> =
        found.problems.iter().map(|p| (p.place.line, p.place.column, p.rule)).collect();
    let expected = [
        (2, 1, "state-number"),
        (3, 1, "column-count"),
        (4, 9, "unreadable-weight"),
        (6, 1, "another-transducer"),
    ];
    assert_eq!(said, expected);
    assert_eq!(found.transducer.n_arcs(), 1);
}

#[test]
fn a_transducer_without_an_end_is_reported() {
    for text in ["", "0\t1\ta\tb\n", "\n\n"] {
        let found = att::read(text.as_bytes()).unwrap();
        assert_eq!(found.problems.len(), 1, "{text:?}");
        assert_eq!(found.problems[0].rule, "empty-transducer");
    }
}
