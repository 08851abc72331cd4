//! Which model suggests: chosen on the command line and on the page, remembered, and told of.

use crate::served::{Person, Served, event, folder, try_open};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Lines};
use std::net::TcpStream;
use std::path::Path;
use treelet::watch::Unwatched;

const VILLAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/demo/village.conllu");
const TREES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/demo/village-train.mrg");

/// What a window hears of.
struct Heard(Lines<BufReader<TcpStream>>);

impl Heard {
    fn new(served: &Served, person: &Person) -> Self {
        let stream = person.request("GET", "/api/stream").open(served.address);
        let mut lines = BufReader::new(stream).lines();
        assert!(lines.any(|line| line.unwrap().is_empty()));
        Self(lines)
    }

    /// The next model that is as it should be.
    fn model(&mut self, is_it: impl Fn(&Value) -> bool) -> Value {
        loop {
            assert!(self.0.any(|line| line.unwrap().trim_end() == "event: trained"));
            let data = self.0.next().unwrap().unwrap();
            let learned: Value = serde_json::from_str(data.strip_prefix("data: ").unwrap()).unwrap();
            if is_it(&learned) {
                return learned;
            }
        }
    }
}

/// Trains what is asked for on the demo corpus.
fn call(name: &str, options: &Value) {
    treelet::call(name, options.as_object().unwrap(), &Unwatched).unwrap();
}

fn parser(folder: &Path) -> String {
    let path = folder.join("parser.treelet").to_str().unwrap().to_string();
    call("train dependency", &json!({"files": [VILLAGE], "output": path, "epochs": 1}));
    path
}

#[test]
fn another_model_can_be_chosen_on_the_page_and_stays_chosen() {
    let folder = folder();
    let project = folder.path().join("demo.treelet-project");
    let served = Served::new(&project, &["--demo", "--annotator", "Ana"]);
    let (person, ana) = (served.person(0), served.person(1));
    let mut heard = Heard::new(&served, &person);
    let choose = |model: &str| person.send("PUT", "/api/settings", &json!({"model": model}));
    assert_eq!(person.get("/api/project").expect(200)["settings"]["model"], "convexmst");
    assert_eq!(choose("gpc").expect(200)["settings"]["model"], "gpc");
    let learned = heard.model(|learned| learned["kind"] == "GPC");
    assert_eq!((&learned["trained_on"], &learned["calibrated"]), (&json!(0), &json!(false)));
    assert_eq!(person.get("/api/project").expect(200)["model"]["kind"], "GPC");
    let view = person.view(2);
    assert_eq!((&view["model"]["kind"], &view["model"]["calibrated"]), (&json!("GPC"), &json!(false)));
    assert_eq!(view["model"]["calibrated_relations"], Value::Null, "nobody has said a relation");
    assert!(view["words"].as_array().unwrap().iter().all(|word| word["suggested"].is_object()), "{view}");
    // There is no file, and no such model; and it is not for everybody to say.
    let refused = choose("file").expect(400);
    assert!(refused["error"].as_str().unwrap().contains("--model"), "{refused}");
    choose("hmm").expect(400);
    ana.send("PUT", "/api/settings", &json!({"model": "convexmst"})).expect(403);
    served.end();
    let served = Served::new(&project, &[]);
    let settings = &served.person(0).get("/api/project").expect(200)["settings"];
    assert_eq!(settings["model"], "gpc");
    served.end();
    let served = Served::new(&project, &["--method", "convexmst"]);
    assert_eq!(served.person(0).get("/api/project").expect(200)["settings"]["model"], "convexmst");
}

