//! An input file: its name, its format, its lines once more for diagnostics.

use crate::options::{AnyInput, EncodingName};
use crate::outcome::Usage;
use crate::watch::Watch;
use anyhow::Context;
use formats::detect::Format;
use formats::input::{self, Encoding};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, Cursor, Read};
use std::path::{Path, PathBuf};

/// A file to read, or standard input held in memory so that its lines can be shown again.
#[derive(Debug)]
pub struct Source {
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
        format: Option<Format>,
        encoding: EncodingName,
        watch: &dyn Watch,
    ) -> anyhow::Result<Self> {
        Self::found(path, format, encoding, watch, |source| Err(source.no_format(&Format::ALL).into()))
    }

    /// With the format that was asked for, or that it is found to have, or else `otherwise`.
    fn found(
        path: &Path,
        format: Option<Format>,
        encoding: EncodingName,
        watch: &dyn Watch,
        otherwise: impl FnOnce(&Self) -> anyhow::Result<Format>,
    ) -> anyhow::Result<Self> {
        let mut source = Self::without_format(path, encoding)?;
        let found = match format {
            Some(format) => Some(format),
            None => source.find_format(watch)?,
        };
        source.format = match found {
            Some(format) => format,
            None => otherwise(&source)?,
        };
        Ok(source)
    }

    /// The same for commands that also take plain text: what is nothing else is text.
    pub(crate) fn or_text(path: &Path, input: &AnyInput, watch: &dyn Watch) -> anyhow::Result<Self> {
        Self::or_text_as(path, input.format(), input.characters.encoding, watch)
    }

    /// The same where the format may have been named by other words.
    pub(crate) fn or_text_as(
        path: &Path,
        format: Option<Format>,
        encoding: EncodingName,
        watch: &dyn Watch,
    ) -> anyhow::Result<Self> {
        Self::found(path, format, encoding, watch, |source| {
            let sample = source.sample()?;
            if sample.contains('\0') || sample.trim_start().starts_with(['<', '[', '{']) {
                return Err(source.no_format(&[&Format::ALL[..], &Format::TEXTS[..]].concat()).into());
            }
            Ok(source.text_format(&sample, watch))
        })
    }

    /// Whether text is tokenised. Where it is not, a note says how it is read.
    pub(crate) fn text_format(&self, sample: &str, watch: &dyn Watch) -> Format {
        if !formats::text::looks_untokenised(sample) {
            return Format::Text;
        }
        watch.note(&format!(
            "note: {} is read as running text, because punctuation touches words in it; --lines takes each line for a \
             sentence, --from text takes it for tokenised",
            self.name()
        ));
        Format::Raw
    }

    fn no_format(&self, formats: &[(Format, &str)]) -> Usage {
        let names: Vec<&str> = formats.iter().map(|(_, name)| *name).collect();
        Usage(format!(
            "cannot tell the format of {}; give it with --from ({})",
            self.name(),
            names.join(", ")
        ))
    }

    /// A source whose format the caller will set.
    pub(crate) fn without_format(path: &Path, encoding: EncodingName) -> anyhow::Result<Self> {
        let encoding = encoding.into();
        if path.is_dir() {
            return Err(Usage(format!("{} is a folder; name the files in it", path.display())).into());
        }
        let mut source = Self { path: path.to_path_buf(), memory: None, encoding, format: Format::Conllu };
        // A pipe can be read once, and its lines may be shown again.
        if path == Path::new("-") || std::fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            let mut bytes = Vec::new();
            input::open(path, encoding)
                .and_then(|mut file| file.read_to_end(&mut bytes))
                .with_context(|| source.cannot_read())?;
            source.memory = Some(bytes);
        }
        Ok(source)
    }

    /// The name to show.
    pub fn name(&self) -> String {
        if self.path == Path::new("-") { "<stdin>".into() } else { self.path.display().to_string() }
    }

    /// The beginning of the text, decoded leniently.
    pub(crate) fn sample(&self) -> anyhow::Result<String> {
        let mut sample = Vec::new();
        self.open()?.take(1 << 16).read_to_end(&mut sample).with_context(|| self.cannot_read())?;
        Ok(String::from_utf8_lossy(&sample).into_owned())
    }

    /// Name, size and CRC-64 of the text, unpacked: what a model says of the data it was made from.
    pub(crate) fn fingerprint(&self) -> anyhow::Result<String> {
        let mut text = Vec::new();
        self.open()?.read_to_end(&mut text).with_context(|| self.cannot_read())?;
        let checksum = chain::container::crc64(&text);
        // What comes through a pipe has a name that differs from run to run, or none.
        let name = if self.memory.is_some() { "<stdin>".into() } else { short_name(&self.path) };
        Ok(format!("{name}, {} bytes, CRC-64 {checksum:016x}", text.len()))
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
    pub fn lines(&self, numbers: &BTreeSet<u32>) -> anyhow::Result<BTreeMap<u32, String>> {
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

    /// What went wrong when it did.
    pub(crate) fn cannot_read(&self) -> String {
        format!("cannot read {}", self.name())
    }

    /// The name is believed, but a content that looks like something else is worth a note; `None` if neither tells.
    fn find_format(&self, watch: &dyn Watch) -> anyhow::Result<Option<Format>> {
        let sample = self.sample()?;
        let content = Format::from_content(&sample);
        match (Format::from_path(&self.path), content) {
            (Some(named), Some(found)) if looks_different(named, found) => {
                let (name, named, found) = (self.name(), named.name(), found.name());
                watch.note(&format!(
                    "note: {name} is read as {named}, but it looks like {found}; --from {found} reads it so"
                ));
            }
            (Some(_), _) => {}
            (None, Some(found)) => return Ok(Some(found)),
            // An empty file is an empty corpus of any format.
            (None, None) if sample.trim().is_empty() => return Ok(Some(Format::Conllu)),
            (None, None) => return Ok(None),
        }
        Ok(Format::from_path(&self.path))
    }
}

/// The name of a file without its folder, as a model has it: the same however the path was typed.
pub(crate) fn short_name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// CoNLL-U and CoNLL-X are told apart by little, and labels may look like anything.
fn looks_different(named: Format, found: Format) -> bool {
    let rows = [Format::Conllu, Format::Conllx];
    named != found && found != Format::Bio && !(rows.contains(&named) && rows.contains(&found))
}

/// Standard input can be read once.
pub(crate) fn only_one_stdin<'a>(paths: impl IntoIterator<Item = &'a PathBuf>) -> anyhow::Result<()> {
    let n_stdin = paths.into_iter().filter(|path| path.as_path() == Path::new("-")).count();
    if n_stdin > 1 {
        Err(Usage("- is given twice, but standard input can be read once".into()).into())
    } else {
        Ok(())
    }
}
