//! A project that is served while a test lasts.

use crate::client::{Answer, Request};
use clap::Parser;
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::thread::JoinHandle;
use tempfile::TempDir;
use treelet::open_project;
use treelet::options::annotate::Annotate;
use treelet::watch::Unwatched;
use web::{Invitation, Limits, Serving};

/// What stands behind `treelet annotate`.
#[derive(Debug, Parser)]
struct Door {
    #[command(flatten)]
    annotate: Annotate,
}

/// A server in a thread; it ends when this is dropped.
pub(crate) struct Served {
    pub(crate) address: SocketAddr,
    pub(crate) people: Vec<Invitation>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<anyhow::Result<()>>>,
}

/// Somebody in front of a browser.
#[derive(Clone, Debug)]
pub(crate) struct Person {
    address: SocketAddr,
    pub(crate) cookie: String,
}

pub(crate) fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// A file of these words, one sentence a line.
pub(crate) fn sentences(folder: &Path, text: &str) -> PathBuf {
    let path = folder.join("sentences.txt");
    std::fs::write(&path, text).unwrap();
    path
}

/// Opens a project as `treelet annotate` does, and says why not if it cannot.
pub(crate) fn try_open(project: &Path, arguments: &[&str]) -> anyhow::Result<treelet::OpenProject> {
    let arguments = ["annotate", project.to_str().unwrap()].into_iter().chain(arguments.iter().copied());
    open_project(&Door::try_parse_from(arguments)?.annotate, &web::token, &Unwatched)
}

impl Served {
    pub(crate) fn new(project: &Path, arguments: &[&str]) -> Self {
        Self::within(project, arguments, Limits::default())
    }

    /// A server that puts up with less than others.
    pub(crate) fn within(project: &Path, arguments: &[&str], limits: Limits) -> Self {
        let opened = try_open(project, arguments).unwrap();
        let stop = Arc::new(AtomicBool::new(false));
        let (sender, receiver) = channel();
        let serving = Serving {
            desk: opened.desk,
            port: Some(0),
            usual: opened.port,
            listen: None,
            limits,
            stop: stop.clone(),
        };
        let thread =
            std::thread::spawn(move || web::serve(serving, |people| sender.send(people.to_vec()).unwrap()));
        let people = receiver.recv().unwrap();
        let (host, _) = people[0].url.strip_prefix("http://").unwrap().split_once('/').unwrap();
        Self { address: host.parse().unwrap(), people, stop, thread: Some(thread) }
    }

    /// A project with two sentences of four words and one of six. No machine says
    /// anything of them, whenever it has learned.
    pub(crate) fn small(folder: &Path) -> Self {
        Self::small_within(folder, Limits::default())
    }

    pub(crate) fn small_within(folder: &Path, limits: Limits) -> Self {
        let text = "the old dog sleeps\nshe saw a cat\nthe rain stopped in the evening\n";
        let file = sentences(folder, text);
        let project = folder.join("small.treelet-project");
        let served = Self::within(&project, &["--lines", "--import", file.to_str().unwrap()], limits);
        served.person(0).send("PUT", "/api/settings", &json!({"suggestions": false})).expect(200);
        served
    }

    pub(crate) fn token(&self, person: usize) -> &str {
        self.people[person].url.split_once("token=").unwrap().1
    }

    /// Somebody who was let in by their address.
    pub(crate) fn person(&self, person: usize) -> Person {
        let answer = Request::new("GET", &format!("/?token={}", self.token(person))).send(self.address);
        let cookie = answer.header("set-cookie").unwrap().split(';').next().unwrap().to_string();
        Person { address: self.address, cookie }
    }

    /// What somebody is told who comes with a token.
    pub(crate) fn visit(&self, token: &str) -> u16 {
        Request::new("GET", &format!("/?token={}", token.replace(' ', "+"))).send(self.address).status
    }

    pub(crate) fn end(mut self) {
        self.finish();
    }

    fn finish(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap().unwrap();
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.finish();
        }
    }
}

impl Person {
    pub(crate) fn request(&self, method: &str, path: &str) -> Request {
        let request = Request::new(method, path).with("Cookie", &self.cookie);
        match method {
            "GET" => request,
            _ => request.with("X-Treelet", "1").with("Content-Type", "application/json"),
        }
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.request("GET", path).send(self.address)
    }

    pub(crate) fn send(&self, method: &str, path: &str, body: &Value) -> Answer {
        self.request(method, path).body(body.to_string()).send(self.address)
    }

    /// Events from a window.
    pub(crate) fn post(&self, sentence: i64, base: u64, tab: &str, events: &[Value]) -> Answer {
        let body = json!({"slot": 0, "base": base, "tab": tab, "events": events});
        self.send("POST", &format!("/api/sentences/{sentence}/events"), &body)
    }

    pub(crate) fn view(&self, sentence: i64) -> Value {
        self.get(&format!("/api/sentences/{sentence}")).expect(200)
    }

    pub(crate) fn n_events(&self, sentence: i64) -> usize {
        let history = self.get(&format!("/api/sentences/{sentence}/history")).expect(200);
        history["events"].as_array().unwrap().len()
    }

    /// All sentences that are hers.
    pub(crate) fn ids(&self) -> Vec<i64> {
        let rows = self.get("/api/sentences?n=500").expect(200);
        rows["sentences"].as_array().unwrap().iter().map(|row| row["id"].as_i64().unwrap()).collect()
    }
}

/// An edit with these changes.
pub(crate) fn edit(n: u64, changes: Value) -> Value {
    json!({"n": n, "at": 1_000 * n, "kind": "edit", "via": "key", "changes": changes})
}

/// An edit that says one head.
pub(crate) fn head(n: u64, of: u32, to: u32) -> Value {
    edit(n, json!([{"head": {"of": of, "to": to}}]))
}

/// Any other event.
pub(crate) fn event(n: u64, kind: &str) -> Value {
    json!({"n": n, "at": 1_000 * n, "kind": kind})
}

/// The heads of all words.
pub(crate) fn heads(view: &Value) -> Vec<Value> {
    view["words"].as_array().unwrap().iter().map(|word| word["head"].clone()).collect()
}
