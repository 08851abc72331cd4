//! Models of segmentation, as Treelet writes them and as Morfessor's text.

use super::input;
use crate::options::{EncodingName, Messages};
use crate::source::Source;
use crate::watch::Watch;
use anyhow::Context;
use chain::container::Problem;
use formats::segmentations::{self, Segmented};
use segment::{Analysed, Model};
use std::io::{self, Read};
use std::path::Path;
use tree::PutInOrder;

/// Reads a model of either kind.
pub(crate) fn read(path: &Path, messages: &Messages, watch: &dyn Watch) -> anyhow::Result<Model> {
    let source = Source::without_format(path, EncodingName::Unicode)?;
    let mut bytes = Vec::new();
    source.open()?.read_to_end(&mut bytes).with_context(|| source.cannot_read())?;
    match Model::decode(&bytes) {
        Ok((model, _)) => Ok(model),
        Err(Problem::Foreign) if !bytes.contains(&0) && !bytes.is_empty() => {
            read_text(&source, &bytes, messages, watch)
        }
        Err(problem) => {
            let error = io::Error::new(io::ErrorKind::InvalidData, problem.to_string());
            Err(anyhow::Error::from(error).context(format!("cannot read {}", source.name())))
        }
    }
}

fn read_text(source: &Source, bytes: &[u8], messages: &Messages, watch: &dyn Watch) -> anyhow::Result<Model> {
    let found = segmentations::read(bytes)?;
    let has_problems = input::report(source, &found.problems, messages, watch)?;
    if has_problems || found.words.is_empty() {
        let what =
            "neither a model of `treelet segment train` nor a text model (lines of count morph + morph)";
        return Err(anyhow::anyhow!("{}: {what}", source.name()));
    }
    let analysed = |word: &Segmented| Analysed::new(word.count, &word.analyses[0]);
    Ok(Model { words: found.words.iter().map(analysed).collect(), corpus_weight: 1.0 })
}

/// A model as text, words in the order of their characters.
pub(super) fn as_text(model: &Model) -> anyhow::Result<Vec<u8>> {
    let mut words: Vec<&Analysed> = model.words.iter().collect();
    words.order_by(|a, b| a.word.cmp(&b.word));
    let mut text = format!("# Output from treelet {}\n", env!("CARGO_PKG_VERSION")).into_bytes();
    for word in words {
        segmentations::write_line(&mut text, word.count, &word.morphs())?;
    }
    Ok(text)
}
