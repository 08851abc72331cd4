//! A dependency parser with the tagger that it takes along, and the file of both.

mod own_tagger;

use crate::models;
use chain::container::{self, Header};
use dependency::DependencyModel;
pub(crate) use own_tagger::{OwnTagger, SentenceTagger};
use std::collections::BTreeMap;
use std::path::Path;

/// The kind of the file.
pub(crate) const KIND: &str = "model/dependency";
/// The layout of the file; raised when it changes.
const VERSION: u32 = 4;

/// What `treelet train dependency` leaves.
#[derive(Debug, Clone)]
pub(crate) struct DependencyParser {
    pub(crate) model: DependencyModel,
    /// Gives tags to words that have none.
    pub(crate) tagger: Option<OwnTagger>,
    /// Command, checksums and whatever else is worth knowing.
    pub(crate) notes: BTreeMap<String, String>,
}

impl DependencyParser {
    /// Writes the file in one step: it is there as a whole or not at all.
    pub(crate) fn write(&self, path: &Path) -> Result<(), chain::Error> {
        let header = Header { kind: KIND.into(), version: VERSION, notes: self.notes.clone() };
        container::write(path, &header, &(&self.model, &self.tagger))
    }

    /// Reads a file; damaged ones and other versions are refused with advice.
    pub(crate) fn read(path: &Path) -> anyhow::Result<Self> {
        let (header, (model, tagger)) = container::read(path, KIND, VERSION).map_err(models::file_error)?;
        Ok(Self { model, tagger, notes: header.notes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_kinds_and_other_versions_are_refused_with_advice() {
        let file = tempfile::NamedTempFile::new().expect("a scratch file");
        for (kind, version) in
            [("model/pcfg", VERSION), (KIND, VERSION + 1), (KIND, VERSION - 1), (KIND, 3), (KIND, 1)]
        {
            let header = Header { kind: kind.into(), version, notes: BTreeMap::new() };
            container::write(file.path(), &header, &0u8).expect("a file that can be written");
            let said = DependencyParser::read(file.path()).expect_err("not a parser of this version");
            let found = if kind == KIND { format!("version {version}") } else { kind.to_string() };
            assert!(format!("{said:#}").contains(&found), "{said:#}");
            assert!(version >= VERSION || format!("{said:#}").contains("make it again"), "{said:#}");
        }
    }
}
