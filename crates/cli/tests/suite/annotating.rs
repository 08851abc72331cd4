//! `treelet annotate` as a script starts it: one line with the address, and then a server.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use crate::common::{Playground, with_demo};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

/// A server that ends with its test.
pub(crate) struct Served {
    pub(crate) child: Child,
    pub(crate) address: String,
    pub(crate) token: String,
    notes: Vec<String>,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Served {
    pub(crate) fn new(playground: &Playground, arguments: &str) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_treelet"))
            .current_dir(playground.path(""))
            .arg("annotate")
            .args(arguments.split(' ').filter(|word| !word.is_empty()))
            .arg("--no-open")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let (address, token) = address_and_token(&line);
        // What is told of others is told before that line.
        let mut notes = BufReader::new(child.stderr.take().unwrap()).lines();
        let n_others = arguments.matches("--annotator").count();
        let notes: Vec<String> = std::iter::from_fn(|| notes.next()?.ok())
            .filter(|line| line.contains("token="))
            .take(n_others)
            .collect();
        Self { child, address, token, notes }
    }

    pub(crate) fn get(&self, path: &str) -> (u16, Value) {
        self.get_as(&self.token, path)
    }

    fn get_as(&self, token: &str, path: &str) -> (u16, Value) {
        self.ask("GET", token, path, "")
    }

    fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        self.ask("POST", &self.token, path, &body.to_string())
    }

    fn ask(&self, method: &str, token: &str, path: &str, body: &str) -> (u16, Value) {
        let (_, port) = self.address.rsplit_once(':').unwrap();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nCookie: treelet-{port}={token}\r\nX-Treelet: 1\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            self.address,
            body.len()
        );
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let code = answer.split(' ').nth(1).unwrap().parse().unwrap();
        let body = answer.split_once("\r\n\r\n").unwrap().1;
        (code, serde_json::from_str(body).unwrap_or(Value::String(body.into())))
    }
}

fn address_and_token(line: &str) -> (String, String) {
    let (address, token) = line.trim().split_once("/?token=").unwrap_or_else(|| panic!("{line}"));
    (address.rsplit_once("//").unwrap().1.to_string(), token.to_string())
}

#[test]
fn the_tutorial_has_ten_sentences_and_needs_no_name() {
    let playground = Playground::new();
    let served = Served::new(&playground, "--demo --port 0");
    let (code, project) = served.get("/api/project");
    assert_eq!(
        (code, project["n_sentences"].as_i64(), project["demo"].as_bool()),
        (200, Some(10), Some(true))
    );
    assert!(playground.path("tutorial.treelet-project").exists());
    assert_eq!(served.get_as("guessed", "/api/project").0, 401);
}

#[test]
fn files_of_all_kinds_are_brought_in_with_what_they_say() {
    let playground = with_demo();
    playground.write("latin.txt", "El perro duerme en la casa\n".as_bytes());
    let arguments =
        "p.treelet-project --import village.conllu village.anno village.mrg --import latin.txt --port 0";
    let served = Served::new(&playground, arguments);
    let (_, all) = served.get("/api/sentences?n=500");
    let rows = all["sentences"].as_array().unwrap();
    assert_eq!(rows.len() as i64, all["total"].as_i64().unwrap());
    let heads = |row: &Value| row["n_heads"].as_i64().unwrap();
    let whole = rows.iter().find(|row| heads(row) == row["n_words"].as_i64().unwrap());
    assert!(whole.is_some(), "trees of CoNLL-U are there");
    let blocks = rows.iter().map(|row| {
        let (_, view) = served.get(&format!("/api/sentences/{}", row["id"]));
        view["brackets"].as_array().unwrap().clone()
    });
    let blocks: Vec<Value> = blocks.flatten().collect();
    assert!(blocks.iter().any(|block| block["label"] == "NP"), "labels of brackets are there");
    assert_eq!(rows.last().unwrap()["n_words"], 6);
}

