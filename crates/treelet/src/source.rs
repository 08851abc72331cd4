//! An input file: its name, its format, its lines once more for diagnostics.

use crate::args::{EncodingName, FormatName};
use crate::outcome::Usage;
use anyhow::Context;
use formats::detect::Format;
use formats::input::{self, Encoding};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, Cursor, Read};
use std::path::{Path, PathBuf};

/// A file to read, or standard input held in memory so that its lines can be shown again.
#[derive(Debug)]
pub(crate) struct Source {
    path: PathBuf,
    memory: Option<Vec<u8>>,
    encoding: Encoding,
    /// The format, as given, as named or as found out.
    pub(crate) format: Format,
}

impl Source {
    /// Opens `path` once to find out its format.
    pub(crate) fn new(
        path: &Path,
        format: Option<FormatName>,
        encoding: EncodingName,
    ) -> anyhow::Result<Self> {
        let encoding = encoding.into();
        let mut memory = None;
        if path == Path::new("-") {
            let mut bytes = Vec::new();
            input::open(path, encoding)
                .and_then(|mut file| file.read_to_end(&mut bytes))
                .context("standard input")?;
            memory = Some(bytes);
        } else if path.is_dir() {
            return Err(Usage(format!("{} is a folder; name the files in it", path.display())).into());
        }
        let mut source = Self { path: path.to_path_buf(), memory, encoding, format: Format::Conllu };
        source.format = match format {
            Some(name) => name.into(),
            None => source.find_format()?,
        };
        Ok(source)
    }

    /// The name to show.
    pub(crate) fn name(&self) -> String {
        if self.memory.is_some() { "<stdin>".into() } else { self.path.display().to_string() }
    }

    /// The text from the start.
    pub(crate) fn open(&self) -> anyhow::Result<Box<dyn BufRead + Send>> {
        match &self.memory {
            Some(bytes) => Ok(Box::new(Cursor::new(bytes.clone()))),
            None => {
                input::open(&self.path, self.encoding).with_context(|| format!("cannot read {}", self.name()))
            }
        }
    }

    /// Size in bytes, for progress; `None` if unknown.
    pub(crate) fn size(&self) -> Option<u64> {
        match &self.memory {
            Some(bytes) => u64::try_from(bytes.len()).ok(),
            None => std::fs::metadata(&self.path).ok().map(|metadata| metadata.len()),
        }
    }

    /// The lines of these numbers, decoded leniently.
    pub(crate) fn lines(&self, numbers: &BTreeSet<u32>) -> anyhow::Result<BTreeMap<u32, String>> {
        let mut found = BTreeMap::new();
        let Some(&last) = numbers.last() else { return Ok(found) };
        let mut file = self.open()?;
        let mut bytes = Vec::new();
        for number in 1..=last {
            bytes.clear();
            if file.read_until(b'\n', &mut bytes)? == 0 {
                break;
            }
            if numbers.contains(&number) {
                let line = String::from_utf8_lossy(&bytes);
                let line = line.trim_end_matches(['\n', '\r']);
                found.insert(number, line.trim_start_matches('\u{FEFF}').to_string());
            }
        }
        Ok(found)
    }

    fn find_format(&self) -> anyhow::Result<Format> {
        if let Some(format) = Format::from_path(&self.path) {
            // The name is believed, but a missing file is to be reported as such.
            self.open()?;
            return Ok(format);
        }
        let mut sample = Vec::new();
        self.open()?
            .take(1 << 16)
            .read_to_end(&mut sample)
            .with_context(|| format!("cannot read {}", self.name()))?;
        let sample = String::from_utf8_lossy(&sample);
        if sample.trim().is_empty() {
            // An empty file is an empty corpus of any format.
            return Ok(Format::Conllu);
        }
        Format::from_content(&sample).ok_or_else(|| {
            let names = Format::ALL.map(|(_, name)| name).join(", ");
            Usage(format!("cannot tell the format of {}; give it with --from ({names})", self.name())).into()
        })
    }
}
