//! Files of projects: of this version, of others, and of none.

use crate::served::{Served, folder, head, heads, try_open};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use treelet::watch::Unwatched;

/// Written by the first Treelet that had projects; it can be read for ever.
const FIRST: &[u8] = include_bytes!("../v1.treelet-project");
/// Where SQLite keeps the number of the layout, and whose file it is.
const USER_VERSION: usize = 60;
const APPLICATION: usize = 68;

fn refused(path: &Path) -> String {
    match try_open(path, &[]) {
        Ok(_) => panic!("{} was opened", path.display()),
        Err(error) => format!("{error:#}"),
    }
}

/// The names of the files in a folder.
fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|one| one.unwrap().file_name().into_string().unwrap());
    // A lock beside it says who has it open.
    let mut names: Vec<String> = names.filter(|name| !name.ends_with("-lock")).collect();
    names.sort();
    names
}

#[test]
fn a_project_of_the_first_version_opens_and_can_be_worked_on() {
    assert_eq!(
        (&FIRST[USER_VERSION..USER_VERSION + 4], &FIRST[APPLICATION..APPLICATION + 4]),
        (&[0, 0, 0, 1][..], &b"TRLT"[..])
    );
    let folder = folder();
    let path = folder.path().join("v1.treelet-project");
    fs::write(&path, FIRST).unwrap();
    let served = Served::new(&path, &[]);
    assert_eq!(
        (0..2).map(|person| served.token(person)).collect::<Vec<_>>(),
        ["token-of-the-first", "token-of-ana"]
    );
    let person = served.person(0);
    let project = person.get("/api/project").expect(200);
    assert_eq!(
        (project["id"].clone(), project["annotator"]["name"].clone()),
        (json!("id-of-v1"), json!("Eva"))
    );
    assert_eq!(
        (project["settings"]["threshold"].clone(), project["n_submitted"].clone()),
        (json!(0.75), json!(1))
    );
    let view = person.view(1);
    assert_eq!(heads(&view), [json!(3), json!(3), json!(4), json!(0)]);
    assert_eq!((view["version"].clone(), view["seconds"].clone()), (json!(4), json!(4.0)));
    assert_eq!(
        (view["words"][0]["relation"].clone(), view["words"][2]["tag"].clone()),
        (json!("det"), json!("NOUN"))
    );
    assert_eq!(
        (view["brackets"][0]["label"].clone(), view["brackets"][0]["words"].clone()),
        (json!("NP"), json!([1, 2, 3]))
    );
    assert_eq!(view["comments"][0]["text"], "a remark");
    assert_eq!(heads(&served.person(1).view(2)), [json!(2), Value::Null, Value::Null, Value::Null]);
    assert_eq!(person.post(2, 0, "new", &[head(1, 1, 2)]).expect(200)["version"], json!(1));
}

/// What was written out of it before anything of this was changed.
const WRITTEN: [(&str, &[u8]); 4] = [
    ("conllu", include_bytes!("../v1/project.conllu")),
    ("anno", include_bytes!("../v1/project.anno")),
    ("mrg", include_bytes!("../v1/project.mrg")),
    ("json", include_bytes!("../v1/project.json")),
];

#[test]
fn a_project_of_the_first_version_is_written_out_as_the_first_version_did() {
    let folder = folder();
    let path = folder.path().join("v1.treelet-project");
    fs::write(&path, FIRST).unwrap();
    let served = Served::new(&path, &[]);
    for (format, bytes) in WRITTEN {
        let answer = served.person(0).get(&format!("/api/export?format={format}"));
        assert_eq!(answer.text(), String::from_utf8_lossy(bytes), "{format}");
    }
}

#[test]
fn a_project_of_a_newer_version_is_refused_untouched() {
    let folder = folder();
    let path = folder.path().join("v2.treelet-project");
    let mut bytes = FIRST.to_vec();
    bytes[USER_VERSION + 3] = 2;
    fs::write(&path, &bytes).unwrap();
    let reason = refused(&path);
    assert!(reason.contains("v2.treelet-project: this project was written by a newer Treelet"), "{reason}");
    assert_eq!(fs::read(&path).unwrap(), bytes);
    assert_eq!(names(folder.path()), ["v2.treelet-project"]);
}

#[test]
fn what_is_no_project_is_refused_untouched() {
    let folder = folder();
    let mut other = FIRST.to_vec();
    other[APPLICATION..APPLICATION + 4].fill(0);
    let files: [(&str, Vec<u8>); 4] = [
        ("story.txt", b"The dog sleeps.\n".to_vec()),
        ("long.txt", b"The dog sleeps.\n".repeat(1_000)),
        ("other.sqlite", other),
        ("noise", (0..5_000u32).map(|n| ((n * n) >> 3) as u8).collect()),
    ];
    for (name, bytes) in &files {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        let reason = refused(&path);
        assert!(reason.contains(&format!("{name}: this is no Treelet project")), "{reason}");
        assert_eq!(&fs::read(&path).unwrap(), bytes);
    }
    assert_eq!(names(folder.path()), ["long.txt", "noise", "other.sqlite", "story.txt"]);
}

#[test]
fn a_project_that_was_cut_off_is_an_error_and_no_panic() {
    let folder = folder();
    for length in [50, 100, 1_000, 4_096, 5_000, FIRST.len() / 2, FIRST.len() - 4_096] {
        let path = folder.path().join(format!("{length}.treelet-project"));
        fs::write(&path, &FIRST[..length]).unwrap();
        if let Ok(opened) = try_open(&path, &[]) {
            let _ =
                opened.desk.sentences(1, Default::default(), 0, 10).and_then(|_| opened.desk.view(1, 1, 0));
        }
    }
}

#[test]
fn a_project_is_one_file_when_it_is_closed() {
    let folder = folder();
    let served = Served::small(folder.path());
    let person = served.person(0);
    person.post(1, 0, "a", &[head(1, 1, 3)]).expect(200);
    served.end();
    // What is being learned may still hold the file for a moment; to open it once more waits for nobody.
    drop(try_open(&folder.path().join("small.treelet-project"), &[]).unwrap());
    let copy = folder.path().join("copy.treelet-project");
    fs::copy(folder.path().join("small.treelet-project"), &copy).unwrap();
    assert_eq!(heads(&Served::new(&copy, &[]).person(0).view(1))[0], json!(3));
}

#[test]
fn one_program_serves_a_project_and_others_may_read_it() {
    let folder = folder();
    let path = folder.path().join("demo.treelet-project");
    let served = Served::new(&path, &["--demo"]);
    let person = served.person(0);
    let edit =
        json!({"n": 1, "at": 1, "kind": "edit", "via": "mouse", "changes": [{"head": {"of": 1, "to": 2}}]});
    person.post(1, 0, "a", &[edit]).expect(200);
    let refusal = refused(&path);
    assert!(refusal.contains("another Treelet has this project open"), "{refusal}");
    // What is on the disk can be written out beside it, and who serves it goes on.
    let output = folder.path().join("out.conllu");
    let options = json!({"project": path, "output": output});
    treelet::call("annotate export", options.as_object().unwrap(), &Unwatched).unwrap();
    assert!(fs::read_to_string(&output).unwrap().contains("\t2\t"));
    person.post(1, 1, "a", &[crate::served::event(2, "undo")]).expect(200);
    served.end();
    // The lock is let go of with the program; the file that stays is nobody's.
    Served::new(&path, &[]).end();
}
