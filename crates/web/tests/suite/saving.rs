//! What was answered is kept; what was refused leaves nothing behind.

use crate::served::{Served, edit, event, folder, head, heads};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::sync::atomic::{AtomicBool, Ordering};

#[test]
fn the_same_event_sent_twice_is_stored_once_and_answered_alike() {
    let folder = folder();
    let served = Served::small(folder.path());
    let person = served.person(0);
    let first = person.post(1, 0, "a", &[head(1, 1, 3)]).expect(200);
    let again = person.post(1, 0, "a", &[head(1, 1, 3)]).expect(200);
    assert_eq!(first, again);
    assert_eq!((first["version"].clone(), person.n_events(1)), (json!(1), 1));
    // In other words, too: the number says what is the same.
    assert_eq!(person.post(1, 0, "a", &[head(1, 2, 3)]).expect(200), first);
    // Another window counts for itself.
    assert_eq!(person.post(1, 1, "b", &[head(1, 2, 3)]).expect(200)["version"], json!(2));
}

#[test]
fn an_event_that_stands_twice_in_a_batch_counts_once() {
    let folder = folder();
    let served = Served::small(folder.path());
    let now = served.person(0).post(1, 0, "a", &[head(1, 1, 3), head(1, 2, 3)]).expect(200);
    served.end();
    // What is folded from the disk is what was answered.
    let served = Served::new(&folder.path().join("small.treelet-project"), &[]);
    let again = served.person(0).view(1);
    assert_eq!((&now["version"], heads(&now)), (&json!(1), heads(&again)));
    assert_eq!(again["version"], now["version"]);
}

#[test]
fn a_batch_that_was_half_heard_is_taken_on_its_old_base() {
    let folder = folder();
    let served = Served::small(folder.path());
    let person = served.person(0);
    person.post(1, 0, "a", &[head(1, 1, 3), head(2, 2, 3)]).expect(200);
    let view = person
        .post(1, 0, "a", &[head(1, 1, 3), head(2, 2, 3), head(3, 3, 4), event(4, "submit")])
        .expect(200);
    assert_eq!(heads(&view), [json!(3), json!(3), json!(4), Value::Null]);
    assert_eq!(
        (view["version"].clone(), view["submitted"].clone(), person.n_events(1)),
        (json!(4), json!(true), 4)
    );
}

#[test]
fn events_of_another_window_are_not_written_over() {
    let folder = folder();
    let served = Served::small(folder.path());
    let person = served.person(0);
    person.post(1, 0, "a", &[head(1, 1, 3)]).expect(200);
    let answer = person.post(1, 0, "b", &[head(1, 1, 2), event(2, "submit")]).expect(409);
    assert_eq!(answer["code"], "changed-elsewhere");
    assert_eq!((answer["view"]["version"].clone(), heads(&answer["view"])[0].clone()), (json!(1), json!(3)));
    assert_eq!(answer["view"], person.view(1));
    assert_eq!(person.n_events(1), 1);
    // A version that is yet to come is no better.
    assert_eq!(person.post(1, 2, "a", &[head(2, 2, 3)]).status, 409);
    // Who has seen it may go on, and then the first window may not.
    person.post(1, 1, "b", &[head(1, 1, 2)]).expect(200);
    assert_eq!(person.post(1, 1, "a", &[head(2, 2, 3)]).status, 409);
    for kind in ["undo", "redo", "submit", "skip", "reopen"] {
        assert_eq!(person.post(1, 0, "c", &[event(1, kind)]).status, 409, "{kind}");
    }
}

#[test]
fn sentences_and_slots_have_versions_of_their_own() {
    let folder = folder();
    let served = Served::small(folder.path());
    let person = served.person(0);
    person.post(1, 0, "a", &[head(1, 1, 3)]).expect(200);
    assert_eq!(person.post(2, 0, "b", &[head(1, 1, 2)]).expect(200)["version"], json!(1));
    let body = json!({"slot": 1, "base": 0, "tab": "c", "events": [head(1, 1, 4)]});
    let other = person.send("POST", "/api/sentences/1/events", &body).expect(200);
    assert_eq!((other["slot"].clone(), heads(&other)[0].clone()), (json!(1), json!(4)));
    assert_eq!(heads(&person.view(1))[0], json!(3));
    assert_eq!(heads(&person.get("/api/sentences/1?slot=1").expect(200))[0], json!(4));
    for slot in [-1, 2, i64::MAX] {
        let body = json!({"slot": slot, "base": 0, "tab": "d", "events": [head(1, 1, 4)]});
        assert_eq!(person.send("POST", "/api/sentences/1/events", &body).status, 404);
    }
}