#[test]
fn a_parser_suggests_relations_and_what_is_accepted_is_taken_back_in_one_step() {
    let folder = folder();
    let (project, parser) = (folder.path().join("demo.treelet-project"), parser(folder.path()));
    let served = Served::new(&project, &["--demo", "--model", &parser]);
    let person = served.person(0);
    let overview = person.get("/api/project").expect(200);
    assert_eq!(
        (&overview["settings"]["model"], &overview["model_file"]),
        (&json!("file"), &json!("parser.treelet"))
    );
    assert!(
        !overview.to_string().contains(folder.path().to_str().unwrap()),
        "where it lies is nobody's business"
    );
    let view = person.view(1);
    assert_eq!(view["model"]["file"], "parser.treelet");
    let shown = view["words"][0]["suggested"].clone();
    let (relation, p) = (shown["relation"].as_str().unwrap(), shown["relation_p"].as_f64().unwrap());
    assert!((0.0..=1.0).contains(&p));
    let accepted = json!({"of": 1, "to": shown["head"], "relation": relation, "p": shown["p"]});
    let edit = json!({"n": 1, "at": 1, "kind": "edit", "via": "suggestion", "changes": [{"accept": {"heads": [accepted]}}]});
    let now = person.post(1, 0, "a", &[edit]).expect(200);
    let word = &now["words"][0];
    assert_eq!(
        (&word["head"], &word["relation"], &word["suggested"]),
        (&shown["head"], &json!(relation), &Value::Null)
    );
    let back = person.post(1, 1, "a", &[event(2, "undo")]).expect(200);
    let word = &back["words"][0];
    assert_eq!((&word["head"], &word["relation"], &word["suggested"]), (&Value::Null, &Value::Null, &shown));
    // Without labels there are no relations.
    person.send("PUT", "/api/settings", &json!({"labels": false})).expect(200);
    let view = person.view(1);
    assert_eq!(view["words"][0]["suggested"]["relation"], Value::Null);
    assert_eq!(
        (&view["words"][0]["suggested"]["p"], &view["model"]["calibrated_relations"]),
        (&shown["p"], &Value::Null)
    );
}

/// What is suggested for each word: a head and how probable it is.
fn suggested(view: &Value) -> Vec<Option<(i64, f64)>> {
    let head = |word: &Value| {
        let suggested = &word["suggested"];
        Some((suggested["head"].as_i64()?, suggested["p"].as_f64().unwrap()))
    };
    view["words"].as_array().unwrap().iter().map(head).collect()
}

#[test]
fn every_model_that_knows_heads_suggests_and_keeps_what_was_said() {
    let folder = folder();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    call("induce dmv", &json!({"files": [VILLAGE], "output": file("dmv"), "passes": 2}));
    let phrases = json!({"file": TREES, "output": file("phrases"), "annotations": 2, "chains": 1, "burn_in": 3, "samples": 3});
    call("train constituency", &phrases);
    let joint = |name: &str, task: &str, mode: &str| {
        let options =
            json!({"train": [VILLAGE], "output": file(name), "epochs": 1, "task": task, "mode": mode});
        call("joint train", &options);
    };
    joint("arcs", "dependency", "supervised");
    joint("tags", "tagging", "joint");
    for (model, kind) in [
        ("dmv", "DMV"),
        ("phrases", "constituency parser"),
        ("arcs", "joint parser"),
        ("tags", "joint tagger"),
    ] {
        let project = folder.path().join(format!("{model}.treelet-project"));
        let served = Served::new(&project, &["--demo", "--model", &file(model)]);
        let person = served.person(0);
        let view = person.view(1);
        let told = (&view["model"]["kind"], &view["model"]["file"], &view["model"]["calibrated"]);
        assert_eq!(told, (&json!(kind), &json!(model), &json!(false)));
        let before = suggested(&view);
        assert!(before.iter().flatten().all(|(_, p)| *p > 0.0 && *p <= 1.0), "{before:?}");
        let n_words = before.len() as i64;
        let (head, _) = before[0].unwrap();
        // The first word has another head than was suggested, and the last not the one that was.
        let other = (0..=n_words).rev().find(|&other| other != head && other != 1).unwrap();
        let (last, _) = before.last().unwrap().unwrap();
        let changes =
            json!([{"head": {"of": 1, "to": other}}, {"forbid": {"of": n_words, "to": last, "is": true}}]);
        let edit = json!({"n": 1, "at": 1, "kind": "edit", "via": "mouse", "changes": changes});
        let after = person.post(1, 0, "a", &[edit]).expect(200);
        assert_eq!(
            (&after["words"][0]["head"], &after["words"][0]["suggested"]),
            (&json!(other), &Value::Null)
        );
        let now = suggested(&after);
        assert!(now[1..].iter().all(Option::is_some), "{model}: {now:?}");
        assert_ne!(now.last().unwrap().unwrap().0, last, "{model}");
        let alternatives = after["words"][n_words as usize - 1]["alternatives"].as_array().unwrap();
        assert!(alternatives.iter().all(|one| one["head"] != json!(last)), "{model}: {alternatives:?}");
    }
}

