//! Many annotators on one server: how soon what they say is saved, and whether all of it is in the file afterwards.

use super::served::{Served, open};
use super::spread::percentiles;
use crate::dependencies::{self, Gold};
use anyhow::Context;
use num::dist::exponential;
use num::streams::Stream;
use serde_json::json;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

/// Scripted annotators, each with a connection of their own, set heads and hand sentences in.
#[derive(Debug, clap::Args)]
pub(crate) struct Load {
    /// Folder of Universal Dependencies
    #[arg(long, default_value = "Wolof-WTB")]
    data: String,
    /// Annotators
    #[arg(long, default_value_t = 50)]
    annotators: usize,
    /// Saves of each
    #[arg(long, default_value_t = 40)]
    saves: usize,
    /// Seconds between two saves of one, on average
    #[arg(long, default_value_t = 2.0)]
    think: f64,
    /// Sentences of the project
    #[arg(long, default_value_t = 200)]
    sentences: usize,
    /// Without suggestions
    #[arg(long)]
    no_suggestions: bool,
}

/// What one annotator has had acknowledged.
struct Acknowledged {
    milliseconds: Vec<f64>,
    empty: Vec<f64>,
    /// Sentences and how many events of each.
    events: Vec<(i64, usize)>,
}

/// The longest anybody thinks, in averages.
const LONGEST: f64 = 5.0;

pub(crate) fn run(arguments: &Load) -> anyhow::Result<()> {
    let gold = dependencies::read(&format!("data/dependency/ud/{}/train.conllu", arguments.data))?;
    let gold: Vec<Gold> = gold.into_iter().take(arguments.sentences).collect();
    let served = Served::new(&gold, arguments.annotators)?;
    let mut owner = served.client(0)?;
    owner.send("PUT", "/api/settings", &json!({"suggestions": !arguments.no_suggestions}))?;
    while owner.get("/api/project")?["model"].is_null() {
        thread::sleep(Duration::from_millis(50));
    }
    let began = Instant::now();
    let (server, trees) = (&served, &gold);
    let all: Vec<Acknowledged> = thread::scope(|scope| {
        let begin = |n| scope.spawn(move || annotator(server, trees, n, arguments));
        let running: Vec<_> = (0..arguments.annotators).map(begin).collect();
        running
            .into_iter()
            .map(|one| one.join().unwrap_or_else(|_| Err(anyhow::anyhow!("an annotator broke"))))
            .collect::<anyhow::Result<_>>()
    })?;
    let seconds = began.elapsed().as_secs_f64();
    let empty: Vec<f64> = all.iter().flat_map(|one| one.empty.iter().copied()).collect();
    let milliseconds: Vec<f64> = all.iter().flat_map(|one| one.milliseconds.iter().copied()).collect();
    println!(
        "{} annotators, {} saves in {seconds:.0} s, {:.0} a second: {}",
        arguments.annotators,
        milliseconds.len(),
        milliseconds.len() as f64 / seconds,
        percentiles(&milliseconds)
    );
    println!("a page that needs no work, meanwhile: {}", percentiles(&empty));
    let learned = owner.get("/api/project")?["model"]["trained_on"].as_u64().unwrap_or(0);
    println!("meanwhile the model was learned anew, last from {learned} sentences");
    let (path, _folder) = served.end()?;
    let (n_events, n_missing) = look(&path, &all)?;
    println!("{n_events} events acknowledged, {n_missing} of them not in the file");
    anyhow::ensure!(n_missing == 0, "{n_missing} acknowledged events are lost");
    Ok(())
}

/// Sets heads one by one, in sentences of their own order, and hands each sentence in.
fn annotator(served: &Served, gold: &[Gold], n: usize, arguments: &Load) -> anyhow::Result<Acknowledged> {
    let mut client = served.client(n + 1)?;
    let ids = client.ids()?;
    let mut rng = Stream::new(n as u64).purpose("bench: load").rng();
    let mut order: Vec<usize> = (0..gold.len().min(ids.len())).collect();
    rng.shuffle(&mut order);
    let mut done = Acknowledged { milliseconds: Vec::new(), empty: Vec::new(), events: Vec::new() };
    let mut number = 0;
    for at in order {
        let (id, gold) = (ids[at], &gold[at]);
        let (mut version, mut saved) = (0, 0);
        let heads = (1..=gold.len()).map(|word| {
            let head = json!([{"head": {"of": word, "to": gold.heads.head(word)}}]);
            json!({"kind": "edit", "via": "key", "changes": head})
        });
        for mut event in heads.chain([json!({"kind": "submit"})]) {
            if done.milliseconds.len() == arguments.saves {
                break;
            }
            let pause = arguments.think * exponential(&mut rng).min(LONGEST);
            thread::sleep(Duration::from_secs_f64(pause));
            number += 1;
            event["n"] = json!(number);
            event["at"] = json!(1_700_000_000_000u64 + 1000 * number);
            let sent = Instant::now();
            let view = client.post(id, version, "bench", &[event])?;
            done.milliseconds.push(1000.0 * sent.elapsed().as_secs_f64());
            done.empty.push(client.noise()?);
            version = view["version"].as_u64().context("a sentence has a version")?;
            saved += 1;
        }
        if saved > 0 {
            done.events.push((id, saved));
        }
    }
    Ok(done)
}

/// Opens the project anew and looks for what was acknowledged: how many events, and how many of them are not there.
fn look(path: &Path, all: &[Acknowledged]) -> anyhow::Result<(usize, usize)> {
    let desk = open(&[path.display().to_string()])?.desk;
    let people = desk.people()?;
    let (mut n_events, mut n_missing) = (0, 0);
    for (one, person) in all.iter().zip(people.iter().skip(1)) {
        for &(sentence, n) in &one.events {
            n_events += n;
            n_missing += n.saturating_sub(desk.moments(person.id, sentence, 0)?.len());
        }
    }
    Ok((n_events, n_missing))
}
