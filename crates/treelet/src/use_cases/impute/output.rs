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
    n_written: usize,
    n_samples: usize,
}

impl Output {
    pub(crate) fn create(path: &Path, sampled: Option<&Path>, json: bool) -> anyhow::Result<Self> {
        let sampled = sampled.map(Target::create).transpose()?;
        Ok(Self { trees: Target::create(path)?, sampled, json, n_written: 0, n_samples: 0 })
    }

    pub(crate) fn write(&mut self, row: &ImputedRow<'_>) -> anyhow::Result<()> {
        self.n_written += 1;
        let written = match self.json {
            true => writeln!(self.trees, "{}", row.json(self.n_written)),
            false => conllu::write(&row.completed(), &mut self.trees),
        };
        written.with_context(|| cannot_write(self.trees.path()))?;
        if let Some(sampled) = &mut self.sampled {
            for (number, heads) in (1..).zip(&row.imputed.completed.samples) {
                self.n_samples += 1;
                conllu::write(&row.sample(heads, number), sampled)
                    .with_context(|| cannot_write(sampled.path()))?;
            }
        }
        Ok(())
    }

    pub(crate) fn finish(self, watch: &dyn Watch) -> anyhow::Result<()> {
        if self.trees.is_file() {
            watch.note(&format!("{}: {}", self.trees.path().display(), plural(self.n_written, "sentence")));
        }
        self.trees.finish(watch)?;
        if let Some(sampled) = self.sampled {
            watch.note(&format!("{}: {}", sampled.path().display(), plural(self.n_samples, "drawn tree")));
            sampled.finish(watch)?;
        }
        Ok(())
    }
}
