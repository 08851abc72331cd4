//! Text to measure on, made from the reference data.

use anyhow::{Context, bail};
use std::path::PathBuf;
use testkit::{files_below, shared};

/// A file or folder of the reference data.
pub(crate) fn reference(path: &str) -> anyhow::Result<PathBuf> {
    shared(path).context("the reference data are needed; see the line above")
}

/// About `n_bytes` of CoNLL-U from the training files of all treebanks, whole sentences.
pub(crate) fn conllu(n_bytes: usize) -> anyhow::Result<String> {
    let mut text = String::with_capacity(n_bytes);
    for path in files_below(&reference("data/dependency/ud")?, "train.conllu") {
        text.push_str(&std::fs::read_to_string(&path)?);
        if text.len() >= n_bytes {
            let end = text[n_bytes..].find("\n\n").map_or(text.len(), |at| n_bytes + at + 2);
            text.truncate(end);
            return Ok(text);
        }
    }
    bail!("the training files have only {} bytes", text.len())
}

/// The same without multiword ranges and empty nodes, which the Rust crate `conllu` cannot read.
pub(crate) fn words_only(text: &str) -> String {
    let is_word = |line: &&str| {
        !line.split('\t').next().is_some_and(|id| id.contains(['-', '.']) && !id.starts_with('#'))
    };
    text.lines().filter(is_word).flat_map(|line| [line, "\n"]).collect()
}
