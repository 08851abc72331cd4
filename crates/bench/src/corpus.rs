//! Text to measure on, made from the reference data.

use anyhow::{Context, bail};
use std::path::PathBuf;
use testkit::{files_below, shared};
use tree::{Text, Tree};

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

/// The trees of a file of the reference data.
pub(crate) fn trees(path: &str) -> anyhow::Result<Vec<Tree<Text>>> {
    let text = std::fs::read_to_string(reference(path)?)?;
    let trees: std::io::Result<Vec<Option<Tree<Text>>>> =
        formats::brackets::BracketReader::new(text.as_bytes())
            .map(|read| read.map(|read| read.value.tree))
            .collect();
    Ok(trees?.into_iter().flatten().collect())
}

type Trees = Vec<Tree<Text>>;

/// The trees of the training file of a constituency treebank, and those of its dev file.
pub(crate) fn constituency(name: &str) -> anyhow::Result<(Trees, Trees)> {
    let folder = format!("data/constituency/{name}/norm");
    Ok((trees(&format!("{folder}/train.mrg"))?, trees(&format!("{folder}/dev.mrg"))?))
}

/// The constituency treebanks that have both a training and a dev file.
pub(crate) fn constituency_treebanks() -> anyhow::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(reference("data/constituency")?)? {
        let folder = entry?.path();
        if folder.join("norm/train.mrg").exists() && folder.join("norm/dev.mrg").exists() {
            names.extend(folder.file_name().map(|name| name.to_string_lossy().into_owned()));
        }
    }
    names.sort();
    Ok(names)
}
