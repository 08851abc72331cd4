//! Keys, clicks and characters that a whole tree takes, for somebody who knows the page and makes no mistake.

mod expert;
mod script;
mod strokes;

use crate::dependencies::{self, Gold};
use expert::{Expert, ScriptedWork};
use num::streams::Stream;
use std::path::PathBuf;

/// Counts keys by the page's own map; `--script` writes them for a browser that checks that they give the tree.
#[derive(Debug, clap::Args)]
pub(crate) struct Keys {
    /// Folders of Universal Dependencies
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "Wolof-WTB,Uyghur-UDT,Naija-NSC,Scottish_Gaelic-ARCOSG@2024-10"
    )]
    data: Vec<String>,
    /// Sentences that are annotated and counted, drawn by lot from the training file
    #[arg(long, default_value_t = 60)]
    sentences: usize,
    /// Sentences that were annotated before, so that the machine could learn from them
    #[arg(long, value_delimiter = ',', default_value = "0,30,100,200")]
    lessons: Vec<usize>,
    /// Another draw
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write the keys, clicks and characters for the trees of a file for `crates/web/tests/browser/keys.mjs`, and count nothing else
    #[arg(long, value_name = "FILE", requires = "trees")]
    script: Option<PathBuf>,
    /// CoNLL-U with the trees for --script
    #[arg(long, value_name = "FILE", requires = "script")]
    trees: Option<PathBuf>,
}

/// Seconds for a key, for pointing, for a click and for making up one's mind (Card, Moran & Newell 1980).
const KEY: f64 = 0.28;
const POINT: f64 = 1.1;
const CLICK: f64 = 0.2;
const MIND: f64 = 1.35;

pub(crate) fn run(arguments: &Keys) -> anyhow::Result<()> {
    if let (Some(path), Some(trees)) = (&arguments.script, &arguments.trees) {
        return script::write(trees, path);
    }
    println!(
        "By the keystroke-level model: {KEY} s a key, {POINT} s to point, {CLICK} s a click, {MIND} s to make up one's mind about each word"
    );
    println!(
        "{:<32} {:<26} {:>7} {:>7} {:>8} {:>8} {:>8} {:>9}",
        "treebank", "by", "keys", "clicks", "for arc", "sentence", "words/h", "sent./h"
    );
    for name in &arguments.data {
        treebank(name, arguments)?;
    }
    Ok(())
}

fn treebank(name: &str, arguments: &Keys) -> anyhow::Result<()> {
    let mut gold = dependencies::read(&format!("data/dependency/ud/{name}/train.conllu"))?;
    Stream::new(arguments.seed).purpose("bench: keys").rng().shuffle(&mut gold);
    let (counted, rest) = gold.split_at(arguments.sentences.min(gold.len()));
    row(name, "keys", &plain(counted, |gold| strokes::keys(gold).len(), 0));
    row(name, "mouse", &plain(counted, |_| 0, 2));
    let mut texts = ScriptedWork::default();
    let mut lines: Vec<(String, ScriptedWork)> = Vec::new();
    for &n in &arguments.lessons {
        let lessons = &rest[..n.min(rest.len())];
        let expert = Expert::new(counted, lessons)?;
        let worked = expert.work()?;
        texts = worked.text;
        lines.push((format!("keys, {} lessons", lessons.len()), worked.keys));
        lines.push((format!("mouse, {} lessons", lessons.len()), worked.mouse));
    }
    row(name, "text", &texts);
    lines.iter().for_each(|(by, work)| row(name, by, work));
    Ok(())
}

/// Without suggestions it can be counted without a server. By mouse, a sentence is taken to its third stage first.
fn plain(gold: &[Gold], keys: impl Fn(&Gold) -> usize, clicks: usize) -> ScriptedWork {
    let mut work = ScriptedWork::default();
    for gold in gold {
        work.n_sentences += 1;
        work.n_words += gold.len();
        work.keys += keys(gold);
        work.clicks += if clicks > 0 { clicks * gold.len() + 2 } else { 0 };
    }
    work
}

fn row(treebank: &str, by: &str, work: &ScriptedWork) {
    let (words, sentences) = (work.n_words as f64, work.n_sentences as f64);
    let strokes = (work.keys + work.clicks) as f64;
    let seconds = MIND * words + KEY * work.keys as f64 + (POINT + CLICK) * work.clicks as f64;
    println!(
        "{treebank:<32} {by:<26} {:>7} {:>7} {:>8.2} {:>8.1} {:>8.0} {:>9.0}",
        work.keys,
        work.clicks,
        strokes / words,
        strokes / sentences,
        3600.0 * words / seconds,
        3600.0 * sentences / seconds
    );
}
