//! Several annotators.

use crate::served::{Served, event, folder, head};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Ana and Bo besides whoever opened the project.
const TWO: [&str; 4] = ["--annotator", "Ana", "--annotator", "Bo"];

fn demo(folder: &std::path::Path, more: &[&str]) -> Served {
    let arguments = [&["--demo"], &TWO[..], more].concat();
    Served::new(&folder.join("demo.treelet-project"), &arguments)
}

#[test]
fn who_works_blind_sees_only_herself() {
    let folder = folder();
    let served = demo(folder.path(), &[]);
    let [first, ana, bo] = [0, 1, 2].map(|person| served.person(person));
    bo.post(1, 0, "bo", &[head(1, 1, 2), event(2, "submit")]).expect(200);
    let project = ana.get("/api/project").expect(200);
    assert_eq!(project["annotator"]["name"], "Ana");
    let names = |project: &Value| -> Vec<String> {
        project["annotators"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["name"].as_str().unwrap().into())
            .collect()
    };
    assert_eq!(names(&project), ["Ana"]);
    assert_eq!(names(&first.get("/api/project").expect(200)), ["", "Ana", "Bo"]);
    for path in [
        "/api/agreement",
        "/api/adjudicate",
        "/api/adjudicate/1",
        "/api/export?format=conllu",
        "/api/export?format=questions",
    ] {
        let answer = ana.get(path).expect(403);
        assert_eq!(answer["code"], "not-yours", "{path}");
        assert_eq!(first.get(path).status, 200, "{path}");
    }
    let body = json!({"base": 0, "tab": "ana", "events": [event(1, "open")]});
    assert_eq!(ana.send("POST", "/api/adjudicate/1/events", &body).status, 403);
    // She cannot open her own eyes either.
    assert_eq!(ana.send("PUT", "/api/settings", &json!({"blind": false})).status, 403);
    assert_eq!(ana.get("/api/project").expect(200)["settings"]["blind"], json!(true));
    // Nor does anything of what another said show in a sentence.
    let view = ana.view(1);
    assert_eq!(
        (view["version"].clone(), view["submitted"].clone(), ana.n_events(1)),
        (json!(0), json!(false), 0)
    );
}

#[test]
fn no_answer_holds_a_token() {
    let folder = folder();
    let served = demo(folder.path(), &[]);
    let first = served.person(0);
    for path in [
        "/api/project",
        "/api/sentences",
        "/api/sentences/1",
        "/api/agreement",
        "/api/adjudicate",
        "/api/adjudicate/1",
        "/api/export?format=conllu",
        "/api/export?format=html",
        "/api/export?format=json",
        "/",
    ] {
        let answer = first.get(path);
        assert_eq!(answer.status, 200, "{path}");
        let text = answer.text();
        assert!((0..3).all(|person| !text.contains(served.token(person))), "{path}");
    }
}

#[test]
fn each_has_a_section_and_all_have_what_is_common() {
    let folder = folder();
    let served = demo(folder.path(), &["--common", "0.4"]);
    let [first, ana, bo] = [0, 1, 2].map(|person| served.person(person));
    let all: BTreeSet<i64> = first.ids().into_iter().collect();
    let [hers, his] = [&ana, &bo].map(|person| person.ids().into_iter().collect::<BTreeSet<i64>>());
    assert_eq!(all.len(), 10);
    assert_eq!(hers.union(&his).copied().collect::<BTreeSet<i64>>(), all);
    assert_eq!(hers.intersection(&his).count(), 4);
    assert_eq!((hers.len(), his.len()), (7, 7));
    for (person, mine) in [(&ana, &hers), (&bo, &his), (&first, &all)] {
        assert_eq!(person.get("/api/project").expect(200)["n_sentences"], json!(mine.len()));
        let next = person.get("/api/next?order=order").expect(200)["id"].as_i64().unwrap();
        assert!(mine.contains(&next));
    }
    let sections = first.get("/api/project").expect(200)["sections"].clone();
    let common: Vec<(bool, i64)> = sections
        .as_array()
        .unwrap()
        .iter()
        .map(|section| (section["common"].as_bool().unwrap(), section["n_sentences"].as_i64().unwrap()))
        .collect();
    assert_eq!(common, [(true, 4), (false, 3), (false, 3)]);
}

#[test]
fn somebody_who_is_let_in_again_keeps_her_address() {
    let folder = folder();
    let first = demo(folder.path(), &[]);
    let tokens: Vec<String> = (0..3).map(|person| first.token(person).to_string()).collect();
    assert_eq!(tokens.iter().collect::<BTreeSet<_>>().len(), 3);
    first.end();
    let again = Served::new(
        &folder.path().join("demo.treelet-project"),
        &["--annotator", "Ana", "--annotator", "Cy"],
    );
    assert_eq!(again.people.len(), 4);
    assert_eq!((0..3).map(|person| again.token(person).to_string()).collect::<Vec<_>>(), tokens);
}

#[test]
fn what_is_made_of_two_analyses_is_what_is_written_out() {
    let folder = folder();
    let served = demo(folder.path(), &[]);
    let [first, ana, bo] = [0, 1, 2].map(|person| served.person(person));
    ana.post(1, 0, "ana", &[head(1, 1, 2), head(2, 2, 3)]).expect(200);
    bo.post(1, 0, "bo", &[head(1, 1, 3), head(2, 2, 3)]).expect(200);
    let disputed = first.get("/api/adjudicate").expect(200);
    assert_eq!(disputed["sentences"], json!([{"id": 1, "text": "The dog barks.", "n_different": 1}]));
    let dispute = first.get("/api/adjudicate/1").expect(200);
    assert_eq!(dispute["differences"], json!([1]));
    let base = dispute["merged"]["version"].as_u64().unwrap();
    let agreement = first.get("/api/agreement").expect(200);
    assert_eq!(agreement["measures"][0]["value"], json!(0.5));
    assert_eq!(
        (agreement["rows"][0]["one"].clone(), agreement["rows"][0]["other"].clone()),
        (json!("Ana"), json!("Bo"))
    );
    let events = [head(1, 1, 2), head(2, 2, 3), head(3, 3, 0), event(4, "submit")];
    let body = json!({"base": base, "tab": "first", "events": events});
    first.send("POST", "/api/adjudicate/1/events", &body).expect(200);
    assert_eq!(first.send("POST", "/api/adjudicate/1/events", &body).expect(200)["version"], json!(base + 4));
    let stale = json!({"base": base, "tab": "second", "events": [head(1, 1, 3)]});
    let answer = first.send("POST", "/api/adjudicate/1/events", &stale).expect(409);
    assert_eq!(answer["view"]["version"], json!(base + 4));
    let written = first.get("/api/export?format=conllu").text();
    assert_eq!(written.matches("# text = The dog barks.\n").count(), 1);
    assert!(written.contains("# annotator = merged\n"));
    // What they said themselves has not changed.
    assert_eq!(bo.view(1)["words"][0]["head"], json!(3));
}
