//! How long she worked.

use annotation::{Event, Happening, History};
use proptest::prelude::*;

/// Seconds of work after events of these windows at these milliseconds.
fn seconds(events: &[(&str, i64, Happening)]) -> f64 {
    let mut history = History::new(["a", "b"].map(Into::into).to_vec());
    for (n, (window, at, kind)) in (1..).zip(events) {
        history.push_from(window, &Event { n, at: *at, kind: kind.clone() }).unwrap();
    }
    // Piece by piece it is the same.
    let pieces: f64 = history.stretches().iter().map(|stretch| stretch.seconds).sum();
    assert!((pieces - history.work().seconds).abs() < 1e-9);
    assert!(history.stretches().iter().all(|stretch| events.iter().any(|(_, at, _)| *at == stretch.until)));
    history.work().seconds
}

#[test]
fn time_counts_from_event_to_event() {
    assert_eq!(seconds(&[("a", 1_000, Happening::Open)]), 0.0);
    assert_eq!(
        seconds(&[
            ("a", 1_000, Happening::Open),
            ("a", 3_500, Happening::Undo),
            ("a", 4_000, Happening::Submit)
        ]),
        3.0
    );
}

#[test]
fn a_gap_of_a_minute_counts_and_a_longer_one_does_not() {
    assert_eq!(seconds(&[("a", 0, Happening::Open), ("a", 60_000, Happening::Undo)]), 60.0);
    assert_eq!(
        seconds(&[("a", 0, Happening::Open), ("a", 60_001, Happening::Undo), ("a", 61_001, Happening::Undo)]),
        1.0
    );
}

#[test]
fn idle_time_is_taken_off() {
    let idle = |seconds| Happening::Idle { seconds };
    assert_eq!(
        seconds(&[("a", 0, Happening::Open), ("a", 100_000, idle(90.0)), ("a", 101_000, Happening::Undo)]),
        11.0
    );
    // More idle time than there was time, or none that can be said, takes nothing off other time.
    for nonsense in [1e300, f64::INFINITY, f64::NAN, -5.0, 101.0] {
        let worked = seconds(&[
            ("a", 0, Happening::Open),
            ("a", 100_000, idle(nonsense)),
            ("a", 101_000, Happening::Undo),
        ]);
        assert_eq!(worked, 1.0, "{nonsense}");
    }
}

#[test]
fn nothing_counts_between_pause_and_resume_or_close_and_open() {
    for (stop, go) in [(Happening::Pause, Happening::Resume), (Happening::Close, Happening::Open)] {
        let events = [
            ("a", 0, Happening::Open),
            ("a", 2_000, stop),
            ("a", 12_000, go),
            ("a", 13_000, Happening::Undo),
        ];
        assert_eq!(seconds(&events), 3.0);
    }
}

#[test]
fn each_window_has_a_clock_of_its_own() {
    let events = [
        ("a", 0, Happening::Open),
        ("b", 1_000, Happening::Open),
        ("a", 2_000, Happening::Pause),
        ("b", 4_000, Happening::Undo),
        ("a", 5_000, Happening::Resume),
    ];
    assert_eq!(seconds(&events), 2.0 + 3.0);
}

#[test]
fn a_clock_that_is_set_back_counts_nothing_and_goes_on_from_there() {
    assert_eq!(
        seconds(&[
            ("a", 9_000, Happening::Open),
            ("a", 1_000, Happening::Undo),
            ("a", 3_000, Happening::Undo)
        ]),
        2.0
    );
}

proptest! {
    #[test]
    fn time_is_never_negative_nor_more_than_a_minute_for_an_event(
        events in prop::collection::vec((0..3u8, crate::anything::event()), 0..30),
    ) {
        let mut history = History::new(crate::anything::tokens());
        for (window, event) in &events {
            let before = history.work().seconds;
            let _ = history.push_from(&window.to_string(), event);
            prop_assert!((0.0..=60.0).contains(&(history.work().seconds - before)));
        }
    }
}
