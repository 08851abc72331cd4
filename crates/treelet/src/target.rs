//! Where results are written.

use crate::watch::Watch;
use anyhow::Context;
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

/// What is said of a file that cannot be written.
pub(crate) fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}
