//! Sentences there and back, and what is said when something is missing.

use super::*;
use tree::semantics::{Argument, Entity, Predicate, Relation};
use tree::{Head, Span};

/// “Ada sold Byron 's house in York”, with a tree and without lemmas.
fn annotated() -> Annotated {
    let mut sentence = Sentence::from_forms(["Ada", "sold", "Byron", "'s", "\"house\"", "in", "York"]);
    let columns =
        [(2, "PROPN"), (0, "VERB"), (5, "PROPN"), (3, "PART"), (2, "NOUN"), (7, "ADP"), (5, "PROPN")];
    for (word, (head, tag)) in sentence.words_mut().zip(columns) {
        word.head = Head::Of(head);
        word.upos = tag.into();
    }
    let entity =
        |start, end, kind: &str| Entity { span: Span::new(start, end).expect("a span"), kind: kind.into() };
    let argument = |word, role: &str| Argument { word, role: role.into() };
    let said = Semantics {
        entities: vec![entity(0, 1, "PER"), entity(2, 3, "PER"), entity(4, 7, "LOC")],
        relations: vec![Relation { first: 1, second: 2, kind: "Owned".into() }],
        predicates: vec![Predicate {
            word: 1,
            sense: Some("sell.01".into()),
            arguments: vec![argument(0, "A0"), argument(4, "A1")],
            open: [5].into(),
        }],
        ..Semantics::default()
    };
    (sentence, said)
}

#[test]
fn what_is_said_comes_back_through_json() {
    let (sentence, mut said) = annotated();
    let text = serde_json::to_string(&PeerLine::new(&sentence, &said)).expect("JSON");
    assert_eq!(
        text,
        r#"{"forms":["Ada","sold","Byron","'s","\"house\"","in","York"],"lemmas":null,"#.to_owned()
            + r#""tags":["PROPN","VERB","PROPN","PART","NOUN","ADP","PROPN"],"heads":[2,0,5,3,2,7,5],"deprels":null,"#
            + r#""entities":[[0,1,"PER"],[2,3,"PER"],[4,7,"LOC"]],"relations":[[1,2,"Owned"]],"pairs":null,"#
            + r#""predicates":[{"word":1,"sense":"sell.01","arguments":[[0,"A0"],[4,"A1"]]}]}"#
    );
    // Scripts do not say what is open.
    said.predicates[0].open.clear();
    assert_eq!(found(&text, &[(sentence, said.clone())]).expect("an answer"), [said]);
}

#[test]
fn open_pairs_are_not_asked_for() {
    let (sentence, mut said) = annotated();
    said.open_pairs = [(0, 1), (1, 2)].into();
    let line = serde_json::to_value(PeerLine::new(&sentence, &said)).expect("JSON");
    assert_eq!(line["pairs"], serde_json::json!([[0, 2]]));
}

#[test]
fn a_sentence_without_all_heads_has_none() {
    let (mut sentence, said) = annotated();
    sentence.words_mut().for_each(|word| {
        if word.form == "in" {
            word.head = Head::Open;
        }
    });
    let line = serde_json::to_value(PeerLine::new(&sentence, &said)).expect("JSON");
    assert!(line["heads"].is_null());
}

#[test]
fn questions_do_not_hold_their_answers() {
    let given = annotated();
    let (_, no_entities) = Script::Entities.question(&given);
    assert!(no_entities.entities.is_empty() && no_entities.relations.is_empty());
    let (_, no_relations) = Script::Relations.question(&given);
    assert!(no_relations.relations.is_empty());
    assert_eq!(no_relations.entities, given.1.entities);
    let (_, no_roles) = Script::Roles.question(&given);
    assert_eq!(no_roles.predicates[0].word, 1);
    assert!(no_roles.predicates[0].arguments.is_empty() && no_roles.predicates[0].sense.is_none());
}

#[test]
fn answers_that_cannot_be_are_refused() {
    let test = [annotated()];
    let text = |entities: serde_json::Value| {
        let mut line = serde_json::to_value(PeerLine::new(&test[0].0, &test[0].1)).expect("JSON");
        line["entities"] = entities;
        line["relations"] = serde_json::json!([]);
        line.to_string()
    };
    let said = |text: &str| format!("{:#}", found(text, &test).expect_err("refused"));
    assert_eq!(said(""), "0 answers to 1 sentences");
    assert_eq!(said(&text(serde_json::json!([[3, 3, "X"]]))), "sentence 1: no entity is from 3 to 3");
    assert_eq!(
        said(&text(serde_json::json!([[3, 8, "X"]]))),
        "sentence 1: what cannot be was found: [EntityOutside { entity: 0 }]"
    );
}

#[test]
fn a_missing_python_and_a_missing_package_are_named() {
    let nowhere = Path::new("/nowhere/python");
    let error =
        answer(nowhere, Script::Roles, &["--peer", "plain"], [&[], &[], &[]]).expect_err("there is none");
    assert!(
        format!("{error:#}").starts_with("cannot start /nowhere/python, which is to run roles.py: "),
        "{error:#}"
    );
    let said = |status, said| {
        let failed = check(Path::new("python3"), "entities.py", status, said);
        failed.expect_err("failed").to_string()
    };
    assert_eq!(
        said(Some(MISSING), "No module named 'spacy'\n"),
        "python3 cannot run entities.py: No module named 'spacy'. Install what peers need: \
         python3 -m pip install -r crates/bench/peers/requirements.txt"
    );
    assert_eq!(said(Some(1), "no memory"), "entities.py failed with status 1: no memory");
    assert_eq!(said(None, ""), "entities.py was killed: ");
}

#[test]
fn what_was_learned_is_found_again_where_the_packages_are() {
    let Some(python) = std::env::var_os("TREELET_PEERS_PYTHON") else {
        eprintln!("NOT TESTED: TREELET_PEERS_PYTHON names no Python with the packages of crates/bench/peers");
        return;
    };
    let (sentence, mut said) = annotated();
    said.predicates[0].open.clear();
    let all = vec![(sentence, said.clone()); 20];
    let few = &all[..2];
    let peers: [(Script, &[&str]); 7] = [
        (Script::Entities, &["--peer", "crfsuite"]),
        (Script::Entities, &["--peer", "spacy", "--stop", "200"]),
        (Script::Relations, &["--peer", "plain"]),
        (Script::Relations, &["--peer", "ent"]),
        (Script::Relations, &["--peer", "path"]),
        (Script::Roles, &["--peer", "plain"]),
        (Script::Roles, &["--peer", "path"]),
    ];
    for (script, peer) in peers {
        let answer = answer(Path::new(&python), script, peer, [&all, few, few]).expect("an answer");
        assert_eq!(answer.dev_f1, 100.0, "{script:?} {peer:?}, {}", answer.settings);
        assert!(answer.seconds > 0.0);
        for found in &answer.found {
            assert_eq!(found.entities, said.entities, "{script:?} {peer:?}");
            if script != Script::Entities {
                assert_eq!(found.relations, said.relations, "{script:?} {peer:?}");
            }
            assert_eq!(found.predicates, said.predicates, "{script:?} {peer:?}");
        }
    }
}
