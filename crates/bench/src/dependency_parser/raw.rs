//! Clusters of words from more text than the training sentences, and word vectors.

use std::path::{Path, PathBuf};

use anyhow::Context;
use dependency::BOOK_BYTES;
use features::{BisectOptions, Brown, BrownOptions, Codebook, bisect};
use formats::Read;
use tree::Sentence;

use super::data;

/// Clusters of the words of a treebank's training sentences and of some files of words: the second column of rows.
pub(super) fn clusters(train: &[Sentence], files: &[PathBuf], n_clusters: usize) -> anyhow::Result<Codebook> {
    let mut sentences = train.to_vec();
    for file in files {
        sentences.extend(read(file)?);
    }
    let forms = |sentence: &Sentence| sentence.words().map(|token| features::plain(&token.form)).collect();
    let text: Vec<Vec<String>> = sentences.iter().map(forms).collect();
    let options = BrownOptions { n_classes: n_clusters, ..BrownOptions::default() };
    let found = Brown::fit(text.iter().map(|forms| forms.iter().map(String::as_str)), &options);
    Ok(Codebook::new(found.words.into_iter().map(|(word, _, code)| (word, code)), BOOK_BYTES))
}

/// Bits of the word vectors of a file.
pub(super) fn vectors(file: &Path) -> anyhow::Result<Codebook> {
    let text = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let read = formats::word_vectors::read(&*text, BOOK_BYTES)?;
    let codes = bisect(&read.values, read.n_dimensions, &BisectOptions::default());
    Ok(Codebook::new(read.words.into_iter().zip(codes), BOOK_BYTES))
}

fn read(file: &Path) -> anyhow::Result<Vec<Sentence>> {
    let text = std::fs::read_to_string(file)?;
    match file.extension().is_some_and(|name| name == "txt") {
        true => {
            let reader = formats::raw::RawReader::new(text.as_bytes(), &formats::raw::Options::default());
            Ok(reader.map(|read| read.map(|Read { value, .. }| value)).collect::<Result<_, _>>()?)
        }
        false => Ok(data::sentences(&text)?),
    }
}