#[test]
fn a_refused_edit_takes_everything_sent_with_it_along() {
    let folder = folder();
    let served = Served::small(folder.path());
    let person = served.person(0);
    let before = person.post(1, 0, "a", &[head(1, 1, 3)]).expect(200);
    let events =
        [event(2, "open"), head(3, 2, 3), edit(4, json!([{"head": {"of": 3, "to": 1}}])), event(5, "submit")];
    let answer = person.post(1, 1, "a", &events).expect(422);
    assert_eq!((answer["code"].clone(), answer["n"].clone()), (json!("refused"), json!(4)));
    assert!(answer["error"].as_str().unwrap().contains("would belong to itself"));
    assert_eq!((&answer["view"], person.n_events(1)), (&before, 1));
    assert_eq!(person.view(1), before);
    // One edit is made as a whole or not at all.
    let half = edit(6, json!([{"head": {"of": 2, "to": 3}}, {"head": {"of": 9, "to": 3}}]));
    assert_eq!(person.post(1, 1, "a", &[half]).status, 422);
    assert_eq!(person.view(1), before);
}

#[test]
fn clocks_never_disagree_and_never_make_a_version() {
    let folder = folder();
    let served = Served::small(folder.path());
    let person = served.person(0);
    person.post(1, 0, "a", &[head(1, 1, 3)]).expect(200);
    let clocks = [
        event(1, "open"),
        event(2, "pause"),
        event(3, "resume"),
        json!({"n": 4, "at": 4_000, "kind": "idle", "seconds": 1}),
        json!({"n": 5, "at": 5_000, "kind": "shown", "p": {"1": 0.5}}),
        json!({"n": 6, "at": 6_000, "kind": "refused", "word": 1, "head": 2}),
        event(7, "close"),
    ];
    for (one, base) in clocks.iter().zip([0, 0, 1, 7, 0, 99, 0]) {
        assert_eq!(
            person.post(1, base, "b", std::slice::from_ref(one)).expect(200)["version"],
            json!(1),
            "{one}"
        );
    }
    assert_eq!(person.n_events(1), 8);
    assert_eq!(person.view(1)["seconds"], json!(4.0 - 1.0 + 1.0));
}

#[test]
fn nothing_to_undo_or_redo_is_no_harm() {
    let folder = folder();
    let served = Served::small(folder.path());
    let person = served.person(0);
    let before = person.view(1);
    let view = person.post(1, 0, "a", &[event(1, "undo"), event(2, "redo")]).expect(200);
    for part in ["words", "brackets", "gfl", "can_undo", "can_redo"] {
        assert_eq!(view[part], before[part]);
    }
}

#[test]
fn requests_without_sense_are_answered_with_a_sentence() {
    let folder = folder();
    let served = Served::small(folder.path());
    let person = served.person(0);
    let many: Vec<Value> = (1..=2_001).map(|n| event(n, "open")).collect();
    let bodies = [
        (400, "null".to_string()),
        (400, String::new()),
        (400, "{".to_string()),
        (400, "[".repeat(100_000)),
        (400, json!({"base": 0, "tab": "a"}).to_string()),
        (400, json!({"base": -1, "tab": "a", "events": []}).to_string()),
        (400, json!({"base": 0, "tab": "", "events": []}).to_string()),
        (400, json!({"base": 0, "tab": "a".repeat(65), "events": []}).to_string()),
        (400, json!({"base": 0, "tab": "a", "events": [event(1, "dance")]}).to_string()),
        (400, json!({"base": 0, "tab": "a", "events": [edit(1, json!([{"dance": 1}]))]}).to_string()),
        (400, json!({"base": 0, "tab": "a", "events": many}).to_string()),
        (
            422,
            json!({"base": 0, "tab": "a", "events": [{"n": 1, "at": 0, "kind": "stage", "stage": 5}]})
                .to_string(),
        ),
    ];
    for (status, body) in bodies {
        let request = person.request("POST", "/api/sentences/1/events").body(body.clone());
        let answer = request.send(served.address).expect(status);
        assert!(!answer["error"].as_str().unwrap().is_empty() && answer["code"].is_string(), "{body}");
    }
    assert_eq!(person.n_events(1), 0);
    for path in ["/api/sentences/99", "/api/sentences/-1", "/api/adjudicate/99"] {
        assert_eq!(person.get(path).expect(404)["code"], "missing", "{path}");
    }
    assert_eq!(person.post(99, 0, "a", &[event(1, "open")]).status, 404);
    for (body, status) in
        [(json!({"threshold": 2}), 400), (json!({"colour": "red"}), 400), (json!({"threshold": 0.5}), 200)]
    {
        assert_eq!(person.send("PUT", "/api/settings", &body).status, status, "{body}");
    }
    assert_eq!(person.get("/api/project").expect(200)["settings"]["threshold"], json!(0.5));
}

