//! Completed sentences as they are written.

use crate::imputation::rows::Row;
use crate::table::plural;
use crate::watch::Watch;
use anyhow::Context;
use formats::conllu;
use formats::output::AtomicFile;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file that appears whole or not at all, or standard output, which gets all or nothing too.
pub(crate) struct Target {
    path: PathBuf,
    file: Option<AtomicFile>,
    bytes: Vec<u8>,
}

impl Target {
    pub(crate) fn create(path: &Path) -> anyhow::Result<Self> {
        let to_stdout = path == Path::new("-");
        let create = || AtomicFile::create(path).with_context(|| cannot_write(path));
        let file = if to_stdout { None } else { Some(create()?) };
        Ok(Self { path: path.to_path_buf(), file, bytes: Vec::new() })
    }

    pub(crate) fn finish(self, watch: &dyn Watch) -> anyhow::Result<()> {
        match self.file {
            Some(file) => file.finish().with_context(|| cannot_write(&self.path)),
            None => Ok(watch.write(&self.bytes)?),
        }
    }

    /// Whether it is a file.
    pub(crate) fn is_file(&self) -> bool {
        self.file.is_some()
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.file {
            Some(file) => file.write(bytes),
            None => self.bytes.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), Write::flush)
    }
}

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

    pub(crate) fn write(&mut self, row: &Row<'_>) -> anyhow::Result<()> {
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

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}
