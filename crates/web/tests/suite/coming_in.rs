//! Other projects and tables of answers come into a project.

use crate::served::{Served, edit, event, folder, head, heads, sentences, try_open};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// A project of these sentences, with its server.
fn begun(folder: &Path, name: &str, text: &str, more: &[&str]) -> (PathBuf, Served) {
    let project = folder.join(name);
    let file = sentences(folder, text);
    let arguments = [&["--lines", "--import", file.to_str().unwrap()], more].concat();
    let served = Served::new(&project, &arguments);
    served.person(0).send("PUT", "/api/settings", &json!({"suggestions": false, "blind": false})).expect(200);
    (project, served)
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// The number of somebody among those who are let in.
fn place(served: &Served, name: &str) -> usize {
    served.people.iter().position(|one| one.annotator.name == name).unwrap()
}

fn export(served: &Served, format: &str) -> String {
    served.person(0).get(&format!("/api/export?format={format}")).text()
}

const TEXT: &str = "the old dog sleeps\nshe saw a cat\n";

#[test]
fn another_project_is_brought_in_once_with_its_people_and_times() {
    let folder = folder();
    let (theirs, served) =
        begun(folder.path(), "bo.treelet-project", &format!("{TEXT}it rains\n"), &["--annotator", "Bo"]);
    let bo = served.person(1);
    bo.send("PUT", "/api/annotator", &json!({"level": "native"})).expect(200);
    bo.post(1, 0, "bo", &[event(1, "open"), head(5, 1, 3), event(9, "submit")]).expect(200);
    bo.post(3, 0, "bo", &[head(10, 1, 2)]).expect(200);
    served.end();
    let before = fs::read(&theirs).unwrap();
    let (ours, served) = begun(folder.path(), "ana.treelet-project", TEXT, &["--annotator", "Ana"]);
    served.person(1).post(1, 0, "ana", &[head(1, 1, 2)]).expect(200);
    let own = export(&served, "conllu");
    served.end();

    let served = Served::new(&ours, &["--import", text(&theirs)]);
    assert_eq!(
        served.people.iter().map(|one| one.annotator.name.as_str()).collect::<Vec<_>>(),
        ["", "Ana", "Bo"]
    );
    let bo = served.person(place(&served, "Bo"));
    assert_eq!(
        (bo.ids().len(), heads(&bo.view(1))[0].clone(), bo.view(1)["seconds"].clone()),
        (3, json!(3), json!(8.0))
    );
    assert_eq!(heads(&bo.view(3)), [json!(2), Value::Null]);
    assert_eq!(bo.get("/api/project").expect(200)["annotator"]["level"], "native");
    assert_eq!(heads(&served.person(1).view(1))[0], json!(2), "what was here is as it was");
    // The token of the other project lets nobody in here.
    let all = export(&served, "conllu");
    assert!(
        own.lines().all(|line| all.contains(line)) && all.contains("# annotator = Bo\n# seconds = 8.0"),
        "{all}"
    );
    served.end();
    let again = Served::new(&ours, &["--import", text(&theirs)]);
    assert_eq!(export(&again, "conllu"), all);
    again.end();
    // What was done there since comes after it, and only that.
    let there = Served::new(&theirs, &[]);
    there.person(1).post(1, 2, "bo", &[head(20, 2, 3)]).expect(200);
    there.end();
    let later = Served::new(&ours, &["--import", text(&theirs)]);
    let bo = later.person(place(&later, "Bo"));
    assert_eq!((heads(&bo.view(1))[..2].to_vec(), bo.n_events(1)), (vec![json!(3), json!(3)], 4));
    later.end();
    assert_ne!(fs::read(&theirs).unwrap(), before);
}

#[test]
fn the_other_file_is_only_read_even_while_it_is_worked_on() {
    let folder = folder();
    let (theirs, served) = begun(folder.path(), "bo #1?.treelet-project", TEXT, &["--annotator", "Bo"]);
    served.person(1).post(1, 0, "bo", &[head(1, 1, 3)]).expect(200);
    // What was just said lies in the log beside the file.
    let ours = folder.path().join("ours.treelet-project");
    let first = Served::new(&ours, &["--import", text(&theirs)]);
    assert_eq!(heads(&first.person(1).view(1))[0], json!(3));
    first.end();
    served.end();
    drop(try_open(&theirs, &[]).unwrap());
    let (bytes, names) = (fs::read(&theirs).unwrap(), names(folder.path()));
    let again = Served::new(&ours, &["--import", text(&theirs)]);
    assert_eq!(again.person(0).ids().len(), 2);
    again.end();
    assert_eq!(fs::read(&theirs).unwrap(), bytes);
    let of_bo =
        |names: &[String]| names.iter().filter(|name| name.starts_with("bo")).cloned().collect::<Vec<_>>();
    assert_eq!(of_bo(&self::names(folder.path())), of_bo(&names));
}

fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|one| one.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

#[test]
fn who_did_different_things_in_both_has_both() {
    let folder = folder();
    let (ours, served) = begun(folder.path(), "ours.treelet-project", TEXT, &["--annotator", "Ana"]);
    served.person(1).post(1, 0, "first", &[head(1, 1, 3)]).expect(200);
    served.end();
    drop(try_open(&ours, &[]).unwrap());
    // Both go on from the same file.
    let copy = folder.path().join("copy.treelet-project");
    fs::copy(&ours, &copy).unwrap();
    for (project, to) in [(&ours, 3), (&copy, 4)] {
        let served = Served::new(project, &[]);
        served.person(1).post(1, 1, "first", &[head(2, 2, to)]).expect(200);
        served.person(1).post(2, 0, "first", &[head(3, 1, 2)]).expect(200);
        served.end();
    }
    for _ in 0..2 {
        let served = Served::new(&ours, &["--import", text(&copy)]);
        let ana = served.person(1);
        assert_eq!(heads(&ana.view(1))[..2], [json!(3), json!(3)]);
        // What is the same in both is there once.
        assert_eq!((ana.n_events(1), ana.n_events(2)), (2, 1));
        let all = export(&served, "conllu");
        let counted = |line: &str| all.lines().filter(|other| *other == line).count();
        assert_eq!((counted("# annotator = Ana"), counted("# annotator = Ana of copy")), (2, 1), "{all}");
        assert!(all.contains("1\tthe\t_\t_\t_\t_\t3\t_\t_\t_\n2\told\t_\t_\t_\t_\t4\t_\t_\t_\n"), "{all}");
        // Nobody is let in under that name.
        assert_eq!(served.people.len(), 2);
        served.end();
    }
}

#[test]
fn who_has_no_name_must_be_given_one() {
    let folder = folder();
    let (theirs, served) = begun(folder.path(), "theirs.treelet-project", TEXT, &[]);
    served.person(0).post(1, 0, "x", &[head(1, 1, 3)]).expect(200);
    served.end();
    let ours = folder.path().join("ours.treelet-project");
    drop(try_open(&ours, &["--annotator", "Eva"]).unwrap());
    let reason = format!("{:#}", try_open(&ours, &["--import", text(&theirs)]).err().unwrap());
    assert!(reason.contains("--as NAME"), "{reason}");
    let served = Served::new(&ours, &["--import", text(&theirs), "--as", "Cem"]);
    assert_eq!(heads(&served.person(place(&served, "Cem")).view(1))[0], json!(3));
    served.end();
    let reason = format!("{:#}", try_open(&ours, &["--import", text(&ours)]).err().unwrap());
    assert!(reason.contains("is the project itself"), "{reason}");
    let mut newer = fs::read(&theirs).unwrap();
    newer[63] = 99;
    let path = folder.path().join("newer.treelet-project");
    fs::write(&path, newer).unwrap();
    let reason = format!("{:#}", try_open(&ours, &["--import", text(&path)]).err().unwrap());
    assert!(
        reason.contains("newer.treelet-project: this project was written by a newer Treelet"),
        "{reason}"
    );
}

#[test]
fn several_analyses_that_were_made_one_do_not_hide_what_others_said() {
    let folder = folder();
    let (theirs, served) =
        begun(folder.path(), "theirs.treelet-project", TEXT, &["--annotator", "Bo", "--annotator", "Cem"]);
    for (person, to) in [(1, 3), (2, 4)] {
        served.person(person).post(1, 0, "x", &[head(1, 1, to)]).expect(200);
    }
    let begun_with = served.person(0).get("/api/adjudicate/1").expect(200)["merged"]["version"].clone();
    let merged = json!({"base": begun_with, "tab": "m", "events": [head(1, 1, 2), event(2, "submit")]});
    served.person(0).send("POST", "/api/adjudicate/1/events", &merged).expect(200);
    served.end();
    let empty = Served::new(&folder.path().join("empty.treelet-project"), &["--import", text(&theirs)]);
    assert!(export(&empty, "conllu").contains("# annotator = merged\n"));
    empty.end();
    let (ours, served) = begun(folder.path(), "ours.treelet-project", TEXT, &["--annotator", "Ana"]);
    served.person(1).post(1, 0, "y", &[head(1, 2, 3)]).expect(200);
    served.end();
    let served = Served::new(&ours, &["--import", text(&theirs)]);
    let all = export(&served, "conllu");
    for name in ["Ana", "Bo", "Cem", "merged of theirs"] {
        assert!(all.contains(&format!("# annotator = {name}\n")), "{name}: {all}");
    }
}

#[test]
fn answers_in_a_table_become_heads_once() {
    let folder = folder();
    let (project, served) = begun(folder.path(), "p.treelet-project", TEXT, &["--annotator", "Ana"]);
    served.person(1).post(1, 0, "x", &[edit(1, json!([{"head": {"of": 3, "to": 4}}]))]).expect(200);
    served.end();
    let table = folder.path().join("questions.csv");
    let rows = [
        "sentence;word;form;text;choices;answer",
        "1;1;the;the old dog sleeps;2=old (0.8); 3=dog (0.1);dog",
        "1;1;the;\"the old dog sleeps\";\"2=old (0.8); 3=dog (0.1)\";dog",
        "1;4;sleeps;the old dog sleeps;;root",
        "1;3;dog;the old dog sleeps;;2",
        "2;1;she;she saw a cat;;?",
        "2;2;saw;she saw a cat;;",
        "2;3;a;she saw a dog;;4",
        "2;4;cat;she saw a cat;;cat",
        "9;4;cat;she saw a cat;;cat",
        "1;2;old;the old dog sleeps;;the",
    ];
    fs::write(&table, rows.join("\r\n")).unwrap();
    for arguments in [["--import-answers", text(&table)], ["--import", text(&table)]] {
        let served = Served::new(&project, &[&arguments[..], &["--as", "Ana"]].concat());
        let view = served.person(1).view(1);
        assert_eq!(heads(&view), [json!(3), json!(1), json!(4), json!(0)]);
        assert_eq!(served.person(1).n_events(1), 4);
        let view = served.person(1).view(2);
        assert_eq!((view["words"][0]["unsure"].clone(), heads(&view)), (json!(true), vec![Value::Null; 4]));
        let history = served.person(1).get("/api/sentences/2/history").expect(200);
        assert_eq!((history["events"][0]["by"].clone(), served.person(0).n_events(1)), (json!("table"), 0));
        served.end();
    }
    // What is said in the page stands, whatever the table says, and what was taken back stays so.
    let served = Served::new(&project, &[]);
    let ana = served.person(1);
    let version = ana.view(1)["version"].as_u64().unwrap();
    ana.post(1, version, "x", &[event(20, "undo"), edit(21, json!([{"head": {"of": 1, "to": 2}}]))])
        .expect(200);
    served.end();
    fs::write(&table, format!("{}\n\n", rows.join("\n"))).unwrap();
    let served = Served::new(&project, &["--import", text(&table), "--as", "Ana"]);
    assert_eq!(heads(&served.person(1).view(1)), [json!(2), Value::Null, json!(4), json!(0)]);
    served.end();
    let reason =
        format!("{:#}", try_open(&project, &["--import", text(&table), "--as", "Nobody"]).err().unwrap());
    assert!(reason.contains("there is no annotator `Nobody`"), "{reason}");
}

#[test]
fn an_address_can_be_changed_and_withdrawn() {
    let folder = folder();
    let (project, served) =
        begun(folder.path(), "p.treelet-project", TEXT, &["--annotator", "Ana", "--annotator", "Bo"]);
    let before: Vec<String> = (0..3).map(|person| served.token(person).to_string()).collect();
    served.person(1).post(1, 0, "x", &[head(1, 1, 3)]).expect(200);
    served.end();
    let served = Served::new(&project, &["--new-address", "Bo", "--remove-access", "Ana"]);
    let names: Vec<&str> = served.people.iter().map(|one| one.annotator.name.as_str()).collect();
    assert_eq!((names, served.token(0)), (vec!["", "Bo"], before[0].as_str()));
    assert_ne!(served.token(1), before[2]);
    for old in [&before[1], &before[2], "withdrawn 2", "withdrawn%202"] {
        assert_eq!(served.visit(old), 401, "{old}");
    }
    assert_eq!(served.visit(served.token(1)), 303);
    assert!(export(&served, "conllu").contains("# annotator = Ana\n"), "their work stays");
    served.end();
    assert!(try_open(&project, &["--remove-access", "annotator-1"]).is_err());
    let served = Served::new(&project, &["--annotator", "Ana"]);
    assert_eq!(served.people.len(), 2);
    served.end();
    let served = Served::new(&project, &["--new-address", "Ana"]);
    assert_eq!(heads(&served.person(1).view(1))[0], json!(3));
}
