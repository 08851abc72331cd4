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
    let expected = json!([{"id": 1, "text": "The dog barks.", "n_different": 1, "n_other": 0, "is_merged": false, "by": []}]);
    assert_eq!(disputed["sentences"], expected);
    let dispute = first.get("/api/adjudicate/1").expect(200);
    assert_eq!(dispute["differences"], json!([1]));
    let base = dispute["merged"]["version"].as_u64().unwrap();
    let agreement = first.get("/api/agreement").expect(200);
    let pair = &agreement["pairs"][0];
    assert_eq!((pair["one"].clone(), pair["other"].clone()), (json!("Ana"), json!("Bo")));
    assert_eq!(pair["measures"][3], json!({"name": "heads", "value": 0.5, "n": 2}));
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

#[test]
fn analyses_are_made_one_by_a_vote_and_only_by_whoever_opened_the_project() {
    let folder = folder();
    let served = Served::new(
        &folder.path().join("demo.treelet-project"),
        &["--demo", "--annotator", "Ana", "--annotator", "Bo", "--annotator", "Cy"],
    );
    let first = served.person(0);
    for (person, to) in [(1, 2), (2, 2), (3, 3)] {
        let who = served.person(person);
        who.post(1, 0, "script", &[head(1, 1, to), head(2, 2, 3)]).expect(200);
        who.post(2, 0, "script", &[head(3, 1, to)]).expect(200);
        let asked = json!({"by": "majority"});
        assert_eq!(who.send("POST", "/api/adjudicate/merge", &asked).status, 403);
        assert_eq!(who.send("POST", "/api/adjudicate/1/merge", &asked).status, 403);
    }
    let one = first.send("POST", "/api/adjudicate/1/merge", &json!({"by": "dawid-skene"})).expect(200);
    assert_eq!(one["sentences"], json!([{"id": 1, "disputed": 1, "open": 0, "submitted": false}]));
    assert_eq!(
        (one["merged"]["words"][0]["head"].clone(), one["merged"]["words"][1]["head"].clone()),
        (json!(2), json!(3))
    );
    let all = first.send("POST", "/api/adjudicate/merge", &json!({"by": "majority"})).expect(200);
    assert_eq!(all["sentences"].as_array().unwrap().len(), 2);
    let listed = first.get("/api/adjudicate").expect(200);
    let merged: Vec<Value> =
        listed["sentences"].as_array().unwrap().iter().map(|one| one["is_merged"].clone()).collect();
    assert_eq!(merged, [json!(true), json!(true)]);
    let written = first.get("/api/export?format=conllu").text();
    assert!(written.contains("# annotators = Ana, Bo, Cy\n"), "{written}");
    assert_eq!(first.send("POST", "/api/adjudicate/merge", &json!({"by": "dice"})).status, 400);
    assert_eq!(first.send("POST", "/api/adjudicate/99/merge", &json!({"by": "majority"})).status, 404);
    assert_eq!(first.get("/api/agreement?words=%7B").status, 400);
}

#[test]
fn differences_in_tags_relations_and_blocks_are_listed_and_settled() {
    let folder = folder();
    let served = demo(folder.path(), &[]);
    let [first, ana, bo] = [0, 1, 2].map(|person| served.person(person));
    let edit = |changes: Value| json!({"n": 1, "at": 1, "kind": "edit", "via": "mouse", "changes": changes});
    let said = |id: u32, relation: &str, tag: &str, words: Value| {
        json!([
            {"head": {"of": 1, "to": 2, "relation": relation}},
            {"tag": {"of": 2, "is": tag}},
            {"bracket": {"id": id, "words": words, "head": 2, "label": "NP"}},
        ])
    };
    ana.post(1, 0, "ana", &[edit(said(1, "det", "NOUN", json!([1, 2])))]).expect(200);
    bo.post(1, 0, "bo", &[edit(said(5, "nsubj", "VERB", json!([2, 3])))]).expect(200);
    ana.post(2, 0, "ana", &[head(2, 1, 2)]).expect(200);
    bo.post(2, 0, "bo", &[head(2, 1, 3)]).expect(200);
    let listed = first.get("/api/adjudicate").expect(200);
    let listed: Vec<Value> = listed["sentences"].as_array().unwrap().clone();
    let figures =
        |one: &Value| [&one["id"], &one["n_different"], &one["n_other"]].map(|n| n.as_u64().unwrap());
    assert_eq!(listed.iter().map(figures).collect::<Vec<_>>(), [[2, 1, 0], [1, 0, 4]]);
    let dispute = first.get("/api/adjudicate/1").expect(200);
    assert_eq!(dispute["differences"], json!([]));
    let expected = json!([
        {"what": "relation", "words": [1]},
        {"what": "tag", "words": [2]},
        {"what": "block", "words": [1, 2]},
        {"what": "block", "words": [2, 3]},
    ]);
    assert_eq!(dispute["others"], expected);
    // What everybody says stands beside it, and what is taken is an edit like any other.
    let of = |at: usize, word: usize| &dispute["views"][at]["view"]["words"][word];
    assert_eq!((&of(0, 0)["relation"], &of(1, 1)["tag"]), (&json!("det"), &json!("VERB")));
    let changes = json!([
        {"relation": {"of": 1, "is": "det"}},
        {"tag": {"of": 2, "is": "NOUN"}},
        {"bracket": {"id": 1, "words": [1, 2], "head": 2, "label": "NP"}},
    ]);
    let base = dispute["merged"]["version"].as_u64().unwrap();
    let body = json!({"base": base, "tab": "first", "events": [edit(changes), event(2, "submit")]});
    let view = first.send("POST", "/api/adjudicate/1/events", &body).expect(200);
    assert_eq!((&view["words"][0]["relation"], &view["words"][1]["tag"]), (&json!("det"), &json!("NOUN")));
    assert_eq!(view["brackets"][0]["words"], json!([1, 2]));
    let listed = first.get("/api/adjudicate").expect(200);
    assert_eq!(listed["sentences"][1]["is_merged"], json!(true));
    let written = first.get("/api/export?format=conllu").text();
    assert!(
        written.contains("# annotators = Ana, Bo\n") && written.contains("# block = NP 1 2"),
        "{written}"
    );
}