#[test]
fn a_file_is_used_again_and_something_else_where_it_is_gone() {
    let folder = folder();
    let (project, parser) = (folder.path().join("demo.treelet-project"), parser(folder.path()));
    Served::new(&project, &["--demo", "--model", &parser]).end();
    let is_there = |learned: &Value| learned["error"].is_null();
    {
        let served = Served::new(&project, &[]);
        let person = served.person(0);
        let mut heard = Heard::new(&served, &person);
        // One that is chosen again is learned again, if only to be told of.
        person.send("PUT", "/api/settings", &json!({"model": "convexmst"})).expect(200);
        heard.model(|learned| learned["kind"] == "ConvexMST");
        person.send("PUT", "/api/settings", &json!({"model": "file"})).expect(200);
        let learned = heard.model(|learned| learned["file"] == "parser.treelet");
        assert_eq!(learned["kind"], "dependency parser");
        assert_eq!(learned["changed"]["sentences"], json!(10));
    }
    std::fs::remove_file(&parser).unwrap();
    let served = Served::new(&project, &[]);
    let person = served.person(0);
    let mut heard = Heard::new(&served, &person);
    person.request("POST", "/api/train").send(served.address).expect(200);
    let learned = heard.model(is_there);
    assert_eq!((&learned["kind"], &learned["file"]), (&json!("ConvexMST"), &Value::Null));
    assert!(learned["instead"].as_str().unwrap().contains("parser.treelet"), "{learned}");
    assert!(!learned.to_string().contains(folder.path().to_str().unwrap()), "{learned}");
    assert_eq!(person.get("/api/project").expect(200)["settings"]["model"], "file", "it may come back");
}

#[test]
fn what_cannot_complete_trees_is_refused_before_anything_is_served() {
    let folder = folder();
    let project = folder.path().join("demo.treelet-project");
    let refused = |arguments: &[&str]| {
        let arguments = [&["--demo"], arguments].concat();
        format!("{:#}", try_open(&project, &arguments).map(drop).unwrap_err())
    };
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let pcfg = file("pcfg.treelet");
    call("induce pcfg", &json!({"files": [VILLAGE], "output": pcfg, "passes": 1, "nonterminals": 2}));
    let said = refused(&["--model", &pcfg]);
    assert!(said.contains("pcfg") && said.contains("train dependency"), "{said}");
    assert!(refused(&["--model", &file("nothing.treelet")]).contains("nothing.treelet"));
    std::fs::write(file("text.treelet"), "no model").unwrap();
    assert!(refused(&["--model", &file("text.treelet")]).contains("text.treelet"));
    assert!(refused(&["--model", &pcfg, "--method", "gpc"]).contains("--method"));
    std::fs::write(file("tags.tsv"), "one two three four\n").unwrap();
    assert!(refused(&["--tag-map", &file("tags.tsv")]).contains("line 1"));
    assert!(!project.exists(), "nothing was begun");
}
