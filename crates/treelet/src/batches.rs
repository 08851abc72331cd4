//! Sentences from rows, fragments or text, read as they are needed.

use crate::imputation::annotated::{ABOUT_HEADS, AnnotatedSentence, of_item};
use crate::options::EncodingName;
use crate::options::impute::Trust;
use crate::options::parse::SentenceFormat;
use crate::outcome::Usage;
use crate::sentences::{find_format, row_format};
use crate::source::Source;
use crate::watch::Watch;
use anyhow::Context;
use formats::everything::{self, Item};
use formats::{Problem, Read};
use std::io::{self, BufRead};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tree::PutInOrder;

/// A sentence as it was given.
pub(crate) struct Given {
    pub(crate) annotated: AnnotatedSentence,
}

/// A file that is being read.
pub(crate) struct Input {
    source: Source,
    items: Box<dyn Iterator<Item = io::Result<Read<Option<AnnotatedSentence>>>>>,
    problems: Vec<Problem>,
    position: Arc<AtomicU64>,
    wanted: Wanted,
}

/// What is asked of a file.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Wanted {
    /// Heads matter, and so do errors in them.
    pub(crate) heads: bool,
    /// Sentences without words are wanted too, since all is written again.
    pub(crate) empty: bool,
    /// Whose heads and relations they are.
    pub(crate) trust: Trust,
}

impl Input {
    pub(crate) fn open(
        path: &Path,
        from: Option<SentenceFormat>,
        encoding: EncodingName,
        wanted: Wanted,
        watch: &dyn Watch,
    ) -> anyhow::Result<Self> {
        let mut source = Source::without_format(path, encoding)?;
        let format = match from {
            Some(format) => format,
            None => find_format(path, &source, watch)?,
        };
        if format == SentenceFormat::Brackets {
            let text = "the model is not one of brackets, but the input has them: give CoNLL-U or text";
            return Err(Usage(text.into()).into());
        }
        source.format = row_format(format);
        let position = Arc::new(AtomicU64::new(0));
        let text = Counted { text: source.open()?, position: Arc::clone(&position) };
        let items: Box<dyn Iterator<Item = _>> = match source.format.is_text() {
            true => Box::new(everything::items(source.format, text).map(|reading| {
                let Read { value, line, problems } = reading?;
                let value = match value {
                    Item::Sentence(sentence) if sentence.n_words() > 0 => {
                        Some(AnnotatedSentence::unannotated(sentence, line))
                    }
                    _ => None,
                };
                Ok(Read { value, line, problems })
            })),
            false => Box::new(everything::items(source.format, text).map(move |reading| {
                let Read { value, line, problems } = reading?;
                let is_wanted =
                    |annotated: &AnnotatedSentence| wanted.empty || annotated.sentence.n_words() > 0;
                let annotated = of_item(value, line, wanted.trust).filter(is_wanted);
                Ok(Read { value: annotated, line, problems })
            })),
        };
        Ok(Self { source, items, problems: Vec::new(), position, wanted })
    }

    /// The next sentences; none at the end.
    pub(crate) fn next_batch(&mut self, size: usize) -> anyhow::Result<Vec<Given>> {
        let mut batch = Vec::new();
        while batch.len() < size {
            let Some(reading) = self.items.next() else { break };
            let Read { value, problems, .. } = reading.with_context(|| self.source.cannot_read())?;
            // Warnings about line ends are for `treelet check`; heads matter only if they are honoured.
            let errors = problems.into_iter().filter(Problem::is_error);
            let errors = errors.filter(|problem| self.wanted.heads || !ABOUT_HEADS.contains(&problem.rule));
            match value {
                Some(mut annotated) => {
                    annotated.add_errors(errors);
                    batch.push(Given { annotated });
                }
                None => self.problems.extend(errors),
            }
        }
        Ok(batch)
    }

    /// Bytes in all, as far as that is known.
    pub(crate) fn size(&self) -> u64 {
        self.source.size().unwrap_or(0)
    }

    /// Bytes that were read.
    pub(crate) fn position(&self) -> u64 {
        self.position.load(Ordering::Relaxed).min(self.size())
    }

    /// The file, and everything that is wrong with it, in its order.
    pub(crate) fn finish(self, more: Vec<Problem>) -> (Source, Vec<Problem>) {
        let mut problems = self.problems;
        problems.extend(more);
        problems.order_by_key(|problem| problem.place.line);
        (self.source, problems)
    }
}

/// A reader that says how far it is.
struct Counted<R> {
    text: R,
    position: Arc<AtomicU64>,
}

impl<R: BufRead> io::Read for Counted<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let n_read = self.text.read(out)?;
        self.position.fetch_add(n_read as u64, Ordering::Relaxed);
        Ok(n_read)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.text.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.text.consume(amount);
        self.position.fetch_add(amount as u64, Ordering::Relaxed);
    }
}