#[test]
fn how_a_file_is_read_can_be_said() {
    let playground = Playground::new();
    playground.write("two.txt", "The dog barks. It is old.\n".as_bytes());
    let n = |arguments: &str| {
        let served = Served::new(&playground, &format!("{arguments} --port 0"));
        served.get("/api/project").1["n_sentences"].as_i64().unwrap()
    };
    assert_eq!(n("raw.treelet-project --import two.txt"), 2);
    assert_eq!(n("lines.treelet-project --import two.txt --lines"), 1);
    assert_eq!(n("from.treelet-project --import two.txt --from text"), 1);
    playground.write("old.txt", [0x45u8, 0x6c, 0x20, 0x6e, 0x69, 0xf1, 0x6f, 0x0a]);
    let served = Served::new(
        &playground,
        "old.treelet-project --import old.txt --from text --encoding latin1 --port 0",
    );
    let (_, view) = served.get("/api/sentences/1");
    assert_eq!(view["words"][1]["form"], "niño");
}

#[test]
fn each_annotator_has_an_address_and_a_section() {
    let playground = with_demo();
    let arguments =
        "p.treelet-project --import village.conllu --annotator Ana --annotator Bo --common 0.25 --port 0";
    let sections = |seed: &str| {
        let served = Served::new(&playground, &format!("{arguments} --seed {seed}"));
        let mine: Vec<Vec<i64>> = served
            .notes
            .iter()
            .map(|note| {
                let (_, token) = address_and_token(note.split_once(": ").unwrap().1);
                let (_, rows) = served.get_as(&token, "/api/sentences?n=500");
                rows["sentences"].as_array().unwrap().iter().map(|row| row["id"].as_i64().unwrap()).collect()
            })
            .collect();
        let all = served.get("/api/project").1["n_sentences"].as_u64().unwrap() as usize;
        (all, mine)
    };
    let (all, mine) = sections("1");
    let both = mine[0].iter().filter(|id| mine[1].contains(id)).count();
    assert_eq!(mine.len(), 2);
    assert_eq!((all, mine[0].len() + mine[1].len() - both, both), (8, 8, 2));
    let others = ["2", "3", "4", "5"].map(|seed| sections(seed).1);
    assert!(others.iter().any(|other| *other != mine), "another seed, other sections");
}

#[test]
fn the_port_stays_the_same_and_can_be_chosen() {
    let playground = Playground::new();
    let arguments = "p.treelet-project --demo";
    let first = Served::new(&playground, arguments).address.clone();
    for end in ["", "-wal"] {
        let (from, to) = (format!("p.treelet-project{end}"), format!("q.treelet-project{end}"));
        std::fs::copy(playground.path(&from), playground.path(&to)).unwrap();
    }
    let again = Served::new(&playground, arguments);
    assert_eq!(first, again.address);
    let arguments = "q.treelet-project";
    let beside = Served::new(&playground, arguments);
    assert_ne!(beside.address, again.address, "a port that is taken is not waited for");
    let port = beside.address.rsplit_once(':').unwrap().1.to_string();
    drop(beside);
    assert!(Served::new(&playground, &format!("{arguments} --port {port}")).address.ends_with(&port));
    let taken = again.address.rsplit_once(':').unwrap().1;
    let refused = playground.run(&format!("annotate {arguments} --no-open --port {taken}"));
    assert_eq!(refused.code, 3, "{}", refused.stderr);
    assert!(refused.stderr.contains("--port 0"), "{}", refused.stderr);
    let everywhere = Served::new(&playground, &format!("{arguments} --port 0 --listen 127.0.0.1"));
    assert!(everywhere.address.starts_with("127.0.0.1:"));
}

