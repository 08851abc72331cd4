//! A history against the plainest one there is: a list of everything that ever stood there.

use crate::anything::{change, changes, event, tokens};
use annotation::{Analysis, Event, Happening, History};
use proptest::prelude::*;

/// Everything that stood there, and which of it stands now.
struct Model {
    stood: Vec<Analysis>,
    now: usize,
    version: u64,
    stage: u8,
    is_done: (bool, bool),
    n_refused: usize,
}

impl Model {
    fn new(start: Analysis) -> Self {
        Self { stood: vec![start], now: 0, version: 0, stage: 0, is_done: (false, false), n_refused: 0 }
    }

    /// Whether the event is taken.
    fn push(&mut self, kind: &Happening) -> bool {
        match kind {
            Happening::Edit { changes, .. } => {
                let mut next = self.stood[self.now].clone();
                if !changes.iter().all(|change| next.apply(change).is_ok()) {
                    return false;
                }
                self.stood.truncate(self.now + 1);
                self.stood.push(next);
                self.now += 1;
            }
            Happening::Undo => self.now = self.now.saturating_sub(1),
            Happening::Redo => self.now = (self.now + 1).min(self.stood.len() - 1),
            Happening::Stage { stage: 1..=4 } => {}
            Happening::Stage { .. } => return false,
            Happening::Submit => self.is_done = (true, false),
            Happening::Skip => self.is_done = (false, true),
            Happening::Reopen => self.is_done = (false, false),
            Happening::Refused { .. } => self.n_refused += 1,
            _ => {}
        }
        if let Happening::Stage { stage } = kind {
            self.stage = *stage;
        }
        let is_clock = matches!(
            kind,
            Happening::Open
                | Happening::Close
                | Happening::Pause
                | Happening::Resume
                | Happening::Idle { .. }
        );
        self.version +=
            u64::from(!is_clock && !matches!(kind, Happening::Shown { .. } | Happening::Refused { .. }));
        true
    }

    fn check(&self, history: &History) -> Result<(), TestCaseError> {
        let work = history.work();
        prop_assert_eq!(history.analysis(), &self.stood[self.now]);
        prop_assert_eq!(
            (history.can_undo(), history.can_redo()),
            (self.now > 0, self.now + 1 < self.stood.len())
        );
        prop_assert_eq!((history.version(), work.stage), (self.version, self.stage));
        prop_assert_eq!((work.submitted, work.skipped), self.is_done);
        prop_assert_eq!(work.n_refused, self.n_refused);
        Ok(())
    }
}

proptest! {
    #[test]
    fn a_history_is_a_list_of_what_stood_there_and_refused_events_change_nothing(
        start in changes(),
        events in prop::collection::vec((event(), 0..3u8), 0..40),
    ) {
        let start = crate::anything::after(&start);
        let (mut history, mut model) = (History::from(start.clone()), Model::new(start));
        for (event, window) in &events {
            let before = history.clone();
            let taken = history.push_from(&format!("window {window}"), event).is_ok();
            prop_assert_eq!(taken, model.push(&event.kind), "{:?}", event);
            if !taken {
                prop_assert_eq!(&history, &before);
            }
            model.check(&history)?;
        }
    }

    #[test]
    fn the_same_events_make_the_same_history(events in prop::collection::vec(event(), 0..30)) {
        let fold = || {
            let mut history = History::new(tokens());
            let taken: Vec<bool> = events.iter().map(|event| history.push(event).is_ok()).collect();
            (history, taken)
        };
        prop_assert_eq!(fold(), fold());
    }

    #[test]
    fn events_without_the_refused_ones_make_the_same_history(
        events in prop::collection::vec(event(), 0..30),
    ) {
        let mut all = History::new(tokens());
        let taken: Vec<&Event> = events.iter().filter(|event| all.push(event).is_ok()).collect();
        let mut kept = History::new(tokens());
        for event in taken {
            prop_assert!(kept.push(event).is_ok(), "{:?}", event);
        }
        prop_assert_eq!(kept, all);
    }

    #[test]
    fn a_refused_change_changes_nothing(
        changes in changes(),
        more in prop::collection::vec(change(), 0..20),
    ) {
        let mut analysis = crate::anything::after(&changes);
        for change in &more {
            let before = analysis.clone();
            if analysis.apply(change).is_err() {
                prop_assert_eq!(&analysis, &before, "{:?}", change);
            }
        }
    }

    #[test]
    fn a_window_knows_of_all_changes_since_a_version_if_it_made_them(
        windows in prop::collection::vec(0..3u8, 0..12),
    ) {
        let mut history = History::new(tokens());
        for &window in &windows {
            history.push_from(&window.to_string(), &Event { n: 1, at: 0, kind: Happening::Undo }).unwrap();
        }
        for since in 0..=windows.len() {
            for window in 0..3u8 {
                let expected = windows[since..].iter().all(|other| *other == window);
                prop_assert_eq!(history.is_known_to(&window.to_string(), since as u64), expected);
            }
        }
        prop_assert!(!history.is_known_to("0", windows.len() as u64 + 1));
        prop_assert!(!history.is_known_to("0", u64::MAX));
    }
}

#[test]
fn undo_has_no_end_and_what_is_done_instead_takes_the_place_of_what_was_taken_back() {
    let event = |text: &str| -> Event { serde_json::from_str(text).unwrap() };
    let mut history = History::new(tokens());
    let (mut pushed, mut stood) = (0, vec![history.analysis().clone()]);
    let mut push = |history: &mut History, text: &str| {
        pushed += 1;
        history.push(&event(&text.replace("N", &pushed.to_string()))).unwrap();
    };
    for at in 0..500 {
        let to = if at % 2 == 0 { 2 } else { 6 };
        let edit = format!(
            r#"{{"n": N, "at": 0, "kind": "edit", "via": "key", "changes": [{{"head": {{"of": 1, "to": {to}}}}}]}}"#
        );
        push(&mut history, &edit);
        stood.push(history.analysis().clone());
    }
    for expected in stood.iter().rev().skip(1) {
        push(&mut history, r#"{"n": N, "at": 0, "kind": "undo"}"#);
        assert_eq!(history.analysis(), expected);
    }
    assert!(!history.can_undo() && history.can_redo());
    push(&mut history, r#"{"n": N, "at": 0, "kind": "edit", "via": "key", "changes": []}"#);
    assert!(history.can_undo() && !history.can_redo());
}
