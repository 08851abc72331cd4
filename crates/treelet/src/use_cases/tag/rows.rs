//! Tagged sentences, as files have them.

use crate::imputation::annotated::{AnnotatedCorpus, Aside};
use crate::options::EncodingName;
use crate::options::impute::{TagColumn, Trust};
use crate::source::Source;
use crate::watch::Watch;
use anyhow::Context;
use formats::detect::Format;
use formats::{Problem, bio};
use std::path::Path;
use tree::Sentence;
use tree::sentence::UNSPECIFIED;

/// The sentences of a file with rows, or with words and labels in columns, and what is wrong with it besides its heads.
///
/// Labels are tags of the column that is asked for, UPOS if none is.
pub(super) fn read(
    path: &Path,
    encoding: EncodingName,
    column: Option<TagColumn>,
    watch: &dyn Watch,
) -> anyhow::Result<(Vec<Sentence>, Aside)> {
    let source = Source::new(path, format(path, encoding)?, encoding, watch)?;
    if source.format == Format::Bio {
        return labelled(source, column);
    }
    let mut corpus = AnnotatedCorpus::of(Trust::Imputed, source, watch)?;
    let read = std::mem::take(&mut corpus.sentences);
    let (sentences, errors): (Vec<Sentence>, Vec<Vec<Problem>>) =
        read.into_iter().map(|annotated| (annotated.sentence, annotated.errors)).unzip();
    corpus.errors.extend(errors.into_iter().flatten());
    Ok((sentences, Aside::without_heads(corpus)))
}

/// Where neither name nor content tells, there are words and labels in columns, some of which may be missing.
fn format(path: &Path, encoding: EncodingName) -> anyhow::Result<Option<Format>> {
    if path == Path::new("-") || Format::from_path(path).is_some() {
        return Ok(None);
    }
    let sample = Source::without_format(path, encoding)?.sample()?;
    let is_known = Format::from_content(&sample).is_some_and(|format| !format.is_text());
    Ok((!is_known && !sample.trim().is_empty()).then_some(Format::Bio))
}

fn labelled(source: Source, column: Option<TagColumn>) -> anyhow::Result<(Vec<Sentence>, Aside)> {
    let (mut sentences, mut problems) = (Vec::new(), Vec::new());
    for read in bio::BioReader::new(source.open()?) {
        let read = read.with_context(|| source.cannot_read())?;
        let mut sentence = read.value.tagged();
        if column == Some(TagColumn::Xpos) {
            for token in sentence.words_mut() {
                token.xpos = std::mem::replace(&mut token.upos, UNSPECIFIED);
            }
        }
        sentences.extend(Some(sentence).filter(|sentence| sentence.n_words() > 0));
        problems.extend(read.problems.into_iter().filter(Problem::is_error));
    }
    Ok((sentences, Aside { source, problems }))
}
