//! Events as they travel and lie on the disk.

use crate::anything::{change, event};
use annotation::{
    Analysis, Attach, Attached, BlockKind, Change, Event, Happening, History, On, Shape, Suggested, Via,
    WordOrBlock, WrittenHead,
};
use proptest::prelude::*;
use serde_json::{Value, json};

fn read(value: Value) -> Change {
    serde_json::from_value(value).unwrap()
}

fn head(of: WordOrBlock, to: Option<Attached>, relation: Option<&str>) -> Change {
    Change::Head(Attach { of, to: to.map(WrittenHead), relation: relation.map(Into::into) })
}

fn block(bracket: u32) -> WordOrBlock {
    WordOrBlock::Block { bracket }
}

/// Any JSON at all, often with the names that mean something.
fn value() -> impl Strategy<Value = Value> {
    let words = [
        "kind", "n", "at", "edit", "changes", "via", "mouse", "head", "of", "to", "bracket", "idle",
        "seconds", "stage", "shown", "p", "word", "sentence", "what", "on", "text", "words", "gfl", "accept",
        "heads", "is", "flip", "comment",
    ];
    let word = move || prop::sample::select(words.to_vec()).prop_map(String::from);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (0..9u8).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        word().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(word(), inner, 0..5).prop_map(|map| map.into_iter().collect()),
        ]
    })
}

proptest! {
    #[test]
    fn a_change_that_was_written_is_read_as_the_same(change in change()) {
        let text = serde_json::to_string(&change).unwrap();
        prop_assert_eq!(&serde_json::from_str::<Change>(&text).unwrap(), &change, "{}", text);
        let value = serde_json::to_value(&change).unwrap();
        prop_assert_eq!(serde_json::from_value::<Change>(value).unwrap(), change);
    }

    #[test]
    fn an_event_that_was_written_is_read_as_the_same(event in event()) {
        let text = serde_json::to_string(&event).unwrap();
        prop_assert_eq!(serde_json::from_str::<Event>(&text).unwrap(), event, "{}", text);
    }

    #[test]
    fn what_was_written_folds_to_the_same(events in prop::collection::vec(event(), 0..20)) {
        let mut said = History::new(crate::anything::tokens());
        let mut read = said.clone();
        for event in &events {
            let copy: Event = serde_json::from_str(&serde_json::to_string(event).unwrap()).unwrap();
            prop_assert_eq!(said.push(event), read.push(&copy));
        }
        prop_assert_eq!(said, read);
    }

    #[test]
    fn no_json_at_all_makes_it_panic(
        value in value(),
        kind in prop::sample::select(vec!["edit", "idle", "stage", "shown", "refused", "open", "replay", ""]),
        change in value(),
    ) {
        let mut history = History::new(crate::anything::tokens());
        let mut with_kind = value.clone();
        if let Some(map) = with_kind.as_object_mut() {
            map.insert("n".into(), json!(1));
            map.insert("at".into(), json!(1));
            map.insert("kind".into(), json!(kind));
        }
        let edit = json!({"n": 2, "at": 2, "kind": "edit", "via": "key", "changes": [change]});
        for value in [value, with_kind, edit] {
            if let Ok(event) = serde_json::from_value::<Event>(value) {
                let _ = history.push(&event);
            }
        }
    }

    #[test]
    fn no_text_at_all_makes_it_panic(text in any::<String>()) {
        let _ = serde_json::from_str::<Event>(&text);
        let mut analysis = Analysis::new(crate::anything::tokens());
        analysis.apply(&Change::Gfl { text }).unwrap();
        let _ = analysis.gfl();
    }
}

#[test]
fn heads_are_read_as_the_contract_writes_them() {
    let plain = read(json!({"head": {"of": 3, "to": 5, "relation": "nsubj"}}));
    assert_eq!(plain, head(WordOrBlock::Word(3), Some(WordOrBlock::Word(5).into()), Some("nsubj")));
    assert_eq!(
        read(json!({"head": {"of": 3, "to": 5}})),
        head(WordOrBlock::Word(3), Some(WordOrBlock::Word(5).into()), None)
    );
    assert_eq!(
        read(json!({"head": {"of": 3, "to": 0}})),
        head(WordOrBlock::Word(3), Some(Attached::Root), None)
    );
    assert_eq!(read(json!({"head": {"of": 3, "to": null}})), head(WordOrBlock::Word(3), None, None));
    let to_block = read(json!({"head": {"of": {"bracket": 2}, "to": {"bracket": 1}}}));
    assert_eq!(to_block, head(block(2), Some(block(1).into()), None));
}

