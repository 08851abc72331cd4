//! How long the work takes, by the times of those who do it.

use crate::served::{Served, edit, folder, sentences};
use serde_json::{Value, json};

/// Thirty sentences of four words, of which two heads are set by hand, eleven seconds for each sentence.
#[test]
fn the_thirtieth_sentence_makes_the_pace_the_projects_own() {
    let folder = folder();
    let file = sentences(folder.path(), &"the old dog sleeps\n".repeat(31));
    let project = folder.path().join("p.treelet-project");
    let served = Served::new(&project, &["--lines", "--import", file.to_str().unwrap()]);
    let person = served.person(0);
    let pace = || {
        let project = person.get("/api/project").expect(200);
        (project["pace"].clone(), project["seconds_left"].as_f64().unwrap())
    };
    let rate = |pace: &Value, name: &str| pace[name].as_f64().unwrap();
    let (before, left) = pace();
    assert_eq!(
        (&before["n_timed"], rate(&before, "per_word"), rate(&before, "per_head")),
        (&json!(0), 2.2, 12.5)
    );
    // Nothing is known of how much she will say: each word costs a head.
    assert!((left - 31.0 * 4.0 * 14.7).abs() < 1e-6, "{left}");
    for (n, id) in person.ids().into_iter().take(30).enumerate() {
        let start = 1_000_000 * n as i64;
        let at = |mut event: Value, seconds: i64| {
            event["at"] = json!(start + 1_000 * seconds);
            event
        };
        let set = edit(2, json!([{"head": {"of": 1, "to": 3}}, {"head": {"of": 2, "to": 3}}]));
        let events =
            [at(json!({"n": 1, "kind": "open"}), 0), at(set, 5), at(json!({"n": 3, "kind": "submit"}), 11)];
        person.post(id, 0, &format!("w{n}"), &events).expect(200);
    }
    let (after, left) = pace();
    assert_eq!(after["n_timed"], json!(30));
    assert!((left - 11.0).abs() < 0.5, "{left}: {after}");
    assert_eq!(rate(&after, "heads_per_word"), 0.5);
    // The same after the project was opened again.
    served.end();
    let served = Served::new(&project, &[]);
    assert_eq!(served.person(0).get("/api/project").expect(200)["pace"], after);
}
