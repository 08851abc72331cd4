//! Completed sentences as they are written.

use crate::imputation::rows::ImputedRow;
use crate::table::plural;
use crate::target::{Target, cannot_write};
use crate::watch::Watch;
use anyhow::Context;
use formats::conllu;
use std::io::Write;
use std::path::Path;

/// The trees and, if asked for, the drawn ones.
pub(crate) struct Output {
    trees: Target,
    sampled: Option<Target>,
    json: bool,
    written: Written,
}

/// What was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Written {
    pub(crate) n_sentences: usize,
    pub(crate) n_words: usize,
    /// Words whose head was said.
    pub(crate) n_said: usize,
    /// Words whose head was found.
    pub(crate) n_found: usize,
    pub(crate) n_drawn: usize,
}

impl Output {
    pub(crate) fn create(path: &Path, sampled: Option<&Path>, json: bool) -> anyhow::Result<Self> {
        let sampled = sampled.map(Target::create).transpose()?;
        Ok(Self { trees: Target::create(path)?, sampled, json, written: Written::default() })
    }

    pub(crate) fn write(&mut self, row: &ImputedRow<'_>) -> anyhow::Result<()> {
        let (n_said, n_found) = row.n_said_and_found();
        self.written.n_sentences += 1;
        self.written.n_words += row.sentence.n_words();
        self.written.n_said += n_said;
        self.written.n_found += n_found;
        let written = match self.json {
            true => writeln!(self.trees, "{}", row.json(self.written.n_sentences)),
            false => conllu::write(&row.completed(), &mut self.trees),
        };
        written.with_context(|| cannot_write(self.trees.path()))?;
        if let Some(sampled) = &mut self.sampled {
            for (number, heads) in (1..).zip(&row.imputed.completed.samples) {
                self.written.n_drawn += 1;
                conllu::write(&row.sample(heads, number), sampled)
                    .with_context(|| cannot_write(sampled.path()))?;
            }
        }
        Ok(())
    }

    /// Puts the files in place and tells what is in them.
    pub(crate) fn finish(self, watch: &dyn Watch) -> anyhow::Result<Written> {
        let written = self.written;
        if self.trees.is_file() {
            let sentences = plural(written.n_sentences, "sentence");
            watch.note(&format!("{}: {sentences}", self.trees.path().display()));
        }
        self.trees.finish(watch)?;
        if let Some(sampled) = self.sampled {
            let trees = plural(written.n_drawn, "drawn tree");
            watch.note(&format!("{}: {trees}", sampled.path().display()));
            sampled.finish(watch)?;
        }
        Ok(written)
    }
}
