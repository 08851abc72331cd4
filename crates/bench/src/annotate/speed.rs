//! From a head that was said to the new suggestions and the new picture, as the server answers.

use super::served::Served;
use super::spread::percentiles;
use crate::cpu;
use crate::dependencies::{self, Gold};
use anyhow::Context;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tree::Heads;

/// Heads are said one after the other in sentences of a given length, made of real ones, and each answer is timed.
#[derive(Debug, clap::Args)]
pub(crate) struct Speed {
    /// Folder of Universal Dependencies
    #[arg(long, default_value = "Wolof-WTB")]
    data: String,
    /// Lengths of sentences
    #[arg(long, value_delimiter = ',', default_value = "40,100")]
    words: Vec<usize>,
    /// Sentences of each length
    #[arg(long, default_value_t = 5)]
    sentences: usize,
    /// Other sentences of the project, of which every second is annotated
    #[arg(long, default_value_t = 200)]
    others: usize,
    /// Settings of the project, as `PUT /api/settings` takes them: one row for each
    #[arg(long, value_name = "JSON", default_value = "{}")]
    settings: Vec<String>,
    /// A model that suggests, in place of what the project learns
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Speed) -> anyhow::Result<()> {
    let gold = dependencies::read(&format!("data/dependency/ud/{}/train.conllu", arguments.data))?;
    let (others, rest) = gold.split_at(arguments.others.min(gold.len()));
    let mut project: Vec<Gold> = Vec::new();
    for &n_words in &arguments.words {
        project.extend(of_length(rest, n_words, arguments.sentences));
    }
    let n_timed = project.len();
    project.extend_from_slice(others);
    for settings in &arguments.settings {
        let settings: Value = serde_json::from_str(settings).context("--settings is no JSON")?;
        let model = arguments.model.iter().map(|file| format!("--model={}", file.display()));
        let served = Served::with(&project, model)?;
        let mut client = served.client(0)?;
        client.send("PUT", "/api/settings", &settings)?;
        let ids = client.ids()?;
        let mut number = 0;
        let mut event = |kind: Value| {
            number += 1;
            let mut event = kind;
            event["n"] = json!(number);
            event["at"] = json!(1_700_000_000_000u64 + 1000 * number);
            event
        };
        let mut n_annotated = 0;
        for (gold, id) in project.iter().zip(&ids).skip(n_timed).step_by(2) {
            let changes: Vec<Value> = (1..=gold.len())
                .map(|word| json!({"head": {"of": word, "to": gold.heads.head(word)}}))
                .collect();
            client.post(
                *id,
                0,
                "bench",
                &[event(json!({"kind": "edit", "via": "key", "changes": changes}))],
            )?;
            n_annotated += 1;
        }
        let model = loop {
            client.send("POST", "/api/train", &json!({}))?;
            let model = client.get("/api/project")?["model"].clone();
            let is_ready = match arguments.model {
                Some(_) => model["file"].is_string(),
                None => model["trained_on"].as_u64().is_some_and(|n| n >= n_annotated),
            };
            if is_ready {
                break model;
            }
            std::thread::sleep(Duration::from_millis(50));
        };
        for (row, &n_words) in arguments.words.iter().enumerate() {
            let (mut milliseconds, mut empty) = (Vec::new(), Vec::new());
            let from = row * arguments.sentences;
            let timed = project.iter().zip(&ids).take(n_timed).skip(from).take(arguments.sentences);
            let (answered, seconds) = cpu::seconds(|| -> anyhow::Result<()> {
                for (gold, id) in timed {
                    let mut version = 0;
                    for word in 1..=gold.len() {
                        let changes = json!([{"head": {"of": word, "to": gold.heads.head(word)}}]);
                        let event = event(json!({"kind": "edit", "via": "key", "changes": changes}));
                        let sent = Instant::now();
                        let view = client.post(*id, version, "bench", &[event])?;
                        milliseconds.push(1000.0 * sent.elapsed().as_secs_f64());
                        version = view["version"].as_u64().context("a sentence has a version")?;
                        anyhow::ensure!(
                            word == gold.len() || view["words"][word]["suggested"].is_object(),
                            "nothing is suggested after word {word}"
                        );
                        empty.push(client.noise()?);
                    }
                }
                Ok(())
            });
            answered?;
            println!(
                "{:<12} {n_words:>4} words, {:>4} answers: {}; CPU {:.1} ms; a page that needs no work: {}",
                model["kind"].as_str().unwrap_or("?"),
                milliseconds.len(),
                percentiles(&milliseconds),
                1000.0 * seconds / milliseconds.len() as f64,
                percentiles(&empty)
            );
        }
    }
    Ok(())
}

/// Sentences of exactly so many words: real ones in a row as one, with the roots of all but the first under the root of the first, cut
/// off where there are enough; what hung from words that were cut off hangs from the root.
fn of_length(gold: &[Gold], n_words: usize, n: usize) -> Vec<Gold> {
    let mut made = Vec::new();
    let mut rest = gold.iter();
    while made.len() < n {
        let (mut forms, mut tags, mut heads) = (Vec::new(), Vec::new(), Vec::<u32>::new());
        let mut root = 0;
        while forms.len() < n_words {
            let Some(one) = rest.next() else { return made };
            let before = forms.len();
            for word in 1..=one.len() {
                let is_root = one.heads.head(word) == 0;
                heads.push(if is_root { root as u32 } else { (before + one.heads.head(word)) as u32 });
                root = if is_root && root == 0 { before + word } else { root };
            }
            forms.extend(one.forms.iter().cloned());
            tags.extend(one.tags.iter().cloned());
        }
        forms.truncate(n_words);
        tags.truncate(n_words);
        heads.truncate(n_words);
        let last_root = root.min(n_words) as u32;
        for (word, head) in (1u32..).zip(&mut heads) {
            if *head as usize > n_words {
                *head = if word == last_root { 0 } else { last_root };
            }
        }
        made.extend(Heads::new(heads).ok().map(|heads| Gold { forms, tags, heads }));
    }
    made
}