#[test]
fn the_past_can_be_looked_at_step_by_step() {
    let folder = folder();
    let served = Served::small(folder.path());
    let person = served.person(0);
    let events = [event(1, "open"), head(2, 1, 3), head(3, 2, 3), event(4, "undo"), event(5, "submit")];
    person.post(1, 0, "a", &events).expect(200);
    let history = person.get("/api/sentences/1/history").expect(200);
    let kinds: Vec<&str> =
        history["events"].as_array().unwrap().iter().map(|one| one["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["open", "edit", "edit", "undo", "submit"]);
    let said = |n: usize| {
        let view = person.get(&format!("/api/sentences/1/history/{n}")).expect(200);
        assert_eq!(view["read_only"], json!(true));
        heads(&view).iter().filter(|head| !head.is_null()).count()
    };
    assert_eq!([0, 1, 2, 3, 4, 5, 99].map(said), [0, 0, 1, 2, 1, 1, 1]);
}

#[test]
fn two_thousand_requests_in_a_row_are_all_answered() {
    let folder = folder();
    let served = Served::small(folder.path());
    let person = served.person(0);
    for n in 1..=2_000u64 {
        let answer = match n % 20 {
            0 => person.post(1, 0, "a", &[head(n, 1, if n % 40 == 0 { 3 } else { 2 })]),
            1..=9 => person.get("/api/sentences/2"),
            10..=15 => person.get("/api/sentences"),
            _ => person.get("/assets/app.js"),
        };
        assert_eq!(answer.status, 200, "{n}");
    }
    assert_eq!(person.view(1)["version"], json!(100));
}

#[test]
fn other_windows_are_told_what_was_changed() {
    let folder = folder();
    let served = Served::small(folder.path());
    let person = served.person(0);
    let stream = person.request("GET", "/api/stream").open(served.address);
    let mut lines = BufReader::new(stream).lines().map(Result::unwrap);
    assert!(lines.any(|line| line.eq_ignore_ascii_case("content-type: text/event-stream")));
    assert!(lines.any(|line| line.is_empty()));
    person.post(1, 0, "a", &[head(1, 1, 3)]).expect(200);
    assert!(lines.any(|line| line.trim_end() == "event: changed"));
    let told: Value = serde_json::from_str(lines.next().unwrap().strip_prefix("data: ").unwrap()).unwrap();
    assert_eq!(
        (told["sentence"].clone(), told["version"].clone(), told["tab"].clone()),
        (json!(1), json!(1), json!("a"))
    );
}

#[test]
fn whatever_was_answered_is_there_after_the_server_was_ended_in_the_middle() {
    let folder = folder();
    let project = folder.path().join("small.treelet-project");
    let mut served = Some(Served::small(folder.path()));
    let mut answered = 0;
    for round in 0..3u64 {
        let server = served.take().unwrap();
        let (address, person) = (server.address, server.person(0));
        let is_over = AtomicBool::new(false);
        let tab = format!("window {round}");
        let base = person.view(1)["version"].as_u64().unwrap();
        assert_eq!(base, answered);
        let (saved, sent) = std::thread::scope(|scope| {
            let writer = scope.spawn(|| {
                let (mut saved, mut sent) = (0, 0);
                while !is_over.load(Ordering::Relaxed) {
                    sent += 1;
                    let to = if sent % 2 == 0 { 3 } else { 2 };
                    let body = json!({"base": base, "tab": tab, "events": [head(sent, 1, to)]});
                    let request = person.request("POST", "/api/sentences/1/events").body(body.to_string());
                    match request.try_send(address) {
                        Some(answer) if answer.status == 200 => saved = sent,
                        _ => break,
                    }
                }
                (saved, sent)
            });
            let reader = server.person(0);
            while reader.n_events(1) < answered as usize + 15 {}
            server.end();
            is_over.store(true, Ordering::Relaxed);
            writer.join().unwrap()
        });
        assert!(saved >= 15);
        let server = Served::new(&project, &[]);
        let person = server.person(0);
        // The one that was under way may or may not have arrived; it is sent once more, and then it is there.
        let arrived = person.n_events(1) as u64 - answered;
        assert!((saved..=sent).contains(&arrived), "{saved} {arrived} {sent}");
        let again =
            json!({"base": base, "tab": tab, "events": [head(sent, 1, if sent % 2 == 0 { 3 } else { 2 })]});
        let view = person.send("POST", "/api/sentences/1/events", &again).expect(200);
        assert_eq!(view["version"], json!(answered + sent));
        answered += sent;
        served = Some(server);
    }
}