#[test]
fn two_servers_never_write_into_one_project() {
    let playground = Playground::new();
    let first = Served::new(&playground, "p.treelet-project --demo --port 0");
    let run = playground.run("annotate p.treelet-project --no-open --port 0");
    assert_ne!(run.code, 0);
    assert!(run.stderr.contains("another Treelet has this project open"), "{}", run.stderr);
    assert_eq!(
        playground.run("annotate export p.treelet-project -o out.conllu").code,
        0,
        "reading is no writing"
    );
    // However it ended, the next one may.
    drop(first);
    assert_eq!(Served::new(&playground, "p.treelet-project --port 0").get("/api/project").0, 200);
}

#[test]
fn the_same_file_is_brought_in_once_and_a_missing_one_leaves_nothing() {
    let playground = with_demo();
    let n = |served: Served| served.get("/api/project").1["n_sentences"].as_i64().unwrap();
    let arguments = "p.treelet-project --import village.conllu --port 0";
    assert_eq!(n(Served::new(&playground, arguments)), 8);
    assert_eq!(n(Served::new(&playground, arguments)), 8);
    let run = playground.run("annotate new.treelet-project --import nothing.conllu --no-open");
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert!(!playground.path("new.treelet-project").exists());
}

#[test]
fn what_is_no_project_is_refused_and_left_alone() {
    let playground = Playground::new();
    playground.write("story.txt", b"Once there was a dog.\n");
    let run = playground.run("annotate story.txt --no-open");
    assert_ne!(run.code, 0);
    assert!(run.stderr.contains("no Treelet project"), "{}", run.stderr);
    assert_eq!(playground.read("story.txt"), "Once there was a dog.\n");
    let run = playground.run("annotate nowhere/p.treelet-project --demo --no-open");
    assert_eq!(run.code, 3, "{}", run.stderr);
    assert!(run.stderr.contains("cannot write nowhere"), "{}", run.stderr);
    let run = playground.run("annotate export nothing.treelet-project -o out.conllu");
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert!(!playground.path("nothing.treelet-project").exists());
}

#[test]
fn a_project_is_written_out_as_its_name_says() {
    let playground = with_demo();
    drop(Served::new(&playground, "p.treelet-project --import village.conllu --port 0"));
    for name in ["out.conllu", "out.anno", "out.mrg", "out.json", "out.html", "out.tsv"] {
        let run = playground.run(&format!("annotate export p.treelet-project -o {name}"));
        assert_eq!(run.code, 0, "{}", run.stderr);
    }
    assert_eq!(playground.run("score village.conllu out.conllu --json").json()["LAS"]["f1"], 100.0);
    for name in ["out.conllu", "out.anno"] {
        assert_eq!(playground.run(&format!("check {name} -q")).code, 0, "{name}");
    }
    let run = playground.run("annotate export p.treelet-project -o out.docx");
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert!(run.stderr.contains(".conllu"), "{}", run.stderr);
}

#[test]
fn the_model_that_suggests_is_named_and_refused_where_it_cannot() {
    let playground = with_demo();
    let fine = |command: &str| assert_eq!(playground.run(command).code, 0, "{command}");
    fine("train dependency village.conllu -o parser.treelet --epochs 1 -q");
    fine("induce dmv village.conllu -o dmv.treelet --passes 1 -q");
    fine("induce pcfg village.conllu -o pcfg.treelet --passes 1 -q");
    let model = |arguments: &str| {
        let served = Served::new(&playground, &format!("p.treelet-project --port 0 {arguments}"));
        let (_, project) = served.get("/api/project");
        (project["settings"]["model"].as_str().unwrap().to_string(), project["model_file"].clone())
    };
    assert_eq!(model("--demo --model parser.treelet"), ("file".into(), "parser.treelet".into()));
    assert_eq!(model("--method gpc"), ("gpc".into(), "parser.treelet".into()));
    assert_eq!(model(""), ("gpc".into(), "parser.treelet".into()), "it stays so");
    assert_eq!(model("--model dmv.treelet"), ("file".into(), "dmv.treelet".into()));
    assert_eq!(model("--model parser.treelet"), ("file".into(), "parser.treelet".into()));
    // What the model knows is asked for single words.
    let asked = || playground.run("annotate export p.treelet-project -o questions.tsv");
    let (run, told) = (asked(), "ConvexMST suggests in its place");
    assert!(run.code == 0 && !run.stderr.contains(told), "{}", run.stderr);
    std::fs::remove_file(playground.path("parser.treelet")).unwrap();
    let run = asked();
    assert!(run.code == 0 && run.stderr.contains(told), "{}", run.stderr);
    for (arguments, told) in [
        ("--model pcfg.treelet", "induce dmv"),
        ("--model pcfg.treelet --method gpc", "--method"),
        ("--method hmm", "convexmst"),
        ("--tag-map dmv.treelet", "dmv.treelet"),
    ] {
        let run = playground.run(&format!("annotate new.treelet-project --demo --no-open {arguments}"));
        assert!(run.code > 1 && run.stderr.contains(told), "{arguments}: {}", run.stderr);
        assert!(!playground.path("new.treelet-project").exists(), "{arguments}");
    }
}