#[test]
fn changes_of_words_are_read_as_the_contract_writes_them() {
    assert_eq!(
        read(json!({"relation": {"of": 3, "is": "nsubj"}})),
        Change::Relation { of: WordOrBlock::Word(3), is: Some("nsubj".into()) }
    );
    assert_eq!(
        read(json!({"relation": {"of": 3, "is": null}})),
        Change::Relation { of: WordOrBlock::Word(3), is: None }
    );
    assert_eq!(read(json!({"tag": {"of": 3, "is": "NOUN"}})), Change::Tag { of: 3, is: Some("NOUN".into()) });
    assert_eq!(read(json!({"tag": {"of": 3, "is": null}})), Change::Tag { of: 3, is: None });
    assert_eq!(read(json!({"flip": {"of": 3}})), Change::Flip { of: WordOrBlock::Word(3) });
    assert_eq!(read(json!({"flip": {"of": {"bracket": 1}}})), Change::Flip { of: block(1) });
    assert_eq!(read(json!({"main": {"of": 3, "is": true}})), Change::Main { of: 3, is: true });
    assert_eq!(read(json!({"unsure": {"of": 3, "is": true}})), Change::Unsure { of: 3, is: true });
    assert_eq!(
        read(json!({"forbid": {"of": 2, "to": 5, "is": true}})),
        Change::Forbid { of: 2, to: 5, is: true }
    );
}

#[test]
fn changes_of_blocks_are_read_as_the_contract_writes_them() {
    let bracket = |kind, head, label: Option<&str>| Change::Bracket {
        id: 7,
        kind,
        words: vec![1, 2, 3],
        head,
        label: label.map(Into::into),
    };
    assert_eq!(
        read(json!({"bracket": {"id": 7, "kind": "bracket", "words": [1, 2, 3], "head": 3, "label": "NP"}})),
        bracket(Some(Shape::Bracket), Some(WordOrBlock::Word(3)), Some("NP"))
    );
    assert_eq!(
        read(
            json!({"bracket": {"id": 7, "kind": "multiword", "words": [1, 2, 3], "head": null, "label": null}})
        ),
        bracket(Some(Shape::Multiword), None, None)
    );
    assert_eq!(read(json!({"bracket": {"id": 7, "words": [1, 2, 3]}})), bracket(None, None, None));
    assert_eq!(read(json!({"unbracket": {"id": 7}})), Change::Unbracket { id: 7 });
}

#[test]
fn remarks_texts_and_suggestions_are_read_as_the_contract_writes_them() {
    let comment = |on, text: Option<&str>| Change::Comment { n: 1, on, text: text.map(Into::into) };
    assert_eq!(
        read(json!({"comment": {"n": 1, "on": {"what": "sentence"}, "text": "…"}})),
        comment(On::Sentence, Some("…"))
    );
    assert_eq!(
        read(json!({"comment": {"n": 1, "on": {"what": "word", "word": 3}, "text": "…"}})),
        comment(On::Word { word: 3 }, Some("…"))
    );
    assert_eq!(
        read(json!({"comment": {"n": 1, "on": {"what": "arc", "word": 3}, "text": null}})),
        comment(On::Arc { word: 3 }, None)
    );
    assert_eq!(read(json!({"gfl": {"text": "the > dog"}})), Change::Gfl { text: "the > dog".into() });
    let heads = vec![Suggested { of: 3, to: 5, relation: Some("nsubj".into()), p: 0.97 }];
    assert_eq!(
        read(json!({"accept": {"heads": [{"of": 3, "to": 5, "relation": "nsubj", "p": 0.97}]}})),
        Change::Accept { heads }
    );
}

