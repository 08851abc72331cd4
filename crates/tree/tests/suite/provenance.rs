//! Whatever people and machines do with a sentence in turn, what people said stays, and stays theirs.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use proptest::prelude::*;
use std::collections::BTreeMap;
use tree::provenance::{self, Author, Column};
use tree::{Head, Sentence, Token};

/// What somebody does.
#[derive(Clone, Debug)]
enum Deed {
    /// A person writes a value into a column, without minding marks.
    Say(usize, Column, u32),
    /// A person agrees with what stands there.
    Confirm(usize, Column),
    /// A machine fills in everything that is open.
    Fill(u32),
    /// A machine starts anew: what machines said is taken back.
    TakeBack,
    /// The sentence goes through a format without MISC.
    Travel,
    /// A machine overrules a head and keeps what was said.
    Overrule(usize, u32),
}

fn deed(n_words: usize) -> impl Strategy<Value = Deed> {
    let column = prop::sample::select(Column::ALL.to_vec());
    let word = 0..n_words;
    prop_oneof![
        (word.clone(), column.clone(), 0u32..4)
            .prop_map(|(word, column, value)| Deed::Say(word, column, value)),
        (word.clone(), column).prop_map(|(word, column)| Deed::Confirm(word, column)),
        (0u32..4).prop_map(Deed::Fill),
        Just(Deed::TakeBack),
        Just(Deed::Travel),
        (word, 0u32..4).prop_map(|(word, head)| Deed::Overrule(word, head)),
    ]
}

fn set(token: &mut Token, column: Column, value: u32) {
    let text = format!("v|{value}=%");
    match column {
        Column::Head => token.head = Head::Of(value),
        Column::Lemma => token.lemma = text.into(),
        Column::Upos => token.upos = text.into(),
        Column::Xpos => token.xpos = text.into(),
        Column::Feats => token.feats = text.into(),
        Column::Deprel => token.deprel = text.into(),
        Column::Morphs => {
            let items = token.misc.split('|').filter(|item| *item != "_" && !item.starts_with("MSeg="));
            let items = items.map(str::to_string).chain([format!("MSeg=v-{value}=%")]);
            token.misc = items.collect::<Vec<_>>().join("|").into();
        }
    }
}

fn value(token: &Token, column: Column) -> Option<String> {
    column.value(token).map(|value| value.into_owned())
}

/// What people have said, as they remember it.
type Ledger = BTreeMap<(usize, Column), String>;

fn said(token: &Token, column: Column) -> Option<String> {
    let overruled = token.misc_items().find(|(key, _)| *key == provenance::HEAD_SAID);
    match (column, overruled, column.author(token)) {
        (Column::Head, Some((_, said)), Author::Machine(_)) => Some(said.to_string()),
        (_, _, Author::Person) => value(token, column),
        _ => None,
    }
}

fn check(sentence: &Sentence, ledger: &Ledger) -> Result<(), TestCaseError> {
    for (at, token) in sentence.words().enumerate() {
        for column in Column::ALL {
            prop_assert_eq!(
                said(token, column),
                ledger.get(&(at, column)).cloned(),
                "{:?} {:?}",
                column,
                token
            );
        }
    }
    Ok(())
}

fn act(sentence: &mut Sentence, ledger: &mut Ledger, deed: &Deed) {
    match deed {
        Deed::Say(word, column, new) => {
            let token = &mut sentence.tokens[*word];
            set(token, *column, *new);
            // Who writes what the machine wrote has undone what was said before; to agree, the mark is taken away.
            if column.author(token) == Author::Person {
                ledger.insert((*word, *column), value(token, *column).unwrap());
            } else if said(token, *column).is_none() {
                ledger.remove(&(*word, *column));
            }
        }
        Deed::Confirm(word, column) => {
            let token = &mut sentence.tokens[*word];
            if let Some(value) = value(token, *column) {
                column.unmark(token);
                ledger.insert((*word, *column), value);
            }
        }
        Deed::Fill(new) => {
            for token in sentence.words_mut() {
                for column in
                    Column::ALL.into_iter().filter(|column| column.value(token).is_none()).collect::<Vec<_>>()
                {
                    set(token, column, *new);
                    column.mark(token, "machine", Some(0.5));
                }
            }
        }
        Deed::TakeBack => _ = provenance::take_back(sentence, &Column::ALL),
        Deed::Travel => {
            provenance::to_comments(sentence);
            provenance::from_comments(sentence);
        }
        Deed::Overrule(word, head) => {
            let token = &mut sentence.tokens[*word];
            let Some(said) = ledger.get(&(*word, Column::Head)) else { return };
            token.head = Head::Of(*head);
            Column::Head.unmark(token);
            if token.head.to_string() != *said {
                Column::Head.mark(token, "machine", None);
                let kept = format!("{}={said}", provenance::HEAD_SAID);
                token.misc =
                    if token.misc == "_" { kept.into() } else { format!("{}|{kept}", token.misc).into() };
            }
        }
    }
}

proptest! {
    #[test]
    fn no_decision_of_a_person_is_lost_and_none_of_a_machine_becomes_one(
        deeds in prop::collection::vec(deed(3), 0..24),
    ) {
        let mut sentence = Sentence::from_forms(["a", "b", "c"]);
        let mut ledger = Ledger::new();
        for deed in &deeds {
            act(&mut sentence, &mut ledger, deed);
            check(&sentence, &ledger)?;
        }
        provenance::take_back(&mut sentence, &Column::ALL);
        for (at, token) in sentence.words().enumerate() {
            for column in Column::ALL {
                prop_assert_eq!(value(token, column), ledger.get(&(at, column)).cloned());
            }
            prop_assert!(token.misc_items().all(|(name, _)| name == "MSeg"), "{}", token.misc);
        }
    }
}

#[test]
fn features_that_a_machine_took_away_come_back() {
    let mut sentence = Sentence::default();
    sentence.tokens.push(Token::word(1, "dogs"));
    let token = &mut sentence.tokens[0];
    token.feats = "Number=Plur".into();
    let before = token.feats.clone();
    token.feats = "_".into();
    provenance::mark_feats(token, &before, "m", None);
    assert_eq!(sentence.tokens[0].misc, "FeatsSaid=Number=Plur");
    assert_eq!(provenance::take_back(&mut sentence, &Column::ALL), 1);
    assert_eq!((sentence.tokens[0].feats.as_str(), sentence.tokens[0].misc.as_str()), ("Number=Plur", "_"));
}

#[test]
fn the_mark_of_morphs_stays_with_them() {
    let mut sentence = Sentence::from_forms(["dogs"]);
    sentence.tokens[0].misc = "HeadBy=m:0|MSeg=dog-s|MSegBy=m:dog-s".into();
    provenance::to_comments(&mut sentence);
    assert_eq!(sentence.tokens[0].misc, "MSeg=dog-s|MSegBy=m:dog-s");
    assert_eq!(sentence.comments, ["# treelet_by 1 = HeadBy=m:0"]);
}