#[test]
fn agreement_is_a_table_and_json_beside_a_server() {
    let playground = Playground::new();
    let served = Served::new(&playground, "p.treelet-project --demo --port 0");
    let run = playground.run("annotate agreement p.treelet-project");
    assert_eq!(
        (run.code, run.stdout.as_str()),
        (0, "Nobody has annotated anything yet.\n"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("no two annotators"), "{}", run.stderr);
    let said = serde_json::json!({"slot": 0, "base": 0, "tab": "t", "events": [
        {"n": 1, "at": 1000, "kind": "edit", "via": "key", "changes": [{"head": {"of": 1, "to": 2}}]},
        {"n": 2, "at": 31000, "kind": "submit"}]});
    assert_eq!(served.post("/api/sentences/1/events", &said).0, 200);
    let run = playground.run("annotate agreement p.treelet-project");
    for heading in ["Agreement (%", "Half hours of work", "too little yet", "determiner–noun"] {
        assert!(run.stdout.contains(heading), "{heading}: {}", run.stdout);
    }
    let answer = playground.run("annotate agreement p.treelet-project --json").json();
    assert_eq!(answer["rows"][0]["measures"][0]["name"], "com");
    assert_eq!(answer["rows"][0]["seconds"], 30.0);
    let run = playground.run("annotate agreement nothing.treelet-project");
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert!(!playground.path("nothing.treelet-project").exists());
}

#[test]
fn what_is_brought_in_is_tagged_by_a_tagger_and_marked_as_its() {
    let playground = with_demo();
    std::fs::write(playground.path("story.txt"), "The dog barks. The old woman sees a dog.\n").unwrap();
    let run = playground.run("tag train --tokens village.conllu -o tagger.treelet --epochs 2 -q");
    assert_eq!(run.code, 0, "{}", run.stderr);
    // What is no tagger is refused before a project is begun, and so is a tagger without files.
    std::fs::write(playground.path("text"), "no model").unwrap();
    for arguments in ["--import story.txt --tagger text", "--tagger tagger.treelet"] {
        let run = playground.run(&format!("annotate new.treelet-project --no-open {arguments}"));
        assert!(
            run.code > 1 && !playground.path("new.treelet-project").exists(),
            "{arguments}: {}",
            run.stderr
        );
    }
    let served = Served::new(
        &playground,
        "p.treelet-project --port 0 --import story.txt --from raw --tagger tagger.treelet",
    );
    let (_, view) = served.get("/api/sentences/1");
    let words = view["words"].as_array().unwrap();
    assert!(words.len() == 4 && words.iter().all(|word| word["tag"].is_string()), "{view}");
    let run = playground.run("annotate export p.treelet-project -o out.conllu");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let text = std::fs::read_to_string(playground.path("out.conllu")).unwrap();
    let rows: Vec<&str> =
        text.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit())).collect();
    assert!(rows.len() > 4 && rows.iter().all(|row| row.contains("UposBy=tagger@")), "{text}");
}
