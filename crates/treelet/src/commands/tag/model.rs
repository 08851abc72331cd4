//! The file of a tagger.

use crate::args::impute::TagColumn;
use crate::imputation::fragments::TagChoice;
use crate::models;
use chain::container::{self, Header};
use formats::att;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use tag::crf::Crf;
use tag::{Analyser, Choice, Dictionary, Surface, TagSet};
use tree::{Text, Transducer};

/// The kind of the file.
pub(crate) const KIND: &str = "model/tagger";
const VERSION: u32 = 1;

/// A tagger with all that it needs.
#[derive(Debug)]
pub(crate) struct TaggerModel {
    pub(crate) column: TagColumn,
    pub(crate) crf: Crf,
    /// Words that were annotated, with their tags in rising order.
    pub(crate) dictionary: HashMap<Text, Choice>,
    pub(crate) analyser: Option<Analyser>,
    pub(crate) notes: BTreeMap<String, String>,
}

/// A tagger as its file has it.
#[derive(Serialize, Deserialize)]
struct Stored {
    column: String,
    crf: Crf,
    dictionary: Vec<(Text, Vec<u32>)>,
    transducer: Option<StoredTransducer>,
}

#[derive(Serialize, Deserialize)]
struct StoredTransducer {
    /// In AT&T's format.
    text: String,
    /// Whether words stand on the first side.
    by_input: bool,
}

/// Whether a file is a model of this sort.
pub(crate) fn is_tagger(path: &Path) -> bool {
    path != Path::new("-") && container::info(path).is_ok_and(|header| header.kind == KIND)
}

impl TaggerModel {
    pub(crate) fn read(path: &Path) -> anyhow::Result<Self> {
        let (header, stored): (Header, Stored) =
            container::read(path, KIND, VERSION).map_err(models::file_error)?;
        let dictionary = stored.dictionary.into_iter();
        let dictionary = dictionary.map(|(word, tags)| (word, Choice::Among(tags.into()))).collect();
        let analyser = stored.transducer.map(StoredTransducer::analyser).transpose()?;
        let column = TagChoice::from_name(&stored.column).map_or(TagColumn::Upos, |choice| choice.0);
        Ok(Self { column, crf: stored.crf, dictionary, analyser, notes: header.notes })
    }

    pub(crate) fn tags(&self) -> &TagSet {
        self.crf.tags()
    }

    /// What an analyser says of a word, as features.
    pub(crate) fn further(&self) -> impl Fn(&str, &mut dyn FnMut(&str)) + Sync + '_ {
        further(self.analyser.as_ref())
    }
}

/// What an analyser says of words, as features; nothing without one.
pub(crate) fn further(analyser: Option<&Analyser>) -> impl Fn(&str, &mut dyn FnMut(&str)) + Sync + '_ {
    move |word, visit| {
        if let Some(analyser) = analyser {
            analyser.features(word).iter().for_each(|feature| visit(feature));
        }
    }
}

/// Writes a tagger to a file.
pub(crate) fn write(
    path: &Path,
    (column, crf): (TagColumn, Crf),
    dictionary: &Dictionary,
    transducer: Option<(&Transducer, Surface)>,
    notes: BTreeMap<String, String>,
) -> Result<(), chain::Error> {
    let entries = dictionary.iter().map(|(word, tags)| {
        let mut tags: Vec<u32> = tags.iter().map(|(tag, _)| *tag).collect();
        tags.sort_unstable();
        (word.clone(), tags)
    });
    let dictionary = entries.filter(|(_, tags)| !tags.is_empty()).collect();
    let transducer = transducer.map(|(transducer, surface)| StoredTransducer::new(transducer, surface));
    let column = TagChoice(column).name().to_string();
    let header = Header { kind: KIND.into(), version: VERSION, notes };
    container::write(path, &header, &Stored { column, crf, dictionary, transducer })
}

impl StoredTransducer {
    fn new(transducer: &Transducer, surface: Surface) -> Self {
        let mut text = Vec::new();
        // Memory can be written to.
        let _ = att::write(transducer, &mut text);
        Self { text: String::from_utf8_lossy(&text).into_owned(), by_input: surface == Surface::Input }
    }

    fn analyser(self) -> anyhow::Result<Analyser> {
        let transducer = att::read(self.text.as_bytes())?.transducer;
        Ok(Analyser::new(transducer, if self.by_input { Surface::Input } else { Surface::Output }))
    }
}
