//! Somebody who knows the trees and the page, with suggestions: what is wrong is set, and the rest accepted.

use super::super::client::Client;
use super::super::served::Served;
use super::strokes;
use crate::dependencies::Gold;
use anyhow::Context;
use serde_json::{Value, json};
use std::time::Duration;

/// Suggestions that are at least as sure are accepted with one key: as far down as the page's slider goes.
const THRESHOLD: f64 = 0.5;

/// What was done with how many keys and clicks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ScriptedWork {
    pub(super) n_sentences: usize,
    pub(super) n_words: usize,
    pub(super) keys: usize,
    pub(super) clicks: usize,
}

/// The same sentences by keys, by mouse, and as text.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Worked {
    pub(super) keys: ScriptedWork,
    pub(super) mouse: ScriptedWork,
    pub(super) text: ScriptedWork,
}

/// An expert in front of a project in which some sentences are done.
pub(super) struct Expert<'a> {
    client: Client,
    gold: &'a [Gold],
    ids: Vec<i64>,
    n_events: u64,
    /// The server lives as long.
    _served: Served,
}

impl<'a> Expert<'a> {
    /// Annotates the lessons, and lets the machine learn from them.
    pub(super) fn new(gold: &'a [Gold], lessons: &[Gold]) -> anyhow::Result<Expert<'a>> {
        let served = Served::new(&[gold, lessons].concat(), 0)?;
        let mut client = served.client(0)?;
        let ids = client.ids()?;
        let mut expert = Expert { client, gold, ids, n_events: 0, _served: served };
        for (lesson, &id) in lessons.iter().zip(&expert.ids.clone()[gold.len()..]) {
            expert.post(id, 0, &set_all(lesson))?;
        }
        expert.learn(lessons.len() as u64)?;
        Ok(expert)
    }

    fn learn(&mut self, n: u64) -> anyhow::Result<()> {
        loop {
            let project = self.client.get("/api/project")?;
            if project["model"]["trained_on"].as_u64().is_some_and(|trained_on| trained_on >= n) {
                return Ok(());
            }
            self.client.send("POST", "/api/train", &json!({}))?;
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    pub(super) fn work(mut self) -> anyhow::Result<Worked> {
        let mut worked = Worked::default();
        for at in 0..self.gold.len() {
            let (gold, id) = (&self.gold[at], self.ids[at]);
            let (keys, clicks, text) = self.sentence(gold, id)?;
            for (work, keys, clicks) in
                [(&mut worked.keys, keys, 0), (&mut worked.mouse, 0, clicks), (&mut worked.text, text, 0)]
            {
                work.n_sentences += 1;
                work.n_words += gold.len();
                work.keys += keys;
                work.clicks += clicks;
            }
        }
        Ok(worked)
    }

    /// Keys, clicks and characters for one sentence; it is annotated, not handed in, so that nothing is learned meanwhile.
    fn sentence(&mut self, gold: &Gold, id: i64) -> anyhow::Result<(usize, usize, usize)> {
        let n = gold.len();
        let mut view = self.client.get(&format!("/api/sentences/{id}"))?;
        // To the third stage by mouse; and the sentence is handed in by a key or a click.
        let (mut keys, mut clicks, mut at) = (1, 2, 1);
        loop {
            let open: Vec<usize> =
                (1..=n).filter(|&word| view["words"][word - 1]["head"].is_null()).collect();
            let shown = |word: usize| &view["words"][word - 1]["suggested"];
            let is_right =
                |word: &usize| shown(*word)["head"].as_u64() == Some(gold.heads.head(*word) as u64);
            let is_sure = |word: &usize| shown(*word)["p"].as_f64().is_some_and(|p| p >= THRESHOLD);
            let wrong: Vec<usize> = open.iter().copied().filter(|word| !is_right(word)).collect();
            let next = wrong.iter().find(|&&word| word >= at).or(wrong.first());
            let changes = if let Some(&word) = next {
                let head = gold.heads.head(word);
                keys += strokes::way(n, at, word) + strokes::head(n, word, head).len();
                clicks += 2;
                at = word;
                json!([{"head": {"of": word, "to": head}}])
            } else if open.iter().any(is_sure) {
                let sure = open.iter().copied().filter(|word| is_sure(word));
                let heads: Vec<Value> = sure
                    .map(|word| json!({"of": word, "to": shown(word)["head"], "p": shown(word)["p"]}))
                    .collect();
                keys += 1;
                clicks += 1;
                json!([{"accept": {"heads": heads}}])
            } else if let Some(&word) = open.first() {
                keys += strokes::way(n, at, word) + 1;
                clicks += 2;
                at = word;
                json!([{"accept": {"heads": [{"of": word, "to": shown(word)["head"], "p": shown(word)["p"]}]}}])
            } else {
                break;
            };
            let version = view["version"].as_u64().context("a sentence has a version")?;
            view = self.post(id, version, &[json!({"kind": "edit", "via": "key", "changes": changes})])?;
        }
        let right = (1..=n)
            .all(|word| view["words"][word - 1]["head"].as_u64() == Some(gold.heads.head(word) as u64));
        anyhow::ensure!(right, "sentence {id} has not got its tree");
        let text = view["gfl"].as_str().context("a sentence has a text")?;
        Ok((keys, clicks, text.trim_end().chars().count()))
    }

    fn post(&mut self, id: i64, version: u64, happenings: &[Value]) -> anyhow::Result<Value> {
        let mut events = happenings.to_vec();
        for event in &mut events {
            self.n_events += 1;
            event["n"] = json!(self.n_events);
            event["at"] = json!(1_700_000_000_000u64 + 1000 * self.n_events);
        }
        self.client.post(id, version, "bench", &events)
    }
}

fn set_all(gold: &Gold) -> Vec<Value> {
    let changes: Vec<Value> =
        (1..=gold.len()).map(|word| json!({"head": {"of": word, "to": gold.heads.head(word)}})).collect();
    vec![json!({"kind": "edit", "via": "key", "changes": changes}), json!({"kind": "submit"})]
}

/// The characters of the text that says a tree, as the page writes it.
pub(super) fn text(gold: &[Gold]) -> anyhow::Result<Vec<String>> {
    let served = Served::new(gold, 0)?;
    let mut client = served.client(0)?;
    let mut texts = Vec::new();
    for (n, (gold, id)) in (1..).zip(gold.iter().zip(client.ids()?)) {
        let mut event = set_all(gold).swap_remove(0);
        event["n"] = json!(n);
        event["at"] = json!(1_700_000_000_000u64);
        let view = client.post(id, 0, "bench", &[event])?;
        texts.push(view["gfl"].as_str().context("a sentence has a text")?.trim_end().to_owned());
    }
    Ok(texts)
}
