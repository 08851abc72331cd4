//! Lexicons and scripts, compiled.

#![cfg(feature = "foma")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::io;

use formats::foma_sources::{lexc, script};
use tree::{Symbol, Transducer};

const NOUNS: &str = "Multichar_Symbols +N +Pl\nLEXICON Root\nhund Noun ;\nkatt Noun ;\nLEXICON Noun\n+N:0 # ;\n+N+Pl:ar # ;\n";

/// All pairs of an acyclic transducer: analysis and form.
fn pairs(transducer: &Transducer) -> Vec<(String, String)> {
    let shown = |symbol: u32| match &transducer.symbols()[symbol as usize] {
        Symbol::Text(text) => text.to_string(),
        _ => String::new(),
    };
    let (mut pairs, mut stack) = (Vec::new(), vec![(0, String::new(), String::new())]);
    while let Some((state, input, output)) = stack.pop() {
        if transducer.end(state).is_some() {
            pairs.push((input.clone(), output.clone()));
        }
        for arc in transducer.arcs(state) {
            stack.push((arc.target, input.clone() + &shown(arc.input), output.clone() + &shown(arc.output)));
        }
    }
    pairs.sort();
    pairs
}

fn expected(rows: &[(&str, &str)]) -> Vec<(String, String)> {
    rows.iter().map(|&(input, output)| (input.to_owned(), output.to_owned())).collect()
}

#[test]
fn a_lexicon_becomes_its_pairs() {
    let found = lexc(NOUNS);
    assert!(found.problems.is_empty(), "{:?}", found.problems);
    let all = [("hund+N", "hund"), ("hund+N+Pl", "hundar"), ("katt+N", "katt"), ("katt+N+Pl", "kattar")];
    assert_eq!(pairs(&found.transducer), expected(&all));
}

#[test]
fn a_script_composes_a_lexicon_with_a_rule() {
    let text = "! plural of cats\nread lexc nouns.lexc\ndefine Lexicon ;\ndefine Rule [ a r -> o r || t _ ] ; # a rule\n\
                regex Lexicon .o. Rule ;\nsave stack out.foma\n";
    let open = |name: &str| {
        if name == "nouns.lexc" { Ok(NOUNS.to_owned()) } else { Err(io::ErrorKind::NotFound.into()) }
    };
    let found = script(text, &open);
    let said: Vec<(u32, &str)> = found.problems.iter().map(|p| (p.place.line, p.rule)).collect();
    assert_eq!(said, [(6, "foma-command")]);
    let all = [("hund+N", "hund"), ("hund+N+Pl", "hundar"), ("katt+N", "katt"), ("katt+N+Pl", "kattor")];
    assert_eq!(pairs(&found.transducer), expected(&all));
}

#[test]
fn what_cannot_be_compiled_is_reported_with_its_place() {
    let nothing = |_: &str| Err(io::ErrorKind::NotFound.into());
    let rules = |text: &str| -> Vec<(u32, &'static str)> {
        script(text, &nothing).problems.iter().map(|p| (p.place.line, p.rule)).collect()
    };
    assert_eq!(rules("define A a b ;\n\nregex [ A ;\n"), [(3, "foma-expression")]);
    assert_eq!(rules("read lexc none.lexc\n"), [(1, "foma-expression"), (1, "empty-transducer")]);
    assert_eq!(rules(""), [(1, "empty-transducer")]);
    let bad = lexc("LEXICON Root\nhund Noun ;\nhund +N\n");
    assert_eq!(bad.problems[0].rule, "lexc-syntax");
    assert!(bad.problems[0].place.line >= 3, "{}", bad.problems[0]);
}
