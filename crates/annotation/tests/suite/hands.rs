//! What was said by hand, and what was taken over.

use crate::anything::{changes, tokens};
use annotation::{Analysis, ByHand, Change, Decided, Event, Happening, History, Via, WordOrBlock};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn history(steps: &[&str]) -> History {
    let start = Analysis::new(tokens());
    let mut history = History::from(start);
    for (n, step) in (1..).zip(steps) {
        let kind = match *step {
            "undo" => Happening::Undo,
            changes => Happening::Edit { via: Via::Key, changes: serde_json::from_str(changes).unwrap() },
        };
        history.push(&Event { n, at: 0, kind }).unwrap();
    }
    history
}

fn check(steps: &[&str], heads: usize, relations: usize, tags: usize) {
    assert_eq!(history(steps).by_hand(), ByHand { heads, relations, tags }, "{steps:?}");
}

const SET: &str = r#"[{"head": {"of": 1, "to": 2, "relation": "det"}}]"#;
const ACCEPTED: &str = r#"[{"accept": {"heads": [{"of": 1, "to": 2, "relation": "det", "p": 0.9}, {"of": 2, "to": 6, "p": 0.8}]}}]"#;

#[test]
fn what_was_taken_over_is_not_by_hand() {
    check(&[SET], 1, 1, 0);
    check(&[ACCEPTED], 0, 0, 0);
    check(&[ACCEPTED, r#"[{"head": {"of": 2, "to": 0}}]"#], 1, 0, 0);
    check(
        &[r#"[{"tag": {"of": 2, "is": "NOUN"}}]"#, ACCEPTED, r#"[{"relation": {"of": 2, "is": "nsubj"}}]"#],
        0,
        1,
        1,
    );
}

#[test]
fn what_was_taken_back_was_not_said() {
    check(&[SET, "undo"], 0, 0, 0);
    check(&[SET, r#"[{"head": {"of": 1, "to": null}}]"#], 0, 0, 0);
    check(&[r#"[{"gfl": {"text": "the~1 > dog > sleeps\n"}}]"#], 2, 0, 0);
}

#[test]
fn what_was_decided_is_what_somebody_changed_last_there_and_then() {
    let edit = |via, changes: &str| Happening::Edit { via, changes: serde_json::from_str(changes).unwrap() };
    let mut history = History::from(Analysis::new(tokens()));
    let mut n = 0;
    let mut happens = |history: &mut History, kind| {
        n += 1;
        history.push(&Event { n, at: 0, kind }).unwrap();
    };
    happens(
        &mut history,
        edit(Via::Majority, r#"[{"head": {"of": 1, "to": 2}}, {"head": {"of": 2, "to": 0}}]"#),
    );
    assert_eq!(history.decided(), Decided::default());
    // Changed, opened, and one that was there already, of which nothing changes.
    happens(
        &mut history,
        edit(Via::Mouse, r#"[{"head": {"of": 1, "to": 3}}, {"tag": {"of": 2, "is": "N"}}]"#),
    );
    happens(&mut history, edit(Via::Key, r#"[{"head": {"of": 2, "to": null}}]"#));
    let words =
        |numbers: &[u32]| numbers.iter().map(|&word| WordOrBlock::Word(word)).collect::<BTreeSet<_>>();
    assert_eq!(history.decided().heads, words(&[1, 2]));
    assert_eq!(history.decided().tags, BTreeSet::from([2]));
    assert_eq!(history.means(), [Via::Key, Via::Mouse, Via::Majority]);
    happens(&mut history, edit(Via::DawidSkene, r#"[{"head": {"of": 2, "to": 5}}]"#));
    assert_eq!(history.decided().heads, words(&[1]));
    happens(&mut history, Happening::Undo);
    assert_eq!(history.decided().heads, words(&[1, 2]));
    assert_eq!(serde_json::to_string(&Via::DawidSkene).unwrap(), "\"dawid-skene\"");
}

/// Keys with values that differ from the start.
fn different(start: &Analysis, now: &Analysis) -> usize {
    let all: BTreeSet<_> = start.heads().chain(now.heads()).map(|(unit, _)| unit).collect();
    all.into_iter().filter(|&unit| start.head(unit) != now.head(unit)).count()
}

proptest! {
    #[test]
    fn without_suggestions_all_that_is_new_is_by_hand_and_with_nothing_else_none(
        steps in prop::collection::vec(changes(), 0..20),
    ) {
        let is_accept = |change: &Change| matches!(change, Change::Accept { .. });
        let (mut plain, mut taken) = (History::new(tokens()), History::new(tokens()));
        for (n, step) in (1..).zip(&steps) {
            let event = |changes| Event { n, at: 0, kind: Happening::Edit { via: Via::Key, changes } };
            let (accepted, others) = step.iter().cloned().partition(is_accept);
            let _ = taken.push(&event(accepted));
            let _ = plain.push(&event(others));
        }
        let start = Analysis::new(tokens());
        prop_assert_eq!(plain.by_hand().heads, different(&start, plain.analysis()));
        prop_assert_eq!(taken.by_hand(), ByHand::default());
    }
}
