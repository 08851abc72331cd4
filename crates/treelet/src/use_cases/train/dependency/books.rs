//! Clusters and vectors of words, from files or found in running text.

use super::corpus::Corpora;
use crate::options::dependency::Dependency;
use crate::source::Source;
use crate::table::plural;
use crate::watch::Watch;
use anyhow::Context;
use dependency::{BOOK_BYTES, DependencyOptions};
use features::{BisectOptions, Brown, BrownOptions, Codebook, bisect};
use formats::raw::{self, RawReader};
use formats::word_clusters::{self, ClusterLayout};
use formats::{Problem, word_vectors};
use std::path::Path;
use tree::PutInOrder;

/// Reads all that was asked for into the settings. What is wrong with the files is reported with the training files.
pub(super) fn read(
    options: &Dependency,
    corpora: &mut Corpora,
    settings: &mut DependencyOptions,
    watch: &dyn Watch,
) -> anyhow::Result<()> {
    let open = |path: &Path| Source::without_format(path, options.input.characters.encoding);
    if let Some(path) = &options.words.clusters {
        settings.clusters = Some(clusters(open(path)?, corpora, watch)?);
    }
    if !options.words.text.is_empty() {
        settings.clusters = Some(clusters_of_text(options, corpora, watch)?);
    }
    if let Some(path) = &options.words.vectors {
        settings.vectors = Some(vectors(open(path)?, corpora, watch)?);
    }
    Ok(())
}

fn clusters(source: Source, corpora: &mut Corpora, watch: &dyn Watch) -> anyhow::Result<Codebook> {
    let mut read = word_clusters::read(source.open()?).with_context(|| source.cannot_read())?;
    // Words that are seen most are needed most. The sort is stable: without counts the order is that of the file.
    read.rows.order_by_key(|row| std::cmp::Reverse(row.count));
    let n_words = read.rows.len();
    let book = Codebook::new(read.rows.into_iter().map(|row| (row.word, row.cluster)), BOOK_BYTES);
    let layout = match read.layout {
        ClusterLayout::Paths => "bits TAB word TAB count",
        ClusterLayout::Names => "word TAB cluster",
    };
    describe(&source, &format!("{layout}, {}", plural(n_words, "word")), &book, n_words, watch);
    corpora.add_file("clusters", source, read.problems)?;
    Ok(book)
}

fn vectors(source: Source, corpora: &mut Corpora, watch: &dyn Watch) -> anyhow::Result<Codebook> {
    let read = word_vectors::read(source.open()?, BOOK_BYTES).with_context(|| source.cannot_read())?;
    let codes = bisect(&read.values, read.n_dimensions, &BisectOptions::default());
    let n_words = read.words.len() + usize::from(read.has_more);
    let book = Codebook::new(read.words.into_iter().zip(codes), BOOK_BYTES);
    describe(&source, &format!("vectors of {}", plural(read.n_dimensions, "number")), &book, n_words, watch);
    corpora.add_file("vectors", source, read.problems)?;
    Ok(book)
}

/// Clusters of the words of running text and of the training sentences.
fn clusters_of_text(
    options: &Dependency,
    corpora: &mut Corpora,
    watch: &dyn Watch,
) -> anyhow::Result<Codebook> {
    let sentences = corpora.data.iter().map(|item| item.sentence.words());
    let mut text: Vec<Vec<String>> =
        sentences.map(|tokens| tokens.map(|token| features::plain(&token.form)).collect()).collect();
    for (number, path) in (1..).zip(&options.words.text) {
        let source = Source::without_format(path, options.input.characters.encoding)?;
        let mut problems: Vec<Problem> = Vec::new();
        for read in RawReader::new(source.open()?, &raw::Options::default()) {
            let read = read.with_context(|| source.cannot_read())?;
            text.push(read.value.words().map(|token| features::plain(&token.form)).collect());
            problems.extend(read.problems.into_iter().filter(Problem::is_error));
        }
        corpora.add_file(&format!("text {number}"), source, problems)?;
    }
    let brown = BrownOptions { n_classes: options.words.text_clusters as usize, ..BrownOptions::default() };
    let found = Brown::fit(text.iter().map(|sentence| sentence.iter().map(String::as_str)), &brown);
    let book = Codebook::new(found.words.into_iter().map(|(word, _, code)| (word, code)), BOOK_BYTES);
    watch.note(&format!(
        "note: {} of running text and training have {} in {}",
        plural(text.len(), "sentence"),
        plural(book.n_words(), "word"),
        plural(book.n_codes(), "cluster")
    ));
    Ok(book)
}

fn describe(source: &Source, what: &str, book: &Codebook, n_words: usize, watch: &dyn Watch) {
    let name = source.name();
    let kept = format!("{} in {}", plural(book.n_words(), "word"), plural(book.n_codes(), "cluster"));
    match book.n_words() {
        0 => watch.remark(&format!("warning: {name} ({what}) has no word that can be used")),
        n if n < n_words => watch.note(&format!("note: {name} ({what}): only {kept} fit into the model")),
        _ => watch.note(&format!("note: {name} ({what}): {kept}")),
    }
}