#[test]
fn events_are_read_as_the_contract_writes_them() {
    let kinds = [
        (json!({"kind": "open"}), Happening::Open),
        (json!({"kind": "close"}), Happening::Close),
        (json!({"kind": "pause"}), Happening::Pause),
        (json!({"kind": "resume"}), Happening::Resume),
        (json!({"kind": "idle", "seconds": 90}), Happening::Idle { seconds: 90.0 }),
        (json!({"kind": "stage", "stage": 4}), Happening::Stage { stage: 4 }),
        (json!({"kind": "undo"}), Happening::Undo),
        (json!({"kind": "redo"}), Happening::Redo),
        (
            json!({"kind": "shown", "p": {"3": 0.97}}),
            Happening::Shown { p: [("3".to_string(), 0.97)].into() },
        ),
        (json!({"kind": "refused", "word": 3, "head": 5}), Happening::Refused { word: 3, head: 5 }),
        (json!({"kind": "submit"}), Happening::Submit),
        (json!({"kind": "skip"}), Happening::Skip),
        (json!({"kind": "reopen"}), Happening::Reopen),
    ];
    for (mut value, kind) in kinds {
        value["n"] = json!(12);
        value["at"] = json!(1_763_500_000_000i64);
        let event: Event = serde_json::from_value(value).unwrap();
        assert_eq!(event, Event { n: 12, at: 1_763_500_000_000, kind });
    }
    let means = [
        ("mouse", Via::Mouse),
        ("touch", Via::Touch),
        ("key", Via::Key),
        ("text", Via::Text),
        ("suggestion", Via::Suggestion),
        ("question", Via::Question),
        ("replay", Via::Replay),
    ];
    for (name, via) in means {
        let value = json!({"n": 1, "at": 0, "kind": "edit", "via": name, "changes": [{"flip": {"of": 3}}]});
        let changes = vec![Change::Flip { of: WordOrBlock::Word(3) }];
        assert_eq!(
            serde_json::from_value::<Event>(value).unwrap(),
            Event { n: 1, at: 0, kind: Happening::Edit { via, changes } }
        );
    }
}

#[test]
fn what_is_not_known_is_an_error() {
    for kind in [json!("dance"), json!(""), json!(null), json!(99), json!({"open": {}}), json!("Open")] {
        assert!(serde_json::from_value::<Event>(json!({"n": 1, "at": 0, "kind": kind})).is_err(), "{kind}");
    }
    for value in [
        json!({"at": 0, "kind": "open"}),
        json!({"n": 1, "kind": "open"}),
        json!({"n": -1, "at": 0, "kind": "open"}),
        json!({"n": 1, "at": 0, "kind": "edit", "via": "thought", "changes": []}),
        json!({"n": 1, "at": 0, "kind": "stage", "stage": 256}),
    ] {
        assert!(serde_json::from_value::<Event>(value.clone()).is_err(), "{value}");
    }
    for value in [
        json!({"dance": {"of": 1}}),
        json!({}),
        json!("flip"),
        json!({"head": {"of": 3, "to": 5}, "flip": {"of": 3}}),
        json!({"head": {"of": -3, "to": 5}}),
        json!({"head": {"of": 3.5, "to": 5}}),
        json!({"head": {"of": "3", "to": 5}}),
        json!({"bracket": {"id": 1, "kind": "coordination", "words": [1, 2]}}),
        json!({"comment": {"n": 1, "on": {"what": "page"}, "text": "a"}}),
        json!({"main": {"of": 4_294_967_296u64, "is": true}}),
    ] {
        assert!(serde_json::from_value::<Change>(value.clone()).is_err(), "{value}");
    }
}

#[test]
fn a_shape_that_is_left_out_stays_as_it_was() {
    let mut analysis = Analysis::new(crate::anything::tokens());
    analysis.apply(&read(json!({"bracket": {"id": 1, "kind": "multiword", "words": [1, 2]}}))).unwrap();
    analysis.apply(&read(json!({"bracket": {"id": 1, "words": [1, 2, 3]}}))).unwrap();
    assert_eq!(analysis.blocks()[&1].kind, BlockKind::Multiword);
    analysis
        .apply(&read(json!({"bracket": {"id": 1, "kind": "bracket", "words": [1, 2, 3], "head": 2}})))
        .unwrap();
    assert_eq!(analysis.blocks()[&1].kind, BlockKind::Bracket { head: Some(WordOrBlock::Word(2)) });
}
